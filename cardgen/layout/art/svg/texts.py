"""Texts of an SVG as outlines, in the fonts that a deck can use.

Knows nothing of paints or places on a card.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import cos, radians, sin
from typing import TYPE_CHECKING, NamedTuple

from cardgen.core.errors import CardgenError, Refusal, shorten
from cardgen.core.geometry import Matrix, Rect
from cardgen.layout.art.contours import Segments, measure_segments, move_segments
from cardgen.layout.art.svg.document import Document, get_tag, is_svg
from cardgen.layout.art.svg.numbers import read_length, read_numbers, read_transform_list
from cardgen.layout.art.svg.shapes import trace_shape
from cardgen.layout.art.svg.styles import Style, Styles
from cardgen.layout.art.walk import Curve, make_curve
from cardgen.layout.face import Segment
from cardgen.template.model import DEFAULT_FONT
from cardgen.text.fonts import FontFile, FontShelf
from cardgen.text.glyphs import trace_glyph
from cardgen.text.shaping import Font, Word

if TYPE_CHECKING:
    from lxml import etree

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_LISTS = ("x", "y", "dx", "dy", "rotate")
_MOST_LETTERS = 20_000
_SPARE = 0.02  # of the size of a text, by which it may be longer than its path
# A text that names none of these, nor any other font, leaves the choice to us as well.
_ANY_FONT = ("", "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui")
_AS_PATHS = "put the font's file into fonts/, choose one that is there, or save the text as paths"
# Properties of texts that cannot be drawn but in these ways.
_PLAIN = {
    "baseline-shift": ("baseline", "0", "0%", "0px"),
    "dominant-baseline": (
        *("auto", "alphabetic", "baseline", "no-change", "use-script", "middle", "central"),
        *("hanging", "text-before-edge", "text-top", "text-after-edge", "text-bottom"),
    ),
    "font-variant": ("normal", "none"),
    "text-decoration": ("none", ""),
    "text-decoration-line": ("none", ""),
    "writing-mode": ("lr", "lr-tb", "horizontal-tb", "rl", "rl-tb"),
}
_SEPARATOR = re.compile(r"[\s,]+")


class Lettering(NamedTuple):
    """The outlines of letters of one style."""

    element: etree._Element
    style: Style
    segments: Segments


@dataclass(slots=True)
class _Letter:
    """A character, and what is said of its place."""

    text: str
    element: etree._Element
    style: Style
    x: float | None = None
    y: float | None = None
    dx: float = 0.0
    dy: float = 0.0
    rotate: float = 0.0
    way: Curve | None = None  # along which it stands

    @property
    def begins(self) -> bool:
        """Whether it stands at a place of its own."""
        return self.x is not None or self.y is not None

    @property
    def moves(self) -> bool:
        return self.begins or bool(self.dx or self.dy or self.rotate)


class Texts:
    """Sets the texts of a file."""

    def __init__(self, document: Document, styles: Styles, shelf: FontShelf | None) -> None:
        self._document = document
        self._styles = styles
        self._shelf = shelf
        self._fonts: dict[tuple[str, str, str], Font | None] = {}
        self._letters = 0

    def trace(self, element: etree._Element, style: Style, view: Rect) -> list[Lettering]:
        """Return the outlines of a text and its parts."""
        letters = self._list_letters(element, style, view)
        found: list[Lettering] = []
        x = y = 0.0
        for chunk in _split(letters, lambda letter: letter.begins):
            x = chunk[0].x if chunk[0].x is not None else x
            y = chunk[0].y if chunk[0].y is not None else y
            runs = [
                run
                for part in _split(chunk, lambda letter: letter.moves)
                for run in _split_styles(part)
            ]
            words = [self._shape(run) for run in runs]
            width = sum(_measure(run, parts) for run, parts in zip(runs, words, strict=True))
            width += sum(letter.dx for letter in chunk[1:])
            anchor = {"middle": 0.5, "end": 1.0}.get(chunk[0].style["text-anchor"], 0.0)
            x -= width * anchor
            for run, parts in zip(runs, words, strict=True):
                x, y = x + run[0].dx, y + run[0].dy
                segments = self._trace_run(run, parts, x, y)
                if segments:
                    found.append(Lettering(run[0].element, run[0].style, segments))
                x += _measure(run, parts)
        return found

    def _list_letters(self, element: etree._Element, style: Style, view: Rect) -> list[_Letter]:
        """Return the letters of a text, blanks put together."""
        keeps = element.get(_SPACE) == "preserve"
        letters: list[_Letter] = []
        self._add_letters(element, style, view, letters, keeps)
        while letters and letters[-1].text == " " and not keeps:
            letters.pop()
        return letters

    def _add_letters(
        self,
        element: etree._Element,
        style: Style,
        view: Rect,
        letters: list[_Letter],
        keeps: bool,
    ) -> None:
        start = len(letters)
        keeps = {"preserve": True, "default": False}.get(element.get(_SPACE, ""), keeps)
        self._check(element, style)
        self._add_text(element.text, element, style, letters, keeps)
        for child in element:
            if is_svg(child):
                tag = get_tag(child)
                inner = self._styles.find(child, style)
                if tag in ("tspan", "a") and inner["display"] != "none":
                    self._add_letters(child, inner, view, letters, keeps)
                elif tag == "textPath" and inner["display"] != "none":
                    self._add_along(child, inner, view, letters, keeps)
                elif tag not in ("tspan", "a", "title", "desc", "textPath"):
                    self._refuse(child, f"a text holds <{tag}>")
            self._add_text(child.tail, element, style, letters, keeps)
        self._place(element, style, view, letters[start:])

    def _add_along(
        self,
        element: etree._Element,
        style: Style,
        view: Rect,
        letters: list[_Letter],
        keeps: bool,
    ) -> None:
        """Add the letters that stand along a path, from where it begins."""
        way = self._find_way(element, style, view)
        first = len(letters)
        self._add_letters(element, style, view, letters, keeps)
        added = letters[first:]
        if way is None or not added:
            del letters[first:]
            return
        curve, start = way
        added[0].x = start + (added[0].x or 0.0)
        for letter in added:
            letter.way, letter.y = curve, (0.0 if letter is added[0] else None)

    def _find_way(
        self, element: etree._Element, style: Style, view: Rect
    ) -> tuple[Curve, float] | None:
        """Return the path of a text, and how far along it the text begins; None, with a problem,
        where there is none.
        """
        target = self._document.find_target(element)
        if target is None:
            self._refuse(element, "<textPath> has no path")
            return None
        if element.get("side", "left") != "left":
            self._refuse(element, '<textPath> has side="right"')
        try:
            segments = trace_shape(target, view, style.em)
            if text := target.get("transform"):
                segments = move_segments(segments, read_transform_list(text))
            bounds = measure_segments(segments)
            curve = make_curve(segments, bounds, style.em / 20) if bounds else None
            if curve is None or sum(kind == "M" for kind, _ in segments) > 1:
                raise ValueError(target.get("d", ""))
            start = read_length(element.get("startOffset", "0"), curve.length, style.em)
            if (said := target.get("pathLength")) and "%" not in element.get("startOffset", ""):
                start *= curve.length / read_length(said)
        except (ValueError, ZeroDivisionError):
            self._refuse(element, "<textPath> has a path along which no text can stand")
            return None
        return curve, start

    def _add_text(
        self,
        text: str | None,
        element: etree._Element,
        style: Style,
        letters: list[_Letter],
        keeps: bool,
    ) -> None:
        for character in text or "":
            if character in "\n\r\t":
                if character != "\t" and not keeps and not (text or "").strip():
                    continue
                character = " "
            if character == " " and not keeps and (not letters or letters[-1].text == " "):
                continue
            self._letters += 1
            if self._letters > _MOST_LETTERS:
                self._document.complain(
                    "svg/too-large", element, f"its texts have more than {_MOST_LETTERS:,} letters"
                )
                return
            letters.append(_Letter(character, element, style))

    def _check(self, element: etree._Element, style: Style) -> None:
        for name in ("textLength", "glyph-orientation-vertical"):
            if element.get(name):
                self._refuse(element, f"<{get_tag(element)}> has {name}")
        for name, values in _PLAIN.items():
            if style[name] not in values:
                self._refuse(element, f'<{get_tag(element)}> has {name}="{shorten(style[name])}"')

    def _refuse(self, element: etree._Element, message: str) -> None:
        self._document.complain("svg/cannot-be-drawn", element, message, "save the text as paths")

    def _place(
        self, element: etree._Element, style: Style, view: Rect, letters: list[_Letter]
    ) -> None:
        """Give letters the places that their element says for them; those within said theirs."""
        wholes = {"x": view.width, "dx": view.width, "y": view.height, "dy": view.height}
        for name in _LISTS:
            text = element.get(name, "").strip()
            if not text:
                continue
            try:
                if name == "rotate":
                    numbers = read_numbers(text)
                    numbers += numbers[-1:] * (len(letters) - len(numbers))
                else:
                    parts = _SEPARATOR.split(text)
                    numbers = [read_length(part, wholes[name], style.em) for part in parts]
            except ValueError:
                self._document.complain(
                    "svg/broken-data",
                    element,
                    f'<{get_tag(element)}> has {name}="{text[:40]}"',
                    "write plain numbers",
                )
                continue
            for letter, number in zip(letters, numbers, strict=False):
                said = getattr(letter, name)
                if said is None or (name not in "xy" and not said):
                    setattr(letter, name, number)

    def _shape(self, run: list[_Letter]) -> list[tuple[Font, Word]]:
        """Return the shaped pieces of letters of one style."""
        letter = run[0]
        font = self._find_font(letter.element, letter.style)
        if font is None:
            return []
        try:
            word = font["".join(one.text for one in run)]
        except Refusal as refusal:
            self._document.complain(
                refusal.code, letter.element, f"a text: {refusal.message}", _AS_PATHS
            )
            return []
        return [(piece.font, piece.word) for piece in word.pieces] or [(font, word)]

    def _find_font(self, element: etree._Element, style: Style) -> Font | None:
        key = (style["font-family"], style["font-weight"], style["font-style"])
        if key not in self._fonts:
            self._fonts[key] = self._open_font(element, style)
        return self._fonts[key]

    def _open_font(self, element: etree._Element, style: Style) -> Font | None:
        """Return the first font of a list that is there, with those behind it to stand in, and the
        usual one as the last, as in other programs.
        """
        names = [name.strip().strip("'\"") for name in style["font-family"].split(",")]
        names = [DEFAULT_FONT if name.lower() in _ANY_FONT else name for name in names]
        weight = _read_weight(style["font-weight"])
        italic = style["font-style"].startswith(("italic", "oblique"))
        where = self._document.locate(element)
        known = {name.lower() for name in self._shelf.list_families()} if self._shelf else set()
        there = [name for name in names if name.lower() in known]
        if not there or self._shelf is None:
            quoted = ", ".join(f'"{name}"' for name in names)
            message = f"a text is set in {quoted}, which is not among the fonts"
            self._document.complain("svg/no-font", element, message, _AS_PATHS)
            return None
        try:
            first = self._shelf.open(there[0], weight, italic, where)
            behind = dict.fromkeys((*there[1:], DEFAULT_FONT))
            others = [self._shelf.open_nearest(name, weight, italic, where) for name in behind]
        except CardgenError as error:
            problem = error.problems[0]
            self._document.problems.append(replace(problem, where=where))
            return None
        return Font(first, fallbacks=tuple(map(Font, others)))

    def _trace_run(
        self, run: list[_Letter], parts: list[tuple[Font, Word]], x: float, y: float
    ) -> Segments:
        style = run[0].style
        size = style.em
        found: list[Segment] = []
        apart, wider = _read_spacing(style)
        turn = radians(run[0].rotate)
        c, s = cos(turn), sin(turn)
        x0, y0 = x, y
        way = run[0].way
        if parts:
            y += _shift_baseline(style["dominant-baseline"], parts[0][0].file) * size
        for font, word in parts:
            scale = size / font.file.units
            for glyph, advance, dx, dy, text in word.list_glyphs():
                at = Matrix(scale, 0, 0, -scale, x + dx * scale, y - dy * scale)
                if way is not None:
                    middle = x + advance * scale / 2
                    if not -_SPARE * size <= middle <= way.length + _SPARE * size:
                        message = "a text is longer than the path along which it stands"
                        hint = "make the path longer, or the text smaller"
                        self._document.complain(
                            "svg/cannot-be-drawn", run[0].element, message, hint
                        )
                        return ()
                    to_x, to_y, bent = way.find_place(middle)
                    c, s = cos(bent), sin(bent)
                    at = at.then(Matrix(1, 0, 0, 1, -middle, 0))
                    at = at.then(Matrix(c, s, -s, c, to_x, to_y))
                elif turn:
                    at = at.then(Matrix(1, 0, 0, 1, -x0, -y0)).then(Matrix(c, s, -s, c, x0, y0))
                found += move_segments(trace_glyph(font.file, glyph), at)
                x += advance * scale + apart + (wider if text == " " else 0.0)
        return tuple(found)


def _split(letters: list[_Letter], begins: Callable[[_Letter], bool]) -> list[list[_Letter]]:
    found: list[list[_Letter]] = []
    for letter in letters:
        if not found or begins(letter):
            found.append([])
        found[-1].append(letter)
    return found


def _split_styles(letters: list[_Letter]) -> Iterator[list[_Letter]]:
    """Yield letters that follow each other in one style; a turned one stands alone."""
    run: list[_Letter] = []
    for letter in letters:
        if run and (letter.style is not run[-1].style or run[-1].rotate):
            yield run
            run = []
        run.append(letter)
    if run:
        yield run


def _measure(run: list[_Letter], parts: list[tuple[Font, Word]]) -> float:
    style = run[0].style
    apart, wider = _read_spacing(style)
    blanks = sum(letter.text == " " for letter in run)
    width = sum(word.width for _, word in parts) * style.em
    return width + apart * len(run) + wider * blanks


def _read_spacing(style: Style) -> tuple[float, float]:
    """Return by how much letters stand farther apart, and by how much more words do."""
    found = []
    for name in ("letter-spacing", "word-spacing"):
        try:
            found.append(read_length(style[name], 0.0, style.em))
        except ValueError:
            found.append(0.0)
    return found[0], found[1]


def _read_weight(text: str) -> int:
    if text in ("bold", "bolder"):
        return 700
    if text == "lighter":
        return 300
    return int(text) if text.isdecimal() and len(text) < 5 else 400


def _shift_baseline(name: str, file: FontFile) -> float:
    """Return by how much a text is lower, in em, than one that stands on its baseline."""
    extents = file.font.get_font_extents("ltr")
    up, down = (float(way) / file.units for way in (extents.ascender, extents.descender))
    match name:
        case "middle":
            return file.cap_height * 0.35
        case "central":
            return (up + down) / 2
        case "hanging" | "text-before-edge" | "text-top":
            return up
        case "text-after-edge" | "text-bottom":
            return down
    return 0.0
