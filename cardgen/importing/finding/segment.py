"""A document cut into records by the lines that may begin them, and how well that tells it.

Each candidate is weighed by its names (short, different), by what repeats within its records (the
same labels, the same kinds of lines in the same places), by how even they are, and by how much of
the document it tells. Knows nothing of what fields mean.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import log, sqrt
from statistics import median, pstdev
from typing import NamedTuple

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.finding.heads import Head
from cardgen.importing.finding.labels import split_labels
from cardgen.importing.finding.lines import Line
from cardgen.importing.finding.names import BLANK
from cardgen.importing.finding.series import find_alone, find_numbered, find_ruled, find_series
from cardgen.importing.finding.signature import (
    Begin,
    Candidate,
    find_style,
    is_led,
)
from cardgen.importing.finding.vocabulary import find_label, list_chapter
from cardgen.importing.model import BOLD

_SKETCHED = 60  # letters
_LISTING = 0.6  # of the records have a list of names with texts
_LONG = 60  # lines of a record that are looked at
_HALF = 0.5
_FAR_OUT = 20  # a title in the middle of its line stands further in
_STRONG_CAP = 3.0
_MANY = 6
_RULED = 2.0  # names that stand first below lines drawn across
_NUMBERED_ON = 1.3  # names that are all that is numbered, from 1 to the last
_MOST_LABEL = 4  # words
_OFTEN = 3
_STRONG = 0.7
_DIGITS = re.compile(r"\d+")
_ANCHORS = (
    "label ",
    "fact cost",
    "fact who",
    "fact rank",
    "fact uses",
    "same ",
    "stat",
    "row",
)


@dataclass(frozen=True, slots=True)
class Record:
    """A begin, and the lines below it up to `end`."""

    begin: Begin
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cut:
    """A document cut into records by one candidate, with how well that tells it.

    sections: the lines that are louder than names and end a record; usual: what repeats in
    records, with its share of them
    """

    candidate: Candidate
    records: tuple[Record, ...]
    sections: tuple[int, ...]
    usual: dict[str, float]
    score: float


class _Seen(NamedTuple):
    """A record as it is weighed: its name, how it begins below it, and how much it holds."""

    name: str
    body: str
    words: int
    filled: bool
    weight: float
    mark: float
    print: tuple[object, ...]
    tokens: dict[str, int]


class Document:
    """The lines of a text with what is looked up of them time and again."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.words = [0]
        for line in lines:
            self.words.append(self.words[-1] + line.words)
        folded = [line.text.casefold() for line in lines]
        same = Counter(folded)
        self.openings = [text[:_SKETCHED] for text in folded]
        self.again = [same[text] for text in folded]
        self.tokens = [_list_tokens(*one) for one in zip(lines, self.again, strict=True)]
        keys = Counter(line.label.key for line in lines if line.label)
        self.nested = [_may_nest(line, keys) for line in lines]
        self.printed: dict[tuple[object, ...], tuple[object, ...]] = {}  # how names are
        self.styles = [
            frozenset(
                _loosen(self, Begin(line.at, head))
                for head in line.heads
                if head.shape != "sentence" or head.ending == "fact"
            )
            for line in lines
        ]
        self.enders = [
            line.at
            for line in lines
            if _may_end(line, self.again[line.at])
            and not (line.label and keys[line.label.key] >= _OFTEN and states(line))
        ]
        self.suspects = [
            line.at
            for line in lines
            if self.again[line.at] < 3 and (self.styles[line.at] or _stands_out(line))
        ]
        self.terms = _add_up(line.is_term for line in lines)
        self.entries = _add_up(self.nested)
        self.numbered = find_numbered(lines)
        self.ruled = [] if self.numbered else find_ruled(lines)
        self.led = frozenset(line.at for line in lines if any(is_led(line, h) for h in line.heads))
        self.series = find_series(lines)
        self.alone = frozenset[int]() if self.series else find_alone(lines)
        self.seen: dict[tuple[object, ...], _Seen] = {}  # of each record that was looked at
        self.weighed: dict[tuple[object, ...], Cut] = {}

    def count_words(self, start: int, end: int) -> int:
        return self.words[end] - self.words[start]


