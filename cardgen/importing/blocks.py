"""What every reader of a source yields: plain blocks, in reading order, with their places.

A block is a line as it was printed, or a paragraph where a source knows no lines. Nothing is judged
yet. Knows nothing of cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from cardgen.importing.styled import Styled

Kind = Literal["line", "heading", "item", "row", "rule", "page"]


class Place(NamedTuple):
    file: str
    line: int
    page: int | None = None

    def __str__(self) -> str:
        page = f" (page {self.page})" if self.page is not None else ""
        return f"{self.file}:{self.line}{page}"


@dataclass(frozen=True, slots=True)
class Block:
    """A line; "rule" is a line drawn across, "page" the end of a page."""

    content: Styled
    place: Place
    kind: Kind = "line"
    level: int = 0  # of a heading
    gap: int = 0  # the empty lines above it
    indent: int = 0
    size: float = 0.0  # of the type, in points; 0 where it is not known
    cells: tuple[Styled, ...] = ()  # of a row

    @property
    def text(self) -> str:
        return self.content.text


class LeftOut(NamedTuple):
    """A text that is no part of a card, and why."""

    text: str
    place: Place
    why: str
