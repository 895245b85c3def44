"""Finds the places of cards that are no rectangles, and how far each may paint.

Circles and hexagons nest: every second row, or column, is moved by half a card, where that holds
more than a grid. Behind a place lies its mirror image, so that backs fall behind fronts wherever
the places are. Must not know how many cards there are, or what they show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product, zip_longest
from math import cos, hypot, pi, sin, sqrt

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Box, Insets, Rect, Size
from cardgen.core.shape import Point, Shape
from cardgen.core.units import MM
from cardgen.pages.places import Grid, fills_sheet, fit_grid
from cardgen.pages.target import Axis, Target

# What lies between cards that share no cut, where the target has no gap.
BETWEEN = 3 * MM
_SLACK = 0.01
_HALF_ROOT = sqrt(3) / 2
_CORNERS = 48  # of the polygon around a circle
_SAME = 1e-4
# How far a card paints beyond the middle, so that no white hair shows between it and the next.
_OVER = 0.1

Polygon = tuple[Point, ...]


def part_cards(target: Target, shape: Shape) -> Target:
    """Return the target with a gap between cards that share no cut, of which each bleeds half.

    Hexagons do share them, as rectangles do.
    """
    grid = target.grid
    if target.paper.size is None or not shape.is_loose or shape.name == "hexagon":
        return target
    across, down = grid.gap_x or BETWEEN, grid.gap_y or BETWEEN
    if shape.nests:
        across = down = max(across, down)
    return target.change(
        gap_x=across,
        gap_y=down,
        bleed_x=min(grid.bleed_x, across / 2),
        bleed_y=min(grid.bleed_y, down / 2),
    )


def fit_nest(card: Size, target: Target, shape: Shape, keep_off: Sequence[Rect] = ()) -> Grid:
    """Return the places for a shape that is no rectangle: those of a grid, or nested ones where
    they are more. None covers what it must keep off.

    Where the target names columns or rows, it has a grid of them.
    """
    grid = fit_grid(card, target)
    paper = target.paper.size
    assert paper is not None
    if fills_sheet(card, paper):
        return grid
    found = [grid.cells]
    if shape.nests and not target.grid.columns and not target.grid.rows:
        found += _list_nests(card, target, shape, paper)
    free = [_list_free(cells, shape, keep_off) for cells in found]
    best = max(free, key=len)
    if not best:
        raise CardgenError(
            "print/mark-covered",
            f'no card of target "{target.name}" keeps clear of the marks of the cutter',
            target.find_place("marks"),
            "choose larger paper",
        )
    bounds = best[0]
    for cell in best:
        bounds = bounds.join(cell)
    return Grid(paper, len(best), 1, best, bounds)


def _list_free(cells: Sequence[Rect], shape: Shape, keep_off: Sequence[Rect]) -> tuple[Rect, ...]:
    """Return the places whose line keeps out of some rectangles."""
    return tuple(cell for cell in cells if not any(_covers(cell, shape, rect) for rect in keep_off))


def _covers(cell: Rect, shape: Shape, rect: Rect) -> bool:
    if not cell.overlaps(rect) or not shape.nests:  # of which the whole rectangle is painted
        return cell.overlaps(rect)
    contour = shape.trace(cell)
    middle = rect.x + rect.width / 2, rect.y + rect.height / 2
    if contour.measure_room(Box(*middle, *middle)) > 0:
        return True
    return any(
        rect.x < x < rect.right and rect.y < y < rect.bottom for x, y in contour.list_points()
    )


def _list_nests(
    card: Size, target: Target, shape: Shape, paper: Size
) -> Iterator[tuple[Rect, ...]]:
    """Yield the ways in which cards nest: circles in rows and in columns, hexagons in one."""
    gap = max(target.grid.gap_x, target.grid.gap_y)
    margin = target.paper.margin
    wide, high = max(margin.left, margin.right), max(margin.top, margin.bottom)
    room = Size(paper.width - 2 * wide, paper.height - 2 * high)
    lying = Size(card.height, card.width)
    if shape.name == "circle" or card.height > card.width:
        rows = _nest(card, room, gap, shape)
        yield _centre([cell for row in rows for cell in row], paper)
    if shape.name == "circle" or card.width > card.height:
        columns = _nest(lying, Size(room.height, room.width), gap, shape)
        cells = (cell for row in zip_longest(*columns) for cell in row if cell is not None)
        yield _centre([Rect(cell.y, cell.x, *card) for cell in cells], paper)


def _nest(card: Size, room: Size, gap: float, shape: Shape) -> list[list[Rect]]:
    """Return places in rows, every second one moved to the right by half a card and half a gap."""
    across = card.width + gap
    down = 0.75 * card.height + _HALF_ROOT * gap if shape.name == "hexagon" else across * _HALF_ROOT
    rows: list[list[Rect]] = []
    while len(rows) * down + card.height <= room.height + _SLACK:
        x, y = across / 2 * (len(rows) % 2), len(rows) * down
        rows.append([])
        while x + card.width <= room.width + _SLACK:
            rows[-1].append(Rect(x, y, *card))
            x += across
    return rows


def _centre(cells: Sequence[Rect], paper: Size) -> tuple[Rect, ...]:
    if not cells:
        return ()
    left, right = min(cell.x for cell in cells), max(cell.right for cell in cells)
    top, bottom = min(cell.y for cell in cells), max(cell.bottom for cell in cells)
    dx, dy = (paper.width - left - right) / 2, (paper.height - top - bottom) / 2
    return tuple(cell.moved(dx, dy) for cell in cells)


def mirror_places(cells: Sequence[Rect], paper: Size, axis: Axis | None) -> tuple[Rect, ...]:
    """Return where the places lie on the back of a sheet that is turned about an axis."""
    if axis == "upright":
        return tuple(Rect(paper.width - cell.right, cell.y, *cell.size) for cell in cells)
    if axis == "level":
        return tuple(Rect(cell.x, paper.height - cell.bottom, *cell.size) for cell in cells)
    return tuple(cells)


# How far a card may paint


def clip_places(
    cells: Sequence[Rect], shape: Shape, shown: Insets, paper: Size
) -> list[tuple[Rect, Polygon]]:
    """Return for each place how far its card may paint: its own shape grown by the bleed, and
    no nearer to a neighbour than to itself. A polygon of nothing is the whole rectangle.
    """
    if not cells:
        return []
    sheet = Rect(0, 0, *paper)
    size = cells[0].size
    grown = _grow(shape, size, max(shown))
    # Seen so, hexagons have equal sides.
    stretch = _stretch(shape, size)
    # Farther away no other card meets this one's bleed.
    reach = hypot(*size) + 2 * max(shown)
    fields: dict[tuple[int, int], list[Rect]] = {}
    for cell in cells:
        fields.setdefault((int(cell.x // reach), int(cell.y // reach)), []).append(cell)
    known: dict[object, Polygon] = {}
    found = []
    for cell in cells:
        clip = cell.outset(shown).meet(sheet)
        column, row = int(cell.x // reach), int(cell.y // reach)
        near = [
            (other.x - cell.x, other.y - cell.y)
            for field in product(range(column - 1, column + 2), range(row - 1, row + 2))
            for other in fields.get(field, ())
            if other is not cell and hypot(other.x - cell.x, other.y - cell.y) < reach
        ]
        local = clip.moved(-cell.x, -cell.y)
        key = tuple(round(v, 3) for v in (*local, *(v for way in near for v in way)))
        if key not in known:
            known[key] = _cut_polygon(local, grown, near, size, stretch)
        found.append((clip, tuple((x + cell.x, y + cell.y) for x, y in known[key])))
    return found


def _stretch(shape: Shape, size: Size) -> Point:
    if shape.name != "hexagon":
        return 1.0, 1.0
    across, down = (1.0, _HALF_ROOT) if size.width > size.height else (_HALF_ROOT, 1.0)
    return across / size.width, down / size.height


def _grow(shape: Shape, size: Size, bleed: float) -> Polygon:
    """Return a shape from its corner, grown on all sides; nothing where its rectangle is enough."""
    across, down = size.width / 2, size.height / 2
    if shape.name == "circle":
        radius = (across + bleed) / cos(pi / _CORNERS)  # outside the circle everywhere
        angles = (2 * pi * (number + 0.5) / _CORNERS for number in range(_CORNERS))
        return tuple((across + radius * cos(a), down + radius * sin(a)) for a in angles)
    if shape.name == "hexagon":
        by = 1 + bleed / min(across, down)
        points = shape.trace(Rect(0, 0, *size)).list_points()
        return tuple((across + (x - across) * by, down + (y - down) * by) for x, y in points)
    return ()


def _cut_polygon(
    clip: Rect, grown: Polygon, near: Sequence[Point], size: Size, stretch: Point
) -> Polygon:
    """Return a rectangle cut by a grown shape and halfway to each neighbour."""
    corners = (
        (clip.x, clip.y),
        (clip.right, clip.y),
        (clip.right, clip.bottom),
        (clip.x, clip.bottom),
    )
    polygon: list[Point] = list(corners)
    for a, b in zip(grown, (*grown[1:], *grown[:1]), strict=True):
        # Left of the way from a to b lies the inside, y downwards.
        polygon = _cut_half(polygon, b[1] - a[1], a[0] - b[0], a[0] * b[1] - a[1] * b[0])
    middle = size.width / 2, size.height / 2
    for dx, dy in near:
        wide, high = dx * stretch[0] ** 2, dy * stretch[1] ** 2
        half = wide * (middle[0] + dx / 2) + high * (middle[1] + dy / 2)
        polygon = _cut_half(polygon, wide, high, half + _OVER * hypot(wide, high))
    kept = [
        p for p, before in zip(polygon, polygon[-1:] + polygon, strict=False) if _apart(p, before)
    ]
    is_whole = len(kept) == 4 and all(any(not _apart(p, c) for c in corners) for p in kept)
    return () if is_whole else tuple(kept)


def _apart(one: Point, other: Point) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) > _SAME


def _cut_half(polygon: list[Point], a: float, b: float, most: float) -> list[Point]:
    """Return the part of a convex polygon in which a x + b y is not above a number."""
    found: list[Point] = []
    for start, end in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        from_, to = a * start[0] + b * start[1] - most, a * end[0] + b * end[1] - most
        if from_ <= 0:
            found.append(start)
        if (from_ < 0 < to) or (to < 0 < from_):
            along = from_ / (from_ - to)
            found.append(
                (start[0] + along * (end[0] - start[0]), start[1] + along * (end[1] - start[1]))
            )
    return found
