"""Short words with figures that several records share, however they stand: "Move 20 Hits 3".

They stand in pairs on a line, as a row of words above a row of values, or torn apart, each on a
line of its own. What cannot be put together is said, not guessed. Knows nothing of names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from cardgen.importing.finding.facts import find_end
from cardgen.importing.finding.vocabulary import find_label, get_pattern, list_small, list_words
from cardgen.importing.model import Block

FEWEST = 3
_MOST_VALUE = 6  # words of a value
_SPOKEN = ("text", "kind", "uses", "name")  # what labels may mean that are stats among others
_UNIT = r"(?:\s?(?:[a-zäöüß]{1,3}\b|[\"”'′″%°]))?"
_FIGURE = re.compile(
    rf"(?:[+±\-−–]?\d[\d.,/+–-]*{_UNIT}(?:\s?/\s?[\dD][\w+-]*(?:\sper\s\w+)?)?\+?"
    r"|\d*[DdWw]\d+(?:[+-]\d+)?|[-–—*](?!\S))(?!\w)"
)
_WORD = re.compile(
    r"[^\W\d_][^\W\d_'’/.]*(?:\s[^\W\d_]+){0,2}?(?=\s*[:=.]?\s*(?:[+±\-−–]?\d|\d*[DdWw]\d|[-–—*](?!\S)))"
)
_BETWEEN = re.compile(r"\s*[:=.]?\s*")
_AFTER = re.compile(r"\s*[,;|/·•]\s*|\s+[–—-]\s+|\s+|$")
_CELLS = re.compile(r"\s{2,}|\t|\s*\|\s*")
_PARTS = re.compile(r"[\s,;:|/.]*")
_LAST_FIGURE = re.compile(r"(?<=[^\W\d_])\s(?=[+±−–-]?\d\S*$)")


class Pair(NamedTuple):
    label: str
    value: str


class _Patterns(NamedTuple):
    """Words that are known: alone, or before a value, and with a cost among them."""

    whole: re.Pattern[str]
    next: re.Pattern[str]
    stated: re.Pattern[str]


@lru_cache(maxsize=64)
def _make_patterns(known: frozenset[str]) -> _Patterns:
    words = "|".join(re.escape(word) for word in sorted(known, key=len, reverse=True))
    cost = rf"{get_pattern('labels', 'cost')}(?=\s*[:=]?\s*\d)"
    texts = (rf"(?:{words})(?!\w)", rf"\s*(?:{words})\b", rf"(?<!\w)(?:{words}|{cost})(?!\w)")
    return _Patterns(*(re.compile(text, re.IGNORECASE) for text in texts))


def read_pairs(text: str, known: frozenset[str]) -> list[Pair]:
    """Return a line as words with their values; nothing if it holds anything else.

    known: words that may also have a value of several words
    """
    if known and (pairs := _split_at(text, known)):
        return pairs
    text = text.strip().strip("().").strip()
    if pairs := _read_columns(text):
        return pairs
    position = 0
    while position < len(text):
        word = _WORD.match(text, position)
        if not word or (word[0] if len(word[0]) == 1 else word[0].casefold()) in list_small():
            return []
        start = find_end(_BETWEEN, text, word.end())
        value = _FIGURE.match(text, start)
        if not value:
            return []
        after = _AFTER.match(text, value.end())
        if not after or (after.end() == value.end() and value.end() < len(text)):
            return []
        pairs.append(Pair(word[0].strip(), value[0].strip()))
        position = after.end()
    return pairs


def _read_columns(text: str) -> list[Pair]:
    """Return words with their values that wide gaps part, where half of the values are figures."""
    if ("  " not in text and "|" not in text and text.isprintable()) or not _CELLS.search(text):
        return []
    cells = [cell for part in _CELLS.split(text) for cell in _LAST_FIGURE.split(part)]
    pairs = [Pair(*pair) for pair in zip(cells[::2], cells[1::2], strict=False)]
    figures = sum(bool(_FIGURE.fullmatch(pair.value)) for pair in pairs)
    fits = all(
        pair.label[:1].isalpha()
        and len(pair.label.split()) <= 2
        and 0 < len(pair.value.split()) <= 2
        for pair in pairs
    )
    return pairs if fits and len(cells) % 2 == 0 < figures and 2 * figures >= len(pairs) > 1 else []


def _split_at(text: str, known: frozenset[str]) -> list[Pair]:
    """Part a line at words that are known, where each of them has a short value behind it."""
    stated = _make_patterns(known).stated
    if not stated.match(text, len(text) - len(text.lstrip(" .|•*-"))):
        return []
    found = list(stated.finditer(text))
    pairs = []
    for match, after in zip(found, [*found[1:], None], strict=True):
        value = text[match.end() : after.start() if after else None].strip(" :=,;|/·•.")
        if not value or len(value.split()) > _MOST_VALUE or not _is_value(value):
            return []
        pairs.append(Pair(match[0], value))
    return pairs


def _is_value(text: str) -> bool:
    first = text.split()[0]
    return bool(_FIGURE.match(text)) or (len(text.split()) <= 2 and first[-1] not in ".!?")


def learn_stats(texts: Iterable[Sequence[str]]) -> frozenset[str]:
    """Return the words that stand with a figure in several records; `texts` has their lines."""
    counts: Counter[str] = Counter()
    records = 0
    for lines in texts:
        records += 1
        found: set[str] = set()
        for text in lines:
            if len(text) > 160:
                continue
            pairs = read_pairs(text, frozenset())
            if len(pairs) == 1 and (":" in text or "=" in text):
                continue
            if len(pairs) > 1 or (pairs and len(text.split()) <= 5):
                words = [pair.label.casefold() for pair in pairs]
                known = [find_label(word) for word in words]
                beside = len(pairs) > 1 and None in known
                found |= {
                    word
                    for word, gives in zip(words, known, strict=True)
                    if gives is None or (beside and gives in _SPOKEN)
                }
        counts.update(found)
    fewest = max(FEWEST, records / 4)
    usual = {word for word, count in counts.items() if count >= fewest}
    spoken = {word for word in list_words("stats", "words") if counts[word]}
    return frozenset(usual | spoken)


def read_rows(header: str, values: str) -> list[Pair]:
    """Return a row of words and the row of values below it as pairs, if they are as many."""
    for pattern in (_CELLS, re.compile(r"\s+")):
        words = [word for word in pattern.split(header.strip()) if word]
        cells = [cell for cell in pattern.split(values.strip()) if cell]
        if len(words) == len(cells) > 1 and all(word[0].isalpha() for word in words):
            if any(":" in word for word in (*words, *cells)):
                return []
            fits = sum(any(map(str.isdigit, cell)) or cell in "-–—*" for cell in cells)
            if 3 * fits >= 2 * len(cells):
                return [Pair(*pair) for pair in zip(words, cells, strict=True)]
    return []


class Torn(NamedTuple):
    """Words and values that extraction has torn apart; `sure` where one way alone fits."""

    pairs: tuple[Pair, ...]
    sure: bool


def list_torn(text: str, known: frozenset[str]) -> list[tuple[bool, str]]:
    """Return a line as words (True) and values (False) in their order; nothing if it holds else."""
    if not known:
        return []
    patterns = _make_patterns(known)
    tokens: list[tuple[bool, str]] = []
    position = 0
    text = text.strip()
    while position < len(text):
        word = patterns.whole.match(text, position)
        if word:
            tokens.append((True, word[0]))
            position = word.end()
        else:
            value = _FIGURE.match(text, position)
            if not value:
                return []
            rest = text[value.end() :].split(maxsplit=3)
            tail = ""
            if not tokens and rest and not patterns.next.match(text, value.end()):
                plain = not _FIGURE.match(rest[0]) and not any(map(str.isdigit, rest[0]))
                tail = text[value.end() :] if len(rest) <= 3 and plain else ""
            tokens.append((False, (value[0] + tail).strip()))
            position = value.end() + len(tail)
        position = find_end(_PARTS, text, position)
    return tokens


def join_torn(tokens: Sequence[tuple[bool, str]], shapes: dict[str, Counter[str]]) -> Torn:
    """Return the words with the values that fit them: by their form, else in their order."""
    words = [text for is_word, text in tokens if is_word]
    left = [text for is_word, text in tokens if not is_word]
    if len(words) != len(left):
        return Torn((), sure=False)
    in_order = tuple(map(Pair, words, left))
    if all(_may_have(pair, shapes) for pair in in_order):
        return Torn(in_order, sure=any(pair.label.casefold() in shapes for pair in in_order))
    pairs = []
    sure = True
    for place, word in enumerate(words):
        usual = shapes.get(word.casefold())
        fits = [value for value in left if usual and usual[find_form(value)]]
        others = {form for other in words[place + 1 :] for form in shapes.get(other.casefold(), ())}
        own = [value for value in left if find_form(value) not in others]
        sure = sure and (len(fits) == 1 or len(left) == 1 or len(words) == 1)
        value = (fits or own or left)[0]
        left.remove(value)
        pairs.append(Pair(word, value))
    return Torn(tuple(pairs), sure)


def _may_have(pair: Pair, shapes: dict[str, Counter[str]]) -> bool:
    """Whether a value is written as those of its word are."""
    usual = shapes.get(pair.label.casefold())
    return not usual or usual[find_form(pair.value)] > 0


def find_form(value: str) -> str:
    """Return what values of one word share: figures as 9, letters as a."""
    text = re.sub(r"\d+", "9", value.split()[0] if "/" not in value else value[:6])
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\s+", "", text))[:4]


def set_label(label: str) -> str:
    label = label.strip(" :.")
    return label.title() if label.isupper() or label.islower() else label


# Stats among names


def part_stats(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with names parted from stats on their lines, and above them."""
    known = _learn_words(blocks)
    if not known:
        return list(blocks)
    parted = [part for block in blocks for part in _part_block(block, known)]
    return _lift_names(parted)


