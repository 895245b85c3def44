"""Boxes turned with all they hold: as rectangles, on a face, and by pixels in the finished file.

Coordinates are in millimetres from the trim's top left.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st
from making import build, prepare
from PIL import Image, ImageChops
from pypdf import PdfReader
from pypdfium2 import PdfDocument
from strategies import (
    MM,
    examples,
    find_problem,
    find_right,
    in_mm,
    lay_out,
    list_lines,
    list_runs,
)

from cardgen.core.geometry import Insets, Rect, Size, Turn
from cardgen.layout.canvas import Canvas, Drawn, turn_back, turn_insets, turn_rect
from cardgen.layout.face import Form, Item, Outline

Rects = list[tuple[float, float, float, float]]

TURNS: tuple[Turn, ...] = get_args(Turn)
INNER = '<box x="2mm" y="1mm" width="4mm" height="3mm" fill="black"/>'
BLEEDING = '<box width="10mm" height="5mm" bleed="true" fill="black"/>'
UNEVEN = "1mm 2mm 3mm 4mm"  # top, right, bottom, left


def place(project: Project, body: str, *cards: dict[str, object], **options: Any) -> list[Rects]:
    """What each card of 60 x 40 mm paints."""
    faces = lay_out(project, body, *cards, **options)
    return [[in_mm(rect) for rect in list_bounds(face.items)] for face in faces]


def list_bounds(items: Sequence[Item]) -> list[Rect]:
    """Where outlines lie, forms taken apart and turned by their corners, as a matrix does it."""
    bounds: list[Rect] = []
    for item in items:
        if isinstance(item, Outline):
            bounds.append(item.bounds)
        elif isinstance(item, Form):
            for rect in list_bounds(item.shared.items):
                bounds.append(spin(rect, item.turn).moved(item.x, item.y))
    return bounds


def spin(rect: Rect, turn: Turn) -> Rect:
    """A rectangle turned clockwise about the origin."""
    points = [(rect.x, rect.y), (rect.right, rect.bottom)]
    for _ in range(turn // 90):
        points = [(-y, x) for x, y in points]
    (a, b), (c, d) = points
    return Rect(min(a, c), min(b, d), abs(c - a), abs(d - b))


# Rectangles

whole = st.integers(-200, 200)
lengths = st.integers(0, 200)
rects = st.builds(Rect, whole, whole, lengths, lengths)
insets = st.builds(Insets, lengths, lengths, lengths, lengths)
turns = st.sampled_from(TURNS)


@given(rects, rects, turns)
@examples(200)
def test_a_rectangle_turned_and_turned_back_is_the_same(rect: Rect, at: Rect, turn: Turn) -> None:
    assert turn_back(turn_rect(rect, at, turn), at, turn) == rect
    assert turn_rect(turn_back(rect, at, turn), at, turn) == rect


@given(rects, rects, turns)
@examples(200)
def test_a_quarter_turn_exchanges_width_and_height(rect: Rect, at: Rect, turn: Turn) -> None:
    turned = rect.size if turn in (0, 180) else Size(rect.height, rect.width)
    assert turn_rect(rect, at, turn).size == turned
    assert turn_back(rect, at, turn).size == turned


@given(rects, turns)
@examples(100)
def test_a_box_lies_at_the_origin_of_what_it_holds(at: Rect, turn: Turn) -> None:
    assert turn_rect(at, at, turn)[:2] == (0, 0)


@given(rects, rects, turns)
@examples(200)
def test_turned_content_lies_as_a_form_draws_it(rect: Rect, at: Rect, turn: Turn) -> None:
    canvas = Canvas(Rect(0, 0, 500, 500), Insets())
    inner = Canvas.within(canvas, at, turn)
    inner.items.append(Outline((), None, None, False, rect))
    canvas.place(inner.finish(), at, turn)
    assert list_bounds(canvas.items) == [turn_back(rect, at, turn)]


@given(rects, rects, insets, turns)
@examples(200)
def test_insets_turn_with_their_rectangle(rect: Rect, at: Rect, by: Insets, turn: Turn) -> None:
    turned = turn_rect(rect, at, turn).outset(turn_insets(by, turn))
    assert turned == turn_rect(rect.outset(by), at, turn)


@pytest.mark.parametrize(
    ("turn", "turned"),
    [(0, (1, 2, 3, 4)), (90, (2, 3, 4, 1)), (180, (3, 4, 1, 2)), (270, (4, 1, 2, 3))],
)
def test_each_side_s_inset_lies_where_the_turned_content_looks_for_it(
    turn: Turn, turned: tuple[float, ...]
) -> None:
    """Left, top, right, bottom: content turned by 90 has the card's top at its left."""
    assert turn_insets(Insets(1, 2, 3, 4), turn) == Insets(*turned)


