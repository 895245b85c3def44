"""The decks of a project as a command without names takes them: all files that are decks, and not
the tables that lie beside them.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cardgen.core.deck_files import TABLE_SUFFIXES, find_named_table
from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.library import Library
from cardgen.deck.tables import is_table_of_cards


class Decks(NamedTuple):
    """The names of decks, and a note for each table that is none."""

    names: list[str]
    strays: tuple[Problem, ...] = ()


def find_decks(library: Library) -> Decks:
    """Return all decks, those of cardgen too."""
    return _sort_out(library, library.list_names("deck"))


def find_own_decks(library: Library) -> Decks:
    """Return the project's own decks; where it has none, those of cardgen."""
    own = _sort_out(library, library.list_own("deck"))
    if own.names or own.strays:
        return own
    return find_decks(library)


def _sort_out(library: Library, names: list[str]) -> Decks:
    """Leave out tables that a deck names as its cards, and those that hold no cards."""
    paths: dict[str, Path] = {}
    for name in names:
        with suppress(CardgenError):  # which is said when the deck is opened
            paths[name] = library.get("deck", name)
    named = {find_named_table(path) for path in paths.values()}
    strays: list[Problem] = []
    kept: list[str] = []
    for name in names:
        path = paths.get(name)
        if path is None or path.suffix not in TABLE_SUFFIXES:
            kept.append(name)
        elif path.resolve() in named:
            continue
        elif is_table_of_cards(path):
            kept.append(name)
        else:
            strays.append(_note_stray(path))
    return Decks(kept, tuple(strays))


def _note_stray(path: Path) -> Problem:
    return Problem(
        "deck/stray-table",
        "no column of this table holds the names of cards",
        Where(str(path), 1),
        'if it is a deck, call that column "name"',
    )
