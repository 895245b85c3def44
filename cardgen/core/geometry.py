"""Sizes, insets and rectangles in points: the origin is top left, y runs downwards."""

from __future__ import annotations

from typing import Literal, NamedTuple

Turn = Literal[0, 90, 180, 270]  # degrees, clockwise


class Size(NamedTuple):
    width: float
    height: float


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


class Insets(NamedTuple):
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0

    @classmethod
    def even(cls, inset: float) -> Insets:
        return cls(inset, inset, inset, inset)


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
        return Rect(self.x + dx, self.y + dy, self.width, self.height)

    def join(self, other: Rect) -> Rect:
        """Return the smallest rectangle that holds both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        right, bottom = max(self.right, other.right), max(self.bottom, other.bottom)
        return Rect(x, y, right - x, bottom - y)

    def meet(self, other: Rect) -> Rect:
        """Return the part that lies in both; it has no width or height where they lie apart."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Rect(x, y, max(right - x, 0.0), max(bottom - y, 0.0))

    def inset(self, by: Insets) -> Rect:
        return Rect(
            self.x + by.left,
            self.y + by.top,
            self.width - by.left - by.right,
            self.height - by.top - by.bottom,
        )

    def outset(self, by: Insets) -> Rect:
        return self.inset(Insets(-by.left, -by.top, -by.right, -by.bottom))

    def contains(self, other: Rect, tolerance: float = 0.01) -> bool:
        return (
            other.x >= self.x - tolerance
            and other.y >= self.y - tolerance
            and other.right <= self.right + tolerance
            and other.bottom <= self.bottom + tolerance
        )

    def overlaps(self, other: Rect, tolerance: float = 0.01) -> bool:
        return (
            self.x < other.right - tolerance
            and other.x < self.right - tolerance
            and self.y < other.bottom - tolerance
            and other.y < self.bottom - tolerance
        )
