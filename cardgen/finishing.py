"""What a job's pages get besides cards: their order, what undoes a printer's faults, and the line
in the margin.

Part of build. Knows decks and printers, but not how cards lie on a page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cardgen.deck.edition import name_edition
from cardgen.deck.model import Deck
from cardgen.geometry import Size
from cardgen.pages.impose import Page
from cardgen.pages.printer import Printer, find_correction, is_printed_at_home
from cardgen.pages.settle import fit_printer, is_lying
from cardgen.pages.slug import add_slugs, name_sheet
from cardgen.pages.target import Target
from cardgen.printer_settings import Profiles


def choose_printer(
    target: Target, card: Size, profiles: Profiles | None
) -> tuple[Target, Printer | None, str | None]:
    """A settled target as the printer takes it, the printer, and the name of one that is known, but
    not for paper that lies so.
    """
    if profiles is None or not is_printed_at_home(target):
        return target, None, None
    lying = is_lying(target, card)
    printer = profiles.choose(lying=lying)
    fitted = target if printer is None else fit_printer(target, printer, card)
    return fitted, printer, profiles.find_lacking(lying=lying)


def finish_pages(
    pages: Iterable[Page], deck: Deck, target: Target, printer: Printer | None, *, reverse: bool
) -> tuple[Page, ...]:
    """All pages of a settled target, as they are to be printed."""
    found = list(pages)
    if reverse:
        found.reverse()
    if printer is not None:
        found = [_correct(page, target, printer) for page in found]
    if not target.slug and printer is None:
        return tuple(found)
    sheets = max((page.number for page in found), default=0)
    edition = name_edition(deck)

    def say(page: Page) -> str:
        said = [deck.title, edition, name_sheet(page, sheets), target.name]
        corrected = [] if printer is None else [f"printer {printer.name}"]
        return " · ".join(filter(None, said + corrected if target.slug else corrected))

    return tuple(add_slugs(found, target.margin, say))


def _correct(page: Page, target: Target, printer: Printer) -> Page:
    axis = target.find_axis(page.size)
    return replace(page, correction=find_correction(printer, page.size, page.side, axis))
