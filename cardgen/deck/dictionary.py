"""The dictionary: the words that templates print, in another language, as words/de.yaml has them.

Knows nothing of templates.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Problem
from cardgen.core.library import Library
from cardgen.deck.head import open_mapping
from cardgen.deck.values import describe, find_fault
from cardgen.deck.yaml import read_yaml_text

# The language in which templates are written.
SOURCE_LANGUAGE = "en"
_EXAMPLE = """words look like this:
    Once per game: Einmal pro Spiel
    weapon: Waffe"""


class Words(NamedTuple):
    """The words of a language by what templates say."""

    language: str
    known: Mapping[str, str]

    @property
    def is_source(self) -> bool:
        """Whether it is the language of the templates, which needs no words."""
        return self.language.partition("-")[0].lower() == SOURCE_LANGUAGE


def read_words(library: Library, language: str) -> Words:
    """Return all words of a language; the project's go before cardgen's, de-AT before de."""
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
    """Return a language and the wider ones: de-AT, then de."""
    parts = language.split("-")
    return ["-".join(parts[:count]) for count in range(len(parts), 0, -1)]


def _read_file(path: Path, problems: list[Problem]) -> dict[str, str]:
    file = str(path)
    node = open_mapping(read_yaml_text(path), file, problems, _EXAMPLE)
    found: dict[str, str] = {}
    for word, entry in (node.entries or {}).items():
        written = entry.node.written
        fault = find_fault(written)
        if written is None or fault:
            said = fault.words if fault else f"must be a text, not {describe(entry.node.value)}"
            where = entry.node.locate(file)
            problems.append(
                Problem("deck/bad-word", f'the word for "{word}" {said}', where, _EXAMPLE)
            )
        elif entry.node.value is not None:
            found[word] = written
    return found
