"""What shapes are painted with: colours, and gradients as they lie on a shape.

Knows nothing of shapes but the box around them.
"""

from __future__ import annotations

import re
from colorsys import hls_to_rgb
from math import ceil, floor, hypot
from typing import TYPE_CHECKING, Literal, NamedTuple

from cardgen.core.colour import Axis, Circles, Colour, Gradient, Paint
from cardgen.core.colour_names import CSS_COLOURS
from cardgen.core.errors import shorten
from cardgen.core.geometry import Box, Matrix, Rect
from cardgen.layout.art.svg.document import Document, get_tag, is_svg
from cardgen.layout.art.svg.numbers import (
    read_length,
    read_plain_share,
    read_share,
    read_transform_list,
    turn_around,
)
from cardgen.layout.art.svg.styles import Style, Styles

if TYPE_CHECKING:
    from lxml import etree

_NAME = re.compile(r"url\(\s*['\"]?([^'\")]*)['\"]?\s*\)\s*(.*)", re.DOTALL)
_FUNCTION = re.compile(r"(rgb|hsl)a?\(([^()]*)\)")
_FARTHEST = 1e15  # that a course goes
_MOST_REPEATS = 100
_BEYOND = 0.01  # of the length of a gradient
# What a gradient takes from one of the other kind.
_COMMON = ("gradientUnits", "gradientTransform", "spreadMethod")


class Tint(NamedTuple):
    """A paint, and how opaque it is: as a whole, or at each stop of its gradient."""

    paint: Paint
    opacity: float = 1.0
    stops: tuple[float, ...] = ()


class _Blend(NamedTuple):
    """A gradient as the file gives it: its attributes, with those of the ones it refers to."""

    kind: Literal["linearGradient", "radialGradient"]
    given: dict[str, str]
    stops: tuple[tuple[float, Colour, float], ...]
    element: etree._Element


def read_colour(text: str, current: str = "black") -> tuple[Colour, float]:
    """Return a colour and how opaque it is; `current` is what currentColor means."""
    text = text.strip().lower()
    # A name that an ICC profile gives it may stand behind.
    text = text.partition(" icc-color(")[0]
    if text == "currentcolor":
        return read_colour(current) if current.lower() != "currentcolor" else read_colour("black")
    if text == "transparent":
        return Colour("rgb", (0.0, 0.0, 0.0)), 0.0
    if match := _FUNCTION.fullmatch(text):
        return _read_function(match[1], match[2].replace("/", " ").replace(",", " ").split())
    text = CSS_COLOURS.get(text, text)
    if text.startswith("#"):
        digits = text[1:]
        if len(digits) in (3, 4):
            digits = "".join(digit * 2 for digit in digits)
        if not re.fullmatch("(?:[0-9a-f]{2}){3,4}", digits):
            raise ValueError(text)
        red, green, blue, opacity = bytes.fromhex(digits.ljust(8, "f"))
        return Colour("rgb", (red / 255, green / 255, blue / 255)), opacity / 255
    raise ValueError(text)


def _read_function(name: str, parts: list[str]) -> tuple[Colour, float]:
    if len(parts) not in (3, 4):
        raise ValueError(name)
    opacity = read_share(parts[3]) if len(parts) == 4 else 1.0
    if name == "rgb":
        if len({part.endswith("%") for part in parts[:3]}) > 1:
            raise ValueError(name)
        values = [min(max(read_length(part, 255.0), 0.0), 255.0) / 255 for part in parts[:3]]
    else:
        hue = read_length(parts[0].removesuffix("deg")) / 360
        fullness, light = read_share(parts[1]), read_share(parts[2])
        values = list(hls_to_rgb(hue % 1, light, fullness))
    return Colour("rgb", tuple(round(value, 4) for value in values)), opacity


def find_address(text: str) -> str:
    """Return the address that a paint names, as #sky; nothing for a colour."""
    match = _NAME.match(text)
    return match[1] if match and match[1].startswith("#") else ""


