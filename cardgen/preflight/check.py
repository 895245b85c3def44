"""Preflight as a whole: the only place that knows the order of the checks.

Turns a PDF file, and what is wanted of it, into a report.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from cardgen.core.geometry import Box, Size
from cardgen.preflight.boxes import (
    check_bleed,
    check_boxes,
    check_letters,
    check_sizes,
    is_near_trim,
    make_gap_fault,
)
from cardgen.preflight.document import Document, DocumentPage, open_document
from cardgen.preflight.interpreter import Walker
from cardgen.preflight.labels import PlaceLabels, read_labels
from cardgen.preflight.marks import MOST_PLACED, Group, Layer, Unread, count_placed, list_layers
from cardgen.preflight.objects import BROKEN
from cardgen.preflight.pdfx import check_claim, check_keys, parse_claim, read_claim
from cardgen.preflight.rendering import RenderedPage, Renderer, Side, open_renderer
from cardgen.preflight.report import Fault, Report, fold_faults
from cardgen.preflight.rules import Judge
from cardgen.preflight.structure import check_structure
from cardgen.preflight.wants import Wants

# Looked for on the whole page; the others only as far as the bleed.
_EVERYWHERE = ("preflight/colour-space", "preflight/fonts", "preflight/transparency")


def check_file(file: bytes | str | Path, wants: Wants | None = None, name: str = "") -> Report:
    """Return what is wrong in a file; one that cannot be opened is an error."""
    wants = wants or Wants()
    with open_document(file, name) as document:
        claim = read_claim(document)
        if not wants.is_press:
            wants = replace(wants, flavour=parse_claim(claim))
        labels = read_labels(document)
        faults = [
            *check_claim(claim, wants),
            *_collect(check_structure(document, wants)),
            *_collect(check_keys(document, wants)),
            *check_sizes(document.pages, wants),
        ]
        with open_renderer(document) as renderer:
            checker = _PageChecker(wants, labels, renderer)
            for page in document.pages:
                faults += _collect(checker.check(page), page.number)
        return Report(
            document.name,
            wants.flavour,
            wants.asked_by,
            len(document.pages),
            _find_trim(document),
            fold_faults(_label_faults(faults, labels)),
        )


def _find_trim(document: Document) -> Size | None:
    """Return the size of the first page's trim."""
    if not document.pages:
        return None
    boxes = document.pages[0].boxes
    return Size(boxes.cut.width * boxes.unit, boxes.cut.height * boxes.unit)


def _collect(faults: Iterator[Fault], page: int | None = None) -> Iterator[Fault]:
    """Yield faults up to an object that is damaged: pikepdf reads each when it is used."""
    try:
        yield from faults
    except BROKEN as error:
        yield Fault(
            "preflight/damaged",
            "error",
            f"an object cannot be read, so that not all could be checked: {error}",
            "write the file anew",
            about=("object", str(error)),
            page=page,
        )


def _label_faults(faults: list[Fault], labels: PlaceLabels) -> Iterator[Fault]:
    """Yield the faults, each with the label of its page where it has none of its own."""
    for fault in faults:
        if fault.page is None or fault.label:
            yield fault
        else:
            yield replace(fault, label=labels.find_at(fault.page, None))


class _PageChecker:
    """The checks of each page's content."""

    def __init__(self, wants: Wants, labels: PlaceLabels, renderer: Renderer | None) -> None:
        self._wants = wants
        self._labels = labels
        self._renderer = renderer
        self._walker = Walker()
        self._judge = Judge(wants)

    def check(self, page: DocumentPage) -> Iterator[Fault]:
        yield from check_boxes(page, self._wants)
        group = self._walker.walk_page(page.thing, page.resources)
        for unread in dict.fromkeys(_list_unread(group)):
            yield _make_damage(unread, page)
        if count_placed(group, {}) > MOST_PLACED:
            yield _make_damage(Unread("too many forms"), page)
            return
        with ExitStack() as stack:
            rendered: RenderedPage | None = None
            if self._renderer:
                rendered = stack.enter_context(self._renderer.open_page(page))
                if not rendered:
                    yield _make_damage(Unread("drawing"), page)
            yield from self._check_edges(page, rendered)
            near = False
            for layer in list_layers(group):
                yield from self._check_layer(layer, page)
                near = near or self._is_near(layer, page)
            if near and rendered:
                yield from check_letters(rendered.list_letters(), page, self._wants)

    def _check_edges(self, page: DocumentPage, rendered: RenderedPage | None) -> Iterator[Fault]:
        wants = self._wants
        touched: tuple[Side, ...] | None = None
        if rendered and (wants.bleed_x or wants.bleed_y):
            edges = rendered.find_edges(wants.bleed_x, wants.bleed_y)
            touched = edges.touched
            for gap in edges.gaps:
                fault = make_gap_fault(gap, page, wants)
                yield replace(fault, label=self._labels.find_at(page.number, gap.box))
        yield from check_bleed(page, touched, wants)

    def _check_layer(self, layer: Layer, page: DocumentPage) -> Iterator[Fault]:
        for fault in self._judge.judge(layer.look, layer.matrix.scale * page.boxes.unit):
            boxes = page.boxes
            within = boxes.media if fault.code in _EVERYWHERE else boxes.painted
            labelled: dict[str, list[Box]] = {}
            for box in layer.list_visible(within):
                labelled.setdefault(self._labels.find_at(page.number, box), []).append(box)
            for label, places in labelled.items():
                yield replace(
                    fault,
                    page=page.number,
                    place=boxes.locate(places[0]),
                    count=len(places),
                    label=label,
                )

    def _is_near(self, layer: Layer, page: DocumentPage) -> bool:
        """Say whether lines of text may be so near the trim that each letter is to be measured."""
        if layer.look.kind != "text" or not self._wants.safe:
            return False
        boxes = layer.list_visible(page.boxes.media)
        return any(is_near_trim(box, page, self._wants) for box in boxes)


def _list_unread(group: Group) -> Iterator[Unread]:
    """Yield what cannot be read in a page's content and in all that it draws."""
    seen: set[int] = set()
    ahead = [group]
    while ahead:
        inner = ahead.pop()
        if id(inner) not in seen:
            seen.add(id(inner))
            yield from inner.unread
            ahead += (part.group for part in inner.parts)


def _make_damage(unread: Unread, page: DocumentPage) -> Fault:
    what = {
        "content": f"content that cannot be read: {unread.detail}",
        "drawing": "it cannot be drawn",
        "nested forms": "forms that are nested without end",
        "operator": f"the operator {unread.detail} is not used as it must be",
        "too many forms": f"more than {MOST_PLACED:,} forms within one another",
    }[unread.kind]
    return Fault(
        "preflight/damaged",
        "error",
        f"the page holds what cannot be read: {what}",
        "write the file anew",
        about=("page", unread),
        page=page.number,
    )
