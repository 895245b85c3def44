"""The score that each text of the corpus is held to: precision and recall, in scores.toml.

`make corpus` prints them beside those of today; `make corpus RENEW=1` writes those of today.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterable
from math import floor
from pathlib import Path
from typing import NamedTuple

PINNED = Path(__file__).parent / "scores.toml"
_DIGITS = 10_000
_HEAD = """\
# For each text of the corpus its precision and recall: no text may fall below them.
# Written by `make corpus RENEW=1`.
"""

Pins = dict[str, tuple[float, float]]


class Score(NamedTuple):
    """Fields that are right, fields that came out, fields that should have."""

    right: int = 0
    given: int = 0
    wanted: int = 0

    def add(self, other: Score) -> Score:
        return Score(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def precision(self) -> float:
        return self.right / self.given if self.given else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 1.0

    @property
    def pins(self) -> tuple[float, float]:
        """Precision and recall with four digits, rounded down."""
        return floor(self.precision * _DIGITS) / _DIGITS, floor(self.recall * _DIGITS) / _DIGITS


Scored = tuple[Path, Score, list[str]]


def read_pins(title: str) -> Pins:
    """Return the pinned scores of a part of the corpus, by the names of its texts."""
    pinned = tomllib.loads(PINNED.read_text("utf-8")) if PINNED.is_file() else {}
    return {name: (low, high) for name, (low, high) in pinned.get(title, {}).items()}


def list_fallen(title: str, scores: Iterable[Scored]) -> list[str]:
    """Say of each text that is below its pinned score, or has none, which it is; and its faults."""
    pins, said = read_pins(title), []
    seen = set()
    for path, score, faults in scores:
        seen.add(path.name)
        pinned = pins.get(path.name)
        if pinned is None:
            said.append(f"{path.name} has no pinned score: make corpus RENEW=1")
        elif any(now < least for now, least in zip(score.pins, pinned, strict=True)):
            said += [f"{path.name} fell from {pinned} to {score.pins}", *faults]
    return [*said, *(f"{name} is pinned and not there" for name in sorted(pins.keys() - seen))]


def print_scores(title: str, scores: Iterable[Scored]) -> None:
    """Print the score of each text, and what it was pinned at where that differs."""
    pins = {} if os.environ.get("RENEW") or not PINNED.is_file() else read_pins(title)
    total, found = Score(), {}
    for path, score, faults in scores:
        total = total.add(score)
        found[path.name] = score.pins
        pinned = pins.get(path.name, score.pins)
        moved = "" if pinned == score.pins else f"  pinned at {pinned[0]:.4f} {pinned[1]:.4f}"
        print(f"{path.name:28} {score.precision:7.4f} {score.recall:7.4f}{moved}")
        if "--faults" in sys.argv:
            print(*(f"    {fault}" for fault in faults), sep="\n")
    print(f"{title:28} {total.precision:7.4f} {total.recall:7.4f}  precision, recall\n")
    if os.environ.get("RENEW"):
        write_pins(title, found)


def write_pins(title: str, pins: Pins) -> None:
    parts = tomllib.loads(PINNED.read_text("utf-8")) if PINNED.is_file() else {}
    parts[title] = pins
    tables = (
        f'["{part}"]\n'
        + "".join(f'"{name}" = [{low:.4f}, {high:.4f}]\n' for name, (low, high) in texts.items())
        for part, texts in parts.items()
    )
    PINNED.write_text(_HEAD + "\n" + "\n".join(tables), "utf-8")
