"""Faces without transparency: where something shines through, the place becomes pixels in the inks
of the press.

Each ink is drawn by itself as a grey page, so that colours meet as inks do and keep their numbers.
What is painted later stays as it is, lines and letters. Knows nothing of files or pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from cardgen.core.geometry import Rect
from cardgen.layout.extent import find_item_extent, find_matrix
from cardgen.layout.face import (
    Face,
    Group,
    Item,
    Picture,
    Pixels,
    Placed,
    Raster,
    Shared,
    Tag,
)

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 450
_INCH = 72

# Draws items within an area, as an image in the inks of the press at so many pixels to the inch.
Draw = Callable[[Sequence[Item], Rect, float], "Image"]


class _Layer(NamedTuple):
    """Clear items that are drawn together, where the first of them stands; areas by number."""

    number: int
    areas: dict[int, Rect]


class Flattener:
    """Flattens faces.

    draw: draws items as pixels
    is_clear: whether others shine through a picture
    """

    def __init__(self, draw: Draw, is_clear: Callable[[Path], bool]) -> None:
        self._draw = draw
        self._is_clear_picture = is_clear
        self._known: WeakKeyDictionary[Shared, bool] = WeakKeyDictionary()

    def flatten(self, face: Face) -> Sequence[Item]:
        """Return the items of a face, with pixels wherever one of them is clear."""
        if not any(map(self._holds_clear, face.items)):
            return face.items
        items = list(self._open(face.items))
        limits = Rect(0, 0, *face.size).outset(face.bleed)
        extents = [find_item_extent(item) for item in items]
        layers = self._find_layers(items, extents, limits)
        rasters = {layer.number: self._make_rasters(items, extents, layer) for layer in layers}
        flat: list[Item] = []
        for number, item in enumerate(items):
            flat += rasters.get(number, ())
            if not self._is_clear(item):
                flat.append(item)
        return flat

    def _find_layers(
        self, items: Sequence[Item], extents: Sequence[Rect | None], limits: Rect
    ) -> list[_Layer]:
        """Return the clear items in as few layers as may be: one joins the layer before it where
        nothing that is painted in between lies on its place.
        """
        layers: list[_Layer] = []
        for number, item in enumerate(items):
            if not self._is_clear(item):
                continue
            area = self._find_area(extents[number], limits)
            if area is None:
                continue
            last = layers[-1] if layers else None
            if last is not None and not any(
                _touches(extent, area)
                for between, extent in enumerate(extents[last.number : number], last.number)
                if between not in last.areas
            ):
                last.areas[number] = area
            else:
                layers.append(_Layer(number, {number: area}))
        return layers

    def _make_rasters(
        self, items: Sequence[Item], extents: Sequence[Rect | None], layer: _Layer
    ) -> list[Raster]:
        """Return the places of a layer as pixels, with all that lies below them."""
        areas = list(layer.areas.values())
        whole = reduce(Rect.join, areas)
        below = [
            items[number]
            for number in (*range(layer.number), *layer.areas)
            if any(_touches(extents[number], area) for area in areas)
        ]
        image = self._draw(below, whole, DPI)
        return [_cut(image, area, whole) for area in areas]

    def _find_area(self, extent: Rect | None, limits: Rect) -> Rect | None:
        """Return the whole pixels on which an item paints; None where it paints nothing."""
        found = extent.meet(limits) if extent is not None else None
        if found is None or not (found.width and found.height):
            return None
        step = _INCH / DPI
        left, top = floor(found.x / step) - 1, floor(found.y / step) - 1
        right, bottom = ceil(found.right / step) + 1, ceil(found.bottom / step) + 1
        return Rect(left * step, top * step, (right - left) * step, (bottom - top) * step)

    def _open(self, items: Sequence[Item]) -> Iterator[Item]:
        """Yield items one by one where forms and groups hold something clear, so that what they
        paint after it stays what it is.
        """
        for item in items:
            opened = isinstance(item, Placed) and not self._is_clear(item)
            if not opened or not self._holds_clear(item):
                yield item
            elif isinstance(item, Placed):
                matrix, clips = find_matrix(item), item.clips if isinstance(item, Group) else ()
                for inner in self._open(item.shared.items):
                    if isinstance(inner, Tag):
                        yield inner
                    else:
                        yield Group(Shared(item.shared.bounds, (inner,)), matrix, clips)

    def _is_clear(self, item: Item) -> bool:
        """Whether what lies below an item shines through it."""
        if isinstance(item, Group):
            # One that was opened holds a single item.
            held = item.shared.items
            return item.is_clear or (len(held) == 1 and self._is_clear(held[0]))
        if isinstance(item, Raster):
            return item.colour is not None
        return isinstance(item, Picture) and self._is_clear_picture(item.path)

    def _holds_clear(self, item: Item) -> bool:
        """Whether an item, or anything in it, is clear."""
        if not isinstance(item, Placed) or (isinstance(item, Group) and item.is_clear):
            return self._is_clear(item)
        if item.shared not in self._known:
            self._known[item.shared] = any(map(self._holds_clear, item.shared.items))
        return self._known[item.shared]


def _cut(image: Image, area: Rect, whole: Rect) -> Raster:
    """Return a part of an image, which is that of a whole area."""
    step = _INCH / DPI
    left, top = round((area.x - whole.x) / step), round((area.y - whole.y) / step)
    width, height = round(area.width / step), round(area.height / step)
    part = image.crop((left, top, left + width, top + height))
    return Raster(Pixels(width, height, part.tobytes()), area)


def _touches(extent: Rect | None, area: Rect) -> bool:
    return extent is not None and extent.overlaps(area)
