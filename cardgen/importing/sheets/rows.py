"""Lines become rows of tables: labels with their figures, parted by blanks, by dots or by nothing.

Knows nothing of headings or dice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from cardgen.importing.model import Styled
from cardgen.importing.sheets.lines import SheetLine, cut_styled
from cardgen.importing.sheets.rules import (
    ENDED,
    FIGURES,
    GOES_ON,
    LABEL_WORDS,
    ONE,
    SAID,
    SAYS,
    SIGN,
    SIGNED,
    SIGNED_END,
    VALUE,
    VALUES,
)

Row = tuple[Styled, ...]
Kind = Literal["signed", "value", "cells", "dashed"]

_VALUE_END = re.compile(rf"(?<=\S)\s({VALUE})$")
_WORD_END = re.compile(r"(?<=\S)\s(varies|nil|none|n/?a|special|unlimited)$", re.IGNORECASE)
_PAIR = re.compile(
    rf"(?P<label>[^\W\d_][^\d:;.!?]*?)\s(?P<value>{VALUE}|varies|nil|none)(?=[\s,;/]|$)"
)
_COLON = re.compile(r"(?<=\S)\s?:\s+(?=\S)")
_SIGN_AGAIN = re.compile(rf"(?<=\S)(?:\s*[/;,|]\s+(?={SIGN}\d+\s)|\s+(?={SIGN}\d+\s+[A-Z]))")
_GRID = re.compile(rf"(?P<label>[^\W\d_].*?)(?P<values>(?:\s{ONE}|\s[-–—]){{2,}})$")
_GRID_VALUE = re.compile(rf"{ONE}|[-–—]")
_DASH = re.compile(r"[-–—]\s+(?=\S)")
# "yes - trenches count as open"
_DASHED = re.compile(r"([^\W\d_]+(?:\s[^\W\d_]+)?)\s+[-–—]\s+(?=\S)")
_SENTENCE = re.compile(r"[.!?;]\s+[A-Z]")
_MOST_LABEL = 60
_MOST_SAID = 60


class Rows(NamedTuple):
    """The rows of a line: one, or several that were run together.

    sure: by itself; otherwise only beside other rows
    wide: the rows stand in columns of their own
    """

    rows: tuple[Row, ...]
    kind: Kind
    sure: bool
    wide: bool = False


def read_rows(line: SheetLine) -> Rows | None:
    """The rows of a line; None where it is running text or nothing that a table has."""
    if line.kind not in ("line", "item"):
        return None
    if line.listed:
        return Rows((line.cells,), "cells", True)
    if len(line.cells) > 1:
        return _read_cells(line)
    content = line.content
    signed = _read_signed(content)
    if signed:
        return Rows(signed, "signed", True)
    pairs = _read_run_on(content)
    if pairs:
        return Rows(pairs, "value", True)
    grid = _read_grid(content)
    if grid:
        return Rows((grid,), "cells", False)
    pair = _read_signed_end(content) or _read_pair(content) or _read_colon(content)
    if pair:
        return Rows((pair,), "value", False)
    dashed = _DASHED.match(content.text)
    if dashed is None:
        return None
    row = content.cut(0, dashed.end(1)), content.cut(dashed.end())
    return Rows((row,), "dashed", False)


def _read_cells(line: SheetLine) -> Rows | None:
    cells = line.cells
    if SIGN_ONLY.fullmatch(cells[0].text) and len(cells) == 2:
        return Rows(((cells[1], cells[0]),), "signed", True)
    each = [_read_whole(cell) for cell in cells]
    if all(each):
        rows = tuple(row for found in each for row in found)
        return Rows(rows, "value", True, wide=True)
    if len(cells) > 3 and len(cells) % 2 == 0:
        labels, values = cells[::2], cells[1::2]
        if all(
            _is_value(v.text) and not _is_value(k.text) for k, v in zip(labels, values, strict=True)
        ):
            return Rows(tuple(zip(labels, values, strict=True)), "value", True, wide=True)
        if all(SIGN_ONLY.fullmatch(k.text) for k in labels):
            return Rows(tuple(zip(values, labels, strict=True)), "signed", True, wide=True)
    if sum(1 for cell in cells if len(cell.text.split()) > 9) > 1:
        return None
    if len(cells) == 2 and (dash := _DASH.match(cells[1].text)):
        return Rows(((cells[0], cells[1].cut(dash.end())),), "dashed", False)
    return Rows((cells,), "cells", True)


SIGN_ONLY = re.compile(rf"{SIGN}\s?(?:\d+|D\d+)(?:\s?(?:cm|[\"”]|%))?:?")


def _read_whole(content: Styled) -> tuple[Row, ...]:
    """A cell that is a row itself."""
    signed = _read_signed(content)
    if signed:
        return signed
    row = _read_signed_end(content) or _read_pair(content)
    return (row,) if row else ()


def _is_value(text: str) -> bool:
    return bool(VALUES.fullmatch(text))


def _read_signed(content: Styled) -> tuple[Row, ...]:
    """`+1 charging`, and several of them on one line."""
    if not SIGNED.match(content.text):
        return ()
    rows: list[Row] = []
    for part in cut_styled(content, list(_SIGN_AGAIN.finditer(content.text))):
        found = SIGNED.match(part.text)
        if not found or found.end() >= len(part.text):
            return ()
        rows.append((part.cut(found.end()).strip(), part.cut(0, found.end(1))))
    return tuple(rows)


def _read_signed_end(content: Styled) -> Row | None:
    found = SIGNED_END.search(content.text)
    if not found:
        return None
    label = content.cut(0, found.start()).strip(" :=\t").strip()
    if not label.text or len(label.text) > _MOST_LABEL or ENDED.search(label.text):
        return None
    if label.text.endswith(("-", "–")):
        label = label.cut(0, -1).strip()
    return (label, content.cut(found.start(1), found.end(1))) if label.text else None


def _read_run_on(content: Styled) -> tuple[Row, ...]:
    """`Infantry 20cm Cavalry 30cm`: labels and figures by turns, over the whole line."""
    rows: list[Row] = []
    at = 0
    text = content.text
    while at < len(text):
        found = _PAIR.match(text, at)
        if not found or not _is_label(found["label"]):
            return ()
        rows.append(
            (
                content.cut(found.start("label"), found.end("label")).strip(),
                content.cut(found.start("value"), found.end("value")),
            )
        )
        at = found.end()
        while at < len(text) and text[at] in " ,;|/•·":
            at += 1
    return tuple(rows) if len(rows) > 1 else ()


def _read_grid(content: Styled) -> Row | None:
    """`Bireme 3 5`: a label and a figure for each of several columns."""
    found = _GRID.fullmatch(content.text)
    if not found or not _is_label(found["label"]):
        return None
    start = found.start("values")
    values = (content.cut(*m.span()) for m in _GRID_VALUE.finditer(content.text, start))
    return (content.cut(0, start), *values)


def part_head(content: Styled, count: int) -> Row | None:
    """The head above such rows, a cell of it beginning at each capital; None if they do not fit."""
    gaps = list(re.finditer(r"\s+(?=[A-Z])", content.text))
    cells = cut_styled(content, gaps)
    if len(cells) != count or ENDED.search(content.text) or re.search(r"\d", content.text):
        return None
    return cells


def _is_label(text: str) -> bool:
    words = text.split()
    return (
        0 < len(words) <= LABEL_WORDS
        and (text[0].isupper() or text[0] in '"“(')
        and not SAYS.search(text)
        and not _SENTENCE.search(text)
        and not GOES_ON.search(text.rstrip())
    )


def _read_pair(content: Styled) -> Row | None:
    """`Infantry 20cm`, and `Gatling 6 dice, jams on two 1s`."""
    text = content.text
    found = _VALUE_END.search(text) or _WORD_END.search(text)
    if found:
        # As much as can be is the figure: "4, 5, 6" and not its last.
        start = next(
            (m.end() for m in re.finditer(r"\s", text) if FIGURES.fullmatch(text, m.end())),
            found.start(1),
        )
    else:
        said = next((m for m in re.finditer(r"\s", text) if SAID.fullmatch(text, m.end())), None)
        if said is None or len(text) - said.end() > _MOST_SAID or text[-1] == ".":
            return None
        start = said.end()
    label = content.cut(0, start).strip(" :=\t")
    if not label.text or not _is_label(label.text) or len(label.text) > _MOST_LABEL:
        return None
    return label, content.cut(start)


def _read_colon(content: Styled) -> Row | None:
    """`Infantry: 20cm`."""
    found = _COLON.search(content.text)
    if not found:
        return None
    label, value = content.cut(0, found.start()), content.cut(found.end())
    known = VALUES.fullmatch(value.text) or (
        SAID.fullmatch(value.text) and len(value.text) < _MOST_SAID and value.text[-1] != "."
    )
    if not known or len(label.text.split()) > LABEL_WORDS or ENDED.search(label.text):
        return None
    return label, value


def holds_figures(row: Row) -> bool:
    return any(FIGURES.match(cell.text) for cell in row[1:])


def measure_strictness(rows: Sequence[Row]) -> float:
    """The share of rows whose last cell is a figure and nothing else."""
    strict = sum(1 for row in rows if VALUES.fullmatch(row[-1].text))
    return strict / len(rows) if rows else 0.0
