"""A file becomes blocks: chooses the reader by what the file is, and decodes its text.

Knows nothing of cards.
"""

from __future__ import annotations

import codecs
from pathlib import Path

from cardgen.deck.source import read_bytes
from cardgen.errors import CardgenError, Where
from cardgen.importing.blocks import Block
from cardgen.importing.sheet_columns import cut_columns
from cardgen.importing.text_reader import number_lines, read_numbered_lines, read_text_blocks

TEXT_SUFFIXES = (".txt", ".md", ".markdown", ".text", ".asc")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = frozenset(range(32)) - set(b"\t\n\r\f\v\x1a\x1b")
MAX_TEXT = 20_000_000


def read_blocks(path: Path, *, columns: bool = False) -> list[Block]:
    """The blocks of a file; `columns` takes columns apart that a text shows side by side."""
    data = read_bytes(path)
    suffix = path.suffix.lower()
    if suffix == ".docx":
        from cardgen.importing.word_reader import read_word_blocks

        return read_word_blocks(data, str(path))
    if suffix == ".pdf" or data.startswith(b"%PDF-"):
        from cardgen.importing.pdf_reader import read_pdf_blocks

        return read_pdf_blocks(data, str(path), lists=columns)
    text = decode(data, str(path))
    if columns:
        return read_numbered_lines(cut_columns(number_lines(text)), str(path))
    return read_text_blocks(text, str(path))


def decode(data: bytes, file: str) -> str:
    """The text of a file in UTF-8, UTF-16 or UTF-32, else in the old code page of the west."""
    if len(data) > MAX_TEXT:
        raise CardgenError(
            f"this text is {len(data):,} bytes long; allowed are {MAX_TEXT:,}",
            Where(file),
            "split it into several files",
        )
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if encoding is None and b"\0" in data:
        encoding = _guess_wide(data)
        if encoding is None:
            raise _refuse(file)
    try:
        text = data.decode(encoding or "utf-8")
    except UnicodeDecodeError:
        if encoding is not None:
            raise _refuse(file) from None
        # Five codes of this page stand for nothing.
        text = data.decode("cp1252", errors="replace")
    strange = sum(1 for sign in text if ord(sign) in _CONTROLS or sign == "\ufffd")
    if strange * 100 > len(text):
        raise _refuse(file)
    return "".join(sign for sign in text if ord(sign) not in _CONTROLS)


def _guess_wide(data: bytes) -> str | None:
    """UTF-16 without a mark has a zero beside nearly every letter."""
    sample = data[:2000]
    for start, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if sample[start::2].count(0) * 4 > len(sample):
            return name
    return None


def _refuse(file: str) -> CardgenError:
    return CardgenError(
        "this is no text that can be read",
        Where(file),
        "import a text (.txt, .md), a Word document (.docx), a PDF with text in it, or a table",
    )
