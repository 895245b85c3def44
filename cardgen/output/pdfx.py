"""The keys by which a file says that it is PDF/X, PDF/UA or PDF/A: output intent, information,
metadata.

Knows nothing of pages or of what is on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from cardgen.output.inks import Profile, make_srgb
from cardgen.output.notation import format_text
from cardgen.pages.target import Flavour

if TYPE_CHECKING:
    from cardgen.output.objects import File

# The highest version of PDF that each flavour may have.
VERSIONS: dict[Flavour, tuple[int, int]] = {"plain": (1, 7), "x-4": (1, 6), "x-1a": (1, 4)}
_NAMES: dict[Flavour, str] = {"x-4": "PDF/X-4", "x-1a": "PDF/X-1a:2003"}
_NAMESPACES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
    "pdfaExtension": "http://www.aiim.org/pdfa/ns/extension/",
    "pdfaid": "http://www.aiim.org/pdfa/ns/id/",
    "pdfaProperty": "http://www.aiim.org/pdfa/ns/property#",
    "pdfaSchema": "http://www.aiim.org/pdfa/ns/schema#",
    "pdfuaid": "http://www.aiim.org/pdfua/ns/id/",
    "pdfxid": "http://www.npes.org/pdfx/ns/id/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
}
_SPOKEN = "<pdfuaid:part>1</pdfuaid:part>"
# PDF/A does not know the property by which PDF/UA is told, so it must be described.
_ARCHIVED = """<pdfaid:part>2</pdfaid:part>
<pdfaid:conformance>A</pdfaid:conformance>
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name>
<pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>The part of PDF/UA that the file keeps</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>"""
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})
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
    tagged: bool = False
    mixed: bool = False  # whether it holds pages of somebody else, for which nobody can speak
    archived: datetime | None = None  # the time that a file for archives tells, in UTC


def get_flavour_name(flavour: Flavour) -> str:
    return _NAMES.get(flavour, "PDF")


def mark_pdfua(file: File, head: Head) -> None:
    """Add all by which a tagged file says that it can be read aloud, and kept in an archive."""
    properties = [*_list_facts(head), f"<dc:language>{_bag(head.language)}</dc:language>"]
    if not head.mixed:
        properties.append(_SPOKEN)
    if head.archived is not None:
        profile = file.add_stream(make_srgb(), b"/N 3")
        intent = b"<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/Info(sRGB)"
        file.set_root("OutputIntents", b"[%b/DestOutputProfile %d 0 R>>]" % (intent, profile))
        file.set_info(_format_info(head, head.archived))
        properties += [*_list_history(head, head.archived, file.digest), _ARCHIVED]
    _add_metadata(file, properties)


def mark_pdfx(file: File, head: Head, press: Press) -> None:
    """Add all that makes the file one of its flavour."""
    file.set_root("OutputIntents", b"[%b]" % _add_intent(file, press.profile))
    file.set_info(_format_info(head, press.date))
    if head.flavour == "x-4":
        history = _list_history(head, press.date, file.digest)
        trapped = "<pdf:Trapped>False</pdf:Trapped>"
        flavour = f"<pdfxid:GTS_PDFXVersion>{_NAMES['x-4']}</pdfxid:GTS_PDFXVersion>"
        _add_metadata(file, [*_list_facts(head), *history, trapped, flavour])


def _add_metadata(file: File, properties: Sequence[str]) -> None:
    body = "\n".join(properties)
    spaces = "".join(
        f'\n xmlns:{prefix}="{address}"'
        for prefix, address in _NAMESPACES.items()
        if f"<{prefix}:" in body
    )
    metadata = f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about=""{spaces}>
{body}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""
    # Readers look for it in the file's bytes, so it stays uncompressed.
    number = file.add_stream(metadata.encode(), b"/Type/Metadata/Subtype/XML", compressed=True)
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
        b"Producer": format_text(_name_producer()),
        b"CreationDate": stamp,
        b"ModDate": stamp,
        b"Trapped": b"/False",
    }
    if head.flavour == "x-1a":
        entries[b"GTS_PDFXVersion"] = format_text(_NAMES["x-1a"])
    return b"<<%b>>" % b"".join(
        b"/%b%b" % (key, value) for key, value in entries.items() if value != b"()"
    )


def _name_producer() -> str:
    import reportlab  # which is loaded only where a file is written

    return f"ReportLab {reportlab.__version__}"


def _list_facts(head: Head) -> list[str]:
    """Return what metadata say of the work."""
    title = f'<rdf:Alt><rdf:li xml:lang="x-default">{_escape(head.title)}</rdf:li></rdf:Alt>'
    facts = ["<dc:format>application/pdf</dc:format>", f"<dc:title>{title}</dc:title>"]
    if head.author:
        author = f"<rdf:Seq><rdf:li>{_escape(head.author)}</rdf:li></rdf:Seq>"
        facts.append(f"<dc:creator>{author}</dc:creator>")
    return facts


def _list_history(head: Head, date: datetime, digest: str) -> list[str]:
    """Return what metadata say of how and when the file was made, as its information does."""
    stamp = date.strftime("%Y-%m-%dT%H:%M:%SZ")
    identity = uuid5(NAMESPACE_URL, f"{digest} {head.title} {stamp}")
    return [
        f"<pdf:Producer>{_escape(_name_producer())}</pdf:Producer>",
        f"<xmp:CreateDate>{stamp}</xmp:CreateDate>",
        f"<xmp:ModifyDate>{stamp}</xmp:ModifyDate>",
        f"<xmp:MetadataDate>{stamp}</xmp:MetadataDate>",
        f"<xmp:CreatorTool>{_escape(head.creator)}</xmp:CreatorTool>",
        f"<xmpMM:DocumentID>uuid:{identity}</xmpMM:DocumentID>",
        f"<xmpMM:InstanceID>uuid:{identity}</xmpMM:InstanceID>",
        "<xmpMM:VersionID>1</xmpMM:VersionID>",
        "<xmpMM:RenditionClass>default</xmpMM:RenditionClass>",
    ]


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)


def _bag(text: str) -> str:
    return f"<rdf:Bag><rdf:li>{_escape(text)}</rdf:li></rdf:Bag>"