def _add_up(counted: Iterable[int]) -> list[int]:
    """Return how many there are before each place."""
    return [0, *accumulate(counted)]


def _may_nest(line: Line, keys: Mapping[str, int]) -> bool:
    """Whether a line reads like an entry of a list of its own: a name with its text behind it."""
    listed = line.block.kind == "item" or any(h.number or _is_small(h) for h in line.heads)
    if line.block.kind not in ("line", "item") or not (line.apart or listed):
        return False
    if line.label and keys[line.label.key] >= 2:
        return False
    return any(
        head.rest.text and head.ending in ("lead", "colon", "dash", "capitals", "dots")
        and head.shape in ("title", "capitals", "small")
        for head in line.heads
    )  # fmt: skip


def _is_small(head: Head) -> bool:
    """Whether a name without a capital has its text behind it, as all lines of its list have."""
    return head.shape == "small" and head.ending in ("dash", "colon", "fact")


def _list_tokens(line: Line, same: int) -> tuple[str, ...]:
    """Return what a line may share with those at the same place of other records."""
    tokens = []
    labelled = line.label and len(line.label.text.split()) <= _MOST_LABEL
    if line.label and labelled and not line.block.cells:
        tokens.append(f"label {line.label.key}")
    taken = take_facts(line.text)
    for gives in sorted({fact.gives for fact in taken.facts}):
        tokens.append(f"fact {gives}")
    if same >= 3 and 0 < line.words <= 8 and not labelled:
        tokens.append(f"same {line.text.casefold()}")
    if line.block.kind == "stat" or line.block.cells:
        tokens.append(line.block.kind)
    return tuple(tokens)


def cut_document(document: Document, candidate: Candidate) -> tuple[list[Record], list[int]]:
    """Return the records of a candidate, and the louder lines that end some of them."""
    lines = document.lines
    begins = {begin.at: begin for begin in candidate.begins}
    level = max(
        (lines[at].block.level for at in begins if lines[at].block.kind == "heading"), default=0
    )
    loud = median(lines[at].loud for at in begins) if begins else 0.0
    listed = all(lines[at].block.kind == "item" for at in begins)
    above = {at - 1 for at in begins if listed or lines[at - 1].text.endswith(":")}
    ends = {
        at
        for at in document.enders
        if _is_louder(document, at, level, loud, heads_list=at in above)
    }
    if document.series and 2 * sum(at in document.series for at in begins) < len(begins):
        ends |= document.series
        begins = {at: begin for at, begin in begins.items() if at not in document.series}
        before = [at for at in begins if at < min(document.series)]
        if 4 * len(before) < len(begins):  # an introduction has titles, too
            begins = {at: begin for at, begin in begins.items() if at not in before}
    ends |= candidate.titles
    records: list[Record] = []
    sections: list[int] = []
    current: Begin | None = None
    for at in sorted(ends.union(begins)):
        if current:
            records.append(Record(current, current.at, at))
        current = begins.get(at)
        if current is None:
            sections.append(at)
    if current:
        records.append(Record(current, current.at, len(lines)))
    return records, sections


def states(line: Line) -> bool:
    """Whether a line is a label with its value, and neither is a chapter: "PORTIONS: 4"."""
    label = line.label
    if label is None or not label.value.text or find_label(label.key) == "kind":
        return False
    return list_chapter().isdisjoint(label.key.split())  # "Second part: Tides"


def _may_end(line: Line, again: int) -> bool:
    """Whether a line may be a chapter's heading, if it is louder than names, or above a list."""
    if line.block.kind == "heading":
        return True
    lead_in = line.label is None or line.text.endswith(":")  # "Choose one of these:"
    if line.block.kind != "line" or (again >= 3 and lead_in):
        return False
    if not line.apart or line.words > 9 or not line.title:
        return False
    if line.ends_sentence and not (line.shape == "capitals" or line.numbers_chapter):
        return False
    facts = take_facts(line.text).facts or [fact for h in line.heads for fact in h.taken.facts]
    return all(fact.gives in ("who", "count") for fact in facts)  # "SHIPS", "CREW (8 cards)"


