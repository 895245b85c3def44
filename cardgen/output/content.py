"""The items of a face written as a PDF content stream.

Coordinates are turned upside down on the way: a face counts from its top, PDF from the bottom.
Forms, gradients, pictures and fonts become shared resources. Knows nothing of cards or sheets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import cos, sin
from typing import cast
from weakref import WeakKeyDictionary

from cardgen.core.colour import Axis, Circles, Colour, Gradient, Stops
from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.layout.art.outlines import trace_rect
from cardgen.layout.extent import measure_run
from cardgen.layout.face import (
    Element,
    Form,
    Group,
    Item,
    Outline,
    Picture,
    Placed,
    Raster,
    Segment,
    Shared,
    Stroke,
    Tag,
)
from cardgen.output.fonts import WIDE, tell_text
from cardgen.output.glyphs import GlyphTracer
from cardgen.output.grounds import Ground, Grounds
from cardgen.output.images import Source, find_source
from cardgen.output.notation import SPACES, format_figures, format_number
from cardgen.output.resources import KNOCK_OUT, OVERPRINT, Resources, State
from cardgen.output.structure import Part, join_parts, sum_up
from cardgen.text.setting import Run
from cardgen.text.shaping import Font, ends_word

# How many segments a long path has, and how many such paths are kept.
_LONG, _MOST_PATHS, _MOST_SEGMENTS = 20, 200, 50_000


_NO_INK = Colour("grey", (1.0,))
_OPERATORS = {"cmyk": (b"k", b"K"), "rgb": (b"rg", b"RG"), "grey": (b"g", b"G")}

_BLENDS = {"multiply": b"/BM/Multiply", "screen": b"/BM/Screen"}
_FINEST_DASHES = 0.02  # points, a dash and its gap together
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_SEGMENTS = {
    "M": b"%.3f %.3f m ",
    "L": b"%.3f %.3f l ",
    "C": b"%.3f %.3f %.3f %.3f %.3f %.3f c ",
    "Z": b"h ",
}
_TURNS = {0: b"1 0 0 1", 90: b"0 -1 1 0", 180: b"-1 0 0 -1", 270: b"0 1 -1 0"}

Forms = WeakKeyDictionary[Shared, dict[tuple[Ground, ...], bytes]]


class ContentFormatter:
    """Formats items as content streams, and keeps what they share."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        # What a form holds is forgotten with it: a deck may have drawings for each card.
        self._forms: Forms = WeakKeyDictionary()
        self._groups: WeakKeyDictionary[Shared, bytes] = (
            WeakKeyDictionary()
        )  # those that others shine through
        # What forms are read aloud as by themselves, each in a tuple, lest it be looked for twice.
        self._said: WeakKeyDictionary[Shared, tuple[Element | None]] = WeakKeyDictionary()
        self._pictures: dict[Source, bytes] = {}
        self._kept = 0  # segments of long paths
        self._paths: dict[tuple[int, float], tuple[Sequence[Segment], bytes]] = {}
        self._gradients: dict[tuple[Gradient, Rect], bytes] = {}
        self._inks, self._overprints, outlines, *_ = resources.prepress
        self._tracer = GlyphTracer(resources.add_form) if outlines else None
        self._grounds: Grounds | None = None
        if self._overprints and self._inks.room_below_black is not None:
            self._grounds = Grounds(resources.prepress, self._inks.room_below_black)

    def format(self, items: Sequence[Item], height: float) -> bytes:
        """Return the content stream of items; their origin is `height` above the stream's own."""
        return join_parts(self.format_parts(items, height))

    def format_parts(self, items: Sequence[Item], height: float) -> list[Part]:
        """Return the content stream of items, cut where another element begins."""
        below = self._grounds.list_grounds(items) if self._grounds else ()
        return self._format_parts(items, height, below)

    def _format_parts(
        self, items: Sequence[Item], height: float, below: tuple[Ground, ...]
    ) -> list[Part]:
        found: list[Part] = []
        for element, group in _group(items):
            if element is None:
                self._format_seen(group, height, below, found)
            else:
                found.append(Part(element, b"\n".join(self._format_items(group, height, below))))
        return found

    def _format_seen(
        self,
        items: Sequence[Item],
        height: float,
        below: tuple[Ground, ...],
        found: list[Part],
    ) -> None:
        """Append the content of items that belong to no element; a form may be one by itself, or
        hold some.
        """
        seen: list[Item] = []

        def flush() -> None:
            if seen:
                found.append(Part(None, b"\n".join(self._format_items(seen, height, below))))
                seen.clear()

        for item in items:
            if not isinstance(item, Placed):
                seen.append(item)
                continue
            said = self._find_said(item.shared)
            if isinstance(item, Form) and item.turn:
                # It is turned for this card alone, so that its content may stand on the page.
                flush()
                place = b"%b cm" % _format_matrix(item, height)
                found += self._format_within(item, place, below)
            elif said is None:
                seen.append(item)
            elif isinstance(item, Group) and not item.is_clear:
                flush()
                found += self._format_within(item, _format_entry(item, height), below)
            else:
                flush()
                # Each time that a form is drawn it is an element of its own.
                if isinstance(item, Form):
                    content = self._format_form(item, height, below)
                else:
                    content = self._format_group(item, height, below)
                found.append(Part(said.repeat(said.alt), content))
        flush()

    def _format_within(
        self, outer: Placed, entry: bytes, below: tuple[Ground, ...]
    ) -> Iterator[Part]:
        """Yield what a form or group holds; `entry` leads to its coordinates."""
        inner = self._enter(outer, below)
        for element, content in self._format_parts(outer.shared.items, 0.0, inner):
            yield Part(element, b"q %b\n%b\nQ" % (entry, content) if content else b"")

    def _find_said(self, shared: Shared) -> Element | None:
        """Return what a form is read aloud as by itself."""
        known = self._said.get(shared)
        if known is None:
            known = self._said[shared] = (sum_up(shared),)
        return known[0]

    def _format_items(
        self, items: Sequence[Item], height: float, below: tuple[Ground, ...]
    ) -> list[bytes]:
        parts: list[bytes] = []
        at, count = 0, len(items)
        while at < count:
            item = items[at]
            if isinstance(item, Run):
                end = at + 1
                while end < count and isinstance(items[end], Run):
                    end += 1
                runs = cast(Sequence[Run], items[at:end])
                if self._tracer is None:
                    self._format_runs(runs, height, parts, below)
                else:
                    self._trace_runs(runs, self._tracer, height, parts, below)
                at = end
                continue
            if isinstance(item, Form):
                parts.append(self._format_form(item, height, below))
            elif isinstance(item, Group):
                parts.append(self._format_group(item, height, below))
            elif isinstance(item, Raster):
                parts.append(self._format_raster(item, height))
            elif isinstance(item, Outline):
                shown = self._format_outline(item, height)
                if item.as_text and self._lies_on_top(item, below):
                    shown = b"q %b %b Q" % (OVERPRINT, shown)
                parts.append(shown)
            elif isinstance(item, Picture):
                parts.append(self._format_picture(item, height))
            at += 1
        return parts

    def _lies_on_top(self, item: Run | Outline, below: tuple[Ground, ...]) -> bool:
        """Whether a text, or a line of one, leaves the inks in place that lie below it."""
        colour = item.colour if isinstance(item, Run) else item.fill
        if not isinstance(colour, Colour) or not self._may_lie_on_top(colour):
            return False
        if self._grounds is None or not below:
            return True
        box = measure_run(item) if isinstance(item, Run) else item.bounds
        return self._grounds.carry(box, below)

    def _may_lie_on_top(self, colour: Colour) -> bool:
        """Whether a text of a colour takes nothing away from what lies below it."""
        return self._overprints and self._inks.prints_black(colour)

    def _format_runs(
        self, runs: Sequence[Run], height: float, parts: list[bytes], below: tuple[Ground, ...]
    ) -> None:
        parts.append(b"BT")
        colour: Colour | None = None
        font: Font | None = None
        size = left = bottom = tracking = 0.0
        over = turned = black = wide = False
        for number, run in enumerate(runs, 1):
            x, y, run_font, run_size, run_colour, words, stretch, _, angle = run
            if run_colour is not colour:
                colour = run_colour
                parts.append(format_colour(self._inks.turn(colour), stroke=False))
                black = self._may_lie_on_top(colour)
            if (black or over) and over != (black and self._lies_on_top(run, below)):
                over = not over
                parts.append(OVERPRINT if over else KNOCK_OUT)
            if run_font is not font or run_size != size:
                font, size = run_font, run_size
                typeface = self._resources.get_typeface(font.file)
                encode, raised = typeface.__getitem__, typeface.raised
                space = typeface.encode_space(font, 0.0)
                parts.append(b"/%b %.4g Tf" % (typeface.name, size))
                wide = font.tracking >= WIDE
                if font.tracking * size != tracking:
                    tracking = font.tracking * size
                    parts.append(b"%b Tc" % format_figures(4, tracking))
            shown = list(map(encode, words))
            if raised and not raised.isdisjoint(words):
                shown = [typeface.encode_raised(word, size) for word in words]
            if wide:
                shown = [
                    tell_text(word.text, code) for word, code in zip(words, shown, strict=True)
                ]
            parting = typeface.encode_space(font, stretch / size) if stretch else space
            ends = number == len(runs) or (runs[number].y != y and not runs[number].angle)
            if ends and ends_word(words[-1]):
                shown.append(b"")  # a space, by which readers tell words of two lines apart
            if angle or turned:
                turned = angle != 0
                left, bottom = round(x, 3), round(height - y, 3)
                place = _format_turn(angle, left, bottom)
                parts.append(b"%b Tm[(%b)]TJ" % (place, parting.join(shown)))
                continue
            # Steps are rounded and summed as written, so that no error adds up.
            dx, dy = round(x - left, 3) + 0.0, round(height - y - bottom, 3) + 0.0  # never -0
            left += dx
            bottom += dy
            parts.append(b"%b Td[(%b)]TJ" % (_format_step(dx, dy), parting.join(shown)))
        if over:
            parts.append(KNOCK_OUT)
        parts.append(b"0 Tc ET" if tracking else b"ET")

    def _trace_runs(
        self,
        runs: Iterable[Run],
        tracer: GlyphTracer,
        height: float,
        parts: list[bytes],
        below: tuple[Ground, ...],
    ) -> None:
        for run in runs:
            self._resources.get_typeface(run.font.file)  # used, though it is not embedded
            ink = self._inks.turn(run.colour)
            over = self._lies_on_top(run, below)
            if over and self._inks.plate is not None and ink == _NO_INK:
                continue  # it takes nothing away from what this ink paints below it
            traced = _tell_text(run, tracer.format(run, height))
            colour = format_colour(ink, stroke=False)
            if over:
                parts.append(b"q %b %b\n%b Q" % (OVERPRINT, colour, traced))
            else:
                parts.append(b"q %b\n%b Q" % (colour, traced))

    def _format_form(self, form: Form, height: float, below: tuple[Ground, ...]) -> bytes:
        name = self._add_form(form.shared, self._enter(form, below))
        return b"q %b cm/%b Do Q" % (_format_matrix(form, height), name)

    def _add_form(self, shared: Shared, inner: tuple[Ground, ...]) -> bytes:
        """Return the name of a form, with what lies below as seen from within it."""
        known = self._forms.setdefault(shared, {})
        name = known.get(inner)
        if name is None:
            content = join_parts(self._format_parts(shared.items, 0.0, inner))
            box = _flip(shared.bounds)
            name = known[inner] = self._resources.add_form(content, box)
        return name

    def _format_group(self, group: Group, height: float, below: tuple[Ground, ...]) -> bytes:
        if group.is_clear:
            name = self._add_group(group.shared)
        else:
            name = self._add_form(group.shared, self._enter(group, below))
        state = b""
        if group.is_clear:
            content = _BLENDS.get(group.blend, b"")
            if group.opacity < 1:
                share = format_figures(4, group.opacity)
                content += b"/ca %b/CA %b" % (share, share)
            # What it is shown by counts from the group's own place.
            mask = self._add_group(group.mask).decode() if group.mask is not None else None
            named = self._resources.add_state(State(content, mask))
            state = b"1 0 0 1 0 %b cm /%b gs " % (format_number(height), named)
            height = 0.0
        return b"q %b%b/%b Do Q" % (state, _format_entry(group, height), name)

    def _add_group(self, shared: Shared) -> bytes:
        """Return the name of what is put together before it meets what lies below: there black text
        takes the place of all inks.
        """
        name = self._groups.get(shared)
        if name is None:
            overprints, self._overprints = self._overprints, False
            content = self.format(shared.items, 0.0)
            self._overprints = overprints
            box = _flip(shared.bounds)
            name = self._groups[shared] = self._resources.add_form(content, box, is_group=True)
        return name

    def _format_raster(self, raster: Raster, height: float) -> bytes:
        colour = self._inks.turn(raster.colour) if raster.colour is not None else None
        frame = raster.frame
        return b"q %b 0 0 %b %b %b cm/%b Do Q" % (
            format_number(frame.width),
            format_number(frame.height),
            format_number(frame.x),
            format_number(height - frame.bottom),
            self._resources.add_raster(raster.pixels, colour),
        )

    def _enter(self, form: Placed, below: tuple[Ground, ...]) -> tuple[Ground, ...]:
        """Return what lies below a form, as seen from within it."""
        return self._grounds.enter(form, below) if self._grounds and below else ()

    def _format_outline(self, outline: Outline, height: float) -> bytes:
        path = self._format_path(outline.segments, height)
        fill, stroke = outline.fill, outline.stroke
        even_odd = b"*" if outline.even_odd else b""
        if isinstance(fill, Gradient):
            painted = self._format_gradient(fill, outline.bounds, height)
            shaded = b"q %b W%b n%b Q" % (path, even_odd, painted)
            if stroke is None:
                return shaded
            return b"%b\nq %b %b S Q" % (shaded, self._format_stroke(stroke), path)
        parts = [b"q"] if stroke else []
        if fill is not None:
            parts.append(format_colour(self._inks.turn(fill), stroke=False))
        if stroke is not None:
            parts.append(self._format_stroke(stroke))
        parts.append(path)
        paint = b"f" if stroke is None else b"S" if fill is None else b"B"
        parts.append(paint + (even_odd if fill is not None else b""))
        if stroke:
            parts.append(b"Q")
        return b" ".join(parts)

    def _format_path(self, segments: Sequence[Segment], height: float) -> bytes:
        """Return a path; a long one, drawn in several colours as icons and ornaments, once."""
        if len(segments) < _LONG:
            return format_path(segments, height)
        key = (id(segments), height)
        if key not in self._paths:
            self._kept += len(segments)
            if len(self._paths) >= _MOST_PATHS or self._kept > _MOST_SEGMENTS:
                self._paths.clear()
                self._kept = len(segments)
            # Kept with its segments, for an id stays one object's only while that lives.
            self._paths[key] = segments, format_path(segments, height)
        return self._paths[key][1]

    def _format_stroke(self, stroke: Stroke) -> bytes:
        return format_stroke(stroke._replace(colour=self._inks.turn(stroke.colour)))

    def _format_gradient(self, gradient: Gradient, bounds: Rect, height: float) -> bytes:
        """Return the operators that paint a gradient, within a path that clips it."""
        box = (bounds.x, height - bounds.bottom, bounds.width, bounds.height)
        key = (gradient, Rect(*(round(edge, 2) for edge in box)))
        if key not in self._gradients:
            stops = self._inks.turn_stops(gradient.stops)
            course, matrix = gradient.fit(bounds)
            if matrix == IDENTITY:
                entry, course = b"", _turn_up(course, height)
            else:
                upright = matrix.then(Matrix(1, 0, 0, -1, 0, height))
                entry = b" %b cm" % format_figures(6, *upright)
            name = self._resources.add_shading(format_shading(course, stops))
            self._gradients[key] = b"%b/%b sh" % (entry, name)
        return self._gradients[key]

    def _format_picture(self, picture: Picture, height: float) -> bytes:
        source = find_source(picture, self._resources.prepress)
        if source not in self._pictures:
            self._pictures[source] = self._resources.add_picture(source)
        frame = picture.frame
        clip = format_path(trace_rect(picture.clip, picture.radius), height)
        return b"q %b W n %b 0 0 %b %b %b cm/%b Do Q" % (
            clip,
            format_number(frame.width),
            format_number(frame.height),
            format_number(frame.x),
            format_number(height - frame.bottom),
            self._pictures[source],
        )


