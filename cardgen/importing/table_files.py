"""CSV, TSV, XLSX, ODS and JSON files become records: values by column or key, with their place.

Knows nothing of what the columns mean.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from cardgen.deck.model import Value
from cardgen.deck.source import read_bytes
from cardgen.errors import CardgenError, Problem, Where, suggest
from cardgen.importing.blocks import Place
from cardgen.importing.records import Columns, Record
from cardgen.importing.sources import decode

_DELIMITERS = ",;\t|:^~"
_MOST_EMPTY = 1_000
_MAX_PART = 50_000_000
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_MOST_REPEATED = 1_000


def read_records(path: Path, columns: Columns) -> list[Record]:
    data = read_bytes(path)
    return list(_READERS[path.suffix.lower()](data, str(path), columns))


def _read_csv(data: bytes, file: str, _columns: Columns) -> Iterator[Record]:
    text = decode(data, file)
    # The delimiter itself may stand above the table, as spreadsheets write it.
    first, _, rest = text.partition("\n")
    delimiter = ""
    above = 0
    if first.strip().lower().startswith("sep=") and len(first.strip()) == 5:
        delimiter, text, above = first.strip()[4], rest, 1
    csv.field_size_limit(10_000_000)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter or _guess(text))
    rows: list[tuple[int, Sequence[Value]]] = []
    before = 0
    try:
        for cells in reader:
            rows.append((before + 1 + above, cells))
            before = reader.line_num
    except csv.Error as error:
        raise CardgenError(
            f"this table cannot be read: {error}", Where(file, before + 1)
        ) from error
    return _name_cells(rows, file)


def _guess(text: str) -> str:
    """The sign that parts the first rows into equally many cells, and into most."""
    sample = text[:20_000]
    best, most = ",", 0
    for sign in _DELIMITERS:
        try:
            widths = [len(row) for row in csv.reader(io.StringIO(sample), delimiter=sign) if row]
        except csv.Error:
            continue
        if not widths or widths[0] < 2:
            continue
        score = Counter(widths[:30])[widths[0]] * (widths[0] + 10)
        if score > most:
            best, most = sign, score
    return best


def _name_cells(rows: Iterable[tuple[int, Sequence[Value]]], file: str) -> Iterator[Record]:
    """Rows below a header as records; a column without a name is called after its place."""
    header: list[str] | None = None
    empty = 0
    for line, cells in rows:
        filled = [cell for cell in cells if cell is not None and str(cell).strip()]
        empty = 0 if filled else empty + 1
        if empty > _MOST_EMPTY:
            return
        if not filled:
            continue
        if header is None:
            if len(filled) < 2 and len(cells) > 1:
                continue  # a title above the table
            header = _name_columns(cells)
            continue
        yield Record(dict(zip(header, cells, strict=False)), Place(file, line))


def _name_columns(cells: Sequence[Value]) -> list[str]:
    names: list[str] = []
    for place, cell in enumerate(cells, 1):
        name = " ".join(str(cell if cell is not None else "").split()) or f"column {place}"
        while name in names:
            name += "_"
        names.append(name)
    return names


def _read_xlsx(data: bytes, file: str, columns: Columns) -> Iterator[Record]:
    from cardgen.deck.workbook_rows import read_workbook_rows

    problems: list[Problem] = []
    rows = read_workbook_rows(data, file, columns.sheet, Where(file), problems)
    if problems:
        raise CardgenError.of(problems)
    return _name_cells(((row.line, row.cells) for row in rows), file)


def _read_ods(data: bytes, file: str, columns: Columns) -> Iterator[Record]:
    from lxml import etree

    try:
        with ZipFile(io.BytesIO(data)) as archive, archive.open("content.xml") as part:
            content = part.read(_MAX_PART + 1)
    except (BadZipFile, KeyError, RuntimeError, NotImplementedError, EOFError) as error:
        raise CardgenError(
            "this is no workbook that can be read", Where(file), "save it without a password"
        ) from error
    if len(content) > _MAX_PART:
        raise CardgenError(
            f"this workbook is longer than {_MAX_PART:,} bytes unpacked", Where(file)
        )
    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        tree = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise CardgenError("this workbook is damaged", Where(file)) from error
    sheets = {table.get(f"{_TABLE}name") or "": table for table in tree.iter(f"{_TABLE}table")}
    name = columns.sheet if columns.sheet is not None else next(iter(sheets), "")
    if name not in sheets:
        raise CardgenError(
            f'there is no sheet "{name}"', Where(file), suggest(name, sheets, kind="sheet")
        )
    return _name_cells(_list_ods_rows(sheets[name]), file)


def _list_ods_rows(table: Any) -> Iterator[tuple[int, Sequence[Value]]]:
    line = 1
    for row in table.iter(f"{_TABLE}table-row"):
        cells: list[Value] = []
        for cell in row:
            if cell.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
                continue
            times = int(cell.get(f"{_TABLE}number-columns-repeated") or 1)
            cells += [_read_ods_cell(cell)] * min(times, _MOST_REPEATED)
        while cells and cells[-1] is None:
            cells.pop()
        times = int(row.get(f"{_TABLE}number-rows-repeated") or 1)
        for number in range(min(times, _MOST_REPEATED) if cells else 1):
            yield line + number, cells
        line += times


def _read_ods_cell(cell: Any) -> Value:
    kind = cell.get(f"{_OFFICE}value-type")
    if kind in ("float", "currency", "percentage"):
        number = float(cell.get(f"{_OFFICE}value"))
        return int(number) if number.is_integer() else number
    if kind == "date":
        return str(cell.get(f"{_OFFICE}date-value")).removesuffix("T00:00:00")
    if kind == "boolean":
        return bool(cell.get(f"{_OFFICE}boolean-value") == "true")
    lines = ["".join(part.itertext()) for part in cell.iter(f"{_TEXT}p")]
    return "\n".join(lines) or None


def _read_json(data: bytes, file: str, columns: Columns) -> Iterator[Record]:
    try:
        tree = json.loads(decode(data, file))
    except json.JSONDecodeError as error:
        raise CardgenError(
            f"this is no JSON: {error.msg}", Where(file, error.lineno, error.colno)
        ) from error
    except RecursionError:
        raise CardgenError("this JSON is nested too deeply", Where(file)) from None
    found = _find_cards(tree, columns.cards_at, file)
    for number, entry in enumerate(found, 1):
        values = _flatten(entry) if "contents" not in entry else _read_rpg_card(entry)
        yield Record(values, Place(file, number))


def _find_cards(tree: Any, cards_at: str | None, file: str) -> list[dict[str, Any]]:
    """The list of objects at a path, else the largest one that there is."""
    if cards_at is not None:
        for step in filter(None, cards_at.split(".")):
            try:
                tree = tree[int(step)] if isinstance(tree, list) else tree[step]
            except (KeyError, IndexError, ValueError, TypeError):
                known = [str(key) for key in tree] if isinstance(tree, dict) else []
                raise CardgenError(
                    f'--cards-at {cards_at}: there is no "{step}"',
                    Where(file),
                    suggest(step, known, kind="key"),
                ) from None
        found = _as_cards(tree)
    else:
        found = max(_list_lists(tree, 0), key=len, default=[])
    if not found:
        raise CardgenError(
            "there is no list of cards in this JSON",
            Where(file),
            "say where: --cards-at data.cards",
        )
    return found


def _as_cards(tree: Any) -> list[dict[str, Any]]:
    if isinstance(tree, list):
        return [entry for entry in tree if isinstance(entry, dict)]
    if isinstance(tree, dict) and tree and all(isinstance(v, dict) for v in tree.values()):
        return [{"name": key, **value} for key, value in tree.items()]
    return []


def _list_lists(tree: Any, depth: int) -> Iterator[list[dict[str, Any]]]:
    cards = _as_cards(tree)
    if cards:
        yield cards
    if depth < 6 and isinstance(tree, dict):
        for value in tree.values():
            yield from _list_lists(value, depth + 1)


def _flatten(entry: dict[str, Any], above: str = "") -> dict[str, Value]:
    """Nested objects by path, as `stats.cost`; lists of texts stay lists."""
    values: dict[str, Value] = {}
    for key, value in entry.items():
        path = f"{above}{key}"
        if isinstance(value, dict):
            values |= _flatten(value, f"{path}.")
        elif isinstance(value, list) and any(isinstance(part, dict | list) for part in value):
            values[path] = json.dumps(value, ensure_ascii=False)
        else:
            values[path] = value
    return values


def _read_rpg_card(entry: dict[str, Any]) -> dict[str, Value]:
    """A card of rpg-cards: its contents are lines as "property | Range | 60 feet"."""
    values: dict[str, Value] = {}
    lines: list[Value] = []
    for line in entry["contents"] if isinstance(entry["contents"], list) else [entry["contents"]]:
        kind, *parts = (part.strip() for part in str(line).split("|"))
        if kind == "subtitle" and parts:
            values["kind"] = parts[0]
        elif kind in ("property", "description", "dndstats") and len(parts) > 1:
            lines.append(f"**{parts[0]}** {' '.join(parts[1:])}")
        elif kind in ("section", "subsection") and parts:
            lines.append(f"**{parts[0]}**")
        elif kind == "bullet" and parts:
            lines.append(f"• {parts[0]}")
        elif kind in ("text", "fill", "center", "right", "justify"):
            lines += [part for part in parts if part and kind != "fill"]
        elif not parts and kind not in ("rule", "ruler", "boxes", "vspace", "picture", "icon"):
            lines.append(kind)
    rest = {key: value for key, value in entry.items() if key != "contents"}
    rest.pop("tags", None)
    return {**_flatten(rest), **values, "text": lines}


_READERS: dict[str, Callable[[bytes, str, Columns], Iterator[Record]]] = {
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".tab": _read_csv,
    ".xlsx": _read_xlsx,
    ".ods": _read_ods,
    ".json": _read_json,
}
TABLE_SUFFIXES = tuple(_READERS)
