"""A PDF file in the making: its numbered objects, written as they come.

Each object goes to the file at once, and only its place is kept. reportlab writes what a file has
once: its head, catalogue, information, identifier and trailer. Knows nothing of faces.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple, TypeVar

from reportlab import rl_config
from reportlab.pdfbase.pdfdoc import (
    PDFDocument,
    PDFFile,
    PDFTrailer,
    ViewerPreferencesPDFDictionary,
)

from cardgen.core.epoch import read_epoch
from cardgen.core.geometry import Rect, Size
from cardgen.output.notation import SPACES, format_box, format_image, format_number, format_text
from cardgen.output.packing import COMPRESSION, FLATE, Pack, compress, format_rows, step_rows

_T = TypeVar("_T")
# So many small objects share a stream, where streams may hold objects.
_MOST_PACKED = 1000
# A place in a stream of objects: this, the stream's number, and the object's place in it.
_PACKED, _STREAM_BITS = 1 << 63, 10
_ROW = 8  # bytes of a place in a stream of places
# How many pages a node of the page tree has, and how many labels one of theirs.
_MOST_KIDS = 64
# Of so many streams it is known whether a page's content is there already.
_MOST_SHARED = 4096


class Bookmark(NamedTuple):
    title: str
    page: int  # its object's number
    x: float
    y: float


class _Entry(NamedTuple):
    """A bookmark that is not written yet, for want of the number of the next."""

    bookmark: Bookmark
    number: int
    before: int


class _Node(NamedTuple):
    """A node of the page tree, whose parent is not known yet."""

    number: int
    kids: Sequence[int]
    pages: int


class File:
    """A PDF file in the making; what is added is written to `out`, from its beginning on.

    packs: whether small objects share compressed streams, which only newer readers know
    """

    def __init__(
        self,
        out: BinaryIO,
        *,
        title: str,
        author: str,
        language: str,
        creator: str,
        version: tuple[int, int] = (1, 6),
        packs: bool = False,
    ) -> None:
        # Without comments and dates of its own, two runs are equal byte for byte.
        rl_config.invariant = 1
        read_epoch()  # reportlab reads it too, and would break where it is no time
        self._document = PDFDocument(invariant=1, pdfVersion=version, lang=language)
        self._document.setTitle(title)
        self._document.setAuthor(author)
        self._document.setSubject("")
        self._document.setCreator(creator)
        self._document.Catalog.Outlines = None
        self._info: bytes | None = None
        self._out = out
        self._written = 0
        self._packs = packs
        self._gathered: dict[int, Pack] = {}  # small objects that are not written yet
        self._places = array("Q", [0])  # of each object; 0 as long as it is not written
        self._pages = array("L")
        self._leaves = array("L")
        self._contents: dict[bytes, int] = {}
        self._named: dict[str, dict[str, int]] = {}
        self._outlines = 0
        self._bookmarks = 0
        self._last: _Entry | None = None
        self._labels: list[str] = []
        self._label_nodes: list[int] = []
        self._write(PDFFile(version).format(self._document))
        self._resources = self.reserve()

    @property
    def resources(self) -> int:
        """The number of the one resource dictionary that all pages and forms share."""
        return self._resources

    def add(self, content: bytes) -> int:
        """Add an object; return its number."""
        number = self.reserve()
        self._put(number, content)
        return number

    def add_small(self, content: bytes, columns: int = 0) -> int:
        """Add an object that is no stream and may share one with others; return its number.

        columns: the length of the rows in which it lies among those that are much alike
        """
        number = self.reserve()
        self.put_small(number, content, columns)
        return number

    def put_small(self, number: int, content: bytes, columns: int = 0) -> None:
        """Add such an object under a number that is reserved."""
        if not self._packs:
            self._put(number, content)
            return
        pack = self._gathered.setdefault(columns, Pack(columns))
        pack.add(number, content)
        if len(pack) == _MOST_PACKED:
            self._put_packed(pack)

    def add_stream(self, content: bytes, entries: bytes = b"", *, compressed: bool = False) -> int:
        """Add a stream; return its number.

        compressed: it is compressed already, as its entries say, or is to stay plain
        """
        if not compressed:
            content, entries = compress(content), entries + FLATE
        number = self.reserve()
        self.put_stream(number, content, entries)
        return number

    def put_stream(self, number: int, content: bytes, entries: bytes) -> None:
        """Add a stream as it is under a number that is reserved."""
        head = b"<<%b/Length %d>>\nstream\n" % (entries, len(content))
        self._put(number, head, content, b"\nendstream")

    def add_form(self, content: bytes, box: Rect, *, is_group: bool = False) -> int:
        """Add a form that pages and other forms draw, with compressed content; its box has its
        origin bottom left.

        is_group: whether it is put together before it meets what lies below
        """
        entries = b"/Type/XObject/Subtype/Form/BBox%b/Resources %d 0 R%b" % (
            format_box(box),
            self.resources,
            b"/Group<</S/Transparency>>" if is_group else b"",
        )
        return self.add_stream(content, entries + FLATE, compressed=True)

    def add_image(
        self, size: tuple[int, int], space: bytes, content: bytes, mask: bytes | None
    ) -> int:
        """Add compressed pixels; with a mask they are one colour, as opaque as it says."""
        if mask is None:
            return self.add_stream(content, format_image(*size, space) + FLATE, compressed=True)
        opaque = format_image(*size, SPACES["grey"]) + FLATE
        number = self.add_stream(mask, opaque, compressed=True)
        entries = format_image(1, 1, space) + b"/SMask %d 0 R" % number + FLATE
        return self.add_stream(content, entries, compressed=True)

    def add_page(
        self,
        content: bytes,
        digest: bytes,
        size: Size,
        trim: Rect,
        bleed: Rect,
        *,
        tagged: bool = False,
    ) -> int:
        """Add a page with compressed content; its boxes have their origin bottom left.

        digest: what is equal for pages of equal content, which share it
        tagged: whether parts of its content belong to elements
        """
        if len(self._pages) % _MOST_KIDS == 0:
            self._leaves.append(self.reserve())
        number = self.add_small(
            b"<</Type/Page/Parent %d 0 R/MediaBox%b/TrimBox%b/BleedBox%b"
            b"/Resources %d 0 R/Contents %d 0 R%b>>"
            % (
                self._leaves[-1],
                format_box(Rect(0, 0, *size)),
                format_box(trim),
                format_box(bleed),
                self.resources,
                self._share_content(content, digest),
                b"/StructParents %d" % len(self._pages) if tagged else b"",
            )
        )
        self._pages.append(number)
        return number

    def name_resource(self, kind: str, name: str, number: int) -> None:
        """Let every page and form use an object by a name."""
        self._named.setdefault(kind, {})[name] = number

    def has_resource(self, kind: str, name: str) -> bool:
        return name in self._named.get(kind, ())

    def find_resource(self, kind: str, name: str) -> int:
        """Return the number of the object that has a name."""
        return self._named[kind][name]

    def add_bookmark(self, bookmark: Bookmark) -> None:
        if not self._outlines:
            self._outlines = self.reserve()
        number = self.reserve()
        before = self._put_bookmark(number)
        self._last = _Entry(bookmark, number, before)
        self._bookmarks += 1

    def label_page(self, label: str) -> None:
        """Give the next page the label by which viewers and preflight call it."""
        self._labels.append(label)
        if len(self._labels) == _MOST_KIDS:
            self._put_labels()

    @property
    def digest(self) -> str:
        """A key that tells this file from others, by all that was added so far."""
        found: str = self._document.signature.hexdigest()
        return found

    def set_info(self, content: bytes) -> None:
        """Write the document information in place of reportlab's."""
        self._info = content

    def set_root(self, key: str, content: bytes) -> None:
        """Set an entry of the catalogue."""
        catalogue = self._document.Catalog
        catalogue.__NoDefault__ = [*catalogue.__NoDefault__, key]
        setattr(catalogue, key, content)

    def set_preferences(self, duplex: str) -> None:
        """Ask viewers to print at full size, and on both sides where the target does."""
        flips = {"long-edge": "DuplexFlipLongEdge", "short-edge": "DuplexFlipShortEdge"}
        preferences = ViewerPreferencesPDFDictionary(
            {
                "PrintScaling": "/None",
                "DisplayDocTitle": "true",
                "Duplex": f"/{flips.get(duplex, 'Simplex')}",
            }
        )
        self.set_root("ViewerPreferences", preferences.format(self._document))

    def finish(self) -> None:
        """Write the rest: the objects that all pages share, and the place of each object."""
        document = self._document
        self.set_root("Pages", b"%d 0 R" % self._put_tree())
        self._put(self._resources, self._format_resources())
        self._put_outlines()
        self._put_label_tree()
        if self._info is None:
            document.info.digest(document.signature)
            self._info = document.info.format(document)
        info = self.add(self._info)
        root = self.add(document.Catalog.format(document))
        for pack in self._gathered.values():
            if pack:
                self._put_packed(pack)
        start = self._written
        if self._packs:
            self._write_place_stream(root, info)
            return
        self._write_places()
        trailer = PDFTrailer(
            startxref=start,
            Size=len(self._places),
            Root=b"%d 0 R" % root,
            Info=b"%d 0 R" % info,
            ID=document.ID(),
        )
        self._write(trailer.format(document))

    def reserve(self) -> int:
        """Return the number of an object that will be written later."""
        self._places.append(0)
        return len(self._places) - 1

    def _put(self, number: int, *content: bytes) -> None:
        """Write an object that is reserved; its content may come in parts."""
        self._places[number] = self._written
        self._write(b"%d 0 obj\n" % number)
        crc = 0
        for part in content:
            crc = zlib.crc32(part, crc)
            self._write(part)
        self._write(b"\nendobj\n")
        self._document.updateSignature(crc.to_bytes(4, "big"))

    def _put_packed(self, pack: Pack) -> None:
        """Write a stream of small objects."""
        stream = self.reserve()
        packed = pack.take()
        for place, number in enumerate(packed.numbers):
            self._places[number] = _PACKED | stream << _STREAM_BITS | place
        self.put_stream(stream, packed.data, packed.entries)

    def _write(self, data: bytes) -> None:
        self._out.write(data)
        self._written += len(data)

    def _write_places(self) -> None:
        """Write the table of cross-references."""
        assert all(self._places[1:]), "an object is reserved, but not written"
        self._write(b"xref\n0 %d\n0000000000 65535 f \n" % len(self._places))
        for some in _part(self._places[1:], 1000):
            self._write(b"".join(b"%010d 00000 n \n" % place for place in some))

    def _write_place_stream(self, root: int, info: int) -> None:
        """Write the table of cross-references as a stream, which holds the trailer, too."""
        start, number = self._written, self.reserve()
        self._places[number] = start
        assert all(self._places[1:]), "an object is reserved, but not written"
        packer = zlib.compressobj(COMPRESSION)
        packed, before = [], bytes(_ROW)
        for some in _part(self._places, 1000):
            rows = b"".join(map(_format_place, some))
            packed.append(packer.compress(step_rows(rows, _ROW, before)))
            before = rows[-_ROW:]
        data = b"".join([*packed, packer.flush()])
        head = b"<</Type/XRef/Size %d/W[1 5 2]/Root %d 0 R/Info %d 0 R/ID%b%b%b/Length %d>>" % (
            len(self._places),
            root,
            info,
            self._document.ID(),
            FLATE,
            format_rows(_ROW),
            len(data),
        )
        self._write(b"%d 0 obj\n%b\nstream\n%b\nendstream\nendobj\n" % (number, head, data))
        self._write(b"startxref\n%d\n%%%%EOF\n" % start)

    def _share_content(self, content: bytes, digest: bytes) -> int:
        """Return the number of a page's content, which is written once."""
        number = self._contents.pop(digest, None)
        if number is None:
            number = self.add_stream(content, FLATE, compressed=True)
            if len(self._contents) == _MOST_SHARED:
                del self._contents[next(iter(self._contents))]
        self._contents[digest] = number  # behind those that were not met for longer
        return number

    def _put_tree(self) -> int:
        """Write the tree of pages; return the number of its root."""
        nodes = [
            _Node(number, kids, len(kids))
            for number, kids in zip(self._leaves, _part(self._pages, _MOST_KIDS), strict=True)
        ]
        if not nodes:
            nodes = [_Node(self.reserve(), (), 0)]
        while len(nodes) > 1:
            above = []
            for some in _part(nodes, _MOST_KIDS):
                parent = self.reserve()
                for node in some:
                    self._put_node(node, b"/Parent %d 0 R" % parent)
                numbers = tuple(node.number for node in some)
                above.append(_Node(parent, numbers, sum(node.pages for node in some)))
            nodes = above
        self._put_node(nodes[0], b"")
        return nodes[0].number

    def _put_node(self, node: _Node, parent: bytes) -> None:
        kids = b" ".join(b"%d 0 R" % kid for kid in node.kids)
        self.put_small(
            node.number, b"<</Type/Pages%b/Count %d/Kids[%b]>>" % (parent, node.pages, kids)
        )

    def _format_resources(self) -> bytes:
        parts = [
            b"/%b<<%b>>"
            % (
                kind.encode(),
                b"".join(b"/%b %d 0 R" % (n.encode(), i) for n, i in sorted(names.items())),
            )
            for kind, names in sorted(self._named.items())
        ]
        return b"<<" + b"".join(parts) + b">>"

    def _put_bookmark(self, after: int) -> int:
        """Write the bookmark before that of a number, or 0 for none; return the number it has."""
        if self._last is None:
            return 0
        bookmark, number, before = self._last
        content = b"<</Title%b/Parent %d 0 R%b%b/Dest[%d 0 R/XYZ %b %b null]>>" % (
            format_text(bookmark.title),
            self._outlines,
            b"/Prev %d 0 R" % before if before else b"",
            b"/Next %d 0 R" % after if after else b"",
            bookmark.page,
            format_number(bookmark.x),
            format_number(bookmark.y),
        )
        self.put_small(number, content)
        return number

    def _put_outlines(self) -> None:
        """Write the root of the bookmarks, whose first is the object behind it."""
        if not self._outlines:
            return
        content = b"<</Type/Outlines/Count %d/First %d 0 R/Last %d 0 R>>" % (
            self._bookmarks,
            self._outlines + 1,
            self._put_bookmark(0),
        )
        self._put(self._outlines, content)
        self.set_root("Outlines", b"%d 0 R" % self._outlines)

    def _put_labels(self) -> None:
        """Write the labels of some pages in a row."""
        first = len(self._label_nodes) * _MOST_KIDS
        entries = b"".join(
            b"%d<</P%b>>" % (place, format_text(label))
            for place, label in enumerate(self._labels, first)
        )
        limits = first, first + len(self._labels) - 1
        self._label_nodes.append(
            self.add_small(b"<</Limits[%d %d]/Nums[%b]>>" % (*limits, entries))
        )
        self._labels.clear()

    def _put_label_tree(self) -> None:
        if self._labels:
            self._put_labels()
        if self._label_nodes:
            kids = b" ".join(b"%d 0 R" % node for node in self._label_nodes)
            self.set_root("PageLabels", b"<</Kids[%b]>>" % kids)


def _format_place(place: int) -> bytes:
    """Return a row of the stream of places: the kind of an object, where it is, and which there."""
    if place & _PACKED:
        stream, index = divmod(place & ~_PACKED, 1 << _STREAM_BITS)
        return b"\2%b%b" % (stream.to_bytes(5, "big"), index.to_bytes(2, "big"))
    return b"\1%b\0\0" % place.to_bytes(5, "big") if place else bytes(_ROW - 2) + b"\xff\xff"


def _part(things: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    """Yield so many things at a time."""
    for start in range(0, len(things), size):
        yield things[start : start + size]
