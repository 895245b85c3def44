"""The rules for the boxes of pages: which there are, which lie within which, and their sizes.

Turns an open document's pages into faults. Knows nothing of what the pages paint.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from cardgen.core.geometry import Size
from cardgen.core.units import MM, format_mm, format_size
from cardgen.preflight.objects import PageBoxes, SourcePage
from cardgen.preflight.plane import Box
from cardgen.preflight.raster import SIDES, Side
from cardgen.preflight.report import Fault
from cardgen.preflight.wants import Wants

_SLACK = 0.05 * MM
_NAMES = {"trim": "TrimBox", "bleed": "BleedBox", "crop": "CropBox", "media": "MediaBox"}


def check_boxes(page: SourcePage, wants: Wants) -> Iterator[Fault]:
    boxes, number = page.boxes, page.number
    if boxes.trim is None and (wants.is_press or wants.bleed_x or wants.bleed_y):
        yield Fault(
            "trim-box",
            wants.breach,
            "no TrimBox: the file does not say where to cut",
            "write the file with a TrimBox on every page",
            page=number,
        )
    if boxes.art is not None and (wants.is_press or boxes.trim is not None):
        beside = "an ArtBox beside the TrimBox" if boxes.trim else "an ArtBox in place of a TrimBox"
        yield Fault(
            "art-box",
            "error" if wants.is_press else "note",
            f"{beside}; a page has one of them",
            "take the ArtBox out",
            page=number,
        )
    yield from _check_nesting(boxes, number, wants)


def _check_nesting(boxes: PageBoxes, number: int, wants: Wants) -> Iterator[Fault]:
    named = {"trim": boxes.trim, "bleed": boxes.bleed, "crop": boxes.crop, "media": boxes.media}
    for inner, outer in (
        *(("trim", "bleed"), ("trim", "media"), ("bleed", "media")),
        ("crop", "media"),
    ):
        small, large = named[inner], named[outer]
        if small and large and not large.contains(small, _SLACK):
            if (inner, outer) == ("trim", "media") and boxes.bleed:
                continue  # said of one of the other two
            beyond, side = _find_farthest(small, large)
            yield Fault(
                "box-nesting",
                wants.breach,
                f"the {_NAMES[inner]} is not within the {_NAMES[outer]}: "
                f"it goes {format_mm(beyond * boxes.unit)} beyond it at the {side}",
                f"make the {_NAMES[outer]} larger, or the {_NAMES[inner]} smaller",
                same=inner + outer,
                page=number,
                worse=beyond,
            )
    crop = boxes.crop
    if crop and boxes.trim and not crop.contains(boxes.bleed or boxes.trim, _SLACK):
        hidden = "bleed" if crop.contains(boxes.trim, _SLACK) else "trim"
        yield Fault(
            "crop-box",
            "warning",
            f"the CropBox hides part of the {hidden}; some programs print what it shows alone",
            "take the CropBox out",
            page=number,
        )


def _find_farthest(small: Box, large: Box) -> tuple[float, Side]:
    beyond = {
        "left": large.x0 - small.x0,
        "top": small.y1 - large.y1,
        "right": small.x1 - large.x1,
        "bottom": large.y0 - small.y0,
    }
    return max((beyond[side], side) for side in SIDES)


def check_bleed(page: SourcePage, touched: Sequence[Side] | None, wants: Wants) -> Iterator[Fault]:
    """Whether the boxes leave room for the bleed, at the sides where paint reaches the trim.

    `touched` is None where that is not known: then all sides count.
    """
    boxes = page.boxes
    if not boxes.trim or not boxes.painted.contains(boxes.trim, _SLACK):
        return  # said of the boxes themselves
    cut, outer = boxes.cut, boxes.painted
    room = {
        "left": (cut.x0 - outer.x0, wants.bleed_x),
        "right": (outer.x1 - cut.x1, wants.bleed_x),
        "top": (outer.y1 - cut.y1, wants.bleed_y),
        "bottom": (cut.y0 - outer.y0, wants.bleed_y),
    }
    short = [
        (wanted - found * boxes.unit, side)
        for side, (found, wanted) in room.items()
        if found * boxes.unit < wanted - _SLACK and (touched is None or side in touched)
    ]
    if not short:
        return
    missing, worst = max(short)
    found, wanted = room[worst]
    sides = " and ".join(side for _, side in short) if len(short) < 4 else "all sides"
    yield Fault(
        "bleed-width",
        wants.fault,
        f"a bleed of {format_mm(max(0.0, found) * boxes.unit)} at the {sides}; "
        f"{wants.asked_by} wants {format_mm(wanted)}".replace("the all", "all"),
        f"let the picture run {format_mm(wanted)} beyond the trim, and the BleedBox with it",
        same="bleed",
        page=page.number,
        worse=missing,
    )


def check_sizes(pages: Sequence[SourcePage], wants: Wants) -> Iterator[Fault]:
    """Whether all pages are alike, and as large as they are wanted."""
    if not pages:
        yield Fault("page-count", "error", "there are no pages", "write the file anew")
    elif wants.pages is not None and wants.pages != len(pages):
        yield Fault(
            "page-count",
            wants.fault,
            f"the file has {len(pages)} pages; {wants.pages} are wanted",
            "write the file anew",
        )
    for kind in ("trim", "page"):
        sizes = {page.number: _find_size(page.boxes, kind) for page in pages}
        usual = Counter(sizes.values()).most_common(1)[0][0] if sizes else Size(0, 0)
        for number, size in sizes.items():
            if size != usual:
                yield Fault(
                    "page-size",
                    wants.fault if kind == "trim" else "note",
                    f"the {kind} is {format_size(size)}, that of most others {format_size(usual)}",
                    "put pages of another size into a file of their own",
                    page=number,
                )
        if kind == "trim" and wants.trim is not None and not _is_near(usual, wants.trim):
            yield Fault(
                "page-size",
                wants.fault,
                f"the trim is {format_size(usual)}; {format_size(wants.trim)} is wanted",
                "make the TrimBox as large as the card",
            )
        if kind == "trim" and any(size != usual for size in sizes.values()):
            return  # the pages differ for the same reason


def _find_size(boxes: PageBoxes, kind: str) -> Size:
    """In whole twentieths of a millimetre, so that rounding tells no two apart."""
    box = boxes.cut if kind == "trim" else boxes.media
    sides = [round(side * boxes.unit / _SLACK / 2) * _SLACK * 2 for side in (box.width, box.height)]
    return Size(*(reversed(sides) if boxes.turn in (90, 270) else sides))


def _is_near(one: Size, other: Size) -> bool:
    return all(abs(a - b) <= 2 * _SLACK for a, b in zip(one, other, strict=True))
