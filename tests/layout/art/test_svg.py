"""SVG files drawn: each thing at points where its colour is known, and what cannot be drawn."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from time import process_time

import pytest
from conftest import Project, run_program
from PIL import Image
from pypdfium2 import PdfDocument

from cardgen.core.errors import CardgenError, Where
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.library import Library
from cardgen.layout.art.contours import measure_segments, read_path
from cardgen.layout.art.svg import document
from cardgen.layout.art.svg.drawing import Drawing, fit_drawing
from cardgen.layout.art.svg.reader import read_drawing, read_svg
from cardgen.layout.face import Face, Group, Outline
from cardgen.output.pdf import FilledPage, PageDrawer, PlacedFace, make_pdf
from cardgen.output.pdfx import Head
from cardgen.output.resources import Resources
from cardgen.pages.impose import Page, Placement
from cardgen.text.fonts import FontShelf

WHITE, BLACK, GREY = (255, 255, 255), (0, 0, 0), (128, 128, 128)
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)
PINK, VIOLET = (255, 128, 128), (128, 0, 128)

CELL = 20
Look = dict[tuple[int, int], tuple[int, int, int]]

WriteSvg = Callable[..., Path]


def make_png() -> str:
    """A picture of two pixels, red and blue, as a data: address."""
    image = Image.new("RGB", (2, 1))
    image.putdata([RED, BLUE])
    file = BytesIO()
    image.save(file, "PNG")
    return "data:image/png;base64," + b64encode(file.getvalue()).decode()


NESTED = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">'
    '<path fill="blue" d="M0 0h10v10H0z"/>'
    '<circle cx="5" cy="5" r="3" fill="red"/></svg>'
)


def make_address(svg: str) -> str:
    """An SVG as a data: address."""
    return "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()


# What is drawn in a cell of 20 by 20 units, and the colours at points of it.
CELLS: list[tuple[str, Look]] = [
    ('<rect x="5" y="5" width="10" height="10" fill="red"/>', {(10, 10): RED, (2, 10): WHITE}),
    ('<circle cx="10" cy="10" r="6" fill="#00f"/>', {(10, 10): BLUE, (4, 4): WHITE}),
    ('<ellipse cx="10" cy="10" rx="9" ry="3" fill="lime"/>', {(3, 10): GREEN, (10, 4): WHITE}),
    ('<polygon points="0,0 20,0 0,20" fill="rgb(255,0,0)"/>', {(4, 4): RED, (15, 15): WHITE}),
    # Strokes: width, dashes that begin within their pattern, caps, and one that is stretched.
    ('<path d="M2 10H18" stroke="red" stroke-width="6"/>', {(10, 8): RED, (10, 5): WHITE}),
    (
        '<path d="M0 10h20" stroke="blue" stroke-width="8" stroke-dasharray="10"'
        ' stroke-dashoffset="5"/>',
        {(2, 10): BLUE, (10, 10): WHITE, (18, 10): BLUE},
    ),
    (
        '<path d="M0 10h20" pathLength="2" stroke="blue" stroke-width="8" stroke-dasharray="1"/>',
        {(5, 10): BLUE, (15, 10): WHITE},
    ),
    (
        '<path d="M8 10h4" stroke="red" stroke-width="8" stroke-linecap="square"/>',
        {(5, 7): RED, (15, 13): RED, (2, 10): WHITE},
    ),
    (
        '<path d="M1 0v10" transform="scale(10 2)" stroke="blue" stroke-width="1"/>',
        {(6, 10): BLUE, (14, 10): BLUE, (17, 10): WHITE},
    ),
    (
        '<rect x="5" y="5" width="10" height="10" fill="red" stroke="blue" stroke-width="4"'
        ' paint-order="stroke"/>',
        {(6, 10): RED, (4, 10): BLUE},
    ),
    # Fill rules.
    (
        '<path fill="red" d="M2 2h16v16H2zM6 6h8v8H6z"/>',
        {(10, 10): RED},
    ),
    (
        '<path fill="red" style="fill-rule:evenodd" d="M2 2h16v16H2zM6 6h8v8H6z"/>',
        {(10, 10): WHITE, (4, 4): RED},
    ),
    # Classes, ids and what is handed down.
    ('<path class="ember" d="M0 0h20v20H0z"/>', {(10, 10): RED}),
    ('<g id="sea"><rect width="20" height="20"/></g>', {(10, 10): BLUE}),
    ('<rect class="ember" style="/* no */ fill: blue" width="20" height="20"/>', {(10, 10): RED}),
    ('<g class="deep"><g><path d="M0 0h20v20H0z"/></g></g>', {(10, 10): GREEN}),
    ('<g color="lime"><rect width="20" height="20" fill="currentColor"/></g>', {(9, 9): GREEN}),
    # Opacity is of the whole; that of a fill is of the fill alone.
    (
        '<g opacity=".5"><rect width="20" height="20" fill="blue"/>'
        '<rect width="20" height="20" fill="red"/></g>',
        {(10, 10): PINK},
    ),
    (
        '<rect x="4" y="4" width="12" height="12" fill="red" fill-opacity="50%" stroke="blue"'
        ' stroke-width="4"/>',
        {(10, 10): PINK, (3, 10): BLUE},
    ),
    ('<rect width="20" height="20" fill="#ff000080"/>', {(10, 10): PINK}),
    # Gradients: of the box, of user space with a matrix, radial with a focus, see-through stops.
    (
        '<rect width="20" height="20" fill="url(#across)"/>',
        {(1, 10): (242, 0, 13), (10, 10): VIOLET, (19, 10): (13, 0, 242)},
    ),
    (
        '<rect width="20" height="20" fill="url(#down)"/>',
        {(10, 1): (242, 0, 13), (3, 10): VIOLET, (10, 19): (13, 0, 242)},
    ),
    (
        '<rect width="20" height="20" fill="url(#out)"/>',
        {(10, 10): (238, 0, 17), (2, 2): BLUE, (10, 15): (115, 0, 140)},
    ),
    (
        '<rect width="20" height="20" fill="url(#fade)"/>',
        {(1, 10): (255, 242, 242), (10, 10): PINK, (19, 10): (255, 13, 13)},
    ),
    (
        '<rect width="20" height="20" fill="url(#again)"/>',
        {(5, 10): VIOLET, (9, 10): (26, 0, 230), (11, 10): (230, 0, 26), (15, 10): VIOLET},
    ),
    (
        '<path d="M0 10h20" stroke="url(#level)" stroke-width="10"/>',
        {(10, 10): VIOLET, (10, 3): WHITE, (1, 10): (242, 0, 13)},
    ),
    (
        '<rect width="20" height="20" fill="url(#other)"/>',
        {(1, 10): (242, 0, 13), (10, 10): VIOLET, (10, 1): VIOLET},
    ),
    # The first colour lies before stops that share a beginning, the last behind those at the end.
    (
        '<rect width="20" height="20" fill="url(#steps)"/>',
        {(2, 10): RED, (6, 10): GREEN, (14, 10): GREEN, (18, 10): BLUE},
    ),
    (
        '<rect width="20" height="20" fill="url(#rings)"/>',
        {(10, 10): GREEN, (18, 10): BLUE},
    ),
    (
        '<rect width="20" height="20" fill="url(#wide)"/>',
        {(10, 10): RED, (10, 14): GREEN, (19, 10): BLUE},
    ),
    (
        '<rect width="20" height="20" fill="url(#turned)"/>',
        {(2, 10): (32, 0, 223), (10, 10): VIOLET, (18, 10): (236, 0, 19)},
    ),
    ('<path d="M0 10h20" stroke="url(#across) lime" stroke-width="9"/>', {(10, 10): GREEN}),
    # What is hidden counts in a box, too.
    (
        '<g clip-path="url(#box)"><rect x="10" width="10" height="20" fill="red"/>'
        '<path visibility="hidden" d="M0 0h10v20z"/></g>',
        {(12, 10): WHITE, (18, 10): WHITE},
    ),
    (
        '<g clip-path="url(#box)"><rect x="4" width="4" height="20" fill="red"/>'
        '<g opacity="0"><path d="M10 0h10v20z"/></g></g>',
        {(6, 10): RED},
    ),
    (
        '<rect x="2" y="2" width="16" height="16" rx="-1" ry="8" fill="red"/>',
        {(3, 3): WHITE, (10, 10): RED},
    ),
    # Clips and masks.
    (
        '<rect width="20" height="20" fill="red" clip-path="url(#half)"/>',
        {(5, 10): RED, (15, 10): WHITE},
    ),
    (
        '<rect x="10" width="10" height="20" fill="red" clip-path="url(#box)"/>',
        {(12, 10): RED, (18, 10): WHITE},
    ),
    (
        '<rect width="20" height="20" fill="red" mask="url(#light)"/>',
        {(3, 3): PINK, (10, 10): WHITE, (16, 10): RED},
    ),
    (
        '<rect width="20" height="20" fill="red" clip-path="url(#moved)"/>',
        {(5, 10): WHITE, (15, 10): RED},
    ),
    # Parts used again.
    (
        '<use href="#inner" width="5"/>',
        {(10, 10): WHITE, (13, 10): RED, (17, 10): WHITE},
    ),
    ('<use href="#disc" x="10" y="10"/>', {(10, 10): RED, (2, 2): WHITE}),
    ('<use xlink:href="#sign" x="5" y="5" width="10" height="10"/>', {(7, 7): BLUE, (13, 7): RED}),
    (
        '<svg x="10" y="0" width="10" height="20" viewBox="0 0 1 1"'
        ' preserveAspectRatio="xMidYMin slice"><path fill="red" d="M0 0h1v1H0z"/></svg>',
        {(12, 10): RED, (8, 10): WHITE},
    ),
    (
        '<g transform="rotate(90 10 10) translate(0 -5)"><rect width="20" height="10"/></g>',
        {(17, 2): BLACK, (17, 18): BLACK, (13, 10): WHITE},
    ),
    (
        '<switch><g requiredExtensions="urn:x"><rect width="20" height="20"/></g>'
        '<rect width="20" height="20" fill="red"/></switch>',
        {(10, 10): RED},
    ),
    # A picture of pixels, and letters.
    (
        f'<image x="2" y="2" width="16" height="16" href="{make_png()}"/>',
        {(5, 10): RED, (15, 10): BLUE, (10, 3): WHITE},
    ),
    (
        '<text x="10" y="18" text-anchor="middle" font-family="Nowhere, \'Alegreya Sans\'"'
        ' font-size="30" font-weight="700" fill="red">I</text>',
        {(10, 10): RED, (2, 10): WHITE, (18, 10): WHITE},
    ),
    (
        '<g style="mix-blend-mode:multiply"><rect width="20" height="20" fill="red"/></g>',
        {(9, 9): RED},
    ),
    ('<rect width="20" height="20" visibility="hidden"/>', {(10, 10): WHITE}),
    # Markers turn as the line does, and are as large as it is thick, or as they say themselves.
    (
        '<path d="M2 4H10V16" fill="none" stroke="red" stroke-width="2" marker-mid="url(#block)"'
        ' marker-end="url(#dart)"/>',
        {(8, 2): BLUE, (9, 6): BLUE, (9, 17): GREEN, (10, 17): GREEN, (12, 17): WHITE},
    ),
    (
        '<g marker-start="url(#dart)"><polyline points="10,10 18,10" stroke="blue"/>'
        '<circle cx="4" cy="4" r="2" fill="red"/></g>',
        {(4, 4): RED, (11, 10): GREEN, (7, 10): WHITE},
    ),
    (
        '<line x1="10" y1="10" x2="10" y2="18" stroke="blue" marker-start="url(#like)"/>',
        {(6, 6): BLUE, (13, 7): BLUE, (2, 10): WHITE},
    ),
    (
        '<path d="M10 10h6" marker-start="url(#drop)"/>',
        {(10, 12): GREEN, (13, 10): WHITE},
    ),
    # Patterns: tiles where they lie, within the shape alone, turned, and behind a line.
    (
        '<rect x="2" y="2" width="16" height="16" fill="url(#tiles)"/>',
        {(4, 4): RED, (9, 9): BLUE, (14, 4): RED, (9, 4): WHITE, (19, 19): WHITE},
    ),
    (
        '<rect width="20" height="20" fill="url(#turned-tiles)"/>',
        {(4, 4): RED, (9, 4): WHITE, (9, 9): BLUE},
    ),
    (
        '<rect width="20" height="20" fill="url(#grown)"/>',
        {(2, 2): RED, (7, 7): BLUE, (7, 2): WHITE, (14, 14): RED},
    ),
    (
        '<rect width="20" height="20" fill="url(#quarters)" fill-opacity=".5"/>',
        {(4, 4): (255, 128, 128), (14, 14): (255, 128, 128), (8, 8): WHITE},
    ),
    (
        '<path d="M0 9h20" stroke="url(#tiles)" stroke-width="8"/>',
        {(9, 9): BLUE, (2, 6): RED, (2, 1): WHITE},
    ),
    # An SVG in a picture keeps its shape; a text stands along a path, turned as it is.
    (
        f'<image width="20" height="10" href="{make_address(NESTED)}"/>',
        {(10, 5): RED, (6, 5): BLUE, (2, 5): WHITE, (10, 14): WHITE},
    ),
    (
        '<path id="fall" d="M8 1V19"/><text font-family="Alegreya Sans" font-weight="800"'
        ' font-size="16" fill="red"><textPath href="#fall" startOffset="50%" text-anchor="middle">'
        "I</textPath></text>",
        {(10, 10): RED, (15, 10): RED, (5, 10): WHITE, (12, 4): WHITE},
    ),
]
HEAD = """<style>.ember {fill: red !important} .ember {fill: lime}
  #sea rect {fill: blue} .deep > g path {fill: lime}
  path:hover {fill: black} @media (prefers-color-scheme: dark) {path {fill: black}}</style>
