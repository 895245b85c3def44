"""Path data and transforms, as SVG writes them, turned into contours and into segments.

fontTools draws. Knows nothing of SVG's elements, files, colours or problems.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import radians, tan
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgen.core.geometry import Rect
from cardgen.layout.face import Segment

if TYPE_CHECKING:
    from fontTools.misc.transform import Transform

NUMBER = r"[-+]?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?"
_PATH_PARTS = re.compile(rf"{NUMBER}|[MmZzLlHhVvCcSsQqTtAa]|[\s,]+")

# A pen call as fontTools records it: its name and its points.
Call = tuple[str, tuple[Any, ...]]


class Contours(NamedTuple):
    """Closed contours that cover an area; `bounds` is the box around them."""

    calls: tuple[Call, ...]
    bounds: Rect


def make_transform(name: str, numbers: list[float]) -> Transform | None:
    """Return a function of SVG's transform lists; None if there is no such function."""
    from fontTools.misc.transform import Identity, Transform

    match name, numbers:
        case "matrix", [_, _, _, _, _, _]:
            return Transform(*numbers)
        case "translate", [x, *rest] if len(rest) < 2:
            return Identity.translate(x, rest[0] if rest else 0)
        case "scale", [x, *rest] if len(rest) < 2:
            return Identity.scale(x, rest[0] if rest else x)
        case "rotate", [angle]:
            return Identity.rotate(radians(angle))
        case "rotate", [angle, x, y]:
            return Identity.translate(x, y).rotate(radians(angle)).translate(-x, -y)
        case "skewX", [angle]:
            return Transform(1, 0, tan(radians(angle)), 1, 0, 0)
        case "skewY", [angle]:
            return Transform(1, tan(radians(angle)), 0, 1, 0, 0)
    return None


def find_leftover(data: str) -> str:
    """Return the unreadable part of path data: fontTools would leave it out without a word."""
    return _PATH_PARTS.sub("", data)


def trace_data(data: str, onto: Transform) -> list[Call]:
    """Return path data as calls to a pen; broken data is a ValueError or an ArithmeticError."""
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.svgLib.path import parse_path

    recording = RecordingPen()
    parse_path(data, TransformPen(recording, onto))
    return list(recording.value)


def close_calls(traced: Iterable[Call]) -> Contours | None:
    """Return the area that a filled path covers; None if that is no area."""
    calls = tuple(_tidy(traced))
    bounds = measure_calls(calls)
    return Contours(calls, bounds) if bounds and bounds.width and bounds.height else None


def measure_calls(calls: Iterable[Call]) -> Rect | None:
    """Return the box around a traced path; None if it draws nothing."""
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.recordingPen import replayRecording

    pen = BoundsPen(None, ignoreSinglePoints=True)
    replayRecording(calls, pen)
    if pen.bounds is None:
        return None
    left, top, right, bottom = pen.bounds
    return Rect(left, top, right - left, bottom - top)


def join_shapes(shapes: Sequence[Contours]) -> tuple[Segment, ...]:
    """Return all shapes as one path."""
    return tuple(to_segments(_turn(shapes)))


def unite(boxes: Iterable[Rect]) -> Rect:
    """Return the smallest box around all of them."""
    found = list(boxes)
    left, top = min(b.x for b in found), min(b.y for b in found)
    right, bottom = max(b.right for b in found), max(b.bottom for b in found)
    return Rect(left, top, right - left, bottom - top)


def _tidy(calls: Iterable[Call]) -> Iterator[Call]:
    """Close every contour, as filling does; drop lone points, and round off the noise of sines."""
    contour: list[Call] = []
    for name, points in calls:
        if name in ("closePath", "endPath"):
            if len(contour) > 1:
                yield from contour
                yield ("closePath", ())
            contour = []
        else:
            contour.append((name, tuple((round(x, 6), round(y, 6)) for x, y in points)))


def _turn(shapes: Sequence[Contours]) -> Iterator[Call]:
    """Give all contours, turned the same way so that overlapping shapes add up."""
    from fontTools.pens.areaPen import AreaPen
    from fontTools.pens.recordingPen import RecordingPen, replayRecording
    from fontTools.pens.reverseContourPen import ReverseContourPen

    for shape in shapes:
        area = AreaPen()
        replayRecording(shape.calls, area)
        if len(shapes) > 1 and area.value < 0:
            recording = RecordingPen()
            replayRecording(shape.calls, ReverseContourPen(recording))
            yield from recording.value
        else:
            yield from shape.calls


def to_segments(calls: Iterable[Call]) -> Iterator[Segment]:
    """Give the calls as segments, quadratic curves as cubic ones."""
    x = y = 0.0
    for name, points in calls:
        if name == "endPath":
            continue
        if name == "closePath":
            yield ("Z", ())
            continue
        if name == "moveTo":
            yield ("M", points[0])
        elif name == "lineTo":
            yield ("L", points[0])
        elif name == "curveTo":
            yield ("C", tuple(v for point in points for v in point))
        else:
            (cx, cy), (ex, ey) = points
            near = (x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3)
            far = (ex + (cx - ex) * 2 / 3, ey + (cy - ey) * 2 / 3)
            yield ("C", (*near, *far, ex, ey))
        x, y = points[-1]
