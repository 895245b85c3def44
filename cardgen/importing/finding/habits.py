"""What the records of a document have in common: labels, subtitles, words with figures.

Learned from all records before any is read. Knows nothing of where records begin.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from cardgen.importing.finding.facts import Fact, is_phrase, take_facts
from cardgen.importing.finding.heads import Head
from cardgen.importing.finding.labels import (
    DRAWN,
    GAP,
    Label,
    find_labelled,
    open_bracket,
    split_at,
    split_labels,
)
from cardgen.importing.finding.listed import Known, learn_listed
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.names import QUOTES
from cardgen.importing.finding.segment import Document, Record
from cardgen.importing.finding.stats import find_form, learn_words, read_pairs
from cardgen.importing.finding.vocabulary import find_label
from cardgen.importing.model import BOLD, ITALIC, SourceLine, Styled

_FEWEST = 3
_NEARLY_ALL = 0.8
_MANY = 8  # records
_LONG = 12  # words of a value
_SHORT = 6
_MOST = 0.6
_SOME = 0.2
PRICE = re.compile(
    r"\d{1,5}(?:[.,]\d{1,2})?(?:\s?[^\W\d_]{1,3}(?:\s\d{1,3}\s?[^\W\d_]{1,3})*)?(?:\s[^\W\d_]+){0,2}(?:\s\d{1,4}\s[^\W\d_]+)?"
)
GOES_ON = re.compile(
    r"(?:[,:&+–—(-]|\b(?:or|and|of|the|an?|any|with|to|und|oder|bis|et|ou|de|à))$", re.I
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


class Habits(NamedTuple):
    """What the records of a document have in common.

    labels: those whose values are short, which are fields; words: those with figures, and how
    their values are written; listed: those with figures in lists of other things, too
    subtitle: how the first line is printed, if it is one
    priced: whether a bare figure behind dots or blanks ends the line of a name
    borne: whether phrases that say who may have a card are what they seem: several cards have one
    tall: whether small tables have a label to a row, and not a row of labels
    header: the first row of small tables, where most are the same
    copied: whether a figure in brackets behind a name counts copies: prices say more
    """

    labels: frozenset[str]
    words: frozenset[str]
    forms: dict[str, Counter[str]]
    listed: Known
    subtitle: str
    priced: bool
    borne: bool
    tall: bool
    header: str
    copied: bool


SIGNS = re.compile(r"\s*[,;·|]\s+|\s{3,}")  # what parts facts behind a name
_OPENED = re.compile(
    r"(\([^()]{1,40}\)|\[[^\[\]]{1,40}\]|\{[^{}]{1,40}\}|<[^<>]{1,40}>)(?:\s*[–—:.-]\s+|\s+|$)"
)
_MOST_OPENED = 6  # words
_LISTED = (",", "·", "•", "|")
_PARTS = ":,;·•|–— "
_SORTED = re.compile(r"(.{2,80}?)(?:[.:]\s+|\.?$)")  # "a disc to be worn on a cord."


class _Said(NamedTuple):
    """What stands behind a label in one record."""

    words: int
    early: bool  # before any text
    told: bool  # as a sentence
    marked: bool
    stopped: bool  # with a stop
    listed: bool  # beside another label


def list_pieces(document: Document, record: Record) -> list[Piece]:
    """Return the lines of a record below its name, with what is left of the name's line first."""
    first, parts = document.lines[record.start], _part_rest(document, record)
    pieces = [Piece(part, (), "line", 0, 0, record.start) for part in parts if part.text]
    ruled = 0
    for line in document.lines[record.start + 1 : record.end]:
        block = line.block
        if block.kind == "rule":
            ruled = 1
            continue
        gap = 0 if not pieces and first.block.kind == "heading" else max(block.gap, ruled)
        pieces.append(
            Piece(line.content, block.lines, block.kind, gap, block.indent, line.at, block.cells)
        )
        ruled = 0
    return pieces


