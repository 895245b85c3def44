"""Lines of one shape, one below the other: which belong together, and what goes on in the next.

Knows nothing of what becomes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cardgen.importing.model import SourceLine
from cardgen.importing.sheets.lines import Flow, SheetLine
from cardgen.importing.sheets.pieces import Piece, Row
from cardgen.importing.sheets.rows import Rows, is_value


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
        if last and _is_rest(lines, end, last, rows, flow):
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


def _is_rest(lines: Sequence[SheetLine], at: int, run: Run, rows: Rows | None, flow: Flow) -> bool:
    """Whether a line is but the rest of the row above it: it hangs, begins small, had no room."""
    above, line = lines[at - 1], lines[at]
    if line.kind != "line" or line.gap or line.listed or line.cells:
        return False
    if rows is not None and run.found.kind == "keyed":
        return False
    if flow.must_go_on(above, line):
        return True
    if rows is not None:
        return False
    if line.indent > run.line.indent + 1:
        return True
    # A row that is short has ended where it ends.
    short = run.found.kind in ("signed", "figure") and flow.has_room(above, line)
    return not short and flow.goes_on(above, line)


def _append(run: Run, line: SheetLine, flow: Flow) -> Run:
    *rows, last = run.rows
    # A figure is complete; what goes on is the label.
    keyed = run.found.kind == "keyed"
    place = 0 if is_value(last[-1].text) and not keyed else len(last) - 1
    joined = flow.join([last[place], line.content])
    cells = (*last[:place], joined, *last[place + 1 :])
    return run._replace(rows=(*rows, cells), sources=(*run.sources, *line.sources))
