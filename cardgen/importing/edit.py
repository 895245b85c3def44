"""The fields of a card that somebody may change, and a card with one of them changed.

A value comes as it was typed; what cannot be one is refused. Knows nothing of who asks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

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
    """Return the value of each field; a table of values has a field for each, as stats.Range."""
    fields: dict[str, Value] = {"name": card.name, "count": card.count}
    fields |= {field: getattr(card, field) for field in FIELDS}
    for key, value in card.other:
        if isinstance(value, dict):
            fields |= {f"{key}.{part}": inner for part, inner in value.items()}
        elif not isinstance(value, list):
            fields[key] = value
    return {**fields, "text": card.text or None}


def set_field(card: Candidate, field: str, typed: str) -> Candidate:
    """Return the card with a field as it was typed; NONE takes the field out."""
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
