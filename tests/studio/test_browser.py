"""The studio in a real browser: what is written is seen, and what is done there is written."""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import openpyxl
import pytest
from browsing import Visit, read_axe, start_browser, visit
from making import build
from PIL import Image
from playwright.sync_api import Browser, Error, FilePayload, Locator, Page, Route, expect
from pypdf import PdfReader
from serving import Studio, serve, wait_until
from test_words import WEB, read_entries

from cardgen.core.errors import CardgenError
from cardgen.core.library import Library
from cardgen.core.units import MM
from cardgen.deck.yaml import parse_yaml
from cardgen.pages.printer import Printer
from cardgen.project.project import open_project, read_deck
from cardgen.studio.painter import Painter

TEMPLATE = """<template size="40mm x 60mm" bleed="3mm" safe="5mm">
<box bleed="true" fill="{{ card.colour or '#808080' }}"/>
<text x="4mm" y="4mm" width="32mm" height="12mm" colour="white">{{ card.name }}</text>
<text x="4mm" y="40mm" width="32mm" height="16mm" colour="white">{{ card.text or '' }}</text>
<line y="24mm" height="0.2mm" stroke="white" stroke-width="0.2mm" dash="1mm 1mm"/>
</template>
"""
SMALL = """<template size="40mm x 60mm">
<field name="price"/>
<text x="4mm" y="4mm" width="32mm" height="30mm" fit="box" min="3pt">{{ card.text * 9 }}</text>
</template>
"""
BACK = """<template size="40mm x 60mm" bleed="3mm">
<box bleed="true" fill="#202060"/>
</template>
"""
DECK = """# Three weapons
title: Weapons
template: plain
back: plain-back
cards:
  - name: Sword
    count: 2
    kind: blade
    colour: "#c03020"
    text: Cuts **deep**.

  - name: Shield # keeps one safe
    kind: armour
    colour: "#2040b0"
    text: Holds.

  - name: Bow
    kind: other
    colour: "#208040"
    text: Shoots far.
"""
RULES = """# Rules in short

## Moving

Move up to four paces, then *turn*.
"""
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>"
HOSTILE = f"""title: "{MARKUP}"
template: plain
cards:
  - name: "{MARKUP}"
    kind: "{MARKUP}"
    colour: "#805020"
    text: "{MARKUP}"
    "<b>field": "{MARKUP}"
  - name: Other
    template: "<b>wrong"
"""
GIFTS = Path(__file__).with_name("gifts.md")
ARTICLE = """An article about things to carry.

SWORD OF ICE    30 points
Any hero. The bearer has +1 Attack.

HORN OF STORMS    20 points
General only. Once per game all enemy flyers land at once.

CLOAK OF SNOW    15 points
Wizards only. Shots at the bearer are at -1.
"""
RED, BLUE = (192, 48, 32), (32, 64, 176)
NOWHERE = "#/import"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("studio").resolve()
    for name, text in {
        "templates/plain.xml": TEMPLATE,
        "templates/plain-back.xml": BACK,
        "templates/small.xml": SMALL,
        "templates/loud/plain.xml": TEMPLATE.replace("card.colour or '#808080'", "'#802080'"),
        "decks/weapons.yaml": DECK,
        "decks/many.yaml": write_many(1000),
        "decks/rules.md": RULES,
        "cardgen.toml": "",
    }.items():
        path = made / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    before = Path.cwd()
    os.chdir(made)
    yield made
    os.chdir(before)


def write_many(count: int) -> str:
    cards = "".join(
        f'  - name: "Card {n}"\n    colour: "#40{n % 200 + 20:02x}60"\n' for n in range(count)
    )
    return f"title: Many\ntemplate: plain\ncards:\n{cards}"


@pytest.fixture(scope="module")
def studio(folder: Path) -> Iterator[Studio]:
    with serve(folder, "weapons", {"office": Printer("office", x=5 * MM)}) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with start_browser() as running:
        yield running


@pytest.fixture(autouse=True)
def _as_before(folder: Path, studio: Studio) -> Iterator[None]:
    """The deck is the same at the beginning of every test, and the studio knows that it is."""
    yield
    path = folder / "decks/weapons.yaml"
    if path.read_text(encoding="utf-8") != DECK:
        path.write_text(DECK, encoding="utf-8")
        cards = read_deck(open_project(folder), "weapons").cards
        written = [(card.name, card.count, dict(card.fields)) for card in cards]
        wait_until(lambda: list_told(studio) == written, "the deck is read anew")


def list_told(studio: Studio) -> list[tuple[str, int, dict[str, Any]]]:
    """Return what the studio knows of the deck's cards."""
    told = studio.read_deck("weapons")["cards"]
    return [(card["name"], card["count"], card["fields"]) for card in told]


@pytest.fixture(scope="module")
def address(studio: Studio) -> str:
    return studio.address


@pytest.fixture(scope="module")
def window(browser: Browser, address: str) -> Iterator[Visit]:
    """A page that is open all the time."""
    with visit(browser, f"{address}{NOWHERE}") as opened:
        opened.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        yield opened


@pytest.fixture
def open_page(browser: Browser, address: str, window: Visit) -> Iterator[Callable[..., Visit]]:
    """Opens a route on the page that is open all the time, or on another one where it is to be of
    its own kind; their consoles must have said nothing.
    """
    with ExitStack() as stack:
        opened: list[Visit] = [window]

        def open_at(route: str = "#/weapons/cards", **options: object) -> Visit:
            if not options:
                window.page.evaluate("route => { location.hash = route }", route)
                return window
            opened.append(stack.enter_context(visit(browser, address + route, **options)))  # type: ignore[arg-type]
            return opened[-1]

        yield open_at
        # The view that holds no deck forgets what was chosen; what a test left open goes, too.
        close = "for (const one of document.querySelectorAll('dialog[open]')) one.close()"
        window.page.evaluate(f"route => {{ {close}; location.hash = route }}", NOWHERE)
        complaints = [one.complaints[:] for one in opened]
        window.complaints.clear()
        assert complaints == [[]] * len(opened)


Open = Callable[..., Visit]


# How it begins


def test_without_a_deck_it_begins_with_the_covers_of_all(browser: Browser, folder: Path) -> None:
    with serve(folder) as running, visit(browser, running.address) as opened:
        page = opened.page
        own = page.locator(".covers").first.locator(".cover")
        expect(own.locator("strong")).to_have_text(["Many", "Rules in short", "Weapons"])
        expect(own.last.locator("img")).to_be_visible()
        expect(page.locator(".examples .cover strong")).to_contain_text(["Magic Items"])
        expect(page.get_by_role("button", name="New deck")).to_be_visible()
        own.last.click()
        expect(page.locator(".card-name")).to_have_text(["Sword", "Shield", "Bow"])
        assert opened.complaints == []


# What is written is seen


def test_a_saved_file_is_seen_on_the_wall(open_page: Open, studio: Studio, folder: Path) -> None:
    wall = open_page()
    before = wall.wait_for_picture("sword")
    assert is_near(wall.find_colour("sword"), RED)
    write(folder, '"#c03020"', '"#2040b0"')
    wall.wait_for_picture("sword", unlike=before)
    assert is_near(wall.find_colour("sword"), BLUE)
    expect(wall.page.locator("#status")).to_have_text("1 card changed: Sword")
    assert len(studio.session.list_walls("weapons")) == 1, "what is usual is drawn once"
    wall.page.get_by_label("Show").select_option("fresh")
    expect(wall.page.locator(".card:visible .card-name")).to_have_text(["Sword"])


def test_only_the_face_that_changed_is_asked_for_and_cards_lie_as_in_the_file(
    open_page: Open, folder: Path
) -> None:
    wall = open_page()
    before = [wall.wait_for_picture(key) for key in ("sword", "shield", "bow")]
    asked: list[str] = []
    wall.page.on("request", lambda request: asked.append(request.url))
    write(folder, '"#c03020"', '"#204060"')
    wall.wait_for_picture("sword", unlike=before[0])
    faces = [url for url in asked if "/face/" in url]
    assert len(faces) == 1 and "/sword/front" in faces[0]
    assert not [url for url in asked if "/api/deck/" in url]
    assert [wall.wait_for_picture(key) for key in ("shield", "bow")] == before[1:]
    head, sword, *others = read(folder).split("\n  - ")
    (folder / "decks/weapons.yaml").write_text("\n  - ".join((head, *others, sword)), "utf-8")
    expect(wall.page.locator(".card-name")).to_have_text(["Shield", "Bow", "Sword"])


def test_a_broken_file_is_told_with_its_place_and_mended(open_page: Open, folder: Path) -> None:
    wall = open_page()
    wall.wait_for_picture("shield")
    write(folder, "kind: armour", "kind: [armour")
    banner = wall.page.locator("#banner")
    expect(banner).to_contain_text("cannot be read")
    expect(banner.get_by_role("button", name="decks/weapons.yaml:")).to_be_visible()
    assert is_near(wall.find_colour("shield"), BLUE), "the last good picture stays"
    write(folder, "kind: [armour", "kind: armour")
    expect(banner).to_be_empty()


def test_a_deck_that_cannot_be_read_yet_is_shown_when_it_is_mended(
    open_page: Open, folder: Path
) -> None:
    path = folder / "decks/torn.yaml"
    path.write_text("title: Torn\ntemplate: plain\ncards:\n  - name: [Axe\n", encoding="utf-8")
    page = open_page("#/torn/cards").page
    expect(page.get_by_role("heading", name="The deck cannot be read.")).to_be_visible()
    expect(page.locator("#banner")).to_contain_text("decks/torn.yaml:")
    path.write_text("title: Torn\ntemplate: plain\ncards:\n  - name: Axe\n", encoding="utf-8")
    expect(page.locator(".card-name")).to_have_text(["Axe"])
    expect(page.get_by_role("combobox", name="Deck")).to_have_value("torn")
    path.unlink()


