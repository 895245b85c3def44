"""One way to print, as data: paper, grid, marks, duplex, kind of file, and what a press wants.

Each key of a target's file is one entry below, a field of one of six groups: the reader, the checks,
the JSON schema and the tables of docs/targets.md are made from these. Must not know decks, templates
or faces; whether a card fits the paper is for grid.py to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_args

from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.geometry import Insets, Size
from cardgen.core.library import Library
from cardgen.core.toml import TomlReader
from cardgen.core.units import CARD_SIZES, MM, PAPER_SIZES, format_mm, name_size

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
Schema = dict[str, Any]
_T = TypeVar("_T")

CARD_PAPER = "card"
SHORTEST_MARK = 1 * MM
NAME_FIELDS = ("deck", "target", "place", "card", "copy", "side")  # of a picture's name
_SLACK = 1e-6


# The kinds of values


class _Kind(NamedTuple):
    """How a value is read on top of the one that is given, its JSON schema, and its words."""

    read: Callable[[TomlReader, str, Any], Any]
    schema: Schema
    words: str


def _choice(of: object) -> _Kind:
    *others, last = choices = get_args(of)
    words = ", ".join(f'`"{choice}"`' for choice in others)
    return _Kind(
        lambda reader, key, given: reader.read_choice(key, choices, given),
        {"enum": list(choices)},
        f'{words} or `"{last}"`',
    )


def _count(most: int) -> _Kind:
    return _Kind(
        lambda reader, key, given: reader.read_number(key, most, given) or given,
        {"type": "integer", "minimum": 1, "maximum": most},
        f"1 to {most}",
    )


def _read_paper(reader: TomlReader, key: str, given: Size | None) -> Size | None:
    if reader.says(key, CARD_PAPER):
        return None
    if reader.has("extends") and not reader.has(key):
        return given
    return reader.read_size(key, (CARD_PAPER,)) or PLAIN.paper.size


def _make_paper_schema() -> Schema:
    """Return what is a size: by name, spelled out, or that of the card."""
    names = [*PAPER_SIZES, *CARD_SIZES]
    shown = [*names, *(f"{name} landscape" for name in names), CARD_PAPER]
    written = "|".join(_ignore_case(name) for name in (*names, CARD_PAPER))
    lying = rf"^\s*({written})([\s-]+{_ignore_case('landscape')})?\s*$"
    spelled_out = rf"^\s*{_NUMBER}\s*{_UNIT}?\s*[xX×]\s*{_NUMBER}\s*{_UNIT}?\s*$"
    either = [{"enum": shown}, {"pattern": spelled_out}, {"pattern": lying}]
    return {"type": "string", "anyOf": either}


def _ignore_case(name: str) -> str:
    return "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in name)


_NUMBER = r"\+?([0-9]+\.?[0-9]*|\.[0-9]+)"
_UNIT = r"([mM][mM]|[cC][mM]|[iI][nN]|[pP][tT])"
_FIXED = rf"^\s*({_NUMBER}\s*{_UNIT}|[+-]?0*\.?0+\s*{_UNIT}?)\s*$"
_LENGTHS = [{"type": "string", "pattern": _FIXED}, {"type": "number", "const": 0}]
_SIDES = {
    "type": "object",
    "properties": dict.fromkeys(Insets._fields, {"anyOf": _LENGTHS}),
    "additionalProperties": False,
}
_FIELD = rf"\{{({'|'.join(NAME_FIELDS)})[^{{}}]*\}}"

_LENGTH = _Kind(TomlReader.read_length, {"anyOf": [{"const": "none"}, *_LENGTHS]}, "length")
_LENGTH_OR_NONE = _LENGTH._replace(read=TomlReader.read_length_or_none)
_MARGIN = _Kind(TomlReader.read_insets, {"anyOf": [*_LENGTHS, _SIDES]}, "length or table")
_FLAG = _Kind(TomlReader.read_flag, {"type": "boolean"}, "`true` or `false`")
_LANES = _count(100)
_PAPER = _Kind(_read_paper, _make_paper_schema(), f'size or `"{CARD_PAPER}"`')
_NAME = _Kind(
    lambda reader, key, given: reader.read_name(key, "coated-fogra39-300") or given,
    {"type": "string"},
    "name",
)
_PATTERN = _Kind(
    lambda reader, key, given: reader.read_pattern(key, NAME_FIELDS, given),
    {"type": "string", "pattern": rf'^([^{{}}/\\:*?"<>|]|\{{\{{|\}}\}}|{_FIELD})*$'},
    "text with fields",
)
_LINE = _Kind(
    lambda reader, key, _: reader.read_title(key),
    {"type": "string", "pattern": r"^\s*[^\n]*\S[^\n]*\s*$"},
    "one line",
)
_EXTENDS = _NAME._replace(read=lambda reader, key, _: reader.read_name(key, "a4"))
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
_AS_FIT = "as many as fit"


# What must hold

# The keys that do not go together, and what is wrong; its place is the first that the file says.
_Broken = tuple[tuple[str, ...], Problem]


def _leave_room(target: Target, key: str) -> Iterator[_Broken]:
    paper, margin = target.paper.size, target.paper.margin
    if paper is None or paper == PLAIN.paper.size:
        return
    for side, sheet, first, second in (
        ("wide", paper.width, margin.left, margin.right),
        ("high", paper.height, margin.top, margin.bottom),
    ):
        if first + second >= sheet:
            yield (
                (key, "paper"),
                Problem(
                    "target/no-room",
                    f"margins of {format_mm(first)} and {format_mm(second)} leave nothing of a paper "
                    f"{format_mm(sheet)} {side}",
                ),
            )


def _fit_gap(target: Target, key: str) -> Iterator[_Broken]:
    """A bleed of the backs that the gap cuts off is only wrong where the file says it."""
    gap_key = f"gap_{key[-1]}"
    bleed, gap = getattr(target.grid, key) or 0.0, getattr(target.grid, gap_key)
    if gap and bleed > gap / 2 + _SLACK:
        yield (
            (key, *(() if key.startswith("back") else (gap_key,))),
            Problem(
                "target/bleed-overlaps",
                f"{key} of {format_mm(bleed)} is wider than half of {gap_key}, "
                f"{format_mm(gap)} / 2 = {format_mm(gap / 2)}: neighbours would overlap",
                hint=f"show at most {format_mm(gap / 2)}, or widen {gap_key} to {format_mm(2 * bleed)}",
                details={"most_mm": round(gap / 2 / MM, 2)},
            ),
        )


def _be_visible(target: Target, _: str) -> Iterator[_Broken]:
    length, hint = target.marks.length, 'for no marks at all write marks = "none"'
    if length < SHORTEST_MARK - _SLACK:
        yield (
            ("mark_length",),
            Problem(
                "target/mark-too-small",
                f"mark_length of {format_mm(length)} is too short to cut by; "
                f"it must be at least {format_mm(SHORTEST_MARK)}",
                hint=hint,
            ),
        )
    if not target.marks.weight:
        what = "a mark_weight of 0 cannot be seen"
        yield ("mark_weight",), Problem("target/mark-too-small", what, hint=hint)


def _suit_imposition(target: Target, key: str) -> Iterator[_Broken]:
    imposition = target.grid.imposition
    if imposition != "grid" and target.marks.style == "silhouette":
        yield (
            ("marks", key),
            Problem(
                "target/keys-conflict",
                f'a cutter\'s marks do not go with imposition = "{imposition}"',
                hint='write marks = "none", or imposition = "grid"',
            ),
        )
    if imposition == "gutterfold" and target.marks.sides == "both":
        yield (
            ("marks_on", key),
            Problem(
                "target/key-means-nothing",
                'a gutterfold has one side: marks_on = "both" means nothing',
                hint="leave marks_on out",
            ),
        )


def _suit_format(target: Target, key: str) -> Iterator[_Broken]:
    grid, file, on_sheets = target.grid, target.file, target.paper.size is not None
    if file.format == "pdf":
        return
    bleed = max(grid.bleed_x, grid.bleed_y, grid.back_bleed_x or 0, grid.back_bleed_y or 0)
    if file.corners and (bleed or on_sheets):
        what = f"they show {format_mm(bleed)} of it" if bleed else "a sheet has corners of its own"
        yield (
            ("corners", "bleed_x", "bleed_y", "paper"),
            Problem(
                "target/keys-conflict",
                f"corners are cut out of pictures of the card without its bleed: {what}",
                hint=f'write paper = "{CARD_PAPER}" and a bleed of 0, or leave corners out',
            ),
        )
    of_cards = [name for name in ("card", "copy") if f"{{{name}}}" in file.names]
    if on_sheets and file.names != PLAIN.file.names and of_cards:
        yield (
            ("names", "paper"),
            Problem(
                "target/key-means-nothing",
                f"names: {{{of_cards[0]}}} means nothing for pictures of sheets, which hold many cards",
                hint='write {place} for the number of the sheet, or paper = "card"',
            ),
        )
    if target.press.flavour != "plain":
        yield (
            ("flavour", key),
            Problem(
                "target/key-means-nothing",
                f'flavour = "{target.press.flavour}" means nothing with format = "{file.format}"',
                hint='write format = "pdf", or leave flavour out',
            ),
        )
    if file.format == "tts" and file.zip:
        yield (
            ("zip", key),
            Problem(
                "target/keys-conflict",
                "a deck for Tabletop Simulator names its pictures by where they lie, not in a .zip",
                hint="leave zip out",
            ),
        )
    if file.format == "tts" and on_sheets:
        yield (
            (key, "paper"),
            Problem(
                "target/keys-conflict",
                'format = "tts" makes a sheet of its own: it takes cards, not sheets',
                hint=f'write paper = "{CARD_PAPER}"',
            ),
        )


def _suit_press(target: Target, key: str) -> Iterator[_Broken]:
    press = target.press
    if press.flavour != "plain" and press.colour == "given":
        yield (
            ("flavour", key),
            Problem(
                "target/needs-colour",
                f'flavour = "{press.flavour}" needs colours that a press has, not those given',
                hint='write colour = "cmyk", or colour = "grey"',
            ),
        )
    wanting = (press.colour == "cmyk" and key) or (press.flavour != "plain" and "flavour")
    if wanting and press.profile is None:
        yield (
            (wanting,),
            Problem(
                "target/needs-profile",
                f'{wanting} = "{getattr(press, wanting)}" needs a profile of the press',
                hint='add a line such as profile = "coated-fogra39-300"',
            ),
        )
    if press.total_ink is not None and press.colour == "given":
        yield (
            ("total_ink", key),
            Problem(
                "target/key-means-nothing",
                'a total_ink is kept by turning colours: it means nothing with colour = "given"',
                hint='write colour = "cmyk"',
            ),
        )


# The keys


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a target's file.

    meaning: as docs/targets.md has it
    shown: the default there, where the value does not tell it
    name: that of its field, if it has no other
    rule: what must hold of it, and of it and others
    of_sheet: whether it says nothing of a page that is as large as its card
    place: the group and the field that hold its value in a Target
    """

    kind: _Kind
    default: Any
    meaning: str
    shown: str = ""
    name: str = ""
    rule: Callable[[Target, str], Iterator[_Broken]] | None = None
    of_sheet: bool = False
    place: tuple[str, str] = ("head", "")


