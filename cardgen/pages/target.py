"""One way to print, as data: paper, imposition, bleed, marks, duplex, colour and kind of file.

Must not know decks, templates or faces, nor how a target's file is written; whether a card fits the
paper is for grid.py to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

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

CARD_PAPER = "card"
SHORTEST_MARK = 1 * MM
# What a picture may be called after.
NAME_FIELDS = ("deck", "target", "place", "card", "copy", "side")
_NO_MARGIN = Insets()


@dataclass(frozen=True, slots=True)
class Target:
    """All lengths in points.

    paper: None means that of the card itself with the bleed that is shown
    orientation: "best" lets the paper lie on its side where more cards fit so
    margin: where the printer reaches no card and no mark; the bleed may run into it
    columns, rows: None means as many as fit
    gap_x, gap_y: between the trims of neighbours; 0 means that they share one cut
    bleed_x, bleed_y: how much of a template's bleed is shown left and right, above and below;
        between neighbours that share a cut there is none
    back_bleed_x, back_bleed_y: the same of the backs; None means as on the fronts
    full_bleed: whether a template must have as much bleed as is shown
    safe: how far from the trim a text must stay
    fold, gutter: of a gutterfold, about which axis, and what lies between its two halves
    marks_on: "both" puts marks on the backs too
    mark_offset: from the trim to its mark; a mark keeps out of the shown bleed besides
    slug: whether a line outside the cards says what the page is
    backs: "once" writes backs that look the same as one page
    dpi: of pictures, be they the file itself or drawn in it
    corners: the radius of a card's corners, where they are cut away
    total_ink: in percent; None means as much as there is
    smallest_text, thinnest_line: what can be printed
    names: what the pictures are called
    lines: where each key stands, be it in the file of a target that this one extends
    """

    name: str
    title: str
    paper: Size | None
    orientation: Orientation = "given"
    margin: Insets = _NO_MARGIN
    columns: int | None = None
    rows: int | None = None
    gap_x: float = 0.0
    gap_y: float = 0.0
    bleed_x: float = 0.0
    bleed_y: float = 0.0
    back_bleed_x: float | None = None
    back_bleed_y: float | None = None
    full_bleed: bool = False
    safe: float = 0.0
    imposition: Imposition = "grid"
    fold: Fold = "upright"
    gutter: float = 0.0
    marks: MarkStyle = "none"
    marks_on: MarkedSides = "fronts"
    mark_length: float = 5 * MM
    mark_offset: float = 1 * MM
    mark_weight: float = 0.25
    slug: bool = False
    duplex: Duplex = "long-edge"
    order: Order = "front-back"
    backs: Backs = "each"
    format: Format = "pdf"
    dpi: int = 300
    corners: float = 0.0
    names: str = "{place}-{card}-{side}"
    zip: bool = False
    colour: Colours = "given"
    profile: str | None = None
    total_ink: int | None = None
    flavour: Flavour = "plain"
    text: Lettering = "fonts"
    smallest_text: float = 5.0
    thinnest_line: float = 0.25
    file: str | None = None
    lines: Mapping[str, Where] = field(default_factory=dict, compare=False, repr=False)

    @property
    def page(self) -> Size:
        """The size of a play sheet, which takes that of the paper; A4 where this has none."""
        return self.paper or PAPER_SIZES["a4"]

    def show_bleed(self, side: Side, bleed: Insets) -> Insets:
        """How much of a face's bleed is shown on that side; of a back no more than half a gap."""
        across, down = self.bleed_x, self.bleed_y
        if side == "back":
            across = _widen(across, self.back_bleed_x, self.gap_x)
            down = _widen(down, self.back_bleed_y, self.gap_y)
        return Insets(
            min(bleed.left, across),
            min(bleed.top, down),
            min(bleed.right, across),
            min(bleed.bottom, down),
        )

    def choose_turn(self, card: Size) -> Duplex:
        """Over which edge the printer is to turn a sheet.

        Where the page is the card all pages are upright, so it is turned as in a book. Where backs
        do not stand by their fronts there is nothing to print on both sides at once.
        """
        if self.order == "fronts-backs" or self.backs == "once":
            return "none"
        if self.paper is not None or self.duplex == "none":
            return self.duplex
        return "long-edge" if card.height >= card.width else "short-edge"

    def find_axis(self, paper: Size) -> Axis | None:
        """The axis about which a sheet is turned over, as it lies; None where it is not.

        Square paper counts as upright.
        """
        if self.duplex == "none" or self.paper is None:
            return None
        return (
            "upright" if (self.duplex == "long-edge") == (paper.height >= paper.width) else "level"
        )

    def show_paper(self) -> str:
        """The paper as a target's file may say it."""
        return name_size(self.paper) if self.paper else CARD_PAPER

    def find_place(self, key: str) -> Where | None:
        """Where a key stands in the target's file, or in that of one it extends."""
        return self.lines.get(key, Where(self.file)) if self.file else None


