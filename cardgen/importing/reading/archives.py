"""The parts of an archive of XML become bytes and trees, no longer than they are allowed to be.

Knows nothing of what a workbook or a document is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal
from zipfile import BadZipFile, ZipFile

from lxml import etree

from cardgen.errors import CardgenError, Where

Event = Literal["start", "end"]
MAX_UNPACKED = 20_000_000
_BIT = 1 << 16
# All that zipfile, zlib and lxml raise over an archive that is damaged or encrypted.
FAULTS = (
    *(BadZipFile, KeyError, RuntimeError, NotImplementedError, EOFError, OSError),
    *(etree.XMLSyntaxError, ValueError, TypeError, IndexError, OverflowError),
)


def stream_part(
    archive: ZipFile, name: str, file: str, most: int = MAX_UNPACKED
) -> Iterator[bytes]:
    """A part bit by bit, no more of it than is allowed: what it says of its size may be wrong."""
    total = archive.getinfo(name).file_size if most == MAX_UNPACKED else 0
    with archive.open(name) as part:
        position = 0
        while total <= most and (content := part.read(_BIT)):
            yield content
            position += len(content)
            total = max(total, position)
    if total > most:
        raise CardgenError(
            f"this workbook is longer than {most:,} bytes when unpacked",
            Where(file),
            "copy the rows with the cards into a new workbook",
        )


def make_parser(tags: Sequence[str], events: Sequence[Event] = ("end",)) -> Any:
    """A parser that is fed bit by bit, and never looks outside of what it is fed."""
    return etree.XMLPullParser(
        events=events, tag=tags, resolve_entities=False, no_network=True, load_dtd=False
    )


def parse_part(archive: ZipFile, name: str, file: str) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return etree.fromstring(b"".join(stream_part(archive, name, file)), parser)


def forget(element: Any) -> None:
    """Let go of an element that is read, and of those before it."""
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


def get_name(element: Any) -> str:
    """An element's name without its namespace, of which a format may have two."""
    return str(element.tag).rpartition("}")[2]
