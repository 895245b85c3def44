"""Draws time and memory over cards as an SVG picture, both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Curves = Mapping[str, Sequence[Point]]

_COLOURS = ("#b3261e", "#1f5fa8", "#2e7d32", "#7b3fa0", "#c77700", "#00796b", "#6b6b6b", "#a0522d")
_WIDTH, _HEIGHT = 380, 300
_LEFT, _TOP, _GAP, _KEY = 60, 34, 80, 22


@dataclass(frozen=True, slots=True)
class _Panel:
    """A diagram with its place in the picture, and the powers of ten at the ends of its axes."""

    title: str
    curves: Curves
    left: float
    x_ends: tuple[int, int]
    y_ends: tuple[int, int]

    @classmethod
    def around(cls, title: str, curves: Curves, left: float) -> _Panel:
        points = [point for curve in curves.values() for point in curve]
        across, up = (_find_ends(point[axis] for point in points) for axis in (0, 1))
        return cls(title, curves, left, across, up)

    def place(self, x: float, y: float) -> Point:
        across = (math.log10(x) - self.x_ends[0]) / (self.x_ends[1] - self.x_ends[0])
        up = (math.log10(y) - self.y_ends[0]) / (self.y_ends[1] - self.y_ends[0])
        return self.left + _WIDTH * across, _TOP + _HEIGHT * (1 - up)

    def draw(self, colours: Mapping[str, str]) -> Iterator[str]:
        yield _write(self.left, _TOP - 12, self.title, "start", bold=True)
        for power in range(self.x_ends[0], self.x_ends[1] + 1):
            x, bottom = self.place(10**power, 10 ** self.y_ends[0])
            yield _rule(x, _TOP, x, bottom)
            yield _write(x, bottom + 16, f"{10**power:,}", "middle")
        for power in range(self.y_ends[0], self.y_ends[1] + 1):
            x, y = self.place(10 ** self.x_ends[0], 10**power)
            yield _rule(x, y, x + _WIDTH, y)
            yield _write(x - 6, y + 4, f"{10**power:,g}", "end")
        for name, curve in self.curves.items():
            places = [self.place(*point) for point in curve]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            dashes = ' stroke-dasharray="5 3"' if name.startswith("Typst") else ""
            yield (
                f'<polyline points="{path}" fill="none" stroke="{colours[name]}" '
                f'stroke-width="2"{dashes}/>'
            )
            for x, y in places:
                yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colours[name]}"/>'


def draw(times: Curves, memory: Curves) -> str:
    """Return the picture of seconds and megabytes over cards; a name keeps its colour."""
    names = list(dict.fromkeys((*times, *memory)))
    colours = {name: _COLOURS[place % len(_COLOURS)] for place, name in enumerate(names)}
    second = _LEFT + _WIDTH + _GAP
    width = second + _WIDTH + _LEFT / 2
    top_of_key = _TOP + _HEIGHT + 2 * _KEY
    height = top_of_key + _KEY * math.ceil(len(names) / 4)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        'font-family="sans-serif" font-size="12" fill="#222">',
        '<rect width="100%" height="100%" fill="white"/>',
        *_Panel.around("seconds, over cards", times, _LEFT).draw(colours),
        *_Panel.around("megabytes, over cards", memory, second).draw(colours),
    ]
    for place, (name, colour) in enumerate(colours.items()):
        x, y = _LEFT + place % 4 * 210, top_of_key + place // 4 * _KEY
        parts.append(f'<circle cx="{x}" cy="{y - 4}" r="5" fill="{colour}"/>')
        parts.append(_write(x + 10, y, name, "start"))
    return "\n".join((*parts, "</svg>", ""))


def _find_ends(numbers: Iterable[float]) -> tuple[int, int]:
    """Return the powers of ten between which all numbers lie, two different ones."""
    found = list(numbers)
    low = math.floor(math.log10(min(found)))
    return low, max(low + 1, math.ceil(math.log10(max(found))))


def _rule(x: float, y: float, x_end: float, y_end: float) -> str:
    return f'<path d="M{x:.1f} {y:.1f}L{x_end:.1f} {y_end:.1f}" stroke="#ddd"/>'


def _write(x: float, y: float, words: str, anchor: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{words}</text>'
