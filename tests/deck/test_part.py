"""One card of a deck read anew: what comes of it is what the whole deck read anew would be."""

from __future__ import annotations

import pytest
from conftest import Project
from making import load_deck

from cardgen.deck.model import Deck
from cardgen.deck.part import read_lines, read_part

DECK = """\
# A deck.
title: Arms
template: plain
defaults: {kind: arm}
cards:
  - name: Sword
    note: |
      sharp
      and long
  # the second
  - name: Shield
    count: 2
    note: round
    template: broad

  - name: Axe
    note: heavy
"""


def change(project: Project, before: str, after: str) -> tuple[Deck | None, Deck]:
    """The deck with one card read anew, and with all of it read anew."""
    path = project.write("decks/deck.yaml", before)
    deck, lines = load_deck("deck"), read_lines(path)
    path.write_text(after, encoding="utf-8")
    return read_part(deck, lines, read_lines(path)), load_deck("deck")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sharp", "blunt"),
        ("sharp", "*very* sharp, &c: *all*"),
        ("      sharp\n", ""),
        ("note: round", "note: round\n    kind: shield"),
        ("name: Shield", "name: Buckler"),
        ("round", "round # as a plate"),
        ("note: heavy\n", "note: heavy\n    kind: tool\n\n"),
        ("  # the second\n", "  # the second one\n  # of three\n"),
    ],
)
def test_a_change_within_a_card(project: Project, old: str, new: str) -> None:
    part, whole = change(project, DECK, DECK.replace(old, new))
    assert part == whole
    assert part is not None
    for one, other in zip(part.cards, whole.cards, strict=True):
        assert (one.where, one.places) == (other.where, other.places)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title: Arms", "title: Tools"),  # the head
        ("count: 2", "count: 3"),  # the places of all others
        ("note: round", "weight: 5"),  # a field that no card had
        ("name: Axe", "name: Sword"),  # another card's name
        ("name: Axe", "name: Axe\n  - name: Spear"),  # two cards
        ("  - name: Axe\n    note: heavy\n", ""),
        ("note: round", "note: *other"),  # a value of another card
        ("sharp", "sharp\n    note: long"),  # a problem
        ("note: heavy", "note: [heavy"),
        ("template: broad", "template: plain"),
    ],
)
def test_a_change_of_more_is_left_to_others(project: Project, old: str, new: str) -> None:
    path = project.write("decks/deck.yaml", DECK)
    deck, lines = load_deck("deck"), read_lines(path)
    assert read_part(deck, lines, DECK.replace(old, new).split("\n")) is None


def test_a_deck_that_is_not_so_simple(project: Project) -> None:
    project.write("decks/base.yaml", DECK)
    path = project.write("decks/deck.yaml", "extends: base\nadd:\n  - name: Bow\n    note: long\n")
    deck, lines = load_deck("deck"), read_lines(path)
    assert read_part(deck, lines, [line.replace("long", "short") for line in lines]) is None
