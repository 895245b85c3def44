"""What the studio's server answers of a deck that stays as it is: one server answers all."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import chdir
from zipfile import ZipFile

import pytest
from conftest import Project
from PIL import Image
from pypdf import PdfReader
from serving import Studio, serve

CARDS = "  - name: Sword\n    note: sharp\n    count: 3\n  - name: Shield\n    note: round\n"
BODY = '<text x="2mm" y="2mm" width="46mm" height="10mm">{{ card.name }}</text>'
BACK = '<box fill="red"/>'


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    project = Project(tmp_path_factory.mktemp("answers").resolve())
    project.write_template(BODY)
    project.write_template(BACK, "back")
    project.write_deck(CARDS, head="template: plain\nback: back\n")
    with chdir(project.folder):
        yield project


@pytest.fixture(scope="module")
def studio(written: Project) -> Iterator[Studio]:
    with serve(written.folder) as running:
        yield running


def open_picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def find_darkest(picture: Image.Image) -> int:
    return min(picture.convert("L").tobytes())


def test_a_deck_is_told_and_drawn(studio: Studio) -> None:
    deck = studio.read_deck()
    assert (deck["state"], deck["designs"], deck["copies"], deck["problems"]) == ("ok", 2, 4, [])
    sword, shield = deck["cards"]
    assert (sword["id"], sword["name"], sword["count"]) == ("sword", "Sword", 3)
    assert sword["fields"] == {"note": "sharp"}
    assert shield["place"] == {"file": "decks/deck.yaml", "line": 7, "column": 5}
    front, back = sword["faces"]["front"], sword["faces"]["back"]
    assert (front["width"], front["height"]) == (50.0, 40.0)
    assert front["v"] != shield["faces"]["front"]["v"]
    assert back["v"] == shield["faces"]["back"]["v"]
    assert [card["problems"] for card in deck["cards"]] == [[], []]
    picture = open_picture(studio.draw(front, dpi=254))
    assert picture.size == (500, 400)
    assert find_darkest(picture.crop((20, 20, 480, 120))) < 50
    assert find_darkest(picture.crop((0, 200, 500, 400))) == 255
    assert open_picture(studio.draw(back)).getpixel((30, 30)) == (255, 0, 0)
    assert studio.read_deck(target="letter")["view"]["target"] == "letter"


def test_where_elements_lie(studio: Studio) -> None:
    told = studio.get("api/boxes/deck/sword/front").json()
    (box,) = told["boxes"]
    assert (box["element"], box["text"], box["fields"]) == ("text", "Sword", ["name"])
    assert [box[side] for side in ("x", "y", "width", "height")] == [2.0, 2.0, 46.0, 10.0]
    assert box["place"] == {"file": "templates/plain.xml", "line": 2, "column": 1}
    assert told["v"] == studio.read_deck()["cards"][0]["faces"]["front"]["v"]
    assert studio.get("api/boxes/deck/axe/front").status_code == 404


def test_sheets_are_laid_as_they_are_printed(studio: Studio) -> None:
    told = studio.get("api/sheets/deck", sides="fronts").json()
    (page,) = told["pages"]
    assert (page["width"], page["height"], page["side"]) == (210.0, 297.0, "front")
    assert [card["id"] for card in page["cards"]] == ["sword"] * 3 + ["shield"]
    picture = open_picture(studio.client.get(f"{page['url']}&dpi=50").content)
    assert picture.size == (413, 585)
    assert find_darkest(picture) < 50
    both = studio.get("api/sheets/deck").json()["pages"]
    assert [page["side"] for page in both] == ["front", "back"]
    red = open_picture(studio.client.get(f"{both[1]['url']}&dpi=50").content)
    assert (255, 0, 0) in {color for _, color in red.getcolors(1 << 20) or ()}


def test_a_build_is_downloaded(studio: Studio) -> None:
    asked = {"deck": "deck", "options": {"sides": "fronts"}}
    answer = studio.post("api/build", asked)
    assert answer.headers["content-type"] == "application/pdf"
    assert 'filename="deck-fronts.pdf"' in answer.headers["content-disposition"]
    assert "Shield" in PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()
    report = studio.post("api/preflight", asked).json()
    assert report["passed"]
    odd = studio.post("api/build", {"deck": "deck", "options": {"sides": "odd"}})
    assert len(PdfReader(io.BytesIO(odd.content)).pages) == 1
    one = {
        "deck": "deck",
        "view": {"target": "png"},
        "options": {"only": "shield", "sides": "fronts"},
    }
    packed = studio.post("api/build", one)
    assert packed.headers["content-type"] == "application/zip"
    assert len([n for n in ZipFile(io.BytesIO(packed.content)).namelist() if ".png" in n]) == 1
    refused = studio.post("api/build", {"deck": "deck", "view": {"target": "nonsense"}})
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["code"] == "name/unknown"


def test_a_pdf_is_imported(studio: Studio) -> None:
    """Read with limits, by a process that may start no other."""
    built = studio.post("api/build", {"deck": "deck", "options": {"sides": "fronts"}})
    answer = studio.client.post("api/import?name=deck.pdf", content=built.content)
    assert answer.status_code == 200, answer.text
    assert "Sword" in {word for line in answer.json()["source"] for word in line["text"].split()}


def test_cards_are_dealt(studio: Studio) -> None:
    told = studio.read_deck()["deal"]
    assert told == {
        "hand": 4,
        "players": 2,
        "points": None,
        "aside": [],
        "most": {"hand": 100, "players": 12},
    }
    dealt = studio.post("api/deal", {"deck": "deck", "seed": 7}).json()
    assert sorted(dealt["cards"]) == ["shield", *["sword"] * 3]
    assert studio.post("api/deal", {"deck": "deck", "seed": 7}).json() == dealt
    hands = {tuple(studio.post("api/deal", {"deck": "deck"}).json()["cards"]) for _ in range(30)}
    assert len(hands) == 4


def test_a_card_is_tried_and_nothing_stays(studio: Studio, written: Project) -> None:
    before = studio.read_deck()
    told = studio.post("api/try", {"deck": "deck", "card": "sword", "values": {"name": "Axe"}})
    front = told.json()["faces"]["front"]
    assert front["v"] not in {card["faces"]["front"]["v"] for card in before["cards"]}
    assert studio.draw(front, dpi=150) != studio.draw(before["cards"][0]["faces"]["front"], dpi=150)
    assert studio.read_deck() | {"left": 0} == before | {"left": 0}
    assert "Axe" not in (written.folder / "decks/deck.yaml").read_text()
    too_long = studio.post(
        "api/try", {"deck": "deck", "card": "sword", "values": {"name": "W" * 200}}
    ).json()
    assert [problem["code"] for problem in too_long["problems"]] == ["text/word-too-wide"]
