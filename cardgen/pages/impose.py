"""Turns copies of one size into pages: which copy lies where, on which side, which way up.

All of it is arithmetic on rectangles. Must not know what the faces show or how a page is written.

Each side of a sheet is described as one looks at it, from its own top left corner. How the two lie
behind each other depends on the edge over which the printer turns the sheet, and on its shape:

    paper      turned over  that is, about  behind (x, y) lies  backs
    portrait   long edge    upright axis    (width - x, y)      columns mirrored, upright
    portrait   short edge   level axis      (x, height - y)     rows mirrored, turned
    landscape  long edge    level axis      (x, height - y)     rows mirrored, turned
    landscape  short edge   upright axis    (width - x, y)      columns mirrored, upright

A sheet turned about its level axis shows its back upside down; there the backs are turned by 180
degrees, so that every card's top is the top of its back. Square paper counts as portrait. The grid
is centred, hence a mirrored cell is a cell again. Where the page is the card nothing is mirrored or
turned: all pages are upright, as in a book.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal, NamedTuple, Protocol

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Matrix, Rect, Size
from cardgen.core.shape import RECTANGLE, Contour, Shape
from cardgen.pages.marks import (
    Cut,
    Mark,
    draw_cut,
    draw_registration,
    list_taken,
    place_marks,
    place_registration,
)
from cardgen.pages.nest import Polygon, clip_places, fit_nest, mirror_places
from cardgen.pages.places import Grid, fit_grid
from cardgen.pages.target import Side, Target

# "odd" and "even" are the two stacks of a printer that prints one side: the backs keep in step.
Sides = Literal["both", "fronts", "backs", "odd", "even"]


@dataclass(frozen=True, slots=True)
class Placement:
    """One face on a page.

    index: of the copy among all copies of the deck's cards
    turned: by 180 degrees about the centre of its trim
    clip: how far its bleed may paint
    scale: of the face; its trim has that scale already
    shape: what is cut out, as it is seen on this side
    polygon: the part of the clip that it may paint; all of it where there are no corners
    """

    index: int
    side: Side
    trim: Rect
    turned: bool
    clip: Rect
    scale: float = 1.0
    shape: Shape = RECTANGLE
    polygon: Polygon = ()

    def trace(self) -> Contour:
        """Return the line along which it is cut out."""
        return self.shape.trace(self.trim, turned=self.turned, scale=self.scale)


class Note(NamedTuple):
    """A line of text outside the cards, from (x, y) on its baseline, to the right or upwards.

    width: the room that it has; a longer one is set smaller
    """

    text: str
    x: float
    y: float
    width: float
    size: float
    upward: bool = False
    centred: bool = False


class Page(NamedTuple):
    """One side of a sheet; front and back share the sheet's number, which counts from 1.

    trim, bleed: those of the full grid, so that all pages of a deck agree
    correction: what undoes the faults of the printer, in points from the page's top left corner
    cuts: the lines of cards that are no rectangles
    below: which page of the target's base lies below
    """

    size: Size
    side: Side
    number: int
    trim: Rect
    bleed: Rect
    placements: tuple[Placement, ...]
    marks: tuple[Mark, ...]
    notes: tuple[Note, ...] = ()
    correction: Matrix | None = None
    cuts: tuple[Cut, ...] = ()
    below: int | None = None


def impose(
    count: int,
    card: Size,
    bleed: Insets,
    target: Target,
    *,
    back_bleed: Insets | None = None,
    sides: Sides = "both",
    backs: Sequence[object] | bool = True,
    used: Collection[int] = (),
    shape: Shape = RECTANGLE,
    in_step: bool = False,
) -> Iterator[Page]:
    """Return the pages for `count` copies, one by one, in the target's order.

    `backs` tells which back each copy has: equal ones look the same, and None or False is none. The
    `used` places of the first sheet stay empty: somebody has cut them out already.

    Where any card has a back, each sheet has a back page, be it empty: so a file keeps in step when
    it is printed on both sides; `in_step` says that other cards of the file have backs. Without
    duplex the backs are written only when asked for alone, and are not mirrored then. A card that
    does not fit the target is an error at once, not at the first page.
    """
    on_front = target.show_bleed("front", bleed)
    on_back = target.show_bleed("back", bleed if back_bleed is None else back_bleed)
    if shape.is_loose and target.paper.size is not None:
        grid = fit_loose(card, shape, target)
        front: _Layout = _lay_loose(grid, on_front, target, "front", shape)
        back: _Layout = _lay_loose(grid, on_back, target, "back", shape)
    else:
        grid = fit_grid(card, target, Insets(*map(max, on_front, on_back)))
        front = _lay_out(grid, on_front, target, "front", shape)
        back = _lay_out(grid, on_back, target, "back", shape)
    _check_used(used, grid, target)
    planned = _plan(count, len(grid.cells), target, sides, backs, used, in_step=in_step)
    return ((front if page.side == "front" else back).make_page(*page[1:]) for page in planned)


def fit_loose(card: Size, shape: Shape, target: Target) -> Grid:
    """Return the places of cards that are no rectangles, beside a cutter's marks where it has them.

    A card keeps away from a mark by all the bleed that the target may show.
    """
    most = Insets.even(max(target.show_bleed("front", Insets.even(inf))))
    return fit_nest(card, target, shape, [rect.outset(most) for rect in list_taken(target)])


def lay_bare(count: int, sides: Sequence[Side]) -> Iterator[Page]:
    """Return pages that hold a face each and nothing else: nobody prints them."""
    size, whole = Size(1, 1), Rect(0, 0, 1, 1)
    for index in range(count):
        for side in sides:
            placement = Placement(index, side, whole, False, whole)
            yield Page(size, side, index + 1, whole, whole, (placement,), ())


def _check_used(used: Collection[int], grid: Grid, target: Target) -> None:
    cells, skip = len(grid.cells), len(used)
    places = f'a sheet of the target "{target.name}" has {cells} place{"" if cells == 1 else "s"}'
    if skip >= cells:
        raise CardgenError(
            "print/skip-too-many",
            f"{places}: {skip} cannot be skipped",
            hint=f"skip {cells - 1} at most" if cells > 1 else "leave --skip and --used out",
            details={"skip": skip, "places": cells},
        )
    last = max(used, default=0) + 1
    if last > cells:
        raise CardgenError(
            "print/no-such-place",
            f"{places}, and no place {last}",
            hint="they count from 1 at the top left, row by row",
            details={"place": last, "places": cells},
        )


class _Planned(NamedTuple):
    """A page to be made."""

    side: Side
    number: int
    seats: Sequence[_Seat]


class _Seat(NamedTuple):
    """A place on a sheet, and the copy that takes it."""

    place: int
    copy: int


def _plan(
    count: int,
    capacity: int,
    target: Target,
    sides: Sides,
    backs: Sequence[object] | bool,
    used: Collection[int],
    *,
    in_step: bool,
) -> Iterator[_Planned]:
    """Return which pages there are, in the order of the target."""
    on_front = sides not in ("backs", "even")
    on_back = not on_front or (sides == "both" and target.duplex.edge != "none")
    in_step = sides == "even" or (on_back and target.keeps_step and (in_step or _has_any(backs)))
    seen: set[tuple[object, ...]] = set()
    behind: list[_Planned] = []
    for number, seats in enumerate(_share_out(count, capacity, used), start=1):
        pages = [_Planned("front", number, seats)] if on_front else []
        behind_it = _list_backs(backs, seats) if on_back else []
        if behind_it and target.duplex.backs == "once" and not in_step:
            look = tuple(
                (place, isinstance(backs, bool) or backs[copy]) for place, copy in behind_it
            )
            behind_it = [] if look in seen else behind_it
            seen.add(look)
        if behind_it or in_step:
            # A page that is a card has its card's place, whether there is a back to show or not.
            back = _Planned("back", number, seats if target.paper.size is None else behind_it)
            if target.duplex.order == "fronts-backs":
                behind.append(back)
            else:
                pages.insert(0 if target.duplex.order == "back-front" else len(pages), back)
        yield from pages
    yield from behind


def _share_out(count: int, capacity: int, used: Collection[int]) -> Iterator[Sequence[_Seat]]:
    """Return for each sheet the places that copies take; the first has some that are used."""
    places: Sequence[int] = [place for place in range(capacity) if place not in used]
    first = 0
    while first < count:
        yield [_Seat(*seat) for seat in zip(places, range(first, count), strict=False)]
        first += len(places)
        places = range(capacity)


def _has_any(backs: Sequence[object] | bool) -> bool:
    return backs if isinstance(backs, bool) else any(back not in (None, False) for back in backs)


def _list_backs(backs: Sequence[object] | bool, seats: Sequence[_Seat]) -> Sequence[_Seat]:
    """Return the seats whose cards have a back."""
    if isinstance(backs, bool):
        return seats if backs else []
    return [seat for seat in seats if backs[seat.copy] not in (None, False)]


class _Flip(NamedTuple):
    """How the grid of the backs lies once the sheet is turned over."""

    columns: bool
    rows: bool


class _Layout(Protocol):
    """The part that all pages of a side share."""

    def make_page(self, number: int, seats: Sequence[_Seat]) -> Page:
        """Return the page with each copy on its place."""
        ...


class _GridLayout(NamedTuple):
    """Cards in rows; cells and clips stand in the order of the cards."""

    grid: Grid
    target: Target
    side: Side
    turned: bool
    cells: tuple[int, ...]
    shown: Insets
    clips: tuple[Rect, ...]
    bleed: Rect
    marked: bool
    marks: tuple[Mark, ...]
    shape: Shape

    def make_page(self, number: int, seats: Sequence[_Seat]) -> Page:
        """Return the page with each copy on its place."""
        trims, clips, marks = self.grid.cells, self.clips, self.marks
        if len(seats) < len(self.cells):
            taken = [self.cells[place] for place, _ in seats]
            found = dict(
                zip(taken, _clip_cells(taken, self.grid, self.shown, self.target), strict=True)
            )
            clips = tuple(found.get(cell, trims[cell]) for cell in self.cells)
            if self.marked:
                marks = _mark(self.grid, taken, self.bleed, self.target) if taken else ()
        placements = tuple(
            Placement(
                copy,
                self.side,
                trims[self.cells[place]],
                self.turned,
                clips[place],
                shape=self.shape,
            )
            for place, copy in seats
        )
        by_die = self.shape.is_loose and self.target.press.die_line == "spot"
        dies = placements if by_die and self.side == "front" else ()
        return Page(
            *(self.grid.paper, self.side, number, self.grid.bounds, self.bleed, placements, marks),
            cuts=tuple(Cut(place.trace(), self.target.marks.weight, spot=True) for place in dies),
        )


def _lay_out(grid: Grid, shown: Insets, target: Target, side: Side, shape: Shape) -> _GridLayout:
    flip = _choose_flip(grid.paper, target) if side == "back" else _Flip(False, False)
    turned = flip.rows
    paper = Rect(0, 0, *grid.paper)
    if turned:
        shown = Insets(shown.right, shown.bottom, shown.left, shown.top)
    cells = tuple(_mirror_cell(place, grid, flip) for place in range(len(grid.cells)))
    clips = tuple(_clip_cells(cells, grid, shown, target))
    outside = _cut_off(grid.bounds.outset(shown), paper)
    marked = target.marks.sides == "both" or side == "front"
    marks = _mark(grid, cells, outside, target) if marked else ()
    seen = shape.mirror() if side == "back" else shape
    return _GridLayout(
        grid, target, side, turned, cells, shown, clips, outside, marked, marks, seen
    )


class _LooseLayout(NamedTuple):
    """Cards that are no rectangles, each where it is; trims stand in the order of the cards.

    clips, cuts: those of a full sheet
    """

    grid: Grid
    target: Target
    side: Side
    turned: bool
    trims: tuple[Rect, ...]
    shown: Insets
    clips: Sequence[tuple[Rect, Polygon]]
    cuts: tuple[Cut, ...]
    bounds: Rect
    bleed: Rect
    shape: Shape

    def make_page(self, number: int, seats: Sequence[_Seat]) -> Page:
        """Return the page with each copy on its place."""
        paper, marks = self.grid.paper, self.target.marks
        trims = [self.trims[place] for place, _ in seats]
        # Where a neighbour is missing the bleed goes on.
        is_full = len(trims) == len(self.trims)
        clips = self.clips if is_full else clip_places(trims, self.shape, self.shown, paper)
        placements = tuple(
            Placement(copy, self.side, trim, self.turned, clip, 1.0, self.shape, polygon)
            for (_, copy), trim, (clip, polygon) in zip(seats, trims, clips, strict=True)
        )
        fills = self.bounds.contains(Rect(0, 0, *paper))
        by_machine = marks.style == "silhouette" and not fills and bool(placements)
        by_machine = by_machine and (marks.sides == "both" or self.side == "front")
        return Page(
            paper,
            self.side,
            number,
            self.bounds,
            self.bleed,
            placements,
            draw_registration(self.target) if by_machine else (),
            cuts=tuple(self.cuts[place] for place, _ in seats) if self.cuts else (),
        )


def _lay_loose(grid: Grid, shown: Insets, target: Target, side: Side, shape: Shape) -> _LooseLayout:
    axis = target.find_axis(grid.paper) if side == "back" else None
    turned = axis == "level"
    if turned:
        shown = Insets(shown.right, shown.bottom, shown.left, shown.top)
    *trims, bounds = mirror_places((*grid.cells, grid.bounds), grid.paper, axis)
    outside = _cut_off(bounds.outset(shown), Rect(0, 0, *grid.paper))
    seen = shape.mirror() if side == "back" else shape
    marks = target.marks
    by_hand = marks.style == "crop" and (marks.sides == "both" or side == "front")
    lines = (seen.trace(trim, turned=turned) for trim in trims) if by_hand else ()
    return _LooseLayout(
        grid,
        target,
        side,
        turned,
        tuple(trims),
        shown,
        clip_places(trims, seen, shown, grid.paper),
        tuple(draw_cut(line, marks) for line in lines),
        bounds,
        outside,
        seen,
    )


def _mark(grid: Grid, cells: Sequence[int], bleed: Rect, target: Target) -> tuple[Mark, ...]:
    if target.marks.style == "silhouette":
        return place_registration(grid, bleed, target)
    return place_marks(grid, cells, bleed, target)


def _choose_flip(paper: Size, target: Target) -> _Flip:
    axis = target.find_axis(paper)
    return _Flip(columns=axis == "upright", rows=axis == "level")


def _mirror_cell(cell: int, grid: Grid, flip: _Flip) -> int:
    row, column = divmod(cell, grid.columns)
    row = grid.rows - 1 - row if flip.rows else row
    column = grid.columns - 1 - column if flip.columns else column
    return row * grid.columns + column


def _clip_cells(taken: Sequence[int], grid: Grid, shown: Insets, target: Target) -> Iterator[Rect]:
    """Return how far the card in each cell may paint: not onto one with which it shares a cut."""
    cards = {divmod(cell, grid.columns) for cell in taken}
    paper = Rect(0, 0, *grid.paper)
    for cell in taken:
        row, column = divmod(cell, grid.columns)
        left, right = (not target.grid.gap_x and (row, column + step) in cards for step in (-1, 1))
        above, below = (not target.grid.gap_y and (row + step, column) in cards for step in (-1, 1))
        if not target.grid.gap_x and not target.grid.gap_y:
            # A card across the corner is in the way of bleeding to both sides of it.
            for step, open_ in ((-1, not left), (1, not right)):
                above |= open_ and (row - 1, column + step) in cards
                below |= open_ and (row + 1, column + step) in cards
        bleed = Insets(
            0.0 if left else shown.left,
            0.0 if above else shown.top,
            0.0 if right else shown.right,
            0.0 if below else shown.bottom,
        )
        yield _cut_off(grid.cells[cell].outset(bleed), paper)


def _cut_off(rect: Rect, paper: Rect) -> Rect:
    """Return the part of a rectangle that lies on the paper."""
    left, top = max(rect.x, paper.x), max(rect.y, paper.y)
    right, bottom = min(rect.right, paper.right), min(rect.bottom, paper.bottom)
    return Rect(left, top, right - left, bottom - top)
