"""The outlines of glyphs, in the units of their font, y upwards.

Knows nothing of texts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import uharfbuzz as hb

from cardgen.text.fonts import FontFile

Stroke = tuple[Literal["M", "L", "C", "Z"], tuple[float, ...]]


def trace_glyph(file: FontFile, glyph: int) -> tuple[Stroke, ...]:
    """Return the outline of a glyph; all curves are cubic ones."""
    found: list[Stroke] = []
    file.font.draw_glyph(glyph, _make_pen(), found)
    return tuple(found)


@cache
def _make_pen() -> hb.DrawFuncs:
    def keep(kind: str) -> Callable[..., None]:
        def note(*values: Any) -> None:
            *points, pen = values
            pen.append((kind, tuple(points)))

        return note

    pen = hb.DrawFuncs()
    pen.set_move_to_func(keep("M"))
    pen.set_line_to_func(keep("L"))
    pen.set_cubic_to_func(keep("C"))
    pen.set_close_path_func(keep("Z"))
    return pen
