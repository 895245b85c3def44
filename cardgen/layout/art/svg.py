"""An SVG file turned into the filled shapes it paints, or into all it holds that no icon may.

Must not know of faces, nor of what the shapes must have in common to make an icon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import radians, tan
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from cardgen.core.colour import Paint
from cardgen.core.errors import CardgenError, Problem, Where, shorten
from cardgen.core.geometry import Rect
from cardgen.layout.face import Outline, Segment

if TYPE_CHECKING:
    from fontTools.misc.transform import Transform
    from lxml import etree


NUMBER = r"[-+]?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?"
_PATH_PARTS = re.compile(rf"{NUMBER}|[MmZzLlHhVvCcSsQqTtAa]|[\s,]+")

# A pen call as fontTools records it: its name and its points.
Call = tuple[str, tuple[Any, ...]]


class Contours(NamedTuple):
    """Closed contours that cover an area; `bounds` is what they themselves cover."""

    calls: tuple[Call, ...]
    bounds: Rect


def make_transform(name: str, numbers: list[float]) -> Transform | None:
    """A function of SVG's transform lists, or none if there is no such function."""
    from fontTools.misc.transform import Identity, Transform

    match name, numbers:
        case "matrix", [_, _, _, _, _, _]:
            return Transform(*numbers)
        case "translate", [x, *rest] if len(rest) < 2:
            return Identity.translate(x, rest[0] if rest else 0)
        case "scale", [x, *rest] if len(rest) < 2:
            return Identity.scale(x, rest[0] if rest else x)
        case "rotate", [angle]:
            return Identity.rotate(radians(angle))
        case "rotate", [angle, x, y]:
            return Identity.translate(x, y).rotate(radians(angle)).translate(-x, -y)
        case "skewX", [angle]:
            return Transform(1, 0, tan(radians(angle)), 1, 0, 0)
        case "skewY", [angle]:
            return Transform(1, tan(radians(angle)), 0, 1, 0, 0)
    return None


def find_leftover(data: str) -> str:
    """What of path data cannot be read: fontTools passes over it, and the shape would differ."""
    return _PATH_PARTS.sub("", data)


def trace(data: str, onto: Transform) -> list[Call]:
    """What path data draws; broken data is a ValueError or an ArithmeticError."""
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.svgLib.path import parse_path

    recording = RecordingPen()
    parse_path(data, TransformPen(recording, onto))
    return list(recording.value)


def close(traced: Iterable[Call]) -> Contours | None:
    """What filling the traced path covers, or none if that is no area."""
    calls = tuple(_tidy(traced))
    bounds = measure(calls)
    return Contours(calls, bounds) if bounds and bounds.width and bounds.height else None


def measure(calls: Iterable[Call]) -> Rect | None:
    """What the traced path itself covers; none if it draws nothing."""
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.recordingPen import replayRecording

    pen = BoundsPen(None, ignoreSinglePoints=True)
    replayRecording(calls, pen)
    if pen.bounds is None:
        return None
    left, top, right, bottom = pen.bounds
    return Rect(left, top, right - left, bottom - top)


def join(shapes: Sequence[Contours]) -> tuple[Segment, ...]:
    """All shapes as one path."""
    return tuple(to_segments(_turn(shapes)))


def unite(boxes: Iterable[Rect]) -> Rect:
    """The smallest box around all of them."""
    found = list(boxes)
    left, top = min(b.x for b in found), min(b.y for b in found)
    right, bottom = max(b.right for b in found), max(b.bottom for b in found)
    return Rect(left, top, right - left, bottom - top)


def _tidy(calls: Iterable[Call]) -> Iterator[Call]:
    """Close every contour, as filling does, drop lone points and the noise of sines."""
    contour: list[Call] = []
    for name, points in calls:
        if name in ("closePath", "endPath"):
            if len(contour) > 1:
                yield from contour
                yield ("closePath", ())
            contour = []
        else:
            contour.append((name, tuple((round(x, 6), round(y, 6)) for x, y in points)))


def _turn(shapes: Sequence[Contours]) -> Iterator[Call]:
    """All contours, turned the same way so that overlapping shapes add up."""
    from fontTools.pens.areaPen import AreaPen
    from fontTools.pens.recordingPen import RecordingPen, replayRecording
    from fontTools.pens.reverseContourPen import ReverseContourPen

    for shape in shapes:
        area = AreaPen()
        replayRecording(shape.calls, area)
        if len(shapes) > 1 and area.value < 0:
            recording = RecordingPen()
            replayRecording(shape.calls, ReverseContourPen(recording))
            yield from recording.value
        else:
            yield from shape.calls


