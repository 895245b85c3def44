"""A PDF file opened: its bytes, its objects, and its pages with their boxes.

Knows nothing of what is right or wrong in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pikepdf

from cardgen.core.errors import CardgenError, Where, shorten
from cardgen.core.geometry import Box, Rect
from cardgen.preflight.objects import (
    BROKEN,
    find_box,
    find_value,
    identify,
    read_name,
    read_number,
    unpack_box,
)
from cardgen.preflight.source import Source, open_source

_HEAD = re.compile(rb"%PDF-(\d)\.(\d)")
_A4 = Box(0, 0, 595.276, 841.89)
_DEEPEST = 50
_LONGEST_ERROR = 200
MOST_PAGES = 100_000
# So many pages are read before the file is opened anew, and what was read of them is let go.
_MOST_READ = 2_000
# What the nodes of a page tree may hold, so that nothing of it must be mended.
_NODE_KEYS = frozenset(
    ("/Type", "/Parent", "/Kids", "/Count", "/Resources", "/MediaBox", "/CropBox", "/Rotate")
)
_BOX_KEYS = ("/MediaBox", "/CropBox", "/TrimBox", "/BleedBox", "/ArtBox", "/Rotate", "/UserUnit")

# What tells pages apart that are alike in all else.
_OWN = re.compile(rb"/(?:Contents|StructParents) [0-9]+(?: [0-9]+ R)?")

_Key = tuple[int, int]  # the number of an object, and its generation


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
    """A page; `number` counts from 1. Its objects are read when they are asked for.

    has_extras: whether it has annotations, or a unit of its own
    key: the number of its object
    """

    number: int
    boxes: PageBoxes
    has_extras: bool
    key: _Key
    _objects: PageObjects

    @property
    def thing(self) -> Any:
        return self._objects.read(self.key)

    @property
    def resources(self) -> Any:
        return self._objects.read_resources(self.key)


class PageObjects:
    """The objects of pages, of which no more are held than there is room for.

    What pages share is read from a file that stays open, and is the same object each time. A page
    itself is read from another, which is opened anew now and then.
    """

    def __init__(self, shared: pikepdf.Pdf, source: Source | None) -> None:
        self._shared = shared
        self._source = source
        self._pages = shared
        self._asked = 0
        self._last: tuple[_Key, Any] | None = None
        self._warned = False

    @property
    def has_warned(self) -> bool:
        """Whether something that was read had to be mended."""
        # What is asked for warnings forgets them.
        self._warned = bool(self._pages.get_warnings()) or self._warned
        return self._warned

    def read(self, key: _Key) -> Any:
        if self._last is None or self._last[0] != key:
            if self._source is not None and self._asked % _MOST_READ == 0:
                self._warned = self.has_warned
                self._pages = self._source.open_pdf()
            self._asked += 1
            self._last = key, self._pages.get_object(key)
        return self._last[1]

    def read_resources(self, key: _Key) -> Any:
        """Return the resources of a page, or of the nearest node above it that has some."""
        found = _find_inherited(self.read(key), "/Resources")
        if isinstance(found, pikepdf.Object) and found.is_indirect:
            return self._shared.get_object(found.objgen)
        return _find_inherited(self._shared.get_object(key), "/Resources")


@dataclass(frozen=True, slots=True)
class Document:
    """An open file.

    version: the PDF version of its first line
    repairs: a line for each thing that had to be mended to read it
    is_plain: whether its pages were found without qpdf's mending them
    """

    name: str
    source: Source
    pdf: pikepdf.Pdf
    version: str
    pages: tuple[DocumentPage, ...]
    repairs: tuple[str, ...]
    is_plain: bool

    @property
    def is_duplex(self) -> bool:
        """Whether the file asks to be printed on both sides."""
        preferences = find_value(self.pdf.Root, "/ViewerPreferences")
        return read_name(preferences, "/Duplex").startswith("DuplexFlip")

    def open_again(self) -> pikepdf.Pdf:
        """Open the file once more, for what is read once; its objects have the same numbers."""
        return self.source.open_pdf(flatten=not self.is_plain)


@contextmanager
def open_document(file: bytes | str | Path, name: str = "") -> Iterator[Document]:
    """Open a file; one that is no PDF, or cannot be opened, is an error."""
    name = name or ("the PDF" if isinstance(file, bytes) else str(file))
    source = open_source(file if isinstance(file, bytes) else Path(file))
    try:
        version = _read_version(source, Where(name))
        pdf = _open(source, Where(name))
        plain = None if pdf.get_warnings() else _find_plain(pdf, source)
        if plain is not None:
            with pdf:
                yield Document(name, source, pdf, version, plain, (), is_plain=True)
            return
        _refuse_many_pages(pdf, Where(name))
        with _open(source, Where(name), flatten=True) as pdf:
            pages = _list_pages(pdf, Where(name))
            repairs = tuple(map(_shorten, pdf.get_warnings()))
            yield Document(name, source, pdf, version, pages, repairs, is_plain=False)
    finally:
        source.close()


def _read_version(source: Source, where: Where) -> str:
    head = _HEAD.search(source.data[:1024])
    if not source.data:
        raise CardgenError("preflight/no-pdf", "the file is empty", where)
    if not head:
        raise CardgenError(
            "preflight/no-pdf",
            "this is no PDF: it does not begin with %PDF-",
            where,
            "name a file that a program wrote as PDF",
        )
    return f"{int(head[1])}.{int(head[2])}"


def _open(source: Source, where: Where, *, flatten: bool = False) -> pikepdf.Pdf:
    try:
        return source.open_pdf(flatten=flatten)
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


def _shorten(error: object) -> str:
    return shorten(str(error), _LONGEST_ERROR)


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


def _refuse_many_pages(pdf: pikepdf.Pdf, where: Where) -> None:
    """Raise an error for more pages than are checked, before each is made an object of its own."""
    if _count_pages(pdf.Root) > MOST_PAGES:
        raise CardgenError(
            "preflight/too-large",
            f"the file has more than {MOST_PAGES:,} pages",
            where,
            "check it in parts",
        )


def _list_pages(pdf: pikepdf.Pdf, where: Where) -> tuple[DocumentPage, ...]:
    """Return the pages of a file as qpdf finds them, and mends them."""
    objects = PageObjects(pdf, None)
    try:
        things = (page.obj for page in pdf.pages)
        leaves = (_Leaf(thing.objgen, thing, _identify_boxes(thing)) for thing in things)
        return tuple(_make_pages(leaves, objects, mended=True))
    except (*BROKEN, RecursionError) as error:
        raise CardgenError(
            "preflight/damaged",
            f"the file is damaged, its pages cannot be found: {_shorten(error)}",
            where,
            "write it anew",
        ) from None


class _Leaf(NamedTuple):
    """A page of the tree; `look` is the same for those whose boxes and extras are."""

    key: _Key
    thing: Any
    look: object


def _make_pages(
    leaves: Iterable[_Leaf], objects: PageObjects, *, mended: bool
) -> Iterator[DocumentPage]:
    known: dict[object, tuple[PageBoxes, bool]] = {}
    same: dict[PageBoxes, PageBoxes] = {}  # most pages have the same
    for number, (key, thing, look) in enumerate(leaves, start=1):
        found = known.get(look)
        if found is None:
            if not mended and unpack_box(_find_inherited(thing, "/MediaBox")) is None:
                raise LookupError
            boxes = _read_boxes(thing)
            known[look] = found = same.setdefault(boxes, boxes), _has_extras(thing)
        yield DocumentPage(number, *found, key, objects)


def _identify_boxes(page: Any) -> object:
    """Return a key that is the same for pages with the same boxes, and with extras or without."""
    own = tuple(identify(find_value(page, key)) for key in _BOX_KEYS)
    return own, _has_extras(page), identify(find_value(page, "/Parent"))


def _has_extras(page: Any) -> bool:
    return any(find_value(page, key) is not None for key in ("/Annots", "/UserUnit"))


def _find_plain(pdf: pikepdf.Pdf, source: Source) -> tuple[DocumentPage, ...] | None:
    """Return the pages of a file in whose tree there is nothing to mend; None of any other."""
    reader = PageObjects(pdf, source)
    try:
        leaves = _list_leaves(reader, _identify(find_value(pdf.Root, "/Pages")))
        pages = tuple(_make_pages(leaves, PageObjects(pdf, source), mended=False))
    except (*BROKEN, RecursionError):
        return None
    return None if reader.has_warned or pdf.get_warnings() else pages


def _list_leaves(reader: PageObjects, top: _Key | None) -> Iterator[_Leaf]:
    """Yield the pages below a node; what qpdf would mend is a LookupError."""
    seen: set[_Key] = set()
    looks: set[object] = set()  # of pages in which there is nothing to mend
    ahead: list[tuple[_Key | None, _Key | None]] = [(top, None)]
    count = 0
    while ahead:
        key, parent = ahead.pop()
        if key is None or key in seen or count > MOST_PAGES:
            raise LookupError
        seen.add(key)
        thing = reader.read(key)
        look = parent, _OWN.sub(b"", thing.unparse(resolved=True))
        if look in looks:
            count += 1
            yield _Leaf(key, thing, look)
            continue
        if _identify(find_value(thing, "/Parent")) != parent:
            raise LookupError
        kind = read_name(thing, "/Type")
        if kind == "Pages" and _NODE_KEYS.issuperset(thing.keys()):
            kids = list(find_value(thing, "/Kids"))
            ahead += [(_find_key(kid), key) for kid in reversed(kids)]
        elif kind == "Page" and isinstance(
            _find_inherited(thing, "/Resources"), pikepdf.Dictionary
        ):
            count += 1
            looks.add(look)
            yield _Leaf(key, thing, look)
        else:
            raise LookupError


def _find_key(thing: Any) -> _Key | None:
    """Return the number of an object that has one of its own, whatever it is: it is not read."""
    return thing.objgen if isinstance(thing, pikepdf.Object) and thing.is_indirect else None


def _identify(thing: Any) -> _Key | None:
    """Return the number of a dictionary that has one of its own."""
    return thing.objgen if isinstance(thing, pikepdf.Dictionary) and thing.is_indirect else None


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
