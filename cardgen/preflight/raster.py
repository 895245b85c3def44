"""The edges of a page as they look: where paint reaches the trim, and how far beyond it goes.

Draws the page through pdfium on clear ground, so that white paint is told from none. Knows nothing
of what is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from pikepdf import Stream

from cardgen.core.errors import shorten
from cardgen.core.units import MM, format_mm
from cardgen.preflight.objects import Source, SourcePage, get, identify, list_array
from cardgen.preflight.plane import Box, make_box
from cardgen.preflight.report import Fault
from cardgen.preflight.wants import Wants

if TYPE_CHECKING:
    from PIL.Image import Image


Side = Literal["left", "top", "right", "bottom"]
SIDES: Final[tuple[Side, ...]] = ("left", "top", "right", "bottom")

_DOTS = 120 / 72
_MOST_PIXELS = 4000
_BLOCK = 2 * MM
_LEAST = 20  # of 255: what is painted of a block's edge
# Paint whose last quarter of a millimetre is missing is let go: edges are drawn soft.
_SLACK = 0.25 * MM
_BOX = 4  # Pillow's name of the mean of all pixels


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of an edge whose paint ends between trim and bleed.

    reach: how far beyond the trim it goes
    """

    side: Side
    box: Box
    reach: float


@dataclass(frozen=True, slots=True)
class Edges:
    """touched: the sides where paint reaches the trim"""

    touched: tuple[Side, ...]
    gaps: tuple[Gap, ...]


@dataclass(slots=True)
class Painter:
    """Draws pages; those that are the same are drawn once."""

    document: Any
    _known: dict[object, Edges] = field(default_factory=dict)

    def can_draw(self, page: SourcePage) -> bool:
        """Whether pdfium finds the page; what pikepdf can mend, it cannot always."""
        from pypdfium2 import PdfiumError

        try:
            self.document[page.number - 1].close()
        except (PdfiumError, IndexError):
            return False
        return True

    def look_at(self, page: SourcePage, bleed_x: float, bleed_y: float) -> Edges:
        """The edges as far as the bleed that is wanted."""
        key = (_read_content(page.thing), identify(page.resources), page.boxes)
        if key not in self._known:
            self._known[key] = self._look_at(page, bleed_x, bleed_y)
        return self._known[key]

    def _look_at(self, page: SourcePage, bleed_x: float, bleed_y: float) -> Edges:
        boxes = page.boxes
        limit = boxes.cut.grow(bleed_x / boxes.unit, bleed_y / boxes.unit)
        area = (boxes.painted.meet(limit) or boxes.cut).meet(boxes.media) or boxes.media
        cut = boxes.cut
        if not area.contains(cut, 1) or min(cut.width, cut.height) < 1:
            return Edges((), ())
        dots = min(_DOTS, _MOST_PIXELS / max(area.width, area.height))
        alpha = self._draw(page.number - 1, area, dots)
        touched: list[Side] = []
        gaps: list[Gap] = []
        for side in SIDES:
            strip = _Strip(side, _turn(alpha, side), area, cut, dots)
            found = list(strip.list_gaps())
            if strip.touched:
                touched.append(side)
            gaps += found
        return Edges(tuple(touched), tuple(gaps))

    def _draw(self, index: int, area: Box, dots: float) -> Image:
        from pypdfium2 import PdfBitmap
        from pypdfium2 import raw as pdfium

        page = self.document[index]
        page.set_rotation(0)
        page.set_mediabox(*area)
        page.set_cropbox(*area)
        width, height = (max(1, round(side * dots)) for side in (area.width, area.height))
        bitmap = PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGRA)
        bitmap.fill_rect((0, 0, 0, 0), 0, 0, width, height)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, pdfium.FPDF_PRINTING)
        alpha: Image = bitmap.to_pil().getchannel("A")
        page.close()
        return alpha


@contextmanager
def open_painter(source: Source) -> Iterator[Painter | None]:
    """None where pdfium cannot open the file."""
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        document = PdfDocument(source.data)
    except PdfiumError:
        yield None
        return
    try:
        yield Painter(document)
    finally:
        document.close()


def _read_content(page: Any) -> tuple[object, ...]:
    """The packed bytes of a page's content, which tell whether two pages are the same."""
    streams = list_array(get(page, "/Contents"))
    return tuple(
        stream.read_raw_bytes() if isinstance(stream, Stream) else None for stream in streams
    )


def _turn(alpha: Image, side: Side) -> Image:
    """The picture with a side at its left; what was at its top or left is at the top."""
    from PIL.Image import Transpose

    if side == "right":
        return alpha.transpose(Transpose.FLIP_LEFT_RIGHT)
    if side == "top":
        return alpha.transpose(Transpose.TRANSPOSE)
    if side == "bottom":
        return alpha.transpose(Transpose.FLIP_TOP_BOTTOM).transpose(Transpose.TRANSPOSE)
    return alpha


