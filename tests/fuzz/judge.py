"""Runs cases in processes with limits, and says what they should not have done.

A process is forked from one in which cardgen is loaded and warm. What it touches first is copied
for it, which takes as long as most cases: so many cases share one, as decks share a studio's. Where
one goes wrong, it is tried again in a process of its own.
"""

from __future__ import annotations

import gc
import json
import os
import re
import resource
import shutil
import signal
import sys
import time
import traceback
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from select import select
from tempfile import mkdtemp
from typing import Any, cast

import pikepdf
from cases import Case

import cardgen.cli.app as app
from cardgen.cli.problems import print_problems
from cardgen.core import budget
from cardgen.core.errors import CardgenError, Problem
from cardgen.core.process import measure_memory

SECONDS = 10  # of the processor
PATIENCE = 120.0  # seconds, for a machine that has much else to do
BYTES = 1 << 30
CARD_SECONDS = 1.0  # the budget of a card, so that hangs are cheap
# What the command line alone says has no place in a file, nor has what cannot be written.
PLACELESS = ("option/", "file/", "build/", "name/", "project/", "import/", "print/", "preflight/")
COLLECTS_AFTER = 200_000  # objects, as in the command
AGAIN = 4  # of so many decks one is built once more
MEMORY = Path("/dev/shm")  # files in memory, where a system has them
_NO_NUMBER = re.compile(rb"(?:^|[\s\[])-?(?:inf|nan)\s")
_TEXT = re.compile(rb"\((?:[^()\\]|\\.)*\)", re.DOTALL)
_ADDRESS = re.compile(r" at 0x[0-9a-f]{6}")
_SHOWN = "\n"
_KINDS = ("Cc", "Cs", "Zl", "Zp")
_TURNS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"


_Runner = Callable[[Sequence[Sequence[str]], Path, Path, int], str | None]


def judge(case: Case, seconds: int = SECONDS, *, card: float = CARD_SECONDS) -> list[str]:
    """Return what is wrong with how cardgen takes a case, a line for each fault.

    seconds, card: how long all of it may take, and the budget of one card
    """
    usual, budget.SECONDS = budget.SECONDS, card
    try:
        return _judge_in_cell(case, seconds, _run_apart)
    finally:
        budget.SECONDS = usual


def judge_together(cases: Sequence[Case], *, card: float = CARD_SECONDS) -> Iterator[list[str]]:
    """Yield what is wrong with each case, of which those that are sound share a process."""
    first = 0
    while first < len(cases):
        sound = _count_sound(cases[first:], card)
        yield from ([] for _ in range(sound))
        first += sound
        if first < len(cases):
            yield judge(cases[first], card=card) or [
                "all is well with it alone, and not behind other cases"
            ]
            first += 1


