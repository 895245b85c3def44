"""A finished file put in its place: written beside it, then renamed, so that no half of it is
ever seen.
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


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; what stood there stays as it was when that fails."""
    with writing(path) as file:
        file.write(data)


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """A file to write into, which takes its place when all is written."""
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
            "output/todo",
            f"{path} cannot be written: {error.strerror or error}",
            hint="the file is as it was; is the disk full, or the file open elsewhere?",
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
        # A name is that of a file in this folder, whoever wrote it down.
        if name not in names and Path(name).name == name and (folder / name).is_file():
            (folder / name).unlink()


def check_folder(folder: Path) -> None:
    """Complain of a folder that cannot be written into before any work is done."""
    if folder.exists() and not folder.is_dir():
        raise CardgenError(
            "output/todo", f"{folder} is a file", hint="remove it, or name another place with --out"
        )
    check_writable(folder / "page.png")


def check_writable(path: Path) -> None:
    """Complain of a folder or file that cannot be written before any work is done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CardgenError(
            "output/todo",
            f"the folder {path.parent} cannot be made: {error.strerror or error}",
            hint="name another with --out",
        ) from error
    if path.is_dir():
        raise CardgenError(
            "output/todo", f"{path} is a folder", hint="remove it, or name another place with --out"
        )
    if path.exists() and not path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise CardgenError(
            "output/todo",
            f"{path} is read-only",
            hint="make it writable, or name another place with --out",
        )


# Packed already: to do it again takes time and saves nothing.
_PACKED = (".pdf", ".png")


def write_zip(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files as they come into one, whole or not at all."""
    with writing(path) as out, ZipFile(out, "w") as packed:
        for name, data in files:
            # Without a date of its own each has that of the first day that a .zip knows.
            info = ZipInfo(name)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            info.compress_type = ZIP_STORED if name.endswith(_PACKED) else ZIP_DEFLATED
            packed.writestr(info, data)


# MERGED: Files packed into one .zip: the same bytes for the same files, whenever and by whomever.
#
#   Knows nothing of what the files hold.
#