class _Strip:
    """The strip between bleed and trim along one side, as if it were the left one."""

    def __init__(self, side: Side, alpha: Image, area: Box, cut: Box, dots: float) -> None:
        self.side: Side = side
        self.touched = False
        self._alpha, self._area, self._cut, self._dots = alpha, area, cut, dots
        level = side in ("left", "right")
        self._bleed = {
            "left": cut.x0 - area.x0,
            "right": area.x1 - cut.x1,
            "top": area.y1 - cut.y1,
            "bottom": cut.y0 - area.y0,
        }[side]
        begin = area.y1 - cut.y1 if level else cut.x0 - area.x0
        length = cut.height if level else cut.width
        self._rows = (round(begin * dots), round((begin + length) * dots))

    def list_gaps(self) -> Iterator[Gap]:
        """Blocks of rows that are painted within the trim and not to the bleed's edge."""
        inner = int(-(-self._bleed * self._dots // 1))  # the first whole pixel within the trim
        if inner + 1 > self._alpha.width:
            return
        image = self._alpha.crop((0, 0, inner + 1, self._alpha.height))
        image = image.point(lambda value: 255 if value > 8 else 0)
        first, last = self._rows
        block = max(2, round(_BLOCK * self._dots))
        blocks = max(1, round((last - first) / block))
        # A row of the small picture is the mean of a block: how much of it is painted, of 255.
        small = image.crop((0, first, inner + 1, last)).resize((inner + 1, blocks), _BOX)
        shares = small.tobytes()
        run: tuple[float, float, float] | None = None
        for at in range(blocks):
            reach = self._measure(shares[at * (inner + 1) : (at + 1) * (inner + 1)])
            if reach is None:
                if run:
                    yield self._make_gap(*run)
                run = None
            else:
                top, bottom = (first + (last - first) * n / blocks for n in (at, at + 1))
                run = (run[0], bottom, min(reach, run[2])) if run else (top, bottom, reach)
        if run:
            yield self._make_gap(*run)

    def _measure(self, columns: bytes) -> float | None:
        """How far the paint of a block goes; None where there is none, or it goes far enough."""
        share = columns[-1]  # at the trim
        if share < _LEAST:
            return None
        self.touched = True
        inner = len(columns) - 1
        reach = 0
        while reach < inner and columns[inner - 1 - reach] >= share / 2:
            reach += 1
        missing = (inner - reach) / self._dots
        return max(0.0, self._bleed - missing) if missing > _SLACK else None

    def _make_gap(self, top: float, bottom: float, reach: float) -> Gap:
        area, dots = self._area, self._dots
        begin, end = top / dots, bottom / dots
        box = {
            "left": Box(area.x0, area.y1 - end, self._cut.x0, area.y1 - begin),
            "right": Box(self._cut.x1, area.y1 - end, area.x1, area.y1 - begin),
            "top": Box(area.x0 + begin, self._cut.y1, area.x0 + end, area.y1),
            "bottom": Box(area.x0 + begin, area.y0, area.x0 + end, self._cut.y0),
        }[self.side]
        return Gap(self.side, box, reach)


_SLACK_SAFE = 0.05 * MM


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    box: Box
    distance: float


def is_near(box: Box, page: SourcePage, wants: Wants) -> bool:
    """Whether text in a box may be too close to the trim; what is off the card is not."""
    cut = page.boxes.cut
    safe = -wants.safe / page.boxes.unit
    return not cut.grow(safe, safe).contains(box, _SLACK_SAFE) and cut.meet(box) is not None


def check_safe(page: SourcePage, document: Any, wants: Wants) -> Iterator[Fault]:
    for word in _list_near(page, document, wants):
        distance = format_mm(word.distance) if word.distance > 0 else "nothing"
        yield Fault(
            "safe-area",
            wants.fault,
            f'"{shorten(word.text, 30)}" keeps {distance} from the trim; '
            f"{wants.asked_by} wants {format_mm(wants.safe)}",
            "move it inwards: a cut a little beside the line would touch it",
            same="text",
            page=page.number,
            place=page.boxes.locate(word.box),
            worse=-word.distance,
        )


def _list_near(page: SourcePage, document: Any, wants: Wants) -> Iterator[_Word]:
    """Words with a letter that is too close, joined as they follow one another."""
    handle = document[page.number - 1]
    text = handle.get_textpage()
    word: _Word | None = None
    for index in range(text.count_chars()):
        box = make_box(text.get_charbox(index))
        letter = text.get_text_range(index, 1)
        if box is None or not letter.strip() or box.width * box.height == 0:
            near = False
        else:
            near = is_near(box, page, wants)
        if near and box is not None:
            distance = _measure(box, page)
            if word:
                joined = Box(
                    *(min(word.box.x0, box.x0), min(word.box.y0, box.y0)),
                    *(max(word.box.x1, box.x1), max(word.box.y1, box.y1)),
                )
                word = _Word(word.text + letter, joined, min(word.distance, distance))
            else:
                word = _Word(letter, box, distance)
        elif word:
            yield word
            word = None
    if word:
        yield word
    text.close()
    handle.close()


def _measure(box: Box, page: SourcePage) -> float:
    """How far a letter is from the trim; less than 0 beyond it."""
    cut = page.boxes.cut
    inside = min(box.x0 - cut.x0, cut.x1 - box.x1, box.y0 - cut.y0, cut.y1 - box.y1)
    return inside * page.boxes.unit


# MERGED: The rule for text near the trim: letter by letter, as pdfium places them.
#
#   The boxes of the interpreter are those of whole lines, with room for ascenders that may not be
#   there; so only where those come too near are the letters themselves looked at.
#
