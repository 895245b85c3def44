"""The whole way from a deck to a file: the only place that knows the order of the stages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.build.filing import name_output, name_pictures
from cardgen.build.job import Finished, Job, Progress, find_library, prepare_job
from cardgen.build.selection import ALL, Selection
from cardgen.core.errors import CardgenError, Problem
from cardgen.core.library import Library
from cardgen.deck.model import Deck
from cardgen.pages.impose import Sides
from cardgen.pages.target import Target
from cardgen.project.printers import Profiles
from cardgen.project.settings import find_project, read_deck_in, read_settings

if TYPE_CHECKING:
    from cardgen.build.since import Chosen
    from cardgen.layout.subject import Shrunk


@dataclass(frozen=True, slots=True)
class Built:
    """What a build made."""

    deck: str
    path: Path
    cards: int
    designs: int
    pages: int
    pictures: bool
    shrunk: tuple[Shrunk, ...]
    ticket: Path | None
    gaps: tuple[Problem, ...] = ()  # what is not in the language that was asked for
    scale: float = 1.0  # of the faces, which a contact sheet shows small
    unchanged: int = 0  # cards that are not printed, for they show what they did
    printer: str | None = None
    uncalibrated: str | None = None
    cuts: tuple[str, ...] = ()  # the names of the cutter's files


def load_deck(name: str | Path, *, lang: str | None = None, lenient: bool = False) -> Deck:
    """Read a deck by its name, or by its path; `lang` asks for its texts in another language.

    A deck that lacks them is an error, or taken as it is.
    """
    path = Library(Path.cwd()).find_deck(str(name))
    return read_deck_in(find_project(path), path, lang=lang, lenient=lenient)


def build(
    deck: Deck | str | Path,
    *,
    target: str | None = None,
    out: str | Path | None = None,
    look: str | None = None,
    selection: Selection = ALL,
    sides: Sides = "both",
    skip: int = 0,
    reverse: bool = False,
    profiles: Profiles | None = None,
    dpi: int | None = None,
    since: str | None = None,
    progress: Progress | None = None,
) -> Built:
    """Build a deck for a target and write it as a PDF, or as pictures.

    `skip` is how many places of the first sheet are used already, `reverse` puts the last page
    first, `profiles` are the printers whose faults are undone, `dpi` is that of the pictures where
    it is not the target's. With `since`, an earlier output or a git revision, only what looks
    different now is printed; where nothing does, nothing is written.
    """
    from cardgen.build.cuts import deliver_cuts
    from cardgen.build.deliver import check_place, deliver
    from cardgen.build.faces import find_gaps

    deck = deck if isinstance(deck, Deck) else load_deck(deck)

    def prepare() -> Job:
        return prepare_job(
            deck,
            target=target,
            look=look,
            selection=selection,
            sides=sides,
            skip=skip,
            reverse=reverse,
            profiles=profiles,
        )

    job = prepare()
    if dpi is not None:
        job = replace(job, target=_change_dpi(job.target, dpi))
    settings = read_settings(find_project(deck.path))
    path = Path(out or settings.out) / name_output(deck, job.target, look, sides, settings)
    chosen: Chosen | None = None
    if since is not None:
        from cardgen.build.since import choose_changed

        chosen = choose_changed(prepare(), since, look)
        job = replace(job, copies=chosen.changed)
        if not job.copies:
            pictures = job.target.format != "pdf"
            unchanged = len(chosen.copies)
            return Built(deck.name, path, 0, 0, 0, pictures, (), None, unchanged=unchanged)
    check_place(path, job.target)
    made = job.draw(progress)
    _preflight(job, made, path.name)
    ticket = deliver(path, job, made, find_library(deck, look).look, chosen)
    cuts = deliver_cuts(path, job, made.pages)
    designs = len({copy.design for copy in job.copies})
    pages, pictures = len(made.pages), job.target.format != "pdf"
    copies, shrunk, gaps = len(job.copies), made.shrunk, find_gaps(deck, job.faces)
    unchanged = len(chosen.copies) - copies if chosen else 0
    printer = job.printer.name if job.printer else None
    return Built(
        *(deck.name, path, copies, designs, pages, pictures, shrunk, ticket),
        *(gaps, made.scale, unchanged, printer, job.uncalibrated, cuts),
    )


def check(
    deck: Deck | str | Path, *, target: str | None = None, look: str | None = None
) -> tuple[tuple[Shrunk, ...], tuple[Problem, ...]]:
    """Raise everything that a build would complain of, writing nothing.

    What is left is the texts that are set smaller, and what is not in the language asked for.
    """
    from cardgen.build.faces import find_gaps

    deck = deck if isinstance(deck, Deck) else load_deck(deck)
    job = prepare_job(deck, target=target, look=look)
    made = job.draw(None)
    _preflight(job, made, name_output(deck, job.target, look, "both"))
    if job.target.format == "png":
        name_pictures(job, made.pages)
    return made.shrunk, find_gaps(deck, job.faces)


def _preflight(job: Job, made: Finished, name: str) -> None:
    """Raise what a print shop would send a press file back for."""
    if job.target.flavour == "plain" or job.target.format != "pdf":
        return
    from cardgen.build.press import check_pdf, refuse_faulty

    report = check_pdf(
        made.data, job.target, name=name, trim=job.faces.format.size, pages=len(made.pages)
    )
    refuse_faulty(report)


def count_deck(deck: Deck, *, target: str | None = None) -> int:
    """How many pages a build of the deck has."""
    job = prepare_job(deck, target=target)
    return job.count_pages()


def _change_dpi(target: Target, dpi: int) -> Target:
    if target.format == "pdf":
        raise CardgenError(
            "build/todo",
            f'the target "{target.name}" makes a PDF, which has no dpi',
            hint="leave --dpi out, or name a target that makes pictures, as --target png",
        )
    return replace(target, dpi=dpi)
