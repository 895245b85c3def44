"""Finished files put in their places: all files of a job together, or none of them.

They are written without a name where the system allows it, else in a folder of their own beside
their places, and take them when all are whole: nobody ever sees half of one, or new ones beside old
ones. A program that is killed may leave that folder behind; the next one that writes there takes it
away. Knows nothing of what the files hold.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from io import BufferedWriter, FileIO
from itertools import chain
from pathlib import Path
from shutil import copyfileobj
from typing import Any, BinaryIO

from cardgen.core.deck_files import holds
from cardgen.core.errors import CardgenError, Where, shorten
from cardgen.core.scratch import lock_folder, open_nest

_ANOTHER_PLACE = "remove it, or name another place with --out"
# Packed already: to do it again takes time and saves nothing.
_PACKED = (".pdf", ".png")
# The flag of open that makes a file without a name, which is gone however the program ends.
_NAMELESS: int | None = getattr(os, "O_TMPFILE", None)
_MOST_OPEN = 100  # files without a name, of one job
MOST_BYTES = 255  # of a file's name, with what stands behind it in the names beside it
_ROOM = 16
_LONGEST_SHOWN = 200  # letters of a path


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; where that fails, the old file stays as it was."""
    with open_whole(path) as file:
        file.write(data)


@contextmanager
def placing(files: Mapping[Path, bytes]) -> Iterator[None]:
    """Write those files that are not there, and take them back where what needs them fails."""
    written: list[Path] = []
    with ExitStack() as stack:
        for folder in dict.fromkeys(path.parent for path in files):
            stack.enter_context(leaving_no_folder(folder))
            folder.mkdir(parents=True, exist_ok=True)
        try:
            for path, data in files.items():
                if not path.exists():
                    write_file(path, data)
                    written.append(path)
            yield
        except BaseException:
            for path in written:
                path.unlink(missing_ok=True)
            raise


@contextmanager
def leaving_no_folder(path: Path) -> Iterator[None]:
    """Take back the folders made meanwhile for a path, itself one perhaps, where a job fails."""
    made = [folder for folder in (path, *path.parents) if not holds(Path.exists, folder)]
    try:
        yield
    except BaseException:
        for folder in made:
            with suppress(OSError):  # it holds something, or is a file
                folder.rmdir()
        raise


@contextmanager
def open_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write into; it takes its place when all is written.

    What is written so far can be read at the path that is its `name`.
    """
    with deliver_together() as job, job.open(path) as file:
        yield file


@contextmanager
def open_scratch(folder: Path) -> Iterator[BinaryIO]:
    """Open a file in a folder that is gone afterwards; its `name` is where to read it."""
    with ExitStack() as stack:
        try:
            opened = _open_nameless(folder)
            place = opened or open_nest(folder, stack) / "scratch"
            draft = _Draft(place, folder)
        except OSError as error:
            raise _make_error(folder, error) from error
        stack.enter_context(draft)
        writer = BufferedWriter(draft, 1 << 16)
        try:
            yield writer
        finally:
            with suppress(OSError, CardgenError):
                writer.detach()


class Delivery:
    """The files of one job, written so far beside their places."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._nests: dict[Path, Path] = {}
        self._nameless: dict[Path, _Draft] = {}
        self._written: dict[Path, Path] = {}
        self._gone: list[Path] = []
        self._searches: list[Callable[[], Iterable[Path]]] = []

    @contextmanager
    def open(self, path: Path) -> Iterator[BinaryIO]:
        """Open a file to write into; its `name` is where to read it meanwhile."""
        check_writable(path)
        try:
            few = len(self._nameless) < _MOST_OPEN
            opened = _open_nameless(path.parent) if few else None
            place = opened or self._get_place(path)
            draft = self._stack.enter_context(_Draft(place, path))
            with nullcontext() if opened else closing(draft):
                writer = BufferedWriter(draft, 1 << 16)
                try:
                    yield writer
                    writer.flush()
                    os.fsync(draft.fileno())
                finally:
                    writer.detach()
        except OSError as error:
            raise _make_error(path, error) from error
        if isinstance(place, Path):
            self._written[path] = place
        else:
            self._nameless[path] = draft

    def _get_place(self, path: Path) -> Path:
        """Return where a file is written that has a name already."""
        if path.parent not in self._nests:
            self._nests[path.parent] = open_nest(path.parent, self._stack)
        return self._nests[path.parent] / path.name

    def write(self, path: Path, data: bytes) -> None:
        """Write a file."""
        with self.open(path) as file:
            file.write(data)

    def remove(self, path: Path) -> None:
        """Take a file out when the others take their places."""
        self._gone.append(path)

    def remove_found(self, search: Callable[[], Iterable[Path]]) -> None:
        """Take out what a search finds when the others take their places, as what lies there may
        be that of another job until then.
        """
        self._searches.append(search)

    def put_in_place(self) -> None:
        """Let all files take their places; where one cannot, the others go back."""
        moved: list[Path] = []
        old: dict[Path, Path] = {}
        for path, draft in self._nameless.items():
            try:
                beside = self._written[path] = self._get_place(path)
                # With a folder given, Python follows the link to the file, and else it does not.
                os.link(draft.name, beside, src_dir_fd=draft.fileno(), follow_symlinks=True)
            except OSError as error:
                raise _make_error(path, error) from error
        with ExitStack() as stack:
            for folder in sorted(self._nests):
                lock_folder(folder, stack)
            gone = [*self._gone, *chain.from_iterable(search() for search in self._searches)]
            try:
                for path, beside in self._written.items():
                    old[path] = beside.with_name(f"{len(old)}.old")
                    with suppress(OSError):  # there was none, or the file system has no links
                        os.link(path, old[path], follow_symlinks=False)
                # From here on it goes as fast as it can, for whoever is killed now.
                for path, beside in self._written.items():
                    beside.replace(path)
                    moved.append(path)
                for path in gone:
                    if path not in self._written:
                        path.unlink(missing_ok=True)
            except OSError as error:
                for path in reversed(moved):
                    with suppress(OSError):
                        old[path].replace(path) if old[path].exists() else path.unlink()
                raise _make_error(path, error) from error


