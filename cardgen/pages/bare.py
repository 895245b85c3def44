"""Turns so many cards into pages that hold a face each and nothing else, to see what they show.

Must not know of any target: nobody prints these pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardgen.geometry import Rect, Size
from cardgen.pages.impose import Page, Placement
from cardgen.pages.target import Side

_SIZE = Size(1, 1)
_WHOLE = Rect(0, 0, *_SIZE)


def lay_bare(count: int, sides: Sequence[Side]) -> Iterator[Page]:
    for index in range(count):
        for side in sides:
            placement = Placement(index, side, _WHOLE, False, _WHOLE)
            yield Page(_SIZE, side, index + 1, _WHOLE, _WHOLE, (placement,), ())
