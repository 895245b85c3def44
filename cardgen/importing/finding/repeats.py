"""Labels that do not begin lines of their own, but come again and again with other values.

"Price   Weight   State" above "30 crowns   2 oz   worn", each label above its value by itself, or
"Size: 7 cm. Hardness: 5." before a text. All are written as lines like "Price: 30 crowns", and are
read like any other. Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from statistics import median
from typing import NamedTuple

from cardgen.importing.finding.labels import find_labelled, part_at
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.names import looks_like_name
from cardgen.importing.finding.vocabulary import find_label, list_words
from cardgen.importing.model import Block, Styled

_FEWEST = 3
_NEARLY_ALL = 0.7
_MOST_WORDS = 3
_SIGNS = re.compile(r"[.,;!?=]|:\s*\S")
_SHORT = 5  # words of a value
_LISTED = 8  # words of an item
_MOST_ABOVE = 2  # lines
_MOST_CLOSINGS = 6  # labels at the end of one text
_SIGNED = re.compile(r"^(?:[^\w\"'“‘«„(]+)?(?:[IVXLC\d]+[.)]\s+)?")  # "🃏 II. The Rootwarden"
_NEAR = 5  # lines within which a table has its next row
_STOPPED = re.compile(r"[^\W\d_]:\s+(?:[^.:!?]|\.(?=\d)){1,50}\.\s")
_NAMED = re.compile(
    r"(?:\d{1,3}[.)]\s+)?[^.:!?]{2,60}\.\s+(?=[^\W\d_][^.:]{1,30}(?::|\s\d{1,4}\.)\s)"
)
_RUN_IN = re.compile(r"(?:^|(?<=[.!?…\"”»)])\s*)([A-ZÀ-Þ][\w'’-]*(?:\s[\w'’-]+){0,2}):\s+(?=\S)")
_FIRST = re.compile(r"[^\W\d_][\w ]{0,20}:\s+\S")
_INNER = re.compile(r"(?<=[^\s.!?…,;|/·•–—-]) ([A-ZÀ-Þ][\w-]*): +(?=\S)")
_SIGN = r"(?:\s?:|,(?=\s+\d))\s+"  # "Price: 2s.", "Price, 2s."
_VALUE = r"(?:[^.:!?]|\.(?=\s?\d)){1,50}"
_SAID = re.compile(rf"(?P<label>[^\W\d_][^.:!?]{{1,24}}?){_SIGN}(?P<value>{_VALUE})\.\s+")
_ENDED = re.compile(
    rf"(?<=[.!?])\s+(?:[—–-]+\s+)?([^\W\d_][^.:!?—–]{{1,24}}?){_SIGN}({_VALUE})\.?$"
)
# "Much recommended for nurseries. ....... 4d. the packet"
_LED = re.compile(r"(?<=\w[.!?])\s+(?:[.…_]\s?){4,}\s*(?=[^.]{0,8}\d)(\S.{0,30})$")
_SHOUTED = re.compile(r"(?:\d{1,3}[.)]\s+)?[^.:!?a-zß-ÿ]{4,60}\.\s+(?=\S*[a-zß-ÿ])")
_COUNTED = re.compile(r"(?P<label>[^\W\d_]+)\s(?P<value>\d{1,4})\.\s+")  # "Honour 3. A carp."
_NUMBER = re.compile(r"(?P<value>\w+)\s(?P<label>[^\W\d_]+)\.\s+")  # "Seven stars. A kettle."
_WIDE = re.compile(r"\s{2,}|\t+")


def label_rows(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with the labels that come again above values before these."""
    again = Counter(_close_up(block) for block in blocks if _may_label(block))
    often = {text for text, count in again.items() if count >= _FEWEST}
    return _label_below(_part_heads(blocks, often), often)


def _close_up(block: Block) -> str:
    """Return a text with gaps of one width: they are as wide as what stands below needs."""
    return _WIDE.sub("  ", block.text.strip())


