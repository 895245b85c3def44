"""Colours in CMYK, RGB or grey, kept in the space they were given in."""

from __future__ import annotations

import re
from functools import lru_cache
from math import cos, hypot, radians, sin, sqrt
from typing import Literal, NamedTuple

from cardgen.core.errors import Refusal
from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.core.units import Length

Space = Literal["cmyk", "rgb", "grey"]

_LEAST = 1e-3  # a radius, in points, that is no more than a dot
_INNERMOST = 0.99  # how far from the centre a focus may lie, in radii


class Colour(NamedTuple):
    space: Space
    values: tuple[float, ...]

    def __str__(self) -> str:
        return f"{self.space}({' '.join(f'{v:g}' for v in self.values)})"

    @property
    def written(self) -> str:
        """Return the colour as a template writes it."""
        if self.space == "rgb":
            return "#" + "".join(f"{round(value * 255):02x}" for value in self.values)
        inks = self.values if self.space == "cmyk" else (0.0, 0.0, 0.0, 1 - self.values[0])
        return f"cmyk({' '.join(f'{ink * 100:.4g}' for ink in inks)})"


Stops = tuple[tuple[float, Colour], ...]
Point = tuple[float, float]
Place = tuple[Length, Length]


class Across(NamedTuple):
    """A course through the box that is painted, from corner to corner; 0 degrees runs left to
    right, 90 top to bottom.
    """

    angle: float

    def __str__(self) -> str:
        return f"{self.angle:g}"


class Outwards(NamedTuple):
    """A course from a point of the box that is painted to an ellipse.

    All lengths are read in the box; shares are of its width and its height.

    radius: None: so far that it reaches the farthest corner
    focus: where it begins; None: in the centre
    """

    centre: Place = (Length(share=0.5), Length(share=0.5))
    radius: Place | None = None
    focus: Place | None = None

    def __str__(self) -> str:
        centre, radius, focus = (_format_place(place) for place in self)
        return f"radial at {centre} radius {radius} focus {focus}"


class Axis(NamedTuple):
    """A course from one point to another, at right angles to which colours do not change."""

    start: Point
    end: Point

    def __str__(self) -> str:
        return " ".join(f"{v:.2f}" for v in (*self.start, *self.end))


class Circles(NamedTuple):
    """A course from a circle around the focus, which may be no more than a point, to one around the
    centre.
    """

    centre: Point
    radius: float
    focus: Point
    inner: float = 0.0

    def __str__(self) -> str:
        return " ".join(f"{v:.2f}" for v in (*self.focus, self.inner, *self.centre, self.radius))


class Edge(NamedTuple):
    """A line around something, so broad outside of it."""

    colour: Colour
    width: float


class Gradient(NamedTuple):
    """Colours that run into each other along a course; beyond its ends they go on. All stops share
    one space.

    matrix: leads from the coordinates of an axis or of circles to those of what is painted
    """

    course: Across | Outwards | Axis | Circles
    stops: Stops
    matrix: Matrix = IDENTITY

    def fit(self, box: Rect) -> tuple[Axis | Circles, Matrix]:
        """Return its course in a box that it paints, and the matrix that leads there."""
        if isinstance(self.course, Across):
            return _cross(self.course, box), IDENTITY
        if isinstance(self.course, Outwards):
            return _spread(self.course, box)
        return self.course, self.matrix

    def __str__(self) -> str:
        stops = ", ".join(f"{colour} {at:g}" for at, colour in self.stops)
        return f"gradient({self.course}: {stops})"


def _cross(course: Across, box: Rect) -> Axis:
    angle = radians(course.angle)
    dx, dy = cos(angle), sin(angle)
    reach = (abs(box.width * dx) + abs(box.height * dy)) / 2
    x, y = box.x + box.width / 2, box.y + box.height / 2
    return Axis((x - dx * reach, y - dy * reach), (x + dx * reach, y + dy * reach))


def _spread(course: Outwards, box: Rect) -> tuple[Circles, Matrix]:
    """Return circles, and the matrix that makes ellipses of them."""
    x, y = _find_point(course.centre, box)
    if course.radius is None:
        # An ellipse of the shape of the box around it meets the corners.
        wide, high = (
            max(abs(at - start), abs(start + side - at)) * sqrt(2)
            for at, start, side in ((x, box.x, box.width), (y, box.y, box.height))
        )
    else:
        wide, high = course.radius[0].of(box.width), course.radius[1].of(box.height)
    wide, high = max(wide, _LEAST), max(high, _LEAST)
    from_x, from_y = _find_point(course.focus, box) if course.focus else (x, y)
    dx, dy = (from_x - x) / wide, (from_y - y) / high
    # A focus on the edge or beyond it would leave a part unpainted.
    share = min(1.0, _INNERMOST / max(hypot(dx, dy), _LEAST))
    if wide == high:
        focus = x + dx * share * wide, y + dy * share * high
        return Circles((x, y), wide, focus), IDENTITY
    unit = 100.0  # so that the three decimals of a PDF are enough
    circles = Circles((0.0, 0.0), unit, (dx * share * unit, dy * share * unit))
    return circles, Matrix(wide / unit, 0, 0, high / unit, x, y)


