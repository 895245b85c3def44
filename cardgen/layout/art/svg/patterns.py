"""Patterns of an SVG: a tile that is drawn once, and placed again and again behind a shape.

Knows nothing of how a shape is filled with them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor
from typing import TYPE_CHECKING

from cardgen.core.errors import shorten
from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.layout.art.outlines import trace_rect
from cardgen.layout.art.svg.document import Document, get_tag, is_svg
from cardgen.layout.art.svg.drawing import measure_items, share_items
from cardgen.layout.art.svg.numbers import (
    place_box,
    read_box,
    read_length,
    read_transform_list,
    turn_around,
)
from cardgen.layout.art.svg.paints import find_address, move_box
from cardgen.layout.art.svg.scene import Scene
from cardgen.layout.art.svg.styles import Styles
from cardgen.layout.face import Clip, Group, Item

if TYPE_CHECKING:
    from lxml import etree

# A shape has so many tiles at most.
MOST_TILES = 4_000
Draw = Callable[["etree._Element", Scene], list[Item]]


class Patterns:
    """The patterns of a file; `draw` draws what is in an element."""

    def __init__(self, document: Document, styles: Styles) -> None:
        self._document = document
        self._styles = styles
        self.draw: Draw = lambda _element, _scene: []

    def find(self, text: str) -> etree._Element | None:
        """Return the pattern that a paint names; None for any other paint."""
        address = find_address(text)
        target = self._document.ids.get(address[1:]) if address else None
        return target if target is not None and get_tag(target) == "pattern" else None

    def weave(self, pattern: etree._Element, scene: Scene, box: Rect, reach: Rect) -> list[Item]:
        """Return the tiles behind a shape in the drawing's coordinates; `box` lies around the shape
        and `reach` around all that is painted, both in the shape's own.
        """
        chain = self._list_chain(pattern)
        given: dict[str, str] = {}
        for one in reversed(chain):
            given |= {str(key): str(value) for key, value in one.attrib.items()}
        holder = next((one for one in chain if any(map(is_svg, one))), pattern)
        if holder in scene.within:
            self._document.complain("svg/circle", pattern, "<pattern> paints itself", "take it out")
            return []
        try:
            tile = _read_tile(given, scene, box)
            lean = read_transform_list(given.get("patternTransform", ""))
            if origin := self._styles.find_in_place(pattern)["transform-origin"]:
                by_box = given.get("patternUnits") != "userSpaceOnUse"
                lean = _lean_around(lean, origin, box if by_box else scene.view)
            content = _enter(given, tile, box)
        except ValueError as error:
            self._document.refuse_value(pattern, "pattern", shorten(str(error)))
            return []
        if tile.width <= 0 or tile.height <= 0 or not lean.scale or content is None:
            return []
        # A tile is drawn as large as it is seen, since its numbers are rounded.
        onto = lean.then(scene.matrix)
        scale = onto.scale or 1.0
        grow = Matrix(scale, 0, 0, scale, 0, 0)
        style = self._styles.find_in_place(holder)
        inner = scene.go_into(holder, content.then(grow), style)
        items = self.draw(holder, inner)
        frame = Rect(0, 0, tile.width * scale, tile.height * scale)
        bounds = measure_items(items)
        if bounds is None:
            return []
        visible = given.get("overflow") == "visible"
        if not visible and not frame.contains(bounds, tolerance=1e-6 * scale):
            items = [Group(share_items(items), clips=(Clip(trace_rect(frame, 0)),))]
        shared = share_items(items)
        around = move_box(reach, lean.invert())
        columns = range(
            floor((around.x - tile.x) / tile.width), ceil((around.right - tile.x) / tile.width)
        )
        rows = range(
            floor((around.y - tile.y) / tile.height), ceil((around.bottom - tile.y) / tile.height)
        )
        if len(columns) * len(rows) > MOST_TILES:
            self._document.complain(
                "svg/too-large",
                pattern,
                f"<pattern> has more than {MOST_TILES:,} tiles on a shape",
                "make its tiles larger, or save it as a PNG",
            )
            return []
        back = Matrix(1 / scale, 0, 0, 1 / scale, 0, 0)
        return [
            Group(shared, back.then(Matrix(1, 0, 0, 1, x, y)).then(onto))
            for row in rows
            for column in columns
            for x, y in [(tile.x + column * tile.width, tile.y + row * tile.height)]
        ]

    def _list_chain(self, pattern: etree._Element) -> list[etree._Element]:
        """Return a pattern, and those that it takes from what it does not say itself."""
        found: list[etree._Element] = []
        one: etree._Element | None = pattern
        while one is not None:
            if one in found or get_tag(one) != "pattern":
                self._document.complain(
                    "svg/circle", pattern, "<pattern> refers to itself", "save it again"
                )
                break
            found.append(one)
            one = self._document.find_target(one)
        return found


def _read_tile(given: dict[str, str], scene: Scene, box: Rect) -> Rect:
    """Return where the first tile lies, in the pattern's own coordinates."""
    by_box = given.get("patternUnits") != "userSpaceOnUse"
    wholes = ((box.width, box.height) if by_box else scene.view.size) * 2
    x, y, width, height = (
        read_length(given.get(name, "0"), 1.0 if by_box else whole, scene.style.em)
        * (whole if by_box else 1.0)
        for name, whole in zip(("x", "y", "width", "height"), wholes, strict=True)
    )
    return Rect(x + box.x, y + box.y, width, height) if by_box else Rect(x, y, width, height)


def _lean_around(lean: Matrix, origin: str, whole: Rect) -> Matrix:
    """Return a pattern's transform around a place in its room."""
    away, back = Matrix(1, 0, 0, 1, -whole.x, -whole.y), Matrix(1, 0, 0, 1, whole.x, whole.y)
    return away.then(turn_around(lean, origin, whole)).then(back)


def _enter(given: dict[str, str], tile: Rect, box: Rect) -> Matrix | None:
    """Return what leads from the content of a tile to the tile, from its top left; None where
    nothing is seen of it.
    """
    if "viewBox" in given:
        view = read_box(given["viewBox"])
        if view.width <= 0 or view.height <= 0 or tile.width <= 0 or tile.height <= 0:
            return None
        rule = given.get("preserveAspectRatio", "xMidYMid meet")
        return place_box(view, Rect(0, 0, *tile.size), rule)
    if given.get("patternContentUnits") == "objectBoundingBox":
        return Matrix(box.width, 0, 0, box.height, 0, 0)
    return IDENTITY
