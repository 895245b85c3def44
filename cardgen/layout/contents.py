"""What the nodes of a face hold, made ready once and kept: texts, tables, running text, pictures.

Adds the names of card and field to what goes wrong. Knows nothing of where a node lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cardgen.core.errors import CardgenError, Refusal, Where
from cardgen.core.geometry import Rect
from cardgen.core.library import Library
from cardgen.layout.art.images import PictureInfo, read_picture
from cardgen.layout.face import Form, Item
from cardgen.layout.flow.flow import Flow, read_flow
from cardgen.layout.subject import DeckSizes, Shrunk, Subject, name_fields
from cardgen.layout.table import SetTable, measure_table, read_table, set_table
from cardgen.layout.typesetter import Typesetter
from cardgen.template.model import FlowSpec, IconSpec, ImageSpec, Node, TableSpec, TextSpec
from cardgen.text.fit import Block, find_size, fits_box, fits_line


class Contents:
    """The contents of the face in hand."""

    def __init__(self, typesetter: Typesetter, library: Library) -> None:
        self.typesetter = typesetter
        self.library = library
        self.subject = Subject("", Where(""))
        self._blocks: dict[int, Block] = {}
        self._tables: dict[tuple[int, float], SetTable] = {}
        self._flows: dict[int, Flow] = {}

    def begin(self, subject: Subject) -> None:
        """Forget the face before; an id stays one node's only while the node lives."""
        self.subject = subject
        self._blocks.clear()
        self._tables.clear()
        self._flows.clear()

    def get_block(self, node: Node, spec: TextSpec) -> Block:
        block = self._blocks.get(id(node))
        if block is None:
            try:
                block = self.typesetter.make_block(spec.style, node.text)
            except (Refusal, CardgenError) as error:
                raise self.name_problem(error, node, spec.fields) from error
            self._blocks[id(node)] = block
        return block

    def get_table(self, node: Node, spec: TableSpec, width: float) -> SetTable:
        key = (id(node), round(width, 3))
        if key not in self._tables:
            with self.naming(node, ()):
                self._tables[key] = set_table(self.typesetter, read_table(node, spec), width)
        return self._tables[key]

    def measure_table(self, node: Node, spec: TableSpec) -> float:
        with self.naming(node, ()):
            return measure_table(self.typesetter, read_table(node, spec))

    def get_flow(self, node: Node, spec: FlowSpec) -> Flow:
        if id(node) not in self._flows:
            with self.naming(node, spec.fields):
                self._flows[id(node)] = read_flow(self.typesetter, spec, node.text)
        return self._flows[id(node)]

    def get_picture(self, node: Node, spec: ImageSpec) -> PictureInfo:
        with self.naming(node, spec.fields):
            path = self.library.get_picture(spec.file, node.where)
            return read_picture(path, node.where)

    def draw_icon(self, node: Node, spec: IconSpec, rect: Rect) -> Form:
        with self.naming(node, spec.fields):
            return self.typesetter.draw_icon(spec.name, rect, spec.paint)

    @contextmanager
    def naming(self, node: Node, fields: tuple[str, ...]) -> Iterator[None]:
        """Name card, field and element in what goes wrong within."""
        try:
            yield
        except (Refusal, CardgenError) as error:
            raise self.name_problem(error, node, fields) from error

    def name_problem(
        self, error: Refusal | CardgenError, node: Node, fields: tuple[str, ...]
    ) -> CardgenError:
        """What went wrong, with the names of card and field."""
        if isinstance(error, CardgenError):
            problem = error.problems[0]
            if problem.where is not None and problem.where != node.where:
                return error  # a file that speaks for itself, as an icon's
            alike = node.fixed
            return self.subject.fail(
                problem.message, node.where, problem.hint, fields=fields, alike=alike
            )
        message = str(error)
        if message.startswith(("is ", "holds ", "has ")):
            message = f"{name_fields(fields)} {message}"
        elif fields and message.startswith('"'):
            message = f"{name_fields(fields)}: {message}"
        return self.subject.fail(message, node.where, error.hint, fields=fields, alike=node.fixed)


class TextPlacer:
    """Places the texts of one template's faces; while gathering, it only notes their sizes."""

    def __init__(self, contents: Contents, sizes: DeckSizes) -> None:
        self.shrunk: list[Shrunk] = []
        self.gathering = False
        self._contents = contents
        self._typesetter = contents.typesetter
        self._sizes = sizes

    def place(self, node: Node, spec: TextSpec, rect: Rect, items: list[Item]) -> None:
        block = self._contents.get_block(node, spec)
        if not block.paragraphs:
            return
        size = self._choose_size(node, spec, block, rect)
        text = self._typesetter.set_text(block, spec.style, size, rect.width, rect.x, rect.y)
        shift, spare = 0.0, rect.height - text.height
        if spec.valign == "bottom":
            shift = spare
        elif spec.valign == "middle":
            # The eye takes the middle of the capitals for that of the text.
            shift = min((spare + block.depth * size) / 2, spare)
        try:
            self._typesetter.draw_pieces(text.pieces, items, dy=shift)
        except CardgenError as error:
            raise self._contents.name_problem(error, node, spec.fields) from error

    def _choose_size(self, node: Node, spec: TextSpec, block: Block, rect: Rect) -> float:
        def fits(size: float) -> bool:
            if spec.fit == "line" and not fits_line(block, size, rect.width):
                return False
            return fits_box(block, size, rect.width, rect.height)

        deck, usual = spec.fit == "deck", spec.largest
        if deck and not self.gathering:
            usual = min(self._sizes.decided.get(spec.key, usual), usual)
        size = find_size(fits, usual, spec.smallest)
        if size is None:
            with self._contents.naming(node, spec.fields):
                if spec.fit == "line" and not fits_line(block, spec.smallest, rect.width):
                    self._typesetter.check_line(block, spec.smallest, rect.width)
                self._typesetter.check_fit(block, spec.smallest, rect.width, rect.height)
            return spec.smallest
        # A card too full for the style's size sets no rule for the others.
        if deck and self.gathering and size >= spec.style.size:
            self._sizes.wanted.setdefault(spec.key, []).append(size)
        if spec.fit in ("box", "deck") and size < min(usual, spec.style.size):
            self.report(spec.fields, size, usual)
        return size

    def report(self, fields: tuple[str, ...], size: float, usual: float) -> None:
        if not self.gathering:
            self.shrunk.append(Shrunk(self._contents.subject, "/".join(fields), size, usual))


# MERGED: A text set into its box: its size chosen, by its box or by the whole deck, and its lines placed.
#
#   Notes which texts were set smaller than the others. Knows nothing of other elements.
#
