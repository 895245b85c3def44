"""References to cells, as A2, $B$3:C9 and Sheet!4:4: followed when rows come, go and change places.

Knows nothing of files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from cardgen.deck.workbook import find_column, name_column

LOST = "#REF!"
_CELL = r"\$?[A-Z]{1,3}\$?[1-9]\d{0,6}"
_ROWS = r"\$?[1-9]\d{0,6}:\$?[1-9]\d{0,6}"
_TOKEN = re.compile(
    rf"""
    "(?:[^"]|"")*" | '\[(?:[^']|'')*'![$A-Z0-9:]* | \[\d+\][\w.]+![$A-Z0-9:]* | \[[^\[\]]*\]
    | (?<![\w.$!:'\]])(?P<sheet>(?:'(?:[^']|'')+'|[\w.]+)!)?
      (?P<range>{_CELL}:{_CELL}|{_ROWS}|{_CELL})(?![\w(!])
    """,
    re.VERBOSE,
)
_PART = re.compile(r"(\$?)([A-Z]*)(\$?)(\d+)")


class Shift(NamedTuple):
    """Rows from a line on that go `by` lines down, or up: then those above it are gone.

    grows: whether a range that ends above the line takes in what comes there
    """

    line: int
    by: int
    grows: bool = False

    def move(self, row: int) -> int | None:
        """Return where a row stands by now."""
        if row < self.line:
            return row if row < self.line + self.by else None
        return row + self.by

    def move_range(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the rows that a range spans by now; None where all are gone."""
        start = self.move(first)
        if start is None:
            start = self.line + self.by
        end = self.move(last)
        if end is None:
            end = self.line + self.by - 1
        if self.grows and first < self.line == last + 1:
            end += self.by
        return (start, end) if start <= end else None


class Swap(NamedTuple):
    """Rows that take other places: what says one of these rows goes with it."""

    places: Mapping[int, int]

    def move_range(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the rows of a range; one of several rows stays."""
        row = self.places.get(first, first) if first == last else None
        return (first, last) if row is None else (row, row)


def follow(formula: str, step: Shift | Swap, sheet: str, *, is_own: bool = True) -> str:
    """Return a formula after a step of a sheet's rows.

    is_own: whether it stands in that sheet, so that a reference without a name is one to it
    """
    quoted = "'" + sheet.replace("'", "''") + "'!"

    def write(match: re.Match[str]) -> str:
        written, named = match["range"], match["sheet"]
        if not written or not (is_own if named is None else named in (f"{sheet}!", quoted)):
            return match[0]
        return (named or "") + follow_range(written, step)

    return _TOKEN.sub(write, formula)


def follow_range(written: str, step: Shift | Swap) -> str:
    """Return a cell or a range after a step of its sheet's rows."""
    first, _, last = written.partition(":")
    start, end = _PART.fullmatch(first), _PART.fullmatch(last or first)
    if start is None or end is None:
        return written
    moved = step.move_range(int(start[4]), int(end[4]))
    if moved is None:
        return LOST
    parts = [
        f"{part[1]}{part[2]}{part[3]}{row}" for part, row in zip((start, end), moved, strict=True)
    ]
    return ":".join(parts if last else parts[:1])


def translate(formula: str, rows: int, columns: int = 0) -> str:
    """Return a formula as it is when it is copied so many rows and columns on."""

    def move(match: re.Match[str]) -> str:
        held, letters, fixed, row = match.groups()
        if letters and not held:
            column = find_column(letters) + columns
            letters = name_column(column) if column >= 0 else ""
        if not fixed and not (held and not letters):
            row = str(int(row) + rows)
        return f"{held}{letters}{fixed}{row}"

    def write(match: re.Match[str]) -> str:
        if not match["range"]:
            return match[0]
        return (match["sheet"] or "") + _PART.sub(move, match["range"])

    return _TOKEN.sub(write, formula)
