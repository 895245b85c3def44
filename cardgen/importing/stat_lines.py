"""Stats that extraction has torn apart are put together: each word with its value, below the name.

"RANGE", "ATTACK", "60cm" and "1 / 3", in whatever order, become two blocks "RANGE 60cm" and
"ATTACK 1 / 3". Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cardgen.importing.blocks import Block
from cardgen.importing.names import find_shape, looks_like_name
from cardgen.importing.rule_parts import expand
from cardgen.importing.styled import Styled

_WORD = re.compile(expand(r"{stat word}[:.]?"), re.IGNORECASE)
_VALUE = re.compile(expand(r"{stat value}"), re.IGNORECASE)
_BOTH = re.compile(expand(r"({stat word})\s*[:=]?\s*({stat value})"), re.IGNORECASE)
_SEVERAL = re.compile(expand(r"{stat word}(?:[\s,|/]+{stat word})+"), re.IGNORECASE)
_LENGTH = re.compile(r"\d+\s?(?:cm|mm|in|\")|varies")
_RATIO = re.compile(r"\d+\s*/\s*\S.*")
_PARTS = re.compile(expand(r"{stat word}"), re.IGNORECASE)
_VALUES = re.compile(expand(r"{stat value}(?:\s{2,}|\s*\|\s*){stat value}"), re.IGNORECASE)


class _Found(NamedTuple):
    words: list[str]
    values: list[str]


def gather_stats(blocks: Sequence[Block]) -> list[Block]:
    gathered: list[Block] = []
    at = 0
    while at < len(blocks):
        end, found = _read_run(blocks, at)
        if not found.words or len(found.words) != len(found.values) or end - at < 2:
            gathered.append(blocks[at])
            at += 1
            continue
        stats = _pair(found, blocks[at])
        # Extraction may give them before the name that they stand beside.
        if not (at and _may_be_name(blocks[at - 1])) and end < len(blocks):
            name = blocks[end]
            if _may_be_name(name):
                gathered.append(replace(name, gap=max(name.gap, blocks[at].gap, 1)))
                stats[0] = replace(stats[0], gap=0)
                end += 1
        gathered += stats
        at = end
    return gathered


def _may_be_name(block: Block) -> bool:
    marked = block.kind == "heading" or block.content.face > 0
    return (marked or find_shape(block.text) == "capitals") and looks_like_name(block.text)


def _read_run(blocks: Sequence[Block], start: int) -> tuple[int, _Found]:
    """The blocks from `start` on that hold words and values of stats and nothing else."""
    found = _Found([], [])
    end = start
    while end < len(blocks):
        text = blocks[end].text.strip()
        if both := _BOTH.fullmatch(text):
            found.words.append(both[1])
            found.values.append(both[2])
        elif _WORD.fullmatch(text) or _SEVERAL.fullmatch(text):
            found.words.extend(_PARTS.findall(text))
        elif _VALUE.fullmatch(text):
            found.values.append(text)
        elif _VALUES.fullmatch(text):
            found.values.extend(part for part in re.split(r"\s{2,}|\|", text) if part.strip())
        else:
            break
        end += 1
    return end, found


def _pair(found: _Found, first: Block) -> list[Block]:
    """Each word with the value that fits it: lengths to ranges and moves, "1 / 3" to attacks."""
    values = list(found.values)
    paired = []
    for word in found.words:
        wanted = (
            _LENGTH
            if word.lower().startswith(("range", "move", "speed"))
            else _RATIO
            if word.lower().startswith("attack")
            else None
        )
        fits = [value for value in values if wanted and wanted.fullmatch(value)]
        plain = [v for v in values if not _LENGTH.fullmatch(v) and not _RATIO.fullmatch(v)]
        value = (fits or plain or values)[0]
        values.remove(value)
        paired.append((word.strip(" :."), value.strip()))
    return [
        replace(first, content=Styled.of(f"{word} {value}"), gap=first.gap if not place else 0)
        for place, (word, value) in enumerate(paired)
    ]
