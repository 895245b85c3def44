"""Path data, as SVG writes it, turned into segments; segments measured, moved and put together.

Knows nothing of SVG's elements, files, colours or problems.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import atan2, ceil, cos, hypot, pi, radians, sin, sqrt, tan

from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.core.units import FIGURES
from cardgen.layout.face import Segment

NUMBER = rf"[-+]?{FIGURES}(?:[eE][-+]?\d+)?"
_NUMBERS = re.compile(NUMBER)
_COMMANDS = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])([^MmZzLlHhVvCcSsQqTtAa]*)")
_PATH_PARTS = re.compile(rf"{NUMBER}|[MmZzLlHhVvCcSsQqTtAa]|[\s,]+")
# The two flags of an arc may be written without a blank between them and the number behind.
_ARC = re.compile(
    rf"[\s,]*((?>{NUMBER}))[\s,]*((?>{NUMBER}))[\s,]*((?>{NUMBER}))[\s,]*([01])[\s,]*([01])"
    rf"[\s,]*((?>{NUMBER}))[\s,]*((?>{NUMBER}))"
)
_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "Z": 0}

Segments = tuple[Segment, ...]

_STEPS = 32  # of a curve that is measured
_STRAIGHT = 1e-9  # of the size of an ellipse: an arc across less of it is a straight line


def find_leftover(data: str) -> str:
    """Return the unreadable part of path data."""
    return _PATH_PARTS.sub("", data)


def read_path(data: str) -> Segments:
    """Return path data as segments; broken data is a ValueError."""
    if find_leftover(data):
        raise ValueError(data)
    pen = _Pen()
    at = 0
    for match in _COMMANDS.finditer(data):
        if not at and data[: match.start()].strip():
            raise ValueError(data)
        at = 1
        pen.draw(*match.groups())
    if not at and data.strip():
        raise ValueError(data)
    return tuple(pen.segments)


class _Pen:
    """Draws the commands of path data one after the other."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self._x = self._y = 0.0
        self._start = (0.0, 0.0)
        # The handle that a smooth curve mirrors, and the kind of curve it belongs to.
        self._handle: tuple[float, float] | None = None
        self._bent = ""

    def draw(self, command: str, text: str) -> None:
        kind = command.upper()
        if not self.segments and kind != "M":
            raise ValueError(command)
        relative = command != kind
        if kind == "A":
            self._draw_arcs(text, relative=relative)
            return
        numbers = list(map(float, _NUMBERS.findall(text)))
        count = _COUNTS[kind]
        if kind == "Z":
            if numbers:
                raise ValueError(text)
            self._close()
            return
        if not numbers or len(numbers) % count:
            raise ValueError(text)
        if self.segments and kind != "M" and self.segments[-1][0] == "Z":
            self.segments.append(("M", self._start))
        draw: Callable[..., None] = getattr(self, f"_draw_{kind.lower()}")
        for i in range(0, len(numbers), count):
            dx, dy = (self._x, self._y) if relative else (0.0, 0.0)
            draw(dx, dy, *numbers[i : i + count])
            if kind == "M":  # further points are lines
                draw = self._draw_l

    def _close(self) -> None:
        if self.segments[-1][0] != "Z":
            self.segments.append(("Z", ()))
        self._x, self._y = self._start
        self._handle = None

    def _draw_m(self, dx: float, dy: float, x: float, y: float) -> None:
        self._x, self._y = self._start = x + dx, y + dy
        self.segments.append(("M", self._start))
        self._handle = None

    def _draw_l(self, dx: float, dy: float, x: float, y: float) -> None:
        self._x, self._y = to = x + dx, y + dy
        self.segments.append(("L", to))
        self._handle = None

    def _draw_h(self, dx: float, _dy: float, x: float) -> None:
        self._draw_l(dx, 0.0, x, self._y)

    def _draw_v(self, _dx: float, dy: float, y: float) -> None:
        self._draw_l(0.0, dy, self._x, y)

    def _draw_c(
        self, dx: float, dy: float, a: float, b: float, c: float, d: float, x: float, y: float
    ) -> None:
        self._x, self._y = x + dx, y + dy
        self._handle, self._bent = (c + dx, d + dy), "C"
        self.segments.append(("C", (a + dx, b + dy, c + dx, d + dy, self._x, self._y)))

    def _draw_s(self, dx: float, dy: float, c: float, d: float, x: float, y: float) -> None:
        a, b = self._mirror("C")
        self._draw_c(dx, dy, a - dx, b - dy, c, d, x, y)

    def _draw_q(self, dx: float, dy: float, a: float, b: float, x: float, y: float) -> None:
        px, py = self._x, self._y
        a, b, x, y = a + dx, b + dy, x + dx, y + dy
        near = px + (a - px) * 2 / 3, py + (b - py) * 2 / 3
        far = x + (a - x) * 2 / 3, y + (b - y) * 2 / 3
        self.segments.append(("C", (*near, *far, x, y)))
        self._x, self._y, self._handle, self._bent = x, y, (a, b), "Q"

    def _draw_t(self, dx: float, dy: float, x: float, y: float) -> None:
        a, b = self._mirror("Q")
        self._draw_q(dx, dy, a - dx, b - dy, x, y)

    def _mirror(self, bent: str) -> tuple[float, float]:
        if self._handle is None or self._bent != bent:
            return self._x, self._y
        a, b = self._handle
        return 2 * self._x - a, 2 * self._y - b

    def _draw_arcs(self, text: str, *, relative: bool) -> None:
        if self.segments[-1][0] == "Z":
            self.segments.append(("M", self._start))
        at, end = 0, len(text.rstrip(" \t\r\n\f,"))
        if not end:
            raise ValueError(text)
        while at < end:
            match = _ARC.match(text, at)
            if match is None:
                raise ValueError(text)
            rx, ry, turn, large, sweep, x, y = match.groups()
            to = float(x), float(y)
            if relative:
                to = to[0] + self._x, to[1] + self._y
            radii, angle = (abs(float(rx)), abs(float(ry))), radians(float(turn))
            arc = trace_arc(
                (self._x, self._y), to, radii, angle, large=large == "1", sweep=sweep == "1"
            )
            self.segments += arc
            self._x, self._y = to
            at = match.end()
        self._handle = None


