"""Which cards are printed, and where on the first sheet they begin."""

from __future__ import annotations

import pytest
from conftest import Project, drop_slug
from hypothesis import given
from hypothesis import strategies as st
from making import load_deck
from pypdf import PdfReader
from pypdfium2 import PdfDocument

from cardgen.build.selection import Selection, choose_copies
from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets
from cardgen.core.library import HOME
from cardgen.core.units import CARD_SIZES
from cardgen.deck.model import Copies, Deck
from cardgen.pages.impose import Placement, impose
from cardgen.pages.target_file import read_target

CARDS = """
  - {name: Axe, count: 2}
  - {name: Bow, count: 0}
  - {name: Club, count: 3}
  - {name: Dirk}
"""
A4 = read_target(HOME / "assets/targets/a4.toml")
CELLS = 9


@pytest.fixture
def deck(project: Project) -> Deck:
    project.write_template(
        "<text>{{ card.name }} {{ card.place }}</text>", attributes='size="poker"'
    )
    project.write_deck(CARDS)
    return load_deck("deck")


def show(deck: Deck, copies: Copies) -> str:
    """The cards by their initials and the numbers of their copies: A0 A1 C0."""
    return " ".join(f"{deck.cards[copy.design].name[0]}{copy.number}" for copy in copies)


@pytest.mark.parametrize(
    ("selection", "chosen"),
    [
        (Selection(), "A0 A1 C0 C1 C2 D0"),
        (Selection(start=2, end=4), "A1 C0 C1"),
        (Selection(start=5), "C2 D0"),
        (Selection(end=1), "A0"),
        (Selection(end=99), "A0 A1 C0 C1 C2 D0"),
        (Selection(one_of_each=True), "A0 C0 D0"),
        (Selection(start=2, one_of_each=True), "A1 C0 D0"),
        (Selection("*x*"), "A0 A1"),
        (Selection("C*", start=4, one_of_each=True), "C1"),
    ],
)
def test_what_is_chosen(deck: Deck, selection: Selection, chosen: str) -> None:
    assert show(deck, choose_copies(deck, selection)) == chosen


@pytest.mark.parametrize(
    ("selection", "problem"),
    [
        (
            Selection(start=7),
            'the deck "deck" has no cards from 7 on\n  hint: it has 6',
        ),
        (
            Selection(start=4, end=3),
            'the deck "deck" has no cards from 4 to 3\n'
            "  hint: it has 6; give two numbers up to that, the smaller first",
        ),
        (
            Selection("bow"),
            'no card of the deck "deck" that fits "bow" is to be printed\n'
            "  hint: raise its count, or choose among more of the deck",
        ),
        (
            Selection("axe", start=3),
            'no card of the deck "deck" that fits "axe" is to be printed\n'
            "  hint: raise its count, or choose among more of the deck",
        ),
        (
            Selection("clubb"),
            'no card of the deck "deck" fits "clubb"\n  hint: did you mean "Club"?',
        ),
    ],
)
def test_what_cannot_be_chosen(deck: Deck, selection: Selection, problem: str) -> None:
    with pytest.raises(CardgenError) as caught:
        choose_copies(deck, selection)
    assert str(caught.value) == problem


def read_words(path: str) -> list[list[str]]:
    return [drop_slug(page.extract_text()).split() for page in PdfReader(path).pages]


@pytest.mark.usefixtures("deck")
def test_the_options_of_the_command_line(project: Project) -> None:
    ran = project.run("build", "deck", "--from", "2", "--to", "5", "--one-of-each")
    assert (ran.code, ran.stdout) == (
        0,
        "output/deck-from-2-to-5-one-of-each.pdf: 2 cards on 1 page\n",
    )
    assert read_words("output/deck-from-2-to-5-one-of-each.pdf") == [["Axe", "2", "Club", "3"]]
    assert project.run("build", "deck", "--skip", "5").stdout == (
        "output/deck.pdf: 6 cards on 2 pages\n"
    )
    first, second = read_words("output/deck.pdf")
    assert (first[:2], second) == (["Axe", "1"], ["Club", "5", "Dirk", "6"])
    assert project.run("build", "deck", "--used", "1, 3-6,9").stdout == (
        "output/deck.pdf: 6 cards on 2 pages\n"
    )
    page = PdfDocument("output/deck.pdf")[0].get_textpage()
    columns = [page.get_text_bounded(x, 45, x + 178) for x in (28, 208, 388)]
    assert [words.split() for words in columns] == [["Axe", "2"], ["Axe", "1", "Club", "3"], []]


@pytest.mark.usefixtures("deck")
@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--skip", "9"], 'a sheet of the target "a4" has 9 places: 9 cannot be skipped'),
        (["--used", "2,10-12"], 'a sheet of the target "a4" has 9 places, and no place 12'),
        (
            ["--used", "5", "--target", "one-up"],
            'a sheet of the target "one-up" has 1 place: 1 cannot be skipped',
        ),
        (["--from", "9"], 'the deck "deck" has no cards from 9 on'),
    ],
)
def test_options_that_leave_nothing(project: Project, options: list[str], complaint: str) -> None:
    ran = project.run("build", "deck", *options)
    assert (ran.code, ran.stdout, ran.stderr.splitlines()[0]) == (1, "", complaint)
    assert "output/deck.pdf" not in project.list_files()


@pytest.mark.usefixtures("deck")
@pytest.mark.parametrize("option", ["--from", "--to"])
def test_numbers_begin_at_one(project: Project, option: str) -> None:
    ran = project.run("build", "deck", option, "0")
    assert ran.code == 2
    assert "'0' is no whole number from 1 on" in ran.stderr


@pytest.mark.usefixtures("deck")
@pytest.mark.parametrize("places", ["", "0", "3-2", "x", "2,", "1-", "²", "1-99999"])
def test_what_is_no_place_is_told(project: Project, places: str) -> None:
    ran = project.run("build", "deck", "--used", places)
    assert (ran.code, ran.stdout) == (2, "")
    assert "no place; write them as 2,5-7" in ran.stderr or "count from 1 upwards" in ran.stderr


@given(
    st.integers(1, 40),
    st.sets(st.integers(0, CELLS - 1), max_size=CELLS - 1),
    st.data(),
)
def test_used_places_stay_empty_and_the_others_move_on(
    count: int, used: set[int], data: st.DataObject
) -> None:
    """The cards lie as they would among others that are then taken away."""
    card = CARD_SIZES["poker"]
    backs = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    pages = list(impose(count, card, Insets.even(8.5), A4, backs=backs, used=used))
    left = list(range(count))
    among = [None if place in used else left.pop(0) for place in range(CELLS) if left]
    among += left
    with_others = [copy is not None and backs[copy] for copy in among]
    whole = impose(len(among), card, Insets.even(8.5), A4, backs=with_others)
    expected = [
        [
            locate(place, copy)
            for place in page.placements
            if (copy := among[place.index]) is not None
        ]
        for page in whole
    ]
    assert [[locate(place, place.index) for place in page.placements] for page in pages] == expected


def locate(place: Placement, copy: int) -> tuple[int, str, float, float, bool]:
    return copy, place.side, place.trim.x, place.trim.y, place.turned


def test_a_card_at_the_edge_of_a_gap_bleeds_into_it() -> None:
    """Nobody's card lies there any more."""
    page = next(impose(2, CARD_SIZES["poker"], Insets.even(8.5), A4, used=[0], sides="fronts"))
    first = page.placements[0]
    assert first.clip.x < first.trim.x - 8
