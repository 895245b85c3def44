"""A content stream read into the marks that it paints, operator by operator.

Streams are those of pages, forms, tiles and glyphs of Type 3 fonts. Knows nothing of what is right
or wrong in what it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import pikepdf

from cardgen.core.geometry import IDENTITY, Box, Matrix
from cardgen.preflight.colours import Paint, is_device
from cardgen.preflight.content import BLOCK, Block, Instruction, Tag
from cardgen.preflight.content import OPERATORS as ALL_OPERATORS
from cardgen.preflight.fonts import Flaw, Font
from cardgen.preflight.images import MOST_PIXELS
from cardgen.preflight.keeping import Keeper
from cardgen.preflight.marks import (
    EVERYWHERE,
    Drawn,
    Gradient,
    Group,
    Look,
    Overprint,
    Picture,
    Unread,
)
from cardgen.preflight.objects import (
    BROKEN,
    find_box,
    find_dictionary,
    find_matrix,
    find_value,
    identify,
    is_number,
    read_name,
    read_number,
)
from cardgen.preflight.readers import Readers
from cardgen.preflight.state import PathReader, State, TextReader

Operands = Sequence[Any]

_MOST_UNREAD = 20
_MOST_SAVED = 1_000
_MOST_TILES = 1_000_000
_UNIT = Box(0, 0, 1, 1)
# Operators that paint nothing, and take what content.py or nobody looks at.
_SILENT: Final = frozenset(("J", "j", "M", "d", "ri", "i", "MP", "DP", "ET", "d0", "d1"))
_KINDS: Final = {
    "/ColorSpace": "colour space",
    "/ExtGState": "graphics state",
    "/Font": "font",
    "/Pattern": "pattern",
    "/Shading": "gradient",
    "/XObject": "picture or form",
}


class Visit(NamedTuple):
    """A stream within this one, and the state in which it begins; see Part for the rest.

    key: the same for streams that paint the same
    exact: whether all shows that it paints within the clip
    """

    thing: Any
    resources: Any
    state: State
    key: object
    matrix: Matrix
    clip: Box | None
    spread: Box | None = None
    exact: bool = False


def make_visit(
    thing: Any,
    outer: Any,
    state: State,
    matrix: Matrix = IDENTITY,
    clip: Box | None = None,
    spread: Box | None = None,
    *,
    exact: bool = False,
) -> Visit:
    """Return a visit of a form, tile or glyph, which may do with the resources around it."""
    own = find_dictionary(thing, "/Resources")
    key = (identify(thing), identify(outer) if own is None else None, state.identify())
    return Visit(thing, outer if own is None else own, state, key, matrix, clip, spread, exact)


class Effect(NamedTuple):
    """What a block paints in the state that it begins in."""

    group: Group
    visits: Sequence[Visit]
    masks: Sequence[Any]


class StreamWalk:
    """One content stream while it is walked."""

    def __init__(
        self,
        readers: Readers,
        group: Group,
        resources: Any,
        state: State,
        *,
        ordered: bool = False,
        effects: Keeper[object, Effect] | None = None,
    ) -> None:
        self.ordered = ordered
        self.effects = effects
        self.readers = readers
        self.group = group
        self.resources = resources
        self._owner: object = None  # tells the resources apart, where they have a number
        if isinstance(resources, pikepdf.Object) and resources.is_indirect:
            self._owner = resources.objgen
        self._named = readers.find_named(self._owner)
        self.state = state
        self.visits: list[Visit] = []
        self.masks: list[Any] = []
        self.marks: list[float] = []  # how text was marked outside of each part that is marked
        self.stack: list[State] = []
        self.unsaved = 0
        self.path = PathReader()
        self.text = TextReader()
        # What was added last, and the boxes of all marks that look so.
        self.said: tuple[Any, ...] = ()
        self.look = Look("area")
        self.boxes: list[Box] | None = None
        self.sure = True  # that other programs see the same operators from here on
        self.lenient = 0  # how many sections are open in which unknown operators are let go

    def run(self, instructions: Sequence[Instruction], operators: Mapping[str, Operator]) -> None:
        add = self.path.add
        for name, operands in instructions:
            handler = operators.get(name)
            if handler is None:
                if not add(name, operands) and name not in _SILENT:
                    self._pass_over(name)
                continue
            try:
                handler(self, operands)
            except (*BROKEN, RecursionError):
                self._note(Unread("operator", name))

    def _pass_over(self, name: str) -> None:
        """Note an operator that is unknown, or one of a path that has not what it needs."""
        if name in ("BX", "EX"):
            self.lenient = max(0, self.lenient + (1 if name == "BX" else -1))
        elif name in ALL_OPERATORS:
            self._note(Unread("operator", name))
        elif not self.lenient:
            self._note(Unread("unknown operator", name))

    def _note(self, unread: Unread) -> None:
        if len(self.group.unread) < _MOST_UNREAD:
            self.group.unread.append(unread)

    # Blocks

    def paint_block(self, operands: Operands) -> None:
        """Paint what a block paints; of one that comes again in the same state it is known."""
        (block,) = operands
        effect = self._find_effect(block)
        if effect is None:
            self.run(block.instructions, OPERATORS)
            return
        group, found = self.group, effect.group
        for look, boxes in found.marks.items():
            group.marks.setdefault(look, []).extend(boxes)
        for box in found.covers:
            group.cover(box, None)
        for unread in found.unread:
            self._note(unread)
        first = len(self.visits)
        group.order += [item + first if isinstance(item, int) else item for item in found.order]
        self.visits += effect.visits
        self.masks += effect.masks

    def _find_effect(self, block: Block) -> Effect | None:
        """Return what a block paints; None where it must be seen in its place."""
        state, resources = self.state, self.resources
        if self.effects is None or self.path.is_begun or len(self.stack) > _MOST_SAVED // 2:
            return None
        if self._owner is None:
            return None
        if isinstance(state.fill_pattern, pikepdf.Object):
            return None
        if isinstance(state.stroke_pattern, pikepdf.Object):
            return None
        key = (block.line, self._owner, state.list_values(), self.sure)
        effect = self.effects.find(key)
        if effect is None:
            inner = StreamWalk(self.readers, Group(), resources, state.fork(), ordered=self.ordered)
            inner.sure = self.sure
            inner.run(block.instructions, OPERATORS)
            if inner.path.is_begun:  # it goes on behind the block
                return None
            effect = Effect(inner.group, inner.visits, inner.masks)
            weight = 1 + sum(map(len, effect.group.marks.values())) + len(effect.visits)
            self.effects.keep(key, effect, weight)
        return effect

    # State

    def save(self, _: Operands) -> None:
        if len(self.stack) < _MOST_SAVED:
            self.stack.append(self.state.fork())
        else:
            self.unsaved += 1
            self._note(Unread("limit", f"more than {_MOST_SAVED:,} q without their Q"))

    def restore(self, _: Operands) -> None:
        if self.unsaved:
            self.unsaved -= 1
        elif self.stack:
            self.state = self.stack.pop()

    def transform(self, operands: Operands) -> None:
        self.state.matrix = Matrix(*map(float, operands)).then(self.state.matrix)

    def set_width(self, operands: Operands) -> None:
        self.state.width = abs(float(operands[0]))

    def set_graphics(self, operands: Operands) -> None:
        name = operands[0]
        settings = self._named.settings.get(name) if isinstance(name, str) else None
        if settings is None:
            thing = self._find_resource("/ExtGState", name)
            settings = self.readers.read_settings(thing)
            if thing is not None:
                self._named.settings[name] = settings
        self.state.apply(settings)
        if settings.mask is not None:
            self.masks.append(settings.mask)
        if settings.font is not None:
            font, size = settings.font
            self.state.set_font(self.readers.fonts.read(font), size)

    # Colours

    def set_space(self, operands: Operands, *, stroke: bool) -> None:
        given = operands[0]
        if _is_name(given) and not is_device(given):
            self._find_resource("/ColorSpace", given)
        space = self._read_space(pikepdf.Name(given) if _is_name(given) else given)
        self._set_paint(Paint(space, space.first), None, stroke)

    def set_device(self, operands: Operands, *, stroke: bool, name: str) -> None:
        key = (name, *operands)
        paint = self._named.paints.get(key)
        if paint is None:
            space = self._read_space(pikepdf.Name(name))
            paint = self._named.paints[key] = Paint(space, tuple(map(float, operands)))
        self._set_paint(paint, None, stroke)

    def set_colour(self, operands: Operands, *, stroke: bool) -> None:
        space = (self.state.stroke if stroke else self.state.fill).space
        values = tuple(float(value) for value in operands if is_number(value))
        name = operands[-1] if operands else None
        pattern = None
        if _is_name(name):
            thing = self._find_resource("/Pattern", name)
            pattern = self._read_pattern(thing)
        called = str(name)[1:] if _is_name(name) else ""
        self._set_paint(Paint(space, values, called), pattern, stroke)

    def _read_pattern(self, thing: Any) -> Any:
        if find_value(thing, "/PatternType") == 2:
            return self.readers.read_gradient(find_value(thing, "/Shading"), self.resources)
        return thing

    def _set_paint(self, paint: Paint, pattern: Any, stroke: bool) -> None:
        if stroke:
            self.state.stroke, self.state.stroke_pattern = paint, pattern
        else:
            self.state.fill, self.state.fill_pattern = paint, pattern

    # Painting

    def paint_path(self, _: Operands, *, fill: bool, stroke: bool) -> None:
        outline = self.path.finish()
        if outline is None:
            self.path.clipping = False
            return
        matrix = self.state.matrix
        placed = matrix.place(outline.box)
        whole = outline.whole and _is_upright(matrix)
        if fill:
            exact = whole and self.state.exact
            if self.state.outlined:
                self.add("text", placed, self.state.outlined)
            else:
                self.add("area", placed, outline.thin * matrix.scale, whole=exact)
            if exact and self.sure and self.state.is_opaque and not self.state.fill.is_white:
                self.group.cover(placed, self.state.clip)
        if stroke:
            half = self.state.width * matrix.scale / 2
            self.add("line", placed.grow(half, half), half * 2, stroke=True)
        if self.path.clipping:
            self.path.clipping = False
            self.state.narrow(placed, exact=whole)

    def clip(self, _: Operands) -> None:
        self.path.clipping = True

    def add(
        self,
        kind: Any,
        box: Box,
        size: float = 0.0,
        *,
        stroke: bool = False,
        font: Font | None = None,
        flaw: Flaw = "",
        picture: Picture | None = None,
        frame: tuple[float, float] = (0.0, 0.0),
        whole: bool = False,
    ) -> None:
        """Add a mark in the colour, or the pattern, that is set."""
        state = self.state
        alpha = state.stroke_alpha if stroke else state.fill_alpha
        paint = None if kind == "picture" else state.stroke if stroke else state.fill
        pattern = None if paint is None else state.stroke_pattern if stroke else state.fill_pattern
        gradient = pattern if isinstance(pattern, Gradient) else None
        over: Overprint = "none"
        if state.stroke_over if stroke else state.fill_over:
            over = "inks" if state.over_mode == 1 else "plates"
        drawn = kind, paint, round(size, 4), font, picture, gradient, frame, alpha
        said = drawn, state.blend, state.masked, over, flaw
        # Lines of a text follow one another in one look, which is dear to compare with all others.
        if said != self.said:
            self.said, self.boxes = said, None
        shown = box if state.clip is None else box.meet(state.clip)
        if shown is not None:
            if self.boxes is None:
                self.look = Look(*drawn, *said[1:])
                self.boxes = self.group.marks.setdefault(self.look, [])
            self.boxes.append(shown)
            if self.ordered:
                self.group.order.append(Drawn(self.look, shown, whole, state.matrix))
        if pattern is not None and gradient is None:
            self._paint_tile(pattern, box)

    def _paint_tile(self, tile: Any, box: Box) -> None:
        shown = box if self.state.clip is None else box.meet(self.state.clip)
        if shown is None or not isinstance(tile, pikepdf.Stream):
            return
        matrix = find_matrix(tile, "/Matrix") or IDENTITY
        steps = [abs(read_number(tile, key)) for key in ("/XStep", "/YStep")]
        tiles = shown.width * shown.height / max(steps[0] * steps[1] * matrix.scale**2, 1e-12)
        if tiles > _MOST_TILES or not all(steps):
            self._note(Unread("limit", f"a pattern of more than {_MOST_TILES:,} tiles"))
        inner = State()
        if find_value(tile, "/PaintType") == 2:
            under = self.state.fill.space.base
            if under is not None:
                inner.fill = inner.stroke = Paint(under, self.state.fill.values)
        self._visit(make_visit(tile, self.resources, inner, matrix, shown, shown))

    def paint_shading(self, operands: Operands) -> None:
        thing = self._find_resource("/Shading", operands[0])
        gradient = self.readers.read_gradient(thing, self.resources)
        state = self.state
        box = find_box(gradient.thing, "/BBox")
        area = state.matrix.place(box) if box else state.clip or EVERYWHERE
        look = Look(
            "gradient",
            gradient=gradient,
            alpha=state.fill_alpha,
            blend=state.blend,
            masked=state.masked,
        )
        self.group.add(look, area, state.clip)

    def paint_object(self, operands: Operands) -> None:
        thing = self._find_resource("/XObject", operands[0])
        kind = read_name(thing, "/Subtype")
        if kind == "Image":
            self.paint_picture(self.readers.pictures.read(thing, self._read_space))
        elif kind == "Form":
            self._paint_form(thing)

    def _paint_form(self, form: Any) -> None:
        matrix, box, layered = self.readers.read_form(form)
        matrix = matrix.then(self.state.matrix)
        clip = self.state.clip
        if box:
            clip = matrix.place(box) if clip is None else matrix.place(box).meet(clip)
            if clip is None:
                return
        exact = self.sure and self.state.exact and _is_upright(matrix) and not layered
        inner = self.state.enter()
        if inner.outlined and matrix.scale:
            inner.outlined = round(inner.outlined / matrix.scale, 2)
        self._visit(make_visit(form, self.resources, inner, matrix, clip, exact=exact))

    def paint_picture(self, picture: Picture | None) -> None:
        if picture is None:
            return
        if picture.width * picture.height > MOST_PIXELS:
            size = f"{picture.width:,} x {picture.height:,} pixels"
            self._note(Unread("limit", f"a picture of {size}"))
        matrix = self.state.matrix
        kind = "picture" if picture.space is not None else "stencil"
        frame = (round(matrix.scale_x, 4), round(matrix.scale_y, 4))
        whole = _is_upright(matrix) and self.state.exact and not picture.soft_mask
        self.add(kind, matrix.place(_UNIT), picture=picture, frame=frame, whole=whole)

    def paint_inline(self, operands: Operands) -> None:
        self.sure = False
        self.paint_picture(self.readers.pictures.read_inline(operands[0], self._read_space))

    def _visit(self, visit: Visit) -> None:
        if self.ordered:
            self.group.order.append(len(self.visits))
        self.visits.append(visit)

    def begin_layer(self, operands: Operands) -> None:
        """Be sure of nothing any more where there is a layer, which can be switched off.

        Shapes that are marked as a text, with its size, are its letters.
        """
        self.begin_mark(operands)
        if operands and operands[0] == "/OC":
            self.sure = False
        tag = operands[-1] if operands else None
        if isinstance(tag, Tag) and tag.has_text:
            self.state.outlined = round(tag.size * self.state.matrix.scale, 4)

    def begin_mark(self, _: Operands) -> None:
        self.marks.append(self.state.outlined)

    def end_mark(self, _: Operands) -> None:
        if self.marks:
            self.state.outlined = self.marks.pop()

    def _read_space(self, thing: Any) -> Any:
        return self.readers.spaces.read(thing, self.resources)

    # Text

    def set_font(self, operands: Operands) -> None:
        name = operands[0]
        font = self._named.fonts.get(name) if isinstance(name, str) else None
        if font is None:
            thing = self._find_resource("/Font", name)
            font = None if thing is None else self.readers.fonts.read(thing)
            if font is not None:
                self._named.fonts[name] = font
        self.state.set_font(font, operands[1])

    def show(self, operands: Operands) -> None:
        """Paint a text in the colour that is set, and go to its end."""
        state = self.state
        if state.mode >= 4:
            state.exact = False
        shown = self.text.show(state, operands[-1])
        if shown is None:
            return
        font = state.font
        if font is not None and font.kind == "Type3":
            self._paint_glyphs(font, shown.glyphs)
        # What is painted as nothing needs no glyph.
        if state.mode in (0, 2, 4, 6):
            self.add("text", shown.box, shown.size, font=font, flaw=shown.flaw)
        if state.mode in (1, 2, 5, 6):
            self.add("text", shown.box, shown.size, font=font, flaw=shown.flaw, stroke=True)

    def show_line(self, operands: Operands) -> None:
        if len(operands) == 3:
            self.state.word_spacing, self.state.spacing = map(float, operands[:2])
        self.text.next_line(self.state)
        self.show(operands)

    def _paint_glyphs(self, font: Font, glyphs: Sequence[tuple[int, Matrix]]) -> None:
        for code, matrix in glyphs:
            proc = font.procs.get(code)
            if proc is not None:
                place = font.matrix.then(matrix)
                inner = self.state.enter()
                resources = font.resources if font.resources is not None else self.resources
                self._visit(make_visit(proc, resources, inner, place, self.state.clip))

    def _find_resource(self, kind: str, name: Any) -> Any:
        if not _is_name(name):
            return None
        found = self.readers.find_resource(self.resources, self._owner, kind, name)
        if found is None:
            self._note(Unread("missing", f"the {_KINDS[kind]} {name[1:]}"))
        return found

    def begin_text(self, _: Operands) -> None:
        self.text.begin()

    def set_text_matrix(self, operands: Operands) -> None:
        self.text.set_matrix(Matrix(*map(float, operands)))

    def move_text(self, operands: Operands, *, leading: bool = False) -> None:
        x, y = operands
        x, y = float(x), float(y)
        if leading:
            self.state.leading = -y
        self.text.move(x, y)

    def next_line(self, _: Operands) -> None:
        self.text.next_line(self.state)

    def set_text(self, operands: Operands, *, name: str, scale: float = 1.0) -> None:
        setattr(self.state, name, type(getattr(self.state, name))(float(operands[0]) * scale))


def _is_name(operand: Any) -> bool:
    return isinstance(operand, str) and len(operand) > 1


def _is_upright(matrix: Matrix) -> bool:
    """Say whether a matrix leaves upright rectangles upright."""
    return matrix.b == 0 == matrix.c or matrix.a == 0 == matrix.d


Operator = Callable[[StreamWalk, Any], None]

# What each operator does; those that are not listed paint nothing.
OPERATORS: Final[Mapping[str, Operator]] = {
    BLOCK: StreamWalk.paint_block,
    "BI": StreamWalk.paint_inline,
    "BDC": StreamWalk.begin_layer,
    "BMC": StreamWalk.begin_mark,
    "EMC": StreamWalk.end_mark,
    "q": StreamWalk.save,
    "Q": StreamWalk.restore,
    "cm": StreamWalk.transform,
    "w": StreamWalk.set_width,
    "gs": StreamWalk.set_graphics,
    "cs": partial(StreamWalk.set_space, stroke=False),
    "CS": partial(StreamWalk.set_space, stroke=True),
    "sc": partial(StreamWalk.set_colour, stroke=False),
    "SC": partial(StreamWalk.set_colour, stroke=True),
    "scn": partial(StreamWalk.set_colour, stroke=False),
    "SCN": partial(StreamWalk.set_colour, stroke=True),
    "g": partial(StreamWalk.set_device, stroke=False, name="/DeviceGray"),
    "G": partial(StreamWalk.set_device, stroke=True, name="/DeviceGray"),
    "rg": partial(StreamWalk.set_device, stroke=False, name="/DeviceRGB"),
    "RG": partial(StreamWalk.set_device, stroke=True, name="/DeviceRGB"),
    "k": partial(StreamWalk.set_device, stroke=False, name="/DeviceCMYK"),
    "K": partial(StreamWalk.set_device, stroke=True, name="/DeviceCMYK"),
    "f": partial(StreamWalk.paint_path, fill=True, stroke=False),
    "F": partial(StreamWalk.paint_path, fill=True, stroke=False),
    "f*": partial(StreamWalk.paint_path, fill=True, stroke=False),
    "S": partial(StreamWalk.paint_path, fill=False, stroke=True),
    "s": partial(StreamWalk.paint_path, fill=False, stroke=True),
    "B": partial(StreamWalk.paint_path, fill=True, stroke=True),
    "B*": partial(StreamWalk.paint_path, fill=True, stroke=True),
    "b": partial(StreamWalk.paint_path, fill=True, stroke=True),
    "b*": partial(StreamWalk.paint_path, fill=True, stroke=True),
    "n": partial(StreamWalk.paint_path, fill=False, stroke=False),
    "W": StreamWalk.clip,
    "W*": StreamWalk.clip,
    "sh": StreamWalk.paint_shading,
    "Do": StreamWalk.paint_object,
    "BT": StreamWalk.begin_text,
    "Tm": StreamWalk.set_text_matrix,
    "Td": StreamWalk.move_text,
    "TD": partial(StreamWalk.move_text, leading=True),
    "T*": StreamWalk.next_line,
    "Tf": StreamWalk.set_font,
    "Tc": partial(StreamWalk.set_text, name="spacing"),
    "Tw": partial(StreamWalk.set_text, name="word_spacing"),
    "Tz": partial(StreamWalk.set_text, name="stretch", scale=0.01),
    "TL": partial(StreamWalk.set_text, name="leading"),
    "Ts": partial(StreamWalk.set_text, name="rise"),
    "Tr": partial(StreamWalk.set_text, name="mode"),
    "Tj": StreamWalk.show,
    "TJ": StreamWalk.show,
    "'": StreamWalk.show_line,
    '"': StreamWalk.show_line,
}
