"""The lines of a play sheet become its parts: headings, paragraphs, items and tables, in order.

Knows nothing of Markdown or of how sources are read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from cardgen.importing.model import FRONT_MATTER, Block, SourceLine, Styled
from cardgen.importing.reading.joining import has_ended
from cardgen.importing.sheets.alike import mark_alike
from cardgen.importing.sheets.headings import BY_LOOK, CAPITALS, Headings, choose_levels
from cardgen.importing.sheets.keyed import read_dice
from cardgen.importing.sheets.lines import Flow, SheetLine, make_lines
from cardgen.importing.sheets.lists import embolden_lead, find_mark, read_list
from cardgen.importing.sheets.pieces import (
    Heading,
    Line,
    Paragraph,
    Part,
    Piece,
    Sheet,
    Table,
)
from cardgen.importing.sheets.runs import Found
from cardgen.importing.sheets.tables import EMPTY, read_table
from cardgen.importing.sheets.words import set_title

# Two sides hold less; longer texts would be read for minutes.
MAX_SHEET_LINES = 600
_MOST_SUBTITLES = 3
_LONGEST_SUBTITLE = 80
_TITLED = re.compile(r"\s*title\s*[:=]\s*(['\"]?)(\S.*?)\1\s*$", re.IGNORECASE)
_LOWEST = 1_000  # below all ranks of headings
_MOST_TITLE = 9  # words


def recognise_sheet(blocks: Sequence[Block], title: str | None = None) -> Sheet:
    """Return the parts of a sheet; `title` is the one that was asked for."""
    rest, said, front = _take_front_matter(blocks)
    lines, left = make_lines(rest)
    found, pieces = _take_title(_Reader(mark_alike(lines)).pieces, said)
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
    """Return the blocks without what Markdown texts say of themselves, the title and its lines.

    The title of each text but the first is a heading.
    """
    front = {at for at, block in enumerate(blocks) if block.mark == FRONT_MATTER}
    beside = {at + step for at in front for step in (-1, 1)}
    rest: list[Block] = []
    said, lines = "", tuple[SourceLine, ...]()
    for at, block in enumerate(blocks):
        told = _TITLED.match(block.text) if at in front else None
        if told and block.place.file == blocks[0].place.file:
            said, lines = told[2], block.lines
        elif told:
            content = Styled.of(told[2])
            rest.append(replace(block, kind="heading", level=1, mark="", content=content))
        elif at not in beside or block.kind != "rule":
            rest.append(block)
    return rest, said, lines


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
        apart = end < len(self._lines) and self._lines[end].gap > 0
        self.pieces.append(Heading(Styled.of(text), sources, level=rank, apart=apart))
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
        bullets = self._lines[at].kind == "item"
        found = None if bullets else read_list(self._lines, at, self._flow, context)
        found = found or read_dice(self._lines, at, self._flow)
        found = found or read_table(self._lines, at, self._flow)
        return found or (read_list(self._lines, at, self._flow, context) if bullets else None)

    def _read_paragraph(self, at: int) -> int:
        end = at + 1
        while end < len(self._lines) and self._continues(end, at):
            end += 1
        content, sources = self._join(at, end)
        self.pieces.append(Paragraph(embolden_lead(content), sources))
        return end

    def _continues(self, at: int, start: int) -> bool:
        above, line = self._lines[at - 1], self._lines[at]
        mark = find_mark(line)
        if line.kind != "line" or line.listed or (mark and not mark.end):
            return False
        if self._flow.must_go_on(above, line):
            return not (line.text[:1].isupper() and self._read_structure(at))
        if not self._flow.goes_on(above, line, within=at > start + 1):
            return False
        return self._headings.get_rank(at) is None and self._read_structure(at) is None


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
    headings = [piece for piece in others if isinstance(piece, Heading)]
    ranks = [piece.level for piece in headings]
    beside = [piece for piece in headings if piece.level == first.level]
    parted = bool(others) and others[0].lines == first.lines  # both stand on one line
    below = int(parted)
    while below < min(len(others), _MOST_SUBTITLES) and _is_subtitle(*others[below : below + 2]):
        below += 1
    following = others[below] if below < len(others) else None
    lower = min(ranks, default=_LOWEST) > first.level
    sure = first.level < BY_LOOK or len(ranks) > 1 or (first.apart and not ranks)
    alone = lower and sure
    apart = first.apart and beside and not any(piece.apart for piece in beside)
    if not alone and not parted and not apart:
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
