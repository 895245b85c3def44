"""The contents of a face's nodes, made ready once: shaped texts, tables, running text, pictures.

Adds the names of card and field to what goes wrong. Knows nothing of where a node lies.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from cardgen.core.errors import CardgenError, Problem, Refusal, Where
from cardgen.core.geometry import Rect, Size
from cardgen.core.library import Library
from cardgen.layout.art.pictures import PictureInfo, read_picture
from cardgen.layout.art.svg.drawing import Drawing, fit_drawing
from cardgen.layout.contrast import Pale
from cardgen.layout.copyfit import Copyfit
from cardgen.layout.face import Form, Shared, Tone
from cardgen.layout.room import SPARE
from cardgen.layout.safety import Unsafe
from cardgen.layout.subject import Refusals, Subject, WordRefusal
from cardgen.layout.table import SetTable, Table, make_table, measure_table, set_table
from cardgen.layout.typesetter import Typesetter
from cardgen.template.model import (
    CodeKind,
    FlowSpec,
    IconSpec,
    ImageSpec,
    MaskFile,
    Missing,
    Node,
    Place,
    Style,
    TableSpec,
    TextSpec,
)
from cardgen.text.fit import Block, find_widest_word, fits_box
from cardgen.text.markup import may_hold_blocks

if TYPE_CHECKING:
    from cardgen.layout.flow.flow import Flow
    from cardgen.layout.flow.listed import ListedText


# So many drawings are kept that were brought to a size; a deck may have one for each card.
_MOST_DRAWINGS = 16
_MOST_BREAKING = 64
_GONE = ("name/unknown", "name/empty")
# What is wrong with something that has too little room.
OVERFLOWS = (
    "text/too-long",
    "text/word-too-wide",
    "text/more-than-one-line",
    "layout/content-too-long",
    "layout/beyond-the-card",
)
# What else has no room, and cannot be drawn with too little of it.
_NO_ROOM = (
    *OVERFLOWS,
    "layout/no-room-left",
    "layout/table-too-wide",
    "layout/shape-has-no-room",
    "layout/ornament-has-no-room",
    "layout/picture-has-no-room",
)
_OFFER = '"missing: placeholder" in the deck draws a box for what is not there yet'


class Placeholders(NamedTuple):
    """Where boxes stand for what is missing.

    usual: whether they do so for elements that say nothing of it
    refused: whether the target prints none
    """

    usual: bool = False
    refused: bool = False


NO_PLACEHOLDERS = Placeholders()


class Gap(NamedTuple):
    """A picture or an icon that is missing; one without a name is that of a card."""

    kind: Literal["picture", "icon"]
    name: str
    card: str | None = None

    @property
    def label(self) -> str:
        return self.name or f"no {self.kind}"


class Faint(NamedTuple):
    """A code whose colours are too near to each other, or the wrong way round."""

    kind: CodeKind
    contrast: float
    card: str | None = None


# What is to be told of a face, though nothing is wrong with it.
Remark = Gap | Faint | Pale | Unsafe


class Fault(NamedTuple):
    """What is wrong with a node of a draft; one that has no room is drawn all the same."""

    problems: tuple[Problem, ...]
    overflows: bool


def lacks_room(error: CardgenError) -> bool:
    """Whether what is wrong is that something has no room."""
    return all(problem.code in _NO_ROOM for problem in error.problems)


class Contents:
    """The contents of the face that is being composed.

    blamed: the node with which something went wrong last
    faults: in a draft, what is wrong with nodes, by their ids
    """

    def __init__(
        self,
        typesetter: Typesetter,
        library: Library,
        copyfit: Copyfit,
        placeholders: Placeholders,
    ) -> None:
        self.blamed: Node | None = None
        self.faults: dict[int, Fault] = {}
        self.typesetter = typesetter
        self.copyfit = copyfit
        self.subject = Subject("", Where(""))
        self._library = library
        self._placeholders = placeholders
        typesetter.has_placeholders = placeholders.usual and not placeholders.refused
        # By the node's id, which stays one node's only while the node lives.
        self._drawings: dict[tuple[int, Tone | None, Size], tuple[Shared, Drawing]] = {}
        self._blocks: dict[int, Block | ListedText] = {}
        self._tables: dict[tuple[int, float], SetTable] = {}
        self._flows: dict[int, Flow] = {}
        self._turned_back: dict[int, Node] = {}
        # Styles whose words may be broken for those where it is needed, by their ids.
        self._breaking: dict[int, tuple[Style, Style]] = {}

    def begin(self, subject: Subject) -> None:
        """Begin another face; the contents of the one before are forgotten."""
        self.subject = subject
        self._blocks.clear()
        self._tables.clear()
        self._flows.clear()
        self._turned_back.clear()

    def turn_back(self, node: Node) -> Node:
        """Return a node as its content sees it: not turned, and without a size of its own."""
        turned = self._turned_back.get(id(node))
        if turned is None:
            turned = node._replace(spec=node.spec._replace(place=Place()))
            self._turned_back[id(node)] = turned
        return turned

    def is_lenient(self, node: Node) -> bool:
        """Whether a node of a draft is drawn although it has no room."""
        fault = self.faults.get(id(node)) if self.faults else None
        return fault is not None and fault.overflows

    def get_block(
        self, node: Node, spec: TextSpec, width: float | None = None, height: float | None = None
    ) -> Block | ListedText:
        """Return a text's material; its words may be broken where a box makes that needed."""
        block = self._get_whole(node, spec)
        if width is None or spec.style.hyphenate != "needed":
            return block
        if not isinstance(block, Block):
            if block.find_height(spec.style.size, width) is not None:
                return block
            with self.naming(node, spec.fields):
                return self._shape(self._break_words(spec.style), node.text)
        if find_widest_word(block)[0] * spec.style.size <= width + SPARE and (
            height is None
            or spec.fit not in ("box", "deck")
            or fits_box(block, spec.smallest, width, height)
        ):
            return block
        return self.typesetter.make_block(self._break_words(spec.style), node.text)

    def _break_words(self, style: Style) -> Style:
        """Return a style whose words may be broken, the same one for the same style."""
        kept = self._breaking.get(id(style))
        if kept is None:
            if len(self._breaking) >= _MOST_BREAKING:
                self._breaking.clear()
            kept = style, style._replace(hyphenate=True)
            self._breaking[id(style)] = kept
        return kept[1]

    def _get_whole(self, node: Node, spec: TextSpec) -> Block | ListedText:
        block = self._blocks.get(id(node))
        if block is None:
            try:
                block = self._shape(spec.style, node.text)
            except (Refusal, CardgenError) as error:
                raise self.name_problem(error, node, spec.fields) from error
            self._blocks[id(node)] = block
        return block

    def _shape(self, style: Style, text: str) -> Block | ListedText:
        if may_hold_blocks(text):
            from cardgen.layout.flow.listed import find_listed  # which most cards do without

            listed = find_listed(self.typesetter, style, text)
            if listed is not None:
                return listed
        return self.typesetter.make_block(style, text)

    def _shape_cell(self, style: Style, text: str) -> Block | ListedText:
        """Return a cell's text; a single line is no list, for it may be a lone dash."""
        return (
            self._shape(style, text)
            if "\n" in text.strip()
            else self.typesetter.make_block(style, text)
        )

    def get_table(self, node: Node, spec: TableSpec, width: float) -> SetTable:
        key = (id(node), round(width, 3))
        if key not in self._tables:
            with self.naming(node, ()):
                self._tables[key] = self._set_table(make_table(node, spec), width)
        return self._tables[key]

    def _set_table(self, table: Table, width: float) -> SetTable:
        """Return a table at a width; where that makes it needed, words of its cells are broken."""
        try:
            return set_table(self.typesetter, table, width, self._shape_cell)
        except WordRefusal:
            styles = (cell.style for row in table.rows for cell in row.cells)
            if all(style.hyphenate != "needed" for style in styles):
                raise
            return set_table(self.typesetter, table, width, self._shape_broken)

    def _shape_broken(self, style: Style, text: str) -> Block | ListedText:
        """Return a cell's text whose words may be broken, if its style says so."""
        breaks = style.hyphenate == "needed"
        return self._shape_cell(self._break_words(style) if breaks else style, text)

    def measure_table(self, node: Node, spec: TableSpec) -> float:
        """Return the width of a table whose columns are as wide as their words."""
        with self.naming(node, ()):
            return measure_table(make_table(node, spec), self._shape_cell)

    def get_flow(self, node: Node, spec: FlowSpec) -> Flow:
        if id(node) not in self._flows:
            from cardgen.layout.flow.flow import make_flow  # which cards do without

            with self.naming(node, spec.fields):
                self._flows[id(node)] = make_flow(self.typesetter, spec, node.text)
        return self._flows[id(node)]

    def get_picture(self, node: Node, spec: ImageSpec) -> PictureInfo | Drawing | Gap:
        with self.naming(node, spec.fields):
            try:
                path = self._library.get_picture(spec.file, node.where)
            except CardgenError as error:
                return self._make_gap("picture", spec.file, spec.missing, error)
            if path.suffix.lower() == ".svg":
                from cardgen.layout.art.svg.reader import (
                    read_drawing,
                )  # which most cards do without

                return read_drawing(path, self.typesetter.shelf, node.where)
            return read_picture(path, node.where)

    def get_mask(self, node: Node, mask: MaskFile) -> PictureInfo:
        """Return the picture that masks another, which may not be missing."""
        with self.naming(node, ()):
            return read_picture(self._library.get_picture(mask.file, node.where), node.where)

    def share_drawing(self, drawing: Drawing, tone: Tone | None, size: Size) -> Shared:
        """Return a drawing in a tone at a size, drawn once for each."""
        key = (id(drawing), tone, Size(round(size.width, 3), round(size.height, 3)))
        if key not in self._drawings:
            if len(self._drawings) >= _MOST_DRAWINGS:
                self._drawings.pop(next(iter(self._drawings)))
            frame = Rect(0, 0, *size)
            from cardgen.layout.art.svg.tones import tone_items

            shared = Shared(frame, tone_items(fit_drawing(drawing, frame), tone))
            self._drawings[key] = shared, drawing  # kept, so that its id stays its own
        return self._drawings[key][0]

    def draw_icon(self, node: Node, spec: IconSpec, rect: Rect) -> Form | Gap:
        with self.naming(node, spec.fields):
            try:
                return self.typesetter.draw_icon(spec.name, rect, spec.paint)
            except CardgenError as error:
                return self._make_gap("icon", spec.name, spec.missing, error)

    def _make_gap(
        self,
        kind: Literal["picture", "icon"],
        name: str,
        missing: Missing | None,
        error: CardgenError,
    ) -> Gap:
        """Return what a box stands for; raise the error where none may."""
        problem = error.problems[0]
        wanted = missing == "placeholder" or (missing is None and self._placeholders.usual)
        if not wanted or problem.code not in _GONE:
            if kind == "picture" and missing is None and not problem.details.get("near"):
                problem = self._offer_placeholder(problem)
            raise CardgenError.of([problem])
        if self._placeholders.refused:
            hint = "the target prints no placeholders"
            hint = f"{problem.hint}; {hint}" if problem.hint else hint
            raise CardgenError.of([replace(problem, hint=hint)])
        return Gap(kind, name, None if name else self.subject.card)

    def _offer_placeholder(self, problem: Problem) -> Problem:
        """Return the problem of a missing picture with what helps until it is made."""
        if self._placeholders.refused or problem.code not in _GONE or not problem.hint:
            return problem
        return replace(problem, hint=f"{problem.hint}; {_OFFER}")

    def naming(self, node: Node, fields: tuple[str, ...]) -> Naming:
        """Name card, field and element in what goes wrong within."""
        return Naming(self, node, fields)

    def name_problem(
        self, error: Refusal | CardgenError, node: Node, fields: tuple[str, ...]
    ) -> CardgenError:
        """Return an error that names card and field too."""
        self.blamed = node
        if isinstance(error, Refusals):
            named = (self.name_problem(cause, node, fields) for cause in error.causes)
            return CardgenError.of(problem for one in named for problem in one.problems)
        if isinstance(error, Refusal):
            return self.subject.name_refusal(error, node.where, fields, alike=node.fixed)
        problem = error.problems[0]
        if problem.where is not None and problem.where != node.where:
            return error  # it names a file of its own, as an icon's does
        return self.subject.make_error(
            problem.code,
            problem.message,
            node.where,
            problem.hint,
            fields=fields,
            alike=node.fixed,
            details=problem.details,
        )


class Naming:
    """Names card, field and element in what goes wrong within; a class, as it is begun so often."""

    __slots__ = ("_contents", "_fields", "_node")

    def __init__(self, contents: Contents, node: Node, fields: tuple[str, ...]) -> None:
        self._contents = contents
        self._node = node
        self._fields = fields

    def __enter__(self) -> None:
        """Begin; there is nothing to do as long as all is well."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Refusal | CardgenError):
            raise self._contents.name_problem(error, self._node, self._fields) from error
