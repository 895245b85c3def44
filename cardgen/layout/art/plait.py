"""Plaits: the interlaced ribbons of Celtic knotwork, traced in a rectangle divided into cells.

Each ribbon runs diagonally through the middles of the cells' sides. It crosses another where a side
lies between two cells, and bounces where it is an edge. Knows nothing of colours or cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import atan2, cos, dist, hypot, pi, sin, sqrt
from typing import NamedTuple

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Rect, Size
from cardgen.core.units import format_size
from cardgen.layout.art.curves import Move, Way, check_room, lay_way
from cardgen.layout.face import Segment

_MOST_CELLS = 40
# How much longer than the other a cell's side may be, and how wide a ribbon. Otherwise there is no
# room to turn in the corners.
_LONGEST = 6 / 5
_NARROWEST, _WIDEST = 0.1, 0.6

# How far ribbons run out beyond the cells they bounce in, in half widths: it opens the bends.
_OUTSIDE = 0.38
# How tight a corner is: 0 is the widest that has room; and its smallest radius, in half widths.
_TIGHTNESS = 0.5
_TIGHTEST = 1.1

# Between an upper ribbon and the cut end of a lower one: as a share of the ribbon's width, and at
# most as a share of the ground that shows between two ribbons.
GAP = 0.15
_MOST_GAP = 0.35
_HALVINGS = 30

# The middle of a cell's side, in halves of a cell from the top left; one number is odd, one even.
Spot = tuple[int, int]
Direction = tuple[int, int]


@lru_cache(maxsize=32)
def trace_plait(
    rect: Rect,
    columns: int,
    rows: int,
    hole_columns: int,
    hole_rows: int,
    ribbon: float,
    gap: float = GAP,
) -> tuple[Segment, ...]:
    """Return the ribbons' closed outlines, to be filled.

    There is a piece for each crossing, from the gap before it to the gap after; the piece passes
    above. The ribbon's width is a share of the distance between the middles of two that run side by
    side; the gap is a share of the ribbon's width.
    """
    if not 0 <= gap <= 1:
        raise Refusal("layout/ornament-figures", f"knotwork's gap must be from 0 to 1, not {gap:g}")
    plait = _plan(rect, columns, rows, hole_columns, hole_rows, ribbon)
    segments: list[Segment] = []
    for piece in plait.cut_pieces(min(2 * gap * plait.half, plait.most_gap)):
        segments.extend(piece.trace_outline())
    return tuple(segments)


@lru_cache(maxsize=32)
def trace_plait_edges(
    rect: Rect, columns: int, rows: int, hole_columns: int, hole_rows: int, ribbon: float
) -> tuple[Segment, ...]:
    """Return the ribbons' edges, to be stroked.

    The edges of a lower ribbon end at the upper's, so they suit outlines without a gap.
    """
    plait = _plan(rect, columns, rows, hole_columns, hole_rows, ribbon)
    segments: list[Segment] = []
    for piece in plait.cut_pieces(0):
        segments.extend(piece.trace_edges())
    return tuple(segments)


class _End(NamedTuple):
    """Where a piece's left and right edge end before an upper ribbon.

    Each ends so far along the piece and so far along the upper ribbon, whose middle line is `aside`
    away.
    """

    upper: Way
    aside: float
    left: tuple[float, float]
    right: tuple[float, float]


class _Piece(NamedTuple):
    """A ribbon between two gaps. Both its ends are seen from its middle."""

    way: Way
    half: float
    start: _End
    end: _End

    def trace_edges(self) -> Iterator[Segment]:
        length, start, end = self.way.length, self.start, self.end
        yield from self.way.trace(length - start.right[0], end.left[0], -self.half)
        yield from self.way.trace(length - start.left[0], end.right[0], self.half)

    def trace_outline(self) -> Iterator[Segment]:
        length, start, end = self.way.length, self.start, self.end
        yield from self.way.trace(length - start.right[0], end.left[0], -self.half)
        yield from _go_on(end.upper.trace(end.left[1], end.right[1], end.aside))
        yield from _go_on(self.way.trace(end.right[0], length - start.left[0], self.half))
        yield from _go_on(start.upper.trace(start.left[1], start.right[1], start.aside))
        yield "Z", ()


def _go_on(segments: Iterator[Segment]) -> Iterator[Segment]:
    """Segments without the M that begins them."""
    next(segments)
    return segments


class _Plait(NamedTuple):
    x: float
    y: float
    columns: int
    rows: int
    hole_columns: int
    hole_rows: int
    halves: tuple[float, float]  # of a cell's width and height
    half: float  # of the ribbon's width
    outside: tuple[float, float]
    most_gap: float

    def cut_pieces(self, gap: float) -> Iterator[_Piece]:
        ways = {node: self.lay(node) for node in self.list_crossings()}
        for way, before, after in ways.values():
            start = _cut_end(way.turn(), self.half, ways[before][0], self.half + gap)
            end = _cut_end(way, self.half, ways[after][0], self.half + gap)
            yield _Piece(way, self.half, start, end)

    def list_crossings(self) -> Iterator[Spot]:
        for j in range(1, 2 * self.rows):
            for i in range(1 + j % 2, 2 * self.columns, 2):
                if self.is_crossing(i, j):
                    yield i, j

    def is_crossing(self, i: int, j: int) -> bool:
        if i % 2:
            return self.has_cell(i // 2, j // 2 - 1) and self.has_cell(i // 2, j // 2)
        return self.has_cell(i // 2 - 1, j // 2) and self.has_cell(i // 2, j // 2)

    def has_cell(self, column: int, row: int) -> bool:
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            return False
        left, top = (self.columns - self.hole_columns) // 2, (self.rows - self.hole_rows) // 2
        return not (0 <= column - left < self.hole_columns and 0 <= row - top < self.hole_rows)

    def lay(self, node: Spot) -> tuple[Way, Spot, Spot]:
        """Return the upper ribbon's way over a crossing, and the crossings before and after."""
        # Upward where cells lie side by side, downward where one lies below the other. So a ribbon
        # is above and below in turn, however it bounces.
        rise = 1 if node[0] % 2 else -1
        before, (dx, dy), back = self.follow(node, (-1, -rise))
        after, _, ahead = self.follow(node, (1, rise))
        moves = [(length, -bend) for length, bend in reversed(back)] + ahead
        x, y = self.x + before[0] * self.halves[0], self.y + before[1] * self.halves[1]
        heading = atan2(-dy * self.halves[1], -dx * self.halves[0])
        return lay_way(x, y, heading, moves), before, after

    def follow(self, node: Spot, heading: Direction) -> tuple[Spot, Direction, list[Move]]:
        """Return the next crossing on the way from one, the heading there, and the moves to it."""
        (i, j), (dx, dy) = node, heading
        bounces: list[bool] = []  # whether off a level edge
        turn = 0
        while True:
            i, j = i + dx, j + dy
            if self.is_crossing(i, j):
                break
            level = bool(i % 2)
            bounces.append(level)
            turn = (-1 if level else 1) * dx * dy
            dx, dy = (dx, -dy) if level else (-dx, dy)
        if not bounces:
            return (i, j), (dx, dy), [(hypot(*self.halves), 0.0)]
        if len(bounces) == 1:
            there = self.swerve(bounces[0])
            moves = [*there, *reversed(there)]
        else:
            moves = self.turn_corner(bounces[0])
        return (i, j), (dx, dy), [(length, bend * turn) for length, bend in moves]

    def swerve(self, level: bool) -> list[Move]:
        """Return the moves from a crossing to where the way runs along an edge, clockwise."""
        along, across = self.halves if level else reversed(self.halves)
        slope = atan2(across, along)
        depth = self.half - (self.outside[1] if level else self.outside[0])
        radius = depth * cos(slope) / (1 - cos(slope))
        lead = (along - radius * sin(slope)) / cos(slope)
        return [(lead, 0.0), (slope * radius, 1 / radius)]

    def turn_corner(self, level: bool) -> list[Move]:
        """Return the moves from a crossing round a corner to the next crossing, clockwise."""
        rooms = [
            half + outside - self.half
            for half, outside in zip(self.halves, self.outside, strict=True)
        ]
        widest = min(rooms)
        radius = widest + _TIGHTNESS * min(0, _TIGHTEST * self.half - widest)
        first, last = rooms if level else reversed(rooms)
        return [
            *self.swerve(level),
            (first - radius, 0.0),
            (pi / 2 * radius, 1 / radius),
            (last - radius, 0.0),
            *reversed(self.swerve(not level)),
        ]


