"""Which of the lines printed alike begin cards: those whose records have what the others have.

A chapter's heading printed as names are has no record of its own, or one without what is usual; a
name printed unlike the others has one. Knows nothing of what fields mean.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from math import prod
from statistics import median

from cardgen.importing.finding.affixes import bare_names
from cardgen.importing.finding.anchors import (
    add_anchored,
    add_bare,
    find_anchors,
    join_halves,
    join_nested,
)
from cardgen.importing.finding.chapters import find_alone, find_titles, list_beside
from cardgen.importing.finding.heads import Head
from cardgen.importing.finding.lines import STATS, Line
from cardgen.importing.finding.names import BLANK, fold
from cardgen.importing.finding.segment import (
    Cut,
    Document,
    Record,
    find_strong,
    find_tokens,
)
from cardgen.importing.finding.signature import INLINE, find_print, find_style
from cardgen.importing.finding.vocabulary import list_chapter, list_prose, list_words
from cardgen.importing.model import NOT_POINTED, Pointed

_SUSPECT = 0.5
_LOUDER = 0.3  # what is printed louder than names is a chapter's title rather
_FEW = 3
_SHOWN = 0.2  # what is printed as somebody's examples are is less suspect
_ASIDE = 0.2  # in a chapter where nothing is as it is in the others
_TITLE = 0.8  # the first name of a text may be its own title
_WITHIN = 0.4  # chapters have titles of their own, and it is printed as the names of its chapter
_LIKE = 0.2  # the line below it is printed as the others' are
_AMONG = 0.1  # between those that have what is usual
_STATED = 0.3  # no chapter's title says how many there are, or what it costs
_RARE = 0.03
_REACH = 3
_OFTEN = 0.3
_HALF = 0.5
_SHORT = 2  # lines
_LONG = 9  # words of a line
_MOST = 0.7
_NEARLY_ALL = 0.8


def refine(document: Document, cut: Cut, pointed: Pointed = NOT_POINTED) -> Cut:
    """Return a cut without the headings among its names, and with names printed otherwise."""
    wanted = {fold(name) for name in pointed.names}
    cut = join_halves(document, add_bare(document, add_anchored(document, cut)), wanted)
    cut = join_nested(document, cut, wanted)
    names = _Names(document, cut, pointed)
    scanned = any(cut.usual.get(token, 0.0) >= _HALF for token in STATS)
    shown = {r.start for r in cut.records if fold(r.begin.head.name) in wanted}
    heads = find_alone(document, cut.records, numbered=scanned) - shown
    dropped = {
        record.start
        for at, record in enumerate(cut.records)
        if record.start in heads or names.is_no_card(at)
    }
    kept, joined = _join_labelled(document, cut.records, dropped)
    if not kept:
        return cut
    dropped -= joined
    kept, within = _take_in(document, kept, sorted({*cut.sections, *dropped}))
    cut, dropped = replace(cut, sections=tuple(set(cut.sections) - within)), dropped - within
    titles = heads | find_titles(document, kept)
    sections = tuple(sorted({*cut.sections, *dropped, *titles}))
    kept = [
        replace(r, end=min((at for at in titles if r.start < at < r.end), default=r.end))
        for r in kept
    ]
    lines = [document.lines[record.start] for record in kept]
    kept = bare_names(_trim_tails(document, kept), lines, wanted)
    return replace(cut, records=tuple(kept), sections=sections)


def _join_labelled(
    document: Document, records: Sequence[Record], dropped: Set[int]
) -> tuple[list[Record], set[int]]:
    """Return the records that are kept, and which of the dropped go on in the one above: those
    that begin with a label of others, and where all names are headings, those that do not.
    """
    headed = _find_lowest(document, [r for r in records if r.start not in dropped]) > 0
    keys = Counter(key for record in records for key in _list_keys(document, record))
    kept: list[Record] = []
    joined: set[int] = set()
    for record in records:
        line = document.lines[record.start]
        labelled = line.label and keys[line.label.key] >= _FEW
        able = line.block.kind != "heading" and (headed or labelled)
        if record.start not in dropped:
            kept.append(record)
        elif able and kept and kept[-1].end == record.start:
            kept[-1] = replace(kept[-1], end=record.end)
            joined.add(record.start)
    return kept, joined


def _find_lowest(document: Document, records: Sequence[Record]) -> int:
    """Return the lowest level of names where nearly all are headings, else 0."""
    blocks = [document.lines[record.start].block for record in records]
    levels = [block.level for block in blocks if block.kind == "heading"]
    return max(levels) if levels and len(levels) >= _NEARLY_ALL * len(blocks) else 0


def _take_in(
    document: Document, records: Sequence[Record], sections: Sequence[int]
) -> tuple[list[Record], set[int]]:
    """Return the records with the headings below them that are of a lower level than all names."""
    lowest = _find_lowest(document, records)
    starts = {record.start for record in records}
    bounds = sorted({*starts, *sections, len(document.lines)})
    lower = {at for at in sections if lowest and document.lines[at].block.level > lowest} - starts
    taken: list[Record] = []
    within: set[int] = set()
    for record in records:
        while record.end in lower:
            within.add(record.end)
            record = replace(record, end=bounds[bisect_right(bounds, record.end)])
        taken.append(record)
    return taken, within


class _Names:
    """The names of a cut, and how much each reads like a chapter's title beside the others."""

    def __init__(self, document: Document, cut: Cut, pointed: Pointed) -> None:
        self._document = document
        self._cut = cut
        self._wanted = {fold(name) for name in pointed.names}
        self._unwanted = {fold(name) for name in pointed.nots}
        self._heads = [record.begin.head for record in cut.records]
        self._lines = [document.lines[record.start] for record in cut.records]
        self._names = [fold(head.name) for head in self._heads]
        self._learn_prints()
        self._learn_proofs()
        self._learn_bodies()

    def _learn_prints(self) -> None:
        """Learn how names are printed; what was pointed at tells how others are."""
        pairs = list(zip(self._lines, self._heads, strict=True))
        self._styles = [_find_style(*pair) for pair in pairs]
        self._often = Counter(self._styles)
        self._louds = [_weigh_loud(*pair) for pair in pairs]
        self._loud = median(self._louds)
        self._prints = [find_print(*pair) for pair in pairs]
        printed = list(zip(self._prints, self._names, strict=True))
        self._shown = {style for style, name in printed if name in self._wanted}
        unlike = {style for style, name in printed if name in self._unwanted}
        self._unlike = unlike - self._shown if self._wanted else set()
        self._headed = all(line.block.kind == "heading" for line in self._lines)
        levels = {line.block.level for line in self._lines}
        # Where chapters have headings of a level of their own, those of another are names.
        self._level = self._headed and len(levels) == 1
        self._chaptered = self._level and len(self._cut.sections) > 1
        chapters = sum(line.numbers_chapter for line in self._lines)
        self._few_chapters = 2 * chapters < len(self._lines)
        self._numbers = [head.number not in ("", "x") for head in self._heads]
        self._numbered = sum(self._numbers) >= _NEARLY_ALL * len(self._numbers)
        starts = {record.start for record in self._cut.records}
        document = self._document
        series = (document.numbered, document.ruled[:-1], document.led)  # the last may be a remark
        self._counted = {at for one in series if starts.issuperset(one) for at in one}
        self._counted |= self._cut.candidate.fixed

    def _learn_proofs(self) -> None:
        """Learn what is usual in records, and how telling it is that one has none of it."""
        self._strong = find_anchors(self._document, self._cut)
        tokens = {t for r in self._cut.records for t in find_tokens(self._document, r)}
        self._stated = not tokens.isdisjoint(STATS)
        rare = prod(1 - min(share, 0.95) for share in self._strong.values())
        lacking = 0.5 if rare < _RARE else 0.4 if rare < 4 * _RARE else 0.3
        self._proved = _prove(self._document, self._cut.records, self._strong)
        pairs = zip(self._proved, self._names, strict=True)
        shown = all(has for has, name in pairs if name in self._wanted)
        self._lacking = lacking if self._strong and shown else 0.0
        self._ends = _find_ends(self._proved)
        self._named = self._proved if self._strong else [True] * len(self._proved)
        starts = [r.start for r, has in zip(self._cut.records, self._named, strict=True) if has]
        parts = {bisect_left(self._cut.sections, start) for start in starts}
        self._parted = len(parts - {0}) > 1
        anchored = any(token in STATS or token.startswith("label ") for token in self._strong)
        self._aside = _list_aside(self._document, self._cut, self._proved) if anchored else set()
        self._beside = list_beside(self._document, self._cut)

    def _learn_bodies(self) -> None:
        """Learn how much stands below names, and how."""
        records = self._cut.records
        blocks = [_is_one_block(self._document, record) for record in records]
        joined = sum(blocks) >= _NEARLY_ALL * len(blocks)
        # Below a card may stand what is none of it, but for a title's own text.
        ends = [
            _find_white(self._document, r) if joined and at else r.end
            for at, r in enumerate(records)
        ]
        pairs = zip(records, ends, strict=True)
        self._sizes = [self._document.count_words(r.start + 1, end) for r, end in pairs]
        self._middle = median(self._sizes)
        own = [self._measure(at) for at in range(len(records))]
        self._many_bare = sum(not words for words in own) > _HALF * len(own)
        echoes = [_is_echoed(self._document, record) for record in records]
        telling = sum(echoes) <= _OFTEN * len(echoes)
        self._echoes = [telling and one for one in echoes]
        self._joined = blocks[0] and joined

    def is_no_card(self, at: int) -> bool:
        """Whether a name is the title of a chapter, or has nothing below it."""
        if self._names[at] in self._wanted or BLANK.search(self._heads[at].name):
            return False
        unlike = self._prints[at] in self._unlike or self._names[at] in self._unwanted
        unlike = unlike or (self._lines[at].numbers_chapter and self._few_chapters)
        before = not at and len(self._numbers) > _FEW and all(self._numbers[1:])
        unlike = unlike or self._is_remark(at) or (before and not self._numbers[0])
        beside = at in self._beside and not self._proved[at]
        return unlike or beside or self._is_empty(at) or self._suspect(at) >= _SUSPECT

    def _is_remark(self, at: int) -> bool:
        """Whether a name is a word for what is said beside cards: "Note: the fair is closed"."""
        name, said = self._heads[at].name.casefold(), list_words("chapter", "remarks")
        last = at == len(self._heads) - 1 and len(name.split()) > 2
        remark = name in said or (last and name.split()[0] in said)  # "Note of the author: …"
        return remark and self._heads[at].ending in ("colon", "lead") and not self._proved[at]

    def _may_head(self, at: int) -> bool:
        """Whether a title may begin a chapter there: the first names have one above them, too."""
        if self._strong or self._stated or at < 2:  # the first may be the title of all
            return True
        first = self._cut.records[0].start
        return any(end < first for end in self._cut.sections) or any(map(self.is_no_card, (0, 1)))

    def _measure(self, at: int) -> int:
        return self._sizes[at] + len(self._heads[at].rest.text.split())

    def _is_empty(self, at: int) -> bool:
        alike = self._prints[at] in self._shown
        told = self._heads[at].taken.facts or (alike and self._headed)
        told = told or self._cut.records[at].start in self._counted or self._many_bare
        # A chapter's title stands above names, and not above the title of another.
        usual = 2 * self._prints.count(self._prints[at]) > len(self._prints)
        waits = self._cut.records[at].end in self._cut.sections and usual
        return not (self._measure(at) or told or waits)

    def _suspect(self, at: int) -> float:
        """Return how much a name reads like a chapter's title."""
        if self._cut.records[at].start in self._counted or self._lines[at].is_term:
            return 0.0  # of a series that is all of names, or a term with what is said of it
        suspicion = self._miss(at)
        legend = not at and _is_legend(self._document, self._cut.records[at], self._cut)
        suspicion += _SUSPECT if legend or self._stands_before(at) else 0.0
        if not (self._strong or self._shown) or suspicion:
            return suspicion + self._compare(at)
        if self._prints[at] in self._shown:
            titled = self._may_be_title(at) and not (self._strong and self._proved[at])
            return self._read(at) - _SHOWN + (_TITLE if titled else 0.0)
        return 0.0

    def _miss(self, at: int) -> float:
        """Return how much speaks against a record that has nothing of what is usual."""
        suspicion = 0.0 if self._proved[at] else self._lacking
        if not suspicion:
            return 0.0
        head, (first, last) = self._heads[at], self._ends
        told = self._level and 2 * self._measure(at) >= self._middle
        suspicion -= (_WITHIN if told else _AMONG) if first < at < last else 0.0
        suspicion += _ASIDE if at in self._aside else 0.0
        suspicion -= _WITHIN if self._stands_within(at) else 0.0
        suspicion -= _LIKE if self._begins_alike(at) else 0.0
        return suspicion - (_STATED if head.taken.facts or head.copies > 1 else 0.0)

    def _begins_alike(self, at: int) -> bool:
        """Whether a line in italics or bold stands below a name, as it does below nearly all."""
        record = self._cut.records[at]
        lines = self._document.lines[record.start + 1 : record.end][:1]
        marked = any(line.face and line.block.kind == "line" for line in lines)
        tokens = find_tokens(self._document, record) if marked else {}
        first = (token for token in tokens if token.startswith("first "))
        return any(self._cut.usual.get(token, 0.0) >= _NEARLY_ALL for token in first)

    def _compare(self, at: int) -> float:
        """Return how much a name is printed and read otherwise than the others."""
        bare = not self._strong
        suspicion = -_LIKE if bare and self._begins_alike(at) else 0.0
        suspicion -= _WITHIN if bare and self._stands_within(at) else 0.0
        if not self._chaptered:
            share = self._often[self._styles[at]] / len(self._styles)
            strange = share < 0.34 and self._strong and not self._level
            strange = strange and not self._has_company(at)
            suspicion += 0.5 if strange else 0.2 if share < 0.25 else 0.0
            suspicion += self._read(at)
        suspicion += _SUSPECT if self._numbered and not self._numbers[at] else 0.0
        louder = self._louds[at] > self._loud and self._lines[at].apart
        suspicion += _LOUDER if louder else 0.0
        single = self._prints.count(self._prints[at]) == 1 < _FEW < len(self._prints)
        odd = not at and self._cut.records[at].start <= 1 and single
        return suspicion + (_SUSPECT if odd or self._may_be_title(at) else 0.0)

    def _list_fellows(self, at: int) -> list[int]:
        """Return the names of the chapter that a name stands in, with itself."""
        start = self._cut.records[at].start
        begin = max((one for one in self._cut.sections if one < start), default=0)
        end = min(
            (one for one in self._cut.sections if one > start), default=len(self._document.lines)
        )
        records = enumerate(self._cut.records)
        return [other for other, record in records if begin < record.start < end]

    def _has_company(self, at: int) -> bool:
        """Whether a name is of a list behind the first cards, whose text begins on its line."""
        if not (self._heads[at].rest.text and self._ends[0] < at):
            return False
        fellows = self._list_fellows(at)
        listed = all(self._heads[other].rest.text for other in fellows)
        alike = {self._styles[other] for other in fellows} == {self._styles[at]}
        proved = any(self._proved[o] and self._prints[o] == self._prints[at] for o in fellows)
        return listed and (proved or (alike and len(fellows) >= _FEW))

    def _stands_within(self, at: int) -> bool:
        """Whether a name stands between proved ones printed like it, or beside one where its text
        begins on its line, in a chapter that has a title of its own, as others have.
        """
        line, style = self._lines[at], self._styles[at]
        if not self._parted:
            return False
        beside = [
            other
            for other in self._list_fellows(at)
            if self._named[other]
            and other != at
            and self._prints[other] == self._prints[at]
            and self._lines[other].apart <= line.apart
            and self._lines[other].block.indent >= line.block.indent
        ]
        if self._heads[at].rest.text:
            return bool(beside)
        last = self._ends[1] if self._strong else max(beside, default=at)
        alike = any(other < at and (line.apart or self._styles[other] == style) for other in beside)
        return alike and at < last

    def _stands_before(self, at: int) -> bool:
        """Whether a name stands alone above the title of the first chapter, where all others have
        one above them.
        """
        first, end = self._cut.records[0].start, self._cut.records[0].end
        sections, names = self._cut.sections, len(self._names)
        own = 0 < 2 * len(sections) <= names and sections[0] == end and first <= 1
        return not at and self._parted and own

    def _read(self, at: int) -> float:
        record, own = self._cut.records[at], self._measure(at)
        if not self._may_head(at):
            return 0.0
        return _suspect(self._document, record, own, self._middle, echoed=self._echoes[at])

    def _may_be_title(self, at: int) -> bool:
        """Whether a name may be that of the whole text."""
        above = self._document.lines[0].block.kind == "heading"
        able = not (at or above or self._joined)
        return able and _is_title(self._cut.records[at], self._lines[at])


