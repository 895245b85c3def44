"""Masks of SVG show things by how light they are; here they become masks that show by how opaque
they are.

Knows nothing of files.
"""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.core.colour import BLACK, Colour, Gradient
from cardgen.core.geometry import Rect
from cardgen.layout.art.svg.drawing import cut_out, measure_items, share_items
from cardgen.layout.art.svg.ramps import make_ramp
from cardgen.layout.face import Group, Item, Outline

_DARK, _LIGHT = 0.004, 0.996


class Unclear(ValueError):
    """A mask in which something dark lies on top of something light."""


def show_by_light(items: Iterable[Item]) -> list[Item]:
    """Return items as opaque as these are light."""
    found: list[Item] = []
    for item in items:
        shown = _turn(item)
        box = measure_items([item]) or Rect(0, 0, 0, 0)
        covers = any(box.overlaps(measure_items([other]) or box) for other in found)
        if shown is None and covers and isinstance(item, Outline) and item.stroke is None:
            found = [cut_out(found, item)]
        elif shown is not item and covers:
            raise Unclear
        elif shown is not None:
            found.append(shown)
    return found


def _turn(item: Item) -> Item | None:
    """Return an item as it shows; itself where it is white, and nothing where it is black."""
    if isinstance(item, Group):
        inner = show_by_light(item.shared.items)
        if len(inner) == len(item.shared.items) and all(map(_is_same, inner, item.shared.items)):
            return item
        return item._replace(shared=share_items(inner)) if inner else None
    if not isinstance(item, Outline):
        raise Unclear
    lights = [
        _measure(paint)
        for paint in (item.fill, item.stroke.colour if item.stroke else None)
        if isinstance(paint, Colour)
    ]
    if isinstance(item.fill, Gradient):
        if item.stroke is not None:
            raise Unclear
        opacities = tuple(_measure(colour) for _, colour in item.fill.stops)
        mask = make_ramp(item.fill, opacities, item.bounds)
        return Group(share_items([item._replace(fill=BLACK)]), mask=mask)
    light = max(lights, default=0.0)
    if light <= _DARK:
        return None
    if len(lights) > 1 and min(lights) < light:
        raise Unclear
    return item if light >= _LIGHT else Group(share_items([item]), opacity=light)


def _is_same(first: Item, second: Item) -> bool:
    return first is second


def _measure(colour: Colour) -> float:
    """Return how light a colour of an SVG is."""
    red, green, blue = colour.values
    return 0.2125 * red + 0.7154 * green + 0.0721 * blue
