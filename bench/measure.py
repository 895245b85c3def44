"""Runs a command as a whole process: how long it took, and how much memory it held.

A child's peak counts what its parent held when it was started, so the command is started from a
small process of its own: this file, run as a script.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

_PAUSE = 0.01
_REST = 20  # how many times as long as a look at the memory the watcher rests after it
_PROC = Path("/proc")
_BYTECODE = Path(__file__).resolve().parent.parent / ".bench" / "pycache"


@dataclass(frozen=True, slots=True)
class Run:
    seconds: float
    processor_seconds: float
    peak_mb: float
    code: int
    printed: str


@dataclass(frozen=True, slots=True)
class Series:
    """Several runs of one command; the peak is that of the one in which it was watched."""

    runs: tuple[Run, ...]
    peak_mb: float

    @property
    def seconds(self) -> float:
        return statistics.median(run.seconds for run in self.runs)

    @property
    def processor_seconds(self) -> float:
        return statistics.median(run.processor_seconds for run in self.runs)

    def divide_by(self, other: Series) -> float:
        """Return how many times as long as another this took: run by run, then the median."""
        pairs = zip(self.runs, other.runs, strict=False)
        return statistics.median(own.seconds / peer.seconds for own, peer in pairs)


def run(command: Sequence[str], folder: Path, *, watch: bool = False) -> Run:
    """Run a command; `watch` adds up the memory of its whole process tree, sampled from /proc."""
    with TemporaryDirectory() as scratch:
        answer, log = Path(scratch, "answer.json"), Path(scratch, "log.txt")
        mode = "watch" if watch else "time"
        with log.open("wb") as printed:
            subprocess.run(
                [sys.executable, "-S", "-E", __file__, str(answer), mode, *command],
                cwd=folder,
                env=_make_environment(),
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                check=False,
            )
        text = log.read_text(encoding="utf-8", errors="replace")
        if not answer.is_file():
            return Run(0.0, 0.0, 0.0, 127, text)
        seconds, processor_seconds, peak, code = json.loads(answer.read_text(encoding="utf-8"))
        return Run(seconds, processor_seconds, peak / 1e6, code, text)


def _make_environment() -> dict[str, str]:
    """Return that of a machine in daily use: the warm-up leaves compiled modules for later runs."""
    kept = {key: text for key, text in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(_BYTECODE)}


def _start_and_wait(answer: Path, watch: bool, command: list[str]) -> None:
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ)
    peak = _watch(child) if watch else 0
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - start
    largest = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    code = os.waitstatus_to_exitcode(status)
    # Without /proc the largest of the processes stands for all.
    result = (seconds, usage.ru_utime + usage.ru_stime, peak or largest, code)
    answer.write_text(json.dumps(result), encoding="utf-8")


def _watch(child: int) -> int:
    """Return the highest sum, in bytes, of what a process and those below it held at one time."""
    peak = 0
    while os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        start = time.perf_counter()
        peak = max(peak, sum(_read_share(process) for process in _find_tree(child)))
        time.sleep(max(_PAUSE, _REST * (time.perf_counter() - start)))
    return peak


def _find_tree(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in _PROC.glob("[0-9]*"):
        try:
            # The name, in brackets, may hold spaces; the parent is the second field after it.
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(entry.name))
    tree = [root]
    for process in tree:
        tree.extend(children.get(process, ()))
    return tree


def _read_share(process: int) -> int:
    """Return what a process holds, with pages that it shares counted in proportion."""
    try:
        lines = (_PROC / str(process) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


if __name__ == "__main__":
    _start_and_wait(Path(sys.argv[1]), sys.argv[2] == "watch", sys.argv[3:])
