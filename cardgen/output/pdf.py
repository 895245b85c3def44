"""Pages drawn, and a PDF file made of them.

Each distinct face is drawn once and placed as often as it is needed. Knows nothing of decks or
templates; the faces come with their pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from cardgen.core.colour import BLACK
from cardgen.core.geometry import Matrix, Rect, Size
from cardgen.layout.face import Face, Item
from cardgen.output.content import ContentFormatter, format_colour
from cardgen.output.objects import Bookmark, File, compress, format_number
from cardgen.output.pdfx import VERSIONS, Head, mark_pdfx
from cardgen.output.resources import Form, Resources
from cardgen.pages.impose import Note, Page
from cardgen.pages.marks import Mark

_MEANT = b"/ActualText"
_MEANING = re.compile(rb"\)\]TJ/Span<</ActualText<FEFF[0-9A-F]*>>>BDC\[\(|\)\]TJ EMC\[\(")
_DRAWN = re.compile(rb"/(X[0-9a-f]{10}) Do")
_BYTES = 8


class PlacedFace(NamedTuple):
    """A face at its place on a page.

    again: whether it may be placed once more
    title: the bookmark that stands at this place
    """

    face: Face
    again: bool
    title: str | None = None


class FilledPage(NamedTuple):
    """A page with all that is drawn on it.

    faces: one for each place, or None where there is nothing to draw
    notes: the items of each line
    """

    page: Page
    faces: Sequence[PlacedFace | None]
    notes: Sequence[Sequence[Item]] = ()
    label: str | None = None


class DrawnPage(NamedTuple):
    """A page's compressed content and its boxes, origin bottom left.

    hashes: one for each of the page's faces, by what it shows; "" where there is none
    """

    content: bytes
    size: Size
    trim: Rect
    bleed: Rect
    bookmarks: tuple[tuple[str, float, float], ...]
    hashes: tuple[str, ...]
    label: str | None


class PageDrawer:
    """Draws pages one by one; `resources` gathers what they share."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._content = ContentFormatter(resources)
        self._hasher = Hasher(resources.forms)
        self._faces: dict[Face, tuple[bytes, str]] = {}

    def draw(self, filled: FilledPage) -> DrawnPage:
        """Return a page with all that lies on it drawn."""
        page = filled.page
        height = page.size.height
        black = format_colour(self._resources.prepress.inks.turn(BLACK), stroke=True)
        parts = [_format_mark(mark, black, height) for mark in page.marks]
        bookmarks, hashes = [], []
        for placement, placed in zip(page.placements, filled.faces, strict=True):
            if placed is None:
                hashes.append("")
                continue
            drawn, shown = self._draw_face(placed.face, placed.again)
            hashes.append(shown)
            place = _format_place(
                placement.trim, placement.clip, placement.turned, placement.scale, height
            )
            parts.append(b"q %b\n%b\nQ" % (place, drawn))
            if placed.title is not None:
                bookmarks.append((placed.title, placement.trim.x, height - placement.trim.y))
        for note, items in zip(page.notes, filled.notes, strict=True):
            parts.append(_format_note(note, self._content.format(items, 0.0), height))
        if page.correction is not None:
            parts = [b"q %b cm" % _format_matrix(page.correction.flip(height)), *parts, b"Q"]
        return DrawnPage(
            compress(b"\n".join(parts)),
            page.size,
            _flip(page.trim, height),
            _flip(page.bleed, height),
            tuple(bookmarks),
            tuple(hashes),
            filled.label,
        )

    def _draw_face(self, face: Face, again: bool) -> tuple[bytes, str]:
        """Return the content that draws the face, and the hash of what it shows."""
        if again and face in self._faces:
            return self._faces[face]
        content = self._content.format(face.items, face.size.height)
        box = Rect(0, 0, *face.size).outset(face.bleed)
        box = Rect(box.x, face.size.height - box.bottom, box.width, box.height)
        shown = self._hasher.hash_content(content, box)
        if not again:
            return content, shown
        form = b"/%b Do" % self._resources.add_form(content, box)
        self._faces[face] = form, shown
        return form, shown


