"""The graphics state of a content stream, and what of it a form within inherits.

Knows nothing of operators.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

from cardgen.preflight.colours import BLACK, Paint
from cardgen.preflight.fonts import Font
from cardgen.preflight.plane import IDENTITY, Box, Matrix
from cardgen.preflight.values import (
    get,
    get_name,
    get_number,
    identify,
    is_number,
    list_array,
    read_name,
)


@dataclass(slots=True)
class State:
    """clip: the box around what may be painted, in the stream's own coordinates
    fill_pattern, stroke_pattern: the tile or the gradient that takes the place of a colour
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
    font: Font | None = None
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    def fork(self) -> State:
        return copy(self)

    def enter(self) -> State:
        """The state at the begin of a form: all but where it is."""
        inner = copy(self)
        inner.matrix, inner.clip = IDENTITY, None
        return inner

    def identify(self) -> tuple[object, ...]:
        """Equal for states in which a form looks the same."""
        return (
            *(self.fill, self.stroke, self.width),
            *(identify(self.fill_pattern), identify(self.stroke_pattern)),
            *(self.fill_alpha, self.stroke_alpha, self.blend, self.masked),
            *(self.font, self.size, self.spacing, self.word_spacing, self.stretch),
            *(self.leading, self.rise, self.mode),
        )

    def narrow(self, box: Box) -> None:
        """Clip by a box of the stream's own coordinates."""
        if self.clip is None:
            self.clip = box
        else:
            # What is clipped away altogether leaves a box that meets nothing.
            self.clip = self.clip.meet(box) or NOWHERE

    def apply(self, settings: Any) -> None:
        """Take on what a dictionary of the extended graphics state says, but for its font."""
        self.width = get_number(settings, "/LW", self.width)
        self.fill_alpha = get_number(settings, "/ca", self.fill_alpha)
        self.stroke_alpha = get_number(settings, "/CA", self.stroke_alpha)
        blend = [read_name(value) for value in list_array(get(settings, "/BM"))]
        if blend:
            self.blend = "Normal" if blend[0] == "Compatible" else blend[0]
        if get(settings, "/SMask") is not None:
            self.masked = get_name(settings, "/SMask") != "None"

    def set_font(self, font: Font | None, size: Any) -> None:
        self.font = font
        self.size = float(size) if is_number(size) else 0.0


NOWHERE = Box(1e9, 1e9, 1e9, 1e9)
