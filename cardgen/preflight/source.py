"""The bytes of a PDF file, opened by qpdf and pdfium as often as they need.

Both keep all that they have read of it, so what is read once is read from a file opened for that.
A file on the disk is mapped, so that nobody holds it a second time. Knows nothing of what is in it.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO, FileIO
from mmap import ACCESS_COPY, mmap
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import AccessMode

from cardgen.core.errors import CardgenError, Where


class _Bytes(BytesIO):
    """The bytes of a file, under the name by which qpdf's errors call them: "stream of bytes"."""

    def __repr__(self) -> str:
        return "of bytes"


class _File(FileIO):
    """A file, under the same name."""

    def __repr__(self) -> str:
        return "of bytes"


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a file; `file` is where they lie, None where they lie in memory alone."""

    data: bytes | mmap
    file: _File | None = None

    def open_pdf(self, *, flatten: bool = False) -> pikepdf.Pdf:
        """Open the file; its objects have the same numbers each time.

        flatten: whether pages take on what stands above them, for which qpdf reads and mends all
        """
        if self.file is None:
            stream: Any = _Bytes(self.data)
            mode = AccessMode.stream
        else:
            stream, mode = self.file, AccessMode.mmap
        return pikepdf.open(
            stream,
            attempt_recovery=True,
            suppress_warnings=True,
            inherit_page_attributes=flatten,
            access_mode=mode,
        )

    def give_to_pdfium(self) -> Any:
        """Return the bytes as pdfium takes them."""
        if isinstance(self.data, bytes):
            return self.data
        return (ctypes.c_char * len(self.data)).from_buffer(self.data)

    def close(self) -> None:
        """Close the file; its bytes go when nobody looks at them any more."""
        if self.file is not None:
            self.file.close()
        if isinstance(self.data, mmap):
            with suppress(BufferError):  # somebody does
                self.data.close()


def open_source(file: bytes | Path) -> Source:
    """Return the bytes of a file; one that cannot be read is an error."""
    if isinstance(file, bytes):
        return Source(file)
    where = Where(str(file))
    try:
        if file.exists() and not (file.is_file() or file.is_dir()):  # a pipe never ends
            raise CardgenError("preflight/no-file", "this is not an ordinary file", where)
        if file.is_dir():
            raise IsADirectoryError
        return _map(_File(file))
    except FileNotFoundError:
        raise CardgenError("preflight/no-file", "there is no such file", where) from None
    except IsADirectoryError:
        raise CardgenError("preflight/no-file", "this is a folder, not a PDF", where) from None
    except OSError as error:
        raise CardgenError(
            "preflight/no-file", f"cannot be read: {error.strerror}", where
        ) from None


def _map(file: _File) -> Source:
    """Map a file into memory; where that cannot be, as of an empty one, read it."""
    try:
        # Nobody writes; pdfium is given what could be written to alone.
        return Source(
            mmap(file.fileno(), os.fstat(file.fileno()).st_size, access=ACCESS_COPY), file
        )
    except (OSError, ValueError):
        with file:
            return Source(file.readall())
