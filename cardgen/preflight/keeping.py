"""Results kept up to a bound: memory does not grow with the pages of a file."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class Keeper(Generic[_K, _V]):
    """Keeps values by their keys; what was asked for longest ago goes when there are too many.

    most: how much all values may weigh together
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[_K, tuple[_V, int]] = OrderedDict()
        self.weight = 0

    def find(self, key: _K) -> _V | None:
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def keep(self, key: _K, value: _V, weight: int = 1) -> _V:
        """Keep a value unless it alone weighs more than all may; return it."""
        before = self._kept.pop(key, None)
        if before is not None:
            self.weight -= before[1]
        if weight <= self._most:
            self._kept[key] = value, weight
            self.weight += weight
            while self.weight > self._most:
                _, (_, lost) = self._kept.popitem(last=False)
                self.weight -= lost
        return value
