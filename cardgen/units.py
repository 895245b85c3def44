"""Lengths as people write them ("63mm", "2.5in", "9pt", "50%") turned into points, once, at the
edge.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import copysign

POINTS = {"pt": 1.0, "mm": 72 / 25.4, "cm": 720 / 25.4, "in": 72.0}
MM = POINTS["mm"]

_LENGTH = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*([a-zA-Z%]*)\s*")


class UnitError(ValueError):
    """A length that cannot be read; whoever knows the place turns it into a CardgenError."""


@dataclass(frozen=True, slots=True)
class Length:
    """So many points, or a share of what the parent offers."""

    points: float = 0.0
    share: float = 0.0

    def of(self, available: float) -> float:
        return self.points + self.share * available


@lru_cache(maxsize=4096)
def parse_length(text: str) -> Length:
    """Read one length; only 0 may stand without a unit."""
    match = _LENGTH.fullmatch(text)
    if not match and _LENGTH.fullmatch(text.replace(",", ".")):
        raise UnitError(f'"{text}" is not a length; write {text.replace(",", ".").strip()}')
    if not match:
        raise UnitError(f'"{text}" is not a length; write a number and a unit, as in 3mm')
    number, unit = float(match[1]), match[2].lower()
    if unit == "%":
        return Length(share=number / 100)
    if unit in POINTS:
        return Length(points=number * POINTS[unit])
    if not unit and number == 0:
        return Length()
    if not unit:
        raise UnitError(f'"{text.strip()}" has no unit; write {text.strip()}mm or {text.strip()}pt')
    raise UnitError(
        f'unknown unit "{match[2]}" in "{text.strip()}"; known units: mm, cm, in, pt, %'
    )


def parse_points(text: str) -> float:
    """Read one absolute length in points."""
    length = parse_length(text)
    if length.share:
        raise UnitError(f'"{text.strip()}" must be a fixed length, not a percentage')
    return length.points


def format_mm(points: float) -> str:
    """Points as a person measures them: "63.5mm"; 1/8 inch, 3.175 mm, is rounded up as by hand."""
    return f"{points / MM + copysign(1e-9, points):.2f}".rstrip("0").rstrip(".") + "mm"


def format_pt(points: float) -> str:
    return f"{points:.2f}".rstrip("0").rstrip(".") + "pt"
