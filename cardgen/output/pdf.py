"""Pages drawn, and a PDF file made of them.

Each distinct face is drawn once and placed as often as it is needed. Knows nothing of decks or
templates; the faces come with their pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from io import BytesIO
from itertools import chain, islice
from typing import BinaryIO, NamedTuple

from cardgen.core.colour import BLACK, WHITE
from cardgen.core.geometry import Matrix, Rect, Size
from cardgen.layout.face import Face, Item
from cardgen.output.content import ContentFormatter, format_colour, format_path
from cardgen.output.flatten import Flattener
from cardgen.output.images import is_half_transparent
from cardgen.output.inks import Prepress
from cardgen.output.notation import format_figures, format_number
from cardgen.output.packing import compress
from cardgen.output.pdfx import VERSIONS, Head, mark_pdfua, mark_pdfx
from cardgen.output.plates import PlateDrawer
from cardgen.output.resources import Form, Image, Resources, State, embed_form, pack_form
from cardgen.output.structure import PageTagger, Said, StructureTree, join_parts, mark_artifact
from cardgen.pages.impose import Note, Page
from cardgen.pages.marks import DIE_INK, Cut, Mark
from cardgen.pages.nest import Polygon
from cardgen.pages.target import Side

_MEANT = b"/ActualText"
_MEANING = re.compile(rb"\)\]TJ/Span<</ActualText<FEFF[0-9A-F]*>>>BDC\[\(|\)\]TJ EMC\[\(")
_DRAWN = re.compile(rb"/([XT][0-9a-f]{10}) Do")
_BYTES = 8
# So many drawn faces are kept to be placed again.
MOST_FACES = 1_000
_DIGEST_BYTES = 16
# How the ink of a die is shown: its space, none of it, and all of it.
_DIE_LOOKS = {
    "cmyk": (b"DeviceCMYK", b"0 0 0 0", b"0 1 0 0"),
    "rgb": (b"DeviceRGB", b"1 1 1", b"1 0 1"),
    "grey": (b"DeviceGray", b"1", b"0.5"),
}


class PlacedFace(NamedTuple):
    """A face at its place on a page.

    again: whether it may be placed once more
    title: the bookmark that stands at this place
    said: the name under which it is read aloud here; none where it is to be seen only
    """

    face: Face
    again: bool
    title: str | None = None
    said: str | None = None


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

    digest: equal for pages that look the same
    forms: those that no page before this one drew, with compressed content
    hashes: one for each of the page's faces, by what it shows; "" where there is none
    sections: what is read aloud, in its order
    """

    content: bytes
    digest: bytes
    forms: tuple[Form | Image, ...]
    size: Size
    trim: Rect
    bleed: Rect
    bookmarks: tuple[tuple[str, float, float], ...]
    hashes: tuple[str, ...]
    label: str | None
    sections: Sequence[Said] = ()


