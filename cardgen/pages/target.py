"""One way to print, as data: paper, grid, marks, duplex, kind of file, and what a press wants.

Each key of a target's file is one entry below, a field of one of six groups: the reader, the rules,
the JSON schema and the tables of docs/targets.md come out of it. Must not know decks, templates or
faces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.geometry import Insets, Size
from cardgen.core.library import Library
from cardgen.core.toml import TomlReader
from cardgen.core.units import MM, PAPER_SIZES, name_size
from cardgen.pages import conflicts
from cardgen.pages.keys import (
    CARD_PAPER,
    LINE,
    NO_PAPER,
    TARGET_NAME,
    Conflict,
    Key,
    Schema,
    count_to,
    describe_key,
    key,
    list_keys,
    sheet_key,
)

Orientation = Literal["given", "best"]
Imposition = Literal["grid", "gutterfold", "contact"]
Fold = Literal["upright", "level"]
MarkStyle = Literal["crop", "silhouette", "none"]
MarkedSides = Literal["fronts", "both"]
Duplex = Literal["long-edge", "short-edge", "none"]
Axis = Literal["upright", "level"]
Order = Literal["front-back", "back-front", "fronts-backs"]
Backs = Literal["each", "once"]
Format = Literal["pdf", "png", "tts"]
Colours = Literal["given", "cmyk", "grey"]
Flavour = Literal["plain", "x-4", "x-1a"]
Lettering = Literal["fonts", "outlines"]
Side = Literal["front", "back"]

_LANES = count_to(100)
_AS_FIT = "as many as fit"


@dataclass(frozen=True, slots=True)
class PaperKeys:
    """A size of None is that of the card itself with the bleed that is shown."""

    size: Size | None = key(
        NO_PAPER,
        'the paper, [by name or spelled out](template-format.md#sizes), as in `"a4"`, '
        '`"a4 landscape"` or `"330mm x 480mm"`; or [that of the card](#a-page-for-each-face)',
        "required",
        name="paper",
    )
    orientation: Orientation = sheet_key(
        "given", '`"best"` lets the paper lie on its side where more cards fit so'
    )
    margin: Insets = sheet_key(
        Insets(),
        "where the printer reaches no card and no mark; the bleed may run into it",
        rule=conflicts.leave_room,
    )


@dataclass(frozen=True, slots=True)
class GridKeys:
    """Neighbours whose gap is 0 share one cut, and show no bleed towards each other."""

    columns: int | None = sheet_key(None, "how many cards lie side by side", _AS_FIT, kind=_LANES)
    rows: int | None = sheet_key(
        None, "how many cards lie one below the other", _AS_FIT, kind=_LANES
    )
    gap_x: float = sheet_key(0.0, "the gutter between neighbours side by side")
    gap_y: float = sheet_key(0.0, "the gutter between neighbours one below the other")
    bleed_x: float = key(
        0.0, "how much of a template's bleed shows at the left and right", rule=conflicts.fit_gap
    )
    bleed_y: float = key(
        0.0, "how much of a template's bleed shows above and below", rule=conflicts.fit_gap
    )
    back_bleed_x: float | None = key(
        None,
        "`bleed_x` of the backs, which a printer may shift",
        "as `bleed_x`",
        rule=conflicts.fit_gap,
    )
    back_bleed_y: float | None = key(
        None, "`bleed_y` of the backs", "as `bleed_y`", rule=conflicts.fit_gap
    )
    full_bleed: bool = key(
        False, "whether a template with less bleed than the target shows is an error"
    )
    safe: float = key(0.0, "how far from the trim a text must stay; 0 means that it is not checked")
    imposition: Imposition = sheet_key(
        "grid",
        "cards in rows; fronts beside their backs, to be folded; or all faces small, numbered",
        rule=conflicts.suit_imposition,
    )
    fold: Fold = sheet_key("upright", "the axis of a gutterfold")
    gutter: float = sheet_key(0.0, "what lies between the two halves of a gutterfold")


@dataclass(frozen=True, slots=True)
class MarkKeys:
    style: MarkStyle = sheet_key(
        "none", "crop marks, the registration marks of a cutter, or none", name="marks"
    )
    sides: MarkedSides = sheet_key("fronts", "whether the backs have them too", name="marks_on")
    length: float = sheet_key(
        5 * MM,
        "how long a mark is where there is room",
        name="mark_length",
        words="length, 1 mm at least",
        rule=conflicts.be_visible,
    )
    offset: float = sheet_key(1 * MM, "how far it stays from the trim", name="mark_offset")
    weight: float = sheet_key(
        0.25, "how thick it is", '`"0.25pt"`', name="mark_weight", words="length, not 0"
    )
    slug: bool = sheet_key(
        False, "whether a line outside the cards names deck, date or version, page and target"
    )


@dataclass(frozen=True, slots=True)
class DuplexKeys:
    edge: Duplex = key("long-edge", "over which edge the printer turns the sheet", name="duplex")
    order: Order = key("front-back", "the order of the pages: in pairs, or all fronts first")
    backs: Backs = key("each", '`"once"` writes backs that look the same as one page')


@dataclass(frozen=True, slots=True)
class FileKeys:
    format: Format = key(
        "pdf",
        "a PDF, a folder of pictures, or a deck for Tabletop Simulator",
        rule=conflicts.suit_format,
    )
    dpi: int = key(
        300,
        "how many pixels a picture has on an inch; of pictures within a PDF the least that "
        "prints well",
        kind=count_to(2400),
    )
    corners: float = key(
        0.0, "the radius of the cards' corners: cut out of pictures, or for a cutter"
    )
    names: str = key(
        conflicts.PICTURE_NAMES,
        "what pictures are called; the fields are `{deck}`, `{target}`, "
        "`{place}`, `{card}`, `{copy}` and `{side}`",
    )
    zip: bool = key(False, "whether all is packed into one file")


@dataclass(frozen=True, slots=True)
class PressKeys:
    colour: Colours = key(
        "given",
        "colours as the template and the pictures say, CMYK through the profile, or grey",
        rule=conflicts.suit_press,
    )
    profile: str | None = key(None, "the ICC profile of the press, a file in `profiles/`", "none")
    total_ink: int | None = key(
        None, "the most ink in one place, in percent", "no limit", kind=count_to(400)
    )
    flavour: Flavour = key("plain", "whether the PDF is PDF/X-4 or PDF/X-1a:2003")
    text: Lettering = key("fonts", "whether text is text, or drawn as paths")
    smallest_text: float = key(5.0, "the smallest text that can be printed", '`"5pt"`')
    thinnest_line: float = key(0.25, "the thinnest line that can be printed", '`"0.25pt"`')


@dataclass(frozen=True, slots=True)
class Target:
    """A target; all lengths in points.

    source: its file
    lines: where each key stands, be it in the file of a target that this one extends
    """

    name: str
    title: str
    paper: PaperKeys = PaperKeys()
    grid: GridKeys = GridKeys()
    marks: MarkKeys = MarkKeys()
    duplex: DuplexKeys = DuplexKeys()
    file: FileKeys = FileKeys()
    press: PressKeys = PressKeys()
    source: str | None = None
    lines: Mapping[str, Where] = field(default_factory=dict, compare=False, repr=False)

    @property
    def page(self) -> Size:
        """The size of a play sheet, which takes that of the paper; A4 where this has none."""
        return self.paper.size or PAPER_SIZES["a4"]

    def change(self, **values: Any) -> Target:
        """Return the target with other values, each by the name of its key."""
        groups: dict[str, dict[str, Any]] = {}
        for name, value in values.items():
            of = TARGET_KEYS[name]
            groups.setdefault(of.group, {})[of.attribute] = value
        changed = {name: replace(getattr(self, name), **told) for name, told in groups.items()}
        return replace(self, **changed)

    def get_value(self, name: str) -> Any:
        """Return the value of a key by its name in the file."""
        of = TARGET_KEYS[name]
        return getattr(getattr(self, of.group), of.attribute)

    def find_place(self, name: str) -> Where | None:
        """Return where a key stands in the target's file, or in that of one it extends."""
        return self.lines.get(name, Where(self.source)) if self.source else None

    def format_paper(self) -> str:
        """Return the paper as a target's file may say it."""
        return name_size(self.paper.size) if self.paper.size else CARD_PAPER

    def show_bleed(self, side: Side, bleed: Insets) -> Insets:
        """Return how much of a face's bleed shows; of a back no more than half a gap."""
        grid = self.grid
        across, down = grid.bleed_x, grid.bleed_y
        if side == "back":
            across = _widen(across, grid.back_bleed_x, grid.gap_x)
            down = _widen(down, grid.back_bleed_y, grid.gap_y)
        return Insets(*map(min, bleed, (across, down, across, down)))

    def choose_turn(self, card: Size) -> Duplex:
        """Return the edge over which the printer is to turn a sheet.

        Where the page is the card all pages are upright, so it is turned as in a book. Where backs
        do not stand by their fronts there is nothing to print on both sides at once.
        """
        if self.duplex.order == "fronts-backs" or self.duplex.backs == "once":
            return "none"
        if self.paper.size is not None or self.duplex.edge == "none":
            return self.duplex.edge
        return "long-edge" if card.height >= card.width else "short-edge"

    def find_axis(self, paper: Size) -> Axis | None:
        """Return the axis about which a sheet is turned over, as it lies; None where it is not.

        Square paper counts as upright.
        """
        if self.duplex.edge == "none" or self.paper.size is None:
            return None
        by_long, is_upright = self.duplex.edge == "long-edge", paper.height >= paper.width
        return "upright" if by_long == is_upright else "level"


