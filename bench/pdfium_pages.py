"""Draws each page of a PDF as a PNG file with pdfium and Pillow alone: PDF, folder, dpi.

The files are packed as cardgen packs its own, so that the two do the same work.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pypdfium2 import PdfDocument

LEVEL = 3


def main(source: Path, out: Path, dpi: int) -> None:
    out.mkdir(parents=True, exist_ok=True)
    document = PdfDocument(source)
    for number, page in enumerate(document, 1):
        image = page.render(scale=dpi / 72, rev_byteorder=True).to_pil()
        image.save(out / f"{number}.png", dpi=(dpi, dpi), compress_level=LEVEL)
        page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
