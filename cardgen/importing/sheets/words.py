"""Small words of languages, from assets/vocabulary: they add weight where shapes leave a doubt."""

from __future__ import annotations

import re

from cardgen.importing.finding.vocabulary import list_small, list_words

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def is_small(word: str) -> bool:
    return word.lower() in list_small()


def speaks_of_dice(text: str) -> bool:
    dice = list_words("die", "words")
    return any(word.lower() in dice for word in _WORD.findall(text))


def is_capitals(text: str) -> bool:
    """Whether what stands outside of brackets is set in capitals."""
    letters = [sign for sign in text.partition("(")[0] if sign.isalpha()]
    return len(letters) > 1 and sum(map(str.isupper, letters)) >= 0.85 * len(letters)


def set_title(text: str) -> str:
    """Return a title in capitals as a sentence writes it; other titles as they are."""
    bare, bracket, rest = text.partition("(")
    words = bare.split()
    if not is_capitals(text) or len(bare) < 3:
        return text
    last = len(words) - 1
    titled = [
        _set_word(word, first=place in (0, last) or words[place - 1][-1] in "!?:–—-")
        for place, word in enumerate(words)
    ]
    return " ".join(titled) + (f" {bracket}{rest}" if bracket else "")


def _set_word(word: str, *, first: bool) -> str:
    bare = _WORD.search(word)
    if (
        bare is None
        or any(map(str.isdigit, word))
        or (len(bare[0]) > 1 and set(bare[0]) <= {*"IVX"})
    ):
        return word
    if not first and is_small(bare[0]):
        return word.lower()
    return _WORD.sub(lambda found: found[0].capitalize(), word)
