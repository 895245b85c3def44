"""Preflight as a whole: the only place that knows the order of the checks.

Turns a PDF file, and what is wanted of it, into a report.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from cardgen.core.errors import CardgenError, Where
from cardgen.core.geometry import Size
from cardgen.core.process import give_back_memory, no_collection
from cardgen.core.workers import (
    LimitError,
    Line,
    Worker,
    begin_nothing,
    count_parts,
    start_worker,
    work_within,
)
from cardgen.preflight.boxes import check_sizes, check_turns
from cardgen.preflight.document import Document, open_document
from cardgen.preflight.labels import PlaceLabels, read_labels
from cardgen.preflight.objects import BROKEN
from cardgen.preflight.page import PageChecker
from cardgen.preflight.pairs import check_pairs
from cardgen.preflight.pdfx import check_claim, check_keys, parse_claim, read_claim
from cardgen.preflight.rendering import open_renderer
from cardgen.preflight.report import Fault, Report, fold_faults
from cardgen.preflight.source import open_source
from cardgen.preflight.structure import check_objects, check_structure
from cardgen.preflight.wants import Wants

# Below so many pages a part, starting a process costs more than it saves.
FEWEST_PAGES = 50
# For a file that may come from anybody; a large one has more time.
MAX_MEMORY = 1_000_000_000
MAX_SECONDS = 60.0  # of the processor
PAGE_SECONDS = 10.0
_BYTES_A_SECOND = 100_000
# The time to read all objects, as a part of that for all pages: who reads them has fewer pages.
_STRUCTURE = 0.07
MOST_PARTS = 4
_LARGE = 1_000_000  # bytes; to start a process costs more than a smaller file
# After so many pages, what refers to itself in a circle is let go.
_PAGES_A_COLLECTION = 1_000


def check_strange_file(
    file: bytes | str | Path, wants: Wants | None = None, name: str = ""
) -> Report:
    """Return the report on a file that may come from anybody.

    pdfium and qpdf unpack whatever they are given, so they are given limits.
    """
    called = name or ("the PDF" if isinstance(file, bytes) else str(file))
    size = _measure_file(file)
    more = size / _BYTES_A_SECOND
    seconds, page_seconds = MAX_SECONDS + more, PAGE_SECONDS + more
    # A file on the disk is mapped twice, which counts as memory and takes none.
    memory = MAX_MEMORY + (0 if isinstance(file, bytes) else 2 * size)
    try:
        return work_within(
            lambda begin: check_file(file, wants, name, begin), memory, seconds, page_seconds
        )
    except LimitError as error:
        page = f"page {error.step} of " if error.step else ""
        most = round(page_seconds if page else seconds)
        raise CardgenError(
            "preflight/too-large",
            f"to check {page}this PDF takes more than {MAX_MEMORY:,} bytes or {most} seconds",
            Where(called),
            "is it what it seems? then check it in parts",
        ) from None


def _measure_file(file: bytes | str | Path) -> int:
    try:
        return len(file) if isinstance(file, bytes) else Path(file).stat().st_size
    except OSError:
        return 0  # reading it says why


def check_file(
    file: bytes | str | Path,
    wants: Wants | None = None,
    name: str = "",
    begin_page: Callable[[int], None] = begin_nothing,
) -> Report:
    """Return the report on a file; one that cannot be opened is an error."""
    wants = wants or Wants()
    with _looking_ahead(file, wants) as ahead, open_document(file, name) as document:
        claim = read_claim(document)
        if not wants.is_press:
            wants = replace(wants, flavour=parse_claim(claim))
        labels = _read_labels(document)
        faults = [
            *check_claim(claim, wants),
            *_collect(check_keys(document, wants)),
            *check_sizes(document.pages, wants),
            *check_turns(document.pages, wants),
            *check_pairs(labels.pages, len(document.pages), wants),
            *_check_content(document, wants, labels, ahead, begin_page),
        ]
        return Report(
            document.name,
            wants.flavour,
            wants.asked_by,
            len(document.pages),
            _find_trim(document),
            fold_faults(_label_faults(faults, labels)),
        )


def _read_labels(document: Document) -> PlaceLabels:
    with document.open_again() as pdf:
        return read_labels(document, pdf)


@contextmanager
def _looking_ahead(file: bytes | str | Path, wants: Wants) -> Iterator[Worker | None]:
    """Let another process read all objects of a large file while its pages are listed."""
    large = wants.is_press and _measure_file(file) >= _LARGE
    if not large or count_parts(2, 1, 2) == 1:
        yield None
        return
    worker = start_worker(partial(_send_objects, file, wants))
    try:
        yield worker
    finally:
        worker.stop()


def _send_objects(file: bytes | str | Path, wants: Wants, line: Line) -> None:
    """Send the faults of all objects; None of a file that must be mended."""
    found = None
    with suppress(CardgenError, *BROKEN):
        source = open_source(file if isinstance(file, bytes) else Path(file))
        found = list(check_objects(source, wants, source.open_pdf()))
    line.send(found)


def _check_content(
    document: Document,
    wants: Wants,
    labels: PlaceLabels,
    ahead: Worker | None,
    begin_page: Callable[[int], None],
) -> Iterator[Fault]:
    """Yield the faults of all objects, then of all pages in their order, found by as many processes
    as it is worth.

    ahead: who has read the objects already, if the file needs not be mended
    """
    pages = document.pages
    parts = count_parts(len(pages), FEWEST_PAGES, MOST_PARTS)
    objects = ahead.receive() if ahead and document.is_plain else None
    each = len(pages) * (1 + (_STRUCTURE if objects is None else 0.0)) / parts
    starts = [min(int(each * number), len(pages) - parts + number) for number in range(parts)]
    bounds = [*starts, len(pages)]
    with open_renderer(document) as renderer:

        def check(start: int, end: int) -> tuple[list[Fault], list[Fault]]:
            # By the last, since the others begin while it is started.
            structure = _check_structure(document, wants, objects) if end == len(pages) else []
            give_back_memory()  # when nothing holds on to what was opened to read all objects
            part = pages[start:end]
            if renderer is not None:
                renderer.find_lost(part)
            checker = PageChecker(wants, labels, renderer, duplex=document.is_duplex)
            faults: list[Fault] = []
            with no_collection():
                for page in part:
                    begin_page(page.number)
                    faults += _collect(checker.check(page), page.number)
                    if page.number % _PAGES_A_COLLECTION == 0:
                        gc.collect()
            return structure, faults

        # What several processes share is copied where one of them writes, as the collector of
        # cycles does to all that it walks through.
        gc.freeze()
        # A file that is open when a process begins is open in that process too.
        workers = [start_worker(partial(_send, check, *part)) for part in pairwise(bounds[1:])]
        try:
            found = [check(*bounds[:2]), *(worker.receive() for worker in workers)]
        finally:
            for worker in workers:
                worker.stop()
            gc.unfreeze()
    for structure, _ in found:
        yield from structure
    for _, faults in found:
        yield from faults


def _send(
    check: Callable[[int, int], tuple[list[Fault], list[Fault]]], start: int, end: int, line: Line
) -> None:
    line.send(check(start, end))


def _check_structure(
    document: Document, wants: Wants, objects: Sequence[Fault] | None
) -> list[Fault]:
    if objects is not None:
        return list(_collect(check_structure(document, wants, objects)))
    with document.open_again() as pdf:
        found = check_objects(document.source, wants, pdf)
        return list(_collect(check_structure(document, wants, found)))


def _find_trim(document: Document) -> Size | None:
    """Return the size of the first page's trim."""
    if not document.pages:
        return None
    boxes = document.pages[0].boxes
    return Size(boxes.cut.width * boxes.unit, boxes.cut.height * boxes.unit)


def _collect(faults: Iterator[Fault], page: int | None = None) -> Iterator[Fault]:
    """Yield faults up to an object that is damaged: pikepdf reads each when it is used."""
    try:
        yield from faults
    except BROKEN as error:
        yield Fault(
            "preflight/damaged",
            "error",
            f"an object cannot be read, so that not all could be checked: {error}",
            "write the file anew",
            about=("object", str(error)),
            page=page,
        )


def _label_faults(faults: list[Fault], labels: PlaceLabels) -> Iterator[Fault]:
    """Yield the faults, each with the label of its page where it has none of its own."""
    for fault in faults:
        if fault.page is None or fault.label:
            yield fault
        else:
            yield replace(fault, label=labels.find_at(fault.page, None))
