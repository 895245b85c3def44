"""Texts that data say in several languages: an object with a text for each, by its code.

Knows nothing of what the texts say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_CODE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_USUAL = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "ja", "zh", "sv", "cs", "ko")
_FEWEST = 2


def find_language(texts: Mapping[str, Any]) -> str | None:
    """Return the code of the text that is taken: English, or the first; None where an object holds
    something else.
    """
    if len(texts) < _FEWEST or not all(map(_CODE.fullmatch, texts)):
        return None
    said = [text for text in texts.values() if text is not None]
    if not said or not all(isinstance(text, str) for text in said):
        return None
    usual = [code for code in texts if code[:2] in _USUAL and (len(code) == 2 or code[2] in "-_")]
    if len(usual) < _FEWEST or 2 * len(usual) < len(texts):
        return None
    return next((code for code in usual if code[:2] == _USUAL[0]), usual[0])


def is_language(code: str) -> bool:
    """Whether a key is the code of a language, as "de" or "pt-BR"."""
    return _CODE.fullmatch(code) is not None