def _prove(
    document: Document, records: Sequence[Record], strong: Mapping[str, float]
) -> list[bool]:
    """Return of each record whether it has what is usual, or what is so among all that have not.

    A chapter of its own, as of spells behind weapons, has labels of its own.
    """
    found = [find_tokens(document, record) for record in records]
    said = Counter(token for tokens in found for token in tokens if token.startswith("label "))
    often = {token for token, times in said.items() if times >= max(_FEW, _HALF * len(found))}
    often = often.union(strong) if strong else set()
    proved = [any(token in tokens for token in often) for tokens in found]
    others = [tokens for tokens, has in zip(found, proved, strict=True) if not has]
    if len(others) < _FEW or not strong:
        return proved
    counts = Counter(token for tokens in others for token in tokens)
    own = find_strong({token: count / len(others) for token, count in counts.items()})
    labels = [token for token in own if token.startswith("label ")]
    if len(labels) < 2:
        return proved
    return [
        has or any(label in tokens for label in labels)
        for has, tokens in zip(proved, found, strict=True)
    ]


def _list_aside(document: Document, cut: Cut, proved: Sequence[bool]) -> set[int]:
    """Return the few records without a label in chapters before or behind all proved ones."""
    first, last = _find_ends(proved)
    aside: set[int] = set()
    for places, end in ((range(first), first - 1), (range(last + 1, len(proved)), last)):
        few = 0 < len(places) < _FEW and 2 * len(places) < sum(proved)
        if few and cut.records[end].end in cut.sections:
            found = [find_tokens(document, cut.records[place]) for place in places]
            if not any(token.startswith("label ") for tokens in found for token in tokens):
                aside.update(places)
    return aside


