"""Components: elements that a template names once and uses in several places, with parameters.

Reads them from a template's source. Knows nothing of what their elements mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cardgen.core.errors import Problem, Where
from cardgen.template.source import SourceElement

# What fills the slot of this name may stand in a <use> without a <slot> around it.
CONTENT = "content"


class Component(NamedTuple):
    """A component.

    params: its parameters, each with its default; None where a use must give it
    """

    name: str
    params: dict[str, str | None]
    body: tuple[SourceElement, ...]
    where: Where

    def list_slots(self) -> frozenset[str]:
        """Return the names of its slots."""
        names = (slot.attributes.get("name", "") for slot in list_slots(self.body))
        return frozenset(filter(None, names))


def read_component(source: SourceElement) -> Component:
    params = (child for child in source.children if child.tag == "param")
    return Component(
        source.attributes.get("name", ""),
        {one.attributes.get("name", ""): one.attributes.get("default") for one in params},
        tuple(child for child in source.children if child.tag != "param"),
        source.where,
    )


def list_slots(elements: Sequence[SourceElement]) -> Iterator[SourceElement]:
    """Yield all slots; what a <use> fills is the slot of a component, and none of these."""
    for element in elements:
        if element.tag == "slot":
            yield element
        if element.tag == "use":
            for child in element.children:
                yield from list_slots(child.children if child.tag == "slot" else (child,))
        else:
            yield from list_slots(element.children)


def list_fillings(source: SourceElement) -> dict[str, tuple[SourceElement, ...]]:
    """Return what a <use> fills the slots of its component with, by their names."""
    filled = {
        child.attributes.get("name", ""): child.children
        for child in source.children
        if child.tag == "slot"
    }
    bare = tuple(child for child in source.children if child.tag != "slot")
    return {**filled, CONTENT: (*filled.get(CONTENT, ()), *bare)} if bare else filled


def find_filled_twice(source: SourceElement) -> Iterator[Problem]:
    """Yield the slots that a <use> fills twice, of which one would be passed over."""
    seen: set[str] = set()
    for slot in (child for child in source.children if child.tag == "slot"):
        name = slot.attributes.get("name", "")
        if name not in seen:
            seen.add(name)
        else:
            yield Problem(
                "template/slot-twice",
                f'slot "{name}" is filled twice',
                slot.where,
                "put the elements of both into one",
            )


def mark_use(source: SourceElement, used: Where) -> SourceElement:
    """Return an element of a component, all its places marked with that of the use."""

    def mark(where: Where) -> Where:
        return replace(where, used=used)

    return source._replace(
        children=tuple(mark_use(child, used) for child in source.children),
        where=mark(source.where),
        text_where=mark(source.text_where),
        attribute_places={name: mark(place) for name, place in source.attribute_places.items()},
    )
