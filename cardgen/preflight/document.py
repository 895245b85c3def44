"""A PDF file opened: its bytes, its objects, and its pages with their boxes.

Knows nothing of what is right or wrong in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf

from cardgen.core.errors import CardgenError, Where, shorten
from cardgen.core.geometry import Box, Rect
from cardgen.preflight.objects import (
    BROKEN,
    find_box,
    find_value,
    read_name,
    read_number,
    unpack_box,
)

_HEAD = re.compile(rb"%PDF-(\d)\.(\d)")
_A4 = Box(0, 0, 595.276, 841.89)
_DEEPEST = 50
_LONGEST_ERROR = 200
MOST_PAGES = 100_000


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
        """The box at which the page is cut, as well as the file tells."""
        return self.trim or self.art or self.crop or self.media

    @property
    def painted(self) -> Box:
        """The box within which paint is of use: up to the bleed's edge."""
        return self.bleed or (self.crop or self.media if self.trim else self.cut)

    def locate(self, box: Box) -> Rect:
        """Return a box from the trim's top left corner, in points, as the page is seen."""
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
class DocumentPage:
    """A page; `number` counts from 1, `thing` is its object."""

    number: int
    thing: Any
    boxes: PageBoxes
    resources: Any


@dataclass(frozen=True, slots=True)
class Document:
    """An open file.

    version: the PDF version of its first line
    repairs: a line for each thing that had to be mended to read it
    """

    name: str
    data: bytes
    pdf: pikepdf.Pdf
    version: str
    pages: tuple[DocumentPage, ...]
    repairs: tuple[str, ...]

    @property
    def is_duplex(self) -> bool:
        """Whether the file asks to be printed on both sides."""
        preferences = find_value(self.pdf.Root, "/ViewerPreferences")
        return read_name(preferences, "/Duplex").startswith("DuplexFlip")


@contextmanager
def open_document(file: bytes | str | Path, name: str = "") -> Iterator[Document]:
    """Open a file; one that is no PDF, or cannot be opened, is an error."""
    name = name or ("the PDF" if isinstance(file, bytes) else str(file))
    data = file if isinstance(file, bytes) else _read_file(Path(file))
    where = Where(name)
    head = _HEAD.search(data[:1024])
    if not data:
        raise CardgenError("preflight/no-pdf", "the file is empty", where)
    if not head:
        raise CardgenError(
            "preflight/no-pdf",
            "this is no PDF: it does not begin with %PDF-",
            where,
            "name a file that a program wrote as PDF",
        )
    try:
        pdf = pikepdf.open(_Stream(data), attempt_recovery=True, suppress_warnings=True)
    except pikepdf.PasswordError:
        raise CardgenError(
            "preflight/password",
            "the file is encrypted, and opens only with a password",
            where,
            "write it anew without a password; a print shop takes no encrypted file",
        ) from None
    except BROKEN as error:
        raise CardgenError(
            "preflight/damaged",
            f"the file is damaged: {_shorten(error)}",
            where,
            "write it anew",
        ) from None
    with pdf:
        if _count_pages(pdf.Root) > MOST_PAGES:
            raise CardgenError(
                "preflight/too-large",
                f"the file has more than {MOST_PAGES:,} pages",
                where,
                "check it in parts",
            )
        try:
            pages = tuple(_list_pages(pdf))
        except (*BROKEN, RecursionError) as error:
            raise CardgenError(
                "preflight/damaged",
                f"the file is damaged, its pages cannot be found: {_shorten(error)}",
                where,
                "write it anew",
            ) from None
        repairs = tuple(map(_shorten, pdf.get_warnings()))
        version = f"{int(head[1])}.{int(head[2])}"
        yield Document(name, data, pdf, version, pages, repairs)


@contextmanager
def open_again(document: Document) -> Iterator[pikepdf.Pdf]:
    """Open a document once more, for what is read once: qpdf keeps every object that it has read.

    Its objects have the same numbers.
    """
    with pikepdf.open(_Stream(document.data), suppress_warnings=True) as pdf:
        yield pdf


class _Stream(BytesIO):
    """The bytes of a file, under the name by which qpdf's errors call them: "stream of bytes"."""

    def __repr__(self) -> str:
        return "of bytes"


def _shorten(error: object) -> str:
    return shorten(str(error), _LONGEST_ERROR)


def _read_file(path: Path) -> bytes:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe never ends
            raise CardgenError(
                "preflight/no-file", "this is not an ordinary file", Where(str(path))
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise CardgenError("preflight/no-file", "there is no such file", Where(str(path))) from None
    except IsADirectoryError:
        raise CardgenError(
            "preflight/no-file", "this is a folder, not a PDF", Where(str(path))
        ) from None
    except OSError as error:
        raise CardgenError(
            "preflight/no-file", f"cannot be read: {error.strerror}", Where(str(path))
        ) from None


def _count_pages(root: Any) -> int:
    """Return how many pages a file lists, counting no further than there may be.

    qpdf makes a page of each time that one is listed.
    """
    count = 0
    ahead = [find_value(root, "/Pages")]
    while ahead and count <= MOST_PAGES:
        node = ahead.pop()
        kids = find_value(node, "/Kids")
        if not isinstance(kids, pikepdf.Array):
            count += 1
        elif count + len(kids) + len(ahead) > 2 * MOST_PAGES:
            count = MOST_PAGES + 1
        else:
            count += 1  # so that nodes which lead back to themselves come to an end
            ahead += list(kids)
    return count


def _list_pages(pdf: pikepdf.Pdf) -> Iterator[DocumentPage]:
    known: dict[PageBoxes, PageBoxes] = {}  # most pages have the same
    for number, page in enumerate(pdf.pages, start=1):
        thing = page.obj
        boxes = _read_boxes(thing)
        boxes = known.setdefault(boxes, boxes)
        yield DocumentPage(number, thing, boxes, _find_inherited(thing, "/Resources"))


def _read_boxes(page: Any) -> PageBoxes:
    turn = _find_inherited(page, "/Rotate")
    return PageBoxes(
        media=unpack_box(_find_inherited(page, "/MediaBox")) or _A4,
        crop=unpack_box(_find_inherited(page, "/CropBox")),
        trim=find_box(page, "/TrimBox"),
        bleed=find_box(page, "/BleedBox"),
        art=find_box(page, "/ArtBox"),
        turn=turn % 360 if isinstance(turn, int) and turn % 90 == 0 else 0,
        unit=unit if (unit := read_number(page, "/UserUnit")) > 0 else 1.0,
    )


def _find_inherited(page: Any, key: str) -> Any:
    """Return a value of the page, or of the nearest node above it that has one."""
    for _ in range(_DEEPEST):
        value = find_value(page, key)
        if value is not None or page is None:
            return value
        page = find_value(page, "/Parent")
    return None
