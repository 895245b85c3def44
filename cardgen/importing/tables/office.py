"""An ODS workbook becomes the rows of one of its sheets, read once and part by part.

Formulas are their saved values, dates are texts; notes that hang at cells are left out. Knows
nothing of what the cells mean.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

from cardgen.core.errors import CardgenError, Where, suggest
from cardgen.deck.model import Value
from cardgen.importing.model import Doubt
from cardgen.importing.reading.office import (
    FAULTS,
    forget,
    get_name,
    make_parser,
    parse_part,
    stream_part,
)
from cardgen.importing.tables.rows import Row

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
                    "importing/todo",
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


_CODE = re.compile(r"_x([0-9A-F]{4})_")
_DATE = re.compile(r"[dmyhs]", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|[_*].')
_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
_PERCENTS = {9, 10}
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"


class Book(NamedTuple):
    texts: list[str]
    formats: list[str]  # "date", "percent" or "" for each cell style
    since_1904: bool


def open_book(archive: ZipFile, file: str, wanted: str | None) -> tuple[Book, str]:
    """What all sheets share, and the part that holds the wanted one."""
    names = set(archive.namelist())
    workbook = parse_part(archive, "xl/workbook.xml", file)
    targets = {
        relation.get("Id"): (relation.get("Target"), relation.get("Type") or "")
        for relation in parse_part(archive, "xl/_rels/workbook.xml.rels", file)
    }
    sheets: dict[str, str] = {}
    shown = None
    for sheet in workbook.iterfind(".//{*}sheets/{*}sheet"):
        target, kind = targets.get(sheet.get(_RELATION) or sheet.get(_STRICT), ("", ""))
        if not target or not kind.endswith("/worksheet"):
            continue
        name = sheet.get("name") or ""
        sheets[name] = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        if sheet.get("state", "visible") == "visible":
            shown = shown or name
    part = sheets[_choose_sheet(wanted, sheets, shown, file)]
    texts = "xl/sharedStrings.xml"
    properties = workbook.find("{*}workbookPr")
    since_1904 = properties is not None and properties.get("date1904") in ("1", "true")
    book = Book(
        list(_read_texts(archive, texts, file)) if texts in names else [],
        _read_formats(archive, file) if "xl/styles.xml" in names else [],
        since_1904,
    )
    return book, part


def _choose_sheet(wanted: str | None, sheets: dict[str, str], shown: str | None, file: str) -> str:
    """The sheet that is asked for, else the first that is not hidden."""
    name = wanted if wanted is not None else shown or next(iter(sheets), "")
    same = [known for known in sheets if known.casefold() == name.casefold()]
    if name not in sheets and len(same) != 1:
        raise CardgenError(
            "importing/todo",
            f'there is no sheet "{name}"',
            Where(file),
            suggest(name, sheets, kind="sheet"),
        )
    return name if name in sheets else same[0]


def _read_texts(archive: ZipFile, name: str, file: str) -> Iterator[str]:
    parser = make_parser(["{*}si"])
    for content in stream_part(archive, name, file):
        parser.feed(content)
        for _, element in parser.read_events():
            yield read_rich(element)
            forget(element)


def read_rich(element: Any) -> str:
    """A text that may be set in several faces; how it is spoken is left out."""
    parts = []
    for run in element:
        kind = get_name(run)
        if kind == "t":
            parts.append(run.text or "")
        elif kind == "r":
            text = "".join(part.text or "" for part in run.iterfind("{*}t"))
            marks = "".join(
                mark
                for face, mark in (("b", "**"), ("i", "*"))
                if (found := run.find(f"{{*}}rPr/{{*}}{face}")) is not None
                and found.get("val", "1") not in ("0", "false")
            )
            parts.append(_mark(text, marks))
    return unescape("".join(parts))


def unescape(text: str) -> str:
    """A text in which a workbook writes signs that XML has not by their codes."""
    return _CODE.sub(lambda match: chr(int(match[1], 16)), text)


def _mark(text: str, marks: str) -> str:
    bare = text.strip()
    if not bare or not marks or "\n" in bare:
        return text
    start = text.index(bare)
    return f"{text[:start]}{marks}{bare}{marks[::-1]}{text[start + len(bare) :]}"


def _read_formats(archive: ZipFile, file: str) -> list[str]:
    tree = parse_part(archive, "xl/styles.xml", file)
    own = {
        int(entry.get("numFmtId") or 0): _QUOTED.sub("", entry.get("formatCode") or "")
        for entry in tree.iterfind(".//{*}numFmts/{*}numFmt")
    }
    found = []
    for style in tree.iterfind("{*}cellXfs/{*}xf"):
        number = int(style.get("numFmtId") or 0)
        code = own.get(number, "")
        is_date = bool(_DATE.search(code)) if number in own else number in _DATES
        is_percent = "%" in code or number in _PERCENTS
        found.append("date" if is_date else "percent" if is_percent else "")
    return found


_SPACE = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_OFFICE, _TABLE, _TEXT, _STYLE = (_SPACE % n for n in ("office", "table", "text", "style"))
_FORMAT = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_KIND = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}value-type"
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_TIME = re.compile(r"PT(\d+)H(\d+)M.*")


def read_ods_rows(data: bytes, file: str, sheet: str | None) -> list[Row]:
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            if "content.xml" not in archive.namelist():
                raise BadZipFile
            if _is_encrypted(archive):
                raise RuntimeError
            return _Reader(file, sheet).read(stream_part(archive, "content.xml", file))
    except FAULTS as error:
        raise CardgenError(
            "importing/todo",
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
        self._names: list[str] = []
        self._sheet = Sheet(file)
        self._line = 1
        self._faces: dict[str, str] = {}  # the marks of a style that sets texts bold or italic

    def read(self, contents: Iterator[bytes]) -> list[Row]:
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
                        self._names.append(element.get(f"{_TABLE}name") or "")
                else:
                    depth -= 1
                    if depth == 0 and self._is_wanted():
                        return self._sheet.list_rows()
        name = self._wanted or ""
        raise CardgenError(
            "importing/todo",
            f'there is no sheet "{name}"',
            Where(self._file),
            suggest(name, self._names, kind="sheet"),
        )

    def _is_wanted(self) -> bool:
        if self._wanted is None:
            return len(self._names) == 1
        return self._names[-1].casefold() == self._wanted.casefold()

    def _read_style(self, style: Any) -> None:
        marks = "".join(
            mark
            for part in style.iterfind(f"{_STYLE}text-properties")
            for key, value, mark in (("weight", "bold", "**"), ("style", "italic", "*"))
            if part.get(f"{_FORMAT}font-{key}") == value
        )
        if marks and style.get(f"{_STYLE}family") == "text":
            self._faces[style.get(f"{_STYLE}name") or ""] = marks

    def _read_row(self, row: Any) -> None:
        if self._is_wanted():
            self._add_row(row)
        forget(row)

    def _add_row(self, row: Any) -> None:
        cells: list[Value] = []
        wrong: list[str] = []
        times = int(row.get(f"{_TABLE}number-rows-repeated") or 1)
        for cell in row:
            if cell.tag not in _CELLS:
                continue
            place = len(cells)
            value = self._read_cell(cell)
            if cell.get(_KIND) == "error":
                wrong.append(f"{name_column(place)}{self._line} holds the error {value}")
                value = None
            again = int(cell.get(f"{_TABLE}number-columns-repeated") or 1)
            most = MAX_COLUMNS + 1 - len(cells)
            cells += [value] * min(again, most)
            down = int(cell.get(f"{_TABLE}number-rows-spanned") or 1)
            if down > 1:
                self._sheet.merged.append(Merged(place, self._line, self._line + down - 1))
        if any(cell is not None for cell in cells) or wrong:
            for number in range(min(times, MAX_ROWS + 1)):
                self._sheet.add(self._line + number, cells, wrong)
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
        return self._read_text(cell)

    def _read_text(self, cell: Any) -> str | None:
        paragraphs = cell.iterfind(f"{_TEXT}p")
        return "\n".join(self._read_inline(part) for part in paragraphs).strip() or None

    def _read_inline(self, element: Any) -> str:
        """The text of a paragraph: blanks and breaks are elements, a note is no part of it."""
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
            "importing/todo",
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
            "importing/todo",
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


# MERGED: Cells of a sheet become its rows: merged cells filled downward, within what a sheet may hold.
#
#   Knows nothing of XLSX or ODS.
#
# MERGED: An XLSX workbook is opened: the part that holds a sheet, and what all its sheets share.
#
#   Bold and italic in a text are marked as Markdown does it. Knows nothing of cells.
#
# MERGED: An XLSX workbook becomes the rows of one of its sheets, read once and bit by bit.
#
#   Formulas are their saved values, dates are texts. Knows nothing of what the cells mean.
#   docs/decisions/0008-import-reads-workbooks-itself.md says why openpyxl does not do this.
#
