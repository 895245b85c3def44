"""A deck that shows every icon at hand: large, and as small as it is used on cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cardgen.deck.model import Card, Deck, Value
from cardgen.errors import Where
from cardgen.library import Library

ICONS_ON_A_PAGE = 48
_PATH = Path("icons.yaml")  # of no file: it says only where to look


def list_icons() -> list[str]:
    """The icons of the project in hand and cardgen's own."""
    return Library.around(_PATH).list_names("icon")


def make_icon_deck(names: Sequence[str]) -> Deck:
    """A deck that shows icons, 48 to a page."""
    pages: list[Value] = [
        list(names[at : at + ICONS_ON_A_PAGE]) for at in range(0, len(names), ICONS_ON_A_PAGE)
    ]
    cards = tuple(
        Card(
            id=f"icons-{number}",
            name=f"Icons {number}",
            count=1,
            template="icon-specimen",
            back=None,
            fields={"icons": page},
            where=Where(str(_PATH)),
        )
        for number, page in enumerate(pages, 1)
    )
    return Deck(name="icons", title="Icons", path=_PATH, cards=cards)