def _learn_words(blocks: Sequence[Block]) -> frozenset[str]:
    """Return the words that stand alone or with figures on short lines, time and again."""
    alone: Counter[str] = Counter()
    paired: Counter[str] = Counter()
    beside: Counter[str] = Counter()
    spoken = [word for word in list_words("stats", "words") if word]
    vocabulary = re.compile(rf"(?:{get_pattern('stats', 'words')})(?!\w)", re.IGNORECASE)
    for block in blocks:
        text = block.text.strip()
        if block.kind not in ("line", "heading") or block.cells or len(text) > 90:
            continue
        if text.replace(" ", "").isalpha() and len(text.split()) <= 2:
            alone[text.casefold()] += 1
        pairs = read_pairs(text, frozenset())
        paired.update(pair.label.casefold() for pair in pairs)
        if len(pairs) > 1:
            beside.update({pair.label.casefold() for pair in pairs})
        if len(text.split()) <= 8 and not text.endswith("."):
            alone.update({match[0].casefold() for match in vocabulary.finditer(text)})
    found = {word for word in spoken if alone[word] + paired[word] >= 2}
    found |= {word for word, count in beside.items() if count >= FEWEST and not find_label(word)}
    if len(found) < 2:
        return frozenset()
    return frozenset(found | {word for word in paired if paired[word] >= FEWEST and alone[word]})