def _tell_text(run: Run, traced: bytes) -> bytes:
    """Return shapes, marked with the text that they show and its size for whoever reads them."""
    text = (" ".join(word.text for word in run.words)).encode("utf-16-be").hex()
    mark = b"/Span<</ActualText<feff%b>/TextSize %b>>BDC" % (text.encode(), format_number(run.size))
    return b"%b\n%b EMC" % (mark, traced)


@lru_cache(maxsize=4096)
def _format_step(dx: float, dy: float) -> bytes:
    """Return the way from the beginning of a line to that of the next, as most lines have it."""
    step = b"%.6g %.6g" % (dx, dy)
    return format_figures(6, dx, dy) if b"e" in step else step


def _format_turn(angle: float, x: float, y: float) -> bytes:
    """Return the matrix of what is turned clockwise about where it begins, y upwards."""
    along, across = cos(angle), sin(angle)
    turn = format_figures(6, along, -across or 0.0, across, along)
    return b"%b %b %b" % (turn, format_number(x), format_number(y))


def _flip(box: Rect) -> Rect:
    """Return a box with y upwards."""
    return Rect(box.x, -box.bottom, box.width, box.height)


def _format_entry(group: Group, height: float) -> bytes:
    """Return the operators that lead into a group: its clips and its matrix."""
    parts = [
        b"%b W%b n" % (format_path(clip.segments, height), b"*" if clip.even_odd else b"")
        for clip in group.clips
    ]
    matrix = _flip_matrix(group.matrix, height)
    if matrix != IDENTITY:
        parts.append(b"%b cm" % format_figures(7, *matrix))
    return b" ".join(parts)


