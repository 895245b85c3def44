"""Text as it was extracted becomes text as it was written.

Letters torn off as initials are put back, capitals that are spaced out drawn together, words that
were glued parted, hyphens at line ends taken out, paragraphs parted and closed up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import pairwise

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.finding.vocabulary import (
    get_pattern,
    list_letters,
    list_small,
    list_words,
    make_pattern,
)
from cardgen.importing.model import Block, LeftOut, Styled
from cardgen.importing.reading.joining import has_ended

WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_UPPER, _LOWER = "A-ZÀ-ÖØ-Þ", "a-zß-öø-ÿ"
_HYPHEN = re.compile(r"([^\W\d_]+)[-‐\u00ad¬]$")
_COLON_APART = re.compile(r"[^\W\d_][\w '’/.-]{0,30}?(\s{2,}):\s+")
_TIGHT = re.compile(r"([^\W\d_][\w -]{0,24})[:=](?=[^\s:=/])")
_SOFT = re.compile(r"\u00ad|(?<=\S)(\s)\s+")
_LETTER = re.compile(rf"[{_UPPER}]")
_TORN = re.compile(rf"([{_UPPER}]) ([{_LOWER}]+)")
_SPACED = re.compile(r"[^\s\d/](?:\s[^\s/]){2,}(?:\s{2,}[^\s/](?:\s[^\s/])*)*")
_TORN_CAPITAL = re.compile(rf"(?<!\S)([{_UPPER}]) ([{_UPPER}]['’{_UPPER},.!?-]*)(?!\S)")
_CAPITALS = re.compile(
    rf"(?:[{_UPPER}] [{_UPPER}]['’{_UPPER},.!?-]*|[{_UPPER}&'’-]{{2,}}|A)"
    rf"(?:\s+(?:[{_UPPER}] [{_UPPER}]['’{_UPPER},.!?-]*|[{_UPPER}&'’,-]{{2,}}|A))*"
)
_EDGE = re.compile(  # where something else than the rest of a word begins
    rf"(?<=[{_LOWER}\d!?.'’”_])[{_UPPER}]|(?<=[{_UPPER}])[{_UPPER}](?=[{_LOWER}])"
    r"|(?<=\d)[^\W\d_]|(?<=[^\W\d_])[+–-]?\d"
)
_REACH = 4
_HABIT = 3
_MOST_GAPS = 0.25
_FEWEST_LINES = 8
_SLACK = 3
_LONG_LINE = 120
_LONGEST_WORD = 80  # letters
_SHORT_NAME = 6  # words
_SENTENCE = 50


# Words


def list_text_words(texts: Iterable[str]) -> Counter[str]:
    """Return the words of a text that neither begin nor end a line, where they may be torn."""
    return Counter(word.lower() for text in texts for word in WORD.findall(text)[1:-1])


class Joiner:
    """Joins lines to paragraphs: the words of the text say which hyphens are their own."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = texts

    @cached_property
    def _words(self) -> Counter[str]:
        return list_text_words(self._texts)

    def join(self, lines: Iterable[Styled]) -> Styled:
        whole = Styled.of("")
        for line in lines:
            line = Styled.of("").join(line.strip())
            if not whole.text:
                whole = line
                continue
            hyphen = _HYPHEN.search(whole.text, max(0, len(whole.text) - _LONGEST_WORD))
            capitals = whole.text.isupper()
            if hyphen and (capitals or line.text[:1].islower()):
                before = hyphen[1].lower()
                named = capitals and before in list_words("hyphen", "first")
                keeps = named or self._keeps(before, line.text)
                whole = (whole if keeps else whole.cut(0, -1)).join(line)
            else:
                whole = whole.join(line, " ")
        return _tidy(whole)

    def _keeps(self, before: str, after: str) -> bool:
        match = WORD.match(after)
        rest = match[0].lower() if match else ""
        if self._words[f"{before}-{rest}"]:
            return True
        return not self._words[before + rest] and before in list_words("hyphen", "keeps")


def _tidy(text: Styled) -> Styled:
    """Return a text without soft hyphens and double blanks."""
    text = Styled(text.text.replace("\u00a0", " ").replace("\t", " "), text.marks).strip()
    if "\u00ad" not in text.text and "  " not in text.text:
        return text
    keep = [True] * len(text.text)
    for match in _SOFT.finditer(text.text):
        start = match.start() if match[1] is None else match.start() + 1
        keep[start : match.end()] = [False] * (match.end() - start)
    letters = "".join(sign for sign, kept in zip(text.text, keep, strict=True) if kept)
    marks = "".join(mark for mark, kept in zip(text.marks, keep, strict=True) if kept)
    return Styled(letters, marks).strip()


# Letters


def mend(blocks: Sequence[Block], left: list[LeftOut]) -> list[Block]:
    """Return the blocks of a text with its letters and words as they were written."""
    blocks = [_part_glued(_close_colon(_draw_together(block))) for block in blocks]
    blocks = _open_colons(blocks)
    return part_paragraphs(_put_back_initials(_mend_capitals(blocks), left))


