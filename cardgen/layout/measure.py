"""Elements measured: the room that each takes by itself, and how a column or row shares its own.

Draws nothing. Knows nothing of where on the card an element lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import inf

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Rect
from cardgen.core.units import MM, Length, format_mm
from cardgen.layout.along import read_curve
from cardgen.layout.art.shapes import find_aspect
from cardgen.layout.contents import Contents, Gap, lacks_room
from cardgen.layout.copyfit import check_fit, check_line
from cardgen.layout.room import (
    SPARE,
    TOLERANCE,
    Fitting,
    resolve_axis,
    share_out,
    share_out_within,
    to_mm,
)
from cardgen.template.model import (
    BoxSpec,
    CodeSpec,
    FaultSpec,
    FirstSpec,
    FlowSpec,
    IconSpec,
    ImageSpec,
    LineSpec,
    Node,
    ShapeSpec,
    Spec,
    StackSpec,
    TableSpec,
    TextSpec,
)
from cardgen.text.fit import Block, find_size, fits_box, fits_line, measure_block, measure_unbroken
from cardgen.text.fit import measure_width as measure_text_width

# The size of a box that stands for an element of a draft whose own is not known, and the height of
# one for a picture beside its width.
_GONE = (12 * MM, 4 * MM)
_GONE_PICTURE = 0.6


def measure_height(
    contents: Contents, node: Node, width: float, room: float | None = None
) -> float:
    """Return the height that an element takes by itself at a width; `room` is its parent's."""
    bounds = node.spec.place.bounds
    if bounds is None:
        return _measure_height(contents, node, width, None)
    most = bounds.find_most(room)
    return bounds.fit_height(_measure_height(contents, node, width, most), room)


def _measure_height(contents: Contents, node: Node, width: float, most: float | None) -> float:
    spec = node.spec
    place = node.spec.place
    if place.height is not None:
        return place.height.points
    if contents.faults and _has_gone(contents, node):
        return _measure_gone(spec, width)
    if place.lies_across:
        return measure_width(contents, contents.turn_back(node), width)
    if isinstance(spec, TextSpec):
        return _measure_text(contents, node, spec, width, most)
    if isinstance(spec, StackSpec):
        return _measure_stack(contents, node, spec, width)
    if isinstance(spec, BoxSpec):
        inner = width - spec.padding.left - spec.padding.right
        heights = [_measure_placed(contents, child, inner) for child in node.children]
        return max(heights, default=0.0) + spec.padding.top + spec.padding.bottom
    if isinstance(spec, FirstSpec):
        return _measure_first(contents, node, width, inf if most is None else most)
    if isinstance(spec, FaultSpec):
        return _GONE[1]
    if isinstance(spec, LineSpec):
        return 0.0 if spec.down else spec.width
    if isinstance(spec, IconSpec):
        return width
    if isinstance(spec, CodeSpec):
        return width * _find_code_aspect(spec)
    if isinstance(spec, ShapeSpec):
        return width * find_aspect(spec.figure)
    if isinstance(spec, ImageSpec):
        return width / _find_shape(contents, node, spec)
    if isinstance(spec, TableSpec):
        return contents.get_table(node, spec, width).height
    if isinstance(spec, FlowSpec):
        flow = contents.get_flow(node, spec)
        with contents.naming(node, spec.fields):
            return flow.measure(spec.body.size, width)
    return 0.0


def measure_width(
    contents: Contents, node: Node, height: float, room: float | None = None
) -> float:
    """Return the width that an element takes by itself at a height; `room` is its parent's."""
    bounds = node.spec.place.bounds
    width = _measure_width(contents, node, height)
    return width if bounds is None else bounds.fit_width(width, room)


