"""Blocks as they were extracted become blocks as they were written.

Page numbers, running heads, captions and file names are left out and listed; letters torn off as
initials are put back, and the empty lines of a text with two spaces to the line taken out. Knows
nothing of cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from cardgen.importing.finding.initials import put_back_initials
from cardgen.importing.finding.junk_rules import JUNK
from cardgen.importing.finding.line_ends import part_paragraphs
from cardgen.importing.finding.page_heads import find_running_heads
from cardgen.importing.model import BOLD, FRONT_MATTER, ITALIC, Block, LeftOut, Styled

_JUNK = tuple((rule, re.compile(rule.looks_for, re.IGNORECASE)) for rule in JUNK)
_SPACED = re.compile(r"\S(?:\s\S){2,}(?:\s{2,}\S(?:\s\S)*)*")
_TORN_CAPITAL = re.compile(r"(?<!\S)([A-ZÀ-ÖØ-Þ]) ([A-ZÀ-ÖØ-Þ]['’A-ZÀ-ÖØ-Þ,.!?-]*)(?!\S)")
_SMALL_CAPITALS = re.compile(
    r"(?:[A-ZÀ-ÖØ-Þ] [A-ZÀ-ÖØ-Þ]['’A-ZÀ-ÖØ-Þ,.!?-]*|[A-ZÀ-ÖØ-Þ&'’-]{2,}|A)"
    r"(?:\s+(?:[A-ZÀ-ÖØ-Þ] [A-ZÀ-ÖØ-Þ]['’A-ZÀ-ÖØ-Þ,.!?-]*|[A-ZÀ-ÖØ-Þ&'’,-]{2,}|A))*"
)
_ENTRY = re.compile(r"(\S.{1,60}?)\s*(?:[.…_]\s?){4,}\s*([\dlO]{1,3})")
_FIGURES = str.maketrans("lO", "10")
_HABIT = 3
_MOSTLY = 0.6
_FEWEST_TORN = 0.15


def clean(blocks: Sequence[Block]) -> tuple[list[Block], list[LeftOut]]:
    left: list[LeftOut] = []
    blocks = _make_plain(blocks)
    drawn = _mend_small_capitals([_draw_together(block) for block in blocks])
    kept = part_paragraphs(_close_up(_drop_junk(drawn, left)))
    return put_back_initials(kept, left), left


def _make_plain(blocks: Sequence[Block]) -> Sequence[Block]:
    """Where nearly all is bold, as converters make it, bold says nothing."""
    letters = sum(len(block.text) for block in blocks)
    bold = sum(block.content.count_face(BOLD) for block in blocks)
    if not letters or bold < _MOSTLY * letters:
        return blocks
    return [replace(block, content=block.content.without(BOLD)) for block in blocks]


def _draw_together(block: Block) -> Block:
    """A line set with a blank after each letter, as scans give names that are spaced out."""
    if block.cells or not _SPACED.fullmatch(block.text):
        return block
    words = (re.sub(r"\s", "", word) for word in re.split(r"\s{2,}", block.text.strip()))
    return replace(block, content=Styled.of(" ".join(words), block.content.face))


def _mend_small_capitals(blocks: list[Block]) -> list[Block]:
    """Capitals torn off the small capitals of their words, as in "T HE  B RONZE  G ATE"."""
    torn = [bool(_SMALL_CAPITALS.fullmatch(block.text)) for block in blocks]
    surely = [
        block
        for block, is_torn in zip(blocks, torn, strict=True)
        if is_torn and any(match[1] not in "AI" for match in _TORN_CAPITAL.finditer(block.text))
    ]
    if len(surely) < _HABIT:
        return blocks
    return [
        replace(block, content=Styled.of(_mend_words(block.text), block.content.face))
        if is_torn
        else block
        for block, is_torn in zip(blocks, torn, strict=True)
    ]


def _mend_words(text: str) -> str:
    return re.sub(r"\s+", " ", _TORN_CAPITAL.sub(r"\1\2", text))


def _drop_junk(blocks: Sequence[Block], left: list[LeftOut]) -> list[Block]:
    why = {
        place: "" if _ends_sentence(blocks, place) else _find_junk(block)
        for place, block in enumerate(blocks)
    }
    why.update(dict.fromkeys(_find_contents(blocks), "table of contents"))
    for place in range(1, len(blocks)):
        if _carries_on_caption(blocks, place, why):
            why[place] = "caption"
    heads = find_running_heads(blocks, why)
    kept: list[Block] = []
    broken = 0
    for place, block in enumerate(blocks):
        reason = heads.get(place) or why[place]
        if block.kind == "page":
            broken = max(broken, 1)
        elif reason:
            left.append(LeftOut(block.text, block.place, reason))
            broken = max(broken, block.gap)
        else:
            kept.append(replace(block, gap=max(block.gap, broken)) if broken else block)
            broken = 0
    return kept


def _find_contents(blocks: Sequence[Block]) -> set[int]:
    """Names with the numbers of their pages, one line below the other, that come again later."""
    found: set[int] = set()
    run: list[tuple[int, str, int]] = []
    said = Counter(block.text.strip(" *").casefold() for block in blocks)
    for place, block in enumerate([*blocks, None]):
        entry = _ENTRY.fullmatch(block.text) if block and not block.cells else None
        if entry and not (run and block and block.gap > 1):
            run.append((place, entry[1].strip().casefold(), int(entry[2].translate(_FIGURES))))
            continue
        pages = [page for _, _, page in run]
        again = sum(said[name] > 0 for _, name, _ in run)
        if len(run) > 2 and pages == sorted(pages) and again:
            found |= {at for at, _, _ in run}
        run = []
    return found


def _carries_on_caption(blocks: Sequence[Block], place: int, why: dict[int, str]) -> bool:
    above, block = blocks[place - 1], blocks[place]
    if why[place - 1] == "picture" and not why[place] and block.content.face & ITALIC:
        return True
    if why[place - 1] != "caption" or why[place] or block.gap or block.kind != "line":
        return False
    opened = above.text.count("(") > above.text.count(")")
    return above.text[-1:] not in ".!?" and (opened or block.text[:1].islower())


def _ends_sentence(blocks: Sequence[Block], place: int) -> bool:
    """Whether a figure ends the sentence of the line above, as "on a roll of" and "6."."""
    block = blocks[place]
    if not place or block.gap or not block.text.rstrip().endswith("."):
        return False
    return blocks[place - 1].text[-1:].isalnum() and len(blocks[place - 1].text.split()) > 2


def _find_junk(block: Block) -> str:
    if block.mark == FRONT_MATTER:
        return FRONT_MATTER
    if block.cells or block.kind in ("rule", "page"):
        return ""
    text = block.text.strip()
    return next((rule.name for rule, pattern in _JUNK if pattern.fullmatch(text)), "")


def _close_up(blocks: list[Block]) -> list[Block]:
    """Where an empty line stands between any two lines, it parts no paragraphs."""
    lines = [block for block in blocks if block.kind == "line"]
    if len(lines) < 6:
        return blocks
    torn = sum(1 for block in lines if block.gap and block.text[:1].islower())
    apart = sum(1 for block in lines if block.gap)
    if apart < 0.9 * len(lines) or torn < max(2, _FEWEST_TORN * len(lines)):
        return blocks
    return [replace(block, gap=max(0, block.gap - 1)) for block in blocks]
