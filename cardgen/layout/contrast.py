"""Whether the texts of a face can be told from what they stand on.

Knows nothing of templates but where an element is written: it looks at what was drawn. What stands
on a picture or on anything else whose colour is not known, and what is turned aslant, is left to
the eye.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

from cardgen.core.colour import WHITE, Colour, Gradient, measure_luminance
from cardgen.core.errors import Where
from cardgen.core.geometry import Box, Rect, make_tuple
from cardgen.layout.extent import find_item_extent, find_matrix, measure_run
from cardgen.layout.face import Face, Form, Group, Item, Outline, Shared, Tag
from cardgen.template.model import CodeSpec, IconSpec, ImageSpec, Node, TextSpec
from cardgen.text.setting import Run
from cardgen.text.shaping import Word

# The contrast, as WCAG has it, below which hardly anybody reads a text.
LEAST = 2.0
# So many looks of one template are kept.
MOST_LOOKS = 500
_SHOWN = frozenset((CodeSpec, IconSpec, ImageSpec))
_STYLES = re.compile(r"\]\{([^}]*)\}")
# The parts of a box with round corners: where it begins, edges, corners, and its end.
_MOST_PARTS, _CORNERS = 10, 4
_NOTHING = frozenset[Colour]()


class Pale(NamedTuple):
    """A text that is hardly to be told from its ground, its card, and the element it comes from."""

    contrast: float
    words: str
    ink: Colour
    ground: Colour
    card: str | None
    where: Where | None


class _Text(NamedTuple):
    around: Box
    run: Run


class _Ground(NamedTuple):
    """What is painted within a box; no colours where they are not known.

    covers: whether the box is known to be covered
    is_line: whether it is a line alone, as there is one around letters
    """

    around: Box
    colours: frozenset[Colour]
    covers: bool = False
    is_line: bool = False


class Contrasts:
    """Looks at the faces of one template: of those whose elements have the same specs only at the
    first, as long as nothing is wrong with it.
    """

    def __init__(self) -> None:
        # The nodes are kept as long as their ids stand for them.
        self._clear: dict[tuple[object, ...], Sequence[Node]] = {}

    def list_pale(self, face: Face, nodes: Sequence[Node], card: str | None) -> set[Pale]:
        """Return the texts of a face that are hardly to be told from their grounds."""
        noted: list[object] = []
        _note_look(nodes, noted)
        look = tuple(noted)
        if look in self._clear:
            return set()
        found: set[Pale] = set()
        for run, ratio, ground in _judge(face.items):
            words = " ".join(word.text for word in run.words)
            where = _find_element(nodes, run)
            found.add(Pale(round(ratio, 2), words, run.colour, ground, card, where))
        if not found:
            if len(self._clear) >= MOST_LOOKS:
                self._clear.clear()
            self._clear[look] = nodes
        return found


def _note_look(nodes: Sequence[Node], look: list[object]) -> None:
    """Note what elements look like: which there are, their specs, which of them are empty, and the
    styles of words. Pictures and icons are left out.
    """
    for node in nodes:
        spec, children, text, _, choices, _ = node
        if type(spec) in _SHOWN:
            continue
        if choices is not None:
            look.append(id(node))
            continue
        look.append(id(spec))
        if text:
            look.append("]{" in text and tuple(_STYLES.findall(text)))
        elif children:
            look.append(len(children))
            _note_look(children, look)


def _judge(items: Sequence[Item]) -> Iterator[tuple[Run, float, Colour]]:
    """Yield the texts that can hardly be told from what was painted before them."""
    painted: list[_Ground] = []
    for part in _list_parts(items):
        if isinstance(part, _Ground):
            painted.append(part)
        elif (found := _compare(part.run, part.around, painted)) is not None:
            yield part.run, *found


def _list_parts(items: Sequence[Item]) -> Iterator[_Text | _Ground]:
    """Yield texts and what is painted, in the order in which they are drawn."""
    for item in items:
        if isinstance(item, Run):
            if not item.angle and any(map(_has_letters, item.words)):
                yield _Text(_bound(measure_run(item)), item)
        elif isinstance(item, Form) and not item.turn:
            yield from _move(_survey(item.shared), item.x, item.y)
        elif isinstance(item, Form) or (isinstance(item, Group) and _is_plain(item)):
            matrix = find_matrix(item)
            for part in _survey(item.shared):
                yield part._replace(around=matrix.place(part.around))
        elif isinstance(item, Outline):
            if not item.as_text and (ground := _survey_outline(item)) is not None:
                yield ground
        elif not isinstance(item, Tag) and (extent := find_item_extent(item)) is not None:
            yield _Ground(_bound(extent), _NOTHING)


def _has_letters(word: Word) -> bool:
    return any(map(str.isalnum, word.text))


# Of forms, which are the same on many faces.
_KNOWN: WeakKeyDictionary[Shared, tuple[_Text | _Ground, ...]] = WeakKeyDictionary()


def _survey(shared: Shared) -> tuple[_Text | _Ground, ...]:
    known = _KNOWN.get(shared)
    if known is None:
        known = _KNOWN[shared] = tuple(_list_parts(shared.items))
    return known


def _move(parts: Sequence[_Text | _Ground], dx: float, dy: float) -> Iterator[_Text | _Ground]:
    for part in parts:
        (x0, y0, x1, y1), *rest = part
        around = make_tuple(Box, (x0 + dx, y0 + dy, x1 + dx, y1 + dy))
        yield make_tuple(type(part), (around, *rest))


def _survey_outline(outline: Outline) -> _Ground | None:
    """Return what a shape paints, its colours those of its ground; a line has its own."""
    fill, stroke = outline.fill, outline.stroke
    if isinstance(fill, Gradient):
        colours = frozenset(colour for _, colour in fill.stops)
    elif fill is not None:
        colours = frozenset((fill,))
    elif stroke is not None:
        return _Ground(_bound(outline.bounds), frozenset((stroke.colour,)), is_line=True)
    else:
        return None
    return _Ground(_bound(outline.bounds), colours, _is_box(outline))


def _bound(rect: Rect) -> Box:
    x, y, width, height = rect
    return make_tuple(Box, (x, y, x + width, y + height))


def _is_plain(group: Group) -> bool:
    """Whether all of a group is seen, as it is and upright."""
    _, b, c, *_ = group.matrix
    return not (group.is_clear or group.clips or b or c)


def _is_box(outline: Outline) -> bool:
    """Whether a shape is a box, be it with round corners, or an ellipse."""
    segments = outline.segments
    if len(segments) > _MOST_PARTS:
        return False
    kinds = [kind for kind, _ in segments]
    upright = all(
        one[-2] == other[-2] or one[-1] == other[-1]
        for (_, one), (kind, other) in pairwise(segments)
        if kind == "L"
    )
    return kinds.count("M") == 1 and kinds.count("C") <= _CORNERS and upright


def _compare(run: Run, around: Box, painted: Sequence[_Ground]) -> tuple[float, Colour] | None:
    """Return the contrast of a text and its ground, if it stands out from nothing of what lies
    below it and all of that is known.
    """
    left, low, right, high = around
    ink, slack = run.colour, run.size / 2
    near = around.grow(run.size, run.size)
    most, ground = 0.0, WHITE
    for below in reversed(painted):
        x0, y0, x1, y1 = box = below.around
        if x1 <= left or right <= x0 or y1 <= low or high <= y0:
            continue
        # A line around letters lies closer to them than others do.
        if below.is_line and not near.contains(box, 0.0):
            continue
        if not below.colours:
            return None
        for colour in below.colours:
            contrast = _measure(ink, colour)
            if contrast >= LEAST:
                return None
            if contrast > most:
                most, ground = contrast, colour
        if below.covers and box.contains(around, slack):
            return most, ground
    contrast = _measure(ink, WHITE)
    return None if contrast >= LEAST else max((most, ground), (contrast, WHITE))


@lru_cache(maxsize=4_096)
def _measure(ink: Colour, ground: Colour) -> float:
    dark, light = sorted((measure_luminance(ink), measure_luminance(ground)))
    return (light + 0.05) / (dark + 0.05)


def _find_element(nodes: Sequence[Node], run: Run) -> Where | None:
    """Return where the element stands that a text most likely comes from."""
    best, found = 0, None
    for node in _list_nodes(nodes):
        spec = node.spec
        if not node.text:
            continue
        alike = isinstance(spec, TextSpec) and spec.style.colour == run.colour
        rank = 2 * alike + (run.words[0].text in node.text)
        if rank > best:
            best, found = rank, node.where
    return found


def _list_nodes(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from _list_nodes(node.children)
