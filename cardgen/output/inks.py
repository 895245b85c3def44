"""The inks that a target prints with: its profile, and colours and pictures turned into them.

CMYK stays as it is unless it lays down too much ink; RGB goes through LittleCMS, and what is
neutral in it becomes black alone. Knows nothing of content streams.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from itertools import pairwise
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardgen.core.colour import BLACK, Colour, Stops
from cardgen.core.errors import CardgenError, Where
from cardgen.pages.target import Colours, Target

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageCms import ImageCmsTransform


_NEEDED = (
    'needed is an output profile (class "prtr") for CMYK, as the printer gives, or one of ours: '
    "coated-fogra39-300, coated-fogra39-240"
)
_KINDS = {
    "scnr": "a scanner or camera",
    "mntr": "a screen",
    "prtr": "a printer",
    "link": "a link of two devices",
    "spac": "a colour space",
    "abst": "an effect",
    "nmcl": "named colours",
}
_HEAD = 128
_MOST_BYTES = 50_000_000  # the largest have three
# What printing conditions are registered as at color.org.
_REGISTERED = re.compile(r"FOGRA\d+|CGATS TR ?\d+|IFRA\d+|JC200103", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Profile:
    """An output profile for CMYK; `name` is what it calls itself."""

    path: Path
    name: str
    version: int  # of the ICC's format: 2 or 4
    data: bytes = field(repr=False)

    @property
    def condition(self) -> str | None:
        """The registered name of the printing condition, where the profile's own name holds it."""
        found = _REGISTERED.search(self.name)
        return found[0].upper() if found else None


def read_profile(path: Path, where: Where | None = None) -> Profile:
    """Return a profile that colours can be turned with; an error says what any other file is."""
    from PIL import ImageCms

    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES)
    except OSError as error:
        raise CardgenError(
            "press/unreadable-profile",
            f'the profile "{path.name}" cannot be read: {error.strerror}',
            where,
            details={"name": path.name},
        ) from error
    if len(data) < _HEAD or data[36:40] != b"acsp":
        raise CardgenError(
            "press/no-profile",
            f'"{path.name}" is no ICC profile',
            where,
            _NEEDED,
            details={"name": path.name},
        )
    kind, space = (data[at : at + 4].decode("latin-1").strip() for at in (12, 16))
    if kind != "prtr" or space != "CMYK":
        shown = _KINDS.get(kind, "an unknown use")
        raise CardgenError(
            "press/wrong-profile",
            f'the profile "{path.name}" is one for {shown} in {space} (class "{kind}")',
            where,
            _NEEDED,
            details={"name": path.name, "kind": kind, "space": space},
        )
    if int.from_bytes(data[:4], "big") > len(data):
        raise _make_broken_error(path, where)
    try:
        name = _try_profile(data)
    except (OSError, ImageCms.PyCMSError) as error:
        raise _make_broken_error(path, where) from error
    return Profile(path, name or path.stem, data[8], data)


@lru_cache(maxsize=8)
def _try_profile(data: bytes) -> str:
    """Return what a profile is called; one of which only the head is whole fails here, not in the
    middle of a build.
    """
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(BytesIO(data))
    for source, target in ((profile, profile), (ImageCms.createProfile("sRGB"), profile)):
        modes = ("CMYK" if source is profile else "RGB"), "CMYK"
        ImageCms.buildTransform(source, target, *modes, ImageCms.Intent.RELATIVE_COLORIMETRIC)
    return str(ImageCms.getProfileDescription(profile).strip())


def _make_broken_error(path: Path, where: Where | None) -> CardgenError:
    return CardgenError(
        "press/broken-profile",
        f'the profile "{path.name}" is broken or cut short',
        where,
        f"copy it anew; {_NEEDED}",
        details={"name": path.name},
    )


# So many pixels are turned or weighed at once: each takes some 40 bytes on the way.
_STRIP = 1_000_000
_KEY = 3  # the number of black
_ROUNDED = 0.5 / 255  # as much more of an ink may be printed, for a plate has 255 steps
_FINER = 16  # parts of a gradient between two stops
_RED, _GREEN, _BLUE = 0.299, 0.587, 0.114


