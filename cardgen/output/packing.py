"""Small objects of a PDF file packed into streams.

What is alike, as the elements of what is read aloud, lies in rows of one length: each row is kept
as what differs from the one above, which is next to nothing. Knows nothing of files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import deflate

FLATE = b"/Filter/FlateDecode"
# How hard content is compressed: in a third of the time of zlib's quickest level, to a little less;
# and small objects, which are much alike, harder.
_QUICK, _HARD = 1, 6
# What comes in parts, by zlib: half the time of the usual level for a sixth more bytes.
COMPRESSION = 2
_UP = 2  # says of a row that it is kept as the difference from the one above
_HIGH = b"\x80"


def compress(content: bytes, level: int = _QUICK) -> bytes:
    return bytes(deflate.zlib_compress(content, level))


class Packed(NamedTuple):
    """A stream of objects: its entries, its compressed content, and the number of each object."""

    entries: bytes
    data: bytes
    numbers: tuple[int, ...]


class Pack:
    """Gathers objects that will share a stream.

    columns: the length of the rows in which they lie; 0 for objects that are not alike
    """

    def __init__(self, columns: int = 0) -> None:
        self._columns = columns
        self._numbers: list[int] = []
        self._contents: list[bytes] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, number: int, content: bytes) -> None:
        self._numbers.append(number)
        self._contents.append(fill_rows(content, self._columns))

    def take(self) -> Packed:
        """Return the stream of all that was gathered, which is forgotten."""
        index = b"".join(self._format_index())
        body = b"".join(self._contents)
        columns = self._columns
        entries = b"/Type/ObjStm/N %d/First %d%b" % (len(self), len(index), FLATE)
        content = index + body
        if columns:
            entries += format_rows(columns)
            content = step_rows(content, columns)
        packed = Packed(entries, compress(content, _HARD), tuple(self._numbers))
        self._numbers.clear()
        self._contents.clear()
        return packed

    def _format_index(self) -> Iterator[bytes]:
        """Yield the number of each object and where it lies."""
        at = 0
        for number, content in zip(self._numbers, self._contents, strict=True):
            place = b"%7d%8d" % (number, at) if self._columns else b"%d %d" % (number, at)
            yield fill_rows(place, self._columns)
            at += len(content)


def fill_rows(content: bytes, columns: int) -> bytes:
    """Return content that ends with a space or more, where a row of so many columns ends."""
    if not columns:
        return content + b" "
    return content.ljust(len(content) // columns * columns + columns)


def format_rows(columns: int) -> bytes:
    """Return the entry of a stream that is kept in rows of so many bytes."""
    return b"/DecodeParms<</Predictor 12/Columns %d>>" % columns


def step_rows(rows: bytes, columns: int, before: bytes = b"") -> bytes:
    """Return each row as its difference from the one above, byte by byte.

    before: the row above the first
    """
    above = (before or bytes(columns)) + rows[:-columns]
    high = int.from_bytes(_HIGH * len(rows), "big")
    one, other = int.from_bytes(rows, "big"), int.from_bytes(above, "big")
    # All bytes at once: the highest bit of each is set, so that none borrows from its neighbour.
    steps = (((one | high) - (other & ~high)) ^ ((one ^ ~other) & high)).to_bytes(len(rows), "big")
    stepped = bytearray([_UP]) * (len(rows) // columns * (columns + 1))
    for column in range(columns):
        stepped[column + 1 :: columns + 1] = steps[column::columns]
    return bytes(stepped)
