"""A page as pdfium shows it: where paint reaches the trim, how far it goes on, where letters stand.

The page is drawn on clear ground, so that white paint is told from none. Beyond the trim white
paint is as good as none: whatever ends there shows a white edge. Knows nothing of what is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from cardgen.core.geometry import Box
from cardgen.core.units import MM
from cardgen.preflight.document import Document, DocumentPage
from cardgen.preflight.keeping import Keeper
from cardgen.preflight.objects import find_box_of_corners
from cardgen.preflight.source import Source

if TYPE_CHECKING:
    from PIL.Image import Image


Side = Literal["left", "top", "right", "bottom"]
SIDES: Final[tuple[Side, ...]] = ("left", "top", "right", "bottom")

_DOTS = 120 / 72
_MOST_PIXELS = 4000
_BLOCK = 2 * MM
LEAST_PAINT = 20  # of 255: a block with less paint at the trim does not touch it
# Paint whose last quarter of a millimetre is missing is let go: edges are drawn soft.
SLACK = 0.25 * MM
_HAIR = 0.01
# Art that ends so near before the trim is meant to reach it; it is this deep at least, ends in a
# straight line this long, and what lies beyond is as light as this.
NEAR_TRIM = 1 * MM
DEEP = 1 * MM
LONG = 8 * MM
_WHITE = 245
_MOST_KEPT = 1000
_MOST_LOADED = 1000
_MEAN = 4  # Pillow's number for a filter: the mean of all pixels, which is its BOX


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of an edge whose paint ends between trim and bleed.

    reach: how far beyond the trim it goes; less than 0 where it ends before the trim
    on_white: white paint goes on beyond it
    """

    side: Side
    box: Box
    reach: float
    on_white: bool = False


@dataclass(frozen=True, slots=True)
class Edges:
    """The edges of a page as they look.

    touched: the sides where paint reaches the trim
    """

    touched: tuple[Side, ...]
    gaps: tuple[Gap, ...]


class Plates(NamedTuple):
    """What is painted, and what is seen on white paper, of an area at so many dots to a unit."""

    painted: Image
    ink: Image
    area: Box
    dots: float


class Letter(NamedTuple):
    """A character; `box` is None where it has no place of its own."""

    text: str
    box: Box | None


@contextmanager
def open_renderer(document: Document) -> Iterator[Renderer | None]:
    """Open a document for drawing; None where pdfium cannot. Its pages are still to be found."""
    from pypdfium2 import PdfiumError

    renderer = Renderer(document.source)
    try:
        renderer.open()
    except PdfiumError:
        yield None
        return
    try:
        yield renderer
    finally:
        renderer.close()


@dataclass(slots=True)
class Renderer:
    """Opens pages; the edges of those that are painted all over are found once for each size.

    pdfium keeps all that it has read of a document, so this is opened when a page must be seen, and
    anew now and then.
    """

    _source: Source
    _document: Any = None
    full: Keeper[object, Edges] = field(default_factory=partial(Keeper, _MOST_KEPT))
    _lost: frozenset[int] = frozenset()
    _loaded: int = 0

    def close(self) -> None:
        if self._document is not None:
            self._document.close()
            self._document = None

    def find_lost(self, pages: Sequence[DocumentPage]) -> None:
        """Look for some pages; pdfium mends less than pikepdf does."""
        document = self.open()
        self._lost = frozenset(page.number for page in pages if not _holds(document, page))
        if len(pages) > _MOST_LOADED:
            self.close()

    def finds(self, page: DocumentPage) -> bool:
        """Say whether pdfium finds a page."""
        return page.number not in self._lost

    def load(self, page: DocumentPage) -> Any:
        """Return a page as pdfium has it."""
        self._loaded += 1
        if self._loaded % _MOST_LOADED == 0:
            self.close()
        return self.open()[page.number - 1]

    def open(self) -> Any:
        """Return the document as pdfium has it."""
        from pypdfium2 import PdfDocument

        if self._document is None:
            self._document = PdfDocument(self._source.give_to_pdfium())
        return self._document

    @contextmanager
    def open_page(self, page: DocumentPage) -> Iterator[RenderedPage]:
        """Open a page that can be found; it is loaded only if it must be seen."""
        opened = RenderedPage(page, self)
        try:
            yield opened
        finally:
            opened.close()


def _holds(document: Any, page: DocumentPage) -> bool:
    from pypdfium2 import PdfiumError

    try:
        document.get_page_size(page.number - 1)
    except PdfiumError:
        return False
    return True


