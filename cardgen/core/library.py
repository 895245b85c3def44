"""The library: finds decks, templates, icons, fonts, pictures, targets and profiles by name.

The folders of the project come first, then cardgen's own. Knows nothing of what the files hold.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path, PurePath

from cardgen.core.deck_files import (
    DECK_SUFFIXES,
    get_deck_path,
    has_file,
    holds,
    is_deck,
    is_deck_path,
    leads_inside,
    list_file_names,
    list_files,
    match_overlay,
    refuse_outside,
)
from cardgen.core.errors import CardgenError, Where
from cardgen.core.inner_pictures import has_part, split_inner, take_out
from cardgen.core.names import find_near, get_round, make_unknown, spend_tries

_PACKAGE = Path(__file__).resolve().parent.parent
# In a wheel the top-level folders lie inside the package; in a checkout beside it.
HOME = _PACKAGE if (_PACKAGE / "decks").is_dir() else _PACKAGE.parent

SETTINGS_FILE = "cardgen.toml"
_MOST_ABOVE = 3  # folders above a deck's own, which may be those of its project
MOST_EXTENDED = 50  # decks, targets or templates, one of another

_FOLDERS = {
    "deck": ("decks", "."),
    "template": ("templates", "assets/templates"),
    "icon": ("icons", "assets/icons"),
    "target": ("targets", "assets/targets"),
    "profile": ("profiles", "assets/profiles"),
    "base": ("targets", "assets/targets"),
    "words": ("words", "assets/words"),
}
_SUFFIXES = {
    "deck": DECK_SUFFIXES,
    "template": (".xml",),
    "icon": (".svg",),
    "target": (".toml",),
    "profile": (".icc", ".icm"),
    "base": (".pdf",),
    "words": (".yaml", ".yml"),
}
_PIXELS = (".png", ".jpg", ".jpeg", ".webp", ".gif")
_BESIDE = ("pictures", "images", "img", "art", "cards")
PICTURE_FOLDERS = (
    *(".", "decks", "assets", "assets/pictures", "assets/images", *_BESIDE),
    *(f"decks/{folder}" for folder in _BESIDE),
)
PICTURE_SUFFIXES = (*_PIXELS, ".avif", ".tif", ".tiff", ".bmp", ".svg")
_FONT_FOLDERS = ("fonts", "assets/fonts")
_FONT_SUFFIXES = (".ttf", ".otf")
# Fonts that nothing here reads: of web pages, several in one, and of old programs.
_OTHER_FONTS = (".woff", ".woff2", ".eot", ".ttc", ".otc", ".pfb", ".dfont")
_PLACES = "its picture folders"
_DEEP = ("*", "*/*", "*/*/*")
_MOST_SEEN = 5_000  # files among which the picture is sought that was meant
_NAMELESS = 'for cards without one add if="card.…" to the element'


@dataclass(frozen=True, slots=True)
class Library:
    """The files of one project by their names, with cardgen's own behind them.

    look: a folder of templates that hide those of the same name
    home: where cardgen's own files lie, if not where they usually do
    """

    project: Path
    look: str | None = None
    home: Path | None = None

    @classmethod
    def around(cls, deck: Path, look: str | None = None) -> Library:
        """Return the library of the project that a deck's file lies in: the folder around it, or
        the working folder or one within it, above the deck, whose settings say that it is one.
        """
        folder = deck.resolve().parent
        usual = folder.parent if folder.name == "decks" else folder
        above = (one for one in (usual, *_list_above(usual)) if has_file(one, SETTINGS_FILE))
        return cls(next(above, usual), look)

    @property
    def _home(self) -> Path:
        return self.home or HOME

    @property
    def roots(self) -> tuple[Path, ...]:
        """The project's folder, then cardgen's own."""
        project = self.project.resolve()
        return (project,) if project == self._home else (project, self._home)

    def list_names(self, kind: str) -> list[str]:
        """Return the names of all files of a kind, each once."""
        return sorted({PurePath(file).stem for _, file in self._list_named(kind)})

    def list_own(self, kind: str) -> list[str]:
        """Return the names of the project's own files of a kind."""
        return sorted({path.stem for path in self._list_files(kind, self.roots[:1])})

    def get(self, kind: str, name: str, where: Where | None = None) -> Path:
        """Return the file of a kind and a name; the error for an unknown name has the nearest."""
        for path in self._list_files(kind, name=name):
            self._refuse_link(kind, path, where)
            if kind == "deck":
                self._refuse_twins(path, where)
            return show_from_here(path)
        if kind == "icon" and not name:
            raise CardgenError("name/empty", "the icon has no name", where, _NAMELESS)
        # Of thousands that are unknown only the first are compared with what there is.
        names = self.list_names(kind) if spend_tries(0) else ()
        error = make_unknown(kind, name, names, where)
        if kind == "template" and PurePath(name).suffix and PurePath(name).suffix != ".xml":
            hint = "it is another program's: leave it out, or name one that lies in templates/"
            if PurePath(name).suffix.lower() in PICTURE_SUFFIXES:
                hint = f'a template draws it, by <image bleed="true" fit="cover" file="{name}"/>'
            error = CardgenError.of(replace(one, hint=hint) for one in error.problems)
        if kind == "deck" and holds(Path.is_dir, Path(name)):
            hint = "that is a folder: name a deck that lies in it, or none, and all decks are taken"
            error = CardgenError.of(replace(one, hint=hint) for one in error.problems)
        if kind == "icon" and not error.problems[0].details["near"]:
            hint = 'put its SVG into icons/, or name one that "cardgen icons" lists'
            error = CardgenError.of(replace(one, hint=hint) for one in error.problems)
        if kind == "icon" and (picture := self._find_picture_of(name)):
            hint = f'{picture} is a picture, and an icon is an SVG: write <image file="{picture}"/>'
            raise CardgenError.of(replace(one, hint=hint) for one in error.problems)
        raise error

    def _find_picture_of(self, icon: str) -> str | None:
        """Return the picture that lies where an icon of this name would."""
        if not spend_tries(len(_PIXELS)):
            return None
        stem = PurePath(icon).stem if PurePath(icon).suffix in _PIXELS else icon
        for folder in _FOLDERS["icon"]:
            for file in (stem + suffix for suffix in _PIXELS):
                if has_file(self.project / folder, file):
                    return f"{folder}/{file}"
        return None

    def _find_below(self, deck: str) -> Path | None:
        """Return the folder of another project, within this one's, that has a deck of this name."""
        for settings in islice(self.project.glob(f"*/{SETTINGS_FILE}"), _MOST_SEEN):
            if deck in Library(settings.parent).list_own("deck"):
                return settings.parent
        return None

    def find_all(self, kind: str, name: str) -> list[Path]:
        """Return every file of a kind and a name, the project's before cardgen's."""
        found = [path for path in self._list_files(kind) if path.stem.lower() == name.lower()]
        for path in found:
            self._refuse_link(kind, path)
        return list(map(show_from_here, found))

    def find_overlays(self, deck: Path) -> dict[str, Path]:
        """Return the overlays of a deck by their languages: the files that lie beside it.

        The overlays of one of cardgen's own decks may lie among the project's decks, too.
        """
        folders = [deck.resolve().parent]
        is_ours = folders[0] == HOME / "decks" and self.project.resolve() != HOME
        if is_ours and deck.stem not in self.list_own("deck"):
            folders += [self.project.resolve() / folder for folder in _FOLDERS["deck"]]
        found: dict[str, Path] = {}
        for folder in folders:
            for path in list_files(folder):
                if (match := match_overlay(path)) and match[1] == deck.stem:
                    self._refuse_link("overlay", path)
                    found[match[2]] = show_from_here(path)
        return found

    def _refuse_link(self, kind: str, path: Path, where: Where | None = None) -> None:
        """Refuse a file of the project that is a link to one outside of it."""
        if path.is_relative_to(HOME) or leads_inside(path, self.project):
            return
        where = where or Where(str(show_from_here(path)))
        refuse_outside(f'{kind} "{path.stem}"', path, self.project, where)

    def _refuse_twins(self, deck: Path, where: Where | None) -> None:
        """Refuse the name of several decks that lie in one folder."""
        same = self._list_files("deck", name=deck.stem)
        twins = [str(show_from_here(path)) for path in same if path.parent == deck.parent]
        if len(twins) > 1:
            raise CardgenError(
                "name/twice",
                f'the name "{deck.stem}" is that of several decks: {", ".join(twins)}',
                where or Where(twins[0]),
                f"rename all but one, or name the file, as in: cardgen build {twins[0]}",
                details={"files": tuple(twins)},
            )

    def find_behind(self, path: Path, kind: str = "template") -> Path | None:
        """Return the file of the same kind and name that this one hides, if there is one."""
        same = list(self._list_files(kind, name=path.stem))
        places = [file.resolve() for file in same]
        # A file that lies in none of the folders hides all that do.
        behind = places.index(path.resolve()) + 1 if path.resolve() in places else 0
        if behind >= len(same):
            return None
        self._refuse_link(kind, same[behind])
        return show_from_here(same[behind])

    def get_base(self, kind: str, name: str, chain: Sequence[Path], where: Where) -> Path:
        """Return the file that the last file of a chain extends.

        A file that names itself means the one that it hides. A deck may also be named by its path
        from the folder of the deck that extends it.
        """
        path = chain[-1]
        if kind == "deck" and is_deck_path(name):
            place = os.path.normpath(path.parent / name)
            # Before anything is said of what lies there.
            if not leads_inside(Path(place), HOME / "decks"):
                refuse_outside(f'deck "{name}"', Path(place), self.project, where)
            base = get_deck_path(place, where)
        else:
            behind = self.find_behind(path, kind) if name == path.stem else None
            base = behind or self.get(kind, name, where)
        if base.resolve() in [file.resolve() for file in chain]:
            circle = " > ".join(file.stem for file in (*chain, base))
            raise CardgenError(
                "name/extends-itself",
                f"the {kind} extends itself: {circle}",
                where,
                f"extend another {kind}, or none",
            )
        if len(chain) > MOST_EXTENDED:
            raise CardgenError(
                "name/extends-too-many",
                f"more than {MOST_EXTENDED} {kind}s extend one another",
                where,
                f"let the {kind}s extend one that holds what they share",
            )
        return base

    def list_looks(self) -> list[str]:
        """Return the names of all looks: folders of templates that hide others."""
        folders = (root / folder for root in self.roots for folder in _FOLDERS["template"])
        inner = (path for folder in folders if folder.is_dir() for path in folder.iterdir())
        return sorted({path.name for path in inner if path.is_dir() and any(path.glob("*.xml"))})

    def is_of_look(self, template: Path) -> bool:
        """Whether a template is one of the look."""
        return self.look is not None and template.parent.name == self.look

    def get_deck(self, name: str) -> Path:
        """Return the file of a deck, by its name or by its path."""
        if is_deck_path(name):
            return get_deck_path(name)
        try:
            return self.get("deck", name)
        except CardgenError as error:
            if (below := self._find_below(name)) is None:
                raise
            hint = f'it is a deck of the project in "{below.name}": go into that folder first'
            raise CardgenError.of(replace(one, hint=hint) for one in error.problems) from error

    def get_picture(self, name: str, where: Where | None = None) -> Path:
        """Return the file of a picture, which lies inside the project or cardgen's own folder.

        One that lies in a workbook is taken out of it.
        """
        file, part = split_inner(name)
        for root, path in self._list_places(file):
            if not path.is_relative_to(root):
                raise CardgenError(
                    "file/outside",
                    f'picture "{name}" lies outside the folder {root}',
                    where,
                    "copy it into that folder and name it from there",
                )
            if holds(Path.is_file, path):
                return take_out(path, part, where) if part else path
        if not name:
            raise CardgenError("name/empty", "the picture has no name", where, _NAMELESS)
        whole = self._complete_picture(name)
        if len(whole) == 1:
            return self.get_picture(whole[0], where)
        near = whole[0] if whole else self._find_near_picture(name)
        hint = f'did you mean "{near}"?' if near else f"looked in {self.project} and {_PLACES}"
        if whole:
            hint = f"say which: {', '.join(whole)}"
        if "://" in name:
            hint = "nothing is fetched from the net: save it in the project, and name that file"
        raise CardgenError(
            "name/unknown",
            f'there is no picture "{name}"',
            where,
            hint,
            details={"kind": "picture", "name": name, "near": (near,) if near else ()},
        )

    def find_above(self, picture: str) -> Path | None:
        """Return the next folder above that would have a picture, were it the project."""
        above = _list_above(self.project.resolve())
        return next((one for one in above if Library(one)._has_picture(picture)), None)

    def has(self, kind: str, name: str) -> bool:
        """Whether a file of a kind is there, in the project or cardgen's own folder."""
        if kind == "picture":
            return self._has_picture(name)
        return any(True for _ in self._list_files(kind, name=name))

    def _has_picture(self, name: str) -> bool:
        file, part = split_inner(name)
        ending = PurePath(file).suffix[1:]
        if not ending.isalnum() or ending.isdigit():  # a word or a sentence, as most values are
            return False
        return any(
            path.is_relative_to(root)
            and holds(Path.is_file, path)
            and (not part or has_part(path, part))
            for root, path in self._list_places(file)
        )

    def _complete_picture(self, name: str) -> list[str]:
        """Return the files that a picture's name may mean without its suffix, as a table of another
        program writes it.
        """
        file = PurePath(name.replace("\\", "/"))
        if file.suffix.lower() in PICTURE_SUFFIXES:
            return []
        folders = [self.project / folder / file.parent for folder in PICTURE_FOLDERS]
        names = (f"{file.name}{suffix}" for suffix in PICTURE_SUFFIXES)
        there = [one for one in names if any(has_file(folder, one) for folder in folders)]
        return [(file.parent / one).as_posix() for one in there]

    def _list_places(self, name: str) -> Iterator[tuple[Path, Path]]:
        """Yield where a picture may lie, each with the folder that it must not lead out of. A path
        may be written as Windows writes it.
        """
        name = name.replace("\\", "/")
        pure = PurePath(name)
        stays = not pure.is_absolute() and ".." not in pure.parts
        for root in self.roots:
            for folder in PICTURE_FOLDERS:
                place = root / folder / pure
                # Most places hold nothing, and to follow the links of each takes its time.
                if stays and not holds(Path.exists, place):
                    continue
                try:
                    yield root, place.resolve()
                except (OSError, RuntimeError, ValueError):  # no file's name, a link to itself
                    continue

    def _find_near_picture(self, name: str) -> str | None:
        """Return the picture that was meant: of the same name in another folder, or a near one."""
        known = _list_pictures(self.roots, get_round()) if spend_tries(20) else []
        known = sorted(known, key=lambda one: one.count("/"))
        file = PurePath(name.replace("\\", "/"))
        same = [one for one in known if PurePath(one).name.casefold() == file.name.casefold()]
        same += [one for one in known if PurePath(one).stem.casefold() == file.stem.casefold()]
        # The suffixes are all alike and tell nothing, so only the rest is compared.
        stems = {one.rpartition(".")[0]: one for one in known} if same or spend_tries(1_000) else {}
        near = same or [stems[stem] for stem in find_near(name.rpartition(".")[0], stems)]
        return near[0] if near else None

    def list_font_files(self) -> list[Path]:
        """Return the fonts that lie in the project or in cardgen's own folder."""
        found = self._list_fonts(_FONT_SUFFIXES)
        for path in found:
            self._refuse_link("font", path)
        return found

    def list_unread_fonts(self) -> list[Path]:
        """Return the fonts that lie there too, in formats that are not read."""
        return self._list_fonts(_OTHER_FONTS)

    def _list_fonts(self, suffixes: Collection[str]) -> list[Path]:
        return [
            path
            for root in self.roots
            for folder in _FONT_FOLDERS
            for path in list_files(root / folder)
            if path.suffix.lower() in suffixes
        ]

    def _list_files(
        self, kind: str, roots: Sequence[Path] = (), name: str | None = None
    ) -> Iterator[Path]:
        """Yield the files of a kind, or those of one name, in the order of their folders."""
        for folder, file in self._list_named(kind, roots, name):
            yield folder / file

    def _list_named(
        self, kind: str, roots: Sequence[Path] = (), name: str | None = None
    ) -> Iterator[tuple[Path, str]]:
        """Yield folders and names of these files, of which there may be thousands."""
        folders = [(root, folder) for root in roots or self.roots for folder in _FOLDERS[kind]]
        if kind == "template" and self.look is not None:
            folders = [(root, f"{folder}/{self.look}") for root, folder in folders] + folders
        for root, folder in folders:
            if folder == "." and root == self._home:
                continue
            place = root / folder
            files = list_file_names(place) if name is None else []
            for suffix in _SUFFIXES[kind]:
                if name is None:
                    found = [file for file in files if file.endswith(suffix) and file != suffix]
                else:
                    found = [name + suffix] if name and has_file(place, name + suffix) else []
                for file in found:
                    if kind == "deck" and not is_deck(place / file, by_chance=folder == "."):
                        continue
                    yield place, file


def _list_above(folder: Path) -> list[Path]:
    """Return the folders above one up to the working folder, if it lies there: what lies above
    that is nobody's who stands here.
    """
    here = Path.cwd()
    return [one for one in folder.parents if one.is_relative_to(here)][:_MOST_ABOVE]


@lru_cache(maxsize=4)
def _list_pictures(roots: tuple[Path, ...], _command: int) -> list[str]:
    """Return the names of the pictures there are, for the hints of one command."""
    known: list[str] = []
    for root in roots:
        for folder in PICTURE_FOLDERS:
            # Whole trees of other files may lie in the project itself, so few are looked at.
            found = (path for deep in _DEEP for path in (root / folder).glob(deep))
            for path in sorted(islice(found, _MOST_SEEN)):
                if path.suffix.lower() in PICTURE_SUFFIXES and holds(Path.is_file, path):
                    known.append(path.relative_to(root / folder).as_posix())
    return known


def show_from_here(path: Path) -> Path:
    """Return a path as one would type it here, for messages to name."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
