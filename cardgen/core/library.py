"""Where decks, templates, icons, fonts, pictures, targets and profiles are found: the project's
folder first, then cardgen's own.

Turns names into paths. Knows nothing of what the files hold.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from cardgen.core.errors import CardgenError, Where, find_near, suggest

_PACKAGE = Path(__file__).resolve().parent.parent
# In a wheel the top-level folders lie inside the package; in a checkout beside it.
HOME = _PACKAGE if (_PACKAGE / "decks").is_dir() else _PACKAGE.parent

_FOLDERS = {
    "deck": ("decks", "."),
    "template": ("templates", "assets/templates"),
    "icon": ("icons", "assets/icons"),
    "target": ("targets", "assets/targets"),
    "profile": ("profiles", "assets/profiles"),
    "words": ("words", "assets/words"),
}
DECK_SUFFIXES = (".yaml", ".yml", ".csv", ".xlsx", ".md")
_SUFFIXES = {
    "deck": DECK_SUFFIXES,
    "template": (".xml",),
    "icon": (".svg",),
    "target": (".toml",),
    "profile": (".icc", ".icm"),
    "words": (".yaml", ".yml"),
}
_PICTURE_FOLDERS = (".", "decks", "assets", "assets/pictures", "pictures")
_PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg")
_FONT_FOLDERS = ("fonts", "assets/fonts")
_FONT_SUFFIXES = (".ttf", ".otf")
# Prose that commonly lies in a project's top folder and is no deck.
_FRONT_MATTER = re.compile(r"\ufeff?---\s*\n")
_CARDS = re.compile(r"^(cards|sheet|extends)\s*:", re.MULTILINE)
# The texts of a deck in another language lie in a file that its own name names: magic.de.yaml.
_OVERLAY = re.compile(r"(.+)\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)")
_OVERLAY_SUFFIXES = (".yaml", ".yml")
NOT_DECKS = ("readme", "changelog", "license", "licence", "contributing")


@dataclass(frozen=True, slots=True)
class Library:
    """The folders of one project, with cardgen's own behind them."""

    project: Path
    look: str | None = None
    home: Path | None = None  # where cardgen's own are, if not where they usually are

    @classmethod
    def around(cls, deck: Path, look: str | None = None) -> Library:
        """The library of the project that a deck file lies in."""
        folder = deck.resolve().parent
        return cls(folder.parent if folder.name == "decks" else folder, look)

    @property
    def _home(self) -> Path:
        return self.home or HOME

    @property
    def roots(self) -> tuple[Path, ...]:
        project = self.project.resolve()
        return (project,) if project == self._home else (project, self._home)

    def list_names(self, kind: str) -> list[str]:
        """The names of all files of a kind, without repeats."""
        return sorted({path.stem for path in self._list_files(kind)})

    def list_own(self, kind: str) -> list[str]:
        """The names of the project's own files of a kind."""
        return sorted({path.stem for path in self._list_files(kind, self.roots[:1])})

    def find(self, kind: str, name: str, where: Where | None = None) -> Path:
        """The file behind a name; an unknown name is an error with the nearest one."""
        for path in self._list_files(kind):
            if path.stem == name:
                return path
        if kind == "icon" and not name:
            hint = 'for cards without one add if="card.…" to the element'
            raise CardgenError("core/todo", "the icon has no name", where, hint)
        raise CardgenError(
            "core/todo",
            f'unknown {kind} "{name}"',
            where,
            suggest(name, self.list_names(kind), kind=kind),
        )

    def find_all(self, kind: str, name: str) -> list[Path]:
        """Every file of a name, the project's before cardgen's."""
        return [path for path in self._list_files(kind) if path.stem.lower() == name.lower()]

    def find_overlays(self, deck: Path) -> dict[str, Path]:
        """The files with a deck's texts in other languages, by language: those beside it.

        Those of a deck of cardgen's own may lie among the project's decks, too.
        """
        folders = [deck.resolve().parent]
        is_ours = folders[0] == HOME / "decks" and self.project.resolve() != HOME
        if is_ours and deck.stem not in self.list_own("deck"):
            folders += [self.project.resolve() / folder for folder in _FOLDERS["deck"]]
        found: dict[str, Path] = {}
        for folder in folders:
            for path in _sorted_files(folder):
                if (match := _match_overlay(path)) and match[1] == deck.stem:
                    found[match[2]] = _show_from_here(path)
        return found

    def find_behind(self, path: Path, kind: str = "template") -> Path | None:
        """The file of the same kind and name that this one hides."""
        same = [file for file in self._list_files(kind) if file.stem == path.stem]
        places = [file.resolve() for file in same]
        # What lies in none of the folders hides all that do.
        behind = places.index(path.resolve()) + 1 if path.resolve() in places else 0
        return same[behind] if behind < len(same) else None

    def find_base(self, kind: str, name: str, chain: Sequence[Path], where: Where) -> Path:
        """The file that the last of a chain extends; one that names itself means the one it hides.

        A deck may be named by its path from the folder of the other, too.
        """
        path = chain[-1]
        if kind == "deck" and _is_deck_path(name):
            base = _take_deck(os.path.normpath(path.parent / name), where)
        else:
            behind = self.find_behind(path, kind) if name == path.stem else None
            base = behind or self.find(kind, name, where)
        if base.resolve() in [file.resolve() for file in chain]:
            circle = " > ".join(file.stem for file in (*chain, base))
            raise CardgenError(
                "core/todo",
                f"the {kind} extends itself: {circle}",
                where,
                f"extend another {kind}, or none",
            )
        return base

    def list_looks(self) -> list[str]:
        """The folders of templates that stand in for others."""
        folders = (root / folder for root in self.roots for folder in _FOLDERS["template"])
        inner = (path for folder in folders if folder.is_dir() for path in folder.iterdir())
        return sorted({path.name for path in inner if path.is_dir() and any(path.glob("*.xml"))})

    def is_of_look(self, template: Path) -> bool:
        return self.look is not None and template.parent.name == self.look

    def find_deck(self, name: str) -> Path:
        """A deck by name, or by path where the text is one."""
        return _take_deck(name) if _is_deck_path(name) else self.find("deck", name)

    def find_picture(self, name: str, where: Where) -> Path:
        """A picture inside the project or cardgen's assets; never outside of them."""
        for root in self.roots:
            for folder in _PICTURE_FOLDERS:
                try:
                    path = (root / folder / name).resolve()
                except (OSError, RuntimeError):  # a name too long, a link to itself
                    continue
                if not path.is_relative_to(root):
                    raise CardgenError(
                        "core/todo",
                        f'picture "{name}" lies outside the folder {root}',
                        where,
                        "copy it into that folder and name it from there",
                    )
                if _is(Path.is_file, path):
                    return path
        if not name:
            hint = 'for cards without one add if="card.…" to the element'
            raise CardgenError("core/todo", "the picture has no name", where, hint)
        raise CardgenError(
            "core/todo", f'there is no picture "{name}"', where, self._suggest_picture(name)
        )

    def _suggest_picture(self, name: str) -> str:
        """The nearest name of a picture, or one of the same name in a folder further down."""
        known: list[str] = []
        for root in self.roots:
            for folder in _PICTURE_FOLDERS:
                # Whole trees of other files may lie in the project itself.
                deep = ("*", "*/*") if folder == "." else ("*", "*/*", "*/*/*")
                for path in sorted(path for depth in deep for path in (root / folder).glob(depth)):
                    if path.suffix.lower() in _PICTURE_SUFFIXES and _is(Path.is_file, path):
                        known.append(path.relative_to(root / folder).as_posix())
        file = PurePath(name)
        same = [one for one in known if PurePath(one).name.casefold() == file.name.casefold()]
        same += [one for one in known if PurePath(one).stem.casefold() == file.stem.casefold()]
        # All end alike, which says nothing of what was meant.
        stems = {one.rpartition(".")[0]: one for one in known}
        near = same[:1] or [stems[stem] for stem in find_near(name.rpartition(".")[0], stems)[:1]]
        if near:
            return f'did you mean "{near[0]}"?'
        return f"looked in {self.project} and its assets/"

    def list_font_files(self) -> list[Path]:
        return [
            path
            for root in self.roots
            for folder in _FONT_FOLDERS
            for path in _sorted_files(root / folder)
            if path.suffix.lower() in _FONT_SUFFIXES
        ]

    def _list_files(self, kind: str, roots: Sequence[Path] = ()) -> Iterator[Path]:
        folders = [(root, folder) for root in roots or self.roots for folder in _FOLDERS[kind]]
        if kind == "template" and self.look is not None:
            folders = [(root, f"{folder}/{self.look}") for root, folder in folders] + folders
        for root, folder in folders:
            if folder == "." and root == self._home:
                continue
            for suffix in _SUFFIXES[kind]:
                for path in _sorted_files(root / folder):
                    if path.suffix != suffix:
                        continue
                    if kind == "deck" and not _is_deck(path, by_chance=folder == "."):
                        continue
                    yield _show_from_here(path)


