"""Tables in a text, a card to a row: with lines, in Markdown, or held together by blanks alone.

The column of names is the one whose cells are short and different, that of texts the longest.
Knows nothing of records outside of tables.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import NamedTuple

from cardgen.deck.model import Value
from cardgen.importing.column_names import find_field
from cardgen.importing.finding.calibrate import (
    IN_A_HEADED_TABLE,
    IN_A_TABLE,
    WITHOUT_A_HEADER,
)
from cardgen.importing.finding.facts import capitalise, take_facts
from cardgen.importing.finding.fields import make_key
from cardgen.importing.finding.lines import is_torn, read_head
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.names import fold, looks_like_name, set_name, trim_name
from cardgen.importing.finding.vocabulary import find_label, list_words
from cardgen.importing.model import (
    BOLD,
    HEADER,
    NOT_POINTED,
    Block,
    Candidate,
    Doubt,
    Pointed,
    Styled,
)

_FEWEST = 3
_MOST_COLUMNS = 12
_LONG = 5  # words of a cell that is a text
_WANDER = 1
_SEGMENT = re.compile(r"\S+(?: \S+)*")
_PRICE = re.compile(r"\d{1,4}[.,]\d\d")
_UNIT = re.compile(r"\s*\([^()]*\)$")
_FIGURES = re.compile(r"[#\d.,/+\s–-]+")


class Table(NamedTuple):
    """Rows of a text, with the blocks from `start` to `end` that they stand in.

    described: whether the last cell of each is the text below its line
    """

    start: int
    end: int
    rows: tuple[Block, ...]
    described: bool = False


class Columns(NamedTuple):
    """What the columns of a table hold: a field for each, and whether the first row says so."""

    fields: tuple[str | None, ...]
    headed: bool


def find_tables(blocks: Sequence[Block], joiner: Joiner) -> list[Table]:
    """Return the tables of a text, each row whole."""
    found: list[Table] = []
    at = 0
    while at < len(blocks):
        table = (
            _read_rows(blocks, at, joiner)
            or _read_described(blocks, at, joiner)
            or _read_aligned(blocks, at, joiner)
        )
        if table:
            beside = found[-1] if found and found[-1].end == table.start else None
            joined = _join_beside(beside, table) if beside else None
            found[-1:] = [joined] if joined else [*found[-1:], table]
            at = table.end
        else:
            at += 1
    return found


def _join_beside(above: Table, table: Table) -> Table | None:
    """Return two tables as one where the lower goes on with columns for the same names."""
    names = [[row.cells[0].text for row in one.rows[1:] if row.cells] for one in (above, table)]
    alike = names[0] == names[1] and len(set(names[0])) == len(names[0]) > 1
    if not alike or above.described or table.described:
        return None
    rows = tuple(
        replace(row, cells=(*row.cells, *more.cells[1:]), sources=(*row.lines, *more.lines))
        for row, more in zip(above.rows, table.rows, strict=True)
    )
    return Table(above.start, table.end, rows)


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
    for block in _drop_empty(blocks[at:end]):
        if block.kind == "rule":
            fresh = True
        elif groups and not fresh and (ruled > 2 or _carries_on(groups[-1], block)):
            groups[-1].append(block)
        else:
            groups.append([block])
            fresh = False
    if len(rows) < 2:
        return None
    return Table(at, end, tuple(_join_row(group, joiner) for group in groups))


def _drop_empty(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return rows without the columns that are empty below the first row, as of pictures."""
    rows = [block.cells for block in blocks if block.cells]
    width = len(rows[0])
    filled = [any(row[place].text.strip() for row in rows[1:] if place < len(row))
              for place in range(width)]  # fmt: skip
    if all(filled) or len({len(row) for row in rows}) > 1:
        return blocks
    return [
        replace(block, cells=tuple(c for c, has in zip(block.cells, filled, strict=False) if has))
        for block in blocks
    ]


def _carries_on(above: Sequence[Block], block: Block) -> bool:
    """Whether a row is the rest of the one above it: its first cells are empty."""
    cells = [cell.text.strip() for cell in block.cells]
    filled = [place for place, cell in enumerate(cells) if cell]
    first = [place for place, cell in enumerate(above[0].cells) if cell.text.strip()]
    if not filled or not first or len(first) < 2 or len(block.cells) != len(above[0].cells):
        return False
    cell, before = block.cells[filled[0]], above[0].cells[filled[0]]
    alone = len(filled) == 1 and (
        cell.face > before.face or (cell.face > 0 and not is_torn(before.text))
    )
    if filled[0] == first[0]:  # a name that is wrapped, as the text is
        return 1 < len(filled) < len(first) / 2 and filled[-1] == len(cells) - 1
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


