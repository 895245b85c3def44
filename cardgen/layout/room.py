"""Room shared out: where a placed element lies in its parent, and how neighbours share a length.

Pure arithmetic on rectangles and lengths.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardgen.core.geometry import Rect, make_tuple
from cardgen.core.units import MM, Length
from cardgen.template.model import LineSpec, Place

# A length that rounding may leave over and nobody sees, in points.
TOLERANCE = 0.02
# A text that is set in exactly its own width must not break for a rounding error.
SPARE = 0.01


def to_mm(points: float) -> float:
    """Return a length as the details of a problem hold it."""
    return round(points / MM, 3)


def resolve_place(place: Place, parent: Rect) -> Rect:
    """Return the rectangle of an element: what is not said reaches to the parent's edge."""
    x, width = resolve_axis(place.x, place.right, place.width, parent.x, parent.width)
    y, height = resolve_axis(place.y, place.bottom, place.height, parent.y, parent.height)
    bounds = place.bounds
    if bounds is not None:
        wide = bounds.fit_width(width, parent.width)
        high = bounds.fit_height(height, parent.height)
        # What is said from the far edge alone stays there.
        x += width - wide if place.x is None and place.right is not None else 0.0
        y += height - high if place.y is None and place.bottom is not None else 0.0
        width, height = wide, high
    return make_tuple(Rect, (x, y, width, height))


def resolve_axis(
    start: Length | None, end: Length | None, extent: Length | None, origin: float, room: float
) -> tuple[float, float]:
    """Return beginning and length on one axis, from the two or fewer of three that are said."""
    if extent is not None:
        length = extent.of(room)
        if start is None and end is not None:
            return origin + room - end.of(room) - length, length
        return origin + (start.of(room) if start is not None else 0.0), length
    begin = start.of(room) if start is not None else 0.0
    finish = room - (end.of(room) if end is not None else 0.0)
    return origin + begin, finish - begin


def give_thickness(place: Place, spec: LineSpec) -> Place:
    """Return a line's place; where only one edge is said, it is as broad as the line is thick."""
    across = spec.width
    if spec.down and place.width is None and (place.x is None) != (place.right is None):
        return place._replace(width=Length(across))
    if not spec.down and place.height is None and (place.y is None) != (place.bottom is None):
        return place._replace(height=Length(across))
    return place


Fitting = Callable[[float], float]


def share_out_within(
    room: float,
    wanted: Sequence[float],
    grows: Sequence[float],
    softs: Sequence[bool],
    fittings: Sequence[Fitting | None],
) -> list[float] | None:
    """Share out as share_out does, where some of those that grow may do so only within bounds."""
    wanted, grows = list(wanted), list(grows)
    while True:
        lengths = share_out(room, wanted, grows, softs)
        if lengths is None:
            return None
        moved = {
            place: fit(length) - length
            for place, (length, grow, fit) in enumerate(zip(lengths, grows, fittings, strict=True))
            if grow and fit is not None and abs(fit(length) - length) > TOLERANCE
        }
        if not moved:
            return lengths
        # What is too small takes from the others before what is too large gives to them.
        more = sum(moved.values()) > 0
        for place, change in moved.items():
            if (change > 0) == more:
                wanted[place], grows[place] = lengths[place] + change, 0.0


def share_out(
    room: float, wanted: Sequence[float], grows: Sequence[float], softs: Sequence[bool]
) -> list[float] | None:
    """Return the length of each neighbour; None if they need more than the room.

    What is left over goes to those that grow. Where there is too little, the soft ones give way:
    the longest first, until all soft ones are equally long.
    """
    total = sum(wanted)
    if total > room + TOLERANCE:
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
    """Return the length to which the longest must be cut so that all fit; None if nothing fits."""
    if not lengths or room <= 0:
        return None
    left, rest = room, len(lengths)
    for length in sorted(lengths):
        if length * rest > left:
            return left / rest
        left -= length
        rest -= 1
    return max(lengths)
