"""Letters that a font does nothing with but kern: words of them are shaped pair by pair.

Where no rule of a font that is in use can begin at any letter of a word, each letter is its own
glyph, and its advance depends on the next letter alone. So the advance of each pair is asked of
HarfBuzz once, and that of a word is a sum. Knows nothing of lines or pages.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

import uharfbuzz as hb

# What HarfBuzz applies to Latin letters unasked.
_USUAL = """
abvm blwm calt ccmp clig curs dist kern liga locl ltra ltrm mark mkmk rand rclt rlig rvrn HARF BUZZ
"""
_SCRIPTS = {"latn", "DFLT", "dflt"}
# Tables with rules of their own, which are not looked into.
_OTHERS = ("kern", "kerx", "mort", "morx")
_SIGNS = tuple(map(chr, range(33, 127)))
_MOST = 0xFFFF
_ADVANCE = 0x0004 | 0x0040  # of a pair's first letter, and how it varies with the weight
_IGNORES_LETTERS = 0x0002 | 0x0004
# The kinds of rules, by their numbers in either table.
_LIGATURE, _PAIR = 4, 2
_CONTEXTS = {"GSUB": (5, 6), "GPOS": (7, 8)}
_EXTENSIONS = {"GSUB": 7, "GPOS": 9}
_BUFFER = hb.Buffer()


class Kerning(dict[tuple[str, str], int]):
    """A dictionary of the advance of each letter before the next, or before a space at the end, in
    font units, as far as it was learned; what is done more with a letter is never learned.
    """

    def __init__(
        self, font: hb.Font, features: Collection[str], language: str, letters: Collection[str]
    ) -> None:
        super().__init__()
        asked = {sign: font.get_nominal_glyph(ord(sign)) for sign in _SIGNS if sign in letters}
        glyphs = {sign: glyph for sign, glyph in asked.items() if glyph}
        used = {*features, *_USUAL.split()}
        touched = _find_touched(font.face, used, language, {*glyphs.values()})
        self._glyphs = {sign: glyph for sign, glyph in glyphs.items() if glyph not in touched}

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other

    def learn(self, text: str, glyphs: Sequence[int], advances: Sequence[int]) -> None:
        """Learn from a word as HarfBuzz has shaped it, if nothing but kerning was done."""
        if is_latin(text) and [self._glyphs.get(letter) for letter in text] == glyphs:
            self.update(zip(pair(text), advances, strict=True))

    def list_glyphs(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Return the number, advance and text of each glyph of a word."""
        numbers, advances = map(self._glyphs.__getitem__, text), map(self.__getitem__, pair(text))
        return zip(numbers, advances, text, strict=True)


def pair(text: str) -> Iterator[tuple[str, str]]:
    """Return each letter of a word with the next, the last one with a space."""
    return zip(text, text[1:] + " ")  # noqa: B905


def is_latin(text: str) -> bool:
    """Whether a word of ASCII has a letter, by which HarfBuzz knows its script; most have."""
    return text.islower() or text.isupper() or text[:1].isalpha()


def _find_touched(
    face: hb.Face, features: Collection[str], language: str, glyphs: set[int]
) -> set[int]:
    """Return those of the glyphs at which a rule may begin that does more than kern them."""
    if any(face.reference_table(tag).data for tag in _OTHERS):
        return glyphs
    touched = {
        glyph
        for glyph in glyphs
        if face.get_layout_glyph_class(glyph) == hb.OTLayoutGlyphClass.MARK
    }
    try:
        for kind in ("GSUB", "GPOS"):
            if data := bytes(face.reference_table(kind).data):
                touched |= _Rules(kind, data, glyphs).find_touched(features, language)
    except (struct.error, IndexError):  # of a table that HarfBuzz may read in part
        return glyphs
    return touched


