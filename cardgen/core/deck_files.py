"""Tells which files are decks, by their names and first lines, and finds one that is given by path.

A folder of decks also holds tables and overlays that belong to a deck, and a project's top folder
holds prose. Reads no deck.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from cardgen.core.errors import CardgenError, Where
from cardgen.core.names import find_near

DECK_SUFFIXES = (".yaml", ".yml", ".csv", ".tsv", ".xlsx", ".md")
TABLE_SUFFIXES = (".csv", ".tsv", ".xlsx")
# What an import gave, and of which files, lies beside its deck.
RECORD_SUFFIX = ".imported.json"
# Prose that commonly lies in a project's top folder.
NOT_DECKS = ("readme", "changelog", "license", "licence", "contributing")

_FRONT_MATTER = re.compile(r"\ufeff?---\s*\n")
_CARDS = re.compile(r"^(cards|sheet|extends)\s*:", re.MULTILINE)
_TEMPLATE = re.compile(r"^template\s*:", re.MULTILINE)
_NAMED_TABLE = re.compile(r"""^cards\s*:[ \t]*["']?([^\n"'#]+\.(?:[ct]sv|xlsx))\b""", re.MULTILINE)
# An overlay has its language in its name: magic.de.yaml. What people write there besides is none.
_OVERLAY = re.compile(
    r"(.+)\.(?!(?:csv|tsv|txt|xls|ods|odt|doc|pdf|htm|xml|org|rtf|yml|old|new|bak|tmp)$)"
    r"([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)"
)
_YAML_SUFFIXES = (".yaml", ".yml")


def is_deck(path: Path, *, by_chance: bool) -> bool:
    """Whether a file is a deck, and not the table or the overlay of one.

    by_chance: the file lies outside decks/, so that its text must look like a deck
    """
    if path.stem.lower() in NOT_DECKS or path.name.startswith((".", "~$")) or match_overlay(path):
        return False
    if path.suffix in TABLE_SUFFIXES:
        return not any(path.with_suffix(suffix).is_file() for suffix in _YAML_SUFFIXES)
    if not by_chance:
        return True
    head = _read_head(path)
    if path.suffix == ".md":
        return bool(_FRONT_MATTER.match(head))
    # A deck that forgot to name its table is one too, for else neither of the two were.
    return bool(_CARDS.search(head) or (_TEMPLATE.search(head) and find_table_beside(path)))


def find_table_beside(path: Path) -> Path | None:
    """Return the table that lies beside a deck under its name."""
    tables = (path.with_suffix(suffix) for suffix in TABLE_SUFFIXES)
    return next((table for table in tables if holds(Path.is_file, table)), None)


def _read_head(path: Path) -> str:
    """Return the beginning of a text; nothing where it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(100_000)
    except OSError:
        return ""


def find_named_table(path: Path) -> Path | None:
    """Return the table that a deck in YAML seems to name as its cards."""
    if path.suffix not in _YAML_SUFFIXES:
        return None
    match = _NAMED_TABLE.search(_read_head(path))
    return (path.parent / match[1].strip()).resolve() if match else None


def match_overlay(path: Path) -> re.Match[str] | None:
    """Return the name of a deck and a language, if a file's name is that of an overlay."""
    return _OVERLAY.fullmatch(path.stem) if path.suffix in _YAML_SUFFIXES else None


def is_deck_path(name: str) -> bool:
    """Whether a text is the path of a deck, rather than its name."""
    path = Path(name)
    if path.suffix.lower() in DECK_SUFFIXES or "/" in name or path.parent != Path():
        return True
    return path == Path() or (bool(path.suffix) and holds(Path.is_file, path))


def get_deck_path(name: str, where: Where | None = None) -> Path:
    """Return the path of a deck that is there; `where` is the place that names it."""
    path = Path(name)
    if not name:
        hint = "name one, or none, and all decks of the project are taken"
        raise CardgenError("name/empty", "the name of a deck is empty", where, hint)
    if holds(Path.is_dir, path):
        raise CardgenError(
            "file/folder", f'"{name}" is a folder, not a deck', where, "name a file inside it"
        )
    if not holds(Path.is_file, path):
        raise CardgenError(
            "file/missing", f'there is no file "{name}"', where, find_neighbour(path)
        )
    if overlay := match_overlay(path):
        raise CardgenError(
            "file/not-a-deck",
            f'"{name}" is no deck: it holds the texts of "{overlay[1]}" in {overlay[2]}',
            where,
            f"build {overlay[1]} with --lang {overlay[2]}",
        )
    refuse_other(path, where)
    return path


def refuse_other(path: Path, where: Where | None = None) -> None:
    """Refuse a file that does not end as a deck does."""
    if path.suffix.lower() not in DECK_SUFFIXES:
        known = ", ".join(DECK_SUFFIXES)
        raise CardgenError(
            "file/not-a-deck",
            f'"{path}" is no deck file',
            where,
            f"a deck ends in {known}; cardgen import makes one of other files",
        )


def refuse_garbled(path: Path) -> None:
    """Refuse a deck whose name is made of bytes that are no text: its files are called after it,
    and much of what names them can say nothing but texts.
    """
    try:
        path.name.encode()
    except UnicodeEncodeError as error:
        raise CardgenError(
            "file/not-a-deck",
            "the name of this file is no text: it holds bytes that are not UTF-8",
            Where(str(path)),
            "rename it; where other programs show it well, LC_ALL=C.UTF-8 may help",
        ) from error


def find_neighbour(path: Path) -> str | None:
    """Return the hint for a missing file: one of nearly that name in its folder, or in decks/."""
    for folder in (path.parent, path.parent / "decks"):
        try:
            files = [file for file in list_files(folder) if file.suffix in DECK_SUFFIXES]
        except (OSError, ValueError):
            continue
        # The suffixes are all alike and tell nothing, so only stems are compared.
        near = find_near(path.stem, (file.stem for file in files))
        if near:
            same = [file for file in files if file.stem == near[0]]
            best = min(same, key=lambda file: (file.suffix != path.suffix, file))
            return f'did you mean "{best}"?'
    return None


def list_files(folder: Path) -> list[Path]:
    """Return the files of a folder in order, none where there is no such folder."""
    return [folder / name for name in list_file_names(folder)]


def list_file_names(folder: Path) -> list[str]:
    """Return the names of the files of a folder in order, none where there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if _leads_to_file(entry))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _leads_to_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link to itself
        return False


def has_file(folder: Path, name: str) -> bool:
    """Whether a folder has a file of exactly this name, where the disk does not tell capitals from
    small letters, too. A folder of thousands is listed once, and anew where it has changed.
    """
    if not holds(Path.is_file, folder / name):
        return False
    try:
        names = _list_once(folder, folder.stat().st_mtime_ns)
    except FileNotFoundError:
        return False
    # What came in the very moment of the list is not in it.
    return name in names or name in list_file_names(folder)


@lru_cache(maxsize=32)
def _list_once(folder: Path, _changed: int) -> frozenset[str]:
    return frozenset(list_file_names(folder))


COPY_IT = "copy it into that folder and name it from there"


def list_folders(folder: Path, prefix: str) -> list[Path]:
    """Return the folders in a folder whose names begin so; links are none."""
    try:
        with os.scandir(folder) as entries:
            names = [
                entry.name
                for entry in entries
                if entry.name.startswith(prefix) and entry.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return []
    return [folder / name for name in sorted(names)]


def refuse_outside(
    what: str, path: Path, folder: Path, where: Where | None, hint: str = COPY_IT
) -> None:
    """Raise an error for what a project names and does not lie inside a folder, links followed.

    A project may come from a stranger: what it names stays inside it. A path that somebody typed
    may lead anywhere.
    """
    if not leads_inside(path, folder):
        raise CardgenError(
            "file/outside",
            f"{what} lies outside the folder {folder.resolve()}",
            where,
            hint,
        )


def leads_inside(path: Path, folder: Path) -> bool:
    """Whether a path lies inside a folder when all links are followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # a link to itself, a name that no file can have
        return False


def holds(test: Callable[[Path], bool], path: Path) -> bool:
    """Whether a test holds for a path; for a name that no file can have it does not."""
    try:
        return test(path)
    except (OSError, ValueError):
        return False
