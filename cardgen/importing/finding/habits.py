"""What the records of a document have in common: labels, subtitles, words with figures.

Learned from all records before any is read. Knows nothing of where records begin.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from cardgen.importing.finding.facts import is_phrase, take_facts
from cardgen.importing.finding.lines import Label, find_labelled
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.names import QUOTES
from cardgen.importing.finding.segment import Document, Record
from cardgen.importing.finding.stats import (
    find_form,
    learn_stats,
    read_pairs,
    read_rows,
)
from cardgen.importing.finding.vocabulary import find_label, list_words
from cardgen.importing.model import BOLD, ITALIC, SourceLine, Styled

_FEWEST = 3
_MANY = 8  # records
_LONG_VALUE = 12  # words
_SHORT_VALUE = 6
_MOST_LABEL = 5
_MOST_PRICED = 0.7
_MOST = 0.6
_SOME = 0.2
PRICE = re.compile(r"\d{1,5}(?:[.,]\d{1,2})?")
GOES_ON = re.compile(
    r"(?:[,:&+–—(-]|\b(?:or|and|of|the|an?|any|with|to|und|oder|bis|et|ou|de|à))$", re.I
)
_DRAWN = tuple(re.compile(text) for text in (r"\s*[|•·]\s*", r"\s*;\s+", r"\s+/\s+"))
_SEPARATORS = (
    *_DRAWN,
    *(
        re.compile(text)
        for text in (
            r"\s{2,}|\t",
            r"\s+[–—-]\s+",
            r",\s+",
            r"\.\s+",
        )
    ),
)


class Piece(NamedTuple):
    """A line of a record, or the rest of one, as it is read."""

    content: Styled
    sources: tuple[SourceLine, ...]
    kind: str
    gap: int
    indent: int
    at: int
    cells: tuple[Styled, ...] = ()

    @property
    def text(self) -> str:
        return self.content.text


@dataclass(frozen=True, slots=True)
class Habits:
    """What the records of a document have in common.

    labels: those whose values are short, which are fields; stats: words with figures
    heads: rows of words above rows of values; subtitle: how the first line is printed, if it is one
    forms: how the values of words are written; tall: whether tables have a label to a row
    priced: whether a bare figure behind dots or blanks ends the line of a name
    borne: whether phrases that say who may have a card are what they seem: several cards have one
    """

    labels: frozenset[str]
    stats: frozenset[str]
    heads: frozenset[str]
    subtitle: str
    forms: dict[str, Counter[str]] = field(default_factory=dict)
    tall: bool = False
    priced: bool = False
    borne: bool = True


def list_pieces(document: Document, record: Record) -> list[Piece]:
    """Return the lines of a record below its name, with what is left of the name's line first."""
    first = document.lines[record.start]
    pieces = []
    if record.begin.head.rest.text:
        pieces.append(Piece(record.begin.head.rest, (), "line", 0, 0, record.start))
    ruled = 0
    for line in document.lines[record.start + 1 : record.end]:
        block = line.block
        gap, ruled = max(block.gap, ruled), 0
        if block.kind == "rule":
            ruled = 1
            continue
        pieces.append(
            Piece(line.content, block.lines, block.kind, gap, block.indent, line.at, block.cells)
        )
    if pieces and first.block.kind == "heading" and pieces[0].sources:
        pieces[0] = pieces[0]._replace(gap=0)
    return pieces


# What is learned


def learn_habits(document: Document, records: Sequence[Record], joiner: Joiner) -> Habits:
    """Return what repeats in the records of a document."""
    bodies = [list_pieces(document, record) for record in records]
    texts = [[piece.text for piece in pieces] for pieces in bodies]
    stats = learn_stats(texts)
    heads = Counter(text.casefold() for lines in texts for text in set(lines))
    rows: set[str] = set()
    for lines in texts:
        for above, below in pairwise(lines):
            if heads[above.casefold()] >= min(3, len(records)) and read_rows(above, below):
                rows.add(above.casefold())
    stats |= {
        word
        for pieces in bodies
        for piece in pieces
        if piece.kind == "stat"
        for word in list_words("stats", "words")
        if word in piece.text.casefold()
    }
    stats |= _learn_alone(texts, heads)
    forms: dict[str, Counter[str]] = {}
    for lines in texts:
        for text in lines:
            for pair in read_pairs(text, frozenset()):
                forms.setdefault(pair.label.casefold(), Counter())[find_form(pair.value)] += 1
    return Habits(
        _learn_labels(bodies, joiner),
        stats,
        frozenset(rows),
        _learn_subtitle(bodies),
        forms,
        _learn_tall(bodies),
        _learn_priced(records),
        _learn_borne(texts),
    )


