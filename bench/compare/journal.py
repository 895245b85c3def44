"""Keeps what a test-suite makes cardgen say, and compares two such journals.

As a plugin of pytest (`compare.py` copies it beside nothing else, and names it by `-p`) it notes
the text of every CardgenError and Problem, and what every run of the command line leaves behind.
It needs pytest alone, and finds the errors wherever they live.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

FOLDER = "CARDGEN_JOURNAL"
_HOMES = ("cardgen.errors", "cardgen.core.errors")
_MOST_WAITING = 100
_NEAR = 0.6


# In pytest


class Journal:
    """A file that each process of a test-suite adds to; what is there already is left out."""

    def __init__(self, folder: Path) -> None:
        self._file = os.open(
            folder / f"{os.getpid()}.jsonl", os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600
        )
        self._seen: set[str] = set()
        self._waiting: list[Exception] = []

    def note(self, kind: str, text: str) -> None:
        line = json.dumps([kind, text])
        if line not in self._seen:
            self._seen.add(line)
            os.write(self._file, f"{line}\n".encode())

    def keep(self, error: Exception) -> None:
        """Note an error later, when it has all its problems."""
        self._waiting.append(error)
        if len(self._waiting) > _MOST_WAITING:
            self._note_error(self._waiting.pop(0))

    def flush(self) -> None:
        while self._waiting:
            self._note_error(self._waiting.pop(0))

    def _note_error(self, error: Exception) -> None:
        self.note("message", f"{error}")


def pytest_configure() -> None:
    if FOLDER in os.environ:
        global _journal
        _journal = Journal(Path(os.environ[FOLDER]))
        _listen(_journal)


_journal: Journal | None = None


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leave out what Hypothesis feeds: chance decides what such a test says."""
    chosen = [item for item in items if _is_by_chance(getattr(item, "obj", None))]
    if chosen:
        config.hook.pytest_deselected(items=chosen)
        items[:] = [item for item in items if item not in set(chosen)]


def _is_by_chance(test: object) -> bool:
    return bool(getattr(test, "is_hypothesis_test", False))


def pytest_runtest_teardown() -> None:
    if _journal:
        _journal.flush()


def _listen(journal: Journal) -> None:
    errors = _find_errors()
    _wrap(errors.CardgenError, "__init__", lambda error, *_: journal.keep(error))
    _wrap(errors.Problem, "__str__", lambda _problem, text: journal.note("message", text))
    from click.testing import CliRunner

    _listen_to_runner(CliRunner, journal)
    _listen_to_processes(journal)


def _find_errors() -> Any:
    for home in _HOMES:
        try:
            return importlib.import_module(home)
        except ModuleNotFoundError:
            continue
    raise ModuleNotFoundError(f"there is none of {', '.join(_HOMES)}")


def _wrap(kind: Any, name: str, note: Callable[[Any, Any], None]) -> None:
    """Let a method be what it was, and note what it was called on and what it gave."""
    method = getattr(kind, name)

    def noting(self: Any, *arguments: Any, **named: Any) -> Any:
        given = method(self, *arguments, **named)
        note(self, given)
        return given

    setattr(kind, name, noting)


def _listen_to_runner(runner: Any, journal: Journal) -> None:
    invoke = runner.invoke

    def noting(self: Any, cli: Any, args: Any = None, *more: Any, **named: Any) -> Any:
        result = invoke(self, cli, args, *more, **named)
        given = [args] if isinstance(args, str) else [str(a) for a in args or ()]
        journal.note("run", show_run(given, result.exit_code, result.stdout, result.stderr))
        return result

    runner.invoke = noting


def _listen_to_processes(journal: Journal) -> None:
    run = subprocess.run

    def noting(*arguments: Any, **named: Any) -> Any:
        done = run(*arguments, **named)
        words = [str(word) for word in done.args] if isinstance(done.args, list | tuple) else []
        places = [number for number, word in enumerate(words) if Path(word).name == "cardgen"]
        if places and done.stdout is not None:
            shown = show_run(words[places[0] + 1 :], done.returncode, done.stdout, done.stderr)
            journal.note("run", shown)
        return done

    subprocess.run = noting


def show_run(arguments: Iterable[str], code: int, *printed: str | bytes | None) -> str:
    texts = [p.decode(errors="replace") if isinstance(p, bytes) else p or "" for p in printed]
    return "\n".join([f"$ cardgen {' '.join(arguments)}", f"[{code}]", *texts])


# Two journals


Entry = tuple[str, str]  # a kind and a text


