"""Paths and the ornaments of card backs as elements: where they lie, how they are painted, and what
is wrong with them. What ornaments look like is tested in test_ornament.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from conftest import Project
from pypdf import PdfReader
from pypdfium2 import PdfDocument
from strategies import MM, find_problem, flatten, in_mm, lay_out, make_faces, make_job

from cardgen.core.colour import BLACK, WHITE, Colour, Gradient
from cardgen.core.geometry import Rect
from cardgen.layout.art.guilloche import trace_band, trace_ground, trace_rosette
from cardgen.layout.art.plait import trace_plait, trace_plait_edges
from cardgen.layout.art.rose import trace_rays, trace_rose
from cardgen.layout.face import Face, Form, Outline, Segment, Stroke

Drawn = list[tuple[str, tuple[float, ...]]]

FILE = "templates/plain.xml"
GOLD = '<colour name="gold" cmyk="0 20 100 5"/>'
IN_GOLD = Colour("cmyk", (0, 0.2, 1, 0.05))


def list_outlines(face: Face) -> list[Outline]:
    found = flatten(face.items)
    outlines = [item for item in found if isinstance(item, Outline)]
    assert len(outlines) == len(found)
    return outlines


def draw(project: Project, body: str, **options: str) -> Outline:
    """The only outline on a card of 60 x 40 mm."""
    (face,) = lay_out(project, body, **options)
    (outline,) = list_outlines(face)
    return outline


def trace(project: Project, attributes: str) -> Drawn:
    """What a path draws, in mm from the card's top left."""
    return list_points(draw_at_origin(project, f'<path fill="black" {attributes}/>'))


def draw_at_origin(project: Project, element: str) -> Outline:
    """The outline of an element with an expression, so that it is in no form."""
    return draw(project, f'<box for="n in [1]" width="{{{{ 100 }}}}%">{element}</box>')


def list_points(outline: Outline) -> Drawn:
    return [
        (operator, tuple(round(value / MM, 3) + 0.0 for value in values))
        for operator, values in outline.segments
    ]


# Paths


def test_a_path_is_in_millimetres_from_the_top_left_of_its_box(project: Project) -> None:
    element = '<path x="10mm" y="{{ 5 }}mm" d="M1 2 H20 V8.5 L3 4 Z" fill="black"/>'
    outline = draw(project, element)
    assert list_points(outline) == [
        ("M", (11, 7)),
        ("L", (30, 7)),
        ("L", (30, 13.5)),
        ("L", (13, 9)),
        ("Z", ()),
    ]
    assert in_mm(outline.bounds) == (11, 7, 19, 6.5)


def trace_expression(project: Project, data: str) -> Drawn:
    return list_points(draw(project, f'<path d="{{{{ \'{data}\' }}}}" fill="black"/>'))


@pytest.mark.parametrize(
    ("data", "other"),
    [
        ("m1 2 h19 v6 l-4 1 z", "M1 2 H20 V8 L16 9 Z"),
        ("M1 2 3 4 5 2", "M1 2 L3 4 L5 2"),
        ("m1 2 3 4 5 2", "M1 2 L4 6 L9 8"),
        ("M10 10 c1 2 3 4 5 6", "M10 10 C11 12 13 14 15 16"),
        ("M0 0 C0 5 5 10 10 10 S20 15 20 20", "M0 0 C0 5 5 10 10 10 C15 10 20 15 20 20"),
        ("M0 0 C0 5 5 10 10 10 s10 5 10 10", "M0 0 C0 5 5 10 10 10 C15 10 20 15 20 20"),
        ("M0 0 Q15 0 15 15", "M0 0 C10 0 15 5 15 15"),
        ("M0 0 q15 0 15 15", "M0 0 C10 0 15 5 15 15"),
        ("M0 0 Q3 3 6 0 T12 0", "M0 0 Q3 3 6 0 Q9 -3 12 0"),
        ("M1 1 L5 1 Z m2 2 l1 0", "M1 1 L5 1 Z M3 3 L4 3"),
        ("M1,2L3-4.5.5 1e1", "M1 2 L3 -4.5 L0.5 10"),
    ],
)
def test_every_command_of_a_path_is_known(project: Project, data: str, other: str) -> None:
    options = 'x="5mm" y="5mm" fill="black"'
    one, two = (
        list_points(draw(project, f"<path {options} d=\"{{{{ '{d}' }}}}\"/>"))
        for d in (data, other)
    )
    assert one == two
    assert len(one) > 1


