"""A length shared out among neighbours: what each wants, what grows, what may give way. Pure
arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence

TOLERANCE = 0.02


def share_out(
    room: float, wanted: Sequence[float], grows: Sequence[float], softs: Sequence[bool]
) -> list[float] | None:
    """The length of each neighbour; None if they need more than the room.

    What is left over goes to those that grow. Where too little is left, the soft ones give way: the
    longest first, until all soft ones are equally long.
    """
    total = sum(wanted)
    if total > room + TOLERANCE:
        soft = [length for length, is_soft in zip(wanted, softs, strict=True) if is_soft]
        limit = find_limit(soft, room - (total - sum(soft)))
        if limit is None:
            return None
        wanted = [
            min(length, limit) if is_soft else length
            for length, is_soft in zip(wanted, softs, strict=True)
        ]
        total = sum(wanted)
    growing = sum(grows)
    if not growing:
        return list(wanted)
    spare = max(room - total, 0.0)
    return [length + spare * grow / growing for length, grow in zip(wanted, grows, strict=True)]


def find_limit(lengths: Sequence[float], room: float) -> float | None:
    """The limit to which the longest must be cut so that all fit the room; None if nothing is
    left.
    """
    if not lengths or room <= 0:
        return None
    left, rest = room, len(lengths)
    for length in sorted(lengths):
        if length * rest > left:
            return left / rest
        left -= length
        rest -= 1
    return max(lengths)
