"""The faces of a deck: its templates read, filled for each card, and composed.

`DeckTemplates` reads and fills; what it gives is enough to plan pages. `FaceMaker` composes faces,
one by one as they are asked for. Neither knows sheets or PDF.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgen.build.kinds import Kinds
from cardgen.build.problems import list_messages
from cardgen.build.reading import TemplateReader, list_uses, refuse_depth
from cardgen.core.budget import begin_card, end_card, keep_error, make_memory_error
from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.geometry import Rect, Size
from cardgen.core.library import Library
from cardgen.core.units import format_size
from cardgen.deck.dictionary import read_words
from cardgen.deck.model import Card, Copy, Deck
from cardgen.layout.compose import Composer
from cardgen.layout.contents import Placeholders, Remark
from cardgen.layout.copyfit import DeckSizes, Shrunk, Wish
from cardgen.layout.device import USUAL_DEVICE, Device
from cardgen.layout.face import SEEN, Face, Item
from cardgen.layout.note import set_note
from cardgen.layout.subject import Subject
from cardgen.layout.typesetter import Typesetter
from cardgen.pages.impose import Note
from cardgen.pages.target import Side
from cardgen.template.files import FILES
from cardgen.template.model import Node
from cardgen.template.sandbox import Record
from cardgen.template.template import Chosen, Template, fill_template
from cardgen.template.translator import TRANSLATOR, Translator
from cardgen.text.fonts import FontFile, FontShelf

if TYPE_CHECKING:
    from PIL.Image import Image

    from cardgen.layout.trace import Traced

_EMPTY: tuple[object, ...] = (None, "", [], {})
# So many composed faces are kept to be placed again: copies stand beside one another, and backs
# that differ are few.
MOST_KEPT = 1_000
MOST_SEEN = 100  # faces that were looked at before any is drawn


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
        self._chosen: Chosen | None = {} if self._translator.is_idle and not self.draft else None
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
            },
        )
        self.kinds = Kinds(deck.cards, self._templates, one_size=self._one_size)

    def __getstate__(self) -> dict[str, object]:
        """Return what another process needs, to which cards are sent as it draws them."""
        left_out = ("deck", "cards", "kinds", "filled", "_templates", "_alike", "_chosen")
        kept = {name: value for name, value in vars(self).items() if name not in left_out}
        return {**kept, "names": tuple(self._templates), "head": replace(self.deck, cards=())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        names, self.deck = state.pop("names"), state.pop("head")
        vars(self).update(state)
        self.cards, self._alike, self.filled = (), {}, ()
        self._chosen = {} if self._translator.is_idle and not self.draft else None
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

    def fill(self, copy: Copy, side: Side) -> tuple[Node, ...]:
        """Return the nodes of a copy's side, which must have a template."""
        card = self.cards[copy.design]
        name = _get_template_name(card, side)
        template = self._templates[name]
        if not template.tells_cards and (name, side) in self._alike:
            return self._alike[name, side]
        with _WorkingOn(card, template):
            report = partial(self._keep_problems, card) if self.draft else None
            self.marks.clear()
            try:
                values = self._make_values(card, copy, side)
                nodes = fill_template(template, values, report, self._chosen)
            except CardgenError as error:
                raise _name_card(error, card) from error
        if not template.tells_cards and self.draft is None:
            self._alike[name, side] = nodes
        self.filled = nodes
        return nodes

    def _keep_problems(self, card: Card, error: CardgenError, is_drawn: bool) -> None:
        self.problems += _name_card(error, card).problems
        if not is_drawn:
            self.marks += (problem.message for problem in error.problems)

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
            if (name := _name_template(card, side)) in sharing
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
                if _name_template(card, side) is not None:
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


class MadeFace(NamedTuple):
    """A composed face.

    again: whether it is placed more than once, as far as known
    common: whether it says what the faces of many cards say, as most backs do
    """

    face: Face
    again: bool
    common: bool = False


class _Seen(NamedTuple):
    """A face that was looked at, what is told of it, and the shared sizes as they were."""

    face: Face
    remarks: set[Remark]
    sizes: list[tuple[str, float]]


