"""Draws the signs that few fonts have (★ ☑ ♠ ① ⚔) and makes a font of them, which stands in where
the fonts of a text lack one: `python docs/draw_signs.py`.

Each sign is made of closed lines: those that run clockwise are filled, those that run the other
way are holes. Lines may cross, for all that lies within any of them is filled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin
from pathlib import Path
from typing import Any

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

FILE = Path(__file__).parent.parent / "assets" / "signs" / "signs.ttf"
NAME = "Cardgen Signs"
MIDDLE = 325  # of a sign, above the baseline
HIGH = 330  # from there to its top
LINE = 62
BESIDE = 70  # on either side of a sign
# 2026-01-01, in seconds since 1904: the file does not depend on the clock.
_MADE = 3_850_070_400

Point = tuple[float, float]


class Line(tuple[Point, ...]):
    """A closed line with straight sides."""


class Round(tuple[float, float, float, bool]):
    """A circle: its middle, its radius, and whether it is a hole."""


Sign = list[Line | Round]


def make_line(points: Sequence[Point], *, hole: bool = False) -> Line:
    twice = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*points, points[0]]))
    clockwise = twice < 0
    return Line(points if clockwise != hole else tuple(reversed(points)))


def make_round(x: float, y: float, radius: float, *, hole: bool = False) -> Round:
    return Round((x, y, radius, hole))


def make_ring(x: float, y: float, radius: float, width: float = LINE) -> Sign:
    return [make_round(x, y, radius), make_round(x, y, radius - width, hole=True)]


def make_hollow(points: Sequence[Point], share: float, middle: Point = (0, MIDDLE)) -> Sign:
    """Return a figure with a smaller one of its shape cut out."""
    x, y = middle
    inner = [(x + (px - x) * share, y + (py - y) * share) for px, py in points]
    return [make_line(points), make_line(inner, hole=True)]


def list_polar(count: int, radii: Sequence[float], start: float = pi / 2) -> list[Point]:
    """Return points around the middle, their radii in turn."""
    return [
        (
            radii[n % len(radii)] * cos(start - 2 * pi * n / count),
            MIDDLE + radii[n % len(radii)] * sin(start - 2 * pi * n / count),
        )
        for n in range(count)
    ]


def list_arc(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Return points of an arc between two angles in degrees, anticlockwise from the right."""
    steps = max(int(abs(end - start) / 8), 2)
    angles = (pi / 180 * (start + (end - start) * n / steps) for n in range(steps + 1))
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def list_curve(a: Point, b: Point, c: Point, d: Point) -> list[Point]:
    """Return points of a cubic curve."""

    def place(t: float, axis: int) -> float:
        u = 1 - t
        return u**3 * a[axis] + 3 * u * u * t * b[axis] + 3 * u * t * t * c[axis] + t**3 * d[axis]

    return [(place(n / 16, 0), place(n / 16, 1)) for n in range(17)]


def stroke(points: Sequence[Point], width: float = LINE) -> Line:
    """Return a line along points, with round ends; it turns gently."""
    half = width / 2
    sides: list[Point] = []
    for way in (points, [*reversed(points)]):
        for n, (x, y) in enumerate(way):
            before, after = way[max(n - 1, 0)], way[min(n + 1, len(way) - 1)]
            dx, dy = after[0] - before[0], after[1] - before[1]
            long = hypot(dx, dy)
            sides.append((x - dy / long * half, y + dx / long * half))
        (x, y), (bx, by) = way[-1], way[-2]
        angle = atan2(y - by, x - bx) * 180 / pi
        sides += list_arc(x, y, half, angle + 90, angle - 90)[1:-1]
    return make_line(sides)


def turn(sign: Sign, degrees: float, middle: Point = (0, MIDDLE)) -> Sign:
    """Return a sign turned anticlockwise."""
    x, y = middle
    c, s = cos(degrees * pi / 180), sin(degrees * pi / 180)

    def move(px: float, py: float) -> Point:
        return (x + (px - x) * c - (py - y) * s, y + (px - x) * s + (py - y) * c)

    return [
        Line(move(*point) for point in part)
        if isinstance(part, Line)
        else Round((*move(part[0], part[1]), part[2], part[3]))
        for part in sign
    ]


def mirror(sign: Sign) -> Sign:
    return [
        Line(tuple(reversed([(-x, y) for x, y in part])))
        if isinstance(part, Line)
        else Round((-part[0], *part[1:]))
        for part in sign
    ]


def make_box(left: float, bottom: float, right: float, top: float, *, hole: bool = False) -> Line:
    return make_line([(left, bottom), (left, top), (right, top), (right, bottom)], hole=hole)


