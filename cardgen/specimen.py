"""A deck that shows every icon at hand: large, and as small as it is used on cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cardgen.deck.model import Card, Deck, Value
from cardgen.errors import Where
from cardgen.geometry import Size
from cardgen.library import Library
from cardgen.units import MM

# What the template `icon-specimen` takes for an icon, and for what lies around them all.
CELL = Size(31 * MM, 29 * MM)
AROUND = Size(24 * MM, 33 * MM)
_PATH = Path("icons.yaml")  # of no file: it says only where to look


def list_icons() -> list[str]:
    """The icons of the project in hand and cardgen's own."""
    return Library.around(_PATH).list_names("icon")


def make_icon_deck(names: Sequence[str], paper: Size) -> Deck:
    """A deck with a page for as many icons as the paper holds."""
    columns = max(int((paper.width - AROUND.width) / CELL.width), 1)
    rows = max(int((paper.height - AROUND.height) / CELL.height), 1)
    lines: list[Value] = [list(names[at : at + columns]) for at in range(0, len(names), columns)]
    pages = [lines[at : at + rows] for at in range(0, len(lines), rows)]
    cards = tuple(
        Card(
            id=f"icons-{number}",
            name=f"Icons {number}",
            count=1,
            template="icon-specimen",
            back=None,
            fields={"lines": page, "columns": columns},
            where=Where(str(_PATH)),
        )
        for number, page in enumerate(pages, 1)
    )
    return Deck(name="icons", title="Icons", path=_PATH, cards=cards)