class Paints:
    """The paints of a file."""

    def __init__(self, document: Document, styles: Styles) -> None:
        self._document = document
        self._styles = styles
        self._blends: dict[str, _Blend | None] = {}

    def find(
        self,
        element: etree._Element,
        style: Style,
        name: Literal["fill", "stroke"],
        box: Rect | None,
        onto: Matrix,
        view: Rect,
    ) -> Tint | None:
        """Return what a shape is filled or stroked with; `box` lies around it, and `onto` leads
        from its coordinates to those of the drawing.
        """
        text = style[name]
        opacity = self.read_opacity(element, style, f"{name}-opacity")
        if match := _NAME.match(text):
            found = self._find_named(element, name, match[1], match[2])
            if isinstance(found, str):
                text = found
            elif found is None or box is None:
                return None
            elif (tint := self._lay(found, opacity, box, onto, view)) or not match[2].strip():
                return tint
            else:  # a gradient that cannot be laid on a shape that is flat
                text = match[2].strip()
        if text in ("none", ""):
            return None
        if text in ("context-fill", "context-stroke"):
            self._refuse_paint(element, name, text)
            return None
        try:
            colour, own = read_colour(text, style["color"])
        except ValueError:
            self._document.complain(
                "svg/broken-data",
                element,
                f'<{get_tag(element)}> has {name}="{shorten(text)}"',
                "write a colour, as in #8a1c1c",
            )
            return None
        return Tint(colour, own * opacity)

    def read_opacity(self, element: etree._Element, style: Style, name: str) -> float:
        try:
            return read_plain_share(style[name])
        except ValueError:
            self._document.complain(
                "svg/broken-data",
                element,
                f'<{get_tag(element)}> has {name}="{shorten(style[name])}"',
                "write a number from 0 to 1",
            )
            return 1.0

    def _refuse_paint(self, element: etree._Element, name: str, what: str) -> None:
        self._document.complain(
            "svg/cannot-be-drawn",
            element,
            f'<{get_tag(element)}> has {name}="{shorten(what)}"',
            "paint it with a colour or a gradient, or save it as a PNG",
        )

    def _find_named(
        self, element: etree._Element, name: str, address: str, instead: str
    ) -> _Blend | str | None:
        """Return the gradient of an address, or what else to paint with where there is none."""
        what = f'<{get_tag(element)}> has {name}="url({shorten(address)})"'
        if not address.startswith("#"):
            self._document.complain(
                "svg/external", element, what, "put what it shows into this file"
            )
            return None
        target = self._document.ids.get(address[1:])
        if target is None and instead.strip():
            return instead.strip()
        if target is None:
            self._document.find_named(element, address[1:], what)
            return None
        tag = get_tag(target)
        if tag not in ("linearGradient", "radialGradient"):
            self._document.complain(
                "svg/cannot-be-drawn",
                element,
                f"{what}, a <{tag}>",
                "paint it with a colour or a gradient, or save it as a PNG",
            )
            return None
        if address not in self._blends:
            self._blends[address] = self._read_blend(target)
        return self._blends[address]

    def _read_blend(self, element: etree._Element) -> _Blend | None:
        """Return a gradient with what it takes from those that it refers to."""
        given: dict[str, str] = {}
        stops: tuple[tuple[float, Colour, float], ...] = ()
        one: etree._Element | None = element
        seen: list[etree._Element] = []
        while one is not None:
            if one in seen:
                self._document.complain(
                    "svg/circle", element, f"<{get_tag(element)}> refers to itself", "save it again"
                )
                return None
            seen.append(one)
            if not get_tag(one).endswith("Gradient"):
                self._document.complain(
                    "svg/unknown-reference",
                    element,
                    f"<{get_tag(element)}> refers to a <{get_tag(one)}>",
                    "let it refer to a gradient",
                )
                return None
            same = get_tag(one) == get_tag(element)
            given = {
                str(key): str(value) for key, value in one.attrib.items() if same or key in _COMMON
            } | given
            stops = stops or self._read_stops(one)
            one = self._document.find_target(one)
        tag: Literal["linearGradient", "radialGradient"] = (
            "linearGradient" if get_tag(element) == "linearGradient" else "radialGradient"
        )
        return _Blend(tag, given, stops, element)

    def _read_stops(self, element: etree._Element) -> tuple[tuple[float, Colour, float], ...]:
        found: list[tuple[float, Colour, float]] = []
        outer = self._styles.find_in_place(element)
        at = 0.0
        for stop in element:
            if not is_svg(stop) or get_tag(stop) != "stop":
                continue
            style = self._styles.find(stop, outer)
            try:
                at = max(at, read_plain_share(stop.get("offset") or "0"))
                colour, own = read_colour(style["stop-color"], style["color"])
            except ValueError:
                self._document.complain(
                    "svg/broken-data",
                    stop,
                    "<stop> has a broken offset or colour",
                    "write an offset from 0 to 1, and a colour, as in #8a1c1c",
                )
                continue
            found.append((at, colour, own * self.read_opacity(stop, style, "stop-opacity")))
        return tuple(found)

    def _lay(
        self, blend: _Blend, opacity: float, box: Rect, onto: Matrix, view: Rect
    ) -> Tint | None:
        """Return a gradient as it lies on a shape."""
        if not blend.stops:
            return None
        try:
            laid = _place_course(blend, self._styles.find_in_place(blend.element), box, view)
        except ValueError as error:
            self._document.complain(
                "svg/broken-data",
                blend.element,
                f'<{blend.kind}> has broken data at "{shorten(str(error))}"',
                "save it again",
            )
            return None
        if laid is None and not (box.width and box.height):
            return None
        if laid is None:
            _, colour, own = blend.stops[-1]
            return Tint(colour, own * opacity)
        course, matrix = laid
        matrix = matrix.then(onto)
        course, stops = _spread_ends(course, list(blend.stops))
        spread = blend.given.get("spreadMethod", "pad")
        if spread in ("repeat", "reflect"):
            reach = move_box(box, onto)
            repeated = _repeat(course, matrix, stops, reach, reflected=spread == "reflect")
            if repeated is None:
                self._document.complain(
                    "svg/cannot-be-drawn",
                    blend.element,
                    f'<{blend.kind}> has spreadMethod="{spread}" with too many repeats',
                    "make it pad",
                )
                return None
            course, stops = repeated
        return _tint(course, matrix, stops, opacity)


