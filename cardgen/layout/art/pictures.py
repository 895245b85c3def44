"""A picture file checked, and placed into a box on a face.

Knows nothing of templates or PDF, and decodes no pixel that it need not: output does.
"""

from __future__ import annotations

import math
import os
import re
import struct
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cardgen.core.errors import CardgenError, Refusal, Where
from cardgen.core.geometry import Rect, Size
from cardgen.layout.face import Picture

if TYPE_CHECKING:
    from PIL import Image


Mode = Literal["rgb", "cmyk", "grey"]
FileFormat = Literal["png", "jpeg", "webp", "gif", "avif", "tiff", "bmp"]
PictureFit = Literal["cover", "contain"]
RunOn = Literal["mirror", "stretch"]

_SLACK = 0.01
_OVERLAP = 0.06  # points
_DRAWN_OUT = 0.85  # points: 0.3 mm
MOST_TILES = 2_500
_MEGA = 1_000_000
MOST_PIXELS = 100 * _MEGA
# Their decoders hold several copies of all pixels, and the whole file.
_FEWER: Mapping[FileFormat, int] = {"webp": 50 * _MEGA, "avif": 50 * _MEGA}
_MOST_BYTES = 500 * _MEGA
_HEAD = 32  # bytes that tell the format, and of a WebP the size
_SIGNATURES: tuple[tuple[re.Pattern[bytes], FileFormat], ...] = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "png"),
    (re.compile(rb"\xff\xd8\xff"), "jpeg"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "webp"),
    (re.compile(rb"GIF8[79]a"), "gif"),
    (re.compile(rb"....ftyp(avif|avis|(mif1|msf1).{4,12}avi[fs])", re.DOTALL), "avif"),
    (re.compile(rb"II[*+]\0|MM\0[*+]"), "tiff"),
    (re.compile(rb"BM.{4}\0\0\0\0", re.DOTALL), "bmp"),
)
# What else people take for a picture that can be printed as it is.
_OTHERS: tuple[tuple[re.Pattern[bytes], str], ...] = (
    (re.compile(rb"....ftyp(hei|hev|mif1|msf1)", re.DOTALL), "a HEIC picture"),
    (re.compile(rb"....(ftypjp2|jP  )|\xff\x4f\xff\x51", re.DOTALL), "a JPEG 2000 picture"),
    (re.compile(rb"8BPS"), "a Photoshop file"),
    (re.compile(rb"%PDF-"), "a PDF"),
    (re.compile(rb"\s*<\?xml|\s*<svg"), "an SVG drawing"),
)
_GREY_MODES = ("1", "F", "I", "L", "LA", "La")
# What no file has 8 or 16 bits a channel of.
_STRANGE_MODES = ("F", "LAB", "HSV")
_ORIENTATION = 0x0112
# The errors that Pillow raises over broken files.
BROKEN = (
    *(OSError, SyntaxError, ValueError, EOFError, RuntimeError, struct.error),
    *(ArithmeticError, AssertionError, AttributeError, LookupError, TypeError),
)

_SAVE_AS = "save it as PNG or JPEG"
_FORMATS = "PNG, JPEG, WebP, GIF, AVIF, TIFF or BMP"


class PictureInfo(NamedTuple):
    """A picture as it is seen: width and height, in pixels, are those of the upright picture.

    A `turned` one lies differently in its file, and is turned by its EXIF orientation when drawn.
    """

    path: Path
    width: int
    height: int
    mode: Mode
    has_alpha: bool
    format: FileFormat
    dpi: float | None
    turned: bool


def read_picture(path: Path, where: Where | None = None) -> PictureInfo:
    """Return the size and colours of a picture file, once it is sure to be whole.

    Of several pictures in one file, as of a film, the first counts.
    """
    try:
        return _read(path)
    except Refusal as refusal:
        message = f'picture "{path.name}" {refusal.message}'
        raise CardgenError.of([refusal.at(where, message=message)]) from refusal


def place_picture(info: PictureInfo, box: Rect, fit: PictureFit, radius: float) -> Picture:
    """Return the picture centred: whole inside the box (contain), or filling it (cover)."""
    frame, clip = place_frame(Size(info.width, info.height), box, fit)
    radius = min(radius, clip.width / 2, clip.height / 2)
    return Picture(info.path, frame, clip, radius, fineness=info.width / frame.width)


def tile_picture(info: PictureInfo, box: Rect, width: float) -> Iterator[Picture]:
    """Yield the picture again and again, from the top left of a box to where it ends."""
    for frame, clip in tile_frames(Size(info.width, info.height), box, width):
        yield Picture(info.path, frame, clip, 0.0, fineness=info.width / width)


