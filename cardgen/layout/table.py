"""Tables: column widths chosen, cells set, rules and stripes placed.

Serves both <table> and the tables of running text. Knows nothing of boxes or cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import inf
from typing import NamedTuple, Protocol, TypeVar

from cardgen.core.colour import Colour
from cardgen.core.errors import Refusal
from cardgen.core.geometry import Rect
from cardgen.core.units import format_mm
from cardgen.layout.art.outlines import make_rect, make_rule
from cardgen.layout.face import Element, Item
from cardgen.layout.room import SPARE, find_limit, to_mm
from cardgen.layout.subject import WordRefusal
from cardgen.layout.typesetter import Typesetter
from cardgen.template.model import Align, CellSpec, Node, RowSpec, Style, TableSpec
from cardgen.template.specs import make_style
from cardgen.text.fit import Block, Listed, find_widest_word, measure_width
from cardgen.text.setting import SetBlock


class ListInCell(Listed, Protocol):
    """A text with lists, as a cell holds it."""

    depth: float

    def draw(self, size: float, rect: Rect, said: Element | None) -> list[Item]:
        """Return its items, all of it one element."""


_Text = Block | ListInCell
_Shaped = TypeVar("_Shaped", bound=_Text)
# Makes the text of a cell in a style.
ShapeText = Callable[[Style, str], _Text]


class Cell(NamedTuple):
    text: str
    style: Style
    span: int = 1


class Row(NamedTuple):
    cells: tuple[Cell, ...]
    head: bool = False


class TableLook(NamedTuple):
    """Column widths (see TableSpec), and what is drawn between the rows."""

    columns: tuple[float | None, ...]
    gap: float
    row_padding: float
    rule: Colour | None
    rule_width: float
    stripe: Colour | None


class Table(NamedTuple):
    look: TableLook
    rows: tuple[Row, ...]


class _SetList(NamedTuple):
    """A text with lists, of which only the first baseline counts for its neighbours."""

    text: ListInCell
    size: float
    width: float
    height: float
    baselines: tuple[float, ...]
    lines: tuple[int, ...] = (0,)


class _SetCell(NamedTuple):
    x: float
    y: float
    width: float
    text: SetBlock | _SetList
    span: int


class SetTable(NamedTuple):
    """A table at its width, ready to be drawn anywhere."""

    typesetter: Typesetter
    look: TableLook
    width: float
    rows: tuple[tuple[_SetCell, ...], ...]
    heights: tuple[float, ...]
    heads: tuple[bool, ...]
    insides: tuple[tuple[float, float], ...]  # where each row's letters begin and end

    @property
    def height(self) -> float:
        return sum(self.heights)

    @property
    def lead(self) -> float:
        """The white above the letters of the first row."""
        return self.look.row_padding + self.insides[0][0] if self.rows else 0.0

    @property
    def tail(self) -> float:
        """The white below the letters of the last row."""
        if not self.rows:
            return 0.0
        return self.heights[-1] - self.look.row_padding - self.insides[-1][1]

    @property
    def ends_striped(self) -> bool:
        striped = self._list_striped()
        return self.look.stripe is not None and not self.heads[-1] and len(striped) % 2 == 0

    def draw(self, x: float, y: float, items: list[Item]) -> None:
        look = self.look
        bottoms = [y + below for below in accumulate(self.heights)]
        if look.stripe is not None:
            for number, place in enumerate(self._list_striped()):
                if number % 2:
                    height = self.heights[place]
                    stripe = Rect(x, bottoms[place] - height, self.width, height)
                    items.append(make_rect(stripe, 0, look.stripe, None))
        whole = Element("Table")
        columns = max(sum(cell.span for cell in row) for row in self.rows) if self.rows else 0
        lines = zip(self.rows, self.heads, self.heights, bottoms, strict=True)
        for row, head, height, bottom in lines:
            line = Element("TR", whole)
            top = bottom - height + look.row_padding
            spans = [cell.span for cell in row]
            if spans:  # the last cell of a short row takes what is left
                spans[-1] += columns - sum(spans)
            for cell, span in zip(row, spans, strict=True):
                said = Element("TH" if head else "TD", line, span=span)
                left, above = x + cell.x, top + cell.y
                text = cell.text
                if isinstance(text, SetBlock):
                    self.typesetter.draw_pieces(text.pieces, items, left, above, said)
                else:
                    box = Rect(left, above, text.width, text.height)
                    items += text.text.draw(text.size, box, said)
        if look.rule is not None:
            for head, bottom in zip(self.heads[:-1], bottoms[:-1], strict=True):
                weight = look.rule_width * (2 if head else 1)
                items.append(make_rule(x, bottom, self.width, look.rule, weight))

    def _list_striped(self) -> list[int]:
        return [place for place, head in enumerate(self.heads) if not head]


def make_table(node: Node, spec: TableSpec) -> Table:
    """Return the rows of a <table> node."""
    look = TableLook(
        spec.columns, spec.gap, spec.row_padding, spec.rule, spec.rule_width, spec.stripe
    )
    return Table(look, tuple(_make_row(row, spec) for row in node.children))


def _make_row(node: Node, spec: TableSpec) -> Row:
    head = isinstance(node.spec, RowSpec) and node.spec.head
    cells = []
    column = 0
    for child in node.children:
        cell = child.spec if isinstance(child.spec, CellSpec) else CellSpec()
        style = cell.style or (spec.head if head else spec.style)
        align: Align | None = cell.align
        if align is None and column < len(spec.aligns):
            align = spec.aligns[column]
        cells.append(Cell(child.text, align_style(style, align), cell.span))
        column += cell.span
    if column > len(spec.columns):
        columns = f"{len(spec.columns)} column{'s' if len(spec.columns) > 1 else ''}"
        raise Refusal(
            "layout/too-many-cells",
            f"a row has {column} cells, the table {columns}",
            "give it a column for each cell",
            {"cells": column, "columns": len(spec.columns)},
        )
    return Row(tuple(cells), head)


def align_style(style: Style, align: Align | None) -> Style:
    return style if align is None else make_style(style, {"align": align})


def shape_cells(table: Table, shape: Callable[[Style, str], _Shaped]) -> list[list[_Shaped]]:
    return [[shape(cell.style, cell.text) for cell in row.cells] for row in table.rows]


def set_table(typesetter: Typesetter, table: Table, width: float, shape: ShapeText) -> SetTable:
    """Set a table at a width."""
    blocks = shape_cells(table, shape)
    return set_cells(typesetter, table, blocks, _choose_widths(table, blocks, width), width)


def set_cells(
    typesetter: Typesetter,
    table: Table,
    blocks: Sequence[Sequence[_Text]],
    widths: Sequence[float],
    width: float,
    scale: float = 1.0,
) -> SetTable:
    """Set shaped cells in columns; `scale` makes everything but the rules smaller or larger."""
    look = table.look
    if scale != 1:
        look = look._replace(gap=look.gap * scale, row_padding=look.row_padding * scale)
    rows, heights, insides = [], [], []
    for row, row_blocks in zip(table.rows, blocks, strict=True):
        sizes = [cell.style.size * scale for cell in row.cells]
        cells, texts, extents = [], [], []
        column, tallest, deepest, highest = 0, 0.0, 0.0, inf
        for cell, block, size in zip(row.cells, row_blocks, sizes, strict=True):
            x = sum(widths[:column]) + look.gap * column
            extent = sum(widths[column : column + cell.span]) + look.gap * (cell.span - 1)
            widest, word = find_widest_word(block) if isinstance(block, Block) else (0.0, "")
            if widest * size > extent + SPARE:
                wide, room = format_mm(widest * size), format_mm(extent)
                raise WordRefusal(
                    "text/word-too-wide",
                    f'"{word}" is {wide} wide, its table cell {room}',
                    "give the column more room, or set the table smaller",
                    {"word": word, "needed": to_mm(widest * size), "room": to_mm(extent)},
                )
            texts.append(_set_cell(typesetter, block, cell.style, size, extent))
            extents.append((x, extent))
            column += cell.span
        drops = [_measure_drop(*found) for found in zip(row_blocks, sizes, strict=True)]
        baseline = _choose_baseline(texts, drops)
        for cell, text, (x, extent), drop in zip(row.cells, texts, extents, drops, strict=True):
            top = 0.0
            if text.lines:
                top = baseline - text.baselines[0]
                highest, deepest = min(highest, top), max(deepest, top + text.height)
                tallest = max(tallest, top + text.height - drop)
            cells.append(_SetCell(x, top, extent, text, cell.span))
        rows.append(tuple(cells))
        heights.append(tallest + 2 * look.row_padding)
        insides.append((min(highest, deepest), deepest))
    heads = tuple(row.head for row in table.rows)
    return SetTable(typesetter, look, width, tuple(rows), tuple(heights), heads, tuple(insides))


def _set_cell(
    typesetter: Typesetter, block: _Text, style: Style, size: float, width: float
) -> SetBlock | _SetList:
    if isinstance(block, Block):
        return typesetter.set_text(block, style, size, width)
    first = typesetter.make_block(style, "").cap_height * size
    return _SetList(block, size, width, block.measure(size, width), (first,))


def _measure_drop(block: _Text, size: float) -> float:
    """Return how much lower a cell's text stands, so that its capitals are in the middle."""
    return block.depth * size / 2


