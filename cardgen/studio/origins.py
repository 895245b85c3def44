"""Where the values of a card come from, as its form shows them: to the cell, in a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cardgen.core.deck_files import TABLE_SUFFIXES
from cardgen.core.errors import CardgenError, Where
from cardgen.core.reading import read_bytes
from cardgen.deck.model import Card
from cardgen.deck.origins import read_card
from cardgen.deck.variant import Base
from cardgen.studio.edits.grids import open_table
from cardgen.studio.edits.table_deck import TableDeck


class Origins:
    """The places of a deck's values, and the tables that were opened to find them."""

    def __init__(self, written: Base) -> None:
        self._written = written
        self._tables: dict[str, TableDeck | None] = {}

    def read(self, card: Card) -> Mapping[str, Where]:
        """Return where each value of a card stands."""
        found = read_card(self._written, card)
        return {field: self._narrow(field, where) for field, where in found.items()}

    def _narrow(self, field: str, where: Where) -> Where:
        """Return the place of a cell where that of its row is known."""
        if Path(where.file).suffix.lower() not in TABLE_SUFFIXES or where.column is not None:
            return where
        if where.file not in self._tables:
            self._tables[where.file] = self._open(where.file)
        table = self._tables[where.file]
        cell = table.find_cell(where.line or 0, field) if table is not None else None
        return where if cell is None else replace(where, line=cell.line, column=cell.column)

    def _open(self, file: str) -> TableDeck | None:
        sheet = self._written.raw.head.values.get("sheet")
        try:
            return open_table(read_bytes(Path(file)), file, sheet)
        except CardgenError:
            return None
