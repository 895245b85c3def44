"""The faces of a deck, made one by one as they are asked for: templates filled and composed.

Part of build: it knows the order from card to face, and which faces are the same. Knows nothing
of sheets or PDF.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

from cardgen.deck.model import Card, Deck
from cardgen.errors import CardgenError, Problem
from cardgen.geometry import Size
from cardgen.layout.compose import Composer
from cardgen.layout.face import Face
from cardgen.layout.subject import DeckSizes, Shrunk, Subject
from cardgen.layout.words import Typesetter
from cardgen.library import Library
from cardgen.template.expressions import Record
from cardgen.template.fill import fill_template
from cardgen.template.model import Format, Node
from cardgen.template.parse import Template, parse_template
from cardgen.text.fonts import FontFile, FontShelf
from cardgen.units import format_mm

Side = Literal["front", "back"]


class MadeFace(NamedTuple):
    face: Face
    again: bool  # whether it is placed more than once, as far as one can know


class FaceMaker:
    """Makes the faces of one deck on one paper."""

    def __init__(self, deck: Deck, library: Library, paper: Size) -> None:
        self._deck = deck
        self._library = library
        self._paper = paper
        self._shelf = FontShelf(library)
        self._typesetter = Typesetter(library, self._shelf, deck.language)
        self._sizes = DeckSizes()
        self._templates: dict[str, Template] = {}
        self._composers: dict[str, Composer] = {}
        self._kept: dict[tuple[str, tuple[Node, ...] | int], MadeFace] = {}
        self._deck_record = Record(
            "deck",
            {
                "name": deck.name,
                "title": deck.title,
                "author": deck.author,
                "language": deck.language,
                "description": deck.description,
                "designs": len(deck.cards),
                "copies": deck.copies,
            },
        )
        self.format = self._read_templates()

    @property
    def shrunk(self) -> list[Shrunk]:
        """The texts that were set smaller than the others of the deck."""
        return [entry for composer in self._composers.values() for entry in composer.shrunk]

    def get_face(self, number: int, side: Side) -> MadeFace | None:
        """A card's face, composed at most once; None if it has none on that side."""
        card = self._deck.cards[number]
        name = card.template if side == "front" else card.back
        if name is None:
            return None
        if side == "front" and card.count == 1:
            return MadeFace(self._compose(name, self._fill(name, number), card), False)
        # A back says the same for most cards of a deck: equal nodes make one face.
        nodes = self._fill(name, number)
        key = (name, number if side == "front" else nodes)
        if key not in self._kept:
            self._kept[key] = MadeFace(self._compose(name, nodes, card), True)
        return self._kept[key]

    def gather_sizes(self) -> None:
        """Decide the sizes that fit="deck" shares, by a first look at every card.

        What is wrong with a card will be said when its face is made.
        """
        sharing = {name for name, template in self._templates.items() if template.shares_sizes}
        for number, card in enumerate(self._deck.cards):
            named = (card.template, card.back)
            for name in [n for n in dict.fromkeys(named) if n is not None and n in sharing]:
                with suppress(CardgenError):
                    subject = _name_subject(card)
                    self._composers[name].gather_sizes(self._fill(name, number), subject)
        self._sizes.decide()
        for name in sharing:
            self._composers[name].forget()

    def open_font(self, family: str, weight: int, italic: bool) -> FontFile:
        return self._shelf.open(family, weight, italic)

    def _compose(self, name: str, nodes: Sequence[Node], card: Card) -> Face:
        return self._composers[name].compose(nodes, _name_subject(card))

    def _fill(self, name: str, number: int) -> tuple[Node, ...]:
        card = self._deck.cards[number]
        try:
            return fill_template(self._templates[name], self._make_values(card, number))
        except CardgenError as error:
            raise CardgenError.of(
                replace(p, message=f'{p.message} (card "{card.name}")') for p in error.problems
            ) from error

    def _make_values(self, card: Card, number: int) -> dict[str, Record]:
        own = {"id": card.id, "name": card.name, "count": card.count}
        fields = {"number": number + 1, **card.fields, **own}
        return {"card": Record("card", fields), "deck": self._deck_record}

    def _read_templates(self) -> Format:
        """Read every template that the deck names; they must all be of one size."""
        problems: list[Problem] = []
        for card in self._deck.cards:
            for name in (card.template, card.back):
                if name is not None and name not in self._templates:
                    try:
                        self._templates[name] = self._read_template(name, card)
                    except CardgenError as error:
                        problems.extend(p for p in error.problems if p not in problems)
        if problems:
            raise CardgenError.of(problems)
        formats = {name: template.format for name, template in self._templates.items()}
        first, format_ = next(iter(formats.items()))
        for name, other in formats.items():
            if other.size != format_.size:
                raise CardgenError(
                    f'template "{name}" is {_show(other.size)}, "{first}" is {_show(format_.size)}',
                    self._templates[name].where,
                    "all faces of a deck have one size",
                )
        for name, template in self._templates.items():
            self._composers[name] = Composer(
                template.format, self._typesetter, self._library, self._sizes
            )
        return format_

    def _read_template(self, name: str, card: Card) -> Template:
        path: Path = self._library.find("template", name, card.where)
        return parse_template(path, self._library, self._paper)


def _name_subject(card: Card) -> Subject:
    return Subject(f'card "{card.name}"', card.where)


def _show(size: Size) -> str:
    return f"{format_mm(size.width)} x {format_mm(size.height)}"
