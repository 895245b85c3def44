"""What the streams of one document share: each colour space, font, picture and gradient is read
once.

Knows nothing of content.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cardgen.preflight.colours import SpaceReader
from cardgen.preflight.fonts import FontReader
from cardgen.preflight.marks import Gradient
from cardgen.preflight.pictures import PictureReader
from cardgen.preflight.values import get, identify


@dataclass(slots=True)
class Readers:
    """Made anew for each document."""

    spaces: SpaceReader = field(default_factory=SpaceReader)
    fonts: FontReader = field(default_factory=FontReader)
    pictures: PictureReader = field(default_factory=PictureReader)
    _gradients: dict[object, Gradient] = field(default_factory=dict)

    def read_gradient(self, thing: Any, resources: Any) -> Gradient:
        key = identify(thing)
        if key not in self._gradients:
            space = self.spaces.read(get(thing, "/ColorSpace"), resources)
            self._gradients[key] = Gradient(key, thing, space)
        return self._gradients[key]