def _part_rest(document: Document, record: Record) -> list[Styled]:
    """Return what stands behind a name on its line: brackets, what it is, and its text."""
    head, rest = record.begin.head, record.begin.head.rest
    listed = head.ending == "comma" or rest.text[:1] in _LISTED
    if head.ending == "capitals" and rest.text[:1].islower():
        listed = f"{head.name}," in document.lines[record.start].text  # "OTTER LENS, a disc."
    rest = rest.strip(_PARTS) if rest.text[:1] in _PARTS else rest
    below = document.lines[record.start + 1 : record.end][:1]
    goes_on = any(
        not (line.apart or line.label or line.block.indent) and line.text[:1].islower()
        for line in below
    )
    parts: list[Styled] = []
    while (opened := _OPENED.match(rest.text)) and len(opened[1].split()) <= _MOST_OPENED:
        parts.append(rest.cut(0, opened.end(1)))
        rest = rest.cut(opened.end())
    sort = _SORTED.match(rest.text) if listed else None
    if sort and (sort.end() < len(rest.text) or not goes_on):
        parts.append(Styled.of(f"({sort[1]})"))
        rest = rest.cut(sort.end())
    elif not listed and (leaning := _find_leaning(rest)):
        parts.append(Styled.of(f"({rest.text[:leaning].strip(' .')})"))
        rest = rest.cut(leaning).strip()
    stated = take_facts(rest.text).end if rest.text else 0
    if (said := rest.cut(stated)).face and len(said.text.split()) <= _MOST_OPENED:
        parts.append(rest.cut(0, stated))  # "2 gold, *common*"
        rest = said.strip()
    return [*parts, rest]


def _find_leaning(rest: Styled) -> int:
    """Return where a few words in italics end with a stop before a text, else 0."""
    end = rest.find_lead()
    said = rest.text[:end].rstrip()
    leans = 0 < end < len(rest.text) and set(rest.marks[:end]) == {str(ITALIC)}
    return end if leans and said[-1:] == "." and len(said.split()) <= _LONG else 0


def learn_habits(document: Document, records: Sequence[Record], joiner: Joiner) -> Habits:
    """Return what repeats in the records of a document."""
    bodies = [list_pieces(document, record) for record in records]
    texts = [piece.text for pieces in bodies for piece in pieces]
    behind = (piece.text for pieces in bodies for piece in pieces if not piece.sources)
    texts += [part for text in behind if not read_pairs(text) for part in _list_stated(text)]
    stated = [piece.text for pieces in bodies for piece in pieces if piece.kind == "stat"]
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pair in (pair for text in texts for pair in read_pairs(text)):
        forms[pair.key][find_form(pair.value)] += 1
    heads = [record.begin.head for record in records]
    priced = sum(
        head.ending == "dots" and bool(PRICE.fullmatch(SIGNS.split(head.rest.text)[0]))
        for head in heads
    )
    borne = sum(
        take_facts(piece.text).has("who") for pieces in bodies for piece in pieces[:_FEWEST]
    )
    return Habits(
        _learn_labels(bodies, joiner),
        learn_words(texts, stated, len(records)),
        dict(forms),
        learn_listed([[piece.content for piece in pieces if not piece.cells] for pieces in bodies]),
        _learn_subtitle(bodies),
        priced > max(2, _MOST * len(records)),
        len(bodies) < _MANY or borne > len(bodies) / _MANY,
        _learn_tall(bodies),
        _learn_header(bodies),
        _learn_copied(heads, bodies),
    )


def _list_stated(text: str) -> list[str]:
    """Return words with figures among what stands behind a name: "wt. 10 lb" of "3 pips; …"."""
    parts = SIGNS.split(text.strip("()[]{}"))
    return [part for part in parts if read_pairs(part)] if len(parts) <= _SHORT else []


def is_bare(fact: Fact) -> bool:
    """Whether a price is no more than a figure in brackets, which may count copies."""
    return fact.gives == "cost" and fact.written.isdecimal()


def _learn_copied(heads: Sequence[Head], bodies: Sequence[Sequence[Piece]]) -> bool:
    counted = sum(any(map(is_bare, head.taken.facts)) for head in heads)
    priced = sum(
        any(fact.gives == "cost" and not is_bare(fact) for fact in take_facts(piece.text).facts)
        for pieces in bodies
        for piece in pieces[:_FEWEST]
    )
    return counted >= _NEARLY_ALL * len(heads) and priced > 1


def _learn_tall(bodies: Sequence[Sequence[Piece]]) -> bool:
    """Whether the first cells of rows come again, and not the cells of first rows."""
    rows = [[piece.cells for piece in pieces if len(piece.cells) == 2] for pieces in bodies]
    first = Counter(row[0].text for one in rows for row in one[1:])
    second = Counter(row[1].text for one in rows for row in one[:1])
    return max(first.values(), default=0) > max(second.values(), default=0)