def make_frame(half: float = 285) -> Sign:
    inner = half - LINE
    return [
        make_box(-half, MIDDLE - half, half, MIDDLE + half),
        make_box(-inner, MIDDLE - inner, inner, MIDDLE + inner, hole=True),
    ]


# Suits

_HEART = [
    *list_curve((0, 480), (-60, 700), (-340, 680), (-340, 430)),
    *list_curve((-340, 430), (-340, 240), (-130, 150), (0, -15)),
    *list_curve((0, -15), (130, 150), (340, 240), (340, 430)),
    *list_curve((340, 430), (340, 680), (60, 700), (0, 480)),
]
_DIAMOND = [(0.0, 685.0), (255.0, 325.0), (0.0, -35.0), (-255.0, 325.0)]


def _make_stem() -> Line:
    return make_line(
        [
            *list_curve((-25, 250), (-25, 110), (-70, 20), (-150, -10)),
            *list_curve((150, -10), (70, 20), (25, 110), (25, 250)),
        ]
    )


def make_spade() -> Sign:
    leaf = [
        *list_curve((0, 690), (-100, 500), (-320, 400), (-320, 235)),
        *list_curve((-320, 235), (-320, 60), (-80, 60), (0, 215)),
        *list_curve((0, 215), (80, 60), (320, 60), (320, 235)),
        *list_curve((320, 235), (320, 400), (100, 500), (0, 690)),
    ]
    return [make_line(leaf), _make_stem()]


def make_club() -> Sign:
    leaves: Sign = [make_round(x, y, 155) for x, y in ((0, 530), (-190, 260), (190, 260))]
    return [*leaves, make_round(0, 330, 110), _make_stem()]


# Figures, in lines of one width: each 1 wide and 1.6 high, from 0 to 1.6


def _list_figure(digit: int) -> list[list[Point]]:
    figures: dict[int, list[list[Point]]] = {
        0: [[*list_arc(0.5, 1.1, 0.5, 0, 180), *list_arc(0.5, 0.5, 0.5, 180, 360), (1.0, 1.1)]],
        1: [[(0.1, 1.25), (0.55, 1.6)], [(0.55, 1.6), (0.55, 0.0)]],
        2: [
            [*list_arc(0.5, 1.12, 0.48, 165, -35), (0.0, 0.0)],
            [(0.0, 0.0), (1.0, 0.0)],
        ],
        3: [
            [*list_arc(0.48, 1.2, 0.4, 150, -90)],
            [*list_arc(0.46, 0.42, 0.42, 90, -150)],
        ],
        4: [[(0.72, 0.0), (0.72, 1.6)], [(0.72, 1.6), (0.0, 0.45)], [(0.0, 0.45), (1.0, 0.45)]],
        5: [
            [(0.92, 1.6), (0.15, 1.6)],
            [(0.15, 1.6), (0.08, 0.85)],
            [*list_arc(0.47, 0.5, 0.5, 135, -145)],
        ],
        6: [make_loop(0.5, 0.48), list_curve((0.02, 0.5), (0.0, 1.1), (0.4, 1.5), (0.8, 1.6))],
        7: [[(0.0, 1.6), (1.0, 1.6)], [(1.0, 1.6), (0.35, 0.0)]],
        8: [make_loop(0.43, 0.43), make_loop(1.22, 0.37)],
        9: [make_loop(1.12, 0.48), list_curve((0.98, 1.1), (1.0, 0.5), (0.6, 0.1), (0.2, 0.0))],
    }
    return figures[digit]


def make_loop(y: float, radius: float) -> list[Point]:
    return list_arc(0.5, y, radius, 0, 360)


def make_number(number: int) -> Sign:
    """Return a number in a circle."""
    digits = [int(digit) for digit in str(number)]
    wide, high, width = (185.0, 205.0, 54.0) if len(digits) == 1 else (105.0, 180.0, 44.0)
    gap = 72.0
    whole = len(digits) * wide + (len(digits) - 1) * gap
    sign = make_ring(0, MIDDLE, HIGH, 46)
    for place, digit in enumerate(digits):
        left = place * (wide + gap) - whole / 2
        for line in _list_figure(digit):
            points = [(left + x * wide, MIDDLE + (y - 0.8) * high) for x, y in line]
            sign.append(stroke(points, width))
    return sign


# Arrows and other signs


def make_arrow() -> Sign:
    """Return an arrow to the right."""
    head = [(330.0, 325.0), (110.0, 505.0), (110.0, 145.0)]
    return [make_box(-330, 325 - LINE / 2, 160, 325 + LINE / 2), make_line(head)]