def _widen(bleed: float, of_backs: float | None, gap: float) -> float:
    if of_backs is None:
        return bleed
    return min(of_backs, gap / 2) if gap else of_backs


PLAIN = Target(name="", title="", paper=Size(0, 0))
# What says nothing of a page that is as large as its card.
SHEET_KEYS = (
    *("orientation", "margin", "columns", "rows", "gap_x", "gap_y", "imposition", "fold", "gutter"),
    *("marks", "marks_on", "mark_length", "mark_offset", "mark_weight", "slug"),
)
_SLACK = 1e-6


def check_target(target: Target, reader: TomlReader) -> None:
    """Note everything that does not go together."""
    if target.paper is None:
        _check_keys(target, reader)
    else:
        if target.paper != PLAIN.paper:
            _check_margin(target, target.paper, reader)
        _check_bleed(target, reader)
        _check_marks(target, reader)
        _check_imposition(target, reader)
    _check_pictures(target, reader)
    _check_colour(target, reader)


def _check_keys(target: Target, reader: TomlReader) -> None:
    """A page as large as its card has no room for what a sheet has."""
    for key in SHEET_KEYS:
        if reader.has(key) and getattr(target, key) != getattr(PLAIN, key):
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
    for key, bleed, gap_key, gap in (
        ("bleed_x", target.bleed_x, "gap_x", target.gap_x),
        ("bleed_y", target.bleed_y, "gap_y", target.gap_y),
        ("back_bleed_x", target.back_bleed_x or 0.0, "gap_x", target.gap_x),
        ("back_bleed_y", target.back_bleed_y or 0.0, "gap_y", target.gap_y),
    ):
        if gap and bleed > gap / 2 + _SLACK and (reader.has(key) or not key.startswith("back")):
            reader.note(
                reader.choose(key, gap_key),
                f"{key} of {format_mm(bleed)} is wider than half of {gap_key}, "
                f"{format_mm(gap)} / 2 = {format_mm(gap / 2)}: neighbours would overlap",
                f"show at most {format_mm(gap / 2)}, or widen {gap_key} to {format_mm(2 * bleed)}",
            )


def _check_marks(target: Target, reader: TomlReader) -> None:
    if target.mark_length < SHORTEST_MARK - _SLACK:
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


def _check_imposition(target: Target, reader: TomlReader) -> None:
    if target.imposition == "grid":
        return
    if target.marks == "silhouette":
        reader.note(
            reader.choose("marks", "imposition"),
            f'a cutter\'s marks do not go with imposition = "{target.imposition}"',
            'write marks = "none", or imposition = "grid"',
        )
    if target.imposition == "gutterfold" and target.marks_on == "both":
        reader.note(
            reader.choose("marks_on", "imposition"),
            'a gutterfold has one side: marks_on = "both" means nothing',
            "leave marks_on out",
        )


