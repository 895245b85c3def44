"""Makes records of the rows of a table: finds the header, names the cells, doubts what is odd.

Knows nothing of file formats, nor what the columns mean but their names.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Where, list_some
from cardgen.core.names import make_unknown
from cardgen.deck.model import MAX_FIELD, Value
from cardgen.deck.workbook import MAX_CELLS, Merged, Sheet, refuse_large
from cardgen.importing.column_names import find_field
from cardgen.importing.model import UNSEEN, Doubt, LeftOut, Place
from cardgen.importing.tables.records import Record, Records

_FIRST = 30
_FEWEST = 3  # rows of a table without a header
_NAMES = frozenset(("name", "names", "title", "card name", "card title", "nom", "titel", "titre"))
_OF_CARDS = ("figure", "sentence")  # what no header holds
_SENTENCE = 6  # words
_FEWEST_ASKED = 3
_MORE_ALIKE = 0.2
_RAGGED = 0.75
_BROKEN = 0.6
_MOST_NAMED = 5
_UNIT = re.compile(r"\([^()]*\)")


class Row(NamedTuple):
    """A row; `carried` are the places of cells that a merged cell above fills."""

    line: int
    cells: Sequence[Value]
    carried: Collection[int] = ()
    doubts: tuple[Doubt, ...] = ()


class SheetRows(NamedTuple):
    """The rows of a sheet, and the names of others that might have been meant."""

    rows: list[Row]
    sheet: str = ""
    others: tuple[str, ...] = ()

    def list_doubts(self, file: str) -> list[Doubt]:
        if not self.others:
            return []
        named = list_some([f'--sheet "{name}"' for name in self.others], _MOST_NAMED)
        what = f'{file} holds several sheets: taken is "{self.sheet}"; others are {named}'
        told = (("taken", self.sheet), ("others", self.others))
        return [Doubt("several-lists", what, 0.85, f"{file} {self.sheet}", told)]


def choose_sheet(
    sheets: Sequence[Sheet], wanted: str | None, file: str
) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet that is asked for, else the first that is shown and the names of others."""
    if not sheets:
        raise CardgenError(
            "file/not-a-workbook", "this workbook has no sheet", Where(file), "save it again"
        )
    if wanted is None:
        shown = [sheet for sheet in sheets if not sheet.is_hidden]
        taken = (shown or sheets)[0]
        return taken, tuple(sheet.name for sheet in shown if sheet != taken)
    same = [sheet for sheet in sheets if sheet.name.casefold() == wanted.casefold()]
    exact = [sheet for sheet in same if sheet.name == wanted]
    if exact or len(same) == 1:
        return (exact or same)[0], ()
    raise make_unknown("sheet", wanted, [sheet.name for sheet in sheets], Where(file))


def name_rows(
    rows: Iterable[Row], file: str, wanted: Collection[str], joint: str | None = None
) -> Records:
    """Return the rows below the header; `wanted` are columns that are asked for by name.

    `joint` is what parts the cells of a text, where a row may have too many or too few of them;
    a sheet has none, and its columns go on below an empty header.
    """
    whole = [row for row in rows if _list_filled(row)]
    _check_letters(whole, file)
    filled, aside = _turn_over(whole)
    turned = filled != whole
    if not filled:
        return Records((), (), is_table=True)
    asked = frozenset(name.casefold() for name in wanted)
    place = _find_header(filled, asked)
    width = max(len(row.cells) for row in filled) if joint is None else 0
    if _lacks_header(filled, place, asked):
        width = max(width, len(filled[0].cells))
        own = next((n for n in range(width) if not _is_figure(_get(filled[0], n))), 0)
        names = ["name" if n == own else f"column {n + 1}" for n in range(width)]
        if width == own + 2 == 2 and str(_get(filled[0], 0)).strip()[-1:] == "?":
            names[1] = "text"  # which answers it
        below = tuple(_name_cells(row, names, file, joint) for row in filled)
        return Records(below, (), tuple(_doubt_header(file)), is_table=True)
    header, used = _read_header(filled, place)
    header += [None] * (width - len(header))
    names = _name_columns(header)
    left = [_leave(row, file, "above the table") for row in filled[: used.start]]
    left += [_leave(row, file, "beside the table") for row in aside]
    cards = []
    for row in filled[used.stop :]:
        if _list_filled(row) == _list_filled(filled[place]):
            left.append(_leave(row, file, "the header again"))
        else:
            cards.append(_name_cells(row, names, file, joint))
    doubts = (Doubt("columns", f"{file}: each column is taken for a card", 0.8, file),)
    return Records(tuple(cards), tuple(left), doubts if turned else (), is_table=True)


