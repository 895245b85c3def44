"""The parts of a document as they are read aloud: headings with their levels, lists, paragraphs.

Knows nothing of how they are set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardgen.layout.face import Element, Heading
from cardgen.layout.flow.parts import Part, TextPart

_HEADINGS: tuple[Heading, ...] = ("H1", "H2", "H3", "H4")


class Said(NamedTuple):
    """The elements that a text and the sign before it belong to."""

    body: Element | None = None
    label: Element | None = None


def list_said(parts: Sequence[Part], above: int) -> list[Said]:
    """Return what each part is said as; tables say so themselves.

    above: how many levels of headings stand over the document
    """
    reader = _Reader(above)
    return [reader.read(part) for part in parts]


class _Reader:
    def __init__(self, above: int) -> None:
        self._above = above
        self._level = above
        self._lists: list[
            tuple[Element, Element]
        ] = []  # each with its item's body, outermost first

    def read(self, part: Part) -> Said:
        if not isinstance(part, TextPart):
            self._lists.clear()
            return Said()
        if part.level:
            self._lists.clear()
            return Said(Element(self._choose_heading(part.level)))
        if part.sign is None:
            del self._lists[part.depth :]
            return Said(Element("P", self._lists[-1][1] if self._lists else None))
        return self._begin_item(part.depth)

    def _choose_heading(self, level: int) -> Heading:
        """Return the role of a heading; no level is left out on the way down."""
        self._level = min(level + self._above, self._level + 1, len(_HEADINGS))
        return _HEADINGS[self._level - 1]

    def _begin_item(self, depth: int) -> Said:
        del self._lists[depth:]
        if len(self._lists) == depth:
            whole, _ = self._lists.pop()
        else:
            whole = Element("L", self._lists[-1][1] if self._lists else None)
        item = Element("LI", whole)
        label, body = Element("Lbl", item), Element("LBody", item)
        self._lists.append((whole, body))
        return Said(body, label)
