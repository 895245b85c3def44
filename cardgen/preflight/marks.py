"""The marks that a page paints, gathered by how they look.

Plain data, made by the interpreter. What a thousand strokes have in common is one look and is
judged once; a form is one group, wherever it is placed. Knows nothing of faults.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from cardgen.core.geometry import IDENTITY, Box, Matrix
from cardgen.preflight.colours import Paint, Space
from cardgen.preflight.fonts import Flaw, Font

MarkKind = Literal["area", "line", "text", "picture", "stencil", "gradient", "group", "mask"]
# How paint leaves other inks beneath it: not at all, by plates, or ink by ink.
Overprint = Literal["none", "plates", "inks"]

MOST_PLACED = 100_000
_MOST_COVERS = 4
EVERYWHERE = Box(-1e6, -1e6, 1e6, 1e6)


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture's facts; `thing` is its stream, or the inline image.

    key: tells pictures apart, so that each is decoded once
    mask: the picture that says how it shines through
    """

    key: object
    thing: Any
    width: int
    height: int
    space: Space | None
    filters: tuple[str, ...]
    soft_mask: bool
    inline: bool = False
    mask: Picture | None = None

    @property
    def is_inked(self) -> bool:
        """Whether it tells how much ink it takes."""
        return self.space is not None and self.space.root.kind in ("cmyk", "spot")


@dataclass(frozen=True, slots=True, eq=False)
class Gradient:
    """A shading; `thing` is its object."""

    key: object
    thing: Any
    space: Space


class Look(NamedTuple):
    """How marks look; marks that look the same share one.

    size: of text or of a line, in units of the stream that paints it
    frame: of a picture: the lengths of its sides in units of its stream
    alpha, blend, masked: how it shines through
    over: how it leaves other inks beneath it
    flaw: what is wrong with a letter of a text
    """

    kind: MarkKind
    paint: Paint | None = None
    size: float = 0.0
    font: Font | None = None
    picture: Picture | None = None
    gradient: Gradient | None = None
    frame: tuple[float, float] = (0.0, 0.0)
    alpha: float = 1.0
    blend: str = "Normal"
    masked: bool = False
    over: Overprint = "none"
    flaw: Flaw = ""


class Part(NamedTuple):
    """A group within another.

    spread: a pattern's tile, whose marks may be anywhere in this box of the group around it
    """

    matrix: Matrix
    clip: Box | None
    group: Group
    spread: Box | None = None


class Unread(NamedTuple):
    """Something on a page that cannot be read; `detail` is its name, or what pikepdf says of it."""

    kind: Literal[
        "content",
        "drawing",
        "limit",
        "missing",
        "nested forms",
        "operator",
        "too many forms",
        "unknown operator",
    ]
    detail: str = ""


class Drawn(NamedTuple):
    """A mark in the order of painting.

    whole: it covers all of its box
    matrix: of a picture: leads from the unit square to where it is
    """

    look: Look
    box: Box
    whole: bool
    matrix: Matrix


@dataclass(slots=True, eq=False)
class Group:
    """The marks of one content stream in its own coordinates.

    covers: some upright rectangles that are sure to be painted all over, and not in white, whatever
        else is
    order: marks and the numbers of parts in the order of painting, where that is asked for
    placed: how many groups it places in all, with itself; 0 as long as nobody has counted them
    is_sound: whether all of them could be read, when they are counted
    """

    marks: dict[Look, list[Box]] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    covers: list[Box] = field(default_factory=list)
    order: list[Drawn | int] = field(default_factory=list)
    placed: int = 0
    is_sound: bool = False

    def add(self, look: Look, box: Box, clip: Box | None) -> None:
        shown = box if clip is None else box.meet(clip)
        if shown is not None:
            self.marks.setdefault(look, []).append(shown)

    def cover(self, box: Box, clip: Box | None) -> None:
        """Add a rectangle that is painted all over; the largest ones are kept."""
        shown = box if clip is None else box.meet(clip)
        if shown is not None:
            self.covers.append(shown)
            if len(self.covers) > _MOST_COVERS:
                self.covers.remove(min(self.covers, key=lambda each: each.width * each.height))


class Layer(NamedTuple):
    """All marks of one look in one placed group; `matrix` leads to the page.

    extent: the box on the page around them all, whatever is clipped
    """

    look: Look
    matrix: Matrix
    clip: Box | None
    boxes: list[Box]
    extent: Box

    def lies_within(self, box: Box) -> bool:
        """Whether all marks are sure to lie in a box."""
        return box.contains(self.extent, 0)

    def list_visible(self, within: Box) -> list[Box]:
        """Return where on the page the marks are, as far as they show within a box."""
        limit = within if self.clip is None else within.meet(self.clip)
        if limit is None:
            return []
        placed = (self.matrix.place(box).meet(limit) for box in self.boxes)
        return [box for box in placed if box is not None]


def list_layers(group: Group) -> Iterator[Layer]:
    """Yield all that a page paints, group by group as they lie within one another."""
    yield from list_own_layers(group)
    for part in group.parts:
        yield from list_part_layers(part)


def list_own_layers(group: Group) -> Iterator[Layer]:
    """Yield what a page paints itself, without its parts."""
    for look, boxes in group.marks.items():
        yield Layer(look, IDENTITY, None, boxes, _join(boxes))


def list_part_layers(part: Part) -> Iterator[Layer]:
    """Yield all that a part of a page paints."""
    ahead = [part]
    while ahead:
        matrix, clip, group, spread = ahead.pop()
        for look, boxes in group.marks.items():
            if spread is None:
                yield Layer(look, matrix, clip, boxes, matrix.place(_join(boxes)))
            else:
                yield Layer(_stretch(look, matrix), IDENTITY, clip, [spread], spread)
        for inner in reversed(group.parts):
            shown = inner.clip and matrix.place(inner.clip)
            if shown and clip:
                shown = shown.meet(clip)
                if shown is None:
                    continue
            over = spread or (inner.spread and matrix.place(inner.spread))
            ahead.append(Part(inner.matrix.then(matrix), shown or clip, inner.group, over))


def _join(boxes: Sequence[Box]) -> Box:
    """Return the smallest box that holds all."""
    lefts, lows, rights, highs = zip(*boxes, strict=True)
    return Box(min(lefts), min(lows), max(rights), max(highs))


def list_own_spaces(look: Look) -> list[Space]:
    """Return the colour spaces that a look is painted in."""
    if look.gradient is not None:
        return [look.gradient.space]
    if look.picture is not None and look.picture.space is not None:
        return [look.picture.space]
    if look.paint is None or look.paint.pattern:
        return []
    return [look.paint.space]


def count_placed(group: Group) -> int:
    """Return how many groups a finished one places in all; forms that double make a great many."""
    if not group.placed:
        group.placed = 1 + sum([count_placed(part.group) for part in group.parts])
        group.is_sound = not group.unread and all(part.group.is_sound for part in group.parts)
    return group.placed


def _stretch(look: Look, matrix: Matrix) -> Look:
    """Return a tile's look in the units of the page."""
    frame = (look.frame[0] * matrix.scale_x, look.frame[1] * matrix.scale_y)
    return look._replace(size=look.size * matrix.scale, frame=frame)
