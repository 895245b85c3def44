"""Short words with figures that several records share, however they stand: "Move 20 Hits 3".

A line of them is words and values by turns, a row of words above a row of values, or what a torn
scan leaves: one of both alone. What cannot be put together is said, not guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from cardgen.importing.finding.facts import find_end, take_facts
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.vocabulary import find_label, get_pattern, list_small, list_words
from cardgen.importing.model import Block

_FEWEST = 3
_MOST_VALUE = 6  # words of a value
_LONGEST = 160
_SHORTENED = 3  # letters of "HP"
_SPOKEN = (None, "text", "kind", "uses", "name")  # what the words of stats may mean as labels
_UNIT = r"(?:\s?(?:[a-zäöüß]{1,3}\b|[\"”'′″%°]))?"
_FIGURE = re.compile(
    rf"(?:[+±\-−–]?\d[\d.,/+–-]*{_UNIT}(?:\s?/\s?[\dD][\w+-]*(?:\sper\s\w+)?)?\+?"
    r"|\d*[DdWw]\d+(?:[+-]\d+)?|[-–—*](?!\S))(?!\w)"
)
_WORD = re.compile(
    r"[^\W\d_][^\W\d_'’/.]*(?:\d(?=\s))?(?:\s[^\W\d_]+){0,2}?(?=\s*[:=.]?\s*(?:[+±\-−–]?\d|\d*[DdWw]\d|[-–—*](?!\S)))"
)
_BETWEEN = re.compile(r"\s*[:=.]?\s*")
_AFTER = re.compile(r"\s*[,;|/·•]\s*|\s+[–—-]\s+|\s+|$")
_CELLS = re.compile(r"\s{2,}|\t|\s*\|\s*")
_PARTS = re.compile(r"[\s,;:=|/.·•]*")
_DASH = re.compile(r"(?<=\S)\s+[–—-]$")
_COMMAS = re.compile(r",(?:\s+|$)")
_STAT = re.compile(r"[A-ZÀ-Þ][\w.]{0,14}\s[+–-]?\d")
_NEXT = re.compile(r"\s\|\s|:\s")  # what parts a value from another word
_ASIDE = re.compile(r"(?<=\d)\s*\([^()]*\d[^()]*\)$")  # "Hit Points 3 (1d4 + 1)"


class Pair(NamedTuple):
    label: str
    value: str

    @property
    def key(self) -> str:
        return self.label.casefold()


class Token(NamedTuple):
    """A word, or a value, of a line that holds nothing else."""

    is_word: bool
    text: str


# What is learned


def read_pairs(text: str) -> list[Pair]:
    """Return a line as any words with their figures; nothing if it holds anything else."""
    text = _ASIDE.sub("", text.strip()).strip("().").strip()
    pairs: list[Pair] = []
    position = 0
    while position < len(text):
        word = _WORD.match(text, position)
        if not word or (word[0] if word[0].isupper() else word[0].casefold()) in list_small():
            return []
        if pairs and pairs[0].label[:1].isupper() and word[0].split()[0] in list_small():
            return []  # "Roll 2d6 and add 2"
        value = _FIGURE.match(text, find_end(_BETWEEN, text, word.end()))
        after = _AFTER.match(text, value.end()) if value else None
        if not value or not after:
            return []
        pairs.append(Pair(word[0].strip(), value[0].strip()))
        position = after.end()
    return pairs


def read_rows(header: str, values: str) -> list[Pair]:
    """Return a row of words and the row of values below it as pairs, if they are as many."""
    for pattern in (_CELLS, re.compile(r"\s+")):
        words, cells = pattern.split(header.strip()), pattern.split(values.strip())
        fits = sum(any(map(str.isdigit, cell)) for cell in cells)
        if len(words) == len(cells) > 1 and 3 * fits >= 2 * len(cells):
            return [Pair(*pair) for pair in zip(words, cells, strict=True)]
    return []


def learn_words(texts: Sequence[str], stated: Sequence[str], records: int = 0) -> frozenset[str]:
    """Return the words that come again and again with figures, or alone, on lines of records.

    stated: lines on which words of the vocabulary are what they seem
    records: how many of these the lines are of, if that is known
    """
    short = [text.strip() for text in texts if len(text) <= _LONGEST]
    lines = Counter(text.casefold() for text in short)
    paired: Counter[str] = Counter()
    own: Counter[str] = Counter()
    for text in short:
        pairs = read_pairs(text)
        if len(pairs) == 1 and ":" in text:
            continue  # a label
        own.update(pair.key for pair in pairs)
        if records or len(pairs) > 1:
            paired.update(pair.key for pair in pairs if find_label(pair.key) in _SPOKEN)
    for above, below in pairwise(short):
        if lines[above.casefold()] >= _FEWEST and ":" not in above:
            paired.update(pair.key for pair in read_rows(above, below) if not find_label(pair.key))
    for words in _list_torn(lines):
        paired.update(dict.fromkeys(words, _FEWEST + records))
    spoken = Counter(
        word
        for text in stated
        if len(text.split()) <= 8 and text[-1:] != "." and _may_hold_stats(text)
        for word in {match[0].casefold() for match in _get_vocabulary().finditer(text)}
    )
    found = {word for word, count in paired.items() if count >= max(_FEWEST, records / 4)}
    own.update(spoken)
    usual = _list_spoken()
    found |= {word for word, count in own.items() if word in usual and count > (not records)}
    if records:
        fewest = max(_FEWEST, records / 2)
        values = sum(n for text, n in lines.items() if all(map(_FIGURE.fullmatch, text.split())))
        if values >= fewest:  # else "Why" and "How" are headings of what stands below them
            found |= {text for text, count in lines.items() if count >= fewest and text.isalpha()}
    else:
        found |= {word for word, count in own.items() if count >= _FEWEST and lines[word]}
    return frozenset(found | _list_costs(lines, found))


def _list_costs(lines: Mapping[str, int], known: Set[str]) -> set[str]:
    """Return the words for a cost that stand among the words of stats, or alone as they do, without
    a figure: "POINTS" between "HITS" and "2 50" of a torn scan.
    """
    costs: Counter[str] = Counter()
    for text, count in lines.items():
        words = {*text.split()}
        own = {word for word in words - known if find_label(word) == "cost"}
        if own and words <= known | own and (len(words) > 1 or len(known) > 1):
            costs.update(dict.fromkeys(own, count))
    return {word for word, count in costs.items() if count >= _FEWEST}


def _list_torn(lines: Mapping[str, int]) -> Iterator[list[str]]:
    """Yield the words of lines that come again, where lines of as many figures stand apart."""
    figured: Counter[int] = Counter()
    for text, count in lines.items():
        if text[:1].isdigit() and all(map(_FIGURE.fullmatch, text.split())):
            figured[len(text.split())] += count
    for text, count in lines.items():
        words = text.split()
        plain = len(words) > 1 and all(map(str.isalpha, words))
        if plain and count >= _FEWEST and 2 * figured[len(words)] > count:
            yield words


def _may_hold_stats(text: str) -> bool:
    """Whether a line has figures, or nothing but words of the vocabulary: "Move Hits Armour"."""
    valued = any(map(str.isdigit, text)) or text.strip()[-1:] in "-–—*"
    return valued or not _get_vocabulary().sub("", text).strip(" .,;:|/")


@cache
def _list_spoken() -> frozenset[str]:
    return frozenset(list_words("stats", "words"))


@cache
def _get_vocabulary() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{get_pattern('stats', 'words')})(?!\w)", re.IGNORECASE)


# How lines are read


@lru_cache(maxsize=64)
def _get_known(known: frozenset[str]) -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word in sorted(known, key=len, reverse=True))
    cost = rf"{get_pattern('labels', 'cost')}(?=\s*[:=]?\s*\d)"
    return re.compile(rf"(?<!\w)(?:(?P<word>{words})|{cost})(?!\w)", re.IGNORECASE)


def read_tokens(text: str, known: frozenset[str]) -> list[Token]:
    """Return a line as words that are known and values, in their order; nothing if it holds else.

    Where each word has one of its own, the values may be a few words.
    """
    if not known or len(text) > _LONGEST:
        return []
    words = list(_get_known(known).finditer(text))
    starts = [0, *(word.end() for word in words)]
    gaps = [
        _DASH.sub("", text[start:end].strip(" :=,;|/·•.*"))
        for start, end in zip(starts, [*(word.start() for word in words), None], strict=True)
    ]
    if words and not any(word["word"] for word in words):
        return []  # a cost alone
    if words and not gaps[0] and all(_is_value(gap) for gap in gaps[1:]):
        pairs = zip(words, gaps[1:], strict=True)
        return [one for word, gap in pairs for one in (Token(True, word[0]), Token(False, gap))]
    tokens: list[Token] = []
    for gap, word in zip(gaps, [*words, None], strict=True):
        values = list(_list_figures(gap))
        if gap and not values:
            return []
        tokens += [Token(False, value) for value in values]
        tokens += [Token(True, word[0])] if word else []
    return tokens


def _list_figures(text: str) -> Sequence[str]:
    """Return a text as figures, or as one with a few words behind it; nothing if it is none."""
    figures: list[str] = []
    position = 0
    while position < len(text):
        figure = _FIGURE.match(text, position)
        if not figure:
            plain = len(figures) == 1 and not any(map(str.isdigit, text[position:]))
            return [text] if plain and len(text[position:].split()) <= 3 else []
        figures.append(figure[0].strip())
        position = find_end(_PARTS, text, figure.end())
    return figures


def _is_value(text: str) -> bool:
    words = text.split()
    if not 0 < len(words) <= _MOST_VALUE or _NEXT.search(text):
        return False
    return bool(_FIGURE.match(text)) or len(words) <= 2


def pair_up(tokens: Sequence[Token]) -> list[Pair]:
    """Return words with the values that stand behind them; nothing where these are torn apart."""
    words, values = tokens[::2], tokens[1::2]
    if len(words) != len(values) or not all(one.is_word for one in words):
        return []
    if any(one.is_word for one in values):
        return []
    return [Pair(word.text, value.text) for word, value in zip(words, values, strict=True)]


class Joined(NamedTuple):
    """Words with the values that extraction has torn off; `sure` where one way alone fits."""

    pairs: tuple[Pair, ...]
    sure: bool


def join_torn(tokens: Sequence[Token], forms: Mapping[str, Counter[str]]) -> Joined:
    """Return the words with the values that fit them: by their form, else in their order."""
    words = [token.text for token in tokens if token.is_word]
    left = [token.text for token in tokens if not token.is_word]
    if len(words) != len(left):
        return Joined((), sure=False)
    usual = [forms.get(word.casefold(), Counter()) for word in words]
    if all(not own or own[find_form(value)] for own, value in zip(usual, left, strict=True)):
        return Joined(tuple(map(Pair, words, left)), sure=any(usual))
    pairs, sure = [], True
    for word, own in zip(words, usual, strict=True):
        fits = [value for value in left if own[find_form(value)]]
        sure = sure and (len(fits) == 1 or len(left) == 1)
        value = (fits or left)[0]
        left.remove(value)
        pairs.append(Pair(word, value))
    return Joined(tuple(pairs), sure)


def find_form(value: str) -> str:
    """Return what values of one word share: figures as 9, letters as a."""
    text = re.sub(r"\d+", "9", value.split()[0] if "/" not in value else value[:6])
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\s+", "", text))[:4]


def set_label(label: str) -> str:
    """Return a label as a card shows it: a word with a capital, what is cut short in capitals."""
    label = label.strip(" :.")
    if label.isupper() and len(label) <= _SHORTENED:
        return label
    return label.title() if label.isupper() or label.islower() else label


# Stats over several lines


def join_stats(blocks: Sequence[Block], joiner: Joiner) -> list[Block]:
    """Return the blocks with stats that go on in the line below as one: "AC 3, DM" above "1-4"."""
    parts = [_COMMAS.split(block.text.strip()) for block in blocks]
    several = [one for one in parts if sum(map(bool, map(_STAT.match, one))) > 1]
    known = _list_begun(several, _FEWEST)
    beside = [one for one in parts if any(_find_first(part) in known for part in one)]
    known |= _list_begun(beside, 2)
    if not known:
        return list(blocks)
    joined: list[Block] = []
    told: list[str] = []  # the parts of the line that was joined last
    for block, own in zip(blocks, parts, strict=True):
        if joined and _runs_on(joined[-1], told, block, own, known):
            whole = joiner.join([joined[-1].content, block.content])
            lines = (*joined[-1].lines, *block.lines)
            joined[-1] = replace(joined[-1], content=whole, sources=lines)
            told = _COMMAS.split(whole.text)
        else:
            joined.append(block)
            told = own
    return joined


def _list_begun(lines: Iterable[Sequence[str]], fewest: int) -> set[str]:
    """Return the words that parts of so many lines begin with."""
    begun = Counter(
        word for one in lines for word in {_find_first(part) for part in one if part[:1].isupper()}
    )
    return {word for word, times in begun.items() if times >= fewest}


def _find_first(part: str) -> str:
    return part.split()[0] if part.strip() else ""


def _runs_on(
    above: Block, told: Sequence[str], block: Block, own: Sequence[str], known: Set[str]
) -> bool:
    """Whether stats that a line tells go on in the one below it."""
    words = [_find_first(part) for part in told if part]
    if above.kind != "line" or block.kind != "line" or len(words) < 2:
        return False
    if not told[-1]:
        return _find_first(own[0]) in known
    if words[-1] in known and told[-1] == words[-1]:
        return True  # its value stands below it
    following = {_find_first(part) for part in own[1:] if part}
    return block.text[:1].islower() and bool(following) and known >= following


# Stats among names


def part_stats(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with names parted from stats on their lines, and above them."""
    texts = [block.text for block in blocks if block.kind in ("line", "heading")]
    known = learn_words(texts, texts)
    if len(known) < 2:
        return list(blocks)
    parted: list[Block] = []
    above: list[str] = []
    for block in blocks:
        words = block.text.split()
        plain = not block.cells and len(words) <= 14
        parted += _part_block(block, known, above) if plain else [block]
        above = words
    return _lift_names(parted)


