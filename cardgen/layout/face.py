"""A finished side of a card: its size and its placed items.

In points, from the trim's top left, y downwards. Knows nothing of decks, templates, paper or PDF.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import degrees
from pathlib import Path
from typing import Literal, NamedTuple

from cardgen.core.colour import Colour, Paint
from cardgen.core.geometry import IDENTITY, Insets, Matrix, Rect, Size, Turn
from cardgen.core.shape import Segment as Segment
from cardgen.text.setting import Run

Cap = Literal["butt", "round", "square"]
Join = Literal["miter", "round", "bevel"]
Tone = Literal["grey"] | Colour
Blend = Literal["normal", "multiply", "screen"]


class Stroke(NamedTuple):
    """A line along a path; `miter` is how far its corners may reach, in widths."""

    colour: Colour
    width: float
    dash: tuple[float, ...] = ()
    cap: Cap = "butt"
    join: Join = "miter"
    miter: float = 10.0


class Outline(NamedTuple):
    """A filled or stroked path; segments in points, already at their place.

    as_text: whether black lies on top of what is below, as that of texts does
    """

    segments: tuple[Segment, ...]
    fill: Paint | None
    stroke: Stroke | None
    even_odd: bool
    bounds: Rect
    as_text: bool = False


class Picture(NamedTuple):
    """A picture file, drawn into `frame` and clipped to `clip`.

    A frame that runs backwards, its width or height below 0, shows it as in a mirror.
    tone: what stands in for its own colours: greys, or tints of one colour
    fineness: how many of its pixels lie on a point where it is shown; 0 where nobody knows
    """

    path: Path
    frame: Rect
    clip: Rect
    radius: float
    tone: Tone | None = None
    fineness: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Pixels:
    """Pixels that were made and not read from a file; compared by identity.

    One byte each of how opaque they are, or four of CMYK, row by row.
    """

    width: int
    height: int
    data: bytes


class Raster(NamedTuple):
    """Pixels drawn into `frame`: in a colour as far as each is opaque, or in their own CMYK."""

    pixels: Pixels
    frame: Rect
    colour: Colour | None = None


class Clip(NamedTuple):
    """A path within which something is seen."""

    segments: tuple[Segment, ...]
    even_odd: bool = False


class Form(NamedTuple):
    """Items that many faces share, drawn once.

    They are placed with their origin at (x, y), and turned clockwise about it.
    """

    x: float
    y: float
    shared: Shared
    turn: Turn = 0


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Shared:
    """The content of a form; compared by identity: two that look alike are not shared."""

    bounds: Rect
    items: tuple[Item, ...]


class Group(NamedTuple):
    """Items that are painted as one.

    matrix: leads from their coordinates to those around the group
    clips: only what lies within all of them is seen; in the coordinates around the group
    mask: only as far as these items are opaque the group is seen; in the coordinates around it
    """

    shared: Shared
    matrix: Matrix = IDENTITY
    clips: tuple[Clip, ...] = ()
    opacity: float = 1.0
    blend: Blend = "normal"
    mask: Shared | None = None

    @property
    def is_clear(self) -> bool:
        """Whether what lies below shines through."""
        return self.opacity < 1 or self.blend != "normal" or self.mask is not None


Heading = Literal["H1", "H2", "H3", "H4"]
Role = (
    Heading
    | Literal["P", "Span", "Figure", "L", "LI", "Lbl", "LBody"]
    | Literal["Table", "TR", "TH", "TD"]
)


class Element:
    """A part of what a face says, for whoever hears it read; compared by identity. A plain class,
    as many are made for each face.

    alt: words for what is drawn and not written
    span: how many columns a cell takes
    """

    __slots__ = ("alt", "parent", "role", "span")

    def __init__(
        self, role: Role, parent: Element | None = None, alt: str = "", span: int = 1
    ) -> None:
        self.role = role
        self.parent = parent
        self.alt = alt
        self.span = span

    def repeat(self, alt: str) -> Element:
        """Return an element of its own that differs in its words at most."""
        return Element(self.role, self.parent, alt, self.span)


class Tag(NamedTuple):
    """Says which element the items behind it belong to; none if they are there to be seen only."""

    element: Element | None


# What follows is there to be seen only, as a frame is.
SEEN = Tag(None)

Placed = Form | Group
Item = Run | Outline | Picture | Raster | Placed | Tag


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One side of a card; compared by identity, since equal nodes are composed only once."""

    size: Size
    bleed: Insets
    items: tuple[Item, ...]

    def dump(self) -> str:
        """Return the face as text, a line for each item; golden tests compare it."""
        left, top, right, bottom = self.bleed
        head = f"face {self.size.width:.2f} x {self.size.height:.2f}"
        bleed = f"bleed {left:.2f} {top:.2f} {right:.2f} {bottom:.2f}"
        return "\n".join([head, bleed, *_dump_items(self.items, "")]) + "\n"


