"""A finished job put in its place: a PDF, a folder of pictures, or all of it in a .zip.

Part of build. Knows nothing of how a card came to be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.build.filing import name_pictures
from cardgen.build.job import Finished, Job
from cardgen.build.manifest import (
    Manifest,
    find_manifest,
    format_manifest,
    list_cards,
    name_manifest,
)
from cardgen.build.pictures import draw_pictures
from cardgen.build.tabletop import make_table, name_table_pictures
from cardgen.build.ticket import write_tickets
from cardgen.core.version import VERSION
from cardgen.output.files import check_folder, check_writable, write_file, write_folder, write_zip
from cardgen.pages.target import Target

if TYPE_CHECKING:
    from cardgen.build.since import Chosen


def check_place(path: Path, target: Target) -> None:
    """Complain of a place that cannot be written to before any work is done."""
    if target.format == "pdf" or target.zip:
        check_writable(path)
    else:
        check_folder(path)


def deliver(
    path: Path, job: Job, made: Finished, look: str | None, chosen: Chosen | None = None
) -> Path | None:
    """Write the output, and beside it the manifest of what it shows.

    The place of the job ticket is returned, where there is one apart.
    """
    partial = len(chosen.copies if chosen else job.copies) < job.deck.copies
    in_folder = job.target.format != "pdf" and not job.target.zip
    before = find_manifest(path) if partial or in_folder else None
    ticket: Path | None = None
    pictures: tuple[str, ...] = ()
    if job.target.format == "pdf":
        ticket = _write_pdf(path, job, made)
    else:
        pictures = _write_pictures(path, job, made, before.pictures if before else ())
    if not job.deck.path.is_file():
        return ticket  # a deck that was made up, as that of the icons
    copies, hashes = job.copies, job.gather_hashes(made)
    if chosen is not None:
        # What is not printed once more lies there as it was.
        copies, hashes = chosen.copies, chosen.hashes
    cards = list_cards(job.deck, copies, hashes, before if partial else None)
    manifest = Manifest(
        job.deck.name, job.target.name, look, VERSION, job.list_sides(), cards, pictures
    )
    write_file(name_manifest(path), format_manifest(manifest))
    return ticket


def _write_pdf(path: Path, job: Job, made: Finished) -> Path | None:
    """Write the PDF, and the job tickets of one that is for a press."""
    tickets = write_tickets(path.stem, job, made) if job.target.flavour != "plain" else []
    if job.target.zip:
        write_zip(path, [(path.with_suffix(".pdf").name, made.data), *tickets])
        return None
    write_file(path, made.data)
    for name, ticket in tickets:
        write_file(path.with_name(name), ticket)
    return path.with_name(tickets[-1][0]) if tickets else None


def _write_pictures(path: Path, job: Job, made: Finished, stale: Sequence[str]) -> tuple[str, ...]:
    """Write the pictures; their names, where they are in a folder."""
    files: Iterator[tuple[str, bytes]]
    if job.target.format == "tts":
        names = name_table_pictures(job)
        files = chain(draw_pictures(made, names, job.target), [make_table(job, path)])
    else:
        names = name_pictures(job, made.pages)
        files = draw_pictures(made, names, job.target)
    if job.target.zip:
        write_zip(path, files)
        return ()
    write_folder(path, files, stale)
    return tuple(sorted(names))
