"""Lengths as people write them ("63mm", "2.5in", "9pt", "50%") turned into points, once, at the
edge.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import copysign
from types import MappingProxyType

from cardgen.core.errors import Refusal, shorten, suggest
from cardgen.core.geometry import Size

POINTS = {"pt": 1.0, "mm": 72 / 25.4, "cm": 720 / 25.4, "in": 72.0}
MM = POINTS["mm"]

_LENGTH = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*([a-zA-Z%]*)\s*")


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
        raise Refusal(
            "core/todo", f'"{text}" is not a length; write {text.replace(",", ".").strip()}'
        )
    if not match:
        raise Refusal(
            "core/todo", f'"{text}" is not a length; write a number and a unit, as in 3mm'
        )
    number, unit = float(match[1]), match[2].lower()
    if unit == "%":
        return Length(share=number / 100)
    if unit in POINTS:
        return Length(points=number * POINTS[unit])
    if not unit and number == 0:
        return Length()
    if not unit:
        raise Refusal(
            "core/todo", f'"{text.strip()}" has no unit; write {text.strip()}mm or {text.strip()}pt'
        )
    raise Refusal(
        "core/todo",
        f'unknown unit "{match[2]}" in "{text.strip()}"; known units: mm, cm, in, pt, %',
    )


def parse_points(text: str) -> float:
    """Read one absolute length in points."""
    length = parse_length(text)
    if length.share:
        raise Refusal("core/todo", f'"{text.strip()}" must be a fixed length, not a percentage')
    return length.points


def format_mm(points: float) -> str:
    """Points as a person measures them: "63.5mm"; 1/8 inch, 3.175 mm, is rounded up as by hand."""
    return f"{points / MM + copysign(1e-9, points):.2f}".rstrip("0").rstrip(".") + "mm"


def format_pt(points: float) -> str:
    return f"{points:.2f}".rstrip("0").rstrip(".") + "pt"


SHORTEST_SIDE = 1 * MM
# A PDF page is at most 14,400 units wide and high.
LONGEST_SIDE = 14_400.0

_SPELLED_OUT = re.compile(r"([+-]?[\d.].*?)\s*[x×]\s*(.+)")
_PLAIN_SIDE = re.compile(r"(\d+\.?\d*)\s*(mm|cm|in|pt|)")
_LANDSCAPE = re.compile(r"(.+?)[\s-]+landscape")
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
    """Read a size: a name, a name and "landscape", or the width and height spelled out."""
    wanted = " ".join(text.lower().split())
    sides = _SPELLED_OUT.fullmatch(wanted)
    if sides:
        _check_units(sides[1], sides[2], text)
        return _check_sides(_parse_side(sides[1]), _parse_side(sides[2]), text)
    lying = _LANDSCAPE.fullmatch(wanted)
    size = _find_named(lying[1] if lying else wanted)
    return Size(max(size), min(size)) if lying else size


def _find_named(name: str) -> Size:
    size = CARD_SIZES.get(name) or PAPER_SIZES.get(name)
    if size:
        return size
    if not name or not name[0].isalpha():
        raise Refusal("core/todo", f'"{shorten(name)}" is not a size; {_EXAMPLE}')
    hint = suggest(name, [*CARD_SIZES, *PAPER_SIZES], kind="size")
    known = hint if hint.startswith("did you mean") else f"{hint}; or {_EXAMPLE}"
    raise Refusal("core/todo", f'unknown size "{shorten(name)}"; {known}')


def _check_units(width: str, height: str, text: str) -> None:
    """Both sides have a unit of their own; who writes 63x88 is told how."""
    one, other = _PLAIN_SIDE.fullmatch(width), _PLAIN_SIDE.fullmatch(height)
    if one and other and not (one[2] and other[2]) and float(one[1]) and float(other[1]):
        unit = one[2] or other[2] or "mm"
        raise Refusal(
            "core/todo", f'"{shorten(text)}" lacks a unit; write {one[1]}{unit} x {other[1]}{unit}'
        )


def _parse_side(text: str) -> float:
    try:
        return parse_points(text)
    except Refusal as error:
        raise Refusal("core/todo", f"{error}; {_EXAMPLE}") from None


def _check_sides(width: float, height: float, text: str) -> Size:
    for side in (width, height):
        if not SHORTEST_SIDE - 1e-6 <= side <= LONGEST_SIDE + 1e-6:
            raise Refusal(
                "core/todo",
                f'"{shorten(text)}" is not a size that can be printed; '
                f"a side is {format_mm(SHORTEST_SIDE)} to {format_mm(LONGEST_SIDE)} long",
            )
    return Size(width, height)


def name_size(size: Size) -> str:
    """A size by its name where it has one, else spelled out."""
    for name, known in {**PAPER_SIZES, **CARD_SIZES}.items():
        if _is_same(size, known):
            return name
        if _is_same(size, Size(max(known), min(known))):
            return f"{name} landscape"
    return format_size(size)


def format_size(size: Size) -> str:
    return f"{format_mm(size.width)} x {format_mm(size.height)}"


def _is_same(one: Size, other: Size) -> bool:
    return abs(one.width - other.width) < 0.01 and abs(one.height - other.height) < 0.01


# MERGED: Names of card and paper sizes ("poker", "a4", "a4 landscape", "70mm x 90mm") turned into points.
#
#   Knows nothing of templates, targets or files; whoever knows the place turns a SizeError into a
#   CardgenError.
#
