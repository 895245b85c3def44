"""What cardgen has promised to reach, as data, and whether a run of the bench reached it.

The least is the promise, the aim the direction. A figure that was not measured is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bench.measure import Series


class Key(NamedTuple):
    """What was measured: a line of the table, the cards and the tool."""

    line: str
    cards: int
    tool: str = "cardgen"


Results = Mapping[Key, Series]
Figure = Callable[[Results], float | None]


@dataclass(frozen=True, slots=True)
class Promise:
    """A figure and its bounds; without `more`, less is better.

    taken: the seconds that are told beside a figure which compares
    """

    text: str
    figure: Figure
    unit: str
    least: float
    aim: float
    more: bool = False
    taken: Figure | None = None

    def judge(self, results: Results) -> Verdict:
        taken = None if self.taken is None else self.taken(results)
        return Verdict(self, self.figure(results), taken)


@dataclass(frozen=True, slots=True)
class Verdict:
    promise: Promise
    measured: float | None
    taken: float | None = None

    @property
    def word(self) -> str:
        if self.measured is None:
            return "-"
        return "PASS" if self._reaches(self.promise.least) else "FAIL"

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        """Return what is promised, the least, the aim, what was measured, and the verdict."""
        bounds = (self.promise.least, self.promise.aim, self.measured)
        least, aim, measured = (self._format(bound) for bound in bounds)
        if self.taken is not None:
            measured += f", in {self.taken:.3g} s"
        near = self.word == "PASS" and self._reaches(self.promise.aim)
        word = f"{self.word}, aim reached" if near else self.word
        return self.promise.text, least, aim, measured, word

    def _reaches(self, bound: float) -> bool:
        assert self.measured is not None
        return self.measured >= bound if self.promise.more else self.measured <= bound

    def _format(self, figure: float | None) -> str:
        if figure is None:
            return "not measured"
        return (
            f"{figure:.0f} MB" if self.promise.unit == "MB" else f"{figure:.3g}{self.promise.unit}"
        )


def beside_typst(line: str, cards: int) -> Figure:
    """Measure how many times as fast as Typst cardgen is."""
    return _divide(Key(line, cards, "Typst"), Key(line, cards))


def beside(line: str, cards: int, peer: str) -> Figure:
    """Measure how many times as long as a peer cardgen takes."""
    return _divide(Key(line, cards), Key(line, cards, peer))


def growth(line: str, cards: int, fewer: int) -> Figure:
    """Measure how many times as long more cards take than fewer."""
    return _divide(Key(line, cards), Key(line, fewer))


def seconds(line: str, cards: int) -> Figure:
    """Measure the time of a whole process."""
    return lambda results: _get(results, Key(line, cards), lambda series: series.seconds)


def memory(line: str, cards: int) -> Figure:
    """Measure the memory of all processes together, at its highest."""
    return lambda results: _get(results, Key(line, cards), lambda series: series.peak_mb)


def _divide(first: Key, second: Key) -> Figure:
    def divide(results: Results) -> float | None:
        own, peer = results.get(first), results.get(second)
        return own.divide_by(peer) if own and peer else None

    return divide


def _get(results: Results, key: Key, read: Callable[[Series], float]) -> float | None:
    series = results.get(key)
    return read(series) if series else None


_TIMES = " times"
TYPST_54, CLICK = "Typst, 54 cards", "import click"
PROMISES = (
    *(
        Promise(f"{line}, {cards:,} cards: as fast as Typst", figure, _TIMES, least, aim, more=True)
        for line, cards, least, aim in (
            ("poker-basic", 10_000, 4, 6),
            ("magic-item", 10_000, 3, 5),
            ("poker-basic", 1_000, 2, 3),
            ("magic-item", 1_000, 2, 3),
            ("plain", 10_000, 7, 9),
        )
        for figure in [beside_typst(line, cards)]
    ),
    Promise("press, 10,000 cards: the time of a4", beside("press", 10_000, "a4"), _TIMES, 2, 1.5),
    Promise("press, 10,000 cards: memory", memory("press", 10_000), "MB", 350, 350),
    Promise(
        "poker-basic, 100,000 cards: the time of 10,000",
        growth("poker-basic", 100_000, 10_000),
        _TIMES,
        10.5,
        10.5,
    ),
    Promise("poker-basic, 100,000 cards: memory", memory("poker-basic", 100_000), "MB", 350, 250),
    # A machine's speed is no promise of cardgen's: what is small is measured beside others, too.
    *(
        Promise(text, beside(line, cards, peer), _TIMES, least, aim, taken=seconds(line, cards))
        for text, line, cards, peer, least, aim in (
            (
                "cardgen build magic: the time of Typst for 54 cards",
                "build magic",
                50,
                TYPST_54,
                3.5,
                2.5,
            ),
            ("poker-basic, 54 cards: the time of Typst", "poker-basic", 54, "Typst", 2.5, 1.8),
            ("cardgen --help: the time to import click", "--help", 0, CLICK, 2, 1.5),
        )
    ),
    Promise(
        "png, 1,000 cards: the time of pdfium and Pillow",
        beside("png", 1_000, "pdfium and Pillow"),
        _TIMES,
        0.6,
        0.55,
    ),
)
