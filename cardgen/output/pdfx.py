"""The keys by which a file says that it is PDF/X: output intent, information, metadata.

Knows nothing of pages or of what is on them.
"""

from __future__ import annotations

from datetime import datetime
from html import escape
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

import reportlab

from cardgen.output.inks import Profile
from cardgen.output.objects import File, format_text
from cardgen.pages.target import Flavour

# The highest version of PDF that each flavour may have.
VERSIONS: dict[Flavour, tuple[int, int]] = {"plain": (1, 6), "x-4": (1, 6), "x-1a": (1, 4)}
_NAMES: dict[Flavour, str] = {"x-4": "PDF/X-4", "x-1a": "PDF/X-1a:2003"}
_PRODUCER = f"ReportLab {reportlab.__version__}"
_REGISTRY = "http://www.color.org"


class Press(NamedTuple):
    """The press that a file is for, and the time that it tells, in UTC."""

    profile: Profile
    date: datetime


class Head(NamedTuple):
    """The facts that a file tells of itself."""

    title: str
    author: str
    language: str
    creator: str
    duplex: str
    flavour: Flavour = "plain"
    press: Press | None = None


def get_flavour_name(flavour: Flavour) -> str:
    return _NAMES.get(flavour, "PDF")


def mark_pdfx(file: File, head: Head, press: Press) -> None:
    """Add all that makes the file one of its flavour."""
    file.set_root("OutputIntents", b"[%b]" % _add_intent(file, press.profile))
    file.set_info(_format_info(head, press.date))
    if head.flavour == "x-4":
        metadata = _format_metadata(head, press.date, file.digest).encode()
        # Readers look for it in the file's bytes, so it stays uncompressed.
        number = file.add_stream(metadata, b"/Type/Metadata/Subtype/XML", compressed=True)
        file.set_root("Metadata", b"%d 0 R" % number)


def _add_intent(file: File, profile: Profile) -> bytes:
    number = file.add_stream(profile.data, b"/N 4")
    registry = b"/RegistryName%b" % format_text(_REGISTRY) if profile.condition else b""
    return (
        b"<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier%b/Info%b%b"
        % (
            format_text(profile.condition or "Custom"),
            format_text(profile.name),
            registry,
        )
        + b"/DestOutputProfile %d 0 R>>" % number
    )


def _format_info(head: Head, date: datetime) -> bytes:
    stamp = format_text(date.strftime("D:%Y%m%d%H%M%SZ"))
    entries = {
        b"Title": format_text(head.title),
        b"Author": format_text(head.author),
        b"Creator": format_text(head.creator),
        b"Producer": format_text(_PRODUCER),
        b"CreationDate": stamp,
        b"ModDate": stamp,
        b"Trapped": b"/False",
    }
    if head.flavour == "x-1a":
        entries[b"GTS_PDFXVersion"] = format_text(_NAMES["x-1a"])
    return b"<<%b>>" % b"".join(
        b"/%b%b" % (key, value) for key, value in entries.items() if value != b"()"
    )


def _format_metadata(head: Head, date: datetime, digest: str) -> str:
    """Return XMP that says the same as the information."""
    stamp = date.strftime("%Y-%m-%dT%H:%M:%SZ")
    identity = uuid5(NAMESPACE_URL, f"{digest} {head.title} {stamp}")
    author = f"<dc:creator><rdf:Seq><rdf:li>{escape(head.author)}</rdf:li></rdf:Seq></dc:creator>"
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{escape(head.title)}</rdf:li></rdf:Alt></dc:title>
{author if head.author else ""}
<pdf:Producer>{escape(_PRODUCER)}</pdf:Producer>
<pdf:Trapped>False</pdf:Trapped>
<pdfxid:GTS_PDFXVersion>{_NAMES["x-4"]}</pdfxid:GTS_PDFXVersion>
<xmp:CreateDate>{stamp}</xmp:CreateDate>
<xmp:ModifyDate>{stamp}</xmp:ModifyDate>
<xmp:MetadataDate>{stamp}</xmp:MetadataDate>
<xmp:CreatorTool>{escape(head.creator)}</xmp:CreatorTool>
<xmpMM:DocumentID>uuid:{identity}</xmpMM:DocumentID>
<xmpMM:InstanceID>uuid:{identity}</xmpMM:InstanceID>
<xmpMM:VersionID>1</xmpMM:VersionID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""
