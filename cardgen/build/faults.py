"""All that is wrong with a deck and its templates, found in one run.

Where a build fails, the faces of the deck are composed once more as a draft that nobody sees: what
is wrong in one place hides nothing in another. Where all faces were made and some failed, these are
enough.
"""

from __future__ import annotations

from dataclasses import replace

from cardgen.build.draw import Drawing, FaultyFaces, draw
from cardgen.build.plan import BuildOptions, Plan, make_plan, plan_copies
from cardgen.build.problems import gather
from cardgen.build.templates import Draft
from cardgen.core.budget import watch
from cardgen.core.errors import CardgenError, Problem
from cardgen.project.project import OpenedDeck

# To compose more copies once more takes too long to say what else is wrong.
MOST_MADE_AGAIN = 10_000
# What a machine lacks says nothing of the deck, and it would lack it again; nor would a step that
# does not end come to its end.
OF_THE_MACHINE = ("print/worker-lost", "print/endless-step", "file/not-written")


def list_problems(plan: Plan, drawn: Drawing) -> tuple[Problem, ...]:
    """Return what is wrong with the deck, the templates and the faces of a draft that is drawn."""
    deck, templates = plan.deck, plan.templates
    return gather((*deck.problems, *templates.faults, *drawn.problems), str(deck.path))


def find_all(error: CardgenError, opened: OpenedDeck, options: BuildOptions) -> CardgenError:
    """Return the error of a build that failed, with everything else that is wrong.

    Of a very large deck not all faces are made once more for it, and none where a machine has no
    memory or no room on its disk.
    """
    if any(problem.code in OF_THE_MACHINE for problem in error.problems):
        return error
    options = replace(options, draft=True, since=None)
    project, deck = opened
    found = deck.problems
    try:
        plan = make_plan(project, deck, options)
        found += tuple(plan.templates.faults)
        if isinstance(error, FaultyFaces):
            plan = plan_copies(plan, error.copies)
        plan.templates.draft = Draft(seen=False)
        if len(plan.copies) <= MOST_MADE_AGAIN:
            with watch():
                found = (*found, *draw(plan).judge())
    except CardgenError as other:
        found += other.problems
    known = {(problem.code, problem.where) for problem in found}
    own = [one for one in error.problems if (one.code, one.where) not in known]
    return CardgenError.of(gather((*own, *found), str(deck.path)))
