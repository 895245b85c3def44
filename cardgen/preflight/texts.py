"""Text operators turned into boxes: where a string stands and how large it is.

The boxes are those of the font's ascent and descent, so that they are rather too large than too
small. Knows nothing of what the text says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pikepdf import Array, String

from cardgen.preflight.plane import IDENTITY, Box, Matrix
from cardgen.preflight.state import State
from cardgen.preflight.values import is_number


class Shown(NamedTuple):
    """A string in the coordinates of its stream.

    size: of the type, in units of the stream
    glyphs: each distinct character code, and the matrix of its first place
    """

    box: Box
    size: float
    glyphs: Sequence[tuple[int, Matrix]]


class TextReader:
    """Where the next text goes."""

    def __init__(self) -> None:
        self._matrix = IDENTITY
        self._line = IDENTITY

    def begin(self) -> None:
        self._matrix = self._line = IDENTITY

    def set_matrix(self, matrix: Matrix) -> None:
        self._matrix = self._line = matrix

    def move(self, x: float, y: float) -> None:
        self._matrix = self._line = Matrix(1, 0, 0, 1, x, y).then(self._line)

    def next_line(self, state: State) -> None:
        self.move(0, -state.leading)

    def show(self, state: State, operand: Any) -> Shown | None:
        """Go past a string, or an array of strings and kerns; None where nothing is painted."""
        font = state.font
        if font is None:
            return None
        begin = self._matrix
        across, painted = 0.0, False
        glyphs: dict[int, Matrix] = {}
        for item in list(operand) if isinstance(operand, Array) else [operand]:
            if is_number(item):
                across -= float(item) / 1000 * state.size * state.stretch
                continue
            if not isinstance(item, String):
                continue
            for code in font.list_codes(bytes(item)):
                if font.kind == "Type3" and code not in glyphs:
                    glyphs[code] = self._place(state, across)
                width = font.widths.get(code, font.default) * state.size + state.spacing
                if code == 32 and not font.wide:
                    width += state.word_spacing
                else:
                    painted = True
                across += width * state.stretch
        self._matrix = Matrix(1, 0, 0, 1, across, 0).then(begin)
        if not painted or state.size == 0:
            return None
        whole = begin.then(state.matrix)
        low = state.rise + font.descent * state.size
        high = state.rise + font.ascent * state.size
        box = Box(min(0.0, across), min(low, high), max(0.0, across), max(low, high))
        return Shown(whole.place(box), abs(state.size) * whole.scale_y, list(glyphs.items()))

    def _place(self, state: State, across: float) -> Matrix:
        size = Matrix(state.size * state.stretch, 0, 0, state.size, across, state.rise)
        return size.then(self._matrix).then(state.matrix)