def test_a_problem_stands_on_its_card_and_in_the_list(
    open_page: Open, studio: Studio, folder: Path
) -> None:
    """It is found out after the page has read the deck and before it hears of more."""

    def answer_late(route: Route) -> None:
        answer = route.fetch()
        wait_until(lambda: not studio.read_deck("wide")["left"], "all cards are looked at")
        route.fulfill(response=answer)

    path = folder / "decks/wide.yaml"
    text = DECK.replace("text: Shoots far.", "text: " + "Shoots far and wide. " * 60)
    text = text.replace("Cuts **deep**.", '"Cuts. ![gone](gone.png)"')
    text = text.replace("kind: armour", "template: small")
    path.write_text(text, encoding="utf-8")
    overlay = folder / "decks/wide.de.yaml"
    overlay.write_text("cards: {sword: {name: Schwert, text: Scharf.}}\n", encoding="utf-8")
    page = open_page(NOWHERE).page
    page.route("**/api/deck/wide", answer_late, times=1)
    wall = open_page("#/wide/cards")
    mark = wall.find_card("bow").locator(".mark")
    expect(mark).to_be_visible()
    page.keyboard.press("p")
    expect(page.locator("#side .finding .mono")).to_have_text(["name/unknown", "text/too-long"])
    finding = page.locator("#side .finding").nth(1)
    expect(finding).to_contain_text("Cause")
    expect(finding).to_contain_text("Cure")
    expect(finding.get_by_role("button", name="decks/wide.yaml:17")).to_be_visible()
    expect(page.locator("#side")).to_contain_text("Set smaller: 1 text")
    expect(wall.find_card("shield").locator(".card-small")).to_contain_text("%")
    wall.wait_for_picture("sword")  # with a box for the picture that is missing
    page.get_by_label("Show").select_option("problems")
    expect(page.locator(".card:visible")).to_have_count(2)
    check_both_looks(page)
    page.get_by_label("Language").select_option("de")
    expect(page.locator(".card.warned .card-name")).to_have_text(["Shield"])
    expect(page.locator("#side .mono").last).to_have_text("build/text-not-translated")
    page.get_by_label("Language").select_option("en")
    expect(page.locator(".card.warned")).to_have_count(0)
    page.get_by_label("Language").select_option("de")
    expect(page.locator(".card.warned .card-name")).to_have_text(["Shield"])
    page.keyboard.press("p")
    wall.find_card("shield").click()
    page.get_by_text("1 more field that the template knows").click()
    expect(page.get_by_label("price")).to_be_visible()
    page.get_by_label("text", exact=True).fill("Deckt.")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Not saved yet")).to_have_count(0)
    assert "shield: {text: Deckt.}" in overlay.read_text(encoding="utf-8"), "it is German"
    assert path.read_text(encoding="utf-8") == text
    path.unlink()
    overlay.unlink()


def write(folder: Path, old: str, new: str) -> None:
    path = folder / "decks/weapons.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def is_near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) < 12 for a, b in zip(one, other, strict=True))


# The wall


def test_cards_are_found_by_text_and_kind(open_page: Open) -> None:
    page = open_page().page
    shown = page.locator(".card:visible .card-name")
    expect(shown).to_have_text(["Sword", "Shield", "Bow"])
    page.get_by_label("Filter by text").fill("cuts")
    expect(shown).to_have_text(["Sword"])
    page.get_by_label("Filter by text").fill("nothing like it")
    expect(page.get_by_text("No card matches")).to_be_visible()
    page.get_by_role("button", name="Clear the filter").click()
    page.get_by_label("Kind").select_option("armour")
    expect(shown).to_have_text(["Shield"])


def test_cards_are_turned_and_made_larger(open_page: Open) -> None:
    wall = open_page()
    front = wall.wait_for_picture("sword")
    before = wall.photograph("sword")
    wall.page.get_by_role("button", name="Backs").click()
    back = wall.wait_for_picture("sword", unlike=front)
    assert is_near(wall.find_colour("sword"), (32, 32, 96))
    wall.page.get_by_label("Size").fill("320")
    assert wall.photograph("sword").width > before.width
    back = wall.wait_for_picture("sword", unlike=back)
    wall.page.get_by_role("button", name="Fronts").click()
    front = wall.wait_for_picture("sword", unlike=back)
    assert is_near(wall.find_colour("sword"), RED)
    wall.page.get_by_label("Look").select_option("loud")
    wall.wait_for_picture("sword", unlike=front)
    assert is_near(wall.find_colour("sword"), (128, 32, 128))


def test_a_card_is_found_edited_and_saved_by_the_keyboard_alone(
    open_page: Open, folder: Path
) -> None:
    page = open_page().page
    press = page.keyboard.press
    expect(page.locator(".card")).to_have_count(3)

    def go_by_tab(is_there: str) -> None:
        for _ in range(40):
            press("Tab")
            if page.evaluate(is_there):
                return

    go_by_tab("Boolean(document.activeElement.closest('.card'))")
    focused = "document.activeElement.closest('.card')?.dataset.id"
    assert page.evaluate(focused) == "sword"
    press("ArrowRight")
    press("End")
    assert page.evaluate(focused) == "bow"
    press("Home")
    press("ArrowRight")
    press("Enter")
    expect(page.get_by_role("heading", name="Shield")).to_be_visible()
    press("j")
    expect(page.get_by_role("heading", name="Bow")).to_be_visible()
    go_by_tab("document.activeElement.tagName === 'TEXTAREA'")
    shown = page.locator(".sheet-of-card img").last.get_attribute("src") or ""
    press("Control+a")
    page.keyboard.type("Shoots twice.")
    with page.expect_response("**/api/edit"):
        press("Control+s")
    assert read(folder) == DECK.replace("Shoots far.", "Shoots twice.")
    expect(page.locator(".sheet-of-card img").last).not_to_have_attribute("src", shown)
    press("Escape")
    with page.expect_response("**/api/undo"):
        press("Control+z")
    assert read(folder) == DECK
    press("Escape")
    expect(page.locator(".wall")).to_be_visible()
    press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    press("3")
    expect(page.get_by_role("grid")).to_be_visible()