def tile_frames(size: Size, box: Rect, width: float) -> Iterator[tuple[Rect, Rect]]:
    """Yield where something of this shape lies again and again, and what of it is seen."""
    height = width * size.height / size.width
    across, down = ceil(box.width / width - _SLACK), ceil(box.height / height - _SLACK)
    if across * down > MOST_TILES:
        raise Refusal(
            "layout/too-many-tiles",
            f"a picture would be repeated {across * down:,} times, more than {MOST_TILES:,}",
            "give it a larger tile-size, or repeat it in the picture itself",
            {"tiles": across * down, "most": MOST_TILES},
        )
    for row in range(down):
        for column in range(across):
            x, y = box.x + column * width, box.y + row * height
            # Each lies a little over its neighbours, so that nothing is seen between them.
            frame = Rect(x, y, width + _OVERLAP, height + _OVERLAP)
            yield frame, frame.meet(box)


def place_frame(size: Size, box: Rect, fit: PictureFit) -> tuple[Rect, Rect]:
    """Return where something of this shape lies in a box, and what of it is seen."""
    scales = (box.width / size.width, box.height / size.height)
    scale = max(scales) if fit == "cover" else min(scales)
    width, height = size.width * scale, size.height * scale
    frame = Rect(box.x + (box.width - width) / 2, box.y + (box.height - height) / 2, width, height)
    return frame, box if fit == "cover" else frame


def run_on_picture(
    info: PictureInfo, box: Rect, reach: Rect, fit: PictureFit, way: RunOn
) -> Iterator[Picture]:
    """Yield the picture within its box, and what runs on beyond it: its own art as far as it goes,
    and then its mirror image, or its edge drawn out.
    """
    placed = place_picture(info, box, fit, 0.0)
    for frame, clip in run_on_frames(Size(info.width, info.height), box, reach, fit, way):
        yield placed._replace(frame=frame, clip=clip)


def run_on_frames(
    size: Size, box: Rect, reach: Rect, fit: PictureFit, way: RunOn
) -> Iterator[tuple[Rect, Rect]]:
    """Yield where something of this shape lies, and what of it is seen: first itself, and then
    what runs on beyond its box. A frame that runs backwards shows it as in a mirror, and a longer
    one drawn out.
    """
    frame, clip = place_frame(size, box, fit)
    if fit == "cover":
        clip = frame.meet(reach)
    yield frame, clip
    across = _list_bands((box.x, box.right), (clip.x, clip.right), (reach.x, reach.right), way)
    down = _list_bands((box.y, box.bottom), (clip.y, clip.bottom), (reach.y, reach.bottom), way)
    for row in down:
        for column in across:
            if row.axis is None and column.axis is None:
                continue
            x, width = column.turn_over(frame.x, frame.width)
            y, height = row.turn_over(frame.y, frame.height)
            strip = Rect(column.start, row.start, column.end - column.start, row.end - row.start)
            yield Rect(x, y, width, height), strip


class _Band(NamedTuple):
    """A part of one direction; axis: where it is mirrored, longer: how many times as long."""

    start: float
    end: float
    axis: float | None = None
    longer: float = 1.0

    def turn_over(self, start: float, length: float) -> tuple[float, float]:
        """Return a side that runs backwards from the axis; as it is where there is none."""
        if self.axis is None:
            return start, length
        return self.axis + (self.axis - start) * self.longer, -length * self.longer


def _list_bands(
    box: tuple[float, float], clip: tuple[float, float], reach: tuple[float, float], way: RunOn
) -> list[_Band]:
    """Return the picture itself, and what it lacks where it fills its box to the edge."""
    edge = min(_DRAWN_OUT, (clip[1] - clip[0]) / 2)  # as much of it is drawn out

    def band(start: float, end: float, axis: float) -> _Band:
        return _Band(start, end, axis, max((end - start) / edge, 1.0) if way == "stretch" else 1.0)

    bands = [_Band(*clip)]
    if reach[0] < clip[0] - _SLACK and clip[0] <= box[0] + _SLACK:
        bands.append(band(reach[0], clip[0], clip[0]))
    if reach[1] > clip[1] + _SLACK and clip[1] >= box[1] - _SLACK:
        bands.append(band(clip[1], reach[1], clip[1]))
    return bands


