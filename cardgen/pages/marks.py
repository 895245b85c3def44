"""Turns the occupied cells of a grid into crop marks at its outer edges.

Must not know what the cards show or how a mark is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardgen.geometry import Rect
from cardgen.pages.grid import Grid
from cardgen.pages.target import SHORTEST_MARK, Target


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


def find_extent(mark: Mark) -> Rect:
    """What an upright or level mark paints."""
    half = mark.weight / 2
    x, right = sorted((mark.x1, mark.x2))
    y, bottom = sorted((mark.y1, mark.y2))
    if mark.x1 == mark.x2:
        x, right = x - half, right + half
    else:
        y, bottom = y - half, bottom + half
    return Rect(x, y, right - x, bottom - y)


def place_marks(grid: Grid, cells: Iterable[int], bleed: Rect, target: Target) -> tuple[Mark, ...]:
    """Marks for every cut line of the occupied cells, between the shown bleed and the margin.

    Where there is less room than the target's length they are shorter, or left out.
    """
    if target.marks == "none":
        return ()
    trims = [grid.cells[cell] for cell in cells]
    columns = _list_cuts((trim.x, trim.right) for trim in trims)
    rows = _list_cuts((trim.y, trim.bottom) for trim in trims)
    return (
        *_mark_columns(columns, grid, bleed, target),
        *_mark_rows(rows, grid, bleed, target),
    )


def _list_cuts(edges: Iterable[tuple[float, float]]) -> list[float]:
    """The places of all cuts in order; neighbours without a gap share one."""
    cuts = {round(place, 3): place for pair in edges for place in pair}
    return sorted(cuts.values())


def _mark_columns(cuts: list[float], grid: Grid, bleed: Rect, target: Target) -> Iterator[Mark]:
    top, bottom, weight = grid.bounds.y, grid.bounds.bottom, target.mark_weight
    height = grid.paper.height
    above = find_span(top - bleed.y, top - target.margin.top, target)
    below = find_span(bleed.bottom - bottom, height - target.margin.bottom - bottom, target)
    for x in cuts:
        if not _is_cut(x, weight, grid.paper.width):
            continue
        if above:
            yield Mark(x, top - above.far, x, top - above.near, weight)
        if below:
            yield Mark(x, bottom + below.near, x, bottom + below.far, weight)


def _mark_rows(cuts: list[float], grid: Grid, bleed: Rect, target: Target) -> Iterator[Mark]:
    left, right, weight = grid.bounds.x, grid.bounds.right, target.mark_weight
    width = grid.paper.width
    before = find_span(left - bleed.x, left - target.margin.left, target)
    after = find_span(bleed.right - right, width - target.margin.right - right, target)
    for y in cuts:
        if not _is_cut(y, weight, grid.paper.height):
            continue
        if before:
            yield Mark(left - before.far, y, left - before.near, y, weight)
        if after:
            yield Mark(right + after.near, y, right + after.far, y, weight)


def find_span(bleed: float, room: float, target: Target) -> _Span | None:
    """From where to where a mark reaches, or None where there is no room for one."""
    near = max(target.mark_offset, bleed)
    far = min(near + target.mark_length, room)
    return _Span(near, far) if far - near >= SHORTEST_MARK - 1e-6 else None


def _is_cut(place: float, weight: float, side: float) -> bool:
    """A trim on the paper's own edge needs no cut, and a mark there would hang over it."""
    return weight / 2 <= place <= side - weight / 2
