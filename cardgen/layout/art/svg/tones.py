"""Drawings in greys, or in the tints of one colour.

Knows nothing of files.
"""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.core.colour import Colour, Gradient, Paint
from cardgen.layout.art.svg.drawing import share_items
from cardgen.layout.face import Group, Item, Outline, Picture, Tone


def tone_items(items: Iterable[Item], tone: Tone | None) -> tuple[Item, ...]:
    """Return the items of a drawing in a tone; None: in their own colours."""
    if tone is None:
        return tuple(items)
    return tuple(_turn(item, tone) for item in items)


def _turn(item: Item, tone: Tone) -> Item:
    if isinstance(item, Picture):
        return item._replace(tone=tone)
    if isinstance(item, Group):
        return item._replace(shared=share_items(_turn(one, tone) for one in item.shared.items))
    if isinstance(item, Outline):
        line = item.stroke
        if line is not None:
            line = line._replace(colour=_tone_colour(line.colour, tone))
        fill = None if item.fill is None else _tone_paint(item.fill, tone)
        return item._replace(fill=fill, stroke=line)
    return item


def _tone_paint(paint: Paint, tone: Tone) -> Paint:
    if isinstance(paint, Gradient):
        stops = tuple((at, _tone_colour(colour, tone)) for at, colour in paint.stops)
        return paint._replace(stops=stops)
    return _tone_colour(paint, tone)


def _tone_colour(colour: Colour, tone: Tone) -> Colour:
    """Return a colour of a drawing, which is RGB, as light as it is."""
    red, green, blue = colour.values
    light = 0.299 * red + 0.587 * green + 0.114 * blue
    if tone == "grey":
        return Colour("grey", (light,))
    if tone.space == "cmyk":
        return Colour("cmyk", tuple(value * (1 - light) for value in tone.values))
    return Colour(tone.space, tuple(1 - (1 - value) * (1 - light) for value in tone.values))