@contextmanager
def deliver_together() -> Iterator[Delivery]:
    """Take the files of a job, and put them in their places together when all are written."""
    with ExitStack() as stack:
        job = Delivery(stack)
        yield job
        job.put_in_place()


def _open_nameless(folder: Path) -> int | None:
    """Open a file without a name, where the system and the disk can."""
    if _NAMELESS is None:
        return None
    with suppress(OSError):
        return os.open(folder, _NAMELESS | os.O_RDWR | os.O_CLOEXEC, 0o666)
    return None


class _Draft(FileIO):
    """A file in the making, which says of the place that it is for why it cannot be written."""

    def __init__(self, opened: int | Path, path: Path) -> None:
        super().__init__(opened, "wb")
        is_named = isinstance(opened, Path)
        self.name = str(opened) if is_named else f"/proc/{os.getpid()}/fd/{opened}"
        self._path = path

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise _make_error(self._path, error) from error


def _make_error(path: Path, error: OSError) -> CardgenError:
    return CardgenError(
        "file/not-written",
        f"{path} cannot be written: {error.strerror or error}",
        hint="the file is as it was; is the disk full, or the file open elsewhere?",
        details={"path": str(path)},
    )


def write_folder(
    job: Delivery,
    folder: Path,
    files: Iterable[tuple[str, bytes]],
    list_stale: Callable[[], Iterable[str]],
) -> None:
    """Write files into a folder, and take out those of an earlier time that are stale."""
    for name, data in files:
        job.write(folder / name, data)

    def find_stale() -> Iterator[Path]:
        # Names with folders in them are not ours, nor are links and files of other kinds.
        places = (folder / name for name in list_stale() if Path(name).name == name)
        return filter(_is_picture, places)

    job.remove_found(find_stale)


def _is_picture(path: Path) -> bool:
    return path.suffix == ".png" and holds(Path.is_file, path) and not path.is_symlink()


def check_folder(folder: Path, *, make: bool = True) -> None:
    """Raise an error for a folder that cannot be written into, before any work is done."""
    if folder.exists() and not folder.is_dir():
        raise CardgenError(
            "file/not-a-folder",
            f"{folder} is a file",
            hint=_ANOTHER_PLACE,
            details={"path": str(folder)},
        )
    check_writable(folder / "page.png", make=make)


def check_writable(path: Path, *, make: bool = True) -> None:
    """Raise an error for a folder or file that cannot be written, before any work is done.

    make: whether the folder is made, where it is not there
    """
    check_makeable(path.parent, make=make)
    check_name(path)
    if holds(Path.is_dir, path):
        raise CardgenError(
            "file/not-a-file",
            f"{path} is a folder",
            hint=_ANOTHER_PLACE,
            details={"path": str(path)},
        )
    if path.exists() and not path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise CardgenError(
            "file/read-only",
            f"{path} is read-only",
            hint="make it writable, or name another place with --out",
            details={"path": str(path)},
        )


def check_makeable(folder: Path, where: Where | None = None, *, make: bool = False) -> None:
    """Raise an error for a folder that is not there and cannot be made; or make it."""
    try:
        if make:
            folder.mkdir(parents=True, exist_ok=True)
        else:
            _try_folder(folder)
    except OSError as error:
        shown = shorten(str(folder), _LONGEST_SHOWN)
        why = error.strerror or error
        if error.errno in (errno.EEXIST, errno.ENOTDIR):
            why = "a file stands in its way"
        raise CardgenError(
            "file/folder-not-made",
            f"the folder {shown} cannot be made: {why}",
            where,
            hint="name another with --out",
            details={"path": str(folder)},
        ) from error


def _try_folder(folder: Path) -> None:
    """Raise what the system would say if a folder were made."""
    there = folder
    while not there.exists():
        if len(os.fsencode(there.name)) > MOST_BYTES:
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
        there = there.parent
    if not there.is_dir():
        number = errno.EEXIST if there == folder else errno.ENOTDIR
        raise OSError(number, os.strerror(number))
    if there != folder and not os.access(there, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))


def check_name(path: Path) -> None:
    """Raise an error for a name that is too long for a file and for those beside it."""
    size = len(os.fsencode(path.name))
    if size + _ROOM > MOST_BYTES:
        raise CardgenError(
            "file/name-too-long",
            f'the name of the file "{shorten(path.name)}" is {size} bytes long;'
            f" allowed are {MOST_BYTES - _ROOM}",
            hint="give what it is named after a shorter name",
            details={"bytes": size, "allowed": MOST_BYTES - _ROOM},
        )


def write_zip(out: BinaryIO, files: Iterable[tuple[str, bytes | Path]]) -> None:
    """Write files as they come into one .zip; equal files make equal bytes.

    A file is given by its bytes, or by the path where it is read.
    """
    from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo  # which most builds do without

    with ZipFile(out, "w") as packed:
        for name, data in files:
            # Each has the first day that a .zip knows as its date.
            info = ZipInfo(name)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            info.compress_type = ZIP_STORED if name.endswith(_PACKED) else ZIP_DEFLATED
            if isinstance(data, bytes):
                packed.writestr(info, data)
                continue
            info.file_size = data.stat().st_size
            with data.open("rb") as source, packed.open(info, "w") as entry:
                copyfileobj(source, entry, 1 << 16)
