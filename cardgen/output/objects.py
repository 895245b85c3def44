"""A PDF file in the making: its numbered objects, written by reportlab's document.

Adds streams, forms, pages, bookmarks and resources, and makes one file of them. Knows nothing of
faces.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

from reportlab import rl_config
from reportlab.pdfbase.pdfdoc import PDFDocument, PDFObject, ViewerPreferencesPDFDictionary

from cardgen.core.geometry import Rect, Size

# Half the time of the usual level for a sixth more bytes.
COMPRESSION = 2
FLATE = b"/Filter/FlateDecode"


class Bookmark(NamedTuple):
    title: str
    page: int  # its object's number
    x: float
    y: float


class _Raw(PDFObject):  # type: ignore[misc]
    """An object whose bytes are ready; reportlab numbers it and notes where it stands."""

    __RefOnly__ = 1

    def __init__(self) -> None:
        self.content = b""
        self.number = 0

    def format(self, _document: PDFDocument) -> bytes:
        return self.content


class _Outlines(_Raw):
    ready = 1

    def prepare(self, _document: PDFDocument, _canvas: None) -> None:
        """Called by reportlab before it writes; there is nothing left to do."""


class _Info(_Raw):
    def digest(self, _signature: object) -> None:
        """Called by reportlab for what its own information would add to the file's identifier."""


