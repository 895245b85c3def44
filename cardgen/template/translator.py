"""The filters `t` and `label`: the words of templates and cards, and what its fields are called, in
the language of a deck.

Notes the words that the dictionary lacks. Knows nothing of cards as such.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context

from cardgen.deck.dictionary import Words
from cardgen.deck.labels import spell_field
from cardgen.deck.model import Deck

# Where a context keeps what translates; no expression can name it.
TRANSLATOR = "|t"


class Translator:
    """Translates words for the face of one card after the other."""

    def __init__(self, words: Words, deck: Deck) -> None:
        self._words = words
        self._labels = deck.labels
        self._given: Collection[str] = deck.translation.texts if deck.translation else ()
        self._is_own = deck.translation is None
        self._own: Mapping[str, Any] = {}
        self.missing: dict[str, None] = {}

    @property
    def is_idle(self) -> bool:
        """Whether the templates' words are in the deck's language already."""
        return self._words.is_source

    def begin(self, fields: Mapping[str, Any]) -> None:
        """Take the fields of the next card, whose texts are in the language already."""
        self._own = fields

    def translate(self, text: str) -> str:
        """Return a text in the deck's language, or as it stands if the dictionary lacks it."""
        known = self._words.known.get(text)
        if known is not None:
            return known
        if _has_word(text) and not self._words.is_source and not self._is_said(text):
            self.missing[text] = None
        return text

    def label(self, field: str) -> str:
        """Return what a field is called on a card; a deck calls its own in its own language."""
        label = self._labels.get(field) or spell_field(field)
        return self._words.known.get(label, label) if self._is_own else self.translate(label)

    def _is_said(self, text: str) -> bool:
        """Whether the text is in the language already: an overlay's, or a field of such a deck."""
        if repr(text) in self._given:
            return True
        return self._is_own and any(
            isinstance(value, str) and value.lower() == text.lower() for value in self._own.values()
        )


@pass_context
def translate_word(context: Context, value: Any) -> Any:
    """Return a word in the deck's language; what is no text stays as it is."""
    translator = context.parent.get(TRANSLATOR)
    return translator.translate(value) if translator and isinstance(value, str) else value


@pass_context
def label_field(context: Context, value: Any) -> Any:
    """Return what a field is called, by its name; what is no text stays as it is."""
    translator = context.parent.get(TRANSLATOR)
    return translator.label(value) if translator and isinstance(value, str) else value


def _has_word(text: str) -> bool:
    """Whether a text holds a word, not only figures and measures as "60cm"."""
    return any(
        any(map(str.isalpha, part)) and not any(map(str.isdigit, part)) for part in text.split()
    )
