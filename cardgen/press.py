"""What a target asks for a press, looked up: its profile, enough bleed, the time that files tell.

Part of build. Writes nothing.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.errors import CardgenError, Problem
from cardgen.geometry import Insets
from cardgen.library import Library
from cardgen.pages.target import Target
from cardgen.units import format_mm

if TYPE_CHECKING:
    from cardgen.faces import FaceMaker
    from cardgen.output.profile import Profile

_SLACK = 0.02  # lengths in messages are rounded to 0.01mm
_EDGES = {"left": "at the left", "top": "at the top", "right": "at the right", "bottom": "below"}


def find_profile(target: Target, library: Library) -> Profile | None:
    """The profile that a target names, sure to be one of a press."""
    if target.profile is None:
        return None
    from cardgen.output.profile import read_profile

    where = target.find_place("profile")
    profile = read_profile(library.find("profile", target.profile, where), where)
    if target.flavour == "x-1a" and profile.version > 2:
        raise CardgenError(
            f'the profile "{profile.path.name}" is of ICC version {profile.version}, and PDF/X-1a '
            "holds version 2",
            where,
            'save it as version 2, name another, or write flavour = "x-4"',
        )
    return profile


def check_bleed(target: Target, faces: FaceMaker) -> None:
    """Complain of templates that bleed less than the target shows, where it wants all of it."""
    if not target.full_bleed:
        return
    problems = []
    for side, name, template in faces.list_templates():
        needed = target.show_bleed(side, Insets.even(inf))
        given = template.format.bleed
        for edge, room, there in zip(Insets._fields, needed, given, strict=True):
            if there < room - _SLACK:
                axis = "x" if edge in ("left", "right") else "y"
                problems.append(
                    Problem(
                        f'the template "{name}" bleeds too little for the target '
                        f'"{target.name}": {format_mm(room)} are needed, and it has '
                        f"{format_mm(there)} {_EDGES[edge]}",
                        template.where,
                        f'write bleed="{format_mm(room)}" there, and paint as far; or bleed_{axis} '
                        f'= "{format_mm(there)}" in a target of your own',
                    )
                )
                break
    if problems:
        raise CardgenError.of(problems)


def find_date(path: Path) -> datetime:
    """The time that a file says it was made at: that of the deck's last change, in UTC.

    SOURCE_DATE_EPOCH goes before it, as in other programs whose files are to be made anew alike.
    """
    told = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        seconds = float(told) if told.isdigit() else path.stat().st_mtime
    except OSError:  # a deck that never was a file
        seconds = 946_684_800
    return datetime.fromtimestamp(int(seconds), UTC)
