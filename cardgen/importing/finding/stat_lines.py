"""Lines of stats become a block for each stat, below the name that they belong to.

"RANGE", "ATTACK", "60cm" and "1 / 3", torn apart and in whatever order, become "Range 60cm" and
"Attack 1 / 3". Words that a document prints with a figure below several names are stats too, as
"Difficulty 7". Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from cardgen.importing.finding.names import find_shape, looks_like_name
from cardgen.importing.finding.rule_parts import expand
from cardgen.importing.model import Block, SourceLine, Styled

_FEWEST = 3
_NO_STAT = re.compile(
    r"(?:{points word}|cards?|pages?|chapters?|parts?|sections?|turns?|rolls?|rounds?|fig(?:ure)?|"
    r"nos?|numbers?|copies|count|qty|quantity|step|table|level|rank|posts?|visitors?|grade|class|tier|add|plus|"
    r"minus|within|up to|on|or|and|at|to|by|for|of|in|an?|the)".replace(
        "{points word}", expand("{cost word}")
    ),
    re.IGNORECASE,
)
_LABEL = re.compile(r"[^\W\d_][^\W\d_'’/]+(?: [^\W\d_]+)?")
_VALUE = re.compile(expand(r"(?:{stat value}|\d{{3,4}})(?![\w/+])"), re.IGNORECASE)
_REST = re.compile(
    expand(r"(?:{stat value}|\d{{3,4}})(?: ?\+ ?\w+| per \w+| each| \([^()]*\)){{0,2}}$"), re.I
)
_DASH = re.compile(r"[-–—*](?!\S)")
_BETWEEN = re.compile(r"\s*[:=.]?\s*")
_AFTER = re.compile(r"\s*[,;|/·•]\s*|\s+[–—-]\s+|\s+|$")
_NAME_AND_LABELS = re.compile(
    expand(r"([A-ZÀ-ÖØ-Þ].*?[A-ZÀ-ÖØ-Þ]) +((?i:{stat word})(?: +(?i:{stat word}))+)")
)
_APART = re.compile(r"[\s,;:|/.]*")
_COST = re.compile(expand(r"{cost word}"), re.IGNORECASE)
_WORD = re.compile(expand(r"(?:{stat word}|{cost word})\b"), re.IGNORECASE)
_LENGTH = re.compile(r"(?:\d+|\d*D\d+)\s?(?:cm|mm|in|[\"”])|varies")
_RATIO = re.compile(r"\d+\s*/\s*\S.*")
_SAVE = re.compile(r"\d\+|[-–—]")
_SHAPES = {"range": _LENGTH, "move": _LENGTH, "speed": _LENGTH, "attack": _RATIO, "armour": _SAVE}


class Pair(NamedTuple):
    label: str
    value: str


class Token(NamedTuple):
    text: str
    is_label: bool


def gather_stats(blocks: Sequence[Block]) -> list[Block]:
    blocks = [
        part
        for block, below in pairwise([*blocks, None])
        if block
        for part in _part_labels(block, below) or _part_name(block)
    ]
    blocks = _lift_names(blocks)
    labels = _learn_labels(blocks)
    counts = Counter(block.text for block in blocks)
    repeated = frozenset(text for text, count in counts.items() if count > 1)
    gathered: list[Block] = []
    at = 0
    while at < len(blocks):
        end, pairs = _read_run(blocks, at, labels)
        if not pairs:
            gathered.append(blocks[at])
            at += 1
            continue
        run = blocks[at:end]
        gap = run[0].gap
        if _stand_before_name(blocks, at, end, len(pairs), repeated):
            gathered.append(replace(blocks[end], gap=max(blocks[end].gap, gap, 1)))
            gap = 0
            end += 1
            while end < len(blocks) and not blocks[end].gap and _may_be_name(blocks[end]):
                gathered.append(blocks[end])
                end += 1
        gathered += _make_blocks(pairs, run, gap)
        at = end
    return gathered


def _part_labels(block: Block, below: Block | None) -> list[Block]:
    """A name with the words of its stats behind it, their values on the line below."""
    match = _NAME_AND_LABELS.fullmatch(block.text)
    if not match or not below or block.cells:
        return []
    values = _list_tokens(below.text)
    words = _list_tokens(match[2])
    if len(words) != len(values) or any(token.is_label for token in values):
        return []
    name, labels = block.content.cut(0, match.end(1)), block.content.cut(match.start(2))
    return [replace(block, content=name), replace(block, content=labels, gap=0)]


def _part_name(block: Block) -> list[Block]:
    """A line as "RANGE 40cm BOLT THROWER" in two: extraction has put the name behind a stat."""
    if block.kind != "line" or block.cells or not _WORD.match(block.text):
        return [block]
    for match in re.finditer(r"(?<=\S)\s+(?=[^\W\d_]{2})", block.text):
        name = block.content.cut(match.end()).strip()
        if (
            _split_pairs(block.text[: match.start()], _WORD)
            and not _WORD.match(name.text)
            and find_shape(name.text) == "capitals"
            and looks_like_name(name.text)
        ):
            stats = replace(block, content=block.content.cut(0, match.start()), gap=0)
            return [replace(block, content=name, gap=max(block.gap, 1)), stats]
    return [block]


def _lift_names(blocks: list[Block]) -> list[Block]:
    """A name that extraction has set between words and their values comes to stand above both."""
    lifted = list(blocks)
    for at in range(1, len(lifted) - 1):
        if not (_may_be_name(lifted[at]) and _list_tokens(lifted[at + 1].text)):
            continue
        start = at
        words = 0
        while start and (tokens := _list_tokens(lifted[start - 1].text)):
            if not all(token.is_label for token in tokens):
                break
            words += len(tokens)
            start -= 1
        values = 0
        end = at + 1
        while end < len(lifted) and (tokens := _list_tokens(lifted[end].text)):
            if any(token.is_label for token in tokens):
                break
            values += len(tokens)
            end += 1
        if words and words == values:
            name = replace(lifted[at], gap=max(1, lifted[start].gap))
            lifted[start : at + 1] = [name, *lifted[start:at]]
    return lifted


def _stand_before_name(
    blocks: Sequence[Block], at: int, end: int, pairs: int, repeated: frozenset[str]
) -> bool:
    """Whether extraction has given them before the name that they stand beside."""
    if end >= len(blocks) or not _may_be_name(blocks[end]):
        return False
    if pairs < 2 and blocks[end].gap:
        return False
    if blocks[end].kind == "heading" != blocks[at - 1].kind:
        return True
    if not at or not _may_be_name(blocks[at - 1]) or blocks[at - 1].text in repeated:
        return True
    return blocks[at].gap > 0 and not blocks[end].gap


def _make_blocks(pairs: Sequence[Pair], run: Sequence[Block], gap: int) -> Iterator[Block]:
    lines = tuple(SourceLine(block.place, block.text) for block in run)
    for number, pair in enumerate(pairs):
        content = Styled.of(f"{pair.label} {pair.value}")
        cells = tuple(Styled.of(part) for part in pair)
        if _COST.fullmatch(pair.label):
            content, cells = Styled.of(f"Cost: {pair.value}"), ()
        yield replace(
            run[0],
            content=content,
            kind="stat" if cells else "line",
            gap=0 if number else gap,
            cells=(),
            stat=pair if cells else None,
            sources=lines,
        )


def _learn_labels(blocks: Sequence[Block]) -> frozenset[str]:
    """The words that stand with a figure on lines of their own below several names."""
    counts: Counter[str] = Counter()
    for at, block in enumerate(blocks):
        if block.kind not in ("line", "item") or len(block.text) > 90 or block.cells:
            continue
        pairs = list(_split_pairs(block.text, _LABEL))
        if at and pairs and not block.gap > 1 and _may_follow(blocks[at - 1]):
            counts.update({pair.label.casefold() for pair in pairs})
    return frozenset(label for label, count in counts.items() if count >= _FEWEST)


def _may_follow(above: Block) -> bool:
    return looks_like_name(above.text) or bool(list(_split_pairs(above.text, _LABEL)))


def _split_pairs(text: str, label: re.Pattern[str]) -> Iterable[Pair]:
    """A line as words with their values; nothing if it holds anything else."""
    text = text.strip().rstrip(".")
    pairs: list[Pair] = []
    position = 0
    while position < len(text):
        word = label.match(text, position)
        if not word or (_NO_STAT.fullmatch(word[0]) and not _COST.fullmatch(word[0])):
            return ()
        start = _match_end(_BETWEEN, text, word.end())
        value = _REST.match(text, start) or _VALUE.match(text, start) or _DASH.match(text, start)
        if not value:
            return ()
        after = _AFTER.match(text, value.end())
        if not after or (after.end() == value.end() and value.end() < len(text)):
            return ()
        pairs.append(Pair(word[0], value[0]))
        position = after.end()
    return [] if all(_COST.fullmatch(pair.label) for pair in pairs) else pairs


def _match_end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _may_be_name(block: Block) -> bool:
    marked = block.kind == "heading" or block.content.face > 0
    return (marked or find_shape(block.text) == "capitals") and looks_like_name(block.text)


def _read_run(
    blocks: Sequence[Block], start: int, labels: frozenset[str]
) -> tuple[int, list[Pair]]:
    """The blocks from `start` on that hold words and values of stats and nothing else."""
    pairs: list[Pair] = []
    torn: list[Token] = []
    end = start
    complete = start
    while end < len(blocks) and (block := blocks[end]).kind in ("line", "item", "heading", "row"):
        text = re.sub(r"\s{2,}\|?\s*|\t", "  ", block.text).strip()
        known = _split_pairs(text, _WORD) or [
            pair
            for pair in _split_pairs(text, _LABEL)
            if pair.label.casefold() in labels or _WORD.fullmatch(pair.label)
        ]
        if known and not torn:
            pairs += known
        elif tokens := _list_tokens(text):
            torn += tokens
        else:
            break
        end += 1
        if 2 * sum(token.is_label for token in torn) == len(torn):
            pairs += _pair(torn)
            torn = []
            complete = end
    if complete == start or all(_COST.fullmatch(pair.label) for pair in pairs):
        return start, []
    return complete, [Pair(_set_label(pair.label), pair.value.strip()) for pair in pairs]


def _list_tokens(text: str) -> list[Token]:
    """A line as words and values in any order; nothing if it holds anything else."""
    if _REST.fullmatch(text) or _DASH.fullmatch(text):
        return [Token(text, is_label=False)]
    tokens: list[Token] = []
    position = _match_end(_APART, text, 0)
    while position < len(text):
        word = _WORD.match(text, position)
        token = word or _VALUE.match(text, position) or _DASH.match(text, position)
        if not token:
            return []
        tokens.append(Token(token[0], is_label=bool(word)))
        position = _match_end(_APART, text, token.end())
    return tokens


def _pair(tokens: Sequence[Token]) -> list[Pair]:
    """Each word with the value that fits it: lengths to ranges and moves, "1 / 3" to attacks."""
    left = [token.text for token in tokens if not token.is_label]
    pairs = []
    for word in (token.text for token in tokens if token.is_label):
        wanted = _find_shape(word)
        fits = [value for value in left if wanted and wanted.fullmatch(value)]
        plain = [value for value in left if not _LENGTH.match(value) and not _RATIO.match(value)]
        value = (fits or plain or left)[0]
        left.remove(value)
        pairs.append(Pair(word, value))
    return pairs


def _find_shape(word: str) -> re.Pattern[str] | None:
    return next((shape for start, shape in _SHAPES.items() if word.lower().startswith(start)), None)


def _set_label(label: str) -> str:
    label = label.strip(" :.")
    return label.title() if label.isupper() or label.islower() else label
