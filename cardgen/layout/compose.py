"""The nodes of one card composed into a Face: boxes placed, rows and columns shared out, texts set.

What is fixed is composed once and placed as a form. Knows nothing of decks, paper or PDF.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from cardgen.core.geometry import Insets, Rect, Size, Turn
from cardgen.core.library import Library
from cardgen.core.units import format_mm
from cardgen.layout.art.images import place_picture
from cardgen.layout.art.outlines import draw_path, make_rect, make_stroke
from cardgen.layout.art.rose import Ornament, Ornaments
from cardgen.layout.canvas import Canvas, Part, turn_rect
from cardgen.layout.contents import Contents, TextPlacer
from cardgen.layout.face import Face
from cardgen.layout.measure import (
    fills_across,
    find_child_width,
    measure_height,
    place_of,
    share_stack,
)
from cardgen.layout.room import TOLERANCE, draw_line, give_thickness, resolve_place
from cardgen.layout.subject import DeckSizes, Shrunk, Subject
from cardgen.layout.typesetter import Typesetter
from cardgen.template.model import (
    BoxSpec,
    FlowSpec,
    Format,
    Ground,
    IconSpec,
    ImageSpec,
    LineSpec,
    Node,
    PathSpec,
    StackSpec,
    TableSpec,
    TextSpec,
)


class Composer:
    """Composes the faces of one template and keeps what they share."""

    def __init__(
        self, format_: Format, typesetter: Typesetter, library: Library, sizes: DeckSizes
    ) -> None:
        self._format = format_
        self._contents = Contents(typesetter, library)
        self._ornaments = Ornaments()
        self._texts = TextPlacer(self._contents, sizes)
        self._canvas = self._begin()
        self._parts: dict[tuple[tuple[int, ...], tuple[Rect, Rect, Insets] | Size], Part] = {}
        self._bleeding: dict[tuple[int, ...], bool] = {}
        self._kept: list[Sequence[Node]] = []

    @property
    def shrunk(self) -> list[Shrunk]:
        """The texts that were set smaller than the others of the deck."""
        return self._texts.shrunk

    def _begin(self) -> Canvas:
        return Canvas(Rect(0, 0, *self._format.size), self._format.bleed)

    def compose(self, nodes: Sequence[Node], subject: Subject) -> Face:
        """The face of one card."""
        self._canvas = self._begin()
        self._contents.begin(subject)
        self._place_children(nodes, self._canvas.trim)
        return Face(self._format.size, self._format.bleed, tuple(self._canvas.items))

    def gather_sizes(self, nodes: Sequence[Node], subject: Subject) -> None:
        """Note the size that each text with fit="deck" would take on this card."""
        self._texts.gathering = True
        try:
            self.compose(nodes, subject)
        finally:
            self._texts.gathering = False

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
        canvas = self._canvas
        key = (ids, (at, canvas.trim, canvas.bleed) if self._bleeding[ids] else at.size)
        part = self._parts.get(key)
        if part is None or not self._canvas.has_room(part, at):
            part = self._parts[key] = self._draw_within(at, draw)
        self._canvas.place(part, at)

    def _draw_within(self, at: Rect, draw: Callable[[Rect], None], turn: Turn = 0) -> Part:
        """Draw on a canvas within the one in hand."""
        outer = self._canvas
        inner = self._canvas = Canvas.within(outer, at, turn)
        try:
            draw(turn_rect(at, at, turn))
            return inner.finish()
        finally:
            self._canvas = outer

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
            rect = self._canvas.extend(rect)
        self._check_rect(rect, node)
        return rect

    def _check_rect(self, rect: Rect, node: Node) -> None:
        problem = self._canvas.find_problem(rect)
        if problem is not None:
            message, hint = problem
            raise self._contents.subject.fail(message, node.where, hint, alike=node.fixed)

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
            self._texts.place(node, spec, rect, self._canvas.items)
        elif isinstance(spec, StackSpec):
            self._place_ground(spec.ground, rect)
            self._place_stack(node, spec, rect.inset(spec.padding))
        elif isinstance(spec, BoxSpec):
            self._place_box(node, spec, rect)
        elif isinstance(spec, LineSpec):
            self._canvas.items.append(draw_line(spec, rect))
        elif isinstance(spec, PathSpec | Ornament):
            self._place_shape(node, spec, rect)
        elif isinstance(spec, IconSpec):
            self._canvas.items.append(self._contents.draw_icon(node, spec, rect))
        elif isinstance(spec, ImageSpec):
            info = self._contents.get_picture(node, spec)
            self._canvas.items.append(place_picture(info, rect, spec.fit, spec.radius))
        elif isinstance(spec, TableSpec):
            self._place_table(node, spec, rect)
        elif isinstance(spec, FlowSpec):
            self._place_flow(node, spec, rect)

    def _place_box(self, node: Node, spec: BoxSpec, rect: Rect) -> None:
        def draw(at: Rect) -> None:
            self._place_ground(spec.ground, at)
            self._place_children(node.children, at.inset(spec.padding))

        if spec.turn:
            self._canvas.place(self._draw_within(rect, draw, spec.turn), rect, spec.turn)
        else:
            draw(rect)

    def _place_ground(self, ground: Ground, rect: Rect) -> None:
        fill, stroke = ground.ink.fill, make_stroke(ground.ink)
        if stroke is not None:
            # A border lies within its box, as a cutter would expect.
            rect = rect.inset(Insets.even(stroke.width / 2))
        visible = rect.width > 0 and rect.height > 0
        if visible and (fill is not None or stroke is not None):
            self._canvas.items.append(make_rect(rect, ground.radius, fill, stroke))

    def _place_shape(self, node: Node, spec: PathSpec | Ornament, rect: Rect) -> None:
        if spec.ink.fill is None and make_stroke(spec.ink) is None:
            return
        with self._contents.naming(node, ()):
            if isinstance(spec, PathSpec):
                shape = draw_path(spec, rect)
                self._check_rect(shape.bounds, node)
                self._canvas.items.append(shape)
            else:
                self._canvas.items.append(self._ornaments.place(spec, rect))

    def _place_table(self, node: Node, spec: TableSpec, rect: Rect) -> None:
        table = self._contents.get_table(node, spec, rect.width)
        if table.height > rect.height + TOLERANCE:
            raise self._contents.subject.fail(
                f"a table is {format_mm(table.height - rect.height)} too long: it needs"
                f" {format_mm(table.height)}, there are {format_mm(rect.height)}",
                node.where,
            )
        with self._contents.naming(node, ()):
            table.draw(rect.x, rect.y, self._canvas.items)

    def _place_flow(self, node: Node, spec: FlowSpec, rect: Rect) -> None:
        flow = self._contents.get_flow(node, spec)
        with self._contents.naming(node, spec.fields):
            size = flow.place(rect, self._canvas.items)
        if size < spec.body.size:
            self._texts.report(spec.fields, size, spec.body.size)


def _has_bleed(nodes: Sequence[Node]) -> bool:
    """Whether it matters to a part where on the card it lies."""
    return any(place_of(node).bleed or _has_bleed(node.children) for node in nodes)
