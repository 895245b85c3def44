"""The words of templates and cards, put into the language of a deck.

Notes the words that it lacks. Knows nothing of cards as such.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context

from cardgen.deck.dictionary import Words
from cardgen.deck.model import Translation

# Where a context keeps what translates; no expression can name it.
TRANSLATOR = "|t"


class Translator:
    """For the face of one card after the other."""

    def __init__(self, words: Words, translation: Translation | None) -> None:
        self._words = words
        self._given: Collection[str] = translation.texts if translation else ()
        self._is_own = translation is None
        self._own: Mapping[str, Any] = {}
        self.missing: dict[str, None] = {}

    @property
    def is_idle(self) -> bool:
        """Whether the words are in the language as they stand in the templates."""
        return self._words.is_source

    def begin(self, fields: Mapping[str, Any]) -> None:
        """Say what the next card says itself."""
        self._own = fields

    def translate(self, text: str) -> str:
        known = self._words.known.get(text)
        if known is not None:
            return known
        if _has_word(text) and not self._words.is_source and not self._is_said(text):
            self.missing[text] = None
        return text

    def _is_said(self, text: str) -> bool:
        """Whether the text is in the language already: an overlay's, or that of a deck in it."""
        if repr(text) in self._given:
            return True
        return self._is_own and any(
            isinstance(value, str) and value.lower() == text.lower() for value in self._own.values()
        )


@pass_context
def translate_word(context: Context, value: Any) -> Any:
    """The filter `t`: a word in the deck's language; what is no text stays as it is."""
    translator = context.parent.get(TRANSLATOR)
    return translator.translate(value) if translator and isinstance(value, str) else value


def _has_word(text: str) -> bool:
    """Whether there is more to a text than figures and measures: not in "60cm"."""
    return any(
        any(map(str.isalpha, part)) and not any(map(str.isdigit, part)) for part in text.split()
    )
