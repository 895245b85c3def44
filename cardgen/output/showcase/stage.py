"""A picture in the making: panels seen by a camera are laid on it with their shadows.

It is drawn finer than it is, and smooth once it is made smaller at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, hypot

from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

from cardgen.output.showcase.space import Quad, find_warp

FINER = 2  # how much finer than its pixels all is drawn
_FRINGE = 2
_SOFT = 4  # the pixels of a blur that need not be drawn finer
_SHADOW = (16, 12, 20)
Ground = tuple[int, int, int]


class Stage:
    """A picture of some size, clear at first."""

    def __init__(self, width: int, height: int) -> None:
        self.size = width * FINER, height * FINER
        self._image = Image.new("RGBA", self.size, (0, 0, 0, 0))

    def put(self, picture: Image.Image, quad: Quad, light: float = 1.0) -> None:
        """Lay a picture down; `light` is how bright it is, of 1."""
        box = self._find_box(quad, 2)
        if box is None:
            return
        if light != 1.0:
            alpha = picture.getchannel("A")
            picture = ImageEnhance.Brightness(picture.convert("RGB")).enhance(light)
            picture.putalpha(alpha)
        self._image.alpha_composite(_warp(picture, quad, box), box[:2])

    def cast(
        self, corners: Quad, blur: float, strength: float, mask: Image.Image | None = None
    ) -> None:
        """Cast a soft shadow of a picture's shape, or of a whole polygon, on all that is there."""
        box = self._find_box(corners, ceil(blur * 3))
        if box is None:
            return
        # What is soft needs few pixels.
        coarse = max(1, floor(blur / _SOFT))
        size = max(1, (box[2] - box[0]) // coarse), max(1, (box[3] - box[1]) // coarse)
        quad = tuple(((x - box[0]) / coarse, (y - box[1]) / coarse) for x, y in corners)
        if mask is None:
            shape = Image.new("L", size, 0)
            ImageDraw.Draw(shape).polygon(quad, fill=255)
        else:
            shape = _warp(mask, quad, (0, 0, *size)).getchannel("A")
        shape = shape.filter(ImageFilter.GaussianBlur(blur / coarse))
        shape = shape.resize((box[2] - box[0], box[3] - box[1]), Image.Resampling.BICUBIC)
        shadow = Image.new("RGBA", shape.size, (*_SHADOW, 0))
        shadow.putalpha(shape.point([round(value * strength) for value in range(256)]))
        self._image.alpha_composite(shadow, box[:2])

    def fill(self, corners: Quad, colour: Ground) -> None:
        """Fill a polygon."""
        ImageDraw.Draw(self._image).polygon(corners, fill=(*colour, 255))

    def finish(self, ground: Ground | None) -> Image.Image:
        """Return the picture, clear where nothing is, or on a ground that is lit from above."""
        image = self._image
        size = self.size[0] // FINER, self.size[1] // FINER
        if ground is not None:
            whole = _light_ground(self.size, ground)
            whole.alpha_composite(image)
            return whole.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        # What is clear has no colour that could shine through at edges.
        return image.convert("RGBa").resize(size, Image.Resampling.LANCZOS).convert("RGBA")

    def _find_box(self, quad: Quad, more: int) -> tuple[int, int, int, int] | None:
        left = max(0, floor(min(x for x, _ in quad)) - more)
        top = max(0, floor(min(y for _, y in quad)) - more)
        right = min(self.size[0], ceil(max(x for x, _ in quad)) + more)
        bottom = min(self.size[1], ceil(max(y for _, y in quad)) + more)
        return (left, top, right, bottom) if right > left and bottom > top else None


def _warp(picture: Image.Image, quad: Quad, box: Sequence[int]) -> Image.Image:
    """Return a picture as it fills a quad, cut to a box."""
    sides = [
        hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(quad, (*quad[1:], quad[0]), strict=True)
    ]
    width, height = max(sides[0], sides[2]), max(sides[1], sides[3])
    # A picture that is much larger than it is seen would glitter.
    size = (
        max(4, round(min(picture.width, width * 1.1))),
        max(4, round(min(picture.height, height * 1.1))),
    )
    if size != picture.size:
        picture = picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)
    padded = _pad(picture)
    local = tuple((x - box[0], y - box[1]) for x, y in quad)
    numbers = find_warp(local, *size)
    # The padded picture begins a little before the picture.
    a, b, c, d, e, f, g, h = numbers
    moved = (
        a + _FRINGE * g,
        b + _FRINGE * h,
        c + _FRINGE,
        d + _FRINGE * g,
        e + _FRINGE * h,
        f + _FRINGE,
        g,
        h,
    )
    extent = box[2] - box[0], box[3] - box[1]
    return padded.transform(extent, Image.Transform.PERSPECTIVE, moved, Image.Resampling.BICUBIC)


def _pad(picture: Image.Image) -> Image.Image:
    """Return a picture with a clear fringe in its own colours, so that its edges become soft."""
    width, height = picture.size
    wide = Image.new("RGB", (width + 2 * _FRINGE, height + 2 * _FRINGE))
    colours = picture.convert("RGB")
    wide.paste(colours.resize(wide.size, Image.Resampling.NEAREST), (0, 0))
    wide.paste(colours, (_FRINGE, _FRINGE))
    alpha = Image.new("L", wide.size, 0)
    alpha.paste(picture.getchannel("A"), (_FRINGE, _FRINGE))
    wide.putalpha(alpha)
    return wide


def _light_ground(size: tuple[int, int], colour: Ground) -> Image.Image:
    """Return a ground that is a little lighter in the middle and darker to the corners."""
    spot = Image.radial_gradient("L").resize(size, Image.Resampling.BICUBIC)
    light = Image.new("RGB", size, tuple(min(255, round(value * 1.05 + 6)) for value in colour))
    dark = Image.new("RGB", size, tuple(round(value * 0.86) for value in colour))
    return Image.composite(dark, light, spot).convert("RGBA")
