"""Letters torn off as initials are put back before the word that they belong to.

Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from cardgen.importing.finding.joiner import WORD, list_words
from cardgen.importing.finding.junk_rules import SENTENCE_END, USUAL_WORDS
from cardgen.importing.model import Block, LeftOut, Styled

_LETTER = re.compile(r"[A-ZÀ-ÖØ-Þ]")
_TORN = re.compile(r"([A-ZÀ-ÖØ-Þ]) ([a-zß-öø-ÿ]+)")
_REACH = 4
_SHORT_LINE = 6


def put_back_initials(blocks: list[Block], left: list[LeftOut]) -> list[Block]:
    words = list_words(blocks)
    mended = [_join_torn(block, words) for block in blocks]
    gone: set[int] = set()
    for place, block in enumerate(mended):
        if not _LETTER.fullmatch(block.text.strip()):
            continue
        gone.add(place)
        home = _find_home(mended, place)
        if home is None:
            left.append(LeftOut(block.text, block.place, "letter torn off"))
            if place + 1 < len(mended):
                after = mended[place + 1]
                mended[place + 1] = replace(after, gap=max(after.gap, block.gap))
            continue
        target = mended[home]
        between = " " if _is_word(block.text, target.text, words) else ""
        content = Styled.of(block.text.strip()).join(target.content, between)
        gap = max(target.gap, block.gap) if home == place + 1 else target.gap
        mended[home] = replace(
            target, content=content, gap=gap, sources=(*block.lines, *target.lines)
        )
    return [block for place, block in enumerate(mended) if place not in gone]


def _find_home(blocks: Sequence[Block], place: int) -> int | None:
    """The paragraph near a torn letter that begins with the rest of a word."""
    steps = [1, *(-step for step in range(1, _REACH + 1)), *range(2, _REACH)]
    able = [
        place + step
        for step in steps
        if 0 <= place + step < len(blocks) and blocks[place + step].text[:1].islower()
    ]
    heading = blocks[place + 1] if place + 1 < len(blocks) else None
    if heading and not heading.gap and heading.text.isupper() and len(heading.text) > 2:
        return place + 1
    begins = [target for target in able if _begins(blocks, target, place)]
    below = [target for target in able if target == place + 1]
    return next(iter(begins or below), None)


def _begins(blocks: Sequence[Block], target: int, letter: int) -> bool:
    """Whether a paragraph begins there, the torn letter itself left aside."""
    before = target - 1 if target - 1 != letter else letter - 1
    apart = blocks[target].gap or (target == letter + 1 and blocks[letter].gap)
    return bool(apart or before < 0 or _ends(blocks[before].text))


def _ends(text: str) -> bool:
    """Whether a paragraph may begin below this line."""
    return bool(SENTENCE_END.search(text)) or (
        len(text.split()) <= _SHORT_LINE and text[:1].isupper()
    )


def _join_torn(block: Block, words: Counter[str]) -> Block:
    match = _TORN.match(block.text)
    if not match or (match[1] in "AI" and _is_word(match[1], match[2], words)):
        return block
    return replace(block, content=block.content.cut(0, 1).join(block.content.cut(2)))


def _is_word(letter: str, following: str, words: Counter[str]) -> bool:
    """Whether "A" or "I" stands for itself before what follows."""
    first = WORD.match(following)
    if letter.strip() not in "AI" or not first or len(first[0]) < 2:
        return False
    return bool(USUAL_WORDS.fullmatch(first[0].lower())) or words[first[0].lower()] > 0
