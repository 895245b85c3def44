"""Running text set in columns of even height: a Markdown document becomes slabs, slabs fill
columns.

Headings stay with what follows, a paragraph leaves no single line behind, a table stays whole.
Knows nothing of boxes or cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf

from cardgen.geometry import Rect
from cardgen.layout.columns import Filled, Slab, fill_columns
from cardgen.layout.document import Heading, Paragraph, Rule, TableBlock, read_document
from cardgen.layout.face import Item
from cardgen.layout.outlines import make_rule
from cardgen.layout.table import Cell, Row, Table, TableLook, align_style, set_table
from cardgen.layout.words import TextProblem, Typesetter
from cardgen.template.model import Align, FlowSpec, Style
from cardgen.text.fit import Block, find_size, find_widest_word, measure_width
from cardgen.text.setting import Piece, SetBlock
from cardgen.units import format_mm, format_pt

TOLERANCE = 0.02
INDENT = 1.2  # of a list item, in em
AFTER_HEADING = 0.35  # of the heading's own space above it
RULE_HEIGHT = 0.6


@dataclass(frozen=True, slots=True)
class _Part:
    """A paragraph or heading ready to be set at any size."""

    block: Block
    style: Style
    depth: int
    marker: Block | None
    heading: bool
    introduces: bool  # what follows, by a colon at its end


class Flow:
    """A document and how it is to be set."""

    def __init__(
        self,
        typesetter: Typesetter,
        spec: FlowSpec,
        parts: Sequence[_Part | Table | Rule],
    ) -> None:
        self._typesetter = typesetter
        self._spec = spec
        self._parts = parts
        self._slabs = lru_cache(maxsize=32)(self._make_slabs)

    def measure(self, size: float, width: float) -> float:
        """The height the columns take at a size of the body text."""
        return self._fill(size, width, inf).height

    def place(self, rect: Rect, items: list[Item]) -> float:
        """Draw the flow into a box; the size of the body text that fits is returned."""
        spec = self._spec

        def fits(size: float) -> bool:
            try:
                return self._fill(size, rect.width, rect.height).height <= rect.height + TOLERANCE
            except TextProblem:
                return False

        size = find_size(fits, spec.body.size, spec.smallest)
        if size is None:
            needed = self._fill(spec.smallest, rect.width, inf).height
            raise TextProblem(
                f"is {format_mm(needed - rect.height)} too long: at {format_pt(spec.smallest)} its"
                f" columns need {format_mm(needed)}, there are {format_mm(rect.height)}",
                "shorten it, or give it more room",
            )
        width = self._column_width(rect.width)
        for number, column in enumerate(self._fill(size, rect.width, rect.height).columns):
            x, y = rect.x + number * (width + spec.gap), rect.y
            for place, slab in enumerate(column):
                y += slab.above if place else 0.0
                slab.draw(x, y, items)
                y += slab.height
        return size

    def _column_width(self, width: float) -> float:
        count = self._spec.columns
        return (width - self._spec.gap * (count - 1)) / count

    def _fill(self, size: float, width: float, limit: float) -> Filled:
        slabs = self._slabs(size, self._column_width(width))
        return fill_columns(slabs, self._spec.columns, None if self._spec.balance else limit)

    def _make_slabs(self, size: float, width: float) -> list[Slab]:
        scale = size / self._spec.body.size
        slabs: list[Slab] = []
        above_scale = 1.0
        for number, part in enumerate(self._parts):
            if isinstance(part, Rule):
                slabs.append(self._make_rule_slab(size, width))
            elif isinstance(part, Table):
                table = set_table(self._typesetter, part, width, scale)
                above = self._spec.body.paragraph * size * above_scale
                slabs.append(Slab(table.height, above, False, table.draw))
            else:
                slabs += self._make_text_slabs(part, scale, width, above_scale)
                if slabs and self._leads_on(number):
                    slabs[-1] = slabs[-1]._replace(keeps=True)
            above_scale = AFTER_HEADING if isinstance(part, _Part) and part.heading else 1.0
        return slabs

    def _leads_on(self, number: int) -> bool:
        """Whether a list's item must not be parted from the next: the first or the last but one."""
        around = self._parts[max(number - 1, 0) : number + 3]
        items = [isinstance(part, _Part) and part.marker is not None for part in around]
        if number == 0:
            items.insert(0, False)
        items += [False] * (4 - len(items))
        before, here, following, beyond = items
        return following and ((here and (not before or not beyond)) or self._introduces(number))

    def _introduces(self, number: int) -> bool:
        """Whether a paragraph ends with a colon."""
        part = self._parts[number]
        return isinstance(part, _Part) and part.introduces

    def _make_rule_slab(self, size: float, width: float) -> Slab:
        colour = self._spec.rule or self._spec.body.colour

        def draw(x: float, y: float, items: list[Item]) -> None:
            items.append(make_rule(x, y + RULE_HEIGHT * size / 2, width, colour, 0.4))

        return Slab(RULE_HEIGHT * size, self._spec.body.paragraph * size, True, draw)

    def _make_text_slabs(
        self, part: _Part, scale: float, width: float, above_scale: float
    ) -> list[Slab]:
        """A slab for each line, kept together where a single line would be left alone."""
        style, size = part.style, part.style.size * scale
        indent = part.depth * INDENT * size
        widest, word = find_widest_word(part.block)
        if widest * size > width - indent + TOLERANCE:
            room = format_mm(width - indent)
            raise TextProblem(
                f'"{word}" is {format_mm(widest * size)} wide, its column {room}',
                "add a soft hyphen, or make the columns wider",
            )
        text = self._typesetter.set_text(part.block, style, size, width - indent)
        count = len(text.lines)
        slabs = []
        for number in range(count):
            last = number == count - 1
            keeps = part.heading or (not last and (count <= 3 or number in (0, count - 2)))
            above = style.paragraph * size * above_scale if number == 0 else 0.0
            marker = part.marker if number == 0 else None
            draw = self._make_drawer(_cut_line(text, number), style, indent, marker, size)
            slabs.append(Slab(style.leading * size, above, keeps, draw))
        return slabs

    def _make_drawer(
        self,
        pieces: Sequence[Piece],
        style: Style,
        indent: float,
        marker: Block | None,
        size: float,
    ) -> Callable[[float, float, list[Item]], None]:
        """Draws a line whose pieces lie as if it were the first of its text."""
        typesetter = self._typesetter

        def draw(x: float, y: float, items: list[Item]) -> None:
            if marker is not None:
                left = align_style(style, "left")
                sign = typesetter.set_text(marker, left, size, inf)
                typesetter.draw_pieces(sign.pieces, items, x + indent - INDENT * size, y)
            typesetter.draw_pieces(pieces, items, x + indent, y)

        return draw


