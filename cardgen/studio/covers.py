"""The decks of a project as covers: what is told of each, and the first card of it.

Done in a process, as everything that reads a deck.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from cardgen.core.errors import CardgenError
from cardgen.core.library import SETTINGS_FILE, Library
from cardgen.project.decks import find_decks
from cardgen.project.project import Projects, open_deck
from cardgen.studio.easel import Easel, Spot, View
from cardgen.studio.packing import Data, name_file, pack_problem

_Stamp = dict[str, tuple[int, int] | None]
# Of each deck's file, what was told of it, and the files that it is made of as they were.
_known: dict[Path, tuple[_Stamp, Data]] = {}


def list_decks(_: object) -> list[Data]:
    """Return what is told of each deck of the folder in hand; one that is as it was the last time
    is not read again.
    """
    library = Library(Path.cwd())
    own = set(library.list_own("deck"))
    projects = Projects()
    found: list[Data] = []
    for name in find_decks(library).names:
        told: Data = {"name": name, "title": name, "own": name in own, "designs": 0, "copies": 0}
        told |= {"file": None, "problems": [], "cover": None}
        try:
            path = library.get_deck(name)
            told["file"] = name_file(path)
            if path not in _known or _known[path][0] != _stamp(_known[path][0]):
                _known.pop(path, None)
                begun = time.time_ns()
                _, deck = open_deck(name, lenient=True, projects=projects, draft=True)
                said = {"title": deck.title, "designs": len(deck.cards), "copies": deck.copies}
                stamp = _stamp({*deck.list_files(), SETTINGS_FILE})
                is_whole = all(state is None or state[0] < begun for state in stamp.values())
                if is_whole and not deck.problems:
                    _known[path] = stamp, said
                told |= {**said, "problems": [pack_problem(one) for one in deck.problems]}
            else:
                told |= _known[path][1]
            if told["designs"]:
                told["cover"] = f"cover/{quote(name, safe='')}"
        except CardgenError as error:
            told["problems"] = [pack_problem(problem) for problem in error.problems]
        found.append(told)
    return sorted(found, key=lambda deck: (not deck["own"], str(deck["name"])))


def _stamp(files: Iterable[str]) -> _Stamp:
    """Return what tells one state of some files from others."""
    found: _Stamp = {}
    for file in files:
        with suppress(OSError):
            status = Path(file).stat()
            found[file] = status.st_mtime_ns, status.st_size
            continue
        found[file] = None
    return found


def draw_cover(name: str, dpi: int, _: object) -> bytes | None:
    """Return a picture of a deck's first card."""
    easel = Easel(name, View())
    if not easel.keys:
        return None
    ((_version, picture),) = easel.draw([Spot(easel.keys[0], "front")], dpi)
    return picture
