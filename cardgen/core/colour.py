"""Colours in CMYK, RGB or grey, kept in the space they were given in."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from cardgen.core.errors import Refusal

Space = Literal["cmyk", "rgb", "grey"]


class Colour(NamedTuple):
    space: Space
    values: tuple[float, ...]

    def __str__(self) -> str:
        return f"{self.space}({' '.join(f'{v:g}' for v in self.values)})"


class Gradient(NamedTuple):
    """A linear gradient; 0 degrees runs left to right, 90 top to bottom. All stops share one
    space.
    """

    angle: float
    stops: tuple[tuple[float, Colour], ...]

    def __str__(self) -> str:
        stops = ", ".join(f"{colour} {at:g}" for at, colour in self.stops)
        return f"gradient({self.angle:g}: {stops})"


Paint = Colour | Gradient

BLACK = Colour("cmyk", (0.0, 0.0, 0.0, 1.0))
WHITE = Colour("cmyk", (0.0, 0.0, 0.0, 0.0))


def parse_cmyk(text: str) -> Colour:
    """Return the colour of four percentages: "0 20 100 5"."""
    parts = text.replace(",", " ").replace("%", " ").split()
    try:
        values = tuple(float(part) / 100 for part in parts)
    except ValueError:
        values = ()
    if len(values) != 4 or not all(0 <= v <= 1 for v in values):
        raise Refusal(
            "value/not-a-colour",
            f'"{text}" is not a CMYK colour; write four percentages, as in 0 20 100 5',
        )
    return Colour("cmyk", values)


def parse_rgb(text: str) -> Colour:
    """Return the colour of six hex digits: "#8a1c1c"."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", text.strip()):
        raise Refusal(
            "value/not-a-colour",
            f'"{text}" is not an RGB colour; write # and six hex digits, as in #8a1c1c',
        )
    digits = text.strip()[1:]
    return Colour("rgb", tuple(int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)))
