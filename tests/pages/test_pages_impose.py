"""Imposition, proved by arithmetic: where every card lies, and what lies behind it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import draw_insets, draw_targets

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.units import MM, parse_size
from cardgen.pages.impose import Page, Placement, Sides, impose
from cardgen.pages.places import fit_grid
from cardgen.pages.target import Duplex, Target, make_target

POKER = parse_size("poker")
BLEED = Insets.even(3 * MM)
A4 = make_target(
    name="a4",
    title="A4",
    paper=parse_size("a4"),
    margin=Insets.even(3 * MM),
    bleed_x=3 * MM,
    bleed_y=3 * MM,
)
LYING = A4.change(paper=parse_size("a4 landscape"))


@dataclass(frozen=True)
class Job:
    """Everything that imposition asks for."""

    count: int
    card: Size
    bleed: Insets
    target: Target
    sides: Sides
    has_back: Sequence[bool] | bool

    def impose(self) -> list[Page]:
        return list(
            impose(
                self.count,
                self.card,
                self.bleed,
                self.target,
                sides=self.sides,
                backs=self.has_back,
            )
        )

    def needs_back(self, index: int) -> bool:
        return self.has_back if isinstance(self.has_back, bool) else self.has_back[index]


@st.composite
def draw_jobs(
    draw: st.DrawFn,
    sides: Sequence[Sides] = ("both", "fronts", "backs"),
    duplex: Sequence[Duplex] = ("long-edge", "short-edge", "none"),
) -> Job:
    """A job whose cards fit: portrait, landscape and square paper, uneven margins, gaps or none."""
    paper = Size(*draw(st.tuples(st.floats(200, 1200), st.floats(200, 1200))))
    if draw(st.booleans()):
        paper = Size(paper.width, paper.width)
    margin = draw(draw_insets(40))
    card = Size(
        draw(st.floats(30, paper.width - 2 * max(margin.left, margin.right))),
        draw(st.floats(30, paper.height - 2 * max(margin.top, margin.bottom))),
    )
    target = draw(
        draw_targets(
            paper,
            margin,
            marks_on=draw(st.sampled_from(["fronts", "both"])),
            duplex=draw(st.sampled_from(duplex)),
        )
    )
    most = fit_grid(card, target)
    target = target.change(
        columns=draw(st.none() | st.integers(1, most.columns)),
        rows=draw(st.none() | st.integers(1, most.rows)),
    )
    count = draw(st.integers(0, 25))
    flags = st.lists(st.booleans(), min_size=count, max_size=count)
    return Job(
        count,
        card,
        draw(draw_insets(20)),
        target,
        draw(st.sampled_from(sides)),
        draw(st.booleans() | flags),
    )


def list_placements(pages: Sequence[Page], side: str) -> list[Placement]:
    return [place for page in pages if page.side == side for place in page.placements]


@given(draw_jobs())
def test_every_copy_is_placed_once_on_each_side_that_is_written(job: Job) -> None:
    pages = job.impose()
    fronts = [] if job.sides == "backs" else list(range(job.count))
    written = job.sides == "backs" or (job.sides == "both" and job.target.duplex.edge != "none")
    backs = [index for index in range(job.count) if written and job.needs_back(index)]
    assert [place.index for place in list_placements(pages, "front")] == fronts
    assert [place.index for place in list_placements(pages, "back")] == backs
    assert all(place.side == page.side for page in pages for place in page.placements)


def meet(one: Rect, other: Rect) -> Rect | None:
    """What two rectangles share."""
    if not one.overlaps(other):
        return None
    x, y = max(one.x, other.x), max(one.y, other.y)
    right, bottom = min(one.right, other.right), min(one.bottom, other.bottom)
    return Rect(x, y, right - x, bottom - y)


@given(draw_jobs())
def test_cards_keep_their_size_lie_inside_the_margins_and_do_not_overlap(job: Job) -> None:
    target = job.target
    for page in job.impose():
        assert page.size == target.paper.size
        printable = Rect(0, 0, *page.size).inset(target.paper.margin)
        for place in page.placements:
            assert (place.trim.width, place.trim.height) == job.card
            assert printable.contains(place.trim)
            assert page.trim.contains(place.trim)
        for one, other in combinations(page.placements, 2):
            assert not one.trim.overlaps(other.trim)
            assert not one.clip.overlaps(other.trim)
            # Two bleeds may meet in an empty cell, where no card is.
            meeting = meet(one.clip, other.clip)
            assert meeting is None or not any(
                meeting.overlaps(cell.trim) for cell in page.placements
            )


@given(draw_jobs())
def test_boxes_lie_within_each_other_and_agree_on_all_pages(job: Job) -> None:
    pages = job.impose()
    for page in pages:
        assert Rect(0, 0, *page.size).contains(page.bleed, tolerance=1e-9)
        assert page.bleed.contains(page.trim, tolerance=1e-9)
        assert page.trim.x + page.trim.right == pytest.approx(page.size.width)
        assert page.trim.y + page.trim.bottom == pytest.approx(page.size.height)
        for place in page.placements:
            assert place.clip.contains(place.trim, tolerance=1e-9)
            assert page.bleed.contains(place.clip, tolerance=1e-9)
    assert len({page.trim for page in pages}) <= 1
    assert len({(page.side, page.bleed) for page in pages}) <= 2


def turn_sheet(x: float, y: float, paper: Size, duplex: Duplex) -> tuple[float, float]:
    """The point of the back page that lies behind a point of the front page.

    The sheet is turned like a page about the edge where it would be bound. The long edges of
    portrait paper are its left and right ones, those of landscape paper its top and bottom ones.
    """
    long_edges_upright = paper.height >= paper.width
    bound_at_the_side = long_edges_upright if duplex == "long-edge" else not long_edges_upright
    return (paper.width - x, y) if bound_at_the_side else (x, paper.height - y)


def find_point(place: Placement, x: float, y: float) -> tuple[float, float]:
    """Where a point of the face, seen upright, lies on the page."""
    trim = place.trim
    return (trim.right - x, trim.bottom - y) if place.turned else (trim.x + x, trim.y + y)


@given(
    draw_jobs(sides=["both"], duplex=["long-edge", "short-edge"]), st.floats(0, 1), st.floats(0, 1)
)
def test_each_back_lies_behind_its_front_with_its_top_behind_the_top(
    job: Job, across: float, down: float
) -> None:
    """A point of the front has the mirrored point of the same card's back behind it, upright."""
    pages = job.impose()
    fronts = {page.number: page for page in pages if page.side == "front"}
    x, y = across * job.card.width, down * job.card.height
    for page in pages:
        if page.side == "front":
            continue
        front_of = {place.index: place for place in fronts[page.number].placements}
        for back in page.placements:
            front = front_of[back.index]
            behind = turn_sheet(*find_point(front, x, y), page.size, job.target.duplex.edge)
            assert behind == pytest.approx(find_point(back, job.card.width - x, y), abs=1e-6)