def _tint(
    course: Axis | Circles,
    matrix: Matrix,
    stops: list[tuple[float, Colour, float]],
    opacity: float,
) -> Tint:
    owns = {own for _, _, own in stops}
    if len({colour for _, colour, _ in stops}) == 1 and len(owns) == 1:
        return Tint(stops[0][1], owns.pop() * opacity)
    gradient = Gradient(course, tuple((at, colour) for at, colour, _ in stops), matrix)
    if len(owns) == 1:
        return Tint(gradient, owns.pop() * opacity)
    return Tint(gradient, opacity, tuple(own for _, _, own in stops))


def _spread_ends(
    course: Axis | Circles, stops: list[tuple[float, Colour, float]]
) -> tuple[Axis | Circles, list[tuple[float, Colour, float]]]:
    """Return a course that begins before stops which share its beginning, so that the first colour
    is what lies before it; and ends behind those at its end.
    """
    before = after = 0.0
    if len(stops) > 1 and stops[1][0] == 0:
        before = _BEYOND
        if isinstance(course, Circles):
            before = min(before, course.inner / (course.radius - course.inner))
        if not before:  # nothing lies within a circle of no size
            while len(stops) > 1 and stops[1][0] == 0:
                stops = stops[1:]
    if len(stops) > 1 and stops[-2][0] == 1:
        after = _BEYOND
    whole = 1 + before + after
    if whole == 1:
        return course, stops

    def go(start: float, end: float, at: float) -> float:
        return start + (end - start) * at

    def go_along(
        start: tuple[float, float], end: tuple[float, float], at: float
    ) -> tuple[float, float]:
        return go(start[0], end[0], at), go(start[1], end[1], at)

    first, last = -before, 1 + after
    found = [((at + before) / whole, colour, own) for at, colour, own in stops]
    if isinstance(course, Axis):
        start, end = course.start, course.end
        return Axis(go_along(start, end, first), go_along(start, end, last)), found
    focus, centre = course.focus, course.centre
    inner, outer = course.inner, course.radius
    return Circles(
        go_along(focus, centre, last),
        go(inner, outer, last),
        go_along(focus, centre, first),
        go(inner, outer, first),
    ), found


