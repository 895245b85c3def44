"""Words drawn as shapes, where no font is to be embedded.

Each glyph is one form in font units, and is placed wherever the font would show it. Knows nothing
of pages.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, cos, floor, sin

from cardgen.core.geometry import Rect
from cardgen.output.notation import format_figures, format_number
from cardgen.text.fonts import FontFile
from cardgen.text.glyphs import trace_glyph
from cardgen.text.setting import Run

_OPERATORS = {"M": b"m", "L": b"l", "C": b"c", "Z": b"h"}

AddForm = Callable[[bytes, Rect], bytes]


class GlyphTracer:
    """Formats words as shapes; `add_form` keeps a shape and returns its name."""

    def __init__(self, add_form: AddForm) -> None:
        self._add_form = add_form
        self._names: dict[tuple[FontFile, int], bytes] = {}

    def format(self, run: Run, height: float) -> bytes:
        """Return a run in the colour that is set; its baseline counts from the bottom then."""
        font, units = run.font, run.font.file.units
        scale = run.size / units
        tracking = font.tracking * units
        space = (font.space + run.stretch / run.size) * units
        along, across = cos(run.angle) * scale, sin(run.angle) * scale
        place = format_number(run.x), format_number(height - run.y)
        turn = format_figures(9, along, -across or 0.0, across, along)
        parts = [b"q %b %b %b cm" % (turn, *place)]
        x = at_x = at_y = 0.0
        for number, word in enumerate(run.words):
            x += space if number else 0.0
            for glyph, advance, dx, dy, _ in word.list_glyphs():
                name = self._name(font.file, glyph)
                if name:
                    step = format_figures(6, x + dx - at_x, dy - at_y)
                    parts.append(b"1 0 0 1 %b cm/%b Do" % (step, name))
                    at_x, at_y = x + dx, float(dy)
                x += advance + tracking
        parts.append(b"Q")
        return b"\n".join(parts)

    def _name(self, file: FontFile, glyph: int) -> bytes:
        """Return the name of a glyph's form; empty for one that shows nothing."""
        key = (file, glyph)
        if key not in self._names:
            self._names[key] = self._trace(file, glyph)
        return self._names[key]

    def _trace(self, file: FontFile, glyph: int) -> bytes:
        pen = trace_glyph(file, glyph)
        if not pen:
            return b""
        lines = [b"%b %b" % (format_figures(6, *ns), _OPERATORS[op]) for op, ns in pen]
        xs = [n for _, ns in pen for n in ns[::2]]
        ys = [n for _, ns in pen for n in ns[1::2]]
        left, bottom = floor(min(xs)) - 1, floor(min(ys)) - 1
        box = Rect(left, bottom, ceil(max(xs)) + 1 - left, ceil(max(ys)) + 1 - bottom)
        return self._add_form(b"\n".join([*lines, b"f"]), box)
