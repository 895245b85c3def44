"""The Python on which cardgen is measured, and how much quicker it is than the one that asks.

The same version of Python may be a third quicker or slower, by how it was compiled: Debian's, that
of python.org and most others are compiled twice, the second time for what the first was seen to do;
pyenv's is not unless somebody asks for it. Typst comes as its makers compiled it, so cardgen is
measured on the quickest Python that a command of this machine starts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_OLDEST = (3, 11)
# Another is taken where it is quicker by so much, which is more than a machine's moods.
_CLEARLY = 1.1
_ROUNDS = 5
_USUAL = "/usr/local/bin:/usr/bin"
_TRIAL = """
import ensurepip, sys, time, venv
def work(count):
    texts = {}
    for number in range(count):
        key = number % 1000, "text"
        texts[key] = texts.get(key, 0.0) + number * 0.5
    return sorted(texts.items(), key=lambda pair: -pair[1])
least = 9e9
for _ in range(5):
    start = time.process_time()
    work(150_000)
    least = min(least, time.process_time() - start)
print(*sys.version_info[:2], sys.version.split()[0], least)
"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python; seconds: of a loop of plain work, the least of some rounds."""

    path: str
    version: str
    seconds: float


def choose_interpreter() -> tuple[Interpreter, Interpreter]:
    """Return the quickest Python that there is, and the one that this environment was made of."""
    best: dict[str, Interpreter] = {}
    paths = (sys.executable, *_list_paths())
    for _ in range(_ROUNDS):  # in turn, so that a machine that slows down slows them all
        for path in paths:
            if (found := _try(path)) and found.seconds <= best.get(path, found).seconds:
                best[path] = found
    own = best.pop(sys.executable)
    return choose_quickest(own, best.values()), own


def choose_quickest(own: Interpreter, others: Iterable[Interpreter]) -> Interpreter:
    """Return the quickest, if it is clearly quicker than our own."""
    best = min((own, *others), key=lambda found: found.seconds)
    return best if own.seconds > best.seconds * _CLEARLY else own


def describe(chosen: Interpreter, own: Interpreter) -> str:
    if chosen == own:
        return f"Python {own.version}"
    slower = own.seconds / chosen.seconds
    return (
        f"Python {chosen.version} ({chosen.path}; that of the environment, {own.version}, takes "
        f"{slower:.2f} times as long for a loop)"
    )


def _list_paths() -> list[str]:
    """Return the programs that `python3` starts for one or another person here."""
    folders = dict.fromkeys((*os.environ.get("PATH", "").split(os.pathsep), *_USUAL.split(":")))
    found = (shutil.which("python3", path=folder) for folder in folders if folder)
    own = {Path(sys.executable).resolve()}
    paths: dict[Path, str] = {}
    for path in filter(None, found):
        if Path(path).resolve() not in own:
            paths.setdefault(Path(path).resolve(), path)
    return list(paths.values())


def _try(path: str) -> Interpreter | None:
    """Return a Python with its speed; None for one that is too old, or makes no environments."""
    done = subprocess.run([path, "-c", _TRIAL], capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    major, minor, version, seconds = done.stdout.split()
    old = (int(major), int(minor)) < _OLDEST
    return None if old else Interpreter(path, version, float(seconds))
