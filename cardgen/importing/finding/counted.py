"""What counts names on before them, and is no part of them: "Lot 1: Hat", or "SCENE 1" above it.

It becomes a number, which is known like any other. Knows nothing of what names are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from cardgen.importing.finding.names import looks_like_name
from cardgen.importing.finding.vocabulary import list_chapter
from cardgen.importing.model import Block, Styled

_OFTEN = 3
_NEARLY_ALL = 0.8
_COUNTING = re.compile(r"([^\W\d_]{2,12}) #?(\d{1,3})(?:\s?[:.]|\s[–—-])\s+(?=\w)")
_COUNTED_ON = re.compile(r"([^\W\d_]{2,12}) #?\d{1,3}")
_LETTERED = re.compile(r"()([A-Z](?=[.):])|[a-z](?=\)|\.\s[^\W\d_A-Z]))[.):]\s+(?=\w)")


def drop_counting(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with figures for what counts names on: "Lot 1: Hat", "A. Hat"."""
    blocks = _join_counting(blocks)
    found: dict[str, list[tuple[int, re.Match[str]]]] = {}
    lowest = max((block.level for block in blocks), default=0)
    for at, block in enumerate(blocks):
        able = block.level == lowest or block.kind != "heading"  # else it counts chapters
        able = able and not block.cells
        match = (_COUNTING.match(block.text) or _LETTERED.match(block.text)) if able else None
        if match and match[1].casefold() not in list_chapter():
            found.setdefault(match[1].casefold(), []).append((at, match))
    dropped = list(blocks)
    for places in found.values():
        numbers = [int(m[2]) if m[1] else ord(m[2].upper()) - ord("A") + 1 for _, m in places]
        steps = sum(after == before + 1 for before, after in pairwise(numbers))
        if steps + 1 >= max(_OFTEN, _NEARLY_ALL * len(numbers)):
            for number, (at, match) in zip(numbers, places, strict=True):
                bare = blocks[at].content.cut(match.end())
                content = Styled.of(f"{number}. ", bare.face).join(bare)
                dropped[at] = replace(blocks[at], content=content, sources=blocks[at].lines)
    return dropped


def _join_counting(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with what counts names on before these: "SCENARIO 1" above "Long Lie"."""
    above: dict[str, list[int]] = {}
    for at, (block, below) in enumerate(pairwise(blocks)):
        match = _COUNTED_ON.fullmatch(block.text.strip(" .:")) if block.kind == "line" else None
        able = below.kind == "line" and not below.gap and looks_like_name(below.text)
        if match and able:
            above.setdefault(match[1].casefold(), []).append(at)
    joined = {at for places in above.values() if len(places) >= _OFTEN for at in places}
    kept: list[Block] = []
    for at, block in enumerate(blocks):
        if at - 1 in joined:
            first = kept.pop()
            content = Styled.of(f"{first.text.strip(' .:')}: ").join(block.content)
            block = replace(
                block, content=content, gap=first.gap, sources=(*first.lines, *block.lines)
            )
        kept.append(block)
    return kept
