"""The pictures that the studio drew last, kept as long as there is room.

Knows nothing of what they show.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection

_MOST_BYTES = 32_000_000
_MOST_RETIRED = 2_000_000

_Key = tuple[str, int]


class Pictures:
    """The pictures drawn last, by version and dpi; those of versions that nothing shows any longer
    have little room.
    """

    def __init__(self, most: int = _MOST_BYTES, retired: int = _MOST_RETIRED) -> None:
        self._kept = _Store(most)
        self._retired = _Store(retired)

    def find(self, version: str, dpi: int) -> bytes | None:
        key = version, dpi
        return self._kept.find(key) or self._retired.find(key)

    def keep(self, version: str, dpi: int, picture: bytes) -> None:
        self._retired.take(version)
        self._kept.put((version, dpi), picture)

    def retire(self, versions: Collection[str]) -> None:
        """Keep those of some versions only for a while, for who takes a change back."""
        for version in versions:
            for key, picture in self._kept.take(version).items():
                self._retired.put(key, picture)


class _Store:
    """Pictures up to so many bytes; the one that was not asked for the longest goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = 0
        self._pictures: OrderedDict[_Key, bytes] = OrderedDict()
        self._keys: dict[str, list[_Key]] = {}

    def find(self, key: _Key) -> bytes | None:
        picture = self._pictures.get(key)
        if picture is not None:
            self._pictures.move_to_end(key)
        return picture

    def put(self, key: _Key, picture: bytes) -> None:
        self._drop(key)
        self._pictures[key] = picture
        self._keys.setdefault(key[0], []).append(key)
        self._bytes += len(picture)
        while self._bytes > self._most and len(self._pictures) > 1:
            self._drop(next(iter(self._pictures)))

    def take(self, version: str) -> dict[_Key, bytes]:
        """Take out those of a version."""
        return {key: self._drop(key) for key in list(self._keys.get(version, ()))}

    def _drop(self, key: _Key) -> bytes:
        picture = self._pictures.pop(key, b"")
        if picture:
            self._bytes -= len(picture)
            self._keys[key[0]].remove(key)
            if not self._keys[key[0]]:
                del self._keys[key[0]]
        return picture