def _key(kind: _Kind, default: _T, meaning: str, shown: str = "", **more: Any) -> _T:
    made: _T = field(default=default, metadata={"key": Key(kind, default, meaning, shown, **more)})
    return made


def _sheet(kind: _Kind, default: _T, meaning: str, shown: str = "", **more: Any) -> _T:
    return _key(kind, default, meaning, shown, of_sheet=True, **more)


@dataclass(frozen=True, slots=True)
class PaperKeys:
    size: Size | None = _key(
        _PAPER,
        Size(0, 0),
        'the paper, [by name or spelled out](template-format.md#sizes), as in `"a4"`, '
        '`"a4 landscape"` or `"330mm x 480mm"`; or [that of the card](#a-page-for-each-face)',
        "required",
        name="paper",
    )
    orientation: Orientation = _sheet(
        _choice(Orientation),
        "given",
        '`"best"` lets the paper lie on its side where more cards fit so',
    )
    margin: Insets = _sheet(
        _MARGIN,
        Insets(),
        "where the printer reaches no card and no mark; the bleed may run into it",
        rule=_leave_room,
    )


@dataclass(frozen=True, slots=True)
class GridKeys:
    """A gap of 0 means that neighbours share one cut; they show no bleed towards each other."""

    columns: int | None = _sheet(_LANES, None, "how many cards lie side by side", _AS_FIT)
    rows: int | None = _sheet(_LANES, None, "how many cards lie one below the other", _AS_FIT)
    gap_x: float = _sheet(_LENGTH, 0.0, "the gutter between neighbours side by side")
    gap_y: float = _sheet(_LENGTH, 0.0, "the gutter between neighbours one below the other")
    bleed_x: float = _key(
        _LENGTH,
        0.0,
        "how much of a template's bleed shows at the left and right",
        rule=_fit_gap,
    )
    bleed_y: float = _key(
        _LENGTH, 0.0, "how much of a template's bleed shows above and below", rule=_fit_gap
    )
    back_bleed_x: float | None = _key(
        _LENGTH_OR_NONE,
        None,
        "`bleed_x` of the backs, which a printer may shift",
        "as `bleed_x`",
        rule=_fit_gap,
    )
    back_bleed_y: float | None = _key(
        _LENGTH_OR_NONE, None, "`bleed_y` of the backs", "as `bleed_y`", rule=_fit_gap
    )
    full_bleed: bool = _key(
        _FLAG, False, "whether a template with less bleed than the target shows is an error"
    )
    safe: float = _key(
        _LENGTH, 0.0, "how far from the trim a text must stay; 0 means that it is not checked"
    )
    imposition: Imposition = _sheet(
        _choice(Imposition),
        "grid",
        "cards in rows; fronts beside their backs, to be folded; or all faces small, numbered",
        rule=_suit_imposition,
    )
    fold: Fold = _sheet(_choice(Fold), "upright", "the axis of a gutterfold")
    gutter: float = _sheet(_LENGTH, 0.0, "what lies between the two halves of a gutterfold")


