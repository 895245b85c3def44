"""A contact sheet: one page that shows all faces of a deck, small, numbered and named.

Of all numbers of columns it takes the one that leaves the faces largest, and of several such the
one that looks most like the page. Must not know what the faces show.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import NamedTuple

from cardgen.core.errors import CardgenError, count
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.shape import RECTANGLE, Shape
from cardgen.core.units import MM, format_mm
from cardgen.pages.impose import Note, Page, Placement
from cardgen.pages.marks import Cut
from cardgen.pages.sheets.protocol import Batch, SheetCopy, Sheets
from cardgen.pages.target import Side, Target

_HEADING = 14.0  # the size of its type
_BELOW_HEADING = 8.0
_TEXT = 8.0  # the size of a caption where there is room
_LEADING = 1.5
_SMALLEST_TEXT = 3.0
_LINE = 0.25  # around each face, which may be as white as the paper
_STEPS = 40
_WIDEST_GAP = 0.15
_LEAST = Size(50 * MM, 50 * MM)


@dataclass(frozen=True, slots=True)
class ContactSheet(Sheets):
    """One page with each design's front, and then each back that looks different.

    kinds: size and shape of each kind of card, where there are several; the card is as wide and as
        high as any of them
    """

    kinds: Mapping[int, tuple[Size, Shape]] = field(default_factory=dict)

    def lay(self, batch: Batch) -> Iterator[Page]:
        shown = [*self._list_fronts(batch.copies), *self._list_backs(batch.copies)]
        designs = len({copy.design for copy in batch.copies})
        counts = [count(designs, "design"), count(len(batch.copies), "card")]
        if backs := sum(face.side == "back" for face in shown):
            counts.append(count(backs, "back"))
        heading = f"{batch.title}: {', '.join(counts)}"
        yield impose_contact(self.card, shown, heading, self.target)

    def _list_fronts(self, copies: Sequence[SheetCopy]) -> Iterator[Shown]:
        first: dict[int, int] = {}
        for index, copy in enumerate(copies):
            if self.sides != "backs" and first.setdefault(copy.design, index) == index:
                yield self._show(index, copy, "front", copy.caption)

    def _list_backs(self, copies: Sequence[SheetCopy]) -> Iterator[Shown]:
        alike: dict[Hashable, list[int]] = {}
        for index, copy in enumerate(copies):
            if self.sides != "fronts" and copy.back is not None:
                alike.setdefault(copy.back, []).append(index)
        for indices in alike.values():
            caption = f"back of {count(len(indices), 'card')}"
            yield self._show(indices[0], copies[indices[0]], "back", caption)

    def _show(self, index: int, copy: SheetCopy, side: Side, caption: str) -> Shown:
        size, shape = self.kinds.get(copy.kind, (self.card, self.shape))
        return Shown(index, side, caption, size, shape.mirror() if side == "back" else shape)


class Shown(NamedTuple):
    """A face on the page.

    copy: the index of one that has it
    caption: the text beneath it
    size: that of the card; where it is none, that of all
    """

    copy: int
    side: Side
    caption: str
    size: Size | None = None
    shape: Shape = RECTANGLE


class _Grid(NamedTuple):
    columns: int
    scale: float
    text: float
    gap_x: float
    gap_y: float


def impose_contact(card: Size, shown: Sequence[Shown], heading: str, target: Target) -> Page:
    """Return the page with all faces in rows; with orientation = "best" the paper may lie."""
    papers = [target.page]
    if target.paper.orientation == "best":
        papers.append(Size(target.page.height, target.page.width))
    fits = [_fit_paper(paper, len(shown), card, target) for paper in papers]
    paper, room, body, grid = max(fits, key=lambda fit: round(fit[3].scale, 6))
    width, height = card.width * grid.scale, card.height * grid.scale
    across = width + grid.gap_x
    left = body.x + (body.width - grid.columns * across + grid.gap_x) / 2
    down = height + grid.text * _LEADING + grid.gap_y
    placements: list[Placement] = []
    cuts: list[Cut] = []
    notes = [Note(heading, room.x, room.y + _HEADING, room.width, _HEADING)]
    for place, face in enumerate(shown):
        row, column = divmod(place, grid.columns)
        cell = Rect(left + column * across, body.y + row * down, width, height)
        trim = _stand(face.size or card, cell, grid.scale)
        placement = Placement(face.copy, face.side, trim, False, trim, grid.scale, face.shape)
        placement, edge = outline_face(placement)
        placements.append(placement)
        cuts.append(edge)
        notes.append(
            Note(
                face.caption, cell.x, cell.bottom + grid.text * 1.1, width, grid.text, centred=True
            )
        )
    whole = Rect(0, 0, *paper)
    return Page(
        *(paper, "front", 1, whole, whole),
        *(tuple(placements), (), tuple(notes)),
        cuts=tuple(cuts),
    )


def _stand(card: Size, cell: Rect, scale: float) -> Rect:
    """Return the place of a card that stands in the middle of its cell's foot."""
    width, height = card.width * scale, card.height * scale
    return Rect(cell.x + (cell.width - width) / 2, cell.bottom - height, width, height)


