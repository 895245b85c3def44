"""What tests make of a deck: plans, faces and files, by the names of the options that matter."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from cardgen.build.deliver import Built
from cardgen.build.faces import FaceMaker
from cardgen.build.pipeline import Checked, build_opened, check_opened
from cardgen.build.plan import BuildOptions, Plan, make_plan
from cardgen.build.templates import DeckTemplates
from cardgen.deck.model import Copies, Deck
from cardgen.layout.copyfit import Shrunk
from cardgen.project.project import OpenedDeck, open_deck, open_project_of


def load_deck(name: str | Path, *, lang: str | None = None, lenient: bool = False) -> Deck:
    """Return the deck of a name or path."""
    return open_deck(name, lang, lenient=lenient).deck


def build(deck: Deck | str | Path, *, out: str | Path | None = None, **options: Any) -> Built:
    """Build a deck as it is, or that of a name or path."""
    return build_opened(*_open(deck), BuildOptions(out=Path(out) if out else None, **options))


def check(deck: Deck | str | Path, **options: Any) -> Checked:
    """Raise everything that a build would complain of."""
    return check_opened(*_open(deck), BuildOptions(**options))


def plan_build(deck: Deck | str | Path, **options: Any) -> Plan:
    """Return the plan of a build."""
    return make_plan(*_open(deck), BuildOptions(**options))


@dataclass(frozen=True)
class Prepared:
    """A planned build, and a maker of its faces."""

    plan: Plan
    faces: FaceMaker

    @property
    def deck(self) -> Deck:
        return self.plan.deck

    @property
    def copies(self) -> Copies:
        return self.plan.copies

    @property
    def templates(self) -> DeckTemplates:
        return self.plan.templates


def prepare(deck: Deck | str | Path, **options: Any) -> Prepared:
    """Return a plan, ready to make faces."""
    plan = plan_build(deck, **options)
    return Prepared(plan, FaceMaker(plan.templates))


def list_shrunk(job: Prepared) -> list[Shrunk]:
    """Return the texts that were set smaller since the last time, each once."""
    found = chain.from_iterable(job.faces.take_shrunk().values())
    return list(dict.fromkeys(found))  # copies that differ say the same


def _open(deck: Deck | str | Path) -> OpenedDeck:
    return (
        OpenedDeck(open_project_of(deck.path), deck) if isinstance(deck, Deck) else open_deck(deck)
    )
