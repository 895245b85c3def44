"""The keys of a deck in YAML as a JSON Schema, so that editors complete and check them.

It refuses nothing that the readers accept. Only they know which ids there are, and which key is a
slip of the fingers.
"""

from __future__ import annotations

from typing import Any

from cardgen.deck.model import (
    CARD_KEYS,
    DEAL_KEYS,
    DECK_KEYS,
    MAX_COUNT,
    MAX_HAND,
    MAX_PLAYERS,
    MISSING,
    VARIANT_KEYS,
)

Schema = dict[str, Any]

# As docs/deck-format.md explains them.
DECK_MEANINGS = {
    "title": 'the title; `magic-items` becomes "Magic items"',
    "template": (
        "the template of the fronts; where none is named, `fields` if the cards have fields that "
        "`poker-basic` has no place for"
    ),
    "back": "the template of the backs",
    "author": "who made the deck; stands in the PDF's properties",
    "language": "the language of the texts, as `en-GB` or `de`; hyphenation follows it",
    "description": "what the deck is for",
    "version": "which edition this is, as `1.2`; stands in the slug line",
    "target": "what to print for, see targets.md",
    "size": "the trim of all cards, where it is another size than the templates have",
    "missing": "`placeholder`: a box stands for a picture or an icon that is not there",
    "defaults": "what a card has that says nothing else",
    "labels": "what fields are called on a card that shows them with labels, as `{hp: HP}`",
    "deal": "how the cards are dealt, for the studio's table",
    "cards": "the cards, or the table that holds them",
    "sheet": "which sheet of a workbook holds the cards",
    "extends": "the deck that this one is a variant of",
    "keep": "the only cards that a variant takes over, in this order",
    "drop": "the cards that a variant does not take over",
    "change": "what a variant changes in cards, by their ids",
    "counts": "the counts that a variant gives to cards, by their ids",
    "add": "the cards that a variant adds",
    "order": "the cards that stand first in a variant",
}
CARD_MEANINGS = {
    "name": "the name",
    "id": 'what tells cards apart; "Wooden Spoon" becomes `wooden-spoon`, "Axe+" `axe-plus`',
    "count": "how many copies are printed; if no card says it, `quantity`, `qty` or `copies`",
    "template": "the template of this card's front",
    "back": "the template of this card's back",
}
DEAL_MEANINGS = {
    "hand": "how many cards each player gets",
    "players": "for how many players",
    "points": "`more` cards (1) for each full `each` points of a game above `to`",
    "aside": "the ids of cards that stay out of the pile",
}
_LIKE_MEANING = "the id of the card that this one takes all from that it does not say itself"

# The regular expressions of JSON Schema know only the letters of ASCII, so a letter is every
# character that is none of ASCII's signs.
_SIGNS = r"\x00-,/:-@\[-^`{-\x7f"  # but for the hyphen and the full stop
_FIELD = rf"^[^0-9.\-{_SIGNS}][^.\-{_SIGNS}]*$"
_ID = rf"^\s*([^.\-{_SIGNS}][^{_SIGNS}]*)?\s*$"
_LANGUAGE = r"^\s*([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?\s*$"
_ONE_LINE = r"^\s*[^\t\n]*\s*$"
_FILLED_LINE = r"^\s*[^\t\n]*[^\s][^\t\n]*\s*$"

# A number or a truth value is taken as the text that it is written with.
_WRITTEN = ["string", "number", "boolean"]
_LINE: Schema = {"type": [*_WRITTEN, "null"], "pattern": _ONE_LINE}
_NAME: Schema = {"type": _WRITTEN, "pattern": _FILLED_LINE}
_COUNT: Schema = {"type": ["integer", "null"], "minimum": 0, "maximum": MAX_COUNT}
_IDS: Schema = {"type": ["array", "null"], "items": {"type": _WRITTEN}, "uniqueItems": True}
_TABLE: Schema = {"type": "string", "pattern": r"\.([cC][sS][vV]|[xX][lL][sS][xX])\s*$"}
_WORKBOOK: Schema = {"type": "string", "pattern": r"\.[xX][lL][sS][xX]\s*$"}