class _Rules:
    """The rules of a font, for words that hold some glyphs and no others."""

    def __init__(self, kind: str, data: bytes, glyphs: set[int]) -> None:
        self._kind = kind
        self._data = data
        self._glyphs = glyphs

    def find_touched(self, features: Collection[str], language: str) -> set[int]:
        """Return the glyphs at which a rule may begin that does more than to kern two of them."""
        if self._read(2) and self._read_long(10):  # rules that differ with the weight
            return self._glyphs
        touched: set[int] = set()
        lookups = self._read(8)
        for number in set(self._list_lookups(features, language)):
            at = lookups + self._read(lookups + 2 + 2 * number)
            kind, flags, count = self._read_all(at, 3)
            for offset in self._read_all(at + 6, count):
                touched |= self._find_beginnings(kind, flags, at + offset)
        return touched

    def _list_lookups(self, features: Collection[str], language: str) -> Iterator[int]:
        feature_list = self._read(6)
        for number in self._list_features(language):
            tag, at = self._read_record(feature_list + 2 + 6 * number)
            if tag in features:
                at += feature_list
                yield from self._read_all(at + 4, self._read(at + 2))

    def _list_features(self, language: str) -> Iterator[int]:
        """Yield the numbers of the features of Latin, in the language and in all others."""
        scripts = self._read(4)
        for number in range(self._read(scripts)):
            tag, at = self._read_record(scripts + 2 + 6 * number)
            if tag not in _SCRIPTS:
                continue
            script = scripts + at
            systems = [self._read(script)]
            for place in range(self._read(script + 2)):
                tag, at = self._read_record(script + 4 + 6 * place)
                if _is_of(tag, language):
                    systems.append(at)
            for system in filter(None, systems):
                _, required, count = self._read_all(script + system, 3)
                yield from self._read_all(script + system + 6, count)
                if required != _MOST:
                    yield required

    def _find_beginnings(self, kind: int, flags: int, at: int) -> set[int]:
        """Return the glyphs at which a rule may begin; none if it only kerns."""
        if kind == _EXTENSIONS[self._kind]:
            kind, at = self._read(at + 2), at + self._read_long(at + 4)
        context = _CONTEXTS[self._kind]
        if kind in context and self._read(at) == 3:
            return self._begin_context(at, chained=kind == context[1])
        if self._kind == "GSUB" and kind == _LIGATURE:
            return set(self._list_ligated(at))
        if self._kind == "GPOS" and kind == _PAIR and not flags & _IGNORES_LETTERS:
            first, second = self._read_all(at + 4, 2)
            if not second and not first & ~_ADVANCE:
                return set()
        return self._cover(at + self._read(at + 2))

    def _begin_context(self, at: int, *, chained: bool) -> set[int]:
        """Return where a rule may begin that asks for a glyph out of each of several lists."""
        if chained:
            before = self._read(at + 2)
            place = at + 4 + 2 * before
            count = self._read(place)
            after = self._read(place + 2 + 2 * count)
            inputs = self._read_all(place + 2, count)
            beside = chain(
                self._read_all(at + 4, before), self._read_all(place + 4 + 2 * count, after)
            )
        else:
            inputs, beside = self._read_all(at + 6, self._read(at + 2)), chain(())
        covered = [self._cover(at + offset) for offset in (*inputs, *beside)]
        return covered[0] if all(covered) else set()

    def _list_ligated(self, at: int) -> Iterator[int]:
        """Yield the glyphs at which a ligature of the glyphs begins."""
        coverage, count = at + self._read(at + 2), self._read(at + 4)
        if not self._cover(coverage):
            return
        firsts = chain.from_iterable(self._list_covered(coverage))
        for first, offset in zip(firsts, self._read_all(at + 6, count), strict=False):
            if first not in self._glyphs:
                continue
            ligatures = at + offset
            for place in self._read_all(ligatures + 2, self._read(ligatures)):
                _, length = self._read_all(ligatures + place, 2)
                others = self._read_all(ligatures + place + 4, max(length - 1, 0))
                if self._glyphs.issuperset(others):
                    yield first

    def _cover(self, at: int) -> set[int]:
        return self._glyphs.intersection(chain.from_iterable(self._list_covered(at)))

    def _list_covered(self, at: int) -> Iterator[Sequence[int]]:
        """Yield the glyphs of a list in its order, some at a time."""
        form, count = self._read_all(at, 2)
        if form == 1:
            yield self._read_all(at + 4, count)
            return
        for number in range(count):
            first, last, _ = self._read_all(at + 4 + 6 * number, 3)
            yield range(first, last + 1)

    def _read(self, at: int) -> int:
        return self._read_all(at, 1)[0]

    def _read_all(self, at: int, count: int) -> tuple[int, ...]:
        return struct.unpack_from(f">{count}H", self._data, at)

    def _read_long(self, at: int) -> int:
        return int(struct.unpack_from(">I", self._data, at)[0])

    def _read_record(self, at: int) -> tuple[str, int]:
        """Return a tag and the offset behind it."""
        tag, offset = struct.unpack_from(">4sH", self._data, at)
        return tag.decode("latin-1"), offset


def _is_of(tag: str, language: str) -> bool:
    """Whether a font's language may be that of the texts."""
    _BUFFER.clear_contents()
    _BUFFER.set_language_from_ot_tag(tag)
    named = str(_BUFFER.language)
    return named.partition("-")[0] == language.partition("-")[0].lower()
