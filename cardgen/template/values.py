"""Attribute texts turned into values: lengths, paints, insets, styles.

Each reader takes the text and the template's palette. Knows nothing of elements or of where a text
stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cardgen.core.colour import BLACK, WHITE, Colour, Gradient, Paint
from cardgen.core.errors import Refusal, suggest
from cardgen.core.geometry import Insets, Size, Turn
from cardgen.core.units import Length, parse_length, parse_points
from cardgen.template.hints import suggest_flag, suggest_word
from cardgen.template.model import Style


@dataclass(frozen=True, slots=True)
class Palette:
    """The names a template defines: colours, gradients and styles."""

    colours: dict[str, Colour] = field(default_factory=dict)
    gradients: dict[str, Gradient] = field(default_factory=dict)
    styles: dict[str, Style] = field(default_factory=dict)


DEFAULT_SMALLEST = 6.0  # points, where a text is fitted and no `min` given
BUILT_IN_COLOURS = {"black": BLACK, "white": WHITE}

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
_HEX = re.compile("#[0-9a-fA-F]{6}")
_AUTO = "auto "

Reader = Callable[[str, Palette], Any]


def read_length(text: str, _: Palette) -> Length:
    return parse_length(text)


def read_points(text: str, _: Palette) -> float:
    points = parse_points(text)
    if points < 0:
        raise Refusal("template/todo", f'"{text}" is negative', "write 0 or more")
    return points


def read_size(text: str, palette: Palette) -> float:
    points = read_points(text, palette)
    if points <= 0:
        raise Refusal(
            "template/todo", f'"{text}" is no size to set text at', "write a length above 0"
        )
    return points


def read_number(text: str, _: Palette) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise Refusal("template/todo", f'"{text}" is not a number', _find_number(text))
    return number


def _find_number(text: str) -> str:
    """The hint for a text with a number in it: 1,2 or 12pt."""
    found = _NUMBER.match(text.replace(",", "."))
    return f"write {found[0]}, without a unit" if found else "write a number, as in 1.2"


def read_share(text: str, palette: Palette) -> float:
    number = read_number(text, palette)
    if number < 0:
        raise Refusal("template/todo", f'"{text}" is negative', "write 0 or more")
    return number


def read_whole(text: str, _: Palette) -> int:
    if not text.strip().isdigit() or not 1 <= int(text) <= 100:
        raise Refusal("template/todo", f'"{text}" is not a whole number from 1 to 100')
    return int(text)


def read_count(text: str, _: Palette) -> int:
    if not text.strip().isdigit() or not 2 <= int(text) <= 1000:
        raise Refusal("template/todo", f'"{text}" is not a whole number from 2 to 1000')
    return int(text)


def read_part(text: str, palette: Palette) -> float:
    """A share of a whole: from 0 to 1."""
    number = read_number(text, palette)
    if not 0 <= number <= 1:
        raise Refusal("template/todo", f'"{text}" is not a number from 0 to 1')
    return number


def read_hole(text: str, palette: Palette) -> tuple[int, int]:
    parts = text.split()
    if len(parts) != 2:
        raise Refusal(
            "template/todo", f'"{text}" must be two whole numbers', "its columns and rows: 6 10"
        )
    return read_whole(parts[0], palette), read_whole(parts[1], palette)


def read_view(text: str, palette: Palette) -> Size:
    parts = [read_share(part, palette) for part in text.split()]
    if len(parts) != 2 or not all(parts):
        raise Refusal(
            "template/todo", f'"{text}" must be two numbers above 0', "width and height: 100 20"
        )
    return Size(parts[0], parts[1])


def read_turn(text: str, _: Palette) -> Turn:
    turns: dict[str, Turn] = {"0": 0, "90": 90, "180": 180, "270": 270}
    if text not in turns:
        raise Refusal(
            "template/todo", f'"{text}" is no turn', "write 90, 180 or 270: degrees, clockwise"
        )
    return turns[text]


def read_flag(text: str, _: Palette) -> bool:
    flags = {"true": True, "false": False}
    if text not in flags:
        raise Refusal("template/todo", f'"{text}" is neither true nor false', suggest_flag(text))
    return flags[text]


def read_text(text: str, _: Palette) -> str:
    return text


def read_insets(text: str, palette: Palette) -> Insets:
    """One, two or four lengths, in the order of CSS: top, right, bottom, left."""
    parts = [read_points(part, palette) for part in text.split()]
    if len(parts) == 1:
        return Insets.even(parts[0])
    if len(parts) == 2:
        return Insets(left=parts[1], top=parts[0], right=parts[1], bottom=parts[0])
    if len(parts) == 4:
        return Insets(left=parts[3], top=parts[0], right=parts[1], bottom=parts[2])
    raise Refusal(
        "template/todo", f'"{text}" must be one, two or four lengths', "top, right, bottom, left"
    )


def read_dash(text: str, palette: Palette) -> tuple[float, ...]:
    """Lengths of strokes and gaps in turn."""
    dash = tuple(read_points(part, palette) for part in text.split())
    if not any(dash):
        raise Refusal("template/todo", f'"{text}" draws nothing', 'as in "2pt 1pt"')
    return dash


def read_colour(text: str, palette: Palette) -> Colour:
    return _find_colour(text, palette)


def read_paint(text: str, palette: Palette) -> Paint | None:
    if text == "none":
        return None
    if text in palette.gradients:
        return palette.gradients[text]
    return _find_colour(text, palette, *palette.gradients, "none")


def _find_colour(text: str, palette: Palette, *others: str) -> Colour:
    """A colour by its name; `others` are the names that would do as well."""
    known = {**BUILT_IN_COLOURS, **palette.colours}
    if text not in known:
        hint = suggest(text, (*known, *others), kind="colour")
        if not hint.startswith("did you mean"):
            hint = f"{hint}; or define it: {_define(text)}"
        raise Refusal("template/todo", f'unknown colour "{text}"', hint)
    return known[text]


def _define(text: str) -> str:
    """The definition of a colour that is written out, or of one of that name."""
    if _HEX.fullmatch(text):
        return f'<colour name="…" rgb="{text}"/>'
    name = text if text.isidentifier() else "…"
    return f'<colour name="{name}" cmyk="0 20 100 5"/>'


def read_sections(text: str, palette: Palette) -> tuple[tuple[str, Colour], ...]:
    """Names of colours, which are those of sections too."""
    if not text.split():
        raise Refusal(
            "template/todo", "sections without a name", 'write names of colours, as in "red blue"'
        )
    return tuple((name, _find_colour(name, palette)) for name in text.split())


def read_stroke(text: str, palette: Palette) -> Colour | None:
    return None if text == "none" else read_colour(text, palette)


def read_style(text: str, palette: Palette) -> Style:
    if text not in palette.styles:
        raise Refusal(
            "template/todo", f'unknown style "{text}"', suggest(text, palette.styles, kind="style")
        )
    return palette.styles[text]


def read_weight(text: str, _: Palette) -> int:
    if text in WEIGHTS:
        return WEIGHTS[text]
    if text.isdigit() and 1 <= int(text) <= 1000:
        return int(text)
    raise Refusal(
        "template/todo", f'unknown weight "{text}"', suggest(text, WEIGHTS, kind="weight")
    )


def read_fonts(text: str, _: Palette) -> tuple[str, ...]:
    names = tuple(" ".join(part.split()) for part in text.split(","))
    if not all(names):
        raise Refusal("template/todo", f'"{text}" names no font', "write families parted by commas")
    return names


def read_features(text: str, _: Palette) -> tuple[tuple[str, int], ...]:
    """OpenType features: "smcp, onum, -liga, ss01=2"."""
    features = []
    for part in text.replace(",", " ").split():
        name, _sign, number = part.lstrip("-").partition("=")
        if len(name) != 4 or not name.isascii() or (number and not number.isdigit()):
            raise Refusal(
                "template/todo",
                f'"{part}" is no OpenType feature',
                "write four letters, as in smcp",
            )
        features.append((name, 0 if part.startswith("-") else int(number or 1)))
    return tuple(features)


def read_choice(*choices: str) -> Reader:
    """A reader of one of a few words."""

    def read(text: str, _: Palette) -> str:
        if text not in choices:
            raise Refusal(
                "template/todo",
                f'"{text}" is not one of: {", ".join(choices)}',
                suggest_word(text, choices),
            )
        return text

    return read


def read_columns(text: str, palette: Palette) -> tuple[float | None, ...]:
    """Column widths of a table: "auto", a length, or "grow" with a share: "auto grow 12mm
    grow:2".
    """
    columns: list[float | None] = []
    for part in text.split():
        name, _sign, share = part.partition(":")
        if part == "auto":
            columns.append(None)
        elif name == "grow":
            number = read_number(share, palette) if share else 1.0
            if number <= 0:
                raise Refusal("template/todo", f'"{part}" must grow by more than 0')
            columns.append(-number)
        elif part.isdigit() and part != "0":
            raise Refusal(
                "template/todo",
                f'"{part}" is no width of a column',
                f'write one for each: "{_AUTO * min(int(part), 9)}'.rstrip() + '"',
            )
        else:
            columns.append(read_points(part, palette))
    if not columns:
        raise Refusal("template/todo", "a table needs at least one column", 'as in "auto grow"')
    return tuple(columns)


def read_aligns(text: str, palette: Palette) -> tuple[str, ...]:
    return tuple(read_align(part, palette) for part in text.split())


read_align = read_choice("left", "centre", "right", "justify")
read_across = read_choice("start", "centre", "end", "stretch")
