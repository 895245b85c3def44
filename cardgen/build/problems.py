"""Problems of many cards, each said once: in order, and what many cards share with how many.

Knows nothing of how they were found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from cardgen.core.errors import Problem, Where, count


class Problems(dict[tuple[object, ...], Problem]):
    """Problems of cards; one that is alike on every card is kept of the first alone."""

    def add(self, found: Iterable[Problem]) -> None:
        for problem in found:
            said = (problem.hint,) if problem.alike else (problem.subject, problem.where)
            self.setdefault((problem.message, *said), problem)


def gather(problems: Iterable[Problem], file: str) -> tuple[Problem, ...]:
    """Return problems, each once, by their places, those in the deck's own file first; one that
    many cards have is said of the first.
    """
    distinct = Problems()
    distinct.add(problems)
    ordered = sorted(distinct.values(), key=lambda problem: _rank(problem, file))
    return tuple(join_alike(ordered))


def _rank(problem: Problem, file: str) -> tuple[bool, str, int, int]:
    where = problem.where or Where(file)
    return where.file != file, where.file, where.line or 0, where.column or 0


# Names that many cards may have, of which each is said once.
_NAMED = ("name/unknown",)
_KINDS = ("icon",)


def join_alike(problems: Iterable[Problem]) -> list[Problem]:
    """Say once what is the same on many cards, and on how many."""
    groups: dict[tuple[str, str], list[Problem]] = defaultdict(list)
    for problem in problems:
        key = (problem.code, str(problem.details.get("kind")) + str(problem.details.get("name")))
        named = problem.code in _NAMED and problem.details.get("kind") in _KINDS
        own = named and problem.card is not None
        groups[key if own else ("", str(id(problem)))].append(problem)
    joined: list[Problem] = []
    for first, *others in groups.values():
        cards = dict.fromkeys(problem.card for problem in (first, *others))
        if len(cards) < 2:
            joined += (first, *others)
            continue
        details = {**first.details, "cards": len(cards)}
        subject = f"{first.subject} and {count(len(cards) - 1, 'more card')}"
        joined.append(replace(first, subject=subject, details=details))
    return joined
