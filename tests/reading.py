"""A tagged PDF read aloud: the text of each element in the order of the structure tree.

Elements and their alternative texts are read by pikepdf, the words by pdfium.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium

_LINES = ("H1", "H2", "H3", "H4", "P", "Figure", "Lbl", "LBody", "TH", "TD")


def read_aloud(path: Path) -> str:
    """Return a line for each element that holds words, with its role before it."""
    with pikepdf.open(path) as file:
        root = file.Root.StructTreeRoot
        words = [_list_words(page) for page in pypdfium2.PdfDocument(path)]
        numbers = {page.objgen: number for number, page in enumerate(file.pages)}
        lines: list[str] = []
        for kid in _list_kids(root):
            _read(kid, lines, words, numbers, "")
    return "\n".join(lines) + "\n"


def _read(element: Any, lines: list[str], words: Any, numbers: Any, indent: str) -> None:
    role = str(element.S)[1:]
    title = f" {element.T}" if "/T" in element else ""
    if role in _LINES:
        lines.append(f"{indent}{role}: {_say(element, words, numbers)}")
    else:
        lines.append(f"{indent}{role}{title}")
    for kid in _list_kids(element):
        if not isinstance(kid, int) and str(kid.S)[1:] != "Span":
            _read(kid, lines, words, numbers, indent + "  ")


def _say(element: Any, words: Any, numbers: Any) -> str:
    """Return the words of an element without those of the elements in it, but for spans."""
    for key in ("/ActualText", "/Alt"):
        if key in element:
            return str(element[key])
    said = ""
    for kid in _list_kids(element):
        if isinstance(kid, int):
            said += words[numbers[element.Pg.objgen]].get(kid, "")
        elif str(kid.S) == "/Span":
            said += _say(kid, words, numbers)
    return said.strip()


def _list_kids(element: Any) -> list[Any]:
    kids = element.get("/K", [])
    return list(kids) if isinstance(kids, pikepdf.Array) else [kids]


def _list_words(page: Any) -> dict[int, str]:
    """Return the text of each piece of marked content on a page, by its number."""
    found: dict[int, str] = {}
    text = page.get_textpage()
    for number, thing in _list_things(page.raw, pdfium.FPDFPage_CountObjects, _get_on_page, -1):
        if pdfium.FPDFPageObj_GetType(thing) == pdfium.FPDF_PAGEOBJ_TEXT:
            length = pdfium.FPDFTextObj_GetText(thing, text.raw, None, 0)
            buffer = ctypes.create_string_buffer(length)
            pointer = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
            pdfium.FPDFTextObj_GetText(thing, text.raw, pointer, length)
            # At the end of a line pdfium says so of the hyphen that it added.
            said = buffer.raw.decode("utf-16-le").rstrip("\0").replace("\x02", "")
            found[number] = found.get(number, "") + said
    return found


def _get_on_page(page: Any, place: int) -> Any:
    return pdfium.FPDFPage_GetObject(page, place)


def _list_things(holder: Any, count: Any, get: Any, above: int) -> Iterator[tuple[int, Any]]:
    """Yield all that is drawn, forms opened, with the number of its marked content."""
    for place in range(count(holder)):
        thing = get(holder, place)
        number = pdfium.FPDFPageObj_GetMarkedContentID(thing)
        number = above if number < 0 else number
        yield number, thing
        if pdfium.FPDFPageObj_GetType(thing) == pdfium.FPDF_PAGEOBJ_FORM:
            yield from _list_things(
                thing, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, number
            )
