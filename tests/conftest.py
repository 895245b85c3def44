"""What several test files share: a project in an empty folder, the command line, and the option
that renews golden texts.
"""

from __future__ import annotations

import ctypes
import gc
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, settings
from making import build, check
from pypdf.generic import DictionaryObject
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from cardgen.build.deliver import Built
from cardgen.build.selection import ALL, Selection
from cardgen.cli.app import main
from cardgen.core.errors import CardgenError
from cardgen.core.library import HOME
from cardgen.pages.impose import Sides
from cardgen.template import chain
from cardgen.template.source import SourceElement, read_source

_SLUG = re.compile(r"(Magic \w+|\S+) · \S+ · sheet \d+ of \d+(, front|, back)? · \S+")


# Each run tries others, but in CI, so that many runs try as many as one that takes long.
# With --hypothesis-profile=default a run tries all the examples that a test asks for.
# A clock on the wall tells how busy a machine is, so none of Hypothesis's ends a test.
settings.register_profile(
    "some",
    settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]),
)
settings.load_profile("some")

# What the tests of these share takes long to make, so each of them runs in one process; the longest
# first.
_TOGETHER = (
    "tests/studio/test_browser.py",
    "tests/fuzz/test_fuzz.py",
    "tests/whole/test_drawing.py",
    "tests/whole/test_wheel.py",
    "tests/whole/test_facts.py",
    "tests/importing/test_importing_limits.py",
    "tests/build/test_press_pdf.py",
    "tests/whole/test_print_quality.py",
    "tests/whole/test_docs.py",
    "tests/whole/test_read_aloud.py",
    "tests/test_messages.py",
    "tests/test_architecture.py",
)
# Then come those that are slow or wait for others, so that none is left for the end, when workers
# have nothing else to do.
_SLOW = ("tests/studio/", "tests/whole/", "tests/build/", "tests/importing/test_importing_review")


# So many tests of a file are dealt out together: each message takes as long as a quick test.
_HAND = 6

# A run writes ten thousand small files, and many are synced: that takes no time in memory.
_IN_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30

# What the C library does with memory that was freed, by its numbers for it: it gives none back, has
# what is large among the rest, and asks for more than it needs.
_KEEPING = {-1: 1 << 30, -3: 1 << 25, -2: 1 << 24}


class _Scheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Deals out a few tests at a time, but files of many tests that share something as a whole."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        config.option.loadscopereorder = False  # by the number of tests, that is
        super().__init__(config, log)
        self._hands: dict[str, str] = {}
        self._of_file: Counter[str] = Counter()

    def _split_scope(self, nodeid: str) -> str:
        """Return the hand that a test is dealt with; it is asked for in the order of collection."""
        hand = self._hands.get(nodeid)
        if hand is None:
            file = nodeid.partition("::")[0]
            number = 0 if file in _TOGETHER else self._of_file[file] // _HAND
            self._of_file[file] += 1
            hand = self._hands[nodeid] = f"{file} {number}"
        return hand

    def mark_test_complete(
        self, node: WorkerController, item_index: int, duration: float = 0
    ) -> None:
        """Forget what is done, for all that was dealt out is counted after each test."""
        super().mark_test_complete(node, item_index, duration)
        scope = self._split_scope(self.registered_collections[node][item_index])
        if all(self.assigned_work[node][scope].values()):
            del self.assigned_work[node][scope]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: each waits at times, for a browser or another process."""
    return (os.cpu_count() or 1) + 1


def pytest_sessionstart(session: pytest.Session) -> None:
    """Load the tests in each worker from another one on: what one has compiled the others read, and
    on a fresh clone none compiles all of them.
    """
    told = getattr(session.config, "workerinput", None)
    folder = Path(__file__).parent
    if told is None or [Path(name).resolve() for name in session.config.args] != [folder]:
        return
    files = sorted(folder.rglob("test_*.py"))
    first = len(files) * int(told["workerid"].removeprefix("gw")) // told["workercount"]
    sys.path += sorted({str(file.parent) for file in files} - {*sys.path})
    for file in files[first:] + files[:first]:
        import_module(file.stem)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Have workers begin with what takes long."""
    if hasattr(config, "workerinput"):
        items.sort(key=_find_turn)


def _find_turn(item: pytest.Item) -> int:
    file = item.nodeid.partition("::")[0]
    if file in _TOGETHER:
        return _TOGETHER.index(file)
    return len(_TOGETHER) + (not file.startswith(_SLOW))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> _Scheduling:
    return _Scheduling(config, log)


def pytest_configure() -> None:
    """Have temporary files lie in memory where there is room, programs can be run, and nobody says
    where they are to lie.
    """
    gc.disable()
    _keep_memory()
    if "TMPDIR" in os.environ or not os.access(_IN_MEMORY, os.W_OK):
        return
    room = os.statvfs(_IN_MEMORY)
    if room.f_bavail * room.f_frsize >= _ROOM and not room.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_IN_MEMORY)


