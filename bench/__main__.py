"""`python -m bench`: what people build, measured beside Typst and the other tools.

Exits 1 when a promise is missed or a PDF lacks a word, 2 when there is nothing to measure with.
"""

from __future__ import annotations

import pstats
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

import click

from bench import page, peers
from bench.decks import LOOKS, BenchDeck, write_deck
from bench.interpreter import choose_interpreter, describe
from bench.measure import Run, Series, run
from bench.peers import BenchError, Tool
from bench.promises import CLICK, PROMISES, TYPST_54, Key
from bench.proofread import find_missing

LARGE = 100_000
SLOWER = "cardgen, slower Python"
# The largest deck is built unasked where a tenth of it takes no longer than this.
QUICK_ENOUGH = 4.0
_ROW = "{:<12} {:>7} {:<18} {:>8} {:>8} {:>7} {:>15}"


@dataclass(frozen=True, slots=True)
class Line:
    """A kind of build, and the sizes of decks for which it is measured, and promised."""

    name: str
    look: str
    cards: tuple[int, ...]
    promised: tuple[int, ...]


LINES = (
    Line("plain", "plain", (1_000, 10_000), (10_000,)),
    Line("poker-basic", "poker-basic", (54, 1_000, 10_000), (54, 1_000, 10_000)),
    Line("magic-item", "magic-item", (54, 1_000, 10_000), (1_000, 10_000)),
    Line("press", "magic-item", (1_000, 10_000), (10_000,)),
    Line("png", "magic-item", (1_000,), (1_000,)),
)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--only",
    "chosen",
    type=click.Choice([line.name for line in LINES]),
    multiple=True,
    help="Lines.",
)
@click.option("--most", default=10_000, help="Leave out larger decks.")
@click.option("--large/--no-large", default=None, help=f"Build {LARGE:,} cards, or never.")
@click.option("--seed", type=int, help="The words; by default those of the day.")
@click.option("--runs", type=click.IntRange(min=1), help="Timed runs of each; by default 3 or 5.")
@click.option(
    "--brief",
    is_flag=True,
    help="What is promised alone, long builds timed once: a quarter of an hour.",
)
@click.option("--all", "everything", is_flag=True, help="WeasyPrint as well; takes minutes.")
@click.option("--page", "fills", is_flag=True, help="Write the figures into docs/performance.md.")
@click.option("--profile", is_flag=True, help="Show where the time goes, and nothing else.")
def main(
    chosen: Sequence[str],
    most: int,
    large: bool | None,
    seed: int | None,
    runs: int | None,
    brief: bool,
    everything: bool,
    fills: bool,
    profile: bool,
) -> None:
    """Build decks of words never seen before, beside other tools, and judge the promises."""
    seed = int(f"{datetime.now(UTC):%Y%m%d}") if seed is None else seed
    lines = [line for line in LINES if not chosen or line.name in chosen]
    try:
        peers.prepare()
        quickest, own = choose_interpreter()
        python = peers.install_cardgen(quickest)
        slower = None if quickest == own else sys.executable
        bench = Bench(seed, runs, everything, brief=brief, python=python, slower=slower)
        if profile:
            bench.show_profile(lines[0], most)
            return
        versions = peers.read_versions()
        if not everything:
            del versions["WeasyPrint"]
        machine = page.describe_machine(describe(quickest, own), versions, seed)
        click.echo(f"{machine}\n")
        click.echo(_ROW.format(*page.HEAD))
        if not chosen:
            bench.measure_commands()
        for line in lines:
            for cards in line.promised if brief else line.cards:
                if cards <= most:
                    bench.measure_line(line, cards)
            if line.name == "poker-basic":
                bench.measure_largest(line, large)
    except BenchError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    verdicts = [promise.judge(bench.results) for promise in PROMISES]
    click.echo()
    for verdict in verdicts:
        text, least, aim, measured, word = verdict.cells
        click.echo(f"{word:<18} {text}: {measured} (least {least}, aim {aim})")
    if fills:
        page.fill_page(bench.results, verdicts, machine)
    for problem in bench.problems:
        click.echo(f"error: {problem}", err=True)
    missed = any(verdict.word == "FAIL" for verdict in verdicts)
    sys.exit(1 if missed or bench.problems else 0)


