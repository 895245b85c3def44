"""What is wrong, printed to the standard error: so many problems, and how many more there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.cli.printing import say

if TYPE_CHECKING:
    from cardgen.core.errors import CardgenError

MOST_PROBLEMS = 20
_MOST_FILES = 10


def print_problems(error: CardgenError) -> None:
    """Print the problems of an error."""
    from cardgen.core.errors import count

    for problem in error.problems[:MOST_PROBLEMS]:
        say(str(problem), err=True)
    rest = error.problems[MOST_PROBLEMS:]
    if rest:
        files = list(dict.fromkeys(problem.where.file for problem in rest if problem.where))
        more = len(files) - _MOST_FILES
        others = f" and {count(more, 'more file')}" if more > 0 else ""
        named = f", in {', '.join(files[:_MOST_FILES])}{others}" if files else ""
        say(f"and {count(len(rest), 'more problem')}{named}", err=True)
