"""Faces as text: each element of the template language, and a few faces of shipped decks.

A template under golden/templates, filled with golden/cards.yaml, has its text under golden/. After
a change that is meant, `make golden` writes the texts anew; the diff shows what it did. A golden
text shows a rule: of a deck there are only the faces that show one which no other text shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path

import pytest
from making import load_deck
from strategies import list_faces

from cardgen.deck.model import Deck
from cardgen.template.vocabulary import ELEMENTS

GOLDEN = Path(__file__).parent / "golden"
TEMPLATES = sorted(path.stem for path in (GOLDEN / "templates").glob("*.xml"))
BASE = "base"  # what others extend
# Of each deck the faces that show a rule of their own.
FACES = {
    "magic": (
        "Sword of Fate: front",  # an ordinary card, in the size that all cards share
        "Sword of Fate: back",  # the one back of all cards
        "Staff of Spellbinding: front",  # the fullest: its text decides that size
        "Sword of Weakness: front",  # a cost below 0, in a corner of its own
    ),
    "artillery": ("Cannon: front",),  # bars to scale, paths and rows in one card
    "magic-box": ("Magic Items: front",),  # one sheet with turned sides
}
# A sheet whose flow is long enough to be stretched and balanced: where its headings stand.
SHEET = "playsheet-full"
HEADING = re.compile(r'## | *text \S+ \S+ ".*" (Cinzel|Alegreya Sans 800) ')


def dump_faces(deck: Deck) -> Iterator[tuple[str, str]]:
    """Give the name and the text of each face of a deck; equal ones only once."""
    for card, side, face in list_faces(deck):
        name = f"{card.name}: {side}"
        yield name, f"## {name}\n{face.dump()}"


def compare(name: str, text: str, *, renew: bool) -> None:
    path = GOLDEN / f"{name}.txt"
    if renew:
        path.write_text(text, encoding="utf-8")
        return
    if not path.exists():
        pytest.fail(f"there is no {path.name}; `make golden` writes it", pytrace=False)
    golden = path.read_text(encoding="utf-8")
    if text != golden:
        lines = (golden.splitlines(), text.splitlines())
        diff = unified_diff(*lines, f"golden/{path.name}", "now", lineterm="", n=1)
        pytest.fail("\n".join(diff), pytrace=False)


@pytest.fixture
def renew(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--renew-golden"))


@pytest.mark.parametrize("template", [name for name in TEMPLATES if name != BASE])
def test_elements(template: str, renew: bool) -> None:
    deck = load_deck(GOLDEN / "cards.yaml")
    cards = tuple(replace(card, template=template) for card in deck.cards)
    compare(template, "\n".join(dict(dump_faces(replace(deck, cards=cards))).values()), renew=renew)


@pytest.mark.parametrize("name", FACES)
def test_a_deck(name: str, renew: bool) -> None:
    deck = load_deck(name)
    dumped = dict(dump_faces(deck))
    sides = [face.rpartition(": ")[2] for face in dumped]
    assert sides.count("front") == len(deck.cards)
    assert sides.count("back") == any(card.back for card in deck.cards), "all have the same back"
    compare(name, "\n".join(dumped[face] for face in FACES[name]), renew=renew)


def test_where_the_headings_of_a_sheet_stand(renew: bool) -> None:
    lines = "\n".join(text for _, text in dump_faces(load_deck(SHEET))).splitlines()
    headings = [line for line in lines if HEADING.match(line)]
    compare(SHEET, "\n".join(headings) + "\n", renew=renew)


def test_the_selection_is_not_empty() -> None:
    """A renamed folder or card must not leave this file green with nothing compared."""
    assert len(TEMPLATES) > 10
    assert all(FACES.values())
    for path in GOLDEN.glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert text.startswith("## "), path.name
        assert "\ntext " in text or "\npath " in text or "\nform " in text, path.name


def test_every_element_and_attribute_has_a_golden_text() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (GOLDEN / "templates").glob("*.xml")]
    whole = " ".join(" ".join(sources).split())
    missing = [tag for tag in ELEMENTS if f"<{tag}" not in whole]
    known = {attribute for kind in ELEMENTS.values() for attribute in kind.attributes}
    missing += [attribute for attribute in sorted(known) if f' {attribute}="' not in whole]
    assert missing == []


def test_no_golden_text_is_left_over() -> None:
    texts = {path.stem for path in GOLDEN.glob("*.txt")}
    assert texts - {*FACES, SHEET} == set(TEMPLATES) - {BASE}


def test_a_difference_is_told_as_a_diff() -> None:
    with pytest.raises(pytest.fail.Exception) as caught:
        compare("box", (GOLDEN / "box.txt").read_text(encoding="utf-8") + "more\n", renew=False)
    assert str(caught.value).startswith("--- golden/box.txt\n+++ now\n@@ ")
    assert str(caught.value).endswith("\n+more")
