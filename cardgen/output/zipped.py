"""Files packed into one .zip: the same bytes for the same files, whenever and by whomever.

Knows nothing of what the files hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from cardgen.output.files import writing

# Packed already: to do it again takes time and saves nothing.
_PACKED = (".pdf", ".png")


def write_zip(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files as they come into one, whole or not at all."""
    with writing(path) as out, ZipFile(out, "w") as packed:
        for name, data in files:
            # Without a date of its own each has that of the first day that a .zip knows.
            info = ZipInfo(name)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            info.compress_type = ZIP_STORED if name.endswith(_PACKED) else ZIP_DEFLATED
            packed.writestr(info, data)
