"""Picture files embedded in a PDF as its images.

A JPEG stays as it is where its colours do; all else is packed without loss, and made coarser where
it is much finer than its target needs. How finished pages become picture files stands in png.py.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardgen.core.colour import BLACK, Colour
from cardgen.core.errors import CardgenError, Where
from cardgen.layout.art.pictures import BROKEN, MOST_PIXELS, PictureInfo, read_picture
from cardgen.layout.face import Picture, Tone
from cardgen.output.inks import Inks, Prepress, cut_strips
from cardgen.output.notation import SPACES, format_image
from cardgen.output.packing import COMPRESSION, FLATE

if TYPE_CHECKING:
    from PIL.Image import Image

    from cardgen.output.objects import File


_MODES = {"cmyk": "CMYK", "rgb": "RGB", "grey": "L"}
_NAMES = {mode: name for name, mode in _MODES.items()}
_INCH = 72
_SPARE = 1.5  # as many times as fine as its target needs each picture may stay


class Source(NamedTuple):
    """A picture file as a PDF shows it.

    tone: what stands in for its own colours
    share: of so many pixels in a row, and in a column, one is made
    """

    path: Path
    tone: Tone | None = None
    share: int = 1


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


def find_source(picture: Picture, prepress: Prepress) -> Source:
    """Return what a PDF needs of a picture: coarser where it is shown so small that nobody would
    see its pixels, but for a JPEG that can go into the file as it is.
    """
    share = int(picture.fineness * _INCH / (_SPARE * prepress.dpi))
    source = Source(picture.path, picture.tone, max(share, 1))
    if share > 1 and _stays(source, read_picture(picture.path), prepress.inks):
        return source._replace(share=1)
    return source


def pack_picture(source: Source, inks: Inks, *, hard: bool = False) -> PackedPicture:
    """Return a picture, with a mask of its own where it is transparent.

    hard: the mask only says whether a pixel is there, so that nothing is transparent
    """
    info = read_picture(source.path)
    if _stays(source, info, inks):
        return _pack_jpeg(info)
    with _open_upright(source, info) as image:
        if source.share == 1 and _may_stay(source, info, inks) and not inks.exceeds(image):
            return _pack_jpeg(info)
        return _pack_pixels(image, info, inks, source.tone, hard)


@lru_cache(maxsize=1024)
def check_pixels(path: Path) -> None:
    """Raise what would keep a build from reading a picture: of a PNG only the checksums are looked
    at before it is drawn, all others are decoded.
    """
    if read_picture(path).format == "png":
        with _open(path):
            pass


@lru_cache(maxsize=256)
def is_half_transparent(path: Path) -> bool:
    """Whether a picture has pixels that are half transparent."""
    info = read_picture(path)
    if not info.has_alpha:
        return False
    with _open(path) as image:
        return any(any(strip.histogram()[1:255]) for strip in _cut_mask(image))


@contextmanager
def _open(path: Path) -> Iterator[Image]:
    from PIL import Image

    # read_picture has refused what is too large.
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    try:
        with Image.open(path) as opened:
            _decode(opened)
            yield opened
    except OSError as error:
        raise CardgenError(
            "picture/unreadable",
            f"the picture cannot be read: {error}",
            Where(str(path)),
            "save it again as PNG or JPEG",
        ) from error


def _decode(image: Image) -> None:
    """Read all pixels, but of a JPEG, which was decoded when it was checked, and may be read as
    coarse as it is needed.
    """
    if image.format != "JPEG":
        try:
            image.load()
        except BROKEN as error:
            raise OSError(str(error)) from error


@contextmanager
def _open_upright(source: Source, info: PictureInfo) -> Iterator[Image]:
    """Open a picture as it is seen, no finer than it is needed."""
    from PIL import ImageOps

    if source.share > 1:
        found = source.path.stat()
        yield _read_coarser(source.path, source.share, found.st_mtime_ns, found.st_size)
        return
    with _open(source.path) as opened:
        yield ImageOps.exif_transpose(opened) if info.turned else opened


@lru_cache(maxsize=2)
def _read_coarser(path: Path, share: int, *_file: int) -> Image:
    """Return a picture of which so many pixels in a row have become one, as it is seen; the last
    are kept, for each ink of a page may ask for them.
    """
    from PIL import ImageOps

    info = read_picture(path)
    with _open(path) as opened:
        image = _make_coarser(opened, info, share)
    return ImageOps.exif_transpose(image) if info.turned else image


def _make_coarser(image: Image, info: PictureInfo, share: int) -> Image:
    """Return a picture of which so many pixels in a row have become one."""
    from PIL import Image as Images

    turned, width = image.getexif() if info.turned else None, image.width
    if info.format == "jpeg":  # which is read as coarse, where that is a power of two
        image.draft(None, (ceil(width / share), ceil(image.height / share)))
        share = max(1, share * image.width // width)
    coarser: Image | None = None
    top = 0
    for strip in cut_strips(image, share):
        plain = strip.convert("RGBA") if info.has_alpha else _take_pixels(strip, info)
        small = (plain.convert("RGBa") if info.has_alpha else plain).reduce(share)
        if coarser is None:
            size = ceil(image.width / share), ceil(image.height / share)
            coarser = Images.new(plain.mode, size)
        coarser.paste(small.convert(plain.mode), (0, top))
        top += small.height
    assert coarser is not None
    if "icc_profile" in image.info:
        coarser.info["icc_profile"] = image.info["icc_profile"]
    if turned is not None:
        coarser.getexif().update(turned)
    return coarser


def _may_stay(source: Source, info: PictureInfo, inks: Inks) -> bool:
    """Whether a file may go into a PDF as it is, if it is not too much ink."""
    if source.tone is not None or info.format != "jpeg" or info.turned:
        return False
    return _keeps_colours(info, inks) or (inks.keeps_cmyk and info.mode == "cmyk")


def _stays(source: Source, info: PictureInfo, inks: Inks) -> bool:
    """Whether a file goes into a PDF as it is, whatever it shows."""
    return _may_stay(source, info, inks) and (_keeps_colours(info, inks) or not inks.is_limited)


def _keeps_colours(info: PictureInfo, inks: Inks) -> bool:
    """Whether a picture keeps the colours that it has, whatever they are."""
    return (
        inks.keeps_all
        or (info.mode == "grey" and inks.keeps_grey)
        or (info.mode == "rgb" and inks.keeps_rgb)
    )


def _pack_jpeg(info: PictureInfo) -> PackedPicture:
    data = info.path.read_bytes()
    entries = format_image(info.width, info.height, SPACES[info.mode]) + b"/Filter/DCTDecode"
    if info.mode == "cmyk" and b"Adobe" in data[:4096]:
        entries += b"/Decode[1 0 1 0 1 0 1 0]"  # Adobe writes CMYK JPEGs inverted
    return PackedPicture(data, entries)


def measure_colour(source: Source, inks: Inks) -> float:
    """Return the most ink beside black of one pixel of a picture, where 1 is all of one ink."""
    tone = source.tone
    if tone is not None:
        printed = BLACK if tone == "grey" else inks.turn(tone)
        return sum(printed.values[:3]) if printed.space == "cmyk" else 0.0
    info = read_picture(source.path)
    with _open_upright(source, info) as image:
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
    if tone is not None:
        strips: Iterator[Image] = (
            inks.make_grey(_take_pixels(strip, info)) for strip in cut_strips(image)
        )
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
    mask = _cut_mask(image)
    if hard:
        return packed._replace(masked=b"/Mask", mask=_pack_hard_mask(mask, image.size))
    described = format_image(*image.size, SPACES["grey"]) + FLATE
    return packed._replace(masked=b"/SMask", mask=(_pack_strips(mask)[0], described))


def _cut_mask(image: Image) -> Iterator[Image]:
    """Yield how opaque a picture is."""
    return (strip.convert("RGBA").getchannel("A") for strip in cut_strips(image))


def _pack_strips(strips: Iterator[Image]) -> tuple[bytes, str]:
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


def _pack_hard_mask(mask: Iterator[Image], size: tuple[int, int]) -> tuple[bytes, bytes]:
    """Return a mask of a bit for each pixel, which is 1 where nothing is to be painted."""
    entries = (
        b"/Type/XObject/Subtype/Image/ImageMask true/Width %d/Height %d/BitsPerComponent 1" % size
    )
    bits = (strip.point(lambda value: 0 if value >= 128 else 255).convert("1") for strip in mask)
    return _pack_strips(bits)[0], entries + FLATE
