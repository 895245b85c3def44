"""Paragraphs that no empty line parts are told by their last lines: what follows would have fitted.

Turns blocks without gaps into blocks with them. Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.model import Block

_MOST_GAPS = 0.25
_FEWEST_LINES = 8
_SLACK = 3
_LONG_LINE = 120
_SHORT_LINE = 50
_ENDS = re.compile(r"[.!?:…][\"'”’)\]*]*$")


def part_paragraphs(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of a text whose paragraphs follow on one another, with gaps where one ends."""
    lines = [block for block in blocks if block.kind == "line" and not block.cells]
    gaps = sum(1 for block in lines if block.gap)
    width = find_width(blocks)
    if not width and any(len(block.text) > _LONG_LINE for block in lines):
        return _part_long_lines(blocks)
    if len(lines) < _FEWEST_LINES or gaps > _MOST_GAPS * len(lines) or not width:
        return list(blocks)
    parted = list(blocks[:1])
    for above, block in pairwise(blocks):
        apart = not block.gap and _ends_early(above, block, width)
        parted.append(replace(block, gap=1) if apart else block)
    return parted


def _part_long_lines(blocks: Sequence[Block]) -> list[Block]:
    """Where lines are not broken by length, each of them that is a sentence is a paragraph."""
    parted = list(blocks[:1])
    for above, block in pairwise(blocks):
        sentences = all(_is_sentence(one) for one in (above, block))
        parted.append(replace(block, gap=1) if sentences and not block.gap else block)
    return parted


def _is_sentence(block: Block) -> bool:
    long = block.kind == "line" and len(block.text) > _SHORT_LINE
    return long and block.text[:1].isupper() and bool(_ENDS.search(block.text))


def find_width(blocks: Sequence[Block]) -> int:
    """How long lines get that run on in the next one; 0 where lines are not broken by length."""
    lengths = sorted(
        len(above.text)
        for above, block in pairwise(blocks)
        if above.kind == block.kind == "line"
        and not block.gap
        and block.text[:1].islower()
        and not _ENDS.search(above.text)
    )
    if len(lengths) < _FEWEST_LINES:
        return 0
    width = lengths[len(lengths) * 9 // 10]
    # Lines broken by length are about equally long.
    return width if lengths[len(lengths) // 4] > 0.6 * width else 0


def _ends_early(above: Block, block: Block, width: int) -> bool:
    if above.kind != "line" or block.kind != "line" or not _ENDS.search(above.text):
        return False
    if above.text.isupper() and block.text.isupper():
        return False  # a name on two lines
    # A cost on a line of its own may end a card as well as begin one.
    if take_facts(block.text).end >= len(block.text.rstrip()):
        return False
    word = block.text.split(maxsplit=1)[0] if block.text.strip() else ""
    return len(above.text) + 1 + len(word) <= width - _SLACK
