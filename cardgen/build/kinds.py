"""The kinds of a deck's cards: their sizes and shapes, each with a number.

A back is as large as its front, and is cut to the same shape. Knows nothing of sheets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Size
from cardgen.core.shape import Shape
from cardgen.core.units import format_size
from cardgen.deck.model import Card
from cardgen.pages.sheets.protocol import CardKind
from cardgen.pages.target import Side
from cardgen.template.template import Template


class Kinds:
    """The kinds of some cards, in the order in which they first stand there.

    one_size: whether a back that its front cannot have is an error
    """

    def __init__(
        self, cards: Iterable[Card], templates: Mapping[str, Template], *, one_size: bool = True
    ) -> None:
        self._templates = templates
        # Each template of a front with each that a back has behind it.
        self._pairs = list(dict.fromkeys((card.template, card.back) for card in cards))
        self._found: list[tuple[Size, Shape]] = []
        self._numbers: dict[str, int] = {}
        for front, back in self._pairs:
            kind = templates[front].format.size, templates[front].format.shape
            if kind not in self._found:
                self._found.append(kind)
            self._numbers[front] = self._found.index(kind)
            if one_size and back is not None:
                self._check_back(front, back)

    @property
    def largest(self) -> Size:
        """A size that holds each card."""
        return Size(
            max(size.width for size, _ in self._found), max(size.height for size, _ in self._found)
        )

    def find(self, card: Card) -> int:
        """Return the number of a card's kind."""
        return self._numbers[card.template]

    def describe(self, numbers: Iterable[int]) -> dict[int, CardKind]:
        """Return some kinds by their numbers, in their order."""
        return {
            number: CardKind(
                *self._found[number],
                self._get_bleed("front", number),
                self._get_bleed("back", number),
            )
            for number in sorted(set(numbers))
        }

    def list_used(self, numbers: Collection[int]) -> list[tuple[Side, str, Template]]:
        """Return the templates of cards of some kinds with their names, each once for a side."""
        sides: tuple[Side, Side] = ("front", "back")
        used = {
            (side, name): self._templates[name]
            for pair in self._pairs
            if self._numbers[pair[0]] in numbers
            for side, name in zip(sides, pair, strict=True)
            if name is not None
        }
        return [(side, name, template) for (side, name), template in used.items()]

    def _get_bleed(self, side: Side, number: int) -> Insets:
        """Return the bleed that all templates have of a side; that of the fronts without backs."""
        used = self.list_used({number})
        bleeds = [template.format.bleed for of, _, template in used if of == side]
        bleeds = bleeds or [template.format.bleed for _, _, template in used]
        return Insets(*map(min, zip(*bleeds, strict=True)))

    def _check_back(self, front: str, back: str) -> None:
        one, other = self._templates[front].format, self._templates[back].format
        if other.size != one.size:
            raise CardgenError(
                "build/two-sizes",
                f'template "{back}" is {format_size(other.size)}, '
                f'"{front}" is {format_size(one.size)}',
                self._templates[back].where,
                "the back of a card is as large as its front: give these cards a back: of that "
                "size, or back: none",
                details={"template": back, "other": front},
            )
        if not other.shape.is_back_of(one.shape):
            raise CardgenError(
                "build/two-trims",
                f'template "{back}" is cut to another shape ({other.shape.name}) than "{front}" '
                f"({one.shape.name})",
                self._templates[back].where,
                "leave the trim of the back out: it is that of the front, seen from behind",
                details={"template": back, "other": front},
            )