class Inks:
    """The inks of one target; each colour is turned into them once.

    seen: whether they are turned back to how they look, as sRGB: for pictures, which have no inks
    plate: the one ink, counted from 0, that is printed by itself, as grey
    """

    def __init__(
        self,
        inking: Colours = "given",
        profile: Profile | None = None,
        limit: int | None = None,
        *,
        seen: bool = False,
        plate: int | None = None,
    ) -> None:
        self._inking = inking
        self._seen = seen
        self._plate = plate
        self._profile = profile
        self._limit = limit / 100 if limit is not None and inking == "cmyk" else None
        self._turned: dict[Colour, Colour] = {}

    def make_plate(self, number: int) -> Inks:
        """Return one of these inks by itself, which are those of a press."""
        return Inks(self._inking, self._profile, None, plate=number)

    @property
    def plate(self) -> int | None:
        return self._plate

    @property
    def keeps_all(self) -> bool:
        return self._inking == "given" and not self._seen

    @property
    def keeps_grey(self) -> bool:
        return self._plate is None

    @property
    def keeps_rgb(self) -> bool:
        return self._inking == "given"

    @property
    def keeps_cmyk(self) -> bool:
        """Whether CMYK that keeps the limit stays as it is."""
        return self._inking != "grey" and not self._seen and self._plate is None

    @property
    def is_limited(self) -> bool:
        """Whether there is a most of ink."""
        return self._limit is not None

    @property
    def room_below_black(self) -> float | None:
        """How much colour may lie below black that takes nothing away; None where all may."""
        return None if self._limit is None else self._limit - 1 - 3 * _ROUNDED

    def turn(self, colour: Colour) -> Colour:
        """Return the colour as it is printed."""
        turned = self._turned.get(colour)
        if turned is None:
            turned = self._turn(colour)
            if self._seen:
                turned = self._see(turned)
            if self._plate is not None:
                turned = _take_plate(turned, self._plate)
            self._turned[colour] = turned
        return turned

    def turn_stops(self, stops: Stops) -> Stops:
        """Return the stops of a gradient as they are printed. Inks that are shown as they look do
        not mix as light does, so there are more stops between them. All are in one space.
        """
        if not self._seen:
            return tuple((at, self.turn(colour)) for at, colour in stops)
        printed = [(at, self._turn(colour)) for at, colour in stops]
        finer = list[tuple[float, Colour]]()
        for (start, first), (end, second) in pairwise(printed):
            mixes = end > start and first != second and first.space == "cmyk"
            for step in range(_FINER if mixes else 1):
                share = step / _FINER
                pairs = zip(first.values, second.values, strict=True)
                mixed = Colour(first.space, tuple(a + (b - a) * share for a, b in pairs))
                finer.append((start + (end - start) * share, mixed))
        finer.append(printed[-1])
        return tuple((at, self._see(colour)) for at, colour in finer)

    def turn_tints(self, colour: Colour) -> list[Colour]:
        """Return 256 tints of a colour as they are printed, from itself to the white of paper."""
        printed = self._turn(colour) if self._seen else self.turn(colour)
        light = printed.space != "cmyk"
        tints = [
            Colour(
                printed.space,
                tuple(1 - (1 - v) * share if light else v * share for v in printed.values),
            )
            for share in (1 - step / 255 for step in range(256))
        ]
        return list(map(self._see, tints)) if self._seen else tints

    def _see(self, colour: Colour) -> Colour:
        """Return how what is printed looks."""
        return self._move_colour(colour, "RGB") if colour.space == "cmyk" else colour

    def prints_black(self, colour: Colour) -> bool:
        """Whether a colour is printed in black ink alone, and all of it."""
        if self._plate is not None:
            return self._turn(colour) == BLACK
        return self.turn(colour) == BLACK

    def list_used(self) -> frozenset[Colour]:
        """Return all colours that were asked for, as they are printed."""
        return frozenset(self._turned.values())

    def turn_picture(self, image: Image) -> Image:
        """Return a picture as it is printed; it is RGB, CMYK or L, and not transparent."""
        turned = self._turn_picture(image)
        if self._plate is not None:
            return _take_picture_plate(turned, self._plate)
        return self._move(turned, "RGB") if self._seen and turned.mode == "CMYK" else turned

    def make_grey(self, image: Image) -> Image:
        """Return a picture in greys, by how light each of its colours looks."""
        return (self._move(image, "RGB") if image.mode == "CMYK" else image).convert("L")

    def _turn_picture(self, image: Image) -> Image:
        if self.keeps_rgb or image.mode == "L":
            return image
        if self._inking == "grey":
            return (self._move(image, "RGB") if image.mode == "CMYK" else image).convert("L")
        if image.mode == "RGB":
            return self._limit_picture(self._move(image, "CMYK"))
        return self._limit_picture(image)

    def exceeds(self, image: Image) -> bool:
        """Say whether a CMYK picture has a pixel that lays down too much ink."""
        return self._limit is not None and any(
            strip.getextrema()[1] for strip in map(self._mark_excess, cut_strips(image))
        )

    def _turn(self, colour: Colour) -> Colour:
        if self.keeps_rgb:
            return colour
        if self._inking == "grey":
            return self._turn_grey(colour)
        if colour.space == "cmyk":
            return self._limit_colour(colour)
        values = colour.values
        if len(set(values)) == 1:
            return Colour("cmyk", (0.0, 0.0, 0.0, round(1 - values[0], 3)))
        return self._limit_colour(self._move_colour(colour, "CMYK"), moved=True)

    def _turn_grey(self, colour: Colour) -> Colour:
        if colour.space == "grey":
            return colour
        if colour.space == "cmyk" and not any(colour.values[:3]):
            return Colour("grey", (1 - colour.values[3],))
        if colour.space == "cmyk":
            colour = self._move_colour(colour, "RGB")
        red, green, blue = colour.values
        return Colour("grey", (_RED * red + _GREEN * green + _BLUE * blue,))

    def _limit_colour(self, colour: Colour, *, moved: bool = False) -> Colour:
        limit = self._limit
        if limit is None or sum(colour.values) <= limit + 1e-9:
            return colour
        if not moved:
            colour = self._move_colour(colour, "CMYK")
        limit -= 4 * _ROUNDED
        *tints, black = colour.values
        black = min(black, limit)
        share = min((limit - black) / sum(tints), 1.0) if any(tints) else 0.0
        # As content is written: with three decimals, and none of them rounded up.
        return Colour("cmyk", (*(floor(tint * share * 1000) / 1000 for tint in tints), black))

    def _move_colour(self, colour: Colour, mode: str) -> Colour:
        from PIL import Image

        pixel = bytes(round(value * 255) for value in colour.values)
        moved = self._move(Image.frombytes(colour.space.upper(), (1, 1), pixel), mode)
        values = tuple(round(value / 255, 3) for value in moved.tobytes())
        return Colour("cmyk" if mode == "CMYK" else "rgb", values)

    def _move(self, image: Image, mode: str) -> Image:
        """Turn a picture by the profiles: an RGB picture's own where it has one, else sRGB."""
        from PIL import ImageCms

        if self._profile is None:
            return image.convert(mode)
        own = image.info.get("icc_profile") if image.mode == "RGB" else None
        transform = _get_transform(self._profile.data, image.mode, mode, own or b"")
        moved = ImageCms.applyTransform(image, transform)
        return image if moved is None else moved

    def _limit_picture(self, image: Image) -> Image:
        """Return a CMYK picture whose pixels all keep the limit; those that do stay the same."""
        from PIL import Image as Images

        if not self.exceeds(image):
            return image
        limited = Images.new("CMYK", image.size)
        top = 0
        for strip in cut_strips(image):
            softer = self._clamp(self._move(strip, "CMYK"))
            limited.paste(Images.composite(softer, strip, self._mark_excess(strip)), (0, top))
            top += strip.height
        return limited

    def _mark_excess(self, strip: Image) -> Image:
        from PIL import ImageMath

        limit = floor((self._limit or 4.0) * 255)
        marked: Image = ImageMath.lambda_eval(
            lambda on: (on["c"] + on["m"] + on["y"] + on["k"] > limit) * 255,
            **dict(zip("cmyk", strip.split(), strict=True)),
        )
        return marked.convert("L")

    def _clamp(self, strip: Image) -> Image:
        from PIL import Image as Images
        from PIL import ImageMath

        limit = floor((self._limit or 4.0) * 255)
        channels = dict(zip("cmyk", strip.split(), strict=True))
        black = channels["k"].point(lambda value: min(value, limit))
        total = ImageMath.lambda_eval(lambda on: on["c"] + on["m"] + on["y"], **channels)
        room = ImageMath.lambda_eval(lambda on: limit - on["k"], k=black)
        tints = [
            ImageMath.lambda_eval(
                lambda on: on["min"](on["tint"], on["tint"] * on["room"] / on["max"](on["all"], 1)),
                tint=channels[tint],
                room=room,
                all=total,
            ).convert("L")
            for tint in "cmy"
        ]
        return Images.merge("CMYK", (*tints, black))


