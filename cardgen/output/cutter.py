"""The files that a cutter follows: the trims on a sheet as lines, in SVG and in DXF.

Both are in millimetres. An SVG counts from the top left of the paper, a DXF from the bottom left.
Knows nothing of cards or decks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import acos, ceil, cos, pi, radians, sin

from cardgen.core.geometry import Rect, Size
from cardgen.core.shape import Contour, Point
from cardgen.core.units import MM

_LAYER = "CUT"
# How far a line may stay from the arc that it stands for.
_FLATNESS = 0.005 * MM


def format_svg(paper: Size, lines: Iterable[Rect | Contour], radius: float) -> bytes:
    """Return one line for each card: a rectangle, its corners rounded, or a path."""
    width, height = (_format(side / MM) for side in paper)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}">',
        '<g fill="none" stroke="#ff0000" stroke-width="0.1">',
    ]
    for trim in lines:
        if isinstance(trim, Contour):
            parts.append(f'<path d="{_format_path(trim)}"/>')
            continue
        x, y, across, down = (_format(side / MM) for side in trim)
        round_ = f' rx="{_format(_fit_radius(trim, radius) / MM)}"' if radius else ""
        parts.append(f'<rect x="{x}" y="{y}" width="{across}" height="{down}"{round_}/>')
    return "\n".join([*parts, "</g>", "</svg>", ""]).encode()


def format_dxf(paper: Size, lines: Iterable[Rect | Contour], radius: float) -> bytes:
    """Return a closed line for each card, as version R12 has them, which every cutter reads."""
    header = (
        *((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009")),
        *((9, "$INSUNITS"), (70, "4"), (9, "$MEASUREMENT"), (70, "1")),
        *((9, "$EXTMIN"), (10, "0"), (20, "0"), (9, "$EXTMAX")),
        *((10, _format(paper.width / MM)), (20, _format(paper.height / MM)), (0, "ENDSEC")),
        *((0, "SECTION"), (2, "ENTITIES")),
    )
    pairs: list[tuple[int, str]] = list(header)
    for trim in lines:
        if isinstance(trim, Contour):
            pairs += _trace(trim.flipped(paper.height).list_points(_FLATNESS))
            continue
        flipped = Rect(trim.x, paper.height - trim.bottom, trim.width, trim.height)
        pairs += _trace(_list_points(flipped, _fit_radius(trim, radius)))
    pairs += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code:>3}\n{value}\n" for code, value in pairs).encode("ascii")


def _format_path(contour: Contour) -> str:
    """Return a closed line as SVG writes it, in millimetres."""
    return " ".join(
        f"{operator}{' '.join(_mm(value) for value in values)}"
        for operator, values in contour.segments
    )


def _trace(points: Iterable[Point]) -> Iterator[tuple[int, str]]:
    """Yield the pairs of a closed line around a card, y upwards."""
    yield from ((0, "POLYLINE"), (8, _LAYER), (66, "1"), (70, "1"))
    yield from ((10, "0"), (20, "0"), (30, "0"))
    # Where a side has no length two corners meet in one point.
    for x, y in dict.fromkeys((_mm(x), _mm(y)) for x, y in points):
        yield from ((0, "VERTEX"), (8, _LAYER), (10, x), (20, y), (30, "0"))
    yield from ((0, "SEQEND"), (8, _LAYER))


def _list_points(trim: Rect, radius: float) -> Iterator[Point]:
    """Yield the points around a card whose corners are so many straight lines that nobody sees it.

    Arcs within a closed line are not read by every program.
    """
    steps = 0
    if radius:
        steps = ceil(pi / 2 / (2 * acos(1 - min(_FLATNESS / radius, 1))))
    corners = (
        (trim.right - radius, trim.y + radius, -90),
        (trim.right - radius, trim.bottom - radius, 0),
        (trim.x + radius, trim.bottom - radius, 90),
        (trim.x + radius, trim.y + radius, 180),
    )
    for x, y, start in corners:
        for step in range(steps + 1):
            angle = radians(start + (90 * step / steps if steps else 0))
            yield x + radius * cos(angle), y + radius * sin(angle)


def _fit_radius(trim: Rect, radius: float) -> float:
    return min(radius, trim.width / 2, trim.height / 2)


def _mm(points: float) -> str:
    return _format(points / MM)


def _format(number: float) -> str:
    return f"{round(number, 4) + 0.0:.4f}".rstrip("0").rstrip(".")