def test_every_key_does_what_the_docs_say(open_page: Open, folder: Path) -> None:
    """But those of the table, and those by which a card is found, edited and saved."""
    wall = open_page()
    page = wall.page
    press = page.keyboard.press
    front = wall.wait_for_picture("sword")
    press("/")
    expect(page.get_by_label("Filter by text")).to_be_focused()
    page.keyboard.type("sword")
    expect(page.locator(".card:visible")).to_have_count(1)
    press("Escape")
    expect(page.locator(".card:visible")).to_have_count(3)
    expect(page.get_by_role("link", name="Sword, front")).to_be_focused()
    press("f")
    wall.wait_for_picture("sword", unlike=front)
    expect(page.get_by_role("link", name=re.compile("back"))).to_have_count(1)
    press("f")
    press("Shift+F")
    expect(page.get_by_role("link", name=re.compile("back"))).to_have_count(3)
    press("Shift+F")
    expect(page.get_by_role("link", name=re.compile("front"))).to_have_count(3)
    width = wall.photograph("sword").width
    press("+")
    assert wall.photograph("sword").width > width
    press("-")
    assert wall.photograph("sword").width == width
    press("p")
    expect(page.get_by_role("heading", name="No problems")).to_be_visible()
    press("p")
    expect(page.get_by_role("heading", name="No problems")).to_have_count(0)
    page.get_by_role("link", name="Shield").focus()
    press("Enter")
    expect(page.get_by_role("heading", name="Shield", level=1)).to_be_visible()
    for key, name in (("k", "Sword"), ("j", "Shield"), ("j", "Bow"), ("k", "Shield")):
        press(key)
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    press("f")
    expect(page.get_by_role("button", name="Back", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    press("f")
    zoom = page.get_by_label("Zoom")
    press("+")
    expect(zoom).to_have_value("96")
    press("-")
    expect(zoom).to_have_value("fit")
    write(folder, '"#2040b0"', '"#c03020"')
    expect(page.get_by_role("button", name="Compare")).to_be_enabled()
    press("b")
    expect(page.get_by_role("slider", name="Before and after")).to_be_focused()
    check_access(page)
    page.locator(".light").focus()
    press("b")
    text = page.get_by_label("text", exact=True)
    for key, words in (("Control+b", "**Holds.**"), ("Control+i", "***Holds.***")):
        text.focus()
        press("Control+a")
        press(key)
        expect(text).to_have_value(words)
    press("Control+s")
    expect(page.get_by_role("button", name="Undo: text")).to_be_enabled()
    press("Escape")
    for key, step in (("Control+z", "undo"), ("Control+Shift+z", "redo"), ("Control+z", "undo")):
        # An answer that has come is not yet one that the page has taken in.
        expect(page.locator(f"[data-part={step}]")).to_be_enabled()
        with page.expect_response(f"**/api/{step}"):
            press(key)
    for key, ready in (("2", ".paper"), ("4", ".pile"), ("3", "td"), ("1", ".wall")):
        press(key)
        page.locator(ready).first.wait_for()
    press("Control+p")
    expect(page.get_by_role("dialog", name="Print")).to_be_visible()
    press("Escape")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Keys of one letter").uncheck()
    press("Escape")
    press("p")
    expect(page.locator("#side")).to_be_hidden()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Keys of one letter").check()
    press("Escape")


def test_a_thousand_cards_scroll(open_page: Open) -> None:
    wall = open_page("#/many/cards")
    expect(wall.page.locator(".card")).to_have_count(1000, timeout=20_000)
    wall.wait_for_picture("card-0")
    expect(wall.page.get_by_role("button", name="Backs")).to_have_count(0)
    wall.page.locator(".scroll").evaluate("scroll => scroll.scrollTo(0, scroll.scrollHeight)")
    wall.wait_for_picture("card-999")
    assert wall.page.locator(".card img").count() < 120, "pictures far away are let go"
    # Each item of a list that is hidden has all behind it counted anew.
    expect(wall.page.locator(".card").first).to_have_css("display", "block")
    left = wall.page.evaluate_handle("[...document.querySelectorAll('.card .face')]")
    open_page(NOWHERE)
    expect(wall.page.locator(".card")).to_have_count(0)
    assert wall.page.evaluate("left => left.every((one) => !one.querySelector('img'))", left), (
        "what is on its way keeps nothing else waiting"
    )


# One card


def test_what_is_typed_is_shown_before_it_is_saved(open_page: Open, folder: Path) -> None:
    card = open_page("#/weapons/card/sword")
    assert is_near(card.find_shown_colour(), RED)
    expect(card.page.locator(".sheet-of-card img")).to_have_count(1)
    shown = card.page.locator(".sheet-of-card img").get_attribute("src") or ""
    card.page.get_by_label("colour", exact=True).first.fill("#2040b0")
    expect(card.page.locator(".sheet-of-card img").last).not_to_have_attribute("src", shown)
    expect(card.page.locator(".sheet-of-card img")).to_have_count(1)
    assert is_near(card.find_shown_colour(), BLUE)
    expect(card.page.get_by_text("Not saved yet")).to_be_visible()
    assert (folder / "decks/weapons.yaml").read_text(encoding="utf-8") == DECK
    card.page.get_by_role("button", name="Discard").click()


def test_before_and_after_are_compared(open_page: Open, folder: Path) -> None:
    card = open_page("#/weapons/card/sword")
    card.find_shown_colour()
    compare = card.page.get_by_role("button", name="Compare")
    expect(compare).to_be_disabled()
    write(folder, '"#c03020"', '"#2040b0"')
    expect(compare).to_be_enabled()
    compare.click()
    slider = card.page.get_by_role("slider", name="Before and after")
    expect(card.page.locator(".before img")).to_be_visible()
    slider.fill("100")
    assert is_near(card.find_shown_colour(), RED)
    slider.fill("0")
    assert is_near(card.find_shown_colour(), BLUE)


LINES = {  # of each overlay: its colour, and a place on it in mm from the trim's corner
    "Trim": ((181, 23, 158), (0, 20)),
    "Bleed": ((208, 0, 0), (-3, 20)),
    "Safe": ((0, 109, 44), (5, 20)),
    "Folds": ((0, 87, 183), (20, 24.1)),
}


def test_trim_bleed_safe_area_and_folds_lie_over_card_and_sheet(open_page: Open) -> None:
    page = open_page("#/weapons/card/sword").page
    page.locator(".sheet-of-card img").first.wait_for()
    zoom = page.get_by_label("Zoom")
    zoom_in(page)
    assert abs(page.evaluate(SHOWN) - 46 / 25.4 * 600) < 2, "with its bleed"
    zoom.select_option("fit")
    for name, (colour, (x, y)) in LINES.items():
        switch = page.get_by_role("button", name=name, exact=True)
        switch.click()
        page.locator(f".overlay .{name.lower().removesuffix('s')}").wait_for(state="attached")
        assert wait_for_colour(page, ".sheet-of-card", 40, (x, y), colour, True), name
        switch.click()
        expect(page.locator(".overlay")).to_have_count(0)
        assert wait_for_colour(page, ".sheet-of-card", 40, (x, y), colour, False), name

    page.evaluate("location.hash = '#/weapons/sheets'")
    page.get_by_label("Target").select_option("gutterfold-a4")
    expect(page.locator(".paper")).to_have_count(1)
    page.locator(".paper img").first.wait_for()
    page.get_by_role("button", name="Folds").click()
    across = float(page.locator(".page").evaluate("page => page.clientWidth / page.clientHeight"))
    wide = 297 if across > 1 else 210
    assert wait_for_colour(page, ".page", wide, (wide / 2, 100), LINES["Folds"][0], True)
    page.get_by_role("button", name="Safe").click()
    expect(page.locator(".overlay .safe")).to_have_count(8)
    page.get_by_role("button", name="Folds").click()
    assert wait_for_colour(page, ".page", wide, (wide / 2, 100), LINES["Folds"][0], False)
    page.get_by_role("button", name="Safe").click()


def test_a_picture_that_was_refused_once_is_asked_for_again(open_page: Open) -> None:
    page = open_page("#/weapons/card/sword").page
    page.locator(".sheet-of-card img").first.wait_for()
    refused = list[str]()

    def refuse_first(route: Route) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route.request.url)
        route.fulfill(status=410)

    page.route("**/*dpi=600", refuse_first)
    zoom_in(page)
    assert len(refused) == 1


@pytest.mark.parametrize("status", [410, 500])
def test_pictures_that_do_not_come_are_told_of_and_come_when_they_can(
    open_page: Open, status: int
) -> None:
    page = open_page(NOWHERE, language="en-GB").page  # one that has shown no picture yet
    page.clock.install()  # a picture is asked for again and again before it is given up
    pictures = re.compile(r"/(face|sheet)/")
    page.route(pictures, lambda route: route.fulfill(status=status))
    banner = page.locator("#banner")
    again = banner.get_by_role("button", name="Try again")
    for view, number in (("cards", 3), ("card/sword", 1), ("deal", None), ("sheets", 2)):
        page.evaluate("view => { location.hash = `#/weapons/${view}` }", view)
        wait_for_loss(page)
        expect(page.locator(".missed").first).to_have_text("No picture came")
        expect(banner).to_contain_text("could not be had")
        if number is not None:
            expect(page.locator(".missed")).to_have_count(number)
            said = "A picture" if number == 1 else f"{number} pictures"
            expect(banner).to_contain_text(f"{said} could not be had")
        check_both_looks(page)
    again.press("Enter")
    page.keyboard.press("Control+p")
    dialog = page.get_by_role("dialog")
    wait_for_loss(page)
    expect(dialog.get_by_role("alert").first).to_contain_text("2 pictures could not be had")
    check_access(page)
    page.unroute(pictures)
    dialog.get_by_role("button", name="Try again").click()
    expect(dialog.locator(".paper img")).to_have_count(2)
    expect(dialog.get_by_role("button", name="Try again")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".papers img")).to_have_count(2)
    expect(banner).to_be_empty()
    page.route(pictures, lambda route: route.fulfill(status=status))
    page.evaluate("location.hash = '#/weapons/card/sword'")
    wait_for_loss(page)
    again.press("Enter")
    expect(again).to_be_focused()
    page.unroute(pictures)
    again.press("Enter")
    expect(page.locator(".sheet-of-card img")).to_have_count(1)
    expect(page.locator(".missed")).to_have_count(0)
    expect(banner).to_be_empty()


def wait_for_loss(page: Page) -> None:
    """Let the time pass in which pictures are asked for again, and in which losses are told."""
    for _ in range(6):
        page.clock.fast_forward(4000)
        page.wait_for_timeout(60)


def test_a_version_that_is_gone_for_good_is_asked_for_anew(open_page: Open) -> None:
    """As when something was changed and nobody told of it."""
    page = open_page(NOWHERE).page

    def tell_another(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("?v=", "?v=gone"))

    page.route("**/api/sheets/weapons", tell_another, times=1)
    with page.expect_response(lambda answer: answer.status == 410):
        page.evaluate("location.hash = '#/weapons/sheets'")
    expect(page.locator(".paper img")).to_have_count(2)
    expect(page.locator(".missed")).to_have_count(0)
    expect(page.locator("#banner")).to_be_empty()


SHOWN = "() => [...document.querySelectorAll('.sheet-of-card img')].at(-1).naturalWidth"


def zoom_in(page: Page) -> None:
    """Choose the finest zoom, and wait for its picture."""
    page.get_by_label("Zoom").select_option("600")
    page.wait_for_function(f"{SHOWN} > 1000", polling=100)


def wait_for_colour(
    page: Page,
    selector: str,
    wide: float,
    at: tuple[float, float],
    colour: tuple[int, ...],
    wanted: bool,
) -> bool:
    """Whether a colour comes to be seen, or is gone, before long: pictures fade over."""
    for _ in range(20):
        if has_colour(page, selector, wide, at, colour) == wanted:
            return True
        page.wait_for_timeout(100)
    return False