def _cut_end(way: Way, half: float, upper: Way, reach: float) -> _End:
    """Return the cut that keeps a way's end so far from the middle of the upper ribbon."""
    left, right = (_get_cut(way, aside, upper, reach) for aside in (-half, half))
    x, y = way.get_point(left[0], -half)
    to_left, to_right = (dist((x, y), upper.get_point(left[1], aside)) for aside in (-reach, reach))
    aside = reach if to_right < to_left else -reach
    return _End(upper, aside, left, right)


def _get_cut(way: Way, aside: float, upper: Way, reach: float) -> tuple[float, float]:
    """Return the last place of a way's edge that keeps its distance to an upper ribbon.

    The second number is the place nearest to it on that ribbon.
    """
    near = far = way.length
    nearest = upper.locate(*way.get_point(far, aside))
    while nearest[0] < reach:
        near, far = far, far - reach / 4
        nearest = upper.locate(*way.get_point(far, aside))
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        found = upper.locate(*way.get_point(middle, aside))
        if found[0] < reach:
            near = middle
        else:
            far, nearest = middle, found
    return far, nearest[1]


def _plan(
    rect: Rect, columns: int, rows: int, hole_columns: int, hole_rows: int, ribbon: float
) -> _Plait:
    check_room(rect)
    _check_cells("columns", columns, hole_columns)
    _check_cells("rows", rows, hole_rows)
    if bool(hole_columns) != bool(hole_rows):
        raise Refusal(
            "layout/plait-hole",
            f"a hole of {hole_columns} by {hole_rows} cells is none; both must be 0 or neither",
        )
    if not _NARROWEST <= ribbon <= _WIDEST:
        raise Refusal(
            "layout/ornament-figures",
            f"knotwork's ribbon must be from {_NARROWEST:g} to {_WIDEST:g}, not {ribbon:g}",
        )
    width, height = rect.width / columns, rect.height / rows
    if max(width, height) > _LONGEST * min(width, height) * (1 + 1e-9):
        fitting = max(2, round(rect.height / width))
        raise Refusal(
            "layout/plait-cells",
            f"knotwork's cells would be {format_size(Size(width, height))}, too far from "
            f"square; {columns} columns ask for about {fitting} rows",
            details={"columns": columns, "rows": rows, "fitting": fitting},
        )
    share = _OUTSIDE * ribbon / sqrt(8)
    width, height = rect.width / (columns + 2 * share), rect.height / (rows + 2 * share)
    between = width * height / hypot(width, height)
    half = ribbon * between / 2
    return _Plait(
        rect.x + share * width,
        rect.y + share * height,
        columns,
        rows,
        hole_columns,
        hole_rows,
        (width / 2, height / 2),
        half,
        (share * width, share * height),
        _MOST_GAP * (between - 2 * half),
    )


def _check_cells(name: str, cells: int, hole: int) -> None:
    if not 2 <= cells <= _MOST_CELLS:
        raise Refusal(
            "layout/ornament-figures",
            f"knotwork has from 2 to {_MOST_CELLS} {name}, not {cells}",
        )
    if hole < 0:
        raise Refusal("layout/plait-hole", f"a hole cannot have {hole} {name}")
    if hole and cells - hole < 2:
        raise Refusal(
            "layout/plait-hole",
            f"a hole of {hole} {name} in {cells} leaves no knotwork at the sides; at most "
            f"{cells - 2} fit",
        )
    if hole and (cells - hole) % 2:
        raise Refusal(
            "layout/plait-hole",
            f"a hole of {hole} {name} cannot lie in the middle of {cells}; both must be even or "
            "both odd",
        )