def make_double_arrow() -> Sign:
    head = [stroke([(330, 325), (130, 530)]), stroke([(330, 325), (130, 120)])]
    shafts = [make_box(-330, y - LINE / 2, 255, y + LINE / 2) for y in (405, 245)]
    return [*shafts, *head]


def make_both(arrow: Sign) -> Sign:
    """Return an arrow to the right with a head at the left, too."""
    ends = [
        Line((max(x, -160 if part is arrow[0] else -255), y) for x, y in part)
        if isinstance(part, Line)
        else part
        for part in arrow
    ]
    return [*ends, *turn(ends, 180)]


def make_circling() -> Sign:
    """Return an arrow that runs around clockwise."""
    head = [(345.0, 300.0), (120.0, 385.0), (305.0, 560.0)]
    return [stroke(list_arc(0, MIDDLE, 270, 330, 40), 66), make_line(head)]


def make_tick(width: float) -> Sign:
    return [
        stroke([(-250, 300), (-90, 100)], width),
        stroke([(-90, 100), (270, 610)], width),
    ]


def make_cross(width: float, reach: float = 255) -> Sign:
    top, bottom = MIDDLE + reach, MIDDLE - reach
    return [
        stroke([(-reach, top), (reach, bottom)], width),
        stroke([(-reach, bottom), (reach, top)], width),
    ]


def make_die(number: int) -> Sign:
    half, far = 290.0, 150.0
    corners = [
        *list_arc(half - 70, MIDDLE + half - 70, 70, 90, 0),
        *list_arc(half - 70, MIDDLE - half + 70, 70, 0, -90),
        *list_arc(70 - half, MIDDLE - half + 70, 70, -90, -180),
        *list_arc(70 - half, MIDDLE + half - 70, 70, 180, 90),
    ]
    sign = make_hollow(corners, 0.84)
    places: list[Point] = [(0, 0)] if number % 2 else []
    if number > 1:
        places += [(-far, far), (far, -far)]
    if number > 3:
        places += [(far, far), (-far, -far)]
    if number > 5:
        places += [(-far, 0), (far, 0)]
    return [*sign, *(make_round(x, MIDDLE + y, 58) for x, y in places)]


def make_swords() -> Sign:
    blade = [(-38.0, 90.0), (-38.0, 690.0), (0.0, 780.0), (38.0, 690.0), (38.0, 90.0)]
    sword: Sign = [
        make_line(blade),
        make_box(-135, 55, 135, 110),
        make_box(-28, -70, 28, 80),
        make_round(0, -85, 48),
    ]
    return [*turn(sword, 42), *turn(sword, -42)]


def make_skull() -> Sign:
    jaw = [(-125.0, 330.0), (125.0, 330.0), (110.0, 170.0), (-110.0, 170.0)]
    sign: Sign = [
        make_round(0, 450, 235),
        make_line(jaw),
        make_round(-92, 440, 62, hole=True),
        make_round(92, 440, 62, hole=True),
        make_line([(0, 370), (-34, 300), (34, 300)], hole=True),
    ]
    for end in (1, -1):
        sign.append(stroke([(-280 * end, 130), (280 * end, -30)], 56))
        for x, y in ((-280, 130), (280, -30)):
            sign += [make_round(x * end + 8, y + 26, 44), make_round(x * end - 8, y - 26, 44)]
    return sign


def make_sun() -> Sign:
    rays: Sign = []
    for ray in range(8):
        rays += turn([stroke([(0, MIDDLE + 250), (0, MIDDLE + 330)], 56)], 45 * ray)
    return [make_round(0, MIDDLE, 185), *rays]


def make_moon() -> Sign:
    """Return a crescent that is open to the right."""
    reach, x = 330.0, 150.0
    inner = hypot(reach * sin(1.0), reach * cos(1.0) - x)
    corner = atan2(reach * sin(1.0), reach * cos(1.0) - x) * 180 / pi
    points = list_arc(0, MIDDLE, reach, 180 / pi, 360 - 180 / pi)
    return [make_line([*points, *list_arc(x, MIDDLE, inner, 360 - corner, corner)])]


def make_flag(*, hollow: bool) -> Sign:
    cloth = [(-170.0, 640.0), (270.0, 500.0), (-170.0, 360.0)]
    drawn = make_hollow(cloth, 0.5, (-60, 500)) if hollow else [make_line(cloth)]
    return [stroke([(-200, 640), (-200, 0)]), *drawn]


