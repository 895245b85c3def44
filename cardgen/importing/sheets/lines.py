"""Blocks become the lines of a play sheet: without what belongs to the page, their cells parted.

A figure by itself, which an article would leave out as a page's number, may be a row's value here.
Knows nothing of headings or tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from cardgen.importing.finding.clean import clean
from cardgen.importing.model import Block, LeftOut, Place, SourceLine, Styled
from cardgen.importing.sheets.rules import (
    BULLETS,
    DIE_ALONE,
    FIGURES,
    FOOT,
    GOES_ON,
    LEADERS,
    MARKS,
    PAGE_AT_END,
    ROW,
    SIGN,
    WIDE,
)

_SIGNED = re.compile(rf"{SIGN}\s?\d+|\d+\+|\W*\d+\s?[%\"”]")
_STOP = re.compile(r"[.!?][\"”’)]*$")
_CHAIN_REACH = 5
_LONGEST_LINE = 110


@dataclass(frozen=True, slots=True)
class SheetLine:
    content: Styled
    sources: tuple[SourceLine, ...]
    kind: Literal["line", "item", "heading", "rule"] = "line"
    level: int = 0
    gap: int = 0
    indent: int = 0
    size: float = 0.0
    mark: str = ""
    cells: tuple[Styled, ...] = ()
    listed: bool = False  # the cells are those of a table in the source, not told by blanks

    @property
    def text(self) -> str:
        return self.content.text

    @property
    def place(self) -> Place:
        return self.sources[0].place


def make_lines(blocks: Sequence[Block]) -> tuple[list[SheetLine], list[LeftOut]]:
    rest, heads = _drop_running_heads(blocks)
    kept, left = clean(_shield_figures(rest))
    lines = _part_title([_make_line(block) for block in kept])
    lines = _drop_table_rules(_close_up(lines))
    left += heads
    return _give_home(rest, lines, left), left


def _drop_running_heads(blocks: Sequence[Block]) -> tuple[list[Block], list[LeftOut]]:
    """Without the sheet's title where a page prints it again, and feet as "Sheet, page 1 of 2"."""
    heads: list[LeftOut] = []
    cut = [_cut_page_number(block, heads) for block in blocks]
    first = next((block for block in cut if block.text.strip()), None)
    kept: list[Block] = []
    for place, block in enumerate(cut):
        edge = "page" in (_get_kind(blocks, place - 1), _get_kind(blocks, place + 1))
        again = _spell(block) == _spell(first) if first is not None else False
        foot = FOOT.fullmatch(block.text.strip())
        if block.text and block is not first and edge and (again or foot):
            heads.append(LeftOut(block.text, block.place, "running head"))
        else:
            kept.append(block)
    return kept, heads


def _cut_page_number(block: Block, left: list[LeftOut]) -> Block:
    """A line without the page's number that stands at its far end."""
    found = PAGE_AT_END.search(block.text) if not block.cells else None
    if not found:
        return block
    left.append(LeftOut(found[0].strip(), block.place, "page number"))
    return replace(block, content=block.content.cut(0, found.start()))


def _part_title(lines: list[SheetLine]) -> list[SheetLine]:
    """A title in bold and what stands behind it as two lines."""
    if not lines or lines[0].kind != "line":
        return lines
    first = lines[0]
    lead = first.content.find_lead()
    title, rest = first.content.cut(0, lead).strip(), first.content.cut(lead).strip()
    if not (len(title.text.split()) > 1 and rest.text[:1].isupper()):
        return lines
    parted = [replace(first, content=title, cells=()), replace(first, content=rest, gap=0)]
    return [*parted, *lines[1:]]


def _spell(block: Block) -> str:
    return re.sub(r"[\W\d_]+", "", block.text).casefold()


def _close_up(lines: list[SheetLine]) -> list[SheetLine]:
    """Where an empty line stands below every line, it parts nothing."""
    apart = sum(1 for line in lines if line.gap)
    torn = any(
        line.text[:1].islower() or GOES_ON.search(above.text) for above, line in pairwise(lines)
    )
    longest = max((len(line.text) for line in lines), default=0)
    if len(lines) < 6 or apart < 0.95 * len(lines) or not torn or longest > _LONGEST_LINE:
        return lines
    return [replace(line, gap=max(0, line.gap - 1)) for line in lines]


def _drop_table_rules(lines: Sequence[SheetLine]) -> list[SheetLine]:
    """Without the lines drawn below the head of a table or between its rows."""
    return [
        line
        for at, line in enumerate(lines)
        if line.kind != "rule"
        or not 0 < at < len(lines) - 1
        or line.gap
        or len(lines[at - 1].cells) < 2
        or len(lines[at + 1].cells) < 2
    ]


def _shield_figures(blocks: Sequence[Block]) -> list[Block]:
    """Figures that are values, as rows of one cell, which are never taken for a page's number."""
    chained = _find_chains(blocks)
    return [
        replace(block, kind="row", cells=(block.content,))
        if place in chained or _is_value(blocks, place) or _is_row(blocks, place)
        else block
        for place, block in enumerate(blocks)
    ]