@dataclass(frozen=True, slots=True)
class MarkKeys:
    style: MarkStyle = _sheet(
        _choice(MarkStyle),
        "none",
        "crop marks, the registration marks of a cutter, or none",
        name="marks",
    )
    sides: MarkedSides = _sheet(
        _choice(MarkedSides), "fronts", "whether the backs have them too", name="marks_on"
    )
    length: float = _sheet(
        _LENGTH._replace(words="length, 1 mm at least"),
        5 * MM,
        "how long a mark is where there is room",
        name="mark_length",
        rule=_be_visible,
    )
    offset: float = _sheet(_LENGTH, 1 * MM, "how far it stays from the trim", name="mark_offset")
    weight: float = _sheet(
        _LENGTH._replace(words="length, not 0"),
        0.25,
        "how thick it is",
        '`"0.25pt"`',
        name="mark_weight",
    )
    slug: bool = _sheet(
        _FLAG,
        False,
        "whether a line outside the cards names deck, date or version, page and target",
    )


@dataclass(frozen=True, slots=True)
class DuplexKeys:
    edge: Duplex = _key(
        _choice(Duplex), "long-edge", "over which edge the printer turns the sheet", name="duplex"
    )
    order: Order = _key(
        _choice(Order), "front-back", "the order of the pages: in pairs, or all fronts first"
    )
    backs: Backs = _key(
        _choice(Backs), "each", '`"once"` writes backs that look the same as one page'
    )


