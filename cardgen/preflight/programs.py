"""The programs of embedded fonts: whether they can be read, and how wide they draw each code.

Only what is sure is told: a code whose glyph cannot be found this way has no width. Knows nothing
of texts.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import Any, NamedTuple

from cardgen.preflight.objects import (
    BROKEN,
    find_stream,
    find_value,
    is_number,
    list_array,
    read_data,
    read_name,
    unpack_name,
)

FILES = ("/FontFile", "/FontFile2", "/FontFile3")
NO_GLYPH = -1.0
_SFNT = (b"\0\1\0\0", b"true", b"OTTO", b"ttcf")
_NEEDED = (b"glyf", b"loca", b"CFF ", b"head", b"hhea", b"hmtx", b"maxp")
_MOST_BYTES = 50_000_000
_ENCODINGS = {"WinAnsiEncoding": "cp1252", "MacRomanEncoding": "mac_roman"}

# The width of a code for a size of 1: NO_GLYPH where the program has none for it, None where it
# is not known.
FindWidth = Callable[[int], float | None]


class Program(NamedTuple):
    """The program of a font.

    broken: why no letter can be drawn with it; empty where it can
    """

    broken: str
    find_width: FindWidth


def know_nothing(_: int) -> float | None:
    """Return the width of a code of a font that tells nothing of its widths."""
    return None


def read_program(font: Any, descriptor: Any) -> Program | None:
    """Return the program of a font, or of the one within a composite font; None without one.

    `font` is the simple font, or the descendant of a composite one with codes of two bytes.
    """
    stream = next((s for key in FILES if (s := find_stream(descriptor, key)) is not None), None)
    if stream is None:
        return None
    data = read_data(stream)
    if not _can_be_read(data):
        return Program("it is damaged", know_nothing)
    if _ends_early(data):
        return Program("it is damaged: its data ends early", know_nothing)
    try:
        return Program("", _make_finder(font, data) or know_nothing)
    except Exception:  # fontTools fails in as many ways as fonts may be damaged
        return Program("", know_nothing)


def _can_be_read(data: bytes) -> bool:
    from PIL import ImageFont

    if not 0 < len(data) < _MOST_BYTES:
        return False
    try:
        ImageFont.truetype(BytesIO(data), 10, layout_engine=ImageFont.Layout.BASIC)
    except (*BROKEN, OSError):
        return False
    return True


def _ends_early(data: bytes) -> bool:
    """Whether what letters are drawn by is cut off: a program that draws few may not see it."""
    if data[:4] in _SFNT[:3]:
        return any(
            start + size > len(data) for tag, start, size in _list_tables(data) if tag in _NEEDED
        )
    if data[:1] != b"\1":
        return False
    try:
        shapes = _open_cff(data).CharStrings.charStringsIndex
        return bool(shapes.offsetBase + shapes.offsets[-1] > len(data))
    except Exception:  # of another making; that it can be read is known
        return False


def _list_tables(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the name, the place and the size of each table of a font."""
    count = int.from_bytes(data[4:6], "big")
    for at in range(12, min(12 + 16 * count, len(data) - 15), 16):
        yield struct.unpack(">4s4xII", data[at : at + 16])


def _make_finder(font: Any, data: bytes) -> FindWidth | None:
    kind = read_name(font, "/Subtype")
    if kind == "CIDFontType2" and data[:4] in _SFNT:
        return _read_glyphs(font, data)
    if kind == "CIDFontType0" and data[:4] not in _SFNT and data[:1] == b"\1":
        return _read_cids(data)
    if kind == "TrueType" and data[:4] in _SFNT:
        return _read_true_type(font, data)
    if kind in ("Type1", "MMType1") and data[:1] == b"\1":
        return _read_compact(font, data)
    return None


def _read_glyphs(font: Any, data: bytes) -> FindWidth | None:
    """Return the widths of CIDs that are numbers of glyphs, or are turned into these by a map."""
    given = find_value(font, "/CIDToGIDMap")
    table = None if given is None or read_name(font, "/CIDToGIDMap") else read_data(given)
    measure = _measure_sfnt(data)
    if measure is None:
        return None

    def find(code: int) -> float | None:
        glyph = code if table is None else int.from_bytes(table[2 * code : 2 * code + 2], "big")
        return measure(glyph)

    return find


def _measure_sfnt(data: bytes) -> Callable[[int], float] | None:
    """Return what tells the width of a glyph by its number, out of a font's table of widths."""
    tables = {tag: data[start : start + size] for tag, start, size in _list_tables(data)}
    widths, head = tables.get(b"hmtx", b""), tables.get(b"head", b"")
    unit = int.from_bytes(head[18:20], "big")
    told = int.from_bytes(tables.get(b"hhea", b"")[34:36], "big")
    glyphs = int.from_bytes(tables.get(b"maxp", b"")[4:6], "big")
    if not unit or not told or len(widths) < 4 * told:
        return None

    def measure(glyph: int) -> float:
        if not 0 < glyph < glyphs:
            return NO_GLYPH
        at = 4 * min(glyph, told - 1)  # the last width is that of all glyphs beyond
        return int.from_bytes(widths[at : at + 2], "big") / unit

    return measure


