"""Good PDF files of three programs, as a print shop takes them, and ways to put things in."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String
from PIL import ImageCms

from cardgen.core.units import MM
from cardgen.preflight.check import check_file
from cardgen.preflight.report import Report
from cardgen.preflight.wants import Flavour, Wants

DATA = Path(__file__).parent / "files"
PROFILE = Path(__file__).parent.parent.parent / "assets" / "profiles" / "coated-fogra39-300.icc"
ORIGINS = ("ghostscript", "weasyprint-cmyk", "weasyprint-rgb", "libreoffice")
# What is in CMYK as it comes; LibreOffice's is made so.
PRESS_ORIGINS = ("ghostscript", "weasyprint-cmyk", "libreoffice")
BLEED = 3 * MM
PLAIN = Wants(binding=True, colour="given", total_ink=300, dpi=300)
VERSIONS: dict[Flavour, str] = {"plain": "1.6", "x-4": "1.6", "x-1a": "1.4"}
DATE = "D:20260102030405Z"

_XMP = """<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"
  xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" pdfxid:GTS_PDFXVersion="PDF/X-4"
  xmpMM:DocumentID="uuid:1" xmpMM:VersionID="1" xmpMM:RenditionClass="default">
<xmp:CreateDate>2026-01-02T03:04:05Z</xmp:CreateDate>
<xmp:ModifyDate>2026-01-02T03:04:05Z</xmp:ModifyDate>
<xmp:MetadataDate>2026-01-02T03:04:05Z</xmp:MetadataDate>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A card</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""


def wants_of(flavour: Flavour) -> Wants:
    if flavour == "plain":
        return PLAIN
    return replace(PLAIN, flavour=flavour, colour="cmyk", asked_by='the target "press"')


def open_good(origin: str, flavour: Flavour = "plain") -> Pdf:
    """A file in which nothing is wrong."""
    pdf = Pdf.open(DATA / f"{origin}.pdf")
    page = pdf.pages[0].obj
    if origin == "libreoffice":
        page.BleedBox = page.MediaBox
        page.TrimBox = Array([BLEED, BLEED, BLEED + 63.5 * MM, BLEED + 88.9 * MM])
    if flavour != "plain":
        if origin == "libreoffice":
            turn_to_cmyk(pdf)
        if flavour == "x-1a" and "/Group" in page:
            del page.Group
        add_keys(pdf, flavour)
    # So that whatever a fault paints begins as the page does.
    pdf.pages[0].contents_add(b"q", prepend=True)
    pdf.pages[0].contents_add(b"Q")
    return pdf


def add_keys(pdf: Pdf, flavour: Flavour) -> None:
    """What PDF/X wants a file to say of itself."""
    profile = pdf.make_stream(PROFILE.read_bytes(), N=4)
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier=String("FOGRA39"),
        RegistryName=String("http://www.color.org"),
        DestOutputProfile=profile,
    )
    pdf.Root.OutputIntents = Array([pdf.make_indirect(intent)])
    info = Dictionary(
        Title=String("A card"),
        CreationDate=String(DATE),
        ModDate=String(DATE),
        Trapped=Name("/False"),
    )
    if flavour == "x-1a":
        info.GTS_PDFXVersion = String("PDF/X-1a:2003")
    pdf.trailer.Info = pdf.make_indirect(info)
    if "/Metadata" in pdf.Root:
        del pdf.Root.Metadata
    if flavour == "x-4":
        set_metadata(pdf, _XMP)


def set_metadata(pdf: Pdf, xmp: str) -> None:
    stream = pdf.make_stream(xmp.encode(), Type=Name.Metadata, Subtype=Name.XML)
    pdf.Root.Metadata = stream


def change_metadata(pdf: Pdf, old: str, new: str) -> None:
    assert old in _XMP
    set_metadata(pdf, _XMP.replace(old, new))


def turn_to_cmyk(pdf: Pdf) -> None:
    """LibreOffice's colours, its gradient and its picture given in CMYK."""
    page = pdf.pages[0].obj
    lines = []
    for instruction in pikepdf.parse_content_stream(page):
        operands: Any = instruction.operands
        operator = instruction.operator
        if str(operator) in ("rg", "RG"):
            red, green, blue = (1 - float(value) for value in operands)
            black = min(red, green, blue)
            operands = [red - black, green - black, blue - black, black]
            operator = pikepdf.Operator("k" if str(operator) == "rg" else "K")
        lines.append((operands, operator))
    page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(lines))
    resources = page.Resources
    for name in list(resources.Shading.keys()):
        resources.Shading[name] = make_gradient(pdf, (0.8, 0.2, 0, 0), (0, 0.6, 0.9, 0.1))
    for name in list(resources.XObject.keys()):
        resources.XObject[name] = make_picture(pdf, 100, 100, Name.DeviceCMYK, bytes(40_000))


def save(pdf: Pdf, flavour: Flavour = "plain", **settings: Any) -> bytes:
    """The file as bytes; nothing is packed anew."""
    given: dict[str, Any] = {
        "force_version": VERSIONS[flavour],
        "object_stream_mode": pikepdf.ObjectStreamMode.disable,
        "stream_decode_level": pikepdf.StreamDecodeLevel.none,
        "compress_streams": False,
        "fix_metadata_version": False,
        "deterministic_id": True,
    }
    if "encryption" in settings:
        del given["deterministic_id"], given["stream_decode_level"]
    given.update(settings)
    file = BytesIO()
    pdf.save(file, **given)
    return file.getvalue()


