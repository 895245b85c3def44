"""Blocks as they were extracted become blocks as they were written.

Page numbers, running heads, captions and file names are left out and listed; letters torn off as
initials are put back, and the empty lines of a text with two spaces to the line taken out. Knows
nothing of cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cardgen.importing.blocks import Block, LeftOut
from cardgen.importing.facts import take_facts
from cardgen.importing.line_ends import part_paragraphs
from cardgen.importing.junk_rules import JUNK, KEEPS_HYPHEN, USUAL_WORDS
from cardgen.importing.styled import Styled

_JUNK = tuple((rule, re.compile(rule.looks_for, re.IGNORECASE)) for rule in JUNK)
_LETTER = re.compile(r"[A-ZÀ-ÖØ-Þ]")
_TORN = re.compile(r"([A-ZÀ-ÖØ-Þ]) ([a-zß-öø-ÿ]+)")
_WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_NUMBERED = re.compile(
    r"(?:\d{1,4}\s{2,}(\S.*?)|(\S.*?)\s{2,}\d{1,4}|\d{1,4}\s*[|•·]\s*(\S.*)|"
    r"(\S.*?)\s*[|•·]\s*\d{1,4})$"
)
_ENDS = re.compile(r"[.!?:;][\"'”’)\]*]*$")
_HYPHEN = re.compile(r"([^\W\d_]+)[-‐\u00ad¬]$")
_KEEPS = re.compile(rf"(?:{KEEPS_HYPHEN})-", re.IGNORECASE)
_SPACED = re.compile(r"\S(?:\s\S){2,}(?:\s{2,}\S(?:\s\S)*)*")
_TORN_CAPITAL = re.compile(r"(?<!\S)([A-ZÀ-ÖØ-Þ]) ([A-ZÀ-ÖØ-Þ]['’A-ZÀ-ÖØ-Þ,.!?-]*)(?!\S)")
_SMALL_CAPITALS = re.compile(
    r"(?:[A-ZÀ-ÖØ-Þ] [A-ZÀ-ÖØ-Þ]['’A-ZÀ-ÖØ-Þ,.!?-]*|[A-ZÀ-ÖØ-Þ&'’-]{2,}|A)"
    r"(?:\s+(?:[A-ZÀ-ÖØ-Þ] [A-ZÀ-ÖØ-Þ]['’A-ZÀ-ÖØ-Þ,.!?-]*|[A-ZÀ-ÖØ-Þ&'’,-]{2,}|A))*"
)
_HABIT = 3
_NEAR = 2
_REACH = 4
_SHORT_LINE = 6


def clean(blocks: Sequence[Block]) -> tuple[list[Block], list[LeftOut]]:
    left: list[LeftOut] = []
    drawn = _mend_small_capitals([_draw_together(block) for block in blocks])
    kept = part_paragraphs(_close_up(_drop_junk(drawn, left)))
    return _put_back_initials(kept, left), left


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
    why = {place: _find_junk(block) for place, block in enumerate(blocks)}
    heads = _find_running_heads(blocks, why)
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


def _find_junk(block: Block) -> str:
    if block.cells or block.kind in ("rule", "page"):
        return ""
    text = block.text.strip()
    return next((rule.name for rule, pattern in _JUNK if pattern.fullmatch(text)), "")


def _find_running_heads(blocks: Sequence[Block], why: dict[int, str]) -> dict[int, str]:
    """Lines that come again beside the end of a page or its number."""
    marks = {
        place
        for place, block in enumerate(blocks)
        if block.kind == "page" or why[place] in ("page number", "file name")
    }
    keys: dict[int, str] = {}
    for place, block in enumerate(blocks):
        if block.cells or block.kind not in ("line", "heading"):
            continue
        numbered = _NUMBERED.fullmatch(block.text)
        if numbered:
            marks.add(place)
        found = next((part for part in numbered.groups() if part), "") if numbered else block.text
        keys[place] = re.sub(r"[\W\d_]+", " ", found).strip().lower()
    near = {
        place: key
        for place, key in keys.items()
        if key
        and _may_run(blocks, place)
        and any(place + step in marks for step in range(-_NEAR, _NEAR + 1))
    }
    counts = Counter(near.values())
    return {place: "running head" for place, key in near.items() if counts[key] > 1}


def _may_run(blocks: Sequence[Block], place: int) -> bool:
    """Whether a line can be the head of a page: short, no sentence, no fact and no card's name."""
    text = blocks[place].text
    below = blocks[place + 1].text if place + 1 < len(blocks) else ""
    if any(take_facts(line).has("cost", "who", "stat") for line in (text, below)):
        return False
    return len(text) < 80 and not text[:1].islower() and text[-1:] not in ".,;:"


