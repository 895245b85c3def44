"""A document's blocks with their texts shaped: in their styles, the colours of their sections and
behind the signs of their lists.

Knows nothing of sizes or columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cardgen.colour import Colour
from cardgen.errors import suggest
from cardgen.layout.document import (
    DocumentBlock,
    Heading,
    Paragraph,
    Rule,
    TableBlock,
    read_document,
)
from cardgen.layout.flow_table import FlowTable, make_flow_table
from cardgen.layout.table import align_style
from cardgen.layout.words import TextProblem, Typesetter
from cardgen.template.model import FlowSpec, Style
from cardgen.text.fit import Block, measure_width

INDENT = 1.2  # of a list item, in em, unless its sign is wider
SIGN_GAP = 0.45  # between a number and its item


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
    heading: bool = False
    introduces: bool = False  # what follows, by a colon at its end
    band: Colour | None = None


Part = TextPart | FlowTable | Rule


def read_parts(typesetter: Typesetter, spec: FlowSpec, text: str) -> list[Part]:
    """A Markdown document with its texts shaped."""
    return _Shaper(typesetter, spec).shape(read_document(text))


class _Shaper:
    def __init__(self, typesetter: Typesetter, spec: FlowSpec) -> None:
        self._typesetter = typesetter
        self._spec = spec
        self._item = replace(spec.body, paragraph=spec.body.paragraph / 2)
        self._left = align_style(spec.body, "left")
        self._colour: Colour | None = None  # of the section
        self._tinted: dict[tuple[int, Colour], Style] = {}

    def shape(self, blocks: Sequence[DocumentBlock]) -> list[Part]:
        signs = [self._make_sign(block) for block in blocks]
        indents = _find_indents(blocks, signs)
        return [self._shape(*found) for found in zip(blocks, signs, indents, strict=True)]

    def _shape(self, block: DocumentBlock, sign: Block | None, indents: Sequence[float]) -> Part:
        if isinstance(block, Heading):
            return self._shape_heading(block)
        if isinstance(block, TableBlock):
            head = self._tint(self._spec.table_head)
            return make_flow_table(self._typesetter, block, self._spec, head)
        if isinstance(block, Rule):
            return block
        style = self._spec.body if sign is None else self._item
        return TextPart(
            self._typesetter.make_block(style, block.text),
            style,
            sum(indents),
            self._place_sign(block, sign, indents),
            introduces=block.text.rstrip().endswith(":"),
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
        return TextPart(block, style, heading=True, band=band)

    def _find_colour(self, section: str) -> Colour | None:
        if not section:
            return None
        colours = dict(self._spec.sections)
        if not colours:
            raise TextProblem(
                f'has a heading of section "{section}", but the flow names no sections',
                f'add sections="{section}", or write \\{{{section}\\}} to print the braces',
            )
        if section not in colours:
            hint = suggest(section, colours, kind="section")
            raise TextProblem(f'has a heading of an unknown section "{section}"', hint)
        return colours[section]

    def _tint(self, style: Style) -> Style:
        """A style in the section's colour."""
        if self._colour is None:
            return style
        key = (id(style), self._colour)
        if key not in self._tinted:
            self._tinted[key] = replace(style, colour=self._colour)
        return self._tinted[key]

    def _make_sign(self, block: DocumentBlock) -> Block | None:
        if not isinstance(block, Paragraph) or block.marker is None:
            return None
        return self._typesetter.make_block(self._left, block.marker or self._spec.bullet)

    def _place_sign(
        self, block: Paragraph, sign: Block | None, indents: Sequence[float]
    ) -> Sign | None:
        """Bullets stand at the left, numbers end where their items begin."""
        if sign is None:
            return None
        x = sum(indents) - SIGN_GAP - measure_width(sign) if block.marker else sum(indents[:-1])
        return Sign(sign, self._tint(self._left), x)


def _find_indents(
    blocks: Sequence[DocumentBlock], signs: Sequence[Block | None]
) -> list[list[float]]:
    """For each block the indents of the lists it stands in, each wide enough for its signs."""
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
    """What stands in each list of a depth, by place; bullets end where numbers begin."""
    lists: list[list[int]] = []
    kind: bool | None = None  # whether the list in hand has numbers; None between lists
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
