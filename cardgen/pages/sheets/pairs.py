"""Pairs of faces side by side, each below a line of text.

Must not know what the faces show, nor of what they are pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardgen.core.geometry import Rect, Size
from cardgen.core.units import MM
from cardgen.pages.impose import Note, Page, Placement
from cardgen.pages.marks import Mark

MARGIN = 7 * MM
HEAD = 5 * MM  # the line at the top of the page
CAPTION = 4.3 * MM
BETWEEN = 3 * MM  # the two faces of a pair
GAP = 4 * MM  # pairs
_LETTERS = 7.5
_OUTLINE = 0.25


class Pair(NamedTuple):
    """Two faces with the line above them, and which of the two there are."""

    caption: str
    before: bool
    after: bool


class _Frame(NamedTuple):
    """The cells for pairs on a paper."""

    paper: Size
    cell: Size
    columns: int
    rows: int
    scale: float

    @property
    def capacity(self) -> int:
        return self.columns * self.rows


def arrange_pairs(
    pairs: Sequence[Pair], title: str, before: Size, after: Size, paper: Size
) -> Iterator[Page]:
    """Return pages of pairs; the face before has the index 2n, the one after 2n + 1.

    The paper lies as more of them fit, and they are made smaller only where not one would.
    """
    lying = Size(paper.height, paper.width)
    frame = max(
        _fit(before, after, paper),
        _fit(before, after, lying),
        key=lambda frame: (frame.scale, frame.capacity),
    )
    size, margin = frame.paper, MARGIN
    pages = -(-len(pairs) // frame.capacity)
    inner = Rect(margin, margin + HEAD, size.width - 2 * margin, size.height - 2 * margin - HEAD)
    for number in range(pages):
        first = number * frame.capacity
        notes = [_write(title, margin, margin + _LETTERS, inner.width)]
        notes.append(_write(f"{number + 1}/{pages}", size.width - margin - 30, notes[0].y, 30))
        placements: list[Placement] = []
        marks: list[Mark] = []
        for place, pair in enumerate(pairs[first : first + frame.capacity]):
            row, column = divmod(place, frame.columns)
            x = inner.x + column * (frame.cell.width + GAP)
            y = inner.y + row * (frame.cell.height + GAP)
            notes.append(_write(pair.caption, x, y + _LETTERS, frame.cell.width))
            faces = ((pair.before, before), (pair.after, after))
            for side, (is_there, face) in enumerate(faces):
                trim = Rect(x, y + CAPTION, face.width * frame.scale, face.height * frame.scale)
                marks += _outline(trim)
                if is_there:
                    index = 2 * (first + place) + side
                    placements.append(
                        Placement(index, "front", trim, False, trim, scale=frame.scale)
                    )
                x += trim.width + BETWEEN
        yield Page(
            size, "front", number + 1, inner, inner, tuple(placements), tuple(marks), tuple(notes)
        )


def _fit(before: Size, after: Size, paper: Size) -> _Frame:
    width = paper.width - 2 * MARGIN
    height = paper.height - 2 * MARGIN - HEAD
    room = Size(width - BETWEEN, height - CAPTION)
    wide, high = before.width + after.width, max(before.height, after.height)
    scale = min(1.0, room.width / wide, room.height / high)
    cell = Size(wide * scale + BETWEEN, high * scale + CAPTION)
    columns = max(int((width + GAP + 1e-6) / (cell.width + GAP)), 1)
    rows = max(int((height + GAP + 1e-6) / (cell.height + GAP)), 1)
    return _Frame(paper, cell, columns, rows, scale)


def _write(text: str, x: float, y: float, width: float) -> Note:
    return Note(text, x, y, width, _LETTERS)


def _outline(trim: Rect) -> Iterator[Mark]:
    """Draw a line round a face, or round the place of one that is not there."""
    yield Mark(trim.x, trim.y, trim.right, trim.y, _OUTLINE)
    yield Mark(trim.right, trim.y, trim.right, trim.bottom, _OUTLINE)
    yield Mark(trim.right, trim.bottom, trim.x, trim.bottom, _OUTLINE)
    yield Mark(trim.x, trim.bottom, trim.x, trim.y, _OUTLINE)
