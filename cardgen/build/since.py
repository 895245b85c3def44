"""What has changed since an earlier build, or since a revision that git keeps.

Part of build: it knows how to ask what a card showed then. Turns a file's name or a revision into
the hashes of that time, and these and today's into the copies that differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from cardgen.build.faces import FaceMaker
from cardgen.build.job import Job, find_library
from cardgen.build.manifest import (
    SUFFIX,
    Hashes,
    Manifest,
    list_cards,
    name_manifest,
    read_manifest,
)
from cardgen.build.selection import ALL, choose_copies
from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.library import HOME, Library
from cardgen.deck.model import Copy, Deck
from cardgen.project.git import Snapshot, check_out
from cardgen.project.settings import read_deck_in

# A name that ends so is that of a file, and no revision.
_FILES = (".pdf", ".zip", ".json", ".png")


class Chosen(NamedTuple):
    """Copies that might be printed, what they show, and those of them that look different now."""

    copies: tuple[Copy, ...]
    hashes: list[Hashes]
    changed: tuple[Copy, ...]


def choose_changed(job: Job, since: str, look: str | None) -> Chosen:
    """The copies of a job that are new, or look different on a side that was printed then too."""
    before = _read_before(since, job, look)
    hashes = job.hash_copies()
    sides = job.list_sides()
    both = [side for side in sides if side in before.sides]
    changed = []
    for copy, now in zip(job.copies, hashes, strict=True):
        then = before.get(job.deck.cards[copy.design].id, copy.number)
        differs = then is None or any(now.get(side) != then.get(side) for side in both)
        # One of which nothing is drawn has something wrong, which the build will say.
        if differs and (now == Hashes() or any(now.get(side) for side in sides)):
            changed.append(copy)
    return Chosen(job.copies, hashes, tuple(changed))


def _read_before(since: str, job: Job, look: str | None) -> Manifest:
    """What the deck's cards showed in an earlier output, or at a revision."""
    path = _find_file(since, job.deck)
    if path is None:
        return _hash_revision(since, job, look)
    manifest = read_manifest(path)
    if manifest.deck != job.deck.name:
        raise CardgenError(
            "build/todo",
            f'{path} tells of the deck "{manifest.deck}", not of "{job.deck.name}"',
            hint="name an output of this deck, or a folder that holds those of all decks",
        )
    return manifest


def _find_file(since: str, deck: Deck) -> Path | None:
    """The manifest that is meant, where a file is."""
    path = Path(since)
    if path.is_dir() and not name_manifest(path).is_file():
        # A folder of outputs rather than one of pictures.
        inside = path / f"{deck.name}{SUFFIX}"
        if inside.is_file():
            return inside
    manifest = name_manifest(path)
    if manifest.is_file():
        return manifest
    if path.exists():
        raise CardgenError(
            "build/todo",
            f"{since} has no manifest {manifest.name} beside it",
            hint="name an output that cardgen built, or a git revision",
        )
    if path.suffix.lower() in _FILES:
        raise CardgenError(
            "build/todo",
            f"there is no file {since}",
            hint="name an earlier output, or a git revision",
        )
    return None


def _hash_revision(revision: str, job: Job, look: str | None) -> Manifest:
    """The faces of the deck as it was, printed for the target as it is."""
    library = find_library(job.deck, look)
    folders = (library.project, job.deck.path.parent)
    with check_out(revision, folders, HOME) as snapshot:
        # What git does not keep, as an installed cardgen, is as it is now.
        home = snapshot.find(HOME) if snapshot.find(HOME).is_dir() else HOME
        path = job.deck.path.resolve()
        of_ours = path.is_relative_to(HOME / "decks")
        path = home / path.relative_to(HOME) if of_ours else snapshot.find(path)
        if not path.is_file():
            raise CardgenError(
                "build/todo",
                f'the deck "{job.deck.name}" is not in revision {revision}',
                hint="all its cards are new: leave --since out",
            )
        try:
            project = snapshot.find(library.project)
            spoken = job.deck.translation
            lang = spoken.language if spoken else None
            deck = read_deck_in(project, path, lang=lang, lenient=True)
            then = Library(project, library.look, home)
            copies = choose_copies(deck, ALL)
            faces = FaceMaker(deck, then, job.target.page)
            old = replace(job, deck=deck, copies=copies, faces=faces)
            cards = list_cards(deck, copies, old.hash_copies())
        except CardgenError as error:
            raise CardgenError.of(_name_places(error.problems, snapshot, revision)) from error
    return Manifest(job.deck.name, job.target.name, library.look, "", job.list_sides(), cards)


def _name_places(
    problems: Iterable[Problem], snapshot: Snapshot, revision: str
) -> Iterable[Problem]:
    """Problems of the past, which lie in files that are about to go."""
    for problem in problems:
        where = problem.where
        if where is not None and where.file.startswith(str(snapshot.folder)):
            file = where.file.removeprefix(str(snapshot.folder)).lstrip("/\\")
            where = Where(f"{revision}:{file}", where.line, where.column)
        yield replace(problem, where=where)
