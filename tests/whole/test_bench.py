"""The bench: a seed decides its decks, promises are judged, the picture is drawn to scale."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from making import build

import bench.__main__
from bench.__main__ import LARGE, Bench
from bench.decks import LOOKS, write_deck
from bench.interpreter import Interpreter, choose_quickest, describe
from bench.measure import Run, Series
from bench.peers import Tool
from bench.picture import draw
from bench.promises import Key, Promise, beside_typst, seconds
from bench.proofread import find_missing


def make_series(*seconds: float) -> Series:
    return Series(tuple(Run(each, each, 1.0, 0, "") for each in seconds), 1.0)


def test_a_seed_decides_the_deck(tmp_path: Path) -> None:
    texts = []
    for number, seed in enumerate((1, 1, 2)):
        folder = tmp_path / str(number)
        folder.mkdir()
        texts.append(write_deck(LOOKS["magic-item"], 30, seed, folder).table.read_bytes())
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize("name", ["poker-basic", "magic-item"])
def test_a_build_says_all_that_the_bench_asks_for(name: str, tmp_path: Path) -> None:
    deck = write_deck(LOOKS[name], 5, 3, tmp_path)
    pdf = build(deck.path, out=tmp_path / "out").path
    assert find_missing(pdf, deck.count_words()) is None
    more = find_missing(pdf, deck.count_words() + Counter(["grumblebum"]))
    assert more is not None and more.endswith("lacks 1 words: grumblebum")


def test_runs_are_compared_side_by_side() -> None:
    # The machine was slow at times: medians of each alone would give 8 / 2 = 4.
    assert make_series(2, 30, 8).divide_by(make_series(1, 10, 2)) == 3


@pytest.mark.parametrize(
    ("typst", "word"), [(1.9, "FAIL"), (2.0, "PASS"), (3.0, "PASS, aim reached")]
)
def test_a_promise_is_judged(typst: float, word: str) -> None:
    promise = Promise("twice as fast", beside_typst("plain", 54), " times", 2, 3, more=True)
    results = {Key("plain", 54): make_series(1), Key("plain", 54, "Typst"): make_series(typst)}
    assert promise.judge(results).cells[-1] == word
    less = replace(promise, least=2.5, aim=1.5, more=False)
    assert (less.judge(results).word == "PASS") is (typst <= 2.5)
    assert promise.judge({}).word == "-"
    told = replace(promise, taken=seconds("plain", 54)).judge(results).cells
    assert told[3] == f"{typst:.3g} times, in 1 s"


def test_axes_are_logarithmic() -> None:
    curve = {"cardgen": [(10, 1), (100, 10), (1000, 100)]}
    picture = draw(curve, curve)
    points = picture.partition('<polyline points="')[2].partition('"')[0].split()
    across = [float(point.split(",")[0]) for point in points]
    assert across[2] - across[1] == pytest.approx(across[1] - across[0], abs=0.2)


@pytest.mark.parametrize(
    ("cards", "brief", "timed"),
    [(54, True, 5), (10_000, True, 1), (10_000, False, 3), (LARGE, False, 1)],
)
def test_the_run_that_is_watched_is_not_timed(
    cards: int, brief: bool, timed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = []

    def pretend(_command: object, _folder: Path, *, watch: bool = False) -> Run:
        watched.append(watch)
        return Run(9.0, 9.0, 50.0, 0, "") if watch else Run(1.0, 1.0, 5.0, 0, "")

    monkeypatch.setattr(bench.__main__, "run", pretend)
    made = Bench(1, None, everything=False, brief=brief)
    made._measure("plain", cards, [Tool("cardgen", ("none",), tmp_path / "out")])
    assert watched == [True, *[False] * timed]
    assert made.results[Key("plain", cards)] == Series((Run(1.0, 1.0, 5.0, 0, ""),) * timed, 50.0)


def test_cardgen_is_measured_on_the_quickest_python() -> None:
    own, odd = Interpreter("/venv/python", "3.11.7", 1.3), Interpreter("/odd", "3.11.2", 1.25)
    assert choose_quickest(own, [odd]) is own  # no quicker than a machine's moods
    good = Interpreter("/usr/bin/python3", "3.11.2", 1.0)
    assert choose_quickest(own, [odd, good]) is good
    assert describe(own, own) == "Python 3.11.7"
    assert "/usr/bin/python3; that of the environment, 3.11.7, takes 1.30" in describe(good, own)
