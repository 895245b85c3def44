"""How words look that differ from the text around them, and how much of a line they take.

Knows nothing of styles or fonts.
"""

from __future__ import annotations

from typing import NamedTuple

from cardgen.core.colour import Colour, Edge


class Look(NamedTuple):
    """What words have instead of what their text has.

    scale: of the text's size
    edge: its width in em
    """

    colour: Colour | None = None
    scale: float = 1.0
    underline: bool = False
    strike: bool = False
    edge: Edge | None = None


PLAIN = Look()


class Extent(NamedTuple):
    """How far something reaches above the capitals of its text and below the letters, in em."""

    rise: float = 0.0
    drop: float = 0.0

    def join(self, other: Extent) -> Extent:
        return Extent(max(self.rise, other.rise), max(self.drop, other.drop))


NO_EXTENT = Extent()


class Inset(NamedTuple):
    """The room that an icon or picture takes in a line, in em; `art` is passed on as it is."""

    width: float
    extent: Extent = NO_EXTENT
    art: object = None
