"""Pictures of a workbook become files of the project, beside the deck that is made of it.

A deck that named them in the workbook would show others once its rows are sorted anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from cardgen.core.deck_files import refuse_outside
from cardgen.core.errors import Where
from cardgen.core.inner_pictures import read_inner, split_inner
from cardgen.core.library import Library, show_from_here
from cardgen.deck.model import Value, slug
from cardgen.importing.importer import Imported
from cardgen.importing.model import Candidate
from cardgen.importing.write import make_cards

_REMOVE = "remove the link: pictures are written beside the deck"


class Taken(NamedTuple):
    """The cards with the names of their pictures, and the files that these are to be, all in one
    folder.
    """

    imported: Imported
    folder: Path
    files: Mapping[Path, bytes]


def take_pictures(imported: Imported, out: Path) -> Taken:
    """Return cards that name files in the folder `pictures` of the project of a deck.

    A file that is there and shows something else, as one that somebody retouched, stays.
    """
    folder = Library.around(out).project / "pictures"
    files: dict[Path, bytes] = {}

    def name(card: Candidate, value: Value) -> Value:
        file, part = split_inner(value) if isinstance(value, str) else ("", "")
        if not part:
            return value
        data = read_inner(Path(file), part)
        bare = f"{out.stem}/{slug(card.name)}"
        shown, number = f"{bare}{PurePosixPath(part).suffix.lower()}", 2
        while not _is_free(folder / shown, data, files):
            shown, number = f"{bare}-{number}{PurePosixPath(part).suffix.lower()}", number + 1
        files[folder / shown] = data
        return shown

    cards = tuple(
        replace(card, other=tuple((key, name(card, value)) for key, value in card.other))
        for card in imported.cards
    )
    if not files:
        return Taken(imported, folder, {})
    where = Where(str(show_from_here(folder / out.stem)))
    refuse_outside("the folder for pictures", folder / out.stem, folder.parent, where, _REMOVE)
    named = replace(imported, cards=cards, values=tuple(make_cards(cards)))
    return Taken(named, folder / out.stem, files)


def _is_free(path: Path, data: bytes, files: Mapping[Path, bytes]) -> bool:
    """Whether a file is not there yet, or holds just this."""
    if path in files:
        return files[path] == data
    try:
        return path.read_bytes() == data
    except FileNotFoundError:
        return True
    except OSError:
        return False
