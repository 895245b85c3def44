"""Small words of languages, from assets/vocabulary: they add weight where shapes leave a doubt."""

from __future__ import annotations

import re

from cardgen.importing.finding.names import set_name
from cardgen.importing.finding.vocabulary import list_small, list_words

_DIE = re.compile(r"\b\d?[dDwW]\d{1,3}\b")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def is_small(word: str) -> bool:
    return word.lower() in list_small()


def speaks_of_dice(text: str) -> bool:
    dice = list_words("die", "words")
    return _DIE.search(text) is not None or any(
        word.lower() in dice for word in _WORD.findall(text)
    )


def is_capitals(text: str) -> bool:
    """Whether what stands outside of brackets is set in capitals."""
    letters = [sign for sign in text.partition("(")[0] if sign.isalpha()]
    return len(letters) > 1 and sum(map(str.isupper, letters)) >= 0.85 * len(letters)


def set_title(text: str) -> str:
    """Return a title in capitals as a sentence writes it; other titles as they are."""
    bare, bracket, rest = text.partition("(")
    if not is_capitals(text):
        return text
    return set_name(" ".join(bare.split())) + (f" {bracket}{rest}" if bracket else "")
