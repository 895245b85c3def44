"""What the recogniser makes of blocks: candidates for cards, with reasons and doubts.

Knows nothing of decks or how sources are read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from cardgen.deck.model import Value
from cardgen.importing.blocks import LeftOut, Place, SourceLine
from cardgen.importing.styled import Styled

DOUBTFUL = 0.8
"""Below this a card is one to look at."""


class Doubt(NamedTuple):
    what: str
    sure: float


class Answer(NamedTuple):
    """What somebody said of a doubt, which is none any more."""

    doubt: str
    said: str


@dataclass(frozen=True, slots=True)
class Rank:
    """One of several prices of an item."""

    name: str
    cost: int | None
    who: str | None


@dataclass(frozen=True, slots=True)
class Candidate:
    name: str
    lines: tuple[SourceLine, ...]
    count: int = 1
    cost: int | None = None
    who: str | None = None
    uses: str | None = None
    kind: str | None = None
    rank: str | None = None
    ranks: tuple[Rank, ...] = ()
    paragraphs: tuple[Styled, ...] = ()
    other: tuple[tuple[str, Value], ...] = ()  # further fields, as a table names them
    doubts: tuple[Doubt, ...] = ()
    reasons: tuple[str, ...] = ()
    again: tuple[tuple[SourceLine, ...], ...] = ()  # the lines that print it again
    answers: tuple[Answer, ...] = ()

    @property
    def sure(self) -> float:
        sure = 1.0
        for doubt in self.doubts:
            sure *= doubt.sure
        return sure

    @property
    def text(self) -> str:
        return "\n\n".join(paragraph.to_markdown() for paragraph in self.paragraphs)

    @property
    def place(self) -> Place:
        return self.lines[0].place


class Recognised(NamedTuple):
    cards: tuple[Candidate, ...]
    left_out: tuple[LeftOut, ...]
