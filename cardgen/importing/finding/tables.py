"""Tables in a text, a card to a row: with lines, in Markdown, or held together by blanks alone.

Each row is put together from its lines. What the columns hold: columns.py. Knows nothing of records
outside of tables.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple

from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.names import CODE, looks_like_name
from cardgen.importing.finding.wrapped import is_torn
from cardgen.importing.model import (
    HEADER,
    Block,
    SourceLine,
    Styled,
)
from cardgen.importing.reading.joining import has_ended

_FEWEST = 3
_MOST_NAMED = 0.7
_MOST_ALIGNED = 0.5
_MOST_COLUMNS = 12
_LONG = 5  # words of a cell that is a text
_WANDER = 1
_CODED = re.compile(rf"{CODE}[.:)]?")
_SEGMENT = re.compile(r"\S+(?: \S+)*")


class Table(NamedTuple):
    """Rows of a text, with the blocks from `start` to `end` that they stand in.

    described: whether the last cell of each is the text below its line
    """

    start: int
    end: int
    rows: tuple[Block, ...]
    described: bool = False


def part_bars(blocks: Sequence[Block]) -> list[Block]:
    """Return lines that follow each other, with as many bars in each, as rows."""
    parts = [block.text.split(" | ") if block.kind == "line" else [] for block in blocks]
    parted = list(blocks)
    start = 0
    for at in range(1, len(blocks) + 1):
        if at < len(blocks) and len(parts[at]) == len(parts[start]):
            continue
        if len(parts[start]) > 1 and at - start >= _FEWEST:
            for place in range(start, at):
                cells = _cut_bars(blocks[place].content, parts[place])
                parted[place] = replace(blocks[place], kind="row", cells=cells)
        start = at
    return parted


def part_cells(blocks: Sequence[Block]) -> list[Block]:
    """Return tables in which nearly every cell is a bold name with its text as a line for each.

    So cards are laid out that are to be cut apart.
    """
    rows = [block for block in blocks if any(cell.text.strip() for cell in block.cells)]
    cells = [cell.strip() for row in rows for cell in row.cells if cell.text.strip()]
    named = sum(0 < cell.find_lead() < len(cell.text) for cell in cells)
    if len(cells) < 2 * max(len(rows), _FEWEST) - 1 or named < _MOST_NAMED * len(cells):
        return list(blocks)
    parted: list[Block] = []
    for block in blocks:
        for cell in block.cells:
            if cell.text.strip():
                line = SourceLine(block.place, cell.text.strip())
                parted.append(
                    replace(
                        block, content=cell.strip(), kind="line", gap=1, cells=(), sources=(line,)
                    )
                )
        parted += [block] * (not block.cells)
    return parted


def _cut_bars(content: Styled, parts: Sequence[str]) -> tuple[Styled, ...]:
    ends = [*accumulate(len(part) + 3 for part in parts)]
    return tuple(
        content.cut(end - 3 - len(part), end - 3).strip()
        for part, end in zip(parts, ends, strict=True)
    )


def find_tables(blocks: Sequence[Block], joiner: Joiner) -> list[Table]:
    """Return the tables of a text, each row whole."""
    blocks = _drop_empty(blocks)
    found: list[Table] = []
    columns: Counter[tuple[int, ...]] = Counter()
    again = Counter(block.text for block in blocks if "  " in block.text)
    labels = Counter(filter(None, map(_find_first, blocks)))
    at = 0
    while at < len(blocks):
        table = (
            _read_rows(blocks, at, joiner)
            or _read_headed(blocks, at, joiner, _FEWEST)
            or _read_described(blocks, at, joiner)
        )
        starts = _find_starts(blocks, at) if table is None else ()
        if starts and (table := _read_aligned(blocks, at, starts, joiner)):
            table = _add_header(blocks, table)
            first = [labels[_find_first(block)] for block in blocks[table.start : table.end]]
            if 2 * sum(times >= _FEWEST for times in first) > len(first):
                table = None  # "Armour   leather" is a label with its value
        if table is None or len(starts) > 1:
            fewest = 1 if again[blocks[at].text] > 1 else _FEWEST
            headed = _read_headed(blocks, at, joiner, fewest, drawn=False)
            if headed and (not table or len(headed.rows[0].cells) > len(table.rows[0].cells)):
                table, starts = headed, ()
        if table and not (_repeats_labels(table) or _numbers_rows(table)):
            columns[starts] += len(table.rows) if starts else 0
            found.append(table)
            at = table.end
        else:
            at += 1
    more = _find_short(blocks, found, columns, joiner)
    return sorted([*found, *more], key=lambda table: table.start)


def _find_first(block: Block) -> str:
    """Return the first of two words or phrases that a wide gap parts; empty where it has others."""
    cells = block.text.split("  ", 1) if block.kind == "line" and not block.cells else []
    return cells[0] if len(cells) == 2 and "  " not in cells[1].strip() else ""


def _repeats_labels(table: Table) -> bool:
    """Whether rows are stats that have their labels within: "Armour 7  Attack 3", line by line."""
    least = _MOST_NAMED * len(table.rows)
    for column in (0, 1):
        cells = [row.cells[column].text for row in table.rows if len(row.cells) > column]
        words = [cell for cell in cells if cell[:1].isalpha()]
        labels = Counter(
            cell.split()[0] for cell in words if ": " in cell or any(map(str.isdigit, cell))
        )
        if max(labels.values(), default=0) < least:
            return False
    return True


def _numbers_rows(table: Table) -> bool:
    """Whether rows are a code and a line, as "Q1   Amethyst", and no name with its text."""
    codes = sum(bool(_CODED.fullmatch(row.cells[0].text)) for row in table.rows)
    return len(table.rows[0].cells) == 2 and codes >= _MOST_NAMED * len(table.rows)


def _find_short(
    blocks: Sequence[Block],
    tables: Sequence[Table],
    columns: Mapping[tuple[int, ...], int],
    joiner: Joiner,
) -> Iterator[Table]:
    """Yield rows between tables that have the columns of several of these."""
    usual = [starts for starts, times in columns.items() if times > _FEWEST]
    inside = {at for table in tables for at in range(table.start, table.end)}
    at = 0
    while usual and at < len(blocks):
        plain = blocks[at].kind in ("line", "item") and "  " in blocks[at].text
        free = at not in inside and plain
        found = (_read_aligned(blocks, at, starts, joiner, 1) for starts in usual if free)
        table = next((one for one in found if one), None)
        if table and inside.isdisjoint(range(at, table.end)):
            yield table
            at = table.end
        else:
            at += 1


def _read_rows(blocks: Sequence[Block], at: int, joiner: Joiner) -> Table | None:
    """Return the rows that stand one below the other, as their lines or their cells part them."""
    if not blocks[at].cells:
        return None
    end = at
    while end < len(blocks) and (blocks[end].cells or blocks[end].kind == "rule"):
        above = blocks[end - 1].cells if end > at else blocks[at].cells
        apart = blocks[end].gap and end > at and blocks[end].cells
        if apart and (len(above) != len(blocks[end].cells) or blocks[end].mark == HEADER):
            break
        end += 1
    rows = [block for block in blocks[at:end] if block.cells]
    ruled = sum(block.kind == "rule" for block in blocks[at:end])
    groups: list[list[Block]] = []
    fresh = True
    wrapped = set(_find_wrapped(rows))
    place = -1  # of the row
    for block in blocks[at:end]:
        place += bool(block.cells)
        goes_on = groups and not fresh and (ruled > 2 or _carries_on(groups[-1], block))
        if block.kind == "rule":
            fresh = True
        elif goes_on or place in wrapped:
            groups[-1].append(block)
        else:
            groups.append([block])
            fresh = False
    if len(rows) < 2:
        return None
    return Table(at, end, tuple(_join_row(group, joiner) for group in groups))


def _drop_empty(blocks: Sequence[Block]) -> list[Block]:
    """Return rows without the columns, as of pictures, that no table with their header fills."""
    heads: dict[int, tuple[str, ...]] = {}
    filled: dict[tuple[str, ...], set[int]] = {}
    head: tuple[str, ...] = ()
    for at, block in enumerate(blocks):
        if block.cells and (block.mark == HEADER or not head):
            head = tuple(cell.text for cell in block.cells)
            filled.setdefault(head, set())
        elif block.cells and head:
            cells = block.cells[: len(head)]  # a row may have more
            filled[head].update(place for place, cell in enumerate(cells) if cell.text.strip())
        elif block.kind != "rule":
            head = ()
        if block.cells and len(block.cells) == len(head):
            heads[at] = head
    return [
        replace(block, cells=tuple(block.cells[n] for n in sorted(filled[heads[at]])))
        if at in heads and 1 < len(filled[heads[at]]) < len(block.cells)
        else block
        for at, block in enumerate(blocks)
    ]


def _find_wrapped(rows: Sequence[Block]) -> Iterator[int]:
    """Yield the rows with nothing but the rest of a name: its first word had no room above.

    Where one of the first rows has nothing else either, such rows are titles.
    """
    names = [row.cells[0].text.strip() for row in rows]
    bare = [bool(name) and not any(cell.text.strip() for cell in row.cells[1:])
            for name, row in zip(names, rows, strict=True)]  # fmt: skip
    if any(bare[:_FEWEST]):
        return
    width = max(map(len, names), default=0)
    for place, (above, name) in enumerate(pairwise(names), 1):
        plain = bare[place] and not rows[place].cells[0].face
        if plain and len(above) + len(name.split()[0]) >= width:
            yield place


def _carries_on(above: Sequence[Block], block: Block) -> bool:
    """Whether a row is the rest of the one above it: its first cells are empty."""
    cells = [cell.text.strip() for cell in block.cells]
    filled = [place for place, cell in enumerate(cells) if cell]
    first = [place for place, cell in enumerate(above[0].cells) if cell.text.strip()]
    if not filled or not first or len(first) < 2 or len(block.cells) != len(above[0].cells):
        return False
    if above[0].mark == HEADER and 2 * len(filled) > len(first):
        return False
    cell, before = block.cells[filled[0]], above[0].cells[filled[0]]
    alone = len(filled) == 1 and (
        cell.face > before.face or (cell.face > 0 and not is_torn(before.text))
    )
    if filled[0] == first[0]:  # a name that is wrapped, as the text is
        last = above[-1].cells[-1].text.strip()
        goes_on = last != "" and not has_ended(last)
        fewer = len(filled) < len(first)
        few = len(filled) < len(first) / 2 or (fewer and cell.face < before.face)
        paired = len(cells) == len(filled) == 2
        small = cells[-1][:1].islower() and (fewer or paired) and len(last.split()) >= _LONG
        few = few or (goes_on and (small or 2 * len(filled) == len(first)))
        return len(filled) > 1 and few and filled[-1] == len(cells) - 1
    return filled[0] > first[0] and len(filled) < len(first) and not alone


def _join_row(group: Sequence[Block], joiner: Joiner) -> Block:
    width = max(len(block.cells) for block in group)
    cells = []
    for column in range(width):
        parts = [b.cells[column] for b in group if column < len(b.cells)]
        parts = [part for part in parts if part.text.strip()]
        cells.append(joiner.join(parts) if len(parts) > 1 else parts[0] if parts else Styled.of(""))
    lines = tuple(line for block in group for line in block.lines)
    return replace(group[0], cells=tuple(cells), kind="row", sources=lines)


# Tables without lines


def _list_segments(block: Block) -> list[tuple[int, int, int]]:
    """Return where the parts of a line begin on the page, and their places in its text."""
    return [
        (block.indent + part.start(), part.start(), part.end())
        for part in _SEGMENT.finditer(block.text)
    ]


def _list_cells(block: Block) -> tuple[Styled, ...]:
    """Return the parts of a line, as they are printed."""
    return tuple(block.content.cut(first, last) for _, first, last in _list_segments(block))


def _set_header(block: Block) -> Block:
    """Return a line as the header of a table, with a cell for each of its parts."""
    return replace(block, kind="row", cells=_list_cells(block), mark=HEADER)


def _find_end(blocks: Sequence[Block], at: int) -> int:
    """Return where the lines end that may be a table held by blanks."""
    end = at
    while (
        end < len(blocks)
        and blocks[end].kind in ("line", "item", "rule")
        and (end == at or blocks[end].gap < 2)
    ):
        end += 1
    return end


def _find_starts(blocks: Sequence[Block], at: int) -> tuple[int, ...]:
    """Return where columns begin that blanks hold; nothing where there are none."""
    if blocks[at].kind not in ("line", "item") or "  " not in blocks[at].text:
        return ()
    starts = _find_columns(blocks[at : _find_end(blocks, at)])
    return tuple(starts) if 2 <= len(starts) <= _MOST_COLUMNS else ()


def _read_aligned(
    blocks: Sequence[Block],
    at: int,
    starts: Sequence[int],
    joiner: Joiner,
    fewest: int = _FEWEST,
) -> Table | None:
    """Return a table whose columns are held by blanks, each cell on as many lines as it needs."""
    end = _find_end(blocks, at)
    filling = [
        (block, cells)
        for block in blocks[at:end]
        if (cells := _cut(block, starts)) and cells[0].text
    ]
    gapped = sum(block.gap > 0 for block, _ in filling)
    apart = gapped > 2 and 3 * gapped >= len(filling)
    usual = _find_usual([cells for _, cells in filling if _count_filled(cells) > 1])
    rows: list[list[Block]] = []
    place = at
    while place < end:
        block = blocks[place]
        if block.kind == "rule":
            place += 1
            continue
        cells = _cut(block, starts)
        if cells is None:
            break
        filled = [column for column, cell in enumerate(cells) if cell.text]
        piece = replace(block, cells=tuple(cells))
        fresh = block.gap > 0 or blocks[place - 1].kind == "rule" if rows else True
        whole = len(filled) > 1 and filled[0] == 0
        parted = apart and len(rows) > 1
        rest = bool(usual) and not fresh and not usual.intersection(filled)
        begins = fresh or not parted or (bool(usual) and usual.issubset(filled))
        if not rows or (whole and begins and not rest):
            rows.append([piece])
        elif fresh and filled[0] == 0:
            if len(filled) > 1 or not _heads_rows(blocks[place:end], starts):
                break
            rows.append([piece])
        else:
            rows[-1].append(piece)
        place += 1
    while rows and len(rows[-1][0].cells) and not rows[-1][0].cells[0].text:
        rows.pop()
    full = [row for row in rows if _count_filled(row[0].cells) > 1]
    ruled = sum(block.kind == "rule" for block in blocks[max(0, at - 1) : place + 1])
    if len(full) < (min(2, fewest) if ruled > 1 else fewest):
        return None
    return Table(at, place, tuple(_join_row(row, joiner) for row in rows))


def _read_headed(
    blocks: Sequence[Block], at: int, joiner: Joiner, fewest: int, *, drawn: bool = True
) -> Table | None:
    """Return a table whose cells stand below the words of its header, or near.

    drawn: whether a line is drawn below the header; without it the first row has a figure
    """
    words = [(start, start + last - first) for start, first, last in _list_segments(blocks[at])]
    below = blocks[at + 1] if at + 1 < len(blocks) else None
    if blocks[at].kind != "line" or below is None or not 3 <= len(words) <= _MOST_COLUMNS:
        return None
    if drawn:
        # A line below each column tells where these begin.
        able = below.kind == "rule" and len(_SEGMENT.findall(below.mark)) < 2
    else:
        able = _is_headed(blocks[at], below, len(words))
    if not able:
        return None
    rows = [[_set_header(blocks[at])]]
    end = at + 1 + drawn
    apart = False  # whether white space parts the rows
    for block in blocks[end:]:
        able = block.kind == "line" and block.gap < 2
        places = _place_cells(block, words, through=drawn) if able else None
        wrapped = places is not None and len(places) == 1 and not block.gap and apart
        fresh = places is not None and 0 in places and not wrapped
        if places is None or (fresh and len(places) < 2) or (not fresh and len(rows) < 2):
            break
        apart = apart or (fresh and block.gap > 0 and len(rows) > 1)
        row = [Styled.of("") for _ in words]
        for place, (first, last) in places.items():
            row[place] = block.content.cut(first, last)
        piece = replace(block, cells=tuple(row))
        if fresh:
            rows.append([piece])
        else:
            rows[-1].append(piece)
        end += 1
    if len(rows) <= fewest:
        return None
    return Table(at, end, tuple(_join_row(row, joiner) for row in rows))


def _is_headed(block: Block, below: Block, width: int) -> bool:
    """Whether words stand above a row with as many cells, of which some are figures."""
    cells = [cell.text for cell in _list_cells(block)]
    words = all(cell[:1].isupper() and len(cell.split()) < _LONG for cell in cells)
    plain = words and not any(map(str.isdigit, block.text))
    under = [cell.text for cell in _list_cells(below)]
    figured = sum(any(map(str.isdigit, cell[:2])) for cell in under[1:])
    row = below.kind == "line" and below.gap < 2 and len(under) == width
    return plain and row and figured > 0 and under[0][:1].isalpha()


def _place_cells(
    block: Block, words: Sequence[tuple[int, int]], *, through: bool
) -> dict[int, tuple[int, int]] | None:
    """Return below which word of the header each part of a line stands; None if two share one.

    through: whether a part may stand below two of them
    """
    placed: dict[int, tuple[int, int]] = {}
    for start, first, last in _list_segments(block):
        end = start + last - first
        # Less than nothing where the part stands below a word: by so many letters.
        away = [max(begin, start) - min(stop, end) for begin, stop in words]
        place = min(range(len(words)), key=away.__getitem__)
        if place in placed or (placed and place < max(placed)):
            return None
        if not through and sum(gap < 0 for gap in away) > 1:
            return None
        placed[place] = first, last
    return placed


def _add_header(blocks: Sequence[Block], table: Table) -> Table:
    """Return a table with the line above it, if that has a word for each column, in their order.

    Words above figures seldom stand where these begin.
    """
    above = blocks[table.start - 1] if table.start else None
    if above is None or above.kind != "line" or blocks[table.start].gap:
        return table
    header = _set_header(above)
    words = not any(sign.isdigit() for sign in above.text)
    figured = any(sign.isdigit() for cell in table.rows[0].cells for sign in cell.text)
    if not (words and figured) or len(header.cells) != len(table.rows[0].cells):
        return table
    return table._replace(start=table.start - 1, rows=(header, *table.rows))


def _read_described(blocks: Sequence[Block], at: int, joiner: Joiner) -> Table | None:
    """Return a table whose rows have a text below them, across the columns.

    Cells are told by their order, since figures stand at the right of their columns. A title among
    the rows is a row by itself.
    """
    places = [begin for begin, _, _ in _list_segments(blocks[at])]
    width, indent = len(places), blocks[at].indent
    if blocks[at].kind != "line" or not 3 <= width <= _MOST_COLUMNS:
        return None
    rows: list[tuple[Block, list[Block]]] = []
    place = at
    while place < len(blocks) and blocks[place].kind in ("line", "heading", "rule"):
        block, whole = blocks[place], _has_cells(blocks[place], width, indent)
        ahead = next((b for b in blocks[place + 1 :] if b.kind != "rule"), None)
        fresh = place == at or block.gap or blocks[place - 1].kind == "rule"
        if whole:
            rows.append((block, []))
        elif rows and block.kind == "line" and (not fresh or block.indent > indent):
            if block.indent >= places[1] - _WANDER:
                return None  # a cell that goes on
            rows[-1][1].append(block)
        elif block.kind != "rule":
            named = looks_like_name(block.text.strip(" :"), marked=True)
            again = ahead is not None and ahead.text == blocks[at].text  # the header
            if not (named and ahead and _has_cells(ahead, width, indent)) or again:
                break
            rows.append((replace(block, kind="heading"), []))
        place += 1
    items = [texts for block, texts in rows if block.kind == "line"]
    titles = len(rows) - len(items)
    if not _are_columns([block for block, _ in rows if block.kind == "line"], width):
        return None
    if len(items) < _FEWEST or 2 * titles > len(items) or sum(map(bool, items)) < 0.7 * len(items):
        return None
    above = blocks[at - 1] if at else None
    start = at
    if above and above.gap and looks_like_name(above.text.strip(" :"), marked=True):
        titled = any(block.kind == "heading" for block, _ in rows)
        if titled and rows[0][1] and not above.cells:
            start, rows = at - 1, [(replace(above, kind="heading"), []), *rows]
    told = tuple(_describe(block, texts, places, joiner) for block, texts in rows)
    return Table(start, place, told, described=True)


def _are_columns(blocks: Sequence[Block], width: int) -> bool:
    """Whether the parts of lines stand one below the other, at their left or their right."""
    whole = [found for block in blocks if len(found := _list_segments(block)) == width]
    for column in zip(*whole, strict=True):
        lefts = Counter(start for start, _, _ in column)
        rights = Counter(start + last - first for start, first, last in column)
        if max(*lefts.values(), *rights.values()) < _MOST_ALIGNED * len(whole):
            return False
    return True


def _has_cells(block: Block, width: int, indent: int) -> bool:
    """Whether a line has so many parts, or one less, from the place on where names stand."""
    parts = len(_list_segments(block))
    return block.kind == "line" and block.indent == indent and width - 1 <= parts <= width > 1


def _describe(block: Block, texts: Sequence[Block], places: Sequence[int], joiner: Joiner) -> Block:
    """Return a row with the text below it as its last cell; where a cell lacks, its place tells."""
    if block.kind == "heading":
        return replace(block, kind="row", cells=(block.content,))
    found, parts = _list_segments(block), [*_list_cells(block)]
    if len(parts) < len(places):
        offs = [
            sum(abs(begin - places[n + (n >= gap)]) for n, (begin, _, _) in enumerate(found))
            for gap in range(1, len(places))
        ]
        parts.insert(offs.index(min(offs)) + 1, Styled.of(""))
    text = joiner.join([one.content for one in texts]) if texts else Styled.of("")
    lines = tuple(line for one in (block, *texts) for line in one.lines)
    return replace(block, cells=(*parts, text), kind="row", sources=lines)


def _find_usual(rows: Sequence[Sequence[Styled]]) -> frozenset[int]:
    """Return the inner columns that each row fills once: its figures, or two of short values."""
    inner = list(zip(*rows, strict=True))[1:-1]
    filled = {
        place
        for place, column in enumerate(inner, 1)
        if 3 * _count_filled(column) >= 2 * len(rows)
        and all(len(cell.text.split()) <= 2 for cell in column)
    }
    figured = [sum(cell.text[:1].isdigit() for cell in inner[place - 1]) for place in filled]
    several = len(filled) > 1 or max(figured, default=0) >= 0.7 * len(rows)
    return frozenset(filled) if several else frozenset()


def _heads_rows(blocks: Sequence[Block], starts: Sequence[int]) -> bool:
    """Whether the first of some lines is a heading among rows: a whole row follows it."""
    cells = _cut(blocks[1], starts) if len(blocks) > 1 and not blocks[1].gap else None
    short = len(blocks[0].text.split()) <= _LONG and looks_like_name(blocks[0].text, marked=True)
    return short and cells is not None and bool(cells[0].text) and _count_filled(cells) > 1


def _count_filled(cells: Sequence[Styled]) -> int:
    return sum(bool(cell.text) for cell in cells)


def _find_columns(blocks: Sequence[Block]) -> list[int]:
    """Return where columns begin: at places where most lines that have parts have one."""
    counts: Counter[int] = Counter()
    several = 0
    for block in blocks:
        if block.kind == "rule":
            drawn = [part.start() for part in _SEGMENT.finditer(block.mark)]
            if len(drawn) > 1:
                return drawn  # a line drawn below each column
            continue
        parts = _list_segments(block)
        several += len(parts) > 1
        if len(parts) > 1:
            counts.update(start for start, _, _ in parts)
    ruled = sum(block.kind == "rule" for block in blocks)
    if several < (2 if ruled else _FEWEST) or 3 * several < len(
        [b for b in blocks if b.kind != "rule"]
    ):
        return []
    starts: list[int] = []
    for start in sorted(start for start, count in counts.items() if count >= 0.6 * several):
        if not starts or start - starts[-1] > _WANDER:
            starts.append(start)
    first = min((start for start, count in counts.items() if count > 1), default=0)
    return starts if starts and starts[0] == first else []


def _cut(block: Block, starts: Sequence[int]) -> list[Styled] | None:
    """Return the cells of a line; None where a text runs through from one column into the next."""
    if block.indent < starts[0] - _WANDER:
        return None
    cells = [Styled.of("") for _ in starts]
    for start, first, last in _list_segments(block):
        column = max((c for c, at in enumerate(starts) if at <= start + _WANDER), default=0)
        after = starts[column + 1] if column + 1 < len(starts) else None
        if after is not None and block.indent + last > after:
            return None
        part = block.content.cut(first, last).strip()
        cells[column] = cells[column].join(part, " ") if cells[column].text else part
    return cells