def _keep_memory() -> None:
    """Keep memory that was freed: each picture was given clean pages anew, which took as long as a
    tenth of all tests.
    """
    with suppress(AttributeError, OSError):  # of another C library than GNU's
        change = ctypes.CDLL(None).mallopt
        for what, most in _KEEPING.items():
            change(what, most)


def pytest_collection_finish() -> None:
    """Keep the collector of cycles from walking through all tests again and again: that would be
    half of their time.
    """
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--renew-golden",
        action="store_true",
        help="Write the golden texts anew instead of comparing with them.",
    )


@dataclass(frozen=True)
class Ran:
    """What a run of the command line left behind; paths in its texts begin at the project."""

    code: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Project:
    """A user's project: a folder, empty at first, that is also the working directory."""

    folder: Path

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def write_template(self, body: str, name: str = "plain", attributes: str = "") -> Path:
        """A template whose body begins at line 2; 50 x 40 mm unless the attributes say more."""
        head = attributes or 'size="50mm x 40mm"'
        return self.write(f"templates/{name}.xml", f"<template {head}>\n{body}\n</template>\n")

    def write_deck(
        self, cards: str = "  - name: Sword\n", name: str = "deck", head: str = "template: plain\n"
    ) -> Path:
        return self.write(f"decks/{name}.yaml", f"{head}cards:\n{cards}")

    def run(self, *arguments: str) -> Ran:
        """The command line within this process; a traceback fails the test."""
        result = CliRunner().invoke(main, arguments, prog_name="cardgen", catch_exceptions=False)
        return Ran(result.exit_code, self.shorten(result.stdout), self.shorten(result.stderr))

    def build(
        self,
        deck: str = "deck",
        *,
        target: str | None = None,
        selection: Selection = ALL,
        sides: Sides = "both",
    ) -> Built:
        return build(deck, target=target, selection=selection, sides=sides)

    def find_problems(self, deck: str = "deck") -> str:
        """Everything that a build would complain of."""
        try:
            check(deck)
        except CardgenError as error:
            return self.shorten(str(error))
        return ""

    def list_files(self) -> list[str]:
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return sorted(str(path.relative_to(self.folder)) for path in files)

    def shorten(self, text: str) -> str:
        """A text with this folder's path taken out."""
        return text.replace(f"{self.folder}/", "")


@pytest.fixture(scope="session", autouse=True)
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A user's configuration that is nobody's: no test reads or writes that of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("configuration")
        patch.setenv("XDG_CONFIG_HOME", str(folder))
        yield folder


@pytest.fixture(scope="session", autouse=True)
def fonts_read_once() -> Iterator[None]:
    """pypdf reads a font anew for each page and each form, which is most of what it does."""
    font_class = getattr(import_module("pypdf._page"), "Font", None)
    read = getattr(font_class, "from_font_resource", None)
    with pytest.MonkeyPatch.context() as patch:
        if read is not None:

            def read_once(dictionary: DictionaryObject) -> object:
                kept = vars(dictionary)
                if "font" not in kept:
                    kept["font"] = read(dictionary)
                return copy(kept["font"])

            patch.setattr(font_class, "from_font_resource", staticmethod(read_once))
        yield


@pytest.fixture(scope="session", autouse=True)
def templates_read_once() -> Iterator[None]:
    """Almost each build reads some of cardgen's own templates, which no test changes."""
    own, read_once = HOME / "templates", cache(read_source)

    def read(path: Path) -> SourceElement:
        return (read_once if path.absolute().is_relative_to(own) else read_source)(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chain, "read_source", read)
        yield


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    folder = tmp_path.resolve() / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Project(folder)


def drop_slug(text: str) -> str:
    """A page's text without the line in its margin."""
    return _SLUG.sub("", text).strip()


def find_program() -> str:
    """The installed command, as a shell finds it."""
    return str(Path(sys.executable).with_name("cardgen"))


def find_tool(name: str) -> str:
    """A program that checks finished files; only where CI does not promise it may it be missing."""
    found = shutil.which(name)
    if found is None:
        complain = pytest.fail if os.environ.get("CI") else pytest.skip
        complain(f"{name} is not installed")
    return found


def hear_interrupts() -> None:
    """What a shell runs in the background is deaf to Ctrl-C, and what nohup runs to the end of its
    terminal; so is all that these start.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def run_program(
    arguments: Iterable[str],
    *,
    environment: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    prepare: Callable[[], None] | None = None,
) -> Ran:
    """The command line as a process of its own; `prepare` runs in it first."""
    done = subprocess.run(
        [find_program(), *arguments],
        capture_output=True,
        encoding=encoding,
        env={**os.environ, **(environment or {})},
        timeout=60,
        check=False,
        preexec_fn=prepare,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
