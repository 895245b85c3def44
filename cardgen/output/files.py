"""Finished files put in their place, alone, in a folder or in one .zip.

A file is written without a name where the system allows it, else beside its place, and takes its
place when it is whole: nobody ever sees half of it. Knows nothing of what the files hold.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter, FileIO
from pathlib import Path
from shutil import copyfileobj
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from cardgen.core.errors import CardgenError

_ANOTHER_PLACE = "remove it, or name another place with --out"
# Packed already: to do it again takes time and saves nothing.
_PACKED = (".pdf", ".png")
# The flag of open that makes a file without a name, which is gone however the program ends.
_NAMELESS: int | None = getattr(os, "O_TMPFILE", None)


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; where that fails, the old file stays as it was."""
    with open_whole(path) as file:
        file.write(data)


@contextmanager
def open_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write into; it takes its place when all is written.

    What is written so far can be read at the path that is its `name`.
    """
    check_writable(path)
    with _open_draft(path) as draft:
        yield draft
        draft.flush()
        try:
            os.fsync(draft.fileno())
            _put_in_place(draft, path)
        except OSError as error:
            raise _make_error(path, error) from error


@contextmanager
def open_scratch(folder: Path) -> Iterator[BinaryIO]:
    """Open a file in a folder that is gone afterwards; its `name` is where to read it."""
    with _open_draft(folder / "scratch") as draft:
        yield draft


class _Draft(FileIO):
    """A file in the making, which says of the place that it is for why it cannot be written."""

    def __init__(self, descriptor: int, name: str, path: Path) -> None:
        super().__init__(descriptor, "wb")
        self.name = name
        self._path = path

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise _make_error(self._path, error) from error


@contextmanager
def _open_draft(path: Path) -> Iterator[BufferedWriter]:
    """Open a new file near a path, which is removed where it did not take its place."""
    try:
        descriptor, name = _make_draft(path)
    except OSError as error:
        raise _make_error(path, error) from error
    raw = _Draft(descriptor, name, path)
    try:
        yield BufferedWriter(raw, 1 << 16)
    finally:
        raw.close()
        if not _is_nameless(name):
            with suppress(OSError):
                os.unlink(name)  # noqa: PTH108


def _make_draft(path: Path) -> tuple[int, str]:
    if _NAMELESS is not None:
        with suppress(OSError):  # not every file system can
            descriptor = os.open(path.parent, _NAMELESS | os.O_RDWR | os.O_CLOEXEC, 0o666)
            return descriptor, f"/proc/{os.getpid()}/fd/{descriptor}"
    return tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)


def _is_nameless(name: str) -> bool:
    return name.startswith("/proc/")


def _put_in_place(draft: BufferedWriter, path: Path) -> None:
    """Let a draft take its place; only for that moment has it a name of its own."""
    if not _is_nameless(draft.name):
        # mkstemp keeps others from reading; a finished file is as readable as any.
        umask = os.umask(0)
        os.umask(umask)
        beside = Path(draft.name)
        beside.chmod(0o666 & ~umask)
        beside.replace(path)
        return
    beside = path.with_name(f".{path.name}-{os.urandom(4).hex()}")
    try:
        # With a folder given, Python follows the link to the file, and else it does not.
        os.link(draft.name, beside, src_dir_fd=draft.fileno(), follow_symlinks=True)
        beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _make_error(path: Path, error: OSError) -> CardgenError:
    return CardgenError(
        "file/not-written",
        f"{path} cannot be written: {error.strerror or error}",
        hint="the file is as it was; is the disk full, or the file open elsewhere?",
        details={"path": str(path)},
    )


def write_folder(folder: Path, files: Iterable[tuple[str, bytes]], stale: Iterable[str]) -> None:
    """Write files into a folder, and take out those of an earlier time that are stale."""
    names = set()
    for name, data in files:
        write_file(folder / name, data)
        names.add(name)
    for name in stale:
        path = folder / name
        # Names with folders in them are not ours, nor are links and files of other kinds.
        if name not in names and Path(name).name == name and _is_picture(path):
            path.unlink()


def _is_picture(path: Path) -> bool:
    return path.suffix == ".png" and path.is_file() and not path.is_symlink()


def check_folder(folder: Path) -> None:
    """Raise an error for a folder that cannot be written into, before any work is done."""
    if folder.exists() and not folder.is_dir():
        raise CardgenError(
            "file/not-a-folder",
            f"{folder} is a file",
            hint=_ANOTHER_PLACE,
            details={"path": str(folder)},
        )
    check_writable(folder / "page.png")


def check_writable(path: Path) -> None:
    """Raise an error for a folder or file that cannot be written, before any work is done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CardgenError(
            "file/folder-not-made",
            f"the folder {path.parent} cannot be made: {error.strerror or error}",
            hint="name another with --out",
            details={"path": str(path.parent)},
        ) from error
    if path.is_dir():
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


def write_zip(path: Path, files: Iterable[tuple[str, bytes | Path]]) -> None:
    """Write files as they come into one .zip, whole or not at all; equal files make equal bytes.

    A file is given by its bytes, or by the path where it is read.
    """
    with open_whole(path) as out, ZipFile(out, "w") as packed:
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