def _read_cids(data: bytes) -> FindWidth:
    top, widths = _read_cff(data)
    if not hasattr(top, "ROS"):  # a CID is then the number of a glyph
        order = list(top.charset)
        return lambda code: widths(order[code]) if 0 < code < len(order) else NO_GLYPH
    names = {int(name[3:]): name for name in top.charset if name[3:].isdecimal()}
    return lambda code: widths(names[code]) if code and code in names else NO_GLYPH


def _read_compact(font: Any, data: bytes) -> FindWidth:
    """Return the widths of codes that name glyphs of a compact font."""
    top, widths = _read_cff(data)
    own = getattr(top, "Encoding", None)
    names: dict[int, str] = {}
    if isinstance(own, list):
        names = {code: name for code, name in enumerate(own) if name != ".notdef"}
    elif own == "StandardEncoding":
        from fontTools.encodings.StandardEncoding import StandardEncoding

        names = dict(enumerate(StandardEncoding))
    encoding = find_value(font, "/Encoding")
    base = unpack_name(encoding) or read_name(encoding, "/BaseEncoding")
    if base in _ENCODINGS:
        names = dict(_name_codes(_ENCODINGS[base]))
    names |= _read_differences(encoding)
    known = set(top.charset)

    def find(code: int) -> float | None:
        name = names.get(code)
        if name is None or name not in known:
            return None  # another program may find it by another name
        return widths(name)

    return find


def _name_codes(codec: str) -> Mapping[int, str]:
    from fontTools.agl import UV2AGL

    signs = {code: bytes([code]).decode(codec, "ignore") for code in range(32, 256)}
    return {code: UV2AGL[ord(sign)] for code, sign in signs.items() if sign and ord(sign) in UV2AGL}


def _read_differences(encoding: Any) -> dict[int, str]:
    names: dict[int, str] = {}
    code = 0
    for item in list_array(find_value(encoding, "/Differences")):
        if is_number(item):
            code = int(item)
        else:
            names[code] = unpack_name(item)
            code += 1
    return names


def _read_cff(data: bytes) -> tuple[Any, Callable[[str], float | None]]:
    """Return the first font of a CFF, and what measures its glyphs by their names."""
    from fontTools.misc.psCharStrings import T2WidthExtractor

    top = _open_cff(data)
    scale = top.FontMatrix[0] if hasattr(top, "FontMatrix") else 0.001
    strings = top.CharStrings

    def measure(name: str) -> float | None:
        string = strings[name]
        private = string.private
        extractor = T2WidthExtractor(
            getattr(private, "Subrs", []),
            string.globalSubrs,
            private.nominalWidthX,
            private.defaultWidthX,
        )
        try:
            extractor.execute(string)
        except Exception:
            return None
        return float(extractor.width) * scale

    return top, measure


def _open_cff(data: bytes) -> Any:
    """Return the first font of a CFF."""
    from fontTools.cffLib import CFFFontSet

    fonts = CFFFontSet()
    fonts.decompile(BytesIO(data), None)
    return fonts[0]


def _read_true_type(font: Any, data: bytes) -> FindWidth | None:
    """Return the widths of codes of one byte, where the font's own maps find their glyphs."""
    from fontTools.ttLib import TTFont

    measure = _measure_sfnt(data)
    opened = TTFont(BytesIO(data), lazy=True)
    if measure is None or "cmap" not in opened:
        return None
    if "post" in opened:
        del opened["post"]  # with names of glyphs, which may be damaged and are not needed
    tables = {(table.platformID, table.platEncID): table.cmap for table in opened["cmap"].tables}
    find_glyph = opened.getGlyphID
    encoding = unpack_name(find_value(font, "/Encoding"))
    codec = _ENCODINGS.get(encoding)
    maps: list[Callable[[int], str | None]] = []
    if codec and (3, 1) in tables:
        maps.append(lambda code: tables[3, 1].get(ord(bytes([code]).decode(codec, "replace"))))
    elif find_value(font, "/Encoding") is None:
        if (3, 0) in tables:
            symbols = tables[3, 0]
            maps.append(lambda code: symbols.get(0xF000 + code) or symbols.get(code))
        if (1, 0) in tables:
            maps.append(lambda code: tables[1, 0].get(code))

    def find(code: int) -> float | None:
        for look_up in maps:
            name = look_up(code)
            if name is not None:
                width = measure(find_glyph(name))
                return None if width == NO_GLYPH else width
        return None

    return find
