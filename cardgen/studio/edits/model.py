"""What somebody may change in a deck, and what comes of it: files before and after.

Plain data. Knows nothing of how a file is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from pathlib import Path
from typing import Literal, NamedTuple

from cardgen.core.errors import Where
from cardgen.deck.model import Value


class Unknown(Enum):
    """Stands for what nobody has said, which is not nothing."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN


@dataclass(frozen=True, slots=True)
class SetField:
    """A field of a card gets a value; None takes it out.

    was: the value that it was seen with
    """

    card: str
    field: str
    value: Value
    was: Value | Unknown = UNKNOWN


@dataclass(frozen=True, slots=True)
class AddCard:
    """A card comes in behind another one, or at the end."""

    values: Mapping[str, Value]
    after: str | None = None


@dataclass(frozen=True, slots=True)
class CopyCard:
    """A card is written once more, behind itself and with a name of its own."""

    card: str


@dataclass(frozen=True, slots=True)
class RemoveCard:
    """A card is taken out."""

    card: str


@dataclass(frozen=True, slots=True)
class MoveCard:
    """A card comes behind another one, or to the front."""

    card: str
    after: str | None


@dataclass(frozen=True, slots=True)
class SetKey:
    """A key of the deck gets a value; None takes it out."""

    key: str
    value: Value
    was: Value | Unknown = UNKNOWN


Edit = SetField | AddCard | CopyCard | RemoveCard | MoveCard | SetKey


def make_hash(data: bytes | None) -> str:
    """Return what tells one state of a file from others."""
    return "" if data is None else blake2b(data, digest_size=16).hexdigest()


class FileChange(NamedTuple):
    """A file before and after; None where there is none."""

    path: Path
    before: bytes | None
    after: bytes | None

    def turn(self) -> FileChange:
        """Return what takes it back."""
        return FileChange(self.path, self.after, self.before)


class Step(NamedTuple):
    """What a change does; pages say it in words of their own.

    n, cards: how many values of how many cards are given
    """

    kind: Literal["set", "add", "copy", "remove", "move", "deck", "fields", "values", "changes"]
    card: str = ""
    field: str = ""
    n: int = 1
    cards: int = 1


@dataclass(frozen=True, slots=True)
class Change:
    """What files are to hold, and what that does."""

    files: tuple[FileChange, ...]
    step: Step

    @property
    def is_empty(self) -> bool:
        return not self.files

    def turn(self) -> Change:
        """Return the change that takes this one back."""
        return Change(tuple(file.turn() for file in reversed(self.files)), self.step)


@dataclass(frozen=True, slots=True)
class Conflict:
    """A value that somebody else has changed meanwhile, each in his own way; or lines of a file.

    card, field: None for lines
    """

    card: str | None
    field: str | None
    base: Value
    theirs: Value
    ours: Value
    place: Where | None = None


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Why nothing is written."""

    found: tuple[Conflict, ...]