def _find_style(line: Line, head: Head) -> tuple[object, ...]:
    """Return how a name is printed, whether or not it says how many there are."""
    counted = head.ending == "fact" and all(fact.gives == "count" for fact in head.taken.facts)
    return find_style(line, head._replace(ending="whole") if counted else head)


def _weigh_loud(line: Line, head: Head) -> float:
    """Return how much a name stands out, whatever follows it on its line."""
    return line.loud + (head.shape == "capitals" != line.shape and line.block.kind == "line")


def _find_ends(proved: Sequence[bool]) -> tuple[int, int]:
    """Return the first and the last record that has what is usual."""
    places = [place for place, has in enumerate(proved) if has]
    return (places[0], places[-1]) if places else (len(proved), -1)


def _suspect(document: Document, record: Record, own: int, middle: float, *, echoed: bool) -> float:
    """Return how much a name and what stands below it read like a chapter's.

    echoed: whether that its text begins with a word of the name is telling
    """
    words = fold(record.begin.head.name).split()
    if record.begin.head.rest.text and record.begin.head.ending in (*INLINE, "fact"):
        return 0.0  # A chapter's text does not begin on the line of its heading.
    suspicion = 0.3 if any(word in list_chapter() for word in words) else 0.0
    # "Gifts from Strangers", and below it "Gifts are for characters alone".
    suspicion += 0.3 if echoed else 0.0
    suspicion -= 0.25 if "!" in record.begin.head.name or "?" in record.begin.head.name else 0.0
    prose = _list_first_words(document, record)[:15]
    suspicion += 0.2 if any(word in list_prose() for word in prose) else 0.0
    return suspicion + (0.3 if own > 2 * middle else 0.0)


