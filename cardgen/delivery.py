"""A finished job put in its place: a PDF, a folder of pictures, or all of it in a .zip.

Part of build. Knows nothing of how a card came to be.
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

from cardgen.filing import name_pictures
from cardgen.job import Finished, Job
from cardgen.output.files import check_folder, check_writable, write_file, write_folder
from cardgen.output.zipped import write_zip
from cardgen.pages.target import Target
from cardgen.rendering import draw_pictures
from cardgen.tabletop import make_table, name_table_pictures
from cardgen.ticket import write_tickets

# The names of pictures that a build writes, and a later one may take away.
PICTURE = re.compile(r"(\d+-.+|page-\d+)-(front|back)\.png")


def check_place(path: Path, target: Target) -> None:
    """Complain of a place that cannot be written to before any work is done."""
    if target.format == "pdf" or target.zip:
        check_writable(path)
    else:
        check_folder(path)


def deliver(path: Path, job: Job, made: Finished) -> Path | None:
    """Write everything; the place of the job ticket is returned, where there is one apart."""
    tickets = []
    if job.target.flavour != "plain":
        tickets = write_tickets(path.stem, job, made)
    if job.target.format == "tts":
        names = name_table_pictures(job)
        pictures = draw_pictures(made, names, job.target)
        write_folder(path, chain(pictures, [make_table(job, path)]), PICTURE)
    elif job.target.format == "png":
        pictures = draw_pictures(made, name_pictures(job, made.pages), job.target)
        if job.target.zip:
            write_zip(path, pictures)
        else:
            write_folder(path, pictures, PICTURE)
    elif job.target.zip:
        write_zip(path, [(path.with_suffix(".pdf").name, made.data), *tickets])
    else:
        write_file(path, made.data)
        for name, ticket in tickets:
            write_file(path.with_name(name), ticket)
        return path.with_name(tickets[-1][0]) if tickets else None
    return None
