"""A rectangle and a few numbers turned into compass roses and sun rays, to be filled.

Knows nothing of colours, elements or cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil, cos, pi, sin
from typing import NamedTuple

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.layout.art.curves import Knot, check_room, find_step, trace_curve
from cardgen.layout.art.guilloche import trace_band, trace_ground, trace_rosette
from cardgen.layout.art.outlines import paint_shape
from cardgen.layout.art.plait import trace_plait, trace_plait_edges
from cardgen.layout.face import Form, Outline, Segment, Shared
from cardgen.template.model import GuillocheSpec, PlaitSpec, RaysSpec, RoseSpec


class _Rank(NamedTuple):
    """Points of equal length: the angle from the right to the first and from one to the next."""

    first: float
    step: float
    reach: float

    def find_flank(self, angle: float, inner: float) -> Flank:
        """The edge of a point that a ray from the middle crosses."""
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
# So many points have as many ranks as come before them here, with the broadest inner share that
# shows all.
_NUMBERS = {4: 0.6, 8: 0.5, 16: 0.4, 32: 0.2}
_NARROWEST = 0.05

_MOST_RAYS = 720

# In shares of the rectangle's half width and height, from its middle.
Point = tuple[float, float]
# From a point's tip to its shoulder, where it is broadest.
Flank = tuple[Point, Point]


def trace_rose(
    rect: Rect, points: int, inner: float
) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
    """The light and the dark halves of a rose's points. The cardinal points reach the ellipse in
    the rectangle and are broadest at its inner share; the longer hide what they cover of the
    shorter.
    """
    check_room(rect)
    if points not in _NUMBERS:
        raise ValueError(f"a rose has 4, 8, 16 or 32 points, not {points}")
    if not _NARROWEST <= inner <= _NUMBERS[points]:
        raise ValueError(
            f"a rose of {points} points has an inner share from {_NARROWEST:g} to "
            f"{_NUMBERS[points]:g}, not {inner:g}"
        )
    light: list[Segment] = []
    dark: list[Segment] = []
    for number, rank in enumerate(_RANKS[: list(_NUMBERS).index(points) + 1]):
        halves = round(4 * pi / rank.step)
        for half in range(halves):
            angle = rank.first + (half + 0.5) * rank.step / 2
            area = [(0.0, 0.0), *rank.find_flank(angle, inner)]
            for longer in _RANKS[:number]:
                area = list(_cut_away(area, longer.find_flank(angle, inner)))
            (dark if half % 2 else light).extend(_trace_area(area, rect))
    return tuple(light), tuple(dark)


def _polar(angle: float, reach: float) -> Point:
    return reach * cos(angle), reach * sin(angle)


def _cut_away(area: list[Point], flank: Flank) -> Iterator[Point]:
    """What of a convex area lies beyond a flank, seen from the middle."""
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


def trace_rays(rect: Rect, count: int, inner: float) -> tuple[Segment, ...]:
    """Rays as broad as the gaps between them, from the inner share of the ellipse in the rectangle
    to its edge; one points upwards.
    """
    check_room(rect)
    if not 2 <= count <= _MOST_RAYS or count % 2:
        raise ValueError(
            f"rays look the same upside down if there are 2, 4, 6 and so on up to {_MOST_RAYS}, "
            f"not {count}"
        )
    if not 0 <= inner < 1:
        raise ValueError(f"the rays' inner share must be from 0 to below 1, not {inner:g}")
    x, y = rect.x + rect.width / 2, rect.y + rect.height / 2

    def place(angle: float, reach: float) -> Knot:
        across, down = cos(angle), sin(angle)
        wide, high = reach * rect.width / 2, reach * rect.height / 2
        return Knot(x + wide * across, y + high * down, -wide * down, high * across)

    broad = pi / count
    pieces = ceil(broad / find_step(max(rect.width, rect.height) / 2))
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


Ornament = GuillocheSpec | PlaitSpec | RoseSpec | RaysSpec


class Ornaments:
    """Ornaments drawn once for each size and ink, and placed often."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Ornament, Size], Shared] = {}

    def place(self, spec: Ornament, rect: Rect) -> Form:
        """An ornament that fills its box."""
        size = Size(round(rect.width, 3), round(rect.height, 3))
        if (spec, size) not in self._kept:
            box = Rect(0, 0, *size)
            reach = box.outset(Insets.even(spec.ink.stroke_width))
            try:
                self._kept[spec, size] = Shared(reach, tuple(_draw(spec, box)))
            except ValueError as error:
                raise Refusal("layout/todo", str(error)) from error
        return Form(rect.x, rect.y, self._kept[spec, size])


def _draw(spec: Ornament, rect: Rect) -> list[Outline]:
    if isinstance(spec, RoseSpec):
        light, dark = trace_rose(rect, spec.points, spec.inner)
        shade = replace(spec.ink, fill=spec.dark)
        painted = [paint_shape(light, spec.ink, rect)]
        if spec.dark is not None or spec.ink.stroke is not None:
            painted.append(paint_shape(dark, shade, rect))
        return painted
    if isinstance(spec, PlaitSpec):
        return _draw_plait(spec, rect)
    if isinstance(spec, RaysSpec):
        segments = trace_rays(rect, spec.count, spec.inner)
    elif spec.form == "band":
        segments = trace_band(rect, spec.waves, spec.strands, spec.thickness)
    elif spec.form == "ground":
        segments = trace_ground(rect, spec.waves, spec.strands)
    else:
        segments = trace_rosette(rect, spec.waves, spec.strands, spec.inner)
    return [paint_shape(segments, spec.ink, rect)]


def _draw_plait(spec: PlaitSpec, rect: Rect) -> list[Outline]:
    """Ribbons filled with gaps at their crossings, or parted by the lines of their edges."""
    cells = (rect, spec.columns, spec.rows, *spec.hole, spec.ribbon)
    if spec.ink.stroke is None:
        return [paint_shape(trace_plait(*cells), spec.ink, rect)]
    edges = paint_shape(trace_plait_edges(*cells), replace(spec.ink, fill=None), rect)
    if spec.ink.fill is None:
        return [edges]
    return [paint_shape(trace_plait(*cells, gap=0), replace(spec.ink, stroke=None), rect), edges]


# MERGED: The elements for card backs turned into outlines: guilloches, knotwork, roses and rays.
#
#   Chooses the geometry and the ink. Knows nothing of cards.
#
