"""What the studio prints: the sheets as they will lie on the paper, the files of a build, and what
preflight says of them.

Each is a task of a process, as `painter.py` has them.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Protocol

from cardgen.build.deliver import is_alone, judge
from cardgen.build.draw import draw, draw_page
from cardgen.build.faces import FaceMaker
from cardgen.build.manifest import keep_changed
from cardgen.build.pipeline import build_opened
from cardgen.build.plan import BuildOptions, Plan, make_plan
from cardgen.build.selection import Selection
from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Rect
from cardgen.output.png import draw_pages
from cardgen.pages.impose import Page, Placement, Sides
from cardgen.project.printers import Profiles
from cardgen.project.project import open_deck
from cardgen.studio.easel import Easel, View
from cardgen.studio.packing import Data, to_mm

_SIDES: tuple[Sides, ...] = ("both", "fronts", "backs", "odd", "even")
_MOST_SKIPPED = 10_000


class Laid(NamedTuple):
    """A plan that is looked at, and what makes its faces."""

    plan: Plan
    faces: FaceMaker


class Desk(Protocol):
    """What a process holds, as far as printing needs it."""

    name: str
    view: View
    laid: dict[str, Laid]

    def get_easel(self) -> Easel: ...


def read_options(view: View, said: Mapping[str, object], profiles: Profiles | None) -> BuildOptions:
    """Return the options of a build that a page asks for; what it says wrongly is left out."""

    def take_text(name: str) -> str | None:
        value = said.get(name)
        return value if isinstance(value, str) and value else None

    skip = said.get("skip", 0)
    sides = take_text("sides")
    printer = take_text("printer")
    return BuildOptions(
        target=view.target,
        look=view.look,
        language=view.language,
        selection=Selection(only=take_text("only"), one_of_each=said.get("one_of_each") is True),
        sides=next((known for known in _SIDES if known == sides), "both"),
        skip=skip if isinstance(skip, int) and 0 <= skip <= _MOST_SKIPPED else 0,
        reverse=said.get("reverse") is True,
        profiles=profiles and Profiles(profiles.known, printer),
        since=take_text("since"),
        untagged=said.get("untagged") is True,
        archive=said.get("archive") is True,
        draft=said.get("draft") is True,
    )


def lay_sheets(options: BuildOptions, version: str, desk: Desk) -> Data:
    """Return where each card lies on the sheets; `version` names them from now on."""
    easel = desk.get_easel()
    options = replace(options, draft=options.draft or easel.is_faulty)
    plan = _leave_unchanged(make_plan(easel.project, easel.deck, options))
    desk.laid.clear()  # one plan at a time is looked at
    desk.laid[version] = Laid(plan, FaceMaker(plan.templates))
    return {
        "pages": [
            {
                "number": page.number,
                "side": page.side,
                "width": to_mm(page.size.width),
                "height": to_mm(page.size.height),
                "cards": [_pack_place(easel, plan, place) for place in page.placements],
                "folds": _list_folds(plan, page),
            }
            for page in (plan.pages if plan.copies else ())
        ],
        "problems": [],
        "name": plan.path.name,
        "file": plan.path.suffix.removeprefix(".") if is_alone(plan) else "zip",
        "turn": _find_turn(plan),
        "printer": plan.printer.name if plan.printer else None,
    }


def _find_turn(plan: Plan) -> str | None:
    """Return the edge over which paper is to be turned; None where nobody prints it at home."""
    if plan.is_sent or plan.makes_pictures or plan.target.paper.size is None:
        return None
    return plan.sheets.choose_turn(plan.batch)


def _list_folds(plan: Plan, page: Page) -> list[list[float]]:
    """Return the lines that a sheet is folded along, as x and y of both ends."""
    if plan.target.grid.imposition != "gutterfold":
        return []
    width, height = to_mm(page.size.width), to_mm(page.size.height)
    if plan.target.grid.fold == "upright":
        return [[width / 2, 0, width / 2, height]]
    return [[0, height / 2, width, height / 2]]


def _pack_place(easel: Easel, plan: Plan, place: Placement) -> Data:
    design = plan.copies[place.index].design
    return {
        "id": easel.keys[design],
        "side": place.side,
        "x": to_mm(place.trim.x),
        "y": to_mm(place.trim.y),
        "width": to_mm(place.trim.width),
        "height": to_mm(place.trim.height),
        "turned": place.turned,
    }


def draw_sheet(version: str, number: int, dpi: int, desk: Desk) -> bytes | None:
    """Return a picture of a sheet; None where nobody has laid it."""
    laid = desk.laid.get(version)
    if laid is None or not 0 <= number < len(laid.plan.pages):
        return None
    pdf = draw_page(laid.plan, laid.faces, number)
    laid.faces.take_problems()
    (picture,) = draw_pages(pdf, dpi, fast=True)
    return picture


def build_into(folder: Path, desk: Desk, options: BuildOptions) -> Path:
    """Build into a folder of one's own, and return the file that came of it."""
    project, deck = open_deck(desk.name, options.language, lenient=True, draft=options.draft)
    built = build_opened(project, deck, replace(options, out=folder))
    if not built.cards:
        raise CardgenError(
            "studio/nothing-changed",
            "nothing has changed, so there is nothing to print",
            hint="print all cards",
        )
    if built.is_alone:
        return built.path
    beside = [path for path in folder.iterdir() if not path.name.endswith(".json")]
    packed = folder / "packed"
    packed.mkdir()
    for path in beside:
        path.rename(packed / path.name)
    return Path(shutil.make_archive(str(folder / built.path.stem), "zip", packed))


def inspect(folder: Path, desk: Desk, options: BuildOptions) -> Data:
    """Return what preflight finds in the PDF of a build."""
    project, deck = open_deck(desk.name, options.language, lenient=True)
    plan = _leave_unchanged(make_plan(project, deck, replace(options, out=folder)))
    if plan.makes_pictures:
        raise CardgenError(
            "studio/no-pdf",
            f'the target "{plan.target.name}" makes pictures, and preflight reads PDF files',
            hint="choose a target that makes a PDF",
            details={"target": plan.target.name},
        )
    if not plan.copies:
        return {"passed": True, "findings": []}
    report = judge(plan, draw(plan))
    return {
        "passed": report.passed,
        "findings": [
            {
                "level": finding.severity,
                "code": finding.code,
                "message": finding.message,
                "cure": finding.cure,
                "count": finding.count,
                "details": finding.figures,
                "page": spot.page if spot else None,
                "label": spot.label if spot else "",
                **_pack_spot(plan.pages[spot.page - 1] if spot else None, spot and spot.place),
            }
            for finding in report.findings
            for spot in (finding.spots or (None,))
        ],
    }


def _leave_unchanged(plan: Plan) -> Plan:
    """Return a plan without the copies that an earlier output has, where the options name one."""
    return plan if plan.options.since is None else keep_changed(plan, plan.options.since)[0]


def _pack_spot(page: Page | None, place: object) -> Data:
    """Return a place on a page as seen from the page's own corner."""
    if page is None or not isinstance(place, Rect):
        return {"x": None, "y": None, "width": None, "height": None}
    return {
        "x": to_mm(page.trim.x + place.x),
        "y": to_mm(page.trim.y + place.y),
        "width": to_mm(place.width),
        "height": to_mm(place.height),
    }
