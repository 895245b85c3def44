"""What one run of the studio holds: the project's folder, the walls of the decks that are looked
at, and what watches the files.

Knows nothing of addresses or requests.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from cardgen.core.deck_files import DECK_SUFFIXES, leads_inside
from cardgen.core.errors import CardgenError
from cardgen.core.library import HOME, Library
from cardgen.project.printers import Profiles
from cardgen.studio.covers import draw_cover, list_decks
from cardgen.studio.easel import View
from cardgen.studio.edits.journal import Journal
from cardgen.studio.edits.model import Change, Conflicts
from cardgen.studio.packing import OURS, Data
from cardgen.studio.painter import (
    DRAWING,
    OPENING,
    PRINTING,
    Desk,
    Lost,
    Painter,
    make_lost_problem,
)
from cardgen.studio.pictures import Pictures
from cardgen.studio.wall import Wall
from cardgen.studio.watching import watch_project

_T = TypeVar("_T")
_Step = TypeVar("_Step", bound="Change | Conflicts | None")
# Where cardgen's own files lie that decks read.
_OURS = ("templates", "assets", "decks")
_MOST_WALLS = 5


@dataclass(frozen=True, slots=True)
class Start:
    """How the studio is started.

    folder: that of the project, which is the folder in hand
    deck: the one that is opened first
    out: the folder that builds are written to
    """

    folder: Path
    deck: str | None = None
    out: Path = Path("output")
    profiles: Profiles | None = None


class Session:
    """The walls that are open, and the decks that there are."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.pictures = Pictures()
        self.journal = Journal(start.folder)
        self._writing = asyncio.Lock()
        self._walls: dict[tuple[str, View], Wall] = {}
        self.clerk = Painter("", View())
        self._writer = Painter("", View())
        self._printers: set[Painter] = set()
        self._decks: list[Data] | None = None
        self._changes = 0
        self._watching: asyncio.Task[None] | None = None
        self._names: list[str] = []
        self._web = Path(__file__).parent / "web"

    async def begin(self) -> None:
        """Begin to watch the project's files."""
        self._names = await asyncio.to_thread(self._list_names)
        self._watching = asyncio.create_task(self._watch())

    async def end(self) -> None:
        """End everything: what watches, the walls and their processes."""
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching
        walls, self._walls = self._walls, {}
        await asyncio.gather(*(wall.end() for wall in walls.values()))
        for painter in (self.clerk, self._writer, *self._printers):
            await asyncio.to_thread(painter.end)

    # Decks

    async def list_decks(self) -> list[Data]:
        """Return what is told of each deck of the project."""
        if self._decks is not None:
            return self._decks
        begun = self._changes
        found = await _ask(self.clerk, list_decks, OPENING)
        if begun == self._changes:  # else a deck may have changed while it was read
            self._decks = found
        return found

    async def ask_writer(self, task: Callable[[Desk], _T]) -> _T:
        """Return the result of a task that makes a new deck, and waits for no cover; a file that
        was dropped is kept at hand from one to the next.
        """
        return await _ask(self._writer, task, OPENING)

    async def draw_cover(self, name: str, dpi: int) -> bytes | None:
        """Return a picture of a deck's first card; None where it has none that can be drawn."""
        try:
            return await self.clerk.ask(partial(draw_cover, name, dpi), DRAWING)
        except (Lost, CardgenError):
            return None

    async def open_wall(self, name: str, view: View) -> Wall:
        """Return a deck in a view; a CardgenError where the project has none of that name."""
        wall = self._walls.get((name, view))
        if wall is None:
            if name not in await asyncio.to_thread(self._list_names):
                raise make_no_deck(name)
            wall = self._walls.get((name, view))
        if wall is None:
            wall = self._walls[name, view] = Wall(name, view, self.pictures, self.name_steps)
            await self._close_some(wall)
        await wall.open()
        return wall

    async def _close_some(self, new: Wall) -> None:
        """End walls that nobody looks at, where there are many, the longest unused first."""
        idle = [
            (wall.used, key)
            for key, wall in self._walls.items()
            if wall is not new and not wall.is_watched
        ]
        for _, key in sorted(idle)[: max(0, len(self._walls) - _MOST_WALLS)]:
            await self._walls.pop(key).end()

    async def print_deck(
        self, name: str, view: View, task: Callable[[Path, Desk], _T], folder: Path
    ) -> _T:
        """Return the result of a task that builds a deck into a folder, in a process of its own."""
        if name not in await asyncio.to_thread(self._list_names):
            raise make_no_deck(name)
        painter = Painter(name, view)
        self._printers.add(painter)
        try:
            return await _ask(painter, partial(task, folder), PRINTING)
        finally:
            self._printers.discard(painter)
            await asyncio.to_thread(painter.end)

    def find_sheets(self, version: str) -> Wall | None:
        """Return the wall whose sheets are of a version; None where there is none."""
        return next((wall for wall in self._walls.values() if wall.lays(version)), None)

    def find_wall(self, version: str) -> Wall | None:
        """Return the wall on which a version of a face is; None where there is none."""
        return next((wall for wall in self._walls.values() if wall.has_version(version)), None)

    def list_walls(self, name: str) -> list[Wall]:
        """Return the walls of a deck."""
        return [wall for (deck, _), wall in self._walls.items() if deck == name]

    # Changes

    def name_steps(self) -> Data:
        """Return what may be taken back, and what may be made again."""
        undo, redo = self.journal.undo_step, self.journal.redo_step
        return {"undo": undo and undo._asdict(), "redo": redo and redo._asdict()}

    async def change(self, step: Callable[[Journal], _Step]) -> _Step:
        """Let the journal write a change, or take one back, and tell all pages what came of it."""
        async with self._writing:
            written = await asyncio.to_thread(step, self.journal)
        if isinstance(written, Change):
            await self.take({file.path.resolve() for file in written.files})
        return written

    # Files

    async def _watch(self) -> None:
        folder, out = self.start.folder, self.start.folder / self.start.out
        async for changed in watch_project(folder, [out] if out != folder else []):
            await self.take(changed)

    async def take(self, changed: set[Path]) -> None:
        """Take up files that changed."""
        begun = time.monotonic()
        walls = list(self._walls.values())
        has_decks = any(path.suffix in DECK_SUFFIXES for path in changed)
        if has_decks:
            self._decks = None
            self._changes += 1
        taken = [wall.take(changed, begun) for wall in walls]
        for result in await asyncio.gather(*taken, return_exceptions=True):
            if isinstance(result, asyncio.CancelledError):
                raise result
        if has_decks:
            names = await asyncio.to_thread(self._list_names)
            if names != self._names:
                self._names = names
                for wall in walls:
                    wall.tell("decks", {})
        if any(path.is_relative_to(self._web) for path in changed):
            for wall in walls:
                wall.tell("page", {})

    def _list_names(self) -> list[str]:
        return Library(self.start.folder).list_names("deck")

    def find_file(self, name: str) -> Path | None:
        """Return a file of the project by its name from there, or one of cardgen's; None for any
        other.
        """
        if not name or "\0" in name:
            return None
        ours = HOME / name.removeprefix(OURS)
        path = ours if name.startswith(OURS) else self.start.folder / name
        for folder in (self.start.folder, *(HOME / part for part in _OURS)):
            if leads_inside(path, folder):
                parts = path.resolve().relative_to(folder.resolve()).parts
                return None if any(part.startswith(".") for part in parts) else path
        return None


async def _ask(painter: Painter, task: Callable[[Desk], _T], seconds: float) -> _T:
    try:
        return await painter.ask(task, seconds)
    except Lost as lost:
        raise CardgenError.of([make_lost_problem(lost)]) from lost


def make_no_deck(name: str) -> CardgenError:
    return CardgenError(
        "studio/no-deck", f'the project has no deck "{name}"', details={"name": name}
    )
