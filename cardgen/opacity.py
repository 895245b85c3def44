"""Faces looked through for pictures that a file without transparency cannot hold.

Part of build. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from cardgen.deck.model import Card
from cardgen.errors import CardgenError, Problem
from cardgen.layout.face import Face, Form, Item, Picture
from cardgen.output.pictures import count_half_clear


def check_opaque(face: Face, card: Card) -> None:
    """Complain of pictures with pixels that are neither there nor not there."""
    problems = [
        Problem(
            f'picture "{path.name}" is partly transparent, in {clear:,} of its pixels, which '
            f'PDF/X-1a cannot hold (card "{card.name}")',
            card.where,
            "flatten it on its background; or build for a target that keeps transparency, as press",
            alike=True,
        )
        for path in dict.fromkeys(_list_pictures(face.items))
        if (clear := count_half_clear(path))
    ]
    if problems:
        raise CardgenError.of(problems)


def _list_pictures(items: Iterable[Item]) -> Iterator[Path]:
    for item in items:
        if isinstance(item, Picture):
            yield item.path
        elif isinstance(item, Form):
            yield from _list_pictures(item.shared.items)