def _learn_header(bodies: Sequence[Sequence[Piece]]) -> str:
    """Return the row that small tables begin with, where most records have it."""
    first = (next((piece.text for piece in pieces if piece.cells), "") for pieces in bodies)
    row, times = Counter(first).most_common(1)[0]
    return row if times >= _MOST * len(bodies) else ""


def _learn_labels(bodies: Sequence[Sequence[Piece]], joiner: Joiner) -> frozenset[str]:
    """Return the labels whose values are short, by what stands behind them in all records."""
    found: defaultdict[str, list[_Said]] = defaultdict(list)
    for pieces in bodies:
        for key, said in dict(_list_said(pieces, joiner)).items():
            found[key].append(said)
    filled = sum(any(map(_is_text, pieces)) for pieces in bodies) >= _NEARLY_ALL * len(bodies)
    besides = _list_besides(found, bodies)
    return frozenset(
        key
        for key, said in found.items()
        if key in besides
        or _is_field(key, said, len(bodies))
        # "Effect: heals 3" is one where all have a text of their own besides.
        or (filled and _is_brief(said, len(bodies)))
        # "Gift: Your fields are watered first." is a field where all have one apart from a text.
        or (filled and not find_label(key) and _stands_apart(said, len(bodies)))
    )


def _list_besides(
    found: Mapping[str, Sequence[_Said]], bodies: Sequence[Sequence[Piece]]
) -> frozenset[str]:
    """Return the labels of a list that may mean the text, where most cards have another text: one
    without a label, or with one further down, as "Description" below "Effect".
    """
    texts = [  # the last first
        key
        for key, said in found.items()
        if find_label(key) == "text" and 2 * sum(one.listed for one in said) > len(bodies)
    ]
    plain = sum(
        any(_is_plain(piece, first=not at) for at, piece in enumerate(pieces)) for pieces in bodies
    )
    return frozenset(texts if plain >= _NEARLY_ALL * len(bodies) else texts[1:])


def _is_plain(piece: Piece, *, first: bool) -> bool:
    """Whether a line is a sentence apart from others, without a label."""
    apart = piece.kind == "line" and (first or piece.gap > 0) and not piece.cells
    ended = piece.text.rstrip('"”*')[-1:] in ".!?…" and len(piece.text.split()) >= _FEWEST
    return apart and ended and not split_labels(piece.content)


def _stands_above(said: Sequence[_Said], records: int) -> bool:
    """Whether nearly all records have a label above their text."""
    return sum(one.early for one in said) >= _NEARLY_ALL * records


def _stands_apart(said: Sequence[_Said], records: int) -> bool:
    """Whether nearly all records have a label above their text, or most have it below."""
    below = sum(not one.early for one in said) >= _MOST * records
    return below or _stands_above(said, records)


def _is_brief(said: Sequence[_Said], records: int) -> bool:
    """Whether nearly all records have a label with a few words above their text."""
    phrased = not any(one.stopped or one.words > _LONG for one in said)
    return phrased and _stands_above(said, records)


def _is_text(piece: Piece) -> bool:
    """Whether a line is running text without a label."""
    return len(piece.text.split()) > _SHORT and not piece.cells and not split_labels(piece.content)


def _list_said(pieces: Sequence[Piece], joiner: Joiner) -> Iterable[tuple[str, _Said]]:
    """Yield the labels of a record, the first of those alike last."""
    found = []
    early = True
    words_above = 0
    for place, piece in enumerate(pieces):
        labels, more = join_labels(pieces, place, joiner)
        carries_on = not (labels or piece.gap) and piece.kind == "line"
        words_above = (words_above * carries_on + len(piece.text.split())) * (not labels)
        early = early and words_above <= _LONG
        lead = piece.content.find_lead()
        if lead and piece.text[:lead].rstrip()[-1:] == ".":
            continue
        following = pieces[place + more + 1] if place + more + 1 < len(pieces) else None
        above = pieces[place - 1] if place else None
        listed = any(one and split_labels(one.content) for one in (above, following))
        for label in labels:
            text = label.value.text
            words = len(text.split())
            if not words and not find_label(label.key):
                continue
            stopped = text[-1:] in ".!?"
            ended = stopped and not early and words > _SHORT and not find_label(label.key)
            told = _is_sentence(text) or ended
            if label is labels[-1] and following and runs_on(label.value, following):
                words += len(following.text.split())
            marked = bool(lead or piece.kind == "item")
            found.append((label.key, _Said(words, early, told, marked, stopped, listed)))
    return reversed(found)