<defs>
  <linearGradient id="two"><stop stop-color="red"/>
    <stop offset="1" stop-color="blue"/></linearGradient>
  <linearGradient id="across" xlink:href="#two"/>
  <linearGradient id="level" href="#two" gradientUnits="userSpaceOnUse" x2="20"/>
  <linearGradient id="down" href="#two" gradientUnits="userSpaceOnUse" x2="20"
    gradientTransform="rotate(90)"/>
  <radialGradient id="out" href="#two" r=".5"/>
  <linearGradient id="fade"><stop style="stop-color:red;stop-opacity:0"/>
    <stop offset="1" stop-color="red"/></linearGradient>
  <linearGradient id="again" href="#two" x2=".5" spreadMethod="repeat"/>
  <linearGradient id="steps" x1=".2" x2=".8"><stop stop-color="red"/><stop stop-color="black"/>
    <stop stop-color="lime"/><stop offset="1" stop-color="lime"/>
    <stop offset="1" stop-color="blue"/></linearGradient>
  <radialGradient id="rings" r=".3"><stop stop-color="red"/><stop stop-color="lime"/>
    <stop offset="1" stop-color="lime"/><stop offset="1" stop-color="blue"/></radialGradient>
  <radialGradient id="wide" r=".4" fr=".1" href="#rings"/>
  <linearGradient id="turned" href="#two" gradientTransform="rotate(180)"
    transform-origin=".5 .5"/>
  <radialGradient id="far" y2="1"><stop stop-color="red"/><stop offset="1" stop-color="blue"/>
  </radialGradient><linearGradient id="other" href="#far"/>
  <clipPath id="half"><rect width="10" height="20"/></clipPath>
  <clipPath id="box" clipPathUnits="objectBoundingBox"><rect width=".5" height="1"/></clipPath>
  <clipPath id="moved" clipPathUnits="objectBoundingBox" transform="translate(10 0)">
    <rect width=".5" height="1"/></clipPath>
  <svg id="inner" x="11" width="10" height="20"><rect width="20" height="20" fill="red"/></svg>
  <mask id="light" maskUnits="userSpaceOnUse" x="0" y="0" width="20" height="20">
    <rect width="10" height="8" fill="#808080"/><rect x="10" width="10" height="20" fill="white"/>
    <rect x="8" y="8" width="6" height="4"/></mask>
  <marker id="block" markerWidth="3" markerHeight="3" refX="1.5" refY="1.5" orient="auto">
    <rect width="9" height="9" fill="blue"/></marker>
  <marker id="dart" viewBox="0 0 4 4" markerWidth="4" markerHeight="4" refY="2" orient="auto"
    markerUnits="userSpaceOnUse"><path d="M0 0L4 2L0 4z" fill="lime"/></marker>
  <marker id="drop" viewBox="0 0 4 4" markerWidth="6" markerHeight="6" refY="2" orient=".25turn">
    <path d="M0 0L4 2L0 4z" fill="lime"/></marker>
  <marker id="like" markerWidth="8" markerHeight="8" refX="center" refY="center">
    <rect width="8" height="8" fill="context-stroke"/></marker>
  <pattern id="tiles" width="10" height="10" patternUnits="userSpaceOnUse">
    <rect width="7" height="7" fill="red"/><rect x="7" y="7" width="9" height="9" fill="blue"/>
  </pattern>
  <pattern id="turned-tiles" href="#tiles" patternTransform="rotate(90)" x="2" y="1"/>
  <pattern id="grown" href="#tiles" patternTransform="scale(2)" transform-origin="10 10"/>
  <pattern id="quarters" width=".5" height=".5" viewBox="0 0 3 3"><path d="M0 0h2v2H0z" fill="red"/>
  </pattern>
  <circle id="disc" r="6" fill="red"/>
  <symbol id="sign" viewBox="0 0 2 1"><path fill="blue" d="M0-1h1v3H0z"/>
    <path fill="red" d="M1-1h1v3H1z"/></symbol>