def _measure_width(contents: Contents, node: Node, height: float) -> float:
    spec = node.spec
    place = node.spec.place
    if place.width is not None:
        return place.width.points
    if contents.faults and _has_gone(contents, node):
        return _measure_gone(spec, height) if isinstance(spec, IconSpec | ImageSpec) else _GONE[0]
    if place.lies_across:
        tall = place.height.of(height) if place.height is not None else height
        return measure_height(contents, contents.turn_back(node), tall)
    if isinstance(spec, TextSpec) and spec.path:
        with contents.naming(node, spec.fields):
            return read_curve(spec.path).bounds.right
    if isinstance(spec, TextSpec):
        return measure_text_width(contents.get_block(node, spec)) * spec.style.size + SPARE
    if isinstance(spec, FirstSpec):
        left = list_left(contents, node)
        return measure_width(contents, left[0], height) if left else 0.0
    if isinstance(spec, StackSpec | BoxSpec):
        widths = [measure_width(contents, child, height) for child in node.children]
        if isinstance(spec, BoxSpec):
            places = [child.spec.place for child in node.children]
            widths = [
                _points(place.x) + wide + _points(place.right)
                for place, wide in zip(places, widths, strict=True)
            ]
        total = max(widths, default=0.0)
        if isinstance(spec, StackSpec) and not spec.down:
            total = sum(widths) + spec.gap * max(len(widths) - 1, 0)
        return total + spec.padding.left + spec.padding.right
    if isinstance(spec, FaultSpec):
        return _GONE[0]
    if isinstance(spec, LineSpec):
        return spec.width if spec.down else 0.0
    if isinstance(spec, TableSpec):
        return contents.measure_table(node, spec)
    tall = place.height.of(height) if place.height is not None else height
    if isinstance(spec, IconSpec):
        return tall
    if isinstance(spec, CodeSpec):
        return tall / _find_code_aspect(spec)
    if isinstance(spec, ShapeSpec) and (aspect := find_aspect(spec.figure)):
        return tall / aspect
    if isinstance(spec, ImageSpec):
        return tall * _find_shape(contents, node, spec)
    return 0.0


def share_stack(contents: Contents, node: Node, spec: StackSpec, inner: Rect) -> list[float]:
    """Return the lengths of the children of a column or row, along its direction."""
    children = node.children
    room = inner.height if spec.down else inner.width
    gaps = spec.gap * (len(children) - 1)
    wanted, grows, softs = [], [], []
    fittings: list[Fitting | None] = []
    firsts: list[int] = []
    for number, child in enumerate(children):
        place = child.spec.place
        bounds = place.bounds
        fit: Fitting | None = None
        if bounds is not None:
            fit = partial(bounds.fit_height if spec.down else bounds.fit_width, room=room)
        fittings.append(fit)
        said = place.height if spec.down else place.width
        grows.append(place.grow)
        softs.append(not spec.down and said is None and isinstance(child.spec, TextSpec))
        if said is not None:
            wanted.append(fit(said.of(room)) if fit else said.of(room))
        elif place.grow:
            wanted.append(0.0)
        elif spec.down and isinstance(child.spec, FirstSpec):
            firsts.append(number)
            wanted.append(0.0)
        elif spec.down:
            width = measure_child_width(contents, child, spec, inner)
            wanted.append(measure_height(contents, child, width, room))
        else:
            wanted.append(measure_width(contents, child, inner.height, room))
    if firsts:
        _give_first(contents, node, spec, inner, wanted, firsts)
    if any(fittings):
        lengths = share_out_within(room - gaps, wanted, grows, softs, fittings)
    else:
        lengths = share_out(room - gaps, wanted, grows, softs)
    if lengths is None and contents.is_lenient(node):
        # What would grow is as long as it is by itself.
        return [
            length or _measure_along(contents, child, spec, inner)
            for child, length in zip(children, wanted, strict=True)
        ]
    if lengths is None:
        least = (
            fit(0.0) if grow and fit else 0.0 for grow, fit in zip(grows, fittings, strict=True)
        )
        needed = sum(map(max, wanted, least)) + gaps
        contents.blamed = node
        raise contents.subject.make_error(
            "layout/content-too-long",
            f"the content of a {'column' if spec.down else 'row'} is"
            f" {format_mm(needed - room)} too long: it needs {format_mm(needed)},"
            f" there are {format_mm(room)}",
            node.where,
            _find_cure(spec, children),
            details={"needed": to_mm(needed), "room": to_mm(room)},
        )
    return lengths


