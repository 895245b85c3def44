"""Faults that no page shows on a screen: one at a time in good files, and found alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pikepdf import Array, Dictionary, Name, Pdf, String
from preflight_files import (
    PRESS_ORIGINS,
    PROFILE,
    Put,
    add_content,
    add_picture,
    add_resource,
    change_metadata,
    check,
    list_rules,
    make_form,
    make_picture,
    make_profile,
    open_good,
    save,
    wants_of,
)

from cardgen.preflight.check import check_file
from cardgen.preflight.profiles import find_condition
from cardgen.preflight.wants import Flavour

TRAPPED = "<xmp:CreateDate>2026-01-02T03:04:05Z"


def put_trapped(pdf: Pdf, value: str) -> None:
    space = 'xmlns:pdf="http://ns.adobe.com/pdf/1.3/"'
    change_metadata(pdf, TRAPPED, f"<pdf:Trapped {space}>{value}</pdf:Trapped>{TRAPPED}")


@pytest.mark.parametrize(("value", "found"), [("False", []), ("True", [("metadata", "error")])])
def test_trapped_in_two_places(value: str, found: list[tuple[str, str]]) -> None:
    flavours: tuple[Flavour, ...] = ("x-4", "x-1a")
    for flavour in flavours:
        pdf = open_good("ghostscript", flavour)
        put_trapped(pdf, value)
        if flavour == "x-1a":
            continue_as_x1a(pdf)
        assert list_rules(check(pdf, flavour)) == found


def continue_as_x1a(pdf: Pdf) -> None:
    """The metadata of PDF/X-4 made one of PDF/X-1a."""
    xmp = pdf.Root.Metadata.read_bytes().replace(b"PDF/X-4", b"PDF/X-1a:2003")
    pdf.Root.Metadata = pdf.make_stream(xmp, Type=Name.Metadata, Subtype=Name.XML)


# Profiles


def put_intent(pdf: Pdf, change: Callable[[bytes], bytes]) -> None:
    data = change(PROFILE.read_bytes())
    pdf.Root.OutputIntents[0].DestOutputProfile = pdf.make_stream(data, N=4)


PROFILES: dict[str, tuple[Put, str]] = {
    "cut off": (
        lambda pdf: put_intent(pdf, lambda data: data[:5000]),
        "the OutputIntent's profile cannot be used: it is cut off after 5,000 of",
    ),
    "cut off, and says so": (
        lambda pdf: put_intent(pdf, lambda data: (5000).to_bytes(4, "big") + data[4:5000]),
        "the OutputIntent's profile cannot be used: it is damaged",
    ),
    "of another press": (
        lambda pdf: setattr(
            pdf.Root.OutputIntents[0], "OutputConditionIdentifier", String("CGATS TR 001")
        ),
        "the OutputIntent names SWOP, and its profile is one of FOGRA39",
    ),
}


@pytest.mark.parametrize(("put", "message"), PROFILES.values(), ids=PROFILES)
@pytest.mark.parametrize("flavour", ["x-4", "x-1a"])
def test_a_profile_of_the_press(flavour: Flavour, put: Put, message: str) -> None:
    pdf = open_good("ghostscript", flavour)
    put(pdf)
    (finding,) = check(pdf, flavour).findings
    assert (finding.rule, finding.severity) == ("output-intent", "error")
    assert finding.message.startswith(message)


def test_a_file_for_another_press() -> None:
    data = save(open_good("ghostscript", "x-4"), "x-4")
    for condition, found in (("FOGRA39", []), ("SWOP", [("output-intent", "error")])):
        wants = replace(wants_of("x-4"), condition=condition)
        assert list_rules(check_file(data, wants)) == found


@pytest.mark.parametrize(
    ("name", "condition"),
    [
        ("Coated FOGRA39 (ISO 12647-2:2004)", "FOGRA39"),
        ("coated-fogra39-300", "FOGRA39"),
        ("ISO Coated v2 300% (ECI)", "FOGRA39"),
        ("PSO Coated v3", "FOGRA51"),
        ("U.S. Web Coated (SWOP) v2", "SWOP"),
        ("CGATS21-2-CRPC6", "CRPC6"),
        ("Our own press", ""),
    ],
)
def test_the_condition_that_a_name_tells(name: str, condition: str) -> None:
    assert find_condition(name) == condition


def fill_profiled(pdf: Pdf, data: bytes, count: int) -> None:
    space = Array([Name.ICCBased, pdf.make_stream(data, N=count)])
    name = add_resource(pdf, "ColorSpace", space)
    add_content(pdf, f"{name} cs {'0.4 ' * count} sc 60 60 40 40 re f")


@pytest.mark.parametrize(
    ("components", "change", "message"),
    [
        (4, lambda data: data[:9000], "it is cut off after 9,000 of"),
        (3, lambda data: data[:200], "it is cut off after 200 of"),
        (3, lambda data: data[:132] + b"\xff" * 300 + data[432:], "it is damaged"),
        (3, lambda _: make_profile(1), "it is one for GRAY, and the colours have 3 components"),
        (1, lambda _: b"hello", "it is no ICC profile"),
        (1, None, ""),
        (3, None, ""),
        (4, None, ""),
    ],
)
def test_a_profile_of_a_colour(components: int, change: Any, message: str) -> None:
    pdf = open_good("weasyprint-rgb")
    data = make_profile(components)
    fill_profiled(pdf, change(data) if change else data, components)
    found = check(pdf).findings
    assert [finding.rule for finding in found] == (["profile"] if change else [])
    assert not change or message in found[0].message


# What PDF 1.4 does not know, and what a viewer is asked


def put_jbig2(pdf: Pdf) -> None:
    picture = make_picture(pdf, 100, 100, Name.DeviceGray, b"")
    picture.BitsPerComponent = 1
    picture.write(b"\0" * 30, filter=Name.JBIG2Decode)
    add_resource(pdf, "XObject", picture)


def put_deep(pdf: Pdf) -> None:
    picture = make_picture(pdf, 100, 100, Name.DeviceGray, bytes(20_000))
    picture.BitsPerComponent = 16
    add_picture(pdf, picture)


X1A: dict[str, tuple[Put, str]] = {
    "JBIG2": (put_jbig2, "filters"),
    "16 bits": (put_deep, "pdfx-version"),
    "unit": (lambda pdf: setattr(pdf.pages[0].obj, "UserUnit", 1.0), "pdfx-version"),
}


@pytest.mark.parametrize(("put", "rule"), X1A.values(), ids=X1A)
def test_what_x1a_alone_forbids(put: Put, rule: str) -> None:
    cases: list[tuple[Flavour, list[tuple[str, str]]]] = [("x-4", []), ("x-1a", [(rule, "error")])]
    for flavour, found in cases:
        pdf = open_good("ghostscript", flavour)
        put(pdf)
        assert list_rules(check(pdf, flavour)) == found


@pytest.mark.parametrize("key", ["ViewArea", "ViewClip", "PrintArea", "PrintClip"])
@pytest.mark.parametrize("flavour", ["x-4", "x-1a"])
def test_the_area_that_is_printed(flavour: Flavour, key: str) -> None:
    for value, found in ((Name.MediaBox, []), (Name.CropBox, [("print-area", "error")])):
        pdf = open_good("ghostscript", flavour)
        pdf.Root.ViewerPreferences = Dictionary({f"/{key}": value})
        assert list_rules(check(pdf, flavour)) == found


# What the content asks for, and is not there

MISSING: dict[str, tuple[str, str]] = {
    "font": ("BT /Nofont 9 Tf 60 40 Td (Sword) Tj ET", "the font Nofont"),
    "form": ("/Noform Do", "the picture or form Noform"),
    "gradient": ("60 60 40 40 re W n /Noshade sh", "the gradient Noshade"),
    "state": ("/Nostate gs", "the graphics state Nostate"),
    "space": ("/Nospace cs 60 60 40 40 re f", "the colour space Nospace"),
    "pattern": ("/Pattern cs /Notile scn 60 60 40 40 re f", "the pattern Notile"),
}


@pytest.mark.parametrize(("content", "what"), MISSING.values(), ids=MISSING)
@pytest.mark.parametrize("origin", PRESS_ORIGINS)
def test_what_is_missing_from_the_resources(origin: str, content: str, what: str) -> None:
    pdf = open_good(origin)
    add_content(pdf, content)
    (finding,) = check(pdf).findings
    assert (finding.rule, finding.severity) == ("resources", "error")
    assert finding.message.startswith(f"{what} that the page asks for")


def test_what_is_missing_from_the_resources_of_a_form() -> None:
    pdf = open_good("ghostscript")
    add_content(pdf, f"{add_resource(pdf, 'XObject', make_form(pdf, '/Noform Do'))} Do")
    assert list_rules(check(pdf)) == [("resources", "error")]


def test_operators_that_pdf_does_not_know() -> None:
    pdf = open_good("ghostscript")
    add_content(pdf, "BX 1 zz EX")
    assert list_rules(check(pdf)) == []
    add_content(pdf, "1 zz")
    (finding,) = check(pdf).findings
    assert (finding.rule, finding.severity) == ("damaged", "error")
    assert '"zz" is no operator of PDF' in finding.message
    pdf = open_good("ghostscript")
    add_content(pdf, "1 l 60 60 m S")
    (finding,) = check(pdf).findings
    assert "the operator l is not used as it must be" in finding.message


# Pages


def open_sides(*sides: str) -> Pdf:
    """A good page for each side, called after it."""
    pdf = open_good("ghostscript")
    for _ in sides[1:]:
        pdf.pages.append(pdf.pages[0])
    labels = [
        item
        for at, side in enumerate(sides)
        if side
        for item in (at, Dictionary(P=String(f"{at} Crown, {side}")))
    ]
    if labels:
        pdf.Root.PageLabels = Dictionary(Nums=Array(labels))
    return pdf


def test_a_page_that_is_upside_down() -> None:
    pdf = open_sides("", "")
    pdf.pages[0].obj.Rotate = 180
    report = check(pdf)
    assert list_rules(report) == [("page-turned", "error")]
    assert report.findings[0].pages == (1,)
    pdf.pages[1].obj.Rotate = -180
    assert list_rules(check(pdf)) == [("page-turned", "warning")]


@pytest.mark.parametrize("content", ["", "0 0 0 0 k -20 -20 400 400 re f", "1 g 9 9 9 9 re f"])
def test_an_empty_page(content: str) -> None:
    pdf = open_sides("", "")
    pdf.pages[1].obj.Contents = pdf.make_stream(b"")
    add_content(pdf, content, 1)
    report = check(pdf)
    assert list_rules(report) == [("empty-page", "warning")]
    assert report.findings[0].pages == (2,)


def test_an_empty_back() -> None:
    """It is known to be one by its label, or since the file is printed on both sides."""
    pdf = open_sides("front", "back")
    pdf.pages[1].obj.Contents = pdf.make_stream(b"")
    assert list_rules(check(pdf)) == [("empty-page", "note")]
    pdf = open_sides("", "")
    pdf.Root.ViewerPreferences = Dictionary(Duplex=Name.DuplexFlipLongEdge)
    pdf.pages[1].obj.Contents = pdf.make_stream(b"")
    assert list_rules(check(pdf)) == [("empty-page", "note")]
    pdf.pages[0].obj.Contents = pdf.make_stream(b"")
    assert list_rules(check(pdf)) == [("empty-page", "note"), ("empty-page", "warning")][::-1]
