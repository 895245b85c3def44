"""The rules for what a file holds beside its pages: encryption, scripts, notes, files, layers.

Turns an open document into faults. Knows nothing of what the pages paint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pikepdf import Dictionary, Name, Stream

from cardgen.preflight.objects import (
    Source,
    SourcePage,
    get,
    get_dictionary,
    get_name,
    get_number,
    get_numbers,
    list_array,
    list_filters,
    list_items,
)
from cardgen.preflight.plane import make_box
from cardgen.preflight.report import Fault
from cardgen.preflight.wants import Wants

_HIDDEN = 2
_HARMLESS = ("Link", "Popup")
_ALLOWED = ("TrapNet", "PrinterMark")
_PACKED = re.compile(rb"/Type\s*/(?:ObjStm|XRef)\b")


def check_structure(source: Source, wants: Wants) -> Iterator[Fault]:
    for complaint in source.complaints[:1]:
        yield Fault(
            "damaged",
            "error",
            f"the file is damaged: {complaint}",
            "write it anew; a print shop's program may not mend it as this one did",
            count=len(source.complaints),
        )
    if source.pdf.is_encrypted:
        yield Fault(
            "encryption",
            wants.breach,
            "the file is encrypted, though it opens without a password",
            "write it anew without encryption",
        )
    yield from _check_catalogue(source.pdf.Root, wants)
    yield from _check_objects(source, wants)
    for page in source.pages:
        yield from _check_annotations(page, wants)


def _check_catalogue(root: Any, wants: Wants) -> Iterator[Fault]:
    names = get_dictionary(root, "/Names")
    if isinstance(get(root, "/OpenAction"), Dictionary) and wants.is_press:
        yield _make_script_fault("the file does something when it is opened (OpenAction)", wants)
    if wants.is_press and (
        get(names, "/EmbeddedFiles") is not None or get(root, "/AF") is not None
    ):
        yield Fault(
            "embedded-files",
            "error",
            f"there are files within the file; {wants.flavour_name} allows none",
            "take them out",
        )
    if get(root, "/OCProperties") is not None:
        yield Fault(
            "layers",
            "error" if wants.flavour == "x-1a" else "note",
            "the file has layers that can be switched off, so that not all may be printed",
            "write it without layers",
        )


def _make_script_fault(message: str, wants: Wants) -> Fault:
    return Fault("scripts", wants.breach, message, "take scripts and actions out")


def _check_objects(source: Source, wants: Wants) -> Iterator[Fault]:
    """What no object of the file may have, whether a page shows it or not."""
    scripts = old = 0
    packed: dict[str, int] = {}
    for thing in source.pdf.objects:
        if not isinstance(thing, Dictionary | Stream):
            continue
        # An action may stand in the object that has it.
        inner = [thing, *(value for _, value in list_items(thing) if _is_plain(value))]
        scripts += any(get_name(item, "/S") in ("JavaScript", "Launch") for item in inner)
        scripts += get(thing, "/AA") is not None
        scripts += get(get_dictionary(thing, "/Names"), "/JavaScript") is not None
        if isinstance(thing, Stream):
            for name in list_filters(thing):
                packed[name] = packed.get(name, 0) + 1
        old += _is_old(thing) or any(map(_is_old, inner))
    if scripts:
        yield _make_script_fault("there are scripts, or actions that run by themselves", wants)
    if not wants.is_press:
        return
    for name, meant in (("LZWDecode", "LZW"), ("JPXDecode", "JPEG 2000")):
        if name in packed and (name == "LZWDecode" or wants.flavour == "x-1a"):
            yield Fault(
                "filters",
                "error",
                f"there is data packed by {meant}; {wants.flavour_name} does not allow it",
                "pack it by Flate, or pictures by JPEG",
                count=packed[name],
            )
    if old:
        yield Fault(
            "old-postscript",
            "error",
            "there are PostScript XObjects, OPI, transfer functions or alternates of pictures; "
            f"{wants.flavour_name} allows none",
            "write the file anew with a program that leaves them out",
            count=old,
        )
    if wants.flavour == "x-1a" and _PACKED.search(source.data):
        yield Fault(
            "object-streams",
            "error",
            f"objects are packed into streams; {wants.flavour_name} does not allow it",
            "write the file as PDF 1.4, without object streams",
        )


def _is_plain(value: Any) -> bool:
    return isinstance(value, Dictionary) and not value.is_indirect


def _is_old(thing: Any) -> bool:
    if get_name(thing, "/Subtype") == "PS" or get_name(thing, "/Subtype2") == "PS":
        return True
    if get_name(thing, "/Subtype") in ("Image", "Form"):
        return any(get(thing, key) is not None for key in ("/OPI", "/Alternates"))
    states = [thing, *(state for _, state in list_items(get(thing, "/ExtGState")))]
    return any(
        get(state, "/TR") is not None or get(state, "/TR2") not in (None, Name.Default)
        for state in states
        if get_name(state, "/Type") in ("ExtGState", "")
    )


def _check_annotations(page: SourcePage, wants: Wants) -> Iterator[Fault]:
    for thing in list_array(get(page.thing, "/Annots")):
        kind = get_name(thing, "/Subtype")
        box = make_box(get_numbers(thing, "/Rect"))
        shown = box and box.meet(page.boxes.painted)
        hidden = int(get_number(thing, "/F")) & _HIDDEN
        if not shown or kind in _ALLOWED or hidden:
            continue
        if kind in _HARMLESS and not wants.is_press:
            continue
        yield Fault(
            "annotations",
            wants.breach,
            f"an annotation ({kind or 'of no kind'}) lies on the page; it may be printed or not",
            "take it out, or make it part of the page",
            page=page.number,
            place=page.boxes.locate(shown),
        )
