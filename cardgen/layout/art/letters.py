"""Words as outlines, where they are to be seen and not to be read.

Knows nothing of what the outlines are painted with.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from cardgen.layout.face import Segment
from cardgen.text.fonts import FontFile
from cardgen.text.glyphs import Stroke, trace_glyph
from cardgen.text.setting import Run

_MOST_GLYPHS = 4_000


def trace_run(run: Run) -> Iterator[Segment]:
    """Yield the letters of a run at their place."""
    font, units = run.font, run.font.file.units
    scale = run.size / units
    tracking = font.tracking * units
    space = (font.space + run.stretch / run.size) * units
    x = 0.0
    for number, word in enumerate(run.words):
        x += space if number else 0.0
        for glyph, advance, dx, dy, _ in word.list_glyphs():
            left, up = x + dx, dy
            for kind, points in _trace(font.file, glyph):
                placed = tuple(
                    run.y - (value + up) * scale if at % 2 else run.x + (value + left) * scale
                    for at, value in enumerate(points)
                )
                yield kind, placed
            x += advance + tracking


@lru_cache(maxsize=_MOST_GLYPHS)
def _trace(file: FontFile, glyph: int) -> tuple[Stroke, ...]:
    return trace_glyph(file, glyph)
