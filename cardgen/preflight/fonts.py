"""The fonts of a PDF: whether they are embedded, and how wide and high their texts are.

Knows nothing of pages.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from cardgen.core.geometry import Matrix, make_tuple
from cardgen.preflight.objects import (
    BROKEN,
    find_dictionary,
    find_matrix,
    find_numbers,
    find_value,
    identify,
    is_number,
    list_array,
    list_items,
    read_data,
    read_name,
    read_number,
    unpack_name,
)
from cardgen.preflight.programs import NO_GLYPH, Program, know_nothing, read_program

_MOST_WIDTHS = 70_000
_WIDTH_SLACK = 0.02
_BLANKS = (0x20, 0xA0, 0x200B, 0xFEFF)

Flaw = Literal["", "no glyph", "width"]
_THOUSANDTH = Matrix(0.001, 0, 0, 0.001, 0, 0)


_IS_ODD = (1).__and__
# So many strings of a font are kept, with what they measure.
_MOST_MEASURED = 4_000


class Extent(NamedTuple):
    """How wide a string is for a size of 1, how many characters it has, how many of these are
    spaces of one byte, and what is wrong with one of them.
    """

    width: float
    characters: int
    spaces: int
    flaw: Flaw


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """A font; each is one object, told apart by identity.

    wide: a character has two bytes
    widths: of characters, for a size of 1
    procs: the content that a Type 3 font draws for each character code
    program: what is embedded
    texts: the map from codes to texts, as it stands in the file
    """

    name: str
    kind: str
    embedded: bool
    wide: bool = False
    widths: Mapping[int, float] = field(default_factory=dict)
    default: float = 0.5
    ascent: float = 0.8
    descent: float = -0.25
    matrix: Matrix = _THOUSANDTH
    procs: Mapping[int, Any] = field(default_factory=dict)
    resources: Any = None
    program: Program | None = None
    texts: Any = None
    _flaws: dict[int, Flaw] = field(default_factory=dict)
    _sound: dict[int, float] = field(default_factory=dict)  # the widths of those without a flaw
    _measured: dict[bytes, Extent] = field(default_factory=dict)

    def measure(self, text: bytes) -> Extent:
        """Return the extent of a string; that of one which comes again is known."""
        known = self._measured.get(text)
        if known is None:
            codes = self.list_codes(text)
            spaces = 0 if self.wide else codes.count(32)
            if len(self._measured) >= _MOST_MEASURED:
                self._measured.clear()
            first: Flaw = ""
            try:
                width = sum([self._sound[code] for code in codes])
            except KeyError:
                width, first = self._judge_all(codes)
            known = self._measured[text] = Extent(width, len(codes), spaces, first)
        return known

    def measure_all(self, texts: Sequence[bytes]) -> Extent:
        """Return the extent of strings in a row."""
        whole = b"".join(texts)
        codes: Sequence[int] = whole
        if self.wide:
            if any(map(_IS_ODD, map(len, texts))):  # a character stands alone at its end
                codes = [code for text in texts for code in self.list_codes(text)]
            else:
                codes = _split_wide(whole)
        spaces = 0 if self.wide else whole.count(32)
        first: Flaw = ""
        try:
            width = sum(map(self._sound.__getitem__, codes))
        except KeyError:
            width, first = self._judge_all(codes)
        return make_tuple(Extent, (width, len(codes), spaces, first))

    def _judge_all(self, codes: Sequence[int]) -> tuple[float, Flaw]:
        """Return how wide some characters are, and what is wrong with the first that is not
        sound.
        """
        first: Flaw = ""
        for code in codes:
            flaw = self._find_flaw(code)
            first = first or flaw
            if not flaw:
                self._sound[code] = self.widths.get(code, self.default)
        return sum(self.widths.get(code, self.default) for code in codes), first

    def _find_flaw(self, code: int) -> Flaw:
        known = self._flaws.get(code)
        if known is None:
            known = self._flaws[code] = self._judge(code)
        return known

    def _judge(self, code: int) -> Flaw:
        """Compare a code's width in the file with that in the font."""
        if self.program is None:
            return ""
        try:
            width = self.program.find_width(code)
        except BROKEN:
            width = None
        if width is None:
            return ""
        if width == NO_GLYPH:
            return "" if self._is_blank(code) else "no glyph"
        told = self.widths.get(code, self.default)
        return "width" if abs(told - width) > _WIDTH_SLACK else ""

    def _is_blank(self, code: int) -> bool:
        """Say whether a code stands for a space, for which no glyph is needed."""
        blanks = b"|".join(b"%04x" % sign for sign in _BLANKS)
        told = rb"<%0*x>\s*<(?:%b)>" % (4 if self.wide else 2, code, blanks)
        return bool(re.search(told, read_data(self.texts), re.IGNORECASE)) if self.texts else False

    def list_codes(self, text: bytes) -> list[int]:
        if not self.wide:
            return list(text)
        if len(text) % 2:
            return [*_split_wide(text[:-1]), text[-1]]
        return list(_split_wide(text))