class PageDrawer:
    """Draws pages one by one; `resources` gathers what they share.

    tagged: whether their content says what it is, to whoever hears it read
    """

    def __init__(self, resources: Resources, *, tagged: bool = False) -> None:
        self._tagged = tagged
        self._resources = resources
        self._content = ContentFormatter(resources)
        self._flattener = _make_flattener(resources.prepress)
        self._hasher = Hasher()
        self._forms: list[Form | Image] = []  # of the page that is being drawn
        self._faces: dict[Face, tuple[bytes, str]] = {}
        # The content of the last front and back, and how it is packed: most backs are alike.
        self._packed: dict[Side, tuple[bytes, bytes]] = {}

    def draw(self, filled: FilledPage) -> DrawnPage:
        """Return a page with all that lies on it drawn."""
        page = filled.page
        height = page.size.height
        black = format_colour(self._resources.prepress.inks.turn(BLACK), stroke=True)
        tagger = PageTagger() if self._tagged else None
        parts = [_format_mark(mark, black, height) for mark in page.marks]
        if page.below is not None and self._resources.underlay is not None:
            parts.insert(0, self._resources.underlay.draw(page.below))
        if parts and tagger is not None:
            parts = [mark_artifact(b"\n".join(parts))]
        bookmarks, hashes = [], []
        for placement, placed in zip(page.placements, filled.faces, strict=True):
            if placed is None:
                hashes.append("")
                continue
            drawn, shown = self._draw_face(placed, tagger)
            hashes.append(shown)
            place = _format_place(
                placement.trim, placement.clip, placement.turned, placement.scale, height
            )
            if placement.polygon:
                place = b"%b%b" % (_format_polygon(placement.polygon, height), place)
            parts.append(b"q %b\n%b\nQ" % (place, drawn))
            if placed.title is not None:
                bookmarks.append((placed.title, placement.trim.x, height - placement.trim.y))
        if page.cuts:
            content = b"\n".join(self._format_cuts(page.cuts, black, height))
            parts.append(content if tagger is None else mark_artifact(content))
        for note, items in zip(page.notes, filled.notes, strict=True):
            line = _format_note(note, self._content.format(items, 0.0), height)
            parts.append(line if tagger is None else mark_artifact(line))
        if page.correction is not None:
            parts = [b"q %b cm" % _format_matrix(page.correction.flip(height)), *parts, b"Q"]
        content = b"\n".join(parts)
        before, packed = self._packed.get(page.side, (None, b""))
        if content != before:
            packed = compress(content)
            self._packed[page.side] = content, packed
        self._take_forms()
        forms = tuple(map(pack_form, self._forms))
        self._forms.clear()
        self._resources.forget()
        return DrawnPage(
            packed,
            blake2b(content + repr(page.size).encode(), digest_size=_DIGEST_BYTES).digest(),
            forms,
            page.size,
            _flip(page.trim, height),
            _flip(page.bleed, height),
            tuple(bookmarks),
            tuple(hashes),
            filled.label,
            tuple(tagger.sections) if tagger is not None else (),
        )

    def _format_cuts(self, cuts: Sequence[Cut], black: bytes, height: float) -> Iterator[bytes]:
        """Yield all lines, each behind the white of its neighbours, which would cover its ends."""
        paths = [format_path(cut.contour.segments, height) for cut in cuts]
        white = format_colour(self._resources.prepress.inks.turn(WHITE), stroke=True)
        for cut, path in zip(cuts, paths, strict=True):
            if cut.halo:
                broad = format_number(cut.weight + 2 * cut.halo)
                yield b"%b %b w %b S" % (white, broad, path)
        for cut, path in zip(cuts, paths, strict=True):
            weight = format_number(cut.weight)
            if cut.spot:
                yield self._format_die(path, weight)
            else:
                yield b"%b %b w %b S" % (black, weight, path)

    def _format_die(self, path: bytes, weight: bytes) -> bytes:
        """Return a line in the ink of the die, which leaves all others in place."""
        look = _DIE_LOOKS[self._resources.prepress.inks.turn(BLACK).space]
        space = self._resources.add_space(
            b"[/Separation/%b/%b<</FunctionType 2/Domain[0 1]/C0[%b]/C1[%b]/N 1>>]"
            % (DIE_INK.encode(), *look)
        )
        state = self._resources.add_state(State(b"/OP true/op true/OPM 1"))
        return b"q /%b gs /%b CS 1 SCN %b w %b S Q" % (state, space, weight, path)

    def _draw_face(self, placed: PlacedFace, tagger: PageTagger | None) -> tuple[bytes, str]:
        """Return the content that draws a face at its place, and the hash of what it shows."""
        if tagger is None:
            return self._draw_plain(placed.face, placed.again)
        if placed.said is None:
            content, shown = self._draw_plain(placed.face, placed.again)
            return mark_artifact(content), shown
        found = self._content.format_parts(placed.face.items, placed.face.size.height)
        # Content that is read stands on its page: a form that is drawn again cannot hold any.
        shown = self._hash(join_parts(found), placed.face)
        return tagger.tag(found, placed.said), shown

    def _hash(self, content: bytes, face: Face) -> str:
        self._take_forms()
        return self._hasher.hash_content(content, _find_box(face))

    def _draw_plain(self, face: Face, again: bool) -> tuple[bytes, str]:
        """Return the content that draws a face, and the hash of what it shows."""
        if again and face in self._faces:
            return self._faces[face]
        items = face.items if self._flattener is None else self._flattener.flatten(face)
        content = self._content.format(items, face.size.height)
        shown = self._hash(content, face)
        if not again:
            return content, shown
        form = b"/%b Do" % self._resources.add_form(content, _find_box(face))
        if len(self._faces) >= MOST_FACES:
            self._faces.clear()
        self._faces[face] = form, shown
        return form, shown

    def _take_forms(self) -> None:
        forms = self._resources.take_forms()
        self._hasher.learn(forms)
        self._forms += forms


