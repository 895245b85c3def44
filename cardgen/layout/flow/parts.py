"""A document's blocks with their texts shaped: in their styles, in the colours of their sections.

List items have their signs before them, tables know how their columns share a width. Nothing here
knows how large the text will be, or in how many columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil

from cardgen.core.colour import Colour
from cardgen.core.errors import Refusal
from cardgen.core.names import describe_unknown
from cardgen.core.units import format_mm
from cardgen.layout.flow.document import (
    DocumentBlock,
    Heading,
    Paragraph,
    Rule,
    TableBlock,
    read_document,
)
from cardgen.layout.room import SPARE, to_mm
from cardgen.layout.subject import TextRefusal
from cardgen.layout.table import (
    Cell,
    Row,
    SetTable,
    Table,
    TableLook,
    align_style,
    set_cells,
    shape_cells,
)
from cardgen.layout.typesetter import Typesetter
from cardgen.template.model import Align, FlowSpec, Style
from cardgen.text.fit import Block, find_widest_word, measure_block, measure_width

INDENT = 1.2  # of a list item, in em, unless its sign is wider
SIGN_GAP = 0.45  # between a number and its item

COLUMN_GAP = 0.7  # of a table, in em
LONGEST_FIGURE = 16  # characters, without icons
TRIALS = 16  # of widths, where columns must give way
_BULLET = "•"  # where none is named

_ICON = re.compile(
    r":[a-z][a-z0-9-]*(?:\[[^\[\]]*\])?:|!\[[^\[\]]*\]\([^()]*\)(?:\{height=[^{}]*\})?"
)
_ALIGNS: dict[str, Align] = {"right": "right", "centre": "centre"}


@dataclass(frozen=True, slots=True)
class Sign:
    """A bullet or a number, so many em from the column's left."""

    block: Block
    style: Style
    x: float


@dataclass(frozen=True, slots=True)
class TextPart:
    """A paragraph or heading ready to be set at any size."""

    block: Block
    style: Style
    indent: float = 0.0  # in em
    sign: Sign | None = None
    level: int = 0  # of a heading
    depth: int = 0  # how many lists it stands in
    introduces: bool = False  # what follows, by a colon at its end
    band: Colour | None = None

    @property
    def heading(self) -> bool:
        return self.level > 0


@dataclass(frozen=True, slots=True)
class FlowTable:
    """A table shaped and measured; widths in points, before anything is scaled."""

    table: Table
    blocks: Sequence[Sequence[Block]]
    natural: Sequence[float]  # the width of each column with every cell on one line
    least: Sequence[float]
    growing: Sequence[int]  # the columns that take what is left

    def set(self, typesetter: Typesetter, width: float, scale: float) -> SetTable:
        widths = self._choose_widths(width, scale)
        return set_cells(typesetter, self.table, self.blocks, widths, width, scale)

    def cut(self, most: int) -> list[FlowTable]:
        """Return it as so many tables of about as many rows, each with its head."""
        rows, blocks = self.table.rows, self.blocks
        heads = int(rows[0].head)
        each = ceil((len(rows) - heads) / most)
        return [
            replace(
                self,
                table=self.table._replace(rows=(*rows[:heads], *rows[first : first + each])),
                blocks=(*blocks[:heads], *blocks[first : first + each]),
            )
            for first in range(heads, len(rows), each)
        ]

    def _choose_widths(self, width: float, scale: float) -> list[float]:
        natural = [wide * scale + SPARE for wide in self.natural]
        least = [wide * scale + SPARE for wide in self.least]
        room = width - self.table.look.gap * scale * (len(natural) - 1)
        if sum(least) > room:
            raise Refusal(
                "layout/table-too-wide",
                f"the columns of a table need {format_mm(sum(least))}, there are {format_mm(room)}",
                "add a soft hyphen, or make the columns of the flow wider",
                {"needed": to_mm(sum(least)), "room": to_mm(room)},
            )
        spare = room - sum(natural)
        if spare >= 0:
            for column in self.growing:
                natural[column] += spare / len(self.growing)
            return natural
        trials = list(_list_trials(natural, least, room, self.growing[0]))
        return min(trials, key=lambda widths: self._measure(widths, scale))

    def _measure(self, widths: Sequence[float], scale: float) -> float:
        """Return the height of the rows in columns of these widths."""
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


