"""Lines of one shape, one below the other: which belong together, and what goes on in the next.

Knows nothing of what becomes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cardgen.importing.model import SourceLine
from cardgen.importing.sheets.lines import Flow, SheetLine
from cardgen.importing.sheets.pieces import Piece, Row
from cardgen.importing.sheets.rows import Rows, is_value, read_rows
from cardgen.importing.sheets.words import is_capitals

_REACH = 3


class Found(NamedTuple):
    """Pieces, and the line behind them."""

    pieces: tuple[Piece, ...]
    end: int


class Run(NamedTuple):
    """The rows of one line, and of those that it goes on in."""

    rows: tuple[Row, ...]
    found: Rows
    line: SheetLine
    sources: tuple[SourceLine, ...]


# Reads the rows of a line, if they go on from the run above.
Read = Callable[[SheetLine, Run | None], Rows | None]


def gather(lines: Sequence[SheetLine], at: int, read: Read, flow: Flow) -> tuple[list[Run], int]:
    """Return the runs from a line on, and the line behind them."""
    runs: list[Run] = []
    end = at
    while end < len(lines) and not (runs and _is_apart(lines, at, end, len(runs))):
        line, last = lines[end], runs[-1] if runs else None
        rows = read(line, last)
        if last and _is_rest(lines, end, last, rows, read, flow):
            runs[-1] = _append(last, line, flow)
        elif rows is not None:
            runs.append(Run(rows.rows, rows, line, line.sources))
        else:
            break
        end += 1
    return runs, end


def list_rows(runs: Sequence[Run]) -> list[Row]:
    return [row for run in runs for row in run.rows]


def list_sources(runs: Sequence[Run]) -> tuple[SourceLine, ...]:
    return tuple(dict.fromkeys(source for run in runs for source in run.sources))


def _is_apart(lines: Sequence[SheetLine], start: int, at: int, count: int) -> bool:
    """Whether an empty line parts what follows from the rows above: where not all stand apart."""
    line, first = lines[at], lines[start]
    other = line.kind != first.kind and not (line.kind == "line" and not line.gap)
    if other or line.listed != lines[at - 1].listed or line.gap > 1 or (line.gap and line.listed):
        return True
    return bool(line.gap) and count > 1 and not lines[at - 1].gap


def _is_rest(
    lines: Sequence[SheetLine], at: int, run: Run, rows: Rows | None, read: Read, flow: Flow
) -> bool:
    """Whether a line is but the rest of the row above it: it hangs, begins small, had no room."""
    above, line = lines[at - 1], lines[at]
    if line.kind != "line" or line.gap or line.listed:
        return False
    if line.cells and (run.found.kind != "keyed" or rows is not None):
        return not line.cells[0].text and len(line.cells) <= len(run.rows[-1])
    keyed = run.found.kind == "keyed"
    if flow.must_go_on(above, line) and not (keyed and rows):
        return True
    if rows is not None or (keyed and (is_capitals(line.text) or len(line.cells) > 1)):
        return False
    if line.indent > run.line.indent + 1:
        return True
    if keyed and read_rows(line) is not None:
        return False
    if flow.goes_on(above, line) and (keyed or line.text[:1].islower()):
        return True
    for ahead in lines[at + 1 : at + 1 + _REACH] if keyed else ():
        if ahead.gap or ahead.kind != run.line.kind:
            break
        if read(ahead, run):
            return True
    return False


def _append(run: Run, line: SheetLine, flow: Flow) -> Run:
    *rows, last = run.rows
    cells = list(last)
    parts = line.cells if line.cells and run.found.kind != "keyed" else (line.content,)
    # A figure is complete; what goes on is the label.
    whole = len(parts) > 1 or (is_value(cells[-1].text) and run.found.kind != "keyed")
    for place, part in enumerate(parts, 0 if whole else len(cells) - 1):
        if part.text:
            cells[place] = flow.join([cells[place], part])
    return run._replace(rows=(*rows, tuple(cells)), sources=(*run.sources, *line.sources))
