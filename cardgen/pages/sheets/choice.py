"""Chooses the kind of sheets that a target asks for; nothing else reads it from the target.

The usual kind is a grid; a module of another kind is loaded where it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Size
from cardgen.core.shape import RECTANGLE, Shape
from cardgen.pages.impose import Sides
from cardgen.pages.marks import fit_lanes
from cardgen.pages.nest import part_cards
from cardgen.pages.orientation import orient_paper
from cardgen.pages.places import fills_sheet
from cardgen.pages.sheets import grid
from cardgen.pages.sheets.grid import GridSheets
from cardgen.pages.sheets.protocol import BY_HAND, CardKind, Sheets
from cardgen.pages.target import Target

_NONE: frozenset[int] = frozenset()
_OPTIONS: Mapping[Sides, str] = {
    "fronts": "--fronts",
    "backs": "--backs",
    "odd": "--sides odd",
    "even": "--sides even",
}


def check_choice(target: Target, sides: Sides, used: frozenset[int] = _NONE) -> None:
    """Complain of what means nothing for a target, whatever the cards are."""
    is_table = target.file.format in ("tts", "showcase")
    is_contact = target.grid.imposition == "contact"
    if used and (is_table or is_contact):
        raise CardgenError(
            "print/skip-too-many",
            f'the target "{target.name}" has no sheets that are partly used: '
            f"{len(used)} cannot be skipped",
            hint="leave --skip and --used out",
        )
    if sides != "both" and is_table:
        raise CardgenError(
            "print/sides-mean-nothing",
            f'the target "{target.name}" makes cards that have both sides',
            hint=f"leave {_OPTIONS[sides]} out",
        )
    if sides in BY_HAND and is_contact:
        raise CardgenError(
            "print/sides-mean-nothing",
            f'the target "{target.name}" makes one page, and no stack to be turned over: '
            f"{_OPTIONS[sides]} means nothing",
            target.find_place("imposition"),
            "leave it out, or ask for some of the faces with --fronts or --backs",
        )


def choose_sheets(
    target: Target,
    card: Size,
    has_back: Iterable[object],
    sides: Sides = "both",
    used: frozenset[int] = _NONE,
    shape: Shape = RECTANGLE,
) -> Sheets:
    """Return the sheets for cards of one size and shape; their target has its paper as it lies.

    Without backs there is nothing to fold, and a play sheet is printed as ever: then a gutterfold
    is a grid.
    """
    imposition, paper = target.grid.imposition, target.paper.size
    if imposition == "contact":
        from cardgen.pages.sheets.contact import ContactSheet

        return ContactSheet(target, card, sides, used, shape)
    if target.file.format == "tts":
        from cardgen.pages.sheets.tabletop import TabletopSheets

        return TabletopSheets(target, card, sides, used, shape)
    check_cuts(target, shape)
    target = part_cards(target, shape)
    if imposition == "gutterfold":
        if paper is not None and not fills_sheet(card, paper) and any(has_back):
            return _fold(target, card, sides, used, shape)
        target = target.change(imposition="grid")
    if sides in BY_HAND:
        _check_by_hand(target, sides)
    settled = orient_paper(target, partial(grid.count_places, card, shape))
    if not shape.is_loose:
        settled = fit_lanes(card, settled)
    return GridSheets(settled, card, sides, used, shape)


def choose_mixed(
    target: Target,
    kinds: Mapping[int, CardKind],
    copies: Iterable[tuple[int, bool]],
    sides: Sides = "both",
    used: frozenset[int] = _NONE,
) -> Sheets:
    """Return the sheets for cards of one or of several kinds.

    copies: for each its kind, and whether it has a back
    """
    has_back: dict[int, list[bool]] = {}
    for number, there in copies:
        has_back.setdefault(number, []).append(there)
    if len(kinds) == 1:
        ((number, kind),) = kinds.items()
        return choose_sheets(target, kind.size, has_back[number], sides, used, kind.shape)
    if target.grid.imposition == "contact":
        from cardgen.pages.sheets.contact import ContactSheet

        card = Size(
            max(kind.size.width for kind in kinds.values()),
            max(kind.size.height for kind in kinds.values()),
        )
        shown = {number: (kind.size, kind.shape) for number, kind in kinds.items()}
        return ContactSheet(target, card, sides, used, kinds=shown)
    from cardgen.pages.sheets.mixed import MixedSheets, Part

    parts: list[Part] = []
    for number, kind in kinds.items():
        # What is used of a sheet was used by the cards that come first.
        told = has_back[number], sides, _NONE if parts else used, kind.shape
        sheets = choose_sheets(target, kind.size, *told)
        if parts and sheets.is_lying != parts[0].sheets.is_lying:
            with suppress(CardgenError):  # all sheets of a file lie alike, where they can
                sheets = choose_sheets(_lay_as(target, parts[0].sheets), kind.size, *told)
        parts.append(Part(number, sheets))
    first = parts[0].sheets
    return MixedSheets(first.target, first.card, sides, used, first.shape, tuple(parts))


def _lay_as(target: Target, sheets: Sheets) -> Target:
    """Return a target with its paper as other sheets have it."""
    laid = sheets.target.paper
    return target.change(paper=laid.size, margin=laid.margin, orientation="given")


def check_cuts(target: Target, shape: Shape) -> None:
    """Refuse a shape that is not cut out where the target's cards go."""
    if target.grid.cutting == "straight" and shape.is_loose:
        raise CardgenError(
            "print/trim-not-cut",
            f'the target "{target.name}" has its cards cut straight, and not as a {shape.name}',
            target.find_place("cutting"),
            'write trim="rectangle" in a template that extends this one; or build for a target '
            "that cuts any shape, as a4, silhouette-a4 or press",
            details={"trim": shape.name, "target": target.name},
        )


def _fold(target: Target, card: Size, sides: Sides, used: frozenset[int], shape: Shape) -> Sheets:
    """Return a gutterfold, which is printed on one side of the paper."""
    if sides != "both":
        raise CardgenError(
            "print/sides-mean-nothing",
            f'the target "{target.name}" prints fronts and backs on one side of the paper: '
            f"{_OPTIONS[sides]} means nothing",
            target.find_place("imposition"),
            "leave it out, or choose another target, as --target a4",
        )
    from cardgen.pages.sheets import gutterfold

    settled = orient_paper(target, partial(gutterfold.count_places, card))
    return gutterfold.GutterfoldSheets(settled.change(duplex="none"), card, sides, used, shape)


def _check_by_hand(target: Target, sides: Sides) -> None:
    """Complain where there is no stack of paper to be turned over."""
    if target.file.format != "pdf":
        raise CardgenError(
            "print/sides-mean-nothing",
            f'the target "{target.name}" makes pictures: {_OPTIONS[sides]} means nothing',
            target.find_place("format"),
            "choose a target that makes a PDF, as --target a4",
        )
    if target.duplex.edge == "none" and sides == "even":
        raise CardgenError(
            "print/backs-not-mirrored",
            f'the target "{target.name}" has duplex = "none": its backs are not mirrored, so they '
            "do not fall behind the fronts",
            target.find_place("duplex"),
            'write duplex = "long-edge", or print the backs apart with --backs',
        )