def _part_block(block: Block, known: frozenset[str]) -> list[Block]:
    text = block.text.strip()
    if block.kind not in ("line", "heading", "item") or block.cells or len(text.split()) > 14:
        return [block]
    if is_stats(text, known) or len(_read_columns(text)) > 1:
        return [replace(block, kind="stat")]
    words = list(re.finditer(r"\S+", text))
    for place in range(1, len(words)):
        cut = words[place].start()
        first, last = text[:cut].strip(), text[cut:].strip()
        name, stats = (first, last) if is_stats(last, known) else (last, first)
        if not is_stats(stats, known) or not _is_name(name):
            continue
        if len(list_torn(stats, known)) < 2:
            continue
        at = text.index(name)
        content = block.content.strip()
        named = replace(block, content=content.cut(at, at + len(name)))
        if name is last:
            named = replace(named, gap=max(1, block.gap))
        start = text.index(stats)
        values = content.cut(start, start + len(stats))
        return [named, replace(block, content=values, kind="stat", gap=0)]
    return [block]


def is_stats(text: str, known: frozenset[str]) -> bool:
    """Whether a line holds words of stats and their values, and nothing else."""
    tokens = list_torn(text, known)
    words = sum(is_word for is_word, _ in tokens)
    if not tokens or (words == 1 and text[:1].islower()):
        return False
    if words:
        return True
    return bool(_FIGURE.fullmatch(text) or re.fullmatch(r"\d+\s*/\s*[\dD].*", text))


def _is_name(text: str) -> bool:
    letters = [sign for sign in text if sign.isalpha()]
    return len(letters) > 2 and text[:1].isupper() and text[-1] not in ".,;:"


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
        if run and not last and _may_name(block) and not (lifted and _may_name(lifted[-1])):
            lifted.append(replace(block, gap=max(1, block.gap)))
            lifted += [replace(one, gap=0) for one in run]
        else:
            lifted += run
            lifted.append(block)
        run = []
    return [*lifted, *run]


def _may_name(block: Block) -> bool:
    """Whether a line is set as names are: a heading, bold, or in capitals."""
    marked = block.kind == "heading" or block.content.face > 0 or block.text.isupper()
    plain = not block.cells and block.text[-1:] not in ".:"
    return marked and plain and len(block.text.split()) <= 8
