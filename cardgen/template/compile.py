"""Source elements turned into compiled ones: constant attributes read, expressions compiled, fixed
parts known.

Knows nothing of cards; `fill` evaluates what is compiled here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import dedent
from typing import Any

from cardgen.core.errors import CardgenError, Problem, Refusal, Where
from cardgen.template.expressions import TextExpression, ValueExpression, is_expression
from cardgen.template.hints import suggest_attribute, suggest_element
from cardgen.template.model import FlowSpec, IconSpec, ImageSpec, Node, Spec, TextSpec
from cardgen.template.source import SourceElement
from cardgen.template.values import Palette
from cardgen.template.vocabulary import ELEMENTS, FACE_ELEMENTS, Kind, check_room

_LOOP = re.compile(r"\s*(\w+(?:\s*,\s*\w+)*)\s+in\s+(.+)", re.DOTALL)
_RESERVED = ("card", "deck", "side")


@dataclass(frozen=True, slots=True)
class Loop:
    names: tuple[str, ...]
    items: ValueExpression


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """An element ready to be filled; `node` is set where nothing depends on the card."""

    tag: str
    where: Where
    places: Mapping[str, Where]
    constants: Mapping[str, str]
    expressions: tuple[tuple[str, TextExpression], ...]
    condition: ValueExpression | None
    loop: Loop | None
    text: str | TextExpression
    children: tuple[Element, ...]
    spec: Spec | None
    node: Node | None
    specs: dict[tuple[str, ...], Spec] = field(default_factory=dict)

    def list_names(self) -> set[str]:
        """The names of all that its expressions ask for, with all it holds."""
        read = [expression for _, expression in self.expressions]
        sources: list[TextExpression | ValueExpression | str | None] = [*read, self.text]
        sources += [self.condition, self.loop.items if self.loop else None]
        own = {
            name
            for source in sources
            if isinstance(source, TextExpression | ValueExpression)
            for name in source.names
        }
        return own.union(*(child.list_names() for child in self.children))


def compile_elements(
    sources: Sequence[SourceElement],
    slots: Mapping[str, SourceElement],
    palette: Palette,
    problems: list[Problem],
    allowed: tuple[str, ...] = FACE_ELEMENTS,
    parent: str = "template",
) -> tuple[Element, ...]:
    """Compile elements; a slot gives way to what fills it, or to its own content."""
    elements: list[Element] = []
    for source in sources:
        if source.tag == "slot":
            name = source.attributes.get("name", "")
            content = slots.get(name, source)
            inner = {other: slot for other, slot in slots.items() if other != name}
            elements += compile_elements(
                content.children, inner, palette, problems, allowed, parent
            )
        elif source.tag not in allowed:
            problems.append(refuse_element(source, (*allowed, "slot")))
        else:
            problems += check_room(source, parent)
            elements.append(_compile(source, slots, palette, problems))
    return tuple(elements)


def _compile(
    source: SourceElement,
    slots: Mapping[str, SourceElement],
    palette: Palette,
    problems: list[Problem],
) -> Element:
    kind = ELEMENTS[source.tag]
    constants: dict[str, str] = {}
    expressions: list[tuple[str, TextExpression]] = []
    condition: ValueExpression | None = None
    loop: Loop | None = None
    for name, value in source.attributes.items():
        where = source.place_of(name)
        try:
            if name == "if":
                condition = ValueExpression(value, where)
            elif name == "for":
                loop = _compile_loop(value, where)
            elif name not in kind.attributes:
                known = (*kind.attributes, "if", "for")
                hint = suggest_attribute(name, known)
                raise CardgenError(
                    "template/todo", f'unknown attribute "{name}" of <{source.tag}>', where, hint
                )
            elif is_expression(value):
                expressions.append((name, TextExpression(value, where)))
            else:
                constants[name] = value
        except CardgenError as error:
            problems += error.problems
    for name in kind.required:
        if name not in source.attributes:
            problems.append(
                Problem(
                    "template/todo",
                    f"<{source.tag}> has no {name}",
                    source.where,
                    f'add {name}="…"',
                )
            )
    text = _compile_text(source, kind, problems)
    children: tuple[Element, ...] = ()
    if kind.content == "elements":
        allowed = kind.children or FACE_ELEMENTS
        children = compile_elements(source.children, slots, palette, problems, allowed, source.tag)
    elif source.children:
        problems.append(
            Problem(
                "template/todo",
                f"<{source.tag}> holds no elements",
                source.children[0].where,
                "put it beside",
            )
        )
    element = Element(
        source.tag,
        source.where,
        source.attribute_places,
        constants,
        tuple(expressions),
        condition,
        loop,
        text,
        children,
        None,
        None,
    )
    if expressions or any(name not in source.attributes for name in kind.required):
        # What stands beside an expression can be looked at already.
        _, found = read_attributes(element, constants, palette)
        problems += found
        return element
    try:
        element = replace(element, spec=make_spec(element, (), palette))
    except CardgenError as error:
        problems += error.problems
        return element
    fixed = isinstance(text, str) and all(
        child.node and not child.condition and not child.loop for child in children
    )
    if fixed and element.spec is not None:
        nodes = tuple(child.node for child in children if child.node)
        node = Node(element.spec, nodes, text if isinstance(text, str) else "", source.where, True)
        element = replace(element, node=node)
    return element


def _compile_loop(text: str, where: Where) -> Loop:
    match = _LOOP.fullmatch(text)
    if not match:
        raise CardgenError(
            "template/todo", f'"{text}" is no loop', where, 'write for="item in card.items"'
        )
    names = tuple(name.strip() for name in match[1].split(","))
    for name in names:
        if name in _RESERVED:
            raise CardgenError(
                "template/todo",
                f'a loop cannot name its items "{name}"',
                where,
                "choose another name",
            )
    return Loop(names, ValueExpression(match[2], where))


def _compile_text(
    source: SourceElement, kind: Kind, problems: list[Problem]
) -> str | TextExpression:
    if kind.content != "text":
        if source.text.strip():
            problems.append(
                Problem(
                    "template/todo",
                    f"<{source.tag}> holds no text",
                    source.where,
                    "put it into a <text>",
                )
            )
        return ""
    # A document written inside XML is indented as a whole; its own indents count from there.
    text = dedent(source.text)
    if not is_expression(text):
        return text
    try:
        return TextExpression(text, source.text_where)
    except CardgenError as error:
        problems += error.problems
        return ""


def make_spec(element: Element, values: tuple[str, ...], palette: Palette) -> Spec:
    """The spec of an element, given its expressions' values; remembered by them."""
    spec = element.specs.get(values)
    if spec is not None:
        return spec
    kind = ELEMENTS[element.tag]
    texts = dict(element.constants)
    texts.update(zip((name for name, _ in element.expressions), values, strict=True))
    given, problems = read_attributes(element, texts, palette)
    if problems:
        raise CardgenError.of(problems)
    try:
        spec = kind.build(given)
    except Refusal as error:
        raise CardgenError("template/todo", str(error), element.where, error.hint) from error
    if isinstance(spec, TextSpec | FlowSpec) and isinstance(element.text, TextExpression):
        spec = replace(spec, fields=element.text.fields)
    if isinstance(spec, IconSpec | ImageSpec):
        read = (e.fields for name, e in element.expressions if name in kind.required)
        spec = replace(spec, fields=tuple(field for fields in read for field in fields))
    if isinstance(spec, TextSpec):
        spec = replace(spec, key=str(element.where))
    element.specs[values] = spec
    return spec


