"""The state of a content stream while it is read: of graphics, of the path, and of the text.

Knows nothing of operators but those that build a path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, NamedTuple

from cardgen.core.geometry import IDENTITY, Box, Matrix, make_tuple
from cardgen.preflight.colours import BLACK, DEVICE_SPACES, Paint
from cardgen.preflight.content import Words
from cardgen.preflight.fonts import Flaw, Font
from cardgen.preflight.objects import (
    BROKEN,
    find_dictionary,
    find_stream,
    find_value,
    identify,
    is_number,
    list_array,
    read_name,
    unpack_name,
)

# How many numbers each operator of a path takes.
_NUMBERS = {"m": 2, "l": 2, "c": 6, "v": 4, "y": 4}
_THICKEST_BAR = 2.0
_NOWHERE = Box(1e9, 1e9, 1e9, 1e9)


@dataclass(slots=True)
class State:
    """The graphics state.

    clip: the box around what may be painted, in the stream's own coordinates
    exact: whether all in that box may be painted
    fill_pattern, stroke_pattern: the tile or the gradient that takes the place of a colour
    fill_over, stroke_over: what is painted leaves other inks beneath it
    over_mode: 1 where an ink of 0 in CMYK leaves that ink beneath it
    outlined: of which size the letters are that shapes are the outlines of, in units of the stream;
        0 for shapes that are none
    """

    matrix: Matrix = IDENTITY
    clip: Box | None = None
    fill: Paint = BLACK
    stroke: Paint = BLACK
    fill_pattern: Any = None
    stroke_pattern: Any = None
    width: float = 1.0
    fill_alpha: float = 1.0
    stroke_alpha: float = 1.0
    blend: str = "Normal"
    masked: bool = False
    fill_over: bool = False
    stroke_over: bool = False
    over_mode: int = 0
    outlined: float = 0.0
    font: Font | None = None
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0
    exact: bool = True

    def fork(self) -> State:
        return State(*_read_fields(self))

    def enter(self) -> State:
        """Return the state at the beginning of a form: all but where it is."""
        inner = self.fork()
        inner.matrix, inner.clip, inner.exact = IDENTITY, None, True
        return inner

    def list_values(self) -> tuple[object, ...]:
        """Return all that a state holds."""
        values: tuple[object, ...] = _read_fields(self)
        return values

    def identify(self) -> tuple[object, ...]:
        """Return a key that is the same for states in which a form looks the same."""
        return (
            *(self.fill, self.stroke, self.width),
            *(identify(self.fill_pattern), identify(self.stroke_pattern)),
            *(self.fill_alpha, self.stroke_alpha, self.blend, self.masked),
            *(self.fill_over, self.stroke_over, self.over_mode, self.outlined),
            *(self.font, self.size, self.spacing, self.word_spacing, self.stretch),
            *(self.leading, self.rise, self.mode),
        )

    @property
    def is_opaque(self) -> bool:
        """Whether what is filled hides all beneath it, in every program."""
        return (
            self.fill_alpha == 1
            and self.blend == "Normal"
            and not self.masked
            and not self.fill.pattern
            and self.fill_pattern is None
            and self.fill.space in DEVICE_SPACES
        )

    def narrow(self, box: Box, *, exact: bool) -> None:
        """Clip by a box of the stream's own coordinates, or by a shape within it."""
        self.exact = self.exact and exact
        if self.clip is None:
            self.clip = box
        else:
            # What is clipped away altogether leaves a box that meets nothing.
            self.clip = self.clip.meet(box) or _NOWHERE

    def apply(self, settings: Settings) -> None:
        """Take on what a dictionary of the extended graphics state says, but for its font."""
        for name, value in settings.values:
            setattr(self, name, value)

    def set_font(self, font: Font | None, size: Any) -> None:
        self.font = font
        self.size = float(size) if is_number(size) else 0.0


class Settings(NamedTuple):
    """What a dictionary of the extended graphics state says of a state, and the font it sets.

    mask: the form that a soft mask is drawn by
    """

    values: tuple[tuple[str, Any], ...]
    font: tuple[Any, Any] | None
    mask: Any = None


