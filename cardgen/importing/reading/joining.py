"""Lines of text as pieces: signs made plain, cells parted.

Knows nothing of what texts mean.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from cardgen.importing.model import Styled

_LEADERS = re.compile(
    r"(?:(?<!\s)\s+)?(?:\.{3,}|(?:\s\.){2,}|…(?:\s?…)*|_{3,}|·{3,}|(?:\s·){3,})\s*"
)
_WIDE = re.compile(r"(?<! ) *\t[\t ]*| {2,}| \| ")
_GAP = re.compile(r"\s{80,}")
_WIDEST = 80  # what is wider tells nothing more, and takes time
_NARROW = ("  ", "   ")
_ENDS = re.compile(r"[.!?:;…][\"'”’»)\]*]*$")
_HYPHENS = ("-", "\u00ad", "¬")


def set_plain(content: Styled) -> Styled:
    """Return a text with plain hyphens and blanks in place of those that fonts lack."""
    signs = [_set_sign(sign) for sign in content.text]
    for gap in _GAP.finditer(content.text):
        signs[gap.start() + _WIDEST : gap.end()] = [""] * (gap.end() - gap.start() - _WIDEST)
    marks = (mark for sign, mark in zip(signs, content.marks, strict=True) if sign)
    return Styled("".join(signs), "".join(marks))


def _set_sign(sign: str) -> str:
    kind = "" if sign in "\t\u00ad" or sign < "\u0080" else unicodedata.category(sign)
    if kind in ("Zs", "Zl", "Zp"):
        return " "
    if kind == "Pd":
        return sign if sign in "–—" else "-"
    return "" if kind in ("Cf", "Cc") else sign


def has_ended(text: str) -> bool:
    """Whether a sentence or what introduces one ends with a text."""
    return _ENDS.search(text) is not None


def is_torn(text: str) -> bool:
    """Whether a line ends within a word."""
    return text[-1:] in _HYPHENS and text[-2:-1].isalpha()


def cut_at(content: Styled, gaps: Iterable[tuple[int, int]]) -> tuple[Styled, ...]:
    """Return the parts of a text between gaps, without empty ones."""
    at, parts = 0, []
    for start, end in (*gaps, (len(content.text), 0)):
        parts.append(content.cut(at, start).strip())
        at = end
    return tuple(part for part in parts if part.text)


def part_cells(content: Styled) -> tuple[Styled, ...]:
    """Return the cells that dots, tabs or wide blanks part; none where it is running text."""
    text = content.text
    leaders = [m.span() for m in _LEADERS.finditer(text) if m.start() > 0 and m.end() < len(text)]
    if leaders:
        return cut_at(content, leaders)
    gaps = [
        m for m in _WIDE.finditer(text) if m[0] not in _NARROW or not has_ended(text[: m.start()])
    ]
    cells = cut_at(content, [m.span() for m in gaps])
    small = sum(1 for cell in cells[1:] if cell.text[:1].islower())
    justified = len(gaps) > 2 and all(m[0] in _NARROW for m in gaps) and small * 2 >= len(cells) - 1
    return () if len(cells) < 2 or justified else cells
