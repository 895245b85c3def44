"""Circles, polygons, stars and arcs: traced, within their boxes, and with what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from math import atan2, degrees, hypot

import pytest
from conftest import Project
from PIL import Image, ImageChops
from pypdfium2 import PdfDocument

from cardgen.core.colour import BLACK
from cardgen.core.errors import Refusal
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.units import MM
from cardgen.layout.art.shapes import find_aspect, trace_figure
from cardgen.layout.face import Face, Item, Outline, Segment, Stroke
from cardgen.output.pdf import FilledPage, PageDrawer, PlacedFace, make_pdf
from cardgen.output.pdfx import Head
from cardgen.output.resources import Resources
from cardgen.pages.impose import Page, Placement
from cardgen.template.figures import (
    Arc,
    Corners,
    Figure,
    Regular,
    Round,
    Rounded,
    parse_figure,
    parse_points,
)

BOX = Rect(10, 20, 60, 40)


def list_points(segments: tuple[Segment, ...]) -> Iterator[tuple[float, float]]:
    """Points all along a path."""
    at = (0.0, 0.0)
    for operator, values in segments:
        if operator == "C":
            x1, y1, x2, y2, x3, y3 = values
            for step in range(11):
                t, s = step / 10, 1 - step / 10
                a, b, c, d = s**3, 3 * s * s * t, 3 * s * t * t, t**3
                yield (
                    a * at[0] + b * x1 + c * x2 + d * x3,
                    a * at[1] + b * y1 + c * y2 + d * y3,
                )
        elif operator != "Z":
            yield values[0], values[1]
        if operator != "Z":
            at = values[-2], values[-1]


# What a text calls


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("circle", Round()),
        ("ellipse", Round(even=False)),
        ("hexagon", Regular(6)),
        ("hexagon 30", Regular(6, angle=30)),
        ("polygon 7", Regular(7)),
        ("star 5", Regular(5, 0.4)),
        ("star 8 0.75", Regular(8, 0.75)),
        ("rounded 3mm", Rounded(3 * MM)),
    ],
)
def test_a_figure_is_called(text: str, figure: Figure) -> None:
    assert parse_figure(text) == figure


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hexagn", 'did you mean "hexagon"?'),
        ("", 'unknown shape ""'),
        ("circle 3", "says too much or too little"),
        ("polygon", "says too much or too little"),
        ("polygon 2", "is not a whole number from 3"),
        ("polygon 6.5", "is not a whole number from 3"),
        ("star 5 2", "is not a number from 0 to 1"),
        ("star five", '"five" is not a number'),
        ("rounded", "says too much or too little"),
    ],
)
def test_what_calls_no_figure_is_refused(text: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_figure(text)
    assert message in f"{caught.value}; {caught.value.hint}"


def test_points_are_written_as_in_svg() -> None:
    assert parse_points(" 0,0 10 -5.5\n 5,8 ") == ((0, 0), (10, -5.5), (5, 8))
    for text in ("0,0 1,1", "0,0 1,1 2", "0,0 1,1 2,a", "0 0 " * 1001):
        with pytest.raises(Refusal):
            parse_points(text)


# Traced


def test_a_circle_is_round() -> None:
    points = list(list_points(trace_figure(Round(), BOX).segments))
    assert len(points) == 45
    for x, y in points:
        assert hypot(x - 40, y - 40) == pytest.approx(20, rel=3e-4)


def test_an_ellipse_fills_its_box() -> None:
    for x, y in list_points(trace_figure(Round(even=False), BOX).segments):
        assert hypot((x - 40) / 30, (y - 40) / 20) == pytest.approx(1, rel=3e-4)


@pytest.mark.parametrize(
    ("kind", "radii"), [("line", {20}), ("chord", {20}), ("pie", {20, 0}), ("ring", {20, 10})]
)
def test_an_arc_runs_clockwise_from_the_top(kind: str, radii: set[float]) -> None:
    arc = Arc(-30, 75, kind, 0.5)  # type: ignore[arg-type]
    points = list(list_points(trace_figure(arc, BOX).segments))
    assert {round(hypot(x - 40, y - 40), 1) for x, y in points} == radii
    angles = [degrees(atan2(x - 40, 40 - y)) for x, y in points if hypot(x - 40, y - 40) > 1]
    assert (min(angles), max(angles)) == pytest.approx((-30, 75))
    assert angles[0] == pytest.approx(-30)


def test_a_whole_ring_has_a_hole() -> None:
    ring = trace_figure(Arc(10, 370, "ring", 0.5), BOX).segments
    assert "".join(operator for operator, _ in ring) == "MCCCCZMCCCCZ"
    assert trace_figure(Arc(90, 90, "pie"), BOX).segments == ()


def test_round_corners_touch_their_edges() -> None:
    """A square of 20 with corners of 5: the same as a rectangle with such corners."""
    square = trace_figure(Regular(4, angle=45, radius=5), Rect(0, 0, 20, 20)).segments
    for x, y in list_points(square):
        dx, dy = max(abs(x - 10) - 5, 0), max(abs(y - 10) - 5, 0)
        assert max(abs(x - 10), abs(y - 10)) == pytest.approx(10) or hypot(dx, dy) == (
            pytest.approx(5, rel=3e-4)
        )
    assert sum(operator == "C" for operator, _ in square) == 4
    # Where there is less room, they are as round as it allows.
    most = trace_figure(Regular(4, angle=45, radius=50), Rect(0, 0, 20, 20)).segments
    for x, y in list_points(most):
        assert hypot(x - 10, y - 10) == pytest.approx(10, rel=3e-4)


def render(*items: Item) -> Image.Image:
    """Draw items on a page of 100 points, four pixels each."""
    whole = Rect(0, 0, 100, 100)
    face, resources = Face(Size(100, 100), Insets(), items), Resources()
    place = Placement(0, "front", whole, turned=False, clip=whole)
    page = Page(Size(100, 100), "front", 1, whole, whole, (place,), ())
    drawn = PageDrawer(resources).draw(FilledPage(page, (PlacedFace(face, again=False),)))
    pdf = make_pdf(Head("figures", "", "en", "cardgen", "simplex"), [drawn], resources)
    image: Image.Image = PdfDocument(pdf)[0].render(scale=4).to_pil().convert("L")
    return image


@pytest.mark.parametrize("join", ["miter", "round", "bevel"])
@pytest.mark.parametrize(
    "figure",
    [
        *(Round(), Round(even=False), Rounded(9), Regular(3), Regular(6), Regular(6, None, 17)),
        *(Regular(5, 0.4), Regular(9, 0.2, 5), Regular(6, None, 0, 8), Arc(0, 360, "ring")),
    ],
    ids=repr,
)
def test_a_figure_and_its_stroke_fill_the_box(figure: Figure, join: str) -> None:
    stroke = Stroke(BLACK, 5, join=join)  # type: ignore[arg-type]
    traced = trace_figure(figure, BOX, stroke)
    image = render(Outline(traced.segments, None, stroke, False, traced.bounds))
    found = ImageChops.invert(image).point(lambda value: value > 100 and 255).getbbox()
    assert found is not None
    left, top, right, bottom = (edge / 4 for edge in found)
    assert left >= 9.7 and top >= 19.7 and right <= 70.3 and bottom <= 60.3
    box = traced.box
    if join == "miter":
        # Needles end in less than a pixel, and for round corners a little room is left.
        near = 2 if figure in (Regular(9, 0.2, 5), Regular(6, None, 0, 8)) else 0.3
        assert (left, top, right, bottom) == pytest.approx(
            (box.x, box.y, box.right, box.bottom), abs=near
        )
    assert box.height == pytest.approx(40) or box.width == pytest.approx(60)


def test_a_stroke_that_takes_all_the_room_is_refused() -> None:
    for figure in (Round(), Regular(5, 0.4), Arc(0, 90)):
        with pytest.raises(Refusal) as caught:
            trace_figure(figure, Rect(0, 0, 9, 9), Stroke(BLACK, 9))
        assert caught.value.code == "layout/shape-has-no-room"


def test_what_form_a_figure_has() -> None:
    assert find_aspect(Regular(4)) == pytest.approx(1)
    assert find_aspect(Regular(3)) == pytest.approx(0.866, abs=1e-3)
    assert find_aspect(Corners(((0, 0), (1, 1), (2, 0)), Size(4, 2))) == 0.5
    assert find_aspect(Corners(((0, 0), (1, 1), (2, 0)))) == 0


# On a card


PAGE = """
<circle x="5mm" y="5mm" width="20mm" height="10mm" fill="#ff0000">
  <box x="4mm" width="2mm" y="4mm" height="2mm" fill="black"/>
