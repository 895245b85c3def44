"""The folder of a process for files that are gone with it."""

from __future__ import annotations

import stat

import pytest

from cardgen.core import scratch
from cardgen.core.scratch import get_scratch
from cardgen.core.workers import start_worker


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch, "_folder", None)


def test_nobody_else_can_enter_it_or_know_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    first = get_scratch()
    assert stat.S_IMODE(first.stat().st_mode) == 0o700
    monkeypatch.setattr(scratch, "_folder", None)
    assert get_scratch() != first


def test_a_worker_has_that_of_the_process_that_started_it() -> None:
    worker = start_worker(lambda line: line.send(get_scratch()))
    try:
        found = worker.receive()
    finally:
        worker.stop()
    assert found == get_scratch()
    assert found.is_dir()
