"""Boxes, columns and rows: where things lie, what grows, what is too large, and what is shared.

Coordinates are in millimetres from the trim's top left.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import Project
from hypothesis import event, given
from hypothesis import strategies as st
from PIL import Image
from strategies import (
    MM,
    examples,
    examples_in_one_folder,
    find_problem,
    find_right,
    flatten,
    in_mm,
    lay_out,
    list_lines,
    list_rects,
    list_runs,
    make_faces,
    make_job,
)

from cardgen.core.colour import BLACK, Colour
from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Rect
from cardgen.core.units import Length
from cardgen.deck.model import Copy
from cardgen.layout import kept
from cardgen.layout.canvas import extend_to_bleed
from cardgen.layout.face import Face, Form, Outline, Picture, Stroke, Tag
from cardgen.layout.room import find_limit, resolve_place, share_out
from cardgen.template import template
from cardgen.template.model import Place
from cardgen.text.setting import Run

Rects = list[tuple[float, float, float, float]]


def place(project: Project, body: str, **fields: object) -> Rects:
    """What one card of 60 x 40 mm paints."""
    (face,) = lay_out(project, body, fields, bleed="3mm")
    return list_rects(face)


def fill(**attributes: str) -> str:
    named = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f'<box fill="black" {named}/>'


# Boxes at given places


@pytest.mark.parametrize(
    ("attributes", "rect"),
    [
        ({}, (0, 0, 60, 40)),
        ({"x": "10mm", "y": "5mm"}, (10, 5, 50, 35)),
        ({"x": "10mm", "y": "5mm", "width": "20mm", "height": "8mm"}, (10, 5, 20, 8)),
        ({"right": "10mm", "bottom": "5mm"}, (0, 0, 50, 35)),
        ({"x": "10mm", "right": "10mm"}, (10, 0, 40, 40)),
        ({"right": "10mm", "width": "20mm"}, (30, 0, 20, 40)),
        ({"bottom": "5mm", "height": "8mm"}, (0, 27, 60, 8)),
        ({"width": "50%", "height": "25%"}, (0, 0, 30, 10)),
        ({"x": "50%", "y": "25%"}, (30, 10, 30, 30)),
        ({"right": "50%", "width": "25%"}, (15, 0, 15, 40)),
        ({"x": "-3mm", "y": "-3mm", "width": "66mm", "height": "46mm"}, (-3, -3, 66, 46)),
        ({"x": "1in", "width": "72pt"}, (25.4, 0, 25.4, 40)),
        ({"inset": "5mm"}, (5, 5, 50, 30)),
        ({"inset": "10% 2mm"}, (2, 4, 56, 32)),
        ({"inset": "1mm 2mm 3mm 4mm"}, (4, 1, 54, 36)),
        ({"inset": "5mm", "height": "8mm", "x": "1mm"}, (1, 5, 54, 8)),
        ({"inset": "5mm", "height": "8mm", "bottom": "1mm"}, (5, 31, 50, 8)),
    ],
)
def test_a_box_lies_where_it_says(
    project: Project, attributes: dict[str, str], rect: tuple[float, ...]
) -> None:
    assert place(project, fill(**attributes)) == [rect]


def test_a_box_lies_within_its_parent_and_its_padding(project: Project) -> None:
    body = f"""
    <box x="10mm" y="5mm" width="30mm" height="20mm" padding="1mm 2mm 3mm 4mm" fill="black">
      {fill()}{fill(width="50%", bottom="0mm", height="1mm")}
    </box>"""
    assert place(project, body) == [(10, 5, 30, 20), (14, 6, 24, 16), (14, 21, 12, 1)]


def test_boxes_are_painted_in_the_order_they_are_written(project: Project) -> None:
    body = fill(width="1mm") + "<box>" + fill(width="2mm") + "</box>" + fill(width="3mm")
    assert [rect[2] for rect in place(project, body)] == [1, 2, 3]


def test_a_border_lies_within_its_box(project: Project) -> None:
    body = '<box width="20mm" height="10mm" stroke="black" stroke-width="2mm"/>'
    (face,) = lay_out(project, body)
    (outline,) = flatten(face.items)
    assert isinstance(outline, Outline)
    assert in_mm(outline.bounds) == (1, 1, 18, 8)
    assert outline.stroke is not None
    assert outline.stroke.width == pytest.approx(2 * MM)
    assert outline.fill is None


def test_a_box_without_paint_draws_nothing(project: Project) -> None:
    assert place(project, '<box/><box fill="none" stroke="none"/>') == []


def test_round_corners_are_at_most_half_a_side(project: Project) -> None:
    (face,) = lay_out(project, fill(width="20mm", height="10mm", radius="50mm"))
    (outline,) = flatten(face.items)
    assert isinstance(outline, Outline)
    assert [kind for kind, _ in outline.segments] == list("MLCLCLCLCZ")
    assert outline.segments[0][1] == pytest.approx((5 * MM, 0))


# Bleed


@pytest.mark.parametrize(
    ("attributes", "rect"),
    [
        ({}, (-3, -3, 66, 46)),
        ({"height": "10mm"}, (-3, -3, 66, 13)),
        ({"y": "30mm"}, (-3, 30, 66, 13)),
        ({"x": "50mm", "y": "10mm", "height": "5mm"}, (50, 10, 13, 5)),
        ({"x": "10mm", "y": "10mm", "width": "5mm", "height": "5mm"}, (10, 10, 5, 5)),
        ({"x": "0mm", "width": "10mm", "bottom": "0mm", "height": "5mm"}, (-3, 35, 13, 8)),
    ],
)
def test_sides_that_lie_on_the_trim_reach_into_the_bleed(
    project: Project, attributes: dict[str, str], rect: tuple[float, ...]
) -> None:
    assert place(project, fill(bleed="true", **attributes)) == [rect]
    assert place(project, f"<box>{fill(bleed='true', **attributes)}</box>") == [rect]


def test_a_box_bleeds_from_within_others(project: Project) -> None:
    body = f'<box x="30mm" y="20mm"><box x="10mm">{fill(bleed="true")}</box></box>'
    assert place(project, body) == [(40, 20, 23, 23)]


def test_a_bleed_may_differ_from_side_to_side() -> None:
    trim, bleed = Rect(0, 0, 100, 50), Insets(1, 2, 3, 4)
    assert extend_to_bleed(trim, trim, bleed) == Rect(-1, -2, 104, 56)
    assert extend_to_bleed(Rect(10, 0, 90, 50), trim, bleed) == Rect(10, -2, 93, 56)


# Beyond the card


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        (
            {"x": "20mm", "width": "50mm", "height": "5mm"},
            "a box of 50mm x 5mm reaches 7mm beyond the card's right edge",
        ),
        (
            {"x": "-5mm", "width": "5mm", "height": "5mm"},
            "a box of 5mm x 5mm reaches 2mm beyond the card's left edge",
        ),
        (
            {"y": "-3.5mm", "width": "5mm", "height": "5mm"},
            "a box of 5mm x 5mm reaches 0.5mm beyond the card's top edge",
        ),
        (
            {"y": "40mm", "width": "5mm", "height": "5mm"},
            "a box of 5mm x 5mm reaches 2mm beyond the card's bottom edge",
        ),
    ],
)
def test_a_box_beyond_the_bleed_is_an_error(
    project: Project, attributes: dict[str, str], message: str
) -> None:
    assert find_problem(project, fill(**attributes), bleed="3mm") == (
        f'decks/deck.yaml:3:3: card "Card 1": {message}\n'
        "  hint: the card with its bleed is 66mm x 46mm;"
        " the template's element is templates/plain.xml:2:1"
    )


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"x": "40mm", "right": "30mm"}, "a box has no width left: 10mm are missing"),
        ({"y": "30mm", "bottom": "30mm"}, "a box has no height left: 20mm are missing"),
        ({"width": "-1mm"}, "a box has no width left: 1mm are missing"),
    ],
)
def test_a_box_turned_inside_out_is_an_error(
    project: Project, attributes: dict[str, str], message: str
) -> None:
    assert find_problem(project, fill(**attributes)) == (
        f'decks/deck.yaml:3:3: card "Card 1": {message}\n'
        "  hint: the template's element is templates/plain.xml:2:1"
    )


def test_padding_that_leaves_nothing_is_an_error(project: Project) -> None:
    body = f'<box width="10mm" padding="6mm">{fill()}</box>'
    assert 'card "Card 1": a box has no width left: 2mm are missing' in find_problem(project, body)


# Columns


def test_a_column_stacks_its_elements(project: Project) -> None:
    body = f"""
    <column x="10mm" y="5mm" width="30mm" height="30mm" padding="1mm 2mm" gap="3mm" fill="black">
      {fill(height="4mm")}{fill(height="5mm")}{fill(height="10%")}
    </column>"""
    assert place(project, body) == [
        (10, 5, 30, 30),
        (12, 6, 26, 4),
        (12, 13, 26, 5),
        (12, 21, 26, 2.8),
    ]


def test_what_is_left_over_goes_to_those_that_grow(project: Project) -> None:
    body = f"""
    <column gap="2mm">{fill(height="6mm")}{fill(grow="1")}{fill(grow="2")}</column>"""
    assert place(project, body) == [(0, 0, 60, 6), (0, 8, 60, 10), (0, 20, 60, 20)]


def test_a_height_may_grow(project: Project) -> None:
    body = f"<column>{fill(height='10mm', grow='1')}{fill(height='20mm')}</column>"
    assert place(project, body) == [(0, 0, 60, 20), (0, 20, 60, 20)]


@pytest.mark.parametrize(
    ("align", "x", "width"), [("start", 0, 20), ("centre", 20, 20), ("end", 40, 20)]
)
def test_a_column_aligns_what_has_a_width(
    project: Project, align: str, x: float, width: float
) -> None:
    body = f'<column align="{align}">{fill(height="5mm", width="20mm")}</column>'
    assert place(project, body) == [(x, 0, width, 5)]


@pytest.mark.parametrize(("align", "share"), [("start", 0), ("centre", 0.5), ("end", 1)])
def test_a_column_aligns_text_by_its_own_width(project: Project, align: str, share: float) -> None:
    (face,) = lay_out(project, f'<column align="{align}"><text>Sword</text></column>')
    (run,) = list_runs(face)
    width = find_right(run) - run.x
    assert width < 15 * MM
    assert run.x == pytest.approx((60 * MM - width) * share, abs=0.02)


def test_texts_take_the_height_of_their_lines(project: Project) -> None:
    body = f"""
    <column width="20mm"><text size="10pt">{{{{ card.text }}}}</text>{fill(height="1mm")}</column>
    """
    one, two = (place(project, body, text=text)[0] for text in ("one", "one\\\ntwo"))
    cap_and_depth = (0.641 + 0.185) * 10 / MM
    assert one == pytest.approx((0, cap_and_depth, 20, 1), abs=0.002)
    assert two[1] - one[1] == pytest.approx(12 / MM, abs=0.002)


def test_columns_take_the_height_of_what_is_in_them(project: Project) -> None:
    body = f"""
    <column gap="1mm">
      <column padding="1mm" gap="2mm" fill="black">{fill(height="3mm")}{fill(height="4mm")}</column>
      <row padding="1mm" fill="black">
        <box height="5mm"/><box height="7mm"/>
      </row>
      <box padding="2mm" fill="black">{fill(y="1mm", height="3mm")}</box>
      {fill(height="1mm")}
    </column>"""
    found = [rect[1::2] for rect in place(project, body)]
    assert found == [(0, 11), (1, 3), (6, 4), (12, 9), (22, 8), (25, 3), (31, 1)]


@pytest.mark.parametrize(
    "attributes",
    ['x="20mm" right="20mm"', 'width="20mm"', 'width="33%"', 'right="40mm"', 'bottom="2mm"'],
)
def test_a_box_in_a_column_is_as_high_as_its_text_set_at_its_own_width(
    project: Project, attributes: str
) -> None:
    text = "some words that need more than one line where the room is narrow"
    body = (
        f"<column><box><text {attributes}>{{{{ card.text }}}}</text></box>"
        f"{fill(height='1mm')}</column>"
    )
    (face,) = lay_out(project, body, {"text": text})
    assert " ".join(list_lines(face)) == text
    assert len(list_lines(face)) > 1
    lowest = max(run.y for run in list_runs(face))
    assert list_rects(face)[0][1] * MM > lowest


def test_a_box_in_a_row_is_as_wide_as_what_is_in_it(project: Project) -> None:
    body = f"""
    <row><box padding="1mm"><text x="5mm" right="2mm">Sword of Fate</text></box>{fill(grow="1")}
    </row>"""
    (face,) = lay_out(project, body)
    assert list_lines(face) == ["Sword of Fate"]
    (run,) = list_runs(face)
    assert run.x == pytest.approx(6 * MM)
    assert list_rects(face)[0][0] == pytest.approx(find_right(run) / MM + 3, abs=0.01)


def test_the_content_of_a_column_must_fit(project: Project) -> None:
    body = f'<column gap="2mm" height="20mm">{fill(height="12mm")}{fill(height="12mm")}</column>'
    assert find_problem(project, body) == (
        'decks/deck.yaml:3:3: card "Card 1": the content of a column is 6mm too long:'
        " it needs 26mm, there are 20mm\n"
        "  hint: take something out, or give it more room;"
        " the template's element is templates/plain.xml:2:1"
    )


def test_a_text_may_fill_its_column_to_the_last(project: Project) -> None:
    body = f'<column>{fill(height="12mm")}{fill(height="28mm")}<box grow="1"/></column>'
    assert len(place(project, body)) == 2


def test_an_element_that_is_left_out_leaves_no_gap(project: Project) -> None:
    body = f"""
    <column gap="5mm">{fill(height="1mm")}
      <box height="9mm" if="card.none"/>{fill(height="2mm")}
    </column>"""
    assert place(project, body, none=None) == [(0, 0, 60, 1), (0, 6, 60, 2)]


# Rows


def test_a_row_stacks_its_elements_side_by_side(project: Project) -> None:
    body = f"""
    <row x="10mm" y="5mm" width="40mm" height="10mm" padding="1mm 2mm" gap="3mm">
      {fill(width="4mm")}{fill(width="25%")}{fill(grow="1")}
    </row>"""
    assert place(project, body) == [(12, 6, 4, 8), (19, 6, 9, 8), (31, 6, 17, 8)]


@pytest.mark.parametrize(
    ("align", "y", "height"),
    [("start", 0, 8), ("centre", 16, 8), ("end", 32, 8), ("stretch", 0, 40)],
)
def test_a_row_aligns_what_is_lower(project: Project, align: str, y: float, height: float) -> None:
    body = f"""
    <row align="{align}">
      <box width="20mm" fill="black"><box height="8mm"/></box>{fill(width="20mm", height="10%")}
    </row>"""
    first, second = place(project, body)
    assert first == (0, y, 20, height)
    assert second == (20, {"centre": 18, "end": 36}.get(align, 0), 20, 4)


def test_texts_in_a_row_take_their_own_width(project: Project) -> None:
    body = f'<row gap="2mm"><text>Sword</text><text>of Fate</text>{fill(grow="1")}</row>'
    (face,) = lay_out(project, body)
    first, second = list_runs(face)
    assert second.x == pytest.approx(find_right(first) + 2 * MM, abs=0.02)
    (box,) = list_rects(face)
    assert box[0] == pytest.approx((find_right(second) + 0.02) / MM + 2, abs=0.01)
    assert box[0] + box[2] == pytest.approx(60, abs=0.001)
    assert list_lines(face) == ["Swordof Fate"]


def test_texts_in_a_row_give_way_the_longest_first(project: Project) -> None:
    text = "a rather long text that needs more than one line here"
    body = f"""
    <row><text>Short</text><text>{text}</text><text align="right">{text}</text>
    {fill(width="10mm")}</row>"""
    (face,) = lay_out(project, body)
    runs = list_runs(face)
    assert runs[0].y == pytest.approx(5.77, abs=0.01)
    width = find_right(runs[0]) - runs[0].x
    share = (50 * MM - width) / 2
    starts = sorted({round(run.x, 1) for run in runs[1:] if run.x < width + share})
    assert starts == [pytest.approx(width, abs=0.1)]
    assert max(map(find_right, runs)) == pytest.approx(50 * MM, abs=0.05)
    assert list_rects(face) == [(50, 0, 10, 40)]


def test_the_content_of_a_row_must_fit(project: Project) -> None:
    body = f'<row gap="5mm">{fill(width="30mm")}{fill(width="30mm")}</row>'
    assert find_problem(project, body) == (
        'decks/deck.yaml:3:3: card "Card 1": the content of a row is 5mm too long:'
        " it needs 65mm, there are 60mm\n"
        "  hint: take something out, or give it more room;"
        " the template's element is templates/plain.xml:2:1"
    )


# Sharing out, as arithmetic

lengths = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 3), st.booleans()), min_size=1, max_size=6
)


@given(st.integers(0, 200), lengths)
@examples(200)
def test_lengths_are_shared_out(room: int, found: list[tuple[int, int, bool]]) -> None:
    wanted = [length for length, _, _ in found]
    grows = [grow for _, grow, _ in found]
    softs = [soft for _, _, soft in found]
    hard = sum(length for length, soft in zip(wanted, softs, strict=True) if not soft)
    shared = share_out(room, wanted, grows, softs)
    if shared is None:
        assert sum(wanted) > room
        assert hard >= room or not any(softs)
        return
    assert sum(shared) <= room + 0.02
    cut = sum(wanted) > room + 0.02
    for length, got, grow, soft in zip(wanted, shared, grows, softs, strict=True):
        assert got <= length or grow
        assert got >= length or soft
        assert got == length or cut or grow
    if any(grows) and sum(wanted) <= room:
        assert sum(shared) == pytest.approx(room)
        spare = room - sum(wanted)
        for length, got, grow in zip(wanted, shared, grows, strict=True):
            assert got - length == pytest.approx(spare * grow / sum(grows))


@given(st.lists(st.integers(1, 50), min_size=1, max_size=6), st.integers(1, 200))
@examples(100)
def test_a_limit_cuts_the_longest_first(lengths: list[int], room: int) -> None:
    limit = find_limit(lengths, room)
    assert limit is not None
    cut = [min(length, limit) for length in lengths]
    assert sum(cut) == pytest.approx(min(room, sum(lengths)))


def test_nothing_fits_no_room() -> None:
    assert find_limit([1, 2], 0) is None
    assert find_limit([], 5) is None
    assert share_out(10, [6, 6], [0, 0], [False, False]) is None
    assert share_out(10, [10.01, 0], [0, 1], [False, False]) == [10.01, 0]


def test_a_place_that_says_nothing_is_the_whole_parent() -> None:
    parent = Rect(10, 20, 100, 50)
    assert resolve_place(Place(), parent) == parent
    assert resolve_place(Place(x=Length(5), bottom=Length(share=0.1)), parent) == Rect(
        15, 20, 95, 45
    )


# Anything within anything

Choices = Mapping[str, tuple[str, ...]]

_LENGTHS = ("6mm", "15mm", "50%")
_PLACE: Choices = {"x": _LENGTHS, "width": _LENGTHS, "y": _LENGTHS, "height": _LENGTHS}
_SHARE: Choices = {"width": _LENGTHS, "height": _LENGTHS, "grow": ("1", "2")}
_TEXT: Choices = {"valign": ("middle", "bottom"), "align": ("centre", "justify")}
_STACK: Choices = {
    "padding": ("1mm",),
    "gap": ("1mm",),
    "align": ("start", "centre"),
    "fill": ("black",),
}
_FITS: Choices = {
    "box": ("line", "box", "deck"),
    "row": ("line", "box", "deck"),
    "column": ("line",),  # the others need a height
    "first": ("line", "box", "deck"),
}

contents = st.sampled_from(
    [
        "Sword",
        "The unit may re-roll **any one** Attack dice, once.",
        "one\n\ntwo",
        "",
        "{{ card.text }}",
    ]
)


def choose(choices: Choices) -> st.SearchStrategy[str]:
    """Some of these attributes, with one of their values each."""
    options = [
        st.sampled_from(["", *(f' {name}="{value}"' for value in values)])
        for name, values in choices.items()
    ]
    return st.tuples(*options).map("".join)


def elements(parent: str, depth: int) -> st.SearchStrategy[str]:
    """Elements as they may stand in a parent, with others in them."""
    place = choose(_PLACE if parent in ("box", "first") else _SHARE)
    text = st.builds(
        "<text{}{}>{}</text>".format, place, choose({**_TEXT, "fit": _FITS[parent]}), contents
    )
    if not depth:
        return text
    stacks = [
        st.builds(
            "<{0}{1}{2}>{3}</{0}>".format,
            st.just(tag),
            place,
            choose(_STACK) if tag in ("column", "row") else st.just(""),
            st.lists(elements(tag, depth - 1), max_size=3).map("".join),
        )
        for tag in ("box", "column", "row", "first")
    ]
    return st.one_of(text, *stacks)


@given(elements("box", 2), elements("box", 2), contents)
@examples_in_one_folder(150)
def test_whatever_a_template_says_nothing_is_drawn_beyond_the_card(
    project: Project, one: str, other: str, text: str
) -> None:
    try:
        (face,) = lay_out(project, one + other, {"text": text})
    except CardgenError:
        event("refused")
        return
    card = Rect(0, 0, 60 * MM, 40 * MM)
    for item in flatten(face.items):
        if isinstance(item, Run):
            file, size = item.font.file, item.size
            top, height = item.y - file.cap_height * size, (file.cap_height + file.depth) * size
            drawn = Rect(item.x, top, find_right(item) - item.x, height)
        else:
            assert isinstance(item, Outline)
            drawn = item.bounds
        assert card.contains(drawn, tolerance=0.1)


# What faces share


def list_forms(face: Face) -> list[Form]:
    return [item for item in face.items if isinstance(item, Form)]


def test_what_no_card_changes_is_composed_once(project: Project) -> None:
    body = f"""
    {fill()}{fill(height="5mm")}<text>{{{{ card.name }}}}</text>{fill(y="30mm")}"""
    one, other = lay_out(project, body, {}, {})
    assert [form.shared for form in list_forms(one)] == [form.shared for form in list_forms(other)]
    first, last = (form.shared for form in list_forms(one))
    assert len(first.items) == 2 and len(last.items) == 1
    assert len([item for item in one.items if not isinstance(item, Tag)]) == 3


def test_fixed_parts_within_others_are_shared_too(project: Project) -> None:
    body = """
    <column x="{{ card.x }}mm"><text>Fixed</text><text>{{ card.name }}</text></column>"""
    one, other = lay_out(project, body, {"x": 0}, {"x": 10})
    (first,), (second,) = list_forms(one), list_forms(other)
    assert first.shared is not second.shared  # the columns are not equally wide
    body = body.replace("<column", '<column width="20mm"')
    one, other = lay_out(project, body, {"x": 0}, {"x": 10})
    (first,), (second,) = list_forms(one), list_forms(other)
    assert first.shared is second.shared
    assert [first.x, second.x] == pytest.approx([0, 10 * MM])


def test_what_is_chosen_from_few_is_composed_once_for_each(project: Project) -> None:
    body = f"""
    <box for="kind in [card.kind]">
      <box fill="{{{{ kind }}}}" height="5mm"/>{fill(y="9mm")}<text>{{{{ card.name }}}}</text>
    </box>"""
    kinds = ["black", "white", "black"]
    faces = lay_out(project, body, *[{"kind": kind} for kind in kinds])
    first, other, again = (form.shared for face in faces for form in list_forms(face))
    assert first is again is not other
    assert len(first.items) == len(other.items) == 2


def test_what_each_card_may_have_otherwise_is_no_form(project: Project) -> None:
    """A measure or a text, and all that holds one."""
    for content in ('<box height="{{ card.x }}mm" fill="black"/>', "<text>{{ card.name }}</text>"):
        body = f'<box><box fill="{{{{ card.kind }}}}">{content}</box></box>'
        (face,) = lay_out(project, body, {"kind": "white", "x": 3})
        assert not list_forms(face)


def test_what_is_chosen_by_different_names_makes_forms_of_its_own(project: Project) -> None:
    box = '<box fill="{{{{ card.{} }}}}" height="5mm"/>'
    body = box.format("ground") + box.format("ground") + box.format("other")
    (face,) = lay_out(project, body, {"ground": "black", "other": "white"})
    assert [len(form.shared.items) for form in list_forms(face)] == [2, 1]


def test_what_is_kept_of_forms_has_bounds_that_change_nothing(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["black", "white"]
    body = (
        """
    <box for="kind in [card.kind]"><box fill="{{ kind }}" height="5mm" stroke="{{ card.rim }}"/>
    <text>{{ card.name }}</text><column width="{{ card.x }}mm">"""
        + f"{fill(height='2mm')}</column></box>"
    )
    cards = [{"kind": k, "rim": r, "x": x} for k in names for r in names for x in (1, 2, 1)]
    expected = [face.dump() for face in lay_out(project, body, *cards)]
    monkeypatch.setattr(template, "MOST_NODES", 2)
    monkeypatch.setattr(template, "MOST_SPECS", 2)
    monkeypatch.setattr(kept, "MOST_KEPT", 3)
    job = make_job(project, body, *cards)
    assert [face.dump() for face in make_faces(job)] == expected
    ((_, read),) = job.templates
    _, inner, *_ = template.list_elements(read.elements)
    assert 0 < len(inner.nodes) <= 2
    assert 0 < len(inner.specs) <= 2
    (composer,) = job.faces._composers.values()
    assert 0 < len(composer._kept._forms) <= 3


def test_what_repeats_is_drawn_as_each_card_would_draw_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it lies, before a heading or behind it; and each is told of its own card."""
    body = """
    <text y="35mm" if="card.first" heading="true">{{ card.kind }}</text>
    <column x="{{ card.x }}mm" width="30mm">
      <row stroke="black" turn="90" shadow="0.2mm 0.2mm black">
        <text heading="true">{{ card.kind }}</text>
      </row>
      <text>{{ card.name }}</text>
      <text fit="box" min="4pt" height="6mm">{{ card.who }}</text>
      <code kind="qr" text="{{ card.kind }}" fill="white" width="12mm"/>
    </column>"""
    long = "a text too long for one line " * 3
    cards = [
        {"kind": "ab"[n % 2] * 3, "x": n % 3, "first": n % 5 == 0, "who": long[: 50 * (n % 2)]}
        for n in range(24)
    ]
    alone = make_job(project, body, *cards)
    monkeypatch.setattr(alone.templates, "_chosen", None)
    expected = [face.dump() for face in make_faces(alone)]
    remarks, shrunk = alone.faces.take_remarks(), alone.faces.take_shrunk()
    assert len(remarks) >= len(cards)
    assert len(shrunk["plain"]) == len(cards) / 2
    job = make_job(project, body, *cards)
    assert [face.dump() for face in make_faces(job)] == expected
    assert (job.faces.take_remarks(), job.faces.take_shrunk()) == (remarks, shrunk)
    (composer,) = job.faces._composers.values()
    assert composer._kept._items
    monkeypatch.setattr(kept, "MOST_KEPT", 2)
    job = make_job(project, body, *cards)
    assert [face.dump() for face in make_faces(job)] == expected
    (composer,) = job.faces._composers.values()
    assert 0 < len(composer._kept._items) <= 2