def _split_wide(text: bytes) -> Sequence[int]:
    """Return characters of two bytes each."""
    codes = array("H", text)
    if sys.byteorder == "little":
        codes.byteswap()
    return codes


@dataclass(slots=True)
class FontReader:
    """Reads the fonts of a document; each once."""

    _known: dict[object, Font | None] = field(default_factory=dict)

    def read(self, thing: Any) -> Font | None:
        key = identify(thing)
        if key not in self._known:
            try:
                self._known[key] = _read_font(thing)
            except BROKEN:
                self._known[key] = None
        return self._known[key]


def _read_font(thing: Any) -> Font | None:
    kind = read_name(thing, "/Subtype")
    if kind == "Type0":
        return _read_composite(thing)
    if kind == "Type3":
        return _read_drawn(thing)
    if not kind:
        return None
    descriptor = find_dictionary(thing, "/FontDescriptor")
    default = read_number(descriptor, "/MissingWidth", 0 if find_value(thing, "/Widths") else 500)
    program = read_program(thing, descriptor)
    return Font(
        name=read_name(thing, "/BaseFont") or "without a name",
        kind=kind,
        embedded=program is not None,
        widths=_read_simple_widths(thing, 0.001),
        default=default / 1000,
        ascent=_read_height(descriptor, "/Ascent", 0.8),
        descent=_read_height(descriptor, "/Descent", -0.25),
        program=program,
        texts=find_value(thing, "/ToUnicode"),
    )


def _read_composite(thing: Any) -> Font | None:
    inner = next(iter(list_array(find_value(thing, "/DescendantFonts"))), None)
    descriptor = find_dictionary(inner, "/FontDescriptor")
    program = read_program(inner, descriptor)
    if program and read_name(thing, "/Encoding") not in ("Identity-H", "Identity-V"):
        program = Program(program.broken, know_nothing)
    return Font(
        name=read_name(thing, "/BaseFont") or read_name(inner, "/BaseFont") or "without a name",
        kind=read_name(inner, "/Subtype"),
        embedded=program is not None,
        wide=True,
        widths=_read_wide_widths(find_value(inner, "/W")),
        default=read_number(inner, "/DW", 1000) / 1000,
        ascent=_read_height(descriptor, "/Ascent", 0.8),
        descent=_read_height(descriptor, "/Descent", -0.25),
        program=program,
        texts=find_value(thing, "/ToUnicode"),
    )


def _read_drawn(thing: Any) -> Font:
    matrix = find_matrix(thing, "/FontMatrix") or _THOUSANDTH
    drawn = dict(list_items(find_value(thing, "/CharProcs")))
    procs: dict[int, Any] = {}
    code = 0
    for item in list_array(find_value(find_dictionary(thing, "/Encoding"), "/Differences")):
        if is_number(item):
            code = int(item)
        else:
            if unpack_name(item) in drawn:
                procs[code] = drawn[unpack_name(item)]
            code += 1
    box = find_numbers(thing, "/FontBBox") or (0, 0, 0, 0)
    heights = sorted((box[1] * matrix.d, box[3] * matrix.d)) if any(box) else [0.0, 0.7]
    return Font(
        name=read_name(thing, "/Name") or "Type 3",
        kind="Type3",
        embedded=True,
        widths=_read_simple_widths(thing, matrix.a),
        default=0.0,
        ascent=heights[1],
        descent=heights[0],
        matrix=matrix,
        procs=procs,
        resources=find_value(thing, "/Resources"),
    )


def _read_height(descriptor: Any, key: str, default: float) -> float:
    height = read_number(descriptor, key) / 1000
    return height if 0.1 < abs(height) < 2 else default


def _read_simple_widths(thing: Any, scale: float) -> dict[int, float]:
    first = int(read_number(thing, "/FirstChar"))
    widths = list_array(find_value(thing, "/Widths"))[:256]
    return {first + at: float(w) * scale for at, w in enumerate(widths) if is_number(w)}


def _read_wide_widths(thing: Any) -> dict[int, float]:
    """Return the widths of CIDs, which are listed one by one or as runs of the same width."""
    widths: dict[int, float] = {}
    items = list_array(thing)
    at = 0
    while at + 1 < len(items):
        first = int(items[at])
        if is_number(items[at + 1]):
            if at + 2 < len(items):
                last = min(int(items[at + 1]), first + _MOST_WIDTHS)
                widths.update(dict.fromkeys(range(first, last + 1), float(items[at + 2]) / 1000))
            at += 3
        else:
            run = enumerate(list_array(items[at + 1]), start=first)
            widths.update((cid, float(width) / 1000) for cid, width in run)
            at += 2
    return widths
