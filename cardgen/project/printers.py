"""Profiles of printers: read from and written to a TOML file, or given as `x=+1.5mm`.

Turns texts into Printers and back, and chooses one. Knows neither the command line nor where the
file lies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.core.errors import CardgenError, Problem, Refusal, Where, collecting, shorten
from cardgen.core.names import describe_unknown
from cardgen.core.toml import parse_toml, read_toml
from cardgen.core.units import FIGURES, MM, format_mm, parse_points
from cardgen.pages.printer import Printer

KEYS = tuple(item.name for item in fields(Printer) if item.name != "name")
OFFSETS, SCALES, MARGINS = ("x", "y"), ("scale_x", "scale_y"), ("left", "top", "right", "bottom")
FLIPS = ("long-edge", "short-edge")
MOST_OFFSET, MOST_MARGIN, MOST_ROTATION = 20 * MM, 50 * MM, 5.0
LEAST_SCALE, MOST_SCALE = 0.8, 1.2
# The printer that is meant where none is named, and the name of none.
USUAL, NONE = "default", "none"
# Added to the name of a printer for paper that lies on its side, whose faults are others.
LYING = "-lying"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_NUMBER = re.compile(rf"[+-]?{FIGURES}")
_TABLE = re.compile(r"""\s*\[\s*["']?([^"'\]]+?)["']?\s*\]""")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")


def check_name(name: str) -> str:
    """Return a printer's name, if a file and a command line may hold it."""
    if name == NONE or not _NAME.fullmatch(name):
        what = "means that no printer is corrected" if name == NONE else "is no name of a printer"
        raise CardgenError(
            "project/bad-printer-name",
            f'"{shorten(name)}" {what}',
            hint="a name has letters, digits, - and _, as in office-2",
        )
    return name


def parse_settings(text: str) -> dict[str, Any]:
    """Return the settings of a command line, as "x=+1.5mm,y=-0.5mm"."""
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for part in text.split(","):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not value:
            message = f'"{shorten(part.strip())}" is no setting'
            hint = "write key=value, as in x=+1.5mm,y=-0.5mm"
            problems.append(Problem("project/bad-setting", message, hint=hint))
            continue
        with collecting(problems):
            values[key] = parse_setting(key, value)
    if problems:
        raise CardgenError.of(problems)
    return values


def parse_setting(key: str, text: str) -> float | str:
    """Return the value of one key, in points, in degrees or as a ratio."""
    if key in OFFSETS or key in MARGINS:
        least, most = (-MOST_OFFSET, MOST_OFFSET) if key in OFFSETS else (0.0, MOST_MARGIN)
        return _parse_length(key, text, least, most)
    if key in SCALES:
        share = _parse_number(key, text.removesuffix("%"), "98.5%") / 100
        if not text.endswith("%"):
            message = f"{key} = {text} is no percentage"
            raise Refusal("project/bad-setting", message, f"write {key}={text}%")
        if not LEAST_SCALE <= share <= MOST_SCALE:
            raise Refusal("value/out-of-range", f"{key} must be 80% to 120%, not {text}")
        return share
    if key == "rotation":
        degrees = _parse_number(key, text.removesuffix("deg").removesuffix("°").strip(), "0.2deg")
        if abs(degrees) > MOST_ROTATION:
            raise Refusal("value/out-of-range", f"rotation must be -5deg to 5deg, not {text}")
        return degrees
    if key == "flip":
        if text not in FLIPS:
            raise Refusal(
                "value/not-a-choice", f'flip must be long-edge or short-edge, not "{shorten(text)}"'
            )
        return text
    unknown = describe_unknown(key, KEYS, "possible")
    message = f'unknown key "{shorten(key)}"'
    raise Refusal("file/unknown-key", message, unknown.hint, unknown.details)