def _check_pictures(target: Target, reader: TomlReader) -> None:
    bleed = max(target.bleed_x, target.bleed_y, target.back_bleed_x or 0, target.back_bleed_y or 0)
    if target.format == "pdf":
        return
    if target.corners and (bleed or target.paper is not None):
        what = f"they show {format_mm(bleed)} of it" if bleed else "a sheet has corners of its own"
        reader.note(
            reader.choose("corners", "bleed_x", "bleed_y", "paper"),
            f"corners are cut out of pictures of the card without its bleed: {what}",
            f'write paper = "{CARD_PAPER}" and a bleed of 0, or leave corners out',
        )
    of_cards = [field for field in ("card", "copy") if f"{{{field}}}" in target.names]
    if target.paper is not None and target.names != PLAIN.names and of_cards:
        reader.note(
            reader.choose("names", "paper"),
            f"names: {{{of_cards[0]}}} means nothing for pictures of sheets, which hold many cards",
            'write {place} for the number of the sheet, or paper = "card"',
        )
    if target.flavour != "plain":
        reader.note(
            reader.choose("flavour", "format"),
            f'flavour = "{target.flavour}" means nothing with format = "{target.format}"',
            'write format = "pdf", or leave flavour out',
        )
    if target.format == "tts" and target.zip:
        reader.note(
            reader.choose("zip", "format"),
            "a deck for Tabletop Simulator names its pictures by where they lie, not in a .zip",
            "leave zip out",
        )
    if target.format == "tts" and target.paper is not None:
        reader.note(
            reader.choose("format", "paper"),
            'format = "tts" makes a sheet of its own: it takes cards, not sheets',
            f'write paper = "{CARD_PAPER}"',
        )


def _check_colour(target: Target, reader: TomlReader) -> None:
    if target.flavour != "plain" and target.colour == "given":
        reader.note(
            reader.choose("flavour", "colour"),
            f'flavour = "{target.flavour}" needs colours that a press has, not those given',
            'write colour = "cmyk", or colour = "grey"',
        )
    wanting = (target.colour == "cmyk" and "colour") or (target.flavour != "plain" and "flavour")
    if wanting and target.profile is None:
        reader.note(
            wanting,
            f'{wanting} = "{getattr(target, wanting)}" needs a profile of the press',
            'add a line such as profile = "coated-fogra39-300"',
        )
    if target.total_ink is not None and target.colour == "given":
        reader.note(
            reader.choose("total_ink", "colour"),
            'a total_ink is kept by turning colours: it means nothing with colour = "given"',
            'write colour = "cmyk"',
        )


MOST_LANES = 100
MOST_DPI = 2400
MOST_INK = 400


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
    check_target(target, reader)
    reader.raise_problems(foreign)
    if target.paper is None:
        plain: dict[str, Any] = {key: getattr(PLAIN, key) for key in SHEET_KEYS}
        target = replace(target, **plain)
    return target


