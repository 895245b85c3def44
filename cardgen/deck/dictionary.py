"""The words that templates print, in another language: read from the files `words/LANGUAGE.yaml`.

Knows nothing of templates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Problem
from cardgen.core.library import Library
from cardgen.deck.files import read_text
from cardgen.deck.markdown import open_mapping
from cardgen.deck.model import Card, Deck
from cardgen.deck.values import describe, find_fault

# In which the words of templates are written.
SOURCE_LANGUAGE = "en"
_EXAMPLE = """words look like this:
    Once per game: Einmal pro Spiel
    weapon: Waffe"""


class Words(NamedTuple):
    language: str
    known: Mapping[str, str]

    @property
    def is_source(self) -> bool:
        return self.language.partition("-")[0].lower() == SOURCE_LANGUAGE


def read_words(library: Library, language: str) -> Words:
    """All words of a language; those of the project stand before cardgen's, de-AT before de."""
    known: dict[str, str] = {}
    problems: list[Problem] = []
    for tag in list_tags(language):
        for path in library.find_all("words", tag):
            for word, translated in _read_file(path, problems).items():
                known.setdefault(word, translated)
    if problems:
        raise CardgenError.of(problems)
    return Words(language, known)


def list_tags(language: str) -> list[str]:
    """A language and what it is one of: de-AT, then de."""
    parts = language.split("-")
    return ["-".join(parts[:count]) for count in range(len(parts), 0, -1)]


def _read_file(path: Path, problems: list[Problem]) -> dict[str, str]:
    file = str(path)
    node = open_mapping(read_text(path).text, file, problems, _EXAMPLE)
    found: dict[str, str] = {}
    for word, entry in (node.entries or {}).items():
        written = entry.node.written
        fault = find_fault(written)
        if written is None or fault:
            said = fault.words if fault else f"must be a text, not {describe(entry.node.value)}"
            problems.append(
                Problem(
                    "deck/todo", f'the word for "{word}" {said}', entry.node.locate(file), _EXAMPLE
                )
            )
        elif entry.node.value is not None:
            found[word] = written
    return found


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


# MERGED: A deck becomes an overlay without texts, to be filled in: each with what the deck says above it.
#
#   Knows nothing of where it is written.
#
