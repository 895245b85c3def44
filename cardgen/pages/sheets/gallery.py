"""A gallery: pages that show faces of many sizes small, each with its name below.

Must not know what the faces show.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.shape import RECTANGLE, Shape
from cardgen.core.units import MM
from cardgen.pages.impose import Note, Page, Placement
from cardgen.pages.marks import Cut
from cardgen.pages.sheets.contact import outline_face

_HEADING = 16.0  # the size of its type
_BELOW_HEADING = 14.0
_TEXT = 8.0  # the size of a caption
_MARGIN = 12 * MM
_GAP = 6 * MM
_CELL = Size(42 * MM, 50 * MM)  # about as large as the room of a face


class Exhibit(NamedTuple):
    """A face to be shown; without a size it is not there.

    copy: its index among all copies of the deck
    caption, more: the two lines beneath it
    """

    copy: int
    size: Size | None
    caption: str
    more: str
    shape: Shape = RECTANGLE


class _Wall(NamedTuple):
    """The cells of a page in rows, below a heading."""

    heading: str
    paper: Size
    room: Rect
    cell: Size
    columns: int

    def place_foot(self, place: int) -> tuple[float, float]:
        """Return the lower left corner of a cell."""
        row, column = divmod(place, self.columns)
        top = self.room.y + _HEADING + _BELOW_HEADING
        return (
            self.room.x + column * (self.cell.width + _GAP),
            top + row * (self.cell.height + 3 * _TEXT + _GAP) + self.cell.height,
        )


def impose_gallery(exhibits: Sequence[Exhibit], heading: str, paper: Size) -> list[Page]:
    """Return as many pages as it takes, with rows of cells of one size."""
    room = Rect(0, 0, *paper).inset(Insets.even(_MARGIN))
    body = room.inset(Insets(top=_HEADING + _BELOW_HEADING))
    columns = max(int((body.width + _GAP) / (_CELL.width + _GAP)), 1)
    rows = max(int((body.height + _GAP) / (_CELL.height + 3 * _TEXT + _GAP)), 1)
    cell = Size(
        (body.width + _GAP) / columns - _GAP, (body.height + _GAP) / rows - _GAP - 3 * _TEXT
    )
    wall, each = _Wall(heading, paper, room, cell, columns), columns * rows
    return [
        _hang(exhibits[at : at + each], at // each + 1, wall)
        for at in range(0, len(exhibits), each)
    ]


def _hang(exhibits: Sequence[Exhibit], number: int, wall: _Wall) -> Page:
    room, cell = wall.room, wall.cell
    placements: list[Placement] = []
    cuts: list[Cut] = []
    notes = [Note(wall.heading, room.x, room.y + _HEADING, room.width, _HEADING)]
    for place, exhibit in enumerate(exhibits):
        x, foot = wall.place_foot(place)
        for line, text in enumerate((exhibit.caption, exhibit.more), start=1):
            notes.append(Note(text, x, foot + 1.25 * line * _TEXT, cell.width, _TEXT))
        if exhibit.size is None:
            continue
        width, height = exhibit.size
        scale = min(cell.width / width, cell.height / height, 1.0)
        trim = Rect(x, foot - height * scale, width * scale, height * scale)
        placement = Placement(exhibit.copy, "front", trim, False, trim, scale, exhibit.shape)
        placement, edge = outline_face(placement)
        placements.append(placement)
        cuts.append(edge)
    whole = Rect(0, 0, *wall.paper)
    size = wall.paper
    return Page(
        *(size, "front", number, whole, whole),
        *(tuple(placements), (), tuple(notes)),
        cuts=tuple(cuts),
    )
