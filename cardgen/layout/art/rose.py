"""Compass roses and sun rays, traced from a rectangle and a few numbers, to be filled.

Knows nothing of colours, elements or cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import ceil, cos, pi, sin
from typing import NamedTuple

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Rect
from cardgen.layout.art.curves import Knot, check_room, choose_step, trace_curve
from cardgen.layout.face import Segment


class _Rank(NamedTuple):
    """Points of equal length: the angle from the right to the first and from one to the next."""

    first: float
    step: float
    reach: float

    def get_flank(self, angle: float, inner: float) -> Flank:
        """Return the edge of a point that a ray from the middle crosses."""
        axis = self.first + round((angle - self.first) / self.step) * self.step
        side = 1 if angle > axis else -1
        return _polar(axis, self.reach), _polar(axis + side * self.step / 2, inner)


# The longest first: the cardinal points, those between them, and so on.
_RANKS = (
    _Rank(0, pi / 2, 1.0),
    _Rank(pi / 4, pi / 2, 0.78),
    _Rank(pi / 8, pi / 4, 0.68),
    _Rank(pi / 16, pi / 8, 0.62),
)
# How many points a rose may have, and the broadest inner share that shows them all. The first has
# one rank, the second two, and so on.
_NUMBERS = {4: 0.6, 8: 0.5, 16: 0.4, 32: 0.2}
_NARROWEST = 0.05

_MOST_RAYS = 720

# In shares of the rectangle's half width and height, from its middle.
Point = tuple[float, float]
# From a point's tip to its shoulder, where it is broadest.
Flank = tuple[Point, Point]


@lru_cache(maxsize=32)
def trace_rose(
    rect: Rect, points: int, inner: float
) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
    """Return the light and the dark halves of a rose's points.

    The cardinal points reach the ellipse in the rectangle and are broadest at its inner share.
    Longer points hide what they cover of the shorter.
    """
    check_room(rect)
    if points not in _NUMBERS:
        raise Refusal("layout/ornament-figures", f"a rose has 4, 8, 16 or 32 points, not {points}")
    if not _NARROWEST <= inner <= _NUMBERS[points]:
        raise Refusal(
            "layout/ornament-figures",
            f"a rose of {points} points has an inner share from {_NARROWEST:g} to "
            f"{_NUMBERS[points]:g}, not {inner:g}",
        )
    light: list[Segment] = []
    dark: list[Segment] = []
    for number, rank in enumerate(_RANKS[: list(_NUMBERS).index(points) + 1]):
        halves = round(4 * pi / rank.step)
        for half in range(halves):
            angle = rank.first + (half + 0.5) * rank.step / 2
            area = [(0.0, 0.0), *rank.get_flank(angle, inner)]
            for longer in _RANKS[:number]:
                area = list(_cut_away(area, longer.get_flank(angle, inner)))
            (dark if half % 2 else light).extend(_trace_area(area, rect))
    return tuple(light), tuple(dark)


def _polar(angle: float, reach: float) -> Point:
    return reach * cos(angle), reach * sin(angle)


def _cut_away(area: list[Point], flank: Flank) -> Iterator[Point]:
    """Give the corners of the part of a convex area that lies beyond a flank, from the middle."""
    (x, y), (to_x, to_y) = flank
    # Above 0 on the middle's side of the flank.
    middle = x * to_y - y * to_x
    off = [
        ((to_x - x) * (b - y) - (to_y - y) * (a - x)) * (1 if middle > 0 else -1) for a, b in area
    ]
    for at, (a, b) in enumerate(area):
        (c, d), here, before = area[at - 1], off[at], off[at - 1]
        if here * before < 0:
            share = before / (before - here)
            yield c + share * (a - c), d + share * (b - d)
        if here <= 0:
            yield a, b


def _trace_area(area: list[Point], rect: Rect) -> Iterator[Segment]:
    x, y = rect.x + rect.width / 2, rect.y + rect.height / 2
    for at, (a, b) in enumerate(area):
        yield "L" if at else "M", (x + a * rect.width / 2, y + b * rect.height / 2)
    yield "Z", ()


@lru_cache(maxsize=32)
def trace_rays(rect: Rect, count: int, inner: float) -> tuple[Segment, ...]:
    """Return rays as broad as the gaps between them; one points upwards.

    They reach from the inner share of the ellipse in the rectangle to its edge.
    """
    check_room(rect)
    if not 2 <= count <= _MOST_RAYS or count % 2:
        raise Refusal(
            "layout/ornament-figures",
            f"rays look the same upside down if there are 2, 4, 6 and so on up to {_MOST_RAYS}, "
            f"not {count}",
        )
    if not 0 <= inner < 1:
        raise Refusal(
            "layout/ornament-figures",
            f"the rays' inner share must be from 0 to below 1, not {inner:g}",
        )
    x, y = rect.x + rect.width / 2, rect.y + rect.height / 2

    def place(angle: float, reach: float) -> Knot:
        across, down = cos(angle), sin(angle)
        wide, high = reach * rect.width / 2, reach * rect.height / 2
        return x + wide * across, y + high * down, -wide * down, high * across

    broad = pi / count
    pieces = ceil(broad / choose_step(max(rect.width, rect.height) / 2))
    segments: list[Segment] = []
    for ray in range(count):
        start = (2 * ray - 0.5) * broad - pi / 2
        segments.extend(trace_curve(lambda at: place(at, 1), start, start + broad, pieces))
        back = trace_curve(lambda at: place(at, inner), start + broad, start, pieces)
        segments.append(("L", next(back)[1]))
        if inner:
            segments.extend(back)
        segments.append(("Z", ()))
    return tuple(segments)
