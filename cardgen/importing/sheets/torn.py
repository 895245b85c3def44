"""Labels and figures that extraction set on lines of their own become a table again.

By turns, or first all labels and then as many figures. Knows nothing of other tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cardgen.importing.model import Doubt, Styled
from cardgen.importing.sheets.flow import goes_on_below
from cardgen.importing.sheets.lines import SheetLine
from cardgen.importing.sheets.pieces import Table
from cardgen.importing.sheets.rules import DIE_ALONE, ENDED, FIGURES, SAID, VALUES

_EMPTY = Styled.of("")
_MOST_WORDS = 10
_FEWEST_KEYS = 3


class Found(NamedTuple):
    """A table, and the line behind it."""

    table: Table
    end: int


def read_torn(lines: Sequence[SheetLine], at: int) -> Found | None:
    """The table that begins at a line, if lines hold its labels and its figures."""
    return _read_labels(lines, at) or _read_keys(lines, at)


def _read_labels(lines: Sequence[SheetLine], at: int) -> Found | None:
    stretch = at
    while stretch < len(lines) and _may_be_torn(lines[stretch], first=stretch == at):
        stretch += 1
    figures = [_is_value(lines, place) for place in range(at, stretch)]
    pairs = _pair_torn(figures)
    if len(pairs) < 2:
        return None
    rows = tuple((lines[at + a].content, lines[at + b].content) for a, b in pairs)
    end = at + max(max(pair) for pair in pairs) + 1
    doubts = []
    if all(abs(a - b) > 1 for a, b in pairs[1:]):
        first = rows[0][0].text
        said = f"labels and figures stood apart and are paired in order: {first}"
        doubts.append(Doubt("paired", said, 0.7, first))
    sources = tuple(source for line in lines[at:end] for source in line.sources)
    return Found(Table((_EMPTY, _EMPTY), rows, ("left", "right"), sources, tuple(doubts)), end)


def _is_value(lines: Sequence[SheetLine], at: int) -> bool:
    """A figure by itself, or a word as "varies" between figures."""
    if _is_figure(lines[at]):
        return True
    text = lines[at].text.strip()
    return bool(VALUES.fullmatch(text) or SAID.fullmatch(text)) and any(
        0 <= place < len(lines) and _is_figure(lines[place]) for place in (at - 1, at + 1)
    )


def _read_keys(lines: Sequence[SheetLine], at: int) -> Found | None:
    """The numbers of a die one below the other, and below them as many texts."""
    end, last = at, 0
    while end < len(lines) and DIE_ALONE.fullmatch(lines[end].text):
        numbers = [int(number) for number in re.findall(r"\d+", lines[end].text)]
        if end > at and (lines[end].gap > 1 or numbers[0] != last + 1):
            break
        last = numbers[-1]
        end += 1
    keys = lines[at:end]
    if len(keys) < _FEWEST_KEYS or not keys[0].text.startswith(("1", "2", "3")):
        return None
    texts: list[Styled] = []
    while end < len(lines) and lines[end].kind == "line" and not lines[end].cells:
        line = lines[end]
        if texts and goes_on_below(lines[end - 1], line):
            texts[-1] = texts[-1].join(line.content, " ")
        elif len(texts) == len(keys):
            break
        else:
            texts.append(line.content)
        end += 1
    if len(texts) < len(keys) or (end < len(lines) and not lines[end].gap):
        return None
    rows = tuple((key.content, text) for key, text in zip(keys, texts, strict=True))
    first = texts[0].text
    said = f"numbers and texts stood apart and are paired in order: {first}"
    doubt = Doubt("paired", said, 0.7, first)
    sources = tuple(source for line in lines[at:end] for source in line.sources)
    return Found(Table((_EMPTY, _EMPTY), rows, ("left", "left"), sources, (doubt,)), end)


def _may_be_torn(line: SheetLine, *, first: bool) -> bool:
    if line.kind != "line" or line.cells or (line.gap > 1 and not first):
        return False
    return _is_figure(line) or (
        len(line.text.split()) <= _MOST_WORDS and not ENDED.search(line.text)
    )


def _is_figure(line: SheetLine) -> bool:
    return bool(FIGURES.fullmatch(line.text.strip()))


def _pair_torn(figures: Sequence[bool]) -> list[tuple[int, int]]:
    """Which line is the label of which figure, from the first line on."""
    shape = "".join("v" if figure else "l" for figure in figures)
    by_turns = 0
    if shape.startswith("lv"):
        while shape.startswith("lv", 2 * by_turns):
            by_turns += 1
        return [(2 * n, 2 * n + 1) for n in range(by_turns)]
    if shape.startswith("vl"):
        while shape.startswith("vl", 2 * by_turns):
            by_turns += 1
        return [(2 * n + 1, 2 * n) for n in range(by_turns)]
    labels = len(shape) - len(shape.lstrip("l"))
    values = len(shape[labels:]) - len(shape[labels:].lstrip("v"))
    if labels == values and labels > 2:
        return [(n, labels + n) for n in range(labels)]
    return []