def _learn_priced(records: Sequence[Record]) -> bool:
    rests = [
        record.begin.head.rest.text for record in records if record.begin.head.ending == "dots"
    ]
    priced = sum(bool(PRICE.fullmatch(text)) for text in rests)
    return priced > 2 and priced > _MOST_PRICED * len(records)


def _learn_borne(texts: Sequence[Sequence[str]]) -> bool:
    said = [take_facts(text).has("who") for lines in texts for text in lines[:_FEWEST]]
    return sum(said) > max(1, len(texts) / _MANY) or len(texts) < _MANY


def _learn_alone(texts: Sequence[Sequence[str]], often: Mapping[str, int]) -> set[str]:
    """Return the words that stand on lines of their own in most records; labels among others."""
    alone = {
        text
        for text, count in often.items()
        if count >= _FEWEST
        and len(text.split()) <= 2
        and 2 * count >= len(texts)
        and text.isalpha()
    }
    beside = {
        word
        for lines in texts
        for pair in pairwise(text.casefold() for text in lines)
        if alone.issuperset(pair)
        for word in pair
    }
    return {word for word in alone if word in beside or not find_label(word)}


def _learn_tall(bodies: Sequence[Sequence[Piece]]) -> bool:
    """Whether the small tables of records have a label to a row, and not a row of labels."""
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for pieces in bodies:
        rows = [piece.cells for piece in pieces if len(piece.cells) == 2]
        first.update(row[0].text for row in rows[1:])
        second.update(row[1].text for row in rows[:1])
    return max(first.values(), default=0) > max(second.values(), default=0)


def _learn_labels(bodies: Sequence[Sequence[Piece]], joiner: Joiner) -> frozenset[str]:
    """Return the labels whose values are short, by what stands behind them in all records."""
    values: dict[str, list[int]] = {}
    early: Counter[str] = Counter()
    marked: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    stops: Counter[str] = Counter()
    for pieces in bodies:
        seen: set[str] = set()
        begun = False
        for place, piece in enumerate(pieces):
            labels, more = join_labels(pieces, place, joiner)
            if not labels:
                begun = begun or len(piece.text.split()) > _LONG_VALUE
                continue
            lead = piece.content.find_lead()
            if lead and piece.text[:lead].rstrip()[-1:] == ".":
                continue
            for label in labels:
                following = pieces[place + more + 1] if place + more + 1 < len(pieces) else None
                words = len(label.value.text.split())
                if not words and not find_label(label.key):
                    continue
                if label is labels[-1] and following and runs_on(label.value, following):
                    words += len(following.text.split())
                if label.key in seen:
                    continue
                seen.add(label.key)
                values.setdefault(label.key, []).append(words)
                early[label.key] += not begun
                ends[label.key] += bool(_is_sentence(label.value.text))
                stops[label.key] += begun and label.value.text[-1:] in ".!?"
                lead = piece.content.find_lead()
                marked[label.key] += bool(lead or piece.kind == "item")
    found = set()
    for key, lengths in values.items():
        told = max(ends[key], stops[key])
        short = median(lengths) <= _LONG_VALUE and 2 * told <= len(lengths)
        often = len(lengths) >= max(2, len(bodies) / 5)
        once = marked[key] and early[key] and len(key.split()) <= 3
        if max(lengths) <= 2 if find_label(key) == "text" else short and (often or once):
            found.add(key)
    return frozenset(found)


def _is_sentence(text: str) -> bool:
    """Whether a value reads like running text: it ends like a sentence, and has a few words."""
    words = text.split()
    known = len(words) > _SHORT_VALUE or not is_phrase(text)
    return len(words) > 4 and text[-1:] in ".!?" and known


def _learn_subtitle(bodies: Sequence[Sequence[Piece]]) -> str:
    """Return how the first line is printed, where most records have one that is no text."""
    forms: Counter[str] = Counter()
    stated: Counter[str] = Counter()
    for pieces in bodies:
        if len(pieces) > 1 and (form := find_subtitle(pieces[0], pieces[1])):
            forms[form] += 1
            taken = take_facts(pieces[0].text)
            stated[form] += taken.fills(pieces[0].text) and taken.sure >= 0.8
    for form, count in forms.most_common(1):
        share = _SOME if form == "italic" else _MOST
        if count >= max(2, share * len(bodies)) and stated[form] <= 0.5 * count:
            return form
    return ""


