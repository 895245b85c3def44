"""The faces of a deck, made one by one as they are asked for: templates filled and composed.

Part of build: it knows the order from card to face, and which faces are the same. Knows nothing
of sheets or PDF.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.core.errors import CardgenError, Problem, Where, shorten
from cardgen.core.geometry import Insets, Size
from cardgen.core.library import Library
from cardgen.core.units import format_size
from cardgen.deck.dictionary import read_words
from cardgen.deck.model import Card, Copy, Deck, Missing
from cardgen.layout.compose import Composer
from cardgen.layout.face import Face, Item
from cardgen.layout.subject import DeckSizes, Shrunk, Subject
from cardgen.layout.typesetter import Typesetter, set_note
from cardgen.pages.impose import Note
from cardgen.pages.target import Side
from cardgen.template.expressions import Record
from cardgen.template.fill import fill_template
from cardgen.template.model import Format, Node
from cardgen.template.parse import Template, parse_template
from cardgen.template.translator import TRANSLATOR, Translator
from cardgen.text.fonts import FontFile, FontShelf


class MadeFace(NamedTuple):
    face: Face
    again: bool  # whether it is placed more than once, as far as one can know


class FaceMaker:
    """Makes the faces of one deck on one paper; all of one size, unless they are only shown."""

    def __init__(self, deck: Deck, library: Library, paper: Size, *, one_size: bool = True) -> None:
        self._deck = deck
        self._library = library
        self._paper = paper
        self._one_size = one_size
        self._shelf = FontShelf(library)
        self._typesetter = Typesetter(library, self._shelf, deck.language)
        self._translator = Translator(read_words(library, deck.language), deck.translation)
        self._sizes = DeckSizes()
        self._templates: dict[str, Template] = {}
        self._composers: dict[str, Composer] = {}
        self._kept: dict[tuple[str, tuple[Node, ...] | int], MadeFace] = {}
        # The place of each design's first copy among all that are printed.
        self._places = list(accumulate((card.count for card in deck.cards), initial=1))
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
        self.format = self._read_templates()

    @property
    def shrunk(self) -> list[Shrunk]:
        """The texts that were set smaller than the others of the deck."""
        found = (entry for composer in self._composers.values() for entry in composer.shrunk)
        return list(dict.fromkeys(found))  # copies that differ say the same

    def get_face(self, copy: Copy, side: Side) -> MadeFace | None:
        """A card's face, composed at most once; None if it has none on that side."""
        card = self._deck.cards[copy.design]
        name = card.template if side == "front" else card.back
        if name is None:
            return None
        if side == "front" and (card.count == 1 or self._templates[name].tells_copies):
            return MadeFace(self._compose(name, self._fill(name, copy, side), card), False)
        # A back says the same for most cards of a deck: equal nodes make one face.
        nodes = self._fill(name, copy, side)
        key = (name, copy.design if side == "front" else nodes)
        if key not in self._kept:
            self._kept[key] = MadeFace(self._compose(name, nodes, card), True)
        return self._kept[key]

    def identify_back(self, copy: Copy) -> object:
        """What is equal for backs that look the same; None where there is no back."""
        name = self._deck.cards[copy.design].back
        if name is None:
            return None
        try:
            return name, self._fill(name, copy, "back")
        except CardgenError:
            return copy  # what is wrong with it will be said when the face is made

    def identify_front(self, copy: Copy) -> object:
        """What is equal for fronts that look the same."""
        template = self._templates[self._deck.cards[copy.design].template]
        return copy if template.tells_copies else copy.design

    def get_place(self, copy: Copy) -> int:
        """A copy's place among all that the deck prints, from 1 on."""
        return self._places[copy.design] + copy.number

    def gather_sizes(self) -> None:
        """Decide the sizes that fit="deck" shares, by a first look at every card.

        What is wrong with a card will be said when its face is made.
        """
        sharing = {name for name, template in self._templates.items() if template.shares_sizes}
        for number, card in enumerate(self._deck.cards):
            named: list[tuple[str | None, Side]] = [(card.template, "front"), (card.back, "back")]
            for name, side in named:
                if name is None or name not in sharing:
                    continue
                copies = card.count if self._templates[name].tells_copies else 1
                for copy in range(max(copies, 1)):
                    with suppress(CardgenError):
                        nodes = self._fill(name, Copy(number, copy), side)
                        self._composers[name].gather_sizes(nodes, _name_subject(card))
        self._sizes.decide()
        for name in sharing:
            self._composers[name].forget()

    def get_bleed(self, side: Side) -> Insets:
        """The bleed that all templates of a side have; of the fronts, where there are no backs."""
        named = {card.back if side == "back" else card.template for card in self._deck.cards}
        bleeds = [self._templates[name].format.bleed for name in named if name is not None]
        return Insets(*map(min, zip(*bleeds, strict=True))) if bleeds else self.format.bleed

    def list_templates(self) -> list[tuple[Side, str, Template]]:
        """The templates of all cards with their names, each once for a side."""
        sides: tuple[Side, Side] = ("front", "back")
        used = {
            (side, name): self._templates[name]
            for card in self._deck.cards
            for side, name in zip(sides, (card.template, card.back), strict=True)
            if name is not None
        }
        return [(side, name, template) for (side, name), template in used.items()]

    def list_untranslated(self) -> tuple[str, ...]:
        """The words that the templates print and the deck's language has not."""
        if self._translator.is_idle:
            return ()
        for number, card in enumerate(self._deck.cards):
            sides: list[tuple[str | None, Side]] = [(card.template, "front"), (card.back, "back")]
            for name, side in sides:
                if name is not None:
                    with suppress(CardgenError):
                        self._fill(name, Copy(number, 0), side)
        return tuple(self._translator.missing)

    def set_note(self, note: Note) -> tuple[Item, ...]:
        """A line outside the cards."""
        return set_note(self._typesetter, note.text, note.size, note.width, centred=note.centred)

    def open_font(self, family: str, weight: int, italic: bool) -> FontFile:
        return self._shelf.open(family, weight, italic)

    def _compose(self, name: str, nodes: Sequence[Node], card: Card) -> Face:
        try:
            return self._composers[name].compose(nodes, _name_subject(card))
        except CardgenError as error:
            template = self._templates[name]
            if template.made_for == template.format.size:
                raise
            made = f"the deck asks for {format_size(template.format.size)}, the template"
            made += f" is made for {format_size(template.made_for)}"
            raise CardgenError.of(
                replace(p, hint=f"{p.hint}; {made}" if p.hint else made) for p in error.problems
            ) from error

    def _fill(self, name: str, copy: Copy, side: Side) -> tuple[Node, ...]:
        card = self._deck.cards[copy.design]
        try:
            return fill_template(self._templates[name], self._make_values(card, copy, side))
        except CardgenError as error:
            raise CardgenError.of(
                replace(p, subject=f'card "{card.name}"', card=card.name) for p in error.problems
            ) from error

    def _make_values(self, card: Card, copy: Copy, side: Side) -> dict[str, Any]:
        own = {"id": card.id, "name": card.name, "count": card.count}
        place = self.get_place(copy)
        fields = {"number": copy.design + 1, "place": place, **card.fields, **own}
        self._translator.begin(fields)
        return {
            "card": Record("card", fields),
            "deck": self._deck_record,
            "side": side,
            TRANSLATOR: self._translator,
        }

    def _read_templates(self) -> Format:
        """Read every template that the deck names; they must all be of one size."""
        problems: list[Problem] = []
        for card in self._deck.cards:
            for key, name in (("template", card.template), ("back", card.back)):
                if name is not None and name not in self._templates:
                    try:
                        self._templates[name] = self._read_template(name, card.find_place(key))
                    except CardgenError as error:
                        problems.extend(p for p in error.problems if p not in problems)
        if problems:
            raise CardgenError.of(problems)
        formats = {name: template.format for name, template in self._templates.items()}
        first, format_ = next(iter(formats.items()))
        for name, other in formats.items():
            if self._one_size and other.size != format_.size:
                raise CardgenError(
                    "build/todo",
                    f'template "{name}" is {format_size(other.size)}, '
                    f'"{first}" is {format_size(format_.size)}',
                    self._templates[name].where,
                    "all faces of a deck have one size",
                )
        for name, template in self._templates.items():
            self._composers[name] = Composer(
                template.format, self._typesetter, self._library, self._sizes
            )
        return format_

    def check_look(self) -> None:
        """A look that changes nothing is not what was asked for."""
        look = self._library.look
        files = [path for template in self._templates.values() for path in template.files]
        if look is not None and not any(self._library.is_of_look(path) for path in files):
            raise CardgenError(
                "build/todo",
                f'the look "{look}" has none of the templates of the deck "{self._deck.name}"',
                hint=f"put templates of the same names into templates/{look}/",
            )

    def _read_template(self, name: str, where: Where) -> Template:
        path: Path = self._library.find("template", name, where)
        return parse_template(path, self._library, self._paper, self._deck.size)


