"""Lists whose names no capital sets off, as people type them: half of what begins in such a text is
lines of one form, or a few words alone above a text.

Says where names may end there. Knows nothing of records.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from operator import and_
from statistics import median

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.finding.names import Ending
from cardgen.importing.model import Block
from cardgen.importing.reading.joining import has_ended

_OFTEN = 3
_NEARLY_ALL = 0.8
_HALF = 0.5
_MORE_WORDS = 6
_WIDE = 40  # letters of a line that its page makes end
_ENTRY = re.compile(  # "eel lamp - burns …", "4x turnip .... 1 bit", "oil rag, 2 copper, wipes …"
    r"(?:\d{1,2}\s?[x×]\s)?(?:[\"“„]?(?P<small>[a-zß-öø-ÿ])|[^\W_\d])[^:.!?;]{1,40}?"
    r"(?:(?:\([^()]*\)|, [^:.!?;]{1,20})?(?::|\s[–—-]{1,2}|\s\.{3,})\s+\S"
    r"|(?P<priced>, \d+ [^\W\d_]+, )|\s\([^()]*\d[^()]*\)$)"
)


def list_small_names(blocks: Sequence[Block]) -> list[tuple[Ending, ...]]:
    """Return where names without a capital may end, if half of all entries have one of a form."""
    plain = [block.kind in ("line", "item") for block in blocks]
    begun = [
        _ENTRY.match(b.text.strip()) if one else None for one, b in zip(plain, blocks, strict=True)
    ]
    for part in ("small", "priced"):
        if _are_entries(blocks, [match is not None and match[part] is not None for match in begun]):
            return [
                ("dash", "colon", "dots", "bracket", "fact") if match else () for match in begun
            ]
    alone = [
        one and not below.gap and below.kind in ("line", "stat") and _is_alone(block, below)
        for one, (block, below) in zip(plain, pairwise(blocks), strict=False)
    ]
    if _are_entries(blocks, [*alone, False]):
        return [("whole", "fact") if one else () for one in (*alone, False)]
    return [()] * len(blocks)


def _is_alone(block: Block, below: Block) -> bool:
    """Whether a few words stand above a text of their own, below white space or further out."""
    text, apart = block.text.strip(), block.gap > 0 or below.indent > block.indent + 1
    few = 0 < len(text.split()) <= _MORE_WORDS and text[-1].isalnum()
    return apart and few and not take_facts(text).facts


def _are_entries(blocks: Sequence[Block], found: Sequence[bool]) -> bool:
    """Whether half of what begins in a text is lines of one form: of its paragraphs, or of the
    lines that stand no further in.
    """
    apart = [block.gap > 0 or not at for at, block in enumerate(blocks)]
    count = sum(found)
    if sum(map(and_, found, apart)) >= _NEARLY_ALL * count:
        whole = sum(apart)
    else:
        indents = [block.indent for block, one in zip(blocks, found, strict=True) if one]
        whole = sum(block.indent <= median(indents) for block in blocks)
        whole = min(whole, sum(_begins(*pair) for pair in pairwise(blocks)))
    return _OFTEN < count >= _HALF * whole


def _begins(above: Block, block: Block) -> bool:
    """Whether something new begins in a line: white space, or the end of a sentence, is above it,
    or a line that had room for more.
    """
    ended = has_ended(above.text) or len(above.text) < _WIDE
    return block.gap > 0 or above.kind != "line" or ended
