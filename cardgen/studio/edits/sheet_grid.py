"""A sheet of a workbook as a grid whose cells can be changed.

Only the sheet is written anew, and where its rows move, what names them elsewhere in the workbook.
"""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Mapping, Sequence
from functools import partial
from zipfile import ZipFile

from cardgen.core.errors import CardgenError, Where
from cardgen.deck.edits.edit import make_odd_table
from cardgen.deck.edits.parts import replace_parts
from cardgen.deck.edits.references import Shift
from cardgen.deck.edits.sheet_text import (
    SheetText,
    follow_escaped,
    follow_formulas,
    follow_ranges,
    refuse_rows,
)
from cardgen.deck.tables import Cell, Row, get_sheet, read_sheet_rows
from cardgen.deck.workbook import Workbook

_BOOK = "xl/workbook.xml"
_CHAIN = "xl/calcChain.xml"
_NAMING_CHAIN = ("[Content_Types].xml", "xl/_rels/workbook.xml.rels")
_SHEETS = "xl/worksheets/"
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>]")
_RELATION = re.compile(r"<(?:\w+:)?Relationship\s[^>]*/>")
_KIND = re.compile(r'\sType="[^"]*/(\w+)"')
_TARGET = re.compile(r'\sTarget="([^"]*)"')
_NAMES_CHAIN = re.compile(r'<(?:\w+:)?(?:Override|Relationship)\s[^>]*calcChain\.xml"[^>]*/>')
_DEFINED = re.compile(r"(<(?:\w+:)?definedName[^>]*>)([^<]*)")
_CALCULATION = re.compile(r"<((?:\w+:)?)calcPr(?=[\s/>])(?![^>]*fullCalcOnLoad)")
_BEHIND_SHEETS = re.compile(r"</((?:\w+:)?)(?:definedNames|externalReferences|sheets)>")
# What goes with rows, or does not hang on them.
_LOOSE = ("table", "printerSettings", "hyperlink", "customProperty")

Parts = Mapping[str, bytes | None]


class _Book:
    """A workbook as it lies on the disk."""

    def __init__(self, data: bytes, file: str, sheet: str | None) -> None:
        self.data = data
        self.file = file
        self.sheet = sheet
        Workbook(data, file)
        self._archive = ZipFile(io.BytesIO(data))
        self.names = self._archive.namelist()
        self.sheets = [n for n in self.names if n.startswith(_SHEETS) and n.endswith(".xml")]
        self.has_formulas = any(_FORMULA.search(self._archive.read(name)) for name in self.sheets)

    def read(self, part: str) -> bytes:
        return self._archive.read(part)


