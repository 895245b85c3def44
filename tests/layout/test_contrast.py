"""Texts that are hardly to be told from their grounds are told of, each element once, with its
place, its colours and its cards; what stands on a picture, or has an edge or a shadow, is not.
"""

from __future__ import annotations

import io

import pytest
from conftest import Project
from making import build
from PIL import Image

from cardgen.core.errors import Problem

HEAD = 'size="50mm x 40mm" bleed="3mm"'
NIGHT = '<colour name="night" cmyk="100 85 35 55"/><style name="loud" colour="night"/>'
GROUND = '<box bleed="true" fill="night"/>'
ON = 'x="5mm" y="5mm" right="5mm"'
CARDS = (
    "  - {name: Sword, count: 2, tone: black, text: Once}\n"
    "  - {name: Bow, tone: white, text: 'Once [more]{loud}'}\n"
)
# Each is the second line of a template, whose words and contrasts are told, and of which cards.
PALE = {
    f"{GROUND}<text {ON}>x 1</text>": ("x 1", 1.18, "Bow, Sword"),
    f'<text {ON} colour="#e0e0e0">{{{{ card.text }}}}</text>': ("Once", 1.32, "Bow, Sword"),
    f'{GROUND}<text {ON} colour="{{{{ card.tone }}}}">+1</text>': ("+1", 1.18, "Sword"),
    f'{GROUND}<text {ON} colour="white">{{{{ card.text }}}}</text>': ("more", 1.0, "Bow"),
    # What covers it all, or is there on one card alone; a box in a column, turned upside down.
    f'<box bleed="true" fill="white"/>{GROUND}<text {ON}>new</text>': ("new", 1.18, "Bow, Sword"),
    f'<box if="card.tone == \'white\'" fill="night"/><text {ON}>if</text>': ("if", 1.18, "Bow"),
    f'<column {ON} turn="180"><box fill="night" padding="3mm" radius="2mm"><text>in</text></box>'
    "</column>": ("in", 1.18, "Bow, Sword"),
    f'<circle {ON} height="30mm" fill="night"><text y="12mm" align="centre">o</text></circle>': (
        *("o", 1.18),
        "Bow, Sword",
    ),
    # A bar through the words is no ground of theirs.
    f'{GROUND}<text {ON} strike="true">gone</text>': ("gone", 1.18, "Bow, Sword"),
}
CLEAR = (
    f'{GROUND}<text {ON} colour="white">x</text>',
    f'{GROUND}<text {ON} colour="night" outline="white 1pt">x</text>',
    f'{GROUND}<text {ON} glow="1mm white">x</text>',
    f'{GROUND}<text {ON} glow="1mm white hard">x</text>',
    f'{GROUND}<text {ON} colour="white" shadow="0.5mm 0.5mm 0mm black">x</text>',
    f'{GROUND}<text {ON} colour="white" shadow="0.5mm 0.5mm 1mm black">x</text>',
    f'{GROUND}<image file="dark.png" inset="1mm"/><text {ON}>x</text>',
    f'{GROUND}<box inset="1mm" fill="white"/><text {ON}>x</text>',
    f'{GROUND}<box inset="1mm" fill="white" opacity="0.8"/><text {ON}>x</text>',
    f'{GROUND}<star points="5" fill="white"/><text {ON}>x</text>',
    # Signs are ornaments.
    f'<text {ON} colour="#e0e0e0">★ –</text>',
)


def list_notes(project: Project, body: str) -> list[Problem]:
    picture = io.BytesIO()
    Image.new("RGB", (40, 30), "#101030").save(picture, "PNG")
    project.write("pictures/dark.png", picture.getvalue())
    project.write_template(f"{NIGHT}{body}", attributes=HEAD)
    path = project.write_deck(CARDS)
    notes = build(path, target="png").notes
    return [note for note in notes if note.code == "build/pale-text"]


@pytest.mark.parametrize("body", PALE)
def test_a_text_in_the_colour_of_its_ground_is_told_of(project: Project, body: str) -> None:
    words, contrast, cards = PALE[body]
    (note,) = list_notes(project, body)
    found = note.details["cards"]
    assert isinstance(found, tuple)
    assert (note.details["text"], note.details["contrast"]) == (words, contrast)
    assert ", ".join(found) == cards
    assert note.where is not None and note.where.column is not None and note.hint is not None
    assert project.shorten(note.where.trace()).startswith("templates/plain.xml:2:")
    assert project.shorten(note.where.trace()) in project.shorten(note.hint)
    assert body[note.where.column - len(NIGHT) - 1 :].startswith("<text")


@pytest.mark.parametrize("body", CLEAR)
def test_what_can_be_read_is_not_told_of(project: Project, body: str) -> None:
    assert list_notes(project, body) == []


def test_each_element_is_told_of_once(project: Project) -> None:
    """With the two colours as a template writes them, by the command line too."""
    body = f'{GROUND}<text {ON}>one</text><text y="15mm" colour="#222">two</text>'
    assert [note.details["text"] for note in list_notes(project, body)] == ["one", "two"]
    ran = project.run("check", "deck")
    assert ran.code == 0
    assert "cmyk(0 0 0 100) on cmyk(100 85 35 55)" in ran.stdout + ran.stderr
    assert "#222222 on cmyk(100 85 35 55)" in ran.stdout + ran.stderr
