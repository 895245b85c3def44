"""What a cutter follows: a file in SVG and one in DXF for each way in which sheets are filled.

Part of build. Knows how the pages lie, but not how a cutter's file is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from cardgen.build.job import Job
from cardgen.core.geometry import Rect, Size
from cardgen.output.cutter import write_dxf, write_svg
from cardgen.output.files import write_file
from cardgen.pages.impose import Page


def deliver_cuts(path: Path, job: Job, pages: Iterable[Page]) -> tuple[str, ...]:
    """Write the files beside the PDF and take away those of an earlier build; their names without
    the end.
    """
    if job.target.marks != "silhouette":
        return ()
    names = []
    for name, paper, trims in name_layouts(path.stem, pages):
        names.append(name)
        for suffix, write in ((".svg", write_svg), (".dxf", write_dxf)):
            write_file(path.with_name(name + suffix), write(paper, trims, job.target.corners))
    stale = re.compile(rf"({re.escape(path.stem)}-cut(?:-\d+)?)\.(svg|dxf)")
    for other in sorted(path.parent.iterdir()):
        match = stale.fullmatch(other.name)
        if match and match[1] not in names:
            other.unlink()
    return tuple(names)


def name_layouts(stem: str, pages: Iterable[Page]) -> Iterator[tuple[str, Size, tuple[Rect, ...]]]:
    """Each way in which the fronts lie, with its name; of several each has the number of the first
    sheet that is filled so.
    """
    first: dict[tuple[Rect, ...], Page] = {}
    for page in pages:
        filled = page.trim.contains(Rect(0, 0, *page.size))
        if page.side == "front" and page.placements and not filled:
            trims = tuple(place.trim for place in page.placements)
            known = first.setdefault(trims, page)
            if page.number < known.number:
                first[trims] = page
    ordered = sorted(first.items(), key=lambda found: found[1].number)
    for trims, page in ordered:
        number = f"-{page.number}" if len(ordered) > 1 else ""
        yield f"{stem}-cut{number}", page.size, trims