def _format_place(place: Place | None) -> str:
    if place is None:
        return "-"
    return " ".join(f"{one.points:g}pt" if one.points else f"{one.share:g}" for one in place)


def _find_point(place: Place, box: Rect) -> Point:
    return box.x + place[0].of(box.width), box.y + place[1].of(box.height)


Paint = Colour | Gradient

BLACK = Colour("cmyk", (0.0, 0.0, 0.0, 1.0))
WHITE = Colour("cmyk", (0.0, 0.0, 0.0, 0.0))


LIGHT = (0.2126, 0.7152, 0.0722)  # how light red, green and blue are to the eye
_DEEP = 0.11  # the luminance below which light words, also golden ones, are read on a ground
_PALER = 0.2
_STEPS = 24


def show_on_screen(colour: Colour) -> tuple[float, float, float]:
    """Return a colour as shares of red, green and blue, as a screen would show its inks."""
    if colour.space == "cmyk":
        *tints, black = colour.values
        red, green, blue = ((1 - tint) * (1 - black) for tint in tints)
        return red, green, blue
    red, green, blue = colour.values * (3 if colour.space == "grey" else 1)
    return red, green, blue


def measure_luminance(colour: Colour) -> float:
    """Return the relative luminance, as WCAG has it: from 0 for black to 1 for white."""
    linear = (
        shade / 12.92 if shade <= 0.04045 else ((shade + 0.055) / 1.055) ** 2.4
        for shade in show_on_screen(colour)
    )
    return sum(share * part for share, part in zip(LIGHT, linear, strict=True))


@lru_cache(maxsize=1_024)
def deepen(colour: Colour) -> Colour:
    """Return a colour, darkened as far as words in white or gold need to be read on it."""
    least, most = 0.0, 1.0
    if measure_luminance(colour) <= _DEEP:
        return colour
    for _ in range(_STEPS):
        share = (least + most) / 2
        is_dark = measure_luminance(_darken(colour, share)) <= _DEEP
        least, most = (least, share) if is_dark else (share, most)
    return _darken(colour, most)


def _darken(colour: Colour, share: float) -> Colour:
    if colour.space == "cmyk":
        *inks, black = colour.values
        return Colour("cmyk", (*inks, black + (1 - black) * share))
    return Colour(colour.space, tuple(value * (1 - share) for value in colour.values))


def lighten(colour: Colour) -> Colour:
    """Return a colour that is a fifth paler."""
    if colour.space == "cmyk":
        return Colour("cmyk", tuple(value * (1 - _PALER) for value in colour.values))
    return Colour(colour.space, tuple(value + (1 - value) * _PALER for value in colour.values))


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


def parse_hex(text: str) -> Colour:
    """Return the colour of three or six hex digits: "#8a1c1c", "#abc"."""
    digits = text.strip()[1:]
    if not re.fullmatch(r"#(?:[0-9a-fA-F]{3}){1,2}", text.strip()):
        clear = re.fullmatch(r"#(?:[0-9a-fA-F]{4}){1,2}", text.strip())
        raise Refusal(
            "value/not-a-colour",
            f'"{text}" is not an RGB colour; write #8a1c1c or 138 28 28',
            "how far it shines through is said by opacity" if clear else None,
        )
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return Colour("rgb", tuple(int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)))


def parse_rgb(text: str) -> Colour:
    """Return the colour of hex digits, or of three numbers: "138 28 28", "54% 11% 11%"."""
    if text.strip().startswith("#"):
        return parse_hex(text)
    parts = text.replace(",", " ").split()
    numbers = [_find_level(part) for part in parts]
    levels = [number for number in numbers if number is not None]
    if len(levels) != 3 or len(numbers) != 3:
        raise Refusal(
            "value/not-a-colour",
            f'"{text}" is not an RGB colour; write #8a1c1c or 138 28 28',
        )
    return Colour("rgb", tuple(levels))


def _find_level(text: str) -> float | None:
    """Return a number from 0 to 255, or a percentage, as a share."""
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]*)?)(%?)", text)
    level = float(match[1]) / (100 if match[2] else 255) if match else 2.0
    return level if level <= 1 else None
