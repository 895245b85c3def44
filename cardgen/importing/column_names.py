"""The names that columns and keys of other tools have for each field. Data alone."""

from __future__ import annotations

from functools import lru_cache

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
    ),
    "uses": ("uses", "use", "usage", "duration", "how often", "lasts", "frequency"),
    "kind": ("kind", "type", "class", "category", "card type", "item type", "sort"),
    "rank": ("rank", "grade", "level", "tier"),
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
    ),
}


@lru_cache(maxsize=1_024)
def find_field(column: str) -> str | None:
    """Return the field that a column of this name holds, if it is one of those known here."""
    bare = " ".join(
        column.replace("_", " ").replace("-", " ").strip(" .:?#*[]{}<>()").lower().split()
    )
    return next((field for field, names in COLUMN_NAMES.items() if bare in names), None)
