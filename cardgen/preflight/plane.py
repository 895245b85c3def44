"""Boxes and matrices as a PDF has them: points, origin bottom left, y upwards.

Pure arithmetic; knows nothing of pages or of what is painted.
"""

from __future__ import annotations

from math import hypot, isfinite, sqrt
from typing import NamedTuple


class Box(NamedTuple):
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    def meet(self, other: Box) -> Box | None:
        """What both have in common, be it a line without width."""
        x0, y0 = max(self.x0, other.x0), max(self.y0, other.y0)
        x1, y1 = min(self.x1, other.x1), min(self.y1, other.y1)
        return Box(x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 else None

    def contains(self, other: Box, tolerance: float) -> bool:
        return (
            other.x0 >= self.x0 - tolerance
            and other.y0 >= self.y0 - tolerance
            and other.x1 <= self.x1 + tolerance
            and other.y1 <= self.y1 + tolerance
        )

    def grow(self, x: float, y: float) -> Box:
        return Box(self.x0 - x, self.y0 - y, self.x1 + x, self.y1 + y)


class Matrix(NamedTuple):
    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def then(self, after: Matrix) -> Matrix:
        """This one, and the other applied to what comes out."""
        a, b, c, d, e, f = self
        return Matrix(
            a * after.a + b * after.c,
            a * after.b + b * after.d,
            c * after.a + d * after.c,
            c * after.b + d * after.d,
            e * after.a + f * after.c + after.e,
            e * after.b + f * after.d + after.f,
        )

    def place(self, box: Box) -> Box:
        """The upright box around a box that is turned or stretched."""
        a, b, c, d, e, f = self
        if b == 0 == c:
            x = (a * box.x0 + e, a * box.x1 + e)
            y = (d * box.y0 + f, d * box.y1 + f)
            return Box(min(x), min(y), max(x), max(y))
        corners = [(x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
        xs = [a * x + c * y + e for x, y in corners]
        ys = [b * x + d * y + f for x, y in corners]
        return Box(min(xs), min(ys), max(xs), max(ys))

    @property
    def scale(self) -> float:
        """By how much lengths grow, on the mean of both axes."""
        return sqrt(abs(self.a * self.d - self.b * self.c))

    @property
    def scale_x(self) -> float:
        return hypot(self.a, self.b)

    @property
    def scale_y(self) -> float:
        return hypot(self.c, self.d)


IDENTITY = Matrix(1, 0, 0, 1, 0, 0)
UNIT = Box(0, 0, 1, 1)


def make_box(numbers: tuple[float, ...] | None) -> Box | None:
    """A box from two opposite corners in any order."""
    if numbers is None or len(numbers) != 4 or not all(map(isfinite, numbers)):
        return None
    x0, y0, x1, y1 = numbers
    return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def make_matrix(numbers: tuple[float, ...] | None) -> Matrix | None:
    if numbers is None or len(numbers) != 6 or not all(map(isfinite, numbers)):
        return None
    return Matrix(*numbers)
