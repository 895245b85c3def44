"""The red of a draft, and what is drawn in it: a box for what is not there, clips for what is too
long.

Knows nothing of texts.
"""

from __future__ import annotations

from cardgen.core.colour import Colour
from cardgen.core.geometry import Rect, Size
from cardgen.layout.art.outlines import make_rect, trace_rect
from cardgen.layout.face import Clip, Item, Outline, Segment, Shared, Stroke

RED = Colour("cmyk", (0.0, 1.0, 1.0, 0.0))
_FRAME = 0.5


def draw_gone(size: Size) -> Shared:
    """Return a small box with a cross, its top left at the origin."""
    rect = Rect(0, 0, *size)
    cross: tuple[Segment, ...] = (
        ("M", (0.0, 0.0)),
        ("L", (size.width, size.height)),
        ("M", (0.0, size.height)),
        ("L", (size.width, 0.0)),
    )
    stroke = Stroke(RED, _FRAME)
    return Shared(
        rect, (make_rect(rect, 0, None, stroke), Outline(cross, None, stroke, False, rect))
    )


def draw_frame(rect: Rect) -> Item:
    """Return a red line around a box, be it ever so flat."""
    return make_rect(rect, 0.0, None, Stroke(RED, _FRAME))


def clip_to(rect: Rect) -> Clip:
    """Return a clip that shows only what lies within a box."""
    return Clip(trace_rect(rect, 0.0))


def clip_out(rect: Rect, limits: Rect) -> Clip:
    """Return a clip that shows only what lies outside a box, and within its limits."""
    return Clip((*trace_rect(limits, 0.0), *trace_rect(rect.meet(limits), 0.0)), even_odd=True)
