"""The ornaments of card backs: each traced once for each size and ink, and placed often.

Chooses the geometry and the ink. Knows nothing of cards.
"""

from __future__ import annotations

from cardgen.core.geometry import Insets, Rect, Size
from cardgen.layout.art.outlines import paint_shape
from cardgen.layout.face import Form, Outline, Shared
from cardgen.template.model import GuillocheSpec, PlaitSpec, RaysSpec, RoseSpec

Ornament = GuillocheSpec | PlaitSpec | RoseSpec | RaysSpec


class Ornaments:
    """Ornaments that were drawn, by what they are and their size."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Ornament, Size], Shared] = {}

    def place(self, spec: Ornament, rect: Rect) -> Form:
        """Return an ornament that fills its box."""
        size = Size(round(rect.width, 3), round(rect.height, 3))
        if (spec, size) not in self._kept:
            box = Rect(0, 0, *size)
            reach = box.outset(Insets.even(spec.ink.stroke_width))
            self._kept[spec, size] = Shared(reach, tuple(_draw(spec, box)))
        return Form(rect.x, rect.y, self._kept[spec, size])


def _draw(spec: Ornament, rect: Rect) -> list[Outline]:
    # Most decks have no ornament, and need not wait for the geometry.
    from cardgen.layout.art.guilloche import trace_band, trace_ground, trace_rosette
    from cardgen.layout.art.rose import trace_rays, trace_rose

    if isinstance(spec, RoseSpec):
        light, dark = trace_rose(rect, spec.points, spec.inner)
        shade = spec.ink._replace(fill=spec.dark)
        painted = [paint_shape(light, spec.ink, rect)]
        if spec.dark is not None or spec.ink.stroke is not None:
            painted.append(paint_shape(dark, shade, rect))
        return painted
    if isinstance(spec, PlaitSpec):
        return _draw_plait(spec, rect)
    if isinstance(spec, RaysSpec):
        segments = trace_rays(rect, spec.rays, spec.inner)
    elif spec.form == "band":
        segments = trace_band(rect, spec.waves, spec.strands, spec.thickness)
    elif spec.form == "ground":
        segments = trace_ground(rect, spec.waves, spec.strands)
    else:
        segments = trace_rosette(rect, spec.waves, spec.strands, spec.inner)
    return [paint_shape(segments, spec.ink, rect)]


def _draw_plait(spec: PlaitSpec, rect: Rect) -> list[Outline]:
    """Return ribbons that are filled, with gaps at their crossings, or have lines as edges."""
    from cardgen.layout.art.plait import trace_plait, trace_plait_edges

    cells = (rect, spec.columns, spec.rows, *spec.hole, spec.ribbon)
    if spec.ink.stroke is None:
        return [paint_shape(trace_plait(*cells), spec.ink, rect)]
    edges = paint_shape(trace_plait_edges(*cells), spec.ink._replace(fill=None), rect)
    if spec.ink.fill is None:
        return [edges]
    return [paint_shape(trace_plait(*cells, gap=0), spec.ink._replace(stroke=None), rect), edges]
