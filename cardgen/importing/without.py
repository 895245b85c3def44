"""What somebody leaves out by hand: columns of tables, keys of data, fields of a text's cards.

A name is compared without capitals and signs; that of an object leaves out all that it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cardgen.core.errors import CardgenError, Problem, Where, shorten
from cardgen.core.names import describe_unknown
from cardgen.deck.model import Value
from cardgen.importing.finding.names import fold
from cardgen.importing.model import Candidate, LeftOut, Recognised
from cardgen.importing.tables.records import Record, Records

# What a card has that lacks a field.
_BARE: Mapping[str, Any] = {
    "count": 1,
    "cost": None,
    "who": None,
    "uses": None,
    "rank": None,
    "kind": None,
}
_MOST_SHOWN = 80


class Known(NamedTuple):
    """What a file has that may be left out, and which of it was."""

    file: str
    there: Sequence[str]
    taken: frozenset[str]


def leave_columns_out(records: Records, names: Sequence[str], file: str) -> tuple[Records, Known]:
    """Return the records without the columns or keys of these names."""
    there = list(dict.fromkeys(key for row in records.rows for key in row.values))
    out = {key: name for key in there if (name := _find_name(key, names)) is not None}
    rows = tuple(
        row._replace(values={key: value for key, value in row.values.items() if key not in out})
        for row in records.rows
    )
    left = [_tell(key, (row.values.get(key) for row in records.rows), records.rows) for key in out]
    kept = records._replace(rows=rows, left_out=(*records.left_out, *left))
    return kept, Known(file, there, frozenset(out.values()))


def _find_name(key: str, names: Iterable[str]) -> str | None:
    """Return the name that means a key: its own, that of its last step, or of what holds it."""
    steps = [fold(step) for step in key.split(".")]
    meant = {fold(key), steps[-1], *(" ".join(steps[:end]) for end in range(1, len(steps)))}
    return next((name for name in names if fold(name) in meant), None)


def _tell(key: str, values: Iterable[Value], rows: Sequence[Record]) -> LeftOut:
    shown = ", ".join(str(value) for value in values if value is not None)
    place = rows[0].place._replace(line=1)
    return LeftOut(shorten(shown, _MOST_SHOWN), place, f'column "{key}", by --without')


def leave_fields_out(
    found: Recognised, names: Sequence[str], file: str
) -> tuple[Recognised, Known]:
    """Return the cards of a text without the fields of these names."""
    there = list(dict.fromkeys(field for card in found.cards for field in _list_fields(card)))
    out = {field: name for field in there if (name := _find_name(field, names)) is not None}
    cards = tuple(_take_out(card, out) for card in found.cards) if out else found.cards
    left = [LeftOut(field, found.cards[0].place, f'field "{field}", by --without') for field in out]
    kept = found._replace(cards=cards, left_out=(*found.left_out, *left))
    return kept, Known(file, there, frozenset(out.values()))


def _list_fields(card: Candidate) -> Iterable[str]:
    yield from (field for field, bare in _BARE.items() if getattr(card, field) != bare)
    if card.ranks:
        yield from ("rank", "cost")
    if card.paragraphs:
        yield "text"
    for key, value in card.other:
        yield key
        if isinstance(value, Mapping):
            yield from (f"{key}.{label}" for label in value)


def _take_out(card: Candidate, out: Mapping[str, str]) -> Candidate:
    other = []
    for key, value in card.other:
        if isinstance(value, Mapping):
            value = {label: one for label, one in value.items() if f"{key}.{label}" not in out}
        if key not in out and value != {}:
            other.append((key, value))
    bare = {field: value for field, value in _BARE.items() if field in out}
    if {"rank", "cost"} & out.keys():
        bare["ranks"] = ()
    if "text" in out:
        bare["paragraphs"] = ()
    return replace(card, other=tuple(other), **bare)


def check_left_out(names: Sequence[str], files: Sequence[Known]) -> None:
    """Refuse names of what no file has."""
    problems = []
    for name in names:
        if any(name in known.taken for known in files):
            continue
        there = list(dict.fromkeys(one for known in files for one in known.there))
        unknown = describe_unknown(name, there, "field")
        problems.append(
            Problem(
                "import/no-such-field",
                f'there is no column or field "{shorten(name)}" to leave out',
                Where(files[0].file),
                unknown.hint,
                details=unknown.details,
            )
        )
    if problems:
        raise CardgenError.of(problems)