def _is_louder(document: Document, at: int, level: int, loud: float, *, heads_list: bool) -> bool:
    """Whether a line that may be a chapter's heading is one above these names."""
    line = document.lines[at]
    if line.block.kind == "heading":
        return line.block.level <= level if level else document.again[at] < 3
    stopped = line.ends_sentence and line.shape == "capitals"
    louder = heads_list or line.loud > loud + 0.4 or line.numbers_chapter
    return not (level or stopped) and louder


def _stands_out(line: Line) -> bool:
    """Whether a line is printed as a heading is."""
    if line.block.kind == "heading":
        return True
    return line.loud >= 1 and line.apart and not line.ends_sentence and line.label is None


def weigh(document: Document, candidate: Candidate, anchors: Sequence[str] = ()) -> Cut:
    """Return a candidate's cut of the document with its score.

    anchors: where given, only lines with one of these below them may be names of their own
    """
    begins = tuple((at, id(head)) for at, head in candidate.begins)
    key = begins, candidate.titles, tuple(anchors)
    if key not in document.weighed:
        document.weighed[key] = _weigh(document, candidate, anchors)
    return replace(document.weighed[key], candidate=candidate)


def _weigh(document: Document, candidate: Candidate, anchors: Sequence[str]) -> Cut:
    records, sections = cut_document(document, candidate)
    count = len(records)
    begins = {record.start for record in records}
    seen = [_look_at(document, record) for record in records]
    different = len({one.name for one in seen}) / len({(one.name, one.body) for one in seen})
    named = sum(one.weight for one in seen) / count
    sizes = [one.words for one in seen]
    filled = sum(one.filled for one in seen) / count
    spread = pstdev([log(1 + size) for size in sizes if size] or [0.0])
    usual, alike = _find_usual([one.tokens for one in seen])
    hung = sum(_hangs_back(document, record) for record in records) / count
    inner = _count_inner(document, records, sections, candidate, anchors)
    inner = (inner + _count_chapters(document, records, find_strong(usual))) / count
    told = sum(sizes) + sum(len(one.name.split()) for one in seen)
    share = told / max(1, document.words[-1])
    middle = median(sizes)
    size_fit = 1.0 if middle <= 120 else sqrt(120 / middle)
    marked = sum(one.mark for one in seen) / count
    purity = Counter(one.print for one in seen).most_common(1)[0][1] / count
    labels = Counter(one.name.partition(":")[0] for one in seen if ":" in one.name)
    headed = all(document.lines[record.start].block.kind == "heading" for record in records)
    stated = 0.0 if headed else max(labels.values(), default=0) / count  # "Life: 4", "Life: 2"
    bare = Counter(_DIGITS.sub("", one.name) for one in seen if _DIGITS.search(one.name))
    often = max(bare.values(), default=0)  # "Art. no. 1104", "Art. no. 1107"
    counted = often / count if often >= 3 else 0.0
    score = (
        named**2
        * (1 - max(stated, counted) / 2)
        * different**3
        * filled**1.5
        * (1 + min(alike, _STRONG_CAP))
        * sqrt(share)
        * size_fit
        * marked
        * (0.6 + 0.4 * purity)  # the names of one document mostly are printed alike
        * (_NUMBERED_ON if _is_numbered(document, records) else 1)
        * (_RULED if document.ruled and begins.issuperset(document.ruled) else 1)
        / (1 + spread / 2)
        / (1 + inner)
        / (1 + hung * (hung > _HALF))
        * log(1 + count)
    )
    return Cut(candidate, tuple(records), tuple(sections), usual, score)


def _hangs_back(document: Document, record: Record) -> bool:
    """Whether a line stands below a name further out than it does: it begins a record rather."""
    name = document.lines[record.start].block
    below = document.lines[record.start + 1 : record.end][:1]
    return name.kind == "line" and any(
        line.block.kind == "line" and 1 < name.indent - line.block.indent < _FAR_OUT
        for line in below
    )


def _is_numbered(document: Document, records: Sequence[Record]) -> bool:
    """Whether names are all that is numbered, from 1 to the last; a few are chapters rather."""
    worded = any(record.begin.head.number.startswith("w") for record in records)  # "Part 2: …"
    many = len(records) >= _MANY and not worded
    return many and [record.start for record in records] == document.numbered