@given(draw_jobs())
def test_a_partly_filled_page_keeps_the_places_of_a_full_one(job: Job) -> None:
    cells = len(fit_grid(job.card, job.target).cells)
    full = replace(job, count=cells, has_back=True).impose()
    model = {page.side: page for page in full}
    for page in job.impose():
        assert (page.trim, page.bleed) == (model[page.side].trim, model[page.side].bleed)
        for place in page.placements:
            same = model[page.side].placements[place.index % cells]
            assert replace(place, index=same.index, clip=same.clip) == same
            # Beside an empty cell no neighbour is in the way of the bleed.
            assert place.clip.contains(same.clip)


@given(draw_jobs())
def test_each_front_is_followed_by_its_back(job: Job) -> None:
    pages = job.impose()
    order = [(page.number, page.side == "back") for page in pages]
    assert order == sorted(set(order))
    assert all(page.placements or page.side == "back" for page in pages)
    cells = len(fit_grid(job.card, job.target).cells)
    for page in pages:
        assert {place.index // cells for place in page.placements} <= {page.number - 1}


def list_rows(page: Page) -> list[str]:
    """A page as letters, one word per row of the grid: copy 0 is A."""
    rows: dict[float, list[Placement]] = {}
    for place in page.placements:
        rows.setdefault(round(place.trim.y), []).append(place)
    return [
        "".join(chr(ord("A") + place.index) for place in sorted(row, key=lambda p: p.trim.x))
        for _, row in sorted(rows.items())
    ]


@pytest.mark.parametrize(
    ("target", "duplex", "rows", "turned"),
    [
        (A4, "long-edge", ["CBA", "FED", "IHG"], False),
        (A4, "short-edge", ["GHI", "DEF", "ABC"], True),
        (LYING, "long-edge", ["EFGH", "ABCD"], True),
        (LYING, "short-edge", ["DCBA", "HGFE"], False),
    ],
)
def test_the_backs_of_a_sheet_are_mirrored_as_it_is_turned(
    target: Target, duplex: Duplex, rows: list[str], turned: bool
) -> None:
    count = sum(map(len, rows))
    front, back = impose(count, POKER, BLEED, target.change(duplex=duplex))
    assert "".join(list_rows(front)) == "ABCDEFGHI"[:count]
    assert list_rows(back) == rows
    assert {place.turned for place in front.placements} == {False}
    assert {place.turned for place in back.placements} == {turned}


def test_without_duplex_backs_are_written_only_alone_and_unmirrored() -> None:
    target = A4.change(duplex="none")
    assert [page.side for page in impose(9, POKER, BLEED, target)] == ["front"]
    (back,) = impose(9, POKER, BLEED, target, sides="backs")
    assert back.side == "back"
    assert list_rows(back) == ["ABC", "DEF", "GHI"]
    assert {place.turned for place in back.placements} == {False}


@given(draw_jobs(sides=["both"], duplex=["long-edge", "short-edge"]))
def test_printed_on_both_sides_every_sheet_has_two_pages(job: Job) -> None:
    pages = job.impose()
    behind = ("front", "back") if any(map(job.needs_back, range(job.count))) else ("front",)
    sheets = [(n, side) for n in sorted({page.number for page in pages}) for side in behind]
    assert [(page.number, page.side) for page in pages] == sheets


def test_a_sheet_without_backs_has_an_empty_back_page() -> None:
    has_back = [False] * 9 + [True] + [False] * 8 + [True]
    marked = A4.change(marks="silhouette", marks_on="both", margin=Insets.even(12 * MM))
    for target in (A4, marked):
        cells = len(fit_grid(POKER, target).cells)
        pages = list(impose(19, POKER, BLEED, target, backs=has_back))
        filled = [(page.number, page.side, len(page.placements)) for page in pages]
        assert filled[:4] == [
            (1, "front", cells),
            (1, "back", sum(has_back[:cells])),
            (2, "front", cells),
            (2, "back", sum(has_back[cells : 2 * cells])),
        ]
        assert not pages[1].placements
        assert not pages[1].marks
        assert bool(pages[3].marks) == (target is marked)


def show_bleed(place: Placement) -> tuple[float, ...]:
    """How much bleed is shown left, above, right and below, in mm."""
    trim, clip = place.trim, place.clip
    sides = (trim.x - clip.x, trim.y - clip.y, clip.right - trim.right, clip.bottom - trim.bottom)
    return tuple(round(side / MM, 3) + 0 for side in sides)


UNEVEN = Insets(1 * MM, 2 * MM, 2.5 * MM, 4 * MM)


def test_cards_that_share_a_cut_show_bleed_at_the_edge_of_the_grid_alone() -> None:
    (front,) = impose(9, POKER, UNEVEN, A4, sides="fronts")
    assert [show_bleed(place) for place in front.placements] == [
        (1, 2, 0, 0),
        (0, 2, 0, 0),
        (0, 2, 2.5, 0),
        (1, 0, 0, 0),
        (0, 0, 0, 0),
        (0, 0, 2.5, 0),
        (1, 0, 0, 3),
        (0, 0, 0, 3),
        (0, 0, 2.5, 3),
    ]


@pytest.mark.parametrize(
    ("gap_x", "gap_y", "shown"),
    [
        (4, 0, [(1, 2, 2, 0), (1, 2, 2, 0), (1, 0, 2, 3), (1, 0, 2, 3)]),
        (0, 6, [(1, 2, 0, 3), (0, 2, 2, 3), (1, 2, 0, 3), (0, 2, 2, 3)]),
        (4, 6, [(1, 2, 2, 3)] * 4),
    ],
)
def test_cards_with_a_gap_show_bleed_on_both_sides_of_it(
    gap_x: float, gap_y: float, shown: list[tuple[float, ...]]
) -> None:
    target = A4.change(columns=2, rows=2, gap_x=gap_x * MM, gap_y=gap_y * MM, bleed_x=2 * MM)
    (front,) = impose(4, POKER, UNEVEN, target, sides="fronts")
    assert [show_bleed(place) for place in front.placements] == shown


def test_a_turned_back_turns_its_bleed_too() -> None:
    target = A4.change(columns=1, rows=1, duplex="short-edge")
    front, back = impose(1, POKER, UNEVEN, target)
    assert show_bleed(front.placements[0]) == (1, 2, 2.5, 3)
    assert show_bleed(back.placements[0]) == (2.5, 3, 1, 2)
    (upright,) = impose(1, POKER, UNEVEN, target.change(duplex="long-edge"), sides="backs")
    assert show_bleed(upright.placements[0]) == (1, 2, 2.5, 3)


def test_bleed_ends_at_the_edge_of_the_paper() -> None:
    target = make_target("tight", "Tight", paper=parse_size("70mm x 90mm"), bleed_x=9, bleed_y=9)
    (page,) = impose(1, POKER, Insets.even(9), target, sides="fronts")
    assert page.bleed.y == 0
    assert show_bleed(page.placements[0]) == (3.175, 0.55, 3.175, 0.55)


@pytest.mark.parametrize("size", ["a4", "a4 landscape"])
def test_a_play_sheet_fills_its_page_without_margin_bleed_or_marks(size: str) -> None:
    sheet = parse_size(size)
    whole = Rect(0, 0, *sheet)
    target = A4.change(marks="crop", columns=3, rows=3)
    (page,) = impose(1, sheet, BLEED, target, backs=False)
    assert page == Page(sheet, "front", 1, whole, whole, page.placements, ())
    assert page.placements == (Placement(0, "front", whole, False, whole),)
    assert len(list(impose(3, sheet, BLEED, target))) == 6


def test_a_lying_play_sheet_turns_its_back_on_the_long_edge() -> None:
    _, back = impose(1, parse_size("a4 landscape"), BLEED, A4)
    assert back.placements[0].turned


def test_a_card_that_does_not_fit_is_an_error_before_the_first_page() -> None:
    with pytest.raises(CardgenError, match="the card is larger than the sheet"):
        impose(1, parse_size("a3"), BLEED, A4)


def test_the_first_pages_of_a_hundred_thousand_cards_come_at_once() -> None:
    start = time.process_time()
    pages = impose(10**12, POKER, BLEED, A4)
    numbers = [page.number for page in islice(pages, 4)]
    assert numbers == [1, 1, 2, 2]
    assert sum(1 for _ in impose(100_000, POKER, BLEED, A4.change(marks="crop"))) == 22_224
    assert time.process_time() - start < 5
