"""The pictures that the studio drew last, kept as long as there is room.

Knows nothing of what they show.
"""

from __future__ import annotations

from collections import OrderedDict

_MOST_BYTES = 32_000_000


class Pictures:
    """The pictures drawn last, by version and dpi."""

    def __init__(self, most: int = _MOST_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._bytes = 0

    def find(self, version: str, dpi: int) -> bytes | None:
        picture = self._kept.get((version, dpi))
        if picture is not None:
            self._kept.move_to_end((version, dpi))
        return picture

    def keep(self, version: str, dpi: int, picture: bytes) -> None:
        self._bytes -= len(self._kept.pop((version, dpi), b""))
        self._kept[version, dpi] = picture
        self._bytes += len(picture)
        while self._bytes > self._most and len(self._kept) > 1:
            _, gone = self._kept.popitem(last=False)
            self._bytes -= len(gone)
