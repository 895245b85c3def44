"""Merges the fields of a card: those of the last import, of the deck and of the source now.

A change that only one side made is taken; where both made one, the deck keeps its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardgen.deck.model import Value

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
    """Stands for a field that is not there, which is not the value null."""


_ABSENT = _Absent()


def is_same(one: object, other: object) -> bool:
    """Tell whether two values say the same on a card, however their texts are broken into lines."""
    return print_value(one) == print_value(other)


def print_value(value: object) -> str:
    """Return a text that is the same for all values that say the same."""
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
    """Return the merged fields of a card; those to `skip` stay as the deck has them."""
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
    """Put new fields behind those that they follow in the source; the others stay in order."""
    keys = [key for key in ours if key in merged]
    before: list[str] = []
    for key in theirs:
        if key in merged and key not in ours:
            known = [keys.index(other) for other in before if other in keys]
            keys.insert(known[-1] + 1 if known else len(keys), key)
        before.append(key)
    return {key: merged[key] for key in keys}
