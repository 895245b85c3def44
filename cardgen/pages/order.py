"""Turns so many copies and what their backs are into pages to be made, in the order of a target.

Must not know sizes or where a place lies on its sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cardgen.pages.target import Side, Target


def share_out(count: int, capacity: int, skip: int) -> Iterator[tuple[int, range]]:
    """For each sheet the copy that its first place would hold, and the places that are used."""
    for first in range(0, count + skip, capacity):
        yield first - skip, range(max(skip - first, 0), min(capacity, count + skip - first))


class Planned(NamedTuple):
    """A page to be made: of which sheet, the copy that its first place would hold, and the places
    that are used.
    """

    side: Side
    number: int
    first: int
    places: Sequence[int]


def plan_pages(
    sheets: Iterable[tuple[int, range]],
    wanted: tuple[bool, bool],
    backs: Sequence[object] | bool,
    target: Target,
    *,
    in_step: bool = False,
) -> Iterator[Planned]:
    """Which pages there are, in the order of the target.

    in_step: whether each sheet has a back page, be it blank, for a stack that is turned by hand
    """
    on_front, on_back = wanted
    seen: set[tuple[object, ...]] = set()
    behind: list[Planned] = []
    for number, (first, used) in enumerate(sheets, start=1):
        pages = [Planned("front", number, first, used)] if on_front else []
        places = _list_backs(backs, first, used) if on_back else []
        if places and target.backs == "once" and not in_step:
            look = tuple(
                (place, isinstance(backs, bool) or backs[first + place]) for place in places
            )
            places = [] if look in seen else places
            seen.add(look)
        if places or (on_back and in_step):
            back = Planned("back", number, first, places)
            if target.order == "fronts-backs":
                behind.append(back)
            else:
                pages.insert(0 if target.order == "back-front" else len(pages), back)
        yield from pages
    yield from behind


def _list_backs(backs: Sequence[object] | bool, first: int, used: range) -> Sequence[int]:
    """The places on a sheet, of its used ones, whose cards have a back."""
    if isinstance(backs, bool):
        return used if backs else range(0)
    return [place for place in used if backs[first + place] not in (None, False)]
