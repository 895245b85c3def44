"""A path element's data turned into an outline in its box. Knows nothing of cards or files."""

from __future__ import annotations

from math import isfinite

from cardgen.errors import shorten
from cardgen.geometry import Rect
from cardgen.layout.contours import find_leftover, measure, to_segments, trace
from cardgen.layout.face import Outline
from cardgen.layout.outlines import paint_shape
from cardgen.layout.words import TextProblem
from cardgen.template.model import PathSpec
from cardgen.units import MM

_EXAMPLE = 'it is written as in SVG: "M0 0 L10 0 V5 Z"'


def draw_path(spec: PathSpec, rect: Rect) -> Outline:
    """The path from the box's top left in millimetres; in a view as large as the box allows."""
    from fontTools.misc.transform import Identity

    scale, x, y = MM, rect.x, rect.y
    if spec.view is not None:
        scale = min(rect.width / spec.view.width, rect.height / spec.view.height)
        x += (rect.width - spec.view.width * scale) / 2
        y += (rect.height - spec.view.height * scale) / 2
    broken = find_leftover(spec.data)
    try:
        if broken:
            raise ValueError(broken)
        calls = trace(spec.data, Identity.translate(x, y).scale(scale))
        if not all(isfinite(v) for _, points in calls for point in points for v in point):
            raise ValueError(spec.data)
    except (ValueError, ArithmeticError, IndexError) as error:
        at = shorten(broken or spec.data)
        raise TextProblem(f'a path has broken data at "{at}"', _EXAMPLE) from error
    bounds = measure(calls)
    if bounds is None:
        raise TextProblem("a path draws nothing", _EXAMPLE)
    return paint_shape(tuple(to_segments(calls)), spec.ink, bounds)
