"""How far what is drawn reaches: the box around items, in the coordinates they stand in.

Knows nothing of elements or of how content is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import degrees, hypot

from cardgen.core.geometry import Box, Insets, Matrix, Rect, make_turn
from cardgen.layout.face import Form, Group, Item, Outline, Picture, Placed, Raster, Segment
from cardgen.text.setting import Run

# How far letters reach above and below their baseline, in sizes.
_ABOVE, _BELOW = 1.0, 0.4


def find_extent(items: Iterable[Item]) -> Rect | None:
    """Return the box around all that is painted; None where nothing is."""
    whole: Rect | None = None
    for item in items:
        box = find_item_extent(item)
        if box is not None:
            whole = box if whole is None else whole.join(box)
    return whole


def find_item_extent(item: Item) -> Rect | None:
    """Return the box around one item; None where it paints nothing."""
    if isinstance(item, Run):
        return measure_run(item)
    if isinstance(item, Outline):
        return item.bounds if item.stroke is None else item.bounds.outset(_find_edge(item))
    if isinstance(item, Picture):
        return item.clip
    if isinstance(item, Raster):
        return item.frame
    if isinstance(item, Form):
        inner = find_extent(item.shared.items)
        return None if inner is None else map_rect(inner, find_matrix(item))
    if isinstance(item, Group):
        return _find_group_extent(item)
    return None


def find_matrix(form: Placed) -> Matrix:
    """Return what leads from the coordinates of a form to those around it."""
    return form.matrix if isinstance(form, Group) else make_turn(form.turn, form.x, form.y)


def map_rect(rect: Rect, matrix: Matrix) -> Rect:
    """Return the upright box around a rectangle that a matrix turns or stretches."""
    box = matrix.place(Box(rect.x, rect.y, rect.right, rect.bottom))
    return Rect(box.x0, box.y0, box.width, box.height)


def measure_run(run: Run) -> Rect:
    """Return the box around words in a row."""
    width, height = run.width, (_ABOVE + _BELOW) * run.size
    if run.angle:
        level = Rect(0, -_ABOVE * run.size, width, height)
        return map_rect(level, make_turn(degrees(run.angle), run.x, run.y))
    return Rect(run.x, run.y - _ABOVE * run.size, width, height)


def measure_segments(segments: Iterable[Segment]) -> Rect | None:
    """Return the box around the points of a path, which holds its curves."""
    numbers = [points for _, points in segments]
    xs = [x for points in numbers for x in points[::2]]
    ys = [y for points in numbers for y in points[1::2]]
    if not xs:
        return None
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _find_edge(outline: Outline) -> Insets:
    """Return how far a stroke reaches beyond its path; corners may reach further than its edges."""
    stroke = outline.stroke
    assert stroke is not None
    sharp = stroke.join == "miter" and len(outline.segments) > 2
    return Insets.even(stroke.width / 2 * (min(stroke.miter, hypot(2, 2)) if sharp else 1.0))


def _find_group_extent(group: Group) -> Rect | None:
    inner = find_extent(group.shared.items)
    found = None if inner is None else map_rect(inner, group.matrix)
    limits = [measure_segments(clip.segments) for clip in group.clips]
    if group.mask is not None:
        limits.append(find_extent(group.mask.items))
    for limit in limits:
        found = None if found is None or limit is None else found.meet(limit)
    return found
