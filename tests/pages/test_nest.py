"""Cards that are no rectangles on a sheet: as many as fit, none on another, each back behind its
front, and no bleed on a neighbour.
"""

from __future__ import annotations

from math import hypot, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Box, Insets, Rect, Size
from cardgen.core.library import HOME, Library
from cardgen.core.shape import Contour, Point, Shape, make_circle, make_hexagon
from cardgen.core.units import MM, parse_size
from cardgen.pages.impose import Page, Placement, impose
from cardgen.pages.marks import list_taken
from cardgen.pages.nest import BETWEEN
from cardgen.pages.places import fit_grid
from cardgen.pages.printer import Printer
from cardgen.pages.sheets.choice import choose_sheets
from cardgen.pages.sheets.protocol import Batch, SheetCopy, Sheets
from cardgen.pages.target import Target
from cardgen.pages.target_file import read_target
from cardgen.template.trims import parse_trim

ALL = sorted(path.stem for path in (HOME / "assets/targets").glob("*.toml"))
BLEED = Insets.even(3 * MM)
SHAPES = ("circle", "flat", "pointed", "path")


def load(name: str) -> Target:
    return read_target(HOME / "assets/targets" / f"{name}.toml", Library(HOME))


SHEETS = [
    name
    for name in ALL
    if load(name).paper.size is not None and load(name).grid.imposition != "contact"
]


def make_card(kind: str, side: float) -> tuple[Size, Shape]:
    """A card whose shorter side is so long."""
    if kind == "circle":
        return Size(side, side), make_circle()
    if kind == "path":
        size = Size(1.5 * side, side)
        return size, parse_trim("path 3x2 M0 1 L1 0 H3 V2 H1 Z", size)
    long = side * 2 / sqrt(3)
    pointed = kind == "pointed"
    return Size(side, long) if pointed else Size(long, side), make_hexagon(pointed=pointed)


def lay(target: Target, kind: str, side: float, count: int) -> tuple[Sheets, list[Page]]:
    size, shape = make_card(kind, side)
    sheets = choose_sheets(target, size, [True] * count, shape=shape)
    copies = [SheetCopy(number, number, "back") for number in range(count)]
    return sheets, list(sheets.lay(Batch(copies, BLEED, BLEED)))


@given(
    st.sampled_from(SHEETS),
    st.sampled_from(SHAPES),
    st.floats(12, 60),
    st.integers(1, 12),
    st.sampled_from(["long-edge", "short-edge"]),
)
@examples(15)
def test_each_back_falls_behind_its_front(
    name: str, kind: str, side: float, count: int, edge: str
) -> None:
    target = load(name).change(duplex=edge)
    sheets, pages = lay(target, kind, side * MM, count)
    fronts = {
        place.index: (page, place)
        for page in pages
        for place in page.placements
        if place.side == "front"
    }
    backs = {
        place.index: (page, place)
        for page in pages
        for place in page.placements
        if place.side == "back"
    }
    assert sorted(fronts) == sorted(backs) == list(range(count))
    for index, (page, front) in fronts.items():
        other, back = backs[index]
        width, height = page.size
        if target.grid.imposition == "gutterfold":
            axis = target.grid.fold
        else:
            axis = sheets.target.find_axis(page.size) or "upright"
        assert other.number == page.number
        mirrored = (
            (width - x, y) if axis == "upright" else (x, height - y) for x, y in points(back)
        )
        # The same line, wherever it begins and whichever way it runs.
        for (x, y), (u, v) in zip(sorted(mirrored, key=to_place), points(front), strict=True):
            assert hypot(x - u, y - v) < 0.05
        assert back.turned == (axis == "level")


def to_place(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)


def points(place: Placement) -> list[Point]:
    return sorted(place.trace().list_points(), key=to_place)


@given(st.sampled_from(SHEETS), st.sampled_from(SHAPES), st.floats(10, 70))
@examples(15)
def test_no_card_lies_on_another_or_in_the_margin(name: str, kind: str, side: float) -> None:
    sheets, pages = lay(load(name), kind, side * MM, 6)
    target, page = sheets.target, pages[0]
    margin = target.paper.margin
    around = Insets(*2 * (max(margin.left, margin.right), max(margin.top, margin.bottom)))
    room = Rect(0, 0, *page.size).inset(around)
    assert all(room.contains(place.trim, 0.02) for place in page.placements)
    places = [place for place in page.placements if place.side == "front"]
    lines = [place.trace() for place in places]
    for place, line in zip(places, lines, strict=True):
        near = [o for o, p in zip(lines, places, strict=True) if p.clip.overlaps(place.clip)]
        # What it paints goes beyond its own line everywhere, and beyond no neighbour's.
        for x, y in place.polygon[::5]:
            assert measure(line, x, y) < 0.15
            assert all(measure(other, x, y) < 0.15 for other in near)
        assert all(o is line or not line.touches(shrink(o.bounds)) or kind != "path" for o in near)


def measure(line: Contour, x: float, y: float) -> float:
    return line.measure_room(Box(x, y, x, y))


def shrink(rect: Rect) -> Box:
    return Box(rect.x + 1, rect.y + 1, rect.right - 1, rect.bottom - 1)


@given(st.sampled_from(SHAPES), st.floats(10, 90))
@examples(15)
def test_nested_cards_are_no_fewer_than_those_of_a_grid(kind: str, side: float) -> None:
    size, shape = make_card(kind, side * MM)
    sheets = choose_sheets(load("a4"), size, [True], shape=shape)
    assert sheets.count_places() >= len(fit_grid(size, sheets.target).cells)