def _is_field(key: str, said: Sequence[_Said], records: int) -> bool:
    """Whether a label's values are short, and it comes often, or is marked as one."""
    if find_label(key) == "text":
        return max(one.words for one in said) <= 2
    often = len(said) >= max(2, records / 5)
    once = any(one.marked for one in said) and any(one.early for one in said)
    short = median(one.words for one in said) <= _LONG
    told = 2 * sum(one.told for one in said) > len(said)
    return short and not told and (often or (once and len(key.split()) <= 3))


def _is_sentence(text: str) -> bool:
    """Whether a value reads like running text: it ends like a sentence, and has a few words."""
    words = text.split()
    known = len(words) > _SHORT or not is_phrase(text)
    return len(words) > 4 and text[-1:] in ".!?" and known


def _learn_subtitle(bodies: Sequence[Sequence[Piece]]) -> str:
    """Return how the first line is printed, where most records have one that is no text."""
    forms: Counter[str] = Counter()
    stated: Counter[str] = Counter()
    for pieces in bodies:
        stands = (n for n, piece in enumerate(pieces) if piece.sources or not _is_stated(piece))
        first, second, *_ = [*pieces[next(stands, 0) :][:2], None, None]
        if first and second and (form := find_subtitle(first, second)):
            forms[form] += 1
            stated[form] += _is_stated(first)
    for form, count in forms.most_common(1):
        share = _SOME if form == "italic" else _MOST
        if count >= max(2, share * len(bodies)) and stated[form] <= 0.5 * count:
            return form
    return ""


def _is_stated(piece: Piece) -> bool:
    """Whether a line is a fact for sure, and nothing else."""
    taken = take_facts(piece.text)
    return taken.fills(piece.text) and taken.sure >= 0.8


def find_subtitle(piece: Piece, following: Piece | None) -> str:
    """Return how a line that may be a subtitle is printed; empty where it reads like text."""
    text, words = piece.text, len(piece.text.split())
    beside = following is not None and following.at == piece.at
    goes_on = following and not following.gap and following.text[:1].islower() and not beside
    able = piece.kind in ("line", "heading") and words <= _LONG + 4 and text[:1] not in QUOTES
    closed = open_bracket(piece.content) is not piece.content
    if (goes_on and not closed) or not able or find_labelled(piece.content):
        return ""
    if closed:
        return "bracket"
    if piece.content.face & ITALIC:
        above_labels = following is not None and split_labels(following.content)
        return "italic" if text[-1:] not in ".!?…" or above_labels else ""
    if piece.content.face & BOLD:
        return "bold"
    plain = words <= 8 and text[-1:] not in ".!?:;" and is_phrase(text)
    return "plain" if plain else ""


def join_labels(pieces: Sequence[Piece], at: int, joiner: Joiner) -> tuple[Sequence[Label], int]:
    """Return the labels of a line, and of those below that it runs on to, with their number."""
    content = wide = pieces[at].content
    best, more = split_labels(content), 0
    if not best or not any(sign in content.text for sign in (*";|·•/", "  ")):
        return best, 0
    gapped = GAP.search(content.text) is not None
    for step, following in enumerate(pieces[at + 1 : at + 4], 1):
        if following.gap or following.kind != "line":
            break
        content = joiner.join([content, following.content])
        begun = gapped and following.text[:1].isupper() and split_labels(following.content)
        wide = wide.join(following.content.strip(), "  " if begun else " ")
        joined = split_at(content, DRAWN) or split_at(wide, (GAP,))
        if len(joined) > len(best):
            best, more = joined, step
    return best, more


def runs_on(value: Styled, following: Piece) -> bool:
    """Whether a value goes on in the line below."""
    if following.kind != "line" or following.gap or not value.text:
        return False
    if split_labels(following.content) or value.text[-1:] in ".!?":
        return False
    borne = take_facts(following.text)
    if borne.has("who") and borne.fills(following.text):
        return False  # "knights only" below "Weight: 2 lb"
    return following.text[:1].islower() or bool(GOES_ON.search(value.text))
