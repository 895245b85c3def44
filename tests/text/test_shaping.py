"""Words shaped by HarfBuzz: kerning, ligatures, fallback fonts, characters that no font holds."""

from __future__ import annotations

import string
import time
import unicodedata
from io import BytesIO

import pytest
import uharfbuzz as hb
from draw_signs import make_font as make_signs
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import SOFT, any_text, examples, find_typesetter, make_font

from cardgen.core.colour import BLACK
from cardgen.core.errors import Refusal
from cardgen.template.model import Style
from cardgen.text.fonts import open_signs
from cardgen.text.setting import Run, set_block
from cardgen.text.shaping import (
    NARROWEST_SPACE,
    Font,
    MissingCharacter,
    UnsupportedScript,
    Word,
)

SANS = make_font()
CINZEL = make_font("Cinzel")
SIGNS = open_signs().characters

letters = st.text(alphabet=string.ascii_letters + "äéñçßÆØžșő’“—-.,0123456789", min_size=1)


def ids(word: Word) -> list[int]:
    return [glyph[0] for glyph in word.list_glyphs()]


def advances(word: Word) -> list[int]:
    return [glyph[1] for glyph in word.list_glyphs()]


def text_of(word: Word) -> str:
    return "".join(glyph[4] for glyph in word.list_glyphs())


# Kerning and ligatures


@pytest.mark.parametrize("font", [SANS, CINZEL], ids=["Alegreya Sans", "Cinzel"])
def test_letters_are_kerned(font: Font) -> None:
    assert font["AV"].width < font["A"].width + font["V"].width - 0.01


def test_kerning_can_be_turned_off() -> None:
    loose = make_font(features=(("kern", 0),))
    assert loose["AV"].width == pytest.approx(loose["A"].width + loose["V"].width)


def test_fi_is_one_glyph_that_stands_for_two_letters() -> None:
    word = SANS["fi"]
    assert len(word.list_glyphs()) == 1
    assert text_of(word) == "fi"
    assert ids(word) != ids(SANS["f"])
    assert [glyph[4] for glyph in SANS["affix"].list_glyphs()] == ["a", "f", "fi", "x"]


def test_a_ligature_can_be_turned_off() -> None:
    plain = make_font(features=(("liga", 0),))
    assert [glyph[4] for glyph in plain["fi"].list_glyphs()] == ["f", "i"]


def test_small_capitals_change_the_glyphs_but_not_the_text() -> None:
    small = make_font(features=(("smcp", 1),))
    assert text_of(small["abc"]) == text_of(SANS["abc"]) == "abc"
    assert not set(ids(small["abc"])) & set(ids(SANS["abc"]))
    assert ids(small["ABC"]) == ids(SANS["ABC"])


def test_a_combining_mark_stays_with_its_letter() -> None:
    assert SANS.holds("\u0301")
    composed, apart = SANS["é"], SANS["e\u0301"]
    assert (apart.width, ids(apart)) == (composed.width, ids(composed))
    assert text_of(apart) == "e\u0301"
    ringed = SANS["x\u030a"]  # which no font has ready made
    assert [glyph[4] for glyph in ringed.list_glyphs()] == ["x", "\u030a"]
    assert ringed.width == pytest.approx(SANS["x"].width)


# Widths


def test_a_width_is_the_sum_of_the_advances_in_em() -> None:
    word = SANS["Unbreakable"]
    assert word.width == pytest.approx(sum(advances(word)) / SANS.file.units)
    assert 4 < word.width < 6


def test_tracking_adds_up() -> None:
    tracked = make_font(tracking=0.1)
    assert tracked["sword"].width == pytest.approx(SANS["sword"].width + 5 * 0.1)
    assert tracked.space == pytest.approx(SANS.space + 0.1)
    assert make_font(tracking=-0.05).space == pytest.approx(SANS.space - 0.05)


def test_narrow_spaces_are_widened() -> None:
    italic = make_font(italic=True)
    assert italic.space_advance < NARROWEST_SPACE
    assert italic.space == pytest.approx(0.18)
    assert CINZEL.space_advance > NARROWEST_SPACE
    assert CINZEL.space == CINZEL.space_advance


# Each word once