def test_curves_are_drawn_as_they_are_written(project: Project) -> None:
    assert trace_expression(project, "M1 2 C3 4 5 6 7 8 Q10 8 10 11") == [
        ("M", (1, 2)),
        ("C", (3, 4, 5, 6, 7, 8)),
        ("C", (9, 8, 10, 9, 10, 11)),
    ]


def test_the_bounds_of_a_curve_are_those_of_what_is_drawn(project: Project) -> None:
    outline = draw(project, '<path d="{{ \'M0 0 C0 20 10 20 10 0\' }}" fill="black"/>')
    assert in_mm(outline.bounds) == (0, 0, 10, 15)
    arc = draw(project, '<path d="{{ \'M10 0 A10 10 0 0 1 10 20\' }}" fill="black"/>')
    assert in_mm(arc.bounds) == pytest.approx((10, 0, 10, 20), abs=0.01)


SQUARE = "M0 0 H100 V50 H0 Z"


@pytest.mark.parametrize(
    ("box", "bounds"),
    [
        ("x='10mm' y='5mm' width='20mm' height='20mm'", (10, 10, 20, 10)),
        ("x='10mm' y='5mm' width='20mm' height='6mm'", (14, 5, 12, 6)),
        ("x='10mm' y='5mm' width='20mm' height='10mm'", (10, 5, 20, 10)),
        ("", (0, 5, 60, 30)),
    ],
)
def test_a_view_is_as_large_as_its_box_allows_and_in_the_middle(
    project: Project, box: str, bounds: tuple[float, ...]
) -> None:
    (outline,) = list_outlines(
        lay_out(project, f'<path view="100 50" d="{SQUARE}" fill="black" {box}/>')[0]
    )
    assert in_mm(outline.bounds) == bounds


def test_a_view_is_the_drawing_s_and_not_what_is_drawn(project: Project) -> None:
    body = '<path view="40 40" d="M10 5 h5 v10 h-5 z" width="20mm" height="20mm" fill="black"/>'
    assert in_mm(draw(project, body).bounds) == (5, 2.5, 2.5, 5)


def test_lines_of_a_view_are_as_thick_as_they_are_said_to_be(project: Project) -> None:
    body = '<path view="1 1" d="M0 0 L1 1" stroke="black" stroke-width="2pt" dash="3pt 1pt"/>'
    assert draw(project, body).stroke == Stroke(BLACK, 2, (3, 1))


def test_a_path_may_differ_from_card_to_card(project: Project) -> None:
    body = '<path d="M0 0 H{{ card.cost }} V5 H0 Z" fill="black"/>'
    faces = lay_out(project, body, {"cost": 5}, {"cost": 12.5})
    assert [in_mm(list_outlines(face)[0].bounds) for face in faces] == [
        (0, 0, 5, 5),
        (0, 0, 12.5, 5),
    ]


def test_a_path_is_filled_with_a_gradient_from_edge_to_edge(project: Project) -> None:
    project.write_deck()
    project.write_template(
        '<colour name="red" rgb="#ff0000"/><colour name="blue" rgb="#0000ff"/>'
        '<gradient name="across" stops="red, blue" angle="0"/>'
        '<path d="M10 10 H30 V30 H10 Z" fill="across"/>'
    )
    image = PdfDocument(project.build().path)[0].render(scale=4).to_pil().convert("RGB")
    colours = {colour for _, colour in image.getcolors(1 << 16)}
    for red, green, blue in ((255, 0, 0), (0, 0, 255)):
        assert any(abs(r - red) + abs(g - green) + abs(b - blue) < 12 for r, g, b in colours), (
            "the gradient does not reach the edges of the path"
        )