@dataclass(frozen=True, slots=True)
class FileKeys:
    format: Format = _key(
        _choice(Format),
        "pdf",
        "a PDF, a folder of pictures, or a deck for Tabletop Simulator",
        rule=_suit_format,
    )
    dpi: int = _key(
        _count(2400),
        300,
        "how many pixels a picture has on an inch; of pictures within a PDF the least that "
        "prints well",
    )
    corners: float = _key(
        _LENGTH, 0.0, "the radius of the cards' corners: cut out of pictures, or for a cutter"
    )
    names: str = _key(
        _PATTERN,
        "{place}-{card}-{side}",
        "what pictures are called; the fields are `{deck}`, `{target}`, "
        "`{place}`, `{card}`, `{copy}` and `{side}`",
    )
    zip: bool = _key(_FLAG, False, "whether all is packed into one file")


@dataclass(frozen=True, slots=True)
class PressKeys:
    colour: Colours = _key(
        _choice(Colours),
        "given",
        "colours as the template and the pictures say, CMYK through the profile, or grey",
        rule=_suit_press,
    )
    profile: str | None = _key(
        _NAME, None, "the ICC profile of the press, a file in `profiles/`", "none"
    )
    total_ink: int | None = _key(
        _count(400), None, "the most ink in one place, in percent", "no limit"
    )
    flavour: Flavour = _key(
        _choice(Flavour), "plain", "whether the PDF is PDF/X-4 or PDF/X-1a:2003"
    )
    text: Lettering = _key(_choice(Lettering), "fonts", "whether text is text, or drawn as paths")
    smallest_text: float = _key(_LENGTH, 5.0, "the smallest text that can be printed", '`"5pt"`')
    thinnest_line: float = _key(
        _LENGTH, 0.25, "the thinnest line that can be printed", '`"0.25pt"`'
    )


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
            group, attribute = TARGET_KEYS[name].place
            groups.setdefault(group, {})[attribute] = value
        changed = {name: replace(getattr(self, name), **told) for name, told in groups.items()}
        return replace(self, **changed)

    def get_value(self, key: str) -> Any:
        """Return the value of a key by its name in the file."""
        group, attribute = TARGET_KEYS[key].place
        return getattr(getattr(self, group), attribute)

    def find_place(self, key: str) -> Where | None:
        """Return where a key stands in the target's file, or in that of one it extends."""
        return self.lines.get(key, Where(self.source)) if self.source else None

    def format_paper(self) -> str:
        """Return the paper as a target's file may say it."""
        return name_size(self.paper.size) if self.paper.size else CARD_PAPER

    def show_bleed(self, side: Side, bleed: Insets) -> Insets:
        """Return how much of a face's bleed shows on that side; of a back no more than half a gap."""
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


