"""The rules for what a file holds beside what its pages paint: encryption, scripts, notes, layers.

Knows nothing of the paint itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pikepdf import Dictionary, Name, Pdf, Stream

from cardgen.preflight.document import Document, DocumentPage
from cardgen.preflight.objects import (
    find_box,
    find_dictionary,
    find_value,
    is_number,
    list_array,
    list_filters,
    list_items,
    read_name,
    read_number,
)
from cardgen.preflight.report import Fault
from cardgen.preflight.source import Source
from cardgen.preflight.wants import Wants

_HIDDEN = 2
_HARMLESS = ("Link", "Popup")
_ALLOWED = ("TrapNet", "PrinterMark")
_AREAS = ("ViewArea", "ViewClip", "PrintArea", "PrintClip")
_FILTERS = {"LZWDecode": "LZW", "JPXDecode": "JPEG 2000", "JBIG2Decode": "JBIG2"}
_NO_SCRIPTS = "take scripts and actions out"
# An object in which none of these stands needs no closer look, as nearly all.
_SUSPECT = re.compile(
    rb"/(?:JavaScript|Launch|AA|Names|OPI|Alternates|ExtGState|TR2?|PS|LZWDecode|JPXDecode|JBIG2Decode)\b"
    rb"|/BitsPerComponent 16\b"
)
_PACKED = re.compile(rb"/Type\s*/(?:ObjStm|XRef)\b")


def check_structure(document: Document, wants: Wants, objects: Iterable[Fault]) -> Iterator[Fault]:
    """Check a file; `objects` are the faults of its objects, which take long to be found."""
    for repair in document.repairs[:1]:
        yield Fault(
            "preflight/damaged",
            "error",
            f"the file is damaged: {repair}",
            "write it anew; a print shop's program may not mend it as this one did",
            about=("file",),
            count=len(document.repairs),
        )
    if document.pdf.is_encrypted:
        yield Fault(
            "preflight/encryption",
            wants.breach,
            "the file is encrypted, though it opens without a password",
            "write it anew without encryption",
        )
    yield from _check_catalogue(document.pdf.Root, wants)
    yield from objects
    for page in (page for page in document.pages if page.has_extras):
        yield from _check_unit(page, wants)
        yield from _check_annotations(page, wants)


def _check_catalogue(root: Any, wants: Wants) -> Iterator[Fault]:
    names = find_dictionary(root, "/Names")
    if isinstance(find_value(root, "/OpenAction"), Dictionary) and wants.is_press:
        yield Fault(
            "preflight/scripts",
            wants.breach,
            "the file does something when it is opened (OpenAction)",
            _NO_SCRIPTS,
            about=("opening",),
        )
    if wants.is_press and (
        find_value(names, "/EmbeddedFiles") is not None or find_value(root, "/AF") is not None
    ):
        yield Fault(
            "preflight/embedded-files",
            "error",
            f"there are files within the file; {wants.flavour_name} allows none",
            "take them out",
        )
    preferences = find_dictionary(root, "/ViewerPreferences")
    for key in _AREAS:
        area = read_name(preferences, f"/{key}")
        if wants.is_press and area and area not in ("MediaBox", "BleedBox"):
            yield Fault(
                "preflight/print-area",
                "error",
                f"the file asks viewers to take the {area} as {key}; {wants.flavour_name} allows "
                "MediaBox and BleedBox alone",
                f"take {key} out of the ViewerPreferences",
                about=(key,),
            )
    if find_value(root, "/OCProperties") is not None:
        yield Fault(
            "preflight/layers",
            "error" if wants.flavour == "x-1a" else "note",
            "the file has layers that can be switched off, so that not all may be printed",
            "write it without layers",
        )


def check_objects(source: Source, wants: Wants, pdf: Pdf) -> Iterator[Fault]:
    """Check every object of a file, whether a page shows it or not.

    They are all read from `pdf`, opened for that.
    """
    found = _count_objects(pdf)
    if found.scripts:
        yield Fault(
            "preflight/scripts",
            wants.breach,
            "there are scripts, or actions that run by themselves",
            _NO_SCRIPTS,
            about=("scripts",),
        )
    if wants.is_press:
        yield from _check_press(found, source, wants)


class _Found(NamedTuple):
    """How many objects of a file are what is not wanted of it; `packed` counts each filter.

    old: those of PostScript and its time
    deep: pictures of 16 bits
    """

    scripts: int
    old: int
    deep: int
    packed: Mapping[str, int]


def _count_objects(pdf: Pdf) -> _Found:
    scripts = old = deep = 0
    packed: dict[str, int] = {}
    for thing in pdf.objects:
        if not isinstance(thing, Dictionary | Stream):
            continue
        own = thing.stream_dict if isinstance(thing, Stream) else thing
        if not _SUSPECT.search(own.unparse(resolved=True)):
            continue
        # An action may stand in the object that has it.
        inner = [thing, *(value for _, value in list_items(thing) if _is_plain(value))]
        scripts += any(read_name(item, "/S") in ("JavaScript", "Launch") for item in inner)
        scripts += find_value(thing, "/AA") is not None
        scripts += find_value(find_dictionary(thing, "/Names"), "/JavaScript") is not None
        if isinstance(thing, Stream):
            for name in list_filters(thing):
                packed[name] = packed.get(name, 0) + 1
            picture = read_name(thing, "/Subtype") == "Image"
            deep += picture and read_number(thing, "/BitsPerComponent") == 16
        old += _is_old(thing) or any(map(_is_old, inner))
    return _Found(scripts, old, deep, packed)


def _check_press(found: _Found, source: Source, wants: Wants) -> Iterator[Fault]:
    """Check that there is nothing in a file that its kind of PDF/X does not allow."""
    for name, meant in _FILTERS.items():
        if name in found.packed and (name == "LZWDecode" or wants.flavour == "x-1a"):
            yield Fault(
                "preflight/filters",
                "error",
                f"there is data packed by {meant}; {wants.flavour_name} does not allow it",
                "pack it by Flate, or pictures by JPEG",
                about=(name,),
                count=found.packed[name],
            )
    if found.old:
        yield Fault(
            "preflight/old-postscript",
            "error",
            "there are PostScript XObjects, OPI, transfer functions or alternates of pictures; "
            f"{wants.flavour_name} allows none",
            "write the file anew with a program that leaves them out",
            count=found.old,
        )
    if wants.flavour == "x-1a" and found.deep:
        yield Fault(
            "preflight/pdfx-version",
            "error",
            "there are pictures of 16 bits for each component; PDF 1.4, which "
            f"{wants.flavour_name} is, knows 8 at most",
            "save them with 8 bits",
            about=("16 bits",),
            count=found.deep,
        )
    if wants.flavour == "x-1a" and _PACKED.search(source.data):
        yield Fault(
            "preflight/object-streams",
            "error",
            f"objects are packed into streams; {wants.flavour_name} does not allow it",
            "write the file as PDF 1.4, without object streams",
        )


def _is_plain(value: Any) -> bool:
    return isinstance(value, Dictionary) and not value.is_indirect


def _is_old(thing: Any) -> bool:
    if read_name(thing, "/Subtype") == "PS" or read_name(thing, "/Subtype2") == "PS":
        return True
    if read_name(thing, "/Subtype") in ("Image", "Form"):
        return any(find_value(thing, key) is not None for key in ("/OPI", "/Alternates"))
    states = [thing, *(state for _, state in list_items(find_value(thing, "/ExtGState")))]
    return any(
        find_value(state, "/TR") is not None
        or find_value(state, "/TR2") not in (None, Name.Default)
        for state in states
        if read_name(state, "/Type") in ("ExtGState", "")
    )


def _check_unit(page: DocumentPage, wants: Wants) -> Iterator[Fault]:
    unit = find_value(page.thing, "/UserUnit")
    if unit is None:
        return
    if is_number(unit) and unit > 0:
        if wants.flavour == "x-1a":
            yield Fault(
                "preflight/pdfx-version",
                "error",
                f"a UserUnit of {unit}; PDF 1.4, which {wants.flavour_name} is, knows none, and a "
                "program that does not know it prints the page in another size",
                "write the page in points",
                about=("unit",),
                page=page.number,
            )
        return
    yield Fault(
        "preflight/damaged",
        "error",
        f"the UserUnit of the page is {unit if is_number(unit) else 'no number'}; it must be more "
        "than 0, and is taken as 1",
        "take it out, or write the file anew",
        about=("unit",),
        page=page.number,
    )


def _check_annotations(page: DocumentPage, wants: Wants) -> Iterator[Fault]:
    for thing in list_array(find_value(page.thing, "/Annots")):
        kind = read_name(thing, "/Subtype")
        box = find_box(thing, "/Rect")
        shown = box and box.meet(page.boxes.painted)
        hidden = int(read_number(thing, "/F")) & _HIDDEN
        if not shown or kind in _ALLOWED or hidden:
            continue
        if kind in _HARMLESS and not wants.is_press:
            continue
        yield Fault(
            "preflight/annotations",
            wants.breach,
            f"an annotation ({kind or 'of no kind'}) lies on the page; it may be printed or not",
            "take it out, or make it part of the page",
            about=(kind,),
            page=page.number,
            place=page.boxes.locate(shown),
        )
