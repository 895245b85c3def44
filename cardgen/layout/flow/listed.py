"""A text with lists or tables in it, set as running text is: in one column, at one size.

Knows nothing of boxes or cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Rect
from cardgen.layout.face import Element, Item, Tag
from cardgen.layout.flow.document import DocumentBlock, Paragraph, read_text
from cardgen.layout.flow.flow import Flow
from cardgen.layout.flow.parts import FlowTable, Part, TextPart, shape_parts
from cardgen.layout.typesetter import Typesetter
from cardgen.template.model import FlowSpec, Style
from cardgen.text.fit import measure_width

ROW_PADDING = 0.15  # of a table in a text, in em


def find_listed(typesetter: Typesetter, style: Style, text: str) -> ListedText | None:
    """Return a text that holds lists or tables; None where it is paragraphs alone."""
    blocks = read_text(text)
    if all(isinstance(block, Paragraph) and not block.depth for block in blocks):
        return None
    return ListedText(typesetter, style, blocks)


class ListedText:
    """Paragraphs, lists and tables, shaped and ready to be set at any size."""

    def __init__(
        self, typesetter: Typesetter, style: Style, blocks: Sequence[DocumentBlock]
    ) -> None:
        if style.long is not None:  # a list has lines enough to be a long text
            align, balance = style.long.align, style.long.balance
            style = style._replace(align=align, balance=balance, long=None)
        spec = FlowSpec(
            style,
            (style, style, style),
            style,
            style._replace(weight=style.bold),
            style.size,
            style.size,
            style.size * ROW_PADDING,
        )
        self._style = style
        self._parts = shape_parts(typesetter, spec, blocks)
        self._flow = Flow(typesetter, spec, self._parts)
        self.depth = typesetter.make_block(style, "").depth

    @property
    def width(self) -> float:
        """Its width with nothing broken into lines, in em."""
        return max(map(self._measure_part, self._parts), default=0.0)

    def _measure_part(self, part: Part) -> float:
        if isinstance(part, TextPart):
            return part.indent + measure_width(part.block)
        if isinstance(part, FlowTable):
            gaps = part.table.look.gap * (len(part.natural) - 1)
            return (sum(part.natural) + gaps) / self._style.size
        return 0.0

    def measure(self, size: float, width: float) -> float:
        """Return its height at a size; a word or table that is too wide is refused."""
        return self._flow.measure(size, width)

    def find_height(self, size: float, width: float) -> float | None:
        """Return its height at a size; None where something in it is too wide."""
        try:
            return self._flow.measure(size, width)
        except Refusal:
            return None

    def draw(self, size: float, rect: Rect, said: Element | None) -> list[Item]:
        """Return its items; `said` is the one element that all of it is, where it is one."""
        items: list[Item] = []
        self._flow.draw(size, rect._replace(height=inf), items)
        if said is None:
            return items
        return [Tag(said), *(item for item in items if not isinstance(item, Tag)), Tag(None)]
