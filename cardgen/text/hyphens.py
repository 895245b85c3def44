"""Where a word of a language may be hyphenated, by pyphen's dictionaries."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyphen import Pyphen

_LETTERS = re.compile(r"[^\W\d_]{5,}")


def find_hyphens(language: str, word: str) -> tuple[int, ...]:
    """The places in a word before which a hyphen may stand; punctuation around it is passed
    over.
    """
    dictionary = _open_dictionary(language)
    match = _LETTERS.search(word)
    if dictionary is None or match is None:
        return ()
    return tuple(match.start() + int(at) for at in dictionary.positions(match[0]))


@lru_cache(maxsize=8)
def _open_dictionary(language: str) -> Pyphen | None:
    import pyphen

    known = pyphen.language_fallback(language.replace("-", "_"))
    return pyphen.Pyphen(lang=known) if known else None
