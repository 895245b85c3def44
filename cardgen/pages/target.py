"""One way to print: paper, grid, bleed, marks and duplex. Turns a TOML file into a Target.

Must not know decks, templates or faces; whether a card fits the paper is for grid.py to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from cardgen.errors import Where
from cardgen.geometry import Insets, Size
from cardgen.pages.reader import TomlReader
from cardgen.units import MM, format_mm

MarkStyle = Literal["crop", "none"]
MarkedSides = Literal["fronts", "both"]
Duplex = Literal["long-edge", "short-edge", "none"]

SHORTEST_MARK = 1 * MM
MOST_LANES = 100
_NO_MARGIN = Insets()


@dataclass(frozen=True, slots=True)
class Target:
    """All lengths in points.

    margin: where the printer reaches no card and no mark; the bleed may run into it
    columns, rows: None means as many as fit
    gap_x, gap_y: between the trims of neighbours; 0 means that they share one cut
    bleed_x, bleed_y: how much of a template's bleed is shown left and right, above and below;
        between neighbours that share a cut there is none
    marks_on: "both" puts marks on the backs too
    mark_offset: from the trim to its mark; a mark keeps out of the shown bleed besides
    """

    name: str
    title: str
    paper: Size
    margin: Insets = _NO_MARGIN
    columns: int | None = None
    rows: int | None = None
    gap_x: float = 0.0
    gap_y: float = 0.0
    bleed_x: float = 0.0
    bleed_y: float = 0.0
    marks: MarkStyle = "none"
    marks_on: MarkedSides = "fronts"
    mark_length: float = 5 * MM
    mark_offset: float = 1 * MM
    mark_weight: float = 0.25
    duplex: Duplex = "long-edge"
    file: str | None = None
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    def find_place(self, key: str) -> Where | None:
        """Where a key stands in the target's file."""
        return Where(self.file, self.lines.get(key)) if self.file else None


_PLAIN = Target(name="", title="", paper=Size(0, 0))


def read_target(path: Path) -> Target:
    """Read a target; everything wrong in its file is raised at once."""
    reader = TomlReader(path)
    title = reader.read_title("title")
    paper = reader.read_size("paper")
    target = Target(
        name=path.stem,
        title=title,
        paper=paper or _PLAIN.paper,
        margin=reader.read_insets("margin", _PLAIN.margin),
        columns=reader.read_number("columns", MOST_LANES),
        rows=reader.read_number("rows", MOST_LANES),
        gap_x=reader.read_length("gap_x", _PLAIN.gap_x),
        gap_y=reader.read_length("gap_y", _PLAIN.gap_y),
        bleed_x=reader.read_length("bleed_x", _PLAIN.bleed_x),
        bleed_y=reader.read_length("bleed_y", _PLAIN.bleed_y),
        marks=reader.read_choice("marks", get_args(MarkStyle), _PLAIN.marks),
        marks_on=reader.read_choice("marks_on", get_args(MarkedSides), _PLAIN.marks_on),
        mark_length=reader.read_length("mark_length", _PLAIN.mark_length),
        mark_offset=reader.read_length("mark_offset", _PLAIN.mark_offset),
        mark_weight=reader.read_length("mark_weight", _PLAIN.mark_weight),
        duplex=reader.read_choice("duplex", get_args(Duplex), _PLAIN.duplex),
        file=str(path),
        lines=reader.lines,
    )
    if paper:
        _check_margin(target, reader)
    _check_bleed(target, reader)
    _check_marks(target, reader)
    reader.raise_problems()
    return target


def _check_margin(target: Target, reader: TomlReader) -> None:
    margin = target.margin
    for side, sheet, first, second in (
        ("wide", target.paper.width, margin.left, margin.right),
        ("high", target.paper.height, margin.top, margin.bottom),
    ):
        if first + second >= sheet:
            reader.note(
                "margin",
                f"margins of {format_mm(first)} and {format_mm(second)} leave nothing of a paper "
                f"{format_mm(sheet)} {side}",
            )


def _check_bleed(target: Target, reader: TomlReader) -> None:
    for axis, bleed, gap in (
        ("x", target.bleed_x, target.gap_x),
        ("y", target.bleed_y, target.gap_y),
    ):
        if gap and bleed > gap / 2 + 1e-6:
            reader.note(
                f"bleed_{axis}",
                f"bleed_{axis} of {format_mm(bleed)} is wider than half of gap_{axis}, "
                f"{format_mm(gap)} / 2 = {format_mm(gap / 2)}: neighbours would overlap",
                f"show at most {format_mm(gap / 2)}, or widen gap_{axis} to {format_mm(2 * bleed)}",
            )


def _check_marks(target: Target, reader: TomlReader) -> None:
    if target.mark_length < SHORTEST_MARK - 1e-6:
        reader.note(
            "mark_length",
            f"mark_length of {format_mm(target.mark_length)} is too short to cut by; "
            f"it must be at least {format_mm(SHORTEST_MARK)}",
            'for no marks at all write marks = "none"',
        )
    if not target.mark_weight:
        reader.note(
            "mark_weight",
            "a mark_weight of 0 cannot be seen",
            'for no marks at all write marks = "none"',
        )