def _check_letters(rows: Iterable[Row], file: str) -> None:
    """Refuse a cell that no card can hold, before anything is made of it."""
    for row in rows:
        longest = max(len(cell) if isinstance(cell, str) else 0 for cell in row.cells)
        if longest > MAX_FIELD:
            raise CardgenError(
                "import/too-long",
                f"a cell of this row is {longest:,} characters long; allowed are {MAX_FIELD:,}",
                Where(file, row.line),
                "spread it over several cells",
                details={"most": MAX_FIELD},
            )


def _leave(row: Row, file: str, why: str) -> LeftOut:
    return LeftOut(" | ".join(map(str, _list_filled(row))), Place(file, row.line), why)


def _lacks_header(rows: Sequence[Row], place: int, asked: Collection[str]) -> bool:
    """Tell whether the row for the header is empty, and the first that is filled is a card."""
    first = rows[0]
    if place or len(rows) < _FEWEST or len(first.cells) < 2:
        return False
    cells = [str(cell) for cell in _list_filled(first)]
    if any(find_field(cell) or cell.casefold() in asked for cell in cells):
        return False
    # A header has words above figures, and above sentences.
    return any(
        form in _OF_CARDS and 2 * sum(_find_form(_get(row, n)) == form for row in rows) > len(rows)
        for n, form in enumerate(map(_find_form, first.cells))
    )


