"""The rules for a single key or value of a deck: field names, slips of the fingers, texts, lengths.

Knows nothing of cards, nor of where a value comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import NamedTuple

from cardgen.core.errors import Detail, shorten
from cardgen.deck.model import MAX_FIELD, Value
from cardgen.deck.raw import Raw, RawDeck

FIELD_HINT = "use letters, digits and underscores, and begin with a letter"
LANGUAGE_HINT = "write en, en-GB or de"

# A lone surrogate has no UTF-8 form and would stop whatever writes the text.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_CONTROL_OR_BREAK = re.compile(f"{CONTROL.pattern}|[\t\n]")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
# In a shorter word one slip often makes another word; in a long one a wrong letter seldom does.
_SHORTEST = 4
_LONG = 6
_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")


def is_field_name(key: str) -> bool:
    return key.isidentifier()


def parse_cell(text: str) -> str | int | float:
    """Return a number if it is printed as it is written: "007", "1.50" and "+3" stay texts."""
    if not _NUMBER.fullmatch(text):
        return text
    number = float(text) if "." in text else int(text)
    return number if str(number) == text else text


def is_language(text: str) -> bool:
    """Whether a text is the tag of a language, as en or en-GB."""
    return _LANGUAGE.fullmatch(text) is not None


def find_meant(key: str, reserved: Iterable[str]) -> str | None:
    """Return the reserved key that was meant, if `key` is one slip of the fingers away from it.

    Field names are free, so likeness alone would forbid common words: "black" is more like "back"
    than "cuont" is like "count".
    """
    return next((word for word in reserved if key != word and _is_slip(key, word)), None)


def _is_slip(key: str, word: str) -> bool:
    """Whether a key is a word with one letter missing, too many, wrong, swapped or in capitals."""
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


class ValueFault(NamedTuple):
    """A fault of a value; `words` end a sentence that begins with the name of the value."""

    code: str
    words: str
    hint: str
    details: Mapping[str, Detail] = {}


_NO_NUMBER = ValueFault(
    "value/not-a-number", "is no number that can be printed", "put it into quotes if it is a text"
)


def find_fault(value: Value) -> ValueFault | None:
    """Return the reason why a card may not hold a value, if there is one."""
    if isinstance(value, str):
        return _find_text_fault(value)
    if isinstance(value, float) and not isfinite(value):
        return _NO_NUMBER
    if isinstance(value, list | dict):
        return _find_nested_fault(value)
    return None


def _find_text_fault(text: str, *, breaks: bool = True) -> ValueFault | None:
    """Return the reason why a card may not hold a text; `breaks` allows tabs and new lines."""
    if len(text) > MAX_FIELD:
        return _refuse_length(f"{len(text):,}")
    # isprintable is many times faster than the search, and true of most texts.
    if text.isprintable():
        return None
    found = (CONTROL if breaks else _CONTROL_OR_BREAK).search(text)
    if found is None:
        return None
    hint = "write it in one line, without tabs" if found[0] in "\t\n" else "delete it"
    character = f"U+{ord(found[0]):04X}"
    return ValueFault(
        "value/control-character",
        f"holds the control character {character}",
        hint,
        {"character": character},
    )


def _find_nested_fault(value: Value) -> ValueFault | None:
    """Return the reason why a card may not hold a list or a mapping.

    Its length counts all that lies inside, so that aliases cannot make a small file huge.
    """
    length, waiting = 0, [value]
    while waiting:
        inner = waiting.pop()
        length += len(inner) if isinstance(inner, str) else 1
        if length > MAX_FIELD:
            return _refuse_length(f"more than {MAX_FIELD:,}")
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


def _refuse_length(length: str) -> ValueFault:
    return ValueFault(
        "value/too-long",
        f"is {length} characters long; allowed are {MAX_FIELD:,}",
        "spread it over several cards",
        {"allowed": MAX_FIELD},
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
    """Return the text of a key without blanks around it; None if it is missing, empty or at fault.

    what: the name of the text in a message
    """
    value = raw.values.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        value = raw.get_written(key)
    if not isinstance(value, str):
        message = f"{what} must be a text, not {describe(value)}"
        where = raw.locate_value(key)
        deck.add("value/not-a-text", message, where, card=card, field=key)
        return None
    text = value.strip()
    fault = _find_text_fault(text, breaks=breaks)
    if fault:
        message = f"{what} {fault.words}"
        where = raw.locate_value(key)
        deck.add(
            fault.code, message, where, fault.hint, card=card, field=key, details=fault.details
        )
        return None
    return text or None


def describe(value: Value) -> str:
    """Return a value as a message may show it."""
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


def quote(text: str) -> str:
    """Return a text in quotes as a message may show it: short, in one line, without controls."""
    return f'"{shorten(CONTROL.sub("?", text))}"'
