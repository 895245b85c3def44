"""Makes records of the rows of a table: finds the header, names the cells, doubts what is odd.

Knows nothing of file formats, nor what the columns mean but their names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from cardgen.deck.model import Value
from cardgen.deck.workbook import Merged
from cardgen.importing.column_names import find_field
from cardgen.importing.model import Doubt, LeftOut, Place
from cardgen.importing.tables.records import Record, Records

_FIRST = 30
_RAGGED = 0.75
_BROKEN = 0.6


class Row(NamedTuple):
    """A row; `carried` are the places of cells that a merged cell above fills."""

    line: int
    cells: Sequence[Value]
    carried: Collection[int] = ()
    doubts: tuple[Doubt, ...] = ()


def name_rows(
    rows: Iterable[Row], file: str, wanted: Collection[str], joint: str | None = None
) -> Records:
    """Return the rows below the header; `wanted` are columns that are asked for by name.

    `joint` is what parts the cells of a text, where a row may have too many or too few of them;
    a sheet has none, and its columns go on below an empty header.
    """
    filled = [row for row in rows if _list_filled(row)]
    if not filled:
        return Records((), ())
    place = _find_header(filled, frozenset(name.casefold() for name in wanted))
    above = (
        LeftOut(" | ".join(map(str, _list_filled(row))), Place(file, row.line), "above the table")
        for row in filled[:place]
    )
    header = list(filled[place].cells)
    if joint is None:
        header += [None] * (max(len(row.cells) for row in filled) - len(header))
    names = _name_columns(header)
    below = (_name_cells(row, names, file, joint) for row in filled[place + 1 :])
    return Records(tuple(below), tuple(above))


def _list_filled(row: Row) -> list[Value]:
    return [cell for cell in row.cells if cell is not None and str(cell).strip()]


def _find_header(rows: Sequence[Row], wanted: Collection[str]) -> int:
    """Return the row that names most known columns; else the first that is no title."""
    scores = []
    for row in rows[:_FIRST]:
        cells = [" ".join(str(cell).split()) for cell in _list_filled(row)]
        fields = {find_field(cell) for cell in cells} - {None}
        asked = {cell.casefold() for cell in cells} & set(wanted)
        scores.append((len(asked), "name" in fields, len(fields)))
    best = max(scores)
    if best[0] or (best[1] and best[2] > 1):
        return scores.index(best)
    wide = (len(row.cells) > 1 and len(_list_filled(row)) < 2 for row in rows[:_FIRST])
    return next((place for place, title in enumerate(wide) if not title), 0)


def _name_columns(cells: Sequence[Value]) -> list[str]:
    """Name each column: one without a name by its place, the second of a name with a number."""
    names: list[str] = []
    for place, cell in enumerate(cells, 1):
        own = " ".join(str(cell if cell is not None else "").split()) or f"column {place}"
        name, number = own, 2
        while name in names:
            name, number = f"{own} {number}", number + 1
        names.append(name)
    return names


def _name_cells(row: Row, names: Sequence[str], file: str, joint: str | None) -> Record:
    cells, doubts = list(row.cells), list(row.doubts)
    if joint is not None and len(cells) < len(names):
        doubts.append(Doubt("row-width", _tell_width(cells, names), _RAGGED))
    over = cells[len(names) :]
    if any(cell is not None and str(cell).strip() for cell in over):
        last = len(names) - 1
        said = f"{_tell_width(cells, names)}; the last are joined"
        doubts.append(Doubt("row-width", said, _RAGGED))
        rest = [str(cell) for cell in cells[last:] if cell is not None]
        # A blank behind the delimiter was not read; in a text it belongs there.
        between = f"{joint} " if joint in (",", ";") else joint or " "
        cells[last:] = [between.join(rest).strip()]
    values = dict(zip(names, cells, strict=False))
    carried = frozenset(names[place] for place in row.carried if place < len(names))
    return Record(values, Place(file, row.line), carried, tuple(doubts))


def _tell_width(cells: Sequence[Value], names: Sequence[str]) -> str:
    plural = "" if len(cells) == 1 else "s"
    return f"this row has {len(cells)} cell{plural}, the header {len(names)}"


def fill_merged(rows: Iterable[Row], merged: Iterable[Merged]) -> list[Row]:
    """Return the rows with what a merged cell says below it too."""
    filled = {row.line: row for row in rows}
    for cell in merged:
        above = filled.get(cell.first)
        if above is None or cell.column >= len(above.cells):
            continue
        value = above.cells[cell.column]
        below = (line for line in filled if cell.first < line <= cell.last)
        for line in list(below) if value is not None else ():
            filled[line] = _carry(filled[line], cell.column, value)
    return list(filled.values())


def _carry(row: Row, column: int, value: Value) -> Row:
    cells = [*row.cells, *[None] * (column + 1 - len(row.cells))]
    if cells[column] is not None:
        return row
    cells[column] = value
    return row._replace(cells=tuple(cells), carried=(*row.carried, column))


def doubt_cell(column: str, line: int, error: object) -> Doubt:
    """Return a doubt for a cell that holds an error, as #REF!."""
    said = f"cell {column}{line} holds the error {error}"
    return Doubt("error-cell", said, _BROKEN, f"{column} {error}")


def read_number(number: float) -> Value:
    """Return a number without the noise that adding in binary leaves."""
    rounded = float(f"{number:.15g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def show_percent(number: float) -> str:
    return f"{float(f'{number * 100:.10g}'):g}%"
