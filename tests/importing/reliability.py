"""Whether sureness is true: of the cards that were said to be so sure, how many are right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from judging import Judged

EDGES = (0, 50, 80, 90, 95, 99, 100)
_WIDTH, _LEFT, _TOP, _HEIGHT, _COLUMN = 560, 52, 44, 220, 80
_INK, _SAID, _FOUND = "#222222", "#f3d9a4", "#1f4e8c"
_HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" \
font-size="11" fill="{ink}">
<title>{title}</title>
<rect width="{width}" height="{height}" fill="#ffffff"/>
"""


class Bin(NamedTuple):
    """Cards whose sureness lies between two percentages, and how many of them are right."""

    low: int
    high: int
    cards: int
    right: int

    @property
    def share(self) -> float:
        return 100 * self.right / self.cards if self.cards else 0.0

    @property
    def kept(self) -> bool:
        """Whether as many are right as was said, or more."""
        return self.share >= self.low


def bin_cards(cards: Iterable[Judged]) -> list[Bin]:
    ends = list(pairwise(EDGES))
    counts = [[0, 0] for _ in ends]
    for card in cards:
        place = sum(1 for low, _ in ends[1:] if card.sure >= low / 100)
        counts[place][0] += 1
        counts[place][1] += card.right
    return [Bin(*end, *count) for end, count in zip(ends, counts, strict=True)]


def print_bins(bins: Iterable[Bin]) -> None:
    print("sureness      cards   right   share")
    for one in bins:
        share = f"{one.share:6.1f}%" if one.cards else "      -"
        print(f"{f'{one.low}-{one.high}%':10} {one.cards:8} {one.right:7} {share}")
    print()


def draw_curve(bins: Iterable[Bin], title: str) -> str:
    """Return a picture in SVG: a band for what was said, a dot for what was found.

    A full dot lies in its band or above it, a hollow one below, so that no colour is needed.
    """
    height = _TOP + _HEIGHT + 66
    head = _HEAD.format(width=_WIDTH, height=height, ink=_INK, title=title)
    drawn = [*_draw_grid(title), *_draw_bins(list(bins)), *_draw_key(height - 10)]
    return head + "\n".join(drawn) + "\n</svg>\n"


def _find_y(percent: float) -> float:
    return round(_TOP + _HEIGHT * (1 - percent / 100), 1)


def _write(x: float, y: float, text: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{more}>{text}</text>'


def _draw_grid(title: str) -> Iterator[str]:
    yield _write(_LEFT, 22, title, "start", ' font-size="14" font-weight="bold"')
    for percent in range(0, 101, 20):
        y = _find_y(percent)
        yield f'<path d="M{_LEFT} {y}H{_WIDTH - 20}" stroke="#dddddd"/>'
        yield _write(_LEFT - 6, y + 4, f"{percent}%", "end")


def _draw_bins(bins: list[Bin]) -> Iterator[str]:
    dots = []
    for place, one in enumerate(bins):
        x = _LEFT + _COLUMN * (place + 0.5)
        top, bottom = _find_y(one.high), _find_y(one.low)
        yield (
            f'<rect x="{x - 30:g}" y="{top}" width="60" height="{max(3, bottom - top):g}" '
            f'fill="{_SAID}"/>'
        )
        yield _write(x, _TOP + _HEIGHT + 18, f"{one.low} to {one.high}%")
        cards = "no card" if not one.cards else f"{one.cards} card{'s' * (one.cards > 1)}"
        yield _write(x, _TOP + _HEIGHT + 33, cards, more=' fill="#666666"')
        if one.cards:
            dots.append((x, _find_y(one.share), one))
    line = " ".join(f"{x:g},{y}" for x, y, _ in dots)
    yield f'<polyline points="{line}" fill="none" stroke="{_FOUND}" stroke-width="2"/>'
    for x, y, one in dots:
        yield _draw_dot(x, y, kept=one.kept)
        beside = y + 20 if y < _TOP + 14 else y - 10
        yield _write(x, beside, f"{one.share:.0f}%", more=' font-weight="bold"')


def _draw_key(y: float) -> Iterator[str]:
    yield f'<rect x="{_LEFT}" y="{y - 9}" width="18" height="10" fill="{_SAID}"/>'
    yield _write(_LEFT + 24, y, "what was said", "start")
    for x, kept in ((_LEFT + 130, True), (_LEFT + 310, False)):
        yield _draw_dot(x, y - 4, kept=kept)
        yield _write(
            x + 11, y, "as many are right, or more" if kept else "fewer are right", "start"
        )


def _draw_dot(x: float, y: float, *, kept: bool) -> str:
    fill = _FOUND if kept else "#ffffff"
    ring = f'stroke="{_FOUND}" stroke-width="2"'
    return f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="{fill}" {ring}/>'
