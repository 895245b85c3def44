"""A deck's text is tried before it is written: what its cards need, so that it builds at once.

Knows nothing of templates; how cards fit is asked of the build.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.model import Deck, Value
from cardgen.errors import CardgenError, Where, shorten
from cardgen.fitting import Fit, find_fit, list_lacking
from cardgen.importing.candidates import Candidate, Doubt
from cardgen.importing.deck_writer import format_deck
from cardgen.importing.importer import Imported
from cardgen.loading import read_deck_in
from cardgen.settings import find_project

_LARGEST_CARDS = (None, "tarot", "jumbo")
_PICTURES = ("picture", "image")


class Tried(NamedTuple):
    """The cards with the doubts that are left, the keys that the deck needs, and why it does."""

    imported: Imported
    head: Mapping[str, Value]
    notes: tuple[str, ...]


def try_deck(imported: Imported, title: str, out: Path) -> Tried:
    """Print the cards larger where one of them would not fit, and name what would not build."""
    deck = _read(format_deck(title, imported.values), out)
    notes: list[str] = []
    lacking = list_lacking(deck, _PICTURES)
    if lacking:
        imported = _set_pictures_aside(imported)
        deck = _read(format_deck(title, imported.values), out)
        more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        notes.append(
            f'there is no picture "{shorten(lacking[0])}"{more}: '
            "the cards name them in picture_file and image_file until there is"
        )
    fit = find_fit(deck)
    if fit.size is not None:
        first = imported.cards[fit.tight[0].place].name
        more = f" and {len(fit.tight) - 1} more" if len(fit.tight) > 1 else ""
        notes.append(f'the cards are {fit.size} size: "{first}"{more} would not fit a smaller one')
    head = {"size": fit.size} if fit.size is not None else {}
    return Tried(_doubt(imported, fit), head, tuple(notes))


def _read(text: str, out: Path) -> Deck:
    """The deck as it would be read from its place, where nothing is written yet."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / out.name
        path.write_text(text, encoding="utf-8")
        try:
            return replace(read_deck_in(find_project(out), path), path=out)
        except CardgenError as error:
            # Its lines are those of a file that is never written.
            where = Where(str(out))
            raise CardgenError.of(replace(p, where=where) for p in error.problems) from error


def _set_pictures_aside(imported: Imported) -> Imported:
    values = tuple(
        {f"{key}_file" if key in _PICTURES else key: value for key, value in card.items()}
        for card in imported.values
    )
    return replace(imported, values=values)


def _doubt(imported: Imported, fit: Fit) -> Imported:
    """The cards, of which those are doubtful that are no cards in any usual size."""
    said = {misfit.place: f"it does not build: {misfit.problem.message}" for misfit in fit.misfits}
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