@dataclass(slots=True)
class RenderedPage:
    """A page as pdfium shows it."""

    _page: DocumentPage
    _renderer: Renderer
    _opened: Any = None
    _area: Box | None = None

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def find_edges(self, bleed_x: float, bleed_y: float, covers: Sequence[Box]) -> Edges:
        """Return the edges as far as the bleed that is wanted.

        covers: rectangles that are sure to be painted all over, and not in white; where one of
        them reaches that far, there is no need to look
        """
        boxes = self._page.boxes
        limit = boxes.cut.grow(bleed_x / boxes.unit, bleed_y / boxes.unit)
        area = (boxes.painted.meet(limit) or boxes.cut).meet(boxes.media) or boxes.media
        cut = boxes.cut
        if not area.contains(cut, 1) or min(cut.width, cut.height) < 1:
            return Edges((), ())
        dots = self._look_at(area)
        if not any(cover.contains(area, _HAIR) for cover in covers):
            picture = self._draw(area, dots)
            edges = _find_edges(picture.getchannel("A"), area, cut, dots)
            broken = {gap.side for gap in edges.gaps}
            sides = [side for side in SIDES if side not in broken]
            slivers = _find_slivers(_find_ink(picture), area, cut, dots, sides)
            return Edges(edges.touched, (*edges.gaps, *slivers))
        key = (area, cut)
        full = self._renderer.full
        return full.find(key) or full.keep(
            key, _find_edges(_paint_full(area, dots), area, cut, dots)
        )

    def draw_plates(self, bleed: float) -> Plates:
        """Return the page with as much of the bleed that is wanted as there is."""
        boxes = self._page.boxes
        limit = boxes.cut.grow(bleed / boxes.unit, bleed / boxes.unit)
        area = boxes.media.meet(limit) or boxes.media
        dots = self._look_at(area)
        picture = self._draw(area, dots)
        return Plates(picture.getchannel("A"), _find_ink(picture), area, dots)

    def _look_at(self, area: Box) -> float:
        """Take an area to look at; return how many dots a unit of it has."""
        self._area = area
        return min(_DOTS, _MOST_PIXELS / max(area.width, area.height))

    def _load(self) -> Any:
        """Return the page as pdfium has it, of the size that is looked at."""
        if self._opened is None:
            self._opened = self._renderer.load(self._page)
            if self._area is not None:
                self._opened.set_rotation(0)
                self._opened.set_mediabox(*self._area)
                self._opened.set_cropbox(*self._area)
        return self._opened

    def list_letters(self) -> Iterator[Letter]:
        """Yield the characters of the page's text in their order."""
        text = self._load().get_textpage()
        for index in range(text.count_chars()):
            corners = text.get_charbox(index)
            yield Letter(text.get_text_range(index, 1), find_box_of_corners(corners))
        text.close()

    def _draw(self, area: Box, dots: float) -> Image:
        """Return the colours of the pixels, and how much of each is painted."""
        from pypdfium2 import PdfBitmap
        from pypdfium2 import raw as pdfium

        page = self._load()
        width, height = _measure_picture(area, dots)
        bitmap = PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGRA)
        bitmap.fill_rect((0, 0, 0, 0), 0, 0, width, height)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, pdfium.FPDF_PRINTING)
        drawn: Image = bitmap.to_pil()
        return drawn


def _measure_picture(area: Box, dots: float) -> tuple[int, int]:
    return max(1, round(area.width * dots)), max(1, round(area.height * dots))


def _paint_full(area: Box, dots: float) -> Image:
    """Return what is drawn of a page that is painted all over."""
    from PIL import Image

    return Image.new("L", _measure_picture(area, dots), 255)


def _find_edges(alpha: Image, area: Box, cut: Box, dots: float) -> Edges:
    touched: list[Side] = []
    gaps: list[Gap] = []
    for side in SIDES:
        strip = _Strip(side, _turn(alpha, side), area, cut, dots)
        gaps += strip.list_gaps()
        if strip.touched:
            touched.append(side)
    return Edges(tuple(touched), tuple(gaps))


def _find_ink(picture: Image) -> Image:
    """Return where anything but white is seen on paper."""
    from PIL import Image, ImageChops

    paper = Image.new("RGBA", picture.size, (255, 255, 255, 255))
    paper.alpha_composite(picture)
    red, green, blue, _ = paper.split()
    darkest = ImageChops.darker(ImageChops.darker(red, green), blue)
    return darkest.point(lambda value: 255 if value < _WHITE else 0)