def _draw_together(block: Block) -> Block:
    """Return a line set with a blank after each letter, as scans give names, without these."""
    spaced = _SPACED.fullmatch(block.text) and not any(map(str.isdigit, block.text))
    if block.cells or not spaced:
        return block
    words = ("".join(word.split()) for word in re.split(r"\s{2,}", block.text.strip()))
    return replace(block, content=Styled.of(" ".join(words), block.content.face))


def _close_colon(block: Block) -> Block:
    """Return a line whose label has blanks before its colon, as in columns, without these."""
    apart = _COLON_APART.match(block.text) if block.kind == "line" and not block.cells else None
    if apart is None:
        return block
    label, value = block.content.cut(0, apart.start(1)), block.content.cut(apart.end())
    return replace(block, content=label.join(value, ": "), sources=block.lines)


def _open_colons(blocks: list[Block]) -> list[Block]:
    """Return the blocks with a colon and a blank behind labels, where most lines have such labels
    without one, as programs write them: "stamina:100", "Name=Hat"; or names: "Fire Relic :burns".
    """
    found = [_TIGHT.match(block.text) if block.kind == "line" else None for block in blocks]
    often = Counter(match[1] for match in found if match)
    tight = [
        match if match and (often[match[1]] >= _HABIT or match[1].endswith(" ")) else None
        for match in found
    ]
    if 2 * sum(map(bool, tight)) <= len(blocks):
        return blocks
    return [
        replace(
            block,
            content=block.content.cut(0, len(match[1].rstrip())).join(_cut_behind(block, match)),
        )
        if match
        else block
        for block, match in zip(blocks, tight, strict=True)
    ]


def _cut_behind(block: Block, label: re.Match[str]) -> Styled:
    return Styled.of(": ").join(block.content.cut(label.end()))


def _mend_capitals(blocks: list[Block]) -> list[Block]:
    """Put capitals back that were torn off small capitals, as in "T HE  B RONZE  G ATE"."""
    torn = [bool(_CAPITALS.fullmatch(block.text)) and _is_spaced(block.text) for block in blocks]
    words = {"A", "I", *(word.upper() for word in list_small())}
    surely = sum(
        is_torn and any(match[1] not in words for match in _TORN_CAPITAL.finditer(block.text))
        for block, is_torn in zip(blocks, torn, strict=True)
    )
    if surely < _HABIT:
        return blocks
    return [
        replace(
            block,
            content=Styled.of(
                " ".join(_TORN_CAPITAL.sub(r"\1\2", block.text).split()), block.content.face
            ),
        )
        if is_torn
        else block
        for block, is_torn in zip(blocks, torn, strict=True)
    ]


def _is_spaced(text: str) -> bool:
    """Whether more words of a line are torn than whole: "SHIP B GUNS" has a letter of its own."""
    whole = [
        word for word in _TORN_CAPITAL.sub("", text).split() if word.lower() not in list_small()
    ]
    return len(_TORN_CAPITAL.findall(text)) > len(whole)


@cache
def _get_glued() -> re.Pattern[str]:
    """Return the places where extraction has swallowed a blank before a word that is known."""
    starts = {word.split()[0] for word in list_words("who", "before")}
    starts |= {word.split()[0] for word in list_words("labels", "cost")}
    starts |= {word for word in list_words("who", "any") if " " not in word}
    known = make_pattern({word.capitalize() for word in starts if len(word) > 2})
    units = get_pattern("cost", "units")
    people = make_pattern(
        {w.capitalize() for w in list_words("who", "people") if w.rstrip("*") not in list_small()}
    )
    only = get_pattern("who", "only")
    return re.compile(
        rf"(?<=[\w!?.'’”]){known}(?=[\s:–-])|(?<=[{_UPPER}]{{3}})[{_UPPER}][{_LOWER}]+\s"
        rf"|(?<=[{_LOWER}]){people}(?=(?:\s\w+){{0,4}}\s{only}\b)|(?<=\d){units}\b|(?<=\d\spoints)[{_UPPER}]|(?<=\dpoints)[{_UPPER}]|(?<=\d\spts)[{_UPPER}]"
        rf"|(?<=\dpts)[{_UPPER}]|(?<=[{_LOWER}]{{3}})[+–-]\d+\s?{units}\b"
        rf"|(?<=[^\W\d_]{{3}})\d+\s?(?:points|pts)\b|(?<=only)(?:[+–-]?\d|[{_UPPER}])"
    )


def _part_glued(block: Block) -> Block:
    if block.cells:
        return block
    text, end = block.text, 0
    places: list[int] = []
    for edge in _EDGE.finditer(text):
        match = _get_glued().match(text, edge.start()) if edge.start() >= end else None
        if match:
            places.append(match.start())
            end = match.end()
    content = block.content
    for place in reversed(places):
        content = content.cut(0, place).join(content.cut(place), " ")
    return replace(block, content=content) if places else block


# Initials


