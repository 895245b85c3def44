"""Fonts by their family, weight and slant, ready to shape text and to be embedded.

They come from the project's own folder and from installed fontpkg families; system fonts are never
used. Knows nothing of templates, sizes or PDF.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import md5
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import uharfbuzz as hb

from cardgen.core.errors import CardgenError, Where, list_some
from cardgen.core.library import HOME, Library
from cardgen.core.names import describe_unknown

_SIGNS_FAMILY = "Cardgen Signs"
# What a style's name says of its weight, the longer words before those within them.
_STYLE_WEIGHTS = (
    *(("extralight", 200), ("ultralight", 200), ("semilight", 350), ("light", 300)),
    *(("thin", 100), ("hairline", 100), ("medium", 500), ("semibold", 600), ("demi", 600)),
    *(("extrabold", 800), ("ultrabold", 800), ("bold", 700), ("black", 900), ("heavy", 900)),
)
# Tables without which nothing is known of a font's letters.
_NEEDED = {"cmap", "head", "hhea", "hmtx", "maxp"}
_SIGNS = HOME / "assets" / "signs" / "signs.ttf"


class FontEntry(NamedTuple):
    """One file of a family; a variable file covers a range of weights."""

    path: Path
    lightest: int
    heaviest: int
    italic: bool


class Family(NamedTuple):
    """A family of fonts with all its files."""

    name: str
    entries: tuple[FontEntry, ...]

    def get_entry(self, weight: int, italic: bool, where: Where | None = None) -> FontEntry:
        """Return the file that holds a weight and slant."""
        slanted = [entry for entry in self.entries if entry.italic == italic]
        if not slanted:
            kind = "italic" if italic else "upright"
            raise CardgenError(
                "font/no-face",
                f'font "{self.name}" has no {kind} face',
                where,
                "choose a family that has one",
                details={"name": self.name, "face": kind},
            )
        for entry in slanted:
            if entry.lightest <= weight <= entry.heaviest:
                return entry
        known = sorted({(entry.lightest, entry.heaviest) for entry in slanted})
        weights = ", ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in known)
        raise CardgenError(
            "font/no-weight",
            f'font "{self.name}" has no weight {weight}',
            where,
            f"it has: {weights}",
            details={"name": self.name, "weight": weight},
        )


@dataclass(frozen=True, eq=False)
class FontFile:
    """A font at one weight, which shapes text and is embedded; compared by identity."""

    family: str
    weight: int
    italic: bool
    face: hb.Face = field(repr=False)

    @cached_property
    def font(self) -> hb.Font:
        return hb.Font(self.face)

    @cached_property
    def name(self) -> str:
        name = self.face.get_name(hb.OTNameIdPredefined.POSTSCRIPT_NAME) or self.family
        return "".join(c for c in name if c.isascii() and (c.isalnum() or c in "-+"))

    @cached_property
    def units(self) -> int:
        return int(self.face.upem)

    @cached_property
    def characters(self) -> frozenset[int]:
        return frozenset(self.face.unicodes)

    @cached_property
    def is_cff(self) -> bool:
        return "CFF " in self.face.table_tags

    @cached_property
    def keeps_places(self) -> bool:
        """Whether nothing but marks is ever moved from its place: the font only kerns."""
        tags = {
            str(tag)
            for script in range(len(self.face.get_table_script_tags("GPOS")))
            for language in self._list_languages(script)
            for tag in self.face.get_language_feature_tags("GPOS", script, language)
        }
        return tags <= {"kern", "mark", "mkmk", "cpsp"}

    def _list_languages(self, script: int) -> list[int]:
        languages = self.face.get_script_language_tags("GPOS", script)
        return [*range(len(languages)), 0xFFFF]

    @cached_property
    def meanings(self) -> dict[int, str]:
        """The character of each glyph; the lowest, where several are drawn with it."""
        found: dict[int, str] = {}
        for character in sorted(self.characters, reverse=True):
            found[self.font.get_nominal_glyph(character)] = chr(character)
        return found

    @cached_property
    def digest(self) -> str:
        """A short name for exactly this font, the same on every machine."""
        return md5(bytes(self.face.blob.data), usedforsecurity=False).hexdigest()[:8]

    @cached_property
    def cap_height(self) -> float:
        """The height of a capital, in em."""
        return self._extent("H", top=True, otherwise=0.7)

    @cached_property
    def depth(self) -> float:
        """How far letters reach below the baseline, in em."""
        return -self._extent("p", top=False, otherwise=-0.25)

    @cached_property
    def underline(self) -> tuple[float, float]:
        """The top of a line under words and its thickness, in em."""
        top, thickness = self._read_shorts("post", 8)
        return (top, thickness) if thickness > 0 else (-0.1, 0.05)

    @cached_property
    def strike(self) -> tuple[float, float]:
        """The top of a line through words and its thickness, in em."""
        thickness, top = self._read_shorts("OS/2", 26)
        return (top, thickness) if thickness > 0 else (self.cap_height / 2, self.underline[1])

    def _read_shorts(self, table: str, at: int) -> tuple[float, float]:
        """Return two measures of a table, in em; noughts where it is too short."""
        data = bytes(self.face.reference_table(table).data)[at : at + 4]
        first, second = struct.unpack(">2h", data) if len(data) == 4 else (0, 0)
        return first / self.units, second / self.units

    @cached_property
    def box(self) -> tuple[int, int, int, int]:
        """The bounding box of all glyphs, in font units."""
        head = bytes(self.face.reference_table("head").data)
        x0, y0, x1, y1 = struct.unpack(">4h", head[36:44])
        return x0, y0, x1, y1

    def _extent(self, letter: str, *, top: bool, otherwise: float) -> float:
        glyph = self.font.get_nominal_glyph(ord(letter))
        extents = self.font.get_glyph_extents(glyph) if glyph else None
        if extents is None:
            return otherwise
        bearing = extents.y_bearing
        return float(bearing if top else bearing + extents.height) / self.units


class FontShelf:
    """The families a project can use, opened when first asked for."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._files: dict[tuple[Path, int], FontFile] = {}

    def list_families(self) -> list[str]:
        return sorted({*self._own, *(family.name for family in _read_installed().values())})

    def get_family(self, name: str, where: Where | None = None) -> Family:
        """Return a family; capitals in its name do not count."""
        for family in self._own.values():
            if family.name.lower() == name.lower():
                return family
        if found := _find_package(name.lower()):
            return found
        for family in _read_installed().values():
            if family.name.lower() == name.lower():
                return family
        known = self.list_families()
        unknown = describe_unknown(name, known, "font")
        hint = unknown.hint
        if not unknown.near:
            package = name.lower().replace(" ", "-")
            hint += f"; PyPI's fontpkg families are had by: pip install fontpkg-{package}"
        if unread := [path.name for path in self._library.list_unread_fonts()]:
            hint += f"; only .ttf and .otf are read: convert {list_some(unread, 3)}"
        raise CardgenError(
            "font/unknown-font",
            f'unknown font "{name}"',
            where,
            hint,
            details=unknown.details,
        )

    def open(self, name: str, weight: int, italic: bool, where: Where | None = None) -> FontFile:
        """Return the font of a family at a weight and slant; what is missing is an error."""
        if name == _SIGNS_FAMILY:  # as the parts of a build name it that other processes draw
            return open_signs()
        family = self.get_family(name, where)
        entry = family.get_entry(weight, italic, where)
        key = (entry.path, weight)
        if key not in self._files:
            # Only the project's own fonts may change while the program runs.
            open_file = _open_file if family.name in self._own else _open_installed
            self._files[key] = open_file(family.name, entry, weight)
        return self._files[key]

    def open_nearest(self, name: str, weight: int, italic: bool, where: Where | None) -> FontFile:
        """Return the nearest face of a family, to stand in where the first font lacks a letter."""
        family = self.get_family(name, where)
        entry = min(
            family.entries,
            key=lambda e: (e.italic != italic, max(e.lightest - weight, weight - e.heaviest, 0)),
        )
        nearest = min(max(weight, entry.lightest), entry.heaviest)
        return self.open(name, nearest, entry.italic, where)

    @cached_property
    def _own(self) -> dict[str, Family]:
        families: dict[str, list[FontEntry]] = {}
        for path in self._library.list_font_files():
            name, entry = _read_entry(path)
            families.setdefault(name, []).append(entry)
        return {name: Family(name, tuple(entries)) for name, entries in families.items()}


