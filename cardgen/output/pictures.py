"""Picture files turned into PDF images: JPEG as it is, all else packed without loss; CMYK stays
CMYK.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.errors import CardgenError, Where
from cardgen.layout.picture import PictureInfo, read_picture
from cardgen.output.objects import File

if TYPE_CHECKING:
    from PIL.Image import Image

_SPACES = {"cmyk": b"/DeviceCMYK", "rgb": b"/DeviceRGB", "grey": b"/DeviceGray"}
_MODES = {"cmyk": "CMYK", "rgb": "RGB", "grey": "L"}


def add_picture(file: File, path: Path) -> int:
    """An image, with a mask of its own where the picture is transparent."""
    info = read_picture(path)
    if info.format == "jpeg" and not info.turned:
        return _add_jpeg(file, path, info)
    from PIL import Image, ImageOps

    # read_picture has refused what is too large.
    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(path) as opened:
            image = ImageOps.exif_transpose(opened) if info.turned else opened
            return _add_pixels(file, image, info)
    except OSError as error:
        raise CardgenError(f"the picture cannot be read: {error}", Where(str(path))) from error


def _add_jpeg(file: File, path: Path, info: PictureInfo) -> int:
    data = path.read_bytes()
    entries = _describe(info.width, info.height, _SPACES[info.mode]) + b"/Filter/DCTDecode"
    if info.mode == "cmyk" and b"Adobe" in data[:4096]:
        entries += b"/Decode[1 0 1 0 1 0 1 0]"  # Adobe writes CMYK JPEGs inverted
    return file.add_stream(data, entries, compressed=True)


def _add_pixels(file: File, image: Image, info: PictureInfo) -> int:
    mask = b""
    if info.has_alpha:
        alpha = image.convert("RGBA").getchannel("A")
        entries = _describe(alpha.width, alpha.height, b"/DeviceGray")
        mask = b"/SMask %d 0 R" % file.add_stream(alpha.tobytes(), entries)
    if info.has_alpha and info.mode == "rgb":
        image = image.convert("RGBA")
    if image.mode.startswith("I"):  # 16 bits a pixel, which convert would cut off at 255
        image = image.convert("I").point(lambda value: value / 256)
    pixels = image.convert(_MODES[info.mode])
    entries = _describe(pixels.width, pixels.height, _SPACES[info.mode]) + mask
    return file.add_stream(pixels.tobytes(), entries)


def _describe(width: int, height: int, space: bytes) -> bytes:
    return b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace%b/BitsPerComponent 8" % (
        width,
        height,
        space,
    )
