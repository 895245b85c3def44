"""Where an element of an SVG is drawn, and how what is in it leads to the drawing.

Knows nothing of paints.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.layout.art.contours import measure_segments
from cardgen.layout.art.svg.document import Document, get_tag
from cardgen.layout.art.svg.drawing import measure_shapes
from cardgen.layout.art.svg.numbers import read_transform_list, turn_around
from cardgen.layout.art.svg.shapes import SHAPES, trace_shape
from cardgen.layout.art.svg.styles import Style
from cardgen.layout.face import Item

if TYPE_CHECKING:
    from lxml import etree


class Scene(NamedTuple):
    """Where an element is drawn: what leads to the drawing's coordinates, what percentages are of,
    how it is painted, and what it is in.
    """

    matrix: Matrix
    view: Rect
    style: Style
    within: tuple[etree._Element, ...] = ()


def read_transform(
    document: Document, element: etree._Element, style: Style, scene: Scene
) -> Matrix:
    text = style["transform"] or element.get("transform") or ""
    if not text.strip() or text.strip() == "none":
        return IDENTITY
    try:
        matrix = read_transform_list(text)
        if origin := style["transform-origin"]:
            matrix = turn_around(matrix, origin, scene.view)
    except ValueError:
        document.refuse_value(element, "transform", text, 'write it as in "rotate(45 32 32)"')
        return IDENTITY
    return matrix


def enter_units(
    target: etree._Element, scene: Scene, items: Sequence[Item], name: str, own: Matrix
) -> Matrix:
    """Return what leads from a clip's or mask's own coordinates to the drawing's; `own` is its own
    transform.
    """
    if target.get(name) != "objectBoundingBox":
        return own.then(scene.matrix)
    box = measure_target(scene, items)
    return Matrix(box.width, 0, 0, box.height, box.x, box.y).then(own).then(scene.matrix)


def measure_target(scene: Scene, items: Sequence[Item]) -> Rect:
    """Return the box around what an element draws, in the element's own coordinates."""
    element = scene.within[-1]
    if get_tag(element) in SHAPES:
        try:
            segments = trace_shape(element, scene.view, scene.style.em)
        except ValueError:
            segments = ()
        box = measure_segments(segments)
    else:
        box = measure_shapes(items, scene.matrix.invert())
    return box or Rect(0, 0, 0, 0)
