"""Images of a PDF, named or inline, turned into their facts and, where asked, their pixels.

Knows nothing of where they are placed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, NamedTuple

from pikepdf import StreamDecodeLevel
from PIL import Image, ImageChops

from cardgen.preflight.colours import CMYK, GREY, RGB, UNKNOWN, Space
from cardgen.preflight.marks import Picture
from cardgen.preflight.objects import (
    BROKEN,
    find_numbers,
    find_stream,
    find_value,
    identify,
    list_filters,
    read_number,
)

ReadSpace = Callable[[Any], Space]
MOST_PIXELS = 120_000_000
# What Pillow calls so many components in a row.
_PACKED = {1: "L", 3: "RGB", 4: "CMYK"}
_MODES = {"CMYK": CMYK, "RGB": RGB, "L": GREY}


@dataclass(slots=True)
class PictureReader:
    """Reads the pictures of a document; each once."""

    _known: dict[object, Picture] = field(default_factory=dict)

    def read(self, thing: Any, read_space: ReadSpace) -> Picture:
        key = identify(thing)
        if key not in self._known:
            self._known[key] = _read_picture(thing, key, read_space)
        return self._known[key]

    def read_inline(self, image: Any, read_space: ReadSpace) -> Picture:
        """Read a picture within a content stream; pikepdf has spelled out its shortened keys."""
        settings = image.obj
        stencil = find_value(settings, "/ImageMask") is True
        space = None if stencil else read_space(find_value(settings, "/ColorSpace"))
        key = (bytes(image.unparse()), space)
        if key not in self._known:
            self._known[key] = Picture(
                key=key,
                thing=image,
                width=int(read_number(settings, "/Width")),
                height=int(read_number(settings, "/Height")),
                space=space,
                filters=tuple(list_filters(settings)),
                soft_mask=False,
                inline=True,
            )
        return self._known[key]


def _read_picture(
    thing: Any, key: object, read_space: ReadSpace, *, masks: bool = False
) -> Picture:
    mask = find_stream(thing, "/SMask")
    filters = tuple(list_filters(thing))
    stencil = find_value(thing, "/ImageMask") is True
    given = find_value(thing, "/ColorSpace")
    space: Space | None = None
    if not stencil:
        in_jpx = given is None and filters[-1:] == ("JPXDecode",)
        space = _read_own_space(thing) if in_jpx else read_space(given)
    return Picture(
        key=key,
        thing=thing,
        width=int(read_number(thing, "/Width")),
        height=int(read_number(thing, "/Height")),
        space=space,
        filters=filters,
        soft_mask=mask is not None or read_number(thing, "/SMaskInData") > 0,
        mask=None
        if mask is None or masks
        else _read_picture(mask, identify(mask), read_space, masks=True),
    )


def _read_own_space(thing: Any) -> Space:
    """Return the space that a JPEG 2000 picture itself names."""
    try:
        with Image.open(BytesIO(thing.read_raw_bytes())) as image:
            return _MODES.get(image.mode.removesuffix("A"), UNKNOWN)
    except (*BROKEN, OSError):
        return UNKNOWN


class Pixels(NamedTuple):
    """The pixels of a picture: a grey one for each component, whose 255 is the greatest value.

    bands: None where they cannot be told, or are not needed
    damage: why the picture cannot be shown; empty where it can
    """

    bands: list[Any] | None
    damage: str = ""


def read_pixels(picture: Picture) -> Pixels:
    """Return the pixels of a picture; only those of inks are parted into their components."""
    if picture.width < 1 or picture.height < 1:
        return Pixels(None, "it has no size")
    if picture.width * picture.height > MOST_PIXELS or (picture.inline and not picture.is_inked):
        return Pixels(None, "")
    try:
        return _decode(picture)
    except (NotImplementedError, Image.DecompressionBombError):
        return Pixels(None)  # packed in a way that only other programs unpack
    except (*BROKEN, OSError, StopIteration) as error:
        if picture.inline:
            return Pixels(None)  # pikepdf reads few of these
        return Pixels(None, _name_damage(error))


def _name_damage(error: BaseException) -> str:
    return "its data ends early" if "truncated" in str(error) else "its data cannot be unpacked"


def _decode(picture: Picture) -> Pixels:
    last = picture.filters[-1] if picture.filters else ""
    if last in ("DCTDecode", "JPXDecode"):
        if len(picture.filters) > 1:
            return Pixels(None)
        with Image.open(BytesIO(picture.thing.read_raw_bytes())) as image:
            image.load()
            if not picture.is_inked:
                return Pixels(None)
            bands = list(image.split())
            # Pillow takes every CMYK JPEG for one that Photoshop has inverted.
            inverted = image.mode == "CMYK" and last == "DCTDecode"
        return Pixels(
            _invert(picture, [ImageChops.invert(band) for band in bands] if inverted else bands)
        )
    if last in ("CCITTFaxDecode", "JBIG2Decode"):
        return Pixels(None)
    level = {} if picture.inline else {"decode_level": StreamDecodeLevel.specialized}
    data = bytes(picture.thing.read_bytes(**level))
    row = _measure_row(picture)
    if row and len(data) <= row * (picture.height - 1):
        return Pixels(None, "its data ends early")
    if not picture.is_inked:
        return Pixels(None)
    try:
        return Pixels(_invert(picture, _split(picture, data)))
    except BROKEN:
        return Pixels(None)


def _measure_row(picture: Picture) -> int:
    """Return the bytes that a row of pixels takes; 0 where that is not known."""
    if picture.space is None:
        return (picture.width + 7) // 8
    if picture.space.kind in ("unknown", "pattern"):
        return 0
    return (picture.width * picture.space.components * _read_depth(picture) + 7) // 8


def _split(picture: Picture, data: bytes) -> list[Any]:
    """Return the components of samples of 8 or 16 bits, or of one component with 1 bit."""
    assert picture.space is not None
    count, size = picture.space.components, (picture.width, picture.height)
    bits = _read_depth(picture)
    if bits == 16:
        data, bits = data[0::2], 8
    if bits == 8 and count in _PACKED:
        return list(Image.frombytes(_PACKED[count], size, data).split())
    if bits == 8:
        return [
            Image.frombytes("L", size, data[at : picture.width * picture.height * count : count])
            for at in range(count)
        ]
    if bits == 1 and count == 1:
        return [Image.frombytes("1", size, data).convert("L")]
    raise ValueError(f"{count} components of {bits} bits")


def _get_settings(picture: Picture) -> Any:
    return picture.thing.obj if picture.inline else picture.thing


def _read_depth(picture: Picture) -> int:
    return int(read_number(_get_settings(picture), "/BitsPerComponent", 8))


def _invert(picture: Picture, bands: list[Any]) -> list[Any]:
    decode = find_numbers(_get_settings(picture), "/Decode") or ()
    if len(decode) < 2 * len(bands):
        return bands
    return [
        ImageChops.invert(band) if decode[2 * at] > decode[2 * at + 1] else band
        for at, band in enumerate(bands)
    ]
