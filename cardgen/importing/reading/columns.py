"""Puts lines with columns side by side into the order in which one reads them.

Texts of `pdftotext -layout` are such, and play sheets that were typed in two columns. Knows nothing
of cards, of blocks and of Markdown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from statistics import mean
from typing import NamedTuple

from cardgen.importing.reading.joining import has_ended

# The order of lines

_NUMBER_OUTSIDE = re.compile(r"\s*(?:\d{1,4}(?:\s{2,}\S.*)?|\S.*\s{2,}\d{1,4})\s*")
_HYPHEN = re.compile(r"[^\W\d_][-‐\u00ad¬]$")
_UNEVEN = [False, True, False, True, False]

# Gutters: blanks below one another, with text that runs on to either side
_UNDERLINED = re.compile(r"\s*[-=]+(?:\s+[-=]{2,}){2,}\s*")
_WIDE_GAP = re.compile(r"\s{3,}")
_WORD = re.compile(r"[^\W\d_]{2,}")
# Lists whose items show what they are: signs, bullets, numbers, and the leaders of a contents page.
_MARKED = re.compile(
    r"[-+–−]\s?\d|[-*+•●▪◦‣·■□]\s|\d{1,2}[.)]\s|\S.*\.{2,}\s*\d+$"
    r"|\d{1,2}(?:-\d{1,2})?\s{2,}(?=[^\W\d])"  # of a die, and no figures of a table
)

# Rows that are whole by themselves: a modifier, a step, what a die shows, a label and its value.
_WHOLE = re.compile(
    r"(?:[-+–−]\s?\d\S*|[-*+•●▪◦‣·■□]|\d{1,2}[.)]|\d{1,2}(?:[-–]\d{1,2}|\+)?)\s+[^\W\d_]"
    r"|[^\W\d_].*\S\s{2,}\S*\d"
)

ELSEWHERE = 8  # letters by which a gutter wanders from page to page, and where it is narrow
_CANDIDATES = 24
_ENTER = 3.0  # what a gutter must be worth before it counts, in lines that have it
_ENTER_KNOWN = 0.5
_LEAVE = 1.0  # so that the rest of the left column, below the end of the right one, belongs to it
_CROSSED = -1.5
_TIGHT = -0.5
_EXACT = 0.1
_WIDEST_BLANK = 3  # in a line that is justified
_LEAST_WIDE = 6  # one in so many lines ends well before the gutter
_FIGURES = re.compile(r"\d+")
_ALIKE = 0.9  # of the lines that stand side by side
_WORDS_OF_TEXT = 4  # in a line

# Cuts: where the lines are parted, if a gutter runs down them at a given place

GAP = re.compile(r"[ \u00a0]{2,}")
_BLANK = re.compile(r"(?<=\S)[ \u00a0](?=\S)")

WANDER = 3  # letters by which a column's edge may be off its usual place
_TIGHT_WANDER = 4
LONGEST_TIGHT = 3  # lines one after the other whose gutter is a single blank
_PARTS_BANDS = 3  # blank lines
_OFF_CENTRE = 2


class Row(NamedTuple):
    number: int
    text: str
    bar: bool = False  # it lies across columns, or parts their bands

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


class TextLine(NamedTuple):
    number: int
    text: str


class _Laid(NamedTuple):
    rows: list[Row]
    gutters: frozenset[int]


def order_columns(lines: Sequence[str]) -> list[TextLine]:
    """Return the lines, numbered from 1, column by column where they stand side by side.

    A form feed parts pages and stays where it is, before the first line of the next page. Lines
    across the columns part them into bands. What is left blank in one column beside the text of
    another is an empty line of that column; other lines come out as they went in.
    """
    plain = [TextLine(number, text) for number, text in enumerate(lines, 1)]
    if sum(1 for line in lines if GAP.search(line)) < 2:
        return plain
    fed = any("\f" in line for line in lines)
    pages = _split_pages(plain) if fed else _split_at_numbers(_split_pages(plain)[0])
    paged = len(pages) > 1
    known: frozenset[int] = frozenset()
    for page in pages:
        known |= _lay(page, frozenset(), paged).gutters
    if not known:
        return plain
    return list(_join_pages((_lay(page, known, paged).rows for page in pages), fed))


def _split_pages(lines: Iterable[TextLine]) -> list[list[Row]]:
    pages: list[list[Row]] = [[]]
    for number, text in lines:
        for count, part in enumerate(text.split("\f")):
            if count:
                pages.append([])
            pages[-1].append(Row(number, part))
    heads = Counter(key for page in pages for key in {_read_key(row) for row in _list_ends(page)})
    return [_mark_bars(page, {key for key, count in heads.items() if count > 1}) for page in pages]


def _split_at_numbers(rows: Iterable[Row]) -> list[list[Row]]:
    pages: list[list[Row]] = [[]]
    for row in rows:
        pages[-1].append(row)
        if row.bar and row.text.strip().isdigit():
            pages.append([])
    return pages


def _join_pages(pages: Iterable[Sequence[Row]], fed: bool) -> Iterator[TextLine]:
    for count, rows in enumerate(pages):
        for place, row in enumerate(rows):
            broken = fed and count > 0 and place == 0
            yield TextLine(row.number, "\f" + row.text if broken else row.text)


def _mark_bars(page: Sequence[Row], heads: Collection[str]) -> list[Row]:
    """Mark as bars running heads, numbers of pages, and lines with tabs (rows of a table)."""
    ends = {row for row in _list_ends(page) if _read_key(row) in heads}
    marked: list[Row] = []
    for place, row in enumerate(page):
        alone = all(other.is_blank for other in page[max(0, place - 1) : place + 2] if other != row)
        numbered = alone and _NUMBER_OUTSIDE.fullmatch(row.text) is not None
        marked.append(row._replace(bar="\t" in row.text or numbered or row in ends))
    return marked


def _list_ends(page: Sequence[Row]) -> list[Row]:
    """Return the first and the last line of a page."""
    lines = [row for row in page if not row.is_blank]
    return [*lines[:1], *lines[-1:]]


def _read_key(row: Row) -> str:
    """Return the part of a running head that comes again, on left pages and on right ones."""
    return " ".join(sorted(re.sub(r"[\W\d_]+", " ", row.text).lower().split()))


def _lay(rows: Sequence[Row], known: frozenset[int], paged: bool) -> _Laid:
    """Return rows in reading order, and the gutters that they were cut at."""
    ordered: list[Row] = []
    gutters: set[int] = set()
    segments = list(find_segments(rows, known, frozenset()))
    for segment in _join_segments(segments) if paged else segments:
        if segment.gutters:
            laid = _lay_columns(segment, known, paged)
            ordered += laid.rows
            gutters |= {*segment.gutters, *laid.gutters}
        else:
            ordered += segment.rows
    return _Laid(ordered, frozenset(gutters))


def _join_segments(segments: Iterable[Segment]) -> list[Segment]:
    """Join runs of rows whose right column wanders, as it does where a gutter is narrow."""
    joined: list[Segment] = []
    for segment in segments:
        between = joined[-1] if joined and not joined[-1].gutters else Segment([], ())
        before = joined[-2 if between.rows else -1 :][:1]
        if before and before[0].gutters and _belong_together(before[0], between, segment):
            del joined[-2 if between.rows else -1 :]
            gutters = (*before[0].gutters, *before[0].gutters[-1:] * len(between.rows))
            rows = [*before[0].rows, *between.rows, *segment.rows]
            segment = Segment(rows, (*gutters, *segment.gutters))
        joined.append(segment)
    return joined


def _belong_together(before: Segment, between: Segment, segment: Segment) -> bool:
    lines = sum(1 for row in between.rows if not row.is_blank)
    return (
        lines <= LONGEST_TIGHT
        and bool(segment.gutters)
        and abs(before.gutters[-1] - segment.gutters[0]) <= ELSEWHERE
    )


def _lay_columns(segment: Segment, known: frozenset[int], paged: bool) -> _Laid:
    laid = _lay_sides(segment, known, paged)
    bars = {row for row in segment.rows if row.bar}
    titles = _find_titles(segment.rows, laid.gutters)
    if titles:
        rows = [row._replace(bar=row.bar or row in titles) for row in segment.rows]
        laid = _lay_sides(Segment(rows, segment.gutters), known, paged)
    numbers = {row.number for row in bars}
    return laid._replace(rows=[row._replace(bar=row.number in numbers) for row in laid.rows])


def _find_titles(rows: Sequence[Row], gutters: Iterable[int]) -> set[Row]:
    """Return the rows that stand by themselves and lie across two of three columns."""
    return {
        row
        for above, row, below in zip(rows, rows[1:], rows[2:], strict=False)
        if above.is_blank and below.is_blank and not row.bar
        if any(cut_row(row, gutter) is None for gutter in gutters)
    }


def _lay_sides(segment: Segment, known: frozenset[int], paged: bool) -> _Laid:
    left: list[Row] = []
    right: list[Row] = []
    for row, gutter, cut in zip(*segment, cut_rows(*segment), strict=True):
        if cut is None:
            left.append(row._replace(bar=True))
            right.append(row._replace(bar=True))
        else:
            start = min(cut.start, max(gutter, cut.end))
            left.append(row._replace(text=row.text[: cut.end].rstrip()))
            right.append(row._replace(text=row.text[start:]))
    edge = segment.gutters[0]
    left, right = _close_tears(left, right), _close_tears(right, left)
    first = _lay(left, known, paged)
    second = _lay(right, frozenset(place - edge for place in known), paged)
    inner = first.gutters | {place + edge for place in second.gutters}
    return _Laid(list(_read_bands(first.rows, second.rows)), inner)


def _close_tears(side: Sequence[Row], other: Sequence[Row]) -> list[Row]:
    """Drop the blank lines that only come of the columns' lines not being level."""
    filled = [not row.is_blank for row in side]
    beside = [not row.is_blank for row in other]
    kept: list[Row] = []
    for place, row in enumerate(side):
        stretch = slice(max(0, place - 2), place + 3)
        uneven = filled[stretch] == _UNEVEN and beside[stretch] == [not one for one in _UNEVEN]
        inside = beside[place] and not filled[place] and kept and place + 1 < len(side)
        if not inside or not (uneven or _runs_on(kept[-1].text, side[place + 1].text)):
            kept.append(row)
    return kept