def _name_subject(card: Card) -> Subject:
    return Subject(f'card "{card.name}"', card.where, card.name)


_MOST_NAMED = 5


def find_gaps(deck: Deck, faces: FaceMaker) -> tuple[Problem, ...]:
    """A note for each field that some cards lack, and for each word."""
    where = Where(str(deck.path))
    gaps: list[Problem] = []
    if deck.translation is not None:
        language = deck.translation.language
        gaps += [
            Problem(
                "build/todo", f"not in {language}: {_name_missing(gap)}", where, field=gap.field
            )
            for gap in deck.translation.missing
        ]
    words = faces.list_untranslated()
    if words:
        named = ", ".join(f'"{shorten(word)}"' for word in words)
        hint = f"write them into words/{deck.language}.yaml of your project"
        gaps.append(Problem("build/todo", f"no word in {deck.language} for {named}", where, hint))
    return tuple(gaps)


def _name_missing(gap: Missing) -> str:
    if not gap.cards:
        return f"the {gap.field}"
    named = ", ".join(gap.cards[:_MOST_NAMED])
    more = len(gap.cards) - _MOST_NAMED
    rest = f" and {more:,} more" if more > 0 else ""
    cards = f"{len(gap.cards):,} card{'' if len(gap.cards) == 1 else 's'}"
    return f"{gap.field} of {cards} ({named}{rest})"


# MERGED: What a deck that is built in another language does not say in it: texts, and words of templates.
#
#   Part of build. Turns a deck and its faces into notes; nothing of it keeps a deck from being built.
#
