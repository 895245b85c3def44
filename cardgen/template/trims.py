"""The trim of a template: a word or a path turned into the shape that its cards are cut to.

Must not know what a sheet or a cutter makes of it.
"""

from __future__ import annotations

import re
from math import isfinite, sqrt
from typing import NamedTuple

from cardgen.core.errors import Refusal, shorten
from cardgen.core.geometry import Rect, Size
from cardgen.core.names import describe_unknown
from cardgen.core.shape import (
    RECTANGLE,
    Contour,
    Point,
    Segment,
    Shape,
    make_circle,
    make_hexagon,
)
from cardgen.core.units import MM, format_mm, format_size, parse_points

_WORDS = ("rectangle", "rounded", "circle", "hexagon", "path")
# The longer side of a hexagon over the shorter one; sides that are rounded to a millimetre do.
_HEXAGON = 2 / sqrt(3)
_NEARLY = 0.01
_SLACK = 0.1 * MM
_MOST_LETTERS = 20_000
_MOST_POINTS = 2_000
_FAR = 10.0  # of the card's longer side
_LEAST_AREA = 0.01  # of that of the rectangle around it
_NUMBER = r"\d+(?:\.\d+)?"
_VIEW = re.compile(rf"({_NUMBER})\s*x\s*({_NUMBER})\s+(.*)", re.DOTALL)
_PATH_LETTERS = re.compile(r"[MmZzLlHhVvCcSsQqTtAa0-9eE+.,\s-]*")
_EXAMPLE = 'it is written as in SVG, in millimetres: trim="path M0 0 H25 V40 L12 30 L0 40 Z"'


def parse_trim(text: str, size: Size) -> Shape:
    """Return the shape that a template's trim names, for cards of this size."""
    word, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    if word == "path":
        return _parse_path(rest, size)
    if word == "rounded":
        return _parse_rounded(rest)
    if word not in _WORDS or rest:
        unknown = describe_unknown(word, _WORDS, "trim")
        message = f'unknown trim "{shorten(text)}"'
        raise Refusal("template/unknown-trim", message, unknown.hint, unknown.details)
    if word == "circle":
        return make_circle()
    if word == "hexagon":
        return make_hexagon(pointed=size.height > size.width)
    return RECTANGLE


def check_trim(shape: Shape, size: Size) -> None:
    """Refuse a shape that cards of a size cannot have."""
    across, down = size
    if shape.name == "rounded" and shape.radius > min(size) / 2 + _SLACK:
        raise Refusal(
            "template/trim-size",
            f"corners with a radius of {format_mm(shape.radius)} do not fit {format_size(size)}",
            f"{format_mm(min(size) / 2)} is the most",
        )
    if shape.name == "circle" and abs(across - down) > _SLACK:
        side = format_mm(min(size))
        raise Refusal(
            "template/trim-size",
            f"a circle is as wide as it is high, and not {format_size(size)}",
            f'write size="{side} x {side}"',
        )
    if shape.name == "hexagon" and abs(max(size) / min(size) / _HEXAGON - 1) > _NEARLY:
        flat, pointed = (format_size(Size(across, across * by)) for by in (1 / _HEXAGON, _HEXAGON))
        raise Refusal(
            "template/trim-size",
            f"a hexagon with equal sides is not {format_size(size)}",
            f'write size="{flat}" for one that is flat at the top, or size="{pointed}" for one '
            "with a corner there",
        )


def _parse_rounded(text: str) -> Shape:
    if not text:
        raise Refusal(
            "template/unknown-trim",
            'trim="rounded" has no radius',
            'write it behind the word: trim="rounded 3mm"',
        )
    radius = parse_points(text)
    return Shape("rounded", radius=radius) if radius > 0 else RECTANGLE


# A path


class _View(NamedTuple):
    """What the numbers of a path count in, and how that is called."""

    size: Size
    shown: str


def _parse_path(text: str, size: Size) -> Shape:
    """Return the shape of a path in millimetres, or in a view that fills the card."""
    view = _View(Size(size.width / MM, size.height / MM), format_size(size))
    match = _VIEW.fullmatch(text)
    if match:
        view = _View(Size(float(match[1]), float(match[2])), f"{match[1]} x {match[2]}")
        text = match[3]
    if not all(view.size):
        raise _refuse(f'a trim in a view of "{view.shown}"', "both numbers must be above 0")
    contour = Contour(_read_segments(text))
    if any(
        abs(value) > _FAR * max(view.size) for _, values in contour.segments for value in values
    ):
        raise _refuse("the trim's path has numbers that lie far from the card", _EXAMPLE)
    points = contour.list_points(min(view.size) / 1000)
    if len(points) > _MOST_POINTS:
        raise _refuse(
            f"the trim's path has {len(points):,} corners and pieces of curves",
            f"a cutter follows {_MOST_POINTS:,} at most: draw it with fewer",
        )
    _check_place(contour.bounds, view)
    _check_crossing(points)
    return Shape(
        "path",
        tuple(
            (
                operator,
                tuple(
                    value / (view.size.height if place % 2 else view.size.width)
                    for place, value in enumerate(values)
                ),
            )
            for operator, values in contour.segments
        ),
    )


