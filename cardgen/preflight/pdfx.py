"""The rules of PDF/X for what a file says of itself: version, OutputIntent, information, metadata.

Turns an open document into faults. Knows nothing of what the pages paint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from cardgen.preflight.objects import (
    Metadata,
    Source,
    get,
    get_dictionary,
    get_name,
    get_number,
    get_stream,
    get_text,
    list_array,
    list_filters,
    read_data,
    read_metadata,
)
from cardgen.preflight.report import Fault
from cardgen.preflight.wants import FLAVOUR_NAMES, Flavour, Wants

_HIGHEST = {"x-4": (1, 6), "x-1a": (1, 4)}
_REGISTRY = "http://www.color.org"
_DATE = re.compile(r"D?:?(\d{4})-?(\d\d)?-?(\d\d)?T?(\d\d)?:?(\d\d)?:?(\d\d)?")


def read_claim(source: Source) -> str:
    """The version of PDF/X that a file claims to be, or nothing."""
    info = get_dictionary(source.pdf.trailer, "/Info")
    found = read_metadata(source).get("pdfxid", "GTS_PDFXVersion")
    return found or get_text(info, "/GTS_PDFXConformance") or get_text(info, "/GTS_PDFXVersion")


def find_flavour(claim: str) -> Flavour:
    """The flavour that a claim stands for; plain where it is none of those that are checked."""
    named: dict[str, Flavour] = {name: flavour for flavour, name in FLAVOUR_NAMES.items()}
    return named.get(claim, "plain")


def check_claim(claim: str, wants: Wants) -> Iterator[Fault]:
    if wants.is_press and find_flavour(claim) != wants.flavour:
        says = f"it says {claim}" if claim else "it does not say so"
        yield _make_fault(
            "pdfx-version",
            f"{wants.asked_by} wants {wants.flavour_name}; {says}",
            f"write the file as {wants.flavour_name}",
        )
    elif claim and find_flavour(claim) == "plain":
        known = " and ".join(name for flavour, name in FLAVOUR_NAMES.items() if flavour != "plain")
        yield Fault(
            "pdfx-version",
            "note",
            f"the file says that it is {claim}; only {known} are checked as such",
            "ask for the version of PDF/X that the print shop wants",
        )


def check_keys(source: Source, wants: Wants) -> Iterator[Fault]:
    """What a file must say of itself to be of a flavour."""
    if not wants.is_press:
        return
    yield from _check_version(source, wants)
    yield from _check_intents(source.pdf.Root, wants)
    yield from _check_information(source)
    if len(list_array(get(source.pdf.trailer, "/ID"))) != 2:
        yield _make_fault("file-id", "the file has no ID", "write the ID into its trailer")
    if wants.flavour == "x-4":
        yield from _check_metadata(source)


def _make_fault(rule: str, message: str, cure: str) -> Fault:
    return Fault(rule, "error", message, cure)


def _check_version(source: Source, wants: Wants) -> Iterator[Fault]:
    highest = _HIGHEST[wants.flavour]
    own = get_name(source.pdf.Root, "/Version")
    for version in {source.version, own}:
        numbers = tuple(int(part) for part in version.split(".") if part.isdecimal())
        if numbers > highest:
            yield _make_fault(
                "pdfx-version",
                f"the file is PDF {version}; {wants.flavour_name} is PDF "
                f"{highest[0]}.{highest[1]} at most",
                f"write it as PDF {highest[0]}.{highest[1]}",
            )


class _Profile(NamedTuple):
    """What an ICC profile says of itself."""

    usage: str
    space: str


def _read_profile(stream: Any) -> _Profile | None:
    data = read_data(stream)
    if len(data) < 128 or data[36:40] != b"acsp":
        return None
    return _Profile(data[12:16].decode("latin-1"), data[16:20].decode("latin-1"))


def _check_intents(root: Any, wants: Wants) -> Iterator[Fault]:
    everyone = list_array(get(root, "/OutputIntents"))
    intents = [item for item in everyone if get_name(item, "/S") == "GTS_PDFX"]
    if len(intents) != 1:
        count = "no" if not intents else str(len(intents))
        yield _make_fault(
            "output-intent",
            f"the file has {count} OutputIntent of the kind GTS_PDFX; it must have exactly one",
            "name the printing condition, as FOGRA39, and embed its profile",
        )
        return
    (intent,) = intents
    name = get_text(intent, "/OutputConditionIdentifier")
    if not name:
        yield _make_fault(
            "output-intent",
            "the OutputIntent has no OutputConditionIdentifier",
            "name the printing condition, as FOGRA39",
        )
    profile = get_stream(intent, "/DestOutputProfile")
    if profile is None:
        registered = get_text(intent, "/RegistryName").rstrip("/") == _REGISTRY
        if wants.flavour == "x-4" or not registered:
            yield _make_fault(
                "output-intent",
                "the OutputIntent has no profile (DestOutputProfile)",
                "embed the profile of the printing condition",
            )
        return
    yield from _check_profile(profile)


def _check_profile(stream: Any) -> Iterator[Fault]:
    cure = "embed the profile of a printing press, in CMYK"
    profile = _read_profile(stream)
    count = int(get_number(stream, "/N"))
    if profile is None:
        yield _make_fault("output-intent", "the OutputIntent's profile is no ICC profile", cure)
        return
    if profile.usage != "prtr":
        yield _make_fault(
            "output-intent",
            f"the OutputIntent's profile is of the class {profile.usage.strip()}, not prtr",
            cure,
        )
    if profile.space != "CMYK" or count != 4:
        yield _make_fault(
            "output-intent",
            f"the OutputIntent's profile is for {profile.space.strip()} and says that it has "
            f"{count} components; CMYK with 4 is needed",
            cure,
        )


def _check_information(source: Source) -> Iterator[Fault]:
    info = get_dictionary(source.pdf.trailer, "/Info")
    missing = [
        key for key in ("Title", "CreationDate", "ModDate") if not get_text(info, f"/{key}").strip()
    ]
    if missing:
        yield _make_fault(
            "information",
            f"the document information has no {' and no '.join(missing)}",
            "fill it in where the file is written",
        )
    if get_name(info, "/Trapped") not in ("True", "False"):
        yield _make_fault(
            "information",
            "the document information does not say Trapped as the name True or False",
            "write /Trapped /False where the file is not trapped",
        )


_NEEDED = (
    *(("xmpMM", "DocumentID"), ("xmpMM", "VersionID"), ("xmpMM", "RenditionClass")),
    *(("xmp", "CreateDate"), ("xmp", "ModifyDate"), ("xmp", "MetadataDate"), ("dc", "title")),
)


def _check_metadata(source: Source) -> Iterator[Fault]:
    stream = get_stream(source.pdf.Root, "/Metadata")
    cure = "write the XMP metadata as PDF/X-4 asks for it"
    if stream is None:
        yield _make_fault("metadata", "there is no XMP metadata", cure)
        return
    if list_filters(stream):
        yield _make_fault("metadata", "the XMP metadata is compressed", "write it uncompressed")
    metadata = read_metadata(source)
    if not metadata.readable:
        yield _make_fault("metadata", "the XMP metadata is no well-formed XML", cure)
        return
    missing = [f"{space}:{key}" for space, key in _NEEDED if not metadata.get(space, key)]
    if missing:
        yield _make_fault("metadata", f"the XMP metadata has no {', no '.join(missing)}", cure)
    yield from _compare(metadata, get_dictionary(source.pdf.trailer, "/Info"))


def _compare(metadata: Metadata, info: Any) -> Iterator[Fault]:
    """Title and dates must be the same in both places."""
    pairs = (
        ("title", metadata.get("dc", "title"), get_text(info, "/Title")),
        (
            "date of creation",
            *_read_dates(metadata.get("xmp", "CreateDate"), info, "/CreationDate"),
        ),
        ("date of change", *_read_dates(metadata.get("xmp", "ModifyDate"), info, "/ModDate")),
    )
    for what, one, other in pairs:
        if one and other and one != other:
            yield _make_fault(
                "metadata",
                f"the {what} is not the same in the XMP metadata and the document information",
                "write the same in both",
            )


def _read_dates(one: str, info: Any, key: str) -> tuple[str, str]:
    """Both dates to the second, as far as both tell it."""
    found = [_DATE.match(text) for text in (one, get_text(info, key))]
    if not all(found):
        return "", ""
    dates = ["".join(part or "" for part in match.groups()) for match in found if match]
    shared = min(map(len, dates))
    return dates[0][:shared], dates[1][:shared]
