"""Clip paths of an SVG: what of an element is seen.

Knows nothing of paints.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from cardgen.core.colour import BLACK
from cardgen.core.errors import shorten
from cardgen.core.geometry import Matrix, Rect
from cardgen.layout.art.contours import (
    Segments,
    close_path,
    is_finite,
    measure_segments,
    move_segments,
    unite_paths,
)
from cardgen.layout.art.svg.document import MOST_UNITS, Document, get_tag, is_svg
from cardgen.layout.art.svg.drawing import share_items
from cardgen.layout.art.svg.numbers import read_length
from cardgen.layout.art.svg.painter import Painter
from cardgen.layout.art.svg.scene import Scene, enter_units, read_transform
from cardgen.layout.art.svg.shapes import SHAPES
from cardgen.layout.art.svg.styles import Style, Styles
from cardgen.layout.art.svg.texts import Texts
from cardgen.layout.face import Clip, Item, Outline, Shared

if TYPE_CHECKING:
    from lxml import etree


class Clips:
    """The clip paths of a file."""

    def __init__(self, document: Document, styles: Styles, painter: Painter, texts: Texts) -> None:
        self._document = document
        self._styles = styles
        self._painter = painter
        self._texts = texts

    def find(
        self, element: etree._Element, scene: Scene, items: list[Item]
    ) -> tuple[tuple[Clip, ...], Shared | None] | None:
        """Return the clips of an element, or a mask where no path would do; None where nothing of
        it is seen.
        """
        target = find_named(self._document, element, "clip-path", scene.style, "clipPath")
        if target is None:
            return None
        with entering(self._document, target, scene) as fine:
            if not fine:
                return None
            style = self._styles.find_in_place(target)
            own = read_transform(self._document, target, style, scene)
            matrix = enter_units(target, scene, items, "clipPathUnits", own)
            inner = scene.go_into(target, matrix, style)
            paths = self._list_clip_paths(target, inner)
            outer: tuple[Clip, ...] = ()
            if style["clip-path"] not in ("none", ""):
                found = self.find(target, inner, items)
                if found is None or found[1] is not None:
                    return None
                outer = found[0]
        if not paths:
            return None
        rules = {even_odd for _, even_odd in paths}
        if len(paths) == 1 or rules == {False}:
            united = unite_paths([path for path, _ in paths])
            return (*outer, Clip(united, rules.pop())), None
        shapes = [
            Outline(path, BLACK, None, even_odd, measure_segments(path) or Rect(0, 0, 0, 0))
            for path, even_odd in paths
        ]
        return outer, share_items(shapes)

    def _list_clip_paths(self, target: etree._Element, scene: Scene) -> list[tuple[Segments, bool]]:
        found: list[tuple[Segments, bool]] = []
        for child in target:
            if not is_svg(child) or get_tag(child) in ("title", "desc", "metadata"):
                continue
            style = self._styles.find(child, scene.style)
            if style["display"] == "none" or style["visibility"] != "visible":
                continue
            if style["clip-path"] not in ("none", ""):
                self._document.complain(
                    "svg/cannot-be-drawn",
                    child,
                    f"<{get_tag(child)}> in a <clipPath> is itself clipped",
                    "unite the shapes of the clip",
                )
            matrix = read_transform(self._document, child, style, scene).then(scene.matrix)
            found += self._trace_clip(child, scene.go_into(child, matrix, style))
        return found

    def _trace_clip(self, element: etree._Element, scene: Scene) -> list[tuple[Segments, bool]]:
        even_odd = scene.style["clip-rule"] == "evenodd"
        tag = get_tag(element)
        if tag in SHAPES:
            paths = [self._painter.trace(element, scene)]
        elif tag == "text":
            self._document.spend(element)
            letterings = self._texts.trace(element, scene.style, scene.view)
            paths, even_odd = [lettering.segments for lettering in letterings], False
        elif tag == "use":
            self._document.spend(element)
            target = self._document.find_target(element)
            if target is None or get_tag(target) not in (*SHAPES, "text"):
                return []
            style = self._styles.find(target, scene.style)
            x, y = (
                read_length(element.get(name, "0"), whole)
                for name, whole in zip("xy", scene.view.size, strict=True)
            )
            matrix = read_transform(self._document, target, style, scene)
            matrix = matrix.then(Matrix(1, 0, 0, 1, x, y)).then(scene.matrix)
            return self._trace_clip(target, scene._replace(matrix=matrix, style=style))
        else:
            self._document.complain(
                "svg/cannot-be-drawn",
                element,
                f"a <clipPath> holds <{tag}>",
                "clip with shapes",
            )
            return []
        closed = [close_path(move_segments(path, scene.matrix)) for path in paths]
        if not all(is_finite(path, MOST_UNITS) for path in closed):
            self._document.refuse_far(element)
        return [(path, even_odd) for path in closed if path]


def find_named(
    document: Document,
    element: etree._Element,
    name: Literal["clip-path", "mask", "marker-start", "marker-mid", "marker-end"],
    style: Style,
    tag: str,
) -> etree._Element | None:
    text = style[name].strip()
    what = f'<{get_tag(element)}> has {name}="{shorten(text)}"'
    if not text.startswith("url(") or not text.endswith(")"):
        document.complain("svg/cannot-be-drawn", element, what, f"use a <{tag}> element")
        return None
    address = text[4:-1].strip(" '\"")
    if not address.startswith("#"):
        document.complain("svg/external", element, what, "put what it shows into this file")
        return None
    target = document.find_named(element, address[1:], what)
    if target is not None and get_tag(target) != tag:
        document.complain("svg/unknown-reference", element, what, f"name a <{tag}>")
        return None
    return target


@contextmanager
def entering(document: Document, element: etree._Element, scene: Scene) -> Iterator[bool]:
    """Whether an element that others refer to may be drawn: it is no part of itself."""
    if element in scene.within:
        document.complain(
            "svg/circle", element, f"<{get_tag(element)}> refers to itself", "take it out"
        )
        yield False
    else:
        yield True