def read_journal(folder: Path, base: Path, checkout: Path) -> set[Entry]:
    """Read what all processes noted, without what is of one run alone."""
    temporary = re.compile(
        rf"({re.escape(str(base))}|/(?:tmp|dev/shm)/pytest-of-\w+)(/popen-gw\d+)?(/[^\s/\"'<>:,;)\]]+)?"
    )
    entries: set[Entry] = set()
    for path in folder.glob("*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            kind, text = json.loads(line)
            text = temporary.sub("TMP", text).replace(str(checkout), "CHECKOUT")
            for pattern, name in _OF_ONE_RUN:
                text = pattern.sub(name, text)
            entries.add((kind, text))
    return entries


_OF_ONE_RUN = (
    (re.compile(r"/(tmp|dev/shm)/(tmp|cardgen-)\w+"), "TMP"),
    (re.compile(r"popen-gw\d+/[^\s/\"':]+"), "TMP"),
    (re.compile(r"(?<=127\.0\.0\.1:)\d+|(?<=localhost:)\d+"), "PORT"),
    (re.compile(r"\b0x[0-9a-f]{6,}"), "ADDRESS"),
    (re.compile(r"\b\d+\.\d+ ?s\b"), "SECONDS"),
    (re.compile(r"\b(pid|process) \d+", re.IGNORECASE), "PID"),
)


@dataclass(frozen=True)
class Improved:
    """A message before and after; `{name}` stands for any text, the same on both sides."""

    before: str
    after: str

    def apply(self, text: str) -> str:
        names: list[str] = []

        def open_hole(found: re.Match[str]) -> str:
            if found[1] in names:
                return f"(?P={found[1]})"
            names.append(found[1])
            return rf"(?P<{found[1]}>[^\n]+?)"

        parts = re.split(r"(\{\w+\})", self.before)
        pattern = "".join(
            _HOLE.sub(open_hole, p) if _HOLE.match(p) else re.escape(p) for p in parts
        )
        if parts[-1] == "" and len(parts) > 1:
            pattern += "$"
        return re.sub(
            pattern,
            lambda found: _HOLE.sub(lambda hole: found.groupdict()[hole[1]], self.after),
            text,
            flags=re.MULTILINE,
        )


_HOLE = re.compile(r"\{(\w+)\}")


def read_improved(path: Path | None) -> list[Improved]:
    """Read pairs of lines, `- before` and `+ after`; others are remarks."""
    if path is None:
        return []
    pairs: list[Improved] = []
    before = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("- "):
            before = line[2:]
        elif line.startswith("+ ") and before:
            pair = (before, line[2:])
            pairs += [Improved(*pair), Improved(*(json.dumps(text)[1:-1] for text in pair))]
            before = ""
    return pairs


def agree(before: str, after: str, improved: Iterable[Improved]) -> bool:
    """Whether each line is as it was, or improved as agreed."""
    lines, others = before.splitlines(), after.splitlines()
    if len(lines) != len(others):
        return False
    return all(
        one == other or any(pair.apply(one) == other for pair in improved)
        for one, other in zip(lines, others, strict=True)
    )


@dataclass(frozen=True)
class Changes:
    accepted: int
    gone: list[Entry]
    new: list[Entry]

    def pair(self) -> Iterator[tuple[Entry | None, Entry | None]]:
        """Put what is gone beside what is new and most like it."""
        left = list(self.new)
        for entry in self.gone:
            near = _find_nearest(entry, left)
            if near:
                left.remove(near)
            yield entry, near
        yield from ((None, entry) for entry in left)


def compare_journals(
    before: set[Entry], after: set[Entry], improved: Iterable[Improved] = ()
) -> Changes:
    pairs = tuple(improved)
    gone, new = before - after, after - before
    accepted: set[Entry] = set()
    for entry in gone if pairs else ():
        better = {o for o in new if o[0] == entry[0] and agree(entry[1], o[1], pairs)}
        if better:
            accepted.add(entry)
            new -= better
    return Changes(len(accepted), sorted(gone - accepted), sorted(new))


def _find_nearest(entry: Entry, others: Iterable[Entry]) -> Entry | None:
    best, score = None, _NEAR
    matcher = SequenceMatcher(None, "", entry[1][:2000], autojunk=False)
    for other in others:
        if other[0] != entry[0]:
            continue
        matcher.set_seq1(other[1][:2000])
        if matcher.real_quick_ratio() > score and matcher.quick_ratio() > score:
            ratio = matcher.ratio()
            if ratio > score:
                best, score = other, ratio
    return best
