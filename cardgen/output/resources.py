"""The things that the content streams of a file share, by name: fonts, forms, gradients, pictures.

Names come from what they name, so that parts of a file that were drawn apart agree on them. Forms
are handed on as soon as they are made, for there may be many; the rest becomes objects of a file at
its end. Knows nothing of pages.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import md5
from typing import TYPE_CHECKING, NamedTuple

from cardgen.core.colour import Colour
from cardgen.core.geometry import Rect
from cardgen.layout.face import Pixels
from cardgen.output.fonts import Typeface, Usage
from cardgen.output.images import PackedPicture, Source, add_picture, pack_picture
from cardgen.output.inks import Inks, Prepress
from cardgen.output.notation import SPACES
from cardgen.output.packing import compress
from cardgen.text.fonts import FontFile

if TYPE_CHECKING:
    from cardgen.output.objects import File
    from cardgen.output.underlay import Underlay

# The graphics states in which black text lies on top of other inks, and the usual one.
OVERPRINT, KNOCK_OUT = b"/GO gs", b"/GK gs"
_STATES = {
    "GO": b"<</Type/ExtGState/OP true/op true/OPM 1>>",
    "GK": b"<</Type/ExtGState/OP false/op false/OPM 0>>",
}
_PLAIN = Prepress(Inks())

OpenFont = Callable[[str, int, bool], FontFile]


class Form(NamedTuple):
    """Content that is drawn by its name.

    is_group: whether it is put together before it meets what lies below
    """

    name: str
    content: bytes
    box: Rect  # origin bottom left
    is_group: bool = False


class Image(NamedTuple):
    """Pixels that were made and not read from a file, drawn by their name.

    content: the compressed pixels, or one of them that is the colour of all
    mask: compressed too: how opaque each pixel is
    """

    name: str
    size: tuple[int, int]
    space: bytes
    content: bytes
    mask: bytes | None = None


def pack_form(form: Form | Image) -> Form | Image:
    """Return a form with compressed content, as images have it already."""
    return form._replace(content=compress(form.content)) if isinstance(form, Form) else form


def embed_form(file: File, form: Form | Image) -> None:
    """Add what is packed to a file, under its name."""
    if isinstance(form, Image):
        number = file.add_image(form.size, form.space, form.content, form.mask)
    else:
        number = file.add_form(form.content, form.box, is_group=form.is_group)
    file.name_resource("XObject", form.name, number)


class State(NamedTuple):
    """A graphics state; `mask` is the form that it shows things by."""

    content: bytes
    mask: str | None = None


class Portable(NamedTuple):
    """Resources as plain data that another process can read."""

    usages: list[Usage]
    shadings: dict[str, bytes]
    states: dict[str, State]
    pictures: dict[str, Source]
    colours: frozenset[Colour]
    spaces: dict[str, bytes]


# Pictures that are packed already, by their names.
Packs = dict[str, PackedPicture]


class Resources:
    """All that has been used so far; `prepress` says how it is written.

    packs: keeps pictures for other files with the same inks
    underlay: the pages that lie below ours
    """

    def __init__(
        self,
        prepress: Prepress = _PLAIN,
        packs: Packs | None = None,
        underlay: Underlay | None = None,
    ) -> None:
        self.prepress = prepress
        self.underlay = underlay
        self._packs = packs
        self._colours: frozenset[Colour] = frozenset()  # those used elsewhere
        self._typefaces: dict[str, Typeface] = {}
        self._form_names: set[str] = set()
        self._forms: list[Form | Image] = []  # that nobody has taken yet
        self._shadings: dict[str, bytes] = {}
        self._states: dict[str, State] = {}
        self._spaces: dict[str, bytes] = {}
        self._pictures: dict[str, Source] = {}

    def get_typeface(self, file: FontFile) -> Typeface:
        # By what it is: the faces of two decks may come with a shelf of fonts each.
        typeface = self._typefaces.get(file.digest)
        if typeface is None:
            typeface = self._typefaces[file.digest] = Typeface(file)
        return typeface

    def forget(self) -> None:
        """Forget what is kept for pages to come, where it is too much."""
        for typeface in self._typefaces.values():
            typeface.forget()

    def add_form(self, content: bytes, box: Rect, *, is_group: bool = False) -> bytes:
        """Keep a form that pages and other forms draw; return its name."""
        name = _make_name("T" if is_group else "X", content + repr(box).encode())
        if name not in self._form_names:
            self._form_names.add(name)
            self._forms.append(Form(name, content, box, is_group))
        return name.encode()

    def add_raster(self, pixels: Pixels, colour: Colour | None) -> bytes:
        """Keep pixels in a colour, which is printed as it is, or in their own CMYK; return their
        name.
        """
        said = f"{pixels.width} {pixels.height} {colour}".encode()
        name = _make_name("R", said + pixels.data)
        if name not in self._form_names:
            self._form_names.add(name)
            size, packed = (pixels.width, pixels.height), compress(pixels.data)
            if colour is None:
                image = Image(name, size, SPACES["cmyk"], packed)
            else:
                ink = bytes(round(value * 255) for value in colour.values)
                image = Image(name, size, SPACES[colour.space], compress(ink), packed)
            self._forms.append(image)
        return name.encode()

    def add_state(self, state: State) -> bytes:
        """Keep a graphics state; return its name."""
        name = _make_name("G", state.content + (state.mask or "").encode())
        self._states[name] = state
        return name.encode()

    def add_space(self, content: bytes) -> bytes:
        """Keep a colour space; return its name."""
        name = _make_name("C", content)
        self._spaces[name] = content
        return name.encode()

    def take_forms(self) -> list[Form | Image]:
        """Return the forms that are new since the last time, each behind those that it draws."""
        taken, self._forms = self._forms, []
        return taken

    def add_shading(self, content: bytes) -> bytes:
        name = _make_name("S", content)
        self._shadings[name] = content
        return name.encode()

    def add_picture(self, source: Source) -> bytes:
        said = f" in {source.tone}, 1 of {source.share}".encode()
        name = _make_name("P", source.path.read_bytes() + said)
        self._pictures[name] = source
        return name.encode()

    @property
    def colours(self) -> frozenset[Colour]:
        """All colours of shapes, texts and gradients, as they are printed."""
        return self.prepress.inks.list_used() | self._colours

    @property
    def has_pictures(self) -> bool:
        """Whether any file of a picture was used."""
        return bool(self._pictures)

    @property
    def fonts(self) -> list[FontFile]:
        files = (typeface.file for typeface in self._typefaces.values())
        return sorted(files, key=lambda file: (file.family, file.weight, file.italic))

    def pack(self) -> Portable:
        usages = [typeface.make_usage() for typeface in self._typefaces.values()]
        kept = self._shadings, self._states, self._pictures, self.colours, self._spaces
        return Portable(usages, *kept)

    def unpack(self, portable: Portable, open_font: OpenFont) -> bool:
        """Take in what was drawn elsewhere; return False if the two cannot stand in one file."""
        self._shadings |= portable.shadings
        self._states |= portable.states
        self._spaces |= portable.spaces
        self._pictures |= portable.pictures
        self._colours |= portable.colours
        return all(
            self.get_typeface(open_font(usage.family, usage.weight, usage.italic)).add_usage(usage)
            for usage in portable.usages
        )

    def embed(self, file: File) -> None:
        """Add all but the forms to a file, in an order that does not depend on who drew what."""
        inks, overprints, outlines, opaque, _ = self.prepress
        if self.underlay is not None:
            self.underlay.embed(file)
        if not outlines:
            for typeface in sorted(self._typefaces.values(), key=lambda face: face.name):
                file.name_resource("Font", typeface.name.decode(), typeface.embed(file))
        for name, source in sorted(self._pictures.items(), key=lambda named: named[0]):
            packed = self._packs.get(name) if self._packs is not None else None
            if packed is None:
                packed = pack_picture(source, inks, hard=opaque)
                if self._packs is not None:
                    self._packs[name] = packed
            file.name_resource("XObject", name, add_picture(file, packed))
            del packed  # which may be large, and would stay while the next one is made
        for name, shading in sorted(self._shadings.items()):
            file.name_resource("Shading", name, file.add(shading))
        for name, space in sorted(self._spaces.items()):
            file.name_resource("ColorSpace", name, file.add(space))
        for name, state in sorted(self._states.items()):
            content = state.content
            if state.mask is not None:
                content += b"/SMask<</S/Alpha/G %d 0 R>>" % file.find_resource(
                    "XObject", state.mask
                )
            number = file.add(b"<</Type/ExtGState%b>>" % content)
            file.name_resource("ExtGState", name, number)
        if overprints:
            for name, content in _STATES.items():
                file.name_resource("ExtGState", name, file.add(content))


def _make_name(prefix: str, content: bytes) -> str:
    return prefix + md5(content, usedforsecurity=False).hexdigest()[:10]