def list_pictures(items: Iterable[Item]) -> Iterator[Path]:
    """Yield the files of all pictures among items, those in groups and forms too."""
    for item in items:
        if isinstance(item, Picture):
            yield item.path
        elif isinstance(item, Form | Group):
            yield from list_pictures(item.shared.items)
            if isinstance(item, Group) and item.mask is not None:
                yield from list_pictures(item.mask.items)


def _dump_items(items: tuple[Item, ...], indent: str) -> Iterator[str]:
    element = said = None
    for item in items:
        if isinstance(item, Tag):
            element = item.element
            continue
        if element is not said:
            said = element
            yield f"{indent}{_dump_element(element)}"
        if isinstance(item, Run):
            text = " ".join(word.text for word in item.words)
            file = item.font.file
            style = f"{file.family} {file.weight}{' italic' if file.italic else ''}"
            place = f"{item.x:.2f} {item.y:.2f}"
            turn = f" turned {degrees(item.angle):.1f}" if item.angle else ""
            yield f'{indent}text {place}{turn} "{text}" {style} {item.size:g} {item.colour}'
        elif isinstance(item, Outline):
            yield f"{indent}path {_dump_rect(item.bounds)}{_dump_paint(item)}"
        elif isinstance(item, Picture):
            frame, clip = _dump_rect(item.frame), _dump_rect(item.clip)
            measures = f"{frame} clip {clip} radius {item.radius:g}"
            measures += f" in {item.tone}" if item.tone else ""
            yield f"{indent}picture {item.path.name} {measures}"
        elif isinstance(item, Raster):
            size = f"{item.pixels.width} x {item.pixels.height} pixels"
            yield f"{indent}raster {_dump_rect(item.frame)} {size} {item.colour or 'cmyk'}"
        elif isinstance(item, Group):
            yield f"{indent}group{_dump_group(item)}"
            yield from _dump_items(item.shared.items, indent + "  ")
            if item.mask is not None:
                yield f"{indent}shown as far as"
                yield from _dump_items(item.mask.items, indent + "  ")
        else:
            turn = f" turned {item.turn}" if item.turn else ""
            yield f"{indent}form {item.x:.2f} {item.y:.2f}{turn}"
            yield from _dump_items(item.shared.items, indent + "  ")


def _dump_group(group: Group) -> str:
    moved = " ".join(f"{number:.3f}" for number in group.matrix)
    clips = "".join(
        f" clip {''.join(operator for operator, _ in clip.segments)}" for clip in group.clips
    )
    opacity = f" opacity {group.opacity:g}" if group.opacity < 1 else ""
    blend = f" {group.blend}" if group.blend != "normal" else ""
    return f" {moved}{clips}{opacity}{blend}"


def _dump_element(element: Element | None) -> str:
    if element is None:
        return "seen only"
    alt = f' "{element.alt}"' if element.alt else ""
    return f"said as {element.role}{alt}"


def _dump_rect(rect: Rect) -> str:
    return f"{rect.x:.2f} {rect.y:.2f} {rect.width:.2f} x {rect.height:.2f}"


def _dump_paint(outline: Outline) -> str:
    fill = f" fill {outline.fill}" if outline.fill else ""
    stroke = outline.stroke
    line = f" stroke {stroke.colour} {stroke.width:g}" if stroke else ""
    segments = "".join(operator for operator, _ in outline.segments)
    return f" {segments}{fill}{line}{' even-odd' if outline.even_odd else ''}"
