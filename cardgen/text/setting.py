"""Setting: a block at its size made into runs of words, each at its place.

Knows nothing of templates, boxes or pages; a colour is passed on as it is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cardgen.core.colour import Colour, Edge
from cardgen.core.geometry import make_tuple
from cardgen.text.fit import Block
from cardgen.text.lines import Material, break_lines, join_pieces, list_extents, polish_breaks
from cardgen.text.look import NO_EXTENT, PLAIN, Extent, Look
from cardgen.text.shaping import Font, Word


class Run(NamedTuple):
    """Words of one font on one line, beginning at x on the baseline y, in points.

    Between two words stands the font's space, wider by `stretch`; without that all of them are
    `span` wide, for a size of 1. Words along a path are turned by an angle about where they begin,
    clockwise, in radians.
    """

    x: float
    y: float
    font: Font
    size: float
    colour: Colour
    words: tuple[Word, ...]
    stretch: float
    span: float
    angle: float = 0.0

    @property
    def width(self) -> float:
        return self.span * self.size + self.stretch * (len(self.words) - 1)


class InlineIcon(NamedTuple):
    """An icon or picture in a text, its left edge at x on the baseline y, turned as a run is."""

    x: float
    y: float
    font: Font
    size: float
    colour: Colour
    art: object
    angle: float = 0.0


class Rule(NamedTuple):
    """A line under words or through them; its middle lies at y."""

    x: float
    y: float
    width: float
    thickness: float
    colour: Colour


class Edged(NamedTuple):
    """A line around words, to be drawn below all of them."""

    run: Run
    edge: Edge


Piece = Run | InlineIcon | Rule | Edged


class SetBlock(NamedTuple):
    """A block that is set; `lines` holds the place of each line's first piece, `paragraphs` that
    of each paragraph's.

    extents: how far each line reaches above its capitals and below its letters; none if none does
    is_edged: whether there are lines around words
    """

    height: float
    pieces: list[Piece]
    lines: list[int]
    baselines: list[float]
    paragraphs: list[int]
    extents: list[Extent]
    is_edged: bool = False

    def get_extent(self, line: int) -> Extent:
        return self.extents[line] if self.extents else NO_EXTENT


def set_block(
    block: Block,
    size: float,
    width: float,
    colour: Colour,
    align: str = "left",
    *,
    look: Look = PLAIN,
    balance: bool = False,
    x: float = 0.0,
    y: float = 0.0,
    lower: Callable[[float], float] | None = None,
) -> SetBlock:
    """Set a block at a size that is known to fit; its top left is (x, y).

    look: of the words that have none of their own
    lower: told the block's height, says how far below y its pieces stand
    """
    room = width / size
    justify = align == "justify"
    share = {"centre": 0.5, "right": 1.0}.get(align, 0.0)
    placed: list[_Line | None] = []
    starts: list[int] = []
    baselines: list[float] = []
    extents: list[Extent] = []
    is_tall = any(material.tall for material in block.paragraphs)
    is_edged = look.edge is not None
    baseline = y + block.cap_height * size
    extra, before = 0.0, NO_EXTENT  # what lines took so far that are higher than their letters
    for material, gap in zip(block.paragraphs, block.gaps, strict=True):
        baseline += gap * size
        starts.append(len(placed))
        breaks = break_lines(material, room) or [len(material)]
        if len(breaks) > 1:
            even = balance or justify
            breaks = _polish(block, material, breaks, room, even=even, last_free=justify)
        mixed = material.pieces or material.icons
        looks = material.looks
        if looks and not is_edged:
            is_edged = any(own.edge is not None for own in looks.values())
        if is_tall:
            extents += list_extents(material, breaks)
        at = 0
        for end in breaks:
            if is_tall:
                extent = extents[len(placed)]
                wider = block.widen(before, extent) if placed else extent.rise
                baseline += wider * size
                extra += wider
                before = extent
            baselines.append(baseline)
            if at == end:
                placed.append(None)
                baseline += block.leading * size
                continue
            line, first, last = material, at, end
            if mixed:
                line = join_pieces(material, at, end)
                first, last = 0, len(line)
            left, stretch = x, 0.0
            if share or justify:
                spare = (room - line.ends[last - 1] + line.starts[first]) * size
                left += spare * share
                if justify and end < len(material) and spare > 0:
                    gaps = sum(space > 0 for space in line.spaces[first : last - 1])
                    stretch = spare / gaps if gaps else 0.0
            placed.append((line, first, last, left, stretch))
            at = end
            baseline += block.leading * size
    extra += before.drop
    height = (block.height(len(placed)) + extra) * size
    down = lower(height) if lower is not None else 0.0
    pieces: list[Piece] = []
    lines: list[int] = []
    for one, level in zip(placed, baselines, strict=True):
        lines.append(len(pieces))
        if one is None:
            continue
        if one[0].looks or look is not PLAIN:
            _add_dressed_runs(one, level + down, size, colour, look, pieces)
        else:
            _add_runs(one, level + down, size, colour, pieces)
    paragraphs = [lines[number] for number in starts]
    return SetBlock(height, pieces, lines, baselines, paragraphs, extents, is_edged)


def _polish(
    block: Block,
    material: Material,
    breaks: list[int],
    room: float,
    *,
    even: bool,
    last_free: bool,
) -> list[int]:
    """Return better ends of lines, unless they make the block higher than it was measured."""
    better = polish_breaks(material, breaks, room, even=even, last_free=last_free)
    if material.tall:
        before, after = (_measure_tall(block, material, ends) for ends in (breaks, better))
        if any(new > old for old, new in zip(before, after, strict=True)):
            return breaks
    return better


def _measure_tall(block: Block, material: Material, breaks: list[int]) -> tuple[float, ...]:
    """Return what a paragraph takes above, between and below its lines for being tall."""
    extents = list_extents(material, breaks)
    between = sum(block.widen(above, below) for above, below in pairwise(extents))
    return extents[0].rise, between, extents[-1].drop


class _Ruled(NamedTuple):
    """Words with one look, from x to end; `place` counts those of the line."""

    place: int
    x: float
    end: float
    font: Font
    size: float
    colour: Colour
    look: Look


# The atoms from one to before another of a paragraph, which are one line, where it begins, and the
# stretch of its spaces. A plain tuple: there are many.
_Line = tuple[Material, int, int, float, float]


def _add_runs(
    line: _Line,
    baseline: float,
    size: float,
    colour: Colour,
    pieces: list[Piece] | list[Run | InlineIcon],
) -> None:
    """Append the runs of a line, all in the colour of the block."""
    material, at, end, left, stretch = line
    words, fonts, spaces = material.words, material.fonts, material.spaces
    starts, ends = material.starts, material.ends
    segments = material.segments
    segment = bisect_right(segments, at)
    origin, gaps = starts[at], 0
    while at < end:
        stop = end
        if segment < len(segments) and segments[segment] < end:
            stop = segments[segment]
            segment += 1
        font = fonts[at]
        x = left + (starts[at] - origin) * size + gaps * stretch
        if at in material.icons:
            pieces.append(InlineIcon(x, baseline, font, size, colour, material.icons[at].art))
            gaps += spaces[at] > 0
        else:
            chosen, span = tuple(words[at:stop]), ends[stop - 1] - starts[at]
            if stop < end and spaces[stop - 1]:
                chosen, span = (*chosen, font.ending), span + spaces[stop - 1]
            gaps += len(chosen) - 1
            run = (x, baseline, font, size, colour, chosen, stretch, span, 0.0)
            pieces.append(make_tuple(Run, run))
        at = stop


def _add_dressed_runs(
    line: _Line, baseline: float, size: float, colour: Colour, look: Look, pieces: list[Piece]
) -> None:
    """Append the runs of a line in their looks, with the lines around, under and through them."""
    plain: list[Run | InlineIcon] = []
    _add_runs(line, baseline, size, colour, plain)
    material, at, end, _, stretch = line
    edges: list[Edged] = []
    ruled: list[_Ruled] = []
    segments = material.segments
    for place, level in enumerate(plain):
        after = bisect_right(segments, at)
        stop = min(segments[after], end) if after < len(segments) else end
        own = material.looks.get(at, look)
        piece = level._replace(size=size * own.scale, colour=own.colour or colour)
        if isinstance(piece, Run):  # which is as wide as it was
            piece = piece._replace(span=piece.span / own.scale)
        pieces.append(piece)
        if own.edge is not None and isinstance(piece, Run):
            edges.append(Edged(piece, Edge(own.edge.colour, own.edge.width * size)))
        if own.underline or own.strike:
            inner = sum(space > 0 for space in material.spaces[at : stop - 1])
            reach = (material.ends[stop - 1] - material.starts[at]) * size + inner * stretch
            end_x = piece.x + reach
            ruled.append(_Ruled(place, piece.x, end_x, piece.font, piece.size, piece.colour, own))
        at = stop
    pieces += edges
    pieces += _list_rules(ruled, baseline)


def _list_rules(ruled: Sequence[_Ruled], baseline: float) -> Iterator[Rule]:
    """Yield the lines under words and through them, each as long as its colour is the same."""
    for through in (False, True):
        open_: _Ruled | None = None
        for part in ruled:
            if not (part.look.strike if through else part.look.underline):
                continue
            if open_ is not None and open_.place + 1 == part.place:
                if open_.colour == part.colour:
                    # One line is one thickness: that of the smallest letters.
                    least = min(open_, part, key=lambda ruled: ruled.size)
                    open_ = part._replace(x=open_.x, font=least.font, size=least.size)
                    continue
                open_ = open_._replace(end=part.x)
            if open_ is not None:
                yield _make_rule(open_, baseline, through=through)
            open_ = part
        if open_ is not None:
            yield _make_rule(open_, baseline, through=through)


def _make_rule(part: _Ruled, baseline: float, *, through: bool) -> Rule:
    file = part.font.file
    top, thickness = file.strike if through else file.underline
    y = baseline - (top - thickness / 2) * part.size
    return Rule(part.x, y, part.end - part.x, thickness * part.size, part.colour)
