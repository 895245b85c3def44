"""Plans a new project: the files of a folder with one deck, which builds at once.

Writes nothing, but refuses what would write over files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cardgen.core.deck_files import DECK_SUFFIXES, NOT_DECKS
from cardgen.core.errors import CardgenError
from cardgen.core.library import HOME
from cardgen.deck.model import slug
from cardgen.deck.raw import title_of
from cardgen.deck.schema import make_deck_schema
from cardgen.deck.values import quote

Form = Literal["yaml", "table", "markdown"]
Kind = Literal["magic", "tactics", "artillery", "playsheet", "blank"]

SUFFIXES: Mapping[Form, str] = {"yaml": ".yaml", "table": ".csv", "markdown": ".md"}
# The forms of each kind of deck, the usual one first.
FORMS: Mapping[Kind, tuple[Form, ...]] = {
    "magic": ("yaml", "table"),
    "tactics": ("yaml", "table"),
    "artillery": ("yaml", "table"),
    "playsheet": ("markdown",),
    "blank": ("yaml", "table", "markdown"),
}
LONGEST_NAME = 40

_SOURCES = HOME / "assets" / "projects"
_PICTURE = "hills.png"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9]+([_-][A-Za-z0-9]+)*")
_MEANINGS: Mapping[Form, str] = {
    "yaml": "the cards, as YAML",
    "table": "the cards, a row for each; any spreadsheet program opens it",
    "markdown": "the text of the sheet",
}


@dataclass(frozen=True, slots=True)
class NewProject:
    """A folder, and the files to be written."""

    folder: Path
    deck: str
    files: Mapping[Path, bytes]


def plan_project(
    name: str, *, form: Form | None = None, like: Kind | None = None, force: bool = False
) -> NewProject:
    """Return the files of a new project; one that is there already is an error, unless forced."""
    form, like = _choose(form, like)
    folder = Path(name)
    last = _get_last(folder)
    _check_name(name, last)
    title = title_of(Path(f"{last}.yaml"))
    deck = _name_deck(title, last)
    files = {folder / path: data for path, data in _make_files(deck, title, form, like).items()}
    _check_places(folder, deck, form, files, force=force)
    return NewProject(folder, deck, files)


def _choose(form: Form | None, like: Kind | None) -> tuple[Form, Kind]:
    if like is None:
        like = "playsheet" if form == "markdown" else "blank"
    forms = FORMS[like]
    if form is not None and form not in forms:
        fitting = [kind for kind, known in FORMS.items() if form in known]
        raise CardgenError(
            "project/wrong-form",
            f"a deck like {like} cannot be made from {form}",
            hint=f"--from {' or '.join(forms)} goes with it; from {form} one can make a deck"
            f" like {' or '.join(fitting)}",
        )
    return form or forms[0], like


def _get_last(folder: Path) -> str:
    try:
        return folder.absolute().resolve().name
    except (OSError, RuntimeError, ValueError):  # a link to itself, a name that no file can have
        return folder.name


def _check_name(name: str, last: str) -> None:
    suffix = Path(name).suffix
    if not name.strip() or not last:
        raise CardgenError(
            "project/no-name", "a project needs a name", hint="as in: cardgen new mydeck"
        )
    if not name.isprintable():
        message = f"{quote(name)} holds a character that no name can have"
        raise CardgenError("project/bad-name", message)
    if suffix in DECK_SUFFIXES:
        raise CardgenError(
            "project/bad-name",
            f'"{name}" would be a deck; a project is a folder with a deck in it',
            hint=f'leave out "{suffix}"; --from says how the deck is written',
        )
    if not any(character.isalnum() for character in last):
        raise CardgenError(
            "project/bad-name", f'"{last}" has no letter and no digit', hint="name it as your deck"
        )
    if len(last) > LONGEST_NAME:
        raise CardgenError(
            "project/bad-name",
            f'"{last}" is {len(last)} characters long; allowed are {LONGEST_NAME}',
            hint="take a shorter name; the title can be made longer in the deck",
        )


def _name_deck(title: str, last: str) -> str:
    """Return the deck's name, which needs no quotes on a command line."""
    name = last if _PLAIN_NAME.fullmatch(last) else slug(title)
    if name.lower() in NOT_DECKS:
        raise CardgenError(
            "project/bad-name",
            f'a deck cannot be called "{name}", for files of that name are none',
            hint="take another name",
        )
    return name


def _make_files(deck: str, title: str, form: Form, like: Kind) -> dict[Path, bytes]:
    suffix = SUFFIXES[form]
    file = f"decks/{deck}{suffix}"
    template = _SOURCES / like / f"template{suffix}.xml"
    if not template.is_file():
        template = _SOURCES / like / "template.xml"

    def fill(source: Path, shown: str) -> bytes:
        text = source.read_text(encoding="utf-8")
        for mark, value in (
            ("name", deck),
            ("title", shown),
            ("deck", file),
            ("what", _MEANINGS[form]),
        ):
            text = text.replace(f"@{mark}@", value)
        return text.encode()

    quoted = json.dumps(title, ensure_ascii=False)
    files = {
        "README.md": fill(_SOURCES / "README.md", title),
        "cardgen.toml": fill(_SOURCES / "cardgen.toml", title),
        file: fill(_SOURCES / like / f"deck{suffix}", quoted),
        f"templates/{deck}.xml": fill(template, title),
        f"pictures/{_PICTURE}": (_SOURCES / _PICTURE).read_bytes(),
    }
    if form == "yaml":
        schema = json.dumps(make_deck_schema(), indent=2, ensure_ascii=False)
        files["schemas/deck.json"] = f"{schema}\n".encode()
    return {Path(name): data for name, data in files.items()}


def _check_places(
    folder: Path, deck: str, form: Form, files: Mapping[Path, bytes], *, force: bool
) -> None:
    if folder.exists() and not folder.is_dir():
        raise CardgenError(
            "project/there-already",
            f'"{folder}" is a file',
            hint="take another name, or move it away",
        )
    # A deck of the same name in another form would hide the new one, or be hidden by it.
    others = [folder / "decks" / f"{deck}{suffix}" for suffix in DECK_SUFFIXES]
    for other in others:
        if other not in files and other.exists():
            raise CardgenError(
                "project/there-already",
                f'there is a deck "{other}" already',
                hint=f"take another name, or make it anew with --from {_name_form(other, form)}",
            )
    taken = [str(path) for path in files if path.exists()]
    if taken and not force:
        raise CardgenError(
            "project/there-already",
            f"{', '.join(taken)} would be written over",
            hint="take another name, or say --force",
        )


def _name_form(deck: Path, otherwise: Form) -> Form:
    return next((form for form, suffix in SUFFIXES.items() if suffix == deck.suffix), otherwise)
