"""The rules for what stands where the card is cut: a die line, or marks in the bleed.

Knows nothing of how marks are found.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from typing import NamedTuple

from cardgen.core.geometry import Box
from cardgen.core.units import MM
from cardgen.preflight.colours import Paint
from cardgen.preflight.document import PageBoxes
from cardgen.preflight.marks import Layer, MarkKind
from cardgen.preflight.report import Fault
from cardgen.preflight.wants import Wants

_NEAR = 0.5 * MM
_TOUCH = 1.0  # points: a mark that reaches no further into the card lies beside it
_THIN = 2.0


_Kind = tuple[MarkKind, Paint]


class Beside(NamedTuple):
    """A fault beside the card, and its places."""

    fault: Fault
    boxes: tuple[Box, ...]


class Glimpse(NamedTuple):
    """What a layer shows where the card is cut.

    kind: None where it is not dark
    """

    layer: Layer
    kind: _Kind | None
    frames: list[Box]
    ticks: list[Box]
    outside: list[Box]


class MarkFinder:
    """Gathers the layers of one page, then tells what stands where it is cut."""

    def __init__(self, boxes: PageBoxes, wants: Wants) -> None:
        self._boxes = boxes
        self._wants = wants
        self._bleeds = bool(wants.bleed_x or wants.bleed_y) and boxes.trim is not None
        # A mark that begins at the edge of the bleed is beyond it.
        self._seen = boxes.painted.grow(-_TOUCH, -_TOUCH)
        self._dark: dict[_Kind, list[Layer]] = {}
        self._outside: list[tuple[_Kind, Box]] = []
        self._ticks: list[Box] = []
        self._frames: list[Box] = []

    def look_at(self, layer: Layer) -> Glimpse | None:
        """Return what a layer shows where the card is cut; None where it does not matter."""
        look = layer.look
        if not self._bleeds or look.paint is None or look.kind not in ("area", "line", "text"):
            return None
        if self._wants.is_die(look.paint):
            return None
        cut = self._boxes.cut
        frames: list[Box] = []
        if look.kind == "line" and not look.paint.is_white:
            half = look.size * layer.matrix.scale / 2
            frames = [
                box
                for box in layer.list_visible(self._boxes.painted)
                if _is_alike(box.grow(-half, -half), cut)
            ]
        if not look.paint.is_dark:
            return Glimpse(layer, None, frames, [], []) if frames else None
        ticks: list[Box] = []
        outside: list[Box] = []
        for box in () if layer.lies_within(cut) else layer.list_visible(self._seen):
            if cut.contains(box, _TOUCH) or not _lies_beside(box, cut):
                continue
            if _is_tick(box, cut):
                ticks.append(box)
            elif box.width < cut.width / 2 and box.height < cut.height / 2:
                outside.append(box)
        return Glimpse(layer, (look.kind, look.paint), frames, ticks, outside)

    def add(self, glimpse: Glimpse) -> None:
        layer, kind, frames, ticks, outside = glimpse
        self._frames += frames
        if kind is not None:
            self._dark.setdefault(kind, []).append(layer)
            self._ticks += ticks
            self._outside += [(kind, box) for box in outside]

    def list_found(self) -> Iterator[Beside]:
        marks = [*self._ticks, *self._list_strange()]
        if self._frames:
            yield Beside(
                Fault(
                    "preflight/die-line",
                    "warning",
                    "a line runs along the trim on all sides: it is printed, and the cut leaves a "
                    "part of it at some sides",
                    "take it out, or move it inwards; a die line belongs in a file of its own",
                    about=("frame",),
                ),
                tuple(self._frames),
            )
        if marks:
            yield Beside(
                Fault(
                    "preflight/bleed-marks",
                    "warning",
                    "black marks stand in the bleed: a cut a little beside the line leaves them on "
                    "the card",
                    "move marks beyond the bleed, or take them out",
                ),
                tuple(marks),
            )

    def _list_strange(self) -> Iterator[Box]:
        """Yield the marks beside the card that are no part of a pattern, which goes on upon it."""
        known = {kind: self._measure_all(kind) for kind in {kind for kind, _ in self._outside}}
        for kind, box in self._outside:
            width, height = _measure(box)
            near = ((width + a, height + b) for a in (-1, 0, 1) for b in (-1, 0, 1))
            if known[kind].isdisjoint(near):
                yield box

    def _measure_all(self, kind: _Kind) -> set[tuple[int, int]]:
        """Return the sizes of the marks of a kind on the card."""
        cut = self._boxes.cut
        boxes = (box for layer in self._dark[kind] for box in layer.list_visible(self._seen))
        return {_measure(box) for box in boxes if not _lies_beside(box, cut)}


def _measure(box: Box) -> tuple[int, int]:
    """Return width and height in steps of a half more."""
    return _count_steps(box.width), _count_steps(box.height)


def _count_steps(length: float) -> int:
    return round(log(max(length, 0.1)) / log(1.5))


def _is_alike(box: Box, cut: Box) -> bool:
    return all(abs(a - b) <= _NEAR for a, b in zip(box, cut, strict=True))


def _lies_beside(box: Box, cut: Box) -> bool:
    shared = box.meet(cut)
    return shared is None or min(shared.width, shared.height) <= _TOUCH < _reach(box, cut)


def _reach(box: Box, cut: Box) -> float:
    """Return how far a box goes beyond the card."""
    return max(cut.x0 - box.x0, box.x1 - cut.x1, cut.y0 - box.y0, box.y1 - cut.y1)


def _is_tick(box: Box, cut: Box) -> bool:
    """Say whether a mark is a short thin line that prolongs an edge of the card."""
    if min(box.width, box.height) > _THIN or max(box.width, box.height) < 2 * _THIN:
        return False
    middle_x, middle_y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    if box.height < box.width:
        apart = box.x1 <= cut.x0 + _TOUCH or box.x0 >= cut.x1 - _TOUCH
        return apart and min(abs(middle_y - cut.y0), abs(middle_y - cut.y1)) <= _NEAR
    apart = box.y1 <= cut.y0 + _TOUCH or box.y0 >= cut.y1 - _TOUCH
    return apart and min(abs(middle_x - cut.x0), abs(middle_x - cut.x1)) <= _NEAR
