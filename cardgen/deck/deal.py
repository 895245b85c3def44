"""How a deck is dealt, as it says under `deal`: hands, players, and what stays out of the pile.

Adds what is wrong with it to the deck. Knows nothing of a table or of who plays.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.core.names import describe_unknown
from cardgen.deck.model import DEAL_KEYS, MAX_HAND, MAX_PLAYERS, POINTS_KEYS, Deal, Points, Value
from cardgen.deck.raw import Raw, RawDeck
from cardgen.deck.values import describe, quote

_MOST_POINTS = 1_000_000


def take_deal(deck: RawDeck, ids: frozenset[str]) -> Deal | None:
    """Return how a deck is dealt; None where it does not say so, or wrongly.

    ids: those of its cards
    """
    raw = deck.deal
    if raw is None:
        return None
    known = len(deck.problems)
    for key in raw.values:
        if key not in DEAL_KEYS:
            unknown = describe_unknown(key, DEAL_KEYS)
            deck.add(
                "deck/unknown-key",
                f"unknown key {quote(key)} in deal",
                raw.locate_key(key),
                unknown.hint,
                field=key,
                details=unknown.details,
            )
    usual = Deal()
    deal = Deal(
        hand=_take_number(deck, raw, "hand", usual.hand, 0, MAX_HAND),
        players=_take_number(deck, raw, "players", usual.players, 1, MAX_PLAYERS),
        points=_take_points(deck, raw),
        aside=_take_aside(deck, raw, ids),
    )
    return deal if len(deck.problems) == known else None


def _take_number(deck: RawDeck, raw: Raw, key: str, usual: int, least: int, most: int) -> int:
    value = raw.values.get(key)
    if value is None:
        return usual
    if _is_whole(value, least, most):
        return int(value)  # type: ignore[arg-type]
    _refuse(deck, raw, key, f"a whole number from {least} to {most}", value)
    return usual


def _is_whole(value: Value, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _take_points(deck: RawDeck, raw: Raw) -> Points | None:
    """Return how hands grow with the size of a game."""
    value = raw.values.get("points")
    if value is None:
        return None
    wanted = "a mapping as {to: 3000, each: 1000, more: 1}"
    if not isinstance(value, Mapping) or not value.keys() <= set(POINTS_KEYS):
        _refuse(deck, raw, "points", wanted, value)
        return None
    to, each, more = (value.get(key) for key in POINTS_KEYS)
    more = 1 if more is None else more
    sound = (
        _is_whole(to, 0, _MOST_POINTS)
        and _is_whole(each, 1, _MOST_POINTS)
        and _is_whole(more, 0, MAX_HAND)
    )
    if not sound:
        _refuse(deck, raw, "points", f"{wanted} of whole numbers", value)
        return None
    return Points(int(to), int(each), int(more))  # type: ignore[arg-type]


def _take_aside(deck: RawDeck, raw: Raw, ids: frozenset[str]) -> tuple[str, ...]:
    """Return the cards that are not dealt; a variant may lack some that its base names."""
    value = raw.values.get("aside")
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        _refuse(deck, raw, "aside", "a list of ids", value)
        return ()
    named = tuple(dict.fromkeys(str(one).strip() for one in value))
    for name in named if raw.where.file == deck.file else ():
        if name in ids:
            continue
        unknown = describe_unknown(name, ids)
        deck.add(
            "deck/unknown-card",
            f"unknown card {quote(name)} in aside",
            raw.locate_value("aside"),
            unknown.hint,
            field="aside",
            details=unknown.details,
        )
    return tuple(name for name in named if name in ids)


def _refuse(deck: RawDeck, raw: Raw, key: str, wanted: str, value: Value) -> None:
    deck.add(
        "deck/bad-deal",
        f"{key} in deal must be {wanted}, not {describe(value)}",
        raw.locate_value(key),
        field=key,
        details={"key": key},
    )