def has_colour(
    page: Page, selector: str, wide: float, at: tuple[float, float], colour: tuple[int, ...]
) -> bool:
    """Whether a colour is seen around a place, in mm of something that is so many of them wide."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    scale = box["width"] / wide
    x, y = box["x"] + at[0] * scale, box["y"] + at[1] * scale
    taken = page.screenshot(clip={"x": x - 6, "y": y - 12, "width": 12, "height": 24})
    picture = Image.open(io.BytesIO(taken)).convert("RGB")
    seen = {picture.getpixel((x, y)) for x in range(12) for y in range(24)}
    return any(is_near(one, colour) for one in seen if isinstance(one, tuple))


def test_a_box_leads_to_its_line_in_the_template(open_page: Open) -> None:
    page = open_page("#/weapons/card/sword").page
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.post_data or "")
        route.fulfill(json={"opened": True})

    page.route("**/api/open", answer)
    page.get_by_role("button", name="Boxes").click()
    box = page.get_by_role("button", name="<text> at templates/plain.xml:4:1")
    check_access(page)
    box.hover()
    expect(page.locator(".box-words")).to_have_text("<text> at templates/plain.xml:4:1")
    box.click()
    expect(page.locator("#status")).to_have_text("templates/plain.xml:4:1 is open in the editor")
    assert '"line":4' in asked[0]


# What is written


def read(folder: Path, name: str = "weapons.yaml") -> str:
    return (folder / "decks" / name).read_text(encoding="utf-8")


def take_step(page: Page, step: str) -> None:
    """Undo or redo, and wait until the file is written."""
    with page.expect_response(f"**/api/{step.lower()}"):
        page.get_by_role("button", name=step).click()


def test_all_that_is_done_in_the_form_is_in_the_file_and_taken_back(
    open_page: Open, folder: Path
) -> None:
    wall = open_page()
    page = wall.page
    steps = [DECK]

    def see(names: list[str]) -> None:
        steps.append(read(folder))
        assert re.findall(r"- name: (.+?)(?: #.*)?\n", steps[-1]) == names

    wall.find_card("sword").click()
    text = page.get_by_label("text", exact=True)
    text.fill("A sign: ")
    page.get_by_role("button", name="Pick an icon").click()
    signs = page.get_by_role("dialog").locator(".icon-grid button")
    expect(signs).to_have_count(len(Library(folder).list_names("icon")))
    check_access(page)
    page.get_by_label("Find an icon").fill("swor")
    signs.get_by_text("sword", exact=True).click()
    text.press("Control+a")
    text.press("Control+i")
    expect(text).to_have_value("*A sign: :sword:*")
    text.fill("Cuts deep and far.")
    text.evaluate("area => area.setSelectionRange(5, 9)")
    page.get_by_role("button", name="Bold").click()
    page.keyboard.press("Control+s")
    expect(page.get_by_role("button", name="Undo: text")).to_be_enabled()
    expect(page.get_by_text("Not saved yet")).to_have_count(0)
    see(["Sword", "Shield", "Bow"])
    assert steps[-1] == DECK.replace("Cuts **deep**.", "Cuts **deep** and far.")
    page.get_by_role("button", name="Copy this card").click()
    expect(page.get_by_role("heading", name="Sword 2")).to_be_visible()
    see(["Sword", "Sword 2", "Shield", "Bow"])
    page.get_by_role("button", name="Move back in the deck").click()
    expect(page.get_by_text("3 / 4")).to_be_visible()
    see(["Sword", "Shield", "Sword 2", "Bow"])
    page.get_by_role("button", name="Remove this card").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.locator(".card-name")).to_have_text(["Sword", "Shield", "Bow"])
    see(["Sword", "Shield", "Bow"])
    page.keyboard.press("3")
    page.get_by_role("button", name="Add a card").click()
    page.get_by_label("Name of the new card").fill("Axe")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="Axe")).to_be_visible()
    see(["Sword", "Shield", "Bow", "Axe"])
    for before in reversed(steps[:-1]):
        take_step(page, "Undo")
        assert read(folder) == before
    for after in steps[1:]:
        take_step(page, "Redo")
        assert read(folder) == after


def test_the_form_writes_a_value_where_it_comes_from(open_page: Open, folder: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (["name", "count", "kind"], ["Sword", 2, "blade"], ["Bow", 1, "far"]):
        book.active.append(row)
    book.save(folder / "decks/stock.xlsx")
    for name, text in {
        "less.yaml": "extends: weapons # without the bow\ndrop: [bow]\n",
        "weapons.de.yaml": "cards:\n  sword: {name: Schwert} # und mehr\n",
        "goods.csv": "name;count;kind\r\nSword;2;blade\r\nBow;1;far\r\n",
        "stock.yaml": "template: plain\ncards: stock.xlsx\n",
    }.items():
        (folder / "decks" / name).write_bytes(text.encode())
    page = open_page(NOWHERE).page
    for deck, label, value, file, written in (
        ("weapons", "Copies", "3", "weapons.yaml", "count: 3"),
        ("less", "Copies", "4", "less.yaml", "counts:\n  sword: 4\n"),
        ("weapons", "kind", "Klinge", "weapons.de.yaml", "{name: Schwert, kind: Klinge} # und"),
        ("goods", "kind", "knife", "goods.csv", "Sword;2;knife\r\nBow"),
        ("stock", "Copies", "5", "stock.xlsx", ""),
    ):
        before = {path: path.read_bytes() for path in (folder / "decks").iterdir()}
        page.evaluate("deck => { location.hash = `#/${deck}/card/sword` }", deck)
        if file == "weapons.de.yaml":
            page.evaluate("location.hash = '#/weapons/cards'")
            page.get_by_label("Language").select_option("de")
            page.get_by_role("link", name="Schwert, front").click()
        page.get_by_label(label, exact=True).fill(value)
        with page.expect_response("**/api/edit"):
            page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Not saved yet")).to_have_count(0)
        changed = {path for path, data in before.items() if path.read_bytes() != data}
        assert {path.name for path in changed} == {file}
        (path,) = changed
        if written:
            assert written in path.read_bytes().decode()
        else:
            (sheet,) = openpyxl.load_workbook(path).worksheets
            assert [cell.value for cell in sheet[2]] == ["Sword", 5, "blade"]
        take_step(page, "Undo")
        assert {path: path.read_bytes() for path in before} == before
        page.evaluate("route => { location.hash = route }", NOWHERE)
    for name in ("less.yaml", "weapons.de.yaml", "goods.csv", "stock.yaml", "stock.xlsx"):
        (folder / "decks" / name).unlink()


def test_what_is_typed_waits_where_somebody_goes_to_another_deck(open_page: Open) -> None:
    """As who drops a file onto the page, which opens the import."""
    page = open_page("#/weapons/card/sword").page
    text = page.get_by_label("text", exact=True)
    text.fill("Cuts twice.")
    page.get_by_role("combobox", name="Deck").select_option("rules")
    expect(page.get_by_role("combobox", name="Deck")).to_have_value("rules")
    page.evaluate("location.hash = '#/import'")
    expect(page.get_by_role("heading", name="Import")).to_be_visible()
    page.evaluate("location.hash = '#/weapons/card/sword'")
    expect(text).to_have_value("Cuts twice.")
    page.get_by_role("button", name="Discard").click()
    expect(text).to_have_value("Cuts **deep**.")


def test_what_is_typed_when_the_server_ends_waits_for_the_page_of_the_next_one(
    open_page: Open, folder: Path
) -> None:
    one = open_page(NOWHERE).page
    one.route("**/events?*", lambda route: route.abort())  # as of a server that was killed
    one.evaluate("location.hash = '#/weapons/card/bow'")
    expect(one.locator("#banner")).to_contain_text("The studio's server has ended")
    one.get_by_label("text", exact=True).fill("Shoots twice.")
    two = one.context.new_page()
    two.goto(one.url.partition("#")[0])
    text = two.get_by_label("text", exact=True)
    expect(text).to_have_value("Shoots twice.")
    assert two.evaluate("location.hash") == "#/weapons/card/bow"
    expect(one.locator("#banner")).to_contain_text("goes on in another page")
    two.keyboard.press("Control+s")
    expect(two.get_by_role("button", name="Undo: text")).to_be_enabled()
    assert read(folder) == DECK.replace("Shoots far.", "Shoots twice.")
    two.close()
    one.unroute("**/events?*")


def test_a_card_that_gets_another_name_stays_open_with_what_is_typed(
    open_page: Open, folder: Path
) -> None:
    page = open_page("#/weapons/card/shield").page
    text = page.get_by_label("text", exact=True)
    text.fill("Holds well.")
    write(folder, "name: Shield", "name: Buckler")
    expect(page.get_by_role("heading", name="Buckler")).to_be_visible()
    expect(text).to_have_value("Holds well.")
    page.get_by_label("Name", exact=True).fill("Targe")
    page.keyboard.press("Control+s")
    expect(page.get_by_role("heading", name="Targe")).to_be_visible()
    expect(page.get_by_text("Not saved yet")).to_have_count(0)
    assert page.evaluate("location.hash") == "#/weapons/card/targe"
    assert "name: Targe # keeps" in read(folder) and "text: Holds well." in read(folder)


@pytest.mark.parametrize("saved_at_once", [True, False])
def test_what_is_typed_while_the_file_is_written_stays(
    open_page: Open, folder: Path, saved_at_once: bool
) -> None:
    page = open_page("#/weapons/card/shield").page
    kind, text = (page.get_by_label(field, exact=True) for field in ("kind", "text"))
    held: list[Route] = []
    page.route("**/api/edit", lambda route: held.append(route))
    text.fill("Holds well.")
    page.keyboard.press("Control+s")
    wait_for_route(page, held)
    page.unroute("**/api/edit")
    text.fill("Holds very well.")
    kind.fill("wall")
    if saved_at_once:
        page.keyboard.press("Control+s")
    with page.expect_response("**/api/edit"):
        held[0].continue_()
    if not saved_at_once:
        expect(page.get_by_role("button", name="Undo: text")).to_be_enabled()
        assert read(folder) == DECK.replace("Holds.", "Holds well.")
        page.keyboard.press("Control+s")
    expect(page.get_by_role("button", name="Undo: 2 fields")).to_be_enabled()
    expect(page.get_by_text("Not saved yet")).to_have_count(0)
    expect(text).to_have_value("Holds very well.")
    assert "kind: wall" in read(folder) and "text: Holds very well." in read(folder)
    for _ in range(2):
        take_step(page, "Undo")
    assert read(folder) == DECK


def test_a_step_that_meets_what_others_wrote_is_left_out_and_the_one_before_taken_back(
    open_page: Open, folder: Path
) -> None:
    page = open_page("#/weapons/card/shield").page
    for field, words in (("kind", "wall"), ("text", "Holds well.")):
        page.get_by_label(field, exact=True).fill(words)
        page.keyboard.press("Control+s")
        expect(page.get_by_role("button", name=f"Undo: {field}")).to_be_enabled()
    write(folder, "Holds well.", "Holds fast.")
    expect(page.get_by_label("text", exact=True)).to_have_value("Holds fast.")
    page.locator('[data-part="undo"]').click()
    dialog = page.get_by_role("dialog", name="The file has changed meanwhile")
    expect(dialog).to_contain_text("decks/weapons.yaml has changed in the same lines")
    texts = ["    text: Holds.\n", "    text: Holds fast.\n"]
    assert dialog.locator("pre").all_text_contents() == texts
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Undo: text")).to_be_enabled()
    page.locator('[data-part="undo"]').click()
    dialog.get_by_role("button", name="Leave this step out").click()
    expect(page.get_by_role("button", name="Undo: kind")).to_be_enabled()
    take_step(page, "Undo")
    assert read(folder) == DECK.replace("Holds.", "Holds fast.")


def test_in_a_conflict_both_are_shown_and_nothing_is_lost(open_page: Open, folder: Path) -> None:
    """Two windows, and an editor that writes the file between them."""
    route = "#/weapons/card/sword"
    one = open_page(route).page
    two = one.context.new_page()
    two.goto(one.url)
    fields = [page.get_by_label("text", exact=True) for page in (one, two)]
    for field, words in zip(fields, ("Mine.", "Hers."), strict=True):
        field.fill(words)
    write(folder, "Cuts **deep**.", "Theirs.")
    one.keyboard.press("Control+s")
    dialog = one.get_by_role("dialog", name="The file has changed meanwhile")
    expect(dialog.locator("pre")).to_have_text(["Mine.", "Theirs."])
    check_access(one)
    assert read(folder) == DECK.replace("Cuts **deep**.", "Theirs.")
    dialog.get_by_role("button", name="Write mine").click()
    expect(dialog).to_have_count(0)
    assert read(folder) == DECK.replace("Cuts **deep**.", "Mine.")
    expect(fields[1]).to_have_value("Hers.")
    two.keyboard.press("Control+s")
    dialog = two.get_by_role("dialog", name="The file has changed meanwhile")
    expect(dialog.locator("pre")).to_have_text(["Hers.", "Mine."])
    dialog.get_by_role("button", name="Cancel").click()
    expect(fields[1]).to_have_value("Hers.")
    two.get_by_role("button", name="Save").click()
    dialog.get_by_role("button", name="Keep the file's").click()
    expect(fields[1]).to_have_value("Mine.")
    # What one window takes back, the other shows.
    take_step(one, "Undo")
    expect(fields[1]).to_have_value("Theirs.")
    two.close()


def test_the_table_is_a_spreadsheet_for_the_keyboard(open_page: Open, folder: Path) -> None:
    page = open_page("#/weapons/table").page
    press = page.keyboard.press
    page.locator('td[data-r="0"][data-c="2"]').click()
    press("Shift+ArrowDown")
    expect(page.locator('td[aria-selected="true"]')).to_have_text(["blade", "armour"])
    press("Control+c")
    press("ArrowDown")
    press("Control+v")
    last = page.locator('td[data-r="2"][data-c="2"]')
    expect(last).to_have_text("blade")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    written = DECK.replace("kind: other", "kind: blade")
    assert (folder / "decks/weapons.yaml").read_text(encoding="utf-8") == written
    press("Enter")
    page.keyboard.type(" and more")
    press("Escape")
    expect(last).to_have_text("blade")
    expect(last).to_be_focused()
    press("Home")
    page.keyboard.type("Axe")
    press("Tab")
    expect(page.locator('td[data-r="2"][data-c="1"]')).to_be_focused()
    expect(page.get_by_role("gridcell", name="Axe")).to_be_visible()
    page.locator('td[data-r="3"][data-c="0"]').click()
    page.keyboard.type("Mace")
    press("Tab")
    page.keyboard.type("2")  # at once, whether the card is there yet or not
    press("Enter")
    end = "  - name: Mace\n    count: 2\n"
    wait_until(lambda: read(folder).endswith(end), "the new row is written")
    expect(page.locator("tbody tr")).to_have_count(5)
    page.locator('td[data-r="4"][data-c="0"]').click()
    page.evaluate(
        r"""() => navigator.clipboard.writeText('Net\t1\tother\nPike\t3\n\t4\t\t\t\tx')"""
    )
    press("Control+v")
    expect(page.locator("#banner")).to_contain_text("1 column lies beyond the last field")
    expect(page.locator("#banner")).to_contain_text("A new card begins with its name.")
    expect(page.locator("tbody tr")).to_have_count(7)
    added = ("- name: Net\n    count: 1\n    kind: other", "- name: Pike\n    count: 3\n")
    assert read(folder).endswith(f"{end}\n  " + "\n\n  ".join(added))
    for _ in range(3):
        take_step(page, "Undo")
    expect(page.locator("tbody tr")).to_have_count(4)
    page.locator('td[data-r="0"][data-c="0"]').click()
    press("Control+a")
    expect(page.locator('td[aria-selected="true"]')).to_have_count(15)
    page.wait_for_function(
        "() => navigator.clipboard.readText().then((text) => text === 'blade\\narmour')"
    )


def test_whoever_leaves_the_table_while_it_is_saved_meets_no_fault(open_page: Open) -> None:
    page = open_page("#/weapons/table").page
    held: list[Route] = []
    page.route("**/api/edit", lambda route: held.append(route))
    page.locator('td[data-r="1"][data-c="1"]').click()
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    wait_for_route(page, held)
    page.evaluate("location.hash = '#/import'")
    expect(page.get_by_role("grid")).to_have_count(0)
    with page.expect_response("**/api/edit"):
        held[0].continue_()
    page.unroute("**/api/edit")
    page.wait_for_timeout(50)  # until the page has read the answer


def test_a_range_is_pasted_into_every_kind_of_file(open_page: Open, folder: Path) -> None:
    rows: list[list[Any]] = [
        ["name", "count", "kind"],
        ["Sword", 2, "blade"],
        ["Shield", 1, ""],
        ["Bow", 4, "far"],
    ]
    table = "".join(";".join(map(str, row)) + "\r\n" for row in rows)
    (folder / "decks/goods.csv").write_bytes(f"---\ntemplate: plain\n---\n{table}".encode())
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    book.save(folder / "decks/stock.xlsx")
    (folder / "decks/stock.yaml").write_text("template: plain\ncards: stock.xlsx\n")
    page = open_page().page
    for deck, file in (
        ("weapons", "weapons.yaml"),
        ("goods", "goods.csv"),
        ("stock", "stock.xlsx"),
    ):
        path = folder / "decks" / file
        before = path.read_bytes()
        page.evaluate("deck => { location.hash = `#/${deck}/table` }", deck)
        expect(page.get_by_role("combobox", name="Deck")).to_have_value(deck)
        cell = page.locator('td[data-r="1"][data-c="1"]')
        expect(cell).to_have_text("1")
        cell.click()
        page.evaluate(r"""() => navigator.clipboard.writeText('3\tarmour\n\t"two\nlines"')""")
        with page.expect_response("**/api/edit"):
            page.keyboard.press("Control+v")
        expect(page.get_by_role("gridcell", name="two lines")).to_be_visible()
        _, shield, bow = read_deck(open_project(folder), deck).cards
        assert (shield.count, shield.fields["kind"]) == (3, "armour")
        assert (bow.count, str(bow.fields["kind"]).split()) == (1, ["two", "lines"])
        page.keyboard.press("ArrowLeft")
        page.keyboard.type("Axe")
        with page.expect_response("**/api/edit"):
            page.keyboard.press("Tab")
        assert [card.name for card in read_deck(open_project(folder), deck).cards] == [
            *("Sword", "Axe", "Bow")
        ]
        for _ in range(2):
            take_step(page, "Undo")
        assert path.read_bytes() == before


def drop(shown: Locator, name: str, data: bytes) -> None:
    """Drop a file on what is shown, as from another window."""
    shown.evaluate(
        """(element, [name, type, data]) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([new Uint8Array(data)], name, {type}));
            for (const event of ['dragover', 'drop']) {
                element.dispatchEvent(new DragEvent(event, {dataTransfer, bubbles: true}));
            }
        }""",
        [name, "image/png" if name.endswith(".png") else "text/markdown", [*data]],
    )


def test_a_picture_that_is_dropped_on_a_card_is_its_own(open_page: Open, folder: Path) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (3, 3), RED).save(buffer, "PNG")
    wall = open_page()
    bow = wall.find_card("bow")
    drop(bow, "red.png", buffer.getvalue())
    banner = wall.page.locator("#banner")
    expect(banner).to_contain_text('the template "plain" shows no picture of a card')
    image = '<image if="card.art" file="{{ card.art }}" fit="cover"/>'
    (folder / "templates/shown.xml").write_text(
        f'<template size="40mm x 60mm"><field name="art"/>{image}</template>', encoding="utf-8"
    )
    write(folder, "kind: other", "template: shown")
    before = wall.wait_for_picture("bow", unlike=wall.wait_for_picture("bow"))
    drop(wall.page.locator(".toolbar"), "red.png", buffer.getvalue())
    expect(banner).to_contain_text("Drop a picture on the card")
    drop(bow, "red.png", buffer.getvalue())
    wall.wait_for_picture("bow", unlike=before)
    assert is_near(wall.find_colour("bow"), RED)
    assert read(folder).endswith("    art: red.png\n")
    assert (folder / "pictures/red.png").read_bytes() == buffer.getvalue()
    bow.click()
    wall.page.get_by_label("art", exact=True).fill("typed.png")
    wall.page.locator(".field-row input[type=file]").set_input_files(
        FilePayload(name="blue.png", mimeType="image/png", buffer=buffer.getvalue() + b" ")
    )
    expect(wall.page.get_by_label("art", exact=True)).to_have_value("blue.png")
    for _ in range(2):
        take_step(wall.page, "Undo")
    assert not list((folder / "pictures").glob("*"))
    (folder / "templates/shown.xml").unlink()


# Sheets, printing, dealing


def test_the_pdf_is_downloaded_as_the_dialogue_says(open_page: Open, folder: Path) -> None:
    (folder / "pictures").mkdir(exist_ok=True)
    Image.new("RGB", (3, 3), "gold").save(folder / "pictures/dot.png")
    page = open_page("#/weapons/sheets").page
    backs = page.locator(".paper").nth(1).locator("img")
    expect(backs).to_have_count(1)
    address = backs.get_attribute("src") or ""
    write(folder, "text: Holds.", 'text: "Holds ![a dot](dot.png) fast."')
    expect(backs.last).not_to_have_attribute("src", address)
    expect(backs).to_have_count(1)
    usual, address = find_left(backs), backs.get_attribute("src") or ""
    page.locator('[data-part="printer"]').select_option("office")
    expect(backs.last).not_to_have_attribute("src", address)
    expect(backs).to_have_count(1)
    assert abs(find_left(backs) - usual - 5) < 0.7, "what it shifts is shifted beforehand"
    page.keyboard.press("Control+p")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator('[data-part="print-printer"]')).to_have_value("office")
    expect(dialog.get_by_text("2 pages")).to_be_visible()
    dialog.get_by_label("Fronts only").check()
    expect(dialog.get_by_text("1 page", exact=True)).to_be_visible()
    expect(dialog.locator(".finding")).to_contain_text("preflight/resolution")
    expect(dialog.get_by_role("button", name="Page 1")).to_be_visible()
    (found,) = dialog.locator(".page-rect").all()
    inner, outer = found.bounding_box(), dialog.locator(".page").bounding_box()
    assert inner is not None and outer is not None
    x = (inner["x"] + inner["width"] / 2 - outer["x"]) / outer["width"] * 210
    y = (inner["y"] + inner["height"] / 2 - outer["y"]) / outer["height"] * 297
    (place,) = [card for card in lay(page) if card["id"] == "shield"]
    assert 0 < x - place["x"] < 40
    assert 40 < y - place["y"] < 56
    with page.expect_download() as waiting:
        dialog.get_by_role("button", name="Download PDF").click()
    path = waiting.value.path()
    assert waiting.value.suggested_filename == "weapons-fronts.pdf"
    assert len(PdfReader(path).pages) == 1
    dialog.get_by_label("Fronts and backs").check()
    dialog.get_by_label("Odd pages").check()
    expect(dialog.get_by_text("1 page", exact=True)).to_be_visible()
    dialog.locator('[data-part="print-target"]').select_option("png")
    expect(dialog.get_by_role("button", name="Download ZIP")).to_be_enabled()
    expect(dialog.get_by_label("Odd pages")).to_have_count(0)
    expect(dialog.get_by_text("8 pages")).to_be_visible()
    page.keyboard.press("Escape")


def test_a_service_gets_its_package_and_every_paper_its_size(open_page: Open, folder: Path) -> None:
    path = folder / "decks/ordered.yaml"
    path.write_text("template: poker-basic\ncards: [{name: Axe}, {name: Bow}]\n", "utf-8")
    page = open_page("#/ordered/sheets").page
    page.locator(".paper img").first.wait_for()
    page.keyboard.press("Control+p")
    dialog = page.get_by_role("dialog")
    for target, kind in (("makeplayingcards", "ZIP"), ("letter", "PDF")):
        dialog.get_by_label("Paper").select_option(target)
        with page.expect_download() as waiting:
            dialog.get_by_role("button", name=f"Download {kind}").click()
        if kind == "ZIP":
            names = ZipFile(waiting.value.path()).namelist()
            assert {Path(name).suffix for name in names} >= {".png", ".xml"}, "with an order"
        else:
            wide, high = PdfReader(waiting.value.path()).pages[0].mediabox[2:]
            assert sorted(map(round, (float(wide), float(high)))) == [612, 792]
    page.keyboard.press("Escape")
    path.unlink()


def find_left(sheet: Locator) -> float:
    """Return where the backs on a sheet begin, in mm from its left edge."""
    taken = sheet.screenshot(animations="disabled")
    picture = Image.open(io.BytesIO(taken)).convert("RGB")
    row = (picture.getpixel((x, picture.height // 8)) for x in range(picture.width))
    first = next(
        x for x, seen in enumerate(row) if isinstance(seen, tuple) and seen[2] > seen[0] + 30
    )
    return 210 * first / picture.width


def lay(page: Page) -> list[dict[str, Any]]:
    """Return where the cards of the fronts lie on the first sheet."""
    told: dict[str, Any] = page.evaluate(
        "async () => (await fetch('api/sheets/weapons?sides=fronts')).json()"
    )
    cards: list[dict[str, Any]] = told["pages"][0]["cards"]
    return cards


def test_an_answer_that_is_late_shows_nothing_of_another_choice(open_page: Open) -> None:
    page = open_page("#/weapons/sheets", language="en-GB").page
    expect(page.locator(".paper")).to_have_count(2)
    held: list[Route] = []
    page.route("**/api/sheets/weapons?target=one-up", lambda route: held.append(route))
    page.get_by_label("Target").select_option("one-up")
    wait_for_route(page, held)
    page.get_by_label("Target").select_option("letter")
    expect(page.locator(".tally")).to_have_text("2 pages")
    with page.expect_response("**/api/sheets/weapons?target=one-up"):
        held[0].continue_()
    page.wait_for_timeout(100)
    expect(page.locator(".tally")).to_have_text("2 pages")
    late: list[Route] = []
    page.route("**/api/boxes/weapons/sword/front*", lambda route: late.append(route))
    page.evaluate("location.hash = '#/weapons/card/sword'")
    page.get_by_role("button", name="Boxes").click()
    wait_for_route(page, late)
    page.get_by_role("button", name="Back", exact=True).click()
    boxes = page.locator(".overlay .box")
    expect(boxes).to_have_count(1)
    with page.expect_response("**/api/boxes/weapons/sword/front*"):
        late[0].continue_()
    page.wait_for_timeout(100)
    expect(boxes).to_have_count(1)


def wait_for_route(page: Page, held: list[Route]) -> None:
    """Wait until something is asked for and held back."""
    for _ in range(1_000):
        if held:
            return
        page.wait_for_timeout(10)
    raise AssertionError("it is never asked for")


def test_only_what_changed_is_shown_and_printed(open_page: Open, folder: Path) -> None:
    build("weapons")
    page = open_page("#/weapons/sheets").page
    expect(page.locator(".paper")).to_have_count(2)
    page.get_by_role("button", name="Trim").click()
    expect(page.locator(".overlay .trim")).to_have_count(8)
    page.get_by_role("button", name="Only what changed").click()
    expect(page.get_by_role("heading", name="No sheets")).to_be_visible()
    write(folder, "text: Cuts **deep**.", "text: Cuts wide.")
    expect(page.locator(".overlay .trim")).to_have_count(4)
    page.keyboard.press("Control+p")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Only what changed since").check()
    expect(dialog.get_by_label("An earlier output")).to_have_value("output/weapons.pdf")
    expect(dialog.get_by_text("Nothing to complain of.")).to_be_visible()
    with page.expect_download() as waiting:
        dialog.get_by_role("button", name="Download PDF").click()
    text = PdfReader(waiting.value.path()).pages[0].extract_text()
    assert (text.count("Sword"), text.count("Shield")) == (2, 0)
    shutil.rmtree(folder / "output")


def test_a_hand_is_dealt_by_the_decks_rules_and_played(open_page: Open, folder: Path) -> None:
    page = open_page("#/weapons/deal").page
    size = page.get_by_label("Cards in a hand")
    expect(size).to_have_value("4")
    rules = "deal: {hand: 0, players: 3, points: {to: 1000, each: 500}, aside: [shield]}\n"
    write(folder, "back: plain-back\n", f"back: plain-back\n{rules}")
    expect(page.get_by_text("1 card set aside")).to_be_visible()
    expect(size).to_have_value("0")
    points = page.get_by_label("Points of the game")
    points.fill("1999")
    points.blur()
    expect(size).to_have_value("1")
    page.get_by_label("Seed").fill("7")
    page.get_by_label("Seed").blur()
    hands = page.locator(".hand")
    dealt = []
    for _ in range(2):
        page.get_by_role("button", name="Deal hands").click()
        expect(page.get_by_role("button", name="Draw, 0 cards")).to_be_visible()
        dealt.append(
            [hands.nth(n).locator(".played").get_attribute("aria-label") for n in range(3)]
        )
    assert dealt[0] == dealt[1], "the seed alone decides"
    assert sorted(map(str, dealt[0])) == ["Bow", "Sword", "Sword"]

    page.get_by_label("Players").fill("2")
    page.get_by_label("Players").blur()
    page.get_by_role("button", name="Shuffle").click()
    expect(hands.locator(".played")).to_have_count(2)
    expect(page.get_by_role("button", name="Draw, 1 card")).to_be_visible()
    hands.first.locator(".played").press("Enter")
    page.keyboard.press("Enter")
    laid = page.locator(".laid .played")
    expect(laid).to_have_count(1)
    laid.click()
    check_access(page)
    page.get_by_role("menuitem", name="Add a token").click()
    expect(page.locator(".played-tokens")).to_have_text("1")
    laid.click()
    page.get_by_role("menuitem", name="Turn over").click()
    expect(laid).to_have_accessible_name("A card, face down, 1 token")
    laid.click()
    page.get_by_role("menuitem", name="Discard").click()
    expect(page.get_by_role("button", name="Discard, 1 card")).to_be_visible()
    page.get_by_role("button", name="Draw", exact=True).last.click()
    expect(hands.last.locator(".played")).to_have_count(2)


# New decks


def test_a_dropped_file_becomes_a_deck_with_three_clicks(open_page: Open, folder: Path) -> None:
    page = open_page("#/import").page
    names = page.locator(".found-card h2")

    def choose(name: str, text: bytes) -> None:
        page.locator("input[type=file]").set_input_files(
            FilePayload(name=name, mimeType="text/plain", buffer=text)
        )

    choose("gifts.md", GIFTS.read_bytes())
    expect(names).to_have_text(
        ["Blade of Dawn", "Every hero", "Cloak of Snow", "Horn of Storms", "Fallen heroes"]
    )
    expect(page.locator('.found-card[data-look="true"] .unsure')).to_have_count(5)
    page.locator('.source-line[data-at="17"]').hover()
    page.get_by_role("button", name="“Ring of Embers” is a name").click()
    expect(names).to_have_count(7)
    wrong = page.locator(".found-card", has_text="Every hero")
    wrong.get_by_role("button", name="Leave out").click()
    page.locator('.source-line[data-at="25"]').hover()
    page.locator(".line-tools").get_by_role("button", name="Leave out").click()
    smith = page.get_by_text("Written down by the smith")
    expect(smith).to_have_count(1)
    page.locator(".line-tools").get_by_role("button", name="Belongs to the card above").click()
    expect(smith).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    right = ["Blade of Dawn", "Cloak of Snow", "Horn of Storms", "Ring of Embers", "Staff of Ash"]
    expect(names).to_have_text(right)
    expect(smith).to_have_count(1)
    expect(page.get_by_text("Turns one spell aside.")).to_have_count(2)
    check_both_looks(page)
    page.get_by_role("button", name="Write the deck").click()
    expect(page.locator(".card-name")).to_have_text(right)
    written = (folder / "decks/gifts.yaml").read_text(encoding="utf-8")
    assert "Turns one spell aside." in written
    assert "Every hero" not in written and "the smith" not in written

    drop(page.locator("body"), "gifts.md", GIFTS.read_bytes())
    page.get_by_role("button", name="Write the deck").click()
    expect(page.get_by_role("alert").last).to_contain_text("decks/gifts.yaml exists")

    page.evaluate("location.hash = '#/'")
    page.evaluate("location.hash = '#/import'")
    prose = "on that day too we walked on and nobody spoke of it, for the road was wet;\n" * 12
    choose("north.txt", f"{prose}\n{ARTICLE}".encode())
    expect(page.get_by_role("alert")).to_contain_text("import/little-found")
    page.get_by_role("button", name="These are the cards").first.click()
    expect(names).to_have_text(["Sword of Ice", "Horn of Storms", "Cloak of Snow"])
    page.get_by_role("button", name="Undo").click()
    expect(names.first).to_contain_text("SWORD OF ICE, HORN OF STORMS")
    page.get_by_role("region", name="Source").focus()
    for _ in range(14):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(names).to_have_text(["Sword of Ice", "Horn of Storms", "Cloak of Snow"])
    first = page.locator(".found-card").first
    first.get_by_role("button", name="One with another").click()
    page.get_by_role("button", name="These two are one").last.click()
    expect(names).to_have_text(["Sword of Ice", "Horn of Storms"])
    page.get_by_role("button", name="It is right").click()
    expect(page.locator(".notice.warning")).to_have_count(0)


SAID = """() => {
    const ours = ['.toolbar', '.notice', '.found-tools', '.found-doubt', '.guesses p', '.unsure',
        '.found-card > header > .quiet', '.line-tools', '.drop', '.start-head', '.finding'];
    const texts = [];
    const inner = ours.flatMap((one) => [...document.querySelectorAll(`#main ${one}`)]);
    for (const one of inner) {
        const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const { data, parentElement } = walker.currentNode;
            if (!parentElement.closest('[lang=en], .mono, h1, h2')) texts.push(data);
        }
    }
    const titles = [...document.querySelectorAll('#main [title], #main [aria-label]')]
        .flatMap((one) => [one.title, one.getAttribute('aria-label')]);
    return [...texts, ...titles].filter((text) => text?.trim());
}"""
DOUBTFUL = """name;Kosten;Kunst;Art;text
Axe;3;;art.png;Hews **deep** [[wood]].
Bow;viele;;art.png;Shoots {{far}}.
Cup;2;x;art.png
Cup;5;;art.png;Another one of the name.
;;;;
Summe;10;;;
"""


def test_a_german_import_says_all_in_german(open_page: Open) -> None:
    """But what stands in the file, and the program's own words, which are marked as English."""
    page = open_page(NOWHERE, language="de-DE").page
    known = [re.compile(line) for line in list_german_lines()]
    prose = "on that day too we walked on and nobody spoke of it, for the road was wet;\n" * 12
    seen: list[str] = []
    for name, text, ready in (
        ("", "", ".drop"),
        ("gifts.md", GIFTS.read_text(encoding="utf-8"), ".found-card"),
        ("some.csv", DOUBTFUL, ".found-card"),
        ("north.txt", f"{prose}\n{ARTICLE}", ".guesses"),
        ("none.txt", "nothing\n", ".finding"),
    ):
        if name:
            drop(page.locator("body"), name, text.encode())
            expect(page.locator(".toolbar h1")).to_have_text(name)
        page.locator(ready).first.wait_for()
        for line in page.locator(".source-line").all()[:40]:
            line.dispatch_event("pointerover")
            seen += page.evaluate(SAID)
        seen += page.evaluate(SAID)
    strange = {one for one in seen if not any(line.fullmatch(one.strip()) for line in known)}
    assert strange == set()
    assert {"Weglassen", "unsicher", "Das sind die Karten"} <= {*seen}
    assert sum("„" in one for one in {*seen}) > 5, "doubts, and what may be a name"
    expect(page.get_by_role("button", name="Editor")).to_have_count(0)  # which cannot open it
    expect(page.locator(".finding .mono", has_text="none.txt")).to_be_visible()

    # In another language it is the same file still, and what was clicked.
    drop(page.locator("body"), "gifts.md", GIFTS.read_bytes())
    page.locator(".found-card", has_text="Every hero").get_by_role(
        "button", name="Weglassen"
    ).click()
    expect(page.locator(".found-card")).to_have_count(3)
    page.get_by_role("button", name="Einstellungen").click()
    page.get_by_label("Sprache").select_option("en")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Leave out")).to_have_count(3)


