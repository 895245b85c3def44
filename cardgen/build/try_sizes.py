"""The cards of a deck are tried on in one size after another, until all of them fit.

It makes faces, as a build does, and throws them away. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cardgen.build.faces import DeckTemplates, FaceMaker
from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.library import Library
from cardgen.core.units import parse_size
from cardgen.deck.model import Card, Copy, Deck
from cardgen.project.project import Project, open_project_of

# From a template's own size to the largest that is still held in a hand.
LARGER_SIZES = ("tarot", "jumbo", "a6", "a5")
# Of a large deck the cards with the most text are tried on: if they fit, so do the others.
_MOST_TRIED = 300


class Misfit(NamedTuple):
    """A card, by its place in the deck, and what a build would say of it."""

    place: int
    problem: Problem


class Fit(NamedTuple):
    """The size that the cards need, None for their template's own.

    tight: what does not fit the template's own size
    misfits: what no size mends
    """

    size: str | None
    tight: tuple[Misfit, ...] = ()
    misfits: tuple[Misfit, ...] = ()


def find_fit(deck: Deck) -> Fit:
    """Return the smallest size that a build of the deck has least to complain of."""
    places = sorted(range(len(deck.cards)), key=lambda place: -_count_letters(deck.cards[place]))
    project = open_project_of(deck.path)
    tight = best = _find_misfits(project, deck, places[:_MOST_TRIED])
    size = None
    wrong = [misfit.place for misfit in tight]
    for larger in LARGER_SIZES if tight and deck.size is None else ():
        found = _find_misfits(project, replace(deck, size=parse_size(larger)), wrong)
        if len(found) < len(best):
            best, size = found, larger
        if not best:
            break
    return Fit(size, tuple(tight), tuple(best))


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


def _find_misfits(project: Project, deck: Deck, places: Sequence[int]) -> list[Misfit]:
    few = replace(deck, cards=tuple(deck.cards[place] for place in places))
    paper = project.get_target(deck=deck).page
    faces = FaceMaker(DeckTemplates(few, project.get_library(), paper))
    faces.look_at_all()
    found = []
    for number, place in enumerate(places):
        try:
            faces.get_face(Copy(number, 0), "front")
        except CardgenError as error:
            found.append(Misfit(place, error.problems[0]))
    return sorted(found)
