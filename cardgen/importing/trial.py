"""A deck is tried before it is written: what its cards need, so that it builds at once.

How cards fit is asked of functions that the caller gives. Knows nothing of templates or layout.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Protocol

from cardgen.core.errors import CardgenError, Problem, Where, list_some, shorten
from cardgen.core.scratch import get_scratch
from cardgen.deck.model import CARD_KEYS, Deck, Value
from cardgen.importing.importer import Imported
from cardgen.importing.model import Doubt
from cardgen.importing.write import ASIDE, format_deck, make_cards
from cardgen.project.project import open_project_of, read_deck

_MOST_NAMED = 5
_LARGEST_CARDS = (None, "tarot", "jumbo")
_CURED = {
    "small_print": "small_print sets it smaller than the others",
    "template": "template: long-text sets it on a page",
}


class Misfit(Protocol):
    """A card that does not fit, by its place in the deck, and what a build would say of it."""

    @property
    def place(self) -> int: ...
    @property
    def problem(self) -> Problem: ...


class Fit(Protocol):
    """The size that the cards of a deck need; None for their template's own.

    tight: the cards that do not fit the template's own size
    misfits: the cards that fit no size
    cured: what a few cards must have besides so that they fit, by their places
    """

    @property
    def size(self) -> str | None: ...
    @property
    def tight(self) -> Sequence[Misfit]: ...
    @property
    def misfits(self) -> Sequence[Misfit]: ...
    @property
    def cured(self) -> Mapping[int, Mapping[str, Value]]: ...


FindFit = Callable[[Deck], Fit]
# Lists the pictures that cards name in some fields, and that are not there.
ListLacking = Callable[[Deck, Sequence[str]], Sequence[str]]
# Lists those of some fields that no template of a deck prints.
ListUnprinted = Callable[[Deck, Sequence[str]], Sequence[str]]


class Tried(NamedTuple):
    """The cards with the doubts that are left, the keys that the deck needs, and why it does.

    cured: what some cards need besides, by their places
    """

    imported: Imported
    head: Mapping[str, Value]
    notes: tuple[str, ...]
    cured: Mapping[int, Mapping[str, Value]]


def set_pictures_aside(
    imported: Imported, title: str, out: Path, list_lacking: ListLacking
) -> tuple[Imported, Sequence[str]]:
    """Return cards that name no picture that is not there, for that stops a build, and a note."""
    if not any(key in ASIDE for card in imported.values for key in card):
        return imported, ()
    lacking = list_lacking(_read_imported(imported, title, out), tuple(ASIDE))
    if not lacking:
        return imported, ()
    cards = tuple(
        replace(card, other=tuple((ASIDE.get(key, key), value) for key, value in card.other))
        for card in imported.cards
    )
    named = list_some([f'"{shorten(picture)}"' for picture in lacking], 1)
    said = (
        f"there is no picture {named}: "
        f"the cards name them in {' and '.join(ASIDE.values())} until there is"
    )
    return replace(imported, cards=cards, values=tuple(make_cards(cards))), (said,)


def try_cards(imported: Imported, title: str, out: Path, find_fit: FindFit) -> Tried:
    """Make the cards larger where many would not fit, and doubt the few that still do not."""
    fit = find_fit(_read_imported(imported, title, out))
    if fit.size is None:
        return Tried(_doubt(imported, fit), {}, (), fit.cured)
    named = list_some([f'"{imported.cards[tight.place].name}"' for tight in fit.tight], 1)
    said = f"the cards are {fit.size} size: {named} would not fit a smaller one"
    return Tried(_doubt(imported, fit), {"size": fit.size}, (said,), fit.cured)


def doubt_unprinted(imported: Imported, data: bytes, out: Path, list_: ListUnprinted) -> Imported:
    """Doubt the fields of cards that the templates of a deck which is there already do not print.

    A new deck has a template that prints them all.
    """
    keys = dict.fromkeys(key for card in imported.values for key in card)
    fields = [key for key in keys if key not in (*CARD_KEYS, *ASIDE.values())]
    try:
        unprinted = list_(_read(data.decode(), out), fields)
    except CardgenError:
        return imported  # a check of the deck says it with its places
    if not unprinted:
        return imported
    named = list_some(unprinted, _MOST_NAMED)
    what = f"no template of {out} prints {named}; template: fields prints all that cards have"
    doubt = Doubt("unprinted", what, 0.6, ", ".join(unprinted))
    return replace(imported, deck_doubts=(*imported.deck_doubts, doubt))


def try_merged(data: bytes, out: Path, find_fit: FindFit) -> Sequence[str]:
    """Return notes on why a deck does not build that somebody has edited, one for each card that
    does not fit.

    Nothing is changed in it: the deck is theirs.
    """
    try:
        fit = find_fit(_read(data.decode(), out))
    except CardgenError as error:
        return (error.problems[0].sentence,)  # a check of the deck says all, with its places
    return tuple(f"{misfit.problem.sentence}{_tell_cure(fit, misfit)}" for misfit in fit.tight)


def _tell_cure(fit: Fit, misfit: Misfit) -> str:
    if cure := fit.cured.get(misfit.place):
        ((key, value),) = cure.items()
        return f"; write {key}: {str(value).lower()} into the card"
    return f"; write size: {fit.size} into the deck" if fit.size is not None else ""


def _read_imported(imported: Imported, title: str, out: Path) -> Deck:
    return _read(format_deck(title, imported.values, imported.head), out)


def _read(text: str, out: Path) -> Deck:
    """Return the deck as it would be read from its place, where nothing is written yet."""
    with tempfile.TemporaryDirectory(dir=get_scratch()) as folder:
        path = Path(folder) / out.name
        path.write_text(text, encoding="utf-8")
        try:
            return replace(read_deck(open_project_of(out), path), path=out)
        except CardgenError as error:
            # Its lines are those of a file that is never written.
            where = Where(str(out))
            raise CardgenError.of(replace(p, where=where) for p in error.problems) from error


def _doubt(imported: Imported, fit: Fit) -> Imported:
    """Return the cards with a doubt for each that fits no usual size, or not as the others do."""
    said = {
        misfit.place: Doubt(
            "no-fit", f"it does not build: {misfit.problem.sentence}", 0.5, misfit.problem.code
        )
        for misfit in fit.misfits
    }
    for place, cure in fit.cured.items():
        words = imported.cards[place].count_words()
        how = _CURED[next(iter(cure))]
        told = (
            f"its {words} words are more than a card of this deck holds: {how}; "
            "shorten it, part it in two, or write a larger size into the deck"
        )
        said.setdefault(place, Doubt("too-long", told, 0.7))
    if fit.size not in _LARGEST_CARDS:
        for misfit in fit.tight:
            words = imported.cards[misfit.place].count_words()
            told = f"its {words} words are more than a card holds"
            said.setdefault(misfit.place, Doubt("too-long", told, 0.5))
    cards = tuple(
        replace(card, doubts=(*card.doubts, said[place])) if place in said else card
        for place, card in enumerate(imported.cards)
    )
    return replace(imported, cards=cards)
