"""What every reader of a source yields: plain blocks, in reading order, with their places.

A block is a line as it was printed, or a paragraph where a source knows no lines. Nothing is judged
yet. Knows nothing of cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from cardgen.importing.styled import Styled

FRONT_MATTER = "front matter"  # the mark of what a Markdown text says of itself
Kind = Literal["line", "heading", "item", "row", "rule", "page", "stat"]


class Place(NamedTuple):
    file: str
    line: int
    page: int | None = None

    @property
    def order(self) -> tuple[str, int, int]:
        """Lines count anew on each page."""
        return self.file, self.page or 0, self.line

    def __str__(self) -> str:
        page = f" (page {self.page})" if self.page is not None else ""
        return f"{self.file}:{self.line}{page}"


class SourceLine(NamedTuple):
    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """A line; "rule" is a line drawn across, "page" a page's end, "stat" a word and its value."""

    content: Styled
    place: Place
    kind: Kind = "line"
    level: int = 0  # of a heading
    gap: int = 0  # the empty lines above it
    indent: int = 0
    size: float = 0.0  # of the type, in points; 0 where it is not known
    cells: tuple[Styled, ...] = ()  # of a row
    stat: tuple[str, str] | None = None
    sources: tuple[SourceLine, ...] | None = None  # the lines that it was made of, if several
    mark: str = ""  # the sign before an item, which may be a minus after all

    @property
    def text(self) -> str:
        return self.content.text

    @property
    def lines(self) -> tuple[SourceLine, ...]:
        return (SourceLine(self.place, self.text),) if self.sources is None else self.sources


class LeftOut(NamedTuple):
    """A text that is no part of a card, and why."""

    text: str
    place: Place
    why: str