class FaceMaker:
    """Composes the faces of one deck."""

    def __init__(self, templates: DeckTemplates, sizes: DeckSizes | None = None) -> None:
        self.templates = templates
        self._shelf = FontShelf(templates.library)
        self._typesetter = Typesetter(templates.library, self._shelf, templates.deck.language)
        self._sizes = sizes or DeckSizes()
        self._composers: dict[str, Composer] = {}
        self._composed: dict[str, Template] = {}  # what each composer is made for
        self._problems: list[Problem] = []
        self._kept: dict[tuple[str, tuple[Node, ...] | int], MadeFace] = {}
        self._seen: dict[Place, _Seen] = {}
        self._told = list_messages(templates.deck.problems)
        self.renew()

    def renew(self) -> None:
        """Take up what is new of the templates and their deck."""
        known, self._composed = self._composed, dict(self.templates)
        self._composers = {
            name: self._composers[name] if known.get(name) is template else self._prepare(template)
            for name, template in self.templates
        }
        for composer in self._composers.values():
            composer.forget()
        self._sizes.fell = False
        self._kept.clear()
        self._seen.clear()

    def _prepare(self, template: Template, make: type[Composer] | None = None) -> Composer:
        """Return what composes the faces of a template, in a draft as drafts."""
        if make is None and self.templates.draft:
            from cardgen.layout.draft import DraftComposer, UnseenComposer  # whole decks need none

            make = DraftComposer if self.templates.draft.seen else UnseenComposer
        return (make or Composer)(
            template.format,
            self._typesetter.with_names(template.palette),
            self.templates.library,
            self._sizes,
            _draw_stencil,
            self.templates.placeholders,
            self.templates.device,
        )

    def trace(self, copy: Copy, side: Side) -> list[Traced]:
        """Return where each element of a copy's side lies, each before those within it."""
        from cardgen.layout.trace import TracingComposer  # which no build needs

        card = self.templates.cards[copy.design]
        template = self.templates[_get_template_name(card, side)]
        composer = self._prepare(template, TracingComposer)
        assert isinstance(composer, TracingComposer)
        with _WorkingOn(card, template):
            composer.compose(self.templates.fill(copy, side), self._name_subject(card))
        self.take_problems()
        return composer.traced

    def __reduce__(self) -> tuple[object, ...]:
        """Another process gets the sizes, and makes the rest anew."""
        return FaceMaker, (self.templates, self._sizes)

    def take_shrunk(self) -> dict[str, list[Shrunk]]:
        """Return the texts that were set smaller than the others of the deck since the last time,
        by the names of their templates.
        """
        taken = {name: list(composer.shrunk) for name, composer in self._composers.items()}
        for composer in self._composers.values():
            composer.shrunk.clear()
        return {name: shrunk for name, shrunk in taken.items() if shrunk}

    def take_remarks(self) -> set[Remark]:
        """Return what is to be told of the faces since the last time."""
        taken: set[Remark] = set()
        for composer in self._composers.values():
            taken |= composer.remarks
            composer.remarks.clear()
        return taken

    def take_problems(self) -> list[Problem]:
        """Return what was wrong with the faces of a draft since the last time."""
        taken = [*self.templates.problems, *self._problems]
        self.templates.problems.clear()
        self._problems.clear()
        return taken

    def get_face(self, copy: Copy, side: Side) -> MadeFace | None:
        """Return a card's face, composed at most once; None if it has none on that side."""
        card = self.templates.cards[copy.design]
        name = _name_template(card, side)
        if name is None:
            return None
        template = self.templates[name]
        if side == "back":
            # A back says the same for most cards of a deck: equal nodes make one face.
            nodes = self.templates.fill(copy, side)
            return self._keep((name, nodes if template.tells_cards else 0), nodes, card)
        if card.count == 1 or template.tells_copies:
            seen = self._take_seen(Place(copy, side))
            face = seen or self._compose(name, self.templates.fill(copy, side), card)
            return MadeFace(face, False)
        if (name, copy.design) in self._kept:
            return self._kept[name, copy.design]
        return self._keep((name, copy.design), self.templates.fill(copy, side), card)

    def _take_seen(self, place: Place) -> Face | None:
        """Return the face that a look at a place has made, if it would be the same by now."""
        seen = self._seen.pop(place, None)
        if seen is None or seen.sizes != self.sizes:
            return None
        composer = self._composers[self.templates.cards[place.copy.design].template]
        composer.remarks |= seen.remarks
        return seen.face

    def _keep(
        self, key: tuple[str, tuple[Node, ...] | int], nodes: Sequence[Node], card: Card
    ) -> MadeFace:
        """Return the face of a key, composed when it is first asked for."""
        name = key[0]
        if key not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            face = self._compose(name, nodes, card)
            self._kept[key] = MadeFace(face, True, not any(map(_has_own_words, nodes)))
        return self._kept[key]

    @property
    def sizes_fell(self) -> bool:
        """Whether a face made since the last look wants a text smaller than those before it."""
        return self._sizes.fell

    @property
    def sizes(self) -> list[tuple[str, float]]:
        """The sizes that fit="deck" shares, as far as known."""
        return self._sizes.list_all()

    def forget_sizes(self) -> None:
        """Let the sizes that fit="deck" shares be decided anew."""
        self._sizes.forget()
        self.renew()

    def look_at_all(self) -> None:
        """Decide the sizes that fit="deck" shares, by a look at every face."""
        for place in self.templates.list_sharing():
            self.look_at(place)

    def look_at(self, place: Place) -> dict[str, Wish]:
        """Return what texts with fit="deck" ask for on a face.

        What is wrong with a card will be said when its face is made. One of which there is nothing
        to say is kept.
        """
        card = self.templates.cards[place.copy.design]
        composer = self._composers[_get_template_name(card, place.side)]
        self._sizes.wishes = {}
        with suppress(CardgenError):
            sizes = self.sizes
            face = composer.compose(self.templates.fill(*place), self._name_subject(card))
            is_sound = not (composer.shrunk or self.templates.draft)
            if is_sound and sizes == self.sizes and len(self._seen) < MOST_SEEN:
                self._seen[place] = _Seen(face, set(composer.remarks), sizes)
        composer.forget()
        self.take_problems()
        self._sizes.fell = False
        return self._sizes.wishes

    def set_note(self, note: Note) -> tuple[Item, ...]:
        """Set a line outside the cards."""
        return set_note(self._typesetter, note.text, note.size, note.width, centred=note.centred)

    def open_font(self, family: str, weight: int, italic: bool) -> FontFile:
        return self._shelf.open(family, weight, italic)

    def _compose(self, name: str, nodes: Sequence[Node], card: Card) -> Face:
        template = self.templates[name]
        composer = self._composers[name]
        with _WorkingOn(card, template):
            try:
                face = composer.compose(nodes, self._name_subject(card))
            except CardgenError as error:
                if any(problem.where is None for problem in error.problems):
                    raise _name_card(error, card) from error
                keep_error(error)
                raise CardgenError.of(_name_size(error.problems, template)) from error
        if self.templates.draft:
            self._problems += _name_size(composer.problems, template)
            composer.problems.clear()
            if self.templates.draft.seen:
                face = self._mark(face, card)
        return face

    def _name_subject(self, card: Card) -> Subject:
        places = tuple((card.places or {}).items())
        return Subject(f'card "{card.name}"', card.where, card.name, places)

    def _mark(self, face: Face, card: Card) -> Face:
        """Return a face of a draft that says what it is, and what is wrong with the card's data."""
        draft = self.templates.draft
        lines = ["DRAFT"] if draft and draft.marked else []
        lines += [*self._told.get(card.name, ()), *self.templates.marks]
        if not lines:
            return face
        from cardgen.layout.draft import draw_marks

        trim = Rect(0, 0, *face.size)
        return replace(face, items=(*face.items, SEEN, *draw_marks(self._typesetter, trim, lines)))