def _take_plate(colour: Colour, plate: int) -> Colour:
    """Return how much one ink leaves of the paper's white."""
    if colour.space == "cmyk":
        return Colour("grey", (round(1 - colour.values[plate], 4),))
    return colour if plate == _KEY else Colour("grey", (1.0,))


def _take_picture_plate(image: Image, plate: int) -> Image:
    from PIL import Image as Images
    from PIL import ImageOps

    if image.mode == "CMYK":
        return ImageOps.invert(image.getchannel(plate))
    return image if plate == _KEY else Images.new("L", image.size, 255)


@lru_cache(maxsize=16)
def _get_transform(press: bytes, source: str, target: str, own: bytes) -> ImageCmsTransform:
    from PIL import ImageCms

    try:
        return _build_transform(press, source, target, own)
    except (OSError, ImageCms.PyCMSError):  # a profile that is broken, or not for RGB
        return _build_transform(press, source, target, b"")


def _build_transform(press: bytes, source: str, target: str, own: bytes) -> ImageCmsTransform:
    from PIL import ImageCms

    def open_profile(mode: str) -> ImageCms.ImageCmsProfile:
        if mode == "CMYK":
            return ImageCms.ImageCmsProfile(BytesIO(press))
        return ImageCms.ImageCmsProfile(BytesIO(own) if own else ImageCms.createProfile("sRGB"))

    return ImageCms.buildTransform(
        open_profile(source),
        ImageCms.createProfile("sRGB") if target == "RGB" else open_profile(target),
        source,
        target,
        ImageCms.Intent.RELATIVE_COLORIMETRIC,
        ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )


