"""The cards of a deck are tried on in one size after another, until nearly all of them fit.

It makes faces, as a build does, and throws them away. Writes nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import inf
from types import MappingProxyType
from typing import NamedTuple

from cardgen.build.faces import FaceMaker
from cardgen.build.templates import DeckTemplates
from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.library import Library
from cardgen.core.units import parse_size
from cardgen.deck.model import Card, Copy, Deck, Value
from cardgen.project.project import Project, open_project_of

# From a template's own size to the largest that is still held in a hand.
LARGER_SIZES = ("tarot", "jumbo", "a6", "a5")
# One card of so many may be too long for the others: they do not become larger for it.
_FOR_ONE_LONG = 20
# The cards with the most text are tried on: if they fit, so do the others. These are at least so
# many, and twice as many as may be too long.
_FEWEST_TRIED = 100
# What such a card has besides, the first that holds it. It is set smaller, or on a page of its own.
_CURES: tuple[Mapping[str, Value], ...] = ({"small_print": True}, {"template": "long-text"})


class Misfit(NamedTuple):
    """A card, by its place in the deck, and what a build would say of it."""

    place: int
    problem: Problem


class Fit(NamedTuple):
    """The size that the cards need, None for their template's own.

    tight: what does not fit the template's own size
    misfits: what nothing mends
    cured: what a few cards must have besides, by their places, since the size is that of the others
    """

    size: str | None
    tight: tuple[Misfit, ...] = ()
    misfits: tuple[Misfit, ...] = ()
    cured: Mapping[int, Mapping[str, Value]] = MappingProxyType({})


def find_fit(deck: Deck) -> Fit:
    """Return the smallest size that holds all cards but few, else the one that holds the most."""
    places = sorted(range(len(deck.cards)), key=lambda place: -_count_letters(deck.cards[place]))
    project = open_project_of(deck.path)
    few = len(deck.cards) // _FOR_ONE_LONG
    tried = places[: max(_FEWEST_TRIED, 2 * few)]
    # Where more are too long than few, the cards become larger, whatever the others need.
    tight = best = _find_misfits(project, deck, tried, inf if deck.size else few)
    size = None
    sizes = LARGER_SIZES if deck.size is None and len(best) > few else ()

    @cache
    def find_left(larger: str, most: int) -> list[Misfit]:
        return _find_misfits(project, replace(deck, size=parse_size(larger)), tried, most)

    # What fits a size fits the larger ones, too.
    at = bisect_left(sizes, True, key=lambda larger: len(find_left(larger, few)) <= few)
    if sizes and at == len(sizes):  # no size holds all but few: the one that holds the most
        best = _find_misfits(project, deck, tried)
    for larger in sizes[at : at + 1] or sizes:
        found = find_left(larger, few if sizes[at:] else len(tried))
        if len(found) < len(best):
            best, size = found, larger
    sized = deck if size is None else replace(deck, size=parse_size(size))
    cured = _cure(project, sized, best) if 0 < len(best) <= few else {}
    left = tuple(misfit for misfit in best if misfit.place not in cured)
    return Fit(size, tuple(tight), left, cured)


def _cure(
    project: Project, deck: Deck, misfits: Sequence[Misfit]
) -> dict[int, Mapping[str, Value]]:
    """Return what holds the few cards that are too long, by their places."""
    cured: dict[int, Mapping[str, Value]] = {}
    for cure in _CURES:
        places = [misfit.place for misfit in misfits if misfit.place not in cured]
        if not places or (deck.size and "template" in cure):
            break
        tried = replace(deck, cards=tuple(_add(card, cure) for card in deck.cards))
        wrong = {misfit.place for misfit in _find_misfits(project, tried, places)}
        cured |= {place: cure for place in places if place not in wrong}
    return cured


def _add(card: Card, cure: Mapping[str, Value]) -> Card:
    template = str(cure.get("template", card.template))
    return replace(card, template=template, fields={**card.fields, **cure})


def list_lacking(deck: Deck, fields: Sequence[str]) -> list[str]:
    """Return the pictures that cards name in these fields and that are not there."""
    library = open_project_of(deck.path).get_library()
    named = (card.fields.get(field) for card in deck.cards for field in fields)
    return [name for name in dict.fromkeys(filter(None, map(str, filter(None, named))))
            if not _is_there(library, name)]  # fmt: skip


def _is_there(library: Library, name: str) -> bool:
    try:
        library.get_picture(name, Where(name))
    except CardgenError:
        return False
    return True


def _count_letters(card: Card) -> int:
    return sum(len(str(value)) for value in card.fields.values()) + len(card.name)


def _find_misfits(
    project: Project, deck: Deck, places: Sequence[int], most: float = inf
) -> list[Misfit]:
    """Return the cards of these that do not fit, up to one more than `most`."""
    tried = (deck.cards[place] for place in places)
    # Copies differ by their numbers at most, and there may be thousands of each card.
    few = replace(deck, cards=tuple(replace(card, count=min(card.count, 1)) for card in tried))
    paper = project.get_target(deck=deck).page
    # A text that all cards share the size of fits at its smallest, whatever the others ask for.
    faces = FaceMaker(DeckTemplates(few, project.get_library(), paper))
    found: list[Misfit] = []
    for number, place in enumerate(places):
        if len(found) > most:
            break
        try:
            faces.get_face(Copy(number, 0), "front")
        except CardgenError as error:
            found.append(Misfit(place, error.problems[0]))
    return sorted(found)