# Ink

BOX = 'x="5mm" y="4mm" width="40mm" height="30mm"'
# With an expression it is in no form: its points are those of the card.
LOOSE = BOX.replace("5mm", "{{ 5 }}mm", 1)
ORNAMENTS = {
    "path": '<path d="M0 0 H5 V5 Z"',
    "rosette": '<guilloche form="rosette" waves="8" strands="4"',
    "band": '<guilloche form="band" waves="24" strands="2" thickness="5mm"',
    "ground": '<guilloche form="ground" waves="4" strands="8"',
    "plait": '<plait columns="8" rows="6"',
    "rose": '<rose points="8"',
    "rays": '<rays count="12"',
}


@pytest.mark.parametrize("start", ORNAMENTS.values(), ids=ORNAMENTS)
def test_ink_goes_to_the_outline(project: Project, start: str) -> None:
    ink = 'fill="gold" stroke="white" stroke-width="2pt" dash="3pt 1pt"'
    (face,) = lay_out(project, f"{GOLD}{start} {BOX} {ink}/>")
    outlines = list_outlines(face)
    assert outlines[0].fill == IN_GOLD
    assert outlines[-1].stroke == Stroke(WHITE, 2, (3, 1))
    assert not any(outline.even_odd for outline in outlines)


@pytest.mark.parametrize("start", ORNAMENTS.values(), ids=ORNAMENTS)
def test_ink_has_defaults(project: Project, start: str) -> None:
    (face,) = lay_out(project, f'{start} {BOX} stroke="black"/>')
    first = list_outlines(face)[0]
    assert (first.fill, first.stroke) == (None, Stroke(BLACK, 0.5))
    (face,) = lay_out(project, f'{start} {BOX} fill="black"/>')
    first = list_outlines(face)[0]
    assert (first.fill, first.stroke) == (BLACK, None)


@pytest.mark.parametrize("start", ORNAMENTS.values(), ids=ORNAMENTS)
@pytest.mark.parametrize("ink", ["", 'fill="none"', 'stroke="none" stroke-width="2pt"'])
def test_a_shape_without_ink_is_an_error(project: Project, start: str, ink: str) -> None:
    assert find_problem(project, f"{start} {BOX} {ink}/>") == (
        f'{FILE}:2:1: a shape without fill and stroke is not seen\n  hint: add stroke="black"'
    )


@pytest.mark.parametrize("start", ORNAMENTS.values(), ids=ORNAMENTS)
def test_a_line_of_no_width_paints_nothing(project: Project, start: str) -> None:
    project.write_template(f'{start} {BOX} stroke="black" stroke-width="0"/>')
    project.write_deck()
    project.write(
        "targets/bare.toml",
        'title = "Bare"\npaper = "a4"\nmargin = "5mm"\ngap_x = "0"\ngap_y = "0"\n'
        'bleed_x = "0"\nbleed_y = "0"\nmarks = "none"\nduplex = "none"\n',
    )
    page = PdfDocument(project.build(target="bare").path)[0]
    assert page.render(scale=2).to_pil().convert("L").getextrema() == (255, 255)


# Ornaments

RECT = Rect(5 * MM, 4 * MM, 40 * MM, 30 * MM)
CELLS = (8, 6, 0, 0, 0.5)


