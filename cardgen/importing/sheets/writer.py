"""The parts of a play sheet become Markdown that cardgen builds at once.

Knows nothing of where they came from, or of paper.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from cardgen.importing.model import Styled
from cardgen.importing.sheets.pieces import Heading, Item, Line, Paragraph, Part, Piece, Table

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
    """Parts as Markdown; the colours begin with that of the part of this number."""
    shown = []
    number = first
    for part in parts:
        colour = COLOURS[number % len(COLOURS)]
        number += part.heading is not None
        shown.append(format_part(part, colour))
    return "\n\n".join(shown) + "\n"


def format_part(part: Part, colour: str = "") -> str:
    texts = [_format_heading(part.heading, colour)] if part.heading else []
    before: Piece | None = part.heading
    for piece in part.pieces:
        text = format_piece(piece)
        if isinstance(piece, Item) and isinstance(before, Item):
            texts[-1] += f"\n{text}"
        else:
            texts.append(text)
        before = piece
    return "\n\n".join(texts)


def format_piece(piece: Piece) -> str:
    if isinstance(piece, Heading):
        return _format_heading(piece, "")
    if isinstance(piece, Paragraph):
        return escape_start(piece.content.to_markdown())
    if isinstance(piece, Item):
        sign = "-" if piece.number is None else f"{piece.number}."
        return f"{'  ' * piece.depth}{sign} {escape_start(piece.content.to_markdown())}"
    if isinstance(piece, Line):
        return "---"
    return _format_table(piece) if isinstance(piece, Table) else ""


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
