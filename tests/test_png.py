"""Pictures in place of a PDF: their sizes, their names, and what becomes of older ones."""

from __future__ import annotations

import pytest
from conftest import Project
from PIL import Image

CARDS = """
  - {name: Axe, count: 2}
  - {name: Club, back: none}
"""
EIGHTH = """
title = "An eighth of an inch"
extends = "one-up"
format = "png"
bleed_x = "0.125in"
bleed_y = "0.125in"
"""


@pytest.fixture
def axes(project: Project) -> Project:
    colours = '<colour name="red" rgb="#ff0000"/><colour name="blue" rgb="#0000ff"/>'
    size = 'size="poker" bleed="0.125in"'
    front = '<box fill="red" bleed="true" height="50%"/><text>{{ card.name }}</text>'
    project.write_template(colours + front, attributes=size)
    project.write_template(colours + '<box fill="blue" bleed="true"/>', "back", size)
    project.write_deck(CARDS, head="template: plain\nback: back\n")
    project.write("targets/eighth.toml", EIGHTH)
    return project


def list_pictures(project: Project, folder: str) -> list[str]:
    return [name.removeprefix(f"{folder}/") for name in project.list_files() if folder in name]


def test_each_face_has_a_picture_of_its_own(axes: Project) -> None:
    ran = axes.run("build", "deck", "--target", "eighth")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == "output/deck-eighth: 3 cards as 5 pictures\n"
    assert list_pictures(axes, "output/deck-eighth") == [
        "1-axe-back.png",
        "1-axe-front.png",
        "2-axe-back.png",
        "2-axe-front.png",
        "3-club-front.png",
    ]


def test_a_picture_is_as_large_as_the_service_asks(axes: Project) -> None:
    """2.75 by 3.75 inches at 300 dpi, bleed and all, and not a pixel more."""
    axes.run("build", "deck", "--target", "eighth")
    front = Image.open("output/deck-eighth/1-axe-front.png")
    assert front.size == (825, 1125)
    assert front.info["dpi"] == pytest.approx((300, 300), abs=0.01)
    assert (front.mode, front.getpixel((0, 0))) == ("RGB", (255, 0, 0))
    assert front.getpixel((824, 0)) == (255, 0, 0)
    assert front.getpixel((0, 1124)) == (255, 255, 255)
    assert Image.open("output/deck-eighth/1-axe-back.png").getpixel((824, 1124)) == (0, 0, 255)


def test_another_resolution(axes: Project) -> None:
    axes.write("targets/coarse.toml", EIGHTH + "dpi = 100\n")
    axes.run("build", "deck", "--target", "coarse", "--fronts")
    assert Image.open("output/deck-coarse-fronts/3-club-front.png").size == (275, 375)


def test_the_pictures_of_sheets(axes: Project) -> None:
    sheet = 'title = "Sheets"\nextends = "a4"\nformat = "png"\ndpi = 50\n'
    axes.write("targets/sheets.toml", sheet)
    ran = axes.run("build", "deck", "--target", "sheets")
    assert ran.stdout == "output/deck-sheets: 3 cards as 2 pictures\n"
    assert list_pictures(axes, "output/deck-sheets") == ["page-1-back.png", "page-1-front.png"]
    assert Image.open("output/deck-sheets/page-1-front.png").size == (413, 585)


def test_chosen_cards_keep_their_places(axes: Project) -> None:
    axes.run("build", "deck", "--target", "eighth", "--from", "2", "--fronts")
    folder = "output/deck-eighth-fronts"
    assert list_pictures(axes, folder) == ["2-axe-front.png", "3-club-front.png"]


def test_older_pictures_are_taken_away_and_other_files_stay(axes: Project) -> None:
    folder = "output/deck-eighth"
    axes.write(f"{folder}/notes.png", "mine")
    axes.write(f"{folder}/9-old-card-front.png", "from an earlier build")
    axes.write(f"{folder}/page-2-back.png", "from an earlier build")
    axes.run("build", "deck", "--target", "eighth", "--only", "club")
    assert list_pictures(axes, folder) == ["3-club-front.png", "notes.png"]


def test_a_file_of_the_folder_s_name_is_in_the_way(axes: Project) -> None:
    axes.write("output/deck-eighth", "a file")
    ran = axes.run("build", "deck", "--target", "eighth")
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr == (
        "output/deck-eighth is a file\n  hint: remove it, or name another place with --out\n"
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("dpi = 0", "dpi must be a whole number from 1 to 2400, not 0"),
        ('format = "jpg"', 'format must be "pdf", "png" or "tts", not "jpg"'),
    ],
)
def test_what_a_target_cannot_ask(axes: Project, line: str, problem: str) -> None:
    axes.write("targets/odd.toml", f'title = "Odd"\nextends = "one-up"\n{line}\n')
    ran = axes.run("build", "deck", "--target", "odd")
    assert ran.code == 1
    assert ran.stderr.startswith(f"targets/odd.toml:3: {problem}\n"), ran.stderr


def test_two_builds_are_equal(axes: Project) -> None:
    axes.run("build", "deck", "--target", "eighth")
    first = (axes.folder / "output/deck-eighth/1-axe-front.png").read_bytes()
    axes.run("build", "deck", "--target", "eighth")
    assert (axes.folder / "output/deck-eighth/1-axe-front.png").read_bytes() == first
