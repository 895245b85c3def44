"""Turns the occupied cells of a grid into marks: to cut by, or by which a cutter finds the sheet.

Must not know what the cards show or how a mark is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import NamedTuple

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.shape import Contour
from cardgen.core.units import MM, format_mm
from cardgen.pages.places import Grid, fills_sheet, fit_grid
from cardgen.pages.target import SHORTEST_MARK, MarkKeys, Target

_SLACK = 1e-6


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


# As cutters and print shops know it.
DIE_INK = "CutContour"


class Cut(NamedTuple):
    """A closed line to cut along, drawn on top of the cards, in points on the page.

    halo: how much white stands on either side of it, so that it shows on dark cards too
    spot: whether it has an ink of its own, the die's
    """

    contour: Contour
    weight: float
    halo: float = 0.0
    spot: bool = False


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
# the bottom left. Near them it must find nothing else. Its program draws them with a stroke, and
# measures from the edge of the paper, and along a mark, to the middle of that stroke.

FROM_EDGE = 10 * MM
SQUARE = 5 * MM
THICK = 1 * MM
# What must stay white about a mark.
CLEAR = 0.25 * MM


def fit_lanes(card: Size, target: Target) -> Target:
    """Return the target with as many columns and rows as keep clear of a cutter's marks.

    What it says of columns or rows itself stays as it is.
    """
    paper = target.paper.size
    if target.marks.style != "silhouette" or paper is None or fills_sheet(card, paper):
        return target
    grid = fit_grid(card, target)
    shown = target.show_bleed("front", Insets.even(inf))
    marks = [measure_mark(mark) for mark in _draw_marks(Rect(0, 0, *paper), target.marks.length)]

    def is_clear(columns: int, rows: int) -> bool:
        fewer = fit_grid(card, target.change(columns=columns, rows=rows))
        bleed = fewer.bounds.outset(shown)
        return all(_measure_room(mark, bleed) >= CLEAR - _SLACK for mark in marks)

    if is_clear(grid.columns, grid.rows):
        return target
    best: tuple[int, int, int] | None = None
    for columns in [grid.columns] if target.grid.columns else range(grid.columns, 0, -1):
        for rows in [grid.rows] if target.grid.rows else range(grid.rows, 0, -1):
            if best is not None and columns * rows <= best[0]:
                break
            if is_clear(columns, rows):
                best = columns * rows, columns, rows
                break
    return target if best is None else target.change(columns=best[1], rows=best[2])


def draw_cut(contour: Contour, marks: MarkKeys) -> Cut:
    """Return the line along which a card is cut out by hand."""
    return Cut(contour, marks.weight, marks.weight)


def list_taken(target: Target) -> list[Rect]:
    """Return what must stay white on a sheet that is cut by a machine."""
    if target.marks.style != "silhouette":
        return []
    marks = _draw_marks(Rect(0, 0, *target.page), target.marks.length)
    return [measure_mark(mark).outset(Insets.even(CLEAR)) for mark in marks]


def draw_registration(target: Target) -> tuple[Mark, ...]:
    """Return a cutter's three marks, from which the cards keep away."""
    return _draw_marks(Rect(0, 0, *target.page), target.marks.length)


def place_registration(grid: Grid, bleed: Rect, target: Target) -> tuple[Mark, ...]:
    """Return a cutter's three marks; none on paper that a play sheet fills."""
    paper = Rect(0, 0, *grid.paper)
    if grid.bounds.contains(paper):
        return ()
    marks = _draw_marks(paper, target.marks.length)
    for mark, name in zip(marks, _NAMES, strict=True):
        _check_clear(measure_mark(mark), name, bleed, target)
    return marks


_NAMES = (
    "the square at the top left",
    *("the mark at the top right",) * 2,
    *("the mark at the bottom left",) * 2,
)


def _draw_marks(paper: Rect, length: float) -> tuple[Mark, ...]:
    """Return the square, then the level and the upright arm of each L."""
    inside = paper.inset(Insets.even(FROM_EDGE))
    left, top, right, bottom = inside.x, inside.y, inside.right, inside.bottom
    half, square = THICK / 2, SQUARE + THICK
    middle = top - half + square / 2
    return (
        Mark(left - half, middle, left - half + square, middle, square),
        Mark(right - length, top, right + half, top, THICK),
        Mark(right, top - half, right, top + length, THICK),
        Mark(left - half, bottom, left + length, bottom, THICK),
        Mark(left, bottom - length, left, bottom + half, THICK),
    )


def _measure_room(mark: Rect, bleed: Rect) -> float:
    """Return how far cards and their bleed stay from a mark; 0 or less where they lie on it."""
    across = max(mark.x - bleed.right, bleed.x - mark.right)
    down = max(mark.y - bleed.bottom, bleed.y - mark.bottom)
    return max(across, down)


def _check_clear(mark: Rect, name: str, bleed: Rect, target: Target) -> None:
    """Complain of cards or bleed too near to a mark."""
    room = _measure_room(mark, bleed)
    if room >= CLEAR - _SLACK:
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