def find_subtitle(piece: Piece, following: Piece | None) -> str:
    """Return how a line that may be a subtitle is printed; empty where it reads like text."""
    if following and not following.gap and following.text[:1].islower():
        return ""
    text, words = piece.text, len(piece.text.split())
    if (
        piece.kind not in ("line", "heading")
        or words > _LONG_VALUE + 4
        or find_labelled(piece.content)
    ):
        return ""
    if text[:1] in QUOTES:
        return ""
    if open_bracket(piece.content) is not piece.content:
        return "bracket"
    if piece.content.face & ITALIC and text[:1] not in '"“„«':
        return "" if text[-1:] in ".!?…" else "italic"
    if piece.content.face & BOLD:
        return "bold"
    if words <= 8 and text[-1:] not in ".!?:;" and is_phrase(text):
        return "plain"
    return ""


def join_labels(pieces: Sequence[Piece], at: int, joiner: Joiner) -> tuple[Sequence[Label], int]:
    """Return the labels of a line, and of those below that it runs on to, with their number."""
    content = pieces[at].content
    labels = split_labels(content)
    best, more = labels, 0
    if not labels or not any(sign in content.text for sign in ";|·•/"):
        return labels, 0
    for step, following in enumerate(pieces[at + 1 : at + 4], 1):
        if following.gap or following.kind != "line":
            break
        content = joiner.join([content, following.content])
        joined = _split_at(content, _DRAWN)
        if len(joined) > len(best):
            best, more = joined, step
    return best, more


@lru_cache(maxsize=16_384)
def split_labels(content: Styled) -> Sequence[Label]:
    """Return the labels of a line: one, or several with signs or wide gaps between."""
    content = open_bracket(content)
    able = ":" in content.text or "：" in content.text or content.find_lead()
    if able and (labels := _split_at(content, _SEPARATORS)):
        return labels
    if content.find_lead() and len(parted := _split_bold(content)) > 1:
        return parted
    label = find_labelled(content)
    return [label] if label and len(label.text.split()) <= _MOST_LABEL else []


def _split_at(content: Styled, separators: Iterable[re.Pattern[str]]) -> list[Label]:
    """Return the labels that one of the separators parts; none where it parts other things."""
    for separator in separators:
        parts = part_at(content, separator)
        labels = [find_labelled(part) for part in parts] if len(parts) > 1 else []
        if labels and all(label and label.value.text for label in labels):
            return [label for label in labels if label]
    return []


def _split_bold(content: Styled) -> list[Label]:
    """Return labels that are told from their values by being bold: "**Rent** 2 **Size** 4"."""
    bold = [bool(int(mark) & BOLD) for mark in content.marks]
    starts = [at for at, is_bold in enumerate(bold) if is_bold and not (at and bold[at - 1])]
    labels = []
    for start, end in pairwise([*starts, len(bold)]):
        label = find_labelled(content.cut(start, end).strip())
        if label is None or not label.value.text or len(label.value.text.split()) > _SHORT_VALUE:
            return []
        labels.append(label._replace(value=label.value.strip(" ,;|·•/")))
    return labels


def open_bracket(content: Styled) -> Styled:
    """Return a text without the bracket that holds all of it."""
    text = content.text.rstrip(" .")
    for first, last in ("()", "[]", "{}"):
        inside = text[1:-1]
        if text[:1] == first and text[-1:] == last and inside.find(last) >= inside.find(first):
            return content.cut(1, len(text) - 1).strip()
    return content


def part_at(content: Styled, separator: re.Pattern[str]) -> list[Styled]:
    """Return the parts of a text between separators that stand in no bracket."""
    parts: list[Styled] = []
    position = 0
    if not separator.search(content.text):
        return [content]
    for gap in separator.finditer(content.text):
        before = content.text[: gap.start()]
        if before.count("(") > before.count(")"):
            continue
        parts.append(content.cut(position, gap.start()).strip())
        position = gap.end()
    parts.append(content.cut(position).strip())
    return [part for part in parts if part.text]


def runs_on(value: Styled, following: Piece) -> bool:
    """Whether a value goes on in the line below."""
    if following.kind != "line" or following.gap or not value.text:
        return False
    if split_labels(following.content) or value.text[-1:] in ".!?":
        return False
    return following.text[:1].islower() or bool(GOES_ON.search(value.text))