def _choose_baseline(texts: Sequence[SetBlock | _SetList], drops: Sequence[float]) -> float:
    """Return the one baseline on which the first lines of a row's cells stand."""
    return max(
        (text.baselines[0] + drop for text, drop in zip(texts, drops, strict=True) if text.lines),
        default=0.0,
    )


def measure_table(table: Table, shape: ShapeText) -> float:
    """Return the width of a table whose columns are as wide as their words."""
    natural = _measure_columns(table, shape_cells(table, shape))
    widths = [
        wide if column is None or column < 0 else column
        for wide, column in zip(natural, table.look.columns, strict=True)
    ]
    return sum(widths) + table.look.gap * (len(widths) - 1)


def _choose_widths(table: Table, blocks: Sequence[Sequence[_Text]], width: float) -> list[float]:
    """Return the width of each column: fixed ones as said, automatic ones as wide as their words.

    What is left goes to those that grow.
    """
    columns = table.look.columns
    natural = _measure_columns(table, blocks)
    room = width - table.look.gap * (len(columns) - 1)
    widths = [
        natural[number] if column is None else max(column, 0.0)
        for number, column in enumerate(columns)
    ]
    spare = room - sum(widths)
    growing = -sum(column for column in columns if column is not None and column < 0)
    if spare >= 0:
        return [
            w if column is None or column >= 0 else spare * -column / growing
            for w, column in zip(widths, columns, strict=True)
        ]
    automatic = [w for w, column in zip(widths, columns, strict=True) if column is None]
    limit = find_limit(automatic, room - (sum(widths) - sum(automatic)))
    if limit is None or growing:
        raise Refusal(
            "layout/table-too-wide",
            f"the columns of a table need {format_mm(room - spare)}, there are {format_mm(room)}",
            "make a column narrower, or let an automatic one grow",
            {"needed": to_mm(room - spare), "room": to_mm(room)},
        )
    return [
        min(w, limit) if column is None else w for w, column in zip(widths, columns, strict=True)
    ]


def _measure_columns(table: Table, blocks: Sequence[Sequence[_Text]]) -> list[float]:
    """Return for each column the width of its widest cell; cells that span several do not count."""
    natural = [0.0] * len(table.look.columns)
    for row, row_blocks in zip(table.rows, blocks, strict=True):
        at = 0
        for cell, block in zip(row.cells, row_blocks, strict=True):
            if cell.span == 1:
                natural[at] = max(natural[at], measure_width(block) * cell.style.size + SPARE)
            at += cell.span
    return natural
