"""What must hold of the keys of a target, each rule at the key that it is about.

Must not know how a target is read; whether a card fits the paper is for places.py to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cardgen.core.units import MM, format_mm
from cardgen.pages.keys import CARD_PAPER, NO_PAPER, Conflict

if TYPE_CHECKING:
    from cardgen.pages.target import Target

SHORTEST_MARK = 1 * MM
PICTURE_NAMES = "{place}-{card}-{side}"
_SLACK = 1e-6


def leave_room(target: Target, key: str) -> Iterator[Conflict]:
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


def fit_gap(target: Target, key: str) -> Iterator[Conflict]:
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


def be_visible(target: Target, _: str) -> Iterator[Conflict]:
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


def suit_imposition(target: Target, key: str) -> Iterator[Conflict]:
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


def suit_format(target: Target, key: str) -> Iterator[Conflict]:
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
    if on_sheets and file.names != PICTURE_NAMES and of_cards:
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
    if file.format == "tts" and on_sheets:
        yield Conflict(
            "target/keys-conflict",
            (key, "paper"),
            'format = "tts" makes a sheet of its own: it takes cards, not sheets',
            f'write paper = "{CARD_PAPER}"',
        )


def suit_press(target: Target, key: str) -> Iterator[Conflict]:
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


def need_sheet(key: str) -> Conflict:
    """Return what is said of a key that a page as large as its card has no room for."""
    return Conflict(
        "target/key-means-nothing",
        (key,),
        f'{key} means nothing with paper = "{CARD_PAPER}": the page is the card',
        f"leave {key} out, or name the paper",
    )
