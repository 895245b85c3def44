"""What was drawn of nodes that are those of other cards too, kept for these cards.

A form is kept for each size of its boxes or, where they bleed, for each place. Knows nothing of how
a node is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.core.geometry import Insets, Rect
from cardgen.layout.canvas import Canvas, Drawn
from cardgen.layout.face import Item
from cardgen.template.model import Node

# So many forms are kept of one template, and the items of as many nodes; where boxes differ in size
# from card to card, each size needs its own.
MOST_KEPT = 2_000

# The ids of nodes, and their size or, where it matters, their place.
_FormKey = tuple[tuple[int, ...], tuple[Rect, Rect, Insets] | tuple[float, ...]]
# A node by its id, where it lies, and whether the face has a heading by then.
_ItemsKey = tuple[int, Rect, bool]


class Kept:
    """What was drawn of one template's nodes: forms of nodes that look only a few ways, and items
    of those that repeat in a deck. An id stays one node's only while the node lives, so that nodes
    are kept, too.
    """

    def __init__(self) -> None:
        self._nodes: list[Sequence[Node]] = []
        self._bleeding: dict[tuple[int, ...], bool] = {}
        self._forms: dict[_FormKey, Drawn] = {}
        self._fitted: list[_FormKey] = []  # those with a text that was fitted
        self._items: dict[_ItemsKey, tuple[tuple[Item, ...], Node]] = {}

    def forget(self) -> None:
        """Forget what may be drawn otherwise, or told of, when it is drawn again."""
        for key in self._fitted:
            self._forms.pop(key, None)
        self._fitted.clear()
        self._items.clear()

    def find_form(self, nodes: Sequence[Node], at: Rect, canvas: Canvas) -> Drawn | None:
        """Return what was drawn of nodes elsewhere, if it has room here."""
        drawn = self._forms.get(self._make_key(nodes, at, canvas))
        return drawn if drawn is not None and canvas.has_room(drawn, at) else None

    def keep_form(
        self, nodes: Sequence[Node], at: Rect, canvas: Canvas, drawn: Drawn, *, fitted: bool
    ) -> None:
        if len(self._forms) >= MOST_KEPT:  # drawn again, a node makes the same form
            self._nodes.clear()
            self._bleeding.clear()
            self._forms.clear()
        key = self._make_key(nodes, at, canvas)
        self._forms[key] = drawn
        if fitted:
            self._fitted.append(key)

    def _make_key(self, nodes: Sequence[Node], at: Rect, canvas: Canvas) -> _FormKey:
        ids = tuple(map(id, nodes))
        bleeds = self._bleeding.get(ids)
        if bleeds is None:
            bleeds = self._bleeding[ids] = _has_bleed(nodes)
            self._nodes.append(nodes)
        return ids, (at, canvas.trim, canvas.bleed) if bleeds else at[2:]

    def find_items(self, node: Node, rect: Rect, *, headed: bool) -> tuple[Item, ...] | None:
        """Return what was drawn of a node at the same place, behind a heading or before one."""
        known = self._items.get((id(node), rect, headed))
        return known[0] if known is not None else None

    def keep_items(self, node: Node, rect: Rect, items: Sequence[Item], *, headed: bool) -> None:
        if len(self._items) >= MOST_KEPT:
            self._items.clear()
        self._items[id(node), rect, headed] = tuple(items), node


def _has_bleed(nodes: Sequence[Node]) -> bool:
    """Whether it matters where on the card the nodes lie."""
    return any(node.spec.place.bleed or _has_bleed(node.children) for node in nodes)