def write_pdf(head: Head, pages: Iterable[DrawnPage], resources: Resources) -> bytes:
    """Return the whole file."""
    file = File(
        title=head.title,
        author=head.author,
        language=head.language,
        creator=head.creator,
        version=VERSIONS[head.flavour],
    )
    if head.flavour == "plain":
        file.set_preferences(head.duplex)
    labels = []
    for page in pages:
        number = file.add_page(page.content, page.size, page.trim, page.bleed)
        labels.append(page.label)
        for title, x, y in page.bookmarks:
            file.add_bookmark(Bookmark(title, number, x, y))
    if any(labels):
        file.label_pages([label or "" for label in labels])
    resources.embed(file)
    if head.press is not None:
        mark_pdfx(file, head, head.press)
    return file.finish()


class Hasher:
    """Hashes content streams by what they draw, whichever file they are part of.

    What a stream names (forms, pictures, gradients, fonts) is named by its content. What it says of
    a glyph's text depends on what else is in the file, and is left out. `forms` may grow.
    """

    def __init__(self, forms: Mapping[str, Form]) -> None:
        self._forms = forms
        self._seen = 0
        # The names of forms with meanings in them, and the names that they would have without.
        self._settled: dict[bytes, bytes] = {}

    def hash_content(self, content: bytes, box: Rect) -> str:
        # A form comes after those that it draws.
        for name, form in islice(self._forms.items(), self._seen, None):
            self._seen += 1
            settled = self._settle(form.content)
            if settled is not form.content:
                self._settled[name.encode()] = _hash(settled, form.box).encode()
        return _hash(self._settle(content), box)

    def _settle(self, content: bytes) -> bytes:
        """Return the content without meanings; the very same object where there are none."""
        if _MEANT in content:
            content = _MEANING.sub(b"", content)
        if self._settled and any(name[1] in self._settled for name in _DRAWN.finditer(content)):
            content = _DRAWN.sub(lambda name: self._settled.get(name[1], name[1]), content)
        return content


def _hash(content: bytes, box: Rect) -> str:
    sides = b" ".join(b"%.3f" % side for side in box)
    return blake2b(sides + b"\n" + content, digest_size=_BYTES).hexdigest()


def _format_mark(mark: Mark, black: bytes, height: float) -> bytes:
    dash = b"[%b] 0 d " % b" ".join(map(format_number, mark.dash)) if mark.dash else b""
    return b"%b%b %b w %b %b m %b %b l S%b" % (
        dash,
        black,
        format_number(mark.weight),
        format_number(mark.x1),
        format_number(height - mark.y1),
        format_number(mark.x2),
        format_number(height - mark.y2),
        b" [] 0 d" if dash else b"",
    )


@lru_cache(maxsize=4096)
def _format_place(trim: Rect, clip: Rect, turned: bool, scale: float, height: float) -> bytes:
    """Return the operators that clip to a place on the page and move the origin there."""
    clip = _flip(clip, height)
    grown, x, y = b"%.6g" % scale, trim.x, height - trim.bottom
    if turned:
        grown, x, y = b"-" + grown, trim.right, height - trim.y
    return b"%b %b %b %b re W n %b 0 0 %b %b %b cm" % (
        *map(format_number, clip),
        grown,
        grown,
        format_number(x),
        format_number(y),
    )


def _format_note(note: Note, content: bytes, height: float) -> bytes:
    turn = b"0 1 -1 0" if note.upward else b"1 0 0 1"
    place = format_number(note.x), format_number(height - note.y)
    return b"q %b %b %b cm\n%b\nQ" % (turn, *place, content)


def _format_matrix(matrix: Matrix) -> bytes:
    return b" ".join(b"%.7g" % number for number in matrix)


def _flip(rect: Rect, height: float) -> Rect:
    return Rect(rect.x, height - rect.bottom, rect.width, rect.height)
