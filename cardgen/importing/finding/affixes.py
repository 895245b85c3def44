"""What nearly all names of a document begin or end with, and which is no part of them.

A word before them ("Case: Sugar"), quotes, how many there are, what sort each is, in brackets or
behind a comma. Knows nothing of where records begin.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise

from cardgen.importing.finding.heads import Head, read_head
from cardgen.importing.finding.lines import Line
from cardgen.importing.finding.names import SORT, fold
from cardgen.importing.finding.segment import Record
from cardgen.importing.model import Styled

_FEW = 3
_HALF = 0.5
_MOST = 0.7
_CLOSED = frozenset(")]}>")
_OPENED = str.maketrans("([{<", ")]}>")
_NEARLY_ALL = 0.8
_LABELLED = re.compile(r"([^\W\d_]{2,}(?: [^\W\d_]+)?)(?:\s?:|\s[–—-])\s+(?=\S)")
_OFTEN = 0.4
_MANY = 0.85
_ALL = 0.9
_MORE = 0.55  # of names in small letters, whose sort no capital sets off
_COMMA = re.compile(r",\s+")
_FIGURE = re.compile(r",\s+(?=\d)")  # "Crow Porter, 1 use"
_COUNT = re.compile(r"(\d{1,2})\s+(?=[^\W\d_])")
_QUOTED = re.compile(r"[«»„“”‘\"']\s*([^«»„“”‘\"]+?)\s*[«»“”’\"']")
_ENDED = re.compile(r"\s\(([^()]+)\)$")
_PHRASE = re.compile(r"[a-zß-öø-ÿ][^()]*\s[^()]*")
_CAPITALS = re.compile(r"\([^\W\d_]{4,}(?: [^\W\d_]+){0,2}\)")
_RARE = 0.4
_SLASH = re.compile(r"\s/\s")
_DASH = re.compile(r"\s[–—]\s")


def bare_names(records: Sequence[Record], lines: Sequence[Line], wanted: Set[str]) -> list[Record]:
    """Return the records with their names alone; lines: those that they begin with.

    wanted: names that somebody saw, which are whole
    """
    counted = _part_counts(_part_labels(records, wanted))
    return _unquote(_part_brackets(_join_brackets(counted), lines, wanted))


def _part_labels(records: Sequence[Record], wanted: Set[str]) -> list[Record]:
    """Return names without the word that nearly all of them begin with: "Case: Sugar"."""
    found = [_LABELLED.match(record.begin.head.name) for record in records]
    words = Counter(match[1].casefold() for match in found if match)
    word, times = words.most_common(1)[0] if words else ("", 0)
    shown = any(fold(record.begin.head.name) in wanted for record in records)
    dashed = any(match and ":" not in match[0] for match in found)  # "Alchemy - Acid" is a name
    most = len(records) if dashed else _MOST * len(records)
    if shown or times < max(_FEW, most):
        return [*records]
    return [
        _rename(record, record.begin.head.name[match.end() :])
        if match and match[1].casefold() == word
        else record
        for record, match in zip(records, found, strict=True)
    ]


def _rename(record: Record, name: str) -> Record:
    return _set_head(record, record.begin.head._replace(name=name))


def _set_head(record: Record, head: Head) -> Record:
    return replace(record, begin=record.begin._replace(head=head))


def _join_brackets(records: Sequence[Record]) -> list[Record]:
    """Return names in capitals with the brackets in capitals that few have: LUGGER (SILENT)."""
    said = [_CAPITALS.match(record.begin.head.rest.text) for record in records]
    if sum(map(bool, said)) > _RARE * len(records):
        return [*records]
    joined: list[Record] = []
    for record, match in zip(records, said, strict=True):
        head = record.begin.head
        if match and head.name.isupper() and match[0].isupper():
            whole = read_head(Styled.of(f"{head.name} ").join(head.rest))
            if whole and whole.name == f"{head.name} {match[0]}":
                whole = whole._replace(number=head.number, copies=head.copies)
                record = _set_head(record, whole)
        joined.append(record)
    return joined


def _part_brackets(
    records: Sequence[Record], lines: Sequence[Line], wanted: Set[str]
) -> list[Record]:
    """Return names without the brackets behind most of them, as "[2 stars]"; braces are none."""
    headed = any(line.block.kind == "heading" for line in lines[:1])
    names = [record.begin.head.name for record in records]
    shown = {name[-1:] for name in names if fold(name) in wanted}
    said = [match[1] for name in names if (match := _ENDED.search(name))]
    phrases = sum(bool(_PHRASE.fullmatch(one)) for one in said) >= _NEARLY_ALL * len(said)
    sorted_out = phrases or len(set(said)) <= _HALF * len(said)
    closed = Counter(name[-1:] for name in names if name[-1:] in _CLOSED)
    closed += Counter(filter(None, map(_find_borne, records, lines)))
    most = _MOST * len(names)
    again = len(said) - len(set(said)) >= _OFTEN * len(said)  # "meander (noun)", "silt (noun)"
    enough = {")": _HALF * len(names)} if again else {}
    often = {s for s in _CLOSED if s in "}>" or closed[s] >= enough.get(s, most)} - shown
    # The round brackets of headings are a part of them, but for "(mind your head)", and for
    # those that come again.
    bare = len(said) >= (_NEARLY_ALL if sorted_out else _MANY) * len(names)
    often -= {")"} if headed and not bare else set()
    small = 2 * sum(name[:1].islower() for name in names) > len(names)
    more, every = _MORE * len(names) if small else most, _ALL * len(names)
    counted = most if headed else every
    for sign, least in (
        (SORT, more),
        (_FIGURE, counted),
        (_COMMA, every),
        (_SLASH, every),
        (_DASH, every),
    ):
        whole = any(sign.search(name) for name in names if fold(name) in wanted)
        parted = [parts for name in names if len(parts := sign.split(name)) == 2]
        firsts = {first for first, _ in parted if _CLOSED.isdisjoint(first.translate(_OPENED))}
        if not whole and len(parted) >= least <= len(firsts):
            records = [_part_sort(record, sign) for record in records]
            break
    return [_part_bracket(record, often) for record in records] if often else [*records]


def _find_borne(record: Record, line: Line) -> str:
    """Return the bracket that ends a line where all that it says is who has the card."""
    head, last = record.begin.head, line.text.rstrip()[-1:]
    borne = bool(head.taken.facts) and all(fact.gives == "who" for fact in head.taken.facts)
    return last if borne and not head.rest.text and last in _CLOSED else ""


def _part_counts(records: Sequence[Record]) -> list[Record]:
    """Return names without the figures that nearly all begin with: how many there are, or numbers
    that count them on.
    """
    found = [_COUNT.match(record.begin.head.name) for record in records]
    figures = [int(match[1]) for match in found if match]
    if len(figures) < max(_FEW, _ALL * len(records)):
        return [*records]
    steps = sum(after == before + 1 for before, after in pairwise(figures))
    numbered = steps >= _HALF * (len(figures) - 1)
    parted: list[Record] = []
    for record, match in zip(records, found, strict=True):
        head = record.begin.head
        if match:
            copies = head.copies if numbered else int(match[1])
            head = head._replace(name=head.name[match.end() :], copies=copies)
        parted.append(_set_head(record, head))
    return parted


def _unquote(records: Sequence[Record]) -> list[Record]:
    """Return names without the quotes that nearly all of them stand in."""
    found = [_QUOTED.fullmatch(record.begin.head.name) for record in records]
    if sum(map(bool, found)) < _ALL * len(records):
        return [*records]
    return [
        _rename(record, match[1]) if match else record
        for record, match in zip(records, found, strict=True)
    ]


def _part_sort(record: Record, sign: re.Pattern[str]) -> Record:
    """Return a name without what sort it is: "Grey Widow, frigate"."""
    head = record.begin.head
    match = sign.search(head.name)
    if match is None or head.ending not in ("whole", "fact"):
        return record
    return _part_name(record, match.start(), f"({head.name[match.end() :]})")


def _part_bracket(record: Record, signs: Set[str]) -> Record:
    head, ends = record.begin.head, "".join(re.escape(sign) for sign in sorted(signs))
    match = re.search(rf"\s(?:[(\[{{<][^()\[\]{{}}<>]{{1,40}}[{ends}]\s*)+$", head.name)
    if match is None or head.ending in ("bracket", "capitals") or not match.start():
        return record
    return _part_name(record, match.start(), head.name[match.start() :].strip())


def _part_name(record: Record, end: int, said: str) -> Record:
    """Return a record whose name ends at `end`, with `said` first of all behind it."""
    head = record.begin.head
    rest = Styled.of(said).join(head.rest, " ")
    return _set_head(record, head._replace(name=head.name[:end], rest=rest))
