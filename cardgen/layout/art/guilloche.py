"""The interlaced waves of banknotes, traced from a rectangle and a few numbers, to be stroked.

Knows nothing of colours, elements or cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import acos, ceil, cos, pi, sin, tau
from typing import NamedTuple

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Rect
from cardgen.core.units import format_mm
from cardgen.layout.art.curves import Knot, check_room, choose_step, trace_curve
from cardgen.layout.face import Segment
from cardgen.layout.room import to_mm

_MOST_WAVES = 400
_MOST_STRANDS = 400
_MOST_TOGETHER = 8000

# How far a ground's waves swing, in wave lengths, and by which share that swells and ebbs. More
# would crowd the curves into dark lines.
_SWING = 0.16
_SWELL = 0.4
_SLIGHT = 0.001

# A band's tightest bend, in thicknesses. The waves of the inner edge are crowded there; below a
# half they would fold over.
_TIGHTEST = 0.85
# A corner's arc length and reach along each side, in thicknesses. The curvature swells as half a
# sine wave: beside a line that bends all at once, a wave would have a kink.
_CORNER = pi * pi / 4 * _TIGHTEST

# Gauss's places and weights for an integral from 0 to 1.
_GAUSS = tuple(
    ((1 + sign * place) / 2, weight / 2)
    for place, weight in (
        (0.1834346424956498, 0.3626837833783620),
        (0.5255324099163290, 0.3137066458778873),
        (0.7966664774136267, 0.2223810344533745),
        (0.9602898564975363, 0.1012285362903763),
    )
    for sign in (-1, 1)
)


@lru_cache(maxsize=32)
def trace_rosette(rect: Rect, waves: int, strands: int, inner: float) -> tuple[Segment, ...]:
    """Return closed waves that swing between the ellipse in the rectangle and its inner share."""
    check_room(rect)
    _check_numbers(waves, strands)
    _check_symmetry(waves, strands)
    if not 0 <= inner < 1:
        raise Refusal(
            "layout/ornament-figures",
            f"a rosette's inner share must be from 0 to below 1, not {inner:g}",
        )
    x, y = rect.x + rect.width / 2, rect.y + rect.height / 2
    across, down = rect.width / 2, rect.height / 2
    mean, swing = (1 + inner) / 2, (1 - inner) / 2
    step = choose_step(max(across, down) * (mean + swing * (waves + 1) ** 4))
    pieces = 2 * waves * ceil(tau / step / (2 * waves))
    segments: list[Segment] = []
    for strand in range(strands):
        phase = tau * strand / strands

        def get_knot(turn: float, phase: float = phase) -> Knot:
            wave = waves * turn + phase
            reach, change = mean + swing * cos(wave), -swing * waves * sin(wave)
            ahead, athwart = cos(turn), sin(turn)
            return (
                x + across * reach * ahead,
                y + down * reach * athwart,
                across * (change * ahead - reach * athwart),
                down * (change * athwart + reach * ahead),
            )

        # Begun at a crest, so that the outermost and the innermost points are knots.
        segments.extend(trace_curve(get_knot, -phase / waves, tau - phase / waves, pieces))
        segments.append(("Z", ()))
    return tuple(segments)


@lru_cache(maxsize=32)
def trace_band(rect: Rect, waves: int, strands: int, thickness: float) -> tuple[Segment, ...]:
    """Return closed waves that run round the rectangle, between its edges and so far within."""
    check_room(rect)
    _check_numbers(waves, strands)
    _check_symmetry(waves, strands)
    if not thickness > 0:
        raise Refusal(
            "layout/ornament-figures", f"a band must be thicker than {format_mm(thickness)}"
        )
    track = _lay_track(rect, thickness)
    swing, rate = thickness / 2, tau * waves / track.length
    step = min(choose_step(swing * rate**4), track.corner / 12)
    pieces = 2 * waves * ceil(track.length / step / (2 * waves))
    segments: list[Segment] = []
    for strand in range(strands):
        phase = tau * strand / strands

        def get_knot(way: float, phase: float = phase) -> Knot:
            x, y, heading, curvature = track.follow(way)
            wave = rate * way + phase
            aside, change = swing * cos(wave), -swing * rate * sin(wave)
            along = 1 - curvature * aside
            ahead, athwart = cos(heading), sin(heading)
            return (
                x - aside * athwart,
                y + aside * ahead,
                along * ahead - change * athwart,
                along * athwart + change * ahead,
            )

        start = -phase / rate
        segments.extend(trace_curve(get_knot, start, start + track.length, pieces))
        segments.append(("Z", ()))
    return tuple(segments)


@lru_cache(maxsize=32)
def trace_ground(rect: Rect, waves: int, strands: int) -> tuple[Segment, ...]:
    """Return level waves from edge to edge, so many strands from top to bottom.

    Each has its mirror image. They swell and ebb, and so form rows of medallions.
    """
    check_room(rect)
    _check_numbers(waves, strands)
    length, gap = rect.width / waves, rect.height / strands
    rows = max(1, round(2 * rect.height / length))
    beyond = ceil((1 + _SWELL) * _SWING * length / gap)
    return tuple(
        segment
        for strand in range(-beyond, strands + beyond)
        for side in (0, pi)
        for segment in _trace_level(
            rect,
            rect.y + (strand + 0.5) * gap,
            _SWING * length * (1 + _SWELL * cos(tau * rows * (strand + 0.5) / strands)),
            tau / length,
            side,
        )
    )


def _trace_level(
    rect: Rect, level: float, swing: float, rate: float, phase: float
) -> Iterator[Segment]:
    """Give the parts of a wave about a level that lie in the rectangle."""
    half, middle = rect.width / 2, rect.x + rect.width / 2

    def get_knot(aside: float) -> Knot:
        wave = rate * aside + phase
        return middle + aside, level + swing * cos(wave), 1, -swing * rate * sin(wave)

    step = min(choose_step(swing * rate**4), pi / 2 / rate)
    cuts = {-half, half}
    for height in (rect.y - level, rect.bottom - level):
        if abs(height) < swing:
            for sign in (-1, 1):
                first = (sign * acos(height / swing) - phase) / rate
                turn = ceil((-half - first) * rate / tau)
                while (cut := first + turn * tau / rate) < half:
                    cuts.add(cut)
                    turn += 1
    for start, end in pairwise(sorted(cuts)):
        if end - start > _SLIGHT and rect.y <= get_knot((start + end) / 2)[1] <= rect.bottom:
            yield from trace_curve(get_knot, start, end, ceil((end - start) / step))


class _Track(NamedTuple):
    """A closed way round, of straight sides and corners; it begins in the middle of the top.

    across, down: the lengths of the straight sides
    corner: the length of a corner; it reaches by `leg` along each side
    """

    x: float
    y: float
    across: float
    down: float
    corner: float
    leg: float
    length: float

    def follow(self, way: float) -> tuple[float, float, float, float]:
        """Return the point, heading and curvature so far along, clockwise."""
        turned, rest = divmod(way + self.across / 2, self.length / 2)
        x, y, heading, curvature = self._follow_half(rest)
        if turned % 2:
            return 2 * self.x - x, 2 * self.y - y, heading + pi, curvature
        return x, y, heading, curvature

    def _follow_half(self, way: float) -> tuple[float, float, float, float]:
        """Follow the first half: from the beginning of the top to the end of the second corner."""
        centre, middle, across, down, corner, leg, _ = self
        top = middle - down / 2 - leg
        if way < across:
            return centre - across / 2 + way, top, 0, 0
        way -= across
        if way < corner:
            dx, dy, heading, curvature = self._follow_bend(way)
            return centre - across / 2 + across + dx, top + dy, heading, curvature
        way -= corner
        right = centre + across / 2 + leg
        if way < down:
            return right, top + leg + way, pi / 2, 0
        dx, dy, heading, curvature = self._follow_bend(way - down)
        return right - dy, top + leg + down + dx, heading + pi / 2, curvature

    def _follow_bend(self, way: float) -> tuple[float, float, float, float]:
        share = way / self.corner
        dx, dy = _reach(share)
        curvature = pi * pi / 4 / self.corner * sin(pi * share)
        return dx * self.corner, dy * self.corner, _head(share), curvature


def _head(share: float) -> float:
    return pi / 4 * (1 - cos(pi * share))


def _reach(share: float) -> tuple[float, float]:
    """Return how far a corner of length 1 has led, along its first side and away from it."""
    along = away = 0.0
    for place, weight in _GAUSS:
        heading = _head(place * share)
        along += weight * cos(heading)
        away += weight * sin(heading)
    return along * share, away * share


_LEG = _reach(1)[0]


def _lay_track(rect: Rect, thickness: float) -> _Track:
    corner = _CORNER * thickness
    reach = thickness + 2 * corner * _LEG
    across, down = rect.width - reach, rect.height - reach
    if min(across, down) < 0:
        most = min(rect.width, rect.height) * thickness / reach
        raise Refusal(
            "layout/ornament-has-no-room",
            f"a band of {format_mm(thickness)} is too thick to turn the corners: at most "
            f"{format_mm(most)} fit here",
            details={"thickness": to_mm(thickness), "most": to_mm(most)},
        )
    x, y = rect.x + rect.width / 2, rect.y + rect.height / 2
    length = 2 * (across + down) + 4 * corner
    return _Track(x, y, across, down, corner, corner * _LEG, length)


def _check_numbers(waves: int, strands: int) -> None:
    if not 1 <= waves <= _MOST_WAVES:
        raise Refusal(
            "layout/ornament-figures", f"a guilloche has from 1 to {_MOST_WAVES} waves, not {waves}"
        )
    if not 1 <= strands <= _MOST_STRANDS:
        raise Refusal(
            "layout/ornament-figures",
            f"a guilloche has from 1 to {_MOST_STRANDS} strands, not {strands}",
        )
    if waves * strands > _MOST_TOGETHER:
        raise Refusal(
            "layout/ornament-figures",
            f"{waves} waves of {strands} strands are too many to print: waves times strands may "
            f"be {_MOST_TOGETHER} at most",
        )


def _check_symmetry(waves: int, strands: int) -> None:
    """Refuse waves that look different upside down."""
    if waves % 2 and strands % 2:
        raise Refusal(
            "layout/ornament-figures",
            f"{waves} waves and {strands} strands look different upside down; make one of the "
            "numbers even",
        )
