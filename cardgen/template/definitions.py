"""The colours, gradients and styles that templates define, resolved to a Palette.

Problems go into a list that the parser raises at its end. Knows nothing of elements or slots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cardgen.colour import Colour, ColourError, Gradient, parse_cmyk, parse_rgb
from cardgen.errors import Problem, Where, suggest
from cardgen.template.attributes import STYLE, make_style
from cardgen.template.model import Style
from cardgen.template.source import SourceElement
from cardgen.template.values import Palette, Reader, ValueProblem, read_colour, read_number
from cardgen.units import UnitError


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
        self._problems.append(Problem(message, where, hint))

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
        except ColourError as error:
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
                raise ValueProblem(
                    "a gradient needs two stops or more", 'as in stops="pale 0, dark 100"'
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
                raise ValueProblem(
                    "a gradient mixes CMYK and RGB colours", "give all stops in one space"
                )
            places = [at for at, _ in stops]
            if places != sorted(set(places)) or places[0] < 0 or places[-1] > 1:
                raise ValueProblem(
                    "the stops of a gradient must rise from 0 to 100", 'as in "pale 0, dark 60"'
                )
        except ValueProblem as error:
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
                except ValueProblem as error:
                    self._report(str(error), source.place_of(name), error.hint)
                except UnitError as error:
                    self._report(str(error), source.place_of(name))
        return given
