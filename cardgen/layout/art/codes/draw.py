"""Codes drawn in their boxes: QR and Data Matrix codes, and those of bars, as vectors.

Each module is as wide as a whole number of the printer's dots, so that none is wider than another.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, floor

from cardgen.core.colour import LIGHT, WHITE, Colour, show_on_screen
from cardgen.core.errors import Refusal
from cardgen.core.geometry import Rect
from cardgen.core.units import MM, format_mm
from cardgen.layout.art.codes.bars import draw_bars, make_code128, make_ean
from cardgen.layout.art.codes.data_matrix import make_data_matrix
from cardgen.layout.art.codes.qr import make_qr
from cardgen.layout.art.codes.symbol import Digits, Row, Symbol
from cardgen.layout.art.outlines import make_rect
from cardgen.layout.device import Device
from cardgen.layout.face import Item, Outline, Segment
from cardgen.layout.room import to_mm
from cardgen.layout.typesetter import Typesetter
from cardgen.template.model import CodeKind, CodeSpec, Style
from cardgen.text.fit import measure_width

NAMES: dict[CodeKind, str] = {
    "qr": "QR code",
    "datamatrix": "Data Matrix",
    "ean13": "barcode",
    "ean8": "barcode",
    "upca": "barcode",
    "code128": "barcode",
}
# The smallest modules that are printed and read with certainty, in mm.
_LEAST: dict[CodeKind, float] = {
    "qr": 0.25,
    "datamatrix": 0.25,
    "ean13": 0.264,
    "ean8": 0.264,
    "upca": 0.264,
    "code128": 0.19,
}
_FEWEST_DOTS = 2
_LEAST_BARS = 4 * MM  # the height below which a reader misses bars
_GUARD = 5  # modules by which some bars are longer
_DIGIT = 9.0  # the size of digits beneath the bars, in modules
_LARGEST = 9.0  # and that of the letters of a Code 128, in points
_ASPECTS: dict[CodeKind, float] = {"ean13": 0.69, "ean8": 0.8, "upca": 0.69, "code128": 0.3}
_SLACK = 1e-6
# Readers see the contrast of a code, those of bars by red light.
_LEAST_CONTRAST = 0.4


def make_symbol(spec: CodeSpec) -> Symbol:
    """Return the modules of a code."""
    text = spec.text.strip() if spec.kind in ("ean13", "ean8", "upca") else spec.text
    if not text:
        raise Refusal(
            "code/no-text", "the code has no text", 'for cards without one add if="card.…" to it'
        )
    if spec.kind == "qr":
        return make_qr(text, spec.level)
    if spec.kind == "datamatrix":
        return make_data_matrix(text)
    return make_code128(text) if spec.kind == "code128" else make_ean(spec.kind, text)


def get_aspect(kind: CodeKind) -> float:
    """Return how high a code is by itself, as a part of its width."""
    return _ASPECTS.get(kind, 1.0)


def measure_contrast(spec: CodeSpec) -> float:
    """Return by how much the ground is lighter than the code, from 1 for black on white."""
    red_only = spec.kind not in ("qr", "datamatrix")
    ground = spec.ground or WHITE
    return _measure_light(ground, red_only=red_only) - _measure_light(spec.fill, red_only=red_only)


def is_faint(spec: CodeSpec) -> bool:
    return measure_contrast(spec) < _LEAST_CONTRAST


def _measure_light(colour: Colour, *, red_only: bool) -> float:
    shades = show_on_screen(colour)
    if red_only:
        return shades[0]
    return sum(share * shade for share, shade in zip(LIGHT, shades, strict=True))


def draw_code(
    spec: CodeSpec, rect: Rect, trim: Rect, device: Device, typesetter: Typesetter
) -> tuple[Item, ...]:
    """Return a code in the middle of its box, with what stays free around it.

    trim: that of the card, which the printer's dots are counted from
    """
    symbol = make_symbol(spec)
    wide = rect.width / symbol.width
    free = wide if symbol.is_bars else min(wide, rect.height / symbol.height)
    module = floor(free / device.dot + _SLACK) * device.dot
    least = max(ceil(_LEAST[spec.kind] * MM / device.dot - _SLACK), _FEWEST_DOTS) * device.dot
    if module < least - _SLACK:
        raise _refuse_size(spec, symbol, free, least)
    width = symbol.width * module
    left = rect.x + (rect.width - width) / 2
    if not symbol.is_bars:
        height = symbol.height * module
        area = Rect(left, rect.y + (rect.height - height) / 2, width, height)
        area = _snap(area, trim, device)
        x, y = area.x + symbol.quiet[0] * module, area.y + symbol.quiet[1] * module
        rows = len(symbol.rows)
        bounds = Rect(x, y, rows * module, rows * module)
        segments = tuple(
            (
                operator,
                tuple((y if place % 2 else x) + value * module for place, value in enumerate(at)),
            )
            for operator, at in _trace(spec)
        )
        drawn: tuple[Item, ...] = (Outline(segments, spec.fill, None, False, bounds),)
    else:
        area = _snap(Rect(left, rect.y, width, rect.height), trim, device)
        area = Rect(area.x, rect.y, width, rect.height)
        drawn = _draw_bars(spec, symbol, area, module, typesetter)
    if spec.ground is None:
        return drawn
    return make_rect(area, 0.0, spec.ground, None), *drawn


def _snap(area: Rect, trim: Rect, device: Device) -> Rect:
    x, y = device.snap(area.x - trim.x, area.y - trim.y)
    return Rect(x + trim.x, y + trim.y, *area.size)


def _refuse_size(spec: CodeSpec, symbol: Symbol, module: float, least: float) -> Refusal:
    wide, high = symbol.width * least, symbol.height * least
    if symbol.is_bars:
        needed = f"make its box at least {_format_up(wide)} wide"
    else:
        needed = f"make its box at least {_format_up(max(wide, high))} wide and high"
    shorter = ", or its text shorter" if spec.kind in ("qr", "datamatrix", "code128") else ""
    return Refusal(
        "code/too-small",
        f"a {NAMES[spec.kind]} would have modules of {module / MM:.3f}mm, which are not read: "
        f"{least / MM:.3f}mm are needed",
        needed + shorter,
        {"module": round(module / MM, 3), "least": round(least / MM, 3), "needed": to_mm(wide)},
    )


def _format_up(length: float) -> str:
    """Return a length in mm that is not shorter than it is."""
    return format_mm(ceil(length / MM * 100 - _SLACK) / 100 * MM)


# Squares


@lru_cache(maxsize=200)
def _trace(spec: CodeSpec) -> tuple[Segment, ...]:
    """Return the edge of all that is dark, in modules: drawn as one there are no seams."""
    rows = make_symbol(spec).rows
    ways: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def add(x: int, y: int, right: int, down: int) -> None:
        ways.setdefault((x, y), []).append((right, down))

    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            if not dark:
                continue
            if not _is_dark(rows, x, y - 1):
                add(x, y, 1, 0)
            if not _is_dark(rows, x + 1, y):
                add(x + 1, y, 0, 1)
            if not _is_dark(rows, x, y + 1):
                add(x + 1, y + 1, -1, 0)
            if not _is_dark(rows, x - 1, y):
                add(x, y + 1, 0, -1)
    segments: list[Segment] = []
    for start in list(ways):
        while ways.get(start):
            segments += _follow(ways, start)
    return tuple(segments)


def _is_dark(rows: Sequence[Row], x: int, y: int) -> bool:
    return 0 <= y < len(rows) and 0 <= x < len(rows[0]) and rows[y][x]


def _follow(
    ways: dict[tuple[int, int], list[tuple[int, int]]], start: tuple[int, int]
) -> list[Segment]:
    """Return one edge from a corner around back to it, and take its ways."""
    corners: list[tuple[int, int]] = []
    place, last = start, (0, 0)
    while ways.get(place):
        way = ways[place].pop()
        if way != last:
            corners.append(place)
        place, last = (place[0] + way[0], place[1] + way[1]), way
    return [
        ("M" if number == 0 else "L", (float(x), float(y))) for number, (x, y) in enumerate(corners)
    ] + [("Z", ())]


# Bars


def _draw_bars(
    spec: CodeSpec, symbol: Symbol, area: Rect, module: float, typesetter: Typesetter
) -> tuple[Item, ...]:
    shows = spec.digits if spec.digits is not None else spec.kind != "code128"
    letter = min(digits.width for digits in symbol.digits) * module
    # Digits stand on the edge of their box; letters may reach lower.
    size, below = _DIGIT * module, 0.0
    if spec.kind == "code128":
        size = min(_LARGEST, letter * 1.7)
        below = size * 0.22
    beneath = size * 0.8 + below if shows else 0.0
    if area.height - beneath < _LEAST_BARS - _SLACK:
        raise Refusal(
            "code/too-small",
            f"the bars of a code would be {format_mm(area.height - beneath)} high, which are not "
            f"read: {format_mm(_LEAST_BARS)} are needed",
            f"make its box at least {_format_up(_LEAST_BARS + beneath)} high",
            {
                "module": round(module / MM, 3),
                "least": to_mm(_LEAST_BARS),
                "needed": to_mm(_LEAST_BARS + beneath),
            },
        )
    left, bottom = area.x + symbol.quiet[0] * module, area.bottom - beneath
    guard = min(_GUARD * module, beneath)
    segments: list[Segment] = []
    for start, end in draw_bars(symbol.rows[0]):
        low = bottom + (guard if start in symbol.guards else 0.0)
        x, right = left + start * module, left + end * module
        segments += (
            ("M", (x, area.y)),
            ("L", (right, area.y)),
            ("L", (right, low)),
            ("L", (x, low)),
            ("Z", ()),
        )
    bounds = Rect(left, area.y, len(symbol.rows[0]) * module, area.height)
    items: list[Item] = [Outline(tuple(segments), spec.fill, None, False, bounds)]
    if shows:
        style = _make_style(spec.style, spec.fill)
        for digits in symbol.digits:
            _set_digits(typesetter, style, digits, size, left, area.bottom - below, module, items)
    return tuple(items)


@lru_cache(maxsize=100)
def _make_style(style: Style, colour: Colour) -> Style:
    """Return a style with digits that are all as high and as wide."""
    return style._replace(colour=colour, tracking=0.0, features=(("lnum", 1), ("tnum", 1)))


def _set_digits(
    typesetter: Typesetter,
    style: Style,
    digits: Digits,
    size: float,
    left: float,
    bottom: float,
    module: float,
    items: list[Item],
) -> None:
    """Append the letters of a part, each in the middle of its modules."""
    for number, letter in enumerate(digits.text):
        if letter == " ":
            continue
        block = typesetter.make_block(style, f"\\{letter}" if not letter.isalnum() else letter)
        wide = measure_width(block) * size
        middle = left + (digits.start + (number + 0.5) * digits.width) * module
        top = bottom - block.cap_height * size
        text = typesetter.set_text(block, style, size, wide + 1.0, middle - wide / 2, top)
        typesetter.draw_pieces(text.pieces, items)
