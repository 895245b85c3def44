"""Results kept up to a bound: memory does not grow with the pages of a file."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class Keeper(Generic[_K, _V]):
    """Keeps values by their keys; where they are too many, those that have not been asked for
    while half of them were new are forgotten.

    most: how much all values may weigh together
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[_K, tuple[_V, int]] = {}
        self._older: dict[_K, tuple[_V, int]] = {}
        self._kept_weight = self._older_weight = 0

    @property
    def weight(self) -> int:
        return self._kept_weight + self._older_weight

    def find(self, key: _K) -> _V | None:
        found = self._kept.get(key)
        if found is None and self._older:
            found = self._older.pop(key, None)
            if found is not None:
                self._older_weight -= found[1]
                self._take(key, found)
        return None if found is None else found[0]

    def keep(self, key: _K, value: _V, weight: int = 1) -> _V:
        """Keep a value unless it alone weighs more than all may; return it."""
        if (before := self._kept.pop(key, None)) is not None:
            self._kept_weight -= before[1]
        elif (before := self._older.pop(key, None)) is not None:
            self._older_weight -= before[1]
        if weight <= self._most:
            self._take(key, (value, weight))
        return value

    def _take(self, key: _K, found: tuple[_V, int]) -> None:
        weight = found[1]
        if self._kept_weight + weight > self._most / 2:
            self._older, self._older_weight = self._kept, self._kept_weight
            self._kept, self._kept_weight = {}, 0
        self._kept[key] = found
        self._kept_weight += weight
        if self.weight > self._most:
            self._older, self._older_weight = {}, 0
