"""An XLSX workbook becomes rows of cells with their numbers. Knows nothing of cards."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from datetime import datetime, time
from typing import Any
from zipfile import ZipFile

import openpyxl
from openpyxl.utils import get_column_letter

from cardgen.deck.csv_rows import Cell, Row
from cardgen.deck.source import MAX_FILE
from cardgen.errors import CardgenError, Problem, Where, shorten, suggest

# A workbook may claim a million rows that hold a format and nothing else.
MAX_EMPTY_ROWS = 10_000


def read_workbook_rows(
    data: bytes, file: str, sheet: str | None, where: Where, problems: list[Problem]
) -> list[Row]:
    """The rows of the named sheet, or of the first; `where` is the place that names it."""
    try:
        with warnings.catch_warnings():
            # openpyxl warns of all that it drops, such as drop-down lists.
            warnings.simplefilter("ignore")
            _refuse_bomb(data, file)
            values = _open_sheet(data, sheet, where, data_only=True)
            formulas = _open_sheet(data, sheet, where, data_only=False)
            return list(_read_rows(values, formulas, file, problems))
    except CardgenError:
        raise
    except Exception as error:
        # A damaged workbook shows as almost any exception of zipfile, lxml and openpyxl.
        raise CardgenError(
            f"this is not a workbook that can be read: {shorten(str(error), 100)}",
            Where(file),
            "save it as .xlsx, without a password",
        ) from error


def _refuse_bomb(data: bytes, file: str) -> None:
    """Sheets are read as a stream; all else in a workbook is unpacked into memory."""
    with ZipFile(io.BytesIO(data)) as archive:
        parts = [p for p in archive.infolist() if not p.filename.startswith("xl/worksheets/")]
    size = sum(part.file_size for part in parts)
    if size > MAX_FILE:
        raise CardgenError(
            f"this workbook is {size:,} bytes long when unpacked; allowed are {MAX_FILE:,}",
            Where(file),
        )


def _open_sheet(data: bytes, name: str | None, where: Where, *, data_only: bool) -> Any:
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=data_only)
    sheets = {sheet.title: sheet for sheet in book.worksheets}
    if not sheets:
        raise CardgenError("this workbook has no sheet", where)
    if name is not None and name not in sheets:
        raise CardgenError(
            f'there is no sheet "{name}"', where, suggest(name, sheets, kind="sheet")
        )
    sheet = sheets[name] if name is not None else next(iter(sheets.values()))
    # What a sheet claims of its size may be wrong, or a million rows.
    sheet.reset_dimensions()
    return sheet


def _read_rows(values: Any, formulas: Any, file: str, problems: list[Problem]) -> Iterator[Row]:
    empty = 0
    pairs = zip(values.iter_rows(), formulas.iter_rows(), strict=True)
    for line, (cells, sources) in enumerate(pairs, 1):
        empty = 0 if any(source.value is not None for source in sources) else empty + 1
        if empty > MAX_EMPTY_ROWS:
            return
        row: list[Cell] = []
        for column, (cell, source) in enumerate(zip(cells, sources, strict=True), 1):
            row.append(_read_value(cell.value))
            wrong = _find_wrong(cell, source)
            if wrong:
                name = f"{get_column_letter(column)}{line}"
                problems.append(
                    Problem(f"cell {name} holds {wrong[0]}", Where(file, line), wrong[1])
                )
        yield Row(line, row)


def _find_wrong(cell: Any, source: Any) -> tuple[str, str] | None:
    if cell.data_type == "e":
        return f"the error {cell.value}", "mend its formula"
    if cell.value is None and source.data_type == "f":
        hint = "open the workbook in a spreadsheet program and save it"
        return "a formula without a saved result", hint
    return None


def _read_value(value: Any) -> Cell:
    match value:
        case None | bool() | int():
            return value
        case float():
            return int(value) if value.is_integer() else value
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime():
            return value.isoformat(" ", "minutes")
        case _:
            return str(value).replace("\r\n", "\n").replace("\r", "\n")
