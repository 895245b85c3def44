"""The faces of two decks side by side: those of every card that differs, before and after.

Knows the order from a comparison to a finished file. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardgen.build.faces import FaceMaker, MadeFace
from cardgen.build.templates import DeckTemplates
from cardgen.core.errors import CardgenError, Problem
from cardgen.core.version import VERSION
from cardgen.deck.compare import Comparison
from cardgen.deck.model import Card, Copy, Deck
from cardgen.output.pdf import FilledPage, PageDrawer, PlacedFace, make_pdf
from cardgen.output.pdfx import Head
from cardgen.output.resources import Resources
from cardgen.pages.impose import Page, Placement
from cardgen.pages.sheets.pairs import Pair, arrange_pairs
from cardgen.pages.target import Side
from cardgen.project.project import Project


class _Shown(NamedTuple):
    """A pair of faces: of the card on one side, in either deck."""

    caption: str
    before: MadeFace | None
    after: MadeFace | None


class _Maker:
    """Makes the faces of one of the two decks."""

    def __init__(self, deck: Deck, project: Project, target: str | None, look: str | None) -> None:
        self.deck = deck
        self.paper = project.get_target(target).page
        self.templates = DeckTemplates(deck, project.get_library(look), self.paper)
        if look is not None:
            self.templates.check_look()
        self.faces = FaceMaker(self.templates)
        self.faces.look_at_all()
        self._numbers = {card.id: number for number, card in enumerate(deck.cards)}
        self.problems: list[Problem] = []

    def get_face(self, card: Card | None, side: Side) -> MadeFace | None:
        if card is None:
            return None
        try:
            return self.faces.get_face(Copy(self._numbers[card.id], 0), side)
        except CardgenError as error:
            self.problems += [p for p in error.problems if p not in self.problems]
            return None


def draw_side_by_side(
    found: Comparison,
    projects: tuple[Project, Project],
    *,
    target: str | None = None,
    look: str | None = None,
) -> tuple[bytes, int]:
    """Return a PDF of all cards that differ, and how many pages it has.

    projects: those of the deck before and of the deck after
    """
    before = _Maker(found.before, projects[0], target, look)
    after = _Maker(found.after, projects[1], target, look)
    shown = list(_list_shown(found, before, after))
    problems = [*before.problems, *(p for p in after.problems if p not in before.problems)]
    if problems:
        raise CardgenError.of(problems)
    title = f"{found.before.name} → {found.after.name}"
    pages = arrange_pairs(
        [Pair(one.caption, one.before is not None, one.after is not None) for one in shown],
        title,
        before.templates.kinds.largest,
        after.templates.kinds.largest,
        after.paper,
    )

    def fill(page: Page) -> FilledPage:
        faces = (_choose_face(shown, placement) for placement in page.placements)
        placed = tuple(made and PlacedFace(made.face, made.again) for made in faces)
        return FilledPage(page, placed, tuple(map(after.faces.set_note, page.notes)))

    resources = Resources()
    drawer = PageDrawer(resources)
    drawn = [drawer.draw(fill(page)) for page in pages]
    head = Head(title, after.deck.author, after.deck.language, f"cardgen {VERSION}", "none")
    return make_pdf(head, drawn, resources), len(drawn)


def _choose_face(shown: Sequence[_Shown], placement: Placement) -> MadeFace | None:
    one = shown[placement.index // 2]
    return one.after if placement.index % 2 else one.before


def _list_shown(found: Comparison, before: _Maker, after: _Maker) -> Iterator[_Shown]:
    """Give every card that differs, in the order of the deck after; the dropped ones come last."""
    old = {card.id: card for card in found.before.cards}
    changed = {card.after.id: card for card in found.changed}
    cards: list[tuple[Card | None, Card | None, str]] = []
    for card in found.after.cards:
        if card.id not in old:
            cards.append((None, card, f"{card.name}: added"))
        elif card.id in changed:
            keys = ", ".join(change.key for change in changed[card.id].changes)
            cards.append((old[card.id], card, f"{card.name}: {keys}"))
        elif found.changes_all:
            cards.append((old[card.id], card, card.name))
    cards += [(card, None, f"{card.name}: dropped") for card in found.dropped]
    backs: set[tuple[str, str]] = set()
    for one, other, caption in cards:
        yield _Shown(caption, before.get_face(one, "front"), after.get_face(other, "front"))
        pair = before.get_face(one, "back"), after.get_face(other, "back")
        dumps = tuple(made.face.dump() if made else "" for made in pair)
        # Backs are alike on most cards: a change is shown once.
        if one and other and dumps[0] != dumps[1] and dumps not in backs:
            backs.add((dumps[0], dumps[1]))
            yield _Shown(f"{caption.partition(': ')[0]}: back", *pair)
