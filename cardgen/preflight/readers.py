"""What content streams share: colour spaces, fonts, pictures, forms and settings, each read once.

Knows nothing of operators.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from cardgen.core.geometry import IDENTITY, Box, Matrix
from cardgen.preflight.colours import Paint, SpaceReader
from cardgen.preflight.fonts import Font, FontReader
from cardgen.preflight.images import PictureReader
from cardgen.preflight.keeping import Keeper
from cardgen.preflight.marks import Gradient
from cardgen.preflight.objects import (
    find_box,
    find_dictionary,
    find_matrix,
    find_value,
    identify,
)
from cardgen.preflight.state import Settings, read_settings

_MOST_RESOURCES = 5_000
_MOST_NAMED = 50
_MOST_NAMES = 1_000


class Form(NamedTuple):
    """Where a form shows what it paints."""

    matrix: Matrix
    box: Box | None
    layered: bool


class Named(NamedTuple):
    """Fonts and graphics states by their names among some resources, and the colours of devices by
    their names and what is set.
    """

    fonts: dict[str, Font]
    settings: dict[str, Settings]
    paints: dict[tuple[Any, ...], Paint]


@dataclass(slots=True)
class Readers:
    """The readers of what streams share; each thing is read once, as far as there is room."""

    spaces: SpaceReader = field(default_factory=SpaceReader)
    fonts: FontReader = field(default_factory=FontReader)
    pictures: PictureReader = field(default_factory=PictureReader)
    resources: Keeper[object, Any] = field(default_factory=partial(Keeper, _MOST_RESOURCES))
    forms: Keeper[object, Form] = field(default_factory=partial(Keeper, _MOST_RESOURCES))
    settings: Keeper[object, Settings] = field(default_factory=partial(Keeper, _MOST_RESOURCES))
    _named: Keeper[object, Named] = field(default_factory=partial(Keeper, _MOST_NAMED))
    _gradients: dict[object, Gradient] = field(default_factory=dict)

    def read_gradient(self, thing: Any, resources: Any) -> Gradient:
        key = identify(thing)
        if key not in self._gradients:
            space = self.spaces.read(find_value(thing, "/ColorSpace"), resources)
            self._gradients[key] = Gradient(key, thing, space)
        return self._gradients[key]

    def read_settings(self, thing: Any) -> Settings:
        key = identify(thing)
        return self.settings.find(key) or self.settings.keep(key, read_settings(thing))

    def find_resource(self, resources: Any, owner: object, kind: str, name: str) -> Any:
        """Return the resource of a name; None where there is none.

        owner: tells resources apart; None for those that have no number
        """
        if owner is None:
            return find_value(find_dictionary(resources, kind), name)
        key = (owner, kind, name)
        found = self.resources.find(key)
        if found is None:
            found = find_value(find_dictionary(resources, kind), name)
            if found is not None:
                self.resources.keep(key, found)
        return found

    def find_named(self, owner: object) -> Named:
        """Return what was read by its name in some resources, to which more can be added."""
        if owner is None:
            return Named({}, {}, {})
        named = self._named.find(owner)
        if named is None or sum(len(known) for known in named) > _MOST_NAMES:
            named = self._named.keep(owner, Named({}, {}, {}))
        return named

    def read_form(self, thing: Any) -> Form:
        key = identify(thing)
        return self.forms.find(key) or self.forms.keep(
            key,
            Form(
                find_matrix(thing, "/Matrix") or IDENTITY,
                find_box(thing, "/BBox"),
                find_value(thing, "/OC") is not None,
            ),
        )
