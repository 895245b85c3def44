"""Where each value of a card is written: at the card, for all cards, in a variant or an overlay."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.core.errors import Where
from cardgen.deck.model import CARD_KEYS, Card
from cardgen.deck.raw import Raw, RawDeck
from cardgen.deck.variant import Base

_KEYS = ("name", "count", "template", "back")


def read_card(written: Base, card: Card) -> Mapping[str, Where]:
    """Return where the value of each field of a card stands, and what else it says of itself;
    nothing for a field that no file gives.

    written: the deck, and how it is written, with all places
    """
    found = find_raw(written, card)
    if found is None:
        return {}
    deck = written.raw
    places = {
        field: _find_place(field, found, deck)
        for field in (*_KEYS, *card.fields)
        if field in found.values or field in _KEYS or card.fields[field] is not None
    }
    return {field: where for field, where in places.items() if where is not None}


def find_raw(written: Base, card: Card) -> Raw | None:
    """Return a card as it is written; None where there is none like it."""
    raws = [raw for raw in written.raw.cards if raw.values]
    pairs = zip(written.deck.cards, raws, strict=True)
    alike = [(one, raw) for one, raw in pairs if one.id == card.id]
    same = (raw for one, raw in alike if one.where == card.where)
    return next(same, alike[0][1] if alike else None)


def _find_place(field: str, card: Raw, deck: RawDeck) -> Where | None:
    if card.values.get(field) is not None or (field in card.values and field not in CARD_KEYS):
        return card.locate_value(field)
    if deck.defaults is not None and deck.defaults.values.get(field) is not None:
        return deck.defaults.locate_value(field)
    if field in ("template", "back") and deck.head.values.get(field) is not None:
        return deck.head.locate_value(field)
    return None
