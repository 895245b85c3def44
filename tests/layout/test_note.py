"""Lines of text outside the cards: set in their size, smaller where there is less room, cut short
where there is hardly any; and the correction of a page.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.core.geometry import Insets, Matrix, Rect, Size
from cardgen.core.library import Library
from cardgen.layout.typesetter import SMALLEST_NOTE, Typesetter, set_note
from cardgen.output.pdf import _flip_matrix
from cardgen.pages.impose import Page
from cardgen.text.fonts import FontShelf
from cardgen.text.setting import Run

TEXT = "Magic *items* :icon: [1]"


def read_note(
    size: float, width: float, *, centred: bool = False, text: str = TEXT
) -> tuple[str, Run]:
    library = Library(Path.cwd())
    typesetter = Typesetter(library, FontShelf(library), "en")
    items = set_note(typesetter, text, size, width, centred=centred)
    runs = [item for item in items if isinstance(item, Run)]
    assert len(runs) == len(items) > 0
    return " ".join(word.text for run in runs for word in run.words), runs[0]


def test_a_line_is_set_as_it_is_written() -> None:
    text, run = read_note(6, 500)
    assert text == TEXT
    assert (run.size, run.x, round(run.y, 6)) == (6, 0, 0)


def test_a_line_stands_in_the_middle_of_its_room() -> None:
    _, run = read_note(6, 500, centred=True)
    assert 200 < run.x < 250


def test_a_line_with_less_room_is_smaller() -> None:
    text, run = read_note(6, 52)
    assert (text, round(run.y, 6)) == (TEXT, 0)
    assert SMALLEST_NOTE < run.size < 6


def test_a_line_with_hardly_any_room_is_cut_short() -> None:
    text, run = read_note(6, 20)
    assert SMALLEST_NOTE <= run.size < 6
    assert text.startswith("Magic")
    assert text.endswith("…")


def test_a_correction_is_turned_upside_down_with_the_page() -> None:
    """A point that moves down and right on the page does so in the PDF, where y runs upwards."""
    matrix, height = Matrix(1.1, 0.2, 0.3, 0.9, 5, 7), 200.0
    numbers = [float(number) for number in _flip_matrix(matrix, height).split()]
    for x, y in ((0.0, 0.0), (30.0, 0.0), (0.0, 50.0), (70.0, 90.0)):
        across, down = matrix.map(x, y)
        a, b, c, d, e, f = numbers
        up = height - y
        assert a * x + c * up + e == pytest.approx(across, abs=1e-3)
        assert b * x + d * up + f == pytest.approx(height - down, abs=1e-3)


def test_a_page_has_neither_unless_it_says_so() -> None:
    rect = Rect(0, 0, 10, 10)
    page = Page(Size(10, 10), "front", 1, rect, rect.outset(Insets()), (), ())
    assert (page.notes, page.correction) == ((), None)


def test_what_the_font_lacks_is_a_question_mark() -> None:
    text, _ = read_note(6, 500, text="魔法 Magic 魔")
    assert text == "?? Magic ?"