def cut_strips(image: Image, rows: int = 1) -> Iterator[Image]:
    """Yield a picture in strips, so that none of what is made of it is held as a whole; all but
    the last have a multiple of so many rows.
    """
    height = max(1, _STRIP // (image.width * rows)) * rows
    for top in range(0, image.height, height):
        yield image.crop((0, top, image.width, min(top + height, image.height)))


class Prepress(NamedTuple):
    """How content is written for a target.

    overprints: black text lies on top of the other inks and takes nothing away from them
    outlines: glyphs are drawn as shapes, and there are no fonts
    opaque: there is no transparency
    dpi: how many pixels of a picture an inch needs
    """

    inks: Inks
    overprints: bool = False
    outlines: bool = False
    opaque: bool = False
    dpi: int = 300


def make_srgb() -> bytes:
    """Return the profile of sRGB, the same each time."""
    from PIL import ImageCms

    data = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    date = (2000, 1, 1, 0, 0, 0)
    return data[:24] + b"".join(part.to_bytes(2, "big") for part in date) + data[36:]


def choose_prepress(target: Target, profile: Profile | None, *, seen: bool = False) -> Prepress:
    """Return how content is written for a target; `seen` as in Inks."""
    return Prepress(
        Inks(target.press.colour, profile, target.press.total_ink, seen=seen),
        overprints=target.press.flavour != "plain" and target.press.colour == "cmyk",
        outlines=target.press.text == "outlines",
        opaque=target.press.flavour == "x-1a",
        dpi=target.file.dpi,
    )
