"""The studio's server: what it tells of a deck, what it draws, and what it tells of a change."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from conftest import Project
from PIL import Image
from serving import Studio, serve

CARDS = "  - name: Sword\n    note: sharp\n  - name: Shield\n    note: round\n"
BODY = '<text x="2mm" y="2mm" width="46mm" height="10mm">{{ card.name }}</text>'


@pytest.fixture
def written(project: Project) -> Project:
    project.write_template(BODY)
    project.write_deck(CARDS)
    return project


@pytest.fixture
def studio(written: Project) -> Iterator[Studio]:
    with serve(written.folder) as running:
        yield running


def test_a_deck_is_told_with_its_cards(studio: Studio) -> None:
    deck = studio.read_deck()
    assert (deck["state"], deck["designs"], deck["problems"]) == ("ok", 2, [])
    sword, shield = deck["cards"]
    assert (sword["id"], sword["name"], sword["fields"]) == ("sword", "Sword", {"note": "sharp"})
    assert shield["place"] == {"file": "decks/deck.yaml", "line": 5, "column": 5}
    front = sword["faces"]["front"]
    assert (front["width"], front["height"], sword["faces"]["back"]) == (50.0, 40.0, None)
    assert front["v"] != shield["faces"]["front"]["v"]


def test_a_face_is_a_picture_of_its_size(studio: Studio) -> None:
    front = studio.read_deck()["cards"][0]["faces"]["front"]
    picture = Image.open(io.BytesIO(studio.draw(front, dpi=254)))
    assert picture.size == (500, 400)
    assert picture.getextrema() != ((255, 255),) * 3


def test_what_is_saved_is_told(studio: Studio, written: Project) -> None:
    before = studio.draw(studio.read_deck()["cards"][1]["faces"]["front"])
    with studio.listen() as events:
        written.write_deck(CARDS.replace("Shield", "Buckler"))
        changed = events.wait("changed")
    (card,) = changed["cards"]
    assert (card["id"], changed["gone"], changed["order"]) == (
        "buckler",
        ["shield"],
        ["sword", "buckler"],
    )
    assert studio.draw(card["faces"]["front"]) != before