</circle>
<polygon x="30mm" y="5mm" width="10mm" height="10mm" sides="4" angle="45" clip="true" padding="2mm"
  stroke="#0000ff" stroke-width="1mm" fill="#ffff00"><image file="red.png" fit="cover"/></polygon>
<circle x="5mm" y="20mm" width="10mm" height="10mm" clip="true">
  <box x="-5mm" y="-5mm" width="20mm" height="20mm" fill="#00ff00"/>
</circle>
<column x="30mm" y="20mm" width="10mm">
  <polygon sides="3" fill="#ff0000"/><box height="2mm" fill="#0000ff"/>
</column>
<row x="16mm" y="20mm" height="10mm">
  <polygon sides="3" height="10mm" fill="#ff0000"/><box width="1mm" fill="#0000ff"/>
</row>
"""


def test_shapes_on_a_card(project: Project) -> None:
    picture = BytesIO()
    Image.new("RGB", (200, 100), "#ff0000").save(picture, "PNG")
    project.write("pictures/red.png", picture.getvalue())
    project.write_template(PAGE, attributes='size="50mm x 40mm" bleed="3mm"')
    project.write_deck()
    path = project.build(target="press").path
    page = PdfDocument(path)[0]
    left, _, _, top = page.get_trimbox()
    image = page.render(scale=254 / 72).to_pil().convert("RGB")

    def see(x: float, y: float) -> str:
        """Which colour there is, so many millimetres from the trim's top left."""
        pixel = image.getpixel(
            (round((left / MM + x) * 10), round(((page.get_height() - top) / MM + y) * 10))
        )
        assert isinstance(pixel, tuple)
        return "".join("#" if value > 128 else "-" for value in pixel)

    red, blue, yellow, green, black, white = "#--", "--#", "##-", "-#-", "---", "###"
    # A circle in the middle of its box, and in it a box placed from the square around it.
    assert [see(x, 10) for x in (7, 10.5, 13, 15, 19.5, 20.5)] == (
        [white, red, red, black, red, white]
    )
    # Clipped: the stroke lies over the picture, which fills the room within the padding.
    assert [see(x, 10) for x in (29.5, 30.5, 31.5, 33, 39.5)] == [white, blue, yellow, red, blue]
    # A circle without ink cuts off what it holds.
    assert [see(*at) for at in ((10, 25), (5.5, 20.5), (10, 20.5), (10, 19))] == (
        [green, white, green, white]
    )
    # In a column a triangle is as high as its form, in a row as wide.
    assert [see(35, y) for y in (27, 28.2, 29.5, 31)] == [red, red, blue, white]
    assert [see(x, 29.7) for x in (16.7, 27, 28, 29)] == [red, red, blue, white]


