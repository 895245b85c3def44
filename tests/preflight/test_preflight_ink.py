"""How much ink functions, gradients, meshes and pictures come to, by what they must give."""

from __future__ import annotations

from typing import Any

import pytest
from pikepdf import Array, Dictionary, Name, Pdf
from preflight_files import add_content, add_picture, check, list_rules, make_picture, open_good

from cardgen.preflight.functions import read_calculator, read_function


@pytest.fixture
def pdf() -> Pdf:
    return Pdf.new()


def make_ramp(first: float, last: float) -> Dictionary:
    return Dictionary(
        FunctionType=2, Domain=Array([0, 1]), C0=Array([first]), C1=Array([last]), N=1
    )


def test_a_stitched_function() -> None:
    function = read_function(
        Dictionary(
            FunctionType=3,
            Domain=Array([0, 1]),
            Functions=Array([make_ramp(0, 1), make_ramp(5, 6)]),
            Bounds=Array([0.5]),
            Encode=Array([0, 1, 1, 0]),
        )
    )
    assert function
    assert [function((at,)) for at in (0, 0.25, 0.5, 1, 9)] == [(0,), (0.5,), (6,), (5,), (5,)]


def test_a_sampled_function(pdf: Pdf) -> None:
    stream = pdf.make_stream(
        bytes([0, 255, 255, 0]),
        FunctionType=0,
        Domain=Array([0, 1]),
        Range=Array([0, 1, 0, 2]),
        Size=Array([2]),
        BitsPerSample=8,
    )
    function = read_function(stream)
    assert function
    assert function((0,)) == (0, 2)
    assert function((0.5,)) == (0.5, 1)
    assert function((1,)) == (1, 0)


def test_a_sampled_function_of_two(pdf: Pdf) -> None:
    stream = pdf.make_stream(
        b"\x04\x8c",  # 0, 4, 8, 12 of 15
        FunctionType=0,
        Domain=Array([0, 1, 0, 1]),
        Range=Array([0, 15]),
        Size=Array([2, 2]),
        BitsPerSample=4,
    )
    function = read_function(stream)
    assert function
    corners = [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)]
    assert [function(corner)[0] for corner in corners] == pytest.approx([0, 4, 8, 12, 6])


def test_an_array_of_functions() -> None:
    function = read_function(Array([make_ramp(0, 1), make_ramp(1, 0)]))
    assert function
    assert function((0.25,)) == (0.25, 0.75)


@pytest.mark.parametrize(
    ("program", "given", "found"),
    [
        ("{ dup mul }", (3,), (9,)),
        ("{ 2 copy add 3 1 roll sub }", (5, 3), (8, 2)),
        ("{ exch 1 index pop }", (1, 2), (2, 1)),
        ("{ 0.5 gt { 1 } { 0 } ifelse }", (0.7,), (1,)),
        ("{ dup 0.5 lt { pop 9 } if }", (0.7,), (0.7,)),
        ("{ 7 2 idiv 7 2 mod 2 3 exp -1.5 abs % a comment\n }", (), (3, 1, 8, 1.5)),
        ("{ 90 sin 1 1 atan 2.5 truncate 10 log }", (), (1, 45, 2, 1)),
    ],
)
def test_a_calculator(program: str, given: tuple[float, ...], found: tuple[float, ...]) -> None:
    function = read_calculator(program.encode())
    assert function
    assert function(given) == pytest.approx(found)


@pytest.mark.parametrize("thing", [7, Dictionary(), Dictionary(FunctionType=9), Array([]), None])
def test_what_is_no_function(thing: Any) -> None:
    assert read_function(thing) is None


def put_mesh(pdf: Pdf, last: int) -> None:
    """A triangle whose third corner takes so much of each ink, of 255."""
    corners = [(0, 0, 0), (255, 0, 0), (0, 255, last)]
    data = b"".join(bytes([0, x, y, *([ink] * 4)]) for x, y, ink in corners)
    mesh = pdf.make_stream(
        data,
        ShadingType=4,
        ColorSpace=Name.DeviceCMYK,
        BitsPerCoordinate=8,
        BitsPerComponent=8,
        BitsPerFlag=8,
        Decode=Array([0, 40, 0, 40, 0, 1, 0, 1, 0, 1, 0, 1]),
    )
    pdf.pages[0].obj.Resources.Shading = Dictionary(Mesh=mesh)
    add_content(pdf, "1 0 0 1 60 60 cm 0 0 40 40 re W n /Mesh sh")


@pytest.mark.parametrize(("ink", "found"), [(180, []), (220, [("total-ink", "error")])])
def test_the_corners_of_a_mesh(ink: int, found: list[tuple[str, str]]) -> None:
    pdf = open_good("weasyprint-cmyk")
    put_mesh(pdf, ink)
    assert list_rules(check(pdf)) == found


@pytest.mark.parametrize(("strays", "found"), [(9, []), (11, [("total-ink", "error")])])
def test_a_few_pixels_may_stray(strays: int, found: list[tuple[str, str]]) -> None:
    """Ten of 10,000."""
    pdf = open_good("ghostscript")
    data = b"\xff" * (4 * strays) + bytes(4 * (10_000 - strays))
    add_picture(pdf, make_picture(pdf, 100, 100, Name.DeviceCMYK, data))
    assert list_rules(check(pdf)) == found


def test_ink_that_shines_through_counts_as_much_as_it_covers() -> None:
    pdf = open_good("ghostscript")
    pdf.pages[0].obj.Resources.ExtGState = Dictionary(Half=Dictionary(ca=0.5))
    add_content(pdf, "/Half gs 1 1 1 1 k 60 60 40 40 re f")
    assert list_rules(check(pdf)) == [("transparency", "note")]
