"""The files that a cutter follows, beside a PDF: for the sheets that it finds by its marks, and for
pages of one card each that are no rectangles.

Turns the pages of a plan into lines; knows nothing of how they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardgen.build.plan import Plan
from cardgen.core.geometry import Rect, Size
from cardgen.core.shape import Contour, Shape
from cardgen.output.cutter import format_dxf, format_svg
from cardgen.output.files import Delivery
from cardgen.pages.impose import Page

CUT_FORMS = {".svg": format_svg, ".dxf": format_dxf}


def deliver_cuts(plan: Plan, job: Delivery) -> tuple[str, ...]:
    """Write a file in SVG and in DXF for each way in which sheets are filled, and take away those
    of an earlier build; return their names without the end.
    """
    path = plan.path
    layouts = _list_layouts(plan)
    for name, paper, lines, shape in layouts:
        radius = shape.radius if shape.has_line else plan.target.file.corners
        for suffix, form in CUT_FORMS.items():
            job.write(path.with_name(name + suffix), form(paper, lines, radius))
    if not _may_have_cuts(plan):
        return ()
    names = [layout.name for layout in layouts]
    stale = re.compile(rf"({re.escape(path.stem)}-cut(?:-\d+)?)\.(svg|dxf)")
    for other in sorted(path.parent.iterdir()):
        match = stale.fullmatch(other.name)
        if match and match[1] not in names and other.is_file():
            job.remove(other)
    return tuple(names)


class Layout(NamedTuple):
    """A way in which the fronts lie: a line for each, a rectangle where its shape has none."""

    name: str
    paper: Size
    lines: tuple[Rect | Contour, ...]
    shape: Shape


def name_layouts(
    stem: str, pages: Iterable[Page], *, loose_alone: bool = False
) -> Iterator[Layout]:
    """Give each way in which the fronts lie with its name: of several each has the number of the
    first sheet that is filled so.

    loose_alone: whether straight cuts are left out
    """
    first: dict[tuple[Size, Shape, tuple[Rect, ...]], Page] = {}
    for page in pages:
        if page.side != "front" or not page.placements:
            continue
        shape = page.placements[0].shape
        filled = page.trim.contains(Rect(0, 0, *page.size))
        if (not shape.is_loose and loose_alone) or (filled and not loose_alone):
            continue
        key = page.size, shape, tuple(place.trim for place in page.placements)
        known = first.setdefault(key, page)
        if page.number < known.number:
            first[key] = page
    ordered = sorted(first.items(), key=lambda found: found[1].number)
    for (size, shape, trims), page in ordered:
        number = f"-{page.number}" if len(ordered) > 1 else ""
        lines = tuple(p.trace() for p in page.placements) if shape.is_loose else trims
        yield Layout(f"{stem}-cut{number}", size, lines, shape)


def list_cuts(plan: Plan) -> list[str]:
    """Return the names of the files, without their ends."""
    return [layout.name for layout in _list_layouts(plan)]


def _list_layouts(plan: Plan) -> list[Layout]:
    if not _may_have_cuts(plan):
        return []
    by_marks = plan.target.marks.style == "silhouette"
    return list(name_layouts(plan.path.stem, plan.pages, loose_alone=not by_marks))


def _may_have_cuts(plan: Plan) -> bool:
    target = plan.target
    by_marks = target.marks.style == "silhouette"
    return not plan.makes_pictures and (by_marks or target.paper.size is None)