class SheetGrid:
    """The filled rows of a workbook's sheet: the named one, or the first.

    parts: those that are written anew by now
    """

    def __init__(self, book: _Book, parts: Parts | None = None) -> None:
        self.file = book.file
        self._book = book
        self._parts = dict(parts or {})
        opened = Workbook(self.encode(), book.file)
        found = get_sheet(opened, book.sheet, Where(book.file))
        self._rows: list[Row] = list(read_sheet_rows(opened, found, []))
        self._part = found.part
        self._text = SheetText(self._read(found.part), book.file, found.name)

    def list_rows(self) -> Sequence[Sequence[Cell]]:
        """Return the cells of the rows that hold anything."""
        return [row.cells for row in self._rows]

    def locate(self, row: int, column: int | None = None) -> Where:
        """Return the number of a row, and of a column."""
        return Where(self.file, self._rows[row].line, None if column is None else column + 1)

    def change(self, cells: Mapping[int, Mapping[int, Cell]]) -> SheetGrid:
        """Return it with other cells."""
        wanted = {self._rows[row].line: own for row, own in cells.items()}
        for line, own in wanted.items():
            for column in own:
                if self._text.has_formula(line, column):
                    raise CardgenError(
                        "edit/formula",
                        "this value is computed by a formula",
                        Where(self.file, line, column + 1),
                        "change the formula, or what it reads, with a spreadsheet program",
                    )
        made = self._make(self._text.change(wanted))
        odd = {
            self._rows[row].line: {
                c: value for c, value in own.items() if not made._says(row, c, value)
            }
            for row, own in cells.items()
        }
        # A style may show a number as a date.
        return made._make(made._text.change(odd, bare=True)) if any(odd.values()) else made

    def _says(self, row: int, column: int, value: Cell) -> bool:
        cells = self._rows[row].cells if row < len(self._rows) else ()
        seen = cells[column] if column < len(cells) else None
        return seen == value or value in (None, "") or isinstance(value, str)

    def insert(self, place: int, cells: Sequence[Cell], like: int | None) -> SheetGrid:
        """Return it with a row more."""
        model = None if like is None else self._rows[like]
        is_last = place >= len(self._rows)
        line = self._rows[-1].line + 1 if is_last else self._rows[place].line
        own = (*(model.cells if model else ()), *[None] * len(cells))
        same = [c for c, value in enumerate(cells) if value is not None and value == own[c]]
        step = Shift(line, 1, grows=is_last)
        grid = self._prepare(step)
        return grid._make(grid._text.insert(line, cells, model.line if model else None, same))

    def remove(self, place: int) -> SheetGrid:
        """Return it without a row."""
        line = self._rows[place].line
        grid = self._prepare(Shift(line + 1, -1))
        return grid._make(grid._text.remove(line))

    def put_in_order(self, places: Sequence[int], order: Sequence[int]) -> SheetGrid:
        """Return it with other rows at these places."""
        grid = self._prepare(None)
        lines = [[self._rows[place].line for place in some] for some in (places, order)]
        return grid._make(grid._text.put_in_order(*lines))

    def encode(self) -> bytes:
        """Return the workbook's bytes."""
        if not self._parts:
            return self._book.data
        parts = dict(self._parts)
        if self._book.has_formulas and _BOOK in self._book.names:
            parts[_BOOK] = _ask_for_results(self._read(_BOOK)).encode()
        return replace_parts(self._book.data, parts, self.file)

    def _make(self, text: str) -> SheetGrid:
        return SheetGrid(self._book, {**self._parts, self._part: text.encode()})

    # The rest of the workbook

    def _read(self, part: str) -> str:
        data = self._parts.get(part)
        return _decode(self._book.read(part) if data is None else data, self.file)

    def _prepare(self, step: Shift | None) -> SheetGrid:
        """Return it with all else in the workbook following a step of its rows."""
        parts = dict(self._parts)
        tables, names = self._list_tables(), self._book.names
        if step is not None:
            for part in tables:
                parts[part] = follow_ranges(self._read(part), step).encode()
            parts |= self._follow_elsewhere(step._replace(grows=False))
        if _CHAIN in names and self._text.has_formulas:
            # Spreadsheet programs make it anew.
            parts[_CHAIN] = None
            for part in _NAMING_CHAIN:
                parts[part] = _NAMES_CHAIN.sub("", self._read(part)).encode()
        parts[self._part] = self._text.unshare().encode()
        return SheetGrid(self._book, parts)

    def _follow_elsewhere(self, step: Shift) -> Parts:
        """Return the parts whose formulas and names say other rows of the sheet by now."""
        found, name = dict[str, bytes | None](), self._text.name
        for part in self._book.sheets:
            before = self._read(part)
            now = follow_formulas(before, step, name, is_own=False)
            if part != self._part and now != before:
                found[part] = now.encode()
        if _BOOK in self._book.names:
            before = self._read(_BOOK)
            move = partial(follow_escaped, step=step, sheet=name, is_own=False)
            now = _DEFINED.sub(lambda match: match[1] + move(match[2]), before)
            if now != before:
                found[_BOOK] = now.encode()
        return found

    def _list_tables(self) -> list[str]:
        """Return the tables that lie in the sheet; what else hangs on its rows is refused."""
        folder, name = posixpath.split(self._part)
        part = f"{folder}/_rels/{name}.rels"
        if part not in self._book.names:
            return []
        found = []
        for relation in _RELATION.findall(self._read(part)):
            kind, target = _KIND.search(relation), _TARGET.search(relation)
            if kind is None or target is None or kind[1] not in _LOOSE:
                raise refuse_rows(self.file, "a comment, a picture or a pivot table")
            if kind[1] == "table":
                path = posixpath.normpath(posixpath.join(folder, target[1]))
                found.append(target[1].lstrip("/") if target[1].startswith("/") else path)
        return found


def read_sheet_grid(data: bytes, file: str, sheet: str | None) -> SheetGrid:
    """Return the grid of a workbook's bytes."""
    return SheetGrid(_Book(data, file, sheet))


def _decode(data: bytes, file: str) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = ""
    if not text or "<!DOCTYPE" in text:
        raise make_odd_table(Where(file))
    return text


def _ask_for_results(book: str) -> str:
    """Return what says of a workbook that its formulas are computed when it is opened."""
    told = ' fullCalcOnLoad="1"'
    text, times = _CALCULATION.subn(lambda match: match[0] + told, book, count=1)
    if times or "fullCalcOnLoad" in book:
        return text
    ends = list(_BEHIND_SHEETS.finditer(book))
    if not ends:
        return book
    end = ends[-1]
    return f"{book[: end.end()]}<{end[1]}calcPr{told}/>{book[end.end() :]}"
