"""Where a placed element lies in its parent, as its template says. Pure arithmetic on
rectangles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cardgen.core.geometry import Insets, Rect
from cardgen.core.units import Length, format_mm, format_size
from cardgen.layout.art.outlines import make_rule, make_upright
from cardgen.layout.face import Outline
from cardgen.template.model import LineSpec, Place

# What rounding may leave over without anybody seeing it.
TOLERANCE = 0.02


def resolve_place(place: Place, parent: Rect) -> Rect:
    """The rectangle of an element: what is not said reaches to the parent's edge."""
    x, width = resolve_axis(place.x, place.right, place.width, parent.x, parent.width)
    y, height = resolve_axis(place.y, place.bottom, place.height, parent.y, parent.height)
    return Rect(x, y, width, height)


def give_thickness(place: Place, spec: LineSpec) -> Place:
    """A line's place; where one edge is said, it takes no more room than it is thick."""
    across = spec.width
    if spec.down and place.width is None and (place.x is None) != (place.right is None):
        return replace(place, width=Length(across))
    if not spec.down and place.height is None and (place.y is None) != (place.bottom is None):
        return replace(place, height=Length(across))
    return place


def extend_to_bleed(rect: Rect, trim: Rect, bleed: Insets) -> Rect:
    """The rectangle, with every side that lies on the trim moved out to the bleed's edge."""
    return rect.outset(
        Insets(
            bleed.left if abs(rect.x - trim.x) < TOLERANCE else 0.0,
            bleed.top if abs(rect.y - trim.y) < TOLERANCE else 0.0,
            bleed.right if abs(rect.right - trim.right) < TOLERANCE else 0.0,
            bleed.bottom if abs(rect.bottom - trim.bottom) < TOLERANCE else 0.0,
        )
    )


def find_inversion(rect: Rect) -> str | None:
    """What is wrong with a rectangle that is turned inside out."""
    if rect.width >= -TOLERANCE and rect.height >= -TOLERANCE:
        return None
    side = "width" if rect.width < -TOLERANCE else "height"
    missing = format_mm(-min(rect.width, rect.height))
    return f"a box has no {side} left: {missing} are missing"


def find_overreach(rect: Rect, limits: Rect) -> tuple[str, str] | None:
    """What is wrong with a rectangle that leaves the card, and a hint."""
    if limits.contains(rect, TOLERANCE):
        return None
    over = {
        "left": limits.x - rect.x,
        "top": limits.y - rect.y,
        "right": rect.right - limits.right,
        "bottom": rect.bottom - limits.bottom,
    }
    side = max(over, key=lambda name: over[name])
    return (
        f"a box of {format_size(rect.size)} reaches"
        f" {format_mm(over[side])} beyond the card's {side} edge",
        f"the card with its bleed is {format_size(limits.size)}",
    )


def draw_line(spec: LineSpec, rect: Rect) -> Outline:
    """A rule through the middle of its rectangle."""
    if spec.down:
        x = rect.x + rect.width / 2
        return make_upright(x, rect.y, rect.height, spec.colour, spec.width, spec.dash)
    y = rect.y + rect.height / 2
    return make_rule(rect.x, y, rect.width, spec.colour, spec.width, spec.dash)


def resolve_axis(
    start: Length | None, end: Length | None, extent: Length | None, origin: float, room: float
) -> tuple[float, float]:
    """Beginning and length on one axis, from the two or fewer of three that are said."""
    if extent is not None:
        length = extent.of(room)
        if start is None and end is not None:
            return origin + room - end.of(room) - length, length
        return origin + (start.of(room) if start is not None else 0.0), length
    begin = start.of(room) if start is not None else 0.0
    finish = room - (end.of(room) if end is not None else 0.0)
    return origin + begin, finish - begin


TOLERANCE_SHARE = 0.02


def share_out(
    room: float, wanted: Sequence[float], grows: Sequence[float], softs: Sequence[bool]
) -> list[float] | None:
    """The length of each neighbour; None if they need more than the room.

    What is left over goes to those that grow. Where too little is left, the soft ones give way: the
    longest first, until all soft ones are equally long.
    """
    total = sum(wanted)
    if total > room + TOLERANCE_SHARE:
        soft = [length for length, is_soft in zip(wanted, softs, strict=True) if is_soft]
        limit = find_limit(soft, room - (total - sum(soft)))
        if limit is None:
            return None
        wanted = [
            min(length, limit) if is_soft else length
            for length, is_soft in zip(wanted, softs, strict=True)
        ]
        total = sum(wanted)
    growing = sum(grows)
    if not growing:
        return list(wanted)
    spare = max(room - total, 0.0)
    return [length + spare * grow / growing for length, grow in zip(wanted, grows, strict=True)]


def find_limit(lengths: Sequence[float], room: float) -> float | None:
    """The limit to which the longest must be cut so that all fit the room; None if nothing is
    left.
    """
    if not lengths or room <= 0:
        return None
    left, rest = room, len(lengths)
    for length in sorted(lengths):
        if length * rest > left:
            return left / rest
        left -= length
        rest -= 1
    return max(lengths)


# MERGED: A length shared out among neighbours: what each wants, what grows, what may give way. Pure
#   arithmetic.
#
