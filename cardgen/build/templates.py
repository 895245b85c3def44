"""The templates of a deck: read, and filled for each card.

What they give is enough to plan pages. Knows neither layout nor sheets nor PDF.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.build.kinds import Kinds
from cardgen.build.reading import TemplateReader, list_uses, refuse_depth
from cardgen.core.budget import begin_card, end_card, keep_error, make_memory_error
from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.geometry import Size
from cardgen.core.library import Library
from cardgen.deck.dictionary import read_words
from cardgen.deck.model import Card, Copy, Deck
from cardgen.layout.contents import Placeholders
from cardgen.layout.device import USUAL_DEVICE, Device
from cardgen.pages.sheets.protocol import CardKind
from cardgen.pages.target import Side
from cardgen.template.files import FILES
from cardgen.template.model import Node
from cardgen.template.sandbox import Record, is_sentence
from cardgen.template.template import Chosen, Template, begin_chosen, fill_template
from cardgen.template.translator import TRANSLATOR, Translator

_EMPTY: tuple[object, ...] = (None, "", [], {})
_MOST_ASKED = 200  # cards, for what a deck's fields hold
# What templates read of a card besides its fields.
_OWN = ("id", "name", "count", "number", "place", "fields")


class Place(NamedTuple):
    """A side of a copy."""

    copy: Copy
    side: Side


class Draft(NamedTuple):
    """A build that draws what is wrong; `marked` are faces that say by themselves what they are,
    and those not `seen` are made to list what is wrong, alone.
    """

    marked: bool = False
    seen: bool = True


class DeckTemplates:
    """The templates of one deck on one paper, read, and filled for its cards.

    A card's front and back are of one size, unless they are only shown.
    device: what prints them
    problems: in a draft, what was wrong when they were filled, until somebody takes it
    marks: in a draft, what was wrong with the one filled last for which no box stands
    filled: its nodes
    """

    def __init__(
        self,
        deck: Deck,
        library: Library,
        paper: Size,
        *,
        one_size: bool = True,
        device: Device = USUAL_DEVICE,
        draft: Draft | None = None,
    ) -> None:
        self.draft = draft
        self._reader = TemplateReader(library, paper, draft=draft is not None)
        self.problems: list[Problem] = []
        self.marks: list[str] = []
        self.filled: tuple[Node, ...] = ()
        self.library = library
        self.device = device
        self._one_size = one_size
        self._templates: dict[str, Template] = {}
        self.take_deck(deck)

    def take_deck(self, deck: Deck, changed: Collection[Path] = ()) -> None:
        """Serve another deck, or this one as it is by now; templates that are known stay.

        changed: files of which no template is known any longer, each as it is when all links are
            followed
        """
        kept = {
            name: template
            for name, template in self._templates.items()
            if not any(path.resolve() in changed for path in template.files)
        }
        templates = self._reader.read(list_uses(deck), deck.size, kept)
        self.deck = deck
        # Those that are looked up by the numbers of their designs; a part of them is enough.
        self.cards: Mapping[int, Card] | Sequence[Card] = deck.cards
        self.count = deck.copies
        self.placeholders = Placeholders(deck.missing == "placeholder", self.device.sent)
        self._templates = templates
        self._translator = Translator(read_words(self.library, deck.language), deck)
        # The nodes of templates that say the same on every card.
        self._alike: dict[tuple[str, Side], tuple[Node, ...]] = {}
        # And those that some fields of a card choose. What a card says decides which words count as
        # translated, so that each is filled where that is asked.
        self._chosen: Chosen | None = None
        if self._translator.is_idle and not self.draft:
            self._chosen = begin_chosen([card.fields for card in deck.cards], _OWN)
        # The place of each design's first copy among all that are printed.
        self._places = array("Q", accumulate((card.count for card in deck.cards), initial=1))
        self._deck_record = Record(
            "deck",
            {
                "name": deck.name,
                "title": deck.title,
                "author": deck.author,
                "language": deck.language,
                "description": deck.description,
                "version": deck.version,
                "designs": len(deck.cards),
                "copies": deck.copies,
                "prose": _list_prose(deck.cards),
            },
        )
        self.kinds = Kinds(deck.cards, self._templates, one_size=self._one_size)

    def __getstate__(self) -> dict[str, object]:
        """Return what another process needs, to which cards are sent as it draws them."""
        left_out = ("deck", "cards", "kinds", "filled", "_templates", "_alike")
        kept = {name: value for name, value in vars(self).items() if name not in left_out}
        return {**kept, "names": tuple(self._templates), "head": replace(self.deck, cards=())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        names, self.deck = state.pop("names"), state.pop("head")
        vars(self).update(state)
        self.cards, self._alike, self.filled = (), {}, ()
        where = Where(str(self.deck.path))
        self._templates = self._reader.read(((n, where) for n in names), self.deck.size, {})
        self.kinds = Kinds((), self._templates)

    def __getitem__(self, name: str) -> Template:
        return self._templates[name]

    def __iter__(self) -> Iterator[tuple[str, Template]]:
        """Give each template with its name."""
        return iter(self._templates.items())

    @property
    def faults(self) -> list[Problem]:
        """In a draft, what is wrong with the templates."""
        return [problem for name in self._templates for problem in self._reader.faults[name]]

    @property
    def missing(self) -> Mapping[str, Sequence[Problem]]:
        """In a draft, what is said of the templates that nobody has, by their names."""
        return {name: self._reader.faults[name] for name, one in self if not one.files}

    def get_kind(self, copy: Copy) -> int:
        """Return the number of a copy's kind."""
        return self.kinds.find(self.cards[copy.design])

    def list_kinds(self, copies: Iterable[Copy]) -> dict[int, CardKind]:
        """Return the kinds of copies by their numbers."""
        designs = {copy.design: copy for copy in copies}
        return self.kinds.describe(map(self.get_kind, designs.values()))

    def fill(self, copy: Copy, side: Side) -> tuple[Node, ...]:
        """Return the nodes of a copy's side, which must have a template."""
        card = self.cards[copy.design]
        name = get_template_name(card, side)
        template = self._templates[name]
        if not template.tells_cards and (name, side) in self._alike:
            return self._alike[name, side]
        with WorkingOn(card, template):
            report = partial(self._keep_problems, card) if self.draft else None
            self.marks.clear()
            try:
                values = self._make_values(card, copy, side)
                nodes = fill_template(template, values, report, self._chosen)
            except CardgenError as error:
                raise name_card(error, card) from error
        if not template.tells_cards and self.draft is None:
            self._alike[name, side] = nodes
        self.filled = nodes
        return nodes

    def _keep_problems(self, card: Card, error: CardgenError, is_drawn: bool) -> None:
        self.problems += name_card(error, card).problems
        if not is_drawn:
            self.marks += (problem.message for problem in error.problems)

    def say_same(self, side: Side) -> bool:
        """Whether the cards of each template look the same on a side."""
        names = {name_template(card, side) for card in self.deck.cards}
        return not any(self._templates[name].tells_cards for name in names if name)

    def list_sharing(self) -> list[Place]:
        """Return the places of all faces whose texts share a size with others."""
        sharing = {name for name, template in self if template.shares_sizes}
        if not sharing:
            return []
        sides: tuple[Side, Side] = ("front", "back")
        return [
            Place(Copy(design, number), side)
            for design, card in enumerate(self.deck.cards)
            for side in sides
            if (name := name_template(card, side)) in sharing
            for number in range(max(card.count, 1) if self[name].tells_copies else 1)
        ]

    def identify_back(self, copy: Copy) -> object:
        """Return what is equal for backs that look the same; None where there is no back."""
        name = self.deck.cards[copy.design].back
        if name is None:
            return None
        if not self._templates[name].tells_cards:
            return name
        try:
            return name, self.fill(copy, "back")
        except CardgenError:
            return copy  # what is wrong with it will be said when the face is made

    def identify_front(self, copy: Copy) -> object:
        """Return what is equal for fronts that look the same."""
        template = self._templates[self.deck.cards[copy.design].template]
        return copy if template.tells_copies else copy.design

    def get_place(self, copy: Copy) -> int:
        """Return a copy's place among all that the deck prints, from 1 on."""
        return self._places[copy.design] + copy.number

    def list_untranslated(self) -> tuple[str, ...]:
        """Return the words that the templates print and the deck's language has not."""
        if self._translator.is_idle:
            return ()
        sides: tuple[Side, Side] = ("front", "back")
        for number, card in enumerate(self.deck.cards):
            for side in sides:
                if name_template(card, side) is not None:
                    with suppress(CardgenError):
                        self.fill(Copy(number, 0), side)
        return tuple(self._translator.missing)

    def check_look(self) -> None:
        """Refuse a look that changes none of the deck's templates."""
        look = self.library.look
        files = [path for template in self._templates.values() for path in template.files]
        if look is not None and not any(self.library.is_of_look(path) for path in files):
            raise CardgenError(
                "build/look-without-templates",
                f'the look "{look}" has none of the templates of the deck "{self.deck.name}"',
                hint=f"put templates of the same names into templates/{look}/",
                details={"look": look, "deck": self.deck.name},
            )

    def _make_values(self, card: Card, copy: Copy, side: Side) -> dict[str, Any]:
        own = {"id": card.id, "name": card.name, "count": card.count}
        place = self.get_place(copy)
        filled = {name: value for name, value in card.fields.items() if value not in _EMPTY}
        given = {"number": copy.design + 1, "place": place, "fields": filled}
        fields = {**given, **card.fields, **own}
        self._translator.begin(fields)
        return {
            "card": Record("card", fields),
            "deck": self._deck_record,
            "side": side,
            TRANSLATOR: self._translator,
            FILES: self.library.has,
        }


