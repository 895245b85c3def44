"""Reads a file as bytes or as text; what cannot be read is an error that says why.

Knows nothing of what a file holds.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from cardgen.core.deck_files import find_neighbour
from cardgen.core.errors import CardgenError, Where

MAX_FILE = 100_000_000

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
# Latin letters of two bytes each, without the mark that says so.
_BARE_UTF16 = re.compile(rb"(?:[^\0]\0){2}|(?:\0[^\0]){2}")
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r"))
_SLICE = 1 << 20
_LATE_CONTROL = re.compile(rb"\xc2[\x80-\x9f]")


class Source(NamedTuple):
    """A text, and whether it holds control characters: one search here saves one in each cell."""

    text: str
    has_controls: bool


def read_bytes(path: Path, where: Where | None = None, most: int | None = None) -> bytes:
    """Return the whole of a file of at most so many bytes; `where` is the place that names it, if a
    file does.
    """
    most = MAX_FILE if most is None else min(most, MAX_FILE)
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise CardgenError(
                "file/folder", f'"{path}" is a folder, not a deck', where, "name a file inside it"
            )
        if not path.is_file():
            raise CardgenError("file/not-ordinary", f'"{path}" is not an ordinary file', where)
        if size > most:
            raise CardgenError(
                "file/too-large",
                f'"{path}" is {size:,} bytes long; allowed are {most:,}',
                where,
                "make it smaller; a deck may be several files",
                details={"bytes": size, "allowed": most},
            )
        return path.read_bytes()
    except FileNotFoundError:
        hint = find_neighbour(path)
        raise CardgenError("file/missing", f'there is no file "{path}"', where, hint) from None
    except OSError as error:
        raise CardgenError(
            "file/unreadable", f'"{path}" cannot be read: {error.strerror}', where
        ) from error


def read_text(path: Path, where: Where | None = None, most: int | None = None) -> Source:
    """Return the text of a UTF-8 file; every line ends in a single \\n."""
    data = read_bytes(path, where, most)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return Source(decode_text(data, str(path)), _has_controls(data))


def _has_controls(data: bytes) -> bool:
    """Whether UTF-8 bytes hold control characters; a large text is not copied as a whole."""
    slices = (data[start : start + _SLICE] for start in range(0, len(data), _SLICE))
    early = any(len(part.translate(None, _CONTROLS)) < len(part) for part in slices)
    return early or _LATE_CONTROL.search(data) is not None


def _name_cure(file: str) -> str:
    """Return how a file becomes UTF-8; spreadsheets call it by a name of their own."""
    if file.lower().endswith((".csv", ".tsv")):
        return 'save the file as UTF-8; Excel calls that "CSV UTF-8"'
    return "save the file as UTF-8"


def decode_text(data: bytes, file: str) -> str:
    """Return UTF-8 bytes as text, without the byte order mark; the error names the line."""
    try:
        if _BARE_UTF16.match(data):
            raise UnicodeDecodeError("utf-8", data, 0, 1, "UTF-16")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{error.object[error.start]:02X}"
        if data.startswith(_UTF16) or _BARE_UTF16.match(data):
            line, found = 1, "it is UTF-32" if data[2:4] == b"\0\0" else "it is UTF-16"
        raise CardgenError(
            "file/not-utf8",
            f"this is not UTF-8 text: {found}",
            Where(file, line),
            _name_cure(file),
        ) from error
