"""What a job's pages get besides cards: their order, what undoes a printer's faults, and the line
in the margin.

Part of build. Knows decks and printers, but not how cards lie on a page.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from cardgen.core.geometry import Size
from cardgen.deck.model import Deck
from cardgen.pages.impose import Page
from cardgen.pages.printer import Printer, find_correction, is_printed_at_home
from cardgen.pages.settle import fit_printer, is_lying
from cardgen.pages.slug import add_slugs, name_sheet
from cardgen.pages.target import Target
from cardgen.project.printers import Profiles

_EPOCH = "SOURCE_DATE_EPOCH"
_LAST_SECOND = 253_402_300_799.0  # of the year 9999


def name_edition(deck: Deck, environment: Mapping[str, str] = os.environ) -> str:
    """The version, or the day of the last change in UTC; empty for a deck of no file."""
    if deck.version:
        return f"version {deck.version}"
    changed = _read_epoch(environment.get(_EPOCH, "")) or _find_last_change(deck)
    return datetime.fromtimestamp(changed, UTC).date().isoformat() if changed else ""


def _read_epoch(text: str) -> float:
    """The time that reproducible builds are given, or 0 where there is none that can be read."""
    return min(float(text), _LAST_SECOND) if text.isdecimal() else 0.0


def _find_last_change(deck: Deck) -> float:
    """When the newest of a deck's files was written: its own, its table, and what it extends."""
    times = [0.0]
    for name in {str(deck.path), *(card.where.file for card in deck.cards)}:
        with suppress(OSError):
            times.append(Path(name).stat().st_mtime)
    return max(times)


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


# MERGED: Which edition of a deck is printed: its version where it has one, else the date of its files.
#
#   Knows nothing of what is printed.
#