def list_german_lines() -> list[str]:
    """Return patterns of all that the studio says in German."""
    entries = [german for _, german in read_entries().values()]
    faults = (WEB / "faults.js").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in entries] + re.findall(r'"((?:[^"\\]|\\.)+)"', faults)
    patterns = []
    for line in lines:
        parts = re.split(r"(\{\w+\}|\[[^\]]*\])", line)
        whole = "".join(".*" if part[:1] in "{[" and part else re.escape(part) for part in parts)
        patterns.append(whole)
    reasons = [f"Weggelassen: {pattern}" for pattern in patterns]
    return [*patterns, *reasons, "Fehler:", r"\d+ .*(Zeilen|Überschriften|Punkte).*", r"[a-z_]+ .*"]


def test_a_new_deck_has_a_card_in_a_template_of_ones_own(
    open_page: Open, studio: Studio, folder: Path
) -> None:
    """It waits for none of the covers that are drawn meanwhile, which here takes for ever."""
    page = open_page(NOWHERE).page
    numbers = itertools.count()

    def ask_for_a_small_one(route: Route) -> None:
        address = route.request.url.partition("cover/")[0]
        route.continue_(url=f"{address}cover/weapons?dpi=36&n={next(numbers)}")

    page.route("**/cover/*", ask_for_a_small_one)
    studio.get("api/decks")
    with holding(studio.session.clerk):
        page.evaluate("location.hash = '#/'")
        page.locator(".cover img").nth(6).wait_for(state="attached")
        page.wait_for_timeout(200)
        make_new_deck(page)
        assert next(numbers) > 6
    assert "template: plain\n" in read(folder, "night-day.yaml")
    page.unroute("**/cover/*")