@pytest.mark.parametrize(
    ("element", "expect"),
    [
        (
            '<guilloche form="rosette" waves="8" strands="4"',
            partial(trace_rosette, RECT, 8, 4, 0.5),
        ),
        (
            '<guilloche form="rosette" waves="8" strands="4" inner="0.7"',
            partial(trace_rosette, RECT, 8, 4, 0.7),
        ),
        (
            '<guilloche form="band" waves="24" strands="2" thickness="5mm"',
            partial(trace_band, RECT, 24, 2, 5 * MM),
        ),
        ('<guilloche form="ground" waves="4" strands="8"', partial(trace_ground, RECT, 4, 8)),
        ('<plait columns="8" rows="6"', partial(trace_plait, RECT, 8, 6, 0, 0, 0.5)),
        (
            '<plait columns="16" rows="12" hole="8 6" ribbon="0.4"',
            partial(trace_plait, RECT, 16, 12, 8, 6, 0.4),
        ),
        ('<rays count="12"', partial(trace_rays, RECT, 12, 0.5)),
        ('<rays count="12" inner="0.25"', partial(trace_rays, RECT, 12, 0.25)),
    ],
)
def test_an_ornament_is_drawn_in_its_box(
    project: Project, element: str, expect: Callable[[], tuple[Segment, ...]]
) -> None:
    body = f'{element} {LOOSE} fill="black"/>'
    outline, segments = draw(project, body), expect()
    assert outline.bounds == pytest.approx(RECT, abs=0.001)
    assert [operator for operator, _ in outline.segments] == [name for name, _ in segments]
    for (_, points), (_, others) in zip(outline.segments, segments, strict=True):
        assert points == pytest.approx(others, abs=0.001)


@pytest.mark.parametrize(
    "element",
    [start for name, start in ORNAMENTS.items() if name != "path"],
    ids=[name for name in ORNAMENTS if name != "path"],
)
def test_an_ornament_fills_its_box(project: Project, element: str) -> None:
    """Its lines come near all four edges, and the bounds of the ink lie within them."""
    body = f'{element} {LOOSE} fill="black"/>'
    outline = draw(project, body)
    ends = [points[-2:] for _, points in outline.segments if points]
    x, y = ([value / MM for value in values] for values in zip(*ends, strict=True))
    assert (min(x), max(x)) == pytest.approx((5, 45), abs=0.3)
    assert (min(y), max(y)) == pytest.approx((4, 34), abs=0.8)
    assert min(x) > 4.99 and max(x) < 45.01 and min(y) > 3.99 and max(y) < 34.01


@pytest.mark.parametrize(
    ("ink", "painted"),
    [
        ('fill="gold"', [(partial(trace_plait, RECT, *CELLS), IN_GOLD, None)]),
        ('stroke="black"', [(partial(trace_plait_edges, RECT, *CELLS), None, Stroke(BLACK, 0.5))]),
        (
            'fill="gold" stroke="black"',
            [
                (partial(trace_plait, RECT, *CELLS, gap=0), IN_GOLD, None),
                (partial(trace_plait_edges, RECT, *CELLS), None, Stroke(BLACK, 0.5)),
            ],
        ),
    ],
    ids=["filled", "stroked", "both"],
)
def test_ribbons_are_parted_by_gaps_or_by_lines(
    project: Project,
    ink: str,
    painted: list[tuple[Callable[[], tuple[Segment, ...]], Colour | None, Stroke | None]],
) -> None:
    body = f'{GOLD}<plait columns="8" rows="6" {LOOSE} {ink}/>'
    (face,) = lay_out(project, body)
    outlines = list_outlines(face)
    assert [(outline.fill, outline.stroke) for outline in outlines] == [
        (fill, stroke) for _, fill, stroke in painted
    ]
    for outline, (expect, _, _) in zip(outlines, painted, strict=True):
        segments = expect()
        assert [name for name, _ in outline.segments] == [name for name, _ in segments]
        for (_, points), (_, others) in zip(outline.segments, segments, strict=True):
            assert points == pytest.approx(others, abs=0.001)


