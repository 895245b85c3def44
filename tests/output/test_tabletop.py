"""A deck for Tabletop Simulator: its pictures, and the object that says which card is where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cardgen.core.geometry import Size
from cardgen.core.library import HOME
from cardgen.core.units import MM
from cardgen.pages.sheets.protocol import TableFace
from cardgen.pages.sheets.tabletop import arrange_sheets, impose_sheets
from cardgen.pages.target_file import read_target

TTS = read_target(HOME / "assets/targets/tts.toml")
COLOURS = {"plain": "#ff0000", "back": "#0000ff", "other": "#00ff00"}
RED, BLUE, GREEN, WHITE = (255, 0, 0), (0, 0, 255), (0, 255, 0), (255, 255, 255)


def write_templates(project: Project, size: str = "poker") -> None:
    for name, rgb in COLOURS.items():
        body = f'<colour name="all" rgb="{rgb}"/><box fill="all" bleed="true"/>'
        project.write_template(body, name, f'size="{size}" bleed="2mm"')


def build(project: Project, cards: str, head: str = "") -> dict[str, Any]:
    project.write_deck(cards, head=f"title: Arms\ntemplate: plain\nback: back\n{head}")
    ran = project.run("build", "deck", "--target", "tts")
    assert (ran.code, ran.stderr) == (0, "")
    saved = json.loads(Path("output/deck-tts/deck.json").read_text("utf-8"))
    (found,) = saved["ObjectStates"]
    assert isinstance(found, dict)
    return found


def open_picture(address: str) -> Image.Image:
    """A picture by the address that the object gives."""
    assert address.startswith("file:///")
    return Image.open(address.removeprefix("file://")).convert("RGB")


def test_a_deck_names_its_cards_and_their_pictures(project: Project) -> None:
    write_templates(project)
    deck = build(
        project,
        "  - {name: Axe, count: 3, text: 'Has **+1 Attack**, :axe: *once*.'}\n  - name: Bow\n",
    )
    assert deck["Name"] == "DeckCustom"
    assert deck["Nickname"] == "Arms"
    # A design has one picture, however many copies there are.
    assert deck["DeckIDs"] == [100, 100, 100, 101]
    cards = deck["ContainedObjects"]
    assert [card["CardID"] for card in cards] == deck["DeckIDs"]
    assert [card["Nickname"] for card in cards] == ["Axe", "Axe", "Axe", "Bow"]
    assert cards[0]["Description"] == "Has +1 Attack, (axe) once."
    assert cards[3]["Description"] == ""
    assert {card["Name"] for card in cards} == {"Card"}
    assert len({card["GUID"] for card in cards}) == 4
    (sheet,) = deck["CustomDeck"].values()
    assert (sheet["NumWidth"], sheet["NumHeight"]) == (2, 1)
    assert (sheet["UniqueBack"], sheet["BackIsHidden"]) == (False, True)
    assert all(card["CustomDeck"] == deck["CustomDeck"] for card in cards)
    faces, back = open_picture(sheet["FaceURL"]), open_picture(sheet["BackURL"])
    assert (faces.size, back.size) == ((750, 525), (375, 525))
    assert faces.getcolors() == [(750 * 525, RED)]
    assert back.getcolors() == [(375 * 525, BLUE)]


def test_backs_that_differ_are_a_sheet_of_their_own(project: Project) -> None:
    """And where a card has none it is white."""
    write_templates(project)
    cards = "  - name: Axe\n  - {name: Bow, back: other}\n  - {name: Club, back: none}\n"
    (sheet,) = build(project, cards)["CustomDeck"].values()
    assert (sheet["UniqueBack"], sheet["BackIsHidden"]) == (True, True)
    assert sheet["BackURL"].endswith("/output/deck-tts/deck-backs-1.png")
    backs = open_picture(sheet["BackURL"])
    assert backs.size == open_picture(sheet["FaceURL"]).size == (1125, 525)
    # Each fills its own pixels to the last.
    for place, colour in enumerate((BLUE, GREEN, WHITE)):
        cell = backs.crop((375 * place, 0, 375 * place + 375, 525))
        assert cell.getcolors() == [(375 * 525, colour)]


def test_a_large_deck_has_many_sheets(project: Project) -> None:
    write_templates(project)
    deck = build(project, "".join(f"  - name: Axe {number}\n" for number in range(75)))
    assert deck["DeckIDs"] == [*range(100, 170), *range(200, 205)]
    first, second = deck["CustomDeck"]["1"], deck["CustomDeck"]["2"]
    assert (first["NumWidth"], first["NumHeight"]) == (10, 7)
    assert (second["NumWidth"], second["NumHeight"]) == (5, 1)
    assert open_picture(first["FaceURL"]).size == (3750, 3675)
    assert deck["ContainedObjects"][74]["CustomDeck"] == {"2": second}


def test_copies_that_look_different_have_faces_of_their_own(project: Project) -> None:
    write_templates(project)
    project.write_template("<text>{{ card.place }}</text>", attributes='size="poker"')
    deck = build(project, "  - {name: Axe, count: 3}\n")
    assert deck["DeckIDs"] == [100, 101, 102]


def test_one_card_is_no_deck(project: Project) -> None:
    write_templates(project, "jumbo")
    card = build(project, "  - name: Axe\n")
    assert (card["Name"], card["Nickname"], card["CardID"]) == ("CardCustom", "Axe", 100)
    # As much larger than the game's cards as it is on paper.
    assert card["Transform"]["scaleX"] == card["Transform"]["scaleZ"] == 1.571
    assert "DeckIDs" not in card


def test_a_card_that_lies(project: Project) -> None:
    write_templates(project, "poker landscape")
    deck = build(project, "  - {name: Axe, count: 2}\n")
    assert deck["SidewaysCard"] is True
    assert {card["SidewaysCard"] for card in deck["ContainedObjects"]} == {True}


@given(
    count=st.integers(1, 200),
    width=st.floats(20, 300),
    height=st.floats(20, 300),
    dpi=st.integers(50, 300),
)
def test_no_picture_is_larger_than_the_game_loads(
    count: int, width: float, height: float, dpi: int
) -> None:

    card, target = Size(width * MM, height * MM), TTS.change(dpi=dpi)
    sheets = arrange_sheets(card, [TableFace(n, "same") for n in range(count)], target)
    assert sum(len(sheet.fronts) for sheet in sheets) == count
    for page in impose_sheets(card, sheets, target):
        pixels = [side * dpi / 72 for side in page.size]
        assert all(abs(side - round(side)) < 0.001 and side <= 4096.001 for side in pixels)
    for sheet in sheets:
        assert sheet.columns <= 10
        assert sheet.rows <= 7
        assert sheet.columns * (sheet.rows - 1) < len(sheet.fronts) <= sheet.columns * sheet.rows


def test_a_card_that_is_too_fine(project: Project) -> None:
    write_templates(project, "a4")
    project.write_deck(head="template: plain\nback: back\n")
    ran = project.run("build", "deck", "--target", "tts", "--dpi", "400")
    assert ran.code == 1
    assert project.shorten(ran.stderr).partition(": ")[2] == (
        "at 400 dpi a card has 3307 x 4677 pixels; Tabletop Simulator loads pictures of at most "
        "4096 x 4096\n  hint: 350 dpi is the finest that fits this card\n"
    )
    assert project.run("build", "deck", "--target", "tts", "--dpi", "350").code == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "zip = true",
            "targets/mine.toml:3: a deck for Tabletop Simulator names its pictures by where they "
            "lie, not in a .zip\n  hint: leave zip out\n",
        ),
        (
            'paper = "a4"',
            'targets/mine.toml:3: format = "tts" makes a sheet of its own: it takes cards, not '
            'sheets\n  hint: write paper = "card"\n',
        ),
    ],
)
def test_what_does_not_go_together(project: Project, line: str, message: str) -> None:
    write_templates(project)
    project.write_deck()
    project.write("targets/mine.toml", f'title = "M"\nextends = "tts"\n{line}\n')
    ran = project.run("build", "deck", "--target", "mine")
    assert (ran.code, ran.stderr) == (1, message)


@pytest.mark.parametrize("option", ["--backs", "--sides odd"])
def test_cards_have_both_sides(project: Project, option: str) -> None:
    write_templates(project)
    project.write_deck(head="template: plain\nback: back\n")
    ran = project.run("build", "deck", "--target", "tts", *option.split())
    assert ran.stderr == (
        f'the target "tts" makes cards that have both sides\n  hint: leave {option} out\n'
    )


def test_two_builds_are_equal(project: Project) -> None:
    write_templates(project)
    build(project, "  - {name: Axe, count: 3}\n  - name: Bow\n")
    folder = Path("output/deck-tts")
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    build(project, "  - {name: Axe, count: 3}\n  - name: Bow\n")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == first
    assert sorted(first) == ["deck-back-1.png", "deck-faces-1.png", "deck.json"]
