"""What in a target does not go together, noted at the key that brought it about.

Must not know decks, templates or faces.
"""

from __future__ import annotations

from cardgen.geometry import Size
from cardgen.pages.reader import TomlReader
from cardgen.pages.target import CARD_PAPER, SHORTEST_MARK, Target
from cardgen.units import format_mm

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
