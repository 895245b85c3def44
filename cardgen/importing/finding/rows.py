"""Rows of a table, each put together from its lines: cells go on in the rows below.

Knows nothing of what they hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.wrapped import is_torn
from cardgen.importing.model import HEADER, Block, Styled
from cardgen.importing.reading.joining import has_ended

_FEWEST = 3
_LONG = 5  # words of a cell that is a text


class Table(NamedTuple):
    """Rows of a text, with the blocks from `start` to `end` that they stand in.

    described: whether the last cell of each is the text below its line
    """

    start: int
    end: int
    rows: tuple[Block, ...]
    described: bool = False


def read_rows(blocks: Sequence[Block], at: int, joiner: Joiner) -> Table | None:
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
    lasts = [row.cells[-1].text.strip()[:1] for row in rows]
    small = 3 * sum(map(str.islower, lasts)) > len(lasts)  # so whole rows begin, too
    place = -1  # of the row
    for block in blocks[at:end]:
        place += bool(block.cells)
        goes_on = (
            groups and not fresh and (ruled > 2 or _carries_on(groups[-1], block, small=small))
        )
        if block.kind == "rule":
            fresh = True
        elif goes_on or place in wrapped:
            groups[-1].append(block)
        else:
            groups.append([block])
            fresh = False
    if len(rows) < 2:
        return None
    return Table(at, end, tuple(join_row(group, joiner) for group in groups))


def _find_wrapped(rows: Sequence[Block]) -> Iterator[int]:
    """Yield the rows with nothing but the rest of a name: its first word had no room above.

    Where one of the first rows has nothing else either, such rows are titles; where two stand one
    below the other, they lack what other names have.
    """
    names = [row.cells[0].text.strip() for row in rows]
    bare = [bool(name) and not any(cell.text.strip() for cell in row.cells[1:])
            for name, row in zip(names, rows, strict=True)]  # fmt: skip
    if any(bare[:_FEWEST]) or (True, True) in pairwise(bare):
        for place, (above, name) in enumerate(pairwise(names), 1):
            if bare[place] and name[:1].islower() and above[:1].isupper():
                yield place  # "Dagger of the first" and "frost"
        return
    width = max(map(len, names), default=0)
    for place, (above, name) in enumerate(pairwise(names), 1):
        plain = bare[place] and not rows[place].cells[0].face
        if plain and len(above) + len(name.split()[0]) >= width:
            yield place


def _carries_on(above: Sequence[Block], block: Block, *, small: bool) -> bool:
    """Whether a row is the rest of the one above it: its first cells are empty.

    small: whether the last cells of many rows begin without a capital
    """
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
        paired = len(cells) == len(filled) == 2 and not small
        begun = cells[-1][:1].islower() and (fewer or paired) and len(last.split()) >= _LONG
        few = few or (goes_on and (begun or 2 * len(filled) == len(first)))
        return len(filled) > 1 and few and filled[-1] == len(cells) - 1
    return filled[0] > first[0] and len(filled) < len(first) and not alone


def join_row(group: Sequence[Block], joiner: Joiner) -> Block:
    width = max(len(block.cells) for block in group)
    cells = []
    for column in range(width):
        parts = [b.cells[column] for b in group if column < len(b.cells)]
        parts = [part for part in parts if part.text.strip()]
        cells.append(joiner.join(parts) if len(parts) > 1 else parts[0] if parts else Styled.of(""))
    lines = tuple(line for block in group for line in block.lines)
    return replace(group[0], cells=tuple(cells), kind="row", sources=lines)
