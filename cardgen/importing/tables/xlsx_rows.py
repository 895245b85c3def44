"""An XLSX workbook becomes the rows of one of its sheets, read once and bit by bit.

Formulas are their saved values, dates are texts. Knows nothing of what the cells mean.
docs/decisions/0008-import-reads-workbooks-itself.md says why openpyxl does not do this.
"""

from __future__ import annotations

import io
import re
from datetime import datetime, timedelta
from typing import Any
from zipfile import ZipFile

from cardgen.deck.model import Value
from cardgen.errors import CardgenError, Where
from cardgen.importing.reading.archives import FAULTS, forget, get_name, make_parser, stream_part
from cardgen.importing.tables.sheet_grid import (
    MAX_COLUMNS,
    Merged,
    Sheet,
    name_column,
    read_number,
    show_percent,
)
from cardgen.importing.tables.table_rows import Row
from cardgen.importing.tables.xlsx_book import Book, open_book, read_rich, unescape

# A sheet may hold a million rows that have a format and nothing else.
_MOST_EMPTY = 10_000
_MOST_PARSED = 30_000_000
_MOST_SEARCHED = 1_000_000_000
_VALUE = re.compile(rb"<(?:\w+:)?(?:v>[^<]|is[ >])")
_MERGED = re.compile(rb'mergeCell [^>]*ref="([A-Z0-9:]+)"')
_REFERENCE = re.compile(r"([A-Z]+)(\d+)")


def read_xlsx_rows(data: bytes, file: str, sheet: str | None) -> list[Row]:
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            book, part = open_book(archive, file, sheet)
            return _SheetReader(book, file).read(archive, part)
    except FAULTS as error:
        raise CardgenError(
            "this is not a workbook that can be read",
            Where(file),
            "save it as .xlsx, without a password",
        ) from error


class _SheetReader:
    def __init__(self, book: Book, file: str) -> None:
        self._book = book
        self._sheet = Sheet(file)
        self._line = 0
        self._filled = 0

    def read(self, archive: ZipFile, part: str) -> list[Row]:
        parser = make_parser(["{*}row", "{*}mergeCell"])
        total = 0
        for content in stream_part(archive, part, self._sheet.file, _MOST_PARSED):
            total += len(content)
            parser.feed(content)
            for _, element in parser.read_events():
                if get_name(element) == "row":
                    self._read_row(element)
                    forget(element)
                else:
                    self._read_merged(element.get("ref") or "")
            if self._line - self._filled > _MOST_EMPTY and not self._has_more(archive, part, total):
                break
        return self._sheet.list_rows()

    def _has_more(self, archive: ZipFile, part: str, start: int) -> bool:
        """Whether a value stands below many empty rows; to search is far quicker than to parse."""
        position, before = 0, b""
        for content in stream_part(archive, part, self._sheet.file, _MOST_SEARCHED):
            position += len(content)
            if position <= start:
                continue
            around = before[-200:] + content
            if _VALUE.search(around):
                # Once it is known, the rest is parsed without another search.
                self._filled = 1 << 40
                return True
            for match in _MERGED.finditer(around):
                self._read_merged(match[1].decode())
            before = content
        return False

    def _read_row(self, row: Any) -> None:
        told = row.get("r") or ""
        self._line = int(told) if told.isdigit() else self._line + 1
        cells: list[Value] = []
        wrong: list[str] = []
        for cell in row.iterfind("{*}c"):
            place = _read_place(cell.get("r")) if cell.get("r") else len(cells)
            kind = cell.get("t") or "n"
            value = self._read_cell(cell, kind)
            if value is None:
                continue
            cells += [None] * (min(place, MAX_COLUMNS) + 1 - len(cells))
            if kind == "e":
                wrong.append(f"{name_column(place)}{self._line} holds the error {value}")
            else:
                cells[min(place, MAX_COLUMNS)] = value
        if cells:
            self._filled = max(self._filled, self._line)
        self._sheet.add(self._line, cells, wrong)

    def _read_cell(self, cell: Any, kind: str) -> Value:
        if kind == "inlineStr":
            inline = cell.find("{*}is")
            return _tidy(read_rich(inline)) if inline is not None else None
        found = cell.find("{*}v")
        saved = found.text if found is not None else None
        if not saved:
            if cell.find("{*}f") is not None and kind != "str":
                self._refuse_formula(cell.get("r") or f"in row {self._line}")
            return None
        if kind == "s":
            return _tidy(self._book.texts[int(saved)])
        if kind == "b":
            return saved in ("1", "true")
        if kind in ("str", "e"):
            return _tidy(unescape(saved))
        if kind == "d":
            return str(saved).removesuffix("T00:00:00").replace("T", " ")
        return self._read_figure(float(saved), int(cell.get("s") or 0))

    def _refuse_formula(self, cell: str) -> None:
        raise CardgenError(
            f"cell {cell} holds a formula without a saved result",
            Where(self._sheet.file, self._line),
            "open the workbook in a spreadsheet program and save it",
        )

    def _read_figure(self, number: float, style: int) -> Value:
        formats = self._book.formats
        form = formats[style] if style < len(formats) else ""
        if form == "percent":
            return show_percent(number)
        return show_date(number, self._book.since_1904) if form == "date" else read_number(number)

    def _read_merged(self, reference: str) -> None:
        first, _, last = reference.partition(":")
        start, end = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last)
        if start and end and int(end[2]) > int(start[2]):
            column = _read_place(first)
            self._sheet.merged.append(Merged(column, int(start[2]), int(end[2])))


def _read_place(reference: str) -> int:
    """The column of a cell that is called so, from 0 on."""
    place = 0
    for letter in reference:
        if not letter.isalpha():
            break
        place = place * 26 + ord(letter.upper()) - 64
    return place - 1


def _tidy(text: str) -> str | None:
    return text.replace("\r\n", "\n").replace("\r", "\n") or None


def show_date(number: float, since_1904: bool) -> str:
    """A day, a time, or both, as a deck writes them."""
    start = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)
    moment = start + timedelta(seconds=round(number * 86_400))
    if number < 1:
        return f"{moment:%H:%M}"
    return f"{moment:%Y-%m-%d}" if number == int(number) else f"{moment:%Y-%m-%d %H:%M}"
