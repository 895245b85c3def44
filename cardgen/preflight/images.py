"""Images of a PDF, named or inline, turned into their facts and, where asked, their pixels.

Knows nothing of where they are placed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

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
_STRIP = 1_000_000  # pixels that are looked at together
_ROWS = 12  # the rows of each strip but the last are a multiple of these
_FED = 1 << 16
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


class DamageError(Exception):
    """A picture cannot be shown; the text says why."""


class UnreadableError(Exception):
    """The pixels of a picture cannot be told, or only by other programs."""


def read_strips(picture: Picture) -> Iterator[list[Any]]:
    """Yield the pixels of a picture strip by strip, from the top, so that nobody holds all of them:
    a grey one for each component, whose 255 is the greatest value.

    Of a picture without inks nothing is yielded; it is read to see whether it is whole.
    """
    if picture.width < 1 or picture.height < 1:
        raise DamageError("it has no size")
    if picture.width * picture.height > MOST_PIXELS:
        raise UnreadableError
    if picture.inline and not picture.is_inked:
        return
    try:
        for strip in _list_strips(picture):
            yield _invert(picture, strip)
    except (NotImplementedError, Image.DecompressionBombError):
        raise UnreadableError from None  # packed in a way that only other programs unpack
    except (*BROKEN, OSError, StopIteration) as error:
        if picture.inline:
            raise UnreadableError from None  # pikepdf reads few of these
        raise DamageError(_name_damage(error)) from None


def _name_damage(error: BaseException) -> str:
    return "its data ends early" if "truncated" in str(error) else "its data cannot be unpacked"


def _list_strips(picture: Picture) -> Iterator[list[Any]]:
    last = picture.filters[-1] if picture.filters else ""
    if last in ("DCTDecode", "JPXDecode"):
        if len(picture.filters) > 1:
            raise UnreadableError
        yield from _open_picture(picture, last)
    elif last in ("CCITTFaxDecode", "JBIG2Decode"):
        raise UnreadableError
    else:
        yield from _split_rows(picture)


def _open_picture(picture: Picture, kind: str) -> Iterator[list[Any]]:
    """Yield the strips of a JPEG, or of a JPEG 2000 picture."""
    with Image.open(BytesIO(picture.thing.read_raw_bytes())) as image:
        if not picture.is_inked:
            image.draft(None, (picture.width // 8, picture.height // 8))  # read as far, not as fine
            image.load()
            return
        # Pillow takes every CMYK JPEG for one that Photoshop has inverted.
        inverted = image.mode == "CMYK" and kind == "DCTDecode"
        height = _choose_height(image.width)
        for top in range(0, image.height, height):
            strip = image.crop((0, top, image.width, min(top + height, image.height)))
            yield [ImageChops.invert(band) if inverted else band for band in strip.split()]


def _choose_height(width: int) -> int:
    """Return how many rows of a picture are looked at together."""
    return max(1, _STRIP // (width * _ROWS)) * _ROWS


def _split_rows(picture: Picture) -> Iterator[list[Any]]:
    """Yield the strips of a picture whose samples stand row by row."""
    row = _measure_row(picture)
    if not row:
        return
    height = _choose_height(picture.width)
    left, read = picture.height, 0
    for data in _unpack(picture, row * height, row * picture.height):
        rows = min(len(data) // row, left)
        left -= rows
        read += len(data)
        if picture.is_inked and rows:
            try:
                yield _split(picture, data, rows)
            except BROKEN:
                raise UnreadableError from None
    # Some programs leave the end of the last row out.
    if read <= row * (picture.height - 1):
        raise DamageError("its data ends early")


def _unpack(picture: Picture, size: int, most: int) -> Iterator[bytes]:
    """Yield the samples of a picture, so many bytes at once and as many as it needs.

    What is not packed plainly, or is damaged, is left to pikepdf, which unpacks it as a whole.
    """
    given = 0
    if picture.filters == ("FlateDecode",) and not picture.inline and not _has_settings(picture):
        with suppress(zlib.error):
            for data in _inflate(picture.thing.get_raw_stream_buffer(), size):
                if given < most:  # the rest is read to see whether it is whole
                    yield data
                    given += len(data)
            if given >= most:
                return
    level = {} if picture.inline else {"decode_level": StreamDecodeLevel.specialized}
    data = bytes(picture.thing.read_bytes(**level))
    for start in range(given, len(data), size):
        yield data[start : start + size]


def _inflate(packed: Any, size: int) -> Iterator[bytes]:
    """Yield what is packed by Flate, so many bytes at once."""
    opened = zlib.decompressobj()
    ahead = memoryview(packed)
    found = b""
    while not opened.eof:
        fed: Any = opened.unconsumed_tail
        if not fed:
            fed, ahead = ahead[:_FED], ahead[_FED:]
        more = opened.decompress(fed, size - len(found))
        if not fed and not more:
            break
        found += more
        if len(found) == size:
            yield found
            found = b""
    if found:
        yield found
    if not opened.eof:
        raise zlib.error


def _has_settings(picture: Picture) -> bool:
    return find_value(picture.thing, "/DecodeParms") is not None


def _measure_row(picture: Picture) -> int:
    """Return the bytes that a row of pixels takes; 0 where that is not known."""
    if picture.space is None:
        return (picture.width + 7) // 8
    if picture.space.kind in ("unknown", "pattern"):
        return 0
    return (picture.width * picture.space.components * _read_depth(picture) + 7) // 8


def _split(picture: Picture, data: bytes, rows: int) -> list[Any]:
    """Return the components of rows of 8 or 16 bits, or of one component with 1 bit."""
    assert picture.space is not None
    count, size = picture.space.components, (picture.width, rows)
    bits = _read_depth(picture)
    if bits == 16:
        data, bits = data[0::2], 8
    if bits == 8 and count in _PACKED:
        return list(Image.frombytes(_PACKED[count], size, data).split())
    if bits == 8:
        return [
            Image.frombytes("L", size, data[at : picture.width * rows * count : count])
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
