"""Source elements made into elements ready to be filled: attributes parsed, expressions compiled,
fixed parts known.

Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import dedent

from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.template.expressions import TextExpression, ValueExpression, is_expression
from cardgen.template.hints import suggest_attribute, suggest_element
from cardgen.template.model import Node
from cardgen.template.source import SourceElement
from cardgen.template.template import Element, Loop, make_spec, parse_attributes
from cardgen.template.values import Palette
from cardgen.template.vocabulary import CHOICES, ELEMENTS, FACE_ELEMENTS, ElementKind

_LOOP = re.compile(r"\s*(\w+(?:\s*,\s*\w+)*)\s+in\s+(.+)", re.DOTALL)
_RESERVED = ("card", "deck", "side")
# What says the same of every card of a deck.
SAME_FOR_ALL = frozenset({"deck"})


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
            problems += _check_place(source, parent)
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
    before = len(problems)
    for name, value in source.attributes.items():
        where = source.place_of(name)
        try:
            if name == "if":
                condition = ValueExpression(value, where)
            elif name == "for":
                loop = _compile_loop(value, where)
            elif name not in kind.attributes:
                problems.append(refuse_attribute(source, name, (*kind.attributes, "if", "for")))
            elif is_expression(value):
                expressions.append((name, TextExpression(value, where)))
            else:
                constants[name] = value
        except CardgenError as error:
            problems += error.problems
    spoiled = len(problems) > before
    missing = [name for name in kind.required if name not in source.attributes]
    problems += [refuse_missing(source, name) for name in missing]
    text = _compile_text(source, kind, problems)
    children: tuple[Element, ...] = ()
    if kind.content == "elements":
        allowed = kind.children or FACE_ELEMENTS
        children = compile_elements(source.children, slots, palette, problems, allowed, source.tag)
    elif source.children:
        problems.append(
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
    element = replace(element, choices=_find_choices(element))
    if expressions or missing or spoiled:
        # What stands beside an expression can be looked at already.
        _, found = parse_attributes(element, constants, palette)
        problems += found
        return element
    try:
        return _fix(replace(element, spec=make_spec(element, (), palette)))
    except CardgenError as error:
        problems += error.problems
        return element


def _fix(element: Element) -> Element:
    """Return an element with its node, if it is the same on every card."""
    nodes = [
        child.node
        for child in element.children
        if child.node and not child.condition and not child.loop
    ]
    if (
        element.spec is None
        or not isinstance(element.text, str)
        or len(nodes) < len(element.children)
    ):
        return element
    node = Node(element.spec, tuple(nodes), element.text, element.where, frozenset())
    return replace(element, node=node, choices=frozenset())


def _find_choices(element: Element) -> frozenset[str] | None:
    """Return what chooses how an element looks, its loop and condition left out; None if not all of
    it is chosen from few.

    A text of the card's may be any, and so may a measure. A text that is fitted to its box tells
    which card it was set smaller on, so each card sets its own.
    """
    names: set[str] = set()
    for name, expression in element.expressions:
        if expression.reads - SAME_FOR_ALL and name not in CHOICES:
            return None
        names |= expression.reads
    if isinstance(element.text, TextExpression) and element.text.reads - SAME_FOR_ALL:
        return None
    if element.constants.get("fit") in ("box", "deck") and element.tag in ("text", "flow"):
        return None
    for child in element.children:
        inner = child.choices
        if inner is None:
            return None
        if child.condition is not None:
            inner |= child.condition.reads
        if child.loop is not None:
            inner = (inner - set(child.loop.names)) | child.loop.items.reads
        names |= inner
    return frozenset(names - SAME_FOR_ALL)


def _compile_loop(text: str, where: Where) -> Loop:
    match = _LOOP.fullmatch(text)
    if not match:
        raise CardgenError(
            "template/not-a-loop", f'"{text}" is no loop', where, 'write for="item in card.items"'
        )
    names = tuple(name.strip() for name in match[1].split(","))
    for name in names:
        if name in _RESERVED:
            raise CardgenError(
                "template/reserved-name",
                f'a loop cannot name its items "{name}"',
                where,
                "choose another name",
                details={"name": name},
            )
    return Loop(names, ValueExpression(match[2], where))


def _compile_text(
    source: SourceElement, kind: ElementKind, problems: list[Problem]
) -> str | TextExpression:
    if kind.content != "text":
        if source.text.strip():
            problems.append(
                Problem(
                    "template/wrong-content",
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


# What is wrong with an element


def refuse_element(source: SourceElement, allowed: Sequence[str]) -> Problem:
    """Return what is wrong with an element that is unknown, or known but out of place."""
    tag, where = source.tag, source.where
    misplaced = f"<{tag}> cannot stand here"
    if tag in ("colour", "gradient", "style"):
        hint = "it stands in <template> itself"
        return Problem("template/misplaced-element", misplaced, where, hint)
    if tag in ELEMENTS:
        parents = [f"<{name}>" for name, kind in ELEMENTS.items() if tag in kind.children]
        cure = f"it stands in {' or '.join(parents)}" if parents else None
        return Problem("template/misplaced-element", misplaced, where, cure)
    found = suggest_element(tag, allowed)
    return Problem(
        "template/unknown-element",
        f"unknown element <{tag}>",
        where,
        found.hint,
        details={"name": tag, "near": found.near},
    )


def refuse_attribute(source: SourceElement, name: str, known: Sequence[str]) -> Problem:
    """Return what is wrong with an attribute that an element does not have."""
    found = suggest_attribute(name, known)
    return Problem(
        "template/unknown-attribute",
        f'unknown attribute "{name}" of <{source.tag}>',
        source.place_of(name),
        found.hint,
        details={"name": name, "near": found.near},
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


def _check_place(source: SourceElement, parent: str) -> Iterator[Problem]:
    """Yield a problem for all that an element says of its place in vain where it stands."""
    stacked = parent in ("column", "row")
    given = source.attributes.keys()
    for name in ("x", "y", "right", "bottom", "bleed"):
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
        and source.tag in ("icon", "image")
        and not ({"width", "height", "grow"} & given)
    ):
        yield Problem(
            "template/missing-size",
            f"an <{source.tag}> in a row needs a width or a height",
            source.where,
            'as in width="6mm"',
        )
    fit = source.attributes.get("fit")
    if (
        parent == "column"
        and source.tag in ("text", "flow")
        and fit in ("box", "deck")
        and not ({"height", "grow"} & given)
    ):
        yield Problem(
            "template/missing-size",
            f'fit="{fit}" needs a room of known height',
            source.place_of("fit"),
            'add grow="1" or height="…"',
        )
