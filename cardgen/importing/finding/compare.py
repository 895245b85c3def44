"""Cards of one text beside each other: what most say tells what one lacks, or says elsewhere.

Knows nothing of how they were found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from cardgen.importing.finding.vocabulary import list_words
from cardgen.importing.model import Candidate, Doubt

_FEW = 3
_NEARLY_ALL = 0.8


def compare_cards(cards: Sequence[Candidate]) -> list[Candidate]:
    """Return the cards, with doubts for those that are not as the others are."""
    return _doubt_last(_doubt_costs(_share_bearers(cards)))


def _share_bearers(cards: Sequence[Candidate]) -> list[Candidate]:
    """Return cards with who may have them for their subtitles, where "all" stands in the place of
    these on the others: "(4 crowns, all)" beside "(12 crowns, pilots)".
    """
    sorts = [dict(card.other).get("subtitle") for card in cards]
    turns = all(
        (sort is None) != (card.who is None) for sort, card in zip(sorts, cards, strict=True)
    )
    told = {card.who.casefold() for card in cards if card.who}
    if not (turns and told and told <= {*list_words("who", "everyone")}):
        return [*cards]
    return [
        replace(card, who=str(sort), other=tuple(one for one in card.other if one[0] != "subtitle"))
        if sort
        else card
        for card, sort in zip(cards, sorts, strict=True)
    ]


def _doubt_costs(cards: Sequence[Candidate]) -> list[Candidate]:
    """Return the cards with a doubt for those that lack what nearly all others have."""
    costed = sum(card.cost is not None or bool(card.ranks) for card in cards)
    if len(cards) <= _FEW or costed < _NEARLY_ALL * len(cards):
        return list(cards)
    doubt = Doubt("no-cost", "it has no cost, as the others have", 0.85)
    return [
        replace(card, doubts=(*card.doubts, doubt))
        if card.cost is None and not card.ranks
        else card
        for card in cards
    ]


def _doubt_last(cards: list[Candidate]) -> list[Candidate]:
    """Doubt the last card where it has more paragraphs than the others: most such are wrong, as
    with what stands at the end of a document.
    """
    *others, last = [len(card.paragraphs) for card in cards]
    if len(others) >= _FEW and last > median(others):
        said = "it is the last and longer than the others: its end may be none of its own"
        doubt = Doubt("runs-on", said, 0.5)
        cards[-1] = replace(cards[-1], doubts=(*cards[-1].doubts, doubt))
    return cards
