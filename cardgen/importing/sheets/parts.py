"""The lines of a play sheet become its parts: headings, paragraphs, items and tables, in order.

Knows nothing of Markdown or of how sources are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cardgen.importing.model import BOLD, FRONT_MATTER, Block, SourceLine, Styled
from cardgen.importing.reading.joining import has_ended
from cardgen.importing.sheets.headings import BY_LOOK, CAPITALS, Headings, choose_levels
from cardgen.importing.sheets.keyed import read_dice
from cardgen.importing.sheets.lines import Flow, SheetLine, is_figure, make_lines
from cardgen.importing.sheets.pieces import (
    Heading,
    Item,
    Line,
    Paragraph,
    Part,
    Piece,
    Sheet,
    Table,
)
from cardgen.importing.sheets.rows import is_value
from cardgen.importing.sheets.runs import Found
from cardgen.importing.sheets.tables import EMPTY, read_table
from cardgen.importing.sheets.words import is_capitals, set_title

# Two sides hold less; longer texts would be read for minutes.
MAX_SHEET_LINES = 600
_MOST_SUBTITLES = 3
_LONGEST_SUBTITLE = 80
_MOST_TITLE = 9  # words
_MOST_LEAD = 5
_DEEPEST = 2


def recognise_sheet(blocks: Sequence[Block], title: str | None = None) -> Sheet:
    """Return the parts of a sheet; `title` is the one that was asked for."""
    rest, said, front = _take_front_matter(blocks)
    lines, left = make_lines(rest)
    found, pieces = _take_title(_Reader(lines).pieces, said)
    name = title or said or (found.content.text if found else "")
    left.sort(key=lambda entry: entry.place.order)
    own = (*front, *(found.lines if found else ()))
    return Sheet(name, own, _make_parts(pieces), tuple(left))


def looks_like_sheet(blocks: Sequence[Block]) -> bool:
    """Whether a text without cards has what play sheets have: tables below headings."""
    parts = recognise_sheet(blocks).parts
    tables = sum(isinstance(piece, Table) for part in parts for piece in part.pieces)
    return tables > 1 or (tables == 1 and len(parts) > 1)


def _take_front_matter(
    blocks: Sequence[Block],
) -> tuple[list[Block], str, tuple[SourceLine, ...]]:
    """Return the blocks without what a Markdown text says of its title, the title and its lines."""
    front = [block for block in blocks if block.mark == FRONT_MATTER]
    rest = list(blocks[1:]) if front else list(blocks)
    rule = next((block for block in rest[len(front) :] if block.kind == "rule"), None)
    rest = [block for block in rest if not front or block is not rule]
    for block in front:
        key, _, value = block.text.partition(":")
        if key.strip().lower() == "title" and value.strip():
            rest.remove(block)
            return rest, value.strip().strip("\"'"), block.lines
    return rest, "", ()


class _Reader:
    """Walks down the lines; whoever knows those at hand takes them."""

    def __init__(self, lines: Sequence[SheetLine]) -> None:
        self.pieces: list[Piece] = []
        self._lines = lines
        self._flow = Flow(lines)
        self._headings = Headings(lines, self._flow)
        at = 0
        while at < len(lines):
            at = self._read(at)

    def _read(self, at: int) -> int:
        line, rank = self._lines[at], self._headings.get_rank(at)
        if line.kind == "rule":
            self.pieces.append(Line(EMPTY, line.sources))
            return at + 1
        found = None if rank is not None and rank <= CAPITALS else self._read_structure(at)
        if found is not None:
            self.pieces += found.pieces
            return found.end
        return self._read_paragraph(at) if rank is None else self._read_heading(at, rank)

    def _read_heading(self, at: int, rank: int) -> int:
        """Take a heading, and what it goes on with below, which is as large and begins small."""
        end = at + 1
        while end < len(self._lines) and self._is_rest_of_heading(end, rank):
            end += 1
        content, sources = self._join(at, end)
        text = set_title(content.text.removesuffix(":").strip())
        self.pieces.append(Heading(Styled.of(text), sources, level=rank))
        return end

    def _is_rest_of_heading(self, at: int, rank: int) -> bool:
        line, above = self._lines[at], self._lines[at - 1]
        same = line.size and line.size == above.size and self._headings.get_rank(at) == rank
        return bool(same) and not line.gap and (line.text[0].islower() or line.text[0] == "(")

    def _join(self, at: int, end: int) -> tuple[Styled, tuple[SourceLine, ...]]:
        taken = self._lines[at:end]
        sources = tuple(source for line in taken for source in line.sources)
        return self._flow.join(line.content for line in taken), sources

    def _read_structure(self, at: int) -> Found | None:
        """Return tables and lists, whichever the line begins."""
        above = (one for one in self.pieces[-2:] if isinstance(one, Heading | Paragraph))
        context = " ".join(piece.content.text for piece in above)
        found = read_dice(self._lines, at, self._flow, context)
        found = found or read_table(self._lines, at, self._flow)
        return self._read_items(at) if found is None and self._lines[at].kind == "item" else found

    def _read_items(self, at: int) -> Found:
        items: list[Item] = []
        stack = self._list_above(at)
        while at < len(self._lines) and self._lines[at].kind == "item":
            line, end = self._lines[at], at + 1
            while end < len(self._lines) and self._is_rest_of_item(end, line):
                end += 1
            content, sources = self._join(at, end)
            items.append(Item(embolden_lead(content), sources, depth=_find_depth(stack, line)))
            at = end
        return Found(tuple(items), at)

    def _list_above(self, at: int) -> list[tuple[int, str]]:
        """Return the entry of a numbered list that items stand below, further in."""
        above = self.pieces[-1] if self.pieces else None
        if not at or not isinstance(above, Item) or above.number is None or self._lines[at].gap:
            return []
        indent = self._lines[at - 1].indent
        return [(indent, "")] if self._lines[at].indent > indent else []

    def _is_rest_of_item(self, at: int, item: SheetLine) -> bool:
        line = self._lines[at]
        if line.kind != "line" or line.listed or (line.gap and line.cells):
            return False
        hangs = not line.gap and line.indent > item.indent and not is_capitals(line.text)
        return hangs or (not line.cells and self._flow.goes_on(self._lines[at - 1], line))

    def _read_paragraph(self, at: int) -> int:
        end = at + 1
        while end < len(self._lines) and self._continues(end, at):
            end += 1
        content, sources = self._join(at, end)
        self.pieces.append(Paragraph(embolden_lead(content), sources))
        return end

    def _continues(self, at: int, start: int) -> bool:
        above, line = self._lines[at - 1], self._lines[at]
        if line.kind != "line" or line.listed or _is_clause(line.text):
            return False
        if self._flow.must_go_on(above, line):
            return not (line.text[:1].isupper() and self._read_structure(at))
        if not self._flow.goes_on(above, line, within=at > start + 1):
            return False
        return self._headings.get_rank(at) is None and self._read_structure(at) is None


def _is_clause(text: str) -> bool:
    """Whether a text begins with "a)" or "(ii)"."""
    first = text.split(" ", 1)[0].lstrip("(")
    return len(first) < 6 and first.endswith(")") and first[:-1].islower() and first[:-1].isalpha()


def _find_depth(stack: list[tuple[int, str]], line: SheetLine) -> int:
    """Return how deep an item is, as its indent and its sign say."""
    own = line.indent, line.mark
    while stack and stack[-1][0] > own[0]:
        stack.pop()
    if own in stack:
        del stack[stack.index(own) + 1 :]
    else:
        stack.append(own)
    return min(len(stack) - 1, _DEEPEST)


def embolden_lead(content: Styled) -> Styled:
    """Return `Draw: both sides fall back` with what it is about in bold."""
    label, colon, rest = content.text.partition(":")
    words = label.split()
    if not rest[:1].isspace() or not 0 < len(words) <= _MOST_LEAD or any(map(has_ended, words)):
        return content
    short = is_figure(rest.strip()) or is_value(rest.strip())
    if words[0][0].islower() or short or {"1", "3"} & set(content.marks):
        return content
    return Styled.of(label + colon, BOLD).join(content.cut(len(label) + 1))


def _take_title(pieces: list[Piece], said: str) -> tuple[Heading | None, list[Piece]]:
    """Return the heading above all others, if the sheet begins with one; a subtitle stays text."""
    first, others = (pieces[0] if pieces else None), pieces[1:]
    if isinstance(first, Paragraph) and not said and _may_be_title(first, others):
        return Heading(first.content, first.lines, level=0), others
    if not isinstance(first, Heading):
        return None, pieces
    if said:
        same = first.content.text.casefold() == said.casefold()
        return (first, others) if same else (None, pieces)
    ranks = [piece.level for piece in others if isinstance(piece, Heading)]
    parted = bool(others) and others[0].lines == first.lines  # both stand on one line
    below = int(parted)
    while below < min(len(others), _MOST_SUBTITLES) and _is_subtitle(*others[below : below + 2]):
        below += 1
    following = others[below] if below < len(others) else None
    alone = min(ranks, default=0) > first.level and (first.level < BY_LOOK or len(ranks) > 1)
    if not alone and not parted:
        if not isinstance(following, Heading):
            return None, pieces
        # The first of several parts, with a heading of its own below it, is no title.
        if not below and following.level > first.level and first.level in ranks:
            return None, pieces
    subtitles = [
        Paragraph(piece.content, piece.lines) if isinstance(piece, Heading) else piece
        for piece in others[:below]
    ]
    return first, [*subtitles, *others[below:]]


def _may_be_title(first: Paragraph, others: Sequence[Piece]) -> bool:
    """Whether a sheet begins with a line by itself above its first heading."""
    alone = len(first.lines) == 1 and len(first.content.text.split()) <= _MOST_TITLE
    headed = len(others) > 1 and isinstance(others[0], Heading)
    return alone and headed and not has_ended(first.content.text)


def _is_subtitle(piece: Piece, following: Piece | None = None) -> bool:
    """Whether a piece is a few words between the title and the first heading."""
    if isinstance(piece, Paragraph):
        return len(piece.content.text) < _LONGEST_SUBTITLE and not has_ended(piece.content.text)
    if not isinstance(piece, Heading) or not isinstance(following, Heading):
        return False
    return following.level <= piece.level


def _make_parts(pieces: Sequence[Piece]) -> tuple[Part, ...]:
    """Return the pieces below their headings of the first level."""
    ranks = [piece.level for piece in pieces if isinstance(piece, Heading)]
    levels = choose_levels(ranks)
    first = levels[ranks[0]] if ranks else 1
    parts: list[Part] = []
    heading: Heading | None = None
    below: list[Piece] = []
    above = True  # the first heading of the first level, where headings are parts themselves
    for piece in pieces:
        if isinstance(piece, Heading):
            level = levels[piece.level]
            above = above and level > 1
            piece = replace(piece, level=1 if above and level == first else level)
            if piece.level == 1:
                parts.append(Part(heading, tuple(below)))
                heading, below = piece, []
                continue
        below.append(piece)
    parts.append(Part(heading, tuple(below)))
    return tuple(part for part in parts if part.all)
