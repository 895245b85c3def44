"""Whether the texts of a face stay within its safe area.

Knows nothing of templates: it looks at what was drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple
from weakref import WeakKeyDictionary

from cardgen.core.geometry import IDENTITY, Box, Matrix, Rect, make_turn
from cardgen.core.units import MM
from cardgen.layout.face import Face, Form, Item, Placed, Shared
from cardgen.template.model import Format
from cardgen.text.setting import Run

# What nobody sees: a text may reach so far beyond, in points.
_SLACK = 0.1 * MM


class Unsafe(NamedTuple):
    """A text that reaches out of the safe area, by so many points, and its card."""

    beyond: float
    words: str
    card: str | None = None


def list_unsafe(face: Face, format_: Format, card: str | None) -> set[Unsafe]:
    """Return the text of a face that reaches farthest out of the safe area, if one does."""
    safe = format_.safe
    if not any(safe):
        return set()
    trim = Rect(0, 0, *format_.size)
    loose = format_.shape.trace(trim) if format_.shape.is_loose else None
    left, top = trim.x + safe.left, trim.y + safe.top
    right, bottom = trim.right - safe.right, trim.bottom - safe.bottom

    def measure(box: Box) -> float:
        """Return how far a box reaches out of the safe area."""
        if loose is not None:
            return max(safe) - loose.measure_room(box)
        x0, y0, x1, y1 = box
        return max(left - x0, top - y0, x1 - right, y1 - bottom)

    most, worst = _SLACK, None
    within = None if loose is not None else Box(left, top, right, bottom).grow(_SLACK, _SLACK)
    for run, box in _list_runs(face.items, IDENTITY, within):
        beyond = measure(box)
        if beyond > most:
            most, worst = beyond, run
    if worst is None:
        return set()
    return {Unsafe(most, " ".join(word.text for word in worst.words), card)}


def _list_runs(
    items: Sequence[Item], onto: Matrix, within: Box | None
) -> Iterator[tuple[Run, Box]]:
    """Yield what is seen whole of texts, each with the upright box around its capitals; those that
    lie within a box are left out.
    """
    left, low, right, high = within or Box(inf, inf, -inf, -inf)
    for item in items:
        if isinstance(item, Run):
            x, y, font, size, _, words, stretch, span, angle = item
            if angle:  # one along a path says itself where it may run
                continue
            width = span * size + stretch * (len(words) - 1)
            x0, y0, x1, y1 = x, y - font.file.cap_height * size, x + width, y
            if onto is not IDENTITY:
                x0, y0, x1, y1 = onto.place(Box(x0, y0, x1, y1))
            if not (left <= x0 and low <= y0 and x1 <= right and y1 <= high):
                yield item, Box(x0, y0, x1, y1)
            continue
        if not isinstance(item, Placed) or (around := _find_texts(item.shared)) is None:
            continue
        if isinstance(item, Form):
            matrix = make_turn(item.turn, item.x, item.y).then(onto)
        elif not item.clips and item.mask is None:
            matrix = item.matrix.then(onto)
        else:
            continue
        if within is None or not _lies_within(matrix.place(around), within):
            yield from _list_runs(item.shared.items, matrix, within)


# Around the texts of forms, which are the same on many faces; each in a tuple, lest one that has no
# texts be looked for twice.
_AROUND: WeakKeyDictionary[Shared, tuple[Box | None]] = WeakKeyDictionary()


def _find_texts(shared: Shared) -> Box | None:
    """Return the box around all texts of a form; None where it has none."""
    known = _AROUND.get(shared)
    if known is None:
        around = None
        for _, box in _list_runs(shared.items, IDENTITY, None):
            around = box if around is None else around.join(box)
        known = _AROUND[shared] = (around,)
    return known[0]


def _lies_within(box: Box, outer: Box) -> bool:
    x0, y0, x1, y1 = box
    left, low, right, high = outer
    return left <= x0 and low <= y0 and x1 <= right and y1 <= high
