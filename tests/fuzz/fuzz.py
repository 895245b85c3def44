"""Try a great number of spoiled projects: `make fuzz`, or `python tests/fuzz/fuzz.py --cases 5000`.

A case is made from its number and the seed alone, so each can be made again. The files of those
that fail are left in .fuzz/, one of each kind.
"""

from __future__ import annotations

import argparse
import re
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from cases import Case  # noqa: E402
from judge import judge, judge_together  # noqa: E402
from mutate import mutate  # noqa: E402
from seeds import list_seeds  # noqa: E402

KEPT = ROOT / ".fuzz"
TOGETHER = 50  # cases that share a process
_FIGURES = re.compile(r"\d+|\"[^\"]*\"|'[^']*'")


@cache
def _read_seeds() -> Sequence[Case]:
    return list_seeds()


def count_seeds() -> int:
    """Return how many cases are the seeds themselves."""
    return len(_read_seeds())


def make_case(number: int, seed: int) -> Case:
    """Return the case of a number; the first are the seeds themselves."""
    seeds = _read_seeds()
    if number < len(seeds):
        return seeds[number]
    random = Random(f"{seed}-{number}")
    return mutate(random.choice(seeds), seeds, random)


def warm_up() -> None:
    """Load all that the commands need, so that no case pays for it."""
    seeds = _read_seeds()
    first = {case.commands[0][0]: case for case in reversed(seeds)}
    for case in (*seeds[::24], *first.values()):
        judge_here(case)


def judge_here(case: Case) -> None:
    """Build a sound case in this process."""
    import os
    from contextlib import redirect_stderr, redirect_stdout, suppress
    from io import StringIO
    from tempfile import TemporaryDirectory

    from cardgen.cli.app import main

    before = Path.cwd()
    with TemporaryDirectory() as folder, redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        case.write(Path(folder))
        os.chdir(folder)
        try:
            for command in case.commands:
                with suppress(SystemExit):
                    main(list(command), prog_name="cardgen")
        finally:
            os.chdir(before)


def run_cases(numbers: Sequence[int], seed: int, processes: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the numbers of cases with what is wrong with each."""
    warm_up()
    shares = [numbers[place : place + TOGETHER] for place in range(0, len(numbers), TOGETHER)]
    with get_context("fork").Pool(processes, _end_when_told) as pool:
        for share, found in pool.imap_unordered(_Judge(seed), shares):
            yield from zip(share, found, strict=True)


def _end_when_told() -> None:
    """Let a process end at once when it is told to: a command that was warmed up with has left a
    handler, which a process that waits may never come to.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


class _Judge:
    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __call__(self, numbers: Sequence[int]) -> tuple[Sequence[int], list[list[str]]]:
        cases = [make_case(number, self._seed) for number in numbers]
        return numbers, list(judge_together(cases))


def keep(number: int, seed: int, faults: Sequence[str]) -> None:
    folder = KEPT / f"{seed}-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    case = make_case(number, seed)
    folder.mkdir(parents=True)
    case.write(folder)
    commands = "".join(f"cardgen {' '.join(command)}\n" for command in case.commands)
    (folder / "FAULT.txt").write_text(commands + "\n".join(faults) + "\n", errors="replace")


def try_found(wanted: str) -> int:
    """Try the cases that were found, and say how long each took that is slow."""
    from found import FOUND, FOUND_SECONDS

    warm_up()
    failed = 0
    for name, case in FOUND.items():
        if wanted in name:
            start = time.monotonic()
            faults = judge(case, card=FOUND_SECONDS)
            took = time.monotonic() - start
            failed += bool(faults)
            if faults or took > 2:
                print(f"{name} ({took:.1f} s): {faults[0][:400] if faults else 'slow'}", flush=True)
    print(f"{failed} fail")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--found", help="try the cases that were found, whose names hold this")
    options = parser.parse_args()
    if options.found is not None:
        return try_found(options.found)
    start = time.monotonic()
    numbers = range(options.first, options.first + options.cases)
    kinds: Counter[str] = Counter()
    for number, faults in run_cases(numbers, options.seed, options.processes):
        for fault in faults:
            kind = (
                _FIGURES.sub("…", fault.partition(": ")[2])[:110]
                if "traceback" not in fault
                else fault[fault.index("a traceback") :][:90]
            )
            kinds[kind] += 1
            if kinds[kind] == 1:
                print(f"{options.seed}-{number}: {fault[:600]}", flush=True)
                keep(number, options.seed, faults)
    for kind, times in kinds.most_common():
        print(f"{times:6} {kind}")
    took = time.monotonic() - start
    print(
        f"{options.cases} cases in {took:.0f} s, {sum(kinds.values())} faults of {len(kinds)} kinds"
    )
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
