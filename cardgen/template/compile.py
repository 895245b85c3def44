"""Source elements made into elements ready to be filled: attributes parsed, expressions compiled,
fixed parts known.

Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cardgen.core.errors import CardgenError, Problem, Where, collecting
from cardgen.template.components import Component, find_filled_twice, list_fillings, mark_use
from cardgen.template.dependence import find_reads, looks_few_ways
from cardgen.template.expressions import (
    TextExpression,
    ValueExpression,
    find_value,
    is_expression,
)
from cardgen.template.hints import describe_attribute, describe_element, refuse_unknown
from cardgen.template.model import Node
from cardgen.template.names import FIXED, Reads, Scope, check_name, list_names, parse_plain
from cardgen.template.source import SourceElement
from cardgen.template.template import (
    Content,
    Element,
    Let,
    Loop,
    Part,
    list_fields,
    make_spec,
    parse_attributes,
)
from cardgen.template.values import Palette
from cardgen.template.vocabulary import (
    DEFINITIONS,
    ELEMENTS,
    FACE_ELEMENTS,
    FIGURES,
    PARTS,
    SLOT,
    ElementKind,
)

_LOOP = re.compile(r"\s*(\w+(?:\s*,\s*\w+)*)\s+in\s+(.+)", re.DOTALL)
_PARENTS = {"entry": "<map>", "param": "<component>"}


# A template grows by so many elements at most where components are written out.
MOST_WRITTEN_OUT = 5_000


class Filling(NamedTuple):
    """What fills a slot; for the slot of a component, with what is known at its use."""

    content: Sequence[SourceElement]
    around: Surroundings | None = None


class Surroundings(NamedTuple):
    """What is known where elements stand.

    slots: what fills a slot of that name
    scope: the names that expressions may use beside card, deck and side, but those of loops
    within: the components that the elements are part of
    """

    slots: Mapping[str, Filling]
    scope: Scope
    within: tuple[str, ...] = ()

    def fill(self, slot: str) -> Surroundings:
        """Return what is known in a slot, which does not hold itself."""
        filling = self.slots.get(slot)
        if filling is not None and filling.around is not None:
            return filling.around._replace(scope=self.scope)
        slots = {name: content for name, content in self.slots.items() if name != slot}
        return self._replace(slots=slots)

    def name(self, given: Mapping[str, Reads]) -> Surroundings:
        return self._replace(scope={**self.scope, **given})

    def hide(self, names: Iterable[str]) -> Surroundings:
        """Return what is known where a loop has names of its own."""
        return self._replace(scope={k: v for k, v in self.scope.items() if k not in set(names)})


class Compiler:
    """Compiles the elements of one template, and collects what is wrong with them."""

    def __init__(
        self,
        palette: Palette,
        problems: list[Problem],
        components: Mapping[str, Component] | None = None,
    ) -> None:
        self._palette = palette
        self._problems = problems
        self._components = components or {}
        self._written_out = 0

    def check_components(self, scope: Scope) -> None:
        """Compile each component by itself, so that what is wrong with it is said once."""
        for component in self._components.values():
            known = {**scope, **list_names(component.params)}
            around = Surroundings({}, known, (component.name,))
            self.compile(component.body, around, tuple(ELEMENTS), "component")

    def compile(
        self,
        sources: Sequence[SourceElement],
        around: Surroundings,
        allowed: tuple[str, ...] = FACE_ELEMENTS,
        parent: str = "template",
    ) -> tuple[Content, ...]:
        """Compile elements; a slot gives way to what fills it, or to its own content."""
        content: list[Content] = []
        for source in sources:
            if source.tag == "slot":
                content += self._compile_slot(source, around, allowed, parent)
            elif source.tag == "let":
                let = self._compile_let(source, around.scope)
                if let is not None:
                    content.append(let)
                    around = around.name({let.name: _list_reads(let.value)})
            elif source.tag == "use":
                part = self._compile_use(source, around, allowed, parent)
                content += (part,) if part is not None else ()
            elif source.tag not in allowed:
                self._problems.append(refuse_element(source, (*allowed, "let", "slot", "use")))
            else:
                self._problems += _check_place(source, parent)
                content.append(self._compile_element(source, around))
        return tuple(content)

    def _compile_slot(
        self, source: SourceElement, around: Surroundings, allowed: tuple[str, ...], parent: str
    ) -> tuple[Content, ...]:
        self._problems += check_text(source)
        name = source.attributes.get("name", "")
        filling = around.slots.get(name)
        filled = source.children if filling is None else filling.content
        content = self.compile(filled, around.fill(name), allowed, parent)
        # What is named within a slot is not known behind it.
        return (Part(content),) if any(isinstance(one, Let) for one in content) else content

    def _compile_let(self, source: SourceElement, scope: Scope) -> Let | None:
        problems = list(check_attributes(source, PARTS["let"], PARTS["let"]))
        problems += check_empty(source)
        if name := source.attributes.get("name"):
            with collecting(problems, source.place_of("name")):
                check_name(name, "a value")
        if "value" in source.attributes:
            with collecting(problems):
                value = ValueExpression(source.attributes["value"], source.place_of("value"), scope)
        self._problems += problems
        return None if problems or not name else Let(name, value)

    def _compile_use(
        self,
        source: SourceElement,
        around: Surroundings,
        allowed: tuple[str, ...],
        parent: str,
    ) -> Part | None:
        """Compile what a component holds, written out where it is used."""
        if around.within:
            self._count_written_out(source)
        component = self._find_component(source, around.within)
        if component is None:
            return None
        loop = self._compile_loop(source, around.scope)
        if loop is not None:
            around = around.hide(loop.names)
        condition: ValueExpression | None = None
        params: dict[str, Any] = {}
        with collecting(self._problems):
            if "if" in source.attributes:
                where = source.place_of("if")
                condition = ValueExpression(source.attributes["if"], where, around.scope)
            for name, default in component.params.items():
                text = source.attributes.get(name, default)
                if text is None:
                    self._problems.append(refuse_missing(source, name))
                else:
                    params[name] = _compile_param(text, source.place_of(name), around.scope)
        for one in (source, *(child for child in source.children if child.tag == "slot")):
            self._problems += check_text(one)
        self._problems += find_filled_twice(source)
        fillings = list_fillings(source)
        for name in fillings.keys() - component.list_slots():
            message = f'the component "{component.name}" has no slot "{name}"'
            slots = component.list_slots()
            unknown = refuse_unknown("template/unknown-slot", message, name, slots, "slot")
            self._problems.append(unknown.at(source.where))
        inner = Surroundings(
            {name: Filling(content, around) for name, content in fillings.items()},
            {**around.scope, **{name: _list_reads(value) for name, value in params.items()}},
            (*around.within, component.name),
        )
        body = [mark_use(one, source.where) for one in component.body]
        return Part(self.compile(body, inner, allowed, parent), params, condition, loop)

    def _find_component(self, source: SourceElement, within: Sequence[str]) -> Component | None:
        name = source.attributes.get("component")
        if not name:
            self._problems.append(refuse_missing(source, "component"))
            return None
        component, where = self._components.get(name), source.place_of("component")
        if component is None:
            message = f'unknown component "{name}"'
            unknown = refuse_unknown(
                "template/unknown-component", message, name, self._components, "component"
            )
            self._problems.append(unknown.at(where))
            return None
        if name in within:
            circle = " > ".join((*within[within.index(name) :], name))
            self._problems.append(
                Problem(
                    "template/component-circle",
                    f"a component uses itself: {circle}",
                    where,
                    "let one of them do without the other",
                    details={"name": name},
                )
            )
            return None
        known = ("component", "if", "for", SLOT, *component.params)
        self._problems += check_attributes(source, known)
        return component

    def _compile_element(self, source: SourceElement, around: Surroundings) -> Element:
        if around.within:
            self._count_written_out(source)
        kind = ELEMENTS[source.tag]
        constants: dict[str, str] = {}
        expressions: list[tuple[str, TextExpression]] = []
        condition: ValueExpression | None = None
        before = len(self._problems)
        loop = self._compile_loop(source, around.scope)
        if loop is not None:
            around = around.hide(loop.names)
        for name, value in source.attributes.items():
            where = source.place_of(name)
            with collecting(self._problems):
                if name == "if":
                    condition = ValueExpression(value, where, around.scope)
                elif name == "for":
                    continue
                elif name not in kind.attributes:
                    known = (*kind.attributes, "if", "for", SLOT)
                    self._problems.append(refuse_attribute(source, name, known))
                elif is_expression(value):
                    expressions.append((name, TextExpression(value, where, around.scope)))
                else:
                    constants[name] = value
        spoiled = len(self._problems) > before
        missing = [name for name in kind.required if name not in source.attributes]
        self._problems += [refuse_missing(source, name) for name in missing]
        text = self._compile_text(source, kind, around.scope)
        children: tuple[Content, ...] = ()
        if kind.content == "elements":
            allowed = kind.children or FACE_ELEMENTS
            children = self.compile(source.children, around, allowed, source.tag)
        elif source.children:
            self._problems.append(
                Problem(
                    "template/wrong-content",
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
        )
        reads = find_reads(element)
        choices = reads if looks_few_ways(element) else None
        element = replace(element, choices=choices, reads=reads, chosen_by=list_fields(reads))
        if expressions or missing or spoiled:
            # What stands beside an expression can be looked at already.
            _, found = parse_attributes(element, constants, self._palette)
            self._problems += found
            return element
        with collecting(self._problems):
            return _fix(replace(element, spec=make_spec(element, (), self._palette)))
        return element

    def _count_written_out(self, source: SourceElement) -> None:
        self._written_out += 1
        if self._written_out > MOST_WRITTEN_OUT:
            raise CardgenError(
                "template/too-many-elements",
                f"the components of the template come to more than {MOST_WRITTEN_OUT:,} elements",
                source.where,
                "use fewer components within each other",
                details={"most": MOST_WRITTEN_OUT},
            )

    def _compile_loop(self, source: SourceElement, scope: Scope) -> Loop | None:
        if "for" not in source.attributes:
            return None
        text, where = source.attributes["for"], source.place_of("for")
        match = _LOOP.fullmatch(text)
        if not match:
            self._problems.append(
                Problem(
                    "template/not-a-loop",
                    f'"{text}" is no loop',
                    where,
                    'write for="item in card.items"',
                )
            )
            return None
        names = tuple(name.strip() for name in match[1].split(","))
        with collecting(self._problems, where):
            for name in names:
                check_name(name, "the items of a loop")
            return Loop(names, ValueExpression(match[2], where, scope))
        return None

    def _compile_text(
        self, source: SourceElement, kind: ElementKind, scope: Scope
    ) -> str | TextExpression:
        if kind.content != "text":
            self._problems += check_text(source)
            return ""
        # A document written inside XML is indented as a whole; its own indents count from there.
        text = source.text
        if "\n" in text or text.startswith((" ", "\t")):
            from textwrap import dedent  # most templates have no such text

            text = dedent(text)
        if not is_expression(text):
            return text
        with collecting(self._problems):
            return TextExpression(text, source.text_where, scope)
        return ""


def _list_reads(value: object) -> Reads:
    """Return what a value reads: an expression, or one that is the same on every card."""
    if isinstance(value, TextExpression | ValueExpression):
        return Reads(value.fields, value.reads)
    return FIXED


def _compile_param(text: str, where: Where, scope: Scope) -> Any:
    """Return what a parameter is given: the value of {{ … }} alone, a text with expressions in it,
    or a plain value.
    """
    alone = find_value(text)
    if alone is not None:
        return ValueExpression(alone, where, scope)
    return TextExpression(text, where, scope) if is_expression(text) else parse_plain(text)


def _fix(element: Element) -> Element:
    """Return an element with its node, if it is the same on every card."""
    if element.spec is None or not isinstance(element.text, str):
        return element
    nodes = _list_fixed(element.children)
    if nodes is None:
        return element
    node = Node(element.spec, tuple(nodes), element.text, element.where, frozenset())
    return replace(element, node=node, choices=frozenset())


def _list_fixed(content: Sequence[Content]) -> list[Node] | None:
    """Return the nodes of what is the same on every card; None if not all of it is."""
    nodes: list[Node] = []
    for one in content:
        if isinstance(one, Part):
            inner = _list_fixed(one.content)
            if inner is None or one.condition or one.loop:
                return None
            nodes += inner
        elif isinstance(one, Element):
            if not one.node or one.condition or one.loop:
                return None
            nodes.append(one.node)
    return nodes


# What is wrong with an element


def refuse_element(source: SourceElement, allowed: Sequence[str]) -> Problem:
    """Return what is wrong with an element that is unknown, or known but out of place."""
    tag, where = source.tag, source.where
    misplaced = f"<{tag}> cannot stand here"
    if tag in DEFINITIONS or tag in _PARENTS:
        hint = f"it stands in {_PARENTS.get(tag, '<template> itself')}"
        return Problem("template/misplaced-element", misplaced, where, hint)
    if tag in ELEMENTS:
        parents = [f"<{name}>" for name, kind in ELEMENTS.items() if tag in kind.children]
        cure = f"it stands in {' or '.join(parents)}" if parents else None
        return Problem("template/misplaced-element", misplaced, where, cure)
    unknown = describe_element(tag, allowed)
    return Problem(
        "template/unknown-element",
        f"unknown element <{tag}>",
        where,
        unknown.hint,
        details=unknown.details,
    )


def refuse_attribute(source: SourceElement, name: str, known: Sequence[str]) -> Problem:
    """Return what is wrong with an attribute that an element does not have."""
    unknown = describe_attribute(name, known)
    return Problem(
        "template/unknown-attribute",
        f'unknown attribute "{name}" of <{source.tag}>',
        source.place_of(name),
        unknown.hint,
        details=unknown.details,
    )


def refuse_missing(source: SourceElement, name: str) -> Problem:
    """Return that an element lacks an attribute that it must have."""
    return Problem(
        "template/missing-attribute",
        f"<{source.tag}> has no {name}",
        source.where,
        f'add {name}="…"',
        details={"name": name},
    )


def check_attributes(
    source: SourceElement, known: Sequence[str], required: Sequence[str] = ()
) -> Iterator[Problem]:
    """Yield a problem for each attribute that does not belong to an element, and that it lacks."""
    for name in source.attributes:
        if name not in known:
            yield refuse_attribute(source, name, known)
    for name in required:
        if not source.attributes.get(name):
            yield refuse_missing(source, name)


def check_text(source: SourceElement) -> Iterator[Problem]:
    """Yield a problem if an element that holds elements holds a text."""
    if source.text.strip():
        yield Problem(
            "template/wrong-content",
            f"<{source.tag}> holds no text",
            source.where,
            "put it into a <text>",
        )


def check_empty(source: SourceElement) -> Iterator[Problem]:
    """Yield a problem if an element holds anything."""
    if source.children or source.text.strip():
        yield Problem(
            "template/wrong-content",
            f"<{source.tag}> holds nothing",
            source.where,
            f"close it at once, as in <{source.tag} …/>",
        )


def _check_place(source: SourceElement, parent: str) -> Iterator[Problem]:
    """Yield a problem for all that an element says of its place in vain where it stands."""
    if parent == "component":
        return  # its use will tell
    stacked = parent in ("column", "row")
    given = source.attributes.keys()
    for name in ("x", "y", "right", "bottom", "inset", "bleed"):
        if stacked and name in given:
            yield Problem(
                "template/no-meaning",
                f'"{name}" has no meaning in a <{parent}>',
                source.place_of(name),
                f"a {parent} places its elements itself: by gap, padding and align",
                details={"name": name},
            )
    if not stacked and "grow" in given:
        yield Problem(
            "template/no-meaning",
            f'"grow" has no meaning in a <{parent}>',
            source.place_of("grow"),
            "put the element into a <column> or <row>",
            details={"name": "grow"},
        )
    for said in (("x", "width", "right"), ("y", "height", "bottom")):
        if set(said) <= given:
            yield Problem(
                "template/too-many-lengths",
                f'"{said[0]}", "{said[1]}" and "{said[2]}" say too much',
                source.place_of(said[2]),
                "leave one of them out",
            )
    if (
        parent == "row"
        and source.tag in ("icon", "image", *FIGURES)
        and not ({"width", "height", "grow"} & given)
    ):
        yield Problem(
            "template/missing-size",
            f"{'an' if source.tag[0] in 'aei' else 'a'} <{source.tag}> in a row needs a width"
            " or a height",
            source.where,
            'as in width="6mm"',
        )
    fit = source.attributes.get("fit")
    if (
        parent == "column"
        and source.tag in ("text", "flow")
        and fit in ("box", "deck")
        and not ({"height", "grow", "max-height"} & given)
    ):
        yield Problem(
            "template/missing-size",
            f'fit="{fit}" needs a room of known height',
            source.place_of("fit"),
            'add grow="1" or height="…"',
        )
