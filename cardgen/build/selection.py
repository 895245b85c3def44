"""Which cards of a deck are printed: by their names, their places, their sizes, or to be shown.

Knows nothing of sheets.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from cardgen.build.templates import DeckTemplates
from cardgen.core.errors import CardgenError, Where
from cardgen.core.geometry import Size
from cardgen.core.names import describe_unknown
from cardgen.core.units import format_size
from cardgen.deck.model import Card, Copies, Copy, Deck

MOST_SHOWN = 7  # cards of a deck in a showcase
_SAME = 0.02  # sizes that are rounded to 0.01mm


@dataclass(frozen=True, slots=True)
class Selection:
    """Some cards of a deck.

    only: a pattern that name or id fits
    start, end: places among all cards, from 1 on
    size: that of the cards, in a deck that has several
    """

    only: str | None = None
    start: int | None = None
    end: int | None = None
    one_of_each: bool = False
    size: Size | None = None


ALL = Selection()


def choose_copies(deck: Deck, selection: Selection = ALL) -> Copies:
    """Return the copies that are to be printed, in the deck's order."""
    copies = deck.list_copies()
    if not deck.cards:
        raise CardgenError.of(deck.problems)
    if not copies:
        raise CardgenError(
            "build/nothing-to-print",
            f'no card of the deck "{deck.name}" is to be printed',
            Where(str(deck.path)),
            "raise a count",
        )
    start, end = selection.start or 1, selection.end or len(copies)
    if start > min(end, len(copies)):
        asked, cure = f"from {start} on", ""
        if selection.end is not None:
            asked, cure = (
                f"from {start} to {end}",
                "; give two numbers up to that, the smaller first",
            )
        raise CardgenError(
            "build/no-such-cards",
            f'the deck "{deck.name}" has no cards {asked}',
            hint=f"it has {len(copies)}{cure}",
            details={"deck": deck.name, "start": start, "end": end, "cards": len(copies)},
        )
    chosen = copies[start - 1 : end]
    if selection.only is not None:
        chosen = _choose_by_name(deck, chosen, selection.only)
    return _choose_first(chosen) if selection.one_of_each else chosen


def choose_by_size(templates: DeckTemplates, copies: Copies, size: Size) -> Copies:
    """Return the copies whose cards have a size."""
    kinds = templates.list_kinds(copies)
    fitting = {
        number
        for number, kind in kinds.items()
        if all(abs(a - b) < _SAME for a, b in zip(kind.size, size, strict=True))
    }
    if not fitting:
        known = sorted({format_size(kind.size) for kind in kinds.values()})
        raise CardgenError(
            "build/no-such-cards",
            f'no card of the deck "{templates.deck.name}" that is to be printed is '
            f"{format_size(size)}",
            hint=f"its cards are {' and '.join(known)}",
            details={"deck": templates.deck.name, "known": tuple(known)},
        )
    return Copies(copy for copy in copies if templates.get_kind(copy) in fitting)


def choose_shown(copies: Iterable[Copy]) -> Copies:
    """Return one copy of each design; of many, some that are spread over the deck."""
    shown = _choose_first(copies)
    if len(shown) <= MOST_SHOWN:
        return shown
    step = (len(shown) - 1) / (MOST_SHOWN - 1)
    return Copies(shown[round(place * step)] for place in range(MOST_SHOWN))


def _choose_first(copies: Iterable[Copy]) -> Copies:
    """Return the first copy of each design."""
    first: dict[int, Copy] = {}
    for copy in copies:
        first.setdefault(copy.design, copy)
    return Copies(first.values())


def _choose_by_name(deck: Deck, copies: Copies, pattern: str) -> Copies:
    wanted = pattern.casefold()
    fitting = [_fits(card, wanted) for card in deck.cards]
    if not any(fitting):
        unknown = describe_unknown(pattern, [card.name for card in deck.cards], "card")
        raise CardgenError(
            "build/no-such-cards",
            f'no card of the deck "{deck.name}" fits "{pattern}"',
            hint=unknown.hint,
            details=unknown.details,
        )
    chosen = Copies(copy for copy in copies if fitting[copy.design])
    if not chosen:
        raise CardgenError(
            "build/nothing-to-print",
            f'no card of the deck "{deck.name}" that fits "{pattern}" is to be printed',
            hint="raise its count, or choose among more of the deck",
        )
    return chosen


def _fits(card: Card, pattern: str) -> bool:
    return fnmatchcase(card.name.casefold(), pattern) or fnmatchcase(card.id.casefold(), pattern)