def _refuse(message: str, hint: str) -> Refusal:
    return Refusal("template/trim-path", message, hint)


def _read_segments(text: str) -> tuple[Segment, ...]:
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.svgLib.path import parse_path

    if len(text) > _MOST_LETTERS:
        raise _refuse(
            f"the trim's path is {len(text):,} characters long",
            f"{_MOST_LETTERS:,} are the most: draw it with fewer points",
        )
    readable = _PATH_LETTERS.match(text)
    assert readable is not None
    pen = RecordingPen()
    try:
        if readable.end() < len(text):
            raise ValueError(text[readable.end() :])
        parse_path(text, pen)
    except (ValueError, ArithmeticError, IndexError, TypeError) as error:
        at = shorten(text[readable.end() :] or text)
        raise _refuse(f'the trim\'s path has broken data at "{at}"', _EXAMPLE) from error
    if not pen.value:
        raise _refuse("the trim's path draws nothing", _EXAMPLE)
    if sum(name == "moveTo" for name, _ in pen.value) > 1:
        raise _refuse(
            "the trim's path has several lines", "a card is cut out by one closed line: leave one"
        )
    segments = list(_make_segments(pen.value))
    if not all(isfinite(value) for _, values in segments for value in values):
        raise _refuse("the trim's path has numbers that are too large", _EXAMPLE)
    if pen.value[-1][0] == "endPath":
        start, end = segments[0][1], segments[-1][1][-2:]
        if max(abs(a - b) for a, b in zip(start, end, strict=True)) > 1e-3:
            raise _refuse("the trim's path is open", "close it with Z at its end")
        segments.append(("Z", ()))
    return tuple(segments)


def _make_segments(calls: list[tuple[str, tuple[Point, ...]]]) -> list[Segment]:
    found: list[Segment] = []
    at: Point = (0.0, 0.0)
    for name, points in calls:
        if name == "closePath":
            found.append(("Z", ()))
            continue
        if name == "endPath":
            continue
        if name == "qCurveTo":
            (cx, cy), (ex, ey) = points
            first = (at[0] + (cx - at[0]) * 2 / 3, at[1] + (cy - at[1]) * 2 / 3)
            second = (ex + (cx - ex) * 2 / 3, ey + (cy - ey) * 2 / 3)
            points = (first, second, (ex, ey))
            name = "curveTo"
        operator = {"moveTo": "M", "lineTo": "L", "curveTo": "C"}[name]
        found.append((operator, tuple(v for point in points for v in point)))  # type: ignore[arg-type]
        at = points[-1]
    return found


def _check_place(bounds: Rect, view: _View) -> None:
    """Refuse a path that does not reach the edges of the card, or reaches beyond them."""
    across, down = view.size
    if not bounds.width or not bounds.height:
        raise _refuse("the trim's path has no area", _EXAMPLE)
    slack = 0.004 * max(view.size)  # 0.1 mm of a card of 25 mm
    edges = (bounds.x, bounds.y, bounds.right - across, bounds.bottom - down)
    if max(map(abs, edges)) > slack:
        shown = "from {:g} {:g} to {:g} {:g}".format(
            *(round(v, 2) for v in (bounds.x, bounds.y, bounds.right, bounds.bottom))
        )
        raise Refusal(
            "template/trim-size",
            f"the trim's path goes {shown}, and the card from 0 0 to {round(across, 2):g} "
            f"{round(down, 2):g}",
            "let it reach each edge of the card and none beyond it; its size is that of the "
            "rectangle around it",
        )


def _check_crossing(points: tuple[Point, ...]) -> None:
    """Refuse a path that crosses itself or has no area."""
    count = len(points)
    edges = [(points[n], points[(n + 1) % count], n) for n in range(count)]
    # From left to right, so that only edges that lie above each other are compared.
    ordered = sorted(edges, key=lambda edge: min(edge[0][0], edge[1][0]))
    active: list[tuple[Point, Point, int]] = []
    for edge in ordered:
        left = min(edge[0][0], edge[1][0])
        active = [other for other in active if max(other[0][0], other[1][0]) >= left]
        for other in active:
            apart = abs(edge[2] - other[2])
            if apart not in (1, count - 1) and _cross(edge[0], edge[1], other[0], other[1]):
                x, y = edge[0]
                raise _refuse(
                    f"the trim's path crosses itself near {round(x, 2):g} {round(y, 2):g}",
                    "a card is cut out by one line that goes around it once",
                )
        active.append(edge)
    wide, high = (max(p[axis] for p in points) - min(p[axis] for p in points) for axis in (0, 1))
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b, _ in edges) / 2
    if count < 3 or abs(area) < _LEAST_AREA * wide * high:
        raise _refuse("the trim's path has no area", _EXAMPLE)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Say whether two edges share a point."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    one, two, three, four = side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
    if one == two == three == four == 0:  # along one line
        return all(
            min(a[axis], b[axis]) <= max(c[axis], d[axis])
            and min(c[axis], d[axis]) <= max(a[axis], b[axis])
            for axis in (0, 1)
        )
    return one * two <= 0 and three * four <= 0