def _read_bands(left: Sequence[Row], right: Sequence[Row]) -> Iterator[Row]:
    bands = zip(_split_bands(left), _split_bands(right), strict=True)
    for (bar, first), (_, second) in bands:
        if bar is not None:
            yield bar
        yield from _read_band(first, second)


def _split_bands(rows: Sequence[Row]) -> list[tuple[Row | None, list[Row]]]:
    """Return the bars, each with the rows below it."""
    bands: list[tuple[Row | None, list[Row]]] = [(None, [])]
    for row in rows:
        if row.bar:
            bands.append((row, []))
        else:
            bands[-1][1].append(row)
    return bands


def _read_band(left: Sequence[Row], right: Sequence[Row]) -> Iterator[Row]:
    first, _ = _strip_end(left)
    second, below = _strip_end(right)
    start = next((place for place, row in enumerate(second) if not row.is_blank), len(second))
    if not first:
        yield from right
        return
    yield from first
    if second and not _runs_on(first[-1].text, second[start].text):
        yield Row(second[start].number, "")
    yield from second[start:]
    yield from below


def _strip_end(rows: Sequence[Row]) -> tuple[Sequence[Row], Sequence[Row]]:
    end = len(rows)
    while end and not rows[end - 1].text.strip():
        end -= 1
    return rows[:end], rows[end : end + 1]


