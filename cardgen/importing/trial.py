"""A deck's text is tried before it is written: what its cards need, so that it builds at once.

Knows nothing of templates; how cards fit is asked of the build.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from cardgen.build.try_sizes import Fit, find_fit, list_lacking
from cardgen.core.errors import CardgenError, Where, shorten
from cardgen.deck.model import Deck, Value
from cardgen.importing.importer import Imported
from cardgen.importing.model import Candidate, Doubt
from cardgen.importing.write import format_deck, make_cards
from cardgen.project.project import open_project_of, read_deck

_LARGEST_CARDS = (None, "tarot", "jumbo")
_PICTURES = ("picture", "image")
_ASIDE = {key: f"{key}_file" for key in _PICTURES}


class Tried(NamedTuple):
    """The cards with the doubts that are left, the keys that the deck needs, and why it does."""

    imported: Imported
    head: Mapping[str, Value]
    notes: tuple[str, ...]


def set_pictures_aside(imported: Imported, title: str, out: Path) -> tuple[Imported, Sequence[str]]:
    """Cards that name no picture which is not there, for that stops a build; and what to say."""
    if not any(key in _PICTURES for card in imported.values for key in card):
        return imported, ()
    lacking = list_lacking(_read(format_deck(title, imported.values), out), _PICTURES)
    if not lacking:
        return imported, ()
    cards = tuple(
        replace(card, other=tuple((_ASIDE.get(key, key), value) for key, value in card.other))
        for card in imported.cards
    )
    more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
    said = (
        f'there is no picture "{shorten(lacking[0])}"{more}: '
        f"the cards name them in {' and '.join(_ASIDE.values())} until there is"
    )
    return replace(imported, cards=cards, values=tuple(make_cards(cards))), (said,)


def try_cards(imported: Imported, title: str, out: Path) -> Tried:
    """Print the cards larger where one of them would not fit, and doubt what would not build."""
    fit = find_fit(_read(format_deck(title, imported.values), out))
    if fit.size is None:
        return Tried(_doubt(imported, fit), {}, ())
    first = imported.cards[fit.tight[0].place].name
    more = f" and {len(fit.tight) - 1} more" if len(fit.tight) > 1 else ""
    said = f'the cards are {fit.size} size: "{first}"{more} would not fit a smaller one'
    return Tried(_doubt(imported, fit), {"size": fit.size}, (said,))


def try_merged(data: bytes | None, out: Path) -> Sequence[str]:
    """What to say of a deck that somebody has edited, where it does not build: it is theirs."""
    if data is None:
        return ()
    try:
        fit = find_fit(_read(data.decode(), out))
    except CardgenError:
        return ()  # a check of the deck says it with its places
    cure = f"; write size: {fit.size} into the deck" if fit.size is not None else ""
    return tuple(f"{misfit.problem.sentence}{cure}" for misfit in fit.tight)


def _read(text: str, out: Path) -> Deck:
    """The deck as it would be read from its place, where nothing is written yet."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / out.name
        path.write_text(text, encoding="utf-8")
        try:
            return replace(read_deck(open_project_of(out), path), path=out)
        except CardgenError as error:
            # Its lines are those of a file that is never written.
            where = Where(str(out))
            raise CardgenError.of(replace(p, where=where) for p in error.problems) from error


def _doubt(imported: Imported, fit: Fit) -> Imported:
    """The cards, of which those are doubtful that are no cards in any usual size."""
    said = {misfit.place: f"it does not build: {misfit.problem.sentence}" for misfit in fit.misfits}
    if fit.size not in _LARGEST_CARDS:
        for misfit in fit.tight:
            words = len(imported.cards[misfit.place].text.split())
            said.setdefault(misfit.place, f"its {words} words are more than a card holds")
    cards = tuple(
        _add_doubt(card, said[place]) if place in said else card
        for place, card in enumerate(imported.cards)
    )
    return replace(imported, cards=cards)


def _add_doubt(card: Candidate, what: str) -> Candidate:
    return replace(card, doubts=(*card.doubts, Doubt(what, 0.5)))
