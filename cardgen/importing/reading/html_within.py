"""HTML within a text: tables with a cell on each line, terms with what is said of them, and lists
that go on in a line.

A row stands where it is opened, as one line. A table whose rows are lines already is left as it is.
A term is written as Markdown has it, with a colon before what is said. Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cardgen.importing.reading.columns import TextLine

_OPENED = re.compile(r"\s*<tr\b[^<>]*>\s*", re.IGNORECASE)
_CLOSED = re.compile(r"\s*</tr>\s*", re.IGNORECASE)
_AROUND = re.compile(
    r"\s*(?:</?(?:table|thead|tbody|tfoot|colgroup|caption)\b[^<>]*>|<col\b[^<>]*>)?\s*",
    re.IGNORECASE,
)
_TABLE = re.compile(r"\s*</?table\b", re.IGNORECASE)
_CELL = re.compile(r"<(/?)t([dh])\b[^<>]*>", re.IGNORECASE)
_WITHIN = re.compile(r"<br ?/?>|<img\b[^<>]*>", re.IGNORECASE)
_MOST_LINES = 200  # of a row
_TERM = re.compile(r"\s*<dt\b[^<>]*>(.*?)</dt>\s*", re.IGNORECASE)
_SAID = re.compile(r"\s*<dd\b[^<>]*>(.*?)(?:</dd>)?\s*", re.IGNORECASE)
_ITEM = re.compile(r"\s*<li\b[^<>]*>\s*", re.IGNORECASE)
_LIST_END = re.compile(r"</li>|</?[uo]l\b[^<>]*>", re.IGNORECASE)
_TERMS = re.compile(r"\s*</?(?:dl|dd)\b[^<>]*>\s*", re.IGNORECASE)


def part_items(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines, with each item of a list that stands within one on a line of its own."""
    parted: list[TextLine] = []
    for line in lines:
        if "<li" not in line.text.lower() or "|" in line.text:
            parted.append(line)
            continue
        first, *items = _ITEM.split(_LIST_END.sub("", line.text))
        parted += [TextLine(line.number, first)] * bool(first.strip())
        parted += [TextLine(line.number, f"- {item.strip()}") for item in items]
    return parted


def write_terms(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines with terms of HTML as Markdown writes them: a line each, and ": " below."""
    if not any(_TERM.match(line.text) for line in lines):
        return list(lines)
    written: list[TextLine] = []
    for number, text in lines:
        if term := _TERM.match(text):
            written += [TextLine(number, ""), TextLine(number, term[1].strip())]
            text = text[term.end() :]
            if not text:
                continue
        if said := _SAID.fullmatch(text):
            text = f": {said[1].strip()}"
        elif _TERMS.fullmatch(text):
            text = ""
        written.append(TextLine(number, text))
    return written


def join_html_rows(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines, those of a row of a table as one, and those around rows not at all."""
    if not any(_OPENED.fullmatch(line.text) for line in lines):
        return list(lines)
    return list(_join_rows(lines))


def _join_rows(lines: Sequence[TextLine]) -> Iterator[TextLine]:
    inside = False
    at = 0
    while at < len(lines):
        line = lines[at]
        end = _find_end(lines, at) if _OPENED.fullmatch(line.text) else at
        row = " ".join(one.text.strip() for one in lines[at : end + 1]) if end > at else ""
        cells = [*_read_cells(row)]
        if len(cells) > 1:
            yield TextLine(line.number, f"| {' | '.join(_write(cell) for _, cell in cells)} |")
            if all(kind in "hH" for kind, _ in cells):
                yield TextLine(lines[at + 1].number, f"|{'---|' * len(cells)}")
            inside = True
        elif end > at or not (inside and _AROUND.fullmatch(line.text)):
            inside = inside and end == at and not line.text.strip()
            yield from lines[at : end + 1]
        elif _TABLE.match(line.text):
            inside = False
            yield TextLine(line.number, "")
        at = end + 1


def _find_end(lines: Sequence[TextLine], start: int) -> int:
    """Return where the row ends that is opened on a line; that line where it does not."""
    below = range(start + 1, min(start + _MOST_LINES, len(lines)))
    return next((at for at in below if _CLOSED.fullmatch(lines[at].text)), start)


def _read_cells(row: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each cell that is closed."""
    opened: re.Match[str] | None = None
    for tag in _CELL.finditer(row):
        if not tag[1]:
            opened = tag
        elif opened:
            yield opened[2], row[opened.end() : tag.start()]
            opened = None


def _write(cell: str) -> str:
    return " ".join(_WITHIN.sub(" ", cell).replace("|", "/").split())
