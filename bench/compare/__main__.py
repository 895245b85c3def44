"""`python -m bench.compare BEFORE AFTER`: whether two checkouts of cardgen print and say the same.

Both are driven from outside, by their commands and their test-suites. What the one before left
behind is kept, by its commit, so that a second comparison runs the one after alone. Exits 1 when
anything differs.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import click

from bench.compare import journal
from bench.compare.cases import Case, ask
from bench.compare.checkouts import (
    CODE,
    STDERR,
    STDOUT,
    Checkout,
    Outcome,
    Runner,
    Store,
    find_cache,
    write_file,
)
from bench.compare.deck_cases import list_deck_cases
from bench.compare.differences import compare_texts, describe
from bench.compare.example_cases import list_example_cases

PARTS = ("outputs", "messages")
PROCESSES = 2
MOST_SHOWN = 40
SLOWEST = 5
_PAUSE = 30.0  # seconds between two signs of life
_SAID = (STDOUT, STDERR)
# Up to 7f34405 a report of an import has texts of one source line in the order of a set.
_REPORTING, _REPORTS = "cardgen import", (".json", ".txt", ".html")


# Outputs


@dataclass(frozen=True)
class Difference:
    """A file of a step that is not the same, and how."""

    case: str
    step: str
    file: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        lines = "".join(f"\n    {line}" for line in self.lines)
        return f"{self.case}: {self.step}\n  {self.file}{lines}"


@dataclass
class Tally:
    """What has been compared so far."""

    commands: int = 0
    files: int = 0
    improved: int = 0
    reordered: int = 0
    kept: int = 0  # cases of the checkout before that were run earlier

    def __str__(self) -> str:
        return (
            f"{self.commands:,} commands, {self.files:,} files and texts compared"
            f"{f', {self.improved:,} texts improved as agreed' if self.improved else ''}"
            f"{f', {self.reordered:,} reports in another order' if self.reordered else ''}"
        )


class Comparison:
    """Runs cases with both checkouts, and notes what differs."""

    def __init__(
        self, before: Runner, after: Runner, improved: Sequence[journal.Improved] = ()
    ) -> None:
        self.before = before
        self.after = after
        self.improved = improved
        self.tally = Tally()
        self.times: dict[str, float] = {}

    def compare_all(self, cases: Sequence[Case]) -> list[Difference]:
        found: list[Difference] = []
        spoken = time.monotonic()
        with ThreadPoolExecutor(PROCESSES) as pool:
            running = {pool.submit(self.run_both, case): case for case in cases}
            for number, done in enumerate(as_completed(running), 1):
                found += self._compare_case(running[done], *done.result())
                if time.monotonic() - spoken > _PAUSE:
                    spoken = time.monotonic()
                    click.echo(
                        f"{number} of {len(cases)} cases, {len(found)} differences", err=True
                    )
        order = {case.name: number for number, case in enumerate(cases)}
        return sorted(found, key=lambda one: order[one.case])

    def run_both(self, case: Case) -> tuple[list[Outcome], list[Outcome]]:
        before = self.before.store.read_outcomes(case)
        if before is None:
            before = self.before.run(case)
        else:
            self.tally.kept += 1
        start = time.monotonic()
        after = self.after.run(case)
        self.times[case.name] = time.monotonic() - start
        return before, after

    def _compare_case(
        self, case: Case, before: list[Outcome], after: list[Outcome]
    ) -> Iterator[Difference]:
        steps = [[outcome.step for outcome in side] for side in (before, after)]
        if steps[0] != steps[1]:
            lines = compare_texts(*("\n".join(side) for side in steps))
            yield Difference(case.name, "its steps", "cannot be compared", tuple(lines))
            return
        for one, other in zip(before, after, strict=True):
            self.tally.commands += 1
            for file in sorted({*one.files, *other.files}):
                self.tally.files += 1
                lines = self._compare_file(file, one.files, other.files)
                if lines and one.step.startswith(_REPORTING) and file.endswith(_REPORTS):
                    lines = self._forgive_order(lines, one.files.get(file), other.files.get(file))
                if lines:
                    yield Difference(case.name, one.step, file, tuple(lines))

    def _forgive_order(self, lines: list[str], before: str | None, after: str | None) -> list[str]:
        """Nothing, where two reports have the same lines in another order."""
        if before is None or after is None:
            return lines
        contents = self.before.store.read(before), self.after.store.read(after)
        one, other = (sorted(c.replace(b",\n", b"\n").splitlines()) for c in contents)
        if one != other:
            return lines
        self.tally.reordered += 1
        return []

    def _compare_file(
        self, file: str, before: Mapping[str, str | None], after: Mapping[str, str | None]
    ) -> list[str]:
        """Say how a file differs; nothing where it does not."""
        if file not in before or file not in after:
            return [f"written only {'before' if file in before else 'after'}"]
        one, other = before[file], after[file]
        if one == other:
            return []
        if file == CODE or one is None or other is None:
            return [f"{one or 'taken away'} → {other or 'taken away'}"]
        contents = self.before.store.read(one), self.after.store.read(other)
        if file in _SAID:
            texts = [content.decode(errors="replace") for content in contents]
            if journal.agree(texts[0], texts[1], self.improved):
                self.tally.improved += 1
                return []
            return compare_texts(*texts)
        return describe(file, *contents)


def compare_outputs(
    before: Runner, after: Runner, only: str, improved: Sequence[journal.Improved], show: int
) -> bool:
    """Run all cases and print what differs; whether nothing does."""
    start = time.monotonic()
    known = ask(before.checkout.folder)
    planned = (*list_deck_cases(known), *list_example_cases(known))
    cases = [case for case in planned if fnmatchcase(case.name, only)]
    comparison = Comparison(before, after, improved)
    found = comparison.compare_all(cases)
    _show(list(map(str, found)), show)
    slowest = sorted(comparison.times.items(), key=lambda pair: -pair[1])[:SLOWEST]
    tally = comparison.tally
    click.echo(
        f"outputs: {len(cases)} cases ({tally.kept} kept from before), {tally}; "
        f"{len(found)} differ; {time.monotonic() - start:.0f} s, "
        f"{os.times().children_user + os.times().children_system:.0f} s of processors "
        f"(slowest: {', '.join(f'{name} {seconds:.0f} s' for name, seconds in slowest)})"
    )
    return not found


def _show(texts: Sequence[str], most: int) -> None:
    for text in texts[:most]:
        click.echo(f"{text}\n")
    if len(texts) > most:
        click.echo(f"and {len(texts) - most} more; --show says how many to print\n")


# Messages


@dataclass(frozen=True)
class Suite:
    """What a test-suite made cardgen say, and how it ended."""

    entries: set[journal.Entry]
    failed: list[str]
    ended: str


def run_suite(checkout: Checkout, deselect: Sequence[str]) -> Suite:
    """Run a checkout's own tests with the plugin that keeps a journal."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for part in ("plugin", "notes"):
            (folder / part).mkdir()
        # By itself, so that nothing else of this folder hides a module of the tests.
        shutil.copy(Path(journal.__file__), folder / "plugin" / "cardgen_journal.py")
        options = [word for test in deselect for word in ("--deselect", test)]
        command = [str(checkout.folder / ".venv/bin/pytest"), "-n", str(PROCESSES), "-rfE"]
        command += ["-p", "no:cacheprovider", "-p", "cardgen_journal"]
        done = subprocess.run(
            [*command, f"--basetemp={folder / 'tests'}", *options],
            cwd=checkout.folder,
            env={
                **os.environ,
                "PYTHONPATH": str(folder / "plugin"),
                journal.FOLDER: str(folder / "notes"),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        lines = (done.stdout + done.stderr).strip().splitlines()
        failed = [line for line in lines if re.match(r"(FAILED|ERROR)\b", line)]
        entries = journal.read_journal(folder / "notes", folder / "tests", checkout.folder)
        return Suite(entries, failed, lines[-1] if lines else f"exit code {done.returncode}")


def recall_suite(checkout: Checkout, store: Store, deselect: Sequence[str]) -> Suite:
    """Run a suite, or read what an earlier run of it left."""
    with Path(journal.__file__).open("rb") as file:
        mark = hashlib.file_digest(file, "sha256")
    mark.update(repr(sorted(deselect)).encode())
    path = store.folder / f"messages-{mark.hexdigest()[:16]}.json"
    if path.exists():
        entries, failed, ended = json.loads(path.read_text("utf-8"))
        return Suite({(kind, text) for kind, text in entries}, failed, ended)
    suite = run_suite(checkout, deselect)
    if not suite.failed:  # else a busy machine may be to blame, and the next run may fare better
        kept = [sorted(suite.entries), suite.failed, suite.ended]
        write_file(path, json.dumps(kept).encode())
    return suite


def compare_messages(
    before: Runner,
    after: Runner,
    deselect: Sequence[str],
    improved: Sequence[journal.Improved],
    show: int,
) -> bool:
    """Run both test-suites and print what only one says; whether none does."""
    start = time.monotonic()
    one = recall_suite(before.checkout, before.store, deselect)
    other = run_suite(after.checkout, deselect)
    changes = journal.compare_journals(one.entries, other.entries, improved)
    _show([_show_pair(*pair) for pair in changes.pair()], show)
    for side, suite in (("before", one), ("after", other)):
        click.echo(f"tests {side}: {suite.ended}")
        _show(suite.failed, show)
    click.echo(
        f"messages: {len(one.entries):,} before, {len(other.entries):,} after; "
        f"{len(changes.gone)} only before, {len(changes.new)} only after, "
        f"{changes.accepted} improved as agreed; {time.monotonic() - start:.0f} s"
    )
    return not (changes.gone or changes.new or len(other.failed) > len(one.failed))


def _show_pair(before: journal.Entry | None, after: journal.Entry | None) -> str:
    if before and after:
        lines = compare_texts(before[1], after[1])
        head = before[1].splitlines()[0] if before[1] else ""
        return "\n".join([f"{before[0]} changed: {head}", *(f"  {line}" for line in lines)])
    entry = before or after
    assert entry is not None
    text = entry[1].replace("\n", "\n  ")
    return f"{entry[0]} only {'before' if before else 'after'}:\n  {text[:1500]}"


# The command


def parse_parts(_context: click.Context, _option: click.Parameter, text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    if not set(parts) <= set(PARTS):
        raise click.BadParameter(f"give {' or '.join(PARTS)}, or both with a comma")
    return parts


_FOLDER = click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("before", type=_FOLDER)
@click.argument("after", type=_FOLDER)
@click.option("--only", default="*", metavar="PATTERN", help='Only some cases, as "target-*".')
@click.option("--parts", default=",".join(PARTS), callback=parse_parts, help="What is compared.")
@click.option("--improved", type=_FILE, help="Messages that may differ: lines `- old`, `+ new`.")
@click.option("--deselect", multiple=True, metavar="TEST", help="A test that is not run.")
@click.option("--show", default=MOST_SHOWN, help="How many differences are printed.")
@click.option("--fresh", is_flag=True, help="Run the checkout before anew, too.")
def main(
    before: Path,
    after: Path,
    only: str,
    parts: tuple[str, ...],
    improved: Path | None,
    deselect: tuple[str, ...],
    show: int,
    fresh: bool,
) -> None:
    """Compare what two checkouts of cardgen, each with its .venv, print and say."""
    pairs = journal.read_improved(improved)
    state = None if fresh else Checkout(before).name_state()
    if state is None:
        click.echo("nothing is kept of the checkout before: it was changed, or --fresh", err=True)
    with tempfile.TemporaryDirectory() as scratch:
        kept = find_cache() / state if state else Path(scratch, "before")
        first = Runner(Checkout(before), Store(kept))
        second = Runner(Checkout(after), Store(Path(scratch, "after")))
        same = True
        if "outputs" in parts:
            same &= compare_outputs(first, second, only, pairs, show)
        if "messages" in parts:
            same &= compare_messages(first, second, deselect, pairs, show)
    click.echo("Nothing differs." if same else "They differ.")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