@pytest.mark.parametrize(
    ("element", "message"),
    [
        ("<circle/>", "a shape without fill and stroke is not seen"),
        ('<polygon fill="red"/>', "a polygon has either sides or points"),
        ('<polygon fill="red" sides="6" points="0,0 1,1 2,0"/>', "either sides or points"),
        ('<polygon fill="red" sides="6" view="1 1"/>', '"view" has no meaning'),
        ('<polygon fill="red" points="0,0 1,1 2,0" angle="3"/>', '"angle" has no meaning'),
        ('<polygon fill="red" points="0,0 1,1"/>', "must be from 3 to 1,000 points"),
        ('<polygon fill="red" points="0,0 99,1 1,9"/>', "beyond the card's right edge"),
        ('<star fill="red" points="2"/>', '"2" is not a whole number from 3'),
        ('<star fill="red"/>', "<star> has no points"),
        ('<arc from="0" to="9" fill="red"/>', '"fill" has no meaning in an arc that is a line'),
        ('<arc from="0" to="9" kind="pie" inner="0.5" fill="red"/>', '"inner" has no meaning'),
        ('<arc from="0" to="1e9" stroke="red"/>', "is too large"),
        ('<arc from="0" to="999" stroke="red"/>', "is farther than around"),
        ('<row><circle fill="red"/></row>', "a <circle> in a row needs a width or a height"),
        ('<circle fill="red" width="0" height="2mm"/>', "there is no room for a shape"),
        ("<disc/>", 'did you mean "circle"?'),
    ],
)
def test_what_a_shape_cannot_be(project: Project, element: str, message: str) -> None:
    project.write_template(element)
    project.write_deck()
    assert message in project.find_problems()
