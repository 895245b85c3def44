"""A deck read, with what the settings of its project say for it.

Part of build. Knows nothing of how a deck is printed.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cardgen.deck.model import Deck
from cardgen.deck.read import read_deck
from cardgen.library import Library
from cardgen.settings import read_settings


def read_deck_in(
    project: Path, path: Path, *, lang: str | None = None, lenient: bool = False
) -> Deck:
    """A deck, and of its project's settings what it does not say itself.

    `lang` asks for its texts in another language; without them the lenient take it as it is.
    """
    settings = read_settings(project)
    usual, library = settings.language or "en", Library(project)
    deck = read_deck(path, language=usual, lang=lang, lenient=lenient, library=library)
    return deck if deck.author else replace(deck, author=settings.author or "")