def to_segments(calls: Iterable[Call]) -> Iterator[Segment]:
    x = y = 0.0
    for name, points in calls:
        if name == "endPath":
            continue
        if name == "closePath":
            yield ("Z", ())
            continue
        if name == "moveTo":
            yield ("M", points[0])
        elif name == "lineTo":
            yield ("L", points[0])
        elif name == "curveTo":
            yield ("C", tuple(v for point in points for v in point))
        else:
            (cx, cy), (ex, ey) = points
            near = (x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3)
            far = (ex + (cx - ex) * 2 / 3, ey + (cy - ey) * 2 / 3)
            yield ("C", (*near, *far, ex, ey))
        x, y = points[-1]


_SVG = "{http://www.w3.org/2000/svg}"
_SHAPES = ("circle", "ellipse", "path", "polygon", "polyline", "rect")
# Prose, and what only a url(...) or a <use> could bring in; both of those are errors themselves.
_UNSEEN = ("defs", "desc", "metadata", "title")
_SIZES = {"circle": ("r",), "ellipse": ("rx", "ry"), "rect": ("width", "height")}
_MEASURES = {
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "rect": ("x", "y", "width", "height", "rx", "ry"),
}

_PLAIN = f"an icon is filled shapes of one colour: {', '.join(_SHAPES)}, in groups (g) or alone"
_CURES = {
    "line": "convert strokes to outlines",
    "style": "write the fill on the shapes themselves",
    "text": "convert text to outlines",
    "use": "put a copy of the shape in its place",
}

_LENGTH = re.compile(rf"\s*({NUMBER})(?:px)?\s*")
_FUNCTION = re.compile(r"\s*([a-zA-Z]+)\s*\(([^()]*)\)\s*,?\s*")


class Style(NamedTuple):
    """What a group hands down to its shapes."""

    fill: str = "black"
    even_odd: bool = False


class Painted(NamedTuple):
    """One painted shape of the file."""

    tag: str
    line: int | None
    style: Style
    contours: Contours


class Drawing(NamedTuple):
    """Everything the file paints, which is at least one shape."""

    view_box: Rect
    painted: tuple[Painted, ...]


