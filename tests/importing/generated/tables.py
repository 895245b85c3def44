"""Rows set as a table, in the forms that people paste: pipes, grids, rules, tabs, a wiki's."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence

Rows = Sequence[Sequence[str]]


def write_pipes(rows: Rows) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _write_wrapped_pipes(rows: Rows) -> str:
    heads, *others = _wrap_rows(rows)
    rule = "|" + "|".join("-" * (len(cell) + 2) for cell in heads[0]) + "|"
    return "\n".join([*map(_fence, heads), rule, *(_fence(line) for row in others for line in row)])


def _write_grid(rows: Rows) -> str:
    heads, *others = _wrap_rows(rows)
    rules = {sign: "+" + "+".join(sign * (len(c) + 2) for c in heads[0]) + "+" for sign in "-="}
    lines = [rules["-"], *map(_fence, heads), rules["="]]
    for row in others:
        lines += [*map(_fence, row), rules["-"]]
    return "\n".join(lines)


def _write_ruled(rows: Rows) -> str:
    """Columns with wide gaps, rows parted by empty lines, all between two rules."""
    heads, *others = _wrap_rows(rows)
    rule = "-" * len("  ".join(heads[0]))
    lines = [rule, *map("  ".join, heads), "  ".join("-" * len(cell) for cell in heads[0])]
    for row in others:
        lines += [*("  ".join(line).rstrip() for line in row), ""]
    return "\n".join([*lines[:-1], rule])


def _write_wikitable(rows: Rows) -> str:
    heads, *others = rows
    lines = ['{| class="wikitable"', "! " + " !! ".join(heads)]
    for row in others:
        lines += ["|-", "| " + " || ".join(row)]
    return "\n".join([*lines, "|}"])


def _fence(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _wrap_rows(rows: Rows) -> list[list[list[str]]]:
    """The lines of each row, their cells filled up to the widths of the columns."""
    widths = []
    for column in zip(*rows, strict=True):
        word = max(len(word) for cell in column for word in cell.split() or [""])
        widths.append(max(word, min(max(map(len, column)), 28)))
    if any(len(row[-1]) > 40 for row in rows):
        widths[-1] = max(widths[-1], 40)
    wrapped = []
    for row in rows:
        cells = [
            textwrap.wrap(cell, width, break_on_hyphens=False)
            for cell, width in zip(row, widths, strict=True)
        ]
        wrapped.append(
            [
                [
                    (cell[at] if at < len(cell) else "").ljust(width)
                    for cell, width in zip(cells, widths, strict=True)
                ]
                for at in range(max(map(len, cells)))
            ]
        )
    return wrapped


TABLES: Mapping[str, Callable[[Rows], str]] = {
    "pipes": write_pipes,
    "wrapped-pipes": _write_wrapped_pipes,
    "grid": _write_grid,
    "ruled": _write_ruled,
    "wikitable": _write_wikitable,
    "tabs": lambda rows: "\n".join("\t".join(row) for row in rows),
}
