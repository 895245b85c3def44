"""Crop marks: where they stand, and where they must not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import draw_insets, draw_targets

from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.library import HOME
from cardgen.core.units import MM, parse_size
from cardgen.pages.impose import Page, impose
from cardgen.pages.marks import Mark
from cardgen.pages.places import fit_grid
from cardgen.pages.target import Target, make_target
from cardgen.pages.target_file import read_target

# 3 x 2 cards of 60 x 90 on paper of 300 x 300: the grid reaches from 60, 60 to 240, 240.
CARD = Size(60, 90)
SQUARE = make_target(
    name="square",
    title="Square",
    paper=Size(300, 300),
    columns=3,
    rows=2,
    marks="crop",
    mark_length=20,
    mark_offset=5,
    mark_weight=1,
)


def get_marks(
    target: Target, count: int = 6, bleed: float = 0.0, card: Size = CARD
) -> set[tuple[float, ...]]:
    """The marks of the first front, as x1, y1, x2, y2."""
    page = next(impose(count, card, Insets.even(bleed), target))
    assert {mark.weight for mark in page.marks} <= {target.marks.weight}
    assert len(set(page.marks)) == len(page.marks)
    return {tuple(round(place, 6) for place in mark[:4]) for mark in page.marks}


def test_every_cut_is_marked_at_both_ends() -> None:
    columns = {(x, y, x, y + 20) for x in (60, 120, 180, 240) for y in (35, 245)}
    rows = {(x, y, x + 20, y) for x in (35, 245) for y in (60, 150, 240)}
    assert get_marks(SQUARE) == columns | rows


def test_both_cuts_of_a_gap_are_marked() -> None:
    target = SQUARE.change(columns=2, rows=1, gap_x=20, paper=Size(240, 190))
    assert get_marks(target, 2) == {
        *((x, y, x, y + 20) for x in (50, 110, 130, 190) for y in (25, 145)),
        *((x, y, x + 20, y) for x in (25, 195) for y in (50, 140)),
    }


def test_a_partly_filled_page_marks_the_cuts_of_its_cards_at_the_same_places() -> None:
    columns = {(x, y, x, y + 20) for x in (60, 120, 180) for y in (35, 245)}
    rows = {(x, y, x + 20, y) for x in (35, 245) for y in (60, 150)}
    assert get_marks(SQUARE, 2) == columns | rows


def test_a_partly_filled_back_marks_the_mirrored_cuts() -> None:
    _, back = impose(2, CARD, Insets(), SQUARE.change(marks_on="both"))
    assert {mark.x1 for mark in back.marks if mark.x1 == mark.x2} == {120, 180, 240}


def test_marks_stand_outside_the_shown_bleed() -> None:
    target = SQUARE.change(bleed_x=12, bleed_y=2)
    columns = {(x, y, x, y + 20) for x in (60, 120, 180, 240) for y in (35, 245)}
    rows = {(x, y, x + 20, y) for x in (28, 252) for y in (60, 150, 240)}
    assert get_marks(target, bleed=30) == columns | rows


@pytest.mark.parametrize(
    ("margin", "ends"),
    [
        (Insets(top=35), {(35, 55), (245, 265)}),
        (Insets(top=37), {(37, 55), (245, 265)}),
        (Insets(bottom=38), {(35, 55), (245, 262)}),
    ],
)
def test_marks_are_shortened_by_the_margin(margin: Insets, ends: set[tuple[float, float]]) -> None:
    marks = get_marks(SQUARE.change(margin=margin))
    assert {(y1, y2) for x1, y1, x2, y2 in marks if x1 == x2} == ends


@pytest.mark.parametrize(("room", "left"), [(0.0, 0), (0.9, 0), (1.0, 3), (1.1, 3)])
def test_marks_of_less_than_a_millimetre_are_left_out(room: float, left: int) -> None:
    marks = get_marks(SQUARE.change(margin=Insets(left=60 - 5 - room * MM)))
    assert sum(x2 < 60 for _, y1, x2, y2 in marks if y1 == y2) == left
    assert sum(x1 > 240 for x1, y1, _, y2 in marks if y1 == y2) == 3


def test_a_trim_on_the_edge_of_the_paper_needs_no_mark() -> None:
    target = SQUARE.change(paper=Size(180, 300))
    assert {mark[0] for mark in get_marks(target)} == {60, 120}


@pytest.mark.parametrize(("count", "marks"), [(6, 14), (2, 10)])
def test_marks_are_on_the_fronts_unless_both_sides_are_asked_for(count: int, marks: int) -> None:
    front, back = impose(count, CARD, Insets(), SQUARE)
    assert (len(front.marks), len(back.marks)) == (marks, 0)
    front, back = impose(count, CARD, Insets(), SQUARE.change(marks_on="both"))
    assert (len(front.marks), len(back.marks)) == (marks, marks)
    assert get_marks(SQUARE.change(marks="none"), count) == set()


@pytest.mark.parametrize(
    ("name", "cards", "marks"),
    [("a3", 18, 22), ("a4", 9, 16), ("letter", 9, 16), ("tabloid", 18, 22)],
)
@pytest.mark.parametrize("card", ["poker", "standard"])
def test_every_cut_of_the_sheets_that_come_with_cardgen_is_marked(
    name: str, cards: int, marks: int, card: str
) -> None:
    target = read_target(HOME / "assets/targets" / f"{name}.toml")
    assert len(get_marks(target, cards, 3 * MM, parse_size(card))) == marks


@st.composite
def draw_pages(draw: st.DrawFn) -> tuple[Target, list[Page]]:
    """The pages of one sheet, full or not, with little or much room around its cards."""
    paper = Size(draw(st.floats(150, 600)), draw(st.floats(150, 600)))
    margin = draw(draw_insets(40))
    target = draw(
        draw_targets(
            paper,
            margin,
            marks_on="both",
            mark_length=draw(st.floats(3, 60)),
            mark_offset=draw(st.floats(0, 20)),
            mark_weight=draw(st.floats(0.1, 3)),
            duplex=draw(st.sampled_from(["long-edge", "short-edge"])),
        )
    )
    card = Size(
        draw(st.floats(30, paper.width - 2 * max(margin.left, margin.right))),
        draw(st.floats(30, paper.height - 2 * max(margin.top, margin.bottom))),
    )
    bleed = draw(draw_insets(20))
    cells = len(fit_grid(card, target).cells)
    has_back = draw(st.lists(st.booleans(), min_size=1, max_size=min(cells, 12)))
    return target, list(impose(len(has_back), card, bleed, target, backs=has_back))


def get_extent(mark: Mark, weight: float) -> Rect:
    """What a mark paints, or the line alone where the weight is 0."""
    across = weight / 2 if mark.x1 == mark.x2 else 0.0
    down = weight / 2 if mark.y1 == mark.y2 else 0.0
    line = Rect(mark.x1, mark.y1, mark.x2 - mark.x1, mark.y2 - mark.y1)
    return line.outset(Insets(across, down, across, down))


@given(draw_pages())
def test_marks_touch_no_card_and_no_bleed_and_stay_on_the_paper(
    drawn: tuple[Target, list[Page]],
) -> None:
    target, pages = drawn
    for page in pages:
        paper = Rect(0, 0, *page.size)
        for mark in page.marks:
            painted = get_extent(mark, mark.weight)
            assert paper.contains(painted, tolerance=1e-9)
            assert paper.inset(target.paper.margin).contains(get_extent(mark, 0))
            assert not page.bleed.overlaps(painted, tolerance=1e-6)
            assert not any(place.clip.overlaps(painted, 1e-6) for place in page.placements)


@given(draw_pages())
def test_marks_are_as_long_as_there_is_room_and_stand_at_cuts_of_cards(
    drawn: tuple[Target, list[Page]],
) -> None:
    target, pages = drawn
    for page in pages:
        columns = [edge for p in page.placements for edge in (p.trim.x, p.trim.right)]
        rows = [edge for p in page.placements for edge in (p.trim.y, p.trim.bottom)]
        for mark in page.marks:
            length = (mark.x2 - mark.x1) + (mark.y2 - mark.y1)
            assert 1 * MM - 1e-4 <= length <= target.marks.length + 1e-4
            place, edges = (mark.x1, columns) if mark.x1 == mark.x2 else (mark.y1, rows)
            assert min(abs(place - edge) for edge in edges) < 1e-2
        lines = [tuple(round(place, 2) for place in mark[:4]) for mark in page.marks]
        assert len(lines) == len(set(lines))
