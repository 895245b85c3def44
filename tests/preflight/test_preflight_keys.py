"""One fault at a time in the boxes, the keys and the structure of good files: that one is found."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, String
from PIL import Image
from preflight_files import (
    BLEED,
    ORIGINS,
    PLAIN,
    PRESS_ORIGINS,
    PROFILE,
    Put,
    add_picture,
    add_resource,
    change_metadata,
    check,
    check_put,
    list_rules,
    make_form,
    make_picture,
    open_good,
    save,
    wants_of,
)

from cardgen.core.geometry import Size
from cardgen.core.units import MM
from cardgen.preflight.check import check_file
from cardgen.preflight.wants import Flavour


def move_box(pdf: Pdf, name: str, *by: float) -> None:
    """Make a box larger (or smaller) at its left, bottom, right and top."""
    page = pdf.pages[0].obj
    box = [float(value) for value in page[name]]
    grown = (box[0] - by[0], box[1] - by[1], box[2] + by[2], box[3] + by[3])
    page[name] = Array(grown)


def copy_box(pdf: Pdf, name: str, other: str, by: float = 0.0) -> None:
    pdf.pages[0].obj[name] = pdf.pages[0].obj[other]
    move_box(pdf, name, by, by, by, by)


def take_out(pdf: Pdf, name: str) -> None:
    del pdf.pages[0].obj[name]


BOXES: dict[str, tuple[Put, str, str]] = {
    "trim beyond bleed": (
        lambda pdf: move_box(pdf, "/BleedBox", 0, 0, -2 * BLEED, 0),
        "box-nesting",
        "the TrimBox is not within the BleedBox: it goes 3mm beyond it at the right",
    ),
    "bleed beyond media": (
        lambda pdf: move_box(pdf, "/BleedBox", 0, 0, 0, 1 * MM),
        "box-nesting",
        "the BleedBox is not within the MediaBox: it goes 1mm beyond it at the top",
    ),
    "crop beyond media": (
        lambda pdf: copy_box(pdf, "/CropBox", "/MediaBox", 2 * MM),
        "box-nesting",
        "the CropBox is not within the MediaBox: it goes 2mm beyond it at the",
    ),
    "no trim": (lambda pdf: take_out(pdf, "/TrimBox"), "trim-box", "no TrimBox"),
    "narrow bleed": (
        lambda pdf: copy_box(pdf, "/BleedBox", "/TrimBox", 2 * MM),
        "bleed-width",
        "a bleed of 2mm at all sides",
    ),
    "narrow bleed at one side": (
        lambda pdf: move_box(pdf, "/BleedBox", -1 * MM, 0, 0, 0),
        "bleed-width",
        "a bleed of 2mm at the left",
    ),
}


@pytest.mark.parametrize(("put", "rule", "message"), BOXES.values(), ids=BOXES)
@pytest.mark.parametrize("origin", ORIGINS)
def test_boxes(origin: str, put: Put, rule: str, message: str) -> None:
    check_put(origin, put, (rule, "error"), message)


@pytest.mark.parametrize("origin", PRESS_ORIGINS)
def test_an_art_box(origin: str) -> None:
    cases: list[tuple[Flavour, str]] = [("x-4", "error"), ("plain", "note")]
    for flavour, severity in cases:
        pdf = open_good(origin, flavour)
        copy_box(pdf, "/ArtBox", "/TrimBox")
        assert list_rules(check(pdf, flavour)) == [("art-box", severity)]


def test_a_crop_box_that_hides_bleed() -> None:
    pdf = open_good("ghostscript")
    copy_box(pdf, "/CropBox", "/TrimBox", 1 * MM)
    report = check(pdf)
    assert list_rules(report) == [("crop-box", "warning")]
    assert "part of the bleed" in report.findings[0].message


def add_page(pdf: Pdf) -> None:
    """One more page, the same as the first."""
    pdf.pages.append(pdf.pages[0])


@pytest.mark.parametrize("origin", ORIGINS)
def test_pages_of_two_sizes(origin: str) -> None:
    pdf = open_good(origin)
    for _ in range(2):
        add_page(pdf)
    assert list_rules(check(pdf)) == []
    page = pdf.pages[2].obj
    trim = [float(value) for value in page.TrimBox]
    page.TrimBox = Array([trim[0] + 2, trim[1], trim[2], trim[3]])
    report = check(pdf)
    assert list_rules(report) == [("page-size", "error")]
    assert report.findings[0].pages == (3,)


def test_a_page_on_its_side_is_as_large_when_it_is_turned() -> None:
    pdf = open_good("ghostscript")
    add_page(pdf)
    pdf.pages[1].obj.Rotate = 180
    assert list_rules(check(pdf)) == [("page-turned", "error")]
    pdf.pages[1].obj.Rotate = 90
    assert list_rules(check(pdf)) == [("page-size", "error")]


def test_the_size_and_the_number_of_pages_that_are_wanted() -> None:
    data = save(open_good("ghostscript"))
    good = replace(PLAIN, trim=Size(63.5 * MM, 88.9 * MM), pages=1)
    assert list_rules(check_file(data, good)) == []
    other = replace(PLAIN, trim=Size(63 * MM, 88 * MM))
    assert list_rules(check_file(data, other)) == [("page-size", "error")]
    assert list_rules(check_file(data, replace(PLAIN, pages=2))) == [("page-count", "error")]


def test_no_pages() -> None:
    report = check(Pdf.new())
    assert list_rules(report) == [("page-count", "error")]


# What the file holds beside its pages


def put_script(pdf: Pdf) -> None:
    action = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))
    pdf.Root.Names = Dictionary(JavaScript=Dictionary(Names=Array([String("a"), action])))


def put_note(pdf: Pdf, kind: str = "/Text", flags: int = 4) -> None:
    note = Dictionary(Type=Name.Annot, Subtype=Name(kind), Rect=Array([60, 60, 80, 80]), F=flags)
    note = pdf.make_indirect(note)
    pdf.pages[0].obj.Annots = Array([note])
    if kind == "/Widget":
        pdf.Root.AcroForm = Dictionary(Fields=Array([note]))


def put_open_script(pdf: Pdf) -> None:
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))


def put_page_script(pdf: Pdf) -> None:
    action = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))
    pdf.pages[0].obj.AA = Dictionary(O=pdf.make_indirect(action))


EXTRAS: dict[str, tuple[Put, str]] = {
    "script": (put_script, "scripts"),
    "script when it is opened": (put_open_script, "scripts"),
    "script of a page": (put_page_script, "scripts"),
    "note": (put_note, "annotations"),
    "form field": (lambda pdf: put_note(pdf, "/Widget"), "annotations"),
}


@pytest.mark.parametrize(("put", "rule"), EXTRAS.values(), ids=EXTRAS)
@pytest.mark.parametrize("origin", ORIGINS)
def test_what_is_not_on_paper(origin: str, put: Put, rule: str) -> None:
    pdf = open_good(origin)
    put(pdf)
    assert list_rules(check(pdf)) == [(rule, "error")]


def test_annotations_that_do_no_harm() -> None:
    pdf = open_good("ghostscript")
    put_note(pdf, "/Link")
    assert list_rules(check(pdf)) == []
    put_note(pdf, flags=2)
    assert list_rules(check(pdf)) == []
    put_note(pdf)
    pdf.pages[0].obj.Annots[0].Rect = Array([600, 60, 620, 80])
    assert list_rules(check(pdf)) == []
    pdf = open_good("ghostscript", "x-4")
    put_note(pdf, "/Link")
    assert list_rules(check(pdf, "x-4")) == [("annotations", "error")]


@pytest.mark.parametrize("origin", ORIGINS)
def test_encryption(origin: str) -> None:
    locked = pikepdf.Encryption(owner="secret", user="", R=4, aes=True)
    pdf = open_good(origin)
    assert list_rules(check(pdf, encryption=locked)) == [("encryption", "error")]


def put_file(pdf: Pdf) -> None:
    pdf.attachments["notes.txt"] = b"hello"


def put_layers(pdf: Pdf) -> None:
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("German")))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=Dictionary(Order=Array([group])))


def put_lzw(pdf: Pdf) -> None:
    stream = pdf.make_stream(b"")
    stream.write(b"\x80\x40\x40", filter=Name.LZWDecode)  # nothing, packed
    contents = pdf.pages[0].obj.Contents
    parts = list(contents) if isinstance(contents, Array) else [contents]
    pdf.pages[0].obj.Contents = Array([*parts, stream])


def put_jpx(pdf: Pdf) -> None:
    file = BytesIO()
    Image.new("L", (100, 100), 90).save(file, "JPEG2000")
    picture = make_picture(pdf, 100, 100, Name.DeviceGray, b"")
    picture.write(file.getvalue(), filter=Name.JPXDecode)
    add_picture(pdf, picture)


def put_opi(pdf: Pdf) -> None:
    form = make_form(pdf, "")
    form.OPI = Dictionary({"/2.0": Dictionary(Type=Name.OPI)})
    add_resource(pdf, "XObject", form)


def put_transfer(pdf: Pdf) -> None:
    add_resource(pdf, "ExtGState", Dictionary(Type=Name.ExtGState, TR=Name.Identity))


def put_postscript(pdf: Pdf) -> None:
    stream = pdf.make_stream(b"showpage", Type=Name.XObject, Subtype=Name.PS)
    add_resource(pdf, "XObject", stream)


def get_intent(pdf: Pdf) -> Any:
    return pdf.Root.OutputIntents[0]


def put_profile(pdf: Pdf, change: Callable[[bytes], bytes], count: int = 4) -> None:
    stream = pdf.make_stream(change(PROFILE.read_bytes()), N=count)
    get_intent(pdf).DestOutputProfile = stream


def take_out_of(thing: Any, key: str) -> None:
    del thing[key]


def get_info(pdf: Pdf) -> Any:
    return pdf.trailer.Info


KEYS: dict[str, tuple[Put, str]] = {
    "no intent": (lambda pdf: take_out_of(pdf.Root, "/OutputIntents"), "output-intent"),
    "two intents": (lambda pdf: pdf.Root.OutputIntents.append(get_intent(pdf)), "output-intent"),
    "intent of another kind": (
        lambda pdf: setattr(get_intent(pdf), "S", Name.GTS_PDFA1),
        "output-intent",
    ),
    "intent without a name": (
        lambda pdf: take_out_of(get_intent(pdf), "/OutputConditionIdentifier"),
        "output-intent",
    ),
    "profile of a screen": (
        lambda pdf: put_profile(pdf, lambda data: data[:12] + b"mntr" + data[16:]),
        "output-intent",
    ),
    "profile in RGB": (
        lambda pdf: put_profile(pdf, lambda data: data[:16] + b"RGB " + data[20:]),
        "output-intent",
    ),
    "profile with a wrong number": (
        lambda pdf: put_profile(pdf, lambda data: data, 3),
        "output-intent",
    ),
    "no profile at all": (lambda pdf: put_profile(pdf, lambda _: b"hello"), "output-intent"),
    "no title": (lambda pdf: take_out_of(get_info(pdf), "/Title"), "information"),
    "no date": (lambda pdf: take_out_of(get_info(pdf), "/ModDate"), "information"),
    "no Trapped": (lambda pdf: take_out_of(get_info(pdf), "/Trapped"), "information"),
    "Trapped as text": (
        lambda pdf: setattr(get_info(pdf), "Trapped", String("False")),
        "information",
    ),
    "a file within": (put_file, "embedded-files"),
    "LZW": (put_lzw, "filters"),
    "OPI": (put_opi, "old-postscript"),
    "transfer function": (put_transfer, "old-postscript"),
    "PostScript": (put_postscript, "old-postscript"),
}
X4_KEYS: dict[str, tuple[Put, str]] = {
    "no embedded profile": (
        lambda pdf: take_out_of(get_intent(pdf), "/DestOutputProfile"),
        "output-intent",
    ),
    "no document id": (
        lambda pdf: change_metadata(pdf, 'xmpMM:DocumentID="uuid:1"', ""),
        "metadata",
    ),
    "another title": (lambda pdf: change_metadata(pdf, "A card", "Another"), "metadata"),
    "another date": (
        lambda pdf: change_metadata(pdf, "<xmp:ModifyDate>2026", "<xmp:ModifyDate>2025"),
        "metadata",
    ),
    "packed metadata": (lambda pdf: pack_metadata(pdf), "metadata"),
}
X1A_KEYS: dict[str, tuple[Put, str]] = {
    "JPEG 2000": (put_jpx, "filters"),
    "layers": (put_layers, "layers"),
}


def pack_metadata(pdf: Pdf) -> None:
    stream = pdf.Root.Metadata
    del stream["/Type"]  # or else pikepdf would unpack it again
    stream.write(zlib.compress(stream.read_bytes()), filter=Name.FlateDecode)


@pytest.mark.parametrize(("put", "rule"), KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("flavour", ["x-4", "x-1a"])
@pytest.mark.parametrize("origin", PRESS_ORIGINS)
def test_keys_of_both_flavours(origin: str, flavour: Flavour, put: Put, rule: str) -> None:
    pdf = open_good(origin, flavour)
    put(pdf)
    assert list_rules(check(pdf, flavour)) == [(rule, "error")]


@pytest.mark.parametrize(("put", "rule"), X4_KEYS.values(), ids=X4_KEYS)
def test_keys_of_x4(put: Put, rule: str) -> None:
    pdf = open_good("ghostscript", "x-4")
    put(pdf)
    assert list_rules(check(pdf, "x-4")) == [(rule, "error")]


@pytest.mark.parametrize(("put", "rule"), X1A_KEYS.values(), ids=X1A_KEYS)
@pytest.mark.parametrize("origin", PRESS_ORIGINS)
def test_keys_of_x1a(origin: str, put: Put, rule: str) -> None:
    pdf = open_good(origin, "x-1a")
    put(pdf)
    assert list_rules(check(pdf, "x-1a")) == [(rule, "error")]


def test_x1a_needs_no_profile_where_its_condition_is_registered() -> None:
    pdf = open_good("ghostscript", "x-1a")
    take_out_of(get_intent(pdf), "/DestOutputProfile")
    assert list_rules(check(pdf, "x-1a")) == []
    take_out_of(get_intent(pdf), "/RegistryName")
    assert list_rules(check(pdf, "x-1a")) == [("output-intent", "error")]


def test_no_metadata() -> None:
    pdf = open_good("ghostscript", "x-4")
    take_out_of(pdf.Root, "/Metadata")
    # Without it the file does not say that it is PDF/X-4 either.
    assert {finding.rule for finding in check(pdf, "x-4").findings} == {"metadata", "pdfx-version"}


def test_metadata_that_is_no_xml() -> None:
    pdf = open_good("ghostscript", "x-4")
    change_metadata(pdf, "</rdf:RDF>", "")
    assert {finding.rule for finding in check(pdf, "x-4").findings} == {"metadata", "pdfx-version"}


@pytest.mark.parametrize(("flavour", "version"), [("x-4", "1.7"), ("x-1a", "1.5")])
def test_a_version_that_is_too_high(flavour: Flavour, version: str) -> None:
    for origin in PRESS_ORIGINS:
        pdf = open_good(origin, flavour)
        report = check(pdf, flavour, force_version=version)
        assert list_rules(report) == [("pdfx-version", "error")]
        assert version in report.findings[0].message


def test_a_file_of_another_flavour() -> None:
    report = check_file(save(open_good("ghostscript", "x-1a"), "x-1a"), wants_of("x-4"))
    assert ("pdfx-version", "error") in list_rules(report)
    messages = [finding.message for finding in report.findings]
    assert 'the target "press" wants PDF/X-4; it says PDF/X-1a:2003' in messages


def test_object_streams() -> None:
    mode = pikepdf.ObjectStreamMode.generate
    cases: list[tuple[Flavour, list[tuple[str, str]]]] = [
        ("x-4", []),
        ("x-1a", [("object-streams", "error")]),
    ]
    for flavour, found in cases:
        pdf = open_good("ghostscript", flavour)
        data = save(pdf, flavour, object_stream_mode=mode, force_version="1.5")
        data = data.replace(b"%PDF-1.5", b"%PDF-1.4")
        assert list_rules(check_file(data, wants_of(flavour))) == found


def test_no_id() -> None:
    data = save(open_good("ghostscript", "x-4"), "x-4").replace(b"/ID [", b"/IX [")
    assert list_rules(check_file(data, wants_of("x-4"))) == [("file-id", "error")]


@pytest.mark.parametrize("flavour", ["x-4", "x-1a"])
def test_what_a_file_claims_it_is_checked_for(flavour: Flavour) -> None:
    pdf = open_good("ghostscript", flavour)
    report = check_file(save(pdf, flavour))
    assert (report.flavour, list_rules(report)) == (flavour, [])
    take_out_of(get_info(pdf), "/Trapped")
    assert list_rules(check_file(save(pdf, flavour))) == [("information", "error")]


def test_a_claim_that_is_not_checked() -> None:
    pdf = open_good("ghostscript", "x-1a")
    get_info(pdf).GTS_PDFXVersion = String("PDF/X-3:2003")
    report = check_file(save(pdf, "x-1a"))
    assert (report.flavour, list_rules(report)) == ("plain", [("pdfx-version", "note")])