def _may_label(block: Block) -> bool:
    words = _WIDE.split(block.text.strip(" :"))
    plain = block.kind == "line" and not _SIGNS.search(block.text)
    few = all(word[:1].isupper() and len(word.split()) <= _MOST_WORDS for word in words)
    return plain and few and not any(map(str.isdigit, block.text))


def _part_heads(blocks: Sequence[Block], often: set[str]) -> list[Block]:
    """Return lines of several labels and those of as many values below them as one for each."""
    pairs = {
        at: parts
        for at, (above, below) in enumerate(pairwise(blocks))
        if _close_up(above) in often and not below.gap
        for parts in [(_part(above), _part(below))]
        if len(parts[0]) == len(parts[1]) > 1
        and len(parts[0]) not in _count_below(blocks, at + 2, often)
    }
    rows = defaultdict(list)
    for at, (_, values) in pairs.items():
        rows[_close_up(blocks[at])].append([value.text for value in values])
    pairs = {at: pair for at, pair in pairs.items() if _are_values(rows[_close_up(blocks[at])])}
    parted: list[Block] = []
    for at, block in enumerate(blocks):
        if at in pairs:
            lines = (*block.lines, *blocks[at + 1].lines)
            for label, value in zip(*pairs[at], strict=True):
                said = label.join(value, ": ")
                parted.append(replace(block, content=said, gap=0, sources=lines))
                lines = ()
        elif at - 1 not in pairs:
            parted.append(block)
    return parted


def _count_below(blocks: Sequence[Block], at: int, often: set[str]) -> Iterator[int]:
    """Yield how many parts some lines have up to the next labels: more rows make it a table."""
    for block in takewhile(lambda one: _close_up(one) not in often, blocks[at : at + _NEAR]):
        yield len(_part(block))


def _part(block: Block) -> list[Styled]:
    return part_at(block.content.strip(), _WIDE)


