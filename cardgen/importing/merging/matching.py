"""Two lists of cards become pairs of those that are one card: by their ids, else by their names,
else by how alike they are.

Knows nothing of decks or sources.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from cardgen.deck.model import slug
from cardgen.importing.merging.three_way import Values, print_value

_ALIKE_TEXTS = 0.6
_ALIKE_NAMES = 0.8
_FEWEST_WORDS = 3
_OWN_WORDS = 8
_MOST_COMPARED = 50_000
_WORD = re.compile(r"\w+")

Key = Callable[["Entry"], Hashable]


class Entry(NamedTuple):
    """A card; one without an id is found by its name."""

    id: str | None
    values: Values


def match_cards(
    ones: Sequence[Entry], others: Sequence[Entry], *, by_likeness: bool = True
) -> dict[int, int]:
    """The place among the others of each that is found there."""
    pairs: dict[int, int] = {}
    for key in (_take_all, _take_id, _take_rank, _take_name):
        _pair_equal(ones, others, pairs, key)
    if by_likeness:
        _pair_equal(ones, others, pairs, _take_text)
        _pair_alike(ones, others, pairs)
    return pairs


def _take_all(entry: Entry) -> Hashable:
    """An id only tells cards of one name apart, and by their order."""
    return print_value({key: value for key, value in entry.values.items() if key != "id"})


def _take_id(entry: Entry) -> Hashable:
    return entry.id


def _take_rank(entry: Entry) -> Hashable:
    rank = entry.values.get("rank")
    return (_take_name(entry), slug(str(rank))) if rank is not None else None


def _take_name(entry: Entry) -> Hashable:
    name = entry.values.get("name")
    return slug(str(name)) if name is not None else None


def _take_text(entry: Entry) -> Hashable:
    """A text that is long enough to be that of one card; not of a card that has no id."""
    words = _WORD.findall(str(entry.values.get("text") or ""))
    return " ".join(words) if entry.id is not None and len(words) >= _OWN_WORDS else None


def _pair_equal(
    ones: Sequence[Entry], others: Sequence[Entry], pairs: dict[int, int], key: Key
) -> None:
    taken = set(pairs.values())
    places: dict[Hashable, list[int]] = {}
    for place, entry in enumerate(others):
        if place not in taken:
            places.setdefault(key(entry), []).append(place)
    for place, entry in enumerate(ones):
        wanted = key(entry)
        if place not in pairs and wanted is not None and places.get(wanted):
            pairs[place] = places[wanted].pop(0)


def _pair_alike(ones: Sequence[Entry], others: Sequence[Entry], pairs: dict[int, int]) -> None:
    """The most alike first; of those that are equally so, the nearest."""
    taken = set(pairs.values())
    left = [(n, _Bag(one)) for n, one in enumerate(ones) if n not in pairs and one.id is not None]
    right = [(n, _Bag(other)) for n, other in enumerate(others) if n not in taken]
    # Cards that are many are compared with those that stand about where they stand.
    reach = max(10, _MOST_COMPARED // max(1, len(left)))
    found = [
        (-likeness, abs(one - other), one, other)
        for place, (one, bag) in enumerate(left)
        for other, second in right[max(0, place - reach) : place + reach]
        if (likeness := bag.compare(second))
    ]
    for _, _, one, other in sorted(found):
        if one not in pairs and other not in taken:
            pairs[one] = other
            taken.add(other)


class _Bag:
    """A card's name, and how often each word stands in its text."""

    def __init__(self, entry: Entry) -> None:
        self.name = str(entry.values.get("name") or "").casefold()
        self.words = Counter(_WORD.findall(str(entry.values.get("text") or "").casefold()))

    def compare(self, other: _Bag) -> float:
        shared = sum((self.words & other.words).values())
        likeness = 2 * shared / max(1, self.words.total() + other.words.total())
        if shared >= _FEWEST_WORDS and likeness >= _ALIKE_TEXTS:
            return likeness
        likeness = SequenceMatcher(None, self.name, other.name).ratio()
        return likeness if likeness >= _ALIKE_NAMES else 0.0