@pytest.mark.parametrize("turn", TURNS)
def test_a_part_is_as_far_reaching_as_its_boxes(turn: Turn) -> None:
    canvas, at = Canvas(Rect(0, 0, 100, 80), Insets()), Rect(30, 20, 40, 30)
    inner = Canvas.within(canvas, at, turn)
    assert inner.finish() == Drawn(None, turn_rect(at, at, turn))
    outside = Rect(25, 20, 10, 30)
    inner.check(turn_rect(outside, at, turn))
    assert inner.finish().reach == turn_rect(at.join(outside), at, turn)


# Where content lies


@pytest.mark.parametrize("given_as", ["{}", "{{{{ {} }}}}"], ids=["fixed", "an expression"])
@pytest.mark.parametrize(
    ("turn", "rect"),
    [(0, (12, 6, 4, 3)), (90, (36, 7, 3, 4)), (180, (34, 21, 4, 3)), (270, (11, 19, 3, 4))],
)
def test_content_is_turned_clockwise_within_its_box(
    project: Project, given_as: str, turn: Turn, rect: tuple[float, ...]
) -> None:
    body = f"""
    <box x="10mm" y="5mm" width="30mm" height="20mm" fill="black" turn="{given_as.format(turn)}">
      {INNER}
    </box>"""
    assert place(project, body) == [[(10, 5, 30, 20), rect]]


@pytest.mark.parametrize(
    ("turn", "rect"),
    [
        (0, (14, 6, 24, 16)),
        (90, (13, 9, 26, 14)),
        (180, (12, 8, 24, 16)),
        (270, (11, 7, 26, 14)),
    ],
)
def test_padding_is_turned_too(project: Project, turn: Turn, rect: tuple[float, ...]) -> None:
    body = f"""
    <box x="10mm" y="5mm" width="30mm" height="20mm" padding="{UNEVEN}" turn="{turn}">
      <box fill="black"/>
    </box>"""
    assert place(project, body) == [[rect]]


@pytest.mark.parametrize(
    ("turn", "rect"), [(90, (45, 0, 15, 20)), (180, (30, 30, 30, 10)), (270, (0, 20, 15, 20))]
)
def test_shares_are_those_of_the_turned_room(
    project: Project, turn: Turn, rect: tuple[float, ...]
) -> None:
    body = f'<box turn="{turn}"><box width="50%" height="25%" fill="black"/></box>'
    assert place(project, body) == [[rect]]


@pytest.mark.parametrize("outer", TURNS)
@pytest.mark.parametrize("inner", TURNS)
def test_turns_add_up(project: Project, outer: Turn, inner: Turn) -> None:
    body = '<box turn="{{{{ {} }}}}"><box turn="{{{{ {} }}}}">{}</box></box>'
    (both,) = place(project, body.format(outer, inner, INNER))
    (once,) = place(project, body.format((outer + inner) % 360, 0, INNER))
    assert both == once


