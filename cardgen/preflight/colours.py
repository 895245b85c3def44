"""The colour spaces of a PDF: of which kind they are, and how much ink their colours take.

Knows nothing of pages or of what is painted with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from pikepdf import Array, Name, Stream, String

from cardgen.preflight.functions import Function, Values, read_function
from cardgen.preflight.objects import (
    BROKEN,
    find_dictionary,
    find_value,
    identify,
    list_array,
    read_data,
    read_number,
    unpack_name,
)
from cardgen.preflight.profiles import read_profile

Kind = Literal["grey", "rgb", "cmyk", "lab", "spot", "pattern", "unknown"]

_KINDS: dict[int, Kind] = {1: "grey", 3: "rgb", 4: "cmyk"}
_SHORT = {"G": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK", "I": "Indexed"}
_DEEPEST = 8
_DARK = 0.2
_PALE = 0.02
_MOST_TRIED = 300


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A colour space; each is one object, so that they are told apart by identity.

    base: of an indexed space, the alternate of a spot colour, that beneath a pattern
    inks: the names of spot colours
    palette: of an indexed space
    broken: why its profile cannot be used; empty where it can, or where it has none
    tried: the tints whose alternate was asked for; there are no more than so many
    """

    family: str
    kind: Kind
    components: int
    base: Space | None = None
    inks: tuple[str, ...] = ()
    tint: Function | None = None
    palette: bytes = b""
    broken: str = ""
    tried: set[Values] = field(default_factory=set)

    @property
    def name(self) -> str:
        if self.kind == "spot":
            return f"{self.family} {' + '.join(self.inks)}"
        if self.family == "ICCBased":
            return f"ICCBased {'RGB' if self.kind == 'rgb' else self.kind}"
        if self.family == "Indexed" and self.base:
            return f"Indexed {self.base.name}"
        return self.family

    @property
    def root(self) -> Space:
        """The space that the colours of an indexed one, or under a pattern, are in."""
        inner = self.family in ("Indexed", "Pattern") and self.base
        return inner.root if inner else self

    @property
    def first(self) -> Values:
        """The colour that is set when the space is chosen."""
        if self.kind == "cmyk":
            return (0.0, 0.0, 0.0, 1.0)
        return (1.0 if self.kind == "spot" else 0.0,) * self.components

    def measure_ink(self, values: Values) -> float | None:
        """Return how much ink a colour takes, in percent; None where only a profile knows."""
        if self.family == "Indexed" and self.base:
            return self.base.measure_ink(self.look_up(values[0]))
        if self.kind == "grey":
            return 100 * (1 - _limit(values[0]))
        if self.kind == "cmyk":
            return 100 * sum(map(_limit, values))
        if self.kind == "spot":
            return self._measure_spot(tuple(map(_limit, values)))
        return None

    def _measure_spot(self, values: Values) -> float | None:
        if self.inks == ("All",):
            return 400 * values[0]
        used = [v for v, ink in zip(values, self.inks, strict=False) if ink != "None"]
        ink = 100 * sum(used)
        if self.base and self.tint and len(self.tried) < _MOST_TRIED:
            # Without its own plate a spot colour is printed as its alternate.
            self.tried.add(values)
            try:
                return max(ink, self.base.measure_ink(self.tint(values)) or 0.0)
            except BROKEN:
                return ink
        return ink

    def look_up(self, value: float) -> Values:
        """Return the colour of an entry of the palette, in the base."""
        if self.base is None:
            return ()
        count = self.base.components
        entry = self.palette[int(value) * count : (int(value) + 1) * count]
        low, high = (-100.0, 100.0) if self.base.kind == "lab" else (0.0, 1.0)
        return tuple(low + byte / 255 * (high - low) for byte in entry.ljust(count, b"\0"))


class Paint(NamedTuple):
    """A colour in its space; `pattern` names a tile or a gradient in place of an even colour."""

    space: Space
    values: Values
    pattern: str = ""

    @property
    def _is_even(self) -> bool:
        """Whether it is one colour, told by its values."""
        return bool(self.values) and not self.pattern and self.space.family != "Indexed"

    @property
    def is_white(self) -> bool:
        """Whether it is the colour of the paper, and takes as good as no ink."""
        root, values = self.space.root, self.values
        if not self._is_even:
            return False
        if root.kind in ("grey", "rgb"):
            return min(values) >= 1 - _PALE
        return root.kind in ("cmyk", "spot") and max(values) <= _PALE

    @property
    def is_dark(self) -> bool:
        """Whether it is black, or nearly so."""
        root, values = self.space.root, self.values
        if not self._is_even:
            return False
        if root.kind in ("grey", "rgb"):
            return max(values) <= _DARK
        if root.kind == "cmyk" and len(values) == 4:
            return values[3] >= 1 - _DARK or min(values[:3]) >= 1 - _DARK
        return root.kind == "spot" and root.inks in (("All",), ("Black",)) and values[0] >= 0.8


