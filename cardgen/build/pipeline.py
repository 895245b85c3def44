"""The whole way from a deck to a file, on one screen.

project, deck   cardgen.toml read, names to be looked up; the cards
plan            which copies, where on which page, for which target; the templates, read
drawn           the pages, drawn when they are taken, in as many processes as it is worth
built           the files written page by page, and then put in their places
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from cardgen.build.deliver import Built, check_place, deliver, inspect, list_notes
from cardgen.build.draw import Progress, draw
from cardgen.build.faults import find_all
from cardgen.build.gaps import find_gaps
from cardgen.build.manifest import keep_changed
from cardgen.build.plan import USUAL, BuildOptions, Plan, make_plan
from cardgen.core.budget import watch
from cardgen.core.errors import CardgenError, Problem
from cardgen.deck.model import Deck
from cardgen.layout.copyfit import Shrunk
from cardgen.output.files import leaving_no_folder
from cardgen.project.project import Project, open_deck


def build_deck(
    name: str | Path, options: BuildOptions = USUAL, progress: Progress | None = None
) -> Built:
    """Build the deck of a name or path from the folder in hand."""
    opened = open_deck(name, options.language, draft=True)
    try:
        return build_opened(*opened, options, progress)
    except CardgenError as error:
        raise find_all(error, opened, options) from error


def build_opened(
    project: Project, deck: Deck, options: BuildOptions = USUAL, progress: Progress | None = None
) -> Built:
    """Build a deck that is read already.

    Where nothing has changed since the time that the options name, nothing is written.
    """
    with watch():
        if not options.draft:
            _refuse_faulty(deck)
        plan = make_plan(project, deck, options)
        if options.draft:
            _check_draft(plan)
        known = None
        if options.since is not None:
            plan, known = keep_changed(plan, options.since)
            if not plan.copies:
                return Built(deck.name, plan.whole, unchanged=len(known.copies))
        with leaving_no_folder(plan.path):
            check_place(plan, make=True)
            drawn = draw(plan, progress)
            return deliver(plan, drawn, known)


def _refuse_faulty(deck: Deck) -> None:
    """Raise what is wrong with a deck that was read in spite of it."""
    if deck.problems:
        raise CardgenError.of(deck.problems)


def _check_draft(plan: Plan) -> None:
    """Refuse a draft that somebody would cut and sell."""
    if plan.is_sent:
        raise CardgenError(
            "build/draft-for-press",
            f'the target "{plan.target.name}" prints no drafts',
            hint="choose one that is printed at home, as a4; or leave --draft out",
            details={"target": plan.target.name},
        )


class Checked(NamedTuple):
    """The result of a check that found no error: texts set smaller, gaps in what was translated,
    what preflight warns of, and what was taken in another way than it is written.
    """

    shrunk: tuple[Shrunk, ...]
    gaps: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()


def check_deck(name: str | Path, options: BuildOptions = USUAL) -> Checked:
    """Raise everything that a build would complain of, writing nothing."""
    opened = open_deck(name, options.language, draft=True)
    try:
        return check_opened(*opened, options)
    except CardgenError as error:
        raise find_all(error, opened, options) from error


def check_opened(project: Project, deck: Deck, options: BuildOptions = USUAL) -> Checked:
    """Raise everything that a build of a deck would complain of, writing nothing."""
    with watch():
        _refuse_faulty(deck)
        plan = make_plan(project, deck, options)
        check_place(plan, make=False)
        drawn = draw(plan)
        warnings = inspect(plan, drawn)
        return Checked(drawn.shrunk, find_gaps(plan.templates), warnings, list_notes(plan, drawn))
