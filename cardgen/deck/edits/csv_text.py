"""The cells of a CSV text with their places, so that one of them can be written anew.

Rows and cells are those that the reader of decks finds. Knows nothing of what columns mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cardgen.core.errors import Where
from cardgen.deck.edits.edit import Edit, apply, make_odd_table
from cardgen.deck.tables import find_delimiter, read_csv_cells

_MUST_BE_QUOTED = re.compile(r'^\s|\s$|["\n\r]')


class CsvCell(NamedTuple):
    """A cell: its text, and where it stands with its quotes."""

    start: int
    end: int
    text: str
    is_quoted: bool


class CsvRow(NamedTuple):
    """A row: the line it begins in, where it stands with its line end, and its cells."""

    line: int
    start: int
    end: int
    cells: tuple[CsvCell, ...]

    @property
    def is_filled(self) -> bool:
        return any(cell.text.strip() for cell in self.cells)


class CsvText:
    """The rows of a text from a place on, which is in line `line` of its file."""

    def __init__(self, text: str, file: str, start: int = 0, line: int = 1) -> None:
        self.text = text
        said = read_csv_cells(text[start:], file, line)
        self.delimiter, above = find_delimiter(text[start:])
        line += text.count("\n", start, start + above)
        self.rows = tuple(_scan(text, start + above, line, self.delimiter))
        if [[cell.text for cell in row.cells] for row in self.rows] != said:
            raise make_odd_table(Where(file, line))
        quoted = [cell.is_quoted for row in self.rows for cell in row.cells if cell.text]
        self._quotes_all = bool(quoted) and all(quoted)

    def change(self, cells: Mapping[int, Mapping[int, str]]) -> str:
        """Return the text with other cells, by the numbers of rows and columns from 0 on."""
        edits: list[Edit] = []
        for number, wanted in cells.items():
            edits += self._change_row(self.rows[number], wanted)
        return apply(self.text, edits)

    def _change_row(self, row: CsvRow, wanted: Mapping[int, str]) -> Iterator[Edit]:
        behind = ""
        width = len(row.cells)
        for column in range(max([*wanted, width - 1]) + 1):
            text = wanted.get(column, "")
            if column < width:
                cell = row.cells[column]
                if column in wanted and text != cell.text:
                    yield Edit(cell.start, cell.end, self._write(text, cell.is_quoted))
            else:
                behind += self.delimiter + (self._write(text, False) if text else "")
        if behind:
            end = row.cells[-1].end if row.cells else row.start
            if not row.cells:
                behind = behind[1:]
            yield Edit(end, end, behind)

    def _write(self, text: str, is_quoted: bool) -> str:
        must = _MUST_BE_QUOTED.search(text) or self.delimiter in text
        if must or is_quoted or (self._quotes_all and text):
            return '"' + text.replace('"', '""') + '"'
        return text

    def insert(self, place: int, texts: Sequence[str]) -> str:
        """Return the text with a row before the one of a number, or at the end."""
        bare = list(texts)
        while len(bare) > 1 and not bare[-1]:
            bare.pop()
        written = self.delimiter.join(self._write(text, False) if text else "" for text in bare)
        if place < len(self.rows):
            start = self.rows[place].start
            return f"{self.text[:start]}{written}\n{self.text[start:]}"
        last = next(row for row in reversed(self.rows) if row.is_filled)
        gap = "" if self.text[: last.end].endswith("\n") else "\n"
        end = "" if gap else "\n"
        return f"{self.text[: last.end]}{gap}{written}{end}{self.text[last.end :]}"

    def remove(self, place: int) -> str:
        """Return the text without a row."""
        row = self.rows[place]
        before, after = self.text[: row.start], self.text[row.end :]
        if not after and not self.text.endswith("\n"):
            before = before.removesuffix("\n")
        return before + after

    def put_in_order(self, places: Sequence[int], order: Sequence[int]) -> str:
        """Return the text with rows exchanged: at each place the row that comes there."""
        edits = []
        for place, source in zip(places, order, strict=True):
            here, there = self.rows[source], self.rows[place]
            edits.append(
                Edit(there.start, self._end(there), self.text[here.start : self._end(here)])
            )
        return apply(self.text, edits)

    def _end(self, row: CsvRow) -> int:
        return row.end - (row.end > row.start and self.text[row.end - 1] == "\n")


def _scan(text: str, start: int, line: int, delimiter: str) -> Iterator[CsvRow]:
    place = start
    while place < len(text):
        begin, cells, number = place, list[CsvCell](), line
        while True:
            cell, place = _scan_cell(text, place, delimiter)
            cells.append(cell)
            line += text.count("\n", cell.start, cell.end)
            if place >= len(text) or text[place] == "\n":
                break
            place += 1
        place = min(place + 1, len(text))
        line += 1
        is_empty = len(cells) == 1 and cells[0].start == cells[0].end == begin
        yield CsvRow(number, begin, place, () if is_empty else tuple(cells))


def _scan_cell(text: str, place: int, delimiter: str) -> tuple[CsvCell, int]:
    """Return the cell that begins at a place, and where it ends."""
    while place < len(text) and text[place] == " ":
        place += 1
    if text[place : place + 1] != '"':
        ends = (text.find(sign, place) for sign in (delimiter, "\n"))
        end = min((found for found in ends if found >= 0), default=len(text))
        return CsvCell(place, end, text[place:end], False), end
    end = place + 1
    while True:
        end = text.find('"', end)
        if end < 0:
            return CsvCell(place, len(text), text[place + 1 :], True), len(text)
        if text[end + 1 : end + 2] != '"':
            break
        end += 2
    return CsvCell(place, end + 1, text[place + 1 : end].replace('""', '"'), True), end + 1
