"""What one printer does to a page, and what undoes it.

All that is measured is as one sees it against the light, the front towards the eye: x and y tell
how far the back landed to the right of its front and below it, rotation how far it is turned
clockwise, in degrees. The scales are what was printed over what was meant; they are taken to be the
same on both sides. Must not know where profiles are kept, nor what a page shows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, radians, sin
from typing import Literal, NamedTuple

from cardgen.core.errors import CardgenError, Problem
from cardgen.core.geometry import Insets, Matrix, Size
from cardgen.core.units import format_mm
from cardgen.pages.target import Axis, Side, Target

Flip = Literal["long-edge", "short-edge"]


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
    """Whether a target's pages are sheets for a printer like any: not for a press or a service."""
    return target.paper is not None and target.format == "pdf" and target.flavour == "plain"


def fit_target(target: Target, printer: Printer) -> Target:
    """The target on a printer: it turns the sheet as it does, and does not reach its margins."""
    margin = target.margin
    joined = Insets(
        max(margin.left, printer.left),
        max(margin.top, printer.top),
        max(margin.right, printer.right),
        max(margin.bottom, printer.bottom),
    )
    turned = printer.flip is not None and target.duplex != "none"
    return replace(
        target, margin=joined, duplex=printer.flip if turned and printer.flip else target.duplex
    )


class _Room(NamedTuple):
    """One direction of a sheet, and what the margins of target and printer take on either side."""

    lanes: str
    card: float
    paper: float
    gap: float
    kept: float
    lost: float


def complain_of_margins(printer: Printer, target: Target, card: Size) -> CardgenError:
    """What is said of a printer that does not reach as many cards as the target's sheet holds."""
    hint = "print with --printer none, or write a target with fewer columns or rows"
    problems = [replace(found, hint=hint) for found in _find_eaten(printer, card, target)]
    least = f'the margins of the printer "{printer.name}" eat a card of target "{target.name}"'
    return CardgenError.of(problems or [Problem("pages/todo", least, hint=hint)])


def _find_eaten(printer: Printer, card: Size, target: Target) -> list[Problem]:
    """Where the printer's margins leave less than so many cards need as the target's do."""
    old, new = target.margin, fit_target(target, printer).margin
    across = _Room(
        "columns", card.width, target.page.width, target.gap_x,
        max(old.left, old.right), max(new.left, new.right),
    )  # fmt: skip
    down = _Room(
        "rows", card.height, target.page.height, target.gap_y,
        max(old.top, old.bottom), max(new.top, new.bottom),
    )  # fmt: skip
    found = []
    for room in (across, down):
        folded = target.imposition == "gutterfold" and (room is across) == (
            target.fold == "upright"
        )
        halves, gutter = (2, target.gutter) if folded else (1, 0.0)
        most = (room.paper - 2 * room.kept - gutter) / halves
        number = int((most + room.gap + 0.01) // (room.card + room.gap))
        needed = halves * (number * room.card + (number - 1) * room.gap) + gutter
        left = room.paper - 2 * room.lost
        if needed > left + 0.01:
            apart = f" and a gutter of {format_mm(gutter)}" if gutter else ""
            found.append(
                Problem(
                    "pages/todo",
                    f'the margin of the printer "{printer.name}" eats a card of target '
                    f'"{target.name}": {halves * number} {room.lanes}{apart} need '
                    f"{format_mm(needed)}, but the paper's {format_mm(room.paper)} less "
                    f"2 x {format_mm(room.lost)} of margin leave {format_mm(left)}",
                )
            )
    return found


def find_correction(printer: Printer, paper: Size, side: Side, axis: Axis | None) -> Matrix | None:
    """What is to be done to a page so that it lands where it should; None where nothing is.

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