def test_what_repeats_can_be_pointed_at_on_each_card(project: Project) -> None:
    body = "<row><text>{{ card.kind }}</text><text>:</text></row><text>{{ card.name }}</text>"
    job = make_job(project, body, *[{"kind": "Sword"}] * 8)
    make_faces(job)
    for design in range(8):
        tags = [one.tag for one in job.faces.trace(Copy(design, 0), "front")]
        assert tags == ["row", "text", "text", "text"]


def test_what_repeats_is_refused_where_it_has_no_room(project: Project) -> None:
    """At the same place of a turned box that lies elsewhere on each card."""
    body = """
    <box x="{{ card.x }}mm" y="5mm" width="10mm" height="10mm" turn="90">
      <text>{{ card.name }}</text>
      <box y="4mm" height="1mm"><box height="{{ card.high }}mm" fill="black"/></box>
    </box>"""
    cards = [{"high": 9, "x": x} for x in (20, 25, 30, 1, 22, 24, 26, 28)]
    problem = find_problem(project, body, *cards)
    assert problem.count('card "') == 1
    assert problem.startswith('decks/deck.yaml:12:3: card "Card 4": a box of 9mm x 10mm reaches')


def test_a_form_that_says_nothing_is_left_out(project: Project) -> None:
    (face,) = lay_out(project, "<box/><text> </text>")
    assert face.items == ()


