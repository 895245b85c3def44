"""The bytes of a file become text, or an error that names the line and what the file is instead.

Knows nothing of what the text means.
"""

from __future__ import annotations

from cardgen.core.errors import CardgenError, Where

_HINT = "save the file as UTF-8"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def decode_text(data: bytes, file: str) -> str:
    """UTF-8, with or without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{error.object[error.start]:02X}"
        if data.startswith(_UTF16):
            line, found = 1, "it is UTF-16"
        raise CardgenError(
            "core/todo", f"this is not UTF-8 text: {found}", Where(file, line), _HINT
        ) from error
