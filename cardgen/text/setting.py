"""Setting: a block at its size made into runs of words, each at its place.

Knows nothing of templates, boxes or pages; a colour is passed on as it is.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from cardgen.core.colour import Colour
from cardgen.text.fit import Block
from cardgen.text.lines import Material, break_lines, join_pieces, polish_breaks
from cardgen.text.shaping import Font, Word


class Run(NamedTuple):
    """Words of one font on one line, beginning at x on the baseline y, in points.

    Between two words stands the font's space, wider by `stretch`.
    """

    x: float
    y: float
    font: Font
    size: float
    colour: Colour
    words: tuple[Word, ...]
    stretch: float


class InlineIcon(NamedTuple):
    """An icon in a text, its left edge at x on the baseline y."""

    x: float
    y: float
    font: Font
    size: float
    colour: Colour
    name: str


Piece = Run | InlineIcon


class SetBlock(NamedTuple):
    """A block that is set; `lines` holds the place of each line's first piece, `paragraphs` that
    of each paragraph's.
    """

    height: float
    pieces: list[Piece]
    lines: list[int]
    paragraphs: list[int]


def set_block(
    block: Block,
    size: float,
    width: float,
    colour: Colour,
    align: str = "left",
    *,
    balance: bool = False,
    x: float = 0.0,
    y: float = 0.0,
) -> SetBlock:
    """Set a block at a size that is known to fit; its top left is (x, y)."""
    room = width / size
    justify = align == "justify"
    share = {"centre": 0.5, "right": 1.0}.get(align, 0.0)
    pieces: list[Piece] = []
    lines: list[int] = []
    paragraphs: list[int] = []
    baseline = y + block.cap_height * size
    for material, gap in zip(block.paragraphs, block.gaps, strict=True):
        baseline += gap * size
        paragraphs.append(len(pieces))
        breaks = break_lines(material, room) or [len(material)]
        if len(breaks) > 1:
            breaks = polish_breaks(
                material, breaks, room, even=balance or justify, last_free=justify
            )
        mixed = material.pieces or material.icons
        at = 0
        for end in breaks:
            lines.append(len(pieces))
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
            _add_runs(line, first, last, left, baseline, size, colour, stretch, pieces)
            at = end
            baseline += block.leading * size
    return SetBlock(block.height(len(lines)) * size, pieces, lines, paragraphs)


def _add_runs(
    material: Material,
    at: int,
    end: int,
    left: float,
    baseline: float,
    size: float,
    colour: Colour,
    stretch: float,
    pieces: list[Piece],
) -> None:
    """Append the runs of the atoms at..end, which are one line."""
    words, fonts, spaces, starts = (
        material.words,
        material.fonts,
        material.spaces,
        material.starts,
    )
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
            pieces.append(InlineIcon(x, baseline, font, size, colour, material.icons[at]))
            gaps += spaces[at] > 0
        else:
            chosen = tuple(words[at:stop])
            if stop < end and spaces[stop - 1]:
                chosen = (*chosen, font.ending)
            gaps += len(chosen) - 1
            pieces.append(Run(x, baseline, font, size, colour, chosen, stretch))
        at = stop