def _read_aligned(blocks: Sequence[Block], at: int, joiner: Joiner) -> Table | None:
    """Return a table whose columns are held by blanks, each cell on as many lines as it needs."""
    first = blocks[at]
    if first.kind not in ("line", "item") or "  " not in first.text:
        return None
    end = at
    while (
        end < len(blocks)
        and blocks[end].kind in ("line", "item", "rule")
        and (end == at or blocks[end].gap < 3)
    ):
        end += 1
    starts = _find_columns(blocks[at:end])
    if len(starts) < 2 or len(starts) > _MOST_COLUMNS:
        return None
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
    if len(full) < (2 if ruled > 1 else _FEWEST):
        return None
    return Table(at, place, tuple(_join_row(row, joiner) for row in rows))


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
            if not (named and ahead and _has_cells(ahead, width, indent)):
                break
            rows.append((replace(block, kind="heading"), []))
        place += 1
    items = [texts for block, texts in rows if block.kind == "line"]
    titles = len(rows) - len(items)
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


def _has_cells(block: Block, width: int, indent: int) -> bool:
    """Whether a line has so many parts, or one less, from the place on where names stand."""
    parts = len(_list_segments(block))
    return block.kind == "line" and block.indent == indent and width - 1 <= parts <= width > 1


def _describe(block: Block, texts: Sequence[Block], places: Sequence[int], joiner: Joiner) -> Block:
    """Return a row with the text below it as its last cell; where a cell lacks, its place tells."""
    if block.kind == "heading":
        return replace(block, kind="row", cells=(block.content,))
    found = _list_segments(block)
    parts = [block.content.cut(start, end) for _, start, end in found]
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
    """Return the inner columns that each row fills once, where there are two: its figures."""
    inner = list(zip(*rows, strict=True))[1:-1]
    filled = {
        place
        for place, column in enumerate(inner, 1)
        if 3 * _count_filled(column) >= 2 * len(rows)
        and all(len(cell.text.split()) <= 2 for cell in column)
    }
    return frozenset(filled) if len(filled) > 1 else frozenset()


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
    return starts if starts and starts[0] == min(counts) else []


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


# What the columns hold


def list_groups(table: Table, columns: Columns) -> Iterator[tuple[Block, str | None]]:
    """Yield the rows below the header, each with the title of its group.

    A title fills one cell of a row, where the others fill several.
    """
    rows = table.rows[1:] if columns.headed else table.rows
    filled = [sum(bool(cell.text.strip()) for cell in row.cells) for row in rows]
    several = median(filled) > 1 if filled else False
    texts = [next((c.text for c in row.cells if c.text.strip()), "").strip(" :") for row in rows]
    titles = [
        at
        for at, number in enumerate(filled[:-1])
        if several and number == 1 < filled[at + 1] and looks_like_name(texts[at], marked=True)
    ]
    if len(titles) == 1 and titles[0] and len(table.rows[0].cells) == 2:
        titles = []  # a row whose text is not written yet
    title = None
    for at, row in enumerate(rows):
        if at in titles:
            title = set_name(texts[at])
        else:
            yield row, title


def list_names(table: Table, columns: Columns) -> list[str]:
    """Return the names of a table's rows, as names are compared."""
    column = columns.fields.index("name")
    rows = [row for row, _ in list_groups(table, columns)]
    return [fold(row.cells[column].text) for row in rows if column < len(row.cells)]


def holds_name(table: Table, pointed: Pointed) -> bool:
    """Whether a cell of a table is a name that somebody saw."""
    wanted = {fold(name) for name in pointed.names}
    return any(fold(cell.text) in wanted for row in table.rows for cell in row.cells)


def _find_pointed(columns: Sequence[Sequence[Styled]], pointed: Pointed) -> int | None:
    wanted = {fold(name) for name in pointed.names}
    for place, column in enumerate(columns):
        if any(fold(cell.text) in wanted for cell in column):
            return place
    return None


