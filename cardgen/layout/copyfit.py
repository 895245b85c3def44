"""The size of each text chosen: by its line, by its box, or by all cards of the deck together.

Notes which texts were set smaller than the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from cardgen.core.errors import shorten
from cardgen.core.geometry import Rect
from cardgen.core.units import format_mm, format_pt
from cardgen.layout.room import SPARE, to_mm
from cardgen.layout.subject import Subject, TextRefusal, WordRefusal
from cardgen.template.model import TextSpec
from cardgen.text.fit import (
    Block,
    find_size,
    find_widest_word,
    fits_box,
    fits_line,
    measure_block,
    measure_width,
)


class Shrunk(NamedTuple):
    """A text that was set smaller than the others of its deck."""

    subject: Subject
    field: str
    size: float
    usual: float


@dataclass
class DeckSizes:
    """The sizes that fit="deck" shares: first gathered from all cards, then decided."""

    wanted: dict[str, list[float]] = field(default_factory=dict)
    decided: dict[str, float] = field(default_factory=dict)

    def decide(self) -> None:
        """Keep for each key the largest size that fits every card."""
        self.decided = {key: min(sizes, default=inf) for key, sizes in self.wanted.items()}


class Copyfit:
    """Chooses the sizes of one template's texts; while gathering, it only notes what they want."""

    def __init__(self, sizes: DeckSizes) -> None:
        self.shrunk: list[Shrunk] = []
        self.gathering = False
        self._sizes = sizes

    def choose_size(self, spec: TextSpec, block: Block, rect: Rect, subject: Subject) -> float:
        """Return the largest size at which a text fits its box; a text without one is refused."""

        def fits(size: float) -> bool:
            if spec.fit == "line" and not fits_line(block, size, rect.width):
                return False
            return fits_box(block, size, rect.width, rect.height)

        deck, usual = spec.fit == "deck", spec.largest
        if deck and not self.gathering:
            usual = min(self._sizes.decided.get(spec.key, usual), usual)
        size = find_size(fits, usual, spec.smallest)
        if size is None:
            if spec.fit == "line":
                check_line(block, spec.smallest, rect.width)
            check_fit(block, spec.smallest, rect.width, rect.height)
            return spec.smallest
        # A card on which the style's own size does not fit sets no rule for the others.
        if deck and self.gathering and size >= spec.style.size:
            self._sizes.wanted.setdefault(spec.key, []).append(size)
        if spec.fit in ("box", "deck") and size < min(usual, spec.style.size):
            self.note_shrunk(subject, spec.fields, size, usual)
        return size

    def note_shrunk(
        self, subject: Subject, fields: tuple[str, ...], size: float, usual: float
    ) -> None:
        if not self.gathering:
            self.shrunk.append(Shrunk(subject, "/".join(fields), size, usual))


def check_fit(block: Block, size: float, width: float, height: float) -> None:
    """Refuse a block that does not fit its box, with the arithmetic."""
    widest, word = find_widest_word(block)
    if widest * size > width + SPARE:
        raise WordRefusal(
            "text/word-too-wide",
            f'"{shorten(word, 30)}" is {format_mm(widest * size)} wide at {format_pt(size)},'
            f" its box is {format_mm(width)}",
            "add a soft hyphen, shorten it, or make the box wider",
            {"word": word, "needed": to_mm(widest * size), "room": to_mm(width)},
        )
    if not fits_box(block, size, width, height):
        needed = measure_block(block, size, width) or 0.0
        raise TextRefusal(
            "text/too-long",
            f"is {format_mm(needed - height)} too long: at {format_pt(size)} it needs"
            f" {format_mm(needed)}, its box is {format_mm(height)} high",
            "shorten it, or give it more room",
            {"size": size, "needed": to_mm(needed), "room": to_mm(height)},
        )


def check_line(block: Block, size: float, width: float) -> None:
    """Refuse a block that does not fit on one line, with the arithmetic."""
    if fits_line(block, size, width):
        return
    if len(block.paragraphs) > 1:
        raise TextRefusal(
            "text/more-than-one-line", "is more than one line", "take the line breaks out"
        )
    needed = measure_width(block) * size
    raise TextRefusal(
        "text/too-long",
        f"is {format_mm(needed - width)} too long for one line: at {format_pt(size)} it needs"
        f" {format_mm(needed)}, its box is {format_mm(width)} wide",
        "shorten it, or give it more room",
        {"size": size, "needed": to_mm(needed), "room": to_mm(width)},
    )