def test_a_deck_without_cards_gets_its_first_one_here(open_page: Open, folder: Path) -> None:
    path = folder / "decks/begun.csv"
    path.write_text("name,colour,text\n", encoding="utf-8")
    page = open_page(NOWHERE).page
    page.route("**/cover/*", lambda _: None)  # as long as none of them is drawn
    page.evaluate("location.hash = '#/'")
    cover = page.get_by_role("link", name="Begun")
    expect(cover).to_contain_text("decks/begun.csv · no cards yet")
    other = page.get_by_role("link", name="Weapons").locator(".blank")
    expect(other).to_have_text("Its first card is being drawn …")
    page.unroute("**/cover/*")
    cover.click()
    expect(page.get_by_role("heading", name="This deck has no cards yet")).to_be_visible()
    check_both_looks(page)
    expect(page.get_by_role("button", name="Print")).to_be_disabled()
    page.evaluate("location.hash = '#/begun/table'")
    page.get_by_role("button", name="Add the first card").click()
    page.get_by_label("Name of the new card").fill("Axe of Dawn")
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator(".sheet-of-card img").wait_for()
    assert read(folder, "begun.csv") == "name,colour,text\nAxe of Dawn\n"
    page.get_by_label("text", exact=True).fill("Hews.")
    page.keyboard.press("Control+s")
    undo = page.locator('[data-part="undo"]')
    expect(undo).to_have_accessible_name("Undo: text of “Axe of Dawn”")
    assert read(folder, "begun.csv") == "name,colour,text\nAxe of Dawn,,Hews.\n"
    take_step(page, "Undo")
    take_step(page, "Undo")
    expect(page.get_by_role("button", name="Add the first card")).to_be_visible()
    path.unlink()


