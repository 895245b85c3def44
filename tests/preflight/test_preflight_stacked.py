"""Ink that adds up where one paint overprints or multiplies upon another."""

from __future__ import annotations

import random
import zlib
from typing import Any

import pytest
from pikepdf import Array, Dictionary, Name, Pdf, String
from preflight_files import (
    ORIGINS,
    Put,
    add_content,
    add_picture,
    add_resource,
    check,
    find_text,
    list_rules,
    make_form,
    make_function,
    make_picture,
    open_good,
)

from cardgen.preflight import images, stacking
from cardgen.preflight.colours import SpaceReader
from cardgen.preflight.images import PictureReader, read_strips
from cardgen.preflight.ink import InkMeter, count_sums
from cardgen.preflight.marks import Picture

DEEP = "0.8 0.8 0.7 0 k"  # 230%
SQUARE = "40 40 60 60 re f"


def set_state(pdf: Pdf, **settings: Any) -> str:
    return add_resource(pdf, "ExtGState", Dictionary(Type=Name.ExtGState, **settings)) + " gs"


def over(pdf: Pdf) -> str:
    return set_state(pdf, op=True, OPM=1)


def lay(pdf: Pdf, state: str, upper: str, lower: str = DEEP) -> None:
    add_content(pdf, f"{lower} {SQUARE} {state} {upper} 50 50 30 30 re f")


def put_text(pdf: Pdf, state: str) -> None:
    font, text = find_text(pdf)
    add_content(
        pdf,
        f"{DEEP} {SQUARE} {state} 0 0 0 1 k BT {font} 9 Tf 50 60 Td <{text[:4].hex()}> Tj ET",
    )


def put_on_picture(pdf: Pdf, value: int) -> None:
    data = bytes([value, value, value, 0]) * 10_000
    add_picture(pdf, make_picture(pdf, 100, 100, Name.DeviceCMYK, data))  # at 60, 60; 20 wide
    add_content(pdf, f"{over(pdf)} 0 0 0 1 k 64 64 9 9 re f")


def put_in_form(pdf: Pdf) -> None:
    resources = Dictionary(ExtGState=Dictionary(S=Dictionary(op=True, OPM=1)))
    form = make_form(pdf, "/S gs 0 0 0 1 k 0 0 30 30 re f", resources)
    name = add_resource(pdf, "XObject", form)
    add_content(pdf, f"{DEEP} {SQUARE} 1 0 0 1 50 50 cm {name} Do")


STACKS: dict[str, tuple[Put, str]] = {
    "black upon colour": (lambda pdf: lay(pdf, over(pdf), "0 0 0 1 k"), "an area with 330% of"),
    "text": (lambda pdf: put_text(pdf, over(pdf)), "text with 330% of"),
    "multiply": (
        lambda pdf: lay(pdf, set_state(pdf, BM=Name.Multiply), "0 0 0.5 0.9 k"),
        "an area with 335% of",
    ),
    "multiply in part": (
        lambda pdf: lay(pdf, set_state(pdf, BM=Name.Multiply, ca=0.8), "0 0 0 1 k"),
        "an area with 310% of",
    ),
    "colour upon black": (
        lambda pdf: lay(pdf, over(pdf), "0.8 0.8 0.7 0 k", "0 0 0 1 k"),
        "an area with 330% of",
    ),
    "upon a picture": (lambda pdf: put_on_picture(pdf, 204), "an area with 340% of"),
    "in a form": (put_in_form, "an area with 330% of"),
    "upon what overprints": (
        lambda pdf: lay(pdf, f"{over(pdf)} 0 1 1 0 k {SQUARE}", "0 0 0 1 k", "1 0 0 0 k"),
        "an area with 400% of",
    ),
}


@pytest.mark.parametrize(("put", "message"), STACKS.values(), ids=STACKS)
@pytest.mark.parametrize("origin", ORIGINS)
def test_ink_that_adds_up(origin: str, put: Put, message: str) -> None:
    pdf = open_good(origin)
    put(pdf)
    (finding,) = (f for f in check(pdf).findings if f.rule != "transparency")
    assert (finding.rule, finding.severity) == ("total-ink", "error")
    assert finding.message.startswith(f"{message} ink together with what lies beneath it")


