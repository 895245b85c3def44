"""Lines that belong together by where they stand: numbered on, or first below lines drawn across.

Titles, too, are told by standing alone, or by going on from one another ("II. Arms"). Knows nothing
of records.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from cardgen.importing.finding.lines import STATS, Line

_NUMBER = re.compile(r"\d{1,4}")
_IN_SERIES = re.compile(
    r"(?:(?P<part>[A-Z])\.(?P<number>\d{1,2})[.):]?|(?P<letters>[IVX]{1,4}|[A-H])[.):])\s+(?=\w)"
)
_MOST_IN_SERIES = 9  # words
_SERIES = (
    [str(number) for number in range(1, 20)],
    ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"],
    [*"ABCDEFGH"],
)
_MANY = 6
_UNEVEN = 5  # times as many lines in one part as in others


def find_numbered(lines: Sequence[Line]) -> list[int]:
    """Return the lines that are numbered on from 1 to the last of a text, and never again."""
    found: dict[str, list[tuple[int, int]]] = {}
    for line in lines:
        forms = {head.number for head in line.heads if "1" in head.number}
        if forms and (number := _NUMBER.search(line.text)):
            found.setdefault(min(forms), []).append((line.at, int(number[0])))
    runs = [
        [at for at, _ in run]
        for run in found.values()
        if len(run) >= 3 and [number for _, number in run] == [*range(1, len(run) + 1)]
    ]
    return runs[0] if len(runs) == 1 else []


def find_ruled(lines: Sequence[Line]) -> list[int]:
    """Return the first line of each part of a text that lines drawn across part as cards are."""
    drawn = {line.at for line in lines if line.block.kind == "rule"}
    firsts = [at + 1 for at in sorted(drawn) if at + 1 < len(lines) and at + 1 not in drawn]
    starts = [at + _heads_first(lines, at) for at in firsts]
    if len(starts) < _MANY or any(lines[at].block.kind == "heading" for at in starts):
        return []
    parts = [end - start for start, end in pairwise([*starts, len(lines) + 1])]
    titled = 4 * sum(part <= 2 for part in parts) > len(parts)  # between two lines drawn across
    even = not titled and median(parts) > 2 and max(parts) <= _UNEVEN * median(parts)
    return starts if even else []


def _heads_first(lines: Sequence[Line], at: int) -> bool:
    """Whether a line is the title of a chapter, right above the name of its first card."""
    below = lines[at + 1 : at + 2]
    return lines[at].block.kind == "heading" and any(line.first for line in below)


def find_series(lines: Sequence[Line]) -> frozenset[int]:
    """Return the titles that stand alone and are numbered on: "II. Arms", "B.2 Exploration"."""
    found: dict[str, list[tuple[int, str]]] = {}
    for line, below in pairwise(lines):
        match = _IN_SERIES.match(line.text)
        alone = not line.block.cells and line.apart and below.apart
        ended = line.ends_sentence and not line.text.endswith("?")
        if match and alone and line.words <= _MOST_IN_SERIES and not ended:
            number = match["number"] or match["letters"]
            found.setdefault(match["part"] or "", []).append((line.at, number))
    return frozenset(
        at
        for run in found.values()
        if len(run) >= 2 and any([one for _, one in run] == names[: len(run)] for names in _SERIES)
        for at, _ in run
    )


def find_alone(lines: Sequence[Line]) -> frozenset[int]:
    """Return the titles that stand alone right above a name with its text tight below it."""
    tight = [
        line.at
        for line, below in pairwise(lines)
        if _may_be_title(line) and not below.apart and below.block.kind in ("line", *STATS)
    ]
    names = {at: (lines[at].face, lines[at].size) for at in tight}
    alone = [at - 1 for at in tight if at and _may_be_title(lines[at - 1])]
    usual = Counter(names.values()).most_common(1)
    even = all(names[at + 1] == usual[0][0] for at in alone)
    few = len(alone) > 1 and 2 * len(alone) <= len(tight)
    return frozenset(alone) if few and even else frozenset()


def _may_be_title(line: Line) -> bool:
    plain = line.block.kind == "line" and line.apart and line.label is None
    return plain and any(head.ending == "whole" for head in line.heads)
