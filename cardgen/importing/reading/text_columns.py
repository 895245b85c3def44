"""Lines with columns side by side become lines in the order in which one reads them.

Texts of `pdftotext -layout` are such, and play sheets that were typed in two columns. Knows nothing
of cards, of blocks and of Markdown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from cardgen.importing.reading.text_cuts import GAP, LONGEST_TIGHT, Row, cut_row, cut_rows
from cardgen.importing.reading.text_gutters import ELSEWHERE, Segment, find_segments

_NUMBER_OUTSIDE = re.compile(r"\s*(?:\d{1,4}(?:\s{2,}\S.*)?|\S.*\s{2,}\d{1,4})\s*")
_SENTENCE_END = re.compile(r"[.!?:;][\"'”’)\]*]*$")
_HYPHEN = re.compile(r"[^\W\d_][-‐\u00ad¬]$")
_UNEVEN = [False, True, False, True, False]


class TextLine(NamedTuple):
    number: int
    text: str


class _Laid(NamedTuple):
    rows: list[Row]
    gutters: frozenset[int]


def order_columns(lines: Sequence[str]) -> list[TextLine]:
    """The lines, numbered from 1, column by column where they stand side by side.

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
    """Running heads, numbers of pages, and lines with tabs, which are rows of a table."""
    ends = {row for row in _list_ends(page) if _read_key(row) in heads}
    marked: list[Row] = []
    for place, row in enumerate(page):
        alone = all(other.is_blank for other in page[max(0, place - 1) : place + 2] if other != row)
        numbered = alone and _NUMBER_OUTSIDE.fullmatch(row.text) is not None
        marked.append(row._replace(bar="\t" in row.text or numbered or row in ends))
    return marked


def _list_ends(page: Sequence[Row]) -> list[Row]:
    """The first and the last line of a page."""
    lines = [row for row in page if not row.is_blank]
    return [*lines[:1], *lines[-1:]]


def _read_key(row: Row) -> str:
    """What comes again in a running head, on left pages and on right ones."""
    return " ".join(sorted(re.sub(r"[\W\d_]+", " ", row.text).lower().split()))


def _lay(rows: Sequence[Row], known: frozenset[int], paged: bool) -> _Laid:
    """Rows in reading order, and the gutters that they were cut at."""
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
    """Where a gutter is narrow, the right column wanders on the page too."""
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
    """What stands by itself and lies across two of three columns belongs to all of them."""
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
    """Without the blank lines that only come of the columns' lines not being level."""
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
    """The bars, each with what stands below it."""
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
    """Whether a column ends in the middle of what the next one begins with."""
    above, below = above.strip(), below.strip()
    if _HYPHEN.search(above):
        return True
    return not _SENTENCE_END.search(above) and below[:1].islower()
