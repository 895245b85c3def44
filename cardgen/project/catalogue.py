"""The catalogue of a project: its icons, fonts and templates as entries of a list.

Knows nothing of how a list is printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Size
from cardgen.core.library import HOME, Library, show_from_here
from cardgen.core.units import format_mm, name_size
from cardgen.template.parse import read_template
from cardgen.template.source import read_purpose
from cardgen.template.template import Template
from cardgen.text.fonts import Family, FontShelf


class IconEntry(NamedTuple):
    name: str
    source: str


class FontEntry(NamedTuple):
    family: str
    weights: str
    italics: str
    source: str


class TemplateEntry(NamedTuple):
    name: str
    size: str
    bleed: str
    extends: str
    source: str
    purpose: str


def list_icons(library: Library) -> list[IconEntry]:
    """Return all icons by name."""
    names = library.list_names("icon")
    return [IconEntry(name, _name_source(library.get("icon", name))) for name in names]


def list_families(library: Library) -> list[Family]:
    """Return all families of fonts that there are."""
    shelf = FontShelf(library)
    return [shelf.get_family(name) for name in shelf.list_families()]


def list_fonts(library: Library) -> list[FontEntry]:
    """Return an entry for each family of fonts."""
    own = {path.resolve() for path in library.list_font_files()}
    found = []
    for family in list_families(library):
        path = family.entries[0].path
        source = _name_folder(path) if path.resolve() in own else "installed"
        upright, italic = (_name_weights(family, italic=slanted) for slanted in (False, True))
        found.append(FontEntry(family.name, upright, italic, source))
    return found


def read_templates(library: Library, page: Size) -> Iterator[Template | CardgenError]:
    """Yield all templates by name; of one that cannot be read what is wrong. Of the thousands that
    there may be none is held here.
    """
    for name in library.list_names("template"):
        try:
            yield read_template(library.get("template", name), library, page)
        except CardgenError as error:
            yield error


def describe_template(template: Template) -> TemplateEntry:
    """Return the entry of a template."""
    format_, path = template.format, template.files[0]
    return TemplateEntry(
        template.name,
        "page" if format_.whole_page else name_size(format_.size),
        _name_bleed(format_.bleed),
        template.files[1].stem if len(template.files) > 1 else "",
        _name_source(path),
        read_purpose(path),
    )


def _name_source(path: Path) -> str:
    """Return "cardgen" for a file of its own, else the folder that it lies in."""
    return "cardgen" if path.resolve().is_relative_to(HOME) else _name_folder(path)


def _name_folder(path: Path) -> str:
    return str(show_from_here(path.parent))


def _name_bleed(bleed: Insets) -> str:
    if not any(bleed):
        return ""
    return " ".join(map(format_mm, dict.fromkeys(bleed)))


def _name_weights(family: Family, *, italic: bool) -> str:
    """Return the weights of a slant: "300, 400, 700", or "400 to 900" for a variable font."""
    ranges: Sequence[tuple[int, int]] = sorted(
        {(e.lightest, e.heaviest) for e in family.entries if e.italic == italic}
    )
    return ", ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in ranges)