def trace_arc(
    start: tuple[float, float],
    end: tuple[float, float],
    radii: tuple[float, float],
    turn: float,
    *,
    large: bool,
    sweep: bool,
) -> Iterator[Segment]:
    """Yield an elliptical arc from one point to another as curves, without an M before them."""
    (rx, ry), (x0, y0), (x1, y1) = radii, start, end
    if start == end:
        return
    if not rx or not ry:
        yield "L", end
        return
    c, s = cos(turn), sin(turn)
    dx, dy = (x0 - x1) / 2, (y0 - y1) / 2
    u, v = (c * dx + s * dy) / rx, (c * dy - s * dx) / ry
    grow = hypot(u, v)
    if grow < _STRAIGHT:
        yield "L", end
        return
    if grow > 1:
        rx, ry, u, v = rx * grow, ry * grow, u / grow, v / grow
    # The ellipse as a circle of radius 1 around (p, q), which both points lie on.
    reach = sqrt(max(1 / (u * u + v * v) - 1, 0.0)) * (1 if large == sweep else -1)
    p, q = -v * reach, u * reach
    first, last = atan2(v - q, u - p), atan2(-v - q, -u - p)
    if sweep and last < first:
        last += 2 * pi
    elif not sweep and last > first:
        last -= 2 * pi
    onto = Matrix(rx * c, rx * s, -ry * s, ry * c, (x0 + x1) / 2, (y0 + y1) / 2)
    pieces = max(1, ceil(abs(last - first) / (pi / 2) - 1e-6))
    step = (last - first) / pieces
    handle = 4 / 3 * tan(step / 4)
    for piece in range(1, pieces + 1):
        a, b = first + (piece - 1) * step, first + piece * step
        near = onto.map(p + cos(a) - handle * sin(a), q + sin(a) + handle * cos(a))
        far = onto.map(p + cos(b) + handle * sin(b), q + sin(b) - handle * cos(b))
        to = end if piece == pieces else onto.map(p + cos(b), q + sin(b))
        yield "C", tuple(round(value, 9) for value in (*near, *far, *to))


def move_segments(segments: Iterable[Segment], matrix: Matrix) -> Segments:
    """Return segments as a matrix places them."""
    if matrix == IDENTITY:
        return tuple(segments)
    a, b, c, d, e, f = matrix
    return tuple(
        (
            kind,
            tuple(
                chain.from_iterable(
                    (a * x + c * y + e, b * x + d * y + f)
                    for x, y in zip(points[::2], points[1::2], strict=True)
                )
            ),
        )
        for kind, points in segments
    )


