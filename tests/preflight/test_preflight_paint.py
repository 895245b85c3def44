"""One fault at a time painted into good files of three programs: exactly that one is found."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, String
from PIL import Image
from preflight_files import (
    ORIGINS,
    PLAIN,
    PRESS_ORIGINS,
    Put,
    add_content,
    add_picture,
    add_resource,
    add_text,
    check,
    check_put,
    find_text,
    list_rules,
    make_form,
    make_function,
    make_gradient,
    make_picture,
    make_profile,
    open_good,
    save,
    wrap_content,
)

from cardgen.core.units import MM
from cardgen.preflight.check import check_file
from cardgen.preflight.wants import Flavour


def make_space(*parts: object) -> Array:
    return Array(list(parts))


def name_space(pdf: Pdf, space: Array) -> str:
    return add_resource(pdf, "ColorSpace", space)


def fill(pdf: Pdf, colour: str) -> None:
    add_content(pdf, f"{colour} 60 60 40 40 re f")


def in_form(pdf: Pdf, content: str, **resources: Any) -> None:
    inner = add_resource(pdf, "XObject", make_form(pdf, content, Dictionary(**resources)))
    outer = make_form(pdf, f"{inner} Do", pdf.make_indirect(pdf.pages[0].obj.Resources))
    name = add_resource(pdf, "XObject", outer)
    add_content(pdf, f"1 0 0 1 60 60 cm 0.2 0 0 0.2 0 0 cm {name} Do")


def take_out_font(pdf: Pdf) -> None:
    found = [
        thing
        for thing in pdf.objects
        if isinstance(thing, Dictionary) and thing.get("/Type") == Name.FontDescriptor
    ]
    assert found
    for descriptor in found:
        for key in ("/FontFile", "/FontFile2", "/FontFile3"):
            if key in descriptor:
                del descriptor[key]


def put_standard_font(pdf: Pdf) -> None:
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    name = add_resource(pdf, "Font", font)
    add_content(pdf, f"0 0 0 1 k BT {name} 9 Tf 60 40 Td (Sword) Tj ET")


def put_tile(pdf: Pdf, content: str, kind: int = 1, colour: str = "") -> None:
    tile = pdf.make_stream(
        content.encode(),
        PatternType=1,
        PaintType=kind,
        TilingType=1,
        BBox=Array([0, 0, 4, 4]),
        XStep=4,
        YStep=4,
        Resources=Dictionary(),
    )
    name = add_resource(pdf, "Pattern", tile)
    space = "/Pattern" if kind == 1 else name_space(pdf, make_space(Name.Pattern, Name.DeviceRGB))
    fill(pdf, f"{space} cs {colour} {name} scn")


def put_gradient(pdf: Pdf, space: Name, *colours: tuple[float, ...], pattern: bool) -> None:
    gradient = make_gradient(pdf, colours[0], colours[1], space)
    if pattern:
        thing = Dictionary(PatternType=2, Shading=gradient)
        fill(pdf, f"/Pattern cs {add_resource(pdf, 'Pattern', thing)} scn")
    else:
        name = add_resource(pdf, "Shading", gradient)
        add_content(pdf, f"60 60 40 40 re W n {name} sh")


def put_drawn_font(pdf: Pdf, glyph: str) -> None:
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type3,
        FontBBox=Array([0, 0, 1000, 1000]),
        FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]),
        FirstChar=65,
        LastChar=65,
        Widths=Array([1000]),
        Encoding=Dictionary(Differences=Array([65, Name.square])),
        CharProcs=Dictionary(square=pdf.make_stream(glyph.encode())),
        Resources=Dictionary(),
    )
    name = add_resource(pdf, "Font", pdf.make_indirect(font))
    add_content(pdf, f"0 0 0 1 k BT {name} 9 Tf 60 40 Td (A) Tj ET")


def put_inline(pdf: Pdf, space: str, count: int) -> None:
    data = "80" * (count * 400)
    add_content(
        pdf,
        f"4 0 0 4 60 60 cm BI /W 20 /H 20 /BPC 8 /CS /{space} /F /AHx ID {data}> EI",
    )


def put_jpeg(pdf: Pdf, *, turned: bool) -> None:
    """A JPEG of 320% ink; turned about, as Photoshop writes it, or not.

    Pillow turns about what it writes, as Photoshop does.
    """
    file = BytesIO()
    Image.new("CMYK", (100, 100), (204 if turned else 51,) * 4).save(file, "JPEG", quality=95)
    picture = make_picture(pdf, 100, 100, Name.DeviceCMYK, b"")
    picture.write(file.getvalue(), filter=Name.DCTDecode)
    if turned:
        picture.Decode = Array([1, 0] * 4)
    add_picture(pdf, picture)


def icc(pdf: Pdf, count: int) -> Array:
    return make_space(Name.ICCBased, pdf.make_stream(make_profile(count), N=count))


def separation(*rest: object) -> Array:
    return make_space(Name.Separation, Name.Gold, *rest)


def make_registration() -> Array:
    return make_space(Name.Separation, Name.All, Name.DeviceGray, make_function((1,), (0,)))


DEEP = (0.9, 0.9, 0.9, 0.6)

COLOURS: dict[str, Put] = {
    "fill": lambda pdf: fill(pdf, "1 0 0 rg"),
    "stroke": lambda pdf: add_content(pdf, "1 0 0 RG 2 w 60 60 m 90 90 l S"),
    "text": lambda pdf: add_text(pdf, 9, 60, 40, "1 0 0 rg"),
    "stroked text": lambda pdf: add_text(pdf, 9, 60, 40, "1 0 0 RG 1 Tr"),
    "picture": lambda pdf: add_picture(
        pdf, make_picture(pdf, 100, 100, Name.DeviceRGB, bytes(30_000))
    ),
    "picture in a form": lambda pdf: in_form(
        pdf,
        "100 0 0 100 0 0 cm /P Do",
        XObject=Dictionary(P=make_picture(pdf, 100, 100, Name.DeviceRGB, bytes(30_000))),
    ),
    "fill in a form": lambda pdf: in_form(pdf, "1 0 0 rg 0 0 90 90 re f"),
    "indexed picture": lambda pdf: add_picture(
        pdf,
        make_picture(
            pdf,
            100,
            100,
            make_space(Name.Indexed, Name.DeviceRGB, 1, String(b"abcdef")),
            bytes(10_000),
        ),
    ),
    "inline picture": lambda pdf: put_inline(pdf, "RGB", 3),
    "gradient": lambda pdf: put_gradient(pdf, Name.DeviceRGB, (1, 0, 0), (0, 1, 0), pattern=False),
    "gradient as a pattern": lambda pdf: put_gradient(
        pdf, Name.DeviceRGB, (1, 0, 0), (0, 1, 0), pattern=True
    ),
    "tile": lambda pdf: put_tile(pdf, "1 0 0 rg 0 0 2 2 re f"),
    "tile without colour": lambda pdf: put_tile(pdf, "0 0 2 2 re f", 2, "1 0 0"),
    "glyph": lambda pdf: put_drawn_font(pdf, "1000 0 d0 1 0 0 rg 0 0 700 700 re f"),
}
# PDF/X-4 allows these as such; it is the target that wants CMYK.
OTHER_COLOURS: dict[str, Put] = {
    "calibrated": lambda pdf: fill(
        pdf,
        f"{name_space(pdf, make_space(Name.CalRGB, Dictionary(WhitePoint=Array([1, 1, 1]))))} "
        "cs 1 0 0 sc",
    ),
    "lab": lambda pdf: fill(
        pdf,
        f"{name_space(pdf, make_space(Name.Lab, Dictionary(WhitePoint=Array([1, 1, 1]))))} "
        "cs 50 9 9 sc",
    ),
    "profiled": lambda pdf: fill(pdf, f"{name_space(pdf, icc(pdf, 3))} cs 1 0 0 sc"),
    "default": lambda pdf: put_default(pdf),
}
# Nothing but grey, CMYK and spot colours in PDF/X-1a, down to what a spot colour stands for.
X1A_COLOURS: dict[str, Put] = {
    "profiled cmyk": lambda pdf: fill(pdf, f"{name_space(pdf, icc(pdf, 4))} cs 0 1 1 0 sc"),
    "profiled grey": lambda pdf: fill(pdf, f"{name_space(pdf, icc(pdf, 1))} cs 0.5 sc"),
    "spot of rgb": lambda pdf: fill(
        pdf,
        f"{name_space(pdf, separation(Name.DeviceRGB, make_function((1, 1, 1), (1, 0, 0))))} "
        "cs 1 scn",
    ),
}


def put_default(pdf: Pdf) -> None:
    add_resource(pdf, "ColorSpace", Name.DeviceCMYK)
    pdf.pages[0].obj.Resources.ColorSpace.DefaultRGB = icc(pdf, 3)
    fill(pdf, "1 0 0 rg")


INKS: dict[str, Put] = {
    "fill": lambda pdf: fill(pdf, "0.9 0.9 0.9 0.6 k"),
    "stroke": lambda pdf: add_content(pdf, "1 1 1 1 K 2 w 60 60 m 90 90 l S"),
    "gradient": lambda pdf: put_gradient(pdf, Name.DeviceCMYK, (0, 0, 0, 0), DEEP, pattern=False),
    "gradient as a pattern": lambda pdf: put_gradient(
        pdf, Name.DeviceCMYK, (0, 0, 0, 0), DEEP, pattern=True
    ),
    "picture": lambda pdf: add_picture(
        pdf, make_picture(pdf, 100, 100, Name.DeviceCMYK, b"\xe0" * 40_000)
    ),
    "jpeg": lambda pdf: put_jpeg(pdf, turned=False),
    "jpeg of Photoshop": lambda pdf: put_jpeg(pdf, turned=True),
    "indexed picture": lambda pdf: add_picture(
        pdf,
        make_picture(
            pdf,
            100,
            100,
            make_space(Name.Indexed, Name.DeviceCMYK, 1, String(b"\0\0\0\0\xf0\xf0\xf0\xf0")),
            b"\1" * 10_000,
        ),
    ),
    "spot": lambda pdf: fill(
        pdf,
        f"{name_space(pdf, separation(Name.DeviceCMYK, make_function((0, 0, 0, 0), DEEP)))} "
        "cs 1 scn",
    ),
    "spot by a calculator": lambda pdf: fill(
        pdf, f"{name_space(pdf, separation(Name.DeviceCMYK, make_calculator(pdf)))} cs 1 scn"
    ),
    "registration": lambda pdf: fill(
        pdf,
        f"{name_space(pdf, make_registration())} cs 1 scn",
    ),
    "form in a form": lambda pdf: in_form(pdf, "0.9 0.9 0.9 0.6 k 0 0 90 90 re f"),
}


def make_calculator(pdf: Pdf) -> pikepdf.Stream:
    return pdf.make_stream(
        b"{ dup 0.9 mul exch dup 0.9 mul exch dup 0.9 mul exch 0.6 mul }",
        FunctionType=4,
        Domain=Array([0, 1]),
        Range=Array([0, 1, 0, 1, 0, 1, 0, 1]),
    )


@pytest.mark.parametrize("put", COLOURS.values(), ids=COLOURS)
@pytest.mark.parametrize("origin", PRESS_ORIGINS)
@pytest.mark.parametrize("flavour", ["x-4", "x-1a"])
def test_rgb(origin: str, flavour: Flavour, put: Put) -> None:
    pdf = open_good(origin, flavour)
    put(pdf)
    assert list_rules(check(pdf, flavour)) == [("colour-space", "error")]


@pytest.mark.parametrize("put", OTHER_COLOURS.values(), ids=OTHER_COLOURS)
@pytest.mark.parametrize("flavour", ["x-4", "x-1a"])
def test_colours_of_other_spaces(flavour: Flavour, put: Put) -> None:
    pdf = open_good("ghostscript", flavour)
    put(pdf)
    assert list_rules(check(pdf, flavour)) == [("colour-space", "error")]


@pytest.mark.parametrize("put", X1A_COLOURS.values(), ids=X1A_COLOURS)
def test_colours_that_x1a_alone_forbids(put: Put) -> None:
    cases: list[tuple[Flavour, list[tuple[str, str]]]] = [
        ("x-4", []),
        ("x-1a", [("colour-space", "error")]),
    ]
    for flavour, found in cases:
        pdf = open_good("weasyprint-cmyk", flavour)
        put(pdf)
        if put is X1A_COLOURS["spot of rgb"]:
            found = [("colour-space", "error"), ("spot-colours", "warning")]
        assert list_rules(check(pdf, flavour)) == found


@pytest.mark.parametrize("put", COLOURS.values(), ids=COLOURS)
def test_rgb_where_colours_are_as_given(put: Put) -> None:
    pdf = open_good("weasyprint-rgb")
    put(pdf)
    assert list_rules(check(pdf)) == []


@pytest.mark.parametrize("put", INKS.values(), ids=INKS)
@pytest.mark.parametrize("origin", ORIGINS)
def test_too_much_ink(origin: str, put: Put) -> None:
    pdf = open_good(origin)
    put(pdf)
    report = check(pdf)
    assert list_rules(report) == [("total-ink", "error")]
    if put is not INKS["form in a form"]:
        place = report.findings[0].spots[0].place
        assert place is not None
        assert place.x == pytest.approx(60, abs=2)


FONTS: dict[str, Put] = {"taken out": take_out_font, "standard": put_standard_font}


@pytest.mark.parametrize("put", FONTS.values(), ids=FONTS)
@pytest.mark.parametrize("origin", ORIGINS)
def test_a_font_that_is_not_embedded(origin: str, put: Put) -> None:
    pdf = open_good(origin)
    put(pdf)
    assert {finding.rule for finding in check(pdf).findings} == {"fonts"}


SMALL: dict[str, tuple[Put, str, str]] = {
    "text": (lambda pdf: add_text(pdf, 3, 60, 40), "text-size", "text of 3pt"),
    "scaled text": (
        lambda pdf: add_text(pdf, 9, 120, 80, "0.5 0 0 0.5 0 0 cm"),
        "text-size",
        "text of 4.5pt",
    ),
    "line": (
        lambda pdf: add_content(pdf, "0 0 0 1 K 0.1 w 60 60 m 90 90 l S"),
        "line-width",
        "a line of 0.1pt",
    ),
    "scaled line": (
        lambda pdf: add_content(pdf, "0 0 0 1 K 0.1 0 0 0.1 60 60 cm 1 w 0 0 m 99 99 l S"),
        "line-width",
        "a line of 0.1pt",
    ),
    "line of no width": (
        lambda pdf: add_content(pdf, "0 0 0 1 K 0 w 60 60 m 90 90 l S"),
        "line-width",
        "a line of no width",
    ),
    "bar": (
        lambda pdf: add_content(pdf, "0 0 0 1 k 60 60 50 0.1 re f"),
        "line-width",
        "a line of 0.1pt",
    ),
    "picture": (
        lambda pdf: add_picture(pdf, make_picture(pdf, 50, 50, Name.DeviceCMYK, bytes(10_000)), 18),
        "resolution",
        "a picture of 200 pixels per inch",
    ),
    "inline picture": (
        lambda pdf: add_content(
            pdf, f"36 0 0 36 60 60 cm BI /W 80 /H 80 /BPC 8 /CS /G /F /AHx ID {'80' * 6400}> EI"
        ),
        "resolution",
        "a picture of 160 pixels per inch",
    ),
}


@pytest.mark.parametrize(("put", "rule", "message"), SMALL.values(), ids=SMALL)
@pytest.mark.parametrize("origin", ORIGINS)
def test_what_is_too_small(origin: str, put: Put, rule: str, message: str) -> None:
    check_put(origin, put, (rule, "warning"), message)


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_picture_of_much_too_few_pixels(origin: str) -> None:
    pdf = open_good(origin)
    add_picture(pdf, make_picture(pdf, 20, 20, Name.DeviceGray, bytes(400)), 18)
    report = check(pdf)
    assert list_rules(report) == [("resolution", "error")]
    (finding,) = report.findings
    assert f" of {finding.figures['found']:g} pixels" in finding.message
    assert finding.message.endswith(f" wants {finding.figures['wanted']:g}")
    beside = open_good(origin)
    drawn_out = make_picture(beside, 20, 20, Name.DeviceGray, bytes(400))
    name = add_resource(beside, "XObject", drawn_out)
    add_content(beside, f"0 60 -8 40 re W n -80 0 0 40 0 60 cm {name} Do")
    assert list_rules(check(beside)) == []  # it is cut off


def test_a_strip_of_one_pixel_has_no_resolution() -> None:
    pdf = open_good("ghostscript")
    add_picture(pdf, make_picture(pdf, 1, 50, Name.DeviceGray, bytes(50)), 90)
    assert list_rules(check(pdf)) == []


@pytest.mark.parametrize("origin", ORIGINS)
def test_text_near_the_trim(origin: str) -> None:
    pdf = open_good(origin)
    add_text(pdf, 6, 1 * MM, 30)
    report = check(pdf)
    assert list_rules(report) == [("safe-area", "error")]
    assert '"' in report.findings[0].message
    assert "from the trim" in report.findings[0].message


def test_text_outside_the_card_is_left_alone() -> None:
    pdf = open_good("ghostscript")
    page = pdf.pages[0].obj
    page.MediaBox = Array([-60, -60, 260, 330])
    add_text(pdf, 6, 20, -30)
    assert list_rules(check(pdf)) == []


def set_state(pdf: Pdf, **settings: Any) -> str:
    return add_resource(pdf, "ExtGState", Dictionary(Type=Name.ExtGState, **settings))


def make_mask(pdf: Pdf) -> Dictionary:
    form = make_form(pdf, "1 g 0 0 50 50 re f")
    form.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceGray)
    return Dictionary(S=Name.Luminosity, G=form)


def put_group(pdf: Pdf) -> None:
    form = make_form(pdf, "0 0 0 1 k 0 0 50 50 re f")
    form.Group = Dictionary(S=Name.Transparency)
    name = add_resource(pdf, "XObject", form)
    add_content(pdf, f"1 0 0 1 60 60 cm {name} Do")


SHINE: dict[str, Put] = {
    "fill alpha": lambda pdf: fill(pdf, f"{set_state(pdf, ca=0.5)} gs 0 0 0 1 k"),
    "stroke alpha": lambda pdf: add_content(
        pdf, f"{set_state(pdf, CA=0.5)} gs 0 0 0 1 K 2 w 60 60 m 90 90 l S"
    ),
    "blend mode": lambda pdf: fill(pdf, f"{set_state(pdf, BM=Name.Multiply)} gs 0 0 0 1 k"),
    "soft mask": lambda pdf: fill(pdf, f"{set_state(pdf, SMask=make_mask(pdf))} gs 0 0 0 1 k"),
    "picture's mask": lambda pdf: add_picture(
        pdf,
        make_picture(
            pdf,
            100,
            100,
            Name.DeviceGray,
            bytes(10_000),
            SMask=make_picture(pdf, 100, 100, Name.DeviceGray, bytes(10_000)),
        ),
    ),
}


@pytest.mark.parametrize("put", SHINE.values(), ids=SHINE)
@pytest.mark.parametrize("origin", PRESS_ORIGINS)
def test_transparency(origin: str, put: Put) -> None:
    """An error in PDF/X-1a, allowed in PDF/X-4, a note elsewhere."""
    cases: list[tuple[Flavour, list[tuple[str, str]]]] = [
        ("x-1a", [("transparency", "error")]),
        ("x-4", []),
        ("plain", [("transparency", "note")]),
    ]
    for flavour, found in cases:
        pdf = open_good(origin, flavour)
        put(pdf)
        assert list_rules(check(pdf, flavour)) == found


@pytest.mark.parametrize("origin", PRESS_ORIGINS)
def test_a_transparency_group(origin: str) -> None:
    pdf = open_good(origin, "x-1a")
    put_group(pdf)
    assert list_rules(check(pdf, "x-1a")) == [("transparency", "error")]


def test_what_is_set_to_nothing_is_no_transparency() -> None:
    pdf = open_good("ghostscript", "x-1a")
    state = set_state(pdf, ca=1, CA=1.0, BM=Name.Normal, SMask=Name("/None"))
    fill(pdf, f"{state} gs 0 0 0 1 k")
    assert list_rules(check(pdf, "x-1a")) == []


@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
@pytest.mark.parametrize("origin", ORIGINS)
def test_bleed_that_is_not_painted(origin: str, side: str) -> None:
    """The page is cut off 1 mm beyond its trim at one side."""
    pdf = open_good(origin)
    x0, y0, x1, y1 = (float(value) for value in pdf.pages[0].obj.TrimBox)
    far = 50.0
    grow = {key: 1 * MM if key == side else far for key in ("left", "top", "right", "bottom")}
    x0, y0, x1, y1 = x0 - grow["left"], y0 - grow["bottom"], x1 + grow["right"], y1 + grow["top"]
    wrap_content(pdf, f"{x0} {y0} {x1 - x0} {y1 - y0} re W n")
    report = check(pdf)
    assert list_rules(report) == [("bleed-painted", "error")]
    assert f"at the {side}" in report.findings[0].message
    assert "ends 1" in report.findings[0].message or "ends 0.9" in report.findings[0].message


def test_a_side_without_paint_needs_no_bleed() -> None:
    """A white card: nothing comes near the trim."""
    pdf = open_good("ghostscript")
    x0, y0, x1, y1 = (float(value) for value in pdf.pages[0].obj.TrimBox)
    wrap_content(pdf, f"{x0 + 20} {y0 + 20} {x1 - x0 - 40} {y1 - y0 - 40} re W n")
    assert list_rules(check(pdf)) == []
    page = pdf.pages[0].obj
    page.BleedBox = page.TrimBox
    assert list_rules(check(pdf)) == []


def test_white_paint_is_paint() -> None:
    pdf = open_good("ghostscript")
    page = pdf.pages[0]
    page.obj.Contents = pdf.make_stream(b"")
    add_content(pdf, "0 0 0 0 k 0 0 180 252 re f 0 0 0 1 k 60 60 40 40 re f")
    assert list_rules(check(pdf)) == [("bleed-painted", "error")]


def test_a_fault_that_nobody_sees() -> None:
    """Clipped away, or off the page."""
    pdf = open_good("ghostscript")
    add_content(pdf, "0 0 10 10 re W n 1 1 1 1 k 60 60 40 40 re f")
    add_content(pdf, "1 1 1 1 k 600 60 40 40 re f")
    assert list_rules(check(pdf)) == []


# What a screen shows otherwise than a press


def white_over(pdf: Pdf, white: str, **settings: Any) -> None:
    fill(pdf, f"{set_state(pdf, **settings)} gs {white}")


WHITES: dict[str, tuple[Put, str]] = {
    "ink by ink": (lambda pdf: white_over(pdf, "0 0 0 0 k", op=True, OPM=1), "error"),
    "OP for both": (lambda pdf: white_over(pdf, "0 0 0 0 k", OP=True, OPM=1), "error"),
    "grey": (lambda pdf: white_over(pdf, "1 g", op=True), "error"),
    "by plates": (lambda pdf: white_over(pdf, "0 0 0 0 k", op=True), "warning"),
    "stroke": (
        lambda pdf: add_content(
            pdf, f"{set_state(pdf, OP=True, OPM=1)} gs 0 0 0 0 K 2 w 60 60 m 90 90 l S"
        ),
        "error",
    ),
    "text": (
        lambda pdf: add_text(pdf, 9, 60, 40, f"{set_state(pdf, op=True, OPM=1)} gs 0 0 0 0 k"),
        "error",
    ),
    "form": (
        lambda pdf: in_form(
            pdf,
            "/S gs 0 0 0 0 k 0 0 90 90 re f",
            ExtGState=Dictionary(S=Dictionary(op=True, OPM=1)),
        ),
        "error",
    ),
}


@pytest.mark.parametrize(("put", "severity"), WHITES.values(), ids=WHITES)
@pytest.mark.parametrize("origin", ORIGINS)
def test_white_that_overprints(origin: str, put: Put, severity: str) -> None:
    check_put(origin, put, ("white-overprint", severity), "")


def test_white_that_does_not_overprint() -> None:
    pdf = open_good("ghostscript")
    white_over(pdf, "0 0 0 0 k", op=False, OP=True, OPM=1)
    white_over(pdf, "0 0 0 1 k", op=True, OPM=1)
    white_over(pdf, f"{set_state(pdf, op=False)} gs 0 0 0 0 k", op=True)
    assert list_rules(check(pdf)) == []


def put_black_text(pdf: Pdf, size: float, colour: str) -> None:
    font, text = find_text(pdf)
    add_content(pdf, f"{colour} BT {font} {size} Tf 40 60 Td <{text.hex()}> Tj ET")


@pytest.mark.parametrize("origin", ORIGINS)
def test_small_text_in_rich_black(origin: str) -> None:
    def put(pdf: Pdf) -> None:
        put_black_text(pdf, 8, "0.6 0.4 0.4 1 k")

    check_put(origin, put, ("rich-black", "warning"), "text of 8pt in black of several inks")


@pytest.mark.parametrize(
    ("size", "colour"), [(14, "0.6 0.4 0.4 1 k"), (8, "0 0 0 1 k"), (8, "0.2 0.5 0.6 0.3 k")]
)
def test_text_that_is_not_small_or_not_rich_black(size: float, colour: str) -> None:
    pdf = open_good("ghostscript")
    put_black_text(pdf, size, colour)
    assert list_rules(check(pdf)) == []


def put_ink(pdf: Pdf, name: str) -> None:
    tint = make_function((0, 0, 0, 0), (0, 1, 0, 0))
    space = make_space(Name.Separation, Name(f"/{name}"), Name.DeviceCMYK, tint)
    fill(pdf, f"{name_space(pdf, space)} cs 1 scn")


@pytest.mark.parametrize(
    ("name", "rule", "severity"),
    [
        *(("Gold", "spot-colours", "warning"), ("PANTONE 185 C", "spot-colours", "warning")),
        *(("Dieline", "die-line", "error"), ("die-cut", "die-line", "error")),
        *(("CutContour", "die-line", "error"), ("Thru-cut", "die-line", "error")),
        *(("Stanze", "die-line", "error"), ("Crease", "die-line", "error")),
    ],
)
def test_inks_beside_the_four(name: str, rule: str, severity: str) -> None:
    for origin in PRESS_ORIGINS:
        pdf = open_good(origin, "x-4")
        put_ink(pdf, name)
        (finding,) = check(pdf, "x-4").findings
        assert (finding.rule, finding.severity) == (rule, severity)
        assert f'"{name}"' in finding.message


def test_inks_of_the_four() -> None:
    pdf = open_good("ghostscript", "x-4")
    for name in ("Black", "Cyan"):
        put_ink(pdf, name)
    name_space(pdf, separation(Name.DeviceCMYK, make_function((0, 0, 0, 0), (0, 1, 0, 0))))
    assert list_rules(check(pdf, "x-4")) == []  # the spot colour is there, and not painted with


@pytest.mark.parametrize("beyond", [0.0, 1.0])
@pytest.mark.parametrize("origin", ORIGINS)
def test_a_line_along_the_trim(origin: str, beyond: float) -> None:
    def put(pdf: Pdf) -> None:
        x0, y0, x1, y1 = (float(value) for value in pdf.pages[0].obj.TrimBox)
        width, height = x1 - x0 + 2 * beyond, y1 - y0 + 2 * beyond
        add_content(pdf, f"0 1 0 0 K 0.5 w -{beyond} -{beyond} {width} {height} re S")

    check_put(origin, put, ("die-line", "warning"), "a line runs along the trim")


def test_a_line_within_the_card() -> None:
    pdf = open_good("ghostscript")
    add_content(pdf, "0 1 0 0 K 0.5 w 4 4 172 244 re S")
    assert list_rules(check(pdf)) == []


def mask_with(pdf: Pdf, content: str, space: Name) -> None:
    form = make_form(pdf, content)
    form.Group = Dictionary(S=Name.Transparency, CS=space)
    mask = Dictionary(S=Name.Luminosity, G=form)
    fill(pdf, f"{set_state(pdf, SMask=mask)} gs 0 0 0 1 k")


@pytest.mark.parametrize(
    ("content", "space"),
    [("1 0 0 rg 0 0 50 50 re f", Name.DeviceGray), ("1 g 0 0 50 50 re f", Name.DeviceRGB)],
)
@pytest.mark.parametrize("origin", PRESS_ORIGINS)
def test_rgb_in_a_soft_mask(origin: str, content: str, space: Name) -> None:
    pdf = open_good(origin, "x-4")
    mask_with(pdf, content, space)
    (finding,) = check(pdf, "x-4").findings
    assert (finding.rule, finding.severity) == ("colour-space", "error")
    assert finding.message.startswith("a soft mask in DeviceRGB")


def test_a_soft_mask_in_grey_or_where_rgb_is_taken() -> None:
    pdf = open_good("ghostscript", "x-4")
    mask_with(pdf, "1 g 0 0 50 50 re f", Name.DeviceGray)
    assert list_rules(check(pdf, "x-4")) == []
    pdf = open_good("ghostscript")
    mask_with(pdf, "1 0 0 rg 0 0 50 50 re f", Name.DeviceRGB)
    report = check_file(save(pdf), replace(PLAIN, colour="cmyk"))
    assert list_rules(report) == [("transparency", "note")]


@pytest.mark.parametrize(
    "content",
    [
        "0 0 0 1 K 0.25 w -8 0 m -1 0 l S",
        "0 0 0 1 k -8 251.9 7 0.3 re f",
        "0 G 1 w 180 -8 m 180 0 l S",
        "0 0 0 1 k -6 100 4 4 re f",
        "0 0 0 rg 30 253 5 5 re f",
    ],
)
@pytest.mark.parametrize("origin", ORIGINS)
def test_black_marks_in_the_bleed(origin: str, content: str) -> None:
    check_put(origin, lambda pdf: add_content(pdf, content), ("bleed-marks", "warning"), "black")


@pytest.mark.parametrize(
    "content",
    [
        "0 0 0 1 K 0.25 w -20 0 m -9 0 l S",  # beyond the bleed
        "0 0 0 1 k -8 -8 20 20 re f",  # on the card too
        "0 0 0 1 k -8 -8 8 268 re f",  # the bleed of a black side
        "0 0 0 1 k 20 20 5 5 re f -6 100 4 4 re f",  # a pattern
        "0 1 0 0 k -6 100 4 4 re f",
    ],
)
def test_what_is_no_mark_in_the_bleed(content: str) -> None:
    pdf = open_good("ghostscript")
    add_content(pdf, content)
    assert list_rules(check(pdf)) == []
