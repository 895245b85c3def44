"""The values of attributes: texts turned into lengths, paints, insets, styles.

Each parser takes the text and the template's palette. Knows nothing of elements or of where a text
stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cardgen.core import units
from cardgen.core.colour import Colour, Edge, Gradient, Paint
from cardgen.core.errors import Refusal, shorten
from cardgen.core.geometry import Insets, Radius, Size
from cardgen.template.figures import Figure, check_corners, parse_figure
from cardgen.template.figures import parse_points as parse_corner_points
from cardgen.template.hints import describe_word, refuse_unknown, suggest_flag
from cardgen.template.model import (
    Align,
    Glow,
    Hyphenate,
    IconStyle,
    MaskFile,
    MaskPath,
    Shadow,
    Style,
)
from cardgen.template.paints import find_gradient, read_colour
from cardgen.template.shadows import read_glow, read_shadow


@dataclass(frozen=True, slots=True)
class Palette:
    """The names that a template defines: colours, gradients, styles, and icons of texts.

    said: what each style says itself, and what those say that it extends
    """

    colours: dict[str, Colour] = field(default_factory=dict)
    gradients: dict[str, Gradient] = field(default_factory=dict)
    styles: dict[str, Style] = field(default_factory=dict)
    said: dict[str, dict[str, object]] = field(default_factory=dict)
    icons: dict[str, IconStyle] = field(default_factory=dict)


ValueParser = Callable[[str, Palette], Any]

WEIGHTS = {
    "thin": 100,
    "extralight": 200,
    "light": 300,
    "regular": 400,
    "medium": 500,
    "semibold": 600,
    "bold": 700,
    "extrabold": 800,
    "black": 900,
}

_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")
_LENGTH = re.compile(r"\d\s*(pt|px|mm|cm|in)$")
_AUTO = "auto "
_FILE = re.compile(r"\.[A-Za-z]{3,4}$")
_FROM_LINES = re.compile(r"\s*(\w+)\s+from\s+(\w+)\s+lines\s*")
_MOST_LINES = 1000
_LARGEST = 1e6
_LARGEST_ICON = 20
_SMALLEST_TEXT = 0.1  # points
_MOST_DEGREES = 720
_WHOLE_TURN = 360


# Numbers


def parse_number(text: str, _: Palette) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise Refusal("template/not-a-number", f'"{text}" is not a number', _suggest_number(text))
    if abs(number) > _LARGEST or 0 < abs(number) < 1 / _LARGEST:
        raise Refusal(
            "template/out-of-range",
            f'"{shorten(text)}" is too large or too small a number',
            f"write one from {1 / _LARGEST:f} to {_LARGEST:,.0f}",
        )
    return number


def _suggest_number(text: str) -> str:
    """Return the hint for a text that holds a number: 1,2 or 12pt."""
    found = _NUMBER.match(text.replace(",", "."))
    return f"write {found[0]}, without a unit" if found else "write a number, as in 1.2"


def parse_share(text: str, palette: Palette) -> float:
    """Parse a number that is not negative."""
    return _refuse_negative(text, parse_number(text, palette))


def _refuse_negative(text: str, number: float) -> float:
    if number < 0:
        raise Refusal("template/out-of-range", f'"{text}" is negative', "write 0 or more")
    return number


def parse_ems(text: str, palette: Palette) -> float:
    """Parse a length that is told by the size of the letters."""
    try:
        return parse_number(text, palette)
    except Refusal as error:
        if _LENGTH.search(text):
            error.hint = "it is counted in sizes of the letters: write 0.1 for a tenth of one"
        raise


def parse_ems_share(text: str, palette: Palette) -> float:
    """Parse such a length that is not negative."""
    return _refuse_negative(text, parse_ems(text, palette))


def parse_part(text: str, palette: Palette) -> float:
    """Parse a share of a whole: from 0 to 1."""
    try:
        number = parse_number(text.removesuffix("%"), palette)
    except Refusal as error:
        error.hint = "write a number from 0 to 1, as in 0.5"
        raise
    if text.endswith("%") or not 0 <= number <= 1:
        meant = text.endswith("%") or number >= 10
        raise Refusal(
            "template/out-of-range",
            f'"{shorten(text)}" is not a number from 0 to 1',
            f"write {number / 100:g}" if meant and 0 <= number <= 100 else None,
        )
    return number


def parse_whole(text: str, _: Palette) -> int:
    return _parse_whole(text, 1, 100)


def parse_count(text: str, _: Palette) -> int:
    return _parse_whole(text, 2, 1000)


def _parse_whole(text: str, least: int, most: int) -> int:
    number = units.find_whole(text)
    if number is None or not least <= number <= most:
        raise Refusal(
            "template/out-of-range",
            f'"{text}" is not a whole number from {least} to {most}',
            details={"least": least, "most": most},
        )
    return number


def parse_corners(text: str, palette: Palette) -> int:
    """Parse how many corners a polygon or a star has."""
    return check_corners(parse_number(text, palette))


def parse_points_of(text: str, _: Palette) -> tuple[tuple[float, float], ...]:
    return parse_corner_points(text)


def parse_angle(text: str, palette: Palette) -> float:
    """Parse degrees, or a share of a whole turn: "270", "75%"."""
    share = text.removesuffix("%")
    angle = parse_number(share, palette) * (1 if share == text else 3.6)
    if abs(angle) > _MOST_DEGREES:
        raise Refusal(
            "template/out-of-range",
            f'"{text}" is farther than around',
            f"write degrees from -{_MOST_DEGREES} to {_MOST_DEGREES}, or a percentage",
        )
    return angle


def parse_hole(text: str, palette: Palette) -> tuple[int, int]:
    parts = text.split()
    if len(parts) != 2:
        raise Refusal(
            "template/wrong-list",
            f'"{text}" must be two whole numbers',
            "its columns and rows: 6 10",
        )
    return parse_whole(parts[0], palette), parse_whole(parts[1], palette)


def parse_view(text: str, palette: Palette) -> Size:
    parts = [parse_share(part, palette) for part in text.split()]
    if len(parts) != 2 or not all(parts):
        raise Refusal(
            "template/wrong-list",
            f'"{text}" must be two numbers above 0',
            "width and height: 100 20",
        )
    return Size(parts[0], parts[1])


# Words


def parse_text(text: str, _: Palette) -> str:
    return text


def parse_mask(text: str, _: Palette) -> Figure | MaskPath | MaskFile:
    """Parse a shape, as "circle" or "path M0 0 …", or the file of a picture."""
    name, _sign, rest = text.strip().partition(" ")
    if name == "path":
        return MaskPath(rest)
    if _FILE.search(text):
        return MaskFile(text)
    return parse_figure(text)


def parse_flag(text: str, _: Palette) -> bool:
    flags = {"true": True, "false": False}
    if text not in flags:
        raise Refusal(
            "template/not-a-choice", f'"{text}" is neither true nor false', suggest_flag(text)
        )
    return flags[text]


def parse_hyphenate(text: str, palette: Palette) -> Hyphenate:
    return "needed" if text == "needed" else parse_flag(text, palette)


def parse_turn(text: str, palette: Palette) -> float:
    """Parse degrees clockwise, which come to less than a whole turn."""
    degrees = parse_number(text, palette)
    if not -_WHOLE_TURN <= degrees <= _WHOLE_TURN:
        raise Refusal(
            "template/out-of-range", f'"{text}" is no turn', "write degrees from -360 to 360"
        )
    return degrees % _WHOLE_TURN


def make_choice(*choices: str) -> ValueParser:
    """Make a parser of one of a few words."""

    def parse(text: str, _: Palette) -> str:
        if text not in choices:
            unknown = describe_word(text, choices)
            raise Refusal(
                "template/not-a-choice",
                f'"{text}" is not one of: {", ".join(choices)}',
                unknown.guess,
                unknown.details,
            )
        return text

    return parse


parse_align = make_choice("left", "centre", "right", "justify")
parse_cap = make_choice("butt", "round", "square")
parse_across = make_choice("start", "centre", "end", "stretch")
parse_justify = make_choice("start", "centre", "end", "between")


def parse_alignment(text: str, palette: Palette) -> Align | tuple[Align, int, Align]:
    """Parse how lines stand: "centre", or "centre, left from 4 lines" for long texts otherwise."""
    first, comma, rest = text.partition(",")
    align: Align = parse_align(first.strip(), palette)
    if not comma:
        return align
    found = _FROM_LINES.fullmatch(rest)
    lines = units.find_whole(found[2]) if found else None
    if found is None or lines is None or not 2 <= lines <= _MOST_LINES:
        raise Refusal(
            "template/wrong-list",
            f'"{shorten(text)}" does not say how long texts stand',
            'as in "centre, left from 4 lines"',
        )
    return align, lines, parse_align(found[1], palette)


def parse_aligns(text: str, palette: Palette) -> tuple[str, ...]:
    return tuple(parse_align(part, palette) for part in text.split())


# Lengths


def parse_length(text: str, _: Palette) -> units.Length:
    return units.parse_length(text)


def parse_edges(text: str, palette: Palette) -> tuple[units.Length, ...]:
    """Parse one, two or four lengths or shares, in the order of CSS: top, right, bottom, left."""
    parts = [parse_length(part, palette) for part in text.split()]
    if len(parts) not in (1, 2, 4):
        raise Refusal(
            "template/wrong-list",
            f'"{text}" must be one, two or four lengths',
            "top, right, bottom, left",
        )
    return tuple((parts * 4)[:4])


def parse_points(text: str, _: Palette) -> float:
    """Parse a fixed length that is not negative, in points."""
    points = units.parse_points(text)
    if points < 0:
        raise Refusal("template/out-of-range", f'"{text}" is negative', "write 0 or more")
    return points


def parse_breadth(text: str, palette: Palette) -> float:
    """Parse a length above 0, in points."""
    points = parse_points(text, palette)
    if points <= 0:
        raise Refusal(
            "template/out-of-range",
            f'"{text}" must be above 0',
            "write a length above 0, as in 5mm",
        )
    return points


def parse_size(text: str, palette: Palette) -> float:
    """Parse a size of text, in points."""
    points = parse_points(text, palette)
    if points < _SMALLEST_TEXT:
        raise Refusal(
            "template/out-of-range",
            f'"{text}" is no size to set text at',
            f"write a length of at least {_SMALLEST_TEXT}pt",
        )
    return points


def parse_icon_size(text: str, palette: Palette) -> float:
    """Parse the height of an icon in a text, in sizes of the type."""
    size = parse_number(text, palette)
    if not 0 < size <= _LARGEST_ICON:
        raise Refusal(
            "template/out-of-range",
            f'"{text}" is no size of an icon in a text',
            f"write a number above 0 and up to {_LARGEST_ICON}, as in 1.3",
        )
    return size


def parse_radius(text: str, palette: Palette) -> Radius:
    """Parse one radius, or two or four in the order of CSS: from the top left corner clockwise."""
    parts = [parse_points(part, palette) for part in text.split()]
    if len(set(parts)) == 1 and len(parts) in (1, 2, 4):
        return parts[0]
    if len(parts) == 2:
        return (parts[0], parts[1], parts[0], parts[1])
    if len(parts) == 4:
        return (parts[0], parts[1], parts[2], parts[3])
    raise Refusal(
        "template/wrong-list",
        f'"{text}" must be one, two or four radii',
        "top left, top right, bottom right, bottom left",
    )


def parse_insets(text: str, palette: Palette) -> Insets:
    """Parse one, two or four lengths, in the order of CSS: top, right, bottom, left."""
    parts = [parse_points(part, palette) for part in text.split()]
    if len(parts) == 1:
        return Insets.even(parts[0])
    if len(parts) == 2:
        return Insets(left=parts[1], top=parts[0], right=parts[1], bottom=parts[0])
    if len(parts) == 4:
        return Insets(left=parts[3], top=parts[0], right=parts[1], bottom=parts[2])
    raise Refusal(
        "template/wrong-list",
        f'"{text}" must be one, two or four lengths',
        "top, right, bottom, left",
    )


def parse_dash(text: str, palette: Palette) -> tuple[float, ...]:
    """Parse the lengths of strokes and gaps in turn."""
    dash = tuple(parse_points(part, palette) for part in text.split())
    if not any(dash):
        raise Refusal("template/wrong-list", f'"{text}" draws nothing', 'as in "2pt 1pt"')
    return dash


def parse_columns(text: str, palette: Palette) -> tuple[float | None, ...]:
    """Parse the widths of a table's columns: "auto", a length, or "grow" with a share, as in
    "auto grow 12mm grow:2".
    """
    columns: list[float | None] = []
    for part in text.split():
        name, _sign, share = part.partition(":")
        if part == "auto":
            columns.append(None)
        elif name == "grow":
            number = parse_number(share, palette) if share else 1.0
            if number <= 0:
                raise Refusal("template/out-of-range", f'"{part}" must grow by more than 0')
            columns.append(-number)
        elif (many := units.find_whole(part)) is not None and many:
            raise Refusal(
                "template/wrong-list",
                f'"{part}" is no width of a column',
                f'write one for each: "{_AUTO * min(many, 9)}'.rstrip() + '"',
            )
        else:
            try:
                columns.append(parse_points(part, palette))
            except Refusal as error:
                hint = error.hint or 'write a length, "auto" or "grow" for each column'
                raise Refusal(error.code, error.message, hint, error.details) from error
    if not columns:
        raise Refusal(
            "template/wrong-list", "a table needs at least one column", 'as in "auto grow"'
        )
    return tuple(columns)


# Colours


def parse_colour(text: str, palette: Palette) -> Colour:
    return read_colour(text, palette.colours, palette.gradients)


def parse_stroke(text: str, palette: Palette) -> Colour | None:
    return None if text == "none" else read_colour(text, palette.colours, palette.gradients, "none")


def parse_edge(text: str, palette: Palette) -> Edge | None:
    """Parse the line around letters: a colour, and how broad it is outside of them."""
    if text == "none":
        return None
    colour, _, width = text.strip().rpartition(" ")
    if not colour or colour[0] in "-+.0123456789":
        raise Refusal(
            "template/wrong-list", f'"{text}" must be a colour and a width', 'as in "white 1pt"'
        )
    return Edge(parse_colour(colour.strip(), palette), parse_points(width, palette))


def parse_paint(text: str, palette: Palette) -> Paint | None:
    if text == "none":
        return None
    if text in palette.gradients:
        return palette.gradients[text]
    written = find_gradient(text, palette.colours)
    return written or read_colour(text, palette.colours, (), *palette.gradients, "none")


def parse_shadow(text: str, palette: Palette) -> Shadow | None:
    return read_shadow(text, palette.colours)


def parse_glow(text: str, palette: Palette) -> Glow | None:
    return read_glow(text, palette.colours)


def parse_sections(text: str, palette: Palette) -> tuple[tuple[str, Colour], ...]:
    """Parse names of sections, which are those of their colours too."""
    if not text.split():
        raise Refusal(
            "template/wrong-list",
            "sections without a name",
            'write names of colours, as in "red blue"',
        )
    return tuple((name, parse_colour(name, palette)) for name in text.split())


# Text


def parse_style(text: str, palette: Palette) -> Style:
    if text not in palette.styles:
        message = f'unknown style "{text}"'
        raise refuse_unknown("template/unknown-style", message, text, palette.styles, "style")
    return palette.styles[text]


def parse_weight(text: str, _: Palette) -> int:
    if text in WEIGHTS:
        return WEIGHTS[text]
    number = units.find_whole(text)
    if number is not None and 1 <= number <= 1000:
        return number
    raise refuse_unknown(
        "template/unknown-weight", f'unknown weight "{text}"', text, WEIGHTS, "weight"
    )


def parse_fonts(text: str, _: Palette) -> tuple[str, ...]:
    names = tuple(" ".join(part.split()) for part in text.split(","))
    if not all(names):
        raise Refusal(
            "template/wrong-list", f'"{text}" names no font', "write families parted by commas"
        )
    return names


def parse_features(text: str, _: Palette) -> tuple[tuple[str, int], ...]:
    """Parse OpenType features: "smcp, onum, -liga, ss01=2"."""
    features = []
    for part in text.replace(",", " ").split():
        name, _sign, number = part.lstrip("-").partition("=")
        if len(name) != 4 or not name.isascii() or (number and units.find_whole(number) is None):
            raise Refusal(
                "template/not-a-feature",
                f'"{part}" is no OpenType feature',
                "write four letters, as in smcp",
            )
        features.append((name, 0 if part.startswith("-") else int(number or 1)))
    return tuple(features)
