"""The decks of a project as covers: what is told of each, and the first card of it.

Done in a process, as everything that reads a deck.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from cardgen.core.errors import CardgenError
from cardgen.core.library import Library
from cardgen.project.decks import find_decks
from cardgen.project.project import Projects, open_deck
from cardgen.studio.easel import Easel, Spot, View
from cardgen.studio.packing import Data, name_file, pack_problem


def list_decks(_: object) -> list[Data]:
    """Return what is told of each deck of the folder in hand."""
    library = Library(Path.cwd())
    own = set(library.list_own("deck"))
    projects = Projects()
    found: list[Data] = []
    for name in find_decks(library).names:
        told: Data = {"name": name, "title": name, "own": name in own, "designs": 0, "copies": 0}
        told |= {"file": None, "problems": [], "cover": f"cover/{quote(name, safe='')}"}
        try:
            told["file"] = name_file(library.get_deck(name))
            _, deck = open_deck(name, lenient=True, projects=projects, draft=True)
            told |= {"title": deck.title, "designs": len(deck.cards), "copies": deck.copies}
            problems = deck.problems
        except CardgenError as error:
            problems = error.problems
        told["problems"] = [pack_problem(problem) for problem in problems]
        found.append(told)
    return sorted(found, key=lambda deck: (not deck["own"], str(deck["name"])))


def draw_cover(name: str, dpi: int, _: object) -> bytes | None:
    """Return a picture of a deck's first card."""
    easel = Easel(name, View())
    if not easel.keys:
        return None
    ((_version, picture),) = easel.draw([Spot(easel.keys[0], "front")], dpi)
    return picture
