"""A surface to draw on: the items so far, and how far the next ones may reach.

A canvas within a canvas has its own origin, and may be turned. Knows nothing of elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Insets, Rect, Turn, make_turn
from cardgen.core.units import format_mm, format_size
from cardgen.layout.contents import Remark
from cardgen.layout.face import Blend, Clip, Form, Group, Item, Shared, Tag
from cardgen.layout.room import TOLERANCE, to_mm


class Drawn(NamedTuple):
    """The content of a canvas within another, how far its boxes reach from its origin, and what
    is to be told of it.
    """

    shared: Shared | None
    reach: Rect
    has_heading: bool = False
    remarks: frozenset[Remark] = frozenset()


class Canvas:
    """A face, or a part of one with an origin of its own."""

    def __init__(self, trim: Rect, bleed: Insets) -> None:
        self.items: list[Item] = []
        self.remarks: set[Remark] = set()
        self.trim = trim
        self.bleed = bleed
        self.limits = trim.outset(bleed)
        x, y, width, height = self.limits
        self._edges = x - TOLERANCE, y - TOLERANCE, x + width + TOLERANCE, y + height + TOLERANCE
        self._reach: Rect | None = None
        self._outer: tuple[Canvas, Rect, Turn] | None = None

    @classmethod
    def within(cls, outer: Canvas, at: Rect, turn: Turn = 0) -> Canvas:
        """Return a canvas whose origin is the corner of `at` that a turn brings to its top left."""
        canvas = cls(turn_rect(outer.trim, at, turn), turn_insets(outer.bleed, turn))
        canvas._reach = turn_rect(at, at, turn)
        canvas._outer = outer, at, turn
        return canvas

    @classmethod
    def beside(cls, outer: Canvas, at: Rect) -> Canvas:
        """Return a canvas with its origin at the corner of `at`, on which all may lie anywhere:
        what is turned aslant ends where the card does.
        """
        far = max(outer.limits.size) * 3
        return cls(Rect(0, 0, *at.size).outset(Insets.even(far)), Insets())

    def check(self, rect: Rect) -> None:
        """Note how far a box reaches; one that cannot lie there is refused."""
        x, y, width, height = rect
        if self._outer is None and width >= 0 and height >= 0:
            left, top, right, bottom = self._edges
            if left <= x and top <= y and x + width <= right and y + height <= bottom:
                return  # as nearly all do: those on the card itself have no reach
        check_size(rect)
        self._check_reach(rect)
        if self._reach is not None:
            self._reach = self._reach.join(rect)

    def _check_reach(self, rect: Rect) -> None:
        if self._outer is not None:
            # The edges are named as the card has them, however a canvas within it is turned.
            canvas, at, turn = self._outer
            canvas._check_reach(turn_back(rect, at, turn))
        elif not self.limits.contains(rect, TOLERANCE):
            raise _refuse_overreach(rect, self.limits)

    def extend(self, rect: Rect) -> Rect:
        """Return a box with each side that lies on the trim moved out to the bleed's edge."""
        return extend_to_bleed(rect, self.trim, self.bleed)

    def has_room(self, drawn: Drawn, at: Rect) -> bool:
        """Whether what was drawn elsewhere may lie there too."""
        return self.limits.contains(turn_back(drawn.reach, at, 0), TOLERANCE)

    def finish(self) -> Drawn:
        """Return the drawing, to be placed as a form."""
        bounds = self.limits.outset(Insets(*self.trim.size, *self.trim.size))
        shared = Shared(bounds, tuple(self.items)) if self.items else None
        reach = self._reach or Rect(0, 0, 0, 0)
        return Drawn(shared, reach, _has_heading(self.items), frozenset(self.remarks))

    def place(self, drawn: Drawn, at: Rect, turn: Turn = 0) -> None:
        """Place what was drawn on a canvas within this one."""
        self._join(drawn, at, turn)
        if drawn.shared is not None:
            self.items.append(Form(*get_corner(at, turn), drawn.shared, turn))

    def place_clear(self, drawn: Drawn, at: Rect, turn: Turn, opacity: float, blend: Blend) -> None:
        """Place what was drawn on a canvas within this one, so that what lies below is seen."""
        self._join(drawn, at, turn)
        if drawn.shared is not None:
            matrix = make_turn(turn, *get_corner(at, turn))
            self.items.append(Group(drawn.shared, matrix, opacity=opacity, blend=blend))

    def place_clipped(self, drawn: Drawn, at: Rect, clip: Clip) -> None:
        """Place what was drawn on a canvas within this one, as far as it lies within a path."""
        self._join(drawn, at, 0)
        if drawn.shared is not None:
            self.items.append(Group(drawn.shared, make_turn(0, at.x, at.y), (clip,)))

    def place_aslant(
        self, drawn: Drawn, at: Rect, degrees: float, opacity: float, blend: Blend
    ) -> None:
        """Place what was drawn on a canvas beside this one, turned about the middle of `at`."""
        self.remarks |= drawn.remarks
        if drawn.shared is not None:
            wide, high = at.width / 2, at.height / 2
            x, y = make_turn(degrees).map(-wide, -high)
            matrix = make_turn(degrees, at.x + wide + x, at.y + high + y)
            self.items.append(Group(drawn.shared, matrix, opacity=opacity, blend=blend))

    def _join(self, drawn: Drawn, at: Rect, turn: Turn) -> None:
        self.remarks |= drawn.remarks
        if self._reach is not None:
            self._reach = self._reach.join(turn_back(drawn.reach, at, turn))


