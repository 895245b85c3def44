"""Pictures that lie in an SVG file itself, as data: addresses.

They are written to files of their own, for whoever draws them reads files.
"""

from __future__ import annotations

import os
import tempfile
from base64 import b64decode
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote_to_bytes

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Rect
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
        """Return the picture in a frame; it is a drawing of 72 units to the inch."""
        return Picture(self.path, frame, clip, 0.0, self.width / frame.width * 72)


def embed_picture(document: Document, element: etree._Element, address: str) -> Embedded | None:
    """Return the picture of a data: address; None, with a problem, where it cannot be read."""
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
    if "svg" in head:
        document.complain(
            "svg/cannot-be-drawn",
            element,
            "<image> holds another SVG",
            "put its shapes into this file",
        )
        return None
    path = _keep(content)
    try:
        info = read_picture(path)
    except CardgenError as error:
        problem = error.problems[0]
        document.complain(
            problem.code, element, "<image> holds a picture that cannot be read", problem.hint
        )
        return None
    return Embedded(path, info.width, info.height)


def _keep(content: bytes) -> Path:
    """Return a file that holds a picture, named by it; all processes share it."""
    path = _get_folder() / sha256(content).hexdigest()[:32]
    if not path.exists():
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    return path


def _get_folder() -> Path:
    """Return a folder that is this user's alone."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"cardgen-{user}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if hasattr(os, "getuid") and (found.st_uid != user or folder.is_symlink()):
        return Path(tempfile.mkdtemp(prefix="cardgen-"))
    return folder
