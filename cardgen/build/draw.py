"""The pages of a job drawn: in one go, or on a large deck in parts, each by a process of its own.

Part of build: it knows the order from page to drawn page. Knows nothing of files on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from cardgen.build.faces import FaceMaker, MadeFace
from cardgen.core.errors import CardgenError, Problem
from cardgen.core.workers import count_parts, start_worker
from cardgen.deck.model import Card, Copy, Deck
from cardgen.layout.face import Face, Form, Item, Picture
from cardgen.layout.subject import Shrunk
from cardgen.output.images import count_half_clear
from cardgen.output.inks import Prepress
from cardgen.output.pdf import DrawnPage, PageDrawer
from cardgen.output.resources import Portable, Resources
from cardgen.pages.impose import Page, Placement


def check_opaque(face: Face, card: Card) -> None:
    """Complain of pictures with pixels that are neither there nor not there."""
    problems = [
        Problem(
            "build/todo",
            f'picture "{path.name}" is partly transparent, in {clear:,} of its pixels, which '
            f'PDF/X-1a cannot hold (card "{card.name}")',
            card.where,
            "flatten it on its background; or build for a target that keeps transparency, as press",
            alike=True,
        )
        for path in dict.fromkeys(_list_pictures(face.items))
        if (clear := count_half_clear(path))
    ]
    if problems:
        raise CardgenError.of(problems)


def _list_pictures(items: Iterable[Item]) -> Iterator[Path]:
    for item in items:
        if isinstance(item, Picture):
            yield item.path
        elif isinstance(item, Form):
            yield from _list_pictures(item.shared.items)


# Below so many pages a part, starting a process costs more than it saves.
FEWEST_PAGES = 20
MOST_PARTS = 4

Progress = Callable[[int, int], None]


class Part(NamedTuple):
    """Some pages of a job, as plain data that another process can read."""

    pages: list[DrawnPage]
    resources: Portable
    problems: list[Problem]
    shrunk: list[Shrunk]


class Drawing(NamedTuple):
    """All pages of a job."""

    pages: list[DrawnPage]
    resources: Resources
    problems: list[Problem]
    shrunk: list[Shrunk]


class Drawer:
    """Draws the pages of one deck."""

    def __init__(
        self,
        deck: Deck,
        copies: Sequence[Copy],
        faces: FaceMaker,
        title_side: str,
        progress: Progress | None,
        *,
        prepress: Prepress,
        labelled: bool,
    ) -> None:
        self._deck = deck
        self._faces = faces
        self._title_side = title_side
        self._progress = progress
        self._copies = copies
        self._prepress = prepress
        self._labelled = labelled

    def draw(self, pages: Sequence[Page]) -> Drawing:
        """Draw all pages, on as many processors as it is worth."""
        count = count_parts(len(pages), FEWEST_PAGES, MOST_PARTS)
        if count > 1:
            drawing = self._draw_in_parts(pages, count)
            if drawing is not None:
                return drawing
        resources = Resources(self._prepress)
        part = self._draw_part(pages, resources, 1.0)
        return Drawing(part.pages, resources, part.problems, part.shrunk)

    def _draw_in_parts(self, pages: Sequence[Page], count: int) -> Drawing | None:
        """The first part here, the others elsewhere; None if they cannot be put together."""
        bounds = [len(pages) * number // count for number in range(count + 1)]
        first = bounds[1]
        workers = [
            start_worker(partial(self._send_part, pages[start:end]))
            for start, end in pairwise(bounds[1:])
        ]
        resources = Resources(self._prepress)
        own = self._draw_part(pages[:first], resources, len(pages) / first)
        drawn, problems, shrunk = list(own.pages), _Problems(), list(own.shrunk)
        problems.add(own.problems)
        fits = True
        for worker in workers:
            part: Part = worker.receive()
            worker.process.join()
            drawn += part.pages
            problems.add(part.problems)
            shrunk += part.shrunk
            fits = resources.unpack(part.resources, self._faces.open_font) and fits
        # A card whose copies lie in two parts was made in both.
        shrunk = list(dict.fromkeys(shrunk))
        return Drawing(drawn, resources, list(problems.values()), shrunk) if fits else None

    def _send_part(self, pages: Sequence[Page], sender: Connection) -> None:
        self._progress = None
        sender.send(self._draw_part(pages, Resources(self._prepress), 1.0))

    def _draw_part(self, pages: Sequence[Page], resources: Resources, parts: float) -> Part:
        drawer = PageDrawer(resources)
        problems = _Problems()

        def get_face(placement: Placement) -> MadeFace | None:
            try:
                copy = self._copies[placement.index]
                made = self._faces.get_face(copy, placement.side)
                if made is not None and self._prepress.opaque:
                    check_opaque(made.face, self._deck.cards[copy.design])
                return made
            except CardgenError as error:
                problems.add(error.problems)
                return None

        drawn = []
        furthest = 0.0  # backs that come last are of copies that were counted with their fronts
        for page in pages:
            label = self._get_label(page) if self._labelled else None
            drawn.append(drawer.draw(page, get_face, self._get_title, self._faces.set_note, label))
            if self._progress is not None and page.placements:
                furthest = max(furthest, (page.placements[-1].index + 1) * parts)
                self._progress(min(round(furthest), len(self._copies)), len(self._copies))
        return Part(drawn, resources.pack(), list(problems.values()), self._faces.shrunk)

    def _get_label(self, page: Page) -> str:
        """What the page of a card is called."""
        copy = self._copies[page.placements[0].index]
        width = len(str(self._deck.copies))
        name = self._deck.cards[copy.design].name
        return f"{self._faces.get_place(copy):0{width}} {name}, {page.side}"

    def _get_title(self, placement: Placement) -> str | None:
        """The bookmark that a card's first copy gets."""
        design = self._copies[placement.index].design
        first = placement.index == 0 or self._copies[placement.index - 1].design != design
        return (
            self._deck.cards[design].name if first and placement.side == self._title_side else None
        )


class _Problems(dict[tuple[str, object], Problem]):
    """What went wrong; what is alike on every card is kept of the first alone."""

    def add(self, found: Iterable[Problem]) -> None:
        for problem in found:
            self.setdefault(_get_key(problem), problem)


def _get_key(problem: Problem) -> tuple[str, object]:
    """What tells problems apart, without the card's name where it does not matter."""
    if not problem.alike:
        return problem.sentence, problem.where
    return problem.message, problem.hint


# MERGED: Faces looked through for pictures that a file without transparency cannot hold.
#
#   Part of build. Changes nothing.
#
