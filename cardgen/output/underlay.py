"""The pages of somebody else's PDF, which lie below ours.

They are read within limits and become plain data, and then forms of our file. What a page does
beside being seen is left out: links, scripts, layers' names, files that lie elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from hashlib import md5
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgen.core.errors import CardgenError, Where
from cardgen.core.geometry import Matrix, Rect, Size
from cardgen.core.reading import read_bytes
from cardgen.core.workers import LimitError, work_within
from cardgen.output.notation import format_box, format_figures

if TYPE_CHECKING:
    from cardgen.output.objects import File

MOST_PAGES = 500
_MOST_BYTES = 50_000_000
_MOST_OBJECTS = 20_000
_DEEPEST = 40
_MEMORY = 500_000_000
_SECONDS = 30.0
# What leads beyond the page: to its neighbours, to what it means or does, to other files.
_LEFT_OUT = frozenset(
    (
        *("/A", "/AA", "/Alternates", "/Annots", "/B", "/F", "/FDecodeParms", "/FFilter", "/JS"),
        *("/LastModified", "/Length", "/Metadata", "/OC", "/OPI", "/Parent", "/PieceInfo", "/Ref"),
        *("/StructParent", "/StructParents", "/Thumb"),
    )
)
# What holds these are dictionaries whose keys are names that the file gives, as /F to a font.
_NAMING = frozenset(
    (
        *("/CharProcs", "/ColorSpace", "/Colorants", "/ExtGState", "/Font", "/Pattern"),
        *("/Properties", "/Shading", "/XObject"),
    )
)

# Parts of an object as it is written; a number stands for another of the objects.
_Parts = tuple[bytes | int, ...]


class UnderPage(NamedTuple):
    """A page as a form.

    size: as it is seen
    matrix: leads from the form's coordinates to those of the page, both with their origin below
    form: which of the objects it is
    """

    name: bytes
    size: Size
    matrix: Matrix
    form: int


class Thing(NamedTuple):
    """An object; of a stream the dictionary without its ends, and the content as it is packed."""

    parts: _Parts
    content: bytes | None = None


class Underlay(NamedTuple):
    pages: tuple[UnderPage, ...]
    things: tuple[Thing, ...]

    def draw(self, number: int) -> bytes:
        """Return the operators that draw a page."""
        page = self.pages[number]
        return b"q %b cm /%b Do Q" % (format_figures(7, *page.matrix), page.name)

    def embed(self, file: File) -> None:
        """Add all pages to a file, under their names."""
        numbers = [file.reserve() for _ in self.things]
        for number, thing in zip(numbers, self.things, strict=True):
            written = b"".join(
                b"%d 0 R" % numbers[part] if isinstance(part, int) else part for part in thing.parts
            )
            if thing.content is None:
                file.put_small(number, written)
            else:
                file.put_stream(number, thing.content, written)
        for page in self.pages:
            file.name_resource("XObject", page.name.decode(), numbers[page.form])


def read_underlay(path: Path, where: Where | None) -> Underlay:
    """Return the pages of a PDF, which may come from anybody."""
    data = read_bytes(path, where, _MOST_BYTES)
    try:
        return work_within(lambda _: _read(data, path, where), _MEMORY, _SECONDS)
    except LimitError:
        raise _refuse_long(path, where, f"takes more than {_SECONDS:g} seconds to read") from None


def _read(data: bytes, path: Path, where: Where | None) -> Underlay:
    import pikepdf

    try:
        with pikepdf.open(BytesIO(data), suppress_warnings=True) as pdf:
            if len(pdf.pages) > MOST_PAGES:
                raise _refuse_long(path, where, f"has more than {MOST_PAGES} pages")
            copier = _Copier()
            pages = tuple(map(copier.add_page, pdf.pages))
            things = copier.finish()
    except pikepdf.PasswordError:
        raise CardgenError(
            "target/base-unreadable",
            f'the PDF "{path.name}" opens only with a password',
            where,
            "save it without one",
        ) from None
    except _TooMuchError as error:
        raise _refuse_long(path, where, str(error)) from None
    except (pikepdf.PdfError, *_BROKEN) as error:
        raise CardgenError(
            "target/base-unreadable",
            f'"{path.name}" is no PDF that can be read',
            where,
            "save it anew as PDF",
        ) from error
    if not pages:
        raise CardgenError("target/base-unreadable", f'the PDF "{path.name}" has no page', where)
    return Underlay(pages, things)


# The errors of objects that are not what their place promises.
_BROKEN = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


class _TooMuchError(Exception):
    pass


def _refuse_long(path: Path, where: Where | None, why: str) -> CardgenError:
    return CardgenError(
        "target/base-too-large",
        f'the PDF "{path.name}" {why}',
        where,
        "print it into a new PDF, and take that",
    )


class _Copier:
    """Takes objects out of a file, each once, with all that they name."""

    def __init__(self) -> None:
        self._places: dict[tuple[int, int], int] = {}
        self._ahead: list[tuple[int, Any, str]] = []
        self._things: list[Thing | None] = []
        self._bytes = 0

    def add_page(self, page: Any) -> UnderPage:
        box, unit = _read_box(page), float(page.obj.get("/UserUnit", 1))
        turn = int(_inherit(page.obj, "/Rotate") or 0) % 360
        if not isfinite(unit) or not 0 < unit <= 1000:
            raise ValueError(unit)
        content = b"\n".join(self._count(part) for part in _list_contents(page.obj))
        size = (box.width * unit, box.height * unit)
        size = size if turn % 180 == 0 else size[::-1]
        resources = _inherit(page.obj, "/Resources")
        number = self._reserve()
        used = self._format(resources, 0) if resources is not None else (b"<<>>",)
        head = b"/Type/XObject/Subtype/Form/BBox%b/Resources" % format_box(box)
        entries: list[bytes | int] = [head, *used]
        if "/Group" in page.obj:
            entries += [b"/Group", *self._format(page.obj.Group, 0)]
        self._things[number] = Thing(tuple(entries), content)
        digest = md5(content + b"%d" % number, usedforsecurity=False).hexdigest()[:10]
        matrix = _TURNS[turn](box).then(Matrix(unit, 0, 0, unit, 0, 0))
        return UnderPage(b"B" + digest.encode(), Size(*size), matrix, number)

    def finish(self) -> tuple[Thing, ...]:
        """Return all objects, with those that the others name."""
        import pikepdf

        while self._ahead:
            number, thing, key = self._ahead.pop()
            if isinstance(thing, pikepdf.Stream):
                content = self._count(thing.read_raw_bytes())
                parts = tuple(self._format_entries(thing.stream_dict, 0))
                self._things[number] = Thing(parts, content)
            else:
                self._things[number] = Thing(tuple(self._format(thing, 0, key, named=False)))
        return tuple(thing for thing in self._things if thing is not None)

    def _reserve(self) -> int:
        if len(self._things) == _MOST_OBJECTS:
            raise _TooMuchError(f"has more than {_MOST_OBJECTS:,} objects")
        self._things.append(None)
        return len(self._things) - 1

    def _count(self, content: bytes) -> bytes:
        self._bytes += len(content)
        if self._bytes > _MOST_BYTES:
            raise _TooMuchError(f"holds more than {_MOST_BYTES:,} bytes")
        return content

    def _format(
        self, thing: Any, depth: int, key: str = "", *, named: bool = True
    ) -> Iterator[bytes | int]:
        """Yield an object as it is written; what has a number of its own is named by that.

        key: that of the dictionary which holds it
        """
        import pikepdf

        if depth > _DEEPEST:
            raise _TooMuchError("is nested too deep")
        if named and isinstance(thing, pikepdf.Object) and thing.is_indirect:
            if thing.objgen not in self._places:
                self._places[thing.objgen] = self._reserve()
                self._ahead.append((self._places[thing.objgen], thing, key))
            yield from (b" ", self._places[thing.objgen], b" ")
        elif isinstance(thing, pikepdf.Dictionary):
            yield from (b"<<", *self._format_entries(thing, depth, key), b">>")
        elif isinstance(thing, pikepdf.Array):
            yield b"["
            for each in thing:
                yield from self._format(each, depth + 1)
            yield b"]"
        elif isinstance(thing, pikepdf.Name | pikepdf.String):
            yield self._count(thing.unparse())
        else:
            yield _format_plain(thing)

    def _format_entries(self, thing: Any, depth: int, holder: str = "") -> Iterator[bytes | int]:
        import pikepdf

        for key, value in thing.items():
            if holder in _NAMING or key not in _LEFT_OUT:
                yield self._count(pikepdf.Name(key).unparse())
                yield from self._format(value, depth + 1, "" if holder in _NAMING else key)


def _format_plain(value: object) -> bytes:
    if value is None:
        return b" null"
    if isinstance(value, bool):
        return b" true" if value else b" false"
    if isinstance(value, int | Decimal | float) and abs(float(value)) < 1e12:
        return b" " + f"{value:.9f}".rstrip("0").rstrip(".").encode()
    raise ValueError(value)


def _list_contents(page: Any) -> Sequence[bytes]:
    """Return the streams that a page is drawn by, unpacked."""
    import pikepdf

    content = page.get("/Contents")
    if content is None:
        return []
    streams = content if isinstance(content, pikepdf.Array) else [content]
    return [stream.read_bytes() for stream in streams]


def _inherit(page: Any, key: str) -> Any:
    """Return what a page says, or a node of the tree above it; None where nobody does."""
    for _ in range(_DEEPEST):
        if page is None or key in page:
            break
        page = page.get("/Parent")
    return None if page is None else page.get(key)


def _read_box(page: Any) -> Rect:
    """Return what is seen of a page, in its own coordinates."""
    x0, y0, x1, y1 = (float(side) for side in page.cropbox)
    rect = Rect(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0))
    if not all(map(isfinite, rect)) or not (rect.width and rect.height):
        raise ValueError(rect)
    return rect


# How a page that is turned clockwise comes to stand, its lower left corner at the origin.
_TURNS = {
    0: lambda box: Matrix(1, 0, 0, 1, -box.x, -box.y),
    90: lambda box: Matrix(0, -1, 1, 0, -box.y, box.right),
    180: lambda box: Matrix(-1, 0, 0, -1, box.right, box.bottom),
    270: lambda box: Matrix(0, 1, -1, 0, box.bottom, -box.x),
}
