"""The checks of each page's content; pages that are alike are judged once.

Knows nothing of the file as a whole, nor of the processes that share its pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple

from pikepdf import Stream

from cardgen.core.errors import shorten
from cardgen.core.geometry import IDENTITY, Box
from cardgen.core.shape import Contour
from cardgen.preflight.beside import Glimpse, MarkFinder
from cardgen.preflight.boxes import (
    check_bleed,
    check_boxes,
    check_letters,
    is_near_trim,
    make_gap_fault,
    make_outline_fault,
    trace_cut,
)
from cardgen.preflight.document import DocumentPage, PageBoxes
from cardgen.preflight.keeping import Keeper
from cardgen.preflight.labels import PlaceLabels
from cardgen.preflight.marks import (
    MOST_PLACED,
    Group,
    Layer,
    Look,
    Unread,
    count_placed,
    list_own_layers,
    list_part_layers,
)
from cardgen.preflight.objects import BROKEN, find_value, identify, list_array
from cardgen.preflight.rendering import NEAR_TRIM, RenderedPage, Renderer, Side
from cardgen.preflight.report import Fault
from cardgen.preflight.ring import find_ring
from cardgen.preflight.rules import INK_SLACK, Judge
from cardgen.preflight.stacking import Suspicion, Weight, list_stacked
from cardgen.preflight.walker import Walker
from cardgen.preflight.wants import Wants

_MOST_JUDGED = 20_000
_MOST_LOOKS = 5_000
_MOST_STREAMS = 1_000
_MOST_PLACED_MARKS = 50_000
_NO_EMPTY = "take it out, unless it is the back of a card or a sheet that has none"
_BESIDE = 0.1  # points of a picture within the cut that do not count
# Looked for on the whole page; the others only as far as the bleed.
_EVERYWHERE = ("preflight/colour-space", "preflight/fonts", "preflight/transparency")


class _Found(NamedTuple):
    """A fault on a page, whatever its number.

    boxes: the places that are labelled one by one; None where the whole page is meant, or one place
    that is in the fault
    """

    fault: Fault
    boxes: tuple[Box, ...] | None = None


class _Said(NamedTuple):
    """What one layer is to its page.

    whitens: whether it may show white where the card is cut, whatever lies beneath
    reaches: whether it comes near the trim of the card or lies beyond it
    shows: whether it is seen on the card
    is_near: whether it is text so near the trim that its letters are to be measured
    """

    glimpse: Glimpse | None
    weight: Weight | None
    whitens: bool
    reaches: bool
    shows: bool
    is_near: bool

    def put(self, layer: Layer) -> _Said:
        """Return the same of another layer that looks so."""
        glimpse, weight = self.glimpse, self.weight
        if glimpse is None and weight is None:
            return self
        return self._replace(
            glimpse=glimpse and glimpse._replace(layer=layer),
            weight=weight and weight._replace(layer=layer),
        )


class _Judgement(NamedTuple):
    """What is to be said of some layers of a page, in their order.

    group: what they are of, which stays as long as this is kept
    error: of an object that is damaged, after what was found before it
    """

    group: Group
    found: Sequence[_Found]
    said: Sequence[_Said] = ()
    error: Exception | None = None


class _Scene(NamedTuple):
    """A page, the line that its card is cut along, and what gathers the marks of its layers.

    calm: the part of the card where it does not matter where a mark is; None where there is none
    """

    page: DocumentPage
    line: Contour | None
    calm: Box | None
    beside: MarkFinder
    stacks: Suspicion


class PageChecker:
    """The checks of each page's content; pages that are alike are judged once."""

    def __init__(
        self,
        wants: Wants,
        labels: PlaceLabels,
        renderer: Renderer | None,
        *,
        duplex: bool = False,
    ) -> None:
        self._wants = wants
        self._duplex = duplex
        self._labels = labels
        self._renderer = renderer
        self._walker = Walker()
        self._stacker = Walker(ordered=True)
        self._judge = Judge(wants)
        self.judged: Keeper[object, tuple[_Found, ...]] = Keeper(_MOST_JUDGED)
        self.most_parts = _MOST_PLACED_MARKS
        self.parts: Keeper[object, _Judgement] = Keeper(self.most_parts)
        self._streams: Keeper[object, bytes] = Keeper(_MOST_STREAMS)
        self._frame: tuple[PageBoxes, Contour | None] | None = None
        self._calm: Box | None = None
        self._calm_looks: Keeper[Look, _Said] = Keeper(_MOST_LOOKS)

    def check(self, page: DocumentPage) -> Iterator[Fault]:
        drawn = self._renderer is not None and self._renderer.finds(page)
        line = trace_cut(page, self._wants, is_back=self._is_back(page.number))
        key = self._identify_page(page, drawn, line)
        known = None if key is None else self.judged.find(key)
        if known is not None:
            for found in known:
                yield from self._label(found, page)
            return
        judgement: list[_Found] = []
        for found in self._list_found(page, drawn, line):
            judgement.append(found)
            yield from self._label(found, page)
        # What is said of damage names an object, which is another one on another page.
        if key is not None and not any(f.fault.code == "preflight/damaged" for f in judgement):
            self.judged.keep(key, tuple(judgement), 1 + len(judgement))

    def _identify_page(self, page: DocumentPage, drawn: bool, line: Contour | None) -> object:
        """Return a key that is the same for pages that look the same; None where there may be
        none.
        """
        thing = page.thing
        digests: list[bytes] = []
        for stream in list_array(find_value(thing, "/Contents")):
            digest = self._digest(stream) if isinstance(stream, Stream) else None
            if digest is None:
                return None
            digests.append(digest)
        resources, group = identify(page.resources), identify(find_value(thing, "/Group"))
        return tuple(digests), resources, group, page.boxes, drawn, line

    def _digest(self, stream: Any) -> bytes | None:
        """Return what is the same for streams with the same content; the one that many pages share
        is read once.
        """
        key = stream.objgen
        known = self._streams.find(key)
        if known is None:
            try:
                data = bytes(stream.read_raw_bytes())
            except BROKEN:
                return None
            settings = [identify(find_value(stream, key)) for key in ("/Filter", "/DecodeParms")]
            known = self._streams.keep(key, sha256(b"%a " % settings + data).digest())
        return known

    def _label(self, found: _Found, page: DocumentPage) -> Iterator[Fault]:
        """Yield a fault for each label of its places."""
        fault = replace(found.fault, page=page.number)
        if fault.code == "preflight/empty-page" and self._is_back(page.number):
            fault = replace(fault, severity="note")
        if found.boxes is None:
            yield fault
            return
        labelled: dict[str, list[Box]] = {}
        for box in found.boxes:
            labelled.setdefault(self._labels.find_at(page.number, box), []).append(box)
        for label, places in labelled.items():
            place = fault.place or page.boxes.locate(places[0])
            yield replace(fault, place=place, count=len(places), label=label)

    def _is_back(self, number: int) -> bool:
        """Whether a page is known to be the back of the one before, which may well be empty."""
        label = self._labels.find_at(number, None)
        return label.endswith(", back") or (self._duplex and number % 2 == 0)

    def _list_found(
        self, page: DocumentPage, drawn: bool, line: Contour | None
    ) -> Iterator[_Found]:
        yield from map(_Found, check_boxes(page, self._wants))
        group = self._walker.walk_page(page.thing, page.resources)
        placed = count_placed(group)
        unread = () if group.is_sound else tuple(dict.fromkeys(_list_unread(group)))
        for each in unread:
            yield _Found(_make_damage(each, page))
        if placed > MOST_PLACED:
            yield _Found(_make_damage(Unread("too many forms"), page))
            return
        with ExitStack() as stack:
            rendered: RenderedPage | None = None
            if any(each.kind == "limit" for each in unread):
                pass  # it would take too long
            elif self._renderer and drawn:
                rendered = stack.enter_context(self._renderer.open_page(page))
            elif self._renderer:
                yield _Found(_make_damage(Unread("drawing"), page))
            beside = MarkFinder(page.boxes, self._wants)
            stacks = Suspicion(self._wants.total_ink, self._judge.meter)
            near, sure, reaches = False, not unread, line is not None or bool(unread)
            empty = sure and not list_array(find_value(page.thing, "/Annots"))
            self._enter(page, line)
            scene = _Scene(page, line, self._calm, beside, stacks)
            for judgement in self._judge_all(group, scene):
                yield from judgement.found
                if judgement.error is not None:
                    raise judgement.error
                for glimpse, weight, whitens, reaching, shows, is_near in judgement.said:
                    if glimpse is not None:
                        beside.add(glimpse)
                    if weight is not None:
                        stacks.add(weight)
                    sure = sure and not whitens
                    reaches = reaches or reaching
                    empty = empty and not shows
                    near = near or is_near
            # Of a page that cannot be read whole nothing is sure but what is seen.
            if reaches or not rendered:
                yield from self._check_edges(page, rendered, group.covers if sure else (), line)
            if near and rendered:
                letters = rendered.list_letters()
                yield from map(_Found, check_letters(letters, page, self._wants, line))
            yield from (_Found(found.fault, found.boxes) for found in beside.list_found())
            if stacks.is_grave and not unread:
                yield from self._check_stacks(page)
            if empty:
                yield _Found(
                    Fault("preflight/empty-page", "warning", "the page is empty", _NO_EMPTY)
                )

    def _judge_all(self, group: Group, scene: _Scene) -> Iterator[_Judgement]:
        """Yield what is to be said of a page's own layers, then of each of its parts; the same part
        at the same place is judged once.
        """
        yield self._judge_layers(list_own_layers(group), group, scene)
        for part in group.parts:
            key = (id(part.group), part.matrix, part.clip, part.spread)
            known = self.parts.find(key)
            if known is None:
                layers = list(list_part_layers(part))
                known = self._judge_layers(layers, part.group, scene)
                if known.error is None:
                    self.parts.keep(key, known, 1 + sum(len(layer.boxes) for layer in layers))
            yield known

    def _enter(self, page: DocumentPage, line: Contour | None) -> None:
        """Forget what is known of layers where a page has other boxes than the one before."""
        frame = page.boxes, line
        if self._frame == frame:
            return
        self._frame, self.parts = frame, Keeper(self.most_parts)
        self._calm_looks = Keeper(_MOST_LOOKS)
        edge = max(NEAR_TRIM, self._wants.safe / page.boxes.unit)
        inner = page.boxes.cut.meet(page.boxes.painted)
        self._calm = None if line is not None or inner is None else inner.grow(-edge, -edge)

    def _judge_layers(self, layers: Iterable[Layer], group: Group, scene: _Scene) -> _Judgement:
        found: list[_Found] = []
        said: list[_Said] = []
        try:
            for layer in layers:
                calm = layer.clip is None and layer.matrix is IDENTITY
                calm = calm and scene.calm is not None and layer.lies_within(scene.calm)
                known = self._calm_looks.find(layer.look) if calm else None
                if known is None:
                    count = len(found)
                    known = self._judge_layer(layer, scene, found)
                    if calm and len(found) == count:
                        self._calm_looks.keep(layer.look, known)
                said.append(known.put(layer))
        except BROKEN as error:
            return _Judgement(group, found, error=error)
        return _Judgement(group, found, said)

    def _judge_layer(self, layer: Layer, scene: _Scene, found: list[_Found]) -> _Said:
        """Return what a layer is to the page, and add what is wrong with it."""
        page, line, _, beside, stacks = scene
        found += self._check_layer(layer, page)
        glimpse, weight = beside.look_at(layer), stacks.weigh(layer)
        whitens, reaches = _may_whiten(layer, page), _reaches(layer, page)
        shows = _shows(layer, page)
        found += self._check_outlines(layer, page, line)
        near = self._is_near(layer, page, line)
        return _Said(glimpse, weight, whitens, reaches, shows, near)

    def _check_edges(
        self,
        page: DocumentPage,
        rendered: RenderedPage | None,
        covers: Sequence[Box],
        line: Contour | None,
    ) -> Iterator[_Found]:
        wants = self._wants
        touched: tuple[Side, ...] | None = None
        if rendered and (wants.bleed_x or wants.bleed_y):
            bleed = min(wants.bleed_x, wants.bleed_y)
            if line is None or not wants.shape.is_loose:
                edges = rendered.find_edges(wants.bleed_x, wants.bleed_y, covers)
            else:
                edges = find_ring(line, bleed / page.boxes.unit, rendered.draw_plates(bleed))
            touched = edges.touched
            for gap in edges.gaps:
                yield _Found(make_gap_fault(gap, page, wants), (gap.box,))
        yield from map(_Found, check_bleed(page, touched, wants))

    def _check_layer(self, layer: Layer, page: DocumentPage) -> Iterator[_Found]:
        boxes = page.boxes
        for fault in self._judge.judge(layer.look, layer.matrix.scale * boxes.unit):
            within = boxes.media if fault.code in _EVERYWHERE else boxes.painted
            if fault.code == "preflight/resolution":  # what is cut off may be coarse
                within = boxes.cut.grow(-_BESIDE, -_BESIDE)
            yield _Found(fault, tuple(layer.list_visible(within)))

    def _check_outlines(
        self, layer: Layer, page: DocumentPage, line: Contour | None
    ) -> Iterator[_Found]:
        """Check the letters that are shapes: each is as large as its box."""
        if layer.look.kind != "text" or layer.look.font is not None or not self._wants.safe:
            return
        boxes = layer.list_visible(page.boxes.media)
        near = [box for box in boxes if is_near_trim(box, page, self._wants, line)]
        if near:
            yield _Found(make_outline_fault(near, page, self._wants, line), tuple(near))

    def _check_stacks(self, page: DocumentPage) -> Iterator[_Found]:
        """Walk a page once more in the order of painting, to add up what lies upon another."""
        limit = self._wants.total_ink
        if limit is None:
            return
        group = self._stacker.walk_page(page.thing, page.resources)
        for stacked in list_stacked(group, limit + INK_SLACK):
            if self._wants.is_die(stacked.look.paint):
                continue  # it has no plate that is printed
            if box := stacked.box.meet(page.boxes.painted):
                yield _Found(
                    self._judge.make_ink_fault(stacked.look, stacked.ink, stacked=True), (box,)
                )

    def _is_near(self, layer: Layer, page: DocumentPage, line: Contour | None) -> bool:
        """Say whether lines of text may be so near the trim that each letter is to be measured."""
        if layer.look.kind != "text" or layer.look.font is None or not self._wants.safe:
            return False
        if line is None and not is_near_trim(layer.extent, page, self._wants):
            return False
        boxes = layer.list_visible(page.boxes.media)
        return any(is_near_trim(box, page, self._wants, line) for box in boxes)


