"""A filled template as plain data: styles, a spec of typed attributes for each element, and nodes.

A `Node` is an element filled for one card; the layout reads nodes, never XML. Knows nothing of font
files or pages.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from cardgen.core.colour import BLACK, WHITE, Colour, Edge, Paint
from cardgen.core.errors import Where
from cardgen.core.geometry import Insets, Radius, Size, Turn
from cardgen.core.shape import RECTANGLE, Shape
from cardgen.core.units import Length
from cardgen.template.figures import Figure

# What a text is set in that names no font.
DEFAULT_FONT = "Alegreya Sans"

Align = Literal["left", "centre", "right", "justify"]
Across = Literal["start", "centre", "end", "stretch"]
Missing = Literal["error", "placeholder"]
_QUARTERS: dict[float, Turn] = {0: 0, 90: 90, 180: 180, 270: 270}
Justify = Literal["start", "centre", "end", "between"]
Fit = Literal["none", "line", "box", "deck"]


class Long(NamedTuple):
    """How a text of so many lines or more is set."""

    lines: int
    align: Align
    balance: bool = False


# Whether words may be broken: those that are wider than their box, where it is needed.
Hyphenate = bool | Literal["needed"]


class Style(NamedTuple):
    """How a text is set: sizes in points; leading, paragraph and tracking in em."""

    name: str = ""
    where: Where | None = None
    fonts: tuple[str, ...] = (DEFAULT_FONT,)
    size: float = 9.0
    leading: float = 1.2
    weight: int = 400
    bold: int = 700
    italic: bool = False
    colour: Colour = BLACK
    align: Align = "left"
    balance: bool = False
    paragraph: float = 0.5
    tracking: float = 0.0
    features: tuple[tuple[str, int], ...] = ()
    hyphenate: Hyphenate = False
    long: Long | None = None
    underline: bool = False
    strike: bool = False
    outline: Edge | None = None


class Shadow(NamedTuple):
    """What falls beneath an element, so far from it; without a blur its edges are sharp."""

    dx: float
    dy: float
    blur: float
    colour: Colour
    opacity: float = 1.0


class Glow(NamedTuple):
    """What shines around an element so far; a hard one has sharp edges."""

    reach: float
    colour: Colour
    opacity: float = 1.0
    hard: bool = False


class Effect(NamedTuple):
    """What is done to a whole element once it is drawn; `turn` is in degrees, clockwise."""

    turn: float = 0.0
    opacity: float = 1.0
    blend: Literal["normal", "multiply", "screen"] = "normal"
    shadow: Shadow | None = None
    glow: Glow | None = None

    @property
    def quarter(self) -> Turn | None:
        """Return the turn, where it is one of quarters: then width and height are exchanged or
        stay what they are.
        """
        return _QUARTERS.get(self.turn)


class IconStyle(NamedTuple):
    """How an icon in a text looks, where it differs from its words.

    size, lift: how high it is and by how much it is raised, in sizes of the type
    text: the style of what is written on it
    file: a picture that is drawn for it
    keeps: whether it has the colours that its file gives it
    """

    fill: Paint | None = None
    size: float = 1.0
    lift: float = 0.0
    text: str = ""
    file: str = ""
    keeps: bool = False


class Bounds(NamedTuple):
    """How small and how large an element may be."""

    min_width: Length | None = None
    max_width: Length | None = None
    min_height: Length | None = None
    max_height: Length | None = None

    def fit_width(self, width: float, room: float | None) -> float:
        return _fit(width, self.min_width, self.max_width, room)

    def fit_height(self, height: float, room: float | None) -> float:
        return _fit(height, self.min_height, self.max_height, room)

    def find_most(self, room: float | None) -> float | None:
        """Return the height that it may have at most."""
        return _resolve(self.max_height, room)


def _fit(length: float, least: Length | None, most: Length | None, room: float | None) -> float:
    low, high = _resolve(least, room), _resolve(most, room)
    if high is not None:
        length = min(length, high)
    return length if low is None else max(length, low)


def _resolve(length: Length | None, room: float | None) -> float | None:
    """Return a length in points; None for a share of a room that is not known."""
    if length is None or (length.share and room is None):
        return None
    return length.of(room or 0.0)


class Place(NamedTuple):
    """Where an element lies in its parent, which decides what is left open."""

    x: Length | None = None
    y: Length | None = None
    right: Length | None = None
    bottom: Length | None = None
    width: Length | None = None
    height: Length | None = None
    grow: float = 0.0
    bleed: bool = False
    effect: Effect | None = None
    bounds: Bounds | None = None

    @property
    def lies_across(self) -> bool:
        """Whether what it holds finds width and height exchanged."""
        return self.effect is not None and self.effect.quarter in (90, 270)


class Ink(NamedTuple):
    """How a shape is painted."""

    fill: Paint | None = None
    stroke: Colour | None = None
    stroke_width: float = 0.5
    dash: tuple[float, ...] = ()
    cap: Literal["butt", "round", "square"] = "butt"
    join: Literal["miter", "round", "bevel"] = "miter"


class Ground(NamedTuple):
    """The shape that is painted beneath an element's content; `clip` leaves out what of that lies
    outside.
    """

    ink: Ink = Ink()
    radius: Radius = 0.0
    clip: bool = False


class BoxSpec(NamedTuple):
    place: Place = Place()
    ground: Ground = Ground()
    padding: Insets = Insets()


class StackSpec(NamedTuple):
    """A column or a row."""

    down: bool
    place: Place = Place()
    ground: Ground = Ground()
    padding: Insets = Insets()
    gap: float = 0.0
    align: Across = "stretch"
    justify: Justify = "start"


class FirstSpec(NamedTuple):
    """The first of its children that has room; `key` as a text has it."""

    place: Place = Place()
    fit: Literal["box", "deck"] = "box"
    key: str = ""


class TextSpec(NamedTuple):
    style: Style
    place: Place = Place()
    fit: Fit = "none"
    smallest: float = 0.0
    largest: float = 0.0
    valign: Literal["top", "middle", "bottom"] = "top"
    fields: tuple[str, ...] = ()
    heading: bool = False
    alt: str | None = None
    key: str = ""  # the same for one element on every card: where `fit="deck"` keeps its size
    path: str = ""  # along which it runs, in millimetres


class MaskPath(NamedTuple):
    """A path as SVG writes it, which something is cut to."""

    data: str


class MaskFile(NamedTuple):
    """A picture by whose clear parts something is masked."""

    file: str


class ImageSpec(NamedTuple):
    """A picture.

    run_on: how one that has no bleed of its own runs on into it
    tile: the width of one that is repeated, in points
    tint: a colour in whose tints it is shown
    """

    file: str
    place: Place = Place()
    fit: Literal["cover", "contain", "tile"] = "contain"
    tile: float = 0.0
    tint: Colour | None = None
    greyscale: bool = False
    mask: Figure | MaskPath | MaskFile | None = None
    radius: float = 0.0
    alt: str | None = None
    run_on: Literal["mirror", "stretch"] | None = None
    missing: Missing | None = None
    fields: tuple[str, ...] = ()


class IconSpec(NamedTuple):
    """An icon; without a paint it keeps its own colours."""

    name: str
    paint: Paint | None
    place: Place = Place()
    alt: str | None = None
    missing: Missing | None = None
    fields: tuple[str, ...] = ()


CodeKind = Literal["qr", "datamatrix", "ean13", "ean8", "upca", "code128"]


class CodeSpec(NamedTuple):
    """A code that machines read; `digits`: whether its text stands beneath it."""

    kind: CodeKind
    text: str
    level: Literal["l", "m", "q", "h"] = "m"
    fill: Colour = BLACK
    ground: Colour | None = WHITE
    digits: bool | None = None
    style: Style = Style()
    place: Place = Place()
    alt: str | None = None
    fields: tuple[str, ...] = ()


class LineSpec(NamedTuple):
    colour: Colour
    width: float
    down: bool
    dash: tuple[float, ...] = ()
    place: Place = Place()
    cap: Literal["butt", "round", "square"] = "butt"


class PathSpec(NamedTuple):
    """A shape in millimetres, or in the units of a view that is fitted to its box."""

    data: str
    ink: Ink
    view: Size | None = None
    place: Place = Place()


class ShapeSpec(NamedTuple):
    """A figure as large as its box allows, and what stands in it; `clip`: cut off at its line."""

    figure: Figure
    ink: Ink
    place: Place = Place()
    padding: Insets = Insets()
    clip: bool = False


class GuillocheSpec(NamedTuple):
    """Interlaced waves: as a rosette, as a band along the edges, or all over the ground."""

    form: Literal["rosette", "band", "ground"]
    waves: int
    strands: int
    ink: Ink
    inner: float = 0.5
    thickness: float = 0.0
    place: Place = Place()


class PlaitSpec(NamedTuple):
    """Knotwork of so many cells, with a hole in the middle."""

    columns: int
    rows: int
    ink: Ink
    hole: tuple[int, int] = (0, 0)
    ribbon: float = 0.5
    place: Place = Place()


class RoseSpec(NamedTuple):
    """A compass rose: `ink` paints the light half of each point, `dark` the other."""

    points: int
    ink: Ink
    dark: Paint | None = None
    inner: float = 0.2
    place: Place = Place()


class RaysSpec(NamedTuple):
    rays: int
    ink: Ink
    inner: float = 0.5
    place: Place = Place()


class TableSpec(NamedTuple):
    """A table.

    columns: for each its width, None for as wide as the words, or a negative share of the rest
    """

    style: Style
    head: Style
    columns: tuple[float | None, ...]
    aligns: tuple[Align, ...] = ()
    place: Place = Place()
    gap: float = 4.0
    row_padding: float = 1.5
    rule: Colour | None = None
    rule_width: float = 0.4
    stripe: Colour | None = None


class RowSpec(NamedTuple):
    head: bool = False
    place: Place = Place()


class CellSpec(NamedTuple):
    style: Style | None = None
    align: Align | None = None
    span: int = 1
    place: Place = Place()


class FlowSpec(NamedTuple):
    """Running text in columns; every style scales along when the flow is fitted to its box."""

    body: Style
    headings: tuple[Style, Style, Style]
    table: Style
    table_head: Style
    smallest: float
    largest: float
    row_padding: float
    after_heading: float | None = None  # in em of the body; None: a part of what follows asks for
    sections: tuple[tuple[str, Colour], ...] = ()
    band: Insets | None = None
    band_fill: Colour = BLACK
    band_radius: float = 0.0
    rule: Colour | None = None
    rule_width: float = 0.4
    stripe: Colour | None = None
    bullet: str = "•"
    columns: int = 1
    gap: float = 14.0
    balance: bool = True
    stretch: bool = False
    place: Place = Place()
    fields: tuple[str, ...] = ()


class FaultSpec(NamedTuple):
    """An element of a draft that could not be filled, and why."""

    place: Place
    label: str


Spec = (
    BoxSpec
    | StackSpec
    | FirstSpec
    | TextSpec
    | ImageSpec
    | IconSpec
    | CodeSpec
    | LineSpec
    | PathSpec
    | ShapeSpec
    | GuillocheSpec
    | PlaitSpec
    | RoseSpec
    | RaysSpec
    | TableSpec
    | RowSpec
    | CellSpec
    | FlowSpec
    | FaultSpec
)


class Node(NamedTuple):
    """An element filled for a card.

    choices: the names that choose among the few ways in which it looks on all cards, none where it
        looks one way; None where each card may look another
    repeats: whether it is that of other cards too, since few ways are found in this deck
    """

    spec: Spec
    children: tuple[Node, ...]
    text: str
    where: Where
    choices: frozenset[str] | None
    repeats: bool = False

    @property
    def fixed(self) -> bool:
        """Whether it is the same for every card."""
        return self.choices == frozenset()


class Format(NamedTuple):
    """The outer measures of a template: trim size, bleed and safe area, and what is cut out."""

    size: Size
    bleed: Insets
    safe: Insets
    whole_page: bool = False
    shape: Shape = RECTANGLE
