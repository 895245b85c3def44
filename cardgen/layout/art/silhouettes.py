"""What casts a shadow: items in one colour, letters as outlines and pictures as their areas.

Knows nothing of where a shadow falls, or of how soft it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.core.colour import Colour
from cardgen.core.errors import Refusal
from cardgen.core.geometry import Insets, Rect
from cardgen.layout.art.letters import trace_run
from cardgen.layout.art.outlines import make_rect
from cardgen.layout.art.pictures import read_picture
from cardgen.layout.extent import find_item_extent, measure_segments
from cardgen.layout.face import (
    Form,
    Group,
    Item,
    Outline,
    Picture,
    Raster,
    Shared,
    Stroke,
)
from cardgen.text.setting import Run

# How far a square within it stays away from the edge of a circle, in its sides, and from that of
# a round corner, in its radii.
_IN_CIRCLE, _IN_CORNER = 0.147, 0.3
_SAME = 0.001


class Silhouettes:
    """Makes silhouettes in a colour, of each form once.

    spread: how far they reach beyond what casts them
    """

    def __init__(self, colour: Colour, spread: float = 0.0) -> None:
        self._colour = colour
        self._spread = spread
        self._known: dict[Shared, Shared] = {}

    def make(self, items: Iterable[Item]) -> tuple[Item, ...]:
        """Return silhouettes, without those that lie within others and change nothing."""
        found: list[Item] = []
        covers: list[Rect] = []
        for item in items:
            for turned in self._turn(item):
                extent = find_item_extent(turned)
                if extent is None or any(cover.contains(extent) for cover in covers):
                    continue
                found.append(turned)
                if isinstance(turned, Outline) and turned.fill is not None:
                    covers += _find_cover(turned)
        return tuple(found)

    def _turn(self, item: Item) -> Iterator[Item]:
        if isinstance(item, Outline):
            yield self._paint(item)
        elif isinstance(item, Run):
            segments = tuple(trace_run(item))
            bounds = measure_segments(segments)
            if bounds is not None:
                yield self._paint(Outline(segments, self._colour, None, False, bounds))
        elif isinstance(item, Picture):
            yield from self._turn_picture(item)
        elif isinstance(item, Raster):
            yield (
                self._fill(item.frame)
                if item.colour is None
                else self._soften(item._replace(colour=self._colour))
            )
        elif isinstance(item, Form):
            yield item._replace(shared=self._share(item.shared))
        elif isinstance(item, Group):
            yield from self._turn_group(item)

    def _paint(self, outline: Outline) -> Outline:
        stroke = outline.stroke
        fill = None if outline.fill is None else self._colour
        if stroke is not None:
            width = stroke.width + 2 * self._spread
            stroke = stroke._replace(colour=self._colour, width=width)
        elif self._spread:
            stroke = Stroke(self._colour, 2 * self._spread)
        if stroke is not None and self._spread:
            stroke = stroke._replace(join="round", cap="round", dash=())
        return outline._replace(fill=fill, stroke=stroke)

    def _fill(self, rect: Rect, radius: float = 0.0) -> Outline:
        return self._paint(make_rect(rect, radius, self._colour, None))

    def _turn_picture(self, picture: Picture) -> Iterator[Item]:
        if not read_picture(picture.path).has_alpha:
            yield self._fill(picture.clip, picture.radius)
            return
        ground = Shared(picture.clip, (self._fill(picture.clip, picture.radius),))
        yield self._soften(Group(ground, mask=Shared(picture.clip, (picture,))))

    def _turn_group(self, group: Group) -> Iterator[Item]:
        if self._spread and group.clips:
            # What is cut out by a path is taken to fill it.
            segments = group.clips[-1].segments
            bounds = measure_segments(segments)
            if bounds is not None:
                even_odd = group.clips[-1].even_odd
                yield self._paint(Outline(segments, self._colour, None, even_odd, bounds))
            return
        turned = group._replace(shared=self._share(group.shared), blend="normal")
        yield turned if group.mask is None else self._soften(turned)

    def _soften(self, item: Item) -> Item:
        """Return what has no edge that could be drawn farther out."""
        if self._spread:
            raise Refusal(
                "layout/glow-without-edge",
                "a hard glow needs an edge, and a picture that is clear in places has none",
                "leave out hard, or cut the picture out by a shape",
            )
        return item

    def _share(self, shared: Shared) -> Shared:
        if shared not in self._known:
            margin = Insets.even(self._spread)
            self._known[shared] = Shared(shared.bounds.outset(margin), self.make(shared.items))
        return self._known[shared]


def _find_cover(outline: Outline) -> Iterator[Rect]:
    """Yield a rectangle that a rectangle or a circle covers."""
    bounds, segments = outline.bounds, outline.segments
    kinds = "".join(kind for kind, _ in segments)
    if kinds == "MLLLZ":
        edges = (bounds.x, bounds.right), (bounds.y, bounds.bottom)
        found = [point for _, point in segments if point]
        if all(
            min(abs(value - edge) for edge in edges[axis]) < _SAME
            for point in found
            for axis, value in enumerate(point)
        ):
            yield bounds
    elif kinds == "MLCLCLCLCZ":
        yield bounds.inset(Insets.even((segments[0][1][0] - bounds.x) * _IN_CORNER))
    elif kinds == "MCCCCZ":
        x, y = bounds.width * _IN_CIRCLE, bounds.height * _IN_CIRCLE
        yield bounds.inset(Insets(x, y, x, y))
