"""Figures traced into segments: circles, polygons, stars and arcs, as large as their boxes allow.

For what is painted, and for what is cut out by a figure. Knows nothing of elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, copysign, cos, hypot, radians, sin, tan
from typing import NamedTuple

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Insets, Rect
from cardgen.core.units import MM, format_size
from cardgen.layout.art.outlines import make_stroke, trace_rect
from cardgen.layout.face import Outline, Segment, Stroke
from cardgen.template.figures import Arc, Corners, Figure, Regular, Round, Rounded
from cardgen.template.model import Ink

Point = tuple[float, float]

_TRIES = 30
_SAME = 1e-6


class Traced(NamedTuple):
    """A figure at its place; `box` is the room that it takes with its stroke."""

    segments: tuple[Segment, ...]
    bounds: Rect
    box: Rect


def trace_figure(figure: Figure, rect: Rect, stroke: Stroke | None = None) -> Traced:
    """Return a figure as large as its box allows, in the middle; its stroke lies within the box."""
    width = stroke.width if stroke else 0.0
    if isinstance(figure, Corners):
        return _trace_points(figure, rect)
    if isinstance(figure, Regular):
        return _trace_regular(figure, rect, stroke)
    box = _make_square(rect) if isinstance(figure, Arc) or figure == Round() else rect
    inner = box.inset(Insets.even(width / 2))
    if not min(inner.width, inner.height) > 0:
        raise _refuse_room(rect)
    if isinstance(figure, Rounded):
        return Traced(trace_rect(inner, figure.radius), inner, box)
    if isinstance(figure, Round):
        return Traced(_trace_ellipse(inner), inner, box)
    segments = tuple(_trace_arc(figure, inner))
    return Traced(segments, inner, box)


def paint_figure(traced: Traced, ink: Ink) -> Iterator[Outline]:
    """Yield a figure painted with an ink; of an arc that is no wider than nothing there is none."""
    stroke = make_stroke(ink)
    if traced.segments and (ink.fill is not None or stroke is not None):
        yield Outline(traced.segments, ink.fill, stroke, False, traced.bounds)


def find_aspect(figure: Figure) -> float:
    """Return how high a figure is where it is 1 wide; 0 where it has no shape of its own."""
    if isinstance(figure, Regular):
        bounds = _measure_corners(list(_list_corners(figure)))
        return bounds.height / bounds.width
    if isinstance(figure, Corners):
        return figure.view.height / figure.view.width if figure.view else 0.0
    return 1.0


# Circles


def _make_square(rect: Rect) -> Rect:
    side = min(rect.width, rect.height)
    x, y = rect.x + (rect.width - side) / 2, rect.y + (rect.height - side) / 2
    return Rect(x, y, side, side)


def _refuse_room(box: Rect) -> Refusal:
    return Refusal(
        "layout/shape-has-no-room",
        f"there is no room for a shape in a box of {format_size(box.size)}",
        "give it a width and a height, or a thinner stroke",
    )


def _trace_ellipse(rect: Rect) -> tuple[Segment, ...]:
    place = _make_placer(rect)
    return (("M", place(0.0)), *_curve(place, 0.0, 360.0), ("Z", ()))


def _make_placer(rect: Rect, share: float = 1.0) -> Callable[[float], Point]:
    """Make a function from degrees, clockwise from the top, to the point of an ellipse."""
    wide, high = rect.width / 2, rect.height / 2

    def place(angle: float, reach: float = share) -> Point:
        turn = radians(angle)
        x, y = rect.x + wide, rect.y + high
        return x + wide * reach * sin(turn), y - high * reach * cos(turn)

    return place


def _curve(place: Callable[[float], Point], start: float, end: float) -> Iterator[Segment]:
    """Yield the curves along a circle from one angle to another, either way."""
    pieces = max(1, ceil(abs(end - start) / 90 - 1e-9))
    step = (end - start) / pieces
    # The ends of the handles lie on tangents: farther out, as seen from the middle, and turned.
    handle = 4 / 3 * tan(radians(step) / 4)
    for piece in range(pieces):
        first, last = start + piece * step, start + (piece + 1) * step
        (x, y), (to_x, to_y) = place(first), place(last)
        (dx, dy), (to_dx, to_dy) = _find_tangent(place, first), _find_tangent(place, last)
        leave = x + dx * handle, y + dy * handle
        arrive = to_x - to_dx * handle, to_y - to_dy * handle
        yield "C", (*leave, *arrive, to_x, to_y)


def _find_tangent(place: Callable[[float], Point], angle: float) -> Point:
    """Return the tangent of an ellipse, clockwise, as long as its radius there."""
    (x, y), (ahead_x, ahead_y) = place(angle + 270), place(angle + 90)
    return (ahead_x - x) / 2, (ahead_y - y) / 2


def _trace_arc(arc: Arc, rect: Rect) -> Iterator[Segment]:
    outer, inner = _make_placer(rect), _make_placer(rect, arc.inner)
    start, end = arc.start, arc.end
    if start == end:
        return
    whole = abs(end - start) >= 360
    if whole:
        end = start + 360
    yield "M", outer(start)
    yield from _curve(outer, start, end)
    if whole:
        yield "Z", ()
        if arc.kind == "ring" and arc.inner:
            yield "M", inner(end)
            yield from _curve(inner, end, start)
            yield "Z", ()
    elif arc.kind == "ring":
        yield "L", inner(end)
        if arc.inner:
            yield from _curve(inner, end, start)
        yield "Z", ()
    elif arc.kind == "pie":
        yield "L", (rect.x + rect.width / 2, rect.y + rect.height / 2)
        yield "Z", ()
    elif arc.kind == "chord":
        yield "Z", ()


# Polygons


def _list_corners(figure: Regular) -> Iterator[Point]:
    """Yield the corners on a circle of radius 1 around the origin."""
    count = figure.corners * (1 if figure.inner is None else 2)
    for number in range(count):
        turn = radians(figure.angle + 360 * number / count)
        reach = 1.0 if figure.inner is None or number % 2 == 0 else figure.inner
        yield reach * sin(turn), -reach * cos(turn)


def _trace_regular(figure: Regular, rect: Rect, stroke: Stroke | None) -> Traced:
    corners = list(_list_corners(figure))
    tips = (
        list(_reach_out(corners, stroke, figure.radius)) if stroke else [(0.0, 0.0)] * len(corners)
    )

    def measure(scale: float) -> Rect:
        around = [
            (x * scale + sign * dx, y * scale + sign * dy)
            for (x, y), (dx, dy) in zip(corners, tips, strict=True)
            for sign in (0, 1)
        ]
        return _measure_corners(around)

    bounds = _measure_corners(corners)
    most = min(rect.width / bounds.width, rect.height / bounds.height)
    low, high = 0.0, most
    for _ in range(_TRIES if stroke else 0):
        middle = (low + high) / 2
        found = measure(middle)
        if found.width <= rect.width and found.height <= rect.height:
            low = middle
        else:
            high = middle
    scale = low if stroke else most
    if not scale > _SAME:
        raise _refuse_room(rect)
    found = measure(scale)
    x = rect.x + (rect.width - found.width) / 2 - found.x
    y = rect.y + (rect.height - found.height) / 2 - found.y
    placed = [(x + px * scale, y + py * scale) for px, py in corners]
    return Traced(
        tuple(_round_off(placed, figure.radius)), _measure_corners(placed), found.moved(x, y)
    )


def _reach_out(corners: Sequence[Point], stroke: Stroke, radius: float) -> Iterator[Point]:
    """Yield how far a stroke reaches out at each corner."""
    half = stroke.width / 2
    for before, corner, after in _list_turns(corners):
        (ux, uy), (vx, vy) = _aim(corner, before), _aim(corner, after)
        across = hypot(ux + vx, uy + vy)
        if across < _SAME:
            yield 0.0, 0.0
            continue
        # Half the angle between the edges has this sine.
        sine = hypot(ux - vx, uy - vy) / 2
        if stroke.join == "miter" and not radius and stroke.miter * sine >= 1:
            reach = half / sine / across
            yield -(ux + vx) * reach, -(uy + vy) * reach
        else:
            yield copysign(half, corner[0]), copysign(half, corner[1])


def _trace_points(figure: Corners, rect: Rect) -> Traced:
    scale, x, y = MM, rect.x, rect.y
    if figure.view is not None:
        scale = min(rect.width / figure.view.width, rect.height / figure.view.height)
        x += (rect.width - figure.view.width * scale) / 2
        y += (rect.height - figure.view.height * scale) / 2
    points = [(x + px * scale, y + py * scale) for px, py in figure.points]
    bounds = _measure_corners(points)
    return Traced(tuple(_round_off(points, figure.radius)), bounds, bounds)


def _round_off(corners: Sequence[Point], radius: float) -> Iterator[Segment]:
    """Yield a closed line through corners, which are rounded as far as their edges allow."""
    first = True
    for before, corner, after in _list_turns(corners):
        x, y = corner
        (ux, uy), (vx, vy) = _aim(corner, before), _aim(corner, after)
        sine, cosine = hypot(ux - vx, uy - vy) / 2, hypot(ux + vx, uy + vy) / 2
        room = min(hypot(x - px, y - py) for px, py in (before, after)) / 2
        # How far from the corner the arc begins and ends.
        back = min(radius * cosine / sine, room) if sine > _SAME else 0.0
        if back < _SAME:
            yield ("M" if first else "L"), corner
        else:
            start, end = (x + ux * back, y + uy * back), (x + vx * back, y + vy * back)
            # The arc turns by twice the angle whose sine is `cosine`.
            handle = 4 / 3 * _tan_quarter(cosine, sine) * back * sine / cosine
            yield ("M" if first else "L"), start
            yield (
                "C",
                (
                    *(start[0] - ux * handle, start[1] - uy * handle),
                    *(end[0] - vx * handle, end[1] - vy * handle),
                    *end,
                ),
            )
        first = False
    yield "Z", ()


def _tan_quarter(sine: float, cosine: float) -> float:
    """Return the tangent of half an angle."""
    return sine / (1 + cosine)


def _list_turns(corners: Sequence[Point]) -> Iterator[tuple[Point, Point, Point]]:
    """Yield each corner between its neighbours."""
    for number, corner in enumerate(corners):
        yield corners[number - 1], corner, corners[(number + 1) % len(corners)]


def _aim(start: Point, end: Point) -> Point:
    """Return the direction from one point to another; none where they are the same."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    return (dx / length, dy / length) if length > _SAME else (0.0, 0.0)


def _measure_corners(corners: Sequence[Point]) -> Rect:
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    right, bottom = max(x for x, _ in corners), max(y for _, y in corners)
    return Rect(left, top, right - left, bottom - top)