def read_attributes(
    element: Element, texts: Mapping[str, str], palette: Palette
) -> tuple[dict[str, Any], list[Problem]]:
    """The values of attributes, and what is wrong with them."""
    readers = ELEMENTS[element.tag].attributes
    given: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, text in texts.items():
        where = element.places.get(name, element.where)
        try:
            given[name] = readers[name](text, palette)
        except Refusal as error:
            problems.append(Problem("template/todo", str(error), where, error.hint, alike=True))
        except Refusal as error:
            problems.append(Problem("template/todo", str(error), where, alike=True))
    return given, problems


def refuse_element(source: SourceElement, allowed: Sequence[str]) -> Problem:
    """What is wrong with an element that is unknown, or known but out of place."""
    tag = source.tag
    if tag in ("colour", "gradient", "style"):
        return Problem(
            "template/todo",
            f"<{tag}> cannot stand here",
            source.where,
            "it stands in <template> itself",
        )
    if tag in ELEMENTS:
        parents = [f"<{name}>" for name, kind in ELEMENTS.items() if tag in kind.children]
        hint = f"it stands in {' or '.join(parents)}" if parents else None
        return Problem("template/todo", f"<{tag}> cannot stand here", source.where, hint)
    hint = suggest_element(tag, allowed)
    return Problem("template/todo", f"unknown element <{tag}>", source.where, hint)
