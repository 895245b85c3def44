"""Runs of rows become tables: which of them is the head; figures torn off their labels come back.

Knows nothing of headings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise, takewhile

from cardgen.importing.model import BOLD, HEADER, Doubt, SourceLine, Styled
from cardgen.importing.reading.joining import cut_at
from cardgen.importing.sheets.lines import Flow, SheetLine, is_figure
from cardgen.importing.sheets.pieces import Align, Row, Table
from cardgen.importing.sheets.rows import (
    FIGURES,
    Rows,
    are_alike,
    is_value,
    move_units,
    read_rows,
)
from cardgen.importing.sheets.runs import Found, Run, gather, list_rows, list_sources
from cardgen.importing.sheets.words import speaks_of_dice

EMPTY = Styled.of("")
_MOST_WORDS = 10
_MOST_TORN = 60


def read_table(lines: Sequence[SheetLine], at: int, flow: Flow) -> Found | None:
    """Return the table that begins at a line."""
    return _read_runs(lines, at, flow) or _read_headed(lines, at, flow) or _read_torn(lines, at)


def _read_runs(lines: Sequence[SheetLine], at: int, flow: Flow) -> Found | None:
    runs, end = gather(lines, at, _read_next, flow)
    if len(set(map(len, list_rows(runs)))) > 1:
        runs = [run._replace(rows=(run.found.pair,)) if run.found.pair else run for run in runs]
    # A list stays a list if only some of its items are rows.
    broken = lines[at].kind == "item" and end < len(lines) and lines[end].kind == "item"
    return None if broken or not _is_table(runs) else Found((_make_table(runs),), end)


def _read_next(line: SheetLine, last: Run | None) -> Rows | None:
    """Return the rows of a line if they have the shape of those above."""
    rows = read_rows(line)
    said = last and last.found.kind == "cells" and not is_value(last.rows[-1][-1].text)
    if rows and said and rows.kind == "signed" and len(line.cells) == 2:
        return Rows((line.cells,), "cells")  # "+4 or better" below "-3 to 0"
    if rows is None or last is None or last.found.kind == rows.kind:
        return rows
    pair = all(len(row) == 2 for row in (*last.rows, *rows.rows))
    kinds = {last.found.kind, rows.kind}
    if not pair or "cells" not in kinds or not kinds <= {"signed", "cells", "figure"}:
        return None
    return rows if is_value(last.rows[-1][-1].text) and is_value(rows.rows[0][-1].text) else None


def _is_table(runs: Sequence[Run]) -> bool:
    rows = list_rows(runs)
    if len(rows) > 1:
        return any(run.found.sure for run in runs) or are_alike(rows, runs[0].found.kind)
    if not rows or not runs[0].found.sure:
        return False
    # One row by itself: "Infantry .... 20cm" is a table, "+1 if charging" is none.
    values = any(
        is_value(cell.text) for cell in (rows[0][1:] if len(rows[0]) > 2 else rows[0][-1:])
    )
    return runs[0].line.listed or (runs[0].found.kind == "cells" and values)


def _make_table(runs: Sequence[Run]) -> Table:
    rows, first = _order(runs), runs[0].line
    if runs[0].found.kind == "signed":
        rows = move_units(rows)
    width = max(map(len, rows))
    if len(rows) > 1 and len(rows[0]) == width - 1:
        rows[0] = (EMPTY, *rows[0])  # nothing stands above the labels
    tabbed = any("\t" in source.text for source in first.sources)
    doubts = [_doubt_width(row, width) for row in rows if 1 < len(row) < width and not tabbed]
    padded = [(*row, *[EMPTY] * (width - len(row))) for row in rows]
    head: Row = (EMPTY,) * width
    marked = len([*takewhile(lambda run: run.line.mark == HEADER, runs)])
    if marked > 1:
        padded[:marked] = [tuple(map(_join_heads, zip(*padded[:marked], strict=True)))]
    if runs[0].found.kind == "cells" and _has_head(padded, marked=marked > 0):
        head, *padded = padded
    return make_table(head, padded, list_sources(runs), doubts)


def _join_heads(cells: Sequence[Styled]) -> Styled:
    """Return the heads above a column as one: "To hit" above "Near"."""
    told = dict.fromkeys(cell for cell in cells if cell.text)
    return reduce(lambda above, below: above.join(below, " " if above.text else ""), told, EMPTY)


def _doubt_width(row: Row, width: int) -> Doubt:
    name = row[0].text
    said = f'the row "{name}" has {len(row)} cells, others have {width}'
    return Doubt("row-width", said, 0.8, name)


def make_table(
    head: Row, rows: Sequence[Row], sources: tuple[SourceLine, ...], doubts: Sequence[Doubt] = ()
) -> Table:
    aligns = tuple(_align([row[place] for row in rows], place) for place in range(len(head)))
    return Table(EMPTY, sources, tuple(doubts), head, tuple(rows), aligns)


def _align(cells: Sequence[Styled], place: int) -> Align:
    filled = [cell for cell in cells if cell.text]
    figures = sum(1 for cell in filled if is_value(cell.text))
    return "right" if place and filled and figures >= 0.6 * len(filled) else "left"


def _order(runs: Sequence[Run]) -> list[Row]:
    """Return the rows; those that stand side by side over several lines column by column."""
    ordered: list[Row] = []
    at = 0
    while at < len(runs):
        wide = len(runs[at].rows) if runs[at].found.wide else 1
        end = at + 1
        while end < len(runs) and wide > 1 and runs[end].found.wide and len(runs[end].rows) <= wide:
            end += 1
        band = runs[at:end]
        for column in range(max(len(run.rows) for run in band)):
            ordered += [run.rows[column] for run in band if column < len(run.rows)]
        at = end
    return ordered


def _has_head(rows: Sequence[Row], *, marked: bool) -> bool:
    """Whether the first row names what stands below: words above figures, or bold above plain."""
    first, rest = rows[0], rows[1:]
    if not rest or len(first) < 2:
        return False
    bold = [all(cell.face & BOLD for cell in row if cell.text) for row in rows]
    if marked or (bold[0] and not any(bold[1:])):
        return True
    columns = ([row[place].text for row in rows] for place in range(len(first)))
    return any(map(_names_figures, columns)) and (len(rest) > 1 or len(first) > 2)


def _names_figures(column: Sequence[str]) -> bool:
    figures = [bool(FIGURES.match(text)) or text in "-–—" for text in column if text]
    diced = [speaks_of_dice(text) for text in column if text]
    named = bool(column[0]) and (not figures[0] or (diced[0] and not any(diced[1:])))
    return named and 0 < 0.6 * (len(figures) - 1) <= sum(figures[1:])


def _read_headed(lines: Sequence[SheetLine], at: int, flow: Flow) -> Found | None:
    """A grid below a head whose cells no more than capitals tell apart."""
    line = lines[at]
    below = read_rows(lines[at + 1]) if at + 1 < len(lines) and not lines[at + 1].gap else None
    if line.kind != "line" or line.cells or below is None or len(below.rows[0]) < 3:
        return None
    pairs = enumerate(pairwise(line.text), 1)
    head = cut_at(
        line.content, [(n, n) for n, (blank, sign) in pairs if blank == " " < sign.upper() == sign]
    )
    if len(head) != len(below.rows[0]) or line.ended or FIGURES.search(line.text):
        return None
    found = _read_runs(lines, at + 1, flow)
    table = found.pieces[0] if found else None
    if found is None or not isinstance(table, Table) or any(cell.text for cell in table.head):
        return None
    head = tuple(cell.strip(",") for cell in head)
    return Found((replace(table, head=head, lines=(*line.sources, *table.lines)),), found.end)


def _read_torn(lines: Sequence[SheetLine], at: int) -> Found | None:
    """Labels and figures on lines of their own: by turns, or first all labels, then all figures."""
    end = at
    while end < min(len(lines), at + _MOST_TORN) and _may_be_torn(lines[end], first=end == at):
        end += 1
    shape = "".join("v" if is_figure(line.text) else "l" for line in lines[at:end])
    turns = next(n for n in range(len(shape) + 1) if shape[2 * n : 2 * n + 2] not in ("lv", "vl"))
    labels = len(shape) - len(shape.lstrip("l"))
    values = len(shape) - labels - len(shape[labels:].lstrip("v"))
    doubts: tuple[Doubt, ...] = ()
    if turns > 1 and shape[: 2 * turns] == shape[:2] * turns:
        label = shape.index("l")
        pairs = [(at + 2 * n + label, at + 2 * n + 1 - label) for n in range(turns)]
    elif labels == values and labels > 2:
        pairs = [(at + n, at + labels + n) for n in range(labels)]
        first = lines[at].text
        said = f"labels and figures stood apart and are paired in order: {first}"
        doubts = (Doubt("paired", said, 0.7, first),)
    else:
        return None
    rows = [(lines[a].content, lines[b].content) for a, b in pairs]
    end = at + 2 * len(pairs)
    sources = tuple(source for line in lines[at:end] for source in line.sources)
    return Found((make_table((EMPTY, EMPTY), rows, sources, doubts),), end)


def _may_be_torn(line: SheetLine, *, first: bool) -> bool:
    if line.kind != "line" or len(line.cells) > 1 or (line.gap > 1 and not first):
        return False
    return is_figure(line.text) or (len(line.text.split()) <= _MOST_WORDS and not line.ended)
