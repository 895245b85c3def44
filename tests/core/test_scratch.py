"""The folder of a process for files that are gone with it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

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
    def fail(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(scratch, "open_nest", fail)
    worker = start_worker(lambda line: line.send(find_scratch()))
    try:
        assert worker.receive() is None
    finally:
        worker.stop()


WORK = "from cardgen.core.scratch import get_scratch; print(get_scratch(), flush=True); input()"


def test_what_a_killed_program_left_is_taken_away_by_the_next(tmp_path: Path) -> None:
    """And what one that is at work has stays."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    theirs = tmp_path / "cardgen-mine"
    theirs.mkdir()
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", WORK],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    folders = [Path((program.stdout or sys.stdin).readline().strip()) for program in programs]
    assert all(folder.parent == tmp_path and folder.is_dir() for folder in folders)
    programs[0].kill()
    programs[0].communicate()
    assert folders[0].is_dir()
    subprocess.run([sys.executable, "-c", WORK], env=environment, input="\n", text=True, check=True)
    assert [folder.is_dir() for folder in folders] == [False, True]
    programs[1].communicate("\n")
    assert list(tmp_path.iterdir()) == [theirs]
