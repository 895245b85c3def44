"""Faces of a draft: what is wrong is drawn on them and kept, and nothing is refused.

A node that cannot be drawn is known by the error; then the whole face is composed anew with a box
in its place, or, where it only has no room, with what is too much of it in red.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from cardgen.core.budget import is_spent
from cardgen.core.colour import WHITE
from cardgen.core.errors import CardgenError, Problem
from cardgen.core.geometry import Insets, Rect
from cardgen.core.units import MM, format_mm
from cardgen.layout.art.faults import RED, clip_out, clip_to, draw_frame
from cardgen.layout.art.outlines import make_rect
from cardgen.layout.art.placeholder import draw_placeholder
from cardgen.layout.canvas import Canvas
from cardgen.layout.compose import Composer
from cardgen.layout.contents import OVERFLOWS, Fault
from cardgen.layout.face import SEEN, Face, Group, Item, Shared, Tag
from cardgen.layout.flow.listed import find_listed
from cardgen.layout.note import set_note
from cardgen.layout.subject import Subject
from cardgen.layout.typesetter import Typesetter
from cardgen.template.model import (
    FaultSpec,
    IconSpec,
    ImageSpec,
    Node,
    StackSpec,
    TableSpec,
    TextSpec,
)
from cardgen.text.fit import Block, measure_width
from cardgen.text.setting import Run

_MOST_FAULTS = 200  # of one face; then it is one box
_FAR = 10_000.0  # points, which nothing reaches
_LABEL = 5.0
_MARK = 6.0
_MOST_MARKS = 6
_LEADING = 1.3
_WIDE = 20 * MM
_LOW = 10 * MM


class DraftComposer(Composer):
    """Composes the faces of one template as a draft; `problems` tells what was wrong with them."""

    _in_texts: list[Problem]  # of the face that is being composed

    def compose(self, nodes: Sequence[Node], subject: Subject) -> Face:
        """Return the face of one card, with what is wrong drawn on it."""
        faults: dict[int, Fault] = {}
        self._contents.faults = faults
        last: tuple[Problem, ...] = ()
        while True:
            self._typesetter.faults = []
            self._in_texts = []
            self._contents.blamed = None
            try:
                face = super().compose(nodes, subject)
                break
            except CardgenError as error:
                found = list(_find_blamed(nodes, self._contents.blamed))
                gone = [faults[id(node)] for node in found if id(node) in faults]
                if is_spent():
                    raise
                if (
                    not found
                    or len(faults) > _MOST_FAULTS
                    or any(not one.overflows for one in gone)
                ):
                    last = error.problems
                    face = self._draw_whole(last[0])
                    break
                known = gone[0].problems if gone else ()
                overflows = not gone and error.problems[0].code in OVERFLOWS
                fault = Fault((*known, *error.problems), overflows)
                faults.update((id(node), fault) for node in found)
        self._contents.faults = {}
        self._typesetter.faults = None
        self.problems += (*_list_problems(nodes, faults), *self._in_texts, *last)
        return face

    def forget(self) -> None:
        super().forget()
        self.problems.clear()

    def _draw_whole(self, problem: Problem) -> Face:
        """Return a face that shows nothing but what is wrong."""
        whole = Rect(0, 0, *self._format.size)
        items = self._draw_gone(whole, problem.message)
        return Face(self._format.size, self._format.bleed, items)

    def _share(self, nodes: Sequence[Node], at: Rect, draw: Callable[[Rect], None]) -> None:
        """Place a form; one of a face with faults is not kept for others, which have none."""
        if not self._contents.faults:
            super()._share(nodes, at, draw)
            return
        drawn = self._draw_within(at, draw)
        self._canvas.place(drawn, at)
        self._has_heading |= drawn.has_heading

    def _check_rect(self, rect: Rect, node: Node) -> None:
        if id(node) not in self._contents.faults:
            super()._check_rect(rect, node)

    def _place_plain(self, node: Node, rect: Rect) -> None:
        spec = node.spec
        fault = self._contents.faults.get(id(node))
        if isinstance(spec, FaultSpec):
            self._place_gone(_keep_low(node, rect), spec.label)
        elif fault is None:
            super()._place_plain(node, rect)
        elif not fault.overflows:
            self._place_gone(_keep_low(node, rect), _name_gone(node, fault.problems[-1]))
        else:
            self._place_too_much(node, rect, fault.problems[0])
        for error in self._typesetter.faults or ():
            fields = spec.fields if isinstance(spec, TextSpec) else ()
            self._in_texts += self._contents.name_problem(error, node, fields).problems
        self._typesetter.faults = []

    def _place_gone(self, rect: Rect, label: str) -> None:
        shown = rect.meet(self._canvas.limits)
        self._canvas.items += self._draw_gone(shown, label)

    def _draw_gone(self, rect: Rect, label: str) -> tuple[Item, ...]:
        return draw_placeholder(self._typesetter, rect, label, RED)

    def _place_too_much(self, node: Node, rect: Rect, problem: Problem) -> None:
        """Draw what has no room, as far as the card reaches, and how much it is too much."""
        outer = self._canvas
        loose = Canvas(outer.trim, outer.bleed)
        loose.limits = outer.limits.outset(Insets.even(_FAR))
        draw = partial(super()._place_plain, node, rect)
        self._draw_on(loose, draw)
        outer.remarks |= loose.remarks
        shared = Shared(loose.limits, tuple(loose.items))
        frame = rect.meet(outer.limits)
        outer.items += (
            Group(shared, clips=(clip_to(outer.limits),)),
            SEEN,
            draw_frame(frame),
            *draw_label(self._typesetter, frame, outer.limits, _say_how_much(problem)),
        )

    def _place_text(self, node: Node, spec: TextSpec, rect: Rect) -> None:
        if not self._contents.is_lenient(node):
            super()._place_text(node, spec, rect)
            return
        block = self._contents.get_block(node, spec, *rect.size)
        typesetter = self._typesetter
        size, canvas, width = spec.smallest, self._canvas, rect.width
        broken = isinstance(block, Block) or block.find_height(size, width) is not None
        if spec.fit == "line" or not broken:
            width = max(width, measure_width(block) * size + 1)
        for style, clip in (
            (spec.style, clip_to(rect)),
            (spec.style._replace(colour=RED), clip_out(rect, canvas.limits)),
        ):
            with self._contents.naming(node, spec.fields):
                items: list[Item] = []
                if isinstance(block, Block):
                    text = typesetter.set_text(block, style, size, width, rect.x, rect.y)
                    typesetter.draw_pieces(text.pieces, items)
                else:
                    listed = find_listed(typesetter, style, node.text) or block
                    drawn = listed.draw(size, rect._replace(width=width), None)
                    items += (item for item in drawn if not isinstance(item, Tag))
            canvas.items.append(Group(Shared(canvas.limits, tuple(items)), clips=(clip,)))

    def _place_table(self, node: Node, spec: TableSpec, rect: Rect) -> None:
        if self._contents.is_lenient(node):
            table = self._contents.get_table(node, spec, rect.width)
            rect = Rect(rect.x, rect.y, rect.width, max(rect.height, table.height))
        super()._place_table(node, spec, rect)


class UnseenComposer(DraftComposer):
    """Composes a draft that nobody looks at: for the list of what is wrong alone."""

    def _draw_gone(self, rect: Rect, label: str) -> tuple[Item, ...]:  # noqa: ARG002
        return ()


def _find_blamed(nodes: Sequence[Node], blamed: Node | None) -> Iterator[Node]:
    """Yield the nodes of a face that are the one with which something went wrong, or a copy."""
    if blamed is None:
        return
    for node in nodes:
        same = node.where == blamed.where and node.text == blamed.text
        if node is blamed or (same and node.children == blamed.children):
            yield node
        yield from _find_blamed(node.children, blamed)


def _list_problems(nodes: Sequence[Node], faults: dict[int, Fault]) -> Iterator[Problem]:
    """Yield what is wrong, in the order of the nodes; a stack is not to blame for having no room
    where it holds a box of a size that nobody chose.
    """
    for node in nodes:
        fault = faults.get(id(node))
        guessed = isinstance(node.spec, StackSpec) and _holds_guess(node, faults)
        if fault is not None and not (guessed and fault.overflows):
            yield from fault.problems
        yield from _list_problems(node.children, faults)


def _holds_guess(node: Node, faults: dict[int, Fault]) -> bool:
    fault = faults.get(id(node))
    if isinstance(node.spec, FaultSpec) or (fault is not None and not fault.overflows):
        return True
    return any(_holds_guess(child, faults) for child in node.children)


def _keep_low(node: Node, rect: Rect) -> Rect:
    """Return the box for a text, or an element that nobody knows, which takes all that is left
    below it for want of a height: low, so that it hides nothing else.
    """
    place = node.spec.place
    said = place.height or place.bottom or place.grow
    if said or not isinstance(node.spec, TextSpec | FaultSpec):
        return rect
    return rect._replace(height=min(rect.height, _LOW))


def _name_gone(node: Node, problem: Problem) -> str:
    """Return what stands on the box for a node: the name of a file that is missing, or why."""
    if problem.code == "name/unknown":
        if isinstance(node.spec, ImageSpec):
            return node.spec.file
        if isinstance(node.spec, IconSpec):
            return node.spec.name
    return problem.message


def _say_how_much(problem: Problem) -> str:
    """Return by how much something is too long, where that is known."""
    needed, room = problem.details.get("needed"), problem.details.get("room")
    over = problem.details.get("over")
    if isinstance(needed, int | float) and isinstance(room, int | float):
        what = "wide" if problem.code == "text/word-too-wide" else "long"
        return f"{format_mm((needed - room) * MM)} too {what}"
    if isinstance(over, int | float):
        return f"{format_mm(over * MM)} beyond the card"
    return problem.message


def draw_label(typesetter: Typesetter, frame: Rect, limits: Rect, text: str) -> tuple[Item, ...]:
    """Return a line in red above the right end of a frame, or below where there is no room."""
    height, width = _LABEL * _LEADING, min(_WIDE, limits.width)
    x = min(max(frame.right - width, limits.x), limits.right - width)
    y = frame.y - height if frame.y - height >= limits.y else frame.bottom
    y = min(max(y, limits.y), limits.bottom - height)
    return _draw_line(typesetter, Rect(x, y, width, height), text, _LABEL)


def draw_marks(typesetter: Typesetter, trim: Rect, lines: Sequence[str]) -> tuple[Item, ...]:
    """Return lines in red at the foot of a card: that it is a draft, and what is wrong with it."""
    lines = list(dict.fromkeys(lines))[:_MOST_MARKS]
    height = _MARK * _LEADING
    items: list[Item] = []
    for number, line in enumerate(lines):
        y = trim.bottom - (len(lines) - number) * height
        rect = Rect(trim.x, y, trim.width, height)
        if rect.y >= trim.y:
            items += _draw_line(typesetter, rect, line, _MARK)
    return tuple(items)


def _draw_line(typesetter: Typesetter, rect: Rect, text: str, size: float) -> tuple[Item, ...]:
    runs = [
        run._replace(x=run.x + rect.x, y=run.y + rect.y + size * _LEADING * 0.75, colour=RED)
        for run in set_note(typesetter, text, size, rect.width, centred=True)
        if isinstance(run, Run)
    ]
    return (make_rect(rect, 0.0, WHITE, None), *runs)
