"""Rows that begin with 1, 2-3, 4+ become a table of what a die shows, or a numbered list.

Known by their numbers, each of which follows on the one before. Knows nothing of headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from cardgen.importing.model import Doubt
from cardgen.importing.sheets.lines import Flow, SheetLine
from cardgen.importing.sheets.pieces import Row
from cardgen.importing.sheets.rows import Rows, read_keyed, read_numbers
from cardgen.importing.sheets.runs import Found, Run, gather, list_rows, list_sources
from cardgen.importing.sheets.tables import EMPTY, make_table
from cardgen.importing.sheets.words import speaks_of_dice

_DIE = re.compile(r"\d?[dDwW]\d{1,3}\b")
_MARKS = " .):=-–—"
_SIDES = 100  # of the largest die


def read_dice(lines: Sequence[SheetLine], at: int, flow: Flow) -> Found | None:
    """Return the die table that begins at a line."""
    if lines[at].row:
        return None  # "1 AP: walk" counts something else
    head = _read_head(lines, at)
    runs, end = gather(lines, at + 1 if head else at, _read_next, flow)
    rows = list_rows(runs)
    headed = len(runs) > 1 and runs[1].line.gap and read_numbers(rows[0][0].text) > (1, 1)
    if len(rows) < 2 or (headed and read_numbers(rows[1][0].text) == (1, 1)):
        return None  # "2. Fire" is a heading above "1. Roll"
    sources = (*(lines[at].sources if head else ()), *list_sources(runs))
    keyed = [(key.strip(_MARKS), text) for key, text in rows]
    return Found(
        (make_table(head or (EMPTY, EMPTY), keyed, sources, tuple(_list_doubts(rows))),), end
    )


def _read_next(line: SheetLine, last: Run | None) -> Rows | None:
    """Return the entries of a line that go on from those above in the same direction."""
    return read_keyed(line, last.rows[-1][0].text if last else None)


def _read_head(lines: Sequence[SheetLine], at: int) -> Row | None:
    """`D6  Result` above the entries."""
    line, below = lines[at], lines[at + 1] if at + 1 < len(lines) else None
    if line.kind != "line" or below is None or below.gap or line.ended:
        return None
    if not read_keyed(below, None) or read_keyed(line, None):
        return None
    if len(line.cells) == 2:
        return line.cells
    first, _, rest = line.text.partition(" ")
    die = _DIE.fullmatch(first) and len(rest.split()) < 5
    if not rest or not (die or (" " not in rest and speaks_of_dice(first))):
        return None
    return line.content.cut(0, len(first)), line.content.cut(len(first)).strip(" :/-–")


def _list_doubts(rows: Sequence[Row]) -> Iterator[Doubt]:
    """Yield a doubt about numbers that a die shows and the table has not."""
    keys = [read_numbers(key.text) for key, _ in rows]
    covered = {number for low, high in keys for number in range(low, min(high, low + _SIDES) + 1)}
    steps = [low - end for (_, end), (low, _) in pairwise(sorted(keys))]
    doubled = any(step > 1 for step in steps) and all(step in (1, 5) for step in steps)
    missing = sorted({*range(min(covered), max(covered) + 1)} - covered)
    missing = [number for number in missing if not doubled or number % 10 in range(1, 7)]
    if min(covered) == 1 and max(covered) in (4, 5) and "+" not in rows[-1][0].text:
        missing += range(max(covered) + 1, 7)
    if missing:
        first = rows[0][1].text[:30]
        said = f'the die table from "{first}" has no line for {", ".join(map(str, missing))}'
        yield Doubt("die-lines", said, 0.7, first)
