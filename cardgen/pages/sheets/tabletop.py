"""Sheets of pictures that Tabletop Simulator cuts into cards.

A sheet has at most ten columns and seven rows, and no picture more pixels on a side than the game
loads; each face fills a whole number of pixels, so that none shows a line of its neighbour. Must
not know what the faces show or how such a deck is written.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Rect, Size
from cardgen.core.shape import RECTANGLE, Shape
from cardgen.pages.impose import Page, Placement
from cardgen.pages.sheets.protocol import Batch, Sheets, TableFace, TableLayout, TableSheet
from cardgen.pages.target import Side, Target

MOST_COLUMNS = 10
MOST_ROWS = 7
MOST_PIXELS = 4096
_INCH = 72


@dataclass(frozen=True, slots=True)
class TabletopSheets(Sheets):
    """For each sheet a page of fronts that look different, and one of their backs."""

    def lay(self, batch: Batch) -> Iterator[Page]:
        return impose_sheets(self.card, self.find_table(batch).sheets, self.target, self.shape)

    def find_table(self, batch: Batch) -> TableLayout:
        """Return which front lies where; the same front with another back is another card."""
        faces: dict[tuple[Hashable, Hashable], TableFace] = {}
        for index, copy in enumerate(batch.copies):
            faces.setdefault((copy.front, copy.back), TableFace(index, copy.back))
        sheets = arrange_sheets(self.card, list(faces.values()), self.target)
        sheets = tuple(sheet._replace(card=self.card, shape=self.shape) for sheet in sheets)
        places = [(n, at) for n, sheet in enumerate(sheets) for at in range(len(sheet.fronts))]
        of_face = dict(zip(faces, places, strict=True))
        return TableLayout(sheets, tuple(of_face[copy.front, copy.back] for copy in batch.copies))


def arrange_sheets(
    card: Size, faces: Sequence[TableFace], target: Target
) -> tuple[TableSheet, ...]:
    """Return the faces in their order on as few sheets as hold them."""
    pixels = _count_pixels(card, target)
    columns = min(MOST_COLUMNS, MOST_PIXELS // pixels[0])
    rows = min(MOST_ROWS, MOST_PIXELS // pixels[1])
    if not columns or not rows:
        finest = int(MOST_PIXELS * _INCH / max(card))
        raise CardgenError(
            "print/too-many-pixels",
            f"at {target.file.dpi} dpi a card has {pixels[0]} x {pixels[1]} pixels; Tabletop "
            f"Simulator loads pictures of at most {MOST_PIXELS} x {MOST_PIXELS}",
            target.find_place("dpi"),
            f"{finest} dpi is the finest that fits this card",
            details={"dpi": target.file.dpi, "finest": finest},
        )
    chunks = (faces[at : at + columns * rows] for at in range(0, len(faces), columns * rows))
    return tuple(_make_sheet(chunk, columns) for chunk in chunks)


def impose_sheets(
    card: Size, sheets: Sequence[TableSheet], target: Target, shape: Shape = RECTANGLE
) -> Iterator[Page]:
    """Return for each sheet the page of its fronts, then that of its backs, or of their one."""
    for number, sheet in enumerate(sheets, 1):
        lanes = sheet.columns, sheet.rows
        front = _impose(card, sheet.fronts, "front", lanes, number, target)
        back_lanes = (1, 1) if sheet.has_one_back else lanes
        back = _impose(card, sheet.backs, "back", back_lanes, number, target)
        yield _give_shape(front, shape)
        yield _give_shape(back, shape.mirror())


def _give_shape(page: Page, shape: Shape) -> Page:
    """Return a page whose cards are cut out as a shape."""
    return page._replace(placements=tuple(replace(place, shape=shape) for place in page.placements))


def _make_sheet(faces: Sequence[TableFace], most_columns: int) -> TableSheet:
    columns = min(most_columns, len(faces))
    backs = faces[:1] if len({face.back for face in faces}) == 1 else faces
    return TableSheet(columns, ceil(len(faces) / columns), tuple(faces), tuple(backs))


def _impose(
    card: Size,
    faces: Sequence[TableFace],
    side: Side,
    shape: tuple[int, int],
    number: int,
    target: Target,
) -> Page:
    width, height = (count * _INCH / target.file.dpi for count in _count_pixels(card, target))
    # The rounding to whole pixels is made up for by less than one pixel of a face.
    scale = max(width / card.width, height / card.height)
    placements = []
    for place, face in enumerate(faces):
        if side == "back" and face.back is None:
            continue
        row, column = divmod(place, shape[0])
        cell = Rect(column * width, row * height, width, height)
        trim = Rect(cell.x, cell.y, card.width * scale, card.height * scale)
        placements.append(Placement(face.copy, side, trim, False, cell, scale))
    size = Size(shape[0] * width, shape[1] * height)
    whole = Rect(0, 0, *size)
    return Page(size, side, number, whole, whole, tuple(placements), ())


def _count_pixels(card: Size, target: Target) -> tuple[int, int]:
    across, down = (max(1, round(side * target.file.dpi / _INCH)) for side in card)
    return across, down
