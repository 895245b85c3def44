"""Room that is given out: where a column or row begins, how small and how large an element may be,
a text as high as it is set, how lines stand by their number, round corners, and what is clipped.

Coordinates are in millimetres from the trim's top left; a card is 60 x 40 mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from conftest import Project
from strategies import MM, find_problem, flatten, lay_out, list_lines, list_rects, list_runs

from cardgen.core.geometry import Rect
from cardgen.layout.art.outlines import trace_rect
from cardgen.layout.face import Face, Form, Group, Item, Outline

BOX = '<box width="{}mm" height="{}mm" fill="black"/>'


def place(project: Project, body: str, **fields: object) -> list[tuple[float, float, float, float]]:
    (face,) = lay_out(project, body, fields, bleed="3mm")
    return list_rects(face)


# Where the children of a column or row stand


@pytest.mark.parametrize(
    ("attributes", "starts"),
    [
        ("", [0, 12]),
        ('justify="start"', [0, 12]),
        ('justify="centre"', [14, 26]),
        ('justify="end"', [28, 40]),
        ('justify="between"', [0, 40]),
        ('justify="centre" padding="0 0 0 10mm"', [19, 31]),
    ],
)
def test_a_row_is_justified(project: Project, attributes: str, starts: list[float]) -> None:
    body = f'<row {attributes} gap="2mm">{BOX.format(10, 5)}{BOX.format(20, 5)}</row>'
    assert [rect[0] for rect in place(project, body)] == starts


def test_a_column_is_justified_downwards_and_one_child_alone_begins(project: Project) -> None:
    one = BOX.format(10, 5)
    assert [r[1] for r in place(project, f'<column justify="end">{one}{one}</column>')] == [30, 35]
    assert [r[1] for r in place(project, f'<column justify="between">{one}</column>')] == [0]
    growing = f'<column justify="end">{one}<box grow="1" fill="black"/></column>'
    assert [r[1] for r in place(project, growing)] == [0, 5]


# How small and how large


@pytest.mark.parametrize(
    ("attributes", "rect"),
    [
        ('max-width="20mm" max-height="50%"', (0, 0, 20, 20)),
        ('right="5mm" max-width="20mm" bottom="5mm" max-height="10mm"', (35, 25, 20, 10)),
        ('x="5mm" right="5mm" max-width="20mm"', (5, 0, 20, 40)),
        ('width="10mm" min-width="12mm" height="9mm" max-height="4mm"', (0, 0, 12, 4)),
    ],
)
def test_a_placed_box_has_bounds(
    project: Project, attributes: str, rect: tuple[float, ...]
) -> None:
    assert place(project, f'<box fill="black" {attributes}/>') == [rect]


def list_lengths(project: Project, *attributes: str, across: bool = False) -> list[float]:
    boxes = "".join(f'<box fill="black" {one}/>' for one in attributes)
    found = place(project, f'<row align="start">{boxes}</row>')
    return [rect[3 if across else 2] for rect in found]


def test_what_grows_does_so_within_its_bounds(project: Project) -> None:
    high = 'height="5mm" grow='
    assert list_lengths(project, high + '"1" max-width="10mm"', high + '"1"') == [10, 50]
    assert list_lengths(project, high + '"1" min-width="45mm"', high + '"1"') == [45, 15]
    # What is too small is served before what is too large.
    both = (high + '"1" min-width="40mm"', high + '"1" max-width="15mm"', high + '"1"')
    assert list_lengths(project, *both) == [40, 10, 10]
    assert list_lengths(project, high + '"1" max-width="10mm"', high + '"1" max-width="9mm"') == [
        10,
        9,
    ]


def test_what_an_element_takes_by_itself_has_bounds(project: Project) -> None:
    assert list_lengths(project, 'width="50%" max-width="20mm" height="5mm"') == [20]
    assert list_lengths(project, 'min-width="25%" height="5mm"') == [15]
    inner = f'<box max-height="6mm" fill="black">{BOX.format(9, 9)}</box>'
    outer = f'<column align="start"><column fill="black">{inner}</column></column>'
    assert place(project, outer)[0][3] == 6
    assert list_lengths(project, 'width="5mm" max-height="25%" height="15mm"', across=True) == [10]


def test_bounds_that_need_more_than_there_is(project: Project) -> None:
    body = '<row><box grow="1" min-width="50mm"/><box width="20mm"/></row>'
    assert "the content of a row is 10mm too long: it needs 70mm" in find_problem(project, body)


# A text as high as it is set


def list_sizes(face: Face) -> list[float]:
    return [run.size for run in list_runs(face)]


TEXT = '<text fit="box" min="6pt" max="12pt" max-height="{}">{}</text>'


def test_a_text_is_as_high_as_the_size_that_it_gets(project: Project) -> None:
    words = "words " * 30
    panel = '<box grow="1" fill="black"/>'
    short, long, least = (
        lay_out(project, f"<column>{panel}{TEXT.format(most, text)}</column>")[0]
        for most, text in (("20mm", "few words"), ("20mm", words), ("12mm", words))
    )
    ((_, _, _, left),) = list_rects(short)
    assert left > 35
    assert set(list_sizes(short)) == {12}
    sizes = list_sizes(long)
    assert 6 < sizes[0] < 12
    ((_, _, _, rest),) = list_rects(long)
    assert 20 <= rest < 22
    assert list_sizes(least)[0] < sizes[0]


def test_a_share_of_the_column_may_be_the_most(project: Project) -> None:
    body = f'<column><box grow="1" fill="black"/>{TEXT.format("50%", "words " * 30)}</column>'
    (face,) = lay_out(project, body)
    assert 20 <= list_rects(face)[0][3] < 22


def test_a_text_that_does_not_fit_its_most(project: Project) -> None:
    body = f"<column>{TEXT.format('5mm', 'words ' * 60)}</column>"
    problem = find_problem(project, body)
    assert "its text is" in problem
    assert "its box is 5mm high" in problem
    assert 'fit="box" needs a room of known height' in find_problem(
        project, "<column>" + TEXT.format("5mm", "a").replace('max-height="5mm"', "") + "</column>"
    )


def test_texts_of_all_cards_share_the_size_and_not_the_height(project: Project) -> None:
    body = (
        '<column><box grow="1" fill="black"/>'
        '<text fit="deck" min="6pt" max="12pt" max-height="20mm">{{ card.text }}</text></column>'
    )
    short, long = lay_out(project, body, {"text": "few"}, {"text": "words " * 30})
    assert set(list_sizes(short)) == set(list_sizes(long))
    assert list_sizes(short)[0] < 12
    assert list_rects(short)[0][3] > 35 > 22 > list_rects(long)[0][3]
    (size,) = set(list_sizes(short))
    plain = f'<column><box grow="1" fill="black"/><text size="{size}pt">few</text></column>'
    (face,) = lay_out(project, plain)
    assert list_rects(face)[0][3] == pytest.approx(list_rects(short)[0][3])


# Lines


def list_lefts(project: Project, words: str, attributes: str, style: str = "") -> list[float]:
    body = f'<style name="s" {style}/><text style="s" width="30mm" {attributes}>{words}</text>'
    (face,) = lay_out(project, body)
    lines = {run.y: run.x for run in reversed(list_runs(face))}
    return [round(x / MM, 2) for x in lines.values()]


LONG = "and some more words that come to some lines"


@pytest.mark.parametrize(
    ("attributes", "style"),
    [
        ('align="centre, left from 3 lines"', ""),
        ("", 'align="centre, left from 3 lines"'),
        ('align="centre,left from 3 lines"', 'align="right"'),
    ],
)
def test_lines_stand_by_their_number(project: Project, attributes: str, style: str) -> None:
    assert min(list_lefts(project, "two words", attributes, style)) > 3
    assert (
        min(
            list_lefts(
                project, f"two words<br/>{LONG[:12]}".replace("<br/>", " "), attributes, style
            )
        )
        > 1
    )
    lefts = list_lefts(project, LONG + " " + LONG, attributes, style)
    assert len(lefts) >= 3
    assert set(lefts) == {0.0}


def test_a_text_that_says_how_it_stands_has_no_exception_from_its_style(project: Project) -> None:
    style = 'align="centre, left from 2 lines"'
    assert min(list_lefts(project, LONG, 'align="right"', style)) > 0


def list_ends(project: Project, attributes: str) -> list[float]:
    body = f'<text width="30mm" {attributes}>{LONG} that end</text>'
    (face,) = lay_out(project, body)
    return [len(line) for line in list_lines(face)]


def test_long_lines_are_made_even_where_that_is_said(project: Project) -> None:
    free = list_ends(project, 'align="left"')
    rule = 'align="centre, left from 2 lines"'
    assert list_ends(project, rule) == free
    assert list_ends(project, f'{rule} balance="true"') == list_ends(
        project, 'align="left" balance="true"'
    )
    assert list_ends(project, f'{rule} balance="true"') != free


@pytest.mark.parametrize("text", ["centre, left", "centre, left from 1 lines", "a, b from x lines"])
def test_how_lines_stand_is_said_well(project: Project, text: str) -> None:
    assert "template" in find_problem(project, f'<text align="{text}">a</text>')


# Corners


def test_each_corner_has_its_radius() -> None:
    rect = Rect(0, 0, 100, 50)
    assert trace_rect(rect, (5, 5, 5, 5)) == trace_rect(rect, 5)
    drawn = trace_rect(rect, (0, 10, 20, 5))
    points = [numbers[-2:] for _, numbers in drawn]
    assert points == [
        *((0, 0), (90, 0), (100, 10), (100, 30), (80, 50), (5, 50), (0, 45), (0, 0), ())
    ]
    # Where two have no room on a side, all shrink alike.
    shrunk = trace_rect(rect, (40, 0, 0, 60))
    assert [numbers[-2:] for _, numbers in shrunk][:2] == [(20, 0), (100, 0)]


@pytest.mark.parametrize(
    ("radius", "count"), [("2mm", 4), ("2mm 0", 2), ("1mm 2mm 3mm 0", 3), ("0 0 0 0", 0)]
)
def test_corners_are_given_as_in_css(project: Project, radius: str, count: int) -> None:
    (face,) = lay_out(project, f'<box fill="black" radius="{radius}"/>')
    (outline,) = flatten(face.items)
    assert isinstance(outline, Outline)
    assert sum(operator == "C" for operator, _ in outline.segments) == count


def test_three_radii_are_refused(project: Project) -> None:
    body = '<box fill="black" radius="1mm 2mm 3mm"/>'
    assert '"1mm 2mm 3mm" must be one, two or four radii' in find_problem(project, body)


# What is clipped


def find_groups(face: Face) -> list[Group]:
    def search(items: Sequence[Item]) -> Iterator[Group]:
        for item in items:
            if isinstance(item, Group):
                yield item
            elif isinstance(item, Form):
                yield from search(item.shared.items)

    return list(search(face.items))


def test_what_lies_outside_is_clipped(project: Project) -> None:
    body = (
        '<box x="10mm" y="10mm" width="10mm" height="10mm" radius="3mm" stroke="black"'
        ' stroke-width="1mm" clip="true"><box x="-50mm" width="200mm" fill="black"/></box>'
    )
    (face,) = lay_out(project, f"<text>{{{{ card.name }}}}</text>{body}")
    (form,) = (item for item in face.items if isinstance(item, Form))
    (group,) = find_groups(face)
    (clip,) = group.clips
    xs = [(form.x + numbers[-2]) / MM for _, numbers in clip.segments if numbers]
    assert (min(xs), max(xs)) == pytest.approx((11, 19))
    assert [round(number / MM, 3) for number in clip.segments[0][1]] == [13, 11]
    (outline,) = flatten(group.shared.items)
    assert isinstance(outline, Outline)
    x, _ = group.matrix.map(outline.bounds.x, 0)
    assert (form.x + x) / MM == pytest.approx(-40)


def test_without_clip_it_is_an_error(project: Project) -> None:
    body = '<box x="10mm" width="10mm"><box x="-50mm" width="200mm" fill="black"/></box>'
    assert "beyond the card's right edge" in find_problem(project, body)


def test_a_column_clips_too_and_its_name_is_still_the_heading(project: Project) -> None:
    body = '<column clip="true" height="9mm"><text>{{ card.name }}</text></column>'
    (face,) = lay_out(project, body)
    (group,) = find_groups(face)
    assert len(group.clips) == 1
    assert "H1" in face.dump()
