"""Edits of a text, all made at once, the lines that places in it stand on, and the error for
a table of which no cell can be edited alone.

Knows nothing of what the text says.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Where


class Edit(NamedTuple):
    start: int
    end: int
    text: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with all edits made."""
    parts, position = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*parts, text[position:]])


def start_line(text: str, place: int) -> int:
    return text.rfind("\n", 0, place) + 1


def end_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def find_column(text: str, place: int) -> int:
    return place - start_line(text, place)


def make_odd_table(where: Where) -> CardgenError:
    """Return the error for a table whose cells are written in a way that is not known."""
    return CardgenError(
        "edit/odd-table",
        "cells of this table cannot be changed one by one",
        where,
        "save it anew with a spreadsheet program, and edit it then",
    )
