"""Objects packed in rows: what readers find in them is what was put there."""

from __future__ import annotations

import random
from io import BytesIO

import pikepdf
import pytest

from cardgen.core.geometry import Rect
from cardgen.output.objects import File
from cardgen.output.packing import compress, step_rows


@pytest.mark.parametrize("columns", [1, 8, 50])
def test_rows_are_differences(columns: int) -> None:
    rows = random.Random(columns).randbytes(columns * 40)
    stepped, above = step_rows(rows, columns), bytes(columns)
    for at in range(40):
        tag, *steps = stepped[at * (columns + 1) : (at + 1) * (columns + 1)]
        row = bytes((one + step) & 0xFF for one, step in zip(above, steps, strict=True))
        assert (tag, row) == (2, rows[at * columns : (at + 1) * columns])
        above = row
    assert step_rows(rows[columns:], columns, rows[:columns]) == stepped[columns + 1 :]


@pytest.mark.parametrize("columns", [0, 16, 50])
def test_what_lies_in_rows_is_found_again(columns: int) -> None:
    """However long it is, and in however many streams."""
    out = BytesIO()
    file = File(out, title="", author="", language="en", creator="", packs=True)
    told = ["é" * (number % 90) + str(number) for number in range(1500)]
    numbers = [
        file.add_small(b"<</T<%b>>>" % t.encode("utf-16").hex().encode(), columns) for t in told
    ]
    sheet = Rect(0, 0, 9, 9)
    file.add_page(compress(b"n"), b"", sheet.size, sheet, sheet)  # without one it would be no PDF
    kids = b" ".join(b"%d 0 R" % number for number in numbers)
    file.set_root("Told", b"[%b]" % kids)
    file.finish()
    with pikepdf.open(out) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert [str(entry.T) for entry in pdf.Root.Told] == told
