"""One way to print: paper, grid, bleed, marks and duplex. Turns a TOML file, with those it extends,
into a Target.

Must not know decks, templates or faces; whether a card fits the paper is for grid.py to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from cardgen.errors import CardgenError, Problem, Where
from cardgen.geometry import Insets, Size
from cardgen.library import Library
from cardgen.pages.reader import TomlReader
from cardgen.sizes import PAPER_SIZES, name_size
from cardgen.units import MM, format_mm

MarkStyle = Literal["crop", "none"]
MarkedSides = Literal["fronts", "both"]
Duplex = Literal["long-edge", "short-edge", "none"]
Format = Literal["pdf", "png"]

SHORTEST_MARK = 1 * MM
MOST_LANES = 100
MOST_DPI = 2400
_NO_MARGIN = Insets()


@dataclass(frozen=True, slots=True)
class Target:
    """All lengths in points.

    paper: None means that of the card itself with the bleed that is shown
    margin: where the printer reaches no card and no mark; the bleed may run into it
    columns, rows: None means as many as fit
    gap_x, gap_y: between the trims of neighbours; 0 means that they share one cut
    bleed_x, bleed_y: how much of a template's bleed is shown left and right, above and below;
        between neighbours that share a cut there is none
    marks_on: "both" puts marks on the backs too
    mark_offset: from the trim to its mark; a mark keeps out of the shown bleed besides
    dpi: of the pictures that take the place of a PDF's pages
    lines: where each key stands, be it in the file of a target that this one extends
    """

    name: str
    title: str
    paper: Size | None
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
    format: Format = "pdf"
    dpi: int = 300
    file: str | None = None
    lines: Mapping[str, Where] = field(default_factory=dict, compare=False, repr=False)

    @property
    def page(self) -> Size:
        """The size of a play sheet, which takes that of the paper; A4 where this has none."""
        return self.paper or PAPER_SIZES["a4"]

    def choose_turn(self, card: Size) -> Duplex:
        """Over which edge the printer is to turn a sheet.

        Where the page is the card all pages are upright, so it is turned as in a book.
        """
        if self.paper is not None or self.duplex == "none":
            return self.duplex
        return "long-edge" if card.height >= card.width else "short-edge"

    def show_paper(self) -> str:
        """The paper as a target's file may say it."""
        return name_size(self.paper) if self.paper else CARD_PAPER

    def find_place(self, key: str) -> Where | None:
        """Where a key stands in the target's file, or in that of one it extends."""
        return self.lines.get(key, Where(self.file)) if self.file else None


CARD_PAPER = "card"
_PLAIN = Target(name="", title="", paper=Size(0, 0))
# What says nothing of a page that is as large as its card.
_SHEET_KEYS = (
    *("margin", "columns", "rows", "gap_x", "gap_y"),
    *("marks", "marks_on", "mark_length", "mark_offset", "mark_weight"),
)


def read_target(path: Path, library: Library | None = None) -> Target:
    """Read a target and those it extends; everything wrong in their files is raised at once."""
    return _read_file(path, library or Library(Path.cwd()), ())


def read_targets(library: Library) -> tuple[list[Target], list[Problem]]:
    """All targets there are, and what is wrong with the others, each thing once."""
    targets: list[Target] = []
    problems: list[Problem] = []
    for name in library.list_names("target"):
        try:
            targets.append(read_target(library.find("target", name), library))
        except CardgenError as error:
            problems += (problem for problem in error.problems if problem not in problems)
    return targets, problems


def _read_file(path: Path, library: Library, seen: tuple[Path, ...]) -> Target:
    reader = TomlReader(path)
    base: Target | None = None
    foreign: tuple[Problem, ...] = ()
    base_path = _find_base(reader, path, library, seen)
    if base_path:
        try:
            base = _read_file(base_path, library, (*seen, path))
        except CardgenError as error:
            foreign = error.problems
    target = _read_keys(reader, path, base)
    _check_target(target, reader)
    reader.raise_problems(foreign)
    if target.paper is None:
        plain: dict[str, Any] = {key: getattr(_PLAIN, key) for key in _SHEET_KEYS}
        target = replace(target, **plain)
    return target


def _find_base(
    reader: TomlReader, path: Path, library: Library, seen: tuple[Path, ...]
) -> Path | None:
    """The file of the target that another extends."""
    name = reader.read_name("extends")
    if name is None:
        return None
    where = Where(reader.file, reader.lines.get("extends"))
    try:
        return library.find_base("target", name, (*seen, path), where)
    except CardgenError as error:
        reader.problems += error.problems
        return None


def _read_keys(reader: TomlReader, path: Path, base: Target | None) -> Target:
    """What the file says, on top of what its base does."""
    given = base or _PLAIN
    return Target(
        name=path.stem,
        title=reader.read_title("title"),
        paper=_read_paper(reader, given),
        margin=reader.read_insets("margin", given.margin),
        columns=reader.read_number("columns", MOST_LANES, given.columns),
        rows=reader.read_number("rows", MOST_LANES, given.rows),
        gap_x=reader.read_length("gap_x", given.gap_x),
        gap_y=reader.read_length("gap_y", given.gap_y),
        bleed_x=reader.read_length("bleed_x", given.bleed_x),
        bleed_y=reader.read_length("bleed_y", given.bleed_y),
        marks=reader.read_choice("marks", get_args(MarkStyle), given.marks),
        marks_on=reader.read_choice("marks_on", get_args(MarkedSides), given.marks_on),
        mark_length=reader.read_length("mark_length", given.mark_length),
        mark_offset=reader.read_length("mark_offset", given.mark_offset),
        mark_weight=reader.read_length("mark_weight", given.mark_weight),
        duplex=reader.read_choice("duplex", get_args(Duplex), given.duplex),
        format=reader.read_choice("format", get_args(Format), given.format),
        dpi=reader.read_number("dpi", MOST_DPI, given.dpi) or given.dpi,
        file=str(path),
        lines={
            **given.lines,
            **{key: Where(reader.file, line) for key, line in reader.lines.items()},
        },
    )


def _read_paper(reader: TomlReader, given: Target) -> Size | None:
    if reader.says("paper", CARD_PAPER):
        return None
    if reader.has("extends") and not reader.has("paper"):
        return given.paper
    return reader.read_size("paper", (CARD_PAPER,)) or _PLAIN.paper


def _check_target(target: Target, reader: TomlReader) -> None:
    if target.paper is None:
        _check_keys(target, reader)
        return
    if target.paper != _PLAIN.paper:
        _check_margin(target, target.paper, reader)
    _check_bleed(target, reader)
    _check_marks(target, reader)


def _check_keys(target: Target, reader: TomlReader) -> None:
    """A page as large as its card has no room for what a sheet has."""
    for key in _SHEET_KEYS:
        if reader.has(key) and getattr(target, key) != getattr(_PLAIN, key):
            reader.note(
                key,
                f'{key} means nothing with paper = "{CARD_PAPER}": the page is the card',
                f"leave {key} out, or name the paper",
            )


def _check_margin(target: Target, paper: Size, reader: TomlReader) -> None:
    margin = target.margin
    for side, sheet, first, second in (
        ("wide", paper.width, margin.left, margin.right),
        ("high", paper.height, margin.top, margin.bottom),
    ):
        if first + second >= sheet:
            reader.note(
                reader.choose("margin", "paper"),
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
                reader.choose(f"bleed_{axis}", f"gap_{axis}"),
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
