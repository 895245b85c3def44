"""`python -m bench`: the same cards with cardgen, Typst and WeasyPrint.

Exits 1 when a target is missed or a PDF lacks a word, 2 when there is nothing to measure with.
"""

from __future__ import annotations

import os
import pstats
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from bench import peers
from bench.deck import BenchCard, make_cards, read_vocabulary, write_csv
from bench.measure import Result, Run, run
from bench.peers import BenchError, Tool
from bench.targets import Target, check_decks, check_time
from bench.words import compare

WEASYPRINT_LIMIT = 1_000
_HEAD = ("tool", "cards", "seconds", "cpu s", "cards/s", "peak MB", "times cardgen")
_LINE = "{:<11} {:>7} {:>9} {:>9} {:>9} {:>9} {:>14}"
_SHOWN_PROBLEMS = 5


def parse_counts(_context: click.Context, _option: click.Parameter, text: str) -> list[int]:
    try:
        counts = sorted({int(part) for part in text.split(",")})
    except ValueError:
        raise click.BadParameter("give whole numbers with commas, as in 54,1000") from None
    if counts[0] < 1:
        raise click.BadParameter("a deck has at least one card")
    return counts


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--cards", default="54,1000,10000", callback=parse_counts, help="Sizes of decks.")
@click.option("--runs", type=click.IntRange(min=1), help="Timed runs of each; by default 3 or 5.")
@click.option("--skip-peers", is_flag=True, help="Measure cardgen alone.")
@click.option("--all", "everything", is_flag=True, help="WeasyPrint at every size; takes minutes.")
@click.option("--profile", is_flag=True, help="Show where cardgen spends its time, nothing else.")
def main(
    cards: list[int], runs: int | None, skip_peers: bool, everything: bool, profile: bool
) -> None:
    """Build decks of different cards with cardgen, Typst and WeasyPrint and compare."""
    try:
        peers.install()
        peers.copy_fonts()
        peers.copy_template()
        peers.write_target()
        vocabulary = read_vocabulary(peers.find_word_list())
        if profile:
            show_profile(make_cards(max(cards), vocabulary))
            return
        reached = Bench(skip_peers, everything, runs).compare_all(cards, vocabulary)
    except BenchError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    sys.exit(0 if reached else 1)


