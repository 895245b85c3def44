"""The folder of a process for files that are gone with it."""

from __future__ import annotations

import stat

import pytest

from cardgen.core import scratch
from cardgen.core.scratch import find_scratch, get_scratch
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


def test_a_worker_starts_where_there_is_no_room_for_a_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(**_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkdtemp", fail)
    worker = start_worker(lambda line: line.send(find_scratch()))
    try:
        assert worker.receive() is None
    finally:
        worker.stop()