def test_a_fixed_element_that_one_card_leaves_out_is_not_drawn_there(project: Project) -> None:
    """Between neighbours that are drawn on every card."""
    body = f"""
    {fill(width="1mm")}<box if="card.x" width="2mm" fill="black"/>{fill(width="3mm")}"""
    for cards in ([1, None, 1], [None, 1, None]):
        faces = lay_out(project, body, *[{"x": x} for x in cards])
        found = [[rect[2] for rect in list_rects(face)] for face in faces]
        assert found == [[1, 2, 3] if x else [1, 3] for x in cards]


def test_a_fixed_box_bleeds_only_where_it_lies_on_the_trim(project: Project) -> None:
    """In a box that lies there on one card and elsewhere on the next."""
    body = f"""
    <box x="{{{{ card.x }}}}mm" y="10mm" width="10mm" height="10mm">{fill(bleed="true")}</box>"""
    faces = lay_out(project, body, {"x": 0}, {"x": 20}, {"x": 50}, bleed="3mm")
    assert [list_rects(face) for face in faces] == [
        [(-3, 10, 13, 10)],
        [(20, 10, 10, 10)],
        [(50, 10, 13, 10)],
    ]


def test_a_fixed_box_in_a_loop_bleeds_only_where_it_lies_on_the_trim(project: Project) -> None:
    body = f"""
    <box for="x in [0, 20, 50]" x="{{{{ x }}}}mm" width="10mm" height="10mm" y="10mm">
      {fill(bleed="true")}
    </box>"""
    (face,) = lay_out(project, body, bleed="3mm")
    assert [rect[::2] for rect in list_rects(face)] == [(-3, 13), (20, 10), (50, 13)]