def _stand_below(values: Sequence[str], above: Sequence[str]) -> bool:
    """Whether a line holds a figure for each of the words of the line above it, and no more."""
    alike = 1 < len(values) == len(above) and all(word[0].isalpha() for word in above)
    return alike and all(map(_FIGURE.fullmatch, values))


def _part_block(block: Block, known: frozenset[str], above: Sequence[str]) -> list[Block]:
    """Return a line of stats as such; a name before or behind several of them as a line."""
    text = block.text.strip()
    if (not block.gap and _stand_below(text.split(), above)) or _is_stats(text, known):
        return [replace(block, kind="stat")]
    content = block.content.strip()
    for gap in re.finditer(r"\s+", text):
        first, last = content.cut(0, gap.start()), content.cut(gap.end())
        for name, stats in ((first, last), (last, first)):
            several = len(read_tokens(stats.text, known)) > 1
            named = name.text[:1].isupper() and name.text[-1] not in ".,;:"
            if named and several and _is_stats(stats.text, known):
                line = replace(block, content=name)
                return [line, replace(block, content=stats, kind="stat", gap=0)]
    return [block]


def _is_stats(text: str, known: frozenset[str]) -> bool:
    """Whether a line holds words of stats and their values, and nothing else."""
    tokens = read_tokens(text, known)
    words = sum(token.is_word for token in tokens)
    if words == 0:
        return _FIGURE.fullmatch(text) is not None and not take_facts(text).has("cost")
    if not all(one.is_word or _FIGURE.fullmatch(one.text) for one in tokens[1:]):
        return False
    return words > 1 or not text[:1].islower()


def _lift_names(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with stats that extraction has set above their name below it."""
    lifted: list[Block] = []
    run: list[Block] = []
    waiting = 0
    for block in blocks:
        if block.kind == "stat":
            run.append(block)
            continue
        last = waiting > 0 and all(_FIGURE.match(one.text.strip()) for one in run)
        waiting = 0 if _may_name(block) else waiting + len(run)
        own = bool(run) and not run[0].gap and block.gap > 0  # they are close to the line above
        if (
            run
            and not (last or own)
            and _may_name(block)
            and not (lifted and _may_name(lifted[-1]))
        ):
            lifted.append(replace(block, gap=max(1, block.gap)))
            lifted += [replace(one, gap=0) for one in run]
        else:
            lifted += [*run, block]
        run = []
    return [*lifted, *run]


def _may_name(block: Block) -> bool:
    """Whether a line is set as names are: a heading, bold, or in capitals."""
    marked = block.kind == "heading" or block.text.isupper()
    return marked and not block.cells and block.text[-1:] not in ".:"
