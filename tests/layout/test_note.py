"""Lines of text outside the cards: set in their size, smaller where there is less room, cut short
where there is hardly any; and the correction of a page.
"""

from __future__ import annotations

from pathlib import Path

from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.library import Library
from cardgen.layout.note import SMALLEST_NOTE, set_note
from cardgen.layout.typesetter import Typesetter
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


def test_a_page_has_neither_unless_it_says_so() -> None:
    rect = Rect(0, 0, 10, 10)
    page = Page(Size(10, 10), "front", 1, rect, rect.outset(Insets()), (), ())
    assert (page.notes, page.correction) == ((), None)


def test_what_the_font_lacks_is_a_question_mark() -> None:
    text, _ = read_note(6, 500, text="魔法 Magic 魔")
    assert text == "?? Magic ?"
