"""The names of the cards on each page, as the file itself tells them.

A page's label says it where a page is a card; else the outline's entries do, each with its place.
Knows nothing of faults.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot
from typing import Any, NamedTuple

import pikepdf

from cardgen.preflight.objects import (
    BROKEN,
    Source,
    get,
    get_dictionary,
    get_name,
    get_text,
    is_number,
    list_array,
)
from cardgen.preflight.plane import Box

_MOST = 100_000


class _Bookmark(NamedTuple):
    title: str
    x: float | None
    y: float | None


@dataclass(slots=True)
class CardNames:
    """Names by page; the pages count from 1."""

    labels: dict[int, str] = field(default_factory=dict)
    bookmarks: dict[int, list[_Bookmark]] = field(default_factory=dict)

    def find(self, page: int, place: Box | None) -> str:
        """The card on a page, or the one that a place on a sheet belongs to."""
        if page in self.labels:
            return self.labels[page]
        marks = self.bookmarks.get(page, [])
        if len(marks) == 1 or (marks and place is None and len({m.title for m in marks}) == 1):
            return marks[0].title
        if place is None:
            return ""
        x, y = (place.x0 + place.x1) / 2, (place.y0 + place.y1) / 2
        above = [
            (hypot(x - mark.x, y - mark.y), mark.title)
            for mark in marks
            if mark.x is not None and mark.y is not None and mark.x <= x and mark.y >= y
        ]
        return min(above)[1] if above else ""


def read_names(source: Source) -> CardNames:
    names = CardNames()
    try:
        names.labels = dict(_read_labels(source))
    except BROKEN:
        names.labels = {}
    try:
        _read_outline(source, names)
    except BROKEN:
        names.bookmarks = {}
    return names


def _read_labels(source: Source) -> Iterator[tuple[int, str]]:
    """Labels that say more than a number."""
    tree = get_dictionary(source.pdf.Root, "/PageLabels")
    if tree is None:
        return
    starts = sorted((int(start), label) for start, label in pikepdf.NumberTree(tree).items())
    ends = [start for start, _ in starts[1:]] + [len(source.pages)]
    for (start, label), end in zip(starts, ends, strict=True):
        prefix = get_text(label, "/P").strip()
        if len(prefix) < 3:
            continue
        for page in range(start, min(end, len(source.pages))):
            yield page + 1, prefix


def _read_outline(source: Source, names: CardNames) -> None:
    numbers = {page.thing.objgen: page.number for page in source.pages}
    destinations = _Destinations(source.pdf.Root)
    for item in _walk(get_dictionary(source.pdf.Root, "/Outlines")):
        destination = get(item, "/Dest")
        if destination is None:
            action = get_dictionary(item, "/A")
            if get_name(action, "/S") == "GoTo":
                destination = get(action, "/D")
        parts = destinations.find(destination)
        if len(parts) < 2 or not isinstance(parts[0], pikepdf.Dictionary):
            continue
        number = numbers.get(parts[0].objgen)
        title = get_text(item, "/Title").strip()
        if number is None or not title:
            continue
        at = [float(v) if is_number(v) else None for v in parts[2:4]]
        if parts[1] != pikepdf.Name.XYZ or len(at) < 2:
            at = [None, None]
        names.bookmarks.setdefault(number, []).append(_Bookmark(title, at[0], at[1]))


def _walk(top: Any) -> Iterator[Any]:
    seen: set[object] = set()
    ahead = [get_dictionary(top, "/First")]
    while ahead and len(seen) < _MOST:
        item = ahead.pop()
        if item is None or item.objgen in seen:
            continue
        seen.add(item.objgen)
        yield item
        ahead += [get_dictionary(item, "/Next"), get_dictionary(item, "/First")]


class _Destinations:
    """Destinations by name, looked up in the catalogue's tree."""

    def __init__(self, root: Any) -> None:
        self._old = get_dictionary(root, "/Dests")
        tree = get_dictionary(get_dictionary(root, "/Names"), "/Dests")
        self._tree = pikepdf.NameTree(tree) if isinstance(tree, pikepdf.Dictionary) else None

    def find(self, value: Any) -> list[Any]:
        if isinstance(value, pikepdf.String) and self._tree is not None:
            value = self._tree.get(str(value))
        elif isinstance(value, pikepdf.Name):
            value = get(self._old, str(value))
        if isinstance(value, pikepdf.Dictionary):
            value = get(value, "/D")
        return list_array(value) if isinstance(value, pikepdf.Array) else []
