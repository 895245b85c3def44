"""Icons: drawings that a template gives one colour, or that keep their own.

Knows nothing of decks, templates or PDF, nor which colour an icon gets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from cardgen.core.colour import BLACK, Colour, Gradient, Paint
from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.geometry import Rect, Size
from cardgen.layout.art.contours import close_path, unite_paths
from cardgen.layout.art.outlines import make_rect
from cardgen.layout.art.svg.drawing import (
    Drawing,
    Painted,
    cut_out,
    fit_drawing,
    measure_items,
    share_items,
)
from cardgen.layout.face import Group, Item, Outline, Picture
from cardgen.text.fonts import FontShelf

# A shape that fills all of its box but this share is the icon's ground.
_GROUND = 0.01
# Texts, pictures, which may be drawings that hold some, and any text in letters of two bytes.
_ASKS_FOR_FONTS = re.compile(rb"text|image|\0")
_MOST_BYTES = 20_000_000  # of which an icon is refused that has more


class IconShape(NamedTuple):
    """What an icon shows, in its own colours; `painted` tells what it is painted with.

    ground: whether its first item fills its box
    """

    name: str
    drawing: Drawing
    ground: bool

    @property
    def size(self) -> Size:
        return self.drawing.size


def read_icon(path: Path, where: Where | None = None, shelf: FontShelf | None = None) -> IconShape:
    """Return the icon in an SVG file; `where` is the place that asks for it."""
    try:
        found = path.stat()
        file = (path.absolute(), found.st_mtime_ns, found.st_size)
        return _read(path, shelf if _holds_text(path, *file) else None, *file)
    except OSError as error:
        raise CardgenError(
            "icon/cannot-be-read", f'cannot read icon "{path}": {error.strerror}', where
        ) from error


@lru_cache(maxsize=256)
def _holds_text(path: Path, *_file: object) -> bool:
    """Whether an icon may need a font: all others look the same whatever fonts there are."""
    with path.open("rb") as file:
        return _ASKS_FOR_FONTS.search(file.read(_MOST_BYTES)) is not None


@lru_cache(maxsize=256)
def _read(path: Path, shelf: FontShelf | None, *_file: object) -> IconShape:
    """Return the icon in a file; `_file` changes when the file at this path does."""
    from cardgen.layout.art.svg.reader import read_svg  # which decks without icons do without

    drawing = read_svg(path, shelf)
    if not drawing.items:
        raise CardgenError(
            "icon/empty",
            "this icon paints nothing",
            Where(str(path), 1),
            "draw shapes that are filled or stroked",
        )
    return IconShape(path.stem, drawing, _has_ground(drawing))


def fit_icon(shape: IconShape, frame: Rect) -> tuple[Item, ...]:
    """Return an icon in its own colours, as large as the frame allows, its box centred there."""
    return fit_drawing(shape.drawing, _fit(shape, frame))


def fit_stencil(shape: IconShape, frame: Rect) -> tuple[Item, ...]:
    """Return an icon in black, without its ground, to be painted in one colour."""
    drawing = shape.drawing
    ground = _check_colours(shape)
    if shape.ground:
        kept = _cut_grounds(drawing.items, ground)
        drawing = drawing._replace(items=kept, bounds=measure_items(kept) or drawing.bounds)
    items = fit_drawing(drawing, _fit(shape, frame))
    return tuple(_unite(_paint(items, BLACK)))


def paint_stencil(items: Sequence[Item], paint: Paint) -> tuple[Item, ...]:
    """Return the items of a stencil in a paint; a gradient runs through all of them."""
    if isinstance(paint, Colour):
        return tuple(_paint(items, paint))
    bounds = measure_items(items) or Rect(0, 0, 0, 0)
    if all(isinstance(item, Outline) and item.stroke is None for item in items):
        filled = (item for item in items if isinstance(item, Outline))
        return tuple(item._replace(fill=paint, bounds=bounds) for item in filled)
    painted = make_rect(bounds, 0, paint, None)
    return (Group(share_items([painted]), mask=share_items(items)),)


def _fit(shape: IconShape, frame: Rect) -> Rect:
    width, height = shape.size
    scale = min(frame.width / width, frame.height / height)
    left = frame.x + (frame.width - width * scale) / 2
    top = frame.y + (frame.height - height * scale) / 2
    return Rect(left, top, width * scale, height * scale)


def _has_ground(drawing: Drawing) -> bool:
    """Whether the first shape of an icon fills its box, and others have another colour."""
    first = drawing.items[0]
    if not isinstance(first, Outline) or first.stroke is not None or len(drawing.painted) < 2:
        return False
    width, height = drawing.size
    near = _GROUND * max(width, height)
    box = Rect(near, near, width - 2 * near, height - 2 * near)
    return (
        first.bounds.contains(box)
        and any(one.paint != first.fill for one in drawing.painted)
        and all(
            (min(abs(x), abs(x - width)) < near or x < 0 or x > width)
            and (min(abs(y), abs(y - height)) < near or y < 0 or y > height)
            for _, points in first.segments
            for x, y in zip(points[::2], points[1::2], strict=True)
        )
    )


def _check_colours(shape: IconShape) -> Paint | None:
    """Return the colour of an icon's ground; an icon of several colours besides is an error."""
    path, painted = shape.name, list(shape.drawing.painted)
    ground = painted[0].paint if shape.ground else None
    seen = [one for one in painted if one.paint != ground]
    first = seen[0].paint if seen else None
    others = (one for one in seen if one.paint != first or not isinstance(one.paint, Colour))
    problems = [_refuse(one, seen[0]) for one in islice(others, 1)]
    if not problems and _holds_picture(shape.drawing.items):
        problems.append(
            Problem(
                "icon/not-plain",
                f'icon "{path}" holds a picture',
                painted[0].where if painted else None,
                'draw it as shapes, or write colours="keep" on the <icon>',
            )
        )
    if problems:
        raise CardgenError.of(problems)
    return ground


