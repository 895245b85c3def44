"""Shadows and glows: hard ones as outlines, soft ones as pixels of how opaque they are.

Each is made once, however many elements cast it, and in a colour of its own, which a press prints
as it is given. Knows nothing of cards or of PDF.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING

from cardgen.core.colour import BLACK, Colour
from cardgen.core.geometry import Insets, Rect, make_turn
from cardgen.layout.art.silhouettes import Silhouettes
from cardgen.layout.extent import find_extent
from cardgen.layout.face import (
    Form,
    Group,
    Item,
    Outline,
    Picture,
    Pixels,
    Raster,
    Segment,
    Shared,
)
from cardgen.template.model import Effect, Glow, Shadow
from cardgen.text.setting import Run

if TYPE_CHECKING:
    from PIL.Image import Image

# Draws items within an area, at so many pixels to the inch, as how opaque they are.
DrawStencil = Callable[[Sequence[Item], Rect, float], "Image"]

DPI = 300
_INCH = 72
_MOST_PIXELS = 12_000_000
_MOST_KEPT, _MOST_PIXELS_KEPT = 500, 20_000_000
_REACH = 1.6  # how far a blur is seen, in its length
_STRENGTH = 2.0  # by how much a glow is stronger than a blurred silhouette: whole at the edge


class Shadows:
    """Makes the shadows of one template's elements."""

    def __init__(self, draw: DrawStencil) -> None:
        self._draw = draw
        self._kept: dict[object, Shared | None] = {}
        self._pixels = 0  # how many of them are kept

    def cast(self, items: Sequence[Item], at: Rect, effect: Effect) -> list[Item]:
        """Return what lies beneath an element that was placed: its shadow, and its glow on top."""
        # Seen from its corner, so that an element makes the same shadow wherever it stands.
        moved = [_move(item, -at.x, -at.y) for item in items]
        found: list[Item] = []
        for one in (effect.shadow, effect.glow):
            shared = self._make(moved, one) if one is not None and one.opacity > 0 else None
            if one is None or shared is None:
                continue
            dx, dy = (one.dx, one.dy) if isinstance(one, Shadow) else (0.0, 0.0)
            x, y = at.x + dx, at.y + dy
            if one.opacity < 1:
                found.append(Group(shared, make_turn(0, x, y), opacity=one.opacity))
            else:
                found.append(Form(x, y, shared))
        return found

    def _make(self, items: Sequence[Item], one: Shadow | Glow) -> Shared | None:
        """Return a shadow as it lies beneath what casts it; None where nothing does."""
        if isinstance(one, Glow):
            hard, blur, spread = one.hard, one.reach, one.reach if one.hard else 0.0
        else:
            hard, blur, spread = not one.blur, one.blur, 0.0
        made = Silhouettes(one.colour if hard else BLACK, spread).make(items)
        key = (tuple(map(_tell_apart, made)), one.colour, blur, hard, isinstance(one, Glow))
        if key not in self._kept:
            if len(self._kept) >= _MOST_KEPT or self._pixels >= _MOST_PIXELS_KEPT:
                self._kept.clear()
                self._pixels = 0
            strength = _STRENGTH if isinstance(one, Glow) else 1.0
            self._kept[key] = _share(made) if hard else self._blur(made, one.colour, blur, strength)
        return self._kept[key]

    def _blur(
        self, items: tuple[Item, ...], colour: Colour, blur: float, strength: float
    ) -> Shared | None:
        from PIL import ImageFilter

        extent = find_extent(items)
        if extent is None:
            return None
        wide = extent.outset(Insets.even(blur * _REACH))
        dpi = min(DPI, sqrt(_MOST_PIXELS * _INCH**2 / (wide.width * wide.height)))
        area = _align(wide, _INCH / dpi)
        image = self._draw(items, area, dpi)
        image = image.filter(ImageFilter.GaussianBlur(blur / 2 * dpi / _INCH))
        if strength != 1:
            image = image.point(lambda value: min(255, round(value * strength)))
        pixels = Pixels(image.width, image.height, image.tobytes())
        self._pixels += image.width * image.height
        return Shared(area, (Raster(pixels, area, colour),))


def _align(area: Rect, step: float) -> Rect:
    """Return the whole pixels that cover an area, with one more on each side."""
    left, top = floor(area.x / step) - 1, floor(area.y / step) - 1
    right, bottom = ceil(area.right / step) + 1, ceil(area.bottom / step) + 1
    return Rect(left * step, top * step, (right - left) * step, (bottom - top) * step)


def _share(items: tuple[Item, ...]) -> Shared | None:
    extent = find_extent(items)
    return None if extent is None else Shared(extent.outset(Insets.even(1)), items)


def _move(item: Item, dx: float, dy: float) -> Item:
    """Return an item moved; what rounding leaves over is nothing that anybody sees."""
    if isinstance(item, Run | Form):
        return item._replace(x=round(item.x + dx, 4), y=round(item.y + dy, 4))
    if isinstance(item, Outline):
        segments = _move_segments(item.segments, dx, dy)
        return item._replace(segments=segments, bounds=_move_rect(item.bounds, dx, dy))
    if isinstance(item, Picture):
        frame, clip = _move_rect(item.frame, dx, dy), _move_rect(item.clip, dx, dy)
        return item._replace(frame=frame, clip=clip)
    if isinstance(item, Raster):
        return item._replace(frame=_move_rect(item.frame, dx, dy))
    if isinstance(item, Group) and item.mask is None:
        matrix = item.matrix
        moved = matrix._replace(e=round(matrix.e + dx, 4), f=round(matrix.f + dy, 4))
        clips = tuple(
            clip._replace(segments=_move_segments(clip.segments, dx, dy)) for clip in item.clips
        )
        return item._replace(matrix=moved, clips=clips)
    if isinstance(item, Group):
        return Group(Shared(_NO_ITEMS.bounds, (item,)), make_turn(0, dx, dy))
    return item


def _move_rect(rect: Rect, dx: float, dy: float) -> Rect:
    return Rect(round(rect.x + dx, 4), round(rect.y + dy, 4), *rect.size)


def _move_segments(segments: tuple[Segment, ...], dx: float, dy: float) -> tuple[Segment, ...]:
    return tuple(
        (kind, tuple(round(v + (dy if at % 2 else dx), 4) for at, v in enumerate(points)))
        for kind, points in segments
    )


def _tell_apart(item: Item) -> object:
    """Return what is equal for items that look the same."""
    if isinstance(item, Form):
        return (item._replace(shared=_NO_ITEMS), *map(_tell_apart, item.shared.items))
    if isinstance(item, Group):
        mask = item.mask.items if item.mask is not None else ()
        bare = item._replace(shared=_NO_ITEMS, mask=None)
        return (bare, tuple(map(_tell_apart, item.shared.items)), tuple(map(_tell_apart, mask)))
    return item


_NO_ITEMS = Shared(Rect(0, 0, 0, 0), ())
