"""Words that are measured pair by pair: always as HarfBuzz shapes them, whatever a font's rules."""

from __future__ import annotations

import random
from io import BytesIO
from itertools import product
from typing import Any

import pytest
import uharfbuzz as hb
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from strategies import make_font

from cardgen.text.fonts import FontFile
from cardgen.text.shaping import Font

_LETTERS = "aeinorstwvdjAV"  # few, so that all pairs are met
_ENDS = ("", "", "", ",", ".", ";", "s", "fi", "Q", "!")
_CHANCE = random.Random("kerning")
WORDS = [
    "".join(_CHANCE.choices(_LETTERS, k=_CHANCE.randrange(1, 9)))
    + _CHANCE.choice(_ENDS)
    + _CHANCE.choice(("", "", "'s", "20"))
    for _ in range(600)
]
MIXED = [*WORDS, *map(str.title, WORDS[:200]), *map(str.upper, WORDS[:100]), "+1", "20cm", "(a)"]


def count_kerned(learned: Font, untaught: Font, words: list[str]) -> int:
    """Compare two fonts word by word; return how many words were measured pair by pair."""
    kerned = 0
    for word in words:
        found, expected = learned[word], untaught.shape(word)
        kerned += found.kerning is not None
        assert found.list_glyphs() == expected.list_glyphs(), word
        assert found.width == expected.width, word
    return kerned


@pytest.mark.parametrize("family", ["Alegreya Sans", "Cinzel"])
@pytest.mark.parametrize(
    "options",
    [{}, {"tracking": 0.03}, {"features": (("smcp", 1),)}, {"features": (("kern", 0),)}],
    ids=["plain", "tracked", "small capitals", "not kerned"],
)
def test_words_are_measured_as_they_are_shaped(family: str, options: dict[str, Any]) -> None:
    font = make_font(family, **options)
    kerned = count_kerned(font, make_font(family, **options), MIXED)
    assert kerned > 300 or "smcp" in str(options)


def test_letters_that_lose_their_dots_below_marks_alone_are_measured() -> None:
    font = make_font()
    for word in WORDS:
        font[word]
    for word in ("dijidi", "fifty"):
        font.shape(word)
    assert font.shape("dijidi").kerning is not None
    assert font.shape("fifty").kerning is None


def test_few_words_are_all_shaped() -> None:
    font = make_font()
    assert not count_kerned(font, make_font(), WORDS[:40])


_NAMES = ("a", "b", "c", "d", "f", "i", "A", "V", "f_i", "long", "f_long", "other", "wide")


def open_font(rules: str) -> FontFile:
    """Return a font of a few letters, with these rules."""
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "space", *_NAMES])
    letters = {ord(name): name for name in _NAMES if len(name) == 1}
    builder.setupCharacterMap({32: "space", 0x17F: "long", **letters})
    empty = TTGlyphPen(None).glyph()
    names = (".notdef", "space", *_NAMES)
    builder.setupGlyf(dict.fromkeys(names, empty))
    builder.setupHorizontalMetrics({name: (400 + 10 * n, 0) for n, name in enumerate(names)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Rules", "styleName": "Regular", "psName": "Rules"})
    builder.setupOS2()
    builder.setupPost()
    addOpenTypeFeaturesFromString(builder.font, rules)
    file = BytesIO()
    builder.save(file)
    return FontFile("Rules", 400, False, hb.Face(file.getvalue()))


# All words of three letters, in which every rule below has its say, after many others.
_WORDS = ["".join(letters) for letters in product("abcdfiAV", repeat=3)]
_KERN = "feature kern { pos A V -80; pos a b -10; pos [b c] [d i] 12; } kern;"
_TURKISH = (
    "languagesystem DFLT dflt; languagesystem latn dflt; languagesystem latn TRK;"
    "feature locl { script latn; language TRK; sub i by other; } locl;"
)


@pytest.mark.parametrize(
    ("rules", "touched"),
    [
        ("", ""),
        ("feature liga { sub f i by f_i; } liga;", "f"),
        ("feature liga { sub f long by f_long; } liga;", ""),
        ("feature calt { sub a b' c by other; } calt;", "b"),
        ("feature calt { sub [a b]' c' d by other; } calt;", "ab"),
        ("feature ccmp { sub c by a b; } ccmp;", "c"),
        ("feature rclt { rsub a d' by other; } rclt;", "d"),
        ("feature smcp { sub a by other; } smcp;", ""),
        ("feature kern { pos d' 50 a b; } kern;", "d"),
        ("feature kern { pos c <10 0 20 0>; } kern;", "c"),
        ("feature kern { pos d <0 0 5 0> c <0 0 7 0>; } kern;", "d"),
        (_TURKISH, ""),
    ],
)
def test_what_a_font_does_more_than_to_kern_is_left_to_harfbuzz(rules: str, touched: str) -> None:
    file = open_font(rules + ("" if "kern" in rules else _KERN))
    assert count_kerned(Font(file), Font(file), _WORDS * 2)
    font = Font(file)
    for word in _WORDS:
        font.shape(word) if len(font) > 100 else font[word]
    left = {word for word in _WORDS if font.shape(word).kerning is None}
    assert left == {word for word in _WORDS if set(word) & set(touched)}


def test_a_language_has_rules_of_its_own() -> None:
    file = open_font(_TURKISH + _KERN)
    turkish = Font(file, language="tr")
    count_kerned(turkish, Font(file, language="tr"), _WORDS)
    assert turkish.shape("bid").kerning is None
    assert turkish.shape("bad").kerning is not None


def test_a_table_that_is_cut_off_is_left_to_harfbuzz() -> None:
    face = open_font(_KERN).face
    tables = {tag: bytes(face.reference_table(tag).data) for tag in face.table_tags}
    tables["GPOS"] = tables["GPOS"][:16]
    cut = hb.Face.create_for_tables(lambda _, tag, __: tables.get(tag), None)
    file = FontFile("Rules", 400, False, cut)
    assert not count_kerned(Font(file), Font(file), _WORDS)
