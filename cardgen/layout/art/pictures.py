"""A picture file checked, and placed into a box on a face.

Knows nothing of templates or PDF, and decodes no pixel that it need not: output does.
"""

from __future__ import annotations

import math
import struct
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cardgen.core.errors import CardgenError, Refusal, Where
from cardgen.core.geometry import Rect
from cardgen.layout.face import Picture

if TYPE_CHECKING:
    from PIL import Image


Mode = Literal["rgb", "cmyk", "grey"]
FileFormat = Literal["png", "jpeg"]
PictureFit = Literal["cover", "contain"]

_MAX_MEGAPIXELS = 100
_SLACK = 0.01
_FORMATS: tuple[tuple[bytes, FileFormat], ...] = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
)
_GREY_MODES = ("1", "F", "I", "L", "LA", "La")
_ORIENTATION = 0x0112
# The errors that Pillow raises over broken files.
_BROKEN = (OSError, SyntaxError, ValueError, EOFError, struct.error)

_SAVE_AS = "save it as PNG or JPEG"


@dataclass(frozen=True, slots=True)
class PictureInfo:
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
    """Return the size and colours of a PNG or JPEG file, once it is sure to be whole."""
    try:
        return _read(path)
    except Refusal as refusal:
        message = f'picture "{path.name}" {refusal.message}'
        raise CardgenError(
            refusal.code, message, where, refusal.hint, details=refusal.details
        ) from refusal


def place_picture(info: PictureInfo, box: Rect, fit: PictureFit, radius: float) -> Picture:
    """Return the picture centred: whole inside the box (contain), or filling it (cover)."""
    scales = (box.width / info.width, box.height / info.height)
    scale = max(scales) if fit == "cover" else min(scales)
    width, height = info.width * scale, info.height * scale
    frame = Rect(box.x + (box.width - width) / 2, box.y + (box.height - height) / 2, width, height)
    clip = box if fit == "cover" else frame
    radius = min(radius, clip.width / 2, clip.height / 2)
    return Picture(info.path, frame, clip, radius, measure_dpi(info, frame))


def mirror_picture(info: PictureInfo, box: Rect, reach: Rect, fit: PictureFit) -> Iterator[Picture]:
    """Yield the picture within its box, and what runs on beyond it: its own art as far as it goes,
    and then its mirror image.
    """
    placed = place_picture(info, box, fit, 0.0)
    frame = placed.frame
    clip = frame.meet(reach) if fit == "cover" else placed.clip
    yield placed._replace(clip=clip)
    across = _list_bands((box.x, box.right), (clip.x, clip.right), (reach.x, reach.right))
    down = _list_bands((box.y, box.bottom), (clip.y, clip.bottom), (reach.y, reach.bottom))
    for row in down:
        for column in across:
            if row.axis is None and column.axis is None:
                continue
            x, width = _mirror(frame.x, frame.width, column.axis)
            y, height = _mirror(frame.y, frame.height, row.axis)
            strip = Rect(column.start, row.start, column.end - column.start, row.end - row.start)
            yield placed._replace(frame=Rect(x, y, width, height), clip=strip)


class _Band(NamedTuple):
    """A part of one direction; axis: where it is mirrored."""

    start: float
    end: float
    axis: float | None = None


def _list_bands(
    box: tuple[float, float], clip: tuple[float, float], reach: tuple[float, float]
) -> list[_Band]:
    """Return the picture itself, and what it lacks where it fills its box to the edge."""
    bands = [_Band(*clip)]
    if reach[0] < clip[0] - _SLACK and clip[0] <= box[0] + _SLACK:
        bands.append(_Band(reach[0], clip[0], clip[0]))
    if reach[1] > clip[1] + _SLACK and clip[1] >= box[1] - _SLACK:
        bands.append(_Band(clip[1], reach[1], clip[1]))
    return bands


def _mirror(start: float, length: float, axis: float | None) -> tuple[float, float]:
    """Return a side that runs backwards from the other end."""
    return (start, length) if axis is None else (2 * axis - start, -length)


def measure_dpi(info: PictureInfo, frame: Rect) -> float:
    """Return the pixels on each inch of paper when the whole picture fills the frame."""
    return min(info.width / frame.width, info.height / frame.height) * 72


@lru_cache(maxsize=1024)
def _read(path: Path) -> PictureInfo:
    from PIL import Image

    file_format = _read_format(path)
    with warnings.catch_warnings():
        # Pillow warns of what is refused here anyway, or of what does no harm.
        warnings.simplefilter("ignore")
        try:
            with Image.open(path, formats=("PNG", "JPEG")) as image:
                if image.width * image.height > _MAX_MEGAPIXELS * 1_000_000:
                    raise Image.DecompressionBombError
                info = _describe(path, image, file_format)
                _verify(image, file_format)
        except Image.DecompressionBombError as error:
            raise Refusal(
                "picture/too-large",
                f"has more than {_MAX_MEGAPIXELS} megapixels",
                "scale it down",
                {"most": _MAX_MEGAPIXELS},
            ) from error
        except _BROKEN as error:
            raise Refusal(
                "picture/broken", "is broken or cut short", "save it again as PNG or JPEG"
            ) from error
    return info


def _read_format(path: Path) -> FileFormat:
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise Refusal("picture/cannot-be-read", f"cannot be read: {error.strerror}") from error
    if not head:
        raise Refusal("picture/broken", "is an empty file", _SAVE_AS)
    for start, file_format in _FORMATS:
        if head.startswith(start):
            return file_format
    raise Refusal("picture/unknown-format", "is neither a PNG nor a JPEG", _SAVE_AS)


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
    if file_format == "png" and "exif" not in image.info:
        # Pillow would decode all pixels in search of it.
        return 1
    try:
        orientation = image.getexif().get(_ORIENTATION, 1)
    except _BROKEN:
        return 1
    return orientation if isinstance(orientation, int) and 1 <= orientation <= 8 else 1


def _read_dpi(pair: Any) -> float | None:
    try:
        dpi = min(float(value) for value in pair)
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    return dpi if math.isfinite(dpi) and dpi > 0 else None


def _verify(image: Image.Image, file_format: FileFormat) -> None:
    """Check that a file is whole.

    A PNG has checksums. A JPEG must be decoded, which is fastest when it becomes small.
    """
    if file_format == "png":
        image.verify()
    else:
        image.draft(None, (1, 1))
        image.load()
