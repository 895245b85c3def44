"""Flat pictures set up in space, and seen by a camera.

x runs to the right, y upwards, z towards whoever looks; a card is 1 wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin
from typing import NamedTuple


class Point(NamedTuple):
    x: float
    y: float
    z: float = 0.0

    def __sub__(self, other: Point) -> Point:
        return Point(self.x - other.x, self.y - other.y, self.z - other.z)

    def plus(self, other: Point, times: float = 1.0) -> Point:
        return Point(self.x + other.x * times, self.y + other.y * times, self.z + other.z * times)

    def turned(self, axis: str, degrees: float) -> Point:
        """Return a point turned about an axis as the fingers of a right hand point."""
        c, s = cos(radians(degrees)), sin(radians(degrees))
        x, y, z = self
        if axis == "x":
            return Point(x, y * c - z * s, y * s + z * c)
        if axis == "y":
            return Point(x * c + z * s, y, -x * s + z * c)
        return Point(x * c - y * s, x * s + y * c, z)


# The corners of a picture in space: top left, top right, bottom right, bottom left.
Panel = tuple[Point, Point, Point, Point]
# And where a camera sees them, in pixels.
Quad = tuple[tuple[float, float], ...]


def make_panel(width: float, height: float) -> Panel:
    """Return an upright panel about the middle."""
    x, y = width / 2, height / 2
    return Point(-x, y), Point(x, y), Point(x, -y), Point(-x, -y)


def move(panel: Panel, by: Point) -> Panel:
    a, b, c, d = (corner.plus(by) for corner in panel)
    return a, b, c, d


def turn(panel: Panel, axis: str, degrees: float) -> Panel:
    a, b, c, d = (corner.turned(axis, degrees) for corner in panel)
    return a, b, c, d


class Camera(NamedTuple):
    """A camera that looks at a point from a distance.

    pitch: by how many degrees it looks down
    scale: the pixels to a unit where it looks at
    middle: where that is on the picture
    """

    at: Point
    pitch: float
    distance: float
    scale: float
    middle: tuple[float, float]

    def see(self, point: Point) -> tuple[float, float]:
        x, y, z = (point - self.at).turned("x", self.pitch)
        grown = self.scale * self.distance / (self.distance - z)
        return self.middle[0] + x * grown, self.middle[1] - y * grown

    def look(self, panel: Sequence[Point]) -> Quad:
        return tuple(self.see(corner) for corner in panel)


def find_warp(quad: Quad, width: float, height: float) -> tuple[float, ...]:
    """Return the eight numbers by which Pillow finds, for each pixel of a picture, where in a flat
    one of this size it looks.
    """
    flat = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    rows: list[list[float]] = []
    for (x, y), (u, v) in zip(quad, flat, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    return _solve(rows)


def _solve(rows: list[list[float]]) -> tuple[float, ...]:
    """Solve linear equations, whose right sides stand last."""
    count = len(rows)
    for at in range(count):
        best = max(range(at, count), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        lead = rows[at][at]
        rows[at] = [value / lead for value in rows[at]]
        for other in range(count):
            if other != at and rows[other][at]:
                factor = rows[other][at]
                rows[other] = [
                    value - factor * own for value, own in zip(rows[other], rows[at], strict=True)
                ]
    return tuple(row[-1] for row in rows)
