"""Reads a Word document (.docx) as blocks: a paragraph, or a line of one, and the rows of tables.

Read by what the format says, not by what Word shows: styles are followed for bold, headings and
sizes. Knows nothing of cards.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

from lxml import etree

from cardgen.core.errors import CardgenError, Where
from cardgen.importing.model import BOLD, ITALIC, LIGATURES, Block, Kind, Place, Styled

MAX_PART = 50_000_000
MAX_TAGS = 1_000_000
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(r"(?:heading|titre|überschrift)\s*(\d)|(title)", re.IGNORECASE)
_OFF = ("0", "false", "off", "none")


class _Look(NamedTuple):
    """The faces and the size of a run or a style; None where it says nothing."""

    bold: bool | None = None
    italic: bool | None = None
    size: float | None = None
    capitals: bool | None = None

    def over(self, below: _Look) -> _Look:
        return _Look(
            below.bold if self.bold is None else self.bold,
            below.italic if self.italic is None else self.italic,
            below.size if self.size is None else self.size,
            below.capitals if self.capitals is None else self.capitals,
        )


class _Style(NamedTuple):
    look: _Look
    name: str
    base: str | None
    level: int


def read_word_blocks(data: bytes, file: str) -> list[Block]:
    parts = _open_parts(data, file)
    styles = _read_styles(parts.get("word/styles.xml"))
    body = parts["word/document.xml"].find(f"{_W}body")
    reader = _Reader(file, styles)
    if body is not None:
        reader.read(body)
    if not any(block.text.strip() for block in reader.blocks):
        raise CardgenError("import/no-text", "this document holds no text", Where(file))
    return reader.blocks


def _open_parts(data: bytes, file: str) -> dict[str, Any]:
    """Return the parts that are read, as trees; nothing else of the archive is unpacked."""
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
            if "word/document.xml" not in names:
                raise CardgenError(
                    "import/unreadable",
                    "this is no Word document",
                    Where(file),
                    "save it as .docx, without a password",
                )
            wanted = [n for n in ("word/document.xml", "word/styles.xml") if n in names]
            return {name: _parse(_unpack(archive, name, file)) for name in wanted}
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, etree.XMLSyntaxError) as error:
        raise CardgenError(
            "import/unreadable",
            "this is no Word document that can be read",
            Where(file),
            "save it as .docx, without a password",
        ) from error


def _unpack(archive: ZipFile, name: str, file: str) -> bytes:
    """Return a part, but no more of it than is allowed: what it claims of its size may be wrong."""
    try:
        with archive.open(name) as part:
            content = part.read(MAX_PART + 1)
    except zlib.error as error:
        raise BadZipFile(str(error)) from error
    if len(content) > MAX_PART:
        raise CardgenError(
            "import/too-long",
            f"{name} in this document is longer than {MAX_PART:,} bytes when unpacked",
            Where(file),
            "no text is as long as that; is this file what it seems?",
        )
    if content.count(b"<") > MAX_TAGS:
        raise CardgenError(
            "import/too-long",
            f"{name} in this document has more than {MAX_TAGS:,} tags",
            Where(file),
            "import the pages with the cards alone",
        )
    return content


def _parse(content: bytes) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return etree.fromstring(content, parser)


def _read_styles(tree: Any) -> dict[str, _Style]:
    styles: dict[str, _Style] = {}
    if tree is None:
        return styles
    for style in tree.iter(f"{_W}style"):
        key = style.get(f"{_W}styleId") or ""
        name = _value(style, "name") or key
        match = _HEADING.match(name) or _HEADING.match(key)
        level = int(match[1] or 1) if match else 0
        styles[key] = _Style(
            _read_look(style.find(f"{_W}rPr")), name, _value(style, "basedOn"), level
        )
    return styles


def _value(element: Any, name: str) -> str | None:
    found = element.find(f"{_W}{name}") if element is not None else None
    return found.get(f"{_W}val") if found is not None else None


def _read_look(properties: Any) -> _Look:
    if properties is None:
        return _Look()

    def flag(name: str) -> bool | None:
        found = properties.find(f"{_W}{name}")
        return None if found is None else found.get(f"{_W}val", "1") not in _OFF

    size = _value(properties, "sz")
    half = float(size) if size and size.isdecimal() else 0.0
    return _Look(flag("b"), flag("i"), half / 2 or None, flag("caps"))


class _Reader:
    def __init__(self, file: str, styles: dict[str, _Style]) -> None:
        self.blocks: list[Block] = []
        self._file = file
        self._styles = styles
        self._number = 0
        self._gap = 1

    def read(self, body: Any) -> None:
        for element in body:
            if element.tag == f"{_W}p":
                self._add_paragraph(element)
            elif element.tag == f"{_W}tbl":
                self._add_table(element)
            elif element.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins"):
                self.read(element)

    def _add_paragraph(self, paragraph: Any) -> None:
        self._number += 1
        place = Place(self._file, self._number)
        properties = paragraph.find(f"{_W}pPr")
        style = self._styles.get(_value(properties, "pStyle") or "")
        level = style.level if style else 0
        outline = _value(properties, "outlineLvl")
        if not level and outline and outline.isdecimal() and len(outline) < 10 and int(outline) < 9:
            level = int(outline) + 1
        listed = properties is not None and properties.find(f"{_W}numPr") is not None
        kind: Kind = "heading" if level else "item" if listed else "line"
        lines, size = self._read_lines(paragraph, self._find_look(_value(properties, "pStyle")))
        if not any(line.text.strip() for line in lines):
            self._gap += 1
            return
        for line in lines:
            text = line.strip()
            if not text.text:
                self._gap = max(self._gap, 1)
                continue
            cells = _part_cells(text)
            self.blocks.append(
                Block(text, place, "row" if cells else kind, level, self._gap, 0, size, cells)
            )
            self._gap = 0
        self._gap = 1

    def _find_look(self, style: str | None) -> _Look:
        look, seen = _Look(), set[str]()
        while style in self._styles and style not in seen:
            seen.add(style)
            look = look.over(self._styles[style].look)
            style = self._styles[style].base
        return look

    def _read_lines(self, paragraph: Any, below: _Look) -> tuple[list[Styled], float]:
        lines = [Styled.of("")]
        sizes: list[float] = []
        for run in paragraph.iter(f"{_W}r"):
            properties = run.find(f"{_W}rPr")
            own = _read_look(properties).over(self._find_look(_value(properties, "rStyle")))
            look = own.over(below)
            face = (BOLD if look.bold else 0) | (ITALIC if look.italic else 0)
            for part in _read_run(run):
                if part == "\n":
                    lines.append(Styled.of(""))
                    continue
                text = part.upper() if look.capitals else part
                lines[-1] = lines[-1].join(Styled.of(text, face))
                sizes += [look.size or 0.0] * bool(part.strip())
        return lines, max(sizes, default=0.0)

    def _add_table(self, table: Any) -> None:
        for row in table.iter(f"{_W}tr"):
            self._number += 1
            cells = []
            for cell in row.findall(f"{_W}tc"):
                lines = [
                    line
                    for paragraph in cell.iter(f"{_W}p")
                    for line in self._read_lines(paragraph, _Look())[0]
                    if line.text.strip()
                ]
                content = Styled.of("")
                for line in lines:
                    content = content.join(line.strip(), " " if content.text else "")
                cells.append(content)
            text = Styled.of(" | ".join(cell.text for cell in cells))
            if any(cell.text for cell in cells):
                place = Place(self._file, self._number)
                self.blocks.append(Block(text, place, "row", gap=self._gap, cells=tuple(cells)))
                self._gap = 0
        self._gap = 1


def _read_run(run: Any) -> Iterator[str]:
    for element in run:
        if element.tag == f"{_W}t":
            yield (element.text or "").translate(LIGATURES)
        elif element.tag == f"{_W}tab":
            yield "\t"
        elif element.tag in (f"{_W}br", f"{_W}cr"):
            yield "\n"
        elif element.tag == f"{_W}noBreakHyphen":
            yield "-"


def _part_cells(text: Styled) -> tuple[Styled, ...]:
    if "\t" not in text.text:
        return ()
    cells, start = [], 0
    for match in re.finditer(r"\t+|$", text.text):
        cells.append(text.cut(start, match.start()).strip())
        start = match.end()
    return tuple(cells)
