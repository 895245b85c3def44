"""Makes candidates for cards of records, as a table or another tool's data holds them.

Knows which names columns and keys have, and nothing of file formats.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import isfinite
from statistics import median
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Refusal, Where, shorten
from cardgen.core.names import find_near
from cardgen.deck.columns import find_name_parts, find_sides, is_total
from cardgen.deck.model import MAX_COUNT, Value
from cardgen.deck.values import CONTROL
from cardgen.importing.finding.calibrate import IN_DATA
from cardgen.importing.finding.facts import read_figure
from cardgen.importing.finding.names import fold, set_name
from cardgen.importing.model import (
    LIGATURES,
    NOT_POINTED,
    Candidate,
    Doubt,
    LeftOut,
    Place,
    Pointed,
    Recognised,
    SourceLine,
    Styled,
)
from cardgen.importing.tables.entries import is_running, list_paragraphs, tell
from cardgen.importing.tables.fields import (
    choose_columns,
    choose_fields,
    choose_name,
    choose_text,
    doubt_name,
    find_pointed,
    leave_columns,
    take_last,
)
from cardgen.importing.tables.markup import read_markup

_COPIES = re.compile(r"[x×]?\s*(\d{1,6})\s*(?:[x×]|copies|copy|cards?)?", re.IGNORECASE)
_COUNTING = re.compile(r"(\d{1,4})[.)]\s+(?=\S)")
_WHOLE = re.compile(r"\A([+-]?\d+)[.,]0+\Z")
_MOST_SHOWN = 200
_LARGEST = 10**9
_LONGEST_COST = 24
# Signs that few fonts have, and that say no more than others.
_SIGNS = LIGATURES | str.maketrans({"\u2010": "-", "\u2011": "-", "\u200b": None, "\u2028": "\n"})
_LONGEST_LITERAL = 20_000
_FEWEST = 3  # rows that make a rule
_LONGEST_NAME = 6  # words
_FEW_FILLED = 2  # cells of a row
_USUALLY_MORE = 1.5  # cells that are filled in a row
MAX_CARDS = 10_000
# What quizzes call the right one of several answers, and all of them.
_PLACES = frozenset(("answer", "correct", "correct_answer", "correctAnswer", "correctIndex"))
_CHOICES = ("answers", "options", "choices")
_NO_CARD = "a table is a row that names the columns, and below it a row for each card"


class Record(NamedTuple):
    """A row by its keys.

    carried: the keys of values that come from a merged cell above
    more: the rows that it goes on in
    """

    values: Mapping[str, Value]
    place: Place
    carried: frozenset[str] = frozenset()
    doubts: tuple[Doubt, ...] = ()
    more: tuple[SourceLine, ...] = ()


class Records(NamedTuple):
    """The rows of one source; `doubts` are of all of them together.

    is_table: whether a row may go on in the next
    """

    rows: tuple[Record, ...]
    left_out: tuple[LeftOut, ...]
    doubts: tuple[Doubt, ...] = ()
    is_table: bool = False


class Columns(NamedTuple):
    """Where the cards lie in a file, and which columns hold which fields."""

    sheet: str | None = None
    cards_at: str | None = None
    fields: Mapping[str, str] = {}  # the column or key of each field
    pointed: Pointed = NOT_POINTED


ALL_COLUMNS = Columns()


def read_mapping(text: str) -> dict[str, str]:
    """Parse a text such as `name=title,text=body` into the column of each field."""
    fields: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        field, sign, column = part.partition("=")
        if not sign or not field.strip().isidentifier() or not column.strip():
            raise CardgenError(
                "import/broken-mapping",
                f'--map cannot read "{part}"',
                hint="write field=column, as name=title,text=body",
            )
        fields[field.strip()] = column.strip()
    return fields


def read_cards(records: Records, columns: Columns, file: str) -> Recognised:
    rows = tuple(map(_take_answer, records.rows))
    known = _list_keys(rows)
    if not columns.fields and (parts := find_name_parts(known)):
        rows = tuple(_join_names(rows, [known[part] for part in parts]))
        known = _list_keys(rows)
    if not rows:
        raise CardgenError(
            "import/no-cards", "there is no card in this file", Where(file), _NO_CARD
        )
    chosen = choose_columns(columns.fields, known, file)
    values = [row.values for row in rows]
    seen = find_pointed(values, known, columns.pointed.names)
    if seen is not None and "name" not in chosen.values():
        chosen[seen] = "name"
    whole = [row.values for row in _list_whole(rows)]
    if not chosen and (sides := find_sides(known)):
        chosen = dict(zip((known[side] for side in sides), ("name", "text"), strict=True))
    by_column = choose_fields(whole, known, chosen)
    doubts = list(records.doubts)
    if "name" not in by_column.values():
        if (own := choose_name(whole, known, by_column, chosen)) is None:
            column = _find_most_distinct(rows, known)
            raise CardgenError(
                "import/no-names",
                "no column holds the names of the cards",
                Where(file, rows[0].place.line),
                f"say which one does, as --map name={column}; "
                "where the first row is a card, write one above it that names the columns",
            )
        doubts.append(doubt_name(own, file))
    rows = tuple(_drop_numbers(rows, next(k for k, f in by_column.items() if f == "name")))
    doubts += choose_text(whole, by_column, chosen, file)
    dropped = dict(leave_columns(values, by_column, chosen, rows[0].place._replace(line=1)))
    left = [*records.left_out, *dropped.values()]
    rows = tuple(_join_wrapped(rows, by_column)) if records.is_table else rows
    end = _find_end(rows) if records.is_table else len(rows)
    left += (LeftOut(_show_row(note), note.place, "prose") for note in rows[end:])
    rows = rows[:end]
    if records.is_table and _is_sum(rows[-1], rows[:-1], by_column):
        left.append(LeftOut(_show_row(rows[-1]), rows[-1].place, "the sums of the columns"))
        rows = rows[:-1]
    cards: list[Candidate] = []
    labels = {field: take_last(key) for key, field in by_column.items()}
    usual = _count_usual(rows)
    titles = _find_titles(rows) if "kind" not in by_column.values() else set()
    nots = {fold(name) for name in columns.pointed.nots}
    kind = None
    for place, row in enumerate(rows):
        if place in titles:
            kind = set_name(_show_row(row).strip(" :"))
            left.append(LeftOut(_show_row(row), row.place, "heading"))
            continue
        kept = {key: value for key, value in row.values.items() if key not in dropped}
        card = _read_card(row._replace(values=kept), by_column, labels, usual)
        if card is None:
            shown = _show_row(row)
            left += [LeftOut(shown, row.place, "a row without a name")] * bool(shown)
        elif fold(card.name) in nots:
            left.append(LeftOut(_show_row(row), row.place, "said to be none"))
        elif cards and _is_continued(row, by_column):
            cards[-1] = _continue(cards[-1], card)
        else:
            cards.append(replace(card, kind=card.kind or kind))
    if not cards:
        raise CardgenError(
            "import/no-cards", "there is no card in this file", Where(file), _NO_CARD
        )
    check_number(len(cards), file)
    named = {fold(card.name): card.name for card in cards}
    lacking = {
        name: next(iter(find_near(name, [*named.values()])), "")
        for name in columns.pointed.names
        if fold(name) not in named
    }
    return Recognised(tuple(cards), tuple(left), tuple(doubts), lacking=lacking)


def _take_answer(row: Record) -> Record:
    """Return a row with the answer that it gives by its place in a list, from 0 on."""
    for key in _PLACES.intersection(row.values):
        place = row.values[key]
        for said in (row.values.get(choices) for choices in _CHOICES):
            if type(place) is int and isinstance(said, list) and 0 <= place < len(said):
                others = {name: value for name, value in row.values.items() if name != key}
                return row._replace(values={**others, "answer": said[place]})
    return row


def _drop_numbers(rows: Sequence[Record], name: str) -> Iterator[Record]:
    """Yield the rows, their names without the numbers that count all of them: "1. Fire"."""
    found = [_COUNTING.match(str(row.values.get(name) or "")) for row in rows]
    numbers = [int(match[1]) for match in found if match]
    counted = len(numbers) == len(rows) >= _FEWEST and all(
        after in (1, before + 1) for before, after in pairwise(numbers)
    )
    for row, match in zip(rows, found, strict=True):
        bare = match.string[match.end() :] if counted and match else None
        yield row._replace(values={**row.values, name: bare}) if bare else row


def _list_keys(rows: Iterable[Record]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row.values))


def _find_most_distinct(rows: Sequence[Record], keys: Sequence[str]) -> str:
    """Return the column whose cells differ most, as names do."""
    shown = {key: {str(row.values.get(key) or "") for row in rows} for key in keys}
    return max(keys, key=lambda key: len(shown[key]), default="title")


def _join_names(rows: Iterable[Record], own: Sequence[str]) -> Iterator[Record]:
    """Yield the rows, with one name for people whose name stands in these two columns."""
    for row in rows:
        name = " ".join(filter(None, (_text(row.values.get(key)) for key in own)))
        others = {key: value for key, value in row.values.items() if key not in own}
        yield row._replace(values={"name": name, **others})


def _find_titles(rows: Sequence[Record]) -> set[int]:
    """Return the rows that hold one text above others that hold several: titles of groups."""
    filled = list(map(_count_filled, rows))
    if not _hold_several(filled):
        return set()
    alone = {
        place
        for place, row in enumerate(rows[:-1])
        if filled[place] == 1 < filled[place + 1] and not row.carried
        and any(map(str.isalpha, _show_row(row)))
    }  # fmt: skip
    return alone if len(alone) > 1 or 0 in alone else set()


def _find_end(rows: Sequence[Record]) -> int:
    """Return where the notes begin below a table: sentences alone, where others hold several
    cells.
    """
    filled = list(map(_count_filled, rows))
    end = len(rows)
    if _hold_several(filled):
        while end > _FEWEST and filled[end - 1] == 1 and _is_long(rows[end - 1]):
            end -= 1
    return end


def _hold_several(filled: Sequence[int]) -> bool:
    """Whether most rows with more than one cell have several, so that one alone tells something."""
    return median([number for number in filled if number > 1] or [0]) > _FEW_FILLED


def _list_whole(rows: Sequence[Record]) -> list[Record]:
    """Return the rows that tell what a column holds: no titles and sums, which fill few cells."""
    filled = list(map(_count_filled, rows))
    usual = median(filled)
    return [row for row, number in zip(rows, filled, strict=True) if 2 * number > usual]


def _is_long(row: Record) -> bool:
    return len(_show_row(row).split()) > _LONGEST_NAME


def _count_filled(row: Record) -> int:
    return sum(not _is_empty(value) for value in row.values.values())


def _is_sum(last: Record, rows: Sequence[Record], fields: Mapping[str, str]) -> bool:
    """Whether the last row holds nothing but a word and what the columns above add up to."""
    filled = {key: str(value) for key, value in last.values.items() if not _is_empty(value)}
    sums = {key: value for key, value in filled.items() if value.isdecimal()}
    words = [fields[key] for key in filled if key not in sums]
    return (
        (len(rows) >= _FEWEST or any(map(is_total, filled.values())))
        and bool(sums)
        and words in ([], ["name"])
        and all(int(value[:9]) == _add_up(rows, key) for key, value in sums.items())
    )


def _add_up(rows: Sequence[Record], key: str) -> int:
    figures = [_COPIES.fullmatch(str(row.values.get(key) or "0").strip()) for row in rows]
    return sum(int(figure[1]) for figure in figures if figure) if all(figures) else -1


def check_number(cards: int, file: str) -> None:
    """Refuse more cards than a deck may have."""
    if cards > MAX_CARDS:
        raise CardgenError(
            "import/too-long",
            f"this file has {cards:,} cards; allowed are {MAX_CARDS:,}",
            Where(file),
            "split it into several files",
            details={"cards": cards, "most": MAX_CARDS},
        )


# A row that goes on in the next


def _join_wrapped(rows: Sequence[Record], fields: Mapping[str, str]) -> Iterator[Record]:
    """Yield the rows, each with what stands below it where its cells go on in the next row."""
    facts = _list_facts(rows, fields)
    above: Record | None = None
    for row in rows:
        if above is not None and _is_wrapped(row, above, fields, facts):
            line = SourceLine(row.place, _show_row(row))
            filled = {key: value for key, value in row.values.items() if not _is_empty(value)}
            joined = {key: _join_cells(above.values.get(key), value)
                      for key, value in filled.items()}  # fmt: skip
            above = above._replace(values={**above.values, **joined}, more=(*above.more, line))
            continue
        if above is not None:
            yield above
        above = row
    if above is not None:
        yield above


def _list_facts(rows: Sequence[Record], fields: Mapping[str, str]) -> frozenset[str]:
    """Return the columns of short values that a row has if it has a name."""
    name = next(key for key, field in fields.items() if field == "name")
    named = [row for row in rows if not _is_empty(row.values.get(name))]
    filled = {
        key: sum(not _is_empty(row.values.get(key)) for row in named)
        for key, field in fields.items()
        if field not in ("name", "text")
    }
    return frozenset(key for key, times in filled.items() if times * 4 > len(named) * 3)


def _is_wrapped(
    row: Record, above: Record, fields: Mapping[str, str], facts: frozenset[str]
) -> bool:
    """Tell whether a row has no card of its own: only cells that go on with those above."""
    filled = {key: value for key, value in row.values.items() if not _is_empty(value)}
    if not filled or row.carried or not all(isinstance(value, str) for value in filled.values()):
        return False
    if any(fields[key] in ("cost", "count", "rank") for key in filled):
        return False
    for key, value in filled.items():
        before = above.values.get(key)
        if fields[key] == "name" and not _goes_on(before, value):
            return False
        if _is_empty(before) and fields[key] != "text":
            return False
    is_named = any(fields[key] == "name" for key in filled)
    return not is_named or (len(filled) > 1 and bool(facts) and not facts & filled.keys())


def _goes_on(name: Value, more: Value) -> bool:
    """Tell whether a name that breaks off goes on so: "Sword of", "the Dawn"."""
    words, after = str(name or "").split(), str(more).split()
    if not words or not after:
        return False
    return words[-1][-1] in "-–,&" or words[-1].islower() or after[0].islower()


def _join_cells(above: Value, below: Value) -> Value:
    """Return both parts of a cell: as one text, or as paragraphs where the first has ended."""
    if _is_empty(above):
        return below
    one, other = str(above).rstrip(), str(below).lstrip()
    if one[-1:] == "-" and one[-2:-1].isalpha() and other[:1].islower():
        return one[:-1] + other
    has_ended = one[-1:] in ".!?:" and not other[:1].islower()
    return f"{one}\n{other}" if has_ended else f"{one} {other}"


def _count_usual(rows: Sequence[Record]) -> float:
    """Return how many cells of a row are filled as a rule."""
    return median(map(_count_filled, rows))


def _is_continued(row: Record, fields: Mapping[str, str]) -> bool:
    """Tell whether a row goes on with the card above.

    Its name is merged, and it has no facts that would make it another card.
    """
    own = {fields[key] for key, value in row.values.items()
           if key not in row.carried and not _is_empty(value)}  # fmt: skip
    names = [key for key in row.carried if fields[key] == "name"]
    return bool(names) and not own & {"cost", "count", "rank"}


def _continue(card: Candidate, more: Candidate) -> Candidate:
    known = dict(card.other)
    added = tuple((key, value) for key, value in more.other if key not in known)
    return replace(
        card,
        lines=card.lines + more.lines,
        paragraphs=card.paragraphs + more.paragraphs,
        other=card.other + added,
        doubts=card.doubts + more.doubts,
    )


def _is_empty(value: Value) -> bool:
    return value is None or (isinstance(value, str) and not value.strip()) or value in ([], {})


def _show_row(row: Record) -> str:
    filled = (str(value) for value in row.values.values() if not _is_empty(value))
    return shorten(" | ".join(filled), _MOST_SHOWN)


def _read_card(
    row: Record, fields: Mapping[str, str], labels: Mapping[str, str], usual: float
) -> Candidate | None:
    values: dict[str, Value] = {}
    for key, value in row.values.items():
        tidy = None if _is_empty(value) else _tidy(value)
        if not _is_empty(tidy):
            values[fields[key]] = tidy
    name = _plain(_text(values.pop("name", None)))
    if not name:
        return None
    doubts = list(row.doubts)
    if not values and usual > _USUALLY_MORE:
        doubts.append(Doubt("bare-row", "its row holds a name and nothing else", 0.7))
    expected = any(fields[key] == "count" for key in row.values)
    cost, shown = _read_cost(values.pop("cost", None), doubts)
    count = _read_count(values.pop("count", None), expected, doubts)
    text = values.pop("text", None)
    who, uses, kind, rank = (values.pop(field, None) for field in ("who", "uses", "kind", "rank"))
    return Candidate(
        name=set_name(name),
        lines=(SourceLine(row.place, _show_row(row)), *row.more),
        count=count,
        cost=cost,
        who=_text(who),
        uses=_text(uses),
        kind=_text(kind),
        rank=_text(rank),
        paragraphs=_part(text),
        other=(*shown, *((key, _part_lines(value)) for key, value in values.items())),
        labels=labels,
        doubts=tuple(doubts),
        reasons=("a row of a table",),
        found=IN_DATA,
    )


def _tidy(value: Value) -> Value:
    """Return a value as a deck may hold it."""
    if isinstance(value, str):
        return _read_literal(read_markup(CONTROL.sub("", value.translate(_SIGNS))).strip())
    if isinstance(value, list):
        return [_tidy(part) for part in value if part is not None]
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(part)}" for key, part in value.items())
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def _read_literal(text: str) -> Value:
    """Return the data that a cell holds as programs write it: ["V", "S"], {'cost': 5}."""
    if text[:1] + text[-1:] not in ("[]", "{}") or len(text) > _LONGEST_LITERAL:
        return text
    for read in (json.loads, ast.literal_eval):
        try:
            data = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(data, list | dict) and not data:
            return None
        if isinstance(data, list | dict):
            try:
                return [*list_paragraphs(data)] if is_running(data) else tell(data)
            except Refusal:
                break
    return text


def _part_lines(value: Value) -> Value:
    """Return a text of several lines as paragraphs, as it is printed."""
    if not isinstance(value, str) or "\n" not in value:
        return value
    return "\n\n".join(filter(None, (line.strip() for line in value.split("\n"))))


def _read_count(value: Value, expected: bool, doubts: list[Doubt]) -> int:
    """Return how many copies there are; an empty cell is one copy, which is doubted."""
    if value is None:
        if expected:
            doubts.append(Doubt("no-count", "its count is empty, and taken for 1", 0.9))
        return 1
    found = _COPIES.fullmatch(str(value).strip())
    count = int(found[1]) if found else _read_whole(value)
    if count is None:
        shown = shorten(str(value))
        said = f'"{shown}" is no whole number for its count'
        doubts.append(Doubt("no-number", said, 0.7, "count", (("said", shown),)))
    if count is not None and not 0 <= count <= MAX_COUNT:
        said = f"its count {count} is not 0 to {MAX_COUNT:,}"
        told = (("count", count), ("most", MAX_COUNT))
        doubts.append(Doubt("count-range", said, 0.5, details=told))
    return min(max(count, 0), MAX_COUNT) if count is not None else 1


def _read_cost(
    value: Value, doubts: list[Doubt]
) -> tuple[int | None, tuple[tuple[str, Value], ...]]:
    """Return a cost that is a whole number; any other as the field that shows it, as "5 gp"."""
    found = _read_whole(value)
    if value is None or found is not None:
        return found, ()
    text = _text(value) or ""
    if not any(sign.isdigit() for sign in text) or len(text) > _LONGEST_COST:
        shown = shorten(text)
        said = f'its cost "{shown}" is no figure'
        doubts.append(Doubt("no-number", said, 0.7, "cost", (("said", shown),)))
    return None, (("cost", text),)


def _read_whole(value: Value) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST:
        return value
    return None if value is None else read_figure(_WHOLE.sub(r"\1", str(value)))


def _text(value: Value) -> str | None:
    """Return a value as one line."""
    if isinstance(value, list):
        value = ", ".join(filter(None, (_text(part) for part in value)))
    return None if value is None else " ".join(str(value).split())


def _plain(name: str | None) -> str:
    """Return a name without the signs of its emphasis."""
    return "".join(part.text for part in _part(name))


def _part(value: Value) -> tuple[Styled, ...]:
    """Return the paragraphs of a text, whose stars stay the emphasis that they are."""
    from cardgen.importing.reading.text import read_line

    if value is None:
        return ()
    parts = value if isinstance(value, list) else [value]
    lines = [line for part in parts for line in str(part).split("\n")]
    return tuple(read_line(line.strip()) for line in lines if line.strip())
