"""Sizes, insets, rectangles, boxes and matrices, in points.

A Rect has its origin at the top left, y downwards, as faces and sheets have. A Box is given by two
corners, y upwards, as in a PDF. Knows nothing of what is drawn.
"""

from __future__ import annotations

from math import cos, hypot, radians, sin, sqrt
from typing import Literal, NamedTuple

Turn = Literal[0, 90, 180, 270]  # degrees, clockwise


class Size(NamedTuple):
    width: float
    height: float


# The radius of round corners: of all, or of each from the top left one clockwise.
Radius = float | tuple[float, float, float, float]


class Insets(NamedTuple):
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0

    @classmethod
    def even(cls, inset: float) -> Insets:
        return cls(inset, inset, inset, inset)


NO_INSETS = Insets()
# Rectangles are made by the hundred for a card, by this in half the time that their class takes.
make_tuple = tuple.__new__


class Rect(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def size(self) -> Size:
        return Size(self.width, self.height)

    def moved(self, dx: float, dy: float) -> Rect:
        x, y, width, height = self
        return make_tuple(Rect, (x + dx, y + dy, width, height))

    def join(self, other: Rect) -> Rect:
        """Return the smallest rectangle that holds both."""
        x, y, width, height = self
        left, top, wide, high = other
        right, bottom = max(x + width, left + wide), max(y + height, top + high)
        x, y = min(x, left), min(y, top)
        return Rect(x, y, right - x, bottom - y)

    def meet(self, other: Rect) -> Rect:
        """Return the part that both share; it has no width or height where they lie apart."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Rect(x, y, max(right - x, 0.0), max(bottom - y, 0.0))

    def inset(self, by: Insets) -> Rect:
        if by == NO_INSETS:  # as that of most boxes
            return self
        x, y, width, height = self
        left, top, right, bottom = by
        inner = (x + left, y + top, width - left - right, height - top - bottom)
        return make_tuple(Rect, inner)

    def outset(self, by: Insets) -> Rect:
        x, y, width, height = self
        left, top, right, bottom = by
        return Rect(x - left, y - top, width + left + right, height + top + bottom)

    def contains(self, other: Rect, tolerance: float = 0.01) -> bool:
        x, y, width, height = self
        left, top, wide, high = other
        return (
            left >= x - tolerance
            and top >= y - tolerance
            and left + wide <= x + width + tolerance
            and top + high <= y + height + tolerance
        )

    def overlaps(self, other: Rect, tolerance: float = 0.01) -> bool:
        return (
            self.x < other.right - tolerance
            and other.x < self.right - tolerance
            and self.y < other.bottom - tolerance
            and other.y < self.bottom - tolerance
        )


class Box(NamedTuple):
    """An upright rectangle from its lower left corner to its upper right one."""

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

    def join(self, other: Box) -> Box:
        """Return the smallest box that holds both."""
        return Box(
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )

    def meet(self, other: Box) -> Box | None:
        """Return the part that both share, be it a line without width."""
        x0, y0, x1, y1 = self
        left, low, right, high = other
        if left <= x0 and low <= y0 and right >= x1 and high >= y1:
            return self if x0 <= x1 and y0 <= y1 else None
        x0, y0 = max(x0, left), max(y0, low)
        x1, y1 = min(x1, right), min(y1, high)
        return Box(x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 else None

    def contains(self, other: Box, tolerance: float) -> bool:
        x0, y0, x1, y1 = self
        left, low, right, high = other
        return (
            left >= x0 - tolerance
            and low >= y0 - tolerance
            and right <= x1 + tolerance
            and high <= y1 + tolerance
        )

    def grow(self, x: float, y: float) -> Box:
        return Box(self.x0 - x, self.y0 - y, self.x1 + x, self.y1 + y)


class Matrix(NamedTuple):
    """Turns (x, y) into (a x + c y + e, b x + d y + f)."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def map(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def place(self, box: Box) -> Box:
        """Return the upright box around a box that this matrix turns or stretches."""
        a, b, c, d, e, f = self
        left, low, right, high = box
        if b == 0 == c:
            x0, x1, y0, y1 = a * left + e, a * right + e, d * low + f, d * high + f
            if x1 < x0:
                x0, x1 = x1, x0
            if y1 < y0:
                y0, y1 = y1, y0
            return Box(x0, y0, x1, y1)
        corners = [(x, y) for x in (left, right) for y in (low, high)]
        xs = [a * x + c * y + e for x, y in corners]
        ys = [b * x + d * y + f for x, y in corners]
        return Box(min(xs), min(ys), max(xs), max(ys))

    def then(self, after: Matrix) -> Matrix:
        """Return the matrix that does this first, and `after` to what comes out."""
        a, b, c, d, e, f = self
        u, v, w, x, y, z = after
        return Matrix(
            *(a * u + b * w, a * v + b * x),
            *(c * u + d * w, c * v + d * x),
            *(e * u + f * w + y, e * v + f * x + z),
        )

    def move(self, x: float, y: float) -> Matrix:
        """Return the matrix that first moves by so much, and then does this."""
        a, b, c, d, e, f = self
        return make_tuple(Matrix, (a, b, c, d, x * a + y * c + e, x * b + y * d + f))

    def invert(self) -> Matrix:
        """Return the matrix that leads back; this one must not make an area nothing."""
        a, b, c, d, e, f = self
        area = a * d - b * c
        return Matrix(
            *(d / area, -b / area),
            *(-c / area, a / area),
            *((c * f - d * e) / area, (b * e - a * f) / area),
        )

    def flip(self, height: float) -> Matrix:
        """Return the same with y upwards from the bottom of a page of this height."""
        a, b, c, d, e, f = self
        return Matrix(a, -b, -c, d, e + c * height, height - d * height - f)

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


def make_turn(degrees: float, x: float = 0.0, y: float = 0.0) -> Matrix:
    """Return the matrix that turns clockwise, where y runs downwards, and then moves."""
    if not degrees:
        return Matrix(1, 0, 0, 1, x, y)
    c, s = cos(radians(degrees)), sin(radians(degrees))
    if degrees % 90 == 0:
        c, s = round(c), round(s)
    return Matrix(c, s, -s, c, x, y)