def check(pdf: Pdf, flavour: Flavour = "plain", **settings: Any) -> Report:
    return check_file(save(pdf, flavour, **settings), wants_of(flavour), "card.pdf")


def list_rules(report: Report) -> list[tuple[str, str]]:
    """Rule and severity of every finding."""
    return [(finding.rule, finding.severity) for finding in report.findings]


# What faults are made of


def add_content(pdf: Pdf, content: str, index: int = 0) -> None:
    """Paint over a page, in points from the bottom left of its trim."""
    page = pdf.pages[index]
    x, y = page.obj.TrimBox[0], page.obj.TrimBox[1]
    page.contents_add(f"q 1 0 0 1 {x} {y} cm {content} Q".encode())


def wrap_content(pdf: Pdf, before: str, index: int = 0) -> None:
    pdf.pages[index].contents_add(f"q {before}".encode(), prepend=True)
    pdf.pages[index].contents_add(b"Q")


def add_resource(pdf: Pdf, kind: str, thing: Any, index: int = 0) -> str:
    """Name a thing among the page's resources."""
    page = pdf.pages[index].obj
    resources = page.get("/Resources")
    if resources is None:
        resources = page.Resources = Dictionary()
    if f"/{kind}" not in resources:
        resources[f"/{kind}"] = Dictionary()
    name = f"/Put{len(resources[f'/{kind}'].keys())}"
    resources[f"/{kind}"][name] = thing
    return name


def make_picture(
    pdf: Pdf, width: int, height: int, space: Any, data: bytes, **settings: Any
) -> Stream:
    return pdf.make_stream(
        data,
        Type=Name.XObject,
        Subtype=Name.Image,
        Width=width,
        Height=height,
        BitsPerComponent=8,
        ColorSpace=space,
        **settings,
    )


def add_picture(pdf: Pdf, picture: Stream, size: float = 20.0) -> None:
    name = add_resource(pdf, "XObject", picture)
    add_content(pdf, f"{size} 0 0 {size} 60 60 cm {name} Do")


def make_form(pdf: Pdf, content: str, resources: Any = None) -> Stream:
    return pdf.make_stream(
        content.encode(),
        Type=Name.XObject,
        Subtype=Name.Form,
        BBox=Array([0, 0, 200, 200]),
        Resources=resources or Dictionary(),
    )


def make_profile(components: int) -> bytes:
    """An ICC profile of grey, RGB or CMYK."""
    if components == 4:
        return PROFILE.read_bytes()
    if components == 3:
        return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    white = b"XYZ \0\0\0\0" + struct.pack(">3i", 0xF6D6, 0x10000, 0xD32D)
    curve = b"curv\0\0\0\0\0\0\0\0"
    tags = struct.pack(">I4sII4sII", 2, b"wtpt", 156, len(white), b"kTRC", 176, len(curve))
    body = tags + white + curve
    head = struct.pack(
        ">I4sI4s4s4s12x4s40x", 128 + len(body), b"", 0x02400000, b"mntr", b"GRAY", b"XYZ ", b"acsp"
    )
    return head[:68] + struct.pack(">3i", 0xF6D6, 0x10000, 0xD32D) + bytes(48) + body


def make_function(first: tuple[float, ...], last: tuple[float, ...]) -> Dictionary:
    return Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array(first), C1=Array(last), N=1)


def make_gradient(
    pdf: Pdf, first: tuple[float, ...], last: tuple[float, ...], space: Any = Name.DeviceCMYK
) -> Dictionary:
    return pdf.make_indirect(
        Dictionary(
            ShadingType=2,
            ColorSpace=space,
            Coords=Array([0, 0, 140, 0]),
            Function=make_function(first, last),
            Extend=Array([True, True]),
        )
    )


def find_text(pdf: Pdf) -> tuple[str, bytes]:
    """A font of the page, and a string that it can set."""
    font = ""
    for instruction in pikepdf.parse_content_stream(pdf.pages[0]):
        operands: Any = instruction.operands
        operator = instruction.operator
        if str(operator) == "Tf":
            font = str(operands[0])
        if str(operator) == "TJ" and font:
            text = b"".join(bytes(item) for item in operands[0] if isinstance(item, String))
            return font, text
        if str(operator) == "Tj" and font:
            return font, bytes(operands[0])
    raise AssertionError("no text")


def read_text_font(pdf: Pdf) -> Any:
    """The font that find_text names, as it stands in the file."""
    font, _ = find_text(pdf)
    return pdf.pages[0].obj.Resources.Font[font]


def add_text(pdf: Pdf, size: float, x: float, y: float, before: str = "") -> None:
    font, text = find_text(pdf)
    ink = "0 0 0 1 k"
    add_content(pdf, f"{ink} {before} BT {font} {size} Tf {x} {y} Td <{text.hex()}> Tj ET")


Put = Callable[[Pdf], object]


def check_put(origin: str, put: Put, found: tuple[str, str], message: str) -> None:
    """Check that a good file with one thing put in has this finding and no other."""
    pdf = open_good(origin)
    put(pdf)
    report = check(pdf)
    assert list_rules(report) == [found]
    assert report.findings[0].message.startswith(message)