def _find_base(
    reader: TomlReader, path: Path, library: Library, seen: tuple[Path, ...]
) -> Path | None:
    """The file of the target that another extends."""
    name = reader.read_name("extends", "a4")
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
    given = base or PLAIN
    return Target(
        name=path.stem,
        title=reader.read_title("title"),
        paper=_read_paper(reader, given),
        orientation=reader.read_choice("orientation", get_args(Orientation), given.orientation),
        margin=reader.read_insets("margin", given.margin),
        columns=reader.read_number("columns", MOST_LANES, given.columns),
        rows=reader.read_number("rows", MOST_LANES, given.rows),
        gap_x=reader.read_length("gap_x", given.gap_x),
        gap_y=reader.read_length("gap_y", given.gap_y),
        bleed_x=reader.read_length("bleed_x", given.bleed_x),
        bleed_y=reader.read_length("bleed_y", given.bleed_y),
        back_bleed_x=reader.read_length_or_none("back_bleed_x", given.back_bleed_x),
        back_bleed_y=reader.read_length_or_none("back_bleed_y", given.back_bleed_y),
        full_bleed=reader.read_flag("full_bleed", given.full_bleed),
        safe=reader.read_length("safe", given.safe),
        imposition=reader.read_choice("imposition", get_args(Imposition), given.imposition),
        fold=reader.read_choice("fold", get_args(Fold), given.fold),
        gutter=reader.read_length("gutter", given.gutter),
        marks=reader.read_choice("marks", get_args(MarkStyle), given.marks),
        marks_on=reader.read_choice("marks_on", get_args(MarkedSides), given.marks_on),
        mark_length=reader.read_length("mark_length", given.mark_length),
        mark_offset=reader.read_length("mark_offset", given.mark_offset),
        mark_weight=reader.read_length("mark_weight", given.mark_weight),
        slug=reader.read_flag("slug", given.slug),
        duplex=reader.read_choice("duplex", get_args(Duplex), given.duplex),
        order=reader.read_choice("order", get_args(Order), given.order),
        backs=reader.read_choice("backs", get_args(Backs), given.backs),
        format=reader.read_choice("format", get_args(Format), given.format),
        dpi=reader.read_number("dpi", MOST_DPI, given.dpi) or given.dpi,
        corners=reader.read_length("corners", given.corners),
        names=reader.read_pattern("names", NAME_FIELDS, given.names),
        zip=reader.read_flag("zip", given.zip),
        colour=reader.read_choice("colour", get_args(Colours), given.colour),
        profile=reader.read_name("profile", "coated-fogra39-300") or given.profile,
        total_ink=reader.read_number("total_ink", MOST_INK, given.total_ink),
        flavour=reader.read_choice("flavour", get_args(Flavour), given.flavour),
        text=reader.read_choice("text", get_args(Lettering), given.text),
        smallest_text=reader.read_length("smallest_text", given.smallest_text),
        thinnest_line=reader.read_length("thinnest_line", given.thinnest_line),
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
    return reader.read_size("paper", (CARD_PAPER,)) or PLAIN.paper


Schema = dict[str, Any]

# As docs/targets.md has them.
MEANINGS = {
    "extends": "the target that this one changes",
    "title": "what the target is for; for people, no page shows it",
    "paper": (
        'the paper, by name or spelled out, as in `"a4"`, `"a4 landscape"` or '
        '`"330mm x 480mm"`; or that of the card'
    ),
    "orientation": '`"best"` lets the paper lie on its side where more cards fit so',
    "margin": "where the printer reaches no card and no mark; the bleed may run into it",
    "columns": "how many cards lie side by side",
    "rows": "how many cards lie one below the other",
    "gap_x": "the gutter between neighbours side by side",
    "gap_y": "the gutter between neighbours one below the other",
    "imposition": (
        "cards in rows; fronts beside their backs, to be folded; or all faces small, numbered"
    ),
    "fold": "the axis of a gutterfold",
    "gutter": "what lies between the two halves of a gutterfold",
    "bleed_x": "how much of a template's bleed shows at the left and right",
    "bleed_y": "how much of a template's bleed shows above and below",
    "back_bleed_x": "`bleed_x` of the backs, which a printer may shift",
    "back_bleed_y": "`bleed_y` of the backs",
    "full_bleed": "whether a template with less bleed than the target shows is an error",
    "safe": "how far from the trim a text must stay; 0 means that it is not checked",
    "duplex": "over which edge the printer turns the sheet",
    "order": "the order of the pages: in pairs, or all fronts first",
    "backs": '`"once"` writes backs that look the same as one page',
    "marks": "crop marks, the registration marks of a cutter, or none",
    "marks_on": "whether the backs have them too",
    "mark_length": "how long a mark is where there is room",
    "mark_offset": "how far it stays from the trim",
    "mark_weight": "how thick it is",
    "slug": "whether a line outside the cards names deck, date or version, page and target",
    "format": "a PDF, a folder of pictures, or a deck for Tabletop Simulator",
    "dpi": (
        "how many pixels a picture has on an inch; of pictures within a PDF "
        "the least that prints well"
    ),
    "corners": "the radius of the cards' corners: cut out of pictures, or for a cutter",
    "names": (
        "what pictures are called; the fields are `{deck}`, `{target}`, "
        "`{place}`, `{card}`, `{copy}` and `{side}`"
    ),
    "zip": "whether all is packed into one file",
    "flavour": "whether the PDF is PDF/X-4 or PDF/X-1a:2003",
    "text": "whether text is text, or drawn as paths",
    "colour": "colours as the template and the pictures say, CMYK through the profile, or grey",
    "profile": "the ICC profile of the press, a file in `profiles/`",
    "total_ink": "the most ink in one place, in percent",
    "smallest_text": "the smallest text that can be printed",
    "thinnest_line": "the thinnest line that can be printed",
}
_NOT_KEYS = ("name", "file", "lines")
_MOST = {"columns": MOST_LANES, "rows": MOST_LANES, "dpi": MOST_DPI, "total_ink": MOST_INK}

_NUMBER = r"\+?([0-9]+\.?[0-9]*|\.[0-9]+)"
_UNIT = r"([mM][mM]|[cC][mM]|[iI][nN]|[pP][tT])"
_FIXED = rf"^\s*({_NUMBER}\s*{_UNIT}|[+-]?0*\.?0+\s*{_UNIT}?)\s*$"
_LENGTH: Schema = {"anyOf": [{"type": "string", "pattern": _FIXED}, {"type": "number", "const": 0}]}
_SPELLED_OUT = rf"^\s*{_NUMBER}\s*{_UNIT}?\s*[xX×]\s*{_NUMBER}\s*{_UNIT}?\s*$"
_LINE: Schema = {"type": "string", "pattern": r"^\s*[^\n]*\S[^\n]*\s*$"}


def make_target_schema() -> Schema:
    types = get_type_hints(Target)
    keys = [field.name for field in fields(Target) if field.name not in _NOT_KEYS]
    values = {key: _make_value(key, types[key]) for key in keys}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A target of cardgen in TOML",
        "type": "object",
        "properties": {
            key: {"description": MEANINGS[key], **value} if key in MEANINGS else value
            for key, value in {"extends": {"type": "string"}, **values}.items()
        },
        "additionalProperties": False,
        "required": ["title"],
        "anyOf": [{"required": ["paper"]}, {"required": ["extends"]}],
    }


