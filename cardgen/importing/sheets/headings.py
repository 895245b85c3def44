"""Which lines of a play sheet are headings, of which rank, and which one is its title.

Every sheet prints its headings in its own way; what it prints largest or loudest ranks highest.
Knows nothing of what stands below them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from cardgen.importing.finding.names import find_shape
from cardgen.importing.model import BOLD
from cardgen.importing.sheets.flow import is_wrapped, runs_on
from cardgen.importing.sheets.lines import SheetLine
from cardgen.importing.sheets.rows import read_rows
from cardgen.importing.sheets.rules import (
    ENDED,
    LETTERED,
    NUMBERED,
    SAYS,
    SPEAKS_OF_DICE,
    TITLE_WORDS,
)
from cardgen.importing.sheets.torn import read_torn

# From the loudest to the quietest; explicit ones come first, then those told by size.
_LEVEL, _SIZE, BY_LOOK = 0, 100, 200
_RANKS = {
    "numbered capitals": 0,
    "capitals": 10,
    "numbered": 20,
    "numbered twice": 30,
    "numbered thrice": 40,
    "bold": 50,
    "plain": 60,
    "colon": 60,
}
_NUMBERED = ("numbered", "numbered twice", "numbered thrice")  # as 2, 2.1 and 2.1.3
_MOST_WORDS = 9
_MOST_PLAIN = 6
_MOST_LETTERS = 70
_LARGER = 1.12

_LETTERS = re.compile(r"[^\W\d_]{2}")


class Headings:
    """Finds headings among the lines of one sheet."""

    def __init__(self, lines: Sequence[SheetLine], width: int) -> None:
        self._lines = lines
        self._width = width
        sizes = [line.size for line in lines if line.size and len(line.text) > 12]
        self._body = median(sizes) if sizes else 0.0
        self._ranks: list[int | None] = []
        for at in range(len(lines)):
            self._ranks.append(self._find_rank(at))

    def get_rank(self, at: int) -> int | None:
        """How loudly a line is printed as a heading, 0 the loudest; None if it is none."""
        return self._ranks[at]

    def _find_rank(self, at: int) -> int | None:
        line = self._lines[at]
        if line.kind == "heading":
            return _LEVEL + line.level
        if line.kind != "line" or not _LETTERS.search(line.text):
            return None
        text = line.text.strip()
        words = text.split()
        if len(text) > _MOST_LETTERS or len(words) > _MOST_WORDS or text[-1] in ".,;":
            return None
        return self._find_by_look(at, line, text)

    def _find_by_look(self, at: int, line: SheetLine, text: str) -> int | None:
        above = self._lines[at - 1] if at else None
        if above is not None and runs_on(above, line):
            return None
        if self._body and line.size > _LARGER * self._body:
            return _SIZE + max(0, 99 - round(line.size))
        numbered = NUMBERED.match(text)
        depth = numbered[1].count(".") if numbered else -1
        bare = text[numbered.end() :] if numbered else text
        if line.cells or (read_rows(line) and _find_shape(bare) != "capitals"):
            return None
        if _find_shape(bare) == "capitals" and len(bare) > 2:
            rows = read_rows(line)
            if rows is not None and rows.sure:
                return None
            return _rank(("numbered capitals", *_NUMBERED[1:])[depth] if numbered else "capitals")
        if numbered and bare[:1].isupper() and not ENDED.search(text):
            return _rank(_NUMBERED[depth])
        if LETTERED.match(text) and find_shape(text) in ("title", "sentence"):
            return _rank("numbered")
        if line.content.face & BOLD and not ENDED.search(text.rstrip(":")):
            return _rank("bold")
        if not text[:1].isupper() or SAYS.search(text) or re.search(r"\d", text):
            return None
        if text.endswith(":"):
            return _rank("colon") if len(text.split()) <= _MOST_PLAIN else None
        title = at == 0 and TITLE_WORDS.search(text) and not ENDED.search(text)
        return _rank("plain") if title or self._is_plain(at, text) else None

    def _is_plain(self, at: int, text: str) -> bool:
        """A few words by themselves, with something below them that they may be the heading of."""
        if ENDED.search(text) or len(text.split()) > _MOST_PLAIN or ": " in text:
            return False
        lines = self._lines
        line, above = lines[at], lines[at - 1] if at else None
        below = lines[at + 1] if at + 1 < len(lines) else None
        if below is None or below.kind == "rule" or (below.gap > 1 and at):
            return False
        if below.kind == "line" and not below.gap and below.text[:1].islower():
            return bool(below.cells) or read_rows(below) is not None
        if above is not None and not line.gap:
            if not ENDED.search(above.text) and is_wrapped(above, line, self._width):
                return False
            if self._is_open(at - 1):
                return bool(below.cells) or read_rows(below) is not None
        if below.kind != "line" or below.cells or read_torn(lines, at + 1):
            return True
        return self._carries(at + 1)

    def _is_open(self, at: int) -> bool:
        """Whether a line is text that no full stop ends, so that what follows may go on with it."""
        line = self._lines[at]
        if line.kind != "line" or line.cells or ENDED.search(line.text):
            return False
        return read_rows(line) is None and self._ranks[at] is None

    def _carries(self, at: int) -> bool:
        """Whether a line is more than another few words: a sentence, a row or a heading's rest."""
        line = self._lines[at]
        if read_rows(line) is not None or ENDED.search(line.text):
            return True
        text = line.text
        if find_shape(text) == "capitals" or len(text.split()) > _MOST_PLAIN:
            return True
        if SAYS.search(text) or SPEAKS_OF_DICE.search(text) or re.match(r"\d", text):
            return True
        own = self._lines[at - 1]
        # Two headings, one below the other: the title and the first of the others.
        return line.gap > own.gap or at == 1 or (own.gap > 0 and line.gap == 0)


def _find_shape(text: str) -> str:
    """The shape of what stands outside of brackets."""
    return find_shape(re.sub(r"\([^()]*\)", "", text))


def _rank(name: str) -> int:
    return BY_LOOK + _RANKS[name]


def choose_levels(ranks: Sequence[int]) -> Mapping[int, int]:
    """The level of each rank, 1 to 3, from the ranks of all headings in order."""
    counts = Counter(ranks)
    order = sorted(counts)
    # What is printed once in the middle of a sheet is no rank above all the others.
    while len(order) > 1 and counts[order[0]] == 1 and ranks[0] != order[0] and len(ranks) > 3:
        counts[order[1]] += 1
        order = order[1:]
    levels = {rank: min(3, place + 1) for place, rank in enumerate(order)}
    return {rank: levels.get(rank, 1) for rank in counts}