def test_a_column_in_a_turned_box_has_its_height(project: Project) -> None:
    body = """
    <box turn="90"><column>
      <box height="10mm" fill="black"/><box grow="1" fill="black"/>
    </column></box>"""
    assert place(project, body) == [[(50, 0, 10, 40), (0, 0, 50, 40)]]


def test_a_turned_box_that_no_card_changes_is_composed_once(project: Project) -> None:
    body = f'<box turn="90">{INNER}</box><text>{{{{ card.name }}}}</text>'
    one, other = lay_out(project, body, {}, {})
    first, second = (face.items[0] for face in (one, other))
    assert isinstance(first, Form) and isinstance(second, Form)
    assert first.shared is second.shared


# Bleed


@pytest.mark.parametrize("given_as", ["{}", "{{{{ {} }}}}"], ids=["fixed", "an expression"])
@pytest.mark.parametrize(
    ("turn", "rect"),
    [
        (0, (-4, -1, 14, 6)),
        (90, (55, -1, 7, 11)),
        (180, (50, 35, 12, 8)),
        (270, (-4, 30, 9, 13)),
    ],
)
def test_what_is_turned_onto_the_trim_reaches_to_that_edge_of_the_bleed(
    project: Project, given_as: str, turn: Turn, rect: tuple[float, ...]
) -> None:
    body = f'<box turn="{given_as.format(turn)}">{BLEEDING}</box>'
    assert place(project, body, bleed=UNEVEN) == [[rect]]


@pytest.mark.parametrize(
    ("turn", "rect"), [(90, (-4, -1, 66, 44)), (180, (-4, -1, 66, 44)), (270, (-4, -1, 66, 44))]
)
def test_a_turned_box_may_itself_bleed(
    project: Project, turn: Turn, rect: tuple[float, ...]
) -> None:
    body = f'<box turn="{turn}" bleed="true" fill="black"><box fill="black"/></box>'
    assert place(project, body, bleed=UNEVEN) == [[rect, rect]]


@pytest.mark.parametrize("turn", TURNS)
def test_what_does_not_lie_on_the_trim_does_not_bleed(project: Project, turn: Turn) -> None:
    body = f"""
    <box x="10mm" y="10mm" right="10mm" bottom="10mm" turn="{turn}">
      <box bleed="true" fill="black"/>
    </box>"""
    assert place(project, body, bleed=UNEVEN) == [[(10, 10, 40, 20)]]


@pytest.mark.parametrize(
    "bleed",
    [
        "1mm 5mm 1mm 1mm",
        "1mm 1mm 1mm 5mm",
    ],
)
def test_both_ways_reach_to_the_edges_of_an_uneven_bleed(project: Project, bleed: str) -> None:
    body = f'<box for="turn in [0, 180]" turn="{{{{ turn }}}}">{BLEEDING}</box>'
    _, right, _, left = (int(part.removesuffix("mm")) for part in bleed.split())
    assert place(project, body, bleed=bleed) == [
        [(-left, -1, 10 + left, 6), (50, 35, 10 + right, 6)]
    ]


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_fixed_box_in_a_turned_one_bleeds_only_where_it_lies_on_the_trim(
    project: Project, turn: Turn
) -> None:
    body = f"""
    <box x="{{{{ card.x }}}}mm" y="10mm" width="10mm" height="10mm" turn="{turn}">
      <box bleed="true" fill="black"/>
    </box>"""
    assert place(project, body, {"x": 0}, {"x": 20}, {"x": 50}, bleed="3mm") == [
        [(-3, 10, 13, 10)],
        [(20, 10, 10, 10)],
        [(50, 10, 13, 10)],
    ]


def test_a_fixed_box_within_another_bleeds_only_where_it_lies_on_the_trim(
    project: Project,
) -> None:
    body = """
    <box x="{{ card.x }}mm" y="10mm" width="10mm" height="10mm">
      <box><box bleed="true" fill="black"/></box>
    </box>"""
    assert place(project, body, {"x": 0}, {"x": 20}, {"x": 50}, bleed="3mm") == [
        [(-3, 10, 13, 10)],
        [(20, 10, 10, 10)],
        [(50, 10, 13, 10)],
    ]


