"""The files that a cutter follows: the trims on a sheet as lines, in SVG and in DXF.

Both are in millimetres. An SVG counts from the top left of the paper, a DXF from the bottom left.
Knows nothing of cards or decks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cardgen.core.geometry import Rect, Size
from cardgen.core.units import MM

_LAYER = "CUT"


def format_svg(paper: Size, trims: Iterable[Rect], radius: float) -> bytes:
    """Return one rectangle for each card, its corners rounded."""
    width, height = (_format(side / MM) for side in paper)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}">',
        '<g fill="none" stroke="#ff0000" stroke-width="0.1">',
    ]
    for trim in trims:
        x, y, across, down = (_format(side / MM) for side in trim)
        round_ = f' rx="{_format(_fit_radius(trim, radius) / MM)}"' if radius else ""
        lines.append(f'<rect x="{x}" y="{y}" width="{across}" height="{down}"{round_}/>')
    return "\n".join([*lines, "</g>", "</svg>", ""]).encode()


def format_dxf(paper: Size, trims: Iterable[Rect], radius: float) -> bytes:
    """Return lines and arcs, as version R12 has them, which every cutter reads."""
    header = (
        *((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009")),
        *((9, "$INSUNITS"), (70, "4"), (9, "$MEASUREMENT"), (70, "1")),
        *((9, "$EXTMIN"), (10, "0"), (20, "0"), (9, "$EXTMAX")),
        *((10, _format(paper.width / MM)), (20, _format(paper.height / MM)), (0, "ENDSEC")),
        *((0, "SECTION"), (2, "ENTITIES")),
    )
    pairs: list[tuple[int, str]] = list(header)
    for trim in trims:
        flipped = Rect(trim.x, paper.height - trim.bottom, trim.width, trim.height)
        pairs += _trace(flipped, _fit_radius(trim, radius))
    pairs += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code:>3}\n{value}\n" for code, value in pairs).encode("ascii")


def _trace(trim: Rect, radius: float) -> Iterator[tuple[int, str]]:
    """Yield the pairs of a card's four sides and four corners, y upwards."""
    left, right, low, high, r = trim.x, trim.right, trim.y, trim.bottom, radius
    sides: Sequence[tuple[float, float, float, float]] = (
        (left + r, low, right - r, low),
        (right, low + r, right, high - r),
        (right - r, high, left + r, high),
        (left, high - r, left, low + r),
    )
    corners = (
        (right - r, low + r, 270),
        (right - r, high - r, 0),
        (left + r, high - r, 90),
        (left + r, low + r, 180),
    )
    for (x1, y1, x2, y2), (x, y, start) in zip(sides, corners, strict=True):
        if abs(x2 - x1) + abs(y2 - y1) > 1e-6:
            yield from ((0, "LINE"), (8, _LAYER))
            yield from ((10, _mm(x1)), (20, _mm(y1)), (11, _mm(x2)), (21, _mm(y2)))
        if r:
            yield from ((0, "ARC"), (8, _LAYER), (10, _mm(x)), (20, _mm(y)), (40, _mm(r)))
            yield from ((50, str(start)), (51, str((start + 90) % 360)))


def _fit_radius(trim: Rect, radius: float) -> float:
    return min(radius, trim.width / 2, trim.height / 2)


def _mm(points: float) -> str:
    return _format(points / MM)


def _format(number: float) -> str:
    return f"{round(number, 4) + 0.0:.4f}".rstrip("0").rstrip(".")
