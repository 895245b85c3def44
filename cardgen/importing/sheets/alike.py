"""Lines of one shape, one below the other, are rows of one kind, or entries, each by itself.

That they have a label and more words, or a number of the same thing, tells by its repetition.
Knows nothing of tables or headings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from cardgen.importing.model import BOLD
from cardgen.importing.reading.joining import cut_at, has_ended
from cardgen.importing.sheets.lines import SheetLine
from cardgen.importing.sheets.pieces import Row
from cardgen.importing.sheets.rows import FIGURES, is_value
from cardgen.importing.sheets.words import is_small

_LABELLED = re.compile(r"(?P<label>[^\s:=].{0,60}?)(?P<sign>\s?:|\s=|\s[-–—])\s+(?=\S)")
_COUNTED = re.compile(
    r"(?P<label>(?P<minus>[-−–])?(?P<number>\d+)\s+(?P<unit>[^\W\d_]+))(?P<sign>:?)\s+(?=\S)"
)
_ENUMERATED = re.compile(
    r"\(?(?:\d{1,2}|[^\W\d_]|[ivxIVX]{1,4})[.)]\s|[\d.–-]+\+?\s+[^\W\d_a-zß-ÿ]"
)
_COMMA = re.compile(r",\s+")
_VALUED = re.compile(r"(?:(?P<word>[^\W\d_]+)\s)?(?P<value>\S.*)")
_DASHES = ("- ", "– ", "— ")
_MOST_LABEL = 7  # words
_MOST_SAID = 60
_LEAST = 3  # rows of words alone
_SHORT = 0.45
_SAME = 3  # letters of a unit, in the singular and the plural


class Shape(NamedTuple):
    """What lines have in common, and the row that one of them is."""

    name: str
    row: Row
    number: int | None = None  # of the things that it counts


def mark_alike(lines: Sequence[SheetLine]) -> list[SheetLine]:
    """Return lines, each of several with one shape marked with that, and with the row that it is.

    Those that hold sentences are no rows, but each an entry by itself.
    """
    for find in (_find_count, _find_parts, _find_label):
        lines = _mark(lines, find)
    return [*lines]


def _mark(lines: Sequence[SheetLine], find: Callable[[SheetLine], Shape | None]) -> list[SheetLine]:
    marked = [*lines]
    shapes = [find(line) for line in lines]
    at = 0
    while at < len(lines):
        run, end = _take_run(lines, shapes, at)
        found = [shape for place in run if (shape := shapes[place])]
        titled = at == 0 and len(found) < _LEAST  # two lines of a title
        if len(found) > 1 and _are_rows(found) and not titled:
            ended = any(has_ended(lines[after - 1].text) for after in (*run[1:], end))
            for place, shape in zip(run, found, strict=True):
                row = () if ended or not _are_cells(found) else shape.row
                marked[place] = replace(marked[place], alike=shape.name, row=row)
        at = end
    return marked


def _take_run(
    lines: Sequence[SheetLine], shapes: Sequence[Shape | None], at: int
) -> tuple[list[int], int]:
    """Return the lines that begin as one does, with none but their rest between, and the end."""
    first, shape, run, end = lines[at], shapes[at], [at], at + 1
    while shape and end < len(lines) and not lines[end].gap:
        line, other = lines[end], shapes[end]
        if other and other.name == shape.name and line.kind == first.kind:
            run.append(end)
        elif line.kind != "line" or line.cells or other or not _is_rest(line, first):
            break
        end += 1
    return run, end


def _is_rest(line: SheetLine, first: SheetLine) -> bool:
    return line.indent > first.indent or line.text[:1].islower()


def _are_rows(shapes: Sequence[Shape]) -> bool:
    """Whether lines of one shape are no chance: several, or figures among them."""
    name, counts = shapes[0].name, [shape.number for shape in shapes if shape.number is not None]
    if counts:  # what counts on are steps or rolls of a die, with whatever word
        steps = [after - before for before, after in pairwise(counts)]
        named = shapes[0].row[-1].text.istitle()
        told = name.endswith(":") or min(steps) < 1 or (max(steps) > 1 and not named)
        return told and max(counts) >= 0
    figures = any(map(str.isdigit, "".join(cell.text for shape in shapes for cell in shape.row)))
    return figures or len(shapes) >= _LEAST or name[-1] == "-"


def _are_cells(shapes: Sequence[Shape]) -> bool:
    """Whether what stands behind labels is for the most part a figure or a word or two."""
    rests = [shape.row[-1].text for shape in shapes]
    if max(map(len, rests)) > _MOST_SAID:
        return False
    short = sum(bool(FIGURES.match(rest)) or len(rest.split()) < _LEAST for rest in rests)
    return shapes[0].name not in (":", "-") or short >= _SHORT * len(rests)


def _find_count(line: SheetLine) -> Shape | None:
    """Return the shape of "3 VP for the hill" and "1 AP: walk", whose unit others have too."""
    found = _COUNTED.match(line.text) if _may_be_row(line) else None
    if not found or is_small(found["unit"]):
        return None
    label, rest = line.content.cut(0, found.end("label")), line.content.cut(found.end())
    name = f"{found['unit'][:_SAME].lower()}{found['sign']}"
    number = -int(found["number"]) if found["minus"] else int(found["number"])
    return Shape(name, (label, rest) if found["sign"] else (rest, label), number)


def _find_label(line: SheetLine) -> Shape | None:
    """Return the shape of "Foot: slow", "Foot = slow" and "Foot - slow"."""
    plain = _may_be_row(line) and not _ENUMERATED.match(line.text)
    found = _LABELLED.match(line.text) if plain else None
    words = found["label"].split() if found else []
    if not found or not 0 < len(words) <= _MOST_LABEL or any(map(has_ended, words)):
        return None
    sign = "-" if found["sign"].strip() in "-–—" else found["sign"].strip()
    named = any(map(str.isalpha, found["label"])) or sign == "="
    if not named or found["label"][0] in "+-−–":
        return None
    small = "small " if found["label"][0].islower() else ""
    label = line.content.cut(0, found.end("label")).strip().without(BOLD).strip(" *")
    return Shape(small + sign, (label, line.content.cut(found.end())))


def _find_parts(line: SheetLine) -> Shape | None:
    """Return the shape of `Bow, range 8", 1 die`: the words before the figures between commas."""
    parts = cut_at(line.content, [m.span() for m in _COMMA.finditer(line.text)])
    found = [_VALUED.fullmatch(part.text) for part in parts[1:]]
    words = [match["word"] or "" for match in found if match and is_value(match["value"])]
    if not _may_be_row(line) or not words or len(words) < len(parts) - 1:
        return None
    if not parts[0].text[0].isalpha() or (any(words) and any(map(str.isdigit, parts[0].text))):
        return None
    return Shape(", ".join(["", *words]), parts)


def _may_be_row(line: SheetLine) -> bool:
    whole = not line.cells or line.cells[1].text[:2] in _DASHES
    return line.kind in ("line", "item") and whole and not (line.listed or line.alike)