def _find_cure(spec: StackSpec, children: Sequence[Node]) -> str:
    """Return what helps where the children of a column or row are too long."""
    side = "height" if spec.down else "width"
    free = (
        child.where
        for child in children
        if isinstance(child.spec, ImageSpec)
        and not child.spec.place.grow
        and getattr(child.spec.place, side) is None
    )
    if where := next(free, None):
        return f'its picture, {where}, has no {side} of its own: give it one, or grow="1"'
    return "take something out, or give it more room"


def justify(spec: StackSpec, inner: Rect, lengths: Sequence[float]) -> tuple[float, float]:
    """Return where the first child of a column or row begins, and the gap between two."""
    start, room = (inner.y, inner.height) if spec.down else (inner.x, inner.width)
    spare = room - sum(lengths) - spec.gap * (len(lengths) - 1)
    if spec.justify == "start":
        return start, spec.gap
    if spec.justify == "between":
        return start, spec.gap + (spare / (len(lengths) - 1) if len(lengths) > 1 else 0.0)
    return start + (spare / 2 if spec.justify == "centre" else spare), spec.gap


def _measure_along(contents: Contents, child: Node, spec: StackSpec, inner: Rect) -> float:
    if not spec.down:
        return measure_width(contents, child, inner.height)
    return measure_height(contents, child, measure_child_width(contents, child, spec, inner))


def measure_child_width(contents: Contents, child: Node, spec: StackSpec, inner: Rect) -> float:
    """Return how wide a column's child is."""
    place = child.spec.place
    if place.width is not None:
        width = place.width.of(inner.width)
    elif spec.align == "stretch" or fills_across(child, down=True):
        width = inner.width
    else:
        width = min(measure_width(contents, child, inner.height, inner.width), inner.width)
    return width if place.bounds is None else place.bounds.fit_width(width, inner.width)


def _has_gone(contents: Contents, node: Node) -> bool:
    """Whether a box stands for a node of a draft."""
    fault = contents.faults.get(id(node))
    return fault is not None and not fault.overflows


def _measure_gone(spec: Spec, across: float) -> float:
    """Return the length of a box that stands for an element."""
    if isinstance(spec, IconSpec):
        return across
    if isinstance(spec, ImageSpec):
        return across * _GONE_PICTURE
    return spec.style.size * 1.2 if isinstance(spec, TextSpec) else _GONE[1]


def fills_across(child: Node, *, down: bool) -> bool:
    """Whether a child of a column (or row) has no width (or height) of its own: it takes it all."""
    spec = child.spec
    if isinstance(spec, LineSpec):
        return spec.down != down
    return down and isinstance(spec, FlowSpec)


def _measure_text(
    contents: Contents, node: Node, spec: TextSpec, width: float, most: float | None
) -> float:
    block = contents.get_block(node, spec, width, most)
    size = spec.style.size
    if spec.path:
        with contents.naming(node, spec.fields):
            return read_curve(spec.path).bounds.bottom
    if most is not None and spec.fit in ("box", "deck"):
        found = contents.copyfit.find_size(spec, block, width, most)
        if found is None and not contents.is_lenient(node):
            with contents.naming(node, spec.fields):
                check_fit(block, spec.smallest, width, most)
        size = found or spec.smallest
    if spec.fit == "line" and isinstance(block, Block):
        found = find_size(lambda s: fits_line(block, s, width), spec.largest, spec.smallest)
        if found is None and not contents.is_lenient(node):
            with contents.naming(node, spec.fields):
                check_line(block, spec.smallest, width)
        return measure_unbroken(block) * (found or size)
    needed = measure_block(block, size, width)
    if needed is None and spec.fit in ("box", "deck") and isinstance(block, Block):
        # A word that is too wide at the style's size has room at a smaller one.
        size = find_size(lambda s: fits_box(block, s, width, inf), size, spec.smallest) or size
        needed = measure_block(block, size, width)
    if needed is None and contents.is_lenient(node):
        return measure_unbroken(block) * size if isinstance(block, Block) else size
    if needed is None:
        with contents.naming(node, spec.fields):
            check_fit(block, size, width, inf)
    return needed or 0.0