def read_settings(thing: Any) -> Settings:
    values: list[tuple[str, Any]] = [
        (name, float(value))
        for name, key in (("width", "/LW"), ("fill_alpha", "/ca"), ("stroke_alpha", "/CA"))
        if is_number(value := find_value(thing, key))
    ]
    blend = [unpack_name(value) for value in list_array(find_value(thing, "/BM"))]
    if blend:
        values.append(("blend", "Normal" if blend[0] == "Compatible" else blend[0]))
    if find_value(thing, "/SMask") is not None:
        values.append(("masked", read_name(thing, "/SMask") != "None"))
    over = {key: find_value(thing, f"/{key}") for key in ("op", "OP")}
    # Where op is missing, OP stands for both.
    if over["OP"] is not None:
        values.append(("stroke_over", over["OP"] is True))
    if over["op"] is not None or over["OP"] is not None:
        fill = over["OP"] if over["op"] is None else over["op"]
        values.append(("fill_over", fill is True))
    if is_number(mode := find_value(thing, "/OPM")):
        values.append(("over_mode", int(mode)))
    font = list_array(find_value(thing, "/Font"))
    mask = find_stream(find_dictionary(thing, "/SMask"), "/G")
    return Settings(tuple(values), (font[0], font[1]) if len(font) == 2 else None, mask)


_read_fields = attrgetter(*(field.name for field in fields(State)))


class Outline(NamedTuple):
    """A finished path.

    thin: how thick it is where it is made of thin bars; else 0
    whole: whether it is the box around it, and no other shape
    """

    box: Box
    thin: float
    whole: bool


class PathReader:
    """The path that is being built."""

    def __init__(self) -> None:
        self.clipping = False
        self._xs: list[float] = []
        self._ys: list[float] = []
        self._bars: list[float] = []
        self._curved = False
        self._drawn = ""

    @property
    def is_begun(self) -> bool:
        """Whether anything is built, or is to clip."""
        return self.clipping or bool(self._drawn)

    def add(self, operator: str, operands: Sequence[Any]) -> bool:
        """Take an operator that builds a path; return False for any other."""
        count = _NUMBERS.get(operator)
        if count is None:
            if operator == "h":
                self._drawn += operator
                return True
            return operator == "re" and self._add_bar(operands)
        try:
            numbers = [float(value) for value in operands]
        except BROKEN:
            return False
        if len(numbers) != count:
            return False
        if count == 2:
            self._xs.append(numbers[0])
            self._ys.append(numbers[1])
        else:
            self._xs += numbers[0::2]
            self._ys += numbers[1::2]
        self._drawn += operator
        self._curved = True
        return True

    def _add_bar(self, operands: Sequence[Any]) -> bool:
        try:
            x, y, width, height = map(float, operands)
        except BROKEN:
            return False
        self._xs += (x, x + width)
        self._ys += (y, y + height)
        self._drawn += "re"
        self._bars.append(min(abs(width), abs(height)))
        return True

    def finish(self) -> Outline | None:
        """Return the path and begin another; None where there is none."""
        xs, ys, bars = self._xs, self._ys, self._bars
        whole = self._drawn == "re" or (self._drawn in ("mlllh", "mllllh") and _is_upright(xs, ys))
        self._drawn = ""
        if not xs:
            return None
        box = Box(min(xs), min(ys), max(xs), max(ys))
        thin = min(bars) if bars and not self._curved else 0.0
        self._xs, self._ys, self._bars, self._curved = [], [], [], False
        return Outline(box, thin if thin < _THICKEST_BAR else 0.0, whole)


def _is_upright(xs: Sequence[float], ys: Sequence[float]) -> bool:
    """Say whether four corners, one after the other, are those of an upright rectangle."""
    if len(xs) == 5 and (xs[0], ys[0]) != (xs[4], ys[4]):
        return False
    x0, x1, x2, x3 = xs[:4]
    y0, y1, y2, y3 = ys[:4]
    level = y0 == y1 and x1 == x2 and y2 == y3 and x3 == x0
    return level or (x0 == x1 and y1 == y2 and x2 == x3 and y3 == y0)


class Shown(NamedTuple):
    """A string in the coordinates of its stream.

    size: of the type, in units of the stream
    glyphs: each distinct character code, and the matrix of its first place
    flaw: what is wrong with one of its characters
    """

    box: Box
    size: float
    glyphs: Sequence[tuple[int, Matrix]]
    flaw: Flaw = ""


