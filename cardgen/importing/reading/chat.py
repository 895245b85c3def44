"""Cuts off when something was said in a chat, and by whom, which stands before each line.

Knows nothing of cards and of blocks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cardgen.importing.reading.columns import TextLine

_SAID = re.compile(
    r"\s*\[?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+)?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?"
    r"\]?\s*(?:[-–]\s*)?(?:<(?P<nick>[^<>]{1,24})>\s|(?P<name>[^\W\d_][^:<>]{0,24}):\s|(?=\*))"
)
_FEWEST = 3
_MOST = 0.6
_EACH = 2  # lines that somebody says, at the least


def cut_stamps(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return lines without "[21:05] <Kell> ", where most begin so and a few people say all."""
    found = [_SAID.match(line.text) for line in lines]
    said = [match["nick"] or match["name"] for match in found if match and match.lastgroup]
    filled = sum(1 for line in lines if line.text.strip())
    if len(said) < max(_FEWEST, _MOST * filled, _EACH * len({*said})):
        return list(lines)
    return [
        line._replace(text=line.text[match.end() :]) if match else line
        for line, match in zip(lines, found, strict=True)
    ]
