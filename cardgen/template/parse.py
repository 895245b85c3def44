"""A template file, with those that it extends, made into a Template.

Definitions are resolved and expressions compiled; every problem of the files is collected and
raised at once. Knows nothing of cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardgen.core.colour import Across, Colour, Gradient, Outwards, parse_cmyk, parse_rgb
from cardgen.core.errors import CardgenError, Detail, Problem, Refusal, Where
from cardgen.core.geometry import Insets, Size
from cardgen.core.library import Library
from cardgen.core.units import parse_size
from cardgen.template.brief import write_template
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
from cardgen.template.definitions import drop_expressions, find_twice, list_defined
from cardgen.template.expressions import is_expression
from cardgen.template.hints import refuse_unknown
from cardgen.template.model import Format, IconStyle, Style
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
from cardgen.template.paints import read_course, read_stops, split_list
from cardgen.template.source import SourceElement, read_source
from cardgen.template.specs import make_style
from cardgen.template.template import Content, Template, list_elements
from cardgen.template.trims import check_trim, parse_trim
from cardgen.template.values import Palette, ValueParser, make_choice, parse_insets, parse_number
from cardgen.template.vocabulary import (
    DEFINITIONS,
    FACE_ELEMENTS,
    ICON_STYLE,
    PARTS,
    ROOT_ATTRIBUTES,
    SLOT,
    STYLE,
)

_COURSE = ("centre", "radius", "focus")
_COURSES = {"linear": "angle", "radial": "centre, radius and focus"}


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
    problems = _Problems()
    reader = _ChainReader(library, problems)
    chain = reader.read(path)
    root = chain[0][1]
    draft = reader.draft
    palette = _PaletteMaker(draft, problems, library).make()
    format_ = _make_format(draft, root, page, problems)
    made_for = format_.size
    if wanted is not None:
        format_ = format_._replace(size=wanted)
        _check_shape(draft, format_, problems)
    fields, names = _read_fields(draft, problems), _read_names(draft, problems)
    compiler = Compiler(palette, problems, _read_components(draft, problems))
    scope = list_names(names)
    compiler.check_components(scope)
    slots = {name: Filling(slot.children) for name, slot in draft.slots.items()}
    elements = compiler.compile(draft.face, Surroundings(slots, scope))
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
        root.where,
        tuple(file for file, _ in chain),
        _share_sizes(elements),
        any(differ_by_card(one.reads) for one in expressions),
        any("place" in one.names for one in expressions),
    )


class _Problems(list[Problem]):
    """The problems found in the files so far."""

    def add(
        self,
        code: str,
        message: str,
        where: Where,
        hint: str | None = None,
        details: Mapping[str, Detail] | None = None,
    ) -> None:
        self.append(Problem(code, message, where, hint, details=details or {}))

    def take(self, refusal: Refusal, where: Where) -> None:
        """Add a refusal, whose place is known here."""
        self.append(
            Problem(refusal.code, refusal.message, where, refusal.hint, details=refusal.details)
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


# The chain of files


@dataclass
class _Draft:
    """The sources of one chain of templates, the outermost last."""

    root: dict[str, tuple[str, Where]] = field(default_factory=dict)
    # For each name its definition, and whether it is the tint of that.
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


class _ChainReader:
    """Reads a template and those it extends into one draft."""

    def __init__(self, library: Library, problems: _Problems) -> None:
        self.draft = _Draft()
        self._library = library
        self._problems = problems

    def read(self, path: Path) -> list[tuple[Path, SourceElement]]:
        """Return the files, each before the one that it extends."""
        chain: list[tuple[Path, SourceElement]] = []
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
            chain.append((current, source))
            current = self._find_base(source, [seen for seen, _ in chain])
        for number, (_, source) in enumerate(reversed(chain)):
            self._read_file(source, innermost=number == 0)
        return chain

    def _find_base(self, source: SourceElement, chain: list[Path]) -> Path | None:
        name = source.attributes.get("extends")
        if name is None:
            return None
        return self._library.get_base("template", name, chain, source.place_of("extends"))

    def _read_file(self, source: SourceElement, *, innermost: bool) -> None:
        self._problems += check_attributes(source, ROOT_ATTRIBUTES)
        self._problems += check_text(source)
        self._problems += find_twice(source, DEFINITIONS)
        for name, value in source.attributes.items():
            self.draft.root[name] = (value, source.place_of(name))
        face = []
        if innermost and SLOT in source.attributes:
            self._problems.add(
                "template/unknown-slot",
                "a template that extends none stands in no slot",
                source.place_of(SLOT),
                'say extends="…" as well',
            )
        for child in source.children:
            if child.tag in DEFINITIONS:
                self._read_definition(child)
            elif child.tag == "slot" and not innermost:
                self._fill_slot(child)
            elif innermost and child.tag in (*FACE_ELEMENTS, "slot", "let", "use"):
                face.append(child)
            elif child.tag in (*FACE_ELEMENTS, "let", "use"):
                self._problems.add(
                    "template/outside-slot",
                    f"<{child.tag}> stands outside a slot",
                    child.where,
                    'a template that extends another puts its elements into <slot name="…">',
                )
            else:
                known = (*FACE_ELEMENTS, *DEFINITIONS, "let", "slot", "use")
                self._problems.append(refuse_element(child, known))
        if innermost:
            self.draft.face = tuple(face)
            for slot in list_slots(face):
                self._declare_slot(slot)

    def _read_name(self, source: SourceElement) -> str | None:
        known = {**DEFINITIONS, **PARTS}[source.tag]
        self._problems += check_attributes(source, known, ("name",))
        name = source.attributes.get("name")
        if name and is_expression(name):
            self._problems.add(
                "template/expression-in-name",
                f"the name of a <{source.tag}> holds no expression",
                source.place_of("name"),
                "write the name",
            )
        return name

    def _read_definition(self, source: SourceElement) -> None:
        name = self._read_name(source)
        if not name:
            return
        source = drop_expressions(source, self._problems)
        draft = self.draft
        # One of these of the same name in an extending template says only what differs.
        several = {"style": draft.styles, "icon-style": draft.icons, "map": draft.maps}
        single = {
            "field": draft.fields,
            "gradient": draft.gradients,
            "list": draft.lists,
            "component": draft.components,
        }
        for one in list_defined(source):
            if source.tag == "colour":
                draft.colours[one] = source, False
                if "tint" in source.attributes:
                    draft.colours[f"{one}-tint"] = source, True
            elif source.tag in several:
                several[source.tag].setdefault(one, []).append(source)
            else:
                single[source.tag][one] = source

    def _declare_slot(self, slot: SourceElement) -> None:
        name = self._read_name(slot)
        if name and name in self.draft.slots:
            self._problems.add(
                "template/slot-twice",
                f'slot "{name}" is declared twice',
                slot.where,
                "give one of them another name",
            )
        elif name:
            self.draft.slots[name] = slot

    def _fill_slot(self, slot: SourceElement) -> None:
        name = self._read_name(slot)
        self._problems += check_text(slot)
        if name and name not in self.draft.slots:
            message = f'the template has no slot "{name}"'
            unknown = refuse_unknown(
                "template/unknown-slot", message, name, self.draft.slots, "slot"
            )
            self._problems.take(unknown, slot.place_of("name"))
        elif name and self.draft.slots[name].where.file == slot.where.file:
            self._problems.add(
                "template/slot-twice",
                f'slot "{name}" is filled twice',
                slot.where,
                "put the elements of both into one",
            )
        elif name:
            self.draft.slots[name] = slot
            for inner in list_slots(slot.children):
                self._declare_slot(inner)


# Measures and definitions


def _make_format(draft: _Draft, root: SourceElement, page: Size, problems: _Problems) -> Format:
    size, whole = Size(0, 0), False
    text, where = draft.root.get("size", ("", root.where))
    if text == "page":
        size, whole = page, True
    elif not text:
        problems.add(
            "template/no-size",
            "the template has no size",
            root.where,
            'add size="poker" or size="page"',
        )
    else:
        try:
            size = parse_size(text)
        except Refusal as error:
            problems.take(error, where)
    bleed, safe = (_read_insets(draft, name, problems) for name in ("bleed", "safe"))
    format_ = Format(size, bleed, safe, whole)
    if "trim" in draft.root and all(size):
        text, where = draft.root["trim"]
        try:
            format_ = format_._replace(shape=parse_trim(text, size))
        except Refusal as error:
            problems.take(error, where)
        _check_shape(draft, format_, problems)
    return format_


def _check_shape(draft: _Draft, format_: Format, problems: _Problems) -> None:
    """Complain of a trim that cards of the size cannot have."""
    try:
        check_trim(format_.shape, format_.size)
    except Refusal as error:
        problems.take(error, draft.root["trim"][1])


def _read_insets(draft: _Draft, name: str, problems: _Problems) -> Insets:
    text, where = draft.root.get(name, ("0", Where("")))
    try:
        return parse_insets(text, Palette())
    except Refusal as error:
        problems.take(error, where)
        return Insets()


def _read_fields(draft: _Draft, problems: _Problems) -> dict[str, Any]:
    """Return the defaults of the fields that a deck need not have."""
    for name, source in draft.fields.items():
        problems += check_empty(source)
        try:
            check_field(name)
        except Refusal as error:
            problems.take(error, source.place_of("name"))
    return {
        name: parse_plain(source.attributes.get("default", ""))
        for name, source in draft.fields.items()
    }


def _read_names(draft: _Draft, problems: _Problems) -> dict[str, Any]:
    """Return the maps and lists by their names."""
    for name, source in [
        *((name, sources[-1]) for name, sources in draft.maps.items()),
        *draft.lists.items(),
    ]:
        try:
            check_name(name, f"a {source.tag}")
        except Refusal as error:
            problems.take(error, source.place_of("name"))
        if source.tag == "list" and name in draft.maps:
            problems.add(
                "template/name-twice",
                f'"{name}" is both a map and a list',
                source.place_of("name"),
                "give one of them another name",
                {"name": name},
            )
    found: dict[str, Any] = {
        name: _read_map(sources, problems) for name, sources in draft.maps.items()
    }
    for name, source in draft.lists.items():
        problems += check_empty(source)
        found[name] = parse_list(source.attributes.get("values", ""))
    return found


def _read_components(draft: _Draft, problems: _Problems) -> dict[str, Component]:
    for source in draft.components.values():
        problems += check_text(source)
        seen: set[str] = set()
        for param in source.children:
            if param.tag != "param":
                continue
            problems += check_attributes(param, PARTS["param"], ("name",))
            problems += check_empty(param)
            name = param.attributes.get("name")
            try:
                if name:
                    check_param(name, seen)
                    seen.add(name)
            except Refusal as error:
                problems.take(error, param.place_of("name"))
    return {name: read_component(source) for name, source in draft.components.items()}


def _read_map(sources: Sequence[SourceElement], problems: _Problems) -> Lookup:
    found = Lookup()
    for source in sources:
        if "default" in source.attributes:
            found.has_default = True
            found.default = parse_plain(source.attributes["default"])
        try:
            found.update(parse_map(source.attributes.get("values", "")))
        except Refusal as error:
            problems.take(error, source.place_of("values"))
        if source.text.strip():
            problems.add(
                "template/wrong-content",
                "<map> holds no text",
                source.where,
                'as in <entry key="one turn" value="turn"/>',
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


class _PaletteMaker:
    """Resolves the definitions of colours, gradients and styles.

    Of a style there may be several definitions, each adding to those before.
    """

    def __init__(self, draft: _Draft, problems: _Problems, library: Library) -> None:
        self._draft = draft
        self._problems = problems
        self._library = library
        self._palette = Palette()

    def make(self) -> Palette:
        palette = self._palette
        for name, (source, is_tint) in self._draft.colours.items():
            colour = self._read_colour(source, is_tint=is_tint)
            if colour is not None:
                palette.colours[name] = colour
        for name, source in self._draft.gradients.items():
            gradient = self._read_gradient(source)
            if gradient is not None:
                palette.gradients[name] = gradient
        for name in self._draft.styles:
            self._make_style(name, ())
        for name, sources in self._draft.icons.items():
            palette.icons[name] = self._make_icon(name, sources)
        return palette

    def _read_colour(self, source: SourceElement, *, is_tint: bool) -> Colour | None:
        given = [key for key in ("cmyk", "rgb") if key in source.attributes]
        if len(given) != 1:
            self._problems.add(
                "template/colour-space",
                "a colour is given as either cmyk or rgb",
                source.where,
                'as in cmyk="0 20 100 5"',
            )
            return None
        parse = parse_cmyk if given[0] == "cmyk" else parse_rgb
        key = "tint" if is_tint else given[0]
        try:
            return parse(source.attributes[key])
        except Refusal as error:
            self._problems.take(error, source.place_of(key))
            return None

    def _read_gradient(self, source: SourceElement) -> Gradient | None:
        where = source.where
        given = source.attributes
        try:
            where = source.place_of("kind")
            kind = make_choice("linear", "radial")(given.get("kind", "linear"), self._palette)
            vain = ("angle",) if kind == "radial" else ("centre", "radius", "focus")
            for name in vain:
                if name in given:
                    where = source.place_of(name)
                    raise Refusal(
                        "template/no-meaning",
                        f'"{name}" has no meaning in a {kind} gradient',
                        f"its course is said by {_COURSES[kind]}",
                        {"name": name},
                    )
            course: Across | Outwards
            if kind == "radial":
                where = source.place_of("radius" if "radius" in given else "centre")
                course = read_course(*(given.get(name, "") for name in _COURSE))
            else:
                where = source.place_of("angle")
                course = Across(parse_number(given.get("angle", "90"), self._palette))
            where = source.place_of("stops")
            stops = read_stops(split_list(given.get("stops", "")), self._palette.colours)
            return Gradient(course, stops)
        except Refusal as error:
            self._problems.take(error, where)
            return None

    def _make_style(self, name: str, seen: tuple[str, ...]) -> Style:
        styles = self._palette.styles
        if name in styles:
            return styles[name]
        definitions = self._draft.styles
        style = Style()
        given: dict[str, object] = {}
        said: dict[str, object] = {}
        where = definitions[name][-1].where
        for source in definitions[name]:
            base = source.attributes.get("extends")
            if base in (name, *seen):
                where = source.place_of("extends")
                self._problems.add(
                    "template/style-circle",
                    f"a style extends itself: {' > '.join((*seen, name, str(base)))}",
                    where,
                    "extend another style, or none",
                )
            elif base is not None and base not in definitions:
                message = f'unknown style "{base}"'
                unknown = refuse_unknown(
                    "template/unknown-style", message, base, definitions, "style"
                )
                self._problems.take(unknown, source.place_of("extends"))
            elif base is not None:
                style = self._make_style(base, (*seen, name))
                said = self._palette.said[base]
            given |= self._read_values(source)
        self._palette.said[name] = {**said, **given}
        styles[name] = make_style(style, given)._replace(name=name, where=where)
        return styles[name]

    def _make_icon(self, name: str, sources: Sequence[SourceElement]) -> IconStyle:
        given: dict[str, Any] = {}
        for source in sources:
            given |= self._read_values(source, ICON_STYLE)
        try:
            if not given.get("file"):
                self._library.get("icon", name, sources[0].place_of("name"))
        except CardgenError as error:
            self._problems += error.problems
        text: Style | None = given.get("text")
        return IconStyle(
            given.get("fill"),
            given.get("size", 1.0),
            given.get("raise", 0.0),
            text.name if text else "",
            given.get("file", ""),
            given.get("colours") == "keep",
        )

    def _read_values(
        self, source: SourceElement, parsers: Mapping[str, ValueParser] = STYLE
    ) -> Mapping[str, object]:
        given = {}
        for name, parse in parsers.items():
            if name in source.attributes:
                try:
                    given[name] = parse(source.attributes[name], self._palette)
                except Refusal as error:
                    self._problems.take(error, source.place_of(name))
        return given
