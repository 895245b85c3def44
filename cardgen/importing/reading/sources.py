"""Opens files and addresses as sources, and reads their texts as blocks.

Chooses the reader by the kind of the file, and decodes its text. Knows nothing of cards.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable
from email import message_from_bytes
from html import unescape
from pathlib import Path
from typing import NamedTuple

from cardgen.core.deck_files import list_file_names
from cardgen.core.errors import CardgenError, Where
from cardgen.core.names import find_near
from cardgen.core.reading import MAX_FILE
from cardgen.importing.model import Block
from cardgen.importing.reading.kinds import Kind, find_kind
from cardgen.importing.reading.markups import turn_markup
from cardgen.importing.reading.text import read_text_blocks
from cardgen.importing.reading.web import fetch, is_address

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = frozenset(range(32)) - set(b"\t\n\r\f\v\x1a\x1b")
_DROPPED = str.maketrans(dict.fromkeys(_CONTROLS))
_SIGNATURE = re.compile(r"\n-- ?\r?\n")
_TITLE = re.compile(r"<title\b[^<>]{0,200}>([^<]{1,200})</title>", re.IGNORECASE)
_BEGINNING = 40  # bytes, by which the place of a mail's text is told
MAX_TEXT = 20_000_000
# What a book of 400 pages has. To look for cards takes about a second for 5,000 lines.
MAX_LINES = 20_000
MAX_EMPTY_LINES = 200_000
MAX_LINE = 100_000
_EXTRACT = "import the pages with the cards alone"


class Source(NamedTuple):
    """The bytes of a file; messages call it `name`, and a server may name its `charset`."""

    name: str
    kind: Kind
    data: bytes
    charset: str | None = None


def read_source(file: str) -> Source:
    if is_address(file):
        got = fetch(file)
        return Source(got.shown, find_kind(got.data, got.name, got.shown), got.data, got.charset)
    data = _read_bytes(Path(file))
    return Source(file, find_kind(data, file, file), data)


def read_blocks(source: Source, *, lists: bool = False) -> list[Block]:
    """Return the lines of a text, as many as can be searched for cards in a few seconds.

    `lists` keeps the lists of a PDF together, which stand side by side on play sheets.
    """
    blocks = _read_blocks(source, lists=lists)
    lines = sum(1 for block in blocks if block.content.text)
    if lines > MAX_LINES:
        raise _refuse_long(f"this text has {lines:,} lines; allowed are {MAX_LINES:,}", source.name)
    return blocks


def find_page_title(source: Source) -> str:
    """Return what a web page calls itself."""
    found = _TITLE.search(decode(source)) if source.kind == "html" else None
    return " ".join(unescape(found[1]).split()) if found else ""


def _refuse_long(message: str, file: str, line: int | None = None) -> CardgenError:
    return CardgenError("import/too-long", message, Where(file, line), _EXTRACT)


def _read_blocks(source: Source, *, lists: bool) -> list[Block]:
    if source.kind == "word":
        from cardgen.importing.reading.word import read_word_blocks

        return read_word_blocks(source.data, source.name)
    if source.kind == "pdf":
        from cardgen.importing.reading.pdf import read_pdf_blocks

        return read_pdf_blocks(source.data, source.name, lists=lists)
    if source.kind == "mail":
        source = _open_mail(source)
    text = decode(source)
    if source.kind == "html":
        from cardgen.importing.reading.html import read_html_blocks

        blocks = read_html_blocks(text, source.name, MAX_LINES)
        for block in blocks:
            _check_length(block.text, source.name, block.place.line)
        return blocks
    _check_lines(text, source.name)
    return read_text_blocks(turn_markup(text, source.name), source.name)


def _open_mail(source: Source) -> Source:
    """Return what a mail says, each line at its own place where nothing packs it."""
    mail = message_from_bytes(source.data)
    body = None
    try:
        parts = {part.get_content_type(): part for part in reversed([*mail.walk()])}
        body = parts.get("text/plain") or parts.get("text/html")
        packed = body.get_payload(decode=True) if body and mail.keys() else None
    except RecursionError:  # parts within parts
        packed = None
    if body is None or not isinstance(packed, bytes):
        return source._replace(kind="text")
    opened = source._replace(data=packed, charset=body.get_content_charset())
    said = _SIGNATURE.split(decode(opened))[0]
    place = source.data.find(packed[:_BEGINNING])
    above = source.data[:place].count(b"\n") if place > 0 else len(mail.keys()) + 1
    kind: Kind = "html" if body.get_content_type() == "text/html" else "text"
    return Source(source.name, kind, ("\n" * above + said).encode("utf-8"))


def _check_lines(text: str, file: str) -> None:
    filled = 0
    for number, line in enumerate(text.splitlines(), 1):
        filled += bool(line.strip())
        _check_length(line, file, number)
        if filled > MAX_LINES or number > MAX_EMPTY_LINES:
            count = MAX_LINES if filled > MAX_LINES else MAX_EMPTY_LINES
            raise _refuse_long(f"this text has more than {count:,} lines", file, number)


def _check_length(line: str, file: str, number: int) -> None:
    if len(line) > MAX_LINE:
        said = f"this line is {len(line):,} letters long; allowed are {MAX_LINE:,}"
        raise _refuse_long(said, file, number)


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            endings = Counter(Path(name).suffix for name in list_file_names(path))
            often = [ending for ending, _ in endings.most_common() if ending]
            shown = f", as in {path / f'*{often[0]}'}" if often else ""
            raise CardgenError(
                "import/not-a-file", f'"{path}" is a folder', hint=f"name the files in it{shown}"
            )
        if path.exists() and not path.is_file():
            raise CardgenError(
                "import/not-a-file",
                f'"{path}" is not an ordinary file',
                hint="save what it gives, and import that",
            )
        size = path.stat().st_size
        if size > MAX_FILE:
            raise CardgenError(
                "import/too-long",
                f"this file is {size:,} bytes long; allowed are {MAX_FILE:,}",
                Where(str(path)),
                "split it into several files",
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise CardgenError(
            "import/no-such-file", f'there is no file "{path}"', hint=_find_neighbour(path)
        ) from None
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise CardgenError(
            "import/unreadable",
            f'"{path}" cannot be read: {said}',
            hint="copy it to a place of yours, and import that",
        ) from error


def _find_neighbour(path: Path) -> str:
    try:
        near = find_near(path.name, (beside.name for beside in path.parent.iterdir()))
    except OSError:
        near = []
    return f'did you mean "{path.with_name(near[0])}"?' if near else "look at its name and folder"


def decode(source: Source) -> str:
    """Return the text of a file in UTF-8, UTF-16 or UTF-32, else in the code page of the west."""
    data, file = source.data, source.name
    if len(data) > MAX_TEXT:
        raise CardgenError(
            "import/too-long",
            f"this text is {len(data):,} bytes long; allowed are {MAX_TEXT:,}",
            Where(file),
            "split it into several files",
        )
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if encoding is None and b"\0" in data:
        encoding = _guess_wide(data)
        if encoding is None:
            raise _refuse(file)
    text = _decode(data, (encoding,) if encoding else ("utf-8", _find_charset(source)))
    if text is None:
        if encoding is not None:
            raise _refuse(file)
        # Five codes of this page stand for nothing.
        text = data.decode("cp1252", errors="replace")
    text = text.removeprefix("\ufeff")
    bare = text.translate(_DROPPED)
    if (len(text) - len(bare) + text.count("\ufffd")) * 100 > len(text):
        raise _refuse(file)
    return bare


def _decode(data: bytes, encodings: Iterable[str]) -> str | None:
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return None


def _find_charset(source: Source) -> str:
    """Return the encoding that a server names, if it is known; Latin-1 is the code page."""
    try:
        found = codecs.lookup(source.charset or "cp1252")
    except LookupError:
        return "utf-8"
    # Python calls packing and quoting codecs too.
    is_text = getattr(found, "_is_text_encoding", True)
    return "utf-8" if found.name in ("iso8859-1", "cp1252") or not is_text else found.name


def _guess_wide(data: bytes) -> str | None:
    """Tell UTF-16 without a mark by the zero that stands beside nearly every letter."""
    sample = data[:2000]
    for start, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if sample[start::2].count(0) * 4 > len(sample):
            return name
    return None


def _refuse(file: str) -> CardgenError:
    return CardgenError(
        "import/unreadable",
        "this is no text that can be read",
        Where(file),
        "import a text (.txt, .md), a page (.html), a Word document (.docx), a PDF with text in "
        "it, or a table",
    )