def _flip_matrix(matrix: Matrix, height: float) -> Matrix:
    """Return a matrix for y upwards: into a place whose origin lies `height` below, from one whose
    origin is the same for both.
    """
    a, b, c, d, e, f = matrix
    return Matrix(a, -b, -c, d, e, height - f)


def _format_matrix(form: Form, height: float) -> bytes:
    """Return where a form's origin is, and how it is turned."""
    place = format_number(form.x), format_number(height - form.y)
    return b"%b %b %b" % (_TURNS[form.turn], *place)


def _group(items: Sequence[Item]) -> list[tuple[Element | None, list[Item]]]:
    """Return items with the element that they belong to, those in a row together.

    An element may have none, as an empty cell has.
    """
    groups: list[tuple[Element | None, list[Item]]] = []
    element: Element | None = None
    for item in items:
        if isinstance(item, Tag):
            element = item.element
            if element is not None and (not groups or groups[-1][0] is not element):
                groups.append((element, []))
        elif groups and groups[-1][0] is element:
            groups[-1][1].append(item)
        else:
            groups.append((element, [item]))
    return groups


@lru_cache(maxsize=1024)
def format_colour(colour: Colour, *, stroke: bool) -> bytes:
    operator = _OPERATORS[colour.space][stroke]
    return b"%b %b" % (b" ".join(map(format_number, colour.values)), operator)


