"""Chooses which way the paper of a target lies: as it is given, or on its side.

Must not know what the cards show; how many fit is for whoever asks to count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cardgen.errors import CardgenError
from cardgen.geometry import Insets, Size
from cardgen.pages.target import Target


def orient_paper(target: Target, count_places: Callable[[Target], int]) -> Target:
    """The target with its paper on its side where more cards fit so; a tie keeps it as given."""
    if target.orientation == "given" or target.paper is None:
        return target
    upright = replace(target, orientation="given")
    lying = lay_on_side(upright)
    return max(upright, lying, key=lambda way: _count(way, count_places))


def lay_on_side(target: Target) -> Target:
    """The same paper turned by a quarter.

    Whether a printer turns it to the left or to the right is not known, so that the wider of two
    opposite margins counts on both sides.
    """
    if target.paper is None:
        return target
    margin = target.margin
    wide, high = max(margin.left, margin.right), max(margin.top, margin.bottom)
    paper = Size(target.paper.height, target.paper.width)
    return replace(target, paper=paper, margin=Insets(high, wide, high, wide))


def _count(target: Target, count_places: Callable[[Target], int]) -> int:
    try:
        return count_places(target)
    except CardgenError:
        return 0