def read_columns(table: Table, pointed: Pointed = NOT_POINTED) -> Columns | None:
    """Return what each column of a table holds; None where no column has names."""
    rows = table.rows
    width = max(len(row.cells) for row in rows)
    if width < 2 or width > 30:
        return None
    header = [cell.text.strip(" *_:.") for cell in rows[0].cells]
    header += [""] * (width - len(header))
    named = [_find_field(text) for text in header]
    headed = "name" in named or _is_header(header, rows)
    body = rows[1:] if headed else rows
    if not headed and not any(header):
        body = rows[1:]
    columns = [
        [row.cells[column] if column < len(row.cells) else Styled.of("") for row in body]
        for column in range(width)
    ]
    if len(body) < (1 if "name" in named else 2):
        return None
    known = [headed and field not in (None, "name", "text") for field in named]
    name = named.index("name") if headed and "name" in named else _find_names(columns, known)
    shown = _find_pointed(columns, pointed)
    if shown is not None:
        name = shown
    elif name is None or _weigh_names(columns[name]) < 0.6:
        return None
    fields: list[str | None] = []
    lengths = [_measure(column) for column in columns]
    text = named.index("text") if headed and "text" in named else None
    if table.described:
        text = width - 1
    elif text is None:
        others = [c for c in range(width) if c != name and named[c] in (None, "name")]
        text = max(others, key=lambda c: lengths[c], default=None)
        if text is not None and lengths[text] < _LONG and not _holds_sentences(columns[text]):
            text = None
    for column in range(width):
        label = header[column] if headed else ""
        if column == name:
            fields.append("name")
        elif column == text:
            fields.append("text")
        elif _counts_rows(columns[column]) and not _is_word(label):
            fields.append(None)
        elif headed and named[column] and named[column] not in fields:
            fields.append(named[column])
        elif not label and "cost" not in named and _holds_prices(columns[column]):
            fields.append("cost")
        else:
            fields.append(make_key(label) or None if headed else f"column_{column + 1}")
    return Columns(tuple(fields), headed or not any(header))


def _holds_prices(column: Sequence[Styled]) -> bool:
    texts = [cell.text.strip() for cell in column if cell.text.strip()]
    return bool(texts) and all(
        _PRICE.fullmatch(text) or take_facts(text).has("cost") for text in texts
    )


def _is_word(label: str) -> bool:
    return any(sign.isalpha() for sign in label) and find_field(label) != "count"


def _find_field(label: str) -> str | None:
    found = find_label(label.casefold())
    if found is None and (bare := _UNIT.sub("", label)) not in ("", label):
        return _find_field(bare)  # "Weight (lb)"
    if found is None and find_field(label) in ("name", "count", "cost", "kind", "text"):
        return find_field(label)
    return found


def _is_header(header: Sequence[str], rows: Sequence[Block]) -> bool:
    """Whether the first row says what the columns hold: words where the others have values."""
    if sum(bool(text) for text in header) < 2 or any(len(text.split()) > 4 for text in header):
        return False
    if len({text.casefold() for text in header}) == len(header) and _heads_figures(header, rows):
        return True
    if any(sum(map(str.isdigit, text)) > 2 or text[:1].isdigit() for text in header):
        return False
    known = sum(_find_field(text) is not None for text in header)
    longer = 0
    for column, text in enumerate(header):
        cells = [row.cells[column].text for row in rows[1:] if column < len(row.cells)]
        words = median([len(cell.split()) for cell in cells]) if cells else 0
        figures = sum(bool(re.search(r"\d", cell)) for cell in cells) * 2 > len(cells)
        longer += bool(text) and (words > len(text.split()) + 2 or figures)
    return known + longer >= 1 and len({text.casefold() for text in header}) == len(header)


def _heads_figures(header: Sequence[str], rows: Sequence[Block]) -> bool:
    """Whether a row that its source sets off as a header has words above a column of figures."""
    places = [
        place
        for place in range(len(header))
        if all(
            any(map(str.isdigit, row.cells[place].text))
            for row in rows[1:]
            if place < len(row.cells)
        )
    ]
    words = [place for place in places if not any(map(str.isdigit, header[place]))]
    return rows[0].mark == HEADER and bool(words)


def _find_names(columns: Sequence[Sequence[Styled]], known: Sequence[bool]) -> int | None:
    """Return the column that holds names, which is none whose header says something else."""
    weights = [
        0.0 if known[place] else _weigh_names(column) - place / 50
        for place, column in enumerate(columns)
    ]
    best = max(range(len(columns)), key=lambda column: weights[column])
    return best if weights[best] > 0.5 else None


