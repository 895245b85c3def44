"""For a cutter: the marks by which it finds the cards, and the files that it follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from math import hypot
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st

from cardgen.build.cuts import name_layouts
from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.library import HOME
from cardgen.core.units import MM, parse_size
from cardgen.output.cutter import format_dxf, format_svg
from cardgen.pages.impose import Page, impose
from cardgen.pages.marks import CLEAR, fit_lanes, measure_mark
from cardgen.pages.sheets.choice import choose_sheets
from cardgen.pages.sheets.protocol import Batch, SheetCopy
from cardgen.pages.slug import measure_note, place_slug
from cardgen.pages.target import Target
from cardgen.pages.target_file import read_target

POKER = parse_size("poker")
BLEED = Insets.even(3 * MM)
NAMES = ("silhouette-a4", "silhouette-letter", "silhouette-a3", "silhouette-tabloid")


def load(name: str) -> Target:
    target = read_target(HOME / "assets/targets" / f"{name}.toml")
    return choose_sheets(target, POKER, [True]).target


# The marks


@pytest.mark.parametrize("name", NAMES[:2])
def test_the_marks_stand_where_a_cutter_looks_for_them(name: str) -> None:
    target = load(name)
    front, back = impose(8, POKER, BLEED, target)
    width, height = (side / MM for side in front.size)
    assert width > height
    found = [tuple(round(side / MM, 3) for side in measure_mark(mark)) for mark in front.marks]
    # As Silhouette's own program prints them: inset and length to the middle of the stroke.
    assert found == [
        (9.5, 9.5, 6, 6),
        (pytest.approx(width - 15), 9.5, 5.5, 1),
        (pytest.approx(width - 10.5), 9.5, 1, 5.5),
        (9.5, pytest.approx(height - 10.5), 5.5, 1),
        (9.5, pytest.approx(height - 15), 1, 5.5),
    ]
    assert back.marks == ()
    assert len(front.placements) == len(back.placements) == 8


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("card", ["poker", "standard", "bridge", "tarot", "square"])
def test_nothing_is_printed_beside_a_mark(name: str, card: str) -> None:
    size = parse_size(card)
    raw = read_target(HOME / "assets/targets" / f"{name}.toml")
    target = choose_sheets(raw, size, [True]).target
    page = next(impose(1, size, BLEED, target))
    slug = place_slug(page, target.paper.margin, "Slug")
    assert slug is not None
    for mark in page.marks:
        white = measure_mark(mark).outset(Insets.even(CLEAR))
        assert not white.overlaps(page.bleed, 1e-6)
        assert not white.overlaps(measure_note(slug), 1e-6)


# Columns and rows as in the templates of the Silhouette Card Maker, on paper that lies or stands.
PUBLISHED = {
    ("a4", "poker"): (4, 2),
    ("a4", "bridge"): (3, 3),
    ("a4", "mini-us"): (4, 4),
    ("a4", "japanese"): (3, 3),
    ("letter", "poker"): (4, 2),
    ("letter", "standard"): (4, 2),
    ("letter", "bridge"): (4, 2),
    ("letter", "mini-euro"): (4, 3),
    ("letter", "mini-us"): (4, 4),
    ("a3", "poker"): (6, 3),
    ("a3", "mini-euro"): (8, 4),
    ("tabloid", "poker"): (4, 4),
    ("tabloid", "bridge"): (4, 4),
    ("tabloid", "tarot-us"): (5, 2),
}
# Where both ways of laying the paper hold as many.
EITHER_WAY = {
    ("a4", "mini-euro"): 12,
    ("a4", "square-us"): 4,
    ("letter", "square"): 6,
    ("a3", "mini-us"): 36,
    ("tabloid", "jumbo"): 4,
}


@pytest.mark.parametrize(("paper", "card"), [*PUBLISHED, *EITHER_WAY])
def test_a_sheet_holds_as_many_as_the_published_templates(paper: str, card: str) -> None:
    target = read_target(HOME / f"assets/targets/silhouette-{paper}.toml")
    sheets = choose_sheets(target, parse_size(card), [True])
    page = next(sheets.lay(Batch([SheetCopy(0, 0, None)] * 70, BLEED, BLEED)))
    across = {round(place.trim.x, 2) for place in page.placements}
    down = {round(place.trim.y, 2) for place in page.placements}
    if (paper, card) in PUBLISHED:
        assert (len(across), len(down)) == PUBLISHED[paper, card]
    else:
        assert len(across) * len(down) == EITHER_WAY[paper, card]
    assert sheets.count_places() == len(page.placements)


def test_columns_that_the_target_names_are_kept_and_may_be_too_many() -> None:
    target = read_target(HOME / "assets/targets/silhouette-a4.toml").change(orientation="given")
    mini = parse_size("mini-euro")
    free = fit_lanes(mini, target).grid
    assert (free.columns, free.rows) == (4, 3)
    rows = fit_lanes(mini, target.change(rows=4)).grid
    assert (rows.columns, rows.rows) == (3, 4)
    with pytest.raises(CardgenError, match="come too near to the square"):
        impose(1, mini, BLEED, fit_lanes(mini, target.change(columns=4, rows=4)))


def test_cards_too_near_to_a_mark_are_an_error() -> None:
    target = load("silhouette-letter").change(mark_length=7.6 * MM)
    with pytest.raises(CardgenError) as caught:
        impose(8, POKER, BLEED, target)
    assert str(caught.value) == (
        f"{target.find_place('marks')}: "
        'the cards of target "silhouette-letter" come too near to the mark at the top right: '
        "it needs 0.25mm of white around it, but there is 0.23mm\n"
        "  hint: choose fewer columns or rows, a shorter mark_length, or larger paper"
    )
    with pytest.raises(CardgenError, match="around it, but they lie on it"):
        impose(8, POKER, BLEED, target.change(mark_length=20 * MM))
    assert len(next(impose(8, POKER, BLEED, target.change(mark_length=7.2 * MM))).marks) == 5


def test_a_sheet_that_fills_its_page_has_no_marks() -> None:
    target = read_target(HOME / "assets/targets/silhouette-a4.toml")
    pages = list(impose(1, parse_size("a4"), BLEED, target))
    assert [page.marks for page in pages] == [(), ()]
    assert list(name_layouts("sheet", pages)) == []


# The files


def read_svg(data: bytes) -> tuple[Size, list[tuple[float, ...]]]:
    """The paper in mm, and each card's place, size and radius, counted from the top left."""
    root = ElementTree.fromstring(data)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}".replace("mm", "")
    paper = Size(*(float(root.get(side, "").removesuffix("mm")) for side in ("width", "height")))
    keys = ("x", "y", "width", "height", "rx")
    found = [
        tuple(float(item.get(key, "0")) for key in keys)
        for item in root.iter("{http://www.w3.org/2000/svg}rect")
    ]
    return paper, found


