"""What is wrong, printed to the standard error: so many problems, and how many more there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from cardgen.cli.printing import say, say_lines

if TYPE_CHECKING:
    from cardgen.core.errors import CardgenError, Problem

MOST_PROBLEMS = 20
_MOST_FILES = 10
_FIRST_OF_FILE = 4


def print_problems(error: CardgenError) -> None:
    """Print the problems of an error: some of each file, for one slip in a template may be behind a
    hundred cards.
    """
    from cardgen.build.problems import join_many
    from cardgen.core.errors import count

    shown, rest = _choose(join_many(error.problems))
    for problem in shown:
        say_lines(str(problem), err=True)
    if rest:
        files = list(dict.fromkeys(problem.where.file for problem in rest if problem.where))
        more = len(files) - _MOST_FILES
        others = f" and {count(more, 'more file')}" if more > 0 else ""
        named = f", in {', '.join(files[:_MOST_FILES])}{others}" if files else ""
        say(f"and {count(len(rest), 'more problem')}{named}", err=True)


def _choose(problems: Sequence[Problem]) -> tuple[list[Problem], list[Problem]]:
    """Return those that are printed, and the others, in their order."""
    seen: Counter[str] = Counter()
    first: list[int] = []
    for place, problem in enumerate(problems):
        file = problem.where.file if problem.where else ""
        seen[file] += 1
        if seen[file] <= _FIRST_OF_FILE:
            first.append(place)
    chosen = set(islice(dict.fromkeys((*first, *range(len(problems)))), MOST_PROBLEMS))
    shown = [problem for place, problem in enumerate(problems) if place in chosen]
    rest = [problem for place, problem in enumerate(problems) if place not in chosen]
    return shown, rest