# Beyond the card


@pytest.mark.parametrize("given_as", ["{}", "{{{{ {} }}}}"], ids=["fixed", "an expression"])
@pytest.mark.parametrize(("turn", "over"), [(90, 47), (180, 27), (270, 47)])
def test_a_box_beyond_the_card_is_found_in_a_turned_one(
    project: Project, given_as: str, turn: Turn, over: int
) -> None:
    body = f"""
    <box turn="{given_as.format(turn)}">
      <box x="40mm" width="50mm" height="5mm" fill="black"/>
    </box>"""
    problem = find_problem(project, body, bleed="3mm")
    size = "50mm x 5mm" if turn == 180 else "5mm x 50mm"
    start = f'decks/deck.yaml:3:3: card "Card 1": a box of {size} reaches {over}mm beyond the'
    assert problem.startswith(start)
    assert problem.endswith("; the template's element is templates/plain.xml:4:7")


@pytest.mark.parametrize(("turn", "edge"), [(90, "bottom"), (180, "left"), (270, "top")])
def test_the_edge_is_named_as_it_lies_on_the_card(project: Project, turn: Turn, edge: str) -> None:
    body = f'<box turn="{turn}"><box x="40mm" width="50mm" height="5mm" fill="black"/></box>'
    problem = find_problem(project, body, bleed="3mm")
    assert f"beyond the card's {edge} edge" in problem
    assert "the card with its bleed is 66mm x 46mm" in problem


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_box_within_the_card_is_fine_wherever_its_content_is_turned_to(
    project: Project, turn: Turn
) -> None:
    """The content reaches over its own box, but not over the card's bleed."""
    body = f"""
    <box x="20mm" y="15mm" width="10mm" height="10mm" turn="{turn}">
      <box x="-7mm" y="-7mm" right="-7mm" bottom="-7mm" fill="black"/>
    </box>"""
    assert place(project, body) == [[(13, 8, 24, 24)]]


# A box of 20 x 20 mm of which the turned content reaches 4 mm out: at the edge of the card to which
# it reaches, there is no room for it.
@pytest.mark.parametrize(
    ("turn", "corner"), [(0, (40, 10)), (90, (20, 20)), (180, (0, 10)), (270, (20, 0))]
)
@pytest.mark.parametrize(
    "body",
    [
        '<box {} turn="{}">{}</box>',
        '<box {}><box turn="{}">{}</box></box>',
        '<column {}><box height="20mm" turn="{}">{}</box></column>',
    ],
    ids=["itself", "in a box", "in a column"],
)
def test_a_fixed_part_that_is_turned_beyond_the_card_is_found_on_every_card(
    project: Project, turn: Turn, corner: tuple[int, int], body: str
) -> None:
    where = 'x="{{ card.x }}mm" y="{{ card.y }}mm" width="20mm" height="20mm"'
    content = '<box width="24mm" fill="black"/>'
    inside = {"x": 20, "y": 10}
    edge = {"name": "Edge", "x": corner[0], "y": corner[1]}
    problem = find_problem(project, body.format(where, turn, content), inside, edge)
    size = "20mm x 24mm" if turn in (90, 270) else "24mm x 20mm"
    assert problem.startswith(
        f'decks/deck.yaml:6:3: card "Edge": a box of {size} reaches 4mm beyond the card\'s '
    )
    others = [(x, y) for x, y in ((40, 10), (20, 20), (0, 10), (20, 0)) if (x, y) != corner]
    sound = [inside, *({"x": x, "y": y} for x, y in others)]
    assert find_problem(project, body.format(where, turn, content), *sound) == ""


# How much room a turned box takes by itself

CONTENT = '<box x="1mm" width="7mm" height="3mm"/>'


