"""The pages that show a deck, and what each of them is told.

Knows nothing of decks or addresses.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from cardgen.studio.packing import Data

_MOST_TOLD = 200  # events that wait for a page which does not read them


class Event(NamedTuple):
    """Something that pages are told."""

    name: str
    data: Data


class Listeners:
    """The pages that listen."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[Event]] = set()

    def __bool__(self) -> bool:
        return bool(self._queues)

    def begin(self, first: Event) -> asyncio.Queue[Event]:
        """Return what a page is told from now on, as it comes; `leave` ends it."""
        queue: asyncio.Queue[Event] = asyncio.Queue(_MOST_TOLD)
        queue.put_nowait(first)
        self._queues.add(queue)
        return queue

    def leave(self, queue: asyncio.Queue[Event]) -> None:
        """Tell a page nothing more."""
        self._queues.discard(queue)

    def tell(self, name: str, data: Data) -> None:
        """Tell all pages; one that does not keep up is told to ask for everything."""
        for queue in self._queues:
            try:
                queue.put_nowait(Event(name, data))
            except asyncio.QueueFull:
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(Event("reload", {}))
