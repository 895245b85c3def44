"""Compares two decks: which keys differ, and which cards were added, dropped, changed or moved.

Knows nothing of how a difference is shown, nor of looks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cardgen.core.units import name_size
from cardgen.deck.model import Card, Deck, Value

_DECK_TEXTS = ("title", "author", "language", "description", "version", "target")
_USUAL = ("template", "back")


class Change(NamedTuple):
    """A key whose value differs."""

    key: str
    before: Value
    after: Value


class ChangedCard(NamedTuple):
    """A card of both decks whose fields differ."""

    before: Card
    after: Card
    changes: tuple[Change, ...]


class MovedCard(NamedTuple):
    """A card that stands elsewhere among those that both decks have; places count from 1."""

    card: Card
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that differs between two decks."""

    before: Deck
    after: Deck
    changes: tuple[Change, ...]
    added: tuple[Card, ...]
    dropped: tuple[Card, ...]
    changed: tuple[ChangedCard, ...]
    moved: tuple[MovedCard, ...]

    @property
    def is_equal(self) -> bool:
        return not (self.changes or self.added or self.dropped or self.changed or self.moved)

    @property
    def changes_all(self) -> bool:
        """Whether a key of the deck changes the look of every card."""
        return any(change.key in (*_USUAL, "size", "language") for change in self.changes)


def compare_decks(before: Deck, after: Deck) -> Comparison:
    """Return all that differs; cards are the same card if their ids are equal."""
    old = {card.id: card for card in before.cards}
    new = {card.id: card for card in after.cards}
    common = [(old[card.id], card) for card in after.cards if card.id in old]
    usual = tuple(_compare_usual(before, after))
    pairs = [(one, other, tuple(_compare_cards(one, other, usual))) for one, other in common]
    return Comparison(
        before,
        after,
        (*_compare_heads(before, after), *usual),
        tuple(card for card in after.cards if card.id not in old),
        tuple(card for card in before.cards if card.id not in new),
        tuple(ChangedCard(*pair) for pair in pairs if pair[2]),
        tuple(_find_moved(before, after)),
    )


def _compare_heads(before: Deck, after: Deck) -> Iterator[Change]:
    for key in _DECK_TEXTS:
        one, other = getattr(before, key) or None, getattr(after, key) or None
        if one != other:
            yield Change(key, one, other)
    if before.size != after.size:
        yield Change("size", *(deck.size and name_size(deck.size) for deck in (before, after)))


def _compare_usual(before: Deck, after: Deck) -> Iterator[Change]:
    """Yield the templates that most cards of a deck have, where they differ."""
    for key in _USUAL:
        one, other = (
            Counter(getattr(card, key) for card in deck.cards).most_common(1)[0][0]
            for deck in (before, after)
        )
        if one != other:
            yield Change(key, one, other)


def _compare_cards(before: Card, after: Card, usual: Sequence[Change]) -> Iterator[Change]:
    for key in ("name", "count", *_USUAL):
        change = Change(key, getattr(before, key), getattr(after, key))
        if change.before != change.after and change not in usual:
            yield change
    for field in dict.fromkeys((*before.fields, *after.fields)):
        one, other = before.fields.get(field), after.fields.get(field)
        # True is 1 to Python, but not on a card.
        if one != other or isinstance(one, bool) is not isinstance(other, bool):
            yield Change(field, one, other)


def _find_moved(before: Deck, after: Deck) -> Iterator[MovedCard]:
    """Yield the fewest cards that must move to bring the common ones into the same order."""
    ids = {card.id for card in after.cards}
    kept = {card.id for card in before.cards} & ids
    old = {card: at for at, card in enumerate((c.id for c in before.cards if c.id in kept), 1)}
    common = [card for card in after.cards if card.id in kept]
    staying = _find_rising([old[card.id] for card in common])
    for place, card in enumerate(common, 1):
        if place - 1 not in staying:
            yield MovedCard(card, old[card.id], place)


def _find_rising(numbers: Sequence[int]) -> set[int]:
    """Return the places of a longest rising subsequence of different numbers."""
    ends: list[int] = []  # the smallest number that ends a run of each length
    places: list[int] = []
    previous: list[int | None] = []
    for place, number in enumerate(numbers):
        length = bisect_left(ends, number)
        previous.append(places[length - 1] if length else None)
        ends[length : length + 1] = [number]
        places[length : length + 1] = [place]
    found: set[int] = set()
    at = places[-1] if places else None
    while at is not None:
        found.add(at)
        at = previous[at]
    return found
