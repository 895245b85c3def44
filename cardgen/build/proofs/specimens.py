"""Decks that show what is at hand: every template filled with sample data, all of them small on a
few pages; every icon, large and as small as it is used on cards; every font in each weight, with
the signs it has.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from cardgen.build.draw import Drawing, Work
from cardgen.build.faces import FaceMaker
from cardgen.build.plan import name_output
from cardgen.build.templates import DeckTemplates
from cardgen.core.errors import CardgenError, Where
from cardgen.core.geometry import Size
from cardgen.core.library import Library
from cardgen.core.units import MM, name_size
from cardgen.core.version import VERSION
from cardgen.deck.model import Card, Copy, Deck, Value
from cardgen.output.files import check_writable, open_whole
from cardgen.output.inks import choose_prepress
from cardgen.output.pdfx import Head
from cardgen.pages.sheets.gallery import Exhibit, impose_gallery
from cardgen.pages.target import PLAIN, Target
from cardgen.project.project import Project
from cardgen.template.template import Template
from cardgen.template.values import WEIGHTS
from cardgen.text.fonts import Family, FontFile, FontShelf

_TEMPLATES = Path("templates.yaml")  # of no file: it says only where to look
_NOT_SHOWN = "needs other fields than the sample has"
# What the templates that come with cardgen read, and most others will.
_BANDS: list[Value] = [[0, 20, 3], [20, 40, 2], [40, 60, 1]]
_TEXT = "Once per game the bearer may re-roll **one** failed die.\n\nThe bearer *never* flees."
SAMPLE: dict[str, Value] = {
    "kind": "weapon",
    "icon": "sword",
    "cost": 15,
    "who": "Any unit",
    "signs": ["unit"],
    "uses": "Once per game",
    "numeral": "IX",
    "value": 3,
    "text": _TEXT,
    "back_text": _TEXT,
    "note": "What only the one behind the card reads.",
    "stats": {"Move": 6, "Fight": 4, "Save": "3+"},
    "abilities": {"Sharp": "It cuts."},
    "bands": _BANDS,
    "range": "60cm",
    "close": 1,
    "shooting": 3,
    "drawing": None,
    "lines": [["sword", "shield"]],
    "columns": 2,
    "family": "Cinzel",
    "source": "installed",
    "styles": [["Bold", 700, False]],
    "line": "The quick brown fox",
    "signs_there": "A B C",
    "count_there": 3,
}
# What a card has that is shown by a template which prints whatever there is.
_FEW = ("kind", "icon", "cost", "text", "stats", "range", "note")


def print_templates(
    templates: Sequence[Template], project: Project, target: Target, out: Path | None
) -> tuple[Path, int]:
    """Write the file; where it lies, and how many pages it has."""
    deck, settings = _make_deck(templates), project.settings
    target = target.change(format="pdf", zip=False)
    path = settings.choose_out(out) / name_output(deck, target, None, "both", settings)
    check_writable(path)
    with open_whole(path) as file:
        pages = _draw(deck, templates, project.library, target, file)
    return path, pages


def _draw(
    deck: Deck, templates: Sequence[Template], library: Library, target: Target, out: BinaryIO
) -> int:
    """Write the file; return how many pages it has."""
    filled = DeckTemplates(deck, library, target.page, one_size=False)
    faces = FaceMaker(filled)
    faces.look_at_all()
    copies = deck.list_copies()
    exhibits = [
        Exhibit(number, *_measure(faces, copy, template), template.format.shape)
        for number, (copy, template) in enumerate(zip(copies, templates, strict=True))
    ]
    pages = impose_gallery(exhibits, deck.title, target.page)
    prepress = choose_prepress(PLAIN, None)
    head = Head(deck.title, "", deck.language, f"cardgen {VERSION}", "none")
    Drawing(Work(filled, copies, pages, prepress)).write(head, out)
    return len(pages)


def _make_deck(templates: Sequence[Template]) -> Deck:
    cards = tuple(
        Card(
            id=template.name,
            name="Sword of Dawn",
            count=1,
            template=template.name,
            back=None,
            fields={key: SAMPLE[key] for key in _FEW} if _prints_all(template) else SAMPLE,
            where=Where(str(_TEMPLATES)),
        )
        for template in templates
    )
    return Deck(name="templates", title="Templates", path=_TEMPLATES, cards=cards)


def _prints_all(template: Template) -> bool:
    """Whether a template goes through all fields of a card."""
    return any(
        "fields" in expression.fields
        for element in template.elements
        for expression in element.list_expressions()
    )


def _measure(faces: FaceMaker, copy: Copy, template: Template) -> tuple[Size | None, str, str]:
    """The size of a template's face, and the two lines below it."""
    try:
        made = faces.get_face(copy, "front")
    except CardgenError:
        return None, template.name, _NOT_SHOWN
    size = made.face.size if made is not None else template.format.size
    return size, template.name, name_size(size)


