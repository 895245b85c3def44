"""Reads the rows of a sheet of an XLSX workbook as an import wants them.

Faces are marks of Markdown, dates and percents are texts. Knows nothing of what the cells mean.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from cardgen.core.errors import CardgenError, Where
from cardgen.deck.model import Value
from cardgen.deck.workbook import Cell, CellRow, Workbook, name_column
from cardgen.importing.model import Doubt
from cardgen.importing.tables.rows import (
    Row,
    SheetRows,
    choose_sheet,
    doubt_cell,
    fill_merged,
    read_number,
    show_percent,
)


def read_xlsx_rows(data: bytes, file: str, wanted: str | None) -> SheetRows:
    """Return the rows of the sheet that is asked for, else of the first that is shown."""
    book = Workbook(data, file)
    sheet, others = choose_sheet(book.sheets, wanted, file)
    rows = [_read_row(row, file) for row in book.read_rows(sheet)]
    filled = fill_merged((row for row in rows if row.cells or row.doubts), book.merged, file)
    return SheetRows(filled, sheet.name, others)


def _read_row(row: CellRow, file: str) -> Row:
    cells: list[Value] = []
    wrong: list[Doubt] = []
    for column, cell in enumerate(row.cells):
        name = name_column(column)
        if cell.kind == "unsaved":
            raise CardgenError(
                "deck/bad-cell",
                f"cell {name}{row.line} holds a formula without a saved result",
                Where(file, row.line),
                "open the workbook in a spreadsheet program and save it",
            )
        if cell.kind == "error":
            wrong.append(doubt_cell(name, row.line, cell.value))
        cells.append(_read_value(cell))
    while cells and cells[-1] is None:
        cells.pop()
    return Row(row.line, tuple(cells), (), tuple(wrong))


def _read_value(cell: Cell) -> Value:
    match cell.value:
        case _ if cell.kind == "error":
            return None
        case None | bool():
            return cell.value
        case str():
            return (cell.value if cell.marked is None else cell.marked) or None
        case int() | float():
            number = float(cell.value)
            return show_percent(number) if cell.kind == "percent" else read_number(number)
        case datetime():
            return f"{cell.value:%Y-%m-%d %H:%M}"
        case date():
            return cell.value.isoformat()
        case time():
            return f"{cell.value:%H:%M}"
        case timedelta():
            minutes = round(cell.value / timedelta(minutes=1))
            return f"{minutes // 60:02}:{minutes % 60:02}"
