"""Whatever a file holds, reading it gives a Deck or a CardgenError, never another exception."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples_in_one_folder

from cardgen.core.errors import CardgenError
from cardgen.deck.check import check_deck
from cardgen.deck.model import Deck
from cardgen.deck.raw import RawDeck
from cardgen.deck.read import read_deck_file

PIECES = st.sampled_from(
    [
        *"-:[]{},&*!|>'\"%@`#? \n\t~;",
        "cards:",
        "cards: t.csv\n",
        "- name: A\n",
        "name",
        "title: x\n",
        "count",
        "template",
        "id",
        "sheet: a\n",
        "defaults:",
        "---\n",
        "<<: ",
        "&a",
        "*a",
        "  ",
        "\r\n",
        "\x00",
        "\x85",
        "é",
        "1e5",
        "0x",
    ]
)
FILES = st.binary(max_size=60) | st.lists(PIECES, max_size=30).map(
    lambda pieces: "".join(pieces).encode()
)


@pytest.mark.parametrize("name", ["t.yaml", "t.csv", "t.md", "t.xlsx"])
@examples_in_one_folder(100)
@given(data=FILES)
def test_any_file_is_a_deck_or_an_error(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    try:
        deck = read_deck_file(path)
    except CardgenError as error:
        assert str(error).startswith(str(path))
    else:
        assert deck.cards
        assert len({card.id for card in deck.cards}) == len(deck.cards)
        assert len({tuple(card.fields) for card in deck.cards}) == 1


def test_the_raw_cards_of_a_large_deck_are_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They take as much memory as the cards; a variant and an overlay need those of their base."""
    left: list[int] = []
    check: Any = check_deck

    def note(raw: RawDeck, *rest: Any, **options: Any) -> Deck:
        deck: Deck = check(raw, *rest, **options)
        left.append(len(raw.cards))
        return deck

    monkeypatch.setattr("cardgen.deck.read.check_deck", note)
    (tmp_path / "deck.csv").write_text("name\nA\nB\n", encoding="utf-8")
    assert len(read_deck_file(tmp_path / "deck.csv").cards) == 2
    variant = tmp_path / "more.yaml"
    variant.write_text("extends: deck\nadd: [name: C]\n", encoding="utf-8")
    assert len(read_deck_file(variant).cards) == 3
    assert left == [0, 2, 0]
