"""Tells which files of a project change, within milliseconds after they are written.

Folders that no deck reads from are not watched: those with a dot before their name, what is built,
and those of other programs. Knows nothing of what the files hold.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from watchfiles import Change, awatch

_LEFT_OUT = ("output", "node_modules", "__pycache__", "build", "dist", "venv", "site-packages")
_STEP = 8  # milliseconds that nothing may change for what changed to be told
_MOST = 60  # milliseconds after which it is told in any case
_MOST_FOLDERS = 2_000
# What editors write beside the file that is meant.
_ASIDE = (".swp", ".swx", ".tmp", "~", ".bak", ".part", ".crdownload")


def is_of_project(path: Path, folder: Path) -> bool:
    """Whether a deck may read a file of the project's folder."""
    try:
        parts = path.relative_to(folder).parts
    except ValueError:
        return False
    inner = all(part not in _LEFT_OUT and not part.startswith(".") for part in parts[:-1])
    name = parts[-1] if parts else ""
    return inner and not name.startswith((".", "#", "~$")) and not name.endswith(_ASIDE)


async def watch_project(folder: Path, left_out: Collection[Path] = ()) -> AsyncGenerator[set[Path]]:
    """Yield the files that changed, came or went, each as it is when all links are followed.

    left_out: folders besides that are written to
    """
    folder = folder.resolve()
    gone = {path.resolve() for path in left_out}

    def wants(_: Change, name: str) -> bool:
        path = Path(name)
        return is_of_project(path, folder) and not any(path.is_relative_to(one) for one in gone)

    folders = list_watched(folder, gone)
    known = _list_times(_list_files(folders, wants))
    while True:
        watched = awatch(*folders, watch_filter=wants, debounce=_MOST, step=_STEP, recursive=False)
        coming = asyncio.ensure_future(anext(watched))
        await asyncio.sleep(0)  # from now on it is watched
        try:
            # What was written before anybody watched.
            now = _list_times(_list_files(folders, wants))
            if missed := {Path(name).resolve() for name, _ in known.items() ^ now.items()}:
                yield missed
            known = now
            while (there := list_watched(folder, gone)) == folders:
                names = {name for _, name in await coming}
                coming = asyncio.ensure_future(anext(watched))
                for name in names:
                    known.pop(name, None)
                known |= _list_times(map(Path, names))
                yield {Path(name).resolve() for name in names}
        finally:
            coming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await coming
            await watched.aclose()
        folders = there


def _list_files(folders: Collection[Path], wants: Callable[[Change, str], bool]) -> Iterator[Path]:
    for folder in folders:
        with suppress(OSError), os.scandir(folder) as entries:
            names = [entry.path for entry in entries if wants(Change.modified, entry.path)]
            yield from map(Path, names)


def _list_times(paths: Iterable[Path]) -> dict[str, int]:
    """Return those that are files, and when each changed."""
    found: dict[str, int] = {}
    for path in paths:
        with suppress(OSError):
            told = path.stat()
            if stat.S_ISREG(told.st_mode):
                found[str(path)] = told.st_mtime_ns
    return found


def list_watched(folder: Path, left_out: Collection[Path] = ()) -> list[Path]:
    """Return the folder and those within it that decks may read from; links are not followed."""
    found = [folder]
    for inner in found:
        with suppress(OSError), os.scandir(inner) as entries:
            for entry in entries:
                path = Path(entry.path)
                if (
                    entry.is_dir(follow_symlinks=False)
                    and not entry.name.startswith(".")
                    and entry.name not in _LEFT_OUT
                    and path not in left_out
                ):
                    found.append(path)
        if len(found) > _MOST_FOLDERS:
            break
    return found[:_MOST_FOLDERS]
