"""A template file with those that it extends, read into what they write together.

An extending template adds to what the one that it extends defines, or replaces it, and fills its
slots. Knows nothing of what definitions and elements mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cardgen.core.errors import CardgenError, Problem, Where, list_some
from cardgen.core.library import Library
from cardgen.template.brief import write_template
from cardgen.template.compile import check_attributes, check_text, refuse_element
from cardgen.template.components import list_slots
from cardgen.template.definitions import drop_expressions, find_twice, list_defined
from cardgen.template.expressions import is_expression
from cardgen.template.hints import refuse_unknown
from cardgen.template.source import SourceElement, read_source
from cardgen.template.vocabulary import (
    DEFINITIONS,
    FACE_ELEMENTS,
    PARTS,
    ROOT_ATTRIBUTES,
    SLOT,
)

_MOST_NAMED = 5


@dataclass
class Written:
    """What the files of one chain of templates write.

    where: the beginning of the first
    files: each before the one that it extends
    root: the attributes of their <template>, each with its place
    colours: for each name its definition, and whether it is the tint of that
    """

    where: Where
    files: tuple[Path, ...]
    root: dict[str, tuple[str, Where]] = field(default_factory=dict)
    colours: dict[str, tuple[SourceElement, bool]] = field(default_factory=dict)
    gradients: dict[str, SourceElement] = field(default_factory=dict)
    styles: dict[str, list[SourceElement]] = field(default_factory=dict)
    fields: dict[str, SourceElement] = field(default_factory=dict)
    maps: dict[str, list[SourceElement]] = field(default_factory=dict)
    lists: dict[str, SourceElement] = field(default_factory=dict)
    icons: dict[str, list[SourceElement]] = field(default_factory=dict)
    components: dict[str, SourceElement] = field(default_factory=dict)
    slots: dict[str, SourceElement] = field(default_factory=dict)
    face: tuple[SourceElement, ...] = ()


def read_chain(path: Path, library: Library, problems: list[Problem]) -> Written:
    """Return what a template and those that it extends write; what is wrong is added."""
    files: list[Path] = []
    sources: list[SourceElement] = []
    current: Path | None = path
    while current is not None:
        source = write_template(read_source(current))
        if source.tag != "template":
            raise CardgenError(
                "template/wrong-root",
                f"the file begins with <{source.tag}>",
                source.where,
                "begin with <template>",
            )
        files.append(current)
        sources.append(source)
        current = _find_base(source, library, files)
    written = Written(sources[0].where, tuple(files))
    collector = _Collector(written, problems)
    for number, source in enumerate(reversed(sources)):
        collector.take_file(source, innermost=number == 0)
    return written


def _find_base(source: SourceElement, library: Library, seen: Sequence[Path]) -> Path | None:
    name = source.attributes.get("extends")
    if name is None:
        return None
    return library.get_base("template", name, seen, source.place_of("extends"))


class _Collector:
    """Takes the files of a chain, the innermost first, and collects what they write."""

    def __init__(self, written: Written, problems: list[Problem]) -> None:
        self._written = written
        self._problems = problems

    def take_file(self, source: SourceElement, *, innermost: bool) -> None:
        self._problems += check_attributes(source, ROOT_ATTRIBUTES)
        self._problems += check_text(source)
        self._problems += find_twice(source, DEFINITIONS)
        for name, value in source.attributes.items():
            self._written.root[name] = (value, source.place_of(name))
        if innermost and SLOT in source.attributes:
            self._add(
                "template/unknown-slot",
                "a template that extends none stands in no slot",
                source.place_of(SLOT),
                'say extends="…" as well',
            )
        on_face = (*FACE_ELEMENTS, "let", "use")
        face, outside = [], []
        for child in source.children:
            if child.tag in DEFINITIONS:
                self._take_definition(child)
            elif innermost and child.tag in (*on_face, "slot"):
                face.append(child)
            elif child.tag == "slot":
                self._fill_slot(child)
            elif child.tag in on_face:
                outside.append(child)
            else:
                known = (*FACE_ELEMENTS, *DEFINITIONS, "let", "slot", "use")
                self._problems.append(refuse_element(child, known))
        if outside:
            self._refuse_outside(outside)
        if innermost:
            self._written.face = tuple(face)
            for slot in list_slots(face):
                self._declare_slot(slot)

    def _refuse_outside(self, outside: Sequence[SourceElement]) -> None:
        """Add that elements stand outside all slots, for one cause: once, at the first of them."""
        first, lines = outside[0], dict.fromkeys(str(one.where.line) for one in outside)
        named = f"<{first.tag}> stands outside a slot"
        if len(outside) > 1:
            there = list_some(list(lines), _MOST_NAMED)
            named = f"{len(outside)} elements stand outside a slot, in lines {there}"
        slots = list_some(sorted(self._written.slots), _MOST_NAMED)
        hint = 'a template that extends another puts its elements into <slot name="…">'
        self._add(
            "template/outside-slot", named, first.where, f"{hint}: {slots}" if slots else hint
        )

    def _add(self, code: str, message: str, where: Where, hint: str) -> None:
        self._problems.append(Problem(code, message, where, hint))

    def _take_name(self, source: SourceElement) -> str | None:
        known = {**DEFINITIONS, **PARTS}[source.tag]
        self._problems += check_attributes(source, known, ("name",))
        name = source.attributes.get("name")
        if name and is_expression(name):
            self._add(
                "template/expression-in-name",
                f"the name of a <{source.tag}> holds no expression",
                source.place_of("name"),
                "write the name",
            )
        return name

    def _take_definition(self, source: SourceElement) -> None:
        if not self._take_name(source):
            return
        source = drop_expressions(source, self._problems)
        written = self._written
        # One of these of the same name in an extending template says only what differs.
        several = {"style": written.styles, "icon-style": written.icons, "map": written.maps}
        single = {
            "field": written.fields,
            "gradient": written.gradients,
            "list": written.lists,
            "component": written.components,
        }
        for name in list_defined(source):
            if source.tag == "colour":
                written.colours[name] = source, False
                if "tint" in source.attributes:
                    written.colours[f"{name}-tint"] = source, True
            elif source.tag in several:
                several[source.tag].setdefault(name, []).append(source)
            else:
                single[source.tag][name] = source

    def _declare_slot(self, slot: SourceElement) -> None:
        name = self._take_name(slot)
        if name and name in self._written.slots:
            self._add(
                "template/slot-twice",
                f'slot "{name}" is declared twice',
                slot.where,
                "give one of them another name",
            )
        elif name:
            self._written.slots[name] = slot

    def _fill_slot(self, slot: SourceElement) -> None:
        name, slots = self._take_name(slot), self._written.slots
        self._problems += check_text(slot)
        if name and name not in slots:
            message = f'the template has no slot "{name}"'
            unknown = refuse_unknown("template/unknown-slot", message, name, slots, "slot")
            self._problems.append(unknown.at(slot.place_of("name")))
        elif name and slots[name].where.file == slot.where.file:
            self._add(
                "template/slot-twice",
                f'slot "{name}" is filled twice',
                slot.where,
                "put the elements of both into one",
            )
        elif name:
            slots[name] = slot
            for inner in list_slots(slot.children):
                self._declare_slot(inner)