Part = TextPart | FlowTable | Rule


def read_parts(typesetter: Typesetter, spec: FlowSpec, text: str) -> list[Part]:
    """Return the parts of a Markdown document."""
    return shape_parts(typesetter, spec, read_document(text))


def shape_parts(
    typesetter: Typesetter, spec: FlowSpec, blocks: Sequence[DocumentBlock]
) -> list[Part]:
    """Return blocks with their texts shaped."""
    return _Shaper(typesetter, spec).shape(blocks)


class _Shaper:
    def __init__(self, typesetter: Typesetter, spec: FlowSpec) -> None:
        self._typesetter = typesetter
        self._spec = spec
        item = spec.body._replace(paragraph=spec.body.paragraph / 2)
        # Items hang behind their signs, also where other texts stand in the middle.
        self._item = item if item.align == "justify" else align_style(item, "left")
        self._left = align_style(spec.body, "left")
        self._colour: Colour | None = None  # of the section
        self._tinted: dict[tuple[int, Colour], Style] = {}

    def shape(self, blocks: Sequence[DocumentBlock]) -> list[Part]:
        signs = [self._make_sign(block) for block in blocks]
        indents = _measure_indents(blocks, signs)
        return [self._shape(*found) for found in zip(blocks, signs, indents, strict=True)]

    def _shape(self, block: DocumentBlock, sign: Block | None, indents: Sequence[float]) -> Part:
        if isinstance(block, Heading):
            return self._shape_heading(block)
        if isinstance(block, TableBlock):
            head = self._tint(self._spec.table_head)
            return _make_flow_table(self._typesetter, block, self._spec, head)
        if isinstance(block, Rule):
            return block
        style = self._spec.body if sign is None else self._item
        return TextPart(
            self._typesetter.make_block(style, block.text),
            style,
            sum(indents),
            self._place_sign(block, sign, indents),
            introduces=block.text.rstrip().endswith(":"),
            depth=block.depth,
        )

    def _shape_heading(self, heading: Heading) -> TextPart:
        spec, style = self._spec, self._spec.headings[heading.level - 1]
        if heading.level == 1:
            self._colour = self._find_colour(heading.section)
        band = None
        if heading.level == 1 and spec.band is not None:
            band = self._colour or spec.band_fill
        else:
            style = self._tint(style)
        block = self._typesetter.make_block(style, heading.text)
        return TextPart(block, style, level=heading.level, band=band)

    def _find_colour(self, section: str) -> Colour | None:
        if not section:
            return None
        colours = dict(self._spec.sections)
        if not colours:
            raise TextRefusal(
                "text/unknown-section",
                f'has a heading of section "{section}", but the flow names no sections',
                f'add sections="{section}", or write \\{{{section}\\}} to print the braces',
                {"name": section, "near": ()},
            )
        if section not in colours:
            unknown = describe_unknown(section, colours, "section")
            raise TextRefusal(
                "text/unknown-section",
                f'has a heading of an unknown section "{section}"',
                unknown.hint,
                unknown.details,
            )
        return colours[section]

    def _tint(self, style: Style) -> Style:
        """Return a style in the section's colour."""
        if self._colour is None:
            return style
        key = (id(style), self._colour)
        if key not in self._tinted:
            self._tinted[key] = style._replace(colour=self._colour)
        return self._tinted[key]

    def _make_sign(self, block: DocumentBlock) -> Block | None:
        if not isinstance(block, Paragraph) or block.marker is None:
            return None
        if not block.marker and self._spec.bullet == _BULLET:
            # In most families it is too small to be seen, but for the bold face.
            with suppress(TextRefusal):
                return self._typesetter.make_block(self._left, f"**{_BULLET}**")
        return self._typesetter.make_block(self._left, block.marker or self._spec.bullet)

    def _place_sign(
        self, block: Paragraph, sign: Block | None, indents: Sequence[float]
    ) -> Sign | None:
        """Return a sign at its place: bullets at the left, numbers ending before their items."""
        if sign is None:
            return None
        x = sum(indents) - SIGN_GAP - measure_width(sign) if block.marker else sum(indents[:-1])
        return Sign(sign, self._tint(self._left), x)