def test_a_rose_has_a_light_and_a_dark_half(project: Project) -> None:
    body = f"""{GOLD}
    <rose points="16" inner="0.25" fill="gold" dark="black" stroke="white" x="{{{{ 5 }}}}mm"
          y="4mm" width="40mm" height="30mm"/>"""
    (face,) = lay_out(project, body)
    light, dark = list_outlines(face)
    for outline, segments in zip((light, dark), trace_rose(RECT, 16, 0.25), strict=True):
        assert outline.bounds == pytest.approx(RECT, abs=0.001)
        assert len(outline.segments) == len(segments) > 16
        for (name, points), (other, others) in zip(outline.segments, segments, strict=True):
            assert name == other
            assert points == pytest.approx(others, abs=0.001)
    assert (light.fill, dark.fill) == (IN_GOLD, BLACK)
    assert light.stroke == dark.stroke == Stroke(WHITE, 0.5)


@pytest.mark.parametrize(
    ("ink", "painted"),
    [
        ('fill="gold"', [(IN_GOLD, None)]),
        ('fill="gold" dark="none"', [(IN_GOLD, None)]),
        ('stroke="black"', [(None, Stroke(BLACK, 0.5)), (None, Stroke(BLACK, 0.5))]),
        ('fill="gold" dark="white"', [(IN_GOLD, None), (WHITE, None)]),
    ],
)
def test_the_dark_half_of_a_rose_is_there_if_it_is_painted(
    project: Project, ink: str, painted: list[tuple[Colour | None, Stroke | None]]
) -> None:
    (face,) = lay_out(project, f'{GOLD}<rose points="8" {BOX} {ink}/>')
    assert [(outline.fill, outline.stroke) for outline in list_outlines(face)] == painted


def test_the_dark_half_may_be_a_gradient(project: Project) -> None:
    body = f"""
    <gradient name="dusk" stops="white, black"/><rose points="4" {BOX} fill="white" dark="dusk"/>"""
    (face,) = lay_out(project, body)
    _, dark = list_outlines(face)
    assert isinstance(dark.fill, Gradient)


def test_an_ornament_bleeds(project: Project) -> None:
    body = '<guilloche form="ground" waves="4" strands="8" bleed="true" stroke="black"/>'
    assert in_mm(draw(project, body, bleed="3mm").bounds) == (-3, -3, 66, 46)


@pytest.mark.parametrize("start", ORNAMENTS.values(), ids=ORNAMENTS)
def test_what_no_card_changes_is_drawn_once(project: Project, start: str) -> None:
    job = make_job(project, f'{start} {BOX} stroke="black"/>', *[{} for _ in range(3)])
    shared = []
    for face in make_faces(job):
        (form,) = face.items
        assert isinstance(form, Form)
        shared.append(form.shared)
    assert shared[0] is shared[1] is shared[2]


def test_an_ornament_is_in_the_file_once(project: Project) -> None:
    project.write_template(
        f'{ORNAMENTS["rosette"]} stroke="black"/><text>{{{{ card.name }}}}</text>'
    )
    project.write_deck("".join(f"  - name: {number:03}\n" for number in range(13)))
    (page,) = PdfReader(project.build().path, strict=True).pages
    forms = page["/Resources"]["/XObject"]  # type: ignore[index]
    contents = page.get_contents()
    assert contents is not None
    whole = contents.get_data()
    counts = [whole.count(f"{name} Do".encode()) for name in forms]
    assert sorted(counts) == [0, 13], "the fixed part on each card, and in it the ornament"
    inner = [form.get_object().get_data().count(b" Do") for form in forms.values()]
    assert sorted(inner) == [0, 1]


# What is wrong with them


def name_element(message: str, hint: str = "") -> str:
    seen = f"the template's element is {FILE}:2:1"
    return f'decks/deck.yaml:3:3: card "Card 1": {message}\n  hint: {hint}{seen}'


SVG = 'it is written as in SVG: "M0 0 L10 0 V5 Z"; '


