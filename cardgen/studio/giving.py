"""A picture that somebody drops on a card: it is copied into the project's folder for pictures, and
the field that the card's template shows one of names it.

Which field that is, the template says by what it shows when a field has a value, so that one which
looks into several fields is understood, too. Each is a task of a process, as `painter.py` has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePath

from cardgen.core.deck_files import leads_inside
from cardgen.core.errors import CardgenError
from cardgen.core.library import PICTURE_SUFFIXES, Library
from cardgen.core.reading import read_bytes
from cardgen.studio.easel import SIDES, Easel, Spot
from cardgen.studio.edits.change import make_change
from cardgen.studio.edits.faults import make_no_card, make_not_own
from cardgen.studio.edits.model import Change, Conflicts, FileChange, SetField
from cardgen.studio.intake import name_safely
from cardgen.studio.packing import find_files, is_picture
from cardgen.studio.painter import trying
from cardgen.studio.printing import Desk

_FOLDER = "pictures"
_USUAL = ("picture", "image")
_PROBE = "a-picture-that-nobody-has.png"


def plan_picture(
    card: str, field: str | None, name: str, data: bytes
) -> Callable[[Desk], Change | Conflicts]:
    """Return the task of giving a card a picture; in the field that shows one, if none is named."""
    return partial(_plan, card, field, name_safely(name), data)


def _plan(card: str, field: str | None, name: str, data: bytes, desk: Desk) -> Change | Conflicts:
    if PurePath(name).suffix.lower() not in PICTURE_SUFFIXES:
        raise CardgenError(
            "studio/no-picture",
            f"{name} is no picture that is drawn",
            hint="save it as PNG, JPEG, WebP or SVG",
            details={"name": name},
        )
    easel: Easel = desk.get_easel()
    if card not in easel.keys:
        raise make_no_card(card, list(easel.keys), str(easel.deck.path))
    field = field or _find_field(easel, card)
    folder = easel.project.folder / _FOLDER
    path = _find_place(easel.library, folder, name, data)
    made = make_change(easel.project, desk.name, [SetField(card, field, path.name)])
    if isinstance(made, Conflicts):
        return made
    files = made.files
    if not path.exists():
        files = (FileChange(path, None, data), *files)
    return Change(files, made.step._replace(card=easel.get_card(card).name))


def _find_field(easel: Easel, card: str) -> str:
    """Return the field whose picture a card shows, or would show if it had one."""
    for field, value in easel.get_card(card).fields.items():
        if is_picture(value) and PurePath(str(value)).name in _list_shown(easel, card):
            return field
    for field in dict.fromkeys(_list_candidates(easel, card)):
        with trying(easel, card, {field: _PROBE}) as tried:
            if _PROBE in _list_shown(easel, tried):
                return field
    template = easel.get_card(card).template
    raise CardgenError(
        "studio/shows-no-picture",
        f'the template "{template}" shows no picture of a card',
        hint='add <image if="card.picture" file="{{ card.picture }}"/> to it, or choose another',
        details={"template": template},
    )


def _list_candidates(easel: Easel, card: str) -> Iterator[str]:
    """Yield the fields that may be shown as a picture, the likeliest first."""
    for side in SIDES:
        if easel.find_version(Spot(card, side)):
            kinds = find_files(easel.get_template(Spot(card, side)))
            yield from (field for field, kind in kinds.items() if kind == "picture")
    for other in easel.deck.cards:
        yield from (field for field, value in other.fields.items() if is_picture(value))
    yield from _USUAL


def _list_shown(easel: Easel, card: str) -> set[str]:
    """Return the names of the pictures and icons on a card."""
    easel.check([card], 0)
    seen = (easel.find_seen(Spot(card, side)) for side in SIDES)
    return {name for one in seen if one is not None for name in one.named}


def _find_place(library: Library, folder: Path, name: str, data: bytes) -> Path:
    """Return where a picture lies already, or is to lie: where no other is found by its name."""
    plain, number = PurePath(name), 1
    while True:
        shown = plain.name if number == 1 else f"{plain.stem}-{number}{plain.suffix}"
        if not library.has("picture", shown):
            path = folder / shown
            if not leads_inside(path, folder.parent):
                raise make_not_own(path)
            return path
        path = library.get_picture(shown)
        if read_bytes(path) == data:
            return path
        number += 1
