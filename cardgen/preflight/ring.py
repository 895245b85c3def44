"""Where paint reaches the line of a card that is no rectangle, and how far it goes on beyond it.

The line is walked in steps, and at each a picture of the page is read from the line outwards.
Knows nothing of what is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from cardgen.core.geometry import Box
from cardgen.core.shape import Contour
from cardgen.core.units import MM
from cardgen.preflight.rendering import (
    DEEP,
    LEAST_PAINT,
    LONG,
    NEAR_TRIM,
    SLACK,
    Edges,
    Gap,
    Plates,
    Side,
)

if TYPE_CHECKING:
    from PIL.Image import Image

_STEP = 1 * MM
_FEWEST = 2  # steps in a row, so that a hair that crosses the line is no edge


class Step(NamedTuple):
    """A place on the line, and which way is out; y upwards."""

    x: float
    y: float
    out_x: float
    out_y: float

    @property
    def side(self) -> Side:
        if abs(self.out_x) >= abs(self.out_y):
            return "left" if self.out_x < 0 else "right"
        return "bottom" if self.out_y < 0 else "top"


def find_ring(line: Contour, bleed: float, plates: Plates) -> Edges:
    """Return the edges of a page along the line of its card, as far as the bleed."""
    steps = list(walk_line(line))
    reaches = [_find_reach(step, bleed, plates) for step in steps]
    ends = [_find_end(step, bleed, plates) for step in steps]
    touched = dict.fromkeys(
        step.side for step, reach in zip(steps, reaches, strict=True) if reach is not None
    )
    gaps = list(_list_gaps(steps, reaches, bleed))
    if not gaps:
        gaps = list(_list_slivers(steps, ends, bleed))
    return Edges(tuple(touched), tuple(gaps))


def walk_line(line: Contour) -> Iterator[Step]:
    """Yield places along a line, one for each millimetre."""
    points = line.list_points()
    pairs = list(zip(points, (*points[1:], points[0]), strict=True))
    turn = 1 if sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) > 0 else -1
    passed = _STEP / 2
    for (ax, ay), (bx, by) in pairs:
        length = hypot(bx - ax, by - ay)
        along_x, along_y = (bx - ax) / length, (by - ay) / length
        while passed < length:
            x, y = ax + along_x * passed, ay + along_y * passed
            yield Step(x, y, along_y * turn, -along_x * turn)
            passed += _STEP
        passed -= length


def _read(image: Image, step: Step, way: float, plates: Plates) -> int:
    """Return the value of the pixel so far outwards."""
    area, dots = plates.area, plates.dots
    x = (step.x + step.out_x * way - area.x0) * dots
    y = (area.y1 - step.y - step.out_y * way) * dots
    if not (0 <= x < image.width and 0 <= y < image.height):
        return -1
    value = image.getpixel((int(x), int(y)))
    assert isinstance(value, int)
    return value


def _find_reach(step: Step, bleed: float, plates: Plates) -> float | None:
    """Return how far beyond the line paint goes on; None where none reaches it."""
    share = _read(plates.painted, step, -0.75 / plates.dots, plates)
    if share < LEAST_PAINT:
        return None
    reach = 0.0
    pixel = 0.5 / plates.dots
    while reach < bleed:
        found = _read(plates.painted, step, reach, plates)
        if 0 <= found < share / 2:
            return max(0.0, reach - pixel)
        reach += pixel
    return bleed


def _find_end(step: Step, bleed: float, plates: Plates) -> float | None:
    """Return where art ends in a sharp edge near the line, with white beyond it."""
    pixel = 1 / plates.dots
    way = bleed - pixel
    while way > -NEAR_TRIM and _read(plates.ink, step, way, plates) < 128:
        way -= pixel
    if way >= bleed - SLACK - pixel or way <= -NEAR_TRIM:
        return None
    deep = way - pixel
    while deep > way - DEEP:
        if _read(plates.ink, step, deep, plates) < 128:
            return None
        deep -= pixel
    return way


def _list_gaps(
    steps: Sequence[Step], reaches: Sequence[float | None], bleed: float
) -> Iterator[Gap]:
    """Yield the stretches whose paint ends before the edge of the bleed."""
    short = [
        (step, reach if reach is not None and bleed - reach > SLACK else None)
        for step, reach in zip(steps, reaches, strict=True)
    ]
    for key, group in groupby(short, key=lambda pair: (pair[1] is not None, pair[0].side)):
        found = [(step, reach) for step, reach in group if reach is not None]
        if key[0] and len(found) >= _FEWEST:
            box = _surround([step for step, _ in found], bleed)
            yield Gap(key[1], box, min(reach for _, reach in found))


def _list_slivers(
    steps: Sequence[Step], ends: Sequence[float | None], bleed: float
) -> Iterator[Gap]:
    """Yield the longer stretches where art ends alike near the line, with white beyond."""
    fewest = min(round(LONG / _STEP), len(steps) // 2)
    run: list[tuple[Step, float]] = []
    for step, end in [*zip(steps, ends, strict=True), (steps[0], None)]:
        if end is not None and (not run or abs(end - run[-1][1]) <= SLACK):
            run.append((step, end))
            continue
        if len(run) >= max(fewest, _FEWEST):
            middle, reach = run[len(run) // 2]
            yield Gap(middle.side, _surround([s for s, _ in run], bleed), reach, on_white=True)
        run = [] if end is None else [(step, end)]


def _surround(steps: Sequence[Step], bleed: float) -> Box:
    xs = [x for step in steps for x in (step.x, step.x + step.out_x * bleed)]
    ys = [y for step in steps for y in (step.y, step.y + step.out_y * bleed)]
    return Box(min(xs), min(ys), max(xs), max(ys))
