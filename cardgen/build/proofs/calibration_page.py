"""The calibration page as a finished file, and the profiles that are read off it.

Knows the order from paper to file, and nothing of the command line.
"""

from __future__ import annotations

from pathlib import Path

from cardgen.core.errors import CardgenError
from cardgen.core.library import Library
from cardgen.core.version import VERSION
from cardgen.layout.face import Item
from cardgen.layout.note import set_note
from cardgen.layout.typesetter import Typesetter
from cardgen.output.pdf import FilledPage, PageDrawer, make_pdf
from cardgen.output.pdfx import Head
from cardgen.output.resources import Resources
from cardgen.pages.calibration import Sheet, make_calibration
from cardgen.pages.impose import Note
from cardgen.pages.printer import Flip, is_printed_at_home
from cardgen.pages.target import Target
from cardgen.project.printers import USUAL
from cardgen.text.fonts import FontShelf


def draw_calibration(target: Target, printer: str, flip: Flip | None) -> bytes:
    """Return both sides of the page; `flip` is what is known of the printer already."""
    if not is_printed_at_home(target):
        raise CardgenError(
            "build/not-printed-at-home",
            f'the target "{target.name}" is not printed on sheets at home: '
            "there is nothing to calibrate",
            target.find_place("paper"),
            "name one with a paper, as --target a4",
        )
    turned: Flip = flip or ("short-edge" if target.duplex.edge == "short-edge" else "long-edge")
    axis = target.change(duplex=turned).find_axis(target.page) or "upright"
    command = "cardgen calibrate" + ("" if printer == USUAL else f" --printer {printer}")
    pages = make_calibration(Sheet(target.page, axis, turned, printer, command))
    library = Library(Path.cwd())
    typesetter = Typesetter(library, FontShelf(library), "en")

    def set_line(note: Note) -> tuple[Item, ...]:
        return set_note(typesetter, note.text, note.size, note.width, centred=note.centred)

    resources = Resources()
    drawer = PageDrawer(resources)
    drawn = [drawer.draw(FilledPage(page, (), tuple(map(set_line, page.notes)))) for page in pages]
    head = Head("Calibration", "", "en", f"cardgen {VERSION}", turned)
    return make_pdf(head, drawn, resources)
