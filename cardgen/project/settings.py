"""Settings: the keys of a project's cardgen.toml, used where a deck or a command says nothing.

Knows nothing of decks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from cardgen.core.deck_files import refuse_outside
from cardgen.core.errors import CardgenError, Where
from cardgen.core.library import SETTINGS_FILE, Library, show_from_here
from cardgen.core.names import describe_unknown
from cardgen.core.toml import TomlReader
from cardgen.deck.model import MISSING
from cardgen.deck.values import LANGUAGE_HINT, is_language
from cardgen.output.files import check_makeable

DEFAULT_OUT = Path("output")
DEFAULT_TARGET = "a4"
# The name of the look that is none, to be asked for where cardgen.toml names one.
OWN_LOOK = "own"


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of the file, and the place of each.

    inside: the folder that `out` does not lead out of
    """

    target: str | None = None
    look: str | None = None
    language: str | None = None
    author: str | None = None
    missing: str | None = None
    out: Path = DEFAULT_OUT
    places: dict[str, Where] = field(default_factory=dict, compare=False)
    inside: Path = field(default=Path(), compare=False)

    def choose_out(self, asked: Path | None) -> Path:
        """Return the folder to write into: the one asked for, which may lie anywhere, or that of
        the settings, which lies inside the project, links followed.
        """
        if asked is not None:
            return asked
        where = self.places.get("out") or Where(str(self.out))
        hint = "name a folder inside it; only --out may lead out of it"
        if "~" in self.out.parts:
            message = 'the folder for output is named by "~", which leads nowhere here'
            raise CardgenError("file/outside", message, where, hint)
        refuse_outside("the folder for output", self.out, self.inside, where, hint)
        if "out" in self.places:
            check_makeable(self.out, where)
        return self.out


NO_SETTINGS = Settings()
# The keys, each with an example.
KEYS = {
    "target": "a4",
    "look": "plain",
    "language": "en-GB",
    "author": "A. Smith",
    "missing": "placeholder",
    "out": "output",
}


def read_settings(project: Path) -> Settings:
    """Return the settings of a project; empty ones where it has no such file."""
    path = project / SETTINGS_FILE
    if not path.is_file():
        return NO_SETTINGS
    refuse_outside(SETTINGS_FILE, path, project, Where(str(show_from_here(path))))
    return _read(path, project)


def _read(path: Path, project: Path) -> Settings:
    shown = show_from_here(path)
    reader = TomlReader(shown)
    missing: str = reader.read_choice("missing", MISSING, "")
    values = {
        key: reader.read_line(key, example) for key, example in KEYS.items() if key != "missing"
    }
    library = Library(project)
    for key, kind, known in (
        ("target", "target", library.list_names("target")),
        ("look", "look", [*library.list_looks(), OWN_LOOK]),
    ):
        value = values[key]
        if value is not None and value not in known:
            unknown = describe_unknown(value, known, kind)
            message = f'unknown {kind} "{value}"'
            details = {"kind": kind, **unknown.details}
            reader.note(key, "name/unknown", message, unknown.hint, details)
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
        missing or None,
        shown.parent / out if out else DEFAULT_OUT,
        {key: Where(str(shown), reader.lines.get(key)) for key in KEYS},
        project if out else Path(),
    )