def _parse_length(key: str, text: str, least: float, most: float) -> float:
    try:
        points = parse_points(text)
    except Refusal as error:
        raise Refusal(error.code, f"{key}: {error}", details=error.details) from None
    if not least <= points <= most:
        lowest = "-" + format_mm(-least) if least else "0mm"
        message = f"{key} must be {lowest} to {format_mm(most)}, not {text}"
        raise Refusal("value/out-of-range", message, details={"mm": points / MM})
    return points


def _parse_number(key: str, text: str, example: str) -> float:
    if not _NUMBER.fullmatch(text.strip()):
        raise Refusal(
            "value/not-a-number",
            f'{key}: "{shorten(text)}" is not a number',
            f"write {key}={example}",
        )
    return float(text)


def format_settings(printer: Printer) -> dict[str, str]:
    """Return the keys of a profile that are not as usual, as a person writes them."""
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
    """Return all profiles of a file, none where there is no file; raise all problems at once."""
    if not path.exists():
        return {}
    text = read_toml(path)
    lines = dict(_list_lines(text))
    printers: dict[str, Printer] = {}
    problems: list[Problem] = []
    for name, table in parse_toml(text, str(path)).items():
        where = Where(str(path), lines.get((name, "")))
        if not isinstance(table, Mapping):
            hint = f"head it with the printer's name, as in [{USUAL}]"
            message = f'"{shorten(name)}" stands in no table'
            problems.append(Problem("project/no-printer", message, where, hint))
            continue
        values: dict[str, Any] = {}
        for key, value in table.items():
            with collecting(problems, Where(str(path), lines.get((name, key)))):
                if not isinstance(value, str):
                    raise Refusal(
                        "value/not-a-text",
                        f"{key} must be a text in quotes",
                        f'write {key} = "{value}mm"',
                    )
                values[key] = parse_setting(key, value)
        printers[name] = Printer(name, **values) if not problems else Printer(name)
    if problems:
        raise CardgenError.of(problems)
    return printers


def format_printers(printers: Mapping[str, Printer]) -> bytes:
    """Return the content of a file with all profiles."""
    return "".join(_format_printer(printers[name]) for name in sorted(printers)).encode()


def _format_printer(printer: Printer) -> str:
    settings = (f'{key} = "{value}"\n' for key, value in format_settings(printer).items())
    return f"[{printer.name}]\n{''.join(settings)}\n"


def change_printer(printer: Printer | None, name: str, values: Mapping[str, Any]) -> Printer:
    """Return a profile with some of its keys set anew."""
    return replace(printer or Printer(check_name(name)), **values)


def _list_lines(text: str) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield the line of each table and of each key in it."""
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if head := _TABLE.match(line):
            table = head[1]
            yield (table, ""), number
        elif key := _KEY.match(line):
            yield (table, key[1]) if table else (key[1], ""), number


def name_profile(name: str, *, lying: bool) -> str:
    """Return the name of the profile for a page; paper on its side has one of its own."""
    return f"{name}{LYING}" if lying and not name.endswith(LYING) else name


class Profiles(NamedTuple):
    """All profiles that there are, and the name of the printer that was asked for."""

    known: Mapping[str, Printer]
    wanted: str | None = None

    def find_lacking(self, *, lying: bool) -> str | None:
        """Return the printer's name, if it has a profile, but none for paper on its side."""
        name = self.wanted or USUAL
        lacking = lying and name in self.known and name_profile(name, lying=True) not in self.known
        return name if lacking else None

    def choose(self, *, lying: bool) -> Printer | None:
        """Return the profile whose faults are undone, if any, by how the paper lies."""
        if self.wanted == NONE:
            return None
        name = self.wanted or USUAL
        if self.wanted is not None and not {name, name + LYING} & self.known.keys():
            unknown = describe_unknown(name, self.known, "printer")
            none = "no printer is calibrated yet; see cardgen calibrate --help"
            raise CardgenError(
                "name/unknown",
                f'unknown printer "{shorten(name)}"',
                hint=unknown.hint if self.known else none,
                details={"kind": "printer", **unknown.details},
            )
        return self.known.get(name_profile(name, lying=lying))