class TextReader:
    """The place where the next text goes.

    The box of a string reaches from the font's descent to its ascent: it is rather too large than
    too small.
    """

    def __init__(self) -> None:
        self._line = IDENTITY
        self._across = 0.0  # how far from its beginning

    def begin(self) -> None:
        self.set_matrix(IDENTITY)

    def set_matrix(self, matrix: Matrix) -> None:
        self._line, self._across = matrix, 0.0

    def move(self, x: float, y: float) -> None:
        self.set_matrix(self._line.move(x, y))

    def next_line(self, state: State) -> None:
        self.move(0, -state.leading)

    def show(self, state: State, operand: Any) -> Shown | None:
        """Go past a string, or an array of strings and kerns; return what is painted."""
        font = state.font
        if font is None:
            return None
        before = self._across
        glyphs: Sequence[tuple[int, Matrix]] = ()
        flaw: Flaw = ""
        if font.procs:
            across, painted, glyphs = self._draw(state, font, _list_items(operand))
        elif type(operand) is Words:
            across, painted, flaw = _measure_words(state, font, operand)
        else:
            across, painted, flaw = _measure(state, font, _list_items(operand))
        self._across = before + across
        size = state.size
        if not painted or size == 0:
            return None
        low, high = state.rise + font.descent * size, state.rise + font.ascent * size
        if low > high:
            low, high = high, low
        left, right = (0.0, across) if across > 0 else (across, 0.0)
        a, b, c, d, e, f = self._line
        u, v, w, x, y, z = state.matrix
        if b or c or v or w or a * u < 0 or d * x < 0:
            whole = self._line.move(before, 0).then(state.matrix)
            box = whole.place(Box(left, low, right, high))
            return Shown(box, abs(size) * whole.scale_y, glyphs, flaw)
        # The same at once, for text that stands upright, as nearly all does.
        a, d, e, f = a * u, d * x, (before * a + e) * u + y, f * x + z
        box = make_tuple(Box, (a * left + e, d * low + f, a * right + e, d * high + f))
        return make_tuple(Shown, (box, abs(size) * d, glyphs, flaw))

    def _draw(
        self, state: State, font: Font, items: Sequence[Any]
    ) -> tuple[float, bool, Sequence[tuple[int, Matrix]]]:
        """Return how wide all is that is drawn, whether any is, and the place of each glyph."""
        across, painted = 0.0, False
        glyphs: dict[int, Matrix] = {}
        for item in items:
            if not isinstance(item, bytes):
                if is_number(item):
                    across -= float(item) / 1000 * state.size * state.stretch
                continue
            for code in font.list_codes(item):
                if code not in glyphs:
                    glyphs[code] = self._place(state, across)
                width = font.widths.get(code, font.default) * state.size + state.spacing
                if not font.wide and code == 32:
                    width += state.word_spacing
                else:
                    painted = True
                across += width * state.stretch
        return across, painted, list(glyphs.items())

    def _place(self, state: State, across: float) -> Matrix:
        size = Matrix(state.size * state.stretch, 0, 0, state.size, across, state.rise)
        return size.then(self._find_matrix()).then(state.matrix)

    def _find_matrix(self) -> Matrix:
        return self._line.move(self._across, 0) if self._across else self._line


def _list_items(operand: Any) -> Sequence[Any]:
    if isinstance(operand, Words):
        return operand.list_items()
    return operand if isinstance(operand, list) else [operand]


def _measure_words(state: State, font: Font, words: Words) -> tuple[float, bool, Flaw]:
    """Return the same as `_measure` of a text that is written as usual."""
    width, letters, blanks, flaw = font.measure_all(words.texts)
    wide = (width - words.kern / 1000) * state.size
    across = (wide + letters * state.spacing + blanks * state.word_spacing) * state.stretch
    return across, letters > blanks, flaw


def _measure(state: State, font: Font, items: Sequence[Any]) -> tuple[float, bool, Flaw]:
    """Return how wide a text is, whether it shows more than spaces, and what is wrong with it."""
    units = kerns = 0.0
    letters = blanks = 0
    flaw: Flaw = ""
    measure = font.measure
    for item in items:
        if type(item) is float:
            kerns += item
        elif isinstance(item, bytes):
            width, count, spaces, found = measure(item)
            units += width
            letters += count
            blanks += spaces
            flaw = flaw or found
        elif is_number(item):
            kerns += float(item)
    wide = (units - kerns / 1000) * state.size
    across = (wide + letters * state.spacing + blanks * state.word_spacing) * state.stretch
    return across, letters > blanks, flaw
