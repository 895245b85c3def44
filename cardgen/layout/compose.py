"""The nodes of one card composed into a Face: boxes placed, rows and columns shared out, texts set.

What is fixed is composed once and placed as a form. Knows nothing of decks, paper or PDF.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from cardgen.errors import CardgenError
from cardgen.geometry import Insets, Rect, Size
from cardgen.layout.contents import Contents
from cardgen.layout.face import Face, Form, Item, Shared, Stroke
from cardgen.layout.measure import (
    fills_across,
    find_child_width,
    measure_height,
    place_of,
    share_stack,
)
from cardgen.layout.outlines import make_rect
from cardgen.layout.picture import place_picture
from cardgen.layout.place import (
    TOLERANCE,
    draw_line,
    extend_to_bleed,
    find_overreach,
    give_thickness,
    resolve_place,
)
from cardgen.layout.subject import DeckSizes, Shrunk, Subject
from cardgen.layout.words import Typesetter
from cardgen.library import Library
from cardgen.template.model import (
    BoxSpec,
    FlowSpec,
    Format,
    Ground,
    IconSpec,
    ImageSpec,
    LineSpec,
    Node,
    StackSpec,
    TableSpec,
    TextSpec,
)
from cardgen.text.fit import Block, find_size, fits_box, fits_line
from cardgen.units import format_mm


class _FixedPart(NamedTuple):
    """What is the same on every card, and how far its boxes reach from its origin."""

    shared: Shared | None
    reach: Rect


class Composer:
    """Composes the faces of one template and keeps what they share."""

    def __init__(
        self, format_: Format, typesetter: Typesetter, library: Library, sizes: DeckSizes
    ) -> None:
        self.shrunk: list[Shrunk] = []
        self._format = format_
        self._typesetter = typesetter
        self._contents = Contents(typesetter, library)
        self._sizes = sizes
        self._gathering = False
        self._trim = Rect(0, 0, *format_.size)
        self._limits = self._trim.outset(format_.bleed)
        self._reach: Rect | None = None  # how far the boxes of the fixed part in hand reach
        self._parts: dict[tuple[tuple[int, ...], Rect | Size], _FixedPart] = {}
        self._bleeding: dict[tuple[int, ...], bool] = {}
        self._kept: list[Sequence[Node]] = []
        self._items: list[Item] = []

    def compose(self, nodes: Sequence[Node], subject: Subject) -> Face:
        """The face of one card."""
        self._items = []
        self._contents.begin(subject)
        self._place_children(nodes, self._trim)
        return Face(self._format.size, self._format.bleed, tuple(self._items))

    def gather_sizes(self, nodes: Sequence[Node], subject: Subject) -> None:
        """Note the size that each text with fit="deck" would take on this card."""
        self._gathering = True
        try:
            self.compose(nodes, subject)
        finally:
            self._gathering = False

    # Boxes within boxes

    def _place_children(self, nodes: Sequence[Node], parent: Rect) -> None:
        """Place nodes in a box; neighbours that are fixed become one form."""
        first = 0
        while first < len(nodes):
            last = first
            while last < len(nodes) and nodes[last].fixed:
                last += 1
            if last > first:
                fixed = nodes[first:last]
                self._share(fixed, parent, partial(self._place_all, fixed))
            else:
                last = first + 1
                self._place(nodes[first], self._resolve(nodes[first], parent))
            first = last

    def _place_all(self, nodes: Sequence[Node], parent: Rect) -> None:
        for node in nodes:
            self._place(node, self._resolve(node, parent))

    def _share(self, nodes: Sequence[Node], at: Rect, draw: Callable[[Rect], None]) -> None:
        """Draw fixed nodes once for each size, and place the form."""
        ids = tuple(map(id, nodes))
        if ids not in self._bleeding:
            self._bleeding[ids] = _has_bleed(nodes)
            self._kept.append(nodes)  # an id stays one node's only while the node lives
        key = (ids, at if self._bleeding[ids] else at.size)
        part = self._parts.get(key)
        if part is None or not self._limits.contains(part.reach.moved(at.x, at.y), TOLERANCE):
            part = self._parts[key] = self._draw_part(at, draw)
        if part.shared is not None:
            self._items.append(Form(at.x, at.y, part.shared))

    def _draw_part(self, at: Rect, draw: Callable[[Rect], None]) -> _FixedPart:
        outer = self._items, self._trim, self._limits, self._reach
        here = Rect(0, 0, at.width, at.height)
        self._items, self._reach = [], here
        self._trim = self._trim.moved(-at.x, -at.y)
        self._limits = self._limits.moved(-at.x, -at.y)
        try:
            draw(here)
            bounds = self._limits.outset(Insets(*self._format.size, *self._format.size))
            shared = Shared(bounds, tuple(self._items)) if self._items else None
            return _FixedPart(shared, self._reach)
        finally:
            self._items, self._trim, self._limits, self._reach = outer

    def forget(self) -> None:
        """Forget what is fixed: after gathering sizes it may be set anew."""
        self._parts.clear()

    def _resolve(self, node: Node, parent: Rect) -> Rect:
        """Where a placed box lies."""
        place = place_of(node)
        if isinstance(node.spec, LineSpec):
            place = give_thickness(place, node.spec)
        rect = resolve_place(place, parent)
        if place.bleed:
            rect = extend_to_bleed(rect, self._trim, self._format.bleed)
        self._check_rect(rect, node)
        return rect

    def _check_rect(self, rect: Rect, node: Node) -> None:
        problem = find_overreach(rect, self._limits)
        if problem is not None:
            message, hint = problem
            raise self._contents.subject.fail(message, node.where, hint, alike=node.fixed)
        if self._reach is not None:
            self._reach = self._reach.join(rect)

    def _place_stack(self, node: Node, spec: StackSpec, inner: Rect) -> None:
        """Place the children of a column or row one behind the other."""
        if not node.children:
            return
        lengths = share_stack(self._contents, node, spec, inner)
        at = inner.y if spec.down else inner.x
        for child, length in zip(node.children, lengths, strict=True):
            cross, extent = self._align_across(child, spec, inner, length)
            rect = Rect(cross, at, extent, length) if spec.down else Rect(at, cross, length, extent)
            self._check_rect(rect, child)
            if child.fixed:
                self._share((child,), rect, partial(self._place, child))
            else:
                self._place(child, rect)
            at += length + spec.gap

    def _align_across(
        self, child: Node, spec: StackSpec, inner: Rect, length: float
    ) -> tuple[float, float]:
        """Where a child begins across the stack's direction, and how far it reaches."""
        if spec.down:
            start, room = inner.x, inner.width
            extent = find_child_width(self._contents, child, spec, inner)
        else:
            start, room = inner.y, inner.height
            height = place_of(child).height
            if height is not None:
                extent = height.of(room)
            elif spec.align == "stretch" or fills_across(child, down=False):
                extent = room
            else:
                extent = min(measure_height(self._contents, child, length), room)
        shift = {"centre": 0.5, "end": 1.0}.get(spec.align, 0.0)
        return start + (room - extent) * shift, extent

    # Each kind of element

    def _place(self, node: Node, rect: Rect) -> None:
        spec = node.spec
        if isinstance(spec, TextSpec):
            self._place_text(node, spec, rect)
        elif isinstance(spec, StackSpec):
            self._place_ground(spec.ground, rect)
            self._place_stack(node, spec, rect.inset(spec.padding))
        elif isinstance(spec, BoxSpec):
            self._place_ground(spec.ground, rect)
            self._place_children(node.children, rect.inset(spec.padding))
        elif isinstance(spec, LineSpec):
            self._items.append(draw_line(spec, rect))
        elif isinstance(spec, IconSpec):
            self._items.append(self._contents.draw_icon(node, spec, rect))
        elif isinstance(spec, ImageSpec):
            info = self._contents.get_picture(node, spec)
            self._items.append(place_picture(info, rect, spec.fit, spec.radius))
        elif isinstance(spec, TableSpec):
            self._place_table(node, spec, rect)
        elif isinstance(spec, FlowSpec):
            self._place_flow(node, spec, rect)

    def _place_ground(self, ground: Ground, rect: Rect) -> None:
        stroke = None
        if ground.stroke is not None and ground.stroke_width:
            stroke = Stroke(ground.stroke, ground.stroke_width, ground.dash)
            # A border lies within its box, as a cutter would expect.
            rect = rect.inset(Insets.even(ground.stroke_width / 2))
        visible = rect.width > 0 and rect.height > 0
        if visible and (ground.fill is not None or stroke is not None):
            self._items.append(make_rect(rect, ground.radius, ground.fill, stroke))

    def _place_table(self, node: Node, spec: TableSpec, rect: Rect) -> None:
        table = self._contents.get_table(node, spec, rect.width)
        if table.height > rect.height + TOLERANCE:
            raise self._contents.subject.fail(
                f"a table is {format_mm(table.height - rect.height)} too long: it needs"
                f" {format_mm(table.height)}, there are {format_mm(rect.height)}",
                node.where,
            )
        with self._contents.naming(node, ()):
            table.draw(rect.x, rect.y, self._items)

    def _place_flow(self, node: Node, spec: FlowSpec, rect: Rect) -> None:
        flow = self._contents.get_flow(node, spec)
        with self._contents.naming(node, spec.fields):
            size = flow.place(rect, self._items)
        if size < spec.body.size:
            self._report(spec.fields, size, spec.body.size)

    def _place_text(self, node: Node, spec: TextSpec, rect: Rect) -> None:
        block = self._contents.get_block(node, spec)
        if not block.paragraphs:
            return
        size = self._choose_size(node, spec, block, rect)
        text = self._typesetter.set_text(block, spec.style, size, rect.width, rect.x, rect.y)
        shift, spare = 0.0, rect.height - text.height
        if spec.valign == "bottom":
            shift = spare
        elif spec.valign == "middle":
            # The eye takes the middle of the capitals for that of the text.
            shift = min((spare + block.depth * size) / 2, spare)
        try:
            self._typesetter.draw_pieces(text.pieces, self._items, dy=shift)
        except CardgenError as error:
            raise self._contents.name_problem(error, node, spec.fields) from error

    def _choose_size(self, node: Node, spec: TextSpec, block: Block, rect: Rect) -> float:
        def fits(size: float) -> bool:
            if spec.fit == "line" and not fits_line(block, size, rect.width):
                return False
            return fits_box(block, size, rect.width, rect.height)

        deck, usual = spec.fit == "deck", spec.largest
        if deck and not self._gathering:
            usual = min(self._sizes.decided.get(spec.key, usual), usual)
        size = find_size(fits, usual, spec.smallest)
        if size is None:
            with self._contents.naming(node, spec.fields):
                if spec.fit == "line" and not fits_line(block, spec.smallest, rect.width):
                    self._typesetter.check_line(block, spec.smallest, rect.width)
                self._typesetter.check_fit(block, spec.smallest, rect.width, rect.height)
            return spec.smallest
        # A card too full for the style's size sets no rule for the others.
        if deck and self._gathering and size >= spec.style.size:
            self._sizes.wanted.setdefault(spec.key, []).append(size)
        if spec.fit in ("box", "deck") and size < min(usual, spec.style.size):
            self._report(spec.fields, size, usual)
        return size

    def _report(self, fields: tuple[str, ...], size: float, usual: float) -> None:
        if not self._gathering:
            self.shrunk.append(Shrunk(self._contents.subject, "/".join(fields), size, usual))


def _has_bleed(nodes: Sequence[Node]) -> bool:
    """Whether it matters to a part where on the card it lies."""
    return any(place_of(node).bleed or _has_bleed(node.children) for node in nodes)
