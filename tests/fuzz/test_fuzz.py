"""What a stranger may send: every case that once went wrong. `make fuzz` tries many more."""

from __future__ import annotations

import pytest
from cases import Case
from found import FOUND
from fuzz import warm_up
from judge import judge


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    warm_up()


@pytest.mark.parametrize("case", FOUND.values(), ids=FOUND.keys())
def test_a_case_that_was_found(case: Case) -> None:
    assert judge(case) == []
