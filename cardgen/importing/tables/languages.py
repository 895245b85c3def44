"""Texts that data say in several languages: an object with a text for each, by its code.

Knows nothing of what the texts say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_CODES = frozenset((
    "ar", "be", "bg", "bn", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et", "eu", "fa",
    "fi", "fil", "fr", "ga", "gl", "he", "hi", "hr", "hu", "id", "is", "it", "ja", "ka", "kk", "ko",
    "la", "lt", "lv", "ms", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr",
    "sv", "ta", "th", "tr", "uk", "ur", "vi", "zh",
))  # fmt: skip
_CODE = re.compile(r"([a-z]{2,3})(?:[-_][A-Za-z]{2,4})?")
_TAKEN = "en"
_FEWEST = 2


def find_language(texts: Mapping[str, Any]) -> str | None:
    """Return the code of the text that is taken: English, or the first; None where an object holds
    something else.
    """
    if len(texts) < _FEWEST or not all(map(is_language, texts)):
        return None
    said = [text for text in texts.values() if text is not None]
    if not said or not all(isinstance(text, str) for text in said):
        return None
    return next((code for code in texts if code[:2] == _TAKEN), next(iter(texts)))


def is_language(code: str) -> bool:
    """Whether a key is the code of a language, as "de" or "pt-BR"."""
    match = _CODE.fullmatch(code)
    return match is not None and match[1] in _CODES
