"""What stands in a line of text as a word does: icons, with words on them, and pictures.

Knows nothing of lines, or of the texts that it stands in.
"""

from __future__ import annotations

from typing import NamedTuple

from cardgen.core.colour import BLACK, WHITE, Colour, Paint
from cardgen.core.errors import CardgenError, Refusal, shorten
from cardgen.core.geometry import Rect
from cardgen.core.units import parse_points
from cardgen.layout.art.pictures import PictureInfo
from cardgen.layout.art.svg.drawing import Drawing
from cardgen.layout.subject import TextRefusal
from cardgen.template.model import Style
from cardgen.text.fit import Block, measure_width
from cardgen.text.look import Extent, Inset
from cardgen.text.markup import Inline

# The white to the left and right of an icon, in sizes of the type.
_WHITE = 0.05
# How much of an icon its words may take: of its width, and their capitals of its height.
_BROADEST, _HIGHEST = 0.66, 0.5
_SMALLEST = 0.25  # sizes of the type, for words on an icon
MOST_HEIGHT = 20  # of a picture, in sizes of the type
_DARK = 0.55  # of a colour, below which white is read upon it


class Label(NamedTuple):
    """Words on an icon; `size` is what their style asks for, in sizes of the type."""

    block: Block
    style: Style
    size: float | None


class InlineArt(NamedTuple):
    """An icon or a picture ready to be drawn at any size; measures are in sizes of the type."""

    icon: Inline
    width: float
    height: float
    lift: float = 0.0
    paint: Paint | None = None
    picture: PictureInfo | Drawing | None = None
    label: Label | None = None
    keeps: bool = False  # the colours of its file
    gone: CardgenError | None = None  # why there is no picture

    def measure(self) -> Inset:
        """Return the room that it takes in a line."""
        more = (self.height - 1) / 2
        extent = Extent(max(more + self.lift, 0.0), max(more - self.lift, 0.0))
        return Inset(self.width + 2 * _WHITE, extent, self)

    def place(self, x: float, y: float, size: float, cap_height: float) -> Rect:
        """Return its frame: the middle of it is that of the capitals on the baseline y."""
        width, height = self.width * size, self.height * size
        middle = y - (cap_height / 2 + self.lift) * size
        return Rect(x + _WHITE * size, middle - height / 2, width, height)

    def place_label(self, label: Label, frame: Rect, size: float) -> tuple[float, float, float]:
        """Return the left and top of its words, and their size in points."""
        wide, block = measure_width(label.block), label.block
        largest = _HIGHEST * frame.height / block.cap_height
        if wide:
            largest = min(largest, _BROADEST * frame.width / wide)
        if largest < _SMALLEST * size:
            words = shorten(self.icon.text, 30)
            raise TextRefusal(
                "text/too-long-for-an-icon",
                f'has "{words}" on the icon "{self.icon.name}", which is too small for it',
                "write less on it, or give its <icon-style> a larger size",
                {"words": self.icon.text, "name": self.icon.name},
            )
        chosen = largest if label.size is None else min(label.size * size, largest)
        left = frame.x + (frame.width - wide * chosen) / 2
        top = frame.y + (frame.height - block.cap_height * chosen) / 2
        return left, top, chosen


def choose_ink(ground: Paint) -> Colour:
    """Return white or black, whichever is read on a colour."""
    if not isinstance(ground, Colour):
        return WHITE
    values = ground.values
    if ground.space == "cmyk":
        *inks, black = values
        values = tuple((1 - ink) * (1 - black) for ink in inks)
    red, green, blue = values if len(values) == 3 else values * 3
    return WHITE if 0.3 * red + 0.59 * green + 0.11 * blue < _DARK else BLACK


def parse_height(text: str, style: Style) -> float:
    """Return the height of a picture in sizes of the type: "1.5em" or a length, as "5mm"."""
    try:
        height = float(text.removesuffix("em")) if text.endswith("em") else None
        height = parse_points(text) / style.size if height is None else height
    except (ValueError, Refusal):
        height = 0.0
    if not 0 < height <= MOST_HEIGHT:
        raise TextRefusal(
            "text/not-a-height",
            f'has a picture of height "{shorten(text, 30)}", which is none',
            f"write height=1.5em, in sizes of the type, up to {MOST_HEIGHT}em, or a length as 5mm",
            {"height": text},
        )
    return height