def _place_course(
    blend: _Blend, style: Style, box: Rect, view: Rect
) -> tuple[Axis | Circles, Matrix] | None:
    """Return where a gradient runs, and what leads from there to the shape's coordinates; None
    where it has one colour only.
    """
    given = blend.given
    by_box = given.get("gradientUnits", "objectBoundingBox") != "userSpaceOnUse"
    if by_box and not (box.width and box.height):
        return None
    whole = (1.0, 1.0) if by_box else (view.width, view.height)
    aslant = hypot(*whole) / 2**0.5

    def measure(name: str, otherwise: str, of: float) -> float:
        number = read_length(given.get(name, otherwise), of)
        if abs(number) > _FARTHEST:
            raise ValueError(given.get(name, otherwise))
        return number

    text = given.get("gradientTransform", "")
    matrix = read_transform_list(text)
    if not matrix.scale:
        raise ValueError(text)
    if origin := style["transform-origin"]:
        matrix = turn_around(matrix, origin, Rect(0, 0, *whole))
    if by_box:
        matrix = matrix.then(Matrix(box.width, 0, 0, box.height, box.x, box.y))
    if not matrix.scale:
        return None
    course: Axis | Circles
    if blend.kind == "linearGradient":
        start = measure("x1", "0%", whole[0]), measure("y1", "0%", whole[1])
        end = measure("x2", "100%", whole[0]), measure("y2", "0%", whole[1])
        course = Axis(start, end)
        far = hypot(end[0] - start[0], end[1] - start[1])
    else:
        x, y = measure("cx", "50%", whole[0]), measure("cy", "50%", whole[1])
        far = measure("r", "50%", aslant)
        fx, fy = measure("fx", repr(x), whole[0]), measure("fy", repr(y), whole[1])
        away = hypot(fx - x, fy - y)
        if far > 0 and away > 0.99 * far:
            fx, fy = x + (fx - x) * 0.99 * far / away, y + (fy - y) * 0.99 * far / away
        inner = max(measure("fr", "0", aslant), 0.0)
        if inner >= far > 0:
            raise ValueError(given["fr"])
        course = Circles((x, y), far, (fx, fy), inner)
    if far <= 1 / _FARTHEST:
        return None
    # Numbers are written with three decimals, so a course has a length of some hundreds.
    grow = 100 / far
    return _scale_course(course, grow), Matrix(1 / grow, 0, 0, 1 / grow, 0, 0).then(matrix)


def _scale_course(course: Axis | Circles, grow: float) -> Axis | Circles:
    def scale(point: tuple[float, float]) -> tuple[float, float]:
        return point[0] * grow, point[1] * grow

    if isinstance(course, Axis):
        return Axis(scale(course.start), scale(course.end))
    centre, focus = scale(course.centre), scale(course.focus)
    return Circles(centre, course.radius * grow, focus, course.inner * grow)


def measure_course(course: Axis | Circles, matrix: Matrix, reach: Rect) -> tuple[float, float]:
    """Return between which places of a course a box lies; 0 is its beginning, and 1 its end."""
    if not matrix.scale:
        return 0.0, 1.0
    box = matrix.invert().place(Box(reach.x, reach.y, reach.right, reach.bottom))
    corners = [(x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
    if isinstance(course, Circles):
        x, y = course.centre
        return 0.0, max(hypot(u - x, v - y) for u, v in corners) / course.radius
    (x, y), (x1, y1) = course.start, course.end
    dx, dy = x1 - x, y1 - y
    along = [((u - x) * dx + (v - y) * dy) / (dx * dx + dy * dy) for u, v in corners]
    return min(along), max(along)


def _repeat(
    course: Axis | Circles,
    matrix: Matrix,
    stops: list[tuple[float, Colour, float]],
    reach: Rect,
    *,
    reflected: bool,
) -> tuple[Axis | Circles, list[tuple[float, Colour, float]]] | None:
    """Return a gradient as often as it is needed to cover a box; None where that is too often."""
    low, high = measure_course(course, matrix, reach)
    first, last = floor(low + 1e-6), max(ceil(high - 1e-6), floor(low + 1e-6) + 1)
    count = last - first
    if count > _MOST_REPEATS:
        return None
    found: list[tuple[float, Colour, float]] = []
    for number in range(first, last):
        turned = reflected and number % 2
        run = [(1 - at, *rest) for at, *rest in reversed(stops)] if turned else stops
        whole = [(0.0, *run[0][1:]), *run, (1.0, *run[-1][1:])]
        found += [((number - first + at) / count, *rest) for at, *rest in whole]
    if isinstance(course, Circles):
        x, y = course.centre
        fx, fy = course.focus
        # The focus of each further circle is where the first one's is.
        wide = course.inner + (course.radius - course.inner) * last
        centre = fx + (x - fx) * last, fy + (y - fy) * last
        return Circles(centre, wide, course.focus, course.inner), found
    (x, y), (x1, y1) = course.start, course.end
    dx, dy = x1 - x, y1 - y
    return Axis((x + first * dx, y + first * dy), (x + last * dx, y + last * dy)), found


def move_box(box: Rect, matrix: Matrix) -> Rect:
    """Return the upright box around one that a matrix moves."""
    x0, y0, x1, y1 = matrix.place(Box(box.x, box.y, box.right, box.bottom))
    return Rect(x0, y0, x1 - x0, y1 - y0)
