"""The ink of paints that add up: what overprints, or multiplies, on what lies beneath it.

Only what is sure is added up: upright rectangles and pictures that are painted all over. Where
another shape lies between, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, sqrt
from typing import Any, NamedTuple

from cardgen.core.geometry import IDENTITY, Box, Matrix
from cardgen.preflight.images import DamageError, UnreadableError, read_strips
from cardgen.preflight.ink import InkMeter, measure_sum
from cardgen.preflight.marks import EVERYWHERE, Group, Layer, Look, Picture

_NO_GROUNDS = ("line", "text", "group", "mask")  # they have gaps, or leave no ink
_MOST_MARKS = 20_000
_MOST_OVER = 500
_STRAY = 0.05  # of a picture's pixels beneath a text, which lie between its letters
_TEXT_SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
_AREA_SHARES = (0.25, 0.5, 0.75)
_MOST_DEEP = 8
_MOST_PAIRS = 10_000  # of boxes that are compared; where there are more, all is looked at
_MOST_PICTURES = 2  # whose pixels are kept
_MOST_PIXELS = 8_000_000  # of a picture; more are finer than any press prints them


class Stacked(NamedTuple):
    """The ink where one paint lies over others, in percent, and the place."""

    look: Look
    ink: float
    box: Box


class _Ink(NamedTuple):
    """Ink of the four process colours, and of all other plates together; 1 is a full plate."""

    process: tuple[float, ...]
    others: float = 0.0

    @property
    def total(self) -> float:
        return 100 * (sum(self.process) + self.others)


class _Placed(NamedTuple):
    """A mark on the page; `matrix` leads from the unit square of a picture to the page."""

    look: Look
    box: Box
    whole: bool
    matrix: Matrix


def adds_up(look: Look) -> bool:
    """Say whether a look leaves ink beneath it that adds to its own."""
    return look.kind not in ("group", "mask") and (look.over != "none" or look.blend == "Multiply")


class Weight(NamedTuple):
    """The ink of a layer.

    colour: without black
    above, below: whether it adds to what lies beneath it, and whether others may lie upon it
    """

    layer: Layer
    total: float
    colour: float
    above: bool
    below: bool


class Suspicion:
    """Tells whether paints of a page may take more ink together than is allowed."""

    def __init__(self, limit: float | None, meter: InkMeter) -> None:
        self._limit = limit
        self._meter = meter
        self._other = self._most = 0.0  # the most ink of what adds to others, and of those
        self._black: list[tuple[float, Layer]] = []  # what leaves all colours as they are
        self._below: list[tuple[float, Layer]] = []  # the ink beneath, without black

    def weigh(self, layer: Layer) -> Weight | None:
        """Return the ink of a layer; None where it can be left out."""
        look = layer.look
        above, below = adds_up(look), look.kind not in _NO_GROUNDS
        if self._limit is None or not (above or below):
            return None
        total = self._meter.measure(look)
        if total is None:
            return None
        ink = None if look.picture is not None else _find_ink(look)
        colour = total if ink is None or ink.others else 100 * sum(ink.process[:3])
        return Weight(layer, total, colour, above, below)

    def add(self, weight: Weight) -> None:
        layer, total, colour, above, below = weight
        if below:
            self._most = max(self._most, total)
            self._below.append((colour, layer))
        if above and layer.look.over == "inks" and not colour:
            self._black.append((total, layer))
        elif above:
            self._other = max(self._other, total)

    @property
    def is_grave(self) -> bool:
        limit = self._limit
        if limit is None:
            return False
        if self._other and self._other + self._most > limit:
            return True
        left = _MOST_PAIRS
        for black, above in self._black:
            for colour, below in self._below:
                if black + colour > limit:
                    left -= 1 + len(above.boxes) * len(below.boxes)
                    if left < 0 or _meet(above, below):
                        return True
        return False


def _meet(one: Layer, other: Layer) -> bool:
    """Whether a mark of one layer may lie upon one of the other."""
    if one.extent.meet(other.extent) is None:
        return False
    boxes = other.list_visible(EVERYWHERE)
    return any(box.meet(each) for box in one.list_visible(EVERYWHERE) for each in boxes)


def list_stacked(group: Group, limit: float) -> Iterator[Stacked]:
    """Yield where the paints of a page, walked in their order, take more ink than allowed."""
    grounds: list[_Placed] = []
    bands, left = _Bands(), _MOST_OVER
    for mark in _list_placed(group):
        if left and adds_up(mark.look):
            left -= 1
            near = [ground for ground in reversed(grounds) if _touches(ground.box, mark.box)]
            inks = (_measure_at(mark, near, x, y, bands) for x, y in _list_points(mark))
            ink = next((ink for ink in inks if ink is not None and ink > limit), None)
            if ink is not None:
                yield Stacked(mark.look, ink, mark.box)
        if mark.look.kind not in _NO_GROUNDS:
            grounds.append(mark)


class _Bands:
    """The components of pictures on a page; the last are kept, for many texts lie on one."""

    def __init__(self) -> None:
        self._kept: dict[object, list[Any] | None] = {}

    def read(self, picture: Picture) -> list[Any] | None:
        if picture.key not in self._kept:
            if len(self._kept) >= _MOST_PICTURES:
                self._kept.clear()
            self._kept[picture.key] = _read_bands(picture)
        return self._kept[picture.key]


def _read_bands(picture: Picture) -> list[Any] | None:
    """Return the components of a picture, a large one coarser; None where they cannot be told."""
    from PIL import Image

    if not picture.is_inked:
        return None
    times = max(1, ceil(sqrt(picture.width * picture.height / _MOST_PIXELS)))
    size = -(-picture.width // times), -(-picture.height // times)
    bands: list[Any] = []
    top = 0
    try:
        for strip in read_strips(picture):
            bands = bands or [Image.new("L", size) for _ in strip]
            for band, part in zip(bands, strip, strict=True):
                band.paste(part.reduce(times), (0, top // times))
            top += strip[0].height
    except (DamageError, UnreadableError):
        return None
    return bands or None


def _list_placed(group: Group) -> Iterator[_Placed]:
    """Yield all marks in the order in which they are painted."""
    ahead: list[tuple[Group, int, Matrix, Box | None]] = [(group, 0, IDENTITY, None)]
    count = 0
    while ahead and count < _MOST_MARKS:
        group, begin, matrix, clip = ahead.pop()
        for at in range(begin, len(group.order)):
            item = group.order[at]
            if isinstance(item, int):
                part = group.parts[item]
                inner = part.clip and matrix.place(part.clip)
                if inner and clip:
                    inner = inner.meet(clip)
                ahead.append((group, at + 1, matrix, clip))
                if part.spread is None and (part.clip is None or inner is not None):
                    ahead.append((part.group, 0, part.matrix.then(matrix), inner or clip))
                break
            count += 1
            placed = matrix.place(item.box)
            shown = placed if clip is None else placed.meet(clip)
            if shown is not None:
                whole = item.whole and (matrix.b == 0 == matrix.c or matrix.a == 0 == matrix.d)
                yield _Placed(item.look, shown, whole, item.matrix.then(matrix))


def _list_points(mark: _Placed) -> Iterator[tuple[float, float]]:
    box = mark.box
    if mark.look.kind == "text":
        shares = [(across, 0.5) for across in _TEXT_SHARES]
    elif mark.whole:
        shares = [(across, up) for across in _AREA_SHARES for up in _AREA_SHARES]
    else:
        shares = [(0.5, 0.5)]
    for across, up in shares:
        yield box.x0 + across * box.width, box.y0 + up * box.height


def _measure_at(
    top: _Placed, below: Sequence[_Placed], x: float, y: float, bands: _Bands
) -> float | None:
    """Return the ink on a point of a mark with others below it, the uppermost of them first; None
    where it is not sure.
    """
    layers = [top]
    for mark in below:
        if not _holds(mark.box, x, y):
            continue
        if not mark.whole or mark.look.alpha < 1 or mark.look.masked:
            return None
        layers.append(mark)
        if len(layers) == _MOST_DEEP or not adds_up(mark.look):
            break
    if len(layers) == 1:
        return None  # told by its own ink
    return _add_up(layers, bands)


def _holds(box: Box, x: float, y: float) -> bool:
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


def _touches(box: Box, other: Box) -> bool:
    across = box.x0 <= other.x1 and other.x0 <= box.x1
    return across and box.y0 <= other.y1 and other.y0 <= box.y1


def _add_up(layers: Sequence[_Placed], bands: _Bands) -> float | None:
    """Return the ink of layers, the uppermost first, of which the last may be a picture."""
    *over, base = layers
    looks = [mark.look for mark in over]
    picture = base.look.picture
    if base.look.kind == "picture" and picture is not None:
        return _add_to_picture(looks, base, over[0].box, picture, bands.read(picture))
    ink = _find_ink(base.look)
    for look in reversed(looks):
        top = _find_ink(look)
        if ink is None or top is None:
            return None
        ink = _lay(look, top, ink)
    return None if ink is None else ink.total


def _find_ink(look: Look) -> _Ink | None:
    paint = look.paint
    if paint is None or paint.pattern or paint.space.family == "Indexed":
        return None
    kind, values = paint.space.root.kind, paint.values
    if kind == "cmyk" and len(values) == 4:
        return _Ink(values)
    if kind == "grey" and values:
        return _Ink((0.0, 0.0, 0.0, 1 - values[0]))
    if kind == "spot" and values:
        return _Ink((0.0,) * 4, sum(values))
    return None


def _lay(look: Look, top: _Ink, below: _Ink) -> _Ink:
    """Return the ink of a paint upon another."""
    pairs = list(zip(top.process, below.process, strict=True))
    if look.blend == "Multiply":
        alpha = look.alpha
        mixed = tuple(b + alpha * (a - a * b) for a, b in pairs)
        return _Ink(mixed, below.others + alpha * top.others)
    kind = look.paint.space.root.kind if look.paint is not None else "unknown"
    if kind == "spot":
        return _Ink(below.process, below.others + top.others)
    if look.over == "inks" and kind == "cmyk":
        return _Ink(tuple(a or b for a, b in pairs), below.others)
    return _Ink(top.process, below.others)


def _add_to_picture(
    looks: Sequence[Look],
    base: _Placed,
    box: Box,
    picture: Picture,
    bands: list[Any] | None,
) -> float | None:
    """Return the ink of paints upon the part of a picture that lies beneath them."""
    space = picture.space
    if space is None or space.kind != "cmyk" or bands is None or len(bands) != 4:
        return None
    part = _find_part(base.matrix, box, *bands[0].size)
    if part is None:
        return None
    bands = [band.crop(part) for band in bands]
    others = 0.0
    for look in reversed(looks):
        top = _find_ink(look)
        if top is None:
            return None
        # What becomes of each step of ink beneath the paint.
        steps = [_lay(look, top, _Ink((step / 255,) * 4)).process for step in range(256)]
        tables = list(zip(*steps, strict=True))
        others = _lay(look, top, _Ink((0.0,) * 4, others)).others
        bands = [
            band.point([round(255 * min(value, 1.0)) for value in table])
            for band, table in zip(bands, tables, strict=True)
        ]
    return measure_sum(bands, _STRAY) + 100 * others


def _find_part(
    matrix: Matrix, box: Box, width: int, height: int
) -> tuple[int, int, int, int] | None:
    """Return the pixels that lie in a box of the page, as left, top, right and bottom."""
    a, b, c, d, e, f = matrix
    if b == 0 == c and a and d:
        us, vs = [(box.x0 - e) / a, (box.x1 - e) / a], [(box.y0 - f) / d, (box.y1 - f) / d]
    elif a == 0 == d and b and c:
        us, vs = [(box.y0 - f) / b, (box.y1 - f) / b], [(box.x0 - e) / c, (box.x1 - e) / c]
    else:
        return None
    left, right = (min(max(u, 0.0), 1.0) * width for u in sorted(us))
    top, bottom = ((1 - min(max(v, 0.0), 1.0)) * height for v in sorted(vs, reverse=True))
    part = int(left), int(top), -int(-right // 1), -int(-bottom // 1)
    return part if part[0] < part[2] and part[1] < part[3] else None