def _fit_paper(
    paper: Size, faces: int, card: Size, target: Target
) -> tuple[Size, Rect, Rect, _Grid]:
    """Return a paper, the room within its margins, that for the faces, and how they lie there."""
    room = _find_room(paper, target)
    above = _HEADING + _BELOW_HEADING
    body = room.inset(Insets(top=above))
    return paper, room, body, _choose_grid(faces, card, body.size, target)


def _find_room(paper: Size, target: Target) -> Rect:
    room = Rect(0, 0, *paper).inset(target.paper.margin)
    if room.width < _LEAST.width or room.height < _LEAST.height:
        raise CardgenError(
            "print/paper-too-small",
            f"a contact sheet needs {format_mm(_LEAST.width)} x {format_mm(_LEAST.height)}, but "
            f'the paper of target "{target.name}" less its margins is {format_mm(room.width)} x '
            f"{format_mm(room.height)}",
            target.find_place("margin"),
            "take larger paper, or smaller margins",
            details={
                "width_mm": round(room.width / MM, 2),
                "height_mm": round(room.height / MM, 2),
            },
        )
    return room


def _choose_grid(faces: int, card: Size, room: Size, target: Target) -> _Grid:
    """Return the columns that leave the faces largest; none is made larger than it is.

    Few small faces are as large as they are in many grids: the one that is nearest to the room in
    shape wins.
    """
    found = [_fit_columns(columns, faces, card, room, target) for columns in range(1, faces + 1)]

    def share(grid: _Grid) -> float:
        rows = ceil(faces / grid.columns)
        wide = grid.columns * (card.width * grid.scale + grid.gap_x) - grid.gap_x
        high = rows * (_measure_height(card, grid.scale) + grid.gap_y) - grid.gap_y
        return max(wide / room.width, high / room.height)

    return max(found, key=lambda grid: (round(grid.scale, 6), -share(grid)))


def _fit_columns(columns: int, faces: int, card: Size, room: Size, target: Target) -> _Grid:
    rows = ceil(faces / columns)
    # Among very many faces the gaps are small as well.
    gap_x = min(target.grid.gap_x, _WIDEST_GAP * room.width / columns)
    gap_y = min(target.grid.gap_y, _WIDEST_GAP * room.height / rows)
    width = (room.width - (columns - 1) * gap_x) / columns
    height = (room.height - (rows - 1) * gap_y) / rows
    low = high = min(1.0, width / card.width)
    if _measure_height(card, high) > height:
        low = 0.0
        for _ in range(_STEPS):
            scale = (low + high) / 2
            low, high = (scale, high) if _measure_height(card, scale) <= height else (low, scale)
    return _Grid(columns, low, _size_text(card, low), gap_x, gap_y)


def _measure_height(card: Size, scale: float) -> float:
    """Return the height of a face with its caption."""
    return card.height * scale + _size_text(card, scale) * _LEADING


def _size_text(card: Size, scale: float) -> float:
    """Return the size of the captions: small beneath small faces, but not too small to read."""
    return min(_TEXT, max(_SMALLEST_TEXT, card.width * scale / 12))


def outline_face(placement: Placement) -> tuple[Placement, Cut]:
    """Return a face and the line around it, which lies above it: beneath it a screen would not show
    it. Of one that is no rectangle what lies beyond its line is left out.
    """
    if not placement.shape.has_line:
        outside = placement.trim.outset(Insets.even(_LINE / 2))
        return placement, Cut(RECTANGLE.trace(outside), _LINE)
    contour = placement.trace()
    return replace(placement, polygon=contour.list_points()), Cut(contour, _LINE)
