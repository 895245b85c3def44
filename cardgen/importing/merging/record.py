"""Keeps what an import gave beside the deck: so a later one can tell what was changed by hand.

Turns cards into JSON and back. Knows nothing of how they are compared.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.core.deck_files import RECORD_SUFFIX
from cardgen.core.errors import CardgenError, Where
from cardgen.core.reading import read_text
from cardgen.deck.model import Value

VERSION = 1


class Given(NamedTuple):
    """A card as the source gave it, and the keys of its doubts that were settled.

    id: under which the deck has it; None where it was taken out
    """

    id: str | None
    values: Mapping[str, Value]
    settled: tuple[str, ...] = ()


class Record(NamedTuple):
    """What an import gave; `settled` are the keys of doubts of the deck as a whole."""

    files: tuple[str, ...]
    cards: tuple[Given, ...]
    settled: tuple[str, ...] = ()


def name_record(deck: Path) -> Path:
    return deck.with_name(deck.stem + RECORD_SUFFIX)


def format_record(record: Record) -> str:
    """Return JSON with a line for each card, so that two records can be compared."""
    data: dict[str, Any] = {"import": VERSION, "files": record.files}
    if record.settled:
        data["settled"] = record.settled
    head = json.dumps(data, ensure_ascii=False)
    lines = [_format_given(given) for given in record.cards]
    return f'{head[:-1]}, "cards": [\n' + ",\n".join(lines) + "\n]}\n"


def _format_given(given: Given) -> str:
    data: dict[str, Any] = {"id": given.id, "card": given.values}
    if given.settled:
        data["settled"] = given.settled
    return json.dumps(data, ensure_ascii=False)


def read_record(deck: Path) -> Record:
    path = name_record(deck)
    try:
        data = json.loads(read_text(path).text)
        version = data["import"]
        if version == VERSION:
            return Record(
                _take_texts(data["files"]),
                tuple(map(_read_given, data["cards"])),
                _take_texts(data.get("settled", [])),
            )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise CardgenError(
            "import/broken-record",
            "this is no record of an import",
            Where(str(path)),
            f"take it from where you keep earlier versions; or delete it and {deck.name}, "
            "to import afresh",
        ) from None
    raise CardgenError(
        "import/newer-record",
        f"this record is of version {version}, and this cardgen reads version {VERSION}",
        Where(str(path)),
        f"import with the newer cardgen; or delete it and {deck.name}, to import afresh",
        details={"version": version if isinstance(version, int) else None, "known": VERSION},
    )


def _read_given(data: Any) -> Given:
    identity, values = data["id"], data["card"]
    if not (identity is None or isinstance(identity, str)) or not isinstance(values["name"], str):
        raise TypeError
    return Given(identity, dict(values), _take_texts(data.get("settled", [])))


def _take_texts(data: Sequence[Any]) -> tuple[str, ...]:
    if not isinstance(data, list) or not all(isinstance(text, str) for text in data):
        raise TypeError
    return tuple(data)
