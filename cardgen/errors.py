"""What went wrong, where, and how to mend it: the one error a user may see.

Knows nothing of decks, templates or PDF. Only cli.py catches CardgenError.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a file, as editors and compilers write it."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        numbers = (n for n in (self.line, self.column) if n is not None)
        return ":".join([self.file, *map(str, numbers)])


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong; `card` and `field` are what the message names, for programs."""

    message: str
    where: Where | None = None
    hint: str | None = None
    alike: bool = dataclasses.field(default=False, compare=False)  # on every card: said once
    card: str | None = dataclasses.field(default=None, compare=False)
    field: str | None = dataclasses.field(default=None, compare=False)

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class CardgenError(Exception):
    """One or more problems that the user can mend."""

    def __init__(self, message: str, where: Where | None = None, hint: str | None = None) -> None:
        self.problems: tuple[Problem, ...] = (Problem(message, where, hint),)
        super().__init__(message)

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> CardgenError:
        """An error that carries everything a reader found wrong."""
        found = tuple(problems)
        error = cls(found[0].message, found[0].where, found[0].hint)
        error.problems = found
        return error

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


def suggest(name: str, known: Iterable[str], *, kind: str = "known") -> str:
    """A hint for a mistyped name: the nearest known one, or the whole list when none is near."""
    names = sorted(set(known))
    near = get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f'did you mean "{near[0]}"?'
    if not names:
        return f"there are no {kind} names"
    return f"{kind} names: {', '.join(names)}"


def shorten(text: str, limit: int = 40) -> str:
    """A text as an error may quote it: one line, not a page."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
