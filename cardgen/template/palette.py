"""The colours, gradients, styles and icons that a template defines, made into its Palette.

Knows nothing of the elements that use them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from cardgen.core.colour import Across, Colour, Gradient, Outwards, parse_cmyk, parse_rgb
from cardgen.core.errors import CardgenError, Problem, Refusal, collecting
from cardgen.core.library import Library
from cardgen.template.chain import Written
from cardgen.template.hints import refuse_unknown
from cardgen.template.model import IconStyle, Style
from cardgen.template.paints import read_course, read_stops, split_list
from cardgen.template.source import SourceElement
from cardgen.template.specs import make_style
from cardgen.template.values import Palette, ValueParser, make_choice, parse_number
from cardgen.template.vocabulary import ICON_STYLE, STYLE

_OUTWARDS = ("centre", "radius", "focus")
_COURSES = {"linear": "angle", "radial": "centre, radius and focus"}
_read_kind = make_choice(*_COURSES)


def make_palette(written: Written, library: Library, problems: list[Problem]) -> Palette:
    """Return the palette of a template; what is wrong with a definition is added."""
    palette = Palette()
    for name, (source, is_tint) in written.colours.items():
        with collecting(problems):
            palette.colours[name] = _read_colour(source, is_tint=is_tint)
    for name, source in written.gradients.items():
        with collecting(problems):
            palette.gradients[name] = _read_gradient(source, palette)
    styles = _Styles(written.styles, palette, problems)
    for name in written.styles:
        styles.make(name)
    for name, sources in written.icons.items():
        given: dict[str, Any] = {}
        for source in sources:
            given |= _read_values(source, ICON_STYLE, palette, problems)
        with collecting(problems):
            if not given.get("file"):
                library.get("icon", name, sources[0].place_of("name"))
        palette.icons[name] = _make_icon_style(given)
    return palette


@contextmanager
def _blaming(source: SourceElement, attribute: str) -> Iterator[None]:
    """Give a refusal the place of an attribute."""
    try:
        yield
    except Refusal as error:
        raise CardgenError.of([error.at(source.place_of(attribute))]) from error


def _read_colour(source: SourceElement, *, is_tint: bool) -> Colour:
    given = [key for key in ("cmyk", "rgb") if key in source.attributes]
    if len(given) != 1:
        raise CardgenError(
            "template/colour-space",
            "a colour is given as either cmyk or rgb",
            source.where,
            'as in cmyk="0 20 100 5"',
        )
    parse = parse_cmyk if given[0] == "cmyk" else parse_rgb
    key = "tint" if is_tint else given[0]
    with _blaming(source, key):
        return parse(source.attributes[key])


def _read_gradient(source: SourceElement, palette: Palette) -> Gradient:
    given = source.attributes
    with _blaming(source, "kind"):
        kind = _read_kind(given.get("kind", "linear"), palette)
    for name in ("angle",) if kind == "radial" else _OUTWARDS:
        if name in given:
            raise CardgenError(
                "template/no-meaning",
                f'"{name}" has no meaning in a {kind} gradient',
                source.place_of(name),
                f"its course is said by {_COURSES[kind]}",
                details={"name": name},
            )
    course: Across | Outwards
    if kind == "radial":
        with _blaming(source, "radius" if "radius" in given else "centre"):
            course = read_course(*(given.get(name, "") for name in _OUTWARDS))
    else:
        with _blaming(source, "angle"):
            course = Across(parse_number(given.get("angle", "90"), palette))
    with _blaming(source, "stops"):
        return Gradient(course, read_stops(split_list(given.get("stops", "")), palette.colours))


class _Styles:
    """Makes the styles of a template, each after the one that it extends.

    Of a style there may be several definitions, each adding to those before.
    """

    def __init__(
        self,
        definitions: Mapping[str, list[SourceElement]],
        palette: Palette,
        problems: list[Problem],
    ) -> None:
        self._definitions = definitions
        self._palette = palette
        self._problems = problems

    def make(self, name: str, seen: tuple[str, ...] = ()) -> Style:
        styles, definitions = self._palette.styles, self._definitions
        if name in styles:
            return styles[name]
        style = Style()
        given: dict[str, object] = {}
        said: dict[str, object] = {}
        where = definitions[name][-1].where
        for source in definitions[name]:
            base = source.attributes.get("extends")
            if base in (name, *seen):
                where = source.place_of("extends")
                message = f"a style extends itself: {' > '.join((*seen, name, str(base)))}"
                self._problems.append(
                    Problem(
                        "template/style-circle", message, where, "extend another style, or none"
                    )
                )
            elif base is not None and base not in definitions:
                message = f'unknown style "{base}"'
                unknown = refuse_unknown(
                    "template/unknown-style", message, base, definitions, "style"
                )
                self._problems.append(unknown.at(source.place_of("extends")))
            elif base is not None:
                style = self.make(base, (*seen, name))
                said = self._palette.said[base]
            given |= _read_values(source, STYLE, self._palette, self._problems)
        self._palette.said[name] = {**said, **given}
        styles[name] = make_style(style, given)._replace(name=name, where=where)
        return styles[name]


def _make_icon_style(given: Mapping[str, Any]) -> IconStyle:
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
    source: SourceElement,
    parsers: Mapping[str, ValueParser],
    palette: Palette,
    problems: list[Problem],
) -> dict[str, object]:
    """Return the values of a definition's attributes."""
    given = {}
    for name, parse in parsers.items():
        if name in source.attributes:
            with collecting(problems, source.place_of(name)):
                given[name] = parse(source.attributes[name], palette)
    return given