class Bench:
    """Runs tools in turn, and keeps what was measured and what went wrong.

    python: that of the environment on which cardgen is measured
    slower: that of another, on which it is shown as well
    """

    def __init__(
        self,
        seed: int,
        runs: int | None,
        everything: bool,
        *,
        brief: bool,
        python: str = sys.executable,
        slower: str | None = None,
    ) -> None:
        self._python = python
        self._slower = slower
        self._seed = seed
        self._runs = runs
        self._brief = brief
        self._everything = everything
        self.results: dict[Key, Series] = {}
        self.problems: list[str] = []

    def measure_commands(self) -> None:
        out = peers.OUT / "magic"
        magic = peers.make_cardgen(self._python, out, "build", "magic", "--out", str(out))
        deck = write_deck(LOOKS["poker-basic"], 54, self._seed, peers.DECKS)
        typst = replace(peers.make_typst(deck), name=TYPST_54)
        self._measure("build magic", 50, [magic, typst])
        shown = peers.make_cardgen(self._python, out, "--help")
        self._measure("--help", 0, [shown, peers.make_import(self._python, "click", CLICK)])

    def measure_line(self, line: Line, cards: int) -> None:
        deck = write_deck(LOOKS[line.look], cards, self._seed, peers.DECKS)
        self._measure(line.name, cards, list(self._list_tools(line, deck)), deck)

    def measure_largest(self, line: Line, wanted: bool | None) -> None:
        """Build the largest deck where it is wanted or the machine is quick."""
        before = self.results.get(Key(line.name, LARGE // 10))
        if wanted is None:
            wanted = before is not None and before.seconds <= QUICK_ENOUGH
            if before is not None and not wanted:
                click.echo(f"{LARGE:,} cards were left out, as this machine is slow: --large")
        if wanted:
            deck = write_deck(LOOKS[line.look], LARGE, self._seed, peers.DECKS)
            self._measure(line.name, LARGE, [peers.make_build(self._python, deck)])

    def show_profile(self, line: Line, cards: int) -> None:
        """Build once under cProfile; the times in it are longer than without."""
        deck = write_deck(LOOKS[line.look], cards, self._seed, peers.DECKS)
        tool = peers.make_build(self._python, deck)
        profile = peers.WORK / "cardgen.prof"
        command = (self._python, "-m", "cProfile", "-o", str(profile), *tool.command)
        done = run(command, peers.REPOSITORY)
        if done.code:
            raise BenchError(_describe_failure("cardgen", done))
        statistics = pstats.Stats(str(profile)).strip_dirs()
        for order in ("cumulative", "tottime"):
            statistics.sort_stats(order).print_stats(35)
        click.echo(f"The whole profile is {profile}.")

    def _list_tools(self, line: Line, deck: BenchDeck) -> Iterator[Tool]:
        """Yield cardgen and those beside which it is measured."""
        build = partial(peers.make_build, self._python, deck)
        if line.name == "press":
            yield build("press")
            yield replace(build(), name="a4")
        elif line.name == "png":
            pages, drawn = build("one-up", "--fronts"), peers.OUT / f"pdfium-{len(deck.cards)}"
            if self._try(pages):
                yield build("png", "--fronts", "--dpi", str(peers.DPI))
                yield peers.make_pdfium(self._python, pages.find_pdf(), drawn)
        else:
            yield build()
            yield peers.make_typst(deck)
            if self._slower:
                yield replace(peers.make_build(self._slower, deck), name=SLOWER)
            if self._everything:
                yield peers.make_weasyprint(deck)

    def _measure(
        self, line: str, cards: int, tools: Sequence[Tool], deck: BenchDeck | None = None
    ) -> None:
        """Watch each tool once, then run them in turn: a machine that slows down slows them all."""
        peaks: dict[str, float] = {}
        timed: dict[str, list[Run]] = {}
        for tool in tools:
            warm_up = self._try(tool, watch=True)
            if warm_up and (line == "png" or self._check_words(tool, deck)):
                peaks[tool.name] = warm_up.peak_mb
                timed[tool.name] = []
        for _ in range(self._count_runs(line, cards)):
            for tool in tools:
                if tool.name in timed and (done := self._try(tool)):
                    timed[tool.name].append(done)
        for name, runs in timed.items():
            if runs:
                self._keep(Key(line, cards, name), Series(tuple(runs), peaks[name]))

    def _count_runs(self, line: str, cards: int) -> int:
        """Return how often a build is timed: the largest once, and each long one in brief."""
        if cards == LARGE or (self._brief and (cards > 1_000 or line == "png")):
            return 1
        return self._runs or (5 if cards <= 1_000 else 3)

    def _keep(self, key: Key, series: Series) -> None:
        self.results[key] = series
        own = self.results.get(key._replace(tool="cardgen"), series)
        click.echo(
            _ROW.format(*page.list_rows({key._replace(tool="cardgen"): own, key: series})[-1])
        )

    def _try(self, tool: Tool, *, watch: bool = False) -> Run | None:
        tool.clear()
        done = run(tool.command, peers.REPOSITORY, watch=watch)
        if not done.code:
            return done
        self._add_problem(_describe_failure(tool.name, done))
        return None

    def _check_words(self, tool: Tool, deck: BenchDeck | None) -> bool:
        missing = find_missing(tool.find_pdf(), deck.count_words()) if deck else None
        if missing:
            self._add_problem(f"{tool.name}: {missing}")
        return not missing

    def _add_problem(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)


def _describe_failure(name: str, done: Run) -> str:
    lines = done.printed.strip().splitlines()
    return f"{name} ended with {done.code}: " + "\n  ".join(lines[-4:] or ["it printed nothing"])


if __name__ == "__main__":
    main()
