"""The specimen of templates: each filled with sample data, all of them small on a few pages.

Part of build: it knows the order from template to finished file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cardgen.deck.model import Card, Copy, Deck, Value
from cardgen.drawing import Drawer
from cardgen.errors import CardgenError, Where
from cardgen.faces import FaceMaker
from cardgen.filing import name_output
from cardgen.geometry import Size
from cardgen.library import Library
from cardgen.output.files import check_writable, write_file
from cardgen.output.pdf import write_pdf
from cardgen.output.pdfx import Head
from cardgen.output.prepress import choose_prepress
from cardgen.pages.gallery import Exhibit, impose_gallery
from cardgen.pages.target import Target
from cardgen.pages.target_check import PLAIN
from cardgen.settings import read_settings
from cardgen.sizes import name_size
from cardgen.template.parse import Template
from cardgen.version import VERSION

_PATH = Path("templates.yaml")  # of no file: it says only where to look
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


def print_templates(
    templates: Sequence[Template], library: Library, target: Target, out: Path | None
) -> tuple[Path, int]:
    """Write the file; where it lies, and how many pages it has."""
    deck, settings = _make_deck(templates), read_settings(library.project)
    target = replace(target, format="pdf", zip=False)
    path = (out or settings.out) / name_output(deck, target, None, "both", settings)
    check_writable(path)
    data, pages = _draw(deck, templates, library, target)
    write_file(path, data)
    return path, pages


def _draw(
    deck: Deck, templates: Sequence[Template], library: Library, target: Target
) -> tuple[bytes, int]:
    faces = FaceMaker(deck, library, target.page, one_size=False)
    faces.gather_sizes()
    copies = deck.list_copies()
    exhibits = [
        Exhibit(number, *_measure(faces, copy, template))
        for number, (copy, template) in enumerate(zip(copies, templates, strict=True))
    ]
    pages = impose_gallery(exhibits, deck.title, target.page)
    prepress = choose_prepress(PLAIN, None)
    drawer = Drawer(deck, copies, faces, "front", None, prepress=prepress, labelled=False)
    drawing = drawer.draw(pages)
    if drawing.problems:
        raise CardgenError.of(drawing.problems)
    head = Head(deck.title, "", deck.language, f"cardgen {VERSION}", "none")
    return write_pdf(head, drawing.pages, drawing.resources), len(pages)


def _make_deck(templates: Sequence[Template]) -> Deck:
    cards = tuple(
        Card(
            id=template.name,
            name="Sword of Dawn",
            count=1,
            template=template.name,
            back=None,
            fields=SAMPLE,
            where=Where(str(_PATH)),
        )
        for template in templates
    )
    return Deck(name="templates", title="Templates", path=_PATH, cards=cards)


def _measure(faces: FaceMaker, copy: Copy, template: Template) -> tuple[Size | None, str, str]:
    """The size of a template's face, and the two lines below it."""
    try:
        made = faces.get_face(copy, "front")
    except CardgenError:
        return None, template.name, _NOT_SHOWN
    size = made.face.size if made is not None else template.format.size
    return size, template.name, name_size(size)
