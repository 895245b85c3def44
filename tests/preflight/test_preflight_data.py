"""Fonts and pictures whose data is not as the file says: one fault at a time in good files."""

from __future__ import annotations

import zlib
from io import BytesIO
from typing import Any

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont
from pikepdf import Array, Dictionary, Name, Pdf, Stream
from PIL import Image
from preflight_files import (
    ORIGINS,
    add_content,
    add_picture,
    add_resource,
    check,
    check_put,
    find_text,
    list_rules,
    make_picture,
    open_good,
    read_text_font,
)

# Fonts


def list_things(pdf: Pdf, kind: str) -> list[Any]:
    things = [thing for thing in pdf.objects if isinstance(thing, Dictionary)]
    return [thing for thing in things if thing.get("/Type") == kind]


def spoil_programs(pdf: Pdf) -> None:
    for descriptor in list_things(pdf, "/FontDescriptor"):
        for key in ("/FontFile", "/FontFile2", "/FontFile3"):
            if key in descriptor:
                descriptor[key] = pdf.make_stream(b"no font at all " * 40)


def widen(pdf: Pdf, by: float) -> None:
    for font in list_things(pdf, "/Font"):
        if "/Widths" in font:
            font.Widths = Array([float(width) + by for width in font.Widths])
        if "/W" in font:
            runs = [item for item in list(font.W) if isinstance(item, Array)]
            for run in runs:
                for at, width in enumerate(list(run)):
                    run[at] = float(width) + by


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_font_program_that_is_none(origin: str) -> None:
    pdf = open_good(origin)
    spoil_programs(pdf)
    (finding,) = check(pdf).findings
    assert (finding.rule, finding.severity) == ("fonts", "error")
    assert "cannot be used: it is damaged" in finding.message


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_font_program_that_is_cut_off(origin: str) -> None:
    pdf = open_good(origin)
    for descriptor in list_things(pdf, "/FontDescriptor"):
        for key in ("/FontFile2", "/FontFile3"):
            if key in descriptor:
                data = descriptor[key].read_bytes()
                descriptor[key].write(data[: int(len(data) * 0.5)])
    (finding,) = check(pdf).findings
    assert (finding.rule, finding.severity) == ("fonts", "error")


@pytest.mark.parametrize("origin", ORIGINS)
def test_widths_that_are_not_the_fonts(origin: str) -> None:
    def put(pdf: Pdf) -> None:
        widen(pdf, -40)

    check_put(origin, put, ("glyphs", "error"), "text in ")
    pdf = open_good(origin)
    widen(pdf, 5)
    assert list_rules(check(pdf)) == []


@pytest.mark.parametrize("code", ["0000", "fff0"])
def test_letters_that_a_font_does_not_have(code: str) -> None:
    for origin in ("weasyprint-cmyk", "weasyprint-rgb"):
        pdf = open_good(origin)
        font, _ = find_text(pdf)
        add_content(pdf, f"0 0 0 1 k BT {font} 9 Tf 60 60 Td <{code}> Tj ET")
        found = {(finding.rule, finding.severity) for finding in check(pdf).findings}
        assert ("glyphs", "error") in found


def test_a_space_needs_no_glyph() -> None:
    pdf = open_good("weasyprint-cmyk")
    font, _ = find_text(pdf)
    thing = read_text_font(pdf)
    thing.ToUnicode = pdf.make_stream(b"1 beginbfchar <0000> <0020> endbfchar")
    add_content(pdf, f"0 0 0 1 k BT {font} 9 Tf 60 60 Td <0000> Tj ET")
    assert list_rules(check(pdf)) == []


def make_compact(*, cids: bool) -> tuple[bytes, dict[int, float]]:
    """A font program in CFF with two letters, and their widths by code or CID."""
    names = [".notdef", "A", "B"]
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(names)
    strings = {}
    for at, name in enumerate(names):
        pen = T2CharStringPen(500 + 100 * at, None)
        pen.moveTo((0, 0))
        pen.lineTo((0, 700))
        pen.lineTo((400, 700))
        pen.closePath()
        strings[name] = pen.getCharString()
    builder.setupCFF("Small", {}, strings, {})
    builder.setupHorizontalMetrics({name: (500 + 100 * at, 0) for at, name in enumerate(names)})
    builder.setupHorizontalHeader()
    builder.setupCharacterMap({65: "A", 66: "B"})
    builder.setupOS2()
    builder.setupPost()
    file = BytesIO()
    builder.font.save(file)
    file.seek(0)
    data: bytes = TTFont(file).getTableData("CFF ")
    return data, {1: 600, 2: 700} if cids else {65: 600, 66: 700}


