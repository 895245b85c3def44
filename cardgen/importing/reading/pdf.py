"""Reads the text of a PDF as blocks: its lines in reading order, column by column.

pdfium gives letters with their places; reading/page.py makes lines of them. Knows nothing of cards.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from ctypes import byref, c_int, create_string_buffer
from itertools import pairwise
from statistics import median
from typing import Any

from cardgen.core.errors import CardgenError, Where
from cardgen.core.workers import LimitError, work_within
from cardgen.importing.model import BOLD, ITALIC, LIGATURES, Block, Kind, Place, Styled
from cardgen.importing.reading.page import Letter, Line, find_lines

MAX_PAGES = 1_000
MAX_LETTERS = 3_000_000
MAX_MEMORY = 300_000_000
MAX_SECONDS = 60
_BOLD_WEIGHT = 600
_HYPHEN = 2  # the code that pdfium has for one at the end of a line
_BOLD = re.compile(r"bold|black|heavy|demi|(?<!extra)semibold", re.IGNORECASE)
_ITALIC = re.compile(r"ital|obli|slant", re.IGNORECASE)
_ITALIC_FLAG = 1 << 6
_ITEM = re.compile(r"(?:[•●▪◦‣·■□\uf0b7*]|[-–](?=\s))\s*(?=\S)")
_WORD_GAP = 0.22
_CELL_GAP = 2.2
_LIST_GAP = 0.45
_INDENT = 4  # points to the letter
_NEW_PARAGRAPH = 1.45


def read_pdf_blocks(data: bytes, file: str, *, lists: bool = False) -> list[Block]:
    """Return the lines of all pages. pdfium unpacks whatever it is given, so it is given limits."""
    try:
        return work_within(lambda _: _read_blocks(data, file, lists=lists), MAX_MEMORY, MAX_SECONDS)
    except LimitError:
        raise CardgenError(
            "import/too-long",
            f"to read this PDF takes more than {MAX_MEMORY:,} bytes or {MAX_SECONDS} seconds",
            Where(file),
            "is it what it seems? then import the pages with the cards alone",
        ) from None


def _read_blocks(data: bytes, file: str, *, lists: bool) -> list[Block]:
    from pypdfium2 import PdfDocument, PdfiumError
    from pypdfium2.raw import FPDF_ERR_PASSWORD

    try:
        document = PdfDocument(data)
    except PdfiumError as error:
        if error.err_code == FPDF_ERR_PASSWORD:
            raise CardgenError(
                "import/encrypted",
                "this PDF is encrypted",
                Where(file),
                "save a copy of it without a password",
            ) from error
        raise _make_unreadable(file) from error
    try:
        if len(document) > MAX_PAGES:
            raise CardgenError(
                "import/too-long",
                f"this PDF has {len(document):,} pages; allowed are {MAX_PAGES:,}",
                Where(file),
                "import the pages with the cards alone",
            )
        blocks: list[Block] = []
        gap = _LIST_GAP if lists else _CELL_GAP
        total = 0
        for number, page in enumerate(document, 1):
            letters = _read_letters(page)
            total += len(letters)
            if total > MAX_LETTERS:
                raise CardgenError(
                    "import/too-long",
                    f"this PDF has more than {MAX_LETTERS:,} letters",
                    Where(file),
                )
            if blocks:
                blocks.append(Block(Styled.of(""), Place(file, 1, number), "page"))
            lines = find_lines(letters, page.get_height(), lists=lists)
            blocks += _make_blocks(lines, file, number, gap)
            page.close()
    except PdfiumError as error:  # as of a page that is not there
        raise _make_unreadable(file) from error
    finally:
        document.close()
    if not total:
        raise CardgenError(
            "import/no-text",
            "this PDF holds pictures of text, and no text",
            Where(file),
            "run a text recogniser over it first, such as OCRmyPDF",
        )
    return blocks


def _make_unreadable(file: str) -> CardgenError:
    return CardgenError(
        "import/unreadable",
        "this is no PDF that can be read",
        Where(file),
        "if a viewer opens it, print it to a new PDF there",
    )


def make_sign(code: int) -> str:
    """Return the letters of a code, which pdfium may take from a file that names none by it;
    nothing of a sign that nobody sees.
    """
    if code == _HYPHEN:
        return "-"
    if 0xD800 <= code < 0xE000 or code > sys.maxunicode:
        return "\ufffd"
    return chr(code).translate(LIGATURES) if code > 127 else chr(code)


def _read_letters(page: Any) -> list[Letter]:
    from pypdfium2 import raw as pdfium

    text = page.get_textpage()
    raw = text.raw
    name, flags, box = create_string_buffer(256), c_int(), pdfium.FS_RECTF()
    letters: list[Letter] = []
    spaced = False
    faces: dict[tuple[bytes, int, int], int] = {}
    shown: bytes | None = None  # the piece of text that a letter is of: all of it has one font
    face = 0
    for index in range(text.count_chars()):
        code = pdfium.FPDFText_GetUnicode(raw, index)
        sign = make_sign(code)
        if not sign:
            continue
        if sign.isspace() or ord(sign[0]) < 32:
            spaced = True
            continue
        if not pdfium.FPDFText_GetLooseCharBox(raw, index, byref(box)) or box.right <= box.left:
            continue
        piece = bytes(pdfium.FPDFText_GetTextObject(raw, index))
        if piece != shown:
            shown = piece
            length = pdfium.FPDFText_GetFontInfo(raw, index, name, len(name), byref(flags))
            weight = pdfium.FPDFText_GetFontWeight(raw, index)
            key = (name.raw[: max(0, length - 1)], flags.value, weight)
            if key not in faces:
                faces[key] = _read_face(*key)
            face = faces[key]
        bottom, top = box.bottom, box.top
        letters.append(
            Letter(sign, box.left, bottom, box.right, top, top - bottom, face, bottom, spaced)
        )
        spaced = False
    text.close()
    return letters


def _read_face(name: bytes, flags: int, weight: int) -> int:
    font = name.decode("latin-1")
    bold = weight >= _BOLD_WEIGHT or bool(_BOLD.search(font))
    italic = bool(flags & _ITALIC_FLAG) or bool(_ITALIC.search(font))
    return (BOLD if bold else 0) | (ITALIC if italic else 0)


def _make_blocks(lines: Sequence[Line], file: str, page: int, cell_gap: float) -> list[Block]:
    blocks: list[Block] = []
    steps = [a.base - b.base for a, b in pairwise(lines) if a.base - b.base > 0]
    usual = median(steps) if steps else 0.0
    for number, line in enumerate(lines, 1):
        content = _set_line(line, cell_gap).strip()
        above = lines[number - 2] if number > 1 else None
        step = above.base - line.base if above else 0.0
        apart = (
            above is None
            or step < 0
            or step > _NEW_PARAGRAPH * max(_usual(lines, number, usual), line.size)
        )
        kind: Kind = "line"
        mark = ""
        item = _ITEM.match(content.text)
        if item and item.end() < len(content.text):
            kind, mark, content = "item", content.text[0], content.cut(item.end())
        # A column that ends in the middle of a sentence goes on in the next.
        gap = 1 if apart else 0
        place, size = Place(file, number, page), round(line.size, 1)
        indent = round(line.left / _INDENT) if cell_gap < _CELL_GAP else 0
        blocks.append(Block(content, place, kind, gap=gap, indent=indent, size=size, mark=mark))
    return blocks


def _usual(lines: Sequence[Line], number: int, default: float) -> float:
    """Return the step between lines of this size, where it can be told."""
    size = lines[number - 1].size
    steps = [
        a.base - b.base
        for a, b in pairwise(lines)
        if abs(a.size - size) < 0.5 and abs(b.size - size) < 0.5 and 0 < a.base - b.base < 3 * size
    ]
    return min(median(steps), 1.35 * size) if len(steps) > 3 else min(default, 1.35 * size)


def _set_line(line: Line, cell_gap: float) -> Styled:
    text, marks = "", ""
    before: Letter | None = None
    for letter in line.letters:
        if before is not None:
            space = letter.left - before.right
            if space > cell_gap * line.size:
                blanks = "    " if space > 2 * min(cell_gap, 1) * line.size else "   "
                text, marks = text + blanks, marks + "0" * len(blanks)
            elif letter.spaced or space > _WORD_GAP * line.size:
                same = before.face if before.face == letter.face else 0
                text, marks = text + " ", marks + str(same)
        text, marks = text + letter.text, marks + str(letter.face) * len(letter.text)
        before = letter
    return Styled(text, marks)
