"""Turns a sheet of cards into the marks by which a cutter finds them.

A Silhouette looks for a square at the top left and an L at the top right and bottom left. Near them
it must find nothing else. Must not know what the cards show.
"""

from __future__ import annotations

from cardgen.errors import CardgenError
from cardgen.geometry import Insets, Rect
from cardgen.pages.grid import Grid
from cardgen.pages.marks import Mark, find_extent
from cardgen.pages.target import Target
from cardgen.units import MM, format_mm

FROM_EDGE = 10 * MM
SQUARE = 5 * MM
THICK = 1 * MM
# What must stay white about a mark.
CLEAR = 0.5 * MM


def place_registration(grid: Grid, bleed: Rect, target: Target) -> tuple[Mark, ...]:
    """The three marks, on paper that the cards leave room for; none where a sheet fills it."""
    paper = Rect(0, 0, *grid.paper)
    if grid.bounds.contains(paper):
        return ()
    marks = _draw_marks(paper.inset(Insets.even(FROM_EDGE)), target.mark_length)
    for mark, name in zip(marks, _NAMES, strict=True):
        _check_clear(find_extent(mark), name, bleed, target)
    return marks


_NAMES = (
    "the square at the top left",
    *("the mark at the top right",) * 2,
    *("the mark at the bottom left",) * 2,
)


def _draw_marks(inside: Rect, length: float) -> tuple[Mark, ...]:
    """The square, then the level and the upright arm of each L."""
    half, middle = THICK / 2, inside.y + SQUARE / 2
    left, top, right, bottom = inside.x, inside.y, inside.right, inside.bottom
    return (
        Mark(left, middle, left + SQUARE, middle, SQUARE),
        Mark(right - length, top + half, right, top + half, THICK),
        Mark(right - half, top, right - half, top + length, THICK),
        Mark(left, bottom - half, left + length, bottom - half, THICK),
        Mark(left + half, bottom - length, left + half, bottom, THICK),
    )


def _check_clear(mark: Rect, name: str, bleed: Rect, target: Target) -> None:
    """Complain of cards, or their bleed, that come nearer to a mark than it can bear."""
    across = max(mark.x - bleed.right, bleed.x - mark.right)
    down = max(mark.y - bleed.bottom, bleed.y - mark.bottom)
    room = max(across, down)
    if room >= CLEAR - 1e-6:
        return
    less = "they lie on it" if room <= 0 else f"there is {format_mm(room)}"
    raise CardgenError(
        f'the cards of target "{target.name}" come too near to {name}: it needs '
        f"{format_mm(CLEAR)} of white around it, but {less}",
        target.find_place("marks"),
        "choose fewer columns or rows, a shorter mark_length, or larger paper",
    )
