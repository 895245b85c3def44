"""The whole way from a deck to a file: the only place that knows the order of the stages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.deck.model import Deck
from cardgen.deck.read import read_deck
from cardgen.job import DEFAULT_TARGET, Progress, prepare_job
from cardgen.library import Library
from cardgen.pages.impose import Sides
from cardgen.pages.target import Target
from cardgen.selection import ALL, Selection

if TYPE_CHECKING:
    from cardgen.layout.subject import Shrunk

# The names of pictures that a build writes, and a later one may take away.
PICTURE = re.compile(r"(\d+-.+|page-\d+)-(front|back)\.png")
DEFAULT_OUT = Path("output")


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