def _cut_line(text: SetBlock, number: int) -> list[Piece]:
    """One line's pieces, moved up to where the first line stands."""
    begin = text.lines[number]
    end = text.lines[number + 1] if number + 1 < len(text.lines) else len(text.pieces)
    first = text.pieces[0].y
    return [piece._replace(y=first) for piece in text.pieces[begin:end]]


def read_flow(typesetter: Typesetter, spec: FlowSpec, text: str) -> Flow:
    """A Markdown document with its texts shaped."""
    parts: list[_Part | Table | Rule] = []
    for block in read_document(text):
        if isinstance(block, Heading):
            style = spec.headings[block.level - 1]
            made = typesetter.make_block(style, block.text)
            parts.append(_Part(made, style, 0, None, heading=True, introduces=False))
        elif isinstance(block, Paragraph):
            style, marker = spec.body, None
            if block.marker is not None:
                marker = typesetter.make_block(style, block.marker or spec.bullet)
                style = replace(style, paragraph=style.paragraph / 2)
            made = typesetter.make_block(style, block.text)
            introduces = block.text.rstrip().endswith(":")
            parts.append(_Part(made, style, block.depth, marker, False, introduces))
        elif isinstance(block, TableBlock):
            parts.append(_make_table(typesetter, block, spec))
        else:
            parts.append(block)
    return Flow(typesetter, spec, parts)


def _make_table(typesetter: Typesetter, block: TableBlock, spec: FlowSpec) -> Table:
    """A table of running text: the column with the longest words takes what the others leave."""
    rows = []
    longest = [0.0] * len(block.aligns)
    for number, cells in enumerate(block.rows):
        style = spec.table_head if number == 0 else spec.table
        made = tuple(
            Cell(cell, align_style(style, _read_align(align)))
            for cell, align in zip(cells, block.aligns, strict=False)
        )
        for place, cell in enumerate(made):
            wide = measure_width(typesetter.make_block(cell.style, cell.text))
            longest[place] = max(longest[place], wide)
        if made:
            rows.append(Row(made, number == 0))
    grows = longest.index(max(longest))
    look = TableLook(
        tuple(-1.0 if place == grows else None for place in range(len(longest))),
        gap=spec.table.size * 0.7,
        row_padding=spec.table.size * 0.2,
        rule=spec.rule,
        rule_width=0.35,
        stripe=spec.stripe,
    )
    return Table(look, tuple(rows))


def _read_align(text: str) -> Align:
    return "right" if text == "right" else "centre" if text == "centre" else "left"
