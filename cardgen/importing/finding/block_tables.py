"""Rows in a text become candidates where a header says what they hold; other rows become lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from cardgen.importing.column_names import find_field
from cardgen.importing.finding.facts import capitalise, take_facts
from cardgen.importing.finding.names import set_name
from cardgen.importing.model import Block, Candidate, Doubt, LeftOut, Styled

_FIGURE = re.compile(r"(plus|minus|[+\-−–±])?\s*(\d{1,5})\s*(?:points?|pts?\.?)?", re.IGNORECASE)
_BETWEEN = Styled.of("    ")


def read_tables(
    blocks: Sequence[Block], left: list[LeftOut]
) -> tuple[list[Candidate], list[Block]]:
    """The cards in tables with a header that names them, and all other blocks."""
    cards: list[Candidate] = []
    rest: list[Block] = []
    for is_row, group in groupby(blocks, key=lambda block: bool(block.cells)):
        rows = list(group)
        fields = [find_field(cell.text) for cell in rows[0].cells] if is_row else []
        known = {field for field in fields if field}
        if len(rows) < 2 or "name" not in known or len(known) < 2:
            rest += rows
            continue
        left += [LeftOut(line.text, line.place, "header of a table") for line in rows[0].lines]
        for row in rows[1:]:
            card = _read_row(row, fields)
            if card:
                cards.append(card)
            else:
                rest.append(row)
    return cards, rest


def _read_row(row: Block, fields: Sequence[str | None]) -> Candidate | None:
    values: dict[str, Styled] = {}
    for field, cell in zip(fields, row.cells, strict=False):
        if field and cell.text.strip() and field not in values:
            values[field] = cell.strip()
    if "name" not in values:
        return None
    doubts = []
    if len(row.cells) != len(fields):
        told = f"this row has {len(row.cells)} cells, the header {len(fields)}"
        doubts.append(Doubt("row-width", told, 0.7))
    cost = read_figure(values["cost"].text) if "cost" in values else None
    if "cost" in values and cost is None and any(c.isdigit() for c in values["cost"].text):
        doubts.append(Doubt("no-number", f'"{values["cost"].text}" is no plain cost', 0.7, "cost"))
    count = read_figure(values["count"].text) if "count" in values else None
    who = values["who"].text if "who" in values else ""
    taken = take_facts(who)
    said = next((str(fact.value) for fact in taken.facts if fact.gives == "who"), capitalise(who))
    return Candidate(
        name=set_name(values["name"].text),
        lines=row.lines,
        count=count if count is not None and count > 0 else 1,
        cost=cost,
        who=said or None,
        uses=capitalise(values["uses"].text) if "uses" in values else None,
        kind=values["kind"].text if "kind" in values else None,
        rank=values["rank"].text if "rank" in values else None,
        paragraphs=_part_lines(values["text"]) if "text" in values else (),
        doubts=tuple(doubts),
        reasons=("a row of a table with a header",),
    )


def _part_lines(content: Styled) -> tuple[Styled, ...]:
    ends = [match.start() for match in re.finditer("\n", content.text)]
    starts = [0, *(end + 1 for end in ends)]
    return tuple(
        content.cut(start, end).strip() for start, end in zip(starts, [*ends, None], strict=True)
    )


def read_figure(text: str) -> int | None:
    match = _FIGURE.fullmatch(text.strip())
    if not match:
        return 0 if text.strip().lower() in ("free", "nil", "zero") else None
    negative = (match[1] or "").lower() in ("minus", "-", "−", "–")
    return -int(match[2]) if negative else int(match[2])


def flatten_rows(blocks: Sequence[Block]) -> list[Block]:
    """Rows of no table as lines, their cells set off from one another."""
    flat = []
    for block in blocks:
        if block.cells:
            cells = [cell for cell in block.cells if cell.text]
            content = cells[0] if cells else Styled.of("")
            for cell in cells[1:]:
                content = content.join(_BETWEEN).join(cell)
            block = replace(block, content=content, cells=(), kind="line")
        if block.content.text or block.kind == "rule":
            flat.append(block)
    return flat
