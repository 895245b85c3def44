"""Rows of a table in a text whose cells are parted by commas, as a program writes or reads them.

Knows nothing of what the columns hold.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence

_SIGNS = ",;"
_FEWEST_ROWS = 3
_FEWEST_CELLS = 4
_FEWEST_QUOTED = 3  # cells, where most rows have quotes around one
_MOST_WORDS = 3  # of a column's name


def draw_comma_rows(lines: Sequence[str]) -> list[str]:
    """Return the lines of a text, such rows drawn as those of a wiki, below their names."""
    drawn = list(lines)
    at = 0
    while at < len(lines):
        rows = next(filter(None, (_read_rows(lines, at, sign) for sign in _SIGNS)), [])
        if _is_table(rows, lines[at + 1 : at + len(rows)]):
            for place, cells in enumerate(rows):
                sign = "|" if place else "^"
                told = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
                drawn[at + place] = f"{sign} {f' {sign} '.join(told)} {sign}"
        at += max(len(rows), 1)  # rows that are no table begin none either
    return drawn


def _read_rows(lines: Sequence[str], start: int, sign: str) -> list[list[str]]:
    """Return the rows below a line that may name their columns, with that."""
    names = _cut(lines[start], sign)
    if len(names) < _FEWEST_QUOTED or not _are_names(names):
        return []
    rows = [names]
    for line in lines[start + 1 :]:
        cells = _cut(line, sign)
        if len(cells) != len(names):
            cells = line.split(sign)  # a quote in it stands for itself
        if len(cells) != len(names):
            break
        rows.append(cells)
    return rows


def _is_table(rows: Sequence[Sequence[str]], lines: Sequence[str]) -> bool:
    """Whether there are enough of them; fewer columns do where most lines have quotes."""
    quoted = 2 * sum('"' in line for line in lines) >= len(rows)
    least = _FEWEST_QUOTED if quoted else _FEWEST_CELLS
    return len(rows) > _FEWEST_ROWS and len(rows[0]) >= least


def _cut(line: str, sign: str) -> list[str]:
    if line.count(sign) < _FEWEST_QUOTED - 1:
        return []
    try:
        return next(csv.reader([line], delimiter=sign, skipinitialspace=True, strict=True), [])
    except csv.Error:
        return []


def _are_names(cells: Sequence[str]) -> bool:
    """Whether cells may name columns: each a few words, and another."""
    plain = [" ".join(cell.split()).casefold() for cell in cells]
    short = all(0 < len(cell.split()) <= _MOST_WORDS and cell[-1].isalnum() for cell in plain)
    return short and len({*plain}) == len(plain) and not any(cell.isdecimal() for cell in plain)
