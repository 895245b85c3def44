"""Problems: what is wrong, where, and how to mend it; and the one error that a user may see.

Knows nothing of decks, templates or PDF.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from typing import Self

from cardgen.core.shown import show_line

MOST_LISTED = 20
MOST_ALIKE = 2
Detail = str | int | float | tuple[str, ...] | None
# So many pairs of names are compared for the hints of one command. Where thousands of names are
# wrong, the first of them tell enough.
_MOST_TRIED = 20_000
_tried = [0]
# The hints given so far, so that the same is said of a name for which no tries are left.
_said: dict[tuple[str, str], str] = {}
_rounds = [0]
_NEAR = 0.61  # the least likeness; with a little less "title" would be near "items"


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


def suggest(name: str, known: Iterable[str], *, kind: str = "known") -> str:
    """Return a hint for an unknown name: the nearest known one, or the list where none is near."""
    if _tried[0] >= _MOST_TRIED:
        return _said.get((kind, name), f"see how the other {kind} names are written")
    names = sorted(set(known))
    near = find_near(name, names)
    if near:
        quoted = " or ".join(f'"{one}"' for one in near)
        hint = f"did you mean {quoted}?"
    elif not names:
        hint = f"there are no {kind} names"
    else:
        hint = f"{kind} names: {list_some(names, MOST_LISTED)}"
    _said[kind, name] = hint
    return hint


def find_near(name: str, names: Iterable[str]) -> list[str]:
    """Return the known names that the user may have meant: several only if they are equally near.

    Capitals do not count. Of a path only the file's name counts, without its suffix. To ask the
    same a thousand times is one try.
    """
    return list(_find_once(name, tuple(names)))


@lru_cache(maxsize=100)
def _find_once(name: str, names: tuple[str, ...]) -> Sequence[str]:
    from difflib import SequenceMatcher  # which nobody needs who errs in nothing

    plain = {known: known.casefold() for known in names}
    wanted = name.casefold()
    stem = PurePath(wanted).stem
    for text in dict.fromkeys((wanted, stem)):
        same = [known for known, folded in plain.items() if folded == text]
        if same:
            return same[:1]
    best, nearest = _NEAR, list[str]()
    for known, folded in plain.items():
        if _tried[0] >= _MOST_TRIED:
            return []
        _tried[0] += 1 + len(folded) * len(wanted) // 1000
        # No two names are more alike than their lengths let them be.
        if 2 * min(len(folded), len(wanted)) < best * (len(folded) + len(wanted)):
            continue
        pair = SequenceMatcher(None, wanted, folded)
        if pair.quick_ratio() < best or (ratio := pair.ratio()) < best:
            continue
        nearest = [*nearest, known] if ratio == best else [known]
        best = ratio
    return nearest[:1] if len(nearest) > MOST_ALIKE else nearest


def spend_tries(count: int) -> bool:
    """Count so many tries, and return whether there are any left."""
    _tried[0] += count
    return _tried[0] < _MOST_TRIED


def forget_tries() -> None:
    """Let the next command compare names anew."""
    _tried[0] = 0
    _said.clear()
    _find_once.cache_clear()
    _rounds[0] += 1


def get_round() -> int:
    """Return the number of the command; what an older one has looked up may have changed."""
    return _rounds[0]


def describe_unknown(name: str, known: Iterable[str]) -> dict[str, Detail]:
    """Return the details of a problem with a name that is not known."""
    if _tried[0] >= _MOST_TRIED:
        return {"name": name, "near": ()}
    return {"name": name, "near": tuple(find_near(name, sorted(set(known))))}


def make_unknown(
    kind: str, name: str, known: Iterable[str], where: Where | None = None
) -> CardgenError:
    """Return the error for a name that nothing of a kind has; it tells the nearest."""
    names = list(known)
    return CardgenError(
        "name/unknown",
        f'unknown {kind} "{name}"',
        where,
        suggest(name, names, kind=kind),
        details={"kind": kind, **describe_unknown(name, names)},
    )


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
