"""The nodes of one card composed into a Face: boxes placed, rows and columns shared out, texts set.

Fixed nodes are composed once and placed as a form. Knows nothing of decks, paper or PDF.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from cardgen.core.errors import CardgenError, Problem, Refusal
from cardgen.core.geometry import Insets, Matrix, Rect, Turn, make_tuple
from cardgen.core.library import Library
from cardgen.core.units import format_mm
from cardgen.layout.along import choose_size_along, draw_along, read_curve
from cardgen.layout.art.ornaments import Ornament, Ornaments
from cardgen.layout.art.outlines import (
    draw_line,
    draw_path,
    make_rect,
    make_stroke,
    trace_inside,
)
from cardgen.layout.art.placeholder import draw_placeholder
from cardgen.layout.art.shadows import DrawStencil, Shadows
from cardgen.layout.art.shapes import paint_figure, trace_figure
from cardgen.layout.canvas import Canvas, Drawn, check_size, turn_rect
from cardgen.layout.contents import (
    NO_PLACEHOLDERS,
    Contents,
    Faint,
    Gap,
    Placeholders,
    Remark,
    lacks_room,
)
from cardgen.layout.contrast import Contrasts
from cardgen.layout.copyfit import Copyfit, DeckSizes, Shrunk
from cardgen.layout.device import USUAL_DEVICE, Device
from cardgen.layout.face import (
    SEEN,
    Clip,
    Element,
    Face,
    Group,
    Item,
    Role,
    Tag,
)
from cardgen.layout.images import draw_image
from cardgen.layout.kept import Kept
from cardgen.layout.measure import (
    fills_across,
    justify,
    list_left,
    measure_child_width,
    measure_height,
    share_stack,
)
from cardgen.layout.room import TOLERANCE, give_thickness, resolve_place, to_mm
from cardgen.layout.safety import list_unsafe
from cardgen.layout.subject import Subject
from cardgen.layout.typesetter import Typesetter
from cardgen.template.figures import Corners
from cardgen.template.model import (
    BoxSpec,
    CodeSpec,
    Effect,
    FirstSpec,
    FlowSpec,
    Format,
    Ground,
    IconSpec,
    ImageSpec,
    LineSpec,
    Node,
    PathSpec,
    ShapeSpec,
    StackSpec,
    TableSpec,
    TextSpec,
)
from cardgen.text.fit import Block, Text

_NO_NAMES = frozenset[str]()


class Composer:
    """Composes the faces of one template and keeps what they share."""

    def __init__(
        self,
        format_: Format,
        typesetter: Typesetter,
        library: Library,
        sizes: DeckSizes,
        draw_stencil: DrawStencil,
        placeholders: Placeholders = NO_PLACEHOLDERS,
        device: Device = USUAL_DEVICE,
    ) -> None:
        self.remarks: set[Remark] = set()  # what is to be told of the faces so far
        self.problems: list[Problem] = []  # what was wrong with those that were composed as drafts
        self._format = format_
        self._device = device
        self._typesetter = typesetter
        self._copyfit = Copyfit(sizes)
        self._contents = Contents(typesetter, library, self._copyfit, placeholders)
        self._ornaments = Ornaments()
        self._shadows = Shadows(draw_stencil)
        self._contrasts = Contrasts()
        self._canvas = self._make_canvas()
        # That of the face, on which what repeats is kept.
        self._ground: Canvas | None = self._canvas
        self._has_heading = False  # the face that is being composed
        self._kept = Kept()

    @property
    def shrunk(self) -> list[Shrunk]:
        """The texts that were set smaller than the others of the deck."""
        return self._copyfit.shrunk

    def compose(self, nodes: Sequence[Node], subject: Subject) -> Face:
        """Return the face of one card."""
        self._canvas = self._ground = self._make_canvas()
        self._has_heading = False
        self._contents.begin(subject)
        self._place_children(nodes, self._canvas.trim)
        face = Face(self._format.size, self._format.bleed, tuple(self._canvas.items))
        self.remarks |= self._canvas.remarks | list_unsafe(face, self._format, subject.card)
        self.remarks |= self._contrasts.list_pale(face, nodes, subject.card)
        return face

    def forget(self) -> None:
        """Forget texts that were fitted: they may be set anew, and are told of when they are."""
        self._kept.forget()
        self.shrunk.clear()
        self.remarks.clear()

    def _make_canvas(self) -> Canvas:
        return Canvas(Rect(0, 0, *self._format.size), self._format.bleed)

    # Boxes within boxes

    def _place_children(self, nodes: Sequence[Node], parent: Rect) -> None:
        """Place nodes in a box; neighbours that look only a few ways become one form."""
        first = 0
        while first < len(nodes):
            last = _find_end(nodes, first)
            if last > first:
                shared = nodes[first:last]
                self._share(shared, parent, partial(self._place_all, shared))
            else:
                last = first + 1
                self._place(nodes[first], self._resolve(nodes[first], parent))
            first = last

    def _place_all(self, nodes: Sequence[Node], parent: Rect) -> None:
        for node in nodes:
            self._place(node, self._resolve(node, parent))

    def _share(self, nodes: Sequence[Node], at: Rect, draw: Callable[[Rect], None]) -> None:
        """Draw nodes once for each size, and place the form."""
        canvas = self._canvas
        drawn = self._kept.find_form(nodes, at, canvas)
        if drawn is None:
            noted = self._copyfit.noted
            drawn = self._draw_within(at, draw)
            fitted = self._copyfit.noted > noted
            self._kept.keep_form(nodes, at, canvas, drawn, fitted=fitted)
        canvas.place(drawn, at)
        self._has_heading |= drawn.has_heading

    def _draw_within(self, at: Rect, draw: Callable[[Rect], None], turn: Turn = 0) -> Drawn:
        """Draw on a canvas within this one, and return what was drawn."""
        return self._draw_on(
            Canvas.within(self._canvas, at, turn), partial(draw, turn_rect(at, at, turn))
        )

    def _draw_on(self, inner: Canvas, draw: Callable[[], None]) -> Drawn:
        outer, self._canvas = self._canvas, inner
        try:
            draw()
            return inner.finish()
        finally:
            self._canvas = outer

    def _resolve(self, node: Node, parent: Rect) -> Rect:
        """Return where a placed box lies."""
        place = node.spec.place
        if isinstance(node.spec, LineSpec):
            place = give_thickness(place, node.spec)
        rect = resolve_place(place, parent)
        if place.bleed:
            rect = self._canvas.extend(rect)
        self._check_rect(rect, node)
        return rect

    def _check_rect(self, rect: Rect, node: Node) -> None:
        effect = node.spec.place.effect
        try:
            if effect is not None and effect.quarter is None:
                check_size(rect)
            else:
                self._canvas.check(rect)
        except Refusal as error:
            raise self._contents.name_problem(error, node, ()) from error

    def _place_stack(self, node: Node, spec: StackSpec, inner: Rect) -> None:
        """Place the children of a column or row one after the other."""
        if not node.children:
            return
        lengths = share_stack(self._contents, node, spec, inner)
        at, gap = justify(spec, inner, lengths)
        for child, length in zip(node.children, lengths, strict=True):
            cross, extent = self._align_across(child, spec, inner, length)
            sides = (cross, at, extent, length) if spec.down else (at, cross, length, extent)
            rect = make_tuple(Rect, sides)
            self._check_rect(rect, child)
            if child.choices is not None and _find_end((child,), 0):
                self._share((child,), rect, partial(self._place, child))
            else:
                self._place(child, rect)
            at += length + gap

    def _align_across(
        self, child: Node, spec: StackSpec, inner: Rect, length: float
    ) -> tuple[float, float]:
        """Return where a child begins across the stack's direction, and how far it reaches."""
        if spec.down:
            start, room = inner.x, inner.width
            extent = measure_child_width(self._contents, child, spec, inner)
        else:
            start, room = inner.y, inner.height
            height, bounds = child.spec.place.height, child.spec.place.bounds
            if height is not None:
                extent = height.of(room)
            elif spec.align == "stretch" or fills_across(child, down=False):
                extent = room
            else:
                extent = min(measure_height(self._contents, child, length, room), room)
            if bounds is not None:
                extent = bounds.fit_height(extent, room)
        shift = {"centre": 0.5, "end": 1.0}.get(spec.align, 0.0)
        return start + (room - extent) * shift, extent

    # Each kind of element

    def _place(self, node: Node, rect: Rect) -> None:
        effect = node.spec.place.effect
        if node.repeats and self._canvas is self._ground:
            self._repeat(node, rect)
        elif effect is None:
            self._place_plain(node, rect)
        else:
            self._place_changed(node, effect, rect)

    def _repeat(self, node: Node, rect: Rect) -> None:
        """Place what is drawn of a node, which is kept unless there is anything to be told of it:
        that is told of each card.
        """
        canvas, copyfit, headed = self._canvas, self._copyfit, self._has_heading
        items = self._kept.find_items(node, rect, headed=headed)
        if items is not None:
            canvas.items += items
            return
        remarks, canvas.remarks = canvas.remarks, set()
        before, noted = len(canvas.items), copyfit.noted
        ground, self._ground = self._ground, None  # what lies within it is not kept as well
        try:
            self._place(node, rect)
        finally:
            self._ground = ground
            told, canvas.remarks = canvas.remarks, remarks
            remarks |= told
        if not told and copyfit.noted == noted and self._has_heading == headed:
            self._kept.keep_items(node, rect, canvas.items[before:], headed=headed)

    def _place_changed(self, node: Node, effect: Effect, rect: Rect) -> None:
        """Place an element that is turned, that others shine through, or that casts a shadow."""
        canvas, opacity, blend = self._canvas, effect.opacity, effect.blend
        draw, turn = partial(self._place_plain, node), effect.quarter
        before = len(canvas.items)
        if turn is None:
            beside = Canvas.beside(canvas, rect)
            drawn = self._draw_on(beside, partial(draw, Rect(0, 0, *rect.size)))
            canvas.place_aslant(drawn, rect, effect.turn, opacity, blend)
        elif opacity < 1 or blend != "normal":
            drawn = self._draw_within(rect, draw, turn)
            canvas.place_clear(drawn, rect, turn, opacity, blend)
        elif turn:
            canvas.place(self._draw_within(rect, draw, turn), rect, turn)
        else:
            draw(rect)
        if effect.shadow is not None or effect.glow is not None:
            with self._contents.naming(node, ()):
                canvas.items[before:before] = self._shadows.cast(
                    canvas.items[before:], rect, effect
                )

    def _place_plain(self, node: Node, rect: Rect) -> None:
        spec = node.spec
        if isinstance(spec, TextSpec):
            self._place_text(node, spec, rect)
        elif isinstance(spec, StackSpec):
            self._place_ground(spec.ground, rect)
            self._place_within(spec.ground, rect, partial(self._place_stack, node, spec), spec)
        elif isinstance(spec, FirstSpec):
            self._place_first(node, spec, rect)
        elif isinstance(spec, BoxSpec):
            self._place_ground(spec.ground, rect)
            self._place_within(
                spec.ground, rect, partial(self._place_children, node.children), spec
            )
        elif isinstance(spec, LineSpec):
            self._canvas.items.append(draw_line(spec, rect))
        elif isinstance(spec, PathSpec | Ornament):
            self._place_shape(node, spec, rect)
        elif isinstance(spec, ShapeSpec):
            self._place_figure(node, spec, rect)
        elif isinstance(spec, IconSpec):
            self._place_icon(node, spec, rect)
        elif isinstance(spec, ImageSpec):
            self._place_image(node, spec, rect)
        elif isinstance(spec, CodeSpec):
            self._place_code(node, spec, rect)
        elif isinstance(spec, TableSpec):
            self._place_table(node, spec, rect)
        elif isinstance(spec, FlowSpec):
            self._place_flow(node, spec, rect)
        if gone := self._typesetter.gone:
            self._canvas.remarks |= {Gap(kind, name) for kind, name in gone}
            gone.clear()

    def _place_first(self, node: Node, spec: FirstSpec, rect: Rect) -> None:
        """Place the first child that has room; what is wrong with the last is said."""
        left = list_left(self._contents, node)
        for number, child in enumerate(left, 1):
            if number == len(left):
                self._place(child, self._resolve(child, rect))
            elif not self._try(child, rect):
                continue
            self._copyfit.note_left(spec, len(left) - number + 1)
            break

    def _try(self, node: Node, rect: Rect) -> bool:
        """Place an element, if it has room."""
        canvas, has_heading = self._canvas, self._has_heading
        before, remarks = len(canvas.items), canvas.remarks.copy()
        try:
            at = self._resolve(node, rect)
            if not node.spec.place.bleed and not rect.contains(at, TOLERANCE):
                return False
            with self._copyfit.trying():
                self._place(node, at)
        except CardgenError as error:
            if not lacks_room(error):
                raise
        else:
            return True
        del canvas.items[before:]
        canvas.remarks, self._has_heading = remarks, has_heading
        return False

    def _place_text(self, node: Node, spec: TextSpec, rect: Rect) -> None:
        block = self._contents.get_block(node, spec, rect.width, rect.height)
        if isinstance(block, Block) and not block.paragraphs:
            return
        if spec.path:
            self._place_along(node, spec, block, rect)
            return
        try:
            size = self._copyfit.choose_size(spec, block, rect, self._contents.subject)
            if isinstance(block, Block):
                self._place_block(spec, block, size, rect)
            else:
                height = block.measure(size, rect.width)
                shift = _find_shift(spec, rect.height, block.depth * size, height)
                said = self._choose_whole(spec)
                if said is None and spec.alt is None and self._choose_role(spec) == "H1":
                    said = Element("H1")
                drawn = block.draw(size, rect.moved(0, shift), said)
                if spec.alt == "":
                    drawn = [item for item in drawn if not isinstance(item, Tag)]
                self._canvas.items += drawn
        except (Refusal, CardgenError) as error:
            raise self._contents.name_problem(error, node, spec.fields) from error

    def _place_along(self, node: Node, spec: TextSpec, block: Text, rect: Rect) -> None:
        """Place a text along its path, which begins at the box's top left."""
        with self._contents.naming(node, spec.fields):
            curve = read_curve(spec.path).move(rect.x, rect.y)
            size = choose_size_along(spec, block, curve)
        self._check_rect(curve.bounds, node)
        with self._contents.naming(node, spec.fields):
            role = self._choose_role(spec)
            self._canvas.items += draw_along(self._typesetter, spec, block, size, curve, role)

    def _place_block(self, spec: TextSpec, block: Block, size: float, rect: Rect) -> None:
        items = self._canvas.items
        x, y, width, room = rect
        lower = partial(_find_shift, spec, room, block.depth * size)
        text = self._typesetter.set_text(block, spec.style, size, width, x, y, lower=lower)
        if spec.alt is None:
            self._typesetter.draw_text(text, self._choose_role(spec), items)
        else:
            self._typesetter.draw_pieces(text.pieces, items, element=self._choose_whole(spec))

    def _choose_whole(self, spec: TextSpec) -> Element | None:
        """Return the one element of a text with words of its own for those who hear it."""
        return Element(self._choose_role(spec), alt=spec.alt) if spec.alt else None

    def _choose_role(self, spec: TextSpec) -> Role:
        """Return the role of a text: the first that says a card's name alone is its heading."""
        if self._has_heading or not (spec.heading or spec.fields == ("name",)):
            return "P"
        self._has_heading = True
        return "H1"

    def _place_icon(self, node: Node, spec: IconSpec, rect: Rect) -> None:
        drawn = self._contents.draw_icon(node, spec, rect)
        if isinstance(drawn, Gap):
            self._place_gap(drawn, rect)
            return
        alt = self._typesetter.name_icon(spec.name) if spec.alt is None else spec.alt
        self._show(drawn, alt)

    def _place_image(self, node: Node, spec: ImageSpec, rect: Rect) -> None:
        info = self._contents.get_picture(node, spec)
        if isinstance(info, Gap):
            self._place_gap(info, rect)
            return
        alt = spec.alt
        if alt is None:  # one that is the same on every card is an ornament
            alt = self._contents.subject.card or "" if spec.fields else ""
        with self._contents.naming(node, spec.fields):
            first, *others = draw_image(self._contents, node, info, rect, self._canvas.trim)
        self._canvas.items += others
        self._show(first, alt)

    def _place_code(self, node: Node, spec: CodeSpec, rect: Rect) -> None:
        # Most cards do without.
        from cardgen.layout.art.codes.draw import NAMES, draw_code, is_faint, measure_contrast

        with self._contents.naming(node, spec.fields):
            drawn = draw_code(spec, rect, self._canvas.trim, self._device, self._typesetter)
        alt = f"{NAMES[spec.kind]}: {spec.text}" if spec.alt is None else spec.alt
        items = self._canvas.items
        if alt:
            items.append(Tag(Element("Figure", alt=alt)))
        items += (*drawn, SEEN) if alt else drawn
        if is_faint(spec):
            contrast = round(measure_contrast(spec), 2)
            self._canvas.remarks.add(Faint(spec.kind, contrast, self._contents.subject.card))

    def _place_gap(self, gap: Gap, rect: Rect) -> None:
        """Draw a box for what is missing."""
        items = self._canvas.items
        items.append(Tag(Element("Figure", alt=f"missing {gap.kind}: {gap.label}")))
        items += draw_placeholder(self._typesetter, rect, gap.label)
        items.append(SEEN)
        self._canvas.remarks.add(gap)

    def _show(self, item: Item, alt: str) -> None:
        """Append what is drawn and not written; without words for it, it is an ornament."""
        self._canvas.items += (Tag(Element("Figure", alt=alt)), item, SEEN) if alt else (item,)

    def _place_ground(self, ground: Ground, rect: Rect) -> None:
        fill, stroke = ground.ink.fill, make_stroke(ground.ink)
        if stroke is not None:
            # A border lies within its box, as a cutter would expect.
            rect = rect.inset(Insets.even(stroke.width / 2))
        visible = rect.width > 0 and rect.height > 0
        if visible and (fill is not None or stroke is not None):
            self._canvas.items.append(make_rect(rect, ground.radius, fill, stroke))

    def _place_within(
        self, ground: Ground, rect: Rect, draw: Callable[[Rect], None], spec: BoxSpec | StackSpec
    ) -> None:
        """Draw what a box holds; where it clips, all that lies outside is left out."""
        inner = rect.inset(spec.padding)
        if not ground.clip:
            draw(inner)
            return
        canvas = self._canvas
        drawn = self._draw_on(
            Canvas.beside(canvas, rect), partial(draw, inner.moved(-rect.x, -rect.y))
        )
        if drawn.shared is not None:
            stroke = make_stroke(ground.ink)
            edge = trace_inside(rect, ground.radius, stroke.width if stroke else 0.0)
            matrix = Matrix(1, 0, 0, 1, rect.x, rect.y)
            canvas.items.append(Group(drawn.shared, matrix, clips=(Clip(edge),)))

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

    def _place_figure(self, node: Node, spec: ShapeSpec, rect: Rect) -> None:
        """Place a figure and what stands in it; where that is cut off, the stroke lies over it."""
        with self._contents.naming(node, ()):
            traced = trace_figure(spec.figure, rect, make_stroke(spec.ink))
            if isinstance(spec.figure, Corners):
                self._check_rect(traced.bounds, node)
        items, inner = self._canvas.items, traced.box.inset(spec.padding)
        if not spec.clip:
            items += paint_figure(traced, spec.ink)
            self._place_children(node.children, inner)
            return
        items += paint_figure(traced, spec.ink._replace(stroke=None))
        drawn = self._draw_within(inner, partial(self._place_children, node.children))
        self._canvas.place_clipped(drawn, inner, Clip(traced.segments))
        items += paint_figure(traced, spec.ink._replace(fill=None))

    def _place_table(self, node: Node, spec: TableSpec, rect: Rect) -> None:
        table = self._contents.get_table(node, spec, rect.width)
        if table.height > rect.height + TOLERANCE:
            self._contents.blamed = node
            raise self._contents.subject.make_error(
                "layout/content-too-long",
                f"a table is {format_mm(table.height - rect.height)} too long: it needs"
                f" {format_mm(table.height)}, there are {format_mm(rect.height)}",
                node.where,
                details={"needed": to_mm(table.height), "room": to_mm(rect.height)},
            )
        with self._contents.naming(node, ()):
            table.draw(rect.x, rect.y, self._canvas.items)

    def _place_flow(self, node: Node, spec: FlowSpec, rect: Rect) -> None:
        flow = self._contents.get_flow(node, spec)
        with self._contents.naming(node, spec.fields):
            size = flow.place(rect, self._canvas.items, above=int(self._has_heading))
        if size < spec.body.size:
            self._copyfit.note_shrunk(self._contents.subject, spec.fields, size, spec.body.size)


def _find_shift(spec: TextSpec, room: float, depth: float, height: float) -> float:
    """Return how far down in its box a text stands."""
    spare = room - height
    if spec.valign == "bottom":
        return spare
    if spec.valign == "middle":
        # The eye takes the middle of the capitals for that of the text.
        return min((spare + depth) / 2, spare)
    return 0.0


def _find_end(nodes: Sequence[Node], first: int) -> int:
    """Return where neighbours end that make one form; the beginning where there are none.

    What is chosen by different names makes forms of its own, lest there be one for each of all
    ways in which they meet.
    """
    end, chosen = first, _NO_NAMES
    while end < len(nodes):
        choices = nodes[end].choices
        if choices is None or not (choices <= chosen or chosen <= choices):
            break
        chosen |= choices
        end += 1
    # An icon or ornament alone is a form already.
    alone = end == first + 1 and chosen and isinstance(nodes[first].spec, IconSpec | Ornament)
    return first if alone else end