@contextmanager
def holding(painter: Painter) -> Iterator[None]:
    """A process that does nothing meanwhile, and is not yet given up at the end."""
    process = painter.process
    assert process is not None
    os.kill(process, signal.SIGSTOP)
    try:
        yield
        assert painter.process == process
    finally:
        if painter.process == process:
            os.kill(process, signal.SIGCONT)


def make_new_deck(page: Page) -> None:
    page.get_by_role("button", name="New deck").click()
    template = page.get_by_label("Template")
    expect(template).to_have_value("poker-basic")
    expect(template.locator("optgroup").first.locator("option")).to_have_text(
        ["plain", "plain-back", "small"]
    )
    template.select_option("plain")
    page.get_by_label("Title").fill("Night & Day")
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".card-name")).to_have_text(["Night & Day"])


# What a deck says is text


MADE_BY_MARKUP = "body script, body img[onerror], body img[src='x'], body b"


def test_markup_in_a_deck_stays_text(open_page: Open, folder: Path) -> None:
    name = "<img src=x onerror=alert(3)>"
    path = folder / f"decks/{name}.yaml"
    path.write_text(HOSTILE, encoding="utf-8")
    try:
        page = open_page("#/" + "%3Cimg%20src%3Dx%20onerror%3Dalert(3)%3E/cards").page
        expect(page.locator(".card-name, .notice-text").first).to_contain_text("<")
        base = page.evaluate("location.hash.split('/').slice(0, 2).join('/')")
        for view, ready in (
            ("card/script-alert-1-script-img-src-x-onerror-alert-2", ".field"),
            ("table", "td"),
            ("deal", ".pile"),
            ("sheets", ".empty, .paper img"),
            ("cards", ".card-name"),
        ):
            page.evaluate("route => { location.hash = route }", f"{base}/{view}")
            page.wait_for_selector(ready)
            assert page.locator(MADE_BY_MARKUP).count() == 0
            if view in ("sheets", "cards"):
                page.keyboard.press("Control+p")
                page.wait_for_selector("dialog .finding")
                assert page.locator(MADE_BY_MARKUP).count() == 0
                page.keyboard.press("Escape")
            if view == "deal":
                page.get_by_role("button", name="Deal hands").click()
                page.locator(".hand .played").first.click()
                expect(page.get_by_role("menu")).to_be_visible()
                assert page.locator(MADE_BY_MARKUP).count() == 0
                page.keyboard.press("Escape")
        page.keyboard.press("p")
        expect(page.locator("#side .finding", has_text="<b>wrong")).to_be_visible()
        assert page.locator(MADE_BY_MARKUP).count() == 0
        page.keyboard.press("p")
        path.write_text(f"cards: [{{name: '{MARKUP}', text: [", encoding="utf-8")
        expect(page.locator("#banner .notice-line")).to_contain_text("<img src=x")
        assert page.locator(MADE_BY_MARKUP).count() == 0
        path.write_text(HOSTILE, encoding="utf-8")
        page.route("**/cover/*", lambda route: route.abort())
        page.evaluate("location.hash = '#/'")
        expect(page.locator(".cover", has_text="<script>")).to_be_visible()
        assert page.locator(MADE_BY_MARKUP).count() == 0
        page.unroute("**/cover/*")
        text = f"# {MARKUP}\n\n{MARKUP}\n\n# <b>Bow\n\nShoots {MARKUP}.\n\n# Axe\n\nHews.\n"
        drop(page.locator("body"), f"{MARKUP}.md", text.encode())
        expect(page.locator(".found-card h2").first).to_contain_text("script>alert(1)")
        expect(page.locator(".source-line").first).to_contain_text("<script>")
        expect(page.locator(".toolbar h1")).to_contain_text("<script>")
        assert page.locator(MADE_BY_MARKUP).count() == 0
    finally:
        path.unlink()