def test_a_fixed_box_beyond_the_card_is_found_on_every_card(project: Project) -> None:
    body = f"""
    <box x="{{{{ card.x }}}}mm" width="10mm" height="10mm">{fill(width="12mm")}</box>"""
    problem = find_problem(project, body, {"x": 0}, {"name": "Edge", "x": 50})
    assert 'card "Edge": a box of 12mm x 10mm reaches 2mm beyond the card\'s right' in problem


def test_equal_backs_are_one_face(project: Project) -> None:
    project.write_template("<text>{{ card.group }}</text>", "back", 'size="60mm x 40mm"')
    groups = ["a", "b", "a", "a"]
    job = make_job(project, fill(), *[{"group": group} for group in groups], back="back")
    job.faces.look_at_all()
    made = [job.faces.get_face(Copy(number, 0), "back") for number in range(4)]
    faces = [found.face for found in made if found is not None]
    assert faces[0] is faces[2] is faces[3]
    assert faces[0] is not faces[1]
    assert [list_lines(face) for face in faces] == [[group] for group in groups]


def test_the_copies_of_a_card_are_one_face(project: Project) -> None:
    job = make_job(project, "<text>{{ card.name }}</text>", {"count": 3}, {"count": 1})
    job.faces.look_at_all()
    first, again = (job.faces.get_face(Copy(0, 0), "front") for _ in range(2))
    assert first is not None and again is not None
    assert first.face is again.face


