"""Faces as text: each element of the template language, and every card of some decks.

A template under golden/templates, filled with golden/cards.yaml, has its text under golden/. After
a change that is meant, `make golden` writes the texts anew; the diff shows what it did.
"""

from __future__ import annotations

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
DECKS = ("magic", "magic-box", "tactics", "artillery", "playsheet", "playsheet-full", "cards-sheet")


def dump_faces(deck: Deck) -> Iterator[str]:
    """The faces of a deck in order; one that was there before is not dumped again."""
    for card, side, face in list_faces(deck):
        yield f"## {card.name}: {side}\n{face.dump()}"


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
    compare(template, "\n".join(dump_faces(replace(deck, cards=cards))), renew=renew)


@pytest.mark.parametrize("name", DECKS)
def test_a_deck(name: str, renew: bool) -> None:
    deck = load_deck(name)
    text = "\n".join(dump_faces(deck))
    backs = any(card.back for card in deck.cards)
    assert text.count(": back\n") == backs, "all cards have the same back"
    assert text.count(": front\n") == len(deck.cards)
    compare(name, text, renew=renew)


def test_every_element_and_attribute_has_a_golden_text() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (GOLDEN / "templates").glob("*.xml")]
    whole = " ".join(" ".join(sources).split())
    missing = [tag for tag in ELEMENTS if f"<{tag}" not in whole]
    known = {attribute for kind in ELEMENTS.values() for attribute in kind.attributes}
    missing += [attribute for attribute in sorted(known) if f' {attribute}="' not in whole]
    assert missing == []


def test_no_golden_text_is_left_over() -> None:
    texts = {path.stem for path in GOLDEN.glob("*.txt")}
    assert texts - set(DECKS) == set(TEMPLATES) - {BASE}


def test_a_difference_is_told_as_a_diff() -> None:
    with pytest.raises(pytest.fail.Exception) as caught:
        compare("box", (GOLDEN / "box.txt").read_text(encoding="utf-8") + "more\n", renew=False)
    assert str(caught.value).startswith("--- golden/box.txt\n+++ now\n@@ ")
    assert str(caught.value).endswith("\n+more")
