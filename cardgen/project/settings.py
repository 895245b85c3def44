"""Settings: the keys of a project's cardgen.toml, used where a deck or a command says nothing.

Knows nothing of decks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from cardgen.core.errors import Where, describe_unknown, suggest
from cardgen.core.library import Library, show_from_here
from cardgen.core.toml import TomlReader
from cardgen.deck.values import LANGUAGE_HINT, is_language

FILE = "cardgen.toml"
DEFAULT_OUT = Path("output")
DEFAULT_TARGET = "a4"
# The name of the look that is none, to be asked for where cardgen.toml names one.
OWN_LOOK = "own"


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of the file, and the place of each."""

    target: str | None = None
    look: str | None = None
    language: str | None = None
    author: str | None = None
    out: Path = DEFAULT_OUT
    places: dict[str, Where] = field(default_factory=dict, compare=False)


NO_SETTINGS = Settings()
# The keys, each with an example.
KEYS = {
    "target": "a4",
    "look": "plain",
    "language": "en-GB",
    "author": "A. Smith",
    "out": "output",
}


def read_settings(project: Path) -> Settings:
    """Return the settings of a project; empty ones where it has no such file."""
    path = project / FILE
    return _read(path, project) if path.is_file() else NO_SETTINGS


def _read(path: Path, project: Path) -> Settings:
    shown = show_from_here(path)
    reader = TomlReader(shown)
    values = {key: reader.read_line(key, example) for key, example in KEYS.items()}
    library = Library(project)
    for key, kind, known in (
        ("target", "target", library.list_names("target")),
        ("look", "look", [*library.list_looks(), OWN_LOOK]),
    ):
        value = values[key]
        if value is not None and value not in known:
            reader.note(
                key,
                "name/unknown",
                f'unknown {kind} "{value}"',
                suggest(value, known, kind=kind),
                {"kind": kind, **describe_unknown(value, known)},
            )
    language = values["language"]
    if language is not None and not is_language(language):
        message = f'language "{language}" is no language tag'
        reader.note("language", "value/not-a-language", message, LANGUAGE_HINT)
    reader.raise_problems()
    out = values["out"]
    return Settings(
        values["target"],
        values["look"],
        language,
        values["author"],
        shown.parent / out if out else DEFAULT_OUT,
        {key: Where(str(shown), reader.lines.get(key)) for key in KEYS},
    )
