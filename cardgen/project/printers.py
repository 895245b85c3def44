"""Printers' profiles as people write them: `x=+1.5mm`, and a TOML file with a table for each.

Part of build: turns texts into Printers and back. Knows nothing of the command line, nor where the
file lies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.core.errors import CardgenError, Problem, Refusal, Where, shorten, suggest
from cardgen.core.toml import parse_toml, read_text
from cardgen.core.units import MM, format_mm, parse_points
from cardgen.pages.printer import Printer

KEYS = tuple(item.name for item in fields(Printer) if item.name != "name")
OFFSETS, SCALES, MARGINS = ("x", "y"), ("scale_x", "scale_y"), ("left", "top", "right", "bottom")
FLIPS = ("long-edge", "short-edge")
MOST_OFFSET, MOST_MARGIN, MOST_ROTATION = 20 * MM, 50 * MM, 5.0
LEAST_SCALE, MOST_SCALE = 0.8, 1.2
USUAL, NONE = "default", "none"
# Paper on its side goes through a printer the other way: its faults are those of another printer.
LYING = "-lying"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
_TABLE = re.compile(r"""\s*\[\s*["']?([^"'\]]+?)["']?\s*\]""")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")


def check_name(name: str) -> str:
    """A printer's name as a file and a command line may hold it."""
    if name == NONE or not _NAME.fullmatch(name):
        what = "means that no printer is corrected" if name == NONE else "is no name of a printer"
        raise CardgenError(
            "project/todo",
            f'"{shorten(name)}" {what}',
            hint="a name has letters, digits, - and _, as in office-2",
        )
    return name


def parse_settings(text: str) -> dict[str, Any]:
    """Settings as a command line gives them: "x=+1.5mm,y=-0.5mm"."""
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for part in text.split(","):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not value:
            message = f'"{shorten(part.strip())}" is no setting'
            problems.append(
                Problem("project/todo", message, hint="write key=value, as in x=+1.5mm,y=-0.5mm")
            )
            continue
        try:
            values[key] = parse_setting(key, value)
        except Refusal as error:
            problems.append(Problem("project/todo", str(error), hint=error.hint))
    if problems:
        raise CardgenError.of(problems)
    return values


def parse_setting(key: str, text: str) -> float | str:
    """The value of one key, in points, in degrees or as a ratio."""
    if key in OFFSETS or key in MARGINS:
        least, most = (-MOST_OFFSET, MOST_OFFSET) if key in OFFSETS else (0.0, MOST_MARGIN)
        return _parse_length(key, text, least, most)
    if key in SCALES:
        share = _parse_number(key, text.removesuffix("%"), "98.5%") / 100
        if not text.endswith("%"):
            raise Refusal(
                "project/todo", f"{key} = {text} is no percentage", f"write {key}={text}%"
            )
        if not LEAST_SCALE <= share <= MOST_SCALE:
            raise Refusal("project/todo", f"{key} must be 80% to 120%, not {text}")
        return share
    if key == "rotation":
        degrees = _parse_number(key, text.removesuffix("deg").removesuffix("°").strip(), "0.2deg")
        if abs(degrees) > MOST_ROTATION:
            raise Refusal("project/todo", f"rotation must be -5deg to 5deg, not {text}")
        return degrees
    if key == "flip":
        if text not in FLIPS:
            raise Refusal(
                "project/todo", f'flip must be long-edge or short-edge, not "{shorten(text)}"'
            )
        return text
    raise Refusal(
        "project/todo", f'unknown key "{shorten(key)}"', suggest(key, KEYS, kind="possible")
    )


def _parse_length(key: str, text: str, least: float, most: float) -> float:
    try:
        points = parse_points(text)
    except Refusal as error:
        raise Refusal("project/todo", f"{key}: {error}") from None
    if not least <= points <= most:
        lowest = "-" + format_mm(-least) if least else "0mm"
        raise Refusal("project/todo", f"{key} must be {lowest} to {format_mm(most)}, not {text}")
    return points


def _parse_number(key: str, text: str, example: str) -> float:
    if not _NUMBER.fullmatch(text.strip()):
        raise Refusal(
            "project/todo", f'{key}: "{shorten(text)}" is not a number', f"write {key}={example}"
        )
    return float(text)


