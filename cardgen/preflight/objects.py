"""A PDF file opened: its bytes, its objects, and its pages with their boxes.

Turns a path or bytes into an open document. Must not know what is right or wrong in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
from lxml import etree
from pikepdf import Array, DataDecodingError, Dictionary, Name, Object, PdfError, Stream, String

from cardgen.core.errors import CardgenError, Where
from cardgen.core.geometry import Rect
from cardgen.preflight.plane import Box, make_box

# What pikepdf raises where an object is not what its place promises.
BROKEN = (
    *(PdfError, DataDecodingError, NotImplementedError, MemoryError),
    *(ArithmeticError, AttributeError, LookupError, TypeError, ValueError),
)


def get(thing: Any, key: str) -> Any:
    """The value of a key in a dictionary or a stream."""
    return thing.get(key) if isinstance(thing, Dictionary | Stream) else None


def get_dictionary(thing: Any, key: str) -> Dictionary | Stream | None:
    value = get(thing, key)
    return value if isinstance(value, Dictionary | Stream) else None


def get_stream(thing: Any, key: str) -> Stream | None:
    value = get(thing, key)
    return value if isinstance(value, Stream) else None


def get_name(thing: Any, key: str) -> str:
    return read_name(get(thing, key))


def read_name(value: Any) -> str:
    """A name without its slash."""
    return _read_text(value)[1:] if isinstance(value, Name) else ""


def _read_text(value: Any) -> str:
    """The text of an object; nothing where its bytes stand for none."""
    try:
        return str(value)
    except UnicodeDecodeError:
        return ""


def get_number(thing: Any, key: str, default: float = 0.0) -> float:
    value = get(thing, key)
    return float(value) if is_number(value) else default


def get_numbers(thing: Any, key: str) -> tuple[float, ...] | None:
    return read_numbers(get(thing, key))


def read_numbers(value: Any) -> tuple[float, ...] | None:
    """An array of numbers and nothing else."""
    if not isinstance(value, Array):
        return None
    items = list(value)
    return tuple(map(float, items)) if all(map(is_number, items)) else None


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def get_text(thing: Any, key: str) -> str:
    value = get(thing, key)
    return _read_text(value) if isinstance(value, String) else ""


def list_items(thing: Any) -> Iterator[tuple[str, Any]]:
    """The keys of a dictionary, without the slash, and their values."""
    if not isinstance(thing, Dictionary | Stream):
        return
    try:
        keys = sorted(thing.keys())
    except UnicodeDecodeError:
        return
    for key in keys:
        yield key[1:], thing.get(key)


def list_array(value: Any) -> list[Any]:
    """The items of an array; a single value stands for an array of one."""
    if value is None:
        return []
    return list(value) if isinstance(value, Array) else [value]


def identify(thing: Any) -> object:
    """What tells an object from others: its number, or itself where it has none."""
    if isinstance(thing, Object):
        return thing.objgen if thing.is_indirect else thing.unparse()
    return thing


def read_data(stream: Any) -> bytes:
    """What a stream holds, decoded; nothing where it cannot be."""
    try:
        return bytes(stream.read_bytes())
    except BROKEN:
        return b""


def list_filters(stream: Any) -> list[str]:
    return [read_name(value) for value in list_array(get(stream, "/Filter"))]


_HEAD = re.compile(rb"%PDF-(\d)\.(\d)")
_A4 = Box(0, 0, 595.276, 841.89)
_DEEP = 50


@dataclass(frozen=True, slots=True)
class PageBoxes:
    """A page's boxes; None where the page has none. media and crop are inherited.

    turn: by how much the page is turned when it is shown, clockwise
    unit: how many points a unit of the page is
    """

    media: Box
    crop: Box | None
    trim: Box | None
    bleed: Box | None
    art: Box | None
    turn: int
    unit: float

    @property
    def cut(self) -> Box:
        """Where the page is cut, as well as the file tells."""
        return self.trim or self.art or self.crop or self.media

    @property
    def painted(self) -> Box:
        """How far paint is of use: to the bleed's edge."""
        return self.bleed or (self.crop or self.media if self.trim else self.cut)

    def locate(self, box: Box) -> Rect:
        """A box of the page from the trim's top left corner, as the page is seen, in points."""
        cut = self.cut
        left, right = box.x0 - cut.x0, cut.x1 - box.x1
        top, bottom = cut.y1 - box.y1, box.y0 - cut.y0
        width, height = box.width, box.height
        x, y = {0: (left, top), 90: (bottom, left), 180: (right, bottom), 270: (top, right)}[
            self.turn
        ]
        if self.turn in (90, 270):
            width, height = height, width
        return Rect(x * self.unit, y * self.unit, width * self.unit, height * self.unit)


@dataclass(frozen=True, slots=True)
class SourcePage:
    number: int
    thing: Any
    boxes: PageBoxes
    resources: Any


@dataclass(frozen=True, slots=True)
class Source:
    """An open document.

    complaints: what was mended to read it
    """

    name: str
    data: bytes
    pdf: pikepdf.Pdf
    version: str
    pages: tuple[SourcePage, ...]
    complaints: tuple[str, ...]


