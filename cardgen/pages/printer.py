"""A printer, what it does to a page, and what undoes it.

All that is measured is as one sees it against the light, the front towards the eye: x and y tell
how far the back landed to the right of its front and below it, rotation how far it is turned
clockwise, in degrees. The scales are what was printed over what was meant; they are taken to be the
same on both sides. Must not know where profiles are kept, nor what a page shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Literal, NamedTuple

from cardgen.core.errors import CardgenError, Problem
from cardgen.core.geometry import Insets, Matrix, Size
from cardgen.core.units import MM, format_mm
from cardgen.pages.target import Axis, Side, Target

Flip = Literal["long-edge", "short-edge"]
_SLACK = 0.01


@dataclass(frozen=True, slots=True)
class Printer:
    """A printer's profile; lengths in points, rotation in degrees, scales as ratios.

    left, top, right, bottom: the margins that it cannot print on
    flip: the edge over which it turns the sheet, where it is known
    """

    name: str
    x: float = 0.0
    y: float = 0.0
    rotation: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    flip: Flip | None = None


def is_printed_at_home(target: Target) -> bool:
    """Tell whether a target's pages are sheets for a home printer, not for a press or a service."""
    return (
        target.paper.size is not None
        and target.file.format == "pdf"
        and target.press.flavour == "plain"
    )


def fit_target(target: Target, printer: Printer) -> Target:
    """Return the target on a printer, which has its own edge to turn over, and its own margins."""
    margin = target.paper.margin
    joined = Insets(
        max(margin.left, printer.left),
        max(margin.top, printer.top),
        max(margin.right, printer.right),
        max(margin.bottom, printer.bottom),
    )
    fitted = target.change(margin=joined)
    if printer.flip is None or target.duplex.edge == "none":
        return fitted
    return fitted.change(duplex=printer.flip)


def reach_places(printer: Printer, target: Target, card: Size, fold: Axis | None = None) -> Target:
    """Return the target on a printer, with as many columns and rows as its margins leave room for.

    fold: the axis of a sheet that holds fronts and backs
    """
    fitted = fit_target(target, printer)
    problems = []
    for room in _list_rooms(card, target, fitted.paper.margin, fold):
        most, wanted = room.count(room.lost), target.get_value(room.lanes)
        if not most and room.count(room.kept):
            problems.append(_complain(room, printer, target))
        elif wanted and 0 < most < wanted <= room.count(room.kept):
            fitted = fitted.change(**{room.lanes: most})
    if problems:
        raise CardgenError.of(problems)
    return fitted


class _Room(NamedTuple):
    """One direction of a sheet.

    kept, lost: the margin on either side that the target has, and the printer on top of it
    halves, gutter: two halves where it lies across the fold, and what lies between them
    """

    lanes: str
    card: float
    paper: float
    gap: float
    kept: float
    lost: float
    halves: int
    gutter: float

    def count(self, margin: float) -> int:
        """Return how many cards, or cards with their backs, lie side by side."""
        room = (self.paper - 2 * margin - self.gutter) / self.halves
        return max(0, int((room + self.gap + _SLACK) // (self.card + self.gap)))


def _list_rooms(card: Size, target: Target, lost: Insets, fold: Axis | None) -> tuple[_Room, _Room]:
    page, grid, kept = target.page, target.grid, target.paper.margin
    folded, flat = (2, grid.gutter), (1, 0.0)
    return (
        _Room(
            "columns", card.width, page.width, grid.gap_x,
            max(kept.left, kept.right), max(lost.left, lost.right),
            *(folded if fold == "upright" else flat),
        ),
        _Room(
            "rows", card.height, page.height, grid.gap_y,
            max(kept.top, kept.bottom), max(lost.top, lost.bottom),
            *(folded if fold == "level" else flat),
        ),
    )  # fmt: skip


def _complain(room: _Room, printer: Printer, target: Target) -> Problem:
    needed, left = room.halves * room.card + room.gutter, room.paper - 2 * room.lost
    what = "a card" if room.halves == 1 else "a card with its back"
    return Problem(
        "print/printer-margin",
        f'the margins of the printer "{printer.name}" leave no room for {what} on the sheet of '
        f'target "{target.name}": {format_mm(needed)} are needed, but the paper\'s '
        f"{format_mm(room.paper)} less 2 x {format_mm(room.lost)} of margin leave "
        f"{format_mm(left)}",
        hint="print with --printer none, or choose a target with larger paper",
        details={"needed_mm": round(needed / MM, 2), "left_mm": round(left / MM, 2)},
    )


def find_correction(printer: Printer, paper: Size, side: Side, axis: Axis | None) -> Matrix | None:
    """Return the matrix that brings a page to where it should land; None if it lands there anyway.

    axis: the one about which the back is turned behind its front, seen on the paper; None where
        it is not, or where it has no front to meet
    """
    right, down, turned = 0.0, 0.0, 0.0
    if side == "back" and axis is not None:
        # Seen from behind, an upright axis swaps left and right, a level one above and below.
        # Either way a turn clockwise becomes one counterclockwise.
        right, down = (-printer.x, printer.y) if axis == "upright" else (printer.x, -printer.y)
        turned = -printer.rotation
    if (right, down, turned, printer.scale_x, printer.scale_y) == (0, 0, 0, 1, 1):
        return None
    # The page is scaled about its middle, then turned about it, then moved: this takes all back.
    cosine, sine = cos(radians(-turned)), sin(radians(-turned))
    a, c = cosine / printer.scale_x, -sine / printer.scale_x
    b, d = sine / printer.scale_y, cosine / printer.scale_y
    across, along = paper.width / 2, paper.height / 2
    return Matrix(
        a,
        b,
        c,
        d,
        across - a * (across + right) - c * (along + down),
        along - b * (across + right) - d * (along + down),
    )