def make_deck_schema() -> Schema:
    """Return the schema of a deck in YAML."""
    values = _list_deck_values()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A deck of cardgen in YAML",
        "type": "object",
        "properties": {key: _describe(values[key], DECK_MEANINGS.get(key)) for key in DECK_KEYS},
        "additionalProperties": False,
        "anyOf": [{"required": ["cards"]}, {"required": ["extends"]}],
        "dependentRequired": {key: ["extends"] for key in VARIANT_KEYS if key != "extends"},
        "dependentSchemas": {
            "extends": {"properties": {"cards": False}},
            "keep": {"properties": {"drop": False}},
            "sheet": {"properties": {"cards": _WORKBOOK}, "required": ["cards"]},
        },
        "$defs": {
            "card": {**_make_card(), "required": ["name"]},
            "change": _make_card(),
            "addition": {
                **_make_card(like=_describe(_LINE, _LIKE_MEANING)),
                "anyOf": [{"required": ["name"]}, {"required": ["like", "id"]}],
            },
        },
    }


def _list_deck_values() -> dict[str, Schema]:
    card, change, addition = ({"$ref": f"#/$defs/{k}"} for k in ("card", "change", "addition"))
    return {
        "title": _LINE,
        "template": _LINE,
        "back": _LINE,
        "author": _LINE,
        "language": {**_LINE, "pattern": _LANGUAGE},
        "description": {"type": [*_WRITTEN, "null"]},
        "version": _LINE,
        "target": _LINE,
        "size": _LINE,
        "missing": {"type": ["string", "null"], "pattern": rf"^\s*({'|'.join(MISSING)})?\s*$"},
        "defaults": _make_defaults(),
        "labels": {"type": ["object", "null"], "additionalProperties": _NAME},
        "deal": _make_deal(),
        "cards": {"anyOf": [{"type": "array", "items": card, "minItems": 1}, _TABLE]},
        "sheet": _LINE,
        "extends": _NAME,
        "keep": _IDS,
        "drop": _IDS,
        "change": {"type": ["object", "null"], "additionalProperties": change},
        "counts": {"type": ["object", "null"], "additionalProperties": _COUNT},
        "add": {"type": ["array", "null"], "items": addition},
        "order": _IDS,
    }


def _make_card(**more: Schema) -> Schema:
    """Return the schema of a card: the keys that all cards have, and fields of any name."""
    values = {
        "id": {**_LINE, "pattern": _ID},
        "name": _NAME,
        "count": {**_COUNT, "default": 1},
        "template": _LINE,
        "back": _LINE,
    }
    return {
        "type": "object",
        "properties": {
            **{key: _describe(values[key], CARD_MEANINGS.get(key)) for key in CARD_KEYS},
            **more,
        },
        "propertyNames": {"pattern": _FIELD},
    }


def _make_defaults() -> Schema:
    card = _make_card()
    own = {"id": False, "name": False}
    return {**card, "type": ["object", "null"], "properties": {**card["properties"], **own}}


def _make_deal() -> Schema:
    """Return the schema of how a deck is dealt."""

    def whole(least: int, most: int) -> Schema:
        return {"type": ["integer", "null"], "minimum": least, "maximum": most}

    points = {
        "type": ["object", "null"],
        "properties": {
            "to": {"type": "integer"},
            "each": {"type": "integer"},
            "more": whole(0, MAX_HAND),
        },
        "required": ["to", "each"],
        "additionalProperties": False,
    }
    values = {
        "hand": whole(0, MAX_HAND),
        "players": whole(1, MAX_PLAYERS),
        "points": points,
        "aside": {"type": ["array", "null"], "items": {"type": "string"}},
    }
    return {
        "type": ["object", "null"],
        "properties": {key: _describe(values[key], DEAL_MEANINGS[key]) for key in DEAL_KEYS},
        "additionalProperties": False,
    }


def _describe(schema: Schema, meaning: str | None) -> Schema:
    return {"description": meaning, **schema} if meaning else schema
