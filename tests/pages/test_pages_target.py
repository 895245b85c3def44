"""Targets: what a file may say, what is wrong with it, and whether a card fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.errors import CardgenError, Where
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.library import HOME
from cardgen.core.units import CARD_SIZES, MM, PAPER_SIZES
from cardgen.pages.places import fit_grid
from cardgen.pages.target import PLAIN, TARGET_KEYS, Target, make_target
from cardgen.pages.target_file import read_target

Write = Callable[[str], Path]
START = 'title = "Test"\npaper = "a4"\n'


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a target to "test.toml" in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def write_file(text: str) -> Path:
        path = Path("test.toml")
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


def get_error(path: Path) -> str:
    with pytest.raises(CardgenError) as caught:
        read_target(path)
    return str(caught.value)


def test_a_short_file_has_plain_values_for_the_rest(write: Write) -> None:
    target = read_target(write(START))
    plain = replace(make_target("test", "Test", PAPER_SIZES["a4"]), source="test.toml")
    assert target == plain


FULL = """
title = " Everything "
paper = "210mm x 200mm"
margin = { left = "1mm", top = "2mm", right = "3mm", bottom = 0 }
columns = 2
rows = 3
gap_x = "4mm"
"gap_y" = "5mm"
bleed_x = "2mm"
bleed_y = "none"
marks = "crop"
marks_on = "both"
mark_length = "6mm"
mark_offset = "7mm"
mark_weight = "1pt"
duplex = "short-edge"
format = "pdf"
dpi = 150
orientation = "best"
imposition = "contact"
fold = "level"
gutter = "8mm"
back_bleed_x = "1.5mm"
back_bleed_y = 0
full_bleed = true
cutting = "straight"
safe = "3mm"
slug = true
order = "fronts-backs"
backs = "once"
corners = "9mm"
names = "{deck}-{copy}-{side}"
zip = true
colour = "cmyk"
profile = "press"
total_ink = 240
flavour = "x-4"
text = "outlines"
smallest_text = "6pt"
thinnest_line = "0.5pt"
"""


def test_a_full_file_sets_every_field(write: Write) -> None:
    target = read_target(write(FULL))
    expected = make_target(
        name="test",
        title="Everything",
        paper=Size(210 * MM, 200 * MM),
        margin=Insets(1 * MM, 2 * MM, 3 * MM, 0),
        columns=2,
        rows=3,
        gap_x=4 * MM,
        gap_y=5 * MM,
        bleed_x=2 * MM,
        bleed_y=0,
        marks="crop",
        marks_on="both",
        mark_length=6 * MM,
        mark_offset=7 * MM,
        mark_weight=1,
        duplex="short-edge",
        format="pdf",
        dpi=150,
        orientation="best",
        imposition="contact",
        fold="level",
        gutter=8 * MM,
        back_bleed_x=1.5 * MM,
        back_bleed_y=0,
        full_bleed=True,
        cutting="straight",
        safe=3 * MM,
        slug=True,
        order="fronts-backs",
        backs="once",
        corners=9 * MM,
        names="{deck}-{copy}-{side}",
        zip=True,
        colour="cmyk",
        profile="press",
        total_ink=240,
        flavour="x-4",
        text="outlines",
        smallest_text=6,
        thinnest_line=0.5,
    )
    assert target == replace(expected, source="test.toml")
    same = {key for key in TARGET_KEYS if target.get_value(key) == PLAIN.get_value(key)}
    # What only goes with pictures is tested with the services, and with the showcase; a base, which
    # goes with no profile, with what it is made of.
    showcase = {"scenes", "ground", "width"}
    assert same == {"bleed_y", "format", "quantities", "products", "die_line", "base"} | showcase


def test_each_key_knows_its_line(write: Write) -> None:
    target = read_target(write(FULL))
    places = [str(target.find_place(key)) for key in ("title", "paper", "gap_y", "duplex")]
    assert places == [f"test.toml:{line}" for line in (2, 3, 8, 16)]


@pytest.mark.parametrize(
    "margin", ['margin.top = "4mm"', '[margin]\ntop = "4mm"', 'margin = { top = "4mm" }']
)
def test_a_margin_may_name_one_side(write: Write, margin: str) -> None:
    assert read_target(write(START + margin)).paper.margin == Insets(top=4 * MM)


def test_a_margin_of_one_length_counts_on_all_sides(write: Write) -> None:
    assert read_target(write(START + 'margin = "4mm"')).paper.margin == Insets.even(4 * MM)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("slug = 1", "test.toml:3: slug must be true or false, not 1"),
        (
            "profile = 3",
            'test.toml:3: profile must be a name such as "coated-fogra39-300", not 3',
        ),
        (
            'names = "{plase}-{side}"',
            'test.toml:3: names: unknown field {plase}\n  hint: did you mean "place"?',
        ),
        (
            'names = "{place"',
            "test.toml:3: names: a brace that is not closed\n"
            '  hint: as in names = "{place}-{card}-{side}"; '
            "the fields are deck, target, place, card, copy, side",
        ),
        (
            'names = "{place}"',
            "test.toml:3: names needs {side}, or a back would take its front's place\n"
            '  hint: as in names = "{place}-{card}-{side}"; '
            "the fields are deck, target, place, card, copy, side",
        ),
        (
            'names = "../{side}"',
            "test.toml:3: names: a file's name holds none of / \\ : * ? \" < > |\n"
            '  hint: as in names = "{place}-{card}-{side}"; '
            "the fields are deck, target, place, card, copy, side",
        ),
        (
            'gap_x = "4mm"\nback_bleed_x = "3mm"',
            "test.toml:4: back_bleed_x of 3mm is wider than half of gap_x, 4mm / 2 = 2mm: "
            "neighbours would overlap\n  hint: show at most 2mm, or widen gap_x to 6mm",
        ),
        (
            'flavour = "x-4"',
            'test.toml:3: flavour = "x-4" needs colours that a press has, not those given\n'
            '  hint: write colour = "cmyk", or colour = "grey"\n'
            'test.toml:3: flavour = "x-4" needs a profile of the press\n'
            '  hint: add a line such as profile = "coated-fogra39-300"',
        ),
        (
            'colour = "cmyk"',
            'test.toml:3: colour = "cmyk" needs a profile of the press\n'
            '  hint: add a line such as profile = "coated-fogra39-300"',
        ),
        (
            "total_ink = 240",
            "test.toml:3: a total_ink is kept by turning colours: it means nothing with "
            'colour = "given"\n  hint: write colour = "cmyk"',
        ),
        (
            'marks = "silhouette"\nimposition = "gutterfold"',
            'test.toml:3: a cutter\'s marks do not go with imposition = "gutterfold"\n'
            '  hint: write marks = "none", or imposition = "grid"',
        ),
        (
            'imposition = "gutterfold"\nmarks_on = "both"',
            'test.toml:4: a gutterfold has one side: marks_on = "both" means nothing\n'
            "  hint: leave marks_on out",
        ),
        (
            'format = "tts"',
            'test.toml:3: format = "tts" makes a sheet of its own: it takes cards, not sheets\n'
            '  hint: write paper = "card"',
        ),
        (
            'format = "png"\ncorners = "3mm"',
            "test.toml:4: corners are cut out of pictures of the card without its bleed: "
            "a sheet has corners of its own\n"
            '  hint: write paper = "card" and a bleed of 0, or leave corners out',
        ),
        ('papre = "a4"', 'test.toml:3: unknown key "papre"\n  hint: did you mean "paper"?'),
        ("columns = 0", "test.toml:3: columns must be a whole number from 1 to 100, not 0"),
        ("rows = 101", "test.toml:3: rows must be a whole number from 1 to 100, not 101"),
        ("rows = true", "test.toml:3: rows must be a whole number from 1 to 100, not true"),
        ('rows = "3"', 'test.toml:3: rows must be a whole number from 1 to 100, not "3"'),
        ("rows = 1.5", "test.toml:3: rows must be a whole number from 1 to 100, not 1.5"),
        ("gap_x = 3", 'test.toml:3: gap_x = 3 has no unit\n  hint: write "3mm", in quotes'),
        ("gap_x = false", 'test.toml:3: gap_x must be a length such as "3mm", not false'),
        ("gap_y = []", 'test.toml:3: gap_y must be a length such as "3mm", not a list'),
        (
            'gap_y = "3mn"',
            'test.toml:3: gap_y: unknown unit "mn" in "3mn"; known units: mm, cm, in, pt, %',
        ),
        ('gap_y = "-1mm"', "test.toml:3: gap_y must be 0 to 5080mm, not -1mm"),
        ('mark_offset = "600cm"', "test.toml:3: mark_offset must be 0 to 5080mm, not 600cm"),
        (
            'margin = { lef = "3mm" }',
            'test.toml:3: unknown side "lef" of margin\n  hint: did you mean "left"?',
        ),
        (
            "margin.top = 3",
            'test.toml:3: margin.top = 3 has no unit\n  hint: write "3mm", in quotes',
        ),
        (
            'marks = "corp"',
            'test.toml:3: marks must be "crop", "silhouette" or "none", not "corp"\n'
            '  hint: did you mean "crop"?',
        ),
        ("marks = true", 'test.toml:3: marks must be "crop", "silhouette" or "none", not true'),
        (
            'marks_on = "backs"',
            'test.toml:3: marks_on must be "fronts" or "both", not "backs"',
        ),
        (
            'duplex = "long"',
            'test.toml:3: duplex must be "long-edge", "short-edge" or "none", not "long"\n'
            '  hint: did you mean "long-edge"?',
        ),
        (
            'gap_x = "4mm"\nbleed_x = "3mm"',
            "test.toml:4: bleed_x of 3mm is wider than half of gap_x, 4mm / 2 = 2mm: "
            "neighbours would overlap\n  hint: show at most 2mm, or widen gap_x to 6mm",
        ),
        (
            'bleed_y = "3mm"\ngap_y = "5mm"',
            "test.toml:3: bleed_y of 3mm is wider than half of gap_y, 5mm / 2 = 2.5mm: "
            "neighbours would overlap\n  hint: show at most 2.5mm, or widen gap_y to 6mm",
        ),
        (
            'margin = { left = "110mm", right = "100mm" }',
            "test.toml:3: margins of 110mm and 100mm leave nothing of a paper 210mm wide",
        ),
        (
            'margin = { top = "110mm", bottom = "200mm" }',
            "test.toml:3: margins of 110mm and 200mm leave nothing of a paper 297mm high",
        ),
        (
            'mark_length = "0.5mm"',
            "test.toml:3: mark_length of 0.5mm is too short to cut by; it must be at least 1mm\n"
            '  hint: for no marks at all write marks = "none"',
        ),
        (
            "mark_weight = 0",
            "test.toml:3: a mark_weight of 0 cannot be seen\n"
            '  hint: for no marks at all write marks = "none"',
        ),
        (
            "gap_x = 3mm",
            "test.toml:3:10: not TOML: Expected newline or end of document after a statement\n"
            '  hint: write texts and lengths in quotes, as in "3mm"',
        ),
        (
            'gap_x = "3mm',
            "test.toml:3: not TOML: Unterminated string\n"
            '  hint: write texts and lengths in quotes, as in "3mm"',
        ),
    ],
)
def test_what_is_wrong_has_a_line_and_a_cure(write: Write, text: str, message: str) -> None:
    assert get_error(write(START + text)) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'title = "Test"',
            'test.toml: paper is missing\n  hint: add a line such as paper = "a4"',
        ),
        (
            'paper = "a4"',
            'test.toml: title is missing\n  hint: add a line such as title = "A4 at home"',
        ),
        (
            'title = "Test"\npaper = "a44"',
            'test.toml:2: paper: unknown size "a44"; did you mean "a4"?',
        ),
        (
            'title = "Test"\npaper = "cards"',
            'test.toml:2: paper: unknown size "cards"\n  hint: did you mean "card"?',
        ),
        (
            'title = "Test"\npaper = 4',
            'test.toml:2: paper must be a size such as "a4", not 4',
        ),
        (
            'title = ""\npaper = "a4"',
            'test.toml:1: title must be one line of text, not ""',
        ),
        (
            'title = "One\\ntwo"\npaper = "a4"',
            'test.toml:1: title must be one line of text, not "One two"',
        ),
    ],
)
def test_title_and_paper_are_required(write: Write, text: str, message: str) -> None:
    assert get_error(write(text)) == message


def test_a_key_below_a_table_belongs_to_the_table(write: Write) -> None:
    assert get_error(write('title = "Test"\n[margin]\npaper = "a4"')) == (
        'test.toml: paper is missing\n  hint: add a line such as paper = "a4"\n'
        'test.toml:2: unknown side "paper" of margin\n  hint: side names: bottom, left, right, top'
    )


def test_a_number_too_long_to_read_is_an_error(write: Write) -> None:
    message = get_error(write(START + "rows = " + "9" * 5000))
    assert message.startswith("test.toml: not TOML: Exceeds the limit")


def test_everything_wrong_is_told_at_once_in_the_order_of_the_file(write: Write) -> None:
    text = 'duplex = "long"\nbleed = "3mm"\npaper = "a44"\nrows = -1\n'
    assert get_error(write(text)) == (
        'test.toml: title is missing\n  hint: add a line such as title = "A4 at home"\n'
        'test.toml:1: duplex must be "long-edge", "short-edge" or "none", not "long"\n'
        '  hint: did you mean "long-edge"?\n'
        'test.toml:2: unknown key "bleed"\n  hint: did you mean "bleed_x" or "bleed_y"?\n'
        'test.toml:3: paper: unknown size "a44"; did you mean "a4"?\n'
        "test.toml:4: rows must be a whole number from 1 to 100, not -1"
    )


def test_a_file_that_is_no_text_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("test.toml")
    path.write_bytes(b'title = "A"\npaper = "\xff"\n')
    assert get_error(path) == (
        "test.toml:2: this is not UTF-8 text: byte 0xFF\n  hint: save the file as UTF-8"
    )
    assert get_error(Path("gone.toml")) == 'there is no file "gone.toml"'


VALUES = st.one_of(
    st.booleans(),
    st.integers(-5, 5),
    st.sampled_from(["3mm", "none", "crop", "a4", "", "-1mm", "90%", "both", "long-edge"]),
    st.just([1]),
    st.just({"left": "3mm"}),
    st.floats(),
)
NAMES = sorted({*TARGET_KEYS, "bleed", "extends", "title", "name", "file"})


def write_toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {write_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


@given(st.dictionaries(st.sampled_from(NAMES), VALUES))
def test_any_file_is_a_target_or_an_error_with_its_line(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, object]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text("".join(f"{key} = {write_toml(values[key])}\n" for key in values))
    try:
        read_target(path)
    except CardgenError as error:
        for problem in error.problems:
            assert problem.where is not None
            assert problem.where.line is not None or "is missing" in problem.message


@pytest.mark.parametrize("name", ["a3", "tabloid"])
@pytest.mark.parametrize("card", ["poker", "standard"])
def test_a_larger_sheet_holds_twice_as_many(name: str, card: str) -> None:
    target = read_target(HOME / "assets/targets" / f"{name}.toml")
    grid = fit_grid(CARD_SIZES[card], target)
    assert (grid.columns, grid.rows) == (6, 3)
    room = grid.bounds.outset(Insets(*[target.grid.bleed_x, target.grid.bleed_y] * 2))
    assert Rect(0, 0, *grid.paper).inset(target.paper.margin).contains(room)


@pytest.mark.parametrize("name", ["a4", "letter"])
@pytest.mark.parametrize("card", ["poker", "standard"])
def test_nine_cards_fit_the_sheets_that_come_with_cardgen(name: str, card: str) -> None:
    grid = fit_grid(CARD_SIZES[card], read_target(HOME / "assets/targets" / f"{name}.toml"))
    assert (grid.columns, grid.rows) == (3, 3)


A4 = replace(
    make_target("a4", "A4", PAPER_SIZES["a4"], margin=Insets.even(5 * MM)),
    source="a4.toml",
    lines={key: Where("a4.toml", line) for line, key in enumerate(("paper", "columns", "rows"), 2)},
)


@pytest.mark.parametrize(
    ("target", "card", "message"),
    [
        (
            A4,
            Size(201 * MM, 100 * MM),
            'a4.toml:2: the card is larger than the sheet of target "a4": it is 201mm wide, but '
            "the paper's 210mm less 2 x 5mm of margin leave 200mm\n"
            "  hint: choose a target with larger paper; only a card of exactly the paper's size "
            "may run over its margin",
        ),
        (
            A4.change(rows=3),
            Size(60 * MM, 290 * MM),
            'a4.toml:2: the card is larger than the sheet of target "a4": it is 290mm high, but '
            "the paper's 297mm less 2 x 5mm of margin leave 287mm\n"
            "  hint: choose a target with larger paper; only a card of exactly the paper's size "
            "may run over its margin",
        ),
        (
            A4.change(columns=4),
            Size(60 * MM, 88 * MM),
            'a4.toml:3: 4 columns do not fit target "a4": 4 x 60mm need 240mm, but the paper\'s '
            "210mm less 2 x 5mm of margin leave 200mm\n"
            "  hint: at most columns = 3 fits this card; leave columns out for as many as fit",
        ),
        (
            A4.change(rows=3, gap_y=12 * MM, margin=Insets(bottom=8 * MM)),
            Size(60 * MM, 88 * MM),
            'a4.toml:4: 3 rows do not fit target "a4": 3 x 88mm with gaps of 12mm need 288mm, but '
            "the paper's 297mm less 2 x 8mm of margin leave 281mm\n"
            "  hint: at most rows = 2 fits this card; leave rows out for as many as fit",
        ),
        (
            replace(A4, source=None),
            Size(300 * MM, 300 * MM),
            'the card is larger than the sheet of target "a4": it is 300mm wide, but '
            "the paper's 210mm less 2 x 5mm of margin leave 200mm\n"
            "  hint: choose a target with larger paper; only a card of exactly the paper's size "
            "may run over its margin\n"
            'the card is larger than the sheet of target "a4": it is 300mm high, but '
            "the paper's 297mm less 2 x 5mm of margin leave 287mm\n"
            "  hint: choose a target with larger paper; only a card of exactly the paper's size "
            "may run over its margin",
        ),
    ],
)
def test_a_card_that_does_not_fit_shows_the_sum(target: Target, card: Size, message: str) -> None:
    with pytest.raises(CardgenError) as caught:
        fit_grid(card, target)
    assert str(caught.value) == message


@given(st.integers(1, 9), st.integers(1, 9), st.floats(0, 20), st.floats(0, 20), st.floats(20, 200))
def test_a_card_that_fits_to_the_point_is_not_lost(
    columns: int, rows: int, gap: float, margin: float, side: float
) -> None:
    paper = Size(
        columns * side + (columns - 1) * gap + 2 * margin,
        rows * 1.4 * side + (rows - 1) * gap + 2 * margin,
    )
    target = make_target(
        name="t", title="t", paper=paper, margin=Insets.even(margin), gap_x=gap, gap_y=gap
    )
    grid = fit_grid(Size(side, 1.4 * side), target)
    assert (grid.columns, grid.rows) == (columns, rows)
    assert len(grid.cells) == columns * rows
