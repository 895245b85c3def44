"""Shadows and glows: hard ones as outlines, soft ones as pixels of how opaque they are.

Each is made once, however many elements cast it, and in a colour of its own, which a press prints
as it is given. Knows nothing of cards or of PDF.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING, NamedTuple

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
from cardgen.template.model import Effect
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


class _Fall(NamedTuple):
    """How a shadow or a glow is made of a silhouette.

    spread: how far it reaches beyond it with sharp edges
    strength: by how much the blurred one is made stronger
    """

    dx: float
    dy: float
    blur: float
    spread: float
    strength: float
    colour: Colour
    opacity: float


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
        clear = effect.opacity < 1 or effect.blend != "normal"
        if clear:
            moved = [_cover(item) for item in moved]
        found: list[Item] = []
        for fall in _list_falls(effect):
            shared = self._find(moved, fall, clear=clear)
            x, y = at.x + fall.dx, at.y + fall.dy
            if shared is not None and fall.opacity < 1:
                found.append(Group(shared, make_turn(0, x, y), opacity=fall.opacity))
            elif shared is not None:
                found.append(Form(x, y, shared))
        return found

    def _find(self, items: Sequence[Item], fall: _Fall, *, clear: bool) -> Shared | None:
        """Return a shadow as it lies beneath what casts it; None where nothing does.

        clear: whether it would be seen through what casts it, and is cut out there
        """
        lines = not fall.blur and not clear
        made = Silhouettes(fall.colour if lines else BLACK, fall.spread).make(items)
        place = (fall.dx, fall.dy) if clear else None
        key = (tuple(map(_tell_apart, made)), fall.blur, fall.strength, fall.colour, place)
        if key not in self._kept:
            if len(self._kept) >= _MOST_KEPT or self._pixels >= _MOST_PIXELS_KEPT:
                self._kept.clear()
                self._pixels = 0
            cut = Silhouettes(BLACK).make(items) if clear else ()
            self._kept[key] = _share(made) if lines else self._make_pixels(made, fall, cut)
        return self._kept[key]

    def _make_pixels(
        self, items: tuple[Item, ...], fall: _Fall, cut: tuple[Item, ...]
    ) -> Shared | None:
        """Return a shadow in pixels, without what lies beneath `cut`."""
        from PIL import ImageChops, ImageFilter

        extent = find_extent(items)
        if extent is None:
            return None
        wide = extent.outset(Insets.even(fall.blur * _REACH))
        dpi = min(DPI, sqrt(_MOST_PIXELS * _INCH**2 / (wide.width * wide.height)))
        area = _align(wide, _INCH / dpi)
        image = self._draw(items, area, dpi)
        if fall.blur:
            image = image.filter(ImageFilter.GaussianBlur(fall.blur / 2 * dpi / _INCH))
        if fall.strength != 1:
            image = image.point(lambda value: min(255, round(value * fall.strength)))
        if cut:
            above = self._draw(cut, area.moved(fall.dx, fall.dy), dpi)
            image = ImageChops.multiply(image, ImageChops.invert(above))
        pixels = Pixels(image.width, image.height, image.tobytes())
        self._pixels += image.width * image.height
        return Shared(area, (Raster(pixels, area, fall.colour),))


def _list_falls(effect: Effect) -> Iterator[_Fall]:
    share, shadow, glow = effect.opacity, effect.shadow, effect.glow
    if shadow is not None and shadow.opacity:
        dx, dy, blur, colour, opacity = shadow
        yield _Fall(dx, dy, blur, 0.0, 1.0, colour, opacity * share)
    if glow is not None and glow.opacity and glow.hard:
        yield _Fall(0.0, 0.0, 0.0, glow.reach, 1.0, glow.colour, glow.opacity * share)
    elif glow is not None and glow.opacity:
        yield _Fall(0.0, 0.0, glow.reach, 0.0, _STRENGTH, glow.colour, glow.opacity * share)


def _cover(item: Item) -> Item:
    """Return what covers as much as others shine through it."""
    return item._replace(opacity=1.0, blend="normal") if isinstance(item, Group) else item


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
