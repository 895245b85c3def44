"""The pages of a finished PDF drawn as PNG files by pdfium: what people see is what is printed.

Knows nothing of cards or targets.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ctypes import Array, c_ubyte
from functools import lru_cache
from io import BytesIO
from math import ceil, floor
from mmap import ACCESS_COPY, mmap
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from cardgen.core.geometry import Size
from cardgen.core.shape import Contour

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfPage


_INCH = 72
# Of all levels the one that packs cards best for its time; the usual 6 takes half as long again.
_LEVEL = 3
_FAST = 1
_KINDS = {"RGB": 2, "RGBA": 6}  # what PNG calls them
_METRE = 0.0254  # to the inch
_STRIPS, _ROWS = 8, 6  # of a picture, on which is tried how to pack it
_HAIR = 1e-3
_NO_LINES: Mapping[int, Sequence[Contour]] = MappingProxyType({})
_FINER = 8  # how much finer than its pixels a rounded corner is drawn


def draw_pages(
    pdf: bytes | Path,
    dpi: float,
    pages: Iterable[int] | None = None,
    corners: float = 0.0,
    lines: Mapping[int, Sequence[Contour]] = _NO_LINES,
    fast: bool = False,
) -> Iterator[bytes]:
    """Yield each page, or the given ones, as a PNG file that knows its resolution and is sRGB.

    pdf: the file's bytes, or its path
    pages: their places, which count from 0
    corners: the radius in points of the rounded corners, outside which it is transparent
    lines: of pages by their places, outside which they are transparent
    fast: whether they go no farther than to a screen, and may be a little larger
    """
    from pypdfium2 import PdfDocument

    document = PdfDocument(pdf if isinstance(pdf, bytes) else _map(pdf))
    try:
        for number in range(len(document)) if pages is None else pages:
            page = document[number]
            image = _draw_page(page, dpi)
            page.close()
            if number in lines:
                image.putalpha(_draw_lines(image.size, tuple(lines[number]), dpi / _INCH))
            elif corners:
                image.putalpha(_draw_corners(image.size, round(corners * dpi / _INCH)))
            yield _pack_image(image, dpi, _FAST if fast else _LEVEL)
    finally:
        document.close()


def draw_blank(size: Size, dpi: float) -> bytes:
    """Return the picture of a page of that size in points which shows nothing."""
    from PIL import Image

    return _pack_image(Image.new("RGB", _count_pixels(size, dpi), "white"), dpi)


def _map(path: Path) -> Array[c_ubyte]:
    """Return a file's bytes, which the system reads as they are needed.

    pdfium would open a path by the name of the file, which one in the making has not.
    """
    with path.open("rb") as file:
        mapped = mmap(file.fileno(), 0, access=ACCESS_COPY)
    return (c_ubyte * len(mapped)).from_buffer(mapped)


def _draw_page(page: PdfPage, dpi: float) -> Image:
    from pypdfium2 import PdfBitmap
    from pypdfium2 import raw as pdfium

    width, height = _count_pixels(page.get_size(), dpi)
    bitmap = PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGR, rev_byteorder=True)
    bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
    flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER | pdfium.FPDF_PRINTING
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    image: Image = bitmap.to_pil()
    return image


def _count_pixels(size: tuple[float, float], dpi: float) -> tuple[int, int]:
    """Return how many pixels a page has; one of 2.75 inches has 825 at 300 dpi, and no 826."""
    width, height = (max(1, round(side * dpi / _INCH)) for side in size)
    return width, height


@lru_cache(maxsize=4)
def _draw_corners(size: tuple[int, int], radius: int) -> Image:
    """Return how much of each pixel lies within the rounded rectangle."""
    from PIL import Image, ImageDraw, ImageOps

    radius = min(radius, *(side // 2 for side in size))
    mask = Image.new("L", size, 255)
    if not radius:
        return mask
    large = Image.new("L", (radius * _FINER, radius * _FINER))
    # The pixels at both ends of the box that PIL names belong to its ellipse.
    end = 2 * radius * _FINER - 1
    ImageDraw.Draw(large).ellipse((0, 0, end, end), fill=255)
    corner = large.reduce(_FINER)
    right, bottom = size[0] - radius, size[1] - radius
    mask.paste(corner, (0, 0))
    mask.paste(ImageOps.mirror(corner), (right, 0))
    mask.paste(ImageOps.flip(corner), (0, bottom))
    mask.paste(ImageOps.mirror(ImageOps.flip(corner)), (right, bottom))
    return mask


@lru_cache(maxsize=4)
def _draw_lines(size: tuple[int, int], lines: tuple[Contour, ...], scale: float) -> Image:
    """Return how much of each pixel lies within one of the lines."""
    from PIL import Image, ImageDraw

    mask = Image.new("L", size)
    for line in lines:
        points = [(x * scale, y * scale) for x, y in line.list_points()]
        left, top = (max(0, floor(min(p[axis] for p in points))) for axis in (0, 1))
        right, bottom = (
            min(size[axis], ceil(max(p[axis] for p in points) - _HAIR)) for axis in (0, 1)
        )
        if right <= left or bottom <= top:
            continue
        large = Image.new("L", ((right - left) * _FINER, (bottom - top) * _FINER))
        # The pixels on PIL's line belong to its polygon, so that it is half a pixel too large.
        finer = [((x - left) * _FINER - 0.5, (y - top) * _FINER - 0.5) for x, y in points]
        ImageDraw.Draw(large).polygon(finer, fill=255)
        part = large.reduce(_FINER)
        mask.paste(part, (left, top), part)
    return mask


def _pack_image(image: Image, dpi: float, level: int = _LEVEL) -> bytes:
    """Return a PNG file in sRGB that knows its resolution, packed as it becomes smaller."""
    sample = _cut_sample(image)
    ways = (_pack_rows, _pack_differences)
    return min(ways, key=lambda pack: len(pack(sample, dpi, level)))(image, dpi, level)


def _cut_sample(image: Image) -> Image:
    """Return some strips of a picture, one below the other."""
    from PIL import Image as Pictures

    width, height = image.size
    sample = Pictures.new(image.mode, (width, _STRIPS * _ROWS))
    for number in range(_STRIPS):
        top = height * number // _STRIPS
        sample.paste(image.crop((0, top, width, top + _ROWS)), (0, number * _ROWS))
    return sample


def _pack_differences(image: Image, dpi: float, level: int) -> bytes:
    """Return a PNG file of differences from neighbours: smaller where it holds photographs."""
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    # The chunk says all that a profile would, without a date of its own.
    info.add(b"sRGB", b"\0")
    file = BytesIO()
    image.save(file, "PNG", dpi=(dpi, dpi), pnginfo=info, compress_level=level)
    return file.getvalue()


def _pack_rows(image: Image, dpi: float, level: int) -> bytes:
    """Return a PNG file whose rows stand as they are: quicker, and smaller where all is plain."""
    (width, height), kind = image.size, _KINDS[image.mode]
    pixels, length = image.tobytes(), len(image.mode) * width
    rows = b"".join(b"\0" + pixels[at : at + length] for at in range(0, len(pixels), length))
    per_metre = round(dpi / _METRE)
    chunks = (
        (b"IHDR", struct.pack(">2I5B", width, height, 8, kind, 0, 0, 0)),
        (b"sRGB", b"\0"),
        (b"pHYs", struct.pack(">2IB", per_metre, per_metre, 1)),
        (b"IDAT", zlib.compress(rows, level)),
        (b"IEND", b""),
    )
    parts = [
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    ]
    return b"".join([b"\x89PNG\r\n\x1a\n", *parts])
