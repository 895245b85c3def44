"""The rules for the boxes of pages, for the bleed around the trim, and for the safe area within it.

Knows nothing of how paint and letters are found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cardgen.core.errors import count, shorten
from cardgen.core.geometry import Box, Rect, Size
from cardgen.core.shape import Contour
from cardgen.core.units import MM, format_mm, format_size
from cardgen.preflight.document import DocumentPage, PageBoxes
from cardgen.preflight.rendering import SIDES, Gap, Letter, Side
from cardgen.preflight.report import Fault
from cardgen.preflight.wants import Wants

_SLACK = 0.05 * MM
_PIXEL = 0.25 * MM
_NAMES = {"trim": "TrimBox", "bleed": "BleedBox", "crop": "CropBox", "media": "MediaBox"}


def check_boxes(page: DocumentPage, wants: Wants) -> Iterator[Fault]:
    boxes, number = page.boxes, page.number
    if boxes.trim is None and (wants.is_press or wants.bleed_x or wants.bleed_y):
        yield Fault(
            "preflight/trim-box",
            wants.breach,
            "no TrimBox: the file does not say where to cut",
            "write the file with a TrimBox on every page",
            page=number,
        )
    if boxes.art is not None and (wants.is_press or boxes.trim is not None):
        beside = "an ArtBox beside the TrimBox" if boxes.trim else "an ArtBox in place of a TrimBox"
        yield Fault(
            "preflight/art-box",
            "error" if wants.is_press else "note",
            f"{beside}; a page has one of them",
            "take the ArtBox out",
            about=("beside" if boxes.trim else "in place",),
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
            beyond, side = _measure_farthest(small, large)
            yield Fault(
                "preflight/box-nesting",
                wants.breach,
                f"the {_NAMES[inner]} is not within the {_NAMES[outer]}: "
                f"it goes {format_mm(beyond * boxes.unit)} beyond it at the {side}",
                f"make the {_NAMES[outer]} larger, or the {_NAMES[inner]} smaller",
                about=(inner, outer),
                page=number,
                worse=beyond,
            )
    crop = boxes.crop
    if crop and boxes.trim and not crop.contains(boxes.bleed or boxes.trim, _SLACK):
        hidden = "bleed" if crop.contains(boxes.trim, _SLACK) else "trim"
        yield Fault(
            "preflight/crop-box",
            "warning",
            f"the CropBox hides part of the {hidden}; some programs print what it shows alone",
            "take the CropBox out",
            about=(hidden,),
            page=number,
        )


def _measure_farthest(small: Box, large: Box) -> tuple[float, Side]:
    beyond = {
        "left": large.x0 - small.x0,
        "top": small.y1 - large.y1,
        "right": small.x1 - large.x1,
        "bottom": large.y0 - small.y0,
    }
    return max((beyond[side], side) for side in SIDES)


def check_bleed(
    page: DocumentPage, touched: Sequence[Side] | None, wants: Wants
) -> Iterator[Fault]:
    """Check that the boxes leave room for the bleed, at the sides where paint reaches the trim.

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
        "preflight/bleed-width",
        wants.fault,
        f"a bleed of {format_mm(max(0.0, found) * boxes.unit)} at the {sides}; "
        f"{wants.asked_by} wants {format_mm(wanted)}".replace("the all", "all"),
        f"let the picture run {format_mm(wanted)} beyond the trim, and the BleedBox with it",
        page=page.number,
        worse=missing,
        found=max(0.0, found) * boxes.unit / MM,
        wanted=wanted / MM,
    )


def make_gap_fault(gap: Gap, page: DocumentPage, wants: Wants) -> Fault:
    """Return the fault of paint that reaches the trim and ends before the edge of the bleed."""
    bleed = wants.bleed_x if gap.side in ("left", "right") else wants.bleed_y
    reach = gap.reach * page.boxes.unit
    way = f"{format_mm(abs(reach))} {'beyond' if reach >= 0 else 'before'} it"
    if abs(reach) < _PIXEL:
        way = "there"
    ground = ", and white goes on" if gap.on_white else ""
    return Fault(
        "preflight/bleed-painted",
        wants.fault,
        f"paint reaches the trim at the {gap.side} and ends {way}{ground}; {wants.asked_by} wants "
        f"{format_mm(bleed)}",
        "let it run on to the edge of the bleed; white beyond the trim shows as a white edge",
        page=page.number,
        place=page.boxes.locate(gap.box),
        worse=-reach,
    )


def trace_cut(page: DocumentPage, wants: Wants, *, is_back: bool) -> Contour | None:
    """Return the line along which a page's card is cut out; None where it is its trim."""
    if not wants.shape.has_line:
        return None
    shape, cut = wants.shape.mirror() if is_back else wants.shape, page.boxes.cut
    placed = shape.trace(Rect(0, 0, cut.width, cut.height), scale=1 / page.boxes.unit)
    return placed.flipped(cut.height).moved(cut.x0, cut.y0)


def is_near_trim(box: Box, page: DocumentPage, wants: Wants, line: Contour | None = None) -> bool:
    """Say whether text in a box may be too close to the trim; text off the card is not.

    line: that of a card which is no rectangle
    """
    cut = page.boxes.cut
    if line is not None and cut.meet(box) is not None:
        room = line.measure_room(box) * page.boxes.unit
        return room < wants.safe - _SLACK and line.touches(box)
    safe = -wants.safe / page.boxes.unit
    return not cut.grow(safe, safe).contains(box, _SLACK) and cut.meet(box) is not None


