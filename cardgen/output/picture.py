"""The pages of a finished PDF turned into PNG files, as pdfium draws them: what one sees is what is
printed.

Knows nothing of cards or targets.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

_INCH = 72


def draw_pages(pdf: bytes, dpi: float) -> Iterator[bytes]:
    """Each page as a PNG file that knows its resolution."""
    from pypdfium2 import PdfDocument

    document = PdfDocument(pdf)
    try:
        for page in document:
            yield _draw_page(page, dpi)
    finally:
        document.close()


def _draw_page(page: PdfPage, dpi: float) -> bytes:
    from pypdfium2 import PdfBitmap
    from pypdfium2 import raw as pdfium

    # A page of 2.75 inches has 825 pixels at 300 dpi, and none more for a rounding error.
    width, height = (max(1, round(side * dpi / _INCH)) for side in page.get_size())
    bitmap = PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGR, rev_byteorder=True)
    bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
    flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER | pdfium.FPDF_PRINTING
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    file = BytesIO()
    bitmap.to_pil().save(file, "PNG", dpi=(dpi, dpi))
    return file.getvalue()