def make_glass() -> Sign:
    sand = [(-190.0, 610.0), (190.0, 610.0), (22.0, 325.0), (190.0, 40.0), (-190.0, 40.0)]
    bars: Sign = [make_box(-240, y - 30, 240, y + 30) for y in (630, 20)]
    return [make_line([*sand, (-22.0, 325.0)]), *bars]


def make_plus(width: float, low: float, across: float) -> Sign:
    return [
        make_box(-width, low, width, 655),
        make_box(-across, MIDDLE - width + (-low), across, MIDDLE + width + (-low)),
    ]


def make_note(*, beamed: bool) -> Sign:
    head = turn(
        [Line((x * 1.3, 70 + (y - 70)) for x, y in list_arc(0, 70, 95, 360, 0)[:-1])], 20, (0, 70)
    )
    stem = make_box(72, 90, 124, 690)
    if not beamed:
        flag = [
            *list_curve((90, 690), (130, 520), (330, 520), (270, 300)),
            *list_curve((270, 300), (270, 440), (170, 470), (90, 500)),
        ]
        return [*head, stem, make_line(flag)]
    beam = make_line([(72, 690), (424, 690), (424, 570), (72, 570)])
    return [*head, stem, beam, *_move([*head, stem], 300)]


def _move(sign: Sign, right: float) -> Sign:
    """Return the lines of a sign further to the right."""
    return [Line((x + right, y) for x, y in part) for part in sign if isinstance(part, Line)]


def make_woman() -> Sign:
    return [
        *make_ring(0, 470, 190),
        make_box(-LINE / 2, -40, LINE / 2, 310),
        make_box(-130, 80, 130, 80 + LINE),
    ]


def make_man() -> Sign:
    return [
        *make_ring(-60, 240, 210),
        stroke([(85, 385), (280, 580)]),
        stroke([(280, 580), (100, 580)]),
        stroke([(280, 580), (280, 400)]),
    ]


def _make_triangle(*, hollow: bool) -> Sign:
    points = [(330.0, 325.0), (-235.0, 650.0), (-235.0, 0.0)]
    return make_hollow(points, 0.6, (-47, 325)) if hollow else [make_line(points)]


def _make_half() -> Sign:
    return [*make_ring(0, MIDDLE, HIGH), make_line(list_arc(0, MIDDLE, HIGH - 30, 90, 270))]


def list_signs() -> Iterator[tuple[str, Sign]]:
    """Yield the characters of a sign in a row, and the sign."""
    inner = sin(pi / 10) / sin(3 * pi / 10)
    star = [(x, y - 20) for x, y in list_polar(10, (370, 370 * inner))]
    yield "★⭐", [make_line(star)]
    yield "☆", make_hollow(star, 0.62, (0, MIDDLE - 20))
    yield "✦", [make_line(list_polar(8, (350, 120)))]
    yield "✧", make_hollow(list_polar(8, (350, 120)), 0.55)
    yield "●⬤⚫", [make_round(0, MIDDLE, HIGH)]
    yield "○◯⚪", make_ring(0, MIDDLE, HIGH)
    yield "◎", [*make_ring(0, MIDDLE, HIGH), *make_ring(0, MIDDLE, 190)]
    yield "◉", [*make_ring(0, MIDDLE, HIGH), make_round(0, MIDDLE, 190)]
    yield "◐", _make_half()
    yield "◑", mirror(_make_half())
    yield "■⬛", [make_box(-285, 40, 285, 610)]
    yield "□⬜☐", make_frame()
    yield "▪", [make_box(-150, 175, 150, 475)]
    yield "▫", make_frame(150)
    yield "☑✅", [*make_frame(), *_shrink(make_tick(80), 0.62)]
    yield "☒", [*make_frame(), *make_cross(60, 125)]
    for turned, signs in ((0, "▶►▷"), (90, "▲▴△"), (180, "◀◄◁"), (270, "▼▾▽")):
        yield signs[:2], turn(_make_triangle(hollow=False), turned)
        yield signs[2], turn(_make_triangle(hollow=True), turned)
    yield "◆", [make_line(list_polar(4, (370,)))]
    yield "◇", make_hollow(list_polar(4, (370,)), 0.74)
    yield "⬟", [make_line(list_polar(5, (350,)))]
    yield "⬢", [make_line(list_polar(6, (350,)))]
    yield "⬡", make_hollow(list_polar(6, (350,)), 0.78)
    yield "✓", make_tick(70)
    yield "✔", make_tick(116)
    yield "✗✕", make_cross(70)
    yield "✘✖❌", make_cross(116)
    yield "♠", make_spade()
    yield "♥❤", [make_line(_HEART)]
    yield "♡", make_hollow(_HEART, 0.74, (0, 370))
    yield "♦", [make_line(_DIAMOND)]
    yield "♢", make_hollow(_DIAMOND, 0.7)
    yield "♣", make_club()
    yield "⓪", make_number(0)
    for number in range(1, 21):
        yield chr(ord("①") + number - 1), make_number(number)
    arrow, double = make_arrow(), make_double_arrow()
    for turned, straight, two in ((0, "→", "⇒"), (90, "↑", "⇑"), (180, "←", "⇐"), (270, "↓", "⇓")):
        yield straight, turn(arrow, turned)
        yield two, turn(double, turned)
    for turned, aslant in ((45, "↗"), (135, "↖"), (225, "↙"), (315, "↘")):
        yield aslant, turn(arrow, turned)
    yield "↔", make_both(arrow)
    yield "↕", turn(make_both(arrow), 90)
    yield "⇔", make_both(double)
    yield "↻⟳", make_circling()
    yield "↺⟲", mirror(make_circling())
    yield "⚔", make_swords()
    yield "☠💀", make_skull()
    for number in range(1, 7):
        yield chr(ord("⚀") + number - 1), make_die(number)
    yield "⚡", [make_line([(60, 690), (-220, 270), (-40, 270), (-90, -40), (220, 400), (30, 400)])]
    yield "☀", make_sun()
    yield "☾", make_moon()
    yield "☽", mirror(make_moon())
    yield "⚑", make_flag(hollow=False)
    yield "⚐", make_flag(hollow=True)
    yield "⌛⏳", make_glass()
    yield "✚", make_plus(85, -5, 330)
    yield "✝", make_plus(52, -110, 210)
    yield "♪", make_note(beamed=False)
    yield "♫", make_note(beamed=True)
    yield "♀", make_woman()
    yield "♂", make_man()


