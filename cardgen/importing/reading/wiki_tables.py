"""Turns tables of MediaWiki, which have a cell on each line, into one line for each row.

A row stands where its first cell does. Numbers its lists too. Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cardgen.importing.reading.columns import TextLine

_BEGIN = re.compile(r"\s*:*\{\|")
_END = re.compile(r"\s*\|\}")
_PART = re.compile(r"\s*\|[-+]")  # what parts rows, or the caption
_CELL = re.compile(r"\s*([|!])(?![|!}])")
_BESIDE = re.compile(r"\|\||!!")  # a cell on the line of another
_HEADED = re.compile(r"(={1,5})[ \t]*[^=\s].*?[ \t]*\1\s*")
_NUMBERED = re.compile(r"(#{1,3})[ \t]+(?=\S)")
_LINKED = r"\[\[[^\[\]]*\]\]|\{\{[^{}]*\}\}"
_STYLE = re.compile(rf"(?:{_LINKED}|[^|\[\]{{}}])*=(?:{_LINKED}|[^|\[\]{{}}])*\|(?!\|)")


def join_wiki_rows(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines, those of a row of a wiki's table as one."""
    if not any(_BEGIN.match(line.text) for line in lines):
        return list(lines)
    return list(_join_rows(lines))


def number_wiki_items(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines of a wiki's text, its numbered lists with their numbers."""
    if not any(_HEADED.fullmatch(line.text) for line in lines):
        return list(lines)
    numbered: list[TextLine] = []
    counts: list[int] = []
    for line in lines:
        item = _NUMBERED.match(line.text)
        depth = len(item[1]) if item else 0
        counts = [*counts[:depth], *[0] * (depth - len(counts))]
        if item:
            counts[-1] += 1
            text = f"{'   ' * (depth - 1)}{counts[-1]}. {line.text[item.end() :]}"
            line = line._replace(text=text)
        numbered.append(line)
    return numbered


def _join_rows(lines: Sequence[TextLine]) -> Iterator[TextLine]:
    inside = False
    number, cells, sign = 0, list[str](), "|"

    def end_row() -> Iterator[TextLine]:
        if cells:
            yield TextLine(number, f"{sign} {f' {sign * 2} '.join(cells)}")
            cells.clear()

    for line in lines:
        if _BEGIN.match(line.text):
            inside = True
        elif inside and (_END.match(line.text) or _PART.match(line.text)):
            yield from end_row()
            inside = not _END.match(line.text)
        elif inside and (begun := _CELL.match(line.text)):
            if not cells:
                number, sign = line.number, begun[1]
            sign = min(sign, begun[1], key="|!".index)  # a row may begin with a header of its own
            told = line.text[begun.end() :]
            cells += [_STYLE.sub("", part, count=1).strip() for part in _BESIDE.split(told)]
            continue
        elif inside and cells and line.text.strip():
            cells[-1] += f" {line.text.strip()}"
            continue
        elif inside and cells:
            continue
        yield line
    yield from end_row()
