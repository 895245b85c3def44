"""Pictures cut to a shape, or shown as far as another picture is opaque."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Rect
from cardgen.layout.art.outlines import fit_path
from cardgen.layout.art.pictures import PictureInfo, place_picture
from cardgen.layout.art.shapes import trace_figure
from cardgen.layout.face import Clip, Group, Item, Shared
from cardgen.template.figures import Figure
from cardgen.template.model import MaskPath


def cut_to_shape(items: Sequence[Item], mask: Figure | MaskPath, rect: Rect) -> Group:
    """Return items of which only what lies within a shape is seen, as large as its box allows."""
    if isinstance(mask, MaskPath):
        segments = fit_path(mask.data, rect)
    else:
        segments = trace_figure(mask, rect).segments
    return Group(Shared(rect, tuple(items)), clips=(Clip(segments),))


def show_through(items: Sequence[Item], mask: PictureInfo, rect: Rect) -> Group:
    """Return items that are seen as far as a picture is opaque that fills their box."""
    if not mask.has_alpha:
        raise Refusal(
            "picture/no-alpha",
            f'picture "{mask.path.name}" is opaque all over, so that it masks nothing',
            "save it with a clear background, as PNG or WebP",
        )
    shown = place_picture(mask, rect, "cover", 0.0)
    return Group(Shared(rect, tuple(items)), mask=Shared(rect, (shown,)))
