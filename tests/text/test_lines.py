"""Lines: the least number of them, better ends, hyphens, and where a word may break."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import assume, event, example, given
from hypothesis import strategies as st
from strategies import (
    HYPHENATED,
    PLAIN,
    SLACK,
    SOFT,
    examples,
    find_right,
    find_typesetter,
    join_runs,
    join_words,
    lines_of_text,
    list_breaks,
    list_ends,
    make_font,
    make_material,
    measure_line,
    soft_words,
    texts,
)

from cardgen.template.model import Align, Style
from cardgen.text.lines import (
    SHORT_LAST_LINE,
    SHORT_WORD_LETTERS,
    Material,
    break_lines,
    find_widest,
    join_pieces,
    polish_breaks,
)
from cardgen.text.setting import Edged, InlineIcon, Rule, Run, SetBlock, set_block
from cardgen.text.shaping import Word, find_hyphens

FONT = make_font()

# The words of a paragraph by their widths in quarters of an em (so that sums are exact), and
# whether a space follows.
atoms = st.lists(st.tuples(st.integers(1, 16), st.booleans()), min_size=1, max_size=12)
quarters = st.integers(1, 80).map(lambda n: n / 4)


class Broken(NamedTuple):
    material: Material
    breaks: list[int]
    width: float


def fabricate(found: list[tuple[int, bool]]) -> Material:
    """Material of words with these widths; a letter for each half em."""
    material = Material()
    at = 0.0
    for quarters_wide, spaced in found:
        width = quarters_wide / 4
        text = "x" * max(1, quarters_wide // 2)
        material.words.append(Word(text, FONT.file, width))
        material.fonts.append(FONT)
        material.spaces.append(0.25 if spaced else 0.0)
        material.starts.append(at)
        material.ends.append(at + width)
        at += width + material.spaces[-1]
    material.spaces[-1] = 0.0
    stop = material.ends[-1]
    for end, space in zip(reversed(material.ends), reversed(material.spaces), strict=True):
        stop = end if space else stop
        material.stops.insert(0, stop)
    return material


@st.composite
def paragraphs(draw: st.DrawFn, make: st.SearchStrategy[Material]) -> Broken:
    """A paragraph in a room for two lines or more, each word narrower than the room."""
    material = draw(make)
    widest, _ = find_widest(material)
    whole = measure_line(material, 0, len(material))
    assume(whole > widest + 0.1)
    width = widest + (whole - widest) * draw(st.integers(0, 99)) / 100
    breaks = break_lines(material, width)
    assert breaks is not None and len(breaks) > 1
    return Broken(material, breaks, width)


def break_anew(text: str, share: float) -> Broken:
    material = make_material(text)
    width = measure_line(material, 0, len(material)) * share
    return Broken(material, break_lines(material, width) or [], width)


def break_short(text: str) -> Broken:
    """A paragraph in a room that is a little too narrow for one line."""
    material = make_material(text)
    width = measure_line(material, 0, len(material)) - 0.5
    breaks = break_lines(material, width)
    assert breaks is not None
    return Broken(material, breaks, width)


def polish(broken: Broken, *, even: bool, last_free: bool = False) -> list[int]:
    """Other breaks of a paragraph, as many as it has, whose lines fit."""
    material, breaks, width = broken
    polished = polish_breaks(material, breaks, width, even=even, last_free=last_free)
    assert len(polished) == len(breaks)
    check_breaks(material, polished, width)
    return polished


def show_lines(material: Material, breaks: list[int]) -> list[str]:
    lines = []
    for at, end in pairwise([0, *breaks]):
        parts = zip(material.words[at:end], material.spaces[at:end], strict=True)
        lines.append("".join(word.text + " " * (space > 0) for word, space in parts).strip())
    return lines


def is_lonely(material: Material, breaks: list[int], width: float = 0.0) -> bool:
    """Whether the last line is a single word, of few letters or narrow for its width."""
    start = breaks[-2] if len(breaks) > 1 else 0
    letters = sum(len(word.text) for word in material.words[start:])
    narrow = material.ends[-1] - material.starts[start] < SHORT_LAST_LINE * width
    return (letters <= SHORT_WORD_LETTERS or narrow) and not any(material.spaces[start:-1])


def find_raggedness(material: Material, breaks: list[int], width: float) -> float:
    """The squared white space of all lines."""
    return sum((width - measure_line(material, at, end)) ** 2 for at, end in pairwise([0, *breaks]))


def check_breaks(material: Material, breaks: list[int], width: float) -> None:
    assert all(at < end for at, end in pairwise([0, *breaks]))
    assert set(breaks) <= set(list_ends(material))
    assert breaks[-1] == len(material)
    for at, end in pairwise([0, *breaks]):
        assert measure_line(material, at, end) <= width + SLACK


# The least number of lines


def count_fewest_lines(material: Material, width: float) -> float:
    """By trying every way to break."""
    fewest = {0: 0.0}
    for end in list_ends(material):
        options = [
            count + 1
            for at, count in fewest.items()
            if measure_line(material, at, end) <= width + SLACK
        ]
        fewest[end] = min(options, default=float("inf"))
    return fewest[len(material)]


@given(atoms, quarters)
@examples(300)
def test_there_are_no_fewer_lines_than_there_are(
    found: list[tuple[int, bool]], width: float
) -> None:
    material = fabricate(found)
    breaks = break_lines(material, width)
    fewest = count_fewest_lines(material, width)
    assert (len(breaks) if breaks else float("inf")) == fewest
    if breaks:
        check_breaks(material, breaks, width)


@given(lines_of_text, st.floats(1, 40))
@examples(100)
def test_real_texts_take_no_more_lines_than_they_must(text: str, width: float) -> None:
    material = make_material(text)
    breaks = break_lines(material, width)
    assert (len(breaks) if breaks else float("inf")) == count_fewest_lines(material, width)
    if breaks:
        check_breaks(material, breaks, width)


@given(lines_of_text, st.floats(1, 40))
@examples(100)
def test_only_a_word_wider_than_the_room_cannot_be_set(text: str, width: float) -> None:
    material = make_material(text)
    widest, word = find_widest(material)
    assert (break_lines(material, width) is None) == (widest > width + SLACK)
    assert word == "" or word in text.replace(SOFT, "").replace("*", "")


def test_the_widest_word_is_named_with_what_belongs_to_it() -> None:
    assert find_widest(make_material("an Un**breakable**, one"))[1] == "Unbreakable,"
    assert find_widest(make_material(f"Un{SOFT}break{SOFT}able"))[1] == "break"
    assert find_widest(make_material("Infantry/Cavalry"))[1] == "Infantry/"


@given(lines_of_text, st.floats(5, 40), st.floats(0, 20))
@examples(100)
def test_a_wider_room_never_takes_more_lines(text: str, width: float, more: float) -> None:
    material = make_material(text)
    narrow, wide = break_lines(material, width), break_lines(material, width + more)
    if narrow is not None:
        assert wide is not None
        assert len(wide) <= len(narrow)


def test_a_paragraph_broken_twice_is_broken_anew() -> None:
    material = make_material("one two three four")
    first = break_lines(material, 6)
    assert break_lines(material, 100) == [4]
    assert break_lines(material, 6) == first
    assert break_lines(material, 0.5) is None


# Better ends

spaced = st.lists(
    st.tuples(st.integers(1, 16), st.sampled_from([True, True, False])), min_size=3, max_size=12
).map(fabricate)
softened = join_words(soft_words, 8).map(make_material)
marked = lines_of_text.map(make_material)


@given(paragraphs(spaced))
@example(Broken(fabricate([(5, True), (8, True), (2, False)]), [2, 3], 4.0))
@examples(300)
def test_no_short_word_stays_alone_where_another_break_avoids_it(broken: Broken) -> None:
    material, breaks, width = broken
    polished = polish(broken, even=False)
    if not is_lonely(material, breaks, width):
        assert polished == breaks
    if is_lonely(material, polished):
        event("lonely")
        others = list_breaks(material, width, len(breaks))
        assert all(is_lonely(material, other) for other in others)


def test_a_short_last_word_takes_another_with_it() -> None:
    material, breaks, width = break_short("The unit may re-roll any Attack dice in it")
    assert show_lines(material, breaks) == ["The unit may re-roll any Attack dice in", "it"]
    polished = polish_breaks(material, breaks, width, even=False)
    assert show_lines(material, polished) == ["The unit may re-roll any Attack dice", "in it"]


def test_a_long_last_word_may_stay_alone() -> None:
    material, breaks, width = break_short("Each of them is Unbreakable")
    assert show_lines(material, breaks) == ["Each of them is", "Unbreakable"]
    assert polish_breaks(material, breaks, width, even=False) == breaks


@given(paragraphs(softened), st.booleans())
@example(break_anew(f"Infantry Cavalry un{SOFT}do", 0.93), False)
@examples(200)
def test_part_of_a_word_does_not_stay_alone_where_another_break_avoids_it(
    broken: Broken, even: bool
) -> None:
    material, breaks, width = broken
    polished = polish(broken, even=even)
    if is_lonely(material, polished):
        others = list_breaks(material, width, len(breaks))
        assert all(is_lonely(material, other) for other in others)


@given(paragraphs(spaced))
@examples(300)
def test_even_lines_are_as_even_as_can_be(broken: Broken) -> None:
    material, breaks, width = broken
    even = polish(broken, even=True)

    def judge(chosen: list[int]) -> float:
        lonely = width * width * is_lonely(material, chosen, width)
        return find_raggedness(material, chosen, width) + lonely

    best = min(map(judge, list_breaks(material, width, len(breaks))))
    assert judge(even) == pytest.approx(best, abs=1e-3)
    if is_lonely(material, even):
        others = list_breaks(material, width, len(breaks))
        assert all(is_lonely(material, other) for other in others)


@given(paragraphs(marked))
@examples(100)
def test_even_lines_are_no_more_ragged_than_the_first_breaks(broken: Broken) -> None:
    material, breaks, width = broken
    even = polish(broken, even=True)
    # To end well, or to keep a word whole, is worth some raggedness.
    if not material.pieces and not is_lonely(material, breaks, width):
        ragged = find_raggedness(material, even, width)
        before = find_raggedness(material, breaks, width)
        assert ragged <= before + 1e-3
        event("compared")


@given(paragraphs(marked))
@examples(100)
def test_justified_lines_are_as_many_and_fit(broken: Broken) -> None:
    polish(broken, even=True, last_free=True)


@pytest.mark.parametrize("last_free", [False, True])
def test_even_lines_leave_no_short_word_alone(last_free: bool) -> None:
    material, breaks, width = break_short("The unit may re-roll any Attack dice in it")
    assert is_lonely(material, breaks)
    even = polish_breaks(material, breaks, width, even=True, last_free=last_free)
    assert not is_lonely(material, even)


def test_centred_lines_are_evened_out() -> None:
    material, breaks, width = break_short("one two three four five six")
    assert show_lines(material, breaks) == ["one two three four five", "six"]
    even = polish_breaks(material, breaks, width, even=True)
    assert show_lines(material, even) == ["one two three", "four five six"]


# Hyphens


@given(join_words(soft_words), st.floats(2, 30))
@examples(150)
def test_a_hyphen_shows_only_at_the_end_of_a_line(text: str, width: float) -> None:
    material = make_material(text)
    breaks = break_lines(material, width)
    assume(breaks is not None)
    assert breaks is not None
    whole: list[str] = []
    for at, end in pairwise([0, *breaks]):
        line = join_pieces(material, at, end)
        shown = ["".join(glyph[4] for glyph in word.list_glyphs()) for word in line.words]
        assert not any(SOFT in word for word in shown[:-1])
        if end == len(material) or material.spaces[end - 1] > 0:
            assert SOFT not in shown[-1]
        elif not shown[-1].endswith(("-", "/", "—")):
            assert shown[-1].endswith(SOFT)
            event("broken at a soft hyphen")
        # What is set is what was measured, but for the kerning between the parts.
        assert line.width <= measure_line(material, at, end) + 0.05
        for word, space in zip(line.words, line.spaces, strict=True):
            whole.append(word.text + " " * (space > 0))
    assert "".join(whole) == text.replace(SOFT, "")


def test_the_parts_of_an_unbroken_word_are_shaped_as_one() -> None:
    material = make_material(f"of{SOFT}fi{SOFT}cer")
    line = join_pieces(material, 0, len(material))
    (word,) = line.words
    assert word.list_glyphs() == FONT["officer"].list_glyphs()
    assert word.width == FONT["officer"].width


def test_a_word_broken_once_is_whole_on_both_sides() -> None:
    material = make_material(f"im{SOFT}me{SOFT}di{SOFT}ate{SOFT}ly")
    assert [word.text for word in material.words] == ["im", "me", "di", "ate", "ly"]
    first, last = join_pieces(material, 0, 3), join_pieces(material, 3, 5)
    assert [word.text for word in first.words] == ["immedi"]
    assert first.width == pytest.approx(FONT["immedi-"].width)
    assert [word.text for word in last.words] == ["ately"]
    assert last.width == pytest.approx(FONT["ately"].width)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("4-5", ["4-5"]),
        ("-15", ["-15"]),
        ("re-roll", ["re-roll"]),
        ("re-rolls,", ["re-rolls,"]),
        ("x/y", ["x/y"]),
        ("2D6-based", ["2D6-based"]),
        ("co-op/PvP", ["co-op/PvP"]),
        ("-", ["-"]),
        ("half-", ["half-"]),
        ("half-way", ["half-", "way"]),
        ("well-known", ["well-", "known"]),
        ("Infantry/Cavalry/Chariot", ["Infantry/", "Cavalry/", "Chariot"]),
        ("Müh-süß", ["Müh-", "süß"]),
        ("either–or–not", ["either–or–not"]),
        ("Monday–Friday", ["Monday–", "Friday"]),
        ("stop—or", ["stop—", "or"]),
        ("—so", ["—so"]),
        (f"un{SOFT}do", ["un", "do"]),
        (f"{SOFT}undo{SOFT}", ["undo"]),
        ("10\u00a0cm", ["10\u00a0cm"]),
        ("and/or", ["and/or"]),
        ("wheel_of_fortune", ["wheel_", "of_", "fortune"]),
        ("____", ["____"]),
        ("https://a.example/b2/c_d?e=f", ["https://", "a.example/", "b2/", "c_", "d?e=f"]),
    ],
)
def test_where_a_word_may_break(word: str, parts: list[str]) -> None:
    material = make_material(word)
    ends = list_ends(material)
    found = [
        "".join(word.text for word in material.words[at:end]) for at, end in pairwise([0, *ends])
    ]
    assert [part.replace(SOFT, "") for part in found] == parts


def test_words_are_hyphenated_only_where_a_style_asks_for_it() -> None:
    text = "immediately Unbreakable"
    assert PLAIN.hyphenate is False
    assert len(list_ends(make_material(text))) == 2
    assert len(list_ends(make_material(text, HYPHENATED))) > 4


def test_words_are_hyphenated_by_the_decks_language() -> None:
    def split(word: str, language: str) -> list[str]:
        return [part.text for part in make_material(word, HYPHENATED, language).words]

    assert split("Silbentrennung", "de") == ["Sil", "ben", "tren", "nung"]
    assert split("Silbentrennung", "de-AT") == ["Sil", "ben", "tren", "nung"]
    assert split("Silbentrennung", "en-GB") != ["Sil", "ben", "tren", "nung"]
    assert split("Silbentrennung", "tlh") == ["Silbentrennung"]


@pytest.mark.parametrize("word", ["into", "word", "2D6", "+1", "", "a-b", "———"])
def test_short_words_and_numbers_are_not_hyphenated(word: str) -> None:
    assert find_hyphens("en-GB", word) == ()


def test_punctuation_around_a_word_does_not_hinder_hyphenation() -> None:
    plain = find_hyphens("en-GB", "immediately")
    assert plain
    assert find_hyphens("en-GB", "(immediately),") == tuple(at + 1 for at in plain)


def test_finnish_is_hyphenated_before_the_consonant_of_a_syllable() -> None:
    def part(word: str) -> str:
        at = find_hyphens("fi", word)
        return "-".join(word[a:b] for a, b in zip((0, *at), (*at, len(word)), strict=True))

    assert part("hyökkäyksessä,") == "hyök-käyk-ses-sä,"
    assert part("Omena") == "Ome-na"
    assert part("yö") == "yö"


def test_a_soft_hyphen_says_where_a_word_may_break_and_nowhere_else() -> None:
    words = make_material(f"immediate{SOFT}ly", HYPHENATED).words
    assert [word.text for word in words] == ["immediate", "ly"]


# Lines at their places

SIZE = 10.0


def lay(text: str, width: float, align: Align = "left", **changes: object) -> SetBlock:
    style = PLAIN._replace(align=align, **changes)  # type: ignore[arg-type]
    typesetter = find_typesetter()
    return typesetter.set_text(typesetter.make_block(style, text), style, SIZE, width)


Placed = Run | InlineIcon | Rule


def list_placed(text: SetBlock) -> list[Placed]:
    return [piece for piece in text.pieces if not isinstance(piece, Edged)]


def split_lines(text: SetBlock) -> list[list[Placed]]:
    pieces = list_placed(text)
    ends = pairwise([*text.lines, len(pieces)])
    return [pieces[at:end] for at, end in ends]


def find_edges(line: list[Placed]) -> tuple[float, float]:
    """Where the first letter of a line begins, and its last one ends."""
    last = line[-1]
    assert not isinstance(last, Rule)
    right = find_right(last) if isinstance(last, Run) else last.x + 1.1 * last.size
    return line[0].x, right


LONG = "The unit may **re-roll any** Attack :sword: dice, *once in each* round of combat it fights"


@pytest.mark.parametrize("align", ["left", "centre", "right"])
def test_lines_are_aligned(align: Align) -> None:
    lines = split_lines(lay(LONG, 120.0, align))
    assert len(lines) >= 3
    for line in lines:
        left, right = find_edges(line)
        spare = 120 - (right - left)
        expected = {"left": 0, "centre": spare / 2, "right": spare}[align]
        assert left == pytest.approx(expected, abs=0.01)


def test_justified_lines_fill_their_measure_but_for_the_last() -> None:
    lines = split_lines(lay(LONG, 120.0, "justify"))
    assert len(lines) >= 3
    for line in lines[:-1]:
        assert list(find_edges(line)) == pytest.approx([0, 120], abs=0.01)
    left, right = find_edges(lines[-1])
    assert left == 0 and right < 119
    assert all(piece.stretch == 0 for piece in lines[-1] if isinstance(piece, Run))


def test_the_spaces_of_a_justified_line_are_equally_wide() -> None:
    text = lay("one **two** three *four* five six seven eight nine", 100.0, "justify")
    first, *_ = split_lines(text)
    stretches = {round(piece.stretch, 6) for piece in first if isinstance(piece, Run)}
    assert len(stretches) == 1
    for before, after in pairwise(first):
        assert isinstance(before, Run) and isinstance(after, Run)
        space = FONT.space * SIZE + before.stretch
        assert after.x - find_right(before) == pytest.approx(space, abs=0.05)


def test_the_last_line_of_each_paragraph_is_not_stretched() -> None:
    text = lay("one two three four five six\n\nseven\\\neight nine", 70.0, "justify")
    stretched = {
        " ".join(word.text for word in piece.words): piece.stretch > 0
        for piece in text.pieces
        if isinstance(piece, Run)
    }
    *_, six, seven, nine = stretched
    assert six.endswith("six") and (seven, nine) == ("seven", "eight nine")
    assert list(stretched.values()) == [True] * (len(stretched) - 3) + [False] * 3
    assert len(stretched) > 3


def test_baselines_are_a_leading_apart() -> None:
    style = Style(leading=1.5, paragraph=0.5)
    typesetter = find_typesetter()
    block = typesetter.make_block(style, "one\\\ntwo\n\nthree")
    text = typesetter.set_text(block, style, SIZE, 100, x=3, y=7)
    cap = FONT.file.cap_height * SIZE
    assert [piece.y for piece in list_placed(text)] == pytest.approx(
        [7 + cap, 7 + cap + 15, 7 + cap + 35]
    )
    assert {piece.x for piece in list_placed(text)} == {3}
    assert text.height == pytest.approx(cap + 35 + FONT.file.depth * SIZE)


@given(texts, st.floats(60, 300), st.sampled_from(["left", "centre", "right", "justify"]))
@examples(150)
def test_no_line_is_set_wider_than_its_box(text: str, width: float, align: Align) -> None:
    typesetter = find_typesetter()
    style = PLAIN._replace(align=align)
    block = typesetter.make_block(style, text)
    assume(all(break_lines(material, width / SIZE) for material in block.paragraphs))
    pieces = list_placed(set_block(block, SIZE, width, style.colour, align))
    for piece in pieces:
        right = find_right(piece) if isinstance(piece, Run) else piece.x + SIZE
        assert piece.x >= -0.5
        assert right <= width + 0.5
    found = join_runs([piece for piece in pieces if isinstance(piece, Run)])
    letters = [c for line in found for c in line if c.isalnum()]
    wanted = text.replace(":sword:", "").replace(":shield:", "")
    assert sorted(letters) == sorted(c for c in wanted if c.isalnum())


def test_a_word_put_together_again_is_no_wider_than_its_room() -> None:
    """Kerning between the parts of an unbroken word counts when it is measured."""
    material = make_material(f"half{SOFT}back")
    (word,) = join_pieces(material, 0, 2).words
    assert break_lines(material, word.width - 0.01) != [2]
    assert break_lines(material, word.width) == [2]


def test_an_empty_line_stands_where_it_is_written() -> None:
    for align in ("left", "centre", "right", "justify"):
        text = lay("one\\\n\\\nthree", 100.0, align)
        one, three = list_placed(text)
        assert three.y - one.y == pytest.approx(2 * 1.2 * SIZE)
        assert text.height == pytest.approx(
            2 * 1.2 * SIZE + (FONT.file.cap_height + FONT.file.depth) * SIZE
        )


# A number stays with what it counts


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("re-rolls any 1 hit", ["re-rolls any", "1 hit"]),
        ("re-rolls any +1 hit", ["re-rolls any", "+1 hit"]),
        ("re-rolls any \N{MINUS SIGN}1 hit", ["re-rolls any", "\N{MINUS SIGN}1 hit"]),
        ("re-rolls any 1000 hits", ["re-rolls any 1000", "hits"]),
        ("re-rolls any one hit", ["re-rolls any one", "hit"]),
    ],
)
def test_no_line_ends_behind_a_number_that_counts(text: str, lines: list[str]) -> None:
    material = make_material(text)
    place = text.rindex(" ")
    width = measure_line(make_material(text[:place]), 0, text.count(" "))
    assert show_lines(material, break_lines(material, width) or []) == lines


def test_a_number_in_bold_stays_with_the_plain_word_behind_it() -> None:
    material = make_material("at **\N{MINUS SIGN}1** Command")
    assert find_widest(material)[1] == "\N{MINUS SIGN}1 Command"


def test_a_row_of_numbers_breaks_anywhere() -> None:
    material = make_material(" ".join(map(str, range(1, 60))))
    assert find_widest(material)[1] in map(str, range(1, 60))


def test_better_ends_part_no_number_from_its_word() -> None:
    for share in range(20, 100):
        found = break_anew("The enemy re-rolls any 1 hit of the 3 hits on it, or 2", share / 100)
        if not found.breaks:
            continue
        better = polish_breaks(found.material, found.breaks, found.width, even=True)
        for line in show_lines(found.material, better)[:-1]:
            assert not line.endswith((" 1", " 3")), (share, line)