@lru_cache(maxsize=64)
def _find_package(name: str) -> Family | None:
    """Return a family from the package that has its name, if there is one.

    fontpkg looks through all that is installed, for which it loads more than a small build does.
    """
    slug = name.replace(" ", "-")
    module = "fontpkg_" + slug.replace("-", "_")
    spec = find_spec(module) if module.isidentifier() else None
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    try:
        said = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))
        if said["schema"] != 1 or said["family"].lower() != name:
            return None
        weights = {axis["tag"]: (int(axis["min"]), int(axis["max"])) for axis in said["axes"]}
        entries = []
        for file in said["files"]:
            weight = int(file["weight"] or 400)
            low, high = weights.get("wght", (weight, weight)) if file["variable"] else (weight,) * 2
            entries.append(FontEntry(folder / file["path"], low, high, file["style"] == "italic"))
    except (OSError, ValueError, LookupError, TypeError):
        return None  # written otherwise: fontpkg may know it
    return Family(said["family"], tuple(entries))


@lru_cache(maxsize=1)
def _read_installed() -> dict[str, Family]:
    import fontpkg

    found: dict[str, Family] = {}
    for slug, family in fontpkg.families().items():
        entries = []
        for file in family.files:
            low = high = file.weight or 400
            if file.variable and file.wght_min is not None and file.wght_max is not None:
                low, high = int(file.wght_min), int(file.wght_max)
            entries.append(FontEntry(Path(file.path), low, high, file.style == "italic"))
        found[slug] = Family(family.name, tuple(entries))
    return found


