"""A drawing that was read: items in its own coordinates, and those brought to a size on a face.

Knows nothing of files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardgen.core.colour import Axis, Circles, Gradient, Paint
from cardgen.core.errors import Where
from cardgen.core.geometry import Insets, Matrix, Rect, Size
from cardgen.layout.art.contours import is_finite, measure_segments, move_segments
from cardgen.layout.art.outlines import trace_rect
from cardgen.layout.art.pictures import PictureFit, RunOn, place_frame, run_on_frames, tile_frames
from cardgen.layout.art.svg.paints import move_box
from cardgen.layout.face import (
    Clip,
    Form,
    Group,
    Item,
    Outline,
    Picture,
    Placed,
    Raster,
    Shared,
    Stroke,
)


class Painted(NamedTuple):
    """What an element is painted with."""

    paint: Paint
    tag: str
    where: Where


class Drawing(NamedTuple):
    """Items in a box of this size, from its top left; `bounds` is what they cover.

    painted: what they are painted with, in the order in which they are
    """

    size: Size
    items: tuple[Item, ...]
    bounds: Rect
    painted: tuple[Painted, ...] = ()

    @property
    def width(self) -> float:
        return self.size.width

    @property
    def height(self) -> float:
        return self.size.height


def fit_drawing(drawing: Drawing, frame: Rect) -> tuple[Item, ...]:
    """Return a drawing that fills a frame of its own shape; what lies beyond it is cut off."""
    across, down = frame.width / drawing.size.width, frame.height / drawing.size.height
    matrix = Matrix(across, 0, 0, down, frame.x, frame.y)
    items = tuple(move_item(item, matrix) for item in drawing.items)
    bounds = move_box(drawing.bounds, matrix)
    if frame.contains(bounds, tolerance=0.01 * max(frame.width, frame.height)):
        return items
    return (Group(Shared(bounds, items), clips=(Clip(trace_rect(frame, 0)),)),)


def place_drawing(shared: Shared, size: Size, box: Rect, fit: PictureFit, radius: float) -> Placed:
    """Return a drawing that was brought to a size, in a box: whole, or filling it."""
    frame, clip = place_frame(size, box, fit)
    radius = min(radius, clip.width / 2, clip.height / 2)
    if clip == frame and not radius:
        return Form(frame.x, frame.y, shared)
    clips = (Clip(trace_rect(clip, radius)),)
    return Group(shared, Matrix(1, 0, 0, 1, frame.x, frame.y), clips)


def run_on_drawing(
    shared: Shared, size: Size, box: Rect, reach: Rect, fit: PictureFit, way: RunOn
) -> Iterator[Group]:
    """Yield a drawing in its box, and what runs on beyond it: mirrored, or its edge drawn out."""
    own, _ = place_frame(size, box, fit)
    for frame, clip in run_on_frames(size, box, reach, fit, way):
        across, down = frame.width / own.width, frame.height / own.height
        matrix = Matrix(across, 0, 0, down, frame.x, frame.y)
        yield Group(shared, matrix, (Clip(trace_rect(clip, 0)),))


def tile_drawing(shared: Shared, size: Size, box: Rect) -> Iterator[Group]:
    """Yield a drawing again and again, from the top left of a box to where it ends."""
    for frame, clip in tile_frames(size, box, size.width):
        matrix = Matrix(1, 0, 0, 1, frame.x, frame.y)
        yield Group(shared, matrix, (Clip(trace_rect(clip, 0)),))


def move_item(item: Item, matrix: Matrix) -> Item:
    """Return an item as a matrix that neither turns nor leans places it."""
    if isinstance(item, Outline):
        return item._replace(
            segments=move_segments(item.segments, matrix),
            fill=_move_paint(item.fill, matrix),
            stroke=_scale_stroke(item.stroke, matrix.scale),
            bounds=move_box(item.bounds, matrix),
        )
    if isinstance(item, Group):
        # What lies in it keeps its coordinates; they lead elsewhere.
        return item._replace(
            matrix=item.matrix.then(matrix),
            clips=tuple(
                clip._replace(segments=move_segments(clip.segments, matrix)) for clip in item.clips
            ),
            mask=_move_shared(item.mask, matrix),
        )
    raise TypeError(type(item))


def _move_shared(shared: Shared | None, matrix: Matrix) -> Shared | None:
    if shared is None:
        return None
    items = tuple(move_item(item, matrix) for item in shared.items)
    return Shared(move_box(shared.bounds, matrix), items)


def _move_paint(paint: Paint | None, matrix: Matrix) -> Paint | None:
    if not isinstance(paint, Gradient):
        return paint
    return paint._replace(matrix=paint.matrix.then(matrix))


def _scale_stroke(stroke: Stroke | None, scale: float) -> Stroke | None:
    if stroke is None:
        return None
    return stroke._replace(
        width=stroke.width * scale, dash=tuple(length * scale for length in stroke.dash)
    )


def share_items(items: Iterable[Item]) -> Shared:
    """Return items as those of a group, with the box around them."""
    found = tuple(items)
    return Shared(measure_items(found) or Rect(0, 0, 0, 0), found)


def measure_items(items: Iterable[Item]) -> Rect | None:
    """Return the box around all that items cover."""
    bounds: Rect | None = None
    for item in items:
        box = _measure_item(item)
        bounds = box if bounds is None else bounds.join(box)
    return bounds


def is_within(items: Iterable[Item], most: float) -> bool:
    """Whether no number of any item is beyond the most, or none at all."""
    return all(_is_item_within(item, most) for item in items)


def _is_item_within(item: Item, most: float) -> bool:
    if isinstance(item, Outline):
        line, fill = item.stroke, item.fill
        numbers = () if line is None else (line.width, line.miter, *line.dash)
        if isinstance(fill, Gradient):
            # Their courses are some hundreds of units long.
            numbers += tuple(fill.matrix) + _list_course(fill)
        return is_finite(item.segments, most) and _are_within(numbers, most)
    if isinstance(item, Group):
        masked = item.mask is None or is_within(item.mask.items, most)
        clipped = all(is_finite(clip.segments, most) for clip in item.clips)
        near = _are_within(item.matrix, most) and is_within(item.shared.items, most)
        return masked and clipped and near
    return not isinstance(item, Picture | Raster) or _are_within(item.frame, most)


def _list_course(gradient: Gradient) -> tuple[float, ...]:
    course = gradient.course
    if isinstance(course, Axis):
        return (*course.start, *course.end)
    if isinstance(course, Circles):
        return (*course.centre, *course.focus, course.radius, course.inner)
    return ()


def _are_within(numbers: Iterable[float], most: float) -> bool:
    return all(-most <= number <= most for number in numbers)


def _measure_item(item: Item) -> Rect:
    if isinstance(item, Outline):
        return item.bounds.outset(Insets.even(_measure_reach(item.stroke)))
    if isinstance(item, Picture | Raster):
        return item.frame
    if isinstance(item, Group):
        box = move_box(item.shared.bounds, item.matrix)
        for clip in item.clips:
            box = box.meet(_measure_points(clip))
        return box
    raise TypeError(type(item))


def _measure_reach(stroke: Stroke | None) -> float:
    """Return how far a stroke may reach beyond its path."""
    if stroke is None:
        return 0.0
    sharp = max(stroke.miter, 1.0) if stroke.join == "miter" else 1.0
    return stroke.width / 2 * max(sharp, 1.5 if stroke.cap == "square" else 1.0)


def _measure_points(clip: Clip) -> Rect:
    xs = [v for _, points in clip.segments for v in points[::2]] or [0.0]
    ys = [v for _, points in clip.segments for v in points[1::2]] or [0.0]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def measure_shapes(items: Iterable[Item], back: Matrix) -> Rect | None:
    """Return the box around the shapes of items, without their strokes, as a matrix sees them."""
    bounds: Rect | None = None
    for item in items:
        box: Rect | None
        if isinstance(item, Outline):
            box = measure_segments(move_segments(item.segments, back))
        elif isinstance(item, Group):
            box = measure_shapes(item.shared.items, item.matrix.then(back))
        else:
            box = move_box(_measure_item(item), back)
        if box is not None:
            bounds = box if bounds is None else bounds.join(box)
    return bounds


def place_group(items: Iterable[Item], matrix: Matrix) -> Item:
    """Return items that a matrix turns or leans, their own lengths as long as those around them."""
    scale = matrix.scale or 1.0
    grow = Matrix(scale, 0, 0, scale, 0, 0)
    grown = [item if scale == 1 else _grow_item(item, grow) for item in items]
    return Group(share_items(grown), Matrix(1 / scale, 0, 0, 1 / scale, 0, 0).then(matrix))


def _grow_item(item: Item, grow: Matrix) -> Item:
    if isinstance(item, Picture):
        return item._replace(frame=move_box(item.frame, grow), clip=move_box(item.clip, grow))
    return move_item(item, grow)


def cut_out(items: Iterable[Item], hole: Outline) -> Item:
    """Return items without what lies within an outline."""
    shared = share_items(items)
    around = trace_rect(shared.bounds.join(hole.bounds).outset(Insets.even(1)), 0)
    return Group(shared, clips=(Clip((*around, *hole.segments), even_odd=True),))


def is_even(matrix: Matrix) -> bool:
    """Whether a matrix makes all lengths longer alike, so that a stroke keeps its shape."""
    a, b, c, d, _, _ = matrix
    size = max(abs(a), abs(b), abs(c), abs(d))
    return abs(a * c + b * d) <= 1e-6 * size * size and (
        abs(matrix.scale_x - matrix.scale_y) <= 1e-4 * size
    )
