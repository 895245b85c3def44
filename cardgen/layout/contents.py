"""What the nodes of a face hold, made ready once and kept: texts, tables, running text, pictures.

Adds the names of card and field to what goes wrong. Knows nothing of where a node lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cardgen.errors import CardgenError, Where
from cardgen.geometry import Rect
from cardgen.layout.face import Form
from cardgen.layout.flow import Flow, read_flow
from cardgen.layout.picture import PictureInfo, read_picture
from cardgen.layout.subject import Subject, name_fields
from cardgen.layout.table import SetTable, measure_table, read_table, set_table
from cardgen.layout.words import TextProblem, Typesetter
from cardgen.library import Library
from cardgen.template.model import FlowSpec, IconSpec, ImageSpec, Node, TableSpec, TextSpec
from cardgen.text.fit import Block


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
            except (TextProblem, CardgenError) as error:
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
            path = self.library.find_picture(spec.file, node.where)
            return read_picture(path, node.where)

    def draw_icon(self, node: Node, spec: IconSpec, rect: Rect) -> Form:
        with self.naming(node, spec.fields):
            return self.typesetter.draw_icon(spec.name, rect, spec.paint)

    @contextmanager
    def naming(self, node: Node, fields: tuple[str, ...]) -> Iterator[None]:
        """Name card, field and element in what goes wrong within."""
        try:
            yield
        except (TextProblem, CardgenError) as error:
            raise self.name_problem(error, node, fields) from error

    def name_problem(
        self, error: TextProblem | CardgenError, node: Node, fields: tuple[str, ...]
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