@lru_cache(maxsize=1024)
def format_stroke(stroke: Stroke) -> bytes:
    # Dashes finer than any eye are a line; most viewers draw them one by one, however many.
    dashes = stroke.dash if sum(stroke.dash) > _FINEST_DASHES else ()
    dash = b" ".join(map(format_number, dashes))
    shape = b""
    if stroke.cap != "butt":
        shape += b" %d J" % _CAPS[stroke.cap]
    if stroke.join != "miter":
        shape += b" %d j" % _JOINS[stroke.join]
    elif stroke.miter != Stroke._field_defaults["miter"]:
        shape += b" %b M" % format_number(stroke.miter)
    return b"%b %b w [%b] 0 d%b" % (
        format_colour(stroke.colour, stroke=True),
        format_number(stroke.width),
        dash,
        shape,
    )


def format_path(segments: Sequence[Segment], height: float) -> bytes:
    """Return a path, its numbers as `format_number` gives them, all of them at once."""
    numbers = [value for _, points in segments for value in points]
    numbers[1::2] = [height - y for y in numbers[1::2]]
    text = b"".join([_SEGMENTS[operator] for operator, _ in segments]) % tuple(numbers)
    for _ in range(3):
        text = text.replace(b"0 ", b" ")
    return text.replace(b"-0. ", b"0 ").replace(b". ", b" ")[:-1]


