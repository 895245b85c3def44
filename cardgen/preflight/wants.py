"""The wishes that a PDF is checked against, and how grave it is when one is not met.

Plain data; knows nothing of targets or of PDF files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cardgen.core.geometry import Size
from cardgen.core.shape import RECTANGLE, Shape
from cardgen.core.units import MM
from cardgen.preflight.colours import Paint

Flavour = Literal["plain", "x-4", "x-1a"]
ColourWish = Literal["given", "cmyk", "grey"]
Pairs = Literal["front-back", "back-front"]
Severity = Literal["error", "warning", "note"]

FLAVOUR_NAMES: dict[Flavour, str] = {
    "plain": "PDF",
    "x-4": "PDF/X-4",
    "x-1a": "PDF/X-1a:2003",
}


@dataclass(frozen=True, slots=True)
class Wants:
    """The wishes of a print shop; the defaults are those of print shops in general.

    All lengths are in points.

    asked_by: who wants it, for the messages
    binding: a wish that is not met is an error, else a warning
    bleed_x, bleed_y: 0 means that no bleed is needed
    safe: how far from the trim text must stay; 0 means that it is not checked
    total_ink: in percent; None means that it is not checked
    trim: the size of each page's trim where it is known
    shape: what is cut out of a front, where it is known to be no rectangle
    pages: how many pages there must be where that is known
    pairs: the order of a card's two pages, where front and back come in turn
    condition: the printing condition, as FOGRA39; empty where it is not known
    die_ink: the ink of a die line that is wanted on the page; empty where none is
    """

    asked_by: str = "a print shop"
    binding: bool = False
    flavour: Flavour = "plain"
    bleed_x: float = 3 * MM
    bleed_y: float = 3 * MM
    safe: float = 3 * MM
    dpi: float = 200
    total_ink: float | None = 320
    colour: ColourWish = "cmyk"
    smallest_text: float = 5.0
    thinnest_line: float = 0.25
    trim: Size | None = None
    shape: Shape = RECTANGLE
    pages: int | None = None
    pairs: Pairs | None = None
    condition: str = ""
    die_ink: str = ""

    @property
    def fault(self) -> Severity:
        """The severity of a thing that is not as wanted."""
        return "error" if self.binding else "warning"

    @property
    def breach(self) -> Severity:
        """The severity of a file that is not as every PDF/X file is."""
        return "error" if self.binding or self.is_press else "warning"

    def is_die(self, paint: Paint | None) -> bool:
        """Whether something is painted in the ink of the die line that is wanted."""
        return bool(self.die_ink) and paint is not None and paint.space.root.inks == (self.die_ink,)

    @property
    def is_press(self) -> bool:
        return self.flavour != "plain"

    @property
    def flavour_name(self) -> str:
        return FLAVOUR_NAMES[self.flavour]
