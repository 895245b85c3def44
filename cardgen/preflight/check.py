"""Preflight as a whole: the only place that knows the order of the checks.

Turns a PDF file and what is wanted of it into a report.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from cardgen.core.geometry import Size
from cardgen.core.units import format_mm
from cardgen.preflight.boxes import check_bleed, check_boxes, check_sizes
from cardgen.preflight.cards import CardNames, read_names
from cardgen.preflight.interpreter import Walker
from cardgen.preflight.marks import MOST_PLACED, Group, Layer, count_placed, list_layers
from cardgen.preflight.objects import BROKEN, Source, SourcePage, open_source
from cardgen.preflight.pdfx import check_claim, check_keys, find_flavour, read_claim
from cardgen.preflight.plane import Box
from cardgen.preflight.raster import Painter, Side, check_safe, is_near, open_painter
from cardgen.preflight.report import Fault, Report, fold_faults
from cardgen.preflight.rules import Judge
from cardgen.preflight.structure import check_structure
from cardgen.preflight.wants import Wants

# Looked for on the whole page; the others only as far as the bleed.
_EVERYWHERE = ("colour-space", "fonts", "transparency")


def check_file(file: bytes | str | Path, wants: Wants | None = None, name: str = "") -> Report:
    """Check a file; one that cannot be opened is an error."""
    wants = wants or Wants()
    with open_source(file, name) as source:
        claim = read_claim(source)
        if not wants.is_press:
            wants = replace(wants, flavour=find_flavour(claim))
        names = read_names(source)
        faults = [
            *check_claim(claim, wants),
            *_gather(check_structure(source, wants)),
            *_gather(check_keys(source, wants)),
            *check_sizes(source.pages, wants),
        ]
        with open_painter(source) as painter:
            pages = _Pages(source, wants, names, painter)
            for page in source.pages:
                faults += _gather(pages.check(page), page.number)
        first = source.pages[0].boxes if source.pages else None
        trim = Size(first.cut.width * first.unit, first.cut.height * first.unit) if first else None
        return Report(
            source.name,
            wants.flavour,
            wants.asked_by,
            len(source.pages),
            trim,
            fold_faults(_name_cards(faults, names)),
        )


def _gather(faults: Iterator[Fault], page: int | None = None) -> Iterator[Fault]:
    """What a check finds, up to an object that is damaged: pikepdf reads each when it is used."""
    try:
        yield from faults
    except BROKEN as error:
        yield Fault(
            "damaged",
            "error",
            f"an object cannot be read, so that not all could be checked: {error}",
            "write the file anew",
            page=page,
        )


def _name_cards(faults: list[Fault], names: CardNames) -> Iterator[Fault]:
    """The card of each fault that has none yet, where its page alone tells it."""
    for fault in faults:
        if fault.page is None or fault.card:
            yield fault
        else:
            yield replace(fault, card=names.find(fault.page, None))


class _Pages:
    """The checks of each page's content."""

    def __init__(
        self, source: Source, wants: Wants, names: CardNames, painter: Painter | None
    ) -> None:
        self._source = source
        self._wants = wants
        self._names = names
        self._painter = painter
        self._walker = Walker()
        self._judge = Judge(wants)

    def check(self, page: SourcePage) -> Iterator[Fault]:
        yield from check_boxes(page, self._wants)
        group = self._walker.walk_page(page.thing, page.resources)
        yield from self._check_broken(group, page)
        if count_placed(group, {}) > MOST_PLACED:
            message = f"more than {MOST_PLACED:,} forms within one another"
            yield _make_damage(message, page)
            return
        painter = self._painter
        if painter and not painter.can_draw(page):
            yield _make_damage("it cannot be drawn", page)
            painter = None
        yield from self._check_edges(page, painter)
        near = False
        for layer in list_layers(group):
            yield from self._check_layer(layer, page)
            if layer.look.kind == "text" and self._wants.safe and not near:
                boxes = layer.list_visible(page.boxes.media)
                near = any(is_near(box, page, self._wants) for box in boxes)
        if near and painter:
            yield from check_safe(page, painter.document, self._wants)

    def _check_layer(self, layer: Layer, page: SourcePage) -> Iterator[Fault]:
        for fault in self._judge.judge(layer.look, layer.matrix.scale * page.boxes.unit):
            boxes = page.boxes
            within = boxes.media if fault.rule in _EVERYWHERE else boxes.painted
            cards: dict[str, list[Box]] = {}
            for box in layer.list_visible(within):
                cards.setdefault(self._names.find(page.number, box), []).append(box)
            for card, places in cards.items():
                place = boxes.locate(places[0])
                count = len(places)
                yield replace(fault, page=page.number, place=place, count=count, card=card)

    def _check_edges(self, page: SourcePage, painter: Painter | None) -> Iterator[Fault]:
        wants = self._wants
        touched: tuple[Side, ...] | None = None
        if painter and (wants.bleed_x or wants.bleed_y):
            edges = painter.look_at(page, wants.bleed_x, wants.bleed_y)
            touched = edges.touched
            for gap in edges.gaps:
                bleed = wants.bleed_x if gap.side in ("left", "right") else wants.bleed_y
                reach = gap.reach * page.boxes.unit
                yield Fault(
                    "bleed-painted",
                    wants.fault,
                    f"paint reaches the trim at the {gap.side} and ends {format_mm(reach)} "
                    f"beyond it; {wants.asked_by} wants {format_mm(bleed)}",
                    "let it run on to the edge of the bleed",
                    same="gap",
                    page=page.number,
                    place=page.boxes.locate(gap.box),
                    worse=-reach,
                    card=self._names.find(page.number, gap.box),
                )
        yield from check_bleed(page, touched, wants)

    def _check_broken(self, group: Group, page: SourcePage) -> Iterator[Fault]:
        for message in dict.fromkeys(_list_broken(group)):
            yield _make_damage(message, page)


def _make_damage(message: str, page: SourcePage) -> Fault:
    return Fault(
        "damaged",
        "error",
        f"the page holds what cannot be read: {message}",
        "write the file anew",
        page=page.number,
    )


def _list_broken(group: Group) -> Iterator[str]:
    seen: set[int] = set()
    ahead = [group]
    while ahead:
        inner = ahead.pop()
        if id(inner) not in seen:
            seen.add(id(inner))
            yield from inner.broken
            ahead += (part.group for part in inner.parts)
