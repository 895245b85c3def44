"""A deck for Tabletop Simulator: the object that it loads from its saved ones, as JSON.

Knows of cards and the addresses of their pictures, not how the pictures came to be.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import md5
from typing import Any, Literal, NamedTuple

Cut = Literal["rounded", "rectangle", "hexagon", "circle"]


class Sheet(NamedTuple):
    """The pictures of some cards; without unique backs they share one."""

    face: str
    back: str
    columns: int
    rows: int
    has_unique_backs: bool


class TableCard(NamedTuple):
    """One card of the deck; sheet and place count from 0."""

    id: str
    name: str
    text: str
    sheet: int
    place: int


class Table(NamedTuple):
    """A deck.

    scale: its size beside the game's own cards
    cut: what the game cuts out of each picture
    """

    title: str
    text: str
    scale: float
    lies: bool
    sheets: tuple[Sheet, ...]
    cards: tuple[TableCard, ...]
    cut: Cut = "rounded"


_BESIDE = 4.0  # how far decks lie apart, in the game's own measure
# As the game counts them.
_CUTS: dict[Cut, int] = {"rounded": 0, "rectangle": 1, "hexagon": 3, "circle": 4}


def format_tables(tables: Sequence[Table]) -> bytes:
    """Return the saved object: for each size a deck, or a card where there is only one of it."""
    found = []
    for number, table in enumerate(tables):
        key = f"{table.title} {number}" if number else table.title
        found.append(_describe_table(table, key))
        found[-1]["Transform"]["posX"] = _BESIDE * number
    saved = {
        "SaveName": "",
        "GameMode": "",
        "Date": "",
        "Table": "",
        "Sky": "",
        "Note": "",
        "Rules": "",
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "ObjectStates": found,
    }
    return (json.dumps(saved, indent=2, ensure_ascii=False) + "\n").encode()


def _describe_table(table: Table, key: str) -> dict[str, Any]:
    """Return a deck, or a card where there is only one."""
    sheets = {
        str(number): _describe_sheet(sheet, table.cut)
        for number, sheet in enumerate(table.sheets, 1)
        if any(card.sheet == number - 1 for card in table.cards)
    }
    if len(table.cards) == 1:
        (card,) = table.cards
        found = _describe_card(card, table, sheets, "CardCustom")
    else:
        found = _describe_object(table.title, table.text, table, key)
        found |= {
            "Name": "DeckCustom",
            "SidewaysCard": table.lies,
            "DeckIDs": [_number_card(card) for card in table.cards],
            "CustomDeck": sheets,
            "ContainedObjects": [
                _describe_card(card, table, sheets, "Card", number)
                for number, card in enumerate(table.cards)
            ],
        }
    return found


def _describe_sheet(sheet: Sheet, cut: Cut) -> dict[str, Any]:
    return {
        "FaceURL": sheet.face,
        "BackURL": sheet.back,
        "NumWidth": sheet.columns,
        "NumHeight": sheet.rows,
        # Otherwise other players would see the last face of the sheet on the backs in a hand.
        "BackIsHidden": True,
        "UniqueBack": sheet.has_unique_backs,
        "Type": _CUTS[cut],
    }


def _describe_card(
    card: TableCard, table: Table, sheets: dict[str, dict[str, Any]], kind: str, number: int = 0
) -> dict[str, Any]:
    found = _describe_object(card.name, card.text, table, f"{table.title} {card.id} {number}")
    sheet = str(card.sheet + 1)
    return found | {
        "Name": kind,
        "SidewaysCard": table.lies,
        "CardID": _number_card(card),
        "CustomDeck": {sheet: sheets[sheet]},
    }


def _number_card(card: TableCard) -> int:
    """Return the sheet's number and, in the last two digits, the place on it."""
    return (card.sheet + 1) * 100 + card.place


def _describe_object(name: str, text: str, table: Table, key: str) -> dict[str, Any]:
    """Return the keys of every object; a deck lies face down, as people put it on the table."""
    return {
        "GUID": md5(key.encode(), usedforsecurity=False).hexdigest()[:6],
        "Name": "",
        "Transform": {
            "posX": 0.0,
            "posY": 1.0,
            "posZ": 0.0,
            "rotX": 0.0,
            "rotY": 180.0,
            "rotZ": 180.0,
            "scaleX": table.scale,
            "scaleY": 1.0,
            "scaleZ": table.scale,
        },
        "Nickname": name,
        "Description": text,
        "GMNotes": "",
        "ColorDiffuse": {"r": 0.713235259, "g": 0.713235259, "b": 0.713235259},
        "Locked": False,
        "Grid": True,
        "Snap": True,
        "IgnoreFoW": False,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "HideWhenFaceDown": True,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
    }
