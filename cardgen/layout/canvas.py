"""What is being drawn on: the items so far, and how far those to come may reach.

A canvas within a canvas has its own origin, and may be turned. Knows nothing of elements.
"""

from __future__ import annotations

from typing import NamedTuple

from cardgen.core.geometry import Insets, Rect, Turn
from cardgen.layout.face import Form, Item, Shared
from cardgen.layout.room import TOLERANCE, extend_to_bleed, find_inversion, find_overreach


class Part(NamedTuple):
    """What was drawn within another canvas, and how far its boxes reach from its origin."""

    shared: Shared | None
    reach: Rect


class Canvas:
    """A face, or a part of one with an origin of its own."""

    def __init__(self, trim: Rect, bleed: Insets) -> None:
        self.items: list[Item] = []
        self.trim = trim
        self.bleed = bleed
        self.limits = trim.outset(bleed)
        self._reach: Rect | None = None
        self._outer: tuple[Canvas, Rect, Turn] | None = None

    @classmethod
    def within(cls, outer: Canvas, at: Rect, turn: Turn = 0) -> Canvas:
        """A canvas whose origin is the corner of `at` that a turn brings to its top left."""
        canvas = cls(turn_rect(outer.trim, at, turn), turn_insets(outer.bleed, turn))
        canvas._reach = turn_rect(at, at, turn)
        canvas._outer = outer, at, turn
        return canvas

    def has_room(self, part: Part, at: Rect) -> bool:
        """Whether what was drawn elsewhere may lie there too."""
        return self.limits.contains(turn_back(part.reach, at, 0), TOLERANCE)

    def extend(self, rect: Rect) -> Rect:
        return extend_to_bleed(rect, self.trim, self.bleed)

    def find_problem(self, rect: Rect) -> tuple[str, str | None] | None:
        """Why a box cannot lie there, and a hint; where it can, its reach is noted."""
        inversion = find_inversion(rect)
        if inversion is not None:
            return inversion, None
        problem = self._find_overreach(rect)
        if problem is None and self._reach is not None:
            self._reach = self._reach.join(rect)
        return problem

    def _find_overreach(self, rect: Rect) -> tuple[str, str] | None:
        """The edges are named as the card has them, however a canvas within it is turned."""
        if self._outer is None:
            return find_overreach(rect, self.limits)
        canvas, at, turn = self._outer
        return canvas._find_overreach(turn_back(rect, at, turn))

    def finish(self) -> Part:
        """What was drawn, to be placed as a form."""
        bounds = self.limits.outset(Insets(*self.trim.size, *self.trim.size))
        shared = Shared(bounds, tuple(self.items)) if self.items else None
        return Part(shared, self._reach or Rect(0, 0, 0, 0))

    def place(self, part: Part, at: Rect, turn: Turn = 0) -> None:
        """Place what was drawn on a canvas within this one."""
        if self._reach is not None:
            self._reach = self._reach.join(turn_back(part.reach, at, turn))
        if part.shared is not None:
            self.items.append(Form(*_find_corner(at, turn), part.shared, turn))


def turn_rect(rect: Rect, at: Rect, turn: Turn) -> Rect:
    """A rectangle as it lies to the corner of `at` that comes to the top left, turned back."""
    x, y = _find_corner(at, turn)
    if turn == 180:
        return Rect(x - rect.right, y - rect.bottom, *rect.size)
    if turn == 90:
        return Rect(rect.y - y, x - rect.right, rect.height, rect.width)
    if turn == 270:
        return Rect(y - rect.bottom, rect.x - x, rect.height, rect.width)
    return rect.moved(-x, -y)


def turn_insets(insets: Insets, turn: Turn) -> Insets:
    left, top, right, bottom = insets
    if turn == 180:
        return Insets(right, bottom, left, top)
    if turn == 90:
        return Insets(top, right, bottom, left)
    if turn == 270:
        return Insets(bottom, left, top, right)
    return insets


def turn_back(rect: Rect, at: Rect, turn: Turn) -> Rect:
    """A rectangle of turned content as it lies outside."""
    x, y = _find_corner(at, turn)
    if turn == 180:
        return Rect(x - rect.right, y - rect.bottom, *rect.size)
    if turn == 90:
        return Rect(x - rect.bottom, y + rect.x, rect.height, rect.width)
    if turn == 270:
        return Rect(x + rect.y, y - rect.right, rect.height, rect.width)
    return rect.moved(x, y)


def _find_corner(at: Rect, turn: Turn) -> tuple[float, float]:
    """The corner of a box that is the top left one of its turned content."""
    return (
        at.right if turn in (90, 180) else at.x,
        at.bottom if turn in (180, 270) else at.y,
    )
