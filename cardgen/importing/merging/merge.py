"""Merges the cards of the last import, of the deck and of the source now.

Gives the cards that the deck is to have, and a finding for each that changes or could not. Cards
are matched by their ids, else by their names, else by how alike they are. Knows nothing of files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from cardgen.deck.model import Value, slug
from cardgen.importing.merging.fields import FieldClash, Values, is_same, merge_values, print_value
from cardgen.importing.merging.patch import Wanted
from cardgen.importing.merging.record import Given

_ALIKE_TEXTS = 0.6
_ALIKE_NAMES = 0.8
_FEWEST_WORDS = 3
_OWN_WORDS = 8
_MOST_COMPARED = 50_000
_WORD = re.compile(r"\w+")

# "kept": gone from the source, and changed in the deck; "left out": the other way round;
# "out": not in the deck, and as it was in the source.
Kind = Literal["changed", "added", "removed", "out", "both changed", "kept", "left out"]
CLASHES: tuple[Kind, ...] = ("both changed", "kept", "left out")


class Ours(NamedTuple):
    """A card as the deck has it; `is_noted` where a comment stands in it or at it."""

    values: Values
    is_noted: bool = False


class Finding(NamedTuple):
    """Something that the merge did, or left as it was.

    card: its place in the deck as it was, source: its place among the cards of the source
    """

    kind: Kind
    name: str
    card: int | None = None
    source: int | None = None
    field: FieldClash | None = None


@dataclass(frozen=True, slots=True)
class Merge:
    """The cards that the deck is to have, and what was found.

    places: of each card of the source its place in the deck; None where it is not in it
    """

    wanted: tuple[Wanted, ...]
    findings: tuple[Finding, ...]
    places: tuple[int | None, ...]

    @property
    def clashes(self) -> list[Finding]:
        return [found for found in self.findings if found.kind in CLASHES]

    def find_card(self, found: Finding) -> int | None:
        """Return the place of a finding's card among the wanted cards."""
        if found.card is not None:
            places = (n for n, wanted in enumerate(self.wanted) if wanted.place == found.card)
            return next(places, None)
        return None if found.source is None else self.places[found.source]


@dataclass(slots=True)
class _Slot:
    """A card of the deck to be, with its places in the deck and in the source."""

    card: int | None
    source: int | None
    values: dict[str, Value]


def find_id(values: Values) -> str:
    """Return the id that a card has, or that its name gives it."""
    return str(values.get("id") or slug(str(values.get("name"))))


def match_source(base: Sequence[Given], theirs: Sequence[Values]) -> dict[int, int]:
    """Return the card of the source for each of the last import that it still has."""
    return match_cards(
        [Entry(find_id(one.values), one.values) for one in base],
        [Entry(find_id(values), values) for values in theirs],
    )


def match_deck(base: Sequence[Given], ours: Sequence[Ours]) -> dict[int, int]:
    """Return the card of the deck for each of the last import that it still has."""
    return match_cards(
        [Entry(one.id, one.values) for one in base],
        [Entry(find_id(card.values), card.values) for card in ours],
    )


def merge_cards(base: Sequence[Given], ours: Sequence[Ours], theirs: Sequence[Values]) -> Merge:
    to_theirs, to_ours = match_source(base, theirs), match_deck(base, ours)
    base_of = {card: one for one, card in to_ours.items()}
    known = set(to_theirs.values())
    fresh = [n for n in range(len(theirs)) if n not in known]
    met = _match_by_hand(ours, base_of, theirs, fresh)
    slots: list[_Slot] = []
    findings: list[Finding] = []
    for place, card in enumerate(ours):
        one = base[base_of[place]] if place in base_of else None
        other = to_theirs.get(base_of[place]) if place in base_of else met.get(place)
        slot = _merge_card(one, card, other, theirs, findings, place)
        if slot is not None:
            slots.append(slot)
    for one_place, other in to_theirs.items():
        if one_place not in to_ours:
            is_old = is_same(dict(base[one_place].values), dict(theirs[other]))
            kind: Kind = "out" if is_old else "left out"
            findings.append(Finding(kind, str(theirs[other]["name"]), source=other))
    for other in fresh:
        if other not in met.values():
            slots.insert(_find_neighbour(slots, other), _Slot(None, other, dict(theirs[other])))
            findings.append(Finding("added", str(theirs[other]["name"]), source=other))
    _tell_apart(slots, ours)
    found = {slot.source: place for place, slot in enumerate(slots) if slot.source is not None}
    return Merge(
        tuple(Wanted(slot.card, slot.values) for slot in slots),
        tuple(findings),
        tuple(found.get(place) for place in range(len(theirs))),
    )


