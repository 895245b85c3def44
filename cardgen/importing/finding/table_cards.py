"""The tables whose rows are cards, among all that a text holds, and the cards of these rows.

Other tables are of stats, of dice, or of what the cards are made of. Knows nothing of lines.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from cardgen.deck.columns import is_total
from cardgen.importing.column_names import find_field
from cardgen.importing.finding.chapters import drop_count, drop_numbers
from cardgen.importing.finding.columns import (
    Columns,
    holds_name,
    is_die,
    is_rolled,
    list_groups,
    list_names,
    name_kind,
    read_columns,
    read_row,
)
from cardgen.importing.finding.labels import find_labelled
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.names import fold, looks_like_name, set_name
from cardgen.importing.finding.rows import Table
from cardgen.importing.finding.tables import find_tables
from cardgen.importing.model import BOLD, Block, Candidate, LeftOut, Pointed, Styled

_FEW = 3
_NEAR = 3  # lines above a table
_NUMBER = re.compile(r"\s*\(\d+\)\s*")
_FRAMED = re.compile(r"^[\[<]\s*([^\[\]<>]+?)\s*[\]>]$")  # "[COMMON CARDS]"
_NOTE = re.compile(r"\W*[\d¹²³⁴-⁹]{1,2}\s?[:)]\s+[a-zß-ÿ]")
_SIGN = re.compile(r"[,.:;(–—]|$")


def read_tables(
    blocks: Sequence[Block], left: list[LeftOut], joiner: Joiner, pointed: Pointed
) -> tuple[list[Candidate], list[Block]]:
    """Return the cards that stand in rows, and all other blocks."""
    tables = _read_alike(find_tables(blocks, joiner), pointed)
    wanted = {*map(fold, pointed.names)}
    headings = {fold(block.text) for block in blocks if block.kind == "heading"}
    lines = [block.text for block in blocks if not block.cells]
    # A name may end at the end of a line that it begins, or at a sign in it.
    ends = ((text, sign.start()) for text in lines if wanted for sign in _SIGN.finditer(text))
    begun = {fold(text[:end]) for text, end in ends}
    every = all(
        any(holds_name(table, Pointed((name,))) for table, _ in tables) for name in pointed.names
    )
    headed = bool(wanted) and (wanted <= headings or (wanted <= begun and not every))
    held = any(holds_name(table, pointed) for table, _ in tables)
    if headed or (pointed.names and not held):
        return [], flatten(blocks, [])
    firsts = [_list_first(table, columns) for table, columns in tables]
    alike = Counter(firsts)
    named = [  # tables that begin all their rows as another does have a label in each
        (table, columns)
        for (table, columns), beginning in zip(tables, firsts, strict=True)
        if columns and alike[beginning] == 1
    ]
    if _are_stats([(table, columns) for table, columns in tables if columns]):
        return [], flatten(blocks, [])
    heads = Counter(_list_titles(table) for table, _ in named)
    bare = Counter(columns.fields for _, columns in named if not columns.headed)
    long = {columns.fields for table, columns in named if len(table.rows) - columns.headed >= 3}
    whole = [
        (table, columns)
        for table, columns in named
        if len(table.rows) - columns.headed >= 3
        or bare[columns.fields] >= 3
        or (not columns.headed and columns.fields in long)
        or ("text" in columns.fields and columns.headed)
        or (columns.headed and heads[_list_titles(table)] > 1)
    ]
    if any("count" in columns.fields for _, columns in whole):  # others tell of something else
        whole = [
            (table, columns)
            for table, columns in whole
            if "count" in columns.fields or find_field("".join(columns.titles[:1])) == "name"
        ]
    whole = _drop_indexes(whole)
    often = [one for one in heads if heads[one] > 1]
    if len(often) == 1:  # what has another header than the tables of cards is no such table
        whole = [
            (table, columns)
            for table, columns in whole
            if "text" in columns.fields or _list_titles(table) in often
        ]
    whole = whole if pointed.names else _drop_rolled(whole, blocks)
    rows = sum(len(table.rows) for table, _ in whole)
    names = [name for table, columns in whole for name in list_names(table, columns)]
    if len(set(names)) < 0.7 * len(names) and not pointed.names:
        return [], flatten(blocks, [])
    if not whole or rows < 2:
        return [], flatten(blocks, [])
    cards: list[Candidate] = []
    titles = _find_titles(whole, [_find_chapter(blocks, table) for table, _ in whole])
    told = [title for title in dict.fromkeys(titles) if title]
    kinds = dict(zip(told, drop_numbers(told), strict=True))
    several = len(kinds) > 1
    for (table, columns), title in zip(whole, titles, strict=True):
        kind = kinds.get(title or "")
        if columns.headed:
            left += [
                LeftOut(line.text, line.place, "header of a table") for line in table.rows[0].lines
            ]
        if several and kind:
            columns = name_kind(table, columns)
        for row, group in list_groups(table, columns):
            other = _find_why(row, table)
            card = None if other else read_row(row, columns, group or (kind if several else None))
            if card:
                cards.append(card)
            else:
                why = "row without a name"
                left += [LeftOut(line.text, line.place, other or why) for line in row.lines]
    return cards, flatten(blocks, [table for table, _ in whole])


def _drop_rolled(
    tables: list[tuple[Table, Columns]], blocks: Sequence[Block]
) -> list[tuple[Table, Columns]]:
    """Leave out tables for dice that belong to a card or are the smaller part of a document."""
    rolled = [(table, columns) for table, columns in tables if is_rolled(columns)]
    if any(columns.told for _, columns in rolled):  # it says that it has names: dice choose cards
        return tables
    inside = sum(len(row.text.split()) for table, _ in rolled for row in table.rows)
    smaller = 2 * inside < sum(len(block.text.split()) for block in blocks)
    if smaller or _stand_in_cards(blocks, rolled):
        return [one for one in tables if one not in rolled]
    return tables


def _stand_in_cards(blocks: Sequence[Block], rolled: Sequence[tuple[Table, Columns]]) -> bool:
    """Whether several tables of a die and a text have one header, and each a heading of its own
    with a text below it: what a monster does.
    """
    heads = {_list_titles(table) for table, _ in rolled}
    above = [
        [block for block in blocks[max(0, table.start - _NEAR) : table.start] if block.text]
        for table, _ in rolled
    ]
    told = all(len(one) > 1 and one[-1].kind == "line" for one in above)
    titles = {_find_chapter(blocks, table) for table, _ in rolled}
    alike = len(rolled) > _FEW and {*map(len, heads)} == {2} and len(heads) == 1
    return alike and told and len(titles) == len(rolled)


def _list_first(table: Table, columns: Columns | None) -> tuple[str, ...]:
    """Return the first cells of rows, but for numbers that count these."""
    first = _find_first(table, columns) if columns else 0
    return tuple(row.cells[first].text for row in table.rows if first < len(row.cells))


def _find_first(table: Table, columns: Columns) -> int:
    """Return the place of the cell that tells rows apart."""
    if columns.headed and columns.titles:  # dice choose in several tables, other names in each
        return columns.fields.index("name")
    body = table.rows[1:]
    for place, field in enumerate(columns.fields):
        cells = (row.cells[place].text for row in body if place < len(row.cells))
        if field and not all(map(_NUMBER.fullmatch, cells)):
            return place
    return 0


def _drop_indexes(tables: list[tuple[Table, Columns]]) -> list[tuple[Table, Columns]]:
    """Return the tables but those of what a column of another one holds, as "Items" does."""
    titles = [columns.titles if columns.headed else () for _, columns in tables]
    heads = [
        named[columns.fields.index("name")] if named else ""
        for named, (_, columns) in zip(titles, tables, strict=True)
    ]
    beside = {
        title for named, head in zip(titles, heads, strict=True) for title in named if title != head
    }
    kept = [one for one, head in zip(tables, heads, strict=True) if not head or head not in beside]
    return kept or tables


def _list_titles(table: Table) -> tuple[str, ...]:
    """Return the titles of a table's columns, with a die for any other."""
    return tuple("d" if is_die(cell.text) else cell.text for cell in table.rows[0].cells)


