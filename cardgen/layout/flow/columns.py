"""Slabs shared out among columns and stretched to their room. Pure arithmetic.

A slab is a line, a table or a band: no column cuts it in two, and it draws itself where it is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import inf
from typing import NamedTuple

from cardgen.layout.face import Item

ROUNDING = 1e-6
TRIALS = 24  # each halves what is left to find of the even height
MOST = 2.5  # times itself, to which a space is stretched
EMPTIEST = 1 / 3  # of a room that is stretched to; where more stays empty, nothing is gained


class Slab(NamedTuple):
    height: float
    above: float  # space above it, unless it begins a column
    keeps: bool  # together with the next slab
    draw: Callable[[float, float, list[Item]], None]
    tail: float = 0.0  # space below it that is never stretched, unless it ends a column


class Filled(NamedTuple):
    """Slabs shared out among columns, and the height of the tallest."""

    columns: list[list[Slab]]
    height: float


def fill_columns(slabs: Sequence[Slab], count: int, limit: float | None) -> Filled:
    """Share slabs out among columns: up to `limit` high; as evenly as can be where it is None."""
    groups = _group_kept(slabs)
    spans = _Spans(groups)
    if limit is not None and limit < inf:
        starts, height = spans.pack(count, limit)
        return Filled(_join(groups, [*starts, len(groups)]), height)
    low = max((_measure_height(group) for group in groups), default=0.0)
    high = _measure_height(list(slabs))
    low = max(low, high / count * 0.5)
    for _ in range(TRIALS):
        middle = (low + high) / 2
        if spans.pack(count, middle)[1] <= middle + ROUNDING:
            high = middle
        else:
            low = middle
    return _even_out(groups, count, spans.pack(count, high)[1])


def fill_room(slabs: Sequence[Slab], count: int, room: float) -> Filled:
    """Share out slabs that fit a room: with the smallest hole after stretching, then evenly."""
    groups = _group_kept(slabs)
    spans = _Spans(groups)
    # For each number of groups placed so far: the largest hole at the foot of a column, at best.
    best: dict[int, float] = {0: 0.0}
    for _ in range(count):
        reached: dict[int, float] = {}
        for start, hole in best.items():
            for end in range(start, len(groups) + 1):
                if spans.height(start, end) > room + ROUNDING:
                    break
                worst = max(hole, spans.measure_hole(start, end, room))
                reached[end] = min(reached.get(end, inf), worst)
        best = reached
    return _even_out(groups, count, room, best[len(groups)])


def list_tops(column: Sequence[Slab], room: float) -> list[float]:
    """Return where the slabs of a column begin, the spaces stretched to fill the room."""
    spaces = sum(slab.above for slab in column[1:])
    spare = max(room - _measure_height(column), 0.0)
    stretch = min(1 + spare / spaces, MOST) if spaces else 1.0
    tops: list[float] = []
    top = 0.0
    for place, slab in enumerate(column):
        top += slab.above * stretch if place else 0.0
        tops.append(top)
        top += slab.height + slab.tail
    return tops


def measure_hole(column: Sequence[Slab], room: float) -> float:
    """Return the height left at the foot of a column that is stretched as far as it may be."""
    return _Spans([list(column)]).measure_hole(0, 1, room) if column else room


def is_worth_stretching(columns: Sequence[Sequence[Slab]], room: float) -> bool:
    """Whether any column, stretched, leaves no more than a part of its room empty."""
    return any(measure_hole(column, room) <= room * EMPTIEST for column in columns)


class _Spans:
    """Measures of the column that reaches from one group to another, taken from sums."""

    def __init__(self, groups: Sequence[list[Slab]]) -> None:
        spaces = (sum(slab.above for slab in group) for group in groups)
        self._outer = list(accumulate(map(_measure_outer, groups), initial=0.0))
        self._spaces = list(accumulate(spaces, initial=0.0))
        self._aboves = [group[0].above for group in groups]
        self._tails = [group[-1].tail for group in groups]

    def height(self, start: int, end: int) -> float:
        if start == end:
            return 0.0
        outer = self._outer[end] - self._outer[start]
        return outer - self._aboves[start] - self._tails[end - 1]

    def measure_hole(self, start: int, end: int, room: float) -> float:
        if start == end:
            return room
        spaces = self._spaces[end] - self._spaces[start] - self._aboves[start]
        return max(room - self.height(start, end) - spaces * (MOST - 1), 0.0)

    def pack(self, count: int, limit: float) -> tuple[list[int], float]:
        """Fill column after column up to the limit; what is left over stays in the last one.

        Return where they begin, and the height of the tallest.
        """
        starts, start, tallest = [0], 0, 0.0
        for end in range(1, len(self._tails) + 1):
            height = self.height(start, end)
            if height > limit + ROUNDING and end - start > 1 and len(starts) < count:
                start = end - 1
                starts.append(start)
                height = self.height(start, end)
            tallest = max(tallest, height)
        return starts, tallest


def _even_out(groups: Sequence[list[Slab]], count: int, limit: float, hole: float = inf) -> Filled:
    """Return the columns whose heights differ least, within a limit of height and one of hole."""
    spans = _Spans(groups)
    # For each number of groups placed so far: the sum of squared heights, and the columns' ends.
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for _ in range(count):
        reached: dict[int, tuple[float, tuple[int, ...]]] = {}
        for start, (cost, ends) in best.items():
            for end in range(start, len(groups) + 1):
                height = spans.height(start, end)
                if height > limit + ROUNDING:
                    break
                if hole < inf and spans.measure_hole(start, end, limit) > hole + ROUNDING:
                    continue
                total = cost + height * height
                if end not in reached or total < reached[end][0]:
                    reached[end] = (total, (*ends, end))
        best = reached
    _, ends = best[len(groups)]
    columns = _join(groups, (0, *ends))
    return Filled(
        [column for column in columns if column] or [[]], max(map(_measure_height, columns))
    )


def _join(groups: Sequence[list[Slab]], bounds: Sequence[int]) -> list[list[Slab]]:
    """Return the slabs of the groups between each two bounds."""
    return [[slab for group in groups[a:b] for slab in group] for a, b in pairwise(bounds)]


def _measure_outer(group: Sequence[Slab]) -> float:
    """Return the height of slabs with the space above and below."""
    return sum(slab.above + slab.height + slab.tail for slab in group)


def _group_kept(slabs: Sequence[Slab]) -> list[list[Slab]]:
    """Return the slabs in groups that stay together."""
    groups: list[list[Slab]] = []
    keeps = False
    for slab in slabs:
        if keeps:
            groups[-1].append(slab)
        else:
            groups.append([slab])
        keeps = slab.keeps
    return groups


def _measure_height(slabs: Sequence[Slab]) -> float:
    """Return the height of slabs in a column of their own."""
    return _measure_outer(slabs) - slabs[0].above - slabs[-1].tail if slabs else 0.0
