"""Shapes and texts of an SVG painted: filled, stroked, and as opaque as their paints are.

Knows nothing of what they are in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from cardgen.core.colour import BLACK, Colour, Gradient
from cardgen.core.errors import shorten
from cardgen.core.geometry import Matrix, Rect
from cardgen.layout.art.contours import (
    Segments,
    close_path,
    is_finite,
    measure_length,
    measure_segments,
    move_segments,
)
from cardgen.layout.art.outlines import make_rect
from cardgen.layout.art.svg.document import MOST_UNITS, Document, get_tag
from cardgen.layout.art.svg.drawing import Painted, is_even, place_group, share_items
from cardgen.layout.art.svg.numbers import read_length
from cardgen.layout.art.svg.paints import Paints, Tint, move_box
from cardgen.layout.art.svg.patterns import Patterns
from cardgen.layout.art.svg.ramps import make_ramp
from cardgen.layout.art.svg.scene import Scene
from cardgen.layout.art.svg.shapes import Missing, trace_shape
from cardgen.layout.art.svg.texts import Texts
from cardgen.layout.face import Cap, Clip, Group, Item, Join, Outline, Stroke

if TYPE_CHECKING:
    from lxml import etree


class Painter:
    """Paints what has an outline.

    painted: what was painted with what, but for what is never seen itself, as a mask
    """

    def __init__(
        self, document: Document, paints: Paints, texts: Texts, patterns: Patterns
    ) -> None:
        self._document = document
        self._patterns = patterns
        self._paints = paints
        self._texts = texts
        self.painted: list[Painted] = []
        self.hidden = 0  # how many masks are being drawn
        # What is not seen, but counts in the box around what it is in.
        self.unseen: list[Item] = []

    def draw_text(self, element: etree._Element, scene: Scene) -> list[Item]:
        self._document.spend(element)
        letterings = self._texts.trace(element, scene.style, scene.view)
        everything = measure_segments(
            segment for lettering in letterings for segment in lettering.segments
        )
        found: list[Item] = []
        for lettering in letterings:
            self._document.spend(element)
            part = scene._replace(style=lettering.style)
            found += self._paint(lettering.element, part, lettering.segments, everything)
        return found

    def draw_shape(self, element: etree._Element, scene: Scene) -> list[Item]:
        segments = self.trace(element, scene)
        if not segments:
            return []
        return self._paint(element, scene, segments, measure_segments(segments))

    def trace(self, element: etree._Element, scene: Scene) -> Segments:
        """Return the outline of a shape in its own coordinates; nothing for one that is broken."""
        data = element.get("d") or element.get("points") or ""
        self._document.spend(element, len(data))
        tag = get_tag(element)
        try:
            segments = trace_shape(element, scene.view, scene.style.em)
        except Missing as missing:
            self._document.complain(
                "svg/broken-data", element, f"<{tag}> has no {missing}", "write it"
            )
            return ()
        except (ValueError, OverflowError) as error:
            self._document.complain(
                "svg/broken-data",
                element,
                f'<{tag}> has broken data: "{shorten(data or str(error))}"',
                "save it again as a plain SVG",
            )
            return ()
        return segments

    def _paint(
        self, element: etree._Element, scene: Scene, segments: Segments, box: Rect | None
    ) -> list[Item]:
        """Return a shape filled and stroked."""
        if box is None:
            return []
        scene = _take_context(scene)
        style, matrix = scene.style, scene.matrix
        moved = move_segments(segments, matrix)
        if not is_finite(moved, MOST_UNITS):
            self._document.refuse_far(element)
            return []
        around = measure_segments(moved) or move_box(box, matrix)
        if style["visibility"] != "visible":
            self.unseen.append(Outline(moved, None, None, False, around))
            return []
        found: list[Item] = []
        even_odd = style["fill-rule"] == "evenodd"
        pattern = self._patterns.find(style["fill"])
        if pattern is not None:
            tiles = self._patterns.weave(pattern, scene, box, box)
            if tiles and get_tag(element) != "line":
                opacity = self._paints.read_opacity(element, style, "fill-opacity")
                clip = Clip(close_path(moved), even_odd)
                found.append(Group(share_items(tiles), clips=(clip,), opacity=opacity))
        elif (
            (fill := self._paints.find(element, style, "fill", box, matrix, scene.view)) is not None
            and fill.opacity > 0
            and get_tag(element) != "line"
        ):
            self._note(element, fill)
            found.append(_fill(moved, fill, even_odd=even_odd, bounds=around))
        pattern = self._patterns.find(style["stroke"])
        if pattern is not None:
            line = self._read_stroke(element, scene, segments)
            if line is not None:
                found += self._weave_line(pattern, element, scene, segments, moved, box, line)
        elif (
            stroke := self._paints.find(element, style, "stroke", box, matrix, scene.view)
        ) is not None and stroke.opacity > 0:
            line = self._read_stroke(element, scene, segments)
            if line is not None:
                self._note(element, stroke)
                found.append(_stroke(segments, moved, matrix, line, stroke))
        if not found:
            self.unseen.append(Outline(moved, None, None, False, around))
        if style["paint-order"].startswith(("stroke", "markers stroke")):
            found.reverse()
        return found

    def _weave_line(
        self,
        pattern: etree._Element,
        element: etree._Element,
        scene: Scene,
        segments: Segments,
        moved: Segments,
        box: Rect,
        line: Stroke,
    ) -> list[Item]:
        """Return a line that is painted with a pattern: the tiles, shown by the line."""
        drawn = share_items([_draw_line(segments, moved, scene.matrix, line, BLACK)])
        reach = move_box(drawn.bounds, scene.matrix.invert())
        tiles = self._patterns.weave(pattern, scene, box, reach)
        opacity = self._paints.read_opacity(element, scene.style, "stroke-opacity")
        return [Group(share_items(tiles), opacity=opacity, mask=drawn)] if tiles else []

    def _note(self, element: etree._Element, tint: Tint) -> None:
        """Keep what an element is painted with; a mask is not seen itself."""
        if not self.hidden:
            where = self._document.locate(element)
            self.painted.append(Painted(tint.paint, get_tag(element), where))

    def _read_stroke(
        self, element: etree._Element, scene: Scene, segments: Segments
    ) -> Stroke | None:
        """Return the line of a shape, in the shape's own units; None where it has no width."""
        style, view = scene.style, scene.view
        aslant = ((view.width**2 + view.height**2) / 2) ** 0.5
        name = "stroke-width"
        try:
            width = read_length(style[name], aslant, style.em)
            name = "stroke-miterlimit"
            miter = max(float(style[name]), 1.0)
            name = "stroke-dashoffset"
            offset = read_length(style[name], aslant, style.em)
            name = "stroke-dasharray"
            dash = _read_dash(style[name], aslant, style.em)
            if dash and (said := element.get("pathLength")):
                # Dashes are measured by what the path is said to be long.
                share = measure_length(segments) / read_length(said)
                dash, offset = tuple(length * share for length in dash), offset * share
        except (ValueError, ZeroDivisionError):
            self._document.refuse_value(element, name, style[name], "write plain numbers")
            return None
        if width <= 0:
            return None
        if style["vector-effect"] == "non-scaling-stroke":
            scale = scene.matrix.scale
            width, dash, offset = width / scale, tuple(d / scale for d in dash), offset / scale
        cap, join = style["stroke-linecap"], style["stroke-linejoin"]
        if join in ("miter-clip", "arcs"):
            join = "miter"
        return Stroke(
            BLACK,
            width,
            _begin_dash(dash, offset),
            cast(Cap, cap if cap in ("round", "square") else "butt"),
            cast(Join, join if join in ("round", "bevel") else "miter"),
            miter,
        )


