"""Importing play sheets as people type them: no word is changed, lost or put elsewhere."""

from __future__ import annotations

from time import perf_counter

import pytest
from conftest import Project
from sheet_corpus import list_pieces, recognise_pieces
from test_importing_sheets import recognise

from cardgen.importing.reading.text import read_text_blocks
from cardgen.importing.sheets.parts import recognise_sheet
from cardgen.importing.sheets.writer import format_parts


def recognise_whole(text: str) -> list[str]:
    """The title and the pieces of a sheet."""
    return recognise_pieces(read_text_blocks(text, "s.txt"))


# Letters and words


@pytest.mark.parametrize(
    "line",
    [
        "À couvert, les chefs ne tirent pas.",
        "Y compris les chefs dans le fort.",
        "É um chefe que não perde com a sorte.",
        "E poi con la spada della città.",
        "Y con la espada de los moros.",
        "W lesie jest ciemno i zimno na drodze.",
    ],
)
def test_a_word_of_one_letter_is_a_word(line: str) -> None:
    assert recognise(line) == [line]
    assert recognise(f"- {line}\n- {line}") == [f"- {line}"] * 2


def test_an_initial_that_was_torn_off_comes_back() -> None:
    assert recognise("W hat a general finds in the end.") == ["What a general finds in the end."]


@pytest.mark.parametrize(
    ("heading", "title"),
    [("SHIP {} GUNS", "# Ship {} Guns"), ("PART {} RULES", "# Part {} Rules")],
)
def test_a_letter_in_capitals_is_a_word(heading: str, title: str) -> None:
    letters = "BCDGIK"
    text = "GAME\n\n" + "".join(f"{heading.format(one)}\nFire.\n\n" for one in letters)
    named = [piece for piece in recognise_whole(text) if piece[0] == "#"]
    assert named == [title.format(one) for one in letters]


def test_headings_of_one_letter() -> None:
    text = "# Glossary\n\n## A\n\naim at it\n\n## B\n\nboard it\n"
    assert recognise_whole(text) == ["title Glossary", "# A", "aim at it", "# B", "board it"]


# Rows that look like something else


@pytest.mark.parametrize("word", ["Plate", "Figure", "Photo", "Bild", "Abbildung"])
@pytest.mark.parametrize("sign", ["", "- "])
def test_a_row_among_rows_is_no_caption(word: str, sign: str) -> None:
    rows = [f"{label}: {value}+" for label, value in (("Mail", 5), (word, 4), ("Leather", 6))]
    told = recognise("\n".join(f"{sign}{row}" for row in rows))
    assert told == [row.replace(":", " |") for row in rows]


def test_a_caption_is_left_out() -> None:
    assert recognise("Guns fire.\n\nFigure: a gun.\n\nBoats row.") == ["Guns fire.", "Boats row."]


def test_a_figure_that_a_line_leads_to_is_no_page() -> None:
    assert recognise("Take this many cards:\n\n7\n\nThen play.")[1] == "7"


def test_a_web_page_has_no_page_numbers(project: Project) -> None:
    project.write("a.html", "<h1>Game</h1><h2>Cards</h2><p>At the start</p><p>7</p><p>Play.</p>")
    assert project.run("import", "a.html", "-o", "decks/mine.md").code == 0
    assert "\n7\n" in (project.folder / "decks/mine.md").read_text("utf-8")


def test_an_escaped_pipe_is_a_sign() -> None:
    text = "GAME\n\n## Hits\n\n| Roll | Effect |\n|---|---|\n| 1\\|2 | Miss |\n| 3\\|6 | Hit |\n"
    parts = recognise_sheet(read_text_blocks(text, "s.md")).parts
    assert "| 1\\|2 | Miss |\n| 3\\|6 | Hit |" in format_parts(parts)
    assert list_pieces(format_parts(parts))[1:] == ["Roll | Effect", "1|2 | Miss", "3|6 | Hit"]


def test_a_list_of_a_forum() -> None:
    assert recognise("[list]\n[*]Draw a chit\n[*] Turn it\n[*]+1 die\n[/list]") == [
        "- Draw a chit",
        "- Turn it",
        "- +1 die",
    ]


def test_blanks_take_no_time() -> None:
    began = perf_counter()
    assert recognise("\n".join(["a" + " " * 40_000 + "b"] * 3)) == ["a | b"] * 3
    assert perf_counter() - began < 1


# Columns side by side


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "MELEE              SHOOTING\n"
            "+1 charging        +1 aimed\n"
            "-1 tired           -1 moved\n"
            "+2 flank           -2 cover\n",
            ["# Melee", "charging | +1", "tired | -1", "flank | +2", "# Shooting", "aimed | +1",
             "moved | -1", "cover | -2"],
        ),
        (
            "MOVEMENT              SHOOTING\n"
            "On foot       5\"      Pistol     8\"   1 die\n"
            "Mounted      10\"      Rifle     20\"   1 die\n"
            "                      Bow       12\"   1 die\n",
            ["# Movement", 'On foot | 5"', 'Mounted | 10"', "# Shooting", 'Pistol | 8" | 1 die',
             'Rifle | 20" | 1 die', 'Bow | 12" | 1 die'],
        ),
    ],
)  # fmt: skip
def test_columns_below_headings_of_their_own(text: str, pieces: list[str]) -> None:
    assert recognise_whole(f"GAME\n\n{text}") == ["title Game", *pieces]


def test_the_columns_of_a_table_stay_together() -> None:
    text = 'WEAPON   RANGE   DICE\nPistol   8"      1 die\nRifle    20"     1 die\nBow      6"   2'
    assert recognise(text)[1:3] == ['Pistol | 8" | 1 die', 'Rifle | 20" | 1 die']
