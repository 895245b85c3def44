"""Candidates from all sources become those of one deck: a card printed again raises the count, and
an item with several ranks becomes several cards, or one that lists them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cardgen.importing.model import BOLD, Candidate, Doubt, Styled

_THE = re.compile(r"the\s+", re.IGNORECASE)
_LETTERS = re.compile(r"[\W_]+")


def gather(cards: Iterable[Candidate], *, ranks_as_cards: bool) -> list[Candidate]:
    merged = _merge(cards)
    if ranks_as_cards:
        return [part for card in merged for part in _part_ranks(card)]
    return [_list_ranks(card) for card in merged]


def _merge(cards: Iterable[Candidate]) -> list[Candidate]:
    found: list[Candidate] = []
    places: dict[tuple[str, str], int] = {}
    for card in cards:
        key = _key(card.name), (card.rank or "")
        place = places.get(key)
        if place is None:
            places[key] = len(found)
            found.append(card)
            continue
        first = found[place]
        said = _compare(first, card)
        if said is None:
            found[place] = replace(
                first, count=first.count + card.count, again=(*first.again, card.lines)
            )
        else:
            told = f'another "{card.name}" at {first.place} differs: {said}'
            doubt = Doubt("twin", told, 0.7, details=(("name", card.name),))
            found.append(replace(card, doubts=(*card.doubts, doubt)))
    return found


def _key(name: str) -> str:
    return _LETTERS.sub("", _THE.sub("", name, count=1) if _THE.match(name) else name).casefold()


def _compare(first: Candidate, second: Candidate) -> str | None:
    """Return the first thing in which two cards of one name differ; None if they are the same."""
    if (first.cost, first.ranks) != (second.cost, second.ranks) and second.cost is not None:
        return "its cost"
    texts = [_LETTERS.sub("", card.text).casefold() for card in (first, second)]
    if texts[0] != texts[1] and texts[1]:
        return "its effect"
    who = [_key(card.who or "") for card in (first, second)]
    return "who may have it" if who[0] != who[1] and who[1] else None


def _part_ranks(card: Candidate) -> Sequence[Candidate]:
    return [
        replace(
            card,
            rank=rank.name or card.rank or str(place),
            cost=rank.cost,
            who=rank.who or card.who,
            ranks=(),
        )
        for place, rank in enumerate(card.ranks, 1)
    ] or [card]


def _list_ranks(card: Candidate) -> Candidate:
    if not card.ranks:
        return card
    lines = []
    for rank in card.ranks:
        name = Styled.of(rank.name[:1].upper() + rank.name[1:], BOLD)
        who = f" ({rank.who[:1].lower()}{rank.who[1:]})" if rank.who else ""
        cost = f"{rank.cost} points" if rank.cost is not None else "no cost"
        lines.append(
            name.join(Styled.of(f"{who}: {cost}" if rank.name else f"{who.strip(' ()')}: {cost}"))
        )
    return replace(card, paragraphs=(*lines, *card.paragraphs))
