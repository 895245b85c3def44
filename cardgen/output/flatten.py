"""Faces without transparency: where something shines through, the place becomes pixels in the inks
of the press.

Each ink is drawn by itself as a grey page, so that colours meet as inks do and keep their numbers.
What is painted later stays as it is, lines and letters. Knows nothing of files or pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from cardgen.core.geometry import Rect
from cardgen.layout.extent import find_item_extent, find_matrix
from cardgen.layout.face import Face, Form, Group, Item, Picture, Pixels, Raster, Shared, Tag

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 450
_INCH = 72

# Draws items within an area, as an image in the inks of the press at so many pixels to the inch.
Draw = Callable[[Sequence[Item], Rect, float], "Image"]


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
        flat: list[Item] = []
        for number, item in enumerate(items):
            if not self._is_clear(item):
                flat.append(item)
                continue
            area = self._find_area(item, limits)
            if area is not None:
                flat.append(self._make_raster(items[: number + 1], area))
        return flat

    def _make_raster(self, items: Sequence[Item], area: Rect) -> Raster:
        below = [item for item in items if _touches(item, area)]
        image = self._draw(below, area, DPI)
        return Raster(Pixels(image.width, image.height, image.tobytes()), area)

    def _find_area(self, item: Item, limits: Rect) -> Rect | None:
        """Return the whole pixels on which an item paints; None where it paints nothing."""
        extent = find_item_extent(item)
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
            opened = isinstance(item, Form | Group) and not self._is_clear(item)
            if not opened or not self._holds_clear(item):
                yield item
            elif isinstance(item, Form | Group):
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
        if not isinstance(item, Form | Group) or (isinstance(item, Group) and item.is_clear):
            return self._is_clear(item)
        if item.shared not in self._known:
            self._known[item.shared] = any(map(self._holds_clear, item.shared.items))
        return self._known[item.shared]


def _touches(item: Item, area: Rect) -> bool:
    extent = find_item_extent(item)
    return extent is not None and extent.overlaps(area)
