"""Tables in a text, a card to a row: with lines, in Markdown, or held together by blanks alone.

Says which lines are tables, and which something else in rows. What the columns hold: columns.py.
Knows nothing of records outside of tables.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from cardgen.importing.finding.blanks import (
    add_header,
    find_first,
    find_starts,
    read_aligned,
    read_described,
    read_headed,
)
from cardgen.importing.finding.labels import find_labelled
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.names import CODE
from cardgen.importing.finding.rows import Table, read_rows
from cardgen.importing.model import HEADER, Block, SourceLine, Styled

_FEWEST = 3
_MOST_NAMED = 0.7
_CODED = re.compile(rf"{CODE}[.:)]?")


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


def part_labels(blocks: Sequence[Block]) -> list[Block]:
    """Return rows whose cells all are labels with values, as "Range: Touch", as a line for each."""
    labelled = [_are_labels(block.cells) for block in blocks]
    if sum(labelled) < _FEWEST:
        return list(blocks)
    parted: list[Block] = []
    for block, is_labelled in zip(blocks, labelled, strict=True):
        cells = [cell.strip() for cell in block.cells if cell.text.strip()] if is_labelled else []
        parted += [
            _set_line(block, cell, 0 if place else block.gap) for place, cell in enumerate(cells)
        ]
        parted += [block] * (not is_labelled)
    return parted


def _set_line(row: Block, said: Styled, gap: int) -> Block:
    """Return a part of a row as a line by itself."""
    line = SourceLine(row.place, said.text)
    return replace(row, content=said, kind="line", cells=(), mark="", sources=(line,), gap=gap)


def _are_labels(cells: Sequence[Styled]) -> bool:
    filled = [cell for cell in cells if cell.text.strip()]
    labels = [find_labelled(cell.strip()) for cell in filled if ":" in cell.text]
    said = [label for label in labels if label and label.value.text]
    return len(filled) > 1 and len(said) == len(filled)


def part_cells(blocks: Sequence[Block]) -> list[Block]:
    """Return tables in which nearly every cell is a bold name with its text as a line for each.

    So cards are laid out that are to be cut apart.
    """
    rows = [block for block in blocks if any(cell.text.strip() for cell in block.cells)]
    cells = [cell.strip() for row in rows for cell in row.cells if cell.text.strip()]
    named = sum(0 < cell.find_lead() < len(cell.text) for cell in cells)
    told = all("\n" in cell.text for cell in cells)  # one to a row, each with lines of its own
    few = len(cells) < 2 * max(len(rows), _FEWEST) - 1 and not (told and len(cells) >= _FEWEST)
    if few or named < _MOST_NAMED * len(cells):
        return list(blocks)
    parted: list[Block] = []
    for block in blocks:
        for cell in block.cells:
            parted += [
                _set_line(block, said, int(not place))
                for place, said in enumerate(_cut_lines(cell))
            ]
        parted += [block] * (not block.cells)
    return parted


def _cut_lines(cell: Styled) -> list[Styled]:
    """Return the lines of a cell that are not empty."""
    ends = [*accumulate(len(line) + 1 for line in cell.text.split("\n"))]
    starts = [0, *ends]
    lines = [cell.cut(start, end - 1).strip() for start, end in zip(starts, ends, strict=False)]
    return [line for line in lines if line.text]


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
    labels = Counter(filter(None, map(find_first, blocks)))
    at = 0
    while at < len(blocks):
        table = (
            read_rows(blocks, at, joiner)
            or read_headed(blocks, at, joiner, _FEWEST)
            or read_described(blocks, at, joiner)
        )
        starts: tuple[int, ...] = ()
        if table is None:
            starts = find_starts(blocks, at)
            table = read_aligned(blocks, at, starts, joiner) if starts else None
            table = add_header(blocks, table) if table else None
            if table and _are_labelled(blocks[table.start : table.end], labels):
                table = None
            fewest = 1 if again[blocks[at].text] > 1 else _FEWEST
            headed = read_headed(blocks, at, joiner, fewest, drawn=False)
            if headed and (not table or len(headed.rows[0].cells) > len(table.rows[0].cells)):
                table, starts = headed, ()
        if table and not (_repeats_labels(table) or _numbers_rows(table)):
            columns[starts] += len(table.rows) if starts else 0
            found.append(table)
            at = table.end
        else:  # rows that are none together are none from the second on either
            at = table.end if table and blocks[at].cells else at + 1
    more = _find_short(blocks, found, columns, joiner)
    return sorted([*found, *more], key=lambda table: table.start)


def _are_labelled(blocks: Sequence[Block], labels: Mapping[str, int]) -> bool:
    """Whether lines are labels with their values, which come again: "Armour   leather"."""
    times = [labels[find_first(block)] for block in blocks]
    return 2 * sum(one >= _FEWEST for one in times) > len(times)


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
        found = (read_aligned(blocks, at, starts, joiner, 1) for starts in usual if free)
        table = next((one for one in found if one), None)
        if table and inside.isdisjoint(range(at, table.end)):
            yield table
            at = table.end
        else:
            at += 1


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
