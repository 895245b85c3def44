"""The parts of a play sheet become Markdown that cardgen builds at once.

Knows nothing of where they came from, or of paper.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from cardgen.importing.model import Styled
from cardgen.importing.sheets.pieces import Heading, Item, Line, Part, Piece, Rest, Table

# The colours that parts take in turn, as the template `sheet` names them.
COLOURS = ("blue", "green", "red", "violet", "teal")

TURN = "+++"
_BEGINS = re.compile(
    r"(#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=]{3,}\s*$|\+{3}\s*$|>|<|~{3}|`{3})|(\d+)([.)])(?=\s)"
)


def format_head(head: Mapping[str, Any]) -> str:
    dumped = yaml.safe_dump(dict(head), sort_keys=False, allow_unicode=True, width=96)
    return f"---\n{dumped}---\n"


def format_parts(parts: Sequence[Part], first: int = 0) -> str:
    """Return parts as Markdown; the colours begin with that of the part of this number."""
    shown = []
    number = first
    for part in parts:
        shown.append(format_part(part, COLOURS[number % len(COLOURS)]))
        number += part.heading is not None
    return "\n\n".join(shown) + "\n"


def format_part(part: Part, colour: str = "") -> str:
    texts: list[str] = []
    insets = [0]  # where the text of entries begins, at each depth
    for place, piece in enumerate(part.all):
        listed = isinstance(piece, Item) and place and isinstance(part.all[place - 1], Item)
        inset = insets[-1] if isinstance(piece, Rest) else 0
        if isinstance(piece, Item):
            del insets[piece.depth + 1 :]
            inset = insets[-1]
            insets.append(inset + len(_sign(piece)) + 1)
        texts.append(("\n" if listed else "\n\n") + " " * inset + format_piece(piece, colour))
    return "".join(texts).strip("\n")


def format_piece(piece: Piece, colour: str = "") -> str:
    if isinstance(piece, Heading):
        return _format_heading(piece, colour)
    if isinstance(piece, Line):
        return "---"
    if isinstance(piece, Table):
        return _format_table(piece)
    text = escape_start(piece.content.to_markdown())
    if not isinstance(piece, Item):
        return text
    return f"{_sign(piece)} {text}"


def _sign(item: Item) -> str:
    return "-" if item.number is None else f"{item.number}."


def _format_heading(heading: Heading, colour: str) -> str:
    text = re.sub(r"\{(?=[\w-]+\}$)", r"\\{", Styled.of(heading.content.text).to_markdown())
    text = re.sub(r"#+$", lambda found: "\\" + found[0], text)
    section = f" {{{colour}}}" if colour and heading.level == 1 else ""
    return f"{'#' * heading.level} {text}{section}"


def _format_table(table: Table) -> str:
    rules = ["--:" if align == "right" else "---" for align in table.aligns]
    rows = [_format_row(table.head), f"|{'|'.join(rules)}|", *map(_format_row, table.rows)]
    return "\n".join(rows)


def _format_row(cells: Sequence[Styled]) -> str:
    shown = (cell.to_markdown().replace("|", r"\|") for cell in cells)
    return "|" + "|".join(f" {text} " if text else " " for text in shown) + "|"


def escape_start(text: str) -> str:
    """A text whose first sign would make it something else in Markdown, with that sign escaped."""
    found = _BEGINS.match(text)
    if not found:
        return text
    if found[2]:
        return f"{found[2]}\\{text[len(found[2]) :]}"
    return "\\" + text