def list_entities(data: bytes) -> Iterator[tuple[str, dict[int, str]]]:
    """What a DXF draws: the kind of each thing, and its values by their codes."""
    lines = data.decode("ascii").split("\n")
    assert lines.pop() == ""
    pairs = list(zip(map(int, lines[::2]), lines[1::2], strict=True))
    start = pairs.index((2, "ENTITIES")) + 1
    assert pairs[-2:] == [(0, "ENDSEC"), (0, "EOF")]
    heads = [at for at in range(start, len(pairs)) if pairs[at][0] == 0]
    for at, end in pairwise(heads):
        if pairs[at][1] != "ENDSEC":
            yield pairs[at][1], dict(pairs[at + 1 : end])


def list_lines(data: bytes) -> Iterator[list[tuple[float, float]]]:
    """The points of each line that a DXF draws, which must be closed."""
    for kind, values in list_entities(data):
        if kind == "POLYLINE":
            assert (values[66], values[70]) == ("1", "1")
            points = []
        elif kind == "VERTEX":
            points.append((float(values[10]), float(values[20])))
        else:
            assert kind == "SEQEND"
            yield points


def read_dxf(data: bytes) -> list[tuple[float, ...]]:
    """Each card's place and size, counted from the bottom left."""
    found: list[tuple[float, ...]] = []
    for points in list_lines(data):
        xs, ys = zip(*points, strict=True)
        found.append((min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))
    return found


trims = st.lists(
    st.builds(Rect, st.floats(0, 500), st.floats(0, 500), st.floats(40, 300), st.floats(40, 300)),
    max_size=8,
)


@given(trims, st.floats(0, 15) | st.just(0.0))
def test_both_files_cut_the_same_cards(cards: list[Rect], radius: float) -> None:
    paper = Size(842, 595)
    size, svg = read_svg(format_svg(paper, cards, radius))
    dxf = read_dxf(format_dxf(paper, cards, radius))
    assert size == pytest.approx([side / MM for side in paper], abs=1e-3)
    assert len(svg) == len(dxf) == len(cards)
    for card, from_top, from_foot in zip(cards, svg, dxf, strict=True):
        assert from_top == pytest.approx([*(side / MM for side in card), radius / MM], abs=1e-3)
        x, y, width, height = from_foot
        flipped = (x, size.height - y - height, width, height)
        assert flipped == pytest.approx(from_top[:4], abs=2e-3)


