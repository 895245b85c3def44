"""Where an element of an SVG is drawn, and how what is in it leads to the drawing.

Knows nothing of paints.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, radians, sin
from typing import TYPE_CHECKING, NamedTuple

from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.layout.art.contours import measure_segments
from cardgen.layout.art.svg.document import Document, get_tag
from cardgen.layout.art.svg.drawing import measure_shapes
from cardgen.layout.art.svg.markers import Corner
from cardgen.layout.art.svg.numbers import (
    place_box,
    read_box,
    read_length,
    read_transform_list,
    turn_around,
)
from cardgen.layout.art.svg.shapes import SHAPES, trace_shape
from cardgen.layout.art.svg.styles import Style
from cardgen.layout.face import Item

if TYPE_CHECKING:
    from lxml import etree


_FRAME = ("markerWidth", "markerHeight")
_NOTHING = Matrix(0, 0, 0, 0, 0, 0)
# How many of each unit make a whole turn; "grad" ends like "rad".
_TURNS = {"deg": 360, "grad": 400, "rad": 2 * pi, "turn": 1}


class Scene(NamedTuple):
    """Where an element is drawn: what leads to the drawing's coordinates, what percentages are of,
    how it is painted, and what it is in.
    """

    matrix: Matrix
    view: Rect
    style: Style
    within: tuple[etree._Element, ...] = ()
    # What context-fill and context-stroke mean in a marker.
    context: tuple[str, str] | None = None

    def go_into(self, element: etree._Element, matrix: Matrix, style: Style) -> Scene:
        """Return where the content of an element is drawn that has a matrix of its own."""
        return Scene(matrix, self.view, style, (*self.within, element))


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


def place_marker(
    marker: etree._Element, scene: Scene, corner: Corner
) -> tuple[Matrix, Matrix, Rect]:
    """Return what leads from a marker's frame to the drawing, what leads from its content into the
    frame, and the frame; what is broken is a ValueError.
    """
    em = scene.style.em
    width, height = (read_length(marker.get(name, "3"), 0.0, em) for name in _FRAME)
    frame = Rect(0, 0, width, height)
    inner = IDENTITY
    if text := marker.get("viewBox"):
        rule = marker.get("preserveAspectRatio", "xMidYMid meet")
        inner = place_box(read_box(text), frame, rule) if width > 0 and height > 0 else _NOTHING
    box = read_box(marker.get("viewBox", f"0 0 {width} {height}"))
    x, y = (
        _read_place(marker.get(name, "0"), whole, em)
        for name, whole in (("refX", box.width), ("refY", box.height))
    )
    dx, dy = inner.map(x, y)
    orient = marker.get("orient", "0").strip()
    turn = corner.turn
    if orient == "auto-start-reverse" and corner.name == "marker-start":
        turn += pi
    elif not orient.startswith("auto"):
        turn = radians(_read_angle(orient))
    size = 1.0
    if marker.get("markerUnits") != "userSpaceOnUse":
        size = read_length(scene.style["stroke-width"], scene.view.width, em)
    c, s = cos(turn) * size, sin(turn) * size
    onto = Matrix(1, 0, 0, 1, -dx, -dy).then(Matrix(c, s, -s, c, corner.x, corner.y))
    return onto.then(scene.matrix), inner, frame


def _read_angle(text: str) -> float:
    """Return an angle in degrees, in any unit."""
    for unit, turn in _TURNS.items():
        if text.endswith(unit):
            return read_length(text.removesuffix(unit)) * 360 / turn
    return read_length(text)


def _read_place(text: str, whole: float, em: float) -> float:
    shares = {"left": 0.0, "top": 0.0, "center": 0.5, "right": 1.0, "bottom": 1.0}
    return shares[text] * whole if text in shares else read_length(text, whole, em)
