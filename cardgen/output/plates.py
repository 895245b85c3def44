"""Items drawn as pixels in the inks of a press: each ink by itself, as a grey page, by pdfium.

Drawn so, colours meet as inks do: none becomes RGB on the way. Knows nothing of faces or files.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from cardgen.core.geometry import Rect
from cardgen.layout.face import Item
from cardgen.output.content import ContentFormatter
from cardgen.output.inks import Inks, Prepress
from cardgen.output.notation import format_number
from cardgen.output.packing import compress
from cardgen.output.resources import Packs, Resources, embed_form, pack_form

if TYPE_CHECKING:
    from PIL.Image import Image

_INCH = 72
_PLATES = range(4)
_MOST_PACKS = 16  # pictures that are kept for the next face


class PlateDrawer:
    """Draws items as they are printed with a press's inks."""

    def __init__(self, prepress: Prepress) -> None:
        self._prepress = prepress
        self._plates = [prepress.inks.make_plate(number) for number in _PLATES]
        self._packs: list[Packs] = [{} for _ in _PLATES]

    def draw(self, items: Sequence[Item], area: Rect, dpi: float) -> Image:
        """Return what items paint within an area, in CMYK that keeps the limit."""
        from PIL import Image

        for packs in self._packs:
            if len(packs) > _MOST_PACKS:
                packs.clear()
        plates = [self._draw_plate(number, items, area, dpi) for number in _PLATES]
        return self._prepress.inks.turn_picture(Image.merge("CMYK", plates))

    def _draw_plate(self, number: int, items: Sequence[Item], area: Rect, dpi: float) -> Image:
        prepress = self._prepress._replace(inks=self._plates[number], outlines=True, opaque=False)
        return _draw_grey(Resources(prepress, self._packs[number]), items, area, dpi)


def draw_stencil(items: Sequence[Item], area: Rect, dpi: float) -> Image:
    """Return how opaque black items are within an area, as grey pixels."""
    return _draw_grey(Resources(Prepress(Inks("grey"), outlines=True)), items, area, dpi)


def _draw_grey(resources: Resources, items: Sequence[Item], area: Rect, dpi: float) -> Image:
    """Return how much of one ink items lay down within an area."""
    from PIL import ImageOps

    content = ContentFormatter(resources).format(items, 0.0)
    place = format_number(-area.x), format_number(area.bottom)
    page = _render(b"1 0 0 1 %b %b cm\n%b" % (*place, content), area, resources, dpi)
    return ImageOps.invert(page)


def _render(content: bytes, area: Rect, resources: Resources, dpi: float) -> Image:
    """Return a page of grey content as pixels."""
    from pypdfium2 import PdfBitmap, PdfDocument
    from pypdfium2 import raw as pdfium

    from cardgen.output.objects import File

    out = BytesIO()
    file = File(out, title="", author="", language="en", creator="", version=(1, 7), packs=True)
    for form in resources.take_forms():
        embed_form(file, pack_form(form))
    page = Rect(0, 0, *area.size)
    file.add_page(compress(content), b"", area.size, page, page)
    resources.embed(file)
    file.finish()
    document = PdfDocument(out.getvalue())
    try:
        width, height = (max(1, round(side * dpi / _INCH)) for side in area.size)
        bitmap = PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_Gray)
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        flags = pdfium.FPDF_PRINTING
        pdfium.FPDF_RenderPageBitmap(bitmap, document[0], 0, 0, width, height, 0, flags)
        image: Image = bitmap.to_pil().copy()
        return image
    finally:
        document.close()