def _find_why(row: Block, table: Table) -> str:
    """Return why a row is none of a card: it sums up, or says the header again."""
    texts = [cell.text.strip(" *_:").casefold() for cell in row.cells]
    if texts == [cell.text.strip(" *_:").casefold() for cell in table.rows[0].cells]:
        return "the header again" if row is not table.rows[0] else ""
    return "the sums of the columns" if is_total(texts[0]) else ""


def _are_stats(tables: Sequence[tuple[Table, Columns]]) -> bool:
    """Whether tables with a row or two each and no texts are stats of what stands above them."""
    rows = sum(len(table.rows) for table, _ in tables)
    told = 2 * sum("text" in columns.fields for _, columns in tables) > len(tables)
    again = Counter(title for _, columns in tables if columns.headed for title in columns.titles)
    several = len(tables) >= 3 and max(again.values(), default=0) > 2
    return several and rows <= 3 * len(tables) and not told


def _read_alike(tables: Sequence[Table], pointed: Pointed) -> list[tuple[Table, Columns | None]]:
    """Return what the columns of each table hold: those with one header are read as one."""
    alike: defaultdict[tuple[str, ...], list[Table]] = defaultdict(list)
    for table in tables:
        alike[tuple(cell.text for cell in table.rows[0].cells)].append(table)
    joined: dict[tuple[str, ...], Columns | None] = {}
    for head, same in alike.items():
        rows = [same[0].rows[0], *(row for one in same for row in one.rows[1:])]
        joined[head] = read_columns(same[0]._replace(rows=tuple(rows)), pointed)
    read: list[tuple[Table, Columns | None]] = []
    for table in tables:
        columns = joined[tuple(cell.text for cell in table.rows[0].cells)]
        if not columns or not columns.headed:
            columns = _go_on(read, table) or read_columns(table, pointed)
        read.append((table, columns))
    return read