def _is_value(blocks: Sequence[Block], place: int) -> bool:
    block = blocks[place]
    text = block.text.strip()
    if block.kind not in ("line", "item") or block.cells or not FIGURES.fullmatch(text):
        return False
    if _SIGNED.match(text):
        return True
    if any(_get_kind(blocks, place + step) == "page" for step in (-1, 1)):
        return False
    # Figures that alternate with labels, or stand in a row of their own.
    return any(
        0 <= place + step < len(blocks) and FIGURES.fullmatch(blocks[place + step].text.strip())
        for step in (-2, -1, 1, 2)
    )


def _is_row(blocks: Sequence[Block], place: int) -> bool:
    """Whether a number stands before or behind words because they are a row, and no head of a page.

    Two tables may well say the same of a 6.
    """
    block = blocks[place]
    if block.kind not in ("line", "item") or block.cells or not ROW.fullmatch(block.text):
        return False
    return all(_get_kind(blocks, place + step) != "page" for step in (-1, 1))


def _get_kind(blocks: Sequence[Block], place: int) -> str:
    return blocks[place].kind if 0 <= place < len(blocks) else "page"


def _find_chains(blocks: Sequence[Block]) -> set[int]:
    """The places of 1, 2, 3 … by themselves, each with its text below it."""
    found: set[int] = set()
    chain: list[int] = []
    last = 0
    for place, block in enumerate(blocks):
        text = block.text.strip()
        if block.cells or not DIE_ALONE.fullmatch(text):
            continue
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        goes_on = chain and numbers[0] == last + 1 and place - chain[-1] <= _CHAIN_REACH
        chain = [*chain, place] if goes_on else [place] if numbers[0] in (1, 2, 3) else []
        last = numbers[-1]
        if len(chain) > 2:
            found.update(chain)
    return found


def _make_line(block: Block) -> SheetLine:
    sources = tuple(line._replace(text=f"{block.mark} {line.text}".strip()) for line in block.lines)
    if block.kind == "rule":
        return SheetLine(block.content, sources, "rule", gap=block.gap)
    if block.kind == "heading":
        return SheetLine(block.content, sources, "heading", block.level, block.gap)
    line = SheetLine(
        block.content, sources, "item" if block.kind == "item" else "line",
        gap=block.gap, indent=block.indent, size=block.size, mark=block.mark,
    )  # fmt: skip
    if len(block.cells) > 1:
        return _take_cells(line, block.cells, listed="|" in block.text)
    found = BULLETS.match(line.text) if line.kind == "line" else None
    if found:
        line = replace(line, content=line.content.cut(found.end()), kind="item", mark=line.text[0])
    return replace(line, cells=part_cells(line.content))


def _take_cells(line: SheetLine, cells: Sequence[Styled], *, listed: bool) -> SheetLine:
    """A row whose cells the source knows; a sign in the first cell makes it an item."""
    if MARKS.fullmatch(cells[0].text.strip()) and not listed:
        line = replace(line, kind="item", mark=cells[0].text.strip())
        cells = cells[1:]
    trimmed = tuple(cell.strip() for cell in cells)
    filled = [cell for cell in trimmed if cell.text]
    content = filled[0] if filled else line.content
    for cell in filled[1:]:
        content = content.join(cell, "\t")
    return replace(line, content=content, cells=trimmed if len(trimmed) > 1 else (), listed=listed)


def part_cells(content: Styled) -> tuple[Styled, ...]:
    """The cells of a line that leaders, tabs or wide blanks part; none where it is running text."""
    text = content.text
    leaders = list(LEADERS.finditer(text))
    if leaders and leaders[0].start() > 0 and leaders[-1].end() < len(text):
        return cut_styled(content, leaders)
    gaps = [
        gap
        for gap in WIDE.finditer(text)
        if "\t" in gap[0] or len(gap[0]) > 3 or not _STOP.search(text[: gap.start()])
    ]
    cells = cut_styled(content, gaps)
    if len(cells) < 2 or (len(gaps) > 2 and _is_justified(gaps, cells)):
        return ()
    return cells


def cut_styled(content: Styled, gaps: Sequence[re.Match[str]]) -> tuple[Styled, ...]:
    starts = [0, *(gap.end() for gap in gaps)]
    ends = [*(gap.start() for gap in gaps), len(content.text)]
    cells = (content.cut(a, b).strip() for a, b in zip(starts, ends, strict=True))
    return tuple(cell for cell in cells if cell.text)


def _is_justified(gaps: Sequence[re.Match[str]], cells: Sequence[Styled]) -> bool:
    """Whether wide blanks are but those of a line that was set to its full width."""
    if any("\t" in gap[0] or len(gap[0]) > 3 for gap in gaps):
        return False
    small = sum(1 for cell in cells[1:] if cell.text[:1].islower())
    return small * 2 >= len(cells) - 1


def _give_home(
    blocks: Sequence[Block], lines: Sequence[SheetLine], left: Sequence[LeftOut]
) -> list[SheetLine]:
    """Lines that went into others, as torn initials do, are sources of what now stands there."""
    known = {(line.place, source.place) for line in lines for source in line.sources}
    places = {place for pair in known for place in pair} | {entry.place for entry in left}
    mended = list(lines)
    for block in blocks:
        if block.place in places or not block.text.strip():
            continue
        after = [n for n, line in enumerate(mended) if line.place.file == block.place.file]
        home = next((n for n in after if mended[n].place > block.place), after[-1] if after else 0)
        own = SourceLine(block.place, block.text)
        mended[home] = replace(mended[home], sources=(*mended[home].sources, own))
    return mended
