"""Decks of very many cards, each of which is held in little memory."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Sequence

import pytest
from conftest import Project
from making import build, load_deck

from cardgen.deck import check, tables
from cardgen.deck.model import Copies, Copy, Deck, PackedFields, Value

TEXT = "Cuts well and costs \N{MINUS SIGN}1 to whoever holds it by the wrong end. "
FIELDS: dict[str, Value] = {
    "cost": 3,
    "kind": None,
    "text": TEXT * 4,
    "list": ["a", TEXT],
    "odd": "\udc80" * 50,
    "short": "at once",
}


def write_deck(project: Project, count: int = 500) -> None:
    rows = "".join(f"Card {n},{n % 7},{TEXT * (3 + n % 2)}{n}\n" for n in range(count))
    rows += 'Blank,,"  "\n'
    project.write("decks/deck.csv", f"name,cost,text\n{rows}")


def pack_from(monkeypatch: pytest.MonkeyPatch, cards: int) -> None:
    for module in (check, tables):
        monkeypatch.setattr(module, "MANY_CARDS", cards)


def measure() -> tuple[Deck, int]:
    tracemalloc.start()
    deck = load_deck("decks/deck.csv")
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return deck, size


def test_packed_fields_are_those_that_were_packed() -> None:
    packed = PackedFields({name: place for place, name in enumerate(FIELDS)}, FIELDS.values())
    assert packed == FIELDS
    assert {**packed} == FIELDS
    assert pickle.loads(pickle.dumps(packed)) == FIELDS
    with pytest.raises(KeyError):
        packed["none"]


def test_the_cards_of_a_large_deck_are_the_same_and_take_less(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_deck(project)
    load_deck("decks/deck.csv")  # what is loaded once
    pack_from(monkeypatch, 1_000)
    plain, large = measure()
    pack_from(monkeypatch, 100)
    packed, small = measure()
    assert isinstance(packed.cards[0].fields, PackedFields)
    assert not isinstance(plain.cards[0].fields, PackedFields)
    assert packed == plain
    assert small < 0.75 * large


def test_a_large_deck_prints_what_it_would_print_anyhow(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write_template("<text>{{ card.name }} {{ card.cost }} {{ card.text }}</text>", "it")
    write_deck(project, 40)
    project.write("decks/deck.yaml", "template: it\ncards: deck.csv\n")
    data = build("decks/deck.yaml").path.read_bytes()
    pack_from(monkeypatch, 10)
    assert build("decks/deck.yaml").path.read_bytes() == data


def test_copies_are_a_row_like_any_other() -> None:
    told = [Copy(design, number) for design in (70_000, 3, 0) for number in range(3)]
    copies = Copies(told)
    row: Sequence[Copy] = copies
    assert list(row) == told
    assert (len(row), row[0], row[-1], list(row[2:7:2])) == (9, told[0], told[-1], told[2:7:2])
    assert copies == Copies(iter(told)) != Copies(told[1:])
    assert pickle.loads(pickle.dumps(copies)) == copies
    assert not Copies(())
