"""The pages of a plan drawn: in one go, or on a large deck in parts, each by a process of its own.

Knows the order from a page and its faces to a drawn page. Knows nothing of files on disk.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from cardgen.build.faces import DeckTemplates, FaceMaker, MadeFace
from cardgen.build.plan import Plan
from cardgen.core.errors import CardgenError, Problem
from cardgen.core.workers import count_parts, start_worker
from cardgen.deck.model import Card, Copy
from cardgen.layout.copyfit import Shrunk
from cardgen.layout.face import Face, Form, Item, Picture
from cardgen.output.images import count_half_transparent
from cardgen.output.inks import Prepress, choose_prepress
from cardgen.output.pdf import DrawnPage, FilledPage, PageDrawer, PlacedFace
from cardgen.output.resources import Portable, Resources
from cardgen.pages.impose import Page, Placement
from cardgen.pages.target import Side

# Below so many pages a part, starting a process costs more than it saves.
FEWEST_PAGES = 20
MOST_PARTS = 4

# Told how many of how many cards are drawn.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Work:
    """Pages that are to be drawn, and all that they show.

    title_side: the side on which a card's bookmark stands
    labelled: whether each page is called after its card
    """

    templates: DeckTemplates
    copies: Sequence[Copy]
    pages: Sequence[Page]
    prepress: Prepress
    title_side: Side = "front"
    labelled: bool = False


class Drawn(NamedTuple):
    """All pages of some work, what they share, and what was wrong with faces that are missing."""

    pages: list[DrawnPage]
    resources: Resources
    problems: list[Problem]
    shrunk: tuple[Shrunk, ...]


def draw(plan: Plan, progress: Progress | None = None) -> Drawn:
    """Draw all pages of a plan; what is wrong with any card is raised together."""
    drawn = draw_work(make_work(plan, plan.pages), progress)
    if drawn.problems:
        raise CardgenError.of(drawn.problems)
    return drawn


def make_work(plan: Plan, pages: Sequence[Page]) -> Work:
    """Return the work of drawing some pages with a plan's faces and inks."""
    return Work(
        plan.templates,
        plan.copies,
        pages,
        choose_prepress(plan.target, plan.profile),
        title_side="front" if "front" in plan.sides else "back",
        labelled=plan.target.paper.size is None and not plan.makes_pictures,
    )


def draw_work(work: Work, progress: Progress | None = None) -> Drawn:
    """Draw all pages, on as many processors as it is worth."""
    with _no_collection():
        faces = FaceMaker(work.templates)
        faces.gather_sizes()
        parts = count_parts(len(work.pages), FEWEST_PAGES, MOST_PARTS)
        if parts > 1:
            drawn = _draw_in_parts(work, faces, parts, progress)
            if drawn is not None:
                return drawn
        resources = Resources(work.prepress)
        part = _draw_part(work, faces, work.pages, resources, progress, 1.0)
        return Drawn(part.pages, resources, part.problems, tuple(part.shrunk))


class _Part(NamedTuple):
    """Some pages of the work, as plain data that another process can read."""

    pages: list[DrawnPage]
    resources: Portable
    problems: list[Problem]
    shrunk: list[Shrunk]


