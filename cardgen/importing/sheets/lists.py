"""Lists of bullets, numbers and letters, with the lists and paragraphs within their entries.

An entry goes on from the one before at its depth, or begins a list further in. Knows nothing of
headings or tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cardgen.importing.model import BOLD, SourceLine, Styled
from cardgen.importing.reading.joining import has_ended
from cardgen.importing.sheets.lines import Flow, SheetLine
from cardgen.importing.sheets.pieces import Item, Paragraph, Piece, Rest
from cardgen.importing.sheets.rows import read_keyed
from cardgen.importing.sheets.runs import Found
from cardgen.importing.sheets.words import is_capitals, speaks_of_dice

_NUMBER = re.compile(
    r"(\()?([1-9]\d?)([.)](?=\s|[^\W\d_])|(?:\s[–—-])?(?=\s+[^\Wa-zß-ÿ]))\s*(?=\S)"
)
_WITHIN = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)(?:\.(\d{1,2})[.)]?|([a-z])[.)]?)\s+(?=\S)")
_LETTER = re.compile(r"(\()?([ivx]{1,5}|[IVX]{1,5}|[^\W\d_])([.)])\s+(?=\S)")
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_EACH = 100
_DEEPEST = 2
_MOST_LEAD = 5


class Mark(NamedTuple):
    """The sign that an entry begins with: of what kind, and which of its kind."""

    kind: str  # "-" for a bullet, else as "1." or "(a)"
    number: int = 0  # 203 for 2.3
    end: int = 0  # of a number; a letter stays a part of the text

    @property
    def begins(self) -> bool:
        return self.number % _EACH in (0, 1)

    def follows(self, other: Mark, lazy: bool) -> bool:
        """Whether it numbers on from another; a `lazy` list has the same number each time."""
        next_above = self.number % _EACH == 1 and self.number // _EACH == other.number // _EACH + 1
        counted = self.number == other.number + 1 or (next_above and other.number > _EACH)
        return self.kind == other.kind and (counted or (lazy and self.number == 1))


@dataclass(slots=True)
class _Level:
    mark: Mark
    indent: int
    lazy: bool


def find_mark(line: SheetLine, above: Mark | None = None) -> Mark | None:
    """Return the sign of an entry; a letter may be a number of the Romans, as the one above."""
    if line.kind == "item":
        return Mark(line.mark)
    if line.kind != "line" or len(line.cells) > 2 or line.listed or line.row:
        return None
    text = line.text
    if found := _NUMBER.match(text):
        return Mark(f"{found[1] or ''}1{found[3].strip(' –—-')}", int(found[2]), found.end())
    if found := _WITHIN.match(text):
        number = int(found[2]) if found[2] else ord(found[3]) - ord("a") + 1
        return Mark("1.1" if found[2] else "1a", _EACH * int(found[1].split(".")[-1]) + number)
    found = _LETTER.match(text)
    if not found:
        return None
    low, begin, small = found[2].lower(), found[1] or "", found[2].islower()
    roman = f"{begin}{'i' if small else 'I'}{found[3]}"
    if low in _ROMANS and (low == "i" if above is None else above.kind == roman):
        return Mark(roman, _ROMANS.index(low) + 1)
    letter = f"{begin}{'a' if small else 'A'}{found[3]}"
    return Mark(letter, ord(low) - ord("a") + 1) if len(low) == 1 else None


def read_list(lines: Sequence[SheetLine], at: int, flow: Flow, context: str) -> Found | None:
    """Return the list that begins at a line; numbers below a `context` of dice are none."""
    first = find_mark(lines[at])
    if first is None:
        return None
    reader = _Reader(lines, flow)
    reader.read(at)
    if first.number:
        diced = reader.flat and first.end and speaks_of_dice(context)
        if reader.beside < 2 or diced or _counts_on(lines, reader.end, reader.last):
            return None
        if not first.end and any(has_ended(piece.content.text) for piece in reader.pieces):
            reader.pieces = [Paragraph(piece.content, piece.lines) for piece in reader.pieces]
    return Found(tuple(reader.pieces), reader.end) if reader.pieces else None


def _counts_on(lines: Sequence[SheetLine], end: int, last: Mark) -> bool:
    """Whether numbers that are no steps follow those of a list: "3-5. Rain"."""
    below = lines[end] if end < len(lines) else None
    if below is None or below.gap or not last.end:
        return False
    return read_keyed(below, f"{last.number}.") is not None


class _Reader:
    """Walks down the entries of one list."""

    def __init__(self, lines: Sequence[SheetLine], flow: Flow) -> None:
        self.pieces: list[Piece] = []
        self.end = 0
        self.beside = 0  # entries at the depth of the first
        self.flat = True
        self._lines = lines
        self._flow = flow
        self._levels: list[_Level] = []

    @property
    def last(self) -> Mark:
        return self._levels[0].mark

    def read(self, at: int) -> None:
        capitals = is_capitals(self._lines[at].text)
        within: list[Piece] = []  # paragraphs, which belong to an entry if another one follows
        while at < len(self._lines):
            line = self._lines[at]
            if self._levels and self._is_paragraph(line):
                content, sources, at = self._take(at, line.content)
                within.append(Rest(content, sources))
                continue
            if (is_capitals(line.text) != capitals and not line.indent) or not self._enter(line):
                break
            mark, depth = self._levels[-1].mark, min(len(self._levels) - 1, _DEEPEST)
            content, sources, at = self._take(at, line.content.cut(mark.end))
            number = mark.number if mark.end else None
            self.pieces += [*within, Item(embolden_lead(content), sources, (), depth, number)]
            self.beside += not depth
            self.flat = self.flat and not depth
            within, self.end = [], at
        if within and any(isinstance(piece, Rest) for piece in self.pieces):
            self.pieces, self.end = [*self.pieces, *within], at

    def _enter(self, line: SheetLine) -> bool:
        """Go to the depth of a line, if it is an entry of the list."""
        found = self._find_level(line)
        if found is None:
            return False
        place, level = found
        self._levels[place:] = [level]
        return True

    def _find_level(self, line: SheetLine) -> tuple[int, _Level] | None:
        levels = self._levels
        for place in reversed(range(len(levels))):
            level = levels[place]
            mark, lazy = find_mark(line, level.mark), level.lazy and not line.gap
            if mark and not mark.number:
                if (line.indent, mark) == (level.indent, level.mark):
                    return place, level
            elif mark and line.indent <= level.indent + 2 and mark.follows(level.mark, lazy):
                again = lazy and mark.number == 1
                mark = mark._replace(number=level.mark.number + 1) if again else mark
                return place, _Level(mark, level.indent, again)
        mark, top = find_mark(line), levels[-1] if levels else None
        starts = mark is not None and (mark.begins or (mark.kind != "1" and not top and mark.end))
        if mark is None or not starts:
            return None
        bullets = not mark.number and not any(level.mark.number for level in levels)
        if top and (line.indent <= top.indent or mark.kind == "1") and not bullets:
            return None
        outer = [level for level in levels if mark.number or level.indent <= line.indent]
        return len(outer), _Level(mark, line.indent, mark.number == 1 and mark.kind != "1")

    def _is_paragraph(self, line: SheetLine) -> bool:
        """Whether a line begins a paragraph that stands as far in as the text of an entry."""
        plain = line.kind == "line" and not (line.cells or line.listed or line.alike)
        return plain and line.indent > self._levels[0].indent and self._find_level(line) is None

    def _take(self, at: int, begun: Styled) -> tuple[Styled, tuple[SourceLine, ...], int]:
        """Return a line with those that are its rest, and the line behind them."""
        end = at + 1
        while end < len(self._lines) and self._is_rest(end, self._lines[at]):
            end += 1
        others = self._lines[at + 1 : end]
        content = self._flow.join([begun.strip(), *(line.content for line in others)])
        sources = tuple(source for line in self._lines[at:end] for source in line.sources)
        return content, sources, end

    def _is_rest(self, at: int, begun: SheetLine) -> bool:
        line = self._lines[at]
        if line.kind != "line" or line.listed or line.alike or (line.gap and line.cells):
            return False
        if self._find_level(line) is not None:
            return False
        above = self._lines[at - 1]
        new = line.text[:1].isupper() and not above.ended and self._flow.has_room(above, line)
        new = new and not self._flow.must_go_on(above, line)
        hangs = not line.gap and line.indent > begun.indent and not is_capitals(line.text)
        return (hangs and not new) or (not line.cells and self._flow.goes_on(above, line))


def embolden_lead(content: Styled) -> Styled:
    """Return `Draw: both sides fall back` with what it is about in bold."""
    label, colon, rest = content.text.partition(":")
    words = label.split()
    if not rest[:1].isspace() or not 0 < len(words) <= _MOST_LEAD or any(map(has_ended, words)):
        return content
    if words[0][0].islower() or {"1", "3"} & set(content.marks):
        return content
    return Styled.of(label + colon, BOLD).join(content.cut(len(label) + 1))
