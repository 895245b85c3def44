"""What a stranger may send: every case that once went wrong, and a few new ones. `make fuzz` tries
many more.
"""

from __future__ import annotations

import pytest
from cases import Case
from found import FOUND
from fuzz import make_case, warm_up
from judge import judge


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    warm_up()


@pytest.mark.parametrize("case", FOUND.values(), ids=FOUND.keys())
def test_a_case_that_was_found(case: Case) -> None:
    assert judge(case, card=0.1) == []


@pytest.mark.parametrize("first", range(0, 90, 15))
def test_some_cases(first: int) -> None:
    found = {number: judge(make_case(number, seed=1)) for number in range(first, first + 15)}
    assert {number: faults for number, faults in found.items() if faults} == {}