def _is_echoed(document: Document, record: Record) -> bool:
    """Whether the text below a name begins with a word of it."""
    first = _list_first_words(document, record)[:6]
    return any(len(word) > 3 and word in first for word in fold(record.begin.head.name).split())


def _list_first_words(document: Document, record: Record) -> list[str]:
    """Return the words behind a name and on the line below it."""
    below = document.lines[record.start + 1].text if record.start + 1 < record.end else ""
    return fold(f"{record.begin.head.rest.text} {below}").split()


def _is_one_block(document: Document, record: Record) -> bool:
    """Whether a name has a text, and no white space between its lines."""
    below = document.lines[record.start + 1 : record.end]
    return bool(below) and not any(line.apart for line in below)


def _find_white(document: Document, record: Record) -> int:
    """Return where the first paragraph below a name ends."""
    below = range(record.start + 2, record.end)
    return next((at for at in below if document.lines[at].apart), record.end)


def _is_legend(document: Document, record: Record, cut: Cut) -> bool:
    """Whether a record explains the labels of the others: a paragraph stands above them."""
    begun = [token for token in cut.usual if token.startswith("first ") and token.endswith("False")]
    tokens = find_tokens(document, record)
    told = sum(token.startswith("label ") for token in tokens) > 1 and "first line 0 True" in tokens
    below = document.lines[record.start + 1 : record.end][:1]
    told = told and any(line.label is None and line.words > _LONG for line in below)
    return told and any(cut.usual[token] >= _MOST for token in begun)