def test_a_word_is_shaped_once() -> None:
    font = make_font()
    assert font["sword"] is font["sword"]
    assert font["sword"] is not font["swords"]
    assert list(font) == ["sword", "swords"]


def test_joined_pieces_are_shaped_once() -> None:
    font = make_font()
    assert font.join("sword", hyphen=False) is font.join("sword", hyphen=False)
    assert font.join("sword", hyphen=True) is font.join("sword", hyphen=True)
    assert font.join("sword", hyphen=True) is not font.join("sword", hyphen=False)
    assert font.join("sword-", hyphen=False) is not font.join("sword", hyphen=True)


def test_styles_of_one_face_share_their_words() -> None:
    typesetter = find_typesetter()
    small, large = Style(size=7.0), Style(size=20.0, align="centre")
    blocks = [typesetter.make_block(style, "sword") for style in (small, large)]
    one, other = (block.paragraphs[0].words[0] for block in blocks)
    assert one is other


# What each glyph stands for


@given(letters)
@example("officer")
@example("e\u0301e\u0301")
@examples(150)
def test_the_glyphs_stand_for_the_whole_text(text: str) -> None:
    word = SANS.shape(text)
    assert text_of(word) == text
    assert word.text == text
    assert word.width == pytest.approx(sum(advances(word)) / SANS.file.units)
    assert 0 not in ids(word)


@given(letters, st.sampled_from([SANS, CINZEL, make_font(features=(("onum", 1), ("smcp", 1)))]))
@example("fi", SANS)
@example("AVATAR", CINZEL)
@examples(100)
def test_glyphs_lie_where_harfbuzz_puts_them(text: str, font: Font) -> None:
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(font.file.font, buffer, font.features)
    assert [glyph[:4] for glyph in font.shape(text).list_glyphs()] == [
        (info.codepoint, at.x_advance, at.x_offset, at.y_offset)
        for info, at in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
    ]


@given(letters, st.integers(0, 20))
@examples(100)
def test_a_soft_hyphen_changes_neither_text_nor_letters(text: str, at: int) -> None:
    broken = text[:at] + SOFT + text[at:]
    word = SANS[broken]
    if word.pieces:
        assert word.text == text
        assert "".join(piece.word.text for piece in word.pieces) == text
        assert word.width == pytest.approx(sum(piece.word.width for piece in word.pieces))
    else:  # at an end, where no line can break
        assert at == 0 or at >= len(text)
        assert word.width == pytest.approx(SANS[text].width) or SANS[text].pieces


def test_an_added_hyphen_is_a_soft_one_in_the_text() -> None:
    word = SANS.join("im", hyphen=True)
    assert word.text == "im"
    assert text_of(word) == f"im{SOFT}"
    assert ids(word)[-1] == ids(SANS["-"])[0]
    own = SANS.join("im-", hyphen=False)
    assert text_of(own) == "im-"


def test_a_no_break_space_is_part_of_its_word() -> None:
    word = SANS["10\u00a0cm"]
    assert word.pieces == ()
    assert text_of(word) == "10\u00a0cm"


@pytest.mark.parametrize("font", [SANS, CINZEL], ids=["Alegreya Sans", "Cinzel"])
def test_a_hyphen_at_which_no_line_ends_looks_as_any_other(font: Font) -> None:
    word = font["Never\u2011ending"]
    assert word.pieces == () and text_of(word) == "Never\u2011ending"
    assert ids(word)[5] == ids(font["-"])[0]


# Fallback fonts


def test_a_character_that_a_font_lacks_comes_from_the_next() -> None:
    assert SANS.holds("Σ") and not CINZEL.holds("Σ")
    chain = make_font("Cinzel", fallbacks=(make_font(),))
    (fallback,) = chain.fallbacks
    word = chain["MΣM"]
    assert [(piece.font, piece.word.text) for piece in word.pieces] == [
        (chain, "M"),
        (fallback, "Σ"),
        (chain, "M"),
    ]
    assert [piece.word.file.family for piece in word.pieces] == [
        "Cinzel",
        "Alegreya Sans",
        "Cinzel",
    ]
    assert not any(piece.breaks for piece in word.pieces)
    assert word.text == "MΣM"
    assert word.width == pytest.approx(2 * CINZEL["M"].width + SANS["Σ"].width)


