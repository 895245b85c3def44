"""Sheets that are printed on one side, folded and glued: fronts beside their backs.

Think of a sheet printed on both sides whose backs are folded out: about an upright axis to the
right of the fronts, about a level one below them. So the halves are imposed as the two sides of a
sheet are, and moved apart. Must not know what the faces show.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, Self

from cardgen.core.errors import CardgenError, Problem
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.shape import RECTANGLE, Shape
from cardgen.core.units import MM, format_mm
from cardgen.pages.impose import Note, Page, Placement, impose
from cardgen.pages.marks import Mark, draw_cut, find_span, place_marks
from cardgen.pages.places import Grid, fit_grid
from cardgen.pages.printer import Printer, reach_places
from cardgen.pages.sheets.protocol import Batch, Sheets
from cardgen.pages.slug import ASCENT, DESCENT, SIZE
from cardgen.pages.target import Duplex, Target

FOLD_DASH = (3.0, 2.0)
_WORD = "fold"
# The length of the word along the fold.
_WORD_LENGTH = 2.0 * SIZE
_BESIDE = 1.0
_SLACK = 0.01


@dataclass(frozen=True, slots=True)
class GutterfoldSheets(Sheets):
    """For each sheet one page; both sides are printed, whatever the choice."""

    @property
    def compares_faces(self) -> bool:
        return False

    def lay(self, batch: Batch) -> Iterator[Page]:
        return fold_sheets(
            *(len(batch.copies), self.card, batch.bleed, self.target),
            back_bleed=batch.back_bleed,
            backs=[copy.back for copy in batch.copies],
            used=self.used,
            shape=self.shape,
        )

    def fit_printer(self, printer: Printer) -> Self:
        fold = self.target.grid.fold
        return replace(self, target=reach_places(printer, self.target, self.card, fold))

    def count_places(self) -> int:
        return count_places(self.card, self.target)


def count_places(card: Size, target: Target) -> int:
    """Return how many cards, each with its back, a sheet holds."""
    return len(fit_grid(card, _fit_half(card, target)).cells)


def fold_sheets(
    count: int,
    card: Size,
    bleed: Insets,
    target: Target,
    *,
    back_bleed: Insets | None = None,
    backs: Sequence[object] | bool = True,
    used: Collection[int] = (),
    shape: Shape = RECTANGLE,
) -> Iterator[Page]:
    """Return the sheets, one by one: each a page with the fronts and backs of its cards."""
    half = _fit_half(card, target)
    lay = partial(impose, card=card, bleed=bleed, target=half, back_bleed=back_bleed, shape=shape)
    pages = list(lay(count, backs=backs, used=used))
    behind = {page.number: page for page in pages if page.side == "back"}
    # Where no card of a sheet has a back, the paper of that half stays white.
    empty = next(lay(1, sides="backs"))
    for front in pages:
        if front.side == "front":
            back = behind.get(front.number, empty._replace(placements=(), marks=()))
            yield _join(front, back, target)


class _Axis(NamedTuple):
    """The direction in which the halves lie side by side.

    key: that of the target which says how many lie there
    """

    key: str
    card: float
    paper: float
    margin: float
    gap: float
    wanted: int | None


def _fit_half(card: Size, target: Target) -> Target:
    """Return the target of one half, on the paper of both: with as many lanes as fit twice."""
    paper, margin, upright = target.page, target.paper.margin, target.grid.fold == "upright"
    if upright:
        edge = max(margin.left, margin.right)
        axis = _Axis(
            "columns", card.width, paper.width, edge, target.grid.gap_x, target.grid.columns
        )
    else:
        edge = max(margin.top, margin.bottom)
        axis = _Axis("rows", card.height, paper.height, edge, target.grid.gap_y, target.grid.rows)
    room = (axis.paper - 2 * axis.margin - target.grid.gutter) / 2
    most = max(0, int((room + axis.gap + _SLACK) // (axis.card + axis.gap)))
    if most < (axis.wanted or 1):
        raise CardgenError.of([_complain(axis, most, target)])
    half = target.change(
        imposition="grid",
        marks="none",
        order="front-back",
        backs="each",
        duplex=_choose_edge(target),
    )
    lanes = axis.wanted or most
    return half.change(**{axis.key: lanes})


def _choose_edge(target: Target) -> Duplex:
    """Return the edge over which a printer would turn the sheet about the same axis."""
    by_long = target.change(duplex="long-edge").find_axis(target.page)
    return "long-edge" if by_long == target.grid.fold else "short-edge"


def _complain(axis: _Axis, most: int, target: Target) -> Problem:
    wanted = axis.wanted or 1
    lanes = f"{wanted} {axis.key}" if wanted > 1 else "the card"
    backs = "their backs" if wanted > 1 else "its back"
    half = wanted * axis.card + (wanted - 1) * axis.gap
    needed = 2 * half + target.grid.gutter
    room = axis.paper - 2 * axis.margin
    hint = (
        f"at most {axis.key} = {most} fits this card"
        if most
        else "choose a target with larger paper, or one that is printed on both sides"
    )
    return Problem(
        "print/fold-too-small",
        f'{lanes} and {backs} do not fit target "{target.name}": '
        f"2 x {format_mm(half)} and a gutter of {format_mm(target.grid.gutter)} need "
        f"{format_mm(needed)}, but the paper's {format_mm(axis.paper)} less "
        f"2 x {format_mm(axis.margin)} of margin leave {format_mm(room)}",
        target.find_place(axis.key if axis.wanted else "paper"),
        hint,
        details={"needed_mm": round(needed / MM, 2), "room_mm": round(room / MM, 2), "most": most},
    )


def _join(front: Page, back: Page, target: Target) -> Page:
    """Return a page of both halves, each half a gutter away from the fold."""
    upright = target.grid.fold == "upright"
    paper = Rect(0, 0, *front.size)
    way = (front.trim.width if upright else front.trim.height) / 2 + target.grid.gutter / 2
    dx, dy = (way, 0.0) if upright else (0.0, way)
    fold = (paper.width if upright else paper.height) / 2
    before = paper._replace(width=fold) if upright else paper._replace(height=fold)
    behind = before.moved(fold, 0) if upright else before.moved(0, fold)
    placements = (
        *(_move(place, -dx, -dy, before) for place in front.placements),
        *(_move(place, dx, dy, behind) for place in back.placements),
    )
    trim = front.trim.moved(-dx, -dy).join(back.trim.moved(dx, dy))
    outer = front.bleed.moved(-dx, -dy).meet(before).join(back.bleed.moved(dx, dy).meet(behind))
    cells = tuple(place.trim for place in placements)
    grid = Grid(front.size, len(cells), 1, cells, trim)
    page = front._replace(trim=trim, bleed=outer, placements=placements, notes=())
    if any(place.shape.is_loose for place in placements):
        fronts = placements[: len(front.placements)] if target.marks.style == "crop" else ()
        cuts = tuple(draw_cut(place.trace(), target.marks) for place in fronts)
        page = page._replace(cuts=cuts)
    else:
        page = page._replace(marks=place_marks(grid, range(len(cells)), outer, target))
    return _mark_fold(page, target, fold)


def _move(place: Placement, dx: float, dy: float, half: Rect) -> Placement:
    clip = place.clip.moved(dx, dy).meet(half)
    polygon = tuple((x + dx, y + dy) for x, y in place.polygon)
    return replace(place, trim=place.trim.moved(dx, dy), clip=clip, polygon=polygon)


def _mark_fold(page: Page, target: Target, fold: float) -> Page:
    """Return the page with a dashed line at both ends of its fold, and the word beside it."""
    upright, margin, weight = (
        target.grid.fold == "upright",
        target.paper.margin,
        target.marks.weight,
    )
    if upright:
        near, far, size = page.trim.y, page.trim.bottom, page.size.height
        bleeds = near - page.bleed.y, page.bleed.bottom - far
        rooms = near - margin.top, size - margin.bottom - far
    else:
        near, far, size = page.trim.x, page.trim.right, page.size.width
        bleeds = near - page.bleed.x, page.bleed.right - far
        rooms = near - margin.left, size - margin.right - far
    marks, notes = list(page.marks), list(page.notes)
    for edge, sign, bleed, room in ((near, -1, bleeds[0], rooms[0]), (far, 1, bleeds[1], rooms[1])):
        span = find_span(bleed, room, replace(target.marks, length=2 * target.marks.length))
        if span is None:
            continue
        start, end = sorted((edge + sign * span.near, edge + sign * span.far))
        if upright:
            marks.append(Mark(fold, start, fold, end, weight, FOLD_DASH))
        else:
            marks.append(Mark(start, fold, end, fold, weight, FOLD_DASH))
        beside = target.grid.gutter / 2 - weight - 2 * _BESIDE
        if end - start < _WORD_LENGTH or beside < (ASCENT + DESCENT) * SIZE:
            continue
        if upright:
            x = fold + _BESIDE + ASCENT * SIZE
            notes.append(Note(_WORD, x, end, end - start, SIZE, upward=True))
        else:
            notes.append(Note(_WORD, start, fold - _BESIDE - DESCENT * SIZE, end - start, SIZE))
    return page._replace(marks=tuple(marks), notes=tuple(notes))
