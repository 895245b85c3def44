"""Whatever a file holds, reading it gives a Deck or a CardgenError, never another exception."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardgen.core.errors import CardgenError
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
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
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