def _go_on(read: Sequence[tuple[Table, Columns | None]], table: Table) -> Columns | None:
    """Return the columns of the table above, if a line at most stands between both: a remark."""
    above, columns = read[-1] if read else (None, None)
    if above is None or columns is None or not columns.headed:
        return None
    near = 0 < table.start - above.end <= 1
    alike = all(len(row.cells) == len(columns.fields) for row in table.rows)
    return columns._replace(headed=False) if near and alike else None


def _find_titles(
    tables: Sequence[tuple[Table, Columns]], chapters: Sequence[str | None]
) -> list[str | None]:
    """Return the title of each table: where several of a chapter head their names each with a
    word of its own, as "Armour" and "Weapons", that word.
    """
    heads = [table.rows[0].cells[0].text.strip() for table, _ in tables]
    own = [
        columns.headed and columns.fields[0] == "name" and heads.count(head) == 1
        for head, (_, columns) in zip(heads, tables, strict=True)
    ]
    return [
        set_name(head) if all(own) and chapters.count(chapter) >= _FEW else chapter
        for head, chapter in zip(heads, chapters, strict=True)
    ]


def _find_chapter(blocks: Sequence[Block], table: Table) -> str | None:
    """Return the title that a table stands under."""
    for block in reversed(blocks[: table.start]):
        label = find_labelled(block.content) if block.content.find_lead() else None
        if block.cells or (block.kind != "heading" and label and label.value.text):
            continue
        if _NOTE.match(block.text):
            continue  # "3: breaks on a fumble"
        if block.kind == "heading" or (block.content.face & BOLD and len(block.text.split()) < 8):
            return drop_count(block.text.strip(" :"), len(table.rows) - 1)
        title = _FRAMED.sub(r"\1", block.text.strip(" :"))
        beside = block is blocks[table.start - 1] and looks_like_name(title)
        if block.gap and block.kind == "line" and (block.text.isupper() or beside):
            return set_name(title)
    return None


def flatten(blocks: Sequence[Block], tables: Sequence[Table]) -> list[Block]:
    """Return the blocks outside of tables; other rows as lines, their cells set off."""
    inside = {at for table in tables for at in range(table.start, table.end)}
    flat = []
    for at, block in enumerate(blocks):
        if at in inside:
            continue
        if block.cells:
            cells = [cell for cell in block.cells if cell.text]
            content = cells[0] if cells else Styled.of("")
            for cell in cells[1:]:
                content = content.join(cell, "    ")
            block = replace(block, content=content)
        if block.text or block.kind == "rule":
            flat.append(block)
    return flat
