"""Where the lines of a text are cut, if a gutter runs down them at a place that is given.

Knows nothing of how a gutter is found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

GAP = re.compile(r"[ \u00a0]{2,}")
_BLANK = re.compile(r"(?<=\S)[ \u00a0](?=\S)")

WANDER = 3  # letters by which a column's edge may be off its usual place
_TIGHT_WANDER = 4
LONGEST_TIGHT = 3  # lines one after the other whose gutter is a single blank
_PARTS_BANDS = 3  # blank lines
_OFF_CENTRE = 2


class Row(NamedTuple):
    number: int
    text: str
    bar: bool = False  # it lies across columns, or parts their bands

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


class Cut(NamedTuple):
    """What is left of `end`, and what is right of `start`."""

    end: int
    start: int


def cut_rows(rows: Sequence[Row], gutters: Sequence[int]) -> list[Cut | None]:
    """The cut of each row at its gutter; none where it lies across, or parts bands."""
    cuts = [cut_row(row, gutter) for row, gutter in zip(rows, gutters, strict=True)]
    for blank, run in groupby(range(len(rows)), key=lambda place: rows[place].is_blank):
        places = list(run)
        if blank and len(places) >= _PARTS_BANDS:
            for place in places:
                cuts[place] = None
        elif not blank:
            _cut_tight(rows, cuts, places)
    _leave_centred(rows, cuts, gutters)
    return cuts


def _leave_centred(rows: Sequence[Row], cuts: list[Cut | None], gutters: Sequence[int]) -> None:
    """What stands in the gutter, as the number of a page, is of neither column."""
    sides = [divide(row, cut) for row, cut in zip(rows, cuts, strict=True)]
    both = [cut for cut, side in zip(cuts, sides, strict=True) if cut and all(side)]
    end = max((cut.end for cut in both), default=0)
    start = min((cut.start for cut in both), default=0)
    for place, (row, gutter) in enumerate(zip(rows, gutters, strict=True)):
        first, last = _measure_indent(row.text), len(row.text.rstrip())
        off_centre = abs((first + last) - (end + gutter)) / 2
        beyond = end / 2 < first < start and last > end and not all(sides[place])
        if beyond and off_centre <= _OFF_CENTRE:
            cuts[place] = None


def _measure_indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def cut_row(row: Row, gutter: int) -> Cut | None:
    """The gap of a row where the gutter is; none where the row lies across it."""
    if row.bar:
        return None
    text = row.text.rstrip()
    gaps = [
        Cut(match.start(), match.end())
        for match in GAP.finditer(text)
        if match.end() >= gutter - WANDER and match.start() < gutter + WANDER
    ]
    if gaps:
        return min(gaps, key=lambda gap: abs(gap.start - gutter))
    return Cut(len(text), len(text)) if len(text) <= gutter else None


def divide(row: Row, cut: Cut | None) -> tuple[str, str]:
    return (row.text[: cut.end].strip(), row.text[cut.start :].strip()) if cut else ("", "")


def _cut_tight(rows: Sequence[Row], cuts: list[Cut | None], places: Sequence[int]) -> None:
    """Rows with but one blank in the gutter, between such as have more."""
    for crossed, run in groupby(places, key=lambda place: cuts[place] is None):
        tight = list(run)
        if not crossed or len(tight) > LONGEST_TIGHT or any(rows[place].bar for place in tight):
            continue
        beside = [place for place in (tight[0] - 1, tight[-1] + 1) if place in places]
        starts = [cut.start for cut in map(cuts.__getitem__, beside) if cut and cut.start > cut.end]
        indent = max((_measure_indent(rows[place].text) for place in beside), default=0) + WANDER
        found = [_find_blank(rows[place].text, starts) for place in tight]
        set_in = any(_measure_indent(rows[place].text) > indent for place in tight)
        if len(beside) == 2 and all(found) and not set_in:
            for place, cut in zip(tight, found, strict=True):
                cuts[place] = cut


def _find_blank(text: str, starts: Sequence[int]) -> Cut | None:
    """The blank nearest to where the right side begins above or below."""
    found = [
        (abs(match.end() - start), match.end())
        for match in _BLANK.finditer(text)
        for start in starts
        if abs(match.end() - start) <= _TIGHT_WANDER
    ]
    return Cut(min(found)[1] - 1, min(found)[1]) if found else None