@pytest.mark.parametrize(
    ("data", "at"),
    [
        ("M0 0 L10 10 X", "X"),
        ("M0 0 L10 10 mm", "M0 0 L10 10 mm"),
        ("M0 0 L1O 10", "O"),
        ("M0 0 L10", "M0 0 L10"),
        ("L10 10", "L10 10"),
        ("10 10", "10 10"),
        ("M", "M"),
        ("M0 0 L1 2 3", "M0 0 L1 2 3"),
        ("M0 0 A5 5 0 0", "M0 0 A5 5 0 0"),
        ("M0 0 url(#a)", "ur(#)"),
    ],
)
def test_broken_data_is_an_error(project: Project, data: str, at: str) -> None:
    expected = name_element(f'a path has broken data at "{at}"', SVG)
    assert find_problem(project, f'<path d="{data}" fill="black"/>') == expected
    assert find_problem(project, f'<path d="{{{{ \'{data}\' }}}}" fill="black"/>') == expected


@pytest.mark.parametrize("data", ["", "  "])
def test_a_path_that_draws_nothing_is_an_error(project: Project, data: str) -> None:
    assert find_problem(project, f'<path d="{data}" fill="black"/>') == name_element(
        "a path draws nothing", SVG
    )


def test_a_path_that_only_moves_draws_nothing(project: Project) -> None:
    assert find_problem(project, '<path d="M5 5 M8 8" fill="black"/>') == name_element(
        "a path draws nothing", SVG
    )


@pytest.mark.parametrize("data", ["M0 0 L1e999 1e999", "M0 0 L1e999 0 V5 Z"])
def test_a_number_too_large_to_draw_is_broken_data(project: Project, data: str) -> None:
    expected = name_element(f'a path has broken data at "{data}"', SVG)
    assert find_problem(project, f'<path d="{data}" fill="black"/>') == expected


def test_long_data_is_cut_short(project: Project) -> None:
    problem = find_problem(project, f'<path d="M0 0 {"L1 1 " * 100}L1" fill="black"/>')
    assert len(problem) < 300
    assert 'a path has broken data at "M0 0 L1 1' in problem


@pytest.mark.parametrize(
    ("element", "message", "hint"),
    [
        (
            '<path d="M0 0 L70 10" stroke="black"',
            "a box of 70mm x 10mm reaches 10mm beyond the card's right edge",
            "the card with its bleed is 60mm x 40mm; ",
        ),
        (
            '<path x="5mm" d="M-7 0 L7 10" stroke="black"',
            "a box of 14mm x 10mm reaches 2mm beyond the card's left edge",
            "the card with its bleed is 60mm x 40mm; ",
        ),
        (
            '<path y="30mm" d="M0 0 C0 20 10 20 10 0" stroke="black"',
            "a box of 10mm x 15mm reaches 5mm beyond the card's bottom edge",
            "the card with its bleed is 60mm x 40mm; ",
        ),
        (
            '<path view="10 10" d="M0 0 L20 10" stroke="black"',
            "a box of 80mm x 40mm reaches 30mm beyond the card's right edge",
            "the card with its bleed is 60mm x 40mm; ",
        ),
        (
            '<rays count="12" x="30mm" width="40mm" height="5mm" fill="black"',
            "a box of 40mm x 5mm reaches 10mm beyond the card's right edge",
            "the card with its bleed is 60mm x 40mm; ",
        ),
    ],
)
def test_a_shape_beyond_the_card_is_an_error(
    project: Project, element: str, message: str, hint: str
) -> None:
    assert find_problem(project, f"{element}/>") == name_element(message, hint)


def test_a_fixed_path_beyond_the_card_is_found_on_every_card(project: Project) -> None:
    body = """
    <box x="{{ card.x }}mm" width="10mm" height="10mm"><path d="M0 0 H12" stroke="black"/></box>"""
    problem = find_problem(project, body, {"x": 0}, {"name": "Edge", "x": 50})
    assert 'card "Edge": a box of 12mm x 0mm reaches 2mm beyond the card\'s right' in problem
    assert find_problem(project, body, {"x": 0}, {"name": "Edge", "x": 48}) == ""


