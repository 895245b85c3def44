"""Blocks become the lines of a play sheet, without what belongs to its pages; lines that go on.

Knows nothing of tables or headings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from cardgen.importing.finding.clean import clean
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.model import BOLD, HEADER, Block, Kind, LeftOut, SourceLine, Styled
from cardgen.importing.reading.joining import cut_at, has_ended, is_torn, part_cells, set_plain
from cardgen.importing.sheets.pieces import Row
from cardgen.importing.sheets.words import is_capitals, is_small

_BULLETS = frozenset("-*+•●▪◦‣·■□–—»►▶▸→○✓✔➢❖◆o\uf0b7\uf0a7\uf0d8\uf02d\uf06c\uf076")
_USUAL_WIDTH = 80
_LEAST_PROSE = 25
_LEAST_HEAD = 5
_MUCH_ROOM = 0.6  # of the width of a column
_LONGEST_FIGURE = 16


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
    alike: str = ""  # the shape that it shares with lines above or below
    row: Row = ()  # that it is by that shape
    listed: bool = False  # the cells are those of a table in the source, not told by blanks

    @property
    def text(self) -> str:
        return self.content.text

    @property
    def ended(self) -> bool:
        return has_ended(self.text)


def make_lines(blocks: Sequence[Block]) -> tuple[list[SheetLine], list[LeftOut]]:
    """Return the lines of a sheet, and what belongs to its pages."""
    plain = [
        replace(block, content=set_plain(block.content), cells=tuple(map(set_plain, block.cells)),
                sources=block.lines)
        for block in blocks
    ]  # fmt: skip
    rest, left = _drop_heads(plain)
    kept, junk = clean(_shield_figures(rest))
    left += junk
    lines = _close_up(_part_first([_make_line(block) for block in kept], left))
    lines = [line for at, line in enumerate(lines) if not _rules_table(lines, at)]
    lines = _cut_tight(_find_small_bullets(_join_terms(lines)))
    return _give_home(rest, lines, left), left


def _drop_heads(blocks: Sequence[Block]) -> tuple[list[Block], list[LeftOut]]:
    """Return blocks without what stands at the edges of pages again, but for its figures."""
    left: list[LeftOut] = []
    pages = {place for place, block in enumerate(blocks) if block.kind == "page"}
    edges = {at + step for at in pages for step in (-1, 1)} | (
        {len(blocks) - 1} if pages else set()
    )
    spelt = ["".join(filter(str.isalpha, block.text)).casefold() for block in blocks]
    said = Counter(spelt)
    first = next((at for at, text in enumerate(spelt) if text), 0)
    for at in sorted(edges & set(range(first + 1, len(blocks)))):
        again = spelt[at] == spelt[first]
        numbered = any(map(str.isdigit, blocks[at].text)) and said[spelt[at]] > 1
        if len(spelt[at]) >= _LEAST_HEAD and (again or numbered):
            left.append(LeftOut(blocks[at].text, blocks[at].place, "running head"))
    gone = {entry.place for entry in left}
    return [block for block in blocks if block.place not in gone or block.kind == "page"], left


def _shield_figures(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks with the figures of rows as cells: none is taken for a page's number."""
    shielded = []
    for place, block in enumerate(blocks):
        near = blocks[max(0, place - 2) : place + 3]
        beside = blocks[max(0, place - 1) : place + 2]
        if block.kind in ("line", "item") and not block.cells:
            text = block.text.strip()
            row = any(cell.text.isdecimal() for cell in part_cells(block.content))
            torn = is_figure(text) and sum(1 for one in near if is_figure(one.text)) > 1
            signed = text[:1] in "+-−–" and text[1:2].isdigit()
            if signed or ((row or torn) and all(one.kind != "page" for one in beside)):
                block = _hold(block)
        shielded.append(block)
    return shielded


def hold_figure(block: Block) -> Block:
    """Return a block that is a figure as one that is no page's number: a web page has none."""
    return _hold(block) if block.kind == "line" and is_figure(block.text) else block


def _hold(block: Block) -> Block:
    kind: Kind = "item" if block.kind == "item" else "row"
    return replace(block, kind=kind, cells=(block.content,))


def is_figure(text: str) -> bool:
    """Whether a line is a figure with its unit, and nothing else."""
    if len(text) > _LONGEST_FIGURE or not any(map(str.isdigit, text)):
        return False
    return sum(map(str.isalpha, text)) <= 3 and len(text.split()) <= 3