def test_a_card_without_a_back_has_none(project: Project) -> None:
    job = make_job(project, fill())
    make_faces(job)
    assert job.faces.get_face(Copy(0, 0), "back") is None


# Icons, pictures, lines


def test_an_icon_is_as_large_as_its_box_allows(project: Project) -> None:
    project.write(
        "icons/mark.svg",
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="M0 0h64v64h-64z"/>'
        "</svg>",
    )
    body = """
    <colour name="sea" cmyk="100 50 0 0"/>
    <icon name="mark" fill="sea" x="10mm" y="5mm" width="20mm" height="10mm"/>"""
    (face,) = lay_out(project, body)
    (outline,) = flatten(face.items)
    assert isinstance(outline, Outline)
    assert in_mm(outline.bounds) == pytest.approx((15, 5, 10, 10), abs=0.001)
    assert outline.fill == Colour("cmyk", (1, 0.5, 0, 0))


def test_an_icon_is_drawn_once_for_each_size_and_colour(project: Project) -> None:
    body = """
    <icon for="x in [0, 10, 20]" name="{{ card.icon }}" x="{{ x }}mm" width="5mm" height="5mm"/>
    <icon name="{{ card.icon }}" x="30mm" width="6mm" height="6mm"/>"""
    (face,) = lay_out(project, body, {"icon": "sword"})
    shared = [form.shared for form in list_forms(face)]
    assert shared[0] is shared[1] is shared[2]
    assert shared[3] is not shared[0]
    assert [form.x for form in list_forms(face)][:3] == pytest.approx([0, 10 * MM, 20 * MM])