def _runs_on(above: str, below: str) -> bool:
    """Tell whether a column ends in the middle of what the next one begins with."""
    above, below = above.strip(), below.strip()
    if _HYPHEN.search(above):
        return True
    return not has_ended(above) and below[:1].islower()


# Gutters


class Segment(NamedTuple):
    rows: Sequence[Row]
    gutters: tuple[int, ...]  # for each row; none where there are no columns


class _Path(NamedTuple):
    worth: float
    inside: list[bool]


def find_segments(
    rows: Sequence[Row], known: frozenset[int], banned: frozenset[int]
) -> Iterator[Segment]:
    """Return the rows in runs that have the same gutter, or none."""
    enter = _ENTER_KNOWN if known else _ENTER
    gaps = [_list_gaps(row.text) for row in rows if not row.bar and row.text]
    places = [
        place
        for place in _list_candidates(rows, known)
        if place not in banned and _may_pay(gaps, place, bool(known), enter)
    ]
    paths = [_find_path(_rate_rows(rows, place, bool(known)), enter) for place in places]
    best = max(range(len(places)), key=lambda place: paths[place].worth, default=None)
    if best is None or paths[best].worth <= 0:
        yield Segment(rows, ())
        return
    gutter = places[best]
    for inside, run in groupby(
        zip(paths[best].inside, rows, strict=True), key=lambda pair: pair[0]
    ):
        part = [row for _, row in run]
        if inside and _are_columns(part, gutter, bool(known)):
            yield Segment(part, (gutter,) * len(part))
        else:
            yield from find_segments(part, known, banned | {gutter})


