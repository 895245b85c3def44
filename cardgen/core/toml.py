"""Turns a TOML file into typed values, and collects everything that is wrong in it with its line.

Knows lengths, sizes and choices, but not which keys a target has.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any, TypeVar

from cardgen.core.errors import CardgenError, Problem, Refusal, Where, find_near, shorten, suggest
from cardgen.core.geometry import Insets, Size
from cardgen.core.text import decode_text
from cardgen.core.units import LONGEST_SIDE, format_mm, parse_points, parse_size

_Choice = TypeVar("_Choice", bound=str)
_KEY = re.compile(r"""\s*\[?\s*(["']?)(?P<key>[\w-]+)\1\s*[.=\]]""")
_SYNTAX_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_BRACED = re.compile(r"\{([^{}]*)\}")
_SIDES = Insets._fields
_FLAG = re.compile(r"=\s*(yes|no|on|off|True|False)\s*(#.*)?$")
_QUOTES = 'write texts and lengths in quotes, as in "3mm"'
_CURES = (
    ("Illegal character '\\n'", "close the quote"),
    ("Expected '=' after a key", 'write the key, "=" and its value: paper = "a4"'),
    ("Cannot overwrite a value", "a key stands once: delete one of them"),
    ("Cannot declare", "a key stands once: delete one of them"),
)


class TomlReader:
    """The values of one file, asked for by key; a key nobody asked for is unknown."""

    def __init__(self, path: Path) -> None:
        self.file = str(path)
        self.problems: list[Problem] = []
        text = read_text(path)
        self.lines = _find_lines(text)
        self._values = parse_toml(text, self.file)
        self._known: set[str] = set()

    def note(self, key: str, message: str, hint: str | None = None) -> None:
        """Add a problem that stands at a key."""
        where = Where(self.file, self.lines.get(key))
        self.problems.append(Problem("core/todo", message, where, hint, field=key))

    def has(self, key: str) -> bool:
        return key in self._values

    def says(self, key: str, word: str) -> bool:
        """Whether the value of a key is a certain word."""
        value = self._take(key)
        return isinstance(value, str) and value.strip().lower() == word

    def choose(self, *keys: str) -> str:
        """Of keys that do not go together, the first that this file says itself."""
        return next(filter(self.has, keys), keys[0])

    def raise_problems(self, others: Iterable[Problem] = ()) -> None:
        """Raise everything found so far, unknown keys included, in the order of the file; behind it
        the problems of other files."""
        for key in sorted(self._values.keys() - self._known):
            hint = suggest(key, self._known, kind="key")
            if isinstance(self._values[key], Mapping) and not hint.startswith("did you mean"):
                hint = f'a target has no tables: delete "[{shorten(key)}]"'
            self.note(key, f'unknown key "{shorten(key)}"', hint)
        problems = [*sorted(self.problems, key=_get_line), *others]
        if problems:
            raise CardgenError.of(problems)

    def read_name(self, key: str, example: str) -> str | None:
        """The name of another file, or None where the key is left out."""
        value = self._take(key)
        if value is not None and not isinstance(value, str):
            self.note(key, f'{key} must be a name such as "{example}", not {_quote(value)}')
            return None
        return value

    def read_line(self, key: str, example: str) -> str | None:
        """A line of text, or None where the key is left out."""
        value = self._take(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            self.note(
                key,
                f"{key} must be one line of text, not {_quote(value)}",
                f'as in {key} = "{example}"',
            )
            return None
        return value.strip()

    def read_flag(self, key: str, default: bool) -> bool:
        value = self._take(key)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self.note(key, f"{key} must be true or false, not {_quote(value)}")
        return default

    def read_pattern(self, key: str, fields: tuple[str, ...], default: str) -> str:
        """A file's name with fields in braces."""
        value = self._take(key)
        if value is None:
            return default
        hint = f'as in {key} = "{default}"; the fields are {", ".join(fields)}'
        if not isinstance(value, str) or not value.strip():
            self.note(key, f"{key} must be a text with fields in braces, not {_quote(value)}", hint)
            return default
        try:
            named = [name for _, name, _, _ in Formatter().parse(value) if name is not None]
            value.format(**dict.fromkeys(fields, ""))
        except (ValueError, LookupError, AttributeError):
            named = _BRACED.findall(value)
            unknown = [name for name in named if name not in fields]
            what = f"unknown field {{{unknown[0]}}}" if unknown else "a brace that is not closed"
            near = suggest(unknown[0], fields) if unknown else ""
            self.note(key, f"{key}: {what}", near if near.startswith("did you mean") else hint)
            return default
        if set(value) & set('/\\:*?"<>|') or not value.isprintable():
            self.note(key, f"{key}: a file's name holds none of / \\ : * ? \" < > |", hint)
        elif "side" not in named:
            self.note(key, f"{key} needs {{side}}, or a back would take its front's place", hint)
        return value

    def read_title(self, key: str) -> str:
        """A required line of text."""
        value = self._take(key)
        if value is None:
            self.note(key, f"{key} is missing", f'add a line such as {key} = "A4 at home"')
            return ""
        if not isinstance(value, str) or not value.strip() or len(value.splitlines()) > 1:
            self.note(key, f"{key} must be one line of text, not {_quote(value)}")
            return ""
        return value.strip()

    def read_size(self, key: str, words: tuple[str, ...] = ()) -> Size | None:
        """A required size, by name or spelled out; `words` may have been meant instead."""
        value = self._take(key)
        if value is None:
            self.note(key, f"{key} is missing", f'add a line such as {key} = "a4"')
            return None
        if not isinstance(value, str):
            self.note(key, f'{key} must be a size such as "a4", not {_quote(value)}')
            return None
        try:
            return parse_size(value)
        except Refusal as error:
            near = find_near(value, words)
            if near:
                self.note(key, f'{key}: unknown size "{shorten(value)}"', suggest(value, words))
            else:
                self.note(key, f"{key}: {error}")
            return None

    def read_number(self, key: str, most: int, default: int | None = None) -> int | None:
        """A whole number from 1 on."""
        value = self._take(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            self.note(key, f"{key} must be a whole number from 1 to {most}, not {_quote(value)}")
            return None
        return value

    def read_choice(self, key: str, choices: tuple[_Choice, ...], default: _Choice) -> _Choice:
        value = self._take(key)
        if value is None:
            return default
        for choice in choices:
            if value == choice:
                return choice
        *others, last = (f'"{choice}"' for choice in choices)
        allowed = f"{', '.join(others)} or {last}"
        near = isinstance(value, str) and find_near(value, choices)
        hint = suggest(value, choices) if near else None
        self.note(key, f"{key} must be {allowed}, not {_quote(value)}", hint)
        return default

    def read_length(self, key: str, default: float) -> float:
        """A length of 0 or more in points; "none" means 0."""
        value = self._take(key)
        if value is None:
            return default
        return 0.0 if value == "none" else self._parse_length(key, key, value)

    def read_length_or_none(self, key: str, default: float | None) -> float | None:
        """A length, or what stands for one where the key is left out."""
        return self.read_length(key, 0.0) if self.has(key) else self._leave(key, default)

    def read_insets(self, key: str, default: Insets) -> Insets:
        """One length for all four sides, or a table that names them."""
        value = self._take(key)
        if value is None:
            return default
        if not isinstance(value, Mapping):
            return Insets.even(self._parse_length(key, key, value))
        for side in value:
            if side not in _SIDES:
                hint = suggest(side, _SIDES, kind="side")
                self.note(key, f'unknown side "{shorten(side)}" of {key}', hint)
        named = {side: value[side] for side in _SIDES if side in value}
        return Insets(
            **{side: self._parse_length(key, f"{key}.{side}", named[side]) for side in named}
        )

    def _leave(self, key: str, default: float | None) -> float | None:
        self._known.add(key)
        return default

    def _take(self, key: str) -> Any:
        self._known.add(key)
        return self._values.get(key)

    def _parse_length(self, key: str, name: str, value: object) -> float:
        if value == 0 and not isinstance(value, bool):
            return 0.0
        if isinstance(value, int | float) and not isinstance(value, bool):
            self.note(key, f"{name} = {value} has no unit", f'write "{value}mm", in quotes')
            return 0.0
        if not isinstance(value, str):
            self.note(key, f'{name} must be a length such as "3mm", not {_quote(value)}')
            return 0.0
        try:
            points = parse_points(value)
        except Refusal as error:
            self.note(key, f"{name}: {error}")
            return 0.0
        if not 0 <= points <= LONGEST_SIDE:
            self.note(key, f"{name} must be 0 to {format_mm(LONGEST_SIDE)}, not {shorten(value)}")
            return 0.0
        return points


def read_text(path: Path) -> str:
    try:
        return decode_text(path.read_bytes(), str(path)).replace("\r\n", "\n")
    except OSError as error:
        raise CardgenError(
            "core/todo", f"cannot be read: {error.strerror}", Where(str(path))
        ) from None


def parse_toml(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:  # a number of too many digits is no TOMLDecodeError
        message = str(error)
        place = _SYNTAX_PLACE.search(message)
        line, column = place.groups() if place else (None, None)
        where = Where(file, int(line) if line else None, int(column) if column else None)
        shown = message[: place.start()] if place else message
        raise CardgenError(
            "core/todo", f"not TOML: {shown}", where, _find_cure(shown, text, where)
        ) from None


def _find_cure(problem: str, text: str, where: Where) -> str:
    """The cure for what was most likely meant."""
    lines = text.splitlines()
    line = lines[where.line - 1] if where.line and where.line <= len(lines) else ""
    if _FLAG.search(line):
        return "write true or false, in small letters"
    return next((cure for begin, cure in _CURES if problem.startswith(begin)), _QUOTES)


def _find_lines(text: str) -> dict[str, int]:
    """The line of each key at the top of the file; tomllib does not tell."""
    lines: dict[str, int] = {}
    for number, key in _list_keys(text):
        lines.setdefault(key, number)
    return lines


def _list_keys(text: str) -> Iterator[tuple[int, str]]:
    inside_table = False
    for number, line in enumerate(text.splitlines(), start=1):
        match = _KEY.match(line)
        if match:
            heads_table = line.lstrip().startswith("[")
            if heads_table or not inside_table:
                yield number, match["key"]
            inside_table = inside_table or heads_table


def _get_line(problem: Problem) -> int:
    return problem.where.line or 0 if problem.where else 0


def _quote(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return f'"{shorten(value)}"' if isinstance(value, str) else str(value)
