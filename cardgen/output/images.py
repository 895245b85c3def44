"""Picture files embedded in a PDF as its images.

A JPEG stays as it is where its colours do; all else is packed without loss. How finished pages
become picture files stands in png.py.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.core.colour import BLACK, Colour
from cardgen.core.errors import CardgenError, Where
from cardgen.core.tuples import NamedTuple
from cardgen.layout.art.pictures import MOST_PIXELS, PictureInfo, read_picture
from cardgen.layout.face import Tone
from cardgen.output.inks import Inks, cut_strips
from cardgen.output.objects import COMPRESSION, SPACES, File, compress, format_image
from cardgen.output.packing import FLATE

if TYPE_CHECKING:
    from PIL.Image import Image


_MODES = {"cmyk": "CMYK", "rgb": "RGB", "grey": "L"}
_NAMES = {mode: name for name, mode in _MODES.items()}


class PackedPicture(NamedTuple):
    """A picture as the streams of a file: compressed content and entries.

    mask: the same of its mask, which stands under the key `masked`
    """

    content: bytes
    entries: bytes
    masked: bytes = b""
    mask: tuple[bytes, bytes] | None = None


def add_picture(file: File, packed: PackedPicture) -> int:
    """Add a picture with its mask; return its number."""
    entries = packed.entries
    if packed.mask is not None:
        content, described = packed.mask
        number = file.add_stream(content, described, compressed=True)
        entries += b"%b %d 0 R" % (packed.masked, number)
    return file.add_stream(packed.content, entries, compressed=True)


def pack_picture(
    path: Path, inks: Inks, tone: Tone | None = None, *, hard: bool = False
) -> PackedPicture:
    """Return a picture, with a mask of its own where it is transparent.

    tone: what stands in for its own colours
    hard: the mask only says whether a pixel is there, so that nothing is transparent
    """
    info = read_picture(path)
    with _open_upright(path, info) as image:
        if (
            tone is None
            and info.format == "jpeg"
            and not info.turned
            and _keeps_colours(inks, image, info)
        ):
            return _pack_jpeg(path, info)
        return _pack_pixels(image, info, inks, tone, hard)


@lru_cache(maxsize=256)
def count_half_transparent(path: Path) -> int:
    """Return how many pixels of a picture are half transparent."""
    info = read_picture(path)
    if not info.has_alpha:
        return 0
    with _open_upright(path, info) as image:
        return sum(image.convert("RGBA").getchannel("A").histogram()[1:255])


@contextmanager
def _open_upright(path: Path, info: PictureInfo) -> Iterator[Image]:
    from PIL import Image, ImageOps

    # read_picture has refused what is too large.
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    try:
        with Image.open(path) as opened:
            yield ImageOps.exif_transpose(opened) if info.turned else opened
    except OSError as error:
        raise CardgenError(
            "picture/unreadable", f"the picture cannot be read: {error}", Where(str(path))
        ) from error


def _keeps_colours(inks: Inks, image: Image, info: PictureInfo) -> bool:
    """Say whether a JPEG keeps the colours that it has."""
    if (
        inks.keeps_all
        or (info.mode == "grey" and inks.keeps_grey)
        or (inks.keeps_rgb and info.mode == "rgb")
    ):
        return True
    return inks.keeps_cmyk and info.mode == "cmyk" and not inks.exceeds(image)


def _pack_jpeg(path: Path, info: PictureInfo) -> PackedPicture:
    data = path.read_bytes()
    entries = format_image(info.width, info.height, SPACES[info.mode]) + b"/Filter/DCTDecode"
    if info.mode == "cmyk" and b"Adobe" in data[:4096]:
        entries += b"/Decode[1 0 1 0 1 0 1 0]"  # Adobe writes CMYK JPEGs inverted
    return PackedPicture(data, entries)


def measure_colour(path: Path, tone: Tone | None, inks: Inks) -> float:
    """Return the most ink beside black of one pixel of a picture, where 1 is all of one ink."""
    if tone is not None:
        printed = BLACK if tone == "grey" else inks.turn(tone)
        return sum(printed.values[:3]) if printed.space == "cmyk" else 0.0
    info = read_picture(path)
    with _open_upright(path, info) as image:
        return max((_sum_colour(strip) for strip in _turn_strips(image, info, inks)), default=0.0)


def _sum_colour(pixels: Image) -> float:
    from PIL import ImageMath

    if pixels.mode != "CMYK":
        return 0.0
    tints = dict(zip("cmy", pixels.split(), strict=False))
    total = ImageMath.lambda_eval(lambda on: on["c"] + on["m"] + on["y"], **tints)
    return float(total.getextrema()[1]) / 255


def _pack_pixels(
    image: Image, info: PictureInfo, inks: Inks, tone: Tone | None, hard: bool
) -> PackedPicture:
    strips: Iterable[Image]
    if tone is not None:
        strips = (inks.make_grey(_take_pixels(strip, info)) for strip in cut_strips(image))
    else:
        strips = _turn_strips(image, info, inks)
    content, mode = _pack_strips(strips)
    if tone is None or tone == "grey":
        space = SPACES[_NAMES[mode]]
    else:
        space = _make_tints(inks.turn_tints(tone))
    packed = PackedPicture(content, format_image(*image.size, space) + FLATE)
    if not info.has_alpha:
        return packed
    if hard:
        alpha = image.convert("RGBA").getchannel("A")
        return packed._replace(masked=b"/Mask", mask=_pack_hard_mask(alpha))
    mask, _ = _pack_strips(strip.convert("RGBA").getchannel("A") for strip in cut_strips(image))
    described = format_image(*image.size, SPACES["grey"]) + FLATE
    return packed._replace(masked=b"/SMask", mask=(mask, described))


def _pack_strips(strips: Iterable[Image]) -> tuple[bytes, str]:
    """Return the pixels of a picture compressed, and their mode."""
    packer, mode = zlib.compressobj(COMPRESSION), ""
    found = BytesIO()  # which gives all of it without a copy
    for strip in strips:
        found.write(packer.compress(strip.tobytes()))
        mode = strip.mode
    found.write(packer.flush())
    return found.getvalue(), mode


def _turn_strips(image: Image, info: PictureInfo, inks: Inks) -> Iterator[Image]:
    """Yield a picture as it is printed, without its mask."""
    return (inks.turn_picture(_take_pixels(strip, info)) for strip in cut_strips(image))


def _take_pixels(image: Image, info: PictureInfo) -> Image:
    """Return a picture in 8 bits of RGB, CMYK or grey, without its mask."""
    own = image.info.get("icc_profile")
    if info.has_alpha and info.mode == "rgb":
        image = image.convert("RGBA")
    if image.mode.startswith("I"):  # 16 bits a pixel, which convert would cut off at 255
        image = image.convert("I").point(lambda value: value / 256)
    pixels = image.convert(_MODES[info.mode])
    if own is not None:
        pixels.info["icc_profile"] = own
    return pixels


def _make_tints(tints: Sequence[Colour]) -> bytes:
    """Return the space of the tints of a colour."""
    values = bytes(round(255 * value) for tint in tints for value in tint.values)
    return b"[/Indexed%b 255<%b>]" % (SPACES[tints[0].space], values.hex().encode())


def _pack_hard_mask(alpha: Image) -> tuple[bytes, bytes]:
    """Return a mask of a bit for each pixel, which is 1 where nothing is to be painted."""
    entries = (
        b"/Type/XObject/Subtype/Image/ImageMask true/Width %d/Height %d/BitsPerComponent 1"
        % alpha.size
    )
    bits = alpha.point(lambda value: 0 if value >= 128 else 255).convert("1")
    return compress(bits.tobytes()), entries + FLATE
