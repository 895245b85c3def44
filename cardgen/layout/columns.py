"""Slabs, which no column parts, shared out among columns. Pure arithmetic.

Knows nothing of what a slab shows; it draws itself where it is told to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import inf
from typing import NamedTuple

from cardgen.layout.face import Item

ROUNDING = 1e-6
TRIALS = 24  # each halves what is left to find of the even height


class Slab(NamedTuple):
    height: float
    above: float  # space above it, unless it begins a column
    keeps: bool  # together with the next slab
    draw: Callable[[float, float, list[Item]], None]


class Filled(NamedTuple):
    """Slabs shared out among columns, and the height of the tallest."""

    columns: list[list[Slab]]
    height: float


def fill_columns(slabs: Sequence[Slab], count: int, limit: float | None) -> Filled:
    """Share slabs out among columns: up to `limit` high, or where None as even as can be."""
    groups = _group(slabs)
    if limit is not None and limit < inf:
        return _pack(groups, count, limit)
    low = max((_height(group) for group in groups), default=0.0)
    high = _height(list(slabs))
    low = max(low, high / count * 0.5)
    for _ in range(TRIALS):
        middle = (low + high) / 2
        if _pack(groups, count, middle).height <= middle + ROUNDING:
            high = middle
        else:
            low = middle
    packed = _pack(groups, count, high)
    return _even_out(groups, count, packed.height)


def _even_out(groups: Sequence[list[Slab]], count: int, limit: float) -> Filled:
    """The columns, none above the least height there is, whose heights differ least."""
    sums = list(accumulate((_outer(group) for group in groups), initial=0.0))
    aboves = [group[0].above for group in groups]
    # For each number of groups placed so far: the squared heights, and where the columns end.
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for _ in range(count):
        reached: dict[int, tuple[float, tuple[int, ...]]] = {}
        for start, (cost, ends) in best.items():
            for end in range(start, len(groups) + 1):
                height = sums[end] - sums[start] - aboves[start] if end > start else 0.0
                if height > limit + ROUNDING:
                    break
                total = cost + height * height
                if end not in reached or total < reached[end][0]:
                    reached[end] = (total, (*ends, end))
        best = reached
    _, ends = best[len(groups)]
    bounds = pairwise((0, *ends))
    columns = [[slab for group in groups[a:b] for slab in group] for a, b in bounds]
    return Filled([column for column in columns if column] or [[]], limit)


def _outer(group: Sequence[Slab]) -> float:
    return sum(slab.above + slab.height for slab in group)


def _group(slabs: Sequence[Slab]) -> list[list[Slab]]:
    groups: list[list[Slab]] = []
    keeps = False
    for slab in slabs:
        if keeps:
            groups[-1].append(slab)
        else:
            groups.append([slab])
        keeps = slab.keeps
    return groups


def _height(slabs: Sequence[Slab]) -> float:
    return sum(slab.height + (slab.above if place else 0.0) for place, slab in enumerate(slabs))


def _pack(groups: Sequence[list[Slab]], count: int, limit: float) -> Filled:
    """Fill column after column up to the limit; what is left over stays in the last one."""
    columns: list[list[Slab]] = [[]]
    height = 0.0
    for group in groups:
        grown = _height([*columns[-1], *group])
        if columns[-1] and grown > limit + ROUNDING and len(columns) < count:
            columns.append([])
            grown = _height(group)
        columns[-1] += group
        height = max(height, grown)
    return Filled(columns, height)
