"""Lines of a page whose columns stand side by side, as text tools lay them out, become one column
after the other.

Told by the blanks alone: where a gutter runs through many lines and text stands on both sides of
it. Knows nothing of what the lines say, but for what tells the column of a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from statistics import median

Numbered = tuple[int, str]

_LEAST_LINES = 6
_LEAST_GUTTER = 3
_LEAST_LETTERS = 11
_BEGINS = re.compile(r"\s*(?:[A-Z0-9•*+\-−–\uf0b7(\"“]|o )")


def cut_columns(lines: Iterable[Numbered]) -> list[Numbered]:
    """All lines in the order in which one reads them; a page is cut by itself."""
    ordered: list[Numbered] = []
    for _, page in groupby(_count_pages(lines), key=lambda entry: entry[0]):
        ordered += _order([line for _, line in page])
    return ordered


def _count_pages(lines: Iterable[Numbered]) -> Iterator[tuple[int, Numbered]]:
    page = 0
    for number, text in lines:
        page += text.count("\f")
        yield page, (number, text)


def _order(lines: Sequence[Numbered]) -> list[Numbered]:
    found = _find_columns([text for _, text in lines])
    if found is None:
        return list(lines)
    start, end, at = found
    band = lines[start:end]
    left = [(number, text[:at].rstrip()) for number, text in band]
    right = [(number, text[at:].rstrip()) for number, text in band]
    above, below = lines[:start], lines[end:]
    gap: list[Numbered] = [(band[0][0], "")]
    return [*_order(above), *gap, *_order(left), *gap, *_order(right), *gap, *_order(below)]


def _find_columns(texts: Sequence[str]) -> tuple[int, int, int] | None:
    """The lines from and to which a gutter runs, and where the right column begins."""
    width = max(map(len, texts), default=0)
    best: tuple[int, int, int] | None = None
    most = 0
    for at in range(_LEAST_LETTERS + _LEAST_GUTTER, width - _LEAST_LETTERS):
        if not any(_starts_at(text, at) for text in texts):
            continue
        start, end = _find_band(texts, at)
        score = _judge(texts[start:end], at)
        if score > most:
            best, most = (start, end, at), score
    return best


def _starts_at(text: str, at: int) -> bool:
    return (
        len(text) > at
        and not text[at].isspace()
        and not text[max(0, at - _LEAST_GUTTER) : at].strip()
    )


def _find_band(texts: Sequence[str], at: int) -> tuple[int, int]:
    """The longest run of lines that keep clear of a gutter."""
    best, start = (0, 0), 0
    for place, text in enumerate([*texts, "x" * (at + 1)]):
        if text[max(0, at - 2) : at].strip():
            if place - start > best[1] - best[0]:
                best = start, place
            start = place + 1
    start, end = best
    # What stands centred above the columns belongs to none.
    while start < end and not texts[start][at:].strip():
        start += 1
    while end > start and not texts[end - 1].strip():
        end -= 1
    return start, end


def _judge(band: Sequence[str], at: int) -> int:
    """How many lines stand side by side; 0 where the right is but the last column of a table."""
    left = [text[:at].strip() for text in band]
    right = [text[at:].strip() for text in band]
    both = sum(1 for one, other in zip(left, right, strict=True) if one and other)
    if min(sum(map(bool, left)), sum(map(bool, right))) < _LEAST_LINES or both < 4:
        return 0
    lengths = [median(len(text) for text in side if text) for side in (left, right)]
    if min(lengths) < _LEAST_LETTERS:
        return 0
    # Text that merely goes on is indented alike; a column of its own begins anew.
    begin = sum(1 for text in band if _starts_at(text, at) and _BEGINS.match(text[at:]))
    filled = sum(map(bool, right))
    if begin < 0.3 * filled:
        return 0
    alone = sum(1 for one, other in zip(left, right, strict=True) if bool(one) != bool(other))
    return both + alone if alone or min(lengths) >= 2 * _LEAST_LETTERS or _are_lists(right) else 0


def _are_lists(texts: Sequence[str]) -> bool:
    """Whether each line of a column has a figure behind its words."""
    rows = sum(1 for text in texts if re.search(r"[A-Za-z]{3}.*\s[+\-−–]?\d\S*$", text))
    return rows >= 0.7 * sum(map(bool, texts))
