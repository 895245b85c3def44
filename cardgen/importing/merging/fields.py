"""What the last import gave, what the deck has and what the source says now become what the deck is
to have: a rule on plain data.

What only one side changed is taken from it; where both changed, the deck keeps its own. Knows
nothing of files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cardgen.core.errors import CardgenError
from cardgen.deck.model import MAX_COUNT, Value
from cardgen.deck.values import find_fault, quote
from cardgen.importing.model import Candidate
from cardgen.importing.reading.text import read_line
from cardgen.importing.write import FIELDS

NONE = "none"
"""Typed, it takes a field out."""
PARAGRAPH = "//"
"""Typed, it begins a paragraph."""
_WHOLE = re.compile(r"([-+−–]?)([0-9]{1,9})")


def list_fields(card: Candidate) -> dict[str, Value]:
    """What each field holds now; a table of values has a field for each, as stats.Range."""
    fields: dict[str, Value] = {"name": card.name, "count": card.count}
    fields |= {field: getattr(card, field) for field in FIELDS}
    for key, value in card.other:
        if isinstance(value, dict):
            fields |= {f"{key}.{part}": inner for part, inner in value.items()}
        elif not isinstance(value, list):
            fields[key] = value
    return {**fields, "text": card.text or None}


def set_field(card: Candidate, field: str, typed: str) -> Candidate:
    typed = " ".join(typed.split())
    fault = find_fault(typed)
    if fault:
        raise CardgenError("import/not-a-value", f"this {fault.words}", hint=fault.hint)
    before = list_fields(card)[field]
    if typed.casefold() == NONE:
        if field in ("name", "count"):
            raise CardgenError("import/not-a-value", f"every card has a {field}")
        return _write(card, field, None)
    if field in ("cost", "count") or (isinstance(before, int) and not isinstance(before, bool)):
        return _write(card, field, _read_whole(field, typed))
    return _write(card, field, typed)


def _read_whole(field: str, typed: str) -> int:
    found = _WHOLE.fullmatch(typed)
    if found is None:
        raise CardgenError("import/not-a-value", f"{field} is a whole number, not {quote(typed)}")
    number = int(found[2]) * (1 if found[1] in ("", "+") else -1)
    if field == "count" and not 0 <= number <= MAX_COUNT:
        raise CardgenError(
            "import/not-a-value", f"count is a whole number from 0 to {MAX_COUNT:,}, not {number:,}"
        )
    return number


def _write(card: Candidate, field: str, value: Value) -> Candidate:
    if field == "text":
        parts = str(value or "").split(PARAGRAPH)
        return replace(
            card, paragraphs=tuple(read_line(part.strip()) for part in parts if part.strip())
        )
    if field in ("name", "count", *FIELDS):
        written: dict[str, Any] = {field: value}
        return replace(card, **written)
    key, _, part = field.partition(".")
    other: dict[str, Value] = {}
    for own, old in card.other:
        new = value if own == field else old
        if part and own == key and isinstance(old, Mapping):
            inner = {**old, part: value}
            new = {name: kept for name, kept in inner.items() if kept is not None} or None
        if new is not None:
            other[own] = new
    return replace(card, other=tuple(other.items()))


Values = Mapping[str, Value]

_PARAGRAPHS = re.compile(r"\n[ \t]*\n\s*")
_BREAK = re.compile(r"(?: {2,}|\\)\n")


class FieldClash(NamedTuple):
    """A field that both changed, each in its own way; None stands for one that is not there."""

    path: tuple[str, ...]
    was: Value
    ours: Value
    theirs: Value


class Merged(NamedTuple):
    values: dict[str, Value]
    clashes: list[FieldClash]
    taken: list[FieldClash]  # what only the source changed


class _Absent:
    """No value at all, which is not the value null."""


_ABSENT = _Absent()


def is_same(one: object, other: object) -> bool:
    """Whether two values say the same on a card; how a text is broken into lines does not count."""
    return print_value(one) == print_value(other)


def print_value(value: object) -> str:
    """A text that is the same for values that say the same."""
    return repr(_settle(value))


def _settle(value: object) -> object:
    if isinstance(value, str):
        return [
            [" ".join(line.split()) for line in _BREAK.split(part)]
            for part in _PARAGRAPHS.split(value.strip())
        ]
    if isinstance(value, dict):
        return {"": sorted((key, repr(_settle(part))) for key, part in value.items())}
    if isinstance(value, list):
        return {"list": [_settle(part) for part in value]}
    return value


def merge_values(base: Values, ours: Values, theirs: Values, skip: Sequence[str] = ()) -> Merged:
    """The fields of a card; those to `skip` stay as the deck has them."""
    merged, clashes, taken = dict(ours), [], []
    for key in dict.fromkeys((*theirs, *base)):
        if key in skip:
            continue
        was, own, new = (side.get(key, _ABSENT) for side in (base, ours, theirs))
        if is_same(was, new) or is_same(own, new):
            continue
        if isinstance(was, dict) and isinstance(own, dict) and isinstance(new, dict):
            inner = merge_values(was, own, new)
            merged[key] = inner.values
            clashes += [clash._replace(path=(key, *clash.path)) for clash in inner.clashes]
            taken += [change._replace(path=(key, *change.path)) for change in inner.taken]
            continue
        found = FieldClash((key,), _show(was), _show(own), _show(new))
        if not is_same(was, own):
            clashes.append(found)
            continue
        taken.append(found)
        if isinstance(new, _Absent):
            del merged[key]
        else:
            merged[key] = new
    return Merged(_order(merged, ours, theirs), clashes, taken)


def _show(value: Value | _Absent) -> Value:
    return None if isinstance(value, _Absent) else value


def _order(merged: Values, ours: Values, theirs: Values) -> dict[str, Value]:
    """The deck's order, and what is new behind what it follows in the source."""
    keys = [key for key in ours if key in merged]
    before: list[str] = []
    for key in theirs:
        if key in merged and key not in ours:
            known = [keys.index(other) for other in before if other in keys]
            keys.insert(known[-1] + 1 if known else len(keys), key)
        before.append(key)
    return {key: merged[key] for key in keys}


# MERGED: The fields of a candidate that somebody may write anew, and a candidate with one of them written.
#
#   A value comes as it was typed; what cannot be one is refused in words. Knows nothing of who asks.
#
