"""The tables of running text: their cells, and how their columns share a width.

Columns of figures and icons keep their lines. One of the others takes what is left; where that is
too little, the widths are those that make the table lowest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cardgen.layout.document import TableBlock
from cardgen.layout.table import (
    SPARE,
    Cell,
    Row,
    SetTable,
    Table,
    TableLook,
    align_style,
    set_cells,
    shape_cells,
)
from cardgen.layout.words import TextProblem, Typesetter
from cardgen.template.model import Align, FlowSpec, Style
from cardgen.text.fit import Block, find_widest_word, measure_block, measure_width
from cardgen.units import format_mm

TRIALS = 16  # of widths, where columns must give way
LONGEST_FIGURE = 16  # characters, without icons
GAP = 0.7  # between columns, in em

_ICON = re.compile(r":[a-z][a-z0-9-]*:")
_ALIGNS: dict[str, Align] = {"right": "right", "centre": "centre"}


@dataclass(frozen=True, slots=True)
class FlowTable:
    """A table shaped and measured; widths in points, where nothing is scaled."""

    table: Table
    blocks: Sequence[Sequence[Block]]
    natural: Sequence[float]  # of each column, with every cell on one line
    least: Sequence[float]
    growing: Sequence[int]  # the columns that take what is left

    def set(self, typesetter: Typesetter, width: float, scale: float) -> SetTable:
        widths = self._find_widths(width, scale)
        return set_cells(typesetter, self.table, self.blocks, widths, width, scale)

    def _find_widths(self, width: float, scale: float) -> list[float]:
        natural = [wide * scale + SPARE for wide in self.natural]
        least = [wide * scale + SPARE for wide in self.least]
        room = width - self.table.look.gap * scale * (len(natural) - 1)
        if sum(least) > room:
            raise TextProblem(
                f"the columns of a table need {format_mm(sum(least))}, there are {format_mm(room)}",
                "add a soft hyphen, or make the columns of the flow wider",
            )
        spare = room - sum(natural)
        if spare >= 0:
            for column in self.growing:
                natural[column] += spare / len(self.growing)
            return natural
        trials = list(_list_trials(natural, least, room, self.growing[0]))
        return min(trials, key=lambda widths: self._measure(widths, scale))

    def _measure(self, widths: Sequence[float], scale: float) -> float:
        """The height of the rows in columns of these widths; the first of equals is the best."""
        height = 0.0
        for row, blocks in zip(self.table.rows, self.blocks, strict=True):
            column, tallest = 0, 0.0
            for cell, block in zip(row.cells, blocks, strict=True):
                extent = sum(widths[column : column + cell.span])
                needed = measure_block(block, cell.style.size * scale, extent)
                tallest = max(tallest, needed or 0.0)
                column += cell.span
            height += tallest
        return round(height, 3)


def _list_trials(
    natural: Sequence[float], least: Sequence[float], room: float, growing: int
) -> Iterator[list[float]]:
    """Widths that fill the room, from the widest for the columns that do not grow."""
    widest = max((wide for n, wide in enumerate(natural) if n != growing), default=0.0)
    for trial in range(TRIALS, -1, -1):
        limit = widest * trial / TRIALS
        widths = [max(low, min(wide, limit)) for wide, low in zip(natural, least, strict=True)]
        widths[growing] = room - sum(widths) + widths[growing]
        if widths[growing] >= least[growing]:
            yield widths


def make_flow_table(
    typesetter: Typesetter, block: TableBlock, spec: FlowSpec, head: Style
) -> FlowTable:
    """A table of a document, its first row in the style of heads."""
    aligns = [_ALIGNS.get(align, "left") for align in block.aligns]
    look = TableLook(
        (None,) * len(aligns),
        GAP * spec.table.size,
        spec.row_padding,
        spec.rule,
        spec.rule_width,
        spec.stripe,
    )
    rows = [
        Row(
            _make_cells(texts, head if number == 0 else spec.table, aligns, number == 0), not number
        )
        for number, texts in enumerate(block.rows)
        if texts
    ]
    table = Table(look, tuple(rows))
    blocks = shape_cells(typesetter, table)
    firm = [_holds_figures([row[n] for row in block.rows[1:]]) for n in range(len(aligns))]
    natural, least = _measure_columns(table, blocks, firm)
    return FlowTable(table, blocks, natural, least, _choose_growing(natural, firm))


def _make_cells(
    texts: Sequence[str], style: Style, aligns: Sequence[Align], head: bool
) -> tuple[Cell, ...]:
    """The cells of a row; a head runs on above columns that have none."""
    cells: list[Cell] = []
    for text, align in zip(texts, aligns, strict=True):
        if head and cells and cells[-1].text and not text:
            cells[-1] = cells[-1]._replace(span=cells[-1].span + 1)
        else:
            cells.append(Cell(text, align_style(style, align)))
    return tuple(cells)


def _measure_columns(
    table: Table, blocks: Sequence[Sequence[Block]], firm: Sequence[bool]
) -> tuple[list[float], list[float]]:
    """The natural width of each column and the least that it can have."""
    natural, least = [0.0] * len(firm), [0.0] * len(firm)
    for row, row_blocks in zip(table.rows, blocks, strict=True):
        column = 0
        for cell, block in zip(row.cells, row_blocks, strict=True):
            if cell.span == 1:
                wide = measure_width(block) * cell.style.size
                whole = firm[column] and not row.head
                low = wide if whole else find_widest_word(block)[0] * cell.style.size
                natural[column] = max(natural[column], wide)
                least[column] = max(least[column], low)
            column += cell.span
    return natural, least


def _holds_figures(texts: Sequence[str]) -> bool:
    """Whether a column is icons and short figures: "+1", "20cm", "4, 5, 6", "10 x D6cm"."""
    plain = [re.sub(r"[*_\\]", "", _ICON.sub("", text)) for text in texts]
    words = [word for text in plain for word in text.split()]
    return all(len(text.strip()) <= LONGEST_FIGURE for text in plain) and not any(
        word.isalpha() and len(word) > 2 for word in words
    )


def _choose_growing(natural: Sequence[float], firm: Sequence[bool]) -> list[int]:
    """The column with the longest words; where all are figures, every one."""
    loose = [column for column, is_firm in enumerate(firm) if not is_firm]
    if not loose:
        return list(range(len(firm)))
    return [max(loose, key=lambda column: natural[column])]
