"""Lengths, colours and rectangles: what is read, what is refused and how, and the arithmetic."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_text, examples

from cardgen.core.colour import BLACK, WHITE, Across, Colour, Gradient, parse_cmyk, parse_rgb
from cardgen.core.errors import Refusal, shorten
from cardgen.core.geometry import Insets, Rect
from cardgen.core.units import MM, Length, format_mm, format_pt, parse_length, parse_points

POINTS = {"pt": 1, "mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72}

numbers = st.decimals(min_value=-10_000, max_value=10_000, places=4, allow_nan=False)


# Lengths


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("9pt", 9),
        ("25.4mm", 72),
        ("2.54cm", 72),
        ("2.5in", 180),
        ("0", 0),
        ("-0", 0),
        ("0mm", 0),
        (" 3 mm ", 3 * 72 / 25.4),
        ("+3mm", 3 * 72 / 25.4),
        ("-3mm", -3 * 72 / 25.4),
        (".5in", 36),
        ("5.pt", 5),
        ("1IN", 72),
        ("25.4Mm", 72),
    ],
)
def test_a_length_is_read_in_points(text: str, points: float) -> None:
    assert parse_points(text) == pytest.approx(points)
    assert parse_length(text) == Length(points=parse_points(text))


@pytest.mark.parametrize(("text", "share"), [("50%", 0.5), ("12.5 %", 0.125), ("-10%", -0.1)])
def test_a_percentage_is_a_share_of_what_the_parent_offers(text: str, share: float) -> None:
    assert parse_length(text) == Length(share=share)
    assert parse_length(text).of(200) == pytest.approx(share * 200)


def test_an_absolute_length_does_not_depend_on_the_parent() -> None:
    assert parse_length("9pt").of(200) == parse_length("9pt").of(0) == 9


@given(numbers, st.sampled_from(sorted(POINTS)))
@examples(100)
def test_every_number_is_read_in_every_unit(number: object, unit: str) -> None:
    assert parse_points(f"{number}{unit}") == pytest.approx(float(str(number)) * POINTS[unit])


@given(numbers)
@examples(50)
def test_units_agree_with_each_other(number: object) -> None:
    inches = float(str(number))
    points = parse_points(f"{inches:.4f}in")
    assert points == pytest.approx(parse_points(f"{inches * 25.4:.6f}mm"), abs=1e-4)
    assert points == pytest.approx(parse_points(f"{inches * 2.54:.6f}cm"), abs=1e-4)
    assert points == pytest.approx(parse_points(f"{inches * 72:.6f}pt"), abs=1e-4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5", '"5" has no unit; write 5mm or 5pt'),
        (" 2.5 ", '"2.5" has no unit; write 2.5mm or 2.5pt'),
        ("3px", 'unknown unit "px" in "3px"; known units: mm, cm, in, pt, %'),
        ("3 Em", 'unknown unit "Em" in "3 Em"; known units: mm, cm, in, pt, %'),
        ("0px", 'unknown unit "px" in "0px"; known units: mm, cm, in, pt, %'),
        ("", '"" is not a length; write a number and a unit, as in 3mm'),
        ("mm", '"mm" is not a length; write a number and a unit, as in 3mm'),
        ("1,5mm", '"1,5mm" is not a length; write 1.5mm'),
        ("3mm 4mm", '"3mm 4mm" is not a length; write a number and a unit, as in 3mm'),
        ("1e3mm", '"1e3mm" is not a length; write a number and a unit, as in 3mm'),
        ("--3mm", '"--3mm" is not a length; write a number and a unit, as in 3mm'),
        ("nanmm", '"nanmm" is not a length; write a number and a unit, as in 3mm'),
    ],
)
def test_what_is_no_length_is_an_error(text: str, message: str) -> None:
    for read in (parse_length, parse_points):
        with pytest.raises(Refusal) as caught:
            read(text)
        assert str(caught.value) == message


def test_pixels_are_told_in_millimetres() -> None:
    with pytest.raises(Refusal) as caught:
        parse_length("38px")
    assert caught.value.hint == "where 300 pixels are an inch, 38 are 3.22mm"


def test_a_percentage_is_no_absolute_length() -> None:
    with pytest.raises(Refusal) as caught:
        parse_points(" 50% ")
    assert str(caught.value) == '"50%" must be a fixed length, not a percentage'


@given(st.text(alphabet="0123456789.+-% mcintpxé\n", max_size=12) | any_text(max_size=12))
@examples(200)
def test_any_text_is_a_length_or_an_error_that_quotes_it(text: str) -> None:
    try:
        length = parse_length(text)
    except Refusal as error:
        assert any(f'"{one}"' in str(error) for one in (text, text.strip(), shorten(text)))
    else:
        assert re.search(r"\d", text)
        assert length.points == 0 or length.share == 0


@pytest.mark.parametrize(
    ("points", "mm", "pt"),
    [
        (0, "0mm", "0pt"),
        (180, "63.5mm", "180pt"),
        (72 / 25.4, "1mm", "2.83pt"),
        (7200 / 25.4, "100mm", "283.46pt"),
        (9.5, "3.35mm", "9.5pt"),
        (-9, "-3.18mm", "-9pt"),
    ],
)
def test_a_length_is_written_as_a_person_measures_it(points: float, mm: str, pt: str) -> None:
    assert (format_mm(points), format_pt(points)) == (mm, pt)


@given(st.floats(0, 20_000))
@examples(100)
def test_what_is_written_is_read_again(points: float) -> None:
    assert parse_points(format_mm(points)) == pytest.approx(points, abs=0.0051 * MM)
    assert parse_points(format_pt(points)) == pytest.approx(points, abs=0.0051)
    for text in (format_mm(points), format_pt(points)):
        assert re.fullmatch(r"\d+(\.\d?[1-9])?(mm|pt)", text)


# Colours


@pytest.mark.parametrize(
    "text", ["0 20 100 5", "0,20,100,5", "0, 20, 100, 5", "0% 20% 100% 5%", " 0 20.0  100 5 "]
)
def test_a_cmyk_colour_is_four_percentages(text: str) -> None:
    assert parse_cmyk(text) == Colour("cmyk", (0, 0.2, 1, 0.05))


def test_an_rgb_colour_is_six_hex_digits() -> None:
    assert parse_rgb(" #8a1CFF ") == Colour("rgb", (138 / 255, 28 / 255, 1))


@given(st.tuples(*[st.integers(0, 100)] * 4))
@examples(50)
def test_every_cmyk_colour_keeps_its_inks(inks: tuple[int, ...]) -> None:
    colour = parse_cmyk(" ".join(map(str, inks)))
    assert colour.space == "cmyk"
    assert colour.values == pytest.approx([ink / 100 for ink in inks])


@given(st.binary(min_size=3, max_size=3))
@examples(50)
def test_every_rgb_colour_keeps_its_bytes(bytes_: bytes) -> None:
    colour = parse_rgb(f"#{bytes_.hex()}")
    assert bytes(round(value * 255) for value in colour.values) == bytes_


@pytest.mark.parametrize(
    "text", ["", "0 0 0", "0 0 0 0 0", "0 0 0 101", "-1 0 0 0", "a b c d", "nan 0 0 0", "inf 0 0 0"]
)
def test_what_is_no_cmyk_colour_is_an_error(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_cmyk(text)
    assert str(caught.value) == (
        f'"{text}" is not a CMYK colour; write four percentages, as in 0 20 100 5'
    )


@pytest.mark.parametrize("text", ["", "8a1c1c", "#8a1c1", "#8a1c1c0", "#8a1c1g", "red", "#８a1c1c"])
def test_what_is_no_rgb_colour_is_an_error(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_rgb(text)
    assert str(caught.value) == (f'"{text}" is not an RGB colour; write #8a1c1c or 138 28 28')


def test_paints_are_written_as_golden_texts_show_them() -> None:
    assert str(BLACK) == "cmyk(0 0 0 1)"
    assert str(parse_rgb("#ff0033")) == "rgb(1 0 0.2)"
    gradient = Gradient(Across(45), ((0, WHITE), (0.25, BLACK)))
    assert str(gradient) == "gradient(45: cmyk(0 0 0 0) 0, cmyk(0 0 0 1) 0.25)"


# Rectangles

whole = st.integers(-50, 50)
sides = st.integers(1, 50)
rects = st.builds(Rect, whole, whole, sides, sides)
insets = st.builds(Insets, *[st.integers(0, 20)] * 4)


def test_a_rectangle_is_inset_side_by_side() -> None:
    rect = Rect(10, 20, 100, 50)
    assert rect.inset(Insets(left=1, top=2, right=3, bottom=4)) == Rect(11, 22, 96, 44)
    assert rect.outset(Insets(left=1, top=2, right=3, bottom=4)) == Rect(9, 18, 104, 56)
    assert rect.inset(Insets.even(5)) == Rect(15, 25, 90, 40)
    assert (rect.right, rect.bottom) == (110, 70)


@given(rects, insets)
@examples(50)
def test_outset_undoes_inset(rect: Rect, by: Insets) -> None:
    assert rect.inset(by).outset(by) == rect
    assert rect.outset(by).inset(by) == rect
    assert rect.outset(by).contains(rect)


@given(rects, rects)
@examples(200)
def test_rectangles_overlap_as_their_squares_do(one: Rect, other: Rect) -> None:
    def squares(rect: Rect) -> set[tuple[float, float]]:
        xs = range(int(rect.x), int(rect.right))
        return {(x, y) for x in xs for y in range(int(rect.y), int(rect.bottom))}

    assert one.overlaps(other) == bool(squares(one) & squares(other)) == other.overlaps(one)
    assert one.contains(other) == (squares(one) >= squares(other))


def test_rectangles_that_touch_do_not_overlap() -> None:
    rect = Rect(0, 0, 10, 10)
    for beside in (Rect(10, 0, 10, 10), Rect(0, 10, 10, 10)):
        assert not rect.overlaps(beside)
        assert not beside.overlaps(rect)
    assert not rect.overlaps(Rect(9.995, 0, 10, 10))
    assert rect.overlaps(Rect(9.9, 0, 10, 10))
    assert rect.overlaps(Rect(9.995, 0, 10, 10), tolerance=0)


def test_a_rectangle_may_stand_out_by_the_tolerance() -> None:
    rect = Rect(0, 0, 10, 10)
    assert rect.contains(Rect(-0.009, -0.009, 10.018, 10.018))
    for inner in (
        Rect(-0.02, 0, 5, 5),
        Rect(0, -0.02, 5, 5),
        Rect(0, 0, 10.02, 5),
        Rect(0, 0, 5, 10.02),
    ):
        assert not rect.contains(inner)
        assert rect.contains(inner, tolerance=0.03)