def _take_context(scene: Scene) -> Scene:
    """Return a scene that paints with what its marker's line is painted with, where it says so."""
    if scene.context is None:
        return scene
    meant = dict(zip(("context-fill", "context-stroke"), scene.context, strict=True))
    given = {
        name: meant[scene.style[name]] for name in ("fill", "stroke") if scene.style[name] in meant
    }
    return scene._replace(style=scene.style.change(given)) if given else scene


def _fill(segments: Segments, tint: Tint, *, even_odd: bool, bounds: Rect) -> Item:
    return _show(Outline(segments, tint.paint, None, even_odd, bounds), tint, bounds)


def _show(item: Item, tint: Tint, bounds: Rect) -> Item:
    """Return an item as opaque as its paint is."""
    mask = None
    if tint.stops and isinstance(tint.paint, Gradient):
        mask = make_ramp(tint.paint, tint.stops, bounds)
    if mask is None and tint.opacity == 1:
        return item
    return Group(share_items([item]), opacity=tint.opacity, mask=mask)


def _stroke(segments: Segments, moved: Segments, matrix: Matrix, line: Stroke, tint: Tint) -> Item:
    """Return a line along a path; `moved` is the path in the drawing's coordinates."""
    if isinstance(tint.paint, Colour):
        return _show(_draw_line(segments, moved, matrix, line, tint.paint), tint, Rect(0, 0, 0, 0))
    # Lines have one colour; so the gradient is shown by a line.
    drawn = share_items([_draw_line(segments, moved, matrix, line, BLACK)])
    painted = make_rect(drawn.bounds, 0, tint.paint, None)
    shown = Group(share_items([painted]), opacity=tint.opacity, mask=drawn)
    return _show(shown, tint._replace(opacity=1.0), drawn.bounds)


def _draw_line(
    segments: Segments, moved: Segments, matrix: Matrix, line: Stroke, colour: Colour
) -> Item:
    line = line._replace(colour=colour)
    if is_even(matrix):
        scale = matrix.scale
        line = line._replace(
            width=line.width * scale, dash=tuple(length * scale for length in line.dash)
        )
        return _make_outline(moved, line)
    return place_group([_make_outline(segments, line)], matrix)


def _make_outline(segments: Segments, line: Stroke) -> Outline:
    return Outline(segments, None, line, False, measure_segments(segments) or Rect(0, 0, 0, 0))


def _read_dash(text: str, whole: float, em: float) -> tuple[float, ...]:
    if text.strip() in ("none", "", "null"):
        return ()
    dash = tuple(read_length(part, whole, em) for part in text.replace(",", " ").split())
    if min(dash) < 0:
        raise ValueError(text)
    if not sum(dash):
        return ()
    return dash * 2 if len(dash) % 2 else dash


def _begin_dash(dash: tuple[float, ...], offset: float) -> tuple[float, ...]:
    """Return dashes that begin so far within their pattern."""
    offset = offset % sum(dash) if dash else 0.0
    if not offset:
        return dash
    at = 0
    while offset >= dash[at]:
        offset -= dash[at]
        at += 1
    rest = dash[at] - offset
    turned = (*dash[at + 1 :], *dash[:at])
    if at % 2:  # it begins within a gap
        return (0.0, rest, *turned, offset)
    return (rest, *turned, offset, 0.0)