def test_an_icon_in_a_text_stands_about_the_middle_of_the_capitals(project: Project) -> None:
    (face,) = lay_out(project, '<text size="10pt">{{ card.text }}</text>', {"text": "H:sword: H"})
    assert list_lines(face) == ["H:sword: H"]
    (face,) = lay_out(project, '<text size="10pt">{{ card.text }}</text>', {"text": "H :sword: H"})
    first, last = list_runs(face)
    (form,) = list_forms(face)
    space = first.font.space * 10
    # An icon is as wide as 1.1 em, of which it shows the middle one.
    assert form.x == pytest.approx(find_right(first) + space + 0.5)
    assert last.x == pytest.approx(form.x + 10 + 0.5 + space)
    cap = first.font.file.cap_height * 10
    assert form.y + 5 == pytest.approx(first.y - cap / 2)
    assert form.shared.bounds == Rect(0, 0, 10, 10)


@pytest.mark.parametrize(
    "body",
    [
        "<text>{{ card.text }}</text>",
        '<table columns="grow"><tr><td>{{ card.text }}</td></tr></table>',
        "<flow>{{ card.text }}</flow>",
    ],
    ids=["text", "table", "flow"],
)
def test_an_unknown_icon_in_a_text_names_card_and_place(project: Project, body: str) -> None:
    assert find_problem(project, body, {"text": "a :swrod: b"}) == (
        'decks/deck.yaml:3:3: card "Card 1": unknown icon "swrod"\n'
        '  hint: did you mean "sword"?; the template\'s element is templates/plain.xml:2:1'
    )


