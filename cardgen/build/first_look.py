"""A look at a few faces before any is drawn, so that texts with fit="deck" know their size.

A size that a deck shares is the smallest that a card wants, where cards whose text is too long even
for the style's own size do not count. Few cards come into question for it: those with the most to
say, or those at the edge of what has room. The others are seen as they are drawn; where one of them
wants a smaller size after all, whoever draws looks at all cards and draws anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import nlargest

from cardgen.build.faces import FaceMaker
from cardgen.build.templates import Place
from cardgen.deck.model import Card, Copy, Deck, Value
from cardgen.layout.copyfit import Wish
from cardgen.pages.target import Side

# How many faces are looked at: so many, and one more for each so many that there are.
_FEWEST, _ONE_OF = 16, 50
_LONGEST = 3
_LETTERS_IN_LINE = 30


def look_first(
    faces: FaceMaker, sharing: Sequence[Place], drawn: Mapping[Side, Collection[Copy]]
) -> None:
    """Look at those faces that may decide on a shared size, and at all that are not drawn."""
    deck = faces.templates.deck
    groups: dict[object, list[Place]] = defaultdict(list)
    for place in sharing:
        if place.copy in drawn[place.side]:
            card = deck.cards[place.copy.design]
            groups[place.side, card.template, card.back, _list_filled(card)].append(place)
        else:
            faces.look_at(place)
    scout = _Scout(faces, deck, _FEWEST + len(sharing) // _ONE_OF)
    longest = [(nlargest(_LONGEST, group, key=scout.weigh), group) for group in groups.values()]
    for places, group in sorted(longest, key=lambda pair: scout.weigh(pair[0][0]), reverse=True):
        scout.search(places, group)


class _Scout:
    """Searches groups of faces alike for those that decide, as long as it may look at any more."""

    def __init__(self, faces: FaceMaker, deck: Deck, most: int) -> None:
        self._faces = faces
        self._deck = deck
        self._left = most
        self._settled: set[str] = set()  # keys that no card can make smaller
        self._seen: dict[Place, dict[str, Wish]] = {}

    def weigh(self, place: Place, fields: Sequence[str] = ()) -> int:
        """Return about how long the fields of a card are, or all of it."""
        card = self._deck.cards[place.copy.design]
        known = [card.fields[name] for name in fields if name in card.fields]
        return sum(map(_measure, known or (card.name, *card.fields.values())))

    def search(self, longest: Sequence[Place], group: Sequence[Place]) -> None:
        """Look at the longest of a group that has no fault, and at the edge of what has room."""
        wishes = next(filter(None, map(self._look, longest)), {})
        for key, wish in wishes.items():
            if key not in self._settled and len(group) > 1:
                fields = wish.fields
                order = sorted(group, key=lambda one: self.weigh(one, fields), reverse=True)
                self._search_edge(key, order)

    def _search_edge(self, key: str, order: Sequence[Place]) -> None:
        """Look for what decides on a key among faces in order, the longest text first."""
        low, high = -1, len(order)
        if not any(self._is_too_long(place, key) for place in order[:_LONGEST]):
            return
        while high - low > 1:
            middle = (low + high) // 2
            if self._is_too_long(order[middle], key):
                low = middle
            else:
                high = middle
        for place in _list_around(order, high):
            if not self._left or key in self._settled:
                return
            self._look(place)

    def _is_too_long(self, place: Place, key: str) -> bool:
        wish = self._look(place).get(key)
        return wish is not None and wish.size < wish.style_size

    def _look(self, place: Place) -> dict[str, Wish]:
        if not self._left:
            return {}
        self._left -= 1
        if place in self._seen:  # it has said all there is to say
            return self._seen[place]
        wishes = self._seen[place] = self._faces.look_at(place)
        self._settled |= {key for key, wish in wishes.items() if wish.size == wish.style_size}
        return wishes


def _list_around(order: Sequence[Place], at: int) -> Iterator[Place]:
    """Yield all places, those nearest to one first."""
    for step in range(len(order)):
        for number in {at + step, at - step - 1}:
            if 0 <= number < len(order):
                yield order[number]


def _list_filled(card: Card) -> tuple[bool, ...]:
    return tuple(value not in (None, "") for value in card.fields.values())


def _measure(value: Value) -> int:
    if isinstance(value, str):
        return len(value) + _LETTERS_IN_LINE * value.count("\n")
    if isinstance(value, list):
        return sum(map(_measure, value)) + _LETTERS_IN_LINE * len(value)
    if isinstance(value, dict):
        return sum(map(_measure, value.values()))
    return 0
