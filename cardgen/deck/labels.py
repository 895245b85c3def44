"""What the fields of cards are called where they are printed: as the deck says, as the header of
its table writes them, or as the field's own name reads.

Knows neither YAML nor tables.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from cardgen.core.names import describe_unknown
from cardgen.deck.raw import RawDeck
from cardgen.deck.values import CONTROL, describe, quote

_MOST_LETTERS = 60
_EDGES = " \t\n.:*?#"
HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")  # cardName
# What a text on a card would take for a sign of its markup.
_MARKUP = re.compile(r"[\[\]{}*_\\<>|:\s]+")
# A word of up to four letters without a vowel is short for something: hp, xp, dmg, lvl.
_SHORT = re.compile(r"\b[bcdfghj-np-tv-xz]{2,4}\b")
_NUMBERED = re.compile(r"_\d+$")
_SHOUT = 5  # capitals, from which on a word shouts, and is short for nothing


def spell_field(field: str) -> str:
    """Return a field's name as words: "Hit points" of hit_points, "HP" of hp."""
    words = field.replace("_", " ").strip()
    words = words.lower() if _shouts(words) else words
    words = _SHORT.sub(lambda match: match[0].upper(), words)
    return words[:1].upper() + words[1:]


def _shouts(words: str) -> bool:
    return words.isupper() and any(len(word) >= _SHOUT for word in words.split())


def read_label(title: str) -> str:
    """Return what somebody calls a field, in a header or a document, as a card may print it."""
    words = _MARKUP.sub(" ", CONTROL.sub("", title)).strip(_EDGES)[:_MOST_LETTERS]
    if " " not in words and HUMPS.search(words):
        words = HUMPS.sub(" ", words).lower()
    return spell_field(words) if _shouts(words) or words.islower() else words


def list_labels(titles: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of those fields that somebody writes otherwise than they would read."""
    read = ((field, read_label(title)) for field, title in titles.items())
    return {
        field: label
        for field, label in read
        if label != spell_field(field)
        # A number behind a field's name is there only because its own name was not free.
        and _strip_signs(label) in (_strip_signs(field), _strip_signs(_NUMBERED.sub("", field)))
    }


def _strip_signs(words: str) -> str:
    return "".join(filter(str.isalnum, words)).casefold()


def take_labels(raw: RawDeck, fields: Collection[str]) -> Mapping[str, str]:
    """Return what a deck calls its fields."""
    labels = list_labels(raw.titles)
    if raw.labels is None:
        return labels
    for field, value in raw.labels.values.items():
        where = raw.labels.locate_value(field)
        if field not in fields and raw.variant is None:
            unknown = describe_unknown(field, fields, "field")
            raw.add(
                "deck/unknown-field",
                f"labels: no card has a field {quote(field)}",
                raw.labels.locate_key(field),
                unknown.hint,
                field=field,
                details=unknown.details,
            )
        elif isinstance(value, str | int | float) and (text := str(value).strip()):
            labels[field] = text
            if len(text) > _MOST_LETTERS or "\n" in text or CONTROL.search(text):
                most = f"a line of up to {_MOST_LETTERS} letters"
                said = f"the label of {quote(field)} must be {most}"
                raw.add("deck/bad-labels", said, where, field=field)
        else:
            said = f"the label of {quote(field)} must be a text, not {describe(value)}"
            raw.add("deck/bad-labels", said, where, 'as "hp: HP"', field=field)
    return labels
