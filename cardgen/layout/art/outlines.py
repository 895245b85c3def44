"""Rectangles, rules and paths turned into outlines.

Knows nothing of cards or files.
"""

from __future__ import annotations

from cardgen.core.colour import Colour, Paint
from cardgen.core.errors import Refusal, shorten
from cardgen.core.geometry import Insets, Matrix, Radius, Rect
from cardgen.core.shape import KAPPA, trace_rounded
from cardgen.core.units import MM
from cardgen.layout.art.contours import (
    find_leftover,
    is_finite,
    measure_segments,
    move_segments,
    read_path,
)
from cardgen.layout.face import Outline, Segment, Stroke
from cardgen.template.model import Ink, LineSpec, PathSpec

# No path reaches as far, in points.
_FARTHEST = 1e7
_EXAMPLE = 'it is written as in SVG: "M0 0 L10 0 V5 Z"'


def make_rect(rect: Rect, radius: Radius, fill: Paint | None, stroke: Stroke | None) -> Outline:
    """Return a rectangle, with round corners where the radius is above 0."""
    return Outline(trace_rect(rect, radius), fill, stroke, False, rect)


def make_bar(rect: Rect, colour: Colour) -> Outline:
    """Return a line under words or through them."""
    return Outline(trace_rect(rect, 0), colour, None, False, rect, as_text=True)


def make_rule(
    x: float, y: float, length: float, colour: Colour, width: float, dash: tuple[float, ...] = ()
) -> Outline:
    """Return a level rule whose middle lies at y."""
    segments: tuple[Segment, ...] = (("M", (x, y)), ("L", (x + length, y)))
    bounds = Rect(x, y - width / 2, length, width)
    return Outline(segments, None, Stroke(colour, width, dash), False, bounds)


def make_upright(
    x: float, y: float, length: float, colour: Colour, width: float, dash: tuple[float, ...] = ()
) -> Outline:
    """Return an upright rule whose middle lies at x."""
    segments: tuple[Segment, ...] = (("M", (x, y)), ("L", (x, y + length)))
    bounds = Rect(x - width / 2, y, width, length)
    return Outline(segments, None, Stroke(colour, width, dash), False, bounds)


def draw_line(spec: LineSpec, rect: Rect) -> Outline:
    """Return a rule through the middle of its rectangle."""
    if spec.down:
        x = rect.x + rect.width / 2
        rule = make_upright(x, rect.y, rect.height, spec.colour, spec.width, spec.dash)
    else:
        y = rect.y + rect.height / 2
        rule = make_rule(rect.x, y, rect.width, spec.colour, spec.width, spec.dash)
    stroke = Stroke(spec.colour, spec.width, spec.dash, spec.cap)
    return rule if spec.cap == "butt" else rule._replace(stroke=stroke)


def draw_path(spec: PathSpec, rect: Rect) -> Outline:
    """Return a path in its box: in millimetres from its top left, or in a view that fills it."""
    scale, x, y = MM, rect.x, rect.y
    if spec.view is not None:
        scale = min(rect.width / spec.view.width, rect.height / spec.view.height)
        x += (rect.width - spec.view.width * scale) / 2
        y += (rect.height - spec.view.height * scale) / 2
    segments, bounds = trace_path(spec.data, x, y, scale)
    return paint_shape(segments, spec.ink, bounds)


def trace_path(
    data: str, x: float = 0.0, y: float = 0.0, scale: float = MM
) -> tuple[tuple[Segment, ...], Rect]:
    """Return the segments of path data, its origin at (x, y), and the box around them."""
    try:
        segments = move_segments(read_path(data), Matrix(scale, 0, 0, scale, x, y))
        if not is_finite(segments, _FARTHEST):
            raise ValueError(data)
    except (ValueError, ArithmeticError) as error:
        raise _refuse_path(data) from error
    bounds = measure_segments(segments)
    if bounds is None:
        raise Refusal("layout/broken-path", "a path draws nothing", _EXAMPLE)
    return segments, bounds


def fit_path(data: str, rect: Rect) -> tuple[Segment, ...]:
    """Return the segments of a path that is as large as its box allows, in the middle."""
    try:
        segments = read_path(data)
        bounds = measure_segments(segments)
        if bounds is None or not min(bounds.width, bounds.height) > 0:
            raise Refusal("layout/broken-path", "a path has no area", _EXAMPLE)
        scale = min(rect.width / bounds.width, rect.height / bounds.height)
        x = rect.x + (rect.width - bounds.width * scale) / 2 - bounds.x * scale
        y = rect.y + (rect.height - bounds.height * scale) / 2 - bounds.y * scale
        fitted = move_segments(segments, Matrix(scale, 0, 0, scale, x, y))
        if not is_finite(fitted, _FARTHEST):
            raise ValueError(data)
    except Refusal:
        raise
    except (ValueError, ArithmeticError) as error:
        raise _refuse_path(data) from error
    return fitted


def _refuse_path(data: str) -> Refusal:
    at = shorten(find_leftover(data) or data)
    return Refusal("layout/broken-path", f'a path has broken data at "{at}"', _EXAMPLE)


def paint_shape(segments: tuple[Segment, ...], ink: Ink, bounds: Rect) -> Outline:
    """Return a shape painted as an element asks."""
    return Outline(segments, ink.fill, make_stroke(ink), False, bounds)


def make_stroke(ink: Ink) -> Stroke | None:
    """Return the stroke of an ink; None where it draws no line."""
    if ink.stroke is None or not ink.stroke_width:
        return None
    return Stroke(ink.stroke, ink.stroke_width, ink.dash, ink.cap, ink.join)


def trace_rect(rect: Rect, radius: Radius) -> tuple[Segment, ...]:
    if isinstance(radius, tuple):
        return _trace_corners(rect, radius)
    return trace_rounded(rect, radius)


def trace_inside(rect: Rect, radius: Radius, border: float) -> tuple[Segment, ...]:
    """Return the inner edge of a border that lies within a rectangle."""
    radii = radius if isinstance(radius, tuple) else (radius,) * 4
    a, b, c, d = (max(one - border, 0.0) for one in radii)
    inner = rect.inset(Insets.even(border))
    return trace_rect(inner, a if a == b == c == d else (a, b, c, d))


def _trace_corners(rect: Rect, radii: tuple[float, float, float, float]) -> tuple[Segment, ...]:
    """Return a rectangle whose corners have radii of their own, as large as they have room."""
    x, y, right, bottom = rect.x, rect.y, rect.right, rect.bottom
    sides = zip((rect.width, rect.height) * 2, radii, (*radii[1:], radii[0]), strict=True)
    part = min(1.0, *(max(side, 0.0) / (a + b) for side, a, b in sides if a + b))
    a, b, c, d = (radius * part for radius in radii)
    i, j, k, l = (radius * (1 - KAPPA) for radius in (a, b, c, d))  # noqa: E741
    drawn: tuple[Segment, ...] = (
        ("M", (x + a, y)),
        ("L", (right - b, y)),
        ("C", (right - j, y, right, y + j, right, y + b)),
        ("L", (right, bottom - c)),
        ("C", (right, bottom - k, right - k, bottom, right - c, bottom)),
        ("L", (x + d, bottom)),
        ("C", (x + l, bottom, x, bottom - l, x, bottom - d)),
        ("L", (x, y + a)),
        ("C", (x, y + i, x + i, y, x + a, y)),
        ("Z", ()),
    )
    round_ = {2: b, 4: c, 6: d, 8: a}
    return tuple(one for number, one in enumerate(drawn) if round_.get(number, 1.0) > 0)
