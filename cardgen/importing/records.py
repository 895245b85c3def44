"""Records, as a table or another tool's data holds them, become candidates.

Knows which names columns and keys have, and nothing of file formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cardgen.deck.model import CARD_KEYS, Value
from cardgen.errors import CardgenError, Where, suggest
from cardgen.importing.blocks import Place, SourceLine
from cardgen.importing.candidates import Candidate, Doubt
from cardgen.importing.column_names import COLUMN_NAMES, find_field
from cardgen.importing.names import set_name
from cardgen.importing.styled import Styled
from cardgen.importing.tables import read_figure

_NOT_LETTERS = re.compile(r"[^\w]+")
_MOST_SHOWN = 200
_RESERVED = (*CARD_KEYS, "number")


class Record(NamedTuple):
    values: Mapping[str, Value]
    place: Place


class Columns(NamedTuple):
    """Where the cards lie in a file, and which columns hold which fields."""

    sheet: str | None = None
    cards_at: str | None = None
    fields: Mapping[str, str] = {}  # the column or key of each field


ALL_COLUMNS = Columns()


def read_mapping(text: str) -> dict[str, str]:
    """`name=title,text=body` as a mapping of fields to columns."""
    fields: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        field, sign, column = part.partition("=")
        if not sign or not field.strip().isidentifier() or not column.strip():
            raise CardgenError(
                f'--map cannot read "{part}"', hint="write field=column, as name=title,text=body"
            )
        fields[field.strip()] = column.strip()
    return fields


def read_cards(records: Iterable[Record], columns: Columns, file: str) -> list[Candidate]:
    rows = list(records)
    known = {key for row in rows for key in row.values}
    for field, column in columns.fields.items():
        if rows and column not in known:
            raise CardgenError(
                f'there is no column "{column}" for the field "{field}"',
                Where(file),
                suggest(column, known, kind="column"),
            )
    by_column = _choose_fields(rows, columns)
    if rows and "name" not in by_column.values():
        raise CardgenError(
            "no column holds the names of the cards",
            Where(file),
            f"say which one does, as --map name={next(iter(known), 'title')}",
        )
    cards = [card for row in rows if (card := _read_card(row, by_column))]
    if not cards:
        raise CardgenError("there is no card in this file", Where(file))
    return cards


def _choose_fields(rows: Iterable[Record], columns: Columns) -> dict[str, str]:
    """The field of each column: as --map says, else by its name; the first of two has it."""
    chosen = {column: field for field, column in columns.fields.items()}
    taken = set(chosen.values())
    keys = list(dict.fromkeys(key for row in rows for key in row.values))
    wanted = {key: find_field(key.rpartition(".")[2]) or "" for key in keys}
    # "name" is the name though "title" stands before it.
    for field, names in COLUMN_NAMES.items():
        candidates = [key for key in keys if wanted[key] == field and key not in chosen]
        if field in taken or not candidates:
            continue
        best = min(candidates, key=lambda key: _rank(key, names))
        chosen[best] = field
        taken.add(field)
    for key in keys:
        if key not in chosen:
            own = _NOT_LETTERS.sub("_", key.rpartition(".")[2]).strip("_").lower()
            own = own if own and not own[0].isdigit() else f"field_{own}"
            own = f"{own}_" if own in _RESERVED or own in taken else own
            chosen[key] = own
            taken.add(own)
    return chosen


def _rank(key: str, names: tuple[str, ...]) -> int:
    bare = " ".join(key.rpartition(".")[2].replace("_", " ").replace("-", " ").lower().split())
    return names.index(bare) if bare in names else len(names)


def _read_card(row: Record, fields: Mapping[str, str]) -> Candidate | None:
    values: dict[str, Value] = {}
    for key, value in row.values.items():
        if value is None or (isinstance(value, str) and not value.strip()):
            continue
        values[fields[key]] = value.strip() if isinstance(value, str) else value
    if "name" not in values:
        return None
    shown = " | ".join(f"{key}: {value}" for key, value in row.values.items())
    doubts: list[Doubt] = []
    cost = _read_number(values.pop("cost", None), "cost", values, doubts)
    count = _read_number(values.pop("count", None), "count", {}, doubts)
    text = values.pop("text", None)
    who, uses, kind, rank = (values.pop(field, None) for field in ("who", "uses", "kind", "rank"))
    name = str(values.pop("name"))
    return Candidate(
        name=set_name(" ".join(name.split())),
        lines=(SourceLine(row.place, shown[:_MOST_SHOWN]),),
        count=count if count is not None else 1,
        cost=cost,
        who=_text(who),
        uses=_text(uses),
        kind=_text(kind),
        rank=_text(rank),
        paragraphs=_part(text),
        other=tuple((key, value) for key, value in values.items() if not isinstance(value, dict)),
        doubts=tuple(doubts),
        reasons=("a row of a table",),
    )


def _read_number(
    value: Value, field: str, values: dict[str, Value], doubts: list[Doubt]
) -> int | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
        return int(value)
    found = read_figure(str(value))
    if found is None:
        doubts.append(Doubt(f'"{value}" is no whole number for its {field}', 0.7))
        if field == "cost":
            values["price"] = str(value)
    return found


def _text(value: Value) -> str | None:
    return None if value is None else " ".join(str(value).split())


def _part(value: Value) -> tuple[Styled, ...]:
    """The paragraphs of a text, whose stars stay the emphasis that they are."""
    from cardgen.importing.text_reader import read_line

    if value is None:
        return ()
    parts = [str(part) for part in value] if isinstance(value, list) else str(value).split("\n")
    return tuple(read_line(part.strip()) for part in parts if part.strip())