def test_neighbours_from_one_fallback_are_shaped_together() -> None:
    chain = make_font("Cinzel", fallbacks=(make_font(),))
    assert [piece.word.text for piece in chain["ΑΣ-ΦΙ"].pieces] == ["ΑΣ", "-", "ΦΙ"]


def test_the_first_font_of_the_chain_that_holds_a_character_is_taken() -> None:
    bold, light = make_font(weight=700), make_font(weight=300)
    chain = make_font("Cinzel", fallbacks=(bold, light))
    assert [piece.font for piece in chain["Σ"].pieces] == [bold]


def test_a_mark_stays_in_the_font_of_its_letter() -> None:
    chain = make_font("Cinzel", fallbacks=(make_font(),))
    assert chain.holds("\u0301")
    assert [piece.word.text for piece in chain["Σ\u0301x"].pieces] == ["Σ\u0301", "x"]


def test_a_word_that_the_first_font_holds_has_no_pieces() -> None:
    chain = make_font("Cinzel", fallbacks=(make_font(),))
    assert chain["Éclair"].pieces == ()


@pytest.mark.parametrize(
    ("text", "families"),
    [
        ("Đường về nhà", {"Alegreya Sans"}),  # Cinzel has some of its letters
        ("Kraft → Щит", {"Cinzel", "Alegreya Sans"}),  # a sign, and a word of another script
        ("Office Ω αβγ", {"Cinzel", "Alegreya Sans"}),  # each word in one of them
    ],
)
def test_a_text_is_not_set_in_two_families_letter_by_letter(text: str, families: set[str]) -> None:
    style = Style(fonts=("Cinzel", "Alegreya Sans"))
    (paragraph,) = find_typesetter().make_block(style, text).paragraphs
    assert {font.file.family for font in paragraph.fonts} == families


def test_a_style_names_the_fonts_of_its_chain() -> None:
    style = Style(fonts=("Cinzel", "Alegreya Sans"), weight=700)
    block = find_typesetter().make_block(style, "Alpha ΑΣ")
    files = [font.file for font in block.paragraphs[0].fonts]
    assert [(file.family, file.weight) for file in files] == [
        ("Cinzel", 700),
        ("Alegreya Sans", 700),
    ]


def test_a_fallback_without_the_slant_stands_in_upright() -> None:
    style = Style(fonts=("Alegreya Sans", "Cinzel"), italic=True)
    block = find_typesetter().make_block(style, "Alpha")
    (font,) = set(block.paragraphs[0].fonts)
    (fallback,) = font.fallbacks
    assert font.file.italic
    assert (fallback.file.family, fallback.file.italic) == ("Cinzel", False)


# Signs


def test_a_sign_that_no_font_holds_is_cardgens_own() -> None:
    chain = make_font("Cinzel", fallbacks=(make_font(),))
    families = [[piece.font.file.family for piece in chain[sign].pieces] for sign in ("→", "★")]
    assert families == [["Alegreya Sans"], ["Cardgen Signs"]]
    # What asks for a coloured picture goes with its sign, and takes no room.
    (heart,) = chain["♥\ufe0f"].pieces
    assert heart.word.width == chain["♥"].width


def test_the_font_of_signs_is_what_its_script_makes() -> None:
    made, kept = make_signs(), open_signs()
    assert set(made.getBestCmap()) == kept.characters
    file = BytesIO()
    made.save(file)
    assert file.getvalue() == bytes(kept.face.blob.data)


def test_words_of_a_fallback_stand_where_the_line_was_measured_to_have_them() -> None:
    (paragraph,) = find_typesetter().make_block(Style(), "● ○ ■").paragraphs
    block = find_typesetter().make_block(Style(), "● ○ ■")
    pieces = set_block(block, 10, 400, BLACK).pieces
    places = [piece.x for piece in pieces if isinstance(piece, Run)]
    assert places == pytest.approx([10 * start for start in paragraph.starts])


# Characters that no font holds


def test_a_character_that_no_font_holds_is_named() -> None:
    chain = make_font("Cinzel", fallbacks=(make_font(),))
    with pytest.raises(MissingCharacter) as caught:
        chain["Drache龍"]
    assert caught.value.code == "text/missing-character"
    assert caught.value.character == "龍"
    assert str(caught.value) == (
        'no font holds "龍" (U+9F8D, cjk unified ideograph-9f8d) in "Drache龍";'
        " tried: Cinzel, Alegreya Sans"
    )


