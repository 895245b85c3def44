"""Cells of a sheet become its rows: merged cells filled downward, within what a sheet may hold.

Knows nothing of XLSX or ODS.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardgen.deck.model import Value
from cardgen.errors import CardgenError, Where
from cardgen.importing.candidates import Doubt
from cardgen.importing.tables.table_rows import Row

MAX_COLUMNS = 1_000
MAX_ROWS = 20_000
MAX_CELLS = 500_000
_BROKEN = 0.6


class Merged(NamedTuple):
    """A cell that stands for those below it too; rows from 1 on, the column from 0 on."""

    column: int
    first: int
    last: int


class Sheet:
    """Rows as a reader finds them, counted so that none can fill the memory."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.merged: list[Merged] = []
        self._rows: list[Row] = []
        self._cells = 0

    def add(self, line: int, cells: Sequence[Value], wrong: Iterable[str] = ()) -> None:
        """A row; `wrong` names the cells that hold an error, and which."""
        filled = len(cells)
        while filled and cells[filled - 1] is None:
            filled -= 1
        doubts = tuple(Doubt(f"cell {cell}", _BROKEN) for cell in wrong)
        if not filled and not doubts:
            return
        self._cells += filled
        for what, count, most in (
            ("columns", filled, MAX_COLUMNS),
            ("rows that are filled", len(self._rows) + 1, MAX_ROWS),
            ("cells that are filled", self._cells, MAX_CELLS),
        ):
            if count > most:
                raise CardgenError(
                    f"this sheet has more than {most:,} {what}",
                    Where(self.file, line),
                    "copy the rows with the cards into a sheet of their own",
                )
        self._rows.append(Row(line, tuple(cells[:filled]), (), doubts))

    def list_rows(self) -> list[Row]:
        """The rows that hold anything, and below a merged cell what it says."""
        rows = {row.line: row for row in self._rows}
        for merged in self.merged:
            above = rows.get(merged.first)
            if above is None or merged.column >= len(above.cells):
                continue
            value = above.cells[merged.column]
            below = (line for line in rows if merged.first < line <= merged.last)
            for line in list(below) if value is not None else ():
                rows[line] = _carry(rows[line], merged.column, value)
        return list(rows.values())


def _carry(row: Row, column: int, value: Value) -> Row:
    cells = [*row.cells, *[None] * (column + 1 - len(row.cells))]
    if cells[column] is not None:
        return row
    cells[column] = value
    return row._replace(cells=tuple(cells), carried=(*row.carried, column))


def name_column(place: int) -> str:
    """A column as spreadsheets call it: the first is A."""
    name, rest = "", place + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        name = chr(65 + letter) + name
    return name


def read_number(number: float) -> Value:
    """A number without the noise that adding in binary leaves."""
    rounded = float(f"{number:.15g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def show_percent(number: float) -> str:
    return f"{float(f'{number * 100:.10g}'):g}%"
