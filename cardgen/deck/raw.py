"""A deck as its file writes it, with all places: what every reader makes, and check.py judges.

Knows neither YAML nor tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from cardgen.core.errors import Detail, Problem, Where, shorten
from cardgen.deck.model import DEFAULT_TEMPLATE, Value


class Mark(NamedTuple):
    """Where a key and its value stand, and the text that the file writes for a number."""

    key: Where
    value: Where
    written: str | None


_NO_MARKS: Mapping[str, Mark] = MappingProxyType({})


class Raw(NamedTuple):
    """A mapping as a file holds it; a key without a mark stands at `where`.

    inherited: the keys that come from another deck or card, where they were judged
    """

    values: Mapping[str, Value]
    where: Where
    marks: Mapping[str, Mark] = _NO_MARKS
    inherited: frozenset[str] = frozenset()

    def locate_key(self, key: str) -> Where:
        """Return the place of a key."""
        return self.marks[key].key if key in self.marks else self.where

    def locate_value(self, key: str) -> Where:
        """Return the place of a key's value."""
        return self.marks[key].value if key in self.marks else self.where

    def get_written(self, key: str) -> Value:
        """Return a value; a number or a truth value as the text that the file writes."""
        value = self.values.get(key)
        if value is None:
            return None
        written = self.marks[key].written if key in self.marks else None
        return value if written is None else written

    def has_alone(self, key: str, word: str) -> bool:
        """Whether a key is written here, and `word` is not."""
        if key in self.inherited:
            return False
        return word not in self.values or word in self.inherited


class Mention(NamedTuple):
    """A card that a variant names by its id."""

    id: str
    where: Where


class CardChange(NamedTuple):
    """The fields that a variant writes over a card of its base."""

    card: Mention
    raw: Raw


@dataclass(slots=True)
class RawVariant:
    """The differences of a deck from the one that it extends; `base` is None if it names none."""

    base: str | None
    where: Where
    keep: list[Mention] | None = None
    drop: list[Mention] | None = None
    changes: list[CardChange] = field(default_factory=list)
    counts: list[CardChange] = field(default_factory=list)
    additions: list[Raw] = field(default_factory=list)
    order: list[Mention] = field(default_factory=list)


@dataclass(slots=True)
class RawDeck:
    """A deck as it is written, and the problems found so far.

    columns: the header of a table, which may name fields that no row fills
    titles: the fields that it names, as it writes them
    inherited: the fields of the deck that a variant extends
    has_controls: false where the reader knows that no card holds a control character
    notes: what a reader took in another way than it is written
    """

    path: Path
    head: Raw
    title: str
    template: str = DEFAULT_TEMPLATE
    back: str | None = None
    defaults: Raw | None = None
    deal: Raw | None = None
    labels: Raw | None = None
    cards: list[Raw] = field(default_factory=list)
    columns: dict[str, Where] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    variant: RawVariant | None = None
    inherited: tuple[str, ...] = ()
    is_table: bool = False
    is_workbook: bool = False
    is_sheet: bool = False
    is_overlaid: bool = False
    has_controls: bool = True
    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)

    @property
    def file(self) -> str:
        return str(self.path)

    def take_cards(self) -> Iterator[Raw]:
        """Yield the cards, and let each go: a large deck need not be held twice."""
        self.cards.reverse()
        while self.cards:
            yield self.cards.pop()

    def add(
        self,
        code: str,
        message: str,
        where: Where,
        hint: str | None = None,
        *,
        card: str | None = None,
        field: str | None = None,
        details: Mapping[str, Detail] | None = None,
    ) -> None:
        """Add a problem of the deck; where its field is a column of another name, that is told."""
        title = self.titles.get(field or "", field or "")
        if title.casefold() != (field or "").casefold():
            message = f'{message}; its column is "{shorten(title)}"'
        self.problems.append(
            Problem(code, message, where, hint, card=card, field=field, details=details or {})
        )


def title_of(path: Path) -> str:
    """Return the title that a file's name gives: "magic-items.csv" becomes "Magic items"."""
    words = path.stem.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:] or path.stem
