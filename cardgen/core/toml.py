"""A TOML file as typed values; all that is wrong in it is collected, with the lines.

Knows lengths, sizes and choices, but not which keys a file may have.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any, TypeVar

from cardgen.core.errors import CardgenError, Detail, Problem, Refusal, Where, shorten
from cardgen.core.geometry import Insets, Size
from cardgen.core.names import describe_unknown
from cardgen.core.reading import decode_text, read_bytes
from cardgen.core.units import LONGEST_SIDE, MM, format_mm, parse_points, parse_size

_Choice = TypeVar("_Choice", bound=str)
_KEY = re.compile(r"""\s*\[?\s*(["']?)(?P<key>[\w-]+)\1\s*[.=\]]""")
_SYNTAX_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_BRACED = re.compile(r"\{([^{}]*)\}")
_MOST_BYTES = 1_000_000  # such a file has some hundred lines
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
    """The values of one file, read by their keys; a key that nobody reads is unknown."""

    def __init__(self, path: Path) -> None:
        self.file = str(path)
        self.problems: list[Problem] = []
        text = read_toml(path)
        self.lines = _find_lines(text)
        self._values = parse_toml(text, self.file)
        self._known: set[str] = set()

    def note(
        self,
        key: str,
        code: str,
        message: str,
        hint: str | None = None,
        details: Mapping[str, Detail] | None = None,
    ) -> None:
        """Add a problem that stands at a key."""
        where = Where(self.file, self.lines.get(key))
        problem = Problem(code, message, where, hint, field=key, details=details or {})
        self.problems.append(problem)

    def note_refusal(self, key: str, refusal: Refusal, message: str) -> None:
        """Add a value that was refused, in a message that names its key."""
        self.note(key, refusal.code, message, refusal.hint, refusal.details)

    def has(self, key: str) -> bool:
        return key in self._values

    def says(self, key: str, word: str) -> bool:
        """Whether the value of a key is a certain word."""
        value = self._take(key)
        return isinstance(value, str) and value.strip().lower() == word

    def choose(self, *keys: str) -> str:
        """Return the first of these keys that the file has; the first of all if it has none."""
        return next(filter(self.has, keys), keys[0])

    def raise_problems(self, others: Iterable[Problem] = ()) -> None:
        """Raise all problems in the order of the file, unknown keys too, then the others."""
        for key in sorted(self._values.keys() - self._known):
            unknown = describe_unknown(key, self._known, "key")
            hint = None
            if isinstance(self._values[key], Mapping) and not unknown.near:
                hint = f'this file has no tables: delete "[{shorten(key)}]"'
            message = f'unknown key "{shorten(key)}"'
            self.note(key, "file/unknown-key", message, hint or unknown.hint, unknown.details)
        problems = [*sorted(self.problems, key=_get_line), *others]
        if problems:
            raise CardgenError.of(problems)

    def read_name(self, key: str, example: str) -> str | None:
        """Return the name of another file, or None where the key is left out."""
        value = self._take(key)
        if value is not None and not isinstance(value, str):
            self.note(
                key,
                "value/not-a-text",
                f'{key} must be a name such as "{example}", not {_quote(value)}',
            )
            return None
        return value

    def read_line(self, key: str, example: str) -> str | None:
        """Return a line of text, or None where the key is left out."""
        value = self._take(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            self.note(
                key,
                "value/not-a-line",
                f"{key} must be one line of text, not {_quote(value)}",
                f'as in {key} = "{example}"',
            )
            return None
        return value.strip()

    def read_flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self._take(key)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self.note(
            key, "value/not-true-or-false", f"{key} must be true or false, not {_quote(value)}"
        )
        return default

    def read_pattern(self, key: str, fields: tuple[str, ...], default: str) -> str:
        """Return a file's name with fields in braces."""
        value = self._take(key)
        if value is None:
            return default
        hint = f'as in {key} = "{default}"; the fields are {", ".join(fields)}'
        if not isinstance(value, str) or not value.strip():
            message = f"{key} must be a text with fields in braces, not {_quote(value)}"
            self.note(key, "value/not-a-pattern", message, hint)
            return default
        try:
            named = [name for _, name, _, _ in Formatter().parse(value) if name is not None]
            value.format(**dict.fromkeys(fields, ""))
        except (ValueError, LookupError, AttributeError):
            named = _BRACED.findall(value)
            other = next((name for name in named if name not in fields), None)
            if other is None:
                message = f"{key}: a brace that is not closed"
                self.note(key, "value/not-a-pattern", message, hint)
                return default
            unknown = describe_unknown(other, fields)
            message = f"{key}: unknown field {{{other}}}"
            self.note(key, "value/unknown-field", message, unknown.guess or hint, unknown.details)
            return default
        if set(value) & set('/\\:*?"<>|') or not value.isprintable():
            message = f"{key}: a file's name holds none of / \\ : * ? \" < > |"
            self.note(key, "value/not-a-pattern", message, hint)
        elif "side" not in named:
            message = f"{key} needs {{side}}, or a back would take its front's place"
            self.note(key, "value/not-a-pattern", message, hint)
        return value

    def read_title(self, key: str) -> str:
        """Return a required line of text, empty if there is none."""
        value = self._take(key)
        if value is None:
            hint = f'add a line such as {key} = "A4 at home"'
            self.note(key, "file/no-key", f"{key} is missing", hint)
            return ""
        if not isinstance(value, str) or not value.strip() or len(value.splitlines()) > 1:
            message = f"{key} must be one line of text, not {_quote(value)}"
            self.note(key, "value/not-a-line", message)
            return ""
        return value.strip()

    def read_size(self, key: str, words: tuple[str, ...] = ()) -> Size | None:
        """Return a required size; `words` are what else the key may hold, for the hint."""
        value = self._take(key)
        if value is None:
            hint = f'add a line such as {key} = "a4"'
            self.note(key, "file/no-key", f"{key} is missing", hint)
            return None
        if not isinstance(value, str):
            message = f'{key} must be a size such as "a4", not {_quote(value)}'
            self.note(key, "value/not-a-size", message)
            return None
        try:
            return parse_size(value)
        except Refusal as error:
            unknown = describe_unknown(value, words)
            if unknown.near:
                message = f'{key}: unknown size "{shorten(value)}"'
                self.note(key, "value/unknown-size", message, unknown.hint, unknown.details)
            else:
                self.note_refusal(key, error, f"{key}: {error}")
            return None

    def read_number(self, key: str, most: int, default: int | None = None) -> int | None:
        """Return a whole number from 1 to `most`."""
        value = self._take(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            message = f"{key} must be a whole number from 1 to {most}, not {_quote(value)}"
            self.note(key, "value/not-a-whole-number", message, details={"most": most})
            return None
        return value

    def read_choice(self, key: str, choices: tuple[_Choice, ...], default: _Choice) -> _Choice:
        """Return one of some words."""
        value = self._take(key)
        if value is None:
            return default
        for choice in choices:
            if value == choice:
                return choice
        *others, last = (f'"{choice}"' for choice in choices)
        allowed = f"{', '.join(others)} or {last}"
        message = f"{key} must be {allowed}, not {_quote(value)}"
        if isinstance(value, str):
            unknown = describe_unknown(value, choices)
            self.note(key, "value/not-a-choice", message, unknown.guess, unknown.details)
        else:
            self.note(key, "value/not-a-choice", message)
        return default

    def read_length(self, key: str, default: float) -> float:
        """Return a length of 0 or more in points; "none" means 0."""
        value = self._take(key)
        if value is None:
            return default
        return 0.0 if value == "none" else self._parse_length(key, key, value)

    def read_length_or_none(self, key: str, default: float | None) -> float | None:
        """Return a length, or the default where the key is left out."""
        return self.read_length(key, 0.0) if self.has(key) else self._leave(key, default)

    def read_insets(self, key: str, default: Insets) -> Insets:
        """Return one length for all four sides, or those of a table that names the sides."""
        value = self._take(key)
        if value is None:
            return default
        if not isinstance(value, Mapping):
            return Insets.even(self._parse_length(key, key, value))
        for side in value:
            if side not in _SIDES:
                unknown = describe_unknown(side, _SIDES, "side")
                message = f'unknown side "{shorten(side)}" of {key}'
                self.note(key, "value/unknown-side", message, unknown.hint, unknown.details)
        named = {side: value[side] for side in _SIDES if side in value}
        return Insets(
            **{side: self._parse_length(key, f"{key}.{side}", named[side]) for side in named}
        )

    def read_records(
        self, key: str, parts: tuple[str, ...], example: str, *, needless: str = ""
    ) -> list[dict[str, str]] | None:
        """Return a list of tables that have these parts, all of them texts; None where the key is
        left out. A needless part may be left out.
        """
        value = self._take(key)
        if value is None:
            return None
        records = []
        for entry in value if isinstance(value, list) else [value]:
            if (
                isinstance(entry, Mapping)
                and set(parts) - {needless} <= set(entry) <= set(parts)
                and all(isinstance(text, str) and text.isprintable() for text in entry.values())
            ):
                records.append(dict(entry))
            else:
                message = f"{key} must be a list of tables with {', '.join(parts)} as texts"
                self.note(key, "value/not-records", message, f"as in {example}")
        return records

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
            hint = f'write "{value}mm", in quotes'
            self.note(key, "value/no-unit", f"{name} = {value} has no unit", hint)
            return 0.0
        if not isinstance(value, str):
            message = f'{name} must be a length such as "3mm", not {_quote(value)}'
            self.note(key, "value/not-a-length", message)
            return 0.0
        try:
            points = parse_points(value)
        except Refusal as error:
            self.note_refusal(key, error, f"{name}: {error}")
            return 0.0
        if not 0 <= points <= LONGEST_SIDE:
            message = f"{name} must be 0 to {format_mm(LONGEST_SIDE)}, not {shorten(value)}"
            most = LONGEST_SIDE / MM
            self.note(key, "value/out-of-range", message, details={"mm": points / MM, "most": most})
            return 0.0
        return points


def read_toml(path: Path) -> str:
    """Return the text of a TOML file; every line ends in \\n."""
    return decode_text(read_bytes(path, most=_MOST_BYTES), str(path)).replace("\r\n", "\n")


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """Return the values of a TOML text; the error tells the place and the likely cure."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise CardgenError(
            "file/not-toml",
            "not TOML: it is nested too deep",
            Where(file),
            "put fewer brackets within one another",
        ) from None
    except ValueError as error:  # a number of too many digits is no TOMLDecodeError
        message = str(error)
        place = _SYNTAX_PLACE.search(message)
        line, column = place.groups() if place else (None, None)
        if place and not line:
            line = str(max(len(text.splitlines()), 1))
        where = Where(file, int(line) if line else None, int(column) if column else None)
        shown = message[: place.start()] if place else message
        raise CardgenError(
            "file/not-toml", f"not TOML: {shown}", where, _choose_cure(shown, text, where)
        ) from None


def _choose_cure(problem: str, text: str, where: Where) -> str:
    """Return the likely cure, by what tomllib says and by the line."""
    lines = text.splitlines()
    line = lines[where.line - 1] if where.line and where.line <= len(lines) else ""
    if _FLAG.search(line):
        return "write true or false, in small letters"
    return next((cure for begin, cure in _CURES if problem.startswith(begin)), _QUOTES)


def _find_lines(text: str) -> dict[str, int]:
    """Return the line of each key at the top of the file, which tomllib does not tell."""
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
