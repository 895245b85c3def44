"""Parts of an archive written anew; every other byte of it stays.

Knows nothing of what parts say.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from cardgen.core.errors import Where
from cardgen.deck.edits.edit import make_odd_table

_LOCAL = struct.Struct("<4s5H3L2H")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_NEW_ENTRY = struct.Struct("<2H2H3L")  # flags, method, time, date, sum and sizes
_IS_UTF8 = 0x800
_FULL = 0xFFFFFFFF
_NEEDED = 20


class _Member(NamedTuple):
    name: str
    start: int
    end: int
    entry: bytes


def replace_parts(data: bytes, parts: Mapping[str, bytes | None], file: str) -> bytes:
    """Return an archive with other parts in the places of those of these names; None takes one
    out.
    """
    with ZipFile(io.BytesIO(data)) as archive:
        members = list(_list_members(data, archive, file))
    written = [data[: members[0].start]] if members else []
    length, entries = sum(map(len, written)), list[bytes]()
    for member in sorted(members, key=lambda one: one.start):
        content, entry = data[member.start : member.end], member.entry
        if member.name in parts:
            fresh = parts[member.name]
            if fresh is None:
                continue
            content, entry = _pack(content, entry, fresh)
        entries.append(entry[:42] + struct.pack("<L", length) + entry[46:])
        written.append(content)
        length += len(content)
    directory = b"".join(entries)
    end = data.rfind(b"PK\5\6")
    sign, disk, first, _, _, _, _, comment = _END.unpack_from(data, end)
    number = len(entries)
    closing = _END.pack(sign, disk, first, number, number, len(directory), length, comment)
    return b"".join([*written, directory, closing, data[end + _END.size :]])


def _list_members(data: bytes, archive: ZipFile, file: str) -> Iterator[_Member]:
    """Yield the parts as the directory has them."""
    infos = archive.infolist()
    offsets = sorted([*(info.header_offset for info in infos), archive.start_dir])
    place = archive.start_dir
    for info in infos:
        fields = _ENTRY.unpack_from(data, place)
        if _FULL in (*fields[8:10], fields[16]):
            raise make_odd_table(Where(file))
        end = place + _ENTRY.size + sum(fields[10:13])
        following = next(one for one in offsets if one > info.header_offset)
        yield _Member(info.filename, info.header_offset, following, data[place:end])
        place = end


def _pack(content: bytes, entry: bytes, fresh: bytes) -> tuple[bytes, bytes]:
    """Return a part with its header, and its entry in the directory."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    packed = packer.compress(fresh) + packer.flush()
    fields = _ENTRY.unpack_from(entry)
    name = entry[_ENTRY.size : _ENTRY.size + fields[10]]
    told = (
        *(fields[3] & _IS_UTF8, ZIP_DEFLATED, *fields[5:7]),
        *(zlib.crc32(fresh), len(packed), len(fresh)),
    )
    header = _LOCAL.pack(content[:4], _NEEDED, *told, len(name), 0)
    return header + name + packed, entry[:8] + _NEW_ENTRY.pack(*told) + entry[28:]
