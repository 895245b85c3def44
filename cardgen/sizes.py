"""Names of card and paper sizes ("poker", "a4", "a4 landscape", "70mm x 90mm") turned into points.

Knows nothing of templates, targets or files; whoever knows the place turns a SizeError into a
CardgenError.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from cardgen.errors import shorten, suggest
from cardgen.geometry import Size
from cardgen.units import MM, UnitError, format_mm, parse_points

SHORTEST_SIDE = 1 * MM
# A PDF page is at most 14,400 units wide and high.
LONGEST_SIDE = 14_400.0

_SPELLED_OUT = re.compile(r"([+-]?[\d.].*?)\s*[x×]\s*(.+)")
_PLAIN_SIDE = re.compile(r"(\d+\.?\d*)\s*(mm|cm|in|pt|)")
_LANDSCAPE = re.compile(r"(.+?)[\s-]+landscape")
_EXAMPLE = "write width x height, as in 63mm x 88mm"


class SizeError(ValueError):
    """A size that cannot be read."""


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
        raise SizeError(f'"{shorten(name)}" is not a size; {_EXAMPLE}')
    hint = suggest(name, [*CARD_SIZES, *PAPER_SIZES], kind="size")
    known = hint if hint.startswith("did you mean") else f"{hint}; or {_EXAMPLE}"
    raise SizeError(f'unknown size "{shorten(name)}"; {known}')


def _check_units(width: str, height: str, text: str) -> None:
    """Both sides have a unit of their own; who writes 63x88 is told how."""
    one, other = _PLAIN_SIDE.fullmatch(width), _PLAIN_SIDE.fullmatch(height)
    if one and other and not (one[2] and other[2]) and float(one[1]) and float(other[1]):
        unit = one[2] or other[2] or "mm"
        raise SizeError(f'"{shorten(text)}" lacks a unit; write {one[1]}{unit} x {other[1]}{unit}')


def _parse_side(text: str) -> float:
    try:
        return parse_points(text)
    except UnitError as error:
        raise SizeError(f"{error}; {_EXAMPLE}") from None


def _check_sides(width: float, height: float, text: str) -> Size:
    for side in (width, height):
        if not SHORTEST_SIDE - 1e-6 <= side <= LONGEST_SIDE + 1e-6:
            raise SizeError(
                f'"{shorten(text)}" is not a size that can be printed; '
                f"a side is {format_mm(SHORTEST_SIDE)} to {format_mm(LONGEST_SIDE)} long"
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