def _refuse(one: Painted, first: Painted) -> Problem:
    hint = 'an icon has one colour; write colours="keep" on the <icon>, and it keeps its own'
    if isinstance(one.paint, Gradient):
        return Problem(
            "icon/several-colours", f"<{one.tag}> is painted with a gradient", one.where, hint
        )
    message = (
        f"<{one.tag}> is painted with {_name(one.paint)},"
        f" the shapes before it with {_name(first.paint)}"
    )
    return Problem("icon/several-colours", message, one.where, hint)


def _name(paint: Paint) -> str:
    if isinstance(paint, Gradient):
        return "a gradient"
    return "#" + "".join(f"{round(value * 255):02x}" for value in paint.values)


def _holds_picture(items: Iterable[Item]) -> bool:
    return any(
        isinstance(item, Picture) or (isinstance(item, Group) and _holds_picture(item.shared.items))
        for item in items
    )


def _cut_grounds(items: Sequence[Item], ground: Paint | None) -> tuple[Item, ...]:
    """Return items without a ground; what has its colour is cut out of what lies below."""
    found: list[Item] = []
    for item in items[1:]:
        if isinstance(item, Outline) and ground in (item.fill, _get_line(item)):
            if item.fill == ground and found:
                found = [cut_out(found, item)]
            if _get_line(item) not in (ground, None):
                found.append(item._replace(fill=None))
        else:
            found.append(item)
    return tuple(found)


def _get_line(outline: Outline) -> Paint | None:
    return outline.stroke.colour if outline.stroke else None


def _paint(items: Iterable[Item], colour: Colour) -> Iterable[Item]:
    """Yield items in one colour, as opaque as they were."""
    for item in items:
        if isinstance(item, Outline):
            line = item.stroke._replace(colour=colour) if item.stroke else None
            yield item._replace(fill=colour if item.fill is not None else None, stroke=line)
        elif isinstance(item, Group):
            yield item._replace(shared=share_items(_paint(item.shared.items, colour)))
        else:
            yield item


def _unite(items: Iterable[Item]) -> Iterable[Item]:
    """Yield items with those filled shapes as one that may be: they follow each other, and the
    parts of each add up.
    """
    shapes: list[Outline] = []
    for item in (*items, None):
        if isinstance(item, Outline) and item.stroke is None and not item.even_odd:
            shapes.append(item)
            continue
        if shapes:
            yield _join(shapes)
            shapes = []
        if item is not None:
            yield item


def _join(shapes: Sequence[Outline]) -> Outline:
    paths = [close_path(shape.segments) for shape in shapes]
    bounds = measure_items(shapes)
    return shapes[0]._replace(
        segments=unite_paths([path for path in paths if path]), bounds=bounds or shapes[0].bounds
    )
