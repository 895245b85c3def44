"""Where so much colour lies on a face that black text on top of it would be too much ink.

Overprinted black leaves the colours below it in place; where they are many, it has to take their
place instead. All areas are the boxes around what is painted. Knows nothing of how content is
written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from cardgen.core.colour import BLACK, Colour, Gradient
from cardgen.core.geometry import Rect
from cardgen.layout.extent import find_matrix, map_rect, measure_run
from cardgen.layout.face import Item, Outline, Picture, Placed, Raster, Shared
from cardgen.output.images import Source, find_source, measure_colour
from cardgen.output.inks import Prepress
from cardgen.text.setting import Run


class Ground(NamedTuple):
    """An area of colour; of a picture it is looked up how much it has."""

    box: Rect
    picture: Source | None = None


class _Found(NamedTuple):
    grounds: tuple[Ground, ...]
    texts: tuple[Rect, ...]


class Grounds:
    """Finds the grounds under the black texts of faces; each form is looked through once.

    room: how much colour may lie under black
    """

    def __init__(self, prepress: Prepress, room: float) -> None:
        self._prepress = prepress
        self._inks = prepress.inks
        self._room = room
        self._shared: WeakKeyDictionary[Shared, _Found] = WeakKeyDictionary()
        self._pictures: dict[Source, bool] = {}

    def list_grounds(self, items: Iterable[Item]) -> tuple[Ground, ...]:
        """Return the grounds among some items; those that pictures are may turn out light."""
        return tuple(self._find_grounds(items))

    def enter(self, form: Placed, grounds: Iterable[Ground]) -> tuple[Ground, ...]:
        """Return the grounds under black texts of a form, as it sees them."""
        texts = self._look_at(form.shared).texts
        if not texts:
            return ()
        inner = (ground._replace(box=_come(ground.box, form)) for ground in grounds)
        return tuple(
            ground
            for ground in inner
            if any(text.overlaps(ground.box) for text in texts) and self._is_dark(ground)
        )

    def carry(self, box: Rect, grounds: Iterable[Ground]) -> bool:
        """Whether a text in a box may lie on top of what is below it."""
        return not any(box.overlaps(ground.box) and self._is_dark(ground) for ground in grounds)

    def _is_dark(self, ground: Ground) -> bool:
        picture = ground.picture
        if picture is None:
            return True
        if picture not in self._pictures:
            self._pictures[picture] = measure_colour(picture, self._inks) > self._room
        return self._pictures[picture]

    def _look_at(self, shared: Shared) -> _Found:
        found = self._shared.get(shared)
        if found is None:
            items = shared.items
            found = _Found(tuple(self._find_grounds(items)), tuple(self._find_texts(items)))
            self._shared[shared] = found
        return found

    def _find_grounds(self, items: Iterable[Item]) -> Iterator[Ground]:
        for item in items:
            if isinstance(item, Run):
                continue
            if isinstance(item, Picture):
                yield Ground(item.clip, find_source(item, self._prepress))
            elif isinstance(item, Raster):
                yield Ground(item.frame)
            elif isinstance(item, Placed):
                for ground in self._look_at(item.shared).grounds:
                    yield ground._replace(box=_leave(ground.box, item))
            elif isinstance(item, Outline) and self._shows_colour(item):
                yield Ground(item.bounds)

    def _find_texts(self, items: Iterable[Item]) -> Iterator[Rect]:
        """Yield the boxes of black texts."""
        for item in items:
            if isinstance(item, Run):
                if self._inks.turn(item.colour) == BLACK:
                    yield measure_run(item)
            elif isinstance(item, Placed):
                yield from (_leave(text, item) for text in self._look_at(item.shared).texts)

    def _shows_colour(self, outline: Outline) -> bool:
        """Whether a shape has more colour than black text may lie on."""
        return any(self._measure(colour) > self._room for colour in _list_fills(outline))

    def _measure(self, colour: Colour) -> float:
        """Return how much colour there is beside black."""
        printed = self._inks.turn(colour)
        return sum(printed.values[:3]) if printed.space == "cmyk" else 0.0


def _list_fills(outline: Outline) -> Iterator[Colour]:
    if isinstance(outline.fill, Gradient):
        yield from (colour for _, colour in outline.fill.stops)
    elif outline.fill is not None:
        yield outline.fill


def _leave(box: Rect, form: Placed) -> Rect:
    """Return a box of a form where it lies outside it."""
    return map_rect(box, find_matrix(form))


def _come(box: Rect, form: Placed) -> Rect:
    """Return a box as a form sees it."""
    return map_rect(box, find_matrix(form).invert())