def _is_title(record: Record, line: Line) -> bool:
    """Whether the first name of a text may be its title, printed as the names are."""
    head = record.begin.head
    plain = head.ending == "whole" and not head.number and line.block.kind == "line"
    return plain and record.start <= 1


def _trim_tails(document: Document, records: Sequence[Record]) -> list[Record]:
    """Take off what stands below the last card of a stretch, and has its like below no other."""
    breaks = _find_breaks(document, records)
    keys = Counter(key for record in records for key in _list_keys(document, record))
    known = {key for key, number in keys.items() if number > 1}
    counts = [len(_list_gaps(document, record, known)) for record in records]
    lines = {record.end - record.start for record in records[:-1]}
    short = min(lines) if len(records) > _FEW and len(lines) == 1 and max(lines) <= _SHORT else 0
    trimmed = []
    for place, record in enumerate(records):
        gaps = _list_gaps(document, record, known)
        headed = document.lines[record.start].block.kind == "heading"
        final = place + 1 == len(records)
        ended = final or records[place + 1].start > record.end
        below = document.lines[record.end : record.end + 1]
        closed = document.lines[record.end - 1].ends_sentence  # no head of a page, or caption
        chapter = closed and any(line.block.kind == "heading" for line in below)
        last = final or (ended and not (record.begin.head.rest.text or chapter))
        told = short > 1 or (short and record.begin.head.rest.text)
        if final and told and not (headed or _goes_on(document, record, short)):
            record = replace(record, end=min(record.end, record.start + short))
        if place in breaks:
            record = replace(record, end=breaks[place])
            gaps = _list_gaps(document, record, known)
        if (last or len(gaps) > _REACH) and not headed and gaps and len(records) >= 4:
            others = [count for other, count in enumerate(counts) if other != place]
            most = max(
                (n for n in set(others) if others.count(n) >= _OFTEN * len(others)), default=0
            )
            most = max(most, sorted(others)[int(0.7 * (len(others) - 1))])
            filled = record.begin.head.rest.text or gaps[most:][:1] != [record.start + 1]
            if (
                len(gaps) > most + (0 if last else _REACH)
                and filled
                and (not max(others) or _is_prose(document, gaps[most], record.end))
            ):
                record = replace(record, end=gaps[most])
        trimmed.append(record)
    return trimmed


