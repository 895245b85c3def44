"""The corners of a line on which markers stand, and how they turn there.

Knows nothing of what stands there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, sin
from typing import Literal, NamedTuple

from cardgen.layout.face import Segment

Name = Literal["marker-start", "marker-mid", "marker-end"]
NAMES: tuple[Name, ...] = ("marker-start", "marker-mid", "marker-end")
# What has corners that markers stand on.
MARKED = ("path", "line", "polyline", "polygon")
_Point = tuple[float, float]


class Corner(NamedTuple):
    """A corner of a line, and the direction in which it runs there, in radians."""

    name: Name
    x: float
    y: float
    turn: float


class _Stop(NamedTuple):
    """A corner, with the directions in which the line comes and goes."""

    at: _Point
    comes: _Point | None = None
    goes: _Point | None = None


def list_corners(segments: Sequence[Segment]) -> list[Corner]:
    """Return all corners of a line, in their order."""
    stops: list[_Stop] = []
    first = 0
    for kind, numbers in segments:
        if kind == "M":
            first = len(stops)
            stops.append(_Stop((numbers[0], numbers[1])))
            continue
        here = stops[-1].at
        points = [here, *zip(numbers[::2], numbers[1::2], strict=True)]
        if kind == "Z":
            points.append(stops[first].at)
        leaves = _find_way(points)
        arrives = _find_way(points[::-1])
        stops[-1] = stops[-1]._replace(goes=leaves)
        arrives = None if arrives is None else (-arrives[0], -arrives[1])
        stops.append(_Stop(points[-1], arrives))
        if kind == "Z":
            stops[-1] = stops[-1]._replace(goes=stops[first].goes)
            stops[first] = stops[first]._replace(comes=arrives)
    if len(stops) == 1:
        stops *= 2  # a point is a start and an end
    start, middle, end = NAMES
    names = [start, *[middle] * (len(stops) - 2), end]
    return [Corner(name, *stop.at, _turn(stop)) for name, stop in zip(names, stops, strict=False)]


def _find_way(points: Sequence[_Point]) -> _Point | None:
    """Return the direction from the first point to the next that lies elsewhere."""
    x, y = points[0]
    for to in points[1:]:
        if length := hypot(to[0] - x, to[1] - y):
            return (to[0] - x) / length, (to[1] - y) / length
    return None


def _turn(stop: _Stop) -> float:
    """Return the direction halfway between those in which a line comes and goes."""
    ways = [way for way in (stop.comes, stop.goes) if way is not None]
    if not ways:
        return 0.0
    if len(ways) == 2:
        angles = [atan2(y, x) for x, y in ways]
        x, y = sum(map(cos, angles)), sum(map(sin, angles))
        if hypot(x, y) > 1e-9:
            return atan2(y, x)
    return atan2(ways[0][1], ways[0][0])
