"""Runs cases with the command of a checkout, and keeps what they leave behind."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.compare.cases import EPOCH, Case, Change, Run, Step, Write

STDOUT, STDERR, CODE = "<stdout>", "<stderr>", "<exit code>"
_LIMIT = 300.0  # seconds for a command
_FORM = 1  # of what is kept; a new one begins a new cache


@dataclass(frozen=True)
class Checkout:
    folder: Path

    @property
    def program(self) -> Path:
        return self.folder / ".venv/bin/cardgen"

    def name_state(self) -> str | None:
        """The commit and what is installed beside it; nothing where files have been changed."""
        commit = self._ask_git("rev-parse", "HEAD")
        if commit is None or self._ask_git("status", "--porcelain") != "":
            return None
        packages = (self.folder / ".venv").glob("lib/python*/site-packages/*.dist-info")
        names = "\n".join(sorted(path.name for path in packages))
        mark = hashlib.sha256(f"{self.folder}\n{names}\n{_FORM}".encode()).hexdigest()
        return f"{commit[:16]}-{mark[:12]}"

    def _ask_git(self, *arguments: str) -> str | None:
        command = ["git", "-C", str(self.folder), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return None if done.returncode else done.stdout.strip()

    def normalise(self, content: bytes) -> bytes:
        """A text with the checkout's path taken out; anything else as it is."""
        if b"\0" in content or content.startswith(b"%PDF"):
            return content
        return content.replace(str(self.folder).encode(), b"CHECKOUT")


def find_cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home, "cardgen-compare")


# What a case leaves behind


@dataclass(frozen=True)
class Outcome:
    """A step and each file that it wrote or took away, by the sum of its content."""

    step: str
    files: Mapping[str, str | None]


@dataclass(frozen=True)
class Store:
    """A folder of outcomes by the case's key, and of contents by their sums."""

    folder: Path

    def keep(self, content: bytes) -> str:
        name = hashlib.sha256(content).hexdigest()
        path = self.folder / "contents" / name[:2] / name
        if not path.exists():
            write_file(path, content)
        return name

    def read(self, name: str) -> bytes:
        return (self.folder / "contents" / name[:2] / name).read_bytes()

    def keep_outcomes(self, case: Case, outcomes: Iterable[Outcome]) -> None:
        text = json.dumps([asdict(outcome) for outcome in outcomes])
        write_file(self._find(case), text.encode())

    def read_outcomes(self, case: Case) -> list[Outcome] | None:
        path = self._find(case)
        return [Outcome(**item) for item in json.loads(path.read_text())] if path.exists() else None

    def _find(self, case: Case) -> Path:
        return self.folder / "outcomes" / f"{case.key}.json"


def write_file(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}-{time.monotonic_ns()}")
    beside.write_bytes(content)
    beside.replace(path)


# Running a case


@contextmanager
def open_folder(case: Case) -> Iterator[Path]:
    """An empty folder: always the same for a case, so that paths in outputs are, too."""
    folder = Path(tempfile.gettempdir(), "cardgen-compare", case.key)
    folder.parent.mkdir(exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "work").mkdir(parents=True)
        yield folder
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Runner:
    checkout: Checkout
    store: Store

    def run(self, case: Case) -> list[Outcome]:
        """Go through the steps in an empty folder, and keep what each leaves behind."""
        with open_folder(case) as folder:
            made = (self._go(folder, step) for step in case.steps)
            outcomes = [outcome for outcome in made if outcome]
        self.store.keep_outcomes(case, outcomes)
        return outcomes

    def _go(self, folder: Path, step: Step) -> Outcome | None:
        match step:
            case Write():
                path = folder / "work" / step.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(step.content)
                return None
            case Change():
                return _change(folder / "work" / step.path, step)
            case Run():
                return self._run(folder, step)

    def _run(self, folder: Path, step: Run) -> Outcome:
        place = folder / "work" / step.folder
        if not place.is_dir():
            return Outcome(str(step), {CODE: "there is no folder to run in"})
        known = _list_files(folder)
        program = str(self.checkout.program) if step.program == "cardgen" else step.program
        try:
            done = subprocess.run(
                [program, *step.arguments],
                cwd=place,
                env=_make_environment(folder),
                input=step.typed.encode(),
                capture_output=True,
                timeout=_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Outcome(str(step), {CODE: "it took too long"})
        now = _list_files(folder)
        changed = [name for name, mark in now.items() if known.get(name) != mark]
        files: dict[str, str | None] = {
            CODE: str(done.returncode),
            STDOUT: self._keep(done.stdout),
            STDERR: self._keep(done.stderr),
            **{name: self._keep((folder / name).read_bytes()) for name in changed},
            **dict.fromkeys(known.keys() - now.keys()),
        }
        return Outcome(str(step), files)

    def _keep(self, content: bytes) -> str:
        return self.store.keep(self.checkout.normalise(content))


def _change(path: Path, step: Change) -> Outcome | None:
    text = path.read_text("utf-8") if path.is_file() else ""
    if step.old not in text:
        return Outcome(f"change {step.path}", {CODE: f"there is no {step.old!r}"})
    path.write_text(text.replace(step.old, step.new), "utf-8")
    return None


def _list_files(folder: Path) -> dict[str, tuple[int, int, int]]:
    """All files but those of git, each with what shows that it was written anew."""
    found: dict[str, tuple[int, int, int]] = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            path = Path(place, name)
            stat = path.stat()
            found[str(path.relative_to(folder))] = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
    return found


def _make_environment(folder: Path) -> dict[str, str]:
    date = f"{EPOCH} +0000"
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "COLUMNS": "100",
        "XDG_CONFIG_HOME": str(folder / "config"),
        "SOURCE_DATE_EPOCH": str(EPOCH),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_NAME": "A" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "a@b.example" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_DATE": date for who in ("AUTHOR", "COMMITTER")},
    }
