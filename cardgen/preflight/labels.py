"""The names that a file itself gives to its pages and to the places on them.

A page's label names the page, as a card; else the bookmarks do, each with its place. Knows nothing
of faults.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from math import hypot
from typing import Any, NamedTuple

import pikepdf

from cardgen.core.geometry import Box
from cardgen.preflight.document import Document
from cardgen.preflight.objects import (
    BROKEN,
    find_dictionary,
    find_value,
    is_number,
    list_array,
    read_name,
    read_text,
)

_MOST_BOOKMARKS = 100_000


class _Bookmark(NamedTuple):
    title: str
    x: float | None
    y: float | None


@dataclass(slots=True)
class PlaceLabels:
    """Labels of pages and bookmarks of places; the pages count from 1."""

    pages: dict[int, str] = field(default_factory=dict)
    bookmarks: dict[int, list[_Bookmark]] = field(default_factory=dict)

    def find_at(self, page: int, place: Box | None) -> str:
        """Return the label of a page, or of the place on it; empty where there is none."""
        if page in self.pages:
            return self.pages[page]
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


def read_labels(document: Document, pdf: pikepdf.Pdf) -> PlaceLabels:
    """Return the labels of a file, which is opened for them; those that cannot be read are left
    out.
    """
    labels = PlaceLabels()
    with suppress(*BROKEN):
        labels.pages = dict(_list_page_labels(pdf.Root, len(document.pages)))
    # Where each page has a label, nobody asks for bookmarks.
    if len(labels.pages) < len(document.pages):
        try:
            _read_outline(pdf.Root, document, labels)
        except BROKEN:
            labels.bookmarks = {}
    return labels


def _list_page_labels(root: Any, pages: int) -> Iterator[tuple[int, str]]:
    """Yield the labels that say more than a number."""
    tree = find_dictionary(root, "/PageLabels")
    if tree is None:
        return
    starts = sorted((int(start), label) for start, label in pikepdf.NumberTree(tree).items())
    ends = [start for start, _ in starts[1:]] + [pages]
    for (start, label), end in zip(starts, ends, strict=True):
        prefix = read_text(label, "/P").strip()
        if len(prefix) < 3:
            continue
        for page in range(start, min(end, pages)):
            yield page + 1, prefix


def _read_outline(root: Any, document: Document, labels: PlaceLabels) -> None:
    numbers = {page.key: page.number for page in document.pages}
    destinations = _Destinations(root)
    for item in _list_entries(find_dictionary(root, "/Outlines")):
        destination = find_value(item, "/Dest")
        if destination is None:
            action = find_dictionary(item, "/A")
            if read_name(action, "/S") == "GoTo":
                destination = find_value(action, "/D")
        parts = destinations.find(destination)
        if len(parts) < 2 or not isinstance(parts[0], pikepdf.Dictionary):
            continue
        number = numbers.get(parts[0].objgen)
        title = read_text(item, "/Title").strip()
        if number is None or not title:
            continue
        at = [float(v) if is_number(v) else None for v in parts[2:4]]
        if parts[1] != pikepdf.Name.XYZ or len(at) < 2:
            at = [None, None]
        labels.bookmarks.setdefault(number, []).append(_Bookmark(title, at[0], at[1]))


def _list_entries(top: Any) -> Iterator[Any]:
    seen: set[object] = set()
    ahead = [find_dictionary(top, "/First")]
    while ahead and len(seen) < _MOST_BOOKMARKS:
        item = ahead.pop()
        if item is None or item.objgen in seen:
            continue
        seen.add(item.objgen)
        yield item
        ahead += [find_dictionary(item, "/Next"), find_dictionary(item, "/First")]


class _Destinations:
    """Destinations by name, looked up in the catalogue's tree."""

    def __init__(self, root: Any) -> None:
        self._old = find_dictionary(root, "/Dests")
        tree = find_dictionary(find_dictionary(root, "/Names"), "/Dests")
        self._tree = pikepdf.NameTree(tree) if isinstance(tree, pikepdf.Dictionary) else None

    def find(self, value: Any) -> list[Any]:
        if isinstance(value, pikepdf.String) and self._tree is not None:
            value = self._tree.get(str(value))
        elif isinstance(value, pikepdf.Name):
            value = find_value(self._old, str(value))
        if isinstance(value, pikepdf.Dictionary):
            value = find_value(value, "/D")
        return list_array(value) if isinstance(value, pikepdf.Array) else []