def _may_whiten(layer: Layer, page: DocumentPage) -> bool:
    """Say whether marks may show white where the card is cut, whatever lies beneath."""
    look = layer.look
    plain = look.paint is not None and not look.paint.pattern and not look.paint.is_white
    if look.kind in ("text", "line", "group", "mask") or (look.kind == "area" and plain):
        return False
    return bool(_list_outer(layer, page))


def _reaches(layer: Layer, page: DocumentPage) -> bool:
    """Say whether marks come near the trim or lie beyond it; a white ground is as good as none."""
    outer, paint = _list_outer(layer, page), layer.look.paint
    if layer.look.kind == "area" and paint is not None and paint.is_white and not paint.pattern:
        return not all(box.contains(page.boxes.painted, 0) for box in outer)
    return bool(outer)


def _list_outer(layer: Layer, page: DocumentPage) -> list[Box]:
    """Return where marks come near the trim or lie beyond it."""
    inner = page.boxes.cut.grow(-NEAR_TRIM, -NEAR_TRIM)
    if layer.lies_within(inner):
        return []
    visible = layer.list_visible(page.boxes.painted)
    return [box for box in visible if not inner.contains(box, 0)]


def _shows(layer: Layer, page: DocumentPage) -> bool:
    """Say whether marks are seen on the card: white ones are not, on white paper."""
    look = layer.look
    if look.kind in ("group", "mask") or (look.paint is not None and look.paint.is_white):
        return False
    if layer.clip is None and layer.lies_within(page.boxes.cut):
        return True
    return bool(layer.list_visible(page.boxes.cut))


def _list_unread(group: Group) -> Iterator[Unread]:
    """Yield the unreadable parts of a page's content and of all that it draws."""
    seen: set[int] = set()
    ahead = [group]
    while ahead:
        inner = ahead.pop()
        if id(inner) not in seen:
            seen.add(id(inner))
            yield from inner.unread
            ahead += (part.group for part in inner.parts)


def _make_damage(unread: Unread, page: DocumentPage) -> Fault:
    if unread.kind == "limit":
        return Fault(
            "preflight/too-large",
            "error",
            f"the page holds {unread.detail}, more than is checked",
            "is it what it seems? then write the page more plainly",
            about=(unread.detail,),
            page=page.number,
        )
    if unread.kind == "missing":
        return Fault(
            "preflight/resources",
            "error",
            f"{unread.detail} that the page asks for is not among its resources; it is left out "
            "or replaced",
            "write the file anew",
            about=(unread.detail,),
            page=page.number,
        )
    what = {
        "content": f"content that cannot be read: {unread.detail}",
        "drawing": "it cannot be drawn",
        "nested forms": "forms that are nested without end",
        "operator": f"the operator {unread.detail} is not used as it must be",
        "unknown operator": f'"{shorten(unread.detail, 30)}" is no operator of PDF',
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
