"""The rules of PDF/X for what a file says of itself: version, OutputIntent, information, metadata.

Knows nothing of what the pages paint.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from cardgen.preflight.document import Document
from cardgen.preflight.objects import (
    find_dictionary,
    find_stream,
    find_value,
    list_array,
    list_filters,
    read_data,
    read_name,
    read_number,
    read_text,
)
from cardgen.preflight.profiles import find_condition, read_profile
from cardgen.preflight.report import Fault
from cardgen.preflight.wants import FLAVOUR_NAMES, Flavour, Wants

_HIGHEST = {"x-4": (1, 6), "x-1a": (1, 4)}
_REGISTRY = "http://www.color.org"
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_SPACES = {
    "http://www.npes.org/pdfx/ns/id/": "pdfxid",
    "http://ns.adobe.com/xap/1.0/mm/": "xmpMM",
    "http://ns.adobe.com/xap/1.0/": "xmp",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://ns.adobe.com/pdf/1.3/": "pdf",
}
# The properties that XMP metadata must have.
_NEEDED = (
    *(("xmpMM", "DocumentID"), ("xmpMM", "VersionID"), ("xmpMM", "RenditionClass")),
    *(("xmp", "CreateDate"), ("xmp", "ModifyDate"), ("xmp", "MetadataDate"), ("dc", "title")),
)
_DATE = re.compile(r"D?:?(\d{4})-?(\d\d)?-?(\d\d)?T?(\d\d)?:?(\d\d)?:?(\d\d)?")


def read_claim(document: Document) -> str:
    """Return the version of PDF/X that a file says it is; empty where it says none."""
    info = find_dictionary(document.pdf.trailer, "/Info")
    found = _read_metadata(document).read("pdfxid", "GTS_PDFXVersion")
    return found or read_text(info, "/GTS_PDFXConformance") or read_text(info, "/GTS_PDFXVersion")


def parse_claim(claim: str) -> Flavour:
    """Return the flavour that a claim stands for; plain for one that is not checked as such."""
    named: dict[str, Flavour] = {name: flavour for flavour, name in FLAVOUR_NAMES.items()}
    return named.get(claim, "plain")


def check_claim(claim: str, wants: Wants) -> Iterator[Fault]:
    """Check that a file says the flavour that is wanted."""
    if wants.is_press and parse_claim(claim) != wants.flavour:
        says = f"it says {claim}" if claim else "it does not say so"
        yield _make_fault(
            "preflight/pdfx-version",
            f"{wants.asked_by} wants {wants.flavour_name}; {says}",
            f"write the file as {wants.flavour_name}",
            "flavour",
        )
    elif claim and parse_claim(claim) == "plain":
        known = " and ".join(name for flavour, name in FLAVOUR_NAMES.items() if flavour != "plain")
        yield Fault(
            "preflight/pdfx-version",
            "note",
            f"the file says that it is {claim}; only {known} are checked as such",
            "ask for the version of PDF/X that the print shop wants",
        )


def check_keys(document: Document, wants: Wants) -> Iterator[Fault]:
    """Check what a file must say of itself to be of a flavour."""
    if not wants.is_press:
        return
    yield from _check_version(document, wants)
    yield from _check_intents(document.pdf.Root, wants)
    yield from _check_information(document)
    yield from _compare_trapped(document)
    if len(list_array(find_value(document.pdf.trailer, "/ID"))) != 2:
        yield _make_fault(
            "preflight/file-id", "the file has no ID", "write the ID into its trailer"
        )
    if wants.flavour == "x-4":
        yield from _check_metadata(document)


def _make_fault(code: str, message: str, cure: str, *about: Hashable) -> Fault:
    return Fault(code, "error", message, cure, about)


def _check_version(document: Document, wants: Wants) -> Iterator[Fault]:
    highest = _HIGHEST[wants.flavour]
    own = read_name(document.pdf.Root, "/Version")
    for version in dict.fromkeys((document.version, own)):
        numbers = tuple(int(part) for part in version.split(".") if part.isdecimal())
        if numbers > highest:
            yield _make_fault(
                "preflight/pdfx-version",
                f"the file is PDF {version}; {wants.flavour_name} is PDF "
                f"{highest[0]}.{highest[1]} at most",
                f"write it as PDF {highest[0]}.{highest[1]}",
                version,
            )


def _check_intents(root: Any, wants: Wants) -> Iterator[Fault]:
    everyone = list_array(find_value(root, "/OutputIntents"))
    intents = [item for item in everyone if read_name(item, "/S") == "GTS_PDFX"]
    if len(intents) != 1:
        count = "no" if not intents else str(len(intents))
        yield _make_fault(
            "preflight/output-intent",
            f"the file has {count} OutputIntent of the kind GTS_PDFX; it must have exactly one",
            "name the printing condition, as FOGRA39, and embed its profile",
            "count",
        )
        return
    (intent,) = intents
    name = read_text(intent, "/OutputConditionIdentifier")
    if not name:
        yield _make_fault(
            "preflight/output-intent",
            "the OutputIntent has no OutputConditionIdentifier",
            "name the printing condition, as FOGRA39",
            "identifier",
        )
    profile = find_stream(intent, "/DestOutputProfile")
    if profile is None:
        registered = read_text(intent, "/RegistryName").rstrip("/") == _REGISTRY
        if wants.flavour == "x-4" or not registered:
            yield _make_fault(
                "preflight/output-intent",
                "the OutputIntent has no profile (DestOutputProfile)",
                "embed the profile of the printing condition",
                "no profile",
            )
        return
    yield from _check_profile(profile, name, wants)


def _check_profile(stream: Any, condition: str, wants: Wants) -> Iterator[Fault]:
    cure = "embed the profile of a printing press, in CMYK"
    profile = read_profile(read_data(stream))
    count = int(read_number(stream, "/N"))
    if profile is None:
        yield _make_fault(
            "preflight/output-intent",
            "the OutputIntent's profile is no ICC profile",
            cure,
            "no ICC profile",
        )
        return
    if profile.broken:
        yield _make_fault(
            "preflight/output-intent",
            f"the OutputIntent's profile cannot be used: {profile.broken}",
            "embed it anew, whole",
            "broken",
        )
        return
    if profile.usage != "prtr":
        yield _make_fault(
            "preflight/output-intent",
            f"the OutputIntent's profile is of the class {profile.usage.strip()}, not prtr",
            cure,
            "class",
        )
    if profile.space != "CMYK" or count != 4:
        yield _make_fault(
            "preflight/output-intent",
            f"the OutputIntent's profile is for {profile.space.strip()} and says that it has "
            f"{count} components; CMYK with 4 is needed",
            cure,
            "space",
        )
    named = find_condition(condition)
    if named and profile.condition and profile.condition != named:
        yield _make_fault(
            "preflight/output-intent",
            f"the OutputIntent names {named}, and its profile is one of {profile.condition}",
            f"embed the profile of {named}, or name {profile.condition}",
            "foreign",
        )
    found, wanted = named or profile.condition, find_condition(wants.condition)
    if found and wanted and found != wanted:
        yield Fault(
            "preflight/output-intent",
            wants.fault,
            f"the file is made for {found}; {wants.asked_by} wants {wanted}",
            f"write it anew with the profile of {wanted}",
            ("condition",),
        )


def _check_information(document: Document) -> Iterator[Fault]:
    info = find_dictionary(document.pdf.trailer, "/Info")
    missing = [
        key
        for key in ("Title", "CreationDate", "ModDate")
        if not read_text(info, f"/{key}").strip()
    ]
    if missing:
        yield _make_fault(
            "preflight/information",
            f"the document information has no {' and no '.join(missing)}",
            "fill it in where the file is written",
            "missing",
        )
    if read_name(info, "/Trapped") not in ("True", "False"):
        yield _make_fault(
            "preflight/information",
            "the document information does not say Trapped as the name True or False",
            "write /Trapped /False where the file is not trapped",
            "trapped",
        )


def _check_metadata(document: Document) -> Iterator[Fault]:
    stream = find_stream(document.pdf.Root, "/Metadata")
    cure = "write the XMP metadata as PDF/X-4 asks for it"
    if stream is None:
        yield _make_fault("preflight/metadata", "there is no XMP metadata", cure, "none")
        return
    if list_filters(stream):
        yield _make_fault(
            "preflight/metadata",
            "the XMP metadata is compressed",
            "write it uncompressed",
            "compressed",
        )
    metadata = _read_metadata(document)
    if not metadata.readable:
        yield _make_fault(
            "preflight/metadata", "the XMP metadata is no well-formed XML", cure, "unreadable"
        )
        return
    missing = [f"{space}:{key}" for space, key in _NEEDED if not metadata.read(space, key)]
    if missing:
        yield _make_fault(
            "preflight/metadata",
            f"the XMP metadata has no {', no '.join(missing)}",
            cure,
            "missing",
        )
    yield from _compare(metadata, find_dictionary(document.pdf.trailer, "/Info"))


def _compare(metadata: _Metadata, info: Any) -> Iterator[Fault]:
    """Check that title and dates are the same in both places."""
    pairs = (
        ("title", metadata.read("dc", "title"), read_text(info, "/Title")),
        (
            "date of creation",
            *_read_dates(metadata.read("xmp", "CreateDate"), info, "/CreationDate"),
        ),
        ("date of change", *_read_dates(metadata.read("xmp", "ModifyDate"), info, "/ModDate")),
    )
    for what, one, other in pairs:
        if one and other and one != other:
            yield _make_fault(
                "preflight/metadata",
                f"the {what} is not the same in the XMP metadata and the document information",
                "write the same in both",
                "differs",
                what,
            )


def _compare_trapped(document: Document) -> Iterator[Fault]:
    info = find_dictionary(document.pdf.trailer, "/Info")
    one, other = _read_metadata(document).read("pdf", "Trapped"), read_name(info, "/Trapped")
    if one and other and one != other:
        yield _make_fault(
            "preflight/metadata",
            f"the XMP metadata says that Trapped is {one}, and the document information that it is "
            f"{other}",
            "write the same in both",
            "differs",
            "trapped",
        )


def _read_dates(one: str, info: Any, key: str) -> tuple[str, str]:
    """Return both dates to the second, as far as both tell it."""
    found = [_DATE.match(text) for text in (one, read_text(info, key))]
    if not all(found):
        return "", ""
    dates = ["".join(part or "" for part in match.groups()) for match in found if match]
    shared = min(map(len, dates))
    return dates[0][:shared], dates[1][:shared]


@dataclass(frozen=True, slots=True)
class _Metadata:
    """The simple properties of XMP metadata, by their space and key."""

    readable: bool
    properties: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def read(self, space: str, key: str) -> str:
        return self.properties.get((space, key), "")


def _read_metadata(document: Document) -> _Metadata:
    stream = find_stream(document.pdf.Root, "/Metadata")
    if stream is None:
        return _Metadata(False)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(read_data(stream).strip(b"\0 \r\n\t"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return _Metadata(False)
    found: dict[tuple[str, str], str] = {}
    for description in root.iter(f"{_RDF}Description"):
        for name, value in description.attrib.items():
            _keep(found, str(name), str(value))
        for child in description:
            if isinstance(child.tag, str):
                _keep(found, child.tag, "".join(map(str, child.itertext())).strip())
    return _Metadata(True, found)


def _keep(found: dict[tuple[str, str], str], name: str, value: str) -> None:
    space, _, key = name.removeprefix("{").partition("}")
    if space in _SPACES:
        found.setdefault((_SPACES[space], key), value)
