"""A compiled template and one card turned into nodes: conditions decided, loops unrolled, texts
filled in.

Knows nothing of fonts, sizes on paper or PDF.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from jinja2.runtime import Context

from cardgen.core.errors import CardgenError
from cardgen.template.compile import Element, Loop, make_spec
from cardgen.template.expressions import TextExpression, extend_context, make_context
from cardgen.template.model import Node
from cardgen.template.parse import Template
from cardgen.template.values import Palette

MAX_LOOP = 10_000


def fill_template(template: Template, values: Mapping[str, Any]) -> tuple[Node, ...]:
    """The template's face for one card; `values` holds what its expressions may name."""
    return _fill(template.elements, make_context(values), template.palette)


def _fill(elements: Sequence[Element], context: Context, palette: Palette) -> tuple[Node, ...]:
    nodes: list[Node] = []
    for element in elements:
        if element.loop is not None:
            for inner in _run_loop(element, element.loop, context):
                if element.condition is None or element.condition.evaluate(inner):
                    nodes.append(_fill_one(element, inner, palette))
        elif element.condition is None or element.condition.evaluate(context):
            nodes.append(element.node or _fill_one(element, context, palette))
    return tuple(nodes)


def _fill_one(element: Element, context: Context, palette: Palette) -> Node:
    if element.node is not None:
        return element.node
    spec = element.spec
    if spec is None:
        values = tuple(expression.evaluate(context) for _, expression in element.expressions)
        spec = make_spec(element, values, palette)
    text = element.text
    if isinstance(text, TextExpression):
        text = text.evaluate(context)
    children = _fill(element.children, context, palette) if element.children else ()
    return Node(spec, children, text, element.where, False)


def _run_loop(element: Element, loop: Loop, context: Context) -> Iterable[Context]:
    items = loop.items.evaluate(context)
    where = element.places["for"]
    if items is None:
        return
    if isinstance(items, str) or not isinstance(items, Iterable):
        raise CardgenError(
            "template/todo",
            f'for="{", ".join(loop.names)} in {loop.items.source}" needs a list',
            where,
        )
    try:
        listed = list(islice(items, MAX_LOOP + 1))
    except Exception as error:  # what a filter makes of the items as they are asked for
        raise CardgenError(
            "template/todo", f'for="… in {loop.items.source}" fails: {error}', where
        ) from error
    if len(listed) > MAX_LOOP:
        raise CardgenError("template/todo", f"a loop runs more than {MAX_LOOP:,} times", where)
    for item in listed:
        if len(loop.names) == 1:
            yield extend_context(context, {loop.names[0]: item})
            continue
        if isinstance(item, str) or not isinstance(item, Sequence) or len(item) != len(loop.names):
            raise CardgenError(
                "template/todo",
                f"a loop over {', '.join(loop.names)} needs lists of as many",
                where,
            )
        yield extend_context(context, dict(zip(loop.names, item, strict=True)))
