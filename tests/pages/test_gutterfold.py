"""Gutterfolds, proved by folding: what lies behind each front once the paper is folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil

import pytest
from conftest import Project, drop_slug
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from strategies import draw_insets, draw_targets
from test_pages_impose import find_point

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.library import HOME
from cardgen.core.units import MM, parse_size
from cardgen.pages.impose import Page
from cardgen.pages.marks import measure_mark
from cardgen.pages.sheets.choice import choose_sheets
from cardgen.pages.sheets.gutterfold import FOLD_DASH, count_places, fold_sheets
from cardgen.pages.slug import measure_note
from cardgen.pages.target import Fold, Target, make_target
from cardgen.pages.target_file import read_target

POKER = parse_size("poker")
BLEED = Insets.even(3 * MM)
A4 = make_target(
    name="fold",
    title="Fold",
    paper=parse_size("a4"),
    margin=Insets.even(3 * MM),
    imposition="gutterfold",
    gutter=6 * MM,
    bleed_x=3 * MM,
    bleed_y=3 * MM,
    marks="crop",
)


@dataclass(frozen=True)
class Job:
    """Everything that a gutterfold asks for."""

    count: int
    card: Size
    target: Target
    has_back: Sequence[bool]
    skip: int
    pages: list[Page]

    @property
    def fold(self) -> float:
        paper = self.target.page
        return (paper.width if self.target.grid.fold == "upright" else paper.height) / 2


@st.composite
def draw_jobs(draw: st.DrawFn) -> Job:
    """Cards that fit twice: either fold, uneven margins, gaps or none, some without a back."""
    paper = Size(*draw(st.tuples(st.floats(200, 1200), st.floats(200, 1200))))
    margin, gutter = draw(draw_insets(30)), draw(st.just(0.0) | st.floats(0, 40))
    fold: Fold = draw(st.sampled_from(["upright", "level"]))
    most = Size(
        paper.width - 2 * max(margin.left, margin.right),
        paper.height - 2 * max(margin.top, margin.bottom),
    )
    if fold == "upright":
        most = Size((most.width - gutter) / 2, most.height)
    else:
        most = Size(most.width, (most.height - gutter) / 2)
    card = Size(draw(st.floats(20, most.width)), draw(st.floats(20, most.height)))
    target = draw(draw_targets(paper, margin, imposition="gutterfold", fold=fold, gutter=gutter))
    has_back = draw(st.lists(st.booleans(), min_size=1, max_size=20).filter(any))
    skip = draw(st.integers(0, count_places(card, target) - 1))
    bleed = draw(draw_insets(20))
    count = len(has_back)
    pages = list(fold_sheets(count, card, bleed, target, backs=has_back, used=range(skip)))
    return Job(count, card, target, has_back, skip, pages)


@given(draw_jobs(), st.floats(0, 1), st.floats(0, 1))
def test_folded_each_back_lies_behind_its_front_with_its_top_behind_the_top(
    job: Job, across: float, down: float
) -> None:
    x, y = across * job.card.width, down * job.card.height
    for page in job.pages:
        fronts = {place.index: place for place in page.placements if place.side == "front"}
        for back in page.placements:
            if back.side == "front":
                continue
            front_x, front_y = find_point(fronts[back.index], x, y)
            upright = job.target.grid.fold == "upright"
            folded = (
                (2 * job.fold - front_x, front_y) if upright else (front_x, 2 * job.fold - front_y)
            )
            assert find_point(back, job.card.width - x, y) == pytest.approx(folded, abs=1e-6)


@given(draw_jobs())
def test_every_card_and_every_back_is_placed_once(job: Job) -> None:
    placed = [(place.side, place.index) for page in job.pages for place in page.placements]
    fronts = [("front", index) for index in range(job.count)]
    backs = [("back", index) for index, has in enumerate(job.has_back) if has]
    assert sorted(placed) == sorted([*fronts, *backs])
    places = count_places(job.card, job.target)
    assert len(job.pages) == ceil((job.count + job.skip) / places)
    assert [page.number for page in job.pages] == list(range(1, len(job.pages) + 1))


@given(draw_jobs())
def test_bleed_ends_at_the_fold_and_at_its_neighbours(job: Job) -> None:
    paper = Rect(0, 0, *job.target.page)
    printable = paper.inset(job.target.paper.margin)
    upright = job.target.grid.fold == "upright"
    for page in job.pages:
        assert paper.contains(page.bleed)
        for place in page.placements:
            assert printable.contains(place.trim)
            assert page.trim.contains(place.trim)
            assert page.bleed.contains(place.clip)
            start, end = (
                (place.clip.x, place.clip.right) if upright else (place.clip.y, place.clip.bottom)
            )
            first = place.side == "front"
            assert (end <= job.fold + 1e-6) if first else (start >= job.fold - 1e-6)
        for one, other in combinations(page.placements, 2):
            assert not one.clip.overlaps(other.trim)


@given(draw_jobs())
def test_marks_and_words_lie_outside_the_cards(job: Job) -> None:
    printable = Rect(0, 0, *job.target.page).inset(job.target.paper.margin)
    for page in job.pages:
        words = [measure_note(note) for note in page.notes]
        marks = [measure_mark(mark) for mark in page.marks]
        for ink in (*words, *marks):
            assert not page.bleed.overlaps(ink, 1e-6)
            assert printable.contains(ink, 1.0)
        for one, other in combinations([*words, *marks], 2):
            assert not one.overlaps(other, 1e-6) or (one not in words and other not in words)


@pytest.mark.parametrize(("fold", "places"), [("upright", 1), ("level", 3)])
def test_the_fold_is_dashed_at_both_ends(fold: str, places: int) -> None:
    target = A4.change(fold="level" if fold == "level" else "upright")
    (page,) = fold_sheets(places, POKER, BLEED, target)
    dashed = [mark for mark in page.marks if mark.dash == FOLD_DASH]
    assert len(dashed) == 2
    width, height = page.size
    middle = {(mark.x1, mark.x2) if fold == "upright" else (mark.y1, mark.y2) for mark in dashed}
    assert middle == {(width / 2, width / 2) if fold == "upright" else (height / 2, height / 2)}
    assert [note.text for note in page.notes] == ["fold", "fold"]


@pytest.mark.parametrize("name", ["gutterfold-a4", "gutterfold-letter"])
def test_four_poker_cards_and_their_backs_lie_on_a_sheet(name: str) -> None:
    target = read_target(HOME / "assets/targets" / f"{name}.toml")
    settled = choose_sheets(target, POKER, [True]).target
    assert settled.paper.size is not None
    assert settled.paper.size.width > settled.paper.size.height
    assert settled.duplex.edge == "none"
    (page,) = fold_sheets(4, POKER, BLEED, settled)
    assert [place.index for place in page.placements] == [0, 1, 2, 3] * 2
    fronts, backs = page.placements[:4], page.placements[4:]
    for place in page.placements:
        assert Rect(0, 0, *page.size).contains(place.trim.outset(Insets.even(3 * MM)))
    gap = min(back.trim.x for back in backs) - max(front.trim.right for front in fronts)
    assert gap == pytest.approx(6 * MM)


def test_a_card_that_does_not_fit_twice_is_an_error() -> None:
    target = replace(A4, name="gutterfold-a4")
    with pytest.raises(CardgenError) as caught:
        list(fold_sheets(1, Size(100 * MM, 100 * MM), BLEED, target))
    assert str(caught.value) == (
        'the card and its back do not fit target "gutterfold-a4": 2 x 100mm and a gutter of 6mm '
        "need 206mm, but the paper's 210mm less 2 x 3mm of margin leave 204mm\n"
        "  hint: choose a target with larger paper, or one that is printed on both sides"
    )
    with pytest.raises(CardgenError, match=r"2 columns and their backs do not fit .* need 260mm"):
        list(fold_sheets(1, POKER, BLEED, target.change(columns=2)))
    with pytest.raises(CardgenError, match="the card is larger than the sheet"):
        list(fold_sheets(1, Size(90 * MM, 295 * MM), BLEED, target))


def test_without_backs_or_for_a_whole_sheet_it_is_a_grid() -> None:
    for card, has_back in ((POKER, [False]), (parse_size("a4"), [True])):
        settled = choose_sheets(A4, card, has_back).target
        assert (settled.grid.imposition, settled.duplex.edge) == ("grid", "long-edge")


@pytest.fixture
def deck(project: Project) -> Project:
    project.write_template("<text>{{ card.name }}</text>", attributes='size="poker" bleed="3mm"')
    project.write_template("<text>Behind</text>", "behind", 'size="poker" bleed="3mm"')
    project.write_deck("  - name: Sword\n    count: 5\n", head="template: plain\nback: behind\n")
    return project


def test_a_gutterfold_is_printed_on_one_side(deck: Project) -> None:
    assert deck.build(target="gutterfold-a4").pages == 2
    reader = PdfReader("output/deck-gutterfold-a4.pdf")
    words = [drop_slug(page.extract_text()).split() for page in reader.pages]
    assert [(page.count("Sword"), page.count("Behind")) for page in words] == [(4, 4), (1, 1)]
    assert reader.root_object["/ViewerPreferences"]["/Duplex"] == "/Simplex"  # type: ignore[index]
    assert "sheet 2 of 2 · gutterfold-a4" in reader.pages[1].extract_text()


@pytest.mark.parametrize("option", ["--fronts", "--backs"])
def test_one_side_of_a_gutterfold_means_nothing(deck: Project, option: str) -> None:
    ran = deck.run("build", "deck", "--target", "gutterfold-a4", option)
    assert ran.code == 1
    assert "prints fronts and backs on one side of the paper" in ran.stderr
    assert f"{option} means nothing" in ran.stderr