def format_settings(printer: Printer) -> dict[str, str]:
    """What a printer's profile says, where it says something."""
    plain = Printer("")
    return {
        key: _format_setting(key, getattr(printer, key))
        for key in KEYS
        if getattr(printer, key) != getattr(plain, key)
    }


def _format_setting(key: str, value: Any) -> str:
    if key == "flip":
        return str(value)
    if key in SCALES:
        return f"{round(value * 100, 4):g}%"
    if key == "rotation":
        return f"{round(value, 4):+g}deg"
    sign = "+" if key in OFFSETS else ""
    return f"{round(value / MM, 4):{sign}g}mm"


def read_printers(path: Path) -> dict[str, Printer]:
    """All profiles of a file, none where there is no file; everything wrong in it at once."""
    if not path.exists():
        return {}
    text = read_text(path)
    lines = _find_lines(text)
    printers: dict[str, Printer] = {}
    problems: list[Problem] = []
    for name, table in parse_toml(text, str(path)).items():
        where = Where(str(path), lines.get((name, "")))
        if not isinstance(table, Mapping):
            hint = f"head it with the printer's name, as in [{USUAL}]"
            problems.append(
                Problem("project/todo", f'"{shorten(name)}" stands in no table', where, hint)
            )
            continue
        values: dict[str, Any] = {}
        for key, value in table.items():
            place = Where(str(path), lines.get((name, key)))
            try:
                if not isinstance(value, str):
                    raise Refusal(
                        "project/todo",
                        f"{key} must be a text in quotes",
                        f'write {key} = "{value}mm"',
                    )
                values[key] = parse_setting(key, value)
            except Refusal as error:
                problems.append(Problem("project/todo", str(error), place, error.hint))
        printers[name] = Printer(name, **values) if not problems else Printer(name)
    if problems:
        raise CardgenError.of(problems)
    return printers


def write_printers(printers: Mapping[str, Printer]) -> bytes:
    """The file of all profiles."""
    return "".join(_write_printer(printers[name]) for name in sorted(printers)).encode()


def _write_printer(printer: Printer) -> str:
    settings = (f'{key} = "{value}"\n' for key, value in format_settings(printer).items())
    return f"[{printer.name}]\n{''.join(settings)}\n"


def change_printer(printer: Printer | None, name: str, values: Mapping[str, Any]) -> Printer:
    """A profile with some of its keys set anew."""
    return replace(printer or Printer(check_name(name)), **values)


def _find_lines(text: str) -> dict[tuple[str, str], int]:
    return dict(_list_lines(text))


def _list_lines(text: str) -> Iterator[tuple[tuple[str, str], int]]:
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if head := _TABLE.match(line):
            table = head[1]
            yield (table, ""), number
        elif key := _KEY.match(line):
            yield (table, key[1]) if table else (key[1], ""), number


def name_profile(name: str, *, lying: bool) -> str:
    """The profile that serves for a page: paper on its side has one of its own."""
    return f"{name}{LYING}" if lying and not name.endswith(LYING) else name


class Profiles(NamedTuple):
    """All printers that are known, and the one that was asked for, if one was."""

    known: Mapping[str, Printer]
    wanted: str | None = None

    def find_lacking(self, *, lying: bool) -> str | None:
        """The printer that is known, but not for paper that lies so."""
        name = self.wanted or USUAL
        lacking = lying and name in self.known and name_profile(name, lying=True) not in self.known
        return name if lacking else None

    def choose(self, *, lying: bool) -> Printer | None:
        """The printer whose faults are undone: for paper on its side the one calibrated so."""
        if self.wanted == NONE:
            return None
        name = self.wanted or USUAL
        if self.wanted is not None and not {name, name + LYING} & self.known.keys():
            hint = suggest(name, self.known, kind="printer")
            if not self.known:
                hint = "no printer is calibrated yet; see cardgen calibrate --help"
            raise CardgenError("project/todo", f'unknown printer "{shorten(name)}"', hint=hint)
        return self.known.get(name_profile(name, lying=lying))
