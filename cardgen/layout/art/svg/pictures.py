"""Pictures that lie in an SVG file itself, as data: addresses.

They are written to files of their own, for whoever draws them reads files.
"""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote_to_bytes

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Rect
from cardgen.core.scratch import keep_in_scratch
from cardgen.layout.art.pictures import read_picture
from cardgen.layout.art.svg.document import Document
from cardgen.layout.face import Picture

if TYPE_CHECKING:
    from lxml import etree


class Embedded(NamedTuple):
    """A picture that was written to a file."""

    path: Path
    width: int
    height: int

    def place(self, frame: Rect, clip: Rect) -> Picture:
        """Return the picture in a frame."""
        return Picture(self.path, frame, clip, 0.0)


def unpack(document: Document, element: etree._Element, address: str) -> Path | None:
    """Return a file with what a data: address holds; None, with a problem, where it is broken."""
    head, _, data = address.partition(",")
    try:
        if head.endswith(";base64"):
            content = b64decode("".join(unquote_to_bytes(data).decode().split()), validate=True)
        else:
            content = unquote_to_bytes(data)
    except ValueError:
        document.complain(
            "svg/broken-data", element, "<image> holds a broken picture", "embed it again"
        )
        return None
    return keep_in_scratch(content, "picture")


def embed_picture(document: Document, element: etree._Element, address: str) -> Embedded | None:
    """Return the picture of a data: address; None, with a problem, where it cannot be read."""
    path = unpack(document, element, address)
    if path is None:
        return None
    try:
        info = read_picture(path)
    except CardgenError as error:
        problem = error.problems[0]
        document.complain(
            problem.code, element, "<image> holds a picture that cannot be read", problem.hint
        )
        return None
    return Embedded(path, info.width, info.height)
