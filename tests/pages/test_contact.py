"""The contact sheet: all faces of a deck on one page, as large as they fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st
from making import plan_build
from pypdf import PdfReader

from cardgen.core.geometry import Rect, Size
from cardgen.core.library import HOME
from cardgen.core.units import CARD_SIZES, MM, PAPER_SIZES
from cardgen.pages.sheets.contact import Shown, impose_contact
from cardgen.pages.target_file import read_target

CONTACT = read_target(HOME / "assets/targets/contact.toml")
POKER = CARD_SIZES["poker"]
CARDS = """
  - {name: Axe, count: 3}
  - {name: Club, back: none}
  - {name: Spear, back: other}
  - {name: Bow, count: 2}
"""


@pytest.fixture
def weapons(project: Project) -> Project:
    size = 'size="poker" bleed="2mm"'
    project.write_template("<text>The {{ card.name }}</text>", attributes=size)
    project.write_template("<text>A back</text>", "back", size)
    project.write_template("<text>Another back</text>", "other", size)
    project.write_deck(CARDS, head="title: Weapons\ntemplate: plain\nback: back\n")
    return project


def read_lines(path: str) -> list[str]:
    (page,) = PdfReader(path).pages
    return [line.strip() for line in page.extract_text().splitlines() if line.strip()]


def test_each_design_once_then_the_backs(weapons: Project) -> None:
    """Numbers are places in the deck: the second design is its fourth card."""
    ran = weapons.run("build", "deck", "--target", "contact")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == "output/deck-contact.pdf: 7 cards on 1 page\n"
    text = "\n".join(read_lines("output/deck-contact.pdf"))
    faces = [text.index(f"The {name}") for name in ("Axe", "Club", "Spear", "Bow")]
    assert faces == sorted(faces)
    assert text.index("Another back") > text.index("A back") > faces[-1]
    assert [text.count(f"The {name}") for name in ("Axe", "Club", "Spear", "Bow")] == [1] * 4
    captions = ["1 Axe", "4 Club", "5 Spear", "6 Bow", "back of 5 cards", "back of 1 card"]
    assert " ".join(captions) in " ".join(text.split())
    assert "Weapons: 4 designs, 7 cards, 2 backs" in text


def test_sides_and_chosen_cards(weapons: Project) -> None:
    weapons.run("build", "deck", "--target", "contact", "--fronts", "--only", "[ab]*")
    text = "\n".join(read_lines("output/deck-contact-fronts-only-ab.pdf"))
    assert "Weapons: 2 designs, 5 cards\n" in text
    assert "6 Bow" in text
    assert "back" not in text
    weapons.run("build", "deck", "--target", "contact", "--backs")
    text = "\n".join(read_lines("output/deck-contact-backs.pdf"))
    assert "back of 5 cards" in text
    assert "The Axe" not in text


def test_nothing_can_be_skipped(weapons: Project) -> None:
    ran = weapons.run("build", "deck", "--target", "contact", "--skip", "2")
    assert ran.stderr == (
        'the target "contact" has no sheets that are partly used: 2 cannot be skipped\n'
        "  hint: leave --skip and --used out\n"
    )


@pytest.mark.parametrize("stack", ["odd", "even"])
def test_there_is_no_stack_to_be_turned_over(weapons: Project, stack: str) -> None:
    ran = weapons.run("build", "deck", "--target", "contact", "--sides", stack)
    assert ran.code == 1
    assert ran.stderr.endswith(
        'the target "contact" makes one page, and no stack to be turned over: '
        f"--sides {stack} means nothing\n"
        "  hint: leave it out, or ask for some of the faces with --fronts or --backs\n"
    )
    assert not Path("output").exists()


@given(
    count=st.integers(1, 400),
    width=st.floats(20, 300),
    height=st.floats(20, 300),
)
def test_all_faces_fit_and_none_covers_another(count: int, width: float, height: float) -> None:
    card = Size(width * MM, height * MM)
    page = impose_contact(card, [Shown(n, "front", "A") for n in range(count)], "D", CONTACT)
    room = Rect(0, 0, *page.size).inset(CONTACT.paper.margin)
    trims = [placement.trim for placement in page.placements]
    assert len(trims) == count
    for placement in page.placements:
        trim = placement.trim
        assert room.contains(trim)
        assert 0 < placement.scale <= 1
        assert trim.width == pytest.approx(card.width * placement.scale)
        assert trim.height == pytest.approx(card.height * placement.scale)
        assert placement.clip == trim
    captions = page.notes[1:]
    assert len(captions) == count
    assert all(note.y <= room.bottom + 0.01 for note in captions)
    # Neighbours in a row, and rows with the captions between them, keep apart.
    for before, after, note in zip(trims, trims[1:], captions, strict=False):
        if after.y == before.y:
            assert after.x > before.right
        else:
            assert after.y > note.y


@given(count=st.integers(1, 120))
def test_no_other_number_of_columns_makes_them_larger(count: int) -> None:
    """By trying: faces a hundredth larger leave room for too few."""
    page = impose_contact(POKER, [Shown(n, "front", "A") for n in range(count)], "D", CONTACT)
    scale = page.placements[0].scale
    if scale == 1:
        return
    larger = scale * 1.01
    for paper in (PAPER_SIZES["a4"], Size(*reversed(PAPER_SIZES["a4"]))):
        room = Rect(0, 0, *paper).inset(CONTACT.paper.margin)
        height = room.bottom - (page.notes[0].y + 8)
        places = 0
        for columns in range(1, count + 1):
            gap_x = min(CONTACT.grid.gap_x, 0.15 * room.width / columns)
            across = (room.width - (columns - 1) * gap_x) / columns
            if across < POKER.width * larger:
                break
            rows = 0
            while True:
                gap_y = min(CONTACT.grid.gap_y, 0.15 * height / (rows + 1))
                text = min(8.0, max(3.0, POKER.width * larger / 12)) * 1.5
                if (rows + 1) * (POKER.height * larger + text + gap_y) - gap_y > height:
                    break
                rows += 1
            places = max(places, columns * rows)
        assert places < count


def test_the_paper_lies_on_its_side_for_two_play_sheets() -> None:
    sheets = [Shown(0, "front", "A"), Shown(0, "back", "B")]
    page = impose_contact(PAPER_SIZES["a4"], sheets, "D", CONTACT)
    assert page.size.width > page.size.height


def test_small_faces_that_all_have_room_lie_as_the_page_does() -> None:
    """Nine counters, which are as large as they are in one column too: three to a row."""
    counters = [Shown(n, "front", "A") for n in range(9)]
    page = impose_contact(Size(25 * MM, 25 * MM), counters, "D", CONTACT)
    assert {placement.scale for placement in page.placements} == {1.0}
    assert len({placement.trim.x for placement in page.placements}) == 3


def test_hundreds_of_designs_are_tiny_and_the_report_says_so(project: Project) -> None:
    project.write_template("<text>{{ card.name }}</text>", attributes='size="poker"')
    project.write_deck("".join(f"  - name: Axe {number}\n" for number in range(600)))
    ran = project.run("build", "deck", "--target", "contact")
    assert (ran.code, ran.stderr) == (0, "")
    scale = int(ran.stdout.rpartition("faces at ")[2].partition("%")[0])
    assert 5 < scale < 15
    assert ran.stdout == (
        f"output/deck-contact.pdf: 600 cards on 1 page; faces at {scale}% of their size\n"
    )


def test_paper_without_room(project: Project) -> None:
    project.write_template("<text>A</text>")
    project.write_deck()
    project.write("targets/tiny.toml", 'title = "T"\nextends = "contact"\npaper = "60mm x 90mm"\n')
    ran = project.run("build", "deck", "--target", "tiny")
    assert ran.code == 1
    assert ran.stderr.splitlines()[0].endswith(
        ': a contact sheet needs 50mm x 50mm, but the paper of target "tiny" less its margins is '
        "40mm x 70mm"
    )


def test_a_list_of_decks_counts_one_page(weapons: Project) -> None:
    ran = weapons.run("list", "--target", "contact")
    (row,) = (line.split() for line in ran.stdout.splitlines() if "Weapons" in line)
    assert row == ["deck", "Weapons", "4", "7", "1"]
    assert len(plan_build(Path("decks/deck.yaml"), target="contact").pages) == 1


def test_the_frame_of_a_face_lies_above_it(weapons: Project) -> None:
    """On a screen the edge of a white card would cover a thin line that lies beneath it."""
    contents = PdfReader(weapons.build(target="contact").path).pages[0].get_contents()
    assert contents is not None
    painted = contents.get_data()
    assert painted.rindex(b" re W n") < painted.index(b"0.25 w")