@pytest.mark.parametrize(
    ("element", "problem"),
    [
        ("<path", '2:1: <path> has no d\n  hint: add d="…"'),
        (
            '<path d="M0 0" view="100"',
            '2:16: "100" must be two numbers above 0\n  hint: width and height: 100 20',
        ),
        (
            '<path d="M0 0" view="100 0"',
            '2:16: "100 0" must be two numbers above 0\n  hint: width and height: 100 20',
        ),
        (
            '<path d="M0 0" view="0 0 100 100"',
            '2:16: "0 0 100 100" must be two numbers above 0\n  hint: width and height: 100 20',
        ),
        ('<path d="M0 0" view="100 -5"', '2:16: "-5" is negative\n  hint: write 0 or more'),
        (
            '<path d="M0 0" view="100mm 50mm"',
            '2:16: "100mm" is not a number\n  hint: write 100, without a unit',
        ),
        (
            '<path d="M0 0" veiw="1 1"',
            '2:16: unknown attribute "veiw" of <path>\n  hint: did you mean "view"?',
        ),
        ('<guilloche waves="8" strands="4"', '2:1: <guilloche> has no form\n  hint: add form="…"'),
        (
            '<guilloche form="ground" strands="4"',
            '2:1: <guilloche> has no waves\n  hint: add waves="…"',
        ),
        (
            '<guilloche form="ground" waves="4"',
            '2:1: <guilloche> has no strands\n  hint: add strands="…"',
        ),
        (
            '<guilloche form="rosete" waves="8" strands="4"',
            '2:12: "rosete" is not one of: rosette, band, ground\n  hint: did you mean "rosette"?',
        ),
        (
            '<guilloche form="band" waves="8" strands="4"',
            '2:1: a band has no thickness\n  hint: add thickness="5mm"',
        ),
        (
            '<guilloche form="band" waves="8" strands="4" thickness="0"',
            '2:1: a band has no thickness\n  hint: add thickness="5mm"',
        ),
        (
            '<guilloche form="ground" waves="101" strands="4"',
            '2:26: "101" is not a whole number from 1 to 100',
        ),
        (
            '<guilloche form="ground" waves="4" strands="2.5"',
            '2:36: "2.5" is not a whole number from 1 to 100',
        ),
        (
            '<guilloche form="rosette" waves="4" strands="2" inner="1.5"',
            '2:49: "1.5" is not a number from 0 to 1',
        ),
        ('<plait rows="4"', '2:1: <plait> has no columns\n  hint: add columns="…"'),
        ('<plait columns="4"', '2:1: <plait> has no rows\n  hint: add rows="…"'),
        (
            '<plait columns="4" rows="4" hole="2"',
            '2:29: "2" must be two whole numbers\n  hint: its columns and rows: 6 10',
        ),
        (
            '<plait columns="4" rows="4" hole="2 x"',
            '2:29: "x" is not a whole number from 1 to 100',
        ),
        (
            '<plait columns="4" rows="4" ribbon="-1"',
            '2:29: "-1" is not a number from 0 to 1',
        ),
        ("<rose", '2:1: <rose> has no points\n  hint: add points="…"'),
        (
            '<rose points="4" dark="blakc"',
            '2:18: unknown colour "blakc"\n  hint: did you mean "black"?',
        ),
        ("<rays", '2:1: <rays> has no count\n  hint: add count="…"'),
        ('<rays count="1"', '2:7: "1" is not a whole number from 2 to 1000'),
        ('<rays count="1001"', '2:7: "1001" is not a whole number from 2 to 1000'),
        (
            "<box turn='400'",
            '2:6: "400" is no turn\n  hint: write degrees from -360 to 360',
        ),
        (
            "<box turn='45°'",
            '2:6: "45°" is not a number\n  hint: write 45, without a unit',
        ),
        ("<path opacity='50' d='M0 0'", '2:7: "50" is not a number from 0 to 1\n  hint: write 0.5'),
        (
            "<icon name='sword' blend='multply'",
            '2:20: "multply" is not one of: normal, multiply, screen\n'
            '  hint: did you mean "multiply"?',
        ),
    ],
)
def test_an_attribute_that_is_wrong(project: Project, element: str, problem: str) -> None:
    ink = "" if element.startswith("<box") else ' fill="black"'
    assert find_problem(project, f"{element}{ink}/>") == f"{FILE}:{problem}"


