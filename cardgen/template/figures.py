"""The figures that shapes have: circles, polygons, stars, arcs; and what calls one in a text.

Knows nothing of elements, or of how a figure is traced.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from cardgen.core import units
from cardgen.core.errors import Refusal, shorten
from cardgen.core.geometry import Size
from cardgen.template.hints import refuse_unknown

MOST_CORNERS = 1_000
STAR_INNER = 0.4  # how deep a star is cut where nothing is said
RING_INNER = 0.6


class Round(NamedTuple):
    """A circle, or an ellipse that fills its box."""

    even: bool = True


class Rounded(NamedTuple):
    """A rectangle with round corners; `radius` in points."""

    radius: float = 0.0


class Regular(NamedTuple):
    """A polygon whose corners lie on a circle, or a star.

    inner: of a star, how far its inner corners lie from the middle, in radii
    angle: where its first corner is, in degrees clockwise from the top
    radius: of its rounded corners, in points
    """

    corners: int
    inner: float | None = None
    angle: float = 0.0
    radius: float = 0.0


class Corners(NamedTuple):
    """A polygon of given points, in millimetres or in units of a view that is fitted to its box."""

    points: tuple[tuple[float, float], ...]
    view: Size | None = None
    radius: float = 0.0


class Arc(NamedTuple):
    """A part of a circle, between two angles in degrees, clockwise from the top.

    kind: a line along it, its area up to the straight line between its ends, its area up to the
        middle, or up to an inner circle
    inner: of a ring: the radius of that circle, in radii
    """

    start: float
    end: float
    kind: Literal["line", "chord", "pie", "ring"] = "line"
    inner: float = RING_INNER


Figure = Round | Rounded | Regular | Corners | Arc

_CORNERS = {
    "triangle": 3,
    "diamond": 4,
    "pentagon": 5,
    "hexagon": 6,
    "heptagon": 7,
    "octagon": 8,
    "decagon": 10,
    "dodecagon": 12,
}
_FIGURES = ("circle", "ellipse", *_CORNERS, "polygon", "star", "rounded")
_EXAMPLE = "as in circle, hexagon, hexagon 30, polygon 7, star 5 0.4 or rounded 3mm"


def parse_figure(text: str) -> Figure:
    """Return the figure that a text calls: "circle", "hexagon 30", "star 5 0.4", "rounded 3mm"."""
    name, *rest = text.split() or [""]
    if name not in _FIGURES:
        message = f'unknown shape "{shorten(text)}"'
        raise refuse_unknown("template/not-a-choice", message, name, _FIGURES, "shape")
    if name in ("circle", "ellipse") and not rest:
        return Round(name == "circle")
    if name == "rounded" and len(rest) == 1:
        return Rounded(max(units.parse_points(rest[0]), 0.0))
    if name in _CORNERS:
        rest = [str(_CORNERS[name]), *rest]
    numbers = [_read_number(part) for part in rest]
    if (name == "polygon" or name in _CORNERS) and len(numbers) in (1, 2):
        return Regular(check_corners(numbers[0]), angle=numbers[1] if numbers[1:] else 0.0)
    if name == "star" and len(numbers) in (1, 2):
        return Regular(
            check_corners(numbers[0]),
            check_inner(numbers[1]) if numbers[1:] else STAR_INNER,
        )
    raise Refusal(
        "template/wrong-list", f'"{shorten(text)}" says too much or too little of a shape', _EXAMPLE
    )


def parse_points(text: str) -> tuple[tuple[float, float], ...]:
    """Return the points of a polygon, as SVG writes them: "0,0 10,0 5,8"."""
    parts = re.split(r"[\s,]+", text.strip())
    if len(parts) % 2 or not 6 <= len(parts) <= 2 * MOST_CORNERS:
        raise Refusal(
            "template/wrong-list",
            f'"{shorten(text)}" must be from 3 to {MOST_CORNERS:,} points',
            "each from the left and from the top, as in 0,0 10,0 5,8",
        )
    numbers = [_read_number(part) for part in parts]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def check_corners(number: float) -> int:
    if number != int(number) or not 3 <= number <= MOST_CORNERS:
        raise Refusal(
            "template/out-of-range",
            f'"{number:g}" is not a whole number from 3 to {MOST_CORNERS}',
            details={"least": 3, "most": MOST_CORNERS},
        )
    return int(number)


def check_inner(share: float) -> float:
    if not 0 <= share <= 1:
        raise Refusal("template/out-of-range", f'"{share:g}" is not a number from 0 to 1')
    return share


def _read_number(text: str) -> float:
    if not re.fullmatch(r"[-+]?(?:\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})", text):
        raise Refusal("template/not-a-number", f'"{shorten(text)}" is not a number', _EXAMPLE)
    return float(text)
