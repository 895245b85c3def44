"""A text of which every letter knows whether it is bold or italic; cut and joined like a string.

Becomes Markdown in the end. Knows nothing of where it was printed.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import NamedTuple

BOLD = 1
ITALIC = 2
_SIGNS = {"0": "", "1": "**", "2": "*", "3": "***"}
_LITERAL = re.compile(r"[\\*]|(?<!\w)_|_(?!\w)|(?<!\w):(?=[a-z][a-z0-9-]*:(?!\w))")

# Letters that a typesetter cast in one.
LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
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
        start = len(self.text) - len(self.text.lstrip(signs))
        return self.cut(start, max(start, len(self.text.rstrip(signs))))

    def join(self, other: Styled, between: str = "") -> Styled:
        """Both texts; what stands between takes the face that both share there."""
        before, after = self.marks[-1:] or "0", other.marks[:1] or "0"
        face = before if before == after else "0"
        return Styled(
            self.text + between + other.text, self.marks + face * len(between) + other.marks
        )

    @property
    def face(self) -> int:
        """The face that all its letters have; blanks and stops do not count."""
        faces = {
            int(mark) for sign, mark in zip(self.text, self.marks, strict=True) if sign.isalnum()
        }
        return min(faces) if len(faces) == 1 else 0

    def count_face(self, face: int) -> int:
        """How many letters have it."""
        return sum(1 for mark in self.marks if int(mark) & face)

    def without(self, face: int) -> Styled:
        return Styled(self.text, "".join(str(int(mark) & ~face) for mark in self.marks))

    def find_lead(self) -> int:
        """Where the bold (or slanted) words end that the text begins with; 0 if it has none."""
        if not self.marks or self.marks[0] == "0":
            return 0
        end = next((i for i, mark in enumerate(self.marks) if mark == "0"), len(self.marks))
        return end if any(sign.isalnum() for sign in self.text[:end]) else 0

    def to_markdown(self) -> str:
        """The text with its emphasis as signs; what would be read as a sign is escaped."""
        parts = []
        position = 0
        for mark, group in groupby(self.marks):
            length = len(list(group))
            part = _LITERAL.sub(r"\\\g<0>", self.text[position : position + length])
            position += length
            bare = part.strip()
            sign = _SIGNS[mark] if bare else ""
            start = len(part) - len(part.lstrip())
            parts.append(f"{part[:start]}{sign}{bare}{sign}{part[start + len(bare) :]}")
        return "".join(parts)
