"""The data that an import hands on from stage to stage.

Readers give blocks: lines as they were printed, with their places; nothing is judged yet. The
recogniser makes candidates for cards of them, with reasons and doubts. Texts are styled: each
letter knows whether it is bold or italic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple

from cardgen.core.errors import shorten
from cardgen.core.shown import show_line
from cardgen.deck.model import Value

BOLD = 1
ITALIC = 2
_SIGNS = {"0": "", "1": "**", "2": "*", "3": "***"}
_RUN = re.compile("0+|1+|2+|3+")
_ESCAPED = ("\\", "*", "_", ":")
_LITERAL = re.compile(r"[\\*]|(?<!\w)_|_(?!\w)|(?<!\w):(?=[a-z][a-z0-9-]*:(?!\w))")

# Signs that nobody sees and hardly a font has: of the direction, of joining, fillers, tags.
_UNSEEN = (0x34F, 0x61C, 0x115F, 0x1160, *range(0x180B, 0x180F), 0x200E, 0x200F, 0x3164, 0xFEFF)
_UNSEEN += (*range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFFA0, *range(0xE0000, 0xE0080))
UNSEEN = dict[int, str | int | None].fromkeys(_UNSEEN)
# Letters that a typesetter cast in one.
LIGATURES = UNSEEN | str.maketrans(
    {
        "ﬀ": "ff",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
        "ﬅ": "st",
        "ﬆ": "st",
        "✕": "×",
        "✖": "×",
    }
)


class Styled(NamedTuple):
    text: str
    marks: str  # a digit for each letter: BOLD and ITALIC added up

    @classmethod
    def of(cls, text: str, face: int = 0) -> Styled:
        return cls(text, str(face) * len(text))

    def cut(self, start: int, end: int | None = None) -> Styled:
        return Styled(self.text[start:end], self.marks[start:end])

    def strip(self, signs: str | None = None) -> Styled:
        bare = self.text.lstrip(signs)
        start = len(self.text) - len(bare)
        bare = bare.rstrip(signs)
        return Styled(bare, self.marks[start : start + len(bare)])

    def join(self, other: Styled, between: str = "") -> Styled:
        """Return both texts as one; what stands between takes the face that both share there."""
        before, after = self.marks[-1:] or "0", other.marks[:1] or "0"
        face = before if before == after else "0"
        return Styled(
            self.text + between + other.text, self.marks + face * len(between) + other.marks
        )

    @property
    def face(self) -> int:
        """Return the face that all letters have, bold in bold and slanted ones, too; blanks and
        stops do not count.
        """
        found = -1 if self.marks.strip("0") else 0
        for run in _RUN.finditer(self.marks):
            if found and any(map(str.isalnum, self.text[run.start() : run.end()])):
                found &= int(run[0][0])
        return max(found, 0)

    def without(self, face: int) -> Styled:
        return Styled(self.text, "".join(str(int(mark) & ~face) for mark in self.marks))

    def find_lead(self) -> int:
        """Return where the bold or slanted words end that the text begins with, else 0."""
        if not self.marks or self.marks[0] == "0":
            return 0
        plain = self.marks.find("0")
        end = plain if plain > 0 else len(self.marks)
        return end if any(map(str.isalnum, self.text[:end])) else 0

    def to_markdown(self) -> str:
        """Return the text with its emphasis as signs; what would be read as a sign is escaped."""
        parts = []
        for run in _RUN.finditer(self.marks):
            part = self.text[run.start() : run.end()]
            if any(sign in part for sign in _ESCAPED):
                part = _LITERAL.sub(r"\\\g<0>", part)
            bare = part.strip()
            sign = _SIGNS[run[0][0]] if bare else ""
            start = len(part) - len(part.lstrip())
            parts.append(f"{part[:start]}{sign}{bare}{sign}{part[start + len(bare) :]}")
        return "".join(parts)


HEADER = "header"  # the mark of a row that a line drawn across sets off from those below it
TERM = "term"  # the mark of a term with what is said of it, in a list of such
FRONT_MATTER = "front matter"  # the mark of what a Markdown text says of itself
CONTENTS = "contents"  # the mark of a line that is a link to a place of its own text
CODE = "code"  # a line that a program reads, as between fences
COUNTED = "a row of a table that counts copies"  # the reason that no text around it outweighs
NOTE = "note"  # the mark of a heading that is the name of a file with one card
Kind = Literal["line", "heading", "item", "row", "rule", "page", "stat"]


class Place(NamedTuple):
    file: str
    line: int
    page: int | None = None

    @property
    def order(self) -> tuple[str, int, int]:
        """Return the key that places are sorted by: lines count anew on each page."""
        return self.file, self.page or 0, self.line

    def __str__(self) -> str:
        page = f" (page {self.page})" if self.page is not None else ""
        return f"{show_line(self.file)}:{self.line}{page}"


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
    mark: str = ""  # the sign before an item, which may be a minus after all; a line drawn across

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


MOST_NAMED = 3
_DOUBTFUL = 0.8
_LITTLE = 0.5


class Doubt(NamedTuple):
    """A thing that may be wrong with a card, or with the deck as a whole.

    kind, about: tell it from other doubts of the same, however it is worded
    details: the names and figures in it, for who says it in words of another language
    """

    kind: str
    what: str
    sure: float
    about: str = ""
    details: tuple[tuple[str, object], ...] = ()

    @property
    def key(self) -> str:
        return f"{self.kind}: {self.about}" if self.about else self.kind


class Answer(NamedTuple):
    """An answer that somebody gave to a doubt, which is none any more."""

    doubt: Doubt
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
    other: tuple[tuple[str, Value], ...] = ()  # further fields
    labels: Mapping[str, str] = field(default_factory=dict, compare=False)  # as the source has them
    doubts: tuple[Doubt, ...] = ()
    reasons: tuple[str, ...] = ()
    again: tuple[tuple[SourceLine, ...], ...] = ()  # the lines that print it again
    answers: tuple[Answer, ...] = ()
    found: float = 1.0  # the measured share of right cards among those found as it was
    printed: str = ""  # how its name is printed: the same for names printed alike

    @property
    def sure(self) -> float:
        sure = self.found
        for doubt in self.doubts:
            sure *= doubt.sure
        return sure

    @property
    def is_doubtful(self) -> bool:
        """Whether it is one to look at: its doubts weigh, or it lacks what the others have."""
        return self.sure < _DOUBTFUL * self.found or self.found < _LITTLE

    @property
    def text(self) -> str:
        return "\n\n".join(paragraph.to_markdown() for paragraph in self.paragraphs)

    def count_words(self) -> int:
        """Return how many words its text has; without a text, those of its further fields."""
        text = self.text or " ".join(str(value) for _, value in self.other)
        return len(text.split())

    @property
    def place(self) -> Place:
        return self.lines[0].place


class Guess(NamedTuple):
    """What may be the beginnings of cards.

    what: how they are printed, as "headings of level 3"
    names: the first of them
    """

    what: str
    found: int
    names: tuple[str, ...]

    def __str__(self) -> str:
        named = ", ".join(f'"{shorten(name, 40)}"' for name in self.names[:MOST_NAMED])
        return f"{self.found:,} {self.what} ({named})"


class Recognised(NamedTuple):
    """What one source gave.

    deck_doubts: of all its cards together
    explained: how many of its lines are in cards, or left out for a reason that is known
    guesses: how else its cards may begin, the best first
    lacking: names that were pointed at and are not found, each with the nearest that is there
    """

    cards: tuple[Candidate, ...]
    left_out: tuple[LeftOut, ...]
    deck_doubts: tuple[Doubt, ...] = ()
    explained: int = 0
    lines: int = 0
    guesses: tuple[Guess, ...] = ()
    lacking: Mapping[str, str] = MappingProxyType({})


class Pointed(NamedTuple):
    """Names that somebody sees in a document, and what looks like a name and is none.

    out: lines that are to be left out
    """

    names: tuple[str, ...] = ()
    nots: tuple[str, ...] = ()
    out: frozenset[SourceLine] = frozenset()


NOT_POINTED = Pointed()