GOOD: dict[str, Put] = {
    "knocked out": lambda pdf: lay(pdf, "", "0 0 0 1 k"),
    "by plates": lambda pdf: lay(pdf, set_state(pdf, op=True), "0 0 0 1 k"),
    "little beneath": lambda pdf: lay(pdf, over(pdf), "0 0 0 1 k", "0.6 0.6 0.6 0 k"),
    "beside it": lambda pdf: add_content(
        pdf, f"{DEEP} {SQUARE} {over(pdf)} 0 0 0 1 k 120 50 30 30 re f"
    ),
    "white between": lambda pdf: lay(pdf, f"0 0 0 0 k 45 45 50 50 re f {over(pdf)}", "0 0 0 1 k"),
    "a shape between": lambda pdf: lay(
        pdf, f"0 0 0 0 k 45 45 m 95 45 l 95 95 l 45 90 l h f {over(pdf)}", "0 0 0 1 k"
    ),
    "beneath it": lambda pdf: add_content(
        pdf, f"{over(pdf)} 0 0 0 1 k 50 50 30 30 re f /Default gs {DEEP} {SQUARE}"
    ),
    "a light picture": lambda pdf: put_on_picture(pdf, 150),
}


@pytest.mark.parametrize("put", GOOD.values(), ids=GOOD)
def test_ink_that_does_not_add_up(put: Put) -> None:
    pdf = open_good("ghostscript")
    add_resource(pdf, "ExtGState", Dictionary(op=False))
    pdf.pages[0].obj.Resources.ExtGState.Default = Dictionary(op=False)
    put(pdf)
    assert list_rules(check(pdf)) == []


def test_only_the_part_of_a_picture_beneath_counts() -> None:
    """The upper half is dark; the text lies on the lower one."""
    for y, found in ((62, []), (71, [("total-ink", "error")])):
        pdf = open_good("ghostscript")
        data = b"\xcc\xcc\xcc\0" * 5000 + b"\x20\x20\x20\0" * 5000
        add_picture(pdf, make_picture(pdf, 100, 100, Name.DeviceCMYK, data))
        add_content(pdf, f"{over(pdf)} 0 0 0 1 k 64 {y} 9 6 re f")
        assert list_rules(check(pdf)) == found


@pytest.mark.parametrize("space", [Name.DeviceCMYK, "spot", "palette"])
def test_a_large_picture_is_read_strip_by_strip(
    space: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ink is the same to the last digit, and no more than a strip is unpacked at once."""
    width, height = 90, 100
    pdf = open_good("ghostscript")
    if space == "spot":
        tint = make_function((0, 0, 0, 0), (1, 1, 0.9, 0.8))
        space = Array([Name.Separation, Name.Deep, Name.DeviceCMYK, pdf.make_indirect(tint)])
    elif space == "palette":
        entries = bytes(range(1, 250)) * 3
        space = Array([Name.Indexed, Name.DeviceCMYK, 185, String(entries[:744])])
    count = 4 if space == Name.DeviceCMYK else 1
    data = random.Random(7).randbytes(width * height * count)
    if count == 1:
        data = bytes(value % 186 for value in data)
    picture = make_picture(pdf, width, height, space, b"")
    picture.write(zlib.compress(data), filter=Name.FlateDecode)
    read = make_reader(picture)
    whole = InkMeter().look_into(read)
    (bands,) = read_strips(read)
    monkeypatch.setattr(images, "_STRIP", 12 * width)
    strips = list(read_strips(read))
    assert [strip[0].height for strip in strips] == [12] * 8 + [4]
    joined = [b"".join(strip[at].tobytes() for strip in strips) for at in range(count)]
    assert joined == [band.tobytes() for band in bands]
    assert InkMeter().look_into(read) == whole and whole.ink is not None and whole.ink > 100
    if count == 4:  # whose stray pixels are let go, whatever a strip holds of them
        sums = sorted(map(sum, zip(*joined, strict=True)), reverse=True)
        assert count_sums(bands)[sums[0]] and sums[9] <= whole.ink * 2.55 <= sums[9] + 4


def make_reader(picture: Any) -> Picture:
    spaces = SpaceReader()
    return PictureReader().read(picture, lambda thing: spaces.read(thing, None))


def test_a_picture_larger_than_any_press_needs_is_looked_at_coarser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for pixels in (10_000, 3_000, 700):
        monkeypatch.setattr(stacking, "_MOST_PIXELS", pixels)
        for value, found in ((200, [("total-ink", "error")]), (100, [])):
            pdf = open_good("ghostscript", "x-4")
            put_on_picture(pdf, value)
            assert list_rules(check(pdf, "x-4")) == found
    pdf = open_good("ghostscript")
    data = bytes([200, 200, 200, 0]) * 10_000
    bands = stacking._read_bands(make_reader(make_picture(pdf, 100, 100, Name.DeviceCMYK, data)))
    assert bands and [(band.size, band.getextrema()) for band in bands] == [
        *[((25, 25), (200, 200))] * 3,
        ((25, 25), (0, 0)),
    ]
