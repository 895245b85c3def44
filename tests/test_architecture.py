"""The shape of the house: imports run downward only, libraries stay in their rooms, modules are
small and say what they do.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import distribution
from itertools import chain
from pathlib import Path

import pytest

import cardgen

PACKAGE = Path(cardgen.__file__).parent
ROOT = PACKAGE.parent

# From the top of the house to the bottom; what shares a line may not lead back to itself.
FLOORS = (
    ("cardgen", "__main__"),
    ("cli",),
    ("studio",),
    ("build",),
    ("importing",),
    ("preflight",),
    ("project",),
    ("output",),
    ("pages",),
    ("layout",),
    ("text",),
    ("template",),
    ("deck",),
    ("core",),
)
LEVELS = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}

# The only rooms that may know a library.
HOMES = {
    "reportlab": {"output"},
    "deflate": {"output"},
    "uharfbuzz": {"output", "text"},
    "jinja2": {"template"},
    "click": {"cli"},
    "yaml": {"deck", "importing"},
    "fontpkg": {"text"},
    "pikepdf": {"output", "preflight"},
    "pypdfium2": {"importing", "output", "preflight"},
    "starlette": {"studio"},
    "uvicorn": {"studio"},
    "watchfiles": {"studio"},
}
MOST_LINES = 600
VAGUE = re.compile(r"(^|_)(utils?|helpers?|common|misc|tools?|base|stuff|manager)$")


def name_module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_module(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def find_room(module: str) -> str:
    """The folder, or the module at the top, that a module belongs to."""
    return module.split(".")[1] if "." in module else module


@cache
def read(module: str) -> str:
    return MODULES[module].read_text(encoding="utf-8")


@cache
def examine(module: str) -> tuple[set[str], str | None]:
    """Everything that a module imports, and what it says of itself; its tree is not kept."""
    source = ast.parse(read(module))
    return find_imports(module, source), ast.get_docstring(source)


def list_imports(module: str) -> set[str]:
    return examine(module)[0]


def list_statements(source: ast.AST) -> Iterator[ast.AST]:
    """Every statement, and what holds some; no expression does."""
    waiting = [source]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, part, ())


def find_imports(module: str, source: ast.AST) -> set[str]:
    """Everything imported anywhere in a source, also in functions and for types alone."""
    imported: set[str] = set()
    for node in list_statements(source):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module} imports by dots"
            assert node.module is not None
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            imported |= {name for name in inner if name in MODULES} or {node.module}
    return imported


@cache
def list_own(module: str) -> frozenset[str]:
    """The modules of the package that a module imports."""
    return frozenset(list_imports(module) & MODULES.keys())


def list_foreign(module: str) -> set[str]:
    """The libraries that a module imports."""
    tops = {name.partition(".")[0] for name in list_imports(module)}
    return tops - {"cardgen"}


def list_upward(module: str, imported: frozenset[str]) -> set[str]:
    level = LEVELS[find_room(module)]
    return {name for name in imported if LEVELS[find_room(name)] < level}


def test_every_module_has_its_floor() -> None:
    assert {find_room(module) for module in MODULES} == LEVELS.keys()


def test_imports_run_downward() -> None:
    upward = {module: list_upward(module, list_own(module)) for module in MODULES}
    assert {module: found for module, found in upward.items() if found} == {}


def test_an_upward_import_would_be_found() -> None:
    source = ast.parse("def f():\n    from cardgen.layout.compose import Composer\n")
    imported = frozenset(find_imports("cardgen.text.fit", source) & MODULES.keys())
    assert list_upward("cardgen.text.fit", imported) == {"cardgen.layout.compose"}
    assert list_upward("cardgen.build.pipeline", imported) == set()
    package = ast.parse("from cardgen.text import lines")
    assert find_imports("cardgen.build.pipeline", package) == {"cardgen.text.lines"}


def test_no_import_leads_back_to_itself() -> None:
    try:
        order = list(TopologicalSorter({m: list_own(m) for m in MODULES}).static_order())
    except CycleError as error:
        pytest.fail(f"a circle: {' > '.join(error.args[1])}")
    assert set(order) == MODULES.keys()


def test_libraries_stay_in_their_rooms() -> None:
    rooms: dict[str, set[str]] = {}
    for module in MODULES:
        for library in list_foreign(module):
            rooms.setdefault(library, set()).add(find_room(module))
    assert {library: rooms.get(library) for library in HOMES} == HOMES


def test_libraries_are_those_that_the_package_declares() -> None:
    used = {library for module in MODULES for library in list_foreign(module)}
    used -= sys.stdlib_module_names
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    offered: set[str] = set()
    extras = declared["project"]["optional-dependencies"].values()
    for requirement in (*declared["project"]["dependencies"], *chain.from_iterable(extras)):
        name = re.split(r"[<>=!~ \[;]", requirement)[0]
        tops = {file.parts[0].removesuffix(".py") for file in distribution(name).files or ()}
        assert tops & used or name.startswith("fontpkg-"), f"{name} is not used"
        offered |= tops
    assert used <= offered


def test_modules_are_short() -> None:
    lines = {module: read(module).count("\n") for module in MODULES}
    assert {module: count for module, count in lines.items() if count > MOST_LINES} == {}


def test_importing_knows_none_of_its_neighbours() -> None:
    """How a deck fits is asked of functions that the command hands in."""
    known = {
        find_room(own)
        for module in MODULES
        if find_room(module) == "importing"
        for own in list_own(module)
    }
    assert known == {"importing", "project", "deck", "core"}


def test_the_rooms_of_importing_run_downward() -> None:
    """What reads knows nothing of what finds, what finds nothing of tables, none of decks."""
    order = ("reading", "finding", "tables")
    for module in MODULES:
        parts = module.split(".")
        if parts[1:2] != ["importing"] or len(parts) < 4 or parts[2] not in order:
            continue
        above = {*order[order.index(parts[2]) + 1 :], "sheets", "merging"}
        assert not {
            own for own in list_own(module) if own.split(".")[1:2] == ["importing"]
            and own.split(".")[2:3] and own.split(".")[2] in above
        }, module  # fmt: skip


def test_modules_say_what_they_do() -> None:
    silent = [module for module in MODULES if not examine(module)[1]]
    assert [module for module in silent if read(module).strip()] == []
    assert all(MODULES[module].name == "__init__.py" for module in silent)


def test_modules_have_names_that_say_something() -> None:
    assert [module for module in MODULES if VAGUE.search(module.rpartition(".")[2])] == []


def test_a_room_is_more_than_one_module() -> None:
    """A stage is a folder; everything else at the top is a module by itself."""
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert rooms == {room for floor in FLOORS for room in floor} - {"cardgen", "__main__"}
    loose = {path.name for path in PACKAGE.glob("*.py")}
    assert loose == {"__init__.py", "__main__.py"}