def _list_candidates(rows: Sequence[Row], known: frozenset[int]) -> list[int]:
    """Return where a column may begin: there several lines begin, or go on after a gap."""
    starts = Counter(
        gap.start
        for row in rows
        if not row.bar and not row.text.lstrip().startswith("|")  # a row of a table
        for gap in _list_gaps(row.text)[0]
        if gap.start > WANDER
    )
    least = 1 if known else 3
    return [
        place
        for place, count in starts.most_common(_CANDIDATES)
        if count >= least and (not known or any(abs(place - other) <= ELSEWHERE for other in known))
    ]


def _may_pay(rows: Sequence[_Gaps], gutter: int, known: bool, enter: float) -> bool:
    """Whether rows with a gap at a gutter follow each other so closely that it can be worth it."""
    worth = 0.0
    for gaps, end in rows:
        if gaps and _list_near(gaps, gutter):
            worth += 1.0 + _EXACT
        elif end > gutter:
            worth = max(0.0, worth + (_TIGHT if known else _CROSSED))
        if worth > enter:
            return True
    return False


def _find_path(rates: Sequence[float], enter: float) -> _Path:
    """Choose the rows for which it is worth most to have the gutter."""
    inside, outside = -enter, 0.0
    came: list[tuple[bool, bool]] = []
    for rate in rates:
        came.append((inside >= outside - enter, inside - _LEAVE > outside))
        inside, outside = max(inside, outside - enter) + rate, max(outside, inside - _LEAVE)
    state = inside > outside
    path: list[bool] = []
    for from_inside, from_outside in reversed(came):
        path.append(state)
        state = from_inside if state else from_outside
    return _Path(max(inside, outside), path[::-1])


def _rate_rows(rows: Sequence[Row], gutter: int, known: bool) -> list[float]:
    """Rate each row by how much it speaks for a gutter, or against it."""
    cuts = [cut_row(row, gutter) for row in rows]
    sides = [divide(row, cut) for row, cut in zip(rows, cuts, strict=True)]
    rates: list[float] = []
    for place, (row, cut, (left, right)) in enumerate(zip(rows, cuts, sides, strict=True)):
        beside = sides[max(0, place - 1) : place] + sides[place + 1 : place + 2]
        exact = _EXACT if cut and cut.start == gutter else 0.0
        if row.bar or row.is_blank:
            rates.append(0.0)
        elif not cut:
            tight = known and row.text[gutter - 1 : gutter].isspace()
            rates.append(_TIGHT if tight else _CROSSED)
        elif left and right:
            own = any(all(map(told, (left, right))) for told in (_is_wordy, _WHOLE.match))
            rates.append(exact + (1.0 if own else 0.1))
        elif right:
            rates.append(exact + (0.5 if any(other for other, _ in beside) else 0.1))
        else:
            rates.append(0.0)
    return rates


def _is_wordy(text: str) -> bool:
    words = _WORD.findall(text)
    return len(words) > 1 or any(len(word) > 7 for word in words)


