"""Tells the kind of a file by how its bytes begin, else by its name.

A kind that cannot be read is refused, with the kind to save it as. Knows nothing of cards.
"""

from __future__ import annotations

import io
import re
import zlib
from pathlib import PurePath
from typing import Literal
from zipfile import BadZipFile, ZipFile

from cardgen.core.errors import CardgenError, Where

Kind = Literal[
    "text",
    "mail",
    "word",
    "pdf",
    "html",
    "csv",
    "xlsx",
    "ods",
    "json",
    "yaml",
    "toml",
    "ini",
    "xml",
    "script",
    "python",
]
TREES: tuple[Kind, ...] = ("json", "yaml", "toml", "ini", "xml")  # of objects and lists
PROGRAMS: tuple[Kind, ...] = ("script", "python")  # in which objects and lists are written out
TABLES: tuple[Kind, ...] = ("csv", "xlsx", "ods", *TREES, *PROGRAMS)

_SUFFIXES: dict[str, Kind] = {
    "docx": "word",
    "docm": "word",
    "pdf": "pdf",
    "html": "html",
    "htm": "html",
    "xhtml": "html",
    "csv": "csv",
    "tsv": "csv",
    "tab": "csv",
    "xlsx": "xlsx",
    "xlsm": "xlsx",
    "ods": "ods",
    "json": "json",
    "jsonl": "json",
    "ndjson": "json",
    "yaml": "yaml",
    "yml": "yaml",
    "toml": "toml",
    "ini": "ini",
    "xml": "xml",
    "js": "script",
    "mjs": "script",
    "cjs": "script",
    "jsx": "script",
    "ts": "script",
    "tsx": "script",
    "py": "python",
    "txt": "text",
    "text": "text",
    "md": "text",
    "markdown": "text",
    "asc": "text",
    "eml": "mail",
}
_WORD, _SHEET = "save it as .docx", "save it as .xlsx or .csv"
_BOOK = "save it as .docx or .html, or print it to a PDF"
_PICTURE = "run a text recogniser over it, and save what it finds as .txt"
# What a file of that suffix is called, and what to do with it.
_REFUSED = {
    "rtf": ("a rich text (RTF)", _WORD),
    "doc": ("an old Word document (.doc)", _WORD),
    "odt": ("an OpenDocument text (.odt)", _WORD),
    "pages": ("a document of Pages", _WORD),
    "xls": ("an old workbook (.xls)", _SHEET),
    "numbers": ("a workbook of Numbers", _SHEET),
    "epub": ("an e-book (.epub)", _BOOK),
    "mobi": ("an e-book (.mobi)", _BOOK),
    "zip": ("an archive", "unpack it, and import what lies in it"),
    "png": ("a picture", _PICTURE),
    "jpg": ("a picture", _PICTURE),
    "jpeg": ("a picture", _PICTURE),
    "gif": ("a picture", _PICTURE),
    "webp": ("a picture", _PICTURE),
    "tif": ("a picture", _PICTURE),
    "tiff": ("a picture", _PICTURE),
    "bmp": ("a picture", _PICTURE),
}
_BEGINNINGS = (
    (b"{\\rtf", "rtf"),
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF8", "gif"),
    (b"II*\0", "tif"),
    (b"MM\0*", "tif"),
    (b"#separator:", "csv"),  # Anki calls such a table .txt
)
_HEADING = re.compile(rb"^#{1,6} \S", re.MULTILINE)
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
# The part of an archive that only this kind has.
_PARTS: dict[str, Kind] = {"word/document.xml": "word", "xl/workbook.xml": "xlsx"}
_OPEN_DOCUMENTS = {
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/epub+zip": "epub",
}


def find_kind(data: bytes, name: str, file: str) -> Kind:
    """Return the kind of a file that is called `name`; messages call it `file`."""
    suffix = PurePath(name).suffix.lower().removeprefix(".")
    found = _look(data) or suffix
    if found == "html" and _SUFFIXES.get(suffix) == "text" and _HEADING.search(data):
        found = suffix  # the source of a page, in Markdown below a head of HTML
    if data.startswith(_OLD_OFFICE) and found not in _REFUSED:
        raise CardgenError(
            "import/unknown-kind",
            "this is an old file of Word or Excel, or an encrypted one",
            Where(file),
            "save it as .docx or .xlsx, without a password",
        )
    if found in _SUFFIXES:
        return _SUFFIXES[found]
    if found in _REFUSED:
        what, cure = _REFUSED[found]
        raise CardgenError(
            "import/unknown-kind", f"this is {what}, which cannot be read", Where(file), cure
        )
    return "json" if not suffix and data.lstrip()[:1] in (b"[", b"{") else "text"


def is_known(suffix: str) -> bool:
    """Tell whether a suffix, without its dot, is that of a kind of file."""
    return suffix in _SUFFIXES or suffix in _REFUSED


def is_page(data: bytes) -> bool:
    """Tell whether these bytes are HTML, whatever they are called."""
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return head.startswith((b"<!doctype html", b"<html"))


def _look(data: bytes) -> str | None:
    """Return the suffix that a file's beginning asks for, if it tells."""
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"%PDF-"):
        return "pdf"
    if is_page(data):
        return "html"
    if data.startswith(b"PK\x03\x04"):
        return _look_into(data)
    return next((suffix for mark, suffix in _BEGINNINGS if data.startswith(mark)), None)


def _look_into(data: bytes) -> str | None:
    """Return the suffix of an archive by its parts; None for one that is damaged."""
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
            declared = b""
            if "mimetype" in names:
                with archive.open("mimetype") as part:
                    declared = part.read(100)
    except (
        BadZipFile,
        NotImplementedError,
        RuntimeError,
        EOFError,
        OSError,
        ValueError,
        zlib.error,
    ):
        return None
    own = _OPEN_DOCUMENTS.get(declared.decode("latin-1").strip())
    for part_name, kind in _PARTS.items():
        if part_name in names:
            own = own or {"word": "docx"}.get(kind, kind)
    return own
