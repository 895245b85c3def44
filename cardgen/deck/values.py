"""Judges single values: is this a text, is it short enough, can its characters be printed?

Knows nothing of cards, nor of where a value comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import isfinite
from typing import NamedTuple

from cardgen.core.errors import shorten
from cardgen.deck.model import MAX_FIELD, Value
from cardgen.deck.raw import Raw, RawDeck

FIELD_HINT = "use letters, digits and underscores, and begin with a letter"

_SHORTEST = 4
# In a longer word one wrong letter seldom makes another word.
_LONG = 6


# A lone surrogate has no UTF-8 form and would stop whatever writes the text.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def quote(text: str) -> str:
    """A text from a file as a message may show it: short, one line, harmless to a terminal."""
    return f'"{shorten(CONTROL.sub("?", text))}"'


def is_field_name(key: str) -> bool:
    return key.isidentifier()


def find_meant(key: str, reserved: Iterable[str]) -> str | None:
    """The reserved key that was meant, if the key is one slip away from it."""
    return next((word for word in reserved if key != word and _is_slip(key, word)), None)


def _is_slip(key: str, word: str) -> bool:
    if key.lower() == word:
        return True
    if len(word) < _SHORTEST:
        return False
    match len(key) - len(word):
        case -1:
            return any(_drop(word, i) == key for i in range(len(word)))
        case 1:
            return key == word + "s" or any(
                key[i] == key[i - 1] and _drop(key, i) == word for i in range(1, len(key))
            )
        case 0:
            wrong = [i for i, (a, b) in enumerate(zip(key, word, strict=True)) if a != b]
            swapped = (
                len(wrong) == 2 and key[wrong[0]] + key[wrong[1]] == word[wrong[1]] + word[wrong[0]]
            )
            return (swapped and wrong[1] - wrong[0] == 1) or (
                len(wrong) == 1 and len(word) >= _LONG
            )
    return False


def _drop(text: str, index: int) -> str:
    return text[:index] + text[index + 1 :]


_CONTROL_OR_BREAK = re.compile(f"{CONTROL.pattern}|[\t\n]")


class Fault(NamedTuple):
    """What is wrong with a value: the end of a sentence that begins with its name."""

    words: str
    hint: str


_NO_NUMBER = Fault("is no number that can be printed", "put it into quotes if it is a text")


def find_fault(value: Value) -> Fault | None:
    """What forbids a value on a card."""
    if isinstance(value, str):
        return _find_text_fault(value)
    if isinstance(value, float) and not isfinite(value):
        return _NO_NUMBER
    if isinstance(value, list | dict):
        return _find_nested_fault(value)
    return None


def _find_text_fault(text: str, *, breaks: bool = True) -> Fault | None:
    """What forbids a text; `breaks` allows tabs and new lines."""
    if len(text) > MAX_FIELD:
        return _too_long(f"{len(text):,}")
    # isprintable is many times faster than the search, and true of most texts.
    if text.isprintable():
        return None
    found = (CONTROL if breaks else _CONTROL_OR_BREAK).search(text)
    if found is None:
        return None
    hint = "write it in one line, without tabs" if found[0] in "\t\n" else "delete it"
    return Fault(f"holds the control character U+{ord(found[0]):04X}", hint)


def _find_nested_fault(value: Value) -> Fault | None:
    """The length counts all that lies inside, so that aliases cannot make a small file huge."""
    length, waiting = 0, [value]
    while waiting:
        inner = waiting.pop()
        length += len(inner) if isinstance(inner, str) else 1
        if length > MAX_FIELD:
            return _too_long(f"more than {MAX_FIELD:,}")
        if isinstance(inner, str):
            fault = _find_text_fault(inner)
            if fault:
                return fault
        elif isinstance(inner, float) and not isfinite(inner):
            return _NO_NUMBER
        elif isinstance(inner, list):
            waiting += inner
        elif isinstance(inner, dict):
            waiting += [*inner.keys(), *inner.values()]
    return None


def _too_long(length: str) -> Fault:
    return Fault(
        f"is {length} characters long; allowed are {MAX_FIELD:,}", "spread it over several cards"
    )


def take_text(
    deck: RawDeck,
    raw: Raw,
    key: str,
    what: str,
    *,
    breaks: bool = False,
    card: str | None = None,
) -> str | None:
    """The text under a key without blanks around it; None if it is missing, empty or at fault."""
    value = raw.values.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        value = raw.get_written(key)
    if not isinstance(value, str):
        message = f"{what} must be a text, not {describe(value)}"
        deck.add(message, raw.find_value(key), card=card, field=key)
        return None
    text = value.strip()
    fault = _find_text_fault(text, breaks=breaks)
    if fault:
        where = raw.find_value(key)
        deck.add(f"{what} {fault.words}", where, fault.hint, card=card, field=key)
        return None
    return text or None


def describe(value: Value) -> str:
    """A value as a message may show it."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case str():
            return quote(value)
        case list():
            return "a list"
        case dict():
            return "a mapping"
    return str(value)


# MERGED: Which names a field may have, and which are a reserved key mistyped ("cuont", "nmae").
#
#   Knows nothing of decks. Fields are free, so a plain likeness ratio would forbid common words:
#   "black" is nearer to "back" than "cuont" is to "count". Only what fingers do is taken for a slip.
#