def _list_keys() -> Iterator[Key]:
    for group in fields(Target):
        if is_dataclass(group.default):
            for one in fields(group.default):
                key: Key = one.metadata["key"]
                yield replace(key, name=key.name or one.name, place=(group.name, one.name))


EXTENDS = Key(_EXTENDS, None, "the target that this one changes", "none", "extends")
TITLE = Key(
    _LINE, None, "what the target is for; for people, no page shows it", "required", "title"
)
TARGET_KEYS = {key.name: key for key in _list_keys()}
PLAIN = Target("", "")


def make_target(name: str, title: str, paper: Size | None, **values: Any) -> Target:
    """Return a target with these values by the names of their keys, and all others as usual."""
    return replace(PLAIN.change(paper=paper, **values), name=name, title=title)


# Reading


def read_target(path: Path, library: Library | None = None) -> Target:
    """Read a target and those it extends; everything wrong in their files is raised at once."""
    return _read_file(path, library or Library(Path.cwd()), ())


def read_targets(library: Library) -> tuple[list[Target], list[Problem]]:
    """Read all targets there are; return them, and what is wrong with the others, each thing once."""
    targets: list[Target] = []
    problems: list[Problem] = []
    for name in library.list_names("target"):
        try:
            targets.append(read_target(library.get("target", name), library))
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
    for key in TARGET_KEYS.values():
        for said, problem in key.rule(target, key.name) if key.rule else ():
            if any(map(reader.has, said)):
                _note(reader, reader.choose(*said), problem)
    reader.raise_problems(foreign)
    return target