def _turn_over(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Return the rows of a table, and none; of one with a card in each column, those, and the rest.

    Cards stand in columns where the cells of a row are more alike than those of a column.
    """
    most = max((len(_list_filled(row)) for row in rows), default=0)
    block = [row for row in rows if 2 * len(_list_filled(row)) > most]
    labels = [_show(_get(row, 0)) for row in block]
    labels[:1] = [labels[0] or "name"] if labels else []
    width = max((len(row.cells) for row in block), default=0)
    if width <= _FEWEST or len(block) < _FEWEST or len({*labels} - {""}) < len(labels):
        return list(rows), []
    across = [[_get(row, n) for row in block] for n in range(1, width)]
    names = [_show(cells[0]) for cells in across]
    rowwise = _weigh_alike([row.cells[1:] for row in block[1:]])
    more = rowwise - _weigh_alike([cells[1:] for cells in across])
    if more < _MORE_ALIKE or len({*names} - {""}) < len(names) or any(map(_is_figure, labels)):
        return list(rows), []
    turned = [Row(block[0].line, labels), *(Row(block[0].line, cells) for cells in across)]
    return turned, [row for row in rows if row not in block]


def _show(cell: Value) -> str:
    return " ".join(str("" if cell is None else cell).split())


def _weigh_alike(lines: Iterable[Sequence[Value]]) -> float:
    """Return the share of cells that have the form which most of their line have."""
    forms = [
        Counter(_find_form(cell) for cell in line if str(cell or "").strip()) for line in lines
    ]
    filled = sum(map(Counter.total, forms))
    return sum(max(form.values(), default=0) for form in forms) / max(filled, 1)


def _find_form(cell: Value) -> str:
    if _is_figure(cell):
        return "figure"
    text = str(cell or "").strip()
    words = len(text.split())
    told = words >= _SENTENCE or (words >= _FEWEST_ASKED and text[-1] == "?")
    return "sentence" if told else "words" * (words > 0)


def _get(row: Row, column: int) -> Value:
    return row.cells[column] if column < len(row.cells) else None


def _is_figure(cell: Value) -> bool:
    return isinstance(cell, int | float) or str(cell).strip().isdecimal()


def _doubt_header(file: str) -> Iterator[Doubt]:
    what = "no row names the columns; the first is taken for the names, and --map says otherwise"
    yield Doubt("no-header", f"{file}: {what}, as --map cost=column 2", 0.7, file)


def _read_header(rows: Sequence[Row], place: int) -> tuple[list[Value], range]:
    """Return the names of the columns, and the rows that say them: one, or two of groups."""
    header = list(rows[place].cells)
    below = rows[place + 1 : place + 2]
    if below and len(rows) > place + 2 and _is_second_header(header, below[0]):
        groups = _spread(header, len(below[0].cells))
        named = [None if _UNIT.fullmatch(str(cell).strip()) else cell for cell in below[0].cells]
        parts = [*named, *[None] * (len(groups) - len(named))]
        own = [_join_names(*pair) for pair in zip(groups, parts, strict=True)]
        return own, range(place, place + 2)
    names = [str(cell).casefold() for cell in header if cell]
    if place and len(set(names)) < len(names) and len(_list_filled(rows[place - 1])) > 1:
        groups = _spread(rows[place - 1].cells, len(header))
        twice = [bool(cell) and names.count(str(cell).casefold()) > 1 for cell in header]
        own = [_join_names(group if again else None, cell)
               for cell, group, again in zip(header, groups, twice, strict=False)]  # fmt: skip
        return own, range(place - 1, place + 1)
    return header, range(place, place + 1)


def _is_second_header(header: Sequence[Value], row: Row) -> bool:
    """Tell whether a row names parts of the columns above: "near" and "far" below "Range"."""
    named = [n for n, cell in enumerate(header) if cell and find_field(str(cell)) == "name"]
    filled = [n for n, cell in enumerate(row.cells) if cell is not None and str(cell).strip()]
    units = [n for n in filled if _UNIT.fullmatch(str(row.cells[n]).strip()) and n < len(header)]
    if units and len(units) >= len(filled) - 1 and all(header[n] for n in units):
        return True  # "(1-9)" and "(gp)" below the names of columns
    if not named or len(filled) < 2 or named[0] in filled:
        return False
    blank = [n for n in filled if n >= len(header) or not str(header[n] or "").strip()]
    return bool(blank) and not any(
        _is_figure(row.cells[n]) or len(str(row.cells[n]).split()) > 3 for n in filled
    )


def _spread(cells: Sequence[Value], width: int) -> list[Value]:
    """Return names of groups, each for the empty cells behind it too."""
    spread: list[Value] = []
    for cell in [*cells, *[None] * (width - len(cells))]:
        is_named = cell is not None and bool(str(cell).strip())
        spread.append(cell if is_named or not spread else spread[-1])
    return spread


def _join_names(group: Value, name: Value) -> Value:
    return " ".join(str(part).strip() for part in (group, name) if part) or None


def _list_filled(row: Row) -> list[Value]:
    return [cell for cell in row.cells if cell is not None and str(cell).strip()]


def _find_header(rows: Sequence[Row], wanted: Collection[str]) -> int:
    """Return the row that names most known columns; else the first that is no title."""
    scores = []
    for row in rows[:_FIRST]:
        cells = [" ".join(str(cell).split()) for cell in _list_filled(row)]
        fields = {find_field(cell) for cell in cells} - {None}
        asked = {cell.casefold() for cell in cells} & set(wanted)
        scores.append((len(asked), "name" in fields, len(fields)))
    best = max(scores)
    if best[0] or (best[1] and best[2] > 1):
        return scores.index(best)
    called = (any(map(_is_called, row.cells)) for row in rows[:_FIRST])
    found = next((place for place, is_called in enumerate(called) if is_called), None)
    if found is not None and len(_list_filled(rows[found])) > 1:
        return found
    wide = (len(row.cells) > 1 and len(_list_filled(row)) < 2 for row in rows[:_FIRST])
    return next((place for place, title in enumerate(wide) if not title), 0)


def _is_called(cell: Value) -> bool:
    """Tell whether a cell is a word for names, and none that a card may have, as "weapon"."""
    return isinstance(cell, str) and " ".join(cell.split()).casefold() in _NAMES


def _name_columns(cells: Sequence[Value]) -> list[str]:
    """Name each column: one without a name by its place, the second of a name with a number."""
    names: list[str] = []
    for place, cell in enumerate(cells, 1):
        said = str(cell if cell is not None else "").translate(UNSEEN)
        own = " ".join(said.split()) or f"column {place}"
        name, number = own, 2
        while name in names:
            name, number = f"{own} {number}", number + 1
        names.append(name)
    return names


def _name_cells(row: Row, names: Sequence[str], file: str, joint: str | None) -> Record:
    cells, doubts = list(row.cells), list(row.doubts)
    if joint is not None and len(cells) < len(names):
        doubts.append(_doubt_width(cells, names))
    over = cells[len(names) :]
    if any(cell is not None and str(cell).strip() for cell in over):
        last = len(names) - 1
        doubts.append(_doubt_width(cells, names, "; the last are joined"))
        rest = [str(cell) for cell in cells[last:] if cell is not None]
        # A blank behind the delimiter was not read; in a text it belongs there.
        between = f"{joint} " if joint in (",", ";") else joint or " "
        cells[last:] = [between.join(rest).strip()]
    values = dict(zip(names, cells, strict=False))
    carried = frozenset(names[place] for place in row.carried if place < len(names))
    return Record(values, Place(file, row.line), carried, tuple(doubts))


def _doubt_width(cells: Sequence[Value], names: Sequence[str], done: str = "") -> Doubt:
    plural = "" if len(cells) == 1 else "s"
    said = f"this row has {len(cells)} cell{plural}, the header {len(names)}{done}"
    told = (("cells", len(cells)), ("header", len(names)))
    return Doubt("row-width", said, _RAGGED, details=told)


def fill_merged(rows: Iterable[Row], merged: Iterable[Merged], file: str) -> list[Row]:
    """Return the rows with what a merged cell says below it too; one ends where another begins."""
    whole = list(rows)
    filled = {row.line: row for row in reversed(whole)}
    lines = sorted(filled)
    ends = {(cell.column, cell.first): cell.last for cell in merged}
    carried: dict[int, dict[int, Value]] = {}
    total = 0
    for (column, first), last in ends.items():
        cells = filled[first].cells if first in filled else ()
        value = cells[column] if column < len(cells) else None
        begin, end = bisect_right(lines, first), bisect_right(lines, last)
        for line in (lines[n] for n in range(begin, end if value is not None else begin)):
            if (column, line) in ends:
                break
            below = carried.setdefault(line, {})
            below[column] = value
            total += 1
            if total > MAX_CELLS:
                raise refuse_large(file, line, MAX_CELLS, "cells that merged ones fill")
    return [_carry(row, carried.get(row.line, {})) for row in whole]


def _carry(row: Row, above: Mapping[int, Value]) -> Row:
    cells = [*row.cells, *[None] * (max(above, default=0) + 1 - len(row.cells))]
    empty = [column for column in above if cells[column] is None]
    for column in empty:
        cells[column] = above[column]
    return row._replace(cells=tuple(cells), carried=tuple(empty)) if empty else row


def doubt_cell(column: str, line: int, error: object) -> Doubt:
    """Return a doubt for a cell that holds an error, as #REF!."""
    said = f"cell {column}{line} holds the error {error}"
    told = (("cell", f"{column}{line}"), ("error", str(error)))
    return Doubt("error-cell", said, _BROKEN, f"{column} {error}", told)


def read_number(number: float) -> Value:
    """Return a number without the noise that adding in binary leaves."""
    rounded = float(f"{number:.15g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def show_percent(number: float) -> str:
    return f"{float(f'{number * 100:.10g}'):g}%"