def _sketch(document: Document, record: Record) -> str:
    """Return the beginning of what stands below a name: the same where a card comes again."""
    below = range(record.start + 1, min(record.end, record.start + 4))
    rest = record.begin.head.rest.text.casefold()[:_SKETCHED]
    return "|".join([rest, *(document.openings[at] for at in below)])


def weigh_name(begin: Begin, line: Line) -> float:
    words = len(begin.head.name.split())
    weight = 1.0 if words <= 5 else 0.85 if words <= 7 else 0.5 if words <= 10 else 0.2
    if BLANK.search(begin.head.name):
        return 1.0
    if begin.head.number and begin.head.name.endswith("?"):
        weight = 1.0
    if begin.head.shape in ("small", ""):
        told = line.block.kind in ("item", "heading")
        listed = told or line.hangs or _is_small(begin.head)
        weight *= 0.9 if listed else 0.6
    elif begin.head.shape == "sentence" and not (
        line.is_marked or begin.head.number or line.block.kind == "item" or _is_led(begin)
    ):
        weight *= 0.8
    return weight


def _is_led(begin: Begin) -> bool:
    """Whether dots lead from a name to a figure, as in a list of prices."""
    if begin.head.ending != "dots":
        return False
    rest = begin.head.rest.text.split()
    return 0 < len(rest) <= _MOST_LABEL and any(map(str.isdigit, rest[0]))


def weigh_mark(line: Line, begin: Begin) -> float:
    """How much a line stands out as one that begins something."""
    if line.block.kind == "heading":
        return 1.2
    if line.face & 1 or begin.head.ending == "lead":
        return 1.1
    if begin.head.shape == "capitals" or begin.head.number or _is_led(begin):
        return 1.05
    if begin.head.ending == "fact":
        return 1.0
    if begin.head.ending in ("whole", "comma"):
        return 1.0 if line.hangs else 0.9 if line.apart else 0.6
    return 0.75 if line.apart or line.block.kind == "item" else 0.6


def find_tokens(document: Document, record: Record) -> Mapping[str, int]:
    """Return what a record holds that others may hold too, and how often."""
    return _look_at(document, record).tokens


def _look_at(document: Document, record: Record) -> _Seen:
    head = record.begin.head
    key = record.start, record.end, head.name, head.ending, head.number, head.rest.text
    if key not in document.seen:
        line = document.lines[record.start]
        words = document.count_words(record.start + 1, record.end) + len(head.rest.text.split())
        document.seen[key] = _Seen(
            head.name.casefold(),
            _sketch(document, record),
            words,
            words > 0 or bool(head.taken.facts or BLANK.search(head.name)),
            weigh_name(record.begin, line),
            weigh_mark(line, record.begin),
            (
                *(line.block.kind, line.block.level, line.size, line.face & BOLD, line.hangs),
                head.shape == "capitals" and head.ending == "whole" and not line.is_marked,
            ),
            _count_tokens(document, record),
        )
    return document.seen[key]


def _count_tokens(document: Document, record: Record) -> dict[str, int]:
    head = record.begin.head
    tokens: dict[str, int] = {}
    for taken in (head.taken, take_facts(head.rest.text)):
        for gives in dict.fromkeys(fact.gives for fact in taken.facts):
            tokens[f"fact {gives}"] = tokens.get(f"fact {gives}", 0) + 1
    for label in split_labels(head.rest):
        if len(label.text.split()) <= _MOST_LABEL:
            tokens[f"label {label.key}"] = tokens.get(f"label {label.key}", 0) + 1
    for at in range(record.start + 1, min(record.end, record.start + _LONG)):
        for token in document.tokens[at]:
            tokens[token] = tokens.get(token, 0) + 1
    if record.start + 1 < record.end:
        line = document.lines[record.start + 1]
        tokens[f"first {line.block.kind} {line.face} {line.words > 8}"] = 1
    tokens[f"ending {head.ending}"] = 1
    return tokens


