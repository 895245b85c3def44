"""Which field a column or key of a table holds, by its name in the vocabulary."""

from __future__ import annotations

from functools import cache, lru_cache

from cardgen.importing.finding.vocabulary import (
    FIELDS,
    drop_unit,
    find_label,
    list_words,
    part_label,
)

COLUMN_FIELDS = (*FIELDS, "rank")

# Columns with long texts that are no effects.
ASIDE = ("flavor", "flavour", "lore", "quote", "comment", "credit", "artist", "illustrat", "snark")


# What may be the number of a card as well as that of its copies.
_NUMBERS = frozenset(("number", "no", "num", "nr", "cards", "amount"))
_OF_ONE = frozenset(("card number", "card no", "card num"))  # of that card alone
# How often a card is there, or may be used.
_OFTEN = frozenset(("frequency", "häufigkeit", "fréquence", "frecuencia", "frequenza"))


@cache
def list_names(field: str) -> tuple[str, ...]:
    """Return what columns of a field are called, the most usual first."""
    return tuple(dict.fromkeys((*list_words("labels", field), *list_words("columns", field))))


@cache
def _list_fields() -> dict[str, str]:
    return {
        " ".join(part_label(name)): field
        for group in ("labels", "columns")
        for field in reversed(COLUMN_FIELDS)
        for name in list_words(group, field)
    }


@lru_cache(maxsize=1_024)
def find_field(column: str) -> str | None:
    """Return the field that a column of this name holds, if it is one of those known here."""
    fields, words = _list_fields(), part_label(column)
    bare = part_label(drop_unit(column))
    if " ".join(bare) in _OF_ONE:
        return None
    if found := fields.get(" ".join(words)) or fields.get(" ".join(bare)):
        return found
    beside = list_words("columns", "beside")
    named = fields.get(" ".join(word for word in bare if word not in beside))
    return named or find_label(column)


def may_number(column: str) -> bool:
    """Whether a column of this name, as "No.", may number the cards, which "Qty" never does."""
    return " ".join(part_label(column)) in _NUMBERS


def may_count(column: str) -> bool:
    """Whether a column of this name, as "Frequency", holds copies where it holds figures alone."""
    return " ".join(part_label(column)) in _OFTEN
