"""What a stranger may send: every case that once went wrong, some sound ones, and some that are
spoiled anew. `make fuzz` tries many more.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from cases import Case
from found import FOUND, FOUND_SECONDS
from fuzz import count_seeds, make_case, warm_up
from judge import CARD_SECONDS, judge_together

SPOILED = 60
HANDS = 12  # of the cases that were found; those of one share a process


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    warm_up()


def find_faults(
    names: Sequence[object], cases: Sequence[Case], *, card: float = CARD_SECONDS
) -> dict[object, list[str]]:
    """What is wrong with each case that is not taken as it should be."""
    found = judge_together(cases, card=card)
    return {name: faults for name, faults in zip(names, found, strict=True) if faults}


@pytest.mark.parametrize("first", range(HANDS))
def test_cases_that_were_found(first: int) -> None:
    names = list(FOUND)[first::HANDS]
    assert find_faults(names, [FOUND[name] for name in names], card=FOUND_SECONDS) == {}


@pytest.mark.parametrize("first", range(5))
def test_some_cases(first: int) -> None:
    sound = count_seeds()
    numbers = [*range(first, sound, 20), *range(sound + first, sound + SPOILED, 5)]
    assert find_faults(numbers, [make_case(number, seed=1) for number in numbers]) == {}