def _widen(bleed: float, of_backs: float | None, gap: float) -> float:
    if of_backs is None:
        return bleed
    return min(of_backs, gap / 2) if gap else of_backs


EXTENDS = Key("extends", TARGET_NAME, None, "the target that this one changes", "none")
TITLE = Key("title", LINE, None, "what the target is for; for people, no page shows it", "required")
TARGET_KEYS = {of.name: of for of in list_keys(Target)}
PLAIN = Target("", "")


def make_target(name: str, title: str, paper: Size | None, **values: Any) -> Target:
    """Return a target with these values by the names of their keys, and all others as usual."""
    return replace(PLAIN.change(paper=paper, **values), name=name, title=title)


# Reading


def read_target(path: Path, library: Library | None = None) -> Target:
    """Read a target and those it extends; everything wrong in their files is raised at once."""
    return _read_file(path, library or Library(Path.cwd()), ())


def read_targets(library: Library) -> tuple[list[Target], list[Problem]]:
    """Return all targets there are, and what is wrong with the others, each thing once."""
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
    base = PLAIN
    foreign: tuple[Problem, ...] = ()
    base_path = _find_base(reader, path, library, seen)
    if base_path:
        try:
            base = _read_file(base_path, library, (*seen, path))
        except CardgenError as error:
            foreign = error.problems
    target = _read_keys(reader, path.stem, base)
    for of in TARGET_KEYS.values():
        for conflict in of.rule(target, of.name) if of.rule else ():
            _note(reader, conflict)
    reader.raise_problems(foreign)
    return target


