"""A target's file: read, with those that it extends, and its JSON schema.

What the keys are, and what must hold of them, stands in target.py.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cardgen.core.errors import CardgenError, Problem, Where, collecting
from cardgen.core.library import Library
from cardgen.core.names import ask_for
from cardgen.core.toml import TomlReader
from cardgen.pages.keys import LINE, TARGET_NAME, Conflict, Key, Schema, describe_key, need_sheet
from cardgen.pages.target import PLAIN, TARGET_KEYS, Target, make_target

EXTENDS = Key("extends", TARGET_NAME, None, "the target that this one changes", "none")
_SHORTEST, _MOST_MEANT = 2, 3  # letters of a name, and targets
TITLE = Key("title", LINE, None, "what the target is for; for people, no page shows it", "required")


def read_target(path: Path, library: Library | None = None) -> Target:
    """Read a target and those it extends; everything wrong in their files is raised at once."""
    return _read_file(path, library or Library(Path.cwd()), ())


def read_targets(library: Library) -> tuple[list[Target], list[Problem]]:
    """Return all targets there are, and what is wrong with the others, each thing once."""
    targets: list[Target] = []
    problems: list[Problem] = []
    for name in library.list_names("target"):
        try:
            targets.append(read_target(library.get("target", name), library))
        except CardgenError as error:
            problems += (problem for problem in error.problems if problem not in problems)
    return targets, problems


def find_target(library: Library, name: str, where: Where | None = None) -> Target:
    """Return the target of a name; one that is unknown may be what the title of some says."""
    try:
        path = library.get("target", name, where)
    except CardgenError as error:
        near = _find_titled(library, name)
        if not near:
            raise
        (problem,) = error.problems
        details = {**problem.details, "near": near}
        raise CardgenError.of([replace(problem, hint=ask_for(near), details=details)]) from error
    return read_target(path, library)


def _find_titled(library: Library, name: str) -> tuple[str, ...]:
    """Return the targets in whose title a name stands, be it by the letters that its words begin
    with: tgc for The Game Crafter. Where many have it, it says nothing.
    """
    wanted = _join(name)
    if len(wanted) < _SHORTEST:
        return ()
    found = []
    for target in read_targets(library)[0]:
        initials = "".join(word[0] for word in target.title.split()).lower()
        if wanted in _join(target.title) or initials.startswith(wanted):
            found.append(target.name)
    return tuple(found) if len(found) <= _MOST_MEANT else ()


def _join(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def _read_file(path: Path, library: Library, seen: tuple[Path, ...]) -> Target:
    reader = TomlReader(path)
    base = PLAIN
    foreign: tuple[Problem, ...] = ()
    base_path = _find_base(reader, path, library, seen)
    if base_path:
        try:
            base = _read_file(base_path, library, (*seen, path))
        except CardgenError as error:
            foreign = error.problems
    target = _read_keys(reader, path.stem, base)
    for of in TARGET_KEYS.values():
        for conflict in of.rule(target, of.name) if of.rule else ():
            _note(reader, conflict)
    reader.raise_problems(foreign)
    return target


def _find_base(
    reader: TomlReader, path: Path, library: Library, seen: tuple[Path, ...]
) -> Path | None:
    """Return the file of the target that another extends."""
    name = EXTENDS.kind.read(reader, EXTENDS.name, None)
    if name is None:
        return None
    where = Where(reader.file, reader.lines.get("extends"))
    with collecting(reader.problems):
        return library.get_base("target", name, (*seen, path), where)
    return None


def _read_keys(reader: TomlReader, called: str, base: Target) -> Target:
    """Return the target of a file; keys that it leaves out are those of its base."""
    title = TITLE.kind.read(reader, TITLE.name, None)
    values = {
        name: of.kind.read(reader, name, base.get_value(name)) for name, of in TARGET_KEYS.items()
    }
    if values["paper"] is None:
        for of in TARGET_KEYS.values():
            if of.of_sheet:
                if values[of.name] != of.default:
                    _note(reader, need_sheet(of.name))
                values[of.name] = of.default
    lines = {name: Where(reader.file, line) for name, line in reader.lines.items()}
    target = make_target(called, title, **values)
    return replace(target, source=reader.file, lines={**base.lines, **lines})


def _note(reader: TomlReader, conflict: Conflict) -> None:
    """Note a conflict at the first of its keys that the file says; a base has told its own."""
    code, names, message, hint, details = conflict
    name = next(filter(reader.has, names), None)
    if name is not None:
        where = Where(reader.file, reader.lines.get(name))
        reader.problems.append(Problem(code, message, where, hint, field=name, details=details))


def make_target_schema() -> Schema:
    """Return the JSON schema of a target's file; it refuses nothing that the reader accepts."""
    keys = (EXTENDS, TITLE, *TARGET_KEYS.values())
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A target of cardgen in TOML",
        "type": "object",
        "properties": {of.name: describe_key(of) for of in keys},
        "additionalProperties": False,
        "required": ["title"],
        "anyOf": [{"required": ["paper"]}, {"required": ["extends"]}],
    }
