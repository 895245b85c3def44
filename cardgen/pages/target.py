"""One way to print, as data: paper, grid, marks, duplex, kind of file, and what a press wants.

Each key of a target's file is one entry below, a field of one of the groups: its reader, its rule,
the JSON schema and the tables of docs/targets.md come out of it. Must not know decks, templates or
faces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from cardgen.core.errors import Where
from cardgen.core.geometry import Insets, Size
from cardgen.core.units import MM, PAPER_SIZES, format_mm, name_size
from cardgen.pages.keys import (
    CARD_PAPER,
    NO_PAPER,
    Conflict,
    count_to,
    key,
    list_keys,
    sheet_key,
)
from cardgen.pages.products import PRODUCTS, Product
from cardgen.pages.showcase import ShowcaseKeys

Orientation = Literal["given", "best"]
Imposition = Literal["grid", "gutterfold", "contact"]
Fold = Literal["upright", "level"]
Cutting = Literal["any", "straight"]
DieLine = Literal["file", "spot"]
MarkStyle = Literal["crop", "silhouette", "none"]
MarkedSides = Literal["fronts", "both"]
Duplex = Literal["long-edge", "short-edge", "none"]
Axis = Literal["upright", "level"]
Order = Literal["front-back", "back-front", "fronts-backs"]
Backs = Literal["each", "once"]
Format = Literal["pdf", "png", "tts", "showcase"]
Quantities = Literal["copies", "json", "mpc-fill"]
Colours = Literal["given", "cmyk", "grey"]
Flavour = Literal["plain", "x-4", "x-1a"]
Lettering = Literal["fonts", "outlines"]
Side = Literal["front", "back"]

SHORTEST_MARK = 1 * MM
_PICTURE_NAMES = "{place}-{card}-{side}"
_SLACK = 1e-6
_LANES = count_to(100)
_AS_FIT = "as many as fit"


# What must hold of the keys: each rule stands at the key that it is about.


def _leave_room(target: Target, key: str) -> Iterator[Conflict]:
    paper, margin = target.paper.size, target.paper.margin
    if paper is None or paper == NO_PAPER:
        return
    for side, sheet, first, second in (
        ("wide", paper.width, margin.left, margin.right),
        ("high", paper.height, margin.top, margin.bottom),
    ):
        if first + second >= sheet:
            yield Conflict(
                "target/no-room",
                (key, "paper"),
                f"margins of {format_mm(first)} and {format_mm(second)} leave nothing of a paper "
                f"{format_mm(sheet)} {side}",
            )


def _fit_gap(target: Target, key: str) -> Iterator[Conflict]:
    """A bleed of the backs that the gap cuts off is only wrong where the file says it."""
    gap_key = f"gap_{key[-1]}"
    bleed, gap = getattr(target.grid, key) or 0.0, getattr(target.grid, gap_key)
    if gap and bleed > gap / 2 + _SLACK:
        yield Conflict(
            "target/bleed-overlaps",
            (key, *(() if key.startswith("back") else (gap_key,))),
            f"{key} of {format_mm(bleed)} is wider than half of {gap_key}, "
            f"{format_mm(gap)} / 2 = {format_mm(gap / 2)}: neighbours would overlap",
            f"show at most {format_mm(gap / 2)}, or widen {gap_key} to {format_mm(2 * bleed)}",
            details={"most_mm": round(gap / 2 / MM, 2)},
        )


def _be_visible(target: Target, _: str) -> Iterator[Conflict]:
    length, hint = target.marks.length, 'for no marks at all write marks = "none"'
    if length < SHORTEST_MARK - _SLACK:
        yield Conflict(
            "target/mark-too-small",
            ("mark_length",),
            f"mark_length of {format_mm(length)} is too short to cut by; "
            f"it must be at least {format_mm(SHORTEST_MARK)}",
            hint,
        )
    if not target.marks.weight:
        what = "a mark_weight of 0 cannot be seen"
        yield Conflict("target/mark-too-small", ("mark_weight",), what, hint)


def _suit_imposition(target: Target, key: str) -> Iterator[Conflict]:
    imposition = target.grid.imposition
    if imposition != "grid" and target.marks.style == "silhouette":
        yield Conflict(
            "target/keys-conflict",
            ("marks", key),
            f'a cutter\'s marks do not go with imposition = "{imposition}"',
            'write marks = "none", or imposition = "grid"',
        )
    if imposition == "gutterfold" and target.marks.sides == "both":
        yield Conflict(
            "target/key-means-nothing",
            ("marks_on", key),
            'a gutterfold has one side: marks_on = "both" means nothing',
            "leave marks_on out",
        )


def _suit_format(target: Target, key: str) -> Iterator[Conflict]:
    grid, file, on_sheets = target.grid, target.file, target.paper.size is not None
    if file.format == "pdf":
        return
    bleed = max(grid.bleed_x, grid.bleed_y, grid.back_bleed_x or 0, grid.back_bleed_y or 0)
    if file.corners and (bleed or on_sheets):
        what = f"they show {format_mm(bleed)} of it" if bleed else "a sheet has corners of its own"
        yield Conflict(
            "target/keys-conflict",
            ("corners", "bleed_x", "bleed_y", "paper"),
            f"corners are cut out of pictures of the card without its bleed: {what}",
            f'write paper = "{CARD_PAPER}" and a bleed of 0, or leave corners out',
        )
    of_cards = [name for name in ("card", "copy") if f"{{{name}}}" in file.names]
    if on_sheets and file.names != _PICTURE_NAMES and of_cards:
        yield Conflict(
            "target/key-means-nothing",
            ("names", "paper"),
            f"names: {{{of_cards[0]}}} means nothing for pictures of sheets, which hold many cards",
            'write {place} for the number of the sheet, or paper = "card"',
        )
    if target.press.flavour != "plain":
        yield Conflict(
            "target/key-means-nothing",
            ("flavour", key),
            f'flavour = "{target.press.flavour}" means nothing with format = "{file.format}"',
            'write format = "pdf", or leave flavour out',
        )
    if file.format == "tts" and file.zip:
        yield Conflict(
            "target/keys-conflict",
            ("zip", key),
            "a deck for Tabletop Simulator names its pictures by where they lie, not in a .zip",
            "leave zip out",
        )
    if file.format in ("tts", "showcase") and on_sheets:
        made = "a sheet of its own" if file.format == "tts" else "pictures of single cards"
        yield Conflict(
            "target/keys-conflict",
            (key, "paper"),
            f'format = "{file.format}" makes {made}: it takes cards, not sheets',
            f'write paper = "{CARD_PAPER}"',
        )


def _suit_pictures(target: Target, key: str) -> Iterator[Conflict]:
    """Quantities and products are those of a service that takes a picture of each card."""
    if target.get_value(key) == TARGET_KEYS[key].default:
        return
    of_pixels = key == "quantities" or any(product.width for product in target.file.products)
    if (of_pixels and target.file.format != "png") or target.paper.size is not None:
        yield Conflict(
            "target/key-means-nothing",
            (key, "format", "paper"),
            f"{key} means nothing but for {'pictures' if of_pixels else 'pages'} of cards",
            f'write format = "png" and paper = "{CARD_PAPER}", or leave {key} out',
        )
    elif target.file.format == "png" and not all(p.width for p in target.file.products):
        yield Conflict(
            "value/not-pixels",
            (key, "format"),
            f"{key}: a product has no pixels, and the target makes pictures",
            'as in pixels = "825 x 1125"',
        )


def _suit_die(target: Target, key: str) -> Iterator[Conflict]:
    if target.press.die_line == "spot" and (
        target.file.format != "pdf" or target.paper.size is not None
    ):
        yield Conflict(
            "target/key-means-nothing",
            (key, "format", "paper"),
            f'{key} = "spot" means nothing but for a PDF of a page for each face',
            f'write format = "pdf" and paper = "{CARD_PAPER}", or leave {key} out',
        )


def _suit_press(target: Target, key: str) -> Iterator[Conflict]:
    press = target.press
    if press.flavour != "plain" and press.colour == "given":
        yield Conflict(
            "target/needs-colour",
            ("flavour", key),
            f'flavour = "{press.flavour}" needs colours that a press has, not those given',
            'write colour = "cmyk", or colour = "grey"',
        )
    wanting = (press.colour == "cmyk" and key) or (press.flavour != "plain" and "flavour")
    if wanting and press.profile is None:
        yield Conflict(
            "target/needs-profile",
            (wanting,),
            f'{wanting} = "{getattr(press, wanting)}" needs a profile of the press',
            'add a line such as profile = "coated-fogra39-300"',
        )
    if press.total_ink is not None and press.colour == "given":
        yield Conflict(
            "target/key-means-nothing",
            ("total_ink", key),
            'a total_ink is kept by turning colours: it means nothing with colour = "given"',
            'write colour = "cmyk"',
        )


def _suit_base(target: Target, key: str) -> Iterator[Conflict]:
    """Nobody turns what lies in a base into inks, or into pixels."""
    for name, usual in (("format", "pdf"), ("colour", "given")):
        value = target.get_value(name)
        if target.get_value(key) is not None and value != usual:
            yield Conflict(
                "target/keys-conflict",
                (key, name),
                f'a base is printed as it is, and {name} = "{value}" asks for more',
                f'leave {key} out, or write {name} = "{usual}"',
            )


# The keys


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
        rule=_leave_room,
    )
    base: str | None = sheet_key(
        None, "[a PDF below the cards](#a-base), a file in `targets/`", "none", rule=_suit_base
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
        0.0, "how much of a template's bleed shows at the left and right", rule=_fit_gap
    )
    bleed_y: float = key(0.0, "how much of a template's bleed shows above and below", rule=_fit_gap)
    back_bleed_x: float | None = key(
        None,
        "`bleed_x` of the backs, which a printer may shift",
        "as `bleed_x`",
        rule=_fit_gap,
    )
    back_bleed_y: float | None = key(None, "`bleed_y` of the backs", "as `bleed_y`", rule=_fit_gap)
    full_bleed: bool = key(
        False, "whether a template with less bleed than the target shows is an error"
    )
    cutting: Cutting = key(
        "any",
        '`"straight"` where cards are cut along straight edges alone: a '
        "[trim](template-format.md#trim) that is a circle, a hexagon or a path is an error then",
    )
    safe: float = key(0.0, "how far from the trim a text must stay; 0 means that it is not checked")
    imposition: Imposition = sheet_key(
        "grid",
        "cards in rows; fronts beside their backs, to be folded; or all faces small, numbered",
        rule=_suit_imposition,
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
        rule=_be_visible,
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
        "a PDF, a folder of pictures, a deck for Tabletop Simulator, or "
        "[pictures that show it off](#a-showcase)",
        rule=_suit_format,
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
        _PICTURE_NAMES,
        "what pictures are called; the fields are `{deck}`, `{target}`, "
        "`{place}`, `{card}`, `{copy}` and `{side}`",
    )
    zip: bool = key(False, "whether all is packed into one file")
    quantities: Quantities = key(
        "copies",
        "a picture for each copy; or one for each card, and [how many](#quantities) in a file",
        rule=_suit_pictures,
    )
    products: tuple[Product, ...] = key(
        (),
        "what [the service](#the-products-of-a-service) prints: name, size, pixels of a picture",
        "any size",
        kind=PRODUCTS,
        rule=_suit_pictures,
    )


@dataclass(frozen=True, slots=True)
class PressKeys:
    colour: Colours = key(
        "given",
        "colours as the template and the pictures say, CMYK through the profile, or grey",
        rule=_suit_press,
    )
    profile: str | None = key(None, "the ICC profile of the press, a file in `profiles/`", "none")
    total_ink: int | None = key(
        None, "the most ink in one place, in percent", "no limit", kind=count_to(400)
    )
    flavour: Flavour = key("plain", "whether the PDF is PDF/X-4 or PDF/X-1a:2003")
    text: Lettering = key("fonts", "whether text is text, or drawn as paths")
    die_line: DieLine = key(
        "file",
        "where the line of [cards that are no rectangles](#cards-that-are-no-rectangles) stands: "
        'in files beside the PDF, or with `"spot"` on each front too, in the ink "CutContour"',
        rule=_suit_die,
    )
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
    showcase: ShowcaseKeys = ShowcaseKeys()
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

    @property
    def keeps_step(self) -> bool:
        """Whether each front has a page for its back, so that nothing shifts on paper.

        Pictures lie apart, and a back that is there once stands by no front.
        """
        duplex = self.duplex
        return self.file.format == "pdf" and duplex.edge != "none" and duplex.backs == "each"

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


TARGET_KEYS = {of.name: of for of in list_keys(Target)}
PLAIN = Target("", "")


def make_target(name: str, title: str, paper: Size | None, **values: Any) -> Target:
    """Return a target with these values by the names of their keys, and all others as usual."""
    return replace(PLAIN.change(paper=paper, **values), name=name, title=title)