def _put_back_initials(blocks: list[Block], left: list[LeftOut]) -> list[Block]:
    if not any(_TORN.match(b.text) or _LETTER.fullmatch(b.text.strip()) for b in blocks):
        return blocks
    words = list_text_words(block.text for block in blocks)
    every = Counter(word.lower() for block in blocks for word in WORD.findall(block.text))
    letters = list_letters(every)
    mended = [_join_torn(block, words, letters) for block in blocks]
    headed = [b for b in blocks if b.kind == "heading" and _LETTER.fullmatch(b.text.strip())]
    gone: set[int] = set()
    for place, block in enumerate(mended):
        if (len(headed) > 1 and block in headed) or not _LETTER.fullmatch(block.text.strip()):
            continue  # the letters of an alphabet are headings
        gone.add(place)
        home = _find_home(mended, place)
        if home is None:
            left.append(LeftOut(block.text, block.place, "letter torn off"))
            continue
        target = mended[home]
        letter = block.text.strip()
        between = " " if _is_word(letter, target.text, words) else ""
        content = Styled.of(letter).join(target.content, between)
        gap = max(target.gap, block.gap) if home == place + 1 else target.gap
        sources = (*block.lines, *target.lines)
        mended[home] = replace(target, content=content, gap=gap, sources=sources)
    return [block for place, block in enumerate(mended) if place not in gone]


def _find_home(blocks: Sequence[Block], place: int) -> int | None:
    """Return the paragraph near a torn letter that begins with the rest of a word."""
    steps = (1, *range(-1, -_REACH - 1, -1), *range(2, _REACH))
    near = (place + step for step in steps if 0 <= place + step < len(blocks))
    return next((at for at in near if blocks[at].text[:1].islower()), None)


def _join_torn(block: Block, words: Counter[str], letters: frozenset[str]) -> Block:
    """Return a line with its first word whole."""
    match = _TORN.match(block.text)
    if not match or block.kind == "item" or _is_word(match[1], match[2], words):
        return block
    alone = match[1].lower()
    known = alone in letters or (alone in list_small() and not alone.isascii())
    if known and alone != "a" and not words[alone + match[2]]:
        return block  # "Y compris"
    if match[1] in "AI" and not words[(match[1] + match[2]).lower()]:
        return block  # "A half-built bridge"
    return replace(block, content=block.content.cut(0, 1).join(block.content.cut(2)))


def _is_word(letter: str, following: str, words: Counter[str]) -> bool:
    """Whether a letter stands for itself before what follows, as "A", "I" or what the text has."""
    word = WORD.findall(following)[0].lower()
    if letter not in "AI":
        alone = letter.lower()
        return words[alone] >= _HABIT and words[word] > 0 == words[alone + word]
    return len(word) > 1 and (words[word] > 0 or word in list_words("hyphen", "usual"))


# Paragraphs


def part_paragraphs(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks of a text whose paragraphs follow on one another with gaps between."""
    lines = [block for block in blocks if block.kind == "line"]
    gaps = sum(1 for block in lines if block.gap)
    width = find_width(blocks)
    if not width and any(len(block.text) > _LONG_LINE for block in lines):
        return _part_long_lines(blocks)
    if len(lines) < _FEWEST_LINES or gaps > _MOST_GAPS * len(lines) or not width:
        return list(blocks)
    parted = list(blocks[:1])
    for above, block in pairwise(blocks):
        # Below a name with a stop, as "Rod of Iron.", its text is set in.
        named = above.text.endswith(".") and len(above.text.split()) <= _SHORT_NAME
        hung = above.gap > 0 and named and block.indent > above.indent + 1
        apart = not (block.gap or hung) and _ends_early(above, block, width)
        parted.append(replace(block, gap=1) if apart else block)
    return parted


def _part_long_lines(blocks: Sequence[Block]) -> list[Block]:
    """Part sentences where lines are not broken by length: each is a paragraph."""
    parted = list(blocks[:1])
    for above, block in pairwise(blocks):
        sentences = all(_is_sentence(one) for one in (above, block))
        parted.append(replace(block, gap=1) if sentences and not block.gap else block)
    return parted


def _is_sentence(block: Block) -> bool:
    long = block.kind == "line" and len(block.text) > _SENTENCE
    return long and block.text[:1].isupper() and has_ended(block.text)


def find_width(blocks: Sequence[Block]) -> int:
    """Return how long lines get that run on in the next one; 0 where length breaks none."""
    lengths = sorted(
        len(above.text)
        for above, block in pairwise(blocks)
        if above.kind == block.kind == "line"
        and not block.gap
        and block.text[:1].islower()
        and not has_ended(above.text)
    )
    if len(lengths) < _FEWEST_LINES:
        return 0
    width = lengths[len(lengths) * 9 // 10]
    # Lines broken by length are about equally long.
    return width if lengths[len(lengths) // 4] > 0.6 * width else 0


def _ends_early(above: Block, block: Block, width: int) -> bool:
    """Whether a paragraph ends with a line: the first word of the next would have fitted on it."""
    if above.kind != "line" or block.kind != "line" or not has_ended(above.text):
        return False
    if take_facts(block.text).end >= len(block.text.rstrip()):
        return False
    word = block.text.split(maxsplit=1)[0] if block.text.strip() else ""
    return len(above.text) + 1 + len(word) <= width - _SLACK