def _make_line(block: Block) -> SheetLine:
    sources = tuple(line._replace(text=f"{block.mark} {line.text}".strip()) for line in block.lines)
    line = SheetLine(
        block.content, sources, "line", block.level, block.gap, block.indent, block.size, block.mark
    )
    if block.kind in ("rule", "heading"):
        return replace(line, kind="rule" if block.kind == "rule" else "heading")
    if block.kind == "item":
        return replace(line, kind="item", cells=part_cells(line.content))
    listed = ("|" in block.text or block.mark == HEADER) and len(block.cells) > 1
    cells = list(block.cells) if len(block.cells) > 1 else []
    if cells and not listed:
        cells = [part for cell in cells for part in (part_cells(cell) or (cell.strip(),))]
    first = cells[0].text if cells else line.text.split("\t")[0].split(" ")[0]
    rest = line.text[len(first) :]
    small_o = first == "o" and not (cells or rest[:2] == "  " or rest[1:2].isupper())
    if first in _BULLETS and not listed and not small_o and rest.strip():
        line = replace(line, kind="item", mark=first, content=line.content.cut(len(first)).strip())
        cells = cells[1:]
    if len(cells) < 2:
        return replace(line, cells=part_cells(line.content))
    content = Styled.of("")
    for cell in cells:
        content = content.join(cell, "\t" if content.text and cell.text else "")
    return replace(line, content=content, cells=tuple(cells), listed=listed)


def _join_terms(lines: Sequence[SheetLine]) -> list[SheetLine]:
    """Return lines with terms and what is said of each, below it behind a colon, as one."""
    joined: list[SheetLine] = []
    for line in lines:
        said = line.text[:2] == ": " and not line.gap and joined and joined[-1].kind == "line"
        if said:
            term = Styled.of(f"{joined[-1].text.strip(': ')}: ", BOLD)
            content = term.join(line.content.cut(2).strip())
            sources = (*joined[-1].sources, *line.sources)
            line = replace(joined.pop(), content=content, sources=sources)
        joined.append(line)
    return joined


def _cut_tight(lines: list[SheetLine]) -> list[SheetLine]:
    """Return lines cut where those beside them begin their cells, though a gap be one blank."""
    starts = [_list_starts(line) for line in lines]
    cut = [*lines]
    for at, line in enumerate(lines):
        first = next(n for n in range(at, -1, -1) if not n or lines[n].gap)
        last = next((n for n in range(at + 1, len(lines)) if lines[n].gap), len(lines))
        found = Counter(filter(None, starts[first:last])).most_common(1)
        common = found[0][0] if found and found[0][1] > 1 else ()
        text = " " * line.indent + line.text
        if line.kind != "line" or line.listed or line.ended or is_capitals(line.text):
            continue
        tight = all(text[one - 1 : one] == " " < text[one : one + 1] for one in common)
        longest = max((len(one.text) for one in lines[first:last] if one.cells), default=0)
        fits = line.indent < common[0] and len(text) <= longest if common else False
        if tight and fits and set(starts[at]) < set(common):
            gaps = [(one - line.indent,) * 2 for one in common]
            cut[at] = replace(line, cells=cut_at(line.content, gaps))
    return cut


def _list_starts(line: SheetLine) -> tuple[int, ...]:
    """Return where the cells of a line begin behind its first one."""
    at, starts = 0, list[int]()
    for cell in line.cells if line.kind == "line" and not line.listed else ():
        at = line.text.find(cell.text, at)
        starts.append(at + line.indent)
        at += len(cell.text)
    wide = all(line.text[start - line.indent - 2 :][:2] == "  " for start in starts[1:])
    return tuple(starts[1:]) if wide else ()


def _find_small_bullets(lines: list[SheetLine]) -> list[SheetLine]:
    """Return lines with "o " as a bullet where several begin so, further in than another bullet."""
    small = [
        at > 0
        and line.kind == "line"
        and line.text[:2] == "o "
        and line.indent > 0
        and not line.gap
        for at, line in enumerate(lines)
    ]
    turned = [*lines]
    for at, line in enumerate(lines):
        beside = any(small[max(0, at - 1) : at] + small[at + 1 : at + 2])
        if small[at] and beside and turned[at - 1].kind == "item":
            turned[at] = replace(line, kind="item", mark="o", content=line.content.cut(2).strip())
    return turned


def _part_first(lines: list[SheetLine], left: list[LeftOut]) -> list[SheetLine]:
    """Return lines with the title alone on the first: without a page's number or what follows."""
    if len(lines) < 2 or lines[0].kind != "line" or lines[0].listed:
        return lines
    first, lead = lines[0], lines[0].content.find_lead()
    number = first.cells[1].text.split() if len(first.cells) == 2 and lines[1].gap else []
    if 0 < len(number) < 3 and number[-1].isdecimal():
        left.append(LeftOut(first.cells[1].text, first.sources[0].place, "page number"))
        return [replace(first, content=first.cells[0], cells=()), *lines[1:]]
    if len(first.cells) == 2 and lines[1].gap:
        above, below = (replace(first, content=cell, cells=()) for cell in first.cells)
        return [above, replace(below, gap=0), *lines[1:]]
    title, rest = first.content.cut(0, lead).strip(), first.content.cut(lead).strip()
    if len(title.text.split()) < 2 or not rest.text[:1].isupper():
        return lines
    parted = replace(first, content=title, cells=()), replace(first, content=rest, gap=0)
    return [*parted, *lines[1:]]


