"""A template file, with those it extends, turned into a Template: definitions resolved, expressions
compiled.

Every problem of the files is collected and raised at once. Knows nothing of cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from cardgen.core.colour import Colour, Gradient, parse_cmyk, parse_rgb
from cardgen.core.errors import CardgenError, Problem, Refusal, Where, suggest
from cardgen.core.geometry import Insets, Size
from cardgen.core.library import Library
from cardgen.core.units import parse_size
from cardgen.template.compile import Element, compile_elements, refuse_element
from cardgen.template.expressions import is_expression
from cardgen.template.hints import suggest_attribute
from cardgen.template.model import Format, Style
from cardgen.template.source import SourceElement, read_source
from cardgen.template.values import Palette, Reader, read_colour, read_insets, read_number
from cardgen.template.vocabulary import FACE_ELEMENTS, STYLE, make_style


class PaletteResolver:
    """Resolves definitions; of a style there may be several, each adding to those before."""

    def __init__(
        self,
        colours: Mapping[str, SourceElement],
        gradients: Mapping[str, SourceElement],
        styles: Mapping[str, Sequence[SourceElement]],
        problems: list[Problem],
    ) -> None:
        self._colours = colours
        self._gradients = gradients
        self._styles = styles
        self._problems = problems

    def _report(self, message: str, where: Where, hint: str | None = None) -> None:
        self._problems.append(Problem("template/todo", message, where, hint))

    def resolve(self) -> Palette:
        colours = {
            name: colour
            for name, source in self._colours.items()
            if (colour := self._resolve_colour(source)) is not None
        }
        palette = Palette(colours)
        for name, source in self._gradients.items():
            gradient = self._resolve_gradient(source, palette)
            if gradient:
                palette.gradients[name] = gradient
        for name in self._styles:
            self._resolve_style(name, palette, ())
        return palette

    def _resolve_colour(self, source: SourceElement) -> Colour | None:
        given = [key for key in ("cmyk", "rgb") if key in source.attributes]
        if len(given) != 1:
            self._report(
                "a colour is given as either cmyk or rgb", source.where, 'as in cmyk="0 20 100 5"'
            )
            return None
        read = parse_cmyk if given[0] == "cmyk" else parse_rgb
        try:
            return read(source.attributes[given[0]])
        except Refusal as error:
            self._report(str(error), source.place_of(given[0]))
            return None

    def _resolve_gradient(self, source: SourceElement, palette: Palette) -> Gradient | None:
        """Stops as "pale, dark" or "pale 0, dark 60, black 100"; the angle in degrees."""
        where = source.place_of("angle")
        try:
            angle = read_number(source.attributes.get("angle", "90"), palette)
            where = source.place_of("stops")
            parts = [part.split() for part in source.attributes.get("stops", "").split(",")]
            if len(parts) < 2 or not all(1 <= len(part) <= 2 for part in parts):
                raise Refusal(
                    "template/todo",
                    "a gradient needs two stops or more",
                    'as in stops="pale 0, dark 100"',
                )
            step = 100 / (len(parts) - 1)
            stops = tuple(
                (
                    (read_number(part[1], palette) if len(part) == 2 else step * number) / 100,
                    read_colour(part[0], palette),
                )
                for number, part in enumerate(parts)
            )
            if len({colour.space for _, colour in stops}) > 1:
                raise Refusal(
                    "template/todo",
                    "a gradient mixes CMYK and RGB colours",
                    "give all stops in one space",
                )
            places = [at for at, _ in stops]
            if places != sorted(set(places)) or places[0] < 0 or places[-1] > 1:
                raise Refusal(
                    "template/todo",
                    "the stops of a gradient must rise from 0 to 100",
                    'as in "pale 0, dark 60"',
                )
        except Refusal as error:
            self._report(str(error), where, error.hint)
            return None
        return Gradient(angle, stops)

    def _resolve_style(self, name: str, palette: Palette, seen: tuple[str, ...]) -> Style:
        if name in palette.styles:
            return palette.styles[name]
        style = Style()
        given: dict[str, object] = {}
        where = self._styles[name][-1].where
        for source in self._styles[name]:
            base = source.attributes.get("extends")
            if base in (name, *seen):
                circle = " > ".join((*seen, name, str(base)))
                where = source.place_of("extends")
                hint = "extend another style, or none"
                self._report(f"a style extends itself: {circle}", where, hint)
            elif base is not None and base not in self._styles:
                hint = suggest(base, self._styles, kind="style")
                self._report(f'unknown style "{base}"', source.place_of("extends"), hint)
            elif base is not None:
                style = self._resolve_style(base, palette, (*seen, name))
            given |= self._read_values(source, STYLE, palette)
        palette.styles[name] = replace(make_style(style, given), name=name, where=where)
        return palette.styles[name]

    def _read_values(
        self, source: SourceElement, readers: Mapping[str, Reader], palette: Palette
    ) -> dict[str, object]:
        given = {}
        for name, reader in readers.items():
            if name in source.attributes:
                try:
                    given[name] = reader(source.attributes[name], palette)
                except Refusal as error:
                    self._report(str(error), source.place_of(name), error.hint)
                except Refusal as error:
                    self._report(str(error), source.place_of(name))
        return given


ROOT_ATTRIBUTES = ("size", "bleed", "safe", "extends")
DEFINITIONS: dict[str, tuple[str, ...]] = {
    "colour": ("name", "cmyk", "rgb"),
    "gradient": ("name", "stops", "angle"),
    "style": ("name", "extends", *STYLE),
    "slot": ("name",),
}


@dataclass(frozen=True, slots=True)
class Template:
    name: str
    format: Format
    made_for: Size  # which a deck may print in another size
    elements: tuple[Element, ...]
    palette: Palette
    where: Where
    files: tuple[Path, ...]  # it and those that it extends
    shares_sizes: bool  # whether a text's size depends on the other cards
    tells_copies: bool  # whether the copies of a card differ


@dataclass
class _Draft:
    """What the files of one chain of templates say, the outermost last."""

    root: dict[str, tuple[str, Where]] = field(default_factory=dict)
    colours: dict[str, SourceElement] = field(default_factory=dict)
    gradients: dict[str, SourceElement] = field(default_factory=dict)
    styles: dict[str, list[SourceElement]] = field(default_factory=dict)
    slots: dict[str, SourceElement] = field(default_factory=dict)
    face: tuple[SourceElement, ...] = ()


class _Parser:
    def __init__(self, library: Library, page: Size) -> None:
        self.library = library
        self.page = page
        self.problems: list[Problem] = []
        self.draft = _Draft()

    def report(self, message: str, where: Where, hint: str | None = None) -> None:
        self.problems.append(Problem("template/todo", message, where, hint))

    # Reading the chain of files

    def read_chain(self, path: Path) -> list[tuple[Path, SourceElement]]:
        """Read a template and those it extends, which come behind it."""
        chain: list[tuple[Path, SourceElement]] = []
        current: Path | None = path
        while current is not None:
            source = read_source(current)
            if source.tag != "template":
                raise CardgenError(
                    "template/todo",
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
        return self.library.find_base("template", name, chain, source.place_of("extends"))

    def _read_file(self, source: SourceElement, *, innermost: bool) -> None:
        self._check_attributes(source, ROOT_ATTRIBUTES)
        for name, value in source.attributes.items():
            self.draft.root[name] = (value, source.place_of(name))
        face = []
        for child in source.children:
            if child.tag in ("colour", "gradient", "style"):
                self._read_definition(child)
            elif child.tag == "slot" and not innermost:
                self._fill_slot(child)
            elif innermost and (child.tag in FACE_ELEMENTS or child.tag == "slot"):
                face.append(child)
            elif child.tag in FACE_ELEMENTS:
                self.report(
                    f"<{child.tag}> stands outside a slot",
                    child.where,
                    'a template that extends another puts its elements into <slot name="…">',
                )
            else:
                self.problems.append(refuse_element(child, (*FACE_ELEMENTS, *DEFINITIONS)))
        if innermost:
            self.draft.face = tuple(face)
            for slot in _find_slots(face):
                self._declare_slot(slot)

    def _check_attributes(self, source: SourceElement, known: tuple[str, ...]) -> None:
        for name in source.attributes:
            if name not in known:
                self.report(
                    f'unknown attribute "{name}" of <{source.tag}>',
                    source.place_of(name),
                    suggest_attribute(name, known),
                )

    def _read_name(self, source: SourceElement) -> str | None:
        self._check_attributes(source, DEFINITIONS[source.tag])
        name = source.attributes.get("name")
        if not name:
            self.report(f"<{source.tag}> has no name", source.where, 'add name="…"')
        elif is_expression(name):
            place = source.place_of("name")
            self.report(
                f"the name of a <{source.tag}> holds no expression", place, "write the name"
            )
        return name

    def _read_definition(self, source: SourceElement) -> None:
        name = self._read_name(source)
        if not name:
            return
        if source.tag == "style":
            # A style of the same name in an extending template says only what differs.
            self.draft.styles.setdefault(name, []).append(source)
        elif source.tag == "colour":
            self.draft.colours[name] = source
        else:
            self.draft.gradients[name] = source

    def _declare_slot(self, slot: SourceElement) -> None:
        name = self._read_name(slot)
        if name and name in self.draft.slots:
            hint = "give one of them another name"
            self.report(f'slot "{name}" is declared twice', slot.where, hint)
        elif name:
            self.draft.slots[name] = slot

    def _fill_slot(self, slot: SourceElement) -> None:
        name = self._read_name(slot)
        if name and name not in self.draft.slots:
            hint = suggest(name, self.draft.slots, kind="slot")
            self.report(f'the template has no slot "{name}"', slot.place_of("name"), hint)
        elif name and self.draft.slots[name].where.file == slot.where.file:
            hint = "put the elements of both into one"
            self.report(f'slot "{name}" is filled twice', slot.where, hint)
        elif name:
            self.draft.slots[name] = slot
            for inner in _find_slots(slot.children):
                self._declare_slot(inner)

    def resolve_format(self, root: SourceElement) -> Format:
        size, whole = Size(0, 0), False
        text, where = self.draft.root.get("size", ("", root.where))
        if text == "page":
            size, whole = self.page, True
        elif not text:
            self.report("the template has no size", root.where, 'add size="poker" or size="page"')
        else:
            try:
                size = parse_size(text)
            except Refusal as error:
                self.report(str(error), where)
        return Format(size, self._read_insets("bleed"), self._read_insets("safe"), whole)

    def _read_insets(self, name: str) -> Insets:
        text, where = self.draft.root.get(name, ("0", Where("")))
        try:
            return read_insets(text, Palette())
        except Refusal as error:
            self.report(str(error), where, error.hint)
        except Refusal as error:
            self.report(str(error), where)
        return Insets()


def _find_slots(
    elements: tuple[SourceElement, ...] | list[SourceElement],
) -> Iterator[SourceElement]:
    for element in elements:
        if element.tag == "slot":
            yield element
        yield from _find_slots(element.children)


def parse_template(
    path: Path, library: Library, page: Size, wanted: Size | None = None
) -> Template:
    """Read a template; `page` is the paper that size="page" stands for.

    `wanted` is the size of the faces where it is not the template's own.
    """
    parser = _Parser(library, page)
    chain = parser.read_chain(path)
    root = chain[0][1]
    draft = parser.draft
    resolver = PaletteResolver(draft.colours, draft.gradients, draft.styles, parser.problems)
    palette = resolver.resolve()
    format_ = parser.resolve_format(root)
    made_for = format_.size
    if wanted is not None:
        format_ = replace(format_, size=wanted)
    elements = compile_elements(parser.draft.face, parser.draft.slots, palette, parser.problems)
    if parser.problems:
        raise CardgenError.of(sorted(parser.problems, key=_get_place))
    return Template(
        path.stem,
        format_,
        made_for,
        elements,
        palette,
        root.where,
        tuple(file for file, _ in chain),
        _share_sizes(elements),
        any("place" in element.list_names() for element in elements),
    )


def _share_sizes(elements: tuple[Element, ...]) -> bool:
    return any(
        element.constants.get("fit") == "deck"
        or any(name == "fit" for name, _ in element.expressions)
        or _share_sizes(element.children)
        for element in elements
    )


def _get_place(problem: Problem) -> tuple[str, int, int]:
    where = problem.where or Where("")
    return where.file, where.line or 0, where.column or 0


# MERGED: The colours, gradients and styles that templates define, resolved to a Palette.
#
#   Problems go into a list that the parser raises at its end. Knows nothing of elements or slots.
#
