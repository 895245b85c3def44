"""Turns a target, a card's size and whether there are backs into the target as it is printed: which
way its paper lies, and whether it is folded.

Must not know what the cards show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Size
from cardgen.pages.grid import fills_sheet, fit_grid
from cardgen.pages.gutterfold import count_places, is_folded
from cardgen.pages.impose import Sides
from cardgen.pages.printer import Printer, complain_of_margins, fit_target
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


_NAMES: Mapping[Sides, str] = {
    "fronts": "--fronts",
    "backs": "--backs",
    "odd": "--sides odd",
    "even": "--sides even",
}


def settle_target(
    target: Target, card: Size, has_back: Sequence[object], sides: Sides = "both"
) -> Target:
    """The target with its paper as it lies; one that is not folded is a grid.

    A gutterfold is printed on one side of the paper, so a part of its sides makes no sense.
    """
    if target.imposition == "contact":
        return target
    if is_folded(card, target, has_back):
        if sides != "both":
            raise CardgenError(
                "pages/todo",
                f'the target "{target.name}" prints fronts and backs on one side of the paper: '
                f"{_NAMES[sides]} means nothing",
                target.find_place("imposition"),
                "leave it out, or choose another target, as --target a4",
            )
        return replace(orient_paper(target, partial(_count_places, card)), duplex="none")
    if target.imposition == "gutterfold":
        target = replace(target, imposition="grid")
    if sides in ("odd", "even"):
        _check_by_hand(target, sides)
    return orient_paper(target, partial(_count_places, card))


def _check_by_hand(target: Target, sides: Sides) -> None:
    """Complain where there is no stack of paper to be turned over."""
    if target.format != "pdf":
        raise CardgenError(
            "pages/todo",
            f'the target "{target.name}" makes pictures: {_NAMES[sides]} means nothing',
            target.find_place("format"),
            "choose a target that makes a PDF, as --target a4",
        )
    if target.duplex == "none" and sides == "even":
        raise CardgenError(
            "pages/todo",
            f'the target "{target.name}" has duplex = "none": its backs are not mirrored, so they '
            "do not fall behind the fronts",
            target.find_place("duplex"),
            'write duplex = "long-edge", or print the backs apart with --backs',
        )


def fit_printer(target: Target, printer: Printer, card: Size) -> Target:
    """A settled target on a printer, which must reach all cards that the sheet holds."""
    fitted = fit_target(target, printer)
    if target.paper is None or target.imposition == "contact" or fills_sheet(card, target.paper):
        return fitted
    try:
        fewer = _count_places(card, fitted) < _count_places(card, target)
    except CardgenError:
        fewer = True
    if fewer:
        raise complain_of_margins(printer, target, card)
    return fitted


def is_lying(target: Target, card: Size) -> bool:
    """Whether the paper of a settled target lies on its side."""
    paper = card if fills_sheet(card, target.page) else target.page
    return paper.width > paper.height


def _count_places(card: Size, target: Target) -> int:
    if target.imposition == "gutterfold":
        return count_places(card, target)
    return len(fit_grid(card, target).cells)


# MERGED: Chooses which way the paper of a target lies: as it is given, or on its side.
#
#   Must not know what the cards show; how many fit is for whoever asks to count.
#
