"""Chooses which way the paper of a target lies: as it is given, or on its side."""

from __future__ import annotations

from collections.abc import Callable

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Size
from cardgen.pages.target import Target


def orient_paper(target: Target, count_places: Callable[[Target], int]) -> Target:
    """Return the target with its paper on its side where more cards fit so; a tie keeps it."""
    if target.paper.orientation == "given" or target.paper.size is None:
        return target
    given = target.change(orientation="given")
    return max(given, lay_on_side(given), key=lambda way: _count(way, count_places))


def lay_on_side(target: Target) -> Target:
    """Return the target with its paper turned by a quarter.

    Whether a printer turns it to the left or to the right is not known, so that the wider of two
    opposite margins counts on both sides.
    """
    size, margin = target.paper.size, target.paper.margin
    if size is None:
        return target
    wide, high = max(margin.left, margin.right), max(margin.top, margin.bottom)
    return target.change(paper=Size(size.height, size.width), margin=Insets(high, wide, high, wide))


def _count(target: Target, count_places: Callable[[Target], int]) -> int:
    try:
        return count_places(target)
    except CardgenError:
        return 0
