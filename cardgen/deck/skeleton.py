"""A deck becomes an overlay without texts, to be filled in: each with what the deck says above it.

Knows nothing of where it is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from cardgen.deck.model import Card, Deck
from cardgen.deck.words import Words

_WIDTH = 90


def make_skeleton(deck: Deck, words: Words) -> str:
    fields = [field for field in deck.cards[0].fields if _is_prose(deck, field, words)]
    lines = [
        f"# The texts of {deck.name} in {words.language}. Write each behind its key; what is left",
        "# empty stays as the deck has it.",
        *_leave("title", deck.title, ""),
        "cards:",
    ]
    for card in deck.cards:
        lines += ["", f"  {card.id}:", *_leave("name", card.name, "    ")]
        for field in fields:
            value = card.fields[field]
            if isinstance(value, str) and _has_letters(value):
                lines += _leave(field, value, "    ")
    return "\n".join(lines) + "\n"


def _leave(key: str, text: str, indent: str) -> Iterator[str]:
    """A key to fill in, below the text that it is to say."""
    for paragraph in text.split("\n"):
        for line in wrap(paragraph, _WIDTH - len(indent)) or [""]:
            yield f"{indent}# {line}".rstrip()
    yield f"{indent}{key}:"


def _is_prose(deck: Deck, field: str, words: Words) -> bool:
    """Whether a field holds texts of several words, and not those of templates alone."""
    texts = {text for card in deck.cards if (text := _get_text(card, field))}
    return any(" " in text for text in texts) and not texts <= words.known.keys()


def _get_text(card: Card, field: str) -> str | None:
    value = card.fields[field]
    return value.strip() if isinstance(value, str) and _has_letters(value) else None


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))
