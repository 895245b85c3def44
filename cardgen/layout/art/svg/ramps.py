"""Masks that show more here and less there: the opacities of a gradient's stops, as pixels.

Knows nothing of files.
"""

from __future__ import annotations

from math import sqrt

from cardgen.core.colour import BLACK, Axis, Circles, Gradient
from cardgen.core.geometry import Box, Matrix, Rect
from cardgen.layout.art.svg.drawing import share_items
from cardgen.layout.art.svg.paints import measure_course
from cardgen.layout.face import Group, Pixels, Raster, Shared

_STEPS = 256
_SIDE = 160
_UNIT = 1000.0  # so that three decimals are enough


def make_ramp(gradient: Gradient, opacities: tuple[float, ...], reach: Rect) -> Shared:
    """Return a mask over a box that is as opaque as the stops of a gradient say."""
    course, matrix = gradient.course, gradient.matrix
    assert isinstance(course, Axis | Circles)
    ramp = [(at, opacity) for (at, _), opacity in zip(gradient.stops, opacities, strict=True)]
    if isinstance(course, Axis):
        (x, y), (x1, y1) = course.start, course.end
        dx, dy = x1 - x, y1 - y
        across = Matrix(dx / _UNIT, dy / _UNIT, -dy / _UNIT, dx / _UNIT, x, y).then(matrix)
        low, high = measure_course(course, matrix, reach)
        step = (high - low) / _STEPS
        row = (_find_opacity(ramp, low + (i + 0.5) * step) for i in range(_STEPS))
        pixels = Pixels(_STEPS, 1, bytes(row))
        box = _look_back(across, reach)
        frame = Rect(low * _UNIT, box.y, (high - low) * _UNIT, box.height)
        return share_items([Group(share_items([Raster(pixels, frame, BLACK)]), across)])
    box = _look_back(matrix, reach)
    wide, high = box.width / _SIDE, box.height / _SIDE
    spots = (
        _find_opacity(ramp, _find_place(course, box.x + (i + 0.5) * wide, box.y + (j + 0.5) * high))
        for j in range(_SIDE)
        for i in range(_SIDE)
    )
    raster = Raster(Pixels(_SIDE, _SIDE, bytes(spots)), box, BLACK)
    return share_items([Group(share_items([raster]), matrix)])


def _look_back(matrix: Matrix, reach: Rect) -> Rect:
    """Return the box around a box as seen from the coordinates that a matrix leads from."""
    x0, y0, x1, y1 = matrix.invert().place(Box(reach.x, reach.y, reach.right, reach.bottom))
    return Rect(x0, y0, x1 - x0, y1 - y0)


def _find_opacity(ramp: list[tuple[float, float]], at: float) -> int:
    """Return how opaque a place of a ramp is, from 0 to 255."""
    before = ramp[0]
    if at <= before[0]:
        return round(before[1] * 255)
    for after in ramp[1:]:
        if at < after[0]:
            share = (at - before[0]) / (after[0] - before[0])
            return round((before[1] + (after[1] - before[1]) * share) * 255)
        before = after
    return round(before[1] * 255)


def _find_place(course: Circles, x: float, y: float) -> float:
    """Return how far a point is on the way from the inner circle to the outer one."""
    (cx, cy), (fx, fy) = course.centre, course.focus
    dx, dy, dr = cx - fx, cy - fy, course.radius - course.inner
    px, py = x - fx, y - fy
    a = dx * dx + dy * dy - dr * dr
    b = px * dx + py * dy + course.inner * dr
    c = px * px + py * py - course.inner * course.inner
    if abs(a) < 1e-9:
        return c / (2 * b) if b else 0.0
    under = b * b - a * c
    if under < 0:
        return 1.0
    root = sqrt(under)
    # The outermost of the circles that pass through the point.
    return max((b - root) / a, (b + root) / a)
