"""Content streams turned into short hashes of what they draw.

A hash says nothing of the file that the stream is part of. What a stream names - forms, pictures,
gradients, fonts - is named by its content; what it says of a glyph's text depends on what else
there is in the file, and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b
from itertools import islice

from cardgen.geometry import Rect
from cardgen.output.resources import Form

_MEANT = b"/ActualText"
_MEANING = re.compile(rb"\)\]TJ/Span<</ActualText<FEFF[0-9A-F]*>>>BDC\[\(|\)\]TJ EMC\[\(")
_DRAWN = re.compile(rb"/(X[0-9a-f]{10}) Do")
_BYTES = 8


class Hasher:
    """Hashes the contents that draw some forms, which may become more."""

    def __init__(self, forms: Mapping[str, Form]) -> None:
        self._forms = forms
        self._seen = 0
        # Forms whose names tell of meanings, and what stands for them.
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
        """The content without meanings; the very same where there are none."""
        if _MEANT in content:
            content = _MEANING.sub(b"", content)
        if self._settled and any(name[1] in self._settled for name in _DRAWN.finditer(content)):
            content = _DRAWN.sub(lambda name: self._settled.get(name[1], name[1]), content)
        return content


def _hash(content: bytes, box: Rect) -> str:
    sides = b" ".join(b"%.3f" % side for side in box)
    return blake2b(sides + b"\n" + content, digest_size=_BYTES).hexdigest()
