"""The lines of a play sheet become its parts: headings, paragraphs, items and tables, in order.

What stands below what is told here; what lines look like, in the modules beside it. Knows nothing
of Markdown or of how sources are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cardgen.importing.finding.joiner import Joiner
from cardgen.importing.finding.names import set_name
from cardgen.importing.model import BOLD, Block, Doubt, LeftOut, SourceLine, Styled
from cardgen.importing.sheets.dice import read_dice
from cardgen.importing.sheets.flow import (
    find_width,
    goes_on_apart,
    goes_on_below,
    is_wrapped,
    runs_on,
)
from cardgen.importing.sheets.headings import BY_LOOK, Headings, choose_levels
from cardgen.importing.sheets.items import read_items
from cardgen.importing.sheets.lines import SheetLine, make_lines
from cardgen.importing.sheets.pieces import Heading, Line, Paragraph, Part, Piece, Sheet, Table
from cardgen.importing.sheets.rules import CLAUSE, ENDED, FIGURES, RUN_IN, SAYS, TITLE_WORDS
from cardgen.importing.sheets.tables import read_table

# Two sides hold less; longer texts would be read for minutes.
MAX_SHEET_LINES = 600
_MOST_SUBTITLES = 3
_LONGEST_SUBTITLE = 80


def recognise_sheet(blocks: Sequence[Block], title: str | None = None) -> Sheet:
    """The parts of a sheet; `title` is the one that was asked for."""
    lines, left = make_lines(blocks)
    pieces = _Reader(lines).pieces
    found, rest = _take_title(pieces)
    levels = choose_levels([piece.level for piece in rest if isinstance(piece, Heading)])
    ranked = _raise_first(
        [
            replace(piece, level=levels[piece.level]) if isinstance(piece, Heading) else piece
            for piece in rest
        ]
    )
    name = title or (found.content.text if found else "")
    parts = tuple(_part(ranked))
    return Sheet(name, found.lines if found else (), parts, tuple(sorted(left, key=_locate)))


def _raise_first(pieces: Sequence[Piece]) -> list[Piece]:
    """Headings above the first of the first level are parts themselves."""
    levels = [piece.level for piece in pieces if isinstance(piece, Heading)]
    raised = []
    above = bool(levels) and levels[0] > 1
    for piece in pieces:
        if isinstance(piece, Heading):
            above = above and piece.level > 1
            if above and piece.level == levels[0]:
                piece = replace(piece, level=1)
        raised.append(piece)
    return raised


def _locate(left: LeftOut) -> tuple[str, int, int]:
    return left.place.file, left.place.page or 0, left.place.line


class _Reader:
    """Walks down the lines; whoever knows those at hand takes them."""

    def __init__(self, lines: Sequence[SheetLine]) -> None:
        self.pieces: list[Piece] = []
        self._lines = lines
        self._width = find_width(lines)
        self._joiner = Joiner([Block(line.content, line.place) for line in lines])
        self._headings = Headings(lines, self._width)
        at = 0
        while at < len(lines):
            at = self._read(at)

    def _read(self, at: int) -> int:
        line = self._lines[at]
        if line.kind == "rule":
            self.pieces.append(Line(line.sources))
            return at + 1
        rank = self._headings.get_rank(at) if line.kind == "heading" else None
        if rank is None:
            taken = self._read_structure(at)
            if taken is not None:
                pieces, end = taken
                self.pieces += pieces
                return end
            rank = self._headings.get_rank(at)
        if rank is not None:
            return self._read_heading(at, rank)
        return self._read_paragraph(at)

    def _read_heading(self, at: int, rank: int) -> int:
        """A heading, and what it goes on with below, which is as large and begins small."""
        end = at + 1
        while end < len(self._lines) and self._is_rest(end, rank):
            end += 1
        lines = self._lines[at:end]
        content = self._joiner.join([line.content for line in lines])
        sources = tuple(source for line in lines for source in line.sources)
        self.pieces.append(_make_heading(content, rank, sources))
        return end

    def _is_rest(self, at: int, rank: int) -> bool:
        line = self._lines[at]
        if line.gap or not line.size or line.size != self._lines[at - 1].size:
            return False
        return self._headings.get_rank(at) == rank and (
            line.text[0].islower() or line.text[0] == "("
        )

    def _read_structure(self, at: int) -> tuple[Sequence[Piece], int] | None:
        """Tables and lists, whichever the line begins."""
        above = self._lines[at - 1] if at else None
        line = self._lines[at]
        if above is not None and runs_on(above, line) and not line.text[:1].isupper():
            return None
        dice = read_dice(self._lines, at, self._joiner, self._width, self._get_context())
        if dice is not None:
            return dice
        table = read_table(self._lines, at, self._joiner)
        if table is not None:
            return (table.table,), table.end
        if self._lines[at].kind == "item":
            return read_items(self._lines, at, self._joiner, self._width)
        return None

    def _get_context(self) -> str:
        """Return the text of the last two pieces, as far as they are headings or paragraphs."""
        said = [
            piece.content.text
            for piece in self.pieces[-2:]
            if isinstance(piece, Heading | Paragraph)
        ]
        return " ".join(said)

    def _read_paragraph(self, at: int) -> int:
        end = at + 1
        while end < len(self._lines) and self._continues(end, at):
            end += 1
        taken = self._lines[at:end]
        content = self._joiner.join([line.content for line in taken])
        sources = tuple(source for line in taken for source in line.sources)
        doubts = (_doubt_figure(content),) if FIGURES.fullmatch(content.text) else ()
        self.pieces.append(Paragraph(embolden_lead(content), sources, doubts))
        return end

    def _continues(self, at: int, start: int) -> bool:
        above, line = self._lines[at - 1], self._lines[at]
        if line.kind != "line" or line.listed or CLAUSE.match(line.text):
            return False
        capital = line.text[:1].isupper()
        if runs_on(above, line) and not (capital and self._read_structure(at)):
            return True
        if line.gap:
            return goes_on_apart(above, line, self._width) and not self._read_structure(at)
        if self._headings.get_rank(at) is not None or self._read_structure(at) is not None:
            return False
        within = at > start + 1
        return goes_on_below(above, line) or is_wrapped(above, line, self._width, within=within)


def _make_heading(content: Styled, rank: int, sources: tuple[SourceLine, ...]) -> Heading:
    text = content.strip()
    if text.text.endswith(":"):
        text = text.cut(0, -1).strip()
    return Heading(Styled.of(_set_heading(text.text)), rank, sources)


def _set_heading(text: str) -> str:
    """A heading in capitals as a sentence would write it; what stands in brackets as it is."""
    parts = re.split(r"(\([^()]*\))", text)
    return "".join(part if part[:1] == "(" else set_name_within(part) for part in parts)


def set_name_within(text: str) -> str:
    bare = text.strip()
    return text.replace(bare, set_name(bare)) if bare else text


def _doubt_figure(content: Styled) -> Doubt:
    said = f'"{content.text}" stands by itself, away from what it is the figure of'
    return Doubt("figure-alone", said, 0.7, content.text)


def embolden_lead(content: Styled) -> Styled:
    """`Draw: both sides fall back` with what it is about in bold."""
    found = RUN_IN.match(content.text)
    if not found or "1" in content.marks or "3" in content.marks or "http" in found[1]:
        return content
    if SAYS.search(found[1]) and len(found[1].split()) > 3:
        return content
    if ":" not in found[0]:
        return content
    end = found.end(1)
    colon = content.text.index(":", end) + 1
    return Styled.of(content.text[:end] + ":", BOLD).join(content.cut(colon))


def _take_title(pieces: Sequence[Piece]) -> tuple[Heading | None, list[Piece]]:
    """The heading above all others, if the sheet begins with one; a subtitle stays as text."""
    rest = list(pieces)
    if not rest or not isinstance(rest[0], Heading):
        return None, rest
    first, others = rest[0], rest[1:]
    ranks = [piece.level for piece in others if isinstance(piece, Heading)]
    below = 0
    while below < len(others) and below < _MOST_SUBTITLES and _is_subtitle(others, below):
        below += 1
    alone = bool(ranks) and min(ranks) > first.level and first.level < BY_LOOK
    if not (alone or _names_sheet(pieces[:2])):
        # What is printed quieter than the parts, and stands above them all, is their title too.
        if ranks and min(ranks) < first.level and isinstance(others[0], Paragraph):
            return first, others
        following = others[below] if below < len(others) else None
        if not isinstance(following, Heading):
            return None, rest
        # The first of several parts, with a heading of its own below it, is no title.
        if following.level > first.level and first.level in ranks:
            return None, rest
    subtitles: list[Piece] = [
        Paragraph(piece.content, piece.lines) if isinstance(piece, Heading) else piece
        for piece in others[:below]
    ]
    return first, [*subtitles, *others[below:]]


def _names_sheet(pieces: Sequence[Piece]) -> bool:
    """Whether a title, or what stands below it, says what this is: "Quick reference"."""
    return any(
        isinstance(piece, Heading | Paragraph)
        and len(piece.content.text) < _LONGEST_SUBTITLE
        and TITLE_WORDS.search(piece.content.text)
        for piece in pieces
    )


def _is_subtitle(pieces: Sequence[Piece], at: int) -> bool:
    """A few words between the title and the first heading."""
    piece = pieces[at]
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    if isinstance(piece, Paragraph):
        return len(piece.content.text) < _LONGEST_SUBTITLE and not ENDED.search(piece.content.text)
    if not isinstance(piece, Heading) or not isinstance(following, Heading):
        return False
    return following.level <= piece.level


def _part(pieces: Sequence[Piece]) -> Iterator[Part]:
    """Pieces below their headings of the first level."""
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