class File:
    """A PDF file in the making."""

    def __init__(
        self,
        *,
        title: str,
        author: str,
        language: str,
        creator: str,
        version: tuple[int, int] = (1, 6),
    ) -> None:
        # Without comments and dates of its own, two runs are equal byte for byte.
        rl_config.invariant = 1
        self._document = PDFDocument(invariant=1, pdfVersion=version, lang=language)
        self._document.setTitle(title)
        self._document.setAuthor(author)
        self._document.setSubject("")
        self._document.setCreator(creator)
        self._pages: list[int] = []
        self._bookmarks: list[Bookmark] = []
        self._named: dict[str, dict[str, int]] = {}
        self._tree = self._reserve()
        self._resources = self._reserve()
        self._document.Catalog.Pages = self._tree

    @property
    def resources(self) -> int:
        """The number of the one resource dictionary that all pages and forms share."""
        return self._resources.number

    def add(self, content: bytes) -> int:
        """Add an object; return its number."""
        raw = self._reserve()
        raw.content = content
        return raw.number

    def add_stream(self, content: bytes, entries: bytes = b"", *, compressed: bool = False) -> int:
        """Add a stream; return its number.

        compressed: it is compressed already, as its entries say, or is to stay plain
        """
        if not compressed:
            content, entries = compress(content), entries + FLATE
        self._document.updateSignature(zlib.crc32(content).to_bytes(4, "big"))
        head = b"<<%b/Length %d>>\nstream\n" % (entries, len(content))
        return self.add(head + content + b"\nendstream")

    def add_form(self, content: bytes, box: Rect) -> int:
        """Add a form that pages and other forms draw; its box has its origin bottom left."""
        entries = b"/Type/XObject/Subtype/Form/BBox%b/Resources %d 0 R"
        return self.add_stream(content, entries % (format_box(box), self.resources))

    def add_page(self, content: bytes, size: Size, trim: Rect, bleed: Rect) -> int:
        """Add a page with compressed content; its boxes have their origin bottom left."""
        number = self.add(
            b"<</Type/Page/Parent %d 0 R/MediaBox%b/TrimBox%b/BleedBox%b"
            b"/Resources %d 0 R/Contents %d 0 R>>"
            % (
                self._tree.number,
                format_box(Rect(0, 0, *size)),
                format_box(trim),
                format_box(bleed),
                self.resources,
                self.add_stream(content, FLATE, compressed=True),
            )
        )
        self._pages.append(number)
        return number

    def name_resource(self, kind: str, name: str, number: int) -> None:
        """Let every page and form use an object by a name."""
        self._named.setdefault(kind, {})[name] = number

    def add_bookmark(self, bookmark: Bookmark) -> None:
        self._bookmarks.append(bookmark)

    @property
    def digest(self) -> str:
        """A key that tells this file from others, by all that was added so far."""
        found: str = self._document.signature.hexdigest()
        return found

    def set_info(self, content: bytes) -> None:
        """Write the document information in place of reportlab's."""
        info = self._document.info = _Info()
        info.content = content

    def set_root(self, key: str, content: bytes) -> None:
        """Set an entry of the catalogue."""
        catalogue = self._document.Catalog
        catalogue.__NoDefault__ = [*catalogue.__NoDefault__, key]
        setattr(catalogue, key, content)

    def set_preferences(self, duplex: str) -> None:
        """Ask viewers to print at full size, and on both sides where the target does."""
        flips = {"long-edge": "DuplexFlipLongEdge", "short-edge": "DuplexFlipShortEdge"}
        self._document.Catalog.ViewerPreferences = ViewerPreferencesPDFDictionary(
            {
                "PrintScaling": "/None",
                "DisplayDocTitle": "true",
                "Duplex": f"/{flips.get(duplex, 'Simplex')}",
            }
        )

    def label_pages(self, labels: Sequence[str]) -> None:
        """Give each page the label by which viewers and preflight call it."""
        entries = b"".join(
            b"%d<</P%b>>" % (place, format_text(label)) for place, label in enumerate(labels)
        )
        self.set_root("PageLabels", b"<</Nums[%b]>>" % entries)

    def finish(self) -> bytes:
        """Return the whole file."""
        kids = b" ".join(b"%d 0 R" % page for page in self._pages)
        self._tree.content = b"<</Type/Pages/Count %d/Kids[%b]>>" % (len(self._pages), kids)
        self._resources.content = self._format_resources()
        self._write_outlines()
        data: bytes = self._document.GetPDFData(None)
        return data

    def _reserve(self) -> _Raw:
        raw = _Raw()
        reference = self._document.Reference(raw, f"cardgen{self._document.objectcounter}")
        raw.number = self._document.idToObjectNumberAndVersion[reference.name][0]
        return raw

    def _format_resources(self) -> bytes:
        parts = [
            b"/%b<<%b>>"
            % (kind.encode(), b"".join(b"/%b %d 0 R" % (n.encode(), i) for n, i in names.items()))
            for kind, names in self._named.items()
        ]
        return b"<<" + b"".join(parts) + b">>"

    def _write_outlines(self) -> None:
        outlines = _Outlines()
        self._document.Outlines = self._document.Catalog.Outlines = outlines
        if not self._bookmarks:
            outlines.ready = -1
            return
        reference = self._document.Reference(outlines, "outlines")
        root = self._document.idToObjectNumberAndVersion[reference.name][0]
        entries = [self._reserve() for _ in self._bookmarks]
        for place, (entry, bookmark) in enumerate(zip(entries, self._bookmarks, strict=True)):
            before = b"/Prev %d 0 R" % entries[place - 1].number if place else b""
            after = b"/Next %d 0 R" % entries[place + 1].number if place + 1 < len(entries) else b""
            entry.content = b"<</Title%b/Parent %d 0 R%b%b/Dest[%d 0 R/XYZ %b %b null]>>" % (
                format_text(bookmark.title),
                root,
                before,
                after,
                bookmark.page,
                format_number(bookmark.x),
                format_number(bookmark.y),
            )
        outlines.content = b"<</Type/Outlines/Count %d/First %d 0 R/Last %d 0 R>>" % (
            len(entries),
            entries[0].number,
            entries[-1].number,
        )


def compress(content: bytes) -> bytes:
    return zlib.compress(content, COMPRESSION)


def format_number(number: float) -> bytes:
    """Return a number with at most three decimals, without zeros at its end."""
    text = b"%.3f" % number
    return text.rstrip(b"0").rstrip(b".") if text != b"-0.000" else b"0"


def format_box(rect: Rect) -> bytes:
    corners = (rect.x, rect.y, rect.right, rect.bottom)
    return b"[%b]" % b" ".join(map(format_number, corners))


def format_text(text: str) -> bytes:
    """Return a text outside the pages, as in a bookmark."""
    if text.isascii():
        escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        return b"(%b)" % escaped.encode()
    return b"<FEFF%b>" % text.encode("utf-16-be").hex().upper().encode()
