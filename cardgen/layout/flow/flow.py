"""Running text set in columns: the parts of a document become slabs, slabs fill columns.

Headings stay with what follows, a paragraph leaves no single line behind, a table stays whole.
Knows nothing of boxes or cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from math import floor, inf

from cardgen.core.colour import Colour
from cardgen.core.errors import Refusal
from cardgen.core.geometry import Insets, Rect
from cardgen.core.units import format_mm, format_pt
from cardgen.layout.art.outlines import make_rect, make_rule
from cardgen.layout.face import Item
from cardgen.layout.flow.columns import (
    Filled,
    Slab,
    fill_columns,
    fill_room,
    is_worth_stretching,
    list_tops,
    measure_hole,
)
from cardgen.layout.flow.document import Rule
from cardgen.layout.flow.parts import FlowTable, Part, TextPart, read_parts
from cardgen.layout.flow.said import Said, list_said
from cardgen.layout.room import TOLERANCE, to_mm
from cardgen.layout.subject import TextRefusal, WordRefusal
from cardgen.layout.typesetter import Typesetter
from cardgen.template.model import FlowSpec
from cardgen.text.fit import STEP, find_size, find_widest_word
from cardgen.text.setting import Piece, SetBlock

AFTER_HEADING = 0.35  # of the space that what follows has above it elsewhere
RULE_HEIGHT = 0.6
_LONG_TABLE = 12  # rows
_TALL = 0.6  # of a column
_GAIN = 1.1  # in size, for which a table is cut
YIELD = 0.1  # of the size, at most, given up to close a hole


def make_flow(typesetter: Typesetter, spec: FlowSpec, text: str) -> Flow:
    """Return a Markdown text, read and shaped."""

    def read(spec: FlowSpec) -> Sequence[Part]:
        return read_parts(typesetter, spec, text)

    breaks = spec.body.hyphenate == "needed"
    broken = partial(read, _break_words(spec)) if breaks else None
    return Flow(typesetter, spec, read(spec), broken)


def _break_words(spec: FlowSpec) -> FlowSpec:
    """Return how a flow is set if its words may be broken."""
    first, second, third = (style._replace(hyphenate=True) for style in spec.headings)
    return spec._replace(
        body=spec.body._replace(hyphenate=True),
        headings=(first, second, third),
        table=spec.table._replace(hyphenate=True),
        table_head=spec.table_head._replace(hyphenate=True),
    )


def _cut_table(part: Part, most: int) -> Sequence[Part]:
    """Return a part, or a long table as several that all have its head."""
    if not isinstance(part, FlowTable) or len(part.blocks) <= _LONG_TABLE:
        return (part,)
    return part.cut(most)


class Flow:
    """A document, and how it is set."""

    def __init__(
        self,
        typesetter: Typesetter,
        spec: FlowSpec,
        parts: Sequence[Part],
        read_broken: Callable[[], Sequence[Part]] | None = None,
    ) -> None:
        self._typesetter = typesetter
        self._spec = spec
        self._parts = parts
        self._read_broken = read_broken  # reads it with words that may be broken
        self._said: Sequence[Said] = ()
        body = typesetter.make_block(spec.body, "")
        # Below a line of the body: down to its letters' depth, and from there to the next line.
        self._depth = body.depth
        self._white = max(body.leading - body.cap_height - body.depth, 0.0)
        self._slabs = lru_cache(maxsize=32)(self._make_slabs)

    def measure(self, size: float, width: float) -> float:
        """Return the height that the columns take at a size of the body text."""
        return self._fill(size, width, inf).height

    def place(self, rect: Rect, items: list[Item], above: int = 0) -> float:
        """Draw the flow into a box, and return the size of the body text that fits.

        above: how many levels of headings stand over it
        """
        spec = self._spec

        def fits(size: float) -> bool:
            try:
                return self._fill(size, rect.width, rect.height).height <= rect.height + TOLERANCE
            except Refusal:
                return False

        size = self._find_size(fits, rect)
        if size is None and self._read_broken is not None:
            self._parts, self._read_broken = self._read_broken(), None
            self._slabs.cache_clear()
            size = self._find_size(fits, rect)
        self._said = list_said(self._parts, above)
        if size is None:
            needed = self._fill(spec.smallest, rect.width, inf).height
            raise TextRefusal(
                "text/too-long",
                f"is {format_mm(needed - rect.height)} too long: at {format_pt(spec.smallest)} its"
                f" columns need {format_mm(needed)}, there are {format_mm(rect.height)}",
                "shorten it, or give it more room",
                {"size": spec.smallest, "needed": to_mm(needed), "room": to_mm(rect.height)},
            )
        if spec.stretch:
            size = self._close_holes(size, rect)
        self._draw(size, rect, items)
        return size

    def _find_size(self, fits: Callable[[float], bool], rect: Rect) -> float | None:
        """Return the largest size at which all of it fits; long tables go on in further columns
        where that makes it larger.
        """
        spec, whole = self._spec, self._parts
        size = find_size(fits, spec.largest, spec.smallest)
        if spec.columns < 2 or size == spec.largest or not self._has_tall_table(size, rect):
            return size
        self._parts = [one for part in whole for one in _cut_table(part, spec.columns)]
        self._slabs.cache_clear()
        cut = find_size(fits, spec.largest, spec.smallest)
        if cut is not None and cut > (size or 0.0) * _GAIN:
            return cut
        self._parts = whole
        self._slabs.cache_clear()
        return size

    def _has_tall_table(self, size: float | None, rect: Rect) -> bool:
        """Whether a table of many rows fills a column all but alone."""
        width = self._get_column_width(rect.width)
        long = [
            part
            for part in self._parts
            if isinstance(part, FlowTable) and len(part.blocks) > _LONG_TABLE
        ]
        scale = (size or self._spec.smallest) / self._spec.body.size
        try:
            heights = [part.set(self._typesetter, width, scale).height for part in long]
        except Refusal:
            return False
        return max(heights, default=0.0) > rect.height * _TALL

    def draw(self, size: float, rect: Rect, items: list[Item]) -> None:
        """Draw the flow at a size of the body text that is known to fit."""
        self._said = list_said(self._parts, 0)
        self._draw(size, rect, items)

    def _draw(self, size: float, rect: Rect, items: list[Item]) -> None:
        spec, width = self._spec, self._get_column_width(rect.width)
        columns = self._fill(size, rect.width, rect.height).columns
        stretched = spec.stretch and is_worth_stretching(columns, rect.height)
        room = rect.height if stretched else 0.0
        for number, column in enumerate(columns):
            x = rect.x + number * (width + spec.gap)
            tops = list_tops(column, room)
            for slab, top in zip(column, tops, strict=True):
                slab.draw(x, rect.y + top, items)

    def _close_holes(self, size: float, rect: Rect) -> float:
        """Return a slightly smaller size where that lets all columns end at the foot of the box."""
        smallest = max(self._spec.smallest, size * (1 - YIELD))
        for steps in range(floor((size - smallest) / STEP + 1e-9) + 1):
            smaller = round(size - steps * STEP, 3)
            filled = self._fill(smaller, rect.width, rect.height)
            hole = max(measure_hole(column, rect.height) for column in filled.columns)
            if filled.height <= rect.height + TOLERANCE and hole <= smaller:
                return smaller
        return size

    def _get_column_width(self, width: float) -> float:
        count = self._spec.columns
        return (width - self._spec.gap * (count - 1)) / count

    def _fill(self, size: float, width: float, limit: float) -> Filled:
        spec = self._spec
        slabs = self._slabs(size, self._get_column_width(width))
        filled = fill_columns(slabs, spec.columns, None if spec.balance else limit)
        if spec.stretch and spec.balance and filled.height <= limit + TOLERANCE < inf:
            stretched = fill_room(slabs, spec.columns, limit + TOLERANCE)
            if is_worth_stretching(stretched.columns, limit):
                return stretched
        return filled

    def _make_slabs(self, size: float, width: float) -> list[Slab]:
        scale = size / self._spec.body.size
        slabs: list[Slab] = []
        for number, part in enumerate(self._parts):
            above = self._get_space(number, scale)
            if isinstance(part, Rule):
                slabs.append(self._make_rule_slab(size, width, above))
            elif isinstance(part, FlowTable):
                slabs.append(self._make_table_slab(part, scale, width, above))
            elif part.band is not None:
                slabs.append(self._make_band_slab(number, part, part.band, scale, width, above))
            else:
                slabs += self._make_text_slabs(number, part, scale, width, above)
                if slabs and self._leads_on(number):
                    slabs[-1] = slabs[-1]._replace(keeps=True)
        return slabs

    def _get_space(self, number: int, scale: float) -> float:
        """Return the space above a part."""
        part, spec = self._parts[number], self._spec
        style = part.style if isinstance(part, TextPart) else spec.body
        space = style.paragraph * style.size * scale
        before = self._parts[number - 1] if number else None
        if not isinstance(before, TextPart) or not before.heading:
            return space
        if spec.after_heading is None:
            return space * AFTER_HEADING
        return spec.after_heading * spec.body.size * scale

    def _leads_on(self, number: int) -> bool:
        """Whether a part must stay with the item that follows it.

        The first two items of a list stay together, and so do the last two; what introduces a list
        stays with it.
        """
        around = self._parts[max(number - 1, 0) : number + 3]
        items = [isinstance(part, TextPart) and part.sign is not None for part in around]
        if number == 0:
            items.insert(0, False)
        items += [False] * (4 - len(items))
        before, here, following, beyond = items
        return following and ((here and (not before or not beyond)) or self._introduces(number))

    def _introduces(self, number: int) -> bool:
        """Whether a paragraph ends with a colon."""
        part = self._parts[number]
        return isinstance(part, TextPart) and part.introduces

    def _make_rule_slab(self, size: float, width: float, above: float) -> Slab:
        colour = self._spec.rule or self._spec.body.colour

        def draw(x: float, y: float, items: list[Item]) -> None:
            middle = y + RULE_HEIGHT * size / 2
            items.append(make_rule(x, middle, width, colour, self._spec.rule_width))

        return Slab(RULE_HEIGHT * size, above, True, draw, self._white * size)

    def _make_table_slab(self, part: FlowTable, scale: float, width: float, above: float) -> Slab:
        """Return a table from the capitals of its first row to the letters of its last.

        A stripe under the last row belongs to the table.
        """
        table = part.set(self._typesetter, width, scale)
        tail = 0.0 if table.ends_striped else table.tail

        def draw(x: float, y: float, items: list[Item]) -> None:
            table.draw(x, y - table.lead, items)

        white = self._white * self._spec.body.size * scale
        return Slab(table.height - table.lead - tail, above, False, draw, max(white, tail))

    def _make_band_slab(
        self, place: int, part: TextPart, fill: Colour, scale: float, width: float, above: float
    ) -> Slab:
        """Return a heading on a band; padding counts from its capitals and its last baseline."""
        spec, size = self._spec, part.style.size * scale
        padding = Insets(*(side * scale for side in spec.band or ()))
        text = self._set_text(part, size, width - padding.left - padding.right)
        height = text.height - part.block.depth * size + padding.top + padding.bottom

        def draw(x: float, y: float, items: list[Item]) -> None:
            band = Rect(x, y, width, height)
            items.append(make_rect(band, spec.band_radius * scale, fill, None))
            left, top = x + padding.left, y + padding.top
            self._typesetter.draw_pieces(text.pieces, items, left, top, self._said[place].body)

        tail = (self._white + self._depth) * spec.body.size * scale
        return Slab(height, above, True, draw, tail)

    def _make_text_slabs(
        self, place: int, part: TextPart, scale: float, width: float, above: float
    ) -> list[Slab]:
        """Return a slab for each line; none keeps a line that would be left alone."""
        style, size = part.style, part.style.size * scale
        text = self._set_text(part, size, width - part.indent * size)
        count = len(text.lines)
        letters = min(part.block.cap_height + part.block.depth, style.leading) * size
        white = style.leading * size - letters
        slabs = []
        for number in range(count):
            extent = text.get_extent(number)
            last = number == count - 1
            keeps = part.heading or (not last and (count <= 3 or number in (0, count - 2)))
            draw = self._make_drawer(place, part, text, number, size)
            space = 0.0 if number else above
            height, tail = letters + (extent.rise + extent.drop) * size, white
            if not last:
                reach = extent.drop + text.get_extent(number + 1).rise
                tail -= min(reach * size, white / 2)
            slabs.append(Slab(height, space, keeps, draw, tail))
        return slabs

    def _set_text(self, part: TextPart, size: float, width: float) -> SetBlock:
        widest, word = find_widest_word(part.block)
        if widest * size > width + TOLERANCE:
            raise WordRefusal(
                "text/word-too-wide",
                f'"{word}" is {format_mm(widest * size)} wide, its column {format_mm(width)}',
                "add a soft hyphen, or make the columns wider",
                {"word": word, "needed": to_mm(widest * size), "room": to_mm(width)},
            )
        return self._typesetter.set_text(part.block, part.style, size, width)

    def _make_drawer(
        self, place: int, part: TextPart, text: SetBlock, number: int, size: float
    ) -> Callable[[float, float, list[Item]], None]:
        """Return a function that draws one line of a text."""
        typesetter, sign = self._typesetter, part.sign
        pieces = _cut_line(text, number)
        # Down to where the capitals of the line begin, and from there back to where it was set.
        lowered = text.get_extent(number).rise * size
        raised = text.baselines[number] - part.block.cap_height * size

        def draw(x: float, y: float, items: list[Item]) -> None:
            said, top = self._said[place], y + lowered
            if not number and sign is not None:
                mark = typesetter.set_text(sign.block, sign.style, size, inf)
                typesetter.draw_pieces(mark.pieces, items, x + sign.x * size, top, said.label)
            left = x + part.indent * size
            typesetter.draw_pieces(pieces, items, left, top - raised, said.body)

        return draw


def _cut_line(text: SetBlock, number: int) -> list[Piece]:
    """Return one line's pieces, where they were set."""
    end = text.lines[number + 1] if number + 1 < len(text.lines) else len(text.pieces)
    return text.pieces[text.lines[number] : end]
