"""Where a text has gutters: blanks below one another, with text that runs on to either side.

The blanks of a table, of a list of prices or of justified lines are no gutter. Knows nothing of the
order in which columns are read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from statistics import mean
from typing import NamedTuple

from cardgen.importing.reading.text_cuts import GAP, WANDER, Cut, Row, cut_row, cut_rows, divide

_WIDE_GAP = re.compile(r"\s{3,}")
_WORD = re.compile(r"[^\W\d_]{2,}")
# Lists whose items show what they are: signs, bullets, numbers, and the leaders of a contents page.
_MARKED = re.compile(
    r"[-+–−]\s?\d|[-*+•●▪◦‣·■□]\s|\d{1,2}[.)]\s|\d{1,2}(?:-\d{1,2})?\s{2,}|\S.*\.{2,}\s*\d+$"
)

ELSEWHERE = 8  # letters by which a gutter wanders from page to page, and where it is narrow
_CANDIDATES = 24
_ENTER = 3.0  # what a gutter must be worth before it counts, in lines that have it
_ENTER_KNOWN = 0.5
_LEAVE = 1.0  # so that the rest of the left column, below the end of the right one, belongs to it
_CROSSED = -1.5
_TIGHT = -0.5
_EXACT = 0.1
_WIDEST_BLANK = 3  # in a line that is justified
_LEAST_WIDE = 6  # one in so many lines ends well before the gutter
_WORDS_OF_TEXT = 4  # in a line


class Segment(NamedTuple):
    rows: Sequence[Row]
    gutters: tuple[int, ...]  # for each row; none where there are no columns


class _Path(NamedTuple):
    worth: float
    inside: list[bool]


def find_segments(
    rows: Sequence[Row], known: frozenset[int], banned: frozenset[int]
) -> Iterator[Segment]:
    """The rows in runs that have the same gutter, or none."""
    enter = _ENTER_KNOWN if known else _ENTER
    places = [place for place in _list_candidates(rows, known) if place not in banned]
    paths = [_find_path(_rate_rows(rows, place, bool(known)), enter) for place in places]
    best = max(range(len(places)), key=lambda place: paths[place].worth, default=None)
    if best is None or paths[best].worth <= 0:
        yield Segment(rows, ())
        return
    gutter = places[best]
    for inside, run in groupby(
        zip(paths[best].inside, rows, strict=True), key=lambda pair: pair[0]
    ):
        part = [row for _, row in run]
        if inside and _are_columns(part, gutter, bool(known)):
            yield Segment(part, (gutter,) * len(part))
        else:
            yield from find_segments(part, known, banned | {gutter})


def _list_candidates(rows: Sequence[Row], known: frozenset[int]) -> list[int]:
    """Where a column may begin: there several lines go on after a gap, or begin."""
    starts = Counter(
        match.end()
        for row in rows
        if not row.bar
        for match in GAP.finditer(row.text.rstrip())
        if match.end() > WANDER
    )
    least = 1 if known else 3
    return [
        place
        for place, count in starts.most_common(_CANDIDATES)
        if count >= least and (not known or any(abs(place - other) <= ELSEWHERE for other in known))
    ]


def _find_path(rates: Sequence[float], enter: float) -> _Path:
    """The rows for which it is worth most to have the gutter."""
    inside, outside = -enter, 0.0
    came: list[tuple[bool, bool]] = []
    for rate in rates:
        came.append((inside >= outside - enter, inside - _LEAVE > outside))
        inside, outside = max(inside, outside - enter) + rate, max(outside, inside - _LEAVE)
    state = inside > outside
    path: list[bool] = []
    for from_inside, from_outside in reversed(came):
        path.append(state)
        state = from_inside if state else from_outside
    return _Path(max(inside, outside), path[::-1])


def _rate_rows(rows: Sequence[Row], gutter: int, known: bool) -> list[float]:
    """What each row says for a gutter, or against it."""
    cuts = [cut_row(row, gutter) for row in rows]
    sides = [divide(row, cut) for row, cut in zip(rows, cuts, strict=True)]
    rates: list[float] = []
    for place, (row, cut, (left, right)) in enumerate(zip(rows, cuts, sides, strict=True)):
        beside = sides[max(0, place - 1) : place] + sides[place + 1 : place + 2]
        exact = _EXACT if cut and cut.start == gutter else 0.0
        if row.bar or row.is_blank:
            rates.append(0.0)
        elif not cut:
            tight = known and row.text[gutter - 1 : gutter].isspace()
            rates.append(_TIGHT if tight else _CROSSED)
        elif left and right:
            rates.append(exact + (1.0 if _is_wordy(left) and _is_wordy(right) else 0.1))
        elif right:
            rates.append(exact + (0.5 if any(other for other, _ in beside) else 0.1))
        else:
            rates.append(0.0)
    return rates


def _is_wordy(text: str) -> bool:
    words = _WORD.findall(text)
    return len(words) > 1 or any(len(word) > 7 for word in words)


def _are_columns(rows: Sequence[Row], gutter: int, known: bool) -> bool:
    cuts = cut_rows(rows, [gutter] * len(rows))
    sides = [divide(row, cut) for row, cut in zip(rows, cuts, strict=True)]
    # Of a side that holds columns itself the one beside the gutter tells.
    left = [_WIDE_GAP.split(one)[-1] for one, _ in sides]
    right = [_WIDE_GAP.split(other)[0] for _, other in sides]
    both = [pair for pair in sides if all(pair)]
    right_cuts = [cut for cut, (_, other) in zip(cuts, sides, strict=True) if cut and other]
    if not any(left) or not _are_aligned(right_cuts, gutter) or _is_table(left, right):
        return False
    wordy = sum(1 for one, other in both if _is_wordy(one) and _is_wordy(other))
    if known and wordy and 2 * wordy >= len(both):
        return True
    goes_on = [
        _count_going_on(
            [text for text, other in zip(side, beside, strict=True) if text or not other]
        )
        for side, beside in ((left, right), (right, left))
    ]
    shares = [
        count / sum(map(bool, side)) for count, side in zip(goes_on, (left, right), strict=True)
    ]
    if min(goes_on) >= 3 and min(shares) >= 0.25:
        return True
    if min(goes_on) >= 1 and min(_count_own_starts(left, right), _count_own_starts(right, left)):
        return True
    marked = [pair for pair in both if all(_MARKED.match(side) for side in pair)]
    return len(marked) >= 3 and len(marked) >= 0.7 * len(both)


def _are_aligned(cuts: Sequence[Cut], gutter: int) -> bool:
    """Whether lines begin below one another, and not wherever a justified line has two blanks."""
    edge = sum(1 for cut in cuts if cut.start == gutter)
    below = sum(1 for one, other in pairwise(cuts) if one.start == other.start)
    wide = sum(1 for cut in cuts if cut.start - cut.end > _WIDEST_BLANK)
    return 2 * max(edge, below) > len(cuts) and _LEAST_WIDE * wide >= len(cuts)


def _is_table(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether each paragraph on the right stands beside a key on the left."""
    first, second = _list_starts(left), _list_starts(right)
    together = len(first & second)
    return (
        together >= 2
        and together >= 0.8 * max(len(first), len(second))
        and mean(map(len, filter(None, left))) < 0.6 * mean(map(len, filter(None, right)))
    )


def _list_starts(side: Sequence[str]) -> set[int]:
    """Where text stands below an empty line."""
    return {place for place in range(1, len(side)) if side[place] and not side[place - 1]}


def _count_own_starts(side: Sequence[str], other: Sequence[str]) -> int:
    """How often a paragraph begins beside the midst of another."""
    return sum(1 for place in _list_starts(side) if other[place] and other[place - 1])


def _count_going_on(side: Sequence[str]) -> int:
    """How many lines go on with what the line above had no more room for."""
    lengths = sorted(len(text) for text in side if text)
    width = lengths[int(0.7 * (len(lengths) - 1))]
    return sum(
        1
        for above, below in pairwise(side)
        if below[:1].islower()
        and len(above.split()) >= _WORDS_OF_TEXT
        and len(above) + len(below.split()[0]) >= 0.8 * width
    )
