"""What a stranger may send: every case that once went wrong, some sound ones, and some that are
spoiled anew. `make fuzz` tries many more.
"""

from __future__ import annotations

import pytest
from cases import Case
from found import FOUND
from fuzz import count_seeds, make_case, warm_up
from judge import judge, judge_together

SPOILED = 60


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    warm_up()


@pytest.mark.parametrize("case", FOUND.values(), ids=FOUND.keys())
def test_a_case_that_was_found(case: Case) -> None:
    assert judge(case, card=0.1) == []


@pytest.mark.parametrize("first", range(5))
def test_some_cases(first: int) -> None:
    sound = count_seeds()
    numbers = [*range(first, sound, 20), *range(sound + first, sound + SPOILED, 5)]
    found = judge_together([make_case(number, seed=1) for number in numbers])
    assert {number: faults for number, faults in zip(numbers, found, strict=True) if faults} == {}
