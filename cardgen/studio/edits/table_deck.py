"""Edits of a deck whose cards are the rows of a table.

A row is a card, as the reader of decks takes it. Knows nothing of files and of how cells are
written in them: a `Grid` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from cardgen.core.errors import Where
from cardgen.deck.columns import name_columns, read_count
from cardgen.deck.model import Value
from cardgen.deck.tables import TEXT_COLUMNS, Cell, read_cell
from cardgen.deck.values import quote
from cardgen.studio.edits.faults import make_no_card, make_not_here
from cardgen.studio.edits.model import (
    AddCard,
    CopyCard,
    Edit,
    MoveCard,
    RemoveCard,
    SetField,
    SetKey,
)
from cardgen.studio.edits.yaml_deck import Fields, find_id, make_last, rename_copy, with_id


class Grid(Protocol):
    """The rows of a table, which is changed by making another one."""

    file: str

    def list_rows(self) -> Sequence[Sequence[Cell]]: ...

    def locate(self, row: int, column: int | None = None) -> Where: ...

    def change(self, cells: Mapping[int, Mapping[int, Cell]]) -> Grid: ...

    def insert(self, place: int, cells: Sequence[Cell], like: int | None) -> Grid: ...

    def remove(self, place: int) -> Grid: ...

    def put_in_order(self, places: Sequence[int], order: Sequence[int]) -> Grid: ...

    def encode(self) -> bytes: ...


class TableDeck:
    """A deck in a table."""

    def __init__(self, grid: Grid) -> None:
        self.file = grid.file
        self._pending: dict[int, dict[int, Cell]] = {}
        self._open(grid)

    def _open(self, grid: Grid) -> None:
        self.grid = grid
        rows = grid.list_rows()
        filled = [place for place, row in enumerate(rows) if any(map(_is_filled, row))]
        if not filled:
            raise make_last(self.file)
        self._header, *places = filled
        titles = ["" if cell is None else str(cell).strip() for cell in rows[self._header]]
        keys, _ = name_columns(titles)
        # Of two columns of one name the first counts; it is an error of the deck anyway.
        self.columns = {key: place for place, key in reversed(list(enumerate(keys))) if key}
        self.width = len(titles)
        self.places: list[int] = []
        self.cards: list[Fields] = []
        for place in places:
            card = self._read_row(rows[place])
            if card:
                self.places.append(place)
                self.cards.append(card)
        self.ids = [find_id(card, None) for card in self.cards]

    def _read_row(self, row: Sequence[Cell]) -> Fields:
        card: Fields = {}
        for key, column in self.columns.items():
            cell = row[column] if column < len(row) else None
            if isinstance(cell, str):
                cell = read_cell(cell, key not in TEXT_COLUMNS)
            elif cell is not None and key in TEXT_COLUMNS:
                cell = str(cell)
            if cell is not None:
                card[key] = read_count(cell) if key == "count" else cell
        return card

    def finish(self) -> bytes:
        """Return the table's bytes with all edits made."""
        self._flush()
        return self.grid.encode()

    def make(self, edit: Edit) -> None:
        """Make an edit."""
        if isinstance(edit, SetField):
            self._set(self.find(edit.card), edit.field, edit.value)
            return
        self._flush()
        match edit:
            case AddCard():
                place = len(self.cards) if edit.after is None else self.find(edit.after) + 1
                self._insert(place, with_id(edit.values, self.ids))
            case CopyCard():
                place = self.find(edit.card)
                self._insert(place + 1, rename_copy(self.cards[place], self.ids), place)
            case RemoveCard():
                if len(self.cards) == 1:
                    raise make_last(self.file)
                self._open(self.grid.remove(self.places[self.find(edit.card)]))
            case MoveCard():
                self._move(self.find(edit.card), edit.after)
            case SetKey():
                where = Where(self.file)
                raise make_not_here(
                    f"the key {quote(edit.key)}", where, "describe the table by a deck in YAML"
                )

    def find(self, card: str) -> int:
        """Return which of the cards has an id."""
        if card not in self.ids:
            raise make_no_card(card, self.ids, self.file)
        return self.ids.index(card)

    def get_own(self, card: str) -> Fields:
        """Return what the row of a card says."""
        return self.cards[self.find(card)]

    def locate(self, card: str, field: str) -> Where:
        """Return the place of a cell."""
        return self.grid.locate(self.places[self.find(card)], self.columns.get(field))

    def find_cell(self, line: int, field: str) -> Where | None:
        """Return the place of a field's cell in the row of a line; None if there is none."""
        column = self.columns.get(field)
        rows = (place for place in self.places if self.grid.locate(place).line == line)
        place = next(rows, None)
        return None if place is None or column is None else self.grid.locate(place, column)

    def _set(self, card: int, field: str, value: Value) -> None:
        if value is None and field not in self.columns:
            return
        place = self.places[card]
        column = self._get_column(field)
        self._pending.setdefault(place, {})[column] = self._make_cell(value, place)
        if field == "name" and "id" not in self.cards[card]:
            own, before = find_id({"name": value}, None), self.ids[card]
            if own in self.ids and own != before:
                self._pending[place][self._get_column("id")] = before

    def _get_column(self, field: str) -> int:
        """Return the column of a field; a new one is added behind the others."""
        if field not in self.columns:
            self._pending.setdefault(self._header, {})[self.width] = field
            self.columns[field] = self.width
            self.width += 1
        return self.columns[field]

    def _make_cell(self, value: Value, place: int) -> Cell:
        if isinstance(value, list | dict):
            where = self.grid.locate(place)
            raise make_not_here("a list", where, "write it in a deck in YAML")
        return value.strip() if isinstance(value, str) else value

    def _flush(self) -> None:
        if self._pending:
            self._open(self.grid.change(self._pending))
            self._pending = {}

    def _insert(self, place: int, card: Fields, like: int | None = None) -> None:
        for field in card:
            self._get_column(field)
        self._flush()
        cells: list[Cell] = [None] * self.width
        last = self.places[-1] if self.places else None
        below = (self._header if last is None else last) + 1
        row = self.places[place] if place < len(self.places) else below
        for field, value in card.items():
            cells[self.columns[field]] = self._make_cell(value, self._header)
        self._open(self.grid.insert(row, cells, last if like is None else self.places[like]))

    def _move(self, card: int, after: str | None) -> None:
        order = [place for place in range(len(self.cards)) if place != card]
        at = 0 if after is None else order.index(self.find(after)) + 1
        order.insert(at, card)
        self._open(self.grid.put_in_order(self.places, [self.places[one] for one in order]))


def _is_filled(cell: Cell) -> bool:
    return cell is not None and str(cell).strip() != ""
