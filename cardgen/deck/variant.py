"""A variant and the deck that it extends become one RawDeck, as if it were written out.

Everything keeps its place, be it of the variant or of the other deck. Knows nothing of files, nor
of what fields mean.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from cardgen.core.names import describe_unknown
from cardgen.deck.model import Deck, Value, slug
from cardgen.deck.raw import Mark, Mention, Raw, RawDeck, RawVariant
from cardgen.deck.values import find_meant, quote, take_text

_LIKE = "like"
# The keys that a variant takes over; a title and a description are a deck's own.
_TAKEN_OVER = ("template", "back", "author", "language", "target", "size", "missing")


class Base(NamedTuple):
    """The deck that a variant extends, without fault: as it is written, and as it is read."""

    raw: RawDeck
    deck: Deck


def vary(raw: RawDeck, variant: RawVariant, base: Base | None) -> None:
    """Write the base into the raw deck of its variant.

    Where the base cannot be read, its problems are in the raw deck already, which then gets only
    the cards that do not need the base.
    """
    if base is None:
        raw.cards = [card for card in variant.additions if _LIKE not in card.values]
        return
    raw.inherited = tuple(base.deck.cards[0].fields)
    raw.template = base.raw.template
    says_template = raw.head.values.get("template") is not None
    raw.back = None if says_template else base.raw.back
    raw.notes += [n for n in base.raw.notes if not (says_template and n.code == "deck/all-fields")]
    raw.defaults = _merge_defaults(raw, base.raw)
    raw.deal = raw.deal or base.raw.deal
    raw.titles = base.raw.titles
    if base.raw.labels:
        raw.labels = _lay_over(raw.labels, base.raw.labels) if raw.labels else base.raw.labels
    raw.head = _merge_head(raw.head, base.raw.head)
    raw.cards = _Varied(raw, variant, base).make_cards()


def _merge_head(own: Raw, base: Raw) -> Raw:
    empty = {key for key in _TAKEN_OVER if own.values.get(key) is None}
    said = {key: value for key, value in own.values.items() if key not in empty}
    return _lay_over(own._replace(values=said), base, base.values.keys() - _TAKEN_OVER)


def _merge_defaults(raw: RawDeck, base: RawDeck) -> Raw | None:
    if base.defaults is None:
        return raw.defaults
    # A default stands before the key of the deck, but not that of the base before the variant's.
    said = {key for key, value in raw.head.values.items() if value is not None}
    own = raw.defaults or Raw({}, base.defaults.where)
    return _lay_over(own, base.defaults, {"template", "back"} & said)


def _lay_over(own: Raw, under: Raw, hidden: Collection[str] = ()) -> Raw:
    """Return a mapping with the keys of another that it lacks, but for those that are hidden."""
    taken = {key: value for key, value in under.values.items() if key not in hidden}
    # What a row of a table says has no place but that of the row.
    bare = {key: Mark(under.where, under.where, None) for key in taken if key not in under.marks}
    return Raw(
        {**taken, **own.values},
        own.where,
        {**bare, **under.marks, **own.marks},
        frozenset(taken.keys() - own.values.keys()),
    )


class _Varied:
    """Makes the cards of a variant."""

    def __init__(self, raw: RawDeck, variant: RawVariant, base: Base) -> None:
        self.raw = raw
        self.variant = variant
        ids = [card.id for card in base.deck.cards]
        # Cards that are left out stay here, for another may be like them.
        self.cards = dict(zip(ids, base.raw.cards, strict=True))
        self.left_out: set[str] = set()
        self.chosen = self._choose()
        self.left_out.update(set(ids) - set(self.chosen))
        self.fields = {*raw.inherited, *(raw.defaults.values if raw.defaults else ())}

    def make_cards(self) -> list[Raw]:
        """Return all cards in the order of the variant."""
        ids = self._change_cards()
        cards = [self.cards[card] for card in self.chosen]
        for number, raw in enumerate(self.variant.additions):
            card = self._make_addition(number, raw)
            identity = _find_id(raw)
            cards.append(card)
            ids.append(identity)
            if identity is not None:
                self.cards.setdefault(identity, card)
        return self._put_in_order(cards, ids)

    def _choose(self) -> dict[str, None]:
        """Return the ids of the base's cards that stay, in order."""
        keep, drop = self.variant.keep, self.variant.drop
        kept = self._find(keep or [], "keep")
        dropped = self._find(drop or [], "drop")
        if keep is not None and drop is not None:
            return dict.fromkeys(self.cards)  # A problem already; which one is meant is unknown.
        if keep is not None:
            return kept
        return {card: None for card in self.cards if card not in dropped}

    def _find(self, mentions: Iterable[Mention], key: str) -> dict[str, None]:
        return {card.id: None for card in mentions if self._is_known(card, key, self.cards)}

    def _is_known(self, card: Mention, key: str, known: Collection[str]) -> bool:
        """Whether a card is one of those known; if not, a problem is added."""
        if card.id in known:
            return True
        if card.id in self.left_out:
            is_kept = self.variant.keep is not None
            culprit = "keep" if is_kept else "drop"
            hint = 'write it into "keep"' if is_kept else 'take it out of "drop"'
            message = f"card {quote(card.id)} in {key} is left out by {culprit}"
            self.raw.add("deck/left-out", message, card.where, f"{hint}, or delete it here")
        else:
            # A card's name stands for its id.
            unknown = describe_unknown(slug(card.id), known, "card")
            self.raw.add(
                "deck/unknown-card",
                f"unknown card {quote(card.id)} in {key}",
                card.where,
                unknown.hint,
                details=unknown.details,
            )
        return False

    def _change_cards(self) -> list[str | None]:
        """Write the changes over the cards of the base; return the ids of those that stay."""
        changes = self._gather_changes()
        for card, own in changes.items():
            # A card that gets another name keeps its id, which may have come from the name.
            under = self.cards[card]
            named = under._replace(values={**under.values, "id": card})
            self.cards[card] = _lay_over(own, named)
        return [_find_id(self.cards[card]) if card in changes else card for card in self.chosen]

    def _gather_changes(self) -> dict[str, Raw]:
        """Return the fields that "change" and "counts" write over each card."""
        changes: dict[str, Raw] = {}
        for card, own in self.variant.changes:
            if self._is_known(card, "change", self.chosen):
                changes[card.id] = own
                if _LIKE in own.values and _LIKE not in self.fields:
                    message = f'"like" in card {quote(card.id)} has no meaning in change'
                    where, hint = own.locate_key(_LIKE), 'write it at a card in "add"'
                    self.raw.add("deck/bad-like", message, where, hint)
        for card, count in self.variant.counts:
            if not self._is_known(card, "counts", self.chosen):
                continue
            own = changes.get(card.id, Raw({}, self.cards[card.id].where))
            if "count" in own.values:
                message = f"the count of card {quote(card.id)} stands in change and in counts"
                self.raw.add("deck/named-twice", message, card.where, "delete one of them")
            changes[card.id] = Raw(
                {**own.values, **count.values}, own.where, {**own.marks, **count.marks}
            )
        return changes

    def _make_addition(self, number: int, own: Raw) -> Raw:
        self._check_slips(own)
        if _LIKE not in own.values:
            return own
        place = f"in card {number + 1} in add"
        like = take_text(self.raw, own, _LIKE, f"like {place}")
        values = {key: value for key, value in own.values.items() if key != _LIKE}
        card = own._replace(values=values)
        if like is None:
            return card
        mention = Mention(like, own.locate_value(_LIKE))
        if like not in self.cards and like in map(_find_id, self.variant.additions[number:]):
            message = f"card {quote(like)} in like does not stand above this card"
            hint = "write it above the cards that are like it"
            self.raw.add("deck/bad-like", message, mention.where, hint)
            return _spare(card)
        if not self._is_known(mention, _LIKE, self.cards):
            return _spare(card)
        if own.get_written("name") is None and own.get_written("id") is None:
            message = f"the card like {quote(like)} has neither a name nor an id of its own"
            self.raw.add("deck/no-name", message, own.where, 'write "name: …"')
            return _spare(card)
        return _lay_over(card, self.cards[like], ("id",))

    def _check_slips(self, own: Raw) -> None:
        for key in own.values:
            if find_meant(key, (_LIKE,)) and key not in self.fields and own.has_alone(key, _LIKE):
                name = own.get_written("name")
                place = f" in card {quote(str(name))}" if name is not None else " in add"
                self.raw.add(
                    "deck/unknown-field",
                    f"unknown field {quote(key)}{place}",
                    own.locate_key(key),
                    'did you mean "like"?',
                    details={"name": key, "near": (_LIKE,)},
                )

    def _put_in_order(self, cards: list[Raw], ids: list[str | None]) -> list[Raw]:
        places = {card: place for place, card in enumerate(ids) if card is not None}
        wanted = [c.id for c in self.variant.order if self._is_known(c, "order", places)]
        if len(places) < len(ids):
            return cards  # Two cards have one id, or one has none; check.py reports it.
        first = dict.fromkeys(places[card] for card in wanted)
        rest = (place for place in range(len(cards)) if place not in first)
        return [cards[place] for place in [*first, *rest]]


def _spare(card: Raw) -> Raw:
    """Return a card that is reported already; without a name of its own it is left out."""
    return card if "name" in card.values else card._replace(values={})


def _find_id(card: Raw) -> str | None:
    """Return the id that a card will have, if it has a good one."""
    identity, name = (_strip(card.get_written(key)) for key in ("id", "name"))
    return identity or (slug(name) if name else None)


def _strip(value: Value) -> str:
    return value.strip() if isinstance(value, str) else ""