def _find_base(
    reader: TomlReader, path: Path, library: Library, seen: tuple[Path, ...]
) -> Path | None:
    """Return the file of the target that another extends."""
    name = EXTENDS.kind.read(reader, EXTENDS.name, None)
    if name is None:
        return None
    where = Where(reader.file, reader.lines.get("extends"))
    try:
        return library.find_base("target", name, (*seen, path), where)
    except CardgenError as error:
        reader.problems += error.problems
        return None


def _read_keys(reader: TomlReader, called: str, base: Target) -> Target:
    """Return what the file says, on top of what its base does."""
    title = TITLE.kind.read(reader, TITLE.name, None)
    values = {
        name: of.kind.read(reader, name, base.get_value(name)) for name, of in TARGET_KEYS.items()
    }
    if values["paper"] is None:
        for of in TARGET_KEYS.values():
            if of.of_sheet:
                if values[of.name] != of.default:
                    _note(reader, conflicts.need_sheet(of.name))
                values[of.name] = of.default
    lines = {name: Where(reader.file, line) for name, line in reader.lines.items()}
    target = make_target(called, title, **values)
    return replace(target, source=reader.file, lines={**base.lines, **lines})


def _note(reader: TomlReader, conflict: Conflict) -> None:
    """Note a conflict at the first of its keys that the file says; a base has told its own."""
    code, names, message, hint, details = conflict
    name = next(filter(reader.has, names), None)
    if name is not None:
        where = Where(reader.file, reader.lines.get(name))
        reader.problems.append(Problem(code, message, where, hint, field=name, details=details))


def make_target_schema() -> Schema:
    """Return the JSON schema of a target's file; it refuses nothing that the reader accepts."""
    keys = (EXTENDS, TITLE, *TARGET_KEYS.values())
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A target of cardgen in TOML",
        "type": "object",
        "properties": {of.name: describe_key(of) for of in keys},
        "additionalProperties": False,
        "required": ["title"],
        "anyOf": [{"required": ["paper"]}, {"required": ["extends"]}],
    }
