"""A box that stands for what is not there yet, with the name of what is missing.

Knows nothing of why it is missing.
"""

from __future__ import annotations

from math import ceil

from cardgen.core.colour import Colour
from cardgen.core.geometry import Insets, Rect
from cardgen.layout.art.outlines import make_rect
from cardgen.layout.face import Item, Outline, Segment, Stroke
from cardgen.layout.note import set_note
from cardgen.layout.typesetter import Typesetter
from cardgen.text.setting import Run

GREY = Colour("cmyk", (0.2, 0.1, 0.0, 0.5))

_LARGEST = 9.0  # points
_PALE = 0.2
_WIDTH = 0.5
_DASH = (3.0, 2.0)
_LEADING = 1.15
_SMALLEST = 2.5
_MOST_LINES = 4
_GAIN = 1.2  # so much larger must a label become that is broken once more
_ROOM = 0.9  # the part of the box that a label may take


def draw_placeholder(
    typesetter: Typesetter, rect: Rect, label: str, colour: Colour = GREY
) -> tuple[Item, ...]:
    """Return a pale box with a dashed border and a cross, and the label on it where it has room."""
    tints = tuple(value * _PALE for value in colour.values)
    pale = Colour("cmyk", tints) if colour.space == "cmyk" else Colour("cmyk", (0, 0, 0, 0.1))
    inner = rect.inset(Insets.even(min(_WIDTH / 2, rect.width / 2, rect.height / 2)))
    items: list[Item] = [
        make_rect(rect, 0.0, pale, None),
        _draw_cross(inner, Stroke(colour, _WIDTH / 2)),
    ]
    lines = _set_label(typesetter, rect, label)
    if lines:
        # The cross gives way to the label.
        size, left = lines[0].size, min(run.x for run in lines) - 1
        top, bottom = lines[0].y - size, lines[-1].y + size * 0.4
        plate = Rect(left, top, 2 * (rect.x + rect.width / 2 - left), bottom - top)
        items.append(make_rect(plate.meet(rect), 0.0, pale, None))
    items += (make_rect(inner, 0.0, None, Stroke(colour, _WIDTH, _DASH)), *lines)
    return tuple(items)


def _draw_cross(rect: Rect, stroke: Stroke) -> Outline:
    segments: tuple[Segment, ...] = (
        ("M", (rect.x, rect.y)),
        ("L", (rect.right, rect.bottom)),
        ("M", (rect.x, rect.bottom)),
        ("L", (rect.right, rect.y)),
    )
    return Outline(segments, None, stroke, False, rect)


def _set_label(typesetter: Typesetter, rect: Rect, label: str) -> list[Run]:
    """Return the label in the middle of the box, on more lines where that makes it much larger."""
    from textwrap import wrap  # where nothing is missing, it is not loaded

    best: list[Run] = []
    for count in range(1, _MOST_LINES + 1):
        texts = wrap(label, max(1, ceil(len(label) / count)))
        if len(texts) > count:  # words do not part evenly
            texts = wrap(label, max(1, ceil(len(label) / count) + 3))
        runs = _set_lines(typesetter, rect, texts)
        more = _count_letters(runs) - _count_letters(best)
        if more > 0 or (more == 0 and runs and runs[0].size > best[0].size * _GAIN):
            best = runs
    return best


def _count_letters(runs: list[Run]) -> int:
    """Return how many letters are shown of a label, which may be cut short."""
    return sum(len(word.text) for run in runs for word in run.words)


def _set_lines(typesetter: Typesetter, rect: Rect, texts: list[str]) -> list[Run]:
    """Return lines in the middle of a box, all of one size; none where they are too high."""
    size = min(_LARGEST, rect.height * _ROOM / (_LEADING * max(len(texts), 1)))
    width = rect.width * _ROOM
    if size < _SMALLEST or width < _SMALLEST:
        return []
    for _ in range(2):  # the second time at the size of the longest line
        lines = [set_note(typesetter, text, size, width, centred=True) for text in texts]
        found = [[run for run in line if isinstance(run, Run)] for line in lines]
        sizes = [run.size for line in found for run in line]
        if not sizes:
            return []
        size = min(sizes)
    if size < _SMALLEST or size * _LEADING * len(texts) > rect.height + 0.01:
        return []
    step = size * _LEADING
    first = rect.y + (rect.height - step * len(texts)) / 2 + size * 0.85
    left = rect.x + (rect.width - width) / 2
    return [
        run._replace(x=run.x + left, y=first + number * step)
        for number, line in enumerate(found)
        for run in line
    ]