def _goes_on(document: Document, record: Record, lines: int) -> bool:
    """Whether what stands below the first lines of a record goes on with them."""
    first, below = document.lines[record.start], record.start + lines
    if below >= record.end:
        return False
    line = document.lines[below]
    return line.goes_on or line.block.indent > first.block.indent or line.block.kind == "item"


def _find_breaks(document: Document, records: Sequence[Record]) -> dict[int, int]:
    """Return where some records end before others begin: below a line drawn across, or more white.

    That is what few records have, and what stands there comes again, or ends the text.
    """
    lines = document.lines
    white = max(1, median(lines[record.start].block.gap for record in records[1:] or records))
    found: dict[int, int] = {}
    for place, record in enumerate(records):
        for at in range(record.start + 1, record.end):
            # A line below a heading within a card is drawn for the looks of it.
            ruled = lines[at].block.kind == "rule" and lines[at - 1].block.kind != "heading"
            if (ruled and at + 1 < record.end) or lines[at].block.gap > white:
                found[place] = at
                break
    tails = {
        place: [
            line.label.key if line.label else line.text.casefold()
            for line in lines[at : records[place].end]
            if line.text
        ]
        for place, at in found.items()
    }
    again = Counter(key for tail in tails.values() for key in set(tail))
    final = len(records) - 1
    few, rare = 2 * len(found) < len(records), 3 * len(found) <= len(records)
    return {
        place: at
        for place, at in found.items()
        if (place == final and rare) or (few and any(again[key] > 1 for key in tails[place][:1]))
    }


def _list_keys(document: Document, record: Record) -> set[str]:
    lines = document.lines[record.start : record.end]
    return {line.label.key for line in lines if line.label}


def _list_gaps(document: Document, record: Record, known: Set[str]) -> list[int]:
    """Return where paragraphs begin in a record, below white space; known labels are none."""
    found = []
    first = document.lines[record.start]
    for at in range(record.start + 1, record.end):
        line = document.lines[at]
        if first.hangs and line.block.indent > first.block.indent:
            continue
        labelled = line.label and line.label.key in known
        if line.apart and line.block.kind == "line" and not line.block.cells and not labelled:
            found.append(at)
    return found


def _is_prose(document: Document, start: int, end: int) -> bool:
    return all(
        document.lines[at].block.kind == "line" and not document.tokens[at]
        for at in range(start, end)
        if document.lines[at].block.kind != "rule"
    )