def measure_segments(segments: Iterable[Segment]) -> Rect | None:
    """Return the box around a path; None if it draws nothing. A lone point counts as nothing."""
    xs: list[float] = []
    ys: list[float] = []
    x = y = 0.0
    start = (x, y)
    for kind, points in segments:
        if kind == "M":
            x, y = start = points[0], points[1]
            continue
        if kind == "Z":
            x, y = start
            continue
        xs += (x, points[-2])
        ys += (y, points[-1])
        if kind == "C":
            _add_bulge(xs, x, points[0], points[2], points[4])
            _add_bulge(ys, y, points[1], points[3], points[5])
        x, y = points[-2], points[-1]
    if not xs:
        return None
    left, top = min(xs), min(ys)
    return Rect(left, top, max(xs) - left, max(ys) - top)


def measure_length(segments: Iterable[Segment]) -> float:
    """Return how long a path is; curves are taken for some short lines."""
    length = x = y = 0.0
    start = (x, y)
    for kind, points in segments:
        if kind == "M":
            x, y = start = points[0], points[1]
            continue
        ends = [start] if kind == "Z" else [(points[-2], points[-1])]
        if kind == "C":
            a, b, c, d, u, v = points
            ends = []
            for step in range(1, _STEPS + 1):
                t = step / _STEPS
                s = 1 - t
                p, q, r, w = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
                ends.append((p * x + q * a + r * c + w * u, p * y + q * b + r * d + w * v))
        for end in ends:
            length += hypot(end[0] - x, end[1] - y)
            x, y = end
    return length


def _add_bulge(found: list[float], a: float, b: float, c: float, d: float) -> None:
    """Append how far a curve reaches beyond both its ends."""
    low, high = (a, d) if a < d else (d, a)
    if low <= b <= high and low <= c <= high:
        return
    # Where the derivative of the curve is nothing.
    p, q, r = 3 * (b - c) + d - a, 2 * (a - 2 * b + c), b - a
    if abs(p) < 1e-12 * (abs(q) + abs(r)):
        times = [-r / q] if q else []
    else:
        under = q * q - 4 * p * r
        root = sqrt(under) if under > 0 else 0.0
        times = [(-q - root) / (2 * p), (-q + root) / (2 * p)]
    for t in times:
        if 0 < t < 1:
            u = 1 - t
            found.append(u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d)


def close_path(segments: Iterable[Segment]) -> Segments:
    """Return the contours that a fill covers, each closed; lone points are dropped."""
    return tuple(chain.from_iterable(_list_contours(segments)))


def _list_contours(segments: Iterable[Segment]) -> Iterator[list[Segment]]:
    contour: list[Segment] = []
    last: Segment = ("M", (0.0, 0.0))
    end: Segment = ("Z", ())
    for segment in chain(segments, [last]):
        kind = segment[0]
        if kind in "MZ":
            if len(contour) > 1:
                contour.append(end)
                yield contour
            contour = [segment] if kind == "M" else contour[:0]
        else:
            contour.append(segment)


def unite_paths(paths: Sequence[Segments]) -> Segments:
    """Return closed paths as one, turned the same way so that those which overlap add up."""
    if len(paths) == 1:
        return paths[0]
    return tuple(
        chain.from_iterable(path if _sum_area(path) >= 0 else _reverse(path) for path in paths)
    )


def _sum_area(path: Segments) -> float:
    """Return twice the area of closed contours; below 0 where they run anticlockwise."""
    area = x = y = 0.0
    for kind, points in path:
        if kind == "M":
            x, y = first = points[0], points[1]
        for u, v in _pair(points if kind in "LC" else first if kind == "Z" else ()):
            area += x * v - y * u
            x, y = u, v
    return area


def _reverse(path: Segments) -> Iterator[Segment]:
    for contour in _list_contours(path):
        ends = [points[-2:] for kind, points in contour if kind != "Z"]
        yield "M", ends[-1]
        for i in range(len(ends) - 1, 0, -1):
            kind, points = contour[i]
            if kind == "L":
                yield "L", ends[i - 1]
            else:
                yield "C", (*points[2:4], *points[:2], *ends[i - 1])
        yield "Z", ()


def _pair(points: Sequence[float]) -> Iterator[tuple[float, float]]:
    return zip(points[::2], points[1::2], strict=True)


def is_finite(segments: Iterable[Segment], most: float) -> bool:
    """Whether all numbers of a path are numbers, and none is beyond the most."""
    # What is no number lies between no two.
    return all(-most <= v <= most for _, points in segments for v in points)
