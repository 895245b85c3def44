"""A picture as it fills its box: cut, repeated, toned, and run on into the bleed.

Knows nothing of how its file is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Rect, Size
from cardgen.core.units import format_size
from cardgen.layout.art.masks import cut_to_shape, show_through
from cardgen.layout.art.outlines import trace_rect
from cardgen.layout.art.pictures import (
    PictureInfo,
    place_frame,
    place_picture,
    run_on_picture,
    tile_picture,
)
from cardgen.layout.art.svg.drawing import (
    Drawing,
    place_drawing,
    run_on_drawing,
    tile_drawing,
)
from cardgen.layout.contents import Contents
from cardgen.layout.face import Clip, Group, Item, Picture, Shared, Tone
from cardgen.template.model import ImageSpec, MaskFile, Node

# Less than this is nothing that a printer could show, and nothing to divide by.
_LEAST_ROOM = 0.01  # points


def draw_image(
    contents: Contents, node: Node, info: PictureInfo | Drawing, rect: Rect, trim: Rect
) -> Sequence[Item]:
    """Return a picture as it fills its box, and what of it runs on in the bleed."""
    spec = node.spec
    assert isinstance(spec, ImageSpec)
    _check_room(rect.meet(trim) if spec.run_on else rect)
    tone: Tone | None = spec.tint or ("grey" if spec.greyscale else None)
    shown = rect
    if isinstance(info, Drawing):
        drawn = _draw_vectors(contents, spec, info, tone, rect, trim)
        if spec.fit != "tile" and not spec.run_on:
            _, shown = place_frame(info.size, rect, spec.fit)
    else:
        pictures = _draw_pixels(spec, info, tone, rect, trim)
        drawn = [*pictures]
        if len(pictures) == 1:
            shown = pictures[0].clip
    if spec.fit == "tile" and spec.radius:
        edge = trace_rect(rect, spec.radius)
        return [Group(Shared(rect, tuple(drawn)), clips=(Clip(edge),))]
    if isinstance(spec.mask, MaskFile):
        return [show_through(drawn, contents.get_mask(node, spec.mask), shown)]
    if spec.mask is not None:
        return [cut_to_shape(drawn, spec.mask, shown)]
    return [Group(Shared(rect, tuple(drawn)))] if spec.fit == "tile" else drawn


def _check_room(rect: Rect) -> None:
    if not min(rect.width, rect.height) >= _LEAST_ROOM:
        raise Refusal(
            "layout/picture-has-no-room",
            f"there is no room for a picture in a box of {format_size(rect.size)}",
            "give it width and height, or make what stands beside it smaller",
        )


def _draw_pixels(
    spec: ImageSpec, info: PictureInfo, tone: Tone | None, rect: Rect, trim: Rect
) -> list[Picture]:
    """Return a picture as often as it is shown."""
    if spec.fit == "tile":
        drawn = [*tile_picture(info, rect, spec.tile)]
    elif spec.run_on:
        drawn = [*run_on_picture(info, rect.meet(trim), rect, spec.fit, spec.run_on)]
    else:
        drawn = [place_picture(info, rect, spec.fit, spec.radius)]
    return drawn if tone is None else [picture._replace(tone=tone) for picture in drawn]


def _draw_vectors(
    contents: Contents,
    spec: ImageSpec,
    drawing: Drawing,
    tone: Tone | None,
    rect: Rect,
    trim: Rect,
) -> list[Item]:
    """Return a drawing as often as it is shown."""
    share = partial(contents.share_drawing, drawing, tone)
    if spec.fit == "tile":
        size = Size(spec.tile, spec.tile * drawing.height / drawing.width)
        return [*tile_drawing(share(size), size, rect)]
    inner = rect.meet(trim) if spec.run_on else rect
    frame, _ = place_frame(drawing.size, inner, spec.fit)
    if spec.run_on:
        shared = share(frame.size)
        return [*run_on_drawing(shared, drawing.size, inner, rect, spec.fit, spec.run_on)]
    return [place_drawing(share(frame.size), drawing.size, rect, spec.fit, spec.radius)]
