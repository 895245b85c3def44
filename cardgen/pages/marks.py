"""Turns the occupied cells of a grid into marks: to cut by, or by which a cutter finds the sheet.

Must not know what the cards show or how a mark is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Rect
from cardgen.core.units import MM, format_mm
from cardgen.pages.places import Grid
from cardgen.pages.target import SHORTEST_MARK, MarkKeys, Target


class Mark(NamedTuple):
    """A straight line to cut or to fold along, or for a cutter to find, in points on the page.

    dash: the lengths of its strokes and gaps; none where it is whole
    """

    x1: float
    y1: float
    x2: float
    y2: float
    weight: float
    dash: tuple[float, ...] = ()


class _Span(NamedTuple):
    """From where to where a mark reaches, measured outwards from the grid's edge."""

    near: float
    far: float


def measure_mark(mark: Mark) -> Rect:
    """Return the area that an upright or level mark paints."""
    half = mark.weight / 2
    x, right = sorted((mark.x1, mark.x2))
    y, bottom = sorted((mark.y1, mark.y2))
    if mark.x1 == mark.x2:
        x, right = x - half, right + half
    else:
        y, bottom = y - half, bottom + half
    return Rect(x, y, right - x, bottom - y)


def place_marks(grid: Grid, cells: Iterable[int], bleed: Rect, target: Target) -> tuple[Mark, ...]:
    """Return marks for each cut of the occupied cells, between the shown bleed and the margin.

    Where there is less room than the target's length they are shorter, or left out.
    """
    if target.marks.style == "none":
        return ()
    trims = [grid.cells[cell] for cell in cells]
    columns = _list_cuts((trim.x, trim.right) for trim in trims)
    rows = _list_cuts((trim.y, trim.bottom) for trim in trims)
    return (
        *_mark_columns(columns, grid, bleed, target),
        *_mark_rows(rows, grid, bleed, target),
    )


def _list_cuts(edges: Iterable[tuple[float, float]]) -> list[float]:
    """Return the places of all cuts in order; neighbours without a gap share one."""
    cuts = {round(place, 3): place for pair in edges for place in pair}
    return sorted(cuts.values())


def _mark_columns(cuts: list[float], grid: Grid, bleed: Rect, target: Target) -> Iterator[Mark]:
    top, bottom, weight = grid.bounds.y, grid.bounds.bottom, target.marks.weight
    height = grid.paper.height
    above = find_span(top - bleed.y, top - target.paper.margin.top, target.marks)
    below = find_span(
        bleed.bottom - bottom, height - target.paper.margin.bottom - bottom, target.marks
    )
    for x in cuts:
        if not _is_cut(x, weight, grid.paper.width):
            continue
        if above:
            yield Mark(x, top - above.far, x, top - above.near, weight)
        if below:
            yield Mark(x, bottom + below.near, x, bottom + below.far, weight)


def _mark_rows(cuts: list[float], grid: Grid, bleed: Rect, target: Target) -> Iterator[Mark]:
    left, right, weight = grid.bounds.x, grid.bounds.right, target.marks.weight
    width = grid.paper.width
    before = find_span(left - bleed.x, left - target.paper.margin.left, target.marks)
    after = find_span(bleed.right - right, width - target.paper.margin.right - right, target.marks)
    for y in cuts:
        if not _is_cut(y, weight, grid.paper.height):
            continue
        if before:
            yield Mark(left - before.far, y, left - before.near, y, weight)
        if after:
            yield Mark(right + after.near, y, right + after.far, y, weight)


def find_span(bleed: float, room: float, marks: MarkKeys) -> _Span | None:
    """Return from where to where a mark reaches; None where there is no room for one."""
    near = max(marks.offset, bleed)
    far = min(near + marks.length, room)
    return _Span(near, far) if far - near >= SHORTEST_MARK - 1e-6 else None


def _is_cut(place: float, weight: float, side: float) -> bool:
    """Tell whether to mark a cut: not on the paper's own edge, over which a mark would hang."""
    return weight / 2 <= place <= side - weight / 2


# For a cutter. A Silhouette looks for a square at the top left, and an L at the top right and at
# the bottom left. Near them it must find nothing else.

FROM_EDGE = 10 * MM
SQUARE = 5 * MM
THICK = 1 * MM
# What must stay white about a mark.
CLEAR = 0.5 * MM


def place_registration(grid: Grid, bleed: Rect, target: Target) -> tuple[Mark, ...]:
    """Return a cutter's three marks; none on paper that a play sheet fills."""
    paper = Rect(0, 0, *grid.paper)
    if grid.bounds.contains(paper):
        return ()
    marks = _draw_marks(paper.inset(Insets.even(FROM_EDGE)), target.marks.length)
    for mark, name in zip(marks, _NAMES, strict=True):
        _check_clear(measure_mark(mark), name, bleed, target)
    return marks


_NAMES = (
    "the square at the top left",
    *("the mark at the top right",) * 2,
    *("the mark at the bottom left",) * 2,
)


def _draw_marks(inside: Rect, length: float) -> tuple[Mark, ...]:
    """Return the square, then the level and the upright arm of each L."""
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
    """Complain of cards or bleed too near to a mark."""
    across = max(mark.x - bleed.right, bleed.x - mark.right)
    down = max(mark.y - bleed.bottom, bleed.y - mark.bottom)
    room = max(across, down)
    if room >= CLEAR - 1e-6:
        return
    less = "they lie on it" if room <= 0 else f"there is {format_mm(room)}"
    raise CardgenError(
        "print/mark-covered",
        f'the cards of target "{target.name}" come too near to {name}: it needs '
        f"{format_mm(CLEAR)} of white around it, but {less}",
        target.find_place("marks"),
        "choose fewer columns or rows, a shorter mark_length, or larger paper",
        details={"needed_mm": round(CLEAR / MM, 2), "room_mm": round(max(room, 0.0) / MM, 2)},
    )
