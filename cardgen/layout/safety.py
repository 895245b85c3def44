"""Whether the texts of a face stay within its safe area.

Knows nothing of templates: it looks at what was drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardgen.core.geometry import IDENTITY, Box, Matrix, Rect, make_turn
from cardgen.core.units import MM
from cardgen.layout.face import Face, Form, Group, Item
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
    worst: Unsafe | None = None
    for run, box in _list_runs(face.items, IDENTITY):
        if not format_.shape.is_loose:
            beyond = max(
                trim.x + safe.left - box.x0,
                trim.y + safe.top - box.y0,
                box.x1 - trim.right + safe.right,
                box.y1 - trim.bottom + safe.bottom,
            )
        else:
            beyond = max(safe) - format_.shape.trace(trim).measure_room(box)
        if beyond > max(_SLACK, worst.beyond if worst else 0.0):
            worst = Unsafe(beyond, " ".join(word.text for word in run.words), card)
    return {worst} if worst else set()


def _list_runs(items: Sequence[Item], onto: Matrix) -> Iterator[tuple[Run, Box]]:
    """Yield what is seen whole of texts, each with the upright box around its capitals."""
    for item in items:
        if isinstance(item, Run):
            width = sum(word.width for word in item.words) * item.size
            width += (len(item.words) - 1) * (item.font.space * item.size + item.stretch)
            box = Box(0, -item.font.file.cap_height * item.size, width, 0)
            matrix = Matrix(1, 0, 0, 1, item.x, item.y).then(onto)
            if item.angle:
                continue  # along a path, which says itself where it may run
            yield item, matrix.place(box)
        elif isinstance(item, Form):
            yield from _list_runs(
                item.shared.items, make_turn(item.turn, item.x, item.y).then(onto)
            )
        elif isinstance(item, Group) and not item.clips and item.mask is None:
            yield from _list_runs(item.shared.items, item.matrix.then(onto))
