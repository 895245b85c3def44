"""Finished files put in their place, alone, in a folder or in one .zip.

A file is written beside its place and then renamed, so that nobody ever sees half of it. Knows
nothing of what the files hold.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from cardgen.core.errors import CardgenError

_ANOTHER_PLACE = "remove it, or name another place with --out"
# Packed already: to do it again takes time and saves nothing.
_PACKED = (".pdf", ".png")


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; where that fails, the old file stays as it was."""
    with open_whole(path) as file:
        file.write(data)


@contextmanager
def open_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write into; it takes its place when all is written."""
    check_writable(path)
    beside: Path | None = None
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        beside = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        # mkstemp keeps others from reading; a finished file is as readable as any.
        umask = os.umask(0)
        os.umask(umask)
        beside.chmod(0o666 & ~umask)
        beside.replace(path)
    except OSError as error:
        raise CardgenError(
            "file/not-written",
            f"{path} cannot be written: {error.strerror or error}",
            hint="the file is as it was; is the disk full, or the file open elsewhere?",
            details={"path": str(path)},
        ) from error
    finally:
        if beside is not None:
            with suppress(OSError):
                beside.unlink(missing_ok=True)


def write_folder(folder: Path, files: Iterable[tuple[str, bytes]], stale: Iterable[str]) -> None:
    """Write files into a folder, and take out those of an earlier time that are stale."""
    names = set()
    for name, data in files:
        write_file(folder / name, data)
        names.add(name)
    for name in stale:
        # Names with folders in them are not ours.
        if name not in names and Path(name).name == name and (folder / name).is_file():
            (folder / name).unlink()


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


def write_zip(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files as they come into one .zip, whole or not at all; equal files make equal bytes."""
    with open_whole(path) as out, ZipFile(out, "w") as packed:
        for name, data in files:
            # Each has the first day that a .zip knows as its date.
            info = ZipInfo(name)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            info.compress_type = ZIP_STORED if name.endswith(_PACKED) else ZIP_DEFLATED
            packed.writestr(info, data)
