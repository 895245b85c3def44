"""Curves turned into Bézier segments.

A curve is told by points and directions along it, or laid from arcs and straight lines, which can
then be followed at a distance. Knows nothing of what the curves adorn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import atan2, ceil, cos, hypot, pi, sin, tan
from typing import NamedTuple

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Rect
from cardgen.core.units import format_size
from cardgen.layout.face import Segment

# How far a Bézier may stray from its curve, in points: far less than paper shows.
_STRAY = 0.004


# A point of a curve, and its derivative there by the curve's parameter: x, y, dx, dy. An ornament
# has thousands.
Knot = tuple[float, float, float, float]


def choose_step(fourth: float) -> float:
    """Return the longest step between knots where the fourth derivative is at most so large."""
    return float((384 * _STRAY / fourth) ** 0.25)


def trace_curve(
    at: Callable[[float], Knot], start: float, end: float, pieces: int
) -> Iterator[Segment]:
    """Give the open curve from one parameter to another."""
    step = (end - start) / pieces
    x, y, dx, dy = at(start)
    yield "M", (x, y)
    leave_x, leave_y = x + dx * step / 3, y + dy * step / 3
    for piece in range(1, pieces + 1):
        x, y, dx, dy = at(start + piece * step)
        dx, dy = dx * step / 3, dy * step / 3
        yield "C", (leave_x, leave_y, x - dx, y - dy, x, y)
        leave_x, leave_y = x + dx, y + dy


class Stretch(NamedTuple):
    """An arc, or a straight line where `bend`, the curvature, is 0; a bend above 0 is clockwise.

    A heading is the angle clockwise from the right. `aside` is a distance to the right of the way.
    """

    x: float
    y: float
    heading: float
    length: float
    bend: float

    def get_point(self, way: float, aside: float = 0.0) -> tuple[float, float]:
        """Return the point so far along the stretch and so far aside."""
        heading = self.heading + self.bend * way
        x, y = self.x - aside * sin(heading), self.y + aside * cos(heading)
        if not self.bend:
            return x + way * cos(heading), y + way * sin(heading)
        return (
            x + (sin(heading) - sin(self.heading)) / self.bend,
            y + (cos(self.heading) - cos(heading)) / self.bend,
        )

    def turn(self) -> Stretch:
        """Return the same stretch, run from its end."""
        heading = self.heading + self.bend * self.length + pi
        return Stretch(*self.get_point(self.length), heading, self.length, -self.bend)

    def locate(self, x: float, y: float) -> tuple[float, float]:
        """Return how far the stretch is from a point, and how far along it comes nearest."""
        x, y = x - self.x, y - self.y
        along = x * cos(self.heading) + y * sin(self.heading)
        if self.bend:
            aside = y * cos(self.heading) - x * sin(self.heading)
            along = atan2(along * self.bend, 1 - aside * self.bend) / self.bend
        along = min(max(along, 0.0), self.length)
        near = self.get_point(along)
        return hypot(x + self.x - near[0], y + self.y - near[1]), along

    def trace(self, start: float, end: float, aside: float) -> Iterator[Segment]:
        """Give the way from one place on it to another, so far aside, without an M before it."""
        if not self.bend:
            yield "L", self.get_point(end, aside)
            return
        pieces = ceil(abs(end - start) * abs(self.bend) / (pi / 2) - 1e-9)
        step = (end - start) / pieces
        handle = 4 / 3 * tan(step * self.bend / 4) * (1 / self.bend - aside)
        x, y = self.get_point(start, aside)
        for piece in range(1, pieces + 1):
            way = start + piece * step
            leave, arrive = (self.heading + self.bend * at for at in (way - step, way))
            first = x + handle * cos(leave), y + handle * sin(leave)
            x, y = self.get_point(way, aside)
            yield "C", (*first, x - handle * cos(arrive), y - handle * sin(arrive), x, y)


# A length and the curvature along it.
Move = tuple[float, float]


class Way(NamedTuple):
    """Stretches that lead into each other without a kink."""

    stretches: tuple[Stretch, ...]

    @property
    def length(self) -> float:
        return sum(stretch.length for stretch in self.stretches)

    def get_point(self, way: float, aside: float = 0.0) -> tuple[float, float]:
        """Return the point so far along the way and so far aside."""
        for stretch in self.stretches[:-1]:
            if way <= stretch.length:
                return stretch.get_point(way, aside)
            way -= stretch.length
        return self.stretches[-1].get_point(way, aside)

    def locate(self, x: float, y: float) -> tuple[float, float]:
        """Return how far the way is from a point, and how far along it comes nearest."""
        passed, nearest = 0.0, (float("inf"), 0.0)
        for stretch in self.stretches:
            distance, along = stretch.locate(x, y)
            nearest = min(nearest, (distance, passed + along))
            passed += stretch.length
        return nearest

    def turn(self) -> Way:
        """Return the same way, run from its end."""
        return Way(tuple(stretch.turn() for stretch in reversed(self.stretches)))

    def trace(self, start: float, end: float, aside: float) -> Iterator[Segment]:
        """Give the way from one place on it to another, either way, so far aside."""
        if end < start:
            length = self.length
            yield from self.turn().trace(length - start, length - end, -aside)
            return
        yield "M", self.get_point(start, aside)
        passed = 0.0
        for stretch in self.stretches:
            first, last = max(start - passed, 0.0), min(end - passed, stretch.length)
            if last > first:
                yield from stretch.trace(first, last, aside)
            passed += stretch.length


def lay_way(x: float, y: float, heading: float, moves: Iterable[Move]) -> Way:
    """Return the way that leaves a point with a heading."""
    stretches: list[Stretch] = []
    for length, bend in moves:
        stretch = Stretch(x, y, heading, length, bend)
        if stretches and stretches[-1].bend == bend:
            stretch = stretches.pop()
            stretch = stretch._replace(length=stretch.length + length)
        stretches.append(stretch)
        x, y = stretch.get_point(stretch.length)
        heading = stretch.heading + bend * stretch.length
    return Way(tuple(stretches))


def check_room(rect: Rect) -> None:
    if not min(rect.width, rect.height) > 0:
        raise Refusal(
            "layout/ornament-has-no-room",
            f"there is no room for an ornament in a box of {format_size(rect.size)}",
        )
