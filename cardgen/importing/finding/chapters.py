"""The chapters of a document: which lines are their titles, and what they call their records.

A title stands alone above names, or above an introduction, and is printed as others are. Knows
nothing of fields.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence, Set

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.finding.lines import STATS, Line
from cardgen.importing.finding.names import CHAPTER, fold, set_name
from cardgen.importing.finding.segment import Cut, Document, Record, find_tokens, states
from cardgen.importing.finding.vocabulary import (
    find_label,
    list_aside,
    list_chapter,
    list_words,
)

_NEARLY_ALL = 0.8
_FEW = 3
_MOST_WORDS = 9
_MOST_CALLED = 3
_STATED_BY = ("label ", "fact cost", *STATS)
_HOW_MANY = re.compile(r"\s*[(\[]\D{0,9}(\d{1,4})\b[^)\]]*[)\]]$")
_COUNTS = re.compile(r"^\W*(?:[^\W\d_]+\s)?\d{1,2}(?:\.\d{1,2})*\b|\(\d+[^()]*\)$")
_LETTERED = re.compile(r"[A-Z]{1,4}[.)]\s")
_CODED = re.compile(r"^[A-Z](?:[.)]|\.\d{1,2}[.)]?)\s+(?=\w\w)")
_HEADED = re.compile(r"([^\W_]+(?: [^\W_]+(?:[.-]\d{1,2})?)?)\s?[.:–—]\s+(?=\w)")
_NUMBERED = re.compile(r"(\d{1,2})(?:\.\d{1,2})*[.)]?\s+(?=[^\W\d])")


# Which lines are titles


def find_titles(document: Document, records: Sequence[Record]) -> set[int]:
    """Return the titles that stand alone above some names, alike, and above all of them; and those
    further out than all names, which stand right above some.
    """
    lines = document.lines
    outer = _list_outer(document, records)
    if len(outer) > 1 and 2 * len(outer) < len(records):
        return outer
    found: dict[int, tuple[object, ...]] = {}
    clear: set[int] = set()
    for record in records:
        at = record.start - 1
        while lines[at].block.kind == "rule":
            at -= 1
        line, item = lines[at], lines[record.start].block.kind == "item"
        apart = line.apart or lines[at - 1].block.kind == "rule"
        begins = apart or lines[at - 1].ends_sentence
        alone = at >= 0 and begins and line.block.kind in ("line", "line" if item else "item")
        parted = lines[at + 1].apart or lines[record.start].apart
        if alone and line.title:
            capitals = line.shape == "capitals"
            offset = line.block.indent > lines[record.start].block.indent + 2
            if (apart and parted) or capitals:
                found[at] = line.face, line.size, capitals, offset
            if apart and parted:
                clear.add(at)
    above = {found[at] for at in clear if at < records[0].start}
    alike = {at for at, style in found.items() if style in above}
    return alike if len(alike) > 1 and 2 * len(alike) < len(records) else set()


def _list_outer(document: Document, records: Sequence[Record]) -> set[int]:
    """Return the short lines apart right above names that are all set in, and stand further out."""
    lines = document.lines
    indent = min(lines[record.start].block.indent for record in records)
    above = [lines[record.start - 1] for record in records if record.start]
    return {
        line.at
        for line in above
        if line.apart
        and line.block.kind == "line"
        and line.block.indent < indent
        and line.words <= _MOST_WORDS
        and line.text[-1:] not in ".!?,;"
    }


def find_alone(
    document: Document, records: Sequence[Record], *, numbered: bool = False
) -> set[int]:
    """Return the titles that stand alone above an introduction, alike, and above all names, where
    names have their texts right below them or beside them.

    numbered: whether titles say which chapter they begin, since texts have titles, too
    """
    headed = all(document.lines[record.start].block.kind == "heading" for record in records)
    groups: dict[tuple[object, ...], list[int]] = {}
    for line in document.lines[1:-1]:  # the first is the title of all
        # What heads chapters of headings stands out, too.
        loud = line.is_marked or line.shape == "capitals" or not headed
        if loud and _stands_alone(document, line):
            number = _LETTERED.match(line.text) is not None, line.text[:1].isdigit()
            style = line.face, line.size, line.shape == "capitals", number, line.text[-1] == ":"
            groups.setdefault(style, []).append(line.at)
    loose = {record.start for record in records if _is_loose(document, record)}
    found = (_list_heading(document, records, loose, alike) for alike in groups.values())
    titles = next((heads for heads in found if heads), [])
    said = [document.lines[at].text for at in titles]
    return set(titles) if not numbered or drop_numbers(said) != said else set()


def _stands_alone(document: Document, line: Line) -> bool:
    """Whether a line is a title with white space on both sides, and says no date."""
    alone = line.apart and document.lines[line.at + 1].apart and line.block.kind == "line"
    short = line.words <= _MOST_WORDS and document.again[line.at] == 1
    dated = any(map(str.isdigit, _COUNTS.sub("", line.text)))  # as a letter in a forum
    return alone and short and not dated and bool(line.title) and _may_head(line)


def _list_heading(
    document: Document, records: Sequence[Record], loose: Set[int], alike: Sequence[int]
) -> list[int]:
    """Return the lines with names below them, if they are the titles of chapters.

    loose: where the names stand that have white space below them
    """
    own = set(alike)
    names = [
        record
        for record in records
        if record.start not in own and record.start > 1  # where the title of all stands
        if record.start > alike[0] or record.start not in loose
    ]
    said = Counter(token for r in names for token in set(find_tokens(document, r)))
    stated = {one for one, times in said.items() if one.startswith(_STATED_BY) and times > 1}
    starts = [record.start for record in names]
    below = [bisect_right(starts, at) for at in alike]
    heads = [
        (at, starts[first])
        for at, first, then in zip(alike, below, [*below[1:], len(starts)], strict=True)
        if first < then
    ]
    tight = sum(bool(r.begin.head.rest.text) or r.start not in loose for r in names)
    few = len(heads) > 1 and 2 * len(heads) <= len(names) + 1
    near = all(_introduces(document, at, start, stated) for at, start in heads)
    told = few and near and heads[0][0] < starts[0] and tight >= _NEARLY_ALL * len(names)
    return [at for at, _ in heads] if told else []


def _is_loose(document: Document, record: Record) -> bool:
    """Whether white space stands between a name and its text."""
    below = document.lines[record.start + 1 : record.end][:1]
    return any(line.apart for line in below)


def _introduces(document: Document, at: int, start: int, stated: Set[str]) -> bool:
    """Whether a paragraph at most stands between a title and the name below it, and nothing that
    records state.
    """
    between = range(at + 1, start)
    said = any(not stated.isdisjoint(document.tokens[place]) for place in between)
    return not said and sum(document.lines[place].apart for place in between) <= 1


def _may_head(line: Line) -> bool:
    """Whether a line may be a title: it states nothing, and is no sentence."""
    return not states(line) and (line.shape == "capitals" or not line.ends_sentence)


# What they are called


def name_kinds(document: Document, cut: Cut, fewest: int = 2) -> dict[int, str]:
    """Return the chapter of each record, where at least so many chapters have records."""
    titles = [at for at in cut.sections if document.lines[at].title]
    levels = Counter(document.lines[record.start].block.level for record in cut.records)
    least = max(levels, key=levels.__getitem__, default=0)
    above = [at for at in titles if 0 < document.lines[at].block.level < least]
    kinds = _name_under(document, cut, above or titles)
    if len(set(kinds.values())) < fewest:  # a title of all, and chapters printed as names are
        kinds = _name_under(document, cut, titles)
    return kinds if len(set(kinds.values())) >= fewest else {}


def _name_under(document: Document, cut: Cut, titles: Sequence[int]) -> dict[int, str]:
    """Return the last of these titles above each record."""
    chapters = _group_records(cut, titles)
    kinds: dict[int, str] = {}
    said = [_read_title(document, at) for at in chapters]
    for places, whole in zip(chapters.values(), drop_numbers(said), strict=True):
        if title := drop_count(whole, len(places)):
            kinds.update({cut.records[at].start: set_name(title) for at in places})
    return kinds


def _group_records(cut: Cut, titles: Sequence[int]) -> dict[int, list[int]]:
    """Return which records stand below each title, by their places in the cut."""
    chapters: dict[int, list[int]] = {}
    for at, record in enumerate(cut.records):
        if above := bisect_left(titles, record.start):
            chapters.setdefault(titles[above - 1], []).append(at)
    return chapters


def list_beside(document: Document, cut: Cut) -> set[int]:
    """Return the records in chapters that hold few and are none of cards, by a word of the title:
    an introduction, an appendix.
    """
    chapters = _group_records(cut, cut.sections)
    told = [
        places
        for section, places in chapters.items()
        if len(places) < _FEW
        and not list_aside().isdisjoint(fold(document.lines[section].text).split())
    ]
    return {at for places in told for at in places} if len(told) < len(chapters) else set()


def drop_numbers(titles: Sequence[str]) -> list[str]:
    """Return the titles of chapters without what numbers them: "Chapter I: Mists", "2 Fire"."""
    titles = [_CODED.sub("", title) for title in titles]
    counted = [_NUMBERED.match(title) for title in titles]
    numbers = [int(match[1]) for match in counted if match]
    counts_on = len(numbers) >= 3 and numbers == [*range(numbers[0], numbers[-1] + 1)]
    if all(counted) or counts_on:
        return [
            title[match.end() :] if match else title
            for title, match in zip(titles, counted, strict=True)
        ]
    found = [_HEADED.match(title) for title in titles]
    heads = [match[1].casefold().split() for match in found if match]
    told = sum(not list_chapter().isdisjoint(words) for words in heads)
    if len(heads) < len(titles) or 2 * told < len(heads):
        return titles
    return [title[match.end() :] for title, match in zip(titles, found, strict=True) if match]


def drop_count(title: str, cards: int) -> str:
    """Return a chapter's title without the number of its cards, as in "Events (20 cards)"."""
    said = _HOW_MANY.search(title)
    told = said and (int(said[1]) == cards or take_facts(title, said.start()).has("count"))
    return title[: said.start()] if said and told else title


def _read_title(document: Document, at: int) -> str:
    """Return the title of a chapter; below "Chapter III" that is the line printed like it."""
    line, below = document.lines[at : at + 2]
    if line.label and find_label(line.label.key) == "kind":
        return line.label.value.text  # "Category: Ships"
    alike = below.title and (below.loud, below.shape) == (line.loud, line.shape)
    words = line.title.casefold().rstrip(".:").split()
    numbered = CHAPTER.fullmatch(" ".join(words)) or (
        len(words) <= _MOST_CALLED  # "CHAPTER THE SECOND", "ZWEITES KAPITEL"
        and not list_chapter().isdisjoint(words)
        and not set(list_words("chapter", "ordinals")).isdisjoint(words)
    )
    return below.title if alike and numbered else line.title