@contextmanager
def open_source(file: bytes | str | Path, name: str = "") -> Iterator[Source]:
    """Open a file; what is no PDF, or cannot be opened, is an error."""
    name = name or ("the PDF" if isinstance(file, bytes) else str(file))
    data = file if isinstance(file, bytes) else _read_file(Path(file))
    where = Where(name)
    head = _HEAD.search(data[:1024])
    if not data:
        raise CardgenError("preflight/todo", "the file is empty", where)
    if not head:
        raise CardgenError(
            "preflight/todo",
            "this is no PDF: it does not begin with %PDF-",
            where,
            "name a file that a program wrote as PDF",
        )
    try:
        pdf = pikepdf.open(BytesIO(data), attempt_recovery=True, suppress_warnings=True)
    except pikepdf.PasswordError:
        raise CardgenError(
            "preflight/todo",
            "the file is encrypted, and opens only with a password",
            where,
            "write it anew without a password; a print shop takes no encrypted file",
        ) from None
    except BROKEN as error:
        raise CardgenError(
            "preflight/todo", f"the file is damaged: {_shorten(error)}", where, "write it anew"
        ) from None
    with pdf:
        try:
            pages = tuple(_read_pages(pdf))
        except (*BROKEN, RecursionError) as error:
            raise CardgenError(
                "preflight/todo",
                f"the file is damaged, its pages cannot be found: {_shorten(error)}",
                where,
                "write it anew",
            ) from None
        complaints = tuple(_shorten(warning) for warning in pdf.get_warnings())
        version = f"{int(head[1])}.{int(head[2])}"
        yield Source(name, data, pdf, version, pages, complaints)


def _shorten(error: object) -> str:
    """A complaint of qpdf's without the name of the file, which it does not know."""
    text = str(error).removeprefix("<_io.BytesIO object>")
    return re.sub(r"^.*?(?=\(offset|\(object|\(trailer|[a-z])", "", " ".join(text.split()))[:200]


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise CardgenError("preflight/todo", "there is no such file", Where(str(path))) from None
    except IsADirectoryError:
        raise CardgenError(
            "preflight/todo", "this is a folder, not a PDF", Where(str(path))
        ) from None
    except OSError as error:
        raise CardgenError(
            "preflight/todo", f"cannot be read: {error.strerror}", Where(str(path))
        ) from None


def _read_pages(pdf: pikepdf.Pdf) -> Iterator[SourcePage]:
    for number, page in enumerate(pdf.pages, start=1):
        thing = page.obj
        yield SourcePage(number, thing, _read_boxes(thing), _inherit(thing, "/Resources"))


def _read_boxes(page: Any) -> PageBoxes:
    turn = _inherit(page, "/Rotate")
    return PageBoxes(
        media=_read_box(page, "/MediaBox") or _A4,
        crop=_read_box(page, "/CropBox"),
        trim=make_box(get_numbers(page, "/TrimBox")),
        bleed=make_box(get_numbers(page, "/BleedBox")),
        art=make_box(get_numbers(page, "/ArtBox")),
        turn=turn % 360 if isinstance(turn, int) and turn % 90 == 0 else 0,
        unit=get_number(page, "/UserUnit", 1.0) or 1.0,
    )


def _read_box(page: Any, key: str) -> Box | None:
    value = _inherit(page, key)
    return (
        make_box(get_numbers(pikepdf.Dictionary({key: value}), key)) if value is not None else None
    )


def _inherit(page: Any, key: str) -> Any:
    """A value of the page, or of the nearest node above it that has one."""
    for _ in range(_DEEP):
        value = get(page, key)
        if value is not None or page is None:
            return value
        page = get(page, "/Parent")
    return None


_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_SPACES = {
    "http://www.npes.org/pdfx/ns/id/": "pdfxid",
    "http://ns.adobe.com/xap/1.0/mm/": "xmpMM",
    "http://ns.adobe.com/xap/1.0/": "xmp",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://ns.adobe.com/pdf/1.3/": "pdf",
}


@dataclass(frozen=True, slots=True)
class Metadata:
    readable: bool
    properties: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def get(self, space: str, key: str) -> str:
        return self.properties.get((space, key), "")


def read_metadata(source: Source) -> Metadata:
    stream = get_stream(source.pdf.Root, "/Metadata")
    if stream is None:
        return Metadata(False)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(read_data(stream).strip(b"\0 \r\n\t"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return Metadata(False)
    found: dict[tuple[str, str], str] = {}
    for description in root.iter(f"{_RDF}Description"):
        for name, value in description.attrib.items():
            _keep(found, str(name), str(value))
        for child in description:
            if isinstance(child.tag, str):
                _keep(found, child.tag, "".join(map(str, child.itertext())).strip())
    return Metadata(True, found)


def _keep(found: dict[tuple[str, str], str], name: str, value: str) -> None:
    space, _, key = name.removeprefix("{").partition("}")
    if space in _SPACES:
        found.setdefault((_SPACES[space], key), value)


# MERGED: Values out of PDF objects that may be anything: each comes in the shape asked for, or not at all.
#
#   Knows nothing of what the values mean.
#
# MERGED: The XMP metadata of a document turned into its simple properties.
#
#   Knows nothing of what they should say.
#
