"""The ink that colours, gradients and pictures take, in percent of one full plate.

Knows nothing of limits. For RGB and Lab it is None: only a printer's profile can tell.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cardgen.preflight.colours import Space
from cardgen.preflight.functions import Values, read_bits, read_function
from cardgen.preflight.images import DamageError, UnreadableError, read_strips
from cardgen.preflight.marks import Gradient, Look, Picture
from cardgen.preflight.objects import BROKEN, find_numbers, find_value, read_data, read_number

_STEPS = 64
# A few pixels of a JPEG stray from their neighbours; that many in a thousand are let go.
_STRAY = 1 / 1000
_MOST_CORNERS = 50_000


class MeasuredPicture(NamedTuple):
    """The most ink of a picture, where it tells, and why it cannot be shown, where that is so."""

    ink: float | None
    damage: str = ""


@dataclass(slots=True)
class InkMeter:
    """Measures looks; each gradient and each picture once."""

    _gradients: dict[object, float | None] = field(default_factory=dict)
    _pictures: dict[object, MeasuredPicture] = field(default_factory=dict)

    def measure(self, look: Look) -> float | None:
        """Return the most ink on one spot, for the look by itself."""
        try:
            ink = self._measure(look)
        except BROKEN:
            return None
        return None if ink is None else ink * min(max(look.alpha, 0.0), 1.0)

    def look_into(self, picture: Picture) -> MeasuredPicture:
        """Return what a picture's pixels tell; they are unpacked once."""
        if picture.key not in self._pictures:
            self._pictures[picture.key] = _measure_picture(picture)
        return self._pictures[picture.key]

    def _measure(self, look: Look) -> float | None:
        gradient, picture = look.gradient, look.picture
        if gradient is not None:
            if gradient.key not in self._gradients:
                self._gradients[gradient.key] = _measure_gradient(gradient)
            return self._gradients[gradient.key]
        if picture is not None and picture.space is not None:
            return self.look_into(picture).ink
        if look.kind in ("group", "mask") or look.paint is None or look.paint.pattern:
            return None
        return look.paint.space.measure_ink(look.paint.values)


def _measure_gradient(gradient: Gradient) -> float | None:
    found = [gradient.space.measure_ink(values) for values in _list_colours(gradient)]
    return max((ink for ink in found if ink is not None), default=None)


def _list_colours(gradient: Gradient) -> Iterator[Values]:
    """Yield colours from all over a gradient."""
    thing = gradient.thing
    kind = find_value(thing, "/ShadingType")
    given = find_value(thing, "/Function")
    function = None if given is None else read_function(given)
    if kind in (2, 3) and function:
        low, high = find_numbers(thing, "/Domain") or (0.0, 1.0)
        for step in range(_STEPS + 1):
            yield function((low + (high - low) * step / _STEPS,))
    elif kind == 1 and function:
        x0, x1, y0, y1 = find_numbers(thing, "/Domain") or (0.0, 1.0, 0.0, 1.0)
        for at in range(17 * 17):
            across, down = at % 17 / 16, at // 17 / 16
            yield function((x0 + (x1 - x0) * across, y0 + (y1 - y0) * down))
    elif kind in (4, 5, 6, 7):
        for values in _list_corners(thing, 1 if function else gradient.space.components):
            yield function(values) if function else values