def _limit(value: float) -> float:
    return min(max(value, 0.0), 1.0)


GREY = Space("DeviceGray", "grey", 1)
RGB = Space("DeviceRGB", "rgb", 3)
CMYK = Space("DeviceCMYK", "cmyk", 4)
PATTERN = Space("Pattern", "pattern", 0)
UNKNOWN = Space("unknown", "unknown", 1)
_DEVICE = {space.family: space for space in (GREY, RGB, CMYK, PATTERN)}
_DEFAULTS = {"DeviceGray": "/DefaultGray", "DeviceRGB": "/DefaultRGB", "DeviceCMYK": "/DefaultCMYK"}
DEVICE_SPACES = (GREY, RGB, CMYK)
BLACK = Paint(GREY, (0.0,))


def is_device(name: str) -> bool:
    """Say whether a name with its slash is one of a space that needs no resource."""
    return _SHORT.get(name[1:], name[1:]) in _DEVICE


@dataclass(slots=True)
class SpaceReader:
    """Reads the colour spaces of a document; each once."""

    _known: dict[object, Space] = field(default_factory=dict)

    def read(self, thing: Any, resources: Any, depth: int = 0) -> Space:
        """Return a space by its name among the resources, or as it is spelled out."""
        if depth > _DEEPEST:
            return UNKNOWN
        spaces = find_dictionary(resources, "/ColorSpace")
        if isinstance(thing, Name):
            name = _SHORT.get(unpack_name(thing), unpack_name(thing))
            if name in _DEVICE:
                default = find_value(spaces, _DEFAULTS.get(name, "/"))
                return _DEVICE[name] if default is None else self.read(default, None, depth + 1)
            named = find_value(spaces, f"/{name}")
            if named is None or named == thing:
                return UNKNOWN
            return self.read(named, resources, depth + 1)
        if not isinstance(thing, Array) or not len(thing):
            return UNKNOWN
        has_defaults = any(find_value(spaces, key) is not None for key in _DEFAULTS.values())
        key = (identify(thing), identify(spaces) if has_defaults else None)
        if key not in self._known:
            try:
                self._known[key] = self._read_array(list(thing), resources, depth)
            except BROKEN:
                self._known[key] = UNKNOWN
        return self._known[key]

    def _read_array(self, items: list[Any], resources: Any, depth: int) -> Space:
        family = _SHORT.get(unpack_name(items[0]), unpack_name(items[0]))
        if len(items) == 1 or (family == "Pattern" and len(items) < 2):
            return self.read(items[0], resources, depth + 1)
        if family == "CalGray":
            return Space(family, "grey", 1)
        if family == "CalRGB":
            return Space(family, "rgb", 3)
        if family == "Lab":
            return Space(family, "lab", 3)
        if family == "ICCBased":
            count = int(read_number(items[1], "/N"))
            return Space(family, _KINDS.get(count, "unknown"), count, broken=_try(items[1], count))
        if family == "Pattern":
            base = self.read(items[1], resources, depth + 1)
            return Space(family, "pattern", base.components, base)
        if family == "Indexed":
            base = self.read(items[1], resources, depth + 1)
            return Space(family, base.kind, 1, base, palette=_read_palette(items[3]))
        if family in ("Separation", "DeviceN"):
            inks = tuple(unpack_name(ink) for ink in list_array(items[1]))
            base = self.read(items[2], resources, depth + 1)
            tint = read_function(items[3])
            return Space(family, "spot", len(inks), base, inks, tint)
        return UNKNOWN


def _try(stream: Any, count: int) -> str:
    """Return why the profile of a space with so many components cannot be used."""
    profile = read_profile(read_data(stream))
    if profile is None:
        return "it is no ICC profile"
    if not profile.broken and profile.components and profile.components != count:
        return f"it is one for {profile.space}, and the colours have {count} components"
    return profile.broken


def _read_palette(thing: Any) -> bytes:
    if isinstance(thing, Stream):
        return read_data(thing)
    return bytes(thing) if isinstance(thing, String) else b""


def list_spaces(space: Space) -> Sequence[Space]:
    """Return a space and those that it rests on."""
    return [space, *(list_spaces(space.base) if space.base else ())]