@pytest.mark.parametrize(("turn", "height"), [(0, 7), (90, 14), (180, 7), (270, 14)])
def test_a_turned_box_in_a_column_is_as_high_as_its_content_is_wide(
    project: Project, turn: Turn, height: float
) -> None:
    body = f"""
    <column>
      <box padding="{UNEVEN}" fill="black" turn="{turn}">{CONTENT}</box>
      <box height="1mm" fill="black"/>
    </column>"""
    assert place(project, body) == [[(0, 0, 60, height), (0, height, 60, 1)]]


@pytest.mark.parametrize(("turn", "width"), [(0, 14), (90, 7), (180, 14), (270, 7)])
def test_a_turned_box_in_a_row_is_as_wide_as_its_content_is_high(
    project: Project, turn: Turn, width: float
) -> None:
    body = f"""
    <row>
      <box padding="{UNEVEN}" fill="black" turn="{turn}">{CONTENT}</box>
      <box width="1mm" fill="black"/>
    </row>"""
    assert place(project, body) == [[(0, 0, width, 40), (width, 0, 1, 40)]]


@pytest.mark.parametrize("align", ["start", "centre", "end"])
@pytest.mark.parametrize(("turn", "size"), [(90, (3, 8)), (180, (8, 3)), (270, (3, 8))])
def test_a_turned_box_is_aligned_by_its_outer_size(
    project: Project, align: str, turn: Turn, size: tuple[float, float]
) -> None:
    width, height = size
    share = {"start": 0, "centre": 0.5, "end": 1}[align]
    body = f'<{{0}} align="{align}"><box fill="black" turn="{turn}">{CONTENT}</box></{{0}}>'
    (column,) = place(project, body.format("column"))
    (row,) = place(project, body.format("row"))
    assert column == [((60 - width) * share, 0, width, height)]
    assert row == [(0, (40 - height) * share, width, height)]


def test_a_turned_text_stands_on_one_line(project: Project) -> None:
    body = """
    <column><box turn="90"><text>A rather long text</text></box>
      <box height="1mm" fill="black"/>
    </column>"""
    (face,) = lay_out(project, body)
    assert list_lines(face) == ["A rather long text"]
    (run,) = list_runs(face)
    (rect,) = list_bounds(face.items)
    assert rect.y == pytest.approx(find_right(run) - run.x + 0.01)


@pytest.mark.parametrize(
    ("tag", "said", "rect"),
    [("column", 'width="6mm"', (0, 0, 6, 8)), ("row", 'height="20mm"', (0, 0, 3, 20))],
)
def test_what_a_turned_box_says_of_one_side_is_not_what_its_content_takes_of_the_other(
    project: Project, tag: str, said: str, rect: tuple[float, ...]
) -> None:
    body = f'<{tag}><box {said} fill="black" turn="90">{CONTENT}</box></{tag}>'
    assert place(project, body) == [[rect]]


def test_a_turned_text_is_broken_where_its_box_ends(project: Project) -> None:
    """Its lines are as long as the box is high, and the box is as wide as they need."""
    text = "some words that need more than one line where the room is narrow"
    body = f"""
    <row>
      <box height="20mm" fill="black" turn="90"><text>{text}</text></box>
      <box width="1mm" fill="black"/>
    </row>"""
    (face,) = lay_out(project, body)
    lines = list_lines(face)
    assert " ".join(lines) == text
    assert len(lines) == 5
    turned, next_to_it = list_bounds(face.items)
    runs = list_runs(face)
    assert turned.width == pytest.approx(max(run.y for run in runs) + runs[0].font.file.depth * 9)
    assert next_to_it.x == pytest.approx(turned.right)


# The finished file

TARGET = """\
title = "One card"
paper = "{}mm x {}mm"
margin = "0mm"
gap_x = "0mm"
gap_y = "0mm"
bleed_x = "0mm"
bleed_y = "0mm"
marks = "none"
duplex = "none"
"""
SCALE = 4