def check_size(rect: Rect) -> None:
    """Refuse a box that has less than no width or height."""
    if rect.width < -TOLERANCE or rect.height < -TOLERANCE:
        raise _refuse_inversion(rect)


def _has_heading(items: Sequence[Item]) -> bool:
    tags = (item.element for item in items if isinstance(item, Tag))
    return any(element is not None and element.role == "H1" for element in tags)


def extend_to_bleed(rect: Rect, trim: Rect, bleed: Insets) -> Rect:
    """Return the rectangle with each side that lies on the trim moved out to the bleed's edge."""
    return rect.outset(
        Insets(
            bleed.left if abs(rect.x - trim.x) < TOLERANCE else 0.0,
            bleed.top if abs(rect.y - trim.y) < TOLERANCE else 0.0,
            bleed.right if abs(rect.right - trim.right) < TOLERANCE else 0.0,
            bleed.bottom if abs(rect.bottom - trim.bottom) < TOLERANCE else 0.0,
        )
    )


def _refuse_inversion(rect: Rect) -> Refusal:
    side = "width" if rect.width < -TOLERANCE else "height"
    missing = -min(rect.width, rect.height)
    return Refusal(
        "layout/no-room-left",
        f"a box has no {side} left: {format_mm(missing)} are missing",
        details={"side": side, "missing": to_mm(missing)},
    )


def _refuse_overreach(rect: Rect, limits: Rect) -> Refusal:
    over = {
        "left": limits.x - rect.x,
        "top": limits.y - rect.y,
        "right": rect.right - limits.right,
        "bottom": rect.bottom - limits.bottom,
    }
    side = max(over, key=lambda name: over[name])
    return Refusal(
        "layout/beyond-the-card",
        f"a box of {format_size(rect.size)} reaches"
        f" {format_mm(over[side])} beyond the card's {side} edge",
        f"the card with its bleed is {format_size(limits.size)}",
        details={"edge": side, "over": to_mm(over[side])},
    )


def turn_rect(rect: Rect, at: Rect, turn: Turn) -> Rect:
    """Return a rectangle as turned content sees it: from the corner of `at` that is its origin."""
    x, y = get_corner(at, turn)
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
    """Return a rectangle of turned content as it lies outside."""
    x, y = get_corner(at, turn)
    if turn == 180:
        return Rect(x - rect.right, y - rect.bottom, *rect.size)
    if turn == 90:
        return Rect(x - rect.bottom, y + rect.x, rect.height, rect.width)
    if turn == 270:
        return Rect(x + rect.y, y - rect.right, rect.height, rect.width)
    return rect.moved(x, y)


def get_corner(at: Rect, turn: Turn) -> tuple[float, float]:
    """Return the corner of a box that is the top left one of its turned content."""
    return (
        at.right if turn in (90, 180) else at.x,
        at.bottom if turn in (180, 270) else at.y,
    )
