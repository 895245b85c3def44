"""A box that stands for what is missing: its name fits, whatever the box."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.core.geometry import Rect
from cardgen.core.library import Library
from cardgen.layout.art.placeholder import draw_placeholder
from cardgen.layout.face import Outline
from cardgen.layout.typesetter import Typesetter
from cardgen.text.fonts import FontShelf
from cardgen.text.setting import Run


@pytest.fixture(scope="module")
def typesetter() -> Typesetter:
    library = Library(Path())
    return Typesetter(library, FontShelf(library), "en")


def say(runs: list[Run]) -> str:
    return " ".join(word.text for run in runs for word in run.words)


@pytest.mark.parametrize(
    ("width", "height", "label", "said"),
    [
        (150, 100, "dragon.png", "dragon.png"),
        (60, 40, "pictures/heroes/the-old-king.webp", "pictures/heroes/the-old-king.webp"),
        (14, 14, "sword", "sword"),
        (60, 2, "flat.png", ""),
        (0, 0, "nothing.png", ""),
        (100, 60, "頁.png", "?.png"),
        (100, 60, "", ""),
    ],
)
def test_a_name_lies_within_its_box(
    typesetter: Typesetter, width: float, height: float, label: str, said: str
) -> None:
    box = Rect(20, 30, width, height)
    items = draw_placeholder(typesetter, box, label)
    runs = [item for item in items if isinstance(item, Run)]
    shapes = [item for item in items if isinstance(item, Outline)]
    assert say(runs).replace(" ", "") == said
    assert len(runs) + len(shapes) == len(items)
    assert all(box.contains(shape.bounds) for shape in shapes)
    for run in runs:
        wide = sum(word.width for word in run.words) * run.size
        assert box.contains(Rect(run.x, run.y - run.size * 0.7, wide, run.size * 0.7))


def test_a_long_name_is_set_smaller_and_then_cut_short(typesetter: Typesetter) -> None:
    sizes = []
    for letters in (5, 30, 300):
        items = draw_placeholder(typesetter, Rect(0, 0, 60, 20), "x" * letters)
        runs = [item for item in items if isinstance(item, Run)]
        sizes.append(runs[0].size)
    assert sizes[0] == 9 > sizes[1] > sizes[2] >= 2.5
    assert say(runs).endswith("…")