def read_svg(path: Path) -> Drawing:
    """What the file paints, or everything in it that no icon may hold."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(path.read_bytes(), parser)
    except etree.XMLSyntaxError as error:
        place = Where(str(path), error.lineno)
        reason = str(error.msg).partition(", line ")[0]
        raise CardgenError("layout/todo", f"this is not an SVG file: {reason}", place) from error
    return _Reader(path).read(root)


class _Reader:
    """Walks one SVG tree and keeps what it paints and everything wrong with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.painted: list[Painted] = []

    def read(self, root: etree._Element) -> Drawing:
        from fontTools.misc.transform import Identity

        if root.tag not in (f"{_SVG}svg", "svg"):
            self._report(root, f"this is not an SVG file: it starts with <{_name(root)}>")
            raise CardgenError.of(self.problems)
        view_box = self._read_view_box(root)
        self._walk_group(root, Style(), Identity)
        if not self.painted and not self.problems:
            self._report(root, "this icon paints nothing", _PLAIN)
        if self.problems or view_box is None:
            raise CardgenError.of(self.problems)
        return Drawing(view_box, tuple(self.painted))

    def _report(self, element: etree._Element, message: str, hint: str | None = None) -> None:
        self.problems.append(
            Problem("layout/todo", message, Where(str(self.path), _line(element)), hint)
        )

    def _read_view_box(self, root: etree._Element) -> Rect | None:
        text = root.get("viewBox")
        if text is None:
            lengths = [_LENGTH.fullmatch(root.get(name, "")) for name in ("width", "height")]
            numbers = [0.0, 0.0, *(float(match[1]) for match in lengths if match)]
        else:
            numbers = _read_numbers(text) or []
        if len(numbers) == 4 and numbers[2] > 0 and numbers[3] > 0:
            return Rect(*numbers)
        given = "the <svg> has no viewBox" if text is None else f'viewBox="{text}" is no box'
        self._report(root, given, 'write its left, top, width and height, as in "0 0 64 64"')
        return None

    def _walk_group(self, group: etree._Element, outer: Style, onto: Transform) -> None:
        style = self._read_style(group, outer)
        onto = onto.transform(self._read_transform(group))
        for element in group:
            if not isinstance(element.tag, str):
                self._report(element, f"an icon cannot hold {shorten(str(element))}", _PLAIN)
                continue
            tag = _name(element)
            if element.tag not in (f"{_SVG}{tag}", tag) or tag in _UNSEEN or _is_hidden(element):
                continue
            if tag == "g":
                self._walk_group(element, style, onto)
            elif tag in _SHAPES:
                self._read_shape(element, tag, style, onto)
            else:
                self._report(element, f"an icon cannot hold <{tag}>", _CURES.get(tag, _PLAIN))

    def _read_style(self, element: etree._Element, outer: Style) -> Style:
        tag, found = _name(element), _read_properties(element)
        for name, value in found.items():
            if "url(" in value:
                self._report(element, f'<{tag}> uses {name}="{shorten(value)}"', _PLAIN)
            elif name == "stroke" and value not in ("none", "inherit"):
                self._report(element, f"<{tag}> has a stroke", "convert strokes to outlines")
            elif name in ("opacity", "fill-opacity") and value not in ("1", "1.0", "100%"):
                self._report(element, f'<{tag}> is see-through: {name}="{value}"', _PLAIN)
        fill = found.get("fill", "inherit").lower()
        rule = found.get("fill-rule", "inherit")
        return Style(
            fill=outer.fill if fill == "inherit" or "url(" in fill else fill,
            even_odd=outer.even_odd if rule == "inherit" else rule == "evenodd",
        )

    def _read_transform(self, element: etree._Element) -> Transform:
        from fontTools.misc.transform import Identity

        if "transform" in _read_declarations(element):
            message = f"<{_name(element)}> is transformed by its style"
            self._report(element, message, "write the transform as an attribute")
        text = element.get("transform", "")
        transform = _parse_transform(text)
        if transform is None:
            message = f'<{_name(element)}> has a broken transform="{shorten(text)}"'
            self._report(element, message, 'write it as in "rotate(45 32 32)"')
            return Identity
        return transform

    def _read_shape(self, element: etree._Element, tag: str, outer: Style, onto: Transform) -> None:
        style = self._read_style(element, outer)
        onto = onto.transform(self._read_transform(element))
        data = self._read_path_data(element, tag)
        if data is None or style.fill in ("none", "transparent"):
            return
        try:
            traced = trace(data, onto)
        except (ValueError, ArithmeticError):
            message = f'<{tag}> has broken data: "{shorten(data)}"'
            self._report(element, message, "save the icon again as a plain SVG")
            return
        contours = close(traced)
        if contours is not None:
            self.painted.append(Painted(tag, _line(element), style, contours))

    def _read_path_data(self, element: etree._Element, tag: str) -> str | None:
        """The path data of any shape, or none if it is broken or paints nothing."""
        from fontTools.svgLib.path.shapes import PathBuilder
        from lxml import etree

        builder = PathBuilder()
        data = element.get("d" if tag == "path" else "points")
        if data is not None:
            left_over = find_leftover(data)
            if left_over:
                message = f'<{tag}> has broken data at "{shorten(left_over)}"'
                self._report(element, message, "save the icon again as a plain SVG")
                return None
        if tag in _SIZES:
            plain = self._read_measures(element, tag)
            if plain is None:
                return None
            builder.add_path_from_element(plain)
        elif data is not None and data.strip():
            builder.add_path_from_element(etree.Element(tag, d=data, points=data))
        return builder.paths[0] if builder.paths else None

    def _read_measures(self, element: etree._Element, tag: str) -> etree._Element | None:
        """A rect, circle or ellipse in plain numbers, or none if it is broken or has no extent."""
        from lxml import etree

        measures: dict[str, float] = {}
        for name in _MEASURES[tag]:
            text = element.get(name)
            match = _LENGTH.fullmatch(text) if text is not None else None
            if match:
                measures[name] = float(match[1])
            elif text is not None:
                message = f'<{tag}> has {name}="{shorten(text)}"'
                self._report(element, message, "write a plain number")
            elif name in _SIZES[tag]:
                self._report(element, f"<{tag}> has no {name}")
        if any(measures.get(name, 0) <= 0 for name in _SIZES[tag]):
            return None
        if tag == "rect":
            _complete_corners(measures)
        return etree.Element(tag, {name: repr(value) for name, value in measures.items()})


def _name(element: etree._Element) -> str:
    return element.tag.rpartition("}")[2]


def _line(element: etree._Element) -> int | None:
    return cast("int | None", element.sourceline)


def _read_declarations(element: etree._Element) -> dict[str, str]:
    pairs = (part.partition(":") for part in element.get("style", "").split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs if name.strip()}


def _read_properties(element: etree._Element) -> dict[str, str]:
    """The attributes, and over them what the style attribute says."""
    own = cast("dict[str, str]", dict(element.attrib))
    own.pop("style", None)
    return own | _read_declarations(element)


def _is_hidden(element: etree._Element) -> bool:
    found = _read_properties(element)
    return found.get("display") == "none" or found.get("visibility") == "hidden"


def _read_numbers(text: str) -> list[float] | None:
    parts = text.replace(",", " ").split()
    matches = [re.fullmatch(NUMBER, part) for part in parts]
    return [float(part) for part in parts] if all(matches) else None


