"""Line ends moved to better places within the same number of lines: no single short word at the
end.

Knows nothing of fonts or sizes: it works on material and its first, greedy breaks.
"""

from __future__ import annotations

from cardgen.text.lines import SLACK, Material

# A last line is lonely when it is one word of so few letters, or narrower than this share.
SHORT_WORD_LETTERS = 6
SHORT_LAST_LINE = 0.2
# What is bad costs as much as the square of a line's white space, as a share of the width.
BROKEN_WORD = 0.15**2
LONELY_WORD = 1.0
USUAL_GAPS = 6


def polish_breaks(
    material: Material, breaks: list[int], width: float, *, even: bool, last_free: bool = False
) -> list[int]:
    """Better line ends in as many lines: no single short last word.

    `even` also evens out the lines, all of them or (`last_free`) all but the last.
    """
    if len(breaks) < 2:
        return breaks
    if even:
        return _even_breaks(material, breaks, width, last_free)
    last, before = breaks[-2], breaks[-3] if len(breaks) > 2 else 0
    if not _is_short_ending(material, last, width):
        return breaks
    for end in range(last - 1, before, -1):
        if material.ends[-1] - material.starts[end] > width + SLACK:
            break
        if _may_break(material, end) and not _is_short_ending(material, end, width):
            return [*breaks[:-2], end, breaks[-1]]
    # Where the line before has nothing to give, all lines are looked at.
    better = _even_breaks(material, breaks, width, last_free=False)
    return breaks if _is_short_ending(material, better[-2], width) else better


def _is_short_ending(material: Material, start: int, width: float) -> bool:
    """Whether the last line, from this atom on, is one short word."""
    if any(space > 0 for space in material.spaces[start:-1]):
        return False
    if material.ends[-1] - material.starts[start] < SHORT_LAST_LINE * width:
        return True
    return sum(len(word.text) for word in material.words[start:]) <= SHORT_WORD_LETTERS


def _may_break(material: Material, end: int) -> bool:
    return material.spaces[end - 1] > 0 and material.stops[end - 1] < material.stops[end]


def _even_breaks(material: Material, breaks: list[int], width: float, last_free: bool) -> list[int]:
    """The ends that make the white space least, each within what the line count allows."""
    starts, stops = material.starts, material.stops
    latest = breaks
    earliest = _find_earliest(material, len(breaks), width)
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    final = len(breaks) - 1
    for number, (low, high) in enumerate(zip(earliest, latest, strict=True)):
        reached: dict[int, tuple[float, tuple[int, ...]]] = {}
        for end in range(low, high + 1):
            if end < len(starts) and stops[end - 1] == stops[end]:
                continue
            for at, (cost, path) in best.items():
                room = width + SLACK - (stops[end - 1] - starts[at])
                if at >= end or room < 0:
                    continue
                total = cost
                if number < final or not last_free:
                    total += _weigh_room(material, at, end, room / width, justified=last_free)
                if number < final and not _may_break(material, end):
                    total += BROKEN_WORD
                if number == final and _is_short_ending(material, at, width):
                    total += LONELY_WORD
                if end not in reached or total < reached[end][0]:
                    reached[end] = (total, (*path, end))
        best = reached
    return list(best[len(starts)][1]) if len(starts) in best else breaks


def _weigh_room(material: Material, at: int, end: int, share: float, *, justified: bool) -> float:
    """What a line's white space costs, given its share of the width.

    In a justified line the word spaces have to take it, so that few of them look worse.
    """
    if not justified:
        return share * share
    gaps = sum(space > 0 for space in material.spaces[at : end - 1])
    return (share * USUAL_GAPS / max(gaps, 0.5)) ** 2


def _find_earliest(material: Material, lines: int, width: float) -> list[int]:
    """For each line the first atom at which it may end so that the rest fits in the lines left."""
    starts, stops = material.starts, material.stops
    earliest = [len(starts)]
    for _ in range(lines - 1):
        at = earliest[-1] - 1
        limit = stops[at] - width - SLACK
        while at > 0 and starts[at - 1] >= limit:
            at -= 1
        earliest.append(max(at, 1))
    return earliest[::-1]