def test_an_unknown_icon_names_card_and_place(project: Project) -> None:
    assert find_problem(project, '<icon name="{{ card.icon }}"/>', {"icon": "swrod"}) == (
        'decks/deck.yaml:3:3: card "Card 1": unknown icon "swrod"\n'
        '  hint: did you mean "sword"?; the template\'s element is templates/plain.xml:2:1'
    )


@pytest.fixture
def picture(project: Project) -> Path:
    path = project.folder / "wide.png"
    Image.new("RGB", (200, 100), "red").save(path)
    return path


@pytest.mark.parametrize(
    ("fit", "frame", "clip"),
    [
        ("contain", (10, 10, 20, 10), (10, 10, 20, 10)),
        ("cover", (0, 5, 40, 20), (10, 5, 20, 20)),
    ],
)
def test_a_picture_is_placed_in_its_box(
    project: Project,
    picture: Path,
    fit: str,
    frame: tuple[float, ...],
    clip: tuple[float, ...],
) -> None:
    body = f"""
    <image file="wide.png" fit="{fit}" x="10mm" y="5mm" width="20mm" height="20mm" radius="2mm"/>
    """
    (face,) = lay_out(project, body)
    (item,) = flatten(face.items)
    assert isinstance(item, Picture)
    assert item.path == picture
    assert in_mm(item.frame) == pytest.approx(frame)
    assert in_mm(item.clip) == pytest.approx(clip)
    assert item.radius == pytest.approx(2 * MM)