def _make_value(key: str, kind: Any) -> Schema:
    """What a key may hold, by the type of the field it is read into."""
    kinds = [part for part in get_args(kind) or (kind,) if part is not type(None)]
    if get_origin(kind) is Literal:
        return {"enum": kinds, "default": getattr(PLAIN, key)}
    if key == "title":
        return _LINE
    if key == "names":
        return _make_pattern()
    (kind,) = kinds
    if kind is bool:
        return {"type": "boolean", "default": getattr(PLAIN, key)}
    if kind is int:
        return {"type": "integer", "minimum": 1, "maximum": _MOST[key]}
    if kind is Size:
        return _make_size()
    if kind is Insets:
        sides = dict.fromkeys(Insets._fields, _LENGTH)
        table = {"type": "object", "properties": sides, "additionalProperties": False}
        return {"anyOf": [*_LENGTH["anyOf"], table]}
    if kind is float:
        return {"anyOf": [{"const": "none"}, *_LENGTH["anyOf"]]}
    return {"type": "string"}


def _make_size() -> Schema:
    """A size by name, spelled out, or that of the card; names are offered in lower case."""
    names = [*PAPER_SIZES, *CARD_SIZES]
    shown = [*names, *(f"{name} landscape" for name in names), CARD_PAPER]
    written = "|".join(_ignore_case(name) for name in (*names, CARD_PAPER))
    lying = rf"^\s*({written})([\s-]+{_ignore_case('landscape')})?\s*$"
    return {
        "type": "string",
        "anyOf": [{"enum": shown}, {"pattern": _SPELLED_OUT}, {"pattern": lying}],
    }


def _ignore_case(name: str) -> str:
    return "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in name)


def _make_pattern() -> Schema:
    known = "|".join(NAME_FIELDS)
    return {
        "type": "string",
        "pattern": rf'^([^{{}}/\\:*?"<>|]|\{{\{{|\}}\}}|\{{({known})[^{{}}]*\}})*$',
        "default": PLAIN.names,
    }


# MERGED: What in a target does not go together, noted at the key that brought it about.
#
#   Must not know decks, templates or faces.
#
# MERGED: Turns a TOML file, with those it extends, into a Target.
#
#   Must not know decks, templates or faces.
#
# MERGED: The keys of a target as a JSON Schema, made from the fields of Target and their types.
#
#   What a schema cannot say is left to the reader: what does not go together. It refuses nothing that
#   the reader accepts. Must not know of editors, nor of files.
#