def test_a_character_without_a_name_is_named_by_its_number() -> None:
    with pytest.raises(MissingCharacter) as caught:
        SANS["a\ue000"]
    assert str(caught.value) == (
        'no font holds "\ue000" (U+E000, unnamed character) in "a\ue000"; tried: Alegreya Sans'
    )


def test_a_long_word_is_quoted_in_part() -> None:
    with pytest.raises(MissingCharacter) as caught:
        SANS["x" * 100 + "龍"]
    assert f'in "{"x" * 30}";' in str(caught.value)


def test_an_error_about_a_text_says_what_to_do() -> None:
    with pytest.raises(Refusal) as caught:
        find_typesetter().make_block(Style(), "five 🗡 daggers")
    assert 'no font holds "🗡" (U+1F5E1, dagger knife)' in str(caught.value)
    assert caught.value.hint == "choose a font that has it, or add one to the style's fonts"


def test_all_characters_of_a_text_that_no_font_holds_are_named_at_once() -> None:
    with pytest.raises(Refusal) as caught:
        find_typesetter().make_block(Style(), "five 🗡 **龍**\n\na 🎲 ★ and a 龍")
    assert '(U+1F5E1, dagger knife) in "🗡", nor "龍", "🎲"; tried: ' in str(caught.value)
    assert caught.value.hint == "choose a font that has them, or add one to the style's fonts"
    assert caught.value.details["characters"] == ("🗡", "龍", "🎲")


@given(any_text(min_size=1, max_size=8).filter(lambda text: " " not in text))
@examples(200)
def test_a_word_is_shaped_or_a_character_of_it_named(text: str) -> None:
    font = make_font()
    try:
        word = font[text]
    except MissingCharacter as error:
        assert error.character in text
        assert not SANS.holds(error.character)
        assert ord(error.character) not in SIGNS
        return
    assert all(SANS.holds(character) or ord(character) in SIGNS for character in text)
    found = "".join(piece.word.text for piece in word.pieces) or word.text
    assert found.replace(SOFT, "") == text.replace(SOFT, "")


def test_invisible_characters_need_no_glyph() -> None:
    for character in (SOFT, "\u200b", "\u200d", "\ufeff"):
        assert CINZEL[f"A{character}A"].width == pytest.approx(CINZEL["AA"].width)


@pytest.mark.parametrize("font", [SANS, CINZEL], ids=["Alegreya Sans", "Cinzel"])
def test_letters_typed_with_marks_apart_look_the_same(font: Font) -> None:
    """As texts that come from a Mac may be."""
    latin = [
        c for c in map(chr, sorted(font.file.characters)) if "LATIN" in unicodedata.name(c, "")
    ]
    apart = {letter: unicodedata.normalize("NFD", letter) for letter in latin}
    composed = {a: b for a, b in apart.items() if len(b) > 1}
    assert len(composed) > 100
    for letter, typed in composed.items():
        assert font.shape(typed).width == pytest.approx(font.shape(letter).width), letter
        assert font[typed].pieces == ()


# Scripts that are not supported


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("שלום", "its letters run from right to left"),
        ("a-سلام", "its letters run from right to left"),
        ("ภาษาไทยไม่มีช่องว่าง", "it is broken into lines without blanks"),
        ("一二三四五六七八九十十一二三", "it is broken into lines without blanks"),
    ],
)
def test_a_script_that_is_not_supported_is_refused(text: str, why: str) -> None:
    with pytest.raises(UnsupportedScript) as caught:
        make_font()[text]
    assert caught.value.code == "text/unsupported-script"
    assert f"{why}, which is not supported yet" in caught.value.message


def test_a_name_in_chinese_is_a_matter_of_fonts() -> None:
    with pytest.raises(MissingCharacter) as caught:
        make_font()["龍王"]
    assert caught.value.code == "text/missing-character"


def test_a_word_of_many_pieces_is_shaped_in_a_moment() -> None:
    start = time.process_time()
    word = SANS["a" + SOFT + "b" + (SOFT + "c") * 20_000]
    assert time.process_time() - start < 4
    assert len(word.pieces) == 20_002