@given(st.floats(0.3, 15) | st.sampled_from([0.0, 50 / MM]))
def test_a_card_is_one_closed_line_around_it(radius: float) -> None:
    """Its corners are as round as the SVG's, and none is passed twice."""
    (points,) = list_lines(format_dxf(Size(300, 300), [Rect(50, 60, 100, 120)], radius * MM))
    left, low, right, high = 50 / MM, 120 / MM, 150 / MM, 240 / MM
    assert len(set(points)) == len(points) == (4 if not radius else len(points))
    middles = []
    for (x1, y1), (x2, y2) in pairwise([*points, points[0]]):
        middles.append(((x1 + x2) / 2, (y1 + y2) / 2))
        assert (x1, y1) != (x2, y2)
    for x, y in [*points, *middles]:
        across = max(left + radius - x, x - (right - radius), 0)
        along = max(low + radius - y, y - (high - radius), 0)
        if across and along:
            assert hypot(across, along) == pytest.approx(radius, abs=0.006)
        else:
            assert max(across, along) == pytest.approx(radius, abs=1e-3)


@pytest.fixture
def deck(project: Project) -> Project:
    project.write_template("<text>{{ card.name }}</text>", attributes='size="poker" bleed="3mm"')
    project.write_template("<text>Behind</text>", "behind", 'size="poker" bleed="3mm"')
    project.write_deck("  - name: Sword\n    count: 19\n", head="template: plain\nback: behind\n")
    return project


def list_cuts() -> list[str]:
    return sorted(path.name for path in Path("output").glob("*-cut*"))


def test_a_full_sheet_and_a_partly_filled_one_are_cut_by_files_of_their_own(deck: Project) -> None:
    ran = deck.run("build", "deck", "--target", "silhouette-a4")
    assert ran.stdout == (
        "output/deck-silhouette-a4.pdf: 19 cards on 6 pages, to be cut by "
        "deck-silhouette-a4-cut-1, deck-silhouette-a4-cut-3 (.svg, .dxf)\n"
    )
    assert list_cuts() == [
        f"deck-silhouette-a4-cut-{number}.{suffix}"
        for number in (1, 3)
        for suffix in ("dxf", "svg")
    ]
    for number, cards in ((1, 8), (3, 3)):
        path = Path(f"output/deck-silhouette-a4-cut-{number}.svg")
        paper, found = read_svg(path.read_bytes())
        assert (paper, len(found)) == ((297, 210), cards)
        assert found[0] == (19.625, 15.475, 63.5, 88.9, 3)
        assert len(read_dxf(path.with_suffix(".dxf").read_bytes())) == cards


def test_files_that_are_no_longer_true_are_taken_away(deck: Project) -> None:
    deck.run("build", "deck", "--target", "silhouette-a4")
    kept = deck.write("output/deck-silhouette-a4-cut-mine.svg", "mine")
    deck.write_deck("  - name: Sword\n    count: 8\n", head="template: plain\nback: behind\n")
    assert deck.run("build", "deck", "--target", "silhouette-a4").code == 0
    assert list_cuts() == [
        "deck-silhouette-a4-cut-mine.svg",
        "deck-silhouette-a4-cut.dxf",
        "deck-silhouette-a4-cut.svg",
    ]
    assert kept.read_text() == "mine"


@pytest.mark.parametrize("options", [["--backs"], ["--sides", "even"], ["--target", "letter"]])
def test_only_fronts_with_marks_are_cut(deck: Project, options: list[str]) -> None:
    given = options if "--target" in options else ["--target", "silhouette-a4", *options]
    ran = deck.run("build", "deck", *given)
    assert ran.code == 0
    assert "cut by" not in ran.stdout
    assert list_cuts() == []


def test_a_sheet_begun_in_the_middle_is_cut_there() -> None:
    target = load("silhouette-a4")
    pages: list[Page] = list(impose(3, POKER, BLEED, target, used=range(6)))
    layouts = [
        (name, [round(trim.x / MM, 3) for trim in found if isinstance(trim, Rect)])
        for name, _, found, _ in name_layouts("deck", pages)
    ]
    assert layouts == [("deck-cut-1", [149.125, 213.875]), ("deck-cut-2", [19.625])]
    assert re.fullmatch(r"deck-cut-\d", layouts[0][0])