@pytest.mark.usefixtures("picture")
@pytest.mark.parametrize(
    ("body", "frame"),
    [
        ('<column width="20mm"><image file="{{ card.file }}"/></column>', (0, 0, 20, 10)),
        ('<row><image height="20mm" file="{{ card.file }}"/></row>', (0, 0, 40, 20)),
    ],
)
def test_a_picture_in_a_column_or_row_keeps_its_shape(
    project: Project, body: str, frame: tuple[float, ...]
) -> None:
    (face,) = lay_out(project, body, {"file": "wide.png"})
    (item,) = flatten(face.items)
    assert isinstance(item, Picture)
    assert in_mm(item.frame) == pytest.approx(frame)


def test_a_missing_picture_names_the_card(project: Project) -> None:
    problem = find_problem(project, '<image file="{{ card.file }}"/>', {"file": "no.png"})
    assert problem.startswith(
        'decks/deck.yaml:3:3: card "Card 1": there is no picture "no.png"\n  hint: looked in '
    )
    assert problem.endswith("the template's element is templates/plain.xml:2:1")


@pytest.mark.parametrize(
    ("attributes", "ends"),
    [
        ('y="10mm" height="2mm"', (0, 11, 60, 11)),
        ('x="5mm" width="20mm" y="10mm" height="0mm"', (5, 10, 25, 10)),
        ('direction="down" x="10mm" width="2mm" y="5mm" height="20mm"', (11, 5, 11, 25)),
    ],
)
def test_a_line_runs_through_the_middle_of_its_box(
    project: Project, attributes: str, ends: tuple[float, ...]
) -> None:
    body = f'<line stroke-width="1pt" dash="2pt 1pt" {attributes}/>'
    (face,) = lay_out(project, body)
    (outline,) = flatten(face.items)
    assert isinstance(outline, Outline)
    assert outline.stroke == Stroke(BLACK, 1, (2, 1))
    (first, start), (second, end) = outline.segments
    assert (first, second) == ("M", "L")
    assert [side / MM for side in (*start, *end)] == pytest.approx(ends)


def test_a_line_in_a_column_takes_its_own_weight(project: Project) -> None:
    body = f"""
    <column>{fill(height="1mm")}<line stroke-width="2mm"/>{fill(height="1mm")}</column>"""
    assert place(project, body) == [(0, 0, 60, 1), (0, 1, 60, 2), (0, 3, 60, 1)]


@pytest.mark.parametrize("align", ["start", "centre", "end", "stretch"])
def test_a_line_without_a_length_reaches_across_its_column_or_row(
    project: Project, align: str
) -> None:
    body = f'<column align="{align}"><line stroke-width="1mm"/></column>'
    assert place(project, body) == [(0, 0, 60, 1)]
    body = f'<row align="{align}"><line direction="down" stroke-width="1mm"/></row>'
    assert place(project, body) == [(0, 0, 1, 40)]
