"""The pictures of a sheet of a workbook: those that lie on a cell, and those that are its value.

Knows their parts of the archive, and nothing of what they show.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from zipfile import ZipFile

from cardgen.core.archive import list_targets, read_part

_SPREADSHEET = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SPACES = {
    "d": _SPREADSHEET,
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
}
_EMBED = f"{{{_RELATIONS}}}embed"
_ID = f"{{{_RELATIONS}}}id"
_LOCAL = "_rvRel:LocalImageIdentifier"
_FIGURE = re.compile(r"\d{1,7}")
# Where a picture of a cell lies: its row from 1 on, its column from 0 on.
Cells = Mapping[tuple[int, int], str]


def list_laid(archive: ZipFile, sheet: str, file: str) -> Cells:
    """Return the parts of the pictures that lie on a sheet, by the cells that they lie on; of
    several on one cell the first.
    """
    found: dict[tuple[int, int], str] = {}
    for part, kind in list_targets(archive, sheet, file).values():
        if not kind.endswith("/drawing") or part not in archive.namelist():
            continue
        targets = list_targets(archive, part, file)
        drawing = read_part(archive, part, file)
        for anchor in drawing.iterfind("d:*", _SPACES):
            blip = anchor.find("d:pic/d:blipFill/a:blip", _SPACES)
            start = anchor.find("d:from", _SPACES)
            target = targets.get(blip.get(_EMBED) or "") if blip is not None else None
            if start is None or target is None:
                continue
            end = anchor.find("d:to", _SPACES)
            line = _find_middle(anchor, start, end, "row", "cy")
            column = _find_middle(anchor, start, end, "col", "cx")
            found.setdefault((line + 1, column), target[0])
    return found


def _find_middle(anchor: Any, start: Any, end: Any, axis: str, extent: str) -> int:
    """Return the row or column that most of a picture lies on, for it may reach over an edge."""
    first = _read_figure(start, axis)
    last = first if end is None else _read_figure(end, axis)
    if last - first != 1:
        return (first + last) // 2
    size = anchor.find("d:pic/d:spPr/a:xfrm/a:ext", _SPACES)
    told = (size.get(extent) or "") if size is not None else ""
    whole = int(told) if _FIGURE.match(told) else 0
    return last if 2 * _read_figure(end, f"{axis}Off") > whole > 0 else first


def _read_figure(place: Any, name: str) -> int:
    text = (place.findtext(f"d:{name}", "0", _SPACES) or "").strip()
    return int(text) if text.isdecimal() and len(text) < 12 else 0


def list_values(archive: ZipFile, main: str, file: str) -> list[str]:
    """Return the parts of the pictures that are values of cells, in the order of their numbers in
    the cells; what is no picture is an empty text.
    """
    targets = list_targets(archive, main, file)
    kinds = {kind.rpartition("/")[2]: part for part, kind in targets.values()}
    needed = ("sheetMetadata", "rdRichValue", "rdRichValueStructure", "richValueRel")
    if not all(kinds.get(kind) in archive.namelist() for kind in needed):
        return []
    metadata, values, structures, relations = (
        read_part(archive, kinds[kind], file) for kind in needed
    )
    places = [
        [key.get("n") for key in structure.iterfind("{*}k")].index(_LOCAL)
        if structure.get("t") == "_localImage"
        else None
        for structure in structures.iterfind("{*}s")
    ]
    pictures = list_targets(archive, kinds["richValueRel"], file)
    parts = [pictures.get(one.get(_ID) or "", ("", ""))[0] for one in relations.iterfind("{*}rel")]
    shown = []
    for value in values.iterfind("{*}rv"):
        place = places[int(value.get("s") or 0)]
        texts = [part.text for part in value.iterfind("{*}v")]
        shown.append("" if place is None else parts[int(texts[place] or 0)])
    rich = [
        int(one.get("i") or 0)
        for future in metadata.iterfind("{*}futureMetadata")
        if future.get("name") == "XLRICHVALUE"
        for one in future.iter("{*}rvb")
    ]
    numbers = [int(one.get("v") or 0) for one in metadata.iterfind("{*}valueMetadata/{*}bk/{*}rc")]
    return [shown[rich[number]] for number in numbers]
