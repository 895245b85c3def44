"""Numbers, lengths and lists of transforms, as SVG writes them.

Knows nothing of elements or problems: what is broken is a ValueError.
"""

from __future__ import annotations

import re
from math import cos, isfinite, radians, sin, tan

from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.layout.art.contours import NUMBER

# Units in pixels, of which an inch has 96.
_UNITS = {"": 1.0, "px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "pt": 96 / 72}
_UNITS |= {"pc": 16.0, "q": 96 / 101.6}
_LENGTH = re.compile(rf"\s*({NUMBER})\s*([a-zA-Z]*|%)\s*")
_FUNCTION = re.compile(r"[\s,]*([a-zA-Z]+)\s*\(([^()]*)\)")
_NUMBER = re.compile(NUMBER)
_BETWEEN = re.compile(rf"(?:{NUMBER}|[\s,]+)*+")


def read_numbers(text: str) -> list[float]:
    """Return numbers with blanks or commas between them."""
    if not _BETWEEN.fullmatch(text):
        raise ValueError(text)
    numbers = [float(part) for part in _NUMBER.findall(text)]
    if not all(map(isfinite, numbers)):
        raise ValueError(text)
    return numbers


def read_length(text: str, whole: float = 0.0, em: float = 16.0) -> float:
    """Return a length in pixels; `whole` is what percentages are of."""
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise ValueError(text)
    number, unit = float(match[1]), match[2].lower()
    if unit == "%":
        number *= whole / 100
    elif unit in ("em", "ex"):
        number *= em if unit == "em" else em / 2
    elif unit in _UNITS:
        number *= _UNITS[unit]
    else:
        raise ValueError(text)
    if not isfinite(number):
        raise ValueError(text)
    return number


def read_share(text: str) -> float:
    """Return a number or a percentage between 0 and 1."""
    return min(max(read_length(text, 1.0), 0.0), 1.0)


def read_plain_share(text: str) -> float:
    """Return a number or a percentage between 0 and 1, which has no other unit."""
    if text.rstrip()[-1:].isalpha():
        raise ValueError(text)
    return read_share(text)


def read_box(text: str) -> Rect:
    """Return a viewBox, which has an area."""
    x, y, width, height = read_numbers(text)
    if width <= 0 or height <= 0:
        raise ValueError(text)
    return Rect(x, y, width, height)


def read_transform_list(text: str) -> Matrix:
    """Return a list of transforms as one."""
    whole, at = IDENTITY, 0
    text = text.rstrip(" \t\r\n,")
    while at < len(text):
        match = _FUNCTION.match(text, at)
        if match is None:
            raise ValueError(text)
        whole = _make_transform(match[1], match[2]).then(whole)
        at = match.end()
    return whole


def _make_transform(name: str, text: str) -> Matrix:
    if _BETWEEN.fullmatch(text):
        numbers = read_numbers(text)
    else:
        numbers = [_read_measure(part) for part in text.replace(",", " ").split()]
    match name.lower(), numbers:
        case "matrix", [a, b, c, d, e, f]:
            return Matrix(a, b, c, d, e, f)
        case "translate", [x, *rest] if len(rest) < 2:
            return Matrix(1, 0, 0, 1, x, rest[0] if rest else 0)
        case "scale", [x, *rest] if len(rest) < 2:
            return Matrix(x, 0, 0, rest[0] if rest else x, 0, 0)
        case "rotate", [angle]:
            return _rotate(angle)
        case "rotate", [angle, x, y]:
            there, back = Matrix(1, 0, 0, 1, x, y), Matrix(1, 0, 0, 1, -x, -y)
            return back.then(_rotate(angle)).then(there)
        case "translatex", [x]:
            return Matrix(1, 0, 0, 1, x, 0)
        case "translatey", [y]:
            return Matrix(1, 0, 0, 1, 0, y)
        case "skewx", [angle]:
            return Matrix(1, 0, tan(radians(angle)), 1, 0, 0)
        case "skewy", [angle]:
            return Matrix(1, tan(radians(angle)), 0, 1, 0, 0)
    raise ValueError(name)


def turn_around(matrix: Matrix, origin: str, view: Rect) -> Matrix:
    """Return a matrix that turns around what a transform-origin says."""
    places = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}
    words = origin.lower().split()
    if words[0] in ("top", "bottom"):
        words = [*(words[1:] or ["center"]), words[0]]
    parts = [places.get(part, part) for part in words]
    if len(parts) == 1:
        parts.append("50%")
    x, y = read_length(parts[0], view.width), read_length(parts[1], view.height)
    return Matrix(1, 0, 0, 1, -x, -y).then(matrix).then(Matrix(1, 0, 0, 1, x, y))


def _read_measure(text: str) -> float:
    """Return a number, or one with the units that styles have."""
    if text.endswith("deg"):
        text = text[:-3]
    return read_length(text)


def _rotate(angle: float) -> Matrix:
    c, s = cos(radians(angle)), sin(radians(angle))
    c, s = round(c, 12), round(s, 12)
    return Matrix(c, s, -s, c, 0, 0)


def place_box(box: Rect, onto: Rect, rule: str = "xMidYMid meet") -> Matrix:
    """Return the matrix that places a view box as a preserveAspectRatio rule says."""
    align, _, how = " ".join(rule.split()).removeprefix("defer ").partition(" ")
    across, down = onto.width / box.width, onto.height / box.height
    if align == "none":
        return Matrix(across, 0, 0, down, onto.x - box.x * across, onto.y - box.y * down)
    shares = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
    if not re.fullmatch("x(?:Min|Mid|Max)Y(?:Min|Mid|Max)", align) or how not in (
        *("", "meet"),
        "slice",
    ):
        raise ValueError(rule)
    scale = max(across, down) if how == "slice" else min(across, down)
    left = onto.x + (onto.width - box.width * scale) * shares[align[1:4]]
    top = onto.y + (onto.height - box.height * scale) * shares[align[5:8]]
    return Matrix(scale, 0, 0, scale, left - box.x * scale, top - box.y * scale)
