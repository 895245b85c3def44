"""Finds the places on a sheet: a grid, centred on the paper.

So the backs fall behind the fronts whichever way the sheet is turned over; hence the wider of two
opposite margins counts on both sides. Must not know how many cards there are, or what they show.
"""

from __future__ import annotations

from typing import NamedTuple

from cardgen.core.errors import CardgenError, Problem
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.units import MM, format_mm
from cardgen.pages.target import Target

# Rounding in lengths that were written in mm or in must not cost a card.
_SLACK = 0.01
_NO_BLEED = Insets()


class Grid(NamedTuple):
    """The trims on a sheet in reading order, and what they take up together."""

    paper: Size
    columns: int
    rows: int
    cells: tuple[Rect, ...]
    bounds: Rect


class _Axis(NamedTuple):
    """One direction of a sheet: what a message calls it, and the lengths along it."""

    lane: str
    extent: str
    card: float
    paper: float
    margin: float
    gap: float
    wanted: int | None

    @property
    def room(self) -> float:
        return self.paper - 2 * self.margin

    def measure(self, lanes: int) -> float:
        return lanes * self.card + (lanes - 1) * self.gap

    def count_most(self) -> int:
        return max(0, int((self.room + self.gap + _SLACK) // (self.card + self.gap)))


def fit_grid(card: Size, target: Target, shown: Insets = _NO_BLEED) -> Grid:
    """Return the target's columns and rows, or as many as fit.

    Where the paper is that of the card, it holds one with the bleed that is shown.

    A card as large as the paper, a play sheet, fills it alone, margins and all. It may also lie on
    its side; then the paper does too.
    """
    if target.paper.size is None:
        return _wrap_card(card, shown)
    if fills_sheet(card, target.paper.size):
        lying = not _is_same(card, target.paper.size)
        paper = (
            Size(target.paper.size.height, target.paper.size.width) if lying else target.paper.size
        )
        sheet = Rect(0, 0, *paper)
        return Grid(paper, 1, 1, (sheet,), sheet)
    across, down = _list_axes(card, target, target.paper.size)
    problems = [
        problem for axis in (across, down) if (problem := _find_problem(axis, target)) is not None
    ]
    if problems:
        raise CardgenError.of(problems)
    return _place_cells(across, down)


def fills_sheet(card: Size, paper: Size) -> bool:
    """Tell whether a card is as large as the paper, or as the paper on its side."""
    return _is_same(card, paper) or _is_same(card, Size(paper.height, paper.width))


def _wrap_card(card: Size, shown: Insets) -> Grid:
    """Return the page of a card and its bleed; the wider of two opposite bleeds counts twice."""
    across, down = max(shown.left, shown.right), max(shown.top, shown.bottom)
    trim = Rect(across, down, *card)
    paper = Size(card.width + 2 * across, card.height + 2 * down)
    return Grid(paper, 1, 1, (trim,), trim)


def _list_axes(card: Size, target: Target, paper: Size) -> tuple[_Axis, _Axis]:
    margin = target.paper.margin
    wide, high = max(margin.left, margin.right), max(margin.top, margin.bottom)
    return (
        _Axis(
            "column", "wide", card.width, paper.width, wide, target.grid.gap_x, target.grid.columns
        ),
        _Axis("row", "high", card.height, paper.height, high, target.grid.gap_y, target.grid.rows),
    )


def _find_problem(axis: _Axis, target: Target) -> Problem | None:
    most, wanted = axis.count_most(), axis.wanted or 1
    if most >= wanted:
        return None
    room = (
        f"the paper's {format_mm(axis.paper)} less 2 x {format_mm(axis.margin)} of margin "
        f"leave {format_mm(axis.room)}"
    )
    if most == 0:
        return Problem(
            "print/card-too-large",
            f'the card is larger than the sheet of target "{target.name}": '
            f"it is {format_mm(axis.card)} {axis.extent}, but {room}",
            target.find_place("paper"),
            "choose a target with larger paper; only a card of exactly the paper's size "
            "may run over its margin",
            details={"needed_mm": round(axis.card / MM, 2), "room_mm": round(axis.room / MM, 2)},
        )
    lanes = f"{axis.lane}s"
    gaps = f" with gaps of {format_mm(axis.gap)}" if axis.gap else ""
    return Problem(
        "print/grid-too-large",
        f'{wanted} {lanes} do not fit target "{target.name}": {wanted} x '
        f"{format_mm(axis.card)}{gaps} need {format_mm(axis.measure(wanted))}, but {room}",
        target.find_place(lanes),
        f"at most {lanes} = {most} fits this card; leave {lanes} out for as many as fit",
        details={"wanted": wanted, "most": most},
    )


def _place_cells(across: _Axis, down: _Axis) -> Grid:
    columns = across.wanted or across.count_most()
    rows = down.wanted or down.count_most()
    width, height = across.measure(columns), down.measure(rows)
    left, top = (across.paper - width) / 2, (down.paper - height) / 2
    cells = tuple(
        Rect(
            left + column * (across.card + across.gap),
            top + row * (down.card + down.gap),
            across.card,
            down.card,
        )
        for row in range(rows)
        for column in range(columns)
    )
    paper = Size(across.paper, down.paper)
    return Grid(paper, columns, rows, cells, Rect(left, top, width, height))


def _is_same(card: Size, paper: Size) -> bool:
    return abs(card.width - paper.width) < _SLACK and abs(card.height - paper.height) < _SLACK
