"""Names that stand on two lines, as narrow columns print them: both are put together.

So is a chapter's number with the title below it. Knows nothing of where records begin.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.finding.heads import find_fact
from cardgen.importing.finding.labels import find_labelled
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.names import (
    CHAPTER,
    EDGES,
    MOST_LETTERS,
    MOST_WORDS,
    find_shape,
    fold,
    looks_like_name,
)
from cardgen.importing.finding.vocabulary import list_chapter, list_small
from cardgen.importing.model import Block, Styled

_OFTEN = 3
_FEW = 2
_MOST = 0.7
_LONGEST = 4  # lines of a question
_BROAD = 30  # letters of its first line, where it has several
_FIGURES = re.compile(r"\d+")
_MARKED = re.compile(r"\s*\w{1,3}[.)]\s+\S")  # as entries of a list are
_NUMBERED = re.compile(r"\s*\d{1,3}[.)]\s+\S")


def join_questions(blocks: Sequence[Block], joiner: Joiner) -> list[Block]:
    """Return the blocks with numbered questions on one line each, where most numbers have one."""
    numbered = [at for at, block in enumerate(blocks) if _may_ask(block)]
    ends = {at: end for at in numbered if (end := _find_asked(blocks, at))}
    if len(ends) < max(_OFTEN, _MOST * len(numbered)):
        return list(blocks)
    below = Counter(_find_key(blocks[end]) for end in ends.values() if end < len(blocks))
    answer = {key for key, count in below.items() if key and count >= _MOST * len(ends)}
    for at in numbered:  # "5. Name the sea … on earth." above "Answer: …"
        near = range(at + 1, min(at + _LONGEST + 1, len(blocks)))
        end = next((n for n in near if blocks[n].gap or _find_key(blocks[n]) in answer), 0)
        if at not in ends and end and _find_key(blocks[end]) in answer:
            ends[at] = end
    joined: list[Block] = []
    position = 0
    for at, end in sorted(ends.items()):
        content = joiner.join([block.content.strip() for block in blocks[at:end]])
        lines = tuple(line for block in blocks[at:end] for line in block.lines)
        joined += [*blocks[position:at], replace(blocks[at], content=content, sources=lines)]
        position = end
    return [*joined, *blocks[position:]]


def _find_key(block: Block) -> str:
    label = find_labelled(block.content)
    return label.key if label else ""


def _may_ask(block: Block) -> bool:
    """Whether a numbered line is a question, or so much of one as its page has room for."""
    match = _NUMBERED.match(block.text)
    text = block.text[match.end() - 1 :].rstrip() if match else ""
    return text.endswith("?") or (len(text) >= _BROAD and find_shape(text) == "sentence")


def _find_asked(blocks: Sequence[Block], at: int) -> int:
    """Return where a question ends that begins at a line; 0 where it is none."""
    for end in range(at + 1, min(at + _LONGEST, len(blocks)) + 1):
        last = blocks[end - 1]
        if last.cells or last.kind != "line" or (last.gap and end > at + 1):
            return 0
        if last.text.rstrip(" )\"'”’").endswith("?"):
            return end
    return 0


def join_names(
    blocks: Sequence[Block], joiner: Joiner, known: Set[str] = frozenset()
) -> list[Block]:
    """Return the blocks with names that stand on two lines in one; `known` are whole."""
    pairs = Counter(pairwise(block.text for block in blocks))
    single = Counter(block.text for block in blocks)
    # Lines that differ by their figures alone are values, and no rest of a name.
    stated = (block.text for block in blocks if _FIGURES.search(block.text))
    values = Counter(_FIGURES.sub("", text) for text in stated)
    chapters = _list_chapters(blocks)
    joined: list[Block] = []

    def is_rest(above: Block, block: Block) -> bool:
        """Whether a line is the rest of the name above it, and no value that others have, too."""
        if not _carries_on(above, block) or values[_FIGURES.sub("", block.text)] >= _OFTEN:
            return False
        elsewhere = single[block.text] - pairs[above.text, block.text]
        return elsewhere < _FEW or find_shape(block.text) == find_shape(above.text)

    def is_free(above: Block, block: Block) -> bool:
        """Whether neither line is whole, nor are both printed apart from each other elsewhere."""
        if known and (fold(above.text) in known or fold(block.text) in known):
            return False
        paired = single[above.text] <= max(1, pairs[above.text, block.text])
        return paired or bool(above.sources) or is_torn(above.text)

    for block in blocks:
        above = joined[-1] if joined else None
        if above and not block.gap and _is_numbered_title(above, block):
            title = Styled.of(above.text.strip(" .")).join(block.content.strip(), ": ")
            joined[-1] = replace(above, content=title, sources=(*above.lines, *block.lines))
            continue
        if (
            above
            and not block.gap
            and is_free(above, block)
            and not _parts_names(above.text, block.text, chapters)
            and (is_rest(above, block) or _completes(above, block, joiner))
        ):
            content = joiner.join([above.content.strip(), block.content.strip()])
            lines = (*above.lines, *block.lines)
            joined[-1] = replace(above, content=content, sources=lines)
            continue
        joined.append(block)
    return joined


def _list_chapters(blocks: Sequence[Block]) -> set[str]:
    """Return what several lines in capitals begin with that stand alone: titles of chapters."""
    alone = (above.text for above, below in pairwise(blocks) if below.gap)
    short = (text for text in alone if len(text) <= MOST_LETTERS)
    firsts = Counter(_find_first(text) for text in short if find_shape(text) == "capitals")
    return {first for first, count in firsts.items() if first and count >= _FEW}


def _is_numbered_title(above: Block, block: Block) -> bool:
    """Whether a line is the number of a chapter, and the one below it its title."""
    match = CHAPTER.fullmatch(above.text.strip(" ."))
    plain = above.kind == block.kind == "line" and not block.cells
    known = match is not None and match[1].casefold() in list_chapter()
    return plain and known and looks_like_name(block.text) and find_labelled(block.content) is None


def _parts_names(above: str, text: str, chapters: Set[str]) -> bool:
    """Whether a line in capitals is a chapter's, as "MOVES OF THE CREW", and no half of a name.

    chapters: what several lines begin with that stand alone
    """
    torn = is_torn(above) or (" " not in above.strip() and not _find_first(text))
    return _find_first(above) in chapters and not torn


def _find_first(text: str) -> str:
    """Return the first word of a line if it says something; else nothing."""
    first = text.strip().partition(" ")[0]
    return "" if first.lower() in list_small() else first


def _carries_on(above: Block, block: Block) -> bool:
    """Whether a line goes on with the name in the line above it."""
    first, second = above.content.strip(), block.content.strip()
    if above.kind != block.kind or above.kind not in ("line", "heading") or above.cells:
        return False
    if (above.level, round(above.size)) != (block.level, round(block.size)):
        return False
    words = first.text.split(), second.text.split()
    if not words[0] or not words[1] or len(words[0]) + len(words[1]) > MOST_WORDS + 3:
        return False
    if first.text[-1] in ".!?:;" or first.face != second.face or _MARKED.match(second.text):
        return False
    shapes = find_shape(first.text), find_shape(second.text)
    torn = is_torn(first.text)
    if shapes[0] != "capitals" and not (torn and shapes[0] == "title"):
        return False
    if shapes[0] == "title" and not (above.gap or first.face or above.kind == "heading"):
        return False
    if shapes[1] != "capitals" and shapes[0] == "capitals" and not torn:
        return False
    if any(word.strip(EDGES).casefold() in list_chapter() for word in words[0]) and not torn:
        return False
    if _is_labelled(second):
        return False
    stated = [take_facts(part.text) for part in (first, second)]
    return not any(taken.facts and taken.sure >= 0.9 for taken in stated)


def _is_labelled(content: Styled) -> bool:
    label = find_labelled(content)
    return label is not None and content.text[len(label.text) :].lstrip()[:1] == ":"


def is_torn(text: str) -> bool:
    """Whether a line breaks off within a name: behind a hyphen, or a word that links."""
    words = text.split()
    return text.rstrip()[-1:] in "-‐" or (len(words) > 1 and words[-1].lower() in list_small())


def _completes(above: Block, block: Block, joiner: Joiner) -> bool:
    """Whether the facts beside a name go on in the line below, as "… Dwarf" and "only 20 pts"."""
    if above.kind not in ("line", "heading") or block.kind != above.kind or above.cells:
        return False
    if above.text.rstrip()[-1] in ".!?:" or len(block.text.split()) > 8:
        return False
    if not any(map(str.isalpha, above.text)):
        return False  # a row of figures
    if len(above.text.split()) > 14 or _is_labelled(block.content.strip()):
        return False
    first, second = above.content.strip(), block.content.strip()
    whole = joiner.join([first, second])
    found = find_fact(whole.text)
    if not found or not found[1].has("cost") or found[1].end < len(whole.text.rstrip(" .)")):
        return False
    alone = find_fact(first.text)
    linked = above.gap > 0 and second.text.split()[0] in list_small()  # "Bow" and "of Oak (9 pts)"
    named = linked and looks_like_name(whole.text[: found[0]].strip())
    return (found[0] < len(first.text) or named) and not (alone and alone[1].has("cost"))
