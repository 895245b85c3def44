"""Pages made ready to print: in order, corrected for a printer, with the line in the margin.

Knows decks and printers, but not how cards lie on a page.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from cardgen.core.epoch import read_epoch
from cardgen.deck.model import Deck
from cardgen.pages.impose import Page
from cardgen.pages.printer import Printer, find_correction, is_printed_at_home
from cardgen.pages.sheets.protocol import Batch, Sheets
from cardgen.pages.slug import add_slugs, name_sheet
from cardgen.pages.target import Target
from cardgen.project.printers import Profiles


def name_edition(deck: Deck) -> str:
    """Return the version, or the day of the last change in UTC; nothing for a deck of no file."""
    if deck.version:
        return f"version {deck.version}"
    changed = read_epoch() or _find_last_change(deck)
    return datetime.fromtimestamp(changed, UTC).date().isoformat() if changed else ""


def _find_last_change(deck: Deck) -> float:
    """Return when the newest of the files was written that a deck is made of."""
    times = [0.0]
    for name in deck.list_files():
        with suppress(OSError):
            times.append(Path(name).stat().st_mtime)
    return max(times)


class Correction(NamedTuple):
    """The sheets as a printer takes them, and the printer, where one is known.

    lacking: the name of one that is known, but not for paper that lies so
    places: how many of how many places on a sheet it reaches, where it does not reach all
    """

    sheets: Sheets
    printer: Printer | None = None
    lacking: str | None = None
    places: tuple[int, int] | None = None


def choose_printer(sheets: Sheets, profiles: Profiles | None) -> Correction:
    """Return the sheets as the printer takes them that the profiles name."""
    if profiles is None or not is_printed_at_home(sheets.target):
        return Correction(sheets)
    printer = profiles.choose(lying=sheets.is_lying)
    lacking = profiles.find_lacking(lying=sheets.is_lying)
    if printer is None:
        return Correction(sheets, None, lacking)
    fitted = sheets.fit_printer(printer)
    places = fitted.count_places(), sheets.count_places()
    return Correction(fitted, printer, lacking, places if places[0] < places[1] else None)


def finish_pages(
    sheets: Sheets,
    batch: Batch,
    deck: Deck,
    printer: Printer | None,
    *,
    reverse: bool,
    draft: bool = False,
    below: int = 0,
) -> tuple[Page, ...]:
    """Return all pages of some copies, as they are to be printed.

    below: how many pages there are to lie below them
    """
    target = sheets.target
    found = list(sheets.lay(batch))
    if below:
        has_backs = any(copy.back for copy in batch.copies)
        found = [_lay_over(page, target, below, has_backs=has_backs) for page in found]
    if reverse:
        found.reverse()
    if printer is not None:
        found = [_correct(page, target, printer) for page in found]
    if not target.marks.slug and printer is None:
        return tuple(found)
    last = max((page.number for page in found), default=0)
    edition = name_edition(deck)

    def say(page: Page) -> str:
        said = ["DRAFT"] if draft else []
        said += [deck.title, edition, name_sheet(page, last), target.name]
        corrected = [] if printer is None else [f"printer {printer.name}"]
        return " · ".join(filter(None, said + corrected if target.marks.slug else corrected))

    return tuple(add_slugs(found, target.paper.margin, say))


def _lay_over(page: Page, target: Target, below: int, *, has_backs: bool) -> Page:
    """Return a page with the one that lies below it: they are taken in turn, and where sheets have
    two sides every second one is for the backs.
    """
    place = page.number - 1
    if has_backs and target.find_axis(page.size) is not None:
        place = 2 * place + (page.side == "back")
    return page._replace(below=place % below)


def has_slug(target: Target) -> bool:
    """Whether sheets have a line in the margin."""
    return target.marks.slug and target.paper.size is not None


def _correct(page: Page, target: Target, printer: Printer) -> Page:
    axis = target.find_axis(page.size)
    return page._replace(correction=find_correction(printer, page.size, page.side, axis))
