"""A printer, what it does to a page, and what undoes it.

All that is measured is as one sees it against the light, the front towards the eye: x and y tell
how far the back landed to the right of its front and below it, rotation how far it is turned
clockwise, in degrees. The scales are what was printed over what was meant; they are taken to be the
same on both sides. Must not know where profiles are kept, nor what a page shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
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


def reach_places(
    printer: Printer,
    target: Target,
    card: Size,
    count_places: Callable[[Target], int],
    fold: Axis | None = None,
) -> Target:
    """Return the target on a printer, which must reach all places that a sheet has.

    fold: the axis of a sheet that holds fronts and backs
    """
    fitted = fit_target(target, printer)
    try:
        fewer = count_places(fitted) < count_places(target)
    except CardgenError:
        fewer = True
    if not fewer:
        return fitted
    hint = "print with --printer none, or write a target with fewer columns or rows"
    problems = [
        replace(problem, hint=hint)
        for problem in _find_eaten(printer, card, target, fitted.paper.margin, fold)
    ]
    least = f'the margins of the printer "{printer.name}" eat a card of target "{target.name}"'
    raise CardgenError.of(problems or [Problem("print/printer-margin", least, hint=hint)])


class _Room(NamedTuple):
    """One direction of a sheet.

    kept, lost: the margin on either side that the target has, and the printer on top of it
    folded: whether it lies across the fold
    """

    lanes: str
    card: float
    paper: float
    gap: float
    kept: float
    lost: float
    folded: bool


def _find_eaten(
    printer: Printer, card: Size, target: Target, lost: Insets, fold: Axis | None
) -> Iterator[Problem]:
    """Return where the printer's margins leave less than so many cards need as the target's do."""
    page, grid, kept = target.page, target.grid, target.paper.margin
    for room in (
        _Room(
            "columns", card.width, page.width, grid.gap_x,
            max(kept.left, kept.right), max(lost.left, lost.right), fold == "upright",
        ),
        _Room(
            "rows", card.height, page.height, grid.gap_y,
            max(kept.top, kept.bottom), max(lost.top, lost.bottom), fold == "level",
        ),
    ):  # fmt: skip
        halves, gutter = (2, grid.gutter) if room.folded else (1, 0.0)
        most = (room.paper - 2 * room.kept - gutter) / halves
        number = int((most + room.gap + _SLACK) // (room.card + room.gap))
        needed = halves * (number * room.card + (number - 1) * room.gap) + gutter
        left = room.paper - 2 * room.lost
        if needed > left + _SLACK:
            apart = f" and a gutter of {format_mm(gutter)}" if gutter else ""
            yield Problem(
                "print/printer-margin",
                f'the margin of the printer "{printer.name}" eats a card of target '
                f'"{target.name}": {halves * number} {room.lanes}{apart} need '
                f"{format_mm(needed)}, but the paper's {format_mm(room.paper)} less "
                f"2 x {format_mm(room.lost)} of margin leave {format_mm(left)}",
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
