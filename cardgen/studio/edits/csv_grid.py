"""A CSV file as a grid whose cells can be changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardgen.core.errors import Where
from cardgen.deck.edits.csv_text import CsvText
from cardgen.deck.edits.texts import FileText, read_file_text
from cardgen.deck.head import split_front_matter
from cardgen.deck.tables import Cell


class CsvGrid:
    """The rows of a CSV file, below its front matter."""

    def __init__(self, file: str, source: FileText, text: str | None = None) -> None:
        self.file = file
        self._source = source
        self._text = source.text if text is None else text
        front = split_front_matter(self._text, file)
        self.head_end = len(self._text) - len(front.body)
        self._rows = CsvText(self._text, file, self.head_end, front.line)

    def list_rows(self) -> Sequence[Sequence[Cell]]:
        """Return the cells of all rows."""
        return [[cell.text for cell in row.cells] for row in self._rows.rows]

    def locate(self, row: int, column: int | None = None) -> Where:
        """Return the line of a row, and the column in which a cell begins."""
        found = self._rows.rows[row]
        if column is None or column >= len(found.cells):
            return Where(self.file, found.line)
        start = found.cells[column].start
        above = self._text.count("\n", found.start, start)
        return Where(self.file, found.line + above, start - self._text.rfind("\n", 0, start))

    def change(self, cells: Mapping[int, Mapping[int, Cell]]) -> CsvGrid:
        """Return it with other cells."""
        written = {
            row: {column: _write(cell) for column, cell in own.items()}
            for row, own in cells.items()
        }
        return self._make(self._rows.change(written))

    def insert(self, place: int, cells: Sequence[Cell], like: int | None) -> CsvGrid:  # noqa: ARG002
        """Return it with a row more."""
        return self._make(self._rows.insert(place, list(map(_write, cells))))

    def remove(self, place: int) -> CsvGrid:
        """Return it without a row."""
        return self._make(self._rows.remove(place))

    def put_in_order(self, places: Sequence[int], order: Sequence[int]) -> CsvGrid:
        """Return it with other rows at these places."""
        return self._make(self._rows.put_in_order(places, order))

    def encode(self) -> bytes:
        """Return the file's bytes."""
        return self._source.encode(self._text)

    def _make(self, text: str) -> CsvGrid:
        return CsvGrid(self.file, self._source, text)


def read_csv_grid(data: bytes, file: str) -> CsvGrid:
    """Return the grid of a CSV file's bytes."""
    return CsvGrid(file, read_file_text(data, file))


def _write(cell: Cell) -> str:
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)
