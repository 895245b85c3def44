"""A finished PDF checked for a target: what the target asks for becomes what preflight looks for.

The place where targets and preflight meet; neither knows the other.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.errors import CardgenError, Problem, Where
from cardgen.preflight.check import check_file
from cardgen.preflight.wants import Wants
from cardgen.preflight.wording import format_problems

if TYPE_CHECKING:
    from cardgen.geometry import Size
    from cardgen.pages.target import Target
    from cardgen.preflight.findings import Report


def check_pdf(
    file: bytes | str | Path,
    target: Target | None = None,
    *,
    name: str = "",
    trim: Size | None = None,
    pages: int | None = None,
) -> Report:
    """Preflight for a target, or for print shops in general.

    `trim` and `pages` are known to whoever made the file; `name` is what messages call it.
    """
    wants = make_wants(target, trim, pages) if target else None
    return check_file(file, wants, name)


def make_wants(target: Target, trim: Size | None = None, pages: int | None = None) -> Wants:
    """What a target asks of a file.

    A sheet for a home printer asks for little: what is not so is a warning. Whether a text is
    within its card's safe area is only known where the page is the card.
    """
    press = target.flavour != "plain"
    single = target.paper is None
    bleeds = single or press or target.full_bleed
    binding = bleeds or target.colour != "given" or target.total_ink is not None
    back_x, back_y = target.back_bleed_x, target.back_bleed_y
    return Wants(
        asked_by=f'the target "{target.name}"',
        binding=binding,
        flavour=target.flavour,
        bleed_x=min(target.bleed_x, target.bleed_x if back_x is None else back_x) * bleeds,
        bleed_y=min(target.bleed_y, target.bleed_y if back_y is None else back_y) * bleeds,
        safe=target.safe if single else 0.0,
        dpi=float(target.dpi) if binding else min(target.dpi, Wants().dpi),
        total_ink=target.total_ink,
        colour=target.colour,
        smallest_text=target.smallest_text,
        thinnest_line=target.thinnest_line,
        trim=trim if single else None,
        pages=pages,
    )


def refuse_faulty(report: Report) -> None:
    """Raise the errors of a report; a file that has none is good."""
    problems = [
        Problem(message, Where(report.name), cure) for message, cure in format_problems(report)
    ]
    if problems:
        raise CardgenError.of(problems)