def _measure_indents(
    blocks: Sequence[DocumentBlock], signs: Sequence[Block | None]
) -> list[list[float]]:
    """Return for each block the indents of the lists it stands in, wide enough for their signs."""
    indents: list[list[float]] = [[] for _ in blocks]
    depths = [block.depth if isinstance(block, Paragraph) else 0 for block in blocks]
    for depth in range(1, max(depths, default=0) + 1):
        for places in _list_lists(blocks, depths, depth):
            found = [signs[at] for at in places if depths[at] == depth]
            widest = max((measure_width(sign) for sign in found if sign is not None), default=0.0)
            for at in places:
                indents[at].append(max(widest + SIGN_GAP, INDENT))
    return indents


def _list_lists(
    blocks: Sequence[DocumentBlock], depths: Sequence[int], depth: int
) -> list[list[int]]:
    """Return the places of the blocks of each list of a depth; bullets end where numbers begin."""
    lists: list[list[int]] = []
    kind: bool | None = None  # whether this list has numbers; None between lists
    for at, block in enumerate(blocks):
        if not isinstance(block, Paragraph) or depths[at] < depth:
            kind = None
            continue
        numbered = bool(block.marker) if depths[at] == depth and block.marker is not None else kind
        if kind is None or numbered != kind:
            lists.append([])
            kind = bool(numbered)
        lists[-1].append(at)
    return lists


def _list_trials(
    natural: Sequence[float], least: Sequence[float], room: float, growing: int
) -> Iterator[list[float]]:
    """Give widths that fill the room, the widest for the columns that do not grow first."""
    widest = max((wide for n, wide in enumerate(natural) if n != growing), default=0.0)
    for trial in range(TRIALS, -1, -1):
        limit = widest * trial / TRIALS
        widths = [max(low, min(wide, limit)) for wide, low in zip(natural, least, strict=True)]
        widths[growing] = room - sum(widths) + widths[growing]
        if widths[growing] >= least[growing]:
            yield widths


def _make_flow_table(
    typesetter: Typesetter, block: TableBlock, spec: FlowSpec, head: Style
) -> FlowTable:
    """Return a table of a document, its first row in the style of heads."""
    aligns = [_ALIGNS.get(align, "left") for align in block.aligns]
    look = TableLook(
        (None,) * len(aligns),
        COLUMN_GAP * spec.table.size,
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
    blocks = shape_cells(table, typesetter.make_block)
    firm = [_holds_figures([row[n] for row in block.rows[1:]]) for n in range(len(aligns))]
    natural, least = _measure_columns(table, blocks, firm)
    return FlowTable(table, blocks, natural, least, _choose_growing(natural, firm))


def _make_cells(
    texts: Sequence[str], style: Style, aligns: Sequence[Align], head: bool
) -> tuple[Cell, ...]:
    """Return the cells of a row; a head runs on above columns that have none."""
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
    """Return the natural width of each column, and the least that it can have.

    A firm column keeps each of its cells on one line.
    """
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
    """Whether a column holds only icons and short figures: "+1", "20cm", "4, 5, 6", "10 x D6cm"."""
    plain = [re.sub(r"[*_\\]", "", _ICON.sub("", text)) for text in texts]
    words = [word for text in plain for word in text.split()]
    return all(len(text.strip()) <= LONGEST_FIGURE for text in plain) and not any(
        word.isalpha() and len(word) > 2 for word in words
    )


def _choose_growing(natural: Sequence[float], firm: Sequence[bool]) -> list[int]:
    """Return the widest column of words; where there are only figures, every column."""
    loose = [column for column, is_firm in enumerate(firm) if not is_firm]
    if not loose:
        return list(range(len(firm)))
    return [max(loose, key=lambda column: natural[column])]