@lru_cache(maxsize=1024)
def _read(path: Path) -> PictureInfo:
    from PIL import Image

    file_format, head = _read_head(path)
    most = _FEWER.get(file_format, MOST_PIXELS)
    with warnings.catch_warnings(), _quiet() if file_format == "tiff" else nullcontext():
        # Pillow warns of what is refused here anyway, or of what does no harm.
        warnings.simplefilter("ignore")
        Image.MAX_IMAGE_PIXELS = MOST_PIXELS
        try:
            if file_format == "webp" and _count_webp(head) > most:  # opening takes its memory
                raise Image.DecompressionBombError
            with Image.open(path, formats=(file_format.upper(),)) as image:
                if image.width * image.height > most:
                    raise Image.DecompressionBombError
                if image.mode in _STRANGE_MODES or (image.mode == "I" and file_format == "tiff"):
                    raise _refuse_pixels(image.mode)
                info = _describe(path, image, file_format)
                _verify(image, file_format)
        except Image.DecompressionBombError as error:
            raise Refusal(
                "picture/too-large",
                f"has more than {most // _MEGA} megapixels",
                "scale it down",
                {"most": most // _MEGA},
            ) from error
        except Refusal:
            raise
        except BROKEN as error:
            raise Refusal(
                "picture/broken", "is broken or cut short", "save it again as PNG or JPEG"
            ) from error
    return info


def _read_head(path: Path) -> tuple[FileFormat, bytes]:
    """Return the format of a file, and its first bytes."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise Refusal("picture/cannot-be-read", f"cannot be read: {error.strerror}") from error
    if not head:
        raise Refusal("picture/broken", "is an empty file", _SAVE_AS)
    if size > _MOST_BYTES:
        raise Refusal(
            "picture/too-large",
            f"is a file of more than {_MOST_BYTES // _MEGA} MB",
            "scale it down",
            {"most": _MOST_BYTES // _MEGA},
        )
    for signature, file_format in _SIGNATURES:
        if signature.match(head):
            if file_format == "avif" and not _has_avif():
                raise Refusal(
                    "picture/unknown-format", "is an AVIF, which Pillow cannot read here", _SAVE_AS
                )
            return file_format, head
    kind = next((kind for signature, kind in _OTHERS if signature.match(head)), "")
    raise Refusal(
        "picture/unknown-format",
        f"is {kind}, not a {_FORMATS}" if kind else f"is not a {_FORMATS}",
        _SAVE_AS,
    )


def _has_avif() -> bool:
    from PIL import features

    return bool(features.check("avif"))


def _count_webp(head: bytes) -> int:
    """Return how many pixels a WebP has by its head; 0 where it does not say."""
    kind = head[12:16]
    if kind == b"VP8X":
        return (int.from_bytes(head[24:27], "little") + 1) * (
            int.from_bytes(head[27:30], "little") + 1
        )
    if kind == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        return ((bits & 0x3FFF) + 1) * ((bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8 ":
        width, height = (int.from_bytes(head[at : at + 2], "little") for at in (26, 28))
        return (width & 0x3FFF) * (height & 0x3FFF)
    return 0


def _refuse_pixels(mode: str) -> Refusal:
    kind = {"LAB": "Lab colours", "HSV": "HSV colours"}.get(mode, "numbers of 32 bits")
    return Refusal(
        "picture/unknown-pixels",
        f"has pixels in {kind}",
        "save it in RGB, CMYK or grey with 8 or 16 bits a channel",
        {"mode": mode},
    )


def _describe(path: Path, image: Image.Image, file_format: FileFormat) -> PictureInfo:
    orientation = _read_orientation(image, file_format)
    width, height = image.size if orientation < 5 else reversed(image.size)
    return PictureInfo(
        path=path,
        width=width,
        height=height,
        mode=_read_mode(image),
        has_alpha=image.has_transparency_data,
        format=file_format,
        dpi=_read_dpi(image.info.get("dpi")),
        turned=orientation > 1,
    )


def _read_mode(image: Image.Image) -> Mode:
    if image.mode == "CMYK":
        return "cmyk"
    return "grey" if image.mode.split(";")[0] in _GREY_MODES else "rgb"


def _read_orientation(image: Image.Image, file_format: FileFormat) -> int:
    """Return a number from 1, upright, to 8; from 5 on, width and height are swapped."""
    if file_format == "tiff" or (file_format == "png" and "exif" not in image.info):
        # Pillow turns a TIFF itself; it would decode all pixels of a PNG in search of one.
        return 1
    try:
        orientation = image.getexif().get(_ORIENTATION, 1)
    except BROKEN:
        return 1
    return orientation if isinstance(orientation, int) and 1 <= orientation <= 8 else 1


def _read_dpi(pair: Any) -> float | None:
    try:
        dpi = min(float(value) for value in pair)
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    # A TIFF that says nothing has 1.
    return dpi if math.isfinite(dpi) and dpi > 1 else None


def _verify(image: Image.Image, file_format: FileFormat) -> None:
    """Check that a file is whole.

    A PNG has checksums, but what they are of may be no film where it says so. All else must be
    decoded, a JPEG fastest when it becomes small.
    """
    if file_format == "png" and not getattr(image, "is_animated", False):
        image.verify()
        return
    if file_format == "jpeg":
        image.draft(None, (1, 1))
    image.load()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep back what libtiff would print of a broken file, which is refused anyway."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)