def _shrink(sign: Sign, share: float) -> Sign:
    """Return the lines of a sign at a smaller size."""
    return [
        Line((x * share, MIDDLE + (y - MIDDLE) * share) for x, y in part)
        for part in sign
        if isinstance(part, Line)
    ]


def _draw(sign: Sign, pen: Any, right: float) -> None:
    for part in sign:
        if isinstance(part, Line):
            first, *others = [(round(x + right), round(y)) for x, y in part]
            pen.moveTo(first)
            for point in others:
                pen.lineTo(point)
            pen.closePath()
        else:
            x, y, radius, hole = part
            far = radius / cos(pi / 8)
            angles = [pi / 4 * n for n in range(8)]
            points = [(round(x + right + far * cos(a)), round(y + far * sin(a))) for a in angles]
            # Anticlockwise, as holes run.
            pen.qCurveTo(*(points if hole else points[::-1]), None)
            pen.closePath()


def _measure(sign: Sign) -> tuple[float, float]:
    """Return how far a sign reaches to the left and to the right."""
    xs: list[float] = []
    for part in sign:
        if isinstance(part, Line):
            xs += [x for x, _ in part]
        else:
            xs += [part[0] - part[2], part[0] + part[2]]
    return min(xs), max(xs)


def make_font() -> Any:
    """Return the font of all signs, to be saved."""
    glyphs: dict[str, Any] = {
        ".notdef": TTGlyphPen(None).glyph(),
        "space": TTGlyphPen(None).glyph(),
    }
    advances = {".notdef": 500, "space": 260}
    characters = {32: "space"}
    for same, sign in list_signs():
        left, right = _measure(sign)
        for character in same:  # a glyph each, so that programs read from a PDF which was meant
            name = f"u{ord(character):04X}"
            pen = TTGlyphPen(None)
            _draw(sign, pen, BESIDE - left)
            glyphs[name] = pen.glyph()
            advances[name] = round(right - left + 2 * BESIDE)
            characters[ord(character)] = name
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap(characters)
    builder.setupGlyf(glyphs)
    sides = {name: getattr(builder.font["glyf"][name], "xMin", 0) for name in glyphs}
    builder.setupHorizontalMetrics({name: (advances[name], sides[name]) for name in glyphs})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable(
        {
            "copyright": "The cardgen authors",
            "familyName": NAME,
            "styleName": "Regular",
            "uniqueFontIdentifier": NAME,
            "fullName": NAME,
            "psName": NAME.replace(" ", ""),
            "version": "Version 1.0",
            "licenseDescription": "MIT",
        },
        mac=False,
    )
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, fsType=0)
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = _MADE
    builder.font.recalcTimestamp = False
    return builder.font


def main() -> None:
    FILE.parent.mkdir(exist_ok=True)
    make_font().save(FILE)
    print(f"{FILE}: {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
