"""Reads the text of a CSV or TSV file as rows of cells, whatever parts and quotes them.

Knows nothing of what the columns mean but their names, by which the delimiter is told.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple

from cardgen.core.errors import CardgenError, Where
from cardgen.deck.columns import MAX_COLUMNS
from cardgen.deck.tables import SEPARATOR_LINE, explain_csv_error
from cardgen.deck.workbook import MAX_ROWS
from cardgen.importing.column_names import find_field
from cardgen.importing.tables.rows import Row

_USUAL = ",;\t|:^~"
_UNIT = "\x1f"  # what no text holds stands for a delimiter of two signs, and for none at all
_UNUSUAL = re.compile(r"[^\w\s\"'().,;:|^~\[\]-]")
_KEY = re.compile(r"#([a-z ]+):(.*)\n")
_KEYS = re.compile(r"(?:#(?:separator|html|tags|columns|deck|notetype|guid)\b[a-z ]*:.*\n)+")
_NAMED = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "colon": ":", "space": " "}
_SAMPLE = 20_000
_FIRST = 30
_SINGLE = re.compile(r"'[^'\n]*'(?P<sign>[^\w\s'])'[^'\n]*'")
_ESCAPED = re.compile(r'[^\\]\\"')


class _Form(NamedTuple):
    """How a table is written."""

    delimiter: str
    quote: str = '"'
    escape: str | None = None
    doubled: str = ""  # the delimiter where it is two signs


class CsvTable(NamedTuple):
    rows: list[Row]
    delimiter: str


def read_csv_table(text: str, file: str, wanted: Iterable[str]) -> CsvTable:
    """Return the rows with their first lines; `wanted` are names of columns to look for."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    form, text, above = _read_form(text)
    if form is None:
        form = _guess_form(text, frozenset(name.casefold() for name in wanted))
    if form.doubled:
        text = text.replace(form.doubled, _UNIT)
    rows: list[Row] = []
    line = above + 1
    before = csv.field_size_limit(len(text) + 1)
    try:
        reader = _open(text, form, strict=True)
        for cells in reader:
            if len(rows) > MAX_ROWS:
                raise _refuse_long(file, line, MAX_ROWS, "rows", "split it into several files")
            if any(cells[MAX_COLUMNS:]):
                cure = "a row is a card, and a column one of its fields: turn the table over"
                raise _refuse_long(file, line, MAX_COLUMNS, "columns", cure)
            del cells[MAX_COLUMNS:]
            rows.append(Row(line, [cell.replace(_UNIT, form.doubled) for cell in cells]))
            line = above + reader.line_num + 1
    except csv.Error as error:
        raise CardgenError.of([explain_csv_error(error, Where(file, line))]) from error
    finally:
        csv.field_size_limit(before)
    return CsvTable(rows, form.doubled or form.delimiter)


def _refuse_long(file: str, line: int, most: int, what: str, cure: str) -> CardgenError:
    said = f"this table has more than {most:,} {what}"
    return CardgenError("import/too-long", said, Where(file, line), cure, details={"most": most})


def _read_form(text: str) -> tuple[_Form | None, str, int]:
    """Return the form that is named above a table, the table, and the lines above it.

    Spreadsheets write "sep=;". Anki writes several lines as "#separator:tab", and names columns
    there, or says which hold no side of a card: "#tags column:3".
    """
    if match := SEPARATOR_LINE.match(text):
        return _Form(match[1]), text[match.end() :], 1
    head = _KEYS.match(text)
    if not head:
        return None, text, 0
    said, below = dict(_KEY.findall(head[0])), text[head.end() :]
    sign = said.get("separator", "tab").strip().lower()
    form = _Form(_NAMED.get(sign, sign[:1] or "\t"))
    columns = said.get("columns")
    if columns is None:
        others = {number.strip(): key.split()[0] for key, number in said.items() if " " in key}
        sides = iter(("Front", "Back"))
        width = len(next(_open(below, form, strict=False), ()))
        columns = form.delimiter.join(
            others.get(str(n)) or next(sides, f"column {n}") for n in range(1, width + 1)
        )
    return form, f"{columns}\n{below}", head[0].count("\n") - 1


def _open(text: str, form: _Form, *, strict: bool) -> Any:
    return csv.reader(
        io.StringIO(text, newline=""),
        delimiter=form.delimiter,
        quotechar=form.quote,
        escapechar=form.escape,
        skipinitialspace=form.delimiter != " ",
        strict=strict,
    )


def _guess_form(text: str, wanted: frozenset[str]) -> _Form:
    """Return the form by which most columns of the first rows have known names, and are alike."""
    sample = text[:_SAMPLE]
    head = next((line for line in sample.split("\n") if line.strip()), "")
    quote = "'" if _SINGLE.match(head.strip()) else '"'
    escape = "\\" if _ESCAPED.search(sample) and '""' not in sample else None
    doubled = [2 * sign for sign in _USUAL if 2 * sign in head]
    signs = [*_USUAL, *dict.fromkeys(_UNUSUAL.findall(head))]
    forms = [_Form(_UNIT, quote, escape, pair) for pair in doubled]
    forms += [_Form(sign, quote, escape) for sign in signs]
    scores = [_score(sample, form, wanted) for form in forms]
    best = max(scores)
    # A list of one column may hold any sign; an unusual one must part names that are known.
    alone = _is_known(head.strip().strip(quote), wanted) or best[1] == 0
    if alone or (best[0] < 2 and forms[scores.index(best)].delimiter not in (_UNIT, *_USUAL)):
        usual = max(score for score, form in zip(scores, forms, strict=True)
                    if form.delimiter in _USUAL)  # fmt: skip
        best = (0, 0) if alone else usual
    return forms[scores.index(best)] if best[1] else _Form(_UNIT, quote, escape)


def _score(sample: str, form: _Form, wanted: frozenset[str]) -> tuple[int, int]:
    """Return how many columns have known names, and how many cells lie in rows that are alike."""
    text = sample.replace(form.doubled, _UNIT) if form.doubled else sample
    try:
        rows = [row for row in islice(_open(text, form, strict=False), _FIRST) if len(row) > 1]
    except csv.Error:
        return 0, 0
    if not rows:
        return 0, 0
    width, times = Counter(len(row) for row in rows).most_common(1)[0]
    known = max(sum(_is_known(cell, wanted) for cell in row) for row in rows)
    return known, times * (width + 10)


def _is_known(cell: str, wanted: frozenset[str]) -> bool:
    return find_field(cell) is not None or " ".join(cell.split()).casefold() in wanted
