"""The one reader of XLSX workbooks: the cells of a sheet, row by row, in bounded time and memory.

Decks and `cardgen import` read with it. A formula is its saved result. Knows nothing of cards.
docs/decisions/0008-one-reader-of-workbooks.md says why it is our own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Literal, NamedTuple
from zipfile import ZipFile

from cardgen.core.archive import (
    FAULTS,
    forget,
    get_name,
    list_targets,
    make_parser,
    read_part,
    stream_beginning,
    stream_part,
)
from cardgen.core.errors import CardgenError, Where
from cardgen.core.inner_pictures import name_inner
from cardgen.deck.columns import MAX_COLUMNS
from cardgen.deck.workbook_pictures import list_laid, list_values

MAX_ROWS = 20_000
MAX_CELLS = 500_000
# A text of a workbook is kept once, and many cells may show it.
MAX_LETTERS = 20_000_000
# A sheet may hold a million rows that have a format and nothing else.
_MOST_EMPTY = 10_000
_MOST_PARSED = 30_000_000
_MOST_SEARCHED = 1_000_000_000

CellValue = str | int | float | bool | date | time | timedelta | None
# "unsaved" is a formula without a saved result; an "error" has its name as value, as #REF!.
CellKind = Literal["plain", "percent", "error", "unsaved"]
_Form = Literal["", "date", "duration", "percent"]

_VALUE = re.compile(rb"<(?:\w+:)?(?:v>[^<]|is[ >])")
_MERGED = re.compile(rb'mergeCell [^>]*ref="([A-Z0-9:]+)"')
_REFERENCE = re.compile(r"([A-Z]+)(\d+)")
_CODE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"

# A format's quoted texts, escapes, fillers and colours; not the brackets round hours that run on.
_ASIDE = re.compile(r'"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
_TRUE = ("1", "true")
_DATE = re.compile(r"[dmyhs]", re.IGNORECASE)
_DURATION = re.compile(r"\[[hms]+\]", re.IGNORECASE)
_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
_DURATIONS = {46}
_PERCENTS = {9, 10}


class Sheet(NamedTuple):
    name: str
    part: str
    is_hidden: bool


class Cell(NamedTuple):
    """The value of a cell, None where it has none; `marked` is a text with the marks of Markdown.

    Only a text set in several faces has such marks; of any other both are the same.
    """

    value: CellValue
    kind: CellKind = "plain"
    marked: str | None = None


class CellRow(NamedTuple):
    """A row with a value in it: its number, and its cells from the first column on."""

    line: int
    cells: Sequence[Cell]


class Merged(NamedTuple):
    """A cell that stands for those below it too; rows from 1 on, the column from 0 on."""

    column: int
    first: int
    last: int


class _Text(NamedTuple):
    plain: str
    marked: str


EMPTY = Cell(None)


class Workbook:
    """An opened workbook: its sheets in order, and what they share.

    `merged` holds the merged cells of a sheet once all its rows are read, and so do `hidden_rows`
    and `hidden_columns` what it does not show. `shown` is the file as the names of its pictures
    have it, where that is not its name.
    """

    def __init__(self, data: bytes, file: str, shown: str = "") -> None:
        self.file = file
        self._shown = shown or file
        self.merged: list[Merged] = []
        self.hidden_rows: list[int] = []
        self.hidden_columns: list[range] = []
        try:
            self._archive = ZipFile(io.BytesIO(data))
            self._open()
        except FAULTS as error:
            raise self._refuse() from error

    def _open(self) -> None:
        parts = set(self._archive.namelist())
        targets = list_targets(self._archive, "", self.file)
        main = _find_target(targets, "/officeDocument") or "xl/workbook.xml"
        targets = list_targets(self._archive, main, self.file)
        tree = read_part(self._archive, main, self.file)
        self.sheets = tuple(_list_sheets(tree, targets))
        properties = tree.find("{*}workbookPr")
        is_1904 = properties is not None and properties.get("date1904") in _TRUE
        self._epoch = datetime(1904, 1, 1) if is_1904 else datetime(1899, 12, 30)
        texts = _find_target(targets, "/sharedStrings") or "xl/sharedStrings.xml"
        styles = _find_target(targets, "/styles") or "xl/styles.xml"
        self._main = main
        self._values: Sequence[str] | None = None
        self._texts = list(self._read_texts(texts)) if texts in parts else []
        self._forms = self._read_forms(styles) if styles in parts else []

    def read_rows(self, sheet: Sheet) -> Iterator[CellRow]:
        """Yield the rows of a sheet that hold anything."""
        self.merged, self.hidden_rows, self.hidden_columns = [], [], []
        try:
            yield from _SheetReader(self._archive, sheet.part, self).read()
        except FAULTS as error:
            raise self._refuse() from error

    def read_value(self, cell: Any, kind: str) -> Cell:
        """Return the value of an element of XML that is a cell of this `kind`."""
        if kind == "inlineStr":
            inline = cell.find("{*}is")
            return _make_text(_read_text(inline)) if inline is not None else EMPTY
        saved = cell.findtext("{*}v")
        if not saved:
            # A text of no letters is a result, and saved as nothing.
            has_formula = cell.find("{*}f") is not None
            return Cell(None, "unsaved") if has_formula and kind != "str" else EMPTY
        if kind == "s":
            return _make_text(self._texts[int(saved)])
        if kind == "b":
            return Cell(saved in _TRUE)
        if kind == "str":
            return Cell(_tidy(_unescape(saved)))
        if kind == "e":
            return self._find_picture(cell.get("vm") or "") or Cell(saved, "error")
        if kind == "d":
            return Cell(_read_iso(saved))
        return self._read_figure(saved, int(cell.get("s") or 0))

    def _find_picture(self, number: str) -> Cell | None:
        """Return the picture that is the value of a cell, if it is one: cells call it an error."""
        if not number.isdecimal():
            return None
        if self._values is None:
            self._values = list_values(self._archive, self._main, self.file)
        part = self._values[int(number) - 1] if 0 < int(number) <= len(self._values) else ""
        return self.show_picture(part) if part else None

    def show_picture(self, part: str) -> Cell:
        """Return a cell that holds the name of a picture."""
        return Cell(name_inner(self._shown, part))

    def _read_figure(self, saved: str, style: int) -> Cell:
        form = self._forms[style] if style < len(self._forms) else ""
        is_whole = not any(sign in saved for sign in ".eE")
        number = int(saved) if is_whole else float(saved)
        if form in ("date", "duration"):
            try:
                is_date = form == "date"
                return Cell(_make_date(number, self._epoch) if is_date else _make_duration(number))
            except (OverflowError, ValueError):
                return Cell("#VALUE!", "error")
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        return Cell(number, "percent" if form == "percent" else "plain")

    def _read_texts(self, part: str) -> Iterator[_Text]:
        parser = make_parser(["{*}si"])
        for content in stream_part(self._archive, part, self.file):
            parser.feed(content)
            for _, element in parser.read_events():
                yield _read_text(element)
                forget(element)

    def _read_forms(self, part: str) -> list[_Form]:
        """Return for each style of cells the form in which it shows a number."""
        tree = read_part(self._archive, part, self.file)
        own = {
            int(entry.get("numFmtId") or 0): entry.get("formatCode") or ""
            for entry in tree.iterfind(".//{*}numFmts/{*}numFmt")
        }
        numbers = (int(xf.get("numFmtId") or 0) for xf in tree.iterfind("{*}cellXfs/{*}xf"))
        return [_find_form(number, own.get(number)) for number in numbers]

    def _refuse(self) -> CardgenError:
        return CardgenError(
            "file/not-a-workbook",
            "this is not a workbook that can be read",
            Where(self.file),
            "save it as .xlsx, without a password",
        )


def name_column(column: int) -> str:
    """Return a column's name in spreadsheets: the first, 0, is A."""
    name, rest = "", column + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        name = chr(65 + letter) + name
    return name


