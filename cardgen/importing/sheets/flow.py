"""Which line goes on in the next: wrapped by the page, not ended by the author.

Knows nothing of what lines hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from cardgen.importing.sheets.lines import SheetLine
from cardgen.importing.sheets.rules import ENDED, GOES_ON, RUN_IN

_WIDTH = 80
_OUTLIER = 1.6
_LEAST_PROSE = 25
_HYPHENS = ("-", "‐", "\u00ad", "¬")


def runs_on(above: SheetLine, line: SheetLine) -> bool:
    """Whether a line cannot but go on in the next: it ends with "and", a comma or a hyphen."""
    if line.gap or line.kind != "line" or above.kind == "rule" or above.listed:
        return False
    text = above.text.rstrip()
    if text.endswith(_HYPHENS) and text[-2:-1].isalpha() and line.text[:1].islower():
        return True
    return bool(GOES_ON.search(text)) and len(text) >= _LEAST_PROSE


def goes_on_below(above: SheetLine, line: SheetLine) -> bool:
    """Whether a line that begins small goes on with what stands above it."""
    if line.gap or line.kind != "line" or line.listed:
        return False
    return line.text[:1].islower() or (line.text[:1] in '("“‘' and not ENDED.search(above.text))


def goes_on_apart(above: SheetLine, line: SheetLine, width: int) -> bool:
    """Whether an empty line stands within a sentence, as where a column beside it has one."""
    if line.gap != 1 or line.kind != "line" or line.cells or above.cells:
        return False
    open_ = not ENDED.search(above.text) and len(above.text) > 0.5 * width
    return open_ and line.text[:1].islower()


def find_width(lines: Sequence[SheetLine]) -> int:
    """How many letters a full line of running text has."""
    lengths = [
        len(line.text)
        for line in lines
        if line.kind in ("line", "item") and not line.cells and len(line.text) >= _LEAST_PROSE
    ]
    # A paragraph that is one long line says nothing of how wide the others are.
    usual = _OUTLIER * median(lengths) if lengths else 0
    return max(length for length in lengths if length <= usual) if len(lengths) > 3 else _WIDTH


def is_wrapped(above: SheetLine, line: SheetLine, width: int, *, within: bool = False) -> bool:
    """Whether the page ended the line above: the next word had no room in it.

    `within` a paragraph that went on before, lines of uneven length are no end of it.
    """
    if line.gap or line.kind != "line":
        return False
    if line.text.isalpha() and line.text.istitle():
        return False  # a label by itself: a sentence would end there
    first = line.text.split(None, 1)[0]
    room = width * (0.85 if within else 1)
    full = len(above.text) + 1 + len(first) > room
    if ENDED.search(above.text):
        return full and len(above.text) > 0.7 * width and not _opens_with_label(line.text)
    # Lines that begin alike are a list, though nothing marks it.
    alike = first == above.text.split(None, 1)[0]
    if first[0].isdigit():
        return len(above.text) > 0.7 * width
    return full and len(above.text) > 0.85 * width and not alike


def _opens_with_label(text: str) -> bool:
    """`Draw: both sides fall back` begins a paragraph."""
    found = RUN_IN.match(text)
    return found is not None and ":" in found[0]