def build_card(
    project: Project, width: float = 50, height: float = 40, look: str | None = None
) -> Path:
    """The deck on paper as large as a card."""
    project.write("targets/card.toml", TARGET.format(width, height))
    return build("deck", target="card", look=look).path


def render(path: Path) -> Image.Image:
    page = PdfDocument(path)[0]
    image: Image.Image = page.render(scale=SCALE).to_pil().convert("RGB")
    return image


def find_marks(image: Image.Image) -> tuple[float, ...]:
    """The rectangle, in mm, around all that is dark."""
    box = image.convert("L").point(lambda value: 255 * (value < 128)).getbbox()
    assert box is not None
    return tuple(edge / MM / SCALE for edge in box)


@pytest.mark.parametrize("given_as", ["{}", "{{{{ {} }}}}"], ids=["fixed", "an expression"])
@pytest.mark.parametrize(
    ("turn", "edges"),
    [
        (0, (12, 6, 16, 9)),
        (90, (36, 7, 39, 11)),
        (180, (34, 21, 38, 24)),
        (270, (11, 19, 14, 23)),
    ],
)
def test_a_mark_is_printed_in_the_corner_to_which_it_is_turned(
    project: Project, given_as: str, turn: Turn, edges: tuple[float, ...]
) -> None:
    turned = given_as.format(turn)
    project.write_template(
        f'<box x="10mm" y="5mm" width="30mm" height="20mm" turn="{turned}">{INNER}</box>'
    )
    project.write_deck()
    assert find_marks(render(build_card(project))) == pytest.approx(edges, abs=0.1)


def look_at(image: Image.Image, x: float, y: float) -> tuple[int, int, int]:
    red, green, blue = image.getpixel((round(x * MM * SCALE), round(y * MM * SCALE)))  # type: ignore[misc]
    return red, green, blue


@pytest.mark.parametrize(
    ("turn", "start", "end"),
    [
        (0, (25, 0.4), (25, 39.6)),
        (90, (49.6, 20), (0.4, 20)),
        (180, (25, 39.6), (25, 0.4)),
        (270, (0.4, 20), (49.6, 20)),
    ],
)
def test_gradients_turn_with_their_box(
    project: Project, turn: Turn, start: tuple[float, float], end: tuple[float, float]
) -> None:
    project.write_template(
        '<colour name="red" rgb="#ff0000"/><colour name="blue" rgb="#0000ff"/>'
        f'<gradient name="down" stops="red, blue"/><box fill="down" turn="{turn}"/>'
    )
    project.write_deck()
    image = render(build_card(project))
    assert look_at(image, *start) == pytest.approx((255, 0, 0), abs=12)
    assert look_at(image, *end) == pytest.approx((0, 0, 255), abs=12)


def test_a_picture_turns_with_its_box(project: Project) -> None:
    image = Image.new("RGB", (40, 40), "white")
    image.paste((0, 0, 0), (0, 0, 20, 10))
    image.save(project.folder / "mark.png")
    project.write_template('<box x="10mm" width="40mm" turn="90"><image file="mark.png"/></box>')
    project.write_deck()
    assert find_marks(render(build_card(project))) == pytest.approx((40, 0, 50, 20), abs=0.3)


@pytest.mark.parametrize("turn", TURNS)
def test_turned_text_can_still_be_read_out(project: Project, turn: Turn) -> None:
    project.write_template(
        f'<box turn="{{{{ {turn} }}}}"><text>{{{{ card.name }}}} strikes first</text></box>'
    )
    project.write_deck()
    path = build_card(project)
    assert PdfReader(path, strict=True).pages[0].extract_text().split() == [
        "Sword",
        "strikes",
        "first",
    ]
    assert PdfDocument(path)[0].get_textpage().get_text_range().strip() == "Sword strikes first"


