"""Names the parts of a play sheet: headings, paragraphs, items, tables, lines drawn across.

Each knows the lines that it came from, and what is doubtful about it. Knows nothing of Markdown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cardgen.importing.model import Doubt, LeftOut, SourceLine, Styled

Align = Literal["left", "right"]
Row = tuple[Styled, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    content: Styled
    lines: tuple[SourceLine, ...]
    doubts: tuple[Doubt, ...] = ()


class Paragraph(Piece):
    pass


class Rest(Paragraph):
    """A paragraph within the entry of a list above."""


class Line(Piece):
    """A line drawn across."""


@dataclass(frozen=True, slots=True)
class Heading(Piece):
    level: int = 1
    apart: bool = False  # an empty line stands below it


@dataclass(frozen=True, slots=True)
class Item(Piece):
    """A bullet, or with a number an entry of a numbered list."""

    depth: int = 0
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Table(Piece):
    """Rows of equally many cells; the cells of the head may be empty."""

    head: Row = ()
    rows: tuple[Row, ...] = ()
    aligns: tuple[Align, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A heading of the first level and what stands below it; the first may have none."""

    heading: Heading | None
    pieces: tuple[Piece, ...]

    @property
    def all(self) -> tuple[Piece, ...]:
        return (self.heading, *self.pieces) if self.heading else self.pieces


@dataclass(frozen=True, slots=True)
class Sheet:
    title: str
    title_lines: tuple[SourceLine, ...]
    parts: tuple[Part, ...]
    left_out: tuple[LeftOut, ...]
