"""Problems: what is wrong, where, and how to mend it; and the one error that a user may see.

Knows nothing of decks, templates or PDF.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from cardgen.core.shown import show_line

Detail = str | int | float | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a file, as editors and compilers write it: in one line, whatever the file's name.

    used: where what stands there is used, if it is written once and used in several places
    """

    file: str
    line: int | None = None
    column: int | None = None
    used: Where | None = None

    def __str__(self) -> str:
        numbers = (n for n in (self.line, self.column) if n is not None)
        return ":".join([show_line(self.file), *map(str, numbers)])

    def list_uses(self) -> list[str]:
        """Return the places where it is used, the nearest first."""
        return [str(self.used), *self.used.list_uses()] if self.used else []

    def trace(self) -> str:
        """Return the place with those where it is used."""
        return ", used at ".join([str(self), *self.list_uses()])


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: in words for people, with a code for programs.

    code: its kind, as "deck/unknown-field"; docs/messages.md explains each
    hint: the cure
    subject: the card or element at fault, as 'card "Sword"', where the place does not tell
    alike: whether it is the same on every card, and is reported once
    card, field: the names that stand in the message
    details: further names and figures in it
    """

    code: str
    message: str
    where: Where | None = None
    hint: str | None = None
    subject: str | None = None
    alike: bool = dataclasses.field(default=False, compare=False)
    card: str | None = dataclasses.field(default=None, compare=False)
    field: str | None = dataclasses.field(default=None, compare=False)
    details: Mapping[str, Detail] = dataclasses.field(default_factory=dict, compare=False)

    @property
    def sentence(self) -> str:
        """Return the message with its subject before it."""
        return f"{self.subject}: {self.message}" if self.subject else self.message

    def __str__(self) -> str:
        text = f"{self.where}: {self.sentence}" if self.where else self.sentence
        for used in self.where.list_uses() if self.where else ():
            text += f"\n  used at {used}"
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class Refusal(ValueError):
    """A value that cannot be accepted; the caller that knows its place makes a Problem of it."""

    def __init__(
        self,
        code: str,
        message: str,
        hint: str | None = None,
        details: Mapping[str, Detail] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.details: Mapping[str, Detail] = details or {}

    def __reduce__(self) -> tuple[object, ...]:
        return Refusal, (self.code, self.message, self.hint, self.details)

    def at(
        self,
        where: Where | None = None,
        *,
        message: str | None = None,
        hint: str | None = None,
        subject: str | None = None,
        alike: bool = False,
        card: str | None = None,
        field: str | None = None,
    ) -> Problem:
        """Return it as a problem at a place; a message or hint given here replaces its own."""
        return Problem(
            self.code,
            self.message if message is None else message,
            where,
            self.hint if hint is None else hint,
            subject,
            alike,
            card=card,
            field=field,
            details=self.details,
        )


class CardgenError(Exception):
    """One or more problems that the user can mend."""

    def __init__(
        self,
        code: str,
        message: str,
        where: Where | None = None,
        hint: str | None = None,
        *,
        details: Mapping[str, Detail] | None = None,
    ) -> None:
        self.problems: tuple[Problem, ...] = (
            Problem(code, message, where, hint, details=details or {}),
        )
        super().__init__(message)

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> Self:
        """Return an error that carries all problems that a reader found."""
        found = tuple(problems)
        error = cls(found[0].code, found[0].message, found[0].where, found[0].hint)
        error.problems = found
        return error

    def __reduce__(self) -> tuple[object, ...]:
        return CardgenError.of, (self.problems,)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


@contextmanager
def collecting(problems: list[Problem], where: Where | None = None) -> Iterator[None]:
    """Add what is wrong to the problems; what is refused is one at the place."""
    try:
        yield
    except Refusal as error:
        problems.append(error.at(where))
    except CardgenError as error:
        problems += error.problems


def count(number: int, noun: str) -> str:
    """Return a number with its noun: "1 card", "2,000 cards"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def list_some(words: Sequence[str], most: int, separator: str = ", ") -> str:
    """Return the first of some words as a list, with the number of those that are left out."""
    more = len(words) - most
    return separator.join(words[:most]) + (f" and {more:,} more" if more > 0 else "")


def shorten(text: str, limit: int = 40) -> str:
    """Return a text as one short line, to be quoted in a message."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
