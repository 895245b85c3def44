"""The outlines of SVG's shapes, in the coordinates that the file gives them.

Knows nothing of styles or places: what is broken is a ValueError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.core.geometry import Rect
from cardgen.core.shape import KAPPA, trace_corners
from cardgen.layout.art.contours import Segments, read_path
from cardgen.layout.art.svg.document import get_tag
from cardgen.layout.art.svg.numbers import read_length, read_numbers

if TYPE_CHECKING:
    from lxml import etree

SHAPES = ("circle", "ellipse", "line", "path", "polygon", "polyline", "rect")
# How far a Bézier's handles reach along the tangents to draw a quarter circle.


class Missing(ValueError):
    """A measure that a shape cannot do without."""


def trace_shape(element: etree._Element, view: Rect, em: float) -> Segments:
    """Return the outline of a shape; nothing for one that has no size."""
    tag = get_tag(element)

    def measure(name: str, whole: float, otherwise: float | None = 0.0) -> float | None:
        text = element.get(name)
        if text is None or (otherwise is None and text.strip() == "auto"):
            return otherwise
        return read_length(text, whole, em)

    def get(name: str, whole: float) -> float:
        return measure(name, whole) or 0.0

    wide, high = view.width, view.height
    match tag:
        case "path":
            return read_path(element.get("d", "").strip())
        case "polygon" | "polyline":
            return _trace_polygon(element.get("points", ""), closed=tag == "polygon")
        case "line":
            start, end = (get("x1", wide), get("y1", high)), (get("x2", wide), get("y2", high))
            return ("M", start), ("L", end)
        case "circle":
            _require(element, "r")
            radius = get("r", ((wide * wide + high * high) / 2) ** 0.5)
            return _trace_ellipse(get("cx", wide), get("cy", high), radius, radius)
        case "ellipse":
            across, down = (
                None if radius is not None and radius < 0 else radius
                for radius in (measure("rx", wide, None), measure("ry", high, None))
            )
            across = down if across is None else across
            down = across if down is None else down
            if across is None or down is None:
                _require(element, "rx", "ry")
            return _trace_ellipse(get("cx", wide), get("cy", high), across or 0.0, down or 0.0)
    _require(element, "width", "height")
    box = Rect(get("x", wide), get("y", high), get("width", wide), get("height", high))
    across, down = (
        None if radius is not None and radius < 0 else radius
        for radius in (measure("rx", wide, None), measure("ry", high, None))
    )
    return _trace_rect(box, across, down)


def _require(element: etree._Element, *names: str) -> None:
    for name in names:
        if element.get(name) is None:
            raise Missing(name)


def _trace_polygon(text: str, *, closed: bool) -> Segments:
    numbers = read_numbers(text)
    if len(numbers) % 2:
        raise ValueError(text)
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    if len(points) < 2:
        return ()
    lines: Segments = (("M", points[0]), *(("L", point) for point in points[1:]))
    return (*lines, ("Z", ())) if closed else lines


def _trace_ellipse(x: float, y: float, rx: float, ry: float) -> Segments:
    if rx <= 0 or ry <= 0:
        return ()
    u, v = rx * KAPPA, ry * KAPPA
    return (
        ("M", (x + rx, y)),
        ("C", (x + rx, y + v, x + u, y + ry, x, y + ry)),
        ("C", (x - u, y + ry, x - rx, y + v, x - rx, y)),
        ("C", (x - rx, y - v, x - u, y - ry, x, y - ry)),
        ("C", (x + u, y - ry, x + rx, y - v, x + rx, y)),
        ("Z", ()),
    )


def _trace_rect(box: Rect, rx: float | None, ry: float | None) -> Segments:
    if box.width <= 0 or box.height <= 0:
        return ()
    rx = ry if rx is None else rx
    ry = rx if ry is None else ry
    return trace_corners(box, min(rx or 0.0, box.width / 2), min(ry or 0.0, box.height / 2))