class WorkingOn:
    """Keeps the work on a card within its budget, and names the card where it takes too much; a
    class, as it is begun for each face.
    """

    __slots__ = ("_card", "_template")

    def __init__(self, card: Card, template: Template) -> None:
        self._card = card
        self._template = template

    def __enter__(self) -> None:
        begin_card(self._card.name)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        end_card()
        if isinstance(error, MemoryError):
            raise name_card(make_memory_error(), self._card) from error
        if isinstance(error, RecursionError):
            raise name_card(refuse_depth(self._template.where), self._card) from error


def _list_prose(cards: Sequence[Card]) -> list[str]:
    """Return the fields that hold running text on most cards that have them, as some cards from
    all over the deck tell.
    """
    told: Counter[str] = Counter()
    filled: Counter[str] = Counter()
    for card in cards[:: len(cards) // _MOST_ASKED + 1]:
        for name, value in card.fields.items():
            if value not in _EMPTY:
                filled[name] += 1
                told[name] += isinstance(value, str | list | dict) and is_sentence(value)
    return [name for name in filled if 2 * told[name] >= filled[name]]


def name_template(card: Card, side: Side) -> str | None:
    """Return the name of the template of a card's side; None where the card has none."""
    return card.template if side == "front" else card.back


def get_template_name(card: Card, side: Side) -> str:
    name = name_template(card, side)
    assert name is not None
    return name


def name_card(error: CardgenError, card: Card) -> CardgenError:
    """Return an error that names the card, and its place where there is no nearer one."""
    named = CardgenError.of(
        replace(p, where=p.where or card.where, subject=f'card "{card.name}"', card=card.name)
        for p in error.problems
    )
    keep_error(named)
    return named