# What the template `icon-specimen` takes for an icon, and for what lies around them all.
CELL = Size(31 * MM, 29 * MM)
AROUND = Size(24 * MM, 33 * MM)
_ICONS = Path("icons.yaml")  # of no file: it says only where to look


def make_icon_deck(names: Sequence[str], paper: Size) -> Deck:
    """A deck with a page for as many icons as the paper holds."""
    columns = max(int((paper.width - AROUND.width) / CELL.width), 1)
    rows = max(int((paper.height - AROUND.height) / CELL.height), 1)
    lines: list[Value] = [list(names[at : at + columns]) for at in range(0, len(names), columns)]
    pages = [lines[at : at + rows] for at in range(0, len(lines), rows)]
    cards = tuple(
        Card(
            id=f"icons-{number}",
            name=f"Icons {number}",
            count=1,
            template="icon-specimen",
            back=None,
            fields={"lines": page, "columns": columns},
            where=Where(str(_ICONS)),
        )
        for number, page in enumerate(pages, 1)
    )
    return Deck(name="icons", title="Icons", path=_ICONS, cards=cards)


# Fonts

_LINE = "The quick brown fox jumps over the lazy dog 0123456789"
_MOST_SIGNS = 1000
_FONTS = Path("fonts.yaml")  # of no file, too


def make_font_deck(families: Sequence[Family], sources: Sequence[str], library: Library) -> Deck:
    """A deck with a page for each family."""
    shelf = FontShelf(library)
    cards = tuple(
        Card(
            id=f"fonts-{number}",
            name=family.name,
            count=1,
            template="font-specimen",
            back=None,
            fields=_show_family(family, shelf, source),
            where=Where(str(_FONTS)),
        )
        for number, (family, source) in enumerate(zip(families, sources, strict=True), 1)
    )
    return Deck(name="fonts", title="Fonts", path=_FONTS, cards=cards)


def _show_family(family: Family, shelf: FontShelf, source: str) -> dict[str, Value]:
    styles = _list_styles(family)
    file = shelf.open(family.name, *styles[0])
    signs = _list_signs(file)
    known = all(ord(letter) in file.characters for letter in _LINE)
    named: list[Value] = [[_name_style(*style), *style] for style in styles]
    more = len(signs) - _MOST_SIGNS
    count = f"{len(signs):,} signs" + (f", the first {_MOST_SIGNS:,} of them" if more > 0 else "")
    return {
        "family": family.name,
        "source": source,
        "styles": named,
        "line": _LINE if known else _write_plain(signs[:40]),
        "signs_there": " ".join(map(_write_plain, signs[:_MOST_SIGNS])),
        "count_there": count,
    }


def _list_styles(family: Family) -> list[tuple[int, bool]]:
    """Weights and slants: of a variable font those that have names."""
    found = set()
    for entry in family.entries:
        named = [w for w in WEIGHTS.values() if entry.lightest <= w <= entry.heaviest]
        fixed = entry.lightest == entry.heaviest or not named
        found |= {(w, entry.italic) for w in ([entry.lightest] if fixed else named)}
    regular = (400, False)
    return sorted(found, key=lambda style: (style != regular, style[1], style[0]))


def _name_style(weight: int, italic: bool) -> str:
    names = {number: name for name, number in WEIGHTS.items()}
    return f"{names.get(weight, '')} {weight}{' italic' if italic else ''}".strip()


def _list_signs(file: FontFile) -> list[str]:
    """Return the signs that can be seen by themselves, in the order of Unicode."""
    signs = map(chr, sorted(file.characters))
    return [sign for sign in signs if unicodedata.category(sign)[0] in "LNPS"]


def _write_plain(signs: Sequence[str]) -> str:
    """Signs that are no Markdown."""
    return "".join(f"\\{sign}" if sign.isascii() and not sign.isalnum() else sign for sign in signs)
