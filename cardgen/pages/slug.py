"""Finds room for the line of text in the margin of a page.

The line touches no card, no bleed and no mark, and keeps out of the target's margin. Must not know
decks or fonts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from cardgen.core.geometry import Insets, Rect
from cardgen.core.units import MM
from cardgen.pages.impose import Note, Page
from cardgen.pages.marks import measure_mark

SIZE = 5.0
# How far a line of size 1 paints above and below its baseline.
ASCENT, DESCENT = 0.98, 0.245
FROM_BLEED = 0.5
FROM_MARKS = 1 * MM
# Where there is less room there is none.
SHORTEST = 15 * MM
# How far a line stands from the cards where there is more room than it needs.
FARTHEST = 1 * MM


class _Span(NamedTuple):
    start: float
    end: float

    @property
    def length(self) -> float:
        return self.end - self.start


def add_slugs(pages: Sequence[Page], margin: Insets, say: Callable[[Page], str]) -> Iterator[Page]:
    """Return the pages, each with a line in its margin where there is a text, and room for it."""
    known: dict[object, Note | None] = {}  # most pages have the same marks
    for page in pages:
        text = say(page)
        if not text or not page.placements:
            yield page
            continue
        key = page.size, page.trim, page.bleed, page.marks, page.notes
        if key not in known:
            known[key] = place_slug(page, margin, text)
        note = known[key]
        yield page if note is None else page._replace(notes=(*page.notes, note._replace(text=text)))


def name_sheet(page: Page, sheets: int) -> str:
    """Return a page's name for people; one with fronts and backs has no side."""
    sides = {placement.side for placement in page.placements}
    side = f", {page.side}" if len(sides) == 1 else ""
    return f"sheet {page.number} of {sheets}{side}"


def place_slug(page: Page, margin: Insets, text: str) -> Note | None:
    """Return the line below the cards, else above, else upwards at their left or right."""
    paper = Rect(0, 0, *page.size)
    if page.trim.contains(paper):
        return None
    printable = paper.inset(margin)
    trim, bleed = page.trim, page.bleed
    taken = [measure_mark(mark).outset(Insets.even(FROM_MARKS)) for mark in page.marks]
    taken += [measure_note(note).outset(Insets.even(FROM_MARKS)) for note in page.notes]
    # Rounding lets a card reach a little into the margin; a line does not.
    across = _Span(max(trim.x, printable.x), min(trim.right, printable.right))
    down = _Span(max(trim.y, printable.y), min(trim.bottom, printable.bottom))
    columns = [(_Span(rect.x, rect.right), _Span(rect.y, rect.bottom)) for rect in taken]
    rows = [(span, other) for other, span in columns]
    below = _Span(bleed.bottom + FROM_BLEED, printable.bottom)
    if place := _find_place(across, below, columns, near_start=True):
        return Note(text, place.start, place.line + ASCENT * SIZE, place.length, SIZE)
    above = _Span(printable.y, bleed.y - FROM_BLEED)
    if place := _find_place(across, above, columns, near_start=False):
        return Note(text, place.start, place.line + ASCENT * SIZE, place.length, SIZE)
    left = _Span(printable.x, bleed.x - FROM_BLEED)
    right = _Span(bleed.right + FROM_BLEED, printable.right)
    for strip, near_start in ((left, False), (right, True)):
        if place := _find_place(down, strip, rows, near_start=near_start):
            x, y = place.line + ASCENT * SIZE, place.start + place.length
            return Note(text, x, y, place.length, SIZE, upward=True)
    return None


def measure_note(note: Note) -> Rect:
    """Return the most that a line may paint."""
    above, below = ASCENT * note.size, DESCENT * note.size
    if note.upward:
        return Rect(note.x - above, note.y - note.width, above + below, note.width)
    return Rect(note.x, note.y - above, note.width, above + below)


class _Place(NamedTuple):
    """Where a line begins along the strip, how long it may be, and where across it its top is."""

    start: float
    length: float
    line: float


def _find_place(
    along: _Span, strip: _Span, taken: Iterable[tuple[_Span, _Span]], *, near_start: bool
) -> _Place | None:
    """Return room for a line in a strip: beside all that is taken, else between."""
    height = (ASCENT + DESCENT) * SIZE
    if strip.length < height or along.length < SHORTEST:
        return None
    crossing = [
        (one, other)
        for one, other in taken
        if _is_crossing(one, along) and _is_crossing(other, strip)
    ]
    lanes = list(_list_free(strip, (other for _, other in crossing)))
    lane, way = max(lanes, key=_measure, default=_Span(0, 0)), along
    if lane.length < height:
        lane = strip
        way = max(
            _list_free(along, (one for one, _ in crossing)), key=_measure, default=_Span(0, 0)
        )
        if way.length < SHORTEST or not crossing:
            return None
    spare = min((lane.length - height) / 2, FARTHEST)
    line = lane.start + spare if near_start else lane.end - spare - height
    return _Place(way.start, way.length, line)


def _measure(span: _Span) -> float:
    """Return the length, rounded so that the first of equals is chosen."""
    return round(span.length, 1)


def _is_crossing(one: _Span, other: _Span) -> bool:
    return one.start < other.end and other.start < one.end


def _list_free(whole: _Span, taken: Iterable[_Span]) -> Iterator[_Span]:
    """Return the parts of a span between those that are taken."""
    start = whole.start
    for span in sorted(taken):
        if span.start > start:
            yield _Span(start, min(span.start, whole.end))
        start = max(start, span.end)
    if start < whole.end:
        yield _Span(start, whole.end)
