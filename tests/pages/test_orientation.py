"""Paper that may lie on its side does so where more cards fit."""

from __future__ import annotations

import pytest

from cardgen.core.geometry import Insets, Size
from cardgen.core.units import parse_size
from cardgen.pages.orientation import lay_on_side, orient_paper
from cardgen.pages.places import fit_grid
from cardgen.pages.target import Target, make_target

BEST = make_target("best", "Best", Size(300, 200), orientation="best", margin=Insets(1, 2, 3, 4))


def count_cells(card: Size, target: Target) -> int:
    return len(fit_grid(card, target).cells)


@pytest.mark.parametrize(
    ("card", "paper"),
    [
        (Size(100, 190), Size(300, 200)),
        (Size(190, 90), Size(200, 300)),
        (Size(90, 90), Size(300, 200)),
        (Size(500, 500), Size(300, 200)),
    ],
    ids=["given", "lying", "tie", "neither"],
)
def test_the_paper_lies_as_more_cards_fit(card: Size, paper: Size) -> None:
    best = BEST.change(margin=Insets())
    chosen = orient_paper(best, lambda target: count_cells(card, target))
    assert (chosen.paper.size, chosen.paper.orientation) == (paper, "given")
    given = best.change(orientation="given")
    assert orient_paper(given, lambda target: count_cells(card, target)) is given


def test_the_wider_margins_count_on_both_sides_of_paper_that_is_turned() -> None:
    assert lay_on_side(BEST).paper.margin == Insets(4, 3, 4, 3)


def test_eight_poker_cards_lie_on_a4_with_a_gap() -> None:
    target = make_target("t", "T", parse_size("a4"), orientation="best", gap_x=4, gap_y=4)
    target = target.change(margin=Insets.even(28))
    chosen = orient_paper(target, lambda way: count_cells(parse_size("poker"), way))
    assert chosen.paper.size == parse_size("a4 landscape")
    assert count_cells(parse_size("poker"), chosen) == 8
