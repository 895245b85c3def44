"""Which cards of a deck are printed: chosen among its copies, which keep the numbers of the whole.

Part of build. Knows nothing of templates or paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from cardgen.core.errors import CardgenError, Where, suggest
from cardgen.deck.model import Card, Copy, Deck


@dataclass(frozen=True, slots=True)
class Selection:
    """only: a pattern that name or id fits; start and end: places among all cards, from 1 on."""

    only: str | None = None
    start: int | None = None
    end: int | None = None
    one_of_each: bool = False


ALL = Selection()


def choose_copies(deck: Deck, selection: Selection) -> tuple[Copy, ...]:
    """The copies that are to be printed, in the deck's order."""
    copies = deck.list_copies()
    if not copies:
        raise CardgenError(
            "build/todo",
            f'no card of the deck "{deck.name}" is to be printed',
            Where(str(deck.path)),
            "raise a count",
        )
    start, end = selection.start or 1, selection.end or len(copies)
    if start > min(end, len(copies)):
        raise CardgenError(
            "build/todo",
            f'the deck "{deck.name}" has no cards from {start} to {end}',
            hint=f"it has {len(copies)}; give two numbers up to that, the smaller one first",
        )
    chosen = copies[start - 1 : end]
    if selection.only is not None:
        chosen = _choose_by_name(deck, chosen, selection.only)
    if selection.one_of_each:
        # Of each design the first that is left.
        chosen = list({copy.design: copy for copy in reversed(chosen)}.values())[::-1]
    return tuple(chosen)


def _choose_by_name(deck: Deck, copies: list[Copy], pattern: str) -> list[Copy]:
    wanted = pattern.casefold()
    fitting = [_fits(card, wanted) for card in deck.cards]
    if not any(fitting):
        known = [card.name for card in deck.cards]
        raise CardgenError(
            "build/todo",
            f'no card of the deck "{deck.name}" fits "{pattern}"',
            hint=suggest(pattern, known, kind="card"),
        )
    chosen = [copy for copy in copies if fitting[copy.design]]
    if not chosen:
        raise CardgenError(
            "build/todo",
            f'no card of the deck "{deck.name}" that fits "{pattern}" is to be printed',
            hint="raise its count, or choose among more of the deck",
        )
    return chosen


def _fits(card: Card, pattern: str) -> bool:
    return fnmatchcase(card.name.casefold(), pattern) or fnmatchcase(card.id.casefold(), pattern)
