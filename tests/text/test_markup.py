"""Inline Markdown: bold, italic, icons, escapes, line breaks, and what is left alone."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import any_text, examples

from cardgen.text.markup import (
    _STARRED,
    BOLD,
    ITALIC,
    STRUCK,
    UNDERLINED,
    Inline,
    Span,
    _join,
    _pair_stars,
    _resolve,
    _tokenize,
    parse_markup,
    parse_spans,
)


def show(text: str) -> str:
    """The spans of a text as a line: [b:bold], [i:italic], [bi:both], <icon>."""
    names = {0: "", BOLD: "b:", ITALIC: "i:", BOLD | ITALIC: "bi:"}
    return "".join(
        f"<{names[face]}{icon.name}>"
        if icon
        else f"[{names[face]}{words}]"
        if names[face]
        else words
        for face, words, icon, _ in parse_spans(text)
    )


# Bold and italic


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("**bold**", "[b:bold]"),
        ("*italic*", "[i:italic]"),
        ("***both***", "[bi:both]"),
        ("__bold__ _italic_ ___both___", "[b:bold] [i:italic] [bi:both]"),
        ("has **+1 Attack**, once", "has [b:+1 Attack], once"),
        ("un**bold**ly", "un[b:bold]ly"),
        ("*one* and *two*", "[i:one] and [i:two]"),
        ("**a**b**c**", "[b:a]b[b:c]"),
        ("(**a**)", "([b:a])"),
        ("**a *b* c**", "[b:a ][bi:b][b: c]"),
        ("*a **b** c*", "[i:a ][bi:b][i: c]"),
        ("_a **b** c_", "[i:a ][bi:b][i: c]"),
        ("**a _b_**", "[b:a ][bi:b]"),
        ("**a :sword: b**", "[b:a ]<b:sword>[b: b]"),
    ],
)
def test_stars_and_underscores_choose_the_face(text: str, shown: str) -> None:
    assert show(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**a *b***", "[b:a ][bi:b]"),
        ("*a **b***", "[i:a ][bi:b]"),
        ("***a** b*", "[bi:a][i: b]"),
        ("***a* b**", "[bi:a][b: b]"),
    ],
)
def test_faces_may_begin_or_end_together(text: str, shown: str) -> None:
    assert show(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "2 * 3 * 4",
        "2*3",
        "** not bold **",
        "*not closed",
        "not opened*",
        "**not closed",
        "*not closed**",
        "a * b*",
        "****",
        "*",
        "snake_case_name",
        "a_b",
        "2_000_000",
        "_a_b",
        "5*",
        "*5",
        "** **",
    ],
)
def test_signs_without_a_partner_are_text(text: str) -> None:
    assert parse_spans(text) == (Span(0, text),)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("*a **b*", "[i:a **b]"),
        ("**a *b**", "[b:a *b]"),
        ("*a* b*", "[i:a] b*"),
        ("*a _b* c_", "[i:a _b] c_"),
    ],
)
def test_an_inner_sign_without_a_partner_is_text(text: str, shown: str) -> None:
    assert show(text) == shown


# Tags of HTML


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<b>a</b> c", "[b:a] c"),
        ('<STRONG class="x">a</strong> <em>b</em>', "[b:a] [i:b]"),
        ("<i>a *b*</i>", "[i:a b]"),
        ("<b>a *b*</b>", "[b:a ][bi:b]"),
        ("a</b> b<b>", "a b"),
        ("<b>a <b>b</b> c</b> d", "[b:a b c] d"),
        ("1 < 2, a <x> b, <i and j>", "1 < 2, a <x> b, <i and j>"),
        (r"\<b>a", "<b>a"),
    ],
)
def test_tags_of_faces_are_read(text: str, shown: str) -> None:
    assert show(text) == shown


def test_tags_draw_lines_under_words_and_through_them() -> None:
    assert parse_spans("<u>a</u><s>b</s>") == (Span(UNDERLINED, "a"), Span(STRUCK, "b"))


def test_tags_last_over_lines_and_paragraphs() -> None:
    first, second, third = parse_markup("<b>a<br/>b\n\nc</b> d")
    assert first.spans == (Span(BOLD, "a"),)
    assert second == ((Span(BOLD, "b"),), True)
    assert third == ((Span(BOLD, "c"), Span(0, " d")), False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a<br>b", [("a", False), ("b", True)]),
        ("a <br />\n b<BR>", [("a ", False), ("b", True)]),
        ("a<br><br>b", [("a", False), ("b", False)]),
        ("<p>a</p><p class='x'>b</p>", [("a", False), ("b", False)]),
        (r"a\<br>b", [("a<br>b", False)]),
    ],
)
def test_tags_break_lines_and_part_paragraphs(text: str, expected: list[tuple[str, bool]]) -> None:
    assert lines(text) == expected


# Words in a style


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a]{x}", [("a", "x")]),
        ("a [b]{x}c", [("a ", ""), ("b", "x"), ("c", "")]),
        ("[a [b]{x} c]{y}", [("a ", "y"), ("b", "y x"), (" c", "y")]),
        ("[a [b] c]{ my style }", [("a [b] c", "my style")]),
        ("[a] b]{x} [c", [("[a] b]{x} [c", "")]),
        ("[a]{} [b](c)", [("[a]{} [b](c)", "")]),
        (r"\[a]{x} [b\]c]{x}", [("[a]{x} ", ""), ("b]c", "x")]),
    ],
)
def test_brackets_with_braces_are_words_in_a_style(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert [(span.text, " ".join(span.styles)) for span in parse_spans(text)] == expected


def test_marks_and_brackets_may_cross() -> None:
    assert parse_spans("**a [b** c]{x}") == (
        Span(BOLD, "a "),
        Span(BOLD, "b", None, ("x",)),
        Span(0, " c", None, ("x",)),
    )


def test_brackets_in_great_number_have_a_bound() -> None:
    (span,) = (s for s in parse_spans("[" * 3_000 + "a" + "]{x}" * 3_000) if "a" in s.text)
    assert len(span.styles) == 50


@pytest.mark.parametrize(
    ("text", "icon"),
    [
        (":orb[3]:", Inline("orb", "3")),
        ("![a flame](pips/a flame.png)", Inline("pips/a flame.png", "a flame", True)),
        ("![](a.png){height=2em}", Inline("a.png", "", True, "2em")),
        ("![](a.png){hieght=2em}", Inline("a.png", "", True, "hieght=2em")),
    ],
)
def test_icons_with_words_and_pictures(text: str, icon: Inline) -> None:
    assert parse_spans(text) == (Span(0, "", icon),)


# Escapes


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"\*a\*", "*a*"),
        (r"*a\*b*", "[i:a*b]"),
        (r"\_a_ \:sword:", "_a_ :sword:"),
        (r"\\", "\\"),
        (r"\\*a*", "\\[i:a]"),
        (r"C:\path", r"C:\path"),
        ("a\\", "a\\"),
        (r"\é", r"\é"),
        (r"\# \! \~", "# ! ~"),
    ],
)
def test_a_backslash_takes_a_sign_literally(text: str, shown: str) -> None:
    assert show(text) == shown


# Icons


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (":sword:", "<sword>"),
        ("a :sword: b", "a <sword> b"),
        (":sword::shield:", "<sword><shield>"),
        ("(:sword:)", "(<sword>)"),
        ("+1:sword:", "+1:sword:"),
        (":sword:s", ":sword:s"),
        ("10:30: march", "10:30: march"),
        ("at 10:30", "at 10:30"),
        ("1:2:3", "1:2:3"),
        ("Note: a note: b", "Note: a note: b"),
        (":Sword:", ":Sword:"),
        (":two words:", ":two words:"),
        (":foot-soldier: :d6:", "<foot-soldier> <d6>"),
        ("::", "::"),
        ("*:sword:*", "<i:sword>"),
    ],
)
def test_a_name_between_colons_is_an_icon(text: str, shown: str) -> None:
    assert show(text) == shown


# Paragraphs, line breaks, white space


def lines(text: str) -> list[tuple[str, bool]]:
    found = parse_markup(text)
    return [("".join(span.text for span in p.spans), p.follows_break) for p in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t ", []),
        ("a\nb", [("a b", False)]),
        ("a\n\nb", [("a", False), ("b", False)]),
        ("a\n \t\n\n\n  b", [("a", False), ("b", False)]),
        ("\n\na\n\n", [("a", False)]),
        ("a  \nb", [("a", False), ("b", True)]),
        ("a   \nb", [("a", False), ("b", True)]),
        ("a\\\nb", [("a", False), ("b", True)]),
        ("a\\\nb\n\nc\\\nd", [("a", False), ("b", True), ("c", False), ("d", True)]),
        ("a \nb", [("a b", False)]),
        ("a\\\n\\\nb", [("a", False), ("", True), ("b", True)]),
        ("a  b\t\tc", [("a b c", False)]),
        ("  a  ", [("a", False)]),
        ("10\u00a0cm", [("10\u00a0cm", False)]),
    ],
)
def test_paragraphs_and_lines(text: str, expected: list[tuple[str, bool]]) -> None:
    assert lines(text) == expected


def test_a_face_reaches_over_a_line_break() -> None:
    first, second = parse_markup("*a\\\nb* c")
    assert first.spans == (Span(ITALIC, "a"),)
    assert second == ((Span(ITALIC, "b"), Span(0, " c")), True)


def test_signs_pair_over_the_lines_of_a_paragraph() -> None:
    (paragraph,) = parse_markup("has **+1\nAttack**")
    assert paragraph.spans == (Span(0, "has "), Span(BOLD, "+1 Attack"))


# Properties

starred = st.text(alphabet="***ab .:", max_size=16)
marked = st.text(alphabet="**__\\:ab1 .\n", max_size=20)


@given(starred)
@example("*a* **b** ***c***")
@example("*a*b*c*")
@examples(500)
def test_the_quick_reading_of_stars_agrees_with_the_thorough_one(text: str) -> None:
    parts = _STARRED.split(text)
    assume(not re.search(r"[\\_]|:[a-z]", text) and not any("*" in part for part in parts[::3]))
    assert _pair_stars(parts) == _join(_resolve(_tokenize(text)))


@given(
    st.text(alphabet=st.characters(categories=["L", "N", "Sm", "Pd"]) | st.sampled_from(" \n.,"))
)
@examples(200)
def test_a_text_without_signs_comes_back_word_for_word(text: str) -> None:
    assume(not re.search(r"</?[a-z]+ *>", text, re.IGNORECASE))  # a tag is a sign
    spans = [span for paragraph in parse_markup(text) for span in paragraph.spans]
    assert all(span.face == 0 and not span.icon for span in spans)
    assert " ".join(span.text for span in spans).split() == text.split()


@given(marked)
@example("****a**b*")
@examples(500)
def test_letters_come_through_in_order_and_only_signs_are_taken_away(text: str) -> None:
    found = "".join(
        span.text + (span.icon.name if span.icon else "")
        for paragraph in parse_markup(text)
        for span in paragraph.spans
    )
    assert re.sub(r"[^ab1.]", "", found) == re.sub(r"[^ab1.]", "", text)
    for sign in "*_:\\":
        assert found.count(sign) <= text.count(sign)


@given(marked)
@examples(300)
def test_stars_are_taken_away_only_in_pairs(text: str) -> None:
    for sign in "*_":
        taken = text.count(sign) - sum(
            span.text.count(sign) for paragraph in parse_markup(text) for span in paragraph.spans
        )
        assert taken % 2 == 0


@given(any_text() | marked)
@examples(300)
def test_any_text_can_be_read(text: str) -> None:
    found = parse_markup(text)
    assert bool(found) == bool(text.strip())
    for paragraph in found:
        assert all("\n" not in span.text and "\t" not in span.text for span in paragraph.spans)
        assert all("  " not in span.text for span in paragraph.spans)
        assert all(0 <= span.face <= BOLD | ITALIC for span in paragraph.spans)


def test_marks_in_great_number_are_parsed_in_a_moment() -> None:
    start = time.process_time()
    brackets, blanks = "[" * 30_000 + "]{a}" * 30_000, "x" + " " * 90_000 + "<br>"
    for text in ("*a **b " * 9_000, "_a*" * 9_000, "\\*" * 60_000, brackets, blanks):
        parse_markup(text)
    assert time.process_time() - start < 4
