"""An archive of XML, as offices write them: its parts as bytes and trees, within a fixed size.

Knows nothing of what a workbook or a document is.
"""

from __future__ import annotations

import posixpath
import zlib
from collections.abc import Iterator, Sequence
from typing import IO, Any, Literal
from zipfile import BadZipFile, ZipFile

from lxml import etree

from cardgen.core.errors import CardgenError, Where

Event = Literal["start", "end"]

MAX_UNPACKED = 20_000_000
_BIT = 1 << 16
# All that zipfile, zlib and lxml raise over an archive that is damaged or encrypted.
FAULTS = (
    *(BadZipFile, KeyError, RuntimeError, NotImplementedError, EOFError, OSError),
    *(etree.XMLSyntaxError, ValueError, TypeError, IndexError, OverflowError),
)


def read_part(archive: ZipFile, name: str, file: str) -> Any:
    """Return the tree of a part that is small enough to be held whole."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return etree.fromstring(b"".join(stream_part(archive, name, file)), parser)


def list_targets(archive: ZipFile, part: str, file: str) -> dict[str, tuple[str, str]]:
    """Return the part and the kind that each relation of a part names, by their ids.

    The relations of the whole archive are those of the part "".
    """
    folder, name = posixpath.split(part)
    relations = posixpath.join(folder, "_rels", f"{name}.rels")
    found: dict[str, tuple[str, str]] = {}
    if relations not in archive.namelist():
        return found
    for relation in read_part(archive, relations, file):
        target = relation.get("Target") or ""
        path = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
        found[relation.get("Id") or ""] = posixpath.normpath(path), relation.get("Type") or ""
    return found


def stream_part(archive: ZipFile, name: str, file: str) -> Iterator[bytes]:
    """Yield a part bit by bit; one that says it is too long is refused before it is unpacked."""
    if archive.getinfo(name).file_size > MAX_UNPACKED:
        raise _refuse_long(file, MAX_UNPACKED)
    return stream_beginning(archive, name, file, MAX_UNPACKED)


def stream_beginning(archive: ZipFile, name: str, file: str, most: int) -> Iterator[bytes]:
    """Yield a part bit by bit, of which perhaps only the beginning is wanted.

    The bytes are counted as they come: what an archive says of its sizes may be wrong.
    """
    position = 0
    with archive.open(name) as part:
        while content := _read_bit(part):
            position += len(content)
            if position > most:
                raise _refuse_long(file, most)
            yield content


def _read_bit(part: IO[bytes]) -> bytes:
    try:
        return part.read(_BIT)
    except zlib.error as error:
        raise BadZipFile(str(error)) from error


def _refuse_long(file: str, most: int) -> CardgenError:
    return CardgenError(
        "file/too-large",
        f"this workbook is longer than {most:,} bytes when unpacked",
        Where(file),
        "copy the rows with the cards into a new workbook",
        details={"allowed": most},
    )


def make_parser(tags: Sequence[str], events: Sequence[Event] = ("end",)) -> Any:
    """Return a parser that is fed bit by bit, and never looks outside of what it is fed."""
    return etree.XMLPullParser(
        events=events, tag=tags, resolve_entities=False, no_network=True, load_dtd=False
    )


def forget(element: Any) -> None:
    """Let go of an element that is read, and of those before it."""
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


def get_name(element: Any) -> str:
    """Return an element's name without its namespace, of which a format may have two."""
    return str(element.tag).rpartition("}")[2]
