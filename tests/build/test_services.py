"""The pictures that services ask for, to the pixel, for each card that they print."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from conftest import Project
from PIL import Image

from cardgen.core.errors import CardgenError
from cardgen.project.project import open_project

# As the services' own pages have them.
GAMECRAFTER = {
    "poker": ("PokerDeck", (825, 1125)),
    "standard": ("EuroPokerDeck", (825, 1125)),
    "bridge": ("BridgeDeck", (750, 1125)),
    "us": ("USGameDeck", (750, 1125)),
    "tarot-us": ("TarotDeck", (900, 1500)),
    "jumbo": ("JumboDeck", (1125, 1725)),
    "square-us": ("SquareDeck", (1125, 1125)),
    "square": ("EuroSquareDeck", (900, 900)),
    "mini": ("MiniDeck", (600, 825)),
    "mini landscape": ("MiniDeck", (825, 600)),
    "1.25in x 1.75in": ("MicroDeck", (450, 600)),
}
# 36 pixels beyond each edge of the card.
MAKEPLAYINGCARDS = {
    "standard": ("Game cards (63 x 88mm)", (816, 1110)),
    "poker": ("Poker size", (822, 1122)),
    "bridge": ("Bridge size", (747, 1122)),
    "tarot-us": ("Tarot size", (897, 1497)),
    "mini": ("Mini size", (597, 822)),
}
NO_PRODUCT = {
    "tarot": ("TarotDeck", "tarot-us"),
    "mini-euro": ("MiniDeck", "mini"),
    "mini-us": ("MiniDeck", "mini"),
    "japanese": ("USGameDeck", "us"),
}


def write_deck(project: Project, size: str, cards: str, bleed: str = "5mm") -> None:
    """A red front and a blue back, painted to the edge of the bleed."""
    for name, rgb in (("plain", "#ff0000"), ("back", "#0000ff"), ("other", "#00ff00")):
        body = f'<colour name="all" rgb="{rgb}"/><box fill="all" bleed="true"/>'
        project.write_template(body, name, f'size="{size}" bleed="{bleed}"')
    project.write_deck(cards, head="template: plain\nback: back\n")


@pytest.mark.parametrize(
    ("target", "card", "product", "pixels"),
    [
        *(("gamecrafter", card, *product) for card, product in GAMECRAFTER.items()),
        *(("makeplayingcards", card, *product) for card, product in MAKEPLAYINGCARDS.items()),
        ("printerstudio", "poker", *MAKEPLAYINGCARDS["poker"]),
    ],
)
def test_a_picture_has_the_pixels_that_the_service_asks_for(
    project: Project, target: str, card: str, product: str, pixels: tuple[int, int]
) -> None:
    write_deck(project, card, "  - {name: Axe, count: 2}\n")
    ran = project.run("build", "deck", "--target", target)
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == (f"output/deck-{target}.zip: 2 cards as 2 pictures for {product}\n")
    with ZipFile(f"output/deck-{target}.zip") as packed:
        *names, order = packed.namelist()
        assert names == ["back-1-axe.png", "front-1-axe.png"]
        assert order == ("order.json" if target == "gamecrafter" else "order.xml")
        for name in names:
            picture = Image.open(packed.open(name))
            assert picture.size == pixels
            assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.01)
            # To the very edge there is bleed, and no paper.
            colour = (255, 0, 0) if name.startswith("front") else (0, 0, 255)
            width, height = (side - 1 for side in pixels)
            corners = [(0, 0), (width, 0), (0, height), (width, height)]
            assert {picture.getpixel(corner) for corner in corners} == {colour}


@pytest.mark.parametrize("card", NO_PRODUCT)
def test_a_size_that_the_service_does_not_print_is_refused(project: Project, card: str) -> None:
    nearest, size = NO_PRODUCT[card]
    write_deck(project, card, "  - name: Axe\n")
    ran = project.run("build", "deck", "--target", "gamecrafter")
    assert ran.code == 1
    assert 'the service of target "gamecrafter" has no cards of ' in ran.stderr
    assert f"the nearest is its {nearest} (" in ran.stderr
    assert f"hint: write size: {size} in the deck" in ran.stderr


def test_a_sheet_is_not_told_to_become_a_card(project: Project) -> None:
    write_deck(project, "a5", "  - name: Axe\n")
    ran = project.run("build", "deck", "--target", "gamecrafter")
    assert (ran.code, "write size" in ran.stderr) == (1, False)
    assert "hint: build for a target without products, as png" in ran.stderr


def test_a_service_that_wants_more_bleed_than_there_is(project: Project) -> None:
    write_deck(project, "standard", "  - name: Axe\n", bleed="0.125in")
    ran = project.run("build", "deck", "--target", "gamecrafter")
    assert ran.code == 1
    assert "3.43mm are needed, and it has 3.18mm at the left" in ran.stderr


CARDS = """  - {name: Axe & Co, id: axe, count: 3}
  - {name: Bow, id: bow, back: other}
  - {name: Club, id: club, count: 2}
