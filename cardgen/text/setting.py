"""Setting: a block at its size made into runs of words, each at its place.

Knows nothing of templates, boxes or pages; a colour is passed on as it is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cardgen.core.colour import Colour, Edge
from cardgen.text.fit import Block
from cardgen.text.lines import Material, break_lines, join_pieces, list_extents, polish_breaks
from cardgen.text.look import NO_EXTENT, PLAIN, Extent, Look
from cardgen.text.shaping import Font, Word


class Run(NamedTuple):
    """Words of one font on one line, beginning at x on the baseline y, in points.

    Between two words stands the font's space, wider by `stretch`. Words along a path are turned by
    an angle about where they begin, clockwise, in radians.
    """

    x: float
    y: float
    font: Font
    size: float
    colour: Colour
    words: tuple[Word, ...]
    stretch: float
    angle: float = 0.0


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


class SetLine(NamedTuple):
    """A line: the place of its first piece, its baseline, and how far it reaches, in points."""

    first: int
    baseline: float
    extent: Extent = NO_EXTENT


class SetBlock(NamedTuple):
    """A block that is set; `paragraphs` holds the place of each paragraph's first piece."""

    height: float
    pieces: list[Piece]
    lines: list[SetLine]
    paragraphs: list[int]


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
) -> SetBlock:
    """Set a block at a size that is known to fit; its top left is (x, y).

    look: of the words that have none of their own
    """
    room = width / size
    justify = align == "justify"
    share = {"centre": 0.5, "right": 1.0}.get(align, 0.0)
    pieces: list[Piece] = []
    lines: list[SetLine] = []
    paragraphs: list[int] = []
    baseline = y + block.cap_height * size
    extra, before = 0.0, NO_EXTENT  # what lines took so far that are higher than their letters
    is_ruled = look.underline or look.strike
    for material, gap in zip(block.paragraphs, block.gaps, strict=True):
        baseline += gap * size
        paragraphs.append(len(pieces))
        breaks = break_lines(material, room) or [len(material)]
        if len(breaks) > 1:
            even = balance or justify
            breaks = _polish(block, material, breaks, room, even=even, last_free=justify)
        mixed = material.pieces or material.icons
        extents = list_extents(material, breaks) if material.tall else None
        at = 0
        for number, end in enumerate(breaks):
            extent = extents[number] if extents else NO_EXTENT
            if extent is not NO_EXTENT or before is not NO_EXTENT:
                wider = block.widen(before, extent) if lines else extent.rise
                baseline += wider * size
                extra += wider
                before = extent
            lines.append(SetLine(len(pieces), baseline, extent))
            if at == end:
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
            ruled: list[_Ruled] | None = [] if is_ruled or line.looks else None
            _add_runs(line, first, last, left, baseline, size, colour, stretch, look, pieces, ruled)
            if ruled:
                pieces += _list_rules(ruled, baseline)
            at = end
            baseline += block.leading * size
    extra += before.drop
    return SetBlock((block.height(len(lines)) + extra) * size, pieces, lines, paragraphs)


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
    """Words with one look, from x to end; `place` counts the pieces of the text."""

    place: int
    x: float
    end: float
    font: Font
    size: float
    colour: Colour
    look: Look


def _add_runs(
    material: Material,
    at: int,
    end: int,
    left: float,
    baseline: float,
    size: float,
    colour: Colour,
    stretch: float,
    look: Look,
    pieces: list[Piece],
    ruled: list[_Ruled] | None,
) -> None:
    """Append the runs of the atoms at..end, which are one line, and note which have lines."""
    words, fonts, spaces, starts = (
        material.words,
        material.fonts,
        material.spaces,
        material.starts,
    )
    segments, looks = material.segments, material.looks
    segment = bisect_right(segments, at)
    origin, gaps = starts[at], 0
    own, run_size, ink = look, size, colour
    edges: list[Edged] = []
    while at < end:
        stop = end
        if segment < len(segments) and segments[segment] < end:
            stop = segments[segment]
            segment += 1
        font = fonts[at]
        if looks:
            own = looks.get(at, look)
            run_size, ink = size * own.scale, own.colour or colour
        x = left + (starts[at] - origin) * size + gaps * stretch
        if at in material.icons:
            art = material.icons[at].art
            pieces.append(InlineIcon(x, baseline, font, run_size, ink, art))
            inner, parted = 0, spaces[at] > 0
        else:
            chosen = tuple(words[at:stop])
            inner, parted = len(chosen) - 1, stop < end and spaces[stop - 1] > 0
            if parted:
                chosen = (*chosen, font.ending)
            run = Run(x, baseline, font, run_size, ink, chosen, stretch)
            pieces.append(run)
            if own.edge is not None:
                edge = Edge(own.edge.colour, own.edge.width * size)
                edges.append(Edged(run, edge))
        if ruled is not None and (own.underline or own.strike):
            reach = left + (material.ends[stop - 1] - origin) * size + (gaps + inner) * stretch
            ruled.append(_Ruled(len(pieces), x, reach, font, run_size, ink, own))
        gaps += inner + parted
        at = stop
    pieces += edges


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
