"""All that is wrong with a deck and its templates, found in one run.

Where a build fails, the deck is drawn once more as a draft that nobody sees: what is wrong in one
place hides nothing in another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cardgen.build.draw import Drawing, draw
from cardgen.build.plan import BuildOptions, Plan, make_plan
from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.project.project import Projects, open_deck


def list_problems(plan: Plan, drawn: Drawing) -> tuple[Problem, ...]:
    """Return what is wrong with the deck, the templates and the faces of a draft that is drawn."""
    deck, templates = plan.deck, plan.templates
    return gather((*deck.problems, *templates.faults, *drawn.problems), str(deck.path))


def find_all(
    error: CardgenError, name: str | Path, options: BuildOptions, projects: Projects | None = None
) -> CardgenError:
    """Return the error of a build that failed, with everything else that is wrong."""
    options = replace(options, draft=True, since=None)
    found: tuple[Problem, ...] = ()
    file = ""
    try:
        project, deck = open_deck(name, options.language, projects=projects, draft=True)
        found, file = deck.problems, str(deck.path)
        plan = make_plan(project, deck, options)
        drawn = draw(plan)
        drawn.find_hashes()
        found = list_problems(plan, drawn)
    except CardgenError as other:
        found += other.problems
    return CardgenError.of(gather((*error.problems, *found), file))


def gather(problems: Iterable[Problem], file: str) -> tuple[Problem, ...]:
    """Return problems, each once, by their places, those in the deck's own file first; one that
    many cards have is said of the first.
    """
    distinct: dict[tuple[object, ...], Problem] = {}
    for problem in problems:
        said = (problem.hint,) if problem.alike else (problem.subject, problem.where)
        distinct.setdefault((problem.message, *said), problem)
    ordered = sorted(distinct.values(), key=lambda problem: _rank(problem, file))
    return tuple(_join_alike(ordered))


def _rank(problem: Problem, file: str) -> tuple[bool, str, int, int]:
    where = problem.where or Where(file)
    return where.file != file, where.file, where.line or 0, where.column or 0


# Names that many cards may have, of which each is said once.
_NAMED = ("name/unknown",)


def _join_alike(problems: Iterable[Problem]) -> list[Problem]:
    """Say once what is the same on many cards, and on how many."""
    groups: dict[tuple[str, str], list[Problem]] = defaultdict(list)
    for problem in problems:
        key = (problem.code, str(problem.details.get("kind")) + str(problem.details.get("name")))
        own = problem.code in _NAMED and problem.card is not None
        groups[key if own else ("", str(id(problem)))].append(problem)
    joined: list[Problem] = []
    for first, *others in groups.values():
        cards = dict.fromkeys(problem.card for problem in (first, *others))
        if len(cards) < 2:
            joined += (first, *others)
            continue
        more = len(cards) - 1
        cards_more = f"{more:,} more card{'' if more == 1 else 's'}"
        details = {**first.details, "cards": len(cards)}
        subject = f"{first.subject} and {cards_more}"
        joined.append(replace(first, subject=subject, details=details))
    return joined
