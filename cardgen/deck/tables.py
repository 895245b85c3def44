"""Reads tables: each row of a CSV file or a workbook becomes a card of a RawDeck.

The header names the fields. Knows nothing of what they mean.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardgen.core.errors import CardgenError, Problem, Where, list_some
from cardgen.core.library import Library
from cardgen.core.names import make_unknown
from cardgen.core.reading import read_bytes, read_text
from cardgen.deck.columns import (
    MAX_COLUMNS,
    has_names,
    is_total,
    name_columns,
    read_count,
)
from cardgen.deck.head import open_deck, split_front_matter
from cardgen.deck.model import MANY_CARDS, MAX_COPIES, PackedFields, Value, slug
from cardgen.deck.raw import Raw, RawDeck
from cardgen.deck.values import FIELD_HINT, is_field_name, parse_cell, quote

if TYPE_CHECKING:
    from cardgen.deck.workbook import Cell as SheetCell
    from cardgen.deck.workbook import CellValue, Sheet, Workbook

Cell = str | int | float | bool | None

# Columns whose cells stay texts, even where they hold digits.
TEXT_COLUMNS = ("id", "name", "template", "back")
_NUMBER_STARTS = frozenset("-0123456789")
_DELIMITERS = ",;\t|"
# Spreadsheet programs read such a line, and do not show it.
SEPARATOR_LINE = re.compile(r'[ \t]*"?sep=([^\w\s"]|\t)"?[ \t]*(?:\n|\Z)', re.IGNORECASE)
_SHORT, _MOST_KNOWN = 40, 10_000
_MOST_SHEETS, _MOST_NAMED = 30, 4  # that are looked at, and named
_MOST_ABOVE = 5  # rows that are looked at for the columns, below a title
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
# A line end in a cell is meant: texts break the line at two blanks before one.
_LINE_END = re.compile(r"(?<=\S)[ \t]*\n(?=[ \t]*\S)")
_FILLED_LINE = re.compile(r".*\S.*")
_QUOTED = re.compile(r'"[^"]*"?')


class Row(NamedTuple):
    """The cells of a row, and the line it begins in."""

    line: int
    cells: Sequence[Cell]


class _Column(NamedTuple):
    """A column that names a field; without `has_numbers` its cells stay texts."""

    position: int
    key: str
    has_numbers: bool


def read_table(path: Path) -> RawDeck:
    """Return the deck of a table that is one by itself, with YAML front matter or without."""
    file = str(path)
    if path.suffix.lower() == ".xlsx":
        raw = open_deck(path, None, [])
        _add_cards(raw, file, _read_workbook(raw, path, Where(file)))
        return raw
    text, has_controls = read_text(path)
    front = split_front_matter(text, file)
    raw = open_deck(path, front.node, front.problems)
    raw.has_controls = has_controls
    if "cards" in raw.head.values:
        raw.add(
            "deck/cards-and-rows",
            'front matter cannot hold "cards"',
            raw.head.locate_key("cards"),
            "the cards are the rows below it",
        )
    _add_cards(raw, file, read_csv_rows(front.body, file, front.line, raw.problems))
    return raw


def is_table_of_cards(path: Path) -> bool:
    """Whether a table says that it is a deck, or has a column that may name its cards; also one
    that cannot be read, for whoever reads it says why.
    """
    file, says_so = str(path), False
    try:
        if path.suffix == ".xlsx":
            rows = read_workbook_rows(read_bytes(path), file, None, Where(file), [])
        else:
            front = split_front_matter(read_text(path).text, file)
            says_so = front.node is not None
            rows = read_csv_rows(front.body, file, front.line, [])
        first = next((row for row in rows if any(map(_is_filled, row.cells))), None)
    except CardgenError:
        return True
    titles = [] if first is None else list(map(str, first.cells))
    return says_so or has_names(titles)


def add_table(raw: RawDeck, path: Path, where: Where) -> None:
    """Add the cards of the table that a YAML deck names at `where`."""
    file = str(path)
    if path.suffix.lower() == ".xlsx":
        rows: Iterable[Row] = _read_workbook(raw, path, where)
    else:
        text, raw.has_controls = read_text(path, where)
        front = split_front_matter(text, file)
        if front.line > 1:
            raw.add(
                "deck/described-twice",
                f"{raw.path.name} describes this deck, so its table cannot have front matter",
                Where(file, 1),
                f"move it to {raw.path.name}",
            )
        rows = read_csv_rows(front.body, file, front.line, raw.problems)
    _add_cards(raw, file, rows)


def _read_workbook(raw: RawDeck, path: Path, where: Where) -> Iterable[Row]:
    raw.is_workbook = True
    sheet = raw.head.get_written("sheet")
    if sheet is not None and not isinstance(sheet, str):
        return []
    place = raw.head.locate_value("sheet") if sheet is not None else where
    shown = os.path.relpath(path.resolve(), Library.around(raw.path).project.resolve())
    from cardgen.deck.workbook import Workbook  # as in read_workbook_rows

    book = Workbook(read_bytes(path, where), str(path), Path(shown).as_posix())
    if sheet is None and len(book.sheets) > 1:
        _note_sheets(raw, book, path.name)
    rows = read_sheet_rows(book, get_sheet(book, sheet, place), raw.problems)
    return _note_looks(raw, book, rows, path.name)


def _note_looks(raw: RawDeck, book: Workbook, rows: Iterable[Row], name: str) -> Iterator[Row]:
    """Yield all rows, then note those that a sheet does not show, for they are printed as well, and
    a merged cell, for it is read in its first row alone.
    """
    from cardgen.deck.workbook import name_column  # as in read_workbook_rows

    width = 0
    for row in rows:
        width = max(width, len(row.cells))
        yield row
    columns = [n for n in range(width) if any(n in part for part in book.hidden_columns)]
    hidden = [f"row {line}" for line in book.hidden_rows]
    hidden += [f"column {name_column(column)}" for column in columns]
    if hidden:
        raw.notes.append(
            Problem(
                "deck/hidden-cells",
                f"{name} hides {list_some(hidden, _MOST_NAMED)}; they are read as all others",
                Where(book.file, min(book.hidden_rows, default=None)),
                "to print a card not at all, give it a count of 0, or delete its row",
                details={"rows": tuple(map(str, book.hidden_rows))},
            )
        )
    if book.merged:
        first = min(book.merged, key=lambda cell: cell.first)
        place = f"{name_column(first.column)}{first.first}"
        raw.notes.append(
            Problem(
                "deck/merged-cells",
                f"{name} merges {place} with cells below it, which are read as empty",
                Where(book.file, first.first),
                "write it into each row; cardgen import does so",
                details={"cell": place},
            )
        )


def _note_sheets(raw: RawDeck, book: Workbook, name: str) -> None:
    """Note that other sheets than the first hold tables of cards, of which nothing is printed."""
    first = get_sheet(book, None, Where(book.file))
    rest = [sheet for sheet in book.sheets if sheet is not first]
    others = [
        sheet.name
        for sheet in rest[:_MOST_SHEETS]
        if not sheet.is_hidden and has_names(_list_titles(book, sheet))
    ]
    if others:
        listed = list_some([quote(other) for other in others], _MOST_NAMED)
        raw.notes.append(
            Problem(
                "deck/other-sheets",
                f"of {name} the sheet {quote(first.name)} is printed, but cards may stand in"
                f" others: {listed}",
                Where(book.file),
                f"give each a deck of its own: cards: {name} and sheet: {others[0]}",
                details={"sheet": first.name, "others": tuple(others)},
            )
        )


def _list_titles(book: Workbook, sheet: Sheet) -> list[str]:
    """Return what stands in the first row of a sheet; nothing where it cannot be read."""
    try:
        _, cells = next(book.read_rows(sheet), (0, []))
    except CardgenError:
        return []
    return [cell.value for cell in cells if isinstance(cell.value, str)]


def _add_cards(raw: RawDeck, file: str, rows: Iterable[Row]) -> None:
    raw.is_table = True
    rest = iter(rows)
    first = next((row for row in rest if any(map(_is_filled, row.cells))), None)
    if first is None:
        return
    if sum(map(_is_filled, first.cells)) == 1:
        rest = _refuse_titles(file, first, rest)
    columns, unnamed = _read_header(raw, Where(file, first.line), first.cells)
    header = _list_filled(first.cells)
    titled = raw.titles.get("name")
    known: dict[str, str] = {}  # short texts stand in many rows, and are kept once
    width = min(len(first.cells), MAX_COLUMNS)
    has_counts = "count" in raw.columns
    shapes: dict[tuple[str, ...], dict[str, int]] = {}  # the columns that rows fill
    rows_of: dict[Value, int] = {}  # by the names of their cards
    for line, cells in islice(rest, MAX_COPIES):
        values: dict[str, Value] = {}
        length = len(cells)
        for index, key, has_numbers in columns:
            if index >= length:
                break
            cell = cells[index]
            if type(cell) is str:
                cell = read_cell(cell, has_numbers)
                if cell is None:
                    continue
                if type(cell) is str and len(cell) <= _SHORT:
                    if len(known) > _MOST_KNOWN:
                        known.clear()
                    cell = known.setdefault(cell, cell)
            elif cell is None:
                continue
            elif not has_numbers:
                cell = str(cell)
            values[key] = cell
        if has_counts and "count" in values:
            values["count"] = read_count(values["count"])
        name = values.get("name")
        if name == titled and name is not None and _list_filled(cells) == header:
            raw.add(
                "deck/header-again",
                f"this row names the columns once more, as row {first.line} does",
                Where(file, line),
                "delete it",
            )
            continue
        number = rows_of[name] = rows_of.get(name, 0) + 1
        if number > 1 and isinstance(name, str) and "id" not in values:
            values["id"] = f"{slug(name)}-{number}"
        where = Where(file, line)
        if values:
            kept: Mapping[str, Value] = values
            if len(raw.cards) >= MANY_CARDS:
                names = tuple(values)
                shape = shapes.setdefault(names, {name: place for place, name in enumerate(names)})
                kept = PackedFields(shape, values.values())
            raw.cards.append(Raw(kept, where))
        if unnamed:
            unnamed = _report_unnamed(raw, where, cells, unnamed)
        if length > width and any(map(_is_filled, cells[width:])):
            raw.add(
                "deck/too-many-cells",
                f"this row has {length} cells, but the header has {width}",
                where,
                "the first row that is filled is the header: delete what stands above it"
                if raw.is_workbook
                else "put a text that holds a delimiter in quotes",
            )
    if further := next((row for row in rest if any(map(_is_filled, row.cells))), None):
        raw.add(
            "deck/too-many-rows",
            f"the table has more than {MAX_COPIES:,} rows",
            Where(file, further.line),
            "split it into several decks",
        )
    if has_counts and raw.cards:
        _check_total(raw)
    if any(note.details.get("column") == "#" for note in raw.notes):
        _check_numbering(raw, Where(file, first.line))
    _note_same_names(raw, Where(file, first.line), rows_of)


def _refuse_titles(file: str, first: Row, rest: Iterator[Row]) -> Iterator[Row]:
    """Refuse a table with a title above the row that names its columns; else return its rows."""
    few = list(islice(rest, _MOST_ABOVE))
    for line, cells in few:
        titles = _list_filled(cells)
        if len(titles) > 1 and has_names(titles) and not has_names(_list_filled(first.cells)):
            (title,) = _list_filled(first.cells)
            raise CardgenError(
                "deck/title-above",
                f"the columns are named in row {line}, below {quote(title)}",
                Where(file, first.line),
                "delete what stands above that row; cardgen import leaves it out by itself",
                details={"row": line},
            )
    return chain(few, rest)


def _list_filled(cells: Sequence[Cell]) -> list[str]:
    return [str(cell).strip() for cell in cells if _is_filled(cell)]


def _note_same_names(raw: RawDeck, where: Where, rows_of: Mapping[Value, int]) -> None:
    same = {name: rows for name, rows in rows_of.items() if rows > 1 and isinstance(name, str)}
    if not same or "id" in raw.columns:
        return
    listed = list_some([f"{quote(name)} ({rows})" for name, rows in same.items()], _MOST_NAMED)
    raw.notes.append(
        Problem(
            "deck/same-names",
            f"rows of one name are cards of their own: {listed}",
            where,
            "for copies of a card write one row with a count; for ids of your own add a column"
            ' "id"',
            details={"names": tuple(same)},
        )
    )


def read_cell(text: str, has_numbers: bool) -> Cell:
    """Return what a cell holds that is written so, None if it is empty."""
    text = text.strip()
    if not text:
        return None
    if has_numbers and "\n" in text:
        text = _LINE_END.sub("  \n", text)
    return parse_cell(text) if has_numbers and text[0] in _NUMBER_STARTS else text


def _check_total(raw: RawDeck) -> None:
    """Refuse a last row with the sum of the others, which would print each card twice."""
    *cards, last = raw.cards
    count = last.values.get("count")
    if not is_total(last.values.get("name")) or not isinstance(count, int) or not cards:
        return
    others = [card.values.get("count", 1) for card in cards]
    if count == sum(other for other in others if isinstance(other, int)):
        raw.add(
            "deck/total",
            f"the last row is no card: {count:,} is the sum of the others",
            last.where,
            "take it out of the table; or give it a count of 0, if it is a card",
            field="count",
        )


def _check_numbering(raw: RawDeck, where: Where) -> None:
    """Refuse a column "#" that numbers the rows: as counts it would print far too many cards."""
    counts = [card.values.get("count") for card in raw.cards]
    if len(counts) > 1 and counts == list(range(1, len(counts) + 1)):
        raw.add(
            "deck/numbering",
            'the column "#" numbers the rows, and does not count copies',
            where,
            'call it "number"; or "count", if it says how many copies there are',
            field="count",
        )


def _read_header(
    raw: RawDeck, where: Where, cells: Sequence[Cell]
) -> tuple[list[_Column], list[int]]:
    """Return the columns that name a field, and the positions of those without a name."""
    if any(map(_is_filled, cells[MAX_COLUMNS:])):
        raise CardgenError(
            "file/too-large",
            f"this table has more than {MAX_COLUMNS:,} columns",
            where,
            "a row is a card, and a column one of its fields: turn the table over",
            details={"allowed": MAX_COLUMNS},
        )
    names = ["" if cell is None else str(cell).strip() for cell in cells[:MAX_COLUMNS]]
    keys, meant = name_columns(names)
    for one in meant:
        if not one.silent:
            raw.notes.append(_note_meant(names[one.position], one.key, where))
    columns: list[_Column] = []
    for index, key in enumerate(keys):
        if key in raw.columns:
            message = f'two columns are called "{key}"'
            raw.add("deck/same-column", message, where, "give one of them another name")
        elif key and not is_field_name(key):
            message = f"column {quote(names[index])} has a forbidden name"
            is_row = "name" not in keys and parse_cell(names[index]) != names[index]
            raw.add("deck/bad-field-name", message, where, _ROW_HINT if is_row else FIELD_HINT)
        elif key:
            raw.columns[key] = where
            raw.titles[key] = names[index]
            columns.append(_Column(index, key, key not in TEXT_COLUMNS))
    return columns, [index for index, key in enumerate(keys) if not key]


_ROW_HINT = "the first row names the columns, as in name,count,text: write one above the cards"


def _note_meant(title: str, key: str, where: Where) -> Problem:
    return Problem(
        "deck/column-read-as",
        f'the column {quote(title)} is read as "{key}"',
        where,
        f'if it means something else, add a column "{key}"',
        field=key,
        details={"column": title, "key": key},
    )


def _report_unnamed(
    raw: RawDeck, where: Where, cells: Sequence[Cell], unnamed: list[int]
) -> list[int]:
    """Report the columns without a name that hold something in this row; return the others."""
    there = takewhile(lambda index: index < len(cells), unnamed)
    found = [index for index in there if _is_filled(cells[index])]
    for index in found:
        raw.add(
            "deck/unnamed-column",
            f"column {index + 1} holds {quote(str(cells[index]))} but has no name",
            where,
            "name the column in the header",
        )
    return [index for index in unnamed if index not in found] if found else unnamed


def _is_filled(cell: Cell) -> bool:
    return cell is not None and str(cell).strip() != ""


def read_csv_rows(text: str, file: str, first_line: int, problems: list[Problem]) -> Iterator[Row]:
    """Yield the rows of a text that begins in `first_line` of its file, up to a broken one.

    The limit of the csv module, which would refuse a long field without naming it, is that of the
    whole process: it is lifted for each row alone, since rows are read on only when they are asked.
    """
    delimiter, start = find_delimiter(text)
    line = first_line = first_line + text.count("\n", 0, start)
    reader = csv.reader(
        (match[0] for match in _LINE.finditer(text, start)),
        delimiter=delimiter,
        skipinitialspace=True,
        strict=True,
    )
    while True:
        limit = csv.field_size_limit(len(text))
        try:
            cells = next(reader, None)
        except csv.Error as error:
            problems.append(explain_csv_error(error, Where(file, line)))
            return
        finally:
            csv.field_size_limit(limit)
        if cells is None:
            return
        yield Row(line, cells)
        line = first_line + reader.line_num


def read_csv_cells(text: str, file: str, first_line: int) -> list[list[str]]:
    """Return the cells of a text as it is written; a broken row is an error."""
    problems: list[Problem] = []
    rows = read_csv_rows(text, file, first_line, problems)
    cells = [[str(cell) for cell in row.cells] for row in rows]
    if problems:
        raise CardgenError.of(problems)
    return cells


def find_delimiter(text: str) -> tuple[str, int]:
    """Return what parts the cells, and where they begin: the sign that a line above them names,
    else the one that the header has most of.
    """
    if said := SEPARATOR_LINE.match(text):
        return said[1], said.end()
    header = _FILLED_LINE.search(text)
    bare = _QUOTED.sub("", header[0]) if header else ""
    return max(_DELIMITERS, key=bare.count), 0


def explain_csv_error(error: csv.Error, where: Where) -> Problem:
    """Return the problem that the csv module found in a row that begins at `where`."""
    if "unexpected end of data" in str(error):
        hint = 'close it; a quote within the text is written twice: ""'
        return Problem("file/not-csv", "a quote in this row is never closed", where, hint)
    return Problem(
        "file/not-csv",
        "text follows a closing quote in this row",
        where,
        'write a quote inside a quoted cell twice, "", also in place of \\"',
    )


def read_workbook_rows(
    data: bytes,
    file: str,
    sheet: str | None,
    where: Where,
    problems: list[Problem],
    shown: str = "",
) -> Iterator[Row]:
    """Yield the rows of the named sheet, or of the first; `where` is the place that names it.

    shown: the file as the names of its pictures have it
    """
    # Most decks are texts, and need not wait for zipfile and the reader of workbooks.
    from cardgen.deck.workbook import Workbook

    book = Workbook(data, file, shown)
    yield from read_sheet_rows(book, get_sheet(book, sheet, where), problems)


def read_sheet_rows(book: Workbook, sheet: Sheet, problems: list[Problem]) -> Iterator[Row]:
    """Yield the rows of a sheet of an opened workbook."""
    from cardgen.deck.workbook import name_column

    for line, cells in book.read_rows(sheet):
        for column, cell in enumerate(cells):
            wrong = _find_cell_fault(cell)
            if wrong:
                message = f"cell {name_column(column)}{line} holds {wrong[0]}"
                problems.append(Problem("deck/bad-cell", message, Where(book.file, line), wrong[1]))
        yield Row(line, [_read_value(cell.value) for cell in cells])


def get_sheet(book: Workbook, name: str | None, where: Where) -> Sheet:
    """Return the sheet of a name, or the first that is shown."""
    if not book.sheets:
        raise CardgenError("file/not-a-workbook", "this workbook has no sheet", where)
    names = [sheet.name for sheet in book.sheets]
    if name is not None and name not in names:
        raise make_unknown("sheet", name, names, where)
    if name is not None:
        return book.sheets[names.index(name)]
    return next((sheet for sheet in book.sheets if not sheet.is_hidden), book.sheets[0])


def _find_cell_fault(cell: SheetCell) -> tuple[str, str] | None:
    """Return the fault of a cell without a value, and its cure."""
    if cell.kind == "error":
        return f"the error {cell.value}", "mend its formula"
    if cell.kind == "unsaved":
        hint = "open the workbook in a spreadsheet program and save it"
        return "a formula without a saved result", hint
    return None


def _read_value(value: CellValue) -> Cell:
    match value:
        case datetime():
            return value.isoformat(" ", "minutes")
        case date():
            return value.isoformat()
        case time() | timedelta():
            return str(value)
        case _:
            return value
