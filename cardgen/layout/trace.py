"""Where each element of a face lies, for whoever points at it.

The face is composed as a draft, and nothing of it is kept but the places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from cardgen.core.geometry import IDENTITY, Box, Matrix, Rect, Turn, make_turn
from cardgen.layout.canvas import Canvas, Drawn, get_corner
from cardgen.layout.draft import DraftComposer
from cardgen.template.model import BoxSpec, Effect, Ground, Node, StackSpec


class Traced(NamedTuple):
    """An element, and the upright box around it, in points from the trim's top left."""

    node: Node
    rect: Rect

    @property
    def tag(self) -> str:
        """What the element is called in a template."""
        spec = self.node.spec
        if isinstance(spec, StackSpec):
            return "column" if spec.down else "row"
        return type(spec).__name__.removesuffix("Spec").lower()


class TracingComposer(DraftComposer):
    """Composes faces and notes where their elements lie; `traced` are those of the last face."""

    def _make_canvas(self) -> Canvas:
        """Return the canvas of a face that is begun, be it once more."""
        self._matrix = IDENTITY
        self.traced: list[Traced] = []
        return super()._make_canvas()

    @contextmanager
    def _moved(self, matrix: Matrix) -> Iterator[None]:
        """Note what is placed meanwhile as the canvas around sees it."""
        before, self._matrix = self._matrix, matrix.then(self._matrix)
        try:
            yield
        finally:
            self._matrix = before

    def _place(self, node: Node, rect: Rect) -> None:
        self._ground = None  # nothing is kept: each element is to be seen
        around = self._matrix.place(Box(rect.x, rect.y, rect.right, rect.bottom))
        self.traced.append(Traced(node, Rect(around.x0, around.y0, around.width, around.height)))
        super()._place(node, rect)

    def _try(self, node: Node, rect: Rect) -> bool:
        before = len(self.traced)
        placed = super()._try(node, rect)
        if not placed:
            del self.traced[before:]
        return placed

    def _share(self, _: Sequence[Node], at: Rect, draw: Callable[[Rect], None]) -> None:
        drawn = self._draw_within(at, draw)
        self._canvas.place(drawn, at)
        self._has_heading |= drawn.has_heading

    def _draw_within(self, at: Rect, draw: Callable[[Rect], None], turn: Turn = 0) -> Drawn:
        with self._moved(make_turn(turn, *get_corner(at, turn))):
            return super()._draw_within(at, draw, turn)

    def _place_within(
        self, ground: Ground, rect: Rect, draw: Callable[[Rect], None], spec: BoxSpec | StackSpec
    ) -> None:
        moved = make_turn(0, rect.x, rect.y) if ground.clip else IDENTITY
        with self._moved(moved):
            super()._place_within(ground, rect, draw, spec)

    def _place_changed(self, node: Node, effect: Effect, rect: Rect) -> None:
        if effect.quarter is not None:
            super()._place_changed(node, effect, rect)
            return
        wide, high = rect.width / 2, rect.height / 2
        x, y = make_turn(effect.turn).map(-wide, -high)
        with self._moved(make_turn(effect.turn, rect.x + wide + x, rect.y + high + y)):
            super()._place_changed(node, effect, rect)
