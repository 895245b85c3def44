"""The shape of a card: the closed line along which it is cut out of its rectangle.

A `Shape` is kept for a square of 1, so that it serves every size; a `Contour` is one at its place,
in points, y downwards. Knows nothing of templates, sheets or files.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import ceil, hypot
from typing import Literal, NamedTuple

from cardgen.core.geometry import Box, Rect

Point = tuple[float, float]
Segment = tuple[Literal["M", "L", "C", "Z"], tuple[float, ...]]
ShapeName = Literal["rectangle", "rounded", "circle", "hexagon", "path"]

# How far a Bézier's handles reach along the tangents to draw a quarter circle.
KAPPA = 0.5522847498
_SAME = 1e-6
_FLATNESS = 0.02  # in points: far less than a knife or a printer shows


class Contour(NamedTuple):
    """One closed line."""

    segments: tuple[Segment, ...]

    def list_points(self, flatness: float = _FLATNESS) -> tuple[Point, ...]:
        """Return its corners, with curves as so many straight lines; the last meets the first."""
        return _flatten(self.segments, flatness)

    @property
    def bounds(self) -> Rect:
        points = self.list_points()
        left, top = min(x for x, _ in points), min(y for _, y in points)
        right, bottom = max(x for x, _ in points), max(y for _, y in points)
        return Rect(left, top, right - left, bottom - top)

    def moved(self, dx: float, dy: float) -> Contour:
        return Contour(_map(self.segments, lambda x, y: (x + dx, y + dy)))

    def flipped(self, height: float) -> Contour:
        """Return the same with y upwards from the bottom of a page of this height."""
        return Contour(_map(self.segments, lambda x, y: (x, height - y)))

    def measure_room(self, box: Box) -> float:
        """Return how far a box stays within the line; less than 0 where it does not."""
        points = self.list_points()
        corners = ((box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1))
        if not all(_is_within(corner, points) for corner in corners):
            return -max(
                _measure_to_line(corner, points)
                for corner in corners
                if not _is_within(corner, points)
            )
        # Both are polygons: where they are nearest, one of them has a corner.
        from_box = min(_measure_to_line(corner, points) for corner in corners)
        return min(from_box, min(_measure_to_box(point, box) for point in points))

    def touches(self, box: Box) -> bool:
        """Say whether any part of a box lies within the line."""
        points = self.list_points()
        corners = ((box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1))
        return any(_is_within(corner, points) for corner in corners) or any(
            box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for x, y in points
        )


class Shape(NamedTuple):
    """What a card is cut to.

    unit: its line in a square of 1; none where it is a rectangle, be it with round corners
    radius: that of round corners, in points
    """

    name: ShapeName = "rectangle"
    unit: tuple[Segment, ...] = ()
    radius: float = 0.0

    @property
    def is_loose(self) -> bool:
        """Whether a ruler and straight cuts from edge to edge do not cut it out."""
        return bool(self.unit)

    @property
    def has_line(self) -> bool:
        """Whether it is anything but a plain rectangle."""
        return self.name != "rectangle"

    @property
    def nests(self) -> bool:
        """Whether more of them fit where every second row is moved by half a card."""
        return self.name in ("circle", "hexagon")

    def mirror(self) -> Shape:
        """Return the shape as it is seen from behind."""
        if self.name != "path":
            return self
        return self._replace(unit=_map(self.unit, lambda x, y: (1 - x, y)))

    def is_back_of(self, front: Shape) -> bool:
        """Say whether a back that says this may lie behind a front; one that says nothing may."""
        if self.name == "path" and front.name == "path":
            return _name_points(self) in (_name_points(front), _name_points(front.mirror()))
        return self in (RECTANGLE, front)

    def trace(self, rect: Rect, *, turned: bool = False, scale: float = 1.0) -> Contour:
        """Return its line in a rectangle; scale: by how much the card is larger there."""
        if not self.unit:
            return Contour(trace_rounded(rect, self.radius * scale))
        if turned:
            x, y, width, height = rect.right, rect.bottom, -rect.width, -rect.height
        else:
            x, y, width, height = rect
        return Contour(_map(self.unit, lambda u, v: (x + u * width, y + v * height)))


RECTANGLE = Shape()
_SQUARE = Rect(0, 0, 100, 100)


def make_circle() -> Shape:
    return Shape("circle", trace_rounded(Rect(0, 0, 1, 1), 0.5))


def make_hexagon(*, pointed: bool) -> Shape:
    """Return a hexagon that fills its rectangle, flat or with a corner at its top."""
    flat: tuple[Point, ...] = ((0.25, 0), (0.75, 0), (1, 0.5), (0.75, 1), (0.25, 1), (0, 0.5))
    # Either way clockwise.
    points = [(y, x) for x, y in reversed(flat)] if pointed else list(flat)
    first, *rest = points
    lines: tuple[Segment, ...] = tuple(("L", point) for point in rest)
    return Shape("hexagon", (("M", first), *lines, ("Z", ())))


def trace_rounded(rect: Rect, radius: float) -> tuple[Segment, ...]:
    """Return a rectangle, with round corners where the radius is above 0."""
    r = min(radius, rect.width / 2, rect.height / 2)
    return trace_corners(rect, r, r)


def trace_corners(rect: Rect, rx: float, ry: float) -> tuple[Segment, ...]:
    """Return a rectangle, with corners of ellipses where both radii are above 0."""
    x, y, right, bottom = rect.x, rect.y, rect.right, rect.bottom
    if rx <= 0 or ry <= 0:
        return (
            ("M", (x, y)),
            ("L", (right, y)),
            ("L", (right, bottom)),
            ("L", (x, bottom)),
            ("Z", ()),
        )
    u, v = rx * (1 - KAPPA), ry * (1 - KAPPA)
    return (
        ("M", (x + rx, y)),
        ("L", (right - rx, y)),
        ("C", (right - u, y, right, y + v, right, y + ry)),
        ("L", (right, bottom - ry)),
        ("C", (right, bottom - v, right - u, bottom, right - rx, bottom)),
        ("L", (x + rx, bottom)),
        ("C", (x + u, bottom, x, bottom - v, x, bottom - ry)),
        ("L", (x, y + ry)),
        ("C", (x, y + v, x + u, y, x + rx, y)),
        ("Z", ()),
    )


def _name_points(shape: Shape) -> frozenset[Point]:
    return frozenset((round(x, 2), round(y, 2)) for x, y in shape.trace(_SQUARE).list_points(0.1))


# Arithmetic


def _map(
    segments: tuple[Segment, ...], place: Callable[[float, float], Point]
) -> tuple[Segment, ...]:
    found: list[Segment] = []
    for operator, values in segments:
        pairs = zip(values[::2], values[1::2], strict=True)
        found.append((operator, tuple(v for pair in pairs for v in place(*pair))))
    return tuple(found)


@lru_cache(maxsize=512)
def _flatten(segments: tuple[Segment, ...], flatness: float) -> tuple[Point, ...]:
    points: list[Point] = []
    for operator, values in segments:
        if operator == "C":
            points += _flatten_curve(points[-1], values, flatness)
        elif operator != "Z":
            points.append((values[0], values[1]))
    kept: list[Point] = []
    for point in points:
        if not kept or hypot(point[0] - kept[-1][0], point[1] - kept[-1][1]) > _SAME:
            kept.append(point)
    if len(kept) > 1 and hypot(kept[0][0] - kept[-1][0], kept[0][1] - kept[-1][1]) <= _SAME:
        kept.pop()
    return tuple(kept)


def _flatten_curve(start: Point, values: tuple[float, ...], flatness: float) -> list[Point]:
    """Return points along a Bézier curve behind its start: so many that no line strays farther."""
    (x0, y0), (x1, y1, x2, y2, x3, y3) = start, values
    bend = max(hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2), hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3))
    steps = max(1, ceil((0.75 * bend / flatness) ** 0.5))
    found = []
    for step in range(1, steps + 1):
        t = step / steps
        s = 1 - t
        a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        found.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return found


def _is_within(point: Point, polygon: tuple[Point, ...]) -> bool:
    x, y = point
    inside = False
    ax, ay = polygon[-1]
    for bx, by in polygon:
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
        ax, ay = bx, by
    return inside


def _measure_to_line(point: Point, polygon: tuple[Point, ...]) -> float:
    """Return how far a point is from the nearest edge."""
    x, y = point
    nearest = float("inf")
    ax, ay = polygon[-1]
    for bx, by in polygon:
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        along = ((x - ax) * dx + (y - ay) * dy) / length if length else 0.0
        along = min(max(along, 0.0), 1.0)
        nearest = min(nearest, hypot(ax + along * dx - x, ay + along * dy - y))
        ax, ay = bx, by
    return nearest


def _measure_to_box(point: Point, box: Box) -> float:
    x, y = point
    return hypot(max(box.x0 - x, x - box.x1, 0.0), max(box.y0 - y, y - box.y1, 0.0))
