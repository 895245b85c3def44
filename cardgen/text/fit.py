"""Copyfitting: the largest size at which a block fits its box, in steps of a tenth of a point.

Whether a text fits can only get worse as it grows, so the size is searched by halving; for the same
reason a larger box never gets a smaller text. Knows nothing of templates, colours or pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple, Protocol

from cardgen.text.lines import SLACK, Material, break_lines, find_widest, list_extents
from cardgen.text.look import Extent

STEP = 0.1
TOLERANCE = 0.005


class Block(NamedTuple):
    """The paragraphs of one text with their vertical measures, all in em."""

    paragraphs: tuple[Material, ...]
    gaps: tuple[float, ...]  # extra space above each paragraph; nothing above the first
    leading: float
    cap_height: float
    depth: float

    def height(self, lines: int) -> float:
        """Return the height of so many lines, from its first capitals to its last descenders."""
        if not lines:
            return 0.0
        return self.cap_height + (lines - 1) * self.leading + sum(self.gaps) + self.depth

    def widen(self, above: Extent, below: Extent) -> float:
        """Return by how much two lines move apart that reach above and below their letters.

        Half of the white between them is theirs.
        """
        white = max(self.leading - self.cap_height - self.depth, 0.0)
        return max(above.drop + below.rise - white / 2, 0.0)


class Listed(Protocol):
    """A text that measures itself, for it is more than paragraphs."""

    @property
    def width(self) -> float:
        """The width of all of it with nothing broken into lines, in em."""

    def measure(self, size: float, width: float) -> float:
        """Return its height at a size, in points; what is too wide is refused."""

    def find_height(self, size: float, width: float) -> float | None:
        """Return its height at a size, in points; None if anything is wider than the width."""


Text = Block | Listed


def measure_block(block: Text, size: float, width: float) -> float | None:
    """Return the height of a text at a size, in points; None if a word is wider than the width."""
    if not isinstance(block, Block):
        return block.find_height(size, width)
    lines, is_tall = 0, False
    for material in block.paragraphs:
        breaks = break_lines(material, width / size)
        if breaks is None:
            return None
        lines += len(breaks)
        if material.tall:
            is_tall = True
    height = block.height(lines)
    if is_tall:
        broken = [break_lines(material, width / size) or [] for material in block.paragraphs]
        height += _measure_extra(block, broken)
    return height * size


def count_lines(block: Block, size: float, width: float) -> int:
    """Return how many lines a block takes at a size."""
    room = width / size
    return sum(len(break_lines(material, room) or [0]) for material in block.paragraphs)


def measure_unbroken(block: Block) -> float:
    """Return the height of a block with each paragraph on one line, in em."""
    height = block.height(len(block.paragraphs))
    if any(material.tall for material in block.paragraphs):
        height += _measure_extra(block, [[len(material)] for material in block.paragraphs])
    return height


def _measure_extra(block: Block, breaks: Sequence[Sequence[int]]) -> float:
    """Return the height that a block needs for lines that are higher than its letters, in em."""
    extents: list[Extent] = []
    for material, ends in zip(block.paragraphs, breaks, strict=True):
        extents += list_extents(material, ends)
    between = sum(block.widen(above, below) for above, below in pairwise(extents))
    return extents[0].rise + between + extents[-1].drop


def measure_width(block: Text) -> float:
    """Return the width of a text with each paragraph on one line, in em."""
    if not isinstance(block, Block):
        return block.width
    return max((material.width for material in block.paragraphs), default=0.0)


def fits_box(block: Text, size: float, width: float, height: float) -> bool:
    needed = measure_block(block, size, width)
    return needed is not None and needed <= height + TOLERANCE


def fits_line(block: Text, size: float, width: float) -> bool:
    if not isinstance(block, Block):
        return False
    return len(block.paragraphs) <= 1 and measure_width(block) <= width / size + SLACK


def find_size(fits: Callable[[float], bool], largest: float, smallest: float) -> float | None:
    """Return the largest size that fits, or None if not even `smallest` does."""
    if fits(largest):
        return largest
    steps = ceil((largest - smallest) / STEP - 1e-9)
    # As if a size below the smallest fitted: only what needs it asks for the smallest.
    low, high = 0, steps + 1
    while high - low > 1:
        middle = (low + high) // 2
        if fits(_step_down(largest, middle, smallest)):
            high = middle
        else:
            low = middle
    return _step_down(largest, high, smallest) if high <= steps else None


def _step_down(largest: float, steps: int, smallest: float) -> float:
    return max(round(largest - steps * STEP, 3), smallest)


def find_widest_word(block: Block) -> tuple[float, str]:
    """Return the widest thing of a block that no line can break, in em, and its text."""
    return max((find_widest(material) for material in block.paragraphs), default=(0.0, ""))
