"""Reads the rows of a sheet of an ODS workbook, once and part by part.

Formulas are their saved values, dates are texts; notes that hang at cells are left out. Knows
nothing of what the cells mean.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any
from zipfile import BadZipFile, ZipFile

from cardgen.core.archive import FAULTS, forget, make_parser, stream_part
from cardgen.core.errors import CardgenError, Where
from cardgen.core.inner_pictures import name_inner
from cardgen.deck.columns import MAX_COLUMNS
from cardgen.deck.model import Value
from cardgen.deck.workbook import MAX_ROWS, Counter, Merged, Sheet, name_column
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

_SPACE = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_OFFICE, _TABLE, _TEXT, _STYLE = (_SPACE % n for n in ("office", "table", "text", "style"))
_DRAW = _SPACE % "drawing"
_ADDRESS = "{http://www.w3.org/1999/xlink}href"
_FORMAT = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_KIND = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}value-type"
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_TIME = re.compile(r"PT(\d+)H(\d+)M.*")


def read_ods_rows(data: bytes, file: str, sheet: str | None) -> SheetRows:
    """Return the rows of the sheet that is asked for, else of the first that is shown."""
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            if "content.xml" not in archive.namelist():
                raise BadZipFile
            if _is_encrypted(archive):
                raise RuntimeError
            return _Reader(file, sheet).read(stream_part(archive, "content.xml", file))
    except FAULTS as error:
        raise CardgenError(
            "file/not-a-workbook",
            "this is no workbook that can be read",
            Where(file),
            "save it again, without a password",
        ) from error


def _is_encrypted(archive: ZipFile) -> bool:
    if "META-INF/manifest.xml" not in archive.namelist():
        return False
    with archive.open("META-INF/manifest.xml") as part:
        return b"encryption-data" in part.read(1_000_000)


class _Reader:
    def __init__(self, file: str, wanted: str | None) -> None:
        self._file = file
        self._wanted = wanted
        self._sheets: list[Sheet] = []
        self._kept: dict[int, list[Row]] = {}  # the rows of sheets that may be meant
        self._hidden: set[str] = set()  # the styles of sheets that are not shown
        self._counter = Counter(file)
        self._rows: list[Row] = []
        self._merged: list[Merged] = []
        self._line = 1
        self._faces: dict[str, str] = {}  # the marks of a style that sets texts bold or italic

    def read(self, contents: Iterator[bytes]) -> SheetRows:
        tags = [f"{_TABLE}table", f"{_TABLE}table-row", f"{_STYLE}style"]
        parser = make_parser(tags, ("start", "end"))
        depth = 0  # a cell may hold a table of its own
        for content in contents:
            parser.feed(content)
            for event, element in parser.read_events():
                if element.tag == f"{_STYLE}style":
                    if event == "end":
                        self._read_style(element)
                elif element.tag == f"{_TABLE}table-row":
                    if event == "end" and depth == 1:
                        self._read_row(element)
                elif event == "start":
                    depth += 1
                    if depth == 1:
                        self._open_sheet(element)
                else:
                    depth -= 1
                    if depth == 0:
                        self._close_sheet()
        sheet, others = choose_sheet(self._sheets, self._wanted, self._file)
        return SheetRows(self._kept[self._sheets.index(sheet)], sheet.name, others)

    def _open_sheet(self, table: Any) -> None:
        is_hidden = table.get(f"{_TABLE}style-name") in self._hidden
        name = table.get(f"{_TABLE}name") or ""
        self._sheets.append(Sheet(name, str(len(self._sheets)), is_hidden))
        self._rows, self._merged, self._line = [], [], 1
        self._counter = Counter(self._file)

    def _close_sheet(self) -> None:
        if self._may_be_meant():
            self._kept[len(self._sheets) - 1] = fill_merged(self._rows, self._merged, self._file)

    def _may_be_meant(self) -> bool:
        """Whether the sheet at hand is asked for, or is the first, or the first that is shown."""
        sheet = self._sheets[-1]
        if self._wanted is not None:
            return sheet.name.casefold() == self._wanted.casefold()
        shown = [one for one in self._sheets if not one.is_hidden]
        return len(self._sheets) == 1 or (len(shown) == 1 and sheet is shown[0])

    def _read_style(self, style: Any) -> None:
        if any(
            part.get(f"{_TABLE}display") == "false"
            for part in style.iterfind(f"{_STYLE}table-properties")
        ):
            self._hidden.add(style.get(f"{_STYLE}name") or "")
        marks = "".join(
            mark
            for part in style.iterfind(f"{_STYLE}text-properties")
            for key, value, mark in (("weight", "bold", "**"), ("style", "italic", "*"))
            if part.get(f"{_FORMAT}font-{key}") == value
        )
        if marks and style.get(f"{_STYLE}family") == "text":
            self._faces[style.get(f"{_STYLE}name") or ""] = marks

    def _read_row(self, row: Any) -> None:
        if self._may_be_meant():
            self._add_row(row)
        forget(row)

    def _add_row(self, row: Any) -> None:
        cells: list[Value] = []
        wrong: list[Doubt] = []
        empty = 0  # cells at the end so far
        times = max(int(row.get(f"{_TABLE}number-rows-repeated") or 1), 1)
        for cell in row:
            if cell.tag not in _CELLS:
                continue
            place = len(cells) + empty
            value = self._read_cell(cell)
            if cell.get(_KIND) == "error":
                wrong.append(doubt_cell(name_column(place), self._line, value))
                value = None
            again = int(cell.get(f"{_TABLE}number-columns-repeated") or 1)
            if value is None:
                empty += min(again, MAX_COLUMNS)
            else:
                cells += [None] * min(empty, MAX_COLUMNS - len(cells))
                cells += [value] * min(again, MAX_COLUMNS + 1 - len(cells))
                empty = 0
            down = int(cell.get(f"{_TABLE}number-rows-spanned") or 1)
            if down > 1:
                self._merged.append(Merged(place, self._line, self._line + down - 1))
        if cells or wrong:
            doubts = tuple(wrong)
            letters = sum(len(cell) for cell in cells if isinstance(cell, str))
            for line in range(self._line, self._line + min(times, MAX_ROWS + 1)):
                self._counter.count(line, len(cells), letters)
                self._rows.append(Row(line, tuple(cells), (), doubts))
        self._line += times

    def _read_cell(self, cell: Any) -> Value:
        kind = cell.get(f"{_OFFICE}value-type")
        value = cell.get(f"{_OFFICE}value")
        if kind == "percentage":
            return show_percent(float(value))
        if kind in ("float", "currency"):
            return read_number(float(value))
        if kind == "date":
            day = str(cell.get(f"{_OFFICE}date-value")).removesuffix("T00:00:00")
            return day.replace("T", " ")[:16]
        if kind == "time":
            told = _TIME.fullmatch(cell.get(f"{_OFFICE}time-value") or "")
            return f"{told[1]}:{told[2]}" if told else self._read_text(cell)
        if kind == "boolean":
            return bool(cell.get(f"{_OFFICE}boolean-value") == "true")
        return self._read_text(cell) or self._find_picture(cell)

    def _find_picture(self, cell: Any) -> str | None:
        """Return the name of the picture that lies in a cell."""
        for image in cell.iterfind(f"{_DRAW}frame/{_DRAW}image"):
            part = image.get(_ADDRESS) or ""
            if part.startswith("Pictures/"):
                return name_inner(self._file, part)
        return None

    def _read_text(self, cell: Any) -> str | None:
        paragraphs = cell.iterfind(f"{_TEXT}p")
        return "\n".join(self._read_inline(part) for part in paragraphs).strip() or None

    def _read_inline(self, element: Any) -> str:
        """Return the text of a paragraph; blanks and breaks are elements, notes are left out."""
        parts = [element.text or ""]
        for inner in element:
            kind = str(inner.tag)
            if kind == f"{_TEXT}s":
                parts.append(" " * min(int(inner.get(f"{_TEXT}c") or 1), 100))
            elif kind == f"{_TEXT}tab":
                parts.append("\t")
            elif kind == f"{_TEXT}line-break":
                parts.append("\n")
            elif kind.startswith(_TEXT):
                marks = self._faces.get(inner.get(f"{_TEXT}style-name") or "", "")
                text = self._read_inline(inner)
                bare = text.strip()
                parts.append(text.replace(bare, f"{marks}{bare}{marks[::-1]}") if bare else text)
            parts.append(inner.tail or "")
        return "".join(parts)