def _close_up(lines: list[SheetLine]) -> list[SheetLine]:
    """Return lines without the empty line that stands above each of them, and parts nothing."""
    apart = sum(1 for line in lines if line.gap)
    torn = any(
        not above.ended and (line.text[:1].islower() or is_small(above.text.split(" ")[-1]))
        for above, line in pairwise(lines)
    )
    if len(lines) < 6 or apart < 0.95 * len(lines) or not torn:
        return lines
    return [replace(line, gap=max(0, line.gap - 1)) for line in lines]


def _rules_table(lines: Sequence[SheetLine], at: int) -> bool:
    """Whether a line is drawn below the head of a table or between its rows."""
    if lines[at].kind != "rule" or lines[at].gap or not 0 < at < len(lines) - 1:
        return False
    return bool(lines[at - 1].cells and lines[at + 1].cells)


def _give_home(
    blocks: Sequence[Block], lines: list[SheetLine], left: Sequence[LeftOut]
) -> list[SheetLine]:
    """Return lines with those among their sources that went into them, as torn initials do."""
    places = {source.place for line in lines for source in line.sources}
    places |= {entry.place for entry in left}
    for block in blocks:
        if lines and block.text.strip() and block.place not in places:
            order = [line.sources[0].place.order > block.place.order for line in lines]
            home = order.index(True) if True in order else len(lines) - 1
            sources = (*lines[home].sources, SourceLine(block.place, block.text))
            lines[home] = replace(lines[home], sources=sources)
    return lines


class Flow:
    """Tells which lines of a sheet go on in the next, by how wide its columns are."""

    def __init__(self, lines: Sequence[SheetLine]) -> None:
        self.join = Joiner(line.text for line in lines).join
        prose = [line for line in lines if line.kind in ("line", "item") and not line.cells]
        lengths = [len(line.text) for line in prose if len(line.text) >= _LEAST_PROSE]
        wrapped = [
            len(above.text)
            for above, line in pairwise(prose)
            if line.text[:1].islower() and not (line.gap or above.ended or line.kind == "item")
        ]
        known = max(lengths) if len(lengths) > 3 else _USUAL_WIDTH
        self._width = max(wrapped) if len(wrapped) > 1 and max(wrapped) > _LEAST_PROSE else known

    def must_go_on(self, above: SheetLine, line: SheetLine) -> bool:
        """Whether a line ends with a comma, a hyphen or a small word, so that the next belongs."""
        if line.gap or line.kind != "line" or above.kind == "rule" or above.listed or line.listed:
            return False
        if line.alike:
            return False
        text = above.text.rstrip()
        if is_torn(text) and line.text[:1].islower():
            return True
        open_ = text[-1:] in (",", "(", "&") or is_small(text.split(" ")[-1])
        return open_ and len(text) >= _LEAST_PROSE

    def has_room(self, above: SheetLine, line: SheetLine) -> bool:
        """Whether the first word of a line would have fitted on the one above, with ease."""
        return len(above.text) + 1 + len(line.text.split(None, 1)[0]) <= self._width * _MUCH_ROOM

    def goes_on(self, above: SheetLine, line: SheetLine, *, within: bool = False) -> bool:
        """Whether a line is the rest of the one above: it begins small, or had no room there.

        `within` a paragraph that went on before, lines of uneven length are no end of it.
        """
        text, over, width = line.text, above.text, self._width
        if line.kind != "line" or line.listed or above.kind == "rule" or line.gap > 1:
            return False
        if line.alike:
            return False
        labels = ": " in text[:_LEAST_PROSE] and ": " in over[:_LEAST_PROSE]
        small = text[:1].islower() and not labels
        if line.gap:
            return (
                small and len(over) > width / 2 and not (above.ended or line.cells or above.cells)
            )
        if self.must_go_on(above, line) or small or (text[:1] in '("“‘' and not above.ended):
            return True
        first = text.split(None, 1)[0]
        full = len(over) + 1 + len(first) > width * (0.85 if within else 1)
        long = len(over) > (0.7 if above.ended or first[0].isdigit() else 0.85) * width
        if above.ended:
            return full and long and ":" not in text[:30]
        return long and (full or first[0].isdigit())