def _close_up(blocks: list[Block]) -> list[Block]:
    """Where an empty line stands between any two lines, it parts no paragraphs."""
    lines = [block for block in blocks if block.kind == "line"]
    if len(lines) < 6:
        return blocks
    torn = sum(1 for block in lines if block.gap and block.text[:1].islower())
    apart = sum(1 for block in lines if block.gap)
    if apart < 0.9 * len(lines) or torn < 2:
        return blocks
    return [replace(block, gap=max(0, block.gap - 1)) for block in blocks]


def _put_back_initials(blocks: list[Block], left: list[LeftOut]) -> list[Block]:
    words = _list_words(blocks)
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
        mended[home] = replace(target, content=content, gap=gap, kind=target.kind)
    return [block for place, block in enumerate(mended) if place not in gone]


def _find_home(blocks: Sequence[Block], place: int) -> int | None:
    """The paragraph near a torn letter that begins with the rest of a word."""
    steps = [1, *(-step for step in range(1, _REACH + 1)), *range(2, _REACH)]
    for step in steps:
        target = place + step
        if not 0 <= target < len(blocks) or not blocks[target].text[:1].islower():
            continue
        before = target - 1 if step != 1 else place - 1
        if step == 1 or blocks[target].gap or before < 0 or _ends(blocks[before].text):
            return int(target)
    return None


def _ends(text: str) -> bool:
    """Whether a paragraph may begin below this line."""
    return bool(_ENDS.search(text)) or (len(text.split()) <= _SHORT_LINE and text[:1].isupper())


def _join_torn(block: Block, words: Counter[str]) -> Block:
    match = _TORN.match(block.text)
    if not match or (match[1] in "AI" and _is_word(match[1], match[2], words)):
        return block
    return replace(block, content=block.content.cut(0, 1).join(block.content.cut(2)))


def _is_word(letter: str, following: str, words: Counter[str]) -> bool:
    """Whether "A" or "I" stands for itself before what follows."""
    first = _WORD.match(following)
    if letter.strip() not in "AI" or not first:
        return False
    return bool(USUAL_WORDS.fullmatch(first[0].lower())) or words[first[0].lower()] > 0


def _list_words(blocks: Iterable[Block]) -> Counter[str]:
    """The words of the text that neither begin nor end a line, where they may be torn."""
    words: Counter[str] = Counter()
    for block in blocks:
        words.update(word.lower() for word in _WORD.findall(block.text)[1:-1])
    return words


class Joiner:
    """Lines become paragraphs: hyphens that a line end put in are taken out."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._words = _list_words(blocks)

    def join(self, lines: Iterable[Styled]) -> Styled:
        whole = Styled.of("")
        for line in lines:
            line = Styled.of("").join(line.strip())
            if not whole.text:
                whole = line
                continue
            hyphen = _HYPHEN.search(whole.text)
            if hyphen and line.text[:1].islower():
                keeps = self._keeps(hyphen[1], line.text) and whole.text[-1] in "-‐"
                whole = (whole if keeps else whole.cut(0, -1)).join(line)
            else:
                dash = whole.text.endswith("-") and whole.text[-2:-1].isdigit()
                whole = whole.join(line, "" if dash else " ")
        return _tidy(whole)

    def _keeps(self, before: str, after: str) -> bool:
        match = _WORD.match(after)
        rest = match[0].lower() if match else ""
        if self._words[f"{before.lower()}-{rest}"]:
            return True
        if self._words[before.lower() + rest]:
            return False
        return bool(_KEEPS.match(f"{before}-{rest}"))


_SOFT = re.compile(r"\u00ad|(?<=\S)(\s)\s+")


def _tidy(text: Styled) -> Styled:
    """Without soft hyphens and double blanks."""
    keep = [True] * len(text.text)
    for match in _SOFT.finditer(text.text):
        start = match.start() if match[1] is None else match.start() + 1
        keep[start : match.end()] = [False] * (match.end() - start)
    letters = "".join(sign for sign, kept in zip(text.text, keep, strict=True) if kept)
    marks = "".join(mark for mark, kept in zip(text.marks, keep, strict=True) if kept)
    return Styled(letters.replace("\u00a0", " ").replace("\t", " "), marks).strip()