# The same both ways up


def find_difference(image: Image.Image) -> float:
    """How much of a picture differs from itself turned by 180 degrees, in square millimetres.

    What differs slightly, as the shades of edges do, does not count.
    """
    turned = image.transpose(Image.Transpose.ROTATE_180)
    difference = ImageChops.difference(image, turned).convert("L")
    return sum(difference.histogram()[24:]) / (MM * SCALE) ** 2


WHOLE_POINTS = 'size="50.8mm x 38.1mm"'  # and so whole pixels
SLIGHT = 0.02
BOTH_WAYS = """\
<box for="turn in [0, 180]" turn="{{ turn }}">
  <box x="5mm" y="4mm" width="12mm" height="6mm" fill="black"/>
  <text x="20mm" y="4mm" right="4mm" size="14pt">{{ card.name }}</text>
  <icon name="sword" x="30mm" y="10mm" width="8mm" height="8mm" fill="black"/>
</box>
"""


def test_a_face_drawn_both_ways_is_the_same_upside_down(project: Project) -> None:
    project.write_template(BOTH_WAYS, attributes=WHOLE_POINTS)
    project.write_deck()
    image = render(build_card(project, 50.8, 38.1))
    assert find_difference(image) < SLIGHT
    left, _, right, _ = find_marks(image)
    assert (left, right) == pytest.approx((5, 45.8), abs=0.1)


@pytest.mark.parametrize(
    "more", ['<box x="5.2mm" y="4mm" width="12mm" height="6mm" fill="black"/>', "<text>.</text>"]
)
def test_one_misplaced_element_would_be_found(project: Project, more: str) -> None:
    project.write_template(BOTH_WAYS + more, attributes=WHOLE_POINTS)
    project.write_deck()
    assert find_difference(render(build_card(project, 50.8, 38.1))) > SLIGHT


@pytest.mark.parametrize(
    ("back", "size"),
    [
        ("magic-back", (63.5, 88.9)),
        ("tactics-back", (63.5, 88.9)),
        ("artillery-back", (88.9, 139.7)),
    ],
)
@pytest.mark.parametrize("look", [None, "plain"])
def test_our_own_backs_are_the_same_upside_down(
    project: Project, back: str, size: tuple[float, float], look: str | None
) -> None:
    project.write_deck(head=f"template: {back}\n")
    image = render(build_card(project, *size, look))
    assert find_difference(image) < SLIGHT
    assert sum(image.convert("L").histogram()[:200]) / (MM * SCALE) ** 2 > 500, "an empty card"


@pytest.mark.parametrize(("right", "alike"), [("20mm", True), ("20.3mm", False)])
def test_an_ornament_out_of_the_middle_of_our_back_would_be_found(
    project: Project, right: str, alike: bool
) -> None:
    ornament = f'<rose points="8" fill="pale" x="20mm" right="{right}" y="30mm" bottom="30mm"/>'
    slot = f'<slot name="ornament">{ornament}</slot>'
    project.write_template(slot, attributes='extends="magic-back"')
    project.write_deck()
    assert (find_difference(render(build_card(project, 63.5, 88.9))) < SLIGHT) is alike


def test_each_turned_text_of_a_column_takes_its_own_room(project: Project) -> None:
    texts = ("a", "a word and more", "abc")
    lines = "".join(f'<text turn="90">{text}</text>' for text in texts)
    project.write_template(f'<column x="2mm" y="2mm" width="8mm" gap="2mm">{lines}</column>')
    project.write_deck("  - name: One\n")
    job = prepare("deck")
    made = job.faces.get_face(next(iter(job.copies)), "front")
    assert made is not None
    (column,) = (item for item in made.face.items if isinstance(item, Form))
    tops = [item.y for item in column.shared.items if isinstance(item, Form)]
    heights = [after - before for before, after in pairwise(tops)]
    assert heights[1] > 5 * heights[0] > 0
