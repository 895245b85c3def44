"""A project: its folder, its settings, and what it finds by name. A command opens it once.

Everything that a deck needs besides itself comes from here: the library in a look, the target, and
the words of cardgen.toml that stand in for what a deck does not say.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from cardgen.core.library import HOME, Library
from cardgen.core.names import make_unknown
from cardgen.deck.model import Deck
from cardgen.deck.read import read_deck_file
from cardgen.pages.target import Target
from cardgen.pages.target_file import find_target
from cardgen.project.settings import DEFAULT_TARGET, OWN_LOOK, Settings, read_settings

DEFAULT_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Project:
    """A folder that holds decks, templates and the like, and what its cardgen.toml says.

    home: where cardgen's own files lie, if not where they usually do
    """

    folder: Path
    settings: Settings
    home: Path | None = None

    @property
    def library(self) -> Library:
        """The files of the project by name, with templates as they are without any look."""
        return Library(self.folder, home=self.home)

    def get_library(self, look: str | None = None) -> Library:
        """Return the library in a look: the one asked for, else that of the settings."""
        wanted = self.settings.look if look is None else look
        if wanted is None or wanted == OWN_LOOK:
            return self.library
        looks = self.library.list_looks()
        if wanted not in looks:
            raise make_unknown("look", wanted, looks)
        return Library(self.folder, wanted, self.home)

    def get_target(self, name: str | None = None, deck: Deck | None = None) -> Target:
        """Return the target asked for, else the deck's own, else that of the settings, else A4."""
        where = None
        if name is None and deck is not None and deck.target is not None:
            name, where = deck.target, deck.target_where
        elif name is None and self.settings.target is not None:
            name, where = self.settings.target, self.settings.places.get("target")
        return find_target(self.library, name or DEFAULT_TARGET, where)


class OpenedDeck(NamedTuple):
    """A deck, and the project that it is built in."""

    project: Project
    deck: Deck


def open_project(folder: Path | None = None, home: Path | None = None) -> Project:
    """Return the project of a folder, or of the folder in hand, with its settings read."""
    folder = folder or Path.cwd()
    return Project(folder, read_settings(folder), home)


class Projects:
    """The projects of a command's decks, each opened when it is first asked for."""

    def __init__(self) -> None:
        self._opened: dict[Path, Project] = {}

    def open_of(self, deck: Path) -> Project:
        """Return the project that a deck's file belongs to, be the file written already or not.

        A deck of cardgen's own is built in the folder in hand.
        """
        is_ours = deck.resolve().is_relative_to(HOME / "decks")
        folder = Path.cwd() if is_ours else Library.around(deck).project
        if folder not in self._opened:
            self._opened[folder] = open_project(folder)
        return self._opened[folder]


def open_project_of(deck: Path) -> Project:
    """Return the project that a deck's file belongs to."""
    return Projects().open_of(deck)


def read_deck(
    project: Project,
    name: str | Path,
    language: str | None = None,
    *,
    lenient: bool = False,
    draft: bool = False,
) -> Deck:
    """Return a deck by its name or its path; the settings say what it does not say itself.

    `language` asks for its texts in another language. A deck without them is an error, or is taken
    as it is if lenient. A draft is read as far as it can be.
    """
    settings = project.settings
    deck = read_deck_file(
        project.library.get_deck(str(name)),
        language=settings.language or DEFAULT_LANGUAGE,
        lang=language,
        lenient=lenient,
        library=project.library,
        draft=draft,
    )
    if deck.author and deck.missing:
        return deck
    return replace(
        deck, author=deck.author or settings.author or "", missing=deck.missing or settings.missing
    )


def open_deck(
    name: str | Path,
    language: str | None = None,
    *,
    lenient: bool = False,
    projects: Projects | None = None,
    draft: bool = False,
) -> OpenedDeck:
    """Find a deck from the folder in hand, and read it; `projects` are those opened already."""
    path = Library(Path.cwd()).get_deck(str(name))
    project = (projects or Projects()).open_of(path)
    return OpenedDeck(project, read_deck(project, path, language, lenient=lenient, draft=draft))