def list_installed_files(slug: str) -> dict[str, Path]:
    """Return the files of an installed family by their names, for programs that show text."""
    family = _read_installed().get(slug)
    return {entry.path.name: entry.path for entry in family.entries} if family else {}


def _load_face(path: Path) -> hb.Face:
    try:
        face = hb.Face(hb.Blob.from_file_path(str(path)))
        glyphs, tags = face.glyph_count, _list_tables(face)
    except (OSError, hb.HarfBuzzError) as error:
        raise CardgenError(
            "font/unreadable", f"the font cannot be read: {error}", Where(str(path))
        ) from error
    drawn = {"glyf", "loca"} <= tags or "CFF " in tags
    if not glyphs or not drawn or not tags >= _NEEDED:
        raise _refuse_font(path)
    return face


def _refuse_font(path: Path) -> CardgenError:
    return CardgenError(
        "font/not-embeddable",
        "this is no font that can be embedded",
        Where(str(path)),
        "use a TTF or OTF file whose letters are outlines",
    )


def _list_tables(face: hb.Face) -> set[str]:
    try:
        return set(face.table_tags)
    except UnicodeDecodeError:  # the names of its tables are damaged
        return set()


def _try_cut(face: hb.Face, path: Path) -> None:
    """Refuse a font of which no part can be made, as a PDF holds it."""
    part = hb.SubsetInput()
    for table in ("GSUB", "GPOS", "GDEF", "cmap", "name", "post", "OS/2", "STAT", "DSIG", "gasp"):
        part.drop_table_tag_set.add(int.from_bytes(table.encode(), "big"))
    try:
        hb.subset(face, part)
    except RuntimeError as error:
        raise _refuse_font(path) from error


def _read_entry(path: Path) -> tuple[str, FontEntry]:
    face = _load_face(path)
    names = hb.OTNameIdPredefined
    family = face.get_name(names.TYPOGRAPHIC_FAMILY) or face.get_name(names.FONT_FAMILY)
    os2 = bytes(face.reference_table("OS/2").data)
    weight = struct.unpack(">H", os2[4:6])[0] if len(os2) >= 6 else 400
    italic = len(os2) >= 64 and bool(struct.unpack(">H", os2[62:64])[0] & 1)
    style = face.get_name(names.TYPOGRAPHIC_SUBFAMILY) or face.get_name(names.FONT_SUBFAMILY)
    low = high = _judge_weight(int(weight), style or "")
    for axis in _list_axes(face, path):
        if axis.tag == "wght":
            low, high = int(axis.min_value), int(axis.max_value)
    return " ".join((family or path.stem).split()), FontEntry(path, low, high, italic)


def _judge_weight(said: int, style: str) -> int:
    """Return the weight of a font by what its style is called, where its number is of another scale
    or the usual one, which careless programs write into a Light and a Black alike.
    """
    if said >= 100 and said != 400:
        return said
    plain = re.sub("[^a-z]", "", style.lower())
    return next((weight for word, weight in _STYLE_WEIGHTS if word in plain), 400)


def _list_axes(face: hb.Face, path: Path) -> Sequence[Any]:
    """Return what varies in a font; one whose axes have names that are no text is refused."""
    try:
        axes: Sequence[Any] = face.axis_infos
    except UnicodeDecodeError as error:
        raise _refuse_font(path) from error
    return axes


@lru_cache(maxsize=1)
def open_signs() -> FontFile:
    """Return cardgen's own font of signs, which few fonts have; it holds no letters."""
    return FontFile(_SIGNS_FAMILY, 400, False, _load_face(_SIGNS))


def _open_file(family: str, entry: FontEntry, weight: int) -> FontFile:
    face = _open_face(entry.path, weight, variable=entry.lightest != entry.heaviest)
    return FontFile(family, weight, entry.italic, face)


@lru_cache(maxsize=32)
def _open_installed(family: str, entry: FontEntry, weight: int) -> FontFile:
    return _open_file(family, entry, weight)


def _open_face(path: Path, weight: int, *, variable: bool) -> hb.Face:
    face = _load_face(path)
    if not variable and not _list_axes(face, path):
        _try_cut(face, path)
        return face
    # A PDF cannot hold a variable font: pin the weight and every other axis.
    pinned = hb.SubsetInput()
    pinned.keep_everything()
    pinned.pin_all_axes_to_default(face)
    if variable:
        pinned.pin_axis_location(face, "wght", float(weight))
    try:
        return hb.subset(face, pinned)
    except RuntimeError as error:
        raise _refuse_font(path) from error
