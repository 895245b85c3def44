"""A template ready to be filled, and its filling with the values of one card.

Filled, it is a tree of nodes: conditions decided, loops unrolled, texts filled in. Knows nothing of
fonts, sizes on paper or PDF.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from jinja2.runtime import Context

from cardgen.core.budget import is_spent
from cardgen.core.errors import CardgenError, Problem, Refusal, Where, shorten
from cardgen.core.geometry import Size, make_tuple
from cardgen.template.expressions import TextExpression, ValueExpression
from cardgen.template.model import (
    CodeSpec,
    FaultSpec,
    FirstSpec,
    FlowSpec,
    Format,
    IconSpec,
    ImageSpec,
    Node,
    Place,
    Spec,
    TextSpec,
)
from cardgen.template.sandbox import extend_context, hide_addresses, make_context
from cardgen.template.values import Palette
from cardgen.template.vocabulary import ELEMENTS

MAX_LOOP = 10_000
# Of one element so many specs and nodes are kept for the next cards.
MOST_SPECS = 2_000
MOST_NODES = 500
MOST_CHOSEN = 5_000
# In so many ways an element may look in a deck, at most one for so many cards, to be kept.
MOST_WAYS = 500
_CARDS_A_WAY = 4
_MOST_FIELDS = 2  # of which one thing is made, that are named where it is wrong
# Values of these types are equal only where they are written alike.
_HASHED = frozenset((str, int, type(None)))


class Loop(NamedTuple):
    """A loop, as in for="x, y in card.list"."""

    names: tuple[str, ...]
    items: ValueExpression

    @property
    def where(self) -> Where:
        return self.items.where


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """An element ready to be filled.

    constants, expressions: its attributes, as texts and as expressions
    spec, node: what it comes to where nothing in it, or in it and its children, depends on the card
    choices: the names that choose among the few ways in which it looks, as a `Node` has them
    reads: all names that it reads, its condition and loop left out; `card` where it matters which
        card it is
    chosen_by: the card's fields that these are; none where one of them is no field
    specs: those made so far, by the values of its expressions
    nodes: those made so far of one that looks only a few ways, by spec, text and children
    """

    tag: str
    where: Where
    places: Mapping[str, Where]
    constants: Mapping[str, str]
    expressions: tuple[tuple[str, TextExpression], ...]
    condition: ValueExpression | None
    loop: Loop | None
    text: str | TextExpression
    children: tuple[Content, ...]
    spec: Spec | None = None
    node: Node | None = None
    choices: frozenset[str] | None = None
    reads: frozenset[str] = frozenset()
    chosen_by: tuple[str, ...] = ()
    specs: dict[tuple[str, ...], Spec] = field(default_factory=dict)
    nodes: dict[tuple[object, ...], Node] = field(default_factory=dict)

    def list_expressions(self) -> Iterator[TextExpression | ValueExpression]:
        """Yield all expressions in it and in those within it."""
        for _, expression in self.expressions:
            yield expression
        for source in (self.text, self.condition, self.loop and self.loop.items):
            if isinstance(source, TextExpression | ValueExpression):
                yield source
        for child in self.children:
            yield from child.list_expressions()


class Let(NamedTuple):
    """A name for a value, known to what follows in its parent."""

    name: str
    value: ValueExpression

    def list_expressions(self) -> Iterator[TextExpression | ValueExpression]:
        yield self.value


@dataclass(frozen=True, slots=True)
class Part:
    """Elements with names of their own: what fills a slot, or a use of a component.

    params: what each parameter is given, an expression or the value itself
    """

    content: tuple[Content, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    condition: ValueExpression | None = None
    loop: Loop | None = None

    def list_expressions(self) -> Iterator[TextExpression | ValueExpression]:
        for source in (*self.params.values(), self.condition, self.loop and self.loop.items):
            if isinstance(source, TextExpression | ValueExpression):
                yield source
        for inner in self.content:
            yield from inner.list_expressions()


Content = Element | Let | Part


def list_elements(content: Iterable[Content]) -> Iterator[Element]:
    """Yield all elements, those within others too."""
    for one in content:
        if isinstance(one, Element):
            yield one
            yield from list_elements(one.children)
        elif isinstance(one, Part):
            yield from list_elements(one.content)


@dataclass(frozen=True, slots=True)
class Template:
    """A template file with all that it extends."""

    name: str
    format: Format
    made_for: Size  # which a deck may print in another size
    elements: tuple[Content, ...]
    fields: Mapping[str, Any]  # those that a deck need not have, with their defaults
    names: Mapping[str, Any]  # its maps and lists
    palette: Palette
    where: Where
    files: tuple[Path, ...]  # it and those that it extends
    shares_sizes: bool  # whether a text's size depends on the other cards
    tells_cards: bool  # whether it reads anything of a card
    tells_copies: bool  # whether the copies of a card differ


# Filling

# Told what is wrong with an element of a draft, and whether a box stands for it.
Report = Callable[[CardgenError, bool], None]


class Chosen:
    """The nodes of elements that some fields choose, for the cards of one deck, as long as none of
    its files changes.

    values: how many each field has in the deck; one that the deck lacks has one
    most: in so many ways an element may look to be kept, if it is not made to look only a few
    nodes: by the id of the element and the fields' values
    known: what expressions come to, by their ids and the fields' values
    """

    def __init__(self, values: Mapping[str, int], most: int) -> None:
        self.nodes: dict[tuple[object, ...], Node] = {}
        self.known: dict[tuple[object, ...], object] = {}
        self._values = values
        self._most = most
        self._repeated: dict[int, bool] = {}  # by the ids of elements
        self._told: dict[int, tuple[str, ...]] = {}  # by the ids of expressions

    def __reduce__(self) -> tuple[object, ...]:
        """Another process begins anew, and knows the fields."""
        return Chosen, (self._values, self._most)

    def holds(self, element: Element) -> bool:
        """Whether an element's nodes are kept: it looks only a few ways, be it in this deck."""
        return bool(element.chosen_by) and (element.choices is not None or self._repeats(element))

    def _repeats(self, element: Element) -> bool:
        """Whether an element that may be any looks only a few ways in this deck."""
        known = self._repeated.get(id(element))
        if known is None:
            known = self._repeated[id(element)] = self._has_few(element.chosen_by)
        return known

    def _has_few(self, fields: Sequence[str]) -> bool:
        return prod(self._values.get(name, 1) for name in fields) <= self._most

    def evaluate(self, expression: ValueExpression, context: Context) -> Any:
        """Return what an expression comes to: what it did for a card with the same fields."""
        fields = self._told.get(id(expression))
        if fields is None:
            read = list_fields(expression.reads)
            fields = self._told[id(expression)] = read if self._has_few(read) else ()
        given = self.list_given(fields, context)
        if not given:
            return expression.evaluate(context)
        key = (id(expression), *given)
        if key in self.known:
            return self.known[key]
        value = expression.evaluate(context)
        if type(value) in _HASHED or isinstance(value, bool):
            if len(self.known) >= MOST_CHOSEN:
                self.known.clear()
            self.known[key] = value
        return value

    def list_given(self, fields: Sequence[str], context: Context) -> list[object]:
        """Return the values of a card's fields; nothing where one of them is not kept."""
        get = context.parent["card"].get
        given = [get(name, self) for name in fields]
        return given if _HASHED.issuperset(map(type, given)) else []

    def keep(self, key: tuple[object, ...], node: Node) -> None:
        if len(self.nodes) >= MOST_CHOSEN:
            self.nodes.clear()
        self.nodes[key] = node