def _make_flattener(prepress: Prepress) -> Flattener | None:
    """Return what takes the transparency out of faces, where a file has none."""
    if not prepress.opaque:
        return None
    return Flattener(PlateDrawer(prepress).draw, is_half_transparent)


def _find_box(face: Face) -> Rect:
    """Return a face with its bleed, origin bottom left."""
    box = Rect(0, 0, *face.size).outset(face.bleed)
    return Rect(box.x, face.size.height - box.bottom, box.width, box.height)


def write_pdf(head: Head, pages: Iterable[DrawnPage], resources: Resources, out: BinaryIO) -> None:
    """Write a file page by page; the resources are complete when the last page is taken."""
    drawn = iter(pages)
    first = list(islice(drawn, 1))
    # What writes a file is loaded while workers draw already.
    from cardgen.output.objects import Bookmark, File

    file = File(
        out,
        title=head.title,
        author=head.author,
        language=head.language,
        creator=head.creator,
        version=VERSIONS[head.flavour],
        packs=head.flavour == "plain",
    )
    if head.flavour == "plain":
        file.set_preferences(head.duplex)
    tree = StructureTree(file) if head.tagged else None
    for page in chain(first, drawn):
        for form in page.forms:
            # Parts that were drawn apart bring the same forms.
            if not file.has_resource("XObject", form.name):
                embed_form(file, form)
        number = file.add_page(
            page.content, page.digest, page.size, page.trim, page.bleed, tagged=tree is not None
        )
        if tree is not None:
            tree.add_page(number, page.sections)
        if page.label is not None:
            file.label_page(page.label)
        for title, x, y in page.bookmarks:
            file.add_bookmark(Bookmark(title, number, x, y))
    resources.embed(file)
    if tree is not None:
        tree.finish()
        mark_pdfua(file, head)
    if head.press is not None:
        mark_pdfx(file, head, head.press)
    file.finish()


def make_pdf(head: Head, pages: Iterable[DrawnPage], resources: Resources) -> bytes:
    """Return a whole file, which is small."""
    out = BytesIO()
    write_pdf(head, pages, resources, out)
    return out.getvalue()


class Hasher:
    """Hashes content streams by what they draw, whichever file they are part of.

    What a stream names (forms, pictures, gradients, fonts) is named by its content. What it says of
    a glyph's text depends on what else is in the file, and is left out.
    """

    def __init__(self) -> None:
        # The names of forms with meanings in them, and the names that they would have without.
        self._settled: dict[bytes, bytes] = {}

    def learn(self, forms: Iterable[Form | Image]) -> None:
        """Take note of forms, each behind those that it draws, before a stream that draws them."""
        for form in forms:
            if isinstance(form, Image):
                continue
            settled = self._settle(form.content)
            if settled is not form.content:
                self._settled[form.name.encode()] = _hash(settled, form.box).encode()

    def hash_content(self, content: bytes, box: Rect) -> str:
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


def _format_polygon(polygon: Polygon, height: float) -> bytes:
    """Return the operators that clip to a polygon on the page."""
    points = [b"%b %b" % (format_number(x), format_number(height - y)) for x, y in polygon]
    return b"%b m %b l h W n " % (points[0], b" l ".join(points[1:]))


def _format_note(note: Note, content: bytes, height: float) -> bytes:
    turn = b"0 1 -1 0" if note.upward else b"1 0 0 1"
    place = format_number(note.x), format_number(height - note.y)
    return b"q %b %b %b cm\n%b\nQ" % (turn, *place, content)


def _format_matrix(matrix: Matrix) -> bytes:
    return format_figures(7, *matrix)


def _flip(rect: Rect, height: float) -> Rect:
    return Rect(rect.x, height - rect.bottom, rect.width, rect.height)
