"""PNG files written chunk by chunk, as no program writes them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping


def make_png(width: int, height: int, chunks: Mapping[bytes, bytes], colours: int = 0) -> bytes:
    """Return a PNG with these chunks under right checksums, whatever they hold."""
    header = struct.pack(">IIBBBBB", width, height, 8, colours, 0, 0, 0)
    parts = {b"IHDR": header, **chunks, b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts.items()
    )