def _count_sound(cases: Sequence[Case], card: float) -> int:
    """Run cases in one process until one has a fault or ends it, and return how many have none."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _judge_here(cases, writer, card)
    os.close(writer)
    sound = 0
    while select([reader], [], [], PATIENCE)[0] and os.read(reader, 1):
        sound += 1
    os.close(reader)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return sound


def _judge_here(cases: Sequence[Case], told: int, card: float) -> None:
    """Judge cases in this process, and send a byte for each that has no fault."""
    try:
        gc.set_threshold(COLLECTS_AFTER)
        budget.SECONDS = card
        for case in cases:
            if _judge_in_cell(case, SECONDS, _run_here):
                break
            os.write(told, b".")
    finally:
        os._exit(0)


def _judge_in_cell(case: Case, seconds: int, run: _Runner) -> list[str]:
    place = MEMORY if MEMORY.is_dir() else None
    cell = Path(mkdtemp(prefix="cardgen-fuzz-", dir=place)).resolve()
    try:
        return list(_judge(case, cell, case.seconds or seconds, run))
    finally:
        shutil.rmtree(cell, ignore_errors=True)


def _judge(case: Case, cell: Path, seconds: int, run: _Runner) -> Iterator[str]:
    project, told = cell / "project", cell / "told"
    project.mkdir()
    told.mkdir()
    (cell / "precious").write_text("as it was")
    case.write(project)
    fault = run(case.commands, project, told, seconds)
    codes: list[int] = []
    said: list[str] = []
    for number, command in enumerate(case.commands):
        place, shown = told / str(number), " ".join(command)
        if not place.is_dir() or (fault is not None and not (place / "code").is_file()):
            yield f"{shown}: {fault}"
            return
        text = _read(place / "stdout") + _read(place / "stderr")
        codes.append(int(_read(place / "code")))
        said.append(_read(place / "stderr").replace(f"{project}/", ""))
        if strange := _find_control(text):
            yield f"{shown}: a control character is shown: {strange}"
        if _ADDRESS.search(text):
            yield f"{shown}: an address is shown, which differs from run to run"
        for problem in json.loads(_read(place / "placeless.json") or "[]"):
            yield f"{shown}: a message without place: {problem}"
    if sorted(path.name for path in cell.iterdir()) != ["precious", "project", "told"]:
        yield f"a file outside: {sorted(path.name for path in cell.iterdir())}"
    if (cell / "precious").read_text() != "as it was":
        yield "a file outside: it was changed"
    yield from _compare(case.commands, codes, said)
    yield from _check_files(case, project, told, seconds, run)


def _compare(
    commands: Sequence[Sequence[str]], codes: Sequence[int], said: Sequence[str]
) -> Iterator[str]:
    """`check` says what `build` says."""
    done = {
        tuple(command): (code, text)
        for command, code, text in zip(commands, codes, said, strict=True)
    }
    for command, result in done.items():
        other = done.get(("build", *command[1:]))
        # What needs about as long as it may is in time the one time, and late the other.
        if other is None or any("it takes longer than" in text for _, text in (result, other)):
            continue
        if command[0] == "check" and other != result:
            yield f"check and build differ: {result} {other}"


def _check_files(
    case: Case, project: Path, told: Path, seconds: int, run: _Runner
) -> Iterator[str]:
    """Finished PDFs are sound, and a second build makes the same."""
    first = {path: path.read_bytes() for path in sorted(project.glob("output/*.pdf"))}
    if not first:
        return
    for path in first:
        try:
            with pikepdf.open(path) as document:
                if any(map(_find_no_number, document.objects)):
                    yield f"{path.name} holds inf or nan"
                if found := document.check_pdf_syntax():
                    yield f"qpdf complains of {path.name}: {found[0]}"
        except pikepdf.PdfError as error:
            yield f"qpdf refuses {path.name}: {error}"
    if sum(map(len, first.values())) % AGAIN:
        return
    again = [command for command in case.commands if command[0] == "build"]
    (told / "again").mkdir()
    run(again, project, told / "again", seconds)
    for path, content in first.items():
        if path.read_bytes() != content:
            yield f"two builds of {path.name} differ"


def _find_no_number(thing: pikepdf.Object) -> bool:
    """Whether a stream of drawing holds what is no number."""
    if not isinstance(thing, pikepdf.Stream) or "/Length1" in thing:
        return False
    if thing.get("/Subtype", "/Form") != "/Form" or "/FunctionType" in thing:
        return False
    return _NO_NUMBER.search(_TEXT.sub(b"()", thing.read_bytes())) is not None


def _run_apart(
    commands: Sequence[Sequence[str]], project: Path, told: Path, seconds: int
) -> str | None:
    """Run commands in a process of their own, and return what they should not have done."""
    child = os.fork()
    if child == 0:
        try:
            fault = _run_here(commands, project, told, seconds)
            (told / "trace").write_text(fault or "", errors="replace")
        finally:
            os._exit(0)
    end = time.monotonic() + PATIENCE
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return f"it takes longer than {PATIENCE:g} seconds"
        time.sleep(0.004)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        return f"it takes longer than {seconds} seconds"
    if os.WIFSIGNALED(status):
        return f"it ends by signal {os.WTERMSIG(status)}"
    return _read(told / "trace") or None


def _run_here(
    commands: Sequence[Sequence[str]], project: Path, told: Path, seconds: int
) -> str | None:
    """Run commands in this process, which is limited, and return what they should not have done."""
    _limit(seconds)
    os.chdir(project)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    try:
        for number, command in enumerate(commands):
            place = told / str(number)
            place.mkdir()
            for stream, name in ((1, "stdout"), (2, "stderr")):
                opened = os.open(place / name, os.O_WRONLY | os.O_CREAT)
                os.dup2(opened, stream)
                os.close(opened)
            _listen(place)
            code = 0
            try:
                app.main(list(command), prog_name="cardgen")
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            sys.stdout.flush()
            sys.stderr.flush()
            (place / "code").write_text(str(code))
    except BaseException as error:
        return _shorten_trace(error)
    finally:
        os.chdir("/")
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    return None


def _limit(seconds: int) -> None:
    """Allow this process so many seconds and bytes more than it has had."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    for what, most in (
        (resource.RLIMIT_AS, measure_memory() + BYTES),
        (resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + seconds),
    ):
        resource.setrlimit(what, (most, resource.getrlimit(what)[1]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _listen(told: Path) -> None:
    """Note the problems that are printed and have no place."""

    def note(error: CardgenError) -> None:
        found = [str(problem) for problem in error.problems if _lacks_place(problem)]
        (told / "placeless.json").write_text(json.dumps(found))
        print_problems(error)

    cast(Any, app).print_problems = note


def _lacks_place(problem: Problem) -> bool:
    return (
        problem.where is None and problem.subject is None and not problem.code.startswith(PLACELESS)
    )


def _shorten_trace(error: BaseException) -> str:
    """Return what was raised, and where in cardgen."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "cardgen/" in f.filename]
    last = frames[-1] if frames else None
    place = f"{last.filename.rpartition('cardgen/')[2]}:{last.lineno}" if last else "elsewhere"
    return f"a traceback: {type(error).__name__} at {place}: {str(error)[:200]}"


def _find_control(text: str) -> str:
    found = {
        letter
        for letter in set(text)
        if letter not in _SHOWN and (unicodedata.category(letter) in _KINDS or letter in _TURNS)
    }
    return ascii("".join(sorted(found))) if found else ""


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return ""
