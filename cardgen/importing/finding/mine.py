"""The best cut of a document: all candidates weighed, the best mended, chapters told from items.

A cut is mended by groups of lines that make its records more alike. Knows nothing of fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from math import log

from cardgen.importing.finding.lines import STATS, Line
from cardgen.importing.finding.segment import (
    Cut,
    Document,
    Record,
    find_printed,
    find_strong,
    find_tokens,
    weigh,
    weigh_mark,
    weigh_name,
)
from cardgen.importing.finding.signature import (
    Begin,
    Candidate,
    list_candidates,
    list_groups,
)

_MOST_WEIGHED = 16
_POOR = 0.6
_MOST_MENDED = 4
_MOST_GROUPS = 12
_MORE = 1.01  # a group is added if that makes the records at least so much better
_LESS = 1.03
_LESS_ITEMS = 1.15  # of the items that chapters hold
_LESS_OUTER = 1.5  # of the headings that others stand within
_ALL = 0.95
_WITHIN = 0.5
_NEAR = 8  # lines
_AGAIN = 0.2
_STRONG = 0.7


def find_best(document: Document, candidates: Iterable[Candidate]) -> list[Cut]:
    """Return the cuts of a document, the best first, the first few of them mended."""
    able = (one for one in candidates if not _lacks_few(document, one))
    ranked = sorted(able, key=lambda one: -_guess(document, one))[:_MOST_WEIGHED]
    cuts = sorted((weigh(document, one) for one in ranked), key=lambda cut: -cut.score)
    groups = list_groups(document.lines)
    mended = [_mend(document, cut, groups) for cut in _add_titled(document, cuts[:_MOST_MENDED])]
    ranked_cuts = prefer_whole(
        document, sorted([*mended, *cuts[_MOST_MENDED:]], key=lambda cut: -cut.score)
    )
    for place, cut in enumerate(ranked_cuts[1:], 1):
        if _fills(document, cut, ranked_cuts[0]):
            return [cut, *ranked_cuts[:place], *ranked_cuts[place + 1 :]]
    return ranked_cuts


def prefer_whole(document: Document, cuts: list[Cut]) -> list[Cut]:
    """Return the cuts with one first that is as good as the best, and has all its names and those
    printed alike that have no white space above them; or all its items, without headings.
    """
    best = {begin.at for begin in cuts[0].candidate.begins} if cuts else set()
    styles = {find_printed(document, begin) for cut in cuts[:1] for begin in cut.candidate.begins}
    for place, cut in enumerate(cuts[1:], 1):
        more = [begin for begin in cut.candidate.begins if begin.at not in best]
        alike = all(b.head.rest.text and find_printed(document, b) in styles for b in more)
        whole = 0 < len(more) == len(cut.candidate.begins) - len(best)
        items = cut.score * _LESS_ITEMS > cuts[0].score and _are_items(document, cut, cuts[0])
        items = items or (
            cut.score * _LESS_OUTER > cuts[0].score
            and (_are_outer(document, cut, cuts[0]) or _hold_stats(document, cut, cuts[0]))
        )
        if items or (whole and alike and cut.score * _LESS > cuts[0].score):
            return [cut, *cuts[:place], *cuts[place + 1 :]]
    return cuts


def _are_items(document: Document, cut: Cut, mixed: Cut) -> bool:
    """Whether a cut has all items of another one, and more of them for the headings above them."""
    names = {begin.at for begin in cut.candidate.begins}
    kinds = {begin.at: document.lines[begin.at].block.kind for begin in mixed.candidate.begins}
    items = {at for at, kind in kinds.items() if kind == "item"}
    only = all(document.lines[at].block.kind == "item" for at in names)
    return only and items < names and {*kinds.values()} == {"item", "heading"}


def _are_outer(document: Document, cut: Cut, mixed: Cut) -> bool:
    """Whether a cut has all headings of a level among the names of another one, and what stands
    below each of them stands below hardly any of the lower ones: these are parts of cards.
    """
    names = {begin.at for begin in cut.candidate.begins}
    levels = {document.lines[at].block.level for at in names}
    level = max(levels)
    others = [record for record in mixed.records if record.start not in names]
    inner = [one for one in others if document.lines[one.start].block.level not in range(1, level)]
    same = any(document.lines[record.start].block.level == level for record in others)
    if same or len(levels) > 1 or not level or not 0 < 2 * len(inner) < len(names):
        return False
    usual = {token for token, share in cut.usual.items() if share >= _ALL and " line " in token}
    found = [find_tokens(document, record) for record in inner]
    return any(sum(token in one for one in found) <= _AGAIN * len(found) for token in usual)


def _hold_stats(document: Document, cut: Cut, inner: Cut) -> bool:
    """Whether all names of another cut stand within records of this one, and below these alone
    stand stats.
    """
    tokens = [token for token in STATS if cut.usual.get(token, 0.0) >= _ALL]
    within = {at for record in cut.records for at in range(record.start + 1, record.end)}
    if not tokens or not within.issuperset(record.start for record in inner.records):
        return False
    found = [find_tokens(document, record) for record in inner.records]
    return any(sum(token in one for one in found) <= _AGAIN * len(found) for token in tokens)


def _lacks_few(document: Document, candidate: Candidate) -> bool:
    """Whether a candidate has most names that dots lead from, and not all."""
    held = document.led.intersection(begin.at for begin in candidate.begins)
    return len(document.led) < 2 * len(held) < 2 * len(document.led)


def _add_titled(document: Document, cuts: list[Cut]) -> list[Cut]:
    """Return the first cuts of a document, with the best one without titles that stand alone."""
    for cut in cuts[:1]:
        begins = tuple(b for b in cut.candidate.begins if b.at not in document.alone)
        if document.alone and len(begins) > len(document.alone):
            titled = cut.candidate._replace(begins=begins, titles=document.alone)
            cuts = [*cuts, weigh(document, titled)]
    return cuts


def _fills(document: Document, cut: Cut, chapters: Cut) -> bool:
    """Whether most records of another cut hold records of this one, several in each.

    Those are chapters then, where nothing speaks for them but their headings.
    """
    heads = [record.begin.head for record in cut.records]
    steps = sum(h.ending == "stop" and h.shape == "sentence" and h.number != "" for h in heads)
    told_alike = any(_stands_near(document, chapters, one) for one in find_strong(chapters.usual))
    often = Counter(head.name.casefold() for head in heads)
    again = sum(count for count in often.values() if count > 1)  # labels, each in many records
    if cut.score < _WITHIN * chapters.score or told_alike or 2 * steps > len(heads):
        return False
    if again > _AGAIN * len(heads):
        return False
    if {record.start for record in cut.records} & {one.start for one in chapters.records}:
        return False
    filled = sum(
        any(chapter.start < record.start < chapter.end for record in cut.records)
        for chapter in chapters.records
    )
    return len(cut.records) > filled and 2 * filled > len(chapters.records)


def _stands_near(document: Document, chapters: Cut, token: str) -> bool:
    """Whether what chapters share stands near their headings, and not somewhere in their text."""
    near = [
        any(token in document.tokens[at] for at in range(record.start, record.start + _NEAR))
        for record in chapters.records
        if record.start + _NEAR <= len(document.tokens)
    ]
    return 2 * sum(near) > len(near)


def _mend(
    document: Document, cut: Cut, groups: Mapping[tuple[object, ...], Sequence[Begin]]
) -> Cut:
    """Return a cut with such groups of lines added or taken out as make its records more alike."""
    fixed = cut.candidate.fixed
    for _ in range(2):
        before = cut.score
        styles = dict.fromkeys(find_printed(document, b) for b in cut.candidate.begins)
        for style in styles if not _are_of_one_level(document, cut) else ():
            fewer = tuple(b for b in cut.candidate.begins if find_printed(document, b) != style)
            if len(fewer) >= 2 and _may_hold(document, fewer, fixed):
                cut = _better(cut, weigh(document, cut.candidate._replace(begins=fewer)), _LESS)
        for fewer in _list_anchored(document, cut):
            if not _may_hold(document, fewer, fixed):
                continue
            cut = _better(cut, weigh(document, cut.candidate._replace(begins=fewer), STATS), _MORE)
        for group in _list_alike(document, cut, groups):
            known = {begin.at for begin in cut.candidate.begins}
            new = [begin for begin in group if begin.at not in known]
            if new:
                more = tuple(sorted([*cut.candidate.begins, *new], key=lambda b: b.at))
                cut = _better(cut, weigh(document, cut.candidate._replace(begins=more)), _MORE)
        if cut.score == before:
            break
    return cut


def _are_of_one_level(document: Document, cut: Cut) -> bool:
    """Whether all names are headings of one level, whatever facts end them."""
    blocks = [document.lines[begin.at].block for begin in cut.candidate.begins]
    return {(block.kind, block.level) for block in blocks} == {("heading", blocks[0].level)}


def _may_hold(document: Document, begins: Sequence[Begin], fixed: Set[int]) -> bool:
    """Whether lines hold all that begin records for sure, and all or none that are numbered on,
    stand alone above names, have dots behind their names, or stand below lines drawn across.
    """
    held = {begin.at for begin in begins}
    groups = (document.alone, document.numbered, document.led, document.ruled)
    return fixed <= held and all(len(held.intersection(one)) in (0, len(one)) for one in groups)


def _list_anchored(document: Document, cut: Cut) -> list[tuple[Begin, ...]]:
    """Return the names with stats below them, where others printed alike are chapters of rules."""
    found: list[tuple[Begin, ...]] = []
    if any(document.lines[record.start].is_term for record in cut.records):
        return found  # whose terms all have something said of them
    for token in STATS:
        fewer = tuple(r.begin for r in cut.records if token in find_tokens(document, r))
        if 2 <= len(fewer) < 0.9 * len(cut.records):
            found.append(fewer)
    return found


def _better(cut: Cut, other: Cut, factor: float) -> Cut:
    return other if other.score > cut.score * factor else cut


def _list_alike(
    document: Document, cut: Cut, groups: Mapping[tuple[object, ...], Sequence[Begin]]
) -> list[Sequence[Begin]]:
    """Return groups of other lines below which stands what is usual in the records of a cut."""
    strong = find_strong(cut.usual)
    known = {begin.at for begin in cut.candidate.begins}
    found: list[tuple[int, Sequence[Begin]]] = []
    if not strong:
        return []
    endings = Counter(begin.head.ending for begin in cut.candidate.begins)
    usual = endings.most_common(1)[0][0]
    for group in groups.values():
        new = [
            begin
            for begin in group
            if begin.at not in known
            and (
                begin.head.ending in ("fact", usual)
                or all(head.ending != usual for head in document.lines[begin.at].heads)
            )
        ]
        if not new or len(new) > 3 * len(known):
            continue
        near = [Record(b, b.at, min(b.at + 4, len(document.lines))) for b in new]
        own = sum(any(token in find_tokens(document, one) for token in strong) for one in near)
        if own >= _STRONG * len(new):
            found.append((own, new))
    return [group for _, group in sorted(found, key=lambda one: -one[0])[:_MOST_GROUPS]]


def _guess(document: Document, candidate: Candidate) -> float:
    """Return quickly how good a candidate may be at best."""
    begins = candidate.begins
    names = {begin.head.name.casefold() for begin in begins}
    different = len(names) / len(begins)
    marked = sum(weigh_mark(document.lines[b.at], b) for b in begins) / len(begins)
    named = sum(weigh_name(b, document.lines[b.at]) for b in begins) / len(begins)
    return different**2 * marked**2 * named**2 * log(1 + len(begins))


def mine(lines: Sequence[Line]) -> tuple[Document, list[Cut]]:
    """Return a document and the ways to cut it, the best first."""
    document = Document(lines)
    cuts = find_best(document, list_candidates(lines))
    if not cuts or cuts[0].score < _POOR:
        few = find_best(document, list_candidates(lines, 2)) or _find_single(document)
        cuts = sorted([*cuts, *few], key=lambda cut: -cut.score)
    return document, cuts


def _find_single(document: Document) -> list[Cut]:
    """Return the one record of a text that holds one: a name with facts or labels below it."""
    cuts = []
    for candidate in list_candidates(document.lines, 1):
        if len(candidate.begins) == 1:
            cut = weigh(document, candidate)
            if find_strong(cut.usual):
                cuts.append(cut)
    return sorted(cuts, key=lambda cut: -cut.score)
