"""The lines of a play sheet become its parts: headings, paragraphs, items and tables, in order.

Knows nothing of Markdown or of how sources are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cardgen.importing.model import BOLD, FRONT_MATTER, Block, Doubt, SourceLine, Styled
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
_MOST_LEAD = 5
_DEEPEST = 2


def recognise_sheet(blocks: Sequence[Block], title: str | None = None) -> Sheet:
    """Return the parts of a sheet; `title` is the one that was asked for."""
    rest, said, front = _take_front_matter(blocks)
    lines, left = make_lines(rest)
    pieces = _Reader(lines).pieces
    found, below = _take_title(pieces, said)
    ranks = [piece.level for piece in below if isinstance(piece, Heading)]
    levels = choose_levels(ranks)
    ranked = [
        replace(piece, level=levels[piece.level]) if isinstance(piece, Heading) else piece
        for piece in below
    ]
    name = title or said or (set_title(found.content.text) if found else "")
    own = (*front, *(found.lines if found else ()))
    left.sort(key=lambda entry: entry.place.order)
    return Sheet(name, own, tuple(_part(_raise_first(ranked))), tuple(left))


def _take_front_matter(
    blocks: Sequence[Block],
) -> tuple[list[Block], str, tuple[SourceLine, ...]]:
    """Return the blocks below what a Markdown text says of itself, and the title that it says."""
    end = 0
    for place, block in enumerate(blocks):
        if block.mark == FRONT_MATTER:
            end = place + 2  # and the rule below it
    for block in blocks[:end]:
        key, _, value = block.text.partition(":")
        if key.strip().lower() == "title" and value.strip():
            rest = [one for one in blocks[1:end] if one is not block and one.mark == FRONT_MATTER]
            return [*rest, *blocks[end:]], value.strip().strip("\"'"), block.lines
    return [*[one for one in blocks[:end] if one.kind != "rule"], *blocks[end:]], "", ()


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
        line = self._lines[at]
        if line.kind == "rule":
            self.pieces.append(Line(EMPTY, line.sources))
            return at + 1
        rank = self._headings.get_rank(at)
        loud = rank is not None and rank <= CAPITALS
        found = None if loud else self._read_structure(at)
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
        line = self._lines[at]
        if at and not line.text[:1].isupper() and self._flow.must_go_on(self._lines[at - 1], line):
            return None
        found = read_dice(self._lines, at, self._flow, self._get_context())
        found = found or read_table(self._lines, at, self._flow)
        if found is None and line.kind == "item":
            return self._read_items(at)
        return found

    def _get_context(self) -> str:
        """Return the text of the last two pieces, as far as they are headings or paragraphs."""
        last = (one for one in self.pieces[-2:] if isinstance(one, Heading | Paragraph))
        return " ".join(piece.content.text for piece in last)

    def _read_items(self, at: int) -> Found:
        items: list[Item] = []
        stack: list[tuple[int, str]] = []
        while at < len(self._lines) and self._lines[at].kind == "item":
            line, end = self._lines[at], at + 1
            while end < len(self._lines) and self._is_rest_of_item(end, line):
                end += 1
            content, sources = self._join(at, end)
            minus = line.text.split(" ", 1)
            if line.mark in "+-" and minus[0].isdigit() and minus[1:] and not minus[1][0].isupper():
                content = Styled.of(line.mark).join(content)
            items.append(Item(embolden_lead(content), sources, depth=_find_depth(stack, line)))
            at = end
        return Found(tuple(items), at)

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
        doubts: tuple[Doubt, ...] = ()
        if is_value(content.text):
            said = f'"{content.text}" stands by itself, away from what it is the figure of'
            doubts = (Doubt("figure-alone", said, 0.7, content.text),)
        self.pieces.append(Paragraph(embolden_lead(content), sources, doubts))
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
    elif not stack or own[0] > stack[-1][0] or own[1] != stack[-1][1]:
        stack.append(own)
    return min(len(stack) - 1, _DEEPEST)


def embolden_lead(content: Styled) -> Styled:
    """Return `Draw: both sides fall back` with what it is about in bold."""
    label, colon, rest = content.text.partition(":")
    words = label.split()
    if not colon or not rest[:1].isspace() or not words or len(words) > _MOST_LEAD:
        return content
    known = words[0][0].isupper() or words[0][0].isdigit()
    short = is_figure(rest.strip()) or is_value(rest.strip())
    if not known or short or has_ended(label) or {"1", "3"} & set(content.marks):
        return content
    if any(has_ended(word) for word in words):
        return content
    return Styled.of(label + colon, BOLD).join(content.cut(len(label) + 1))


def _take_title(pieces: Sequence[Piece], said: str) -> tuple[Heading | None, list[Piece]]:
    """Return the heading above all others, if the sheet begins with one; a subtitle stays text."""
    rest = list(pieces)
    first = rest[0] if rest else None
    if not isinstance(first, Heading):
        return None, rest
    others = rest[1:]
    if said:
        same = first.content.text.casefold() == said.casefold()
        return (first, others) if same else (None, rest)
    ranks = [piece.level for piece in others if isinstance(piece, Heading)]
    below = 0
    while below < min(len(others), _MOST_SUBTITLES) and _is_subtitle(others, below):
        below += 1
    alone = bool(ranks) and min(ranks) > first.level and first.level < BY_LOOK
    if not alone:
        # What is printed quieter than the parts, and stands above them all, is their title too.
        if ranks and min(ranks) < first.level and isinstance(others[0], Paragraph):
            return first, others
        following = others[below] if below < len(others) else None
        if not isinstance(following, Heading):
            return None, rest
        # The first of several parts, with a heading of its own below it, is no title.
        if not below and following.level > first.level and first.level in ranks:
            return None, rest
    subtitles: list[Piece] = [
        Paragraph(piece.content, piece.lines) if isinstance(piece, Heading) else piece
        for piece in others[:below]
    ]
    return first, [*subtitles, *others[below:]]


def _is_subtitle(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a piece is a few words between the title and the first heading."""
    piece = pieces[at]
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    if isinstance(piece, Paragraph):
        return len(piece.content.text) < _LONGEST_SUBTITLE and not has_ended(piece.content.text)
    if not isinstance(piece, Heading) or not isinstance(following, Heading):
        return False
    return following.level <= piece.level


def _raise_first(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield pieces; headings above the first of the first level are parts themselves."""
    first = next((piece.level for piece in pieces if isinstance(piece, Heading)), 1)
    above = first > 1
    for piece in pieces:
        if isinstance(piece, Heading):
            above = above and piece.level > 1
            if above and piece.level == first:
                piece = replace(piece, level=1)
        yield piece


def _part(pieces: Iterator[Piece]) -> Iterator[Part]:
    """Yield the parts: headings of the first level, each with the pieces below it."""
    heading: Heading | None = None
    below: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Heading) and piece.level == 1:
            if heading is not None or below:
                yield Part(heading, tuple(below))
            heading, below = piece, []
        else:
            below.append(piece)
    if heading is not None or below:
        yield Part(heading, tuple(below))


def looks_like_sheet(blocks: Sequence[Block]) -> bool:
    """Whether a text without cards has what play sheets have: tables below headings."""
    parts = recognise_sheet(blocks).parts
    tables = sum(isinstance(piece, Table) for part in parts for piece in part.pieces)
    return tables > 1 or (tables == 1 and len(parts) > 1)
