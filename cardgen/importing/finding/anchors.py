"""Names by what stands next to them: one printed otherwise is added, half of a record is joined.

What nearly every record has, next to its name or anywhere, is an anchor. Knows nothing of fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace

from cardgen.importing.finding.heads import Head
from cardgen.importing.finding.lines import Line
from cardgen.importing.finding.names import fold
from cardgen.importing.finding.segment import (
    Cut,
    Document,
    Record,
    cut_document,
    find_strong,
    find_tokens,
)
from cardgen.importing.finding.signature import Begin, Candidate

_REACH = 3
_OFTEN = 0.3
_OFTEN_SAID = 3  # what comes so often within records is no name
_HALF = 0.5
_FEWEST = 5
_NEARLY_ALL = 0.7


def find_anchors(document: Document, cut: Cut) -> dict[str, float]:
    """Return what nearly all records have; where few do, labels that always come together."""
    strong = find_strong(cut.usual)
    often = find_strong(cut.usual, _HALF)
    if strong or sum(token.startswith("label ") for token in often) < 2:
        return strong
    found = [find_tokens(document, record) for record in cut.records]
    having = [tokens for tokens in found if any(token in tokens for token in often)]
    shares = {token: sum(token in tokens for tokens in having) / len(having) for token in often}
    return find_strong(shares)


def add_anchored(document: Document, cut: Cut) -> Cut:
    """Add names printed otherwise, where what stands next to nearly every name stands again."""
    anchors = find_anchors(document, cut)
    begins = {record.start: record.begin for record in cut.records}
    labelled = sum(token.startswith("label ") for token in anchors) > 1
    listed = any(document.lines[record.start].block.kind == "item" for record in cut.records)
    added: dict[int, Begin] = {}
    for token in anchors:
        offsets = Counter(
            offset
            for record in cut.records
            if (offset := _find_offset(document, record, token)) is not None
        )
        if not offsets:
            continue
        offset = offsets.most_common(1)[0][0]
        for at in range(offset, len(document.lines)):
            near = at - offset
            if not _has(document, at, token, offset):
                continue
            if any(near - step in begins or near - step in added for step in range(-1, _REACH)):
                continue
            if document.lines[near].block.kind == "item" and not listed:
                continue
            head = _find_head(document.lines[near], labelled=labelled)
            if head is not None and document.again[near] < _OFTEN_SAID:
                added[near] = Begin(near, head)
    if not added:
        return cut
    return _cut_again(document, cut, sorted({**begins, **added}.values()))


def add_bare(document: Document, cut: Cut) -> Cut:
    """Add names that lack what all others state, where each record is one paragraph: "Lock-In"
    between "3x My Round" and "2x Darts", "Balm: not for sale" below "Syrup (30 sous): sweet".
    """
    lines = document.lines
    heads = [record.begin.head for record in cut.records]
    stated = [head.ending == "fact" or head.number == "x" for head in heads]
    if len(stated) < _FEWEST or sum(stated) < _NEARLY_ALL * len(stated):
        return cut
    behind = sum(bool(head.rest.text) for head in heads) > _HALF * len(heads)
    shapes = {head.shape for head in heads}
    added: list[Begin] = []
    parted = 0
    for record in cut.records[:-1]:  # below the last one may stand anything
        gaps = [at for at in range(record.start + 1, record.end) if lines[at].apart]
        parted += bool(gaps)
        found = [_find_bare(lines[at : record.end], behind=behind) for at in gaps]
        if all(head is not None and head.shape in shapes for head in found):
            added += [Begin(at, head) for at, head in zip(gaps, found, strict=True) if head]
    apart = sum(lines[record.start].apart for record in cut.records[1:])
    if not added or parted > _OFTEN * len(heads) or apart < _NEARLY_ALL * (len(heads) - 1):
        return cut
    begins = sorted([*(record.begin for record in cut.records), *added])
    fixed = cut.candidate.fixed | {begin.at for begin in added}
    return _cut_again(document, cut, begins, fixed)


def _find_bare(lines: Sequence[Line], *, behind: bool) -> Head | None:
    """Return the name that a paragraph begins with, its text behind it or on the next line."""
    endings = ("colon", "dash", "bracket") if behind else ("whole",)
    followed = behind or (len(lines) > 1 and not lines[1].apart)
    plain = lines[0].block.kind in ("line", "item") and not lines[0].block.cells
    if not (plain and followed):
        return None
    able = [head for head in lines[0].heads if head.ending in endings]
    return min(able, key=lambda head: len(head.name), default=None)


def _cut_again(
    document: Document, cut: Cut, begins: Sequence[Begin], fixed: Set[int] | None = None
) -> Cut:
    held = cut.candidate.fixed if fixed is None else fixed
    candidate = Candidate(tuple(begins), cut.candidate.signature, frozenset(held))
    records, sections = cut_document(document, candidate)
    return replace(cut, candidate=candidate, records=tuple(records), sections=tuple(sections))


def join_nested(document: Document, cut: Cut, wanted: Set[str]) -> Cut:
    """Return a cut without the few names that are items within those of others."""
    lines = [document.lines[begin.at] for begin in cut.candidate.begins]
    if any(line.block.kind != "item" for line in lines):
        return cut
    least = min(line.block.indent for line in lines)
    inner = {line.at for line in lines if line.block.indent > least + 1}
    shown = any(fold(b.head.name) in wanted for b in cut.candidate.begins if b.at in inner)
    if shown or not 0 < len(inner) < _OFTEN * len(lines):
        return cut
    return _cut_again(document, cut, [b for b in cut.candidate.begins if b.at not in inner])


def join_halves(document: Document, cut: Cut, wanted: Set[str]) -> Cut:
    """Return a cut without names that part a record: what is usual stands partly above each.

    Such a name is a label, as few others are.
    """
    strong = find_anchors(document, cut)
    if len(strong) < 2:
        return cut
    heads = [(document.lines[r.start].label, r.begin.head.ending) for r in cut.records]
    labelled = [label is not None and ending == "whole" for label, ending in heads]
    if sum(labelled) > _OFTEN * len(labelled):
        return cut
    found = [strong.keys() & find_tokens(document, record).keys() for record in cut.records]
    halves = {
        record.start
        for place, record in enumerate(cut.records)
        if place
        and labelled[place]
        and fold(record.begin.head.name) not in wanted
        and not found[place - 1] & found[place]
        and len(found[place - 1] | found[place]) > _HALF * len(strong)
    }
    if not halves:
        return cut
    return _cut_again(document, cut, [b for b in cut.candidate.begins if b.at not in halves])


def _find_offset(document: Document, record: Record, token: str) -> int | None:
    gives = {f"fact {fact.gives}" for fact in record.begin.head.taken.facts}
    if token in gives:
        return 0
    for at in range(record.start + 1, min(record.end, record.start + _REACH + 1)):
        if token in document.tokens[at]:
            return at - record.start
    return None


def _has(document: Document, at: int, token: str, offset: int) -> bool:
    if offset:
        return token in document.tokens[at]
    gives = {f"fact {fact.gives}" for head in document.lines[at].heads for fact in head.taken.facts}
    return token in gives


def _find_head(line: Line, *, labelled: bool) -> Head | None:
    """Return a name that stands alone on its line, or with its facts.

    labelled: whether several labels below it say that it is one, however it is capitalised
    """
    if line.block.kind in ("rule", "row", "page", "heading"):
        return None
    for head in line.heads:
        shaped = head.shape in ("capitals", "title") or (labelled and line.apart)
        if head.ending in ("whole", "fact") and shaped:
            return head
    return None
