"""A path becomes bytes or text, or an error that says why not. Knows nothing of formats."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Where
from cardgen.core.library import find_neighbour
from cardgen.core.text import decode_text

MAX_FILE = 100_000_000


_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r"))
_LATE_CONTROL = re.compile(rb"\xc2[\x80-\x9f]")


class Source(NamedTuple):
    """A text, and whether it holds control characters: to look once is faster than in each cell."""

    text: str
    has_controls: bool


def read_bytes(path: Path, where: Where | None = None) -> bytes:
    """The whole of a file; `where` is the place that names it, if a file does."""
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise CardgenError(
                "deck/todo", f'"{path}" is a folder, not a deck', where, "name a file inside it"
            )
        if not path.is_file():
            raise CardgenError("deck/todo", f'"{path}" is not an ordinary file', where)
        if size > MAX_FILE:
            raise CardgenError(
                "deck/todo",
                f'"{path}" is {size:,} bytes long; allowed are {MAX_FILE:,}',
                where,
                "split the deck into several files",
            )
        return path.read_bytes()
    except FileNotFoundError:
        hint = find_neighbour(path)
        raise CardgenError("deck/todo", f'there is no file "{path}"', where, hint) from None
    except OSError as error:
        raise CardgenError(
            "deck/todo", f'"{path}" cannot be read: {error.strerror}', where
        ) from error


def read_text(path: Path, where: Where | None = None) -> Source:
    """A UTF-8 file, with or without a byte order mark; every line ends in a single \\n."""
    data = read_bytes(path, where)
    text = decode_text(data, str(path))
    if "\r" in text:
        # Twice as fast as replacing, in a large file.
        text = "\n".join(text.split("\r\n")).replace("\r", "\n")
    has_controls = len(data.translate(None, _CONTROLS)) < len(data) or _LATE_CONTROL.search(data)
    return Source(text, bool(has_controls))
