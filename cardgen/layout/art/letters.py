"""Words as outlines, where they are to be seen and not to be read, and lines around words.

Knows nothing of what the outlines are painted with.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import cos, sin

from cardgen.core.colour import Edge
from cardgen.layout.extent import measure_segments
from cardgen.layout.face import Outline, Segment, Stroke
from cardgen.text import glyphs
from cardgen.text.fonts import FontFile
from cardgen.text.setting import Run

_MOST_GLYPHS = 4_000


def trace_run(run: Run) -> Iterator[Segment]:
    """Yield the letters of a run at their place."""
    font, units = run.font, run.font.file.units
    scale = run.size / units
    tracking = font.tracking * units
    space = (font.space + run.stretch / run.size) * units
    along, across = cos(run.angle) * scale, sin(run.angle) * scale
    x = 0.0
    for number, word in enumerate(run.words):
        x += space if number else 0.0
        for glyph, advance, dx, dy, _ in word.list_glyphs():
            left, up = x + dx, dy
            for kind, points in _trace(font.file, glyph):
                placed: list[float] = []
                for right, high in zip(points[::2], points[1::2], strict=True):
                    u, v = right + left, -(high + up)
                    placed += (run.x + u * along - v * across, run.y + u * across + v * along)
                yield kind, tuple(placed)
            x += advance + tracking


def draw_edge(run: Run, edge: Edge) -> Outline | None:
    """Return the line around words, which lies below them; None where nothing is seen of it."""
    segments = tuple(trace_run(run))
    bounds = measure_segments(segments)
    if bounds is None or not edge.width:
        return None
    # Half of a stroke lies within the letters, which are painted over it.
    stroke = Stroke(edge.colour, 2 * edge.width, join="round")
    return Outline(segments, None, stroke, False, bounds)


@lru_cache(maxsize=_MOST_GLYPHS)
def _trace(file: FontFile, glyph: int) -> tuple[glyphs.Stroke, ...]:
    return glyphs.trace_glyph(file, glyph)