def list_fields(names: Collection[str]) -> tuple[str, ...]:
    """Return the card's fields that some names are; nothing where one of them is no field."""
    fields = sorted(name.removeprefix("card.") for name in names if name.startswith("card."))
    return tuple(fields) if len(fields) == len(names) else ()


def begin_chosen(cards: Sequence[Mapping[str, Any]], own: Collection[str]) -> Chosen:
    """Return what will keep nodes for cards with such fields.

    own: what each card has besides, another than the others
    """
    most = min(MOST_WAYS, len(cards) // _CARDS_A_WAY)
    counts = dict.fromkeys(own, most + 1)
    for name in {name: None for fields in cards for name in fields}:
        values: set[object] = set()
        for number, fields in enumerate(cards):
            value = fields.get(name)
            # What is neither a text nor a number is looked at on each card.
            values.add(value if type(value) in _HASHED else (number,))
            if len(values) > most:
                break
        counts[name] = len(values)
    return Chosen(counts, most)


def fill_template(
    template: Template,
    values: Mapping[str, Any],
    report: Report | None = None,
    chosen: Chosen | None = None,
) -> tuple[Node, ...]:
    """Return the template's face for one card; `values` holds what its expressions may name.

    report: in a draft, takes what is wrong with an element
    chosen: keeps nodes for other cards of the deck
    """
    known = {**template.names, **values}
    if template.fields:
        known["card"] = known["card"].fill_gaps(template.fields)
    filling = _Filling(template.palette, report, chosen)
    return tuple(_fill(template.elements, make_context(known), filling))


class _Filling(NamedTuple):
    palette: Palette
    report: Report | None
    chosen: Chosen | None


def _fill(content: Sequence[Content], context: Context, filling: _Filling) -> list[Node]:
    nodes: list[Node] = []
    for element in content:
        try:
            if isinstance(element, Element):
                condition = element.condition
                if element.loop is not None:
                    for inner in _run_loop(element.loop, context):
                        if condition is None or condition.evaluate(inner):
                            nodes.append(_fill_one(element, inner, filling))
                elif condition is None or _evaluate(condition, context, filling):
                    nodes.append(element.node or _fill_one(element, context, filling))
            elif isinstance(element, Part):
                for inner in _enter(element, context, filling):
                    nodes += _fill(element.content, inner, filling)
            else:
                value = _evaluate(element.value, context, filling)
                context = extend_context(context, {element.name: value})
        except CardgenError as error:
            if filling.report is None or is_spent():
                raise
            filling.report(error, isinstance(element, Element))
            if isinstance(element, Let):
                context = extend_context(context, {element.name: None})
            elif isinstance(element, Element):
                nodes.append(_make_fault(element, error, filling.palette))
    return nodes


def _mend_spec(element: Element, context: Context, palette: Palette, report: Report) -> Spec:
    """Return the spec of an element of a draft; an attribute with which something is wrong is
    reported and left out.
    """
    texts: dict[str, str] = dict(element.constants)
    for name, expression in element.expressions:
        try:
            texts[name] = expression.evaluate(context)
        except CardgenError as error:
            if name in ELEMENTS[element.tag].required or is_spent():
                raise
            report(error, False)
    _, problems = parse_attributes(element, texts, palette)
    wrong = {problem.where for problem in problems}
    left = {name: text for name, text in texts.items() if element.places.get(name) not in wrong}
    if any(name not in left for name in ELEMENTS[element.tag].required if name in texts):
        raise CardgenError.of(problems)
    if problems:
        report(CardgenError.of(problems), False)
    expressions = tuple((name, one) for name, one in element.expressions if name in left)
    constants = {name: left[name] for name in element.constants if name in left}
    bare = replace(element, constants=constants, expressions=expressions, specs={})
    return make_spec(bare, tuple(left[name] for name, _ in expressions), palette)


def _make_fault(element: Element, error: CardgenError, palette: Palette) -> Node:
    """Return what stands for an element that cannot be filled, at its place."""
    box = ELEMENTS["box"]
    said = {name: text for name, text in element.constants.items() if name in box.attributes}
    given, _ = parse_attributes(replace(element, tag="box"), said, palette)
    try:
        place = box.make(given).place
    except Refusal:  # which is told of when the rest is right
        place = Place()
    spec = FaultSpec(place, error.problems[0].message)
    return Node(spec, (), "", element.where, None)


def _enter(part: Part, context: Context, filling: _Filling) -> Iterator[Context]:
    """Yield the contexts of a part: none if it is left out, and one for each item of its loop."""
    for inner in _run_loop(part.loop, context) if part.loop else (context,):
        if part.condition is None or _evaluate(part.condition, inner, filling):
            given = {name: _evaluate(value, inner, filling) for name, value in part.params.items()}
            yield extend_context(inner, given) if given else inner


def _evaluate(value: Any, context: Context, filling: _Filling) -> Any:
    """Return the value of an expression, to be read more than once; else the value itself."""
    if isinstance(value, TextExpression):
        return value.evaluate(context)
    if not isinstance(value, ValueExpression):
        return value
    if filling.chosen is not None and not value.is_path:
        found = filling.chosen.evaluate(value, context)
    else:
        found = value.evaluate(context)
    return _list_items(found, value) if isinstance(found, Iterator) else found


def _fill_one(element: Element, context: Context, filling: _Filling) -> Node:
    """Return an element's node: that of another card where the same fields chose it."""
    if element.node is not None:
        return element.node
    chosen = filling.chosen
    if chosen is None or not chosen.holds(element):
        return _make_node(element, context, filling)
    given = chosen.list_given(element.chosen_by, context)
    if not given:
        return _make_node(element, context, filling)
    key = (id(element), *given)
    node = chosen.nodes.get(key)
    if node is None:
        node = _make_node(element, context, filling)
        if node.choices is None:
            node = node._replace(repeats=True)
        chosen.keep(key, node)
    return node


def _make_node(element: Element, context: Context, filling: _Filling) -> Node:
    spec = element.spec
    if spec is None:
        try:
            values = tuple(expression.evaluate(context) for _, expression in element.expressions)
            spec = make_spec(element, values, filling.palette)
        except CardgenError:
            if filling.report is None:
                raise
            spec = _mend_spec(element, context, filling.palette, filling.report)
    text = element.text
    if isinstance(text, TextExpression):
        text = text.evaluate(context)
    children = tuple(_fill(element.children, context, filling)) if element.children else ()
    if element.choices is None:
        return make_tuple(Node, (spec, children, text, element.where, None, False))
    # Ids name parts of the node that is kept, which live as long as it does.
    key = (id(spec), text, *map(id, children))
    node = element.nodes.get(key)
    if node is None:
        if len(element.nodes) >= MOST_NODES:
            element.nodes.clear()
        node = element.nodes[key] = Node(spec, children, text, element.where, element.choices)
    return node


def _run_loop(loop: Loop, context: Context) -> Iterable[Context]:
    items = loop.items.evaluate(context)
    where = loop.where
    if items is None:
        return
    if isinstance(items, str) or not isinstance(items, Iterable):
        raise CardgenError(
            "template/loop-needs-list",
            f'for="{", ".join(loop.names)} in {loop.items.source}" needs a list',
            where,
        )
    for item in _list_items(items, loop.items):
        if len(loop.names) == 1:
            yield extend_context(context, {loop.names[0]: item})
            continue
        if isinstance(item, str) or not isinstance(item, Sequence) or len(item) != len(loop.names):
            raise CardgenError(
                "template/loop-needs-list",
                f"a loop over {', '.join(loop.names)} needs lists of as many",
                where,
            )
        yield extend_context(context, dict(zip(loop.names, item, strict=True)))


def _list_items(items: Iterable[Any], expression: ValueExpression) -> list[Any]:
    """Return the items of a list, or what a filter makes of them as they are asked for."""
    try:
        listed = list(islice(items, MAX_LOOP + 1))
    except Exception as error:
        reason = hide_addresses(str(error))
        raise CardgenError(
            "template/expression-fails",
            f'the expression "{shorten(expression.source, 60)}" fails: {reason}',
            expression.where,
        ) from error
    if len(listed) > MAX_LOOP:
        raise CardgenError(
            "template/loop-too-long",
            f"a list has more than {MAX_LOOP:,} items",
            expression.where,
            details={"most": MAX_LOOP},
        )
    return listed


def make_spec(element: Element, values: tuple[str, ...], palette: Palette) -> Spec:
    """Return the spec of an element, given its expressions' values; it is made once for them."""
    spec = element.specs.get(values)
    if spec is not None:
        return spec
    kind = ELEMENTS[element.tag]
    texts = dict(element.constants)
    texts.update(zip((name for name, _ in element.expressions), values, strict=True))
    given, problems = parse_attributes(element, texts, palette)
    if problems:
        raise CardgenError.of(problems)
    if missing := [name for name in kind.required if name not in given]:
        raise CardgenError(
            "template/missing-attribute",
            f"<{element.tag}> has no {missing[0]}",
            element.where,
            f'add {missing[0]}="…"',
            details={"name": missing[0]},
        )
    try:
        spec = kind.make(given)
    except Refusal as error:
        raise CardgenError.of([error.at(element.where)]) from error
    if isinstance(spec, TextSpec | FlowSpec) and isinstance(element.text, TextExpression):
        spec = spec._replace(fields=element.text.fields)
    if isinstance(spec, CodeSpec | IconSpec | ImageSpec):
        read = (e.fields for name, e in element.expressions if name in kind.required)
        spec = spec._replace(fields=tuple(field for fields in read for field in fields))
    if isinstance(spec, FirstSpec | TextSpec):
        spec = spec._replace(key=element.where.trace())
    if len(element.specs) >= MOST_SPECS:
        element.specs.clear()
    element.specs[values] = spec
    return spec


def parse_attributes(
    element: Element, texts: Mapping[str, str], palette: Palette
) -> tuple[dict[str, Any], list[Problem]]:
    """Return the values of attributes, and what is wrong with them."""
    parsers = ELEMENTS[element.tag].attributes
    given: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, text in texts.items():
        try:
            given[name] = parsers[name](text, palette)
        except Refusal as error:
            where = element.places.get(name, element.where)
            fields = _find_fields(element, name)
            message = f"its {' or '.join(fields)}: {error.message}" if fields else None
            field = fields[0] if len(fields) == 1 else None
            problems.append(error.at(where, message=message, field=field, alike=True))
    return given, problems


def _find_fields(element: Element, attribute: str) -> list[str]:
    """Return the fields of the card that an attribute is made of: one, or two for one thing."""
    found = next((e.fields for name, e in element.expressions if name == attribute), ())
    fields = sorted(set(found))
    return fields if len(fields) <= _MOST_FIELDS else []
