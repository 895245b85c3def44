"""Shadows and glows as templates write them: "1mm 1mm 2mm black 40%", "2mm gold hard".

Knows nothing of how they are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from cardgen.core.colour import BLACK, Colour
from cardgen.core.errors import Refusal, shorten
from cardgen.core.units import FIGURES, MM, format_mm, parse_points
from cardgen.template.model import Glow, Shadow
from cardgen.template.paints import read_colour

# Beyond these nobody sees a shadow, and all of them fit in memory.
FARTHEST, SOFTEST = 50 * MM, 20 * MM

_MOST_LENGTHS = 3
_WORD = re.compile(r"[^\s()]+(?:\([^()]*\))?|\S")
_LENGTH = re.compile(rf"[-+]?{FIGURES}(?:mm|cm|in|pt)|0")
_NUMBER = re.compile(rf"[-+]?{FIGURES}")
_SHARE = re.compile(r"(\d{1,3}(?:\.\d*)?)%")
_SHADOW = 'as in "1mm 1mm 2mm black 40%": across, down, blur, colour, opacity'
_GLOW = 'as in "2mm gold 80%", or "0.5mm white hard"'


def read_shadow(text: str, colours: Mapping[str, Colour]) -> Shadow | None:
    if text == "none":
        return None
    lengths, colour, opacity, hard = _read(text, "shadow", _SHADOW, colours)
    if len(lengths) not in (2, 3) or hard:
        raise _refuse(text, "shadow", _SHADOW)
    dx, dy, blur = (*lengths, 0.0)[:3]
    if max(abs(dx), abs(dy)) > FARTHEST:
        raise _refuse_far(text, "lies", FARTHEST)
    if blur < 0:
        raise _refuse(text, "shadow", "its blur is 0 or more; " + _SHADOW)
    if blur > SOFTEST:
        raise _refuse_far(text, "is blurred", SOFTEST)
    return Shadow(dx, dy, blur, colour, opacity)


def read_glow(text: str, colours: Mapping[str, Colour]) -> Glow | None:
    if text == "none":
        return None
    lengths, colour, opacity, hard = _read(text, "glow", _GLOW, colours)
    if len(lengths) != 1 or lengths[0] <= 0:
        raise _refuse(text, "glow", _GLOW)
    if lengths[0] > SOFTEST:
        raise _refuse_far(text, "reaches", SOFTEST)
    return Glow(lengths[0], colour, opacity, hard)


def _read(
    text: str, kind: str, example: str, colours: Mapping[str, Colour]
) -> tuple[tuple[float, ...], Colour, float, bool]:
    """Return the lengths of a text, its colour, its opacity, and if it is hard."""
    words: list[str] = []
    lengths: list[float] = []
    for word in _WORD.findall(text):
        if not _LENGTH.fullmatch(word):
            words.append(word)
        elif len(lengths) <= _MOST_LENGTHS:
            lengths.append(parse_points(word))
    hard = bool(words) and words[-1] == "hard"
    if hard:
        words.pop()
    share = _SHARE.fullmatch(words[-1]) if words else None
    if share:
        words.pop()
    bare = next((word for word in words if _NUMBER.fullmatch(word)), None)
    if bare is not None:
        unit = f'"{bare}" has no unit: a length is written as {bare}mm, an opacity as 40%; '
        raise _refuse(text, kind, unit + example)
    opacity = float(share[1]) / 100 if share else 1.0
    if opacity > 1:
        raise Refusal("template/out-of-range", f'"{shorten(text)}" is more than 100% opaque')
    return tuple(lengths), read_colour(" ".join(words), colours) if words else BLACK, opacity, hard


def _refuse(text: str, kind: str, example: str) -> Refusal:
    return Refusal("template/wrong-list", f'"{shorten(text)}" is no {kind}', example)


def _refuse_far(text: str, how: str, most: float) -> Refusal:
    return Refusal(
        "template/out-of-range",
        f'"{shorten(text)}" {how} too far',
        f"write at most {format_mm(most)}",
        {"most": round(most / MM, 3)},
    )