def _find_base(
    reader: TomlReader, path: Path, library: Library, seen: tuple[Path, ...]
) -> Path | None:
    """Return the file of the target that another extends."""
    name = EXTENDS.kind.read(reader, "extends", None)
    if name is None:
        return None
    where = Where(reader.file, reader.lines.get("extends"))
    try:
        return library.get_base("target", name, (*seen, path), where)
    except CardgenError as error:
        reader.problems += error.problems
        return None


def _read_keys(reader: TomlReader, name: str, base: Target) -> Target:
    """Return what the file says, on top of what its base does."""
    title = TITLE.kind.read(reader, "title", None)
    values = {
        key: of.kind.read(reader, key, base.get_value(key)) for key, of in TARGET_KEYS.items()
    }
    if values["paper"] is None:
        for key in filter(lambda key: key.of_sheet, TARGET_KEYS.values()):
            if reader.has(key.name) and values[key.name] != key.default:
                _note(reader, key.name, _complain_of_card(key.name))
            values[key.name] = key.default
    lines = {key: Where(reader.file, line) for key, line in reader.lines.items()}
    target = make_target(name, title, **values)
    return replace(target, source=reader.file, lines={**base.lines, **lines})


def _note(reader: TomlReader, key: str, problem: Problem) -> None:
    where = Where(reader.file, reader.lines.get(key))
    reader.problems.append(replace(problem, where=where, field=key))


def _complain_of_card(key: str) -> Problem:
    """Return what is said of a key that a page as large as its card has no room for."""
    return Problem(
        "target/key-means-nothing",
        f'{key} means nothing with paper = "{CARD_PAPER}": the page is the card',
        hint=f"leave {key} out, or name the paper",
    )


# The keys told


def make_target_schema() -> Schema:
    """Return the JSON schema; it refuses nothing that the reader accepts."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A target of cardgen in TOML",
        "type": "object",
        "properties": {key.name: _describe(key) for key in (EXTENDS, TITLE, *TARGET_KEYS.values())},
        "additionalProperties": False,
        "required": ["title"],
        "anyOf": [{"required": ["paper"]}, {"required": ["extends"]}],
    }


def _describe(key: Key) -> Schema:
    told = {"default": key.default} if isinstance(key.default, bool | str) else {}
    return {"description": _LINK.sub(r"\1", key.meaning), **key.kind.schema, **told}


def make_key_table(*groups: str) -> str:
    """Return the keys of some groups as a table in Markdown."""
    rows = ["| key | value | default | meaning |", "|---|---|---|---|"]
    for key in (EXTENDS, TITLE, *TARGET_KEYS.values()):
        if key.place[0] in groups:
            shown = key.shown or _show_default(key.default)
            rows.append(f"| `{key.name}` | {key.kind.words} | {shown} | {key.meaning} |")
    return "\n".join(rows) + "\n"


def _show_default(default: Any) -> str:
    if isinstance(default, Insets | float):
        default = format_mm(max(default) if isinstance(default, Insets) else default)
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f'`"{default}"`' if isinstance(default, str) else str(default)
