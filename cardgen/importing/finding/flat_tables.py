"""Tables that lost their lines become rows again: a cell to a line, or columns held by blanks.

Knows what columns are called, and nothing else of cards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from cardgen.importing.column_names import find_field
from cardgen.importing.model import Block, SourceLine, Styled

_MOST_COLUMNS = 8
_FEWEST_ROWS = 2
_WORDS = re.compile(r"\S+(?: \S+)*")


def gather_tables(blocks: Sequence[Block]) -> list[Block]:
    gathered: list[Block] = []
    at = 0
    while at < len(blocks):
        rows, end = _read_aligned(blocks, at)
        if not rows:
            rows, end = _read_stacked(blocks, at)
        if rows:
            gathered += rows
            at = end
        else:
            gathered.append(blocks[at])
            at += 1
    return gathered


def _names_cards(names: Sequence[str]) -> bool:
    fields = [find_field(name) for name in names]
    known = [field for field in fields if field]
    return "name" in known and len(set(known)) == len(known) >= 2 and len(known) * 2 > len(names)


def _read_stacked(blocks: Sequence[Block], at: int) -> tuple[list[Block], int]:
    """A table with a cell to each line: the names of the columns, then as many cells to a row."""
    for count in range(_MOST_COLUMNS, 1, -1):
        header = blocks[at : at + count]
        if len(header) < count or not all(_is_cell(block) for block in header):
            continue
        if any(block.gap for block in header[1:]) or not _names_cards([b.text for b in header]):
            continue
        rows = [_make_row(header)]
        place = at + count
        while row := _take_row(blocks, place, count):
            rows.append(_make_row(row[:count], row[count:]))
            place += len(row)
        if len(rows) > _FEWEST_ROWS:
            return rows, place
    return [], at


def _is_cell(block: Block) -> bool:
    return block.kind == "line" and not block.cells


def _take_row(blocks: Sequence[Block], at: int, count: int) -> list[Block]:
    """The cells from `at` on up to the next gap; a last cell may have several lines."""
    row: list[Block] = []
    while at < len(blocks) and _is_cell(blocks[at]) and not (row and blocks[at].gap):
        row.append(blocks[at])
        at += 1
    return row if len(row) >= count and row[0].gap else []


def _make_row(cells: Sequence[Block], more: Sequence[Block] = ()) -> Block:
    contents = [cell.content.strip() for cell in cells]
    for block in more:
        contents[-1] = contents[-1].join(block.content.strip(), "\n")
    lines = tuple(line for block in (*cells, *more) for line in block.lines)
    return _set_row(cells[0], contents, lines)


def _set_row(first: Block, contents: Sequence[Styled], lines: tuple[SourceLine, ...]) -> Block:
    whole = Styled.of(" | ".join(content.text for content in contents))
    return replace(first, content=whole, kind="row", cells=tuple(contents), sources=lines)


def _read_aligned(blocks: Sequence[Block], at: int) -> tuple[list[Block], int]:
    """A table whose columns stand below their names, each cell broken over lines as need be."""
    header = blocks[at]
    names = list(_WORDS.finditer(header.text)) if _is_cell(header) and "  " in header.text else []
    if not 1 < len(names) <= _MOST_COLUMNS or not _names_cards([name[0] for name in names]):
        return [], at
    starts = [header.indent + name.start() for name in names]
    rows: list[list[Block]] = []
    place = at + 1
    while place < len(blocks) and (blocks[place].kind == "rule" or _is_cell(blocks[place])):
        block = blocks[place]
        if block.kind != "rule":
            cells = _cut(block, starts)
            if cells is None or (block.gap and sum(1 for cell in cells if cell.text) < 2):
                break
            if block.gap or not rows or _begins_row(cells, rows):
                rows.append([])
            rows[-1].append(block)
        place += 1
    if len(rows) < _FEWEST_ROWS:
        return [], at
    made = [_set_row(header, [Styled.of(name[0]) for name in names], header.lines)]
    return [*made, *(_join_row(row, starts) for row in rows)], place


def _begins_row(cells: Sequence[Styled], rows: Sequence[Sequence[Block]]) -> bool:
    """Without empty lines between them a row begins where its short cells are filled."""
    gapless = all(not row[0].gap for row in rows[1:])
    return gapless and sum(1 for cell in cells if cell.text) == len(cells)


def _cut(block: Block, starts: Sequence[int]) -> list[Styled] | None:
    """The cells of a line; None where a text runs through from one column into the next."""
    if block.indent < starts[0] - 1:
        return None
    ends = [*starts[1:], block.indent + len(block.text) + 1]
    cells = []
    for start, end in zip(starts, ends, strict=True):
        first, last = max(0, start - block.indent), max(0, end - block.indent)
        if (
            first
            and block.text[first - 1 : first].strip()
            and block.text[first : first + 1].strip()
        ):
            return None
        cells.append(block.content.cut(first, last).strip())
    return cells


def _join_row(row: Sequence[Block], starts: Sequence[int]) -> Block:
    contents = [Styled.of("") for _ in starts]
    for block in row:
        for column, cell in enumerate(_cut(block, starts) or ()):
            if cell.text:
                above = contents[column]
                contents[column] = above.join(cell, " ") if above.text else cell
    return _set_row(row[0], contents, tuple(line for block in row for line in block.lines))
