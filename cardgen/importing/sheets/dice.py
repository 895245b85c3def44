"""Lines that begin with 1, 2-3, 4+ become a die table, or a numbered list.

Known by their numbers, each of which follows on the one before. Knows nothing of headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cardgen.importing.finding.joiner import Joiner
from cardgen.importing.finding.names import find_shape
from cardgen.importing.model import Doubt, SourceLine, Styled
from cardgen.importing.sheets.flow import goes_on_below, is_wrapped, runs_on
from cardgen.importing.sheets.lines import SheetLine
from cardgen.importing.sheets.pieces import Item, Table
from cardgen.importing.sheets.rules import (
    DIE,
    DIE_ALONE,
    DIE_HEAD,
    ENDED,
    SEQUENCE,
    SIGNED,
    SPEAKS_OF_DICE,
)

_REACH = 6
_EMPTY = Styled.of("")
_KEY_WITHIN = re.compile(
    r"(?<=\S)\s+(?=\d{1,2}(?:\s?[-–—]\s?\d{1,2}|\+)?(?:\s?[:=)]\s+\S|\.?\s+[A-Z+\-−–(\"“]))"
)
_OPEN_END = re.compile(r"\+|more|over|higher|above|better", re.IGNORECASE)
_DOWNWARD = re.compile(r"less|under|below|lower", re.IGNORECASE)
_NAMES_DIE = re.compile(r"\d?[dD]\d{1,2}(?:\s[A-Za-z-]+){1,4}:?")
_DIE_NAME = re.compile(r"\d?[dD]\d{1,2}")


class Entry(NamedTuple):
    key: Styled
    text: Styled
    low: int
    high: int
    separator: str
    first: str  # its first line
    sources: tuple[SourceLine, ...]


class FoundDice(NamedTuple):
    pieces: tuple[Table, ...] | tuple[Item, ...]
    end: int


def read_dice(
    lines: Sequence[SheetLine], at: int, joiner: Joiner, width: int, context: str
) -> FoundDice | None:
    """The die table or the numbered list that begins at a line; `context` is what stands above."""
    head = _read_head(lines[at])
    start = at + 1 if head else at
    if start >= len(lines):
        return None
    entries, end = _gather(lines, start, joiner, width)
    if len(entries) < 2:
        return None
    if not head and _is_list(entries, context):
        items = tuple(Item(e.text, e.sources, 0, e.low) for e in entries)
        return FoundDice(items, end)
    if not head and not _are_dice(entries, lines[start:end], context):
        return None
    sources = [*(lines[at].sources if head else ()), *(s for e in entries for s in e.sources)]
    table = Table(
        head or (_EMPTY, _EMPTY),
        tuple((entry.key, entry.text) for entry in entries),
        ("left", "left"),
        tuple(dict.fromkeys(sources)),
        tuple(_list_doubts(entries, context)),
    )
    return FoundDice((table,), end)


def _read_head(line: SheetLine) -> tuple[Styled, Styled] | None:
    """`D6  Result`, whatever stands between the two."""
    if line.kind != "line":
        return None
    if len(line.cells) == 2 and (
        DIE_HEAD.fullmatch(f"{line.cells[0].text} {line.cells[1].text}")
        or _DIE_NAME.fullmatch(line.cells[0].text)
    ):
        return line.cells[0], line.cells[1]
    if not DIE_HEAD.fullmatch(line.text) and not _NAMES_DIE.fullmatch(line.text):
        return None
    first = re.match(r"\S+(?:\s(?:roll|score|dice)\b)?", line.text, re.IGNORECASE)
    end = first.end() if first else 0
    return line.content.cut(0, end).strip(" :/-"), line.content.cut(end).strip(" :/-")


def _gather(
    lines: Sequence[SheetLine], start: int, joiner: Joiner, width: int
) -> tuple[list[Entry], int]:
    entries: list[Entry] = []
    at = start
    while at < len(lines):
        found = _read_entries(lines, at)
        if found is None or not _follows(entries, found[0]):
            break
        own, used = found
        entries += own
        at += used
        end = _find_end(lines, at, entries[-1], width)
        for line in lines[at:end]:
            entries[-1] = entries[-1]._replace(
                text=joiner.join([entries[-1].text, line.content]),
                sources=(*entries[-1].sources, *line.sources),
            )
        at = end
    return entries, at


def _read_entries(lines: Sequence[SheetLine], at: int) -> tuple[list[Entry], int] | None:
    """The entries of a line, and how many lines they take: two where a key stands alone."""
    line = lines[at]
    if line.kind not in ("line", "item") or line.listed:
        return None
    if len(line.cells) > 1:
        parts = [_read_entry(cell, line.sources) for cell in line.cells]
        if all(parts):
            return [part for part in parts if part], 1
        if len(line.cells) == 2 and DIE_ALONE.fullmatch(line.cells[0].text):
            key = line.cells[0].strip(".:)")
            return [_make_entry(key, line.cells[1], "\t", line.sources)], 1
    elif DIE_ALONE.fullmatch(line.text) and at + 1 < len(lines):
        below = lines[at + 1]
        if below.kind == "line" and not below.gap and not DIE.match(below.text):
            sources = (*line.sources, *below.sources)
            return [_make_entry(line.content.strip(".:)"), below.content, "\t", sources)], 2
    several = _read_run_on(line)
    if several:
        return several, 1
    own = _read_entry(line.content, line.sources)
    return ([own], 1) if own else None


def _read_run_on(line: SheetLine) -> list[Entry]:
    """`1 Nothing. 2-3 Halts. 4-6 Runs.` on one line."""
    starts = [0, *(m.end() for m in _KEY_WITHIN.finditer(line.text))]
    entries: list[Entry] = []
    for place, start in enumerate(starts):
        if place and not entries:
            return []
        if start and not _is_next(entries, line.content.cut(start)):
            continue
        begin = start
        following = [
            s for s in starts[place + 1 :]
            if (peek := _read_entry(line.content.cut(s), line.sources))
            and (this := _read_entry(line.content.cut(begin), line.sources))
            and peek.low == this.high + 1
        ]  # fmt: skip
        end = following[0] if following else len(line.text)
        entry = _read_entry(line.content.cut(begin, end).strip(" ;,"), line.sources)
        if entry is None:
            return []
        entries.append(entry)
    return entries if len(entries) > 2 else []


def _is_next(entries: Sequence[Entry], content: Styled) -> bool:
    entry = _read_entry(content, ())
    return entry is not None and bool(entries) and entry.low == entries[-1].high + 1


def _read_entry(content: Styled, sources: tuple[SourceLine, ...]) -> Entry | None:
    found = DIE.match(content.text)
    if not found or found.end() >= len(content.text):
        return None
    separator = found["sep"]
    rest = content.cut(found.end()).strip()
    if separator == " " and not (
        rest.text[0].isupper() or rest.text[0] in '+-−–"“(' or re.search(r"\D", found[1])
    ):
        return None
    return _make_entry(content.cut(0, found.end(1)), rest, separator, sources)


def _make_entry(
    key: Styled, text: Styled, separator: str, sources: tuple[SourceLine, ...]
) -> Entry:
    numbers = [int(number) for number in re.findall(r"\d+", key.text)]
    low, high = numbers[0], numbers[-1]
    if len(numbers) == 1 and _DOWNWARD.search(key.text):
        low = min(low, 1)
    elif len(numbers) == 1 and _OPEN_END.search(key.text):
        high = 99
    return Entry(key, text, low, high, separator, text.text, sources)


def _follows(entries: Sequence[Entry], own: Sequence[Entry]) -> bool:
    """Whether entries go on from those before: by one, up or down; side by side in columns."""
    if not entries:
        return own[0].low <= 4 or own[0].high >= 6
    last, first = entries[-1], own[0]
    if _is_loose(last.separator) != _is_loose(first.separator):
        return False
    return first.low == last.high + 1 or first.high == last.low - 1 or len(own) > 1


def _is_loose(separator: str) -> bool:
    return not separator.strip()


def _find_end(lines: Sequence[SheetLine], at: int, entry: Entry, width: int) -> int:
    """Where the text of an entry ends: before the next entry, or with its own sentence."""
    ahead = at
    while ahead < len(lines) and ahead - at < _REACH and _may_go_on(lines, ahead, width):
        found = _read_entries(lines, ahead)
        if found and _follows([entry], found[0]):
            return ahead
        ahead += 1
    if ahead < len(lines) and ahead - at < _REACH:
        found = _read_entries(lines, ahead)
        if found and _follows([entry], found[0]):
            return ahead
    end = at
    while end < ahead and _belongs(lines, end, width):
        end += 1
    return end


def _may_go_on(lines: Sequence[SheetLine], at: int, width: int) -> bool:
    line = lines[at]
    if line.kind != "line" or line.gap or line.listed or line.cells:
        return False
    if runs_on(lines[at - 1], line):
        return True
    if find_shape(line.text) == "capitals" or SIGNED.match(line.text):
        return False
    return bool(ENDED.search(lines[at - 1].text)) or _belongs(lines, at, width)


def _belongs(lines: Sequence[SheetLine], at: int, width: int) -> bool:
    above, line = lines[at - 1], lines[at]
    if goes_on_below(above, line) or runs_on(above, line):
        return True
    if line.indent > 2 and line.indent > above.indent and above.kind == "line":
        return True
    return is_wrapped(above, line, width)


def _is_list(entries: Sequence[Entry], context: str) -> bool:
    """Whether numbers count steps, and are not those of a die."""
    if _are_headings(entries):
        return False
    loose = all(entry.separator == " " for entry in entries) and SEQUENCE.search(context)
    dotted = all(entry.separator.strip() in (".", ")") for entry in entries)
    plain = all(entry.low == entry.high and "+" not in entry.key.text for entry in entries)
    counts = entries[0].low == 1 and all(b.low == a.low + 1 for a, b in pairwise(entries))
    return bool(dotted or loose) and plain and counts and not SPEAKS_OF_DICE.search(context)


def _are_headings(entries: Sequence[Entry]) -> bool:
    return all(find_shape(entry.first) == "capitals" for entry in entries)


def _are_dice(entries: Sequence[Entry], lines: Sequence[SheetLine], context: str) -> bool:
    if _are_headings(entries):
        return False
    ranged = any(entry.low != entry.high for entry in entries)
    loose = all(entry.separator == " " for entry in entries)
    if ranged or not loose:
        return entries[0].low <= 4 or SPEAKS_OF_DICE.search(context) is not None
    if len(lines) > 3 * len(entries):
        return False
    return entries[-1].high in (3, 6, 8, 10, 12, 20) or bool(SPEAKS_OF_DICE.search(context))


def _list_doubts(entries: Sequence[Entry], context: str) -> Iterator[Doubt]:
    """Numbers that a die shows and the table has not."""
    covered = {n for entry in entries for n in range(entry.low, min(entry.high, 40) + 1)}
    low, high = min(covered), max(covered)
    missing = sorted(set(range(low, high + 1)) - covered)
    if low == 1 and high in (4, 5) and not re.search(r"\bd[45]\b", context, re.IGNORECASE):
        missing += range(high + 1, 7)
    if missing:
        named = ", ".join(map(str, missing))
        first = entries[0].text.text[:30]
        said = f'the die table from "{first}" has no line for {named}'
        yield Doubt("die-lines", said, 0.7, first)