def _are_columns(rows: Sequence[Row], gutter: int, known: bool) -> bool:
    cuts = cut_rows(rows, [gutter] * len(rows))
    sides = [divide(row, cut) for row, cut in zip(rows, cuts, strict=True)]
    # Of a side that holds columns itself the one beside the gutter tells.
    left = [_WIDE_GAP.split(one)[-1] for one, _ in sides]
    right = [_WIDE_GAP.split(other)[0] for _, other in sides]
    both = [pair for pair in sides if all(pair)]
    right_cuts = [cut for cut, (_, other) in zip(cuts, sides, strict=True) if cut and other]
    if not any(left) or not _are_aligned(right_cuts, gutter) or _is_table(left, right):
        return False
    beside = [*zip(left, right, strict=True)]
    pairs = [one + other for one, other in beside if one and other]
    drawn = any(_UNDERLINED.fullmatch(row.text) for row in rows)  # below a table's header
    if drawn or 2 * sum(not any(map(str.isalpha, pair)) for pair in pairs) > len(both):
        return False  # two columns of a table
    wordy = sum(1 for one, other in both if _is_wordy(one) and _is_wordy(other))
    if known and wordy and 2 * wordy >= len(both):
        return True
    goes_on = [
        _count_going_on([own for own, other in side if own or not other])
        for side in (beside, [(other, own) for own, other in beside])
    ]
    shares = [
        count / sum(map(bool, side)) for count, side in zip(goes_on, (left, right), strict=True)
    ]
    if min(goes_on) >= 3 and min(shares) >= 0.25:
        return True
    # Two headings side by side say as much as text that goes on in both.
    headed = any(one.isupper() and other.isupper() for one, other in both)
    own = min(_count_own_starts(left, right), _count_own_starts(right, left))
    if own and (headed or min(goes_on) >= 1):
        return True
    forms = [(_find_form(one), _find_form(other)) for one, other in both]
    alike = Counter(one for one, other in forms if one == other)
    if len(alike) > 2 and min(alike.values()) > 1 and alike.total() >= _ALIKE * len(both):
        return True  # one record stands beside another, line by line
    marked = [pair for pair in both if all(_MARKED.match(side) for side in pair)]
    return _are_headed(both) or (len(marked) >= 3 and len(marked) >= 0.7 * len(both))


def _are_headed(both: Sequence[tuple[str, str]]) -> bool:
    """Tell whether rows that are whole by themselves stand side by side below headings."""
    whole = sum(all(map(_WHOLE.match, pair)) for pair in both)
    rows = [[_WHOLE.match(s) or s.partition("(")[0].isupper() for s in pair] for pair in both[1:]]
    headed = bool(both) and not any(_WHOLE.match(one) or _WIDE_GAP.search(one) for one in both[0])
    return headed and whole > 1 and sum(map(all, rows)) >= _ALIKE * len(rows)


def _find_form(text: str) -> str:
    if has_ended(text):
        return "sentence"
    return "figures" if len(_FIGURES.findall(text)) > 1 else "words"


def _are_aligned(cuts: Sequence[Cut], gutter: int) -> bool:
    """Tell whether lines begin below one another, and not wherever a justified line has a gap."""
    edge = sum(1 for cut in cuts if cut.start == gutter)
    below = sum(1 for one, other in pairwise(cuts) if one.start == other.start)
    wide = sum(1 for cut in cuts if cut.start - cut.end > _WIDEST_BLANK)
    return 2 * max(edge, below) > len(cuts) and _LEAST_WIDE * wide >= len(cuts)


def _is_table(left: Sequence[str], right: Sequence[str]) -> bool:
    """Tell whether each paragraph on the right stands beside a key on the left."""
    first, second = _list_starts(left), _list_starts(right)
    together = len(first & second)
    return (
        together >= 2
        and together >= 0.8 * max(len(first), len(second))
        and mean(map(len, filter(None, left))) < 0.6 * mean(map(len, filter(None, right)))
    )


def _list_starts(side: Sequence[str]) -> set[int]:
    """Return the places where text stands below an empty line."""
    return {place for place in range(1, len(side)) if side[place] and not side[place - 1]}


def _count_own_starts(side: Sequence[str], other: Sequence[str]) -> int:
    """Count how often a paragraph begins beside the midst of another."""
    return sum(1 for place in _list_starts(side) if other[place] and other[place - 1])


def _count_going_on(side: Sequence[str]) -> int:
    """Count the lines that go on with what the line above had no more room for."""
    lengths = sorted(len(text) for text in side if text)
    width = lengths[int(0.7 * (len(lengths) - 1))]
    return sum(
        1
        for above, below in pairwise(side)
        if below[:1].islower()
        and len(above.split()) >= _WORDS_OF_TEXT
        and len(above) + len(below.split()[0]) >= 0.8 * width
    )


