"""Which names a field may have, and which are a reserved key mistyped ("cuont", "nmae").

Knows nothing of decks. Fields are free, so a plain likeness ratio would forbid common words:
"black" is nearer to "back" than "cuont" is to "count". Only what fingers do is taken for a slip.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cardgen.errors import shorten

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