def _find_slivers(
    ink: Image, area: Box, cut: Box, dots: float, sides: Sequence[Side]
) -> Iterator[Gap]:
    """Yield where art ends in a straight line at the trim, and white goes on."""
    for side in sides:
        yield from _Strip(side, _turn(ink, side), area, cut, dots).list_slivers()


def _turn(alpha: Image, side: Side) -> Image:
    """Return the picture with a side at its left; its top is what was at the top or left."""
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
        """Yield the blocks of rows that are painted within the trim and not to the bleed's edge."""
        inner = int(-(-self._bleed * self._dots // 1))  # the first whole pixel within the trim
        if inner + 1 > self._alpha.width:
            return
        image = self._alpha.crop((0, 0, inner + 1, self._alpha.height))
        image = image.point(lambda value: 255 if value > 8 else 0)
        first, last = self._rows
        block = max(2, round(_BLOCK * self._dots))
        blocks = max(1, round((last - first) / block))
        # A row of the small picture is the mean of a block: how much of it is painted, of 255.
        small = image.crop((0, first, inner + 1, last)).resize((inner + 1, blocks), _MEAN)
        shares = small.tobytes()
        run: tuple[float, float, float] | None = None
        for at in range(blocks):
            reach = self._find_reach(shares[at * (inner + 1) : (at + 1) * (inner + 1)])
            if reach is None:
                if run:
                    yield self._make_gap(*run)
                run = None
            else:
                top, bottom = (first + (last - first) * n / blocks for n in (at, at + 1))
                run = (run[0], bottom, min(reach, run[2])) if run else (top, bottom, reach)
        if run:
            yield self._make_gap(*run)

    def list_slivers(self) -> Iterator[Gap]:
        """Yield the runs of blocks that end alike near the trim, with white beyond."""
        dots, outer = self._dots, round(self._bleed * self._dots)
        deep = round((NEAR_TRIM + DEEP) * dots)
        wide = outer + deep
        if outer < 2 or wide > self._alpha.width:
            return
        first, last = self._rows
        blocks = max(1, round((last - first) / max(2, round(_BLOCK * dots))))
        strip = self._alpha.crop((0, first, wide, last))
        shares = strip.resize((wide, blocks), _MEAN).tobytes()
        ends = [self._find_end(shares[at * wide : (at + 1) * wide]) for at in range(blocks)]
        step = (last - first) / blocks
        fewest = max(2, min(round(LONG * dots / step), blocks // 2))
        start = 0
        while start < blocks:
            end = ends[start]
            stop = start + 1
            while end is not None and stop < blocks and _is_near(ends[stop], end):
                stop += 1
            if end is not None and stop - start >= fewest:
                yield self._make_gap(
                    first + step * start,
                    first + step * stop,
                    (outer - end) / dots,
                    on_white=True,
                )
            start = stop

    def _find_end(self, columns: bytes) -> int | None:
        """Return the column at which the art of a block ends; None where it does not, or softly."""
        outer, near = round(self._bleed * self._dots), round(NEAR_TRIM * self._dots)
        deep, slack = round(DEEP * self._dots), max(1, round(SLACK * self._dots))
        end = next((at for at, share in enumerate(columns) if share > 128), len(columns))
        if not slack < end <= outer + near:
            return None
        sharp = all(share < LEAST_PAINT for share in columns[: end - 1])
        whole = all(share > 200 for share in columns[end + 1 : end + deep])
        return end if sharp and whole else None

    def _find_reach(self, columns: bytes) -> float | None:
        """Return how far a block's paint goes; None where there is none, or it goes far enough."""
        share = columns[-1]  # at the trim
        if share < LEAST_PAINT:
            return None
        self.touched = True
        inner = len(columns) - 1
        reach = 0
        while reach < inner and columns[inner - 1 - reach] >= share / 2:
            reach += 1
        missing = (inner - reach) / self._dots
        return max(0.0, self._bleed - missing) if missing > SLACK else None

    def _make_gap(self, top: float, bottom: float, reach: float, *, on_white: bool = False) -> Gap:
        area, dots = self._area, self._dots
        begin, end = top / dots, bottom / dots
        box = {
            "left": Box(area.x0, area.y1 - end, self._cut.x0, area.y1 - begin),
            "right": Box(self._cut.x1, area.y1 - end, area.x1, area.y1 - begin),
            "top": Box(area.x0 + begin, self._cut.y1, area.x0 + end, area.y1),
            "bottom": Box(area.x0 + begin, area.y0, area.x0 + end, self._cut.y0),
        }[self.side]
        return Gap(self.side, box, reach, on_white)


def _is_near(one: int | None, other: int) -> bool:
    return one is not None and abs(one - other) <= 1
