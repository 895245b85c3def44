"""How a deck says that it is dealt, and what is wrong with that."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.core.errors import CardgenError
from cardgen.deck.model import Deal, Points
from cardgen.deck.read import read_deck_file

CARDS = "cards: [{name: Sword, count: 3}, {name: Blank}]\n"


def test_a_deck_says_how_it_is_dealt_and_its_variants_too(tmp_path: Path) -> None:
    base = tmp_path / "base.yaml"
    deal = "deal: {hand: 3, points: {to: 3000, each: 1000}, aside: [blank]}\n"
    base.write_text(deal + CARDS, encoding="utf-8")
    told = Deal(3, 2, Points(3000, 1000, 1), ("blank",))
    assert read_deck_file(base).deal == told
    variant = tmp_path / "variant.yaml"
    variant.write_text("extends: base\ndrop: [blank]\n", encoding="utf-8")
    assert read_deck_file(variant).deal == told._replace(aside=())
    variant.write_text("extends: base\ndeal: {players: 4}\n", encoding="utf-8")
    assert read_deck_file(variant).deal == Deal(players=4)
    base.write_text(CARDS, encoding="utf-8")
    assert read_deck_file(base).deal is None


@pytest.mark.parametrize(
    ("deal", "code", "message"),
    [
        (
            "{hand: four}",
            "deck/bad-deal",
            'hand in deal must be a whole number from 0 to 100, not "four"',
        ),
        (
            "{players: 0}",
            "deck/bad-deal",
            "players in deal must be a whole number from 1 to 12, not 0",
        ),
        (
            "{points: {each: 0, to: 1}}",
            "deck/bad-deal",
            "points in deal must be a mapping as {to: 3000, each: 1000, more: 1} of whole"
            " numbers, not a mapping",
        ),
        ("{aside: blank}", "deck/bad-deal", 'aside in deal must be a list of ids, not "blank"'),
        ("{aside: [blnk]}", "deck/unknown-card", 'unknown card "blnk" in aside'),
        ("{hnd: 4}", "deck/unknown-key", 'unknown key "hnd" in deal'),
        ("[4]", "deck/bad-deal", "deal must be a mapping, as {hand: 4}"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    tmp_path: Path, deal: str, code: str, message: str
) -> None:
    path = tmp_path / "deck.yaml"
    path.write_text(f"deal: {deal}\n{CARDS}", encoding="utf-8")
    with pytest.raises(CardgenError) as raised:
        read_deck_file(path)
    (problem,) = raised.value.problems
    assert (problem.code, problem.message) == (code, message)
    assert problem.where is not None
    assert problem.where.line == 1
