"""The versions of faces: a hash of all that each is made of.

Knows nothing of how they are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from cardgen.build.templates import DeckTemplates
from cardgen.core.errors import Problem
from cardgen.deck.model import Card, Copy
from cardgen.pages.target import Side
from cardgen.template.template import Template

_BYTES = 8


class _Reads(NamedTuple):
    """What the expressions of a template read.

    fields: of the card; None where it may be any
    """

    fields: tuple[str, ...] | None
    place: bool
    deck: bool
    side: bool

    @classmethod
    def of(cls, template: Template) -> _Reads:
        names: set[str] = set()
        fields: set[str] = set()
        for element in template.elements:
            for expression in element.list_expressions():
                names |= expression.reads
                fields.update(expression.fields)
        whole = "card" in names
        placed = whole or bool(fields & {"number", "place"})
        read = None if whole else tuple(sorted(fields))
        return cls(read, placed, "deck" in names, "side" in names)

    def take(self, card: Card) -> list[object]:
        """Return the values of a card that are read."""
        own: dict[str, object] = {"id": card.id, "name": card.name, "count": card.count}
        if self.fields is None:
            return [own, sorted(card.fields.items(), key=lambda field: field[0])]
        return [own[name] if name in own else card.fields.get(name) for name in self.fields]


class Namer:
    """Gives each face a version: a hash of all that it is made of.

    said: what all faces depend on
    sizes: those that some templates share among all cards
    problems: those of the deck's file, by the names of cards, on whose faces they stand
    """

    def __init__(
        self,
        templates: DeckTemplates,
        said: object,
        sizes: Sequence[tuple[str, float]],
        problems: Mapping[str | None, Sequence[Problem]],
    ) -> None:
        self._templates = templates
        deck = templates.deck
        self._marks = {name: [p.message for p in found] for name, found in problems.items()}
        self._stamps = {
            name: _stamp(template, repr((said, sizes if template.shares_sizes else ())))
            for name, template in templates
        }
        self._reads = {name: _Reads.of(template) for name, template in templates}
        self._whole = (
            *(deck.name, deck.title, deck.author, deck.language, deck.description),
            *(deck.version, len(deck.cards), deck.copies),
        )

    def name(self, number: int, side: Side, touched: int) -> str | None:
        """Return the version of a face; None where there is none."""
        card = self._templates.deck.cards[number]
        name = card.template if side == "front" else card.back
        if name is None:
            return None
        reads = self._reads[name]
        said: list[object] = [side if reads.side else "", touched, reads.take(card)]
        if card.name in self._marks:
            said.append(self._marks[card.name])
        if reads.place:
            said += [number, self._templates.get_place(Copy(number, 0))]
        if reads.deck:
            said.append(self._whole)
        made = self._stamps[name] + repr(said).encode("utf-8", "surrogatepass")
        return blake2b(made, digest_size=_BYTES).hexdigest()


def _stamp(template: Template, said: str) -> bytes:
    """Return what is equal as long as a template says the same."""
    made = blake2b(said.encode(), digest_size=16)
    for path in template.files:
        made.update(path.read_bytes() if path.is_file() else b"")
    made.update(repr((template.name, template.format)).encode())
    return made.digest()