def check_letters(
    letters: Iterable[Letter], page: DocumentPage, wants: Wants, line: Contour | None = None
) -> Iterator[Fault]:
    """Check that letters keep away from the trim.

    The boxes of lines have room for ascenders that may not be there; so where those come too near,
    the letters themselves are measured.
    """
    for word in _list_near(letters, page, wants, line):
        distance = format_mm(word.distance) if word.distance > 0 else "nothing"
        yield Fault(
            "preflight/safe-area",
            wants.fault,
            f'"{shorten(word.text, 30)}" keeps {distance} from the trim; '
            f"{wants.asked_by} wants {format_mm(wants.safe)}",
            "move it inwards: a cut a little beside the line would touch it",
            page=page.number,
            place=page.boxes.locate(word.box),
            worse=-word.distance,
            found=max(0.0, word.distance) / MM,
            wanted=wants.safe / MM,
        )


def make_outline_fault(
    letters: Sequence[Box], page: DocumentPage, wants: Wants, line: Contour | None = None
) -> Fault:
    """Return the fault of letters drawn as shapes that are too close to the trim."""
    nearest = min(_measure_distance(box, page, line) for box in letters)
    distance = format_mm(nearest) if nearest > 0 else "nothing"
    return Fault(
        "preflight/safe-area",
        wants.fault,
        f"outlined text keeps {distance} from the trim; {wants.asked_by} wants "
        f"{format_mm(wants.safe)}",
        "move it inwards: a cut a little beside the line would touch it",
        about=("outlined",),
        page=page.number,
        worse=-nearest,
        found=max(0.0, nearest) / MM,
        wanted=wants.safe / MM,
    )


class _Word(NamedTuple):
    text: str
    box: Box
    distance: float


def _list_near(
    letters: Iterable[Letter], page: DocumentPage, wants: Wants, line: Contour | None
) -> Iterator[_Word]:
    """Yield the letters that are too close, joined to words as they follow one another."""
    word: _Word | None = None
    for text, box in letters:
        blank = box is None or not text.strip() or box.width * box.height == 0
        if box is not None and not blank and is_near_trim(box, page, wants, line):
            distance = _measure_distance(box, page, line)
            if word:
                joined = word.box.join(box)
                word = _Word(word.text + text, joined, min(word.distance, distance))
            else:
                word = _Word(text, box, distance)
        elif word:
            yield word
            word = None
    if word:
        yield word


def _measure_distance(box: Box, page: DocumentPage, line: Contour | None) -> float:
    """Return how far a letter is from the trim; less than 0 beyond it."""
    if line is not None:
        return line.measure_room(box) * page.boxes.unit
    cut = page.boxes.cut
    inside = min(box.x0 - cut.x0, cut.x1 - box.x1, box.y0 - cut.y0, cut.y1 - box.y1)
    return inside * page.boxes.unit


def check_sizes(pages: Sequence[DocumentPage], wants: Wants) -> Iterator[Fault]:
    """Check that there are as many pages as wanted, all alike, and as large as wanted."""
    if not pages:
        yield Fault(
            "preflight/page-count",
            "error",
            "there are no pages",
            "write the file anew",
            about=("none",),
        )
    elif wants.pages is not None and wants.pages != len(pages):
        yield Fault(
            "preflight/page-count",
            wants.fault,
            f"the file has {count(len(pages), 'page')}; {wants.pages} are wanted",
            "write the file anew",
        )
    for kind in ("trim", "page"):
        known = {boxes: _measure_page(boxes, kind) for boxes in {page.boxes for page in pages}}
        sizes = {page.number: known[page.boxes] for page in pages}
        usual = Counter(sizes.values()).most_common(1)[0][0] if sizes else Size(0, 0)
        for number, size in sizes.items():
            if size != usual:
                yield Fault(
                    "preflight/page-size",
                    wants.fault if kind == "trim" else "note",
                    f"the {kind} is {format_size(size)}, that of most others {format_size(usual)}",
                    "put pages of another size into a file of their own",
                    about=(kind, size),
                    page=number,
                )
        if kind == "trim" and wants.trim is not None and not _is_alike(usual, wants.trim):
            yield Fault(
                "preflight/page-size",
                wants.fault,
                f"the trim is {format_size(usual)}; {format_size(wants.trim)} is wanted",
                "make the TrimBox as large as the card",
                about=("wanted",),
            )
        if kind == "trim" and any(size != usual for size in sizes.values()):
            return  # the pages differ for the same reason


def check_turns(pages: Sequence[DocumentPage], wants: Wants) -> Iterator[Fault]:
    """Check that no page is turned upside down."""
    turns = {page.boxes.turn for page in pages}
    for page in pages:
        if page.boxes.turn == 180:
            odd = len(turns) > 1
            yield Fault(
                "preflight/page-turned",
                wants.fault if odd else "warning",
                "the page is turned by 180 degrees, and others are not: front or back may stand "
                "upside down"
                if odd
                else "the pages are turned by 180 degrees; a print shop's program may not do so",
                "write the page upright, without /Rotate",
                page=page.number,
            )


def _measure_page(boxes: PageBoxes, kind: str) -> Size:
    """Return the size in steps of 0.1mm, so that sizes that differ by rounding are the same."""
    box = boxes.cut if kind == "trim" else boxes.media
    sides = [round(side * boxes.unit / _SLACK / 2) * _SLACK * 2 for side in (box.width, box.height)]
    return Size(*(reversed(sides) if boxes.turn in (90, 270) else sides))


def _is_alike(one: Size, other: Size) -> bool:
    return all(abs(a - b) <= 2 * _SLACK for a, b in zip(one, other, strict=True))