def _draw_in_parts(
    work: Work, faces: FaceMaker, parts: int, progress: Progress | None
) -> Drawn | None:
    """Draw the first part here, the others elsewhere; None if they cannot be put together."""
    pages = work.pages
    bounds = [len(pages) * number // parts for number in range(parts + 1)]
    first = bounds[1]
    workers = [
        start_worker(partial(_send_part, work, faces, pages[start:end]))
        for start, end in pairwise(bounds[1:])
    ]
    resources = Resources(work.prepress)
    own = _draw_part(work, faces, pages[:first], resources, progress, len(pages) / first)
    drawn, problems, shrunk = list(own.pages), _Problems(), list(own.shrunk)
    problems.add(own.problems)
    fits = True
    for worker in workers:
        part: _Part = worker.receive()
        worker.process.join()
        drawn += part.pages
        problems.add(part.problems)
        shrunk += part.shrunk
        fits = resources.unpack(part.resources, faces.open_font) and fits
    # A card whose copies lie in two parts was made in both.
    told = tuple(dict.fromkeys(shrunk))
    return Drawn(drawn, resources, list(problems.values()), told) if fits else None


def _send_part(work: Work, faces: FaceMaker, pages: Sequence[Page], sender: Connection) -> None:
    sender.send(_draw_part(work, faces, pages, Resources(work.prepress), None, 1.0))


def _draw_part(
    work: Work,
    faces: FaceMaker,
    pages: Sequence[Page],
    resources: Resources,
    progress: Progress | None,
    parts: float,
) -> _Part:
    """Draw some pages; `parts` is how many such parts the work has."""
    drawer = PageDrawer(resources)
    filler = _PageFiller(work, faces)
    drawn = []
    furthest = 0.0  # backs that come last are of copies that were counted with their fronts
    for page in pages:
        drawn.append(drawer.draw(filler.fill(page)))
        if progress is not None and page.placements:
            furthest = max(furthest, (page.placements[-1].index + 1) * parts)
            progress(min(round(furthest), len(work.copies)), len(work.copies))
    return _Part(drawn, resources.pack(), list(filler.problems.values()), faces.shrunk)


class _PageFiller:
    """Fills pages with their faces, titles and lines; gathers what is wrong with a face."""

    def __init__(self, work: Work, faces: FaceMaker) -> None:
        self._work = work
        self._faces = faces
        self._deck = work.templates.deck
        self.problems = _Problems()

    def fill(self, page: Page) -> FilledPage:
        placed = tuple(map(self._fill_place, page.placements))
        notes = tuple(map(self._faces.set_note, page.notes))
        return FilledPage(page, placed, notes, self._name_page(page))

    def _fill_place(self, placement: Placement) -> PlacedFace | None:
        try:
            made = self._make_face(placement)
        except CardgenError as error:
            self.problems.add(error.problems)
            return None
        return made and PlacedFace(*made, self._find_title(placement))

    def _make_face(self, placement: Placement) -> MadeFace | None:
        copy = self._work.copies[placement.index]
        made = self._faces.get_face(copy, placement.side)
        if made is not None and self._work.prepress.opaque:
            _check_opaque(made.face, self._deck.cards[copy.design])
        return made

    def _name_page(self, page: Page) -> str | None:
        """Return what the page of a card is called, where pages are called after cards."""
        if not self._work.labelled:
            return None
        copy = self._work.copies[page.placements[0].index]
        width = len(str(self._deck.copies))
        name = self._deck.cards[copy.design].name
        return f"{self._work.templates.get_place(copy):0{width}} {name}, {page.side}"

    def _find_title(self, placement: Placement) -> str | None:
        """Return the bookmark that a card's first copy gets."""
        copies, index = self._work.copies, placement.index
        design = copies[index].design
        first = index == 0 or copies[index - 1].design != design
        if not first or placement.side != self._work.title_side:
            return None
        return self._deck.cards[design].name


class _Problems(dict[tuple[object, ...], Problem]):
    """What went wrong; what is alike on every card is kept of the first alone."""

    def add(self, found: Iterable[Problem]) -> None:
        for problem in found:
            said = (problem.hint,) if problem.alike else (problem.subject, problem.where)
            self.setdefault((problem.message, *said), problem)


def _check_opaque(face: Face, card: Card) -> None:
    """Refuse pictures with half transparent pixels, which PDF/X-1a cannot hold."""
    problems = [
        Problem(
            "build/half-transparent-picture",
            f'picture "{path.name}" is partly transparent, in {clear:,} of its pixels, which '
            f"PDF/X-1a cannot hold",
            card.where,
            "flatten it on its background; or build for a target that keeps transparency, as press",
            subject=f'card "{card.name}"',
            card=card.name,
            alike=True,
            details={"picture": path.name, "pixels": clear},
        )
        for path in dict.fromkeys(_list_pictures(face.items))
        if (clear := count_half_transparent(path))
    ]
    if problems:
        raise CardgenError.of(problems)


def _list_pictures(items: Iterable[Item]) -> Iterator[Path]:
    for item in items:
        if isinstance(item, Picture):
            yield item.path
        elif isinstance(item, Form):
            yield from _list_pictures(item.shared.items)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Switch off the collector of cycles: faces make none, but hold much for it to walk through."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
