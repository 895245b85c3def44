"""What a project's cardgen.toml says for all its decks, where neither they nor the command do.

Part of build. Turns a file into Settings; knows nothing of decks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from cardgen.core.errors import Where, suggest
from cardgen.core.library import Library
from cardgen.core.toml import TomlReader
from cardgen.deck.check import LANGUAGE_HINT, is_language

FILE = "cardgen.toml"
DEFAULT_OUT = Path("output")
DEFAULT_TARGET = "a4"
# A look that is asked for to have none, where cardgen.toml names one.
OWN_LOOK = "own"


@dataclass(frozen=True, slots=True)
class Settings:
    """The keys of the file; `places` says where each stands."""

    target: str | None = None
    look: str | None = None
    language: str | None = None
    author: str | None = None
    out: Path = DEFAULT_OUT
    places: dict[str, Where] = field(default_factory=dict, compare=False)


NO_SETTINGS = Settings()
# Each with an example.
KEYS = {
    "target": "a4",
    "look": "plain",
    "language": "en-GB",
    "author": "A. Smith",
    "out": "output",
}


def read_settings(project: Path) -> Settings:
    """The settings of a project; none, where it has no such file."""
    path = project / FILE
    return _read(path, project) if path.is_file() else NO_SETTINGS


def _read(path: Path, project: Path) -> Settings:
    here = Path.cwd()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    reader = TomlReader(shown)
    values = {key: reader.read_line(key, example) for key, example in KEYS.items()}
    library = Library(project)
    for key, kind, known in (
        ("target", "target", library.list_names("target")),
        ("look", "look", [*library.list_looks(), OWN_LOOK]),
    ):
        value = values[key]
        if value is not None and value not in known:
            reader.note(key, f'unknown {kind} "{value}"', suggest(value, known, kind=kind))
    language = values["language"]
    if language is not None and not is_language(language):
        reader.note("language", f'language "{language}" is no language tag', LANGUAGE_HINT)
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
