"""Which lines of a play sheet are headings, and how loudly each is printed.

Every sheet prints its headings in its own way; what it prints largest or loudest ranks highest.
Knows nothing of what stands below them, but for whether it is more than another few words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from cardgen.importing.model import BOLD
from cardgen.importing.sheets.lines import Flow, SheetLine
from cardgen.importing.sheets.rows import read_rows
from cardgen.importing.sheets.tables import read_table
from cardgen.importing.sheets.words import is_capitals

# From the loudest to the quietest; explicit ones come first, then those told by size.
_SIZE, BY_LOOK = 100, 200
_NUMBERED_CAPITALS, CAPITALS, _NUMBERED, _BOLD, _PLAIN = 200, 210, 220, 250, 260
_NUMBER = re.compile(r"(?:(\d{1,2}(?:\.\d{1,2}){0,2})[.):]?|[A-Z][.)]|[IVX]{1,4}[.)])\s+(?=\S)")
_LABEL = re.compile(r"\S\s?:\s+\S")
_MOST_WORDS = 9
_MOST_PLAIN = 6
_MOST_LETTERS = 70
_LARGER = 1.12
_OFTEN = 3  # what is said so often is no heading, unless it is printed as one


class Headings:
    """Finds headings among the lines of one sheet."""

    def __init__(self, lines: Sequence[SheetLine], flow: Flow) -> None:
        self._lines = lines
        self._flow = flow
        sizes = [line.size for line in lines if line.size and len(line.text) > 12]
        self._body = median(sizes) if sizes else 0.0
        self._led = Counter(
            line.text for line in lines if line.text.endswith(":") and len(line.text.split()) < 4
        )
        self._said = Counter(line.text for line in lines)
        self._tops = {at for at in range(len(lines) - 1) if _is_top(*lines[at : at + 2])}
        self._ranks: list[int | None] = []
        for at in range(len(lines)):
            self._ranks.append(self._find_rank(at))

    def get_rank(self, at: int) -> int | None:
        """Return how loudly a line is printed as a heading, 0 the loudest; None if it is none."""
        return self._ranks[at]

    def _find_rank(self, at: int) -> int | None:
        line = self._lines[at]
        if line.kind == "heading":
            return line.level
        text = line.text.strip()
        words = text.split()
        if line.alike and not line.content.face & BOLD:
            return None
        if line.kind != "line" or sum(map(str.isalpha, text)) < 2 or text[-1] in ".,;":
            return None
        if len(text) > _MOST_LETTERS or len(words) > _MOST_WORDS:
            return None
        if at and self._flow.must_go_on(self._lines[at - 1], line):
            return None
        if self._body and line.size > _LARGER * self._body:
            return _SIZE + max(0, 99 - round(line.size))
        return None if line.cells else self._find_by_look(at, line, text)

    def _find_by_look(self, at: int, line: SheetLine, text: str) -> int | None:
        number = _NUMBER.match(text)
        bare = text[number.end() :] if number else text
        rows = read_rows(line)
        if is_capitals(bare) and len(bare) > 2:
            deep = number[1].count(".") if number and number[1] else 0
            return CAPITALS if not number else _NUMBERED + 10 * deep if deep else _NUMBERED_CAPITALS
        bold = line.content.face & BOLD and (not line.ended or text[-1] in ":!?")
        if rows is not None and not bold:
            return None
        if number and bare[:1].isupper() and not line.ended and len(bare.split()) <= _MOST_PLAIN:
            return _NUMBERED + 10 * (number[1] or "").count(".")
        if bold:
            return _BOLD
        outside = text.rpartition("(")[0] if text[-1] == ")" else text
        if not text[:1].isupper() or any(map(str.isdigit, outside)):
            return None
        if text.endswith(":"):
            return _PLAIN if self._leads(len(text.split())) else None
        return _PLAIN if self._is_plain(at, text) else None

    def _leads(self, words: int) -> bool:
        """Whether words before a colon are a heading: one word is, more where several lines are."""
        return words == 1 or (words < 4 and len(self._led) > 1)

    def _is_plain(self, at: int, text: str) -> bool:
        """A few words by themselves, with something below them that they may be the heading of."""
        lines = self._lines
        line, above = lines[at], lines[at - 1] if at else None
        below = lines[at + 1] if at + 1 < len(lines) else None
        if line.ended or len(text.split()) > _MOST_PLAIN or below is None or below.kind == "rule":
            return False
        if at and _LABEL.search(text):
            return False
        if at in self._tops and len(self._tops) >= _OFTEN:
            return True
        carries = bool(below.cells) or read_rows(below) is not None
        if self._said[text] >= _OFTEN and not carries:
            return False
        if below.kind == "line" and not below.gap and below.text[:1].islower():
            return carries
        if above is not None and not line.gap and self._is_open(at - 1):
            return carries
        if below.kind != "line" or carries or read_table(lines, at + 1, self._flow):
            return True
        return self._is_more(at + 1)

    def _is_open(self, at: int) -> bool:
        """Whether a line is text that no full stop ends, so that what follows may go on with it."""
        line = self._lines[at]
        if line.kind not in ("line", "item") or line.cells or line.ended:
            return False
        if self._ranks[at] is not None:
            return False
        return read_rows(line) is None

    def _is_more(self, at: int) -> bool:
        """Whether a line is more than another few words: a sentence, or a louder heading."""
        line, own = self._lines[at], self._lines[at - 1]
        text = line.text
        if line.ended or is_capitals(text) or len(text.split()) > _MOST_PLAIN or text[0].isdigit():
            return True
        # Two headings, one below the other: the title and the first of the others.
        return line.gap > own.gap or at == 1 or bool(own.gap and not line.gap)


def _is_top(line: SheetLine, below: SheetLine) -> bool:
    """Whether a line is a word or two above a text that begins small."""
    words = line.text.split()
    rest = below.kind == "line" and not below.gap and below.text[:1].islower()
    return (
        line.kind == "line"
        and 0 < len(words) < 3
        and words[0][0].isupper()
        and rest
        and not line.cells
    )


def choose_levels(ranks: Sequence[int]) -> Mapping[int, int]:
    """Return the level of each rank, 1 to 3, from the ranks of all headings in order."""
    counts = Counter(ranks)
    order = sorted(counts)
    # What is printed once in the middle of a sheet is no rank above all the others.
    while len(order) > 1 and counts[order[0]] == 1 and ranks[0] != order[0] and len(ranks) > 3:
        counts[order[1]] += 1
        order = order[1:]
    levels = {rank: min(3, place + 1) for place, rank in enumerate(order)}
    return {rank: levels.get(rank, 1) for rank in counts}