"""


def test_quantities_for_the_game_crafter(project: Project) -> None:
    write_deck(project, "poker", CARDS)
    ran = project.run("build", "deck", "--target", "gamecrafter")
    assert ran.stdout == "output/deck-gamecrafter.zip: 6 cards as 5 pictures for PokerDeck\n"
    with ZipFile("output/deck-gamecrafter.zip") as packed:
        order = json.loads(packed.read("order.json"))
        pictures = {name for name in packed.namelist() if name.endswith(".png")}
    assert (order["title"], order["product"], order["quantity"]) == ("Deck", "PokerDeck", 6)
    assert [tuple(card.values()) for card in order["cards"]] == [
        ("Axe & Co", 3, "front-1-axe.png", "back-1-axe.png"),
        ("Bow", 1, "front-4-bow.png", "back-4-bow.png"),
        ("Club", 2, "front-5-club.png", "back-1-axe.png"),
    ]
    assert pictures == {card[side] for card in order["cards"] for side in ("face", "back")}


def test_an_order_for_mpc_fill(project: Project) -> None:
    write_deck(project, "poker", CARDS)
    assert project.run("build", "deck", "--target", "makeplayingcards").code == 0
    with ZipFile("output/deck-makeplayingcards.zip") as packed:
        order = ElementTree.fromstring(packed.read("order.xml"))
        pictures = {name for name in packed.namelist() if name.endswith(".png")}
    assert {child.tag: child.text for child in order.find("details") or ()} == {
        "quantity": "6",
        "bracket": "18",
        "stock": "(S30) Standard Smooth",
        "foil": "false",
    }

    def list_cards(side: str) -> list[tuple[str | None, str | None, str | None]]:
        return [
            (card.findtext("id"), card.findtext("slots"), card.findtext("name"))
            for card in order.findall(f"{side}/card")
        ]

    assert list_cards("fronts") == [
        ("front-1-axe.png", "0,1,2", "front-1-axe.png"),
        ("front-4-bow.png", "3", "front-4-bow.png"),
        ("front-5-club.png", "4,5", "front-5-club.png"),
    ]
    assert list_cards("backs") == [("back-4-bow.png", "3", "back-4-bow.png")]
    assert order.findtext("cardback") == "back-1-axe.png"
    named = {name for side in ("fronts", "backs") for name, _, _ in list_cards(side)}
    assert named | {"back-1-axe.png"} == pictures


def test_mpc_fill_gives_a_card_without_a_back_no_other_back(project: Project) -> None:
    write_deck(
        project, "poker", CARDS + "  - {name: Blank, back: none}\n  - {name: Dart, back: none}\n"
    )
    assert project.run("build", "deck", "--target", "makeplayingcards").code == 0
    with ZipFile("output/deck-makeplayingcards.zip") as packed:
        order = ElementTree.fromstring(packed.read("order.xml"))
        blank = Image.open(packed.open("blank.png"))
    assert [
        (card.findtext("id"), card.findtext("slots")) for card in order.iterfind("backs/card")
    ] == [
        ("back-4-bow.png", "3"),
        ("blank.png", "6,7"),
    ]
    assert order.findtext("cardback") == "back-1-axe.png"
    assert (blank.size, blank.getextrema()) == ((822, 1122), ((255, 255),) * 3)
    # A deck without any would be refused by it.
    project.write_deck("  - {name: Axe, id: axe}\n", head="template: plain\n")
    assert project.run("build", "deck", "--target", "makeplayingcards").code == 0
    with ZipFile("output/deck-makeplayingcards.zip") as packed:
        assert packed.namelist() == ["front-1-axe.png", "blank.png", "order.xml"]
        assert "<cardback>blank.png</cardback>" in packed.read("order.xml").decode()


def test_cards_whose_copies_differ_have_a_picture_each(project: Project) -> None:
    write_deck(project, "poker", "  - {name: Axe, count: 3}\n  - {name: Bow, count: 2}\n")
    project.write_template(
        '<text x="6mm" y="6mm" width="40mm">{{ card.place }}</text>',
        attributes='size="poker" bleed="4mm"',
    )
    ran = project.run("build", "deck", "--target", "gamecrafter", "--only", "axe")
    assert (
        ran.stdout == "output/deck-gamecrafter-only-axe.zip: 3 cards as 4 pictures for PokerDeck\n"
    )
    with ZipFile("output/deck-gamecrafter-only-axe.zip") as packed:
        order = json.loads(packed.read("order.json"))
    assert [card["quantity"] for card in order["cards"]] == [1, 1, 1]
    assert [card["face"] for card in order["cards"]] == [f"front-{n}-axe.png" for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("products", "code"),
    [
        ('[{ name = "A", size = "pokre", pixels = "1 x 1" }]', "value/unknown-size"),
        ('[{ name = "A", size = "poker", pixels = "825" }]', "value/not-pixels"),
        ('[{ name = "A", size = "poker" }]', "value/not-pixels"),
        ('[{ name = "A", pixels = "9 x 9" }]', "value/not-records"),
        ('"poker"', "value/not-records"),
    ],
)
def test_what_is_wrong_with_products(project: Project, products: str, code: str) -> None:
    text = f'title = "S"\nextends = "gamecrafter"\nproducts = {products}\n'
    project.write("targets/shop.toml", text)
    with pytest.raises(CardgenError) as caught:
        open_project().get_target("shop")
    (problem,) = caught.value.problems
    assert (problem.code, problem.where and problem.where.line) == (code, 3)


def test_a_service_that_takes_a_pdf(project: Project) -> None:
    write_deck(project, "tarot-us", "  - {name: Axe, count: 2}\n")
    ran = project.run("build", "deck", "--target", "drivethru")
    assert ran.stdout.startswith("output/deck-drivethru.pdf: 2 cards on 4 pages for Tarot cards;")
    ticket = json.loads(Path("output/deck-drivethru.job.json").read_text())
    assert ticket["product"] == "Tarot cards"
    write_deck(project, "japanese", "  - {name: Axe, count: 2}\n")
    ran = project.run("build", "deck", "--target", "drivethru")
    assert ran.code == 1
    assert (
        "has no cards of 59mm x 86mm; the nearest is its US game cards (56mm x 87mm)" in ran.stderr
    )
    assert "hint: write size: us in the deck; or build for a target without products" in ran.stderr
    assert project.run("build", "deck", "--target", "mbprint").code == 0


@pytest.mark.parametrize(
    "key", ['quantities = "json"', 'products = [{ name = "A", size = "poker", pixels = "9 x 9" }]']
)
def test_what_a_service_wants_means_nothing_on_sheets(project: Project, key: str) -> None:
    project.write("targets/shop.toml", f'title = "S"\nextends = "a4"\n{key}\n')
    with pytest.raises(CardgenError) as caught:
        open_project().get_target("shop")
    assert [problem.code for problem in caught.value.problems] == ["target/key-means-nothing"]