def _weigh_names(column: Sequence[Styled]) -> float:
    """Return how much the cells of a column look like names: short, different, no figures."""
    texts = [cell.text.strip() for cell in column if cell.text.strip()]
    if len(texts) < max(min(2, len(column)), 0.6 * len(column)):
        return 0.0
    like = sum(looks_like_name(trim_name(text), marked=True) for text in texts) / len(texts)
    different = len({text.casefold() for text in texts}) / len(texts)
    bold = sum(bool(cell.face & BOLD) for cell in column) / len(column)
    long = _measure(column)
    return like * different**2 * (1.0 if long <= 6 else 0.4) + 0.2 * bold


def _measure(column: Sequence[Styled]) -> float:
    return median([len(cell.text.split()) for cell in column])


def _holds_sentences(column: Sequence[Styled]) -> bool:
    """Whether most cells of a column end as sentences do."""
    ends = sum(cell.text.rstrip()[-1:] in (".", "!") for cell in column)
    return ends > 0.7 * len(column) and _measure(column) > 2


def _counts_rows(column: Sequence[Styled]) -> bool:
    texts = [cell.text.strip(" .#)") for cell in column]
    numbers = [int(text) for text in texts if text.isdecimal() and len(text) < 5]
    return len(numbers) > 0.8 * len(texts) and numbers == sorted(set(numbers))


def read_row(row: Block, columns: Columns, kind: str | None) -> Candidate | None:
    """Return the card of a row; None for one without a name."""
    values: dict[str, Styled] = {}
    for field, cell in zip(columns.fields, row.cells, strict=False):
        if field and cell.text.strip() and field not in values:
            values[field] = cell.strip()
    if "name" not in values:
        return None
    doubts = []
    if len(row.cells) != len(columns.fields):
        told = f"this row has {len(row.cells)} cells, the header {len(columns.fields)}"
        doubts.append(Doubt("row-width", told, 0.7))
    head = read_head(values["name"])
    if head and head.taken.has("cost") and "cost" in values:
        head = None  # "Arrows (20)"
    name, count = (head.name, head.copies) if head else (trim_name(values["name"].text), 1)
    known: dict[str, Value] = {}
    other: list[tuple[str, Value]] = []
    for fact in head.taken.facts if head else ():
        if fact.gives == "count":
            count = int(fact.value or 1)
        elif fact.gives == "cost" and not isinstance(fact.value, int):
            other.append(("cost", fact.value))
        elif fact.gives in ("cost", "who", "uses"):
            known[fact.gives] = fact.value
    for field, cell in values.items():
        if field in ("name", "text"):
            continue
        empty = cell.text in (*list_words("who", "nobody"), "-", "–", "—")
        if empty and field in ("cost", "who", "uses", "kind", "count"):
            continue
        if field == "cost":
            taken = take_facts(f"cost: {cell.text}")
            cost = taken.facts[0].value if taken.facts and taken.has("cost") else None
            if isinstance(cost, int):
                known["cost"] = cost
            elif not taken.has("nothing"):
                other.append(("cost", cell.text))
        elif field == "count":
            figure = re.search(r"\d{1,3}", cell.text)
            count = int(figure[0]) if figure else 1
        elif field in ("who", "uses", "kind"):
            taken = take_facts(cell.text)
            said = [f.value for f in taken.facts if f.gives == field == "who"]
            known[field] = str(said[0]) if said else capitalise(cell.text)
        else:
            other.append((field, cell.to_markdown()))
    return Candidate(
        name=set_name(name),
        lines=row.lines,
        count=count,
        cost=_get_whole(known.get("cost")),
        who=_get_text(known.get("who")),
        uses=_get_text(known.get("uses")),
        kind=_get_text(known.get("kind")) or kind,
        paragraphs=tuple(_part_lines(values["text"])) if "text" in values else (),
        other=tuple(other),
        doubts=tuple(doubts),
        reasons=("a row of a table",),
        found=_measure_table(columns),
    )


def _measure_table(columns: Columns) -> float:
    """Return how sure the rows of a table are, by whether its header says what they hold."""
    if not columns.headed:
        return WITHOUT_A_HEADER
    return IN_A_HEADED_TABLE if "text" in columns.fields else IN_A_TABLE


def _get_whole(value: Value) -> int | None:
    return value if isinstance(value, int) else None


def _get_text(value: Value) -> str | None:
    return str(value) if value is not None else None


def _part_lines(content: Styled) -> Iterator[Styled]:
    position = 0
    for match in re.finditer("\n", content.text):
        yield content.cut(position, match.start()).strip()
        position = match.end()
    yield content.cut(position).strip()