def _find_usual(found: Sequence[Mapping[str, int]]) -> tuple[dict[str, float], float]:
    """Return what most records have once, with its share, and how much they are alike by it."""
    once: dict[str, int] = {}
    often: dict[str, int] = {}
    for tokens in found:
        for token, times in tokens.items():
            once[token] = once.get(token, 0) + 1
            often[token] = often.get(token, 0) + times
    count = len(found)
    usual = {token: number / count for token, number in once.items() if number * 2 > count}
    alike = 0.0
    for token, share in usual.items():
        mean = often[token] / once[token]
        if token.startswith("ending"):
            continue
        weight = 0.1 if token.startswith(("first", "fact count")) else 0.8
        alike += weight * (2 * share - 1) / mean**2
    return usual, alike


def _count_inner(
    document: Document,
    records: Sequence[Record],
    sections: Sequence[int],
    candidate: Candidate,
    anchors: Sequence[str],
) -> float:
    """Return how many lines within records might be names of their own, and come but once."""
    lines = document.lines
    styles = Counter(_loosen(document, begin) for begin in candidate.begins)
    usual = {style for style, count in styles.items() if 4 * count >= len(candidate.begins)}
    apart = 2 * sum(lines[b.at].apart for b in candidate.begins) > len(candidate.begins)
    led = 2 * sum(map(_is_led, candidate.begins)) > len(candidate.begins)
    louder = [at for at in sections if at not in candidate.titles]
    found = 0.5 * sum(bool(document.styles[at] & usual) for at in louder)
    nested = [document.entries[r.end] - document.entries[r.start + 1] for r in records]
    listing = sum(one > 2 for one in nested) >= _LISTING * len(records)
    found += _count_numbered(document, records)
    for record, entries in zip(records, nested, strict=True):
        start, end = record.start + 1, record.end
        found += document.terms[end] - document.terms[start]
        found += 0.5 * max(0, entries - 1) if listing else 0.3 * max(0, entries - 2)
        first = bisect_left(document.suspects, start)
        for at in document.suspects[first : bisect_left(document.suspects, end)]:
            line = lines[at]
            near = range(at, min(at + 3, end))
            if anchors and not any(token in document.tokens[n] for token in anchors for n in near):
                continue
            alike = document.styles[at] & usual and (line.apart or led or not apart)
            if line.block.kind == "heading" or alike:
                found += 1.0
            elif _stands_out(line):
                found += 0.5
    return found


def _count_numbered(document: Document, records: Sequence[Record]) -> int:
    """Return how many lines that are numbered on begin no record: those within records, and the
    others too where names of these are numbered so.
    """
    numbered = document.numbered
    if held := len({record.start for record in records}.intersection(numbered)):
        return len(numbered) - held
    return sum(bisect_left(numbered, r.end) - bisect_left(numbered, r.start + 1) for r in records)


def _count_chapters(
    document: Document, records: Sequence[Record], strong: Mapping[str, float]
) -> int:
    """Return how many names are chapters' headings: of a level above the others, which each has
    some below it, and without what records have.
    """
    blocks = [document.lines[record.start].block for record in records]
    levels = [block.level if block.kind == "heading" else 9 for block in blocks]
    usual = Counter(levels).most_common(1)[0][0]
    found = 0
    for level in {level for level in levels if level < usual}:
        louder = [place for place, one in enumerate(levels) if one == level]
        nested = all([*levels, 0][place + 1] > level for place in louder)
        told = any(
            token in find_tokens(document, records[place]) for place in louder for token in strong
        )
        found += len(louder) if nested and not told else 0
    return found


def _loosen(document: Document, begin: Begin) -> tuple[object, ...]:
    """Return how a name is printed, however it ends, but for whether text follows on its line."""
    return (*find_printed(document, begin)[:5], bool(begin.head.rest.text))


def find_printed(document: Document, begin: Begin) -> tuple[object, ...]:
    """Return how a name is printed, but for what is chance: whether small words are in it."""
    at, head = begin
    key = at, head.name, head.ending, head.number
    if key not in document.printed:
        style = find_style(document.lines[at], head)
        document.printed[key] = tuple("title" if part == "sentence" else part for part in style)
    return document.printed[key]


def find_strong(usual: Mapping[str, float], least: float = _STRONG) -> dict[str, float]:
    """Return what nearly all records have and other text has not."""
    return {
        token: share
        for token, share in usual.items()
        if share >= least and token.startswith(_ANCHORS)
    }
