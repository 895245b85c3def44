"""A table opened to be edited, be it a CSV file or a sheet of a workbook."""

from __future__ import annotations

from cardgen.studio.edits.csv_grid import read_csv_grid
from cardgen.studio.edits.sheet_grid import read_sheet_grid
from cardgen.studio.edits.table_deck import TableDeck


def open_table(data: bytes, file: str, sheet: object) -> TableDeck:
    """Return the deck in a table; `sheet` is what the deck's head says of it."""
    if not file.lower().endswith(".xlsx"):
        return TableDeck(read_csv_grid(data, file))
    return TableDeck(read_sheet_grid(data, file, sheet if isinstance(sheet, str) else None))
