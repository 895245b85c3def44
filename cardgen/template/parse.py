"""A template file, with those that it extends, made into a Template.

Definitions are resolved and expressions compiled; every problem of the files is collected and
raised at once. Knows nothing of cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from cardgen.core.errors import CardgenError, Problem, Where, collecting
from cardgen.core.geometry import Insets, Size
from cardgen.core.library import Library
from cardgen.core.units import parse_size
from cardgen.template.chain import Written, read_chain
from cardgen.template.compile import (
    Compiler,
    Filling,
    Surroundings,
    check_attributes,
    check_empty,
    check_text,
    refuse_element,
)
from cardgen.template.components import Component, list_slots, read_component
from cardgen.template.model import Format
from cardgen.template.names import (
    Lookup,
    check_field,
    check_name,
    check_param,
    differ_by_card,
    list_names,
    parse_list,
    parse_map,
    parse_plain,
)
from cardgen.template.palette import make_palette
from cardgen.template.source import SourceElement
from cardgen.template.template import Content, Template, list_elements
from cardgen.template.trims import check_trim, parse_trim
from cardgen.template.values import Palette, parse_insets
from cardgen.template.vocabulary import PARTS


def read_template(
    path: Path,
    library: Library,
    page: Size,
    wanted: Size | None = None,
    *,
    found: list[Problem] | None = None,
) -> Template:
    """Read a template; `page` is the paper that size="page" stands for.

    wanted: the size of the faces where it is not the template's own
    found: for a draft, takes the problems of a template that can be filled in spite of them
    """
    problems: list[Problem] = []
    written = read_chain(path, library, problems)
    palette = make_palette(written, library, problems)
    format_ = _make_format(written, page, problems)
    made_for = format_.size
    if wanted is not None:
        format_ = format_._replace(size=wanted)
        _check_shape(written, format_, problems)
    fields, names = _read_fields(written, problems), _read_names(written, problems)
    compiler = Compiler(palette, problems, _read_components(written, problems))
    scope = list_names(names)
    compiler.check_components(scope)
    slots = {name: Filling(slot.children) for name, slot in written.slots.items()}
    elements = compiler.compile(written.face, Surroundings(slots, scope))
    if problems:
        found_here = sorted(_drop_repeated(problems), key=_get_place)
        if found is None or not all(format_.size):
            raise CardgenError.of(found_here)
        found += found_here
    expressions = [one for element in elements for one in element.list_expressions()]
    return Template(
        path.stem,
        format_,
        made_for,
        elements,
        fields,
        names,
        palette,
        written.where,
        written.files,
        _share_sizes(elements),
        any(differ_by_card(one.reads) for one in expressions),
        any("place" in one.names for one in expressions),
    )


def _get_place(problem: Problem) -> tuple[str, int, int]:
    where = problem.where or Where("")
    return where.file, where.line or 0, where.column or 0


def _drop_repeated(problems: Iterable[Problem]) -> Iterable[Problem]:
    """Return each problem once: what is wrong with a component is wrong wherever it is used."""
    first: dict[tuple[object, ...], Problem] = {}
    for problem in problems:
        first.setdefault((problem.code, problem.message, str(problem.where)), problem)
    return first.values()


def _share_sizes(content: Sequence[Content]) -> bool:
    """Return whether a text takes the size that fits the texts of all cards."""
    return any(
        element.constants.get("fit") == "deck"
        or any(name == "fit" for name, _ in element.expressions)
        for element in list_elements(content)
    )


# Measures and definitions


def _make_format(written: Written, page: Size, problems: list[Problem]) -> Format:
    size, whole = Size(0, 0), False
    text, where = written.root.get("size", ("", written.where))
    if text == "page":
        size, whole = page, True
    elif not text:
        hint = 'add size="poker" or size="page"'
        problems.append(
            Problem("template/no-size", "the template has no size", written.where, hint)
        )
    else:
        with collecting(problems, where):
            size = parse_size(text)
    bleed, safe = (_read_insets(written, name, problems) for name in ("bleed", "safe"))
    format_ = Format(size, bleed, safe, whole)
    if "trim" in written.root and all(size):
        text, where = written.root["trim"]
        with collecting(problems, where):
            format_ = format_._replace(shape=parse_trim(text, size))
        _check_shape(written, format_, problems)
    return format_


def _check_shape(written: Written, format_: Format, problems: list[Problem]) -> None:
    """Complain of a trim that cards of the size cannot have."""
    if "trim" in written.root:
        with collecting(problems, written.root["trim"][1]):
            check_trim(format_.shape, format_.size)


def _read_insets(written: Written, name: str, problems: list[Problem]) -> Insets:
    text, where = written.root.get(name, ("0", Where("")))
    with collecting(problems, where):
        return parse_insets(text, Palette())
    return Insets()


def _read_fields(written: Written, problems: list[Problem]) -> dict[str, Any]:
    """Return the defaults of the fields that a deck need not have."""
    for name, source in written.fields.items():
        problems += check_empty(source)
        with collecting(problems, source.place_of("name")):
            check_field(name)
    return {
        name: parse_plain(source.attributes.get("default", ""))
        for name, source in written.fields.items()
    }


def _read_names(written: Written, problems: list[Problem]) -> dict[str, Any]:
    """Return the maps and lists by their names."""
    for name, source in [
        *((name, sources[-1]) for name, sources in written.maps.items()),
        *written.lists.items(),
    ]:
        with collecting(problems, source.place_of("name")):
            check_name(name, f"a {source.tag}")
        if source.tag == "list" and name in written.maps:
            problems.append(
                Problem(
                    "template/name-twice",
                    f'"{name}" is both a map and a list',
                    source.place_of("name"),
                    "give one of them another name",
                    details={"name": name},
                )
            )
    found: dict[str, Any] = {
        name: _read_map(sources, problems) for name, sources in written.maps.items()
    }
    for name, source in written.lists.items():
        problems += check_empty(source)
        found[name] = parse_list(source.attributes.get("values", ""))
    return found


def _read_components(written: Written, problems: list[Problem]) -> dict[str, Component]:
    for source in written.components.values():
        problems += check_text(source)
        seen: set[str] = set()
        for param in source.children:
            if param.tag != "param":
                continue
            problems += check_attributes(param, PARTS["param"], ("name",))
            problems += check_empty(param)
            name = param.attributes.get("name")
            if name:
                with collecting(problems, param.place_of("name")):
                    check_param(name, seen)
                    seen.add(name)
    components = {name: read_component(source) for name, source in written.components.items()}
    for component in components.values():
        for slot in list_slots(component.body):
            problems += check_attributes(slot, PARTS["slot"], ("name",))
    return components


def _read_map(sources: Sequence[SourceElement], problems: list[Problem]) -> Lookup:
    found = Lookup()
    for source in sources:
        if "default" in source.attributes:
            found.has_default = True
            found.default = parse_plain(source.attributes["default"])
        with collecting(problems, source.place_of("values")):
            found.update(parse_map(source.attributes.get("values", "")))
        if source.text.strip():
            hint = 'as in <entry key="one turn" value="turn"/>'
            problems.append(
                Problem("template/wrong-content", "<map> holds no text", source.where, hint)
            )
        for entry in source.children:
            if entry.tag != "entry":
                problems.append(refuse_element(entry, ("entry",)))
                continue
            problems += check_attributes(entry, PARTS["entry"], ("key",))
            problems += check_empty(entry)
            key = parse_plain(entry.attributes.get("key", ""))
            found[key] = parse_plain(entry.attributes.get("value", ""))
    return found