def _show_from_here(path: Path) -> Path:
    """The path as one would type it: messages name it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _sorted_files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.is_file()) if folder.is_dir() else []


def _is(test: Callable[[Path], bool], path: Path) -> bool:
    """Whether a test holds for a path; for a name that no file can have it does not."""
    try:
        return test(path)
    except (OSError, ValueError):
        return False


def _is_deck_path(name: str) -> bool:
    """Whether a deck is given by its path, not by name."""
    path = Path(name)
    return path.suffix in DECK_SUFFIXES or "/" in name or path.parent != Path()


def _match_overlay(path: Path) -> re.Match[str] | None:
    return _OVERLAY.fullmatch(path.stem) if path.suffix in _OVERLAY_SUFFIXES else None


def _take_deck(name: str, where: Where | None = None) -> Path:
    path = Path(name)
    if _is(Path.is_dir, path):
        raise CardgenError(
            "core/todo", f'"{name}" is a folder, not a deck', where, "name a file inside it"
        )
    if not _is(Path.is_file, path):
        raise CardgenError("core/todo", f'there is no file "{name}"', where, find_neighbour(path))
    if overlay := _match_overlay(path):
        raise CardgenError(
            "core/todo",
            f'"{name}" is no deck: it holds the texts of "{overlay[1]}" in {overlay[2]}',
            where,
            f"build {overlay[1]} with --lang {overlay[2]}",
        )
    if path.suffix not in DECK_SUFFIXES:
        known = ", ".join(DECK_SUFFIXES)
        raise CardgenError(
            "core/todo", f'"{name}" is no deck file', where, f"a deck ends in {known}"
        )
    return path


def find_neighbour(path: Path) -> str | None:
    """The hint for a missing file: one of nearly that name in its folder, or in decks/."""
    for folder in (path.parent, path.parent / "decks"):
        try:
            files = [file for file in _sorted_files(folder) if file.suffix in DECK_SUFFIXES]
        except (OSError, ValueError):
            continue
        # All end alike, which says nothing of what was meant.
        near = find_near(path.stem, (file.stem for file in files))
        if near:
            same = sorted((file for file in files if file.stem == near[0]), key=_prefer(path))
            return f'did you mean "{same[0]}"?'
    return None


def _prefer(path: Path) -> Callable[[Path], bool]:
    return lambda file: file.suffix != path.suffix


def _is_deck(path: Path, *, by_chance: bool) -> bool:
    """Whether a file is a deck by itself and not the table or prose that belongs to one.

    Outside decks/ files of all sorts lie by chance: there it must look like one.
    """
    if path.stem.lower() in NOT_DECKS or path.name.startswith(".") or _match_overlay(path):
        return False
    if path.suffix in (".csv", ".xlsx"):
        return not path.with_suffix(".yaml").is_file()
    if not by_chance:
        return True
    try:
        head = path.read_text("utf-8", errors="replace")[:100_000]
    except OSError:
        return False
    return bool(_FRONT_MATTER.match(head) if path.suffix == ".md" else _CARDS.search(head))
