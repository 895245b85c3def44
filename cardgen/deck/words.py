"""The words that templates print, in another language: read from the files `words/LANGUAGE.yaml`.

Knows nothing of templates.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.head import open_mapping
from cardgen.deck.source import read_text
from cardgen.deck.values import describe, find_fault
from cardgen.errors import CardgenError, Problem
from cardgen.library import Library

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
                Problem(f'the word for "{word}" {said}', entry.node.locate(file), _EXAMPLE)
            )
        elif entry.node.value is not None:
            found[word] = written
    return found