def put_compact(pdf: Pdf, *, cids: bool, wrong: float = 0.0) -> None:
    data, widths = make_compact(cids=cids)
    program = pdf.make_stream(data, Subtype=Name("/CIDFontType0C" if cids else "/Type1C"))
    descriptor = pdf.make_indirect(
        Dictionary(Type=Name.FontDescriptor, FontName=Name.Small, Flags=4, FontFile3=program)
    )
    told = [width + wrong for width in widths.values()]
    if cids:
        inner = Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType0,
            BaseFont=Name.Small,
            FontDescriptor=descriptor,
            W=Array([1, Array(told)]),
        )
        font = Dictionary(
            Type=Name.Font,
            Subtype=Name.Type0,
            BaseFont=Name.Small,
            Encoding=Name("/Identity-H"),
            DescendantFonts=Array([pdf.make_indirect(inner)]),
        )
    else:
        font = Dictionary(
            Type=Name.Font,
            Subtype=Name.Type1,
            BaseFont=Name.Small,
            FirstChar=65,
            LastChar=66,
            Widths=Array(told),
            Encoding=Name.WinAnsiEncoding,
            FontDescriptor=descriptor,
        )
    name = add_resource(pdf, "Font", pdf.make_indirect(font))
    text = "00010002" if cids else "4142"
    add_content(pdf, f"0 0 0 1 k BT {name} 9 Tf 60 60 Td <{text}> Tj ET")


@pytest.mark.parametrize("cids", [True, False])
def test_a_compact_font(*, cids: bool) -> None:
    pdf = open_good("ghostscript")
    put_compact(pdf, cids=cids)
    assert list_rules(check(pdf)) == []
    pdf = open_good("ghostscript")
    put_compact(pdf, cids=cids, wrong=60)
    assert list_rules(check(pdf)) == [("glyphs", "error")]


# Pictures


def write_jpeg(picture: Stream, mode: str, cut: float = 1.0) -> None:
    file = BytesIO()
    Image.effect_noise((100, 100), 50).convert(mode).save(file, "JPEG")
    data = file.getvalue()
    picture.write(data[: int(len(data) * cut)], filter=Name.DCTDecode)


def put_jpeg(pdf: Pdf, *, cut: float) -> None:
    picture = make_picture(pdf, 100, 100, Name.DeviceGray, b"")
    write_jpeg(picture, "L", cut)
    add_picture(pdf, picture)


def put_flate(pdf: Pdf, *, spoilt: bool) -> None:
    data = bytearray(zlib.compress(bytes(range(250)) * 40))
    if spoilt:
        data[40:60] = b"\xff" * 20
    picture = make_picture(pdf, 100, 100, Name.DeviceGray, b"")
    picture.write(bytes(data), filter=Name.FlateDecode)
    add_picture(pdf, picture)


def put_plain(pdf: Pdf, size: int, **settings: Any) -> None:
    add_picture(pdf, make_picture(pdf, 100, 100, Name.DeviceCMYK, bytes(size), **settings))


def make_mask(pdf: Pdf, size: int) -> Stream:
    return make_picture(pdf, 100, 100, Name.DeviceGray, bytes(size))


DAMAGED = {
    "JPEG that is cut off": (lambda pdf: put_jpeg(pdf, cut=0.5), "its data ends early"),
    "JPEG that is none": (lambda pdf: put_jpeg(pdf, cut=0.0), "its data cannot be unpacked"),
    "data that cannot be unpacked": (
        lambda pdf: put_flate(pdf, spoilt=True),
        "its data cannot be unpacked",
    ),
    "too little data": (lambda pdf: put_plain(pdf, 30_000), "its data ends early"),
}


@pytest.mark.parametrize(("put", "why"), DAMAGED.values(), ids=DAMAGED)
@pytest.mark.parametrize("origin", ORIGINS)
def test_a_picture_whose_data_is_damaged(origin: str, put: Any, why: str) -> None:
    message = f"a picture of 100 x 100 pixels is damaged: {why}"
    check_put(origin, put, ("picture-data", "error"), message)


def test_a_mask_whose_data_is_damaged() -> None:
    pdf = open_good("ghostscript", "x-4")
    put_plain(pdf, 40_000, SMask=make_mask(pdf, 500))
    (finding,) = check(pdf, "x-4").findings
    assert (
        finding.message
        == "the mask of a picture of 100 x 100 pixels is damaged: its data ends early"
    )


def test_pictures_whose_data_is_whole() -> None:
    pdf = open_good("ghostscript", "x-4")
    put_jpeg(pdf, cut=1.0)
    put_flate(pdf, spoilt=False)
    put_plain(pdf, 40_000, SMask=make_mask(pdf, 10_000))
    put_plain(pdf, 39_999)  # as some programs leave out the last byte
    bits = make_picture(pdf, 100, 100, Name.DeviceGray, bytes(1300))
    bits.BitsPerComponent = 1
    add_picture(pdf, bits)
    assert list_rules(check(pdf, "x-4")) == []


def test_a_picture_that_only_other_programs_unpack() -> None:
    pdf = open_good("ghostscript")
    picture = make_picture(pdf, 100, 100, Name.DeviceGray, b"")
    picture.BitsPerComponent = 1
    picture.write(b"\0" * 30, filter=Name.CCITTFaxDecode, decode_parms=Dictionary(K=-1))
    add_picture(pdf, picture)
    assert list_rules(check(pdf)) == []
