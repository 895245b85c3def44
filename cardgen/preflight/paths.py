"""The path that a content stream is building: the box around it, and whether it is a thin bar.

Knows nothing of colours or of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardgen.preflight.plane import Box
from cardgen.preflight.values import BROKEN

_POINTS = {"m": 2, "l": 2, "c": 6, "v": 4, "y": 4}


class PathReader:
    def __init__(self) -> None:
        self.clipping = False
        self._xs: list[float] = []
        self._ys: list[float] = []
        self._bars: list[float] = []
        self._curved = False

    def add(self, operator: str, operands: Sequence[Any]) -> bool:
        """Take an operator that builds a path; False for any other."""
        count = _POINTS.get(operator)
        if count is None:
            return operator == "h" or (operator == "re" and self._add_bar(operands))
        try:
            numbers = [float(value) for value in operands]
        except BROKEN:
            return False
        if len(numbers) != count:
            return False
        self._xs += numbers[0::2]
        self._ys += numbers[1::2]
        self._curved = True
        return True

    def _add_bar(self, operands: Sequence[Any]) -> bool:
        try:
            x, y, width, height = map(float, operands)
        except BROKEN:
            return False
        self._xs += (x, x + width)
        self._ys += (y, y + height)
        self._bars.append(min(abs(width), abs(height)))
        return True

    def finish(self) -> tuple[Box | None, float]:
        """The box of the path, and how thick it is where it is made of bars; else 0."""
        xs, ys, bars = self._xs, self._ys, self._bars
        if not xs:
            return None, 0.0
        box = Box(min(xs), min(ys), max(xs), max(ys))
        thin = min(bars) if bars and not self._curved else 0.0
        self._xs, self._ys, self._bars, self._curved = [], [], [], False
        return box, thin if thin < 2 else 0.0