def _parse_transform(text: str) -> Transform | None:
    """fontTools reads a matrix alone, so the functions of a list are multiplied here."""
    from fontTools.misc.transform import Identity

    whole, at = Identity, 0
    while at < len(text.rstrip()):
        match = _FUNCTION.match(text, at)
        one = make_transform(match[1], _read_numbers(match[2]) or []) if match else None
        if match is None or one is None:
            return None
        whole, at = whole.transform(one), match.end()
    return whole


def _complete_corners(measures: dict[str, float]) -> None:
    """Give a rect both its radii, at most half a side, as SVG asks and fontTools does not."""
    rx = measures.get("rx", measures.get("ry", 0.0))
    ry = measures.get("ry", rx)
    round_off = rx > 0 and ry > 0
    measures["rx"] = min(rx, measures["width"] / 2) if round_off else 0.0
    measures["ry"] = min(ry, measures["height"] / 2) if round_off else 0.0


_BLACK = ("black", "#000", "#000000", "currentcolor")

# Shapes may reach this share of the view box beyond it: drawing programs are not exact.
_OVERSHOOT = 0.01


@dataclass(frozen=True, slots=True)
class IconShape:
    """A filled outline in the units of its view box; `bounds` is what the outline itself covers."""

    name: str
    view_box: Rect
    bounds: Rect
    segments: tuple[Segment, ...]
    even_odd: bool


def read_icon(path: Path, where: Where | None = None) -> IconShape:
    """The shape in an SVG file; `where` is the place that asks for it."""
    try:
        found = path.stat()
        return _read(path, path.absolute(), found.st_mtime_ns, found.st_size)
    except OSError as error:
        raise CardgenError(
            "layout/todo", f'cannot read icon "{path}": {error.strerror}', where
        ) from error


def fit_icon(shape: IconShape, frame: Rect, fill: Paint) -> Outline:
    """The icon as large as the frame allows, its view box centred there."""
    box = shape.view_box
    scale = min(frame.width / box.width, frame.height / box.height)
    left = frame.x + (frame.width - box.width * scale) / 2 - box.x * scale
    top = frame.y + (frame.height - box.height * scale) / 2 - box.y * scale

    def place(points: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(v * scale + (top if i % 2 else left) for i, v in enumerate(points))

    x, y = place(shape.bounds[:2])
    return Outline(
        segments=tuple((kind, place(points)) for kind, points in shape.segments),
        fill=fill,
        stroke=None,
        even_odd=shape.even_odd,
        bounds=Rect(x, y, shape.bounds.width * scale, shape.bounds.height * scale),
    )


@lru_cache(maxsize=256)
def _read(path: Path, *_file: object) -> IconShape:
    """The shape in a file; `_file` tells it from another that has its path at another time."""
    drawing = read_svg(path)
    problems = _check_together(path, drawing)
    if problems:
        raise CardgenError.of(problems)
    shapes = [shape.contours for shape in drawing.painted]
    return IconShape(
        name=path.stem,
        view_box=drawing.view_box,
        bounds=unite(shape.bounds for shape in shapes),
        segments=join(shapes),
        even_odd=drawing.painted[0].style.even_odd,
    )


def _check_together(path: Path, drawing: Drawing) -> list[Problem]:
    """What is wrong with a shape only in the company of the others, or of the view box."""
    problems: list[Problem] = []
    view_box, painted = drawing
    first = painted[0]

    def report(shape: Painted, message: str, hint: str) -> None:
        where = Where(str(path), shape.line)
        problems.append(Problem("layout/todo", f"<{shape.tag}> {message}", where, hint))

    for i, shape in enumerate(painted):
        bounds = shape.contours.bounds
        if _colour_of(shape) != _colour_of(first):
            message = (
                f"is filled with {shape.style.fill}, the shapes before it with {first.style.fill}"
            )
            hint = "an icon has one colour; cut light parts out of the dark ones"
            report(shape, message, hint)
        if shape.style.even_odd != first.style.even_odd:
            message = "has another fill-rule than the shapes before it"
            report(shape, message, "give all shapes one fill-rule, or unite them into one path")
        elif shape.style.even_odd and any(
            bounds.overlaps(other.contours.bounds) for other in painted[:i]
        ):
            message = "overlaps a shape before it under fill-rule evenodd"
            report(shape, message, "unite the shapes into one path")
        if not view_box.contains(bounds, _OVERSHOOT * max(view_box[2:])):
            report(shape, "reaches beyond the viewBox", "move it inside, or enlarge the viewBox")
    return problems


def _colour_of(shape: Painted) -> str:
    return "black" if shape.style.fill in _BLACK else shape.style.fill


# MERGED: Path data and transforms turned into contours, and contours into the segments of one outline.
#
#   fontTools draws. Must not know of SVG elements, files, colours or problems.
#
# MERGED: An SVG file turned into one filled outline, and that outline into a frame on a face.
#
#   Must not know of decks, templates or PDF, nor which colour an icon gets, nor how SVG is written.
#