def _match_by_hand(
    ours: Sequence[Ours], base_of: Mapping[int, int], theirs: Sequence[Values], fresh: Sequence[int]
) -> dict[int, int]:
    """Pair cards that somebody wrote into the deck before the source had them."""
    by_hand = [n for n in range(len(ours)) if n not in base_of]
    pairs = match_cards(
        [Entry(find_id(ours[n].values), ours[n].values) for n in by_hand],
        [Entry(find_id(theirs[n]), theirs[n]) for n in fresh],
        by_likeness=False,
    )
    return {by_hand[one]: fresh[other] for one, other in pairs.items()}


def _merge_card(
    base: Given | None,
    ours: Ours,
    source: int | None,
    theirs: Sequence[Values],
    findings: list[Finding],
    place: int,
) -> _Slot | None:
    values, name = dict(ours.values), str(ours.values.get("name"))
    if base is None or source is None:
        if base is not None:
            edited = _is_edited(base, ours)
            findings.append(Finding("kept" if edited else "removed", name, place))
            if not edited:
                return None
        if source is not None:
            findings += _compare(ours, theirs[source], place, source)
        return _Slot(place, source, values)
    merged = merge_values(base.values, values, theirs[source], skip=("id",))
    findings += [Finding("both changed", name, place, source, clash) for clash in merged.clashes]
    findings += [Finding("changed", name, place, source, change) for change in merged.taken]
    return _Slot(place, source, merged.values)


def _is_edited(base: Given, ours: Ours) -> bool:
    """Tell whether somebody has changed a card since the last import."""
    sides = [{**values, "id": None} for values in (base.values, ours.values)]
    return ours.is_noted or find_id(ours.values) != base.id or not is_same(*sides)


def _compare(ours: Ours, theirs: Values, card: int, source: int) -> Iterator[Finding]:
    """Yield the fields in which a card that was written by hand differs from the source."""
    for key, value in theirs.items():
        own = ours.values.get(key)
        if key != "id" and not is_same(own, value):
            field = FieldClash((key,), None, own, value)
            yield Finding("both changed", str(theirs["name"]), card, source, field)


def _find_neighbour(slots: Sequence[_Slot], source: int) -> int:
    """Return the place for a new card: behind the one that it follows in the source."""
    known = [(slot.source, n) for n, slot in enumerate(slots) if slot.source is not None]
    before = [pair for pair in known if pair[0] < source]
    if before:
        return max(before)[1] + 1
    return min(known)[1] if known else len(slots)


def _tell_apart(slots: Sequence[_Slot], ours: Sequence[Ours]) -> None:
    """Give an id to each card that is new, or has a new name, and would have that of another."""
    taken: set[str] = set()
    changed: list[_Slot] = []
    for slot in slots:
        own = find_id(slot.values)
        if slot.card is not None and find_id(ours[slot.card].values) == own:
            taken.add(own)
        else:
            changed.append(slot)
    for slot in changed:
        own = unique = find_id(slot.values)
        number = 2
        while unique in taken:
            unique = f"{own}-{number}"
            number += 1
        taken.add(unique)
        if unique != own:
            values = {key: value for key, value in slot.values.items() if key not in ("name", "id")}
            slot.values = {"name": slot.values["name"], "id": unique, **values}


# Which cards are one

Key = Callable[["Entry"], Hashable]


class Entry(NamedTuple):
    """A card; one without an id is found by its name."""

    id: str | None
    values: Values


def match_cards(
    ones: Sequence[Entry], others: Sequence[Entry], *, by_likeness: bool = True
) -> dict[int, int]:
    """Return the place among the others of each card that is found there."""
    pairs: dict[int, int] = {}
    for key in (_take_all, _take_id, _take_rank, _take_name):
        _pair_equal(ones, others, pairs, key)
    if by_likeness:
        _pair_equal(ones, others, pairs, _take_text)
        _pair_alike(ones, others, pairs)
    return pairs


def _take_all(entry: Entry) -> Hashable:
    """Return all but the id, which only tells cards of one name apart by their order."""
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
    """Return the text where it is long enough to be that of one card, and the card has an id."""
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
    """Pair the most alike first; of those that are equally so, the nearest."""
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