class Bench:
    def __init__(self, skip_peers: bool, everything: bool, runs: int | None) -> None:
        self.skip_peers = skip_peers
        self.everything = everything
        self.runs = runs
        self.results: dict[tuple[str, int], Result] = {}
        self.problems: list[str] = []

    def compare_all(self, counts: Sequence[int], vocabulary: Sequence[str]) -> bool:
        """Measure everything and print it; whether no target was missed and all words agree."""
        versions = "cardgen alone" if self.skip_peers else peers.read_versions()
        load = os.getloadavg()[0]
        if load > 1:
            click.echo(f"The machine is busy (a load of {load:.1f}): the times will be too long.")
        click.echo(f"{versions}; whole processes, the median after a warm-up, the highest peak.\n")
        click.echo(_LINE.format(*_HEAD))
        for count in counts:
            self.measure_deck(make_cards(count, vocabulary))
        if not self.skip_peers and not self.everything and max(counts) > WEASYPRINT_LIMIT:
            click.echo(f"WeasyPrint was not asked for more than {WEASYPRINT_LIMIT:,}: see --all.")
        targets = [*check_decks(self.results), *self.check_commands()]
        click.echo()
        for target in targets:
            click.echo(_format_target(target))
        if self.problems:
            click.echo()
            for problem in self.problems:
                click.echo(f"error: {problem}", err=True)
        return not self.problems and all(target.reached is not False for target in targets)

    def measure_deck(self, cards: Sequence[BenchCard]) -> None:
        count = len(cards)
        source = write_cards(cards)
        tools = [peers.make_cardgen(source)]
        if not self.skip_peers:
            tools.append(peers.make_typst(source))
            if self.everything or count <= WEASYPRINT_LIMIT:
                tools.append(peers.make_weasyprint(source))
        warm_ups: dict[str, Run] = {}
        for tool in tools:
            tool.clear()
            warm_up = self.try_once(tool, watch=True)
            if warm_up and self.check_words(tool, cards):
                warm_ups[tool.name] = warm_up
        timed: dict[str, list[Run]] = {name: [] for name in warm_ups}
        for number in range(self.runs or (5 if count < 1_000 else 3)):
            # In turn, so that a machine that slows down slows all of them.
            for tool in tools:
                if tool.name not in timed:
                    continue
                if tool.name == "WeasyPrint" and count > WEASYPRINT_LIMIT:
                    # Minutes a run: its first one counts, and none is repeated.
                    done = None if number else warm_ups[tool.name]
                else:
                    done = self.try_once(tool)
                if done:
                    timed[tool.name].append(done)
        for tool in tools:
            if timed.get(tool.name):
                result = Result.of(timed[tool.name], warm_ups[tool.name])
                self.results[tool.name, count] = result
                click.echo(self.format_result(tool.name, count, result))
            else:
                click.echo(_LINE.format(tool.name, f"{count:,}", "failed", *[""] * 4))

    def try_once(self, tool: Tool, *, watch: bool = False) -> Run | None:
        done = run(tool.command, peers.REPOSITORY, watch=watch)
        if not done.code:
            return done
        self.add_problem(_describe_failure(tool.name, done))
        return None

    def check_words(self, tool: Tool, cards: Sequence[BenchCard]) -> bool:
        try:
            problems = compare(tool.find_pdf(), cards)
        except BenchError as error:
            problems = [str(error)]
        self.problems.extend(f"{tool.name}: {problem}" for problem in problems[:_SHOWN_PROBLEMS])
        if len(problems) > _SHOWN_PROBLEMS:
            self.problems.append(f"{tool.name}: and {len(problems) - _SHOWN_PROBLEMS} pages more")
        return not problems

    def check_commands(self) -> list[Target]:
        out = str(peers.OUT / "magic")
        cardgen = str(peers.CARDGEN)
        magic = self.measure_command((cardgen, "build", "magic", "--out", out))
        help_page = self.measure_command((cardgen, "--help"))
        return [
            check_time("cardgen build magic in under 1.2 s", magic, 1.2),
            check_time("cardgen --help in under 0.3 s", help_page, 0.3),
        ]

    def measure_command(self, command: tuple[str, ...]) -> Result | None:
        done = [run(command, peers.REPOSITORY) for _ in range(1 + (self.runs or 5))]
        for failed in done:
            if failed.code:
                self.add_problem(_describe_failure("cardgen", failed))
                return None
        return Result.of(done[1:], done[0])

    def add_problem(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)

    def format_result(self, name: str, count: int, result: Result) -> str:
        own = self.results.get(("cardgen", count))
        ratio = f"{result.seconds / own.seconds:.1f}" if own else "-"
        return _LINE.format(
            name,
            f"{count:,}",
            f"{result.seconds:.2f}",
            f"{result.processor_seconds:.2f}",
            f"{count / result.seconds:,.0f}",
            f"{result.peak_mb:,.0f}",
            ratio,
        )


def write_cards(cards: Sequence[BenchCard]) -> Path:
    peers.DECKS.mkdir(parents=True, exist_ok=True)
    peers.OUT.mkdir(parents=True, exist_ok=True)
    source = peers.DECKS / f"bench-{len(cards)}.csv"
    write_csv(cards, source)
    return source


def show_profile(cards: Sequence[BenchCard]) -> None:
    """Build once under cProfile; the times in it are longer than without."""
    tool = peers.make_cardgen(write_cards(cards))
    profile = peers.WORK / "cardgen.prof"
    tool.clear()
    command = (sys.executable, "-m", "cProfile", "-o", str(profile), *tool.command)
    done = run(command, peers.REPOSITORY)
    if done.code:
        raise BenchError(_describe_failure("cardgen", done))
    statistics = pstats.Stats(str(profile)).strip_dirs()
    for order in ("cumulative", "tottime"):
        statistics.sort_stats(order).print_stats(35)
    click.echo(f"The whole profile is {profile}.")


def _format_target(target: Target) -> str:
    verdict = {True: "PASS", False: "FAIL", None: "-"}[target.reached]
    return f"{verdict:<5} {target.text}: {target.measured}"


def _describe_failure(name: str, done: Run) -> str:
    lines = done.printed.strip().splitlines()
    return f"{name} ended with {done.code}: " + "\n  ".join(lines[-4:] or ["it printed nothing"])


if __name__ == "__main__":
    main()
