"""Which kind of sheets a target asks for, and what all kinds promise."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Size
from cardgen.core.library import HOME
from cardgen.core.units import MM, parse_size
from cardgen.pages.impose import Sides
from cardgen.pages.sheets.choice import check_choice, choose_sheets
from cardgen.pages.sheets.contact import ContactSheet
from cardgen.pages.sheets.grid import GridSheets
from cardgen.pages.sheets.gutterfold import GutterfoldSheets
from cardgen.pages.sheets.protocol import Batch, SheetCopy
from cardgen.pages.sheets.tabletop import TabletopSheets
from cardgen.pages.target import Target
from cardgen.pages.target_file import read_target

POKER = parse_size("poker")
BLEED = Insets.even(3 * MM)
SHIPPED = sorted(path.stem for path in (HOME / "assets/targets").glob("*.toml"))


def load(name: str) -> Target:
    return read_target(HOME / "assets/targets" / f"{name}.toml")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a4", GridSheets),
        ("press", GridSheets),
        ("silhouette-a4", GridSheets),
        ("gutterfold-a4", GutterfoldSheets),
        ("contact", ContactSheet),
        ("tts", TabletopSheets),
    ],
)
def test_a_target_has_its_kind_of_sheets(name: str, kind: type) -> None:
    assert type(choose_sheets(load(name), POKER, [True])) is kind


@pytest.mark.parametrize(
    ("card", "has_back"), [(POKER, [False]), (POKER, []), (parse_size("a4"), [True])]
)
def test_a_gutterfold_with_nothing_to_fold_is_a_grid(card: Size, has_back: list[bool]) -> None:
    sheets = choose_sheets(load("gutterfold-a4"), card, has_back)
    assert type(sheets) is GridSheets
    assert sheets.target.grid.imposition == "grid"


COPIES = st.lists(
    st.builds(
        SheetCopy,
        st.integers(0, 5),
        st.integers(0, 5),
        st.sampled_from([None, "red", "blue"]),
        st.just("1  Sword"),
    ),
    min_size=1,
    max_size=30,
)


@given(st.sampled_from(SHIPPED), COPIES)
def test_no_face_is_lost(name: str, copies: list[SheetCopy]) -> None:
    sheets = choose_sheets(load(name), POKER, [copy.back for copy in copies])
    batch = Batch(copies, BLEED, BLEED, "Deck")
    pages = list(sheets.lay(batch))
    shown = {(place.index, place.side) for page in pages for place in page.placements}
    if sheets.compares_faces:
        assert {copies[n].back for n, side in shown if side == "back"} == {
            copy.back for copy in copies if copy.back is not None
        }
    else:
        wanted = {(n, "front") for n in range(len(copies))}
        if "back" in sheets.list_sides():
            # A page that is a card has its place, also where there is no back to show.
            in_step = sheets.target.paper.size is None and sheets.target.keeps_step
            in_step = in_step and any(copy.back for copy in copies)
            wanted |= {(n, "back") for n, copy in enumerate(copies) if copy.back or in_step}
        assert shown == wanted


def test_each_copy_has_its_place_on_a_table() -> None:
    sword, shield = SheetCopy(0, 0, "red"), SheetCopy(1, 1, "red")
    batch = Batch([sword, shield, sword, shield._replace(back="blue")])
    layout = choose_sheets(load("tts"), POKER, [True]).find_table(batch)
    assert layout is not None
    assert layout.places == ((0, 0), (0, 1), (0, 0), (0, 2))
    assert [len(sheet.fronts) for sheet in layout.sheets] == [3]
    assert choose_sheets(load("a4"), POKER, [True]).find_table(batch) is None


@pytest.mark.parametrize(
    ("name", "sides", "listed", "turn"),
    [
        ("a4", "both", ("front", "back"), "long-edge"),
        ("a4", "fronts", ("front",), "none"),
        ("a4", "backs", ("back",), "none"),
        ("a4", "odd", ("front",), "none"),
        ("a4", "even", ("back",), "none"),
        ("gutterfold-a4", "both", ("front", "back"), "none"),
        ("contact", "backs", ("back",), "none"),
        ("tts", "both", ("front", "back"), "long-edge"),
    ],
)
def test_the_sides_that_are_printed(
    name: str, sides: Sides, listed: tuple[str, ...], turn: str
) -> None:
    sheets = choose_sheets(load(name), POKER, [True], sides)
    mixed = Batch([SheetCopy(0, 0, None), SheetCopy(1, 1, "red")])
    assert (sheets.list_sides(), sheets.choose_turn(mixed)) == (listed, turn)
    assert sheets.choose_turn(Batch([SheetCopy(0, 0, None)])) == "none"
    alone = choose_sheets(load("a4").change(duplex="none"), POKER, [True])
    assert alone.list_sides() == ("front",)


@pytest.mark.parametrize("name", ["contact", "tts"])
def test_what_has_no_sheets_to_be_used_up_skips_nothing(name: str) -> None:
    with pytest.raises(CardgenError) as caught:
        check_choice(load(name), "both", frozenset({1}))
    assert caught.value.problems[0].code == "print/skip-too-many"
    check_choice(load("a4"), "both", frozenset({1}))


@pytest.mark.parametrize(
    ("name", "sides", "code"),
    [
        ("gutterfold-a4", "fronts", "print/sides-mean-nothing"),
        ("png", "odd", "print/sides-mean-nothing"),
        ("a4", "even", "print/backs-not-mirrored"),
    ],
)
def test_sides_that_mean_nothing(name: str, sides: Sides, code: str) -> None:
    target = load(name)
    if name == "a4":
        target = target.change(duplex="none")
    with pytest.raises(CardgenError) as caught:
        choose_sheets(target, POKER, [True], sides)
    assert caught.value.problems[0].code == code
    with pytest.raises(CardgenError):
        check_choice(load("tts"), sides)


def test_a_sheet_lies_as_its_paper_does() -> None:
    assert choose_sheets(load("a3"), POKER, [True]).is_lying
    assert not choose_sheets(load("a4"), POKER, [True]).is_lying
    sheet = parse_size("a4 landscape")
    assert choose_sheets(load("a4"), sheet, [True]).is_lying
    assert replace(choose_sheets(load("a4"), POKER, [True]), card=sheet).is_lying
