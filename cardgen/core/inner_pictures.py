"""Pictures that lie in a workbook, named by its file and by their part of it:
`cards.xlsx#xl/media/image1.png`.

Each is taken out into the scratch folder, for pictures are read from files. Knows nothing of cells.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import IO, BinaryIO, cast

from cardgen.core.errors import CardgenError, Where
from cardgen.core.scratch import keep_in_scratch

_WORKBOOKS = (".xlsx", ".ods")
_MOST = 100_000_000
_LONGEST_NAME = 80
_taken: dict[tuple[Path, int, int, str], Path] = {}


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
    from cardgen.core.archive import FAULTS

    try:
        return part in _open(path).parts
    except FAULTS:
        return False


def _open(path: Path) -> _Workbook:
    """Return a workbook whose list of parts was read once while the file stays as it is."""
    found = path.stat()
    return _read(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4)
def _read(path: Path, *_file: int) -> _Workbook:
    return _Workbook(path)


class _Workbook:
    """An archive that knows its parts, and opens its file only while one of them is read."""

    def __init__(self, path: Path) -> None:
        from zipfile import ZipFile  # which most decks do without

        self._path = path
        self._file: BinaryIO | None = None
        self._lock = Lock()
        with path.open("rb") as self._file:
            self._archive = ZipFile(cast(IO[bytes], self))
        self.parts = frozenset(self._archive.namelist())

    def read_part(self, part: str) -> bytes:
        from cardgen.core.archive import stream_beginning

        with self._lock, self._path.open("rb") as self._file:
            return b"".join(stream_beginning(self._archive, part, self._path.name, _MOST))

    # What an archive asks of the file that it lies in.

    def read(self, size: int = -1) -> bytes:
        return self._get_file().read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._get_file().seek(offset, whence)

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._get_file().tell()

    def _get_file(self) -> BinaryIO:
        assert self._file is not None
        return self._file


def read_inner(path: Path, part: str, where: Where | None = None) -> bytes:
    """Return a part of a workbook."""
    from cardgen.core.archive import FAULTS

    try:
        return _open(path).read_part(part)
    except FAULTS as error:
        raise CardgenError(
            "picture/unreadable",
            f'picture "{part}" of {path.name} cannot be read',
            where,
            "save the workbook again",
        ) from error


def take_out(path: Path, part: str, where: Where | None = None) -> Path:
    """Return a file that holds a picture of a workbook, taken out once while the workbook stays."""
    found = path.stat()
    key = (path, found.st_mtime_ns, found.st_size, part)
    if key not in _taken or not _taken[key].exists():
        name = PurePosixPath(part).name[-_LONGEST_NAME:].lstrip(".") or "picture"
        _taken[key] = keep_in_scratch(read_inner(path, part, where), name)
    return _taken[key]
