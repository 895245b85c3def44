"""The contents of a face's nodes, made ready once: shaped texts, tables, running text, pictures.

Adds the names of card and field to what goes wrong. Knows nothing of where a node lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardgen.core.errors import CardgenError, Refusal, Where
from cardgen.core.geometry import Rect
from cardgen.core.library import Library
from cardgen.layout.art.pictures import PictureInfo, read_picture
from cardgen.layout.face import Form
from cardgen.layout.subject import Subject
from cardgen.layout.table import SetTable, make_table, measure_table, set_table
from cardgen.layout.typesetter import Typesetter
from cardgen.template.model import FlowSpec, IconSpec, ImageSpec, Node, TableSpec, TextSpec
from cardgen.text.fit import Block

if TYPE_CHECKING:
    from cardgen.layout.flow.flow import Flow


class Contents:
    """The contents of the face that is being composed."""

    def __init__(self, typesetter: Typesetter, library: Library) -> None:
        self.typesetter = typesetter
        self.subject = Subject("", Where(""))
        self._library = library
        # By the node's id, which stays one node's only while the node lives.
        self._blocks: dict[int, Block] = {}
        self._tables: dict[tuple[int, float], SetTable] = {}
        self._flows: dict[int, Flow] = {}

    def begin(self, subject: Subject) -> None:
        """Begin another face; the contents of the one before are forgotten."""
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
                self._tables[key] = set_table(self.typesetter, make_table(node, spec), width)
        return self._tables[key]

    def measure_table(self, node: Node, spec: TableSpec) -> float:
        """Return the width of a table whose columns are as wide as their words."""
        with self.naming(node, ()):
            return measure_table(self.typesetter, make_table(node, spec))

    def get_flow(self, node: Node, spec: FlowSpec) -> Flow:
        if id(node) not in self._flows:
            from cardgen.layout.flow.flow import make_flow  # which cards do without

            with self.naming(node, spec.fields):
                self._flows[id(node)] = make_flow(self.typesetter, spec, node.text)
        return self._flows[id(node)]

    def get_picture(self, node: Node, spec: ImageSpec) -> PictureInfo:
        with self.naming(node, spec.fields):
            path = self._library.get_picture(spec.file, node.where)
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
        """Return an error that names card and field too."""
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
