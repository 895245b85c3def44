"""One way to print, as data: paper, imposition, bleed, marks, duplex, colour and kind of file.

Must not know decks, templates or faces, nor how a target's file is written; whether a card fits the
paper is for grid.py to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from cardgen.errors import Where
from cardgen.geometry import Insets, Size
from cardgen.sizes import PAPER_SIZES, name_size
from cardgen.units import MM

Orientation = Literal["given", "best"]
Imposition = Literal["grid", "gutterfold", "contact"]
Fold = Literal["upright", "level"]
MarkStyle = Literal["crop", "silhouette", "none"]
MarkedSides = Literal["fronts", "both"]
Duplex = Literal["long-edge", "short-edge", "none"]
Axis = Literal["upright", "level"]
Order = Literal["front-back", "back-front", "fronts-backs"]
Backs = Literal["each", "once"]
Format = Literal["pdf", "png", "tts"]
Colours = Literal["given", "cmyk", "grey"]
Flavour = Literal["plain", "x-4", "x-1a"]
Lettering = Literal["fonts", "outlines"]
Side = Literal["front", "back"]

CARD_PAPER = "card"
SHORTEST_MARK = 1 * MM
# What a picture may be called after.
NAME_FIELDS = ("deck", "target", "place", "card", "copy", "side")
_NO_MARGIN = Insets()


@dataclass(frozen=True, slots=True)
class Target:
    """All lengths in points.

    paper: None means that of the card itself with the bleed that is shown
    orientation: "best" lets the paper lie on its side where more cards fit so
    margin: where the printer reaches no card and no mark; the bleed may run into it
    columns, rows: None means as many as fit
    gap_x, gap_y: between the trims of neighbours; 0 means that they share one cut
    bleed_x, bleed_y: how much of a template's bleed is shown left and right, above and below;
        between neighbours that share a cut there is none
    back_bleed_x, back_bleed_y: the same of the backs; None means as on the fronts
    full_bleed: whether a template must have as much bleed as is shown
    safe: how far from the trim a text must stay
    fold, gutter: of a gutterfold, about which axis, and what lies between its two halves
    marks_on: "both" puts marks on the backs too
    mark_offset: from the trim to its mark; a mark keeps out of the shown bleed besides
    slug: whether a line outside the cards says what the page is
    backs: "once" writes backs that look the same as one page
    dpi: of pictures, be they the file itself or drawn in it
    corners: the radius of a card's corners, where they are cut away
    total_ink: in percent; None means as much as there is
    smallest_text, thinnest_line: what can be printed
    names: what the pictures are called
    lines: where each key stands, be it in the file of a target that this one extends
    """

    name: str
    title: str
    paper: Size | None
    orientation: Orientation = "given"
    margin: Insets = _NO_MARGIN
    columns: int | None = None
    rows: int | None = None
    gap_x: float = 0.0
    gap_y: float = 0.0
    bleed_x: float = 0.0
    bleed_y: float = 0.0
    back_bleed_x: float | None = None
    back_bleed_y: float | None = None
    full_bleed: bool = False
    safe: float = 0.0
    imposition: Imposition = "grid"
    fold: Fold = "upright"
    gutter: float = 0.0
    marks: MarkStyle = "none"
    marks_on: MarkedSides = "fronts"
    mark_length: float = 5 * MM
    mark_offset: float = 1 * MM
    mark_weight: float = 0.25
    slug: bool = False
    duplex: Duplex = "long-edge"
    order: Order = "front-back"
    backs: Backs = "each"
    format: Format = "pdf"
    dpi: int = 300
    corners: float = 0.0
    names: str = "{place}-{card}-{side}"
    zip: bool = False
    colour: Colours = "given"
    profile: str | None = None
    total_ink: int | None = None
    flavour: Flavour = "plain"
    text: Lettering = "fonts"
    smallest_text: float = 5.0
    thinnest_line: float = 0.25
    file: str | None = None
    lines: Mapping[str, Where] = field(default_factory=dict, compare=False, repr=False)

    @property
    def page(self) -> Size:
        """The size of a play sheet, which takes that of the paper; A4 where this has none."""
        return self.paper or PAPER_SIZES["a4"]

    def show_bleed(self, side: Side, bleed: Insets) -> Insets:
        """How much of a face's bleed is shown on that side; of a back no more than half a gap."""
        across, down = self.bleed_x, self.bleed_y
        if side == "back":
            across = _widen(across, self.back_bleed_x, self.gap_x)
            down = _widen(down, self.back_bleed_y, self.gap_y)
        return Insets(
            min(bleed.left, across),
            min(bleed.top, down),
            min(bleed.right, across),
            min(bleed.bottom, down),
        )

    def choose_turn(self, card: Size) -> Duplex:
        """Over which edge the printer is to turn a sheet.

        Where the page is the card all pages are upright, so it is turned as in a book. Where backs
        do not stand by their fronts there is nothing to print on both sides at once.
        """
        if self.order == "fronts-backs" or self.backs == "once":
            return "none"
        if self.paper is not None or self.duplex == "none":
            return self.duplex
        return "long-edge" if card.height >= card.width else "short-edge"

    def find_axis(self, paper: Size) -> Axis | None:
        """The axis about which a sheet is turned over, as it lies; None where it is not.

        Square paper counts as upright.
        """
        if self.duplex == "none" or self.paper is None:
            return None
        return (
            "upright" if (self.duplex == "long-edge") == (paper.height >= paper.width) else "level"
        )

    def show_paper(self) -> str:
        """The paper as a target's file may say it."""
        return name_size(self.paper) if self.paper else CARD_PAPER

    def find_place(self, key: str) -> Where | None:
        """Where a key stands in the target's file, or in that of one it extends."""
        return self.lines.get(key, Where(self.file)) if self.file else None


def _widen(bleed: float, of_backs: float | None, gap: float) -> float:
    if of_backs is None:
        return bleed
    return min(of_backs, gap / 2) if gap else of_backs
