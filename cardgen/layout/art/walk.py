"""A path as short straight lines, along which something is set.

Knows nothing of what that is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from math import atan2, ceil, cos, dist, sin
from typing import NamedTuple

from cardgen.core.geometry import Rect
from cardgen.layout.face import Segment

_MOST_STEPS = 400  # of one curve
_Point = tuple[float, float]


class Curve(NamedTuple):
    """A path as short straight lines: their corners, and how far along the path each one is."""

    points: tuple[_Point, ...]
    lengths: tuple[float, ...]
    bounds: Rect

    @property
    def length(self) -> float:
        return self.lengths[-1]

    def move(self, x: float, y: float) -> Curve:
        points = tuple((px + x, py + y) for px, py in self.points)
        return Curve(points, self.lengths, self.bounds.moved(x, y))

    def find_place(self, at: float) -> tuple[float, float, float]:
        """Return the point so far along the path, and the direction there; beyond its ends it goes
        straight on.
        """
        part = min(max(bisect_right(self.lengths, at) - 1, 0), len(self.points) - 2)
        (x0, y0), (x1, y1) = self.points[part], self.points[part + 1]
        angle = atan2(y1 - y0, x1 - x0)
        rest = at - self.lengths[part]
        return x0 + cos(angle) * rest, y0 + sin(angle) * rest, angle


def make_curve(segments: Sequence[Segment], bounds: Rect, step: float) -> Curve | None:
    """Return the curve of a path in one piece, in steps so long; None for one without a length."""
    points = [point for point, _ in groupby(_flatten(segments, step))]
    if len(points) < 2:
        return None
    steps = (dist(*pair) for pair in pairwise(points))
    return Curve(tuple(points), tuple(accumulate(steps, initial=0.0)), bounds)


def _flatten(segments: Sequence[Segment], step: float) -> Iterator[_Point]:
    start = here = (0.0, 0.0)
    for kind, numbers in segments:
        if kind == "C":
            ends = [here, *zip(numbers[::2], numbers[1::2], strict=True)]
            yield from _list_points(ends, step)
            here = ends[-1]
        else:
            here = (numbers[0], numbers[1]) if numbers else start
            yield here
        if kind == "M":
            start = here


def _list_points(ends: Sequence[_Point], length: float) -> Iterator[_Point]:
    """Yield the points of a Bézier curve behind its first."""
    reach = sum(dist(*pair) for pair in pairwise(ends))
    count = min(max(ceil(reach / length), 1), _MOST_STEPS)
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = ends
    for step in range(1, count + 1):
        t = step / count
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        yield a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3
