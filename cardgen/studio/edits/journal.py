"""The changes of a session: made, taken back and made again, each only on the files it knows.

Files are written beside their places and take them whole. Where a file has changed meanwhile, what
others wrote stays: a change elsewhere in it is kept, one of the same lines is a conflict.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path
from typing import Literal, NamedTuple

from cardgen.core.deck_files import leads_inside
from cardgen.core.errors import Where
from cardgen.core.reading import read_bytes
from cardgen.output.files import deliver_together
from cardgen.studio.edits.faults import make_not_own
from cardgen.studio.edits.model import (
    Change,
    Conflict,
    Conflicts,
    FileChange,
    Step,
    make_hash,
)

_MOST_CHANGES = 200
_MOST_BYTES = 64_000_000
_PACKED = (".xlsx",)


class Journal:
    """What was changed in one project, to be taken back."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._done: deque[Change] = deque()
        self._undone: list[Change] = []

    @property
    def undo_step(self) -> Step | None:
        """What the next undo takes back."""
        return self._done[-1].step if self._done else None

    @property
    def redo_step(self) -> Step | None:
        """What the next redo makes again."""
        return self._undone[-1].step if self._undone else None

    def apply(self, change: Change) -> Change | Conflicts:
        """Write a change; return it as it was written, on what the files hold now."""
        written = self._write(change)
        if isinstance(written, Conflicts) or written.is_empty:
            return written
        self._undone.clear()
        self._remember(written)
        return written

    def undo(self) -> Change | Conflicts | None:
        """Take the last change back; None where there is none."""
        if not self._done:
            return None
        written = self._write(self._done[-1].turn())
        if isinstance(written, Conflicts):
            return written
        self._done.pop()
        self._undone.append(written.turn())
        return written

    def redo(self) -> Change | Conflicts | None:
        """Make the change again that was taken back last; None where there is none."""
        if not self._undone:
            return None
        written = self._write(self._undone[-1])
        if isinstance(written, Conflicts):
            return written
        self._undone.pop()
        self._remember(written)
        return written

    def forget(self, which: Literal["undo", "redo"]) -> None:
        """Let the next step go that cannot be taken back, or made again, as others have it."""
        steps = self._done if which == "undo" else self._undone
        if steps:
            steps.pop()

    def _remember(self, change: Change) -> None:
        # What one change wrote the next one begins with: it is held once.
        known = {file.after: file.after for one in [*self._done][-1:] for file in one.files}
        files = (file._replace(before=known.get(file.before, file.before)) for file in change.files)
        self._done.append(Change(tuple(files), change.step))
        while len(self._done) > 1 and (
            len(self._done) > _MOST_CHANGES or _weigh(self._done) > _MOST_BYTES
        ):
            self._done.popleft()

    def _write(self, change: Change) -> Change | Conflicts:
        """Write the files of a change, all or none of them."""
        files: list[FileChange] = []
        conflicts: list[Conflict] = []
        for file in change.files:
            if not leads_inside(file.path, self._folder):
                raise make_not_own(file.path)
            now = read_bytes(file.path) if file.path.exists() else None
            if make_hash(now) == make_hash(file.before):
                files.append(file)
                continue
            merged = _merge(file, now)
            if isinstance(merged, Conflict):
                conflicts.append(merged)
            else:
                files.append(FileChange(file.path, now, merged))
        if conflicts:
            return Conflicts(tuple(conflicts))
        with deliver_together() as job:
            for file in files:
                place = file.path.resolve()
                if file.after is None:
                    job.remove(place)
                    continue
                with job.open(place) as out:
                    out.write(file.after)
                    if file.before is not None and hasattr(os, "fchmod"):
                        os.fchmod(out.fileno(), stat.S_IMODE(place.stat().st_mode))
        return Change(tuple(files), change.step)


def _weigh(changes: Iterable[Change]) -> int:
    """Return the bytes that changes hold; what two of them share counts once."""
    states = (data for change in changes for file in change.files for data in file[1:])
    return sum({id(data): len(data) for data in states if isinstance(data, bytes)}.values())


# A file that others have changed


class _Hunk(NamedTuple):
    """Lines that give way to others."""

    start: int
    end: int
    lines: list[str]


def _merge(file: FileChange, now: bytes | None) -> bytes | Conflict:
    """Return a file with both changes; a conflict where they meet."""
    if file.before is None or file.after is None or now is None:
        return _make_conflict(file)
    if file.path.suffix.lower() in _PACKED:
        return _make_conflict(file)
    try:
        base, ours, theirs = (
            data.decode().splitlines(keepends=True) for data in (file.before, file.after, now)
        )
    except UnicodeDecodeError:
        return _make_conflict(file)
    own, other = _list_hunks(base, ours), _list_hunks(base, theirs)
    for hunk in own:
        for one in other:
            if one.start <= hunk.end and hunk.start <= one.end:
                start, end = min(one.start, hunk.start), max(one.end, hunk.end)
                texts = (base[start:end], *(_lay_over(base, h, start, end) for h in (one, hunk)))
                return _make_conflict(file, start + 1, *map("".join, texts))
    merged = list(base)
    for hunk in sorted([*own, *other], reverse=True):
        merged[hunk.start : hunk.end] = hunk.lines
    return "".join(merged).encode()


def _list_hunks(base: list[str], other: list[str]) -> list[_Hunk]:
    top = 0
    while top < min(len(base), len(other)) and base[top] == other[top]:
        top += 1
    end = 0
    while end < min(len(base), len(other)) - top and base[-1 - end] == other[-1 - end]:
        end += 1
    below, beyond = base[top : len(base) - end], other[top : len(other) - end]
    matcher = SequenceMatcher(None, below, beyond, autojunk=False)
    return [
        _Hunk(first + top, last + top, beyond[start:stop])
        for kind, first, last, start, stop in matcher.get_opcodes()
        if kind != "equal"
    ]


def _lay_over(base: list[str], hunk: _Hunk, start: int, end: int) -> list[str]:
    return [*base[start : hunk.start], *hunk.lines, *base[hunk.end : end]]


def _make_conflict(
    file: FileChange, line: int | None = None, base: str = "", theirs: str = "", ours: str = ""
) -> Conflict:
    return Conflict(None, None, base, theirs, ours, Where(str(file.path), line))
