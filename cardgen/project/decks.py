"""The decks of a project as a command without names takes them: all files that are decks, and not
the tables and texts that lie beside them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from cardgen.core.deck_files import (
    RECORD_SUFFIX,
    TABLE_SUFFIXES,
    find_named_table,
    list_files,
    refuse_garbled,
)
from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.library import Library
from cardgen.core.reading import read_bytes
from cardgen.deck.tables import is_table_of_cards

_MOST_RECORDED = 10_000_000  # bytes
_MOST_FILES = 1_000
_MOST_UNLIKE = 3


class Decks(NamedTuple):
    """The names of decks, and a note for each file that is none."""

    names: list[str]
    strays: tuple[Problem, ...] = ()


def find_decks(library: Library) -> Decks:
    """Return all decks, those of cardgen too."""
    return _sort_out(library, library.list_names("deck"))


def find_own_decks(library: Library) -> Decks:
    """Return the project's own decks; where it has none, those of cardgen, with a note for each
    file that may have been meant.
    """
    own = _sort_out(library, library.list_own("deck"))
    if own.names or own.strays:
        return own
    decks = find_decks(library)
    return decks._replace(strays=(*decks.strays, *_note_unlike(library.project)))


def _sort_out(library: Library, names: list[str]) -> Decks:
    """Leave out what other decks are made of, tables that hold no cards, and garbled names."""
    paths: dict[str, Path] = {}
    for name in names:
        with suppress(CardgenError):  # which is said when the deck is opened
            paths[name] = library.get("deck", name)
    used = {find_named_table(path) for path in paths.values()} | _find_imported(paths.values())
    strays: list[Problem] = []
    kept: list[str] = []
    for name in names:
        path = paths.get(name)
        if path is not None and path.resolve() in used:
            continue
        try:
            refuse_garbled(path or Path(name))
        except CardgenError as error:
            strays += error.problems
            continue
        if path is None or path.suffix not in TABLE_SUFFIXES or is_table_of_cards(path):
            kept.append(name)
        else:
            strays.append(_note_stray(path))
    return Decks(kept, tuple(strays))


def _find_imported(decks: Iterable[Path]) -> set[Path]:
    """Return the files that decks were imported from, as the records beside the decks name them."""
    found: set[Path] = set()
    for folder in {path.parent for path in decks}:
        for record in list_files(folder):
            if not record.name.endswith(RECORD_SUFFIX):
                continue
            with suppress(CardgenError, ValueError, LookupError, TypeError, RuntimeError):
                files = json.loads(read_bytes(record, most=_MOST_RECORDED))["files"][:_MOST_FILES]
                found.update(Path(base, file).resolve() for file in files for base in ("", folder))
    return found


def _note_stray(path: Path) -> Problem:
    return Problem(
        "deck/stray-table",
        "no column of this table holds the names of cards",
        Where(str(path), 1),
        'if it is a deck, call that column "name"',
    )


def _note_unlike(folder: Path) -> Iterator[Problem]:
    """Yield a note for each file beside which no deck was found, and which could be one."""
    others = (path for path in list_files(folder) if path.suffix in (".yaml", ".yml"))
    for path in islice((path for path in others if not path.name.startswith(".")), _MOST_UNLIKE):
        yield Problem(
            "deck/stray-file",
            'no line of it begins with "cards:"',
            Where(path.name, 1),
            'if it is a deck, write its cards below "cards:"; cardgen import reads other data',
        )
