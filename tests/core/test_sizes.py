"""Names of sizes, and sizes spelled out."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import any_text

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Size
from cardgen.core.units import CARD_SIZES, MM, PAPER_SIZES, parse_size


def in_mm(size: Size) -> tuple[float, float]:
    return (round(size.width / MM, 3), round(size.height / MM, 3))


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("poker", (63.5, 88.9)),
        ("standard", (63, 88)),
        ("bridge", (57.15, 88.9)),
        ("tarot", (70, 120)),
        ("tarot-us", (69.85, 120.65)),
        ("mini", (44.45, 63.5)),
        ("mini-euro", (44, 68)),
        ("mini-us", (41, 63)),
        ("us", (56, 87)),
        ("japanese", (59, 86)),
        ("square", (70, 70)),
        ("square-us", (88.9, 88.9)),
        ("jumbo", (88.9, 139.7)),
        ("a3", (297, 420)),
        ("a4", (210, 297)),
        ("a5", (148, 210)),
        ("a6", (105, 148)),
        ("letter", (215.9, 279.4)),
        ("legal", (215.9, 355.6)),
        ("tabloid", (279.4, 431.8)),
        (" A4 ", (210, 297)),
        ("a4 landscape", (297, 210)),
        ("A4-Landscape", (297, 210)),
        ("mini-euro landscape", (68, 44)),
        ("70mm x 90mm", (70, 90)),
        ("2.5in×3.5in", (63.5, 88.9)),
        ("7cm x 72pt", (70, 25.4)),
    ],
)
def test_a_size_is_read(text: str, sides: tuple[float, float]) -> None:
    assert in_mm(parse_size(text)) == sides


def test_every_named_size_is_tested_above() -> None:
    marks = test_a_size_is_read.pytestmark  # type: ignore[attr-defined]
    tested = {text for text, _ in marks[0].args[1]}
    assert set(CARD_SIZES) | set(PAPER_SIZES) <= tested


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pokre", 'unknown size "pokre"; did you mean "poker"?'),
        ("a44 landscape", 'unknown size "a44"; did you mean "a4"?'),
        (
            "postcard of mine",
            'unknown size "postcard of mine"; size names: a3, a4, a5, a6, bridge, japanese, jumbo, '
            "legal, letter, mini, mini-euro, mini-us, poker, square, square-us, standard, tabloid, "
            "tarot, tarot-us, us; or write width x height, as in 63mm x 88mm",
        ),
        ("63mm", '"63mm" is not a size; write width x height, as in 63mm x 88mm'),
        ("", '"" is not a size; write width x height, as in 63mm x 88mm'),
        (
            "63mm x 88",
            '"63mm x 88" lacks a unit; write 63mm x 88mm',
        ),
        (
            "63mm x 88mm x 3mm",
            '"88mm x 3mm" is not a length; write a number and a unit, as in 3mm; '
            "write width x height, as in 63mm x 88mm",
        ),
        (
            "50% x 88mm",
            '"50%" must be a fixed length, not a percentage; '
            "write width x height, as in 63mm x 88mm",
        ),
        (
            "0 x 88mm",
            '"0 x 88mm" is not a size that can be printed; a side is 1mm to 5080mm long',
        ),
        (
            "63mm x 6000mm",
            '"63mm x 6000mm" is not a size that can be printed; a side is 1mm to 5080mm long',
        ),
        (
            "-63mm x 88mm",
            '"-63mm x 88mm" is not a size that can be printed; a side is 1mm to 5080mm long',
        ),
    ],
)
def test_a_wrong_size_names_the_cure(text: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_size(text)
    assert str(caught.value) == message


@given(any_text(max_size=30))
@example("1mm x 5080mm")
def test_any_text_is_a_printable_size_or_a_size_error(text: str) -> None:
    try:
        size = parse_size(text)
    except Refusal:
        return
    assert 2.8 < min(size) <= max(size) < 14_401


@given(
    st.floats(1.1, 5000).map(lambda side: round(side, 3)),
    st.floats(1.1, 5000).map(lambda side: round(side, 3)),
)
def test_a_spelled_out_size_keeps_width_and_height(width: float, height: float) -> None:
    assert in_mm(parse_size(f"{width}mm x {height}mm")) == pytest.approx((width, height))
