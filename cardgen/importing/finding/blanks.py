"""Tables that blanks hold: aligned columns, cells below the words of a header, or rows each with a
text below it. Knows nothing of what the cells hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.names import looks_like_name
from cardgen.importing.finding.rows import Table, join_row
from cardgen.importing.model import HEADER, Block, Styled

_FEWEST = 3
_MOST_ALIGNED = 0.5
_MOST_COLUMNS = 12
_MOST_DESCRIBED = 0.7
_SOME_DESCRIBED = 0.3  # below a header
_LONG = 5  # words of a title among rows
_SOME_FILLED = 0.15  # of the lines, for a column that most leave empty
_WANDER = 1
_SEGMENT = re.compile(r"\S+(?: \S+)*")
_LEADERS = re.compile(r"(?<=\s)\.{3,}(?=\s.*\S\s{2,}\S)")  # "Eel pie ....... 5d   heals 3"


def _list_segments(block: Block) -> list[tuple[int, int, int]]:
    """Return where the parts of a line begin on the page, and their places in its text."""
    text = block.text
    if "..." in text:
        text = _LEADERS.sub(lambda dots: " " * len(dots[0]), text)
    return [
        (block.indent + part.start(), part.start(), part.end()) for part in _SEGMENT.finditer(text)
    ]


def _list_cells(block: Block) -> tuple[Styled, ...]:
    """Return the parts of a line, as they are printed."""
    return tuple(block.content.cut(first, last) for _, first, last in _list_segments(block))


def find_first(block: Block) -> str:
    """Return the first of the two parts of a line; empty where it has more, or less."""
    parts = _list_segments(block) if block.kind == "line" and not block.cells else []
    return block.text[parts[0][1] : parts[0][2]] if len(parts) == 2 else ""


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


def find_starts(blocks: Sequence[Block], at: int) -> tuple[int, ...]:
    """Return where columns begin that blanks hold; nothing where there are none."""
    if blocks[at].kind not in ("line", "item") or "  " not in blocks[at].text:
        return ()
    starts = _find_columns(blocks[at : _find_end(blocks, at)])
    return tuple(starts) if 2 <= len(starts) <= _MOST_COLUMNS else ()


def read_aligned(
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
    drawn = [within for within in range(at, place) if blocks[within].kind == "rule"]
    if rows and drawn in ([at + len(rows[0])], [at + len(rows[0]), place - 1]):
        rows[0][0] = replace(rows[0][0], mark=HEADER)
    if len(full) < (min(2, fewest) if ruled > 1 else fewest):
        return None
    return Table(at, place, tuple(join_row(row, joiner) for row in rows))


def read_headed(
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
    return Table(at, end, tuple(join_row(row, joiner) for row in rows))


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
        if place and start < words[0][1]:
            return None  # a text below a row, across the columns
        placed[place] = first, last
    return placed


def add_header(blocks: Sequence[Block], table: Table) -> Table:
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


def read_described(blocks: Sequence[Block], at: int, joiner: Joiner) -> Table | None:
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
    lines = [block for block, _ in rows if block.kind == "line"]
    beside = [cells[1].text for block in lines if len(cells := _list_cells(block)) > 1]
    opened = sum(text[:1] in ("(", "[") for text in beside)
    if 2 * opened > len(beside) or not _are_columns(lines, width):
        return None  # brackets behind names are no cells
    headed = not any(map(str.isdigit, blocks[at].text)) and not items[0]
    least = _SOME_DESCRIBED if headed else _MOST_DESCRIBED
    if (
        len(items) < _FEWEST
        or 2 * titles > len(items)
        or sum(map(bool, items)) < least * len(items)
    ):
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
    """Return where columns begin: at places where most lines that have parts have one, or where
    some have one and no other text runs through.
    """
    spans: list[tuple[int, int]] = []
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
        spans += [(start, start + last - first) for start, first, last in parts]
    ruled = sum(block.kind == "rule" for block in blocks)
    if several < (2 if ruled else _FEWEST) or 3 * several < len(
        [b for b in blocks if b.kind != "rule"]
    ):
        return []
    starts: list[int] = []
    strong = {start for start, count in counts.items() if count >= 0.6 * several}
    if len(strong) > 1:
        fewest = max(_FEWEST, _SOME_FILLED * several)
        weak = {start for start, count in counts.items() if count >= fewest}
        strong |= {
            start for start in weak if not any(first < start < last for first, last in spans)
        }
    for start in sorted(strong):
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
