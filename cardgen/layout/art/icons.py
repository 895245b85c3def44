"""An SVG file turned into one filled outline, and that outline fitted into a frame on a face.

Says everything in the file that no icon may hold. Knows nothing of decks, templates or PDF, nor
which colour an icon gets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from cardgen.core.colour import Paint
from cardgen.core.errors import CardgenError, Problem, Where, shorten
from cardgen.core.geometry import Rect
from cardgen.layout.art.contours import (
    NUMBER,
    Contours,
    close_calls,
    find_leftover,
    join_shapes,
    make_transform,
    trace_data,
    unite,
)
from cardgen.layout.face import Outline, Segment

if TYPE_CHECKING:
    from fontTools.misc.transform import Transform
    from lxml import etree

# _SvgDrawing programs are not exact: shapes may reach this share of the view box beyond it.
_OVERSHOOT = 0.01
_BLACK = ("black", "#000", "#000000", "currentcolor")

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


@dataclass(frozen=True, slots=True)
class IconShape:
    """A filled outline in the units of its view box; `bounds` is the box around the outline."""

    name: str
    view_box: Rect
    bounds: Rect
    segments: tuple[Segment, ...]
    even_odd: bool


def read_icon(path: Path, where: Where | None = None) -> IconShape:
    """Return the shape in an SVG file; `where` is the place that asks for it."""
    try:
        found = path.stat()
        return _read(path, path.absolute(), found.st_mtime_ns, found.st_size)
    except OSError as error:
        raise CardgenError(
            "icon/cannot-be-read", f'cannot read icon "{path}": {error.strerror}', where
        ) from error


def fit_icon(shape: IconShape, frame: Rect, fill: Paint) -> Outline:
    """Return the icon as large as the frame allows, its view box centred there."""
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
    """Return the shape in a file; `_file` changes when the file at this path does."""
    drawing = _read_svg(path)
    problems = _check_together(path, drawing)
    if problems:
        raise CardgenError.of(problems)
    shapes = [shape.contours for shape in drawing.painted]
    return IconShape(
        name=path.stem,
        view_box=drawing.view_box,
        bounds=unite(shape.bounds for shape in shapes),
        segments=join_shapes(shapes),
        even_odd=drawing.painted[0].fill.even_odd,
    )


class _Fill(NamedTuple):
    """How shapes are filled, which a group hands down to them."""

    colour: str = "black"
    even_odd: bool = False


class _PaintedShape(NamedTuple):
    """One painted shape of the file."""

    tag: str
    line: int | None
    fill: _Fill
    contours: Contours


class _SvgDrawing(NamedTuple):
    """Everything the file paints, which is at least one shape."""

    view_box: Rect
    painted: tuple[_PaintedShape, ...]


def _check_together(path: Path, drawing: _SvgDrawing) -> list[Problem]:
    """Return the problems of a shape beside the others, or in its view box."""
    problems: list[Problem] = []
    view_box, painted = drawing
    first = painted[0]

    def complain(code: str, shape: _PaintedShape, message: str, hint: str) -> None:
        where = Where(str(path), shape.line)
        problems.append(Problem(code, f"<{shape.tag}> {message}", where, hint))

    for i, shape in enumerate(painted):
        bounds = shape.contours.bounds
        if _name_colour(shape) != _name_colour(first):
            message = (
                f"is filled with {shape.fill.colour}, the shapes before it with {first.fill.colour}"
            )
            hint = "an icon has one colour; cut light parts out of the dark ones"
            complain("icon/several-colours", shape, message, hint)
        if shape.fill.even_odd != first.fill.even_odd:
            message = "has another fill-rule than the shapes before it"
            complain(
                "icon/fill-rules",
                shape,
                message,
                "give all shapes one fill-rule, or unite them into one path",
            )
        elif shape.fill.even_odd and any(
            bounds.overlaps(other.contours.bounds) for other in painted[:i]
        ):
            message = "overlaps a shape before it under fill-rule evenodd"
            complain("icon/fill-rules", shape, message, "unite the shapes into one path")
        if not view_box.contains(bounds, _OVERSHOOT * max(view_box[2:])):
            complain(
                "icon/beyond-view-box",
                shape,
                "reaches beyond the viewBox",
                "move it inside, or enlarge the viewBox",
            )
    return problems


def _name_colour(shape: _PaintedShape) -> str:
    return "black" if shape.fill.colour in _BLACK else shape.fill.colour


def _read_svg(path: Path) -> _SvgDrawing:
    """Return the drawing of a file; everything in it that no icon may hold is an error."""
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
        raise CardgenError("icon/not-svg", f"this is not an SVG file: {reason}", place) from error
    return _SvgReader(path).read(root)


class _SvgReader:
    """Walks one SVG tree; keeps what it paints, and everything that is wrong with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.painted: list[_PaintedShape] = []

    def read(self, root: etree._Element) -> _SvgDrawing:
        from fontTools.misc.transform import Identity

        if root.tag not in (f"{_SVG}svg", "svg"):
            self._complain(
                "icon/not-svg", root, f"this is not an SVG file: it starts with <{_get_tag(root)}>"
            )
            raise CardgenError.of(self.problems)
        view_box = self._read_view_box(root)
        self._walk_group(root, _Fill(), Identity)
        if not self.painted and not self.problems:
            self._complain("icon/empty", root, "this icon paints nothing", _PLAIN)
        if self.problems or view_box is None:
            raise CardgenError.of(self.problems)
        return _SvgDrawing(view_box, tuple(self.painted))

    def _complain(
        self, code: str, element: etree._Element, message: str, hint: str | None = None
    ) -> None:
        where = Where(str(self.path), _get_line(element))
        self.problems.append(Problem(code, message, where, hint))

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
        self._complain(
            "icon/no-view-box",
            root,
            given,
            'write its left, top, width and height, as in "0 0 64 64"',
        )
        return None

    def _walk_group(self, group: etree._Element, outer: _Fill, onto: Transform) -> None:
        fill = self._read_fill(group, outer)
        onto = onto.transform(self._read_transform(group))
        for element in group:
            if not isinstance(element.tag, str):
                self._complain(
                    "icon/unknown-part",
                    element,
                    f"an icon cannot hold {shorten(str(element))}",
                    _PLAIN,
                )
                continue
            tag = _get_tag(element)
            if element.tag not in (f"{_SVG}{tag}", tag) or tag in _UNSEEN or _is_hidden(element):
                continue
            if tag == "g":
                self._walk_group(element, fill, onto)
            elif tag in _SHAPES:
                self._read_shape(element, tag, fill, onto)
            else:
                self._complain(
                    "icon/unknown-part",
                    element,
                    f"an icon cannot hold <{tag}>",
                    _CURES.get(tag, _PLAIN),
                )

    def _read_fill(self, element: etree._Element, outer: _Fill) -> _Fill:
        tag, found = _get_tag(element), _read_properties(element)
        for name, value in found.items():
            if "url(" in value:
                self._complain(
                    "icon/not-plain", element, f'<{tag}> uses {name}="{shorten(value)}"', _PLAIN
                )
            elif name == "stroke" and value not in ("none", "inherit"):
                self._complain(
                    "icon/not-plain",
                    element,
                    f"<{tag}> has a stroke",
                    "convert strokes to outlines",
                )
            elif name in ("opacity", "fill-opacity") and value not in ("1", "1.0", "100%"):
                self._complain(
                    "icon/not-plain", element, f'<{tag}> is see-through: {name}="{value}"', _PLAIN
                )
        fill = found.get("fill", "inherit").lower()
        rule = found.get("fill-rule", "inherit")
        return _Fill(
            colour=outer.colour if fill == "inherit" or "url(" in fill else fill,
            even_odd=outer.even_odd if rule == "inherit" else rule == "evenodd",
        )

    def _read_transform(self, element: etree._Element) -> Transform:
        from fontTools.misc.transform import Identity

        if "transform" in _read_declarations(element):
            message = f"<{_get_tag(element)}> is transformed by its style"
            self._complain(
                "icon/not-plain", element, message, "write the transform as an attribute"
            )
        text = element.get("transform", "")
        transform = _parse_transform(text)
        if transform is None:
            message = f'<{_get_tag(element)}> has a broken transform="{shorten(text)}"'
            self._complain(
                "icon/broken-data", element, message, 'write it as in "rotate(45 32 32)"'
            )
            return Identity
        return transform

    def _read_shape(self, element: etree._Element, tag: str, outer: _Fill, onto: Transform) -> None:
        fill = self._read_fill(element, outer)
        onto = onto.transform(self._read_transform(element))
        data = self._read_path_data(element, tag)
        if data is None or fill.colour in ("none", "transparent"):
            return
        try:
            traced = trace_data(data, onto)
        except (ValueError, ArithmeticError):
            message = f'<{tag}> has broken data: "{shorten(data)}"'
            self._complain(
                "icon/broken-data", element, message, "save the icon again as a plain SVG"
            )
            return
        contours = close_calls(traced)
        if contours is not None:
            self.painted.append(_PaintedShape(tag, _get_line(element), fill, contours))

    def _read_path_data(self, element: etree._Element, tag: str) -> str | None:
        """Return the path data of any shape; None if it is broken or paints nothing."""
        from fontTools.svgLib.path.shapes import PathBuilder
        from lxml import etree

        builder = PathBuilder()
        data = element.get("d" if tag == "path" else "points")
        if data is not None:
            left_over = find_leftover(data)
            if left_over:
                message = f'<{tag}> has broken data at "{shorten(left_over)}"'
                self._complain(
                    "icon/broken-data", element, message, "save the icon again as a plain SVG"
                )
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
        """Return a rect, circle or ellipse in plain numbers; None if it is broken or empty."""
        from lxml import etree

        measures: dict[str, float] = {}
        for name in _MEASURES[tag]:
            text = element.get(name)
            match = _LENGTH.fullmatch(text) if text is not None else None
            if match:
                measures[name] = float(match[1])
            elif text is not None:
                message = f'<{tag}> has {name}="{shorten(text)}"'
                self._complain("icon/broken-data", element, message, "write a plain number")
            elif name in _SIZES[tag]:
                self._complain("icon/broken-data", element, f"<{tag}> has no {name}")
        if any(measures.get(name, 0) <= 0 for name in _SIZES[tag]):
            return None
        if tag == "rect":
            _complete_corners(measures)
        return etree.Element(tag, {name: repr(value) for name, value in measures.items()})


def _get_tag(element: etree._Element) -> str:
    return element.tag.rpartition("}")[2]


def _get_line(element: etree._Element) -> int | None:
    return cast("int | None", element.sourceline)


def _read_declarations(element: etree._Element) -> dict[str, str]:
    pairs = (part.partition(":") for part in element.get("style", "").split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs if name.strip()}


def _read_properties(element: etree._Element) -> dict[str, str]:
    """Return the attributes; what the style attribute says comes before them."""
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
    """Return a list of transforms as one; None if it is broken. fontTools reads only matrices."""
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
    """Give a rect both its radii, at most half a side, as SVG asks; fontTools does not."""
    rx = measures.get("rx", measures.get("ry", 0.0))
    ry = measures.get("ry", rx)
    round_off = rx > 0 and ry > 0
    measures["rx"] = min(rx, measures["width"] / 2) if round_off else 0.0
    measures["ry"] = min(ry, measures["height"] / 2) if round_off else 0.0
