"""Pictures that lie in a workbook, named by its file and by their part of it:
`cards.xlsx#xl/media/image1.png`.

Each is taken out into the scratch folder, for pictures are read from files. Knows nothing of cells.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path, PurePosixPath

from cardgen.core.errors import CardgenError, Where
from cardgen.core.scratch import keep_in_scratch

_WORKBOOKS = (".xlsx", ".ods")
_MOST = 100_000_000
_LONGEST_NAME = 80
_taken: dict[tuple[Path, int, str], Path] = {}


def name_inner(file: str, part: str) -> str:
    """Return the name of a picture that is a part of a workbook."""
    return f"{file}#{part}"


def split_inner(name: str) -> tuple[str, str]:
    """Return the file of a picture and its part of it; of a picture that is a file no part."""
    file, _, part = name.partition("#")
    if part and file.lower().endswith(_WORKBOOKS):
        return file, part
    return name, ""


def has_part(path: Path, part: str) -> bool:
    """Whether a workbook has a part; each card may ask for one."""
    return part in _list_parts(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _list_parts(path: Path, _changed: int) -> frozenset[str]:
    from zipfile import ZipFile  # which most decks do without

    from cardgen.core.archive import FAULTS

    try:
        with ZipFile(path) as archive:
            return frozenset(archive.namelist())
    except FAULTS:
        return frozenset()


def read_inner(path: Path, part: str, where: Where | None = None) -> bytes:
    """Return a part of a workbook."""
    from zipfile import ZipFile

    from cardgen.core.archive import FAULTS, stream_beginning

    try:
        with ZipFile(path) as archive:
            return b"".join(stream_beginning(archive, part, path.name, _MOST))
    except FAULTS as error:
        raise CardgenError(
            "picture/unreadable",
            f'picture "{part}" of {path.name} cannot be read',
            where,
            "save the workbook again",
        ) from error


def take_out(path: Path, part: str, where: Where | None = None) -> Path:
    """Return a file that holds a picture of a workbook, taken out once while the workbook stays."""
    key = (path, path.stat().st_mtime_ns, part)
    if key not in _taken or not _taken[key].exists():
        name = PurePosixPath(part).name[-_LONGEST_NAME:].lstrip(".") or "picture"
        _taken[key] = keep_in_scratch(read_inner(path, part, where), name)
    return _taken[key]