class Counter:
    """Counts the rows and cells of a sheet that are filled, and refuses more than it may hold."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._rows = 0
        self._cells = 0
        self._letters = 0

    def count(self, line: int, columns: int, letters: int = 0) -> None:
        """Count a row whose last filled cell is in the column of this number, and its letters."""
        self._rows += 1
        self._cells += columns
        self._letters += letters
        for what, number, most in (
            ("columns", columns, MAX_COLUMNS),
            ("rows that are filled", self._rows, MAX_ROWS),
            ("cells that are filled", self._cells, MAX_CELLS),
            ("letters", self._letters, MAX_LETTERS),
        ):
            if number > most:
                raise refuse_large(self._file, line, most, what)


def refuse_large(file: str, line: int, most: int, what: str) -> CardgenError:
    """Return the error of a sheet that has more than so many of something."""
    return CardgenError(
        "file/too-large",
        f"this sheet has more than {most:,} {what}",
        Where(file, line),
        "copy the rows with the cards into a sheet of their own",
        details={"allowed": most},
    )


class _SheetReader:
    def __init__(self, archive: ZipFile, part: str, book: Workbook) -> None:
        self._archive = archive
        self._part = part
        self._book = book
        self._counter = Counter(book.file)
        self._line = 0
        self._last_filled = 0
        self._pictures: dict[int, dict[int, str]] = {}
        for (line, column), name in list_laid(archive, part, book.file).items():
            if column < MAX_COLUMNS:
                self._pictures.setdefault(line, {})[column] = name
        self._has_header = False

    def read(self) -> Iterator[CellRow]:
        parser = make_parser(["{*}row", "{*}mergeCell", "{*}col"])
        total = 0
        for content in stream_beginning(self._archive, self._part, self._book.file, _MOST_PARSED):
            total += len(content)
            parser.feed(content)
            for _, element in parser.read_events():
                if get_name(element) == "row":
                    row = self._read_row(element)
                    forget(element)
                    if row is not None:
                        yield row
                elif get_name(element) == "col":
                    self._read_column(element)
                else:
                    self._read_merged(element.get("ref") or "")
            if self._line - self._last_filled > _MOST_EMPTY and not self._find_more(total):
                break

    def _find_more(self, start: int) -> bool:
        """Tell whether a value stands below many empty rows: to search is quicker than to parse."""
        position, before = 0, b""
        parts = stream_beginning(self._archive, self._part, self._book.file, _MOST_SEARCHED)
        for content in parts:
            position += len(content)
            if position <= start:
                continue
            around = before[-200:] + content
            if _VALUE.search(around):
                # Once it is known, the rest is parsed without another search.
                self._last_filled = 1 << 40
                return True
            for match in _MERGED.finditer(around):
                self._read_merged(match[1].decode())
            before = content
        return False

    def _read_row(self, row: Any) -> CellRow | None:
        told = row.get("r") or ""
        self._line = int(told) if told.isdecimal() and len(told) < 10 else self._line + 1
        cells: list[Cell] = []
        filled = 0
        for element in row.iterfind("{*}c"):
            told = element.get("r")
            place = min(find_column(told) if told else len(cells), MAX_COLUMNS)
            cell = self._book.read_value(element, element.get("t") or "n")
            cells += [EMPTY] * (place + 1 - len(cells))
            cells[place] = cell
            if cell.value not in (None, "") or cell.kind == "unsaved":
                filled = place + 1
        if not filled:
            return None
        filled = max(filled, self._add_pictures(cells))
        self._last_filled = max(self._last_filled, self._line)
        letters = sum(len(cell.value) for cell in cells if type(cell.value) is str)
        self._counter.count(self._line, filled, letters)
        if row.get("hidden") in _TRUE:
            self._book.hidden_rows.append(self._line)
        return CellRow(self._line, cells)

    def _add_pictures(self, cells: list[Cell]) -> int:
        """Fill empty cells of a row that pictures lie on; the first row with two values names
        their columns. Return the number of the last cell that is filled.
        """
        added: dict[int, Cell] = {}
        if self._has_header:
            laid = self._pictures.get(self._line, {})
            added = {column: self._book.show_picture(part) for column, part in laid.items()}
        elif sum(cell.value is not None for cell in cells) > 1:
            self._has_header = True
            columns = {
                n for line, laid in self._pictures.items() if line > self._line for n in laid
            }
            bare = [n for n in sorted(columns) if n >= len(cells) or cells[n].value is None]
            added = {
                n: Cell(f"picture {place}".removesuffix(" 1")) for place, n in enumerate(bare, 1)
            }
        for column, cell in added.items():
            cells += [EMPTY] * (column + 1 - len(cells))
            if cells[column].value is None:
                cells[column] = cell
        return max(added, default=-1) + 1

    def _read_column(self, column: Any) -> None:
        if column.get("hidden") in _TRUE and len(self._book.hidden_columns) < MAX_COLUMNS:
            first, last = int(column.get("min") or 1), int(column.get("max") or 0)
            self._book.hidden_columns.append(range(first - 1, last))

    def _read_merged(self, reference: str) -> None:
        first, _, last = reference.partition(":")
        start, end = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last)
        if start and end and int(end[2]) > int(start[2]):
            self._book.merged.append(Merged(find_column(first), int(start[2]), int(end[2])))


def find_column(reference: str) -> int:
    """Return the column, from 0 on, of a cell that is called so."""
    column = 0
    for letter in reference:
        if not letter.isalpha():
            break
        column = column * 26 + ord(letter.upper()) - 64
    return column - 1


def _find_target(targets: dict[str, tuple[str, str]], kind: str) -> str | None:
    return next((part for part, own in targets.values() if own.endswith(kind)), None)


def _list_sheets(workbook: Any, targets: dict[str, tuple[str, str]]) -> Iterator[Sheet]:
    """Yield the sheets that hold cells; some hold a diagram."""
    for sheet in workbook.iterfind(".//{*}sheets/{*}sheet"):
        part, kind = targets.get(sheet.get(_RELATION) or sheet.get(_STRICT), ("", ""))
        if kind.endswith("/worksheet"):
            yield Sheet(sheet.get("name") or "", part, sheet.get("state", "visible") != "visible")


def _find_form(number: int, code: str | None) -> _Form:
    """Return the form that a format gives numbers, by its code or its place among the known."""
    if code is None:
        if number in _DURATIONS:
            return "duration"
        return "date" if number in _DATES else "percent" if number in _PERCENTS else ""
    bare = _ASIDE.sub("", code)
    positive = bare.partition(";")[0]
    if _DURATION.search(positive):
        return "duration"
    if _DATE.search(positive):
        return "date"
    return "percent" if "%" in bare else ""


def _make_date(number: float, epoch: datetime) -> date | time:
    """Return the day, the time of day or both that a number of days stands for."""
    days, fraction = divmod(number, 1)
    rest = timedelta(milliseconds=round(fraction * 86_400_000))
    if 0 <= number < 1 and not rest.days:
        return (datetime.min + rest).time()
    if 0 < number < 60 and epoch.year == 1899:
        days += 1  # The first programs held 1900 for a leap year, and all others keep to it.
    return _shorten_date(epoch + timedelta(days=days) + rest)


def _make_duration(days: float) -> timedelta:
    span = timedelta(days=days)
    return timedelta(milliseconds=round(span / timedelta(milliseconds=1)))


def _read_iso(saved: str) -> CellValue:
    """Return the moment that is written out, or the text where it is none."""
    bare = saved.removesuffix("Z").removeprefix("T")
    try:
        if ":" in bare[:3]:
            return time.fromisoformat(bare)
        return _shorten_date(datetime.fromisoformat(bare))
    except ValueError:
        return saved


def _shorten_date(moment: datetime) -> date:
    return moment.date() if moment.time() == time() else moment


def _make_text(text: _Text) -> Cell:
    plain = _tidy(text.plain)
    return Cell(plain, "plain", plain if text.marked is text.plain else _tidy(text.marked))


def _read_text(element: Any) -> _Text:
    """Return a text that may be set in several faces; how it is spoken is left out."""
    plain, marked = [], []
    for run in element:
        kind = get_name(run)
        if kind == "t":
            plain.append(run.text or "")
            marked.append(plain[-1])
        elif kind == "r":
            plain.append("".join(part.text or "" for part in run.iterfind("{*}t")))
            marked.append(_mark(plain[-1], run))
    text = _unescape("".join(plain))
    return _Text(text, text if plain == marked else _unescape("".join(marked)))


def _mark(text: str, run: Any) -> str:
    bare = text.strip()
    marks = "".join(
        mark
        for face, mark in (("b", "**"), ("i", "*"))
        if (found := run.find(f"{{*}}rPr/{{*}}{face}")) is not None
        and found.get("val", "1") not in ("0", "false")
    )
    if not bare or not marks or "\n" in bare:
        return text
    start = text.index(bare)
    return f"{text[:start]}{marks}{bare}{marks[::-1]}{text[start + len(bare) :]}"


def _unescape(text: str) -> str:
    """Return a text with the signs that a workbook writes by their codes, as XML has them not."""
    return _CODE.sub(_read_code, text) if "_x" in text else text


def _read_code(match: re.Match[str]) -> str:
    number = int(match[1], 16)
    return match[0] if 0xD800 <= number < 0xE000 else chr(number)


def _tidy(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
