"""Runs of lines become tables: which lines belong together, what goes on in the next, which row is
the head.

Knows nothing of headings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cardgen.importing.finding.joiner import Joiner
from cardgen.importing.model import Doubt, SourceLine, Styled
from cardgen.importing.sheets.flow import goes_on_below, runs_on
from cardgen.importing.sheets.lines import SheetLine
from cardgen.importing.sheets.pieces import Align, Table
from cardgen.importing.sheets.rows import (
    Row,
    Rows,
    holds_figures,
    measure_strictness,
    part_head,
    read_rows,
)
from cardgen.importing.sheets.rules import ENDED, FIGURES, HEAD_WORDS, VALUES
from cardgen.importing.sheets.torn import Found, read_torn

_EMPTY = Styled.of("")


class _Run(NamedTuple):
    rows: tuple[Row, ...]
    wide: int  # how many rows stood side by side in the line
    sure: bool
    kind: str
    indent: int
    sources: tuple[SourceLine, ...]


def read_table(lines: Sequence[SheetLine], at: int, joiner: Joiner) -> Found | None:
    """The table that begins at a line."""
    return _read_runs(lines, at, joiner) or _read_headed(lines, at, joiner) or read_torn(lines, at)


def _read_headed(lines: Sequence[SheetLine], at: int, joiner: Joiner) -> Found | None:
    """A table below a head whose cells no more than capitals tell apart."""
    line = lines[at]
    if line.kind != "line" or line.cells or at + 1 >= len(lines):
        return None
    below = read_rows(lines[at + 1])
    if below is None or below.kind != "cells" or len(below.rows[0]) < 3:
        return None
    head = part_head(line.content, len(below.rows[0]))
    found = _read_runs(lines, at + 1, joiner) if head else None
    if head is None or found is None or any(cell.text for cell in found.table.head):
        return None
    sources = (*line.sources, *found.table.lines)
    return Found(replace(found.table, head=head, lines=sources), found.end)


def _read_runs(lines: Sequence[SheetLine], at: int, joiner: Joiner) -> Found | None:
    runs: list[_Run] = []
    end = at
    while end < len(lines):
        line = lines[end]
        if runs and _is_apart(lines, at, end, len(runs)):
            break
        if runs and _goes_on(lines, end, runs[-1]):
            runs[-1] = _append(runs[-1], line, joiner)
            end += 1
            continue
        rows, used = _read_folded(lines, end, joiner) if runs else (read_rows(line), 1)
        if rows is None or (runs and not _fits(runs[-1], rows)):
            break
        sources = tuple(source for one in lines[end : end + used] for source in one.sources)
        wide = len(rows.rows) if rows.wide else 1
        runs.append(_Run(rows.rows, wide, rows.sure, rows.kind, line.indent, sources))
        end += used
    if not _is_table(runs, lines[at]) or _breaks_list(lines, at, end):
        return None
    return Found(_make_table(runs, listed=lines[at].listed), end)


def _breaks_list(lines: Sequence[SheetLine], at: int, end: int) -> bool:
    """Whether only some items of a list are rows, so that it stays a list."""
    return lines[at].kind == "item" and end < len(lines) and lines[end].kind == "item"


def _is_apart(lines: Sequence[SheetLine], start: int, at: int, count: int) -> bool:
    """Whether an empty line parts what follows from the table: where not all rows stand apart."""
    line, first = lines[at], lines[start]
    if line.kind != first.kind and not (line.kind == "line" and not line.gap):
        return True
    if line.listed != lines[at - 1].listed:
        return True
    if not line.gap:
        return False
    if line.gap > 1 or line.listed:
        return True
    return count > 1 and not lines[at - 1].gap


def _goes_on(lines: Sequence[SheetLine], at: int, run: _Run) -> bool:
    """Whether a line is but the rest of the row above it."""
    line = lines[at]
    if line.kind != "line" or line.gap or line.listed:
        return False
    if len(line.cells) > 1:
        return not line.cells[0].text and len(line.cells) <= len(run.rows[-1])
    if runs_on(lines[at - 1], line):
        return True
    if read_rows(line) is not None or not line.text[:1].islower():
        return False
    return goes_on_below(lines[at - 1], line)


def _append(run: _Run, line: SheetLine, joiner: Joiner) -> _Run:
    *rows, last = run.rows
    cells = list(last)
    if len(line.cells) > 1:
        for place, cell in enumerate(line.cells):
            if cell.text:
                cells[place] = joiner.join([cells[place], cell])
    else:
        # A figure is complete; what goes on is the label.
        place = 0 if VALUES.fullmatch(cells[-1].text) else len(cells) - 1
        cells[place] = joiner.join([cells[place], line.content])
    return run._replace(rows=(*rows, tuple(cells)), sources=(*run.sources, *line.sources))


def _read_folded(lines: Sequence[SheetLine], at: int, joiner: Joiner) -> tuple[Rows | None, int]:
    """The rows of a line, or of two where a label goes on below and its figure stands there."""
    own = read_rows(lines[at])
    if own is not None or at + 1 >= len(lines):
        return own, 1
    first, second = lines[at], lines[at + 1]
    rows = read_rows(second)
    if (
        rows is None or second.gap or first.gap or rows.kind == "cells" or len(rows.rows) > 1
        or first.kind != "line" or ENDED.search(first.text) or not second.text[:1].islower()
    ):  # fmt: skip
        return None, 1
    label, *rest = rows.rows[0]
    return rows._replace(rows=((joiner.join([first.content, label]), *rest),)), 2


def _fits(run: _Run, rows: Rows) -> bool:
    """Whether rows belong into the table above them."""
    if "signed" in (run.kind, rows.kind) and run.kind != rows.kind:
        # "Long range  -1" is a row like any other where cells part it.
        return (
            {run.kind, rows.kind} == {"signed", "cells"}
            and all(len(row) == 2 for row in (*run.rows, *rows.rows))
            and (VALUES.fullmatch(run.rows[-1][-1].text) is not None)
        )
    return True


def _is_table(runs: Sequence[_Run], first: SheetLine) -> bool:
    rows = [row for run in runs for row in run.rows]
    if not rows:
        return False
    if any(run.sure for run in runs):
        if len(runs) == 1 and len(rows) == 1:
            return first.listed or (len(rows[0]) > 1 and _is_lone_row(rows[0], runs[0]))
        return True
    if all(run.kind == "dashed" for run in runs):
        return len(rows) > 1
    return len(rows) > 1 and measure_strictness(rows) > 0.45


def _is_lone_row(row: Row, run: _Run) -> bool:
    """Whether one row by itself is a table: "Infantry .... 20cm" is, "+1 if charging" is not."""
    return run.kind != "signed" and VALUES.fullmatch(row[-1].text) is not None


def _make_table(runs: Sequence[_Run], *, listed: bool) -> Table:
    rows = _order(runs)
    width = max(len(row) for row in rows)
    if len(rows[0]) == width - 1 and len(rows) > 1 and _is_headed_within(runs):
        rows[0] = (_EMPTY, *rows[0])  # nothing stands above the labels
    doubts = [
        Doubt(
            "row-width",
            f'the row "{row[0].text}" has {len(row)} cells, others have {width}',
            0.8,
            row[0].text,
        )
        for run in runs
        for row in run.rows
        if 1 < len(row) < width and row in rows and not _has_tabs(run)
    ]
    padded = [(*row, *[_EMPTY] * (width - len(row))) for row in rows]
    head: Row = ()
    if _has_head(padded, listed=listed):
        head, padded = padded[0], padded[1:]
    aligns = tuple(_align([row[place] for row in padded], place) for place in range(width))
    sources = tuple(dict.fromkeys(source for run in runs for source in run.sources))
    return Table(head or (_EMPTY,) * width, tuple(padded), aligns, sources, tuple(doubts))


def _has_tabs(run: _Run) -> bool:
    """Whether tabs part its cells, so that those missing at the end are but empty."""
    return any("\t" in source.text for source in run.sources)


def _is_headed_within(runs: Sequence[_Run]) -> bool:
    """Whether the first row begins farther to the right than the others."""
    return len(runs) > 1 and runs[0].indent > runs[1].indent + 3


def _order(runs: Sequence[_Run]) -> list[Row]:
    """Rows that stand side by side over several lines are read column by column."""
    ordered: list[Row] = []
    at = 0
    while at < len(runs):
        end = at + 1
        while end < len(runs) and runs[at].wide > 1 and 1 < runs[end].wide <= runs[at].wide:
            end += 1
        if end < len(runs) and end - at > 1 and runs[end].wide == 1 and len(runs[end].rows) == 1:
            end += 1  # the longer column ends alone
        band = runs[at:end]
        for column in range(max(len(run.rows) for run in band)):
            ordered += [run.rows[column] for run in band if column < len(run.rows)]
        at = end
    return ordered


def _has_head(rows: Sequence[Row], *, listed: bool) -> bool:
    first, rest = rows[0], rows[1:]
    if len(rows) < 2 or len(first) < 2:
        return False
    if any(FIGURES.match(cell.text) for cell in first if cell.text):
        words = [cell for cell in first if cell.text]
        return all(HEAD_WORDS.fullmatch(cell.text) for cell in words) and len(words) > 1
    if listed:
        return True
    bold = _is_bold(first) and not any(map(_is_bold, rest))
    if bold or all(HEAD_WORDS.fullmatch(cell.text) for cell in first if cell.text):
        return True
    figures = sum(1 for row in rest if holds_figures(row))
    return len(first) > 2 and figures >= 0.6 * len(rest)


def _is_bold(row: Row) -> bool:
    return all(cell.face & 1 for cell in row if cell.text)


def _align(cells: Sequence[Styled], place: int) -> Align:
    filled = [cell for cell in cells if cell.text]
    figures = sum(1 for cell in filled if VALUES.fullmatch(cell.text))
    return "right" if place and filled and figures >= 0.6 * len(filled) else "left"
