"""The names that columns and keys of other tools have for each field. Data alone."""

from __future__ import annotations

import re
from functools import lru_cache

_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")  # cardName

COLUMN_NAMES: dict[str, tuple[str, ...]] = {
    "name": (
        "name",
        "title",
        "card",
        "card name",
        "card title",
        "item",
        "item name",
        "heading",
        "label",
        "magic item",
        "spell",
        "weapon",
        "banner",
        "standard",
        "artefact",
        "relic",
        "tactic",
        "unit",
        "upgrade",
        "trait",
        "skill",
        "power",
        "event",
        "bezeichnung",
        "titel",
        "karte",
        "gegenstand",
        "zauber",
        "nom",
        "titre",
        "carte",
        "objet",
    ),
    "count": (
        "count",
        "copies",
        "quantity",
        "qty",
        "number",
        "no",
        "amount",
        "num",
        "cards",
        "in deck",
        "how many",
        "anzahl",
        "stück",
        "stückzahl",
        "exemplare",
        "quantité",
        "exemplaires",
    ),
    "cost": (
        "cost",
        "points",
        "pts",
        "price",
        "value",
        "points cost",
        "point cost",
        "points value",
        "cost in points",
        "pts cost",
        "kosten",
        "preis",
        "punkte",
        "punktkosten",
        "coût",
        "cout",
        "prix",
    ),
    "who": (
        "who",
        "who may have it",
        "restriction",
        "restrictions",
        "play on",
        "played on",
        "used by",
        "bearer",
        "user",
        "users",
        "target",
        "who may use it",
        "available to",
        "for",
        "allowed",
        "carried by",
        "nur für",
        "wer",
        "träger",
        "einschränkung",
        "réservé à",
        "porteur",
    ),
    "uses": (
        "uses",
        "use",
        "usage",
        "how often",
        "lasts",
        "frequency",
        "anwendungen",
        "einsatz",
        "utilisations",
    ),
    "kind": (
        "kind",
        "type",
        "class",
        "category",
        "card type",
        "item type",
        "sort",
        "typ",
        "kategorie",
        "genre",
        "catégorie",
    ),
    "rank": (
        "rank",
        "grade",
        "rang",
    ),
    "text": (
        "text",
        "effect",
        "effects",
        "rules",
        "rule",
        "description",
        "card text",
        "rules text",
        "what it does",
        "what",
        "what happens",
        "result",
        "ability",
        "abilities",
        "body",
        "contents",
        "special rules",
        "special",
        "notes",
        "desc",
        "entries",
        "card effect",
        "oracle text",
        "full text",
        "wirkung",
        "effekt",
        "beschreibung",
        "regel",
        "regeln",
        "regeltext",
        "kartentext",
        "effet",
        "effets",
        "texte",
        "règle",
        "règles",
    ),
}


# Columns with long texts that are no effects.
ASIDE = ("flavor", "flavour", "lore", "quote", "comment", "credit", "artist", "illustrat", "snark")


# What may be the number of a card as well as that of its copies.
_NUMBERS = frozenset(("number", "no", "num", "nr", "cards", "amount"))


@lru_cache(maxsize=1_024)
def find_field(column: str) -> str | None:
    """Return the field that a column of this name holds, if it is one of those known here."""
    bare = _bare(column)
    return next((field for field, names in COLUMN_NAMES.items() if bare in names), None)


def may_number(column: str) -> bool:
    """Whether a column of this name, as "No.", may number the cards, which "Qty" never does."""
    return _bare(column) in _NUMBERS


def _bare(column: str) -> str:
    spaced = _HUMPS.sub(" ", column).replace("_", " ").replace("-", " ")
    return " ".join(spaced.strip(" .:?#*[]{}<>()").lower().split())