def _measure_stack(contents: Contents, node: Node, spec: StackSpec, width: float) -> float:
    pad = spec.padding
    inner = Rect(0, 0, width - pad.left - pad.right, 0)
    total = 0.0
    if spec.down:
        heights = [
            measure_height(contents, child, measure_child_width(contents, child, spec, inner))
            for child in node.children
        ]
        total = sum(heights) + spec.gap * max(len(heights) - 1, 0)
    elif node.children:
        widths = share_stack(contents, node, spec, inner)
        total = max(
            measure_height(contents, child, length)
            for child, length in zip(node.children, widths, strict=True)
        )
    return total + pad.top + pad.bottom


def list_left(contents: Contents, node: Node) -> tuple[Node, ...]:
    """Return those children of a <first> that come into question."""
    assert isinstance(node.spec, FirstSpec)
    count = len(node.children)
    return node.children[count - contents.copyfit.count_left(node.spec, count) :]


def _measure_first(contents: Contents, node: Node, width: float, room: float) -> float:
    """Return the height of the first child that has room."""
    left = list_left(contents, node)
    for child in left[:-1]:
        try:
            height = _measure_placed(contents, child, width)
        except CardgenError as error:
            if not lacks_room(error):
                raise
        else:
            if height <= room + TOLERANCE:
                return height
    return _measure_placed(contents, left[-1], width) if left else 0.0


def _give_first(
    contents: Contents,
    node: Node,
    spec: StackSpec,
    inner: Rect,
    wanted: list[float],
    firsts: Sequence[int],
) -> None:
    """Set how high those children of a column want to be that draw the first which has room: that
    which all others leave, where texts that grow are as large as their style says.
    """
    children = node.children
    widths = [measure_child_width(contents, child, spec, inner) for child in children]
    taken = spec.gap * (len(children) - 1)
    for child, width, length in zip(children, widths, wanted, strict=True):
        taken += length or _measure_needed(contents, child, width)
    for number in firsts:
        child, width = children[number], widths[number]
        taken -= _measure_needed(contents, child, width)
        room, bounds = inner.height - taken, child.spec.place.bounds
        if bounds is not None:
            room = bounds.fit_height(room, inner.height)
        height = _measure_first(contents, child, width, room)
        wanted[number] = height if bounds is None else bounds.fit_height(height, inner.height)
        taken += wanted[number]


def _measure_needed(contents: Contents, node: Node, width: float) -> float:
    """Return the height that something needs which grows, or draws the first that has room."""
    spec, place = node.spec, node.spec.place
    if place.height is not None:
        return place.height.points
    if isinstance(spec, TextSpec):
        return _measure_text(contents, node, spec, width, None)
    if isinstance(spec, FirstSpec):
        return _measure_first(contents, node, width, 0.0)
    if isinstance(spec, BoxSpec):
        inner = width - spec.padding.left - spec.padding.right
        heights = [_measure_needed(contents, child, inner) for child in node.children]
        return max(heights, default=0.0) + spec.padding.top + spec.padding.bottom
    return 0.0


def _measure_placed(contents: Contents, child: Node, room: float) -> float:
    """Return the height that a box needs for a child that is placed in it."""
    place = child.spec.place
    _, width = resolve_axis(place.x, place.right, place.width, 0.0, room)
    return _points(place.y) + measure_height(contents, child, width) + _points(place.bottom)


def _find_shape(contents: Contents, node: Node, spec: ImageSpec) -> float:
    """Return how many times as wide as high a picture is; a box for a missing one is square."""
    info = contents.get_picture(node, spec)
    return 1.0 if isinstance(info, Gap) else info.width / info.height


def _find_code_aspect(spec: CodeSpec) -> float:
    from cardgen.layout.art.codes.draw import get_aspect  # which most cards do without

    return get_aspect(spec.kind)


def _points(length: Length | None) -> float:
    return length.points if length is not None else 0.0