def _turn_up(course: Axis | Circles, height: float) -> Axis | Circles:
    """Return a course with y upwards from the bottom of a page."""
    if isinstance(course, Axis):
        return Axis(*((x, height - y) for x, y in course))
    (x, y), (from_x, from_y) = course.centre, course.focus
    return course._replace(centre=(x, height - y), focus=(from_x, height - from_y))


def format_shading(course: Axis | Circles, stops: Stops) -> bytes:
    numbers: tuple[float, ...]
    if isinstance(course, Axis):
        kind, numbers = 2, (*course.start, *course.end)
    else:
        kind, numbers = 3, (*course.focus, course.inner, *course.centre, course.radius)
    return b"<</ShadingType %d/ColorSpace%b/Coords[%b]/Extend[true true]/Function %b>>" % (
        kind,
        SPACES[stops[0][1].space],
        b" ".join(map(format_number, numbers)),
        _format_function(stops),
    )


def _format_function(given: Stops) -> bytes:
    stops = list(given)
    # What lies before the first stop and behind the last has their colours.
    if stops[0][0] > 0:
        stops.insert(0, (0.0, stops[0][1]))
    if stops[-1][0] < 1:
        stops.append((1.0, stops[-1][1]))
    steps = [
        b"<</FunctionType 2/Domain[0 1]/N 1/C0[%b]/C1[%b]>>"
        % (
            b" ".join(map(format_number, first.values)),
            b" ".join(map(format_number, second.values)),
        )
        for (_, first), (_, second) in pairwise(stops)
    ]
    if len(steps) == 1:
        return steps[0]
    bounds = b" ".join(format_number(at) for at, _ in stops[1:-1])
    return b"<</FunctionType 3/Domain[0 1]/Functions[%b]/Bounds[%b]/Encode[%b]>>" % (
        b"".join(steps),
        bounds,
        b" ".join([b"0 1"] * len(steps)),
    )
