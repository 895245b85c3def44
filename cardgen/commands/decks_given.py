"""The decks that a command was given, one after the other.

Turns names into runs and collects what went wrong. Knows nothing of what is done with a deck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path


def for_each(names: Sequence[str], run: Callable[[str], None]) -> None:
    """Run for every deck, and raise the problems of all at the end."""
    from cardgen.errors import CardgenError, Problem

    problems: list[Problem] = []
    for name in names:
        try:
            run(name)
        except CardgenError as error:
            problems += (problem for problem in error.problems if problem not in problems)
    if problems:
        raise CardgenError.of(problems)


def list_decks() -> list[str]:
    from cardgen.library import Library

    return Library(Path.cwd()).list_names("deck")


def list_own_decks() -> list[str]:
    """The project's own decks; where it has none, cardgen's."""
    from cardgen.library import Library

    return Library(Path.cwd()).list_own("deck") or list_decks()