# For everybody


VIEWS = (
    ("cards", ".card img"),
    ("card/sword", ".sheet-of-card img"),
    ("table", "td"),
    ("deal", ".pile img"),
    ("sheets", ".paper img"),
)


def test_nothing_keeps_people_from_using_it(open_page: Open) -> None:
    page = open_page().page
    page.route(re.compile("/cover/(?!weapons)"), lambda route: route.abort())
    for route, ready in (
        *((f"#/weapons/{view}", ready) for view, ready in VIEWS),
        ("#/rules/cards", ".card img"),
        ("#/", ".cover img"),
    ):
        page.evaluate("route => { location.hash = route }", route)
        page.wait_for_selector(ready)
        if route != "#/rules/cards":  # which is a wall, too
            check_both_looks(page)
        else:
            ((shown),) = page.locator(".card").all()
            box = shown.locator(".cut").bounding_box()
            assert box is not None and abs(box["height"] / box["width"] - 297 / 210) < 0.02, (
                "a page"
            )
            expect(shown.locator(".card-name")).to_have_text("Rules in short")
        if route == "#/weapons/table":
            for name in ("Keys", "Settings"):
                page.get_by_role("button", name=name).click()
                expect(page.get_by_role("dialog")).to_be_visible()
                check_both_looks(page)
                page.keyboard.press("Escape")
        if route == "#/weapons/sheets":
            page.keyboard.press("Control+p")
            expect(page.get_by_text("Nothing to complain of.")).to_be_visible()
            check_both_looks(page)
            page.keyboard.press("Escape")


def reach(control: Locator, ratio: float) -> None:
    """Scroll to a control, anew where what is drawn meanwhile has pushed it away."""

    def is_seen() -> bool:
        control.scroll_into_view_if_needed()
        with suppress(AssertionError):
            expect(control).to_be_in_viewport(ratio=ratio, timeout=1_000)
            return True
        return False

    assert any(is_seen() for _ in range(20)), control


def test_all_is_within_reach_at_two_hundred_per_cent_and_on_the_smallest_phone(
    open_page: Open, folder: Path
) -> None:
    """What a window of 1280 by 800 shows so large is 640 by 400."""
    path = folder / "decks/wide.yaml"
    path.write_text(DECK.replace("Cuts **deep**.", "Cuts. " * 300), encoding="utf-8")
    page = open_page("#/wide/card/sword").page
    try:
        for width, height in ((640, 400), (320, 640)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("location.hash = '#/wide/card/sword'")
            for control in (page.get_by_label("Name", exact=True), page.get_by_label("Zoom")):
                reach(control, 1)
            page.evaluate("location.hash = '#/wide/deal'")
            page.locator(".pile img").first.wait_for()
            for control in (
                page.locator(".pile").first,
                page.get_by_role("button", name="Deal hands"),
                page.locator(".hand button").last,
            ):
                reach(control, 0.9)
            page.locator("#bar button", has_text="1").click()
            page.locator("#side .finding").first.wait_for()
            check_room(page, f"{width} x {height}")
            page.locator("#side").get_by_role("button", name="Close").click()
    finally:
        page.set_viewport_size({"width": 1200, "height": 800})
        path.unlink()


def check_both_looks(page: Page) -> None:
    """Look at a view in the dark on a phone and on a tablet, and by day on a screen."""
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    check_room(page, "a phone")
    page.set_viewport_size({"width": 820, "height": 1100})
    check_access(page, "color-contrast", "target-size", "scrollable-region-focusable")
    check_room(page, "a tablet")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1200, "height": 800})
    check_access(page)


def check_room(page: Page, where: str) -> None:
    """Nothing of the bar lies outside, and no control stands alone in a row of its own."""
    over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert over <= 0, f"{page.url} fits {where}"
    hidden = """() => [...document.querySelectorAll('#bar a, #bar button, #bar select')]
        .filter((one) => one.offsetWidth && (one.getBoundingClientRect().right > innerWidth
            || one.offsetWidth < 20)).map((one) => one.outerHTML)"""
    assert page.evaluate(hidden) == [], f"{page.url} on {where}"
    steps = page.locator('[data-part="undo"]:visible, [data-part="redo"]:visible')
    expect(steps).to_have_count(2 if page.locator(".views").count() else 0)
    alone = """() => {
        const rows = {};
        for (const one of document.querySelectorAll(
            '.toolbar :is(h1, a, button, select, input)')) {
            const box = one.getBoundingClientRect();
            const row = Math.round((box.top + box.bottom) / 20);
            (rows[row] ??= []).push(one.outerHTML);
        }
        const all = Object.values(rows);
        const isAlone = (row) => row.length === 1 && !row[0].startsWith('<h1');
        return all.length > 1 ? all.filter(isAlone) : [];
    }"""
    assert page.evaluate(alone) == [], f"{page.url} on {where}"


def wait_for_rest(page: Page) -> None:
    """Wait until no colour is on its way to another."""
    page.wait_for_function(
        "() => document.getAnimations().every((one) => one.playState !== 'running')"
    )


def check_access(page: Page, *rules: str) -> None:
    """Nothing keeps people from using what a page shows, or a dialogue before it, by some rules or
    by all; colours are on their way to no others.
    """
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(read_axe())
        still = "*, ::before, ::after { animation: none !important; transition: none !important }"
        page.evaluate("rule => document.styleSheets[0].insertRule(rule)", still)
    options = {"resultTypes": ["violations"], "preload": False}
    if rules:
        options["runOnly"] = list(rules)
    look = "options => axe.run(document.querySelector('dialog[open]') ?? document, options)"
    found = page.evaluate(look, options)["violations"]
    assert [(page.url, one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_language_and_light_are_those_of_the_system_and_light_is_switched(
    open_page: Open,
) -> None:
    page = open_page(scheme="dark", language="de-DE").page
    expect(page.get_by_role("link", name="Karten", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "de"
    ground = "getComputedStyle(document.body).backgroundColor"
    expect(page.locator(".card").first).to_be_visible()
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Hell", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.wait_for_function(
        "dark => getComputedStyle(document.body).backgroundColor !== dark", arg=dark
    )
    wait_for_rest(page)
    light = page.evaluate(ground)
    assert dark != light
    page.evaluate("location.hash = '#/weapons/sheets'")
    shown = page.get_by_label("Ziel").locator("option:checked")
    expect(shown).to_have_text("A4 auf dem Drucker zu Hause")
    expect(page.get_by_label("Ziel")).to_have_attribute(
        "title", "mit Lineal und Messer geschnitten"
    )
    cut = """select => {
        const pen = new OffscreenCanvas(1, 1).getContext('2d');
        pen.font = getComputedStyle(select).font;
        const room = select.clientWidth - 12 - 32;
        const titles = [...select.options].map((one) => one.text);
        return titles.filter((one) => pen.measureText(one).width > room);
    }"""
    assert page.get_by_label("Ziel").evaluate(cut) == [], "no title is cut"
    page.evaluate("location.hash = '#/weapons/cards'")
    name = """async (problem) => (await import('./web/german.js')).nameFault(problem)"""
    unknown = {"code": "name/unknown", "message": "", "details": {"name": "gon.png", "near": []}}
    assert page.evaluate(name, unknown) == "Nicht gefunden: „gon.png“"
    wrong = (
        """async () => (await import('./web/editing.js')).readValue('["fire", ', 'list', null)"""
    )
    with pytest.raises(Error, match="Hier stimmt eine Klammer"):
        page.evaluate(wrong)
    unknown["details"] = {"name": "gon.png", "near": ["gone.png", "done.png"]}
    said = "Nicht gefunden: „gon.png“; gemeint ist wohl „gone.png“, „done.png“"
    assert page.evaluate(name, unknown) == said
    wide = {"code": "text/too-long", "message": "", "details": {"needed": 1012.345, "room": 9}}
    assert page.evaluate(name, wide).endswith(": er braucht 1.012,35 mm, da sind 9 mm")
    assert page.evaluate(name, {"code": "code/none", "message": "As it is"}) == "As it is"
    with pytest.raises(CardgenError) as raised:
        parse_yaml("cards:\n  - name: [Axe\n    text: x\n", "torn.yaml", [])
    (torn,) = raised.value.problems
    coarse = {
        "code": "preflight/resolution",
        "message": "",
        "details": {"found": 90, "wanted": 300},
    }
    assert page.evaluate(name, coarse).endswith(": 90 je Zoll, gewünscht sind 300")
    told = {"code": torn.code, "message": torn.message, "details": dict(torn.details)}
    said = ": eine eckige Klammer ist nicht geschlossen, in dem, was in Zeile 2 beginnt"
    assert page.evaluate(name, told).endswith(said)
    doubt = """async (doubt) => (await import('./web/german.js')).nameDoubt(doubt)"""
    misread = {"kind": "misread", "details": {"said": "1O", "figure": 10}}
    assert page.evaluate(doubt, misread).endswith(" falsch gelesen: „1O“ als 10")
    draw = """async (problem) =>
        (await import('./web/problems.js')).drawFinding(problem).textContent"""
    long = {"code": "text/too-long", "message": "its text is long", "cure": "Shorten the text."}
    finding = page.evaluate(draw, long)
    assert "Der Text ist zu lang" in finding and "AbhilfeKürze ihn" in finding
    assert "its text is long" in finding and "Shorten" not in finding
    page.route("**/events?*", lambda route: route.abort())  # as of a server that was killed
    page.reload()
    expect(page.locator(".card").first).to_be_visible()
    assert page.evaluate(ground) == light, "the switch is kept"
    expect(page.locator("#banner")).to_contain_text("Der Server des Studios ist beendet")
