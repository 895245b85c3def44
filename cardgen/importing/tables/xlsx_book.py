"""An XLSX workbook is opened: the part that holds a sheet, and what all its sheets share.

Bold and italic in a text are marked as Markdown does it. Knows nothing of cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from zipfile import ZipFile

from cardgen.errors import CardgenError, Where, suggest
from cardgen.importing.reading.archives import (
    forget,
    get_name,
    make_parser,
    parse_part,
    stream_part,
)

_CODE = re.compile(r"_x([0-9A-F]{4})_")
_DATE = re.compile(r"[dmyhs]", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|[_*].')
_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
_PERCENTS = {9, 10}
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"


class Book(NamedTuple):
    texts: list[str]
    formats: list[str]  # "date", "percent" or "" for each cell style
    since_1904: bool


def open_book(archive: ZipFile, file: str, wanted: str | None) -> tuple[Book, str]:
    """What all sheets share, and the part that holds the wanted one."""
    names = set(archive.namelist())
    workbook = parse_part(archive, "xl/workbook.xml", file)
    targets = {
        relation.get("Id"): (relation.get("Target"), relation.get("Type") or "")
        for relation in parse_part(archive, "xl/_rels/workbook.xml.rels", file)
    }
    sheets: dict[str, str] = {}
    shown = None
    for sheet in workbook.iterfind(".//{*}sheets/{*}sheet"):
        target, kind = targets.get(sheet.get(_RELATION) or sheet.get(_STRICT), ("", ""))
        if not target or not kind.endswith("/worksheet"):
            continue
        name = sheet.get("name") or ""
        sheets[name] = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        if sheet.get("state", "visible") == "visible":
            shown = shown or name
    part = sheets[_choose_sheet(wanted, sheets, shown, file)]
    texts = "xl/sharedStrings.xml"
    properties = workbook.find("{*}workbookPr")
    since_1904 = properties is not None and properties.get("date1904") in ("1", "true")
    book = Book(
        list(_read_texts(archive, texts, file)) if texts in names else [],
        _read_formats(archive, file) if "xl/styles.xml" in names else [],
        since_1904,
    )
    return book, part


def _choose_sheet(wanted: str | None, sheets: dict[str, str], shown: str | None, file: str) -> str:
    """The sheet that is asked for, else the first that is not hidden."""
    name = wanted if wanted is not None else shown or next(iter(sheets), "")
    same = [known for known in sheets if known.casefold() == name.casefold()]
    if name not in sheets and len(same) != 1:
        raise CardgenError(
            f'there is no sheet "{name}"', Where(file), suggest(name, sheets, kind="sheet")
        )
    return name if name in sheets else same[0]


def _read_texts(archive: ZipFile, name: str, file: str) -> Iterator[str]:
    parser = make_parser(["{*}si"])
    for content in stream_part(archive, name, file):
        parser.feed(content)
        for _, element in parser.read_events():
            yield read_rich(element)
            forget(element)


def read_rich(element: Any) -> str:
    """A text that may be set in several faces; how it is spoken is left out."""
    parts = []
    for run in element:
        kind = get_name(run)
        if kind == "t":
            parts.append(run.text or "")
        elif kind == "r":
            text = "".join(part.text or "" for part in run.iterfind("{*}t"))
            marks = "".join(
                mark
                for face, mark in (("b", "**"), ("i", "*"))
                if (found := run.find(f"{{*}}rPr/{{*}}{face}")) is not None
                and found.get("val", "1") not in ("0", "false")
            )
            parts.append(_mark(text, marks))
    return unescape("".join(parts))


def unescape(text: str) -> str:
    """A text in which a workbook writes signs that XML has not by their codes."""
    return _CODE.sub(lambda match: chr(int(match[1], 16)), text)


def _mark(text: str, marks: str) -> str:
    bare = text.strip()
    if not bare or not marks or "\n" in bare:
        return text
    start = text.index(bare)
    return f"{text[:start]}{marks}{bare}{marks[::-1]}{text[start + len(bare) :]}"


def _read_formats(archive: ZipFile, file: str) -> list[str]:
    tree = parse_part(archive, "xl/styles.xml", file)
    own = {
        int(entry.get("numFmtId") or 0): _QUOTED.sub("", entry.get("formatCode") or "")
        for entry in tree.iterfind(".//{*}numFmts/{*}numFmt")
    }
    found = []
    for style in tree.iterfind("{*}cellXfs/{*}xf"):
        number = int(style.get("numFmtId") or 0)
        code = own.get(number, "")
        is_date = bool(_DATE.search(code)) if number in own else number in _DATES
        is_percent = "%" in code or number in _PERCENTS
        found.append("date" if is_date else "percent" if is_percent else "")
    return found
