"""What a reader hands to check.py: a deck as its file writes it, with the places.

Nothing is judged yet. Knows neither YAML nor tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from cardgen.core.errors import Problem, Where
from cardgen.deck.model import DEFAULT_TEMPLATE, Value


class Mark(NamedTuple):
    """Where a key and its value stand, and how the file spells a value that is a scalar."""

    key: Where
    value: Where
    written: str | None


_NO_MARKS: Mapping[str, Mark] = MappingProxyType({})


class Raw(NamedTuple):
    """A mapping as a file gives it; without marks everything stands at `where`."""

    values: Mapping[str, Value]
    where: Where
    marks: Mapping[str, Mark] = _NO_MARKS
    # The keys that come from another deck or card, and were judged there.
    inherited: frozenset[str] = frozenset()

    def find_key(self, key: str) -> Where:
        return self.marks[key].key if key in self.marks else self.where

    def find_value(self, key: str) -> Where:
        return self.marks[key].value if key in self.marks else self.where

    def get_written(self, key: str) -> Value:
        """The value, but a number or a truth value as the text that the file spells it with."""
        value = self.values.get(key)
        if value is None:
            return None
        written = self.marks[key].written if key in self.marks else None
        return value if written is None else written

    def has_alone(self, key: str, word: str) -> bool:
        """Whether a key is written here without `word` beside it."""
        if key in self.inherited:
            return False
        return word not in self.values or word in self.inherited


class Mention(NamedTuple):
    """A card that a variant names by its id."""

    id: str
    where: Where


class Change(NamedTuple):
    """What a variant writes over a card of its base."""

    card: Mention
    raw: Raw


@dataclass(slots=True)
class RawVariant:
    """How a deck differs from the one that it extends; `base` is None where it names none."""

    base: str | None
    where: Where
    keep: list[Mention] | None = None
    drop: list[Mention] | None = None
    changes: list[Change] = field(default_factory=list)
    counts: list[Change] = field(default_factory=list)
    additions: list[Raw] = field(default_factory=list)
    order: list[Mention] = field(default_factory=list)


@dataclass(slots=True)
class RawDeck:
    path: Path
    head: Raw
    title: str
    template: str = DEFAULT_TEMPLATE
    back: str | None = None
    defaults: Raw | None = None
    cards: list[Raw] = field(default_factory=list)
    # A table's header names fields that no row may fill, and is itself a place for typing errors.
    columns: dict[str, Where] = field(default_factory=dict)
    variant: RawVariant | None = None
    # The fields of the deck that a variant extends, though none of its own cards may have them.
    inherited: tuple[str, ...] = ()
    is_table: bool = False
    is_workbook: bool = False
    is_sheet: bool = False
    # False where the reader knows that no card holds a control character.
    has_controls: bool = True
    problems: list[Problem] = field(default_factory=list)

    @property
    def file(self) -> str:
        return str(self.path)

    def add(
        self,
        message: str,
        where: Where,
        hint: str | None = None,
        *,
        card: str | None = None,
        field: str | None = None,
    ) -> None:
        self.problems.append(Problem("deck/todo", message, where, hint, card=card, field=field))


def title_of(path: Path) -> str:
    """A title from a file name: "magic-items.csv" becomes "Magic items"."""
    words = path.stem.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:] or path.stem
