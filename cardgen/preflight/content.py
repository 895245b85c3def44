"""One content stream walked operator by operator, into the marks that it paints.

Forms, tiles and glyphs within are noted as visits, for walk.py to go through. Must not know what
is right or wrong in what it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import pikepdf

from cardgen.preflight.colours import Paint
from cardgen.preflight.fonts import Font
from cardgen.preflight.marks import Gradient, Group, Look, Picture
from cardgen.preflight.paths import PathReader
from cardgen.preflight.plane import IDENTITY, UNIT, Box, Matrix, make_box, make_matrix
from cardgen.preflight.readers import Readers
from cardgen.preflight.state import State
from cardgen.preflight.texts import TextReader
from cardgen.preflight.values import (
    BROKEN,
    get,
    get_dictionary,
    get_name,
    get_numbers,
    is_number,
    list_array,
    read_name,
)

MOST_BROKEN = 20
EVERYWHERE = Box(-1e6, -1e6, 1e6, 1e6)
Operands = Sequence[Any]


class Visit(NamedTuple):
    """A stream within this one, and the state in which it begins; see Part for the rest."""

    thing: Any
    resources: Any
    state: State
    matrix: Matrix
    clip: Box | None
    spread: Box | None = None


class StreamWalk:
    """One content stream while it is walked."""

    def __init__(self, readers: Readers, group: Group, resources: Any, state: State) -> None:
        self.readers = readers
        self.group = group
        self.resources = resources
        self.state = state
        self.visits: list[Visit] = []
        self.stack: list[State] = []
        self.path = PathReader()
        self.text = TextReader()

    def run(self, instructions: Sequence[Any], operators: Mapping[str, Operator]) -> None:
        for instruction in instructions:
            if isinstance(instruction, pikepdf.ContentStreamInlineImage):
                self._guard("BI", self.paint_inline, instruction.iimage)
                continue
            name = str(instruction.operator)
            operands = instruction.operands
            if self.path.add(name, operands):
                continue
            handler = operators.get(name)
            if handler is not None:
                self._guard(name, partial(handler, self), operands)

    def _guard(self, name: str, do: Callable[[Any], None], given: Any) -> None:
        try:
            do(given)
        except (*BROKEN, RecursionError):
            if len(self.group.broken) < MOST_BROKEN:
                self.group.broken.append(f"the operator {name} is not used as it must be")

    # State

    def save(self, _: Operands) -> None:
        self.stack.append(self.state.fork())

    def restore(self, _: Operands) -> None:
        if self.stack:
            self.state = self.stack.pop()

    def transform(self, operands: Operands) -> None:
        self.state.matrix = Matrix(*map(float, operands)).then(self.state.matrix)

    def set_width(self, operands: Operands) -> None:
        self.state.width = abs(float(operands[0]))

    def set_graphics(self, operands: Operands) -> None:
        settings = self._find("/ExtGState", operands[0])
        self.state.apply(settings)
        font = list_array(get(settings, "/Font"))
        if len(font) == 2:
            self.state.set_font(self.readers.fonts.read(font[0]), font[1])

    # Colours

    def set_space(self, operands: Operands, *, stroke: bool) -> None:
        space = self.readers.spaces.read(operands[0], self.resources)
        self._set_paint(Paint(space, space.first), None, stroke)

    def set_device(self, operands: Operands, *, stroke: bool, name: str) -> None:
        space = self.readers.spaces.read(pikepdf.Name(name), self.resources)
        self._set_paint(Paint(space, tuple(map(float, operands))), None, stroke)

    def set_colour(self, operands: Operands, *, stroke: bool) -> None:
        space = (self.state.stroke if stroke else self.state.fill).space
        values = tuple(float(value) for value in operands if is_number(value))
        name = operands[-1] if operands else None
        pattern = None
        if read_name(name):
            thing = self._find("/Pattern", name)
            pattern = self._read_pattern(thing)
        self._set_paint(Paint(space, values, read_name(name)), pattern, stroke)

    def _read_pattern(self, thing: Any) -> Any:
        if get(thing, "/PatternType") == 2:
            return self.readers.read_gradient(get(thing, "/Shading"), self.resources)
        return thing

    def _set_paint(self, paint: Paint, pattern: Any, stroke: bool) -> None:
        if stroke:
            self.state.stroke, self.state.stroke_pattern = paint, pattern
        else:
            self.state.fill, self.state.fill_pattern = paint, pattern

    # Painting

    def paint_path(self, _: Operands, *, fill: bool, stroke: bool) -> None:
        box, thin = self.path.finish()
        if box is None:
            self.path.clipping = False
            return
        matrix = self.state.matrix
        placed = matrix.place(box)
        if fill:
            self.add("area", placed, thin * matrix.scale)
        if stroke:
            half = self.state.width * matrix.scale / 2
            self.add("line", placed.grow(half, half), half * 2, stroke=True)
        if self.path.clipping:
            self.path.clipping = False
            self.state.narrow(placed)

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
        picture: Picture | None = None,
        frame: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """A mark in the colour, or the pattern, that is set."""
        state = self.state
        alpha = state.stroke_alpha if stroke else state.fill_alpha
        paint = None if kind == "picture" else state.stroke if stroke else state.fill
        pattern = None if paint is None else state.stroke_pattern if stroke else state.fill_pattern
        gradient = pattern if isinstance(pattern, Gradient) else None
        look = Look(
            *(kind, paint, round(size, 4), font, picture, gradient),
            *(frame, alpha, state.blend, state.masked),
        )
        self.group.add(look, box, state.clip)
        if pattern is not None and gradient is None:
            self._paint_tile(pattern, box)

    def _paint_tile(self, tile: Any, box: Box) -> None:
        shown = box if self.state.clip is None else box.meet(self.state.clip)
        if shown is None or not isinstance(tile, pikepdf.Stream):
            return
        matrix = make_matrix(get_numbers(tile, "/Matrix")) or IDENTITY
        inner = State()
        if get(tile, "/PaintType") == 2:
            under = self.state.fill.space.base
            if under is not None:
                inner.fill = inner.stroke = Paint(under, self.state.fill.values)
        self.visits.append(Visit(tile, self.resources, inner, matrix, shown, shown))

    def paint_shading(self, operands: Operands) -> None:
        gradient = self.readers.read_gradient(self._find("/Shading", operands[0]), self.resources)
        state = self.state
        box = make_box(get_numbers(gradient.thing, "/BBox"))
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
        thing = self._find("/XObject", operands[0])
        kind = get_name(thing, "/Subtype")
        if kind == "Image":
            self.paint_picture(self.readers.pictures.read(thing, self._read_space))
        elif kind == "Form":
            self._paint_form(thing)

    def _paint_form(self, form: Any) -> None:
        matrix = make_matrix(get_numbers(form, "/Matrix")) or IDENTITY
        matrix = matrix.then(self.state.matrix)
        box = make_box(get_numbers(form, "/BBox"))
        clip = self.state.clip
        if box:
            clip = matrix.place(box) if clip is None else matrix.place(box).meet(clip)
            if clip is None:
                return
        self.visits.append(Visit(form, self.resources, self.state.enter(), matrix, clip))

    def paint_picture(self, picture: Picture | None) -> None:
        if picture is None:
            return
        matrix = self.state.matrix
        kind = "picture" if picture.space is not None else "stencil"
        frame = (round(matrix.scale_x, 4), round(matrix.scale_y, 4))
        self.add(kind, matrix.place(UNIT), picture=picture, frame=frame)

    def paint_inline(self, image: Any) -> None:
        self.paint_picture(self.readers.pictures.read_inline(image, self._read_space))

    def _read_space(self, thing: Any) -> Any:
        return self.readers.spaces.read(thing, self.resources)

    # Text

    def set_font(self, operands: Operands) -> None:
        thing = self._find("/Font", operands[0])
        font = None if thing is None else self.readers.fonts.read(thing)
        self.state.set_font(font, operands[1])

    def show(self, operands: Operands) -> None:
        """Text is painted in the colour that is set, and moves on."""
        state = self.state
        shown = self.text.show(state, operands[-1])
        if shown is None:
            return
        font = state.font
        if font is not None and font.kind == "Type3":
            self._paint_glyphs(font, shown.glyphs)
        if state.mode in (0, 2, 4, 6):
            self.add("text", shown.box, shown.size, font=font)
        if state.mode in (1, 2, 5, 6):
            self.add("text", shown.box, shown.size, font=font, stroke=True)

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
                self.visits.append(Visit(proc, resources, inner, place, self.state.clip))

    def _find(self, kind: str, name: Any) -> Any:
        return get(get_dictionary(self.resources, kind), str(name)) if read_name(name) else None

    def begin_text(self, _: Operands) -> None:
        self.text.begin()

    def set_text_matrix(self, operands: Operands) -> None:
        self.text.set_matrix(Matrix(*map(float, operands)))

    def move_text(self, operands: Operands, *, leading: bool = False) -> None:
        x, y = map(float, operands)
        if leading:
            self.state.leading = -y
        self.text.move(x, y)

    def next_line(self, _: Operands) -> None:
        self.text.next_line(self.state)

    def set_text(self, operands: Operands, *, name: str, scale: float = 1.0) -> None:
        setattr(self.state, name, type(getattr(self.state, name))(float(operands[0]) * scale))


Operator = Callable[[StreamWalk, Any], None]
