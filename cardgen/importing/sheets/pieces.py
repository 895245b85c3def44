"""Names the parts of a play sheet: headings, paragraphs, items, tables.

The recogniser makes them, the writer reads them. Each knows the lines that it came from, and what
is doubtful about it. Knows nothing of Markdown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cardgen.importing.model import Doubt, LeftOut, Place, SourceLine, Styled

Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Heading:
    content: Styled
    level: int
    lines: tuple[SourceLine, ...]
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    content: Styled
    lines: tuple[SourceLine, ...]
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """A bullet, or with a number an entry of a numbered list."""

    content: Styled
    lines: tuple[SourceLine, ...]
    depth: int = 0
    number: int | None = None
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of equally many cells; the head may be empty."""

    head: tuple[Styled, ...]
    rows: tuple[tuple[Styled, ...], ...]
    aligns: tuple[Align, ...]
    lines: tuple[SourceLine, ...]
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A line drawn across."""

    lines: tuple[SourceLine, ...]
    doubts: tuple[Doubt, ...] = ()


Piece = Heading | Paragraph | Item | Table | Line


@dataclass(frozen=True, slots=True)
class Part:
    """A heading of the first level and what stands below it; the first may have none."""

    heading: Heading | None
    pieces: tuple[Piece, ...]

    @property
    def lines(self) -> tuple[SourceLine, ...]:
        own = self.heading.lines if self.heading else ()
        return tuple(dict.fromkeys([*own, *(line for p in self.pieces for line in p.lines)]))

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        own = self.heading.doubts if self.heading else ()
        return (*own, *(doubt for piece in self.pieces for doubt in piece.doubts))


@dataclass(frozen=True, slots=True)
class Sheet:
    title: str
    title_lines: tuple[SourceLine, ...]
    parts: tuple[Part, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def start(self) -> Place | None:
        lines = self.title_lines or (self.parts[0].lines if self.parts else ())
        return lines[0].place if lines else None