def _are_values(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows differ in what stands first; figures alone are stats, which are read as such."""
    worded = any(any(map(str.isalpha, value)) for row in rows for value in row)
    return worded and len({row[0] for row in rows}) > 1  # "Weight   2", "Weight   5"


def _label_below(blocks: Sequence[Block], often: set[str]) -> list[Block]:
    """Return labels with the one line, or the short list, that stands between each and the next."""
    texts = [block.text for block in blocks]
    again = Counter(text for text in texts if text in often)
    ends = {
        at: _find_value_end(blocks, at, often) for at, text in enumerate(texts) if text in often
    }
    turns: Counter[tuple[str, str]] = Counter()
    for at, end in ends.items():
        if end > at + 1 and end in ends:
            turns[texts[at], texts[end]] += 1
    usual = [pair for pair, times in turns.items() if times >= _NEARLY_ALL * again[pair[0]]]
    long = {text for text in again if not _lists_little(blocks, ends, text)}
    labels = {text for pair in usual for text in pair} - long
    places = {at: end for at, end in ends.items() if texts[at] in labels and end > at + 1}
    worded = any(texts[at + 1][:1].isalpha() for at in places)  # figures alone are stats
    return list(_join_below(blocks, places)) if len(labels) > 1 and worded else list(blocks)


def _find_value_end(blocks: Sequence[Block], at: int, often: set[str]) -> int:
    """Return where what stands below a label ends: a line, or the items of a list."""
    items = takewhile(lambda one: one.kind == "item", blocks[at + 1 :])
    listed = at + 1 + sum(1 for _ in items)
    below = at + 1 < len(blocks) and blocks[at + 1].text not in often
    return listed if listed > at + 1 else at + 1 + below


def _lists_little(blocks: Sequence[Block], ends: Mapping[int, int], text: str) -> bool:
    """Whether the lists below a label are of a few short items, so that they make one value."""
    lists = [
        blocks[at + 1 : end] for at, end in ends.items() if blocks[at].text == text and end > at + 2
    ]
    phrases = (
        len(one.text.split()) <= _LISTED and one.text[-1:] != "." for own in lists for one in own
    )
    return all(phrases) and (not lists or median(map(len, lists)) <= _FEWEST)


def _join_below(blocks: Sequence[Block], places: Mapping[int, int]) -> Iterator[Block]:
    used = 0
    for at, block in enumerate(blocks):
        if at in places:
            used = places[at]
            below = blocks[at + 1 : used]
            content = Styled.of(block.text.strip(" :"))
            for number, one in enumerate(below):
                content = content.join(one.content.strip(), ", " if number else ": ")
            lines = tuple(line for one in (block, *below) for line in one.lines)
            yield replace(block, content=content, sources=lines)
        elif at >= used:
            yield block


# Labels before a text


class _Opening(NamedTuple):
    """A paragraph that begins with labels: where it stands, its name, the labels, and the rest."""

    start: int
    end: int
    name: Styled
    said: tuple[tuple[str, Styled, Styled], ...]
    rest: Styled


def part_openings(blocks: Sequence[Block], joiner: Joiner) -> list[Block]:
    """Return the blocks with the labels and values that texts begin with on lines of their own."""
    found = list(_list_openings(blocks, joiner))
    values: defaultdict[str, list[str]] = defaultdict(list)
    bare: defaultdict[str, list[str]] = defaultdict(list)
    for opening in found:
        for key, _, value in opening.said:
            values[key].append(value.text)
            bare[key] += [value.text] * (not opening.name.text)
    often = {
        key
        for key, said in values.items()
        if len(said) >= _FEWEST
        and median(len(value.split()) for value in said) <= _SHORT
        and not _count_on(bare[key])
    }
    found = [one for one in found if often.issuperset(key for key, _, _ in one.said)]
    if 2 * sum(not one.said for one in found) > len(found):
        return list(blocks)
    parted: list[Block] = []
    position = 0
    for start, end, name, said, rest in found:
        parted += blocks[position:start]
        labelled = [label.join(value, ": ") for _, label, value in said]
        parted += _write_lines(blocks[start:end], [name, *labelled, rest])
        position = end
    return [*parted, *blocks[position:]]


def part_sentences(blocks: Sequence[Block], joiner: Joiner) -> list[Block]:
    """Return the blocks with labels that take turns within paragraphs at the beginning of lines:
    "Seen: A man digs. He sings. Upright: Hope. Reversed: Greed, and haste."
    """
    found: dict[int, tuple[int, list[tuple[str, Styled]]]] = {}
    start = 0
    while start < len(blocks):
        end = _find_end(blocks, start) if blocks[start].kind == "line" else start + 1
        start += _count_above(blocks[start:end])
        begun = [at for at in range(start, end) if _RUN_IN.match(blocks[at].text)]
        for at, until in pairwise([*begun, end]) if begun[:1] == [start] else ():
            if blocks[at].content.marks.strip("0") or blocks[at].cells:
                continue
            said = _cut_turns(joiner.join([block.content.strip() for block in blocks[at:until]]))
            if len({label for label, _ in said}) == len(said) > 1:
                found[at] = until, said
        start = end
    times = Counter(label for _, said in found.values() for label, _ in said)
    usual = {word for word, count in times.items() if count >= max(_FEWEST, len(found) / 2)}
    # Where the last alone has sentences, they are the text behind all labels.
    told = sum(any(". " in value.text for _, value in said[:-1]) for _, said in found.values())
    parted: list[Block] = []
    position = 0
    for start, (end, said) in found.items() if 2 * told > len(found) else ():
        if usual.issuperset(label for label, _ in said):
            lines = [_end_value(value) for _, value in said]
            parted += [*blocks[position:start], *_write_lines(blocks[start:end], lines)]
            position = end
    return [*parted, *blocks[position:]]


def _cut_turns(whole: Styled) -> list[tuple[str, Styled]]:
    """Return the labels within a paragraph, each with itself and what it says."""
    labels = [*_RUN_IN.finditer(whole.text)]
    starts = [label.start(1) for label in labels]
    spans = zip(starts, [*starts[1:], None], strict=True)
    return [(label[1], whole.cut(*span).strip()) for label, span in zip(labels, spans, strict=True)]


def part_turns(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with a stroke before each label that takes turns with others on a line, and
    that a blank alone parts from the value before it: "R: Touch T: Creature D: 0".
    """
    plain = {
        at: [*_INNER.finditer(block.text)]
        for at, block in enumerate(blocks)
        if block.kind in ("line", "item")
        and not (block.cells or block.content.marks.strip("0"))
        and _FIRST.match(block.text)
    }
    times = Counter(word for labels in plain.values() for word in {label[1] for label in labels})
    usual = {word for word, count in times.items() if count >= max(_FEWEST, len(plain) / 2)}
    before: defaultdict[str, set[str]] = defaultdict(set)
    for at, labels in plain.items():
        for label in labels:
            before[label[1]].add(blocks[at].text[: label.start()].split()[-1])
    usual -= {word for word in usual if len(before[word]) == 1}  # "Casting Time: 1 turn"
    parted = list(blocks)
    for at, labels in plain.items():
        places = [label.start(1) for label in labels if label[1] in usual]
        content = blocks[at].content
        for place in reversed(places):
            content = content.cut(0, place - 1).join(content.cut(place), " | ")
        if places:
            parted[at] = replace(blocks[at], content=content, sources=blocks[at].lines)
    return parted


def _end_value(said: Styled) -> Styled:
    """Return a label and its value without the stop behind that, unless it is of sentences."""
    end = len(said.text) - 1
    return said.cut(0, end) if said.text.find(".") == end else said


def _count_on(values: Sequence[str]) -> bool:
    """Whether values are the numbers of what they stand before: "Lot 1.", "Lot 2."."""
    numbers = [int(value) for value in values if value.isdecimal()]
    counted = len(numbers) == len(values) > 1
    return counted and all(before < after for before, after in pairwise(numbers))


def _list_openings(blocks: Sequence[Block], joiner: Joiner) -> Iterator[_Opening]:
    start = 0
    while start < len(blocks):
        content = blocks[start].content
        plain = blocks[start].kind == "line" and not content.marks.strip("0")
        text = f"{content.text} "
        named = (_NAMED.match(text) or _SHOUTED.match(text)) if blocks[start].gap else None
        begun = _STOPPED.search(text) or _COUNTED.match(text) or named
        if plain and begun and not _SAID.fullmatch(text):
            end = _find_end(blocks, start)
            whole = joiner.join([block.content.strip() for block in blocks[start:end]])
            named = named and (_NAMED.match(whole.text) or _SHOUTED.match(whole.text))
            name = whole.cut(0, named.end()).strip(" .") if named else Styled.of("")
            position = named.end() if named else 0
            said = []
            while match := (
                _SAID.match(whole.text, position)
                or _NUMBER.match(whole.text, position)
                or _COUNTED.match(whole.text, position)
            ):
                label, value = whole.cut(*match.span("label")), whole.cut(*match.span("value"))
                if find_label(label.text) == "text":
                    break  # its value is all that follows, with its stops
                said.append((label.text.casefold(), label, value.strip()))
                position = match.end()
            rest = whole.cut(position).strip()
            turns = len(_RUN_IN.findall(rest.text)) > 1  # else the text has but a closing
            if (said or name.text.isupper()) and not turns:
                yield _Opening(start, end, name, tuple(said), rest)
                start = end
                continue
        start += 1


class _Closing(NamedTuple):
    """What a paragraph ends with: its text up to there, a label, and the value."""

    end: int
    text: Styled
    label: Styled
    value: Styled


def part_closings(blocks: Sequence[Block], joiner: Joiner) -> list[Block]:
    """Return the blocks with the labels and values that texts end with on lines of their own."""
    parted = list(blocks)
    for _ in range(_MOST_CLOSINGS):
        before, parted = parted, _part_last(parted, joiner)
        if len(parted) == len(before):
            break
    return parted


def _part_last(blocks: Sequence[Block], joiner: Joiner) -> list[Block]:
    """Return the blocks with the last label of each text, and its value, on a line of its own."""
    found: dict[int, _Closing] = {}
    start = 0
    while start < len(blocks):
        first = blocks[start]
        end = _find_end(blocks, start) if first.kind == "line" else start + 1
        start += _count_above(blocks[start:end])
        first = blocks[start]
        able = first.kind in ("line", "item")
        if able and (closing := _find_closing(blocks, start, end, joiner)):
            found[start] = closing
        start = end
    values: defaultdict[str, list[str]] = defaultdict(list)
    for one in found.values():
        values[one.label.text.casefold()].append(one.value.text)
    often = {key for key, said in values.items() if len(said) >= _FEWEST}
    parted: list[Block] = []
    position = 0
    for at, (end, text, label, value) in found.items():
        if label.text.casefold() in often:
            parted += blocks[position:at]
            parted += _write_lines(blocks[at:end], [text, label.join(value, ": ")])
            position = end
    return [*parted, *blocks[position:]]


def _count_above(blocks: Sequence[Block]) -> int:
    """Return how many lines of a paragraph are names and titles, below which labels begin it."""
    labelled = (at for at, block in enumerate(blocks) if find_labelled(block.content))
    above = next(labelled, 0)
    named = all(looks_like_name(_SIGNED.sub("", block.text)) for block in blocks[:above])
    return above if above <= _MOST_ABOVE and named else 0


def _find_closing(blocks: Sequence[Block], start: int, end: int, joiner: Joiner) -> _Closing | None:
    """Return the label with a value that a paragraph ends with, or the price behind dots."""
    texts = [block.text for block in blocks[start:end]]
    if not any(sign in text for text in texts for sign in (":", ",", "...", "…")):
        return None
    whole = joiner.join([block.content.strip() for block in blocks[start:end]])
    match = _ENDED.search(whole.text)
    if match and _is_closing(match, blocks[start + 1 : end]):
        label, value = whole.cut(*match.span(1)), whole.cut(match.start(2)).strip(" .")
    elif match := _LED.search(whole.text):
        label, value = Styled.of(list_words("labels", "cost")[0]), whole.cut(match.start(1))
    else:
        return None
    return _Closing(end, whole.cut(0, match.start()).strip(), label, value)


def _is_closing(match: re.Match[str], lines: Sequence[Block]) -> bool:
    """Whether a text ends with a label that begins no line, and that nobody has a word for."""
    if match.string[match.end(1)] == ",":
        return True  # "Price, 2s." is read nowhere else
    begins = any(line.text.lstrip().startswith(match[1]) for line in lines)
    _, among, said = match.string[: match.start()].partition(": ")
    short = among and len(said.split()) <= _SHORT  # "Attack: +5, one target. Hit: 4 damage."
    return not (begins or short or find_label(match[1]))


def _write_lines(blocks: Sequence[Block], contents: Sequence[Styled]) -> Iterator[Block]:
    """Yield a paragraph as lines, of which the first stands where it stood."""
    lines = tuple(line for block in blocks for line in block.lines)
    first, *others = (content for content in contents if content.text)
    yield replace(blocks[0], content=first, sources=lines)
    for content in others:
        yield replace(blocks[0], kind="line", content=content, gap=0, sources=())


def _find_end(blocks: Sequence[Block], start: int) -> int:
    """Return where the paragraph ends that begins at a place."""
    below = range(start + 1, len(blocks))
    return next((at for at in below if not _carries_on(blocks[at])), len(blocks))


def _carries_on(block: Block) -> bool:
    return block.kind == "line" and not block.gap and not block.content.find_lead()