@pytest.mark.parametrize(
    ("kind", "side", "count", "in_grid"),
    [("circle", 25, 80, 70), ("flat", 52, 20, 15), ("pointed", 52, 18, 12), ("circle", 60, 13, 12)],
)
def test_how_many_fit(kind: str, side: float, count: int, in_grid: int) -> None:
    size, shape = make_card(kind, side * MM)
    sheets = choose_sheets(load("a4"), size, [True], shape=shape)
    assert (sheets.count_places(), len(fit_grid(size, sheets.target).cells)) == (count, in_grid)


def test_cards_that_share_no_cut_lie_apart_and_hexagons_do_not() -> None:
    for kind, gap, bleed in (("circle", BETWEEN, BETWEEN / 2), ("flat", 0, 3 * MM)):
        size, shape = make_card(kind, 30 * MM)
        grid = choose_sheets(load("a4"), size, [True], shape=shape).target.grid
        assert (grid.gap_x, grid.gap_y, grid.bleed_x) == (gap, gap, bleed)
    one_up = choose_sheets(
        load("press"), *make_card("circle", 30 * MM)[:1], [True], shape=make_circle()
    )
    assert one_up.target.grid.gap_x == 0


def test_columns_and_rows_that_a_target_names_are_a_grid() -> None:
    size, shape = make_card("circle", 25 * MM)
    target = load("a4").change(columns=3, rows=2)
    sheets = choose_sheets(target, size, [True], shape=shape)
    assert sheets.count_places() == 6
    with pytest.raises(CardgenError, match="9 columns do not fit"):
        choose_sheets(target.change(columns=9), size, [True], shape=shape).count_places()


@pytest.mark.parametrize("kind", SHAPES)
def test_a_cutter_s_marks_stay_clear(kind: str) -> None:
    sheets, pages = lay(load("silhouette-a4"), kind, 25 * MM, 200)
    taken = list_taken(sheets.target)
    assert len(pages[0].marks) == 5
    assert not any(page.cuts for page in pages)
    for place in pages[0].placements:
        for x, y in place.polygon or [(place.clip.x, place.clip.y)]:
            assert not any(r.x < x < r.right and r.y < y < r.bottom for r in taken)


def test_a_printer_s_margins_leave_fewer_places() -> None:
    size, shape = make_card("circle", 25 * MM)
    sheets = choose_sheets(load("a4"), size, [True], shape=shape)
    fitted = sheets.fit_printer(Printer("default", left=20 * MM))
    assert 0 < fitted.count_places() < sheets.count_places()


def test_lines_are_drawn_where_marks_would_be() -> None:
    _, (front, back) = lay(load("a4"), "flat", 52 * MM, 5)
    assert (front.marks, len(front.cuts), back.cuts) == ((), 5, ())
    assert front.cuts[0].contour == front.placements[0].trace()
    _, (front, back) = lay(load("a4").change(marks_on="both"), "flat", 52 * MM, 5)
    assert len(back.cuts) == 5
    _, (front, _) = lay(load("a4").change(marks="none"), "flat", 52 * MM, 5)
    assert front.cuts == ()
    (fold,) = lay(load("gutterfold-a4"), "circle", 25 * MM, 5)[1]
    assert len(fold.cuts) == 5
    assert {cut.contour for cut in fold.cuts} == {
        place.trace() for place in fold.placements if place.side == "front"
    }


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("kind", SHAPES)
def test_every_target_takes_every_shape_or_says_why_not(name: str, kind: str) -> None:
    target = load(name)
    size, shape = make_card(kind, 40 * MM)
    if target.grid.cutting == "straight":
        with pytest.raises(CardgenError) as caught:
            choose_sheets(target, size, [True], shape=shape)
        (problem,) = caught.value.problems
        assert (problem.code, problem.where) == ("print/trim-not-cut", target.find_place("cutting"))
        return
    _, pages = lay(target, kind, 40 * MM, 3)
    assert {place.shape.name for page in pages for place in page.placements} == {shape.name}


def test_a_rounded_card_is_laid_as_a_rectangle() -> None:
    size = parse_size("poker")
    for name in ("a4", "gamecrafter", "silhouette-a4", "gutterfold-a4"):
        found = []
        for shape in (Shape("rounded", radius=9.0), Shape()):
            sheets = choose_sheets(load(name), size, [True], shape=shape)
            pages = sheets.lay(Batch([SheetCopy(0, 0, "back")] * 5, BLEED, BLEED))
            found.append([(p.marks, [(q.trim, q.clip) for q in p.placements]) for p in pages])
        assert found[0] == found[1]


def test_a_partly_filled_sheet_bleeds_where_a_neighbour_is_missing() -> None:
    size, shape = make_card("flat", 52 * MM)
    whole = list(impose(20, size, BLEED, load("a4"), shape=shape))
    part = list(impose(1, size, BLEED, load("a4"), shape=shape))
    areas = [
        sum(
            a[0] * b[1] - b[0] * a[1]
            for a, b in zip(polygon, (*polygon[1:], polygon[0]), strict=True)
        )
        for page in (whole[0], part[0])
        for polygon in [page.placements[0].polygon]
    ]
    assert areas[1] > areas[0] * 1.02