def test_all_that_is_wrong_with_a_shape_is_said_at_once(project: Project) -> None:
    assert find_problem(project, '<guilloche inner="x"/>') == "\n".join(
        [
            f'{FILE}:2:1: <guilloche> has no form\n  hint: add form="…"',
            f'{FILE}:2:1: <guilloche> has no waves\n  hint: add waves="…"',
            f'{FILE}:2:1: <guilloche> has no strands\n  hint: add strands="…"',
            f'{FILE}:2:12: "x" is not a number\n  hint: write a number from 0 to 1, as in 0.5',
        ]
    )


@pytest.mark.parametrize("element", ["path", "guilloche", "plait", "rose", "rays"])
def test_a_shape_holds_nothing(project: Project, element: str) -> None:
    problem = find_problem(project, f"<{element}><box/></{element}>")
    assert f"{FILE}:2:{len(element) + 3}: <{element}> holds no elements\n" in problem
    problem = find_problem(project, f"<{element}>M0 0</{element}>")
    assert f"{FILE}:2:1: <{element}> holds no text\n" in problem


UNEQUAL = "look different upside down; make one of the numbers even"


@pytest.mark.parametrize(
    ("element", "message"),
    [
        ('<guilloche form="rosette" waves="3" strands="5"', f"3 waves and 5 strands {UNEQUAL}"),
        (
            '<guilloche form="band" waves="25" strands="3" thickness="5mm"',
            f"25 waves and 3 strands {UNEQUAL}",
        ),
        (
            '<guilloche form="rosette" waves="4" strands="2" inner="1"',
            "a rosette's inner share must be from 0 to below 1, not 1",
        ),
        (
            '<guilloche form="band" waves="24" strands="2" thickness="25mm"',
            "a band of 25mm is too thick to turn the corners: at most ",
        ),
        (
            '<plait columns="8" rows="20"',
            "knotwork's cells would be 7.5mm x 2mm, too far from square;"
            " 8 columns ask for about 5 rows",
        ),
        ('<plait columns="1" rows="1"', "knotwork has from 2 to 40 columns, not 1"),
        (
            '<plait columns="9" rows="6" hole="4 2"',
            "a hole of 4 columns cannot lie in the middle of 9; both must be even or both odd",
        ),
        ('<rose points="6"', "a rose has 4, 8, 16 or 32 points, not 6"),
        (
            '<rays count="7"',
            "rays look the same upside down if there are 2, 4, 6 and so on up to ",
        ),
        (
            '<rays count="8" width="0"',
            "there is no room for an ornament in a box of 0mm x 40mm",
        ),
    ],
)
def test_an_ornament_that_cannot_be_drawn_names_card_and_element(
    project: Project, element: str, message: str
) -> None:
    found = find_problem(project, f'{element} fill="black"/>')
    assert found.startswith(f'decks/deck.yaml:3:3: card "Card 1": {message}')
    assert found.endswith(f"\n  hint: the template's element is {FILE}:2:1")


def test_an_ornament_of_one_card_names_that_card(project: Project) -> None:
    body = '<rays count="{{ card.rays }}" fill="black"/>'
    problem = find_problem(project, body, {"rays": 8}, {"name": "Odd", "rays": 7})
    assert problem.startswith('decks/deck.yaml:5:3: card "Odd": rays look the same upside down')
