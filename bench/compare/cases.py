"""A case: commands that run one after the other in a folder of their own, and what they read."""

from __future__ import annotations

import hashlib
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

EPOCH = 1_700_000_000


@dataclass(frozen=True, slots=True)
class Run:
    """A command; `typed` is what a user types into it."""

    arguments: tuple[str, ...]
    folder: str = "."
    typed: str = ""
    program: str = "cardgen"

    def __str__(self) -> str:
        return f"{self.program} {shlex.join(self.arguments)}"


@dataclass(frozen=True, slots=True)
class Write:
    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Change:
    """A text in a file becomes another."""

    path: str
    old: str
    new: str


Step = Run | Write | Change


@dataclass(frozen=True, slots=True)
class Case:
    """Steps that share a folder, empty at first."""

    name: str
    steps: tuple[Step, ...]

    @property
    def key(self) -> str:
        return hashlib.sha256(repr((self.name, self.steps, EPOCH)).encode()).hexdigest()[:20]

    @property
    def runs(self) -> tuple[Run, ...]:
        return tuple(step for step in self.steps if isinstance(step, Run))


@dataclass(frozen=True, slots=True)
class Known:
    """What a checkout says that it has, and where its files are."""

    checkout: Path
    commands: tuple[str, ...]
    decks: tuple[str, ...]
    targets: tuple[str, ...]
    templates: tuple[str, ...]

    def read(self, name: str) -> bytes:
        return (self.checkout / name).read_bytes()

    def find(self, pattern: str, *suffixes: str) -> list[Path]:
        """The files of a pattern; none at all is a mistake in the plan."""
        paths = sorted(p for p in self.checkout.glob(pattern) if p.is_file())
        found = [path for path in paths if not suffixes or path.suffix in suffixes]
        if not found:
            raise FileNotFoundError(f"nothing in {self.checkout} is called {pattern}")
        return found


def ask(checkout: Path) -> Known:
    """Let the checkout's own command list what it has."""

    def list_first(*arguments: str) -> tuple[str, ...]:
        done = subprocess.run(
            [checkout / ".venv/bin/cardgen", *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
        _, _, listed = done.stdout.partition("Commands:\n")
        if listed:
            return tuple(re.findall(r"^  (\w+)", listed, re.MULTILINE))
        _, _, rows = done.stdout.partition("\n")  # below the heads of the columns
        return tuple(re.findall(r"^([\w-]+)(?= )", rows, re.MULTILINE))

    with TemporaryDirectory() as folder:
        return Known(
            checkout,
            *(list_first(what) for what in ("--help", "list", "targets", "templates")),
        )


def run(line: str, *more: str, folder: str = ".", typed: str = "") -> Run:
    """Make a command of a line as typed in a shell, and more words."""
    return Run((*shlex.split(line), *more), folder, typed)


def make_case(name: str, *steps: Step) -> Case:
    return Case(name, steps)
