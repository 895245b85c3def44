"""A template of cardgen copied into a project, with those that it extends, to be changed there.

Writes nothing, but refuses what would write over files.
"""

from __future__ import annotations

from pathlib import Path

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Size
from cardgen.core.library import Library, show_from_here
from cardgen.template.parse import read_template


def plan_copy(library: Library, name: str, page: Size) -> dict[Path, bytes]:
    """Return the files of a copy, to be written; those that are the project's own already stay."""
    folder = library.project / "templates"
    chain = read_template(library.get("template", name), library, page).files
    own = {path.name for path in chain if path.resolve().parent == folder.resolve()}
    if chain[0].name in own:
        path = show_from_here(folder / chain[0].name)
        raise CardgenError(
            "project/there-already",
            f"{path} would be written over",
            hint="it is the project's own already; move it away to copy cardgen's",
        )
    return {
        show_from_here(folder / path.name): path.read_bytes()
        for path in chain
        if path.name not in own
    }