# Cuts


class Cut(NamedTuple):
    """The cut of a row: its left part ends at `end`, its right one begins at `start`."""

    end: int
    start: int


_Gaps = tuple[tuple[Cut, ...], int]  # and where the text of the row ends


def cut_rows(rows: Sequence[Row], gutters: Sequence[int]) -> list[Cut | None]:
    """Return the cut of each row at its gutter; None where it lies across, or parts bands."""
    cuts = [cut_row(row, gutter) for row, gutter in zip(rows, gutters, strict=True)]
    for blank, run in groupby(range(len(rows)), key=lambda place: rows[place].is_blank):
        places = list(run)
        if blank and len(places) >= _PARTS_BANDS:
            for place in places:
                cuts[place] = None
        elif not blank:
            _cut_tight(rows, cuts, places)
    _leave_centred(rows, cuts, gutters)
    return cuts


def _leave_centred(rows: Sequence[Row], cuts: list[Cut | None], gutters: Sequence[int]) -> None:
    """Leave out of the cuts what stands in the gutter, as the number of a page."""
    sides = [divide(row, cut) for row, cut in zip(rows, cuts, strict=True)]
    both = [cut for cut, side in zip(cuts, sides, strict=True) if cut and all(side)]
    end = max((cut.end for cut in both), default=0)
    start = min((cut.start for cut in both), default=0)
    for place, (row, gutter) in enumerate(zip(rows, gutters, strict=True)):
        first, last = _measure_indent(row.text), len(row.text.rstrip())
        off_centre = abs((first + last) - (end + gutter)) / 2
        beyond = end / 2 < first < start and last > end and not all(sides[place])
        if beyond and off_centre <= _OFF_CENTRE:
            cuts[place] = None


def _measure_indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def cut_row(row: Row, gutter: int) -> Cut | None:
    """Return the gap of a row where the gutter is; None where the row lies across it."""
    if row.bar:
        return None
    gaps, end = _list_gaps(row.text)
    if near := _list_near(gaps, gutter):
        return min(near, key=lambda gap: abs(gap.start - gutter))
    return Cut(end, end) if end <= gutter else None


def _list_near(gaps: Sequence[Cut], gutter: int) -> list[Cut]:
    return [gap for gap in gaps if gap.start >= gutter - WANDER and gap.end < gutter + WANDER]


@lru_cache(maxsize=32_768)
def _list_gaps(text: str) -> _Gaps:
    text = text.rstrip()
    return tuple(Cut(match.start(), match.end()) for match in GAP.finditer(text)), len(text)


def divide(row: Row, cut: Cut | None) -> tuple[str, str]:
    return (row.text[: cut.end].strip(), row.text[cut.start :].strip()) if cut else ("", "")


def _cut_tight(rows: Sequence[Row], cuts: list[Cut | None], places: Sequence[int]) -> None:
    """Cut rows with but one blank in the gutter, between such as have more."""
    for crossed, run in groupby(places, key=lambda place: cuts[place] is None):
        tight = list(run)
        if not crossed or len(tight) > LONGEST_TIGHT or any(rows[place].bar for place in tight):
            continue
        beside = [place for place in (tight[0] - 1, tight[-1] + 1) if place in places]
        starts = [cut.start for cut in map(cuts.__getitem__, beside) if cut and cut.start > cut.end]
        indent = max((_measure_indent(rows[place].text) for place in beside), default=0) + WANDER
        found = [_find_blank(rows[place].text, starts) for place in tight]
        set_in = any(_measure_indent(rows[place].text) > indent for place in tight)
        if len(beside) == 2 and all(found) and not set_in:
            for place, cut in zip(tight, found, strict=True):
                cuts[place] = cut


def _find_blank(text: str, starts: Sequence[int]) -> Cut | None:
    """Return the blank nearest to where the right side begins above or below."""
    found = [
        (abs(match.end() - start), match.end())
        for match in _BLANK.finditer(text)
        for start in starts
        if abs(match.end() - start) <= _TIGHT_WANDER
    ]
    return Cut(min(found)[1] - 1, min(found)[1]) if found else None
