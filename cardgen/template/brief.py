"""What a template says briefly, written out at length: an element that stands in a slot of its own
or in the middle of its room, a text with a ground, several names in one element.

Knows nothing of files, and of cards.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from cardgen.template.source import SourceElement
from cardgen.template.vocabulary import ELEMENTS, FACE_ELEMENTS, PLACE, SLOT, TEXT_GROUND

_T = TypeVar("_T")
_NOTHING: Mapping[str, str] = {}

# What gives a name and a value: in two attributes, or as an attribute for each of several.
_PAIRS = {"let": ("name", "value"), "field": ("name", "default"), "param": ("name", "default")}
# What an outer element takes over from the one that stands in it.
_CONTROL = ("if", "for")
_DOWN = ("y", "bottom", "height", "min-height", "max-height", "grow")
_ACROSS = ("x", "right", "width", "min-width", "max-width", "grow")
_CENTRE = "centre"
_OF_A_FACE = frozenset((*FACE_ELEMENTS, "slot", "let", "use"))


def write_template(source: SourceElement) -> SourceElement:
    """Return a template that says all at length; one may stand in a slot as a whole."""
    source = _write_out(source)
    if SLOT not in source.attributes or "extends" not in source.attributes:
        return source
    face = [child for child in source.children if child.tag in _OF_A_FACE]
    rest = [child for child in source.children if child.tag not in _OF_A_FACE]
    whole = _make_slot(source.attributes[SLOT], source, face)
    return source._replace(children=(*rest, whole))


def _write_out(source: SourceElement) -> SourceElement:
    """Return an element that holds all it says briefly at length."""
    children: list[SourceElement] = []
    for child in map(_write_out, source.children):
        if child.tag in _PAIRS:
            children += _part(child, *_PAIRS[child.tag])
        elif child.tag in ELEMENTS or child.tag == "use":
            children.append(_place_in_slot(_centre(_lay_ground(child))))
        else:
            children.append(child)
    return source._replace(children=tuple(children))


def _lay_ground(source: SourceElement) -> SourceElement:
    """Return a text that has a ground or a padding as a box that holds the text."""
    if source.tag != "text" or not source.attributes.keys() & TEXT_GROUND.keys():
        return source
    outer = [*TEXT_GROUND, *PLACE, *_CONTROL, SLOT]
    if "fit" in source.attributes:
        outer.remove("max-height")  # that of the text, whose size follows from it
    return _wrap("box", source, outer)


def _centre(source: SourceElement) -> SourceElement:
    """Return an element that stands in the middle of its room as a row or column that holds it."""
    ways = [name for name in ("x", "y") if source.attributes.get(name) == _CENTRE]
    if not ways:
        return source
    for name in ways:
        _, source = _take_attribute(source, name)
    if len(ways) == 2:
        said = {"justify": _CENTRE, "align": _CENTRE}
        return _wrap("row", source, ("grow", *_CONTROL, SLOT), said)
    tag, outer = ("row", _DOWN) if ways == ["x"] else ("column", _ACROSS)
    return _wrap(tag, source, (*outer, *_CONTROL, SLOT), {"justify": _CENTRE})


def _place_in_slot(source: SourceElement) -> SourceElement:
    if SLOT not in source.attributes:
        return source
    name, inner = _take_attribute(source, SLOT)
    return _make_slot(name, source, (inner,))


def _wrap(
    tag: str, source: SourceElement, outer: Collection[str], said: Mapping[str, str] = _NOTHING
) -> SourceElement:
    """Return an element around another one, some of whose attributes it takes over."""

    def pick(taken: Mapping[str, _T], *, inside: bool) -> dict[str, _T]:
        return {name: one for name, one in taken.items() if (name not in outer) == inside}

    inner = source._replace(
        attributes=pick(source.attributes, inside=True),
        attribute_places=pick(source.attribute_places, inside=True),
    )
    return source._replace(
        tag=tag,
        attributes={**pick(source.attributes, inside=False), **said},
        text="",
        children=(inner,),
        attribute_places=pick(source.attribute_places, inside=False),
    )


def _make_slot(
    name: str, source: SourceElement, children: Sequence[SourceElement]
) -> SourceElement:
    """Return a slot that an element names in its attribute."""
    places = {"name": source.place_of(SLOT)}
    return SourceElement(
        "slot", {"name": name}, "", tuple(children), source.where, source.where, places
    )


def _take_attribute(source: SourceElement, name: str) -> tuple[str, SourceElement]:
    """Return the value of an attribute, and the element without it."""
    rest = {key: value for key, value in source.attributes.items() if key != name}
    places = {key: place for key, place in source.attribute_places.items() if key != name}
    return source.attributes[name], source._replace(attributes=rest, attribute_places=places)


def _part(source: SourceElement, name: str, value: str) -> list[SourceElement]:
    """Return an element for each of the names; one that says `name` or `value` itself is whole."""
    given = source.attributes
    if name in given or value in given or not given:
        return [source]
    return [
        source._replace(
            attributes={name: key, value: text},
            where=source.place_of(key),
            attribute_places={name: source.place_of(key), value: source.place_of(key)},
        )
        for key, text in given.items()
    ]
