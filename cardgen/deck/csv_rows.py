"""CSV text becomes rows of cells, each with the line it begins in. Knows nothing of cards."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from cardgen.errors import Problem, Where

Cell = str | int | float | bool | None

_DELIMITERS = ",;\t"
_FILLED_LINE = re.compile(r".*\S.*")
_QUOTED = re.compile(r'"[^"]*"?')


class Row(NamedTuple):
    line: int
    cells: Sequence[Cell]


def read_csv_rows(text: str, file: str, first_line: int, problems: list[Problem]) -> Iterator[Row]:
    """The rows of a text that begins in `first_line` of its file, up to the first broken one."""
    line = first_line
    with _unlimited_fields(len(text)):
        reader = csv.reader(
            io.StringIO(text),
            delimiter=_guess_delimiter(text),
            skipinitialspace=True,
            strict=True,
        )
        try:
            for cells in reader:
                yield Row(line, cells)
                line = first_line + reader.line_num
        except csv.Error as error:
            problems.append(explain_csv_error(error, Where(file, line)))


@contextmanager
def _unlimited_fields(size: int) -> Iterator[None]:
    """Lift the limit of the csv module, which would refuse a long field without naming it."""
    before = csv.field_size_limit(size)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _guess_delimiter(text: str) -> str:
    header = _FILLED_LINE.search(text)
    bare = _QUOTED.sub("", header[0]) if header else ""
    return max(_DELIMITERS, key=bare.count)


def explain_csv_error(error: csv.Error, where: Where) -> Problem:
    """What the csv module found wrong in a row that begins at `where`, in our words."""
    if "unexpected end of data" in str(error):
        hint = 'close it; a quote within the text is written twice: ""'
        return Problem("a quote in this row is never closed", where, hint)
    return Problem(
        "text follows a closing quote in this row",
        where,
        'write a quote inside a quoted cell twice: ""',
    )
