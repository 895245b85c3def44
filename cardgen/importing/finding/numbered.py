"""Names that a document numbers from first to last: "1. Duty", "2. Fog", "3. The Long Rope".

Knows nothing of facts. Lists within an effect begin anew and are shorter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from cardgen.importing.finding.facts import NONE_TAKEN
from cardgen.importing.finding.names import MOST_LETTERS, MOST_WORDS, Head, find_shape
from cardgen.importing.finding.passages import Passage
from cardgen.importing.model import Styled

_NUMBER = re.compile(r"(?:no\.?\s?|#)?(\d{1,3})(?:[.):]|\s[-–—])\s+(?=\S)", re.IGNORECASE)
_FEWEST = 4


def find_numbered(passages: Sequence[Passage]) -> frozenset[int]:
    """The longest row of names that are numbered one after the other, with text between them."""
    rows: list[list[int]] = []
    last: dict[int, list[int]] = {}  # the row that ends with a number
    for at, passage in enumerate(passages):
        number = _read_number(passage)
        if number is None:
            continue
        row = last.pop(number - 1, None)
        if row is None:
            row = []
            rows.append(row)
        row.append(at)
        last[number] = row
    best = max(rows, key=len, default=[])
    apart = sum(1 for first, second in pairwise(best) if second - first > 1)
    return frozenset(best) if len(best) >= _FEWEST and apart >= len(best) - 2 else frozenset()


def _read_number(passage: Passage) -> int | None:
    match = _NUMBER.match(passage.text)
    if not match or passage.kind not in ("line", "heading", "item"):
        return None
    name = passage.text[match.end() :].strip()
    short = len(name) <= MOST_LETTERS and len(name.split()) <= MOST_WORDS
    return int(match[1]) if short and name[-1] not in ".,;:" else None


def name_numbered(content: Styled) -> Head | None:
    match = _NUMBER.match(content.text)
    if not match:
        return None
    name = content.cut(match.end()).strip().text
    return Head(name, find_shape(name), NONE_TAKEN, Styled.of(""), in_list=True)
