"""Lengths and sizes as people write them, turned into points: "63mm", "50%", "a4 landscape".

A value that cannot be read is a Refusal, for the caller knows its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from math import copysign
from types import MappingProxyType
from typing import NamedTuple

from cardgen.core.errors import Refusal, shorten
from cardgen.core.geometry import Size
from cardgen.core.names import describe_unknown

POINTS = {"pt": 1.0, "mm": 72 / 25.4, "cm": 720 / 25.4, "in": 72.0}
MM = POINTS["mm"]

# A number without a sign, read in one way alone: one of thousands of digits is tried but once.
FIGURES = r"(?:\d+(?:\.\d*)?|\.\d+)"
_LENGTH = re.compile(rf"([+-]?{FIGURES})\s*([a-zA-Z%]*)")


class Length(NamedTuple):
    """A number of points, or a share of the room that there is."""

    points: float = 0.0
    share: float = 0.0

    def of(self, available: float) -> float:
        """Return the length in points where so much room is available."""
        return self.points + self.share * available


_LARGEST = 1e6  # the number of a length, whatever its unit


@lru_cache(maxsize=4096)
def parse_length(text: str) -> Length:
    """Return one length; only 0 may stand without a unit."""
    match = _LENGTH.fullmatch(text.strip())
    plain = text.strip().replace(",", ".")
    if not match and _LENGTH.fullmatch(plain):
        raise Refusal(
            "value/not-a-length",
            f'"{shorten(text)}" is not a length; write {shorten(plain)}',
        )
    if not match:
        raise Refusal(
            "value/not-a-length",
            f'"{shorten(text)}" is not a length; write a number and a unit, as in 3mm',
        )
    number, unit = float(match[1]), match[2].lower()
    if abs(number) > _LARGEST:
        raise Refusal(
            "value/not-a-length",
            f'"{shorten(text)}" is longer than anything here; write at most {_LARGEST:g}',
        )
    if unit == "%":
        return Length(share=number / 100)
    if unit in POINTS:
        return Length(points=number * POINTS[unit])
    if not unit and number == 0:
        return Length()
    if not unit:
        raise Refusal(
            "value/no-unit",
            f'"{text.strip()}" has no unit; write {text.strip()}mm or {text.strip()}pt',
        )
    raise Refusal(
        "value/unknown-unit",
        f'unknown unit "{match[2]}" in "{text.strip()}"; known units: mm, cm, in, pt, %',
        _turn_pixels(number) if unit == "px" else None,
        details=describe_unknown(match[2], (*POINTS, "%")).details,
    )


def _turn_pixels(number: float) -> str:
    """Return how long so many pixels are where most programs for cards have them."""
    return f"where 300 pixels are an inch, {number:g} are {number * 25.4 / 300:.2f}mm"


def find_whole(text: str) -> int | None:
    """Return a whole number that is written in the digits 0 to 9, and not in too many of them."""
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdecimal() and len(plain) < 10 else None


def parse_points(text: str) -> float:
    """Return one length that is no share, in points."""
    length = parse_length(text)
    if length.share:
        raise Refusal(
            "value/percentage", f'"{text.strip()}" must be a fixed length, not a percentage'
        )
    return length.points


def format_mm(points: float) -> str:
    """Return points in millimetres: "63.5mm". A half is rounded up: 1/8 inch is "3.18mm"."""
    return f"{points / MM + copysign(1e-9, points):.2f}".rstrip("0").rstrip(".") + "mm"


def format_pt(points: float) -> str:
    """Return points with their unit: "9.5pt"."""
    return f"{points:.2f}".rstrip("0").rstrip(".") + "pt"


SHORTEST_SIDE = 1 * MM
# A PDF page is at most 14,400 units wide and high.
LONGEST_SIDE = 14_400.0

_SPELLED_OUT = re.compile(r"([+-]?[\d.].*?)\s*[x×]\s*(.+)")
_PLAIN_SIDE = re.compile(r"(\d+(?:\.\d*)?)\s*(mm|cm|in|pt|)")
_EXAMPLE = "write width x height, as in 63mm x 88mm"


def _list_sizes(**sides: tuple[float, float]) -> Mapping[str, Size]:
    return MappingProxyType(
        {
            name.replace("_", "-"): Size(width * MM, height * MM)
            for name, (width, height) in sides.items()
        }
    )


CARD_SIZES = _list_sizes(
    poker=(63.5, 88.9),
    standard=(63, 88),
    bridge=(57.15, 88.9),
    tarot=(70, 120),
    tarot_us=(69.85, 120.65),
    mini=(44.45, 63.5),
    mini_euro=(44, 68),
    mini_us=(41, 63),
    us=(56, 87),
    japanese=(59, 86),
    square=(70, 70),
    square_us=(88.9, 88.9),
    jumbo=(88.9, 139.7),
)
PAPER_SIZES = _list_sizes(
    a3=(297, 420),
    a4=(210, 297),
    a5=(148, 210),
    a6=(105, 148),
    letter=(215.9, 279.4),
    legal=(215.9, 355.6),
    tabloid=(279.4, 431.8),
)


@lru_cache(maxsize=256)
def parse_size(text: str) -> Size:
    """Return a size: a name, a name and "landscape", or width and height as "63mm x 88mm"."""
    wanted = " ".join(text.lower().split())
    sides = _SPELLED_OUT.fullmatch(wanted)
    if sides:
        _check_units(sides[1], sides[2], text)
        return _check_sides(_parse_side(sides[1]), _parse_side(sides[2]), text)
    name = wanted.removesuffix("landscape")
    is_lying = name != wanted and name.endswith((" ", "-"))
    size = _get_named(name.rstrip(" -") if is_lying else wanted)
    return Size(max(size), min(size)) if is_lying else size


def _get_named(name: str) -> Size:
    size = CARD_SIZES.get(name) or PAPER_SIZES.get(name)
    if size:
        return size
    if not name or not name[0].isalpha():
        raise Refusal("value/not-a-size", f'"{shorten(name)}" is not a size; {_EXAMPLE}')
    unknown = describe_unknown(name, [*CARD_SIZES, *PAPER_SIZES], "size")
    cure = unknown.guess or f"{unknown.hint}; or {_EXAMPLE}"
    message = f'unknown size "{shorten(name)}"; {cure}'
    raise Refusal("value/unknown-size", message, details=unknown.details)


def _check_units(width: str, height: str, text: str) -> None:
    """Refuse "63x88": both sides need a unit."""
    one, other = _PLAIN_SIDE.fullmatch(width), _PLAIN_SIDE.fullmatch(height)
    if one and other and not (one[2] and other[2]) and float(one[1]) and float(other[1]):
        unit = one[2] or other[2] or "mm"
        raise Refusal(
            "value/no-unit",
            f'"{shorten(text)}" lacks a unit; write {one[1]}{unit} x {other[1]}{unit}',
        )


def _parse_side(text: str) -> float:
    try:
        return parse_points(text)
    except Refusal as error:
        raise Refusal(error.code, f"{error}; {_EXAMPLE}", details=error.details) from None


def _check_sides(width: float, height: float, text: str) -> Size:
    for side in (width, height):
        if not SHORTEST_SIDE - 1e-6 <= side <= LONGEST_SIDE + 1e-6:
            raise Refusal(
                "value/out-of-range",
                f'"{shorten(text)}" is not a size that can be printed; '
                f"a side is {format_mm(SHORTEST_SIDE)} to {format_mm(LONGEST_SIDE)} long",
                details={"mm": side / MM},
            )
    return Size(width, height)


def name_size(size: Size) -> str:
    """Return the name of a size where it has one, else its width and height."""
    for name, known in {**PAPER_SIZES, **CARD_SIZES}.items():
        if _is_same(size, known):
            return name
        if _is_same(size, Size(max(known), min(known))):
            return f"{name} landscape"
    return format_size(size)


def format_size(size: Size) -> str:
    """Return width and height: "63mm x 88mm"."""
    return f"{format_mm(size.width)} x {format_mm(size.height)}"


def _is_same(one: Size, other: Size) -> bool:
    return abs(one.width - other.width) < 0.01 and abs(one.height - other.height) < 0.01
