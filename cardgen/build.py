"""The whole way from a deck to a file: the only place that knows the order of the stages."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardgen.deck.model import Copy, Deck
from cardgen.deck.read import read_deck
from cardgen.errors import CardgenError, Where, suggest
from cardgen.library import HOME, Library
from cardgen.pages.impose import Page, Sides, count_pages, impose
from cardgen.pages.target import Target
from cardgen.pages.target_reader import read_target
from cardgen.selection import ALL, Selection, choose_copies

if TYPE_CHECKING:
    from cardgen.faces import FaceMaker
    from cardgen.layout.subject import Shrunk

DEFAULT_TARGET = "a4"
# The names of pictures that a build writes, and a later one may take away.
PICTURE = re.compile(r"(\d+-.+|page-\d+)-(front|back)\.png")
DEFAULT_OUT = Path("output")

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Built:
    """What a build made."""

    deck: str
    path: Path
    cards: int
    designs: int
    pages: int
    shrunk: tuple[Shrunk, ...]


def load_deck(name: str | Path) -> Deck:
    """Read a deck by its name, or by its path."""
    return read_deck(Library(Path.cwd()).find_deck(str(name)))


def build(
    deck: Deck | str | Path,
    *,
    target: str | None = None,
    out: str | Path = DEFAULT_OUT,
    look: str | None = None,
    selection: Selection = ALL,
    sides: Sides = "both",
    skip: int = 0,
    progress: Progress | None = None,
) -> Built:
    """Build a deck for a target and write it as a PDF.

    `skip` is how many places of the first sheet are used already.
    """
    from cardgen.output.files import check_folder, check_writable, write_file, write_folder
    from cardgen.output.picture import draw_pages

    deck = deck if isinstance(deck, Deck) else load_deck(deck)
    job = prepare_job(deck, target=target, look=look, selection=selection, sides=sides, skip=skip)
    path = Path(out) / name_output(deck, job.target, look, sides)
    if job.target.format == "png":
        check_folder(path)
        made = job.draw(progress)
        pictures = draw_pages(made.data, job.target.dpi)
        write_folder(path, zip(job.name_pages(), pictures, strict=True), PICTURE)
    else:
        check_writable(path)
        made = job.draw(progress)
        write_file(path, made.data)
    designs = len({copy.design for copy in job.copies})
    return Built(deck.name, path, len(job.copies), designs, made.pages, made.shrunk)


def check(deck: Deck | str | Path, *, target: str | None = None, look: str | None = None) -> None:
    """Raise everything that a build would complain of, writing nothing."""
    deck = deck if isinstance(deck, Deck) else load_deck(deck)
    prepare_job(deck, target=target, look=look).draw(None)


def count_deck(deck: Deck, *, target: str | None = None) -> int:
    """How many pages a build of the deck has."""
    job = prepare_job(deck, target=target)
    return job.count_pages()


class Finished(NamedTuple):
    """A file that is not written yet."""

    data: bytes
    pages: int
    shrunk: tuple[Shrunk, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """A deck, which of its cards to print, and how."""

    deck: Deck
    copies: tuple[Copy, ...]
    target: Target
    sides: Sides
    skip: int
    faces: FaceMaker

    def count_pages(self) -> int:
        return count_pages(
            len(self.copies),
            self.faces.format.size,
            self.target,
            sides=self.sides,
            has_back=self._has_back(),
            skip=self.skip,
        )

    def name_pages(self) -> Iterator[str]:
        """A picture's name for each page: of the card that it shows alone, else of the sheet."""
        width = len(str(self.deck.copies))
        for page in self._impose():
            if self.target.paper is None:
                copy = self.copies[page.placements[0].index]
                card = self.deck.cards[copy.design]
                yield f"{self.faces.get_place(copy):0{width}}-{card.id}-{page.side}.png"
            else:
                yield f"page-{page.number:0{width}}-{page.side}.png"

    def draw(self, progress: Progress | None) -> Finished:
        """The finished file; every card's problem is collected first."""
        from cardgen.drawing import Drawer
        from cardgen.output.pdf import Head, write_pdf
        from cardgen.version import VERSION

        deck = self.deck
        with _no_collection():
            self.faces.gather_sizes()
            title_side = "back" if self.sides == "backs" else "front"
            drawer = Drawer(deck, self.copies, self.faces, title_side, progress)
            drawing = drawer.draw(list(self._impose()))
            if drawing.problems:
                raise CardgenError.of(drawing.problems)
            creator = f"cardgen {VERSION}"
            turn = self.target.choose_turn(self.faces.format.size)
            head = Head(deck.title, deck.author, deck.language, creator, turn)
            data = write_pdf(head, drawing.pages, drawing.resources)
        return Finished(data, len(drawing.pages), tuple(drawing.shrunk))

    def _impose(self) -> Iterator[Page]:
        return impose(
            len(self.copies),
            self.faces.format.size,
            self.faces.get_bleed("front"),
            self.target,
            back_bleed=self.faces.get_bleed("back"),
            sides=self.sides,
            has_back=self._has_back(),
            skip=self.skip,
        )

    def _has_back(self) -> list[bool]:
        return [self.deck.cards[copy.design].back is not None for copy in self.copies]


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without the collector of cycles: faces make none, but hold much for it to walk through."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def prepare_job(
    deck: Deck,
    *,
    target: str | None = None,
    look: str | None = None,
    selection: Selection = ALL,
    sides: Sides = "both",
    skip: int = 0,
) -> Job:
    """Choose cards and target, and read the templates of the deck."""
    from cardgen.faces import FaceMaker

    library = find_library(deck, look)
    named_in = None if target or not deck.target else Where(str(deck.path))
    chosen = find_target(target or deck.target, library, named_in)
    copies = choose_copies(deck, selection)
    if sides == "backs" and not any(deck.cards[copy.design].back for copy in copies):
        raise CardgenError(f'the deck "{deck.name}" has no backs', hint="add back: and a template")
    return Job(deck, copies, chosen, sides, skip, FaceMaker(deck, library, chosen.page))


def find_target(
    name: str | None, library: Library | None = None, where: Where | None = None
) -> Target:
    """A target by its name, or the usual one."""
    library = library or Library(Path.cwd())
    return read_target(library.find("target", name or DEFAULT_TARGET, where), library)


def find_library(deck: Deck, look: str | None = None) -> Library:
    """The library for a deck: that of its project, or of the folder in hand for one of ours."""
    if deck.path.resolve().is_relative_to(HOME / "decks"):
        library = Library(Path.cwd(), look)
    else:
        library = Library.around(deck.path, look)
    if look is not None and look not in library.list_looks():
        hint = suggest(look, library.list_looks(), kind="look")
        raise CardgenError(f'unknown look "{look}"', hint=hint)
    return library


def name_output(deck: Deck, target: Target, look: str | None, sides: Sides) -> str:
    """The name of the file, or of the folder of pictures: the deck's, and what is not as usual."""
    parts = [deck.name]
    if look is not None:
        parts.append(look)
    if target.name != (deck.target or DEFAULT_TARGET):
        parts.append(target.name)
    if sides != "both":
        parts.append(sides)
    return "-".join(parts) + (".pdf" if target.format == "pdf" else "")