def _list_corners(thing: Any, components: int) -> Iterator[Values]:
    """Yield the colours at the corners of a mesh."""
    kind = int(read_number(thing, "/ShadingType"))
    wide, bits = (int(read_number(thing, f"/BitsPer{n}")) for n in ("Coordinate", "Component"))
    flag_bits = int(read_number(thing, "/BitsPerFlag")) if kind != 5 else 0
    decode = (find_numbers(thing, "/Decode") or ())[4:]
    data = read_data(thing)
    points = {4: 1, 5: 1, 6: 12, 7: 16}[kind]
    at = 0
    for _ in range(_MOST_CORNERS):
        colours = 1 if kind < 6 else 4
        count = points
        if at + flag_bits > len(data) * 8:
            return
        if kind > 5 and read_bits(data, at, flag_bits):
            count, colours = points - 4, 2
        at += flag_bits + count * 2 * wide
        for _ in range(colours):
            if at + components * bits > len(data) * 8:
                return
            yield tuple(
                decode[2 * i]
                + (decode[2 * i + 1] - decode[2 * i])
                * read_bits(data, at + i * bits, bits)
                / (2**bits - 1)
                for i in range(components)
            )
            at += components * bits
        if kind < 6:
            at = -(-at // 8) * 8


def _measure_picture(picture: Picture) -> MeasuredPicture:
    space = picture.space
    count = _InkCount(space) if space is not None and picture.is_inked else None
    try:
        for bands in read_strips(picture):
            if count is not None:
                count.add(bands)
    except DamageError as error:
        return MeasuredPicture(None, str(error))
    except UnreadableError:
        if space is None or count is None:
            return MeasuredPicture(None)
        return MeasuredPicture(_InkCount(space).measure())  # all of a palette may be used
    return MeasuredPicture(count.measure() if count else None)


class _InkCount:
    """Counts how many pixels of a picture take how much ink."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._counts: list[int] = []  # for each value of one component, or sum of several
        self._known = True

    def add(self, bands: list[Any]) -> None:
        space = self._space
        if len(bands) != space.components:
            self._known = False
            return
        counts = bands[0].histogram() if self._is_single else count_sums(bands)
        if self._counts:
            counts = [one + other for one, other in zip(self._counts, counts, strict=True)]
        self._counts = counts

    @property
    def _is_single(self) -> bool:
        """Whether the space tells how much ink each value of its one component takes."""
        space = self._space
        return space.family == "Indexed" or (space.kind == "spot" and space.components == 1)

    def measure(self) -> float | None:
        """Return the most ink; None where it is not known."""
        space = self._space
        try:
            if space.family == "Indexed":
                return _measure_palette(self._counts or [1] * 256, space)
            if not self._known or not self._counts:
                return None
            if self._is_single:
                inks = [space.measure_ink((value / 255,)) or 0.0 for value in range(256)]
                return _get_most(self._counts, inks)
        except BROKEN:
            return None
        return _find_most_sum(self._counts, _STRAY)


def _measure_palette(counts: list[int], space: Space) -> float | None:
    """Return the most ink of the palette's colours that are used."""
    entries = len(space.palette) // max(1, space.base.components if space.base else 1)
    inks = [space.measure_ink((float(entry),)) or 0.0 for entry in range(entries)]
    return _get_most(counts[:entries], inks)


def _get_most(counts: list[int], inks: list[float], stray: float = _STRAY) -> float:
    """Return the most ink, without the few pixels that stray."""
    left = sum(counts) * stray
    for ink, count in sorted(zip(inks, counts, strict=False), reverse=True):
        left -= count
        if count and left < 0:
            return ink
    return 0.0


def measure_sum(bands: list[Any], stray: float = _STRAY) -> float:
    """Return the most ink that all components have together on one pixel."""
    return _find_most_sum(count_sums(bands), stray)


def count_sums(bands: list[Any]) -> list[int]:
    """Return how many pixels have each sum of their components."""
    from PIL import Image, ImageMath

    total = bands[0].convert("I")
    for band in bands[1:]:
        total = ImageMath.lambda_eval(
            lambda given: given["a"] + given["b"], a=total, b=band.convert("I")
        )
    # As a picture of bytes, of which Pillow counts the lowest for each of the next.
    parts = Image.frombytes("RGBA", total.size, total.tobytes()).split()
    low, high = (parts[0], parts[1]) if sys.byteorder == "little" else (parts[3], parts[2])
    counts: list[int] = []
    for step in range(len(bands)):
        chosen = high.point([255 if value == step else 0 for value in range(256)])
        counts += low.histogram(chosen)
    return counts


def _find_most_sum(counts: list[int], stray: float) -> float:
    """Return the most ink of so many pixels for each sum, which are taken in 256 steps."""
    high = max((value for value, count in enumerate(counts) if count), default=0)
    if high == 0:
        return 0.0
    steps = -(-high // 256)
    coarse = [0] * 257  # the sum of no ink is a step, too
    for value, count in enumerate(counts[: high + 1]):
        coarse[-(-value // steps)] += count
    inks = [float(min(step * steps, high)) for step in range(257)]
    return 100 / 255 * _get_most(coarse, inks, stray)