</defs>"""


@pytest.fixture
def write_svg(tmp_path: Path) -> WriteSvg:
    def write(body: str, root: str = 'viewBox="0 0 64 64"') -> Path:
        path = tmp_path / "art.svg"
        path.write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
            f" {root}>\n{body}\n</svg>",
            encoding="utf-8",
        )
        return path

    return write


@pytest.fixture
def shelf(tmp_path: Path) -> FontShelf:
    return FontShelf(Library(tmp_path))


def render(drawing: Drawing, size: Size, scale: int = 4) -> Image.Image:
    """Draw on a page of this size in points, some pixels for each."""
    box = Rect(0, 0, *size)
    face = Face(size, Insets(), fit_drawing(drawing, box))
    resources = Resources()
    place = Placement(0, "front", box, turned=False, clip=box)
    page = Page(size, "front", 1, box, box, (place,), ())
    drawn = PageDrawer(resources).draw(FilledPage(page, (PlacedFace(face, again=False),)))
    pdf = make_pdf(Head("art", "", "en", "cardgen", "simplex"), [drawn], resources)
    image: Image.Image = PdfDocument(pdf)[0].render(scale=scale).to_pil().convert("RGB")
    return image


def test_all_that_is_drawn_has_its_colours(write_svg: WriteSvg, shelf: FontShelf) -> None:
    across = 6
    body = "".join(
        f'<g transform="translate({i % across * CELL} {i // across * CELL})">{cell}</g>\n'
        for i, (cell, _) in enumerate(CELLS)
    )
    size = Size(across * CELL, -(-len(CELLS) // across) * CELL)
    path = write_svg(HEAD + body, f'viewBox="0 0 {size.width} {size.height}"')
    image = render(read_svg(path, shelf), size)
    wrong = []
    for i, (cell, look) in enumerate(CELLS):
        for (x, y), colour in look.items():
            at = 4 * (i % across * CELL + x) + 2, 4 * (i // across * CELL + y) + 2
            seen = image.getpixel(at)
            assert isinstance(seen, tuple)
            if max(abs(a - b) for a, b in zip(seen, colour, strict=True)) > 12:
                wrong.append((cell, (x, y), seen, colour))
    assert wrong == [], "\n".join(map(repr, wrong))


def test_a_drawing_keeps_its_shape_and_is_cut_off_at_its_edge(write_svg: WriteSvg) -> None:
    body = '<path fill="red" d="M-90-90h300v300h-300z"/>'
    drawing = read_svg(write_svg(body, 'viewBox="10 20 40 20" width="80" height="80"'))
    assert drawing.size == (40, 40)
    (group,) = fit_drawing(drawing, Rect(5, 5, 10, 10))
    assert isinstance(group, Group)
    assert group.clips[0].segments[:3] == (("M", (5, 5)), ("L", (15, 5)), ("L", (15, 15)))


def test_lines_become_thicker_with_the_drawing(write_svg: WriteSvg) -> None:
    body = '<path d="M4 5h2" fill="none" stroke="red" stroke-width="2" stroke-dasharray="1 2"/>'
    drawing = read_svg(write_svg(body, 'viewBox="0 0 10 10"'))
    (line,) = fit_drawing(drawing, Rect(0, 0, 30, 30))
    assert isinstance(line, Outline)
    assert line.stroke is not None
    assert (line.stroke.width, line.stroke.dash) == (6, (3, 6))


def test_what_an_editor_keeps_for_itself_is_ignored(write_svg: WriteSvg) -> None:
    body = """<metadata>words</metadata><e:namedview xmlns:e="urn:editor" filter="x"/><!-- no -->
    <g xmlns:i="urn:i" i:label="Layer 1" style="-inkscape-font-specification:Sans;line-height:1.2">
    <path d="M0 0h9v9z" style="fill:#000;enable-background:new;shape-rendering:auto"/></g>"""
    assert len(read_svg(write_svg(body)).items) == 1


# Path data


@pytest.mark.parametrize(
    ("data", "segments"),
    [
        ("m1 1 2 0v2h-2z", [("M", 1, 1), ("L", 3, 1), ("L", 3, 3), ("L", 1, 3), ("Z",)]),
        ("M1 1h2zl1 1", [("M", 1, 1), ("L", 3, 1), ("Z",), ("M", 1, 1), ("L", 2, 2)]),
        (
            "M0 0C1 2 3 4 5 6s1 1 2 2",
            [("M", 0, 0), ("C", 1, 2, 3, 4, 5, 6), ("C", 7, 8, 6, 7, 7, 8)],
        ),
        ("M0 0Q3 0 3 3T6 6", [("M", 0, 0), ("C", 2, 0, 3, 1, 3, 3), ("C", 3, 5, 4, 6, 6, 6)]),
        ("M1-1.5.5", None),
        ("M0 0L1.5.5-2e-1 3", [("M", 0, 0), ("L", 1.5, 0.5), ("L", -0.2, 3)]),
        ("M0 0a1 1 0 000 0", [("M", 0, 0)]),
        ("M0 0A0 5 0 0 1 4 4", [("M", 0, 0), ("L", 4, 4)]),
    ],
)
def test_path_data(data: str, segments: list[tuple[object, ...]] | None) -> None:
    if segments is None:
        with pytest.raises(ValueError, match="1-1"):
            read_path(data)
        return
    found = [(kind, *points) for kind, points in read_path(data)]
    assert [one[0] for one in found] == [one[0] for one in segments]
    numbers = [value for one in found for value in one[1:]]
    assert numbers == pytest.approx([value for one in segments for value in one[1:]])


@pytest.mark.parametrize(
    ("flags", "bounds"),
    [
        ("01", Rect(0, -5, 10, 5)),
        ("00", Rect(0, 0, 10, 5)),
        ("0 1", Rect(0, -5, 10, 5)),
    ],
)
def test_an_arc_bends_as_its_flags_say(flags: str, bounds: Rect) -> None:
    found = measure_segments(read_path(f"M0 0A5 5 0 {flags}10 0"))
    assert found == pytest.approx(bounds, abs=1e-3)


def test_a_large_arc_and_radii_that_are_too_short() -> None:
    assert measure_segments(read_path("M5 0A5 5 0 1 1 0-5")) == pytest.approx((-5, -5, 10, 10))
    assert measure_segments(read_path("M0 0a1 1 0 0 1 10 0")) == pytest.approx((0, -5, 10, 5))


# What cannot be drawn


def refusal(path: Path, shelf: FontShelf | None = None) -> str:
    """What a user reads, without the folder and the hint."""
    with pytest.raises(CardgenError) as caught:
        read_svg(path, shelf)
    problems = caught.value.problems
    assert all(problem.hint for problem in problems if problem.code != "svg/not-svg")
    lines = (f"{one.code} {one.where}: {one.message}" for one in problems)
    return "\n".join(lines).replace(str(path.parent) + "/", "")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<g filter="url(#b)"><rect width="9" height="9"/></g>', '<g> has filter="url(#b)"'),
        (
            '<path id="p" d="M0 0h9"/><text font-family="Alegreya Sans"><textPath href="#p">Too'
            " long</textPath></text>",
            "a text is longer than the path along which it stands",
        ),
        (
            '<marker id="a"/><path marker-mid="url(#a)" d="M0 0a9 9 0 1 1 9 9"/>',
            "<path> has marker-mid on an arc",
        ),
        (
            "<image href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'"
            " viewBox='0 0 9 9'%3E%3CforeignObject/%3E%3C/svg%3E\"/>",
            "<image> holds an SVG that cannot be drawn: <foreignObject> cannot be drawn",
        ),
        ("<foreignObject/>", "<foreignObject> cannot be drawn"),
        ("<flowRoot/>", "<flowRoot> cannot be drawn"),
        ("<hatch/>", "<hatch> cannot be drawn"),
        ("<script>alert(1)</script>", "<script> holds a script"),
        ('<g onclick="go()"/>', "<g> holds a script: onclick"),
        ('<rect width="9" height="9"><animate/></rect>', "<animate> moves things"),
        ('<g style="mix-blend-mode:hue"/>', '<g> has mix-blend-mode="hue"'),
        ("<style>a:first-child {fill: red}</style>", '<style> has the selector "a:first-child"'),
        ("<style>@media print {a {fill: red}}</style>", "<style> has @media print"),
        (
            '<mask id="m"><rect width="9" height="9" fill="#fff"/><rect width="5" height="5"'
            ' fill="#888"/></mask><rect mask="url(#m)" width="9" height="9"/>',
            "<mask> shows by how light it is, with dark shapes on top of light ones",
        ),
    ],
)
def test_what_cannot_be_drawn_is_named(
    write_svg: WriteSvg, shelf: FontShelf, body: str, expected: str
) -> None:
    assert refusal(write_svg(body), shelf) == f"svg/cannot-be-drawn art.svg:2: {expected}"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<path d="M0 0h9 foo z"/>', '<path> has broken data: "M0 0h9 foo z"'),
        ('<path d="L9 9 9 0z"/>', '<path> has broken data: "L9 9 9 0z"'),
        ('<polygon points="1 2 3"/>', '<polygon> has broken data: "1 2 3"'),
        ('<circle r="1foo"/>', '<circle> has broken data: "1foo"'),
        ('<rect width="5"/>', "<rect> has no height"),
        ('<g transform="rotate(a)"/>', '<g> has broken data: transform="rotate(a)"'),
        ('<rect fill="nocolour" width="9" height="9"/>', '<rect> has fill="nocolour"'),
        ('<rect opacity="half" width="9" height="9"/>', '<rect> has opacity="half"'),
        ('<rect opacity="0.1mm" width="9" height="9"/>', '<rect> has opacity="0.1mm"'),
        ('<rect fill="rgb(0, 50%, 0)" width="9" height="9"/>', '<rect> has fill="rgb(0, 50%, 0)"'),
        ('<g font-size="2rem"/>', '<g> has broken data: font-size="2rem"'),
        ('<rect width="9rem" height="9"/>', '<rect> has broken data: "9rem"'),
        (
            '<linearGradient id="a"><stop offset="5mm"/></linearGradient>'
            '<rect fill="url(#a)" width="9" height="9"/>',
            "<stop> has a broken offset or colour",
        ),
        (
            '<linearGradient id="a" gradientTransform="scale(0)"><stop/></linearGradient>'
            '<rect fill="url(#a)" width="9" height="9"/>',
            '<linearGradient> has broken data at "scale(0)"',
        ),
        (
            '<radialGradient id="a" fr=".5"><stop/></radialGradient>'
            '<rect fill="url(#a)" width="9" height="9"/>',
            '<radialGradient> has broken data at ".5"',
        ),
        (
            '<path stroke="red" stroke-miterlimit="5mm" d="M0 0h9"/>',
            '<path> has broken data: stroke-miterlimit="5mm"',
        ),
        ('<path d="M0 0a25 2501 025 -25"/>', '<path> has broken data: "M0 0a25 2501 025 -25"'),
        ('<path d="M0 0h1e9"/>', "<path> reaches more than 10,000,000 units away"),
        ('<image href="data:image/png;base64,???"/>', "<image> holds a broken picture"),
    ],
)
def test_broken_data(write_svg: WriteSvg, body: str, expected: str) -> None:
    assert refusal(write_svg(body)) == f"svg/broken-data art.svg:2: {expected}"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            '<image href="a.png"/>',
            'svg/external art.svg:2: <image> refers to another file: "a.png"',
        ),
        (
            '<use href="other.svg#a"/>',
            'svg/external art.svg:2: <use> refers to another file: "other.svg#a"',
        ),
        (
            '<rect fill="url(http://a.b/c)" width="1" height="1"/>',
            'svg/external art.svg:2: <rect> has fill="url(http://a.b/c)"',
        ),
        (
            "<style>@import url(a.css);</style>",
            'svg/external art.svg:2: <style> takes its styles from another file: "url(a.css)"',
        ),
        (
            '<use href="#no"/>',
            'svg/unknown-reference art.svg:2: <use> refers to "#no", which is not there',
        ),
        (
            '<rect clip-path="url(#no)" width="1" height="1"/>',
            'svg/unknown-reference art.svg:2: <rect> has clip-path="url(#no)", which is not there',
        ),
        (
            '<g id="a"><use href="#a"/></g>',
            'svg/circle art.svg:2: <use> refers to "#a", which it is a part of',
        ),
        (
            '<g id="a"/><linearGradient id="b" href="#a"/><path fill="url(#b)" d="M0 0h9v9z"/>',
            "svg/unknown-reference art.svg:2: <linearGradient> refers to a <g>",
        ),
        (
            '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>'
            '<path fill="url(#a)" d="M0 0h9v9z"/>',
            "svg/circle art.svg:2: <linearGradient> refers to itself",
        ),
        (
            '<clipPath id="a" clip-path="url(#a)"><path d="M0 0h9v9z"/></clipPath>'
            '<path clip-path="url(#a)" d="M0 0h9v9z"/>',
            "svg/circle art.svg:2: <clipPath> refers to itself",
        ),
        (
            '<mask id="a"><path mask="url(#a)" fill="#fff" d="M0 0h9v9z"/></mask>'
            '<path mask="url(#a)" d="M0 0h9v9z"/>',
            "svg/circle art.svg:2: <mask> refers to itself",
        ),
        (
            '<path marker-end="url(#a)" d="M0 0h9"/>',
            'svg/unknown-reference art.svg:2: <path> has marker-end="url(#a)", which is not there',
        ),
        (
            '<marker id="a"><path marker-end="url(#a)" d="M0 0h9"/></marker>'
            '<path marker-end="url(#a)" d="M0 0h9"/>',
            "svg/circle art.svg:2: <marker> refers to itself",
        ),
        (
            '<pattern id="a" width="1" height="1"><path fill="url(#a)" d="M0 0h9v9z"/></pattern>'
            '<path fill="url(#a)" d="M0 0h9v9z"/>',
            "svg/circle art.svg:2: <pattern> paints itself",
        ),
        (
            '<pattern id="a" width=".001" height=".001"><path d="M0 0h9v9z"/></pattern>'
            '<path fill="url(#a)" d="M0 0h9v9z"/>',
            "svg/too-large art.svg:2: <pattern> has more than 4,000 tiles on a shape",
        ),
        (
            '<text font-family="Papyrus">A</text>',
            'svg/no-font art.svg:2: a text is set in "Papyrus", which is not among the fonts',
        ),
    ],
)
def test_what_is_not_in_the_file(
    write_svg: WriteSvg, shelf: FontShelf, body: str, expected: str
) -> None:
    assert refusal(write_svg(body), shelf) == expected


@pytest.mark.parametrize("families", ["", "sans-serif", "Papyrus, serif", "Alegreya Sans"])
def test_a_text_in_any_font_is_set_in_the_usual_one(
    write_svg: WriteSvg, shelf: FontShelf, families: str
) -> None:
    drawn = [
        read_svg(write_svg(f'<text y="9" font-family="{name}">Ag</text>'), shelf)
        for name in (families, "Alegreya Sans")
    ]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("said", ['filter="0"', 'clip-path="false"', 'style="mask:null"'])
def test_what_means_nothing_is_passed_over(
    write_svg: WriteSvg, shelf: FontShelf, said: str
) -> None:
    plain = read_svg(write_svg('<path d="M0 0h9v9z"/>'), shelf)
    assert read_svg(write_svg(f'<path {said} d="M0 0h9v9z"/>'), shelf) == plain


def test_a_letter_that_a_font_lacks_is_taken_from_the_usual_one(
    write_svg: WriteSvg, shelf: FontShelf
) -> None:
    drawn = [
        read_svg(write_svg(f'<text y="9" font-family="{name}">Щ★</text>'), shelf)
        for name in ("Cinzel", "Alegreya Sans")
    ]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize(
    ("root", "message"),
    [
        ('style="background: #fff"', '<svg> has background="#fff"'),
        ('systemLanguage="ru"', "<svg> is for other languages or programs"),
    ],
)
def test_what_cannot_be_said_of_the_whole(write_svg: WriteSvg, root: str, message: str) -> None:
    path = write_svg('<path d="M0 0h9v9z"/>', f'viewBox="0 0 9 9" {root}')
    assert refusal(path) == f"svg/cannot-be-drawn art.svg:1: {message}"


def test_every_problem_of_a_file_is_named(write_svg: WriteSvg) -> None:
    said = refusal(write_svg('<foreignObject/>\n<path d="x"/>\n<use href="#a"/>'))
    assert [line.split(": ")[0] for line in said.split("\n")] == [
        "svg/cannot-be-drawn art.svg:2",
        "svg/broken-data art.svg:3",
        "svg/unknown-reference art.svg:4",
    ]


@pytest.mark.parametrize(
    "body",
    [
        '<path stroke="red" stroke-width="1e300" d="M0 0h9"/>',
        '<path stroke="red" stroke-dasharray="1 1e300" d="M0 0h9"/>',
        '<path stroke="red" transform="scale(1e-140 1)" d="M0 0h9v9"/>',
        '<rect width="9" height="9" transform="translate(1e308) scale(1e308) scale(9)"/>',
        f'<image width="1e300" height="9" preserveAspectRatio="none" href="{make_png()}"/>',
        '<linearGradient id="a" gradientUnits="userSpaceOnUse" x2="1e12"><stop/>'
        '<stop offset="1" stop-color="red"/></linearGradient>'
        '<rect width="9" height="9" fill="url(#a)"/>',
        '<svg width="1e300" height="5"><rect width="9" height="9"/></svg>',
    ],
)
def test_huge_numbers_are_refused(write_svg: WriteSvg, body: str) -> None:
    tag = body.rpartition("<defs>")[2].split()[0][1:]
    tag = "rect" if tag == "linearGradient" else tag
    assert refusal(write_svg(body)) == (
        f"svg/broken-data art.svg:2: <{tag}> reaches more than 10,000,000 units away"
    )


def test_a_drawing_of_tiny_units_keeps_its_shape(write_svg: WriteSvg) -> None:
    body = '<g opacity=".5"><path d="M.0003 0h.0003v.001h-.0003z"/></g>'
    image = render(read_svg(write_svg(body, 'viewBox="0 0 .001 .001"')), Size(40, 40))
    seen = [image.getpixel((x, 80)) for x in (44, 52, 92, 100)]
    assert seen == [WHITE, GREY, GREY, WHITE]


@pytest.mark.parametrize(
    ("root", "message"),
    [
        ("", "the <svg> has no viewBox"),
        ('width="100%" height="24"', "the <svg> has no viewBox"),
        ('viewBox="0 0 64"', 'viewBox="0 0 64" is no box'),
        ('viewBox="0 0 0 64"', 'viewBox="0 0 0 64" is no box'),
        ('viewBox="a b c d"', 'viewBox="a b c d" is no box'),
        ('viewBox="0 0 1e-300 1e-300"', "a drawing cannot be 1e-300 x 1e-300 units large"),
        ('width="1" height="1e8"', "a drawing cannot be 1 x 1e+08 units large"),
    ],
)
def test_no_size(write_svg: WriteSvg, root: str, message: str) -> None:
    assert refusal(write_svg('<path d="M0 0h9v9z"/>', root)) == f"svg/no-size art.svg:1: {message}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<svg>\n<path>\n</svg>", "art.svg:3: this is not an SVG file: "),
        (b"", "art.svg:1: this is not an SVG file: Document is empty"),
        (b"<html/>", "art.svg:1: this is not an SVG file: it starts with <html>"),
        (b"\x1f\x8b\x08\x00", "art.svg: this is not an SVG file: it is compressed"),
    ],
)
def test_no_svg(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "art.svg"
    path.write_bytes(content)
    assert refusal(path).startswith(f"svg/not-svg {message}")


@pytest.mark.parametrize("body", ["&other;", "<text>&other;</text>"])
def test_no_entity_is_followed(tmp_path: Path, body: str) -> None:
    path = tmp_path / "art.svg"
    path.write_text(
        '<!DOCTYPE svg [<!ENTITY other SYSTEM "other.svg">]>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{body}</svg>',
        encoding="utf-8",
    )
    (tmp_path / "other.svg").write_text('<path d="M0 0h9v9z"/>', encoding="utf-8")
    assert refusal(path) == (
        "svg/external art.svg:2: it refers to something that is not in it: &other;"
    )


def test_no_file_is_an_error_at_the_place_that_asks(tmp_path: Path, shelf: FontShelf) -> None:
    with pytest.raises(CardgenError) as caught:
        read_drawing(tmp_path / "art.svg", shelf, Where("item.xml", 3, 5))
    assert str(caught.value) == (
        'item.xml:3:5: picture "art.svg" cannot be read: No such file or directory'
    )


# What a stranger's file may do


def nest_uses() -> str:
    """Ten groups, each of which shows the one before ten times."""
    first = '<g id="g0"><path d="M0 0h1v1z"/></g>'
    more = "".join(
        f'<g id="g{i}">' + f'<use href="#g{i - 1}"/>' * 10 + "</g>" for i in range(1, 10)
    )
    return f"<defs>{first}{more}</defs><use href='#g9'/>"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: "<g/>\n" * 100_000, "it has more than 50,000 elements"),
        (lambda: "<g>" * 230 + "</g>" * 230, "more than 200 elements lie within each other"),
        (lambda: "<g>" * 3_000 + "</g>" * 3_000, "its elements or texts are endless"),
        (nest_uses, "it draws more than 2,000 shapes"),
        (
            lambda: f'<path d="M0 0{"h1v1" * 1_300_000}"/>',
            "its paths are longer than 4,000,000 letters",
        ),
    ],
    ids=["elements", "depth", "depths", "uses", "path"],
)
def test_what_is_too_large(
    write_svg: WriteSvg, make: Callable[[], str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "MOST_SHAPES", 2_000)  # of 20,000, which take some seconds
    path = write_svg(make())
    begin = process_time()
    said = refusal(path)
    assert process_time() - begin < 5
    assert said.startswith("svg/too-large art.svg")
    assert said.endswith(message)


def test_a_file_that_is_too_large_is_not_read(
    write_svg: WriteSvg, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "MOST_MEGABYTES", 0)
    assert refusal(write_svg("")).endswith("it has more than 0 megabytes")


def test_entities_that_grow_are_too_large(tmp_path: Path) -> None:
    path = tmp_path / "art.svg"
    more = "".join(
        f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' if i else '<!ENTITY e0 "xxxxxxxxxx">'
        for i in range(12)
    )
    path.write_text(f'<!DOCTYPE svg [{more}]><svg viewBox="0 0 9 9" id="&e11;"/>', encoding="utf-8")
    assert refusal(path).startswith("svg/too-large art.svg: ")


def test_the_pixels_of_an_embedded_picture_count_as_it_is_placed(
    project: Project, write_svg: WriteSvg
) -> None:
    noise = BytesIO()
    Image.effect_noise((100, 100), 60).convert("RGB").save(noise, "PNG")
    address = "data:image/png;base64," + b64encode(noise.getvalue()).decode()
    art = write_svg(
        '<g transform="rotate(30 32 32)" opacity=".5">'
        f'<image x="16" y="16" width="32" height="32" href="{address}"/></g>'
    )
    project.write("pictures/art.svg", art.read_bytes())
    body = '<image file="art.svg" x="2mm" y="2mm" width="50.8mm" height="50.8mm"/>'
    project.write_template(body, attributes='size="60mm x 60mm" bleed="3mm"')
    project.write_deck()
    ran = project.run("build", "deck", "--target", "press")
    assert "a picture of 100 pixels per inch as it is placed" in ran.stderr


@pytest.mark.parametrize(("body", "code"), [("", 0), ("<foreignObject/>", 1)])
def test_embedded_pictures_are_gone_with_the_command(
    project: Project, write_svg: WriteSvg, body: str, code: int
) -> None:
    folder = project.folder / "temporary"
    folder.mkdir()
    art = write_svg(f'<image width="64" height="64" href="{make_png()}"/>{body}')
    project.write("pictures/art.svg", art.read_bytes())
    project.write_template('<image file="art.svg" width="9mm" height="9mm"/>')
    project.write_deck()
    ran = run_program(["build", "deck"], environment={"TMPDIR": str(folder)})
    assert (ran.code, list(folder.iterdir())) == (code, []), ran.stderr