class _WorkingOn:
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
            raise _name_card(make_memory_error(), self._card) from error
        if isinstance(error, RecursionError):
            raise _name_card(refuse_depth(self._template.where), self._card) from error


def _name_template(card: Card, side: Side) -> str | None:
    return card.template if side == "front" else card.back


def _get_template_name(card: Card, side: Side) -> str:
    name = _name_template(card, side)
    assert name is not None
    return name


def _name_card(error: CardgenError, card: Card) -> CardgenError:
    """Return an error that names the card, and its place where there is no nearer one."""
    named = CardgenError.of(
        replace(p, where=p.where or card.where, subject=f'card "{card.name}"', card=card.name)
        for p in error.problems
    )
    keep_error(named)
    return named


def _name_size(problems: Iterable[Problem], template: Template) -> Iterator[Problem]:
    """Yield problems, which may come from a size that the template is not made for."""
    for problem in problems:
        if template.made_for == template.format.size:
            yield problem
            continue
        made = f"the deck asks for {format_size(template.format.size)}, the template"
        made += f" is made for {format_size(template.made_for)}"
        yield replace(problem, hint=f"{problem.hint}; {made}" if problem.hint else made)


def _draw_stencil(items: Sequence[Item], area: Rect, dpi: float) -> Image:
    # Most decks have no soft shadow, and need not wait for what draws pixels.
    from cardgen.output.plates import draw_stencil

    return draw_stencil(items, area, dpi)


def _has_own_words(node: Node) -> bool:
    """Whether a node has words that are chosen for one card and not among few."""
    return node.choices is None and (bool(node.text) or any(map(_has_own_words, node.children)))
