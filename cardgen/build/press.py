"""Meets the demands of a press: a profile, enough bleed, the time that files tell, and a file in
which preflight finds nothing wrong.

Targets and preflight meet here; neither knows the other.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.build.templates import DeckTemplates
from cardgen.core.epoch import read_epoch
from cardgen.core.errors import CardgenError, Problem
from cardgen.core.geometry import Insets
from cardgen.core.library import Library
from cardgen.core.shape import RECTANGLE, Shape
from cardgen.core.units import MM, format_mm
from cardgen.pages.marks import DIE_INK
from cardgen.pages.target import Target

if TYPE_CHECKING:
    from cardgen.core.geometry import Size
    from cardgen.output.inks import Profile
    from cardgen.preflight.report import Report
    from cardgen.preflight.wants import Pairs, Wants

_SHOWN = "coated-fogra39-300"
_SLACK = 0.02  # lengths in messages are rounded to 0.01mm
_EDGES = {"left": "at the left", "top": "at the top", "right": "at the right", "bottom": "below"}


def read_press_profile(target: Target, library: Library, *, seen: bool = False) -> Profile | None:
    """Return the profile that a target names, sure to be one of a press; None if it names none.

    seen: whether what is given in inks is shown as it looks, as pictures do; that takes a profile,
        and there is a usual one
    """
    name = target.press.profile
    if name is None and (seen or target.file.format != "pdf"):
        name = _SHOWN
    if name is None:
        return None
    from cardgen.output.inks import read_profile

    where = target.find_place("profile")
    profile = read_profile(library.get("profile", name, where), where)
    if target.press.flavour == "x-1a" and profile.version > 2:
        raise CardgenError(
            "press/profile-version",
            f'the profile "{profile.path.name}" is of ICC version {profile.version}, and PDF/X-1a '
            "holds version 2",
            where,
            'save it as version 2, name another, or write flavour = "x-4"',
            details={"name": profile.path.name, "version": profile.version},
        )
    return profile


def check_bleed(target: Target, templates: DeckTemplates, kinds: Collection[int]) -> None:
    """Refuse templates of cards of some kinds that bleed less than the target shows, where it wants
    all of it.
    """
    if not target.grid.full_bleed:
        return
    problems = []
    for side, name, template in templates.kinds.list_used(kinds):
        needed = target.show_bleed(side, Insets.even(inf))
        given = template.format.bleed
        for edge, room, there in zip(Insets._fields, needed, given, strict=True):
            if there < room - _SLACK:
                axis = "x" if edge in ("left", "right") else "y"
                hint = f'write bleed="{format_mm(room)}" there, and paint as far'
                # Pixels of products say how much there is.
                if not any(product.width for product in target.file.products):
                    given_up = f'bleed_{axis} = "{format_mm(there)}"'
                    hint += f"; or {given_up} in a target of your own"
                problems.append(
                    Problem(
                        "press/too-little-bleed",
                        f'the template "{name}" bleeds too little for the target '
                        f'"{target.name}": {format_mm(room)} are needed, and it has '
                        f"{format_mm(there)} {_EDGES[edge]}",
                        template.where,
                        hint,
                        details={
                            "name": name,
                            "target": target.name,
                            "needed": round(room / MM, 2),
                            "given": round(there / MM, 2),
                        },
                    )
                )
                break
    if problems:
        raise CardgenError.of(problems)


def get_date(path: Path) -> datetime:
    """Return the time that a file says it was made at: the deck's last change, in UTC.

    SOURCE_DATE_EPOCH goes before it, as in other programs whose files are to be made anew alike.
    """
    seconds: float | None = read_epoch()
    try:
        seconds = path.stat().st_mtime if seconds is None else seconds
    except OSError:  # a deck that never was a file
        seconds = 946_684_800
    return datetime.fromtimestamp(int(seconds), UTC)


def check_pdf(
    file: bytes | str | Path,
    target: Target | None = None,
    *,
    name: str = "",
    trim: Size | None = None,
    shape: Shape = RECTANGLE,
    pages: int | None = None,
) -> Report:
    """Return the report of preflight for a target, or for print shops in general.

    `trim`, `shape` and `pages` are known to whoever made the file; `name` is what messages call it.
    """
    from cardgen.preflight.check import check_file

    wants = make_wants(target, trim, pages, shape) if target else None
    return check_file(file, wants, name)


def check_strange_pdf(file: str | Path, target: Target | None = None) -> Report:
    """Return the report of preflight on a file of anybody's, within limits of time and memory."""
    from cardgen.preflight.check import check_strange_file

    return check_strange_file(file, make_wants(target) if target else None)


def make_wants(
    target: Target,
    trim: Size | None = None,
    pages: int | None = None,
    shape: Shape = RECTANGLE,
) -> Wants:
    """Return a target's demands on a file.

    A sheet for a home printer asks for little: what is not so is a warning. Whether a text is
    within its card's safe area is only known where the page is the card.
    """
    from cardgen.preflight.profiles import find_condition
    from cardgen.preflight.wants import Wants

    press = target.press.flavour != "plain"
    single = target.paper.size is None
    bleeds = single or press or target.grid.full_bleed
    binding = bleeds or target.press.colour != "given" or target.press.total_ink is not None
    back_x, back_y = target.grid.back_bleed_x, target.grid.back_bleed_y
    return Wants(
        asked_by=f'the target "{target.name}"',
        binding=binding,
        flavour=target.press.flavour,
        bleed_x=min(target.grid.bleed_x, target.grid.bleed_x if back_x is None else back_x)
        * bleeds,
        bleed_y=min(target.grid.bleed_y, target.grid.bleed_y if back_y is None else back_y)
        * bleeds,
        safe=target.grid.safe if single else 0.0,
        dpi=float(target.file.dpi) if binding else min(target.file.dpi, Wants().dpi),
        total_ink=target.press.total_ink,
        colour=target.press.colour,
        smallest_text=target.press.smallest_text,
        thinnest_line=target.press.thinnest_line,
        trim=trim if single else None,
        shape=shape if single else RECTANGLE,
        pages=pages,
        pairs=_find_pairs(target),
        die_ink=DIE_INK if target.press.die_line == "spot" else "",
        condition=find_condition(target.press.profile or ""),
    )


def _find_pairs(target: Target) -> Pairs | None:
    """Return the order of a card's two pages, where each page is a face and has its other one."""
    if target.paper.size is not None or not target.keeps_step:
        return None
    return None if target.duplex.order == "fronts-backs" else target.duplex.order


def refuse_faulty(report: Report) -> None:
    """Raise the errors of a report; a file without errors is good."""
    from cardgen.preflight.report import list_problems

    problems = list_problems(report)
    if problems:
        raise CardgenError.of(problems)


def list_doubts(report: Report) -> tuple[Problem, ...]:
    """Return what a report warns of, behind its errors where they are let go."""
    from cardgen.preflight.report import list_problems

    return (*list_problems(report), *list_problems(report, "warning"))
